"""A house that was away: its clocks stood still, it says so in each game, and nothing is dated inside."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlmodel import select

from crypto.encoding import canonical, parse_timestamp
from referee import verify_record
from referee.record import PROTOCOL
from service.models import Absence, GameEntry, Submission
from service.operations import clock as sweep
from service.operations import games, presence
from service.operations.games import turns
from service.runtime import Runtime
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import Guest

HOUR = 3_600_000


def absences(house: Runtime) -> list[tuple[int, int]]:
    with house.read() as session:
        return presence.since(session, 0)


def said(match: Match) -> list[tuple[int, int]]:
    """The absences in the record of a match: from and until."""
    bodies = [entry["body"] for entry in entries(match) if entry["kind"] == "away"]
    return [(parse_timestamp(body["from"]), parse_timestamp(body["until"])) for body in bodies]


def entries(match: Match) -> list[dict[str, object]]:
    with match.house.read() as session:
        rows = session.exec(select(GameEntry).where(GameEntry.game_id == match.id)).all()
        return [row.entry for row in sorted(rows, key=lambda row: row.seq)]


def verified(match: Match) -> None:
    told = canonical({"protocol": PROTOCOL, "entries": entries(match)})
    report = verify_record(told, unfinished=not match.fold.over)
    assert report.valid, report.fault


def open_house(match: Match) -> None:
    """The house is here, and beats."""
    presence.beat_alone(match.house)


def close_house(match: Match, long: int) -> None:
    """The house is closed for `long` milliseconds, beginning now. Its workers find nothing to do."""
    match.clock[0] += long
    assert sweep.due(match.house, 100) == []
    assert games.resolve(match.house, match.id) == 0


def until(match: Match) -> int:
    asking = match.fold.asking
    assert asking is not None
    return asking.deadline


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """A game of cribbage whose first card is to be cut, at a house that beats."""
    found = sit_down(house, clock, [ann, bob], "cribbage")
    found.until("move")
    open_house(found)
    return found


def test_a_house_closed_for_longer_than_a_turn_costs_nobody_the_turn(match: Match) -> None:
    began, left = match.clock[0], until(match) - match.clock[0] - presence.LAG_MS
    close_house(match, 8 * HOUR)
    open_house(match)
    assert match.id in sweep.due(match.house, 100), "every running game is due, to have it entered"
    match.work()
    assert said(match) == [(began + presence.LAG_MS, match.clock[0])]
    assert until(match) == match.clock[0] + max(left, 30_000)
    assert match.next(match.rng) is not None, "the same seat is asked still"
    match.clock[0] += 20_000
    open_house(match)
    match.step()
    verified(match)


def test_its_workers_close_no_step_while_it_is_away(match: Match) -> None:
    before = match.fold
    close_house(match, HOUR)
    assert match.fold == before


def test_the_first_message_finds_the_absence_entered_before_it(match: Match) -> None:
    chair = match.next(match.rng)
    assert chair is not None
    close_house(match, HOUR)
    open_house(match)
    match.clock[0] += 100
    answered = chair.send()
    kinds = [entry["kind"] for entry in entries(match)]
    assert kinds[answered["seq"] - 1] == "away"
    verified(match)


def test_a_process_that_slept_says_so_before_it_dates_a_receipt(match: Match) -> None:
    """A laptop wakes up, and a message is there before the next beat."""
    chair = match.next(match.rng)
    assert chair is not None
    match.clock[0] += HOUR
    chair.send()
    ((began, ended),) = absences(match.house)
    ((_, receipt),) = chair.receipts[-1:]
    assert not began < receipt.at < ended
    assert said(match) == [(began, ended)]
    verified(match)


def test_a_message_that_arrived_before_the_house_slept_is_dated_after_it(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was read when the newest beat was getting old, and entered when an absence had been noted."""
    match = sit_down(house, clock, [ann, bob])
    open_house(match)
    match.until("move")
    open_house(match)
    clock[0] += presence.LAG_MS + 200
    check = turns._check_early

    def asleep(*given: Any) -> Any:
        clock[0] += HOUR
        open_house(match)
        return check(*given)

    monkeypatch.setattr(turns, "_check_early", asleep)
    first, _ = match.chairs
    first.send()
    ((began, ended),) = absences(house)
    ((_, receipt),) = first.receipts[-1:]
    assert not began < receipt.at < ended
    verified(match)


def test_a_clock_that_was_put_back_dates_nothing_inside_an_absence(
    match: Match, ann: Guest, bob: Guest
) -> None:
    close_house(match, HOUR)
    open_house(match)
    ((began, ended),) = absences(match.house)
    match.clock[0] -= HOUR // 2
    chair = match.next(match.rng)
    assert chair is not None
    chair.send()
    ((_, receipt),) = chair.receipts[-1:]
    new = sit_down(match.house, match.clock, [ann, bob], "cribbage", 1)
    dated = [receipt.at, *(parse_timestamp(str(entry["at"])) for entry in entries(new))]
    assert not [at for at in dated if began < at < ended]
    verified(match)
    verified(new)


