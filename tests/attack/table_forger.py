"""Forgers of mixes and linear proofs: each needs one message to be its own choice after the challenge.

A forger of a mix knows the card and the logarithm behind every pair, so `Pack.holds` can say that its
statement is false. A forger of a linear proof has one false part: lock, share or claim.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from crypto import linear, lock, mix
from crypto.encoding import i2osp
from crypto.group import ORDER, A, B, U, encode_point, encode_scalar
from crypto.lock import Pair
from crypto.transcript import ProofError, Transcript
from tests.attack.algebra import Vector, com, scalars, slot, solved, total
from tests.attack.shuffle_forger import ANY, Forger
from tests.crypto.crypto_kit import GAME, KEY

MIX_MESSAGES = ("c1", "c2", "c3", "E_a", "E_c", "c_d", "c_delta", "c_Delta")
MIX_PLACES = {
    "c1": ("permutation", 0),
    "c2": ("powers", 0),
    "c3": ("powers", 1),
    "E_a": ("powers", 2),
    "E_c": ("powers", 3),
    "c_d": ("product", 0),
    "c_delta": ("product", 1),
    "c_Delta": ("product", 2),
}
"""The name and the part under which each first message of a mix is absorbed."""
AXES = ("C", "D", "H", "S", "X", "Y")


def base() -> bytes:
    """U."""
    return encode_point(U())


def face(vector: Vector) -> list[tuple[int, bytes]]:
    """The terms of a card's point: its number and its traits, any integers."""
    return [
        (vector[0], encode_point(A(0))),
        *zip(vector[1:], (encode_point(B(t)) for t in AXES), strict=True),
    ]


def pair(vector: Vector, log_a: int, log_c: int, joint: bytes) -> Pair:
    """The pair (log_a U, M + log_c h)."""
    return Pair(total((log_a, base())), total(*face(vector), (log_c, joint)))


@dataclass(frozen=True)
class Pack:
    """A mix as a statement, with everything that its maker knows."""

    ctx: bytes
    joint: bytes
    vectors: Sequence[Vector]
    """The cards of the pack before."""
    blindings: Sequence[int]
    """The logarithms of both halves before."""
    held: Sequence[Vector]
    """The cards of the pack after."""
    logs_a: Sequence[int]
    openings: Sequence[int]
    """The logarithms of the halves c after."""
    cards: Sequence[Pair]
    positions: Sequence[Pair]

    def holds(self) -> bool:
        """Tell whether the statement is true: the same cards in any order, each pair with one t."""
        alike = all((a - c) % ORDER == 0 for a, c in zip(self.logs_a, self.openings, strict=True))
        return alike and sorted(map(tuple, self.vectors)) == sorted(map(tuple, self.held))

    def accepted(self, proof: bytes) -> bool:
        """Tell whether the verifier, such as it is now, takes the proof."""
        try:
            mix.verify(self.ctx, self.joint, self.cards, self.positions, proof)
        except ProofError:
            return False
        return True


CARDS = [(k, 1, 0, 0, 0, 0, 0) for k in range(1, 7)]
"""Six cards in two dimensions: what is held still spans what lay there before."""


def pack(held: Sequence[Vector], shift_a: int = 0, shift_c: int = 0, seed: int = 0) -> Pack:
    """A pack of `CARDS` that is mixed into `held`; t of the first card is shifted in one half."""
    rng = random.Random(seed)
    key, *sigma = scalars(rng, len(CARDS) + 1)
    rho = scalars(rng, len(held))
    joint = lock.lock(key)
    logs_a, logs_c = [rho[0] + shift_a, *rho[1:]], [rho[0] + shift_c, *rho[1:]]
    return Pack(
        lock.context(GAME, 3, 0, KEY, "mix", 1),
        joint,
        CARDS,
        sigma,
        held,
        logs_a,
        logs_c,
        [pair(v, s, s, joint) for v, s in zip(CARDS, sigma, strict=True)],
        [pair(v, a, c, joint) for v, a, c in zip(held, logs_a, logs_c, strict=True)],
    )


