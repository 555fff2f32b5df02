"""Meals whose proof must fail, each with the equations that do (protocol section 8).

The vectors follow the manner of `vectors.bad_bytes`. Some are honest proofs with a change. Others are what
the prover's algorithm gives for a witness that no rule allows. The rest are right for a verifier whose
challenge leaves something out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from crypto import meal
from crypto.encoding import canonical, uuid_bytes
from crypto.engines import MODULUS
from crypto.group import ORDER, POINT_BYTES, SCALAR_BYTES, H, decode_point, encode_scalar, engine
from crypto.secret import Masks
from crypto.transcript import Transcript
from crypto.verifier import Equation, check
from vectors.bad_bytes import refusal
from vectors.example import GAME, NO_FRESH, SEAT, SET_DIGEST, STEP, Match, Vector, case, hexes

OUTSIDE = (0b100 << 381 | 4).to_bytes(POINT_BYTES, "big")
"""x = 4: on the curve, outside the subgroup."""
IDENTITY = b"\xc0" + bytes(47)


def failing(equations: Sequence[Equation], names: Sequence[str]) -> list[str]:
    """The names of the equations that do not hold."""
    return [name for name, equation in zip(names, equations, strict=True) if check([equation]) == [False]]


def shifted(point: bytes) -> bytes:
    """The point plus H."""
    curve = engine()
    return curve.encode(curve.add(decode_point(point), H()))


def scalar_at(proof: bytes, at: int, change: int) -> bytes:
    """The proof with its `at`-th byte on read as a scalar, and `change` added mod q."""
    old = int.from_bytes(proof[at : at + SCALAR_BYTES], "big")
    return proof[:at] + encode_scalar(old + change) + proof[at + SCALAR_BYTES :]


def unreduced(proof: bytes, at: int) -> bytes:
    """The proof with q added to a scalar: another form of the same residue."""
    old = int.from_bytes(proof[at : at + SCALAR_BYTES], "big")
    return proof[:at] + (old + ORDER).to_bytes(SCALAR_BYTES, "big") + proof[at + SCALAR_BYTES :]


@dataclass(frozen=True)
class _Meal:
    """A statement, what was sent for it, and the secrets behind it."""

    ctx: bytes
    points: tuple[bytes, ...]
    courses: int
    seal: bytes
    proof: bytes

    def vector(self, name: str, why: str, section: str = "8") -> Vector:
        given = {
            "ctx": self.ctx.hex(),
            "points": hexes(self.points),
            "courses": self.courses,
            "seal": self.seal.hex(),
            "proof": self.proof.hex(),
        }
        statement = (self.ctx, self.points, self.courses, self.seal, self.proof)
        about = refusal(partial(meal.equations, *statement))
        names = ["M1", "M2", *(f"M3 for course {c + 1}" for c in range(self.courses))]
        fails = [] if about else failing(meal.equations(*statement), names)
        output = {"refused": about or ("proof" if fails else None), "fails": fails}
        return case(name, given, {**output, "why": why, "section": f"protocol {section}"})


_CARDS = (0, 5, 10, 27, 32)
"""Ingredients of one, two and one starch, and two recipes for one starch."""


class _Kitchen:
    """A hand of the example match, and what its chef could try."""

    def __init__(self, courses: int = 1) -> None:
        self.match, self.courses = Match(), courses
        own = self.match.secret.permutation
        self.hand = sorted(own.index(j) for j in _CARDS)
        self.cards = [own[position] for position in self.hand]
        openings = [self.match.opening(position) for position in self.hand]
        self.vectors, self.blindings = [a for a, _ in openings], [r for _, r in openings]
        self.points = tuple(self.match.positions[position] for position in self.hand)

    def context(self, **other: Any) -> bytes:
        place: dict[str, Any] = {
            "game": uuid_bytes(GAME),
            "step": STEP,
            "seat": SEAT,
            "key": self.match.key,
            "set_digest": SET_DIGEST,
            "match_deck": self.match.digest,
            "courses": self.courses,
            "hand": self.hand,
        }
        return meal.context(**{**place, **other})

    def counting(self, courses: Sequence[Mapping[int, int]]) -> meal.Witness:
        """The sums of serving each card of the deck so many times, whatever the rules say."""
        rows = [[course.get(j, 0) for course in courses] for j in self.cards]

        def total(values: Sequence[int]) -> list[int]:
            return [sum(row[c] * v for row, v in zip(rows, values, strict=True)) for c in range(len(courses))]

        recipes, numbers = (total([a[k] for a in self.vectors]) for k in (1, 0))
        return meal.Witness(rows, recipes, numbers, total(self.blindings))

    def witness(self, *served: int) -> meal.Witness:
        """The sums of serving these cards of the deck in course 1."""
        return self.counting([dict.fromkeys(served, 1), *({} for _ in range(self.courses - 1))])

    def masks(self, ctx: bytes) -> Masks:
        return Masks(self.match.w, ctx, canonical({"dishes": []}), NO_FRESH)

    def seal(self, secret: meal.Witness, ctx: bytes | None = None) -> _Meal:
        ctx = ctx or self.context()
        made = meal.prove_unchecked(ctx, self.points, secret, self.courses, self.masks(ctx))
        return _Meal(ctx, self.points, self.courses, made.seal, made.proof)

    def for_challenge(self, secret: meal.Witness, x: int) -> _Meal:
        """The honest answers to another challenge than the transcript's; of one course."""
        good = self.seal(secret)
        own = Transcript("meal", good.ctx)
        own.absorb("hand", *good.points)
        points = [good.proof[POINT_BYTES * i : POINT_BYTES * (i + 1)] for i in range(4)]
        own.absorb("meal", good.seal, *points)
        by = x - own.challenge("x")
        masks = self.masks(good.ctx).take(len(self.hand) + 5)
        r_B, r_Q = masks[len(self.hand) + 1], masks[len(self.hand) + 3]
        hidden = [row[0] for row in secret.bits] + [secret.recipes[0], r_B, r_Q]
        hidden += [secret.numbers[0], secret.blindings[0]]
        proof = good.proof
        for i, value in enumerate(hidden):
            proof = scalar_at(proof, POINT_BYTES * 4 + SCALAR_BYTES * i, by * value)
        return replace(good, proof=proof)


