"""The ledger: append-only, balanced, never overdrawn, whoever writes at the same time; and its audit."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import select

from service.models import Account, Copy, LedgerTransaction, LedgerTransfer
from service.operations import collection, ledger
from service.operations.audit import audit
from service.operations.ledger import MINT, TILL, Transfer
from service.problems import Problem
from service.runtime import Runtime
from tests.service.service_kit import Guest
from tests.waiting import PATIENCE

STARTER = 40


def found(house: Runtime) -> list[tuple[str, str]]:
    """Return what the audit says, as (code, about)."""
    with house.read() as session:
        return [(finding.code, finding.about) for finding in audit(session).findings]


def reward(house: Runtime, guest: Guest, coins: int, ref: str | None = None) -> None:
    with house.write() as session:
        ledger.post(session, "reward", [Transfer(MINT, guest.id, coins=coins)], house.now(), ref)


def spend(house: Runtime, guest: Guest, coins: int) -> None:
    with house.write() as session:
        ledger.take(session, guest.id, coins)
        ledger.post(session, "purchase", [Transfer(guest.id, TILL, coins=coins)], house.now())


def coins(house: Runtime, guest: Guest) -> int:
    with house.read() as session:
        return ledger.coins_of(session, guest.id)


def test_a_starter_deck_is_one_transaction_out_of_the_mint(ann: Guest, house: Runtime) -> None:
    with house.read() as session:
        entered = session.exec(select(LedgerTransaction)).one()
        transfers = session.exec(select(LedgerTransfer)).all()
        copies = session.exec(select(Copy)).all()
    assert (entered.seq, entered.kind, entered.ref) == (1, "starter", None)
    assert {(t.source, t.target, t.coins) for t in transfers} == {(MINT, ann.id, None)}
    assert {t.copy_id for t in transfers} == {copy.id for copy in copies}
    assert len(transfers) == STARTER
    assert all(copy.soulbound and copy.state == "free" for copy in copies)
    assert found(house) == []


def test_a_copy_says_its_design_its_printing_and_whose_it_is(ann: Guest) -> None:
    (copy,) = ann.get("/collection/copies?card=tuna&limit=1").json["items"] or [None]
    if copy is None:
        copy = ann.post("/collection/basics", {"cards": {"salt": 1}}).json["items"][0]
    assert copy["printing"] == {"set": "PB", "number": copy["number"] - 1000}
    assert copy["owner"] == ann.id
    assert copy["soulbound"] is True
    assert (copy["state"], copy["held_by"]) == ("free", [])


def test_coins_come_and_go(ann: Guest, house: Runtime) -> None:
    assert coins(house, ann) == 0
    reward(house, ann, 30)
    spend(house, ann, 20)
    assert coins(house, ann) == 10
    with pytest.raises(Problem) as refused:
        spend(house, ann, 11)
    assert (refused.value.status, refused.value.code) == (409, "too_few_coins")
    assert refused.value.data == {"needed": 11, "coins": 10}
    assert coins(house, ann) == 10
    assert found(house) == []
    with house.read() as session:
        kept = {account.id: account.coins for account in session.exec(select(Account))}
    assert kept == {MINT: -30, TILL: 20, ann.id: 10}


def test_what_is_noted_already_can_be_spent_and_is_not_spent_twice(ann: Guest, house: Runtime) -> None:
    with house.write() as session:
        ledger.post(session, "reward", [Transfer(MINT, ann.id, coins=5)], 1)
        ledger.take(session, ann.id, 5)
        ledger.post(session, "purchase", [Transfer(ann.id, TILL, coins=5)], 1)
        with pytest.raises(Problem):
            ledger.take(session, ann.id, 1)
    assert coins(house, ann) == 0
    assert found(house) == []


def test_the_same_thing_is_entered_once(ann: Guest, house: Runtime) -> None:
    reward(house, ann, 3, "win:1")
    with pytest.raises(IntegrityError):
        reward(house, ann, 3, "win:1")
    assert coins(house, ann) == 3
    assert found(house) == []


def test_nobody_is_overdrawn_though_nobody_asked(ann: Guest, house: Runtime) -> None:
    """The database refuses it by itself, where `take` was forgotten."""
    with pytest.raises(IntegrityError), house.write() as session:
        ledger.post(session, "purchase", [Transfer(ann.id, TILL, coins=1)], 1)
    assert found(house) == []


@pytest.mark.parametrize("table", ["ledger_transaction", "ledger_transfer"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET seq = seq + 100", "DELETE FROM {}"])
def test_what_is_entered_stays(ann: Guest, house: Runtime, table: str, statement: str) -> None:
    with pytest.raises(DBAPIError, match="append-only"), house.write() as session:
        session.connection().execute(text(statement.format(table)))
    assert found(house) == []


@pytest.mark.parametrize(
    "values",
    [
        {"source": MINT, "target": MINT, "coins": 1},
        {"source": MINT, "target": TILL, "coins": 0},
        {"source": MINT, "target": TILL, "coins": -3},
        {"source": MINT, "target": TILL, "coins": None},
        {"source": MINT, "target": "nobody", "coins": 1},
    ],
)
def test_a_transfer_has_two_accounts_and_moves_something(
    ann: Guest, house: Runtime, values: dict[str, Any]
) -> None:
    reward(house, ann, 1)
    with pytest.raises(IntegrityError), house.write() as session:
        session.add(LedgerTransfer(seq=1, number=99, **values))


@pytest.mark.parametrize(
    "change",
    [
        "state = 'listed', held_by = 'x'",  # which bound copies are not
        "held_by = 'x'",
        "state = 'held'",
        "state = 'lost', held_by = 'x'",
    ],
)
def test_a_copy_is_in_one_place(ann: Guest, house: Runtime, change: str) -> None:
    with pytest.raises(IntegrityError), house.write() as session:
        session.connection().execute(text(f"UPDATE copy SET {change}"))


def _tampered(house: Runtime, *statements: str) -> list[tuple[str, str]]:
    """Return what the audit says after somebody has written into the tables by hand, triggers put aside."""
    with house.write() as session:
        connection = session.connection()
        for table in ("ledger_transaction", "ledger_transfer"):
            if house.database.is_sqlite:
                for verb in ("update", "delete"):
                    connection.execute(text(f"DROP TRIGGER IF EXISTS {table}_no_{verb}"))
            else:
                connection.execute(text(f"ALTER TABLE {table} DISABLE TRIGGER USER"))
        for statement in statements:
            connection.execute(text(statement))
    said = found(house)
    if not house.database.is_sqlite:  # the tables are used by the next test too
        with house.write() as session:
            for table in ("ledger_transaction", "ledger_transfer"):
                session.connection().execute(text(f"ALTER TABLE {table} ENABLE TRIGGER USER"))
    return said


# Transactions 1 and 2 are the starter decks of ann and bob, 3 gives ann 30 coins, of which 4 takes 20.
TAMPERING: list[tuple[str, str, str]] = [
    ("bad_balance", "account {ann}", "UPDATE account SET coins = 1000 WHERE player_id IS NOT NULL"),
    ("bad_balance", "account mint", "UPDATE account SET coins = coins - 1 WHERE id = 'mint'"),
    ("bad_digest", "transaction 3", "UPDATE ledger_transfer SET coins = 300 WHERE coins = 30"),
    ("bad_digest", "transaction 1", "UPDATE ledger_transaction SET at = at + 1 WHERE seq = 1"),
    ("bad_digest", "transaction 3", "UPDATE ledger_transaction SET ref = 'twice' WHERE seq = 3"),
    ("unknown_kind", "transaction 3", "UPDATE ledger_transaction SET kind = 'gift' WHERE seq = 3"),
    ("overdrawn", "transaction 4", "UPDATE ledger_transfer SET coins = 3 WHERE coins = 30"),
    ("transfer_missing", "transaction 1", "DELETE FROM ledger_transfer WHERE seq = 1 AND number = 7"),
    ("empty", "transaction 4", "DELETE FROM ledger_transfer WHERE seq = 4"),
    (
        "not_theirs",
        "transaction 1",
        "UPDATE ledger_transfer SET source = 'till' WHERE seq = 1 AND number = 0",
    ),
    ("bad_end", "the end of the ledger", "UPDATE ledger_head SET seq = seq + 1"),
    ("bad_end", "the end of the ledger", "UPDATE ledger_head SET digest = 'x'"),
    ("bad_owner", "copy {copy}", "UPDATE copy SET owner_id = '{bob}' WHERE id = '{copy}'"),
    ("bad_holder", "copy {copy}", "UPDATE copy SET state = 'held', held_by = 'g' WHERE id = '{copy}'"),
    ("bad_holder", "copy {copy}", "INSERT INTO copy_hold (game_id, copy_id) VALUES ('g', '{copy}')"),
    ("bad_serials", "card {card}", "UPDATE card_serial SET last = 0 WHERE card = {card}"),
    (
        "not_entered",
        "copy new",
        "INSERT INTO copy (id, card, serial, owner_id, origin, created_at)"
        " VALUES ('new', {card}, 99, '{ann}', 'basic', 1)",
    ),
]


@pytest.mark.parametrize(("code", "about", "statement"), TAMPERING)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_the_audit_says_exactly_what_is_wrong(
    ann: Guest, bob: Guest, house: Runtime, code: str, about: str, statement: str
) -> None:
    with house.read() as session:
        first = session.exec(select(LedgerTransfer).where(LedgerTransfer.seq == 1)).first()
        assert first is not None
        copy = session.get_one(Copy, first.copy_id)
    reward(house, ann, 30)
    spend(house, ann, 20)
    names = {"ann": ann.id, "bob": bob.id, "copy": copy.id, "card": copy.card}
    said = _tampered(house, statement.format(**names))
    wanted = about.format(**names)
    assert any(c == code and (a == wanted or a.startswith(wanted + " ")) for c, a in said), said


def test_a_transaction_that_is_gone_is_missed(ann: Guest, bob: Guest, house: Runtime) -> None:
    reward(house, ann, 30)
    said = _tampered(
        house, "DELETE FROM ledger_transfer WHERE seq = 2", "DELETE FROM ledger_transaction WHERE seq = 2"
    )
    assert ("gap", "transaction 3") in said
    assert ("bad_digest", "transaction 3") in said
    assert sum(code == "not_entered" for code, _ in said) == STARTER


# Several at once


@dataclass(frozen=True)
class Step:
    """One thing that a player does."""

    verb: str
    who: int
    amount: int
    fails: bool


def steps() -> st.SearchStrategy[list[Step]]:
    step = st.builds(
        Step,
        st.sampled_from(["reward", "spend", "mint", "trade"]),
        st.integers(0, 1),
        st.integers(1, 9),
        st.booleans(),
    )
    return st.lists(step, min_size=1, max_size=6)


class Broken(Exception):
    """The error that ends a transaction in its middle."""


def _do(house: Runtime, players: Sequence[Guest], step: Step) -> dict[str, int]:
    """Do it; by how much the players' coins have changed."""
    me, other = players[step.who], players[1 - step.who]
    n = step.amount
    try:
        with house.write() as session:
            match step.verb:
                case "mint":
                    salt = house.catalog.by_slug("salt").number
                    collection.give(session, me.id, {salt: n}, "basic", 1, kind="basic", soulbound=True)
                    change: dict[str, int] = {}
                case "reward":
                    ledger.post(session, "reward", [Transfer(MINT, me.id, coins=n)], 1)
                    change = {me.id: n}
                case "spend":
                    ledger.take(session, me.id, n)
                    ledger.post(session, "purchase", [Transfer(me.id, TILL, coins=n)], 1)
                    change = {me.id: -n}
                case _:
                    for player in sorted((me.id, other.id)):
                        ledger.take(session, player, n if player == me.id else 0)
                    ledger.post(session, "purchase", [Transfer(me.id, other.id, coins=n)], 1)
                    change = {me.id: -n, other.id: n}
            if step.fails:
                raise Broken
    except (Broken, Problem):
        return {}
    return change


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(plans=st.lists(steps(), min_size=2, max_size=3))
def test_nothing_is_lost_or_made_whoever_writes_at_once(
    ann: Guest, bob: Guest, house: Runtime, plans: list[list[Step]]
) -> None:
    """Threads that earn, spend, trade, mint and fail in the middle: the books are what was committed."""
    players = (ann, bob)
    before = {guest.id: coins(house, guest) for guest in players}
    changes: list[dict[str, int]] = []
    faults: list[BaseException] = []

    def run(plan: Sequence[Step]) -> None:
        try:
            for step in plan:
                changes.append(_do(house, players, step))
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(plan,)) for plan in plans]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    for guest in players:
        assert coins(house, guest) == before[guest.id] + sum(change.get(guest.id, 0) for change in changes)
    assert found(house) == []


def _run(house: Runtime, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the audit in a process of its own, since it sets what that process logs."""
    own = {"CLOCHE_DATABASE": house.settings.database, "CLOCHE_DATA": str(house.settings.data)}
    command = [sys.executable, "-m", "cloche", "admin", "audit", *options]
    return subprocess.run(
        command, env={**os.environ, **own}, capture_output=True, text=True, timeout=PATIENCE
    )


def test_the_command_says_whether_the_books_are_right(ann: Guest, house: Runtime) -> None:
    reward(house, ann, 7)
    done = _run(house)
    assert done.returncode == 0, done.stderr
    assert "2 transactions, 41 transfers, 7 coins, 40 copies" in done.stdout
    with house.write() as session:
        session.connection().execute(text("UPDATE account SET coins = 8 WHERE player_id IS NOT NULL"))
    done = _run(house)
    assert done.returncode == 1
    assert f"[bad_balance] account {ann.id}: 8 coins are kept, and its transfers come to 7" in done.stdout
    done = _run(house, "--json")
    assert '"code": "bad_balance"' in done.stdout
