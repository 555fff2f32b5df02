"""The check whether a migration may run beside the version before it: its operations are judged."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic.operations import ops
from alembic.operations.base import AbstractOperations
from alembic.script import Script, ScriptDirectory
from sqlalchemy import inspect

from service import migrations
from service.db import Database

Recorded = Sequence[ops.MigrateOperation]
BY_HAND = "by hand"
"""The beginning of a finding that only a person can judge.

The migration says in `beside` why it does no harm.
"""
_SMALLER = (ops.DropColumnOp, ops.DropTableOp, ops.RenameTableOp)
_HARMLESS = (ops.CreateTableOp, ops.DropIndexOp, ops.DropConstraintOp)


def revisions() -> list[Script]:
    """All revisions, the oldest first."""
    return [*ScriptDirectory.from_config(migrations._config()).walk_revisions()][::-1]


def recorded_by_revision(file: Path) -> Iterator[tuple[Script, Recorded, dict[str, set[str]]]]:
    """Upgrade a new database step by step; yields each revision, its operations, and the columns after it."""
    database = Database(f"sqlite:///{file}")
    try:
        for script in revisions():
            with recording() as recorded:
                migrations.upgrade(database.engine, script.revision)
            seen = inspect(database.engine)
            tables = {
                name: {column["name"] for column in seen.get_columns(name)} for name in seen.get_table_names()
            }
            yield script, recorded, tables
    finally:
        database.dispose()


@contextmanager
def recording() -> Iterator[list[ops.MigrateOperation]]:
    """All operations that migrations carry out during the block."""
    recorded: list[ops.MigrateOperation] = []
    carry_out = AbstractOperations.invoke

    def record(self: AbstractOperations, operation: ops.MigrateOperation) -> Any:
        recorded.append(operation)
        return carry_out(self, operation)

    AbstractOperations.invoke = record  # type: ignore[method-assign,assignment]
    try:
        yield recorded
    finally:
        AbstractOperations.invoke = carry_out  # type: ignore[method-assign]


class Judge:
    """The rule, for the operations of one migration. `columns` are those of each table after it."""

    def __init__(self, recorded: Recorded, columns: dict[str, set[str]]) -> None:
        self._recorded, self._columns = recorded, columns
        self._made = {one.table_name for one in recorded if isinstance(one, ops.CreateTableOp)}
        self._added: dict[str, set[str]] = defaultdict(set)
        self._dropped = {
            (one.table_name, str(one.constraint_name))
            for one in recorded
            if isinstance(one, ops.DropConstraintOp)
        }
        for one in recorded:
            if isinstance(one, ops.AddColumnOp):
                self._added[one.table_name].add(one.column.name)

    def findings(self) -> list[str]:
        """List what would disturb the version before, or can't be judged."""
        return [text for one in self._recorded for text in self._judge(one)]

    def _judge(self, one: ops.MigrateOperation) -> Iterator[str]:
        table = getattr(one, "table_name", "") or getattr(one, "source_table", "")
        if table in self._made or isinstance(one, _HARMLESS):
            return
        name = type(one).__name__
        if isinstance(one, ops.AddColumnOp):
            if not one.column.nullable and one.column.server_default is None:
                yield f"{table}.{one.column.name} must be given, and the version before does not give it"
        elif isinstance(one, ops.AlterColumnOp):
            yield from self._altered(one)
        elif isinstance(one, _SMALLER):
            what = f"{table}.{one.column_name}" if isinstance(one, ops.DropColumnOp) else table
            yield f"{BY_HAND}: {name} {what}, which the version before must not use any more"
        elif isinstance(one, ops.CreateIndexOp | ops.AddConstraintOp):
            if isinstance(one, ops.CreateIndexOp) and not one.unique:
                return
            if (
                isinstance(one, ops.CreateCheckConstraintOp)
                and (table, str(one.constraint_name)) in self._dropped
            ):
                yield f"{BY_HAND}: {name} {table} {one.constraint_name}, in place of another"
                return
            if old := self._words(one) & (self._columns[table] - self._added[table]):
                yield f"{name} {table} binds {', '.join(sorted(old))}, which the version before writes"
        else:
            yield f"{BY_HAND}: {name}"

    @staticmethod
    def _altered(one: ops.AlterColumnOp) -> Iterator[str]:
        what = f"{one.table_name}.{one.column_name}"
        if one.modify_nullable is False:
            yield f"{what} must be given from now on"
        if one.modify_name is not None:
            yield f"{what} has another name"
        if one.modify_type is not None:
            yield f"{what} has another type"

    @staticmethod
    def _words(one: ops.CreateIndexOp | ops.AddConstraintOp) -> set[str]:
        """Return what an index or a constraint is about: columns, or the words of its condition."""
        if isinstance(one, ops.CreateForeignKeyOp):
            return {*one.local_cols}
        if isinstance(one, ops.CreateCheckConstraintOp):
            return {*re.findall(r"\w+", re.sub(r"'[^']*'", "", str(one.condition)))}
        return {str(getattr(column, "name", column)) for column in one.columns}
