"""Forged decks and meals in real matches: sent to the house, and in a record that the house helps to write.

The same forgers as elsewhere, with a whole deck of 40 cards and a hand of the real game (protocol 6, 8, 10).
"""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import Any

import pytest

from cards.games.contract import own as position
from crypto import certificate, shuffle
from crypto.encoding import b64
from crypto.group import card_point, encode_scalar
from referee import Message, Refused
from referee.certificate import certificate_digest, check_certificate
from referee.validation import hand_points, meal_context
from tests.attack.algebra import scalars
from tests.attack.ledger import Outcome, attack
from tests.attack.meal_forger import Forged, Forger, Kitchen, slots
from tests.attack.shuffle_forger import MESSAGES, PLACES, Deck, forge
from tests.attack.weak import leaving_out
from tests.referee.forger import Crook, again, refused, report, signed
from tests.referee.table import Table, quietly

HOUSE_TOO = "also all secrets of the house, which helps"

# --- Match decks ---


@pytest.fixture(scope="module")
def table() -> Table:
    """A match that nobody has entered."""
    return Table.chef(seed=7)


@pytest.fixture(scope="module")
def enter(table: Table) -> Message:
    """Seat 0's good `enter`."""
    return table.message(0)


@pytest.fixture(scope="module")
def false_deck(table: Table, enter: Message) -> Deck:
    """Seat 0's certified deck with its first card twice and its last card nowhere."""
    header, seat = table.game.header, table.seats[0]
    cards = check_certificate(header, 0, enter.body["certificate"])
    seed = seat.secret.certificate_seed
    vectors = [card.vector for card in seat.deck]
    held = [vectors[0], vectors[0], *vectors[1:-1]]
    rng = random.Random(9)
    openings = scalars(rng, len(held))
    own = Deck(
        shuffle.context(
            header.game_bytes,
            0,
            header.players[0].key,
            certificate_digest(enter.body["certificate"]),
            header.anchor,
            seat.secret.chain.anchor,
        ),
        vectors,
        [certificate.blinding(seed, j) for j in range(len(vectors))],
        held,
        openings,
        cards,
        [card_point(a, r) for a, r in zip(held, openings, strict=True)],
    )
    assert not own.holds()
    return own


def entering(table: Table, enter: Message, own: Deck, proof: bytes) -> Message:
    return again(table, enter, positions=[b64(point) for point in own.positions], proof=b64(proof))


@attack("a doubled card in a match deck of 40, sent to the house", "protocol 6, 10")
@pytest.mark.parametrize("free", MESSAGES)
def test_the_house_refuses_a_false_match_deck(
    table: Table, enter: Message, false_deck: Deck, free: str, outcome: Outcome
) -> None:
    rng = random.Random(free)
    with leaving_out(*PLACES[free]):
        message = entering(table, enter, false_deck, forge(false_deck, free, rng))
        # Its own memory of what held is new in every copy here, and nothing real goes into it.
        (entry,) = forgetful(table).send(message)
        assert entry.kind == "enter"
    for attempt in (message, entering(table, enter, false_deck, forge(false_deck, free, rng))):
        with refused("bad_proof", "/proof"):
            table.send(attempt)
    outcome.rejected(2, "all 7 are taken where the challenge leaves the message out")


def forgetful(table: Table) -> Table:
    """A copy that has checked nothing yet, and leaves no trace in the original."""
    copy = table.copy()
    copy.checks = type(table.checks)()
    return copy


@attack("a doubled card in a match deck of 40, in a record of the house", "protocol 6, 10", knows=HOUSE_TOO)
def test_a_record_with_a_false_match_deck(
    table: Table, enter: Message, false_deck: Deck, outcome: Outcome
) -> None:
    rng, tries = random.Random(10), 0
    for free in MESSAGES:
        for weak in (True, False):
            with ExitStack() as stack:
                if weak:
                    stack.enter_context(leaving_out(*PLACES[free]))
                crook = Crook.of(table)
                crook.enter(entering(table, enter, false_deck, forge(false_deck, free, rng)))
                assert not weak or report(crook.entries, unfinished=True).valid
            fault = report(crook.entries, unfinished=True).fault
            assert fault is not None
            assert fault.entry == len(crook.entries) - 1
            assert (fault.code, fault.pointer) == ("bad_proof", f"/entries/{fault.entry}/body/proof")
            tries += 1
    outcome.rejected(tries, "found by anyone who verifies; taken by one whose challenge leaves a message out")


# --- Meals ---


@pytest.fixture(scope="module")
def sealing() -> Table:
    """The same, at the seals of the first round."""
    playing = Table.chef(seed=7)
    playing.choose = quietly
    playing.until("seal")
    return playing


