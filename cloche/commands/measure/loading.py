"""What `cloche load` does: measure what was asked for, print it, and write the files."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click
import httpx
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from benchmarks import browser, machine, results
from benchmarks.load import beside, findings, loops, parts, processes, report
from benchmarks.load.findings import LoadResults, PartResults
from benchmarks.load.json_process import ProcessEnded
from benchmarks.load.served import NotOpen
from benchmarks.load.sizes import Sizes
from benchmarks.page import number, page
from benchmarks.turns.measure import EntriesMissing
from benchmarks.turns.scratch import NoServer
from benchmarks.turns.wsgi import RequestRefused
from cards import games
from cloche.commands.errors import REFUSED, CommandError, UnreadableInput
from cloche.commands.measure.load import PAGE, WHOLE
from cloche.commands.measure.progress import progress
from cloche.operate.child import ended_well

ROOT = Path(results.__file__).parents[1]
DOCS, BOARDGAME = ROOT / "docs", ROOT / "benchmarks" / "boardgame"
BENCH = "performance.json"


def load(url: str | None, given: Path | None, listing: bool, asked: Mapping[str, Any]) -> None:
    """Do what the options of `cloche load` ask for. Ends the process where a figure is wrong."""
    if listing:
        _list()
        return
    chosen = _chosen(asked)
    if url is not None and (chosen or not asked["yes"]):
        raise click.UsageError(_FOREIGN if not asked["yes"] else "A house at URL takes an open loop alone.")
    if chosen and given is None and not processes.PROC.is_dir():
        raise click.UsageError(
            "These figures are read from /proc, which only Linux has. An open loop runs here."
        )
    if asked["write"] and given is None and not asked["everything"] and findings.PEOPLE not in chosen:
        raise click.UsageError("--write needs --all, or --only people.")
    loop = not chosen or _beside_a_loop(asked)
    found = _read(given) if given is not None else _measured(url, chosen, loop, _sizes(asked))
    if asked["write"] and not _in_full(found) and not found.found.grown:
        raise click.UsageError("--write needs the results of --all, or of --only people.")
    _files(found, asked)
    if asked["as_json"]:
        click.echo(found.text(), nl=False)
    else:
        show(_console(), found)
    if found.found.wrong or (asked["strict"] and found.over):
        sys.exit(REFUSED)


_WIDE = 160
"""Characters of a line, where nobody's terminal says how many there are."""
_NARROW = 110
"""Characters of a line that the tables need. A narrower terminal gets a paragraph for each row."""
_FOREIGN = "This loads the house at URL heavily. If it is yours, say so with --yes."


def _chosen(asked: Mapping[str, Any]) -> list[str]:
    """List the parts that are asked for; none for an open loop alone."""
    if asked["everything"]:
        return [part.name for part in parts.PARTS]
    try:
        found = parts.parts_of(asked["only"])
    except KeyError as error:
        raise click.UsageError(
            f"There is no figure {error.args[0]} here; `cloche load --list` names them."
        ) from None
    found += parts.BESIDE if asked["beside"] else ()
    sizes = {
        "grown": ("grown", findings.PEOPLE),
        "listeners": ("listeners",),
        "long": ("long",),
        "slow": ("slow",),
    }
    found += [name for size, names in sizes.items() if asked[size] is not None for name in names]
    return list(dict.fromkeys(found))


def _beside_a_loop(asked: Mapping[str, Any]) -> bool:
    """Tell whether the open loop runs in the same minutes as the parts that are asked for."""
    alone = asked["everything"] or asked["only"]
    return not alone and (asked["beside"] or asked["grown"] is not None)


