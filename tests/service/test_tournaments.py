"""Tournaments: entering, rounds, results, corrections, prizes; nothing is paid twice, and nothing is lost."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from service.models import Act, GameRow
from service.operations import tournaments
from service.operations.games import stop
from service.operations.tournaments.playing import MOST_GAMES
from service.runtime import Runtime
from tests.service.match_kit import deck_id, follow
from tests.service.service_kit import Guest, codes, give_coins
from tests.service.tournament_kit import (
    MINUTE,
    ONE,
    Seat,
    created,
    crowd,
    drawn,
    entered,
    events,
    look,
    lost,
    matches,
    play_round,
    standings,
    started,
    state,
)
from tests.service.trade_kit import coins, findings


def test_a_swiss_tournament_from_the_first_entry_to_the_prizes(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    cup = created(director, fee=20, added=20, prizes=[60, 40])
    assert coins(house, director) == 30
    entered(cup, list(four.values()))
    assert [coins(house, guest) for guest in four.values()] == [80] * 4
    assert standings(director, cup) == [(name, None, 0.0) for name in four]
    assert findings(house) == []
    started(house, clock, director, cup)
    shown = state(director, cup)
    assert (shown["state"], shown["round"], shown["rounds"]) == ("running", 1, 2)
    first = matches(director, cup, 1)
    assert [{each["first"], each["second"]} for each in first] == [{"ada", "cat"}, {"ben", "dan"}]
    (told,) = [data for name, data in events(four["ada"]) if name == "tournament.paired"]
    assert (told["game"], told["name"], told["board"]) == (first[0]["game"], "cat", 1)
    play_round(house, clock, four, cup, "ada ben cat dan")
    assert [{each["first"], each["second"]} for each in matches(director, cup, 2)] == [
        {"ada", "ben"},
        {"cat", "dan"},
    ]
    assert standings(director, cup)[0] == ("ada", 1, 1.0)
    play_round(house, clock, four, cup, "ada ben cat dan")
    shown = state(director, cup)
    assert (shown["state"], shown["ended_at"] is None) == ("over", False)
    assert standings(director, cup) == [("ada", 1, 2.0), ("ben", 2, 1.0), ("cat", 2, 1.0), ("dan", 4, 0.0)]
    assert [coins(house, guest) for guest in four.values()] == [80 + 60, 80 + 20, 80 + 20, 80], (
        "two share a place"
    )
    (over,) = [data for name, data in events(four["ben"]) if name == "tournament.over"]
    assert (over["place"], over["prize"]) == (2, 20)
    assert findings(house) == []
    look(house)
    assert coins(house, four["ada"]) == 140, "nothing is paid twice"


@ONE
def test_decks_are_shut_at_the_start_and_shown_at_the_end(
    house: Runtime, clock: list[int], director: Guest, ann: Guest, bob: Guest
) -> None:
    cup = created(director, mode="chef")
    path = f"/tournaments/{cup}/entry"
    assert ann.put(path, {}).json["code"] == "deck_missing"
    assert ann.put(path, {"deck": deck_id(bob)}).status_code == 404
    entered(cup, [ann, bob], deck=True)
    listed = ann.get("/decks").json["items"][0]["cards"]
    assert ann.get(path).json["deck"] == listed
    for who in (bob, director):
        assert who.get(f"/tournaments/{cup}/entries/ann").json["deck"] is None
    edited = dict(listed)
    other = next(slug for slug, count in edited.items() if count > 1)
    edited[other] -= 1
    ann.edit("PUT", f"/decks/{deck_id(ann)}", {"name": "changed", "cards": edited})
    assert ann.get(path).json["deck"] == listed, "the cards are those of the entry"
    assert ann.put(path, {"deck": deck_id(ann)}).json["code"] == "deck_illegal"
    ann.edit("PUT", f"/decks/{deck_id(ann)}", {"name": "again", "cards": listed})
    started(house, clock, director, cup)
    other_deck = ann.post("/decks", {"name": "other", "cards": bob.get(path).json["deck"]}).json["id"]
    refused = ann.put(path, {"deck": other_deck})
    assert (refused.status_code, refused.json["code"]) in ((409, "decks_shut"), (422, "deck_illegal"))
    assert bob.get(f"/tournaments/{cup}/entries/ann").json["deck"] is None
    (match,) = matches(ann, cup, 1)
    lost(house, clock, {"Ann": ann, "bob": bob}, match, "bob")
    look(house)
    assert state(ann, cup)["state"] == "over"
    for who in (bob, director):
        assert who.get(f"/tournaments/{cup}/entries/ann").json["deck"] == listed


@ONE
def test_who_does_not_come_has_lost_and_is_out(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    cup = created(director, rounds=2)
    entered(cup, list(four.values()))
    started(house, clock, director, cup)
    first, second = matches(director, cup, 1)
    lost(house, clock, four, second, "dan")
    with house.read() as session:
        deadline = session.get_one(GameRow, first["game"]).due_at
    assert deadline is not None
    assert deadline - clock[0] > 200_000, "five minutes to come"
    come = Chairs(house, clock, four, first)
    come.only("ada")
    look(house)
    (first, _) = matches(director, cup, 1)
    assert (first["result"], first["played"]) == ("first" if first["first"] == "ada" else "second", False)
    entry = director.get(f"/tournaments/{cup}/entries/cat").json
    assert (entry["out_round"], entry["out_reason"]) == (1, "no_show")
    assert [name for name, _ in events(four["cat"])] == ["tournament.paired", "tournament.out"]
    pairs = [(each["first"], each["second"], each["result"]) for each in matches(director, cup, 2)]
    assert ("dan", None, "bye") in pairs
    assert all("cat" not in pair for pair in pairs)
    told = [name for name, _ in events(four["dan"])]
    assert told == ["tournament.paired", "tournament.bye"]


class Chairs:
    """Both players of a match, of whom only some come."""

    def __init__(
        self, house: Runtime, clock: list[int], guests: dict[str, Guest], match: dict[str, Any]
    ) -> None:

        both = [guests[match["first"]], guests[match["second"]]]
        self.match = follow(house, clock, both, match["game"], Random(2), "big-c")
        self.names = [guest.handle for guest in both]

    def only(self, *names: str) -> None:
        """These players come, and the time of the others passes."""
        for name in names:
            self.match.chairs[self.names.index(name)].send()
            self.match.work()
        self.match.lapse()
        assert self.match.fold.over


@ONE
def test_where_nobody_comes_both_lose(
    house: Runtime, clock: list[int], director: Guest, ann: Guest, bob: Guest
) -> None:
    give_coins(house, ann.id, 10)
    cup = created(director, system="elimination", added=10, prizes=[100])
    entered(cup, [ann, bob])
    started(house, clock, director, cup)
    (match,) = matches(director, cup, 1)
    Chairs(house, clock, {"Ann": ann, "bob": bob}, match).only()
    look(house)
    (match,) = matches(director, cup, 1)
    assert (match["result"], match["played"]) == ("neither", False)
    assert [place for _, place, _ in standings(director, cup)] == [1, 1]
    assert state(director, cup)["state"] == "over"
    assert [coins(house, guest) for guest in (ann, bob)] == [10 + 5, 5], "all coins are paid all the same"
    assert findings(house) == []


def test_single_elimination_with_a_bye_and_draws(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    guests = {name: four[name] for name in ("ada", "ben", "cat")}
    cup = created(director, system="elimination")
    entered(cup, list(guests.values()))
    started(house, clock, director, cup)
    bye, semi = matches(director, cup, 1)
    assert (bye["first"], bye["second"], bye["result"]) == ("ada", None, "bye")
    seats = []
    for _ in range(MOST_GAMES):
        semi = matches(director, cup, 1)[1]
        seats.append(guests[semi["first"]].get(f"/games/{semi['game']}").json["seat"])
        drawn(house, clock, guests, semi)
        look(house)
    assert seats == [0, 1, 0], "they change seats"
    semi = matches(director, cup, 1)[1]
    assert (semi["result"], semi["games"]) == ("first", MOST_GAMES), "ben is seeded before cat"
    (final,) = matches(director, cup, 2)
    assert (final["first"], final["second"]) == ("ada", "ben")
    lost(house, clock, guests, final, "ada")
    look(house)
    assert standings(director, cup) == [("ben", 1, 2.0), ("ada", 2, 1.0), ("cat", 3, 0.0)]


def test_a_round_robin_of_three(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    guests = {name: four[name] for name in ("ada", "ben", "cat")}
    cup = created(director, system="round_robin")
    entered(cup, list(guests.values()))
    started(house, clock, director, cup)
    for number in (1, 2, 3):
        assert state(director, cup)["round"] == number
        assert {each["result"] for each in matches(director, cup, number)} == {"rest", None}
        play_round(house, clock, guests, cup, "cat ada ben")
    assert standings(director, cup) == [("cat", 1, 2.0), ("ada", 2, 1.0), ("ben", 3, 0.0)]


def test_what_was_paid_comes_back_before_the_start_and_when_cancelled(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    ada, ben, cat, _ = four.values()
    cup = created(director, fee=30, added=50, prizes=[100])
    entered(cup, [ada, ben, cat])
    for _ in range(2):
        assert ben.delete(f"/tournaments/{cup}/entry").status_code == 204
    assert (coins(house, ben), state(ada, cup)["entered"]) == (100, 2)
    entered(cup, [ben])
    started(house, clock, director, cup)
    assert cat.delete(f"/tournaments/{cup}/entry").status_code == 204
    assert coins(house, cat) == 70, "after the start the fee stays"
    assert director.get(f"/tournaments/{cup}/entries/cat").json["out_reason"] == "left"
    refused = ada.post(f"/tournaments/{cup}/cancel", {"reason": "no"})
    assert (refused.status_code, refused.json["code"]) == (403, "not_director")
    assert director.post(f"/tournaments/{cup}/cancel", {"reason": "The roof leaks."}).status_code == 200
    assert [coins(house, guest) for guest in (ada, ben, cat, director)] == [100, 100, 100, 50]
    assert [data["reason"] for name, data in events(cat) if name == "tournament.cancelled"] == [
        "The roof leaks."
    ]
    again = director.post(f"/tournaments/{cup}/cancel", {"reason": "x"})
    assert (again.status_code, again.json["code"]) == (409, "tournament_closed")
    look(house)
    assert state(ada, cup)["state"] == "cancelled"
    assert findings(house) == []


@ONE
def test_the_house_cancels_what_too_few_have_entered(
    house: Runtime, clock: list[int], director: Guest, ann: Guest
) -> None:
    give_coins(house, ann.id, 5)
    cup = created(director, fee=5, prizes=[100], starts_in=10)
    entered(cup, [ann])
    early = director.post(f"/tournaments/{cup}/start", {})
    assert (early.status_code, early.json["code"]) == (409, "too_few_players")
    clock[0] += 10 * MINUTE - 1
    look(house)
    assert state(ann, cup)["state"] == "open"
    clock[0] += 1
    look(house)
    assert state(ann, cup)["state"] == "cancelled"
    assert coins(house, ann) == 5
    assert findings(house) == []


@ONE
def test_the_director_puts_results_right_and_the_log_keeps_it(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    cup = created(director, pause=5)
    entered(cup, list(four.values()))
    started(house, clock, director, cup)
    play_round(house, clock, four, cup, "ada ben cat dan")
    assert state(director, cup)["next_at"] is not None
    first = matches(director, cup, 1)[0]
    path = f"/tournaments/{cup}/rounds/1/matches/1"
    result = "second" if first["first"] == "ada" else "first"
    for who in (four["ada"], four["ben"]):
        assert who.put(path, {"result": result, "reason": "x"}).json["code"] == "not_director"
    said = {"result": result, "reason": "Ada resigned for both."}
    for _ in range(2):  # a repeat enters nothing
        ruled = director.put(path, said)
        assert (ruled.status_code, ruled.json["ruling"]) == (200, said["reason"])
    look(house)
    assert {name: points for name, _, points in standings(director, cup)}["cat"] == 1.0
    assert state(director, cup)["round"] == 1, "the pause is not over"
    clock[0] += 5 * MINUTE
    look(house)
    met = [{each["first"], each["second"]} for each in matches(director, cup, 2)]
    assert met == [{"ben", "cat"}, {"ada", "dan"}]
    with house.read() as session:
        acts = session.exec(select(Act).where(Act.subject_id == cup).order_by(col(Act.seq))).all()
    assert [(act.kind, act.actor, act.details["result"]) for act in acts] == [
        ("match_ruled", director.id, result)
    ]
    running = director.put(
        f"/tournaments/{cup}/rounds/2/matches/1", {"result": "draw", "reason": "They agree."}
    )
    assert running.json["state"] == "over", "a running game counts no more"
    assert findings(house) == []


@ONE
def test_late_entries(house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]) -> None:
    cup = created(director, rounds=3, late_rounds=1, pause=1, fee=10, prizes=[100])
    early = [four[name] for name in ("ada", "ben")]
    entered(cup, [*early, four["cat"]])
    started(house, clock, director, cup)
    entered(cup, [four["dan"]])
    assert (coins(house, four["dan"]), four["dan"].get(f"/tournaments/{cup}/entry").json["from_round"]) == (
        90,
        2,
    )
    play_round(house, clock, four, cup, "ada ben cat dan")
    clock[0] += MINUTE
    look(house)
    assert {name for each in matches(director, cup, 2) for name in (each["first"], each["second"])} == set(
        four
    )
    late = director.put(f"/tournaments/{cup}/entry", {})
    assert (late.status_code, late.json["code"]) == (409, "entries_closed")
    assert findings(house) == []


@ONE
def test_a_game_that_the_operator_stopped_is_played_again(
    house: Runtime, clock: list[int], director: Guest, ann: Guest, bob: Guest
) -> None:
    cup = created(director)
    entered(cup, [ann, bob])
    started(house, clock, director, cup)
    (before,) = matches(director, cup, 1)
    with house.write() as session:
        stop(session, session.get_one(GameRow, before["game"]), clock[0])
    look(house)
    (after,) = matches(director, cup, 1)
    assert (after["state"], after["games"]) == ("playing", 2)
    assert after["game"] != before["game"]


@pytest.mark.parametrize(
    ("terms", "fault"),
    [
        ({"mode": "hearts"}, ("not_for_two", "/mode")),
        ({"fee": 5}, ("bad_prizes", "/prizes")),
        ({"fee": 5, "prizes": [60, 30]}, ("bad_prizes", "/prizes")),
        ({"fee": 5, "prizes": [40, 60]}, ("bad_prizes", "/prizes")),
        ({"prizes": [100]}, ("bad_prizes", "/prizes")),
        ({"fee": 10**9, "prizes": [100]}, ("bad_prizes", "/fee")),
        ({"system": "round_robin", "places": 33}, ("bad_places", "/places")),
        ({"system": "elimination", "rounds": 3}, ("bad_rounds", "/rounds")),
        ({"system": "elimination", "late_rounds": 1}, ("bad_rounds", "/late_rounds")),
        ({"rounds": 3, "late_rounds": 3}, ("bad_rounds", "/late_rounds")),
        ({"format": "no-such"}, ("no_own_deck", "/format")),
        ({"options": {"no-such": 1}}, ("unknown_option", "/options/no-such")),
    ],
)
@ONE
def test_terms_that_cannot_be(
    ann: Guest, house: Runtime, terms: dict[str, Any], fault: tuple[str, str]
) -> None:
    give_coins(house, ann.id, 100)
    refused = ann.post("/tournaments", {"name": "x", "system": "swiss", "mode": "big-c", **terms})
    assert (refused.status_code, codes(refused)) == (422, [fault])
    assert ann.get("/tournaments").json["items"] == []


@ONE
def test_coins_and_places_run_out(house: Runtime, director: Guest, four: dict[str, Guest]) -> None:
    poor = director.post(
        "/tournaments", {"name": "x", "system": "swiss", "mode": "big-c", "added": 51, "prizes": [100]}
    )
    assert (poor.status_code, poor.json["code"]) == (409, "too_few_coins")
    cup = created(director, fee=100, places=2, prizes=[100])
    too_dear = director.put(f"/tournaments/{cup}/entry", {})
    assert (too_dear.status_code, too_dear.json["code"]) == (409, "too_few_coins")
    assert state(director, cup)["entered"] == 0
    entered(cup, [four["ada"], four["ben"]])
    full = four["cat"].put(f"/tournaments/{cup}/entry", {})
    assert (full.status_code, full.json["code"]) == (409, "tournament_full")
    entered(cup, [four["ada"]])
    for _ in range(tournaments.MOST_OPEN - 1):
        created(director)
    many = director.post("/tournaments", {"name": "x", "system": "swiss", "mode": "big-c"})
    assert (many.status_code, many.json["code"]) == (409, "too_many_tournaments")


def test_lists_come_in_pages(house: Runtime, clock: list[int], director: Guest, seat: Seat) -> None:
    ids = []
    for number in range(3):
        clock[0] += 1000
        ids.append(created(director, name=f"Cup {number}"))
    guests = [seat(f"guest{number}") for number in range(3)]
    for cup in ids:
        entered(cup, guests)
    nobody = Guest(director.client, "", b"")

    def paged(guest: Guest, path: str, name: str) -> list[Any]:
        found, cursor = [], ""
        while True:
            shown = guest.get(f"{path}{'&' if '?' in path else '?'}limit=2{cursor}").json
            found += [each[name] for each in shown["items"]]
            if shown["next"] is None:
                return found
            cursor = f"&cursor={shown['next']}"

    assert paged(nobody, "/tournaments", "id") == ids[::-1]
    assert paged(nobody, "/tournaments?state=open", "id") == ids[::-1]
    assert paged(nobody, "/tournaments?state=over", "id") == []
    assert sorted(paged(guests[0], "/me/tournaments", "id")) == sorted(ids)
    assert paged(nobody, f"/tournaments/{ids[0]}/standings", "handle") == ["guest0", "guest1", "guest2"]
    started(house, clock, director, ids[0])
    assert paged(nobody, f"/tournaments/{ids[0]}/rounds/1", "board") == [1, 2]
    for number in (0, 2, 10**30):
        assert nobody.get(f"/tournaments/{ids[0]}/rounds/{number}").status_code == 404
    assert director.get(f"/tournaments/{ids[0]}/entry").status_code == 404
    mine = guests[0].get(f"/tournaments/{ids[0]}/entry").json
    assert mine["match"]["round"] == 1


@ONE
def test_no_list_and_no_look_reads_a_table_from_end_to_end(house: Runtime, director: Guest) -> None:
    """The cost of entering, and of each list, does not grow with the number of players."""
    people = crowd(house, 120)
    cup = created(director, places=256)
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(house.database.engine, "before_cursor_execute", note)
    try:
        counts = []
        for player in people:
            asked.clear()
            tournaments.enter(house, player, cup, None)
            counts.append(len(asked))
        every = list(asked)
        assert len({*counts}) == 1, "each entry takes as many statements"
        asked.clear()
        for path in ("/tournaments", "/tournaments?state=open", f"/tournaments/{cup}/standings"):
            assert director.get(path).status_code == 200
        for path in ("/me/tournaments", f"/tournaments/{cup}/entries/p7", f"/tournaments/{cup}/entry"):
            director.get(path)
        tournaments.due(house, 100)
        every += asked
    finally:
        event.remove(house.database.engine, "before_cursor_execute", note)
    with house.database.engine.connect() as connection:
        plans = [
            row[3]
            for statement, parameters in every
            if "tournament" in statement and not statement.startswith(("BEGIN", "INSERT"))
            for row in connection.exec_driver_sql("EXPLAIN QUERY PLAN " + statement, parameters)
        ]
    for name in ("newest", "state", "due", "entry_rank", "entry_player", "match_first"):
        assert any(f"ix_tournament_{name}" in step for step in plans), name
    assert [step for step in plans if step.startswith("SCAN tournament") and "INDEX" not in step] == []
    assert [step for step in plans if "TEMP B-TREE" in step] == []
