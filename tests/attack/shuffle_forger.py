"""Forgers of match decks: each needs one message to be its own choice after the challenge.

A forger knows the openings of all cards and positions. Its deck holds a card twice and lacks another, so
its statement is false, and `Deck.holds` says so from the openings. Everywhere, k_i is the vector that
position i really holds, a_j that of card j.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import ClassVar

from crypto import shuffle
from crypto.group import ORDER, card_point, encode_scalar
from crypto.transcript import Transcript
from tests.attack.algebra import Vector, blind, com, combination, root, scalars, slot, solved, total
from tests.crypto.crypto_kit import SHUFFLE_PLACE, vector

MESSAGES = ("c1", "c2", "c3", "E", "c_d", "c_delta", "c_Delta")
PLACES = {
    "c1": ("permutation", 0),
    "c2": ("powers", 0),
    "c3": ("powers", 1),
    "E": ("powers", 2),
    "c_d": ("product", 0),
    "c_delta": ("product", 1),
    "c_Delta": ("product", 2),
}
"""The name and the part under which each first message is absorbed."""
ANY = com([], 1)
"""The stand-in for a message until the forger knows better."""


@dataclass(frozen=True)
class Deck:
    """A statement with everything that its chef knows."""

    ctx: bytes
    vectors: Sequence[Vector]
    """a_j."""
    blindings: Sequence[int]
    """s_j."""
    held: Sequence[Vector]
    """k_i."""
    openings: Sequence[int]
    """The blinding of each K_i."""
    cards: Sequence[bytes]
    positions: Sequence[bytes]

    def holds(self) -> bool:
        """Tell whether the statement is true: the positions hold the certificate's cards, in any order."""
        for points, vectors, blindings in (
            (self.cards, self.vectors, self.blindings),
            (self.positions, self.held, self.openings),
        ):
            assert [card_point(a, s) for a, s in zip(vectors, blindings, strict=True)] == list(points)
        return _counted(self.vectors) == _counted(self.held)

    def accepted(self, proof: bytes) -> bool:
        """Tell whether the verifier, such as it is now, takes the proof."""
        try:
            shuffle.verify(self.ctx, self.cards, self.positions, proof)
        except shuffle.ProofError:
            return False
        return True


def _counted(vectors: Sequence[Vector]) -> Counter[tuple[int, ...]]:
    return Counter(tuple(value % ORDER for value in a) for a in vectors)


def deck(vectors: Sequence[Vector], held: Sequence[Vector], seed: int = 0) -> Deck:
    """A deck certified as `vectors`, whose positions hold `held`."""
    rng = random.Random(seed)
    s, r = scalars(rng, len(vectors)), scalars(rng, len(held))
    return Deck(
        shuffle.context(**SHUFFLE_PLACE),
        vectors,
        s,
        held,
        r,
        [card_point(a, blinding) for a, blinding in zip(vectors, s, strict=True)],
        [card_point(a, blinding) for a, blinding in zip(held, r, strict=True)],
    )


CERTIFIED = [vector(1001 + j, j == 0, 1, -(j % 3)) for j in range(6)]


def doubled() -> Deck:
    """Card 1 lies at two positions, card 5 at none; what is held still spans what is certified."""
    return deck(CERTIFIED, [CERTIFIED[1], *CERTIFIED[1:5], CERTIFIED[0]])


Powers = Callable[["Forger"], list[int]]


def forge(own: Deck, free: str, rng: random.Random, solve: bool = True) -> bytes:
    """The proof of a forger who chooses `free`, one of the first messages, after all challenges.

    Without `solve` it sends what it had said before: one that hopes that nobody looks at that equation.
    """
    return Forger(own, rng, free, solve=solve).run()


def prove(own: Deck, entries: Sequence[int], powers: Powers, rng: random.Random) -> bytes:
    """The prover's algorithm with any committed entries and powers: a forger in due order."""
    return Forger(own, rng, entries=entries, powers=powers).run()


def forge_statement(own: Deck, side: str, at: int, rng: random.Random) -> tuple[Deck, bytes]:
    """A forger who chooses point `at` of the statement's `cards` or `positions` last.

    Returns the statement that its proof is for.
    """
    points = list(getattr(own, side))
    points[at] = ANY
    forger = Forger(replace(own, **{side: points}), rng, f"{side}/{at}", powers=lambda work: work.y_powers)
    proof = forger.run()
    return forger.own, proof