@pytest.fixture(scope="module")
def own(sealing: Table) -> Kitchen:
    """Return the hand of seat 0, as a forger wants it."""
    game, seat = sealing.views[0], sealing.seats[0]
    packing = game.rules.packing(game.state, 0)
    cards = [seat.faces[position(0, i)] for i in packing.hand]
    secret = seat.secret
    blindings = [
        certificate.blinding(secret.certificate_seed, secret.permutation[i]) + secret.position_blinding(i)
        for i in packing.hand
    ]
    hand = hand_points(game, 0, packing.hand)
    context = meal_context(game, 0, game.step, packing)
    vectors = [card.vector for card in cards]
    assert [card_point(a, r) for a, r in zip(vectors, blindings, strict=True)] == list(hand)
    return Kitchen(context, packing.boxes, vectors, blindings, hand)


def costly(own: Kitchen) -> int:
    """A card of the hand that can't be served alone."""
    return next(j for j, a in enumerate(own.vectors) if any(a[2:]))


def served_alone(own: Kitchen, free: str, rng: random.Random) -> Forged:
    """A card that costs something, served for nothing; where A is free, sealed beside a proof of nothing."""
    at = costly(own)
    course = int(free[1:]) if free.startswith("W") else 1
    alone = [[int(j == at and c + 1 == course) for c in range(own.courses)] for j in range(len(own.hand))]
    if free != "A":
        return Forger(own, alone, rng, free).run()
    found = Forger(own, [[0] * own.courses for _ in own.hand], rng, free)
    recipes = [
        sum(row[c] * a[1] for row, a in zip(alone, own.vectors, strict=True)) for c in range(own.courses)
    ]
    found.sealed = slots(alone, 1, recipes)
    return found.run()


def told(table: Table, kind: str, body: dict[str, Any]) -> Message:
    """A message of seat 0 to the running step, which has seen the newest entry."""
    seq, digest = max(table.views[0].recent)
    return signed(table, 0, kind, {**body, "seen": {"seq": seq, "digest": b64(digest)}}, table.game.step)


def sealed(table: Table, forged: Forged) -> Message:
    return told(table, "seal", {"seal": b64(forged.seal), "proof": b64(forged.proof)})


FREE = {"A": 1, "W1": 4, "W2": 5, "W3": 6}


@attack("an ingredient served for nothing, sealed in a match", "protocol 8, 10")
@pytest.mark.parametrize("free", FREE)
def test_the_house_refuses_an_illegal_seal(sealing: Table, own: Kitchen, free: str, outcome: Outcome) -> None:
    rng = random.Random(free)
    with leaving_out("meal", FREE[free]):
        forged = served_alone(own, free, rng)
        message = sealed(sealing, forged)
        (entry,) = forgetful(sealing).send(message)
        assert entry.kind == "seal"
        crook = Crook.of(sealing)
        crook.enter(message)
    assert not forged.is_a_legal_meal()
    for attempt in (message, sealed(sealing, served_alone(own, free, rng))):
        with refused("bad_proof", "/proof"):
            forgetful(sealing).send(attempt)
    # The decks of that record are honest; only its last entry is not.
    fault = report(crook.entries, unfinished=True).fault
    assert fault is not None
    assert (fault.entry, fault.code) == (len(crook.entries) - 1, "bad_proof")
    outcome.rejected(3, "also by verifiers of the record; taken where the challenge leaves A or a W out")


@attack("an illegal meal opened, had its seal been taken", "protocol 9, 10")
def test_the_reveal_is_a_second_line(sealing: Table, own: Kitchen, outcome: Outcome) -> None:
    """A hole in the proof would let it be sealed, not served: what is opened is held against the rules."""
    copy, at = forgetful(sealing), costly(own)
    with leaving_out("meal", FREE["A"]):
        forged = served_alone(own, "A", random.Random(12))
        copy.send(sealed(copy, forged))
        copy.answer(1)
    game = copy.views[0]
    state = game.seat(0).sealed
    assert state is not None
    index, is_recipe = state.hand[at], own.vectors[at][1]
    dish = {"recipe": index, "ingredients": []} if is_recipe else {"recipe": None, "ingredients": [index]}
    opening = {
        "position": index,
        "number": own.vectors[at][0],
        "blinding": b64(encode_scalar(own.blindings[at])),
    }
    body = {
        "choice": {"dishes": [{"course": 1, **dish}]},
        "blinding": b64(encode_scalar(forged.blinding)),
        "openings": [opening],
    }
    with pytest.raises(Refused) as caught:
        copy.send(told(copy, "reveal", body))
    assert caught.value.pointer.startswith("/choice")
    assert caught.value.code not in ("wrong_reveal", "wrong_opening", "bad_proof")
    # With any other choice it is the opening that fails.
    with refused("wrong_reveal", "/choice"):
        copy.send(told(copy, "reveal", {**body, "choice": {"dishes": []}, "openings": []}))
    outcome.rejected(2, "by the rules of the mode, though B opens")
