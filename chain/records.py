"""A record, judged by the contracts: signatures, match decks and seals. The program's own fold does the rest.

The fold says which statements a record makes, and takes them as true. A contract then judges each of them.
Where it refuses one, the program checks the same statement, to name its fault as `cloche verify` does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from chain.calls import Reverted
from chain.verifiers import Verdict, Verifiers, two
from crypto import shuffle
from crypto.encoding import EncodingError, unb64
from referee import bodies
from referee.bodies import SIGNATURE
from referee.certificate import certificate_digest, certificate_text
from referee.checks import AtOnce, ClaimedEquations
from referee.errors import Refused
from referee.fold import apply
from referee.game import Game, match_deck
from referee.message import message_parts
from referee.record import Entry, entry_parts, parse_record, read_entry
from referee.validation import hand_points
from referee.verify import COUNTED, RecordFault, entry_field

ENTRY, MESSAGE, CERTIFICATE, DECK, SEAL = "entry", "message", "certificate", "deck", "seal"
KINDS = (ENTRY, MESSAGE, CERTIFICATE, DECK, SEAL)
"""What contracts judge of a record, in the order in which it is told."""
DISAGREE = "chain_disagrees"
"""The code of a statement that a contract refuses and the program takes."""
_PROOFS = {"shuffle": DECK, "meal": SEAL}


class ChainStatement(Protocol):
    """A statement that a contract judges."""

    @property
    def kind(self) -> str:
        """One of `KINDS`."""

    def judged(self, verifiers: Verifiers) -> Verdict:
        """Ask the contract; raises `Reverted` if a hash can't be had."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature over TH(label; parts), whose label is the statement's kind."""

    kind: str
    key: bytes
    parts: tuple[bytes, ...]
    signature: bytes

    def judged(self, verifiers: Verifiers) -> Verdict:
        """Hash the parts on the chain, and verify the signature over that."""
        digest, gas, most = verifiers.digest(self.kind, self.parts)
        return verifiers.signature(self.key, digest, self.signature).behind(gas, most)


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The proof that a seat's positions are its certified cards (protocol section 6)."""

    context: tuple[bytes, ...]
    before: tuple[bytes, ...]
    after: tuple[bytes, ...]
    proof: bytes
    kind = DECK

    def judged(self, verifiers: Verifiers) -> Verdict:
        """Hash the context on the chain, and verify the proof under it."""
        context, gas, most = verifiers.digest("shuffle-context", self.context)
        return verifiers.deck(context, self.before, self.after, self.proof).behind(gas, most)


@dataclass(frozen=True, slots=True)
class Packed:
    """The proof that a seal holds a legal meal (protocol section 8)."""

    context: tuple[Any, ...]
    hand: tuple[bytes, ...]
    courses: int
    seal: bytes
    proof: bytes
    kind = SEAL

    def judged(self, verifiers: Verifiers) -> Verdict:
        """Hash the context on the chain, and verify the proof under it."""
        game, step, seat, key, cards, deck, courses, hand = self.context
        given = (game, step, seat, key, two(cards), two(deck), courses, hand)
        context, gas = verifiers.context(*given)
        return verifiers.seal(context, self.hand, self.courses, self.seal, self.proof).behind(gas, gas)


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement at its entry, with what the program needs to judge it as well."""

    entry: int
    before: Game | None = field(repr=False)
    """The game before the entry."""
    written: Entry = field(repr=False)
    statement: ChainStatement


@dataclass(slots=True)
class Gathered:
    """What a record states, as far as it could be folded."""

    said: list[Stated] = field(default_factory=list)
    fault: RecordFault | None = None
    """Where the fold stopped. A false statement before that comes first."""
    failed: Exception | None = None
    """How the rules failed. They may do so in any way if a statement before is false."""
    unchecked: Counter[str] = field(default_factory=Counter)
    """What no contract judges, and the program has checked: how much of each."""
    game: Game | None = None


class _Gathering:
    """The checks of the fold: what a contract can judge is gathered, all else is checked at once."""

    def __init__(self, found: Gathered) -> None:
        self._found = found
        self._at: tuple[int, Game | None, Entry]

    def begin(self, number: int, game: Game | None, entry: Entry) -> None:
        """Take what follows as said by this entry."""
        self._at = number, game, entry
        if entry.kind == "enter" and game is not None:
            self._certificate(game, entry.body.get("certificate"))

    def _game_before(self) -> Game:
        """The game before the entry. Only the first entry of a record has none."""
        _, game, _ = self._at
        assert game is not None, "only the house signs the first entry, and it proves nothing"
        return game

    def _say(self, statement: ChainStatement) -> None:
        self._found.said.append(Stated(*self._at, statement))

    def _certificate(self, game: Game, certificate: object) -> None:
        """The fold checks a certificate's signature by itself, so it is gathered before."""
        if not isinstance(certificate, Mapping):
            return
        try:
            signature = unb64(certificate.get("signature"), SIGNATURE)
            parts = (certificate_text(certificate),)
        except (EncodingError, ValueError):
            return  # the fold says what is wrong with it
        self._say(Signed(CERTIFICATE, game.header.house_key, parts, signature))

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Gather a signature of an entry or of the message in it."""
        _, _, entry = self._at
        if digest == entry.digest:
            head = (entry.prev, entry.seq, entry.at, entry.step, entry.actor, entry.kind, entry.body)
            self._say(Signed(ENTRY, key, entry_parts(*head, entry.player_signature), signature))
            return True
        parts = message_parts(
            self._game_before().header.game, entry.step, int(entry.actor), entry.kind, entry.body
        )
        self._say(Signed(MESSAGE, key, parts, signature))
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Gather a match deck or a seal; anything else is checked by the program."""
        game, (_, _, entry) = self._game_before(), self._at
        if kind in _PROOFS:
            made = _shuffled(game, entry) if kind == "shuffle" else _packed(game, entry)
            self._say(made)
            return
        self._found.unchecked["reveals" if kind == "reveal" else "proofs"] += 1
        AtOnce().claims(kind, statement, claims)


