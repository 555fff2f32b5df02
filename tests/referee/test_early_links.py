"""Links that a reveal brings (protocol section 7)."""

from __future__ import annotations

import json
from random import Random

import pytest

from cards import games
from crypto.encoding import b64, unb64
from referee import Entry, Refused, apply, complete_options, dump_game, load_game
from referee.header import seals
from referee.record import GENESIS
from tests.referee.forger import Crook, again, found, refused, report, rewritten, signed, without
from tests.referee.table import Table, quietly


@pytest.fixture(scope="module")
def prepared() -> Table:
    table = Table.chef(0, {"early_links": True}, envelopes=True)
    table.until("seal")
    table.answer(0, 1)
    return table


@pytest.fixture
def table(prepared: Table) -> Table:
    """A table with early links, before the reveals of the first round."""
    return prepared.copy()


def kinds(entries: list[Entry]) -> list[tuple[int, str, str]]:
    return [(entry.step, entry.actor, entry.kind) for entry in entries]


def test_open_says_whether_links_may_come_early(table: Table) -> None:
    body = table.record[0].body
    assert body["early_links"] is True
    assert "early_links" not in body["options"]
    assert table.game.header.early_links
    assert not Table.chef(0).game.header.early_links


def test_early_links_are_offered_only_where_something_is_sealed() -> None:
    for name in games.names():
        mode = games.find(name)
        if seals(mode):
            assert complete_options(mode, {})["early_links"] is False
            assert complete_options(mode, {"early_links": True})["early_links"] is True
            with refused("bad_option", "/early_links"):
                complete_options(mode, {"early_links": 1})
        else:
            with refused("unknown_option", "/early_links"):
                complete_options(mode, {"early_links": True})


def test_no_record_has_early_links_where_nothing_is_sealed() -> None:
    table = Table.hearts()
    body = {**table.record[0].body, "early_links": True}
    entry = rewritten(table.record[0], (-1, GENESIS), table.keeper.private, body=body)
    with refused("early_links", "/early_links"):
        apply(None, entry)


def test_a_link_step_that_every_link_came_early_for_closes_at_once(table: Table) -> None:
    step, deals = table.game.step, table.game.deals
    entries = table.answer(0, 1)
    assert kinds(entries) == [
        (step, "0", "reveal"),
        (step, "1", "reveal"),
        (step, "house", "account"),
        (step + 2, "house", "deal"),
    ]
    asking = table.game.asking
    assert asking is not None
    assert (asking.kind, asking.step) == ("seal", step + 3)
    assert table.game.deals == deals + 1
    assert table.game.closed == (step + 1, entries[2].seq), "the step of links has its number"
    assert report(table.record, unfinished=True).valid


def test_who_brought_its_link_has_answered(table: Table) -> None:
    step = table.game.step
    table.send(again(table, table.message(0), link=None))
    table.answer(1)
    asking = table.game.asking
    assert asking is not None
    assert (asking.kind, asking.step, asking.seats) == ("link", step + 1, {0})
    deal = table.game.deals + 1
    assert table.game.links == {1: table.seats[1].secret.chain.link(deal)}
    with refused("not_asked", "/seat"):
        table.send(table.seats[1].link(table.views[1]))
    entries = table.answer(0)
    assert kinds(entries) == [(step + 1, "0", "link"), (step + 2, "house", "deal")]
    assert report(table.record, unfinished=True).valid


def test_the_draws_are_those_of_links_that_came_in_time(table: Table) -> None:
    late = table.copy()
    table.answer(0, 1)
    late.send(again(late, late.message(0), link=None))
    late.send(again(late, late.message(1), link=None))
    late.answer(0, 1)
    deals = [[e.body for e in t.record if e.kind == "deal"] for t in (table, late)]
    assert deals[0] == deals[1]


def test_the_link_of_who_is_silent_is_not_replaced_by_nothing(table: Table) -> None:
    """Seat 1 brings its link and goes away: the draws of seat 0 follow from it."""
    table.send(again(table, table.message(0), link=None))
    table.answer(1)
    entries = table.lapse()
    assert kinds(entries)[0][2] == "timeout"
    assert entries[0].body["seat"] == 0
    assert table.game.seat(1).newest[0] == table.game.deals
    assert report(table.record, unfinished=True).valid


