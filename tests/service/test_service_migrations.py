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
from service.house import House
from service.models.base import metadata


def test_migrations_and_models_agree(empty_url: str) -> None:
    database = Database(empty_url)
    migrations.upgrade(database.engine)
    options = {"compare_type": True, "compare_server_default": True}
    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts=options), metadata) == []
    assert migrations.current(database.engine) == migrations.head()
    database.dispose()


def test_migrating_again_does_nothing(house: House) -> None:
    migrations.upgrade(house.database.engine)
    assert migrations.current(house.database.engine) == migrations.head()


def test_every_migration_has_its_way_back(empty_url: str) -> None:
    database = Database(empty_url)
    migrations.upgrade(database.engine)
    migrations.downgrade(database.engine, "base")
    assert inspect(database.engine).get_table_names() == ["alembic_version"]
    migrations.upgrade(database.engine)
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
