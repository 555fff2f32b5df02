"""Certificates, match decks and the first entry (protocol sections 5, 6 and 14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from crypto import shuffle
from crypto.encoding import b64, canonical, unb64
from crypto.group import ORDER, encode_scalar
from crypto.identity import sign
from crypto.secret import Masks
from referee import Message, Refused, apply
from referee.certificate import certificate_digest, certify, check_certificate, owner_checks
from referee.record import GENESIS, write_entry
from tests.crypto.crypto_kit import bad_points
from tests.referee.forger import again, at_path, refused, signed, without
from tests.referee.table import Table, bytes_of
from vectors.example import NO_FRESH
from vectors.matches import CARDS, DECKS

Body = Mapping[str, Any]
DEFAULTS = {"enter": 60, "ready": 60, "link": 30, "bank": 0, "seal": 120, "reveal": 30, "choice": 30}


@pytest.fixture(scope="module")
def table() -> Table:
    """A match that nobody has entered."""
    return Table.chef()


@pytest.fixture(scope="module")
def enter(table: Table) -> Message:
    """Seat 0's good `enter`."""
    return table.message(0)


def resigned(table: Table, certificate: Body, **changes: Any) -> dict[str, Any]:
    """A certificate with other contents, signed by the house all the same."""
    unsigned = without({**certificate, **changes}, "signature")
    return {**unsigned, "signature": b64(sign(table.keeper.private, certificate_digest(unsigned)))}


def test_a_good_enter_is_taken(table: Table, enter: Message) -> None:
    copy = table.copy()
    (entry,) = copy.send(enter)
    assert entry.kind == "enter"
    assert copy.game.seat(0).deck is not None


def test_a_certificate_of_another_game(table: Table, enter: Message) -> None:
    other = Table.chef(seed=1)
    header, seat = other.game.header, table.seats[0]
    theirs = certify(table.keeper.private, header, 0, seat.deck, seat.secret.certificate_seed, table.now)
    with refused("wrong_game", "/certificate/game"):
        table.send(again(table, enter, certificate=theirs))


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        ({"seat": 1}, "wrong_seat", "seat"),
        ({"seat": False}, "bad_integer", "seat"),
        ({"key": b64(bytes(32))}, "wrong_key", "key"),
        ({"key": b64(bytes(31))}, "bad_bytes", "key"),
        ({"set_digest": b64(bytes(64))}, "wrong_set_digest", "set_digest"),
        ({"at": "2026-11-20T10:00:00Z"}, "bad_time", "at"),
        ({"cards": []}, "bad_length", "cards"),
        ({"more": 1}, "unknown_field", "more"),
    ],
)
def test_a_certificate_that_says_something_else(
    table: Table, enter: Message, changes: Body, code: str, pointer: str
) -> None:
    certificate = resigned(table, enter.body["certificate"], **changes)
    with refused(code, f"/certificate/{pointer}"):
        table.send(again(table, enter, certificate=certificate))


def test_a_certificate_for_the_other_seat(table: Table, enter: Message) -> None:
    theirs = table.message(1).body["certificate"]
    with refused("wrong_seat", "/certificate/seat"):
        table.send(again(table, enter, certificate=theirs))


@pytest.mark.parametrize("count", [39, 41])
def test_a_certificate_of_other_than_forty_cards(table: Table, enter: Message, count: int) -> None:
    certificate = enter.body["certificate"]
    cards = (certificate["cards"] * 2)[:count]
    with refused("bad_length", "/certificate/cards"):
        table.send(again(table, enter, certificate=resigned(table, certificate, cards=cards)))


def test_a_certificate_or_match_deck_with_bytes_that_are_no_point(table: Table, enter: Message) -> None:
    certificate = enter.body["certificate"]
    for bad in bad_points(unb64(certificate["cards"][7])).values():
        changed = resigned(table, at_path(certificate, ["cards", 7], b64(bad)))
        with refused("bad_point", "/certificate/cards/7"):
            table.send(again(table, enter, certificate=changed))
        with refused("bad_proof", "/proof"):
            table.send(again(table, enter, positions=at_path(enter.body["positions"], [7], b64(bad))))