def test_a_late_beat_alone_is_no_absence(match: Match) -> None:
    chair = match.next(match.rng)
    assert chair is not None
    match.clock[0] += presence.GAP_MS
    chair.send()
    assert absences(match.house) == []


def test_workers_date_nothing_for_a_house_that_is_away(house: Runtime, clock: list[int], ann: Guest) -> None:
    match = sit_down(house, clock, [ann], "cribbage", bots=["random"])
    while not asked_bots(match):
        match.clock[0] += 250
        chair = match.next(match.rng)
        assert chair is not None
        chair.send()
        games.resolve(house, match.id)
    open_house(match)
    close_house(match, HOUR)
    before = match.fold
    match.work()  # the bot moves at once, and is refused
    assert match.fold == before
    open_house(match)
    match.work()
    assert match.fold.seq > before.seq
    verified(match)


def asked_bots(match: Match) -> list[object]:
    """The house's bots that still have to answer."""
    with match.house.read() as session:
        fold = games.current(match.house, session, match.id)
        return list(games.bots_asked(session, fold, games.waiting_of(session, fold)))


def test_held_answers_and_sealed_ones_survive(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob])
    open_house(match)
    match.until("move")
    first, second = match.chairs
    open_house(match)
    first.send()
    close_house(match, 2 * HOUR)
    open_house(match)
    match.work()
    second.catch_up()
    second.send()
    match.work()
    assert match.fold.asking is not None
    assert not any(entry["kind"] == "timeout" for entry in entries(match))
    verified(match)


def test_more_than_a_day_away_gives_a_day(match: Match) -> None:
    close_house(match, 30 * HOUR)
    open_house(match)
    match.work()
    ((began, ended),) = said(match)
    assert ended - began == 24 * HOUR
    kinds = [entry["kind"] for entry in entries(match)]
    assert kinds[kinds.index("away") + 1] == "timeout", "beyond that the clock ran"
    verified(match)


def test_two_absences_are_two_entries(match: Match) -> None:
    for _ in range(2):
        close_house(match, HOUR)
        open_house(match)
    match.work()
    assert len(said(match)) == 2
    verified(match)


def test_a_house_without_games_is_never_away(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    presence.keep(house)
    clock[0] += HOUR
    presence.keep(house)
    match = sit_down(house, clock, [ann, bob], "cribbage")
    assert absences(house) == []
    presence.keep(house)
    assert said(match) == []


def test_a_clock_that_was_ahead_keeps_the_absence_off_what_it_dated(match: Match) -> None:
    """An entry was dated four seconds ahead; then the clock was put right, and the house went away."""
    chair = match.next(match.rng)
    assert chair is not None
    right = match.clock[0]
    match.clock[0] += 4_000
    presence.beat_alone(match.house)
    chair.send()
    ahead = match.fold.at
    match.clock[0] = right
    with match.house.database.write() as session:  # as if the beats, too, had been put right
        session.execute(presence.update(presence.Presence).values(at=right))
    close_house(match, HOUR)
    open_house(match)
    assert absences(match.house) == [(ahead, match.clock[0])]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_ever_dated_inside_an_absence(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seed: int
) -> None:
    """Whatever stalls, sleeps or is killed between any two requests, and if the clock goes back."""
    rng = Random(seed)
    matches = [sit_down(house, clock, [ann, bob], mode, seed) for mode in ("cribbage", "chef")]
    presence.beat_alone(house)
    for _ in range(120):
        match = rng.choice(matches)
        clock[0] += rng.choice((100, 700, 2_000, 4_000, 20_000, 90_000, -50_000))
        if rng.random() < 0.7:
            presence.keep(house)
        chair = None if match.fold.over else match.next(rng)
        if chair is not None:
            message = chair.message()
            answered = chair.post(message)
            assert answered.status_code in (201, 409), answered.text
            if answered.status_code == 201:
                chair.sent.add((message.step, message.kind))
        if rng.random() < 0.5:
            match.work()
    found = absences(house)
    assert found
    with house.read() as session:
        dated = {row.at for row in session.exec(select(Submission))}
        assert session.exec(select(Absence.ended)).all()
    for match in matches:
        dated |= {parse_timestamp(str(entry["at"])) for entry in entries(match)}
        verified(match)
        for began, ended in said(match):
            assert any(b <= began < ended <= e for b, e in found)
    assert not [at for at in dated for began, ended in found if began < at < ended]
