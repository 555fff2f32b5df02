"""Challenges: a player asks another by handle for a game of two, which begins when the other accepts.

Locks are taken in one order: the challenge, then the players by id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import or_
from sqlmodel import Session, col, select

from service.models import GameChallenge, Player
from service.operations import blocks, feed, holds, paces, players, ratings, sanctions, seating, tables
from service.operations.holds import DeckGone
from service.problems import Fault, Problem, conflict, invalid, not_found
from service.runtime import Runtime

MOST_OPEN = 10
"""The most challenges that one player may have open at the same time."""
HOURS = 24
"""Hours for which a challenge stands."""
_HOUR_MS = 3_600_000
_AT_ONCE = 100
"""Challenges that are closed in one transaction."""


@dataclass(frozen=True, slots=True)
class ListedChallenge:
    """A challenge with the handles of its players."""

    challenge: GameChallenge
    challenger: str
    challenged: str
    state: str
    """The row's state, or "expired" as soon as its time is over."""


def make(
    house: Runtime,
    player: Player,
    *,
    to: str,
    mode: str,
    pace: str = "usual",
    options: Mapping[str, Any] | None = None,
    format: str | None = None,
    rated: bool = False,
    deck: str | None = None,
) -> ListedChallenge:
    """Challenge the player with the handle `to`. It stands for a day.

    Raises `Problem` 403 for a suspended player; 404 for an unknown one; 409 where a block parts the players,
    for a second open challenge to the same player, and for too many; 422 for a mode of more than two,
    options, format or deck.
    """
    rules = seating.mode_of(mode)
    complete = tables.complete_options(rules, {**paces.options_of(rules, pace), **(options or {})})
    if not rules.facts.seats[0] <= 2 <= rules.facts.seats[1]:
        detail = f"{rules.facts.title} is not for two players, so nobody can be challenged to it."
        raise invalid("not_for_two", detail, [Fault("not_for_two", detail, "/mode")])
    by = tables.format_named(house, rules, format)
    with house.write() as session:
        other = players.find(session, to, house.now())
        if other.id == player.id:
            detail = "You can't challenge yourself."
            raise invalid("own_challenge", detail, [Fault("own_challenge", detail, "/to")])
        holds.lock_players(session, [player.id, other.id])
        sanctions.require_none(session, player.id, house.now())
        _require_reachable(session, player, other)
        _require_room(house, session, player, other)
        if rated:
            ratings.require_unmet(house, session, player.id, other.id)
        seating.playable_deck(house, session, player.id, mode, deck, by)
        now = house.now()
        challenge = GameChallenge(
            from_id=player.id,
            to_id=other.id,
            mode=mode,
            options=complete,
            format=format,
            rated=rated,
            deck_id=deck,
            created_at=now,
            expires_at=now + HOURS * _HOUR_MS,
        )
        session.add(challenge)
        session.flush()
        _tell(house, session, other.id, "challenge.made", challenge, player.handle)
        return ListedChallenge(challenge, player.handle, other.handle, "open")


def accept(house: Runtime, player: Player, challenge_id: str, deck: str | None) -> ListedChallenge:
    """Accept a challenge, and begin the game. Raises `Problem` 404, 409, 422."""
    try:
        with house.write() as session:
            challenge = _open_to(house, session, challenge_id, player.id)
            other = session.get_one(Player, challenge.from_id)
            holds.lock_players(session, [player.id, other.id])
            _require_reachable(session, player, other)
            table = seating.begin_together(
                house,
                session,
                [(other, challenge.deck_id), (player, deck)],
                mode=challenge.mode,
                options=challenge.options,
                format=challenge.format,
                rated=challenge.rated,
                spectators=True,
            )
            challenge.state, challenge.game_id = "accepted", table.game_id
            session.add(challenge)
            _tell(house, session, other.id, "challenge.accepted", challenge, player.handle)
            return _listed(house, session, [challenge])[0]
    except DeckGone as gone:
        if gone.player_id == player.id:
            raise
        raise _without_a_deck(house, challenge_id, player.id) from None


def decline(house: Runtime, player: Player, challenge_id: str) -> ListedChallenge:
    """Decline a challenge to this player. Raises `Problem` 404, 409."""
    with house.write() as session:
        challenge = _open_to(house, session, challenge_id, player.id)
        challenge.state = "declined"
        session.add(challenge)
        _tell(house, session, challenge.from_id, "challenge.declined", challenge, player.handle)
        return _listed(house, session, [challenge])[0]


def withdraw(house: Runtime, player: Player, challenge_id: str) -> ListedChallenge:
    """Withdraw the player's own challenge. Raises `Problem` 404, 409."""
    with house.write() as session:
        challenge = _locked(session, challenge_id, player.id)
        if challenge.from_id != player.id:
            raise conflict("not_your_challenge", "Only the player who made a challenge can withdraw it.")
        _require_open(house, challenge)
        challenge.state = "withdrawn"
        session.add(challenge)
        _tell(house, session, challenge.to_id, "challenge.withdrawn", challenge, player.handle)
        return _listed(house, session, [challenge])[0]


