"""Mixes and linear proofs that must fail, each with the equations that do (protocol sections 20.5, 20.6).

Vectors in the manner of `vectors.bad_bytes`. Those of mixes are changes to seat 0's mix in `mix.json`.
False proofs are what the prover's algorithm gives for a false statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from crypto import linear, lock, mix
from crypto.group import ORDER, POINT_BYTES, SCALAR_BYTES, A, decode_point, encode_point, engine
from crypto.lock import HOUSE, Pair
from vectors.bad_bytes import refusal
from vectors.bad_meals import IDENTITY, OUTSIDE, failing, scalar_at, shifted, unreduced
from vectors.example import NO_FRESH, Vector, case
from vectors.tables import (
    FACES,
    HANDS,
    LOCK_STEP,
    MIX_STEPS,
    PLAY_STEP,
    SHARE_STEP,
    TRAITS,
    ExampleDeal,
    pairs_hex,
    statement_json,
    table,
)

_POINTS = 8
_PLACES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("game", "of another game", {"game": bytes(16)}),
    ("step", "of another step", {"step": 99}),
    ("party", "of another party", {"party": 1}),
    ("key", "of another key", {"key": bytes(32)}),
    ("kind", "of another kind", {"kind": "unlock"}),
    ("deal", "of another deal", {"deal": 2}),
)


def _plus(point: bytes, other: bytes, times: int = 1) -> bytes:
    curve = engine()
    return encode_point(
        curve.add(
            decode_point(point, allow_identity=True),
            curve.mul(decode_point(other, allow_identity=True), times),
        )
    )


# Mixes


class _Mix:
    """Seat 0's mix, and what it could try."""

    def __init__(self) -> None:
        self.table = own = table()
        self.before, self.after, self.proof = own.packs[1], own.packs[2], own.proofs[1]
        self.order, self.t = list(own.orders[0]), list(own.t[0])
        self.ctx = own.context(0, MIX_STEPS[0], "mix")

    def prove(self, after: Sequence[Pair], order: Sequence[int], t: Sequence[int], **other: Any) -> bytes:
        given: dict[str, Any] = {"before": self.before, "joint": self.table.joint, **other}
        masks = self.table.secrets[0].masks(NO_FRESH)
        return mix.prove_unchecked(self.ctx, given["joint"], given["before"], after, order, t, masks)

    def mixed(self, order: Sequence[int], t: Sequence[int], **other: Any) -> tuple[Pair, ...]:
        given: dict[str, Any] = {"before": self.before, "joint": self.table.joint, **other}
        return mix.mixed(given["joint"], given["before"], order, t)

    def vector(self, name: str, why: str, **other: Any) -> Vector:
        """Return a vector in which the given values replace those of seat 0's mix."""
        own: dict[str, Any] = {
            "ctx": self.ctx,
            "joint": self.table.joint,
            "before": self.before,
            "after": self.after,
            "proof": self.proof,
        }
        statement = own | other
        given: Vector = {}
        for field, value in other.items():
            if field in ("before", "after"):
                given[field] = _changed(own[field], value)
            else:
                given[field] = value.hex()
        about = refusal(partial(mix.equations, *statement.values()))
        fails = [] if about else failing(mix.equations(*statement.values()), mix.EQUATIONS)
        output = {"refused": about or ("proof" if fails else None), "fails": fails}
        return case(f"mix_{name}", given, {**output, "why": why, "section": "protocol 20.5"})


def _changed(own: Sequence[Pair], other: Sequence[Pair]) -> Any:
    """The other pack: its pairs that differ by their index, or all of them where the length differs."""
    if len(own) != len(other):
        return pairs_hex(other)
    return {str(i): [p.hex() for p in b] for i, (a, b) in enumerate(zip(own, other, strict=True)) if a != b}


def _false_mixes(own: _Mix) -> Iterator[Vector]:
    """Mixes that no mixer could prove: of other cards, by other blindings, of another statement."""
    yield from _other_cards(own)
    yield from _other_blindings(own)
    yield from _other_statements(own)


def _other_cards(own: _Mix) -> Iterator[Vector]:
    order, t = own.order, own.t
    double = [order[1], *order[1:]]
    doubled = own.mixed(double, t)
    yield own.vector(
        "card_doubled",
        "a card twice, another not at all, and the list of indices says so",
        after=doubled,
        proof=own.prove(doubled, double, t),
    )
    yield own.vector(
        "card_doubled_secretly",
        "the same, proven with the true permutation",
        after=doubled,
        proof=own.prove(doubled, order, t),
    )
    card = lock.card(99, ("C",))
    foreign = (Pair(own.after[0].a, _plus(own.after[0].c, card)), *own.after[1:])
    yield own.vector(
        "card_exchanged",
        "the first card has another card's point added",
        after=foreign,
        proof=own.prove(foreign, order, t),
    )
    one, two, *rest = own.after
    crossed = (Pair(one.a, two.c), Pair(two.a, one.c), *rest)
    yield own.vector(
        "halves_exchanged",
        "the halves c of two cards are exchanged",
        after=crossed,
        proof=own.prove(crossed, order, t),
    )
    turned = tuple(Pair(c, a) for a, c in own.after)
    yield own.vector(
        "a_and_c_exchanged", "a stands for c everywhere", after=turned, proof=own.prove(turned, order, t)
    )


