"""A record asks for the right thing after each of its entries, and refuses all else (protocol 10.6)."""

from __future__ import annotations

from typing import Any

import pytest

from cards.games import find as find_mode
from crypto.encoding import b64
from referee import Entry, Game, Message, Refused, Trusting, apply, duty_of, write_message
from referee.checks import AtOnce
from referee.fold import fold
from referee.game import ShownDue, TimeoutDue
from referee.message import message_digest
from referee.record import HOUSE, write_entry
from referee.validation import examine
from tests.referee.forger import refused, rewritten
from tests.referee.published_kit import entries, games
from vectors.example import HOUSE_PRIVATE_KEY
from vectors.matches import PRIVATES

CHEF = entries("record_chef")

# By record, a line for each entry, as `told` writes it: the number of the entry; the kind, manner and topic
# of what is asked then, the seats that are asked and their time; the step, the entry that asked it, and the
# oldest entry that an answer may have seen; the entry of the house that is due; the step that closed last and
# the entry that asked it; the oldest entry whose digest the fold still keeps.
ASKED = {
    "record_chef": """
0: enter all enter of 01 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
1: enter all enter of 0 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
2: ready all ready of 01 in 60 s, step 1 since 2, seen 2; closed 0 since 0, kept 0
3: ready all ready of 1 in 60 s, step 1 since 2, seen 2; closed 0 since 0, kept 0
4: link all link of 01 in 30 s, step 2 since 4, seen 4; closed 1 since 2, kept 2
5: link all link of 1 in 30 s, step 2 since 4, seen 4; closed 1 since 2, kept 2
6: nothing; due: deal; closed 2 since 4, kept 4
7: move together redraw of 01 in 30 s, step 4 since 7, seen 7; closed 2 since 4, kept 4
8: move together redraw of 1 in 30 s, step 4 since 7, seen 7; closed 2 since 4, kept 4
9: nothing; due: account; closed 4 since 7, kept 7
10: link all link of 01 in 30 s, step 5 since 10, seen 10; closed 4 since 7, kept 7
11: link all link of 1 in 30 s, step 5 since 10, seen 10; closed 4 since 7, kept 7
12: nothing; due: deal; closed 5 since 10, kept 10
13: move together redraw of 1 in 30 s, step 7 since 13, seen 13; closed 5 since 10, kept 10
14: seal sealed meal of 01 in 120 s, step 8 since 14, seen 14; closed 7 since 13, kept 13
15: seal sealed meal of 1 in 120 s, step 8 since 14, seen 14; closed 7 since 13, kept 13
16: reveal reveal reveal of 01 in 30 s, step 8 since 14, seen 16; closed 7 since 13, kept 13
17: reveal reveal reveal of 1 in 30 s, step 8 since 14, seen 16; closed 7 since 13, kept 13
18: nothing; due: account; closed 8 since 14, kept 14
19: link all link of 01 in 30 s, step 9 since 19, seen 19; closed 8 since 14, kept 14
20: link all link of 1 in 30 s, step 9 since 19, seen 19; closed 8 since 14, kept 14
21: nothing; due: deal; closed 9 since 19, kept 19
22: seal sealed meal of 01 in 120 s, step 11 since 22, seen 22; closed 9 since 19, kept 19
23: seal sealed meal of 1 in 120 s, step 11 since 22, seen 22; closed 9 since 19, kept 19
24: reveal reveal reveal of 01 in 30 s, step 11 since 22, seen 24; closed 9 since 19, kept 19
25: reveal reveal reveal of 1 in 30 s, step 11 since 22, seen 24; closed 9 since 19, kept 19
26: nothing; due: account; closed 11 since 22, kept 22
27: link all link of 01 in 30 s, step 12 since 27, seen 27; closed 11 since 22, kept 22
28: link all link of 1 in 30 s, step 12 since 27, seen 27; closed 11 since 22, kept 22
29: nothing; due: deal; closed 12 since 27, kept 26
30: seal sealed meal of 01 in 120 s, step 14 since 30, seen 30; closed 12 since 27, kept 26
31: seal sealed meal of 1 in 120 s, step 14 since 30, seen 30; closed 12 since 27, kept 26
32: seal sealed meal of 1 in 120 s, step 14 since 30, seen 30; closed 12 since 27, kept 27
33: seal sealed meal of 1 in 120 s, step 14 since 30, seen 30; closed 12 since 27, kept 27
34: seal sealed meal of 1 in 120 s, step 14 since 30, seen 30; due: result; closed 12 since 27, kept 27
35: nothing; closed 12 since 27, kept 27
""",
    "record_hearts": """
0: enter all enter of 012 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
1: enter all enter of 01 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
2: enter all enter of 0 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
3: ready all ready of 012 in 60 s, step 1 since 3, seen 3; closed 0 since 0, kept 0
4: ready all ready of 12 in 60 s, step 1 since 3, seen 3; closed 0 since 0, kept 0
5: ready all ready of 2 in 60 s, step 1 since 3, seen 3; closed 0 since 0, kept 0
6: link all link of 012 in 30 s, step 2 since 6, seen 6; closed 1 since 3, kept 3
7: link all link of 12 in 30 s, step 2 since 6, seen 6; closed 1 since 3, kept 3
8: link all link of 2 in 30 s, step 2 since 6, seen 6; closed 1 since 3, kept 3
9: nothing; due: deal; closed 2 since 6, kept 6
10: move any expose of 012 in 60 s, step 4 since 10, seen 10; closed 2 since 6, kept 6
11: move any expose of 02 in 60 s, step 4 since 10, seen 10; closed 2 since 6, kept 6
12: move any expose of 012 in 60 s, step 5 since 12, seen 12; closed 4 since 10, kept 10
13: move any expose of 012 in 60 s, step 6 since 13, seen 13; closed 5 since 12, kept 12
14: nothing; due: turn; closed 6 since 13, kept 13
15: move any card of 0 in 30 s, step 7 since 15, seen 15; closed 6 since 13, kept 13
16: move any card of 1 in 30 s, step 8 since 16, seen 16; closed 7 since 15, kept 15
17: move any card of 2 in 30 s, step 9 since 17, seen 17; closed 8 since 16, kept 16
18: move any card of 2 in 30 s, step 10 since 18, seen 18; closed 9 since 17, kept 17
19: move any card of 0 in 30 s, step 11 since 19, seen 19; closed 10 since 18, kept 18
20: move any card of 0 in 30 s, step 11 since 19, seen 19; due: shown 1; closed 10 since 18, kept 18
21: move any card of 0 in 30 s, step 11 since 19, seen 19; due: result; closed 10 since 18, kept 18
22: nothing; closed 10 since 18, kept 18
""",
    "record_slow": """
0: enter all enter of 01 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
1: enter all enter of 0 in 60 s, step 0 since 0, seen 0; closed 0 since 0, kept 0
2: ready all ready of 01 in 60 s, step 1 since 2, seen 2; closed 0 since 0, kept 0
3: ready all ready of 1 in 60 s, step 1 since 2, seen 2; closed 0 since 0, kept 0
4: link all link of 01 in 30 s, step 2 since 4, seen 4; closed 1 since 2, kept 2
5: link all link of 1 in 30 s, step 2 since 4, seen 4; closed 1 since 2, kept 2
6: nothing; due: deal; closed 2 since 4, kept 4
7: move together redraw of 01 in 30 s, step 4 since 7, seen 7; closed 2 since 4, kept 4
8: move together redraw of 1 in 30 s, step 4 since 7, seen 7; closed 2 since 4, kept 4
9: seal sealed meal of 01 in 120 s, step 5 since 9, seen 9; closed 4 since 7, kept 7
10: seal sealed meal of 1 in 120 s, step 5 since 9, seen 9; closed 4 since 7, kept 7
11: reveal reveal reveal of 01 in 30 s, step 5 since 9, seen 11; closed 4 since 7, kept 7
12: reveal reveal reveal of 1 in 30 s, step 5 since 9, seen 11; closed 4 since 7, kept 7
13: nothing; due: account; closed 5 since 9, kept 9
14: link all link of 1 in 30 s, step 6 since 14, seen 14; closed 5 since 9, kept 9
15: nothing; due: deal; closed 6 since 14, kept 14
16: seal sealed meal of 01 in 120 s, step 8 since 16, seen 16; closed 6 since 14, kept 14
17: seal sealed meal of 1 in 120 s, step 8 since 16, seen 16; closed 6 since 14, kept 14
18: reveal reveal reveal of 01 in 30 s, step 8 since 16, seen 18; closed 6 since 14, kept 14
19: reveal reveal reveal of 1 in 30 s, step 8 since 16, seen 18; closed 6 since 14, kept 14
20: nothing; due: account; closed 8 since 16, kept 16
21: nothing; due: deal; closed 9 since 21, kept 21
22: seal sealed meal of 01 in 120 s, step 11 since 22, seen 22; closed 9 since 21, kept 21
23: seal sealed meal of 01 in 120 s, step 11 since 22, seen 22; due: result; closed 9 since 21, kept 21
24: nothing; closed 9 since 21, kept 21
""",
}


