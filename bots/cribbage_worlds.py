"""Cribbage for a bot by sampled worlds: where hidden cards may lie, and how a deal is played on to its show.

A world is worth the chance that it leaves of winning the match (`bots.cribbage_race`). So the bot does not
play for points, but to be there first: near the goal it counts who counts first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from random import Random

from bots.cribbage_race import Race
from bots.cribs import CRIBS, Worth, ranks_of
from cards.games import french
from cards.games.contract import Move, Seat, State
from cards.games.cribbage.bulk import shows
from cards.games.cribbage.score import JACK, MOST, RANK, VALUE, pegged
from cards.games.cribbage.table import ROUND, Board

Places = tuple[int, ...]
"""Cards, as places in the pack."""

RANKS = [RANK[code] for code in french.PACK]
VALUES = [VALUE[code] for code in french.PACK]

RISKS = {5: 0.8, 21: 0.8, 10: 0.3}
"""What the quick policy takes off for a count that a card worth ten brings to 15 or 31, or a five to 15."""
PAIRED = 0.7
"""The same for a pair, which a third card of the rank makes a pair royal."""


@cache
def points(ranks: tuple[int, ...]) -> int:
    """The points that the newest card of a count pegs."""
    return sum([item.points for item in pegged(ranks)])


@dataclass(frozen=True, slots=True)
class Hidden:
    """A deal with a place for every card, as it is when the bot chooses."""

    state: State[Board]
    """What the seat sees of it."""
    held: tuple[Places, ...]
    """The cards that are to be played, by seat."""
    hands: tuple[Places, ...]
    """The cards that are shown, by seat: those held and those played."""
    crib: Places
    starter: int


class CribbageWorlds:
    """The hidden cards: each of the others keeps what counts most of a hand dealt at random.

    A seat that said go holds no card that fits this count.
    """

    def worlds(self, state: State[Board], seat: Seat, rng: Random) -> Iterator[Hidden]:
        """Worlds without end. If the seat is to lay away, it still holds all its cards in them."""
        board, hand, faces = state.board, state.board.hand, state.faces
        seen = {french.place(code) for code in faces.values()}
        unseen = [place for place in range(52) if place not in seen]
        worths, cut = CRIBS[board.setup.seats], hand.starter
        while True:
            rest = rng.sample(unseen, len(unseen) if hand.said else min(20, len(unseen)))
            starter = rest.pop() if cut is None else french.place(faces[cut])
            held, hands, crib = [], [], []
            for other in range(board.setup.seats):
                played = tuple([french.place(faces[p]) for p in hand.played[other]])
                if other == seat:
                    kept = tuple([french.place(faces[p]) for p in hand.held[other]])
                    crib += [french.place(faces[p]) for p in hand.laid[other]]
                else:
                    side = int(board.side(other) != board.side(board.dealer))
                    over = MOST - hand.reached if other in hand.said else 0
                    kept, laid = _dealt(rest, played, board.setup.away, over, worths[side], 1 - 2 * side)
                    crib += laid
                held.append(kept)
                hands.append(played + kept)
            if board.setup.seats == 3:
                crib.append(rest.pop())
            yield Hidden(state, tuple(held), tuple(hands), tuple(crib), starter)

    def worth(self, world: Hidden, seat: Seat, move: Move, rng: Random) -> float:
        """The chance to win the match after a card is played or cards are laid away."""
        board, faces = world.state.board, world.state.faces
        race = Race.of(board)
        scores = [*board.scores]
        if "lay" in move:
            laid = tuple([french.place(faces[p]) for p in move["lay"]])
            kept = tuple([place for place in world.held[seat] if place not in laid])
            world = replace(
                world,
                held=(*world.held[:seat], kept, *world.held[seat + 1 :]),
                hands=(*world.hands[:seat], kept, *world.hands[seat + 1 :]),
                crib=world.crib + laid,
            )
            if RANKS[world.starter] == JACK:
                scores[board.side(board.dealer)] += 2
                if scores[board.side(board.dealer)] >= race.target:
                    return race.won(scores, board.side(board.dealer), board.side(seat))
            play = Pegging.fresh(world, scores, race.target)
        else:
            play = Pegging.of(world, scores, race.target)
            play.card(french.place(move["card"]))
        winner = play.out()
        if winner is None:
            winner = shown(world, scores, race.target)
        if winner is not None:
            return race.won(scores, winner, board.side(seat))
        return race.chance(scores, (board.dealer + 1) % board.setup.seats, board.side(seat))


def _dealt(
    rest: list[int], played: Places, away: int, over: int, crib: Worth, sign: int
) -> tuple[Places, Places]:
    """Deal a player's hidden cards from `rest`: those held and those laid away.

    Of all ways to keep some of them it is the one that counts most with a starter that the player imagines,
    the crib counted in (`sign` 1) or against (-1). If the player said go, all that is held counts more than
    `over`, and how it was chosen is left aside.
    """
    number = 4 - len(played)
    if over:
        held = sorted(rest, key=lambda place: VALUES[place] <= over)[:number]
        for place in held:
            rest.remove(place)
        return tuple(held), tuple([rest.pop() for _ in range(away)])
    hidden = [rest.pop() for _ in range(number + away)]
    if not number:
        return (), tuple(hidden)
    ways = [*combinations(hidden, number)]
    counts = shows(b"".join([bytes((*played, *kept, rest[0])) for kept in ways]))
    best, chosen, thrown = -100.0, ways[0], hidden
    for kept, count in zip(ways, counts, strict=True):
        laid = [place for place in hidden if place not in kept]
        worth = count + sign * crib[ranks_of(laid)]
        if worth > best:
            best, chosen, thrown = worth, kept, laid
    return chosen, tuple(thrown)


def shown(world: Hidden, scores: list[int], target: int) -> int | None:
    """Count hands and crib in their order (8). Return the side that reaches the target, or None."""
    board = world.state.board
    order = board.showing
    starter = world.starter
    cards = b"".join([bytes((*world.hands[seat], starter)) for seat in order])
    counts = [*shows(cards), shows(bytes((*world.crib, starter)), crib=True)[0]]
    for seat, count in zip((*order, board.dealer), counts, strict=True):
        side = board.side(seat)
        scores[side] += count
        if scores[side] >= target:
            return side
    return None


class Pegging:
    """The play of a deal (6, 7), by a quick policy, on places in the pack."""

    __slots__ = ("held", "last", "mover", "pile", "reached", "said", "scores", "target", "winner")

    def __init__(self, held: Sequence[Places], scores: list[int], target: int, mover: Seat) -> None:
        self.held = [[*cards] for cards in held]
        self.scores, self.target = scores, target
        self.pile: tuple[int, ...] = ()
        self.reached = 0
        self.mover: Seat | None = mover
        self.last = mover
        self.said: set[Seat] = set()
        self.winner: int | None = None

    @classmethod
    def fresh(cls, world: Hidden, scores: list[int], target: int) -> Pegging:
        """The play from its first card: the seat after the dealer leads."""
        return cls(world.held, scores, target, world.state.board.showing[0])

    @classmethod
    def of(cls, world: Hidden, scores: list[int], target: int) -> Pegging:
        """The play as far as it has come."""
        hand, faces = world.state.board.hand, world.state.faces
        play = cls(world.held, scores, target, hand.mover)
        play.pile = tuple([RANK[faces[position]] for position in hand.pile])
        play.reached, play.last, play.said = hand.reached, hand.last, {*hand.said}
        return play

    def out(self) -> int | None:
        """Play all cards; return the side that reaches the target, or None."""
        while (fits := self.fitting()) is not None:
            self.card(self._quick(fits) if len(fits) > 1 else fits[0])
        return self.winner

    def fitting(self) -> list[int] | None:
        """The cards that the next player may play, after every go that comes first; None at the end."""
        while self.mover is not None and self.winner is None:
            most = MOST - self.reached
            fits = [place for place in self.held[self.mover] if VALUES[place] <= most]
            if fits:
                return fits
            self.said.add(self.mover)
            self._pass_on(self.mover)
        return None

    def card(self, place: int) -> None:
        """Play a card of the player whose turn it is; ValueError if there is none."""
        seat = self.mover
        if seat is None:
            raise ValueError("all cards are played")
        self.held[seat].remove(place)
        self.pile = (*self.pile, RANKS[place])
        self.reached += VALUES[place]
        self.last = seat
        if len(self.pile) > 1 and (gained := points(self.pile)):
            self._peg(seat, gained)
        if self.reached == MOST:
            self._new_count()
        else:
            self._pass_on(seat)

    def _pass_on(self, seat: Seat) -> None:
        for other in ROUND[len(self.held)][seat]:
            if self.held[other] and other not in self.said:
                self.mover = other
                return
        if self.winner is None:
            self._peg(self.last, 1)
        self._new_count()

    def _new_count(self) -> None:
        self.pile, self.reached, self.said = (), 0, set()
        self.mover = next((o for o in ROUND[len(self.held)][self.last] if self.held[o]), None)

    def _peg(self, seat: Seat, gained: int) -> None:
        side = seat % len(self.scores)
        self.scores[side] += gained
        if self.scores[side] >= self.target:
            self.winner = side

    def _quick(self, fits: list[int]) -> int:
        """The card that pegs most, less a risk that the next player pegs on it; of equals the highest."""
        best, chosen = -100.0, fits[0]
        pile, reached = self.pile, self.reached
        for place in fits:
            rank, value = RANKS[place], VALUES[place]
            worth = (points((*pile, rank)) if pile else 0) - RISKS.get(reached + value, 0.0) + 0.01 * value
            if pile and pile[-1] == rank:
                worth -= PAIRED
            if worth > best:
                best, chosen = worth, place
        return chosen
