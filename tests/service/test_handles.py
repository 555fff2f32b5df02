"""Handles: reserved words, look-alikes, and taking another one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, delete, select
from werkzeug.test import TestResponse

from crypto.identity import new_private_key
from service import handles
from service.models import HandleRow
from service.operations import housekeeping, naming
from service.runtime import Runtime
from tests.service.races_kit import at_once
from tests.service.service_kit import API, PASSWORD, Guest, answered, codes, registration

DAY = 86_400_000
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def rename(guest: Guest, handle: str) -> TestResponse:
    """PATCH /me."""
    return guest.patch("/me", {"handle": handle})


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ian", "lan"), ("Bl0", "B1O"), ("Bob", "B0b"), ("mary", "rnary"), ("AlI", "All"), ("a-m", "a-rn")],
)
def test_handles_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert handles.skeleton(one) == handles.skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Ali", "All"), ("mail", "mall"), ("Ann", "Anna"), ("w-w", "vv-w")]
)
def test_others_have_another(one: str, other: str) -> None:
    assert handles.skeleton(one) != handles.skeleton(other)


def test_a_skeleton_fits_its_column() -> None:
    width = HandleRow.__table__.c.skeleton.type.length  # type: ignore[attr-defined]
    assert max(len(handles.skeleton(letter * handles.LONGEST_HANDLE)) for letter in handles.ALPHABET) <= width


@pytest.mark.parametrize(
    "handle", ["admin", "Adrnin", "adm1n", "AdmIn", "H0USE", "c1oche", "System", "deleted"]
)
@ON_SQLITE
def test_reserved_words_and_what_looks_like_them_are_refused(client: FlaskClient, handle: str) -> None:
    answer = client.post(f"{API}/players", json=registration(client, handle, new_private_key()))
    assert (answer.status_code, codes(answer)) == (422, [("reserved_handle", "/handle")])


def test_a_handle_that_looks_like_anothers_is_refused(
    client: FlaskClient, seat: Callable[..., Guest]
) -> None:
    seat("Ian")
    for handle, code in {"lan": "similar_handle", "ian": "handle_taken"}.items():
        answer = client.post(f"{API}/players", json=registration(client, handle, new_private_key()))
        assert answer.status_code in (409, 422)
        assert codes(answer) == [(code, "/handle")]


def test_look_alikes_registered_at_once_are_one(app: Flask, house: Runtime) -> None:
    def register(handle: str) -> int:
        client = app.test_client()
        return client.post(f"{API}/players", json=registration(client, handle, new_private_key())).status_code

    found = at_once([lambda handle=name: register(handle) for name in ("Ian", "lan", "Ian", "lan")])
    assert sorted(found) == [201, 409, 409, 409]


def test_a_player_takes_another_handle_and_the_former_is_shown(
    ann: Guest, bob: Guest, clock: list[int]
) -> None:
    made = rename(ann, "Lovelace")
    assert made.status_code == 200, made.text
    former = [{"handle": "Ann", "until": "2026-12-20T14:13:20.000Z"}]
    assert (made.json["handle"], made.json["former"]) == ("Lovelace", former)
    assert ann.get("/me").json == made.json
    for name in ("ann", "lovelace"):
        assert bob.get(f"/players/{name}").json == made.json
    assert bob.get("/me").json["former"] == []
    for name in ("ann", "LOVELACE"):  # both sign in, so that devices that know the former go on
        sent = {"handle": name, "password": PASSWORD}
        assert ann.client.post(f"{API}/tokens", json=sent).status_code == 201
        sent = {"handle": name, "answer": answered(ann, handle=name)}
        assert ann.client.post(f"{API}/tokens/by-key", json=sent).status_code == 201
    clock[0] += naming.KEPT_DAYS * DAY
    assert bob.client.get(f"{API}/players/ann").status_code == 404
    assert bob.client.get(f"{API}/players/lovelace").json["former"] == []


def test_a_former_handle_is_nobody_elses_for_a_while(
    ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime, clock: list[int]
) -> None:
    assert rename(ann, "Lovelace").status_code == 200
    for handle in ("ann", "ANN"):
        refused = rename(bob, handle)
        assert (refused.status_code, codes(refused)) == (409, [("handle_taken", "/handle")])
    clock[0] += naming.KEPT_DAYS * DAY
    assert seat("Ann").id not in (ann.id, bob.id)
    assert housekeeping.tidy_now(house)["handles"] == 0


def test_a_player_pauses_before_the_next_handle(ann: Guest, clock: list[int]) -> None:
    assert rename(ann, "Lovelace").status_code == 200
    refused = rename(ann, "Byron")
    assert (refused.status_code, refused.json["code"]) == (409, "renamed_lately")
    assert rename(ann, "LoveLace").status_code == 200  # the same, written otherwise
    clock[0] += naming.PAUSE_DAYS * DAY - 1
    fresh = ann.client.post(f"{API}/tokens", json={"handle": "Ann", "password": PASSWORD}).json["token"]
    ann.headers = {"Authorization": f"Bearer {fresh}"}
    assert rename(ann, "Ann").json["code"] == "renamed_lately"
    clock[0] += 1
    back = rename(ann, "Ann")
    assert (back.status_code, [each["handle"] for each in back.json["former"]]) == (200, ["LoveLace"])


@ON_SQLITE
@pytest.mark.parametrize(
    ("handle", "status", "code"),
    [
        ("x", 422, "bad_handle"),
        ("House", 422, "reserved_handle"),
        ("BOB", 409, "handle_taken"),
        ("b0b", 409, "similar_handle"),
    ],
)
def test_a_bad_new_handle_is_pointed_at(ann: Guest, bob: Guest, handle: str, status: int, code: str) -> None:
    refused = rename(ann, handle)
    assert (refused.status_code, codes(refused)) == (status, [(code, "/handle")])
    assert ann.get("/me").json["handle"] == "Ann"


def test_of_two_who_take_one_handle_at_once_one_gets_it(app: Flask, ann: Guest, bob: Guest) -> None:
    def take(guest: Guest, handle: str) -> int:
        body = {"handle": handle}
        return app.test_client().patch(f"{API}/me", json=body, headers=guest.headers).status_code

    found = at_once([lambda: take(ann, "Ian"), lambda: take(bob, "lan")])
    assert sorted(found) == [200, 409]
    assert [guest.get("/me").json["handle"] in ("Ian", "lan") for guest in (ann, bob)].count(True) == 1


def test_a_running_process_knows_the_new_handle_at_once(ann: Guest, house: Runtime) -> None:
    assert ann.get("/me").json["handle"] == "Ann"  # the token is known now
    assert rename(ann, "Lovelace").status_code == 200
    assert ann.get("/me").json["handle"] == "Lovelace"
    table = ann.post("/tables", {"mode": "hearts", "seats": 3}).json
    assert table["seats"][0]["name"] == "Lovelace"


def test_handles_of_before_are_entered_by_a_chore(ann: Guest, bob: Guest, house: Runtime) -> None:
    with house.write() as session:
        session.execute(delete(HandleRow).where(col(HandleRow.player_id).in_([ann.id, bob.id])))
    assert rename(bob, "ANN").json["code"] == "handle_taken"
    assert rename(bob, "Robert").json["former"][0]["handle"] == "bob"
    assert housekeeping.tidy_now(house)["handles"] == 1
    assert housekeeping.tidy_now(house)["handles"] == 0
    with house.read() as session:
        rows = session.exec(select(HandleRow.handle).order_by(col(HandleRow.folded))).all()
    assert rows == ["Ann", "bob", "Robert"]