def find(house: Runtime, session: Session, challenge_id: str, player_id: str) -> ListedChallenge:
    """A challenge by this player or to them. Raises `Problem` 404."""
    challenge = session.get(GameChallenge, challenge_id)
    if challenge is None or player_id not in (challenge.from_id, challenge.to_id):
        raise not_found("challenge")
    return _listed(house, session, [challenge])[0]


def open_of(house: Runtime, session: Session, player_id: str) -> list[ListedChallenge]:
    """The open challenges by this player or to them, newest first."""
    mine = or_(col(GameChallenge.from_id) == player_id, col(GameChallenge.to_id) == player_id)
    standing = select(GameChallenge).where(
        mine, GameChallenge.state == "open", GameChallenge.expires_at > house.now()
    )
    parted = blocks.between(col(GameChallenge.from_id), player_id) | blocks.between(
        col(GameChallenge.to_id), player_id
    )
    rows = standing.where(~parted).order_by(col(GameChallenge.created_at).desc(), col(GameChallenge.id))
    return _listed(house, session, session.exec(rows).all())


def expire(house: Runtime, now: int) -> int:
    """Close the challenges that have expired at `now`; returns how many."""
    with house.write() as session:
        late = select(GameChallenge).where(GameChallenge.state == "open", GameChallenge.expires_at <= now)
        rows = session.exec(
            late.order_by(col(GameChallenge.expires_at)).limit(_AT_ONCE).with_for_update(skip_locked=True)
        ).all()
        for challenge in rows:
            challenge.state = "expired"
            session.add(challenge)
            feed.add(
                house,
                session,
                [challenge.from_id, challenge.to_id],
                "challenge.expired",
                challenge=challenge.id,
            )
        return len(rows)


def _require_reachable(session: Session, player: Player, other: Player) -> None:
    """Raise `Problem` 409 where a block parts the players. Only the blocker is told that it is one."""
    blocks.require_willing(session, player.id, [other.id])
    if blocks.kept_away(session, player.id, [other.id]):
        raise conflict("unreachable_player", "This player takes nothing from you.")


def _require_room(house: Runtime, session: Session, player: Player, other: Player) -> None:
    standing = (
        GameChallenge.from_id == player.id,
        GameChallenge.state == "open",
        GameChallenge.expires_at > house.now(),
    )
    to = session.exec(select(GameChallenge.to_id).where(*standing)).all()
    if other.id in to:
        raise conflict("already_challenged", "You have an open challenge to this player.")
    if len(to) >= MOST_OPEN:
        detail = f"A player has at most {MOST_OPEN} open challenges."
        raise conflict("too_many_challenges", detail, at_most=MOST_OPEN)


def _locked(session: Session, challenge_id: str, player_id: str) -> GameChallenge:
    found = session.exec(
        select(GameChallenge).where(GameChallenge.id == challenge_id).with_for_update()
    ).first()
    if found is None or player_id not in (found.from_id, found.to_id):
        raise not_found("challenge")
    return found


def _require_open(house: Runtime, challenge: GameChallenge) -> None:
    state = _state(house, challenge)
    if state != "open":
        raise conflict("challenge_closed", f"This challenge is {state}.", state=state)


def _open_to(house: Runtime, session: Session, challenge_id: str, player_id: str) -> GameChallenge:
    """An open challenge to this player, locked."""
    challenge = _locked(session, challenge_id, player_id)
    if challenge.to_id != player_id:
        raise conflict("own_challenge", "This is your own challenge: withdraw it instead.")
    _require_open(house, challenge)
    return challenge


def _without_a_deck(house: Runtime, challenge_id: str, player_id: str) -> Problem:
    """Withdraw a challenge whose maker can't play any more; returns the problem for the acceptor."""
    with house.write() as session:
        challenge = _open_to(house, session, challenge_id, player_id)
        challenge.state = "withdrawn"
        session.add(challenge)
    detail = "The other player, or their deck, can't play any more. The challenge is withdrawn."
    return conflict("challenge_closed", detail, state="withdrawn")


def _state(house: Runtime, challenge: GameChallenge) -> str:
    late = challenge.state == "open" and challenge.expires_at <= house.now()
    return "expired" if late else challenge.state


def _listed(house: Runtime, session: Session, rows: Sequence[GameChallenge]) -> list[ListedChallenge]:
    ids = {player for row in rows for player in (row.from_id, row.to_id)}
    names = dict(session.exec(select(Player.id, Player.handle).where(col(Player.id).in_(ids))).all())
    return [ListedChallenge(row, names[row.from_id], names[row.to_id], _state(house, row)) for row in rows]


def _tell(
    house: Runtime, session: Session, player_id: str, event: str, row: GameChallenge, name: str
) -> None:
    feed.add(house, session, [player_id], event, challenge=row.id, name=name)
