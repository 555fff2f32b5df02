"""`cloche decks` between people: sharing, history, edits that would undo others, rules, what is missing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial, partialmethod
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from client.http import Api
from cloche.main import main
from tests.cloche.here_kit import House

Run = Callable[..., Result]
SOUP = "3 Tomato\n3 Onion\n2 Salt\n2 Paella"


@pytest.fixture(scope="module")
def people(here: House, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """`people("ada")("list")` is what `cloche decks list` prints for her."""
    homes: dict[str, Path] = {}

    def person(who: str) -> Run:
        if who not in homes:
            homes[who] = tmp_path_factory.mktemp(who) / "home"
            assert here.run("register", who, "--house", here.url, home=homes[who]).exit_code == 0
        return partial(here.run, "decks", home=homes[who], columns=120)

    return person


@pytest.fixture(scope="module")
def ada(people: Callable[[str], Run]) -> Run:
    return people("ada")


@pytest.fixture(scope="module")
def bob(people: Callable[[str], Run]) -> Run:
    return people("bob")


def _new(run: Run, name: str, text: str = SOUP) -> str:
    made = run("new", name, "-", input=text)
    assert made.exit_code == 0, made.output
    return made.stdout.split()[0]


def test_a_file_that_is_not_of_the_newest_revision_undoes_nothing(ada: Run) -> None:
    _new(ada, "Stock")
    printed = ada("show", "Stock").stdout
    assert re.match(r"# Stock \(deck [0-9a-f]{8}, revision 1\)\n", printed)
    mine, hers = printed.replace("2 Salt", "1 Salt"), printed.replace("3 Onion", "1 Onion")
    assert "revision 2" in ada("edit", "Stock", "-", "--note", "less salt", input=mine).stdout
    refused = ada("edit", "Stock", "-", input=hers)
    assert refused.exit_code == 1
    assert (
        "Error [edited_meanwhile]: Stock was edited meanwhile: you have revision 1, and the newest is 2"
        in (refused.stderr)
    )
    told = re.search(r"cloche decks (diff \S+ 1)", refused.stderr)
    assert told is not None
    assert "-1 Salt (2 to 1)" in ada(*told[1].split()).stdout
    assert [line for line in ada("show", "Stock").stdout.splitlines() if line[0] != "#"] == [
        line for line in mine.splitlines() if line[0] != "#"
    ]
    assert "revision 3" in ada("edit", "Stock", "-", "--force", input=hers).stdout
    again = ada("show", "Stock").stdout
    assert "has these 8 cards already: revision 3" in ada("edit", "Stock", "-", input=again).stdout
    other = _new(ada, "Another")
    assert ada("edit", other, "-", input=printed.replace("2 Paella", "1 Paella")).exit_code == 0


def test_an_edit_in_between_is_told_whatever_was_edited(ada: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody with the same key changes it between our reading and our writing."""
    _new(ada, "Busy")
    real = Api.edit_deck

    def late(api: Api, meanwhile: dict[str, Any], deck: Any, **changes: Any) -> Any:
        monkeypatch.setattr(Api, "edit_deck", real)
        real(api, api.deck(deck.id), **meanwhile)
        return real(api, deck, **changes)

    for meanwhile, words in (
        ({"tags": ["new"]}, "Busy was changed meanwhile: its tags, or who may see it. Try again."),
        ({"cards": {"salt": 1}}, "Busy was edited meanwhile: you have revision 1, and the newest is 2."),
    ):
        monkeypatch.setattr(Api, "edit_deck", partialmethod(late, meanwhile))
        refused = ada("share", "Busy", "public")
        assert (refused.exit_code, words in refused.stderr) == (1, True), refused.output
    assert "Busy" not in ada("list", "--public").stdout
    assert "new" in ada("tag", "Busy").stdout


