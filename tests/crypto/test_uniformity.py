"""Draws against the uniform distribution (protocol section 7), permutations and masks of a chef (12).

A set of statistics passes if none of its p-values is below 1e-6 over their number (Bonferroni): honest draws
fail a set with probability 1e-6 at most. In `make test` all seeds are fixed, so what passes once passes
always; `make full` draws ten times as much under a fresh seed, which a failure names. That the bound is not
too lax is shown by draws that are a little wrong, each of which must fall far below it.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import pytest

from crypto.encoding import i2osp
from crypto.engines import ORDER
from crypto.fairness import Stream, common_stream, draw, own_stream
from crypto.secret import Masks, MatchSecret
from crypto.transcript import to_scalar, tuple_hash
from tests.crypto.uniformity import (
    chi_square_tail,
    cycle_shares,
    cycles,
    even,
    fixed_point_shares,
    inversion_shares,
    inversions,
    normal_tails,
    permutations,
    relative,
    worst,
)
from vectors.example import NO_FRESH

ALPHA = 1e-6
FIXED = "a fixed seed"
WORDS = 2**64


def fair(found: Mapping[str, float], seed: str) -> None:
    """Check that none of the p-values is too small."""
    name, p = worst(found)
    assert p >= ALPHA / len(found), f"{name}: p = {p:.3g} of {len(found)}, with the seed {seed!r}"


def biased(found: Mapping[str, float], *by: str) -> None:
    """One of the p-values (of those named, if any are) is far too small."""
    named = {name: found[name] for name in by or found}
    name, p = worst(named)
    assert p < ALPHA / len(found) / 1e3, f"{name}: p = {p:.3g}"


class Draws:
    """Streams under a seed: of games, deals and seats by number."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def hash(self, *parts: object) -> bytes:
        return tuple_hash("statistics", self.seed.encode(), *(str(part).encode() for part in parts))

    def own(self, game: int, deal: int = 1, seat: int = 0, other: bytes | None = None) -> Stream:
        """A stream of a deal of own decks."""
        z, house = self.hash("z", game), self.hash("house", game, deal)
        link = self.hash("link", game, deal, 1 - seat) if other is None else other
        return own_stream(z, deal, house, link, seat)

    def common(self, game: int, deal: int = 1, seats: int = 3) -> Stream:
        """The stream of a deal of a common pack."""
        links = [self.hash("link", game, deal, seat) for seat in range(seats)]
        return common_stream(self.hash("z", game), deal, self.hash("house", game, deal), links)

    def decks(self, games: int, cards: int = 40, **place: int) -> list[tuple[int, ...]]:
        """Whole draws of many games."""
        return [draw(self.own(game, **place), range(cards), cards) for game in range(games)]


# The statistics themselves


def test_tails_are_those_of_the_tables() -> None:
    for x in (0.1, 1.0, 4.0, 30.0, 90.0):
        assert math.isclose(chi_square_tail(x, 1), math.erfc(math.sqrt(x / 2)), rel_tol=1e-9)
        assert math.isclose(chi_square_tail(x, 2), math.exp(-x / 2), rel_tol=1e-9)
        poisson = sum(math.exp(-x / 2) * (x / 2) ** k / math.factorial(k) for k in range(10))
        assert math.isclose(chi_square_tail(x, 20), poisson, rel_tol=1e-9)
    assert math.isclose(chi_square_tail(3.841458820694124, 1), 0.05, rel_tol=1e-9)
    assert math.isclose(chi_square_tail(1617.21, 1521), 0.0423, rel_tol=0.02)
    assert math.isclose(normal_tails(1.959963984540054), 0.05, rel_tol=1e-9)
    assert chi_square_tail(0, 7) == 1


def test_shares_are_those_of_all_permutations_of_five() -> None:
    from itertools import permutations as orders

    every = list(orders(range(5)))
    fixed = [sum(i == card for i, card in enumerate(order)) for order in every]
    for values, shares in (
        ([cycles(order) for order in every], cycle_shares(5)),
        ([inversions(order) for order in every], inversion_shares(5)),
        (fixed, fixed_point_shares(5)),
    ):
        assert [values.count(k) / 120 for k in range(len(shares))] == pytest.approx(list(shares))
    for shares in (cycle_shares(54), inversion_shares(54), fixed_point_shares(54)):
        assert math.isclose(math.fsum(shares), 1)


