"""Points and scalars as a contract takes them: each has one form, and every other form is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chain.evm import EvmChain
from chain.verifiers import Verifiers
from crypto.engines import MODULUS, ORDER
from tests.chain.statements import Sealed, Shuffled, match_deck, published

IDENTITY = b"\xc0" + bytes(47)
Y_BYTES = 48
LARGEST = 1 << 8 * Y_BYTES
CHANGES: dict[str, Callable[[int], int]] = {
    "changed": lambda y: y ^ 1,
    "negated": lambda y: MODULUS - y,
    "zero": lambda y: 0,
    "not reduced": lambda y: y + MODULUS,
}


def _with_y(ys: bytes, at: int, change: Callable[[int], int]) -> bytes:
    start = Y_BYTES * at
    y = change(int.from_bytes(ys[start : start + Y_BYTES], "big"))
    assert y < LARGEST
    return ys[:start] + y.to_bytes(Y_BYTES, "big") + ys[start + Y_BYTES :]


def _places(good: Sealed) -> dict[str, int]:
    """A card in hand, the seal, and the first and the last point of the proof."""
    cards = len(good.hand)
    return {"card": 0, "seal": cards, "first": cards + 1, "last": cards + 3 + good.courses}


def test_a_seal_and_a_deck_hold_as_they_are(verifiers: Verifiers) -> None:
    """Else all that follows would be refused whatever was changed."""
    assert published().asked(verifiers).holds
    assert match_deck().asked(verifiers).holds


def test_the_machines_own_precompile_says_the_same_for_the_same_gas(verifiers: Verifiers) -> None:
    """All other tests put arkworks behind the precompile; py-evm's own is slow, and answers as it does."""
    own = Verifiers.deployed(EvmChain(fast=False))
    good = published()
    changed = _with_y(good.ys, _places(good)["seal"], CHANGES["negated"])
    for found, expected in (
        (good.asked(own), good.asked(verifiers)),
        (good.asked(own, y=changed), good.asked(verifiers, y=changed)),
    ):
        assert found == expected


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("place", ["card", "seal", "first", "last"])
def test_a_seal_with_another_y_is_refused(verifiers: Verifiers, place: str, change: str) -> None:
    good = published()
    assert not good.asked(verifiers, y=_with_y(good.ys, _places(good)[place], CHANGES[change])).holds


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("place", [0, 40, 86])
def test_a_deck_with_another_y_is_refused(verifiers: Verifiers, place: int, change: str) -> None:
    good = match_deck()
    assert not good.asked(verifiers, y=_with_y(good.ys, place, CHANGES[change])).holds


@pytest.mark.parametrize("flags", [b"\x80", b"\xa0", b"\xc0", b"\xe0"])
def test_the_identity_is_no_point(verifiers: Verifiers, flags: bytes) -> None:
    """To the precompile (0, 0) is the identity; here no form of it passes, be its y 0 or not."""
    good = published()
    hand = [flags + bytes(47), *good.hand[1:]]
    for y in (_with_y(good.ys, 0, CHANGES["zero"]), good.ys):
        verdict = good.asked(verifiers, hand=hand, y=y)
        assert not verdict.holds
        assert verdict.why


def _scalars_of_seal(good: Sealed) -> range:
    return range(Y_BYTES * (3 + good.courses), len(good.proof), 32)


def _not_reduced(proof: bytes, at: int) -> bytes:
    scalar = int.from_bytes(proof[at : at + 32], "big") + ORDER
    assert scalar < 1 << 256
    return proof[:at] + scalar.to_bytes(32, "big") + proof[at + 32 :]


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.long)])
def test_a_scalar_of_a_seal_that_is_not_reduced_is_refused(verifiers: Verifiers, step: int) -> None:
    good = published()
    places = _scalars_of_seal(good)
    for at in {*places[::step], places[-1]}:
        verdict = good.asked(verifiers, proof=_not_reduced(good.proof, at))
        assert (verdict.holds, verdict.why) == (False, "scalar")


def _scalars_of_deck(good: Shuffled) -> range:
    return range(Y_BYTES * 7, len(good.proof), 32)


@pytest.mark.parametrize(
    "which", [(0, 40, 41, 42, 82, -1), pytest.param((), marks=pytest.mark.long, id="all")]
)
def test_a_scalar_of_a_deck_that_is_not_reduced_is_refused(
    verifiers: Verifiers, which: tuple[int, ...]
) -> None:
    """Those at the ends of each row of the proof; `make full` tries all."""
    good = match_deck()
    places = _scalars_of_deck(good)
    for at in [places[i] for i in which] or places:
        verdict = good.asked(verifiers, proof=_not_reduced(good.proof, at))
        assert (verdict.holds, verdict.why) == (False, "scalar")
