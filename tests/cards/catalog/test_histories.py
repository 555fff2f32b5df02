"""Versions of card sets: every published version stays available, and nothing changes without a new one."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.cards import CardSet, CatalogError
from cards.catalog.changes import changes, digest, document, greatest, parts, raised
from cards.decks import deck_lists, formats
from cards.decks.deck_lists import DeckList
from cards.decks.formats import Format
from cards.decks.plain_text import DeckTextError, read_listing
from tests.cards.catalog.histories_kit import (
    RENAMED,
    REPLACED,
    SAMPLE_SLUGS,
    Data,
    Edit,
    after,
    card,
    moving,
    new_card,
    published,
    renaming,
    sample,
    withdrawing,
)


def refused(folder: Path) -> list[tuple[str, str, str]]:
    """The flaws of a folder, as (version, field, text)."""
    with pytest.raises(CatalogError) as error:
        load(folder)
    return [(flaw.card, flaw.field, flaw.text) for flaw in error.value.flaws]


# -- The base set -------------------------------------------------------------


def test_the_base_set_keeps_its_versions() -> None:
    base = load().sets[0]
    versions = [base.version, *(older.version for older in base.earlier)]
    assert versions == sorted(versions, key=parts, reverse=True)
    assert versions[-2:] == ["1.1.0", "1.0.0"]
    assert all(version.text for version in (base, *base.earlier))


def test_the_first_version_of_the_base_set_had_ninety_cards() -> None:
    base = load().sets[0]
    first = base.at("1.0.0")
    assert first is not None
    assert len(first.printings) == 90
    assert sorted(starter.slug for starter in first.starters) == ["night-market", "trattoria"]
    # SHA-256 of the whole version: published versions never change.
    assert digest(first) == "d31e16a3228aac906d2564b52aae1f5333012c837b19ac390f8b016ca4503765"
    second = base.at("1.1.0")
    assert second is not None
    assert digest(second) == "c6cf353069ca7c93531435a4dfb41f74a13bb4dc5aa5a930e713de25cff98b76"


def test_what_the_catalogue_plays_by_is_the_newest_version_alone() -> None:
    catalog = load()
    assert list(catalog.cards) == [p.card.number for s in catalog.sets for p in s.printings]


def test_no_number_of_the_base_set_was_ever_another_cards() -> None:
    base = load().sets[0]
    for older in base.earlier:
        for printing in older.printings:
            now = load().cards[printing.card.number]
            assert printing.card.slug == now.slug or load().moved(printing.card.slug)


# -- From one version to the next ---------------------------------------------

EDITS: list[tuple[str, Edit]] = [
    ("patch", lambda d: card(d, "tuna").update(flavour="Otherwise.")),
    ("patch", lambda d: d["set"].update(name="Another")),
    ("patch", lambda d: d["starters"][0].update(text="At one.")),
    ("minor", lambda d: d["cards"].append(new_card())),
    ("minor", lambda d: card(d, "salmon").update(retired=True)),
    ("minor", lambda d: card(d, "tuna").update(rarity="rare")),
    ("minor", lambda d: d["starters"].append(d["starters"][0] | {"slug": "dinner"})),
    ("minor", lambda d: d["starters"].clear()),
    ("minor", lambda d: d["starters"][0]["cards"].update(salt=2, tuna=2)),
    ("major", lambda d: card(d, "tuna").update(provides={"protein": 2})),
    ("major", lambda d: card(d, "tuna").update(kinds=["Fish"])),
    ("major", lambda d: card(d, "tuna").update(name="Big Tuna")),
    ("major", lambda d: card(d, "tuna").update(one_time=True)),
    ("major", lambda d: card(d, "tuna-sandwich").update(costs={"oil": 1})),
]
NEXT = {"patch": "1.0.1", "minor": "1.1.0", "major": "2.0.0"}


@pytest.mark.parametrize(("level", "edit"), EDITS)
def test_a_change_needs_its_version(tmp_path: Path, level: str, edit: Edit) -> None:
    first = sample()
    for name, version in NEXT.items():
        published(tmp_path, first, after(first, version, edit))
        if list(NEXT).index(name) >= list(NEXT).index(level):
            older = load(tmp_path).sets[0].earlier[0]
            assert greatest(changes(older, load(tmp_path).sets[0])) == level
            assert older.version == "1.0.0"
        else:
            (found,) = refused(tmp_path)
            assert found[:2] == (f"version {version}", "version")
            assert f"needs a new {level} version" in found[2]


@pytest.mark.parametrize("version", ["1.0.0", "0.9.9"])
def test_versions_go_up(tmp_path: Path, version: str) -> None:
    published(tmp_path, sample(), after(sample(), version))
    assert refused(tmp_path) == [(f"version {version}", "version", "must be above 1.0.0")]


def test_what_was_published_is_not_changed_without_a_version(tmp_path: Path) -> None:
    """Neither the newest version may change, nor the parts of an older one that both have."""
    first, second = sample(), after(sample(), "1.1.0", lambda d: d["cards"].append(new_card()))
    published(tmp_path, first, second)
    for slug, faulty in (("tuna", ["version 1.1.0", "version 1.0.0"]), ("new-900", ["version 1.1.0"])):
        changed = after(second, "1.1.0", lambda d, slug=slug: card(d, slug).update(flavour="Otherwise."))
        (tmp_path / "set.yaml").write_text(json.dumps(changed), encoding="utf-8")
        assert [(v, field) for v, field, _ in refused(tmp_path)] == [(v, "sha256") for v in faulty]


def test_a_new_version_is_written_down(tmp_path: Path) -> None:
    published(tmp_path, sample())
    (tmp_path / "set.yaml").write_text(json.dumps(after(sample(), "1.0.1")), encoding="utf-8")
    ((version, field, text),) = refused(tmp_path)
    assert (version, field) == ("version 1.0.0", "version")
    assert "1.0.1" in text


def test_a_card_is_withdrawn_and_never_taken_out(tmp_path: Path) -> None:
    second = after(sample(), "2.0.0", lambda d: d["cards"].remove(card(d, "salmon")))
    published(tmp_path, sample(), second)
    assert [(version, field) for version, field, _ in refused(tmp_path)] == [
        ("version 2.0.0", "before/cards")
    ]


def test_a_number_is_not_given_to_another_card(tmp_path: Path) -> None:
    """A card with the same number and another slug has another id, which `moved` must list."""
    second = after(sample(), "2.0.0", lambda d: card(d, "salmon").update(slug="trout", name="Trout"))
    published(tmp_path, sample(), second)
    ((version, field, text),) = refused(tmp_path)
    assert (version, field) == ("version 2.0.0", "moved")
    assert "salmon is trout now" in text


@pytest.mark.parametrize(
    "history",
    [
        {"set": "XX", "versions": [{"version": "1.0.0", "sha256": "0" * 64, "text": "X"}]},
        {"set": "PB", "versions": []},
        {"set": "PB", "versions": [{"version": "1.0", "sha256": "0" * 64, "text": "X"}]},
        {"set": "PB", "versions": [{"version": "1.0.0", "sha256": "0", "text": "X"}]},
        {"set": "PB", "versions": [{"version": "1.0.0", "sha256": "0" * 64}]},
        {"set": "PB"},
        [],
    ],
)
def test_a_slip_in_a_history_is_named(tmp_path: Path, history: Any) -> None:
    published(tmp_path, sample())
    (tmp_path / "history" / "PB.yaml").write_text(json.dumps(history), encoding="utf-8")
    with pytest.raises(CatalogError) as error:
        load(tmp_path)
    assert {flaw.file for flaw in error.value.flaws} == {"PB.yaml"}


@pytest.mark.parametrize(
    "step",
    [
        {"added": {"cards": [901]}},
        {"added": {"cards": ["900-901"]}},
        {"added": {"starters": ["dinner"]}},
        {"before": {"cards": [new_card(901)]}},
    ],
)
def test_what_cannot_be_undone_is_named(tmp_path: Path, step: Data) -> None:
    published(tmp_path, sample(), after(sample(), "1.1.0"))
    path = tmp_path / "history" / "PB.yaml"
    history = json.loads(path.read_text(encoding="utf-8"))
    history["versions"][0] |= step
    path.write_text(json.dumps(history), encoding="utf-8")
    assert {version for version, _, _ in refused(tmp_path)} == {"version 1.1.0"}


def test_two_histories_of_a_set_are_one_too_many(tmp_path: Path) -> None:
    published(tmp_path, sample())
    text = (tmp_path / "history" / "PB.yaml").read_text(encoding="utf-8")
    (tmp_path / "history" / "also.yaml").write_text(text, encoding="utf-8")
    assert [field for _, field, _ in refused(tmp_path)] == ["set"]


FLAVOURS = st.fixed_dictionaries(
    {}, optional={slug: st.sampled_from(["A.", "B.", "C."]) for slug in SAMPLE_SLUGS}
)


@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_version_can_be_had_again(tmp_path: Path, data: st.DataObject) -> None:
    """The newest version and the history give each version as it was, after any changes."""
    versions, wanted = [sample()], []
    alone = tmp_path / "check"
    alone.mkdir(exist_ok=True)
    for major in range(2, 2 + data.draw(st.integers(0, 2))):
        newer = after(versions[-1], f"{major}.0.0")
        for slug, flavour in data.draw(FLAVOURS).items():
            card(newer, slug)["flavour"] = flavour
        for number in data.draw(st.sets(st.integers(900, 909), max_size=4)):
            if all(entry["number"] != number for entry in newer["cards"]):
                newer["cards"].append(new_card(number))
        if data.draw(st.booleans()):
            card(newer, "salmon")["retired"] = True
        if data.draw(st.booleans()) and newer["starters"]:
            newer["starters"].pop()
        versions.append(newer)
    for each in versions:
        (alone / "set.yaml").write_text(json.dumps(each), encoding="utf-8")
        wanted.append(document(load(alone).sets[0]))
    published(tmp_path, *versions)
    newest = load(tmp_path).sets[0]
    assert [document(known) for known in (newest, *newest.earlier)] == wanted[::-1]


@given(a=st.tuples(*[st.integers(0, 12)] * 3), b=st.tuples(*[st.integers(0, 12)] * 3))
def test_a_step_is_named_by_the_first_part_that_differs(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    level = raised(".".join(map(str, a)), ".".join(map(str, b)))
    if b <= a:
        assert level is None
    else:
        at = ("major", "minor", "patch").index(str(level))
        assert a[:at] == b[:at]
        assert a[at] < b[at]


# -- Ids that changed ---------------------------------------------------------


SALMON = new_card() | {"slug": "salmon", "name": "Salmon"}


def test_what_became_of_an_id_is_known_for_ever(tmp_path: Path) -> None:
    catalog = moving(tmp_path)
    assert [(m.version, m.kind, m.old, m.old_name, m.new) for m in catalog.moves] == [
        ("2.0.0", "renamed", "salmon", "Salmon", "trout"),
        ("2.0.0", "replaced", "tuna", "Tuna", "new-900"),
        ("3.0.0", "renamed", "trout", "Trout", "char"),
    ]
    assert [move.new for move in catalog.moved("salmon")] == ["trout", "char"]
    assert [move.new for move in catalog.moved("tuna")] == ["new-900"]
    assert catalog.moved("char") == ()
    assert [len(s.moves) for s in (catalog.sets[0], *catalog.sets[0].earlier)] == [3, 2, 0]


def test_a_deck_list_in_old_words_is_read_and_told_of(tmp_path: Path) -> None:
    catalog = moving(tmp_path)
    cards = [card.text() for card in catalog.cards.values()]
    moves = [
        {"kind": m.kind, "old": m.old, "old_name": m.old_name, "new": m.new, "reason": m.reason}
        for m in catalog.moves
    ]
    found = read_listing("2 Salmon\n1 trout\n3 char\n1 Tuna\n", cards, moves)
    assert found.counts == {"char": 6, "tuna": 1}
    assert [(n.line, n.code) for n in found.notices] == [
        (1, "renamed_card"),
        (2, "renamed_card"),
        (4, "withdrawn_card"),
    ]
    assert "Salmon is Char now: It was a trout." in found.notices[0].text
    with pytest.raises(DeckTextError):
        read_listing("2 Pike\n", cards, moves)


def test_a_withdrawn_card_is_legal_unless_a_format_says_otherwise(tmp_path: Path) -> None:
    catalog = moving(tmp_path)
    tuna = catalog.by_slug("tuna")
    deck = DeckList({tuna.number: 1})
    assert [fault.code for fault in deck_lists.warnings(deck, catalog)] == ["advice_recipes", "retired_card"]
    assert {fault.code for fault in deck_lists.faults(deck, catalog)} == {"deck_size"}
    strict = Format("new", "New", "1.0.0", "New cards.", None, {}, 3, {}, retired=False)
    assert [fault.code for fault in formats.faults(deck, catalog, strict)] == ["retired_card"]
    assert formats.faults(deck, catalog, replace(strict, retired=True)) == []


@pytest.mark.parametrize(
    ("moved", "edits"),
    [
        # the same card under another slug, which `moved` does not list, or lists wrongly
        ([], [renaming("salmon", "trout")]),
        ([RENAMED | {"new": "mayo"}], [renaming("salmon", "trout")]),
        ([RENAMED | {"old": "pike"}], [renaming("salmon", "trout")]),
        # nothing was renamed
        ([RENAMED], []),
        # a card that was replaced must stay, marked retired
        ([REPLACED], [lambda d: d["cards"].append(new_card())]),
        # an id moves once, to a card, and never comes back
        ([RENAMED, RENAMED], [renaming("salmon", "trout")]),
        ([REPLACED | {"new": "pike"}], [withdrawing]),
        ([REPLACED | {"new": "tuna"}], [withdrawing]),
        ([RENAMED], [renaming("salmon", "trout"), lambda d: d["cards"].append(SALMON)]),
    ],
)
def test_ids_that_change_otherwise_are_refused(tmp_path: Path, moved: list[Data], edits: list[Edit]) -> None:
    first = sample()
    published(tmp_path, first, after(first, "2.0.0", *edits), moved={"2.0.0": moved} if moved else None)
    assert {field for _, field, _ in refused(tmp_path)} <= {"moved"}


def test_changes_say_what_was_and_what_is(tmp_path: Path) -> None:
    catalog = moving(tmp_path)
    newest: CardSet = catalog.sets[0]
    found = changes(newest.earlier[-1], newest)
    assert [str(change) for change in found] == [
        "Tuna (1027): retired was false, is true.",
        'Char (1028): slug was "salmon", is "char".',
        'Char (1028): name was "Salmon", is "Char".',
        "New 900 (1900) is new.",
        "The starter Lunch is gone.",
    ]
    assert [change.kind for change in changes(newest, newest.earlier[-1])] == [
        "changed",
        "changed",
        "changed",
        "removed",
        "added",
    ]
    assert changes(newest, newest) == ()
    assert greatest(changes(newest, newest)) is None
