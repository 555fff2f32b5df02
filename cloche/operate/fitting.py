"""The check whether settings go together.

Each process makes it at its start, and `cloche check` before that.
"""

from __future__ import annotations

from collections.abc import Sequence

from cloche.operate import backends
from service.config import Settings


def misfits(settings: Settings, inside: bool, processes: int) -> Sequence[str]:
    """Say what in the settings of `cloche serve` does not go together."""
    found = []
    if not inside and backends.in_memory(settings):
        found.append("Without a worker inside, CLOCHE_BROKER must name a broker for workers elsewhere.")
    if backends.on_sqlite(settings) and (processes > 1 or not inside):
        found.append(
            "SQLite is for one process with its worker inside: --processes and --no-worker need"
            " CLOCHE_DATABASE=postgresql://..."
        )
    return found


def streams_apart(settings: Settings) -> Sequence[str]:
    """Say what `cloche events` lacks in its settings."""
    if backends.on_sqlite(settings):
        return [
            "A separate process for events needs CLOCHE_DATABASE=postgresql://..."
            " (with SQLite, `cloche serve` has the streams inside)."
        ]
    return []


def apart(settings: Settings) -> Sequence[str]:
    """Say what a process beside `cloche serve` lacks in its settings."""
    if backends.in_memory(settings) or backends.on_sqlite(settings):
        return [
            "A separate worker needs CLOCHE_DATABASE=postgresql://... and CLOCHE_BROKER=amqp://... or redis://..."
            " (the house's own defaults have their worker inside)."
        ]
    return []
