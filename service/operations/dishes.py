"""Images of served dishes from the provider: one at a time, few a day, and as many as the operator allows.

A dish is noted once an account of a record tells of it, so its players know it by then. A worker paints what
was noted, the newest first. The database has what waits and what was asked for, the data folder the images. A
lost wake-up loses nothing for good: whoever looks at the pictures of a game wakes a worker again.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import case, delete, or_, update
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from cards.pictures.dishes import PlainDish, dish_of
from service import disk, image_provider, metrics, publisher
from service.db import upsert
from service.image_provider import HALF, LONGEST_PAUSE, Painted, kept
from service.models import DishPicture, DishRequests
from service.operations import watching
from service.operations.painting import set_version
from service.outgoing import Failed
from service.runtime import Runtime

MOST_WAITING = 500
"""The most dishes that wait for their image. Beyond that those that were noted first are forgotten."""
LEASE_MS = 60_000
"""Milliseconds beyond the longest request after which a worker that has not come back counts as dead."""
DAY_MS = 86_400_000
HALF_SECONDS = 3_600
"""Seconds after which a file that was begun and not finished is deleted."""
LOOK_SECONDS = 3_600
"""An image that was looked at within so many seconds is not marked as looked at again."""
_NEWEST = (col(DishPicture.noted_at).desc(), col(DishPicture.id))

_log = structlog.get_logger(__name__)


def prompt(dish: PlainDish) -> str:
    """The prompt that describes a dish to the provider: names of cards, and nothing that a player wrote."""
    counts = Counter(card.name for card in dish.ingredients)
    made = ", ".join(name if n == 1 else f"{name} ({n} of it)" for name, n in counts.items())
    return (
        f"A picture of a served dish: {dish.recipe.name}, made with {made}. One plate, warm light, no text."
    )


def _name(house: Runtime, dish: PlainDish) -> str:
    """The name of a dish's file, which changes with the version of a set, the model and the prompt."""
    printings = {house.catalog.printings[card.number] for card in (dish.recipe, *dish.ingredients)}
    versions = sorted({(printing.set_code, set_version(house, printing)) for printing in printings})
    return image_provider.name_of(dish.key, versions, house.settings.picture_model, prompt(dish))


def _folder(house: Runtime) -> Path:
    return image_provider.folder(house.settings) / "dishes"


def painted(house: Runtime, dish: PlainDish) -> Painted | None:
    """The provider's image of a dish; None if there is none. Nobody is asked for it."""
    if not house.settings.picture_url:
        return None
    path = _folder(house) / _name(house, dish)
    found = kept(path)
    if found is not None:
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > LOOK_SECONDS:
                os.utime(path)
    return found


def look(house: Runtime, game_id: str, keys: Collection[str]) -> frozenset[str]:
    """Find out which dishes of a game have an image, by key. Wake a worker if nobody has noted one."""
    if not house.settings.picture_url:
        return frozenset()
    names = _names(house, keys)
    there = {name for name in names if (_folder(house) / name).exists()}
    missing = names.keys() - there
    if missing and house.settings.dishes_a_day:
        with house.read() as session:
            waiting = select(DishPicture.id).where(
                col(DishPicture.id).in_(missing), col(DishPicture.due_at).is_not(None)
            )
            noted = set(session.exec(waiting))
        if noted != missing:
            house.publisher.send(publisher.DISHES, game_id)
    return frozenset(names[name] for name in there)


def _names(house: Runtime, keys: Iterable[str]) -> dict[str, str]:
    """The keys of dishes by the names of their files, without those of cards that the house has not."""
    dishes = [dish_of(key, house.catalog.cards) for key in keys]
    return {_name(house, dish): dish.key for dish in dishes if dish is not None}


def note(house: Runtime, game_id: str) -> int:
    """Note the dishes of a game's accounts that have no image; returns how many they are. Idempotent."""
    if not house.settings.picture_url or not house.settings.dishes_a_day:
        return 0
    with house.read() as session:
        shown = watching.pictures(session, game_id)
    names = _names(house, (each.picture.dish for each in shown if each.picture.dish is not None))
    missing = {name: key for name, key in names.items() if kept(_folder(house) / name) is None}
    if missing:
        with house.write() as session:
            _note(session, missing, house.now())
    return len(missing)


def _note(session: Session, names: dict[str, str], now: int) -> None:
    new = upsert(session, DishPicture).on_conflict_do_nothing()
    rows = [
        {"id": name, "cards": key, "noted_at": now, "due_at": now, "tries": 0} for name, key in names.items()
    ]
    session.execute(new, rows)
    gone = update(DishPicture).where(col(DishPicture.id).in_(names), col(DishPicture.due_at).is_(None))
    session.execute(gone.values(noted_at=now, due_at=now, tries=0))  # its image was painted, and is gone
    waiting = col(DishPicture.due_at).is_not(None)
    newest = select(DishPicture.id).where(waiting).order_by(*_NEWEST).limit(MOST_WAITING)
    session.execute(delete(DishPicture).where(waiting, col(DishPicture.id).not_in(newest)))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A dish that is this worker's to paint."""

    name: str
    dish: PlainDish
    tries: int
    until: int
    """When another worker may take it."""


