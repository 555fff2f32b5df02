"""The linear argument: a prover knows the key of its lock, and more (protocol section 20.6).

One argument serves every message but the mix. Its prover knows x with h = x U and shows three things:

    (L1)  the key itself
    (L2)  shares: D_k = x a_k for given pairs (a_k, D_k)
    (L3)  a claim: no card under given pairs (a_p, c_p), each locked by x alone, has a trait of a set S

Proof bytes: the points T_1, T_2 (with pairs), T_3 (with a claim), then the scalars s_x, and with a claim
s_n and s_t for each trait outside S in the mode's order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, repeat

from crypto.encoding import i2osp
from crypto.group import (
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    A,
    B,
    Engine,
    Point,
    U,
    decode_point,
    encode_scalar,
    engine,
    made,
    prover,
    split,
)
from crypto.lock import Pair
from crypto.secret import MaskMaker
from crypto.transcript import ProofError, Transcript
from crypto.verifier import Equation, require

MOST_CARDS = 255
"""The most cards of one claim. The number of cards with a trait could wrap around mod q only far above."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The claim that no card under `pairs` has a trait of `lacking`."""

    pairs: Sequence[Pair]
    """(a_p, c_p) of one or more positions, ascending by position; only the prover's lock lies on them."""
    traits: Sequence[str]
    """All traits of the mode, in its order."""
    lacking: Collection[str]
    """S: the traits that none of the cards has."""

    def __post_init__(self) -> None:
        if not set(self.lacking) <= set(self.traits) or len(set(self.traits)) != len(self.traits):
            raise ValueError("a claim is about traits of the mode, each named once")

    @property
    def said(self) -> tuple[str, ...]:
        """The traits of S in the mode's order."""
        return tuple(trait for trait in self.traits if trait in self.lacking)

    @property
    def others(self) -> tuple[str, ...]:
        """The traits outside S in the mode's order."""
        return tuple(trait for trait in self.traits if trait not in self.lacking)


@dataclass(frozen=True, slots=True)
class Statement:
    """The public part of a linear proof."""

    lock: bytes
    """h, the prover's lock."""
    shares: Sequence[tuple[bytes, bytes]] = ()
    """The pairs (a_k, D_k), k = 1, ..., m."""
    claim: Claim | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the equations."""
        return ("L1", *(("L2",) if self.shares else ()), *(("L3",) if self.claim else ()))

    @property
    def scalars(self) -> int:
        """The number of scalars in a proof."""
        return 1 if self.claim is None else 2 + len(self.claim.others)

    @property
    def proof_bytes(self) -> int:
        """The length of a proof in bytes."""
        return POINT_BYTES * len(self.names) + SCALAR_BYTES * self.scalars


@dataclass(frozen=True, slots=True)
class Witness:
    """The secret part of a linear proof."""

    key: int = field(repr=False)
    """x."""
    number: int = field(default=0, repr=False)
    """n, the sum of the numbers of the claim's cards."""
    counts: Sequence[int] = field(default=(), repr=False)
    """f_t, how many of the claim's cards have trait t, for each trait outside S in order."""

    def data(self, claim: Claim | None) -> bytes:
        """x, then with a claim n and the f_t: 32 bytes each. Masks are made of this."""
        values = (self.key,) if claim is None else (self.key, self.number, *self.counts)
        return b"".join(map(encode_scalar, values))


def witness(key: int, claim: Claim | None, cards: Sequence[tuple[int, Collection[str]]] = ()) -> Witness:
    """The witness of a claim about `cards`: the number and the traits of each, in the order of the pairs.

    Raises ProofError if the claim is false, since no proof of it exists. Raises ValueError unless there is a
    card for each pair of the claim.
    """
    if claim is None:
        return Witness(key)
    if len(cards) != len(claim.pairs):
        raise ValueError("a claim needs a card for each of its pairs")
    if any(trait in claim.lacking for _, traits in cards for trait in traits):
        raise ProofError("one of the cards has a trait that the claim denies (protocol 20.6)")
    counts = [sum(trait in traits for _, traits in cards) for trait in claim.others]
    return Witness(key, sum(number for number, _ in cards), counts)


class _Conversation:
    """The transcript of one proof: prover and verifier each call the same methods in the same order."""

    def __init__(self, ctx: bytes, statement: Statement) -> None:
        self._transcript = Transcript("linear", ctx)
        self._transcript.absorb(
            "statement", statement.lock, *(point for pair in statement.shares for point in pair)
        )
        claim = statement.claim
        parts: list[bytes] = []
        if claim is not None:
            parts.append(i2osp(len(claim.pairs), 1))
            parts += [point for pair in claim.pairs for point in pair]
            parts += [trait.encode() for trait in claim.said]
        self._transcript.absorb("claim", *parts)
        self.state = self._transcript.state
        """T behind "claim", from which the masks are made."""

    def weight(self) -> int:
        return self._transcript.challenge("w")

    def first(self, points: Sequence[bytes]) -> int:
        self._transcript.absorb("first", *points)
        return self._transcript.challenge("e")