def test_an_early_link_is_checked(table: Table) -> None:
    chain, deal = table.seats[0].secret.chain, table.game.deals + 1
    right = table.message(0)
    assert right.body["link"] == b64(chain.link(deal))
    flipped = bytearray(chain.link(deal))
    flipped[Random(1).randrange(64)] ^= 1
    wrong = [chain.link(deal + 1), chain.link(deal - 1), table.seats[1].secret.chain.link(deal), bytes(64)]
    for link in [*wrong, bytes(flipped)]:
        with refused("wrong_link", "/link"):
            table.send(again(table, right, link=b64(link)))
    for odd in (b64(bytes(63)), "", 1, [], False):
        with refused("bad_bytes", "/link"):
            table.send(again(table, right, link=odd))
    with refused("missing_field", "/link"):
        table.send(signed(table, 0, "reveal", without(right.body, "link"), right.step))
    table.send(right)


def test_a_reveal_that_is_owed_brings_no_link(table: Table) -> None:
    table.answer(1)
    table.lapse()
    assert table.owed() == [0]
    owed = table.seats[0].reveal(table.views[0], table.kept[0])
    assert owed.body["link"] is None
    link = table.seats[0].secret.chain.link(table.game.deals + 1)
    with pytest.raises(Refused, match=r"^an overdue reveal brings no link$") as caught:
        table.send(again(table, owed, link=b64(link)))
    assert (caught.value.code, caught.value.pointer) == ("link_not_due", "/link")
    asking = table.game.asking
    assert asking is not None
    assert (asking.kind, asking.seats) == ("link", {0})
    table.send(owed)
    table.answer(0)
    assert report(table.record, unfinished=True).valid


def test_without_early_links_the_field_is_unknown() -> None:
    table = Table.chef(0)
    table.until("reveal")
    right = table.message(0)
    assert "link" not in right.body
    for link in (None, b64(table.seats[0].secret.chain.link(table.game.deals + 1))):
        with refused("unknown_field", "/link"):
            table.send(again(table, right, link=link))


def test_an_early_link_stands_until_there_is_a_deal(table: Table) -> None:
    """No deal comes where nothing is left to draw. The same link may be said again, and no other one."""
    table.choose = quietly
    deals = 0
    while table.game.deals != deals:  # until the decks are used up
        deals = table.game.deals
        table.answer(0, 1)
        table.until("reveal")
    assert table.game.seat(0).newest[0] == deals + 1
    right = table.message(0)
    with refused("wrong_link", "/link"):
        table.send(again(table, right, link=b64(table.seats[0].secret.chain.link(deals + 2))))
    table.send(right)
    table.send(again(table, table.message(1), link=None))
    assert report(table.record, unfinished=True).valid


def test_a_verifier_checks_early_links(table: Table) -> None:
    right = table.message(0)
    link = bytearray(unb64(right.body["link"]))
    link[0] ^= 1
    crook = Crook.of(table)
    crook.enter(again(table, right, link=b64(bytes(link))))
    seq = crook.entries[-1].seq
    assert found(crook.entries, unfinished=True) == (seq, "wrong_link", f"/entries/{seq}/body/link")


def test_a_house_can_not_leave_out_a_link_that_came_early(table: Table) -> None:
    """It writes a time-out for a seat that has answered already."""
    table.send(again(table, table.message(0), link=None))
    table.answer(1)
    asking = table.game.asking
    assert asking is not None
    crook = Crook.of(table)
    crook.write("timeout", {"seat": 1, "kind": "link", "move": None}, asking.step, asking.deadline + 1)
    seq = crook.entries[-1].seq
    assert found(crook.entries, unfinished=True) == (seq, "not_asked", f"/entries/{seq}/body/seat")


def test_the_snapshot_keeps_early_links(table: Table) -> None:
    table.send(again(table, table.message(0), link=None))
    table.answer(1)
    stored = load_game(json.loads(json.dumps(dump_game(table.game))), table.game.header)
    assert stored == table.game
    table.game = stored
    table.answer(0)
    assert report(table.record, unfinished=True).valid
