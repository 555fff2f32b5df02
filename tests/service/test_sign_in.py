"""Guessing passwords: pauses that grow, a way past them for the owner, and a bounded queue of hashes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from httpx import WSGITransport
from werkzeug.test import TestResponse

from client.http import Api
from client.wire import HttpWire
from crypto.encoding import b64
from crypto.identity import new_private_key
from referee.sign_in import write_sign_in
from service.app import create_app
from service.brake import FORGOTTEN, FREE, Brake
from service.config import Settings
from service.operations import sign_in
from service.operations.tokens import PREFIX
from service.passwords import AT_ONCE, Passwords, common
from service.runtime import Runtime
from tests.chance import unique
from tests.service.passwords_kit import stopped
from tests.service.service_kit import API, PASSWORD, Guest, codes, registration
from tests.stack import REDIS, need
from tests.waiting import until

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
WRONG = "not this one"


def ask(
    client: FlaskClient, handle: str, password: str, token: str | None = None, **more: Any
) -> TestResponse:
    """POST /tokens."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    body = {"handle": handle, "password": password, **more}
    return client.post(f"{API}/tokens", json=body, headers=headers)


def pause(answer: TestResponse) -> int:
    """The pause that a refusal asks for, in seconds."""
    assert (answer.status_code, answer.json["code"]) == (429, "too_many_attempts"), answer.text
    return int(answer.headers["Retry-After"])


def until_paused(client: FlaskClient, handle: str) -> None:
    for _ in range(FREE + 1):
        assert ask(client, handle, WRONG).status_code == 401


def test_pauses_grow_to_the_longest(client: FlaskClient, ann: Guest, now: list[float]) -> None:
    until_paused(client, "ann")
    seen = []
    for _ in range(13):
        wait = pause(ask(client, "ANN", PASSWORD))  # even the right one must wait
        now[0] += wait - 1.5
        assert pause(ask(client, "ann", WRONG)) in (1, 2)  # asking changes nothing
        now[0] += 1.5
        assert ask(client, "ann", WRONG).status_code == 401
        seen.append(wait)
    assert seen == [min(2**n, 900) + 1 for n in range(13)]


def test_after_the_pause_the_right_password_signs_in_and_ends_it(
    client: FlaskClient, ann: Guest, now: list[float]
) -> None:
    until_paused(client, "ann")
    now[0] += pause(ask(client, "ann", PASSWORD))
    assert ask(client, "ann", PASSWORD).status_code == 201
    until_paused(client, "ann")  # the count begins anew
    pause(ask(client, "ann", PASSWORD))


def test_wrong_passwords_are_forgotten_after_a_day(client: FlaskClient, ann: Guest, now: list[float]) -> None:
    until_paused(client, "ann")
    now[0] += FORGOTTEN + 1
    until_paused(client, "ann")


def test_a_pause_tells_nobody_who_is_registered(
    client: FlaskClient, ann: Guest, house: Runtime, now: list[float]
) -> None:
    proof = write_sign_in(ann.private, house.keys.public, house.now())
    for more in ({}, {"proof": proof}, {"proof": {"house": "x", "at": "y", "signature": "z"}}):
        for _ in range(FREE + 4):
            known, unknown = ask(client, "ann", WRONG, **more), ask(client, "nobody", WRONG, **more)
            if more.get("proof") is proof and unknown.status_code == 429:
                break  # the owner is let past, and who has that key knows whose it is
            assert known.status_code == unknown.status_code
            assert {**known.json, "request_id": 0} == {**unknown.json, "request_id": 0}
            assert known.headers.get("Retry-After") == unknown.headers.get("Retry-After")


def test_an_owner_is_not_locked_out(
    client: FlaskClient, ann: Guest, bob: Guest, house: Runtime, clock: list[int], now: list[float]
) -> None:
    until_paused(client, "ann")
    pause(ask(client, "ann", PASSWORD))
    assert ann.get("/me").status_code == 200  # the token that she has goes on working
    ours, at = house.keys.public, house.now()
    mine = write_sign_in(ann.private, ours, at)
    past = [
        ask(client, "ann", PASSWORD, token=ann.token),
        ask(client, "Ann", PASSWORD, proof=mine),
        ask(client, "ann", PASSWORD, proof=write_sign_in(ann.private, ours, at - sign_in.PROOF_MS)),
    ]
    assert [answer.status_code for answer in past] == [201, 201, 201]
    for token, proof in [
        (bob.token, None),
        ("cloche_guess", None),
        (None, write_sign_in(bob.private, ours, at)),
        (None, write_sign_in(ann.private, b"\1" * 32, at)),
        (None, write_sign_in(ann.private, ours, at - sign_in.PROOF_MS - 1)),
        (None, write_sign_in(ann.private, ours, at + sign_in.PROOF_MS + 1)),
        (None, {**mine, "at": write_sign_in(ann.private, ours, at + 1000)["at"]}),
        (None, {**mine, "signature": "A" * 86}),
    ]:
        pause(ask(client, "ann", PASSWORD, token=token, proof=proof))  # and theirs did not end the pause
    assert ask(client, "ann", WRONG, proof=mine).status_code == 401  # it replaces no password
    clock[0] += house.settings.token_days * 86_400_000
    pause(ask(client, "ann", PASSWORD, token=ann.token))  # a token that has expired is none


