"""What a player's side says of a house that lies about a copy that is outside, or about its contracts."""

from __future__ import annotations

from typing import Any

import pytest

from client.http import Api
from client.outside import certified, contract
from crypto.identity import public_key
from player.house import HouseFault
from referee.on_chain import address, token_id
from referee.ownership import origin_digest, write_origin
from vectors.copies import TUNA
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS

HOUSE = public_key(HOUSE_PRIVATE_KEY)
ORIGIN = write_origin(HOUSE_PRIVATE_KEY, TUNA)
TRIP = {"copy": TUNA.copy, "token": token_id(origin_digest(ORIGIN)).hex()}
PANTRY = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


class Saying(Api):
    """A house that says one thing, whatever it is asked."""

    def __init__(self, said: dict[str, Any]) -> None:
        super().__init__("http://127.0.0.1:1")
        self._said = said

    def token(self, token: str) -> dict[str, Any]:
        return self._said

    def chain(self) -> dict[str, Any]:
        return self._said


def test_the_origin_of_a_copy_is_that_of_its_tokens_certificate() -> None:
    with Saying({"certificate": {"origin": ORIGIN}}) as api:
        assert certified(api, TRIP, HOUSE) == TUNA


@pytest.mark.parametrize(
    ("said", "trip"),
    [
        ({}, TRIP),
        ({"certificate": {"origin": {**ORIGIN, "serial": TUNA.serial + 1}}}, TRIP),
        ({"certificate": {"origin": write_origin(PRIVATE_KEYS[0], TUNA)}}, TRIP),
        ({"certificate": {"origin": ORIGIN}}, TRIP | {"token": "00" * 32}),
        ({"certificate": {"origin": ORIGIN}}, TRIP | {"copy": TUNA.copy[:-1] + "2"}),
    ],
)
def test_a_token_that_is_not_that_of_the_copy_is_told_with_the_evidence(
    said: dict[str, Any], trip: dict[str, Any]
) -> None:
    with Saying(said) as api, pytest.raises(HouseFault) as fault:
        certified(api, trip, HOUSE)
    assert (fault.value.code, fault.value.evidence) == ("bad_token", said)


def test_a_contract_is_there_or_not_or_has_no_address() -> None:
    with Saying({"chain_id": 1, "pantry": PANTRY, "prizes": None}) as api:
        found = contract(api, "pantry")
        assert found is not None
        assert (found.chain_id, found.contract) == (1, address(PANTRY))
        assert contract(api, "prizes") is None
    with Saying({"chain_id": None, "pantry": None, "prizes": None}) as api:
        assert contract(api, "pantry") is None
    with Saying({"chain_id": 1, "pantry": PANTRY.lower(), "prizes": None}) as api:
        with pytest.raises(HouseFault) as fault:
            contract(api, "pantry")
        assert fault.value.code == "bad_contract"