def paint_next(house: Runtime) -> bool:
    """Have the provider paint the dish that was noted last; returns whether there is one image more.

    It does nothing while another worker asks for a dish, or in a pause after a failure, or once the requests
    of the day are used up, or if the disk has no room.
    """
    if not house.settings.picture_url or not house.settings.dishes_a_day or not _any_due(house):
        return False
    if disk.free(house.settings.data) < house.settings.disk_mib * 1024 * 1024:
        _log.warning("dishes_wait_for_room")
        return False
    claim = _claim(house)
    if claim is None:
        return False
    fault = _paint(house, claim)
    _settle(house, claim, fault)
    if fault is not None:
        metrics.pictures.labels("dish", "failed").inc()
        _log.warning("dish_failed", fault=fault, times=claim.tries)
        return False
    metrics.pictures.labels("dish", "painted").inc()
    _log.info("dish_painted")
    _make_room(house)
    return True


def _any_due(house: Runtime) -> bool:
    """Tell whether a dish is due, and forget those that the house would paint in another way by now."""
    with house.read() as session:
        waiting = list(session.exec(select(DishPicture).where(col(DishPicture.due_at).is_not(None))))
        due = session.exec(_due(house.now())).first()
    current = _names(house, (dish.cards for dish in waiting))
    outdated = {dish.id for dish in waiting} - current.keys()
    if outdated:
        with house.write() as session:
            session.execute(delete(DishPicture).where(col(DishPicture.id).in_(outdated)))
    return due is not None and any(dish.id not in outdated for dish in waiting)


def _due(now: int) -> SelectOfScalar[DishPicture]:
    due = col(DishPicture.due_at)
    # A time beyond the longest pause was written before the clock was put back.
    return select(DishPicture).where(or_(due <= now, due > now + _longest())).order_by(*_NEWEST).limit(1)


def _longest() -> int:
    return 2 * LONGEST_PAUSE * 1000


def _claim(house: Runtime) -> _Claim | None:
    """Claim the dish that was noted last, and one of the day's requests; None if there is none to be had.

    The row of requests is locked first. So there is one request at a time, whatever workers there are, and no
    dish is asked for by two.
    """
    now, most = house.now(), house.settings.dishes_a_day
    today, until = now // DAY_MS, now + house.settings.picture_seconds * 1000 + LEASE_MS
    count, day, busy = col(DishRequests.count), col(DishRequests.day), col(DishRequests.busy_until)
    first = {"id": 1, "busy_until": 0, "day": today, "count": 0, "failures": 0}
    take = update(DishRequests).where(
        or_(busy <= now, busy > now + _longest()), or_(day != today, count < most)
    )
    with house.write() as session:
        session.execute(upsert(session, DishRequests).values(first).on_conflict_do_nothing())
        counted = case((day == today, count + 1), else_=1)
        taken: Any = session.execute(take.values(busy_until=until, day=today, count=counted))
        if taken.rowcount != 1:
            return None
        row = session.exec(_due(now)).first()
        dish = None if row is None else dish_of(row.cards, house.catalog.cards)
        if row is None or dish is None or _name(house, dish) != row.id:
            session.rollback()  # nothing is asked for, so nothing counts
            return None
        row.due_at, row.tries = until, row.tries + 1
        session.add(row)
        return _Claim(row.id, dish, row.tries, until)


def _paint(house: Runtime, claim: _Claim) -> str | None:
    """Ask for a dish and store its image, unless it is there; returns the code of what went wrong."""
    path = _folder(house) / claim.name
    if kept(path) is not None:
        return None
    try:
        with image_provider.sheet(path) as sheet:
            if sheet is None:
                return "in_hand"  # a worker that counts as dead is not
            try:
                image_provider.keep(sheet, image_provider.asked(house.settings, prompt(claim.dish)), path)
            except (Failed, OSError):
                Path(sheet.name).unlink(missing_ok=True)
                raise
    except Failed as fault:
        return fault.code
    except OSError as fault:
        return f"disk_{fault.errno}"
    return None


def _settle(house: Runtime, claim: _Claim, fault: str | None) -> None:
    """Write down what became of a claim. After a failure both this dish and all of them have a pause."""
    now = house.now()
    this = update(DishPicture).where(
        col(DishPicture.id) == claim.name, col(DishPicture.due_at) == claim.until
    )
    mine = update(DishRequests).where(col(DishRequests.busy_until) == claim.until)
    with house.write() as session:
        if fault is None:
            session.execute(this.values(due_at=None, tries=0))
            session.execute(mine.values(busy_until=now, failures=0))
            return
        session.execute(this.values(due_at=now + image_provider.pause(claim.tries)))
        row = session.exec(select(DishRequests)).one()
        failures = row.failures + 1
        session.execute(mine.values(busy_until=now + image_provider.pause(failures), failures=failures))


def _make_room(house: Runtime) -> None:
    """Delete images and their rows beyond those that may be kept: the ones that were looked at first."""
    images: list[tuple[float, Path]] = []
    for path in _folder(house).iterdir():
        with contextlib.suppress(FileNotFoundError):
            changed = path.stat().st_mtime
            if path.suffix != HALF:
                images.append((changed, path))
            elif time.time() - changed > HALF_SECONDS:
                path.unlink()
    images.sort(reverse=True)
    for _, path in images[house.settings.dishes_kept :]:
        path.unlink(missing_ok=True)
    there = {path.name for _, path in images[: house.settings.dishes_kept]}
    with house.write() as session:
        known = set(session.exec(select(DishPicture.id).where(col(DishPicture.due_at).is_(None))))
        session.execute(
            delete(DishPicture).where(
                col(DishPicture.id).in_(known - there), col(DishPicture.due_at).is_(None)
            )
        )
