"""Trading at a house: offers, prices, wishes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from client.calls import Calls, path_of

Json = dict[str, Any]


class MarketCalls(Calls):
    """Requests about trading. The answers are the house's JSON as it is (docs/trading.md)."""

    def offers(self, **query: str) -> Iterator[Json]:
        """The offers that are open to everybody, or with `mine="true"` those that I make or receive."""
        return self._items("/offers", {"limit": "200", **query})

    def offer(self, offer_id: str) -> Json:
        """One offer."""
        return self._get(path_of("offers", offer_id))

    def make_offer(
        self,
        gives: Mapping[str, Any],
        wants: Mapping[str, Any],
        to: str | None = None,
        hours: int | None = None,
    ) -> Json:
        """Offer copies or coins for copies or coins, to everybody or to one player by handle."""
        more = {name: value for name, value in (("to", to), ("hours", hours)) if value is not None}
        return self._object("POST", "/offers", json={"gives": dict(gives), "wants": dict(wants), **more})

    def accept_offer(self, offer_id: str, copies: Sequence[str] = ()) -> Json:
        """Accept an offer and give these copies for it; without any, the house takes my newest ones."""
        return self._object("POST", path_of("offers", offer_id, "accept"), json={"copies": list(copies)})

    def close_offer(self, offer_id: str, verb: str) -> Json:
        """ "withdraw" an offer of mine, or "decline" one that was made to me."""
        return self._object("POST", path_of("offers", offer_id, verb), json={})

    def prices(self, card: str | None = None) -> Iterator[Json]:
        """The prices paid for a card, newest first; without a card, the last price of each."""
        return self._items("/prices" if card is None else path_of("prices", card), {"limit": 200})

    def price_chart(self, card: str) -> bytes:
        """The chart of a card's prices, as SVG."""
        return self._call("GET", path_of("prices", card, "chart.svg")).content

    def wishes(self) -> dict[str, int]:
        """The cards that I wish for, as copies by slug."""
        found: dict[str, int] = self._get("/wishes")["cards"]
        return found

    def wish(self, cards: Mapping[str, int]) -> None:
        """Replace the list of my wishes by these copies by slug."""
        self._object("PUT", "/wishes", json={"cards": dict(cards)})

    def cost(self, cards: Mapping[str, int]) -> Json:
        """Ask what I would have to pay now to own these copies by slug."""
        return self._object("POST", "/market/cost", json={"cards": dict(cards)})
