"""The worked example: the opening of a match, entry by entry (protocol section 15)."""

from __future__ import annotations

from typing import Any

from cards.games.contract import Move
from referee import Entry, verify_entries
from tests.referee.forger import refused
from tests.referee.table import Table

KEEP: Move = {"choice": "keep"}
REDRAW: Move = {"choice": "redraw"}

# Number of the entry, step, actor, kind and body, and the number of the entry that the message has `seen`.
PAGE = """
     0   0   house open
     1   0   1     enter                              0
     2   0   0     enter                              0
     3   1   0     ready                              2
     4   1   1     ready                              2
     5   2   1     link deal 1, v_1                   4
     6   2   0     link deal 1, v_1                   4
     7   3   house deal 1 [seat 0: 6, seat 1: 6]
     8   4   0     move keep                          7
     9   4   1     move redraw                        7
    10   4   house account points [1, 0]
    11   5   1     link deal 2                       10
    12   5   0     link deal 2                       10
    13   6   house deal 2 [seat 1: 6]
    14   7   1     move redraw                       13
    15   7   house account points [2, 0]
    16   8   1     link deal 3                       15
    17   8   0     link deal 3                       15
    18   9   house deal 3 [seat 1: 6]
    19  10   1     move keep                         18
    20  11   1     seal                              19
    21  11   0     seal                              19
    22  11   0     reveal                            21
    23  11   1     reveal                            21
    24  11   house account
    25  12   1     link deal 4                       24
    26  12   0     link deal 4                       24
    27  13   house deal 4 [seat 0: 2, seat 1: 2]
"""


def page() -> list[tuple[int, int, str, str, int | None]]:
    """Seq, step, actor, kind and `seen` of every line."""
    rows: list[tuple[int, int, str, str, int | None]] = []
    for line in PAGE.strip().splitlines():
        seq, step, actor, kind, *rest = line.split()
        seen = int(rest[-1]) if actor != "house" else None
        rows.append((int(seq), int(step), actor, kind, seen))
    return rows


def row(entry: Entry) -> tuple[int, int, str, str, int | None]:
    seen = entry.body["seen"]["seq"] if entry.actor != "house" else None
    return entry.seq, entry.step, entry.actor, entry.kind, seen


def kinds(entries: list[Entry]) -> list[tuple[int, str, str]]:
    return [(entry.step, entry.actor, entry.kind) for entry in entries]


def scripted(table: Table, *moves: Move) -> Table:
    """The next choices are these; after them everybody serves nothing."""
    left = list(moves)
    table.choose = lambda table, seat: left.pop(0) if left else {"dishes": []}
    return table


def opening() -> Table:
    """The example up to the deal of round 2; everything that is sent is sent in the page's order."""
    table = scripted(Table.chef(), KEEP, REDRAW, REDRAW, KEEP)
    table.at_once(1, 0)
    table.at_once(0, 1)
    table.at_once(1, 0)
    assert table.answer(0) == [], "seat 0's keep waits for seat 1's choice"
    table.answer(1)
    table.at_once(1, 0)
    table.answer(1)
    table.at_once(1, 0)
    table.answer(1)
    table.at_once(1, 0)
    assert table.answer(0) == [], "seat 0's reveal waits for seat 1's"
    table.answer(1)
    table.at_once(1, 0)
    return table


def test_the_opening_of_a_match_is_as_on_the_page() -> None:
    table = opening()
    assert [row(entry) for entry in table.record] == page()
    accounts = [entry.body["points"] for entry in table.record if entry.kind == "account"]
    assert accounts[:2] == [[1, 0], [2, 0]]
    asking = table.game.asking
    assert asking is not None
    assert (asking.kind, asking.step) == ("seal", 14)
    assert verify_entries([entry.json() for entry in table.record], unfinished=True).game == table.spectator


def test_deals_list_who_draws_and_how_much() -> None:
    table = opening()
    drawn: dict[int, list[tuple[int, int, int]]] = {
        entry.seq: [(item["seat"], item["count"], len(item["positions"])) for item in entry.body["drawn"]]
        for entry in table.record
        if entry.kind == "deal"
    }
    assert drawn == {
        7: [(0, 6, 6), (1, 6, 6)],
        13: [(1, 6, 6)],
        18: [(1, 6, 6)],
        27: [(0, 2, 2), (1, 2, 2)],
    }


def test_a_seal_may_have_seen_the_other_one() -> None:
    table = scripted(Table.chef(), KEEP, KEEP)
    table.until("seal")
    table.answer(1)
    (seal,) = table.answer(0)
    assert row(seal)[4] == seal.seq - 1, "seen is the other's seal: 20 on the page"


def round_done(table: Table) -> Table:
    """Both seal, both reveal, both send links: to the seals of the next round."""
    for _ in range(3):
        table.answer(0, 1)
    return table


def test_a_missed_seal_at_step_17() -> None:
    table = round_done(opening())
    assert table.game.step == 17
    table.answer(0)
    (timeout,) = table.lapse()
    assert (timeout.step, timeout.body) == (17, {"seat": 1, "kind": "seal", "move": None})
    assert table.asked() == [0], "who has sealed is asked to reveal"
    assert kinds(table.answer(0)) == [(17, "0", "reveal"), (17, "house", "account")]


def owing() -> Table:
    """The example up to step 23, after a missed seal at 17 and a missed reveal at 20."""
    table = round_done(opening())
    table.answer(0)
    table.lapse()
    table.answer(0)
    table.answer(0, 1)
    assert table.game.step == 20
    table.answer(0, 1)
    table.answer(0)
    return table


def test_a_missed_reveal_at_step_20() -> None:
    table = owing()
    entries = table.lapse()
    assert kinds(entries) == [(20, "0", "reveal"), (20, "house", "timeout"), (20, "house", "account")]
    assert entries[1].body == {"seat": 1, "kind": "reveal", "move": None}
    assert entries[2].body["points"] == [2 + 6 + 1, 0], "all courses of the round, and one point more"


def test_the_owed_reveal_comes_first_at_step_23() -> None:
    table = owing()
    before, kept = table.views[1], table.kept[1]
    timeout = table.lapse()[1]
    table.answer(0, 1)
    assert table.game.step == 23
    seal: Any = table.seats[1].seal(table.views[1], {"dishes": []})[0]
    with refused("reveal_owed", "/kind"):
        table.send(seal)
    with refused("seen_too_old", "/seen/seq"):
        table.send(table.seats[1].reveal(before, kept))
    (late,) = table.pay(1)
    assert (late.step, late.actor, late.kind) == (20, "1", "reveal")
    assert late.body["seen"]["seq"] >= timeout.seq
    (sealed,) = table.answer(1)
    assert (sealed.step, sealed.kind) == (23, "seal")
    assert verify_entries([entry.json() for entry in table.record], unfinished=True).game == table.spectator


def test_the_late_reveal_scores_nothing() -> None:
    table = owing()
    table.lapse()
    table.answer(0, 1)
    before = table.game.rules.points(table.game.state)
    assert table.owed() == [1]
    table.pay(1)
    assert table.owed() == []
    assert table.game.rules.points(table.game.state) == before
