"""`cloche simulate`: decks weighed by matches, as a table, JSON, a picture and docs/balance.md."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bots import deck_search
from cards.catalog.card_sets import load
from cards.decks.codes import encode
from cards.decks.deck_lists import DeckList
from cloche.commands.measure.balance.chart import chart
from cloche.commands.measure.balance.page import page, why
from cloche.commands.measure.balance.report import (
    BoundedFigure,
    LeagueReport,
    Probe,
    Round,
    SearchReport,
    Won,
    balance,
)
from cloche.commands.measure.simulate import PROBES
from cloche.main import main
from tests.paths import DOCS


def run(*arguments: str) -> object:
    return CliRunner().invoke(main, ["simulate", "--bot", "greedy", "--cores", "1", *arguments])


def read(data: dict) -> LeagueReport:
    """A report from its JSON."""
    counts = {name: {int(k): n for k, n in data[name].items()} for name in ("lengths", "yum")}
    rounds = {"by_round": {int(number): Round(**one) for number, one in data["by_round"].items()}}
    decks = {"decks": {name: Won(**won) for name, won in data["decks"].items()}}
    return LeagueReport(**{**data, **counts, **rounds, **decks})


def read_probes(data: dict) -> dict[str, Probe]:
    """Probes from their JSON."""
    return {name: Probe(Won(**probe["won"]), probe["against"]) for name, probe in data.items()}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A starter as text, as JSON and as a deck code."""
    folder, catalog = tmp_path_factory.mktemp("decks"), load()
    deck = DeckList(catalog.starters["diner"].counts)
    counts = {catalog.cards[number].slug: n for number, n in deck.counts.items()}
    forms = {
        "text": "".join(f"{n} {catalog.by_slug(slug).name}\n" for slug, n in counts.items()),
        "json": json.dumps(counts),
        "code": encode(deck),
    }
    for name, text in forms.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in forms}


def test_a_table_of_what_each_wins_against_each() -> None:
    result = run("trattoria", "diner", "--matches", "4")
    assert result.exit_code == 0, result.output
    assert "4 matches by greedy" in result.output
    assert "v trattoria" in result.output


def test_the_same_deck_in_every_form_wins_half(files: dict[str, Path], tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    result = run(*map(str, files.values()), "--matches", "4", "--json", "--chart", str(picture))
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["matches"] == 12
    assert {won["share"] for won in found["decks"].values()} == {0.5}
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    assert json.loads(json.dumps(read(found).json())) == found


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("diner", "no-such-deck"), "unreadable"),
        (("diner", "{bad}"), "bad_deck_text"),
        (("diner", "{small}"), "illegal_deck"),
        (("diner", "{code}"), "bad_deck"),
    ],
)
def test_what_is_no_deck_is_refused(arguments: tuple[str, ...], code: str, tmp_path: Path) -> None:
    for name, text in {"bad": "3 Unobtainium\n", "small": "3 Tuna\n", "code": "PK1.AAAA"}.items():
        (tmp_path / name).write_text(text)
    given = [argument.format(**{p.name: p for p in tmp_path.iterdir()}) for argument in arguments]
    result = run(*given)
    assert result.exit_code != 0
    assert f"[{code}]" in result.output


