"""Reports of a load for people: a picture, and a section of docs/performance.md."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.chart import Bar, Words, draw
from benchmarks.load.findings import LoadFinding, LoadResults, LoadRow, read
from benchmarks.page import measured_on, number

TITLES = {
    "turn_sqlite": ("A turn on SQLite", "the least it can cost"),
    "turn_postgresql": ("A turn on PostgreSQL", "the least it can cost"),
    "turn_sealed": ("A sealed turn", "the least it can cost, with one proof"),
    "turn_http": ("A turn over HTTP", "the bound under the same server"),
    "turn_boardgame": ("A turn over HTTP", "a move of boardgame.io"),
    "statements_post": ("Statements of a message", "their goal"),
    "statements_read": ("Statements of a follower's read", "their goal"),
    "open_loop_p99_ms": ("The slowest hundredth of the moves", "200 ms from the planned moment"),
    "overload_share": ("Throughput beyond the capacity", "the best throughput"),
    "processes": ("A turn with four processes", "one process"),
    "listener_kib": ("Memory of a listener", "64 KiB"),
    "long_game": ("The last turn of a long game", "a turn of a young one"),
    "grown": ("A turn in a full house", "a turn in an empty one"),
    "people": ("What grows most among players", "its cost with few of them"),
    "slow_ms": ("A seal beside half-open connections", "a second"),
    "start": ("The start of a house", "its libraries and one answer"),
    "commands_s": ("The start of a command", "python -c pass"),
}
"""The name of each figure in the picture, and the thing that it is held against."""
MOST = 1.45
"""The longest bar, in multiples of its goal."""

DATA, PEOPLE, PICTURE = "load.json", "people.json", "pictures/load.svg"
"""The files in docs/ with the published figures, with those of players among each other, and the picture."""

HEAD = """## What a house bears

These figures are about the whole house under load. A *turn* is an accepted message and the reads of both
followers; its *bound* is the least that it can cost. The bound checks the same token and signature, signs
an entry and a receipt, writes submission, entry and game in one durable transaction, and answers two reads.
It has no rules, feed, webhooks, figures or log. Chef's verifies one proof besides. `turn_...` are ratios of
medians, of processor time, in one run. An open loop plans its moves at a pace, whatever the house does; a
move's time runs from its planned moment until every follower has it. Drivers run in processes of their own
and sign each message before its moment.

![Each figure as a bar against its goal](pictures/load.svg)

`cloche load` opens a house, plays an open loop against it, and ends it. `cloche load --all --write` measures
everything below and writes this section, its picture and [its figures](load.json), in 15 to 25 minutes.
`cloche load --list` names the figures, and `--only NAME` measures one. boardgame.io takes part where Node is
installed, after `npm install` in benchmarks/boardgame; PostgreSQL where a server answers.
"""

CROWD = """## A house of many players

What players and moderators look at and do among each other, in a house whose database is full, against the
same in a small one. Both houses are on SQLite, and answer in this process; the numbers are medians of
processor time. A page of a list has as many lines in both. Nothing may cost more than twice as much in the
full house. A test reads the plans of all these statements besides, on both databases: none reads a whole
table that grows.

`cloche load --only people --write` measures it and writes this section and [its figures](people.json), in
about five minutes. `--grown N` lets N players in.
"""

GROWN = """| | few, ms | many, ms | many against few |
|---|--:|--:|--:|
"""

CAUSES = {
    "turn_http": """a follower that polls sends a request for each move, and a request that waits passes the
  application twice: it finds nothing, and later it answers. Events cost neither.""",
    "turn_boardgame": """a turn here checks a signature and makes two; boardgame.io's has none. Nearly all of
  the rest is the way of a request through server, framework and log.""",
    "open_loop_p99_ms": """the slowest of four loads counts. Where a polled turn costs more than the pace
  leaves of one processor, turns wait in line; the table of loads shows both. The last hundredth of 200
  matches by events waits for a reason that has not been found.""",
    "processes": """runs of the same program gave 1.11 and 1.25. On two cores four processes, the driver
  and PostgreSQL take turns, so a process wakes more often for the same work.""",
    "start": """a house imports its endpoints, tables and games beside those libraries, about 0.8 s. The
  first start in an empty folder runs all migrations one after another, 0.2 s, and each start checks the card
  set against its schema, 0.2 s.""",
    "commands_s": """a list of the modes imports every game and its bots. The goal is in seconds, so a slower
  machine is further from it.""",
}
"""The cause why each figure can miss its goal, as far as it is known."""

TABLE = """| figure | value | goal | | what |
|---|--:|--:|---|---|
"""
LOADS = """Every load, with milliseconds from the planned moment until every follower had the move (p50, p99)
and processor time a move by process of the server:

