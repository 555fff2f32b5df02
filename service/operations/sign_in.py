"""Signing in: a token against a player's password, with a brake on guessing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sqlmodel import Session, select

from crypto.encoding import unb64
from crypto.identity import new_private_key, public_key
from referee.errors import Refused
from referee.sign_in import read_sign_in
from service.models import Player, Token
from service.operations import tokens
from service.problems import Problem, unauthorized
from service.runtime import Runtime

PROOF_MS = 600_000
"""Milliseconds for which a proof of the key holds, before and after the time in it."""
_LONGEST_PASSWORD = 1024


def issue(
    house: Runtime,
    *,
    handle: str,
    password: str,
    label: str = "token",
    days: int | None = None,
    proof: Mapping[str, str] | None = None,
    bearer: str | None = None,
) -> tuple[Token, str]:
    """Issue a token against a player's password; returns its row and its text, which is shown only now.

    After wrong passwords a handle must pause. A `proof` of the player's key (`referee.sign_in`), or a token
    of the player's as `bearer`, lets past the pause. Raises `Problem` 401, with the same text and after the
    same work for a wrong handle and a wrong password; 429 during a pause; 503 while too many others sign in.
    """
    wait = house.brake.left(handle)
    if wait and proof is None and bearer is None:
        raise _paused(wait)
    with house.read() as session:
        player = session.exec(select(Player).where(Player.folded == handle.lower())).first()
        owner = bool(wait) and _is_owner(house, session, player, proof, bearer)
    if not owner:
        wait = wait or house.brake.count(handle)
        if wait:
            raise _paused(wait)
    try:
        known = house.passwords.check(player.password if player else None, password[:_LONGEST_PASSWORD])
    except Problem:
        if not owner:
            house.brake.take_back(handle)
        raise
    if player is None or not known:
        raise unauthorized("wrong_password", "The handle or the password is wrong.")
    if not owner:  # the owner's way past a pause must not end it for others
        house.brake.release(handle)
    fresh = _renewed(house, player.password, password)
    token, text = tokens.new(house, player.id, label, days)
    with house.write() as session:
        if fresh is not None:
            session.get_one(Player, player.id).password = fresh
        session.add(token)
    return token, text


def _paused(seconds: int) -> Problem:
    detail = (
        "Too many wrong passwords for this handle: try again after the time in Retry-After. The player's own"
        " programs may send a proof of the player's key, or a token that still works, and need not wait."
    )
    return Problem(429, "too_many_attempts", detail, headers={"Retry-After": str(seconds)})


def _renewed(house: Runtime, kept: str, password: str) -> str | None:
    """A hash with today's costs, if the kept one has others and there is time for it now."""
    if not house.passwords.outdated(kept):
        return None
    try:
        return house.passwords.hash(password)
    except Problem:  # the next sign-in will do
        return None


def _is_owner(
    house: Runtime,
    session: Session,
    player: Player | None,
    proof: Mapping[str, str] | None,
    bearer: str | None,
) -> bool:
    """Tell whether a request has a token of the player, or shows that it has the player's key."""
    if bearer is not None:
        try:
            found = tokens.bearer(session, bearer, house.now())
        except Problem:
            found = None
        if found is not None and player is not None and found.id == player.id:
            return True
    if proof is None:
        return False
    try:
        # Without a player a key that nobody has takes as long.
        key = _nobodys() if player is None else unb64(player.key, 32)
        house_key, at = read_sign_in(dict(proof), key)
    except Refused:
        return False
    ours = any(house_key == generation.public for generation in house.key_generations.generations)
    return ours and player is not None and abs(house.now() - at) <= PROOF_MS


@cache
def _nobodys() -> bytes:
    return public_key(new_private_key())
