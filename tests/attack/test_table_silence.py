"""Silence is never better than speaking, wherever a seat must speak and the clock is honest (section 9).

"Never better" means, while the choices of all others stay the same:

- *enter*, *ready*, a first link: who is silent does not win. The game is void, or who sent a link wins it.
- a later *link*: a chef's own draw is what it is with the link, and no point changes hands.
- a *move*: the board is what one of the legal moves makes of it (keep; done; the lowest card), but for the
  count of misses, which only ever harms.
- a *seal*: the points are those of sealing nothing, or fewer, and the round counts as missed.
- a *reveal*: for every meal that can have been sealed, and whatever the other does, its chef gets no more
  points than by opening it, the other no fewer, and no result is better. The cards are paid for all the same,
  and nothing can be sealed before.
- time: a seat that is silent has used all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from cards.games.chef.rules import Chef
from cards.games.contract import Choice, Miss, Missed, Move, Outcome, State
from cards.games.hearts.rules import Hearts
from referee import Entry, Refused
from tests.attack.ledger import Outcome as Row
from tests.attack.ledger import attack
from tests.referee.forger import report
from tests.referee.table import Table, at_random, quietly

pytestmark = pytest.mark.slow

SELF = "its own secrets, and all that is public"
NOTHING: Move = {"dishes": []}
KEEP: Move = {"choice": "keep"}
WIN, DRAW, LOSS = 2, 1, 0


# By the rules alone: any meal, any answer of the other, any score


def rank(outcome: Outcome, seat: int) -> int:
    """Return what an end is worth to a seat."""
    if seat not in outcome.winners:
        return LOSS
    return WIN if outcome.winners == (seat,) else DRAW


def played(state: State[Any], choices: Mapping[int, Choice]) -> tuple[State[Any], Outcome | None]:
    """A round of meals: the state after it, and the end if it is one."""
    mode = Chef()
    after = mode.play(state, choices)
    upcoming = mode.next(after)
    return after, upcoming if isinstance(upcoming, Outcome) else None


def no_better(
    silent: tuple[State[Any], Outcome | None], spoken: tuple[State[Any], Outcome | None], seat: int
) -> None:
    """Own points no more, the other's no fewer, more misses, and no better an end."""
    (after, end), (fair, fair_end) = silent, spoken
    assert after.board.points[seat] <= fair.board.points[seat]
    assert after.board.points[1 - seat] >= fair.board.points[1 - seat]
    assert after.board.missed[seat] > fair.board.missed[seat] == 0
    if end is not None and fair_end is not None:
        assert rank(end, seat) <= rank(fair_end, seat)
    elif end is not None:
        assert rank(end, seat) == LOSS, "silence ends a game only by losing it"
    elif fair_end is not None:
        assert rank(fair_end, seat) != LOSS, "nobody puts off a defeat by silence"


def tables(count: int) -> Iterator[tuple[State[Any], Random]]:
    """Boards before a round with all faces known, at scores and misses of every kind."""
    for seed in range(count):
        table, rng = Table.chef(seed % 3), Random(seed)
        faces = {**table.seats[0].faces, **table.seats[1].faces}
        hands = tuple(tuple(sorted(rng.sample(range(40), rng.choice((6, 8, 14, 24))))) for _ in (0, 1))
        state = Chef().start({}, 2)
        final = rng.choice((0, 0, 0, 1, 2, 3))
        level = rng.choice((30, 33, 36))
        points = (level, level) if final else (rng.randrange(30), rng.randrange(30))
        board = replace(
            state.board,
            phase="meal",
            round=rng.choice((1, 7, 38, 39, 40)),
            final=final,
            points=points,
            missed=(rng.randrange(3), rng.randrange(3)),
            hands=hands,
            piles=tuple(tuple(i for i in range(40) if i not in hand) for hand in hands),
        )
        yield State(board, faces), rng


def answers(state: State[Any], seat: int, rng: Random) -> list[Choice]:
    """List what the other may do: open some meal, open nothing, not seal, not open."""
    meals = [Chef().legal(state, seat).sample(rng) for _ in range(3)]
    return [*meals, NOTHING, Missed(Miss.SEAL), Missed(Miss.OPENING)]


