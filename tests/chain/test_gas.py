"""What calls cost: docs/chain.md has the table, and the first column of figures is what was designed for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from chain.contracts import artifacts
from chain.evm import MOST_GAS, Chain
from chain.verifiers import Verifiers, two
from crypto.identity import public_key, sign
from crypto.transcript import tuple_hash
from tests.chain.statements import match_deck, sealed
from tests.paths import DOCS, VECTORS

TABLE = {
    name: (int(designed.replace(",", "")) if designed.strip("– ") else None, int(gas.replace(",", "")))
    for name, designed, gas in re.findall(
        r"^\| ([^|]+?) \| ([\d,]+|–) \| ([\d,]+) \|", (DOCS / "chain.md").read_text(), re.MULTILINE
    )
}


def _seal(verifiers: Verifiers, cards: int) -> int:
    verdict = sealed(cards).asked(verifiers)
    assert verdict.holds, verdict.why
    return verdict.gas


def _deck(verifiers: Verifiers) -> int:
    verdict = match_deck().asked(verifiers)
    assert verdict.holds, verdict.why
    return verdict.gas


def _signature(verifiers: Verifiers) -> int:
    private, digest = bytes(range(32)), tuple_hash("tests/signed")
    verdict = verifiers.signature(public_key(private), digest, sign(private, digest))
    assert verdict.holds, verdict.why
    return verdict.gas


def _context(verifiers: Verifiers) -> int:
    vector = json.loads((VECTORS / "meal.json").read_text())[0]
    given, made = vector["input"], vector["output"]
    game, key, cards, deck = (
        bytes.fromhex(given[name]) for name in ("game", "key", "set_digest", "match_deck_digest")
    )
    place = (game, given["step"], given["seat"], key)
    found, gas = verifiers.context(*place, two(cards), two(deck), given["courses"], bytes(given["hand"]))
    assert found.hex() == made["ctx"]
    return gas


def _hash(size: int, verifiers: Verifiers) -> int:
    return verifiers.digest("tests/part", [bytes(size)])[1]


def _deployed(name: str, verifiers: Verifiers) -> int:
    chain = Chain()
    arguments: list[Any] = [verifiers.seals.address] if name in ("seals", "decks") else []
    return chain.deploy(artifacts()[name].creation(*arguments)).answer.gas


CALLS: dict[str, Callable[[Verifiers], int]] = {
    "a signature of Ed25519": _signature,
    **{f"a seal, three courses, {n} cards in hand": partial(_seal, cards=n) for n in (0, 8, 24, 40)},
    "the context of a seal": _context,
    "a match deck of 40 cards": _deck,
    "a hash of 8,000 bytes": partial(_hash, 8000),
    "a hash of 41,000 bytes, by several calls": partial(_hash, 41000),
    **{
        f"deploying the {name}": partial(_deployed, name)
        for name in ("generators", "papers", "seals", "decks")
    },
}


def test_the_table_has_every_call() -> None:
    assert set(TABLE) == set(CALLS)


@pytest.mark.parametrize("name", CALLS)
def test_gas_is_as_the_page_says(verifiers: Verifiers, name: str) -> None:
    designed, written = TABLE[name]
    gas = CALLS[name](verifiers)
    assert abs(gas - written) <= 0.02 * written, f"{name}: {gas:,}"
    assert designed is None or gas <= 1.1 * designed
    # What goes in by several calls is a transaction each.
    assert gas < MOST_GAS or "several" in name
