"""The rules of building a deck (rulings, chef 10). A set's starter decks keep them, and so do deck lists."""

from __future__ import annotations

DECK_SIZE = 40
"""Cards in a deck (protocol section 6)."""

MOST_COPIES = 3
"""Copies of one card that a deck may hold, Basic Ingredients included."""


def size_error(cards: int) -> str | None:
    """Say in a sentence why a deck with so many cards breaks the rules; None if it keeps them."""
    if cards == DECK_SIZE:
        return None
    return f"A deck holds exactly {DECK_SIZE} cards; this one holds {cards}."


def copies_error(name: str, copies: int) -> str | None:
    """Say in a sentence why so many copies of a card break the rules; None if they keep them."""
    if copies <= MOST_COPIES:
        return None
    return f"{copies} copies of {name}; at most {MOST_COPIES} are allowed."
