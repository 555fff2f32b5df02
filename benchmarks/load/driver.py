"""A process that plays matches against a house: `python -m benchmarks.load.driver`.

It reads a job as one line of JSON, sits down at its matches, and says so. Then it reads phases, one a line,
and answers each with what happened. After the last line it verifies the records of all its matches.
"""

from __future__ import annotations

import asyncio
import gc
import http.client
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

from benchmarks.load import bare
from benchmarks.load.bare import BareMatch
from benchmarks.load.player import BUSY, LoadPhase, PhaseTally, Playing
from benchmarks.turns.table import Call, DrivenMatch, Visitor, register, sit_down
from benchmarks.turns.wsgi import BASE, JsonResponse, Request, RequestRefused, expect
from cards.games import find
from crypto.encoding import b64, canonical
from referee import verify_record

STARTERS = ("trattoria", "night-market")
PATIENCE = 120.0
"""Seconds that a driver waits for a busy house in all, beside the load itself."""
FIRST = ("seal", "move")
"""The kinds of messages from which on a match is measured."""


@dataclass(frozen=True, slots=True)
class Job:
    """The matches that a driver has to play."""

    url: str
    mode: str
    options: dict[str, Any]
    seats: int
    matches: int
    events: bool
    """True if followers listen to streams of events; else they poll."""
    seed: int
    players: int | None = None
    """The number of players who sit at all matches together; None for new ones at each."""
    bare: str | None = None
    """The file that names the games of the bound, where no house is played at."""
    first: int = 0
    """The number of the first of its matches among those of all drivers."""


def addresses(count: int, each: int) -> list[str | None]:
    """Choose addresses of this machine for so many connections, `each` of them from one address."""
    places = [number // each for number in range(count)]
    return [f"127.{1 + place // 62_500}.{place // 250 % 250}.{1 + place % 250}" for place in places]


@contextmanager
def calls(url: str) -> Iterator[Call]:
    """Open a connection for one request after another. A busy house is asked again when it says."""
    parts, waited = urlsplit(url), 0.0
    connection = http.client.HTTPConnection(parts.hostname or "127.0.0.1", parts.port, timeout=60)

    def call(request: Request) -> JsonResponse:
        body = None if request.body is None else json.dumps(request.body)
        nonlocal waited
        fields = dict(request.headers()) | ({} if body is None else {"Content-Type": "application/json"})
        while True:
            connection.request(request.method, BASE + request.path, body, fields)
            response = connection.getresponse()
            data = response.read()
            pause = float(response.headers.get("Retry-After", "0.2"))
            if response.status not in BUSY or waited + pause > PATIENCE:
                return JsonResponse(response.status, json.loads(data) if data else None, 0.0)
            waited += pause
            time.sleep(pause)

    try:
        yield call
    finally:
        connection.close()


def begin(call: Call, job: Job) -> list[DrivenMatch]:
    """Sit down at all matches, and play each to its first choice."""
    own, rng = find(job.mode).facts.own_decks, Random(job.seed)
    count = job.players or job.seats * job.matches
    pool = [register(call, STARTERS[i % 2]) for i in range(max(count, job.seats))]
    matches = []
    for number in range(job.matches):
        first = number * job.seats
        visitors: list[Visitor] = [pool[(first + i) % len(pool)] for i in range(job.seats)]
        match = sit_down(call, visitors, job.mode, rng, lambda _: time.sleep(0.02), job.options)
        match.until(FIRST[0] if own else FIRST[1])
        matches.append(match)
    return matches


def check(call: Call, playing: Playing) -> str | None:
    """Check that the house kept everything that it took; returns what is wrong with the record, or None.

    The record must be valid, and hold every accepted message exactly once, where the house said.
    """
    match = playing.match
    if isinstance(match, BareMatch):
        return None if match.game.seq >= len(playing.accepted) else "entries are missing"
    for seat in match.seats:  # a record without a result is never valid
        if not match.catch_up().over:
            expect(call(match.post(seat.resign(match.game))), 201, "a resignation")
    read = Request("GET", f"/games/{match.id}/record", match.visitors[0].token)
    record = expect(call(read), 200, "a record").json
    report = verify_record(canonical(record))
    if not report.valid:
        return f"not valid: {report.fault}"
    signatures = [entry["player_signature"] for entry in record["entries"]]
    for message, seq in playing.accepted:
        held = seq is None and signatures.count(b64(message.signature)) <= 1
        if not held and (seq is None or signatures[seq] != b64(message.signature)):
            return f"message of step {message.step} is not entry {seq}"
    if len({*signatures} - {None}) != len([text for text in signatures if text is not None]):
        return "a message stands twice in it"
    return None


async def _play(playing: Sequence[Playing], phase: LoadPhase, active: int, offset: float) -> dict[str, Any]:
    """Play a phase with the first `active` matches; returns what happened, added up.

    `offset` is this driver's share of the time between two matches, by which all of its matches begin later.
    """
    began = time.process_time()
    for item in playing:
        item.tally = PhaseTally()
    moving = playing[:active]
    await asyncio.gather(*(item.play(phase, (i + offset) / len(moving)) for i, item in enumerate(moving)))
    found: dict[str, Any] = {"cpu": time.process_time() - began}
    for item in playing:
        for name, value in item.tally.json().items():
            found[name] = found[name] + value if name in found else value
    return found


async def _serve(job: Job, matches: Sequence[DrivenMatch | BareMatch]) -> list[Playing]:
    """Play every phase that the input names, until it ends."""
    near = sys.platform == "linux" and (urlsplit(job.url).hostname or "").startswith("127.")
    sources = addresses(job.first + len(matches), 1)[job.first :] if near else [None] * len(matches)
    playing = [
        Playing(job.url, match, job.events, source) for match, source in zip(matches, sources, strict=True)
    ]
    for item in playing:
        item.follow()
    loop = asyncio.get_running_loop()
    tell({"ready": len(playing)})
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        told = json.loads(line)
        active, offset = told.pop("active"), told.pop("offset")
        tell(await _play(playing, LoadPhase(**told), active, offset))
    for item in playing:
        item.stop()
    return playing


def tell(data: object) -> None:
    """Write one line of JSON to the process that has started this one."""
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Do one job. The process ends with 1 and a line of text where the house refuses something."""
    try:
        _work()
    except RequestRefused as refused:
        sys.exit(f"The house refused {refused}")


def _work() -> None:
    job = Job(**json.loads(sys.stdin.readline()))
    matches: Sequence[DrivenMatch | BareMatch]
    if job.bare is not None:
        matches = bare.matches(Path(job.bare), job.first, job.matches)
    else:
        with calls(job.url) as call:
            matches = begin(call, job)
    gc.collect()
    gc.freeze()
    playing = asyncio.run(_serve(job, matches))
    with calls(job.url) as call:
        for item in playing:
            if isinstance(item.match, DrivenMatch):
                item.match.call = call
        wrong = [f"{item.match.id}: {fault}" for item in playing if (fault := check(call, item))]
    tell({"checked": len(playing), "wrong": wrong})


if __name__ == "__main__":
    main()
