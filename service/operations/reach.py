"""How far away a card is that a player lacks: what it costs, and how many wins that is.

A Basic Ingredient is free. Other cards are bought from an open offer, or they come out of boosters. Coins and
boosters are won, so both ways have a length in wins, and a card's way is the shorter one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf

from sqlmodel import Session

from cards.catalog.boosters import odds
from service.operations import boosters, collection, ledger, market
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Way:
    """The shortest way to one more copy of a card."""

    card: int
    how: str | None
    """"free", "offer" or "boosters"; None if nobody offers the card and no booster holds it."""
    coins: int | None
    """The price of the cheapest offer; None if nobody offers the card for coins alone."""
    offers: tuple[str, ...]
    """The id of that offer."""
    chance: Fraction
    """The probability that a booster holds the card, by the weights alone."""
    wins: int | None
    """The number of wins to it, with the coins that the player has: see `ways`. None if there is no way."""

    @property
    def order(self) -> tuple[float, float, int]:
        """Sorts ways, the shortest first."""
        return (inf if self.wins is None else self.wins, inf if self.coins is None else self.coins, self.card)


def order_of(gain: float, way: Way) -> tuple[bool, bool, float]:
    """Sorts cards to get: first those that cost no win, then by gain for each win, then those without a way.

    Where wins do not tell two apart, the greater gain comes first.
    """
    return (way.wins is None, bool(way.wins), -gain / (way.wins or 1))


def ways(house: Runtime, session: Session, player_id: str, cards: Iterable[int]) -> dict[int, Way]:
    """The shortest way of a player to one more copy of each of these cards.

    A win is taken to bring the coins of the first win over an opponent. For an offer, `wins` is how many such
    wins its price takes. For boosters it is an average: each win brings a share of the next booster, by its
    coins and by the boosters that wins bring; and the card is expected after 1 / `chance` boosters.
    """
    owned = collection.owned(session, player_id)
    wanted = {card: owned.get(card, 0) + 1 for card in cards}
    coins, each = ledger.coins_of(session, player_id), _chances(house)
    found = {}
    for cost in market.cost(house, session, player_id, wanted):
        chance = each.get(cost.card, Fraction(0))
        price = None if cost.free or cost.unavailable else cost.coins
        offers = () if price is None else tuple(cost.offers)
        lengths = {"boosters": _by_boosters(house, coins, chance), "offer": _by_offer(house, coins, price)}
        how, wins = min(lengths.items(), key=lambda way: (inf if way[1] is None else way[1], way[0]))
        if cost.free:
            found[cost.card] = Way(cost.card, "free", None, (), chance, 0)
        else:
            found[cost.card] = Way(cost.card, None if wins is None else how, price, offers, chance, wins)
    return found


def _chances(house: Runtime) -> Mapping[int, Fraction]:
    """The probability that a booster on sale holds a card, by card number."""
    return {
        card: rarity.each
        for rules in boosters.on_sale(house).values()
        for rarity in odds(rules)
        for card in rules.cards[rarity.rarity]
    }


def _best(house: Runtime) -> int:
    """The coins of the first win over an opponent."""
    return max(house.settings.reward_coins, default=0)


def _by_offer(house: Runtime, coins: int, price: int | None) -> int | None:
    if price is None:
        return None
    if price <= coins:
        return 0
    return ceil((price - coins) / _best(house)) if _best(house) else None


def _by_boosters(house: Runtime, coins: int, chance: Fraction) -> int | None:
    if not chance:
        return None
    settings = house.settings
    per_win = Fraction(_best(house), settings.booster_price)
    if settings.reward_booster_every and _best(house):
        per_win += Fraction(1, settings.reward_booster_every)
    bought = coins // settings.booster_price
    if 1 / chance <= bought:
        return 0
    return ceil((1 / chance - bought) / per_win) if per_win else None
