"""Keys and signatures that lax verifiers take, at every place where a key or a signature comes in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cloche.commands.account.trust import trust
from crypto.encoding import b64, timestamp
from crypto.identity import public_key, sign, verify
from referee import Entry, Game, Receipt, Refused, apply, verify_entries
from referee.certificate import certificate_digest, certify, check_certificate
from referee.checks import Remembering, Trusting
from referee.faces import faces_digest, read_faces, write_faces
from referee.header import Header
from referee.message import Message, message_digest, receipt_digest, receipt_holds
from referee.record import write_entry
from referee.succession import read_succession, succession_digest, write_succession
from referee.validation import examine
from service.config import Settings
from service.operations.players import register
from service.problems import Problem
from service.runtime import Runtime
from tests.attack.forgeries import Forgery, bad_keys, lax, with_bad_keys, with_good_key
from tests.attack.ledger import Outcome, attack
from vectors.example import HOUSE_PRIVATE_KEY
from vectors.matches import DECKS, PRIVATES, chef, hearts, slow

pytestmark = pytest.mark.slow

AT = 1_795_168_800_000
KEYS = "a forged Ed25519 key or signature: "
Place = Callable[[Forgery], str]
"""Brings a forgery in at one place; the code with which it is refused, or "taken"."""


def code(do: Callable[[], object]) -> str:
    """Return the code of the referee's answer."""
    try:
        do()
    except Refused as refused:
        return refused.code
    return "taken"


def forgeries(private: bytes) -> tuple[Forgery, ...]:
    return (*with_bad_keys(), *with_good_key(private))


@cache
def steps(name: str) -> tuple[tuple[Game, Entry], ...]:
    """Every entry of an example record but the first, with the game before it."""
    entries = {"chef": chef, "hearts": hearts, "slow": slow}[name]().entries
    game, found = apply(None, entries[0], Trusting()), []
    for entry in entries[1:]:
        found.append((game, entry))
        game = apply(game, entry, Trusting())
    return tuple(found)


@cache
def one_of_each() -> Mapping[str, tuple[Game, Entry]]:
    """An entry of every kind, with the game before it."""
    return {entry.kind: (game, entry) for name in ("slow", "hearts", "chef") for game, entry in steps(name)}


def with_keys(game: Game, key: bytes, seat: int | None) -> Game:
    """The game as if `key` had got into its first entry: of a seat, or (None) of the house."""
    players = list(game.header.players)
    if seat is None:
        return replace(game, header=replace(game.header, house_key=key))
    players[seat] = replace(players[seat], key=key)
    return replace(game, header=replace(game.header, players=tuple(players)))


def forged_message(game: Game, entry: Entry, forgery: Forgery) -> Message:
    assert entry.seat is not None
    digest = message_digest(game.header.game, entry.step, entry.seat, entry.kind, entry.body)
    place = (game.header.game, entry.step, entry.seat, entry.kind, entry.body)
    return Message(*place, forgery.sign(digest), digest)


def test_every_forgery_passes_a_lax_equation() -> None:
    """Every forgery is one: none is refused for being no forgery at all."""
    for forgery in forgeries(PRIVATES[0]):
        for message in (bytes(64),):
            assert lax(forgery.key, message, forgery.sign(message), forgery.cofactor), forgery.what
            assert not verify(forgery.key, message, forgery.sign(message)), forgery.what
    everything = [f for f in with_bad_keys() if f.what.startswith("one signature")]
    assert all(len({f.sign(bytes([i])) for i in range(9)}) == 1 for f in everything)


PLAYERS_KINDS = ("enter", "ready", "link", "move", "seal", "reveal", "resign", "draw")


@attack(KEYS + "a player's signature, in a message and in a record", "protocol 10")
@pytest.mark.parametrize("kind", PLAYERS_KINDS)
def test_a_players_signature(kind: str, outcome: Outcome) -> None:
    game, entry = one_of_each()[kind]
    seat = entry.seat
    assert seat is not None
    tried = 0
    for forgery in forgeries(PRIVATES[seat]):
        broken = with_keys(game, forgery.key, seat)
        message = forged_message(game, entry, forgery)
        place = (broken.seq, broken.digest)
        held = (entry.at, entry.step, entry.actor, entry.kind, entry.body, message.signature)
        written = write_entry(HOUSE_PRIVATE_KEY, place, *held)
        warm = Remembering()
        genuine = replace(message, signature=entry.player_signature)
        warm.signature(game.header.players[seat].key, message.digest, genuine.signature)
        for do in (
            lambda b=broken, m=message: examine(b, m, Remembering()),
            lambda b=broken, m=message, w=warm: examine(b, m, w),
            lambda b=broken, w=written: apply(b, w),
        ):
            tried += 1
            assert code(do) == "bad_signature", forgery.what
    outcome.rejected(tried)


HOUSES_KINDS = ("deal", "turn", "shown", "timeout", "account", "result", *PLAYERS_KINDS)


@attack(KEYS + "the house's signature of an entry", "protocol 10")
def test_the_houses_signature(outcome: Outcome) -> None:
    tried = 0
    for kind in HOUSES_KINDS:
        game, entry = one_of_each()[kind]
        for forgery in forgeries(HOUSE_PRIVATE_KEY):
            written = replace(entry, house_signature=forgery.sign(entry.digest))
            assert code(lambda g=game, w=written, k=forgery.key: apply(with_keys(g, k, None), w)) == (
                "bad_signature"
            ), (kind, forgery.what)
            tried += 1
    outcome.rejected(tried)


