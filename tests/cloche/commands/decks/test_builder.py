"""`cloche cards` and `cloche decks`: searches, codes, statistics; any width, JSON, refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click.testing import Result

from cards.catalog.card_sets import load
from cards.decks.forecast import deals
from cards.decks.odds import servable
from cards.decks.statistics import hands, statistics_of
from cards.decks.statistics_chart import chart
from tests.cloche.here_kit import House

Run = Callable[..., Result]
CARDS = load()
RECIPES = [card for card in CARDS.cards.values() if card.is_recipe]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("player") / "home"


@pytest.fixture(scope="module")
def run(here: House, home: Path) -> Run:
    """`run("cards", "search", ...)` as a player of the house with two decks more than the starter."""
    invoke = partial(here.run, home=home, columns=80)
    assert invoke("register", "ada", "--house", here.url).exit_code == 0
    assert invoke("decks", "new", "[red]Salt[/red]", "-", input="3 Salt").exit_code == 0
    assert invoke("decks", "new", "Bread and Salt", "-", input="2 Salt\n3 Bread").exit_code == 0
    return invoke


def test_cards_as_a_table_and_as_json(run: Run) -> None:
    shown = run("cards", "search", "t:recipe", "-is:onetime", "sort:-cost", "sort:name", columns=200)
    assert shown.exit_code == 0, shown.output
    wanted = [card for card in RECIPES if not card.one_time]
    assert shown.stderr == f"{len(wanted)} cards.\n"
    heading, *lines = shown.stdout.splitlines()
    assert " ".join(heading.split()) == "Number Name Type Rarity What it does Lists, or counts as Set"
    wanted.sort(key=lambda card: (-sum(card.costs), card.name))
    assert [line.split()[0] for line in lines] == [str(card.number) for card in wanted]
    told = json.loads(run("cards", "search", "--json", "t:recipe -is:onetime sort:-cost sort:name").stdout)
    assert [card["number"] for card in told["items"]] == [card.number for card in wanted]
    assert told["query"] == "type:recipe -is:onetime sort:-cost sort:name"


@pytest.mark.parametrize("columns", [30, 60, 100])
def test_the_table_fits_into_the_terminal(run: Run, columns: int) -> None:
    shown = run("cards", "search", 'lists:"olive oil" or name:tuna', columns=columns).stdout
    lines = shown.splitlines()
    assert max(map(len, lines)) <= columns
    assert "Name" in lines[0]
    assert ("Lists" in lines[0]) is (columns >= 72)
    assert ("Number" in lines[0]) is (columns >= 50)
    assert "Tuna" in shown


def test_nothing_is_found_and_something_is_passed_over(run: Run) -> None:
    shown = run("cards", "search", "name=nonsuch", "cots:3")
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert "Ignored [unknown_key]: column 14: " in shown.stderr
    assert "No card fits: name=nonsuch" in shown.stderr


def test_a_refusal_points_at_its_column(run: Run) -> None:
    shown = run("cards", "search", "tuna", "cost<much")
    assert shown.exit_code == 1
    error, query, pointer = shown.stderr.splitlines()
    assert error.startswith("Error [bad_number]: Column 11 ")
    assert query[pointer.index("^") :] == "much"


def test_own_cards_and_cards_as_nobody(run: Run, here: House, tmp_path: Path) -> None:
    assert run("cards", "search", "own>=3", "--json").exit_code == 0
    nobody = run("cards", "search", "tuna", "--house", here.url, home=tmp_path)
    assert "Tuna" in nobody.stdout
    refused = run("cards", "search", "own>0", "--house", here.url, home=tmp_path)
    assert (refused.exit_code, "[not_signed_in]" in refused.stderr) == (1, True)


def test_decks(run: Run) -> None:
    shown = run("decks", "search", "uses:salt", "size<40", "sort:-size")
    assert [line.split()[1] for line in shown.stdout.splitlines()[1:]] == ["Bread", "[red]Salt[/red]"]
    assert shown.stderr == "2 decks.\n"
    assert "Id" not in run("decks", "search", "uses:salt size<40", columns=40).stdout.split()
    told = json.loads(run("decks", "search", "is:legal", "--json").stdout)
    assert {deck["size"] for deck in told["items"]} == {40}
    assert "[red]Salt" in run("decks", "list").stdout


def test_a_deck_as_a_code_and_back(run: Run) -> None:
    starter = next(iter(load().starters.values()))
    run("decks", "new", "Mine", "-", input="\n".join(f"{n} {card}" for card, n in starter.counts.items()))
    code = run("decks", "encode", "Mine").stdout
    assert re.fullmatch(r"PK1\.[A-Za-z0-9_-]+\n", code)
    text = run("decks", "decode", code).stdout
    assert text == run("decks", "show", "Mine").stdout.partition("\n")[2]
    counts = run("decks", "decode", code.strip(), "--json").stdout
    assert sum(json.loads(counts).values()) == 40
    for form in (text, counts, code):
        assert run("decks", "encode", "--file", "-", input=form).stdout == code
        assert run("decks", "validate", "--file", "-", input=form).exit_code == 0
    assert "Pasted: 40 cards" in run("decks", "new", "Pasted", "-", input=code).stdout


@pytest.mark.parametrize(
    ("arguments", "given", "code"),
    [
        (["decode", "PK1.EAEBAwIB1QNQ_wk"], "", "bad_checksum"),
        (["decode", "PK1.EAEBAwIC1QNQ_wk="], "", "padded"),
        (["encode", "--file", "-"], "PK1.EAEBAwIC1QNQ_w", "bad_checksum"),
        (["encode", "--file", "-"], '{"tomato": 1.5}', "bad_deck_json"),
        (["encode", "--file", "-"], '{"tomato": 1', "bad_deck_json"),
        (["encode", "--file", "-"], '{"martian": 1}', "unknown_card"),
        (["encode", "--file", "-"], "5 Salt\n4 Tomato\n7 Bread", "uncodable"),
        (["new", "Pasted", "-"], "PK1.EAEBAwIC1QNQ_wl", "trailing_bits"),
    ],
)
def test_what_is_no_code_and_has_none(run: Run, arguments: list[str], given: str, code: str) -> None:
    result = run("decks", *arguments, input=given)
    assert (result.exit_code, f"[{code}]" in result.stderr) == (1, True), result.output
    assert result.stderr.count("uncodable_count") == (2 if code == "uncodable" else 0)


STARTER = "Corner Trattoria"
TRATTORIA = {CARDS.cards[n]: count for n, count in CARDS.starters["trattoria"].counts.items()}


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_statistics_fit_into_the_terminal(run: Run, columns: int) -> None:
    shown = run("decks", "stats", STARTER, columns=columns)
    assert shown.exit_code == 0, shown.output
    assert max(map(len, shown.stdout.splitlines()[:-4])) <= columns
    exact = servable(TRATTORIA, 1)
    assert exact is not None
    [line] = [line for line in shown.stdout.splitlines() if line.startswith("a dish to serve")]
    assert line.split()[4] == f"{float(exact.any[0]):.0%}"


def test_statistics_as_json_and_as_a_picture(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "deck.svg"
    shown = run("decks", "stats", STARTER, "--json", "--seed", "x", "--rounds", "4", "--svg", str(picture))
    assert json.loads(shown.stdout) == statistics_of(TRATTORIA, 4, "x")
    names = {card.slug: card.name for card in TRATTORIA}
    assert picture.read_text() == chart(statistics_of(TRATTORIA, 4, "x"), names, STARTER)
    lost = run("decks", "stats", STARTER, "--svg", str(tmp_path / "none" / "deck.svg"))
    assert (lost.exit_code, "unwritable" in lost.stderr) == (2, True)


def test_statistics_of_a_file_that_is_kept_nowhere(run: Run) -> None:
    shown = run("decks", "stats", "--file", "-", input="2 Bread\n1 Toast")
    assert "3 cards: 1 recipe, 2 ingredients" in shown.stdout
    assert run("decks", "stats").exit_code == 2
    large = run("decks", "stats", "--file", "-", input="61 Bread")
    assert (large.exit_code, "too_many_cards" in large.stderr) == (1, True)


def test_sample_hands_come_again(run: Run) -> None:
    shown = run("decks", "hands", STARTER, "--seed", "7", "--count", "2").stdout
    assert shown == run("decks", "hands", STARTER, "--seed", "7", "--count", "2").stdout
    first = next(deals(TRATTORIA, 1, "7"))
    lines = shown.splitlines()
    assert lines[:2] == ["Hand 1", "  1: " + ", ".join(card.name for card in first[:6])]
    assert sum(line.startswith("Hand ") for line in lines) == 2
    told = run("decks", "hands", STARTER, "--seed", "7", "--count", "2", "--json").stdout
    assert json.loads(told) == hands(TRATTORIA, 4, 2, "7")


def test_what_would_help(run: Run) -> None:
    assert "None of your 0 other cards" in run("decks", "suggest", STARTER).stdout
    shown = run("decks", "suggest", "--file", "-", input="3 Toast\n3 Garlic Bread\n3 Basil")
    assert shown.exit_code == 0, shown.output
    assert "Bread" in shown.stdout
    told = json.loads(
        run("decks", "suggest", "--file", "-", "--json", input="3 Toast\n3 Garlic Bread\n3 Basil").stdout
    )
    assert [item["remove"] for item in told["items"]] == [None] * len(told["items"])
    assert told["items"][0]["add"] == "sourdough"  # it counts as bread, and has a bonus
