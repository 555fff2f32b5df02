"""`cloche pictures`: the dishes of a match, drawn here or painted by the house's provider."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import Result
from sqlmodel import select

from service.models import DishPicture
from tests.cloche.here_kit import House
from tests.service.provider_kit import PNG, Provider, providing
from tests.waiting import until


@pytest.fixture
def provider(here: House) -> Iterator[Provider]:
    """A provider on this machine, which the house asks for dishes."""
    before = here.runtime.settings
    with providing() as made:
        asked = replace(before, picture_url=made.url, dishes_a_day=1000)
        object.__setattr__(here.runtime, "settings", asked)
        yield made
    object.__setattr__(here.runtime, "settings", before)


def waiting(here: House) -> list[bool]:
    """For each dish that the house has noted, whether it still waits."""
    with here.runtime.read() as session:
        return [dish.due_at is not None for dish in session.exec(select(DishPicture))]


def test_the_dishes_of_a_match_are_painted_by_the_worker_and_fetched(
    here: House, provider: Provider, tmp_path: Path
) -> None:
    def run(*arguments: str, **how: Any) -> Result:
        given = {"CLOCHE_HOUSE": here.url}
        return here.run(*arguments, home=tmp_path / "home", environment=given, **how)

    assert run("register", "painted1").exit_code == 0
    with here.working():
        played = run("bot", "--against", "greedy", "--bot", "greedy", "--seed", "3")
        assert played.exit_code == 0, played.output
        found = re.search(r"cloche record (\S+)", played.stdout)
        assert found is not None
        # Looking wakes the worker for what a lost wake-up has left.
        looks = str(tmp_path / "looks")
        until(lambda: run("pictures", found[1], "--painted", "--out", looks).exit_code == 0 and waiting(here))
        until(lambda: not any(waiting(here)))
    assert len(provider.asked) == len(waiting(here))
    assert provider.most_at_once == 1

    drawn, painted = tmp_path / "drawn", tmp_path / "painted"
    for folder, more in ((drawn, []), (painted, ["--painted"])):
        done = run("pictures", found[1], *more, "--out", str(folder))
        assert done.exit_code == 0, done.output
    names = {path.stem for path in drawn.iterdir()}
    assert names
    assert {path.stem for path in painted.iterdir()} == names
    assert all(ElementTree.parse(path).getroot().tag.endswith("svg") for path in drawn.glob("*.svg"))
    assert {path.suffix for path in drawn.iterdir()} == {".svg"}
    assert {(path.suffix, path.read_bytes()) for path in painted.iterdir()} == {(".png", PNG)}


def test_a_file_has_no_painter(here: House, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text("{}")
    refused = here.run("pictures", str(file), "--painted", home=tmp_path / "home")
    assert refused.exit_code == 2
    assert "--painted is for a game at a house" in refused.stderr