def told(game: Game) -> str:
    """Return who is asked what, how long, since when; what is due; what of the past still counts."""
    asking, duty = game.asking, duty_of(game)
    text = f"{game.seq}: nothing"
    if asking is not None:
        (wait,) = {until - asking.since for until in asking.until.values()}
        seats = "".join(map(str, sorted(asking.seats)))
        text = f"{game.seq}: {asking.kind} {asking.how} {asking.topic} of {seats} in {wait // 1000} s"
        text += f", step {asking.step} since {asking.opened}, seen {asking.seq}"
    if duty is not None:
        text += f"; due: {duty.kind}" + (f" {duty.deal}" if isinstance(duty, ShownDue) else "")
    return f"{text}; closed {game.closed[0]} since {game.closed[1]}, kept {game.recent[0][0]}"


@pytest.mark.parametrize("record", sorted(ASKED))
def test_what_is_asked_after_each_entry(record: str) -> None:
    found = [told(game) for game in games(record) if game is not None]
    assert found == ASKED[record].strip().splitlines()


def after(record: str, count: int) -> Game:
    """The game after so many entries of a published record."""
    game = games(record)[count]
    assert game is not None
    return game


# The first entry


@pytest.mark.parametrize(
    ("changes", "head", "code", "pointer"),
    [
        ({}, (0, bytes(64)), "broken_chain", "/seq"),
        ({}, (-1, bytes(63) + b"\1"), "broken_chain", "/prev"),
        ({"step": 1}, (-1, bytes(64)), "wrong_step", "/step"),
        ({"kind": "result"}, (-1, bytes(64)), "not_open", "/kind"),
    ],
)
def test_a_record_begins_with_its_open(
    changes: dict[str, Any], head: tuple[int, bytes], code: str, pointer: str
) -> None:
    entry = rewritten(CHEF[0], head, HOUSE_PRIVATE_KEY, **changes)
    with refused(code, pointer):
        apply(None, entry)


