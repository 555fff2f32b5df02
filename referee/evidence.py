"""Evidence against a house: the file that a client writes when it stops, judged by protocol section 10.7.

A judge needs nothing but the file. It convicts the house whose key its record names; whether that is the
house that somebody means, the key tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import EncodingError, b64, canonical, parse, parse_timestamp
from crypto.identity import verify as signed_by
from referee.bodies import fields, seen
from referee.boosters import read_commitment, verify_boosters
from referee.errors import Refused, need
from referee.faces import read_faces
from referee.fold import apply
from referee.game import Game, asking_of
from referee.message import Message, Receipt, read_message, read_receipt, receipt_holds
from referee.record import Entry, Unreadable, read_entry
from referee.succession import Succession, related
from referee.verify import RecordFault

FIELDS = ("code", "text", "evidence")


@dataclass(slots=True)
class EvidenceReport:
    """What a file of evidence shows."""

    fault: RecordFault | None = None
    """Why it convicts nobody; None if it convicts the house."""
    checked: Counter[str] = field(default_factory=Counter)
    breach: str = ""
    """The breach that it shows, in words."""
    said: str = ""
    """The client's own words."""
    game: Game | None = None
    """The game that the papers are about, as far as they have it."""

    @property
    def valid(self) -> bool:
        """True if it convicts the house."""
        return self.fault is None

    def json(self) -> dict[str, Any]:
        """The report as JSON."""
        fault, game = self.fault, self.game
        return {
            "valid": self.valid,
            "fault": fault and {"code": fault.code, "text": fault.text, "section": fault.section},
            "breach": self.breach or None,
            "game": game and game.header.game,
            "house_key": game and b64(game.header.house_key),
        }


def looks_like(data: bytes) -> bool:
    """Tell whether a file is meant to be evidence."""
    if b'"evidence"' not in data[:20_000]:
        return False
    try:
        given = parse(data)
    except EncodingError:
        return False
    return isinstance(given, dict) and {*FIELDS} <= given.keys()


def judge(
    data: bytes,
    house_key: bytes | None = None,
    successions: Sequence[Succession] = (),
    progress: Callable[[int, int], None] | None = None,
) -> EvidenceReport:
    """Judge a file of evidence. Raises `Unreadable` if it is none."""
    try:
        given = parse(data)
    except EncodingError as error:
        raise Unreadable(f"the file is not JSON: {error}") from None
    report = EvidenceReport()
    try:
        fields(given, FIELDS, optional=("record",))
        report.said = str(given["text"])
        evidence = given["evidence"]
        if "record" not in given and isinstance(evidence, dict) and evidence.keys() & {"file", "commitment"}:
            report.breach = _boosters(evidence, house_key, successions)
            need(report.breach, "no_conviction", NOTHING, "/evidence", "boosters 5")
            return report
        papers = _Papers.read(given)
        report.checked["entries"] = len(papers.entries)
        report.game = papers.game
        mine = house_key is None or papers.game.header.house_key == house_key
        need(mine, "wrong_house", "the record is of another house", "/record")
        report.breach = next(papers.breaches(), "")
        need(report.breach, "no_conviction", NOTHING, "/evidence", "protocol 10.7")
    except Refused as refused:
        report.fault = RecordFault.of_file(refused)
    return report


NOTHING = (
    "the papers show what the client saw, and convict nobody: some breaches can't be shown to others,"
    " and for others a signed paper is missing"
)


_CONVICTS = ("other_opening", "two_receipts", "wrong_cards", "bad_counter", "opened_twice")
"""Faults of a file of boosters that are found behind the house's signature."""
_CLEARS = "unless the house shows its notice, which the holder of a file could have left out"


def _boosters(evidence: Mapping[str, Any], house_key: bytes | None, successions: Sequence[Succession]) -> str:
    """The breach that papers about boosters show (docs/boosters.md); empty if they show none."""
    if "receipt" not in evidence and "commitment" in evidence:
        chain = read_commitment(evidence["commitment"], pointer="/evidence/commitment")
        mine = house_key is None or related(successions, chain.house_key, house_key)
        need(mine, "wrong_house", "the commitment is of another house", "/evidence/commitment")
        return f"a chain for boosters that the house denies, {_CLEARS}: ask the house for it"
    if "file" not in evidence:
        return ""
    fault = verify_boosters(canonical(evidence["file"]), house_key, successions).fault
    if fault is None:
        return ""
    if fault.code == "wrong_house":
        raise Refused(fault.code, fault.text, f"/evidence/file{fault.pointer}")
    if fault.code == "chain_given_up":
        return f"a chain for boosters that was given up, {_CLEARS}: ask the house for it"
    not_asked = fault.pointer.startswith("/openings/") and fault.pointer.endswith("/asked")
    return (
        f"boosters that the house has steered: {fault.text}" if not_asked or fault.code in _CONVICTS else ""
    )