def test_a_certificate_not_by_the_house(table: Table, enter: Message) -> None:
    certificate = enter.body["certificate"]
    stranger = b64(sign(bytes_of("stranger"), certificate_digest(certificate)))
    for changed in (
        {**certificate, "signature": stranger},
        {**certificate, "at": "2026-11-20T10:00:00.000Z"},
        {**certificate, "cards": [certificate["cards"][1], *certificate["cards"][1:]]},
        {**certificate, "signature": b64(bytes(64))},
    ):
        with refused("bad_signature", "/certificate/signature"):
            table.send(again(table, enter, certificate=changed))


def test_the_owner_sees_when_another_card_was_certified(table: Table) -> None:
    seat, header = table.seats[0], table.game.header
    seed, private = seat.secret.certificate_seed, table.keeper.private
    other = [*seat.deck[:5], CARDS[-1], *seat.deck[6:]]
    # Sorted by number, the cards from the fifth on have moved up by one, where they are others.
    moved = [sorted(other, key=lambda card: card.number), seat.deck]
    first = next(j for j, (one, own) in enumerate(zip(*moved, strict=True)) if one != own)
    with refused("wrong_card", f"/cards/{first}"):
        owner_checks(header, 0, certify(private, header, 0, other, seed, table.now), seat.deck, seed)
    with refused("wrong_card", "/cards/0"):
        owner_checks(header, 0, certify(private, header, 0, seat.deck, bytes(32), table.now), seat.deck, seed)
    with refused("wrong_card"):
        seat.enter(table.game, certify(private, header, 0, other, seed, table.now))


def test_a_certificate_shows_nothing_of_the_deck(table: Table) -> None:
    header, private = table.game.header, table.keeper.private
    one = certify(private, header, 0, DECKS[0], bytes(32), table.now)
    other = certify(private, header, 0, DECKS[1], bytes(32), table.now)
    assert {k for k in one if one[k] != other[k]} == {"cards", "signature"}
    assert not set(one["cards"]) & set(certify(private, header, 0, DECKS[0], bytes_of(1), table.now)["cards"])


# The match deck


def proven(table: Table, certificate: Body, body: Body, **place: Any) -> dict[str, Any]:
    """Positions and proof of seat 0 on this certificate, its context changed by `place`."""
    seat, header = table.seats[0], table.game.header
    own = seat.secret
    cards = [unb64(card) for card in certificate["cards"]]
    t = [own.position_blinding(i) for i in range(40)]
    positions = shuffle.positions(cards, own.permutation, t)
    said = {
        "game": header.game_bytes,
        "seat": 0,
        "key": header.players[0].key,
        "certificate_digest": certificate_digest(certificate),
        "house_anchor": header.anchor,
        "anchor": own.chain.anchor,
    }
    ctx = shuffle.context(**{**said, **place})
    masks = Masks(seat.match_secret, ctx, canonical(list(own.permutation)), NO_FRESH)
    proof = shuffle.prove(ctx, cards, positions, own.permutation, t, masks)
    return {**body, "positions": [b64(point) for point in positions], "proof": b64(proof)}


def test_a_match_deck_of_another_certificate(table: Table, enter: Message) -> None:
    header, private = table.game.header, table.keeper.private
    other = certify(private, header, 0, DECKS[0], bytes_of("other seed"), table.now)
    body = proven(table, other, {**enter.body, "certificate": other})
    table.copy().send(signed(table, 0, "enter", body, 0))
    with refused("bad_proof", "/proof"):
        table.send(signed(table, 0, "enter", {**body, "certificate": enter.body["certificate"]}, 0))


