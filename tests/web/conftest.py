"""Fixtures of the tests of the page: the page as it is built, and a house that serves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.page import Page
from tests.stack import Stack
from tests.web import site_kit


@pytest.fixture(scope="module")
def page() -> Page:
    """The page of the sources as they are."""
    return site_kit.built_page()


@pytest.fixture(scope="module")
def house(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A house with this page, for all tests of a module."""
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack
