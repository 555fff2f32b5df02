"""Signing in: a token against a player's password, with a brake on guessing, or against the player's key."""

from __future__ import annotations

from collections.abc import Mapping

from sqlmodel import Session

from crypto.encoding import unb64
from referee.errors import Refused
from referee.sign_in import read_sign_in
from service.models import Player, Token
from service.operations import challenges, credentials, naming, tokens
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
        raise challenges.paused(wait)
    with house.read() as session:
        player = naming.holder(session, handle, house.now())
        owner = bool(wait) and _is_owner(house, session, player, proof, bearer)
    if not owner:
        wait = wait or house.brake.count(handle)
        if wait:
            raise challenges.paused(wait)
    try:
        known = house.passwords.check(player.password if player else None, password[:_LONGEST_PASSWORD])
    except Problem:
        if not owner:
            house.brake.take_back(handle)
        raise
    if player is None or not known:
        raise _wrong_password()
    if not owner:  # the owner's way past a pause must not end it for others
        house.brake.release(handle)
    fresh = _renewed(house, player.password, password)
    token, text = tokens.new(house, player.id, label, days)
    with house.write() as session:
        row = credentials.locked(session, player.id)
        if row.password != player.password:  # it was changed meanwhile, and ended all that it had begun
            raise _wrong_password()
        if fresh is not None:
            row.password = fresh
        session.add(token)
    return token, text


def issue_by_key(
    house: Runtime,
    *,
    handle: str,
    answer: Mapping[str, str],
    label: str = "token",
    days: int | None = None,
) -> tuple[Token, str]:
    """Issue a token against an answer to a challenge (`challenges.new`), signed by the player's key.

    Returns its row and its text, which is shown only now. Raises `Problem` 401, with the same text and after
    the same work for a wrong handle and a wrong key; 429 for a wrong one during a pause.
    """
    with house.read() as session:
        player = naming.holder(session, handle, house.now())
    answered = challenges.judge(house, player, handle, "sign-in", answer)
    token, text = tokens.new(house, answered.player_id, label, days)
    with house.write() as session:
        challenges.spend(session, answered)
        if credentials.locked(session, answered.player_id).deleted_at is not None:
            raise challenges.wrong_key()
        session.add(token)
    return token, text


def _wrong_password() -> Problem:
    return unauthorized("wrong_password", "The handle or the password is wrong.")


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
        key = challenges.nobodys() if player is None else unb64(player.key, 32)
        house_key, at = read_sign_in(dict(proof), key)
    except Refused:
        return False
    ours = any(house_key == generation.public for generation in house.key_generations.generations)
    return ours and player is not None and abs(house.now() - at) <= PROOF_MS
