"""A process that imports the house's largest libraries, starts gunicorn, and answers: nothing else.

It is what `cloche serve` is compared with at its start: `python libraries.py`.
"""

from __future__ import annotations

import socket
import sys
from typing import Any

import alembic.command
import celery
import celery.worker
import flask_smorest
import sqlmodel
from flask import Flask
from gunicorn.app.base import BaseApplication

_IMPORTED = (alembic.command, celery.worker, celery.Celery, flask_smorest.Api, sqlmodel.SQLModel)


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn with one process of threads."""

    def __init__(self, listener: socket.socket) -> None:
        self._listener, self._port = listener, listener.getsockname()[1]
        super().__init__()

    def load_config(self) -> None:
        """Set one process of threads, on the port that is already open."""
        for name, value in {
            "bind": f"fd://{self._listener.fileno()}",
            "worker_class": "gthread",
            "threads": 32,
            "loglevel": "error",
            "control_socket_disable": True,
            "post_worker_init": self._opened,
        }.items():
            self.cfg.set(name, value)

    def _opened(self, _process: object) -> None:
        sys.stdout.write(f"open at http://127.0.0.1:{self._port}\n")
        sys.stdout.flush()

    def load(self) -> Any:
        """Return an application that answers."""
        app = Flask("libraries", static_folder=None)
        app.add_url_rule("/", view_func=lambda: "here")
        return app


if __name__ == "__main__":
    opened = socket.create_server(("127.0.0.1", 0))
    opened.set_inheritable(True)
    Server(opened).run()
