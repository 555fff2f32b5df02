"""The checks of what parties send at a table without a dealer: statements, and the proofs for them.

The fold and the door apply the same checks to seats and to the house. Each statement follows from the record
and the rules, never from the message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from cards.games.contract import CardsAndTraits, Face, Move, Position, Turn
from crypto import linear, lock, mix
from crypto.encoding import i2osp
from crypto.lock import HOUSE, Pair
from referee.bodies import POINT
from referee.checks import Checks, Claim, bad_proof
from referee.dealerless.bodies import Lock, Mix, Share, TableBody, Unlock
from referee.dealerless.masked import Attempt, InPlay, MaskedPack, Party, deck_of, owners
from referee.errors import need, need_legal
from referee.game import Game


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


Table = Locked | Mixed | Shared | Sought


def attempt_of(game: Game) -> Attempt:
    """The attempt at a deal that is being made."""
    assert isinstance(game.masked, Attempt), "only an attempt asks for this"
    return game.masked


def in_play(game: Game) -> InPlay:
    """The secret deal in play."""
    assert isinstance(game.masked, InPlay), "only a deal in play asks for this"
    return game.masked


def pack_of(game: Game) -> MaskedPack:
    """The pack of the attempt, or of the deal in play."""
    assert game.masked is not None, "no secret deal has begun"
    return game.masked.pack


def context(game: Game, party: Party, step: int, kind: str) -> bytes:
    """The context ctx to which a message's proof is bound (protocol section 20.3)."""
    header = game.header
    key = header.house_key if party == HOUSE else header.players[party].key
    return lock.context(header.game_bytes, step, party, key, kind, pack_of(game).deal)


def parts(shares: bytes, count: int) -> tuple[bytes, ...]:
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
    shown = Claim(lambda: linear.equations(ctx, statement, proof), partial(bad_proof, kind))
    checks.claims(kind, b"".join(told), [shown])


def pairs_at(pack: MaskedPack, positions: Sequence[Position]) -> list[Pair]:
    """What a claim says of positions that one party alone locks: (a_p, c_p)."""
    return [Pair(pack.at(p).a, pack.under(p)) for p in positions]


def claim_about(game: Game, said: CardsAndTraits | None) -> tuple[tuple[Position, ...], linear.Claim | None]:
    """The claim of a message over the positions that are hidden; None if there are none."""
    pack = pack_of(game)
    hidden = () if said is None else pack.locked(said.positions)
    if said is None or not hidden:
        return (), None
    return hidden, linear.Claim(pairs_at(pack, hidden), game.rules.facts.traits, said.traits)


def to_share(game: Game, party: Party) -> tuple[Position, ...]:
    """The positions of which a party shares in an attempt: all that are dealt to others, ascending."""
    owned = owners(game.rules, attempt_of(game).pack.ask, game.state, game.header.seats)
    return tuple(p for p, owner in owned.items() if owner != party)


def to_unlock(game: Game, party: Party) -> tuple[Position, ...]:
    """The positions to be turned up, or among which one is sought, that a party locks; ascending."""
    turn = game.rules.next(game.state)
    assert isinstance(turn, Turn), "only a turn asks for this, and nothing changes the state meanwhile"
    asked = turn.positions if turn.seek is None else turn.seek.positions
    pack = pack_of(game)
    return tuple(p for p in pack.locked(asked or ()) if party in pack.lockers(p))


def sought(game: Game) -> CardsAndTraits | None:
    """What is sought; None if the rules name the positions to be turned up."""
    turn = game.rules.next(game.state)
    return turn.seek if isinstance(turn, Turn) else None


# The checks of each kind


def check(game: Game, party: Party, step: int, body: TableBody, checks: Checks) -> Table:
    """Check what a party sends, by its kind; raises `Refused`."""
    match body:
        case Lock():
            return _lock(game, party, step, body, checks)
        case Mix():
            return _mix(game, party, step, body, checks)
        case Share():
            positions = to_share(game, party)
            return _shares(game, party, step, "share", positions, body.shares, body.proof, checks)
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
    shown = Claim(
        lambda: mix.equations(ctx, joint, before, after, body.proof),
        partial(bad_proof, "mix"),
    )
    checks.claims("mix", b"".join(told), [shown])
    return Mixed(after)


