"""Pictures by a provider: a stand-in that hangs, fails, answers rubbish and comes back; the SVG meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
import structlog
from flask.testing import FlaskClient

from service import image_provider, publisher
from service.config import ConfigError, Settings
from service.operations import painting
from service.runtime import Runtime
from tests.service.provider_kit import KEY, PNG, Provider, answer
from tests.service.service_kit import API
from tests.waiting import PATIENCE, until
from worker.painter import Painter

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)

TUNA = "1027"
PATH = f"{API}/cards/PB/27/picture"


def test_without_a_provider_there_is_the_drawing_and_nobody_is_asked(
    client: FlaskClient, house: Runtime
) -> None:
    assert client.get(PATH).data == client.get(PATH + ".svg").data
    assert painting.paint(house, TUNA) is False
    assert not (house.settings.data / "pictures").exists()


def test_an_image_takes_the_place_of_the_drawing_and_is_asked_for_once(
    client: FlaskClient, house: Runtime, provider: Provider, woken: list[tuple[str, ...]]
) -> None:
    first = client.get(PATH)
    assert (first.mimetype, woken) == ("image/svg+xml", [(publisher.PAINT, TUNA)])
    assert painting.paint(house, TUNA)
    assert painting.paint(house, TUNA)
    then = client.get(PATH)
    assert (then.mimetype, then.data) == ("image/png", PNG)
    assert then.headers["ETag"] != first.headers["ETag"]
    assert client.get(PATH, headers={"If-None-Match": then.headers["ETag"]}).status_code == 304
    assert client.get(PATH + ".svg").data == first.data
    ((headers, asked),) = provider.asked
    assert headers["authorization"] == f"Bearer {KEY}"
    assert asked["n"] == 1
    assert "Tuna" in asked["prompt"]
    assert len(woken) == 1


RUBBISH = [
    (500, answer(PNG), "status_500"),
    (401, b"{}", "status_401"),
    (302, b"", "status_302"),
    (200, b"not json", "bad_answer"),
    (200, b"[]", "bad_answer"),
    (200, b'{"data": [{"b64_json": "%%%"}]}', "bad_answer"),
    (200, b'{"data": [{"url": "http://127.0.0.1/x.png"}]}', "bad_answer"),
    (200, answer(b"<svg onload='alert(1)'/>"), "no_image"),
    (200, answer(b"RIFF1234AVI "), "no_image"),
    (200, answer(b""), "no_image"),
    (200, b"[" * 100_000, "bad_answer"),
]


@pytest.mark.parametrize(("status", "body", "code"), RUBBISH)
def test_rubbish_is_not_kept_and_the_drawing_stays(
    client: FlaskClient,
    house: Runtime,
    provider: Provider,
    woken: list[Any],
    status: int,
    body: bytes,
    code: str,
) -> None:
    provider.status, provider.body = status, body
    with structlog.testing.capture_logs() as logs:
        assert painting.paint(house, TUNA) is False
    (line,) = [each for each in logs if each["event"] == "picture_failed"]
    assert line["fault"] == code
    assert KEY not in str(logs)
    assert client.get(PATH).mimetype == "image/svg+xml"
    assert woken == []  # not before the pause is over


def test_what_is_too_large_is_not_kept(
    house: Runtime, provider: Provider, woken: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(image_provider, "MOST_BYTES", 1_000)
    for size in (1_001, 200_000):
        provider.body = answer(PNG + bytes(size - len(PNG)))
        path = painting._path(house, house.catalog.printings[int(TUNA)])
        path.with_suffix(".failed").unlink(missing_ok=True)
        assert painting.paint(house, TUNA) is False
        assert not path.exists()
    assert len(provider.asked) == 2


def test_one_that_hangs_fails_and_comes_back(
    client: FlaskClient, house: Runtime, clock: list[int], provider: Provider, woken: list[Any]
) -> None:
    patient = house.settings
    object.__setattr__(house, "settings", replace(patient, picture_seconds=1))
    provider.hangs = True
    assert painting.paint(house, TUNA) is False
    object.__setattr__(house, "settings", patient)
    provider.hangs = False
    provider.status = 503
    for pause in (60, 120):
        assert painting.paint(house, TUNA) is False  # too early: nobody is asked
        clock[0] += pause * 1000
        asked = len(provider.asked)
        assert painting.paint(house, TUNA) is False
        assert len(provider.asked) == asked + 1
    provider.status = 200
    clock[0] += 240_000
    client.get(PATH)
    assert woken == [(publisher.PAINT, TUNA)]
    assert painting.paint(house, TUNA)
    assert client.get(PATH).data == PNG
    assert [path.suffix for path in (house.settings.data / "pictures").iterdir()] == [""]


def test_two_workers_do_not_have_a_card_painted_twice(
    house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    provider.hangs = True
    with ThreadPoolExecutor(1) as other:
        first = other.submit(painting.paint, house, TUNA)
        until(lambda: provider.asked)
        assert painting.paint(house, TUNA) is False  # the other has it in hand
        provider.free.set()
        assert first.result(PATIENCE)
    assert painting.paint(house, TUNA)
    assert len(provider.asked) == 1


def test_nobody_is_paid_for_what_could_not_be_kept(
    house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    house.settings.data.mkdir(parents=True, exist_ok=True)
    (house.settings.data / "pictures").write_text("in the way")
    with pytest.raises(OSError, match="pictures"):
        painting.paint(house, TUNA)
    assert provider.asked == []


def test_a_broken_file_is_no_image(
    client: FlaskClient, house: Runtime, provider: Provider, woken: list[Any]
) -> None:
    path = painting._path(house, house.catalog.printings[int(TUNA)])
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    assert client.get(PATH).mimetype == "image/svg+xml"
    assert painting.paint(house, TUNA)
    assert client.get(PATH).data == PNG


def test_another_version_or_model_is_another_image(house: Runtime, woken: list[Any]) -> None:
    printing = house.catalog.printings[int(TUNA)]
    here = painting._path(house, printing)
    object.__setattr__(house, "settings", replace(house.settings, picture_model="other"))
    assert painting._path(house, printing) != here


def test_the_painter_takes_a_card_once_and_survives_what_fails(kind: str) -> None:
    done: list[str] = []
    gate = threading.Event()

    def paint(number: str) -> None:
        gate.wait(PATIENCE)
        done.append(number)
        if number == "1":
            raise ZeroDivisionError

    painter = Painter(paint)
    for number in ("1", "2", "1", "2"):
        painter.take(number)
    gate.set()
    until(lambda: done == ["1", "2"] and not painter.busy)
    painter.take("1")
    until(lambda: len(done) == 3 and not painter.busy)  # its log belongs to this test


def test_a_painter_that_stops_begins_no_further_picture(kind: str) -> None:
    done: list[str] = []
    begun, gate = threading.Event(), threading.Event()

    def paint(number: str) -> None:
        begun.set()
        gate.wait(PATIENCE)
        done.append(number)

    painter = Painter(paint)
    for number in ("1", "2"):
        painter.take(number)
    assert begun.wait(PATIENCE)
    painter.stop()
    painter.take("3")
    assert painter.busy
    gate.set()
    until(lambda: not painter.busy)
    assert done == ["1"]


def test_settings_of_a_provider_are_checked_and_its_key_is_not_shown(kind: str) -> None:
    for name, value in (
        ("URL", "ftp://x"),
        ("URL", "https://me:pw@x.example"),
        ("KEY", "a b"),
        ("SECONDS", "0"),
    ):
        with pytest.raises(ConfigError) as fault:
            Settings.from_environment({f"CLOCHE_PICTURE_{name}": value})
        assert name == "SECONDS" or value not in str(fault.value)
    read = Settings.from_environment(
        {"CLOCHE_PICTURE_URL": "https://x.example/v1/", "CLOCHE_PICTURE_KEY": KEY}
    )
    assert read.picture_url == "https://x.example/v1"
    assert KEY not in repr(read)
