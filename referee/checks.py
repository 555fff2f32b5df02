"""Four ways to check signatures and claims: at once, only once, gathered for one sum, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from crypto.encoding import EncodingError
from crypto.identity import verify
from crypto.verifier import Equation, ProofError, check
from referee.errors import Refused


@dataclass(frozen=True, slots=True)
class ClaimedEquations:
    """Equations that a message claims, and its refusal if they don't hold or can't be read."""

    equations: Callable[[], list[Equation]]
    refused: Callable[[str], Refused]
    """Makes the refusal from the reason."""

    def read(self) -> list[Equation]:
        """The equations; raises the refusal if their bytes are malformed."""
        try:
            return self.equations()
        except (ProofError, EncodingError) as error:
            raise self.refused(str(error)) from None

    def broken(self) -> Refused:
        """The refusal for an equation that does not hold."""
        return self.refused("an equation does not hold")


class Checks(Protocol):
    """The way in which signatures and claims are checked: at once, gathered for one sum, or trusted."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Tell whether `signature` is valid for `digest` under the public key `key`."""

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Raise the refusal of the first claim that does not hold.

        `kind` is "reveal" or a name in `SECTIONS`; `statement` has all bytes that the claims are about.
        """


SECTIONS = {
    "shuffle": "6",
    "meal": "8",
    "lock": "20.4",
    "mix": "20.5",
    "share": "20.7",
    "unlock": "20.8",
    "move": "20.8",
}
"""The section of the protocol that each kind of proof is in."""


def bad_proof(name: str, why: str) -> Refused:
    """The refusal of a proof, by its name in `SECTIONS`, for the reason `why`."""
    text = f"the {name} proof fails: {why}"
    return Refused("bad_proof", text, "/proof", f"protocol {SECTIONS[name]}")


class AtOnce:
    """Checks every signature at once, and all claims of a message in one product."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519 (protocol section 10)."""
        return verify(key, digest, signature)

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Check all claims with one multi-scalar product."""
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

    The service checks a proof before it locks the game's row. Under the lock, the second check is free.
    """

    def __init__(self) -> None:
        self._held: set[tuple[bytes, ...]] = set()

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519 (protocol section 10), unless it was checked before."""
        if (key, digest, signature) not in self._held:
            if not AtOnce().signature(key, digest, signature):
                return False
            self._held.add((key, digest, signature))
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Check all claims with one multi-scalar product, unless they were checked before."""
        if (kind.encode(), statement) not in self._held:
            AtOnce().claims(kind, statement, claims)
            self._held.add((kind.encode(), statement))


class Trusting:
    """Checks nothing: for a record that the house itself has written and checked."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Accept without a check."""
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Accept without a check."""
