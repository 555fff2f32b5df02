"""The copies of houses that save tests most of the time in which people come."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from service.models import Player
from service.runtime import Runtime
from tests.service.service_kit import Guest
from tests.service.settled_kit import Settled

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def test_who_comes_by_a_copy_is_signed_in_and_has_the_starter_deck(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    for guest, deck in ((ann, "Corner Trattoria"), (bob, "Night Market")):
        assert guest.get("/me").json["handle"] == guest.handle
        assert [one["name"] for one in guest.get("/decks").json["items"]] == [deck]
        with house.read() as session:
            assert session.get_one(Player, guest.id).created_at == house.now()


def test_nobody_comes_by_a_copy_to_a_house_where_something_was_done(
    settled: Settled, app: Flask, house: Runtime, seat: Callable[..., Guest]
) -> None:
    carl = seat("carl")
    ann = settled.enter(app, house, "Ann", "trattoria")
    assert {guest.get("/me").json["handle"] for guest in (ann, carl)} == {"Ann", "carl"}


@pytest.mark.parametrize("change", ["time", "settings"])
def test_nor_to_another_kind_of_house(
    settled: Settled, app: Flask, house: Runtime, clock: list[int], change: str
) -> None:
    if change == "time":
        clock[0] += 1
    else:
        object.__setattr__(house.settings, "welcome_boosters", 1)
    ann = settled.enter(app, house, "Ann", "trattoria")
    boosters = ann.get("/boosters").json["items"]
    assert len(boosters) == (0 if change == "time" else 1)
    with house.read() as session:
        assert session.get_one(Player, ann.id).created_at == clock[0]
