"""The catalogue: the rules for cards (rulings, chef 1) and for sets, and the flaws that name every error."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.cards import CATEGORIES, FOLDER, NONE, Card, CatalogError, texts
from cards.catalog.changes import digest
from tests.cards.catalog.histories_kit import WHOLE, Data, read

TUNA: Data = {
    "number": 1027,
    "slug": "tuna",
    "name": "Tuna",
    "type": "ingredient",
    "provides": {"protein": 1},
    "costs": {},
    "kinds": ["Fish", "Seafood"],
    "list": [],
    "bonus": 0,
    "one_time": False,
}
SANDWICH: Data = {
    "number": 1125,
    "slug": "tuna-sandwich",
    "name": "Tuna Sandwich",
    "type": "recipe",
    "provides": {},
    "costs": {"oil": 1, "protein": 1, "starch": 1},
    "kinds": [],
    "list": ["Bread", "Fish", "Mayo"],
    "bonus": 0,
    "one_time": False,
}
TRUFFLE: Data = TUNA | {
    "slug": "truffle",
    "name": "Truffle",
    "provides": {},
    "costs": {"seasoning": 1},
    "kinds": [],
    "bonus": 2,
}


# -- A card ------------------------------------------------------------------


def test_a_card_has_the_vector_of_protocol_section_4() -> None:
    # Number, is it a recipe, then the nets: starch, vegetable, oil, protein, seasoning.
    assert Card.from_text(TUNA).vector == (1027, 0, 0, 0, 0, 1, 0)
    assert Card.from_text(SANDWICH).vector == (1125, 1, -1, 0, -1, -1, 0)
    assert Card.from_text(TRUFFLE).vector == (1027, 0, 0, 0, 0, 0, -1)


@pytest.mark.parametrize("text", [TUNA, SANDWICH, TRUFFLE])
def test_a_text_reads_back(text: Data) -> None:
    card = Card.from_text(text)
    assert card.text() == text
    assert Card.from_text(card.text()) == card


@pytest.mark.parametrize(
    ("base", "change", "field"),
    [
        (TUNA, {"costs": {"oil": 1}}, "costs"),  # provides and costs
        (TUNA, {"provides": {}}, "provides"),  # neither
        (TRUFFLE, {"bonus": 0}, "bonus"),  # special without a bonus
        (TUNA, {"bonus": 1}, "bonus"),  # a provider with a bonus that is not one-time
        (TUNA, {"list": ["Bread"]}, "list"),
        (TUNA, {"kinds": ["Tuna"]}, "kinds"),
        (SANDWICH, {"provides": {"oil": 1}}, "provides"),
        (SANDWICH, {"costs": {}}, "costs"),
        (SANDWICH, {"list": []}, "list"),
        (SANDWICH, {"kinds": ["Lunch"]}, "kinds"),
        (SANDWICH, {"bonus": 1}, "bonus"),
        (TUNA, {"number": 0}, "number"),
        (TUNA, {"number": 2**32}, "number"),
        (TUNA, {"number": True}, "number"),
        (TUNA, {"slug": "Tuna"}, "slug"),
        (TUNA, {"slug": "tuna\n"}, "slug"),
        (TUNA, {"name": " Tuna"}, "name"),
        (TUNA, {"name": "Tu\x00na"}, "name"),
        (TUNA, {"name": "x" * 61}, "name"),
        (TUNA, {"type": "fish"}, "type"),
        (TUNA, {"type": ["recipe"]}, "type"),
        (TUNA, {"provides": {"protein": 0}}, "provides"),
        (TUNA, {"provides": {"protein": 100}}, "provides"),
        (TUNA, {"provides": {"protein": True}}, "provides"),
        (TUNA, {"provides": {"iron": 1}}, "provides"),
        (TUNA, {"provides": [1]}, "provides"),
        (TUNA, {"kinds": ["Seafood", "Fish"]}, "kinds"),  # unsorted: two texts of one card
        (TUNA, {"kinds": ["Fish", "Fish"]}, "kinds"),
        (TUNA, {"kinds": "Fish"}, "kinds"),
        (TUNA, {"kinds": [1]}, "kinds"),
        (TUNA, {"bonus": -1}, "bonus"),
        (TUNA, {"one_time": 0}, "one_time"),
    ],
)
def test_a_text_that_is_no_card_is_refused(base: Data, change: Data, field: str) -> None:
    with pytest.raises(CatalogError) as refused:
        Card.from_text(base | change)
    assert field in [flaw.field for flaw in refused.value.flaws]


@pytest.mark.parametrize("text", [None, [], "tuna", {}, TUNA | {"rarity": "rare"}])
def test_a_text_has_just_the_fields_of_a_card(text: object) -> None:
    with pytest.raises(CatalogError):
        Card.from_text(text)


def test_a_one_time_provider_may_have_a_bonus() -> None:
    assert Card.from_text(TUNA | {"bonus": 2, "one_time": True}).bonus == 2


def test_all_faults_of_a_text_are_told_at_once() -> None:
    with pytest.raises(CatalogError) as refused:
        Card.from_text(TUNA | {"number": "1", "slug": "", "bonus": None})
    assert {flaw.field for flaw in refused.value.flaws} == {"number", "slug", "bonus"}


_names = st.lists(
    st.from_regex(r"[A-Z][a-z]{1,8}( [A-Z][a-z]{1,8})?", fullmatch=True), min_size=1, max_size=4, unique=True
)
_units = st.dictionaries(st.sampled_from(CATEGORIES), st.integers(1, 99), min_size=1)


@given(st.integers(1, 2**32 - 1), _units, _names, st.booleans())
def test_any_recipe_reads_back(number: int, costs: dict[str, int], names: list[str], one_time: bool) -> None:
    text = SANDWICH | {"number": number, "costs": costs, "list": sorted(names), "one_time": one_time}
    card = Card.from_text(text)
    assert card.text() == text
    assert card.vector[2:] == tuple(-costs.get(name, 0) for name in CATEGORIES)


# -- The base set ------------------------------------------------------------


def test_the_base_set() -> None:
    catalog = load()
    base = catalog.sets[0]
    assert (base.index, base.code) == (1, "PB")
    assert len(base.printings) >= 60
    assert all(number == 1000 + p.number_in_set for number, p in catalog.printings.items())
    assert [*catalog.cards] == sorted(catalog.cards)
    assert catalog.by_slug("tuna-sandwich").name == "Tuna Sandwich"
    assert load() is catalog


def test_ingredients_are_numbered_before_recipes() -> None:
    """Ingredients have the numbers 1 to 105, recipes 106 to 225, and cards that came later those above."""
    for printing in load().sets[0].printings:
        low, high = (106, 225) if printing.card.is_recipe else (1, 105)
        assert low <= printing.number_in_set <= high or printing.number_in_set > 225
        assert printing.basic == (printing.number_in_set <= 15)


def test_three_basics_of_each_category() -> None:
    basics = [p.card for p in load().printings.values() if p.basic]
    assert [sum(card.provides[i] for card in basics) for i in range(5)] == [3] * 5


def test_there_are_cards_of_every_sort() -> None:
    cards = load().cards.values()
    recipes = [card for card in cards if card.is_recipe]
    assert {sum(card.costs) for card in recipes} == {1, 2, 3, 4, 5}
    assert all(card.one_time == (sum(card.costs) == 5) for card in recipes)
    ingredients = [card for card in cards if not card.is_recipe]
    assert sum(card.is_special for card in ingredients) >= 3
    assert any(card.one_time and card.is_special for card in ingredients)
    assert any(card.one_time and not card.is_special and card.bonus for card in ingredients)
    assert all(any(card.provides[i] for card in ingredients) for i in range(5))


def test_the_cards_of_the_rules_document() -> None:
    catalog = load()
    sandwich, ramen = catalog.by_slug("tuna-sandwich"), catalog.by_slug("ramen-noodles")
    assert sandwich.list == ("Bread", "Fish", "Mayo")
    # Units of starch, vegetable, oil, protein, seasoning.
    assert sandwich.costs == (1, 0, 1, 1, 0)
    assert ramen.list == ("Noodles", "Salt")
    assert "Fish" in catalog.by_slug("tuna").kinds
    # Units of starch, vegetable, oil, protein, seasoning.
    assert catalog.by_slug("wheat").provides == (1, 0, 0, 0, 0)
    assert catalog.by_slug("bread-and-butter").is_recipe


def test_starters_are_themed() -> None:
    """There are six to nine recipes on 16 to 18 cards, and five ingredients or more that two of them list."""
    catalog = load()
    assert len(catalog.starters) == 5
    for starter in catalog.starters.values():
        deck = {catalog.cards[number]: n for number, n in starter.counts.items()}
        recipes = [card for card in deck if card.is_recipe]
        assert 16 <= sum(deck[card] for card in recipes) <= 18
        assert 6 <= len(recipes) <= 9
        listings = Counter(
            card.slug
            for card in deck
            for recipe in recipes
            if not card.is_recipe and any(entry in (card.name, *card.kinds) for entry in recipe.list)
        )
        assert sum(n >= 2 for n in listings.values()) >= 5, listings


def test_texts_are_in_order_of_number() -> None:
    catalog = load()
    found = texts(catalog)
    assert [text["number"] for text in found] == [*catalog.cards]
    assert texts(reversed([*catalog.cards.values()])) == found
    assert [Card.from_text(text) for text in found] == [*catalog.cards.values()]


def test_a_catalogue_is_frozen() -> None:
    catalog = load()
    card = catalog.by_slug("tuna")
    with pytest.raises(dataclasses.FrozenInstanceError):
        card.bonus = 9
    with pytest.raises(TypeError):
        catalog.cards[1] = card
    with pytest.raises(TypeError):
        catalog.starters["trattoria"].counts[1001] = 40
    with pytest.raises(AttributeError):
        catalog.cards = {}


# -- Errors in a file --------------------------------------------------------


def card_of(data: Data, slug: str) -> Data:
    return next(card for card in data["cards"] if card["slug"] == slug)


def flaws_of(folder: Path, data: Data, *change: Callable[[Data], object]) -> list[tuple[str, str, str]]:
    """The flaws of the changed set when it is loaded, as (file, card, field)."""
    changed = copy.deepcopy(data)
    for apply in change:
        apply(changed)
    (folder / "mine.yaml").write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(CatalogError) as refused:
        load(folder)
    assert all(str(flaw) in str(refused.value) for flaw in refused.value.flaws)
    return [(flaw.file, flaw.card, flaw.field) for flaw in refused.value.flaws]


@pytest.mark.parametrize(
    ("slug", "change", "field"),
    [
        ("tuna", {"number": 0}, "number"),
        ("tuna", {"number": 1000}, "number"),
        ("tuna", {"number": 1.5}, "number"),
        ("tuna", {"slug": "Big Tuna"}, "slug"),
        ("tuna", {"name": "  "}, "name"),
        ("tuna", {"type": "fish"}, "type"),
        ("tuna", {"rarity": "mythical"}, "rarity"),
        ("tuna", {"provides": {"protein": 0}}, "provides/protein"),
        ("tuna", {"provides": {"iron": 1}}, "provides"),
        ("tuna", {"kinds": ["Fish", "Fish"]}, "kinds"),
        ("tuna", {"kinds": [""]}, "kinds/0"),
        ("tuna", {"bonus": 0}, "bonus"),
        ("tuna", {"bonus": 1}, "bonus"),
        ("tuna", {"one_time": "yes"}, "one_time"),
        ("tuna", {"colour": "pink"}, ""),
        ("tuna", {"flavour": ""}, "flavour"),
        ("tuna", {"costs": {"oil": 1}}, "costs"),
        ("tuna", {"list": ["Bread"]}, "list"),
        ("tuna", {"basic": True, "rarity": "rare"}, "basic"),
        ("truffle", {"bonus": 1, "basic": True}, "basic"),
        ("truffle", {"provides": {"protein": 1}}, "costs"),
        ("tuna-sandwich", {"provides": {"oil": 1}}, "provides"),
        ("tuna-sandwich", {"list": ["Bread", "Unicorn"]}, "list"),
        ("tuna-sandwich", {"name": "tuna"}, "name"),  # names are compared without regard to case
        ("tuna-sandwich", {"slug": "rice"}, "slug"),
        ("tuna-sandwich", {"number": 1}, "number"),
    ],
)
def test_a_slip_is_named_by_file_card_and_field(tmp_path: Path, slug: str, change: Data, field: str) -> None:
    found = flaws_of(tmp_path, WHOLE, lambda data: card_of(data, slug).update(change))
    name = change.get("name", card_of(WHOLE, slug)["name"])
    assert any(file == "mine.yaml" and name in card and at == field for file, card, at in found), found


@pytest.mark.parametrize("field", ["number", "slug", "name", "type", "rarity", "flavour"])
def test_a_lacking_field_is_named(tmp_path: Path, field: str) -> None:
    flaws_of(tmp_path, WHOLE, lambda data: card_of(data, "tuna").pop(field))


@pytest.mark.parametrize(
    ("change", "field"),
    [({"index": 0}, "set/index"), ({"code": "pb"}, "set/code"), ({"version": "1.0"}, "set/version")],
)
def test_a_slip_about_the_set(tmp_path: Path, change: Data, field: str) -> None:
    assert ("mine.yaml", "set", field) in flaws_of(tmp_path, WHOLE, lambda data: data["set"].update(change))


def test_too_few_basics(tmp_path: Path) -> None:
    found = flaws_of(tmp_path, WHOLE, lambda data: card_of(data, "salt").pop("basic"))
    assert found == [("mine.yaml", "", "basic")]


@pytest.mark.parametrize(
    "cards", [{"bread": 3}, {"bread": 40}, {"unicorn": 40}, {"bread": "three"}, {"bread": 0}, {}]
)
def test_a_starter_is_a_legal_deck(tmp_path: Path, cards: Data) -> None:
    found = flaws_of(tmp_path, WHOLE, lambda data: data["starters"][0].update(cards=cards))
    assert all(card.startswith("starter ") and field.startswith("cards") for _, card, field in found)


def test_a_starter_has_no_retired_card(tmp_path: Path) -> None:
    slug = next(iter(WHOLE["starters"][0]["cards"]))
    found = flaws_of(tmp_path, WHOLE, lambda data: card_of(data, slug).update(retired=True))
    assert ("mine.yaml", f"starter {WHOLE['starters'][0]['slug']}", f"cards/{slug}") in found


def test_a_listed_ingredient_that_was_withdrawn_is_missed(tmp_path: Path) -> None:
    found = flaws_of(tmp_path, WHOLE, lambda data: card_of(data, "mayo").update(retired=True))
    assert any("Tuna Sandwich" in card and field == "list" for _, card, field in found)


def test_all_slips_of_a_load_are_told_together(tmp_path: Path) -> None:
    found = flaws_of(
        tmp_path,
        WHOLE,
        lambda data: card_of(data, "tuna").update(bonus=2),
        lambda data: card_of(data, "tuna-sandwich").update(list=["Unicorn"]),
        lambda data: card_of(data, "salt").update(number=14),
        lambda data: data["starters"][1].update(slug=data["starters"][0]["slug"]),
    )
    assert {field for _, _, field in found} >= {"bonus", "list", "number", "slug"}


def test_slips_of_every_file_are_told_together(tmp_path: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        changed = copy.deepcopy(WHOLE)
        card_of(changed, "tuna")["rarity"] = "mythical"
        (tmp_path / name).write_text(json.dumps(changed), encoding="utf-8")
    with pytest.raises(CatalogError) as refused:
        load(tmp_path)
    assert [flaw.file for flaw in refused.value.flaws] == ["a.yaml", "b.yaml"]


def test_two_sets_share_no_number_slug_or_name(tmp_path: Path) -> None:
    second = copy.deepcopy(WHOLE)
    second["set"] = {"index": 1, "code": "PB", "name": "Again", "version": "1.0.0"}
    (tmp_path / "a.yaml").write_text(json.dumps(WHOLE), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(json.dumps(second), encoding="utf-8")
    with pytest.raises(CatalogError) as refused:
        load(tmp_path)
    fields = {flaw.field for flaw in refused.value.flaws}
    assert fields == {"set/index", "set/code", "slug", "number", "name"}
    assert {flaw.file for flaw in refused.value.flaws} == {"b.yaml"}


def test_a_second_set_is_read_beside_the_first(tmp_path: Path) -> None:
    second = {
        "set": {"index": 2, "code": "TWO", "name": "Second Helping", "version": "0.1.0"},
        "cards": [
            {
                "number": 1,
                "slug": "grilled-tuna",
                "name": "Grilled Tuna",
                "type": "recipe",
                "rarity": "common",
                "costs": {"protein": 1},
                "list": ["Fish"],
                "flavour": "Twice is better.",
            }
        ],
    }
    (tmp_path / "base.yaml").write_text(json.dumps(WHOLE), encoding="utf-8")
    (tmp_path / "two.yaml").write_text(json.dumps(second), encoding="utf-8")
    catalog = load(tmp_path)
    assert [s.code for s in catalog.sets] == ["PB", "TWO"]
    assert catalog.by_slug("grilled-tuna").number == 2001
    assert catalog.by_slug("grilled-tuna").provides == NONE


@pytest.mark.parametrize(
    "text",
    [
        "set: [",
        "",
        "- 1",
        "!!python/object/apply:os.getcwd []",
        "set: {index: 1, index: 2, code: PB, name: X, version: 1.0.0}\ncards: []\n",
    ],
)
def test_a_file_that_is_no_card_set(tmp_path: Path, text: str) -> None:
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError) as refused:
        load(tmp_path)
    assert {flaw.file for flaw in refused.value.flaws} == {"odd.yaml"}


def test_a_key_given_twice_is_named_with_its_line(tmp_path: Path) -> None:
    text = (FOLDER / "base.yaml").read_text(encoding="utf-8").replace("bonus: 4", "bonus: 4, bonus: 5", 1)
    (tmp_path / "base.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(CatalogError, match=r"base\.yaml: line \d+: bonus: is given twice"):
        load(tmp_path)


def test_files_of_json_give_the_same_catalogue(tmp_path: Path) -> None:
    """JSON is YAML too; a browser gets the card sets so. Every version keeps its digest."""
    for path in FOLDER.rglob("*.yaml"):
        copied = tmp_path / path.relative_to(FOLDER)
        copied.parent.mkdir(exist_ok=True)
        copied.write_text(json.dumps(read(path)))
    assert load(tmp_path).sets == load().sets
    assert [[digest(each) for each in (s, *s.earlier)] for s in load(tmp_path).sets] == [
        [digest(each) for each in (s, *s.earlier)] for s in load().sets
    ]


def test_a_slip_in_json_is_named_as_in_yaml(tmp_path: Path) -> None:
    text = json.dumps(WHOLE, indent=1)
    (tmp_path / "base.yaml").write_text(text.replace('"code": ', '"code": "XX", "code": ', 1))
    with pytest.raises(CatalogError, match=r"line \d+.*code.*is given twice"):
        load(tmp_path)
    (tmp_path / "base.yaml").write_text(text.replace('"number": 1', '"number": NaN', 1))
    with pytest.raises(CatalogError, match="number"):
        load(tmp_path)


def test_an_empty_folder_holds_no_set(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="no card set"):
        load(tmp_path)
