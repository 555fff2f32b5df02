"""The house's clock jumps, forward and back, in mid-match: the match goes on, its time never runs back."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from crypto.encoding import canonical, parse_timestamp
from referee import verify_record
from referee.record import PROTOCOL
from service.operations import watching
from service.runtime import Runtime
from tests.service.match_kit import Chair, Match, sit_down
from tests.service.service_kit import Guest

JUMPS = (-86_400_000, -3_600_000, -60_000, -1_000, 1_000, 60_000, 3_600_000)
"""Milliseconds."""
SEEDS = pytest.mark.parametrize(
    ("kind", "seed"),
    [
        ("sqlite", 0),
        pytest.param("postgresql", 1, marks=pytest.mark.servers),
        *(
            pytest.param(kind, seed, marks=[pytest.mark.servers, pytest.mark.long])
            for kind, seeds in (("sqlite", (1, 2, 3)), ("postgresql", (0, 2, 3)))
            for seed in seeds
        ),
    ],
    indirect=["kind"],
)
TURNS = 70


def turn(match: Match, rng: Random) -> None:
    """Somebody who is asked answers, if the time for it is not up; else it passes."""
    chair = match.next(rng)
    if chair is not None:
        send(chair)
    else:
        match.lapse()
    match.work()


def send(chair: Chair) -> None:
    """Send what is due: it is taken, or it comes too late."""
    message = chair.message()
    answered = chair.post(message)
    if answered.status_code == 201:
        chair.sent.add((message.step, message.kind))
        return
    assert (answered.status_code, answered.json["code"]) == (409, "too_late"), answered.text


@pytest.mark.slow
@SEEDS
def test_a_match_goes_on_while_the_clock_jumps(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seed: int
) -> None:
    rng = Random(seed)
    match = sit_down(house, clock, [ann, bob], seed=seed)
    jumps = 0
    match.until("move")
    for number in range(TURNS):
        if match.fold.over:
            break
        clock[0] += 250
        if number % 3 == 0:
            clock[0] += rng.choice(JUMPS)
            jumps += 1
            match.work()
        turn(match, rng)
    assert jumps > 5
    if not match.fold.over:
        chair = match.chairs[0]
        chair.catch_up()
        chair.send(chair.seat.resign(chair.game))
    with house.read() as session:
        entries = watching.whole_record(session, match.id)
    report = verify_record(canonical({"protocol": PROTOCOL, "entries": entries}))
    assert report.valid, report.fault
    times = [parse_timestamp(entry["at"]) for entry in entries]
    assert times == sorted(times)
    told = Counter(
        (entry["step"], entry["body"]["seat"], entry["body"]["kind"])
        if entry["kind"] == "timeout"
        else (entry["step"], int(entry["actor"]), entry["kind"])
        for entry in entries
        if entry["kind"] == "timeout" or entry["actor"] != "house"
    )
    assert set(told.values()) == {1}, "a step was answered, or timed out, twice"
    taken = {(step, chair.number, kind) for chair in match.chairs for step, kind in chair.sent}
    missed = {
        (entry["step"], entry["body"]["seat"], entry["body"]["kind"])
        for entry in entries
        if entry["kind"] == "timeout"
    }
    assert not taken & missed, "what was taken was timed out"


@SEEDS
def test_a_clock_put_back_keeps_nobody_from_playing(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seed: int
) -> None:
    """Nobody has to wait until the clock has caught up: what is complete goes on at once."""
    match = sit_down(house, clock, [ann, bob], seed=seed)
    match.until("seal")
    clock[0] -= 3_600_000
    before, now = match.fold.at, clock[0]
    rng = Random(seed)
    for _ in range(12):
        if match.fold.over:
            break
        turn(match, rng)
    fold = match.fold
    assert clock[0] == now, "no time had to pass"
    assert fold.at == before
    assert sum(entry["kind"] == "account" for entry in _entries(house, match)) >= 2


def _entries(house: Runtime, match: Match) -> list[dict[str, object]]:
    with house.read() as session:
        return watching.whole_record(session, match.id)