def _other_blindings(own: _Mix) -> Iterator[Vector]:
    order, t = own.order, own.t
    other_t = own.mixed(order, [t[0] + 1, *t[1:]])
    for half, pair in (
        ("a", Pair(other_t[0].a, own.after[0].c)),
        ("c", Pair(own.after[0].a, other_t[0].c)),
    ):
        after = (pair, *own.after[1:])
        yield own.vector(
            f"other_blinding_in_{half}",
            f"the half {half} of the first card has another t",
            after=after,
            proof=own.prove(after, order, t),
        )


def _other_statements(own: _Mix) -> Iterator[Vector]:
    order, t = own.order, own.t
    house = own.table.locks[HOUSE]
    elsewhere = own.mixed(order, t, joint=house)
    yield own.vector(
        "other_lock",
        "remasked for the house's lock alone",
        after=elsewhere,
        proof=own.prove(elsewhere, order, t),
    )
    yield own.vector("lock_replaced", "the proof is for another joint lock", joint=house)
    skipped = own.mixed(order, t, before=own.table.packs[0])
    yield own.vector(
        "of_the_open_pack",
        "the open pack is mixed, past the house",
        after=skipped,
        proof=own.prove(skipped, order, t, before=own.table.packs[0]),
    )
    tenth = [len(FACES), *order[1:]]
    yield own.vector(
        "no_permutation", "an index that does not exist", proof=own.prove(own.after, tenth, own.t)
    )
    yield own.vector(
        "pairs_exchanged",
        "two cards are exchanged after the proof",
        after=(own.after[1], own.after[0], *own.after[2:]),
    )


def _changed_mixes(own: _Mix) -> Iterator[Vector]:
    proof, n, first = own.proof, len(FACES), POINT_BYTES * _POINTS
    for name, why, place in _PLACES:
        yield own.vector(f"moved_{name}", f"a mix {why}", ctx=own.table.context(0, 3, "mix", **place))
    for name, index in (
        ("f", 0),
        ("z_f", n),
        ("z_t", n + 1),
        ("u_0", n + 2),
        ("u", n + 5),
        ("z_u", 2 * n + 2),
        ("b", 2 * n + 3),
        ("z_s", 3 * n + 1),
    ):
        changed = scalar_at(proof, first + SCALAR_BYTES * index, 1)
        yield own.vector(f"{name}_changed", f"{name} plus 1", proof=changed)
    for i, name in enumerate(("c1", "c2", "c3", "e_a", "e_c", "c_d", "c_delta", "c_Delta")):
        start, end = POINT_BYTES * i, POINT_BYTES * (i + 1)
        moved = proof[:start] + shifted(proof[start:end]) + proof[end:]
        yield own.vector(f"{name}_shifted", f"{name} plus H: later challenges are others", proof=moved)


def _malformed_mixes(own: _Mix) -> Iterator[Vector]:
    proof, first = own.proof, POINT_BYTES * _POINTS
    for name, why, data in (
        ("scalar_not_reduced", "q added to f_0: right mod q, and yet refused", unreduced(proof, first)),
        ("c1_is_identity", "c1 is the identity", IDENTITY + proof[POINT_BYTES:]),
        ("c1_outside", "c1 is outside the subgroup", OUTSIDE + proof[POINT_BYTES:]),
        ("short", "the last byte is missing", proof[:-1]),
        ("long", "a byte too many", proof + b"\0"),
        ("one_e_only", "a proof of a match deck's form, without E_c", proof[:192] + proof[240:]),
    ):
        yield own.vector(name, why, proof=data)
    for name, point in (("is_identity", IDENTITY), ("outside", OUTSIDE)):
        for half in (0, 1):
            pair = Pair(point, own.after[0].c) if half == 0 else Pair(own.after[0].a, point)
            yield own.vector(
                f"{'ac'[half]}_{name}",
                f"the half {'ac'[half]} of the first card is no point that a message may hold",
                after=(pair, *own.after[1:]),
            )
    yield own.vector("a_card_less", "one card less than before", after=own.after[:-1])
    yield own.vector("a_card_more", "one card more than before", after=(*own.after, own.after[0]))


