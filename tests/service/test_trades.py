"""Trades: set aside when offered, settled whole or not at all, back when the time is up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from service.operations import housekeeping, trades
from service.runtime import Runtime
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, codes
from tests.service.trade_kit import accept, coins, enrich, findings, offer, where

HOUR = 3_600_000


def test_a_listing_is_bought(ann: Guest, bob: Guest, house: Runtime) -> None:
    (tuna,) = enrich(house, ann, tuna=1)
    enrich(house, bob, coins=30)
    made = offer(ann, {"copies": [tuna]}, {"coins": 20})
    assert (made["state"], made["maker"], made["to"], made["taker"]) == ("open", "Ann", None, None)
    assert [(c["id"], c["card"]) for c in made["gives"]["copies"]] == [(tuna, "tuna")]
    assert made["wants"] == {"cards": {}, "coins": 20}
    assert where(house, tuna) == (ann.id, "listed", made["id"])
    taken = accept(bob, made)
    assert (taken["state"], taken["taker"]) == ("accepted", "bob")
    assert where(house, tuna) == (bob.id, "free", None)
    assert (coins(house, ann), coins(house, bob)) == (20, 10)
    assert findings(house) == []


def test_cards_and_coins_for_cards(ann: Guest, bob: Guest, house: Runtime) -> None:
    """Coins that are given lie aside from the offer on; of wanted cards the newest free copies are given."""
    mine = enrich(house, ann, coins=9, tuna=2)
    theirs = enrich(house, bob, saffron=3)
    made = offer(ann, {"cards": {"tuna": 2}, "coins": 7}, {"cards": {"saffron": 2}}, to="BOB")
    assert made["to"] == "bob"
    assert coins(house, ann) == 2
    assert {where(house, copy)[1] for copy in mine} == {"escrow"}
    assert findings(house) == []
    taken = accept(bob, made, [theirs[0]])
    assert {copy["id"] for copy in taken["got"]} == {theirs[0], theirs[2]}
    assert (coins(house, ann), coins(house, bob)) == (2, 7)
    assert {where(house, copy) for copy in mine} == {(bob.id, "free", None)}
    assert where(house, theirs[0]) == where(house, theirs[2]) == (ann.id, "free", None)
    assert where(house, theirs[1]) == (bob.id, "free", None)
    assert findings(house) == []


@pytest.mark.parametrize(("verb", "state"), [("withdraw", "withdrawn"), ("decline", "declined")])
def test_what_is_not_taken_comes_back(ann: Guest, bob: Guest, house: Runtime, verb: str, state: str) -> None:
    (tuna,) = enrich(house, ann, coins=5, tuna=1)
    made = offer(ann, {"copies": [tuna], "coins": 5}, {"cards": {"saffron": 1}}, to="bob")
    by = ann if verb == "withdraw" else bob
    closed = by.post(f"/offers/{made['id']}/{verb}", {})
    assert (closed.status_code, closed.json["state"]) == (200, state)
    assert where(house, tuna) == (ann.id, "free", None)
    assert coins(house, ann) == 5
    assert findings(house) == []
    for who, again in ((ann, "withdraw"), (bob, "decline"), (bob, "accept")):
        refused = who.post(f"/offers/{made['id']}/{again}", {})
        assert (refused.status_code, refused.json["code"]) == (409, "offer_closed")
        assert refused.json["state"] == state


def test_time_runs_out(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    """Nobody can take an offer once its time is up, and a worker gives back what it gave."""
    (tuna,) = enrich(house, ann, tuna=1)
    enrich(house, bob, coins=9)
    made = offer(ann, {"copies": [tuna]}, {"coins": 1}, hours=2)
    clock[0] += 2 * HOUR - 1
    assert trades.expire(house, clock[0]) == 0
    assert ann.get(f"/offers/{made['id']}").json["state"] == "open"
    clock[0] += 1
    assert ann.get(f"/offers/{made['id']}").json["state"] == "expired"
    assert bob.get("/offers").json["items"] == []
    refused = bob.post(f"/offers/{made['id']}/accept", {})
    assert (refused.status_code, refused.json["code"]) == (409, "offer_closed")
    assert where(house, tuna)[1] == "listed"
    assert housekeeping.tidy(house) == 1
    assert where(house, tuna) == (ann.id, "free", None)
    assert housekeeping.tidy_now(house)["offers"] == 0
    assert findings(house) == []


def test_the_players_are_told(ann: Guest, bob: Guest, house: Runtime, clock: list[int]) -> None:
    enrich(house, ann, tuna=3)

    def told(guest: Guest) -> list[tuple[str, str | None]]:
        events = guest.get("/feed").json["events"]
        return [(e["event"], e["data"].get("name")) for e in events if e["event"].startswith("offer")]

    for verb, by in (("accept", bob), ("decline", bob), ("withdraw", ann)):
        enrich(house, bob, coins=1)
        made = offer(ann, {"cards": {"tuna": 1}}, {"coins": 1}, to="bob")
        assert by.post(f"/offers/{made['id']}/{verb}", {}).status_code == 200
    offer(ann, {"cards": {"tuna": 1}}, {"coins": 1}, to="bob", hours=1)
    clock[0] += HOUR
    trades.expire(house, clock[0])
    assert told(ann) == [("offer.accepted", "bob"), ("offer.declined", "bob"), ("offer.expired", None)]
    assert told(bob) == [
        *(("offer.made", "Ann"),) * 3,
        ("offer.withdrawn", "Ann"),
        ("offer.made", "Ann"),
        ("offer.expired", None),
    ]


def test_a_copy_s_history_has_its_owners(ann: Guest, bob: Guest, house: Runtime) -> None:
    """The house signs all owners of a copy, whoever has it now."""
    (tuna,) = enrich(house, ann, coins=3, tuna=1)
    enrich(house, bob, coins=5)
    accept(bob, offer(ann, {"copies": [tuna]}, WANTS))
    accept(ann, offer(bob, {"copies": [tuna]}, {"coins": 8}))
    owners = ann.get(f"/collection/copies/{tuna}/provenance").json["owners"]
    assert [(owner["player"], owner["kind"]) for owner in owners] == [
        (ann.id, "opening"),
        (bob.id, "trade"),
        (ann.id, "trade"),
    ]
    assert bob.get(f"/collection/copies/{tuna}/provenance").status_code == 404


# Refused requests change nothing

GIVES, WANTS = {"cards": {"tuna": 1}}, {"coins": 5}


@pytest.mark.parametrize(
    ("body", "status", "fault"),
    [
        ({"gives": {}, "wants": WANTS}, 422, ("nothing", "/gives")),
        ({"gives": GIVES, "wants": {}}, 422, ("nothing", "/wants")),
        ({"gives": {"coins": 1}, "wants": WANTS}, 422, ("coins_for_coins", "/wants/coins")),
        ({"gives": {"cards": {"tuna": 41}}, "wants": WANTS}, 422, ("too_many_copies", "/gives")),
        ({"gives": GIVES, "wants": {"cards": {"salt": 41}}}, 422, ("too_many_copies", "/wants")),
        ({"gives": {"cards": {"tuna": 3}}, "wants": WANTS}, 409, ("copies_missing", "/gives/cards/tuna")),
        ({"gives": {"cards": {"bread": 1}}, "wants": WANTS}, 409, ("copies_missing", "/gives/cards/bread")),
        ({"gives": {"copies": ["no such"]}, "wants": WANTS}, 409, ("not_yours", "/gives/copies/0")),
        ({"gives": {"cards": {"unicorn": 1}}, "wants": WANTS}, 422, ("unknown_card", "/gives/cards/unicorn")),
        ({"gives": GIVES, "wants": {"coins": -1}}, 422, ("invalid", "/wants/coins")),
        ({"gives": GIVES, "wants": {"coins": 10**10}}, 422, ("invalid", "/wants/coins")),
        ({"gives": GIVES, "wants": WANTS, "hours": 0}, 422, ("invalid", "/hours")),
        ({"gives": GIVES, "wants": WANTS, "hours": 721}, 422, ("invalid", "/hours")),
        ({"gives": GIVES, "wants": WANTS, "to": "Ann"}, 422, ("own_offer", "/to")),
        ({"gives": GIVES}, 422, ("required", "/wants")),
    ],
)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_bad_offer_is_refused(
    ann: Guest, house: Runtime, body: dict[str, Any], status: int, fault: tuple[str, str]
) -> None:
    copies = enrich(house, ann, coins=10, tuna=2)
    refused = ann.post("/offers", body)
    assert (refused.status_code, codes(refused)) == (status, [fault]), refused.json
    assert {where(house, copy)[1] for copy in copies} == {"free"}
    assert coins(house, ann) == 10
    assert ann.get("/offers?mine=true").json["items"] == []


def test_an_offer_to_nobody_and_beyond_ones_coins(ann: Guest, house: Runtime) -> None:
    enrich(house, ann, coins=4, tuna=1)
    nobody = ann.post("/offers", {"gives": GIVES, "wants": WANTS, "to": "nobody-here"})
    assert (nobody.status_code, nobody.json["code"]) == (404, "not_found")
    poor = ann.post("/offers", {"gives": {"coins": 5}, "wants": {"cards": {"tuna": 1}}})
    assert (poor.status_code, poor.json["code"], poor.json["needed"]) == (409, "too_few_coins", 5)
    assert coins(house, ann) == 4
    assert findings(house) == []


def test_named_copies_are_free_unbound_and_named_once(ann: Guest, bob: Guest, house: Runtime) -> None:
    one, two = enrich(house, ann, tuna=2)
    (bobs,) = enrich(house, bob, tuna=1)
    bound = ann.get("/collection/copies?limit=1").json["items"][0]["id"]
    listed = offer(ann, {"copies": [two]}, WANTS)
    refused = ann.post("/offers", {"gives": {"copies": [one, bound, bobs, one, two]}, "wants": WANTS})
    assert refused.status_code == 409
    assert codes(refused) == [
        ("soulbound", "/gives/copies/1"),
        ("not_yours", "/gives/copies/2"),
        ("repeated_copy", "/gives/copies/3"),
        ("not_free", "/gives/copies/4"),
    ]
    assert where(house, one) == (ann.id, "free", None)
    assert where(house, two) == (ann.id, "listed", listed["id"])


def test_who_may_take_it(ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime) -> None:
    carl = seat("carl")
    enrich(house, ann, tuna=2)
    for guest in (ann, bob, carl):
        enrich(house, guest, coins=5)
    private, public = offer(ann, GIVES, WANTS, to="bob"), offer(ann, GIVES, WANTS)
    for verb in ("accept", "decline", "withdraw"):
        assert carl.post(f"/offers/{private['id']}/{verb}", {}).status_code == 404
    assert carl.get(f"/offers/{private['id']}").status_code == 404
    assert carl.get(f"/offers/{public['id']}").status_code == 200
    for who, verb, code in (
        (ann, "accept", "own_offer"),
        (ann, "decline", "not_your_offer"),
        (bob, "withdraw", "not_your_offer"),
        (carl, "decline", "not_your_offer"),
    ):
        refused = who.post(f"/offers/{public['id']}/{verb}", {})
        assert (refused.status_code, refused.json["code"]) == (409, code)
    accept(bob, public)
    assert carl.get(f"/offers/{public['id']}").status_code == 404
    late = carl.post(f"/offers/{public['id']}/accept", {})
    assert (late.status_code, late.json["code"], late.json["state"]) == (409, "offer_closed", "accepted")
    assert bob.get(f"/offers/{public['id']}").json["taker"] == "bob"


def test_what_a_taker_lacks(ann: Guest, bob: Guest, house: Runtime) -> None:
    enrich(house, ann, tuna=1)
    tuna, _ = enrich(house, bob, saffron=1, tuna=1)
    made = offer(ann, GIVES, {"cards": {"saffron": 2}})
    short = bob.post(f"/offers/{made['id']}/accept", {})
    assert (short.status_code, codes(short)) == (409, [("copies_missing", "/cards/saffron")])
    wrong = bob.post(f"/offers/{made['id']}/accept", {"copies": [tuna]})
    assert (wrong.status_code, codes(wrong)) == (422, [("not_wanted", "/copies/0")])
    dear = offer(bob, {"cards": {"saffron": 1}}, {"coins": 1})
    poor = ann.post(f"/offers/{dear['id']}/accept", {})
    assert (poor.status_code, poor.json["code"]) == (409, "too_few_coins")
    assert findings(house) == []


@ON_SQLITE_FIRST
def test_at_most_fifty_are_open(ann: Guest, house: Runtime) -> None:
    enrich(house, ann, coins=trades.MOST_OPEN + 1)
    for _ in range(trades.MOST_OPEN):
        offer(ann, {"coins": 1}, {"cards": {"tuna": 1}})
    refused = ann.post("/offers", {"gives": {"coins": 1}, "wants": {"cards": {"tuna": 1}}})
    assert (refused.status_code, refused.json["code"]) == (409, "too_many_offers")
    assert coins(house, ann) == 1


def test_a_repeated_acceptance_under_one_key_is_one(ann: Guest, bob: Guest, house: Runtime) -> None:
    enrich(house, ann, tuna=1)
    enrich(house, bob, coins=10)
    made = offer(ann, GIVES, WANTS)
    bob.headers["Idempotency-Key"] = "once"
    first, second = (bob.post(f"/offers/{made['id']}/accept", {"copies": []}) for _ in range(2))
    assert (first.status_code, first.get_data()) == (200, second.get_data())
    assert coins(house, bob) == 5


# Several at once


def _all(calls: Sequence[Callable[[], Any]]) -> list[int]:
    with ThreadPoolExecutor(len(calls)) as pool:
        return sorted(answer.result().status_code for answer in [pool.submit(call) for call in calls])


def test_of_many_who_take_it_one_gets_it(
    ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime
) -> None:
    """While its maker withdraws it, and two others take it, exactly one of the three has done it."""
    carl = seat("carl")
    for guest in (bob, carl):
        enrich(house, guest, coins=50)
    for _ in range(5):
        (tuna,) = enrich(house, ann, tuna=1)
        made = offer(ann, {"copies": [tuna]}, WANTS)
        path = f"/offers/{made['id']}"
        answers = _all(
            [
                lambda path=path: bob.post(f"{path}/accept", {}),  # type: ignore[misc]
                lambda path=path: carl.post(f"{path}/accept", {}),  # type: ignore[misc]
                lambda path=path: ann.post(f"{path}/withdraw", {}),  # type: ignore[misc]
            ]
        )
        assert answers == [200, 409, 409]
        assert where(house, tuna)[1] == "free"
    assert coins(house, ann) + coins(house, bob) + coins(house, carl) == 100
    assert findings(house) == []


def test_two_who_sell_each_other_never_wait_in_a_circle(ann: Guest, bob: Guest, house: Runtime) -> None:
    for guest in (ann, bob):
        enrich(house, guest, coins=40, tuna=6)
    pairs = [
        (offer(ann, {"cards": {"tuna": 1}}, {"coins": 2}), offer(bob, {"cards": {"tuna": 1}}, {"coins": 3}))
        for _ in range(4)
    ]
    for mine, theirs in pairs:
        assert _all(
            [
                lambda mine=mine: bob.post(f"/offers/{mine['id']}/accept", {}),  # type: ignore[misc]
                lambda theirs=theirs: ann.post(f"/offers/{theirs['id']}/accept", {}),  # type: ignore[misc]
            ]
        ) == [200, 200]
    assert (coins(house, ann), coins(house, bob)) == (36, 44)
    assert findings(house) == []
