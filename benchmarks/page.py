"""Write docs/performance.md from the results of one run: the same results always give the same page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.figures import FIGURES
from benchmarks.machine import Machine
from benchmarks.measure import PUBLISHED, Figure, Measured
from benchmarks.peers import PEERS
from benchmarks.results import Results

_HEAD = """# Performance

<!-- Written by `make bench` from performance.json: change benchmarks/, not this page. -->

This page says what proofs cost, as ratios. Each piece of work is measured against a yardstick, side by side
in one run. The yardstick is mostly one raw multi-scalar product by py_arkworks_bls12381. It has as many terms
as the proof's equations have different points. No verifier of such equations can do without that product.
Milliseconds are given as context; they belong to one machine on one day. The last figures are about the deck
builder: they compare its general code with code written for one case. The [glossary](glossary.md) explains
proof, certificate, match deck, seal and other words of this house.

![Each ratio as a bar against its bound](pictures/performance.svg)

`make bench` measures all of it again and writes this page, its picture and [its figures](performance.json),
which takes some minutes. `cloche bench --only NAME` measures one figure, and `cloche bench --list` names them
all. With `--strict` the exit code is 1 if a figure is over its bound.
"""

_METHOD = """## How it is measured

- **Side by side.** A figure is measured in alternations A B, B A, A B, ...; each gives one ratio A : B.
  The median is the figure, and the quartiles stand beside it. A figure has at least {least} alternations,
  after one that does not count. A machine that is slow or busy slows both sides.
- **No proof twice.** Every alternation has new proofs, made by another process than the one that verifies
  them. So no proof is ever verified twice, and its own points are decoded and checked while the clock runs.
  Points that a house would know from earlier in the same match are known here too; the figure says so.
- **The yardstick** is the library's own call, on points and scalars already in the library's own form,
  with new random scalars of full size. Its terms are the different points in the equations: those of the one
  sum where many proofs are verified together, and those of all products where there are several.
- **The clock** measures elapsed time. The last column has the same ratio by the processor time of the
  process. Other work on the machine disturbs that less, and it adds up the time of all threads.
- **The garbage collector** runs before each piece of work, and stays on.
"""

_PEERS = """## Beside what others have published

These figures come from other machines, other groups and other statements. They only show whether the order
of magnitude is right.

| who | what | source |
|---|---|---|
"""


def page(results: Results, load: str = "", browser: str = "") -> str:
    """Write the page, as Markdown. Figures that were not measured, or are no longer known, are left out.

    `load` is the section about load, which `benchmarks.load.report` writes, and `browser` that about the page
    in a browser, which `benchmarks.browser` writes; each is empty for none.
    """
    measured = {figure.name: figure for figure in results.figures}
    both = [(figure, measured[figure.name]) for figure in FIGURES if figure.name in measured]
    parts = [
        _HEAD,
        _verdict(both),
        _table(both),
        _sizes(results),
        _METHOD.format(least=PUBLISHED),
        _each(both),
        *_rates(results),
        *([load] if load else []),
        *([browser] if browser else []),
        "## The machine\n\n" + measured_on(results.machine, results.date),
        _PEERS + "".join(f"| {peer.who} | {peer.what} | {peer.source} |\n" for peer in PEERS),
    ]
    return "\n".join(parts)


def number(value: float) -> str:
    """A ratio or milliseconds, with three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _verdict(both: Sequence[tuple[Figure, Measured]]) -> str:
    over = [figure.name for figure, found in both if found.within is False]
    bound = sum(found.bound is not None for _, found in both)
    if not over:
        return f"In this run all {bound} ratios that have a bound keep it.\n"
    names = ", ".join(f"`{name}`" for name in over)
    return f"In this run {bound - len(over)} of {bound} ratios keep their bound; **over it: {names}**.\n"


def _table(both: Iterable[tuple[Figure, Measured]]) -> str:
    rows = [
        "| figure | ratio | quartiles | bound | | terms | proof bytes | A | B | by processor |\n"
        "|---|--:|--:|--:|---|--:|--:|--:|--:|--:|\n"
    ]
    for figure, found in both:
        ratio = found.ratio
        cells = (
            f"`{figure.name}`",
            f"**{number(ratio.median)}**",
            f"{number(ratio.lower)} to {number(ratio.upper)}",
            "" if found.bound is None else f"{found.bound:g}",
            {None: "", True: "within", False: "**over**"}[found.within],
            _whole(found.terms),
            _whole(found.proof_bytes),
            f"{number(found.a_ms.median)} ms",
            f"{number(found.b_ms.median)} ms",
            number(found.cpu_ratio.median),
        )
        rows.append(f"| {' | '.join(cells)} |\n")
    return "".join(rows)


def _whole(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _sizes(results: Results) -> str:
    names = {
        "meal_proof": "the proof of a meal of 24 cards and three courses",
        "deck_proof": "the proof of a match deck",
        "deck_code": "a starter deck as a deck code",
        "record": "the whole record file of a match of ten rounds, with two decks and twenty meals",
    }
    known = [
        f"- {words}: {results.sizes[name]:,} bytes" for name, words in names.items() if name in results.sizes
    ]
    return "Sizes:\n\n" + "\n".join(known) + "\n" if known else ""


def _each(both: Iterable[tuple[Figure, Measured]]) -> str:
    parts = []
    for figure, found in both:
        decoded = "" if found.decoded is None else f" A decodes {found.decoded:,} new points."
        parts.append(
            f"**`{figure.name}`**, {found.alternations} alternations. A: {figure.a}. B: {figure.b}. "
            f"{figure.how}{decoded}\n"
        )
    return "\n".join(parts)


_RATES = """## How fast the games are

These figures are random games and decisions a second, for every mode, on one core and in one thread. Other
libraries are measured on the same machine in the same minutes. A decision is a legal choice drawn at random
and played, with all that chance and rules do until the next. Our games go through the contract of a mode, in
Python, as a house plays them. OpenSpiel's games are C++ called from Python, RLCard's are Python. Their
cribbage and hearts differ from ours in details of the rules. Seconds are processor seconds; all games take
turns, half a second each. `cribbage_show` scores 100,000 random hands. `cribbage_show_all` makes and scores
all 12,994,800 hands with their starters, once.

| figure | what | seats | a second | quartiles | at least | |
|---|---|--:|--:|--:|--:|---|
"""


def _rates(results: Results) -> Iterable[str]:
    if not results.rates:
        return
    rows = []
    for rate in results.rates:
        found = rate.per_second
        cells = (
            f"`{rate.name}`",
            rate.who,
            "" if rate.seats is None else str(rate.seats),
            f"**{number(found.median)}** {rate.unit}",
            f"{number(found.lower)} to {number(found.upper)}" if rate.slices > 1 else "",
            "" if rate.least is None else number(rate.least),
            {None: "", True: "within", False: "**below**"}[rate.within],
        )
        rows.append(f"| {' | '.join(cells)} |\n")
    yield _RATES + "".join(rows)
    if results.lacking:
        yield f"Not installed, so not measured: {', '.join(results.lacking)}.\n"


def measured_on(machine: Machine, date: str) -> str:
    """Say on which machine and day a run was, in one line."""
    libraries = ", ".join(f"{name} {version}" for name, version in sorted(machine.libraries.items()))
    return (
        f"Measured on {date}: {machine.processor}, {machine.cores} cores; {machine.system};"
        f" {machine.python}; {libraries}. In the minute before, {machine.load:.1f} processes on average"
        " were running or ready to run.\n"
    )