def bad_mixes() -> list[Vector]:
    """Changes to seat 0's mix in `mix.json` that make its proof fail (section 20.5), pairs by index."""
    return list(_all_mixes(engine().name))


@cache
def _all_mixes(engine_name: str) -> tuple[Vector, ...]:
    own = _Mix()
    return (*_false_mixes(own), *_changed_mixes(own), *_malformed_mixes(own))


# Linear proofs


def _vector(name: str, why: str, ctx: bytes, statement: linear.Statement, proof: bytes) -> Vector:
    given = {"ctx": ctx.hex(), **statement_json(statement), "proof": proof.hex()}
    about = refusal(partial(linear.equations, ctx, statement, proof))
    fails = [] if about else failing(linear.equations(ctx, statement, proof), statement.names)
    output = {"refused": about or ("proof" if fails else None), "fails": fails}
    return case(name, given, {**output, "why": why, "section": "protocol 20.6"})


def _forged(
    own: ExampleDeal, party: int, ctx: bytes, statement: linear.Statement, secret: linear.Witness
) -> bytes:
    """Return what the prover's algorithm gives, whether the statement is true or not."""
    return linear.prove(ctx, statement, secret, own.secrets[party].masks(NO_FRESH))


def _false_locks(own: ExampleDeal) -> Iterator[Vector]:
    ctx, x = own.context(0, LOCK_STEP, "lock"), own.x[0]
    others = _plus(own.locks[HOUSE], own.locks[1])
    less = linear.Statement(_plus(own.locks[0], others, -1))
    why = "a lock less all others', so that the joint lock is the cheat's alone"
    yield _vector("lock_less_the_others", why, ctx, less, _forged(own, 0, ctx, less, linear.Witness(x)))
    theirs = linear.Statement(own.locks[1])
    proof = own.proof(1, own.context(1, LOCK_STEP, "lock"), theirs)
    yield _vector("lock_of_another", "another's lock, sent with its proof", ctx, theirs, proof)
    mine = linear.Statement(own.locks[0])
    good = own.proof(0, ctx, mine)
    for name, what, place in _PLACES:
        moved = own.context(0, LOCK_STEP, "lock", **place)
        yield _vector(f"lock_moved_{name}", f"a lock {what}", moved, mine, good)
    for name, why, data in (
        ("t_shifted", "T_1 plus H", shifted(good[:POINT_BYTES]) + good[POINT_BYTES:]),
        ("s_changed", "s_x plus 1", scalar_at(good, POINT_BYTES, 1)),
        ("s_not_reduced", "q added to s_x", unreduced(good, POINT_BYTES)),
        ("t_is_identity", "T_1 is the identity", IDENTITY + good[POINT_BYTES:]),
        ("t_outside", "T_1 is outside the subgroup", OUTSIDE + good[POINT_BYTES:]),
        ("short", "the last byte is missing", good[:-1]),
        ("long", "a byte too many", good + b"\0"),
    ):
        yield _vector(f"lock_{name}", why, ctx, mine, data)
    for name, point in (("is_identity", IDENTITY), ("outside", OUTSIDE)):
        statement = linear.Statement(point)
        yield _vector(f"lock_{name}", "the lock is no point that a message may hold", ctx, statement, good)


def _false_shares(own: ExampleDeal) -> Iterator[Vector]:
    ctx, x, positions = own.context(0, SHARE_STEP, "share"), own.x[0], HANDS[1]
    true = own.shares(0, positions)
    (a, one), (b, two), (c, three) = true
    shift = encode_point(A(0))
    own_hand = own.shares(0, HANDS[0])
    wished = _plus(own.pack[3].c, lock.card(8, ("S", "X")), -1)
    stranger = own.shares(1, positions)
    for name, why, pairs in (
        ("one_false", "one share has A_0 added", [(a, _plus(one, shift)), *true[1:]]),
        (
            "opposite",
            "two shares are false by opposite amounts",
            [(a, _plus(one, shift)), (b, _plus(two, shift, -1)), (c, three)],
        ),
        ("exchanged", "two shares are exchanged", [(a, two), (b, one), (c, three)]),
        (
            "of_another_position",
            "a share is that of a card in the own hand",
            [(a, own_hand[0][1]), *true[1:]],
        ),
        ("by_another_lock", "the shares are another party's", stranger),
        ("fitted", "a share is fitted to a wished card", [(a, wished), *true[1:]]),
    ):
        statement = linear.Statement(own.locks[0], pairs)
        proof = _forged(own, 0, ctx, statement, linear.Witness(x))
        yield _vector(f"share_{name}", why, ctx, statement, proof)
    whole = linear.Statement(own.locks[0], true)
    good = own.proof(0, ctx, whole)
    turned = linear.Statement(own.locks[0], true[::-1])
    yield _vector("share_out_of_order", "the pairs are in another order than proven", ctx, turned, good)
    fewer = linear.Statement(own.locks[0], true[:-1])
    yield _vector("share_left_out", "the proof is for one share less", ctx, fewer, good)
    none = linear.Statement(own.locks[0])
    yield _vector("share_without_its_pairs", "a proof with pairs, for none", ctx, none, good)
    yield _vector(
        "share_without_its_proof", "a proof of the lock alone, for pairs", ctx, whole, own.proof(0, ctx, none)
    )
    for name, place in (("step", {"step": 99}), ("deal", {"deal": 2}), ("kind", {"kind": "unlock"})):
        moved = own.context(0, SHARE_STEP, "share", **place)
        yield _vector(f"share_moved_{name}", f"a share of another {name}", moved, whole, good)
    for name, point in (("is_identity", IDENTITY), ("outside", OUTSIDE)):
        statement = linear.Statement(own.locks[0], [(a, point), *true[1:]])
        yield _vector(f"share_{name}", "a share is no point that a message may hold", ctx, statement, good)