def doubled_pack() -> Pack:
    """Card 1 lies at two positions, card 5 at none."""
    return pack([CARDS[1], *CARDS[1:5], CARDS[0]])


class MixForger(Forger):
    """A forger of a mix: that of match decks, with two halves in the place of one."""

    messages = MIX_MESSAGES

    def run(self) -> bytes:
        """The proof: three rounds, then the answers, then what was left to choose."""
        own: Pack = self.own  # type: ignore[assignment]
        self.sent = dict.fromkeys(MIX_MESSAGES, ANY)
        self.talk = Transcript("mix", own.ctx)
        points = (point for side in (own.cards, own.positions) for each in side for point in each)
        self.talk.absorb("statement", own.joint, *points)
        self._permutation()
        self._powers()
        self._product()
        return self._answer()

    def _half(self, i: int) -> tuple[list[bytes], list[bytes], bytes]:
        own: Pack = self.own  # type: ignore[assignment]
        return [p[i] for p in own.cards], [p[i] for p in own.positions], (base(), own.joint)[i]

    def _powers(self) -> None:
        self.p = self.y_powers if self.free in ("c3", "E_a", "E_c", "c2") else self.linear()
        sums = {}
        for i, name in enumerate(("E_a", "E_c")):
            _, after, by = self._half(i)
            sums[name] = total(*zip(self.alpha, after, strict=True), (self.tau, by))
        self._say(c2=com(self.p, self.r2), c3=com(self.alpha, self.r3), **sums)
        self.talk.absorb("powers", *(self.sent[name] for name in MIX_MESSAGES[1:5]))
        self.lam, self.z = self.talk.challenge("lambda"), self.talk.challenge("z")
        if self.free == "c2":
            self.p = self.linear_with_product()
            self.sent["c2"] = com(self.p, self.r2)

    def _blinding_left(self, p: Sequence[int]) -> int:
        """z_t less tau; where E_c is free, what S2a asks for, else what S2c does."""
        own: Pack = self.own  # type: ignore[assignment]
        logs = own.logs_a if self.free == "E_c" else own.openings
        there = sum(power * log for power, log in zip(self.y_powers, own.blindings, strict=True))
        here = sum(power * log for power, log in zip(p, logs, strict=True))
        return self.x * (there - here) % ORDER

    def _choose(
        self, f: list[int], z_f: int, z_t: int, u: list[int], z_u: int, inner: list[int], z_s: int
    ) -> None:
        if self.free not in ("E_a", "E_c"):
            super()._choose(f, z_f, z_t, u, z_u, inner, z_s)
            return
        before, after, by = self._half(("E_a", "E_c").index(self.free))
        moved = [(-self.x * power, point) for power, point in zip(self.y_powers, before, strict=True)]
        self.sent[self.free] = total(*zip(f, after, strict=True), (z_t, by), *moved)


def forge_mix(own: Pack, free: str, rng: random.Random, solve: bool = True) -> bytes:
    """The proof of a forger who chooses `free`, one of the first messages, after all challenges."""
    return MixForger(own, rng, free, solve=solve).run()  # type: ignore[arg-type]


