"""`cloche record` fetches the record of a game, `cloche verify` checks one from itself alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from client.http import Api
from cloche import player
from cloche.player import HOUSE, REFUSED, UNREADABLE, Failure, plain
from cloche.words import names_of, result
from crypto.encoding import EncodingError, b64, unb64
from crypto.group import engine
from referee import Fault, Report, Unreadable, verify_record


@click.command()
@click.argument("game")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, allow_dash=True),
    help="Where it goes; - is standard output.  [default: cloche-GAME.json]",
)
@player.house_option
@player.passphrase_option
def record(game: str, out: str | None, house: str | None, passphrase_file: Path | None) -> None:
    """Fetch the record of GAME, by its id, as a file that `cloche verify` checks.

    With --house nobody signs in, which does for games that are over; else you do, and
    your own running games can be had too.
    """
    if house is None and player.vault_path().exists():
        with player.signed_in(passphrase_file) as (_, api):
            data = api.record(game)
    else:
        with player.refusals(), Api(house or HOUSE) as api:
            data = api.record(game)
    if out == "-":
        sys.stdout.buffer.write(data)
        return
    path = Path(out or f"cloche-{game}.json")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Failure("cant_write", f"{path}: {error.strerror}.") from None
    click.echo(f"{path}: {len(data)} bytes.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--house", "house_key", metavar="KEY", help="The house key that the record must name, base64url."
)
@click.option("--unfinished", is_flag=True, help="Accept a record that has no result yet.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def verify(file: str, house_key: str | None, unfinished: bool, as_json: bool) -> None:
    """Verify the record in FILE (- is standard input) from itself alone, offline.

    Exits with 0 if it is valid, 1 if not, 2 if it can't be read.
    """
    try:
        key = None if house_key is None else unb64(house_key, 32)
    except EncodingError as error:
        raise click.BadParameter(f"is no key: {error}.", param_hint="--house") from None
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        with _progress(as_json) as progress:
            report = verify_record(data, key, unfinished, progress)
    except (Unreadable, OSError) as error:
        why = (error.strerror if isinstance(error, OSError) else str(error)) or "it can't be read"
        report = Report(Fault(None, "", "unreadable", why))
    if as_json:
        click.echo(json.dumps(report.json(), indent=2, ensure_ascii=False))
    else:
        _print(file, report, key)
    if report.fault is not None:
        sys.exit(UNREADABLE if report.fault.code == "unreadable" else REFUSED)


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A bar, on a terminal."""
    console = Console(stderr=True)
    shown = console.is_terminal and not quiet
    with Progress(console=console, transient=True, disable=not shown) as progress:
        task = progress.add_task("Verifying")

        def tell(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield tell


CHECKS = {
    "entries": "one chain of digests, each in its step and time",
    "signatures": "by the house, and by players for what they say",
    "proofs": "of match decks and sealed meals",
    "draws": "follow from the links of house and players",
    "shown deals": "played again with all cards open",
    "reveals": "open what was sealed",
    "accounts": "are what the rules give",
    "results": "are what the rules give",
}
"""What was checked, as `Report.checked` counts it, in words."""


def _print(file: str, report: Report, key: bytes | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    fault = report.fault
    if fault is not None:
        word = "can't be read" if fault.code == "unreadable" else "is not valid"
        console.print(f"{file} [bold red]{word}[/] \\[{fault.code}]", markup=True)
        where = fault.pointer or ("the file" if fault.entry is None else f"entry {fault.entry}")
        console.print(f"  Where   {where}", markup=False)
        console.print(f"  Why     {plain(fault.text)}", markup=False)
        if fault.section:
            console.print(f"  Rule    {fault.section}", markup=False)
        return
    game = report.game
    assert game is not None, "a valid record has a game"
    console.print(f"{file} [bold green]is valid[/]: {game.rules.facts.title}, game {game.header.game}")
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, words in CHECKS.items():
        if report.checked[name]:
            table.add_row("  [green]ok[/]", str(report.checked[name]), name, words)
    console.print(table)
    _say_who(console, report, key)


def _say_who(console: Console, report: Report, key: bytes | None) -> None:
    game = report.game
    assert game is not None, "a valid record has a game"
    found = b64(game.header.house_key)
    console.print(f"House   {found} " + ("(as expected)" if key is not None else "(as the record says)"))
    for i, (who, name) in enumerate(zip(game.header.players, names_of(game), strict=True)):
        console.print(f"Seat {i}  {b64(who.key)} {name}", markup=False)
    ended = result(game) if game.over else f"none yet; the record ends with entry {game.seq}"
    console.print(f"Result  {ended}", markup=False)
    console.print(f"Engine  {engine().name}")
