"""Images of served dishes: asked for after the reveal, once, one at a time, and within their bounds."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import structlog
from flask.testing import FlaskClient
from prometheus_client import REGISTRY
from sqlmodel import select

from cards.pictures.dishes import dish_of, drawing
from service import publisher
from service.models import DishPicture
from service.operations import dishes
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.provider_kit import PNG, Provider, answer
from tests.service.races_kit import at_once
from tests.service.service_kit import API, Guest
from tests.waiting import until
from worker.painter import Painter

SALAD, TARTARE, TOAST = "1156-1027", "1281-1027", "1156-1001-1027"
MINUTE = 60_000


def note(house: Runtime, *keys: str) -> None:
    """Note dishes as those of a record, each a millisecond after the one before."""
    for number, key in enumerate(keys):
        with house.write() as session:
            dishes._note(session, dishes._names(house, [key]), house.now() - len(keys) + number)


def rows(house: Runtime) -> dict[str, DishPicture]:
    """The dishes that the database knows, by key."""
    with house.read() as session:
        return {dish.cards: dish for dish in session.exec(select(DishPicture))}


def file_of(house: Runtime, key: str) -> Path:
    """The file of a dish's image."""
    (name,) = dishes._names(house, [key])
    return dishes._folder(house) / name


def set_to(house: Runtime, **settings: Any) -> None:
    """Change settings of a house."""
    object.__setattr__(house, "settings", replace(house.settings, **settings))


def requests(outcome: str) -> float:
    """The figure of requests for dishes."""
    return REGISTRY.get_sample_value("cloche_pictures_total", {"of": "dish", "outcome": outcome}) or 0