def _illegal_meals(kitchen: _Kitchen) -> Iterator[Vector]:
    """No rule allows these, and their prover did all it could."""
    legal = kitchen.witness(27, 0)
    two = kitchen.witness(27, 32, 0, 10)
    yield kitchen.seal(two).vector("meal_two_recipes", "two recipes in a course: g_1 = 2 is no bit", "4")
    hidden = replace(two, recipes=[1])
    yield kitchen.seal(hidden).vector("meal_two_recipes_as_one", "two recipes, sealed as g_1 = 1", "4")
    none = replace(kitchen.witness(27, 0), recipes=[0])
    yield kitchen.seal(none).vector("meal_recipe_hidden", "one recipe, sealed as g_1 = 0")
    claimed = replace(kitchen.witness(), recipes=[1])
    yield kitchen.seal(claimed).vector("meal_recipe_claimed", "no recipe, sealed as g_1 = 1")
    yield kitchen.seal(kitchen.witness(27, 5)).vector("meal_one_unit_too_many", "two starches for one", "4")
    yield kitchen.seal(kitchen.witness(27)).vector("meal_one_unit_too_few", "no starch for one", "4")
    yield kitchen.seal(kitchen.witness(27, 0, 10)).vector(
        "meal_ingredient_too_many", "an ingredient too many", "4"
    )
    yield kitchen.seal(kitchen.witness(0)).vector(
        "meal_without_recipe", "an ingredient without a recipe", "4"
    )
    for name, why, counts in (
        ("card_twice", "a card twice: its slots hold 2 and -1", {27: 1, 0: 2}),
        (
            "card_minus_once",
            "a card -1 times, which balances the course: only the bits tell",
            {27: 1, 5: 1, 10: -1},
        ),
        (
            "card_halved",
            "half a card of two units, which balances the course: only the bits tell",
            {27: 1, 5: pow(2, -1, ORDER)},
        ),
    ):
        yield kitchen.seal(kitchen.counting([counts])).vector(f"meal_{name}", why)
    yield kitchen.seal(replace(legal, numbers=[legal.numbers[0] + 1])).vector(
        "meal_other_numbers", "another sum of the card numbers"
    )
    strange = [value + 1 for value in legal.blindings]
    yield kitchen.seal(replace(legal, blindings=strange)).vector(
        "meal_other_blindings", "another sum of the blindings"
    )
    yield _not_drawn(kitchen)


def _not_drawn(kitchen: _Kitchen) -> Vector:
    """The prover swaps a card of its hand for one of its deck, and proves with that one's opening."""
    other = kitchen.match.secret.permutation.index(15)  # one starch, like card 0
    at = kitchen.cards.index(0)
    a, r = kitchen.match.opening(other)
    secret = kitchen.witness(27, 0)
    secret = replace(
        secret,
        numbers=[secret.numbers[0] - kitchen.vectors[at][0] + a[0]],
        blindings=[secret.blindings[0] - kitchen.blindings[at] + r],
    )
    return kitchen.seal(secret).vector("meal_card_not_drawn", "a card that is in the deck, not in the hand")


def _two_courses() -> Iterator[Vector]:
    kitchen = _Kitchen(2)
    legal, both = kitchen.witness(27, 0), kitchen.counting([{27: 1, 0: 1}, {32: 1, 0: 1}])
    yield kitchen.seal(both).vector(
        "meal_card_in_two_courses", "a card in two courses: its slots hold 1, 1, -1"
    )
    honest = kitchen.seal(legal)
    swapped = honest.proof
    first, second = POINT_BYTES * 3, POINT_BYTES * 4
    swapped = swapped[:first] + swapped[second : second + POINT_BYTES] + swapped[first:second] + swapped[240:]
    yield replace(honest, proof=swapped).vector("meal_courses_exchanged", "W_1 and W_2 exchanged")


