"""Copies go out of a house to its pantry on a chain, and come back: inside or outside, never both."""

from __future__ import annotations

import pytest

from chain.calls import Reverted, checksummed
from service.models import Copy, GameRow
from service.operations import holds, outside
from service.problems import Problem
from tests.chain.house_kit import ANNA, BEN
from tests.chain.world_kit import World, put_back, saved


def test_a_copy_goes_out_is_passed_on_and_comes_back_to_another_player(world: World) -> None:
    statement = world.leave()
    assert world.state() == ("outside", world.anna.id)
    assert (statement.trips[0].trip, world.look()) == (1, 0)
    world.bring_out(statement)
    assert world.look() == 0  # not final yet
    world.chain.finalize()
    assert world.look() == 1
    with pytest.raises(Problem, match="Not all of these copies can leave"):
        world.leave()
    world.transfer(statement, ANNA, BEN)
    world.burn(statement, world.ben.id, BEN)
    assert (world.look(), world.state()[0]) == (0, "outside")
    world.chain.finalize()
    assert (world.look(), world.state()) == (1, ("free", world.ben.id))
    assert world.look() == 0
    world.anna = world.ben
    assert world.leave().trips[0].trip == 2
    world.look()


def test_an_unused_statement_lapses_and_its_trip_is_counted_anew(world: World) -> None:
    first = world.leave()
    world.chain.pass_time(outside.LIFE + 1)
    assert world.state()[0] == "outside"
    world.chain.finalize()
    assert (world.look(), world.state()) == (1, ("free", world.anna.id))
    with pytest.raises(Reverted):
        world.bring_out(first)
    again = world.leave()
    assert again.trips[0].trip == 1
    world.bring_out(again)
    world.chain.finalize()
    assert world.look() == 1


def test_a_burned_token_that_names_nobody_stays_outside(world: World) -> None:
    statement = world.leave()
    world.bring_out(statement)
    world.burn(statement, "00000000-0000-4000-8000-000000000000", ANNA)
    world.chain.finalize()
    assert (world.look(), world.state()[0]) == (2, "outside")
    assert world.head().alarm is None


def test_a_reorganization_takes_nothing_in_but_a_final_one_stops_the_reader(world: World) -> None:
    statement = world.leave()
    world.bring_out(statement)
    world.chain.take_back(1)
    world.chain.finalize()
    assert (world.look(), world.state()[0]) == (0, "outside")
    world.chain.take_back(len(world.chain.blocks) - world.head().number)
    world.chain.mine(200)
    assert (world.look(), world.state()[0]) == (0, "outside")
    assert "was" in str(world.head().alarm)
    world.chain.pass_time(outside.LIFE + 1)
    world.chain.finalize()
    assert (world.look(), world.state()[0]) == (0, "outside")  # nothing is credited behind an alarm


def test_bound_copies_and_wrong_addresses_stay_inside(world: World) -> None:
    with pytest.raises(Problem) as refused:
        outside.leave(world.house, world.anna, [world.copy], checksummed(ANNA).lower())
    assert refused.value.code == "bad_address"
    with world.house.write() as session:
        session.get_one(Copy, world.copy).soulbound = True
    with pytest.raises(Problem) as bound:
        world.leave()
    assert bound.value.errors[0].code == "soulbound"
    assert world.state()[0] == "free"


def test_a_restored_house_learns_what_left_before_anything_is_played(world: World) -> None:
    before = saved(world)
    statement = world.leave()
    world.bring_out(statement)
    put_back(world, before)
    assert world.state()[0] == "free"
    card = min(world.house.catalog.cards)
    with world.house.write() as session:
        with pytest.raises(Problem) as missing:
            holds.hold_deck(session, world.house.catalog, world.anna.id, {card: 1}, "game")
        with pytest.raises(Problem) as unknown:
            holds.require_known(session)
    assert (missing.value.code, unknown.value.code) == ("copies_missing", "chain_unread")
    with pytest.raises(Problem) as unread:
        world.leave()
    assert unread.value.code == "chain_unread"
    world.chain.finalize()
    assert (world.look(), world.state()[0]) == (1, "outside")
    assert world.head().restored_until > 0
    world.chain.pass_time(outside.LONGEST + 1)
    world.chain.finalize()
    world.look()
    assert (world.head().restored_until, world.state()[0]) == (0, "outside")
    world.burn(statement, world.ben.id, ANNA)
    world.chain.finalize()
    assert (world.look(), world.state()) == (1, ("free", world.ben.id))


def test_a_copy_that_a_match_holds_in_the_backup_leaves_it_there(world: World) -> None:
    with world.house.write() as session:
        session.add(GameRow(id="game", mode="chef", created_at=1, seq=0, snapshot={}))
        session.flush()
        card = {min(world.house.catalog.cards): 1}
        holds.hold_deck(session, world.house.catalog, world.anna.id, card, "game")
    before = saved(world)
    with world.house.write() as session:
        holds.release_game(session, "game")
    statement = world.leave()
    world.bring_out(statement)
    put_back(world, before)
    assert world.state()[0] == "held"
    world.chain.finalize()
    assert (world.look(), world.state()[0], world.head().alarm) == (1, "outside", None)
    with world.house.write() as session:
        holds.release_game(session, "game")
    assert world.state()[0] == "outside"
    world.burn(statement, world.ben.id, ANNA)
    world.chain.finalize()
    assert (world.look(), world.state()) == (1, ("free", world.ben.id))
