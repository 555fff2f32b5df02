"""The facts that must be true when it is over: every record whole, everything once, nothing held any more."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from crypto.encoding import b64, parse_timestamp
from player.house import Acknowledgement
from referee import Message, verify_record
from referee.message import receipt_holds
from service.db import Database
from service.models import BotNote, Copy, GameRow, Submission, Win
from service.operations.audit import audit
from tests.faults.people import Pair


def check_pair(pair: Pair) -> list[dict[str, Any]]:
    """A stranger verifies the record, and every receipt against it; returns the entries."""
    api = pair.people[0].guest.api
    house_key, record = api.house().key, api.record(pair.game_id)
    report = verify_record(record, house_key)
    assert report.valid, report.fault
    entries: list[dict[str, Any]] = json.loads(record)["entries"]
    check_entries(entries)
    check_receipts(entries, pair.receipts, house_key)
    for person in pair.people:
        deck = person.guest.deck
        assert person.guest.api.validate_deck(deck.id).legal, "its copies are free again"
    return entries


def check_entries(entries: Sequence[dict[str, Any]]) -> None:
    """Each step has exactly its entries, counted without the rules; the house's clock never runs back."""
    assert [entry["seq"] for entry in entries] == list(range(len(entries)))
    times = [parse_timestamp(entry["at"]) for entry in entries]
    assert times == sorted(times)
    signatures = Counter(entry["player_signature"] for entry in entries if entry["player_signature"])
    assert set(signatures.values()) == {1}, "a message was accepted twice"
    told: Counter[tuple[int, str, str]] = Counter()
    for entry in entries:
        kind, actor = entry["kind"], entry["actor"]
        if kind == "away":
            continue  # a step may see several absences of the house
        if kind == "timeout":
            kind, actor = entry["body"]["kind"], str(entry["body"]["seat"])
        late = kind == "reveal" and told[entry["step"], actor, "reveal"]  # what was owed comes after all
        told[entry["step"], actor, "late" if late else kind] += 1
    assert set(told.values()) == {1}, "resolved twice"
    sealed = {step for step, _, kind in told if kind == "seal"}
    if any(kind == "resign" for _, _, kind in told):
        sealed.discard(
            entries[-1]["step"]
        )  # it was left as it stood; the resignation may name the step before
    for step in sealed:
        seats = {actor for at, actor, kind in told if (at, kind) == (step, "seal")}
        assert seats == {"0", "1"}, [(e["step"], e["kind"], e["actor"]) for e in entries if e["step"] >= step]
        closed = [kind for at, actor, kind in told if at == step and actor == "house"]
        assert closed.count("account") == 1 or "result" in closed


def check_receipts(
    entries: Sequence[dict[str, Any]], receipts: Sequence[tuple[Message, Acknowledgement]], house_key: bytes
) -> None:
    """Check that every message with a receipt stands in the record, and no time-out in its place."""
    signatures = {entry["player_signature"] for entry in entries}
    missed = {
        (entry["step"], entry["body"]["seat"], entry["body"]["kind"]): entry["at"]
        for entry in entries
        if entry["kind"] == "timeout"
    }
    last = entries[-1]["step"]
    for message, accepted in receipts:
        assert accepted.receipt.message == message.digest
        assert receipt_holds(accepted.receipt, house_key)
        # A reveal that waits when the game ends otherwise never enters.
        assert b64(message.signature) in signatures or (message.kind, message.step) == ("reveal", last)
        at = missed.get((message.step, message.seat, message.kind))
        late = message.kind == "reveal" and at is not None and accepted.receipt.at >= parse_timestamp(at)
        assert at is None or late, f"a time-out for a {message.kind} that had its receipt"


def timeouts(entries: Sequence[dict[str, Any]]) -> list[str]:
    """The kinds of message for which the time ran out."""
    return [entry["body"]["kind"] for entry in entries if entry["kind"] == "timeout"]


def check_database(url: str, games: int) -> None:
    """All games are over; no copy is held, no message waits, no bot remembers; the books are right."""
    database = Database(url)
    with database.read() as session:
        found = list(session.exec(select(GameRow)))
        assert len(found) == games
        assert all(game.ended_at is not None and game.due_at is None for game in found)
        assert not session.exec(select(Copy.id).where(col(Copy.held_by).is_not(None))).first()
        assert not session.exec(select(BotNote.game_id)).first()
        waiting = [row for row in session.exec(select(Submission)) if row.waiting is not None]
        assert not waiting
        rewarded = session.exec(select(Win.game_id)).all()
        assert len(rewarded) == len({*rewarded})  # one winner each; who ties is not rewarded
    with database.read() as session:  # an audit sees one moment, so its transaction is its own
        assert audit(session).findings == []
    database.dispose()
