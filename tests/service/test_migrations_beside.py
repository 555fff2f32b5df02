"""The version before goes on to serve while a migration runs and after it: each migration keeps that rule.

CONTRIBUTING.md says the rule. What can be read from the operations of a migration is judged here.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations, ops
from flask.testing import FlaskClient

from service import migrations
from service.app import create_app
from service.config import Settings
from service.db import Database
from service.runtime import Runtime
from tests.service.beside_kit import BY_HAND, Judge, recorded_by_revision, recording
from tests.waiting import PATIENCE

BEFORE_THE_RULE = {"0011"}
"""A house with older tables than these is closed for its upgrade."""
PLAYER = (
    "INSERT INTO player (id, handle, folded, password, key, created_at) VALUES ('p', 'A', 'a', 'x', 'y', 1)"
)


def test_no_migration_disturbs_the_version_before(tmp_path: Path) -> None:
    disturbing = {}
    for script, recorded, columns in recorded_by_revision(tmp_path / "tables.sqlite3"):
        findings = Judge(recorded, columns).findings()
        if "get_bind" in inspect.getsource(script.module.upgrade):
            findings.append(f"{BY_HAND}: get_bind")
        if len(getattr(script.module, "beside", "")) >= 20:
            findings = [text for text in findings if not text.startswith(BY_HAND)]
        if findings:
            disturbing[script.revision] = findings
    assert disturbing.keys() == BEFORE_THE_RULE, disturbing


def judged(change: Callable[[Operations], object]) -> list[str]:
    """The findings for a migration of a table `old` with the columns `id` and `name`."""
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        operations = Operations(MigrationContext.configure(connection))
        operations.create_table(
            "old", sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.Text)
        )
        with recording() as recorded:
            change(operations)
        seen = sa.inspect(connection)
        columns = {
            name: {column["name"] for column in seen.get_columns(name)} for name in seen.get_table_names()
        }
    return Judge(recorded, columns).findings()


def add(
    *columns: sa.Column[Any], then: Callable[[Any], object] | None = None
) -> Callable[[Operations], object]:
    """A migration that adds columns to the table, and then does more."""

    def change(operations: Operations) -> None:
        with operations.batch_alter_table("old") as batch:
            for column in columns:
                batch.add_column(column)
        if then is not None:
            with operations.batch_alter_table("old") as batch:
                then(batch)

    return change


HARMLESS = {
    "a column that may be empty": add(sa.Column("more", sa.Text)),
    "a column with a default": add(sa.Column("more", sa.Text, server_default="x", nullable=False)),
    "a bound on new columns": add(
        sa.Column("more", sa.Integer), then=lambda b: b.create_check_constraint("c", "more > 0 AND more < 9")
    ),
    "a unique new column": add(
        sa.Column("more", sa.Integer), then=lambda b: b.create_unique_constraint("u", ["more"])
    ),
    "an index": lambda o: o.create_index("i", "old", ["name"]),
    "a table with bounds of its own": lambda o: (
        o.create_table("new", sa.Column("id", sa.Integer, nullable=False)),
        o.create_index("i", "new", ["id"], unique=True),
    ),
    "fewer bounds": add(then=lambda b: b.alter_column("name", nullable=True, existing_type=sa.Text)),
}
DISTURBING = {
    "a bound on an old column": (
        add(then=lambda b: b.create_check_constraint("c", "name <> ''")),
        "binds name",
    ),
    "a bound on old and new": (
        add(
            sa.Column("more", sa.Text),
            then=lambda b: b.create_check_constraint("c", "(name = 'name') = (more IS NULL)"),
        ),
        "binds name",
    ),
    "a unique old column": (lambda o: o.create_index("i", "old", ["name"], unique=True), "binds name"),
    "a reference": (add(then=lambda b: b.create_foreign_key("f", "old", ["id"], ["id"])), "binds id"),
    "no more empty": (
        add(then=lambda b: b.alter_column("name", nullable=False, existing_type=sa.Text)),
        "must be given",
    ),
    "another name": (add(then=lambda b: b.alter_column("name", new_column_name="title")), "another name"),
    "another type": (add(then=lambda b: b.alter_column("name", type_=sa.Integer)), "another type"),
    "a column less": (add(then=lambda b: b.drop_column("name")), BY_HAND),
    "a table less": (lambda o: o.drop_table("old"), BY_HAND),
    "another table": (lambda o: o.rename_table("old", "elder"), BY_HAND),
    "a statement": (lambda o: o.execute("UPDATE old SET name = 'x'"), BY_HAND),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_the_version_before_does_not_notice_is_allowed(name: str) -> None:
    assert judged(HARMLESS[name]) == []


@pytest.mark.parametrize("name", DISTURBING)
def test_what_would_disturb_the_version_before_is_found(name: str) -> None:
    change, word = DISTURBING[name]
    [finding] = judged(change)
    assert word in finding


def test_a_column_without_a_default_that_must_be_given_is_found() -> None:
    column = sa.Column("more", sa.Text, nullable=False)
    [finding] = Judge([ops.AddColumnOp("old", column)], {"old": {"id", "more"}}).findings()
    assert "must be given" in finding


def test_a_check_in_place_of_another_is_for_a_person_to_judge() -> None:
    fresh = ops.CreateCheckConstraintOp("c", "old", "name <> ''")
    known = {"old": {"id", "name"}}
    [finding] = Judge([ops.DropConstraintOp("c", "old"), fresh], known).findings()
    assert finding.startswith(BY_HAND)
    [finding] = Judge([ops.DropConstraintOp("other", "old"), fresh], known).findings()
    assert "binds name" in finding


def test_a_house_stays_ready_when_a_newer_version_changes_the_tables(
    house: Runtime, client: FlaskClient, tmp_path: Path
) -> None:
    with house.write() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        session.commit()
    assert client.get("/readyz").status_code == 200
    url = f"sqlite:///{tmp_path}/old.sqlite3"
    old = Database(url)
    migrations.upgrade(old.engine, "0016")
    stale = create_app(Settings(database=url, data=tmp_path)).test_client()
    assert stale.get("/readyz").json["code"] == "not_migrated"
    old.dispose()


@pytest.mark.servers
@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
def test_a_migration_that_waits_for_a_table_lets_others_through(empty_url: str) -> None:
    """Somebody reads the table for long, as `pg_dump` does. A queue for the lock would stop the house."""
    database = Database(empty_url)
    migrations.upgrade(database.engine, "0016")
    plain = empty_url.replace("+psycopg", "")
    with psycopg.connect(plain) as reader, psycopg.connect(plain, autocommit=True) as house:
        reader.execute("SELECT count(*) FROM game")
        migrating = threading.Thread(target=migrations.upgrade, args=(database.engine,))
        migrating.start()
        waiting = (
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        )
        seen = 0
        while not seen:
            [seen] = house.execute(waiting).fetchone() or (0,)
        house.execute("SET statement_timeout = '30s'")
        house.execute(PLAYER)
        house.execute("SELECT count(*) FROM game")  # would wait for the reader's end behind the migration
        assert migrating.is_alive()
        assert migrations.current(database.engine) == "0016"
        reader.rollback()
        migrating.join(PATIENCE)
    assert migrations.current(database.engine) == migrations.head()
    database.dispose()


@pytest.mark.servers
@pytest.mark.parametrize("kind", ["postgresql"], indirect=True)
def test_a_migration_gives_up_with_a_reason_and_changes_nothing(
    empty_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "PATIENCE", 1.0)
    database = Database(empty_url)
    migrations.upgrade(database.engine, "0016")
    with psycopg.connect(empty_url.replace("+psycopg", "")) as reader:
        reader.execute("SELECT count(*) FROM game")
        with pytest.raises(migrations.TablesInUse, match="backup"):
            migrations.upgrade(database.engine)
    assert migrations.current(database.engine) == "0016"
    migrations.upgrade(database.engine)
    database.dispose()