# Indices below n

SMALL = (1, 2, 3, 5, 6, 7, 40, 39, 52, 54, 255, 256, 1000)
LARGE = (2**63 + 1, 3 * 2**62, 2**63 + 2**62 + 12345, 2**64 - 1, 2**64)
"""Without throwing words away, the first two thirds of 3 * 2^62 would come twice as often as the last."""


def indices(stream: Stream, times: int) -> dict[str, float]:
    """p-values of many indices below each n, one after another from one stream."""
    found = {}
    for n in SMALL:
        values = [stream.below(n) for _ in range(times)]
        if n == 1:
            assert set(values) == {0}
        else:
            found[f"below {n}"] = even(values, n)
            found[f"pairs below {n}"] = even(
                (values[i] * n + values[i + 1] for i in range(0, times, 2)), n * n
            )
    for n in LARGE:
        values = [stream.below(n) for _ in range(times)]
        assert max(values) < n
        found[f"sixty-fourths of {n}"] = even((value * 64 // n for value in values), 64)
        found[f"last bits below {n}"] = even((value % 32 for value in values), 32)
    return found


def test_indices_are_uniform() -> None:
    fair(indices(Draws(FIXED).own(0), 4000), FIXED)


@pytest.mark.parametrize(
    "n", [2, 3, 6, 7, 40, 52, 54, 2**32 + 1, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64]
)
def test_the_words_next_to_the_bound_are_taken_and_thrown_away_exactly(n: int) -> None:
    at_the_bound(Stream, n)


def at_the_bound(kind: type[Stream], n: int) -> None:
    """A made-up stream: the last word that counts, the first that does not, the last of all."""
    limit = n * (WORDS // n)

    def below(*words: int) -> tuple[int, int]:
        """The index, and how many words it took."""
        taken: list[int] = []

        def block(i: int) -> bytes:
            taken.append(i)
            return i2osp(words[i], 8)

        return kind(block).below(n), len(taken)

    assert below(limit - 1) == (n - 1, 1)
    assert below(0) == (0, 1)
    if limit < WORDS:
        assert below(limit, 1 % n) == (1 % n, 2)
        assert below(WORDS - 1, limit, limit - 1) == (n - 1, 3)
    else:
        assert below(WORDS - 1) == (n - 1, 1)


# Draws without replacement


def test_draws_of_forty_are_uniform_permutations() -> None:
    fair(permutations(Draws(FIXED).decks(4000)), FIXED)


@pytest.mark.parametrize("cards", [52, 54])
def test_packs_are_uniform_permutations(cards: int) -> None:
    draws = Draws(FIXED)
    fair(permutations([draw(draws.common(game), range(cards), cards) for game in range(1500)]), FIXED)


def test_hands_from_a_pool_with_gaps_are_uniform() -> None:
    """Six of the odd positions: each as often as another, at every place."""
    draws, pool = Draws(FIXED), range(1, 40, 2)
    hands = [draw(draws.own(game, 2), pool, 6) for game in range(3000)]
    found = {f"card {i}": even((hand[i] // 2 for hand in hands), 20) for i in range(6)}
    found["first among its hand"] = even((sorted(hand).index(hand[0]) for hand in hands), 6)
    fair(found, FIXED)


def test_permutations_of_match_secrets_are_uniform() -> None:
    draws = Draws(FIXED)
    fair(permutations([MatchSecret(draws.hash("w", i)[:32]).permutation for i in range(4000)]), FIXED)


# Independence


def pairs(draws: Draws, games: int) -> Iterator[tuple[str, Sequence[Sequence[int]], Sequence[Sequence[int]]]]:
    """Draws that must tell nothing of each other."""
    first = draws.decks(games)
    yield "the seats of a deal", first, draws.decks(games, seat=1)
    yield "deals of a game", first, draws.decks(games, deal=2)
    yield "games after one another", first[:-1], first[1:]
    silent = [draw(draws.own(game, other=b""), range(40), 40) for game in range(games)]
    yield "a link and none", first, silent
    twins = []
    for game in range(games):
        z, house, link = draws.hash("z", game), draws.hash("house", game, 1), draws.hash("link", game, 1, 1)
        flipped = bytes([link[0] ^ 1]) + link[1:]
        twins.append(draw(own_stream(z, 1, house, flipped, 0), range(40), 40))
    yield "a link and one a bit apart", first, twins
    packs = [draw(draws.common(game), range(40), 40) for game in range(games)]
    yield "own decks and a common pack", first, packs


def independence(draws: Draws, games: int) -> dict[str, float]:
    """The p-values of what turns one into the other being uniform."""
    return {
        f"{name}: {statistic}": p
        for name, ones, others in pairs(draws, games)
        for statistic, p in permutations(relative(ones, others)).items()
    }


def test_draws_of_other_seats_deals_and_games_are_independent() -> None:
    fair(independence(Draws(FIXED), 1200), FIXED)


# Masks


def masks_of(draws: Draws, secrets_: int, each: int) -> dict[str, float]:
    """p-values of masks as numbers below q: by value, by last byte, and bit for bit."""
    values = [
        value
        for i in range(secrets_)
        for value in Masks(draws.hash("w", i)[:32], b"ctx", b"[]", NO_FRESH).take(each)
    ]
    assert max(values) < ORDER
    found = {
        "value": even((value * 256 // ORDER for value in values), 256),
        "last byte": even((value & 255 for value in values), 256),
        "neighbours": even(
            (value * 16 // ORDER * 16 + other * 16 // ORDER for value, other in _two(values)), 256
        ),
    }
    for bit in range(255):
        ones = sum(value >> bit & 1 for value in values)
        share = ones_below(ORDER, bit) / ORDER
        deviation = math.sqrt(len(values) * share * (1 - share))
        found[f"bit {bit}"] = normal_tails((ones - len(values) * share) / deviation)
    return found


def _two(values: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(values[::2], values[1::2], strict=False)


def ones_below(n: int, bit: int) -> int:
    """Count the numbers of 0..n-1 that have this bit."""
    whole, rest = divmod(n, 2 << bit)
    return (whole << bit) + max(0, rest - (1 << bit))


def test_masks_are_uniform_below_q() -> None:
    assert [ones_below(11, bit) for bit in range(4)] == [5, 5, 4, 3]
    fair(masks_of(Draws(FIXED), 40, 250), FIXED)


def test_the_bias_of_a_mask_is_below_two_to_the_minus_256() -> None:
    """512 bits mod q: every residue has floor or ceil of 2^512/q digests, so it differs from 1/q by less
    than 2^-512, and all together from uniform by at most q 2^-512 / 2 < 2^-257."""
    most = -(-(2**512) // ORDER)
    assert most - 2**512 // ORDER == 1
    assert ORDER * 2**256 < 2**512 * 2
    assert ORDER < 2**255
    for digest, residue in ((ORDER - 1, ORDER - 1), (ORDER, 0), (2**512 - 1, (2**512 - 1) % ORDER)):
        assert to_scalar(digest.to_bytes(64, "big")) == residue
    # With 32 bytes the first residues would come three times in 2^256 / q = 2.2: far from uniform.
    short = [int.from_bytes(Draws(FIXED).hash("short", i)[:32], "big") % ORDER for i in range(4000)]
    biased({"value": even((value * 16 // ORDER for value in short), 16)})


# Faults are found


class Bytewise(Stream):
    """Takes a byte mod n: below 40, the first 16 come seven times where the others come six times."""

    def below(self, n: int) -> int:
        return self._word() % 256 % n


class Folded(Stream):
    """Takes any word mod n, and throws none away."""

    def below(self, n: int) -> int:
        return self._word() % n


class Inclusive(Stream):
    """Takes the first word that should be thrown away."""

    def below(self, n: int) -> int:
        limit = min(n * (WORDS // n), WORDS - 1)
        while (word := self._word()) > limit:
            pass
        return word % n


class Early(Stream):
    """Throws away the last word that should be taken."""

    def below(self, n: int) -> int:
        limit = n * (WORDS // n) - 1
        while (word := self._word()) >= limit:
            pass
        return word % n


class OneByte(Stream):
    """Uses the highest byte of a word alone."""

    def below(self, n: int) -> int:
        return (self._word() >> 56) * n >> 8


def streams(kind: type[Stream], seed: str = "wrong") -> Callable[[int], Stream]:
    """Streams of this kind under hashes of their own."""
    return lambda game: kind(
        partial(lambda game, i: tuple_hash("statistics", seed.encode(), i2osp(game, 4), i2osp(i, 4)), game)
    )


def off_by_one(stream: Stream, n: int) -> tuple[int, ...]:
    """The last one that is left is never drawn."""
    left = list(range(n))
    return tuple(left.pop(stream.below(max(1, len(left) - 1))) for _ in range(n))


def cyclic(stream: Stream, n: int) -> tuple[int, ...]:
    """Each place changes with an earlier one (Sattolo's algorithm): all is one cycle."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = stream.below(i)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def any_place(stream: Stream, n: int) -> tuple[int, ...]:
    """Each place changes with any: n^n ways for n! orders."""
    order = list(range(n))
    for i in range(n):
        j = stream.below(n)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def too_few(stream: Stream, n: int) -> tuple[int, ...]:
    """The last two places are left as they are."""
    order = list(range(n))
    for i in range(n - 2):
        j = i + stream.below(n - i)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def test_indices_from_bytes_or_without_rejection_are_found() -> None:
    biased(indices(streams(Bytewise)(0), 3000), "below 1000")
    biased(indices(streams(OneByte)(0), 3000), "below 1000")
    biased(indices(streams(Folded)(0), 3000), f"sixty-fourths of {3 * 2**62}")
    fair(indices(streams(Stream)(0), 3000), "wrong")


@pytest.mark.parametrize("kind", [Folded, Inclusive, Early])
def test_a_bound_that_is_off_by_a_word_is_found(kind: type[Stream]) -> None:
    with pytest.raises((AssertionError, IndexError)):
        at_the_bound(kind, 6)


@pytest.mark.parametrize("wrong", [off_by_one, cyclic, any_place, too_few])
def test_shuffles_that_are_a_little_wrong_are_found(wrong: Callable[[Stream, int], tuple[int, ...]]) -> None:
    make = streams(Stream)
    biased(permutations([wrong(make(game), 40) for game in range(2000)]))


def test_a_shuffle_from_bytes_is_found() -> None:
    make = streams(Bytewise)
    biased(permutations([draw(make(game), range(40), 40) for game in range(7000)]), "places and cards")


def test_draws_that_know_of_each_other_are_found() -> None:
    """The same stream for both seats; or one seat's deck turned by one place."""
    ones = Draws(FIXED).decks(1000)
    biased(permutations(relative(ones, ones)))
    turned = [[*order[1:], order[0]] for order in ones]
    biased(permutations(relative(ones, turned)))
    # A weak tie: in every tenth game the other seat draws the same.
    others = Draws(FIXED).decks(1000, seat=1)
    tied = [ones[i] if i % 10 == 0 else other for i, other in enumerate(others)]
    biased(permutations(relative(ones, tied)))


# Fresh seeds


@pytest.mark.long
def test_draws_under_a_fresh_seed_are_uniform_and_independent() -> None:
    seed = secrets.token_hex(16)
    draws = Draws(seed)
    fair(indices(draws.own(0), 100_000), seed)
    fair(permutations(draws.decks(40_000)), seed)
    for cards in (52, 54):
        packs = [draw(draws.common(game), range(cards), cards) for game in range(15_000)]
        fair(permutations(packs), seed)
    fair(permutations([MatchSecret(draws.hash("w", i)[:32]).permutation for i in range(40_000)]), seed)
    fair(independence(draws, 12_000), seed)
    fair(masks_of(draws, 400, 250), seed)
