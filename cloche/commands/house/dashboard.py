"""`cloche admin watch`: the figures of the house on a terminal, drawn anew every few seconds."""

from __future__ import annotations

import select
import sys
from pathlib import Path

import click
from prompt_toolkit.input import create_input
from prompt_toolkit.keys import Keys
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from cloche.commands.errors import plain
from cloche.commands.house import options
from cloche.commands.house.opened import opened
from cloche.commands.words import number
from cloche.table.look import Look, console_of, grid, look_of, rule
from crypto.encoding import timestamp
from service.operations import acts, overview
from service.operations.acts import ListedAct
from service.operations.health import Health
from service.operations.overview import Overview, SeenGame
from service.runtime import Runtime

FRAME = 15
"""The lines of the screen beside the games and the acts."""
ACTS = 3
_ENDS = {"q", "Q", Keys.ControlC, Keys.ControlD}


@click.command()
@click.option("--every", type=click.FloatRange(0.2, 3600), default=2.0, show_default=True, help="Seconds.")
@click.option("--once", is_flag=True, help="Print the figures once, and end.")
@options.data_option
def watch(every: float, once: bool, data: Path | None) -> None:
    """Watch the house: players, games, tables, reports, and whether workers keep up. Press q to end."""
    with opened(data) as house:
        console, look = console_of(), look_of(sys.stdout)
        if once or not (sys.stdin.isatty() and console.is_terminal):
            console.print(picture(house, console, look))
        else:
            _watch(house, console, look, every)


def _watch(house: Runtime, console: Console, look: Look, every: float) -> None:
    keys = create_input()
    with keys.raw_mode(), Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            live.update(picture(house, console, look), refresh=True)
            select.select([keys.fileno()], [], [], every)
            if keys.closed or any(press.key in _ENDS for press in keys.read_keys()):
                return


def picture(house: Runtime, console: Console, look: Look) -> RenderableType:
    """The figures as they are now, in no more lines than the screen has."""
    found = overview.overview(house)
    room = max(1, console.height - FRAME - ACTS)
    with house.read() as session:
        games = overview.games(session, room)
        done = acts.newest(session, limit=ACTS)
    return Group(
        *_figures(found, look, console.width),
        *_games(found, games, look, console.width),
        *_acts(done, look, console.width),
    )


def _figures(found: Overview, look: Look, width: int) -> list[RenderableType]:
    health = found.health
    running = ", ".join(f"{mode} {count}" for mode, count in sorted(health.running.items())) or "none"
    barred = (
        ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in sorted(health.sanctions.items())) or "none"
    )
    oldest = f", the oldest for {_span(health.report_ms)}" if sum(health.reports.values()) else ""
    late = f"{health.overdue} overdue, for {_span(health.overdue_ms)}" if health.overdue else "keep up"
    wake_ups = "the broker does not answer" if found.wake_ups is None else number(found.wake_ups, "wake-up")
    table = grid("nw")
    for name, text in (
        ("Players", f"{found.players}, of whom {found.newcomers} came within a day"),
        ("Sanctions", barred),
        ("Games", running),
        ("Tables", f"{health.open_tables} open"),
        ("Queue", _queue(health)),
        ("Tournaments", f"{found.tournaments['open']} open, {found.tournaments['running']} running"),
        ("Market", f"{number(found.offers, 'open offer')}, {number(found.boosters, 'closed booster')}"),
        ("Reports", f"{health.reports['open']} open, {health.reports['taken']} taken{oldest}"),
        ("Workers", f"{late}; {wake_ups} waiting"),
    ):
        table.add_row(Text(name, style="bold"), Text(text))
    return [rule(look, width, f"The house at {timestamp(found.now)[11:19]} UTC"), table]


def _queue(health: Health) -> str:
    """The players who wait, by mode, and the longest wait."""
    if not health.queue:
        return "nobody waits"
    players = ", ".join(f"{mode} {waiting.count}" for mode, waiting in sorted(health.queue.items()))
    longest = max(waiting.oldest_ms for waiting in health.queue.values())
    return f"{players}, the longest for {_span(longest)}" if longest else players


def _games(found: Overview, games: list[SeenGame], look: Look, width: int) -> list[RenderableType]:
    table = grid("nnrw")
    for game in games:
        due = "-" if game.due_at is None else _due(game.due_at - found.now)
        table.add_row(game.id[:8], game.mode, due, Text(plain(", ".join(game.names)), no_wrap=True))
    return [
        rule(look, width, "Games, the next one due first"),
        table if games else Text("No game is running."),
    ]


def _acts(done: list[ListedAct], look: Look, width: int) -> list[RenderableType]:
    table = grid("nnw")
    for listed in done:
        act = listed.act
        upon = f"{act.kind.replace('_', ' ')}: {listed.about or act.subject_id}"
        table.add_row(
            timestamp(act.at)[5:16].replace("T", " "),
            plain(listed.by or "-"),
            Text(plain(upon), no_wrap=True),
        )
    return [rule(look, width, "Newest acts"), table if done else Text("Nobody has acted yet.")]


def _due(ms: int) -> str:
    return f"in {_span(ms)}" if ms >= 0 else f"{_span(-ms)} ago"


def _span(ms: int) -> str:
    """A time in its largest unit, such as 3 h."""
    seconds = ms // 1000
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
