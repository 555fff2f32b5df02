"""Signing in by key, proofs at registration, changes of the password, and sessions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select
from werkzeug.test import TestResponse

from crypto.encoding import b64, timestamp, unb64
from crypto.identity import new_private_key, public_key
from referee.sign_in import write_answer, write_registration, write_sign_in
from service import keys
from service.brake import FREE
from service.models import Player, SpentChallenge
from service.operations import challenges, housekeeping, sign_in, tokens
from service.problems import Problem
from service.runtime import Runtime
from tests.service.plans_kit import noted
from tests.service.races_kit import at_once
from tests.service.service_kit import API, PASSWORD, Guest, answered, challenge, codes, registration

OTHER_PASSWORD = "battery staple"
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def by_key(client: FlaskClient, handle: str, answer: Any) -> TestResponse:
    """POST /tokens/by-key."""
    return client.post(f"{API}/tokens/by-key", json={"handle": handle, "answer": answer})


def works(client: FlaskClient, token: str) -> bool:
    """Tell whether a token works."""
    return client.get(f"{API}/me", headers={"Authorization": f"Bearer {token}"}).status_code == 200


# Registration


def test_a_registration_is_signed_by_its_key(client: FlaskClient, house: Runtime) -> None:
    private, other = new_private_key(), new_private_key()
    good = registration(client, "Ann", private)
    ours = house.keys.public
    wrong = {
        "another handle": (write_registration(private, ours, "ann"), "bad_signature", "/proof/signature"),
        "another key": (write_registration(other, ours, "Ann"), "bad_signature", "/proof/signature"),
        "another house": (write_registration(private, b"\1" * 32, "Ann"), "wrong_house", "/proof/house"),
        "another kind": (
            {name: write_sign_in(private, ours, house.now())[name] for name in ("house", "signature")},
            "bad_signature",
            "/proof/signature",
        ),
        "no bytes": ({"house": "x", "signature": "y"}, "bad_bytes", "/proof/house"),
    }
    for name, (proof, code, pointer) in wrong.items():
        answer = client.post(f"{API}/players", json={**good, "proof": proof})
        assert (answer.status_code, codes(answer)) == (422, [(code, pointer)]), name
    with house.read() as session:
        assert session.exec(select(Player)).all() == []
    assert client.post(f"{API}/players", json=good).status_code == 201


@ON_SQLITE
def test_a_proof_for_a_former_key_of_the_house_holds(client: FlaskClient, house: Runtime) -> None:
    body = registration(client, "Ann", new_private_key())
    keys.rotate(house.settings.data)
    assert client.post(f"{API}/players", json=body).status_code == 201


# Signing in by key


def test_the_key_signs_in_without_a_password(ann: Guest, client: FlaskClient) -> None:
    issued = by_key(client, "aNN", answered(ann, handle="aNN"))
    assert issued.status_code == 201, issued.text
    assert works(client, issued.json["token"])
    assert works(client, ann.token)


def test_a_challenge_serves_once(ann: Guest, app: Flask, house: Runtime) -> None:
    answer = answered(ann)
    found = at_once([lambda: by_key(app.test_client(), "Ann", answer).status_code] * 5)
    assert sorted(found) == [201, 401, 401, 401, 401]
    again = by_key(app.test_client(), "Ann", answer)
    assert (again.status_code, again.json["code"]) == (401, "stale_challenge")


def test_a_challenge_holds_for_five_minutes_and_is_forgotten(
    ann: Guest, house: Runtime, clock: list[int]
) -> None:
    early, late = answered(ann), answered(ann)
    clock[0] += challenges.LIFE_MS - 1
    assert by_key(ann.client, "Ann", early).status_code == 201
    clock[0] += 1
    refused = by_key(ann.client, "Ann", late)
    assert (refused.status_code, refused.json["code"]) == (401, "stale_challenge")
    assert housekeeping.tidy_now(house)["challenges"] == 1
    with house.read() as session:
        assert session.exec(select(SpentChallenge)).all() == []


@ON_SQLITE
def test_an_answer_is_of_one_key_handle_purpose_and_house(
    ann: Guest, bob: Guest, house: Runtime, client: FlaskClient
) -> None:
    ours = house.keys.public
    given = {
        purpose: unb64(challenge(client, "ann", purpose)["challenge"], 56) for purpose in challenges.PURPOSES
    }
    bobs = unb64(challenge(client, "bob")["challenge"], 56)
    text = given["sign-in"]
    wrong = {
        "another's key": (write_answer(bob.private, ours, "ann", "sign-in", text), "wrong_key"),
        "another purpose signed": (write_answer(ann.private, ours, "ann", "password", text), "wrong_key"),
        "another handle signed": (write_answer(ann.private, ours, "bob", "sign-in", text), "wrong_key"),
        "nothing signed": ({"house": b64(ours), "challenge": b64(text), "signature": "x"}, "wrong_key"),
        "another purpose": (
            write_answer(ann.private, ours, "ann", "sign-in", given["password"]),
            "stale_challenge",
        ),
        "another's challenge": (write_answer(ann.private, ours, "ann", "sign-in", bobs), "stale_challenge"),
        "another house": (
            write_answer(ann.private, public_key(bob.private), "ann", "sign-in", text),
            "stale_challenge",
        ),
        "made up": (write_answer(ann.private, ours, "ann", "sign-in", bytes(56)), "stale_challenge"),
        "a longer life": (
            write_answer(ann.private, ours, "ann", "sign-in", text[:16] + b"\1" * 8 + text[24:]),
            "stale_challenge",
        ),
    }
    for name, (answer, code) in wrong.items():
        refused = by_key(client, "ann", answer)
        assert (refused.status_code, refused.json["code"]) == (401, code), name
    assert by_key(client, "ann", write_answer(ann.private, ours, "ann", "sign-in", text)).status_code == 201


@ON_SQLITE
def test_nobody_learns_who_is_registered(
    ann: Guest, bob: Guest, client: FlaskClient, now: list[float]
) -> None:
    shown = [challenge(client, handle) for handle in ("ann", "nobody")]
    assert [sorted(each) for each in shown] == [["challenge", "expires_at", "house"]] * 2
    assert shown[0]["expires_at"] == shown[1]["expires_at"]
    for round_ in range(FREE + 3):
        known, unknown = (by_key(client, name, answered(bob, handle=name)) for name in ("ann", "nobody"))
        assert known.status_code == unknown.status_code == (401 if round_ <= FREE else 429)
        assert {**known.json, "request_id": 0} == {**unknown.json, "request_id": 0}
        assert known.headers.get("Retry-After") == unknown.headers.get("Retry-After")


@ON_SQLITE
def test_wrong_answers_are_braked_and_the_owner_is_let_past(
    ann: Guest, client: FlaskClient, now: list[float]
) -> None:
    wrong = {**answered(ann), "signature": "A" * 86}
    assert [by_key(client, "ann", wrong).status_code for _ in range(FREE + 2)] == [401] * (FREE + 1) + [429]
    by_password = client.post(f"{API}/tokens", json={"handle": "ann", "password": PASSWORD})
    assert by_password.json["code"] == "too_many_attempts"
    assert by_key(client, "ann", answered(ann, handle="ann")).status_code == 201
    assert by_key(client, "ann", wrong).status_code == 429  # and that did not end the pause


@ON_SQLITE
def test_a_challenge_outlasts_a_new_key_of_the_house(ann: Guest, house: Runtime) -> None:
    answer = answered(ann)
    keys.rotate(house.settings.data)
    assert by_key(ann.client, "Ann", answer).status_code == 201


# Passwords


def change(guest: Guest, password: str, **proof: Any) -> TestResponse:
    """PUT /me/password."""
    return guest.put("/me/password", {"password": password, **proof})


def token_of(guest: Guest, password: str) -> TestResponse:
    """POST /tokens."""
    return guest.client.post(f"{API}/tokens", json={"handle": guest.handle, "password": password})


@pytest.mark.parametrize("lost", [False, True])
def test_a_new_password_ends_all_other_sessions(ann: Guest, bob: Guest, lost: bool) -> None:
    other = token_of(ann, PASSWORD).json["token"]
    proof = {"answer": answered(ann, "password")} if lost else {"current": PASSWORD}
    assert change(ann, OTHER_PASSWORD, **proof).status_code == 204
    assert works(ann.client, ann.token)
    assert not works(ann.client, other)
    assert works(bob.client, bob.token)
    assert token_of(ann, PASSWORD).status_code == 401
    assert token_of(ann, OTHER_PASSWORD).status_code == 201


@ON_SQLITE
def test_a_token_alone_changes_no_password(ann: Guest, bob: Guest, house: Runtime, now: list[float]) -> None:
    answer = answered(ann, "password")
    for proof, status, code in [
        ({}, 422, "one_proof"),
        ({"current": PASSWORD, "answer": answer}, 422, "one_proof"),
        ({"current": "not this"}, 403, "wrong_password"),
        ({"answer": answered(ann)}, 401, "wrong_key"),
        ({"answer": answered(bob, "password")}, 401, "wrong_key"),
    ]:
        refused = change(ann, OTHER_PASSWORD, **proof)
        assert (refused.status_code, refused.json["code"]) == (status, code), refused.text
    assert [change(ann, OTHER_PASSWORD, current="guess").status_code for _ in range(2)] == [403, 429]
    assert change(ann, OTHER_PASSWORD, answer=answer).status_code == 204
    assert change(ann, PASSWORD, answer=answer).json["code"] == "stale_challenge"


@ON_SQLITE
@pytest.mark.parametrize(("password", "code"), [("short", "bad_password"), ("ANN-of-it", "common_password")])
def test_a_bad_new_password_is_pointed_at(seat: Callable[..., Guest], password: str, code: str) -> None:
    guest = seat("Ann-of-it")
    refused = change(guest, password, current=PASSWORD)
    assert (refused.status_code, codes(refused)) == (422, [(code, "/password")])
    assert password not in refused.text


def test_of_two_changes_at_once_one_holds(ann: Guest, app: Flask, house: Runtime) -> None:
    words = [f"{OTHER_PASSWORD} {number}" for number in range(4)]

    def put(password: str) -> int:
        body = {"password": password, "current": PASSWORD}
        return app.test_client().put(f"{API}/me/password", json=body, headers=ann.headers).status_code

    found = at_once([lambda word=word: put(word) for word in words])
    assert found.count(204) == 1
    assert set(found) <= {204, 403, 429}
    kept = words[found.index(204)]
    house.brake.release("ann")
    assert token_of(ann, kept).status_code == 201


def test_a_sign_in_that_meets_a_new_password_is_refused(
    ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The password is changed after it was checked and before the token is written."""
    check = house.passwords.check

    def changed_meanwhile(kept: str | None, password: str) -> bool:
        right = check(kept, password)
        with house.write() as session:
            session.get_one(Player, ann.id).password = house.passwords.hash(OTHER_PASSWORD)
        return right

    monkeypatch.setattr(house.passwords, "check", changed_meanwhile)
    with pytest.raises(Problem) as refused:
        sign_in.issue(house, handle="ann", password=PASSWORD)
    assert refused.value.code == "wrong_password"
    monkeypatch.undo()
    assert token_of(ann, OTHER_PASSWORD).status_code == 201