| load | moves a second | planned | p50 | p99 | refused | errors | processor ms a move |
|---|--:|--:|--:|--:|--:|--:|---|
"""


def published(docs: Path) -> str:
    """Write the section about the load whose figures are in a folder of documents; empty if there are none.

    Raises ValueError for figures that can't be read.
    """
    found = (
        (docs / name, writer) for name, writer in ((DATA, section), (PEOPLE, crowd)) if (docs / name).exists()
    )
    return "\n".join(writer(read(file.read_text(encoding="utf-8"))) for file, writer in found)


def goal(finding: LoadFinding) -> str:
    """Return the goal of a figure in words; empty where there is none."""
    if finding.goal is None:
        return ""
    return f"{'at least' if finding.at_least else 'at most'} {finding.goal:g}"


def value(finding: LoadFinding) -> str:
    """Return the value of a figure, with its unit unless it is a ratio."""
    unit = "" if finding.unit == "ratio" else f" {finding.unit}"
    text = f"{finding.value:,.0f}" if finding.unit == "statements" else number(finding.value)
    return text + unit


def errors(row: LoadRow) -> str:
    """List what went wrong in a load, by name; empty if nothing did."""
    return ", ".join(f"{name} {count}" for name, count in sorted(row.faults.items()))


def processes(row: LoadRow) -> str:
    """Return the processor time of a move by process; processes that did nothing are left out."""
    used = [cost for cost in row.cpu.values() if cost >= 0.05]
    return " + ".join(f"{cost:.1f}" for cost in used)


def optional(amount: float | None) -> str:
    """Return a number of milliseconds as text; empty for none."""
    return "" if amount is None else number(amount)


def section(results: LoadResults) -> str:
    """Write the section of the page, as Markdown. The same results always give the same text."""
    found = results.found
    rows = "".join(_table_row(finding) for finding in found.findings)
    parts = [HEAD, _verdict(results), TABLE + rows]
    if found.rows:
        parts.append(LOADS + "".join(map(_load, found.rows)))
    if found.lacking:
        parts.append("Not measured in this run:\n\n" + _listed(found.lacking))
    if found.wrong:
        parts.append("**Not right afterwards:**\n\n" + _listed(found.wrong))
    parts.append(measured_on(results.machine, results.date))
    return "\n".join(parts)


def crowd(results: LoadResults) -> str:
    """Write the section about what players do among each other, as Markdown."""
    found = sorted(results.found.grown, key=lambda each: -each.ratio)
    [finding] = results.found.findings
    over = [each.name for each in found if finding.goal is not None and each.ratio > finding.goal]
    verdict = f"In this run {len(found) - len(over)} of {len(found)} lists and operations keep to that"
    verdict += f"; **not: {', '.join(over)}**.\n" if over else ".\n"
    rows = "".join(
        f"| {each.name} | {each.small:.2f} | {each.full:.2f} | {each.ratio:.2f} |\n" for each in found
    )
    what = f"The most: {finding.what}\n"
    return "\n".join([CROWD, verdict, what, GROWN + rows, measured_on(results.machine, results.date)])


def _listed(items: Iterable[str]) -> str:
    return "".join(f"- {item}\n" for item in items)


def _verdict(results: LoadResults) -> str:
    bound = sum(finding.goal is not None for finding in results.found.findings)
    if not results.over:
        return f"In this run all {bound} figures that have a goal reach it.\n"
    names = ", ".join(f"`{finding.name}`" for finding in results.over)
    causes = [f"`{each.name}`: {CAUSES[each.name]}" for each in results.over if each.name in CAUSES]
    return (
        f"In this run {bound - len(results.over)} of {bound} figures reach their goals; **not: {names}**."
        f"{' The causes:' if causes else ''}\n\n{_listed(causes)}"
    )


def _table_row(finding: LoadFinding) -> str:
    verdict = {None: "", True: "within", False: "**over**"}[finding.within]
    parts = "; ".join(f"{name} {number(amount)}" for name, amount in finding.parts.items())
    cells = (f"`{finding.name}`", f"**{value(finding)}**", goal(finding), verdict, f"{finding.what} {parts}")
    return f"| {' | '.join(cells)} |\n"


def _load(row: LoadRow) -> str:
    planned = number(row.planned) if row.planned else "full speed"
    cells = (
        row.what,
        number(row.throughput),
        planned,
        optional(row.p50),
        optional(row.p99),
        str(row.refused),
        errors(row),
        processes(row),
    )
    return f"| {' | '.join(cells)} |\n"


def picture(results: LoadResults) -> str:
    """Draw all figures that have a goal, as SVG."""
    machine = results.machine
    words = Words(
        "What a house bears, each figure against its goal",
        "What a house bears",
        "Each bar is a figure, drawn against its goal: shorter is better.",
        "goal",
        f"{machine.processor}, {machine.cores} cores, {results.date}.",
    )
    return draw(words, [_bar(one, one.goal) for one in results.found.findings if one.goal is not None])


def _bar(finding: LoadFinding, aim: float) -> Bar:
    title, against = TITLES[finding.name]
    share = _share(finding, aim)
    return Bar(title, against, (share, share, share), value(finding), goal(finding), bool(finding.within))


def _share(finding: LoadFinding, aim: float) -> float:
    """Compute how much of its goal `aim` a figure takes: 1 just reaches it, more misses it."""
    if finding.at_least:
        return aim / finding.value if finding.value else MOST
    if aim:
        return finding.value / aim
    return MOST if finding.value else 0.0
