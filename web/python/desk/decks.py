"""Cards, pictures and decks, from the card sets of this build. Nothing of it is asked of the house."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from cards.catalog import card_sets
from cards.catalog.cards import Catalog, Printing
from cards.decks import deck_lists, formats, legality
from cards.decks.deck_lists import DeckFault, DeckList
from cards.decks.legality import BASIC, OWNED, Holdings
from cards.decks.odds import MOST_CARDS
from cards.decks.search import CARDS, CardFacts, Search, card_facts, parse, write
from cards.decks.search.parser import QueryError
from cards.decks.statistics import hands, statistics_of, suggestions
from cards.pictures import picture
from desk import calls
from desk.calls import call


@cache
def catalog() -> Catalog:
    """The card sets of this build."""
    return card_sets.load()


@cache
def _formats() -> Mapping[str, formats.Format]:
    return formats.load(catalog())


@cache
def _set_names() -> Mapping[str, str]:
    return {each.code: each.name for each in catalog().sets}


def _printing(slug: str) -> Printing | None:
    try:
        return catalog().printings[catalog().called(slug).number]
    except KeyError:
        return None


def _facts(printing: Printing) -> dict[str, Any]:
    return {
        **printing.card.text(),
        "set": printing.set_code,
        "rarity": printing.rarity,
        "basic": printing.basic,
        "text": printing.flavour,
        "retired": printing.retired,
    }


@call("cards.all")
def all_cards() -> dict[str, Any]:
    """Every card of this build."""
    found = catalog()
    version = " ".join(f"{each.code} {each.version}" for each in found.sets)
    return {"cards": [_facts(each) for each in found.printings.values()], "version": version}


@call("cards.search")
def search(query: str, owned: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Search by the language of docs/search.md."""
    try:
        parsed = parse(query, CARDS)
    except QueryError as error:
        told = {"column": error.column, "code": error.code, "detail": f"{error.text}."}
        raise calls.DeskFault(error.code, f"{error.text}.", errors=[told]) from None
    held = {_number(slug): n for slug, n in (owned or {}).items()}
    searched: Search[CardFacts] = Search(parsed.query, CARDS, held)
    page = searched.page(card_facts(catalog()))
    return {
        "slugs": [catalog().cards[fact.number].slug for fact in page],
        "query": write(parsed.query),
        "warnings": [
            {"code": each.code, "detail": f"{each.text}.", "column": each.column} for each in parsed.warnings
        ],
    }


@call("pictures.cards")
def pictures(slugs: list[str]) -> dict[str, Any]:
    """Draw cards."""
    return {"svgs": [_drawn(slug) for slug in slugs]}


@cache
def _drawn(slug: str) -> str | None:
    printing = _printing(slug)
    return None if printing is None else picture(printing, _set_names()[printing.set_code])


def _number(slug: str) -> int:
    """A card's number. Raises `DeskFault` unknown_card."""
    try:
        return catalog().called(slug).number
    except KeyError:
        text = "This build knows no such card."
        raise calls.DeskFault("unknown_card", text, pointer=f"/cards/{slug}") from None


def _numbered(cards: Mapping[str, int]) -> dict[int, int]:
    return {_number(slug): n for slug, n in cards.items() if n > 0}


def _deck(cards: Mapping[str, int]) -> dict[Any, int]:
    if sum(cards.values()) > MOST_CARDS:
        raise calls.DeskFault(
            "too_many_cards", f"Statistics are for at most {MOST_CARDS} cards.", pointer="/cards"
        )
    return {catalog().cards[number]: n for number, n in _numbered(cards).items()}


def _fault(found: DeckFault) -> dict[str, Any]:
    number = found.data.get("number")
    card = catalog().cards.get(number) if isinstance(number, int) else None
    told = {**found.data, "code": found.code, "text": found.text, "pointer": found.pointer}
    return told if card is None else {**told, "card": card.slug, "pointer": f"/cards/{card.slug}"}


@call("decks.check")
def check(
    cards: Mapping[str, int], owned: Mapping[str, int] | None = None, format: str | None = None
) -> dict[str, Any]:
    """Judge a deck list by the rules, and if asked by a format and by the copies that are owned."""
    deck = DeckList(_numbered(cards))
    rules = [BASIC, *([OWNED] if owned is not None else []), *([format] if format else [])]
    if format is not None and format not in _formats():
        raise calls.DeskFault("unknown_rules", "This build knows no such format.", pointer="/format")
    held = _numbered(owned or {})
    found = legality.check(deck, catalog(), rules, _formats(), Holdings(held, held), "/cards")
    return {
        "legal": all(each.legal for each in found),
        "size": len(deck),
        "faults": [{**_fault(fault), "rules": each.rules} for each in found for fault in each.faults],
        "warnings": [_fault(each) for each in deck_lists.warnings(deck, catalog(), "/cards")],
    }


@call("decks.statistics")
def statistics(cards: Mapping[str, int], rounds: int = 10, seed: str = "1") -> dict[str, Any]:
    """Odds and expected yum."""
    return statistics_of(_deck(cards), rounds, seed)


@call("decks.hands")
def sample_hands(
    cards: Mapping[str, int], count: int = 3, rounds: int = 4, seed: str = "1"
) -> dict[str, Any]:
    """Sample hands."""
    return hands(_deck(cards), rounds, count, seed)


@call("decks.suggestions")
def advice(
    cards: Mapping[str, int], owned: Mapping[str, int] | None = None, seed: str = "1"
) -> dict[str, Any]:
    """Exchanges that would raise the expected yum."""
    return suggestions(_deck(cards), _deck(owned or {}), seed)
