"""Links withheld, or sent otherwise, at every deal of a match and by every seat (protocol section 7)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

pytest.importorskip("py_arkworks_bls12381")  # the matches are read by the page's reader too

from crypto.encoding import b64
from crypto.fairness import CHAIN_LENGTH, Chain, common_stream, draw, own_stream
from referee import Entry, Game, Refused, accept
from referee.checks import Remembering
from referee.header import CLAUSES
from referee.message import Message, write_message
from tests.attack.ledger import Outcome, attack
from tests.attack.matches import NAMES, Place, judged, match
from tests.referee.forger import Crook, report
from tests.referee.table import Table, bytes_of, quietly

pytestmark = pytest.mark.slow

OWN_SECRETS = "its own chain, and all that is public"
MOST_DEALS = {"chef": 6, "hearts": 2}


# A link that is not the next


@cache
def _another_games(seat: int) -> Chain:
    return Chain(bytes_of("another game", seat) + bytes_of("of this seat"))


def strange_links(place: Place, seat: int, deal: int) -> Iterator[tuple[int, bytes, str]]:
    """Deals and links that somebody could send instead of v_k, and what is answered."""
    table = place.table
    own, house = table.seats[seat].secret.chain, table.keeper.chain
    known = place.house.seat(seat).newest[0]
    for other in range(1, deal + 4):
        if other != deal:
            yield other, own.link(other), "wrong_deal"
            yield other, own.link(deal), "wrong_deal"
            yield deal, own.link(other), "wrong_link"
    yield deal, own.anchor, "wrong_link"
    yield deal, own.link(CHAIN_LENGTH), "wrong_link"
    yield deal, house.link(deal), "wrong_link"
    yield deal, house.anchor, "wrong_link"
    for neighbour in table.seats:
        if neighbour.number != seat:
            yield deal, neighbour.secret.chain.link(deal), "wrong_link"
    yield deal, _another_games(seat).link(deal), "wrong_link"
    right = own.link(deal)
    for wrong in (bytes(64), b"\xff" * 64, right[::-1], bytes([right[0] ^ 1]) + right[1:]):
        yield deal, wrong, "wrong_link"
    for wrong in (b"", right[:63], right + b"\x00", right + right):
        yield deal, wrong, "bad_bytes"
    for number in (0, CHAIN_LENGTH + 1, -1):
        yield number, right, "bad_integer"
    assert known < deal


def as_message(place: Place, seat: int, body: dict[str, Any], kind: str = "link") -> Message:
    game = place.house
    return write_message(place.table.seats[seat].private, game.header.game, game.step, seat, kind, body)


def answers(place: Place, message: Message, checks: Remembering) -> set[str]:
    """The codes with which validation and the check of a record refuse a message."""
    table, game, found = place.table, place.house, set[str]()
    try:
        accept(table.keeper, game, message, game.at, checks)
        found.add("taken")
    except Refused as refused:
        found.add(refused.code)
    actor = {"actor": str(message.seat), "body": message.body, "player_signature": b64(message.signature)}
    entry = place.resigned({**place.entry.json(), **actor, "at": place.entry.json()["at"]})
    return found | {judged(game, entry, checks).code or "taken"}


@attack("a link out of order, of another deal, game or seat", "protocol 7", knows=OWN_SECRETS)
def test_a_link_that_is_not_the_next(outcome: Outcome) -> None:
    tried, checks = 0, Remembering()
    places = [place for name in NAMES for place in match(name) if place.entry.kind == "link"]
    for place in places[::2]:
        seat, before = place.entry.seat, place.house
        assert seat is not None
        for deal, link, code in strange_links(place, seat, before.deals + 1):
            body = {**place.entry.body, "deal": deal, "link": b64(link)}
            assert answers(place, as_message(place, seat, body), checks) == {code}, (deal, link)
            assert place.house == before
            tried += 1
        assert answers(place, as_message(place, seat, dict(place.entry.body)), checks) == {"taken"}
    outcome.rejected(2 * tried)


@attack("a link out of order, of another deal, game or seat", "protocol 7", knows=OWN_SECRETS)
def test_an_early_link_that_is_not_the_next(outcome: Outcome) -> None:
    tried, checks = 0, Remembering()
    for place in match("slow"):
        seat, body = place.entry.seat, place.entry.body
        if seat is None or body.get("openings") is None or body["link"] is None:
            continue
        for deal, link, code in strange_links(place, seat, place.house.deals + 1):
            if code != "wrong_link" or deal != place.house.deals + 1:
                continue
            message = as_message(place, seat, {**body, "link": b64(link)}, "reveal")
            assert answers(place, message, checks) == {code}
            tried += 1
    assert tried > 40
    outcome.rejected(2 * tried)


# Links withheld


@cache
def before_deals(name: str) -> tuple[Table, ...]:
    """A match before the links of each of its first deals."""
    table = Table.chef(7) if name == "chef" else Table.hearts(3, 7)
    found = []
    for _ in range(3000):
        asking = table.game.asking
        if table.game.over or table.game.deals >= MOST_DEALS[name]:
            break
        all_asked = asking is not None and asking.kind == "link" and len(asking.seats) == len(table.seats)
        if all_asked and len(found) == table.game.deals:
            found.append(table.copy())
        table.step()
    return tuple(found)


def drawn(entry: Entry) -> Any:
    """Return what a deal says was drawn, by seat."""
    return {item["seat"]: item.get("positions") for item in entry.body["drawn"]}


def by_the_protocol(table: Table, before: Game, present: frozenset[int]) -> Any:
    """The draws of the next deal by section 7, computed from all secrets; of a pack its whole order."""
    deal, upcoming = before.deals + 1, before.rules.next(before.state)
    house, z = table.keeper.chain.link(deal), table.game.seed
    assert z is not None
    links = [seat.secret.chain.link(deal) if seat.number in present else b"" for seat in table.seats]
    if upcoming.pack is not None:
        order = draw(common_stream(z, deal, house, links), range(len(upcoming.pack)), len(upcoming.pack))
        return [upcoming.pack[card] for card in order]
    return {
        ask.stream: list(
            draw(own_stream(z, deal, house, links[1 - ask.stream], ask.stream), ask.pool, ask.count)
        )
        for ask in upcoming.draws
    }


def subsets(seats: int) -> Iterator[frozenset[int]]:
    for size in range(seats + 1):
        yield from map(frozenset, combinations(range(seats), size))


@attack("links withheld, by every set of seats before every deal", "protocol 7", knows=OWN_SECRETS)
@pytest.mark.parametrize("name", ["chef", "hearts"])
def test_links_withheld(name: str, outcome: Outcome) -> None:
    """The draws are what the section says, and a chef's own draw is what it would have been."""
    tried = 0
    for start in before_deals(name):
        told = {}
        for present in subsets(len(start.seats)):
            table, before = start.copy(), start.game
            sent = len(table.record)
            table.answer(*sorted(present))
            if len(present) < len(table.seats):
                table.lapse()
            new = table.record[sent:]
            missed = [entry.body["seat"] for entry in new if entry.kind == "timeout"]
            assert missed == [seat.number for seat in table.seats if seat.number not in present]
            tried += bool(missed)
            if before.deals == 0 and missed:
                lost(table, present)
                continue
            [deal] = [entry for entry in new if entry.kind == "deal"]
            expected = by_the_protocol(table, before, present)
            pack = before.rules.next(before.state).pack
            found = drawn(deal) if pack is None else [table.game.state.faces[i] for i in range(len(pack))]
            assert found == expected
            told[present] = found
            gone_for_good(table, start, missed, before.deals + 1)
        if name == "chef" and before.deals:
            for present in told:
                for seat in (0, 1):
                    assert told[present][seat] == told[present ^ {seat}][seat], (
                        "one's own link changes nothing"
                    )
    outcome.no_advantage("a time-out, and the draw is one without it", tried)


