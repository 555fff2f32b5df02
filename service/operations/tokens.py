"""Access tokens: make, check, list, revoke."""

from __future__ import annotations

from hashlib import sha256
from secrets import token_urlsafe

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from service.known_tokens import RELOOK
from service.models import Player, Token
from service.problems import not_found, unauthorized
from service.runtime import Runtime

PREFIX = "cloche_"
"""The beginning of every token, by which scanners for leaked secrets can recognise it."""
_SHOWN = len(PREFIX) + 5
_DAY_MS = 86_400_000
USED_MS = 3_600_000
"""Milliseconds after which the use of a token is noted again."""
FORGET_AFTER = 30
"""Days until an expired or revoked token is deleted. Until then a refusal can say why the token fails."""


def new(house: Runtime, player_id: str, label: str, days: int | None) -> tuple[Token, str]:
    """A new token for a player, and its text. Nothing is written yet.

    It works for so many days: at most as many as the settings say, which is also the default.
    """
    text = PREFIX + token_urlsafe(32)
    now = house.now()
    life = min(days or house.settings.token_days, house.settings.token_days)
    token = Token(
        player_id=player_id,
        digest=_digest(text),
        prefix=text[:_SHOWN],
        label=label,
        created_at=now,
        expires_at=now + life * _DAY_MS,
    )
    return token, text


def holder(house: Runtime, text: str) -> Player:
    """The player that a token speaks for now; read alone, and never added to a session. Raises `Problem` 401.

    A process that hears of every commit keeps the tokens that it has found.
    """
    digest, now = _digest(text), house.now()
    known = house.tokens.player(digest, now)
    if known is not None:
        return known
    ticket = house.tokens.ticket()
    with house.read() as session:
        token, player = _valid(session, digest, now)
    if token.used_at is None or now - token.used_at >= USED_MS:
        house.tokens.use(token.id, now)
    if house.hears_all:
        house.tokens.keep(digest, token, player, ticket, RELOOK)
    return player


def note_uses(house: Runtime) -> int:
    """Write down which tokens were used in this process, apart from any request; returns how many."""
    used = house.tokens.take_uses()
    if used:
        with house.write() as session:
            for token_id, at in sorted(used.items()):
                mine = update(Token).where(col(Token.id) == token_id)
                session.execute(mine.where(func.coalesce(Token.used_at, 0) < at).values(used_at=at))
    return len(used)


def bearer(session: Session, text: str, now: int) -> Player:
    """The player that a token speaks for at `now`, by the database. Raises `Problem` 401."""
    return _valid(session, _digest(text), now)[1]


def _valid(session: Session, digest: str, now: int) -> tuple[Token, Player]:
    found = session.exec(
        select(Token, Player)
        .join(Player, col(Player.id) == col(Token.player_id))
        .where(Token.digest == digest)
    ).first()
    if found is None or found[1].deleted_at is not None:
        raise unauthorized("unknown_token", "The house does not know this token.")
    token, player = found
    if token.revoked_at is not None:
        raise unauthorized("revoked_token", "This token was revoked.")
    if token.expires_at <= now:
        raise unauthorized("expired_token", "This token has expired; ask for another.")
    return token, player


def forget_old(house: Runtime, now: int) -> int:
    """Delete tokens that stopped working long before `now`; returns how many."""
    long_ago = now - FORGET_AFTER * _DAY_MS
    gone = 0
    with house.write() as session:
        for ceased in (Token.expires_at, Token.revoked_at):  # one by one: each has its index
            done = session.execute(delete(Token).where(col(ceased) < long_ago))
            gone += int(getattr(done, "rowcount", 0))
    return gone


def of_player(session: Session, player_id: str, now: int) -> list[Token]:
    """The tokens of a player that work at `now`, newest first."""
    query = (
        select(Token)
        .where(Token.player_id == player_id, col(Token.revoked_at).is_(None), Token.expires_at > now)
        .order_by(col(Token.created_at).desc(), col(Token.id))
    )
    return list(session.exec(query))


def revoke(house: Runtime, player_id: str, token_id: str) -> None:
    """Revoke one of a player's tokens for ever. Idempotent. Raises `Problem` 404."""
    with house.write() as session:
        token = session.get(Token, token_id)
        if token is None or token.player_id != player_id:
            raise not_found("token")
        if token.revoked_at is None:
            token.revoked_at = house.now()
            house.tell_revoked(session, token.id)


def end_all(house: Runtime, session: Session, player_id: str, but: str | None = None) -> int:
    """Revoke all tokens of a player in the session's transaction, except the one with the text `but`.

    Returns how many tokens were revoked.
    """
    gone = 0
    for token in of_player(session, player_id, house.now()):
        if not is_of(token, but):
            gone += 1
            token.revoked_at = house.now()
            session.add(token)
            house.tell_revoked(session, token.id)
    return gone


def revoke_all(house: Runtime, player_id: str, but: str | None = None) -> None:
    """Revoke all of a player's tokens for ever, except the one with the text `but`."""
    with house.write() as session:
        end_all(house, session, player_id, but)


def is_of(token: Token, text: str | None) -> bool:
    """Tell whether a token has this text."""
    return text is not None and token.digest == _digest(text)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
