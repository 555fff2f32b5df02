"""The checks of `cloche check`: what is wrong with the settings, before anything starts.

Each module looks at one thing and yields what it found, as `Finding`s. None of them changes anything: no
table, no key and no file is made. `LOOKS` has them in the order in which they report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from cloche.operate.checks import broker, database, envelopes, exposure, machine, place, variables
from cloche.operate.checks.finding import Finding, ProcessSetup
from service.config import UNLIMITED

Inspection = Callable[[ProcessSetup], Iterator[Finding]]

LOOKS: tuple[tuple[Inspection, frozenset[str]], ...] = (
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
    (exposure.proxies, frozenset({"host", "proxies"})),
    (exposure.limits, frozenset({"host", "proxies", *UNLIMITED})),
    (exposure.guessing, frozenset({"host", "proxies", "sign_in_pause"})),
    (exposure.sign_ins, frozenset({"host", "proxies", "password_queue", "threads"})),
    (exposure.browsers, frozenset({"cors_origins"})),
    (exposure.webhooks, frozenset({"host", "proxies", "webhook_networks"})),
    (exposure.figures, frozenset({"host", "proxies", "metrics_token", "disk_mib"})),
    (machine.files, frozenset({"connections", "listeners"})),
    (machine.curve, frozenset()),
    (machine.passwords, frozenset({"password_passes", "password_kib"})),
)
"""Every check, with the settings that must be usable for it."""


def everything(
    role: str, environment: dict[str, str], data: Path | None = None, *, for_others: bool = False
) -> Iterator[Finding]:
    """All findings about a process of `role` ("serve", "worker" or "events") with these variables.

    With `for_others` it is looked at as one that others will reach, wherever it listens now.
    """
    if data is not None:
        environment = {**environment, "CLOCHE_DATA": str(data)}
    setup, unusable, found = variables.read(role, environment)
    yield from found
    setup = replace(setup, for_others=for_others)
    for look, needs in LOOKS:
        if not needs & unusable:
            yield from look(setup)
