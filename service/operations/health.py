"""How the house is doing, by what its tables and its broker say now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, col, func, select

from service.models import Game, Table
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Vitals:
    """Figures of the whole house, whichever process is asked."""

    running: dict[str, int]
    """Games without a result, by mode."""
    overdue: int
    """Games that are due and that nobody has in hand."""
    overdue_ms: int
    """How long the longest overdue of them has been due, in milliseconds."""
    open_tables: int


def vitals(house: Runtime, session: Session) -> Vitals:
    """Read them."""
    now = house.now()
    running = select(Game.mode, func.count()).where(col(Game.ended_at).is_(None)).group_by(Game.mode)
    late = select(func.count(), func.min(Game.due_at)).where(
        col(Game.due_at) <= now, Game.claimed_until <= now
    )
    overdue, since = session.exec(late).one()
    tables = session.exec(select(func.count()).select_from(Table).where(Table.state == "open")).one()
    return Vitals(
        running=dict(session.exec(running).all()),
        overdue=overdue,
        overdue_ms=0 if since is None else now - since,
        open_tables=tables,
    )


class _Collected(Collector):
    """The vitals as gauges; what can't be asked is left out, and its `up` is 0."""

    def __init__(self, house: Runtime) -> None:
        self._house = house

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Ask database and broker now."""
        try:
            with self._house.read() as session:
                found = vitals(self._house, session)
        except SQLAlchemyError:
            yield _gauge("cloche_database_up", "Whether the database answers.", 0)
        else:
            yield _gauge("cloche_database_up", "Whether the database answers.", 1)
            yield from _families(found)
        yield _places(self._house)
        waiting = self._house.publisher.waiting()
        yield _gauge("cloche_broker_up", "Whether the broker answers.", int(waiting is not None))
        if waiting is not None:
            yield _gauge("cloche_queue_messages", "Wake-ups that no worker has fetched yet.", waiting)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)


def _places(house: Runtime) -> GaugeMetricFamily:
    """Of this process alone: others have places of their own."""
    text = "Long polls and streams that wait in the process that answers, and how many there may be."
    found = GaugeMetricFamily("cloche_places", text, labels=["of", "state"])
    for name, places in (("polls", house.notices.waiting), ("streams", house.notices.listening)):
        found.add_metric([name, "taken"], places.taken)
        found.add_metric([name, "most"], places.most)
    return found


def _families(found: Vitals) -> Iterator[GaugeMetricFamily]:
    running = GaugeMetricFamily("cloche_games_running", "Games without a result.", labels=["mode"])
    for mode, count in sorted(found.running.items()):
        running.add_metric([mode], count)
    yield running
    yield _gauge("cloche_games_overdue", "Games that are due and in nobody's hands.", found.overdue)
    yield _gauge(
        "cloche_games_overdue_seconds", "For how long the longest overdue is due.", found.overdue_ms / 1000
    )
    yield _gauge("cloche_tables_open", "Tables with a free seat.", found.open_tables)


def registry(house: Runtime) -> CollectorRegistry:
    """The vitals, to be asked for at every scrape."""
    found = CollectorRegistry()
    found.register(_Collected(house))
    return found