def _shuffled(game: Game, entry: Entry) -> Shuffled:
    header, seat = game.header, int(entry.actor)
    body = bodies.enter_with_deck(entry.body)
    digest = certificate_digest(body.certificate)
    key = header.players[seat].key
    context = shuffle.context_parts(header.game_bytes, seat, key, digest, header.anchor, body.anchor)
    before = tuple(unb64(point) for point in body.certificate["cards"])
    return Shuffled(context, before, body.positions, body.proof)


def _packed(game: Game, entry: Entry) -> Packed:
    header, seat = game.header, int(entry.actor)
    packing, deck = game.rules.packing(game.state, seat), match_deck(game, seat)
    key = header.players[seat].key
    place = (header.game_bytes, entry.step, seat, key, header.set_digest, deck.digest)
    context = (*place, packing.boxes, bytes(packing.hand))
    seal, proof = (unb64(entry.body[name]) for name in ("seal", "proof"))
    return Packed(context, hand_points(game, seat, packing.hand), packing.boxes, seal, proof)


def gather(data: bytes, unfinished: bool = False) -> Gathered:
    """The statements of a record file. Raises `Unreadable` if it is not JSON.

    `unfinished` accepts a record without a result.
    """
    found = Gathered()
    try:
        listed = parse_record(data)
    except Refused as refused:
        found.fault = RecordFault.of_file(refused)
        return found
    checks = _Gathering(found)
    for i, item in enumerate(listed):
        read = False
        try:
            entry = read_entry(item)
            read = True
            checks.begin(i, found.game, entry)
            found.game = apply(found.game, entry, checks)
        except Refused as refused:
            found.fault = _fault(i, refused, entry_field(refused.pointer) if read else refused.pointer)
            return found
        except Exception as failed:
            found.failed = failed
            return found
        found.unchecked["entries"] += 1
        if entry.kind in COUNTED and entry.kind != "reveal":
            found.unchecked[COUNTED[entry.kind]] += 1
    if found.game is not None and not found.game.over and not unfinished:
        text = "the record ends before its result"
        found.fault = RecordFault(None, "/entries", "unfinished", text, "protocol 10")
    return found


def _fault(entry: int, refused: Refused, pointer: str) -> RecordFault:
    return RecordFault(entry, f"/entries/{entry}{pointer}", refused.code, refused.text, refused.section)


@dataclass(slots=True)
class Spent:
    """The gas of all statements of a kind."""

    statements: int = 0
    gas: int = 0
    most: int = 0
    """The gas of the dearest transaction."""

    def add(self, verdict: Verdict) -> None:
        """Count one more."""
        self.statements += 1
        self.gas += verdict.gas
        self.most = max(self.most, verdict.most)


@dataclass(slots=True)
class Judged:
    """What the contracts say of a record."""

    fault: RecordFault | None
    spent: Mapping[str, Spent]
    """The gas by kind, in the order of `KINDS`."""
    unchecked: Mapping[str, int]
    game: Game | None

    @property
    def valid_game(self) -> Game:
        """The game of a valid record; raises ValueError for any other."""
        if self.game is None or self.fault is not None:
            raise ValueError("the record is not valid")
        return self.game

    @property
    def gas(self) -> int:
        """The gas of all transactions."""
        return sum(spent.gas for spent in self.spent.values())

    @property
    def most(self) -> int:
        """The gas of the dearest transaction."""
        return max((spent.most for spent in self.spent.values()), default=0)


def judge(
    found: Gathered, verifiers: Verifiers, progress: Callable[[int, int], None] = lambda done, total: None
) -> Judged:
    """Have the contracts judge what a record states, up to the first false statement.

    `progress` is called with the statements done and their total.
    """
    spent = {kind: Spent() for kind in KINDS}
    for i, said in enumerate(found.said):
        progress(i, len(found.said))
        verdict = _asked(said.statement, verifiers)
        spent[said.statement.kind].add(verdict)
        if not verdict.holds:
            return Judged(_named(said, verdict), spent, found.unchecked, None)
    progress(len(found.said), len(found.said))
    if found.failed is not None:
        raise found.failed
    return Judged(found.fault, spent, found.unchecked, None if found.fault else found.game)


def _asked(statement: ChainStatement, verifiers: Verifiers) -> Verdict:
    try:
        return statement.judged(verifiers)
    except Reverted as refused:
        return Verdict(False, 0, 0, str(refused))


def _named(said: Stated, verdict: Verdict) -> RecordFault:
    """The fault of a statement that a contract has refused, as the program names it."""
    try:
        apply(said.before, said.written, AtOnce())
    except Refused as refused:
        return _fault(said.entry, refused, entry_field(refused.pointer))
    why = f": {verdict.why}" if verdict.why else ""
    text = f"a contract refuses a statement ({said.statement.kind}) that this program takes{why}"
    return RecordFault(said.entry, f"/entries/{said.entry}", DISAGREE, text)
