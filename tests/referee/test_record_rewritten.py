"""Records that a house and its players write together, with anything in them: each fault is named."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from crypto.encoding import b64, canonical, unb64
from crypto.identity import sign
from referee import (
    Entry,
)
from referee.message import message_digest
from referee.record import GENESIS, write_entry
from referee.verify import verify_entries
from tests.referee.forger import found, rewritten
from tests.referee.records_kit import GAMES, LONG, both
from vectors.example import HOUSE_PRIVATE_KEY
from vectors.matches import PRIVATES, Sitting, chef

# Proofs are gathered for one sum: each bad one is named


def test_a_bad_proof_is_found_where_it_stands() -> None:
    """The chef and the house together can't get a bad seal past anybody."""
    table = chef()
    for at, entry in enumerate(table.entries):
        if entry.kind not in ("seal", "enter"):
            continue
        proof = bytearray(unb64(entry.body["proof"]))
        proof[-1] ^= 1
        body = {**entry.body, "proof": b64(bytes(proof))}
        assert forged(table, at, body) == (at, "bad_proof", f"/entries/{at}/body/proof")
        proof[48:96] = bytes(48)
        body = {**entry.body, "proof": b64(bytes(proof))}
        assert forged(table, at, body) == (at, "bad_proof", f"/entries/{at}/body/proof")


def forged(table: Sitting, at: int, body: dict[str, Any]) -> tuple[int | None, str, str]:
    """Return what is found when a player and the house agree on another body of an entry."""
    entry: Entry = table.entries[at]
    seat, head = int(entry.actor), table.entries[at - 1]
    digest = message_digest(table.game.header.game, entry.step, seat, entry.kind, body)
    fake = rewritten(
        entry,
        (head.seq, head.digest),
        HOUSE_PRIVATE_KEY,
        body=body,
        player_signature=sign(PRIVATES[seat], digest),
    )
    return found([*table.entries[:at], fake], unfinished=True)


# The verifier answers to everything that a house and its players write together, and does not fall over


def mutated(value: Any, rng: Random) -> Any:
    """A JSON value with one thing changed somewhere."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = rng.choice(sorted(value))
        if rng.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: mutated(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = rng.randrange(len(value))
        if rng.random() < 0.15:
            return rng.choice([value[:at] + value[at + 1 :], [*value, value[at]], value[::-1]])
        return [*value[:at], mutated(value[at], rng), *value[at + 1 :]]
    strange: list[Any] = [None, True, False, 0, 1, -1, 2**53 - 1, "", "0", "house", b64(bytes(64)), [], {}]
    strange += [b64(rng.randbytes(rng.choice([32, 48, 64]))), [value], {"x": value}, "QS", rng.randrange(60)]
    if isinstance(value, int) and not isinstance(value, bool):
        strange += [value + 1, value - 1, bool(value)]
    return rng.choice(strange)


def strangely(table: Sitting, at: int, rng: Random) -> Entry | None:
    """Entry `at` with its body changed somewhere, rightly signed by all; None where nothing changed."""
    entry, head = table.entries[at], table.entries[at - 1]
    body = mutated(dict(entry.body), rng)
    if not isinstance(body, dict) or canonical(body) == canonical(dict(entry.body)):
        return None
    signature = None
    if entry.actor != "house":
        seat = int(entry.actor)
        digest = message_digest(table.game.header.game, entry.step, seat, entry.kind, body)
        signature = sign(PRIVATES[seat], digest)
    place = (head.seq, head.digest)
    return rewritten(entry, place, HOUSE_PRIVATE_KEY, body=body, player_signature=signature)


@pytest.mark.parametrize("count", [60, pytest.param(300, marks=LONG)])
@both
def test_a_body_changed_anywhere_is_judged(name: str, count: int) -> None:
    table, rng, tried = GAMES[name](), Random(name), 0
    for _ in range(count):
        at = rng.randrange(1, len(table.entries))
        fake = strangely(table, at, rng)
        if fake is None:
            continue
        tried += 1
        outcome = verify_entries([entry.json() for entry in [*table.entries[:at], fake]], unfinished=True)
        free = fake.actor != "house" or fake.kind in ("turn", "timeout")
        assert outcome.fault is not None or free, (at, fake.body)
    assert 3 * tried > 2 * count


@both
def test_an_open_changed_anywhere_is_judged(name: str) -> None:
    table, rng = GAMES[name](), Random(name)
    for _ in range(200):
        body = mutated(dict(table.entries[0].body), rng)
        if isinstance(body, dict):
            fake = write_entry(HOUSE_PRIVATE_KEY, (-1, GENESIS), 0, 0, "house", "open", body)
            verify_entries([fake.json()], unfinished=True)
