"""A worker dies while it carries events to webhooks: each arrives all the same, signed, under one id."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import func, update
from sqlmodel import col, select

from client.webhooks import Webhooks
from service.config import Settings
from service.models import Delivery
from service.operations import feed, webhooks
from service.runtime import Runtime
from tests.client.guests import Invite
from tests.service.webhook_kit import Got, Receiver, receiving, verified
from tests.stack import Stack
from tests.waiting import until


@contextmanager
def news(house: Runtime, player_id: str) -> Iterator[list[int]]:
    """Events for a player, one after another all the time; yields how many there are (one item)."""
    told, over = [0], threading.Event()

    def tell() -> None:
        while not over.wait(0.03):
            with house.write() as session:
                feed.add(house, session, [player_id], "game.asked", number=told[0])
            told[0] += 1

    thread = threading.Thread(target=tell)
    thread.start()
    try:
        yield told
    finally:
        over.set()
        thread.join()


def half_a_minute_passes(house: Runtime) -> None:
    """Let the dead worker's claims run out. Until then nobody else takes what it had in hand."""
    with house.write() as session:
        held = update(Delivery).where(col(Delivery.claimed_until) > 0)
        session.execute(held.values(claimed_until=col(Delivery.claimed_until) - webhooks.CLAIM_MS))


def waiting(house: Runtime) -> int:
    """Count the deliveries that are still to be made."""
    with house.read() as session:
        left = select(func.count()).where(col(Delivery.due_at).is_not(None))
        return session.exec(left).one()


def check(receiver: Receiver, secret: str, events: int) -> list[Got]:
    """Every event has arrived, each time the same, and genuine; returns what came more than once."""
    seen: dict[int, Got] = {}
    again = []
    for got in receiver.got:
        assert verified(got, secret, time.time())
        first = seen.setdefault(got.json["data"]["seq"], got)
        assert (got.body, got.headers["webhook-id"]) == (first.body, first.headers["webhook-id"])
        if got is not first:
            again.append(got)
    assert sorted(seen) == list(range(1, events + 1))
    assert len({got.headers["webhook-id"] for got in seen.values()}) == events
    return again


@pytest.mark.parametrize(
    "flavour",
    [
        pytest.param("embedded", marks=pytest.mark.long),
        pytest.param("postgresql+redis", marks=pytest.mark.servers),
        pytest.param("postgresql+rabbitmq", marks=[pytest.mark.servers, pytest.mark.long]),
    ],
)
def test_deliveries_outlive_kill_9(open_stack: Callable[..., Stack], invite: Invite, flavour: str) -> None:
    stack = open_stack(flavour, webhook_networks="127.0.0.0/8", sweep_ms=50)
    guest = invite(stack)
    house = Runtime.open(Settings.from_environment(stack.environment))
    mine = Webhooks(guest.api)
    with receiving() as quick, receiving() as hanging:
        secrets = [mine.add(each.url, ["*"])["secret"] for each in (quick, hanging)]
        hanging.does = "hang"
        with news(house, guest.api.me()["id"]) as told:
            until(lambda: len(quick.got) >= 5 and hanging.got)
            stack.kill9("api" if flavour == "embedded" else "worker")
            so_far = told[0]
            until(lambda: told[0] >= so_far + 5)
        hanging.does = 204
        half_a_minute_passes(house)
        stack.start()
        until(lambda: not waiting(house))
        twice = [check(each, secret, told[0]) for each, secret in zip((quick, hanging), secrets, strict=True)]
    assert len(twice[0]) <= 1  # no more than what was in hand
    assert [got.json["data"]["seq"] for got in twice[1]] == [1]
    house.close()
