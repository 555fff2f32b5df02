"""The export and the deletion of accounts, and what is known of every column of the database."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from flask import Flask
from sqlmodel import Session, SQLModel, col, select
from werkzeug.test import TestResponse

from crypto.identity import new_private_key
from service.models import Copy, HandleRow, Offer, Player, SeasonStanding, Table
from service.models.base import metadata
from service.operations import accounts, housekeeping, leaderboards, ledger, naming, trades
from service.operations.personal import TABLES
from service.operations.watching import whole_record
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import API, PASSWORD, Guest, answered, give_coins, registration
from tests.service.trade_kit import enrich

DAY = 86_400_000
ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def leave(guest: Guest, **more: Any) -> TestResponse:
    """POST /me/deletion, with the password unless there is another proof."""
    proof = {} if "answer" in more else {"current": PASSWORD}
    return guest.post("/me/deletion", {**proof, **more})


def archive(guest: Guest) -> dict[str, Any]:
    """The files of an export, by name."""
    answer = guest.post("/me/export", None)
    assert (answer.status_code, answer.mimetype) == (200, "application/zip"), answer.text
    with ZipFile(BytesIO(answer.data)) as found:
        assert found.testzip() is None
        return {name.removesuffix(".json"): json.loads(found.read(name)) for name in found.namelist()}


def rows_of(session: Session, player_id: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every row of the database that names a player by id, with its table."""
    for table in metadata.sorted_tables:
        for row in session.execute(table.select()):
            if any(value == player_id for value in row):
                yield table.name, dict(row._mapping)


def busy(house: Runtime, clock: list[int], ann: Guest, bob: Guest, carol: Guest) -> str:
    """Have ann use all that an account can have; returns the id of a game of hearts that is over."""
    match = sit_down(house, clock, [ann, bob, carol], "hearts", seed=1)
    while not match.fold.over:
        match.lapse()
    give_coins(house, ann.id, 500)
    for guest in (ann, bob):
        enrich(house, guest, coins=100, tuna=3)
    terms = {"gives": {"cards": {"tuna": 1}}, "wants": {"coins": 2}}
    settled = ann.post("/offers", terms).json["id"]
    assert bob.post(f"/offers/{settled}/accept", {}).status_code == 200
    made = [
        ann.post("/offers", terms),
        ann.post("/offers", {"gives": {"coins": 7}, "wants": {"cards": {"tuna": 1}}}),
        bob.post("/offers", {**terms, "to": "ann"}),
        ann.post("/tables", {"mode": "hearts", "seats": 4, "private": True}),
        ann.post("/webhooks", {"url": "https://example.org/hook", "events": ["*"]}),
        ann.post("/boosters", {"set": "PB"}),
        ann.post("/decks", {"name": "Hers", "cards": {"tuna": 1}, "visibility": "public"}),
        bob.post("/tables", {"mode": "hearts", "seats": 4}),
    ]
    assert [answer.status_code for answer in made] == [201] * len(made), [each.text for each in made]
    deck, table = made[-2].json["id"], made[-1].json["id"]
    others = [
        ann.post("/boosters/commitment", {}),
        ann.post(f"/tables/{table}/join", {}),
        bob.post(f"/decks/{deck}/copy", {}),
        bob.put(f"/decks/{deck}/favourite", None),
        ann.put("/wishes", {"cards": {"tuna": 2}}),
        ann.request("PUT", "/me/box", {"file": "locked"}, If_Match="*"),
        ann.put("/me/blocks/carol", None),
        ann.patch("/me", {"handle": "Lovelace"}),
    ]
    assert [each.text for each in others if each.status_code >= 300] == []
    return match.id


# Every column


def test_every_column_of_the_database_has_its_place() -> None:
    found = {str(model.__tablename__): sorted(about.columns) for model, about in TABLES.items()}
    there = {table.name: sorted(column.name for column in table.columns) for table in metadata.sorted_tables}
    assert found == there  # a column stands there once: whose it is, and what becomes of it, is said


def test_rows_go_as_a_whole_or_stay() -> None:
    for model, about in TABLES.items():
        assert not about.goes or not (about.erased or about.stays or about.house), model
        assert (about.mine is None) == (not about.goes and not about.erased and not about.stays), model
        assert set(about.withheld.split()) <= set(about.columns), model


def test_whatever_refers_to_a_player_is_found(house: Runtime) -> None:
    for model, about in TABLES.items():
        table = metadata.tables[str(model.__tablename__)]
        if any(key.column.table.name == "player" for key in table.foreign_keys):
            assert about.mine is not None, model


