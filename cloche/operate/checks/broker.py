"""Checks that the broker carries a message, and that rate limits can be counted."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from queue import Empty

from kombu.connection import Connection
from kombu.entity import Exchange, Queue
from kombu.messaging import Producer
from limits.storage import storage_from_string

from cloche.operate import backends
from cloche.operate.checks.finding import Finding, ProcessSetup
from service import publisher

PATIENCE = 5.0
"""Seconds that a message may take to come back."""


def look(setup: ProcessSetup) -> Iterator[Finding]:
    """Publish a message on a temporary queue and fetch it again."""
    settings = setup.settings
    if not setup.signs:
        return
    if backends.in_memory(settings):
        if setup.inside and setup.serves:
            yield Finding("ok", "broker", "messages stay in the process, beside its worker")
        return
    shown = backends.shown(settings.broker)
    try:
        carry(settings.broker, settings.queue)
    except Empty:
        yield Finding("error", "broker", f"{shown} took a message and did not give it back", "Restart it.")
    except ImportError as fault:
        do = "Install its driver: pip install redis"
        yield Finding("error", "broker", f"the driver for {shown} is not installed ({fault.name})", do)
    except Exception as fault:  # each transport raises its own
        said = (str(fault).strip() or type(fault).__name__).splitlines()[0]
        do = "Start it, or correct CLOCHE_BROKER. Without a broker games go on, but more slowly."
        yield Finding(
            "error", "broker", f"{shown} can't be used: {without_password(said, settings.broker)}", do
        )
    else:
        yield Finding("ok", "broker", f"{shown} carries messages, on the queue {settings.queue}")


def carry(broker: str, queue: str) -> None:
    """Send a message through a broker and back. Raises `Empty`, or what the transport raises."""
    name = f"{queue}.check.{secrets.token_hex(6)}"
    given = publisher.transport_options(broker, queue)
    with Connection(broker, connect_timeout=3, transport_options={**given, "max_retries": 0}) as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, timeout=PATIENCE)
        with connection.channel() as channel:
            mine = Queue(
                name, Exchange(""), routing_key=name, durable=False, exclusive=True, auto_delete=True
            )
            bound = mine(channel)
            bound.declare()
            try:
                Producer(channel).publish({"check": name}, exchange="", routing_key=name, delivery_mode=1)
                _fetch(bound, name)
            finally:
                bound.delete()


def _fetch(queue: Queue, name: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while (message := queue.get(no_ack=True)) is None or message.payload != {"check": name}:
        if time.monotonic() > deadline:
            raise Empty
        time.sleep(0.02)


def without_password(text: str, url: str) -> str:
    """A text about a URL, without the URL's password."""
    password = url.partition("://")[2].rpartition("@")[0].partition(":")[2]
    return text.replace(password, "***") if password else text


def rates(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the storage of the rate limits can be reached, and is one for all processes."""
    storage = setup.settings.rate_storage
    if not setup.serves:
        return
    if storage.startswith("memory://"):
        if setup.processes > 1:
            do = "CLOCHE_RATE_STORAGE=redis://HOST/1"
            text = f"each of {setup.processes} processes counts alone, so limits are that much wider"
            yield Finding("warning", "rates", text, do)
        else:
            yield Finding("ok", "rates", "counted in the process")
        return
    shown = backends.shown(storage)
    try:
        reached = storage_from_string(storage, **_quick(storage)).check()
    except Exception as fault:  # each storage raises its own
        said = without_password((str(fault).strip() or type(fault).__name__).splitlines()[0], storage)
        do = "Correct CLOCHE_RATE_STORAGE."
        yield Finding("error", "rates", f"{shown} can't be used: {said}", do)
        return
    if reached:
        yield Finding("ok", "rates", f"counted at {shown}")
    else:
        do = "Start it, or correct CLOCHE_RATE_STORAGE."
        yield Finding("error", "rates", f"{shown} does not answer", do)


def _quick(storage: str) -> dict[str, float]:
    return {"socket_connect_timeout": 3.0} if storage.startswith("redis") else {}
