"""The checks of what parties send at a table without a dealer: statements, and the proofs for them.

Fold and validation apply the same checks to seats and to the house. Each statement follows from the record
and the rules, never from the message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from cards.games.contract import CardsAndTraits, Face, Move, Position
from crypto import linear, lock, mix
from crypto.encoding import i2osp
from crypto.lock import HOUSE, Pair
from referee.bodies import POINT
from referee.checks import Checks, ClaimedEquations, bad_proof
from referee.dealerless import unlocking
from referee.dealerless.bodies import Lock, Mix, Share, TableBody, Unlock
from referee.dealerless.masked import InPlay, MaskedPack, Party, deck_of, owners
from referee.errors import need
from referee.game import Game, attempt_of, in_play, pack_of


@dataclass(frozen=True, slots=True)
class Locked:
    """A party has locked the pack."""

    lock: bytes


@dataclass(frozen=True, slots=True)
class Mixed:
    """A party has mixed the pack."""

    cards: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """A party has taken its lock off some cards."""

    shares: Mapping[Position, bytes]


@dataclass(frozen=True, slots=True)
class Sought:
    """A seat has answered a search: it shows the card that is sought, or has none."""

    shares: Mapping[Position, bytes] = field(default_factory=dict)
    faces: Mapping[Position, Face] = field(default_factory=dict)
    kept: frozenset[Position] = frozenset()
    """The cards of which it has proved that none is sought."""


Table = Locked | Mixed | Shared | Sought


def context(game: Game, party: Party, step: int, kind: str, deal: int | None = None) -> bytes:
    """The context ctx to which a message's proof is bound (protocol section 20.3).

    `deal` is the number of the deal whose cards the proof is about; by default of the newest.
    """
    header = game.header
    key = header.house_key if party == HOUSE else header.players[party].key
    number = pack_of(game).deal if deal is None else deal
    return lock.context(header.game_bytes, step, party, key, kind, number)


def parted(shares: bytes, count: int) -> tuple[bytes, ...]:
    """The points of a field `shares`, of which there must be `count`."""
    right = len(shares) == POINT * count
    need(right, "bad_length", f"the list must have {count} points of {POINT} bytes", "/shares")
    return lock.parted(shares, count)


def _linear(ctx: bytes, kind: str, statement: linear.Statement, proof: bytes, checks: Checks) -> None:
    """Check a linear proof (protocol section 20.6)."""
    claim = statement.claim
    pairs = () if claim is None else claim.pairs
    traits = b"" if claim is None else ",".join(claim.said).encode()
    told = (
        ctx,
        i2osp(len(statement.shares), 2) + i2osp(len(pairs), 2) + i2osp(len(traits), 2),
        statement.lock,
        *(point for pair in (*statement.shares, *pairs) for point in pair),
        traits,
        proof,
    )
    shown = ClaimedEquations(lambda: linear.equations(ctx, statement, proof), partial(bad_proof, kind))
    checks.claims(kind, b"".join(told), [shown])


def pairs_at(pack: MaskedPack, positions: Sequence[Position]) -> list[Pair]:
    """What a claim says of positions that one party alone locks: (a_p, c_p)."""
    return [Pair(pack.at(p).a, pack.under(p)) for p in positions]


@dataclass(frozen=True, slots=True)
class Part:
    """The cards of one deal that a message shows, or about which it claims something: one linear proof."""

    pack: MaskedPack
    opened: tuple[Position, ...] = ()
    """The positions of which there are shares, ascending."""
    claimed: tuple[Position, ...] = ()
    """The positions of the claim, ascending."""
    claim: linear.Claim | None = None

    def statement(self, party: Party, shares: Mapping[Position, bytes]) -> linear.Statement:
        """What a party shows of these cards."""
        pairs = [(self.pack.at(p).a, shares[p]) for p in self.opened]
        return linear.Statement(self.pack.locks[party], pairs, self.claim)


def parts_of(game: Game, opened: Sequence[Position], said: CardsAndTraits | None = None) -> tuple[Part, ...]:
    """What a message shows and claims of hidden cards, by the deals they are from, the oldest first.

    Each deal has its locks, so each has a proof of its own.
    """
    found = []
    for pack in in_play(game).packs:
        here = tuple(p for p in opened if p in pack.positions)
        hidden = () if said is None else pack.locked(said.positions)
        if said is None or not hidden:
            found.append(Part(pack, here))
        else:
            claim = linear.Claim(pairs_at(pack, hidden), game.rules.facts.traits, said.traits)
            found.append(Part(pack, here, hidden, claim))
    return tuple(part for part in found if part.opened or part.claim is not None)


def to_share(game: Game, party: Party) -> tuple[Position, ...]:
    """The positions of which a party shares in an attempt: all that are dealt to others, ascending."""
    owned = owners(game.rules, attempt_of(game).pack.ask, game.state, game.header.seats)
    return tuple(p for p, owner in owned.items() if owner != party)


def to_unlock(game: Game, party: Party) -> tuple[Position, ...]:
    """The positions off which a party takes its lock now, or among which it looks for a card; ascending."""
    due = unlocking.due(game)
    return () if due is None else due.of(in_play(game), party)


def sought(game: Game) -> frozenset[str]:
    """The traits of the card that is looked for; none if all of the positions are unlocked."""
    due = unlocking.due(game)
    return frozenset() if due is None else due.traits


# The checks of each kind


def check(game: Game, party: Party, step: int, body: TableBody, checks: Checks) -> Table:
    """Check what a party sends, by its kind; raises `Refused`."""
    match body:
        case Lock():
            return _lock(game, party, step, body, checks)
        case Mix():
            return _mix(game, party, step, body, checks)
        case Share():
            dealt = (Part(attempt_of(game).pack, to_share(game, party)),)
            return Shared(_shown(game, party, step, "share", dealt, body.shares, body.proof, checks))
        case Unlock():
            return _unlock(game, party, step, body, checks)


def _lock(game: Game, party: Party, step: int, body: Lock, checks: Checks) -> Locked:
    deal = pack_of(game).deal
    need(body.deal == deal, "wrong_deal", f"the number of this deal is {deal}", "/deal", "protocol 20.4")
    ctx = context(game, party, step, "lock")
    _linear(ctx, "lock", linear.Statement(body.lock), body.proof, checks)
    return Locked(body.lock)


def _mix(game: Game, party: Party, step: int, body: Mix, checks: Checks) -> Mixed:
    pack, ctx = attempt_of(game).pack, context(game, party, step, "mix")
    before, joint = pack.to_mix(game.rules), pack.joint
    size = 2 * POINT * len(before)
    need(len(body.pack) == size, "bad_length", f"the pack must have {size} bytes", "/pack", "protocol 20.5")
    after = lock.pack_of(body.pack, len(before))
    told = (ctx, joint, lock.pack_bytes(before), body.pack, body.proof)
    shown = ClaimedEquations(
        lambda: mix.equations(ctx, joint, before, after, body.proof),
        partial(bad_proof, "mix"),
    )
    checks.claims("mix", b"".join(told), [shown])
    return Mixed(after)


def _shown(
    game: Game,
    party: Party,
    step: int,
    kind: str,
    parts: Sequence[Part],
    shares: bytes,
    proof: bytes,
    checks: Checks,
) -> dict[Position, bytes]:
    """Check one share of each position, in their order, and the proof of each part, one after another."""
    opened = [p for part in parts for p in part.opened]
    points = dict(zip(opened, parted(shares, len(opened)), strict=True))
    for part in parts:
        statement = part.statement(party, points)
        # The last part has all that is left, so that no byte behind it goes unread.
        size = len(proof) if part is parts[-1] else statement.proof_bytes
        _linear(context(game, party, step, kind, part.pack.deal), kind, statement, proof[:size], checks)
        proof = proof[size:]
    return points


def _unlock(game: Game, party: Party, step: int, body: Unlock, checks: Checks) -> Shared | Sought:
    traits, mine = sought(game), to_unlock(game, party)

    def shown(parts: Sequence[Part]) -> dict[Position, bytes]:
        return _shown(game, party, step, "unlock", parts, body.shares or b"", body.proof, checks)

    if not traits or party == HOUSE:
        need(body.positions is None, "unknown_field", "no card is sought", "/positions", "protocol 20.8")
        return Shared(shown(parts_of(game, mine)))
    need(body.positions is not None, "missing_field", "the field positions is missing", "/positions")
    if not body.positions:
        shown(parts_of(game, (), CardsAndTraits(frozenset(mine), traits)))
        return Sought(kept=frozenset(mine))
    (position,) = body.positions
    text = "the card at this position is not the one that is sought"
    need(position in mine, "not_sought", text, "/positions/0", "protocol 20.8")
    shares = shown(parts_of(game, (position,)))
    face = face_under(game, position, shares[position])
    found = face is not None and traits & game.rules.has(face)
    need(found, "not_sought", text, "/positions/0", "protocol 20.8")
    return Sought(shares, {position: face})


def face_under(game: Game, position: Position, share: bytes) -> Face | None:
    """The face at a position once the last lock is taken off by `share`; None if it is no card."""
    pack = in_play(game).of(position)
    assert pack is not None, "only a card under a lock has a share"
    point = lock.less(pack.under(position), [share])
    return deck_of(game.rules, pack.pack).faces.get(point)


@dataclass(frozen=True, slots=True)
class MoveStatement:
    """What a move must show beside itself, at a table without a dealer."""

    parts: tuple[Part, ...] = ()

    @property
    def opened(self) -> tuple[Position, ...]:
        """The hidden positions that it opens, ascending."""
        return tuple(p for part in self.parts for p in part.opened)

    @property
    def claimed(self) -> tuple[Position, ...]:
        """The positions of its claim that are hidden after it, ascending."""
        return tuple(p for part in self.parts for p in part.claimed)


def of_move(game: Game, seat: int, move: Move) -> MoveStatement:
    """What a move must show: shares of the cards that it opens, and the claim that the rules demand."""
    playing = game.masked
    if not isinstance(playing, InPlay):
        return MoveStatement()
    opened = playing.locked(game.rules.opens(move))
    said = game.rules.claim(game.state, seat, move)
    if said is not None:
        said = CardsAndTraits(said.positions - {*opened}, said.traits)
    found = MoveStatement(parts_of(game, opened, said))
    assert all(playing.lockers(p) == {seat} for p in (*found.opened, *found.claimed)), (
        "a move shows and claims cards of the hand alone"
    )
    return found


def check_move(
    game: Game, seat: int, step: int, move: Move, shares: bytes | None, proof: bytes | None, checks: Checks
) -> Mapping[Position, bytes]:
    """Check what a legal move shows (protocol section 20.8); returns the shares of the cards it opens.

    Where a dealer holds the pack, nothing is hidden under locks, and a move has nothing to show.
    """
    due = of_move(game, seat, move)
    for name, given, asked in (
        ("shares", shares, bool(due.opened)),
        ("proof", proof, bool(due.parts)),
    ):
        lacking = f"this move needs the field {name}"
        need(given is not None or not asked, "proof_lacking", lacking, f"/{name}", "protocol 20.8")
        spare = f"this move has nothing to show in the field {name}"
        need(given is None or asked, "proof_not_due", spare, f"/{name}", "protocol 20.8")
    if proof is None:
        return {}
    points = _shown(game, seat, step, "move", due.parts, shares or b"", proof, checks)
    named = game.rules.opens(move)
    for position, share in points.items():
        right = face_under(game, position, share) == named[position]
        text = "another card lies at this position"
        need(right, "not_that_card", text, "/move", "protocol 20.8")
    return points
