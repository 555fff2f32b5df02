"""Forgers of meals who may choose one message or card after the challenge (protocol 8)."""

from __future__ import annotations

import random

import pytest

from crypto import meal
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import BALANCED, HAND, SHORT, TWICE, Forger, Kitchen, choices, kitchen, slots
from tests.attack.weak import leaving_out

MESSAGES = ("B", "A", "Q", "S", "W1", "W2", "W3")


@pytest.fixture(scope="module")
def own() -> Kitchen:
    return kitchen()


def forger(own: Kitchen, free: str, rng: random.Random) -> Forger:
    """Make the forger who profits from choosing `free` last, with the meal that it would prove."""
    match free:
        case "A":
            # It proves a balanced meal and seals one that costs too little.
            return Forger(own, choices(BALANCED, own.courses), rng, free, seal=SHORT)
        case "Q" | "S":
            return Forger(own, choices(TWICE, own.courses), rng, free)
        case name if name.startswith("W"):
            return Forger(own, choices(SHORT, own.courses, int(name[1:])), rng, free)
    return Forger(own, choices(BALANCED, own.courses), rng, free)


def test_a_legal_meal_is_proven_by_the_forger_s_own_algorithm(own: Kitchen) -> None:
    honest = forger(own, "", random.Random(1)).run()
    assert honest.accepted()
    assert honest.is_a_legal_meal()
    for kind in (TWICE, SHORT):
        illegal = Forger(own, choices(kind, own.courses), random.Random(1)).run()
        assert not illegal.is_a_legal_meal()
        assert not illegal.accepted()


@attack("an illegal meal, the seal or one first message chosen last", "protocol 2, 8")
@pytest.mark.parametrize("free", MESSAGES)
def test_no_first_message_can_be_chosen_after_the_challenge(
    own: Kitchen, free: str, outcome: Outcome
) -> None:
    rng = random.Random(free)
    with leaving_out("meal", MESSAGES.index(free)):
        taken = forger(own, free, rng).run()
        assert taken.accepted(), f"a challenge without {free} is no hole"
    assert not taken.is_a_legal_meal()
    assert not taken.accepted()
    for _ in range(3):
        assert not forger(own, free, rng).run().accepted()
    outcome.rejected(4, "all 7 are taken where the challenge leaves the message out")


@attack("a seal that opens as an illegal meal, its A chosen last", "protocol 2, 8, 9")
def test_a_seal_that_would_open_as_an_illegal_meal(own: Kitchen, outcome: Outcome) -> None:
    rng = random.Random(5)
    with leaving_out("meal", MESSAGES.index("A")):
        taken = forger(own, "A", rng).run()
        assert taken.accepted()
    # The commitment opens at the reveal, to rice for a dish that costs two.
    boxes, recipes = (1, 0, 1, 0, 0), (1, 0, 0)
    assert meal.opens_seal(taken.seal, boxes, recipes, own.courses, taken.blinding)
    assert not taken.accepted()
    outcome.rejected(1, "taken where the challenge leaves A out")


@attack("a card of the hand fitted to an illegal meal, chosen last", "protocol 2, 8")
@pytest.mark.parametrize("at", range(len(HAND)))
def test_no_card_of_the_hand_can_be_chosen_after_the_challenge(
    own: Kitchen, at: int, outcome: Outcome
) -> None:
    rng = random.Random(at)
    with leaving_out("hand", at):
        taken = served_alone(own, at, rng).run()
        assert taken.accepted()
    assert not taken.is_a_legal_meal()
    assert not taken.accepted()
    for _ in range(3):
        assert not served_alone(own, at, rng).run().accepted()
    outcome.rejected(
        4, "taken where the challenge leaves that K out; the match deck's digest binds it once more"
    )


def served_alone(own: Kitchen, at: int, rng: random.Random) -> Forger:
    """A forger who serves card `at` alone, and will say afterwards which card that was."""
    rows = [[int(j == at and c == 0) for c in range(own.courses)] for j in range(len(own.hand))]
    found = Forger(own, rows, rng, str(at))
    # Masks of zero in the other courses, so that the card stands in one equation only.
    found.a[at][1:] = [0] * (own.courses - 1)
    found.masked = slots(found.a, 0, found.e)
    return found