def _sizes(asked: Mapping[str, Any]) -> Sizes:
    """Collect the sizes that are asked for."""
    slow = asked["slow"] or WHOLE.slow[0]
    many = max(1, slow * WHOLE.slow[1] // WHOLE.slow[0])
    return replace(
        WHOLE,
        mix=_mix(asked["modes"]),
        matches=asked["matches"],
        pace=asked["pace"],
        seconds=asked["seconds"],
        follow=tuple(dict.fromkeys(asked["follow"])) or WHOLE.follow,
        drivers=asked["drivers"],
        players=asked["players"],
        processes=asked["processes"],
        turns=asked["turns"],
        meals=max(1, asked["turns"] * WHOLE.meals // WHOLE.turns),
        listeners=asked["listeners"] or WHOLE.listeners,
        entries=asked["long"] or WHOLE.entries,
        grown=asked["grown"] or WHOLE.grown,
        few=min(WHOLE.few, max(1, (asked["grown"] or WHOLE.grown) // 2)),
        people=min(WHOLE.people, asked["turns"]),
        filled=(asked["grown"] or 0) if _beside_a_loop(asked) else 0,
        slow=(slow, many),
        boardgame=BOARDGAME,
        seed=asked["seed"],
    )


def _mix(modes: Sequence[str]) -> dict[str, int]:
    """Read the modes with their shares: `flip=3` has three times the matches of `chef`."""
    found = {}
    for text in modes or ("flip",):
        name, _, share = text.partition("=")
        if name not in games.names():
            raise click.UsageError(f"There is no mode {name}; there are {', '.join(games.names())}.")
        if share and (not share.isdecimal() or not int(share)):
            raise click.UsageError(f"The share of {name} must be a whole number from 1.")
        found[name] = int(share or 1)
    return found


def _list() -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("Figure", "What is measured"):
        table.add_column(heading)
    for part in parts.PARTS:
        for name in part.figures:
            table.add_row(name, part.what)
    Console().print(table)


def _read(path: Path) -> LoadResults:
    try:
        return findings.read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableInput("unreadable", f"{path}: {error}.") from None


def _measured(url: str | None, chosen: Sequence[str], loop: bool, sizes: Sizes) -> LoadResults:
    """Measure parts, an open loop or both, in a folder that is thrown away at the end."""
    this = machine.describe()
    with (
        ended_well(),
        tempfile.TemporaryDirectory(prefix="cloche-load-", ignore_cleanup_errors=True) as folder,
        progress() as tick,
    ):
        try:
            here = replace(sizes, folder=Path(folder), tick=tick)
            found = parts.run(chosen, here)
            if loop:
                found += loops.as_asked(here, url)
                if url is None and "turns" not in chosen:
                    found += beside.statements(here)
        except NoServer as missing:
            raise CommandError("no_server", str(missing)) from None
        except (NotOpen, ProcessEnded, RequestRefused, EntriesMissing, loops.NothingMoved) as fault:
            raise CommandError("load_failed", str(fault)) from None
        except httpx.HTTPError as fault:
            raise CommandError("load_failed", f"The house does not answer: {fault}.") from None
    return findings.today(this, found)


def _in_full(found: LoadResults) -> bool:
    """Tell whether every figure is there that can be measured without boardgame.io and PostgreSQL."""
    elsewhere = {"turn_boardgame", "turn_postgresql", "processes", findings.PEOPLE}
    return {*parts.FIGURES} - elsewhere <= found.figures.keys()


def _files(found: LoadResults, asked: Mapping[str, Any]) -> None:
    """Write the files that are asked for."""
    texts: dict[Path, str] = {}
    try:
        if asked["out"] is not None:
            texts[asked["out"]] = found.text()
        if asked["picture"] is not None:
            texts[asked["picture"]] = report.picture(found)
        if asked["write"]:
            house, people = found.parted()
            if _in_full(found):
                texts[DOCS / report.DATA] = house.text()
                texts[DOCS / report.PICTURE] = report.picture(house)
            if people.found.grown:
                texts[DOCS / report.PEOPLE] = people.text()
        _write(texts)
        if asked["write"]:
            bench = results.read((DOCS / BENCH).read_text(encoding="utf-8"))
            _write({DOCS / PAGE: page(bench, report.published(DOCS), browser.published(DOCS))})
    except OSError as error:
        raise CommandError("cant_write", f"{error.filename}: {error.strerror}.") from None


def _write(texts: Mapping[Path, str]) -> None:
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")
        click.echo(f"{path}: {path.stat().st_size} bytes.", err=True)


def _console() -> Console:
    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        console.width = max(console.width, _WIDE)
    return console


def show(console: Console, found: LoadResults) -> None:
    """Print results: as tables, or as paragraphs where the console is too narrow for them."""
    if found.found.rows:
        _print_loads(console, found.found)
        console.print()
    _print_figures(console, found)
    for text in found.found.lacking:
        console.print(f"[bold]Not measured[/]: {text}")
    for finding in found.over:
        words = f"{finding.name}: {report.value(finding)}, the goal is {report.goal(finding)}."
        console.print(f"[bold red]Misses its goal[/]: {words}")
    for text in found.found.wrong:
        console.print(f"[bold red]Not right afterwards[/]: {text}")


def _print_loads(console: Console, found: PartResults) -> None:
    headings = ("Load", "Moves/s", "Planned", "p50 ms", "p99 ms", "Refused", "Errors", "CPU ms/move")
    rows = [
        (
            one.what,
            number(one.throughput),
            number(one.planned) if one.planned else "full speed",
            report.optional(one.p50),
            report.optional(one.p99),
            str(one.refused),
            report.errors(one) or "0",
            report.processes(one),
        )
        for one in found.rows
    ]
    if console.width < _NARROW:
        for what, *cells in rows:
            told = zip(headings[1:], cells, strict=True)
            _paragraph(console, what, ", ".join(f"{heading} {cell}" for heading, cell in told))
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        left = heading == "Load"
        table.add_column(heading, justify="left" if left else "right", no_wrap=not left, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console.print(table)


def _print_figures(console: Console, found: LoadResults) -> None:
    rows = []
    for finding in found.found.findings:
        used = ", ".join(f"{name} {number(amount)}" for name, amount in finding.parts.items())
        rows.append((finding.name, report.value(finding), report.goal(finding), used))
    if console.width < _NARROW:
        for name, value, goal, used in rows:
            _paragraph(console, f"{name} {value}, the goal is {goal}", used)
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("Figure", "Value", "Goal", "From"):
        left = heading in ("Figure", "From")
        justify: Literal["left", "right"] = "left" if left else "right"
        table.add_column(heading, justify=justify, no_wrap=heading != "From", overflow="fold")
    for cells in rows:
        table.add_row(*cells)
    console.print(table)


def _paragraph(console: Console, head: str, text: str) -> None:
    """Print a line in bold, and below it a text that is indented and wrapped."""
    console.print(Text(head, style="bold"), soft_wrap=False)
    console.print(Padding(Text(text), (0, 0, 0, 2)), soft_wrap=False)
