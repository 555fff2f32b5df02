"""Chains, links and draws; games that never begin (protocol section 7; rulings, chef 11)."""

from __future__ import annotations

from typing import Any

import pytest

from crypto.encoding import b64
from crypto.fairness import Chain, common_stream, draw, own_stream
from referee import Refused, dump_game, load_game, verify_entries
from referee.record import Entry
from tests.referee.forger import Crook, again, refused, report, signed
from tests.referee.table import Table, bytes_of, quietly


def match() -> Table:
    table = Table.chef()
    table.choose = quietly
    return table


def to_links(table: Table, deal: int) -> Table:
    """Play to the step that asks for the links of a deal."""
    while not (table.game.asking and table.game.asking.kind == "link" and table.game.deals == deal - 1):
        table.step()
    return table


def linked(table: Table, seat: int, deal: int, link: bytes) -> list[Entry]:
    """Send any bytes as a link."""
    view = table.views[seat]
    seen = {"seq": view.seq, "digest": b64(view.digest)}
    body = {"deal": deal, "link": b64(link), "seen": seen}
    return table.send(signed(table, seat, "link", body, view.step))


def test_links_are_known_after_the_end() -> None:
    """The game and its snapshot keep what was sent before the end."""
    table = to_links(match(), 2)
    table.answer(0)
    links = table.game.links
    assert links is not None
    assert [*links] == [0]
    table.send(table.seats[1].resign(table.views[1]))
    assert table.game.over
    assert table.game.links == links
    assert load_game(dump_game(table.game), table.game.header).links == links


def test_links_come_in_order() -> None:
    table = to_links(match(), 1)
    own, other = table.seats[0].secret.chain, table.seats[1].secret.chain
    for deal, link, code, pointer in (
        (2, own.link(2), "wrong_deal", "/deal"),
        (0, own.anchor, "bad_integer", "/deal"),
        (1025, own.link(1), "bad_integer", "/deal"),
        (True, own.link(1), "bad_integer", "/deal"),
        (1, own.link(2), "wrong_link", "/link"),
        (1, own.anchor, "wrong_link", "/link"),
        (1, other.link(1), "wrong_link", "/link"),
        (1, bytes(64), "wrong_link", "/link"),
        (1, bytes(63), "bad_bytes", "/link"),
        (1, b"", "bad_bytes", "/link"),
    ):
        with refused(code, pointer):
            linked(table, 0, deal, link)
    linked(table, 0, 1, own.link(1))
    to_links(table, 2)
    for deal, link, code in ((1, own.link(1), "wrong_deal"), (2, own.link(1), "wrong_link")):
        with refused(code):
            linked(table, 0, deal, link)
    linked(table, 0, 2, own.link(2))


def test_a_link_left_out_is_hashed_over_and_never_used() -> None:
    table = to_links(match(), 2)
    own = table.seats[0].secret.chain
    table.answer(1)
    entries = table.lapse()
    assert entries[0].body == {"seat": 0, "kind": "link", "move": None}
    to_links(table, 3)
    with refused("wrong_deal", "/deal"):
        linked(table, 0, 2, own.link(2))
    with refused("wrong_link", "/link"):
        linked(table, 0, 3, own.link(2))
    linked(table, 0, 3, own.link(3))


def positions(entry: Entry) -> dict[int, tuple[int, ...]]:
    return {item["seat"]: tuple(item["positions"]) for item in entry.body["drawn"]}


def test_a_chefs_cards_hang_on_the_house_and_the_other_chef_alone() -> None:
    table = to_links(match(), 1)
    table.answer(0, 1)
    deal, z, house = table.record[-1], table.game.seed, table.keeper.chain
    assert z is not None
    links = [seat.secret.chain.link(1) for seat in table.seats]
    expected = {
        seat: draw(own_stream(z, 1, house.link(1), links[1 - seat], seat), range(40), 6) for seat in (0, 1)
    }
    assert positions(deal) == expected


def test_a_silent_seats_link_counts_as_empty() -> None:
    table = to_links(match(), 2)
    hands = [set(view.state.board.hands[seat]) for seat, view in enumerate(table.views)]
    table.answer(1)
    deal = table.lapse()[-1]
    z, link = table.game.seed, table.keeper.chain.link(2)
    assert z is not None
    pools = [[i for i in range(40) if i not in hand] for hand in hands]
    other = table.seats[1].secret.chain.link(2)
    assert positions(deal) == {
        0: draw(own_stream(z, 2, link, other, 0), pools[0], 2),
        1: draw(own_stream(z, 2, link, b"", 1), pools[1], 2),
    }


def test_both_silent_and_the_deal_goes_on() -> None:
    table = to_links(match(), 2)
    entries = table.lapse()
    assert [entry.kind for entry in entries] == ["timeout", "timeout", "deal"]
    assert table.game.asking is not None
    assert table.game.asking.kind == "seal"


def test_a_common_pack_is_drawn_whole_from_everybodys_links() -> None:
    table = Table.hearts(4)
    to_links(table, 1)
    table.answer(3, 1, 0, 2)
    z, link = table.game.seed, table.keeper.chain.link(1)
    assert z is not None
    stream = common_stream(z, 1, link, [seat.secret.chain.link(1) for seat in table.seats])
    pack = table.game.rules.next(to_links(Table.hearts(4), 1).game.state).pack
    order = [pack[i] for i in draw(stream, range(52), 52)]
    assert [table.game.state.faces[i] for i in range(52)] == order
    assert table.record[-1].body == {"deal": 1, "link": None, "drawn": [{"seat": None, "count": 52}]}


