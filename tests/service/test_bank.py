"""The clock of a whole game at the house: own deadlines, clocks of days, and a clock that jumps."""

from __future__ import annotations

from typing import Any

import pytest

from referee.clocks import FLOOR, rest
from service.operations import clock as operations
from service.operations import games
from service.operations.games import rows
from service.runtime import Runtime
from tests.service.match_kit import Match, frozen, sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Guest

DAY = 86_400_000
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
DAYS = {"enter": 604_800, "ready": 604_800, "link": 604_800, "choice": 604_800, "reveal": 604_800}


def sit(house: Runtime, clock: list[int], guests: list[Guest], **options: Any) -> Match:
    """A match at its first seal."""
    match = sit_down(house, clock, guests, seed=8, options=options)
    match.until("seal")
    return match


def due_at(match: Match) -> int | None:
    with match.house.read() as session:
        return games.row_of(session, match.id).due_at


def timed_out(match: Match) -> list[tuple[int, str]]:
    entries = match.chairs[0].guest.get(f"/games/{match.id}/entries").json["entries"]
    bodies = [entry["body"] for entry in entries if entry["kind"] == "timeout"]
    return [(body["seat"], body["kind"]) for body in bodies]


def spend(match: Match, clock: list[int], slow: int, seconds: int) -> None:
    """A round whose seal takes this seat so long, and the other no time."""
    match.chairs[1 - slow].send()
    clock[0] += seconds * 1000
    match.chairs[slow].catch_up()
    match.chairs[slow].send()
    match.until("seal")


@ON_SQLITE_FIRST
def test_a_seat_is_timed_out_alone_and_the_other_goes_on(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit(house, clock, [ann, bob], bank=60)
    spend(match, clock, slow=0, seconds=50)
    asking = match.fold.asking
    mine, theirs = asking.deadline_of(0), asking.deadline_of(1)
    assert (mine - asking.since, theirs - asking.since) == (10_000, 60_000)
    assert due_at(match) == mine + games.GRACE_MS + 1
    message = match.chairs[0].message()

    clock[0] = mine + 1
    late = match.chairs[0].post(message)
    assert (late.status_code, late.json["code"]) == (409, "too_late")
    clock[0] = mine + games.GRACE_MS
    assert games.resolve(house, match.id) == 0
    clock[0] += 1
    assert operations.due(house, 10) == [match.id]
    assert games.resolve(house, match.id) == 1
    assert timed_out(match) == [(0, "seal")]
    assert due_at(match) == theirs + games.GRACE_MS + 1

    clock[0] = theirs
    match.chairs[1].catch_up()
    match.chairs[1].send()
    assert match.fold.asking.kind == "reveal"
    seats = match.chairs[0].guest.get(f"/games/{match.id}").json["seats"]
    assert [seat["bank_ms"] for seat in seats] == [0, 0]
    assert seats[0]["until"] is None


@pytest.mark.slow
@ON_SQLITE
def test_clocks_of_a_week(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    match = sit(house, clock, [ann, bob], **DAYS, seal=604_800, bank=2_592_000)
    spent = 0
    while spent < 4:
        spend(match, clock, slow=1, seconds=604_800)
        spent += 1
    asking = match.fold.asking
    assert rest(match.fold, 1) == 2 * DAY
    assert asking.deadline_of(1) == asking.since + 2 * DAY
    assert asking.deadline_of(0) == asking.since + 7 * DAY
    assert due_at(match) == asking.deadline_of(1) + games.GRACE_MS + 1
    clock[0] = asking.deadline_of(1)
    assert operations.due(house, 10) == []
    clock[0] += games.GRACE_MS + 1
    assert games.resolve(house, match.id) == 1
    assert timed_out(match) == [(1, "seal")]
    clock[0] = asking.deadline_of(0) + games.GRACE_MS + 1
    assert games.resolve(house, match.id) > 0
    match.until("seal")
    assert match.fold.asking.deadline_of(1) == match.fold.asking.since + FLOOR


@ON_SQLITE
def test_a_house_that_was_closed_over_a_deadline_takes_it_from_nobody(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit(house, clock, [ann, bob], bank=500)
    clock[0] = match.fold.asking.deadline + 3 * DAY
    rows._headers.clear()  # as in a process that has just started
    house.live.clear()
    late = match.chairs[0].post(match.chairs[0].message())
    assert late.json["code"] == "too_late"
    assert games.resolve(house, match.id) > 0
    assert [rest(match.fold, seat) for seat in (0, 1)] == [380_000, 380_000]
    assert timed_out(match) == [(0, "seal"), (1, "seal")]


@ON_SQLITE
@pytest.mark.parametrize("jump", [-DAY, -1])
def test_a_clock_that_is_set_back_gives_no_time(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, jump: int
) -> None:
    match = sit(house, clock, [ann, bob], bank=60)
    asking, at = match.fold.asking, due_at(match)
    clock[0] = asking.since + 20_000
    match.chairs[0].send()
    clock[0] += jump
    match.chairs[1].catch_up()
    before = frozen(house, match.id)
    assert games.resolve(house, match.id) == 0
    assert frozen(house, match.id) == before
    assert due_at(match) == at
    match.chairs[1].send()
    # Entries after the jump have the time of the newest entry: the seat is charged what the record says.
    assert [rest(match.fold, seat) for seat in (0, 1)] == [40_000, 40_000]
    assert match.fold.at == asking.since + 20_000


@ON_SQLITE
def test_a_message_sent_again_and_a_draw_offered_move_no_deadline(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit(house, clock, [ann, bob], bank=60)
    until, at = match.fold.asking.until, due_at(match)
    seal = match.chairs[0].message()
    clock[0] += 5_000
    first = match.chairs[0].post(seal)
    clock[0] += 20_000
    assert match.chairs[0].post(seal).json == first.json
    chair = match.chairs[1]
    chair.catch_up()
    assert chair.post(chair.seat.offer_draw(chair.game)).status_code < 300
    assert match.fold.asking.until == until
    assert due_at(match) == at
    assert [rest(match.fold, seat) for seat in (0, 1)] == [55_000, 60_000]


@ON_SQLITE
def test_the_house_plays_on_for_who_has_resigned(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Any
) -> None:
    match = sit_down(
        house, clock, [ann, bob, seat("cleo")], mode="hearts", seed=9, options={"absent": "play"}
    )
    match.until("move")
    chair = match.chairs[0]
    assert chair.post(chair.seat.resign(chair.game)).status_code < 300
    assert match.fold.gone == {0}
    assert timed_out(match) == [(0, "move")]
    chair.catch_up()
    refused = chair.post(chair.seat.offer_draw(chair.game))
    assert (refused.status_code, refused.json["code"]) == (409, "seat_out")
    for _ in range(12):
        assert match.step() is not chair
        assert 0 not in (match.fold.asking.seats if match.fold.asking else ())
    assert not match.fold.over
    seats = chair.guest.get(f"/games/{match.id}").json["seats"]
    assert [one["out"] for one in seats] == [True, False, False]
