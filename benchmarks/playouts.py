"""Play random games as fast as possible: ours through the contract of a mode, others by their own libraries.

Each source plays without an end, one decision at a time, in one thread. A decision is a legal choice drawn at
random and played, together with all that chance and the rules do until the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from random import Random
from typing import Any

from bots.simulate import options_of
from cards.catalog import card_sets
from cards.decks.deck_lists import DeckList
from cards.games import find, names
from cards.games.contract import Ask, Deal, Face, How, Mode, Outcome, Position, State, own

Source = Iterator[bool]
"""An endless iterator: True for each decision, False when a game is over."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A library, or our own code, that plays random games of one kind."""

    name: str
    """The name in figures: a mode, or library and game."""
    who: str
    """The name for people."""
    seats: int
    begin: Callable[[], Source]


@dataclass(frozen=True, slots=True)
class Library:
    """Another library's game."""

    package: str
    game: str
    seats: int
    mode: str | None
    """Our mode of the same name, which then gets as many seats; None if there is none."""


LIBRARIES = (
    Library("open_spiel", "cribbage", 2, "cribbage"),
    Library("open_spiel", "hearts", 4, "hearts"),
    Library("rlcard", "gin-rummy", 2, None),
    Library("rlcard", "uno", 2, None),
)


def slug(name: str) -> str:
    """A name as it stands in the names of figures."""
    return name.replace("-", "_")


def ours() -> list[Contender]:
    """Every registered mode, with as many seats as its counterpart elsewhere, or two where possible."""
    found = []
    for name in names():
        mode = find(name)
        low, high = mode.facts.seats
        alike = [library.seats for library in LIBRARIES if library.mode == name]
        seats = alike[0] if alike else min(max(low, 2), high)
        found.append(Contender(slug(name), mode.facts.title, seats, _of(mode, seats)))
    return found


def others() -> tuple[list[Contender], list[str]]:
    """The games of the other libraries that are installed, and the names of those that are not."""
    found, lacking = [], []
    for library in LIBRARIES:
        try:
            known = version(library.package)
        except PackageNotFoundError:
            lacking.append(library.package)
            continue
        begin = {"open_spiel": _open_spiel, "rlcard": _rlcard}[library.package]
        name = slug(f"{library.package}_{library.game}")
        who = f"{library.package} {known}, {library.game}"
        found.append(Contender(name, who, library.seats, partial(begin, library.game)))
    return found, sorted({*lacking})


# Our own


def _of(mode: Mode[Any], seats: int) -> Callable[[], Source]:
    return lambda: playouts(mode, seats, Random(1))


def playouts(mode: Mode[Any], seats: int, rng: Random) -> Source:
    """Play random games of a mode, one after another, with the default options."""
    options = options_of(mode)
    while True:
        state = mode.start(options, seats).knowing(_decks(mode, seats, rng))
        while not isinstance(due := mode.next(state), Outcome):
            if isinstance(due, Ask):
                if len(due.seats) == 1:
                    (seat,) = due.seats
                    state = mode.play(state, {seat: mode.legal(state, seat).sample(rng)})
                    yield True
                    continue
                asked = sorted(due.seats)
                if due.how is How.ANY:
                    asked = [rng.choice(asked)]
                state = mode.play(state, {seat: mode.legal(state, seat).sample(rng) for seat in asked})
                for _ in asked:
                    yield True
            elif isinstance(due, Deal):
                state = _dealt(mode, state, due, rng)
            else:
                state = mode.turn(state, {p: state.faces[p] for p in due.positions or ()})
        yield False


def _decks(mode: Mode[Any], seats: int, rng: Random) -> dict[Position, Face]:
    """The faces of a shuffled starter deck for each seat, in modes with own decks."""
    if not mode.facts.own_decks:
        return {}
    known = card_sets.load()
    starters = [DeckList(starter.counts).cards(known) for starter in known.starters.values()]
    faces: dict[Position, Face] = {}
    for seat in range(seats):
        cards = [*starters[seat % len(starters)]]
        rng.shuffle(cards)
        faces |= {own(seat, i): card for i, card in enumerate(cards)}
    return faces


def _dealt(mode: Mode[Any], state: State[Any], deal: Deal, rng: Random) -> State[Any]:
    drawn = []
    for draw in deal.draws:
        if draw.count >= len(draw.pool):  # the whole pool, shuffled
            chance = rng.random
            drawn.append(tuple(sorted(draw.pool, key=lambda _: chance())))
        else:
            drawn.append(tuple(rng.sample(draw.pool, draw.count)))
    after = mode.deal(state, drawn)
    pack = deal.pack
    return after if pack is None else after.knowing({i: pack[card] for i, card in enumerate(drawn[0])})


# Other libraries'


def _open_spiel(name: str) -> Source:
    import pyspiel

    game, rng = pyspiel.load_game(name), Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                yield True
        yield False


def _rlcard(name: str) -> Source:
    """Play RLCard's game itself. The environment around it would also make arrays for agents that learn."""
    import rlcard

    rng = Random(1)
    game = rlcard.make(name, config={"seed": 1}).game
    while True:
        game.init_game()
        judge = getattr(game, "judge", game)
        while not game.is_over():
            game.step(rng.choice(judge.get_legal_actions()))
            yield True
        yield False