def test_a_first_leader_drawn_in_public() -> None:
    table = Table.hearts(4, options={"first": "random"})
    to_links(table, 1)
    table.answer(0, 1, 2, 3)
    deal = table.record[-1]
    assert deal.body["link"] == b64(table.keeper.chain.link(1))
    assert deal.body["drawn"] == [{"seat": None, "count": 1}]
    to_links(table, 2)
    table.answer(0, 1, 2, 3)
    table.until("move", topic="card")
    z, links = table.game.seed, [seat.secret.chain.link(1) for seat in table.seats]
    assert z is not None
    leader = draw(common_stream(z, 1, table.keeper.chain.link(1), links), range(4), 1)
    assert table.asked() == list(leader)


# Games that never begin


def outcome(table: Table) -> tuple[tuple[int, ...], str]:
    """The winners and the reason, as everybody who verifies the record finds them."""
    result = table.record[-1]
    assert result.kind == "result"
    found = verify_entries([entry.json() for entry in table.record])
    assert found.valid
    assert table.game.outcome is not None
    assert found.game == table.spectator
    return table.game.outcome.winners, table.game.outcome.reason


@pytest.mark.parametrize("present", [(), (0,), (1,)])
@pytest.mark.parametrize("kind", ["enter", "ready"])
def test_until_all_are_ready_a_match_is_void(kind: str, present: tuple[int, ...]) -> None:
    table = match()
    table.until(kind)
    table.answer(*present)
    table.lapse()
    assert outcome(table) == ((), "void")


@pytest.mark.parametrize(("present", "winners"), [((), ()), ((0,), (0,)), ((1,), (1,))])
def test_a_first_link_withheld(present: tuple[int, ...], winners: tuple[int, ...]) -> None:
    table = to_links(match(), 1)
    table.answer(*present)
    table.lapse()
    assert outcome(table) == (winners, "link_withheld")
    assert table.game.deals == 0


@pytest.mark.parametrize("present", [(), (2,), (0, 3), (1, 2, 3)])
def test_of_many_seats_those_share_the_win_that_sent_their_first_links(present: tuple[int, ...]) -> None:
    table = to_links(Table.hearts(4), 1)
    table.answer(*present)
    table.lapse()
    assert outcome(table) == (present, "link_withheld")


# A crooked house


def dealt() -> tuple[Crook, Entry]:
    """A house about to write deal 1; and the deal that it should write."""
    table = to_links(match(), 1)
    table.answer(0)
    crook = Crook.of(table)
    table.answer(1)
    *_, link, deal = table.record
    crook.entries.append(link)
    return crook, deal


def test_a_deal_with_another_link() -> None:
    crook, deal = dealt()
    chain = crook.table.keeper.chain
    stranger = Chain(bytes_of(1) + bytes_of(2))
    for link in (chain.link(2), chain.anchor, stranger.link(1), bytes(64)):
        crook.entries = crook.entries[: deal.seq]
        crook.write("deal", {**deal.body, "link": b64(link)}, 3)
        with refused("wrong_link", "/body/link"):
            crook.fold()
    crook.entries = crook.entries[: deal.seq]
    crook.write("deal", {**deal.body, "link": None}, 3)
    with refused("wrong_link", "/body/link"):
        crook.fold()


def test_a_deal_of_other_positions() -> None:
    crook, deal = dealt()
    first, second = deal.body["drawn"]
    drawn = list(first["positions"])
    wrong = [
        [{**first, "positions": sorted(drawn)}, second],
        [{**first, "positions": drawn[:5], "count": 5}, second],
        [{**first, "positions": [*drawn[:5], next(i for i in range(40) if i not in drawn)]}, second],
        [{**first, "count": True}, second],
        [{**first, "seat": 1}, second],
        [second, first],
        [first, {**second, "positions": drawn}],
        [first, {"seat": 1, "count": 6}],
    ]
    assert sorted(drawn) != drawn, "the order drawn is stated"
    for items in wrong:
        crook.entries = crook.entries[: deal.seq]
        crook.write("deal", {**deal.body, "drawn": items}, 3)
        with refused("wrong_draw", "/body/drawn"):
            crook.fold()
    for items in ([first], [], [first, second, second]):
        crook.entries = crook.entries[: deal.seq]
        crook.write("deal", {**deal.body, "drawn": items}, 3)
        with refused("bad_length", "/body/drawn"):
            crook.fold()


@pytest.mark.parametrize(
    ("body", "step", "code", "pointer"),
    [
        ({"deal": 2}, 3, "wrong_deal", "/body/deal"),
        ({"deal": True}, 3, "bad_integer", "/body/deal"),
        ({"note": 1}, 3, "unknown_field", "/body/note"),
        ({}, 2, "wrong_step", "/step"),
        ({}, 4, "wrong_step", "/step"),
    ],
)
def test_a_deal_that_says_something_else(body: Any, step: int, code: str, pointer: str) -> None:
    crook, deal = dealt()
    crook.write("deal", {**deal.body, **body}, step)
    with refused(code, pointer):
        crook.fold()


def test_no_deal_before_all_links_are_in() -> None:
    table = to_links(match(), 1)
    table.answer(0)
    crook = Crook.of(table)
    crook.write("deal", {"deal": 1, "link": b64(table.keeper.chain.link(1)), "drawn": []}, 3)
    with refused("not_due", "/kind"):
        crook.fold()


def test_nothing_before_the_deal_that_is_due() -> None:
    table = to_links(match(), 2)
    message = table.message(0)
    table.answer(1)
    crook = Crook.of(table)
    crook.enter(message)
    crook.enter(again(table, message, deal=2))
    with pytest.raises(Refused, match="due first") as caught:
        crook.fold()
    assert caught.value.code == "not_due"
    assert not report(crook.entries, unfinished=True).valid
