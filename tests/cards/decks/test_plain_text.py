"""Deck lists as plain text: reading, writing, and every error with its line."""

import pytest

from cards.catalog import card_sets, cards
from cards.decks.plain_text import DeckTextError, read_deck, write_deck

CARDS = [card.text() for card in card_sets.load().cards.values()]
STARTERS = card_sets.load().starters.values()


@pytest.mark.parametrize("starter", STARTERS, ids=lambda starter: starter.slug)
def test_starter_decks_read_back(starter: cards.Starter) -> None:
    slugs = {card["number"]: card["slug"] for card in CARDS}
    counts = {slugs[number]: count for number, count in starter.counts.items()}
    text = write_deck(counts, CARDS)
    assert read_deck(text, CARDS) == counts
    assert text.startswith("# Ingredients: ")
    assert "\n# Recipes: " in text


def test_names_slugs_and_numbers_in_any_case() -> None:
    card = CARDS[0]
    lines = [f"1 {card['name'].upper()}", f"2x {card['slug']}", f"3 × {card['number']}", "", "  # nothing"]
    assert read_deck("\n".join(lines), CARDS) == {card["slug"]: 6}


def test_every_fault_by_its_line() -> None:
    name = CARDS[0]["name"]
    text = f"{name}\n3 {name}\n1 Unheard Of\n0 {name}\n1 {name[:-1]}x # near\n-1 {name}"
    with pytest.raises(DeckTextError) as caught:
        read_deck(text, CARDS)
    found = [(fault.line, fault.code) for fault in caught.value.faults]
    assert found == [
        (1, "bad_line"),
        (3, "unknown_card"),
        (4, "bad_count"),
        (5, "unknown_card"),
        (6, "bad_line"),
    ]
    assert f"; {name}?" in caught.value.faults[3].text


def test_cards_that_the_house_no_longer_lists_are_kept() -> None:
    assert write_deck({"gone-card": 2}, CARDS) == "2 gone-card\n"
