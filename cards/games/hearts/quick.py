"""A round of Chinese Hearts of which every card is known, as bits: for bots that play a round many times.

Bit i of a number stands for card i of `french.PACK`. `table` and `rules` are the rules; this is the same play
in a tenth of the time, without refusals and without misses. Bracketed numbers are sections of
docs/rules/hearts.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from cards.games import french
from cards.games.contract import Seat, State
from cards.games.hearts.score import round_score
from cards.games.hearts.table import EXPOSABLE, PLACE, Board

Cards = int
"""A set of cards, a bit each."""

SUIT_SIZE = len(french.RANKS)
SUITS: tuple[Cards, ...] = tuple(((1 << SUIT_SIZE) - 1) << SUIT_SIZE * i for i in range(len(french.SUITS)))
"""The cards of each suit, in the order of `french.SUITS`."""
OF_SUIT: tuple[Cards, ...] = tuple(SUITS[i // SUIT_SIZE] for i in range(len(french.PACK)))
"""All cards of a card's suit, by the card's place in the pack."""

Choose = Callable[["Quick", Seat, Cards], int]
"""A function that names the place of the card that a seat plays, among the cards that it may play."""


def bits(codes: Iterable[str]) -> Cards:
    """These cards as bits.

    >>> bits(["2C", "4C"])
    5
    """
    found = 0
    for code in codes:
        found |= 1 << PLACE[code]
    return found


def codes_of(cards: Cards) -> list[str]:
    """The codes of these cards, in canonical order."""
    return [code for place, code in enumerate(french.PACK) if cards >> place & 1]


FOUR = bits(EXPOSABLE)
_SCORED = SUITS[2] | FOUR
"""The cards on which a score depends: all hearts and the cards that can be exposed (7, 8)."""


class Quick:
    """A round while cards are played. It changes in place; `copy` makes another one."""

    __slots__ = ("exposed", "fronts", "hands", "leader", "piles", "seats", "takes", "top", "trick", "turn")

    seats: int
    hands: list[Cards]
    fronts: list[Cards]
    """Exposed cards that were neither played nor picked up."""
    piles: list[Cards]
    """The cards that each seat has collected."""
    exposed: Cards
    """The cards exposed in this round, wherever they are now."""
    trick: Cards
    leader: Seat
    turn: int
    """The number of cards in the trick."""
    top: int
    """The place of the card that takes the trick so far."""
    takes: Seat
    """The seat that played it."""

    @classmethod
    def of(cls, state: State[Board]) -> Quick:
        """The round of a state that knows the face of every card. KeyError if one is lacking."""
        board, faces = state.board, state.faces
        self = cls()
        self.seats = board.seats
        self.hands = [bits(faces[p] for p in hand) for hand in board.hands]
        self.fronts = [bits(faces[p] for p in front) for front in board.fronts]
        self.piles = [bits(faces[p] for p in pile) for pile in board.collected]
        self.exposed = bits(faces[p] for p in board.exposed)
        self.trick, self.leader, self.turn, self.top, self.takes = 0, board.leader, 0, 0, board.leader
        for position in board.trick:
            self._lay(self.mover, PLACE[faces[position]])
        return self

    def copy(self) -> Quick:
        """The same round, to be played on apart from this one."""
        made = Quick()
        made.seats, made.exposed = self.seats, self.exposed
        made.hands, made.fronts, made.piles = self.hands[:], self.fronts[:], self.piles[:]
        made.trick, made.leader, made.turn = self.trick, self.leader, self.turn
        made.top, made.takes = self.top, self.takes
        return made

    @property
    def mover(self) -> Seat:
        """The seat that plays the next card."""
        return (self.leader + self.turn) % self.seats

    @property
    def over(self) -> bool:
        """True once every card is played."""
        return not (any(self.hands) or any(self.fronts))

    def playable(self, seat: Seat) -> Cards:
        """The cards that a seat may play (4, 5)."""
        hand, front = self.hands[seat], self.fronts[seat]
        if not self.turn:
            return hand or front
        led = OF_SUIT[self.top]
        return hand & led or front & led or hand | front

    def expose(self, seat: Seat, place: int) -> None:
        """Put a card face-up before a seat; the third brings the fourth, whoever holds it (3)."""
        card = 1 << place
        self.hands[seat] ^= card
        self.fronts[seat] |= card
        self.exposed |= card
        left = FOUR & ~self.exposed
        if left & (left - 1) == 0 and left:
            holder = next(other for other in range(self.seats) if self.hands[other] & left)
            self.expose(holder, left.bit_length() - 1)

    def card(self, place: int) -> None:
        """The seat whose turn it is plays a card; the last of a trick ends it (6)."""
        seat, card = (self.leader + self.turn) % self.seats, 1 << place
        if self.hands[seat] & card:
            self.hands[seat] ^= card
        else:
            self.fronts[seat] ^= card
        self._lay(seat, place)
        if self.turn < self.seats:
            return
        self.piles[self.takes] |= self.trick
        led = OF_SUIT[self.top]
        for holder, front in enumerate(self.fronts):
            if front & led:
                self.hands[holder] |= front & led
                self.fronts[holder] = front & ~led
        self.trick, self.turn, self.leader = 0, 0, self.takes

    def _lay(self, seat: Seat, place: int) -> None:
        """Add a card to the trick."""
        if not self.turn or (place > self.top and OF_SUIT[self.top] >> place & 1):
            self.top, self.takes = place, seat
        self.trick |= 1 << place
        self.turn += 1

    def play_out(self, choose: Choose) -> None:
        """Play the round to its end; `choose` is asked only where a seat has more than one card to play."""
        left = sum(map(int.bit_count, self.hands)) + sum(map(int.bit_count, self.fronts))
        for _ in range(left):
            seat = (self.leader + self.turn) % self.seats
            allowed = self.playable(seat)
            if allowed & (allowed - 1):
                self.card(choose(self, seat, allowed))
            else:
                self.card(allowed.bit_length() - 1)

    def points(self) -> list[int]:
        """The score of each seat for what it has collected (8)."""
        exposed = self.exposed
        return [_points(pile & _SCORED, exposed) for pile in self.piles]


@lru_cache(1 << 16)
def _points(collected: Cards, exposed: Cards) -> int:
    return round_score(codes_of(collected), codes_of(exposed)).points
