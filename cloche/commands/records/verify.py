"""`cloche verify`: verify records offline, each from its file alone, and other files that the house signs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from cloche.commands import access
from cloche.commands.errors import REFUSED, UNREADABLE, UnreadableInput, plain
from cloche.commands.records import statements
from cloche.commands.records.fetching import fetched, game_id, names_a_game
from cloche.commands.records.statements import StatementKind
from cloche.commands.words import names_of, result, silences
from crypto.encoding import EncodingError, b64, parse, unb64
from crypto.group import engine
from referee import Game, RecordFault, Refused, Report, Unreadable, verify_record, verify_records
from referee.succession import Succession, read_successions
from referee.verify import contradicted, unreadable


@dataclass(frozen=True, slots=True)
class _Requested:
    """The demands that the command makes of a record, beside being valid."""

    house_key: bytes | None
    unfinished: bool
    successions: tuple[Succession, ...]
    fetched: Mapping[str, bytes]
    """The records of games that were named instead of files."""


@click.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(dir_okay=False, allow_dash=True)
)
@click.option(
    "--house", "house_key", metavar="KEY", help="The house key that the record must name, base64url."
)
@click.option(
    "--succession",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A file with the house's answer to GET /house: with it, --house also means its former keys.",
)
@click.option("--unfinished", is_flag=True, help="Accept a record that has no result yet.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the report as JSON; for several files, one on each line."
)
@access.passphrase_option
def verify(
    files: tuple[str, ...],
    house_key: str | None,
    succession: Path | None,
    unfinished: bool,
    as_json: bool,
    passphrase_file: Path | None,
) -> None:
    """Verify the record in FILE (- is standard input) offline, from the file alone.

    FILE may also hold opened boosters, the history of a copy, or evidence against a house. Where there is no
    such file, FILE may be a game of yours: the beginning of its id, or the word last. Its record is fetched
    first.

    The command exits with 0 if the file is valid, 1 if not, 2 if it can't be read. Several files get one
    line each and their proofs are checked together; the exit code is then 1 if any is not valid. Among
    records of one house, absences that another record belies are named too.
    """
    try:
        key = None if house_key is None else unb64(house_key, 32)
    except EncodingError as error:
        raise click.BadParameter(f"is not a key: {error}.", param_hint="--house") from None
    named = [file for file in dict.fromkeys(files) if names_a_game(file) and not Path(file).exists()]
    successions = () if succession is None else _successions(succession)
    asked = _Requested(key, unfinished, successions, _fetched(named, passphrase_file))
    sys.exit(_one(files[0], asked, as_json) if len(files) == 1 else _many(files, asked, as_json))


def _fetched(named: Sequence[str], passphrase_file: Path | None) -> Mapping[str, bytes]:
    """The records of the player's games, by the words that name them."""
    if not named:
        return {}
    with access.signed_in(passphrase_file) as (_, api):
        return {name: fetched(api, game_id(api, name)) for name in named}


def _one(file: str, asked: _Requested, as_json: bool) -> int:
    """Report on one file, at length; returns the exit code."""
    try:
        data = _data(file, asked)
        with _progress(as_json) as progress:
            if (kind := statements.kind_of(data)) is not None:
                return _statement(file, kind, _verified(kind, data, asked, progress), as_json)
            report = verify_record(data, asked.house_key, asked.unfinished, progress, asked.successions)
    except (Unreadable, OSError) as error:
        report = Report(unreadable(error))
    if as_json:
        click.echo(json.dumps(report.json(), indent=2, ensure_ascii=False))
    else:
        _print(file, report, asked.house_key)
    return _status([report])


