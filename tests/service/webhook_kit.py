"""A receiver of webhooks on this machine, which fails, hangs and comes back as it is told; events for it."""

from __future__ import annotations

import hmac
import json
import ssl
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from service.operations import feed, webhooks
from service.runtime import Runtime
from tests.service.service_kit import Guest
from tests.waiting import PATIENCE

LOCAL = "127.0.0.0/8,::1/128"


@dataclass
class Got:
    """A request that arrived."""

    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def verified(got: Got, secret: str, now: float) -> bool:
    """Standard Webhooks' verification, from its specification; no line is shared with the house's."""
    key = b64decode(secret.removeprefix("whsec_"), validate=True)
    stamp = int(got.headers["webhook-timestamp"])
    if abs(now - stamp) > 300:
        return False
    signed = b".".join([got.headers["webhook-id"].encode(), str(stamp).encode(), got.body])
    right = b64encode(hmac.new(key, signed, sha256).digest()).decode()
    given = [part.split(",", 1) for part in got.headers["webhook-signature"].split(" ")]
    return any(version == "v1" and hmac.compare_digest(text, right) for version, text in given)


@dataclass
class Receiver:
    """The behaviour for the next requests: a status, "hang", "drip" or "close"; and what has come."""

    url: str = ""
    does: int | str = 204
    headers: dict[str, str] = field(default_factory=dict)
    got: list[Got] = field(default_factory=list)
    free: threading.Event = field(default_factory=threading.Event)
    """Set at the end, so that nothing hangs on."""

    def take(self, handler: BaseHTTPRequestHandler) -> None:
        size = int(handler.headers.get("Content-Length", 0))
        lowered = {name.lower(): value for name, value in handler.headers.items()}
        self.got.append(Got(lowered, handler.rfile.read(size)))
        does = self.does
        if does == "hang":
            self.free.wait(PATIENCE)
        elif does == "drip":
            handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not self.free.wait(0.05):
                handler.wfile.write(b"x")
                handler.wfile.flush()
        elif isinstance(does, int):
            handler.send_response(does)
            for name, value in self.headers.items():
                handler.send_header(name, value)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
        handler.close_connection = True


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver on a free port of the loopback, over TLS if it has something to show for it."""
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            with suppress(OSError):  # the other side has given up
                receiver.take(self)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    scheme = "http"
    if tls is not None:
        scheme, server.socket = "https", tls.wrap_socket(server.socket, server_side=True)
    receiver.url = f"{scheme}://127.0.0.1:{server.server_port}/hook?for=me"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.free.set()
        server.shutdown()
        server.server_close()


def hook(guest: Guest, receiver: Receiver, *events: str) -> dict[str, str]:
    """A new webhook of a guest's."""
    made = guest.post("/webhooks", {"url": receiver.url, "events": list(events or ("*",))})
    assert made.status_code == 201, made.text
    return dict(made.json)


def happen(house: Runtime, guest: Guest, name: str = "game.asked", **data: object) -> None:
    """An event in a guest's feed."""
    with house.write() as session:
        feed.add(house, session, [guest.id], name, **data)


def carry(house: Runtime) -> int:
    """Deliver what is due now, once each; how much it was."""
    ids = webhooks.due(house, 50)
    for each in ids:
        webhooks.deliver(house, each)
    return len(ids)


def log(guest: Guest, made: dict[str, str]) -> list[dict[str, Any]]:
    """Return what a webhook's player is shown of its deliveries, newest first."""
    return list(guest.get(f"/webhooks/{made['id']}/deliveries").json["items"])
