"""Proofs of a player's key at signing in: bound to the key, the house and the time."""

from __future__ import annotations

from typing import Any

import pytest

from crypto.encoding import b64
from crypto.identity import new_private_key, public_key
from referee.errors import Refused
from referee.sign_in import read_sign_in, write_sign_in

HOUSE, AT = b"\2" * 32, 1_790_000_000_000
PLAYER, OTHER = new_private_key(), new_private_key()


def test_a_proof_names_house_and_time() -> None:
    assert read_sign_in(write_sign_in(PLAYER, HOUSE, AT), public_key(PLAYER)) == (HOUSE, AT)


@pytest.mark.parametrize(
    ("changed", "code", "pointer"),
    [
        ({"house": b64(b"\3" * 32)}, "bad_signature", "/signature"),
        ({"at": "2026-09-21T14:13:20.001Z"}, "bad_signature", "/signature"),
        ({"signature": write_sign_in(OTHER, HOUSE, AT)["signature"]}, "bad_signature", "/signature"),
        ({"house": "AAAA"}, "bad_bytes", "/house"),
        ({"at": "yesterday"}, "bad_time", "/at"),
        ({"signature": "?"}, "bad_bytes", "/signature"),
        ({"password": "x"}, "unknown_field", "/password"),
    ],
)
def test_a_changed_proof_is_refused(changed: dict[str, Any], code: str, pointer: str) -> None:
    with pytest.raises(Refused) as refused:
        read_sign_in({**write_sign_in(PLAYER, HOUSE, AT), **changed}, public_key(PLAYER))
    assert (refused.value.code, refused.value.pointer) == (code, pointer)


def test_it_is_of_one_player() -> None:
    with pytest.raises(Refused, match="not by that key"):
        read_sign_in(write_sign_in(PLAYER, HOUSE, AT), public_key(OTHER))
