"""The clock: due games are claimed once, resolved once, and every kind of silence has its consequence."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import select

from service.models import Copy, GameRow
from service.operations import clock as operations
from service.operations import games
from service.operations.games import turns
from service.runtime import Runtime
from tests.service.match_kit import Match, frozen, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import ON_SQLITE_FIRST, Guest
from tests.waiting import PATIENCE
from worker import bots

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """Ann at seat 0 and Bob at seat 1 of a match that begins."""
    return sit_down(house, clock, [ann, bob], seed=8)


def between_bots(house: Runtime, clock: list[int], many: int) -> list[str]:
    """Games that only bots play, which nobody has moved for a while: due."""
    made = []
    for _ in range(many):
        with house.write() as session:
            plans = [games.BotPlan("random") for _ in range(3)]
            made.append(games.begin(house, session, "hearts", {}, plans))
    clock[0] += games.BOT_PATIENCE_MS
    return made


def row(match: Match) -> GameRow:
    """The row of a match."""
    with match.house.read() as session:
        return games.row_of(session, match.id)


def record(match: Match) -> list[dict[str, Any]]:
    """The entries of a match."""
    entries: list[dict[str, Any]] = match.chairs[0].guest.get(f"/games/{match.id}/entries").json["entries"]
    return entries


# Claims


def test_two_sweeps_at_once_claim_a_game_once(house: Runtime, clock: list[int]) -> None:
    made = between_bots(house, clock, 12)
    claims = at_once([lambda: operations.due(house, 5)] * 6)
    claimed = [game for claim in claims for game in claim]
    assert len(claimed) == len(set(claimed))
    claimed += operations.due(house, 100)
    assert sorted(claimed) == sorted(made)
    assert operations.due(house, 100) == []


def test_a_claim_counts_for_a_sweep_whose_clock_is_behind(house: Runtime, clock: list[int]) -> None:
    # Or that looked at the clock, and was held up while another claimed.
    [made] = between_bots(house, clock, 1)
    clock[0] += 100
    assert operations.due(house, 10) == [made]
    clock[0] -= 100
    assert operations.due(house, 10) == []


def test_a_claim_runs_out_or_ends_with_what_was_to_be_done(house: Runtime, clock: list[int]) -> None:
    first, second = between_bots(house, clock, 2)
    assert set(operations.due(house, 10)) == {first, second}
    assert bots.move(house, first) > 0  # it has gone on, and something else is due in a while
    assert operations.due(house, 10) == []
    clock[0] += games.BOT_PATIENCE_MS
    assert operations.due(house, 10) == [first]
    clock[0] += operations.CLAIM_MS - games.BOT_PATIENCE_MS - 1
    assert operations.due(house, 10) == []
    clock[0] += 1
    assert operations.due(house, 10) == [second]


def test_the_longest_overdue_come_first(house: Runtime, clock: list[int]) -> None:
    made = []
    for _ in range(4):
        made += between_bots(house, clock, 1)
    assert operations.due(house, 3) == made[:3]
    assert operations.due(house, 3) == made[3:]


@pytest.mark.parametrize("kind", [pytest.param("postgresql", marks=pytest.mark.servers)], indirect=True)
def test_a_game_that_somebody_holds_does_not_keep_a_sweep_waiting(house: Runtime, clock: list[int]) -> None:
    first, second = between_bots(house, clock, 2)
    inside, release = threading.Event(), threading.Event()

    def hold() -> None:
        with house.write() as session:
            games.row_of(session, first, lock=True)
            inside.set()
            assert release.wait(PATIENCE)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert inside.wait(PATIENCE)
        assert operations.due(house, 10) == [second]
    finally:
        release.set()
        holder.join()
    assert operations.due(house, 10) == [first]


def test_a_match_is_due_when_its_time_is_up_and_not_before(match: Match, clock: list[int]) -> None:
    asking = match.fold.asking
    assert asking is not None
    for now in (clock[0], asking.deadline, asking.deadline + games.GRACE_MS):
        clock[0] = now
        assert operations.due(match.house, 10) == []
        before = frozen(match.house, match.id)
        assert games.resolve(match.house, match.id) == 0
        assert frozen(match.house, match.id) == before
    clock[0] = asking.deadline + games.GRACE_MS + 1
    assert operations.due(match.house, 10) == [match.id]
    assert games.resolve(match.house, match.id) == 3  # two time-outs and the result
    assert operations.due(match.house, 10) == []


# Resolving


def test_a_step_is_resolved_once_whoever_resolves_it(match: Match, clock: list[int]) -> None:
    match.until("seal")
    match.chairs[0].send()
    clock[0] = match.fold.asking.deadline + games.GRACE_MS + 1
    added = at_once([lambda: games.resolve(match.house, match.id)] * 8)
    assert sorted(added) == [0] * 7 + [1]
    before = frozen(match.house, match.id)
    assert games.resolve(match.house, match.id) == 0
    assert frozen(match.house, match.id) == before
    kinds = Counter((entry["step"], entry["kind"]) for entry in record(match))
    assert kinds[match.fold.step, "timeout"] == 1
    assert games.resolve(match.house, "0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c00") == 0


@ON_SQLITE_FIRST
def test_what_came_in_time_is_never_timed_out(match: Match, clock: list[int]) -> None:
    # A reveal on the last instant waits beside the record; when the time is up it enters, and only the
    # other seat is timed out.
    match.until("reveal")
    deadline = match.fold.asking.deadline
    clock[0] = deadline
    answered = match.chairs[0].send()
    assert answered["seq"] is None
    clock[0] = deadline + 10_000
    late = match.chairs[1].post(match.chairs[1].message())
    assert (late.status_code, late.json["code"]) == (409, "too_late")
    step = match.fold.step
    assert games.resolve(match.house, match.id) > 0
    closing = [entry for entry in record(match) if entry["step"] == step and entry["kind"] != "seal"]
    assert [(entry["actor"], entry["kind"]) for entry in closing] == [
        ("0", "reveal"),
        ("house", "timeout"),
        ("house", "account"),
    ]
    assert closing[1]["body"] == {"seat": 1, "kind": "reveal", "move": None}


@ON_SQLITE
@pytest.mark.parametrize("kind_of_step", ["enter", "ready", "link", "move", "seal", "reveal"])
def test_the_last_instant_is_in_time_and_the_next_is_not(
    match: Match, clock: list[int], kind_of_step: str
) -> None:
    match.until(kind_of_step)
    late, in_time = match.chairs
    messages = [chair.message() for chair in match.chairs]
    deadline = match.fold.asking.deadline
    clock[0] = deadline + 1
    refused = late.post(messages[0])
    assert (refused.status_code, refused.json["code"]) == (409, "too_late")
    clock[0] = deadline
    in_time.send(messages[1])
    clock[0] = deadline + games.GRACE_MS + 1
    assert games.resolve(match.house, match.id) > 0
    timeouts = [entry["body"] for entry in record(match) if entry["kind"] == "timeout"]
    assert [(body["seat"], body["kind"]) for body in timeouts] == [(0, kind_of_step)]


@ON_SQLITE_FIRST
def test_what_arrived_in_time_is_taken_though_checking_it_took_longer(
    match: Match, clock: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    match.until("seal")
    deadline, check = match.fold.asking.deadline, turns._check_early

    def slowly(*arguments: Any) -> Any:
        again = check(*arguments)
        clock[0] = deadline + games.GRACE_MS
        assert games.resolve(match.house, match.id) == 0
        return again

    monkeypatch.setattr(turns, "_check_early", slowly)
    clock[0] = deadline
    match.chairs[0].send()
    assert match.chairs[0].receipts[-1][1].at == deadline
    assert match.fold.seat(0).sealed is not None


# Silence, step by step


@ON_SQLITE
@pytest.mark.parametrize(
    ("kind_of_step", "silent", "winners", "reason"),
    [
        ("enter", {0}, [], "void"),
        ("enter", {0, 1}, [], "void"),
        ("ready", {1}, [], "void"),
        ("link", {1}, [0], "link_withheld"),
        ("link", {0, 1}, [], "link_withheld"),
    ],
)
def test_who_is_silent_before_the_first_deal(
    match: Match, kind_of_step: str, silent: set[int], winners: list[int], reason: str
) -> None:
    match.until(kind_of_step)
    for chair in match.chairs:
        if chair.number not in silent:
            chair.send()
    match.lapse()
    assert match.fold.over
    outcome = row(match).outcome
    assert outcome is not None
    assert outcome["winners"] == winners
    assert outcome["reason"] == reason
    entries = record(match)
    timed_out = {entry["body"]["seat"] for entry in entries if entry["kind"] == "timeout"}
    assert timed_out == silent
    with match.house.read() as session:
        assert session.exec(select(Copy.held_by).where(Copy.held_by == match.id)).first() is None


@ON_SQLITE
def test_silence_after_the_first_deal_costs_what_the_rules_say(match: Match) -> None:
    match.until("move")
    match.lapse()  # a missed keep or redraw is a keep
    assert [e["body"]["kind"] for e in record(match) if e["kind"] == "timeout"] == ["move", "move"]

    match.until("seal")
    points = match.fold.rules.points(match.fold.state)
    assert points == (0, 0)
    match.chairs[0].send()
    match.chairs[0].catch_up()
    match.lapse()  # Bob has not sealed: he serves nothing, Ann reveals alone
    assert match.fold.asking.kind == "reveal"
    assert match.fold.asking.seats == frozenset({0})
    match.chairs[0].catch_up()
    match.chairs[0].send()
    match.work()
    first = match.fold.rules.points(match.fold.state)
    assert first[1] == 0

    match.until("link")
    match.lapse()  # both links of a later deal are withheld: it is dealt without them
    links = [entry for entry in record(match) if entry["kind"] == "deal"][-1]
    assert links["body"]["deal"] == 2
    assert not match.fold.over

    match.until("reveal")
    match.chairs[0].send()
    match.lapse()  # Bob has sealed and not revealed: all the courses and a point more for Ann
    second = match.fold.rules.points(match.fold.state)
    assert (second[0] - first[0], second[1]) == (7, 0)
    assert [state.owed is not None for state in match.fold.seats] == [False, True]

    match.chairs[1].catch_up()
    assert match.chairs[1].due() == (match.chairs[1].kept.step, "reveal")
    match.chairs[1].send()
    assert match.fold.rules.points(match.fold.state) == second
    assert [state.owed for state in match.fold.seats] == [None, None]

    match.until("reveal")
    match.lapse()  # neither reveals: nobody scores, both owe
    third = match.fold.rules.points(match.fold.state)
    assert third == second
    assert [state.owed is not None for state in match.fold.seats] == [True, True]


@ON_SQLITE
def test_who_is_never_there_loses(match: Match) -> None:
    match.until("seal")
    rounds = 0
    while not match.fold.over:
        chair = match.chairs[0]
        chair.catch_up()
        if chair.due() is None:
            match.lapse()
        else:
            chair.send()
        match.work()
        rounds += 1
        assert rounds < 60
    outcome = row(match).outcome
    assert outcome is not None
    assert (outcome["winners"], outcome["reason"]) == ([0], "missed")
    missed = [e for e in record(match) if e["kind"] == "timeout" and e["body"]["kind"] == "seal"]
    assert len(missed) == 3


@ON_SQLITE
def test_the_house_plays_hearts_for_who_is_away(
    house: Runtime, clock: list[int], ann: Guest, seat: Callable[..., Guest]
) -> None:
    match = sit_down(house, clock, [ann, seat("cleo"), seat("dan")], mode="hearts", seed=9)
    match.until("move")
    match.lapse()  # missed exposing is done
    played = [e["body"]["move"] for e in record(match) if e["kind"] == "timeout"]
    assert played == [{"done": True}] * 3
    cards = 0
    while not match.fold.over:
        match.lapse()
        cards += 1
        assert cards < 60
    moves = [e["body"]["move"] for e in record(match) if e["kind"] == "timeout"][3:]
    assert all(set(move) == {"play", "card"} for move in moves)
    outcome = row(match).outcome
    assert outcome is not None
    assert outcome["reason"] == "missed"
    assert not match.chairs[0].guest.get("/games?state=running").json["items"]


# A clock that jumps

HOUR = 3_600_000


@ON_SQLITE_FIRST
def test_what_is_complete_waits_for_no_clock_that_was_put_back(
    house: Runtime, clock: list[int], match: Match
) -> None:
    match.until("reveal")
    clock[0] -= HOUR
    for chair in match.chairs:
        chair.catch_up()
        chair.send()
    assert operations.due(house, 10) == [match.id]  # the sweep finds it without a message
    assert games.resolve(house, match.id) > 0
    times = [entry["at"] for entry in record(match)]
    assert times == sorted(times)
    assert match.fold.asking is not None
    assert match.fold.asking.kind != "reveal"


def test_a_claim_from_before_the_clock_was_put_back_is_void(house: Runtime, clock: list[int]) -> None:
    [made] = between_bots(house, clock, 1)
    clock[0] += 2 * HOUR
    assert operations.due(house, 10) == [made]
    assert operations.due(house, 10) == []
    clock[0] -= HOUR
    assert operations.due(house, 10) == [made]
