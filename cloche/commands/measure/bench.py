"""`cloche bench`: what the proofs cost, as ratios measured side by side, and how fast the games are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from benchmarks import browser, machine, measure, playouts, rates, results
from benchmarks.chart import chart
from benchmarks.figures import FIGURES
from benchmarks.load.report import published
from benchmarks.measure import PUBLISHED, Figure, Measured, WorkFailed
from benchmarks.page import number, page
from benchmarks.rates import Rate
from benchmarks.results import Results
from cloche.commands.errors import REFUSED, CommandError, UnreadableInput
from crypto.group import use

DOCS = Path(results.__file__).parents[1] / "docs"
PAGE, PICTURE, DATA = "performance.md", "pictures/performance.svg", "performance.json"
_IN_FULL = f"--write needs all figures and at least {PUBLISHED} alternations."
NAMES = [figure.name for figure in FIGURES]


@click.command()
@click.option(
    "--only", "only", multiple=True, metavar="FIGURE", help="Measure only this figure or rate; repeatable."
)
@click.option("--list", "listing", is_flag=True, help="List the figures, and measure nothing.")
@click.option(
    "--alternations",
    type=click.IntRange(1),
    default=PUBLISHED,
    show_default=True,
    help=f"The number of times that A and B are measured side by side; --write needs at least {PUBLISHED}.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results into this file, as JSON.",
)
@click.option("--write", is_flag=True, help=f"Write docs/{PAGE} and its picture, from a run of all figures.")
@click.option(
    "--from",
    "given",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Measure nothing, and read the results from this file.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 if a figure is over its bound, or a rate is below.")
@click.option(
    "--page", "in_browser", is_flag=True, help="Measure the built page in Chromium, and nothing else."
)
def bench(
    only: tuple[str, ...],
    listing: bool,
    in_browser: bool,
    alternations: int,
    as_json: bool,
    out: Path | None,
    write: bool,
    given: Path | None,
    strict: bool,
) -> None:
    """Measure what the proofs cost beside the bare curve arithmetic in them.

    Every figure is the median of ratios, measured side by side: A B, B A, A B, ... Then come the
    random games per second of every mode, beside other libraries if they are installed.
    """
    if listing:
        _list()
        return
    if in_browser:
        if only or given is not None:
            raise click.UsageError("--page goes with --write, --json, --out and --strict alone.")
        from cloche.commands.measure import in_browser as measured  # imported late: it needs the service

        measured.run(DOCS, write, as_json, out, strict)
        return
    if write and given is None and (only or alternations < PUBLISHED):
        raise click.UsageError(_IN_FULL)
    found = _measure(only, alternations) if given is None else _read(given)
    if write and not found.in_full:
        raise click.UsageError(_IN_FULL)
    try:
        if out is not None:
            out.write_text(found.text(), encoding="utf-8")
        if write:
            _write(found)
    except OSError as error:
        raise CommandError("cant_write", f"{error.filename}: {error.strerror}.") from None
    if as_json:
        click.echo(found.text(), nl=False)
    else:
        _print(found)
    if strict and (found.over or found.slow):
        sys.exit(REFUSED)


def _list() -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("Figure", "A", "B", "Bound"):
        table.add_column(heading)
    for figure in FIGURES:
        bound = "" if figure.bound is None else f"{figure.bound:g}"
        table.add_row(figure.name, figure.a, figure.b, bound)
    for name in rates.names():
        least = rates.LEAST.get(name)
        table.add_row(name, "a second", "", "" if least is None else f"{least:,.0f} or more")
    Console().print(table)


def _read(path: Path) -> Results:
    try:
        return results.read(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableInput("unreadable", f"{path}: {error}.") from None


def _measure(only: Sequence[str], alternations: int) -> Results:
    """The figures and rates of `only`, or all."""
    if unknown := [name for name in only if name not in (*NAMES, *rates.names())]:
        raise click.UsageError(f"There is no figure {unknown[0]} here; `cloche bench --list` names them.")
    this = machine.describe()
    chosen = [figure for figure in FIGURES if not only or figure.name in only]
    found = _ratios(chosen, alternations) if chosen else []
    fast = [name for name in only or rates.names() if name not in NAMES]
    return results.today(this, found, _rates(fast, alternations) if fast else (), playouts.others()[1])


def _ratios(chosen: Sequence[Figure], alternations: int) -> list[Measured]:
    """Measure on the fast engine, whatever the settings say. Raises `EngineError` if it is missing."""
    found = []
    total = sum(measure.times_of(figure, alternations) for figure in chosen)
    with use("arkworks"), _progress(total) as (begin, told):
        for figure in chosen:
            begin(figure.name)
            try:
                found.append(measure.run(figure, alternations, told))
            except WorkFailed as fault:
                raise CommandError("work_failed", f"{figure.name}: {fault}.") from None
    return found


def _rates(names: Sequence[str], times: int) -> list[Rate]:
    """Measure rates of random games, a slice of each in turn."""
    players = {name.partition("_")[2] for name in names if not name.startswith("cribbage_show")}
    total = times * len(players) + len(names) - len([n for n in names if not n.startswith("cribbage_show")])
    heard = set[str]()
    with _progress(total) as (begin, told):

        def slice_begun(name: str) -> None:
            if name not in heard:
                begin(name)
                heard.add(name)
            told()

        try:
            return rates.measure(times, names, slice_begun)
        except WorkFailed as fault:
            raise CommandError("work_failed", f"{fault}.") from None


@contextmanager
def _progress(total: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """A progress bar on a terminal; elsewhere a line for each figure that begins."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("Measuring", total=total)

        def begin(name: str) -> None:
            progress.update(task, description=name)
            if not console.is_terminal:
                click.echo(name, err=True)

        yield begin, lambda: progress.advance(task)