@pytest.mark.parametrize(
    "place",
    [
        {"game": bytes(16)},
        {"seat": 1},
        {"key": bytes(32)},
        {"certificate_digest": bytes(64)},
        {"house_anchor": bytes(64)},
        {"anchor": bytes(64)},
    ],
    ids=lambda place: next(iter(place)),
)
def test_a_shuffle_proof_made_for_another_place(table: Table, enter: Message, place: Body) -> None:
    body = proven(table, enter.body["certificate"], enter.body, **place)
    with refused("bad_proof", "/proof"):
        table.send(signed(table, 0, "enter", body, 0))


def test_another_anchor_than_the_one_proven(table: Table, enter: Message) -> None:
    with refused("bad_proof", "/proof"):
        table.send(again(table, enter, anchor=b64(bytes_of(1) + bytes_of(2))))


Points = list[str]
CHEATS: dict[str, Callable[[Points], Points]] = {
    "doubled": lambda points: [points[1], *points[1:]],
    "two exchanged": lambda points: [points[1], points[0], *points[2:]],
}


@pytest.mark.parametrize("name", ["doubled", "two exchanged"])
def test_a_match_deck_with_cards_doubled_or_exchanged(table: Table, enter: Message, name: str) -> None:
    with refused("bad_proof", "/proof"):
        table.send(again(table, enter, positions=CHEATS[name](enter.body["positions"])))


@pytest.mark.parametrize("count", [39, 41])
def test_a_match_deck_of_other_than_forty_cards(table: Table, enter: Message, count: int) -> None:
    with refused("bad_length", "/positions"):
        table.send(again(table, enter, positions=(enter.body["positions"] * 2)[:count]))


def test_any_flipped_bit_of_a_shuffle_proof(table: Table, enter: Message) -> None:
    proof, rng = unb64(enter.body["proof"]), Random(1)
    for at in rng.sample(range(len(proof)), 40):
        flipped = bytearray(proof)
        flipped[at] ^= 1 << rng.randrange(8)
        with refused("bad_proof", "/proof"):
            table.send(again(table, enter, proof=b64(bytes(flipped))))


def test_a_shuffle_proof_of_another_form(table: Table, enter: Message) -> None:
    proof = unb64(enter.body["proof"])
    above = proof[:-32] + (int.from_bytes(proof[-32:], "big") + ORDER).to_bytes(33, "big")[-32:]
    for changed, code in (
        (proof[:-1], "bad_bytes"),
        (proof + b"\0", "bad_bytes"),
        (b"", "bad_bytes"),
        (proof[:-32] + b"\xff" * 32, "bad_proof"),
        (above, "bad_proof"),
        (proof[:-32] + encode_scalar(0), "bad_proof"),
    ):
        with refused(code, "/proof"):
            table.send(again(table, enter, proof=b64(changed)))


def test_an_enter_of_another_form(table: Table, enter: Message) -> None:
    for body, code, pointer in (
        (without(enter.body, "proof"), "missing_field", "/proof"),
        ({**enter.body, "name": "x"}, "unknown_field", "/name"),
        ({**enter.body, "a/b~c": 1}, "unknown_field", "/a~1b~0c"),
        ({**enter.body, "anchor": b64(bytes(63))}, "bad_bytes", "/anchor"),
        ({**enter.body, "anchor": enter.body["anchor"] + "=="}, "bad_bytes", "/anchor"),
        ({**enter.body, "anchor": None}, "bad_bytes", "/anchor"),
        ({**enter.body, "positions": {}}, "bad_list", "/positions"),
        ({**enter.body, "certificate": []}, "bad_shape", "/certificate"),
        ({**enter.body, "certificate": {}}, "missing_field", "/certificate/game"),
    ):
        with refused(code, pointer):
            table.send(signed(table, 0, "enter", body, 0))


def test_a_table_with_a_house_pack_takes_no_match_deck(enter: Message) -> None:
    hearts = Table.hearts()
    with refused("unknown_field", "/certificate"):
        hearts.send(signed(hearts, 0, "enter", enter.body, 0))


# The first entry


def opened(table: Table, body: Body) -> None:
    """Somebody reads an `open` with this body."""
    apply(None, write_entry(table.keeper.private, (-1, GENESIS), 0, 0, "house", "open", body))


