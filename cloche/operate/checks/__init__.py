"""`cloche check`: what is wrong with a configuration, before anything starts.

Each module looks at one thing and says what it found, as `Finding`s; none of them
changes anything: no table, no key, no file is made. `looks` names them in the
order in which they are told, each with the settings without which it can't look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from cloche.operate.checks import broker, database, envelopes, machine, place, variables
from cloche.operate.checks.finding import Finding, Setup

Look = Callable[[Setup], Iterator[Finding]]

LOOKS: tuple[tuple[Look, frozenset[str]], ...] = (
    (machine.fits, frozenset({"database", "broker", "processes", "worker"})),
    (place.folder, frozenset({"data"})),
    (place.log, frozenset({"data"})),
    (place.cards_and_formats, frozenset({"data"})),
    (database.look, frozenset({"database"})),
    (database.keys_fit, frozenset({"database", "data"})),
    (envelopes.look, frozenset({"database", "data"})),
    (database.is_open_already, frozenset({"database"})),
    (broker.look, frozenset({"broker", "queue"})),
    (broker.rates, frozenset({"rate_storage", "processes"})),
    (machine.port, frozenset({"host", "port"})),
    (machine.proxies, frozenset({"host", "proxies"})),
    (machine.curve, frozenset()),
    (machine.passwords, frozenset({"password_passes", "password_kib"})),
)
"""What is looked at, and which settings must be usable for that."""


def everything(role: str, environment: dict[str, str], data: Path | None = None) -> Iterator[Finding]:
    """All findings about a process of `role` ("serve", "worker", ...) that is to run in `environment`."""
    if data is not None:
        environment = {**environment, "CLOCHE_DATA": str(data)}
    setup, unusable, found = variables.read(role, environment)
    yield from found
    for look, needs in LOOKS:
        if not needs & unusable:
            yield from look(setup)
