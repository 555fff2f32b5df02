"""Deterministic examples of everything that is signed, and nine whole records: the published test vectors.

Each function gives one group in the manner of `vectors.primitives`: a list of {"name",
"input", "output"} of plain JSON values. Digests and signatures are in hexadecimal;
what stands in a record is in its own form. `GROUPS` names the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from crypto.encoding import b64, timestamp
from referee.certificate import certificate_digest, certify
from referee.faces import faces_digest, write_faces
from referee.message import receipt_digest, write_receipt
from referee.record import ANNUL, PARTY_KINDS, Entry, record_bytes
from referee.succession import succession_digest, write_succession
from vectors import bad_entries, dealerless, dealerless_place
from vectors.bad_dealerless import bad_dealerless
from vectors.bad_entries import bad_certificates, bad_reveals, bad_seals
from vectors.bad_messages import bad_messages
from vectors.bad_records import bad_records
from vectors.boosters import bad_boosters, boosters
from vectors.copies import bad_copies, copies
from vectors.example import ENVELOPE_PRIVATE_KEY, NO_FRESH, Vector, case
from vectors.matches import (
    AWAY_CARD,
    AWAY_MOVES,
    AWAY_TIMES,
    CARDS,
    CHEF_MEALS,
    DECKS,
    HEARTS_MOVES,
    START,
    TICK,
    Sitting,
    away,
    chef,
    hearts,
    links,
    slow,
)


def _games() -> dict[str, Sitting]:
    with_dealer = {"chef": chef(), "hearts": hearts(), "slow": slow(), "away": away(), "links": links()}
    return with_dealer | {name: make().table for name, make in dealerless.GAMES.items()}


def messages() -> list[Vector]:
    """A message of every kind: the digest that its sender signs, and the signature (section 10)."""
    found: dict[str, Vector] = {}
    # Hearts first: its `enter` is short. The long one stands in the record of the other game.
    for table in (hearts(), chef(), dealerless.hearts().table):
        for message, _ in table.received:
            given = {
                "game": message.game,
                "step": message.step,
                "seat": message.seat,
                "kind": message.kind,
                "body": dict(message.body),
                "private": table.sitters[message.seat].private.hex(),
            }
            output = {"digest": message.digest.hex(), "signature": message.signature.hex()}
            found.setdefault(message.kind, case(f"message_{message.kind}", given, output))
    return _in_order(found)


def _in_order(found: Mapping[str, Vector]) -> list[Vector]:
    """The vectors by kind. Those of tables without a dealer, which came later, stand at the end."""
    return [found[kind] for kind in sorted(found, key=lambda kind: (kind in (*PARTY_KINDS, ANNUL), kind))]


def receipts() -> list[Vector]:
    """The house's receipts for a message that enters at once and for one that waits (section 10)."""
    table, listed = chef(), []
    for message, at in table.received:
        if message.kind not in ("link", "move"):
            continue
        receipt = write_receipt(table.keeper.private, message.digest, at)
        given = {
            "message_digest": message.digest.hex(),
            "at": timestamp(at),
            "private": table.keeper.private.hex(),
        }
        digest = receipt_digest(message.digest, at)
        output = {"digest": digest.hex(), "signature": receipt.signature.hex(), "receipt": receipt.json()}
        listed.append(case(f"receipt_{message.kind}", given, output))
    return [next(vector for vector in listed if vector["name"] == f"receipt_{k}") for k in ("link", "move")]


def house_certificates() -> list[Vector]:
    """The certificates of the two chefs, complete and signed (section 5)."""
    table, listed = chef(), []
    for sitter in table.sitters:
        seed = sitter.secret.certificate_seed
        certificate = certify(
            table.keeper.private, table.game.header, sitter.number, sitter.deck, seed, START
        )
        given = {
            "game": table.game.header.game,
            "seat": sitter.number,
            "key": table.game.header.players[sitter.number].key.hex(),
            "deck": [card.text() for card in sitter.deck],
            "texts": [card.text() for card in CARDS],
            "seed": seed.hex(),
            "at": timestamp(START),
            "private": table.keeper.private.hex(),
        }
        output = {"certificate": certificate, "digest": certificate_digest(certificate).hex()}
        listed.append(case("house_certificate", given, output))
    return listed


