"""Nothing a player does or stops doing gains time (protocol 10.6): games against players who try.

A schedule says what each seat does next and how long it takes for it; the house does what is due
the moment it is due. After every act the deadlines are what the options of the table say.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import Entry, Message, Refused, close, due
from referee.clocks import FLOOR, rest
from referee.game import Game
from tests.referee.forger import report
from tests.referee.table import START, Table

ACTS = ("answer", "answer", "answer", "last moment", "too late", "silence", "again", "junk", "draw", "resign")
Act = tuple[str, int, int]
"""An act, its seat (modulo those who can), and the part of its time that it takes, in hundredths."""

SCHEDULES = st.lists(
    st.tuples(st.sampled_from(ACTS), st.integers(0, 5), st.integers(0, 100)), min_size=20, max_size=70
)
OFTEN = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


@dataclass
class Arena:
    """A table whose house is prompt, with a watch on every deadline."""

    table: Table
    allowed: int = 0
    """Milliseconds that all steps so far could take at most, by the options."""
    steps: Counter[int] = field(default_factory=Counter)
    """Steps in which each seat's thinking was asked for."""
    topics: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Steps of a topic, by the number of deals before."""
    sent: list[Message] = field(default_factory=list)

    def watch(self, before: Game | None) -> None:
        """Within a step no deadline moves; a new step has those that the options give."""
        game = self.table.game
        asking = game.asking
        if asking is None or game.over:
            return
        old = None if before is None else before.asking
        if old is not None and (old.step, old.kind) == (asking.step, asking.kind):
            assert (asking.until, asking.since) == (old.until, old.since)
            assert asking.seats <= old.seats
            return
        self.allowed += asking.deadline + 1 - asking.since
        self.topics[game.deals, asking.topic] += 1
        full = {"enter": "enter", "ready": "ready", "link": "link", "seal": "seal", "reveal": "reveal"}
        names = {"redraw": "choice", "expose": "expose", "card": "card"}
        clock = game.header.clock(full.get(asking.kind) or names[asking.topic])
        assert asking.since == game.at, "the newest entry asks"
        for seat in asking.seats:
            left = rest(game, seat) if asking.banked else None
            allowed = clock if left is None else min(clock, max(left, FLOOR))
            assert asking.deadline_of(seat) == asking.since + allowed
            self.steps[seat] += asking.banked

    def until(self, at: int) -> None:
        """Time passes, and the house does what is due the moment it is due."""
        table = self.table
        while (when := due(table.game, table.waiting.keys())) is not None and when <= at:
            before, table.now = table.game, max(table.now, when)
            game, entries = close(table.keeper, table.game, table.waiting, table.now)
            table.add(game, entries)
            self.watch(before)
        table.now = max(table.now, at)

    def send(self, message: Message) -> list[Entry]:
        """A message that may be refused; then nothing has changed."""
        before = self.table.game
        try:
            entries = self.table.send(message)
        except Refused:
            assert self.table.game == before
            return []
        self.sent.append(message)
        self.watch(before)
        return entries

    def act(self, act: Act) -> None:
        """One line of a schedule."""
        what, who, share = act
        table, game = self.table, self.table.game
        asking = game.asking
        assert asking is not None
        able = table.asked() or sorted(asking.seats)
        seat = able[who % len(able)]
        deadline = asking.deadline_of(seat)
        if what in ("answer", "again", "junk", "draw", "resign"):
            self.until(table.now + max(deadline - table.now, 0) * share // 100)
        elif what == "last moment":
            self.until(deadline)
        else:
            self.until(deadline + 1)
        if table.game.over or table.game.asking is None:
            return
        views = table.views[seat]
        if what in ("answer", "last moment", "too late") and seat in table.asked():
            self.send(table.message(seat))
        elif what == "again" and self.sent:
            self.send(self.sent[-1 - who % len(self.sent)])
        elif what == "junk" and seat in table.asked():
            message = table.message(seat)
            self.send(Message(message.game, message.step + 1, *_rest(message)))
        elif what == "draw" and game.deals:
            self.send(table.seats[seat].offer_draw(views))
        elif what == "resign" and game.deals and share > 60:
            self.send(table.seats[seat].resign(views))
        for owing in table.owed():
            if share % 3 == 0 and not table.game.over and table.game.outcome is None:
                self.send(table.seats[owing].reveal(table.views[owing], table.kept[owing]))

    def judge(self) -> None:
        """All the time that has passed was allowed; every seat has used what it had."""
        game = self.table.game
        assert game.at - START <= self.allowed
        bank = game.header.bank
        for seat, state in enumerate(game.seats):
            if bank is not None:
                assert 0 <= state.thought <= bank + FLOOR * self.steps[seat]
        for (_, topic), count in self.topics.items():
            assert topic != "expose" or count <= 3, "the third exposure is the last"
            assert topic == "card" or topic == "expose" or count <= 2
        assert report(self.table.record, unfinished=True).valid


def _rest(message: Message) -> tuple[Any, ...]:
    return message.seat, message.kind, message.body, message.signature, message.digest


def play(table: Table, schedule: list[Act]) -> None:
    arena = Arena(table)
    arena.watch(None)
    while table.game.deals == 0 and not table.game.over:
        for seat in table.asked():
            arena.send(table.message(seat))
    for act in schedule:
        if table.game.over:
            break
        arena.act(act)
    arena.judge()


@pytest.mark.slow
@OFTEN
@given(SCHEDULES, st.sampled_from([0, 10, 90]), st.sampled_from(["end", "play"]), st.integers(0, 3))
def test_nobody_gains_time_in_hearts(schedule: list[Act], bank: int, absent: str, seed: int) -> None:
    play(Table.hearts(3 + seed, seed, {"bank": bank, "absent": absent}), schedule)


@settings(OFTEN, max_examples=5)
@given(SCHEDULES, st.sampled_from([0, 10, 200]), st.integers(0, 3))
def test_nobody_gains_time_in_pancake(schedule: list[Act], bank: int, seed: int) -> None:
    table = Table.chef(seed, {"bank": bank})
    play(table, schedule[:30])


@pytest.mark.long
@settings(OFTEN, max_examples=150)
@given(SCHEDULES, st.sampled_from([0, 10, 90]), st.sampled_from(["end", "play"]), st.integers(0, 30))
def test_nobody_gains_time_in_hearts_at_length(
    schedule: list[Act], bank: int, absent: str, seed: int
) -> None:
    play(Table.hearts(3 + seed % 4, seed, {"bank": bank, "absent": absent}), schedule)


@pytest.mark.long
@settings(OFTEN, max_examples=40)
@given(SCHEDULES, st.sampled_from([0, 10, 200]), st.integers(0, 30))
def test_nobody_gains_time_in_pancake_at_length(schedule: list[Act], bank: int, seed: int) -> None:
    play(Table.chef(seed, {"bank": bank}), schedule)
