"""One match of a driver: its moves at planned moments, and its followers."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load.bare import BareMatch
from benchmarks.load.connections import LOST, DriverConnection, HttpResponse, StreamRefused
from benchmarks.turns.table import DrivenMatch
from benchmarks.turns.wsgi import Request
from referee import Message

POLL = 20.0
"""Seconds that a follower's long poll may last."""
PAUSE = 0.2
"""Seconds before a request is sent again that got no answer, or a refusal without Retry-After."""
BUSY = (429, 503)
"""The statuses of a house that has too much to do."""
SEEN = 60.0
"""Seconds after which an entry counts as lost to a follower."""


@dataclass
class PhaseTally:
    """The events of one phase. Times are in milliseconds from the planned moment of a move."""

    answered: list[float] = field(default_factory=list)
    """The times until the receipt was there."""
    seen: list[float] = field(default_factory=list)
    """The times until every follower had the entry."""
    refused: list[float] = field(default_factory=list)
    """The time that each refusal of a message by a busy house took, from its request."""
    retry_after: list[float] = field(default_factory=list)
    """Seconds, from these refusals."""
    reads_refused: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    """Everything that should not happen, by a short name."""
    moved: int = 0
    """Moves that were made: accepted before the end of the phase."""

    def json(self) -> dict[str, Any]:
        """Return the events as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class LoadPhase:
    """A time in which matches move at a pace."""

    begins: float
    """The time of its beginning in seconds, by the machine's monotonic clock, which all processes share."""
    seconds: float
    pace: float
    """Seconds between two planned moves of a match; 0 for each as soon as the one before was seen."""


