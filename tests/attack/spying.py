"""The view of a spy on a proof, and what it can work out for each witness that it holds possible.

The spy is given two whole witnesses, either of which could have made the proof: all that it lacks are the
masks. For a mask that is left out, `SHUFFLE_TELLS` and `MEAL_TELLS` say how it tells the witnesses apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from crypto import meal
from crypto.group import ORDER, decode_scalar
from crypto.secret import Masks
from crypto.transcript import Transcript
from tests.attack.algebra import com
from tests.attack.meal_forger import Kitchen, slots
from tests.crypto.crypto_kit import POINT, SCALAR

Reach = tuple[int, int]
"""Numbers of masks, from and to (exclusive), in the order of section 12."""


def shuffle_masks(n: int) -> dict[str, Reach]:
    """Name each of a shuffle's masks."""
    names = ("r1", "r2", "alpha", "r3", "tau", "d", "r_d", "s_1", "s_x", "delta")
    return _named(zip(names, (1, 1, n, 1, 1, n, 1, 1, 1, n - 2), strict=True))


def meal_masks(m: int, courses: int) -> dict[str, Reach]:
    """Name each of a meal's masks."""
    names = ("a", "e", "r_B", "r_A", "r_Q", "r_S", "t", "u")
    return _named(zip(names, (m * courses, courses, 1, 1, 1, 1, courses, courses), strict=True))


def _named(sizes: Iterable[tuple[str, int]]) -> dict[str, Reach]:
    found, start = {}, 0
    for name, size in sizes:
        found[name] = (start, start + size)
        start += size
    return found


class Maimed(Masks):
    """Masks of which those in reach go through `change`: to nothing, or to something short."""

    def __init__(self, w: bytes, ctx: bytes, witness: bytes, fresh: bytes, reach: Reach, bits: int) -> None:
        super().__init__(w, ctx, witness, fresh)
        self._reach, self._bits = range(*reach), bits

    def mask(self, j: int) -> int:
        """The j-th mask, of no more than `bits` bits if it is in reach."""
        whole = super().mask(j)
        return whole % 2**self._bits if j in self._reach else whole


# --- Shuffles ---


@dataclass(frozen=True)
class ShuffleView:
    """A match deck's proof, read, with its challenges."""

    points: dict[str, bytes]
    f: list[int]
    z_f: int
    z_t: int
    u: list[int]
    z_u: int
    inner: list[int]
    z_s: int
    y: int
    lam: int
    z: int
    x: int


def see_shuffle(ctx: bytes, cards: Sequence[bytes], positions: Sequence[bytes], proof: bytes) -> ShuffleView:
    """Return what anyone can read in a proof."""
    n, names = len(cards), ("c1", "c2", "c3", "E", "c_d", "c_delta", "c_Delta")
    points, s = _read(proof, len(names))
    talk = Transcript("shuffle", ctx)
    talk.absorb("statement", *cards, *positions)
    talk.absorb("permutation", points[0])
    y = talk.challenge("y")
    talk.absorb("powers", *points[1:4])
    lam, z = talk.challenge("lambda"), talk.challenge("z")
    talk.absorb("product", *points[4:])
    x = talk.challenge("x")
    named = dict(zip(names, points, strict=True))
    u, inner = s[n + 2 : 2 * n + 2], s[2 * n + 3 : 3 * n + 1]
    return ShuffleView(named, s[:n], s[n], s[n + 1], u, s[2 * n + 2], inner, s[-1], y, lam, z, x)


@dataclass(frozen=True)
class Order:
    """A witness of a shuffle: the permutation and the t_i."""

    permutation: Sequence[int]
    blindings: Sequence[int]


class ShuffleGuess:
    """All values of a proof under one witness."""

    def __init__(self, view: ShuffleView, of: Order) -> None:
        self.entries = [j + 1 for j in of.permutation]
        self.p = [pow(view.y, entry, ORDER) for entry in self.entries]
        self.R = sum(p * t for p, t in zip(self.p, of.blindings, strict=True)) % ORDER
        self.factors = [
            (view.lam * e + p - view.z) % ORDER for e, p in zip(self.entries, self.p, strict=True)
        ]
        self.b = list(accumulate(self.factors, lambda left, right: left * right % ORDER))
        x, n = view.x, len(self.p)
        self.alpha = [(f - x * p) % ORDER for f, p in zip(view.f, self.p, strict=True)]
        self.d = [(value - x * u) % ORDER for value, u in zip(view.u, self.factors, strict=True)]
        inner = [(value - x * b) % ORDER for value, b in zip(view.inner, self.b[1:-1], strict=True)]
        self.delta = delta = [self.d[0], *inner, 0]
        d, u, b = self.d, self.factors, self.b
        self.small = [-delta[i - 1] * d[i] for i in range(1, n)]
        self.large = [delta[i] - u[i] * delta[i - 1] - b[i - 1] * d[i] for i in range(1, n)]