def simulated_mix(own: Pack, challenges: dict[str, int], rng: random.Random) -> bytes:
    """A proof that fits these challenges: answers at random, first messages solved for."""
    n, (y, lam, z, x) = len(own.cards), (challenges[name] for name in ("y", "lambda", "z", "x"))
    f, u, inner = scalars(rng, n), scalars(rng, n), scalars(rng, n - 2)
    z_f, z_t, z_u, z_s, *blindings = scalars(rng, 7)
    c1, c2, c_Delta = (com([], r) for r in blindings)
    powers = [pow(y, j, ORDER) for j in range(1, n + 1)]
    product = 1
    for j, power in enumerate(powers, 1):
        product = product * (lam * j + power - z) % ORDER
    b = [u[0], *inner, x * product]
    chain = com([x * b[i] - b[i - 1] * u[i] for i in range(1, n)], z_s)
    c3 = solved([(x, c2), (-1, com(f, z_f))], 1)
    sums = []
    for i, by in enumerate((base(), own.joint)):
        moved = [(-x * power, each[i]) for power, each in zip(powers, own.cards, strict=True)]
        sums.append(total(*zip(f, (each[i] for each in own.positions), strict=True), (z_t, by), *moved))
    spread = [(-x * z, slot(i)) for i in range(n)]
    c_d = solved([(x * lam, c1), (x, c2), *spread, (-1, com(u, z_u))], 1)
    c_delta = solved([(x, c_Delta), (-1, chain)], 1)
    values = [*f, z_f, z_t, *u, z_u, *inner, z_s]
    return b"".join([c1, c2, c3, *sums, c_d, c_delta, c_Delta, *map(encode_scalar, values)])


# --- The linear argument ---


def accepted(ctx: bytes, statement: linear.Statement, proof: bytes) -> bool:
    """Tell whether the verifier, such as it is now, takes the proof."""
    try:
        linear.verify(ctx, statement, proof)
    except ProofError:
        return False
    return True


def challenges(ctx: bytes, statement: linear.Statement, first: Sequence[bytes]) -> tuple[int, int]:
    """w and e as the verifier, such as it is now, will draw them."""
    talk = Transcript("linear", ctx)
    talk.absorb("statement", statement.lock, *(p for each in statement.shares for p in each))
    claim = statement.claim
    parts = [] if claim is None else [i2osp(len(claim.pairs), 1), *(p for each in claim.pairs for p in each)]
    talk.absorb("claim", *parts, *(t.encode() for t in (claim.said if claim else ())))
    w = talk.challenge("w")
    talk.absorb("first", *first)
    return w, talk.challenge("e")


def first_messages(statement: linear.Statement, w: int, e: int, answers: Sequence[int]) -> list[bytes]:
    """T_1, T_2 and T_3 that fit these challenges and answers, whatever the statement says."""
    s_x, *inner = answers
    found = [total((s_x, base()), (-e, statement.lock))]
    if statement.shares:
        powers = [pow(w, k, ORDER) for k in range(1, len(statement.shares) + 1)]
        terms = [
            term
            for power, (a, D) in zip(powers, statement.shares, strict=True)
            for term in ((s_x * power, a), (-e * power, D))
        ]
        found.append(total(*terms))
    if statement.claim is not None:
        bases = [encode_point(A(0)), *(encode_point(B(t)) for t in statement.claim.others)]
        pairs = [term for a, c in statement.claim.pairs for term in ((s_x, a), (-e, c))]
        found.append(total(*pairs, *zip(inner, bases, strict=True)))
    return found


def written(first: Sequence[bytes], answers: Sequence[int]) -> bytes:
    """The bytes of a linear proof."""
    return b"".join([*first, *map(encode_scalar, answers)])


def parts(statement: linear.Statement, proof: bytes) -> tuple[list[bytes], list[int]]:
    """The points and scalars of a linear proof."""
    end = 48 * len(statement.names)
    return (
        [proof[i : i + 48] for i in range(0, end, 48)],
        [int.from_bytes(proof[i : i + 32], "big") for i in range(end, len(proof), 32)],
    )


def with_first_chosen_last(ctx: bytes, statement: linear.Statement, proof: bytes, free: int) -> bytes:
    """An honest prover's proof of a false statement, with one T replaced by what the equation asks for."""
    points, answers = parts(statement, proof)
    w, e = challenges(ctx, statement, points)
    points[free] = first_messages(statement, w, e, answers)[free]
    return written(points, answers)