def _write(found: Results) -> None:
    """The page, its picture and its figures."""
    for name, text in (
        (PAGE, page(found, published(DOCS), browser.published(DOCS))),
        (PICTURE, chart(found)),
        (DATA, found.text()),
    ):
        path = DOCS / name
        path.write_text(text, encoding="utf-8")
        click.echo(f"docs/{name}: {path.stat().st_size} bytes.", err=True)


def _print(found: Results) -> None:
    console = Console(highlight=False, soft_wrap=True)
    if found.figures:
        _print_ratios(console, found)
    if found.rates:
        _print_rates(console, found)


def _print_rates(console: Console, found: Results) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("Rate", "A second", "Quartiles", "At least"):
        table.add_column(heading, justify="left" if heading == "Rate" else "right", no_wrap=True)
    for rate in found.rates:
        spread = rate.per_second
        least = "" if rate.least is None else number(rate.least)
        below = " [bold red]below[/]" if rate.within is False else ""
        quartiles = f"{number(spread.lower)}-{number(spread.upper)}"
        table.add_row(rate.name, number(spread.median), quartiles, least + below)
    console.print(table)
    for rate in found.slow:
        words = (
            f"{rate.name}: {number(rate.per_second.median)}, allowed is {number(rate.least or 0)} or more."
        )
        console.print(f"[bold red]Too slow[/]: {words}")
    if found.lacking:
        console.print(f"Not compared, because not installed: {', '.join(found.lacking)}.")


def _print_ratios(console: Console, found: Results) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in ("Figure", "Ratio", "Quartiles", "Bound", "Terms", "Proof B", "A ms", "B ms"):
        table.add_column(heading, justify="left" if heading in ("Figure", "Bound") else "right", no_wrap=True)
    for figure in found.figures:
        table.add_row(*_row(figure))
    console.print(table)
    times = sorted({figure.alternations for figure in found.figures}, reverse=True)
    described = found.machine
    console.print(
        f"Medians of {' or '.join(map(str, times))} alternations; {described.processor}, "
        f"{described.cores} cores, load {described.load:.1f}; {described.python}"
    )
    for name, size in found.sizes.items():
        console.print(f"{name.replace('_', ' ').capitalize()}: {size:,} bytes")
    for figure in found.over:
        words = f"{figure.name}: {number(figure.ratio.median)}, allowed is {figure.bound:g} or less."
        console.print(f"[bold red]Over its bound[/]: {words}")


def _row(figure: Measured) -> tuple[str, ...]:
    ratio = figure.ratio
    bound = "" if figure.bound is None else f"{figure.bound:g}"
    return (
        figure.name,
        number(ratio.median),
        f"{number(ratio.lower)}-{number(ratio.upper)}",
        f"{bound} [bold red]over[/]" if figure.within is False else bound,
        "" if figure.terms is None else str(figure.terms),
        "" if figure.proof_bytes is None else str(figure.proof_bytes),
        number(figure.a_ms.median),
        number(figure.b_ms.median),
    )
