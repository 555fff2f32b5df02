"""Opening a booster so that the house can't choose its cards (docs/boosters.md).

A booster's cards follow from a link of the house's chain, the player's nonce, the rules, the booster's id and
the openings before it. A house that could still choose one of these after it has heard the nonce could look
for cards that it likes. So the nonce is a hash of all of them under a secret of the player. With anything
else in their place the nonce would be another one, and the player, who knows the secret, notices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crypto.encoding import EncodingError, b64, parse, unb64
from player.house import BoosterHouse, HouseFault
from player.vault_format import Identity
from referee.boosters import (
    FIRST,
    Commitment,
    nonce_of,
    opening_digest,
    read_commitment,
    verify_boosters,
)
from referee.errors import Refused


@dataclass(frozen=True, slots=True)
class OpeningTerms:
    """Everything that is settled before a booster is opened."""

    booster: str
    """The booster's id."""
    rules: bytes
    """The digest of the rules by which the booster is opened, 64 bytes."""
    anchor: bytes
    """The anchor of the house's chain for this player, 64 bytes."""
    nonce: bytes
    """The player's nonce, 32 bytes: a hash of the booster, that chain, the rules and all openings so far."""


def opening_terms(api: BoosterHouse, identity: Identity, booster_id: str) -> OpeningTerms | None:
    """Settle what a booster is opened by, and make the nonce; None if the booster is not the player's.

    A booster that was opened on such terms before, and whose answer was lost, gets the same nonce again.
    Raises `HouseFault` if the house is not bound, or if what it has signed so far does not hold.
    """
    shown = next(
        (b for state in ("closed", "opened") for b in api.boosters(state) if b["id"] == booster_id), None
    )
    if shown is None:
        return None
    committed = _commitment(api, identity)
    file = _verified_file(api, identity)
    for opening in file["openings"]:
        if opening["booster"] == booster_id:
            nonce = _own_nonce(file, opening, identity.private)
            return OpeningTerms(booster_id, unb64(opening["rules"]), _anchor(file, opening), nonce)
    prev = opening_digest(file["openings"][-1]) if file["openings"] else FIRST
    try:
        rules = unb64(shown["rules"], len(FIRST))
    except EncodingError:
        raise HouseFault(
            "bad_rules", "the house names no rules for the booster", {"booster": shown}
        ) from None
    nonce = nonce_of(identity.private, file["player"], committed.anchor, prev, rules, booster_id)
    return OpeningTerms(booster_id, rules, committed.anchor, nonce)


def open_on_terms(api: BoosterHouse, identity: Identity, terms: OpeningTerms) -> Mapping[str, Any]:
    """Open a booster and check everything; returns the opening as the house has signed it.

    Raises `HouseFault` if the cards don't follow, or follow from something else than the terms.
    """
    opening: Any = api.open_booster(terms.booster, terms.anchor, terms.nonce).get("opening")
    file = _verified_file(api, identity)
    same = (
        opening in file["openings"]
        and opening["booster"] == terms.booster
        and opening["nonce"] == b64(terms.nonce)
        and _own_nonce(file, opening, identity.private) == terms.nonce
    )
    if not same:
        text = (
            "the house has not opened the booster on the settled terms: the rules, the chain or the"
            " earlier openings differ (if you have opened another booster elsewhere at the same moment,"
            " that can be honest)"
        )
        raise HouseFault("other_opening", text, {"nonce": b64(terms.nonce), "opening": opening})
    return dict(opening)


def _commitment(api: BoosterHouse, identity: Identity) -> Commitment:
    """The house's commitment to the player, signed with the house key that the player knows."""
    answer = api.booster_commitment()
    try:
        found = read_commitment(answer, api.me()["id"])
    except Refused as refused:
        text = f"the house's commitment is not valid: {refused.text} ({refused.pointer})"
        raise HouseFault(refused.code, text, {"commitment": answer}) from None
    if found.house_key != identity.house_key:
        raise HouseFault(
            "wrong_house", "the house's commitment is signed with another key", {"commitment": answer}
        )
    return found


def _verified_file(api: BoosterHouse, identity: Identity) -> Mapping[str, Any]:
    """The file of all boosters that the player has opened, verified."""
    data = api.booster_record()
    report = verify_boosters(data, identity.house_key, api.house().successions)
    if report.fault is not None:
        text = f"the file of your openings is not valid: {report.fault.text} ({report.fault.pointer})"
        raise HouseFault(report.fault.code, text, {"file": parse(data)})
    file: Mapping[str, Any] = parse(data)
    return file


def _anchor(file: Mapping[str, Any], opening: Mapping[str, Any]) -> bytes:
    """The anchor of an opening's chain, 64 bytes. The file numbers its chains from 1."""
    return unb64(file["chains"][opening["chain"] - 1]["anchor"])


def _own_nonce(file: Mapping[str, Any], opening: Mapping[str, Any], private: bytes) -> bytes:
    """The nonce that the player makes for an opening of a verified file."""
    prev, rules = unb64(opening["prev"]), unb64(opening["rules"])
    return nonce_of(private, file["player"], _anchor(file, opening), prev, rules, opening["booster"])