SMALL = b64(bytes([1]) + bytes(31))
"""The identity: a key of small order."""


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (["game"], "6F0C1D52-8A4E-4B7E-9D3B-2F1A5C7E9B01", "bad_game"),
        (["mode"], "chess", "unknown_mode"),
        (["rules"], "0", "unknown_rules"),
        (["early_links"], 0, "bad_flag"),
        (["early_links"], None, "bad_flag"),
        (["envelope_key"], b64(bytes(32)), "bad_key"),
        (["envelope_key"], b64(bytes([9]) + bytes(30) + b"\x80"), "bad_key"),
        (["envelope_key"], b64(bytes(31)), "bad_bytes"),
        (["envelope_key"], "", "bad_bytes"),
        (["options", "seal"], 4, "bad_option"),
        (["options", "seal"], True, "bad_option"),
        (["seats", 1, "key"], SMALL, "bad_key"),
        (["house_key"], SMALL, "bad_key"),
        (["seats", 0, "name"], "", "bad_text"),
        (["seats"], [], "bad_seats"),
        (["anchor"], b64(bytes(32)), "bad_bytes"),
        (["cards", 3, "number"], 1001, "bad_card"),
        (["cards", 0, "bonus"], True, "bad_card"),
        (["set_digest"], b64(bytes(64)), "wrong_set_digest"),
        (["cards"], [], "bad_cards"),
    ],
)
def test_an_open_that_says_something_impossible(table: Table, path: list[Any], value: Any, code: str) -> None:
    body = at_path(table.record[0].body, path, value)
    with pytest.raises(Refused) as caught:
        opened(table, body)
    assert caught.value.code == code
    assert caught.value.pointer.startswith("/" + str(path[0]))


def test_a_card_changed_is_found_by_the_set_digest(table: Table) -> None:
    with refused("wrong_set_digest", "/set_digest"):
        opened(table, at_path(table.record[0].body, ["cards", 0, "name"], "Tuna"))


def test_two_seats_never_have_one_key(table: Table) -> None:
    body = table.record[0].body
    with refused("same_key", "/seats"):
        opened(table, at_path(body, ["seats", 1, "key"], body["seats"][0]["key"]))


def test_an_option_that_open_leaves_out_has_its_default(table: Table) -> None:
    entry, private = table.record[0], table.keeper.private
    for options in ({}, {"seal": 600}, without(entry.body["options"], "seal")):
        body = {**entry.body, "options": options}
        game = apply(None, write_entry(private, (-1, GENESIS), 0, 0, "house", "open", body))
        assert game.header.options == {**DEFAULTS, **options}
        assert game.header.clock("seal") == game.header.options["seal"] * 1000


def test_options_that_are_not_known_are_refused(table: Table) -> None:
    body = table.record[0].body
    with refused("unknown_field", "/options/colour"):
        opened(table, {**body, "options": {**body["options"], "colour": 1}})


def test_an_open_signed_by_another_house(table: Table) -> None:
    entry = write_entry(bytes_of("stranger"), (-1, GENESIS), 0, 0, "house", "open", table.record[0].body)
    with refused("bad_signature", "/house_signature"):
        apply(None, entry)


def test_an_open_asks_step_0(table: Table) -> None:
    body, private = table.record[0].body, table.keeper.private
    with refused("wrong_step", "/step"):
        apply(None, write_entry(private, (-1, GENESIS), 0, 1, "house", "open", body))
    with refused("broken_chain", "/seq"):
        apply(None, write_entry(private, (0, GENESIS), 0, 0, "house", "open", body))
    with refused("not_open", "/kind"):
        apply(None, write_entry(private, (-1, GENESIS), 0, 0, "house", "result", body))


def test_the_certificate_is_read_as_it_was_written(table: Table, enter: Message) -> None:
    points = check_certificate(table.game.header, 0, enter.body["certificate"])
    assert [b64(point) for point in points] == enter.body["certificate"]["cards"]
