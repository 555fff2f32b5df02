"""Golden playthroughs: one game a mode as text for people to read, compared exactly.

`tests/cards/games/golden/<mode>.txt` begins with the game to be played: seats, seed, a bot for each seat,
options. The rest follows from that. To add a mode, write those lines and run

    python -m tests.cards.games.golden_games hilo

which fills in the game. Without a name it writes all files again. Read what has changed before you commit it:
nothing else shows whether the new game keeps the rules.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bots import bots_for
from bots.simulate import options_of
from cards.catalog import cards as catalog
from cards.games import find
from cards.games.contract import Ask, Deal, How, Line, Mode, Outcome, State, own
from tests.cards.games.modes_table import deck

FOLDER = Path(__file__).parent / "golden"
STARTERS = ("trattoria", "night-market")
"""The decks of the seats in modes with own decks."""
WIDTH = 100
"""Columns in which the cards of a place are listed."""


@dataclass(frozen=True, slots=True)
class Script:
    """The game to be played."""

    mode: str
    seats: int
    seed: int
    bots: tuple[str, ...]
    """One for all seats, or one a seat."""
    options: Mapping[str, Any]
    """The options that are not the defaults."""

    @classmethod
    def read(cls, mode: str, text: str) -> Script:
        """Read the first lines of a golden file. Raises KeyError or ValueError if they are wrong."""
        told = dict(line.split(": ", 1) for line in text.split("\n\n", 1)[0].splitlines())
        bots = tuple(told["bots"].split(", "))
        return cls(mode, int(told["seats"]), int(told["seed"]), bots, json.loads(told["options"]))

    def __str__(self) -> str:
        bots, options = ", ".join(self.bots), json.dumps(self.options)
        return f"seats: {self.seats}\nseed: {self.seed}\nbots: {bots}\noptions: {options}\n"


def read(mode: str) -> tuple[Script, str]:
    """The script of a mode's golden file, and the whole text."""
    text = (FOLDER / f"{mode}.txt").read_text(encoding="utf-8")
    return Script.read(mode, text), text


def write(mode: str) -> None:
    """Play a mode's game again, and write its file."""
    script, _ = read(mode)
    (FOLDER / f"{mode}.txt").write_text(golden(script), encoding="utf-8")


def golden(script: Script) -> str:
    """The whole text of a golden file."""
    return f"{script}\n" + "".join(f"{line}\n" for line in _game(script))


def _game(script: Script) -> Iterator[str]:
    mode, rng = find(script.mode), Random(f"{script.mode}/{script.seed}")
    known = bots_for(script.mode)
    names = script.bots if len(script.bots) > 1 else script.bots * script.seats
    bots = [known[name] for _, name in zip(range(script.seats), names, strict=True)]
    decks = [deck(STARTERS[seat % 2]) for seat in range(script.seats)] if mode.facts.own_decks else []
    state = mode.start(options_of(mode, script.options), script.seats).knowing(_own(decks, rng))
    while True:
        due = mode.next(state)
        before, choices = state, dict[int, Any]()
        if isinstance(due, Outcome):
            winners = ", ".join(f"seat {seat}" for seat in due.winners) or "nobody"
            yield f"the end: points {_points(due.points)}; {winners} by {due.reason}"
            return
        if isinstance(due, Deal):
            state = _dealt(mode, state, due, rng)
            yield from _dealing(mode, due, before, state)
            continue
        if isinstance(due, Ask):
            for seat in sorted(due.seats) if due.how is not How.ANY else [min(due.seats)]:
                view = state.seen(mode.sees(state, seat))
                choices[seat] = bots[seat].choose(mode, view, seat, rng)
                yield f"seat {seat} {json.dumps(choices[seat])}"
            state = mode.play(state, choices)
        else:
            turned = {p: state.faces[p] for p in sorted(due.positions or ())}
            state = mode.turn(state, turned)
            yield "turned up " + (", ".join(f"{_face(f)} at {p}" for p, f in turned.items()) or "nothing")
        lines = mode.account(before, choices, state)
        if lines is not None:
            yield from _account(lines, mode.points(state))


def _own(decks: Sequence[Sequence[catalog.Card]], rng: Random) -> dict[int, catalog.Card]:
    return {
        own(seat, i): card
        for seat, cards in enumerate(decks)
        for i, card in enumerate(rng.sample(tuple(cards), len(cards)))
    }


def _dealt(mode: Mode[Any], state: State[Any], deal: Deal, rng: Random) -> State[Any]:
    drawn = [tuple(rng.sample(draw.pool, min(draw.count, len(draw.pool)))) for draw in deal.draws]
    after = mode.deal(state, drawn)
    pack = deal.pack
    return after if pack is None else after.knowing({p: pack[i] for p, i in enumerate(drawn[0], deal.first)})


def _face(face: Any) -> str:
    return face.name if isinstance(face, catalog.Card) else str(face)


def _dealing(mode: Mode[Any], due: Deal, before: State[Any], state: State[Any]) -> Iterator[str]:
    """The places with new cards after a deal, each with all its cards as `position card`."""
    was = {} if due.fresh else mode.places(before)
    yield ""
    drawn = ", ".join(
        f"{'the pack' if d.stream is None else f'seat {d.stream}'} {d.count}" for d in due.draws
    )
    yield f"dealt: {drawn}{', in secret' if due.secret else ''}"
    for name, positions in mode.places(state).items():
        if set(positions) <= set(was.get(name, ())):
            continue
        row = f"  {name}:"
        for position in positions:
            card = f" {position} {_face(state.faces.get(position, '?'))},"
            if len(row) + len(card) > WIDTH:
                yield row
                row = "   "
            row += card
        yield row.rstrip(",")


def _account(lines: Sequence[Line], points: Sequence[int]) -> Iterator[str]:
    for line in lines:
        yield f"    {line['text']}"
    yield f"    points {_points(points)}"


def _points(points: Sequence[int]) -> str:
    return ", ".join(map(str, points))


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(path.stem for path in FOLDER.glob("*.txt")):
        write(name)
