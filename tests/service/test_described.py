"""The OpenAPI document describes the real answers of played games: games, records, events and codes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from jsonschema import Draft202012Validator

from crypto.identity import new_private_key
from service.app import create_app
from service.config import Settings
from service.operations import feed
from service.runtime import Runtime
from service.web.schemas import codes, entries, events
from tests.paths import ROOT
from tests.service.match_kit import deck_id, sit_down
from tests.service.service_kit import PASSWORD, Guest, app_of, house_in, registration

SEATS = {"big-c": 2, "chef": 2, "cribbage": 2, "flip": 2, "hearts": 3}
MESSAGES = 20
"""Messages of a game that are sent before it is looked at for the last time."""
MAKERS = {
    "DeckCodeError": 0,
    "Fault": 0,
    "Problem": 1,
    "QueryError": 0,
    "QueryWarning": 0,
    "Refused": 0,
    "bad_request": 0,
    "conflict": 0,
    "forbidden": 0,
    "invalid": 0,
    "need": 1,
    "unauthorized": 0,
}
"""The functions that make a refusal, and the place of the code among their arguments."""
REFEREE = ("bodies", "certificate", "message", "validation")
"""The files of the referee that judge what a player sends."""


@pytest.fixture(scope="module")
def clock() -> list[int]:
    """The time."""
    return [1_790_000_000_000]


@pytest.fixture(scope="module")
def house(
    migrated_file: Path, tmp_path_factory: pytest.TempPathFactory, clock: list[int]
) -> Iterator[Runtime]:
    """One house for all games."""
    opened = house_in(tmp_path_factory.mktemp("described"), migrated_file, clock)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def app(house: Runtime) -> Flask:
    return app_of(house)


@pytest.fixture(scope="module")
def document(app: Flask) -> dict[str, Any]:
    """The OpenAPI document."""
    answer = app.test_client().get("/api/openapi.json")
    assert answer.status_code == 200
    return dict(answer.json)


@pytest.fixture(scope="module")
def guests(app: Flask) -> list[Guest]:
    """Three players."""
    found = []
    for handle in ("ann", "bob", "carol"):
        guest = Guest(app.test_client(), handle, new_private_key())
        assert guest.post("/players", registration(guest, handle, guest.private)).status_code == 201
        issued = guest.post("/tokens", {"handle": handle, "password": PASSWORD})
        guest.headers = {"Authorization": f"Bearer {issued.json['token']}"}
        found.append(guest)
    return found


def validator(document: dict[str, Any], name: str) -> Draft202012Validator:
    """A validator of a component."""
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    )


@pytest.mark.parametrize("mode", SEATS)
def test_a_game_is_as_the_document_says(
    house: Runtime, clock: list[int], document: dict[str, Any], guests: list[Guest], mode: str
) -> None:
    view, page = validator(document, "GameView"), validator(document, "EntriesView")
    match = sit_down(house, clock, guests[: SEATS[mode]], mode, seed=1)
    where = f"/games/{match.id}"
    for sent in range(MESSAGES):
        shown = guests[sent % SEATS[mode]].get(where)
        view.validate(shown.json)
        assert shown.json["mode"] == mode
        if match.fold.over:
            break
        match.step()
    page.validate(guests[0].get(f"{where}/entries").json)
    validator(document, "RoundsView").validate(guests[0].get(f"{where}/rounds").json)
    validator(document, "FacesView").validate(guests[0].get(f"{where}/faces").json)
    validator(document, "FeedView").validate(guests[0].get("/feed").json)


@pytest.mark.parametrize("mode", SEATS)
def test_a_table_is_as_the_document_says(document: dict[str, Any], guests: list[Guest], mode: str) -> None:
    asked = validator(document, "TableBody")
    body = {"mode": mode, "seats": SEATS[mode], **({"deck": deck_id(guests[0])} if mode == "chef" else {})}
    asked.validate(body)
    opened = guests[0].post("/tables", body)
    assert opened.status_code == 201, opened.text
    validator(document, "TableView").validate(opened.json)
    assert guests[0].request("DELETE", f"/tables/{opened.json['id']}").status_code == 204
    for name, value in opened.json["options"].items():
        asked.validate({**body, "options": {name: value}})
        wrong = {**body, "options": {name: "nothing like it"}}
        assert not asked.is_valid(wrong)
        assert guests[0].post("/tables", wrong).status_code == 422


def test_the_variants_of_a_game_exclude_each_other(document: dict[str, Any]) -> None:
    shown = document["components"]["schemas"]["GameView"]
    assert shown["discriminator"]["propertyName"] == "mode"
    assert set(shown["discriminator"]["mapping"]) >= set(SEATS)


def test_every_event_and_kind_of_entry_is_described(document: dict[str, Any]) -> None:
    assert set(events.DATA) == set(feed.NAMES)
    assert set(document["webhooks"]) == {*feed.NAMES, events.PING}
    entry = document["components"]["schemas"]["Entry"]
    assert set(entry["discriminator"]["mapping"]) == {*entries.BODIES, *entries.HOUSE_BODIES}


def test_every_id_in_a_path_is_a_uuid(document: dict[str, Any]) -> None:
    for path, methods in document["paths"].items():
        for parameter in methods.get("parameters", ()):
            if parameter["in"] == "path":
                assert parameter["description"], (path, parameter)
                is_id = parameter["name"].endswith("_id")
                assert (parameter["schema"].get("format") == "uuid") == is_id


def test_limited_operations_say_so_in_their_headers(document: dict[str, Any]) -> None:
    client = create_app(Settings(database="sqlite:////nowhere/house.sqlite3")).test_client()
    counted = {name for limit in client.get("/api/v1/limits").json["items"] for name in limit["operations"]}
    documented = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters"
        and any("X-RateLimit-Limit" in each.get("headers", {}) for each in operation["responses"].values())
    }
    assert counted == documented


def made(paths: Iterable[Path]) -> set[str]:
    """The codes of the refusals that these files make."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            at = MAKERS.get(getattr(node.func, "id", getattr(node.func, "attr", "")), len(node.args))
            code = node.args[at] if at < len(node.args) else None
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                found.add(code.value)
    return found


def test_no_problem_has_a_code_that_the_document_does_not_name() -> None:
    found = made((ROOT / "service").rglob("*.py"))
    assert len(found) > 80
    assert found <= codes.HOUSE | codes.DECKS
    assert made(ROOT / "referee" / f"{name}.py" for name in REFEREE) <= codes.GAMES
    assert made((ROOT / "cards" / "decks").rglob("*.py")) <= codes.DECKS


def test_the_document_names_no_code_that_nobody_makes() -> None:
    rooms = ("service", "referee", "cards", "cloche")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py") if path.name != "codes.py"]
    files.append(ROOT / "cards" / "decks" / "codes.py")
    texts = "".join(path.read_text() for path in files)
    computed = {"bad_anchor", "bad_asked", "bad_nonce", "bad_seal"}  # bad_ and the name of a field
    assert {code for code in codes.HOUSE | codes.DECKS | codes.GAMES if f'"{code}"' not in texts} == computed