def _false_claims(own: ExampleDeal) -> Iterator[Vector]:
    ctx, x = own.context(0, PLAY_STEP, "move"), own.x[0]
    rest, shares = HANDS[0][1:], own.shares(0, HANDS[0][:1])
    held = [own.cards[p] for p in rest]
    pairs = own.alone(0, rest)
    (trait, *_) = (t for t in TRAITS if any(t in traits for _, traits in held))
    lie = linear.Claim(pairs, TRAITS, [trait])
    statement = linear.Statement(own.locks[0], shares, lie)
    counts = [sum(t in traits for _, traits in held) for t in lie.others]
    secret = linear.Witness(x, sum(number for number, _ in held), counts)
    why = "a card has the trait that the claim denies"
    yield _vector("claim_false", why, ctx, statement, _forged(own, 0, ctx, statement, secret))
    moved = replace(secret, counts=[counts[0] + 1, *counts[1:]])
    why = "the same, with the card counted under another trait"
    yield _vector("claim_false_moved", why, ctx, statement, _forged(own, 0, ctx, statement, moved))
    true = own.claim(0, rest)
    whole = linear.Statement(own.locks[0], shares, true)
    good = own.proof(0, ctx, whole, rest)
    denied = set(true.said)
    other = next(t for t in TRAITS if t not in denied)
    for name, why, claim in (
        ("fewer_cards", "a true claim over fewer cards", replace(true, pairs=pairs[:1])),
        ("more_cards", "a true claim over more cards", replace(true, pairs=own.alone(0, HANDS[0]))),
        ("cards_exchanged", "its cards in another order", replace(true, pairs=pairs[::-1])),
        ("other_trait", "a true claim for one about another trait", replace(true, lacking=[other])),
        ("more_traits", "a true claim for one about more traits", replace(true, lacking=[*denied, other])),
        ("fewer_traits", "a true claim for one about no trait", replace(true, lacking=[])),
        ("none_due", "a claim where none is due", None),
        ("no_cards", "a claim over no positions", replace(true, pairs=[])),
    ):
        statement = linear.Statement(own.locks[0], shares, claim)
        yield _vector(f"claim_{name}", why, ctx, statement, good)
    bare = linear.Statement(own.locks[0], shares)
    why = "a card without the claim that is due"
    yield _vector("claim_missing", why, ctx, whole, own.proof(0, ctx, bare))
    step = own.context(0, PLAY_STEP + 1, "move")
    yield _vector("claim_moved_step", "a claim of another step", step, whole, good)
    for i, name in enumerate(("t_1", "t_2", "t_3")):
        start, end = POINT_BYTES * i, POINT_BYTES * (i + 1)
        data = good[:start] + shifted(good[start:end]) + good[end:]
        yield _vector(f"claim_{name}_shifted", f"{name} plus H", ctx, whole, data)
    for i, name in enumerate(("s_x", "s_n", *(f"s_{t}" for t in true.others))):
        data = scalar_at(good, 3 * POINT_BYTES + SCALAR_BYTES * i, 1)
        yield _vector(f"claim_{name}_changed", f"{name} plus 1", ctx, whole, data)
    off = replace(linear.witness(x, true, held), number=ORDER - 1)
    why = "another sum of numbers than that of the cards"
    yield _vector("claim_other_number", why, ctx, whole, _forged(own, 0, ctx, whole, off))


def bad_linears() -> list[Vector]:
    """Locks, shares and claims whose linear proof must fail, with the equations that do (section 20.6)."""
    return list(_all_linears(engine().name))


@cache
def _all_linears(engine_name: str) -> tuple[Vector, ...]:
    own = table()
    return (*_false_locks(own), *_false_shares(own), *_false_claims(own))
