"""The published test vectors: the same bytes always, on both engines, and what they say holds."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from importlib.util import find_spec

import pytest

from crypto.encoding import b64, unb64
from crypto.group import use
from player.seat import OwnSeat, SealedChoice
from referee import Game, Message, apply, read_entry, read_message, record_bytes, verify_entries
from referee.certificate import certificate_digest
from referee.checks import Trusting
from referee.message import Receipt, receipt_holds
from referee.record import ANNUL, HOUSE_KINDS, MESSAGE_KINDS, PARTY_KINDS
from vectors import dealerless, primitives, records
from vectors.example import HOUSE_PRIVATE_KEY, NO_FRESH
from vectors.matches import CHEF_MEALS, Sitting, away, chef, hearts, links, slow

DEALERLESS = tuple(lambda make=make: make().table for make in dealerless.GAMES.values())
RECORDS: tuple[Callable[[], Sitting], ...] = (chef, hearts, slow, away, links, *DEALERLESS)
"""The example games in the order of their records."""
ENGINES = [
    pytest.param(
        "arkworks",
        marks=pytest.mark.skipif(find_spec("py_arkworks_bls12381") is None, reason="not installed"),
    ),
    pytest.param("py_ecc", marks=pytest.mark.long),  # crypto's own vectors are made by both in every run
]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_the_vectors_are_the_same_bytes_again(engine: str) -> None:
    first = records.everything()
    records.forget()
    with use(engine):
        assert records.everything() == first
    assert json.loads(json.dumps(first)) == first


def test_the_groups_have_names_of_their_own() -> None:
    assert not records.GROUPS.keys() & primitives.GROUPS.keys()
    for name, vectors in records.everything().items():
        assert vectors, name
        assert all(vector.keys() == {"name", "input", "output"} for vector in vectors)


def test_every_kind_is_among_them() -> None:
    kinds = {vector["name"].removeprefix("message_") for vector in records.messages()}
    assert kinds == {*MESSAGE_KINDS, *PARTY_KINDS}
    entries = {vector["name"].removeprefix("entry_") for vector in records.entries()}
    assert entries == {*MESSAGE_KINDS, *HOUSE_KINDS, *PARTY_KINDS, ANNUL}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("make", RECORDS)
def test_the_records_are_valid(make: Callable[[], Sitting], engine: str) -> None:
    table = make()
    with use(engine):
        found = verify_entries([entry.json() for entry in table.entries])
    assert found.valid, found.fault


def test_digests_and_signatures_are_those_of_the_records() -> None:
    for vector in records.messages():
        given, output = vector["input"], vector["output"]
        data = {k: given[k] for k in ("step", "seat", "kind", "body")}
        signature = b64(bytes.fromhex(output["signature"]))
        message = read_message(given["game"], {**data, "signature": signature})
        assert message.digest.hex() == output["digest"]
    for vector in records.entries():
        given, output = vector["input"]["entry"], vector["output"]
        entry = read_entry({**given, "house_signature": output["house_signature"]})
        assert entry.digest.hex() == output["digest"]


def test_receipts_certificates_and_faces_hold() -> None:
    header = chef().game.header
    for vector in records.receipts():
        signature = bytes.fromhex(vector["output"]["signature"])
        digest = bytes.fromhex(vector["input"]["message_digest"])
        at = next(at for message, at in chef().received if message.digest == digest)
        assert receipt_holds(Receipt(digest, at, signature), header.house_key)
    for vector in records.house_certificates():
        certificate = vector["output"]["certificate"]
        assert certificate_digest(certificate).hex() == vector["output"]["digest"]
        assert len(unb64(certificate["signature"], 64)) == 64


def test_a_players_own_code_sends_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples are built apart from `player.seat`: given the same secrets, both agree."""
    monkeypatch.setattr(secrets, "token_bytes", bytes)
    table = chef()
    sent = {(message.seat, message.step, message.kind): message for message, _ in table.received}
    seats = [OwnSeat(s.number, s.private, s.w, s.deck) for s in table.sitters]
    for entry in table.entries:
        if entry.actor == "house":
            continue
        number = int(entry.actor)
        seen = entry.body["seen"]["seq"]
        game: Game | None = None
        for past in table.entries[: seen + 1]:
            game = apply(game, past)
        assert game is not None
        seat, message = seats[number], sent[number, entry.step, entry.kind]
        assert again(seat, game.knowing(seat.faces), message) == message, entry.kind


@pytest.mark.parametrize("make", dealerless.GAMES.values(), ids=dealerless.GAMES)
def test_a_player_s_own_code_sends_the_same_bytes_where_nobody_deals(
    make: Callable[[], dealerless.Nobody],
) -> None:
    table = make().table
    sent = {(message.seat, message.step, message.kind): message for message, _ in table.received}
    seats = [OwnSeat(s.number, s.private, s.w, fresh=lambda: NO_FRESH) for s in table.sitters]
    game, folds = apply(None, table.entries[0]), dict[int, Game]()
    for entry in table.entries[1:]:
        folds[game.seq] = game
        if entry.kind in PARTY_KINDS and entry.actor != "house":
            message = sent[int(entry.actor), entry.step, entry.kind]
            then = folds[message.body["seen"]["seq"]]
            assert seats[message.seat].party(then, entry.kind) == message
        elif entry.kind == "move":
            message = sent[int(entry.actor), entry.step, entry.kind]
            then = folds[message.body["seen"]["seq"]]
            assert seats[message.seat].move(then, message.body["move"]) == message
        game = apply(game, entry, Trusting())


def again(seat: OwnSeat, game: Game, message: Message) -> Message:
    """The same message from a player's own code, on the same newest entry."""
    round_ = {8: 0, 11: 1, 14: 2}.get(message.step, 0)
    choice = CHEF_MEALS[round_][seat.number]
    match message.kind:
        case "enter":
            return seat.enter(game, message.body["certificate"])
        case "ready":
            return seat.ready(game)
        case "link":
            return seat.link(game)
        case "move":
            return seat.move(game, message.body["move"])
        case "seal":
            return seat.seal(game, choice, NO_FRESH)[0]
        case "reveal":
            return seat.reveal(game, SealedChoice(message.step, choice, NO_FRESH))
        case "draw":
            return seat.offer_draw(game)
    return seat.resign(game)


def test_the_record_vectors_hold_the_files_digest() -> None:
    for vector, make in zip(records.records(), RECORDS, strict=True):
        table = make()
        data = record_bytes(table.entries)
        assert vector["output"]["sha256"] == sha256(data).hexdigest()
        assert vector["output"]["record"] == json.loads(data)
        assert vector["input"]["house_private"] == HOUSE_PRIVATE_KEY.hex()
