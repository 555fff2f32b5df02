"""Players: register and find them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, select

from crypto.encoding import EncodingError, unb64
from crypto.identity import check_public_key
from referee.errors import Refused
from referee.sign_in import read_registration
from service import handles
from service.keys import UnknownKey
from service.models import Player
from service.operations import boosters, collection, decks, naming
from service.passwords import common
from service.problems import Fault, conflict, invalid, not_found
from service.runtime import Runtime

PASSWORD_LENGTH = (8, 200)


def register(
    house: Runtime, *, handle: str, password: str, key: str, proof: Mapping[str, str], starter: str | None
) -> Player:
    """Register a player with the copies and the deck list of a starter deck, and with welcome boosters.

    `proof` shows that the player has the key (`referee.sign_in.write_registration`). `starter` is None if the
    house has no starter decks. Raises `Problem` 422 with every fault of the fields,
    and 409 for a key that another player has, or a handle that is another's or looks like it.
    """
    faults = [*handles.faults(handle), *password_faults(password, handle)]
    faults += _key_faults(key) or _proof_faults(house, handle, key, proof)
    faults += _starter_faults(house, starter)
    if faults:
        raise invalid("invalid_registration", "Some fields are not as they should be.", faults)
    with house.read() as session:
        _refuse_taken(house, session, handle, key)
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
            naming.claim(session, player.id, handle, player.created_at)
            if starter is not None:
                deck = house.catalog.starters[starter]
                collection.give_starter(session, player.id, deck, player.created_at)
                decks.add(session, player.id, deck.name, deck.counts, player.created_at)
            boosters.welcome(house, session, player.id, player.created_at)
    except IntegrityError:
        with house.read() as session:  # another request was quicker
            _refuse_taken(house, session, handle, key)
        raise
    return player


def find(session: Session, handle: str, now: int) -> Player:
    """The player who has this handle, or had it until lately, whatever its case. Raises `Problem` 404."""
    player = naming.holder(session, handle, now)
    if player is None:
        raise not_found("player")
    return player


def password_faults(password: str, handle: str) -> list[Fault]:
    """The faults of a new password for the player with this handle."""
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


def _proof_faults(house: Runtime, handle: str, key: str, proof: Mapping[str, str]) -> list[Fault]:
    """The faults of a proof of a good key: it must be this key's, for this handle and this house."""
    try:
        house.keys_of(read_registration(dict(proof), unb64(key, 32), handle, "/proof"))
    except Refused as refused:
        return [Fault(refused.code, f"{refused.text[:1].upper()}{refused.text[1:]}.", refused.pointer)]
    except UnknownKey:
        detail = "The proof is for another house: GET /house shows the key of this one."
        return [Fault("wrong_house", detail, "/proof/house")]
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


def _refuse_taken(house: Runtime, session: Session, handle: str, key: str) -> None:
    faults = naming.taken(session, handle, house.now())
    if session.exec(select(Player.id).where(Player.key == key)).first() is not None:
        faults.append(Fault("key_taken", "Another player has that key.", "/key"))
    if faults:
        raise conflict(faults[0].code, faults[0].detail, faults)
