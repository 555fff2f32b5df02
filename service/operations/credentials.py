"""What a player signs in with: a change of the password, and the proof that a request is the owner's own.

A token alone changes no password and deletes no account: somebody may have found it. The player shows the
password of today, or answers a challenge with the key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlmodel import Session, col, select

from service.models import Player
from service.operations import challenges, tokens
from service.operations.challenges import Purpose
from service.operations.players import password_faults
from service.problems import Fault, Problem, forbidden, invalid
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Password:
    """A proof by the password of today."""

    password: str


@dataclass(frozen=True, slots=True)
class Signature:
    """A proof by an answer to a challenge."""

    answer: Mapping[str, str]


Proof = Password | Signature


def change_password(house: Runtime, player: Player, token: str, password: str, proof: Proof) -> None:
    """Give a player a new password, and end all sessions but the one with this token.

    Raises `Problem` 422 for a password that may not be chosen; 401, 403 and 429 for a bad proof; 503 while
    too many others sign in.
    """
    faults = password_faults(password, player.handle)
    if faults:
        raise invalid("invalid_password", "This password can't be chosen.", faults)
    confirm = check(house, player, "password", proof)
    kept = house.passwords.hash(password)  # slow on purpose, so done outside the transaction
    with house.write() as session:
        confirm(session).password = kept
        tokens.end_all(house, session, player.id, but=token)


def check(house: Runtime, player: Player, purpose: Purpose, proof: Proof) -> Callable[[Session], Player]:
    """Check that a request is the owner's own; returns what confirms it in the transaction of the change.

    That returns the player's row, locked until the commit. Both raise `Problem`: 401 for a challenge, 403
    for a password, 429 during a pause after wrong ones.
    """
    if isinstance(proof, Signature):
        answered = challenges.judge(house, player, player.handle, purpose, proof.answer)

        def confirm(session: Session) -> Player:
            challenges.spend(session, answered)
            return locked(session, player.id)

        return confirm
    known = _check_password(house, player, proof.password)

    def confirm_password(session: Session) -> Player:
        row = locked(session, player.id)
        if row.password != known:  # it was changed meanwhile
            raise _wrong()
        return row

    return confirm_password


def _check_password(house: Runtime, player: Player, password: str) -> str:
    """The kept hash of the password, which is the right one. Raises `Problem` 403, 429, 503."""
    wait = house.brake.left(player.handle) or house.brake.count(player.handle)
    if wait:
        raise challenges.paused(wait)
    with house.read() as session:
        kept = session.exec(select(Player.password).where(Player.id == player.id)).one()
    try:
        right = house.passwords.check(kept, password)
    except Problem:
        house.brake.take_back(player.handle)
        raise
    if not right:
        raise _wrong()
    house.brake.release(player.handle)
    return kept


def locked(session: Session, player_id: str) -> Player:
    """The player's row, locked until the commit, so that changes of an account take turns."""
    mine = select(Player).where(col(Player.id) == player_id).with_for_update(key_share=True)
    return session.exec(mine.execution_options(populate_existing=True)).one()


def _wrong() -> Problem:
    return forbidden("wrong_password", "The password is wrong.")


def one_proof(password: str | None, answer: Mapping[str, str] | None) -> Proof:
    """The proof of a request, which has a password or an answer. Raises `Problem` 422 for both or neither."""
    if password is not None and answer is None:
        return Password(password)
    if answer is not None and password is None:
        return Signature(answer)
    detail = "Prove that you are the owner: by your present password, or by an answer to a challenge."
    raise invalid("one_proof", detail, [Fault("one_proof", detail, "/current")])
