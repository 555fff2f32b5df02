"""A bot for Big C: looks one play ahead at what is left in its hand, and footstools where it can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bots.levels import Level
from cards.games import french
from cards.games.big_c.hands import STRENGTH, Combination, Comparison, compare
from cards.games.big_c.seek import KINDS, Found, every, highest, lowest, some
from cards.games.big_c.table import PASS, Board, held_by, on_table, played
from cards.games.contract import Mode, Move, Position, Seat, State

BURDEN = 1.5
"""The cost of the lowest card on top of its turn; the highest card costs nothing more."""
JOKER_HELPS = 0.4
"""The amount that a kept Joker takes off the cost, since it joins cards that have no partner."""
STUCK = 3.0
"""The cost of a Joker once nothing is left to play it with."""
FOOTSTOOL: Mapping[Comparison, float] = {Comparison.HALF: 0.5, Comparison.FULL: 1.0}
"""The worth of a footstool, since another player draws cards."""
WAIT = 0.5
"""The cost of a pass, since the turn is lost."""
HIGHEST = 51


def cost(codes: list[str]) -> float:
    """An estimate of the turns that it takes to play these cards: one a rank, and more for low ranks.

    >>> cost(["2S"]) < cost(["3D"]) < cost(["3D", "4D"]), cost(["3D", "3C"]) < cost(["3D", "4D"])
    (True, True)
    """
    best: dict[int, int] = {}
    jokers = 0
    for code in codes:
        strength = STRENGTH[code]
        if code == french.JOKER:
            jokers += 1
        else:
            best[strength >> 2] = max(best.get(strength >> 2, 0), strength)
    if not best:
        return STUCK * jokers
    ranks = sum(1 + BURDEN * (1 - high / HIGHEST) for high in best.values())
    return ranks - JOKER_HELPS * min(jokers, len(best)) + 0.02 * len(codes)


@dataclass(frozen=True, slots=True)
class Thrifty:
    """Plays the cards that leave the cheapest hand, and passes if every play costs more than it saves."""

    level = Level.MEDIUM

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The bot's move; it is deterministic and makes no use of `rng`."""
        board: Board = state.board
        held = held_by(state, seat)
        if board.phase == "present":
            moves = list(mode.legal(state, seat))
            return min(moves, key=lambda move: (STRENGTH[move["card"]], move["present"]))
        chosen = self.plays(state, seat)[0]
        return dict(PASS) if chosen is None else played(held, chosen)

    def ranked(self, mode: Mode[Any], state: State[Any], seat: Seat) -> list[Move]:
        """The plays and the pass, the best first: of those with the same cards the first alone."""
        if state.board.phase != "play":
            return []
        held = held_by(state, seat)
        found: dict[tuple[str, ...], Move] = {}
        for chosen in self.plays(state, seat):
            move = dict(PASS) if chosen is None else played(held, chosen)
            found.setdefault(tuple(sorted(move.get("cards", ()))), move)
        return [*found.values()]

    def plays(self, state: State[Board], seat: Seat) -> list[Found | None]:
        """The cards that may be played, the best first; None stands for a pass."""
        board, under, held = state.board, on_table(state), held_by(state, seat)
        fewest = min(len(hand) for other, hand in enumerate(board.hands) if other != seat and hand)
        found: list[tuple[float, Found | None]] = []
        for chosen, hand in tried(held, under, len(board.table)):
            left = [code for position, code in held.items() if position not in chosen]
            value = cost(left) if left else float("-inf")
            if under is not None:
                value -= FOOTSTOOL.get(compare(hand, under), 0.0)
            if fewest <= len(chosen):  # somebody could go out on it
                value += 1 - hand.key[0][0] / HIGHEST
            found.append((value, chosen))
        if under is not None or not found:
            found.insert(0, (cost([*held.values()]) + WAIT, None))
        return [chosen for _, chosen in sorted(found, key=lambda one: one[0])]


def tried(
    held: Mapping[Position, str], under: Combination | None, size: int
) -> Iterator[tuple[Found, Combination]]:
    """The hands to consider: all single cards and pairs; of each larger kind, low ones and high ones."""
    for count in KINDS if under is None else (size,):
        if count < 3:
            yield from every(held, under, count)
        else:
            yield from some(held, under, KINDS[count], lowest)
            yield from some(held, under, KINDS[count], highest)