class Playing:
    """A match that is played at planned moments. Its next message is built and signed before its moment."""

    def __init__(
        self, url: str, match: DrivenMatch | BareMatch, events: bool, source: str | None = None
    ) -> None:
        """Take a match. `source` is the address of this machine from which its players connect."""
        self.match, self._events = match, events
        self._url, self._source = url, source
        self._sending = DriverConnection(url, source)
        self._newest = [match.game.seq] * len(match.seats)
        """The newest entry that each follower has, by seat."""
        self._grown = asyncio.Event()
        self._ready: Message | None = None
        self._followers: list[asyncio.Task[None]] = []
        self.tally = PhaseTally()
        self.accepted: list[tuple[Message, int | None]] = []
        """Every message that the house took, with the seq of its entry."""

    def follow(self) -> None:
        """Begin to follow the record at every seat."""
        for seat in self.match.seats:
            task = self._listen(seat.number) if self._events else self._poll(seat.number)
            self._followers.append(asyncio.create_task(self._again(task, seat.number)))

    async def _again(self, first: Awaitable[None], seat: int) -> None:
        """Follow, and connect again whenever the connection is lost."""
        following = first
        while True:
            try:
                await following
                return
            except LOST:
                self.tally.faults["line_lost"] += 1
            except StreamRefused as refused:
                self.tally.reads_refused += 1
                await asyncio.sleep(refused.response.retry_after or PAUSE)
            await asyncio.sleep(PAUSE)
            following = self._listen(seat) if self._events else self._poll(seat)

    async def _poll(self, seat: int) -> None:
        connection = DriverConnection(self._url, self._source)
        try:
            while not self.match.game.over:
                asked = f"{self.match.path}?after={self._newest[seat]}&wait={POLL:g}"
                response = await connection.ask(Request("GET", asked, self.match.visitors[seat].token), POLL)
                if response.status in BUSY:
                    self.tally.reads_refused += 1
                    await asyncio.sleep(response.retry_after or PAUSE)
                elif response.status != 200:
                    self.tally.faults[f"read_{response.status}"] += 1
                    await asyncio.sleep(PAUSE)
                elif entries := response.json["entries"]:
                    self._arrived(seat, entries)
                else:
                    await asyncio.sleep(0.3)  # a crowded house answers at once, and asks for a pause
        finally:
            connection.close()

    async def _listen(self, seat: int) -> None:
        connection = DriverConnection(self._url, self._source)
        path = f"/games/{self.match.id}/events?after={self._newest[seat]}"
        try:
            async for _, _, entry in connection.listen(Request("GET", path, self.match.visitors[seat].token)):
                self._arrived(seat, [entry])
                if entry["kind"] == "result":
                    return
        finally:
            connection.close()

    def _arrived(self, seat: int, entries: list[Any]) -> None:
        self.match.take(entries)
        self._newest[seat] = max(self._newest[seat], entries[-1]["seq"])
        self._grown.set()

    async def play(self, phase: LoadPhase, offset: float) -> None:
        """Move through a phase. `offset` is the share of a pace after which this match begins."""
        begins, ends = phase.begins + offset * phase.pace, phase.begins + phase.seconds
        number = 0
        while not self.match.game.over:
            planned = begins + number * phase.pace if phase.pace else max(begins, time.monotonic())
            if planned >= ends or (message := await self._prepare(ends)) is None:
                return
            await asyncio.sleep(planned - time.monotonic())
            if time.monotonic() >= ends:
                return
            await self._move(message, planned, ends)
            number += 1

    async def _prepare(self, ends: float) -> Message | None:
        """Build the next message; None if the phase ends, or the match does, before there is one."""
        match = self.match
        if self._ready is not None and self._ready.kind == "move" and self._ready.step < match.game.step:
            self._ready = None  # the time for it has passed
        while self._ready is None:
            if match.game.over:
                return None
            for seat in match.lacking():
                response = await self._patiently(match.faces(seat))
                match.know(seat, response.json["faces"])
            if due := match.due():
                self._ready = match.message(due[0])
            elif time.monotonic() > ends:
                return None
            else:
                await self._growth(min(ends, time.monotonic() + SEEN))
        return self._ready

    async def _growth(self, until: float) -> None:
        """Wait for new entries, or until a moment."""
        self._grown.clear()
        try:
            async with asyncio.timeout(max(0.001, until - time.monotonic())):
                await self._grown.wait()
        except TimeoutError:
            return

    async def _patiently(self, request: Request) -> HttpResponse:
        """Return the answer to a request that is sent again until the house takes it."""
        while True:
            response = await self._sending.ask(request)
            if response.status < 300:
                return response
            if response.status not in BUSY:
                self.tally.faults[f"{request.method.lower()}_{response.status}"] += 1
            await asyncio.sleep(response.retry_after or PAUSE)

    async def _move(self, message: Message, planned: float, ends: float) -> None:
        """Send the message until the house takes it, and wait until every follower has its entry."""
        response = await self._send(message, ends)
        if response is None:
            return
        now, self._ready = time.monotonic(), None
        if response.status != 201:
            told = response.json if response.data.startswith(b"{") else {}
            self.tally.faults[f"move_{told.get('code', response.status)}"] += 1
            return
        seq = response.json["seq"]
        self.accepted.append((message, seq))
        self.tally.answered.append((now - planned) * 1000)
        self.tally.moved += now < ends
        if seq is not None:
            await self._all_have(seq)
            self.tally.seen.append((time.monotonic() - planned) * 1000)

    async def _send(self, message: Message, ends: float) -> HttpResponse | None:
        """Return the answer of a house that is not too busy; None if the phase ends first."""
        request = self.match.post(message)
        while True:
            asked = time.monotonic()
            try:
                response = await self._sending.ask(request)
            except LOST:
                self.tally.faults["post_lost"] += 1
                pause = PAUSE
            else:
                if response.status not in BUSY:
                    return response
                self.tally.refused.append((time.monotonic() - asked) * 1000)
                if response.retry_after is not None:
                    self.tally.retry_after.append(response.retry_after)
                pause = response.retry_after or PAUSE
            if time.monotonic() + pause >= ends:
                return None  # it stays ready for the next phase
            await asyncio.sleep(pause)

    async def _all_have(self, seq: int) -> None:
        until = time.monotonic() + SEEN
        while min(self._newest) < seq:
            if time.monotonic() > until:
                self.tally.faults["not_seen"] += 1
                return
            await self._growth(until)

    def stop(self) -> None:
        """Stop following."""
        for task in self._followers:
            task.cancel()
        self._sending.close()
