"""The queue: players who wait for an opponent, and the workers that pair them.

The database is the truth: whoever is paired leaves the queue in the transaction that begins the game. The
workers look at each entry now and then, and at once when a player joins. A window around the rating says
whom they pair; it widens while a player waits.

Locks are taken in one order: entries of the queue (those that another worker holds are left alone), then
the players by id.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from service import metrics, publisher
from service.db import after_commit, upsert
from service.models import Player, QueueEntry, RatingRow, Table
from service.operations import blocks, feed, paces, ratings, sanctions, seating, tables
from service.operations.holds import DeckGone, lock_players
from service.problems import not_found
from service.ratings import DAY_MS, POINT
from service.runtime import Runtime

WINDOW = 100
"""Points by which the ratings of two newcomers to the queue may differ."""
WIDENS = 5
"""Points by which a player's window grows with each second of waiting."""
LOOK_MS = 2_000
"""Milliseconds between two looks for an opponent of the same player."""
BOT_AFTER_MS = 60_000
"""Milliseconds of waiting after which the house offers a bot."""
LIVE_MS = 15 * 60_000
"""Milliseconds after which nobody waits any longer, unless by correspondence."""
CORRESPONDENCE_MS = 7 * DAY_MS
_NEAREST = 20
"""Players on each side of a rating among whom an opponent is looked for."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player's place in the queue. It does not say who else waits."""

    entry: QueueEntry
    waited_ms: int
    bots: Sequence[str]
    """The house's bots that could play instead; none before the player has waited for a while."""

    @property
    def window(self) -> int:
        """The points by which an opponent's rating may differ now."""
        return window_after(self.waited_ms)


@dataclass(frozen=True, slots=True)
class WaitingPlayers:
    """The players who wait in one mode."""

    count: int
    oldest_ms: int
    """The longest wait among them, in milliseconds; 0 if all wait for a game by correspondence."""


def window_after(waited_ms: int) -> int:
    """The points by which the rating of an opponent may differ after waiting so long."""
    return WINDOW + WIDENS * max(waited_ms, 0) // 1000


def join(
    house: Runtime,
    player: Player,
    *,
    mode: str,
    pace: str = "usual",
    format: str | None = None,
    rated: bool = True,
    deck: str | None = None,
) -> Waiting:
    """Wait for an opponent. A player who waits already waits for this instead, from now on.

    Raises `Problem` 403 for a suspended player, 409 for a deck that can't be played, and 422 for a bad mode,
    format or deck.
    """
    rules = seating.mode_of(mode)
    by = tables.format_named(house, rules, format)
    now = house.now()
    with house.write() as session:
        sanctions.require_none(session, player.id, now)
        seating.playable_deck(house, session, player.id, mode, deck, by)
        rating = ratings.rating_of(session.get(RatingRow, (player.id, mode)))
        lasts = CORRESPONDENCE_MS if paces.by_correspondence(pace) else LIVE_MS
        asked: dict[str, Any] = {
            "mode": mode,
            "pace": pace,
            "format": format or "",
            "rated": rated,
            "deck_id": deck,
            "mu": rating.mu,
            "joined_at": now,
            "expires_at": now + lasts,
            "look_at": now,
            "bot_offered": False,
        }
        row = upsert(session, QueueEntry).values(player_id=player.id, **asked)
        session.execute(row.on_conflict_do_update(index_elements=[col(QueueEntry.player_id)], set_=asked))
        house.wake(session, publisher.PAIR, player.id)
        return _shown(house, QueueEntry(player_id=player.id, **asked))


def find(house: Runtime, session: Session, player_id: str) -> Waiting:
    """The player's place in the queue. Raises `Problem` 404 for a player who does not wait."""
    entry = session.get(QueueEntry, player_id)
    if entry is None or entry.expires_at <= house.now():
        raise not_found("place in the queue")
    return _shown(house, entry)