def _powers(w: int, count: int) -> list[int]:
    """w, w^2, ..., w^count mod q."""
    return list(accumulate(repeat(w, count), lambda left, right: left * right % ORDER))


def _generators(claim: Claim, curve: Engine) -> list[Point]:
    """A_0, and B_t for each trait outside S: what a claim's cards are made of."""
    return [A(0, on=curve), *(B(trait, on=curve) for trait in claim.others)]


def _total(points: Sequence[Point], curve: Engine) -> Point:
    """The sum of points."""
    total = curve.identity
    for point in points:
        total = curve.add(total, point)
    return total


def prove(ctx: bytes, statement: Statement, secret: Witness, masks: MaskMaker) -> bytes:
    """The proof of a statement. A false statement gives a proof that fails.

    `masks` gets the transcript's state behind "claim" and the witness; it yields k_x, and with a claim k_n
    and k_t for each trait outside S in the mode's order.
    """
    claim, curve = statement.claim, prover()
    talk = _Conversation(ctx, statement)
    drawn = masks(talk.state, secret.data(claim))
    k_x = next(drawn)
    w = talk.weight()

    # T_1 = k_x U, T_2 = k_x sum_k w^k a_k, T_3 = k_x sum_p a_p + k_n A_0 + sum_t k_t B_t
    first = [made(curve.mul(U(on=curve), k_x), on=curve)]
    if statement.shares:
        points = [decode_point(a, on=curve) for a, _ in statement.shares]
        first.append(made(curve.msm(points, [k_x * power for power in _powers(w, len(points))]), on=curve))
    inner: list[int] = []
    if claim is not None:
        bases = _generators(claim, curve)
        inner = [next(drawn) for _ in bases]
        sum_a = _total([decode_point(a, on=curve) for a, _ in claim.pairs], curve)
        first.append(made(curve.msm([sum_a, *bases], [k_x, *inner]), on=curve))
    e = talk.first(first)

    # s_x = k_x + e x, s_n = k_n + e n, s_t = k_t + e f_t
    answers = [k_x + e * secret.key]
    if claim is not None:
        values = (secret.number, *secret.counts)
        answers += [k + e * value for k, value in zip(inner, values, strict=True)]
    return b"".join((*first, *map(encode_scalar, answers)))


def equations(ctx: bytes, statement: Statement, proof: bytes) -> list[Equation]:
    """The equations of a proof: L1, L2 if there are shares, L3 if there is a claim.

    `verifier.check` checks them. Raises EncodingError for malformed points, scalars or lengths. Raises
    ProofError for a claim over no pairs or more than 255, and for a zero challenge.
    """
    claim = statement.claim
    if claim is not None and not 1 <= len(claim.pairs) <= MOST_CARDS:
        raise ProofError(f"a claim is about 1 to {MOST_CARDS} cards (protocol 20.6)")
    h = decode_point(statement.lock)
    shares = [(decode_point(a), decode_point(D)) for a, D in statement.shares]
    fields, (s_x, *inner) = split(proof, len(statement.names), statement.scalars)
    first = iter([decode_point(point) for point in fields])
    talk = _Conversation(ctx, statement)
    w = talk.weight()
    e = talk.first(fields)

    # (L1) s_x U = T_1 + e h
    found: list[Equation] = [[(s_x, U()), (-1, next(first)), (-e, h)]]
    if shares:
        # (L2) s_x sum_k w^k a_k = T_2 + e sum_k w^k D_k
        found.append([(-1, next(first))])
        for power, (a, D) in zip(_powers(w, len(shares)), shares, strict=True):
            found[-1] += [(s_x * power, a), (-e * power, D)]
    if claim is not None:
        # (L3) s_x A + s_n A_0 + sum_t s_t B_t = T_3 + e C; two sums are cheaper than all terms of a product
        curve = engine()
        sum_a = _total([decode_point(pair.a) for pair in claim.pairs], curve)
        sum_c = _total([decode_point(pair.c, allow_identity=True) for pair in claim.pairs], curve)
        inner_terms = zip(inner, _generators(claim, curve), strict=True)
        found.append([(-1, next(first)), (s_x, sum_a), (-e, sum_c), *inner_terms])
    return found


def verify(ctx: bytes, statement: Statement, proof: bytes) -> None:
    """Raise EncodingError or ProofError unless the proof shows its statement."""
    require(equations(ctx, statement, proof), statement.names, "20.6")
