"""Copies go out of a house to its pantry on a chain, and come back: inside or outside, never both."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from chain.calls import Reverted, checksummed
from chain.contracts import Contract, artifacts
from chain.deploying import placed
from chain.hints import hints
from chain.local import LocalChain, node
from chain.verifiers import two
from service import migrations
from service.config import UNLIMITED, Settings
from service.models import ChainHead, Copy, Player
from service.operations import collection, holds, outside, pantry
from service.operations.audit import audit
from service.problems import Problem
from service.runtime import Runtime
from tests.chain.house_kit import ANNA, BASE, BEN, Deployed, new_chain


@dataclass
class World:
    """A house with two players and a free copy of Anna's, and a chain with the house's pantry."""

    house: Runtime
    chain: LocalChain
    pantry: Deployed
    clock: list[int]
    anna: Player
    ben: Player
    copy: str

    def look(self) -> int:
        """Let the house read; its books must be right then."""
        changed = pantry.read(self.house)
        with self.house.read() as session:
            assert audit(session).findings == []
        return changed

    def state(self) -> tuple[str, str]:
        with self.house.read() as session:
            found = session.get_one(Copy, self.copy)
            return found.state, found.owner_id

    def head(self) -> ChainHead:
        with self.house.read() as session:
            return session.get_one(ChainHead, 1)

    def leave(self) -> outside.Statement:
        self.clock[0] = self.chain.machine.time * 1000
        return outside.leave(self.house, self.anna, [self.copy], checksummed(ANNA))

    def bring_out(self, statement: outside.Statement) -> None:
        trips = statement.trips
        tokens = [(bytes.fromhex(trip.token), trip.trip) for trip in trips]
        digest = outside.copies_out(statement.place, ANNA, trips[0].until, tokens)
        numbers = [int.from_bytes(token, "big") for token, _ in tokens]
        signed = two(statement.signature), hints(statement.key, digest, statement.signature)
        counted = [trip for _, trip in tokens]
        arguments = (ANNA, trips[0].until, numbers, counted, *signed)
        self.chain.send(self.pantry.contract.address, self.data("bring_out", *arguments), ANNA)

    def data(self, name: str, *arguments: Any) -> bytes:
        return self.pantry.contract.artifact.data(name, *arguments)

    def burn(self, statement: outside.Statement, player: str, by: bytes) -> None:
        number = int(statement.trips[0].token, 16)
        data = self.data("take_back", number, bytes.fromhex(player.replace("-", "")))
        self.chain.send(self.pantry.contract.address, data, by)

    def transfer(self, statement: outside.Statement, sender: bytes, receiver: bytes) -> None:
        number = int(statement.trips[0].token, 16)
        data = self.data("transferFrom", sender, receiver, number)
        self.chain.send(self.pantry.contract.address, data, sender)


def _player(house: Runtime, handle: str) -> Player:
    player = Player(handle=handle, folded=handle, password="-", key=f"{handle:-<43}", created_at=house.now())
    with house.write() as session:
        session.add(player)
    return player


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    chain = new_chain()
    url = f"sqlite:///{tmp_path}/house.sqlite3"
    settings = Settings(database=url, data=tmp_path / "var", **UNLIMITED)
    clock = [chain.machine.time * 1000]
    house = replace(Runtime.open(settings), clock=lambda: clock[0])
    migrations.upgrade(house.database.engine)
    arguments = placed()["papers"].address, house.keys.public, "Pantry", BASE
    made = chain.send(b"", artifacts()["pantry"].creation(*arguments))
    contract = Deployed(Contract(artifacts()["pantry"], made.created, chain.machine), chain.machine)
    chain.finalize()
    with ExitStack() as stack:
        more = {
            "chain_id": chain.machine.chain_id,
            "chain_pantry": checksummed(made.created),
            "chain_nodes": stack.enter_context(node(chain)),
            "chain_first": 1,
        }
        house = replace(house, settings=replace(settings, **more))
        anna, ben = _player(house, "anna"), _player(house, "ben")
        card = min(house.catalog.cards)
        with house.write() as session:
            [copy] = collection.give(
                session, anna.id, {card: 1}, "basic", clock[0], kind="basic", soulbound=False
            )
        world = World(house, chain, contract, clock, anna, ben, copy.id)
        world.look()
        yield world
        world.house.close()


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
    saved = _saved(world)
    statement = world.leave()
    world.bring_out(statement)
    _put_back(world, saved)
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


def _saved(world: World) -> Path:
    """A copy of the house's database as it is now."""
    target = Path(world.house.settings.data).parent / "saved.sqlite3"
    house = target.parent / "house.sqlite3"
    with closing(sqlite3.connect(target)) as copy, closing(sqlite3.connect(house)) as ours:
        ours.backup(copy)
    return target


def _put_back(world: World, saved: Path) -> None:
    """Go on with a database that was saved before."""
    world.house.close()
    settings = replace(world.house.settings, database=f"sqlite:///{saved}")
    world.house = replace(Runtime.open(settings), clock=lambda: world.clock[0])
    with world.house.write() as session:
        outside.mark_restored(session, world.clock[0], True)
