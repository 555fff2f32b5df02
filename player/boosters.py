"""Opening a booster so that nothing is left to the house once it has heard the nonce (docs/boosters.md).

A booster's cards follow from more than a link and a nonce: from the link's number and the counter, so from
what was opened before; from the rules, and from ids. A house that could still choose one of these afterwards
could look for cards that it likes. So the nonce is a hash of all of them under a secret of the player's: with
anything else in its place it would have been another nonce, and who knows the secret sees that it is not.
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
    """All that is said before a booster is opened."""

    booster: str
    """Its id."""
    rules: bytes
    """The digest of those by which it is opened, 64 bytes."""
    anchor: bytes
    """Of the house's chain for us, 64 bytes."""
    nonce: bytes
    """Ours, 32 bytes: made of this booster, that chain, the rules and all openings so far."""


def opening_terms(api: BoosterHouse, identity: Identity, booster_id: str) -> OpeningTerms | None:
    """See what a booster of ours will be opened by, and choose the nonce; None where it is not ours.

    One that was opened before by a nonce of this kind, whose answer was lost, gets the same nonce again.
    Raises `HouseFault` where the house is not bound, or what it has signed so far does not hold.
    """
    shown = next(
        (b for state in ("closed", "opened") for b in api.boosters(state) if b["id"] == booster_id), None
    )
    if shown is None:
        return None
    committed = _commitment(api, identity)
    file = _file(api, identity)
    for opening in file["openings"]:
        if opening["booster"] == booster_id:
            nonce = _nonce_in(file, opening, identity.private)
            return OpeningTerms(booster_id, unb64(opening["rules"]), _anchor(file, opening), nonce)
    prev = opening_digest(file["openings"][-1]) if file["openings"] else FIRST
    try:
        rules = unb64(shown["rules"], len(FIRST))
    except EncodingError:
        raise HouseFault("bad_rules", "it names no rules for the booster", {"booster": shown}) from None
    nonce = nonce_of(identity.private, file["player"], committed.anchor, prev, rules, booster_id)
    return OpeningTerms(booster_id, rules, committed.anchor, nonce)


def open_on_terms(api: BoosterHouse, identity: Identity, agreed: OpeningTerms) -> Mapping[str, Any]:
    """Open it, and check everything; the opening, as the house has signed it.

    Raises `HouseFault` where the cards are not what follows, or follow from something else than was agreed.
    """
    opening: Any = api.open_booster(agreed.booster, agreed.anchor, agreed.nonce).get("opening")
    file = _file(api, identity)
    same = (
        opening in file["openings"]
        and opening["booster"] == agreed.booster
        and opening["nonce"] == b64(agreed.nonce)
        and _nonce_in(file, opening, identity.private) == agreed.nonce
    )
    if not same:
        text = (
            "it has opened the booster by something else than was agreed: by other rules, under another"
            " chain, or behind openings that were not there (honestly only if you have opened another one"
            " elsewhere at the same moment)"
        )
        raise HouseFault("other_opening", text, {"nonce": b64(agreed.nonce), "opening": opening})
    return dict(opening)


def _commitment(api: BoosterHouse, identity: Identity) -> Commitment:
    """The house's commitment to us, signed by the key that we know."""
    said = api.booster_commitment()
    try:
        found = read_commitment(said, api.me()["id"])
    except Refused as refused:
        text = f"its commitment {refused.text} ({refused.pointer})"
        raise HouseFault(refused.code, text, {"commitment": said}) from None
    if found.house_key != identity.house_key:
        raise HouseFault("wrong_house", "its commitment is signed by another key", {"commitment": said})
    return found


def _file(api: BoosterHouse, identity: Identity) -> Mapping[str, Any]:
    """The file of all that we have opened, verified."""
    data = api.booster_record()
    report = verify_boosters(data, identity.house_key, api.house().successions)
    if report.fault is not None:
        text = f"what it says came out is not what follows: {report.fault.text} ({report.fault.pointer})"
        raise HouseFault(report.fault.code, text, {"file": parse(data)})
    file: Mapping[str, Any] = parse(data)
    return file


def _anchor(file: Mapping[str, Any], opening: Mapping[str, Any]) -> bytes:
    """Of the chain of an opening in a verified file: chains stand there by their numbers."""
    return unb64(file["chains"][opening["chain"] - 1]["anchor"])


def _nonce_in(file: Mapping[str, Any], opening: Mapping[str, Any], private: bytes) -> bytes:
    """The nonce that we would have chosen for an opening of a verified file."""
    prev, rules = unb64(opening["prev"]), unb64(opening["rules"])
    return nonce_of(private, file["player"], _anchor(file, opening), prev, rules, opening["booster"])
