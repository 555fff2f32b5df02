"""The house's word on a game, for a contract of prizes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from crypto.encoding import b64, unb64
from crypto.identity import verify
from referee import read_entry
from referee.on_chain import Place, address, checksummed, settlement
from service.config import ConfigError, Settings
from service.runtime import Runtime
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Guest

CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
PLACE = Place(1, address(CONTRACT))


def _with_prizes(house: Runtime) -> None:
    object.__setattr__(house, "settings", replace(house.settings, chain_id=1, chain_prizes=CONTRACT))


def _resigned(match: Match) -> None:
    chair = match.chairs[0]
    assert chair.post(chair.seat.resign(chair.catch_up())).status_code == 201


def _match(house: Runtime, clock: list[int], guests: list[Guest]) -> Match:
    match = sit_down(house, clock, guests, seed=1)
    while match.fold.deals == 0:
        match.step()
    return match


@ON_SQLITE_FIRST
def test_the_word_follows_from_the_record(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    _with_prizes(house)
    match = _match(house, clock, [ann, bob])
    running = ann.get(f"/games/{match.id}/word")
    assert (running.status_code, running.json["code"]) == (409, "game_running")
    _resigned(match)
    word = bob.get(f"/games/{match.id}/word").json
    entry = read_entry(bob.get(f"/games/{match.id}/record").json["entries"][-1])
    assert word == {
        "chain_id": 1,
        "prizes": CONTRACT,
        "game": match.id,
        "winners": [1],
        "result": b64(entry.digest),
        "house_key": b64(house.keys.public),
        "signature": word["signature"],
    }
    digest = settlement(PLACE, match.id, [1], entry.digest)
    assert verify(house.keys.public, digest, unb64(word["signature"]))
    assert ann.get(f"/games/{match.id}/word").json == word
    assert bob.get("/chain").json == {"chain_id": 1, "pantry": None, "prizes": CONTRACT}


@ON_SQLITE_FIRST
def test_a_house_without_a_contract_says_nothing(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = _match(house, clock, [ann, bob])
    _resigned(match)
    refused = ann.get(f"/games/{match.id}/word")
    assert (refused.status_code, refused.json["code"]) == (409, "no_prizes")
    assert ann.get("/chain").json == {"chain_id": None, "pantry": None, "prizes": None}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("CLOCHE_CHAIN_PRIZES", CONTRACT.lower()),
        ("CLOCHE_CHAIN_PRIZES", CONTRACT[:-1]),
        ("CLOCHE_CHAIN_PRIZES", "house.example"),
        ("CLOCHE_CHAIN_ID", "-1"),
        ("CLOCHE_CHAIN_ID", "main"),
    ],
)
def test_settings_that_name_no_contract_are_refused(name: str, text: str) -> None:
    with pytest.raises(ConfigError) as fault:
        Settings.from_environment({name: text})
    assert name in fault.value.faults


def test_the_settings_name_a_contract() -> None:
    given: dict[str, Any] = {"CLOCHE_CHAIN_ID": "1", "CLOCHE_CHAIN_PRIZES": CONTRACT}
    settings = Settings.from_environment(given)
    assert (settings.chain_id, settings.chain_prizes) == (1, CONTRACT)


ADDRESSES = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]
"""Of EIP-55 itself."""


@pytest.mark.parametrize("text", ADDRESSES)
def test_addresses_have_their_checksum(text: str) -> None:
    assert checksummed(address(text)) == text
    swapped = text[:2] + text[2:].swapcase()
    with pytest.raises(ValueError, match="checksum"):
        address(swapped)
