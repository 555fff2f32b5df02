"""Forgers of decks who may choose one message or point after the challenge (protocol 6)."""

from __future__ import annotations

import random

import pytest

from crypto import meal
from tests.attack.ledger import Outcome, attack
from tests.attack.shuffle_forger import (
    CERTIFIED,
    MESSAGES,
    PLACES,
    Deck,
    deck,
    doubled,
    forge,
    forge_statement,
    prove,
)
from tests.attack.weak import leaving_out

N = len(CERTIFIED)


@pytest.fixture(scope="module")
def false_deck() -> Deck:
    own = doubled()
    assert not own.holds()
    return own


def test_an_honest_deck_is_proven_by_the_forger_s_own_algorithm() -> None:
    order = [2, 0, 5, 1, 4, 3]
    own = deck(CERTIFIED, [CERTIFIED[j] for j in order])
    assert own.holds()
    rng = random.Random(1)
    proof = prove(own, [j + 1 for j in order], lambda work: [work.y_powers[j] for j in order], rng)
    assert own.accepted(proof)


@attack("a doubled card, one first message of the shuffle chosen last", "protocol 2, 6")
@pytest.mark.parametrize("free", MESSAGES)
def test_no_first_message_can_be_chosen_after_its_challenge(
    false_deck: Deck, free: str, outcome: Outcome
) -> None:
    rng = random.Random(free)
    with leaving_out(*PLACES[free]):
        taken = forge(false_deck, free, rng)
        assert false_deck.accepted(taken), f"a challenge without {free} is no hole"
    assert not false_deck.accepted(taken)
    # The forger against the real challenge: solving for the message moves the challenge.
    for _ in range(3):
        assert not false_deck.accepted(forge(false_deck, free, rng))
    outcome.rejected(4, "all 7 are taken where the challenge leaves the message out")


@attack("a match deck of one card and a point fitted to it, chosen last", "protocol 2, 6")
@pytest.mark.parametrize("at", range(N))
def test_no_position_can_be_chosen_after_the_challenge(at: int, outcome: Outcome) -> None:
    best = CERTIFIED[0]
    wished = deck(CERTIFIED, [best] * N)
    rng = random.Random(at)
    with leaving_out("statement", N + at):
        own, proof = forge_statement(wished, "positions", at, rng)
        assert own.accepted(proof)
    assert not own.holds()
    # Every other position would open as the best card, of which the certificate has one.
    others = [i for i in range(N) if i != at]
    assert all(meal.opens_card(own.positions[i], best, own.openings[i]) for i in others)
    assert not own.accepted(proof)
    for _ in range(3):
        own, proof = forge_statement(wished, "positions", at, rng)
        assert not own.accepted(proof)
    outcome.rejected(4, "all are taken where the challenge leaves that K out")


@attack("a certificate's point fitted to a false deck, house and chef together", "protocol 2, 6")
@pytest.mark.parametrize("at", range(N))
def test_no_point_of_the_certificate_can_be_chosen_after_the_challenge(
    false_deck: Deck, at: int, outcome: Outcome
) -> None:
    rng = random.Random(at)
    with leaving_out("statement", at):
        own, proof = forge_statement(false_deck, "cards", at, rng)
        assert own.accepted(proof)
    assert not own.holds()
    assert not own.accepted(proof)
    for _ in range(3):
        own, proof = forge_statement(false_deck, "cards", at, rng)
        assert not own.accepted(proof)
    outcome.rejected(
        4, "taken where the challenge leaves that D out; the certificate's digest in ctx binds it once more"
    )
