"""The vectors of entries that must be refused: whole files with them are, there and for that reason."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from crypto.encoding import canonical
from crypto.group import use
from referee import Refused, Unreadable, verify_record
from referee.record import parse_record
from referee.verify import verify_entries
from vectors import records as samples
from vectors.example import Vector

ELSEWHERE = ("bad_boosters", "bad_copies")
"""Files of another kind: test_referee_boosters and test_referee_copies read them."""
BAD = [name for name in samples.GROUPS if name.startswith("bad_") and name not in ELSEWHERE]


def records() -> dict[str, list[Any]]:
    return {v["name"]: v["output"]["record"]["entries"] for v in samples.records()}


@pytest.mark.slow
@pytest.mark.parametrize("group", BAD)
def test_a_file_with_the_entry_is_invalid_there(group: str) -> None:
    known = records()
    for vector in samples.GROUPS[group]():
        given, output = vector["input"], vector["output"]
        if "file" in given:
            assert of_file(given["file"]) == (output["refused"], output["pointer"])
            continue
        entries = [*known[given["record"]][: given["keep"]], *given["entries"]]
        data = canonical({"protocol": "cloche/v1", "entries": entries})
        fault = verify_record(data).fault
        assert fault is not None, vector["name"]
        at = len(entries) - 1
        if output["refused"] == "unfinished":
            assert (fault.entry, fault.code) == (None, "unfinished")
            continue
        expected = (at, output["refused"], f"/entries/{at}{output['pointer']}")
        assert (fault.entry, fault.code, fault.pointer) == expected, vector["name"]
        assert fault.section in ("", output["section"])


def of_file(text: str) -> tuple[str, str]:
    try:
        parse_record(text.encode())
    except Unreadable:
        return "unreadable", ""
    except Refused as refused:
        return refused.code, refused.pointer
    raise AssertionError(text)


def test_up_to_the_entry_nothing_is_wrong() -> None:
    """Nothing is wrong up to the entry. So it is the entry that is refused, and none before it."""
    known = records()
    seen: set[tuple[str, int]] = set()
    for group in BAD:
        for vector in samples.GROUPS[group]():
            given = vector["input"]
            if "file" not in given and given["keep"]:
                assert bool(given["entries"]) == (vector["name"] != "record_unfinished")
                seen.add((given["record"], given["keep"]))
                if before := given["entries"][:-1]:
                    entries = [*known[given["record"]][: given["keep"]], *before]
                    assert verify_entries(entries, unfinished=True).valid, vector["name"]
    for name in {name for name, _ in seen}:
        longest = max(keep for record, keep in seen if record == name)
        assert verify_entries(known[name][:longest], unfinished=True).valid


def test_names_and_codes() -> None:
    vectors = [vector for group in BAD for vector in samples.GROUPS[group]()]
    assert max(Counter(vector["name"] for vector in vectors).values()) == 1
    for vector in vectors:
        assert vector["output"]["refused"], vector["name"]
        assert vector["output"].keys() == {"refused", "pointer", "why", "section"}
    assert len({vector["output"]["refused"] for vector in vectors}) >= 50


@pytest.mark.long
def test_both_engines_give_the_same_reasons() -> None:
    def made() -> list[list[Vector]]:
        return [samples.GROUPS[group]() for group in BAD]

    first = made()
    assert json.loads(json.dumps(first)) == first
    with use("py_ecc"):
        assert made() == first
