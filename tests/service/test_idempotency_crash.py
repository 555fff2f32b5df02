"""Idempotency keys where it hurts: several processes, and kill -9 in the middle of a request."""

from __future__ import annotations

import secrets
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from uuid import uuid4

import httpx
import pytest

from crypto.encoding import b64, unb64
from crypto.identity import new_private_key, public_key
from referee.sign_in import write_registration
from tests.stack import NOBODY, Stack
from tests.waiting import PATIENCE, until

BASE = "/api/v1"
TURNS = 10


class Player:
    """Somebody with a token who sends again whatever was not answered."""

    def __init__(self, stack: Stack) -> None:
        self.client = httpx.Client(base_url=stack.url + BASE, verify=NOBODY, timeout=PATIENCE)
        self.name = f"p{secrets.token_hex(5)}"
        body = {"handle": self.name, "password": "a long password", "starter": "trattoria"}
        private = new_private_key()
        house_key = unb64(self.client.get("/house").raise_for_status().json()["house_key"], 32)
        proof = write_registration(private, house_key, self.name)
        self.send("/players", {**body, "key": b64(public_key(private)), "proof": proof}, str(uuid4()))
        signed = self.send("/tokens", {"handle": self.name, "password": "a long password"}, str(uuid4()))
        self.client.headers["Authorization"] = f"Bearer {signed.json()['token']}"

    def send(self, path: str, body: object, key: str) -> httpx.Response:
        """The answer, however often it must be asked for."""

        def answered() -> httpx.Response | None:
            response = self.client.post(path, json=body, headers={"Idempotency-Key": key})
            return None if response.status_code in (502, 503) else response

        response = until(answered, what="an answer")
        assert response.status_code == 201, response.text
        return response

    def decks(self) -> Counter[str]:
        """Count the decks of each name."""
        items = self.client.get("/decks?limit=200").json()["items"]
        return Counter(item["name"] for item in items)

    def copies(self) -> int:
        """Count the copies of salt and egg."""
        items = self.client.get("/collection?limit=200").json()["items"]
        return sum(item["owned"] for item in items if item["card"] in ("salt", "egg"))


@pytest.mark.parametrize(
    "flavour", ["embedded", pytest.param("postgresql+rabbitmq", marks=pytest.mark.servers)]
)
def test_one_key_at_several_threads_and_processes_is_done_once(open_stack, flavour: str) -> None:
    stack = open_stack(flavour, **({} if flavour == "embedded" else {"processes": 2}))
    player = Player(stack)
    headers = {**player.client.headers}
    before = player.copies()
    for turn in range(TURNS):
        gate = threading.Barrier(4)

        def ask(turn: int = turn, gate: threading.Barrier = gate) -> tuple[int, bytes, bool]:
            body = {"cards": {"salt": 1, "egg": 1}}
            with httpx.Client(
                base_url=stack.url + BASE, headers=headers, verify=NOBODY, timeout=PATIENCE
            ) as client:
                client.get("/house")
                gate.wait()
                answer = client.post(
                    "/collection/basics", json=body, headers={"Idempotency-Key": f"turn-{turn}"}
                )
            return answer.status_code, answer.content, "Idempotency-Replayed" in answer.headers

        with ThreadPoolExecutor(4) as pool:
            answers = [future.result() for future in [pool.submit(ask) for _ in range(4)]]
        assert len({(status, body) for status, body, _ in answers}) == 1
        assert answers[0][0] == 201
        assert sorted(again for _, _, again in answers) == [False, True, True, True]
    assert player.copies() == before + 2 * TURNS


def crashes(stack: Stack, times: int, rng: Random) -> None:
    """Kill what answers, at a random moment of six requests; each is then sent again under its key."""
    player = Player(stack)
    before = player.copies()
    names: list[str] = []
    for _ in range(times):
        names += (built := [str(uuid4()) for _ in range(3)])
        asked: list[tuple[str, object, str]] = [
            *(("/decks", {"name": name, "cards": {"salt": 1}}, name) for name in built),
            *(("/collection/basics", {"cards": {"salt": 1}}, str(uuid4())) for _ in range(3)),
        ]
        with ThreadPoolExecutor(len(asked)) as pool:
            requests = [pool.submit(player.send, *request) for request in asked]
            time.sleep(rng.uniform(0.0, 0.06))
            stack.kill9("api")
            answers = [request.result() for request in requests]
        for request, answer in zip(asked, answers, strict=True):
            again = player.send(*request)
            assert again.content == answer.content
            assert again.headers["Idempotency-Replayed"] == "true"
    decks = player.decks()
    assert [decks[name] for name in names] == [1] * len(names)
    assert player.copies() == before + 3 * times


@pytest.mark.parametrize(
    "flavour", ["embedded", pytest.param("postgresql+rabbitmq", marks=pytest.mark.servers)]
)
def test_after_kill_9_in_the_middle_the_same_key_has_exactly_one_effect(open_stack, flavour: str) -> None:
    crashes(open_stack(flavour), times=2, rng=Random(4))


@pytest.mark.long
@pytest.mark.parametrize(
    "flavour", ["embedded", pytest.param("postgresql+rabbitmq", marks=pytest.mark.servers)]
)
def test_kill_9_at_many_moments(open_stack, flavour: str) -> None:
    crashes(open_stack(flavour), times=30, rng=Random())
