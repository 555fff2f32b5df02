"""Statements for the hot paths: built with SQLAlchemy once, compiled once, then run by the driver.

SQLAlchemy's ORM and its compiler take half of the time of a turn. Statements that are run here skip both. In
exchange it speaks the driver's types: JSON is a text, and so a column of JSON is selected with `text_of`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ClauseElement, ColumnElement, CursorResult, Dialect, Text, cast
from sqlmodel import Session, col

Values = Mapping[str, Any]


def text_of(column: Any) -> ColumnElement[str]:
    """The text of a JSON column, or None."""
    return cast(col(column), Text)


class Prepared:
    """A statement whose parameters have names. It must not contain IN with a list."""

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, Sequence[str] | None, Values]] = {}

    def run(self, session: Session, values: Values) -> CursorResult[Any]:
        """Run it in the session's transaction with these parameters."""
        connection = session.connection()
        text, order, fixed = self._compile(connection.dialect)
        return connection.exec_driver_sql(text, _parameters(order, fixed, values))

    def run_many(self, session: Session, rows: Sequence[Values]) -> None:
        """Run it for each of these rows, which is one call of the driver."""
        if len(rows) == 1:
            self.run(session, rows[0])
        elif rows:
            connection = session.connection()
            text, order, fixed = self._compile(connection.dialect)
            connection.exec_driver_sql(text, [_parameters(order, fixed, row) for row in rows])

    def _compile(self, dialect: Dialect) -> tuple[str, Sequence[str] | None, Values]:
        found = self._compiled.get(dialect.name)
        if found is None:
            compiled: Any = self._statement.compile(dialect=dialect)
            fixed = {name: value for name, value in compiled.params.items() if value is not None}
            found = self._compiled[dialect.name] = (str(compiled), compiled.positiontup, fixed)
        return found


def _parameters(order: Sequence[str] | None, fixed: Values, values: Values) -> Any:
    everything = {**fixed, **values} if fixed else values
    return dict(everything) if order is None else tuple(everything[name] for name in order)