def test_history_is_told_and_brought_back(ada: Run) -> None:
    _new(ada, "Stew")
    ada("edit", "Stew", "-", "--note", "for guests", input=SOUP + "\n3 Lobster")
    ada("rename", "Stew", "Grand Stew")
    back = ada("restore", "Grand Stew", "1", "--note", "after all").stdout
    assert back == "Stew: 10 cards, revision 4, as 1 was.\n"
    assert "is as it was then already: revision 4" in ada("restore", "Stew", "1").stdout
    rows = [" ".join(line.split()) for line in ada("revisions", "Stew").stdout.splitlines()[1:]]
    rows = [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d ", "", row) for row in rows]
    assert rows == [
        "4 10 -3 Stew; revision 1 again; after all",
        "3 13 Grand Stew",
        "2 13 +3 for guests",
        "1 10 +10 Stew",
    ]
    shown = ada("diff", "Stew", "1", "2").stdout.splitlines()
    assert shown[:2] == ["From Stew (revision 1) to Stew (revision 2):", "  +3 Lobster"]
    assert shown[2].startswith("So: size 10 to 13, ingredients 8 to 11, ")
    assert "  -3 Lobster" in ada("diff", "Stew").stdout
    assert json.loads(ada("diff", "Stew", "1", "2", "--json").stdout)["added"] == {"lobster": 3}
    assert "3 Lobster" in ada("show", "Stew", "--revision", "2").stdout
    missing = ada("diff", "Stew", "1", "9")
    assert (missing.exit_code, missing.stderr.splitlines()[0]) == (
        1,
        "Error [not_found]: There is no such revision.",
    )


def test_who_names_a_deck_by_its_code_is_told_what_reads_codes(ada: Run) -> None:
    refused = ada("show", "PK1.EAEBAwIC1QNQ_wk")
    assert "[unknown_deck]" in refused.stderr
    assert "`cloche decks decode` reads a deck code" in refused.stderr


@pytest.mark.parametrize("columns", [30, 60, 90, 140])
def test_lists_fit_into_the_terminal(ada: Run, columns: int) -> None:
    for arguments in (["list"], ["list", "--public"], ["revisions", "Corner Trattoria"]):
        shown = ada(*arguments, columns=columns)
        assert shown.exit_code == 0
        assert max(map(len, shown.stdout.splitlines()), default=0) <= columns


def test_a_deck_is_shown_to_others_as_far_as_its_owner_says(ada: Run, bob: Run) -> None:
    ident = _new(ada, "Shown")
    for command in (["show"], ["stats"], ["copy"], ["favourite"], ["missing"], ["revisions"]):
        refused = bob(*command, ident)
        assert (refused.exit_code, "[unknown_deck]" in refused.stderr) == (1, True), command
    assert ident in ada("share", "Shown", "unlisted").stdout
    assert "3 Tomato" in bob("show", ident).stdout
    assert "Shown" not in bob("list", "--public").stdout
    assert bob("show", "Shown").exit_code == 1  # by its id alone
    assert "Everybody can see Shown" in ada("share", "Shown", "public").stdout
    assert re.search(r"ada +Shown", bob("list", "--public").stdout)
    assert "1 deck." in bob("search", "--public", "shown", "by:ada").stderr
    assert bob("favourite", ident).stdout == "Shown is a favourite of yours.\n"
    assert "Shown" in bob("list", "--favourites").stdout
    copied = bob("copy", "Shown", "Taken").stdout  # by its name now
    assert "Taken: 10 cards, from Shown by ada, revision 1." in copied
    assert "the same cards" in bob("compare", "Taken", "Shown").stdout
    for command in (["edit", ident, "-"], ["rename", ident, "Mine"], ["share", ident, "private"]):
        refused = bob(*command, input="1 Salt")
        assert (refused.exit_code, "[unknown_deck]" in refused.stderr) == (1, True), command
    assert "Only you can see Shown now" in ada("share", "Shown", "private").stdout
    assert bob("show", ident).exit_code == 1
    assert "Shown" not in bob("list", "--favourites").stdout
    assert "Taken" in bob("list").stdout


def test_tags_and_favourites(ada: Run) -> None:
    _new(ada, "Labels")
    assert ada("tag", "Labels").stdout == "Labels: no tags\n"
    assert ada("tag", "Labels", "Quick Lunch", "Élan").stdout == "Labels: elan quick-lunch\n"
    assert ada("tag", "Labels", "odd", "--remove", "Quick lunch").stdout == "Labels: elan odd\n"
    refused = ada("tag", "Labels", "!", "x" * 31)
    assert (refused.exit_code, refused.stderr.count("[bad_tag] /tags/")) == (1, 2)
    assert "elan odd" in ada("list").stdout
    assert "1 deck." in ada("search", "tag:elan").stderr
    ada("favourite", "Labels")
    assert "1 deck." in ada("search", "is:favourite", "tag:odd").stderr
    assert "no longer a favourite" in ada("favourite", "Labels", "--remove").stdout
    assert "No deck is among your favourites." in ada("list", "--favourites").stderr


def test_rules_are_asked_together(ada: Run) -> None:
    _new(ada, "Rare", SOUP)
    refused = ada("validate", "Rare", "--rules", "open", "--rules", "home-cooking", "--rules", "one-of-each")
    assert refused.exit_code == 1
    assert (
        "[illegal_deck]: It breaks the rules of home-cooking and one-of-each, and keeps those of open:"
        in refused.stderr
    )
    assert "[rarity_not_allowed] home-cooking: Paella is rare" in refused.stderr
    assert "[restricted_card] one-of-each: 2 copies of Paella; One of Each allows 1." in refused.stderr
    kept = ada("validate", "--file", "-", "--rules", "one-of-each", "--rules", "open", input="1 Egg")
    assert (kept.exit_code, kept.stdout) == (0, "It keeps the rules of one-of-each and open.\n")
    unknown = ada("validate", "Rare", "--rules", "nonsuch")
    assert (unknown.exit_code, "[unknown_rules]" in unknown.stderr) == (1, True)
    formats = ada("formats").stdout
    assert "home-cooking (Home Cooking" in formats
    assert "Caviar: banned." in formats
    assert len(json.loads(ada("formats", "--json").stdout)) >= 3


def test_what_is_missing_and_what_of_it_is_free(people: Callable[[str], Run]) -> None:
    run = people("carla")
    _new(run, "Wish", "3 Onion\n2 Paella\n1 Lobster")
    shown = run("missing", "Wish").stdout
    assert re.search(r"3 +0 of 3 +Onion +basic, free", shown)
    assert "6 missing: 3 rare, 3 free (--mint takes them)." in shown
    told = json.loads(run("missing", "Wish", "--json").stdout)
    assert (told["missing"], told["mintable"]) == (6, 3)
    minted = run("missing", "Wish", "--mint")
    assert minted.stderr == "3 Basic Ingredients are yours.\n"
    assert "3 missing: 3 rare." in minted.stdout
    assert run("missing", "Corner Trattoria").stdout == "Nothing is missing.\n"
    many = run("missing", "--file", "-", "--mint", input="100 Salt")  # more than at one time
    assert "100 Basic Ingredients are yours." in many.stderr
    assert many.stdout == "Nothing is missing.\n"


@pytest.mark.parametrize(
    ("given", "code", "lines"),
    [
        ("3 Tomatoe\nsalt\n0 Bread\n2 Salt", "bad_deck_text", ["line 1", "line 2", "line 3"]),
        ('{"tomato": 1.5, "salt": "2", "egg": true, "tuna": 1}', "bad_deck_json", ["tomato", "salt", "egg"]),
        ('{"unicorn": 1, "griffin": 2, "egg": 0}', "invalid_request", ["unicorn", "griffin", "egg"]),
    ],
)
def test_all_that_is_wrong_with_a_file_is_said_at_once(
    ada: Run, given: str, code: str, lines: list[str]
) -> None:
    refused = ada("new", "Wrong", "-", input=given)
    assert refused.exit_code == 1
    assert f"[{code}]" in refused.stderr
    for line, words in zip(refused.stderr.splitlines()[1:], lines, strict=True):
        assert words in line


def test_a_house_with_a_broken_format_does_not_open_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "formats").mkdir()
    (tmp_path / "formats" / "x.yaml").write_text(yaml.safe_dump({"format": "open", "sets": ["NO"]}))
    data = ["--data", str(tmp_path)]
    opened = CliRunner().invoke(main, ["serve", "--port", "0", *data])
    assert opened.exit_code == 1
    assert "x.yaml: format: 'name' is a required property" in opened.stderr
    looked = CliRunner().invoke(main, ["check", *data])
    assert looked.exit_code == 1
    assert looked.output.count("x.yaml") >= 3