def count(session: Session, now: int) -> dict[str, WaitingPlayers]:
    """Count the players who wait at `now`, by mode."""
    waiting = select(QueueEntry.mode, QueueEntry.pace, func.count(), func.min(QueueEntry.joined_at))
    rows = session.exec(
        waiting.where(QueueEntry.expires_at > now).group_by(col(QueueEntry.mode), col(QueueEntry.pace))
    )
    found: dict[str, WaitingPlayers] = {}
    for mode, pace, players, since in rows:
        so_far = found.get(mode, WaitingPlayers(0, 0))
        waited = 0 if paces.by_correspondence(pace) else now - since
        found[mode] = WaitingPlayers(so_far.count + players, max(so_far.oldest_ms, waited))
    return found


def leave(house: Runtime, player: Player) -> None:
    """Stop waiting. Idempotent: a player who was paired meanwhile has a game."""
    with house.write() as session:
        _drop(session, [player.id])


def due(house: Runtime, limit: int) -> list[str]:
    """Claim at most `limit` players for whom it is time to look, the longest due first; returns their ids.

    Two workers never claim the same player at the same time, and a claim runs out by itself.
    """
    now = house.now()
    late = select(QueueEntry.player_id).where(QueueEntry.look_at <= now).order_by(col(QueueEntry.look_at))
    with house.read() as session:
        if session.exec(late.limit(1)).first() is None:
            return []
    with house.write() as session:
        found = session.exec(late.limit(limit).with_for_update(skip_locked=True)).all()
        claimed = update(QueueEntry).where(col(QueueEntry.player_id).in_(found))
        session.execute(claimed.values(look_at=now + LOOK_MS))
    return list(found)


def pair(house: Runtime, player_id: str) -> str | None:
    """Look for opponents of a waiting player, and begin their game; returns its id, or None.

    Idempotent. A player who can't play any more, as their deck is gone for instance, leaves the queue and
    is told; the others wait on.
    """
    try:
        with house.write() as session:
            mine = _locked(session, [player_id])
            return _pair(house, session, mine[0]) if mine else None
    except DeckGone as gone:
        _turn_away(house, gone)
        return None


def forget_old(house: Runtime, now: int) -> int:
    """End the wait of those who have waited too long at `now`; returns how many."""
    late = select(QueueEntry.player_id).where(QueueEntry.expires_at <= now)
    with house.write() as session:
        gone = session.exec(late.with_for_update(skip_locked=True)).all()
        _drop(session, gone)
        feed.add(house, session, gone, "queue.left", reason="expired")
        return len(gone)


def _pair(house: Runtime, session: Session, mine: QueueEntry) -> str | None:
    now = house.now()
    if mine.expires_at <= now:
        _drop(session, [mine.player_id])
        feed.add(house, session, [mine.player_id], "queue.left", reason="expired")
        return None
    chosen = _opponents(house, session, mine, now)
    held = _locked(session, [entry.player_id for entry in chosen])
    if not chosen or [entry.wants for entry in held] != [mine.wants] * len(chosen):
        # Another worker has one of them in hand: look again soon.
        mine.look_at = now + LOOK_MS // (4 if chosen else 1)
        _offer_bot(house, session, mine, now)
        session.add(mine)
        return None
    entries = [mine, *held]
    ids = [entry.player_id for entry in entries]
    lock_players(session, ids)
    if blocks.apart(session, ids):  # a block came between
        return None
    secrets.SystemRandom().shuffle(entries)
    people = [(session.get_one(Player, entry.player_id), entry.deck_id) for entry in entries]
    table = seating.begin_together(
        house,
        session,
        people,
        mode=mine.mode,
        options=tables.complete_options(
            seating.mode_of(mine.mode), paces.options_of(seating.mode_of(mine.mode), mine.pace)
        ),
        format=mine.format or None,
        rated=mine.rated,
        spectators=True,
    )
    _drop(session, ids)
    feed.add(house, session, ids, "queue.paired", table=table.id, game=table.game_id, mode=mine.mode)
    waits = [now - entry.joined_at for entry in entries]
    after_commit(session, lambda: _paired(table, waits))
    return table.game_id


def _paired(table: Table, waits_ms: Sequence[int]) -> None:
    metrics.paired(table.mode, waits_ms)
    log.info("paired", game=table.game_id, mode=table.mode, waited_ms=max(waits_ms))


