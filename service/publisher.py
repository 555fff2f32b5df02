"""The publisher wakes the workers by task names; the service never imports the worker.

A message is only a wake-up. The work itself stands in the database, and the sweep over due games finds it
when a message is lost. So publishing never fails a request, and happens after the commit. A broker that does
not answer is tried again by a thread of its own until it does; no request waits for it meanwhile.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import Any

import structlog
from celery import Celery

RESOLVE = "cloche.resolve"
"""Task (game id): does whatever is due in a game."""
BOTS = "cloche.bots"
"""Task (game id): lets the house's bots that are asked in a game move."""
OPEN = "cloche.open"
"""Task (game id): opens the envelopes of a game's running step."""
PAINT = "cloche.paint"
"""Task (card number): asks the provider for the picture of a card."""
DISHES = "cloche.dishes"
"""Task (game id): notes the dishes that a game has shown, so that the provider is asked for them."""
PAIR = "cloche.pair"
"""Task (player id): looks for opponents of a player who waits in the queue."""
ROUND = "cloche.round"
"""Task (tournament id): does whatever is due in a tournament."""
SWEEP = "cloche.sweep"
"""Task (): looks for due games now."""

LIFETIME = 60
"""Seconds after which a wake-up that no worker fetched expires: by then a sweep has found the work."""
SENT = "cloche_sent"
"""Header of a message: when it was sent, in milliseconds since 1970."""
REQUEST = "cloche_request"
"""Header of a message: the id of the request that it follows from, so that logs can be read together."""
PAUSE = 2.0
"""Seconds between two attempts to reach a broker that did not answer."""
ANSWER = 1.0
"""Seconds for a broker to take a connection, and to confirm a message. On a dead line no answer comes."""

_log = structlog.get_logger(__name__)


def celery(broker: str, queue: str) -> Celery:
    """A Celery application on `broker` (a kombu URL) that uses `queue` alone.

    Messages carry JSON. A worker fetches a message when a thread is free, and acknowledges it after the work.
    In memory a message dies with the process either way, and a late acknowledgement would only make the next
    one wait. Nothing is stored but the message: there are no results, no remote control, no events. Two
    houses can share a broker if their queues have different names.
    """
    in_memory = broker.startswith("memory://")
    # The memory transport has no host, and kombu warns when none is named.
    app = Celery("cloche", broker="memory://localhost//" if in_memory else broker, set_as_current=False)
    app.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=not in_memory,
        task_reject_on_worker_lost=True,
        task_default_queue=queue,
        task_default_delivery_mode="transient",
        # One more attempt at once, for a connection that the broker has closed meanwhile.
        task_publish_retry_policy={
            "max_retries": 1,
            "interval_start": 0,
            "interval_step": 0,
            "interval_max": 0,
        },
        worker_prefetch_multiplier=0 if in_memory else 1,
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        broker_connection_timeout=2,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options=transport_options(broker, queue),
    )
    return app


def transport_options(broker: str, queue: str) -> dict[str, Any]:
    """The options of kombu's transport for a broker of this kind."""
    scheme = broker.partition("://")[0]
    if scheme == "memory":
        return {"polling_interval": 0.02}
    if scheme in ("redis", "rediss"):
        # In a shared Redis, all our keys start with the queue's name, and so do the transport's own.
        return {
            "global_keyprefix": f"{queue}:",
            "visibility_timeout": 30,
            "socket_connect_timeout": 2,
            "socket_timeout": 5,
        }
    return {}


def _impatient(broker: str) -> dict[str, Any]:
    """More options for a publisher: each message must be confirmed, and soon."""
    scheme = broker.partition("://")[0]
    if scheme in ("redis", "rediss"):  # Redis answers every command anyway
        return {"socket_connect_timeout": ANSWER, "socket_timeout": ANSWER}
    return {"confirm_publish": True} if scheme in ("amqp", "amqps", "pyamqp") else {}


def _headers() -> dict[str, Any]:
    request = structlog.contextvars.get_contextvars().get("request_id")
    return {SENT: time.time_ns() // 1_000_000, **({} if request is None else {REQUEST: request})}


class Publisher:
    """Publishes wake-ups for the workers of one house. Safe to share between threads."""

    def __init__(self, broker: str, queue: str) -> None:
        self._app = celery(broker, queue)
        # No thread answers heartbeats between two wake-ups. With heartbeats, RabbitMQ would close an idle
        # connection, and the next message would be lost without an error.
        self._app.conf.broker_heartbeat = 0
        self._app.conf.broker_connection_timeout = ANSWER
        self._app.conf.broker_transport_options = {**transport_options(broker, queue), **_impatient(broker)}
        self._lock = threading.Lock()
        self._away = threading.Event()
        self._closing = threading.Event()

    def resolve(self, game: str) -> bool:
        """Ask for `game` (its id) to be resolved; False when no broker took the message."""
        return self.send(RESOLVE, game)

    def bots(self, game: str) -> bool:
        """Ask the house's bots in `game` to move; False when no broker took the message."""
        return self.send(BOTS, game)

    def sweep(self) -> bool:
        """Ask for a sweep now; False when no broker took the message."""
        return self.send(SWEEP)

    def send(self, task: str, *args: str) -> bool:
        """Ask a worker to run `task` with these arguments; False when no broker took the message."""
        if self._away.is_set():
            return False
        try:
            with self._app.producer_or_acquire() as producer:
                if self._away.is_set():  # another thread found out while this one waited for a connection
                    return False
                self._publish(producer, task, *args)
        except Exception as fault:  # whatever the transport raises: the work stands in the database
            with self._lock:
                first = not self._away.is_set()
                self._away.set()
            if first:
                _log.warning("broker_unreachable", task=task, fault=f"{type(fault).__name__}: {fault}")
                threading.Thread(target=self._reconnect, name="broker", daemon=True).start()
            return False
        return True

    def _publish(self, producer: Any, task: str, *args: str) -> None:
        self._app.send_task(
            task,
            args=args,
            producer=producer,
            expires=LIFETIME,
            ignore_result=True,
            headers=_headers(),
            confirm_timeout=ANSWER,
        )

    def _reconnect(self) -> None:
        """Send a message every `PAUSE` until the broker takes one; it stands for all that were not sent."""
        while not self._closing.wait(PAUSE):
            with contextlib.suppress(Exception), self._app.producer_or_acquire() as producer:
                self._publish(producer, SWEEP)
                self._away.clear()
                _log.info("broker_reachable")
                return

    def waiting(self) -> int | None:
        """Count the wake-ups that no worker has fetched yet; None when the broker does not answer."""
        try:
            with self._app.connection_for_write() as connection:
                connection.ensure_connection(max_retries=1, timeout=2)
                # Declared as workers do it: passively, kombu does not find a queue in Redis by its prefix.
                queue = self._app.amqp.queues[self._app.conf.task_default_queue](connection.default_channel)
                return int(queue.queue_declare().message_count)
        except Exception as fault:  # whatever the transport raises
            _log.info("queue_not_read", fault=type(fault).__name__)
            return None

    def close(self) -> None:
        """Close the connections to the broker."""
        self._closing.set()
        self._app.close()