def _shares(
    game: Game,
    party: Party,
    step: int,
    kind: str,
    positions: Sequence[Position],
    shares: bytes,
    proof: bytes,
    checks: Checks,
) -> Shared:
    """Check one share of each position, in their order, and the proof for all of them."""
    pack = pack_of(game)
    points = parts(shares, len(positions))
    pairs = [(pack.at(p).a, share) for p, share in zip(positions, points, strict=True)]
    statement = linear.Statement(pack.locks[party], pairs)
    _linear(context(game, party, step, kind), kind, statement, proof, checks)
    return Shared(dict(zip(positions, points, strict=True)))


def _unlock(game: Game, party: Party, step: int, body: Unlock, checks: Checks) -> Shared | Sought:
    seek, mine = sought(game), to_unlock(game, party)
    if seek is None or party == HOUSE:
        need(body.positions is None, "unknown_field", "no card is sought", "/positions", "protocol 20.8")
        return _shares(game, party, step, "unlock", mine, body.shares or b"", body.proof, checks)
    need(body.positions is not None, "missing_field", "the field positions is missing", "/positions")
    pack = pack_of(game)
    if not body.positions:
        _, claim = claim_about(game, CardsAndTraits(frozenset(mine), seek.traits))
        statement = linear.Statement(pack.locks[party], (), claim)
        _linear(context(game, party, step, "unlock"), "unlock", statement, body.proof, checks)
        return Sought()
    (position,) = body.positions
    text = "the card at this position is not the one that is sought"
    need(position in mine, "not_sought", text, "/positions/0", "protocol 20.8")
    shown = _shares(game, party, step, "unlock", (position,), body.shares or b"", body.proof, checks)
    face = face_under(game, position, shown.shares[position])
    found = face is not None and seek.traits & game.rules.has(face)
    need(found, "not_sought", text, "/positions/0", "protocol 20.8")
    return Sought(shown.shares, {position: face})


def face_under(game: Game, position: Position, share: bytes) -> Face | None:
    """The face at a position once the last lock is taken off by `share`; None if it is no card."""
    pack = pack_of(game)
    point = lock.less(pack.under(position), [share])
    return deck_of(game.rules, pack.pack).faces.get(point)


@dataclass(frozen=True, slots=True)
class MoveStatement:
    """What a move must show beside itself, at a table without a dealer."""

    opened: tuple[Position, ...]
    """The hidden positions that it opens, ascending."""
    claimed: tuple[Position, ...]
    """The positions of its claim that are hidden after it, ascending."""
    claim: linear.Claim | None


def of_move(game: Game, seat: int, move: Move) -> MoveStatement:
    """What a move must show: shares of the cards that it opens, and the claim that the rules demand."""
    if not isinstance(game.masked, InPlay):
        return MoveStatement((), (), None)
    opened = game.masked.pack.locked(game.rules.opens(move))
    said = game.rules.claim(game.state, seat, move)
    if said is not None:
        said = CardsAndTraits(said.positions - {*opened}, said.traits)
    claimed, claim = claim_about(game, said)
    alone = all(game.masked.pack.lockers(p) == {seat} for p in (*opened, *claimed))
    assert alone, "a move shows and claims cards of the hand alone"
    return MoveStatement(opened, claimed, claim)


def check_move(
    game: Game, seat: int, step: int, move: Move, shares: bytes | None, proof: bytes | None, checks: Checks
) -> Mapping[Position, bytes]:
    """Check a move and what it shows (protocol section 20.8); returns the shares of the cards it opens."""
    need_legal(game.rules.legal(game.state, seat).refusal(move), "/move")
    due = of_move(game, seat, move)
    for name, given, asked in (
        ("shares", shares, bool(due.opened)),
        ("proof", proof, bool(due.opened) or due.claim is not None),
    ):
        lacking = f"this move needs the field {name}"
        need(given is not None or not asked, "proof_lacking", lacking, f"/{name}", "protocol 20.8")
        spare = f"this move has nothing to show in the field {name}"
        need(given is None or asked, "proof_not_due", spare, f"/{name}", "protocol 20.8")
    if proof is None:
        return {}
    pack, points = pack_of(game), parts(shares or b"", len(due.opened))
    pairs = [(pack.at(p).a, share) for p, share in zip(due.opened, points, strict=True)]
    statement = linear.Statement(pack.locks[seat], pairs, due.claim)
    _linear(context(game, seat, step, "move"), "move", statement, proof, checks)
    named = game.rules.opens(move)
    for position, share in zip(due.opened, points, strict=True):
        right = face_under(game, position, share) == named[position]
        text = "another card lies at this position"
        need(right, "not_that_card", text, "/move", "protocol 20.8")
    return dict(zip(due.opened, points, strict=True))
