"""The texts of `--help` are whole and true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cloche.main import COMMANDS, main
from cloche.operate import logs
from service.config import Settings


def _commands(
    path: tuple[str, ...], command: click.Command
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _commands((*path, name), inner)


ALL = dict(_commands((), main))


def _help(*path: str) -> str:
    """Return a help text in one line, whatever the terminal's width."""
    result = CliRunner().invoke(main, [*path, "--help"])
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


@pytest.mark.parametrize("path", [path for path, command in ALL.items() if isinstance(command, click.Group)])
def test_a_group_says_of_each_command_a_whole_sentence(path: tuple[str, ...]) -> None:
    told = _help(*path).partition("Run a house:" if not path else "Commands:")[2]
    names = [other[-1] for other in ALL if other[:-1] == path and other]
    assert len(names) > 1 or path == ("admin",)
    for name in names:
        assert re.search(rf" {name} [A-Z]", f" {told}"), name
    assert "..." not in told.replace(" ...", "")


def test_an_argument_that_may_be_left_out_stands_in_brackets() -> None:
    """An argument has brackets where we say ourselves how it is shown; click brackets the others."""
    named = {
        (*path, argument.metavar): argument.required
        for path, command in ALL.items()
        for argument in command.params
        if isinstance(argument, click.Argument) and argument.metavar
    }
    assert len(named) > 5
    assert {each: not each[-1].startswith("[") for each in named} == named


@pytest.mark.parametrize("name", ["serve", "worker", "events"])
def test_the_log_is_where_help_says(name: str) -> None:
    assert name in COMMANDS
    told = re.search(r"\[default: (\S+) in the data folder\]", _help(name))
    assert told is not None
    settings = Settings.from_environment({"CLOCHE_DATA": "/data", "CLOCHE_DATABASE": "sqlite:////x"})
    assert logs.log_file(None, settings, name) == Path("/data") / told[1]
