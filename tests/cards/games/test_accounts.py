"""Accounts in sections: every line of a random game is told once, by codes that the mode lists."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from cards.catalog.cards import Card
from cards.games import find
from cards.games.accounts import Section, Told, told_of
from cards.games.contract import Mode
from tests.cards.games.modes_table import Table

OURS = ("big-c", "chef", "cribbage", "flip", "hearts")
STEPS = 600
"""Steps of a game that are looked at; many games are shorter."""


def accounts(mode: Mode[Any], seed: int) -> list[tuple[Any, tuple[Section, ...]]]:
    """The accounts of a random game, and their sections."""
    low, high = mode.facts.seats
    table = Table(mode, min(high, low + seed), Random(seed), silence=0.02 if seed % 2 else 0.0)
    found = []
    for _ in range(STEPS):
        before = table.full
        if table.advance() is not None:
            break
        last = table.log[-1]
        if last.verb not in ("play", "turn"):
            continue
        choices = last.given if last.verb == "play" else {}
        lines = mode.account(before, choices, table.full)
        if lines:
            faces = [face for face in table.full.faces.values() if isinstance(face, Card)]
            found.append((lines, mode.sections(lines, {card.number: card for card in faces})))
    return found


def told(sections: tuple[Section, ...]) -> list[Told]:
    """All headings and lines."""
    headings = [section.heading for section in sections if section.heading is not None]
    return [*headings, *(line for section in sections for line in section.lines)]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", OURS)
def test_sections_tell_by_listed_codes_and_in_json(name: str, seed: int) -> None:
    mode = find(name)
    schemas = mode.schemas()
    assert schemas is not None
    found = accounts(mode, seed)
    assert found
    for lines, sections in found:
        all_told = told(sections)
        every = [*all_told, *(reason for one in all_told for reason in one.reasons)]
        assert {one.code for one in every} <= schemas.told
        assert all(one.text and not one.text.endswith(".") for one in every)
        shown = json.loads(json.dumps([section.json() for section in sections]))
        assert len(shown) == len(sections)
        # A heading may stand for a line of the record, or for none.
        assert len(all_told) - len(sections) <= len(lines) <= len(all_told)


@pytest.mark.parametrize("name", ["chef", "cribbage"])
def test_points_of_reasons_add_up(name: str) -> None:
    """Yum, pegs and hands are the sums of what is told of them."""
    for seed in range(2):
        for _, sections in accounts(find(name), seed):
            for one in told(sections):
                if one.code == "dish":
                    assert sum(reason.values["points"] for reason in one.reasons) == one.values["yum"]
                if one.code in ("play", "go", "hand", "crib") and one.values.get("claim") is None:
                    assert sum(reason.values["points"] for reason in one.reasons) == one.values["points"]


def test_a_course_has_its_winner_in_its_heading_and_its_dishes_under_it() -> None:
    lines: tuple[dict[str, Any], ...] = (
        {"kind": "round", "round": 2, "final": 0, "text": "Round 2"},
        {"kind": "missed", "seat": 1, "missed": "seal", "text": "Seat 1 sealed no meal in time"},
        {
            "kind": "dish",
            "seat": 0,
            "course": 2,
            "recipe": "toast",
            "ingredients": ["bread", "bread"],
            "yum": 1,
            "items": [{"kind": "units", "points": 1, "text": "1 starch: +1"}],
            "text": "Seat 0 serves Toast with Bread, Bread as entree: 1 yum",
        },
        {"kind": "course", "course": 2, "winner": 0, "points": 3, "text": "Seat 0 wins the entree: 3 points"},
        {"kind": "course", "course": 3, "winner": None, "points": 0, "text": "Nobody wins the dessert"},
        {"kind": "discard", "seat": 0, "cards": ["bread"], "text": "Seat 0 discards Bread"},
    )
    head, entree, dessert, rest = find("chef").sections(lines, {})
    assert head.heading is not None
    assert (head.heading.code, head.heading.values) == ("round", {"round": 2, "final": 0})
    assert [one.code for one in head.lines] == ["missed_seal"]
    assert entree.heading is not None
    assert entree.heading == Told(
        "course", {"course": 2, "winner": 0, "points": 3}, "Entree: seat 0 wins 3 points"
    )
    assert entree.winners == (0,)
    assert entree.lines[0].text == "Seat 0 serves toast with bread x2: 1 yum"
    assert (dessert.winners, dessert.lines) == ((), ())
    assert rest.lines == (told_of(lines[-1]),)


def test_what_the_words_of_a_record_alone_say_is_a_code_or_a_number() -> None:
    flip, cribbage = find("flip"), find("cribbage")
    none = {"kind": "draw", "seat": 1, "count": 3, "text": "Seat 1 draws 3 cards, and none fits"}
    done = {"kind": "hand", "seat": 0, "count": 7, "text": "Seat 0 has completed hand 4 and draws 7 cards"}
    (section,) = flip.sections((none, done), {})
    assert [one.code for one in section.lines] == ["draw_none", "hand"]
    assert section.lines[1].values["hands"] == 4
    item = {"name": "double run of four", "points": 10}
    play = {"kind": "play", "seat": 0, "points": 10, "total": 12, "items": [item], "text": "Seat 0 pegs"}
    (section,) = cribbage.sections((play,), {})
    assert section.lines[0].reasons[0].values == {"length": 4, "times": 2, "points": 10}


def test_a_mode_without_sections_of_its_own_tells_its_lines() -> None:
    (section,) = Mode.sections(find("chef"), ({"seat": 0, "text": "Seat 0 said higher: right"},), {})
    assert section.lines == (Told("line", {"seat": 0}, "Seat 0 said higher: right"),)
    assert section.winners is None
