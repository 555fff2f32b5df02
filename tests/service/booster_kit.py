"""Boosters by hand: what a player asks for and shows, request by request."""

from __future__ import annotations

from typing import Any

from crypto.encoding import b64, parse, unb64
from referee.booster_statements import FIRST, BoosterTerms, opening_digest, seal_of
from referee.boosters import verify_boosters
from service.config import Settings
from service.runtime import Runtime
from tests.service.service_kit import Guest, give_coins

PRICE = Settings().booster_price


def bought(house: Runtime, guest: Guest, count: int = 1) -> list[str]:
    """The ids of boosters that a player buys with coins that were given."""
    give_coins(house, guest.id, PRICE * count)
    answers = [guest.post("/boosters", {"set": "PB"}) for _ in range(count)]
    assert {answer.status_code for answer in answers} == {201}
    return [answer.json["id"] for answer in answers]


def committed(guest: Guest, known: Any = None) -> Any:
    """The house's commitment to a player."""
    answer = guest.post("/boosters/commitment", {"known": known})
    assert answer.status_code == 200, answer.text
    return answer.json


def recorded(guest: Guest) -> bytes:
    """The house's file of a player's boosters."""
    answer = guest.get("/boosters/record")
    assert answer.status_code == 200, answer.text
    return bytes(answer.data)


def nonce_by(number: int) -> bytes:
    """A nonce for tests."""
    return bytes([number]) * 32


def asked(guest: Guest, booster_id: str, nonce: int = 1, chain: Any = None, **other: Any) -> dict[str, Any]:
    """The body by which a player asks for an opening. `chain` is a commitment; `other` replaces terms."""
    chain = chain or committed(guest)
    data = recorded(guest)
    file, report = parse(data), verify_boosters(data)
    shown = [*guest.get("/boosters").json["items"], *guest.get("/boosters?state=opened").json["items"]]
    booster = next((item for item in shown if item["id"] == booster_id), {"rules": b64(FIRST), "set": "PB"})
    openings = file["openings"]
    terms = {
        "number": len(openings) + 1,
        "prev": opening_digest(openings[-1]) if openings else FIRST,
        "player": guest.id,
        "booster": booster_id,
        "rules": unb64(booster["rules"]),
        "since": report.since.get(booster["set"], 0),
        "chain": chain["chain"],
        "anchor": unb64(chain["anchor"]),
        "k": 1 + sum(opening["chain"] == chain["chain"] for opening in openings),
        "seal": seal_of(nonce_by(nonce)),
        **other,
    }
    signed = BoosterTerms(**terms).signed(guest.private)
    said = {name: b64(terms[name]) for name in ("anchor", "prev", "seal")}
    return {**said, "asked": b64(signed)}


def ask(guest: Guest, booster_id: str, nonce: int = 1, chain: Any = None) -> Any:
    """The house's answer to an ask."""
    return guest.post(f"/boosters/{booster_id}/ask", asked(guest, booster_id, nonce, chain))


def shown(guest: Guest, receipt: Any, nonce: int = 1) -> Any:
    """The house's answer to the nonce of a receipt."""
    body = {"receipt": receipt, "nonce": b64(nonce_by(nonce))}
    return guest.post(f"/boosters/{receipt['booster']}/open", body)


def opened(guest: Guest, booster_id: str, nonce: int = 1) -> Any:
    """The house's answer to an opening that is asked for and shown."""
    answer = ask(guest, booster_id, nonce)
    assert answer.status_code == 200, answer.text
    return shown(guest, answer.json, nonce)
