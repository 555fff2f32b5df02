"""`cloche sets`, `cloche cards show` and `download`: against a house whose sample set has a past."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import Result

from cards.catalog.cards import Catalog
from client.http import Api
from player.house import Unreachable
from tests.cards.catalog.histories_kit import after, card, moving, new_card, sample
from tests.cloche.here_kit import House

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return moving(tmp_path_factory.mktemp("sets"))


@pytest.fixture(scope="module")
def here(catalog: Catalog, migrated_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with those cards."""
    with House.opened(tmp_path_factory.mktemp("house"), migrated_file, catalog) as opened:
        yield opened


@pytest.fixture
def run(here: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("sets", "list")`, as nobody, in a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    where = {"CLOCHE_HOUSE": here.url}
    return partial(here.run, home=tmp_path / "home", environment=where, columns=150)


def read(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_sets_and_their_versions(run: Run) -> None:
    assert "PB" in run("sets", "list").stdout
    assert [item["version"] for item in read(run("sets", "list", "--json"))] == ["3.0.0"]
    lines = run("sets", "versions", "pb").stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["Version", "3.0.0", "2.0.0", "1.0.0"]
    refused = run("sets", "versions", "XX")
    assert (refused.exit_code, "[not_found]" in refused.stderr) == (1, True)


def test_what_a_version_changed(run: Run) -> None:
    shown = run("sets", "changes", "PB", "--since", "1.0.0")
    assert 'Char (1028): slug was "salmon", is "char".' in shown.stdout.splitlines()
    assert shown.stderr.endswith("5 changes from 1.0.0 to 3.0.0, major.\n")
    assert read(run("sets", "changes", "PB", "2.0.0", "--json"))["since"] == "1.0.0"


def test_ids_that_changed(run: Run) -> None:
    lines = run("sets", "moved").stdout.splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [
        ["salmon", "char", "renamed"],
        ["tuna", "new-900", "replaced"],
        ["trout", "char", "renamed"],
    ]


def test_a_card_is_shown_as_it_is_and_as_it_was(run: Run) -> None:
    shown = run("cards", "show", "Tuna").stdout.splitlines()
    assert shown[0] == "Tuna (tuna, number 1027)"
    assert shown[1] == "Ingredient, common; PB 3.0.0"
    assert shown[-1] == "Withdrawn: it can be played, but no more copies are made; new-900 replaces it."
    before = run("cards", "show", "tuna", "--version", "1.0.0").stdout
    assert "PB 1.0.0" in before
    assert "Withdrawn" not in before
    assert read(run("cards", "show", "1028", "--version", "1.0.0", "--json"))["slug"] == "salmon"
    assert run("cards", "show", "Salmon").stdout.startswith("Char (char, number 1028)")
    old = run("cards", "show", "salmon", "--set", "PB", "--version", "1.0.0")
    assert old.stdout.startswith("Salmon (salmon, number 1028)")
    assert run("cards", "show", "pike").exit_code == 1


def test_a_search_shows_rarity_version_and_what_was_withdrawn(run: Run) -> None:
    line = run("cards", "search", "name=tuna").stdout.splitlines()[1]
    assert "common" in line
    assert "PB 3.0.0" in line
    assert "withdrawn" in line


def test_a_set_is_taken_away_and_checked(run: Run, tmp_path: Path) -> None:
    made = run("cards", "download")
    assert made.exit_code == 0, made.output
    data = (tmp_path / "PB-3.0.0.jsonl").read_bytes()
    assert f"sha256 {sha256(data).hexdigest()}" in made.stdout
    assert len(data.splitlines()) == 20
    assert "already" in run("cards", "download").stdout
    (tmp_path / "PB-3.0.0.jsonl").write_bytes(data[1:])
    assert "sha256" in run("cards", "download").stdout
    assert (tmp_path / "PB-3.0.0.jsonl").read_bytes() == data
    out = tmp_path / "old.json"
    assert (
        run("cards", "download", "PB", "--version", "1.0.0", "--format", "json", "--out", str(out)).exit_code
        == 0
    )
    assert json.loads(out.read_bytes())["set"]["version"] == "1.0.0"
    assert run("cards", "download", "PB", "--version", "1.0.9").exit_code == 1
    assert "[cant_write]" in run("cards", "download", "--out", str(tmp_path / "no" / "file")).stderr


def test_what_comes_otherwise_is_not_kept(
    run: Run, here: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Api(here.url, transport=here.transport) as api:
        listed = api.downloads()
        wanted = listed[0]
        assert sha256(api.download(wanted)).hexdigest() == wanted.sha256
        for wrong in (replace(wanted, size=wanted.size + 1), replace(wanted, sha256="0" * 64)):
            with pytest.raises(Unreachable):
                api.download(wrong)
    forged = [replace(item, sha256="0" * 64) for item in listed]
    monkeypatch.setattr(Api, "downloads", lambda _: forged)
    refused = run("cards", "download")
    assert refused.exit_code == 3
    assert not (tmp_path / "PB-3.0.0.jsonl").exists()


def test_a_release_is_what_the_history_takes(run: Run, tmp_path: Path) -> None:
    first = sample()
    second = after(first, "1.1.0", lambda d: d["cards"].append(new_card()))
    card(second, "tuna")["flavour"] = "Otherwise."
    for name, data in (("before", first), ("after", second)):
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    made = run("sets", "release", "before.yaml", "after.yaml")
    (step,) = yaml.safe_load(made.stdout)
    assert step["added"] == {"cards": [900]}
    assert [entry["slug"] for entry in step["before"]["cards"]] == ["tuna"]
    (tmp_path / "odd.yaml").write_text("- 1", encoding="utf-8")
    refused = run("sets", "release", "before.yaml", "odd.yaml")
    assert (refused.exit_code, "[no_card_set]" in refused.stderr) == (2, True)
