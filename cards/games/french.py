"""Packs of French-suited cards, with or without Jokers, for the classic games.

A card is its code: rank then suit, "2C" to "AS"; every Joker is "Joker". The
canonical order of a pack is clubs, diamonds, hearts, spades, each from the 2
to the ace, then the Jokers; several packs lie one after another (rulings,
"All classic modes").
"""

from __future__ import annotations

from collections.abc import Iterable

SUITS = ("C", "D", "H", "S")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
JOKER = "Joker"

PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 cards in canonical order."""

_PLACE: dict[str, int] = {code: place for place, code in enumerate((*PACK, JOKER))}
_SUIT: dict[str, str] = {code: code[-1] for code in PACK}
_RANK: dict[str, int] = {code: RANKS.index(code[:-1]) for code in PACK}

_RANK_NAMES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def packs(count: int = 1, jokers: int = 0) -> tuple[str, ...]:
    """`count` packs with `jokers` Jokers each, in canonical order.

    >>> len(packs(2, jokers=2)), packs()[0], packs(1, 2)[-1]
    (108, '2C', 'Joker')
    """
    return (*PACK, *(JOKER,) * jokers) * count


def is_code(value: object) -> bool:
    """Tell whether `value` is the code of a card (a Joker is one)."""
    return isinstance(value, str) and value in _PLACE


def suit(code: str) -> str:
    """The suit's letter; KeyError for a Joker and for what is no card."""
    return _SUIT[code]


def rank(code: str) -> int:
    """The rank from 0 (the 2) to 12 (the ace); KeyError for a Joker and for what is no card."""
    return _RANK[code]


def place(code: str) -> int:
    """Return where the card stands in a pack: 0 ("2C") to 51 ("AS"), 52 for a Joker."""
    return _PLACE[code]


def in_order(codes: Iterable[str]) -> list[str]:
    """The cards in canonical order.

    >>> in_order(["QS", "10C", "2H"])
    ['10C', '2H', 'QS']
    """
    return sorted(codes, key=_PLACE.__getitem__)


def title(code: str) -> str:
    """The card's name for people.

    >>> title("QS"), title("10C")
    ('queen of spades', '10 of clubs')
    """
    if code == JOKER:
        return "Joker"
    return f"{_RANK_NAMES.get(code[:-1], code[:-1])} of {_SUIT_NAMES[_SUIT[code]]}"
