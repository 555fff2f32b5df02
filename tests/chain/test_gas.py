"""What calls cost: docs/chain.md has the table, and the first column of figures is what was designed for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from chain.calls import MOST_GAS
from chain.contracts import artifacts
from chain.evm import EvmChain
from chain.verifiers import Verifiers, two
from crypto.identity import public_key, sign
from crypto.transcript import tuple_hash
from tests.chain.house_kit import (
    ANNA,
    BASE,
    BEN,
    DAY,
    ETHER,
    GAME,
    KEY,
    PLAYER,
    Deployed,
    deployed,
    new_chain,
    token,
)
from tests.chain.statements import match_deck, sealed
from tests.chain.wallets import Wallet
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
    part = bytes(size)
    digest, gas, most = verifiers.digest("tests/part", [part])
    assert digest == tuple_hash("tests/part", part)
    assert most < MOST_GAS
    return gas


def _deployed(name: str, verifiers: Verifiers) -> int:
    chain = EvmChain()
    arguments: list[Any] = [verifiers.seals.address] if name in ("seals", "decks") else []
    return chain.deploy(artifacts()[name].creation(*arguments)).answer.gas


def _pantry() -> Deployed:
    return deployed(new_chain(), "pantry", "Copies of a house", BASE)


def _out(count: int, verifiers: Verifiers) -> int:
    pantry = _pantry()
    return pantry.send("bring_out", *pantry.out(ANNA, [(token(i), 1) for i in range(count)])).answer.gas


def _moved(name: str, verifiers: Verifiers) -> int:
    """Of a second token, so that the wallet that takes it has some already."""
    pantry = _pantry()
    for who, number in ((ANNA, 1), (ANNA, 2), (BEN, 3)):
        pantry.send("bring_out", *pantry.out(who, [(token(number), 1)]))
    given = (token(1), PLAYER) if name == "take_back" else (ANNA, BEN, token(1))
    return pantry.send(name, *given).answer.gas


def _pot(step: str, verifiers: Verifiers) -> int:
    prizes = deployed(new_chain(), "prizes")
    prizes.machine.fund(ANNA, ETHER)
    ada, ben = Wallet("Ada"), Wallet("Ben")
    game, end = bytes.fromhex(GAME.replace("-", "")), prizes.machine.time + 30 * DAY
    opened = prizes.send("open", game, ada.address, ben.address, end, value=ETHER)
    name = prizes.told(opened)[0][1]["pot"]
    if step == "open":
        return opened.answer.gas
    if step == "agree":
        signed = [it.sign(prizes.ask("agreement", name, 3)) for it in (ada, ben)]
        return prizes.send("agree", name, 3, *([it[i] for it in signed] for i in range(3))).answer.gas
    told = prizes.send("tell", *prizes.word([0]))
    prizes.machine.time += 2 * DAY
    return told.answer.gas if step == "tell" else prizes.send("settle", name).answer.gas


def _house(name: str, verifiers: Verifiers) -> int:
    chain = EvmChain()
    more = ("Copies of a house", BASE) if name == "pantry" else ()
    papers = chain.deploy(artifacts()["papers"].creation()).created
    return chain.deploy(artifacts()[name].creation(papers, KEY, *more)).answer.gas


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
    "a copy out": partial(_out, 1),
    "ten copies out at once": partial(_out, 10),
    "forty copies out at once": partial(_out, 40),
    "a copy back": partial(_moved, "take_back"),
    "a copy to another wallet": partial(_moved, "transferFrom"),
    "a pot is opened": partial(_pot, "open"),
    "both chefs agree": partial(_pot, "agree"),
    "the house's word": partial(_pot, "tell"),
    "a pot is settled": partial(_pot, "settle"),
    "deploying a pantry": partial(_house, "pantry"),
    "deploying prizes": partial(_house, "prizes"),
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
