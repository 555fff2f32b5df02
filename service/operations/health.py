"""The health of the house, read from its database and its broker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from service import disk
from service.models import GameRow, Table
from service.operations import pantry, queue, reports, sanctions
from service.operations.queue import WaitingPlayers
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Health:
    """Figures about the whole house. Every process reads the same."""

    running: dict[str, int]
    """Games without a result, by mode."""
    overdue: int
    """Games that are due and that no sweep has claimed."""
    overdue_ms: int
    """The time that the longest overdue of them has been due, in milliseconds."""
    oldest_due_ms: int
    """The time that the oldest due game has been due, in milliseconds, claimed by a worker or not."""
    open_tables: int
    queue: dict[str, WaitingPlayers]
    """Players who wait for an opponent, by mode."""
    reports: dict[str, int]
    """Reports without a verdict, by state."""
    report_ms: int
    """The time that the oldest of them has waited, in milliseconds."""
    chain_alarm: bool
    """True if the reader of the chain has stopped, and a person has to look."""
    sanctions: dict[str, int]
    """Players against whom a sanction stands, by its kind."""


def measure(house: Runtime, session: Session) -> Health:
    """Read the figures from the database."""
    now = house.now()
    running = select(GameRow.mode, func.count()).where(col(GameRow.ended_at).is_(None)).group_by(GameRow.mode)
    late = select(func.count(), func.min(GameRow.due_at)).where(
        col(GameRow.due_at) <= now, GameRow.claimed_until <= now
    )
    overdue, since = session.exec(late).one()
    oldest = session.exec(select(func.min(GameRow.due_at)).where(col(GameRow.due_at) <= now)).one()
    tables = session.exec(select(func.count()).select_from(Table).where(Table.state == "open")).one()
    waiting = reports.waiting(session, now)
    return Health(
        running=dict(session.exec(running).all()),
        overdue=overdue,
        overdue_ms=0 if since is None else now - since,
        oldest_due_ms=0 if oldest is None else now - oldest,
        open_tables=tables,
        queue=queue.count(session, now),
        reports={"open": waiting.open, "taken": waiting.taken},
        report_ms=waiting.oldest_ms,
        chain_alarm=pantry.alarm(session) is not None,
        sanctions=sanctions.count(session, now),
    )


class _Collected(Collector):
    """The health as gauges. Where the database or the broker does not answer, its figures are left out
    and its `up` is 0.
    """

    def __init__(self, house: Runtime) -> None:
        self._house = house

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Ask the database and the broker now."""
        try:
            with self._house.read() as session:
                found = measure(self._house, session)
        except SQLAlchemyError:
            yield _gauge("cloche_database_up", "1 if the database answers, else 0.", 0)
        else:
            yield _gauge("cloche_database_up", "1 if the database answers, else 0.", 1)
            yield from _families(found)
        yield _places(self._house)
        yield _room(self._house)
        waiting = self._house.publisher.waiting()
        yield _gauge("cloche_broker_up", "1 if the broker answers, else 0.", int(waiting is not None))
        if waiting is not None:
            yield _gauge("cloche_queue_messages", "Wake-ups that no worker has fetched yet.", waiting)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)


def _places(house: Runtime) -> GaugeMetricFamily:
    """The places of this process alone: other processes have places of their own."""
    text = "Long polls and streams that wait in the process that answers, and how many there may be."
    found = GaugeMetricFamily("cloche_places", text, labels=["of", "state"])
    for name, places in (("polls", house.notices.waiting), ("streams", house.notices.listening)):
        found.add_metric([name, "taken"], places.taken)
        found.add_metric([name, "most"], places.most)
    return found


def _room(house: Runtime) -> GaugeMetricFamily:
    text = "Bytes that are free on the disks of this machine that the house writes to."
    found = GaugeMetricFamily("cloche_disk_free_bytes", text, labels=["of"])
    for name, folder in disk.folders(house.settings).items():
        found.add_metric([name], disk.free(folder))
    return found


def _families(found: Health) -> Iterator[GaugeMetricFamily]:
    running = GaugeMetricFamily("cloche_games_running", "Games without a result.", labels=["mode"])
    for mode, count in sorted(found.running.items()):
        running.add_metric([mode], count)
    yield running
    yield _gauge("cloche_games_overdue", "Games that are due and in nobody's hands.", found.overdue)
    yield _gauge(
        "cloche_games_overdue_seconds",
        "The time that the longest overdue has been due.",
        found.overdue_ms / 1000,
    )
    text = "For how long the oldest due game is due, whether or not a worker has it in hand."
    yield _gauge("cloche_games_due_seconds", text, found.oldest_due_ms / 1000)
    yield _gauge("cloche_tables_open", "Tables with a free seat.", found.open_tables)
    yield from _waiting(found)
    waiting = GaugeMetricFamily(
        "cloche_reports", "Reports about players without a verdict.", labels=["state"]
    )
    for state, count in found.reports.items():
        waiting.add_metric([state], count)
    yield waiting
    text = "The time that the oldest report without a verdict has waited."
    yield _gauge("cloche_reports_oldest_seconds", text, found.report_ms / 1000)
    text = "1 if the reader of the chain has stopped with an alarm, else 0."
    yield _gauge("cloche_chain_alarm", text, int(found.chain_alarm))
    barred = GaugeMetricFamily("cloche_sanctions", "Players who are barred from something.", labels=["kind"])
    for kind in sanctions.KINDS:
        barred.add_metric([kind], found.sanctions.get(kind, 0))
    yield barred


def _waiting(found: Health) -> Iterator[GaugeMetricFamily]:
    players = GaugeMetricFamily("cloche_players_waiting", "Players in the queue.", labels=["mode"])
    text = "The longest wait in the queue, but for games by correspondence."
    longest = GaugeMetricFamily("cloche_players_waiting_seconds", text, labels=["mode"])
    for mode, waiting in sorted(found.queue.items()):
        players.add_metric([mode], waiting.count)
        longest.add_metric([mode], waiting.oldest_ms / 1000)
    yield players
    yield longest


def registry(house: Runtime) -> CollectorRegistry:
    """A registry that reads the health anew at every scrape."""
    found = CollectorRegistry()
    found.register(_Collected(house))
    return found
