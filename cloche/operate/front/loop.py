"""The event loop of a process that serves: uvicorn with our connections, until it is asked to stop."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
import sys
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvicorn

from cloche.operate.files import allow_files, needed_files
from cloche.operate.front import bridge
from cloche.operate.front.bridge import Bridge, Wsgi
from cloche.operate.front.connections import KEPT, Connection, ConnectionState, Crowd
from cloche.operate.front.handshakes import Handshake, context
from cloche.operate.front.lanes import Lanes
from cloche.operate.front.signals import LoopSignals
from service import metrics
from service.config import Settings
from service.runtime import Runtime
from service.web import cors

SWITCH = 0.001
"""Seconds for which a thread that computes may keep the others waiting."""
EVERY = 1.0
"""Seconds between two looks for clients that are too slow."""
HOUR = 3600.0
"""Seconds between two looks whether the certificate must be made new."""


@dataclass(frozen=True)
class Limits:
    """The limits of what a process takes on."""

    threads: int
    """The number of requests that it answers at once."""
    settings: Settings
    certificate: Callable[[], Path] | None = None
    """Gives the PEM file of key and certificate for TLS, made new where needed; None for plain HTTP."""


class Front:
    """The front of one process. `serve` blocks; `ask_to_stop` may be called by a signal handler."""

    def __init__(
        self, app: Wsgi, house: Runtime, limits: Limits, look: Callable[[], Awaitable[None]], grace: int
    ) -> None:
        """`look` is called about every second. At the end, requests in hand have `grace` seconds."""
        self._app, self._house, self._limits = app, house, limits
        self._look, self._grace = look, grace
        self._server: _Server | None = None
        self._signals: LoopSignals | None = None
        self._lanes: Lanes | None = None
        self._asked = False

    @property
    def busy(self) -> bool:
        """True if a thread still answers a request."""
        return self._lanes is not None and self._lanes.busy > 0

    def ask_to_stop(self) -> None:
        """Have `serve` return soon; nothing new is taken on."""
        self._asked = True
        if self._server is not None:
            self._server.should_exit = True

    def serve(self, sockets: list[socket.socket]) -> None:
        """Answer what arrives at these sockets until `ask_to_stop`."""
        # The loop waits its turn behind each thread that computes, by default 5 ms, several times a request.
        sys.setswitchinterval(SWITCH)
        asyncio.run(self._serve(sockets))

    async def _serve(self, sockets: list[socket.socket]) -> None:
        settings, places = self._limits.settings, self._house.notices
        most = settings.connections
        allow_files(needed_files(most, places.listening.most))
        crowd = Crowd(most, None if settings.proxies else settings.connections_per_address)
        self._lanes, self._signals = bridge.lanes(self._limits.threads), LoopSignals(places)
        application = Bridge(
            self._app,
            self._lanes,
            self._signals,
            body_limit=settings.body_limit,
            proxies=settings.proxies,
            share=settings.connections_per_address,
            origins=cors.origins_of(settings.cors_origins),
        )
        secured = await self._secured()
        begun = partial(Connection, crowd) if secured is None else partial(Handshake, crowd, secured)
        config = uvicorn.Config(
            cast(Any, application),
            http=cast(Any, begun),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEPT,
            timeout_graceful_shutdown=self._grace,
            callback_notify=self._look,
            timeout_notify=1,
        )
        self._server = _Server(config, self._signals)
        self._server.should_exit = self._asked
        tasks = [asyncio.create_task(self._watch(crowd))]
        if secured is not None:
            tasks.append(asyncio.create_task(self._renew(secured)))
        try:
            await self._server.serve(sockets)
        finally:
            for task in tasks:
                task.cancel()
            self._signals.close()
            self._lanes.close()

    async def _secured(self) -> ssl.SSLContext | None:
        """The context of TLS; None for plain HTTP."""
        given = self._limits.certificate
        return None if given is None else context(str(await asyncio.to_thread(given)))

    async def _renew(self, secured: ssl.SSLContext) -> None:
        """Use a new certificate before the old one ends, and when the machine has new addresses."""
        given = self._limits.certificate
        while given is not None:
            await asyncio.sleep(HOUR)
            try:
                secured.load_cert_chain(await asyncio.to_thread(given))
            except (OSError, ValueError) as fault:
                logging.getLogger(__name__).warning("certificate_not_renewed: %s", fault)

    async def _watch(self, crowd: Crowd) -> None:
        """Close the connections of clients that are too slow, and measure the crowd."""
        loop = asyncio.get_running_loop()
        while True:
            crowd.expire(loop.time())
            kinds = crowd.kinds()
            for kind in ConnectionState:
                metrics.connections.labels(kind.value).set(kinds[kind])
            for lane in self._lanes.lanes if self._lanes else ():
                metrics.threads_busy.labels(lane.name).set(lane.busy)
                metrics.requests_queued.labels(lane.name).set(lane.waiting)
            await asyncio.sleep(EVERY)


class _Server(uvicorn.Server):
    """uvicorn's server, which leaves signals to the process and wakes all who wait when it ends."""

    def __init__(self, config: uvicorn.Config, signals: LoopSignals) -> None:
        super().__init__(config)
        self._signals = signals

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Do nothing: the process has its own handlers."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer those who wait, and end the streams."""
        self._signals.give_all()
        await super().shutdown(sockets)
