"""Chinese Hearts for a bot by sampled worlds: where hidden cards may lie, and how a world is played on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bots.worlds import spread
from cards.games import french
from cards.games.contract import Move, Seat, State
from cards.games.hearts.quick import OF_SUIT, SUITS, Cards, Quick, bits
from cards.games.hearts.table import PLACE, SUIT, Board, pack

CLUBS, DIAMONDS, HEARTS, SPADES = SUITS
QUEEN, JACK, TEN = bits(["QS"]), bits(["JD"]), bits(["10C"])
OVER_THE_QUEEN = bits(["KS", "AS"])
COSTS = HEARTS & ~bits(["2H", "3H", "4H"]) | QUEEN | TEN
LURES = QUEEN | OVER_THE_QUEEN | TEN | JACK
RANKS: tuple[Cards, ...] = tuple(bits(rank + suit for suit in french.SUITS) for rank in french.RANKS)
TOP_RANKS = tuple(reversed(RANKS))

MOST = 2500
"""The most points that a round counts for: a sun wins the game, and nothing is worth more than that."""


def voids(state: State[Board]) -> list[set[str]]:
    """The suits that no hidden card of a seat's hand has, since it did not follow when they were led (5).

    A position lies in the block of the seat that it was dealt to, so a trick shows who played each card.
    """
    board, faces = state.board, state.faces
    size = len(pack(board.seats)) // board.seats
    found: list[set[str]] = [set() for _ in range(board.seats)]
    tricks = [
        pile[first : first + board.seats]
        for pile in board.collected
        for first in range(0, len(pile), board.seats)
    ]
    for trick in (*tricks, board.trick):
        for position in trick[1:]:
            if SUIT[faces[position]] != SUIT[faces[trick[0]]]:
                found[position // size].add(SUIT[faces[trick[0]]])
    return found


@dataclass(frozen=True, slots=True)
class HeartsWorlds:
    """The hidden hands, dealt at random but never against a void that a seat has shown.

    A world is played to the end of its round. `takers` is the probability that a seat that has taken every
    heart so far plays to take all tricks; the other seats duck.
    """

    takers: float = 0.3

    def worlds(self, state: State[Board], seat: Seat, rng: Random) -> Iterator[Quick]:
        board, faces = state.board, state.faces
        unseen = [code for code in pack(board.seats) if code not in {*faces.values()}]
        hidden = [[p for p in hand if p not in faces] for hand in board.hands]
        rooms = [len(positions) for positions in hidden]
        barred = [{code for code in unseen if SUIT[code] in void} for void in voids(state)]
        known = Quick.of(
            State(board.but(hands=tuple(hand & faces.keys() for hand in board.hands)), state.faces)
        )
        while True:
            world = known.copy()
            for other, dealt in enumerate(spread(unseen, rooms, barred, rng)):
                world.hands[other] |= bits(dealt)
            yield world

    def worth(self, world: Quick, seat: Seat, move: Move, rng: Random) -> float:
        """The points that the round brings, less what it brings the others on average."""
        tried = world.copy()
        if "card" in move:
            place = PLACE[move["card"]]
            if "expose" in move:
                tried.expose(seat, place)
            else:
                tried.card(place)
        takers = 0
        hearts = [other for other, pile in enumerate(tried.piles) if pile & HEARTS]
        for other in range(tried.seats) if not hearts else hearts if len(hearts) == 1 else ():
            if rng.random() < self.takers:
                takers |= 1 << other
        tried.play_out(Policy(tried, takers))
        points = tried.points()
        own = points.pop(seat)
        return max(-MOST, min(MOST, own)) - sum(max(-MOST, min(MOST, p)) for p in points) / len(points)


class Policy:
    """The quick policy: ducks below a trick and discards what costs; takers play high instead."""

    __slots__ = ("takers",)

    def __init__(self, quick: Quick, takers: int) -> None:
        self.takers = takers

    def __call__(self, quick: Quick, seat: Seat, allowed: Cards) -> int:
        if self.takers >> seat & 1:
            return self.high(quick, allowed)
        if not quick.turn:
            return self.lead(quick, seat, allowed)
        led = OF_SUIT[quick.top]
        if allowed & led:
            return self.follow(quick, allowed)
        return self.discard(quick, allowed)

    @staticmethod
    def high(quick: Quick, allowed: Cards) -> int:
        """The highest card of the suit led; else the lowest of no use."""
        if quick.turn:
            led = OF_SUIT[quick.top]
            if allowed & led:
                return (allowed & led).bit_length() - 1
            allowed = allowed & ~HEARTS or allowed
            for cards in RANKS:
                found = allowed & cards
                if found:
                    return found.bit_length() - 1
        for cards in TOP_RANKS:
            found = allowed & cards
            if found:
                return found.bit_length() - 1
        raise AssertionError

    @staticmethod
    def lead(quick: Quick, seat: Seat, allowed: Cards) -> int:
        """The lowest card of the suit in which most of the others' cards are higher."""
        allowed = allowed & ~LURES or allowed
        others = 0
        for other, hand in enumerate(quick.hands):
            if other != seat:
                others |= hand
        best, least = -1, 2.0
        for suit in SUITS:
            own = allowed & suit
            if own:
                low = own & -own
                theirs = others & suit
                risk = 1 - (theirs & -low).bit_count() / theirs.bit_count() if theirs else 1.5
                if risk < least:
                    best, least = low.bit_length() - 1, risk
        return best

    @staticmethod
    def follow(quick: Quick, allowed: Cards) -> int:
        """The highest card below the trick's highest; the last takes a trick that costs nothing."""
        below = allowed & ((1 << quick.top) - 1)
        above = allowed ^ below
        trick = quick.trick
        if above and quick.turn == quick.seats - 1:
            if above & JACK:
                return JACK.bit_length() - 1
            if trick & JACK or not trick & COSTS:
                return (above & ~QUEEN or above).bit_length() - 1
        if below:
            return (below & ~JACK or below).bit_length() - 1
        if quick.turn == quick.seats - 1:
            return (above & ~QUEEN or above).bit_length() - 1
        above = above & ~QUEEN or above
        return (above & -above).bit_length() - 1

    @staticmethod
    def discard(quick: Quick, allowed: Cards) -> int:
        """The card that is most harmful to keep."""
        for cards in (
            QUEEN,
            OVER_THE_QUEEN if any(h & QUEEN for h in quick.hands) else 0,
            HEARTS & COSTS,
            TEN,
        ):
            found = allowed & cards
            if found:
                return found.bit_length() - 1
        allowed = allowed & ~JACK or allowed
        for cards in TOP_RANKS:
            found = allowed & cards
            if found:
                return found.bit_length() - 1
        raise AssertionError
