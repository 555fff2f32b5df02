"""Whole games between bots, by the rules alone: no keys, no proofs, no clock.

Chance comes from a seeded generator, so a game can be repeated. Tests, measurements of bots and trials of
decks use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from cards.catalog.cards import Card
from cards.games.contract import (
    DECK_SIZE,
    Ask,
    Deal,
    Face,
    How,
    Line,
    Mode,
    Move,
    Outcome,
    Position,
    Seat,
    State,
    own,
)
from player.bot import Bot

Watch = Callable[[State[Any], Mapping[int, Move], State[Any]], None]
"""A callback after every ask with the state before, the choices and the state after, all faces known."""


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A game from start to end."""

    outcome: Outcome
    accounts: tuple[tuple[Line, ...], ...]
    """The accounts in order, as the mode gave them; empty unless asked for."""
    asks: int
    """The number of asks that were answered."""


class _Streams:
    """Random streams by name, of one seed: how much is drawn from one changes no other."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[str, Random] = {}

    def of(self, name: str) -> Random:
        """The stream of a name."""
        if name not in self._streams:
            self._streams[name] = Random(f"{self._seed}/{name}")
        return self._streams[name]

    def of_pack(self, seat: Seat | None) -> Random:
        """The stream of a seat's own deck, or of the table's pack."""
        return self.of("table" if seat is None else f"deck {seat}")


def options_of(mode: Mode[Any], given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Every option of a mode: the given ones, else its defaults."""
    return {option.name: option.default for option in mode.facts.options} | dict(given or {})


def play(
    mode: Mode[Any],
    bots: Sequence[Bot],
    rng: Random,
    *,
    decks: Sequence[Sequence[Card]] = (),
    options: Mapping[str, Any] | None = None,
    watch: Watch | None = None,
    accounts: bool = False,
) -> Playthrough:
    """A game between `bots`, one a seat; `decks`, 40 cards a seat, where the mode has own decks.

    Every bot draws from a random stream of its own, and so does every pack: the same `rng` deals the same
    cards, however often a bot draws and whatever the others do. ValueError where the number of bots or decks
    does not suit the mode.
    """
    low, high = mode.facts.seats
    if not low <= len(bots) <= high:
        raise ValueError(f"{mode.facts.title} is for {low} to {high}, not {len(bots)}")
    state = mode.start(options_of(mode, options), len(bots)).knowing(_own_faces(mode, decks, len(bots), rng))
    chance = _Streams(rng.getrandbits(128))
    told: list[tuple[Line, ...]] = []
    asks = 0
    while True:
        due = mode.next(state)
        if isinstance(due, Outcome):
            return Playthrough(due, tuple(told), asks)
        if isinstance(due, Deal):
            state = _dealt(mode, state, due, chance.of_pack)
        elif isinstance(due, Ask):
            choices = _choices(mode, state, due, bots, chance)
            before, state = state, mode.play(state, choices)
            asks += 1
            if watch:
                watch(before, choices, state)
            if accounts and (lines := mode.account(before, choices, state)):
                told.append(lines)
        else:
            positions = due.positions or frozenset()
            before, state = state, mode.turn(state, {p: state.faces[p] for p in positions})
            if accounts and (lines := mode.account(before, {}, state)):
                told.append(lines)


def advanced(mode: Mode[Any], state: State[Any], bot: Bot, rng: Random) -> State[Any]:
    """The state after what is due: a deal, cards turned up, or choices of `bot`, which sits at every seat.

    The bot is given the state as it is, with all faces that are in it. ValueError if the game is over.
    """
    due = mode.next(state)
    if isinstance(due, Outcome):
        raise ValueError("the game is over")
    if isinstance(due, Deal):
        return _dealt(mode, state, due, lambda _: rng)
    if isinstance(due, Ask):
        seats = sorted(due.seats)
        if due.how is How.ANY and len(seats) > 1:
            seats = [rng.choice(seats)]
        return mode.play(state, {seat: bot.choose(mode, state, seat, rng) for seat in seats})
    return mode.turn(state, {p: state.faces[p] for p in due.positions or frozenset()})


def _own_faces(
    mode: Mode[Any], decks: Sequence[Sequence[Card]], seats: int, rng: Random
) -> dict[Position, Face]:
    """The faces of every seat's deck, shuffled."""
    if not mode.facts.own_decks:
        return {}
    if len(decks) != seats or any(len(deck) != DECK_SIZE for deck in decks):
        raise ValueError(f"{mode.facts.title} needs {DECK_SIZE} cards for every seat")
    return {
        own(seat, i): card
        for seat, deck in enumerate(decks)
        for i, card in enumerate(rng.sample(tuple(deck), DECK_SIZE))
    }


def _dealt(
    mode: Mode[Any], state: State[Any], deal: Deal, of_pack: Callable[[Seat | None], Random]
) -> State[Any]:
    drawn = [
        tuple(of_pack(draw.stream).sample(draw.pool, min(draw.count, len(draw.pool)))) for draw in deal.draws
    ]
    after = mode.deal(state, drawn)
    if deal.pack is None:
        return after
    pack = deal.pack
    return after.knowing({deal.first + position: pack[i] for position, i in enumerate(drawn[0])})


def _choices(
    mode: Mode[Any], state: State[Any], ask: Ask, bots: Sequence[Bot], chance: _Streams
) -> dict[int, Move]:
    """The choices of the bots, each by its own view. Where one answer counts, a random seat gives it."""
    seats = sorted(ask.seats)
    if ask.how is How.ANY:
        seats = [seats[0] if len(seats) == 1 else chance.of("who").choice(seats)]
    return {
        seat: bots[seat].choose(mode, state.seen(mode.sees(state, seat)), seat, chance.of(f"bot {seat}"))
        for seat in seats
    }