@dataclass
class Forger:
    """A prover who bends one thing; every other value is the honest one, or random where that is free."""

    own: Deck
    rng: random.Random
    free: str = ""
    """The message to be chosen last, or `cards/0`, `positions/3` for a point of the statement."""
    entries: Sequence[int] = ()
    """The values that c1 commits to."""
    powers: Callable[[Forger], list[int]] | None = None
    """The values that c2 commits to; by default those that pass S2."""
    solve: bool = True
    """True if what is free is solved for in the end."""
    messages: ClassVar[Sequence[str]] = MESSAGES
    sent: dict[str, bytes] = field(default_factory=lambda: dict.fromkeys(MESSAGES, ANY))

    def __post_init__(self) -> None:
        n = len(self.own.cards)
        self.entries = self.entries or range(1, n + 1)
        self.r1, self.r2, self.r3, self.tau, self.r_d, self.s_1, self.s_x, *self.any = scalars(self.rng, 11)
        self.alpha, self.d, delta = (scalars(self.rng, n) for _ in range(3))
        self.delta = [self.d[0], *delta[1 : n - 1], 0]
        self.lam = 0

    def run(self) -> bytes:
        """The proof: three rounds, then the answers, then what was left to choose."""
        self.talk = Transcript("shuffle", self.own.ctx)
        self.talk.absorb("statement", *self.own.cards, *self.own.positions)
        self._permutation()
        self._powers()
        self._product()
        return self._answer()

    def _say(self, **points: bytes) -> None:
        self.sent.update({name: point for name, point in points.items() if name != self.free})

    def _permutation(self) -> None:
        self._say(c1=com(list(self.entries), self.r1))
        self.talk.absorb("permutation", self.sent["c1"])
        self.y = self.talk.challenge("y")
        # Only against a verifier who draws z too early is this the z that will count.
        self.z = copy.copy(self.talk).challenge("z")

    def _powers(self) -> None:
        own = self.own
        if self.powers is not None:
            self.p = self.powers(self)
        else:
            # Where S1 or S2 is the hole, what is committed are the honest powers.
            self.p = self.y_powers if self.free in ("c3", "E", "c2") else self.linear()
        e = total(*zip(self.alpha, own.positions, strict=True), (self.tau, blind()))
        if "/" in self.free:
            # Any E whose opening is known: a point of the statement will make S2 right.
            e = card_point(self.any[:1] * 7, self.any[1])
        self._say(c2=com(self.p, self.r2), c3=com(self.alpha, self.r3), E=e)
        self.talk.absorb("powers", self.sent["c2"], self.sent["c3"], self.sent["E"])
        self.lam, self.z = self.talk.challenge("lambda"), self.talk.challenge("z")
        if self.free == "c2":
            self.p = self.linear_with_product()
            self.sent["c2"] = com(self.p, self.r2)

    def _product(self) -> None:
        d, delta, n = self.d, self.delta, len(self.own.cards)
        self.u = self.wanted() if self.free in ("c1", "c_d") else self.factors(self.p)
        if self.free == "c1":
            # u_i = l e_i + p_i - z, solved for what c1 should have held
            inverse = pow(self.lam, -1, ORDER)
            held = [(u - p + self.z) * inverse for u, p in zip(self.u, self.p, strict=True)]
            self.sent["c1"] = com(held, self.r1)
        u, b = self.u, list(accumulate(self.u, _times))
        self._say(
            c_d=com(d, self.r_d),
            c_delta=com([-delta[i - 1] * d[i] for i in range(1, n)], self.s_1),
            c_Delta=com([delta[i] - u[i] * delta[i - 1] - b[i - 1] * d[i] for i in range(1, n)], self.s_x),
        )
        self.talk.absorb("product", self.sent["c_d"], self.sent["c_delta"], self.sent["c_Delta"])
        self.x = self.talk.challenge("x")

    def _answer(self) -> bytes:
        x, free, n = self.x, self.free, len(self.own.cards)
        p = self.linear() if free == "c3" else self.p
        f = [x * power + mask for power, mask in zip(p, self.alpha, strict=True)]
        z_f, z_t = x * self.r2 + self.r3, self._blinding_left(p) + self.tau
        u = [x * factor + mask for factor, mask in zip(self.u, self.d, strict=True)]
        z_u, z_s = x * (self.lam * self.r1 + self.r2) + self.r_d, x * self.s_x + self.s_1
        b = [x * value + mask for value, mask in zip(accumulate(self.u, _times), self.delta, strict=True)]
        inner = scalars(self.rng, n)[2:] if free in ("c_delta", "c_Delta") else b[1:-1]
        # Values that the forger's own points have not fixed may be anything.
        z_t, z_u, z_s = (
            self.any[i + 1] if free.split("/")[0] in names else honest
            for i, (honest, names) in enumerate(
                [(z_t, ("E", "cards", "positions")), (z_u, ("c_d",)), (z_s, ("c_delta", "c_Delta"))]
            )
        )
        if self.solve:
            self._choose(f, z_f, z_t, u, z_u, inner, z_s)
        points = (self.sent[name] for name in self.messages)
        return b"".join([*points, *map(encode_scalar, [*f, z_f, z_t, *u, z_u, *inner, z_s])])

    def _choose(
        self, f: list[int], z_f: int, z_t: int, u: list[int], z_u: int, inner: list[int], z_s: int
    ) -> None:
        """Solve the one equation that `free` stands in."""
        x, n, sent = self.x, len(self.own.cards), self.sent
        b = [u[0], *inner, x * self.product()]
        chain = com([x * b[i] - b[i - 1] * u[i] for i in range(1, n)], z_s)
        match self.free:
            case "c3":
                sent["c3"] = solved([(x, sent["c2"]), (-1, com(f, z_f))], 1)
            case "E":
                sent["E"] = solved(self._multi_exponentiation(f, z_t), -1)
            case "c_d":
                committed = [(x * self.lam, sent["c1"]), (x, sent["c2"])]
                slots = [(-self.z * x, slot(i)) for i in range(n)]
                sent["c_d"] = solved([*committed, *slots, (-1, com(u, z_u))], 1)
            case "c_delta":
                sent["c_delta"] = solved([(x, sent["c_Delta"]), (-1, chain)], 1)
            case "c_Delta":
                sent["c_Delta"] = solved([(1, sent["c_delta"]), (-1, chain)], x)
            case free if "/" in free:
                self._choose_statement(f, z_t)

    def _choose_statement(self, f: list[int], z_t: int) -> None:
        """The point of the statement that makes S2 right, and its opening."""
        own, (side, number) = self.own, self.free.split("/")
        at = int(number)
        names = ("vectors", "blindings") if side == "cards" else ("held", "openings")
        known = [
            *zip(f, own.held, own.openings, strict=True),
            (z_t, [0] * 7, 1),
            *zip((-self.x * y for y in self.y_powers), own.vectors, own.blindings, strict=True),
            (-1, self.any[:1] * 7, self.any[1]),
        ]
        factor = known.pop(at if side == "positions" else len(f) + 1 + at)[0]
        inverse = -pow(factor, -1, ORDER)
        opening = [sum(scalar * [*a, r][k] for scalar, a, r in known) * inverse % ORDER for k in range(8)]
        changes = {}
        for name, value in zip(
            (side, *names), (card_point(opening[:7], opening[7]), opening[:7], opening[7]), strict=True
        ):
            changes[name] = [value if i == at else old for i, old in enumerate(getattr(own, name))]
        self.own = replace(own, **changes)

    def _blinding_left(self, p: Sequence[int]) -> int:
        """z_t without tau: what S2 lacks of H, the openings of cards and positions being known."""
        cards = sum(power * s for power, s in zip(self.y_powers, self.own.blindings, strict=True))
        return self.x * (cards - sum(power * r for power, r in zip(p, self.own.openings, strict=True)))

    def _multi_exponentiation(self, f: Sequence[int], z_t: int) -> list[tuple[int, bytes]]:
        """S2 without E: sum_i f_i K_i + z_t H - x sum_j y^(j+1) D_j."""
        return [
            *zip(f, self.own.positions, strict=True),
            (z_t, blind()),
            *((-self.x * power, card) for power, card in zip(self.y_powers, self.own.cards, strict=True)),
        ]

    @property
    def y_powers(self) -> list[int]:
        """y^1..y^n."""
        return [pow(self.y, j, ORDER) for j in range(1, len(self.own.cards) + 1)]

    def linear(self) -> list[int]:
        """p with sum p_i k_i = sum y^(j+1) a_j: what S2 asks for, and nothing else."""
        own, powers = self.own, self.y_powers
        target = [sum(power * a[k] for power, a in zip(powers, own.vectors, strict=True)) for k in range(7)]
        return combination(self.rng, own.held, target)

    def factors(self, p: Sequence[int]) -> list[int]:
        """u_i of c1 and p."""
        return [(self.lam * e + power - self.z) % ORDER for e, power in zip(self.entries, p, strict=True)]

    def wanted(self) -> list[int]:
        """The factors of P themselves."""
        return [(self.lam * j + power - self.z) % ORDER for j, power in enumerate(self.y_powers, 1)]

    def product(self) -> int:
        """P."""
        return list(accumulate(self.wanted(), _times))[-1]

    def linear_with_product(self) -> list[int]:
        """p as `linear`, with prod u_i = P too: positions 0 and 1, of one card, share what is missing."""
        while True:
            p = self.linear()
            u = self.factors(p)
            rest = list(accumulate(u[2:], _times))[-1]
            # (u_0 + s)(u_1 - s) = P / rest
            half = (u[0] - u[1]) * pow(-2, -1, ORDER) % ORDER
            found = root(half * half - self.product() * pow(rest, -1, ORDER) + u[0] * u[1])
            if found is not None:
                s = half + found
                return [p[0] + s, p[1] - s, *p[2:]]


def _times(left: int, right: int) -> int:
    return left * right % ORDER
