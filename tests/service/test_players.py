"""Registration, signing in, tokens."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from flask.testing import FlaskClient
from sqlmodel import select

from crypto.encoding import b64
from crypto.identity import new_private_key
from service.models import Player, Token
from service.operations import sign_in
from service.passwords import Passwords
from service.problems import Problem
from service.runtime import Runtime
from tests.service.service_kit import PASSWORD, Guest, codes, registration

DAY = 86_400_000


def test_registration_gives_a_player_their_starter_deck(ann: Guest, house: Runtime) -> None:
    me = ann.get("/me").json
    assert me["handle"] == "Ann"
    assert me["created_at"] == "2026-09-21T14:13:20.000Z"
    assert set(me) == {"id", "handle", "key", "created_at", "former"}
    (deck,) = ann.get("/decks").json["items"]
    starter = house.catalog.starters["trattoria"]
    assert deck["name"] == starter.name
    assert deck["size"] == 40
    owned = {h["number"]: h["owned"] for h in ann.get("/collection?limit=200").json["items"]}
    assert owned == dict(starter.counts)
    assert ann.get(f"/decks/{deck['id']}/validation").json["legal"] is True


def test_players_are_found_in_any_case(client: FlaskClient, ann: Guest) -> None:
    answer = client.get("/api/v1/players/aNN")
    assert answer.json["handle"] == "Ann"
    assert client.get("/api/v1/players/nobody").status_code == 404


def test_a_handle_is_taken_in_any_case(ann: Guest) -> None:
    answer = ann.post("/players", registration(ann, "ANN", new_private_key()))
    assert answer.status_code == 409
    assert codes(answer) == [("handle_taken", "/handle")]


def test_a_key_is_registered_once(ann: Guest) -> None:
    answer = ann.post("/players", registration(ann, "Else", ann.private))
    assert (answer.status_code, answer.json["code"]) == (409, "key_taken")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("handle", "ab", "bad_handle"),
        ("handle", "a" * 25, "bad_handle"),
        ("handle", "1abc", "bad_handle"),
        ("handle", "ann bee", "bad_handle"),
        ("handle", "änn", "bad_handle"),
        ("handle", "House", "reserved_handle"),
        ("password", "short", "bad_password"),
        ("password", "x" * 201, "bad_password"),
        ("key", "AAAA", "bad_key"),
        ("key", b64(bytes(32)), "bad_key"),
        ("key", b64(b"\1" + bytes(31)), "bad_key"),
        ("key", "A" * 43 + "=", "bad_key"),
        ("starter", "feast", "unknown_starter"),
    ],
)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_bad_field_is_pointed_at(client: FlaskClient, field: str, value: str, code: str) -> None:
    body = {
        **registration(client, str(value) if field == "handle" else "Ann", new_private_key()),
        field: value,
    }
    answer = client.post("/api/v1/players", json=body)
    assert answer.status_code == 422
    assert codes(answer) == [(code, f"/{field}")]


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_all_bad_fields_are_named_at_once_and_no_secret_comes_back(client: FlaskClient) -> None:
    proof = {"house": "x", "signature": "x"}
    body = {"handle": "!", "password": "sesame", "key": "x", "proof": proof, "starter": "x"}
    answer = client.post("/api/v1/players", json=body)
    assert [pointer for _, pointer in codes(answer)] == ["/handle", "/password", "/key", "/starter"]
    assert "sesame" not in answer.text


def test_a_password_and_a_token_are_kept_as_hashes(ann: Guest, house: Runtime) -> None:
    with house.read() as session:
        player = session.exec(select(Player)).one()
        token = session.exec(select(Token)).one()
    assert player.password.startswith("$argon2id$")
    assert token.digest == sha256(ann.token.encode()).hexdigest()
    assert ann.token.startswith(token.prefix)
    assert ann.token not in repr(token.model_dump())


def _sign_in(client: FlaskClient, handle: str, password: str, **more: Any) -> Any:
    return client.post("/api/v1/tokens", json={"handle": handle, "password": password, **more})


def test_a_wrong_password_and_an_unknown_handle_look_the_same(ann: Guest) -> None:
    wrong = _sign_in(ann.client, "ann", "not this")
    unknown = _sign_in(ann.client, "nobody", "not this")
    assert wrong.status_code == unknown.status_code == 401
    for answer in (wrong, unknown):
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert {**wrong.json, "request_id": 0} == {**unknown.json, "request_id": 0}


def test_an_unknown_handle_costs_a_hash_too(house: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str | None] = []
    check = house.passwords.check
    monkeypatch.setattr(
        house.passwords, "check", lambda kept, word: checked.append(kept) or check(kept, word)
    )
    with pytest.raises(Problem):
        sign_in.issue(house, handle="nobody", password=PASSWORD)
    assert checked == [None]
    assert not check(None, PASSWORD)


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "not_signed_in"),
        ("Basic YW5uOng=", "not_signed_in"),
        ("Bearer", "not_signed_in"),
        ("Bearer cloche_guess", "unknown_token"),
        ("Bearer \xff\xfe", "unknown_token"),
    ],
)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_without_a_good_token_nobody_gets_in(client: FlaskClient, header: str | None, code: str) -> None:
    headers = {"Authorization": header} if header else {}
    answer = client.get("/api/v1/me", headers=headers)
    assert (answer.status_code, answer.json["code"]) == (401, code)
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_expires(ann: Guest, house: Runtime, clock: list[int]) -> None:
    assert ann.get("/me").status_code == 200
    clock[0] += house.settings.token_days * DAY - 1
    assert ann.get("/me").status_code == 200
    clock[0] += 1
    answer = ann.get("/me")
    assert (answer.status_code, answer.json["code"]) == (401, "expired_token")


def test_a_token_has_the_life_one_asks_for_up_to_the_longest(ann: Guest) -> None:
    short = _sign_in(ann.client, "ann", PASSWORD, days=1, label=" phone ").json
    assert short["expires_at"] == "2026-09-22T14:13:20.000Z"
    assert short["label"] == "phone"
    long = _sign_in(ann.client, "ann", PASSWORD, days=3650).json
    assert long["expires_at"] == "2026-12-20T14:13:20.000Z"


def test_tokens_are_listed_without_their_secret_and_revoked(ann: Guest, seat: Callable[..., Guest]) -> None:
    other = _sign_in(ann.client, "ann", PASSWORD, label="laptop").json
    listed = ann.get("/tokens").json["items"]
    assert {token["label"] for token in listed} == {"token", "laptop"}
    assert other["token"] not in str(listed)
    bob = seat("bob")
    assert bob.delete(f"/tokens/{other['id']}").status_code == 404
    assert ann.delete(f"/tokens/{other['id']}").status_code == 204
    assert ann.delete(f"/tokens/{other['id']}").status_code == 204
    refused = ann.client.get("/api/v1/me", headers={"Authorization": f"Bearer {other['token']}"})
    assert (refused.status_code, refused.json["code"]) == (401, "revoked_token")
    assert [token["label"] for token in ann.get("/tokens").json["items"]] == ["token"]


def test_a_hash_of_old_costs_is_renewed_at_the_next_sign_in(ann: Guest, house: Runtime) -> None:
    stronger = Passwords(2, 64)
    object.__setattr__(house, "passwords", stronger)
    assert _sign_in(ann.client, "ann", PASSWORD).status_code == 201
    with house.read() as session:
        kept = session.exec(select(Player.password)).one()
    assert not stronger.outdated(kept)
    assert _sign_in(ann.client, "ann", PASSWORD).status_code == 201
