"""Chores: what is of no more use goes, once, whoever of the workers is first; what is needed stays."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlmodel import select

from service.models import Chore, GameSeat, TableSeat, Token
from service.operations import housekeeping
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.service_kit import PASSWORD, Guest

DAY = 86_400_000


def tokens_of(house: Runtime) -> int:
    """Count the rows of tokens."""
    with house.read() as session:
        return len(session.exec(select(Token)).all())


def test_a_token_is_forgotten_a_month_after_it_ceased_to_work(
    house: Runtime, clock: list[int], ann: Guest, seat: Callable[..., Guest]
) -> None:
    short = ann.post("/tokens", {"handle": "Ann", "password": PASSWORD, "days": 1}).json
    revoked = ann.post("/tokens", {"handle": "Ann", "password": PASSWORD}).json
    assert ann.request("DELETE", f"/tokens/{revoked['id']}").status_code == 204
    clock[0] += 29 * DAY
    assert housekeeping.tidy(house) == 0
    ann.headers = {"Authorization": f"Bearer {revoked['token']}"}
    assert ann.get("/me").json["code"] == "revoked_token"
    clock[0] += 3 * DAY
    assert housekeeping.tidy(house) == 2
    assert tokens_of(house) == 1
    assert ann.get("/me").json["code"] == "unknown_token"
    ann.headers = {"Authorization": f"Bearer {ann.token}"}
    assert ann.get("/me").status_code == 200
    assert short["id"]


def test_a_chore_is_done_once_an_hour_by_whoever_is_first(
    house: Runtime, clock: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    monkeypatch.setattr(housekeeping, "CHORES", {"count": lambda _house, now: done.append(now) or 1})
    gate = threading.Barrier(6)

    def tidy() -> int:
        gate.wait()
        return housekeeping.tidy(house)

    for hour in range(1, 4):
        with ThreadPoolExecutor(6) as pool:
            gone = [future.result() for future in [pool.submit(tidy) for _ in range(6)]]
        assert sum(gone) == 1
        assert len(done) == hour
        clock[0] += housekeeping.EVERY_MS - 1
        assert housekeeping.tidy(house) == 0
        clock[0] += 1
    with house.read() as session:
        assert session.get_one(Chore, "count").due_at == clock[0]


def test_a_chore_that_fails_leaves_the_others_and_is_due_again(
    house: Runtime, clock: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_house: Runtime, _now: int) -> int:
        raise RuntimeError("no")

    done: list[int] = []
    chores: dict[str, Any] = {"fails": fails, "works": lambda _house, now: done.append(now) or 0}
    monkeypatch.setattr(housekeeping, "CHORES", chores)
    assert housekeeping.tidy(house) == 0
    assert len(done) == 1
    clock[0] += housekeeping.EVERY_MS
    housekeeping.tidy(house)
    assert len(done) == 2


def test_the_house_forgets_a_deck_when_the_match_is_over(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob])
    match.until("seal")

    def decks() -> list[Any]:
        with house.read() as session:
            rows = session.exec(select(GameSeat).where(GameSeat.game_id == match.id)).all()
            return [row.cards for row in rows]

    assert all(decks())
    chair = match.chairs[0]
    first = chair.certify(chair.seat.secret.certificate_seed)
    chair.send(chair.seat.resign(chair.game))
    assert decks() == [None, None]
    with house.read() as session:
        assert {row.cards is None for row in session.exec(select(TableSeat))} == {True}
    assert chair.certify(chair.seat.secret.certificate_seed) == first  # it stands in the record anyway