def judge_meals(count: int) -> int:
    """Withhold this many boards' meals, each against every answer; how often."""
    tried = 0
    for state, rng in tables(count):
        for seat in (0, 1):
            for other in answers(state, 1 - seat, rng):
                unopened = played(state, {seat: Missed(Miss.OPENING), 1 - seat: other})
                unsealed = played(state, {seat: Missed(Miss.SEAL), 1 - seat: other})
                nothing = played(state, {seat: NOTHING, 1 - seat: other})
                no_better(unsealed, nothing, seat)
                for meal in (NOTHING, *(Chef().legal(state, seat).sample(rng) for _ in range(3))):
                    no_better(unopened, played(state, {seat: meal, 1 - seat: other}), seat)
                    tried += 1
                tried += 1
    return tried


SILENT = "silent where one should "


@attack(SILENT + "open a meal, or seal one: any meal, any answer, any score", "protocol 9", knows=SELF)
def test_no_meal_is_better_kept_shut(outcome: Row) -> None:
    outcome.no_advantage("points and results never better", judge_meals(40))


@attack(SILENT + "open a meal, or seal one: any meal, any answer, any score", "protocol 9", knows=SELF)
@pytest.mark.long
def test_no_meal_is_better_kept_shut_at_length(outcome: Row) -> None:
    outcome.no_advantage("points and results never better", judge_meals(1500))


def test_rules_without_the_forfeit_reward_silence() -> None:
    """Were a meal kept shut no more than none, a chef who sees that it loses could hide it for free."""
    hidden = 0
    for state, rng in tables(40):
        other = Chef().legal(state, 1).sample(rng)
        meal = Chef().legal(state, 0).sample(rng)
        free = played(state, {0: Missed(Miss.SEAL), 1: other})
        opened = played(state, {0: meal, 1: other})
        gained = opened[0].board.points[0] - state.board.points[0]
        hidden += gained == 0 and free[0].board.points == opened[0].board.points and meal != NOTHING
    assert hidden, "it would keep its cards unseen, and lose nothing by it"


# Whole matches, branched at every place where a seat must speak


def choosing(table: Table, choices: Mapping[int, Move]) -> Table:
    """A fork of the table where these seats choose so."""
    fork = table.copy()
    fork.choose = lambda table, seat: choices[seat]
    return fork


def others_answer(fork: Table, seat: int) -> None:
    """Everybody but this seat says what is asked; nobody exposes a card, which would ask all anew."""
    if fork.game.asking is not None and fork.game.asking.topic == "expose":
        fork.choose = quietly
    for other in fork.asked():
        if other != seat:
            fork.answer(other)


def kept_silent(fork: Table, seat: int) -> list[Entry]:
    """The others answer, and the time passes for the seat: it has used all of it, and has its time-out."""
    others_answer(fork, seat)
    asking = fork.game.asking
    assert asking is not None
    assert seat in asking.seats
    deadline, bank = asking.deadline_of(seat), fork.game.seat(seat).thought
    since, banked = asking.since, asking.banked and fork.game.header.bank is not None
    entries = fork.lapse()
    timeout = next(e for e in entries if e.kind == "timeout" and e.body["seat"] == seat)
    assert timeout.at > deadline
    if banked:
        assert fork.game.seat(seat).thought - bank == deadline - since, "all of its time is charged"
    return entries


def end_of(fork: Table) -> tuple[str, tuple[int, ...]]:
    assert fork.game.outcome is not None
    return fork.game.outcome.reason, fork.game.outcome.winners


def silent_at_the_start(table: Table, seat: int, choices: Mapping[int, Move]) -> None:
    fork = choosing(table, choices)
    kept_silent(fork, seat)
    assert end_of(fork) == ("void", ())


def silent_with_a_link(table: Table, seat: int, choices: Mapping[int, Move]) -> None:
    fork, fair = choosing(table, choices), choosing(table, choices)
    kept_silent(fork, seat)
    if table.game.deals == 0:
        reason, winners = end_of(fork)
        assert (reason, seat in winners) == ("link_withheld", False)
        assert set(winners) == set(range(len(table.seats))) - {seat}
        return
    fair.answer(*fair.asked())
    mode = fork.game.rules
    assert mode.points(fork.game.state) == mode.points(fair.game.state)
    if mode.facts.own_decks:
        one, other = fork.game.state.board, fair.game.state.board
        assert (one.hands[seat], one.piles[seat]) == (other.hands[seat], other.piles[seat])