# Export


def test_an_export_has_every_row_about_a_player_and_no_secret(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    game = busy(house, clock, ann, bob, seat("carol"))
    found = archive(ann)
    with house.read() as session:
        for name, row in rows_of(session, ann.id):
            model = next(model for model in TABLES if model.__tablename__ == name)
            about = TABLES[model]
            left_out = {*about.withheld.split(), *about.house.split()}
            expected = {column: value for column, value in row.items() if column not in left_out}
            assert expected in found[name], (name, row)
        entries = whole_record(session, game)
        hashes = [player.password for player in session.exec(select(Player))]
    assert [row["entry"] for row in found["game_entry"] if row["game_id"] == game] == entries
    assert {"Ann", "Lovelace"} == {row["handle"] for row in found["handle"]}
    text = json.dumps(found)
    for secret in (*hashes, bob.token, ann.token, bob.id if "bob" in found else "$argon2"):
        assert secret not in text
    assert found["about"]["player"] == ann.id
    assert {row["player_id"] for row in found["token"]} == {ann.id}
    assert {row["owner_id"] for row in found["deck"]} == {ann.id}


# Deletion


@pytest.mark.parametrize("by_key", [False, True])
def test_a_deleted_account_leaves_what_others_rest_on_and_nothing_else(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest], by_key: bool
) -> None:
    game = busy(house, clock, ann, bob, seat("carol"))
    ann.handle = "Lovelace"
    with house.read() as session:
        record = whole_record(session, game)
    gone = leave(ann, **({"answer": answered(ann, "deletion")} if by_key else {}))
    assert gone.status_code == 204, gone.text
    assert ann.get("/me").json["code"] == "unknown_token"
    for name in ("ann", "lovelace", accounts.GONE):
        assert bob.get(f"/players/{name}").status_code == 404
        assert (
            bob.client.post(f"{API}/tokens", json={"handle": name, "password": PASSWORD}).status_code == 401
        )
    with house.read() as session:
        left = {name for name, _ in rows_of(session, ann.id)}
        assert left <= {str(model.__tablename__) for model, about in TABLES.items() if not about.goes}
        player = session.get_one(Player, ann.id)
        assert (player.handle, player.password, player.deleted_at) == (accounts.GONE, "", house.now())
        assert player.folded.startswith("~")
        rows = session.exec(select(HandleRow).where(HandleRow.player_id == ann.id))
        assert {row.handle for row in rows} == {None}
        assert whole_record(session, game) == record
        assert session.exec(select(Offer).where(Offer.state == "open")).all() == []
        assert session.exec(select(Copy).where(col(Copy.state).in_(("listed", "escrow")))).all() == []
        assert session.exec(select(Table).where(Table.opened_by == ann.id, Table.state == "open")).all() == []
        assert ledger.coins_of(session, ledger.ESCROW) == 0
    [played] = bob.get("/games").json["items"]
    assert (played["id"], played["names"][0]) == (game, "Ann")
    [copied] = [deck for deck in bob.get("/decks").json["items"] if deck["name"] == "Hers"]
    assert bob.get(f"/decks/{copied['id']}").status_code == 200
    assert bob.get("/decks/favourites").json["items"] == []
    [table] = bob.get("/tables?mine=true").json["items"]
    assert [chair and chair["name"] for chair in table["seats"]] == ["bob", None, None, None]


