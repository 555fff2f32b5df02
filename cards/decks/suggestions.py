"""Suggestions for a deck: which card would raise its expected yum most, and which card it replaces.

A player may add a card of their own, or look beyond, at cards that could be got.

The same deals are judged with and without an exchange, card for card, so most of their luck cancels out. The
standard error measures the luck that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cards.catalog.cards import Card
from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks.forecast import MOST_STEPS, Mean, bests, deals, listed, mean, orders
from cards.decks.odds import CardCounts, drawn
from cards.games.chef.search import Best, Meter, appeal, best

HORIZON = 8
"""Rounds over which a suggestion is judged; a match lasts ten or so."""

OUTS = 3
"""The number of cards that may be removed; each is tried with every card that may be added."""

FINALISTS = 6
"""Exchanges that are judged again on fresh deals."""

PROBES = 8
"""Deals that are tried to estimate how many can be afforded."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An exchange of one card for another."""

    add: Card
    alike: tuple[Card, ...]
    """Other cards to choose from that have the same effect in this deck."""
    remove: Card | None
    """The card to remove; None if the deck has room for another card."""
    gain: Mean
    """The gain in the best yum, averaged over the rounds."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Suggestions, best first, and how thorough the search for them was."""

    suggestions: tuple[Suggestion, ...]
    candidates: int
    """Cards that could be added; cards that are alike count once."""
    sifted: int
    """Deals on which all exchanges were tried."""
    judged: int
    """Other deals, from which the gains of the best exchanges come."""


def suggest(
    deck: CardCounts, owned: CardCounts, sifted: int, judged: int, seed: str, *, distinct: bool = False
) -> Advice:
    """The exchanges of one card that most raise the expected best yum of rounds 1 to `HORIZON`.

    With `distinct` there is one exchange at most for each card to add.

    First each distinct card of the deck is replaced by a blank; the `OUTS` cards that are missed least may be
    removed. Then every owned card is tried in the place of the least missed one; cards that are alike are
    tried once. This sifting is noisy, and the best of many noisy figures are too high. So the finalists are
    judged again, on deals that were not used to choose them, and suggested if they gain there. `gain.error`
    says how much of the gain may be chance.
    """
    full = sum(deck.values()) >= DECK_SIZE
    groups = alike(deck, [card for card, n in owned.items() if deck.get(card, 0) < min(n, MOST_COPIES)])
    sifted, judged = _affordable(deck, len(groups), sifted, judged, seed)
    if not groups:
        return Advice((), 0, sifted, judged)
    table = _Table(deck, sifted, f"sift {seed}")
    outs: list[Card | None] = [*table.least_missed()[:OUTS]] if full else [None]
    ranked = sorted(groups, key=lambda group: (-table.gain(outs[0], group[0]), group[0].number))
    pairs = [(out, group) for group in ranked[:FINALISTS] for out in outs if out not in group]
    pairs.sort(key=lambda pair: (-table.gain(pair[0], pair[1][0]), pair[1][0].number))
    if distinct:
        pairs = [*{group: (out, group) for out, group in reversed(pairs)}.values()]
    fresh = _Table(deck, judged, f"judge {seed}")
    found = [
        Suggestion(group[0], group[1:], out, mean(fresh.gains(out, group[0])))
        for out, group in pairs[:FINALISTS]
    ]
    found.sort(key=lambda suggestion: (-suggestion.gain.mean, suggestion.add.number))
    kept = tuple(suggestion for suggestion in found if suggestion.gain.mean > 0)
    return Advice(kept, len(groups), sifted, judged)


def beyond(deck: CardCounts, owned: CardCounts, known: Iterable[Card]) -> CardCounts:
    """The cards to look at beyond those that a player owns, each as often as a deck may hold it.

    `known` are all cards that can be got. Cards of which the player owns enough for one more copy in the deck
    are left out, and so are cards that have the same effect in it as one of these.
    """
    mine = {card for card, n in owned.items() if deck.get(card, 0) < min(n, MOST_COPIES)}
    groups = alike(deck, {*mine, *known})
    return {card: MOST_COPIES for group in groups if mine.isdisjoint(group) for card in group}


def _affordable(deck: CardCounts, groups: int, sifted: int, judged: int, seed: str) -> tuple[int, int]:
    """Estimate from a few deals how many of the wanted ones can be judged in about `MOST_STEPS`."""
    meter = Meter()
    for deal in deals(deck, PROBES, f"probe {seed}"):
        bests(deal, HORIZON, meter)
    # An exchange costs about half as much as a deal, since it only changes hands that hold the card.
    each = meter.steps / PROBES / 2
    work = each * (sifted * (groups + FINALISTS * OUTS) + judged * FINALISTS)
    share = min(1.0, MOST_STEPS / max(1.0, work))
    return max(PROBES, round(sifted * share)), max(PROBES, round(judged * share))


