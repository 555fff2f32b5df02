"""Offline verification of a record from itself alone (protocol section 10).

The verifier runs the service's fold over a whole file, and trusts nobody. It gathers
proofs and checks many of them in one multi-scalar product.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import EncodingError, b64, parse, parse_timestamp
from crypto.identity import verify
from crypto.verifier import Sum
from referee.checks import ClaimedEquations
from referee.errors import Refused, need
from referee.fold import apply
from referee.game import Game, outcome_json
from referee.record import FIELDS, Unreadable, parse_record, read_entry
from referee.succession import Succession, related

SUM_TERMS = 4096
"""About the most terms of one product: nine matches of ten rounds. A longer one gains nothing per term."""
HELD_TERMS = 16 * SUM_TERMS
"""About the most terms of all waiting claims. They take some 16 MB, even if a record repeats its points."""


@dataclass(frozen=True, slots=True)
class RecordFault:
    """The fault of an invalid record: the entry (None for the file as a whole), the field, the reason."""

    entry: int | None
    pointer: str
    code: str
    text: str
    section: str = ""

    @classmethod
    def of_file(cls, refused: Refused) -> RecordFault:
        """The fault of a file that was refused as a whole."""
        return cls(None, refused.pointer, refused.code, refused.text, refused.section)


@dataclass(slots=True)
class Report:
    """The result of the verification of a record."""

    fault: RecordFault | None = None
    checked: Counter[str] = field(default_factory=Counter)
    """The number of entries, signatures, proofs, and each kind in `COUNTED` that were checked."""
    game: Game | None = None
    """The game after the last entry, if the record is valid."""
    content: bool | None = None
    """Whether the content is valid, of a file that is only in another form; None of any other file."""
    dated: list[int] = field(default_factory=list)
    """The times of its entries, in milliseconds since 1970."""
    absences: list[tuple[int, int, int]] = field(default_factory=list)
    """The absences of the house: the entry, from when, until when."""

    @property
    def valid(self) -> bool:
        """True if every check passed."""
        return self.fault is None

    @property
    def valid_game(self) -> Game:
        """The game of a valid record; raises ValueError for any other."""
        if self.game is None or self.fault is not None:
            raise ValueError("the record is not valid")
        return self.game

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
            "content": {None: None, True: "valid", False: "invalid"}[self.content],
            "timeouts": game and [dict(seat.timeouts) for seat in game.seats],
            "away_ms": game and game.away,
        }


class _Sums:
    """Claims of any number of records, checked in products of a bounded number of terms."""

    def __init__(self) -> None:
        self._sum = Sum()
        self._claims: list[tuple[_Gathering, int, ClaimedEquations]] = []

    def add(self, record: _Gathering, claim: ClaimedEquations) -> None:
        """Gather one claim; a malformed claim raises its refusal at once."""
        self._sum.add(claim.read())
        self._claims.append((record, record.entry, claim))
        record.waiting = True
        if self._sum.terms >= SUM_TERMS or self._sum.held >= HELD_TERMS:
            self.settle()

    def settle(self) -> None:
        """Check the gathered claims, and set each record's first claim that does not hold."""
        for (record, entry, claim), good in zip(self._claims, self._sum.check(), strict=True):
            record.waiting = False
            if not good and record.broken is None:
                record.broken = entry, claim.broken()
        self._sum, self._claims = Sum(), []