def faces() -> list[Vector]:
    """The house's statements to each seat about its own cards of a secret deal (section 7)."""
    table, listed = hearts(), []
    size = 51 // len(table.sitters)
    for sitter in table.sitters:
        held = range(sitter.number * size, (sitter.number + 1) * size)
        known = {position: table.game.state.faces[position] for position in held}
        game = table.game.header.game
        statement = write_faces(table.keeper.private, game, 1, sitter.number, known)
        given = {
            "game": game,
            "deal": 1,
            "seat": sitter.number,
            "faces": statement["faces"],
            "private": table.keeper.private.hex(),
        }
        digest = faces_digest(game, 1, sitter.number, statement["faces"])
        listed.append(case("faces", given, {"digest": digest.hex(), "statement": statement}))
    return listed


def successions() -> list[Vector]:
    """One key of a house that follows another, signed by both."""
    old, new = chef().keeper.private, sha256(b"the house's next key").digest()
    made = write_succession(old, new, START)
    given = {"old_private": old.hex(), "new_private": new.hex(), "at": timestamp(START)}
    output = {"succession": made.json(), "digest": succession_digest(made.json()).hex()}
    return [case("succession", given, output)]


def _entry(entry: Entry, private: bytes) -> Vector:
    given = {k: v for k, v in entry.json().items() if k != "house_signature"}
    output = {"digest": entry.digest.hex(), "house_signature": b64(entry.house_signature)}
    return case(f"entry_{entry.kind}", {"entry": given, "private": private.hex()}, output)


def entries() -> list[Vector]:
    """An entry of every kind: its digest and the house's signature over it (section 10)."""
    found: dict[str, Vector] = {}
    for table in (hearts(), chef(), away(), dealerless.hearts().table):
        for entry in table.entries:
            found.setdefault(entry.kind, _entry(entry, table.keeper.private))
    return _in_order(found)


def records() -> list[Vector]:
    """Nine whole games from all their secrets: every byte of the record files follows."""
    scripts: dict[str, Any] = {
        "chef": {
            "decks": [[card.number for card in deck] for deck in DECKS],
            "meals": [list(pair) for pair in CHEF_MEALS],
        },
        "hearts": {"moves": [[seat, move] for seat, move in HEARTS_MOVES]},
        "slow": {
            "decks": [[card.number for card in deck] for deck in DECKS],
            "envelope_private": ENVELOPE_PRIVATE_KEY.hex(),
        },
        "away": {
            "moves": [[seat, move] for seat, move in (*AWAY_MOVES, (0, AWAY_CARD))],
            "absences_ms": [list(times) for times in AWAY_TIMES],
        },
        "links": {"decks": [[card.number for card in deck] for deck in DECKS]},
    }
    for name, make in dealerless.GAMES.items():
        scripts[name] = {"house_secret": dealerless.HOUSE_SECRET.hex(), "script": make().script}
    listed = []
    for name, table in _games().items():
        data = record_bytes(table.entries)
        given = {
            "private_keys": [sitter.private.hex() for sitter in table.sitters],
            "match_secrets": [sitter.w.hex() for sitter in table.sitters],
            "fresh": NO_FRESH.hex(),
            "house_private": table.keeper.private.hex(),
            "house_chain_anchor": table.game.header.anchor.hex(),
            "start": timestamp(START),
            "tick_ms": TICK,
            **scripts[name],
        }
        output = {
            "record": {"protocol": "cloche/v1", "entries": [entry.json() for entry in table.entries]},
            "sha256": sha256(data).hexdigest(),
            "digests": [entry.digest.hex() for entry in table.entries],
        }
        listed.append(case(f"record_{name}", given, output))
    return listed


GROUPS: dict[str, Callable[[], list[Vector]]] = {
    "messages": messages,
    "receipts": receipts,
    "house_certificates": house_certificates,
    "faces": faces,
    "successions": successions,
    "entries": entries,
    "records": records,
    "bad_certificates": bad_certificates,
    "bad_seals": bad_seals,
    "bad_reveals": bad_reveals,
    "bad_messages": bad_messages,
    "bad_records": bad_records,
    "bad_dealerless": bad_dealerless,
    "boosters": boosters,
    "bad_boosters": bad_boosters,
    "copies": copies,
    "bad_copies": bad_copies,
}
"""Every group of vectors by name, none of them a name of `vectors.primitives.GROUPS`."""


def everything() -> dict[str, list[Vector]]:
    """All groups, computed."""
    return {name: make() for name, make in GROUPS.items()}


def forget() -> None:
    """Compute the example games anew when they are asked for again: on another engine, say."""
    chef.cache_clear()
    hearts.cache_clear()
    slow.cache_clear()
    away.cache_clear()
    links.cache_clear()
    dealerless.forget()
    dealerless_place.forget()
    bad_entries.forget()
