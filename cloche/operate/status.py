"""A small HTTP server for a process that has none: is it alive, is it ready, its figures."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import click
from flask import Flask
from werkzeug.serving import BaseWSGIServer, make_server

from service.api import health
from service.runtime import Runtime
from service.web import errors


def address(text: str) -> tuple[str, int]:
    """Read HOST:PORT, [HOST]:PORT or PORT (on this machine alone). Raises `click.BadParameter`."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > 65535:
        raise click.BadParameter("must be HOST:PORT, or a port of 127.0.0.1.", param_hint="--status")
    return host.strip("[]") or "127.0.0.1", int(port)


def url(server: BaseWSGIServer) -> str:
    """The URL of a server."""
    host, port = server.server_address[:2]
    return f"http://[{host!s}]:{port}" if ":" in str(host) else f"http://{host!s}:{port}"


def serve(house: Runtime, at: tuple[str, int], alive: Callable[[], bool]) -> BaseWSGIServer:
    """Serve /healthz, /readyz and /metrics of this process, in a thread. Raises `OSError`.

    `alive` says whether the process still does its work; /healthz answers 503 if it does not.
    """
    app = Flask("cloche-status", static_folder=None)
    app.extensions["cloche"] = house
    app.extensions["cloche-alive"] = alive
    errors.install(app)
    health.install(app)
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = make_server(*at, app, threaded=True)
    threading.Thread(target=server.serve_forever, name="status", daemon=True).start()
    return server
