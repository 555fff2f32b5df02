"""Formats: reading their files with every flaw, what they allow, and several sets of rules at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.cards import RARITIES, CatalogError
from cards.catalog.deck_rules import DECK_SIZE
from cards.decks import formats, legality
from cards.decks.deck_lists import DeckList, faults
from cards.decks.formats import FOLDER
from cards.decks.legality import BASIC, OWNED, Holdings
from tests.cards.catalog.other_sets import other_sets
from tests.paths import DOCS

CATALOG = load()
FORMATS = formats.load(CATALOG)
NOTHING = Holdings({}, {})
SPRING: dict[str, Any] = {
    "format": "spring",
    "name": "Spring Menu",
    "version": "1.0.0",
    "text": "For the season.",
    "sets": ["PB"],
    "rarities": {"rare": 4, "uncommon": 0},
    "copies": 2,
    "restricted": {"caviar": {"copies": 0, "reason": "None."}, "egg": {"copies": 1, "reason": "One."}},
}
PAGE = (DOCS / "decks.md").read_text()


def _number(slug: str) -> int:
    return CATALOG.by_slug(slug).number


def _read(tmp_path: Path, *documents: dict[str, Any]) -> Any:
    for i, document in enumerate(documents):
        (tmp_path / f"{i}.yaml").write_text(yaml.safe_dump(document))
    return formats.load(CATALOG, tmp_path)


def _flaws(tmp_path: Path, *documents: dict[str, Any]) -> list[tuple[str, str]]:
    with pytest.raises(CatalogError) as caught:
        _read(tmp_path, *documents)
    return [(flaw.file, flaw.field) for flaw in caught.value.flaws]


def test_a_format_is_read_as_it_is_written(tmp_path: Path) -> None:
    (found,) = _read(tmp_path, SPRING).values()
    assert (found.slug, found.name, found.version, found.text) == (
        "spring",
        "Spring Menu",
        "1.0.0",
        "For the season.",
    )
    assert (found.sets, dict(found.rarities), found.copies) == (("PB",), {"uncommon": 0, "rare": 4}, 2)
    assert {number: each.copies for number, each in found.restricted.items()} == {
        _number("egg"): 1,
        _number("caviar"): 0,
    }


def test_a_house_without_formats_of_its_own_has_ours(tmp_path: Path) -> None:
    assert formats.load(CATALOG, FOLDER, tmp_path / "none") == FORMATS
    more = {**SPRING, "format": "autumn"}
    (tmp_path / "x.yaml").write_text(yaml.safe_dump(more))
    assert [*formats.load(CATALOG, FOLDER, tmp_path)] == sorted([*FORMATS, "autumn"])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"format": "Spring"}, "format"),
        ({"format": "basic"}, "format"),
        ({"format": "owned"}, "format"),
        ({"name": " Spring"}, "name"),
        ({"version": "1.0"}, "version"),
        ({"text": ""}, "text"),
        ({"sets": []}, "sets"),
        ({"sets": ["XX"]}, "sets/XX"),
        ({"rarities": {"mythic": 1}}, "rarities"),
        ({"rarities": {"rare": -1}}, "rarities/rare"),
        ({"copies": 0}, "copies"),
        ({"copies": 4}, "copies"),
        ({"copies": True}, "copies"),
        ({"restricted": {"unicorn": {"copies": 0, "reason": "x"}}}, "restricted/unicorn"),
        ({"restricted": {"egg": {"copies": 0}}}, "restricted/egg"),
        ({"restricted": {"egg": {"copies": 9, "reason": "x"}}}, "restricted/egg/copies"),
        ({"banned": ["egg"]}, ""),
    ],
)
def test_what_is_no_format_is_refused_by_its_field(tmp_path: Path, change: Any, field: str) -> None:
    assert _flaws(tmp_path, {**SPRING, **change}) == [("0.yaml", field)]


@pytest.mark.parametrize("field", ["format", "name", "version", "text"])
def test_a_format_has_a_name_a_version_and_a_text(tmp_path: Path, field: str) -> None:
    assert _flaws(tmp_path, {name: value for name, value in SPRING.items() if name != field}) == [
        ("0.yaml", "")
    ]


def test_all_flaws_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "9.yaml").write_text("format: x\nformat: y\n: [")
    found = _flaws(tmp_path, {**SPRING, "copies": 9, "text": ""}, {**SPRING, "sets": ["XX"]}, SPRING, SPRING)
    assert found == [
        ("0.yaml", "copies"),
        ("0.yaml", "text"),
        ("1.yaml", "sets/XX"),
        ("2.yaml", "format"),
        ("3.yaml", "format"),
        ("9.yaml", ""),
    ]


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "gone.yaml").symlink_to(tmp_path / "nowhere")
    assert _flaws(tmp_path, {**SPRING, "copies": 9}) == [
        ("0.yaml", "copies"),
        ("folder.yaml", ""),
        ("gone.yaml", ""),
    ]


def test_a_house_of_other_cards_has_our_formats_as_far_as_they_go(tmp_path: Path) -> None:
    """Formats that come with Cloche must name our cards only; a house's own, the house's."""
    none = tmp_path / "none"
    assert formats.of_house(CATALOG, none) == FORMATS
    (tmp_path / "sets").mkdir()
    other = other_sets(tmp_path / "sets", whole=False)
    found = formats.of_house(other, none)
    assert {name: (by.sets, by.copies, dict(by.restricted)) for name, by in found.items()} == {
        name: (None, by.copies, {}) for name, by in FORMATS.items()
    }
    (tmp_path / "spring.yaml").write_text(yaml.safe_dump(SPRING))
    with pytest.raises(CatalogError) as caught:
        formats.of_house(other, tmp_path)
    assert [flaw.field for flaw in caught.value.flaws] == ["sets/PB", "restricted/caviar", "restricted/egg"]


def test_one_of_ours_for_sets_that_are_not_there_is_left_out(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "sets").mkdir()
    other = other_sets(tmp_path / "sets", whole=False)
    (tmp_path / "schema.json").write_text((FOLDER / "schema.json").read_text())
    both = {**SPRING, "format": "both", "sets": ["PB", "OS"]}
    for document in (SPRING, both):
        (tmp_path / f"{document['format']}.yaml").write_text(yaml.safe_dump(document))
    monkeypatch.setattr(formats, "FOLDER", tmp_path)
    found = formats.of_house(other, tmp_path / "none")
    assert {name: by.sets for name, by in found.items()} == {"both": ("OS",)}


def _found(tmp_path: Path, cards: dict[str, int], **change: Any) -> list[tuple[str, str]]:
    (by,) = _read(tmp_path, {**SPRING, **change}).values()
    deck = DeckList({_number(slug) if not slug.isdecimal() else int(slug): n for slug, n in cards.items()})
    return [(fault.code, fault.pointer) for fault in formats.faults(deck, CATALOG, by, "/cards")]


def test_every_fault_against_a_format_has_its_code_and_place(tmp_path: Path) -> None:
    uncommon = next(p.card for p in CATALOG.printings.values() if p.rarity == "uncommon")
    rare = [p.card.slug for p in CATALOG.printings.values() if p.rarity == "rare" and p.card.slug != "caviar"]
    cards = {"77001": 1, "caviar": 1, "egg": 2, "salt": 3, "tuna": 3, uncommon.slug: 1}
    cards |= dict.fromkeys(rare[:5], 1)
    assert sorted(_found(tmp_path, cards)) == sorted(
        [
            ("unknown_card", "/cards/77001"),
            ("banned_card", f"/cards/{_number('caviar')}"),
            ("restricted_card", f"/cards/{_number('egg')}"),
            ("restricted_card", f"/cards/{_number('tuna')}"),
            ("rarity_not_allowed", f"/cards/{uncommon.number}"),
            ("too_many_of_rarity", "/cards"),
        ]
    )


def test_what_is_just_allowed_is_allowed(tmp_path: Path) -> None:
    rare = [p.card.slug for p in CATALOG.printings.values() if p.rarity == "rare" and p.card.slug != "caviar"]
    assert _found(tmp_path, {"egg": 1, "salt": 3, "tuna": 2, **dict.fromkeys(rare[:4], 1)}) == []
    assert _found(tmp_path, {}) == []


def test_a_set_that_is_not_allowed(tmp_path: Path) -> None:
    (by,) = _read(tmp_path, SPRING).values()
    other = formats.Format(by.slug, by.name, by.version, by.text, ("XX",), {}, 3, {})
    (fault,) = formats.faults(DeckList({_number("salt"): 1}), CATALOG, other)
    assert (fault.code, fault.pointer, fault.data["set"]) == ("set_not_allowed", f"/{_number('salt')}", "PB")


def test_our_formats_can_be_played() -> None:
    """Each format allows some legal deck, and of the starter decks those that it should."""
    for by in FORMATS.values():
        counts: dict[int, int] = {}
        for number, printing in CATALOG.printings.items():
            free = by.rarities.get(printing.rarity, DECK_SIZE)
            if free and number not in by.restricted and printing.rarity == "common":
                counts[number] = 1
        deck = DeckList(dict(list(counts.items())[:DECK_SIZE]))
        assert faults(deck, CATALOG) == []
        assert formats.faults(deck, CATALOG, by) == []
    starters = {slug: DeckList(starter.counts) for slug, starter in CATALOG.starters.items()}
    keep = {
        name: {slug for slug, deck in starters.items() if not formats.faults(deck, CATALOG, by)}
        for name, by in FORMATS.items()
    }
    assert keep["open"] == {*starters}
    assert keep["one-of-each"] == set()
    assert set() < keep["home-cooking"] < {*starters}


counts = st.dictionaries(st.sampled_from([*CATALOG.cards, 77001]), st.integers(-1, 5), max_size=8)


@given(counts, counts, counts)
def test_each_set_of_rules_says_what_it_says_alone(
    cards: dict[int, int], owned: dict[int, int], held: dict[int, int]
) -> None:
    deck = DeckList(cards)
    owned = {number: max(0, n) for number, n in owned.items()}
    free = {number: max(0, n - held.get(number, 0)) for number, n in owned.items()}
    names = [BASIC, OWNED, *FORMATS]
    holdings = Holdings(owned, free)
    together = legality.check(deck, CATALOG, names, FORMATS, holdings, "/cards")
    assert [verdict.rules for verdict in together] == names
    for name, verdict in zip(names, together, strict=True):
        assert (verdict,) == legality.check(deck, CATALOG, [name], FORMATS, holdings, "/cards")
        assert verdict.legal is (not verdict.faults)
        for fault in verdict.faults:
            assert fault.pointer == "/cards" or fault.pointer == f"/cards/{fault.data['number']}"
    by_name = {verdict.rules: verdict for verdict in together}
    assert by_name[OWNED].legal is all(n <= free.get(number, 0) for number, n in cards.items())
    assert by_name[BASIC].faults == tuple(faults(deck, CATALOG, pointer="/cards"))


@given(counts, counts)
def test_what_is_missing_is_what_more_would_be_enough(cards: dict[int, int], owned: dict[int, int]) -> None:
    found = legality.missing(DeckList(cards), CATALOG, Holdings(owned, {}))
    assert all(each.missing > 0 for each in found)
    more = dict(owned)
    for each in found:
        more[each.number] = each.owned + each.missing
        printing = CATALOG.printings.get(each.number)
        assert each.mintable is (printing is not None and printing.basic)
        assert each.rarity == (printing.rarity if printing else None)
    assert legality.missing(DeckList(cards), CATALOG, Holdings(more, {})) == ()
    assert all(n <= more.get(number, 0) for number, n in cards.items())


def test_an_unknown_set_of_rules_is_no_set_of_rules() -> None:
    with pytest.raises(KeyError):
        legality.check(DeckList({}), CATALOG, ["nonsuch"], FORMATS, NOTHING)


def test_the_page_names_our_formats_and_its_example_can_be_taken(tmp_path: Path) -> None:
    table = PAGE.partition("<!-- formats -->")[2].partition("\n\nEach is")[0]
    named = [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]
    assert named == [*FORMATS]
    assert f"at most {FORMATS['home-cooking'].rarities['uncommon']} uncommon" in table
    example = PAGE.partition("```yaml\n")[2].partition("```")[0]
    (tmp_path / "spring.yaml").write_text(example)
    (found,) = formats.load(CATALOG, tmp_path).values()
    assert (found.slug, found.copies, dict(found.rarities)) == ("spring", 2, {"rare": 4})
    schema = json.loads((FOLDER / "schema.json").read_text())
    assert [*schema["properties"]["rarities"]["properties"]] == [*RARITIES]
    for code in (
        "set_not_allowed",
        "rarity_not_allowed",
        "too_many_of_rarity",
        "banned_card",
        "restricted_card",
        "not_free",
    ):
        assert f"`{code}`" in PAGE