def silent_with_a_move(table: Table, seat: int, choices: Mapping[int, Move]) -> None:
    """The board is what a legal move makes of it, but for the misses."""
    state, mode = table.game.state, table.game.rules
    stands_for = mode.absent(state, seat)
    assert mode.legal(state, seat).refusal(stands_for) is None
    fork, fair = choosing(table, choices), choosing(table, {**choices, seat: stands_for})
    kept_silent(fork, seat)
    others_answer(fair, seat)
    fair.answer(seat)
    one, other = fork.game.state.board, fair.game.state.board
    assert one.missed[seat] >= other.missed[seat]
    same = {"missed": other.missed}
    if isinstance(mode, Hearts) and seat in one.gone:
        assert seat not in other.gone
        same |= {"gone": other.gone, "phase": other.phase}
        if fork.game.over:
            assert seat not in end_of(fork)[1]
    if fork.game.deals == fair.game.deals:  # else the next deal has come, with other links
        assert replace(one, **same) == other


def rounds_end(fork: Table) -> State[Any]:
    """All who are asked for reveals open their meals; the state after the account."""
    while fork.game.asking is not None and fork.game.asking.kind in ("seal", "reveal"):
        fork.answer(min(fork.asked()))
        if fork.record[-1].kind in ("account", "result", "deal"):
            break
    return fork.game.state


def silent_with_a_seal(table: Table, seat: int, choices: Mapping[int, Move]) -> None:
    fork, fair = choosing(table, choices), choosing(table, {**choices, seat: NOTHING})
    kept_silent(fork, seat)
    one, other = rounds_end(fork), rounds_end(fair)
    assert one.board.points == other.board.points
    assert one.board.discards == other.board.discards
    for mine, theirs in zip(one.board.hands, other.board.hands, strict=True):
        # With early links the next deal has come where all have revealed.
        assert mine == theirs if fork.game.deals == fair.game.deals else set(mine) <= set(theirs)
    assert one.board.missed[seat] > other.board.missed[seat]


def silent_with_a_reveal(table: Table, seat: int, choices: Mapping[int, Move]) -> None:
    fork, fair = choosing(table, choices), choosing(table, choices)
    before = table.game.state.board
    kept_silent(fork, seat)
    spoken, board = rounds_end(fair).board, fork.game.state.board
    assert board.points[seat] == before.points[seat] <= spoken.points[seat]
    assert board.points[1 - seat] - before.points[1 - seat] == (4 if before.final else 7)
    assert board.points[1 - seat] >= spoken.points[1 - seat]
    if fork.game.over:
        assert seat not in end_of(fork)[1]
        return
    assert fork.owed() == [seat]
    while fork.game.asking is not None and fork.game.asking.kind != "seal":
        fork.answer(min(fork.asked()))
    fork.choose = quietly
    sealed = fork.kept[seat]
    with pytest.raises(Refused) as caught:
        fork.answer(seat)
    assert caught.value.code == "reveal_owed"
    fork.kept[seat] = sealed
    fork.pay(seat)
    assert fork.game.state.board.discards == spoken.discards, "the cards are paid for all the same"
    assert fork.game.state.board.points == board.points, "and nothing is scored by it any more"
    if fork.game.asking is not None and seat in fork.game.asking.seats:
        fork.answer(seat)


BRANCHES: dict[str, Callable[[Table, int, Mapping[int, Move]], None]] = {
    "enter": silent_at_the_start,
    "ready": silent_at_the_start,
    "link": silent_with_a_link,
    "move": silent_with_a_move,
    "seal": silent_with_a_seal,
    "reveal": silent_with_a_reveal,
}


def branch_everywhere(table: Table, every: Callable[[str], int] = lambda kind: 1) -> dict[str, int]:
    """Play a random match; where seats must speak, each of them is silent in a fork. How often, by kind."""
    tried: dict[str, int] = {}
    asked_before, met = None, dict[str, int]()
    while not table.game.over:
        asking = table.game.asking
        assert asking is not None
        if (asking.step, asking.kind) != asked_before and not table.waiting:
            asked_before = (asking.step, asking.kind)
            met[asking.kind] = met.get(asking.kind, 0) + 1
            if met[asking.kind] % every(asking.kind) == 0:
                moves = asking.kind in ("move", "seal")
                choices = {seat: at_random(table, seat) for seat in asking.seats} if moves else {}
                for seat in table.asked():
                    BRANCHES[asking.kind](table, seat, choices)
                    tried[asking.kind] = tried.get(asking.kind, 0) + 1
        table.step()
    assert report(table.record).valid
    return tried


