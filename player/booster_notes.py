"""What a player must not forget about boosters: the house's commitments, and its receipts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from crypto.encoding import b64, unb64
from referee.booster_statements import NONCE

MOST = 64
"""The receipts that are kept: the newest, which a house that is restored from a backup has forgotten."""
GONE, PASSED = "gone", "passed"


@dataclass(frozen=True, slots=True)
class NotedReceipt:
    """A receipt for an opening that was asked for, written down before the nonce was shown."""

    receipt: Mapping[str, Any]
    nonce: bytes = field(repr=False)
    """32 bytes, which the receipt seals."""
    void: str = ""
    """Why the opening can't come any more: the house has given up its chain, and the booster is `GONE`, or
    another opening has `PASSED` it. Empty while it can come."""

    @property
    def place(self) -> tuple[str, int]:
        """The chain, by its anchor, and the link: no two receipts have the same."""
        return self.receipt["anchor"], self.receipt["k"]

    def json(self) -> dict[str, Any]:
        """Return it as it stands in the box."""
        return {"receipt": dict(self.receipt), "nonce": b64(self.nonce), "void": self.void}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> NotedReceipt:
        """Read it from its JSON."""
        return cls(data["receipt"], unb64(data["nonce"], NONCE), str(data["void"]))


@dataclass(frozen=True, slots=True)
class BoosterNotes:
    """The notes of a player about boosters."""

    commitments: tuple[Mapping[str, Any], ...] = ()
    """The house's newest commitment, and before it those of the receipts, the oldest first."""
    receipts: tuple[NotedReceipt, ...] = ()
    """The newest receipts, the oldest first."""

    def json(self) -> dict[str, Any]:
        """Return them as they stand in the box."""
        return {
            "commitments": [dict(said) for said in self.commitments],
            "receipts": [item.json() for item in self.receipts],
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> Self:
        """Read them from their JSON."""
        return cls(tuple(data["commitments"]), tuple(NotedReceipt.load(item) for item in data["receipts"]))

    def with_commitment(self, commitment: Mapping[str, Any]) -> BoosterNotes:
        """These notes with the house's newest commitment, written before anything is asked for under it."""
        return self.merged(BoosterNotes((commitment,)))

    def with_receipt(self, item: NotedReceipt) -> BoosterNotes:
        """These notes with another receipt, or with this form of one that they have."""
        return BoosterNotes(receipts=(item,)).merged(self)

    def merged(self, theirs: BoosterNotes) -> BoosterNotes:
        """These notes with those of another file of the same player; ours where both have the same."""
        receipts = {item.place: item for item in (*theirs.receipts, *self.receipts)}
        by_time = sorted(receipts.values(), key=lambda item: (item.receipt["at"], item.receipt["number"]))
        kept = tuple(by_time[-MOST:])
        said = {one["anchor"]: one for one in (*theirs.commitments, *self.commitments)}
        ordered = sorted(said.values(), key=lambda one: (one["at"], one["chain"]))
        needed = {item.receipt["anchor"] for item in kept} | {one["anchor"] for one in ordered[-1:]}
        return BoosterNotes(tuple(one for one in ordered if one["anchor"] in needed), kept)
