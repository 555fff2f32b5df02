"""Match decks whose proof must fail, each with the equations that do (protocol section 6).

Vectors in the manner of `vectors.bad_bytes`, as changes to the match deck of `shuffle.json`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any

from crypto import shuffle
from crypto.certificate import blinding, card_points
from crypto.encoding import canonical, uuid_bytes
from crypto.group import (
    ORDER,
    POINT_BYTES,
    SCALAR_BYTES,
    G,
    H,
    card_point,
    decode_point,
    encode_point,
    engine,
)
from crypto.secret import Masks, MatchSecret
from crypto.transcript import Transcript
from vectors.bad_bytes import refusal
from vectors.bad_meals import IDENTITY, OUTSIDE, failing, scalar_at, shifted, unreduced
from vectors.example import GAME, NO_FRESH, SEAT, Match, Vector, case, deck, hexes


class _Pack:
    """The match deck of `shuffle.json`, and what its chef could try."""

    def __init__(self) -> None:
        self.match = Match()
        self.cards, self.positions = tuple(self.match.cards), tuple(self.match.positions)
        self.order, self.t = list(self.match.secret.permutation), list(self.match.t)
        self.ctx = self.context()
        self.proof = self.prove(self.positions, self.order, self.t)

    def context(self, **other: Any) -> bytes:
        match = self.match
        place: dict[str, Any] = {
            "game": uuid_bytes(GAME),
            "seat": SEAT,
            "key": match.key,
            "certificate_digest": match.certificate_digest,
            "house_anchor": match.house_anchor,
            "anchor": match.anchor,
        }
        return shuffle.context(**{**place, **other})

    def prove(self, positions: Sequence[bytes], order: Sequence[int], t: Sequence[int]) -> bytes:
        masks = Masks(self.match.w, self.ctx, canonical(list(order)), NO_FRESH)
        return shuffle.prove_unchecked(self.ctx, self.cards, positions, order, t, masks)

    def vector(
        self,
        name: str,
        why: str,
        section: str = "6",
        *,
        ctx: bytes | None = None,
        cards: Sequence[bytes] | None = None,
        positions: Sequence[bytes] | None = None,
        proof: bytes | None = None,
    ) -> Vector:
        """Return a vector in which the given values replace those of `shuffle.json`."""
        given: Vector = {}
        if ctx is not None:
            given["ctx"] = ctx.hex()
        for field, own, other in (("cards", self.cards, cards), ("positions", self.positions, positions)):
            if other is not None:
                given[field] = _changed(own, other)
        if proof is not None:
            given["proof"] = _changed_bytes(self.proof, proof)
        statement = (
            self.ctx if ctx is None else ctx,
            self.cards if cards is None else cards,
            self.positions if positions is None else positions,
            self.proof if proof is None else proof,
        )
        about = refusal(partial(shuffle.equations, *statement))
        fails = [] if about else failing(shuffle.equations(*statement), shuffle.EQUATIONS)
        output = {"refused": about or ("proof" if fails else None), "fails": fails}
        return case(name, given, {**output, "why": why, "section": f"protocol {section}"})


def _changed(own: Sequence[bytes], other: Sequence[bytes]) -> Any:
    """The other list: its items that differ by their index, or all of them where the length differs."""
    if len(own) != len(other):
        return hexes(other)
    return {str(i): b.hex() for i, (a, b) in enumerate(zip(own, other, strict=True)) if a != b}


def _changed_bytes(own: bytes, other: bytes) -> Any:
    """The other proof: the one point or scalar that differs by its offset, or all of it."""
    end = POINT_BYTES * 7
    fields = [(at, POINT_BYTES) for at in range(0, end, POINT_BYTES)]
    fields += [(at, SCALAR_BYTES) for at in range(end, len(own), SCALAR_BYTES)]
    differ = {str(at): other[at : at + k].hex() for at, k in fields if own[at : at + k] != other[at : at + k]}
    return differ if len(own) == len(other) and len(differ) < 3 else other.hex()


def _cheats(pack: _Pack) -> Iterator[Vector]:
    """Decks that are no shuffle of the certificate, proven as well as can be."""
    order, t = list(pack.order), list(pack.t)
    order[3] = order[7]
    doubled = shuffle.positions(pack.cards, order, t)
    yield pack.vector(
        "shuffle_card_doubled",
        "a card twice, another not at all: position 3 holds that of position 7",
        positions=doubled,
        proof=pack.prove(doubled, order, t),
    )
    yield pack.vector(
        "shuffle_card_doubled_secretly",
        "the same, proven with the true permutation",
        positions=doubled,
        proof=pack.prove(doubled, pack.order, t),
    )
    own = list(pack.positions)
    own[0] = card_point(deck()[27], blinding(pack.match.secret.certificate_seed, pack.order[0]) + t[0])
    yield pack.vector(
        "shuffle_card_exchanged",
        "position 0 holds a card that is not the certified one",
        positions=own,
        proof=pack.prove(own, pack.order, t),
    )
    curve = engine()
    other = list(pack.positions)
    other[0] = curve.encode(curve.add(decode_point(other[0]), G(0)))
    yield pack.vector(
        "shuffle_shifted_by_g",
        "position 0 is the certified card plus G_0, no multiple of H",
        positions=other,
        proof=pack.prove(other, pack.order, t),
    )
    exchanged = list(pack.positions)
    exchanged[0], exchanged[1] = _opposite(pack, exchanged)
    yield pack.vector(
        "shuffle_opposite_shifts",
        "position 0 has A_0 too much and position 1 too little: the sum of all is right",
        positions=exchanged,
        proof=pack.prove(exchanged, pack.order, t),
    )
    yield pack.vector(
        "shuffle_positions_exchanged",
        "two positions exchanged after the proof",
        positions=(pack.positions[1], pack.positions[0], *pack.positions[2:]),
    )
    yield pack.vector(
        "shuffle_position_blinded_again",
        "position 0 plus H after the proof",
        positions=(shifted(pack.positions[0]), *pack.positions[1:]),
    )


def _opposite(pack: _Pack, points: Sequence[bytes]) -> tuple[bytes, bytes]:
    curve = engine()
    number = decode_point(card_point((1, 0, 0, 0, 0, 0, 0), 0))
    more = curve.add(decode_point(points[0]), number)
    return curve.encode(more), curve.encode(curve.add(decode_point(points[1]), curve.neg(number)))


def _moved_decks(pack: _Pack) -> Iterator[Vector]:
    places: list[tuple[str, str, dict[str, Any]]] = [
        ("game", "of another game", {"game": bytes(16)}),
        ("seat", "of the other seat", {"seat": 1 - SEAT}),
        ("key", "of another key", {"key": bytes(32)}),
        ("certificate", "under another certificate digest", {"certificate_digest": bytes(64)}),
        ("house_anchor", "under another chain of the house", {"house_anchor": bytes(64)}),
        ("anchor", "under another chain of its chef", {"anchor": bytes(64)}),
    ]
    for name, why, place in places:
        yield pack.vector(f"shuffle_moved_{name}", f"a match deck {why}", ctx=pack.context(**place))
    seed = MatchSecret(bytes(32)).certificate_seed
    yield pack.vector(
        "shuffle_other_certificate",
        "the same deck certified under another seed: other points",
        cards=card_points(seed, deck()),
    )
    yield pack.vector(
        "shuffle_certificate_exchanged",
        "two cards of the certificate exchanged",
        cards=(pack.cards[1], pack.cards[0], *pack.cards[2:]),
    )


def _changed_decks(pack: _Pack) -> Iterator[Vector]:
    proof, n = pack.proof, len(pack.cards)
    first = POINT_BYTES * 7

    def at(index: int) -> int:
        return first + SCALAR_BYTES * index

    for name, text, index in (
        ("f", "f_0", 0),
        ("z_f", "z_f", n),
        ("z_t", "z_t", n + 1),
        ("u_0", "u~_0, where the chain of b begins,", n + 2),
        ("u", "u~_5", n + 7),
        ("z_u", "z_u", 2 * n + 2),
        ("b", "b~_1", 2 * n + 3),
        ("z_s", "z_s", 3 * n + 1),
    ):
        yield pack.vector(f"shuffle_{name}_changed", f"{text} plus 1", proof=scalar_at(proof, at(index), 1))
    for i, name in enumerate(("c1", "c2", "c3", "e", "c_d", "c_delta", "c_Delta")):
        start = POINT_BYTES * i
        moved = shifted(proof[start : start + POINT_BYTES])
        yield pack.vector(
            f"shuffle_{name}_shifted",
            f"{name} plus H: every later challenge is another",
            proof=proof[:start] + moved + proof[start + POINT_BYTES :],
        )


def _malformed_decks(pack: _Pack) -> Iterator[Vector]:
    proof, first = pack.proof, POINT_BYTES * 7
    for name, why, changed in (
        ("scalar_not_reduced", "q added to f_0: right mod q, and yet refused", unreduced(proof, first)),
        ("z_not_reduced", "q added to z_s: right mod q, and yet refused", unreduced(proof, len(proof) - 32)),
        ("c1_is_identity", "c1 is the identity", IDENTITY + proof[POINT_BYTES:]),
        ("c1_outside", "c1 is outside the subgroup", OUTSIDE + proof[POINT_BYTES:]),
    ):
        yield pack.vector(f"shuffle_{name}", why, proof=changed)
    for name, why, changed in (
        ("short", "the last byte is missing", proof[:-1]),
        ("long", "a byte too many", proof + b"\0"),
    ):
        yield pack.vector(f"shuffle_{name}", why, proof=changed)
    for name, why, point in (
        ("position_is_identity", "position 0 is the identity", IDENTITY),
        ("position_outside", "position 0 is outside the subgroup", OUTSIDE),
    ):
        yield pack.vector(f"shuffle_{name}", why, positions=(point, *pack.positions[1:]))
    yield pack.vector("shuffle_39_positions", "39 positions for 40 cards", positions=pack.positions[:-1])
    yield pack.vector(
        "shuffle_41_positions",
        "41 positions for 40 cards",
        positions=(*pack.positions, encode_point(H())),
    )


def _careless_decks(pack: _Pack) -> Iterator[Vector]:
    """Right for a verifier whose last challenge leaves something out (weak Fiat-Shamir)."""
    sent = [pack.proof[POINT_BYTES * i : POINT_BYTES * (i + 1)] for i in range(7)]

    def talk() -> tuple[Transcript, int, int, int]:
        """The transcript up to the last message, with y, lambda and z."""
        said = Transcript("shuffle", pack.ctx)
        said.absorb("statement", *pack.cards, *pack.positions)
        said.absorb("permutation", sent[0])
        y = said.challenge("y")
        said.absorb("powers", *sent[1:4])
        return said, y, said.challenge("lambda"), said.challenge("z")

    def product(*points: bytes) -> int:
        said = talk()[0]
        said.absorb("product", *points)
        return said.challenge("x")

    _, y, lam, z = talk()
    hidden = _answered(pack, y, lam, z)
    for left_out, name in ((4, "c_d"), (5, "c_delta"), (6, "c_Delta")):
        x = product(*(point for i, point in enumerate(sent) if i > 3 and i != left_out))
        by, proof = x - product(*sent[4:]), pack.proof
        for i, value in enumerate(hidden):
            proof = scalar_at(proof, POINT_BYTES * 7 + SCALAR_BYTES * i, by * value)
        why = f"the last challenge leaves out {name}"
        yield pack.vector(f"shuffle_challenge_without_{name}", why, proof=proof)


def _answered(pack: _Pack, y: int, lam: int, z: int) -> list[int]:
    """Return what each answer holds x times: p, r2, -R, u, r, b_1 .. b_{n-2} and s_x (protocol section 6)."""
    n = len(pack.order)
    masks = Masks(pack.match.w, pack.ctx, canonical(pack.order), NO_FRESH).take(2 * n + 7)
    r1, r2, s_x = masks[0], masks[1], masks[2 * n + 6]
    p = [pow(y, j + 1, ORDER) for j in pack.order]
    u = [(lam * (j + 1) + power - z) % ORDER for j, power in zip(pack.order, p, strict=True)]
    b = list(accumulate(u, lambda left, right: left * right % ORDER))
    total = sum(power * t for power, t in zip(p, pack.t, strict=True))
    return [*p, r2, -total, *u, lam * r1 + r2, *b[1:-1], s_x]


def bad_shuffles() -> list[Vector]:
    """Changes to `shuffle.json` that make its proof fail (section 6), by index or by offset in the proof."""
    return list(_all(engine().name))


@cache
def _all(engine_name: str) -> tuple[Vector, ...]:
    pack = _Pack()
    return (
        *_cheats(pack),
        *_moved_decks(pack),
        *_changed_decks(pack),
        *_malformed_decks(pack),
        *_careless_decks(pack),
    )
