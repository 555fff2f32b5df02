"""The quick round of hearts is the round of the rules, card by card (hearts 3 to 8)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bots import RandomBot
from bots.simulate import play
from cards.games import find
from cards.games.contract import Move, State
from cards.games.hearts.quick import FOUR, Quick, bits, codes_of
from cards.games.hearts.table import PLACE, pack, playable

HEARTS = find("hearts")


def parts(quick: Quick) -> tuple[object, ...]:
    return (quick.hands, quick.fronts, quick.piles, quick.exposed, quick.leader, quick.mover, quick.trick)


def rounds(seats: int, seed: int, most: int) -> list[list[tuple[State[Any], Move, State[Any]]]]:
    """The choices of the first rounds of a random game, with the states before and after them."""
    found: list[list[tuple[State[Any], Move, State[Any]]]] = []

    def watch(before: State[Any], choices: Any, after: State[Any]) -> None:
        if before.board.round > len(found):
            found.append([])
        found[-1].extend((before, move, after) for move in choices.values())

    play(HEARTS, [RandomBot()] * seats, Random(seed), options={"first": "random"}, watch=watch)
    return found[:most]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_a_round_goes_as_the_rules_say(seats: int) -> None:
    for steps in rounds(seats, seats, 12):
        cards = [step for step in steps if "play" in step[1]]
        quick = Quick.of(cards[0][0])
        for before, move, _ in cards:
            board, led = before.board, [before.faces[p] for p in before.board.trick[:1]]
            allowed = playable(
                board.hands[board.mover],
                board.fronts[board.mover],
                before.faces,
                led[0][-1] if led else None,
            )
            assert quick.playable(board.mover) == bits(before.faces[p] for p in allowed)
            assert parts(quick) == parts(Quick.of(before))
            quick.card(PLACE[move["card"]])
        assert quick.over
        before, _, after = cards[-1]
        gained = [now - then for now, then in zip(after.board.totals, before.board.totals, strict=True)]
        assert quick.points() == gained


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_exposing_goes_as_the_rules_say(seats: int) -> None:
    """The third card exposed brings the fourth with it (3)."""
    told = 0
    for steps in rounds(seats, seats + 10, 12):
        exposed = [step for step in steps if "expose" in step[1]]
        if not exposed:
            continue
        quick = Quick.of(exposed[0][0])
        for before, move, _ in exposed:
            holder = next(s for s, hand in enumerate(before.board.hands) if move["expose"] in hand)
            quick.expose(holder, PLACE[move["card"]])
            told += quick.exposed == FOUR
        first = next(before for before, move, _ in steps if "play" in move)
        assert parts(quick) == parts(Quick.of(first))
    assert told, "all four were exposed in some round"


def test_a_copy_is_played_apart() -> None:
    [steps, *_] = rounds(4, 1, 1)
    quick = Quick.of(next(before for before, move, _ in steps if "play" in move))
    kept, copy = parts(quick.copy()), quick.copy()
    copy.play_out(lambda round, seat, allowed: allowed.bit_length() - 1)
    assert copy.over
    assert parts(quick) == kept
    assert sorted(code for pile in copy.piles for code in codes_of(pile)) == sorted(pack(4))