def test_the_house_signs_the_open() -> None:
    entry = rewritten(CHEF[0], (-1, bytes(64)), PRIVATES[0])
    with refused("bad_signature", "/house_signature"):
        apply(None, entry)


def test_a_game_begins_at_its_anchor() -> None:
    game = after("record_chef", 1)
    assert (game.house_newest, game.recent) == ((0, game.header.anchor), ((0, game.digest),))
    assert (game.seq, game.step, game.deals, game.over) == (0, 0, 0, False)


class Asked(Trusting):
    """Trusts every signature, and keeps what was signed."""

    def __init__(self) -> None:
        self.signed: list[bytes] = []

    def signature(self, key: bytes, message: bytes, signature: bytes) -> bool:
        self.signed.append(message)
        return True


def test_all_entries_are_judged_by_the_checks_that_are_given() -> None:
    asked = Asked()
    assert fold(CHEF, asked).digest == CHEF[-1].digest
    assert [found for found in asked.signed if found in {entry.digest for entry in CHEF}] == [
        entry.digest for entry in CHEF
    ]


def test_what_the_house_has_examined_is_not_examined_again() -> None:
    game, entry, asked = after("record_chef", 4), CHEF[4], Asked()
    assert entry.player_signature is not None
    digest = message_digest(game.header.game, entry.step, int(entry.actor), entry.kind, entry.body)
    message = Message(
        game.header.game,
        entry.step,
        int(entry.actor),
        entry.kind,
        entry.body,
        entry.player_signature,
        digest,
    )
    passed = examine(game, message, Trusting(), entry.at)
    assert apply(game, entry, asked, passed=passed).digest == entry.digest
    assert asked.signed == [entry.digest]


# The house's entries


@pytest.mark.parametrize(
    ("count", "kind", "body", "code", "pointer"),
    [
        # Nothing of the house's is due.
        (3, "deal", {}, "not_due", "/kind"),
        (3, "account", {}, "not_due", "/kind"),
        (3, "result", {}, "not_due", "/kind"),
        (3, "shown", {}, "not_due", "/kind"),
        (3, "turn", {}, "not_due", "/kind"),
        # A deal is due.
        (7, "timeout", {"seat": 0, "kind": "link", "move": None}, "not_due", "/kind"),
        (7, "account", {}, "not_due", "/kind"),
        (7, "deal", {}, "missing_field", "/body/deal"),
        # An account is due.
        (10, "deal", {}, "not_due", "/kind"),
        (10, "account", {}, "wrong_account", "/body"),
        # A result is due.
        (35, "account", {}, "not_due", "/kind"),
        (35, "result", {}, "wrong_result", "/body"),
        # A time-out is possible.
        (3, "timeout", {}, "missing_field", "/body/seat"),
        (3, "timeout", {"seat": 0, "move": None}, "missing_field", "/body/kind"),
        (3, "timeout", {"seat": 0, "kind": "ready"}, "missing_field", "/body/move"),
        (3, "timeout", {"seat": 0, "kind": "ready", "move": None, "x": 1}, "unknown_field", "/body/x"),
        (3, "timeout", {"seat": 2, "kind": "ready", "move": None}, "not_asked", "/body/seat"),
        (3, "timeout", {"seat": "0", "kind": "ready", "move": None}, "bad_integer", "/body/seat"),
        (3, "timeout", {"seat": 0, "kind": "link", "move": None}, "wrong_kind", "/body/kind"),
        (3, "timeout", {"seat": 0, "kind": "ready", "move": {}}, "wrong_move", "/body/move"),
        (8, "timeout", {"seat": 0, "kind": "move", "move": None}, "wrong_move", "/body/move"),
    ],
)
def test_what_the_house_can_not_write(
    count: int, kind: str, body: dict[str, Any], code: str, pointer: str
) -> None:
    game = after("record_chef", count)
    late = game.at if game.asking is None else game.asking.deadline + 1
    step = game.step + (kind == "deal")
    entry = write_entry(HOUSE_PRIVATE_KEY, (game.seq, game.digest), late, step, HOUSE, kind, body)
    with refused(code, pointer):
        apply(game, entry, Trusting())


