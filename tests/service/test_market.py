"""The market: lists of offers, prices from real trades, wishes, and what a missing deck would cost."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.operations import market
from service.operations.market import Lot, cheapest
from service.runtime import Runtime
from tests.service.service_kit import Guest, codes
from tests.service.trade_kit import accept, enrich, offer


def ids(guest: Guest, query: str) -> list[str]:
    """The offers that a query finds, page by page of two."""
    found: list[str] = []
    cursor = ""
    while True:
        page = guest.get(f"/offers?limit=2{query}{cursor}").json
        found += [item["id"] for item in page["items"]]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_offers_are_found_by_what_they_give_and_want(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    enrich(house, ann, tuna=4, saffron=2)
    enrich(house, bob, coins=20, tuna=1)

    def made(guest: Guest, *sides: Any, **more: Any) -> str:
        clock[0] += 1
        return str(offer(guest, *sides, **more)["id"])

    dear = made(ann, {"cards": {"tuna": 1}}, {"coins": 9})
    cheap = made(ann, {"cards": {"tuna": 1, "saffron": 1}}, {"coins": 3})
    swap = made(ann, {"cards": {"saffron": 1}}, {"cards": {"bread": 1}})
    wanted = made(bob, {"coins": 5}, {"cards": {"tuna": 1}})
    private = made(ann, {"cards": {"tuna": 1}}, {"coins": 1}, to="bob")
    assert ids(bob, "") == [wanted, swap, cheap, dear]
    assert ids(bob, "&card=tuna") == [cheap, dear]
    assert ids(bob, "&card=tuna&sort=cheapest") == [cheap, dear]
    assert ids(bob, "&card=1047&sort=newest") == [swap, cheap]
    assert ids(ann, "&wants=tuna") == [wanted]
    assert ids(ann, "&maker=BOB") == [wanted]
    assert ids(ann, "&maker=nobody") == []
    assert ids(bob, "&sort=cheapest") == [*sorted([swap, wanted]), cheap, dear]
    assert ids(bob, "&mine=true") == [private, wanted]
    assert ids(ann, "&mine=true") == [private, swap, cheap, dear]
    accept(bob, {"id": cheap})
    assert ids(ann, "&card=tuna") == [dear]
    assert ids(bob, "&mine=true") == [private, wanted, cheap]
    unknown = ann.get("/offers?card=unicorn")
    assert unknown.status_code == 404
    wrong = ann.get("/offers?sort=dearest")
    assert (wrong.status_code, codes(wrong)) == (422, [("invalid", "sort")])
    assert ann.get("/offers?cursor=x").json["code"] == "bad_cursor"


def test_prices_are_of_trades_for_coins_alone(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    enrich(house, ann, tuna=9, saffron=2)
    enrich(house, bob, coins=100, saffron=3)
    trades: list[tuple[Any, Any]] = [
        ({"cards": {"tuna": 1}}, {"coins": 10}),
        ({"cards": {"tuna": 3}}, {"coins": 21}),
        ({"cards": {"tuna": 1}}, {"cards": {"saffron": 1}}),  # no coins
        ({"cards": {"tuna": 1}}, {"coins": 5, "cards": {"saffron": 1}}),  # not coins alone
        ({"cards": {"tuna": 1, "saffron": 1}}, {"coins": 30}),  # not one card
    ]
    for gives, wants in trades:
        clock[0] += 1000
        accept(bob, offer(ann, gives, wants))
    offer(ann, {"cards": {"tuna": 1}}, {"coins": 99})  # no trade
    clock[0] += 1000
    accept(ann, offer(bob, {"coins": 8}, {"cards": {"saffron": 2}}))  # bought by the player who asked for it
    found = bob.get("/prices/tuna").json["items"]
    assert [(p["card"], p["copies"], p["coins"]) for p in found] == [("tuna", 3, 21), ("tuna", 1, 10)]
    assert [(p["copies"], p["coins"]) for p in bob.get("/prices/saffron").json["items"]] == [(2, 8)]
    last = bob.get("/prices?limit=1").json
    assert [(p["card"], p["coins"]) for p in last["items"]] == [("tuna", 21)]
    last = bob.get(f"/prices?limit=1&cursor={last['next']}").json
    assert [(p["card"], p["coins"]) for p in last["items"]] == [("saffron", 8)]
    assert last["next"] is None
    first = bob.get("/prices/tuna?limit=1").json
    assert [p["coins"] for p in bob.get(f"/prices/tuna?cursor={first['next']}").json["items"]] == [10]
    assert bob.get("/prices/unicorn").status_code == 404


def test_prices_as_a_picture(ann: Guest, bob: Guest, house: Runtime) -> None:
    enrich(house, ann, tuna=1)
    enrich(house, bob, coins=10)
    empty = bob.get("/prices/tuna/chart.svg")
    assert empty.content_type == "image/svg+xml"
    assert "Nobody has bought or sold it" in empty.text
    accept(bob, offer(ann, {"cards": {"tuna": 1}}, {"coins": 7}))
    drawn = ElementTree.fromstring(bob.get("/prices/tuna/chart.svg").text)
    assert len(drawn.findall(".//{*}circle")) == 1
    assert "1 sale of 1 copy; coins a copy: last 7, median 7." in "".join(drawn.itertext())
    assert bob.get("/prices/unicorn/chart.svg").status_code == 404


def test_wishes_are_written_anew_each_time(ann: Guest, bob: Guest) -> None:
    assert ann.get("/wishes").json == {"cards": {}}
    for cards in ({"tuna": 2, "bread": 1}, {"saffron": 3}, {}):
        assert ann.put("/wishes", {"cards": cards}).json == {"cards": cards}
        assert ann.get("/wishes").json == {"cards": cards}
    ann.put("/wishes", {"cards": {"tuna": 1}})
    assert ann.put("/wishes", {"cards": {"unicorn": 1}}).status_code == 422
    assert ann.get("/wishes").json == {"cards": {"tuna": 1}}
    assert bob.get("/wishes").json == {"cards": {}}


def test_what_is_missing_would_cost(
    ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime, clock: list[int]
) -> None:
    carl = seat("carl")
    enrich(house, ann, tuna=9)
    enrich(house, bob, saffron=1)
    offers = [
        offer(ann, {"cards": {"tuna": copies}}, {"coins": coins}, **more)["id"]
        for copies, coins, more in _LOTS
    ]
    clock[0] += 3_600_000  # the cheapest one for everybody is over
    lacks = carl.post("/market/cost", {"cards": {"tuna": 3, "saffron": 2, "salt": 99}}).json
    by_card = {item["card"]: item for item in lacks["cards"]}
    owned = {h["card"]: h["owned"] for h in carl.get("/collection?limit=200").json["items"]}
    tuna = by_card["tuna"]
    assert tuna["missing"] == 3 - owned.get("tuna", 0)
    chosen = {3: (15, {offers[1], offers[2]}), 2: (9, {offers[1]})}
    assert (tuna["coins"], {*tuna["offers"]}) == chosen[tuna["missing"]]
    assert (tuna["unavailable"], tuna["free"], tuna["last"]) == (0, False, None)
    assert by_card["saffron"]["unavailable"] == by_card["saffron"]["missing"] == 2
    salt = by_card["salt"]
    assert (salt["free"], salt["coins"], salt["unavailable"]) == (True, 0, 0)
    assert lacks["coins"] == tuna["coins"]
    assert lacks["unavailable"] == 2
    assert lacks["missing"] == sum(item["missing"] for item in lacks["cards"])
    carl.put("/wishes", {"cards": {"tuna": 3, "saffron": 2, "salt": 99}})
    assert carl.get("/wishes/cost").json == lacks
    enrich(house, carl, coins=4)
    accept(carl, offer(bob, {"cards": {"saffron": 1}}, {"coins": 4}))
    saffron = next(i for i in carl.get("/wishes/cost").json["cards"] if i["card"] == "saffron")
    assert (saffron["missing"], saffron["last"]["coins"]) == (1, 4)
    mine = next(i for i in ann.post("/market/cost", {"cards": {"tuna": 99}}).json["cards"])
    assert (mine["offers"], mine["coins"]) == ([], 0)  # one does not buy from oneself


_LOTS: list[tuple[int, int, dict[str, Any]]] = [
    (1, 8, {}),
    (2, 9, {}),
    (1, 6, {}),
    (1, 1, {"to": "bob"}),
    (1, 2, {"hours": 1}),
]
LOTS = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 20)), max_size=7).map(
    lambda pairs: [Lot(str(i), copies, coins) for i, (copies, coins) in enumerate(pairs)]
)


@settings(max_examples=200, deadline=None)
@given(LOTS, st.integers(1, 8))
def test_the_chosen_lots_cost_least(lots: list[Lot], wanted: int) -> None:
    """Held against all subsets."""
    chosen = cheapest(lots, wanted)
    assert len({lot.offer for lot in chosen}) == len(chosen)
    enough = [
        subset
        for n in range(len(lots) + 1)
        for subset in combinations(lots, n)
        if sum(lot.copies for lot in subset) >= wanted
    ]
    if enough:
        assert sum(lot.copies for lot in chosen) >= wanted
        assert sum(lot.coins for lot in chosen) == min(sum(lot.coins for lot in s) for s in enough)
    else:
        assert chosen == lots


def test_at_most_so_many_wishes(ann: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(market, "MOST_WISHES", 1)
    refused = ann.put("/wishes", {"cards": {"tuna": 1, "bread": 1}})
    assert (refused.status_code, codes(refused)) == (422, [("too_many_wishes", "/cards")])
