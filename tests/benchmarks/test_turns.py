"""The least that a turn can cost really does the work that no honest house can leave out."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import psycopg
import pytest
from sqlalchemy import select

from benchmarks.turns import scratch
from benchmarks.turns.bound import BASE, create_bound
from benchmarks.turns.measure import WARM, HouseAndBound, another_seal, play_meals, play_turns, sides, steady
from benchmarks.turns.table import DrivenMatch
from benchmarks.turns.wsgi import Request, ask
from crypto.encoding import canonical, parse_timestamp, unb64
from crypto.identity import public_key, verify
from player.seat import OwnSeat
from referee import Message, Receipt, read_entry, verify_record, write_message
from referee.message import receipt_holds
from service.models import GameEntry, Submission
from tests.chance import unique
from tests.stack import need

TURNS = 3


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HouseAndBound]:
    """A house and a bound, each on an SQLite file."""
    with sides(tmp_path_factory.mktemp("sides"), seed=7) as found:
        yield found


def rows_of(at: HouseAndBound, game: str) -> tuple[list[GameEntry], int]:
    """The bound's entries of a game in order, and how many messages it has accepted."""
    with at.bound.read() as connection:
        entry, sent = GameEntry.__table__.c, Submission.__table__.c
        entries = connection.execute(
            select(entry.entry).where(entry.game_id == game).order_by(entry.seq)
        ).scalars()
        return list(entries), len(connection.execute(select(sent.seat).where(sent.game_id == game)).all())


def test_what_was_exempt_from_collection_before_stays_so() -> None:
    """Else every later collection of these tests would look through all that pytest holds."""
    before = gc.get_freeze_count()
    assert before > 100_000, "what pytest has collected"
    with steady():
        assert gc.get_freeze_count() > before / 2
    assert gc.get_freeze_count() > before / 2


def message_of(at: HouseAndBound, match: DrivenMatch) -> Message:
    assert match.until("move")
    return match.message(match.due()[0])


def test_both_sides_play_the_same_turns(at: HouseAndBound) -> None:
    turns = play_turns(at, TURNS)
    assert len(turns.house) == len(turns.bound) == TURNS
    assert all(cpu > 0 for cpu in turns.house + turns.bound)
    assert len(turns.post_statements) == TURNS
    assert len(turns.read_statements) == 2 * TURNS
    assert min(turns.post_statements) >= 4, "a game's row, a submission, an entry, the row again"
    assert turns.ratio > 0


def test_the_bound_keeps_a_signed_chain_and_signs_receipts(at: HouseAndBound) -> None:
    match = at.begin("flip")
    before, _ = rows_of(at, match.id)
    message = message_of(at, match)
    answered = ask(at.floor, match.post(message))
    assert answered.status == 201
    told = answered.json["receipt"]
    receipt = Receipt(unb64(told["message"]), parse_timestamp(told["at"]), unb64(told["signature"]))
    key = public_key(at.bound.private)
    assert receipt.message == message.digest
    assert receipt_holds(receipt, key)
    after, sent = rows_of(at, match.id)
    assert (len(after), sent) == (len(before) + 1, 1)
    last, new = read_entry(after[-2]), read_entry(after[-1])
    assert (new.prev, new.player_signature) == (last.digest, message.signature)
    assert verify(key, new.digest, new.house_signature)
    for seat in match.seats:
        shown = ask(at.floor, match.read(seat.number, last.seq))
        assert shown.json == {"entries": [after[-1]], "more": False}


def test_the_bound_refuses_what_no_house_may_take(at: HouseAndBound) -> None:
    match = at.begin("flip")
    message = message_of(at, match)
    good = match.post(message)
    forged = replace(message, signature=bytes(64))
    other = 1 - message.seat
    foreign = OwnSeat(other, match.seats[other].private, bytes(32))
    taken = write_message(
        foreign.private, message.game, message.step, message.seat, message.kind, message.body
    )
    for request, status in (
        (replace(good, token="cloche_nobody"), 401),
        (match.post(forged), 422),
        (Request("POST", match.path, match.visitors[other].token, taken.json()), 403),
        (Request("POST", match.path, good.token, taken.json()), 422),
    ):
        app = create_bound(at.bound)
        path = BASE.removesuffix("/games") + request.path
        headers = {"Authorization": f"Bearer {request.token}"}
        assert app.test_client().post(path, json=request.body, headers=headers).status_code == status
    assert rows_of(at, match.id)[1] == 0
    stranger = Request("GET", f"{match.path}?after=-1", at.visitors[0].token)
    assert ask(at.floor, stranger).json["entries"], "a player reads the record"


@pytest.mark.slow
def test_sealed_turns_verify_a_proof_on_both_sides(at: HouseAndBound) -> None:
    turns = play_meals(at, 1)
    assert len(turns.house) == len(turns.bound) == 1
    assert len(turns.post_statements) == 2
    assert len(at.bound.proofs) == 2 * (1 + WARM), "every turn has proofs of its own"


def test_the_bound_refuses_a_proof_of_another_hand(at: HouseAndBound) -> None:
    match = at.begin("chef")
    seals = [another_seal(match, match.game, number, at.bound) for number in match.due()]
    assert ask(at.floor, match.post(seals[1])).status == 201
    proofs, step = at.bound.proofs, seals[0].step
    proofs[match.id, step, 0] = proofs[match.id, step, 1]
    assert ask(at.floor, match.post(seals[0])).status == 422


def test_a_seat_that_is_asked_for_nothing_has_no_message(at: HouseAndBound) -> None:
    match = at.begin("flip")
    assert match.until("move")
    [asked] = match.due()
    with pytest.raises(ValueError, match=f"^Seat {1 - asked} is asked for nothing"):
        match.message(1 - asked)


def test_a_match_that_was_played_for_measuring_is_a_valid_record(at: HouseAndBound) -> None:
    match = at.begin("flip")
    for _ in range(3):
        message = message_of(at, match)
        assert at.house.call(match.post(message)).status == 201
        match.catch_up()
    resigned = match.seats[0].resign(match.game)
    assert at.house.call(match.post(resigned)).status == 201
    assert match.catch_up().over
    read = Request("GET", f"/games/{match.id}/record", match.visitors[0].token)
    report = verify_record(canonical(at.house.call(read).json))
    assert report.valid, report.fault


@pytest.mark.servers
def test_a_database_that_another_made_is_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    need("postgresql+redis")
    name = unique()
    monkeypatch.setattr(scratch, "secrets", SimpleNamespace(token_hex=lambda _: name))
    with scratch.databases(1) as [kept]:
        with pytest.raises(psycopg.errors.DuplicateDatabase), scratch.databases(1):
            pass
        psycopg.connect(kept).close()
    with pytest.raises(psycopg.OperationalError, match="does not exist"):
        psycopg.connect(kept)


@pytest.mark.servers
def test_turns_are_played_on_postgresql_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # This test draws the same in every run, and another run may use the server now: the names must differ.
    monkeypatch.setattr(scratch, "secrets", SimpleNamespace(token_hex=lambda _: unique()))
    try:
        with scratch.databases(2) as (house, bound), sides(tmp_path, (house, bound)) as here:
            turns = play_turns(here, 1)
            assert len(turns.house) == len(turns.bound) == 1
            assert here.bound.engine.dialect.name == "postgresql"
    except scratch.NoServer as fault:
        if os.environ.get("CI"):
            pytest.fail(str(fault))
        pytest.skip(str(fault))
