"""Seals at the table (protocol sections 8 and 14)."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from cards.games.contract import Move
from crypto import meal
from crypto.encoding import b64, canonical, unb64
from crypto.group import ORDER, H, card_point, decode_point, encode_point, engine
from crypto.secret import Masks
from referee import Message, Refused
from tests.crypto.crypto_kit import bad_points
from tests.referee.forger import again, refused, signed
from tests.referee.meals_kit import round_two
from tests.referee.table import Table
from vectors.example import NO_FRESH


@pytest.fixture(scope="module")
def table() -> Table:
    """A table at the seals of round 2."""
    return round_two()


@pytest.fixture(scope="module")
def seal(table: Table) -> Message:
    """Seat 0's good seal."""
    return table.message(0)


# Seals


def test_a_good_seal_is_taken_and_shows_its_fingerprint(table: Table, seal: Message) -> None:
    copy = table.copy()
    (entry,) = copy.send(seal)
    assert entry.kind == "seal"
    sealed = copy.game.seat(0).sealed
    assert sealed is not None
    assert len(sealed.fingerprint) == 16
    assert sealed.hand == copy.game.state.board.hands[0]
    assert sealed.at == entry.at


def place(table: Table, seat: int) -> dict[str, Any]:
    """Return what the context of this seat's meal says."""
    game = table.game
    packing, deck = game.rules.packing(game.state, seat), game.seat(seat).deck
    assert deck is not None
    return {
        "game": game.header.game_bytes,
        "step": game.step,
        "seat": seat,
        "key": game.header.players[seat].key,
        "set_digest": game.header.set_digest,
        "match_deck": deck.digest,
        "courses": packing.boxes,
        "hand": packing.hand,
    }


def cooked(table: Table, said: Mapping[str, Any], points: tuple[bytes, ...] | None = None) -> dict[str, Any]:
    """An empty meal of seat 0 sealed under a context that says this; its hand is there by heart."""
    seat, game = table.seats[0], table.game
    deck = game.seat(0).deck
    assert deck is not None
    hand = tuple(said["hand"])
    ctx = meal.context(**said)
    courses = said["courses"]
    sealed = meal.prove(
        ctx,
        points or tuple(deck.positions[i] for i in hand),
        [seat.deck[seat.secret.permutation[i]].vector for i in hand],
        [0] * len(hand),
        [0] * len(hand),
        courses,
        Masks(seat.match_secret, ctx, canonical({"dishes": []}), NO_FRESH),
    )
    view = table.views[0]
    seen = {"seq": view.seq, "digest": b64(view.digest)}
    return {"seal": b64(sealed.seal), "proof": b64(sealed.proof), "seen": seen}


def test_a_seal_made_for_its_place_is_taken(table: Table) -> None:
    copy = table.copy()
    copy.send(signed(table, 0, "seal", cooked(table, place(table, 0)), table.game.step))


@pytest.mark.parametrize("name", ["game", "step", "seat", "key", "set_digest", "match_deck"])
def test_a_seal_of_another_place(table: Table, name: str) -> None:
    other = {
        "game": bytes(16),
        "step": table.game.step - 3,
        "seat": 1,
        "key": table.game.header.players[1].key,
        "set_digest": bytes(64),
        "match_deck": place(table, 1)["match_deck"],
    }
    body = cooked(table, {**place(table, 0), name: other[name]})
    with refused("bad_proof", "/proof"):
        table.send(signed(table, 0, "seal", body, table.game.step))


def test_a_seal_of_another_hand(table: Table) -> None:
    said = place(table, 0)
    hand = said["hand"]
    undrawn = next(i for i in range(40) if i not in hand)
    smuggled = sorted([*hand[1:], undrawn])
    with refused("bad_proof", "/proof"):
        table.send(signed(table, 0, "seal", cooked(table, {**said, "hand": smuggled}), table.game.step))
    for other in (hand[1:], sorted([*hand, undrawn])):
        with refused("bad_length", "/proof"):
            table.send(signed(table, 0, "seal", cooked(table, {**said, "hand": other}), table.game.step))


def test_a_seal_of_another_number_of_courses(table: Table) -> None:
    with refused("bad_length", "/proof"):
        table.send(
            signed(table, 0, "seal", cooked(table, {**place(table, 0), "courses": 1}), table.game.step)
        )


def test_a_seal_on_other_points(table: Table) -> None:
    said = place(table, 0)
    points = tuple(card_point((1001, 0, 1, 0, 0, 0, 0), i) for i in range(len(said["hand"])))
    with refused("bad_proof", "/proof"):
        table.send(signed(table, 0, "seal", cooked(table, said, points), table.game.step))


