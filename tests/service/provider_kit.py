"""A provider of images on this machine, that hangs, fails, answers rubbish and comes back."""

from __future__ import annotations

import json
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.waiting import PATIENCE

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(64))
KEY = "sk-very-secret-key"


def answer(data: bytes) -> bytes:
    """The provider's answer with this image."""
    return json.dumps({"data": [{"b64_json": b64encode(data).decode()}]}).encode()


@dataclass
class Provider:
    """Gives `body` under `status`, or hangs; remembers what it was asked."""

    url: str = ""
    status: int = 200
    body: bytes = answer(PNG)
    hangs: bool = False
    asked: list[tuple[dict[str, str], Any]] = field(default_factory=list)
    free: threading.Event = field(default_factory=threading.Event)
    at_once: int = 0
    """Requests that are being answered."""
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prompts(self) -> list[str]:
        """The prompts, in the order in which they came."""
        return [body["prompt"] for _, body in self.asked]


@contextmanager
def providing() -> Iterator[Provider]:
    """Run a provider."""
    made = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with made.lock:
                made.asked.append(({k.lower(): v for k, v in self.headers.items()}, json.loads(body)))
                made.at_once += 1
                made.most_at_once = max(made.most_at_once, made.at_once)
            assert self.path == "/v1/images/generations"
            if made.hangs:
                made.free.wait(PATIENCE)
            with made.lock:
                made.at_once -= 1
            with suppress(OSError):
                self.send_response(made.status)
                self.send_header("Content-Length", str(len(made.body)))
                self.end_headers()
                self.wfile.write(made.body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/v1"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield made
    finally:
        made.free.set()
        server.shutdown()
        server.server_close()
