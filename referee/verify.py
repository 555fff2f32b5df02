"""Offline verification of a record from itself alone (protocol section 10).

The same fold that the service runs, over a whole file, with nothing trusted but
mathematics; proofs are gathered and checked in one multi-scalar product.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import EncodingError, b64
from crypto.identity import verify
from crypto.verifier import Equation, ProofError, check
from referee.door import bad_proof
from referee.errors import Refused
from referee.fold import apply
from referee.game import Game, outcome_json
from referee.record import FIELDS, parse_record, read_entry


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record is invalid: the entry (None: the file as a whole), the field, the reason."""

    entry: int | None
    pointer: str
    code: str
    text: str
    section: str = ""


@dataclass(slots=True)
class Report:
    """What was checked, and what was found."""

    fault: Fault | None = None
    checked: Counter[str] = field(default_factory=Counter)
    """How many of each: entries, signatures, proofs, draws, accounts, reveals."""
    game: Game | None = None
    """The game as the record leaves it, where it is valid."""

    @property
    def valid(self) -> bool:
        """Whether every check passed."""
        return self.fault is None

    def json(self) -> dict[str, Any]:
        """The report as JSON."""
        game, fault = self.game, self.fault
        return {
            "valid": self.valid,
            "fault": fault
            and {
                "entry": fault.entry,
                "pointer": fault.pointer,
                "code": fault.code,
                "text": fault.text,
                "section": fault.section,
            },
            "checked": dict(self.checked),
            "game": game and game.header.game,
            "mode": game and game.rules.facts.name,
            "house_key": game and b64(game.header.house_key),
            "seats": game
            and [{"name": player.name, "key": b64(player.key)} for player in game.header.players],
            "outcome": outcome_json(None if game is None else game.outcome),
        }


class _Gathering:
    """Signatures are checked and counted; proofs are gathered for one sum at the end."""

    def __init__(self) -> None:
        self.entry = 0
        self.signatures = 0
        self.proofs: list[tuple[int, str, list[Equation]]] = []

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519."""
        self.signatures += 1
        return verify(key, digest, signature)

    def proof(self, name: str, statement: bytes, equations: Callable[[], list[Equation]]) -> None:
        """Keep the equations; what can't even be read is refused at once."""
        try:
            self.proofs.append((self.entry, name, equations()))
        except (ProofError, EncodingError) as error:
            raise bad_proof(name, str(error)) from None


COUNTED = {
    "deal": "draws",
    "account": "accounts",
    "reveal": "reveals",
    "shown": "shown deals",
    "result": "results",
}


def verify_entries(
    entries: Sequence[Any],
    house_key: bytes | None = None,
    unfinished: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Verify the entries of a record, as JSON values.

    `house_key` is the house expected, if any; `unfinished` accepts a record
    without a result; `progress` is called with entries done and in all.
    """
    report, checks = Report(), _Gathering()
    game: Game | None = None
    for i, data in enumerate(entries):
        checks.entry = i
        try:
            entry = read_entry(data)
        except Refused as refused:
            report.fault = _fault(i, refused, refused.pointer)
            return report
        try:
            game = apply(game, entry, checks)
            if house_key is not None and i == 0 and game.header.house_key != house_key:
                raise Refused("wrong_house", "the record is of another house", "/body/house_key")
        except Refused as refused:
            report.fault = _fault(i, refused, entry_field(refused.pointer))
            return report
        report.checked["entries"] += 1
        if entry.kind in COUNTED:
            report.checked[COUNTED[entry.kind]] += 1
        if progress is not None:
            progress(i + 1, len(entries))
    report.checked["signatures"] = checks.signatures
    report.checked["proofs"] = len(checks.proofs)
    held = check(*(equations for _, _, equations in checks.proofs))
    for (seq, name, _), good in zip(checks.proofs, held, strict=True):
        if not good:
            report.fault = _fault(seq, bad_proof(name), "/body/proof")
            return report
    if game is not None and not game.over and not unfinished:
        text = "the record ends before its result"
        report.fault = Fault(None, "/entries", "unfinished", text, "protocol 10")
    report.game = game
    return report


def _fault(entry: int, refused: Refused, pointer: str) -> Fault:
    return Fault(entry, f"/entries/{entry}{pointer}", refused.code, refused.text, refused.section)


def entry_field(pointer: str) -> str:
    """The pointer into an entry for one into a message: a message's own fields lie in the entry's body."""
    first = pointer.split("/")[1] if pointer else ""
    if not first or first in FIELDS:
        return pointer
    renamed = {"signature": "/player_signature", "seat": "/actor"}
    return renamed.get(first, f"/body{pointer}")


def verify_record(
    data: bytes,
    house_key: bytes | None = None,
    unfinished: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Verify a record file; raises `Unreadable` for what is no JSON."""
    try:
        entries = parse_record(data)
    except Refused as refused:
        return Report(Fault(None, refused.pointer, refused.code, refused.text, refused.section))
    return verify_entries(entries, house_key, unfinished, progress)