@attack(KEYS + "a whole record by another hand than the house's", "protocol 10")
def test_a_record_by_nobody(outcome: Outcome) -> None:
    """Every house signature of the record exchanged for one that somebody else could make of it."""
    tried = 0
    for forgery in with_good_key(HOUSE_PRIVATE_KEY):
        entries = [
            {**entry.json(), "house_signature": b64(forgery.sign(entry.digest))} for entry in chef().entries
        ]
        fault = verify_entries(entries).fault
        assert fault is not None
        assert (fault.entry, fault.code) == (0, "bad_signature"), forgery.what
        tried += 1
    outcome.rejected(tried)


def _receipt(forgery: Forgery) -> str:
    message = chef().entries[3].digest
    receipt = Receipt(message, AT, forgery.sign(receipt_digest(message, AT)))
    return "taken" if receipt_holds(receipt, forgery.key) else "bad_signature"


def _header(forgery: Forgery, name: str = "chef") -> Header:
    return replace(steps(name)[0][0].header, house_key=forgery.key)


@cache
def _certificate() -> dict[str, Any]:
    return certify(HOUSE_PRIVATE_KEY, steps("chef")[0][0].header, 0, DECKS[0], bytes(32), AT)


def _certified(forgery: Forgery) -> str:
    signature = forgery.sign(certificate_digest(_certificate()))
    broken = {**_certificate(), "signature": b64(signature)}
    return code(lambda: check_certificate(_header(forgery), 0, broken))


def _faces(forgery: Forgery) -> str:
    header = _header(forgery, "hearts")
    statement = write_faces(HOUSE_PRIVATE_KEY, header.game, 1, 0, {0: "QS", 1: "AH"})
    digest = faces_digest(header.game, 1, 0, statement["faces"])
    return code(lambda: read_faces(header, 0, {**statement, "signature": b64(forgery.sign(digest))}))


def _succession(forgery: Forgery, mine: str, other: str) -> str:
    """A stranger makes its key the house's next, or its past, on the word of a forged signature."""
    private = b"\x07" * 32
    stated = {"kind": "succession", mine: b64(forgery.key), other: b64(public_key(private))}
    stated["at"] = timestamp(AT)
    digest = succession_digest(stated)
    stated[f"{mine}_signature"] = b64(forgery.sign(digest))
    stated[f"{other}_signature"] = b64(sign(private, digest))
    return code(lambda: read_succession(stated))


PLACES: dict[str, Place] = {
    "a receipt": _receipt,
    "a certificate": _certified,
    "faces of a hand": _faces,
    "the old key of a succession": lambda forgery: _succession(forgery, "old", "new"),
    "the new key of a succession": lambda forgery: _succession(forgery, "new", "old"),
}


@attack(KEYS + "receipts, certificates, faces, successions", "protocol 10")
@pytest.mark.parametrize("where", PLACES)
def test_the_houses_other_words(where: str, outcome: Outcome) -> None:
    tried = 0
    for forgery in forgeries(HOUSE_PRIVATE_KEY):
        assert PLACES[where](forgery) == "bad_signature", forgery.what
        tried += 1
    outcome.rejected(tried)


def test_the_same_places_take_what_is_genuine() -> None:
    """The refusals are the forgeries', not the places'."""
    good = Forgery("none", public_key(HOUSE_PRIVATE_KEY), lambda digest: sign(HOUSE_PRIVATE_KEY, digest))
    assert {place(good) for place in PLACES.values()} == {"taken"}
    assert code(lambda: read_succession(write_succession(b"\x07" * 32, b"\x08" * 32, AT).json())) == "taken"
    for game, entry in one_of_each().values():
        assert code(lambda g=game, e=entry: apply(g, e)) == "taken"


# Keys


def opened(key: bytes, place: str) -> Entry:
    """An `open` that names this key for a seat or for the house, rightly numbered."""
    entry = chef().entries[0]
    body = dict(entry.body)
    if place == "house":
        body["house_key"] = b64(key)
    else:
        seats = [dict(seat) for seat in body["seats"]]
        seats[int(place)]["key"] = b64(key)
        body["seats"] = seats
    return write_entry(HOUSE_PRIVATE_KEY, (-1, entry.prev), entry.at, 0, "house", "open", body)


@attack("a key of small or mixed order, or in another encoding", "protocol 10")
@pytest.mark.parametrize("place", ["house", "0", "1"])
def test_a_key_in_the_first_entry(place: str, outcome: Outcome) -> None:
    for key in bad_keys():
        entry = opened(key, place)
        assert code(lambda e=entry: apply(None, e)) == "bad_key", key.hex()
        assert code(lambda e=entry: apply(None, e, Trusting())) == "bad_key", (
            "even by a reader who trusts the house"
        )
    outcome.rejected(2 * len(bad_keys()))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Runtime]:
    opened = Runtime.open(Settings(database=f"sqlite:///{tmp_path}/house.sqlite3", data=tmp_path / "var"))
    yield opened
    opened.database.dispose()


@attack("a key of small or mixed order, or in another encoding", "protocol 10")
def test_a_key_at_registration(house: Runtime, outcome: Outcome) -> None:
    starter = next(iter(house.catalog.starters))
    for key in bad_keys():
        with pytest.raises(Problem) as caught:
            register(
                house,
                handle="mallory",
                password="correct horse",
                key=b64(key),
                proof={"house": b64(house.keys.public), "signature": b64(bytes(64))},
                starter=starter,
            )
        assert [fault.code for fault in caught.value.errors] == ["bad_key"], key.hex()
    outcome.rejected(len(bad_keys()))


@attack("a key of small or mixed order, or in another encoding", "protocol 10")
def test_a_key_that_a_player_is_told_to_trust(outcome: Outcome) -> None:
    run = CliRunner()
    for key in bad_keys():
        result = run.invoke(trust, ["--", b64(key)])
        assert result.exit_code == 2, result.output
        assert "is not a key" in result.output
    outcome.rejected(len(bad_keys()))
