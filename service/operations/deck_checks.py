"""Checks of deck lists by several sets of rules at once, and the copies that a player lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from cards.catalog.cards import Catalog
from cards.decks import deck_lists, formats, legality
from cards.decks.deck_lists import DeckList
from cards.decks.formats import Format
from cards.decks.legality import BASIC, USUAL, Holdings, MissingCopies
from service.operations import collection, holds
from service.problems import Fault, Problem, invalid
from service.runtime import Runtime


@dataclass(frozen=True, slots=True)
class RulesResult:
    """The result of one set of rules."""

    name: str
    legal: bool


@dataclass(frozen=True, slots=True)
class Validation:
    """The faults of a deck list, and warnings about it."""

    rules: tuple[RulesResult, ...]
    faults: tuple[Fault, ...]
    """The faults by all these rules. `rules` in the data of each names the set of rules."""
    warnings: tuple[Fault, ...]

    @property
    def legal(self) -> bool:
        """True if the deck list has no fault by any of these rules."""
        return not self.faults


def validate(
    house: Runtime, session: Session, player_id: str, cards: Mapping[int, int], rules: Sequence[str]
) -> Validation:
    """Check a deck list by these sets of rules, with the copies that a player owns.

    `rules` may be "basic", "owned" and the names of the house's formats.
    """
    deck, catalog = DeckList(cards), house.catalog
    known = house.formats if set(rules) - set(USUAL) else {}
    checks = legality.check(deck, catalog, rules, known, _holdings(session, player_id), "/cards")
    warnings = deck_lists.warnings(deck, catalog, "/cards") if BASIC in rules else []
    return Validation(
        tuple(RulesResult(check.rules, check.legal) for check in checks),
        tuple(fault(catalog, found, check.rules) for check in checks for found in check.faults),
        tuple(fault(catalog, found, BASIC) for found in warnings),
    )


def missing(
    house: Runtime, session: Session, player_id: str, cards: Mapping[int, int]
) -> tuple[MissingCopies, ...]:
    """The copies that a player lacks for a deck list, by card number."""
    return legality.missing(DeckList(cards), house.catalog, _holdings(session, player_id))


def require_playable(
    session: Session, catalog: Catalog, owner_id: str, cards: Mapping[int, int], by: Format | None = None
) -> None:
    """Raise `Problem` 422 `deck_illegal` with every fault unless a match can be played with these cards.

    `by` is the format that the table asks for. The house checks when the match begins whether the copies are
    free.
    """
    problem = _illegal(catalog, cards, collection.owned(session, owner_id), by)
    if problem is not None:
        raise problem


def require_still_legal(
    catalog: Catalog, owner_id: str | None, cards: Mapping[int, int], by: Format | None = None
) -> None:
    """Raise `DeckGone` if no match can be played any more with the deck of a taken seat.

    The house may have restarted with other card sets, or with another version of the table's format.
    """
    problem = _illegal(catalog, cards, None, by)
    if problem is not None:
        raise holds.DeckGone(owner_id or "", problem)


def _illegal(
    catalog: Catalog, cards: Mapping[int, int], owned: Mapping[int, int] | None, by: Format | None
) -> Problem | None:
    deck = DeckList(cards)
    found = [fault(catalog, each) for each in deck_lists.faults(deck, catalog, owned, "/cards")]
    detail = "No match can be played with this deck."
    if by is not None:
        if not found:
            detail = f"A match can be played with this deck, but this table asks for the format {by.name}."
        found += (fault(catalog, each, by.slug) for each in formats.faults(deck, catalog, by, "/cards"))
    return invalid("deck_illegal", detail, found) if found else None


def _holdings(session: Session, player_id: str) -> Holdings:
    held = collection.holdings(session, player_id)
    return Holdings({each.card: each.owned for each in held}, {each.card: each.playable for each in held})


def fault(catalog: Catalog, found: deck_lists.DeckFault, rules: str | None = None) -> Fault:
    """The rules' fault as a fault of a problem document, in which a pointer names a card by its slug."""
    number = found.data.get("number")
    card = catalog.cards.get(number) if isinstance(number, int) else None
    pointer = f"/cards/{card.slug}" if card else found.pointer
    data = found.data if rules is None else {"rules": rules, **found.data}
    return Fault(found.code, found.text, pointer, data=data)
