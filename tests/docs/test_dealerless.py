"""docs/protocol.md, section 20, is enough to verify a record of a table where nobody deals.

The reader (`page_dealerless`) was written from the page and imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from referee import record_bytes, verify_record
from tests.referee.dealerless.kit import Dealerless
from vectors.bad_dealerless import bad_dealerless
from vectors.dealerless import GAMES, HOUSE_SECRET, Nobody

pytest.importorskip("py_arkworks_bls12381")

from tests.docs import page_tables as tables
from tests.docs.page_dealerless import DealerlessReader, verified
from tests.docs.page_proofs import Invalid, octets
from tests.docs.tamper_kit import lines_of, signed_anew, tamper

STUMBLES = (Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def told(outcome: Any) -> dict[str, Any]:
    """Return how the program says that a game ended."""
    return {"points": [*outcome.points], "winners": [*outcome.winners], "reason": outcome.reason}


@pytest.mark.parametrize("play", GAMES.values(), ids=GAMES)
def test_the_published_records_verify_by_the_page(play: Callable[[], Nobody]) -> None:
    table = play().table
    assert verified(record_bytes(table.entries)) == told(table.game.outcome)


@pytest.mark.parametrize("play", GAMES.values(), ids=GAMES)
def test_locks_and_mixes_follow_from_the_match_secrets(play: Callable[[], Nobody]) -> None:
    """Section 20.11: x, the permutation and the t of each party, from its secret and the entry that asked."""
    table = play().table
    entries = [entry.json() for entry in table.entries]
    reader, tried = DealerlessReader(entries), 0
    for entry in entries:
        asked = reader.asked
        if entry["kind"] in ("lock", "mix"):
            house = entry["actor"] == "house"
            w = HOUSE_SECRET if house else table.sitters[int(entry["actor"])].w
            assert asked is not None or house
            d = reader.digests[-1 if house or asked is None else asked.opened]
            n = len(reader.own.codes)
            x, order, t = tables.secrets(w, reader.digests[asked.opened] if asked else d, d, n)
            if entry["kind"] == "lock":
                lock = tables.encoded(tables.product([(x, tables.U)]))
                assert octets(entry["body"]["lock"]) == lock
            else:
                h = tables.joint([reader.own.locks[j] for j in sorted(reader.own.locks)])
                points = [reader.own.point[code] for code in reader.own.codes]
                (a, _) = (reader.own.cards or tables.open_pack(points, h))[order[0]]
                first = tables.encoded(tables.product([(1, tables.point(a)), (t[0], tables.U)]))
                assert octets(entry["body"]["pack"])[:48] == first
            tried += 1
        reader.take(entry)
    assert tried > 10


def test_the_page_refuses_what_is_falsified() -> None:
    readers: dict[str, DealerlessReader] = {}
    listed = sorted(bad_dealerless(), key=lambda vector: vector["input"]["keep"])
    for vector in listed:
        given, name = vector["input"], vector["input"]["record"]
        entries = [e.json() for e in GAMES[name.removeprefix("record_")]().table.entries]
        reader = readers.setdefault(name, DealerlessReader(entries))
        while len(reader.digests) < given["keep"]:
            reader.take(entries[len(reader.digests)])
        mine = deepcopy(reader)
        for entry in given["entries"][:-1]:
            mine.take(entry)
        assert stumbles(mine, given["entries"][-1]), vector["name"]


def stumbles(reader: DealerlessReader, entry: Any) -> bool:
    """Tell whether the reader refuses an entry."""
    try:
        reader.take(entry)
    except STUMBLES:
        return True
    return False


# Random games, with seats that fall silent


@cache
def played(mode: str, seats: int, seed: int, silence: float) -> Dealerless:
    """A random game; seats are silent now and then, and the last ones resign after some deals."""
    options: dict[str, Any] = {"absent": "play" if seed % 2 else "end", "bank": (0, 60)[seed % 2]}
    if mode == "cribbage":
        options |= {"target": "61", "count": "muggins" if seed % 3 == 0 else "house"}
    options |= {"flip": {"target": 3 * (seed % 2)}, "big-c": {"hand": 27}}.get(mode, {})
    table = Dealerless.sit(mode, seats, seed=seed, **options)
    table.silent = lambda table, seat: table.game.deals > 0 and table.rng.random() < silence
    for _ in range(3_000):
        if table.game.over:
            break
        table.step()
        if table.game.deals > 2 and table.game.asking is not None and mode == "hearts":
            table.send(table.seats[min(table.game.asking.seats)].resign(table.game))
    assert table.game.over
    return table


RANDOM = [
    ("hearts", 3, 1, 0.3),
    ("cribbage", 2, 3, 0.0),
    ("cribbage", 3, 5, 0.3),
    ("flip", 1, 2, 0.0),
    ("flip", 3, 5, 0.05),
    ("big-c", 2, 4, 0.1),
    ("big-c", 4, 3, 0.1),
]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "seats", "seed", "silence"), RANDOM)
def test_random_games_verify_by_the_page(mode: str, seats: int, seed: int, silence: float) -> None:
    table = played(mode, seats, seed, silence)
    assert verified(record_bytes(table.record)) == told(table.game.outcome)


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "seats"),
    [
        *(("hearts", n) for n in (4, 6)),
        *(("cribbage", n) for n in (2, 3, 4)),
        *(("flip", n) for n in (1, 2, 5)),
        *(("big-c", n) for n in (2, 3, 6)),
    ],
)
@pytest.mark.parametrize("seed", range(40, 46))
def test_more_random_games_verify_by_the_page(mode: str, seats: int, seed: int) -> None:
    table = played(mode, seats, seed, 0.15 * (seed % 3))
    assert verified(record_bytes(table.record)) == told(table.game.outcome)


def by_the_page(data: bytes) -> bool:
    """Tell whether the second reader accepts a record; whatever it stumbles over is a refusal."""
    try:
        verified(data)
    except STUMBLES:
        return False
    return True


def differ(table: Any, seed: int, count: int) -> int:
    """Tampered records on which page and program agree, or fail; returns how many were still valid."""
    rng, valid = Random(f"tampered {seed}"), 0
    for i in range(count):
        lines = lines_of(table.record)
        tamper(lines, rng)
        data = signed_anew(lines, table)
        report = verify_record(data)
        assert by_the_page(data) == report.valid, f"change {i}: {report.fault}"
        valid += report.valid
    return valid


@pytest.mark.slow
def test_page_and_program_refuse_the_same_records() -> None:
    assert differ(played(*RANDOM[0]), 1, 6) < 6


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "seats"),
    [("hearts", 3), ("cribbage", 2), ("cribbage", 3), ("cribbage", 4), ("flip", 2), ("big-c", 4)],
)
@pytest.mark.parametrize("seed", range(20, 24))
def test_page_and_program_refuse_the_same_records_at_length(mode: str, seats: int, seed: int) -> None:
    assert differ(played(mode, seats, seed, 0.2), seed, 40) < 40
