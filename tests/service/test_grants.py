"""What the house gives: boosters as a welcome, and grants of its operator. All of it is in the books."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import Session, select

from service.models import BoosterRow, Grant
from service.operations import grants
from service.operations.audit import audit
from service.operations.grants import BadGrantError, Gift
from service.problems import Problem
from service.runtime import Runtime
from tests.service import booster_kit
from tests.service.service_kit import Guest

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def welcoming(house: Runtime, boosters: int) -> None:
    """Let every new player get so many boosters."""
    object.__setattr__(house, "settings", replace(house.settings, welcome_boosters=boosters))


def opened(guest: Guest, booster: str) -> list[dict[str, Any]]:
    """The copies in a booster."""
    answer = booster_kit.opened(guest, booster)
    assert answer.status_code == 200, answer.text
    return list(answer.json["copies"])


def in_order(house: Runtime) -> bool:
    with house.read() as session:
        return audit(session).findings == []


def cards(house: Runtime, **counts: int) -> dict[int, int]:
    """Counts by card number."""
    return {house.catalog.by_slug(slug).number: count for slug, count in counts.items()}


def test_a_new_player_gets_boosters_whose_copies_are_bound(
    house: Runtime, seat: Callable[..., Guest], ann: Guest
) -> None:
    welcoming(house, 2)
    cleo = seat("cleo")
    assert ann.get("/boosters").json["items"] == []
    items = cleo.get("/boosters").json["items"]
    assert [(item["origin"], item["soulbound"], item["set"]) for item in items] == [
        ("welcome", True, "PB")
    ] * 2
    copies = opened(cleo, items[0]["id"])
    assert copies
    assert all(copy["soulbound"] for copy in copies)
    offer = {"gives": {"copies": [copies[0]["id"]]}, "wants": {"coins": 1}}
    refused = cleo.post("/offers", offer)
    assert refused.json["code"] == "copies_missing"
    assert refused.json["errors"][0]["code"] == "soulbound"
    assert ann.get("/rewards").json["welcome_boosters"] == 2
    assert in_order(house)


@ONE
def test_a_refused_registration_gives_nothing(house: Runtime, seat: Callable[..., Guest], ann: Guest) -> None:
    welcoming(house, 1)
    with pytest.raises(AssertionError, match="handle_taken"):
        seat("ANN")
    with house.read() as session:
        assert session.exec(select(BoosterRow)).all() == []


def test_a_grant_gives_coins_boosters_and_copies_in_one_transaction(house: Runtime, ann: Guest) -> None:
    had = {item["card"]: item["owned"] for item in ann.get("/collection").json["items"]}
    given = grants.give(house, "ANN", Gift(30, 2, "PB", cards(house, caviar=3)))
    assert not given.before
    assert ann.get("/wallet").json["coins"] == 30
    boosters = ann.get("/boosters").json["items"]
    origin = f"granted:{given.grant.id}"
    assert [(item["origin"], item["soulbound"]) for item in boosters] == [(origin, False)] * 2
    caviar = ann.get("/collection/copies?card=caviar").json["items"]
    assert [(copy["origin"], copy["soulbound"]) for copy in caviar][-3:] == [(origin, False)] * 3
    assert len(caviar) == had.get("caviar", 0) + 3
    (told,) = [each for each in ann.get("/feed").json["events"] if each["event"] == "grant.received"]
    assert (told["data"]["coins"], told["data"]["boosters"], told["data"]["copies"]) == (30, 2, 3)
    assert not any(copy["soulbound"] for copy in opened(ann, boosters[0]["id"]))
    assert in_order(house)


@ONE
def test_a_bound_grant_stays_with_its_player(house: Runtime, ann: Guest) -> None:
    grants.give(house, "ann", Gift(boosters=1, cards=cards(house, saffron=1), soulbound=True))
    (booster,) = ann.get("/boosters").json["items"]
    assert booster["soulbound"]
    assert all(copy["soulbound"] for copy in opened(ann, booster["id"]))
    assert ann.get("/collection/copies?card=saffron").json["items"][-1]["soulbound"]
    assert in_order(house)


def test_a_grant_with_a_name_is_given_once_even_if_asked_for_at_the_same_time(
    house: Runtime, ann: Guest, bob: Guest
) -> None:
    answers: list[bool] = []

    def ask() -> None:
        answers.append(grants.give(house, "ann", Gift(coins=5, boosters=1), "spring-cup").before)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [False, True, True, True]
    assert not grants.give(house, "bob", Gift(coins=5), "spring-cup").before
    assert not grants.give(house, "ann", Gift(coins=5), "summer-cup").before
    assert (ann.get("/wallet").json["coins"], bob.get("/wallet").json["coins"]) == (10, 5)
    assert len(ann.get("/boosters").json["items"]) == 1
    assert in_order(house)


IMPOSSIBLE = {
    "nothing": (Gift(), None, "coins, boosters or copies"),
    "a debt": (Gift(coins=-1), None, "not -1"),
    "too many coins": (Gift(coins=grants.MOST_COINS + 1), None, "not 1000001"),
    "too many boosters": (Gift(boosters=grants.MOST_BOOSTERS + 1), None, "not 101"),
    "a set that is not there": (Gift(boosters=1, set_code="XX"), None, "Sets with boosters: PB"),
    "a card that is not there": (Gift(cards={999_999: 1}), None, "no card 999999"),
    "no copies": (Gift(coins=1, cards={1027: 0}), None, "0 copies of Tuna"),
    "a name without letters": (Gift(coins=1), "", "1 to 60"),
    "a name over two lines": (Gift(coins=1), "a\nb", "visible"),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
@ONE
def test_an_impossible_grant_changes_nothing(house: Runtime, ann: Guest, name: str) -> None:
    gift, occasion, said = IMPOSSIBLE[name]
    with pytest.raises(BadGrantError) as refused:
        grants.give(house, "ann", gift, occasion)
    (fault,) = refused.value.faults
    assert said in fault
    with house.read() as session:
        assert session.exec(select(Grant)).all() == []


@ONE
def test_a_grant_for_nobody_is_refused(house: Runtime) -> None:
    with pytest.raises(Problem) as refused:
        grants.give(house, "nobody-here", Gift(coins=1))
    assert refused.value.code == "not_found"


@ONE
def test_the_audit_compares_grants_with_what_they_brought(house: Runtime, ann: Guest) -> None:
    given = grants.give(house, "ann", Gift(3, 1, None, cards(house, tuna=1))).grant
    changes = (
        f"UPDATE house_grant SET coins = 4 WHERE id = '{given.id}'",
        f"UPDATE house_grant SET boosters = 2 WHERE id = '{given.id}'",
        f"UPDATE house_grant SET copies = 0 WHERE id = '{given.id}'",
        f"UPDATE booster SET origin = 'granted:x' WHERE origin = 'granted:{given.id}'",
        "DELETE FROM house_grant",
    )
    for change in changes:
        with house.database.engine.connect() as connection, connection.begin() as changed:
            connection.exec_driver_sql(change)
            found = {each.code for each in audit(Session(connection)).findings}
            changed.rollback()
        assert found == {"bad_grant"}, change
    assert in_order(house)
