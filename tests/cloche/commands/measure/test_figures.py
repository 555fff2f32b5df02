"""Figures, health and logs of real processes: of the whole house, read together."""

from __future__ import annotations

import re

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.conftest import Open
from tests.stack import NOBODY
from tests.waiting import PATIENCE, until
from tests.worker.duels import Duel, Guest

ROUNDS = 1


def samples(url: str) -> dict[str, float]:
    """Figures by name, summed over their labels."""
    answer = httpx.get(f"{url}/metrics", verify=NOBODY)
    assert answer.status_code == 200
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            found[sample.name] = found.get(sample.name, 0.0) + sample.value
    return found


@pytest.mark.servers
@pytest.mark.parametrize("flavour", ["postgresql+rabbitmq", "postgresql+redis"])
def test_a_request_can_be_followed_through_the_worker_and_all_is_counted(
    open_stack: Open, flavour: str
) -> None:
    stack = open_stack(flavour, processes=2, status="127.0.0.1:0", sweep_ms=60_000)
    assert stack.worker is not None
    status = stack.worker.says(r"(http://127\.0\.0\.1:\d+)/metrics")[1]
    duel = Duel.begin(stack, 2)
    duel.play(ROUNDS)

    served, working = samples(stack.url), samples(status)
    # Two processes serve, and whichever is asked answers for both.
    mine = len(duel.answers) + 1
    assert served["cloche_messages_total"] == mine
    assert samples(stack.url)["cloche_messages_total"] == mine
    assert served["cloche_games_begun_total"] == served["cloche_games_over_total"] == 1
    assert served["cloche_database_up"] == served["cloche_broker_up"] == 1
    assert served["cloche_games_overdue"] == 0
    # Held messages are entered by the worker, woken by the last of them.
    assert working["cloche_step_lag_seconds_count"] >= 2
    assert working["cloche_queue_lag_seconds_count"] >= working["cloche_step_lag_seconds_count"]
    assert working["cloche_tasks_total"] == working["cloche_task_seconds_count"]
    assert httpx.get(f"{status}/healthz", verify=NOBODY).json() == {"status": "ok"}
    assert httpx.get(f"{status}/readyz", verify=NOBODY).json() == {"status": "ready"}

    closed = [line for line in stack.log("worker") if line["event"] == "step_closed"]
    assert closed
    assert all(line["game"] == duel.game_id for line in closed)
    posts = {
        line["request_id"]
        for line in stack.log()
        if line["event"] == "request" and line["route"].endswith("/entries") and line["method"] == "POST"
    }
    followed = [line for line in closed if line.get("request_id") in posts]
    assert followed, "no step was closed by a message that names its request"
    requests = [line for line in stack.log() if line.get("request_id") == followed[0]["request_id"]]
    assert {line["event"] for line in requests} >= {"request", "message_taken"}
    assert all(re.fullmatch(r"[0-9a-f-]{36}", line["game"]) for line in requests)


@pytest.mark.servers
def test_a_worker_that_can_do_nothing_is_alive_and_not_ready(open_stack: Open) -> None:
    """Without its tables it must not be killed for it: it goes on when they are back."""
    stack = open_stack("postgresql+redis", status="127.0.0.1:0")
    assert stack.worker is not None
    status = stack.worker.says(r"(http://127\.0\.0\.1:\d+)/metrics")[1]
    until(lambda: samples(status).get("cloche_sweeps_total", 0) > 0)
    stack.ban(True)
    try:
        assert until(lambda: httpx.get(f"{status}/readyz", verify=NOBODY).status_code == 503, 20)
        assert httpx.get(f"{status}/healthz", verify=NOBODY).status_code == 200
        assert samples(status)["cloche_database_up"] == 0
    finally:
        stack.ban(False)
    assert until(lambda: httpx.get(f"{status}/readyz", verify=NOBODY).status_code == 200, 20)


def test_tidying_by_hand_says_what_it_did(open_stack: Open) -> None:
    stack = open_stack()
    Guest.register(stack, "ann")
    done = stack.run("tidy")
    assert done.popen.wait(PATIENCE) == 0
    assert re.search(r"^tokens +0$", done.text(), re.MULTILINE)
