"""A dealer for tests. It plays a mode with a seed, and folds once with all faces and once for every view."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cards.catalog import card_sets
from cards.catalog import cards as catalog
from cards.games.contract import (
    Ask,
    Choice,
    Deal,
    Face,
    How,
    Miss,
    Missed,
    Mode,
    Move,
    Outcome,
    Position,
    Seat,
    State,
    Turn,
    own,
)

HOUSE = None
"""The fold that knows no more than everybody does: a spectator's, and the house's with own decks."""


def deck(slug: str) -> list[catalog.Card]:
    """The 40 cards of a starter deck."""
    cards = card_sets.load()
    return [cards.cards[number] for number, n in cards.starters[slug].counts.items() for _ in range(n)]


@dataclass(frozen=True)
class Step:
    """One method of the contract and its arguments. Everybody learns the faces that it lays open."""

    verb: str
    given: Any
    faces: Mapping[Position, Face] = field(default_factory=dict)
    pack: tuple[Face, ...] | None = None
    first: Position = 0
    """The first position of that pack."""


def apply(mode: Mode[Any], state: State[Any], step: Step, reader: Seat | str | None) -> State[Any]:
    """The state after a step, as `reader` folds it: a seat, HOUSE, or "all", which knows every face."""
    if step.verb == "deal":
        hidden = step.pack is not None and reader != "all"
        after = mode.deal(state, [None] * len(step.given) if hidden else step.given)
        if step.pack is None:
            return after
        faces = {step.first + i: step.pack[card] for i, card in enumerate(step.given[0])}
        seen = frozenset(faces) if reader == "all" else mode.sees(after, reader)
        return after.knowing({p: faces[p] for p in sorted(seen & faces.keys())})
    if step.verb == "turn":
        return mode.turn(state, step.given)
    if step.verb == "leave":
        left = mode.leave(state, step.given)
        assert left is not None, "every fold says the same"
        return left
    if step.verb == "late":
        return mode.late(state.knowing(step.faces), *step.given)
    return mode.play(state.knowing(step.faces), step.given)


class Table:
    """A running game of a mode."""

    def __init__(
        self,
        mode: Mode[Any],
        seats: int,
        rng: Random,
        *,
        silence: float = 0.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.mode, self.seats, self.rng, self.silence = mode, seats, rng, silence
        self.leaving = silence / 8
        self.options = {option.name: self._option(option) for option in mode.facts.options}
        self.options |= options or {}
        self.decks: list[list[catalog.Card]] = []
        faces: dict[Position, Face] = {}
        if mode.facts.own_decks:
            slugs = sorted(card_sets.load().starters)
            self.decks = [rng.sample(deck(slugs[s % len(slugs)]), 40) for s in range(seats)]
            faces = {own(s, i): card for s in range(seats) for i, card in enumerate(self.decks[s])}
        self.cards = {card.number: card for cards in self.decks for card in cards}
        bare = mode.start(self.options, seats)
        self.readers: list[Seat | str | None] = ["all", HOUSE, *range(seats)]
        self.begin: dict[Seat | str | None, State[Any]] = {
            reader: bare.knowing(faces if reader == "all" else self._own(faces, reader))
            for reader in self.readers
        }
        self.folds = dict(self.begin)
        self.log: list[Step] = []
        self.owed: dict[Seat, Move] = {}
        self.hidden = False
        """True if a secret deal is not shown yet."""

    def _option(self, option: Any) -> Any:
        if option.kind == "choice":
            return self.rng.choice(option.choices)
        if option.kind == "flag":
            return self.rng.choice((False, True))
        return option.default

    @staticmethod
    def _own(faces: Mapping[Position, Face], reader: Seat | str | None) -> dict[Position, Face]:
        return {p: f for p, f in faces.items() if isinstance(reader, int) and p // 40 == reader}

    @property
    def full(self) -> State[Any]:
        """The state with every face."""
        return self.folds["all"]

    def opened(self, choices: Mapping[Seat, Choice]) -> dict[Position, Face]:
        """The openings of sealed choices."""
        faces = {}
        for seat, choice in choices.items():
            if not isinstance(choice, Missed):
                packing = self.mode.packing(self.full, seat)
                boxes = self.mode.fill(packing, choice)
                assert len(boxes) == len(packing.hand)
                assert all(0 <= box <= packing.boxes for box in boxes)
                faces |= {
                    own(seat, index): self.decks[seat][index]
                    for index, box in zip(packing.hand, boxes, strict=True)
                    if box
                }
        return faces

    def do(self, step: Step) -> None:
        """Apply a step in every fold."""
        full = apply(self.mode, self.full, step, "all")
        self.folds = {reader: self._taken(state, step, reader, full) for reader, state in self.folds.items()}
        self.log.append(step)

    def _taken(
        self, state: State[Any], step: Step, reader: Seat | str | None, full: State[Any]
    ) -> State[Any]:
        """Apply a step in one fold. A seat learns its own cards of the house's pack as they come to it."""
        if reader == "all":
            return full
        after = apply(self.mode, state, step, reader)
        if self.mode.facts.own_decks or not isinstance(reader, int):
            return after
        own = self.mode.sees(full, reader) - self.mode.sees(full, None) - after.faces.keys()
        return after.knowing({p: full.faces[p] for p in own if p in full.faces})

    def advance(self) -> Outcome | None:
        """Play one step of the game. Returns the outcome once it is over."""
        due = self.mode.next(self.full)
        if isinstance(due, Outcome):
            return due
        if isinstance(due, Deal):
            for draw in due.draws:
                assert list(draw.pool) == sorted(draw.pool)
                assert 0 < draw.count <= len(draw.pool)
            drawn = tuple(tuple(self.rng.sample(draw.pool, draw.count)) for draw in due.draws)
            assert due.secret or due.fresh or not self.hidden, "its link would give the secret deals away"
            self.hidden = due.secret or (self.hidden and not due.fresh)
            self.do(Step("deal", drawn, pack=due.pack, first=due.first))
        elif isinstance(due, Turn):
            assert due.positions is not None
            self.do(Step("turn", {p: self.full.faces[p] for p in due.positions}))
        else:
            self._leave()
            self._ask(due)
        return None

    def _leave(self) -> None:
        """Now and then let a seat resign where the game goes on without it. The ask stays the same."""
        seat = self.rng.randrange(self.seats)
        if self.rng.random() > self.leaving or seat in self.mode.gone(self.full):
            return
        if self.mode.leave(self.full, seat) is not None:
            before = self.mode.next(self.full)
            self.do(Step("leave", seat))
            assert self.mode.next(self.full) == before
            assert seat in self.mode.gone(self.full)

    def _ask(self, ask: Ask) -> None:
        if ask.how is How.SEALED:
            self._late()
        seats = sorted(ask.seats)
        if ask.how is How.ANY:
            seats = [self.rng.choice(seats)]
        # A seat that owes a reveal can seal nothing: the referee refuses its seal, and the rules its meal.
        owing = self.owed.keys() if ask.how is How.SEALED else ()
        choices: dict[Seat, Choice] = {seat: Missed(Miss.SEAL) for seat in owing}
        for seat in seats:
            if seat not in owing:
                move = self.mode.legal(self.full, seat).sample(self.rng)
                silent = seat in self.mode.gone(self.full) or self.rng.random() < self.silence
                choices[seat] = self._silent(ask, seat, move) if silent else move
        faces = self.opened(choices) if ask.how is How.SEALED else {}
        self.do(Step("play", choices, faces))

    def _silent(self, ask: Ask, seat: Seat, move: Move) -> Missed:
        if ask.how is not How.SEALED:
            return Missed(Miss.CHOICE, self.mode.absent(self.full, seat))
        if self.rng.random() < 0.5:
            return Missed(Miss.SEAL)
        self.owed[seat] = move
        return Missed(Miss.OPENING)

    def _late(self) -> None:
        for seat, move in list(self.owed.items()):
            if self.rng.random() < 0.6:
                used = {
                    i
                    for dish in move["dishes"]
                    for i in (dish["recipe"], *dish["ingredients"])
                    if i is not None
                }
                faces = {own(seat, i): self.decks[seat][i] for i in used}
                self.do(Step("late", (seat, move), faces))
                del self.owed[seat]

    def replayed(self, reader: Seat | str | None) -> State[Any]:
        """The log folded again from the start."""
        state, full = self.begin[reader], self.begin["all"]
        for step in self.log:
            full = apply(self.mode, full, step, "all")
            state = self._taken(state, step, reader, full)
        return state


def through_json(mode: Mode[Any], state: State[Any], cards: Mapping[int, Face]) -> State[Any]:
    """The state, dumped to JSON text and loaded again."""
    return mode.load(json.loads(json.dumps(mode.dump(state))), cards)