def _moved_meals(kitchen: _Kitchen) -> Iterator[Vector]:
    """A right seal where it does not belong: ctx is another."""
    good = kitchen.seal(kitchen.witness(27, 0))
    places: list[tuple[str, str, dict[str, Any]]] = [
        ("game", "of another game", {"game": bytes(16)}),
        ("step", "of another step", {"step": STEP + 1}),
        ("seat", "of the other seat", {"seat": 1 - SEAT}),
        ("key", "of another key", {"key": bytes(32)}),
        ("cards", "of other cards in play", {"set_digest": bytes(64)}),
        ("match_deck", "of another match deck", {"match_deck": bytes(64)}),
        ("hand", "of other positions", {"hand": [p + 1 if p < 39 else p for p in range(5)]}),
    ]
    for name, why, place in places:
        ctx = kitchen.context(**place)
        yield replace(good, ctx=ctx).vector(f"meal_moved_{name}", f"a seal and proof {why}")
    turned = (good.points[1], good.points[0], *good.points[2:])
    yield replace(good, points=turned).vector("meal_points_exchanged", "two points of the hand exchanged")
    yield replace(good, seal=shifted(good.seal)).vector(
        "meal_seal_shifted", "the seal plus H: the challenge is over the seal"
    )
    changed = scalar_at(good.proof, POINT_BYTES * 4 + SCALAR_BYTES * 6, 1)
    yield replace(good, proof=changed).vector("meal_z_a_changed", "z_A plus 1")
    for index, name, text in ((0, "f", "f_{0,1}"), (5, "f_g", "f of g_1"), (7, "z_q", "z_Q")):
        changed = scalar_at(good.proof, POINT_BYTES * 4 + SCALAR_BYTES * index, 1)
        yield replace(good, proof=changed).vector(f"meal_{name}_changed", f"{text} plus 1")
    for index, name in ((8, "n"), (9, "k")):
        changed = scalar_at(good.proof, POINT_BYTES * 4 + SCALAR_BYTES * index, 1)
        yield replace(good, proof=changed).vector(f"meal_{name}_changed", f"{name}_1 plus 1")


def _malformed_meals(kitchen: _Kitchen) -> Iterator[Vector]:
    good = kitchen.seal(kitchen.witness(27, 0))
    proof, tail = good.proof, good.proof[POINT_BYTES:]
    changes: list[tuple[str, str, bytes]] = [
        ("scalar_not_reduced", "q added to f_{0,1}: right mod q, and yet refused", unreduced(proof, 192)),
        ("z_not_reduced", "q added to k_1: right mod q, and yet refused", unreduced(proof, len(proof) - 32)),
        ("a_is_identity", "A is the identity", IDENTITY + tail),
        ("a_outside", "A is outside the subgroup", OUTSIDE + tail),
        ("a_not_reduced", "x of A is p + 4", (0b100 << 381 | MODULUS + 4).to_bytes(48, "big") + tail),
        ("short", "the last byte is missing", proof[:-1]),
        ("long", "a byte too many", proof + b"\0"),
        ("scalar_missing", "the last scalar is missing", proof[:-32]),
        ("empty", "no proof", b""),
    ]
    for name, why, bytes_ in changes:
        yield replace(good, proof=bytes_).vector(f"meal_{name}", why)
    yield replace(good, courses=2).vector("meal_two_courses_read", "a proof of one course, read as of two")
    yield replace(good, points=good.points[:-1]).vector(
        "meal_point_missing", "a proof for five cards, read for four"
    )
    yield replace(good, seal=IDENTITY).vector("meal_seal_is_identity", "the seal is the identity")
    yield replace(good, seal=OUTSIDE).vector("meal_seal_outside", "the seal is outside the subgroup")


def _careless_meals(kitchen: _Kitchen) -> Iterator[Vector]:
    """Right for a verifier whose challenge leaves something out (weak Fiat-Shamir)."""
    legal = kitchen.witness(27, 0)
    good = kitchen.seal(legal)
    fields = [good.proof[POINT_BYTES * i : POINT_BYTES * (i + 1)] for i in range(4)]
    for name, why, ctx, points, said in (
        ("ctx", "the context", b"", good.points, (good.seal, *fields)),
        ("hand", "the hand", good.ctx, (), (good.seal, *fields)),
        ("seal", "the seal", good.ctx, good.points, fields),
        ("w", "W_1", good.ctx, good.points, (good.seal, *fields[:3])),
    ):
        talk = Transcript("meal", ctx)
        talk.absorb("hand", *points)
        talk.absorb("meal", *said)
        x = talk.challenge("x")
        yield kitchen.for_challenge(legal, x).vector(
            f"meal_challenge_without_{name}", f"the challenge leaves out {why}"
        )


def bad_meals() -> list[Vector]:
    """Seals whose proof must fail, with the equations that do (section 8)."""
    return list(_all(engine().name))


@cache
def _all(engine_name: str) -> tuple[Vector, ...]:
    kitchen = _Kitchen()
    return (
        *_illegal_meals(kitchen),
        *_two_courses(),
        *_moved_meals(kitchen),
        *_malformed_meals(kitchen),
        *_careless_meals(kitchen),
    )