# Sessions


def test_sessions_are_listed_and_ended_one_or_all(ann: Guest, bob: Guest) -> None:
    others = [token_of(ann, PASSWORD).json for _ in range(3)]
    listed = ann.get("/tokens").json["items"]
    assert len(listed) == 4
    assert [each["id"] in {other["id"] for other in others} for each in listed].count(False) == 1
    assert [each["current"] for each in listed].count(True) == 1
    assert ann.delete(f"/tokens/{others[0]['id']}").status_code == 204
    assert [works(ann.client, other["token"]) for other in others] == [False, True, True]
    assert ann.delete("/tokens?others=true").status_code == 204
    assert [works(ann.client, other["token"]) for other in others] == [False] * 3
    assert [each["current"] for each in ann.get("/tokens").json["items"]] == [True]
    assert works(bob.client, bob.token)
    assert ann.delete("/tokens").status_code == 204
    assert not works(ann.client, ann.token)


def test_the_last_use_of_a_session_is_told_give_or_take_an_hour(
    ann: Guest, house: Runtime, clock: list[int]
) -> None:
    other = token_of(ann, PASSWORD).json

    def used() -> str | None:
        [found] = [each for each in ann.get("/tokens").json["items"] if each["id"] == other["id"]]
        told: str | None = found["used_at"]
        return told

    def visit() -> int:
        """Have the other session ask something, and its process write down what it has noted."""
        assert works(ann.client, other["token"])
        house.tokens.clear()  # as after a while
        assert works(ann.client, other["token"])
        return tokens.note_uses(house)

    assert used() is None
    with noted(house.database) as asked:
        assert works(ann.client, other["token"])
    assert not any("UPDATE" in statement for statement, _ in asked), "no request writes it"
    began = timestamp(clock[0])
    assert tokens.note_uses(house) == 2, "ann's own session, and the other one"
    assert used() == began
    clock[0] += tokens.USED_MS - 1
    visit()
    assert used() == began
    clock[0] += 1
    assert visit() == 1
    assert used() == timestamp(clock[0])
    clock[0] += 5
    [mine] = [each for each in ann.get("/tokens").json["items"] if each["current"]]
    assert mine["used_at"] == timestamp(clock[0])