def test_the_name_is_free_after_a_while_and_the_key_never(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    assert leave(ann).status_code == 204
    again = bob.post("/players", registration(bob, "Ann", new_private_key()))
    assert again.json["code"] == "handle_taken"
    same = bob.post("/players", registration(bob, "Annabel", ann.private))
    assert same.json["code"] == "key_taken"
    clock[0] += naming.KEPT_DAYS * DAY
    assert bob.post("/players", registration(bob, "Ann", new_private_key())).status_code == 201
    housekeeping.tidy_now(house)
    with house.read() as session:
        assert session.exec(select(HandleRow).where(HandleRow.player_id == ann.id)).all() == []


@ON_SQLITE
def test_a_deletion_needs_more_than_a_token(ann: Guest, bob: Guest) -> None:
    for proof, status, code in [
        ({"current": None}, 422, "one_proof"),
        ({"current": "not this"}, 403, "wrong_password"),
        ({"answer": answered(ann)}, 401, "wrong_key"),
        ({"answer": answered(ann, "password")}, 401, "wrong_key"),
        ({"answer": answered(bob, "deletion")}, 401, "wrong_key"),
    ]:
        refused = leave(ann, **proof)
        assert (refused.status_code, refused.json["code"]) == (status, code), refused.text
    assert ann.get("/me").status_code == 200


def test_running_games_are_resigned_first_or_abandoned(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    match = sit_down(house, clock, [ann, bob, seat("carol")], "hearts", seed=1)
    refused = leave(ann)
    assert (refused.status_code, refused.json["code"]) == (409, "games_running")
    assert refused.json["games"] == [match.id]
    assert ann.get("/me").status_code == 200
    assert leave(ann, abandon=True).status_code == 204
    while not match.fold.over:
        match.lapse()
    assert bob.get(f"/games/{match.id}/record").status_code == 200
    # What the end of the game wrote for the player goes too.
    housekeeping.tidy_now(house)
    with house.read() as session:
        assert "player_event" not in {name for name, _ in rows_of(session, ann.id)}


def test_an_account_is_deleted_while_a_trade_settles(
    house: Runtime, app: Flask, ann: Guest, bob: Guest
) -> None:
    enrich(house, ann, tuna=4)
    enrich(house, bob, coins=100)
    terms = {"gives": {"cards": {"tuna": 1}}, "wants": {"coins": 2}}
    offers = [ann.post("/offers", terms).json["id"] for _ in range(4)]
    with house.read() as session:
        buyer = session.get_one(Player, bob.id)

    def accept(offer: str) -> int:
        path = f"{API}/offers/{offer}/accept"
        return app.test_client().post(path, json={}, headers=bob.headers).status_code

    def go() -> int:
        body = {"current": PASSWORD}
        return app.test_client().post(f"{API}/me/deletion", json=body, headers=ann.headers).status_code

    found = at_once([*(lambda offer=offer: accept(offer) for offer in offers), go])
    assert found[-1] == 204
    assert set(found[:-1]) <= {200, 409}
    with house.read() as session:
        states = session.exec(select(Offer.state)).all()
        assert sorted(states) == sorted("accepted" if status == 200 else "withdrawn" for status in found[:-1])
        assert ledger.coins_of(session, buyer.id) == 100 - 2 * found.count(200)
        assert ledger.coins_of(session, ann.id) == 2 * found.count(200)
        assert session.exec(select(Copy).where(Copy.state == "listed")).all() == []


def test_an_account_is_deleted_once(app: Flask, ann: Guest, house: Runtime) -> None:
    def go() -> int:
        body = {"current": PASSWORD}
        return app.test_client().post(f"{API}/me/deletion", json=body, headers=ann.headers).status_code

    found = at_once([go] * 3)
    assert found.count(204) == 1
    assert set(found) <= {204, 401, 403, 429}


def test_a_request_that_comes_late_leaves_nothing(house: Runtime, ann: Guest, bob: Guest) -> None:
    """A process may have let a request in just before the account was deleted."""
    enrich(house, ann, tuna=1)
    with house.read() as session:
        player = session.get_one(Player, ann.id)
    number = house.catalog.by_slug("tuna").number
    assert leave(ann).status_code == 204
    gives, wants = trades.OfferSide(cards={number: 1}), trades.OfferSide(coins=1)
    offer = trades.make(house, player, gives=gives, wants=wants)
    housekeeping.tidy_now(house)
    with house.read() as session:
        assert session.get_one(Offer, offer.id).state == "withdrawn"


def test_no_table_is_left_out_of_the_walk() -> None:
    """What the walk looks at is what the migrations make."""
    assert {str(model.__tablename__) for model in TABLES} == set(metadata.tables)
    assert all(issubclass(model, SQLModel) for model in TABLES)


def test_ratings_of_who_has_left_are_in_no_list(house: Runtime, ann: Guest, bob: Guest) -> None:
    with house.write() as session:
        for place, guest in enumerate((ann, bob), 1):
            figures = {"games": 9, "wins": 9 - place, "mu": 30_000 - place, "sigma": 1_000, "place": place}
            standing = SeasonStanding(season="2026-Q3", mode="hearts", player_id=guest.id, **figures)
            session.add(standing)

    def listed() -> list[tuple[int, str]]:
        with house.read() as session:
            placed = leaderboards.leaderboard(session, "hearts", "2026-Q3", None, 10)
        return [(line.rank, line.handle) for line in placed]

    assert listed() == [(1, "Ann"), (2, "bob")]
    assert leave(ann).status_code == 204
    assert listed() == [(1, "bob")]