def _many(files: Sequence[str], asked: _Requested, as_json: bool) -> int:
    """Report on several files, a line for each; returns the exit code."""
    console, reports = Console(highlight=False, soft_wrap=True), list[_Checked]()
    piped = sys.stdin.buffer.read() if "-" in files else b""  # standard input can be read only once

    def data_of(file: str) -> bytes:
        return piped if file == "-" else _data(file, asked)

    kinds = [_kind(partial(data_of, file)) for file in files]
    with _progress(as_json, console) as progress:

        def reading() -> Iterator[Callable[[], bytes]]:
            for i, file in enumerate(files):
                progress(i, len(files))
                if kinds[i] is None:
                    yield partial(data_of, file)

        records = verify_records(reading(), asked.house_key, asked.unfinished, asked.successions)
        for file, kind in zip(files, kinds, strict=True):
            report: _Checked
            if kind is None:
                report = record = next(records)
                line = _line(file, record)
            else:
                report = _verified(kind, data_of(file), asked, lambda done, total: None)
                line = _statement_line(file, kind, report)
            reports.append(report)
            if as_json:
                click.echo(json.dumps({"file": file, **report.json()}, ensure_ascii=False))
            else:
                console.print(line)
    return REFUSED if _belied(console, files, reports, as_json) else _status(reports)


def _belied(console: Console, files: Sequence[str], reports: Sequence[_Checked], as_json: bool) -> bool:
    """Report on absences of a house that other records among the files belie; returns whether any is."""
    records = [
        (file, report) for file, report in zip(files, reports, strict=True) if isinstance(report, Report)
    ]
    found = list(contradicted([report for _, report in records]))
    for i, j, fault in found:
        if as_json:
            told = {
                "code": fault.code,
                "pointer": fault.pointer,
                "text": fault.text,
                "section": fault.section,
            }
            click.echo(json.dumps({"file": records[i][0], "belied_by": records[j][0], "fault": told}))
        else:
            console.print(f"{_fault_line(records[i][0], fault)}: {_named(records[j][0])}")
    return bool(found)


class _Checked(Protocol):
    """A report of any kind."""

    fault: RecordFault | None

    def json(self) -> dict[str, Any]: ...


def _kind(read: Callable[[], bytes]) -> StatementKind | None:
    """The kind of a file; None for a record, and for an unreadable file, which is reported in its turn."""
    try:
        return statements.kind_of(read())
    except OSError:
        return None


def _verified(
    kind: StatementKind, data: bytes, asked: _Requested, progress: Callable[[int, int], None]
) -> Any:
    return kind.verify(data, asked.house_key, asked.successions, progress)


def _statement(file: str, kind: StatementKind, report: Any, as_json: bool) -> int:
    """Report at length on a file that is no record; returns the exit code."""
    if as_json:
        click.echo(json.dumps(report.json(), indent=2, ensure_ascii=False))
        return _status([report])
    console = Console(highlight=False, soft_wrap=True)
    if report.fault is not None:
        _say_fault(console, file, report.fault)
        return _status([report])
    console.print(f"{_named(file)} [bold green]is valid[/]: {escape(plain(kind.title(report)))}")
    _say_checked(console, kind.checks, report.checked)
    for line in kind.lines(report):
        console.print(plain(line), markup=False)
    return _status([report])


def _statement_line(file: str, kind: StatementKind, report: Any) -> str:
    if report.fault is not None:
        return _fault_line(file, report.fault)
    return f"{_named(file)} [bold green]is valid[/]: {escape(plain(kind.title(report)))}"


def _data(file: str, asked: _Requested) -> bytes:
    if file in asked.fetched:
        return asked.fetched[file]
    return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()


def _status(reports: Sequence[_Checked]) -> int:
    """0 if all are valid, 1 if any is not, else 2: some can't be read."""
    codes = {report.fault.code for report in reports if report.fault is not None}
    return REFUSED if codes - {"unreadable"} else UNREADABLE if codes else 0


def _successions(path: Path) -> tuple[Succession, ...]:
    """The successions in a file: the house's own document, or a list of them."""
    try:
        found = parse(path.read_bytes())
        return read_successions(found.get("successions") if isinstance(found, dict) else found)
    except OSError as error:
        raise UnreadableInput("unreadable", f"{path}: {error.strerror}.") from None
    except EncodingError as error:
        raise UnreadableInput("unreadable", f"{path}: {error}.") from None
    except Refused as refused:
        raise UnreadableInput(refused.code, f"{path}: {refused.text} ({refused.pointer}).") from None