WHEREVER = SILENT + "speak, wherever one must, in whole matches"


@attack(WHEREVER, "protocol 9", knows=SELF)
@pytest.mark.parametrize(
    ("bank", "early"), [(400, False), (0, True), pytest.param(0, False, marks=pytest.mark.long)]
)
def test_silent_anywhere_in_pancake(bank: int, early: bool, outcome: Row) -> None:
    table = Table.chef(21 + bank, {"bank": bank, "early_links": early})
    tried = branch_everywhere(
        table, lambda kind: 4 if kind in ("seal", "reveal") else 2 if kind == "link" else 1
    )
    assert set(tried) == BRANCHES.keys()
    outcome.no_advantage("never better than speaking", sum(tried.values()))


@attack(WHEREVER, "protocol 9", knows=SELF)
@pytest.mark.parametrize("absent", ["end", "play"])
def test_silent_anywhere_in_hearts(absent: str, outcome: Row) -> None:
    table = Table.hearts(3, 33, {"absent": absent, "bank": 900})
    tried = branch_everywhere(Shortened.of(table, deals=2), lambda kind: 3 if kind == "move" else 1)
    assert set(tried) == {"enter", "ready", "link", "move"}
    outcome.no_advantage("never better than speaking", sum(tried.values()))


class Shortened(Table):
    """A table where seat 0 resigns in the end, so that long games don't make long tests."""

    most = 2

    @classmethod
    def of(cls, table: Table, deals: int) -> Shortened:
        found = cls(**vars(table))
        found.most = deals
        return found

    def step(self) -> None:
        seats = [seat for seat in range(len(self.seats)) if seat not in self.game.gone]
        if self.game.deals >= self.most and self.game.asking is not None and not self.game.over:
            self.send(self.seats[seats[0]].resign(self.views[seats[0]]))
            return
        super().step()


@attack(WHEREVER, "protocol 9", knows=SELF)
@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_silent_anywhere_at_length(seed: int, outcome: Row) -> None:
    tables = (
        Table.chef(seed, {"bank": 300 * (seed % 2)}),
        Table.hearts(3 + seed % 4, seed, {"absent": "play"}),
    )
    tried = sum(sum(branch_everywhere(table).values()) for table in tables)
    outcome.no_advantage("never better than speaking", tried)


# Silent from some moment on


@attack("silent from some moment on", "protocol 9", knows=SELF)
@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_silent_from_some_moment_on(mode: str, outcome: Row) -> None:
    """A silent seat gets only points that others give away, and does not win after three misses in a row."""
    tried = 0
    for seed, lead in ((1, 6), (2, 14), (3, 23)):
        table = Table.chef(seed) if mode == "chef" else Table.hearts(3, seed)
        while len(table.record) < lead or table.game.asking is None:
            table.step()
        for seat in range(len(table.seats)):
            fork = table.copy()
            fork.waiting.pop(seat, None)
            fork.silent = lambda table, other, seat=seat: other == seat
            start = len(fork.record)
            before = fork.game.rules.points(fork.game.state)
            while not fork.game.over:
                fork.step()
            gains_nothing(fork, seat, start, before)
            assert report(fork.record).valid
            tried += 1
    outcome.no_advantage("no point is won so, and no game", tried)


def gains_nothing(fork: Table, seat: int, start: int, before: tuple[int, ...]) -> None:
    reason, winners = end_of(fork)
    missed = [e for e in fork.record[start:] if e.kind == "timeout" and e.body["seat"] == seat]
    kinds = [entry.body["kind"] for entry in missed]
    if reason in ("missed", "void", "link_withheld"):
        assert seat not in winners
    if fork.game.rules.facts.own_decks:
        lines = [line for e in fork.record[start:] if e.kind == "account" for line in e.body["lines"]]
        given = sum(line["kind"] == "redraw" and line["seat"] != seat for line in lines)
        assert fork.game.rules.points(fork.game.state)[seat] - before[seat] <= given
        assert kinds.count("seal") + kinds.count("reveal") <= 4
    else:
        assert kinds.count("move") <= 3 + 1, "three cards, and what was to be exposed before"
