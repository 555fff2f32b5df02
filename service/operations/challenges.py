"""Challenges: who answers one with the account's key shows that the account is theirs.

A challenge holds for one handle, one purpose and a few minutes, and it serves once. It carries a tag by
which the house knows it again, so nothing is written until somebody has answered one. Handles that nobody
has get challenges too, and their answers are judged with the same work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from hmac import compare_digest
from secrets import token_bytes
from typing import Literal

from sqlalchemy import delete
from sqlmodel import Session, col

from crypto.encoding import i2osp, unb64
from crypto.identity import new_private_key, public_key
from referee.errors import Refused
from referee.sign_in import Challenged, read_answer
from service.db import upsert
from service.keys import UnknownKey
from service.models import Player, SpentChallenge
from service.problems import Problem, unauthorized
from service.runtime import Runtime

Purpose = Literal["sign-in", "password", "deletion"]
PURPOSES: tuple[Purpose, ...] = ("sign-in", "password", "deletion")
"""What a challenge may be for. An answer for one purpose is of no use for another."""
LIFE_MS = 300_000
"""Milliseconds for which a challenge holds."""
_NONCE, _TIME = 16, 8


@dataclass(frozen=True, slots=True)
class Challenge:
    """A new challenge, and the key of the house that an answer names."""

    challenge: bytes
    house: bytes
    expires_at: int
    """Milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A challenge that this player has answered rightly, and that is still to be spent."""

    player_id: str
    digest: str
    expires_at: int


def new(house: Runtime, handle: str, purpose: Purpose) -> Challenge:
    """A challenge for a handle, whether or not a player has it. Nothing is written."""
    keys, until = house.keys, house.now() + LIFE_MS
    rest = token_bytes(_NONCE) + i2osp(until, _TIME)
    return Challenge(rest + keys.challenge_tag(handle.lower(), purpose, rest), keys.public, until)


def judge(
    house: Runtime, player: Player | None, handle: str, purpose: Purpose, answer: Mapping[str, str]
) -> Answered:
    """Check an answer of the player who has the handle; None stands for nobody.

    A right answer need not wait for the end of a pause after wrong passwords. A wrong one counts like a wrong
    password. Raises `Problem` 401, and 429 during a pause.
    """
    try:
        # Without a player a key that nobody has takes as long.
        key = nobodys() if player is None else unb64(player.key, 32)
        said = read_answer(dict(answer), key, handle, purpose)
    except Refused:
        raise _wrong(house, handle) from None
    if player is None:
        raise _wrong(house, handle)
    until = _until(house, handle, purpose, said)
    if until is None or until <= house.now():
        raise _stale()
    return Answered(player.id, sha256(said.challenge).hexdigest(), until)


def spend(session: Session, answered: Answered) -> None:
    """Spend a challenge in the transaction of what it allows. Raises `Problem` 401 if it is spent already."""
    row = {"digest": answered.digest, "expires_at": answered.expires_at}
    taken = upsert(session, SpentChallenge).values(row).on_conflict_do_nothing()
    if session.execute(taken.returning(col(SpentChallenge.digest))).first() is None:
        raise _stale()


def forget_old(house: Runtime, now: int) -> int:
    """Delete the spent challenges that hold no longer at `now`; returns how many."""
    with house.write() as session:
        gone = session.execute(delete(SpentChallenge).where(col(SpentChallenge.expires_at) <= now))
        return int(getattr(gone, "rowcount", 0))


def paused(seconds: int) -> Problem:
    """The refusal during a pause."""
    detail = (
        "Too many wrong passwords for this handle: try again after the time in Retry-After. The player's own"
        " programs may send a proof of the player's key, or a token that still works, and need not wait."
    )
    return Problem(429, "too_many_attempts", detail, headers={"Retry-After": str(seconds)})


def _until(house: Runtime, handle: str, purpose: Purpose, said: Challenged) -> int | None:
    """The end of the challenge; None unless this house has made it for this handle and purpose."""
    try:
        keys = house.keys_of(said.house_key)
    except UnknownKey:
        return None
    rest, tag = said.challenge[: _NONCE + _TIME], said.challenge[_NONCE + _TIME :]
    if not compare_digest(tag, keys.challenge_tag(handle.lower(), purpose, rest)):
        return None
    return int.from_bytes(rest[_NONCE:], "big")


def _wrong(house: Runtime, handle: str) -> Problem:
    wait = house.brake.left(handle) or house.brake.count(handle)
    if wait:
        return paused(wait)
    return wrong_key()


def wrong_key() -> Problem:
    """The refusal of an answer that is not signed by the key of the handle's player."""
    return unauthorized("wrong_key", "The handle, or the key that has signed, is wrong.")


def _stale() -> Problem:
    detail = "This challenge was used, is too old, or is not one of this house for this: ask for another."
    return unauthorized("stale_challenge", detail)


@cache
def nobodys() -> bytes:
    """A public key that nobody has."""
    return public_key(new_private_key())
