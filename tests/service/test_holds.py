"""Several running games hold one copy against every transfer, until the last of them ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import update
from sqlmodel import Session, col, select

from service.models import Copy, CopyHold, GameRow, GameSeat
from service.operations import games, holds
from service.operations.audit import audit
from service.problems import Problem
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.service_kit import Guest
from tests.service.trade_kit import enrich, findings, where

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def begun(house: Runtime, guest: Guest, **cards: int) -> str:
    """The id of a running game that holds so many copies of a guest, by slug with _ for -."""
    counts = {house.catalog.by_slug(slug.replace("_", "-")).number: n for slug, n in cards.items()}
    game = str(uuid4())
    with house.write() as session:
        session.add(GameRow(id=game, mode="chef", created_at=house.now(), seq=0, snapshot={}))
        session.flush()
        session.add(GameSeat(game_id=game, seat=0, player_id=guest.id, name=guest.handle))
        session.flush()
        holds.hold_deck(session, house.catalog, guest.id, counts, game)
    return game


def end(house: Runtime, game: str) -> None:
    with house.write() as session:
        games.stop(session, games.row_of(session, game, lock=True), house.now())


def holders(house: Runtime, copy_id: str) -> list[str]:
    with house.read() as session:
        return session.get_one(Copy, copy_id).holders


def shown(guest: Guest, copy_id: str) -> tuple[str, list[str]]:
    """The state of a guest's copy, and what holds it, as the house shows it."""
    copy = guest.get(f"/collection/copies/{copy_id}").json
    return copy["state"], copy["held_by"]


def all_shown(guest: Guest) -> set[tuple[str, tuple[str, ...]]]:
    items = guest.get("/collection/copies?limit=200").json["items"]
    return {(copy["state"], tuple(copy["held_by"])) for copy in items}