@contextmanager
def _progress(quiet: bool, out: Console | None = None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal, below what `out` prints meanwhile if that is a terminal too."""
    console = out if out is not None and out.is_terminal else Console(stderr=True)
    shown = console.is_terminal and not quiet
    with Progress(console=console, transient=True, disable=not shown) as progress:
        task = progress.add_task("Verifying")

        def tell(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield tell


CHECKS = {
    "entries": "one chain of digests, each in its step and time",
    "signatures": "by the house, and by players for what they say",
    "proofs": "of what players keep hidden: decks, meals, locked cards",
    "draws": "follow from the links, or from how all have mixed",
    "shown deals": "played again with all cards open",
    "reveals": "open what was sealed",
    "accounts": "are what the rules give",
    "results": "are what the rules give",
}
"""The words for what each count of `Report.checked` has checked."""


def _line(file: str, report: Report) -> str:
    """A report on one of several records, in a line."""
    if report.fault is None:
        game = report.valid_game
        ended = result(game) if game.over else f"no result yet, {game.seq + 1} entries"
        title = f"{game.rules.facts.title}, game {game.header.game}"
        return f"{_named(file)} [bold green]is valid[/]: {title}: {escape(ended)}"
    return _fault_line(file, report.fault)


def _fault_line(file: str, fault: RecordFault) -> str:
    why = f"{_where(fault)}: {plain(fault.text)}" + (f" ({fault.section})" if fault.section else "")
    return f"{_named(file)} {_verdict(fault)} {escape(why)}"


def _named(file: str) -> str:
    return escape(plain(file))


def _verdict(fault: RecordFault) -> str:
    words = {
        "unreadable": "can't be read",
        "not_canonical": "has another form",
        "no_conviction": "proves nothing",
    }
    word = words.get(fault.code, "is not valid")
    return f"[bold red]{word}[/] {escape(f'[{fault.code}]')}"


def _where(fault: RecordFault) -> str:
    return plain(fault.pointer) or ("the file" if fault.entry is None else f"entry {fault.entry}")


def _print(file: str, report: Report, key: bytes | None) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if report.fault is not None:
        _say_fault(console, file, report.fault)
        return
    game = report.valid_game
    console.print(
        f"{_named(file)} [bold green]is valid[/]: {game.rules.facts.title}, game {game.header.game}"
    )
    _say_checked(console, CHECKS, report.checked)
    _say_who(console, game, key)


def _say_fault(console: Console, file: str, fault: RecordFault) -> None:
    console.print(f"{_named(file)} {_verdict(fault)}")
    console.print(f"  Where   {_where(fault)}", markup=False)
    console.print(f"  Why     {plain(fault.text)}", markup=False)
    if fault.section:
        console.print(f"  Rule    {fault.section}", markup=False)


def _say_checked(console: Console, checks: Mapping[str, str], checked: Mapping[str, int]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, words in checks.items():
        if checked.get(name):
            table.add_row("  [green]ok[/]", str(checked[name]), name, words)
    console.print(table)


def _say_who(console: Console, game: Game, key: bytes | None) -> None:
    found = b64(game.header.house_key)
    words = {None: "as the record says", game.header.house_key: "as expected"}
    console.print(f"House   {found} ({words.get(key, 'another key of the house expected')})")
    for i, (who, name) in enumerate(zip(game.header.players, names_of(game), strict=True)):
        console.print(f"Seat {i}  {b64(who.key)} {name}", markup=False)
    ended = result(game) if game.over else f"none yet; the record ends with entry {game.seq}"
    console.print(f"Result  {ended}", markup=False)
    for i, line in enumerate(silences(game)):
        console.print(f"{'' if i else 'Silence':7} {line}", markup=False)
    console.print(f"Engine  {engine().name}")
