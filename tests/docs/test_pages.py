"""The pages name what is there: every link leads somewhere, every room in the table of rooms exists."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md")])
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    missing = [
        link for link in links if "://" not in link and not (page.parent / link.partition("#")[0]).exists()
    ]
    assert not missing


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_into_pages_lead_to_a_heading(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s#]*\.md|)#([^)\s]+)\)", page.read_text())
    missing = [
        f"{file}#{anchor}"
        for file, anchor in links
        if anchor not in anchors(page.parent / file if file else page)
    ]
    assert not missing


@pytest.mark.parametrize("page", ["protocol.md", "proofs.md", "security.md"])
def test_tests_that_a_page_names_are_there(page: str) -> None:
    named = set(re.findall(r"`(tests/[\w/.]+)`", (ROOT / "docs" / page).read_text()))
    assert named
    assert not [path for path in named if not (ROOT / path).exists()]


ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()


def named_rooms() -> set[str]:
    """The folders that the table of rooms names, each without its last slash.

    A row begins with the folder that it is about; names in its text that are no path from the root lie in it.
    """
    found = set()
    table = ARCHITECTURE.partition("## The rooms")[2].partition("\n## ")[0]
    for row in (line for line in table.splitlines() if line.startswith("| `")):
        first, text = row.split("|")[1:3]
        own = re.findall(r"`([\w/]+)/`", first)
        found |= {*own}
        for inner in re.findall(r"`([\w/]+)/`", text):
            found.add(inner if inner.split("/")[0] == own[0] else f"{own[0]}/{inner}")
    return found


def test_every_room_that_the_page_names_is_there() -> None:
    rooms = named_rooms()
    assert len(rooms) > 30
    assert not [room for room in rooms if not (ROOT / room).is_dir()]


def test_the_page_names_every_folder_that_can_be_imported() -> None:
    tops = {room for room in named_rooms() if "/" not in room} - {"tests", "data"}
    folders = {
        str(file.parent.relative_to(ROOT))
        for top in ROOT.iterdir()
        for file in top.rglob("__init__.py")
        # Of what lies in web/, nothing can be imported but in a browser: docs/web.md names it.
        if top.name not in ("tests", "node_modules", "web")
        and not top.name.startswith((".", "build", "dist"))
    }
    assert {folder.split("/")[0] for folder in folders} == tops
    assert not folders - named_rooms()


def test_the_page_of_rooms_is_short() -> None:
    assert len(ARCHITECTURE.splitlines()) <= 200


@pytest.mark.parametrize("picture", PICTURES, ids=name)
def test_pictures_are_whole_and_need_nothing_from_elsewhere(picture: Path) -> None:
    text = picture.read_text()
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert not re.search(r"(href|src)=\"(?!#)|url\((?!#)|@import|<script", text)
