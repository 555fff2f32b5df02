"""Helpers of the tests of trades: goods that can be traded, and what the books say of them."""

from __future__ import annotations

from typing import Any

from sqlmodel import select

from service.models import Copy
from service.operations import collection, ledger
from service.operations.audit import audit
from service.operations.ledger import MINT, Transfer
from service.runtime import Runtime
from tests.service.service_kit import Guest


def enrich(house: Runtime, guest: Guest, coins: int = 0, **cards: int) -> list[str]:
    """Give somebody coins, and copies that are not bound, by slug with _ for -; the ids of the copies."""
    with house.write() as session:
        if coins:
            ledger.post(session, "reward", [Transfer(MINT, guest.id, coins=coins)], house.now())
        counts = {house.catalog.by_slug(slug.replace("_", "-")).number: n for slug, n in cards.items()}
        if not counts:
            return []
        made = collection.give(
            session, guest.id, counts, "booster:test", house.now(), kind="opening", soulbound=False
        )
        return [copy.id for copy in made]


def offer_one(house: Runtime, guest: Guest) -> str:
    """Let a guest offer one copy of their starter deck, as if it were not bound; the id of the offer."""
    with house.write() as session:
        copy = session.exec(select(Copy).where(Copy.owner_id == guest.id)).first()
        assert copy is not None
        copy.soulbound = False
        session.add(copy)
    made = guest.post("/offers", {"gives": {"copies": [copy.id]}, "wants": {"coins": 1}})
    assert made.status_code == 201, made.text
    return str(made.json["id"])


def coins(house: Runtime, guest: Guest) -> int:
    with house.read() as session:
        return ledger.coins_of(session, guest.id)


def where(house: Runtime, copy_id: str) -> tuple[str, str, str | None]:
    """Return a copy's owner, its state, and what holds it."""
    with house.read() as session:
        copy = session.exec(select(Copy).where(Copy.id == copy_id)).one()
        return copy.owner_id, copy.state, copy.held_by


def findings(house: Runtime) -> list[str]:
    """Return what the audit finds wrong."""
    with house.read() as session:
        return [str(finding) for finding in audit(session).findings]


def offer(guest: Guest, gives: Any, wants: Any, **more: Any) -> Any:
    """Make an offer; the answer's document."""
    made = guest.post("/offers", {"gives": gives, "wants": wants, **more})
    assert made.status_code == 201, made.json
    return made.json


def accept(guest: Guest, made: Any, copies: list[str] | None = None) -> Any:
    """Take an offer; the answer's document."""
    taken = guest.post(f"/offers/{made['id']}/accept", {"copies": copies or []})
    assert taken.status_code == 200, taken.json
    return taken.json
