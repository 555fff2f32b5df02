"""Rate limits: what the house says of them is what happens."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Any

import httpx
import pytest
import redis
from flask.testing import FlaskClient
from structlog.testing import capture_logs
from werkzeug.test import TestResponse

from service.app import create_app
from service.config import UNLIMITED, Settings
from service.runtime import Runtime
from service.web.limits import RULES, Limiter, LimitStanding, Rule
from tests.chance import unique
from tests.service.service_kit import API, PASSWORD, Guest
from tests.stack import REDIS, need
from tests.waiting import PATIENCE

pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
MESSAGES = next(rule for rule in RULES if rule.name == "message")


@pytest.fixture
def storage(request: pytest.FixtureRequest) -> Iterator[str]:
    """The storage that counts: memory, or Redis."""
    if request.param == "memory":
        yield "memory://"
        return
    need("postgresql+redis")
    yield REDIS


@pytest.fixture
def queue() -> Iterator[str]:
    """The name of a house of one's own in a shared Redis."""
    name = f"cloche-test-{unique()}"
    yield name
    if need_redis():
        with redis.Redis.from_url(REDIS) as client:
            for key in client.scan_iter(f"LIMITS:*{name}*"):
                client.delete(key)


def need_redis() -> bool:
    with redis.Redis.from_url(REDIS, socket_connect_timeout=2) as client:
        try:
            return bool(client.ping())
        except redis.RedisError:
            return False


both = pytest.mark.parametrize(
    "storage", ["memory", pytest.param("redis", marks=pytest.mark.servers)], indirect=True
)


