"""Players: register and find them."""

from __future__ import annotations

import re

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, or_, select

from crypto.encoding import EncodingError, unb64
from crypto.identity import check_public_key
from service.models import Player
from service.operations import collection, decks
from service.passwords import common
from service.problems import Fault, conflict, invalid, not_found
from service.runtime import Runtime

LONGEST_HANDLE = 24
HANDLE = f"^[A-Za-z][A-Za-z0-9_-]{{2,{LONGEST_HANDLE - 1}}}$"
HANDLE_RULE = (
    f"3 to {LONGEST_HANDLE} letters of a-z, digits, - and _, beginning with a letter;"
    " unique whatever its case."
)
PASSWORD_LENGTH = (8, 200)

_RESERVED = frozenset({"house", "cloche", "admin", "moderator", "spectator", "nobody", "bot"})
"""Handles that players could mistake for the house."""


def register(house: Runtime, *, handle: str, password: str, key: str, starter: str | None) -> Player:
    """Register a player with the copies and the deck list of a starter deck.

    `starter` is None if the house has no starter decks. Raises `Problem` 422 with every fault of the fields,
    and 409 for a handle or a key that another player has.
    """
    faults = [*_handle_faults(handle), *_password_faults(password, handle), *_key_faults(key)]
    faults += _starter_faults(house, starter)
    if faults:
        raise invalid("invalid_registration", "Some fields are not as they should be.", faults)
    with house.read() as session:
        _refuse_taken(session, handle, key)
    player = Player(
        handle=handle,
        folded=handle.lower(),
        password=house.passwords.hash(password),  # slow on purpose, so done outside the transaction
        key=key,
        created_at=house.now(),
    )
    try:
        with house.write() as session:
            session.add(player)
            session.flush()
            if starter is not None:
                deck = house.catalog.starters[starter]
                collection.give_starter(session, player.id, deck, player.created_at)
                decks.add(session, player.id, deck.name, deck.counts, player.created_at)
    except IntegrityError:
        with house.read() as session:  # another request was quicker
            _refuse_taken(session, handle, key)
        raise
    return player


def find(session: Session, handle: str) -> Player:
    """The player with this handle, whatever its case. Raises `Problem` 404."""
    player = session.exec(select(Player).where(Player.folded == handle.lower())).first()
    if player is None:
        raise not_found("player")
    return player


def _handle_faults(handle: str) -> list[Fault]:
    if not re.fullmatch(HANDLE, handle):
        return [Fault("bad_handle", f"A handle has {HANDLE_RULE}", "/handle")]
    if handle.lower() in _RESERVED:
        return [Fault("reserved_handle", "That handle is reserved for the house.", "/handle")]
    return []


def _password_faults(password: str, handle: str) -> list[Fault]:
    shortest, longest = PASSWORD_LENGTH
    if shortest <= len(password) <= longest:
        if password.lower() in common() or password.lower() == handle.lower():
            text = "That password is among the first that anybody would guess: choose another."
            return [Fault("common_password", text, "/password")]
        return []
    detail = f"A password has {shortest} to {longest} characters."
    return [Fault("bad_password", detail, "/password", data={"at_least": shortest, "at_most": longest})]


def _key_faults(key: str) -> list[Fault]:
    try:
        check_public_key(unb64(key, 32))
    except EncodingError as error:
        return [Fault("bad_key", f"The key is not an Ed25519 public key in base64url: {error}.", "/key")]
    return []


def _starter_faults(house: Runtime, starter: str | None) -> list[Fault]:
    known = house.catalog.starters
    names = ", ".join(known) or "none"
    if starter is None:
        return [Fault("required", f"Choose a starter deck: {names}.", "/starter")] if known else []
    if starter in known:
        return []
    return [
        Fault("unknown_starter", f"There is no such starter deck. Starter decks here: {names}.", "/starter")
    ]


def _refuse_taken(session: Session, handle: str, key: str) -> None:
    same = or_(col(Player.folded) == handle.lower(), col(Player.key) == key)
    faults: list[Fault] = []
    for player in session.exec(select(Player).where(same)):
        if player.folded == handle.lower():
            faults.append(Fault("handle_taken", "Another player has that handle.", "/handle"))
        if player.key == key:
            faults.append(Fault("key_taken", "Another player has that key.", "/key"))
    if faults:
        raise conflict(faults[0].code, faults[0].detail, faults)
