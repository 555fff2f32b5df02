"""Record files: whole, canonical, and nothing in them can be changed (protocol sections 10 and 14)."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from crypto.encoding import b64, canonical
from crypto.identity import public_key, sign
from referee import (
    Unreadable,
    parse_record,
    read_entry,
    read_record,
    record_bytes,
    verify_record,
)
from referee.message import message_digest
from referee.record import GENESIS, write_entry
from referee.verify import verify_entries
from tests.referee.forger import at_path, chained, found, refused, report, rewritten
from tests.referee.records_kit import GAMES, LONG, both
from tests.referee.table import bytes_of
from vectors.example import HOUSE_PRIVATE_KEY
from vectors.matches import PRIVATES, chef, hearts


@cache
def file(name: str) -> bytes:
    return record_bytes(GAMES[name]().entries)


@cache
def loaded(name: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(file(name))
    return value


def verdict(data: bytes) -> str:
    """The code of what is wrong with a file; "valid" or "unreadable"."""
    try:
        found = verify_record(data)
    except Unreadable:
        return "unreadable"
    return "valid" if found.fault is None else found.fault.code


apart = pytest.mark.parametrize(
    ("name", "apart"), [("chef", 4), ("hearts", 3), *(pytest.param(name, 1, marks=LONG) for name in GAMES)]
)
"""The number of entries between changes, since all that follows is verified anew each time."""


@both
def test_a_whole_record_is_valid(name: str) -> None:
    table = GAMES[name]()
    found = verify_record(file(name), public_key(HOUSE_PRIVATE_KEY))
    assert found.valid
    assert found.game is not None
    assert found.checked["entries"] == len(table.entries)
    players = sum(entry.actor != "house" for entry in table.entries)
    certificates = 2 if name == "chef" else 0
    assert found.checked["signatures"] == len(table.entries) + players
    assert found.checked["proofs"] == sum(entry.kind == "seal" for entry in table.entries) + certificates
    told = found.json()
    assert told["valid"] is True
    assert told["game"] == table.game.header.game
    assert told["house_key"] == b64(public_key(HOUSE_PRIVATE_KEY))
    assert told["outcome"] == table.entries[-1].body["outcome"]
    assert json.loads(json.dumps(told)) == told


@both
def test_a_record_is_read_as_it_was_written(name: str) -> None:
    entries = [read_entry(entry) for entry in parse_record(file(name))]
    assert entries == GAMES[name]().entries
    assert record_bytes(entries) == file(name)


@pytest.mark.parametrize("count", [60, pytest.param(250, marks=LONG)])
@both
def test_any_changed_byte_is_found(name: str, count: int) -> None:
    data, rng = file(name), Random(name)
    for at in rng.sample(range(len(data)), count):
        changed = bytearray(data)
        changed[at] = rng.choice([changed[at] ^ 1 << rng.randrange(8), rng.randrange(256)])
        if changed != data:
            assert verdict(bytes(changed)) != "valid", at


@pytest.mark.parametrize("count", [15, pytest.param(80, marks=LONG)])
@both
def test_any_changed_character_is_found(name: str, count: int) -> None:
    """Any changed character is found, changed as a person would do it: a digit, a letter, a space."""
    data, rng = file(name), Random(name + "!")
    for at in rng.sample(range(len(data)), count):
        for new in rng.sample(b'0123456789abcdefXYZ"{}[],: -_', 3):
            if data[at] != new:
                assert verdict(data[:at] + bytes([new]) + data[at + 1 :]) != "valid", at


@pytest.mark.parametrize("count", [25, pytest.param(100, marks=LONG)])
@both
def test_a_byte_added_or_left_out_is_found(name: str, count: int) -> None:
    data, rng = file(name), Random(name)
    for at in rng.sample(range(len(data)), count):
        assert verdict(data[:at] + data[at + 1 :]) != "valid"
        assert verdict(data[:at] + bytes([rng.randrange(256)]) + data[at:]) != "valid"
    for extra in (b"\n", b" ", b"\0", b"{}"):
        assert verdict(data + extra) != "valid"
        assert verdict(extra + data) != "valid"


@pytest.mark.long
@both
def test_every_changed_byte_is_found(name: str) -> None:
    data, rng = file(name), Random()
    for at in range(0, len(data), 5):
        changed = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        assert verdict(changed) != "valid", at


# Canonical form


def test_other_layouts_of_the_same_record() -> None:
    data, value = file("hearts"), loaded("hearts")
    text = data.decode()
    layouts = [
        json.dumps(value),
        json.dumps(value, indent=1),
        json.dumps(dict(reversed(list(value.items()))), separators=(",", ":"), ensure_ascii=False),
        text.replace('"Ada"', '"\\u0041da"'),
        text.replace('"seq":0', '"seq":0.0', 1),
        text.replace('"seq":0', '"seq":-0', 1),
        text.replace('"seq":0', '"seq":0e0', 1),
        text + "\n",
        " " + text,
        text.replace(",", ", ", 1),
    ]
    assert canonical(value) == data
    for layout in layouts:
        assert layout.encode() != data
        with refused("not_canonical"):
            parse_record(layout.encode())
        fault = verify_record(layout.encode()).fault
        assert fault is not None
        assert (fault.entry, fault.code) == (None, "not_canonical")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"no json",
        b"{",
        "\ufeff{}".encode(),
        b'{"protocol":"cloche/v1","protocol":"cloche/v1","entries":[]}',
        b"[" * 100_000,
        b'{"entries":[' + b"9" * 5000 + b'],"protocol":"cloche/v1"}',
        "{}".encode("utf-16"),
    ],
)
def test_what_is_no_json_is_unreadable(data: bytes) -> None:
    with pytest.raises(Unreadable):
        verify_record(data)


def test_however_deep_the_interpreter_goes_a_record_does_not() -> None:
    """A curve library raises its limit; a file must not be able to use up the stack."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        for data in (b"[" * 1_000_000, b'{"entries":' * 500_000, b'{"entries":[{"body":' + b"[" * 400_000):
            with pytest.raises(Unreadable, match="nested too deeply"):
                verify_record(data)
    finally:
        sys.setrecursionlimit(before)


@pytest.mark.parametrize(
    ("value", "code", "pointer"),
    [
        (None, "bad_shape", ""),
        ([], "bad_shape", ""),
        ({"entries": []}, "missing_field", "/protocol"),
        ({"entries": [], "protocol": "cloche/v2"}, "bad_protocol", "/protocol"),
        ({"entries": {}, "protocol": "cloche/v1"}, "bad_list", "/entries"),
        ({"entries": [], "protocol": "cloche/v1"}, "bad_length", "/entries"),
        ({"entries": [], "protocol": "cloche/v1", "x": 1}, "unknown_field", "/x"),
    ],
)
def test_what_is_no_record(value: Any, code: str, pointer: str) -> None:
    with refused(code, pointer):
        parse_record(canonical(value))
    fault = verify_record(canonical(value)).fault
    assert fault is not None
    assert (fault.entry, fault.code, fault.pointer) == (None, code, pointer)


@pytest.mark.parametrize("text", ['{"\\ud800":1}', '["\\ud800"]', "[1.5]", "[NaN]", "[9007199254740993]"])
def test_json_that_has_no_canonical_form(text: str) -> None:
    inside = '{"entries":[' + text + '],"protocol":"cloche/v1"}'
    with refused("not_canonical"):
        parse_record(inside.encode())


def test_a_file_that_cant_be_read(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        read_record(tmp_path / "missing")
    with pytest.raises(Unreadable):
        read_record(tmp_path)
    (tmp_path / "record").write_bytes(file("chef"))
    assert len(read_record(tmp_path / "record")) == len(chef().entries)


# Entries


@pytest.mark.parametrize(
    ("path", "value", "code", "pointer"),
    [
        (["seq"], -1, "bad_integer", "/seq"),
        (["seq"], True, "bad_integer", "/seq"),
        (["prev"], b64(bytes(63)), "bad_bytes", "/prev"),
        (["prev"], b64(bytes(64)) + "=", "bad_bytes", "/prev"),
        (["at"], "2026-11-20T10:00:00.000+00:00", "bad_time", "/at"),
        (["at"], "2026-11-20T10:00:00.000000Z", "bad_time", "/at"),
        (["at"], 1795168800000, "bad_text", "/at"),
        (["step"], "1", "bad_integer", "/step"),
        (["actor"], "12", "bad_actor", "/actor"),
        (["actor"], "01", "bad_actor", "/actor"),
        (["actor"], "0123456789", "bad_actor", "/actor"),
        (["actor"], "٠", "bad_actor", "/actor"),
        (["actor"], "-1", "bad_actor", "/actor"),
        (["actor"], 0, "bad_text", "/actor"),
        (["actor"], "House", "bad_actor", "/actor"),
        (["actor"], "house", "bad_kind", "/kind"),
        (["kind"], "deal", "bad_kind", "/kind"),
        (["body"], [], "bad_shape", "/body"),
        (["body"], {"x": 1.5}, "bad_body", "/body"),
        (["body"], {"\ud800": 1}, "bad_body", "/body"),
        (["player_signature"], None, "bad_signature", "/player_signature"),
        (["player_signature"], "", "bad_bytes", "/player_signature"),
        (["house_signature"], None, "bad_bytes", "/house_signature"),
    ],
)
def test_an_entry_of_another_form(path: list[Any], value: Any, code: str, pointer: str) -> None:
    entry = next(entry for entry in hearts().entries if entry.actor == "1").json()
    with refused(code, pointer):
        read_entry(at_path(entry, path, value))


def test_an_entry_with_fields_too_few_or_too_many() -> None:
    entry = hearts().entries[1].json()
    with refused("missing_field", "/prev"):
        read_entry({k: v for k, v in entry.items() if k != "prev"})
    with refused("unknown_field", "/digest"):
        read_entry({**entry, "digest": ""})
    found = verify_entries([hearts().entries[0].json(), {**entry, "digest": ""}]).fault
    assert found is not None
    assert (found.entry, found.pointer) == (1, "/entries/1/digest")


def test_the_house_signs_its_entries_once() -> None:
    entry = hearts().entries[10]
    assert entry.actor == "house"
    with refused("bad_signature", "/player_signature"):
        read_entry({**entry.json(), "player_signature": b64(bytes(64))})


def test_a_seat_has_one_name_in_a_record() -> None:
    """ "01" is not seat 1, whoever signs."""
    table = hearts()
    at = next(i for i, entry in enumerate(table.entries) if entry.actor == "1")
    head = table.entries[at - 1]
    fake = rewritten(table.entries[at], (head.seq, head.digest), HOUSE_PRIVATE_KEY, actor="01")
    assert found([*table.entries[:at], fake]) == (at, "bad_actor", f"/entries/{at}/actor")


# Chains


@both
def test_an_entry_dropped(name: str) -> None:
    entries = GAMES[name]().entries
    for at in range(1, len(entries) - 1):
        rest = [*entries[:at], *entries[at + 1 :]]
        assert found(rest) == (at, "broken_chain", f"/entries/{at}/seq")
    assert found(entries[1:])[:2] == (0, "not_open") or found(entries[1:])[:2] == (0, "broken_chain")


@apart
def test_an_entry_dropped_and_the_rest_chained_anew_by_the_house(name: str, apart: int) -> None:
    """`seen` holds what comes before in place: dropping an entry that players built on is found."""
    entries = GAMES[name]().entries
    last = max(i for i, entry in enumerate(entries) if entry.actor != "house")
    for at in range(1, last, apart):
        forked = chained([*entries[:at], *entries[at + 1 :]], HOUSE_PRIVATE_KEY)
        assert not report(forked).valid, at


@apart
def test_two_entries_exchanged(name: str, apart: int) -> None:
    entries = GAMES[name]().entries
    for at in range(1, len(entries) - 1, apart):
        swapped = [*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]]
        assert found(swapped)[1] == "broken_chain"
        again = chained(swapped, HOUSE_PRIVATE_KEY)
        assert not report(again).valid, at


@apart
def test_an_entry_added(name: str, apart: int) -> None:
    entries = GAMES[name]().entries
    for at in {*range(1, len(entries) + 1, apart), len(entries)}:
        twice = [*entries[:at], entries[at - 1], *entries[at:]]
        assert found(twice)[:2] in ((at, "broken_chain"), (at, "after_result"))
        again = chained(twice, HOUSE_PRIVATE_KEY)
        assert not report(again).valid, at


def test_an_entry_of_another_record() -> None:
    one, other = chef().entries, hearts().entries
    for at in (1, 3, 5):
        assert found([*one[:at], other[at], *one[at + 1 :]])[:2] == (at, "broken_chain")
        mixed = chained([*one[:at], other[at]], HOUSE_PRIVATE_KEY)
        assert report(mixed, unfinished=True).fault is not None


@both
def test_entries_signed_by_another_house(name: str) -> None:
    entries = GAMES[name]().entries
    stranger = bytes_of("stranger")
    for at in (0, 4, len(entries) - 1):
        entry = entries[at]
        fake = replace(entry, house_signature=sign(stranger, entry.digest))
        assert found([*entries[:at], fake, *entries[at + 1 :]]) == (
            at,
            "bad_signature",
            f"/entries/{at}/house_signature",
        )
    whole = chained(entries, stranger)
    assert found(whole) == (0, "bad_signature", "/entries/0/house_signature")


@both
def test_messages_signed_by_another_player(name: str) -> None:
    table = GAMES[name]()
    for at, entry in enumerate(table.entries):
        if entry.actor == "house" or entry.kind in ("enter", "draw"):
            continue
        seat = int(entry.actor)
        digest = message_digest(table.game.header.game, entry.step, seat, entry.kind, entry.body)
        head = table.entries[at - 1]
        forged = sign(PRIVATES[seat - 1], digest)
        fake = rewritten(entry, (head.seq, head.digest), HOUSE_PRIVATE_KEY, player_signature=forged)
        assert found([*table.entries[:at], fake]) == (at, "bad_signature", f"/entries/{at}/player_signature")


def test_the_house_key_that_is_expected() -> None:
    good, other = public_key(HOUSE_PRIVATE_KEY), public_key(bytes_of("other"))
    assert verify_record(file("chef"), good).valid
    fault = verify_record(file("chef"), other).fault
    assert fault is not None
    assert (fault.entry, fault.code, fault.pointer) == (0, "wrong_house", "/entries/0/body/house_key")


@apart
def test_a_record_that_ends_early_is_unfinished(name: str, apart: int) -> None:
    entries = GAMES[name]().entries
    for end in {*range(1, len(entries), apart), len(entries) - 1}:
        assert found(entries[:end]) == (None, "unfinished", "/entries")
        part = report(entries[:end], unfinished=True)
        assert part.valid
        assert part.game is not None
        assert part.game.seq == end - 1
        assert part.json()["valid"] is True


def test_nothing_comes_after_the_result() -> None:
    entries = chef().entries
    more = write_entry(
        HOUSE_PRIVATE_KEY,
        (entries[-1].seq, entries[-1].digest),
        entries[-1].at,
        entries[-1].step,
        "house",
        "result",
        entries[-1].body,
    )
    assert found([*entries, more]) == (len(entries), "after_result", f"/entries/{len(entries)}/seq")


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    verify_record(file("hearts"), progress=lambda done, whole: told.append((done, whole)))
    count = len(hearts().entries)
    assert told == [(i + 1, count) for i in range(count)]


def test_two_games_in_one_file() -> None:
    entries = chef().entries
    second = rewritten(entries[0], (entries[0].seq, entries[0].digest), HOUSE_PRIVATE_KEY)
    assert found([entries[0], second]) == (1, "not_due", "/entries/1/kind")
    assert entries[0].prev == GENESIS