@pytest.mark.parametrize(
    "arguments",
    [("diner",), ("diner", "taqueria", "--matches", "3"), ("diner", "--write"), ("--search", "--write")],
)
def test_what_can_not_be_played_is_said(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_goal_is_met_from_its_bounds_on() -> None:
    for value, least, most, met in (
        (0.58, None, 0.58, True),
        (0.581, None, 0.58, False),
        (0.8, 0.8, None, True),
        (0.79, 0.8, None, False),
        (0.42, 0.42, 0.58, True),
        (0.41, 0.42, 0.58, False),
    ):
        assert BoundedFigure("opening", "of it", value, least, most).kept is met


def test_the_page_and_its_picture_are_those_of_its_figures() -> None:
    """docs/balance.json is a run of `cloche simulate --write` on the present set."""
    data = json.loads((DOCS / "balance.json").read_text())
    starters, field = read(data["starters"]), read(data["field"])
    probes = read_probes(data["probes"])
    search = data["search"] and SearchReport(
        **{**data["search"], "found": read_probes(data["search"]["found"])}
    )
    held = tuple(balance(starters, field, probes, search.found if search else {}))
    assert data["version"] == next(s.version for s in load().sets if s.code == "PB")
    assert page(data["version"], starters, field, probes, search, held) == (DOCS / "balance.md").read_text()
    assert chart(starters) == (DOCS / "pictures" / "balance.svg").read_text()
    assert {*starters.decks} == {*load().starters}
    assert {*probes} == {file.stem for file in PROBES.glob("*.txt")}
    assert {*field.decks} == {file.stem for file in (PROBES / "field").glob("*.txt")}
    assert len(field.decks) >= 8
    pairings = len(starters.decks) * (len(starters.decks) - 1) // 2
    assert starters.matches >= 2000 * pairings
    assert all(won.matches >= 1700 for won in field.decks.values())


def test_the_page_has_every_goal_and_says_why_one_is_missed() -> None:
    text = (DOCS / "balance.md").read_text()
    data = json.loads((DOCS / "balance.json").read_text())
    held = [*balance(read(data["starters"]), read(data["field"]), read_probes(data["probes"]), {})]
    assert {one.key.split()[0] for one in held} == {
        *("probe", "theme", "opening", "pairing", "repeated", "leads", "redraws", "empty", "late", "tied"),
        "rounds",
    }
    for one in held:
        assert f"| {one.words} |" in text
        assert one.kept or why(one) in text


@pytest.fixture
def short_duels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a climb decide by few matches: these tests are about what a search remembers, not what it finds."""
    monkeypatch.setattr(deck_search, "FIRST", 2)
    monkeypatch.setattr(deck_search, "DUEL", 6)


@pytest.mark.slow
@pytest.mark.usefixtures("short_duels")
def test_a_search_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """A search that loses its last step, and its finalists, finds the same decks again."""
    state, plan = (
        tmp_path / "state.json",
        ("--search", "--candidates", "30", "--starts", "2", "--matches", "2"),
    )
    whole = run("trattoria", "diner", *plan, "--state", str(state), "--json")
    assert whole.exit_code == 0, whole.output
    done = json.loads(state.read_text())
    again = run("trattoria", "diner", *plan, "--state", str(state), "--json")
    assert json.loads(again.stdout) == json.loads(whole.stdout)
    first = run("trattoria", "diner", *plan, "--json")
    assert json.loads(first.stdout) == json.loads(whole.stdout)
    state.write_text(json.dumps({**done, "judged": done["judged"][:1]}))
    assert run("trattoria", "diner", *plan, "--state", str(state)).exit_code == 0
    assert json.loads(state.read_text()) == done


@pytest.mark.slow
@pytest.mark.usefixtures("short_duels")
def test_a_search_that_is_asked_for_more_goes_on_from_what_it_has(tmp_path: Path) -> None:
    """A search of 15 decks, then of 30, finds what a search of 30 finds: only its finalists play anew."""
    state, options = tmp_path / "state.json", ("--search", "--starts", "1", "--matches", "2")
    fewer = run("trattoria", *options, "--candidates", "15", "--state", str(state), "--json")
    assert json.loads(fewer.stdout)["candidates"] == 15
    more = run("trattoria", *options, "--candidates", "30", "--state", str(state), "--json")
    at_once = run("trattoria", *options, "--candidates", "30", "--json")
    assert json.loads(more.stdout) == json.loads(at_once.stdout)
    assert json.loads(more.stdout)["candidates"] == 30


@pytest.mark.usefixtures("short_duels")
@pytest.mark.parametrize(
    ("change", "code"),
    [(lambda data: data["plan"].update(seed=7), "other_search"), (dict.clear, "unreadable")],
)
def test_a_state_of_another_search_is_refused(
    change: Callable[[dict], object], code: str, tmp_path: Path
) -> None:
    state, plan = (
        tmp_path / "state.json",
        ("--search", "--candidates", "15", "--starts", "1", "--matches", "2"),
    )
    assert run("trattoria", *plan, "--state", str(state)).exit_code == 0
    data = json.loads(state.read_text())
    change(data)
    state.write_text(json.dumps(data))
    before = state.read_bytes()
    result = run("trattoria", *plan, "--state", str(state))
    assert result.exit_code != 0
    assert f"[{code}]" in result.output
    assert state.read_bytes() == before
