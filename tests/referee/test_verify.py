"""A verifier keeps to what it is told to expect, and names the first fault (protocol section 16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from cards import games
from crypto.identity import public_key
from referee import Report, Unreadable, record_bytes, verify, verify_entries, verify_record, verify_records
from referee.record import parse_record
from referee.succession import write_succession
from referee.verify import entry_field, unreadable
from tests.referee.sums_kit import BAD, GOOD, REVEALS, place
from tests.referee.table import bytes_of
from vectors.example import HOUSE_PRIVATE_KEY
from vectors.matches import hearts

HEARTS = record_bytes(hearts().entries)
CUT = record_bytes(hearts().entries[:5])


def one_of_many(data: bytes, **expected: Any) -> Report:
    (report,) = verify_records([lambda: data], **expected)
    return report


def by_entries(data: bytes, **expected: Any) -> Report:
    return verify_entries(parse_record(data), **expected)


ways = pytest.mark.parametrize(
    "verified", [verify_record, by_entries, one_of_many], ids=["file", "entries", "many"]
)
Verified = Callable[..., Report]


@ways
def test_a_record_without_its_end_is_valid_only_where_that_is_expected(verified: Verified) -> None:
    assert place(verified(CUT)) == (None, "unfinished", "/entries")
    fault = verified(CUT).fault
    assert fault is not None
    assert (fault.text, fault.section) == ("the record ends before its result", "protocol 10")
    assert place(verified(CUT, unfinished=False)) == (None, "unfinished", "/entries")
    assert verified(CUT, unfinished=True).valid
    assert verified(HEARTS, unfinished=True).valid


@ways
def test_the_key_of_the_house_or_one_that_follows_it(verified: Verified) -> None:
    key, heir = public_key(HOUSE_PRIVATE_KEY), public_key(bytes_of("heir"))
    follows = write_succession(HOUSE_PRIVATE_KEY, bytes_of("heir"), 0)
    assert verified(HEARTS, house_key=key).valid
    wrong = (0, "wrong_house", "/entries/0/body/house_key")
    assert place(verified(HEARTS, house_key=heir)) == wrong
    assert verified(HEARTS, house_key=heir, successions=[follows]).valid
    assert place(verified(HEARTS, house_key=public_key(bytes_of("other")), successions=[follows])) == wrong
    # Without a key to expect, successions say nothing.
    assert verified(HEARTS, successions=[follows]).valid


@ways
def test_what_is_expected_is_asked_before_the_end(verified: Verified) -> None:
    other = public_key(bytes_of("other"))
    assert place(verified(CUT, house_key=other)) == (0, "wrong_house", "/entries/0/body/house_key")


def test_no_entries_are_no_record() -> None:
    for unfinished in (False, True):
        assert place(verify_entries([], unfinished=unfinished)) == (None, "bad_length", "/entries")


@pytest.mark.parametrize(
    ("data", "code", "pointer"),
    [
        (b"[]", "bad_shape", ""),
        (b'{"entries":[]}', "missing_field", "/protocol"),
        (b'{"entries":[],"protocol":"cloche/v2"}', "bad_protocol", "/protocol"),
        (b'{"entries":{},"protocol":"cloche/v1"}', "bad_list", "/entries"),
        (b'{"entries":[],"protocol":"cloche/v1"}', "bad_length", "/entries"),
        (HEARTS + b"\n", "not_canonical", ""),
        (b'{"entries":[1],"protocol":"cloche/v1"}', "bad_shape", "/entries/0"),
        (b'{"entries":[{}],"protocol":"cloche/v1"}', "missing_field", "/entries/0/seq"),
    ],
)
def test_what_is_json_and_no_record(data: bytes, code: str, pointer: str) -> None:
    entry = 0 if pointer.startswith("/entries/0") else None
    for verified in (verify_record, one_of_many):
        report = verified(data)
        assert place(report) == (entry, code, pointer)
        assert (report.game, report.checked.total()) == (None, 0)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PermissionError(13, "Permission denied", "x.json"), "Permission denied"),
        (OSError(), "the file can't be read"),
        (Unreadable("no JSON: at once"), "no JSON: at once"),
        (Unreadable(), "the file can't be read"),
    ],
)
def test_what_is_said_of_a_file_that_is_no_json(error: OSError | Unreadable, text: str) -> None:
    fault = unreadable(error)
    assert (fault.entry, fault.pointer, fault.code, fault.text, fault.section) == (
        None,
        "",
        "unreadable",
        text,
        "",
    )

    def read() -> bytes:
        raise error

    assert [report.fault for report in verify_records([read])] == [fault]


@pytest.mark.parametrize(
    ("message", "entry"),
    [
        ("", ""),
        ("/signature", "/player_signature"),
        ("/seat", "/actor"),
        ("/step", "/step"),
        ("/kind", "/kind"),
        ("/body", "/body"),
        ("/house_signature", "/house_signature"),
        ("/seen", "/body/seen"),
        ("/seen/seq", "/body/seen/seq"),
        ("/openings/3/number", "/body/openings/3/number"),
        ("/choice/dishes/0/seat", "/body/choice/dishes/0/seat"),
    ],
)
def test_a_field_of_a_message_in_its_entry(message: str, entry: str) -> None:
    assert entry_field(message) == entry


def test_a_record_known_to_be_bad_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = place(verify_record(BAD))
    monkeypatch.setattr(verify, "HELD_TERMS", 1)
    told: list[int] = []
    report = verify_record(BAD, progress=lambda done, _: told.append(done))
    assert place(report) == expected
    assert report.game is None
    # Every claim is checked when it comes: so the entry that breaks is the last that was looked at.
    assert report.checked["entries"] == told[-1] == REVEALS[0]


def test_rules_that_fail_on_a_good_record_are_no_fault_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Any, state: Any, choices: Any) -> Any:
        raise RuntimeError("a slip in the rules")

    monkeypatch.setattr(type(games.find("chef")), "play", failing)
    with pytest.raises(RuntimeError, match="a slip"):
        verify_record(GOOD)


def reading(read: list[int], *contents: bytes) -> Iterator[Callable[[], bytes]]:
    for i, data in enumerate(contents):
        read.append(i)
        yield partial(bytes, data)


def read_at_each_report(contents: Sequence[bytes]) -> list[tuple[bool, int]]:
    """Tell for each report whether it is good, and how many files were read before it."""
    read: list[int] = []
    return [(report.valid, len(read)) for report in verify_records(reading(read, *contents))]


def test_a_report_waits_for_its_sum_and_for_those_before_it() -> None:
    assert read_at_each_report([HEARTS, GOOD, HEARTS]) == [(True, 1), (True, 3), (True, 3)]
    assert read_at_each_report([BAD, HEARTS, HEARTS]) == [(False, 3), (True, 3), (True, 3)]


def test_a_report_does_not_wait_once_its_claims_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verify, "HELD_TERMS", 1)
    assert read_at_each_report([GOOD, BAD, HEARTS]) == [(True, 1), (False, 2), (True, 3)]


def test_the_claims_of_a_record_wait_for_those_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sum that fills up in the midst of a record settles what came before it, and not the rest."""
    monkeypatch.setattr(verify, "SUM_TERMS", 200)
    found = read_at_each_report([GOOD, GOOD, BAD, GOOD])
    assert [valid for valid, _ in found] == [True, True, False, True]
    assert [read for _, read in found] == [2, 3, 4, 4]


def test_what_was_checked_is_counted() -> None:
    assert verify_record(HEARTS).checked == {
        "entries": 23,
        "signatures": 40,
        "proofs": 0,
        "draws": 1,
        "shown deals": 1,
        "results": 1,
    }
    assert verify_record(GOOD).checked == {
        "entries": 36,
        "signatures": 62,
        "proofs": 7,
        "draws": 4,
        "accounts": 3,
        "reveals": 4,
        "results": 1,
    }
