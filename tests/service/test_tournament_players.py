"""Players of a tournament who are dropped, suspended or gone, and those who may decide."""

from __future__ import annotations

from sqlalchemy import update
from sqlmodel import col

from service.models import Copy, Player
from service.operations import accounts, moderation
from service.runtime import Runtime
from tests.service.service_kit import Guest
from tests.service.tournament_kit import (
    MINUTE,
    ONE,
    Seat,
    created,
    entered,
    events,
    look,
    matches,
    play_round,
    standings,
    started,
    state,
)
from tests.service.trade_kit import coins, findings


@ONE
def test_nobody_decides_their_own_match(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Seat
) -> None:
    cup = created(ann, system="elimination")
    entered(cup, [ann, bob])
    started(house, clock, ann, cup)
    path = f"/tournaments/{cup}/rounds/1/matches/1"
    said = {"result": "first", "reason": "I say so."}
    refused = ann.put(path, said)
    assert (refused.status_code, refused.json["code"]) == (403, "own_case")
    judge = seat("judge")
    assert judge.put(path, said).json["code"] == "not_director"
    moderation.roles.give(house, None, "judge", "moderator")
    drawn_game = judge.put(path, {"result": "draw", "reason": "x"})
    assert (drawn_game.status_code, drawn_game.json["code"]) == (422, "bad_result")
    for nowhere in (f"rounds/{10**30}/matches/1", f"rounds/1/matches/{10**30}"):
        assert judge.put(f"/tournaments/{cup}/{nowhere}", said).status_code == 404
    assert judge.put(path, said).status_code == 200
    look(house)
    assert state(ann, cup)["state"] == "over"
    late = judge.put(path, said)
    assert (late.status_code, late.json["code"]) == (409, "tournament_closed")
    for missing in (
        f"/tournaments/{cup}/rounds/9/matches/1",
        f"/tournaments/{cup}/rounds/1/matches/{10**30}",
    ):
        assert judge.put(missing, said).status_code in (404, 409)


@ONE
def test_players_are_dropped_and_restored(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    cup = created(director, rounds=3, pause=1)
    entered(cup, list(four.values()))
    for _ in range(2):
        dropped = director.post(f"/tournaments/{cup}/entries/dan/drop", {"reason": "A mistake."})
        assert dropped.status_code in (204, 404)
    assert state(director, cup)["entered"] == 3
    entered(cup, [four["dan"]])
    started(house, clock, director, cup)
    play_round(house, clock, four, cup, "ada ben cat dan")
    assert director.post(f"/tournaments/{cup}/entries/ada/drop", {"reason": "Rude."}).status_code == 204
    clock[0] += MINUTE
    look(house)
    assert all("ada" not in (each["first"], each["second"]) for each in matches(director, cup, 2))
    assert director.post(f"/tournaments/{cup}/entries/ada/restore", {"reason": "Sorry."}).status_code == 204
    play_round(house, clock, four, cup, "ada ben cat dan")
    clock[0] += MINUTE
    look(house)
    assert any("ada" in (each["first"], each["second"]) for each in matches(director, cup, 3))
    assert [name for name, _ in events(four["ada"])] == [
        "tournament.paired",
        "tournament.out",
        "tournament.restored",
        "tournament.paired",
    ]


@ONE
def test_a_player_who_cannot_play_any_more_loses_without_a_game(
    house: Runtime, clock: list[int], director: Guest, ann: Guest, bob: Guest
) -> None:
    cup = created(director, mode="chef", system="round_robin")
    entered(cup, [ann, bob], deck=True)
    assert director.post(f"/tournaments/{cup}/start", {}).status_code == 200
    with house.write() as session:  # as a trade of all copies would
        session.execute(update(Copy).where(col(Copy.owner_id) == ann.id).values(owner_id=director.id))
    look(house)
    look(house)
    (match,) = matches(bob, cup, 1)
    assert (match["game"], match["played"]) == (None, False)
    assert standings(bob, cup) == [("bob", 1, 1.0), ("Ann", 2, 0.0)]
    assert bob.get(f"/tournaments/{cup}/entries/ann").json["out_reason"] == "copies_missing"


@ONE
def test_suspended_players_do_not_begin_and_lose_nothing(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    cup = created(director, fee=10, prizes=[100])
    entered(cup, [four[name] for name in ("ada", "ben", "cat")])
    for name in ("cat", "dan"):
        moderation.impose(house, None, name, "suspended", reason="rude words", hours=None)
    for path, body in (("/tournaments", {"name": "x", "system": "swiss", "mode": "big-c"}),):
        refused = four["dan"].post(path, body)
        assert (refused.status_code, refused.json["code"]) == (403, "suspended")
    refused = four["dan"].put(f"/tournaments/{cup}/entry", {})
    assert (refused.status_code, refused.json["code"]) == (403, "suspended")
    moderation.lift(house, None, "dan", "suspended")
    moderation.impose(house, None, "dan", "trades_frozen", reason="gifts", hours=None)
    refused = four["dan"].put(f"/tournaments/{cup}/entry", {})
    assert (refused.status_code, refused.json["code"]) == (403, "trades_frozen")
    entered(created(four["dan"]), [four["dan"]])  # which costs nothing
    started(house, clock, director, cup)
    assert (coins(house, four["cat"]), state(director, cup)["entered"]) == (100, 2)
    assert [name for name, _, _ in standings(director, cup)] == ["ada", "ben"]
    assert findings(house) == []


@ONE
def test_a_deleted_account_leaves_its_tournaments(
    house: Runtime, clock: list[int], director: Guest, four: dict[str, Guest]
) -> None:
    ada, ben, cat, dan = four.values()
    mine = created(ada, fee=10, prizes=[100])
    entered(mine, [ada, ben])
    open_one, running = (created(director, fee=5, prizes=[100]) for _ in range(2))
    entered(open_one, [ada, cat])
    entered(running, [ada, dan])
    started(house, clock, director, running)
    with house.read() as session:
        row = session.get_one(Player, ada.id)
    accounts.clear(house, row)
    assert (state(ben, mine)["state"], coins(house, ben)) == ("cancelled", 100)
    assert state(ben, open_one)["entered"] == 1
    assert director.get(f"/tournaments/{running}/entries/ada").json["out_reason"] == "left"
    accounts.clear(house, row)
    assert findings(house) == []