def test_the_opponents_seal_sent_back() -> None:
    copy = Table.chef()
    copy.until("seal")
    theirs = copy.message(1)
    copy.send(theirs)
    view = copy.views[0]
    seen = {"seq": view.seq, "digest": b64(view.digest)}
    curve = engine()
    point = decode_point(unb64(theirs.body["seal"]))
    for shift in (0, 1, ORDER - 1, 12345):
        moved = encode_point(curve.msm([point, H()], [1, shift]))
        body = {**theirs.body, "seal": b64(moved), "seen": seen}
        with refused("bad_proof", "/proof"):
            copy.send(signed(copy, 0, "seal", body, copy.game.step))


def test_a_seal_of_an_earlier_round(table: Table) -> None:
    old = next(entry for entry in table.record if entry.kind == "seal" and entry.actor == "0")
    view = table.views[0]
    body = {**old.body, "seen": {"seq": view.seq, "digest": b64(view.digest)}}
    with pytest.raises(Refused) as caught:
        table.send(signed(table, 0, "seal", body, table.game.step))
    assert caught.value.code == "bad_length", "the hand has grown; of the same size it is bad_proof"


def test_any_flipped_bit_of_a_seal_or_its_proof(table: Table, seal: Message) -> None:
    rng = Random(2)
    for name, count in (("proof", 40), ("seal", 10)):
        data = unb64(seal.body[name])
        for at in rng.sample(range(len(data)), count):
            flipped = bytearray(data)
            flipped[at] ^= 1 << rng.randrange(8)
            with refused("bad_proof", "/proof"):
                table.send(again(table, seal, **{name: b64(bytes(flipped))}))


def test_a_seal_of_another_form(table: Table, seal: Message) -> None:
    proof = unb64(seal.body["proof"])
    for changes, code, pointer in (
        ({"proof": b64(proof[:-1])}, "bad_length", "/proof"),
        ({"proof": b64(proof + b"\0")}, "bad_length", "/proof"),
        ({"proof": b64(proof[:-32] + b"\xff" * 32)}, "bad_proof", "/proof"),
        ({"proof": None}, "bad_bytes", "/proof"),
        ({"seal": b64(bytes(47))}, "bad_bytes", "/seal"),
        ({"envelope": b64(bytes(100))}, "no_envelopes", "/envelope"),
        ({"link": None}, "unknown_field", "/link"),
        ({"choice": {"dishes": []}}, "unknown_field", "/choice"),
    ):
        with refused(code, pointer):
            table.send(again(table, seal, **changes))
    for bad in bad_points(unb64(seal.body["seal"])).values():
        with refused("bad_proof", "/proof"):
            table.send(again(table, seal, seal=b64(bad)))


def illegal(table: Table, boxes: list[int], choice: Move) -> Message:
    """Return what a seat's prover gives for a meal that no rule allows."""
    seat, said = table.seats[0], place(table, 0)
    game, hand = table.game, said["hand"]
    deck = game.seat(0).deck
    assert deck is not None
    vectors = [seat.deck[seat.secret.permutation[i]].vector for i in hand]
    blindings = [seat._blinding(i) for i in hand]
    ctx = meal.context(**said)
    bits = [[int(box == c) for c in (1, 2, 3)] for box in boxes]
    sums = [[j for j, box in enumerate(boxes) if box == c] for c in (1, 2, 3)]
    secret = meal.Witness(
        bits,
        [sum(vectors[j][1] for j in cards) for cards in sums],
        [sum(vectors[j][0] for j in cards) for cards in sums],
        [sum(blindings[j] for j in cards) for cards in sums],
    )
    points = [deck.positions[i] for i in hand]
    sealed = meal.prove_unchecked(ctx, points, secret, 3, Masks(bytes(32), ctx, canonical(choice), NO_FRESH))
    view = table.views[0]
    seen = {"seq": view.seq, "digest": b64(view.digest)}
    body = {"seal": b64(sealed.seal), "proof": b64(sealed.proof), "seen": seen}
    return signed(table, 0, "seal", body, game.step)


def test_illegal_meals_cant_be_sealed(table: Table) -> None:
    faces, hand = table.views[0].state.faces, table.game.state.board.hands[0]
    recipes = [j for j, i in enumerate(hand) if faces[i].is_recipe]
    nothing = [0] * len(hand)
    illegal_boxes = {
        "a recipe without ingredients": [int(j == recipes[0]) for j in range(len(hand))],
        "all in one course": [1] * len(hand),
    }
    table.copy().send(illegal(table, nothing, {}))
    for name, boxes in illegal_boxes.items():
        with pytest.raises(Refused) as caught:
            table.send(illegal(table, boxes, {}))
        assert caught.value.code == "bad_proof", name