class _Gathering:
    """The checks of one record: signatures at once, claims in a sum that it may share with others."""

    def __init__(self, sums: _Sums) -> None:
        self.sums = sums
        self.entry = 0
        self.signatures = 0
        self.proofs = 0
        self.waiting = False
        """True if any of its claims is not checked yet."""
        self.broken: tuple[int, Refused] | None = None
        """The first claim that was found not to hold: its entry and its refusal."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519."""
        self.signatures += 1
        return verify(key, digest, signature)

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Gather the claims for a later sum."""
        self.proofs += kind != "reveal"
        for claim in claims:
            self.sums.add(self, claim)


COUNTED = {
    "deal": "draws",
    "account": "accounts",
    "reveal": "reveals",
    "shown": "shown deals",
    "result": "results",
}


@dataclass(frozen=True, slots=True)
class _Expected:
    """The expectations of the caller about a record, apart from validity."""

    house_key: bytes | None
    unfinished: bool
    successions: Sequence[Succession]

    def house(self, game: Game) -> None:
        """Raise `Refused` unless the record is of the house expected."""
        if self.house_key is not None:
            known = related(self.successions, game.header.house_key, self.house_key)
            need(known, "wrong_house", "the record is of another house", "/body/house_key")


def _fold(
    entries: Sequence[Any],
    expected: _Expected,
    checks: _Gathering,
    progress: Callable[[int, int], None] | None,
) -> Report:
    """Fold a record, assuming that its claims hold."""
    report = Report()
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
            if i == 0:
                expected.house(game)
        except Refused as refused:
            report.fault = _fault(i, refused, entry_field(refused.pointer))
            return report
        except Exception:
            # If a claim is false, cards may be wrong, and the rules may fail on them in any way.
            checks.sums.settle()
            if checks.broken is None:
                raise
        if checks.broken is not None:
            return report
        report.checked["entries"] += 1
        report.dated.append(entry.at)
        if entry.kind == "away":
            times = parse_timestamp(entry.body["from"]), parse_timestamp(entry.body["until"])
            report.absences.append((i, *times))
        if entry.kind in COUNTED:
            report.checked[COUNTED[entry.kind]] += 1
        if progress is not None:
            progress(i + 1, len(entries))
    report.checked["signatures"] = checks.signatures
    report.checked["proofs"] = checks.proofs
    report.game = game
    if game is None:
        report.fault = RecordFault(None, "/entries", "bad_length", "a record has at least one entry")
    elif not game.over and not expected.unfinished:
        text = "the record ends before its result"
        report.fault = RecordFault(None, "/entries", "unfinished", text, "protocol 10")
    return report


def _finish(report: Report, checks: _Gathering) -> Report:
    """The final report, once all claims are checked. A broken claim comes before any fault of the fold."""
    if checks.broken is not None:
        entry, refused = checks.broken
        report.fault, report.game = _fault(entry, refused, entry_field(refused.pointer)), None
    return report


def verify_entries(
    entries: Sequence[Any],
    house_key: bytes | None = None,
    unfinished: bool = False,
    progress: Callable[[int, int], None] | None = None,
    successions: Sequence[Succession] = (),
) -> Report:
    """Verify the entries of a record, as JSON values.

    `house_key` is one key of the expected house, if one is expected; `successions` join it to
    the house's other keys. `unfinished` accepts a record without a result. `progress` is called
    with the entries done and their total.
    """
    sums = _Sums()
    checks = _Gathering(sums)
    report = _fold(entries, _Expected(house_key, unfinished, successions), checks, progress)
    sums.settle()
    return _finish(report, checks)


def _fault(entry: int, refused: Refused, pointer: str) -> RecordFault:
    return RecordFault(entry, f"/entries/{entry}{pointer}", refused.code, refused.text, refused.section)


def entry_field(pointer: str) -> str:
    """Turn a pointer into a message into one into its entry, where the message's fields lie in the body."""
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
    successions: Sequence[Succession] = (),
) -> Report:
    """Verify a record file (see `verify_entries`); raises `Unreadable` if it is not JSON."""
    try:
        entries = parse_record(data)
    except Refused as refused:
        return _misshapen(data, refused, _Expected(house_key, unfinished, successions))
    return verify_entries(entries, house_key, unfinished, progress, successions)


def _misshapen(data: bytes, refused: Refused, expected: _Expected) -> Report:
    """The report on a file that was refused as a whole.

    If only its form is another one, the report says whether its content is valid.
    """
    report = Report(RecordFault.of_file(refused))
    if refused.code != "not_canonical":
        return report
    try:
        entries = parse(data)["entries"]
    except EncodingError:
        return report
    given = entries if isinstance(entries, list) else []
    inner = verify_entries(given, expected.house_key, expected.unfinished, None, expected.successions)
    report.content = inner.valid
    text = "only the form of the file was changed, which must be canonical (RFC 8785): its content is valid"
    if inner.fault is not None:
        why = f"{inner.fault.text} ({inner.fault.pointer})"
        text = f"{refused.text}, and its content is not valid either: {why}"
    report.fault = RecordFault(None, refused.pointer, refused.code, text, refused.section)
    return report


def contradicted(reports: Sequence[Report]) -> Iterator[tuple[int, int, RecordFault]]:
    """The absences that other records of the same house belie (protocol section 10.7).

    Each is given by the number of its report, the number of the report that belies it, and the fault.
    """
    for i, claims in enumerate(reports):
        for entry, began, ended in claims.absences if claims.valid else ():
            for j, other in enumerate(reports):
                ours = i != j and other.valid
                same = ours and other.valid_game.header.house_key == claims.valid_game.header.house_key
                if same and any(began < at < ended for at in other.dated):
                    text = "the house has signed an entry of another game while it says that it was away"
                    fault = Refused("was_there", text, "/body/from", "protocol 10.7")
                    yield i, j, _fault(entry, fault, fault.pointer)
                    break


def verify_records(
    files: Iterable[Callable[[], bytes]],
    house_key: bytes | None = None,
    unfinished: bool = False,
    successions: Sequence[Succession] = (),
) -> Iterator[Report]:
    """Verify many record files; yield a report for each, in their order, as soon as it is certain.

    Each file is read when its turn comes. The records' claims share sums of about `SUM_TERMS` terms, so
    memory does not grow with their number. A bad record does not affect the reports of others. A file that
    is not JSON, or raises OSError when it is read, has the fault "unreadable". The other parameters are
    those of `verify_entries`.
    """
    sums, expected = _Sums(), _Expected(house_key, unfinished, successions)
    folded: deque[tuple[Report, _Gathering]] = deque()
    for read in files:
        checks = _Gathering(sums)
        folded.append((_read(read, expected, checks), checks))
        while folded and not folded[0][1].waiting:
            yield _finish(*folded.popleft())
    sums.settle()
    for report, checks in folded:
        yield _finish(report, checks)


def _read(read: Callable[[], bytes], expected: _Expected, checks: _Gathering) -> Report:
    try:
        data = read()
        entries = parse_record(data)
    except Refused as refused:
        return _misshapen(data, refused, expected)
    except (Unreadable, OSError) as error:
        return Report(unreadable(error))
    return _fold(entries, expected, checks, None)


def unreadable(error: Unreadable | OSError) -> RecordFault:
    """The fault of a file that can't be read or is not JSON."""
    why = error.strerror if isinstance(error, OSError) else str(error)
    return RecordFault(None, "", "unreadable", why or "the file can't be read")
