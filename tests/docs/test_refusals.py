"""The second reading of the page refuses everything that the published vectors say must be refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest

pytest.importorskip("py_arkworks_bls12381")

from tests.crypto.refusals_kit import meal_of, shuffles
from tests.docs import page_proofs as page
from tests.docs.page_record import Reader, verified
from vectors.primitives import GROUPS as PRIMITIVES
from vectors.records import GROUPS as MESSAGES

STUMBLES = (page.Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that count as a refusal: all that the reader stumbles over."""


def refused(name: str, read: Callable[..., object], *given: object) -> None:
    """The page's reading of it fails."""
    try:
        read(*given)
    except STUMBLES:
        return
    raise AssertionError(name)


def an_id(text: str) -> None:
    page.need(str(UUID(text)) == text, "another form of the id")


FORMS: dict[str, Callable[[Any], object]] = {
    "point": page.point,
    "scalar": page.scalar,
    "base64url": page.octets,
    "json": page.read_json,
    "canonical": page.read_json,
    "timestamp": page.milliseconds,
    "uuid": an_id,
}


def test_encodings() -> None:
    for vector in PRIMITIVES["bad_encodings"]():
        given = vector["input"]
        value = given["text"] if "text" in given else bytes.fromhex(given.get("bytes", ""))
        if given["form"] == "i2osp":
            refused(vector["name"], page.osp, given["n"], given["k"])
        else:
            refused(vector["name"], FORMS[given["form"]], value)


def test_signatures_and_keys() -> None:
    for vector in PRIMITIVES["bad_signatures"]():
        given = (bytes.fromhex(vector["input"][name]) for name in ("public", "message", "signature"))
        refused(vector["name"], page.signed, *given)
    for vector in PRIMITIVES["bad_envelopes"]():
        if "public" in vector["input"]:
            with pytest.raises(page.Invalid):
                page.box_key(bytes.fromhex(vector["input"]["public"]))


def test_links() -> None:
    for vector in PRIMITIVES["bad_links"]():
        given = vector["input"]
        known = (given["known_deal"], bytes.fromhex(given["known"]))
        with pytest.raises(page.Invalid):
            page.reaches(bytes.fromhex(given["link"]), given["deal"], known)


def test_meals() -> None:
    for vector in PRIMITIVES["bad_meals"]():
        with pytest.raises(page.Invalid) as caught:
            page.meal(*meal_of(vector))
        if vector["output"]["fails"]:
            assert str(caught.value) == vector["output"]["fails"][0], vector["name"]


def test_match_decks() -> None:
    for vector, statement in shuffles():
        with pytest.raises(page.Invalid) as caught:
            page.shuffle(*statement)
        if vector["output"]["fails"]:
            assert str(caught.value) == vector["output"]["fails"][0], vector["name"]


@pytest.mark.slow
def test_entries() -> None:
    """The entries of games with own decks are refused, and those of the absences.

    In most games of a common pack the bad entries change what the reader looks ahead for, to deal from it.
    """
    records = {v["name"]: v["output"]["record"]["entries"] for v in MESSAGES["records"]()}
    after: dict[str, list[tuple[int, Any, str]]] = {
        "record_chef": [],
        "record_slow": [],
        "record_away": [],
        "record_links": [],
    }
    for group in (name for name in MESSAGES if name.startswith("bad_")):
        for vector in MESSAGES[group]():
            given = vector["input"]
            if isinstance(given.get("file"), str):  # files of boosters and of copies are no records
                refused(vector["name"], verified, given["file"].encode())
            elif given.get("record") in after and given["entries"]:
                after[given["record"]].append((given["keep"], given["entries"][0], vector["name"]))
    for record, listed in after.items():
        reader = Reader(records[record])
        for keep in range(len(records[record]) + 1):
            for _, entry, name in (item for item in listed if item[0] == keep):
                refused(name, deepcopy(reader).take, entry)
            if keep < len(records[record]):
                reader.take(records[record][keep])
        assert reader.over
        assert len(listed) >= 4
