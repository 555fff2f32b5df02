"""Webhooks under load and hands that cross: many deliveries, workers that claim at once, one removed."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, update
from sqlmodel import select

from service.models import Delivery, Webhook
from service.operations import outbox, webhooks
from service.runtime import Runtime
from tests.service.service_kit import Guest
from tests.service.webhook_kit import Receiver, carry, happen, hook, log
from tests.waiting import PATIENCE

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
DAY = 86_400_000
WEBHOOK = Webhook(player_id="", url="", events=[], created_at=0, house_key="")


def claims(house: Runtime, workers: int) -> list[str]:
    """Return what so many workers claim at the same moment, for as long as there is something."""
    barrier = threading.Barrier(workers)

    def claim(_: int) -> list[str]:
        found: list[str] = []
        barrier.wait()
        for _ in range(6):
            found += webhooks.due(house, 8)
        return found

    with ThreadPoolExecutor(workers) as pool:
        return [each for found in pool.map(claim, range(workers)) for each in found]


def test_workers_that_look_at_once_never_claim_two_for_one_endpoint(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    for _ in range(3):
        hook(ann, receiver)
    for _ in range(40):  # more than are looked at in one go
        happen(near, ann)
    for _ in range(5):
        clock[0] += webhooks.CLAIM_MS + 1
        claimed = claims(near, 4)
        with near.read() as session:
            owners = dict(session.exec(select(Delivery.id, Delivery.webhook_id)).all())
        assert set(Counter(owners[each] for each in claimed).values()) == {1}
        assert len(claimed) == 3


@ON_SQLITE
def test_a_claim_counts_for_a_worker_whose_clock_is_behind(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    # Or that looked at the clock, and was held up while another claimed.
    hook(ann, receiver)
    happen(near, ann)
    clock[0] += 100
    (taken,) = webhooks.due(near, 8)
    clock[0] -= 100
    assert webhooks.due(near, 8) == []
    clock[0] -= 3_600_000  # it was put back: nobody waits for an hour
    with near.write() as session:
        session.execute(update(Delivery).values(due_at=clock[0]))
    assert webhooks.due(near, 8) == [taken]


def test_a_webhook_that_is_removed_while_an_event_is_entered_for_it_does_not_undo_the_event(
    near: Runtime, ann: Guest, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = hook(ann, receiver)
    looked, removed = threading.Event(), threading.Event()
    entered = outbox.delivery

    def slowly(*args: object) -> Delivery:
        looked.set()
        removed.wait(0.5)  # a webhook that can't go before has not gone then
        return entered(*args)

    monkeypatch.setattr(outbox, "delivery", slowly)

    def remove() -> int:
        assert looked.wait(PATIENCE)
        status = ann.delete(f"/webhooks/{made['id']}").status_code
        removed.set()
        return status

    with ThreadPoolExecutor(1) as pool:
        removing = pool.submit(remove)
        happen(near, ann, game="g")
        assert removing.result(PATIENCE) == 204
    assert [each["event"] for each in ann.get("/feed").json["events"]] == ["game.asked"]
    with near.read() as session:
        assert session.exec(select(Delivery)).all() == []


@ON_SQLITE
def test_an_event_entered_while_a_webhook_is_disabled_waits_for_it(
    near: Runtime, ann: Guest, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = hook(ann, receiver)
    receiver.does = 410
    happen(near, ann, game="g")
    (taken,) = webhooks.due(near, 50)
    # The event's transaction sees the webhook as it was before that one's.
    with near.write() as session:
        late = outbox.delivery(session.get(Webhook, made["id"]), "game.over", {}, near.now(), 7)
    webhooks.deliver(near, taken)
    with near.write() as session:
        session.add(late)
    assert ann.get(f"/webhooks/{made['id']}").json["disabled_reason"] == "gone"
    assert webhooks.due(near, 50) == []
    receiver.does = 204
    assert ann.post(f"/webhooks/{made['id']}/enable", None).status_code == 200
    assert carry(near) == 1
    assert receiver.got[-1].json["type"] == "game.over"


@ON_SQLITE
def test_those_that_answer_come_before_those_that_fail(
    near: Runtime, clock: list[int], ann: Guest, bob: Guest, receiver: Receiver
) -> None:
    receiver.does = 500
    failing = [hook(ann, receiver)["id"] for _ in range(3)]
    happen(near, ann, game="g")
    assert carry(near) == 3
    clock[0] += 6_001
    sound = hook(bob, receiver)
    happen(near, bob, game="g")
    (first,) = webhooks.due(near, 1)
    assert [each["id"] for each in log(bob, sound)] == [first]
    assert len(webhooks.due(near, 9)) == len(failing)


@ON_SQLITE
def test_what_an_endpoint_had_and_what_is_due_later_makes_no_work(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    # Claiming holds up every other writer; one who plays much has ten thousands of deliveries in two weeks.
    made, steps = hook(ann, receiver), [0]

    def tick() -> int:
        steps[0] += 1
        return 0

    @event.listens_for(near.database.engine, "checkout")
    def count(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_progress_handler(tick, 10)

    def fill(first: int, many: int) -> None:
        new = [outbox.delivery(WEBHOOK, "game.over", {}, clock[0], first + number) for number in range(many)]
        for number, each in enumerate(new):
            each.webhook_id = made["id"]
            each.due_at = None if number % 2 else clock[0] + DAY
        with near.write() as session:
            session.add_all(new)

    def work() -> int:
        steps[0] = 0
        assert len(webhooks.due(near, 8)) == 1
        assert webhooks.due(near, 8) == []
        assert ann.get(f"/webhooks/{made['id']}/deliveries?limit=5").status_code == 200
        clock[0] += webhooks.CLAIM_MS + 1
        return steps[0]

    fill(100, 10)
    for _ in range(4):
        happen(near, ann)
    little = work()
    fill(1000, 1000)
    assert work() < 2 * little
