"""Files of evidence convict the house by what they hold, and only by that (protocol 10.7)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from crypto.encoding import b64, timestamp, unb64
from crypto.identity import public_key
from player.house import HouseFault
from referee import Entry, Unreadable, write_receipt
from referee.evidence import EvidenceReport, judge, looks_like
from referee.faces import write_faces
from referee.record import write_entry
from referee.succession import write_succession
from tests.paths import VECTORS
from tests.referee.table import Table, bytes_of, quietly
from vectors.example import HOUSE_PRIVATE_KEY

HOUR = 3_600_000
NOTHING = (
    "the papers show what the client saw, and convict nobody: some breaches can't be shown to others,"
    " and for others a signed paper is missing"
)


def judged(code: str, evidence: Mapping[str, Any], record: Sequence[Entry], **more: Any) -> EvidenceReport:
    """The judgement on what a client writes when it stops."""
    told = json.dumps(HouseFault(code, "the house broke the protocol", evidence, record).json()).encode()
    assert looks_like(told)
    return judge(told, **more)


def linking() -> Table:
    table = Table.hearts(3, seed=4)
    table.choose = quietly
    table.until("link")
    return table


def papers(table: Table, at: int, private: bytes | None = None, seat: int = 1) -> dict[str, Any]:
    """A message of a seat, with a receipt."""
    message = table.message(seat)
    receipt = write_receipt(private or table.keeper.private, message.digest, at)
    return {"message": message.json(), "receipt": receipt.json()}


def timed_out(table: Table) -> Entry:
    """Seat 1 is timed out, whatever it has sent."""
    table.answer(0, 2)
    return next(entry for entry in table.lapse() if entry.kind == "timeout")


def test_a_false_time_out() -> None:
    table = linking()
    assert table.game.asking is not None
    deadline = table.game.asking.deadline
    given, late = papers(table, deadline), papers(table, deadline + 1)
    of_another = papers(table, deadline, seat=2)
    forged = papers(table, deadline, bytes_of("somebody"))
    entry = timed_out(table)
    found = judged("false_timeout", {"entry": entry.json(), **given}, table.record)
    assert found.valid, found.fault
    assert found.breach.startswith("a false time-out")
    assert found.json()["house_key"] == b64(table.game.header.house_key)
    other_seat = {**given["message"], "signature": b64(bytes(64))}
    for wrong in (
        late,
        forged,
        {**given, "message": late["message"], "receipt": forged["receipt"]},
        {**given, "message": other_seat},
        {**given, "receipt": {**given["receipt"], "message": b64(bytes(64))}},
        of_another,
        {**given, "receipt": of_another["receipt"]},
    ):
        none_convicted(judged("false_timeout", {"entry": entry.json(), **wrong}, table.record))
    not_by_the_house = {**entry.json(), "house_signature": b64(bytes(64))}
    none_convicted(judged("false_timeout", {"entry": not_by_the_house, **given}, table.record))


def test_a_time_out_of_another_record_is_not_false() -> None:
    table = linking()
    given = papers(table, table.now)
    entry = timed_out(table)
    place = (entry.seq - 1, bytes(64))
    elsewhere = write_entry(table.keeper.private, place, entry.at, entry.step, "house", "timeout", entry.body)
    none_convicted(judged("false_timeout", {"entry": elsewhere.json(), **given}, table.record))


def away(
    table: Table,
    began: int,
    ended: int,
    private: bytes | None = None,
    place: tuple[int, bytes] | None = None,
) -> Entry:
    """An absence, by default behind the newest entry and signed by the house."""
    head = table.record[-1]
    body = {"from": timestamp(began), "until": timestamp(ended)}
    place = place or (head.seq, head.digest)
    return write_entry(private or table.keeper.private, place, ended, table.game.step, "house", "away", body)


def none_convicted(found: EvidenceReport, section: str = "10.7") -> None:
    """The papers convict nobody, and the report says so."""
    fault = found.fault
    assert fault is not None
    assert (fault.code, fault.pointer, fault.text) == ("no_conviction", "/evidence", NOTHING)
    assert section in (fault.section or "")
    assert found.breach == ""


def test_an_absence_that_was_none() -> None:
    table = linking()
    began = table.now + 1_000
    entry = away(table, began, began + HOUR)
    for at, shown in ((began, False), (began + 1, True), (began + HOUR, False)):
        found = judged("was_there", {"entry": entry.json(), **papers(table, at)}, table.record)
        assert found.valid == shown
        assert found.breach == (
            "an absence that was none: the house gave a receipt meanwhile" if shown else ""
        )
    other = write_entry(
        table.keeper.private,
        (table.record[-1].seq, table.record[-1].digest),
        entry.at,
        entry.step,
        "house",
        "gone",
        entry.body,
    )
    within = papers(table, began + 1)
    assert "absence" not in judged("was_there", {"entry": other.json(), **within}, table.record).breach
    forged = papers(table, began + 1, bytes_of("somebody"))
    none_convicted(judged("was_there", {"entry": entry.json(), **forged}, table.record))
    by_another = away(table, began, began + HOUR, bytes_of("somebody"))
    none_convicted(
        judged("was_there", {"entry": by_another.json(), **papers(table, began + 1)}, table.record)
    )


def test_an_entry_that_can_not_stand() -> None:
    table = linking()
    entry = away(table, table.now - HOUR, table.now)
    found = judged("was_there", {"entry": entry.json(), "after": table.record[-1].json()}, table.record)
    assert (
        found.breach
        == "an entry that can't stand: the house has written an entry after that time, so it was not away"
    )
    outside = papers(table, table.now + HOUR)
    both = judged("was_there", {"entry": entry.json(), **outside}, table.record)
    assert both.breach == found.breach
    for odd in (None, 5, "faces", {"deal": 1}):
        beside = {"entry": entry.json(), "faces": odd}
        assert judged("was_there", beside, table.record).breach == found.breach
    fine = away(table, table.now, table.now + HOUR)
    none_convicted(judged("was_there", {"entry": fine.json()}, table.record))


def test_an_entry_of_another_place_or_house_convicts_nobody() -> None:
    """Each could not stand behind this record, and was not written to stand there by this house."""
    table = linking()
    head = table.record[-1]
    for place in ((head.seq + 1, head.digest), (head.seq, bytes(64)), (head.seq - 1, head.digest)):
        entry = away(table, table.now - HOUR, table.now, place=place)
        none_convicted(judged("was_there", {"entry": entry.json()}, table.record))
    entry = away(table, table.now - HOUR, table.now, bytes_of("somebody"))
    none_convicted(judged("was_there", {"entry": entry.json()}, table.record))


def test_the_time_out_of_a_seat_that_is_out_is_not_false() -> None:
    """It had answered in time, and then it resigned: the house need not wait for it any more."""
    table = Table.hearts(4, seed=4, options={"absent": "play"})
    table.until("move", topic="expose")
    given = papers(table, table.now)
    entries = table.send(table.seats[1].resign(table.views[1]))
    [entry] = [entry for entry in entries if entry.kind == "timeout"]
    assert entry.body["seat"] == 1
    none_convicted(judged("false_timeout", {"entry": entry.json(), **given}, table.record))


def test_only_an_absence_says_that_the_house_was_away() -> None:
    table = linking()
    behind = (table.record[-1].seq, bytes(64))
    body = {"from": timestamp(table.now), "until": timestamp(table.now + HOUR)}
    entry = write_entry(table.keeper.private, behind, table.now + HOUR, 1, "house", "account", body)
    receipt = papers(table, table.now + 1)
    none_convicted(judged("was_there", {"entry": entry.json(), **receipt}, table.record))


def test_an_entry_that_can_not_stand_before_those_who_know_the_cards() -> None:
    """The house plays a card for a late seat that is not the one by the rules."""
    table = Table.hearts(3, seed=4)
    table.choose = quietly
    table.until("move", topic="card")
    [seat] = table.asked()
    game = table.views[seat]
    hand = {position: game.state.faces[position] for position in game.state.board.hands[seat]}
    moves = [{"play": position, "card": face} for position, face in hand.items()]
    by_the_rules = game.rules.absent(game.state, seat)
    body = {"seat": seat, "kind": "move", "move": next(move for move in moves if move != by_the_rules)}
    assert game.asking is not None
    at, place = game.asking.deadline_of(seat) + 1, (game.seq, game.digest)
    entry = write_entry(table.keeper.private, place, at, game.step, "house", "timeout", body)
    told = write_faces(table.keeper.private, game.header.game, 1, seat, hand)
    found = judged("bad_entry", {"entry": entry.json(), "faces": [told]}, table.record)
    assert found.breach == "an entry that can't stand: this is not the move that the rules play for the seat"
    of_another = {**told, "seat": (seat + 1) % 3}
    for faces in ([], [of_another], [{**told, "signature": b64(bytes(64))}]):
        none_convicted(judged("bad_entry", {"entry": entry.json(), "faces": faces}, table.record))
    none_convicted(judged("bad_entry", {"entry": entry.json()}, table.record))


def test_a_record_rewritten() -> None:
    table = linking()
    given = papers(table, table.now)
    last = table.record[-1]
    other = write_entry(
        table.keeper.private,
        (last.seq - 1, last.prev),
        last.at + 1,
        last.step,
        last.actor,
        last.kind,
        last.body,
        last.player_signature,
    )
    found = judged("rewritten", {"entry": other.json(), "known": None, "said": [given]}, table.record[:-1])
    assert found.breach.startswith("a record rewritten")
    for entry in (last, table.record[-2], away(table, table.now, table.now + 1)):
        papers_of_it = {"entry": entry.json(), "known": None, "said": [given]}
        none_convicted(judged("rewritten", papers_of_it, table.record))
    unsigned = {**given, "receipt": {**given["receipt"], "signature": b64(bytes(64))}}
    none_convicted(judged("rewritten", {"entry": other.json(), "said": [unsigned]}, table.record[:-1]))
    second = judged("rewritten", {"entry": other.json(), "said": [given, given]}, table.record[:-1])
    assert second.breach == found.breach


@pytest.mark.parametrize("evidence", [{}, {"entry": None}, {"entry": {}, "said": 5}, {"receipt": []}])
def test_papers_that_show_nothing(evidence: Any) -> None:
    none_convicted(judged("slow", evidence, linking().record))


def test_odd_papers_beside_an_entry_show_nothing() -> None:
    table = linking()
    entry = away(table, table.now, table.now + HOUR).json()
    for odd in ({"said": 5}, {"said": [5]}, {"said": [{"message": 5}]}, {"faces": 5}, {"faces": [5]}):
        none_convicted(judged("slow", {"entry": entry, **odd}, table.record))


def test_the_report_says_what_was_judged() -> None:
    table = linking()
    entry = away(table, table.now - HOUR, table.now)
    mine = table.game.header.house_key
    found = judged("was_there", {"entry": entry.json()}, table.record, house_key=mine)
    assert found.json() == {
        "valid": True,
        "fault": None,
        "breach": found.breach,
        "game": table.game.header.game,
        "house_key": b64(mine),
    }
    assert found.checked == {"entries": len(table.record)}
    assert found.said == "the house broke the protocol"
    assert found.game == table.game
    none = judge(b'{"code": "x", "text": "y", "evidence": {}}')
    assert none.fault is not None
    assert none.json() == {
        "valid": False,
        "fault": {"code": "missing_field", "text": "there is no record", "section": none.fault.section},
        "breach": None,
        "game": None,
        "house_key": None,
    }
    assert (none.said, none.checked) == ("y", {})


def test_a_record_that_is_false_itself_convicts_nobody() -> None:
    table = linking()
    record = [*table.record[:-1], away(table, table.now, table.now + 1)]
    found = judged("was_there", {}, record)
    assert found.fault is not None
    assert found.fault.pointer.startswith(f"/record/entries/{len(record) - 1}")


def test_of_another_house_than_the_one_meant() -> None:
    table = linking()
    entry = away(table, table.now - HOUR, table.now)
    found = judged("was_there", {"entry": entry.json()}, table.record, house_key=bytes(32))
    assert found.fault is not None
    assert (found.fault.code, found.fault.pointer) == ("wrong_house", "/record")


@pytest.mark.parametrize(
    ("given", "code", "pointer"),
    [
        ({"evidence": {}}, "missing_field", "/code"),
        ({"code": "x", "text": "y", "evidence": {}, "more": 1}, "unknown_field", "/more"),
        ({"code": "x", "text": "y", "evidence": {}, "record": []}, "missing_field", "/record"),
        ({"code": "x", "text": "y", "evidence": {}, "record": {}}, "missing_field", "/record"),
        ({"code": "x", "text": "y", "evidence": {}, "record": {"entries": []}}, "missing_field", "/record"),
        ({"code": "x", "text": "y", "evidence": [], "record": {"entries": [1]}}, "bad_shape", "/evidence"),
    ],
    ids=str,
)
def test_a_file_of_another_form_names_the_place(given: Any, code: str, pointer: str) -> None:
    found = judge(json.dumps(given).encode())
    assert found.fault is not None
    assert (found.fault.code, found.fault.pointer) == (code, pointer)


def test_of_what_is_no_file_nothing_is_said() -> None:
    found = judge(b"[]")
    assert found.fault is not None
    assert found.said == ""


def test_a_record_is_judged_before_a_file_of_boosters() -> None:
    none_convicted(judged("any", {"file": BAD_BOOSTERS["given_up"]}, linking().record))


def test_evidence_is_looked_for_where_it_can_begin() -> None:
    """The word stands among the first 20,000 bytes of what a client writes."""

    def padded(end: int) -> bytes:
        rest = b'", "text": "y", "evidence": {}}'
        begun = b'{"code": "'
        return begun + b"x" * (end - len(begun) - rest.index(b": {}")) + rest

    for end in (19_999, 20_000):
        assert padded(end).index(b'"evidence"') + len(b'"evidence"') == end
        assert looks_like(padded(end))
    assert not looks_like(padded(20_001))


ODD = (b'{"evidence"', b'["evidence"]', b'"evidence"', b'{"code": 1, "evidence": {}}')


def test_what_is_no_evidence() -> None:
    for data in (b"", b"{}", b"[]", b'{"evidence": 1}', b'{"evidence', b'{"protocol":"cloche/v1"}', *ODD):
        assert not looks_like(data)
    with pytest.raises(Unreadable):
        judge(b"nonsense")
    report = judge(b'{"code": "x", "text": "y", "evidence": {}}')
    assert report.fault is not None
    assert report.fault.pointer == "/record"


BAD_BOOSTERS: dict[str, Any] = {
    vector["name"]: vector["input"]["file"]
    for vector in json.loads((VECTORS / "bad_boosters.json").read_text(encoding="utf-8"))
}
BOOSTERS: dict[str, Any] = json.loads((VECTORS / "boosters.json").read_text(encoding="utf-8"))[-1]["input"][
    "file"
]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "given_up",
            "given up, unless the house shows its notice, which the holder of a file could have left out:",
        ),
        ("not_asked", "steered"),
        ("asked_by_another", "steered"),
        ("asked_for_another", "steered"),
        ("opened_otherwise", "steered"),
        ("two_receipts", "steered"),
        ("other_card", "steered"),
        ("counter_begun_anew", "steered"),
        ("same_booster", "steered"),
    ],
)
def test_a_house_that_has_steered_boosters(name: str, words: str) -> None:
    report = judged("any", {"file": BAD_BOOSTERS[name]}, [])
    assert report.valid, report.fault
    assert words in report.breach
    other = judged("any", {"file": BAD_BOOSTERS[name]}, [], house_key=bytes(32))
    assert other.fault is not None
    assert other.fault.code == "wrong_house"
    assert other.fault.pointer.startswith("/evidence/file/")


@pytest.mark.parametrize("name", ["other_signature", "left_out", "other_house", "not_signed", "better_odds"])
def test_a_file_of_boosters_that_anybody_could_have_forged(name: str) -> None:
    none_convicted(judged("any", {"file": BAD_BOOSTERS[name]}, []), "boosters 5")


def test_boosters_of_an_earlier_key_are_the_same_houses() -> None:
    private = bytes_of("the house's next key")
    line = [write_succession(HOUSE_PRIVATE_KEY, private, 1)]
    told = {"file": BAD_BOOSTERS["two_receipts"]}
    assert judged("any", told, [], house_key=public_key(private), successions=line).valid
    assert not judged("any", told, [], house_key=public_key(private)).valid


def test_a_true_file_of_boosters_convicts_nobody() -> None:
    none_convicted(judged("any", {"file": BOOSTERS}, []), "boosters 5")


def test_a_chain_for_boosters_that_is_denied() -> None:
    report = judged("chain_forgotten", {"commitment": BOOSTERS["chains"][1], "file": BOOSTERS}, [])
    assert "unless the house shows its notice" in report.breach
    forged = {**BOOSTERS["chains"][1], "chain": 3}
    fault = judged("chain_forgotten", {"commitment": forged}, []).fault
    assert fault is not None
    assert fault.pointer.startswith("/evidence/commitment")


def test_a_chain_is_denied_by_the_house_that_signed_it() -> None:
    chain = BOOSTERS["chains"][1]
    mine = unb64(chain["house_key"])
    assert judged("chain_forgotten", {"commitment": chain}, [], house_key=mine).valid
    fault = judged("chain_forgotten", {"commitment": chain}, [], house_key=bytes(32)).fault
    assert fault is not None
    assert (fault.code, fault.pointer) == ("wrong_house", "/evidence/commitment")
    receipt = BOOSTERS["asked"][0]["receipt"]
    none_convicted(judged("any", {"commitment": chain, "receipt": receipt}, []), "boosters 5")


@pytest.mark.parametrize(
    "evidence", [[], {"file": []}, {"file": {"protocol": 1}}, {"commitment": 7}], ids=str
)
def test_odd_papers_about_boosters_convict_nobody(evidence: Any) -> None:
    told = json.dumps({"code": "x", "text": "y", "evidence": evidence}).encode()
    assert not judge(told).valid