def test_a_deck_plays_several_games_at_once(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    cleo = seat("cleo")
    first = sit_down(house, clock, [ann, bob], seed=1)
    assert all_shown(ann) == {("held", (first.id,))}
    assert ann.post("/decks/validate", {"cards": ann.get("/decks").json["items"][0]["cards"]}).json["legal"]
    second = sit_down(house, clock, [cleo, ann], seed=2)
    both = tuple(sorted((first.id, second.id)))
    assert all_shown(ann) == {("held", both)}
    assert all_shown(bob) == {("held", (first.id,))}
    holding = ann.get("/collection?limit=200").json["items"]
    assert all((each["playable"], each["free"]) == (each["owned"], 0) for each in holding)
    assert findings(house) == []
    for match, left in ((first, (second.id,)), (second, ())):
        match.until("move")
        chair = next(chair for chair in match.chairs if chair.guest is ann)
        chair.catch_up()
        chair.send(chair.seat.resign(chair.game))
        match.work()
        assert match.fold.over
        assert all_shown(ann) == {("held" if left else "free", left)}
        assert findings(house) == []


def test_the_last_game_that_ends_frees_the_copy(house: Runtime, ann: Guest) -> None:
    (saffron,) = enrich(house, ann, saffron=1)
    running = [begun(house, ann, saffron=1) for _ in range(4)]
    while running:
        assert shown(ann, saffron) == ("held", sorted(running))
        assert findings(house) == []
        game = running.pop(len(running) // 2)
        end(house, game)
        end(house, game)  # a second time changes nothing
    assert shown(ann, saffron) == ("free", [])


REFUSED = ("gives.copies", "gives.cards", "accept.copies", "accept.cards")


@pytest.mark.parametrize("how", REFUSED)
def test_a_copy_is_not_transferred_while_any_game_holds_it(
    house: Runtime, ann: Guest, bob: Guest, how: str
) -> None:
    (saffron,) = enrich(house, ann, coins=5, saffron=1)
    enrich(house, bob, coins=5)
    wanted = bob.post("/offers", {"gives": {"coins": 1}, "wants": {"cards": {"saffron": 1}}}).json["id"]
    asks: dict[str, Callable[[], Any]] = {
        "gives.copies": lambda: ann.post("/offers", {"gives": {"copies": [saffron]}, "wants": {"coins": 1}}),
        "gives.cards": lambda: ann.post(
            "/offers", {"gives": {"cards": {"saffron": 1}}, "wants": {"coins": 1}}
        ),
        "accept.copies": lambda: ann.post(f"/offers/{wanted}/accept", {"copies": [saffron]}),
        "accept.cards": lambda: ann.post(f"/offers/{wanted}/accept", {}),
    }
    first, second = begun(house, ann, saffron=1), begun(house, ann, saffron=1)
    for game in (first, second):
        refused = asks[how]()
        assert (refused.status_code, refused.json["code"]) == (409, "copies_missing"), refused.text
        end(house, game)
    assert asks[how]().status_code in (200, 201)
    assert findings(house) == []


def test_an_offered_copy_is_not_played(house: Runtime, ann: Guest) -> None:
    enrich(house, ann, saffron=2)
    offer = ann.post("/offers", {"gives": {"cards": {"saffron": 1}}, "wants": {"coins": 1}}).json["id"]
    game = begun(house, ann, saffron=1)
    with pytest.raises(Problem) as refused:
        begun(house, ann, saffron=2)
    (fault,) = refused.value.errors
    assert (fault.pointer, fault.data["playable"], fault.data["missing"]) == ("/cards/saffron", 1, 1)
    checked = ann.post("/decks/validate?rules=owned", {"cards": {"saffron": 2}}).json["faults"]
    assert [(fault["code"], fault["playable"], fault["offered"]) for fault in checked] == [("not_free", 1, 1)]
    holding = next(
        each for each in ann.get("/collection?limit=200").json["items"] if each["card"] == "saffron"
    )
    assert (holding["owned"], holding["playable"], holding["free"]) == (2, 1, 0)
    assert ann.post(f"/offers/{offer}/withdraw", None).status_code == 200
    begun(house, ann, saffron=2)
    end(house, game)
    assert findings(house) == []


@ON_SQLITE
def test_games_hold_held_copies_first_then_bound_ones_then_the_oldest(house: Runtime, ann: Guest) -> None:
    """So as many copies as possible stay free for offers."""
    old, young = enrich(house, ann, olive_oil=2)
    bound = ann.post("/collection/basics", {"cards": {"olive-oil": 1}}).json["items"][0]["id"]
    mine = ann.get("/collection/copies?card=olive-oil").json["items"]
    begun(house, ann, olive_oil=len(mine) - 2)
    assert {copy for copy in (old, young) if holders(house, copy)} == set()
    assert holders(house, bound)
    game = begun(house, ann, olive_oil=len(mine) - 1)
    assert (holders(house, old), holders(house, young)) == ([game], [])
    other = begun(house, ann, olive_oil=1)
    assert (other in holders(house, old), holders(house, young)) == (False, [])


def test_a_copy_that_the_version_before_has_freed_too_early_is_not_sold(
    house: Runtime, ann: Guest, bob: Guest
) -> None:
    """A process of the version before ends a game: it frees all copies of it, and knows no further games."""
    (saffron,) = enrich(house, ann, saffron=1)
    first, second = begun(house, ann, saffron=1), begun(house, ann, saffron=1)
    with house.write() as session:
        session.execute(update(Copy).where(col(Copy.held_by) == first).values(state="free", held_by=None))
        session.get_one(GameRow, first).ended_at = house.now()
    for gives in ({"copies": [saffron]}, {"cards": {"saffron": 1}}):
        refused = ann.post("/offers", {"gives": gives, "wants": {"coins": 1}})
        assert (refused.status_code, refused.json["code"]) == (409, "copies_missing")
    third = begun(house, ann, saffron=1)
    assert holders(house, saffron) == sorted((second, third))
    end(house, third)
    end(house, second)
    assert where(house, saffron) == (ann.id, "free", None)
    assert ann.post("/offers", {"gives": {"copies": [saffron]}, "wants": {"coins": 1}}).status_code == 201
    assert findings(house) == []


def test_what_the_version_before_holds_is_shared_too(house: Runtime, ann: Guest) -> None:
    """It notes its game in the copy alone."""
    (saffron,) = enrich(house, ann, saffron=1)
    before = begun(house, ann, saffron=1)
    with house.read() as session:
        assert session.exec(select(CopyHold)).all() == []
    after = begun(house, ann, saffron=1)
    end(house, before)
    assert holders(house, saffron) == [after]
    end(house, after)
    assert where(house, saffron) == (ann.id, "free", None)


@ON_SQLITE
def test_the_audit_names_holds_that_do_not_agree(house: Runtime, ann: Guest, bob: Guest) -> None:
    (saffron,) = enrich(house, ann, saffron=1)
    first, second = begun(house, ann, saffron=1), begun(house, ann, saffron=1)
    changes = (
        f"UPDATE game SET ended_at = 1 WHERE id = '{second}'",
        f"UPDATE game_seat SET player_id = '{bob.id}' WHERE game_id = '{second}'",
        f"UPDATE copy SET state = 'free', held_by = NULL WHERE id = '{saffron}'",
        f"UPDATE copy SET held_by = '{second}' WHERE id = '{saffron}'",
        f"UPDATE copy_hold SET game_id = '{uuid4()}'",
    )
    assert (first, findings(house)) == (first, [])
    for change in changes:
        assert {text.partition("]")[0] for text in _audited_after(house, change)} == {"[bad_holder"}, change
    assert findings(house) == []


def _audited_after(house: Runtime, change: str) -> list[str]:
    """The audit's findings after a change of the tables, which is undone."""
    with house.database.engine.connect() as connection, connection.begin() as changed:
        connection.exec_driver_sql(change)
        found = [str(each) for each in audit(Session(connection)).findings]
        changed.rollback()
    return found
