"""The migrations make exactly the tables that the models describe."""

from __future__ import annotations

import threading
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask.testing import FlaskClient
from sqlalchemy import inspect

from service import migrations
from service.app import create_app
from service.config import Settings
from service.db import Database
from service.models.base import metadata
from service.runtime import Runtime


def change(database: Database, *statements: str) -> None:
    """Change rows of tables as they were, which no model knows any more."""
    with database.engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def found(database: Database, query: str) -> list[tuple[object, ...]]:
    """Their rows."""
    with database.engine.connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(query)]


def test_migrations_and_models_agree(empty_url: str) -> None:
    database = Database(empty_url)
    migrations.upgrade(database.engine)
    options = {"compare_type": True, "compare_server_default": True}
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    assert migrations.current(database.engine) == migrations.head()
    database.dispose()


def test_migrating_again_does_nothing(house: Runtime) -> None:
    migrations.upgrade(house.database.engine)
    assert migrations.current(house.database.engine) == migrations.head()


def test_every_migration_has_its_way_back(empty_url: str) -> None:
    database = Database(empty_url)
    migrations.upgrade(database.engine)
    migrations.downgrade(database.engine, "base")
    assert inspect(database.engine).get_table_names() == ["alembic_version"]
    migrations.upgrade(database.engine)
    database.dispose()


def test_tables_of_before_are_public_and_unwatched_and_private_ones_do_not_become_so(empty_url: str) -> None:
    database = Database(empty_url)
    player = (
        "INSERT INTO player (id, handle, folded, password, key, created_at)"
        " VALUES ('p', 'Ann', 'ann', 'x', 'y', 1)"
    )
    table = (
        "INSERT INTO game_table (id, mode, options, seats, opened_by, created_at, state{columns})"
        " VALUES ('{id}', 'hearts', '{{}}', 3, 'p', 1, '{state}'{values})"
    )
    game = (
        "INSERT INTO game (id, mode, created_at, seq, snapshot, claimed_until)"
        " VALUES ('g', 'hearts', 1, 0, '{}', 0)"
    )

    migrations.upgrade(database.engine, "0004")
    change(database, player, game, table.format(id="old", state="open", columns="", values=""))
    migrations.upgrade(database.engine, "0005")
    assert found(database, "SELECT private, spectators, invitation, rematch_of FROM game_table") == [
        (False, False, None, None)
    ]
    assert found(database, "SELECT private, spectators FROM game") == [(False, False)]
    change(
        database,
        table.format(id="mine", state="open", columns=", private, invitation", values=", true, 'X'"),
        table.format(id="late", state="expired", columns="", values=""),
    )
    migrations.downgrade(database.engine, "0004")
    assert sorted(found(database, "SELECT id, state FROM game_table")) == [
        ("late", "cancelled"),
        ("mine", "cancelled"),
        ("old", "open"),
    ]
    migrations.upgrade(database.engine)
    database.dispose()


def test_tables_of_before_take_any_deck_and_what_asks_for_a_format_does_not_come_to(empty_url: str) -> None:
    database = Database(empty_url)
    player = (
        "INSERT INTO player (id, handle, folded, password, key, created_at)"
        " VALUES ('p', 'Ann', 'ann', 'x', 'y', 1)"
    )
    table = (
        "INSERT INTO game_table (id, mode, options, seats, opened_by, created_at, state{column})"
        " VALUES ('{id}', 'chef', '{{}}', 2, 'p', 1, '{state}'{value})"
    )
    asking = {"column": ", format", "value": ", 'open'"}

    migrations.upgrade(database.engine, "0014")
    change(database, player, table.format(id="old", state="open", column="", value=""))
    migrations.upgrade(database.engine, "0015")
    assert found(database, "SELECT format FROM game_table") == [(None,)]
    change(
        database,
        table.format(id="new", state="open", **asking),
        table.format(id="on", state="playing", **asking),
    )
    migrations.downgrade(database.engine, "0014")
    states = sorted(found(database, "SELECT id, state FROM game_table"))
    assert states == [("new", "cancelled"), ("old", "open"), ("on", "playing")]
    migrations.upgrade(database.engine)
    database.dispose()


def test_decks_of_before_are_private_and_stay_what_they_were(empty_url: str) -> None:
    database = Database(empty_url)

    migrations.upgrade(database.engine, "0008")
    change(
        database,
        "INSERT INTO player (id, handle, folded, password, key, created_at)"
        " VALUES ('p', 'Ann', 'ann', 'x', 'y', 1)",
        "INSERT INTO deck (id, owner_id, revision, created_at) VALUES ('d', 'p', 2, 5)",
        "INSERT INTO deck_revision (deck_id, number, name, cards, created_at)"
        """ VALUES ('d', 1, 'Old', '{"1001": 3}', 5), ('d', 2, 'New', '{"1001": 2}', 6)""",
    )
    migrations.upgrade(database.engine, "0009")
    decks = "SELECT id, revision, visibility, tags, origin_id, origin_revision FROM deck"
    # In the order of the columns that the statement names.
    assert found(database, decks) == [("d", 2, "private", "", None, None)]
    revisions = "SELECT number, name, created_at, note, restored_from FROM deck_revision ORDER BY number"
    assert found(database, revisions) == [(1, "Old", 5, "", None), (2, "New", 6, "", None)]
    change(
        database,
        "INSERT INTO deck (id, owner_id, revision, created_at, visibility, tags, origin_id, origin_revision)"
        " VALUES ('c', 'p', 1, 7, 'public', 'a b', 'd', 2)",
        "INSERT INTO deck_favourite (player_id, deck_id, created_at) VALUES ('p', 'd', 8)",
    )
    migrations.downgrade(database.engine, "0008")
    assert found(database, "SELECT id, revision, created_at FROM deck ORDER BY id") == [
        ("c", 1, 7),
        ("d", 2, 5),
    ]
    assert [
        name for _, name in found(database, "SELECT number, name FROM deck_revision ORDER BY number")
    ] == [
        "Old",
        "New",
    ]
    migrations.upgrade(database.engine)
    assert found(database, "SELECT visibility FROM deck") == [
        ("private",),
        ("private",),
    ]  # none comes into a list
    database.dispose()


def test_two_processes_that_start_together_take_turns(empty_url: str) -> None:
    databases = [Database(empty_url) for _ in range(3)]
    faults: list[Exception] = []

    def migrate(database: Database) -> None:
        try:
            migrations.upgrade(database.engine)
        except Exception as fault:
            faults.append(fault)

    threads = [threading.Thread(target=migrate, args=(database,)) for database in databases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert migrations.current(databases[0].engine) == migrations.head()
    for database in databases:
        database.dispose()


def test_a_house_without_tables_is_not_ready(empty_url: str, tmp_path: Path) -> None:
    client = create_app(Settings(database=empty_url, data=tmp_path)).test_client()
    assert client.get("/healthz").status_code == 200
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json["code"] == "not_migrated"


def test_a_house_without_a_database_is_not_ready(tmp_path: Path) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    client = create_app(Settings(database=nowhere, data=tmp_path)).test_client()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json["code"] == "no_database"
    assert "127.0.0.1" not in answer.text


def test_a_house_with_tables_is_ready(client: FlaskClient) -> None:
    assert client.get("/readyz").json == {"status": "ready"}
