"""Checks of the set-up as a whole, the port, the curve engine, and the cost of passwords."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import click

from cloche.operate.checks.finding import Finding, ProcessSetup
from cloche.operate.files import needed_files
from cloche.operate.fitting import apart, misfits, streams_apart
from cloche.operate.ports import listen
from crypto.engines import EngineError
from crypto.group import engine

LEAST_WORK, LEAST_KIB = 35_840, 7_168
"""OWASP's minimum for argon2id: passes times KiB, and KiB."""


def fits(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the settings go together."""
    settings = setup.settings
    found = {
        "serve": lambda: misfits(settings, setup.inside, setup.processes),
        "events": lambda: streams_apart(settings),
    }.get(setup.role, lambda: apart(settings))()
    for text in found:
        yield Finding("error", "set-up", text, 'See "The larger set-up" in docs/operating.md.')
    if found:
        return
    if setup.serves and not setup.inside:
        yield Finding("ok", "set-up", "rounds are resolved elsewhere: `cloche worker` must run beside it")
    else:
        yield Finding("ok", "set-up", "the settings go together")


def port(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the port is free."""
    if not setup.listens:
        return
    try:
        listen(setup.host, setup.port).close()
    except click.ClickException as fault:
        do = "Choose another by CLOCHE_HOST and CLOCHE_PORT (events: CLOCHE_EVENTS_PORT)."
        yield Finding("error", "port", fault.message, do)
    else:
        yield Finding("ok", "port", f"{setup.host} port {setup.port or '(any)'} is free")


def files(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether a process may open a file for each connection."""
    if not setup.listens:
        return
    wanted = needed_files(setup.settings.connections, setup.listeners)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if allowed == resource.RLIM_INFINITY or allowed >= wanted:
        yield Finding("ok", "open files", f"a process may open the {wanted} files that its connections need")
        return
    yield Finding(
        "warning",
        "open files",
        f"a process may open {allowed} files, and its connections can need {wanted}",
        "Raise the limit (ulimit -Hn, LimitNOFILE= in a systemd unit), or lower CLOCHE_CONNECTIONS or"
        " CLOCHE_LISTENERS.",
    )


def curve(setup: ProcessSetup) -> Iterator[Finding]:
    """Report which curve engine is used."""
    try:
        name = engine().name
    except EngineError as fault:
        yield Finding("error", "engine", f"{fault}", "Install it, or unset CLOCHE_ENGINE.")
        return
    if name == "arkworks":
        yield Finding("ok", "engine", f"proofs are checked by {name}")
    else:
        do = "Install the fast one, py_arkworks_bls12381, where there is a wheel for the machine."
        yield Finding(
            "warning", "engine", f"proofs are checked by {name}, which is about fifty times slower", do
        )


def passwords(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether guessing passwords from a stolen database would cost enough work."""
    settings = setup.settings
    if not setup.serves:
        return
    work = settings.password_passes * settings.password_kib
    if work < LEAST_WORK or settings.password_kib < LEAST_KIB:
        do = "Unset CLOCHE_PASSWORD_PASSES and CLOCHE_PASSWORD_KIB; low ones are for tests."
        yield Finding("warning", "passwords", "their hashes cost less than they should", do)
    else:
        yield Finding(
            "ok",
            "passwords",
            f"a hash takes {settings.password_passes} passes over {settings.password_kib} KiB",
        )