@both
@pytest.mark.parametrize("text", ["3/minute", "7/hour;2/minute", "5/10 seconds;6/minute;9/2 minutes"])
def test_what_is_said_is_what_happens(
    storage: str, queue: str, text: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limiter = Limiter(Settings(rate_storage=storage, queue=queue, message_limit=text))
    now = [1_790_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    rng, refused, before = Random(text), 0, None
    for _ in range(150):
        now[0] += rng.choice((0.0, 0.001, rng.uniform(0, 5), rng.uniform(0, 40)))
        standing = limiter.admit(MESSAGES, "ann")
        if before is not None and before.remaining > 0:
            assert standing.retry is None  # whoever has some left is admitted
        before = standing
        if standing.retry is None:
            continue
        refused += 1
        assert standing.remaining == 0
        if standing.retry > 1:
            now[0] += standing.retry - 1.002
            early = limiter.admit(MESSAGES, "ann")
            assert early.retry in (1, 2)  # too early is too early, and counts nowhere
            now[0] += 1.002
        else:
            now[0] += standing.retry
        before = limiter.admit(MESSAGES, "ann")
        assert before.retry is None
        assert limiter.admit(MESSAGES, f"bob {rng.random()}").retry is None
    assert refused > 5


def test_what_is_left_counts_down_to_the_first_refusal(kind: str) -> None:
    limiter = Limiter(Settings(message_limit="5/minute;3/second"))
    seen = [limiter.admit(MESSAGES, "ann") for _ in range(4)]
    assert [standing.remaining for standing in seen] == [2, 1, 0, 0]
    assert [standing.amount for standing in seen] == [3, 3, 3, 3]
    assert [standing.retry for standing in seen][:3] == [None] * 3
    assert seen[3].retry in (1, 2)
    assert 0 < seen[3].reset - time.time() <= 1


@both
def test_many_at_once_are_counted_one_by_one(storage: str, queue: str, kind: str) -> None:
    given = Settings(rate_storage=storage, queue=queue, message_limit="20/minute")
    limiters = [Limiter(given) for _ in range(1 if storage == "memory://" else 3)]
    with ThreadPoolExecutor(8) as pool:
        found: list[LimitStanding] = list(
            pool.map(lambda n: limiters[n % len(limiters)].admit(MESSAGES, "ann"), range(60))
        )
    assert sum(standing.retry is None for standing in found) == 20
    assert Limiter(replace(given, queue=f"{queue}-2")).admit(MESSAGES, "ann").retry is None


def test_a_storage_that_is_away_is_told_once_and_each_counts_by_itself(kind: str) -> None:
    limiter = Limiter(Settings(rate_storage="redis://127.0.0.1:1/0", message_limit="2/minute"), 0.0)
    with capture_logs() as logs:
        retries = [limiter.admit(MESSAGES, "ann").retry for _ in range(4)]
    assert [retry is None for retry in retries] == [True, True, False, False]
    assert [(line["event"], line["log_level"]) for line in logs] == [("rate_storage_away", "warning")]
    assert "127.0.0.1" not in str(logs)


@pytest.mark.servers
def test_a_storage_that_is_back_counts_again(kind: str, queue: str, monkeypatch: pytest.MonkeyPatch) -> None:
    need("postgresql+redis")
    limiter = Limiter(Settings(rate_storage=REDIS, queue=queue, message_limit="2/minute"), 0.0)
    here = limiter._shared.storage
    with monkeypatch.context() as broken, capture_logs() as logs:
        broken.setattr(here, "lua_moving_window", _raises)
        assert [limiter.admit(MESSAGES, "ann").remaining for _ in range(2)] == [1, 0]
    with capture_logs() as later:
        assert limiter.admit(MESSAGES, "ann").remaining == 1
    assert [line["event"] for line in (*logs, *later)] == ["rate_storage_away", "rate_storage_back"]


def _raises(*_: Any, **__: Any) -> Any:
    raise redis.ConnectionError("gone")


def test_while_it_is_away_nobody_waits_for_it(kind: str) -> None:
    limiter = Limiter(Settings(rate_storage="redis://127.0.0.1:1/0", message_limit="1000/minute"))
    limiter.admit(MESSAGES, "ann")
    asked: list[int] = []
    real = limiter._shared.test
    limiter._shared.test = lambda *a, **n: asked.append(1) or real(*a, **n)  # type: ignore[method-assign]
    for _ in range(50):
        limiter.admit(MESSAGES, "ann")
    assert asked == []


# Over HTTP


def _house(house: Runtime, **changed: Any) -> FlaskClient:
    return create_app(house=replace(house, settings=replace(house.settings, **changed))).test_client()


def _headers(answer: TestResponse) -> tuple[int, int]:
    return int(answer.headers["X-RateLimit-Limit"]), int(answer.headers["X-RateLimit-Remaining"])


def test_answers_say_how_one_stands(house: Runtime) -> None:
    client = _house(house, registration_limit="2/minute")
    for left in (1, 0):
        answer = client.post(f"{API}/players", json={})
        assert answer.status_code == 422
        assert _headers(answer) == (2, left)
        assert 0 < int(answer.headers["X-RateLimit-Reset"]) - time.time() <= 61
        assert "Retry-After" not in answer.headers
    answer = client.post(f"{API}/players", json={})
    assert (answer.status_code, answer.json["code"]) == (429, "too_many_requests")
    assert answer.content_type == "application/problem+json"
    assert _headers(answer) == (2, 0)
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    free = client.get(f"{API}/cards")
    assert free.status_code == 200
    assert not {"X-RateLimit-Limit", "Retry-After"} & set(free.headers.keys())


def test_a_house_without_limits_says_nothing_of_any(client: FlaskClient, house: Runtime) -> None:
    assert all(getattr(house.settings, name) == "" for name in UNLIMITED)
    assert "X-RateLimit-Limit" not in client.post(f"{API}/players", json={}).headers
    assert client.get(f"{API}/limits").json["items"] == []


def test_sign_ins_are_limited(house: Runtime) -> None:
    client = _house(house, sign_in_limit="3/minute")
    body = {"handle": "ann", "password": "guess"}
    statuses = [client.post(f"{API}/tokens", json=body).status_code for _ in range(5)]
    # Three wrong passwords are answered, then the limit refuses.
    assert statuses == [401, 401, 401, 429, 429]


def test_players_are_counted_wherever_they_are(house: Runtime, ann: Guest, bob: Guest) -> None:
    client = _house(house, change_limit="2/minute", proxies=1)
    token = ann.post("/tokens", {"handle": "ann", "password": PASSWORD}).json["token"]
    again = {"Authorization": f"Bearer {token}"}

    def build(headers: dict[str, str], address: str) -> int:
        given = {**headers, "X-Forwarded-For": address}
        body = {"name": "x", "cards": {}}
        return client.post(f"{API}/decks", json=body, headers=given).status_code

    assert build(ann.headers, "192.0.2.1") == 201
    assert build(again, "192.0.2.2") == 201  # another token and address, the same player
    assert build(ann.headers, "192.0.2.3") == 429
    assert build(bob.headers, "192.0.2.1") == 201
    assert build({}, "192.0.2.1") == 401


@pytest.mark.parametrize(
    ("proxies", "addresses", "statuses"),
    [
        (0, ["192.0.2.1", "192.0.2.2"], [422, 429]),
        (1, ["192.0.2.1", "192.0.2.2"], [422, 422]),
        (1, ["192.0.2.1", "::ffff:192.0.2.1"], [422, 429]),
        (1, ["2001:db8::1", "2001:db8::2:1"], [422, 429]),
        (1, ["2001:db8:0:1::1", "2001:db8:0:ff::1"], [422, 429]),  # one customer may have a /56
        (1, ["2001:db8:0:1::1", "2001:db8:0:100::1"], [422, 422]),
        (2, ["192.0.2.1, 198.51.100.7", "192.0.2.1, 198.51.100.8"], [422, 429]),
        (1, ["nonsense", "nonsense"], [422, 429]),
    ],
)
def test_an_address_is_the_proxys_word_only_where_there_is_one(
    house: Runtime, proxies: int, addresses: list[str], statuses: list[int]
) -> None:
    client = _house(house, registration_limit="1/minute", proxies=proxies)
    found = [
        client.post(f"{API}/players", json={}, headers={"X-Forwarded-For": address}).status_code
        for address in addresses
    ]
    assert found == statuses


ALL = {name: f"{number}/minute" for number, name in enumerate(UNLIMITED, 2)}
"""A limit of its own for each rule."""


def test_what_is_published_is_what_counts(house: Runtime, ann: Guest) -> None:
    client = _house(house, **ALL)
    published = client.get(f"{API}/limits").json["items"]
    assert {item["name"] for item in published} == {rule.name for rule in RULES}
    for item in published:
        [window] = item["windows"]
        assert f"{window['requests']}/minute" == ALL[f"{item['name']}_limit"]
        assert window["seconds"] == 60
        assert item["operations"], item["name"]
        left = window["requests"]
        for operation in (item["operations"] * left)[:left]:  # they are counted together
            method, path = operation.split()
            url = re.sub(r"\{(number|board)\}", "1", path).replace("{", "").replace("}", "")
            if operation == f"DELETE {API}/tokens":
                url += "?others=true"  # the token of this test is still needed
            answer = client.open(url, method=method, json={}, headers=ann.headers)
            left -= 1
            assert _headers(answer) == (window["requests"], left), operation
        assert client.open(url, method=method, json={}, headers=ann.headers).status_code == 429


def test_every_change_is_limited_and_says_so(house: Runtime) -> None:
    client = _house(house, **ALL)
    published = [op for item in client.get(f"{API}/limits").json["items"] for op in item["operations"]]
    document: Any = client.get("/api/openapi.json").json
    limited = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters" and "429" in operation["responses"]
    }
    every = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method in methods
        if method in ("post", "put", "patch", "delete")
    }
    assert sorted(published) == sorted(limited)  # each once
    statistics = {"statistics", "statistics.svg", "hands", "suggestions"}
    assert limited == every | {f"GET {API}/decks/{{deck_id}}/{name}" for name in statistics}


