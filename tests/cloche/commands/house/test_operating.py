"""docs/operating.md names every setting there is, with its true default, and no other."""

import re
from dataclasses import fields

import click

from cloche.commands.house.events import events
from cloche.commands.house.serve import serve
from cloche.commands.house.worker import worker
from service.config import Settings
from tests.paths import DOCS

TEXT = (DOCS / "operating.md").read_text()
ROWS = {
    name: row
    for row in re.findall(r"^\| `CLOCHE_.*$", TEXT, re.MULTILINE)
    for name in re.findall(r"CLOCHE_[A-Z_]+", row.split("|")[1])
}


def _of_commands() -> dict[str, click.Option]:
    return {
        option.envvar: option
        for command in (serve, events, worker)
        for option in command.params
        if isinstance(option, click.Option) and isinstance(option.envvar, str)
    }


def test_every_setting_has_its_line_and_every_line_its_setting() -> None:
    known = {f"CLOCHE_{field.name.upper()}" for field in fields(Settings)}
    served = {name for name, option in _of_commands().items() if name not in known}
    assert set(ROWS) >= known | {"CLOCHE_HOST", "CLOCHE_PORT", "CLOCHE_WORKER", "CLOCHE_LOG"}
    assert set(ROWS) <= known | served | {"CLOCHE_ENGINE"}


def test_the_defaults_are_the_real_ones() -> None:
    for field in fields(Settings):
        row = ROWS[f"CLOCHE_{field.name.upper()}"]
        default = ",".join(map(str, field.default)) if isinstance(field.default, tuple) else field.default
        shown = f"`{default}`" if default != "" else "none"
        assert shown in row, row
    for name, option in _of_commands().items():
        if name in ROWS and option.default is not None and not isinstance(option.default, bool):
            assert str(option.default) in ROWS[name] or not isinstance(option.default, (int, str)), name