class Older:
    """A house of before the proofs: it knows no such member of the body."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def __call__(self, environ: Any, start_response: Any) -> Any:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        if b'"proof"' in body:
            environ["CONTENT_LENGTH"], body = "13", b'{"unknown":1}'
        environ["wsgi.input"] = BytesIO(body)
        return self._app(environ, start_response)


def test_a_players_client_proves_the_key(
    house: Runtime, app: Flask, client: FlaskClient, ann: Guest, now: list[float]
) -> None:
    proof = write_sign_in(ann.private, house.keys.public, house.now())
    with Api("http://house", transport=HttpWire(WSGITransport(app))) as api:
        until_paused(client, "ann")
        token = api.issue_token("ann", PASSWORD, "laptop", proof)
        assert api.me()["handle"] == "Ann"
        assert token.startswith(PREFIX)
    now[0] += FORGOTTEN + 1
    with Api("http://house", transport=HttpWire(WSGITransport(Older(app)))) as api:
        assert api.issue_token("ann", PASSWORD, "laptop", proof) != token


def test_a_house_may_do_without_pauses(house: Runtime, ann: Guest) -> None:
    given = replace(house.settings, sign_in_pause=0)
    client = create_app(house=replace(house, settings=given, brake=Brake(given))).test_client()
    assert {ask(client, "ann", WRONG).status_code for _ in range(3 * FREE)} == {401}


def test_of_many_at_once_one_is_checked(
    house: Runtime, app: Flask, ann: Guest, now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    until_paused(app.test_client(), "ann")
    now[0] += pause(ask(app.test_client(), "ann", WRONG))
    checked: list[str | None] = []
    check = house.passwords.check
    monkeypatch.setattr(
        house.passwords, "check", lambda kept, word: checked.append(kept) or check(kept, word)
    )
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: ask(app.test_client(), "ann", WRONG).status_code, range(8)))
    assert sorted(found) == [401] + [429] * 7
    assert len(checked) == 1


@pytest.mark.servers
def test_processes_brake_together(kind: str) -> None:
    need("postgresql+redis")
    given = Settings(rate_storage=REDIS, queue=f"cloche-test-{unique()}")
    one, other = Brake(given), Brake(given)
    try:
        assert [each.count("ann") for each in (one, other, one, other)] == [0] * (FREE + 1)
        assert one.left("Ann") >= 1
        assert other.left("ann") >= 1
        assert other.count("ann") >= 1
        assert one.left("bob") == 0
        other.release("ann")
        assert one.left("ann") == 0
        assert one.count("ann") == 0
    finally:
        with redis.Redis.from_url(REDIS) as client:
            for key in client.scan_iter(f"LIMITS:*{given.queue}*"):
                client.delete(key)


# The queue of hashes


def test_beyond_the_queue_the_house_is_busy_at_once(house: Runtime, app: Flask, ann: Guest) -> None:
    passwords = Passwords(1, 64)
    object.__setattr__(house, "passwords", passwords)
    answers: list[int] = []

    def sign_in_as(handle: str) -> None:
        answers.append(ask(app.test_client(), handle, PASSWORD).status_code)

    with stopped(passwords):
        waiting = [threading.Thread(target=sign_in_as, args=(f"ann{n}",)) for n in range(passwords.most)]
        for thread in waiting:
            thread.start()
        until(lambda: passwords.taken == passwords.most)
        assert passwords.waiting == passwords.most - AT_ONCE
        refused = [ask(app.test_client(), "ann", PASSWORD) for _ in range(FREE + 2)]
        new = ann.post("/players", registration(ann, "New", new_private_key()))
        assert ann.get("/decks").status_code == 200  # a token needs no hash
    for thread in waiting:
        thread.join()
    for answer in (*refused, new):
        assert (answer.status_code, answer.json["code"]) == (503, "busy")
        assert int(answer.headers["Retry-After"]) > 0
    assert answers == [401] * passwords.most
    assert (passwords.taken, passwords.waiting) == (0, 0)
    # None of those was a wrong password.
    assert ask(app.test_client(), "ann", PASSWORD).status_code == 201
    assert ann.get("/players/New").status_code == 404


def test_a_renewed_hash_waits_for_another_time(house: Runtime, ann: Guest) -> None:
    stronger = Passwords(2, 64, 0)
    object.__setattr__(house, "passwords", stronger)
    check = stronger.check

    def busy_afterwards(kept: str | None, word: str) -> bool:
        found = check(kept, word)
        stronger.most = 0
        return found

    stronger.check = busy_afterwards  # type: ignore[method-assign]
    assert ask(ann.client, "ann", PASSWORD).status_code == 201


# Passwords


@pytest.mark.parametrize("password", ["password", "PassWord1", "12345678", "ann-of-the-kitchen"])
def test_what_everybody_would_guess_is_refused(client: FlaskClient, password: str) -> None:
    body = {**registration(client, "Ann-of-the-Kitchen", new_private_key()), "password": password}
    answer = client.post(f"{API}/players", json=body)
    assert (answer.status_code, codes(answer)) == (422, [("common_password", "/password")])
    assert f'"{password}"' not in answer.text


def test_the_list_is_of_passwords_that_could_be_chosen(kind: str) -> None:
    assert len(common()) > 10_000
    assert all(len(word) >= 8 and word == word.lower() for word in common())
    assert PASSWORD not in common()


def test_a_proof_is_bound_to_house_key_and_time(kind: str) -> None:
    private = new_private_key()
    proof = write_sign_in(private, b"\2" * 32, 1_790_000_000_000)
    assert proof["house"] == b64(b"\2" * 32)
    assert proof["at"] == "2026-09-21T14:13:20.000Z"
