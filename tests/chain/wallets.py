"""Wallets with keys, which sign that two chefs agree."""

from __future__ import annotations

from eth_keys import keys

from chain.calls import keccak256


class Wallet:
    """A key pair on secp256k1, from a name."""

    def __init__(self, name: str) -> None:
        self._key = keys.PrivateKey(keccak256(name.encode()))
        self.address: bytes = self._key.public_key.to_canonical_address()

    def sign(self, digest: bytes) -> tuple[int, bytes, bytes]:
        """v, r and s."""
        made = self._key.sign_msg_hash(digest)
        return made.v + 27, made.r.to_bytes(32, "big"), made.s.to_bytes(32, "big")
