"""A house that throws messages away, or tells two players two stories: convicted by what it has signed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

pytest.importorskip("py_arkworks_bls12381")  # the page's reader computes with it

from client.http import Api
from crypto.encoding import b64, parse_timestamp, unb64
from crypto.identity import public_key, verify
from player.follow import Follower
from player.house import Acknowledgement, HouseFault
from referee import Entry, Game, Message, Receipt, Refused, apply, read_entry, read_message, write_receipt
from referee.checks import Remembering
from referee.faces import write_faces
from referee.message import receipt_holds
from tests.attack.ledger import Outcome, attack
from tests.docs.page_papers import false_time_out
from tests.referee.table import Table, bytes_of

pytestmark = pytest.mark.slow

HOUSE = "the house's key"


class Corrupt(Api):
    """A house in this process that gives a receipt for a message, and throws the message away."""

    def __init__(self, table: Table, tells: Mapping[int, Any] | None = None) -> None:
        super().__init__("http://127.0.0.1:9")
        self.table = table
        self.tells = tells

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        return [entry.json() for entry in self.table.record[after + 1 :]], False

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        if self.tells is None:
            return []
        return [write_faces(self.table.keeper.private, game_id, self.table.game.deals, 0, self.tells)]

    def send(self, message: Message) -> Acknowledgement:
        return Acknowledgement(write_receipt(self.table.keeper.private, message.digest, self.table.now), None)


_CHECKED = Remembering()
"""Signatures and proofs that held before: the same records are shown over and over."""


def folded(record: Sequence[Any]) -> Game | None:
    """The game after these entries, every one of them judged; None where one can't stand."""
    game: Game | None = None
    try:
        for data in record:
            game = apply(game, read_entry(data), _CHECKED)
    except Refused:
        return None
    return game


def convicts(record: Sequence[Any], evidence: Mapping[str, Any]) -> bool:
    """Return what anybody finds who is shown a record and evidence: whether the house timed out what it had
    taken.

    The steps of protocol 10.7, "a false time-out".
    """
    end = evidence["entry"]["seq"] + 1
    if list(record[end - 1 : end]) != [evidence["entry"]]:
        return False
    before, after = folded(record[: end - 1]), folded(record[:end])
    if before is None or after is None or before.asking is None:
        return False
    try:
        message = read_message(before.header.game, evidence["message"])
    except Refused:
        return False
    given, last, seat = evidence["receipt"], read_entry(evidence["entry"]), message.seat
    receipt = Receipt(unb64(given["message"]), parse_timestamp(given["at"]), unb64(given["signature"]))
    timed_out = (last.kind, last.step, last.body.get("seat"), last.body.get("kind"))
    return (
        timed_out == ("timeout", message.step, seat, message.kind)
        and seat not in before.gone
        and verify(before.header.players[seat].key, message.digest, message.signature)
        and receipt.message == message.digest
        and receipt_holds(receipt, before.header.house_key)
        and receipt.at <= before.asking.deadline_of(seat)
    )


def asked(kind: str) -> Table:
    """A match in which seat 0 is asked for this; the other has done its part already."""
    table = Table.hearts(3, 5) if kind in ("card", "expose") else Table.chef(5)
    if kind in ("card", "expose"):
        table.until("move", topic=kind)
        while 0 not in table.asked():
            table.step()
        return table
    table.until(kind)
    while any(seat != 0 for seat in table.asked()):
        table.answer(max(table.asked()))
    return table


KINDS = ("enter", "ready", "link", "move", "seal", "reveal", "card", "expose")


def thrown_away(kind: str) -> tuple[Table, Mapping[str, Any]]:
    """The house takes seat 0's message, throws it away and lets the time pass: record and evidence."""
    table = asked(kind)
    api = Corrupt(table)
    follower = Follower(api, table.game.header.game, public_key(table.keeper.private))
    follower.catch_up()
    follower.seat = table.seats[0]
    table.now += 1000
    assert table.game.asking is not None
    assert table.now <= table.game.asking.deadline_of(0), "it arrives in time"
    message = table.message(0)
    follower.send(message)
    table.lapse()
    with pytest.raises(HouseFault) as caught:
        follower.catch_up()
    api.close()
    assert caught.value.code == "false_timeout"
    return table, json.loads(json.dumps(caught.value.evidence))


@attack("a message thrown away after its receipt", "protocol 10", knows=HOUSE, withstands="convicted")
@pytest.mark.parametrize("kind", KINDS)
def test_a_message_thrown_away(kind: str) -> None:
    """The record alone is valid; with message and receipt it convicts the house, for everybody."""
    table, evidence = thrown_away(kind)
    record = [entry.json() for entry in table.record]
    assert convicts(record, evidence)
    if table.game.rules.facts.own_decks:  # the page's reader takes a common pack once it was shown
        end = evidence["entry"]["seq"] + 1
        false_time_out(record[:end], evidence["message"], evidence["receipt"])


@attack(
    "a house framed by a player with other receipts", "protocol 10", knows="a player's key, real receipts"
)
def test_nobody_frames_an_honest_house(outcome: Outcome) -> None:
    tried = 0
    for kind in ("link", "reveal"):
        table, evidence = thrown_away(kind)
        record = [entry.json() for entry in table.record]
        for wrong in framings(table, evidence):
            tried += 1
            assert not convicts(record, wrong), wrong
    outcome.rejected(tried)


