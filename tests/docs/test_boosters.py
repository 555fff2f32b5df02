"""docs/boosters.md is enough to check a file of boosters: a second reader agrees with the program."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

pytest.importorskip("py_arkworks_bls12381")

from referee.boosters import verify_boosters
from tests.docs.page_boosters import BoosterStream, ask_of, digest, verified
from tests.docs.page_proofs import Invalid, canonical, octets, osp, signed, th
from tests.paths import VECTORS

STUMBLES = (Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors that count as a refusal: all that the reader stumbles over."""


def published(name: str) -> dict[str, Any]:
    """Vectors by their names."""
    found = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return {vector["name"]: vector for vector in found}


GOOD, BAD = published("boosters"), published("bad_boosters")
FILE = GOOD["booster_file"]["input"]["file"]


def test_the_published_file_is_verified_by_the_page() -> None:
    wanted = GOOD["booster_file"]["output"]
    cards, asked = verified(canonical(FILE))
    assert cards == wanted["cards"]
    assert asked == [{name: each[name] for name in each if name != "as_asked"} for each in wanted["asked"]]
    assert len(asked) == 1
    assert any(each["nonce"] is None for each in FILE["asked"]), "a receipt that is still to be followed"


@pytest.mark.parametrize("name", BAD)
def test_files_that_must_be_refused_are_refused_by_the_page(name: str) -> None:
    with pytest.raises(STUMBLES):
        verified(canonical(BAD[name]["input"]["file"]))


@pytest.mark.parametrize("name", ["commitment", "receipt", "opening", "notice"])
def test_papers_have_the_digests_of_the_page(name: str) -> None:
    vector = GOOD[f"booster_{name}"]
    label = "booster-chain" if name == "commitment" else f"booster-{name}"
    found = digest(label, vector["input"][name])
    assert found.hex() == vector["output"]["digest"]
    house = octets(FILE["chains"][0]["house_key"])
    signed(house, found, bytes.fromhex(vector["output"]["signature"]))


def test_rules_seal_ask_and_stream_are_those_of_the_page() -> None:
    rules, seal = GOOD["booster_rules"], GOOD["booster_seal"]
    assert th("booster-rules", canonical(rules["input"]["rules"])).hex() == rules["output"]
    assert th("booster-seal", bytes.fromhex(seal["input"]["nonce"])).hex() == seal["output"]
    ask = GOOD["booster_ask"]["input"]["ask"]
    assert ask_of(ask, ask["anchor"], octets(ask["seal"])).hex() == GOOD["booster_ask"]["output"]["digest"]
    given = GOOD["booster_stream"]["input"]
    parts = [bytes.fromhex(given[name].replace("-", "")) for name in ("player", "anchor")]
    more = [bytes.fromhex(given[name].replace("-", "")) for name in ("link", "nonce", "rules", "booster")]
    stream = BoosterStream(*parts, osp(given["k"], 2), *more)
    assert [str(stream.below(int(n))) for n in given["bounds"]] == GOOD["booster_stream"]["output"]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values that are neither an object nor a list."""
    if not isinstance(value, dict | list):
        return [path]
    items = value.items() if isinstance(value, dict) else enumerate(value)
    return [leaf for key, each in items for leaf in leaves(each, (*path, key))]


def changed(path: tuple[Any, ...]) -> bytes:
    """The published file with another value in one place."""
    file = deepcopy(FILE)
    holder = file
    for key in path[:-1]:
        holder = holder[key]
    was = holder[path[-1]]
    if isinstance(was, int):
        holder[path[-1]] = was + 1
    elif isinstance(was, str):
        holder[path[-1]] = was[:-2] + ("A" if was[-2] != "A" else "Q") + was[-1:]
    else:
        holder[path[-1]] = 0
    return canonical(file)


@pytest.mark.parametrize("path", leaves(FILE)[::9], ids=str)
def test_a_file_with_one_value_changed_is_refused_by_page_and_program(path: tuple[Any, ...]) -> None:
    data = changed(path)
    assert not verify_boosters(data).valid
    with pytest.raises(STUMBLES):
        verified(data)
