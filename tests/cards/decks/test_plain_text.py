"""Deck lists as plain text: reading, writing, and every error with its line."""

import pytest

from cards.catalog import card_sets, cards
from cards.decks import plain_text
from cards.decks.plain_text import DeckTextError, read_deck, read_listing, write_deck

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
    assert f"Did you mean {name}?" in caught.value.faults[3].text


def test_cards_that_the_house_no_longer_lists_are_kept() -> None:
    assert write_deck({"gone-card": 2}, CARDS) == "2 gone-card\n"


@pytest.mark.parametrize(
    "line",
    [
        "2 Tuna (PB) 27",
        "2x tuna [pb] 27",
        "2 Tuna (PB)",
        "2 Tuna (PB)27 *F*",
        "2x Tuna (PB) 27 [Main,Fish] ^Have^",
        "- 2 Tuna",
        "* 2 Tuna (PB) 27 # a comment",
        "2   Tuna   (PB)   27   // a comment",
        "\ufeff2 Tuna",
    ],
)
def test_lines_as_other_deck_sites_export_them(line: str) -> None:
    read = read_listing(line, CARDS, ())
    assert (dict(read.counts), read.notices) == ({"tuna": 2}, ())


EXPORTED = """\
About
Name Sunday's fish

Deck
2 Tuna (PB) 27   # fresh
1 Rice

Special Ingredients
1 Truffle

Fish (3)
1 Tuna
== Recipes: 14 ==
[Main]
// nothing here
--- Desserts ---
Maybeboard (2)
2 Butter
1 A Card Of Another Game
a line that nobody understands

Recipes:
1 Toast
SB: 3 Salt
"""


def test_headings_comments_and_cards_aside() -> None:
    read = read_listing(EXPORTED, CARDS, ())
    assert read.counts == {"tuna": 3, "rice": 1, "truffle": 1, "toast": 1}
    assert [(notice.line, notice.code) for notice in read.notices] == [(17, "left_out"), (24, "left_out")]
    assert "3 copies are under Maybeboard" in read.notices[0].text
    assert "Salt" in read.notices[1].text


@pytest.mark.parametrize(
    "line", ["Tuna", "Tuna:", "Tuna (3)", "Wafles (3)", "[Tunna]", "3Tuna", "https://x.y/z"]
)
def test_a_card_without_its_count_is_no_heading(line: str) -> None:
    with pytest.raises(DeckTextError) as caught:
        read_listing(f"1 Toast\n{line}", CARDS, ())
    assert [(fault.line, fault.code) for fault in caught.value.faults] == [(2, "bad_line")]


def test_the_name_decides_where_the_printing_is_another() -> None:
    read = read_listing("1 Tuna (XY) 3", CARDS, ())
    assert read.counts == {"tuna": 1}
    (notice,) = read.notices
    assert (notice.code, "27" in notice.text, "3" in notice.text) == ("other_printing", True, True)


def test_a_text_that_wants_to_be_slow_is_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Similar names are sought for the first few alone, and no line is matched that is too long."""
    sought: list[str] = []
    monkeypatch.setattr(plain_text, "get_close_matches", lambda name, *_: sought.append(name) or [])
    lines = [f"1 {'a' * (i % 50)} {'b' * (i // 50 + 1)}" for i in range(2500)]
    with pytest.raises(DeckTextError) as caught:
        read_listing("\n".join([*lines, f"1 a{' (b) [' * 9000}", f"1 c{'.' * 60_000}"]), CARDS, ())
    assert len(caught.value.faults) == len(lines) + 2
    assert len(sought) == plain_text.MOST_GUESSES
