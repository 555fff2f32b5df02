"""The copies of houses that save tests most of the time of registering players."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from service.models import Player
from service.runtime import Runtime
from tests.service.registered_kit import RegisteredOnce
from tests.service.service_kit import Guest

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def test_a_player_of_a_copy_is_signed_in_and_has_the_starter_deck(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    for guest, deck in ((ann, "Corner Trattoria"), (bob, "Night Market")):
        assert guest.get("/me").json["handle"] == guest.handle
        assert [one["name"] for one in guest.get("/decks").json["items"]] == [deck]
        with house.read() as session:
            assert session.get_one(Player, guest.id).created_at == house.now()


def test_no_copy_replaces_what_a_house_has_done(
    registered_once: RegisteredOnce, app: Flask, house: Runtime, seat: Callable[..., Guest]
) -> None:
    carl = seat("carl")
    ann = registered_once.register(app, house, "Ann", "trattoria")
    assert {guest.get("/me").json["handle"] for guest in (ann, carl)} == {"Ann", "carl"}


@pytest.mark.parametrize("change", ["time", "settings"])
def test_a_house_of_another_kind_registers_anew(
    registered_once: RegisteredOnce, app: Flask, house: Runtime, clock: list[int], change: str
) -> None:
    if change == "time":
        clock[0] += 1
    else:
        object.__setattr__(house.settings, "welcome_boosters", 1)
    ann = registered_once.register(app, house, "Ann", "trattoria")
    boosters = ann.get("/boosters").json["items"]
    assert len(boosters) == (0 if change == "time" else 1)
    with house.read() as session:
        assert session.get_one(Player, ann.id).created_at == clock[0]
