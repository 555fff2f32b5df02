"""Checks of the CLOCHE_ variables: each is known and has a usable value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

import click

from cloche.commands.house.serve import host_of, serve
from cloche.commands.words import number
from cloche.operate import backends
from cloche.operate.checks.finding import Finding, ProcessSetup
from service.config import PREFIX, ConfigError, Settings

OTHERS = {"CLOCHE_CA", "CLOCHE_ENGINE", "CLOCHE_HOME", "CLOCHE_PASSPHRASE", "CLOCHE_VAULT_COST"}
"""Variables that are neither settings nor options of a command."""
FOR_TESTS = "CLOCHE_TEST_"


def known() -> set[str]:
    """Every variable that some command reads."""
    from cloche.main import COMMANDS, load

    found = OTHERS | {PREFIX + field.name.upper() for field in fields(Settings)}
    for name in COMMANDS:
        found |= set(_variables(load(name)))
    return found


def _variables(command: click.Command) -> Iterator[str]:
    for option in command.params:
        if isinstance(option.envvar, str):
            yield option.envvar
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from _variables(inner)


def read(role: str, environment: Mapping[str, str]) -> tuple[ProcessSetup, frozenset[str], list[Finding]]:
    """Read the variables of a role.

    Returns the setup that they describe, the names of settings with an unusable value (these have their
    defaults in the setup), and the findings.
    """
    found = list(_unknown(environment))
    given = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    values, wrong = _of_commands(role, given)
    try:
        settings = Settings.from_environment(given)
    except ConfigError as fault:
        wrong |= fault.faults
        rest = {name: value for name, value in given.items() if name not in fault.faults}
        settings = Settings.from_environment(rest)
    found += [
        Finding("error", name, f"{name} {text}", "Correct it, or unset it to use the default.")
        for name, text in wrong.items()
    ]
    if not found:
        count = sum(name.startswith(PREFIX) for name in environment)
        text = f"{number(count, 'variable')} set; all are known and usable"
        found = [Finding("ok", "variables", text)]
    worker = values["worker"]
    inside = backends.in_memory(settings) if worker is None else bool(worker)
    setup = ProcessSetup(
        role,
        settings,
        values["host"] or host_of(bool(values["tls"])),
        values["port"],
        values["processes"],
        values["threads"],
        values["listeners"],
        inside,
        given.get("CLOCHE_LOG"),
        tls=role == "serve" and bool(values["tls"]),
    )
    unusable = frozenset(name.removeprefix(PREFIX).lower() for name in wrong)
    if "data" in unusable and "CLOCHE_DATABASE" not in given:
        unusable |= {"database"}  # its default lies in that folder
    return setup, unusable, found


def _unknown(environment: Mapping[str, str]) -> Iterator[Finding]:
    names = known()
    for name in sorted(environment):
        if not name.startswith(PREFIX) or name in names or name.startswith(FOR_TESTS):
            continue
        near = get_close_matches(name, sorted(names), 3)
        near.sort(
            key=lambda other: sorted(other) != sorted(name)
        )  # first those with the same letters in another order
        do = f"Did you mean {near[0]}?" if near else "Unset it; docs/operating.md lists all settings."
        yield Finding("error", name, f"{name} is not a setting of Cloche, so nothing reads it", do)


def _of_commands(role: str, given: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
    """The options of `cloche serve` and of the role's own command, from the variables; and what is wrong
    with each unusable variable."""
    from cloche.main import load

    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    # The role's own command comes last, since `cloche events` and `cloche serve` have different ports.
    for command, option in [(c, o) for c in (serve, load(role)) for o in c.params]:
        name = option.name or ""
        values[name] = option.get_default(click.Context(command))
        if not isinstance(option.envvar, str) or option.envvar not in given or name == "data":
            continue
        try:
            values[name] = option.type.convert(given[option.envvar], option, None)
        except click.BadParameter as fault:
            wrong[option.envvar] = f"can't be used: {fault.message}"
    return values, wrong
