"""Certificates: the house signs, once a match, that a deck is legal and owned (protocol section 5)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from sqlmodel import Session

from referee.certificate import certify
from service.models import GameRow, GameSeat
from service.operations.games import fold_of, require_not_stopped, row_of
from service.problems import conflict
from service.runtime import Runtime


def certificate(house: Runtime, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
    """The certificate of a seat's deck under its owner's 32-byte seed. It is made once.

    The same seed gets the same bytes again. Another seed is refused with `Problem` 409.
    """
    digest = sha256(seed).hexdigest()
    with house.read() as session:
        row = row_of(session, game_id)
        held = _certifiable(session, row, seat, digest)
        if held.certificate is not None:
            return held.certificate
        header, cards = fold_of(session, row).header, held.cards or {}
    # Forty commitments take a while, so they are computed before the row is locked.
    deck = [header.cards[int(card)] for card, count in cards.items() for _ in range(count)]
    made = certify(house.keys_of(header.house_key).signing_key, header, seat, deck, seed, house.now())
    with house.write() as session:
        held = _certifiable(session, row_of(session, game_id, lock=True), seat, digest)
        if held.certificate is None:
            held.certificate, held.seed_digest = made, digest
            session.add(held)
        return held.certificate or made


def _certifiable(session: Session, row: GameRow, seat: int, digest: str) -> GameSeat:
    """A seat that has its certificate under the seed with this digest, or may get one now."""
    held = session.get_one(GameSeat, (row.id, seat))
    fold = fold_of(session, row)
    if not fold.rules.facts.own_decks:
        raise conflict("no_own_deck", "Players of this mode have no decks of their own.")
    if held.certificate is not None and held.seed_digest != digest:
        raise conflict("certificate_given", "This seat already has a certificate under another seed.")
    if held.certificate is None:
        require_not_stopped(row)
    entering = fold.asking is not None and fold.asking.kind == "enter"
    if held.certificate is None and (fold.over or not entering):
        raise conflict("too_late", "The time to enter is over.")
    return held