def lost(table: Table, present: frozenset[int]) -> None:
    """A first link withheld loses: who sent theirs share the win; if nobody did the game is void."""
    result = table.record[-1]
    assert result.kind == "result"
    assert result.body["outcome"]["winners"] == sorted(present)
    assert result.body["outcome"]["reason"] == "link_withheld"
    assert report(table.record).valid


def gone_for_good(table: Table, start: Table, missed: list[int], deal: int) -> None:
    """A link that was withheld is refused ever after; the next one is taken, hashed over the gap."""
    table = table.copy()
    table.choose = quietly
    late = [start.message(seat) for seat in missed]
    while not table.game.over and table.game.deals == deal:
        asking = table.game.asking
        assert asking is not None
        for message in late:
            again = {**message.body, "seen": {"seq": table.game.seq, "digest": b64(table.game.digest)}}
            for body in (dict(message.body), again, {**again, "deal": deal + 1}):
                private = table.seats[message.seat].private
                other = write_message(private, message.game, table.game.step, message.seat, "link", body)
                with pytest.raises(Refused):
                    table.send(other)
        if asking.kind == "link":
            table.answer(*missed)
            assert {table.game.seat(seat).newest[0] for seat in missed} <= {deal + 1}
            return
        if len(table.record) > len(start.record) + 12:
            return  # a round of hearts is long
        table.step()