def _opponents(house: Runtime, session: Session, mine: QueueEntry, now: int) -> list[QueueEntry]:
    """The nearest players who fill the table, equally near ones by their wait. [] if there are too few."""
    wanted = _seats(mine) - 1
    found: list[QueueEntry] = []
    for entry in _nearest(session, mine, now):
        window = max(window_after(now - mine.joined_at), window_after(now - entry.joined_at))
        if abs(entry.mu - mine.mu) > window * POINT:
            continue
        if _may_meet(house, session, [mine, *found], entry, now):
            found.append(entry)
        if len(found) == wanted:
            return found
    return []


def _may_meet(
    house: Runtime, session: Session, those: Sequence[QueueEntry], other: QueueEntry, now: int
) -> bool:
    """Tell whether a player may be paired with all of those."""
    if blocks.apart(session, [each.player_id for each in (*those, other)]):
        return False
    limit = house.settings.rated_games_a_day
    return not other.rated or all(
        ratings.met_on(session, (each.player_id, other.player_id), now // DAY_MS) < limit for each in those
    )


def _nearest(session: Session, mine: QueueEntry, now: int) -> list[QueueEntry]:
    """Players who wait for the same: the nearest in rating first, equally near ones by their wait."""
    same = (
        QueueEntry.mode == mine.mode,
        QueueEntry.pace == mine.pace,
        QueueEntry.format == mine.format,
        QueueEntry.rated == mine.rated,
        QueueEntry.player_id != mine.player_id,
        QueueEntry.expires_at > now,
    )
    mu, joined = col(QueueEntry.mu), col(QueueEntry.joined_at)
    above = select(QueueEntry).where(*same, mu >= mine.mu).order_by(mu, joined).limit(_NEAREST)
    below = select(QueueEntry).where(*same, mu < mine.mu).order_by(mu.desc(), joined.desc()).limit(_NEAREST)
    found = [*session.exec(above), *session.exec(below)]
    return sorted(found, key=lambda entry: (abs(entry.mu - mine.mu), entry.joined_at, entry.player_id))


def _offer_bot(house: Runtime, session: Session, mine: QueueEntry, now: int) -> None:
    """Tell a player once, after a while, that a bot of the house could play."""
    if mine.bot_offered or now - mine.joined_at < BOT_AFTER_MS:
        return
    bots = _bots(house, mine)
    if bots:
        mine.bot_offered = True
        feed.add(house, session, [mine.player_id], "queue.bot_offered", mode=mine.mode, bots=bots)


def _turn_away(house: Runtime, gone: DeckGone) -> None:
    with house.write() as session:
        if _locked(session, [gone.player_id]):
            _drop(session, [gone.player_id])
            feed.add(house, session, [gone.player_id], "queue.left", reason=gone.code)


def _locked(session: Session, ids: Sequence[str]) -> list[QueueEntry]:
    """The entries of these players that no other worker has in hand, locked until the commit."""
    wanted = select(QueueEntry).where(col(QueueEntry.player_id).in_(ids)).order_by(col(QueueEntry.player_id))
    # A row that was read before is read again: its player may have joined anew since.
    fresh = wanted.with_for_update(skip_locked=True).execution_options(populate_existing=True)
    return list(session.exec(fresh)) if ids else []


def _drop(session: Session, ids: Sequence[str]) -> None:
    session.execute(delete(QueueEntry).where(col(QueueEntry.player_id).in_(ids)))


def _seats(entry: QueueEntry) -> int:
    """The players of a game from the queue: as few as the mode is for, and two at least."""
    return max(2, seating.mode_of(entry.mode).facts.seats[0])


def _bots(house: Runtime, entry: QueueEntry) -> list[str]:
    return list(tables.bots_of(house, seating.mode_of(entry.mode)).names)


def _shown(house: Runtime, entry: QueueEntry) -> Waiting:
    waited = max(house.now() - entry.joined_at, 0)
    return Waiting(entry, waited, _bots(house, entry) if waited >= BOT_AFTER_MS else [])
