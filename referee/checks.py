"""How signatures and claims are checked: at once, once, gathered for one sum, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from crypto.encoding import EncodingError
from crypto.identity import verify
from crypto.verifier import Equation, ProofError, check
from referee.errors import Refused


@dataclass(frozen=True, slots=True)
class Claim:
    """Equations that a message says hold, and how it is refused if they do not, or can't be read."""

    equations: Callable[[], list[Equation]]
    refused: Callable[[str], Refused]
    """The refusal, for a reason why."""

    def read(self) -> list[Equation]:
        """The equations; raises the refusal where the bytes they come from are none."""
        try:
            return self.equations()
        except (ProofError, EncodingError) as error:
            raise self.refused(str(error)) from None

    def broken(self) -> Refused:
        """The refusal where an equation does not hold."""
        return self.refused("an equation does not hold")


class Checks(Protocol):
    """How signatures and claims are checked: at once, gathered for one sum, or trusted."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Whether `signature` over `digest` by `key` holds."""

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """Raise the refusal of the first claim that does not hold.

        `kind` is "shuffle", "meal" or "reveal"; `statement` all bytes that the claims are about.
        """


def bad_proof(name: str, why: str) -> Refused:
    """The refusal of a proof."""
    return Refused(
        "bad_proof",
        f"the {name} proof fails: {why}",
        "/proof",
        f"protocol {'6' if name == 'shuffle' else '8'}",
    )


class AtOnce:
    """Every signature is checked when it is met, and so is every message's claims, in one product."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519 (protocol section 10)."""
        return verify(key, digest, signature)

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """One multi-scalar product for all of them."""
        read: list[list[Equation]] = []
        unreadable: Refused | None = None
        for claim in claims:
            try:
                read.append(claim.read())
            except Refused as refused:
                unreadable = refused
                break
        for claim, held in zip(claims, check(*read), strict=False):
            if not held:
                raise claim.broken()
        if unreadable is not None:
            raise unreadable


class Remembering:
    """Checks at once, and never the same thing twice.

    So a proof is checked before the game's row is locked, and judged again under the lock for nothing.
    """

    def __init__(self) -> None:
        self._held: set[tuple[bytes, ...]] = set()

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519, once."""
        if (key, digest, signature) not in self._held:
            if not AtOnce().signature(key, digest, signature):
                return False
            self._held.add((key, digest, signature))
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """One multi-scalar product, once."""
        if (kind.encode(), statement) not in self._held:
            AtOnce().claims(kind, statement, claims)
            self._held.add((kind.encode(), statement))


class Trusting:
    """Nothing is checked again: for a record that the house itself has written and checked."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Taken as held."""
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """Taken as held."""
