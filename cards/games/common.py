"""Functions and types for all modes: the leaders, ends from outside the rules, moves of a few kinds.

`house_pack` has the parts that only the modes with a house pack share.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence

from cards.games.contract import Choice, IllegalMove, Legal, Move, Outcome, Refusal, Seat


def ahead(points: Sequence[int], among: Collection[Seat]) -> tuple[Seat, ...]:
    """The seats of `among` that have the most points, ascending.

    >>> ahead([7, 9, 9], [0, 1, 2])
    (1, 2)
    """
    best = max(points[seat] for seat in among)
    return tuple(seat for seat in sorted(among) if points[seat] == best)


def ended(points: tuple[int, ...], reason: str, seats: frozenset[Seat]) -> Outcome:
    """An end from outside the rules.

    "agreed": a draw of all but `seats`, who are out. "resigned", "withheld" or "missed" (by `seats`): the
    best of the others wins; a draw if nobody is left. "link_withheld" (by `seats`): all seats that sent a
    first link share the win; the game is void if none did (protocol section 7). ValueError for any other
    reason.
    """
    everyone = tuple(range(len(points)))
    others = [seat for seat in everyone if seat not in seats]
    if reason == "agreed":
        return Outcome(points, tuple(others), reason)
    if reason in ("resigned", "withheld", "missed"):
        return Outcome(points, ahead(points, others) if others else everyone, reason)
    if reason == "link_withheld":
        return Outcome(points, tuple(others), reason)
    raise ValueError(f"no end from outside the rules is called {reason!r}")


def refuse(code: str, text: str, section: str, pointer: str = "") -> IllegalMove:
    """The exception for a move that is refused."""
    return IllegalMove(Refusal(code, text, section, pointer))


def expect(choices: Mapping[Seat, Choice], asked: frozenset[Seat], section: str) -> None:
    """Check that exactly the asked seats have chosen; raises `IllegalMove`."""
    if choices.keys() == asked:
        return
    for seat in choices:
        if seat not in asked:
            raise refuse("not_asked", f"Seat {seat} is not asked.", section)
    for seat in sorted(asked):
        if seat not in choices:
            raise refuse("choice_lacking", f"The choice of seat {seat} is lacking.", section)


class NotAsked(Legal):
    """The legal moves of a seat that is not asked: none."""

    __slots__ = ("_section",)

    def __init__(self, section: str) -> None:
        self._section = section

    def __iter__(self) -> Iterator[Move]:
        return iter(())

    def refusal(self, move: object) -> Refusal | None:
        return Refusal("not_asked", "It is not this seat's turn to choose.", self._section)


class OneOf(Legal):
    """The legal moves of a seat that has a handful of them, all listed."""

    __slots__ = ("_moves", "_section")

    def __init__(self, moves: Sequence[Move], section: str) -> None:
        self._moves = moves
        self._section = section

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def refusal(self, move: object) -> Refusal | None:
        if isinstance(move, dict) and move in self._moves:
            return None
        choices = ", ".join(json.dumps(move) for move in self._moves)
        return Refusal("no_such_choice", f"The choice must be one of {choices}.", self._section)
