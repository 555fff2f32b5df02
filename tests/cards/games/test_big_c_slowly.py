"""The hands of Big C, and which hand is higher, checked by a slow and obviously right program."""

from __future__ import annotations

import sys
from itertools import pairwise
from random import Random

import pytest

from cards.games.big_c.hands import Combination, combination_of, compare
from tests.cards.games.big_c_slowly import CARDS, CLASSES, JOKER, Made, beats, best, hands

ALL = 3_162_510


def agree(codes: tuple[str, ...]) -> tuple[Combination, Made] | None:
    """The hand by both programs, which must agree."""
    quick, slow = combination_of(codes), best(codes)
    if quick is None or slow is None:
        assert quick is None, codes
        assert slow is None, codes
        return None
    assert (quick.kind.name, quick.key) == (CLASSES[slow[0]], slow[1]), codes
    return quick, slow


def in_order(found: list[tuple[Combination, Made]]) -> None:
    """Each hand compares to the next as the other program says, both ways."""
    for (quick, slow), (next_quick, next_slow) in pairwise(found):
        for new, old, told in (
            (quick, next_quick, beats(slow, next_slow)),
            (next_quick, quick, beats(next_slow, slow)),
        ):
            verdict = compare(new, old).value
            assert ("higher" if verdict == "half" else verdict) == told


def test_a_sample_of_hands() -> None:
    rng = Random(7)
    found = []
    for jokers, count in ((0, 1_500), (1, 80), (2, 6)):
        for _ in range(count):
            if hand := agree((*rng.sample(CARDS, 5 - jokers), *(JOKER,) * jokers)):
                found.append(hand)
    # Cards of few ranks and suits, so that every class occurs.
    for _ in range(600):
        ranks = rng.sample(["3", "4", "5", "6", "7", "A", "2"], 3)
        few = [code for code in CARDS if code[:-1] in ranks]
        if hand := agree(tuple(rng.sample(few, 5))):
            found.append(hand)
    for low in range(9):
        for suit in "DCHS":
            if hand := agree(tuple(code for code in CARDS[4 * low : 4 * low + 20] if code[-1] == suit)):
                found.append(hand)
    assert {slow[0] for _, slow in found} >= {0, 1, 2, 3, 4, 6}
    in_order(rng.sample(found, len(found)))
    in_order(sorted(found, key=lambda both: both[1]))


@pytest.mark.long
def test_all_hands_of_a_pack_with_two_jokers() -> None:
    def progress(done: int) -> None:
        sys.stderr.write(f"\r{done:,} of {ALL:,} hands")
        sys.stderr.flush()

    counted, found = 0, []
    for codes, ways in hands(progress):
        counted += ways
        if hand := agree(codes):
            found.append(hand)
    assert counted == ALL
    found.sort(key=lambda both: both[1])
    in_order(found)
