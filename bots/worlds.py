"""Bots by sampled worlds, for modes with hidden cards (perfect-information Monte Carlo).

A seat sees some faces and not others. A *world* gives every hidden card a place that fits all that the seat
has seen. In each world the bot tries its moves and has a quick policy play on to see what comes of them. It
makes the move that does best on average over the worlds.

Nothing here knows a mode. A mode's own file says how its hidden cards may lie, and how a world is played on
(`Imagines`). Worlds are drawn from what the seat sees and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from bots.levels import Level
from cards.games.contract import Mode, Move, Seat, State
from player.bot import Bot

W = TypeVar("W")
C = TypeVar("C")


class Imagines(Protocol[W]):
    """The part of a sampling bot that knows its mode."""

    def worlds(self, state: State[Any], seat: Seat, rng: Random) -> Iterator[W]:
        """Worlds without end that agree with all that `seat` sees in `state`."""
        ...

    def worth(self, world: W, seat: Seat, move: Move, rng: Random) -> float:
        """The worth of a move to `seat` in a world, by playing on. `world` stays as it is."""
        ...


@dataclass(frozen=True, slots=True)
class Sampled(Generic[W]):
    """Makes the move that does best on average over sampled worlds.

    All moves are tried in the same worlds. After each stage the worse half of the moves is dropped, so most
    of the work goes to the moves between which the choice lies. The work is bounded by its amount, whatever
    the machine: a stage takes `tries` trials of a move, or one of each move if more moves are left.
    """

    imagines: Imagines[W]
    quick: Bot
    """A bot that chooses at once. It chooses where this one may not: see `worker.thinkers`."""
    level: Level
    tries: int
    """Trials of a stage, shared by the moves that are left; each is tried in one world at least."""
    thinks: bool = True
    """True for a bot whose choices take long enough to hold up a thread that others wait for."""

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The best of the legal moves, the first among equals."""
        moves: list[Move] = [*mode.legal(state, seat)]
        return best_of(moves, self.imagines, state, seat, self.tries, rng)


class Ranks(Bot, Protocol):
    """A quick bot that ranks its moves."""

    def ranked(self, mode: Mode[Any], state: State[Any], seat: Seat) -> list[Move]:
        """The moves worth a thought, the best first; none where there is nothing to think about."""
        ...


@dataclass(frozen=True, slots=True)
class Shortlisted(Generic[W]):
    """Tries the moves that a quick bot likes best in sampled worlds: see `Sampled`."""

    imagines: Imagines[W]
    quick: Ranks
    level: Level
    tries: int
    most: int
    """The number of moves that it tries."""
    most_seats: int
    """The greatest number of seats at which it beats its quick bot, which chooses alone at larger tables."""
    thinks: bool = True

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The best of the shortlist; of equals, the one that the quick bot likes best."""
        few = state.board.seats <= self.most_seats
        moves = self.quick.ranked(mode, state, seat)[: self.most] if few else []
        if not moves:
            return self.quick.choose(mode, state, seat, rng)
        return best_of(moves, self.imagines, state, seat, self.tries, rng)


def best_of(
    moves: Sequence[Move], imagines: Imagines[W], state: State[Any], seat: Seat, tries: int, rng: Random
) -> Move:
    """The move that does best on average over sampled worlds, the first among equals: see `Sampled`."""
    if len(moves) == 1:
        return moves[0]
    worlds = imagines.worlds(state, seat, rng)
    totals = [0.0] * len(moves)
    left = [*range(len(moves))]
    while len(left) > 1:
        for _ in range(max(1, tries // len(left))):
            world = next(worlds)
            for i in left:
                totals[i] += imagines.worth(world, seat, moves[i], rng)
        left.sort(key=lambda i: -totals[i])
        left = left[: (len(left) + 1) // 2]
    best: Move = moves[left[0]]
    return best


def spread(
    cards: Collection[C], rooms: Sequence[int], barred: Sequence[Collection[C]], rng: Random
) -> list[list[C]]:
    """Deal hidden cards at random to places: `rooms[i]` cards to place i, none of `barred[i]` among them.

    Cards that few places can take come first, each to a place drawn by the room that it has left. A card that
    finds all its places full takes the room of another, which moves on. ValueError if the cards fit nowhere.

    >>> spread("ab", [1, 1], ["a", ""], Random(1))
    [['b'], ['a']]
    """
    if len(cards) != sum(rooms):
        raise ValueError("the places must have room for exactly the cards")
    places = range(len(rooms))
    dealt: list[list[C]] = [[] for _ in places]
    room = [*rooms]
    shuffled = [*cards]
    rng.shuffle(shuffled)
    order = [(card, [i for i in places if card not in barred[i]]) for card in shuffled]
    order.sort(key=lambda one: len(one[1]))
    for card, open_to in order:
        to = _drawn(open_to, room, rng)
        if to is None:
            to = _make_room(open_to, dealt, room, barred)
        dealt[to].append(card)
        room[to] -= 1
    return dealt


def _drawn(open_to: Sequence[int], room: Sequence[int], rng: Random) -> int | None:
    """A place drawn by the room that it has left; None if all of `open_to` are full."""
    at = rng.random() * sum([room[i] for i in open_to])
    for place in open_to:
        at -= room[place]
        if at < 0:
            return place
    return None


def _make_room(
    open_to: Sequence[int], dealt: list[list[C]], room: list[int], barred: Sequence[Collection[C]]
) -> int:
    """Move cards along a chain of places so that one of `open_to` gets room for a card; returns which."""
    came: dict[int, tuple[int, C] | None] = dict.fromkeys(open_to)
    queue = [*open_to]
    for place in queue:
        if room[place]:
            to = place
            while (step := came[to]) is not None:
                source, card = step
                dealt[source].remove(card)
                dealt[to].append(card)
                room[to] -= 1
                room[source] += 1
                to = source
            return to
        for card in dealt[place]:
            for other in range(len(room)):
                if other not in came and card not in barred[other]:
                    came[other] = (place, card)
                    queue.append(other)
    raise ValueError("the cards fit no places")
