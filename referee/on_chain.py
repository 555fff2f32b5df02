"""What a house signs for contracts on a chain (docs/chain.md): with its own key, in the hash of the protocol.

A statement names the chain and the contract, so it says nothing anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from Crypto.Hash import keccak

from crypto.encoding import i2osp, unb64, uuid_bytes
from crypto.identity import sign, verify
from crypto.transcript import tuple_hash

WORD = 32
ADDRESS = 20
LABELS = ("copies-out", "settlement", "house-on-chain")


def keccak256(data: bytes) -> bytes:
    """Ethereum's hash of 32 bytes. It is not SHA3-256."""
    return keccak.new(digest_bits=256, data=data).digest()


def address(digits: str) -> bytes:
    """The 20 bytes of an address; ValueError unless its checksum is there and right (EIP-55)."""
    if not re.fullmatch(r"0x[0-9a-fA-F]{40}", digits):
        raise ValueError("an address is 0x and 40 hexadecimal digits")
    data = bytes.fromhex(digits[2:])
    if checksummed(data) != digits:
        raise ValueError("the checksum of the address is wrong (EIP-55): copy it with its capital letters")
    return data


def checksummed(data: bytes) -> str:
    """The text of an address of 20 bytes, with its checksum in its capital letters (EIP-55)."""
    digits = data.hex()
    digest = keccak256(digits.encode()).hex()
    return "0x" + "".join(c.upper() if int(h, 16) > 7 else c for c, h in zip(digits, digest, strict=False))


@dataclass(frozen=True, slots=True)
class Place:
    """A contract of a house, on a chain."""

    chain_id: int
    contract: bytes
    """Its address, 20 bytes."""

    @property
    def parts(self) -> tuple[bytes, ...]:
        """What every statement begins with."""
        if len(self.contract) != ADDRESS:
            raise ValueError("an address has 20 bytes")
        return i2osp(self.chain_id, WORD), self.contract


def token_id(origin_digest: bytes) -> bytes:
    """The id of a copy's token, 32 bytes: the beginning of the digest of its origin."""
    return origin_digest[:WORD]


def copies_out(place: Place, receiver: bytes, until: int, tokens: Sequence[tuple[bytes, int]]) -> bytes:
    """The digest of the statement that lets copies out.

    TH("copies-out"; chain id (32), contract (20), receiver (20), until (32), token (32), trip (32), ...):
    `until` is in seconds since 1970, and a token's trips count from 1.
    """
    if len(receiver) != ADDRESS:
        raise ValueError("an address has 20 bytes")
    listed = [part for token, trip in tokens for part in (token, i2osp(trip, WORD))]
    return tuple_hash("copies-out", *place.parts, receiver, i2osp(until, WORD), *listed)


@dataclass(frozen=True, slots=True)
class CopiesOut:
    """A house's statement that lets copies out, whose signature holds."""

    receiver: bytes
    """The address that gets the tokens, 20 bytes."""
    until: int
    """When it lapses, in seconds since 1970."""
    tokens: Sequence[tuple[bytes, int]]
    """The ids of the tokens, 32 bytes each, with their trips."""
    signature: bytes


def read_copies_out(given: Mapping[str, Any], place: Place, house_key: bytes) -> CopiesOut:
    """Read a statement as a house shows it; check that the house has signed it for its pantry at `place`.

    Raises `ValueError` with a reason that follows "its statement".
    """
    try:
        where, receiver = Place(int(given["chain_id"]), address(given["pantry"])), address(given["to"])
        until, key = int(given["until"]), unb64(given["house_key"], 32)
        tokens = [(bytes.fromhex(trip["token"]), int(trip["trip"])) for trip in given["copies"]]
        signature = unb64(given["signature"], 64)
        digest = copies_out(where, receiver, until, tokens)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"can't be read: {error}") from None
    if where != place or key != house_key or not verify(key, digest, signature):
        raise ValueError("is not signed by its key for its pantry")
    return CopiesOut(receiver, until, tokens, signature)


def settlement(place: Place, game: str, winners: Sequence[int], result: bytes) -> bytes:
    """The digest of the house's word on a game.

    TH("settlement"; chain id (32), contract (20), game (16), winners (1), digest of the result entry (64)):
    seat i is bit i of `winners`.
    """
    return tuple_hash("settlement", *place.parts, uuid_bytes(game), i2osp(bits(winners), 1), result)


def bits(winners: Sequence[int]) -> int:
    """Seats as bits, the lowest for seat 0."""
    return sum(1 << seat for seat in set(winners))


def house_on_chain(place: Place, key: bytes) -> bytes:
    """The digest by which a house hands a contract over to its new key."""
    return tuple_hash("house-on-chain", *place.parts, key)


def signed(private: bytes, digest: bytes) -> bytes:
    """The house's signature over one of these statements, 64 bytes."""
    return sign(private, digest)