def test_what_has_to_be_computed_is_counted_however_it_is_asked_for(house: Runtime, ann: Guest) -> None:
    client = _house(house, statistics_limit="3/minute")
    deck = ann.get("/decks").json["items"][0]["id"]
    path = f"{API}/decks/{deck}"
    asked = [("GET", f"{path}/hands"), ("HEAD", f"{path}/hands"), ("GET", f"{path}/statistics.svg")]
    asked += [("HEAD", f"{path}/statistics"), ("GET", f"{path}/hands"), ("GET", path)]
    found = [client.open(url, method=method, headers=ann.headers).status_code for method, url in asked]
    # Three computations are answered, then the limit refuses two more. Reading the deck is no computation.
    assert found == [200, 200, 200, 429, 429, 200]


def test_the_usual_limits_can_be_used(kind: str) -> None:
    limiter = Limiter(Settings())
    assert set(limiter.limits) == set(RULES)
    assert all(isinstance(rule, Rule) for rule in limiter.limits)


@pytest.mark.servers
def test_processes_count_together_and_retry_after_holds(open_stack: Callable[..., Any], kind: str) -> None:
    house = open_stack(
        "postgresql+redis",
        processes=2,
        sign_in_limit="4/minute",
        registration_limit="2/2 seconds",
        rate_storage=REDIS,
    )
    with httpx.Client(base_url=house.url + API, timeout=PATIENCE) as client:
        body = {"handle": "ann", "password": "guess"}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: client.post("/tokens", json=body).status_code, range(12)))
        assert sorted(answers) == [401] * 4 + [429] * 8
        for _ in range(2):
            while (answer := client.post("/players", json={})).status_code == 422:
                pass
            assert answer.status_code == 429
            time.sleep(int(answer.headers["Retry-After"]))
            assert client.post("/players", json={}).status_code == 422
