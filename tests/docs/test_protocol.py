"""docs/protocol.md is enough to verify a record, and says what the program does: a second reader agrees.

The reader (`page_*.py`) was written from the page and imports nothing of ours. A change of the
protocol changes the page first, and then the reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest

from crypto.encoding import b64, canonical
from crypto.transcript import tuple_hash
from referee import record_bytes, verify_entries, verify_record
from referee.record import GENESIS, write_entry
from tests.referee.shuffled_kit import lowest
from tests.referee.table import Table, at_random
from vectors.matches import away, chef, hearts, links
from vectors.matches import slow as slow_match

pytest.importorskip("py_arkworks_bls12381")

from tests.docs.page_proofs import Invalid
from tests.docs.page_record import Reader, verified
from tests.docs.tamper_kit import lines_of, signed_anew, tamper, tampered_leaf
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "protocol.md").read_text()


@cache
def played(mode: str, seed: int, silence: float) -> Table:
    """A whole random game, for reading; now and then somebody lets the time pass."""
    bank = {"bank": (0, 10, 60)[seed % 3]}
    if mode == "chef":
        table = Table.chef(seed, bank)
    elif mode == "envelopes":
        table = slow(seed)
    elif mode == "big-c":
        table = all_dealt(seed, bank)
    else:
        first = Random(seed).choice(["first", "random"])
        absent = "play" if seed % 3 == 2 else "end"
        table = Table.hearts(3 + seed % 4, seed, {"first": first, "absent": absent, **bank})
    table.silent = lambda table, seat: table.game.deals > 0 and table.rng.random() < silence
    while not table.game.over:
        table.step()
        if seed % 2 and table.rng.random() < 0.03:
            table.leave(table.rng.randrange(-5_000, 40_000), table.rng.choice([10, 40_000, 4_000_000]))
    return table


def slow(seed: int) -> Table:
    """A match with early links; reveals are enclosed now and then, and not always opened."""
    table = Table.chef(seed, {"early_links": True}, envelopes=True)
    table.encloses = lambda table, seat: table.rng.random() < 0.7
    table.away = lambda table: table.rng.random() < 0.4
    return table


def all_dealt(seed: int, options: dict[str, Any]) -> Table:
    """Big C with nearly all cards in hands: those that are played are soon dealt again, in secret.

    Mostly the lowest card is played, for that makes footstools.
    """
    options = {"hand": 27, "absent": "play" if seed % 2 else "end", **options}
    table = Table.open("big-c", 4 - seed % 2, options=options, seed=seed)
    table.choose = lambda table, seat: (at_random if table.rng.random() < 0.2 else lowest)(table, seat)
    return table


def test_played_cards_are_dealt_again_while_the_first_deal_is_secret() -> None:
    """The record of a game above has what section 7 says of a deal of some cards alone."""
    record = played("big-c", 4, 0.4).record
    deals = [entry.body for entry in record if entry.kind == "deal"]
    assert [deal["deal"] for deal in deals if deal["link"] is None] == [*range(2, len(deals) + 1)]
    assert len(deals) > 3
    assert all(deal["drawn"][0]["count"] < 108 for deal in deals[2:])
    shown = [entry.seq for entry in record if entry.kind == "shown"]
    assert shown == [*range(len(record) - len(shown) - 1, len(record) - 1)], "all at the end"


def outcome(table: Any) -> dict[str, Any]:
    """Return how the program says that it ended."""
    found = table.game.outcome
    return {"points": [*found.points], "winners": [*found.winners], "reason": found.reason}


@pytest.mark.parametrize("example", [chef, hearts, slow_match, away, links])
def test_the_published_records_verify_by_the_page(example: Callable[[], Any]) -> None:
    table = example()
    assert verified(record_bytes(table.entries)) == outcome(table)


GAMES = [("chef", 1, 0.0), ("chef", 2, 0.1), ("chef", 3, 0.3), ("hearts", 1, 0.25), ("hearts", 2, 0.4)]
GAMES += [("envelopes", 1, 0.05), ("envelopes", 2, 0.3), ("big-c", 4, 0.4), ("big-c", 5, 0.1)]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "seed", "silence"), GAMES)
def test_random_games_verify_by_the_page(mode: str, seed: int, silence: float) -> None:
    table = played(mode, seed, silence)
    assert verified(record_bytes(table.record)) == outcome(table)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["chef", "hearts", "envelopes", "big-c"])
@pytest.mark.parametrize("seed", range(100, 108))
def test_more_random_games_verify_by_the_page(mode: str, seed: int) -> None:
    table = played(mode, seed, 0.03 * (seed % 3))
    assert verified(record_bytes(table.record)) == outcome(table)


# A record that was tampered with by somebody who has every key


def by_the_page(data: bytes) -> bool:
    """Tell whether the second reader accepts a record; whatever it stumbles over is a refusal."""
    try:
        verified(data)
    except (Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return True


def taken_by_the_page(opening: Any) -> bool:
    """Tell whether the second reader accepts an `open`."""
    try:
        Reader([opening]).take(opening)
    except (Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return False
    return True


def differ(mode: str, seed: int, silence: float, count: int) -> int:
    """Tampered records on which page and program agree, or fail; returns how many were still valid."""
    table, rng, valid = played(mode, seed, silence), Random(f"tampered {seed}"), 0
    for i in range(count):
        lines = lines_of(table.record)
        tamper(lines, rng)
        data = signed_anew(lines, table)
        report = verify_record(data)
        assert by_the_page(data) == report.valid, f"{mode}, seed {seed}, change {i}: {report.fault}"
        valid += report.valid
    return valid


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "count"), [("chef", 8), ("hearts", 4), ("envelopes", 4), ("big-c", 3)])
def test_page_and_program_refuse_the_same_records(mode: str, count: int) -> None:
    assert differ(mode, 11, 0.4, count) < count


@pytest.mark.long
@pytest.mark.parametrize("mode", ["chef", "hearts", "envelopes", "big-c"])
@pytest.mark.parametrize("seed", range(20, 26))
def test_page_and_program_refuse_the_same_records_at_length(mode: str, seed: int) -> None:
    assert differ(mode, seed, 0.25, 150) < 150


ODD: list[Any] = [None, True, False, -1, 0, 1, 5, 99, 100, 2**32 - 1, 2**32, "", " ", "-", "A", "a-b", "é"]
ODD += ["A b", "a  b", " a", "a\u00a0b", "a\x01", "x" * 60, "x" * 61, "x" * 200, "x" * 201, "recipe"]
ODD += [[], [1], ["A", "B"], ["B", "A"], ["A", "A"], {}, {"oil": 0}, {"oil": 1}, {"oil": 100}, {"fish": 1}]


def odd_open(body: Any, rng: Random) -> Any:
    """The body of an `open`, changed in a card, in a name, or anywhere."""
    body = deepcopy(dict(body)) | {"cards": deepcopy(body["cards"][:3])}
    change = rng.random()
    if change < 0.5 and body["cards"]:
        card = rng.choice(body["cards"])
        field = rng.choice(sorted(card))
        card[field] = rng.choice([tampered_leaf(card[field], rng), *ODD])
    elif change < 0.6:
        body["seats"][0]["name"] = rng.choice(ODD)
    else:
        body = tampered_leaf(body, rng)
    if isinstance(body.get("cards"), list):
        body["set_digest"] = b64(tuple_hash("cards", *map(canonical, body["cards"])))
    return body


@pytest.mark.parametrize("mode", ["chef", "hearts", "big-c"])
def test_page_and_program_refuse_the_same_opens(mode: str) -> None:
    table = Table.chef(3) if mode == "chef" else Table.open(mode, 4, seed=3)
    rng, first, judged = Random(f"open {mode}"), table.record[0], Counter[bool]()
    for i in range(400):
        head = (-1, GENESIS)
        fake = write_entry(
            table.keeper.private, head, first.at, 0, "house", "open", odd_open(first.body, rng), None
        )
        report = verify_entries([fake.json()], unfinished=True)
        assert taken_by_the_page(fake.json()) == report.valid, f"{mode}, change {i}: {report.fault}"
        judged[report.valid] += 1
    assert min(judged[True], judged[False]) > 20


@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_a_record_may_leave_out_options_that_have_their_defaults(mode: str) -> None:
    table = played(mode, 11, 0.4)
    lines = lines_of(table.record)
    named = lines[0].body["options"]
    lines[0].body["options"] = {name: named[name] for name in ("bank", "first", "absent") if name in named}
    assert verified(signed_anew(lines, table)) == outcome(table)
    assert verify_record(signed_anew(lines, table)).valid
    lines[0].body["options"] = {"speed": 30}
    assert not by_the_page(signed_anew(lines, table))
    assert not verify_record(signed_anew(lines, table)).valid


def test_every_label_of_the_protocol_is_on_a_page() -> None:
    labels = set()
    for room in ("crypto", "referee"):
        for path in (ROOT / room).glob("*.py"):
            labels |= set(re.findall(r'tuple_hash\(\s*"([a-z-]+)"', path.read_text()))
    assert "meal-context" in labels
    pages = PAGE + "".join((ROOT / "docs" / name).read_text() for name in ("boosters.md", "chain.md"))
    assert not {label for label in labels if f'TH("{label}"' not in pages}
