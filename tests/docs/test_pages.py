"""The pages name what is there: every link leads somewhere, every file in the tables exists."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
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
    """Of the headings of a page, as GitHub makes them."""
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


def test_the_table_of_behaviours_names_files_that_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = [
        row.split("|")[2] for row in text.partition("## Where to find what")[2].splitlines() if "`" in row
    ]
    assert len(rows) > 50
    missing = []
    for row in rows:
        folder = ROOT
        for file in re.findall(r"`([^`]+)`", row):
            # A name without a folder lies beside the one before it.
            path = ROOT / file if "/" in file else folder / file
            folder = path.parent
            missing += [] if path.exists() else [file]
    assert not missing


@pytest.mark.parametrize("picture", PICTURES, ids=name)
def test_pictures_are_whole_and_need_nothing_from_elsewhere(picture: Path) -> None:
    text = picture.read_text()
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert not re.search(r"(href|src)=\"(?!#)|url\((?!#)|@import|<script", text)
