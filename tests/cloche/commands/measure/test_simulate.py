"""`cloche simulate`: decks weighed by matches, as a table, JSON, a picture and docs/balance.md."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

from cards.catalog.card_sets import load
from cards.decks.codes import encode
from cards.decks.deck_lists import DeckList
from cloche.commands.measure.balance.chart import chart
from cloche.commands.measure.balance.page import page
from cloche.commands.measure.balance.report import LeagueReport, Probe, Won, balance
from cloche.main import main
from tests.paths import DOCS


def run(*arguments: str) -> object:
    return CliRunner().invoke(main, ["simulate", "--bot", "greedy", "--cores", "1", *arguments])


def read(data: dict) -> LeagueReport:
    """A report from its JSON."""
    counts = {name: {int(k): n for k, n in data[name].items()} for name in ("lengths", "yum")}
    return LeagueReport(
        **{**data, **counts, "decks": {name: Won(**won) for name, won in data["decks"].items()}}
    )


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
    "arguments", [("diner",), ("diner", "taqueria", "--matches", "3"), ("diner", "--write")]
)
def test_what_can_not_be_played_is_said(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_the_page_and_its_picture_are_those_of_its_figures() -> None:
    """docs/balance.json is a run of `cloche simulate --write` on the present set."""
    data = json.loads((DOCS / "balance.json").read_text())
    starters = read(data["starters"])
    probes = {name: Probe(Won(**probe["won"]), probe["against"]) for name, probe in data["probes"].items()}
    held = tuple(balance(starters, probes))
    assert data["version"] == next(s.version for s in load().sets if s.code == "PB")
    assert page(data["version"], starters, probes, held) == (DOCS / "balance.md").read_text()
    assert chart(starters) == (DOCS / "pictures" / "balance.svg").read_text()
    assert [one.words for one in held if not one.kept] == []
    assert {*starters.decks} == {*load().starters}
    assert starters.matches >= 2000