ShuffleTell = Callable[[ShuffleView, ShuffleGuess], bool]
SHUFFLE_TELLS: dict[str, ShuffleTell] = {
    "r1": lambda view, guess: view.points["c1"] == com(guess.entries, 0),
    "r2": lambda view, guess: view.points["c2"] == com(guess.p, 0),
    "alpha": lambda view, guess: not any(guess.alpha),
    "r3": lambda view, guess: view.points["c3"] == com(guess.alpha, 0),
    "tau": lambda view, guess: (view.z_t + view.x * guess.R) % ORDER == 0,
    "d": lambda view, guess: not any(guess.d),
    "r_d": lambda view, guess: view.points["c_d"] == com(guess.d, 0),
    "s_1": lambda view, guess: view.points["c_delta"] == com(guess.small, 0),
    "s_x": lambda view, guess: view.points["c_Delta"] == com(guess.large, 0),
    "delta": lambda view, guess: not any(guess.delta[1:]),
}
"""The function for each blinder that tells whether a witness fits if that blinder was left out."""


# --- Meals ---


@dataclass(frozen=True)
class MealView:
    """A seal and its proof, read, with the challenge."""

    points: dict[str, bytes]
    rows: list[list[int]]
    f_g: list[int]
    z_A: int
    z_Q: int
    n: list[int]
    k: list[int]
    x: int


def see_meal(own: Kitchen, seal: bytes, proof: bytes) -> MealView:
    """Return what anyone can read in a seal and its proof."""
    C, m = own.courses, len(own.hand)
    points, s = _read(proof, 3 + C)
    talk = Transcript("meal", own.ctx)
    talk.absorb("hand", *own.hand)
    talk.absorb("meal", seal, *points)
    named = dict(zip(("B", "A", "Q", "S", *(f"W{c}" for c in range(C))), (seal, *points), strict=True))
    rows, rest = [s[j * C : j * C + C] for j in range(m)], s[m * C :]
    n, k = rest[C + 2 :: 2], rest[C + 3 :: 2]
    return MealView(named, rows, rest[:C], rest[C], rest[C + 1], n, k, talk.challenge("x"))


class MealGuess:
    """All values of a seal under one witness."""

    def __init__(self, view: MealView, of: meal.Witness) -> None:
        x = view.x
        self.bits = slots(of.bits, 1, of.recipes)
        self.a = [
            [(f - x * b) % ORDER for f, b in zip(*pair, strict=True)]
            for pair in zip(view.rows, of.bits, strict=True)
        ]
        self.e = [(f - x * g) % ORDER for f, g in zip(view.f_g, of.recipes, strict=True)]
        self.masks = slots(self.a, 0, self.e)
        self.cross = [mask * (1 - 2 * bit) for mask, bit in zip(self.masks, self.bits, strict=True)]
        self.squares = [-mask * mask for mask in self.masks]
        self.t = [(n - x * value) % ORDER for n, value in zip(view.n, of.numbers, strict=True)]
        self.u = [(k - x * value) % ORDER for k, value in zip(view.k, of.blindings, strict=True)]


MealTell = Callable[[MealView, MealGuess], bool]
MEAL_TELLS: dict[str, MealTell] = {
    "a": lambda view, guess: not any(value for row in guess.a for value in row),
    "e": lambda view, guess: not any(guess.e),
    "r_B": lambda view, guess: view.points["B"] == com(guess.bits, 0),
    "r_A": lambda view, guess: view.points["A"] == com(guess.masks, 0),
    "r_Q": lambda view, guess: view.points["Q"] == com(guess.cross, 0),
    "r_S": lambda view, guess: view.points["S"] == com(guess.squares, 0),
    "t": lambda view, guess: not any(guess.t),
    "u": lambda view, guess: not any(guess.u),
}
"""The function for each blinder that tells whether a witness fits if that blinder was left out."""


def _read(proof: bytes, count: int) -> tuple[list[bytes], list[int]]:
    end = POINT * count
    return (
        [proof[i : i + POINT] for i in range(0, end, POINT)],
        [decode_scalar(proof[i : i + SCALAR]) for i in range(end, len(proof), SCALAR)],
    )


def told(fits: Iterable[bool]) -> int | None:
    """Tell which of two witnesses it was, where exactly one of them fits."""
    found = [i for i, fit in enumerate(fits) if fit]
    return found[0] if len(found) == 1 else None
