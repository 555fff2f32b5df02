"""Deck lists that others see: visibility, copies, tags, favourites, searches; and what nobody is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from werkzeug.test import TestResponse

from crypto.identity import new_private_key
from service.runtime import Runtime
from tests.service.service_kit import PASSWORD, Guest, app_of, codes, house_in, registration

CARDS = {"tomato": 3, "onion": 2, "paella": 1}
READS = (
    "",
    "/export",
    "/revisions",
    "/revisions/1",
    "/differences",
    "/differences?from=1&to=2",
    "/statistics?rounds=1",
    "/statistics.svg?rounds=1",
    "/hands?rounds=1",
    "/suggestions",
    "/validation",
    "/missing",
)
FOR_PLAYERS = {"/statistics", "/statistics.svg", "/hands", "/suggestions", "/validation", "/missing"}


@pytest.fixture(scope="module")
def house(migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runtime]:
    """One house for all these tests."""
    opened = house_in(tmp_path_factory.mktemp("sharing"), migrated_file, [1_790_000_000_000])
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def enter(house: Runtime) -> Callable[..., Guest]:
    """`enter("diner")` is somebody new with that starter deck."""
    app = app_of(house)

    def register(starter: str = "trattoria") -> Guest:
        guest = Guest(app.test_client(), f"g{uuid4().hex[:10]}", new_private_key())
        assert (
            guest.post("/players", registration(guest, guest.handle, guest.private, starter)).status_code
            == 201
        )
        token = guest.post("/tokens", {"handle": guest.handle, "password": PASSWORD}).json["token"]
        guest.headers = {"Authorization": f"Bearer {token}"}
        return guest

    return register


@pytest.fixture(scope="module")
def ann(enter: Callable[..., Guest]) -> Guest:
    """The player who builds decks."""
    return enter()


@pytest.fixture(scope="module")
def bob(enter: Callable[..., Guest]) -> Guest:
    """The player who looks at them."""
    return enter("night-market")


@pytest.fixture(scope="module")
def nobody(ann: Guest) -> Guest:
    """The visitor who is not signed in."""
    return replace(ann, headers={})


def _build(guest: Guest, visibility: str = "private", name: str = "Stew", **more: Any) -> str:
    """The id of a deck with two revisions."""
    body = {"name": name, "cards": {"tomato": 1}, "visibility": visibility, **more}
    made = guest.post("/decks", body)
    assert made.status_code == 201, made.text
    path = f"/decks/{made.json['id']}"
    assert guest.edit("PATCH", path, {"cards": CARDS}).status_code == 200
    return str(made.json["id"])


def _document(answer: TestResponse) -> dict[str, Any]:
    return {name: value for name, value in answer.json.items() if name != "request_id"}


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_every_read_goes_by_who_may_see_the_deck(
    ann: Guest, bob: Guest, nobody: Guest, visibility: str, read: str
) -> None:
    path = f"/decks/{_build(ann, visibility)}"
    unknown = f"/decks/{uuid4()}"
    assert ann.get(path + read).status_code == 200
    for guest in (bob, nobody):
        if guest is nobody and read.partition("?")[0] in FOR_PLAYERS:
            assert guest.get(path + read).status_code == 401
        elif visibility == "private":
            refused = guest.get(path + read)
            assert refused.status_code == 404
            assert _document(refused) == _document(guest.get(unknown + read))
            assert "ETag" not in refused.headers
        else:
            assert guest.get(path + read).status_code == 200


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_nobody_else_changes_a_deck_or_plays_with_it(ann: Guest, bob: Guest, visibility: str) -> None:
    deck = _build(ann, visibility)
    path, before = f"/decks/{deck}", ann.get(f"/decks/{deck}")
    body = {"name": "Mine", "cards": {}}
    tries: list[tuple[str, str, Any]] = [
        ("PUT", path, body),
        ("PATCH", path, {"visibility": "public"}),
        ("DELETE", path, None),
        ("POST", f"{path}/revisions/1/restore", {}),
    ]
    for method, url, data in tries:
        for tag in ("*", before.headers["ETag"], '"other"'):
            refused = bob.request(method, url, data, If_Match=tag)
            assert (refused.status_code, refused.json["detail"]) == (404, "There is no such deck.")
    table = bob.post("/tables", {"mode": "chef", "deck": deck})
    assert (table.status_code, table.json["detail"]) == (404, "There is no such deck.")
    assert ann.get(path).data == before.data


@pytest.mark.parametrize("other", ["private", "unlisted", "public"])
@pytest.mark.parametrize("one", ["private", "unlisted", "public"])
def test_two_decks_are_compared_by_who_may_see_both(ann: Guest, bob: Guest, one: str, other: str) -> None:
    first, second = _build(ann, one), _build(ann, other)
    path = f"/decks/{first}/compare/{second}"
    assert ann.get(path).status_code == 200
    seen = bob.get(path)
    if "private" in (one, other):
        unknown = bob.get(f"/decks/{uuid4()}/compare/{uuid4()}")
        assert (seen.status_code, _document(seen)) == (404, _document(unknown))
    else:
        assert (seen.status_code, seen.data) == (200, ann.get(path).data)


def test_a_deck_that_is_made_private_again_is_gone_for_others(ann: Guest, bob: Guest) -> None:
    deck = _build(ann, "public", "Fleeting")
    path = f"/decks/{deck}"
    assert bob.request("PUT", f"{path}/favourite").status_code == 204
    assert deck in _ids(bob, "/decks/public")
    assert deck in _ids(bob, "/decks/favourites")
    copied = bob.post(f"{path}/copy", {}).json
    ann.edit("PATCH", path, {"visibility": "private"})
    assert bob.get(path).status_code == 404
    assert deck not in _ids(bob, "/decks/public")
    assert deck not in _ids(bob, "/decks/favourites")
    assert bob.get("/decks/favourites?q=fleeting").json["items"] == []
    assert bob.request("PUT", f"{path}/favourite").status_code == 404
    assert bob.get(f"/decks/{copied['id']}").json["cards"] == CARDS
    assert bob.delete(f"{path}/favourite").status_code == 204  # which was theirs to take back
    assert bob.delete(f"{path}/favourite").status_code == 404


def _ids(guest: Guest, path: str) -> list[str]:
    """All ids of a list, page by page."""
    found: list[str] = []
    cursor = ""
    while True:
        shown = guest.get(f"{path}?limit=3{cursor}").json
        found += [deck["id"] for deck in shown["items"]]
        if shown["next"] is None:
            return found
        cursor = f"&cursor={shown['next']}"


def test_lists_have_what_they_say(ann: Guest, bob: Guest, nobody: Guest) -> None:
    hidden, linked, shown = (_build(ann, each) for each in ("private", "unlisted", "public"))
    own = _build(bob, "public")
    assert {hidden, linked, shown} <= {*_ids(ann, "/decks")}
    assert own not in _ids(ann, "/decks")
    for guest in (ann, bob, nobody):
        every = _ids(guest, "/decks/public")
        assert len(every) == len({*every})
        assert {shown, own} <= {*every}
        assert not {hidden, linked} & {*every}
    assert nobody.get("/decks/favourites").status_code == 401
    owners = {deck["owner"] for deck in nobody.get("/decks/public?limit=200").json["items"]}
    assert owners >= {ann.handle, bob.handle}


# -- Copies --------------------------------------------------------------------


@pytest.mark.parametrize("visibility", ["unlisted", "public"])
def test_a_copy_is_private_and_its_origin_is_told_to_its_owner_alone(
    ann: Guest, bob: Guest, nobody: Guest, visibility: str
) -> None:
    source = _build(ann, visibility, "Source", tags=["hers"], note="a secret reason")
    made = bob.post(f"/decks/{source}/copy", {})
    assert made.status_code == 201
    copy = made.json
    assert (copy["name"], copy["cards"], copy["owner"]) == ("Source", CARDS, bob.handle)
    assert (copy["visibility"], copy["tags"], copy["revision"], copy["note"]) == ("private", [], 1, "")
    assert copy["origin"] == {"deck": source, "revision": 2}
    path = f"/decks/{copy['id']}"
    assert bob.get(path).json == copy
    for guest in (ann, nobody):
        assert guest.get(path).status_code == 404
    bob.edit("PATCH", path, {"visibility": "public"})
    for guest in (ann, nobody):
        assert guest.get(path).json["origin"] is None  # it may be unlisted: its id would be all it takes
        assert source not in guest.get(f"{path}/revisions").text
        assert source not in guest.get(f"/decks/public?q={quote('source by:' + bob.handle)}").text
    assert bob.get(path).json["origin"]["deck"] == source
    ann.edit("DELETE", f"/decks/{source}")
    assert bob.get(path).json["cards"] == CARDS


def test_a_copy_of_an_old_revision_by_another_name(ann: Guest, bob: Guest) -> None:
    source = _build(ann, "public")
    made = bob.post(f"/decks/{source}/copy", {"name": "First Thought", "revision": 1}).json
    assert (made["name"], made["cards"]) == ("First Thought", {"tomato": 1})
    assert made["origin"] == {"deck": source, "revision": 1}
    again = ann.post(f"/decks/{source}/copy", {"revision": 1}).json
    assert (again["name"], again["owner"]) == ("Stew", ann.handle)
    missing = bob.post(f"/decks/{source}/copy", {"revision": 3})
    assert (missing.status_code, missing.json["detail"]) == (404, "There is no such revision.")
    hidden = _build(ann)
    assert bob.post(f"/decks/{hidden}/copy", {}).status_code == 404
    for body in ({"revision": 0}, {"revision": "1"}, {"revision": 1.0}, {"name": ""}, {"cards": {}}):
        assert bob.post(f"/decks/{source}/copy", body).status_code in (400, 422), body


def test_copies_count_among_the_decks_that_one_may_keep(
    enter: Callable[..., Guest], ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, guest = _build(ann, "public"), enter()
    monkeypatch.setitem(
        guest.client.application.extensions,
        "cloche",
        replace(house, settings=replace(house.settings, decks_per_player=2)),
    )
    assert guest.post(f"/decks/{source}/copy", {}).status_code == 201
    full = guest.post(f"/decks/{source}/copy", {})
    assert (full.status_code, full.json["code"], full.json["at_most"]) == (409, "too_many_decks", 2)


# -- Tags, favourites, searches ------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([], []),
        (["Quick Lunch", "quick-lunch", "QUICK_LUNCH "], ["quick-lunch"]),
        (["Élan!", "b", "a"], ["a", "b", "elan"]),
        (["日本料理", "7 Tage"], ["7-tage", "日本料理"]),
        (["x" * 30], ["x" * 30]),
        ([f"t{i}" for i in range(12)], sorted(f"t{i}" for i in range(12))),
    ],
)
def test_tags_have_one_form(ann: Guest, given: list[str], kept: list[str]) -> None:
    path = f"/decks/{_build(ann, tags=given)}"
    deck = ann.get(path).json
    assert deck["tags"] == kept
    assert deck["revision"] == 2
    assert ann.edit("PUT", path, {"name": "Other", "cards": {}}).json["tags"] == kept
    assert ann.edit("PATCH", path, {"tags": kept}).json["tags"] == kept
    assert ann.edit("PATCH", path, {"tags": []}).json["tags"] == []


@pytest.mark.parametrize(
    ("given", "faults"),
    [
        (["", "ok", "!?", "x" * 31, 7, None], [("bad_tag", f"/tags/{i}") for i in (0, 2, 3, 4, 5)]),
        ([f"t{i}" for i in range(13)], [("too_many_tags", "/tags")]),
        (["same"] * 1000, [("too_many_tags", "/tags")]),
        ("quick", [("invalid", "/tags")]),
        ({"a": 1}, [("invalid", "/tags")]),
        (None, [("null", "/tags")]),
    ],
)
def test_what_is_no_tag_is_named_and_nothing_is_changed(ann: Guest, given: Any, faults: Any) -> None:
    path = f"/decks/{_build(ann, tags=['kept'])}"
    before = ann.get(path).data
    refused = ann.edit("PATCH", path, {"name": "New", "tags": given})
    assert (refused.status_code, codes(refused)) == (422, faults)
    assert ann.get(path).data == before


def test_a_favourite_is_made_once_and_counted(
    enter: Callable[..., Guest], ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = enter()
    decks = [_build(ann, "public") for _ in range(2)]
    own = str(guest.get("/decks").json["items"][0]["id"])
    before = ann.get(f"/decks/{decks[0]}").data
    monkeypatch.setitem(
        guest.client.application.extensions,
        "cloche",
        replace(house, settings=replace(house.settings, favourites_per_player=2)),
    )
    for deck in (decks[0], decks[0], own):
        assert guest.request("PUT", f"/decks/{deck}/favourite").status_code == 204
    full = guest.request("PUT", f"/decks/{decks[1]}/favourite")
    assert (full.status_code, full.json["code"], full.json["at_most"]) == (409, "too_many_favourites", 2)
    assert {*_ids(guest, "/decks/favourites")} == {decks[0], own}
    assert ann.get(f"/decks/{decks[0]}").data == before
    assert guest.delete(f"/decks/{decks[0]}/favourite").status_code == 204
    assert guest.request("PUT", f"/decks/{decks[1]}/favourite").status_code == 204
    assert decks[0] not in _ids(guest, "/decks/favourites")
    assert _ids(ann, "/decks/favourites") == []


def _names(guest: Guest, query: str, which: str = "") -> list[str]:
    answer = guest.get(f"/decks{which}?q={quote(query)}")
    assert answer.status_code == 200, answer.text
    assert answer.json["warnings"] == []
    return [deck["name"] for deck in answer.json["items"]]


def test_decks_are_found_by_what_their_owner_says_of_them(enter: Callable[..., Guest]) -> None:
    ann, bob = enter(), enter("diner")
    _build(ann, "public", "One", tags=["zq lunch"])
    _build(ann, "unlisted", "Two", tags=["zq"])
    three = _build(ann, "private", "Three", tags=["zq late", "odd"])
    _build(bob, "public", "Four", tags=["zq lunch"])
    assert _names(ann, "tag:zq sort:name") == ["One", "Three", "Two"]
    assert _names(ann, "tag=zq") == ["Two"]
    assert _names(ann, "tag:zq-lunch or tag:odd sort:-name") == ["Three", "One"]
    assert _names(ann, "is:public tag:zq") == ["One"]
    assert _names(ann, "tag:zq -is:private sort:name") == ["One", "Two"]
    assert _names(ann, "tag:zq sort:name", "/public") == ["Four", "One"]
    assert _names(bob, f"tag:zq by:{ann.handle}", "/public") == ["One"]
    assert _names(bob, "tag:zq is:unlisted", "/public") == []
    assert ann.request("PUT", f"/decks/{three}/favourite").status_code == 204
    assert _names(ann, "is:favourite") == ["Three"]
    assert _names(ann, "tag:zq", "/favourites") == ["Three"]
    assert _names(bob, "is:favourite tag:zq", "/public") == []
    cursor = ann.get("/decks/public?q=tag:zq&limit=1").json["next"]
    assert cursor is not None
    other = ann.get(f"/decks?q=tag:zq&limit=1&cursor={cursor}")
    assert (other.status_code, other.json["code"]) == (400, "cursor_of_another_query")


def test_who_is_not_signed_in_searches_what_is_public(ann: Guest, nobody: Guest) -> None:
    _build(ann, "public", "Openly", tags=["forall"])
    assert _names(nobody, "tag:forall uses:paella", "/public") == ["Openly"]
    for query in ("missing:0", "is:favourite"):
        asked = nobody.get(f"/decks/public?q={quote(query)}")
        assert (asked.status_code, asked.json["code"]) == (401, "not_signed_in")


def test_what_is_owned_and_missing_is_about_who_asks(ann: Guest, bob: Guest, house: Runtime) -> None:
    """Ann's deck is her starter: all hers, and hardly anything of it bob's."""
    starter = house.catalog.starters["trattoria"].counts
    cards = {str(number): n for number, n in starter.items()}
    path = f"/decks/{ann.post('/decks', {'name': 'All hers', 'cards': cards}).json['id']}"
    ann.edit("PATCH", path, {"visibility": "unlisted", "name": "All of it hers"})
    has = house.catalog.starters["night-market"].counts
    lacks = sum(max(0, n - has.get(number, 0)) for number, n in starter.items())
    assert ann.get(f"{path}/missing").json["missing"] == 0
    assert ann.get(f"{path}/validation").json["legal"] is True
    assert bob.get(f"{path}/missing").json["missing"] == lacks > 0
    verdict = bob.get(f"{path}/validation").json
    assert {fault["code"] for fault in verdict["faults"]} == {"not_owned"}
    assert sum(fault["missing"] for fault in verdict["faults"]) == lacks
    # Computations on the cards alone are left out here: they take long, and depend on no player.
    reads = [read for read in READS if not read.startswith(("/statistics", "/hands", "/suggestions"))]
    before = [bob.get(path + read).data for read in reads]
    assert ann.post("/collection/basics", {"cards": {"salt": 3, "egg": 1, "rice": 2}}).status_code == 201
    assert [bob.get(path + read).data for read in reads] == before