def _fit(condition: bool) -> None:
    """Refuse papers that are not of the kind which is looked for: they convict nobody."""
    if not condition:
        raise ValueError


@dataclass(frozen=True, slots=True)
class _Papers:
    """The record that was verified, folded entry by entry, and what the evidence adds."""

    entries: Sequence[Entry]
    games: Sequence[Game]
    """The game after each of them."""
    evidence: Mapping[str, Any]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> _Papers:
        """Fold the record; raises `Refused` where there is none, or one that is not valid."""
        record = given.get("record")
        need(
            isinstance(record, dict) and record.get("entries"),
            "missing_field",
            "there is no record",
            "/record",
        )
        need(isinstance(given["evidence"], dict), "bad_shape", "the value must be an object", "/evidence")
        entries: list[Entry] = []
        games: list[Game] = []
        for i, data in enumerate(given["record"]["entries"]):
            try:
                entries.append(read_entry(data))
                games.append(apply(games[-1] if games else None, entries[-1]))
            except Refused as refused:
                raise refused.within(f"/record/entries/{i}") from None
        return cls(entries, games, given["evidence"])

    @property
    def game(self) -> Game:
        """The game after the whole record."""
        return self.games[-1]

    def breaches(self) -> Iterator[str]:
        """The breaches of protocol 10.7 that the papers show."""
        for shows in (self._false_timeout, self._was_there, self._rewritten, self._can_not_stand):
            try:
                breach = shows()
            except (KeyError, TypeError, ValueError):
                continue  # these papers are not of that kind
            if breach:
                yield breach

    def _entry(self) -> Entry:
        """The entry in question, which the house has signed."""
        entry = read_entry(self.evidence["entry"])
        key = self.game.header.house_key
        _fit(signed_by(key, entry.digest, entry.house_signature))
        return entry

    def _receipted(self, given: Mapping[str, Any]) -> tuple[Message, Receipt]:
        """A message that its seat has signed, with the house's receipt for it."""
        header = self.game.header
        message, receipt = read_message(header.game, given["message"]), read_receipt(given["receipt"])
        key = header.players[message.seat].key
        _fit(signed_by(key, message.digest, message.signature))
        _fit(receipt.message == message.digest)
        _fit(receipt_holds(receipt, header.house_key))
        return message, receipt

    def _false_timeout(self) -> str:
        entry, (message, receipt) = self._entry(), self._receipted(self.evidence)
        # Only a time-out names a seat and the kind of what is missing.
        missing = (entry.body["seat"], entry.step, entry.body["kind"])
        before = self.games[entry.seq - 1]
        apply(before, entry)
        seat = message.seat
        in_time = receipt.at <= asking_of(before).deadline_of(seat) and seat not in before.gone
        shown = (seat, message.step, message.kind) == missing and in_time
        return "a false time-out: the house gave a receipt for the answer in time" if shown else ""

    def _was_there(self) -> str:
        entry, receipt = self._entry(), read_receipt(self.evidence["receipt"])
        _fit(receipt_holds(receipt, self.game.header.house_key))
        began, ended = parse_timestamp(entry.body["from"]), parse_timestamp(entry.body["until"])
        shown = entry.kind == "away" and began < receipt.at < ended
        return "an absence that was none: the house gave a receipt meanwhile" if shown else ""

    def _rewritten(self) -> str:
        entry = self._entry()
        for said in self.evidence["said"]:
            message, _ = self._receipted(said)
            known = seen(message.body)
            if known.seq == entry.seq and known.digest != entry.digest:
                return "a record rewritten behind a message that the house had taken"
        return ""

    def _can_not_stand(self) -> str:
        entry, before = self._entry(), self.game
        _fit(entry.seq == before.seq + 1 and entry.prev == before.digest)
        told = self.evidence.get("faces")
        for statement in told if isinstance(told, list) else []:
            _, faces = read_faces(before.header, statement["seat"], statement)
            before = before.knowing(faces)
        try:
            apply(before, entry)
        except Refused as refused:
            return f"an entry that can't stand: {refused.text}"
        return ""
