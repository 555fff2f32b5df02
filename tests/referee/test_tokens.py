"""What a player checks of a copy that is outside: the house's statement, and the certificate of its token."""

from __future__ import annotations

from typing import Any

import pytest

from crypto.encoding import b64
from crypto.identity import public_key
from referee.errors import Refused
from referee.on_chain import Place, address, checksummed, copies_out, read_copies_out, signed, token_id
from referee.ownership import origin_digest, verify_token, write_origin
from vectors.copies import TUNA
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS

HOUSE = public_key(HOUSE_PRIVATE_KEY)
ORIGIN = write_origin(HOUSE_PRIVATE_KEY, TUNA)
TOKEN = token_id(origin_digest(ORIGIN))
PLACE = Place(1, address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"))
WALLET = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
UNTIL = 1_795_168_800


def _statement() -> dict[str, Any]:
    digest = copies_out(PLACE, address(WALLET), UNTIL, [(TOKEN, 1)])
    return {
        "chain_id": PLACE.chain_id,
        "pantry": checksummed(PLACE.contract),
        "to": WALLET,
        "until": UNTIL,
        "copies": [{"copy": TUNA.copy, "token": TOKEN.hex(), "trip": 1, "state": "outside"}],
        "house_key": b64(HOUSE),
        "signature": b64(signed(HOUSE_PRIVATE_KEY, digest)),
    }


def test_a_token_is_that_of_the_copy_whose_origin_is_signed() -> None:
    assert verify_token({"origin": ORIGIN}, TOKEN, HOUSE) == TUNA


@pytest.mark.parametrize("field", [*(name for name in ORIGIN if name != "signature")])
def test_a_certificate_with_another_word_is_refused(field: str) -> None:
    other: dict[type, Any] = {
        str: "2026-11-21T00:00:00.000Z" if field == "at" else TUNA.copy[::-1],
        bool: True,
    }
    changed = {**ORIGIN, field: other.get(type(ORIGIN[field]), 1)}
    with pytest.raises(Refused):
        verify_token({"origin": changed}, TOKEN, HOUSE)


def test_a_certificate_of_another_token_or_of_another_house_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        verify_token({"origin": ORIGIN}, bytes(32), HOUSE)
    assert refused.value.code == "wrong_token"
    with pytest.raises(Refused) as refused:
        verify_token({"origin": write_origin(PRIVATE_KEYS[0], TUNA)}, TOKEN, HOUSE)
    assert refused.value.code == "bad_signature"


@pytest.mark.parametrize("certificate", [None, {}, [], {"origin": None}, {"origin": ORIGIN, "more": 1}])
def test_what_is_no_certificate_is_refused(certificate: object) -> None:
    with pytest.raises(Refused):
        verify_token(certificate, TOKEN, HOUSE)


def test_a_statement_is_read_as_the_house_has_signed_it() -> None:
    read = read_copies_out(_statement(), PLACE, HOUSE)
    assert (read.receiver, read.until, [*read.tokens]) == (address(WALLET), UNTIL, [(TOKEN, 1)])


@pytest.mark.parametrize(
    "changed",
    [
        {"chain_id": 2},
        {"pantry": WALLET},
        {"to": checksummed(PLACE.contract)},
        {"until": UNTIL + 1},
        {"copies": []},
        {"copies": [{"token": TOKEN.hex(), "trip": 2}]},
        {"copies": [{"token": TOKEN[::-1].hex(), "trip": 1}]},
        {"house_key": b64(public_key(PRIVATE_KEYS[0]))},
        {"signature": b64(bytes(64))},
    ],
)
def test_a_statement_that_was_changed_is_not_signed(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is not signed"):
        read_copies_out(_statement() | changed, PLACE, HOUSE)


@pytest.mark.parametrize(
    "changed",
    [
        {"chain_id": None},
        {"chain_id": -1},
        {"pantry": WALLET.lower()},
        {"to": 7},
        {"until": "soon"},
        {"until": -1},
        {"copies": [{"token": "xy", "trip": 1}]},
        {"copies": None},
        {"house_key": "short"},
        {"signature": ""},
    ],
)
def test_a_statement_that_has_no_shape_says_so(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="can't be read"):
        read_copies_out(_statement() | changed, PLACE, HOUSE)
