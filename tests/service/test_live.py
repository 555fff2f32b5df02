"""A process's knowledge of running games saves reads of the database, and is checked before a write."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from sqlalchemy import event
from sqlmodel import col, delete, select, update

from referee.game import Game
from service import announcements, live
from service.announcements import LONGEST, Forgotten, Revoked
from service.live import Growth, LiveGame, LiveGames, Sitter
from service.models import GameEntry, GameRow, Submission
from service.operations import games, streams, watching
from service.runtime import Runtime
from service.tails import Event
from tests.service.match_kit import Chair, Match, sit_down
from tests.service.service_kit import Guest, app_of
from tests.service.shadow_kit import Shadow, record
from tests.waiting import until

pytestmark = pytest.mark.usefixtures("kept_tokens")
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
ON_POSTGRESQL = pytest.mark.parametrize(
    "kind", [pytest.param("postgresql", marks=pytest.mark.servers)], indirect=True
)


@pytest.fixture
def match(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> Match:
    """Ann and Bob at a table of flip, at the first move."""
    found = sit_down(house, clock, [ann, bob], mode="flip", seed=3)
    found.until("move")
    return found


@pytest.fixture
def other(house: Runtime, clock: list[int]) -> Iterator[Runtime]:
    """The same house in another process, as far as what it knows goes."""
    opened = replace(Runtime.open(house.settings), clock=lambda: clock[0])
    yield opened
    opened.close()


def statements(house: Runtime) -> list[str]:
    """The statements from now on."""
    found: list[str] = []

    @event.listens_for(house.database.engine, "before_cursor_execute")
    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        found.append(statement)

    return found


def asked(match: Match) -> Chair:
    """The chair whose move it is."""
    for chair in match.chairs:
        chair.catch_up()
    return next(chair for chair in match.chairs if chair.due() is not None)


def send_at(house: Runtime, chair: Chair) -> int | None:
    """Send what is due to one process of a house; the seq of its entry."""
    message = chair.message()
    chair.sent.add((message.step, message.kind))
    return games.submit(house, chair.game_id, message.json(), player_id=chair.guest.id).seq


# Counted


@ON_SQLITE
def test_followers_read_without_a_statement(house: Runtime, match: Match, ann: Guest, bob: Guest) -> None:
    for _ in range(3):
        chair = asked(match)
        before = chair.game.seq
        chair.send()
        counted = statements(house)
        for guest in (ann, bob):
            shown = guest.get(f"/games/{match.id}/entries?after={before}").json
            assert [entry["seq"] for entry in shown["entries"]] == list(
                range(before + 1, before + 1 + len(shown["entries"]))
            )
            assert shown["entries"]
            nothing = guest.get(f"/games/{match.id}/entries?after={shown['entries'][-1]['seq']}").json
            assert nothing == {"entries": [], "more": False}
        assert counted == []


@ON_SQLITE
def test_entries_are_the_same_from_memory_and_from_the_database(house: Runtime, match: Match) -> None:
    for _ in range(4):
        asked(match).send()
    path = f"{match.chairs[0].path}?after={match.fold.seq - 5}"
    kept = match.chairs[0].guest.get(path)
    house.live.clear()
    assert kept.data == match.chairs[0].guest.get(path).data


@ON_SQLITE
@pytest.mark.parametrize("mode", ["flip", "hearts", "chef"])
def test_a_message_takes_eight_statements_at_most(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Any, mode: str
) -> None:
    guests = [ann, bob, *([seat("cleo"), seat("dan")] if mode == "hearts" else [])]
    match = sit_down(house, clock, guests, mode=mode, seed=1)
    match.until("move")
    seen: dict[str, set[int]] = {}
    for _ in range(24):
        chair = asked(match)
        message = chair.message()
        counted = statements(house)
        chair.send(message)
        took = len(counted)
        match.work()
        if match.fold.over:  # the end of a game takes more
            break
        seen.setdefault(message.kind, set()).add(took)
        if not any(each.due() for each in match.chairs if each.catch_up()):
            match.lapse()
    assert max(map(max, seen.values())) <= 8, seen
    assert "move" in seen


# Other processes


def test_a_process_that_has_missed_entries_judges_by_the_database(
    house: Runtime, other: Runtime, match: Match
) -> None:
    shadow, here = Shadow(house, match.id), [house, other]
    for number in range(8):
        if match.fold.over:
            break
        chair = asked_by_record(match)
        before = match.fold.seq
        assert send_at(here[number % 2], chair) == before + 1
        shadow.look()


def asked_by_record(match: Match) -> Chair:
    """The chair whose move it is, where the process at hand may not have heard of it."""
    match.house.live.clear()
    return asked(match)


@ON_POSTGRESQL
def test_processes_bring_each_other_the_entries(house: Runtime, other: Runtime, match: Match) -> None:
    for each in (house, other):
        each.listen()
    until(lambda: house.notices.hears_others and other.notices.hears_others)
    streams.ended(other, match.id, match.chairs[0].guest.id, -1)  # somebody begins to listen there
    for _ in range(3):
        chair, before = asked(match), match.fold.seq
        send_at(house, chair)
        newest = match.fold.seq
        until(lambda newest=newest: (other.live.get(match.id) or no_game()).seq == newest)
        counted = statements(other)
        assert watching.known(other, match.id, chair.guest.id).seq >= before + 1
        found = watching.entries_after(other, match.id, before, 200)
        assert counted == []
        assert [json.loads(entry.data)["seq"] for entry in found] == [entry.id for entry in found]
        assert found == watching.entries_after(house, match.id, before, 200)
    # The next message goes to the process that has only heard of the last ones: it needs no snapshot.
    chair, counted = asked(match), statements(other)
    assert send_at(other, chair) is not None
    assert not [text for text in counted if "SELECT" in text and "snapshot" in text]
    Shadow(house, match.id).look()


NO_FOLD = cast(Game, object())
"""Nothing here looks into the fold of these games."""


def no_game() -> LiveGame:
    return LiveGame("", (), False, False, -1, NO_FOLD)


@ON_SQLITE
def test_a_database_that_was_put_back_is_not_written_on_from_memory(house: Runtime, match: Match) -> None:
    # As after a fail-over to a server that had not heard of the last commits.
    with house.read() as session:
        row = games.row_of(session, match.id)
        kept = {"seq": row.seq, "head": row.head, "snapshot": row.snapshot, "due_at": row.due_at}
    for _ in range(2):
        asked(match).send()
    with house.write() as session:
        session.execute(update(GameRow).where(col(GameRow.id) == match.id).values(**kept))
        session.execute(delete(GameEntry).where(col(GameEntry.seq) > kept["seq"]))
        steps = select(Submission).where(Submission.game_id == match.id)
        for sent in session.exec(steps).all():
            if sent.seq is not None and sent.seq > kept["seq"]:
                session.delete(sent)
    outdated = house.live.get(match.id)
    assert outdated is not None
    anew = sit_again(match)
    house.live.forget(match.id)
    house.live.put(outdated, house.live.ticket())
    for _ in range(2):
        before = match.fold.seq
        assert send_at(house, anew) == before + 1
        Shadow(house, match.id).look()
        anew = sit_again(match)
    assert record(anew.guest, match, unfinished=True)[0].valid


def sit_again(match: Match) -> Chair:
    """The chair whose move it is by the database, with a fold of its own from the beginning."""
    match.house.live.forget(match.id)
    chairs = [Chair(chair.guest, match.id, chair.seat, chair.choose) for chair in match.chairs]
    for chair in chairs:
        chair.catch_up()
    return next(chair for chair in chairs if chair.due() is not None)


# Tokens


def looks(counted: list[str]) -> list[str]:
    """The statements that look a token up."""
    return [statement for statement in counted if "from token" in " ".join(statement.lower().split())]


@ON_SQLITE
def test_a_known_token_costs_no_look_and_ends_with_its_time(
    house: Runtime, clock: list[int], ann: Guest
) -> None:
    assert ann.get("/me").status_code == 200
    counted = statements(house)
    assert ann.get("/me").json["handle"] == "Ann"
    assert looks(counted) == []
    clock[0] += house.settings.token_days * 86_400_000
    assert ann.get("/me").json["code"] == "expired_token"


@ON_SQLITE
def test_a_revoked_token_is_refused_at_once(house: Runtime, ann: Guest) -> None:
    assert ann.get("/me").status_code == 200
    (token,) = ann.get("/tokens").json["items"]
    assert ann.delete(f"/tokens/{token['id']}").status_code == 204
    assert ann.get("/me").json["code"] == "revoked_token"


@ON_POSTGRESQL
def test_a_token_that_another_process_has_revoked_is_refused(
    house: Runtime, other: Runtime, ann: Guest
) -> None:
    elsewhere = replace(ann, client=app_of(other).test_client())
    counted = statements(other)
    for _ in range(2):  # a process that does not hear of revocations keeps no token
        counted.clear()
        assert elsewhere.get("/me").status_code == 200
        assert looks(counted) != []
    other.listen()
    until(lambda: other.notices.hears_others)
    assert elsewhere.get("/me").status_code == 200
    counted.clear()
    assert elsewhere.get("/me").status_code == 200
    assert looks(counted) == []
    (token,) = ann.get("/tokens").json["items"]
    assert ann.delete(f"/tokens/{token['id']}").status_code == 204
    until(lambda: elsewhere.get("/me").status_code == 401)


# The cache by itself


def entries(first: int, last: int, size: int = 2) -> tuple[Event, ...]:
    return tuple(Event(seq, "move", "x" * size) for seq in range(first, last + 1))


def game(seq: int, first: int | None = None) -> LiveGame:
    kept = () if first is None else entries(first, seq)
    return LiveGame("g", (Sitter(0, "ann", None),), False, False, seq, NO_FOLD, entries=kept)


def ids(found: Any) -> list[int] | None:
    return None if found is None else [entry.id for entry in found]


def test_entries_grow_in_order_whatever_the_order_of_the_news() -> None:
    known = LiveGames()
    known.put(game(4, 3), known.ticket())
    for growth in (
        Growth("g", 6, entries(5, 6), False),
        Growth("g", 5, entries(5, 5), False),
        Growth("g", 6, entries(6, 6), False),
        Growth("g", 8, entries(6, 8), True),
    ):
        known.grow(growth)
    found = known.get("g")
    assert found is not None
    assert (found.seq, found.ended, ids(found.entries)) == (8, True, [3, 4, 5, 6, 7, 8])
    assert ids(found.after(6)) == [7, 8]
    assert ids(found.after(8)) == []
    assert found.after(1) is None


def test_what_was_not_told_is_not_known() -> None:
    known = LiveGames()
    known.put(game(4, 3), known.ticket())
    known.grow(Growth("g", 7, entries(7, 7), False))  # the news of 5 and 6 were lost
    known.grow(Growth("g", 9, (), False))  # 8 and 9 are too long to be told
    found = known.get("g")
    assert found is not None
    assert (found.seq, found.after(8)) == (9, None)


def test_a_game_that_may_have_grown_while_it_was_read_is_not_kept() -> None:
    known = LiveGames()
    ticket = known.ticket()
    known.grow(Growth("g", 5, entries(5, 5), False))
    known.put(game(4), ticket)
    assert known.get("g") is None
    ticket = known.ticket()
    known.clear()
    known.put(game(4), ticket)
    assert known.get("g") is None
    known.put(game(5), known.ticket())
    known.put(game(4), known.ticket())
    assert (known.get("g") or no_game()).seq == 5


def test_what_is_kept_is_bounded() -> None:
    known = LiveGames()
    known.put(game(-1), known.ticket())
    known.grow(Growth("g", 199, entries(0, 199), False))
    assert ids((known.get("g") or no_game()).entries) == list(range(200 - live.MOST_ENTRIES, 200))
    known.grow(Growth("g", 202, entries(200, 202, live.MOST_BYTES // 2), False))
    assert ids((known.get("g") or no_game()).entries) == [201, 202]
    for number in range(live.MOST_GAMES):
        known.put(replace(game(0), id=str(number)), known.ticket())
    assert known.get("g") is None
    assert known.get("0") is not None


def test_a_notice_brings_what_it_can_carry() -> None:
    growth, long = Growth("g", 5, entries(4, 5), True), Growth("h", 9, entries(9, 9, LONGEST), False)
    others: dict[str, announcements.News] = {
        "game:i": Forgotten("i"),
        "token:t": Revoked("t"),
        "player:p": None,
    }
    assert told({"game:g": growth, **others}) == (1, {"game:g": growth, **others})
    shortened = replace(long, entries=())
    assert told({"game:h": long, "player:p": None}) == (1, {"game:h": shortened, "player:p": None})
    # Nothing that the house does has news of two games; the second is only named.
    second = replace(growth, game_id="k")
    assert told({"game:g": growth, "game:k": second}) == (1, {"game:g": growth, "game:k": Forgotten("k")})
    many: dict[str, announcements.News] = {f"player:{number:036}": None for number in range(250)}
    assert told({"game:g": growth, **many}) == (3, {"game:g": growth, **many})


def test_the_version_before_finds_its_topics_in_a_notice() -> None:
    (payload,) = announcements.write("me", {"game:g": Growth("g", 5, entries(4, 5), True), "player:p": None})
    assert {"game:g", "player:p"} <= set(payload.split(" "))
    assert announcements.read("me game:g player:p") == ("me", {"game:g": Forgotten("g"), "player:p": None})


def told(news: dict[str, announcements.News]) -> tuple[int, dict[str, announcements.News]]:
    """How many payloads tell these news, and what another process hears."""
    heard: dict[str, announcements.News] = {}
    payloads = list(announcements.write("me", news))
    for payload in payloads:
        assert len(payload.encode()) <= LONGEST
        process, part = announcements.read(payload)
        assert process == "me"
        heard |= part
    return len(payloads), heard