def alike(deck: CardCounts, cards: Iterable[Card]) -> list[tuple[Card, ...]]:
    """Cards in groups that have the same effect in a deck; cards in a group and groups come by number."""
    recipes = sorted((card for card in deck if card.is_recipe), key=lambda card: card.number)
    groups: dict[object, list[Card]] = {}
    for card in sorted(cards, key=lambda card: card.number):
        key = (
            card
            if card.is_recipe
            else (card.net, card.bonus, card.one_time, *(appeal(recipe, card) for recipe in recipes))
        )
        groups.setdefault(key, []).append(card)
    return [tuple(group) for group in groups.values()]


class _Table:
    """Deals of a deck, which are judged with one card in another's place.

    The copy that is replaced is chosen before the shuffle, so all places in a deal have equal odds.
    """

    def __init__(self, deck: CardCounts, count: int, seed: str) -> None:
        self._cards = listed(deck)
        # A deck with room gets a blank, which a card can replace.
        self._size = max(len(self._cards), DECK_SIZE)
        self._orders = [*orders(self._size, count, seed)]
        self._dealt = [[self._face(i) for i in order] for order in self._orders]
        self._best = [_bests_of(dealt, self._size) for dealt in self._dealt]
        self._bare: dict[int, list[tuple[int, list[int]]]] = {}

    def _face(self, index: int) -> Card | None:
        return self._cards[index] if index < len(self._cards) else None

    def least_missed(self) -> list[Card]:
        """The distinct cards of the deck, beginning with the one without which the deck does best."""
        return sorted(
            dict.fromkeys(self._cards),
            key=lambda card: (-sum(sum(yums) for _, yums in self._without(card)), card.number),
        )

    def gain(self, out: Card | None, add: Card) -> float:
        """The mean gain of an exchange in the best yum, over all deals and rounds."""
        return mean(self.gains(out, add)).mean

    def gains(self, out: Card | None, add: Card) -> list[float]:
        """The gain of an exchange in the best yum, averaged over the rounds, for each deal."""
        found = []
        for dealt, before, (place, bare) in zip(self._dealt, self._best, self._without(out), strict=True):
            total = 0
            newest = 0
            for t in range(HORIZON):
                yum = bare[t]
                if place < drawn(self._size, t + 1):
                    hand = _hand(dealt, drawn(self._size, t + 1), place)
                    hand[add] += 1
                    better = best(hand, max(yum, newest), add)
                    newest = better.yum if better else newest
                dish = before[t]
                total += max(yum, newest) - (dish.yum if dish else 0)
            found.append(total / HORIZON)
        return found

    def _without(self, out: Card | None) -> list[tuple[int, list[int]]]:
        """Find for each deal the place of a copy of a card, and the best yum by round with a blank there."""
        index = len(self._cards) if out is None else self._cards.index(out)
        if index not in self._bare:
            self._bare[index] = [
                (order.index(index), self._bared(dealt, before, order.index(index)))
                for order, dealt, before in zip(self._orders, self._dealt, self._best, strict=True)
            ]
        return self._bare[index]

    def _bared(self, dealt: Sequence[Card | None], before: Sequence[Best | None], place: int) -> list[int]:
        gone, yums, newest = dealt[place], [], 0
        for t, dish in enumerate(before):
            end = drawn(self._size, t + 1)
            used = 0 if dish is None else (dish.recipe, *dish.ingredients).count(gone)
            if dish is None or place >= end or used < dealt[:end].count(gone):
                newest = dish.yum if dish else 0
            else:
                better = best(_hand(dealt, end, place), newest)
                newest = better.yum if better else newest
            yums.append(newest)
        return yums


def _hand(dealt: Sequence[Card | None], end: int, place: int) -> Counter[Card]:
    """The first cards of a deal, without the one at a place."""
    return Counter(card for i, card in enumerate(dealt[:end]) if i != place and card is not None)


def _bests_of(dealt: Sequence[Card | None], size: int) -> list[Best | None]:
    found: list[Best | None] = []
    newest: Best | None = None
    for t in range(HORIZON):
        newest = best(_hand(dealt, drawn(size, t + 1), -1), newest.yum if newest else 0) or newest
        found.append(newest)
    return found