def framings(table: Table, evidence: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Evidence that proves nothing: for a time-out that was right, a player shows whatever it has."""
    private, seat = table.keeper.private, table.seats[0]
    message = read_message(table.game.header.game, evidence["message"])
    timeout = read_entry(evidence["entry"])

    def receipt(digest: bytes, at: int, key: bytes = private) -> dict[str, Any]:
        return write_receipt(key, digest, at).json()

    genuine = dict(evidence)
    others = [entry for entry in table.record if entry.seat == 0 and entry.kind != message.kind]
    older = [
        {
            "step": e.step,
            "seat": 0,
            "kind": e.kind,
            "body": e.body,
            "signature": b64(e.player_signature or b""),
        }
        for e in others
    ]
    digests = [read_message(message.game, item).digest for item in older]
    found = [{**genuine, "receipt": receipt(digest, timeout.at - 9)} for digest in digests]
    found += [
        {**genuine, "message": item, "receipt": receipt(digest, timeout.at - 9)}
        for item, digest in zip(older, digests, strict=True)
    ]
    # A time-out may come 1 ms after the deadline, and here it does.
    late = (timeout.at, timeout.at + 1, timeout.at + 60_000)
    found += [{**genuine, "receipt": receipt(message.digest, at)} for at in late]
    mine = (seat.private, table.seats[1].private, bytes_of("stranger"))
    found += [{**genuine, "receipt": receipt(message.digest, timeout.at - 9, key)} for key in mine]
    given = evidence["receipt"]
    found += [{**genuine, "receipt": {**given, "at": timeout.json()["at"]}}]
    found += [{**genuine, "receipt": {**given, "message": b64(bytes(64))}}]
    found += [{**genuine, "message": {**evidence["message"], "seat": 1}}]
    found += [{**genuine, "message": {**evidence["message"], "step": message.step - 1}}]
    found += [{**genuine, "entry": entry.json()} for entry in table.record if entry.digest != timeout.digest]
    return found


# A hand that was never dealt


def hand_told(change: Mapping[int, Any]) -> str:
    """Seat 0 of hearts is told its hand, some cards changed: the code of the fault it finds, or "taken"."""
    table = asked("expose")
    faces = table.game.state.faces
    hand = {p: faces[p] for p in sorted(table.game.rules.sees(table.game.state, 0))}
    with Corrupt(table, {**hand, **change}) as api:
        follower = Follower(api, table.game.header.game, public_key(table.keeper.private))
        follower.catch_up()
        try:
            follower.sit(table.seats[0])
        except HouseFault as found:
            fault = found
        else:
            assert list(follower.game.rules.legal(follower.game.state, 0))
            assert not follower.lacks()
            return "taken"
    assert fault.evidence["faces"]["signature"], "signed by the house"
    return fault.code


@attack("a hand with cards that are in no pack", "protocol 7", knows=HOUSE)
def test_a_hand_that_was_never_dealt(outcome: Outcome) -> None:
    """Another hand of the same pack is found when the deal is shown, and an impossible hand at once."""
    table = asked("expose")
    mine = table.game.state.faces[0]
    other = table.game.state.faces[1]
    wrong: list[Any] = ["ZZ", "", None, True, 7, ["QS"], {"QS": 1}, "qs", "QS ", "2C", other]
    assert "2C" not in table.game.state.faces.values(), "three players leave it out"
    for card in wrong:
        assert hand_told({0: card}) == "wrong_faces", card
    assert hand_told({}) == "taken"
    assert hand_told({0: other, 1: mine}) == "taken", "until the deal is shown"
    outcome.rejected(len(wrong))


# Two stories


@attack("two players told two stories by the house", "protocol 10", knows=HOUSE, withstands="convicted")
def test_two_views_of_one_game(outcome: Outcome) -> None:
    """The house shows seat 1 another record from one step on.

    No message of one record passes into the other.
    """
    tried = 0
    for lead in (6, 14, 22):
        one = Table.chef(1)
        while len(one.record) < lead or not one.asked():
            one.step()
        other = one.copy()
        other.now += 1
        at = len(one.record)
        for table in (one, other):
            for _ in range(8):
                table.step()
        mine, theirs = one.record[at], other.record[at]
        assert (mine.seq, mine.prev) == (theirs.seq, theirs.prev)
        assert mine.digest != theirs.digest
        key = one.game.header.house_key
        assert all(verify(key, entry.digest, entry.house_signature) for entry in (mine, theirs)), (
            "signed twice"
        )
        tried += sum(crossed(one, entry) for entry in other.record[at:])
        tried += sum(crossed(other, entry) for entry in one.record[at:])
    assert tried > 4
    outcome.rejected(tried)


def crossed(table: Table, entry: Entry) -> bool:
    """A message that was written upon one story is brought into the other: refused, at any step."""
    if entry.seat is None or table.game.over:
        return False
    known = {e.seq: e.digest for e in table.record}
    seen = entry.body["seen"]
    if known.get(seen["seq"]) == unb64(seen["digest"]):
        return False  # it has seen nothing yet of what differs
    data = {"step": entry.step, "seat": entry.seat, "kind": entry.kind, "body": dict(entry.body)}
    message = read_message(table.game.header.game, {**data, "signature": b64(entry.player_signature or b"")})
    with pytest.raises(Refused):
        table.copy().send(message)
    return True