def test_a_time_out_is_told_what_is_due_before_it() -> None:
    game = after("record_chef", 7)
    body = {"seat": 0, "kind": "link", "move": None}
    entry = write_entry(
        HOUSE_PRIVATE_KEY, (game.seq, game.digest), game.at, game.step, HOUSE, "timeout", body
    )
    with pytest.raises(Refused, match="the entry `deal` is due first"):
        apply(game, entry, Trusting())


@pytest.mark.parametrize(
    ("name", "count"), [("chef", 7), ("chef", 10), ("hearts", 10), ("hearts", 15), ("hearts", 21)]
)
def test_the_step_of_an_entry_of_the_house(name: str, count: int) -> None:
    """A deal has a step of its own; accounts, cards turned up and shown deals bear the newest."""
    game, real = after(f"record_{name}", count), entries(f"record_{name}")[count]
    assert real.step == game.step + (real.kind == "deal")
    for step in (real.step - 1, real.step + 1):
        wrong = rewritten(real, (game.seq, game.digest), HOUSE_PRIVATE_KEY, step=step)
        with refused("wrong_step", "/step"):
            apply(game, wrong, Trusting())


# Seats that are out


def out_at_redraw(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A held step of both chefs, by rules that have taken seat 1 out."""
    monkeypatch.setattr(type(find_mode("chef")), "gone", lambda self, state: frozenset({1}))
    game = after("record_chef", 8)
    assert (duty_of(game), game.gone) == (TimeoutDue(1, "move"), {1})
    return game


def timed_out(game: Game, seat: int, at: int) -> Entry:
    body = {"seat": seat, "kind": "move", "move": {"choice": "keep"}}
    return write_entry(HOUSE_PRIVATE_KEY, (game.seq, game.digest), at, game.step, HOUSE, "timeout", body)


def test_a_seat_that_is_out_goes_before_the_order_of_held_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    game = out_at_redraw(monkeypatch)
    then = apply(game, timed_out(game, 1, game.at), Trusting())
    assert then.asking is not None
    assert then.asking.seats == {0}


def test_before_a_seat_that_is_out_nobody_else_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    game = out_at_redraw(monkeypatch)
    assert game.asking is not None
    with refused("not_due", "/body/seat"):
        apply(game, timed_out(game, 0, game.asking.deadline + 1), Trusting())
    with refused("not_due", "/kind"):
        apply(game, CHEF[8], Trusting())


# Messages where an entry of the house is due, as a reader who is behind the record may judge them


def of_seat_0(game: Game, kind: str, step: int, seen: int, **body: Any) -> Message:
    digest = CHEF[seen].digest
    whole = {**body, "seen": {"seq": seen, "digest": b64(digest)}}
    return write_message(PRIVATES[0], game.header.game, step, 0, kind, whole)


def test_no_step_runs_where_a_deal_is_due() -> None:
    game = after("record_chef", 7)
    again = CHEF[5].body["link"]
    for step in (2, 3, 4):
        with refused("wrong_step", "/step"):
            examine(game, of_seat_0(game, "link", step, 4, deal=1, link=again), AtOnce(), game.at)


@pytest.mark.parametrize("kind", ["resign", "draw"])
def test_of_the_step_that_closed_last_while_an_account_is_due(kind: str) -> None:
    game = after("record_chef", 10)
    assert (game.asking, game.closed) == (None, (4, 7))
    for seen in (7, 8, 9):
        examine(game, of_seat_0(game, kind, 4, seen), AtOnce(), game.at + 10**9)
    with refused("seen_too_old", "/seen/seq"):
        examine(game, of_seat_0(game, kind, 4, 6), AtOnce())
    for step in (3, 5, 7):
        with refused("wrong_step", "/step"):
            examine(game, of_seat_0(game, kind, step, 9), AtOnce())