def told(woken: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The wake-ups for dishes."""
    return [args for task, *args in woken if task == publisher.DISHES]


def test_what_a_round_served_is_painted_once_everybody_may_know_it(
    client: FlaskClient,
    house: Runtime,
    clock: list[int],
    ann: Guest,
    bob: Guest,
    provider: Provider,
    woken: list[tuple[str, ...]],
) -> None:
    match = sit_down(house, clock, (ann, bob), private=True)
    path = f"/games/{match.id}/pictures"
    while not (shown := ann.get(path).json["items"]):
        assert told(woken) == []
        assert dishes.note(house, match.id) == 0, "nothing is noted before the reveal"
        match.step()
    assert [match.id] in told(woken)
    assert {item["painted"] for item in shown} == {False}
    assert provider.asked == []

    keys = {item["dish"] for item in shown}
    assert dishes.note(house, match.id) == dishes.note(house, match.id) == len(keys)
    assert rows(house).keys() == keys
    before = requests("painted")
    while dishes.paint_next(house):
        pass
    assert len(provider.asked) == len(keys) == requests("painted") - before
    served = [dish for key in keys if (dish := dish_of(key, house.catalog.cards)) is not None]
    assert sorted(provider.prompts) == sorted(map(dishes.prompt, served))
    assert not any(handle in prompt for prompt in provider.prompts for handle in (ann.handle, bob.handle))

    # Both chefs, and nobody else, hear from the private game which of its dishes have an image.
    for guest in (ann, bob):
        assert {item["painted"] for item in guest.get(path).json["items"]} == {True}
    assert client.get(API + path).status_code == 404
    seen = client.get(f"{API}/dishes/{shown[0]['dish']}/picture")
    assert (seen.mimetype, seen.data) == ("image/png", PNG)
    again = client.get(seen.request.path, headers={"If-None-Match": seen.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert dishes.note(house, match.id) == 0
    assert not dishes.paint_next(house)


def test_a_look_wakes_a_worker_for_what_nobody_has_noted(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, provider: Provider, woken: list[tuple[str, ...]]
) -> None:
    match = sit_down(house, clock, (ann, bob))
    path = f"/games/{match.id}/pictures"
    while not ann.get(path).json["items"]:
        match.step()
    woken.clear()  # as if the wake-up had been lost
    ann.get(path)
    assert told(woken) == [[match.id]]
    woken.clear()
    dishes.note(house, match.id)
    ann.get(path)
    assert told(woken) == [], "they wait already"
    while dishes.paint_next(house):
        pass
    ann.get(path)
    assert told(woken) == []
    file_of(house, next(iter(rows(house)))).unlink()
    ann.get(path)
    assert told(woken) == [[match.id]], "an image that is gone is asked for again"
    assert dishes.note(house, match.id) == 1
    assert dishes.paint_next(house)
    assert not dishes.paint_next(house)


def test_without_a_provider_nothing_is_noted_and_a_dish_is_drawn(
    client: FlaskClient, house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, (ann, bob))
    while not (shown := ann.get(f"/games/{match.id}/pictures").json["items"]):
        match.step()
    assert dishes.note(house, match.id) == 0
    assert rows(house) == {}
    assert not dishes.paint_next(house)
    key = shown[0]["dish"]
    drawn = client.get(f"{API}/dishes/{key}/picture")
    assert drawn.mimetype == "image/svg+xml"
    assert drawn.data == client.get(f"{API}/dishes/{key}/picture.svg").data
    assert drawn.data.decode() == drawing(dish_of(key, house.catalog.cards))
    assert ElementTree.fromstring(drawn.data).tag.endswith("svg")


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "key",
    [
        "1027",  # no recipe
        "1156-1281",  # two recipes
        "1156-1027-1001",  # another order has another key
        "1156-999999",
        "01156-1027",
        "1156-",
        "x",
        "1156" + "-1027" * 40,
        "1156-" + "9" * 300,
    ],
)
def test_what_is_no_dish_has_no_picture(client: FlaskClient, key: str) -> None:
    for end in ("picture", "picture.svg"):
        refused = client.get(f"{API}/dishes/{key}/{end}")
        assert (refused.status_code, refused.json["code"]) == (404, "not_found")


def test_asking_for_a_dish_costs_nothing(
    client: FlaskClient, house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    assert client.get(f"{API}/dishes/{SALAD}/picture").mimetype == "image/svg+xml"
    assert (woken, rows(house), provider.asked) == ([], {}, [])


def test_workers_ask_for_one_dish_at_a_time_and_for_none_twice(
    house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    note(house, SALAD, TARTARE, TOAST)
    provider.hangs = True

    def painted() -> bool:
        return dishes.paint_next(house)

    def let_go() -> None:
        until(lambda: provider.asked)
        until(lambda: provider.at_once == 1)
        assert not dishes.paint_next(house), "another worker asks for one"
        provider.free.set()

    results = at_once([painted, painted, painted, painted, let_go])
    assert not any(isinstance(result, Exception) for result in results), results
    while dishes.paint_next(house):
        pass
    assert len(provider.asked) == 3
    assert len(set(provider.prompts)) == 3
    assert provider.most_at_once == 1


def test_the_newest_is_painted_first_and_no_more_wait_than_may(
    house: Runtime, provider: Provider, woken: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dishes, "MOST_WAITING", 2)
    note(house, SALAD, TARTARE, TOAST)
    assert rows(house).keys() == {TARTARE, TOAST}
    assert dishes.paint_next(house)
    assert [key for key, row in rows(house).items() if row.due_at is None] == [TOAST]
    note(house, SALAD)
    assert rows(house).keys() == {SALAD, TARTARE, TOAST}, "what is painted takes no room"


def test_no_more_is_asked_for_in_a_day_than_may(
    house: Runtime, clock: list[int], provider: Provider, woken: list[Any]
) -> None:
    set_to(house, dishes_a_day=2)
    note(house, SALAD, TARTARE, TOAST)
    provider.status = 500
    assert not dishes.paint_next(house)
    clock[0] += MINUTE
    provider.status = 200
    assert dishes.paint_next(house)
    for _ in range(3):
        assert not dishes.paint_next(house)
        clock[0] += MINUTE
    assert len(provider.asked) == 2, "a request that failed counts too"
    clock[0] += dishes.DAY_MS
    assert dishes.paint_next(house)
    set_to(house, dishes_a_day=0)
    clock[0] += dishes.DAY_MS
    assert not dishes.paint_next(house)
    assert len(provider.asked) == 3


def test_no_more_is_kept_than_may_and_what_was_not_looked_at_goes_first(
    client: FlaskClient, house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    set_to(house, dishes_kept=2)
    old = (1_000_000_000, 1_000_000_000)
    for key in (SALAD, TARTARE):
        note(house, key)
        assert dishes.paint_next(house)
        os.utime(file_of(house, key), old)
    begun = dishes._folder(house) / "0.half"
    begun.write_bytes(b"\x89PNG")
    os.utime(begun, old)
    assert client.get(f"{API}/dishes/{SALAD}/picture").data == PNG
    note(house, TOAST)
    assert dishes.paint_next(house)
    names = {path.name for path in dishes._folder(house).iterdir()}
    assert names == {file_of(house, key).name for key in (SALAD, TOAST)}
    assert rows(house).keys() == {SALAD, TOAST}
    assert client.get(f"{API}/dishes/{TARTARE}/picture").mimetype == "image/svg+xml"


RUBBISH = [
    (500, answer(PNG), "status_500"),
    (429, b"{}", "status_429"),
    (200, b"not json", "bad_answer"),
    (200, answer(b"<svg onload='alert(1)'/>"), "no_image"),
    (200, answer(b"RIFF1234AVI "), "no_image"),
    (200, answer(PNG + bytes(9 * 1024 * 1024)), "too_large"),
]


@pytest.mark.parametrize(("status", "body", "code"), RUBBISH, ids=[code for *_, code in RUBBISH])
def test_a_provider_that_fails_gets_pauses_and_nothing_of_it_is_kept(
    client: FlaskClient,
    house: Runtime,
    clock: list[int],
    provider: Provider,
    woken: list[Any],
    status: int,
    body: bytes,
    code: str,
) -> None:
    provider.status, provider.body = status, body
    note(house, SALAD, TARTARE)
    failed = requests("failed")
    with structlog.testing.capture_logs() as logs:
        assert not dishes.paint_next(house)
    assert [line["fault"] for line in logs if line["event"] == "dish_failed"] == [code]
    assert requests("failed") == failed + 1
    assert not list(dishes._folder(house).iterdir())
    assert client.get(f"{API}/dishes/{TARTARE}/picture").mimetype == "image/svg+xml"
    assert not dishes.paint_next(house), "all dishes have a pause"
    provider.status, provider.body = 200, answer(PNG)
    clock[0] += MINUTE
    assert dishes.paint_next(house)
    assert dishes.paint_next(house)
    assert len(provider.asked) == 3


def test_pauses_double_and_end(
    house: Runtime, clock: list[int], provider: Provider, woken: list[Any]
) -> None:
    set_to(house, dishes_a_day=100)
    note(house, SALAD)
    provider.status = 503
    for minutes in (1, 2, 4, 8):
        assert not dishes.paint_next(house)
        asked = len(provider.asked)
        clock[0] += minutes * MINUTE - 1
        assert not dishes.paint_next(house)
        assert len(provider.asked) == asked
        clock[0] += 1
    provider.status = 200
    assert dishes.paint_next(house)
    assert rows(house)[SALAD].due_at is None


def test_one_that_hangs_is_cut_off(house: Runtime, provider: Provider, woken: list[Any]) -> None:
    set_to(house, picture_seconds=1)
    provider.hangs = True
    note(house, SALAD)
    with structlog.testing.capture_logs() as logs:
        assert not dishes.paint_next(house)
    assert [line["fault"] for line in logs if line["event"] == "dish_failed"] == ["timeout"]


def test_a_worker_that_dies_delays_a_dish_and_loses_none(
    house: Runtime, clock: list[int], provider: Provider, woken: list[Any]
) -> None:
    note(house, SALAD)
    assert dishes._claim(house) is not None  # and never comes back
    assert not dishes.paint_next(house)
    clock[0] += house.settings.picture_seconds * 1000 + dishes.LEASE_MS
    assert dishes.paint_next(house)
    assert len(provider.asked) == 1


def test_an_image_that_was_stored_before_a_crash_is_not_paid_for_again(
    house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    note(house, SALAD)
    path = file_of(house, SALAD)
    path.parent.mkdir(parents=True)
    path.write_bytes(PNG)
    assert dishes.paint_next(house)
    assert provider.asked == []
    assert rows(house)[SALAD].due_at is None


def test_a_full_disk_costs_one_image_and_one_that_fills_none(
    house: Runtime, clock: list[int], provider: Provider, woken: list[Any]
) -> None:
    note(house, SALAD)
    set_to(house, disk_mib=2**40)
    assert not dishes.paint_next(house)
    assert provider.asked == [], "nobody is paid for what could not be kept"

    set_to(house, disk_mib=0)
    half = file_of(house, SALAD).with_suffix(".half")
    half.parent.mkdir(parents=True)
    half.symlink_to("/dev/full")
    with structlog.testing.capture_logs() as logs:
        assert not dishes.paint_next(house)
    assert [line["fault"] for line in logs if line["event"] == "dish_failed"] == ["disk_28"]
    assert list(half.parent.iterdir()) == []
    clock[0] += MINUTE
    assert dishes.paint_next(house)
    assert len(provider.asked) == 2


def test_a_folder_that_can_not_be_written_costs_nothing(
    house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    note(house, SALAD)
    house.settings.data.mkdir(parents=True, exist_ok=True)
    (house.settings.data / "pictures").write_text("in the way")
    assert not dishes.paint_next(house)
    assert provider.asked == []


def test_what_the_house_would_paint_otherwise_by_now_is_forgotten(
    client: FlaskClient, house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    note(house, SALAD, TARTARE)
    assert dishes.paint_next(house)
    set_to(house, picture_model="another")
    assert not dishes.paint_next(house)
    assert rows(house).keys() == {TARTARE}
    assert client.get(f"{API}/dishes/{TARTARE}/picture").mimetype == "image/svg+xml"
    note(house, TARTARE)
    assert dishes.paint_next(house)
    assert [body["model"] for _, body in provider.asked] == ["gpt-image-1", "another"]


def test_a_clock_that_was_put_back_stops_no_dish(
    house: Runtime, clock: list[int], provider: Provider, woken: list[Any]
) -> None:
    provider.status = 500
    note(house, SALAD)
    assert not dishes.paint_next(house)
    clock[0] -= 30 * dishes.DAY_MS
    provider.status = 200
    assert dishes.paint_next(house)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_the_painter_paints_all_dishes_and_lets_cards_between(kind: str) -> None:
    done: list[str] = []
    left = [True, True, False]

    def paint_dish() -> bool:
        if done == []:
            painter.take("1027")
        done.append("dish")
        return left.pop(0)

    painter = Painter(done.append, paint_dish)
    painter.take_dishes()
    until(lambda: len(done) == 4)
    assert done == ["dish", "1027", "dish", "dish"]
    until(lambda: not painter.busy)
    left.append(False)
    painter.take_dishes()
    until(lambda: len(done) == 5)
    painter.stop()
    painter.take_dishes()
    assert not painter.busy


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_dish_that_fails_stops_no_painter(kind: str) -> None:
    done: list[Callable[[], object]] = []

    def paint_dish() -> bool:
        done.append(paint_dish)
        raise ZeroDivisionError

    painter = Painter(lambda _: None, paint_dish)
    painter.take_dishes()
    until(lambda: done)
    until(lambda: painter.take_dishes() or len(done) > 1)
    painter.stop()