@attack("links withheld, by every set of seats before every deal", "protocol 7", knows=OWN_SECRETS)
@pytest.mark.parametrize(("clauses", "last"), [((), 5), (CLAUSES, 3)])
def test_many_links_withheld_in_a_row(outcome: Outcome, clauses: tuple[str, ...], last: int) -> None:
    """As many as a seat may withhold and stay in the game: any number, or two where the clause says so."""
    table = Table.chef(9, clauses=clauses)
    table.choose = quietly
    table.silent = lambda table, seat: (
        seat == 1
        and table.game.asking is not None
        and table.game.asking.kind == "link"
        and table.game.deals > 0
    )
    while table.game.deals < last or table.game.asking is None or table.game.asking.kind != "link":
        table.step()
    own = table.seats[1].secret.chain
    assert table.game.seat(1).newest == (1, own.link(1))
    view = table.views[1]
    for skipped in range(1, last + 1):
        for deal in (skipped, view.deals + 1):
            body = {
                "deal": deal,
                "link": b64(own.link(skipped)),
                "seen": {"seq": view.seq, "digest": b64(view.digest)},
            }
            private = table.seats[1].private
            with pytest.raises(Refused):
                table.send(write_message(private, view.header.game, view.step, 1, "link", body))
    table.silent = lambda table, seat: False
    table.answer(1)
    assert table.game.seat(1).newest == (last + 1, own.link(last + 1))
    assert report(table.record, unfinished=True).valid
    outcome.no_advantage("a time-out, and the draw is one without it", 2 * last)


# Opponent and house: two continuations, and no third


def deal_as(crook: Crook, table: Table, before: Game, present: frozenset[int]) -> str:
    """The house writes the deal as if these links had come: the code that refuses it, or "taken"."""
    number = before.deals + 1
    positions = by_the_protocol(table, before, present)
    body = {
        "deal": number,
        "link": b64(table.keeper.chain.link(number)),
        "drawn": [{"seat": s, "count": len(found), "positions": found} for s, found in positions.items()],
    }
    fork = Crook(crook.table, list(crook.entries))
    fork.write("deal", body, before.step + 1)
    try:
        fork.fold()
    except Refused as refused:
        return refused.code
    return "taken"


@attack(
    "a deal drawn from other links than the record's", "protocol 7", knows="everything but the chef's deck"
)
def test_two_outcomes_and_no_third(outcome: Outcome) -> None:
    """The chef's link is in; opponent and house have the other link or its time-out, and nothing else."""
    tried, both = 0, frozenset({0, 1})
    for start in before_deals("chef")[2:]:
        before = start.game
        start = start.copy()
        start.answer(0)
        crook = Crook.of(start)
        for present in subsets(2):
            assert deal_as(crook, start, before, present) == "not_due"
            tried += 1
        sent = Crook(start.copy(), list(crook.entries))
        sent.enter(start.message(1))
        silent = Crook(start.copy(), list(crook.entries))
        late = (start.game.asking.deadline if start.game.asking else 0) + 1
        silent.write("timeout", {"seat": 1, "kind": "link", "move": None}, start.game.step, at=late)
        for fork, links in ((sent, both), (silent, frozenset({0}))):
            verdicts = {present: deal_as(fork, start, before, present) for present in subsets(2)}
            assert verdicts[links] == "taken"
            assert all(code == "wrong_draw" for present, code in verdicts.items() if present != links)
            tried += 3
        early = Crook(start.copy(), list(crook.entries))
        early.write("timeout", {"seat": 1, "kind": "link", "move": None}, start.game.step)
        with pytest.raises(Refused, match="not up"):
            early.fold()
        robbed = Crook(start.copy(), list(crook.entries))
        robbed.write("timeout", {"seat": 0, "kind": "link", "move": None}, start.game.step, at=late)
        with pytest.raises(Refused):
            robbed.fold()
        tried += 2
    outcome.rejected(tried)
