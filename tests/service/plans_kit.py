"""The plans by which a database answers statements, and the tables that they read from end to end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event

from service.db import Database

Asked = tuple[str, Any]
"""A statement as the driver gets it, and its parameters."""
PLANNED = ("SELECT", "UPDATE", "DELETE", "WITH")


@contextmanager
def noted(database: Database) -> Iterator[list[Asked]]:
    """Note each statement that is sent meanwhile, whoever asks."""
    asked: list[Asked] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        asked.append((statement, parameters))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


def read_whole(database: Database, asked: Sequence[Asked]) -> dict[str, str]:
    """The tables that a statement would read from end to end, each with the first such statement.

    PostgreSQL says whether an index could serve, however small the tables are; of empty ones it says nothing.
    SQLite assumes large ones.
    """
    found: dict[str, str] = {}
    seen: set[str] = set()
    with database.engine.connect() as connection:
        if not database.is_sqlite:
            connection.exec_driver_sql("ANALYZE role")
            for way in ("seqscan", "mergejoin", "hashjoin"):  # cheap in small tables alone
                connection.exec_driver_sql(f"SET enable_{way} = off")
        for statement, parameters in asked:
            if statement.lstrip().upper().startswith(PLANNED) and statement not in seen:
                seen.add(statement)
                scanned = _on_sqlite if database.is_sqlite else _on_postgresql
                for table in scanned(connection, statement, parameters):
                    found.setdefault(table, statement)
        if not database.is_sqlite:
            found = {table: said for table, said in found.items() if not _empty(connection, table)}
        connection.rollback()
    return found


def _empty(connection: Connection, table: str) -> bool:
    return connection.exec_driver_sql(f'SELECT 1 FROM "{table}" LIMIT 1').first() is None


def _on_sqlite(connection: Connection, statement: str, parameters: Any) -> Iterator[str]:
    steps = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    names = _aliases(statement)
    for step in steps:
        if (scan := re.match(r"SCAN (\w+)", step)) is not None and not step.startswith("SCAN CONSTANT"):
            yield names.get(scan[1], scan[1])


def _aliases(statement: str) -> dict[str, str]:
    """The tables of a statement by the names that it gives them."""
    return {alias: table for table, alias in re.findall(r"(\w+) AS (\w+)", statement)}


def _on_postgresql(connection: Connection, statement: str, parameters: Any) -> Iterator[str]:
    [[[plan]]] = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters)
    yield from _whole(plan["Plan"], stops=False)


def _whole(node: dict[str, Any], *, stops: bool) -> Iterator[str]:
    """The tables that a node and those below it read whole. `stops`: a page ends the reading before that."""
    kind = node["Node Type"]
    table = node.get("Relation Name")
    if table is not None:
        whole = kind == "Seq Scan" or (kind.startswith("Index") and "Index Cond" not in node and not stops)
        if whole:
            yield table
    stops = kind == "Limit" or (stops and kind not in ("Sort", "Aggregate", "Hash", "Unique"))
    for below in node.get("Plans", ()):
        yield from _whole(below, stops=stops)
