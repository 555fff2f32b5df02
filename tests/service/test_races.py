"""Everything at once, on both databases: nothing is given twice, nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from flask import Flask
from sqlmodel import select

from crypto.identity import new_private_key
from service.models import Copy, Player
from service.operations import collection, decks, holds
from service.problems import Problem
from service.runtime import Runtime
from tests.service.match_kit import frozen, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import API, Guest, registration
from tests.service.trade_kit import enrich

GAME = "0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c{:02x}"


def test_one_handle_is_registered_once(app: Flask, house: Runtime) -> None:
    spellings = ("Ann", "aNN", "ANN", "ann")

    def register(handle: str) -> int:
        body = registration(app.test_client(), handle, new_private_key())
        return app.test_client().post(f"{API}/players", json=body).status_code

    results = at_once([lambda handle=h: register(handle) for h in spellings * 3])
    assert sorted(results) == [201] + [409] * 11
    with house.read() as session:
        player = session.exec(select(Player)).one()
        copies = session.exec(select(Copy)).all()
    assert len(copies) == 40
    assert {copy.owner_id for copy in copies} == {player.id}


def test_one_key_is_registered_once(app: Flask) -> None:
    private = new_private_key()

    def register(handle: str) -> int:
        client = app.test_client()
        body = registration(client, handle, private)
        return client.post(f"{API}/players", json=body).status_code

    results = at_once([lambda handle=f"ann-{i}": register(handle) for i in range(8)])
    assert sorted(results) == [201] + [409] * 7


def test_serial_numbers_have_no_gap_and_no_double(ann: Guest, bob: Guest, house: Runtime) -> None:
    salt, egg = (house.catalog.by_slug(slug).number for slug in ("salt", "egg"))
    with house.read() as session:
        before = {
            card: len(session.exec(select(Copy).where(Copy.card == card)).all()) for card in (salt, egg)
        }
    orders = [{salt: 2, egg: 1}, {egg: 2, salt: 1}]
    jobs = [
        lambda player=p, order=o: collection.mint_basics(house, player, order)
        for p in (ann.id, bob.id)
        for o in orders
        for _ in range(4)
    ]
    results = at_once(jobs)
    assert all(isinstance(made, list) and len(made) == 3 for made in results), results
    with house.read() as session:
        for card in (salt, egg):
            serials = session.exec(select(Copy.serial).where(Copy.card == card)).all()
            assert sorted(serials) == list(range(1, before[card] + 24 + 1))


def test_matches_that_begin_and_end_at_once_hold_the_same_copies(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    catalog = house.catalog
    hands = [
        (ann.id, dict(catalog.starters["trattoria"].counts)),
        (bob.id, dict(catalog.starters["night-market"].counts)),
    ]
    games = count()

    def begin() -> str:
        game = GAME.format(next(games))
        with house.write() as session:
            # Named in turn first and last: who locks in the order given would deadlock here.
            order = hands if int(game[-2:], 16) % 2 else hands[::-1]
            holds.hold_decks(session, catalog, order, game)
        return game

    def end(game: str) -> None:
        with house.write() as session:
            holds.release_game(session, game)

    def holders() -> set[tuple[str, ...]]:
        with house.read() as session:
            return {tuple(copy.holders) for copy in session.exec(select(Copy))}

    begun = [str(game) for game in at_once([begin] * 6)]
    assert holders() == {tuple(sorted(begun))}
    jobs = [*(lambda game=game: end(game) for game in begun[:4]), begin, begin]
    results = at_once(jobs)
    assert results[:4] == [None] * 4
    left = {*begun[4:], *map(str, results[4:])}
    assert holders() == {tuple(sorted(left))}
    assert at_once([lambda game=game: end(game) for game in left]) == [None] * 4
    assert holders() == {()}


@pytest.mark.parametrize("turn", range(4))
def test_a_copy_is_entered_or_sold_and_never_both(ann: Guest, bob: Guest, house: Runtime, turn: int) -> None:
    """Matches are begun with copies in the moment in which offers give them and others accept these."""
    enrich(house, bob, coins=20)
    saffron = enrich(house, ann, saffron=1)[0]
    number = house.catalog.by_slug("saffron").number
    offer = {"gives": {"copies": [saffron]}, "wants": {"coins": 1}}
    open_one = ann.post("/offers", offer).json["id"] if turn % 2 else None

    def enter(game: str) -> None:
        with house.write() as session:
            holds.hold_deck(session, house.catalog, ann.id, {number: 1}, game)

    def sell() -> Any:
        if open_one is None:
            return ann.post("/offers", offer).status_code
        return bob.post(f"/offers/{open_one}/accept", {}).status_code

    def withdraw() -> Any:
        return None if open_one is None else ann.post(f"/offers/{open_one}/withdraw", None).status_code

    entered, again, sold, _ = at_once(
        [lambda: enter(GAME.format(0)), lambda: enter(GAME.format(1)), sell, withdraw]
    )
    with house.read() as session:
        copy = session.exec(select(Copy).where(Copy.id == saffron)).one()
        holders = copy.holders
    for fault in (entered, again):
        assert fault is None or (isinstance(fault, Problem) and fault.code == "copies_missing"), fault
    games = [GAME.format(i) for i, fault in enumerate((entered, again)) if fault is None]
    if games:
        assert (copy.state, copy.owner_id, holders) == ("held", ann.id, games)
        assert sold == 409
    elif sold == 200:
        assert (copy.state, copy.owner_id, holders) == ("free", bob.id, [])
    elif sold == 201:
        assert (copy.state, copy.owner_id) == ("listed", ann.id)
    else:
        assert (copy.state, copy.owner_id) == ("free", ann.id)


def test_revisions_are_numbered_one_by_one(ann: Guest, house: Runtime) -> None:
    made = decks.create(house, ann.id, name="x", cards={})
    tomato = house.catalog.by_slug("tomato").number
    jobs = [
        lambda n=n: decks.revise(house, ann.id, made.deck.id, lambda _: None, cards={tomato: n})
        for n in range(1, 9)
    ]
    assert not [r for r in at_once(jobs) if isinstance(r, Exception)]
    with house.read() as session:
        numbers = [r.revision.number for r in decks.revisions(session, ann.id, made.deck.id)]
    assert numbers == list(range(9, 0, -1))


@pytest.mark.parametrize(("mode", "asked"), [("flip", "move"), ("flip", "enter"), ("chef", "move")])
def test_a_message_that_is_sent_at_once_many_times_is_entered_once(
    app: Flask, house: Runtime, clock: list[int], ann: Guest, bob: Guest, mode: str, asked: str
) -> None:
    # A move of flip becomes an entry at once. Chef's first move waits for that of the other seat.
    match = sit_down(house, clock, [ann, bob], mode=mode, seed=2)
    match.until(asked)
    chair = next(chair for chair in match.chairs if chair.due() is not None)
    message, before = chair.message(), match.fold.seq

    def send() -> tuple[int, bytes, bool]:
        guest = replace(chair.guest, client=app.test_client())
        answered = guest.post(chair.path, message.json())
        return answered.status_code, answered.data, "Idempotency-Replayed" in answered.headers

    answers: list[Any] = at_once([send] * 6)
    assert {(status, body) for status, body, _ in answers} == {(201, answers[0][1])}
    assert sorted(again for _, _, again in answers) == [False, *[True] * 5]
    assert (match.fold.seq > before) is (mode == "flip")
    after = frozen(house, match.id)
    assert send() == (201, answers[0][1], True)
    assert frozen(house, match.id) == after
