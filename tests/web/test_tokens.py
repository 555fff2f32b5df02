"""A copy that has left as a token: the page says where, and checks the token against its certificate."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.page import Page
from tests.client.guests import PASSPHRASE, Guest
from tests.stack import Stack
from tests.web.pantry_kit import CONTRACT, WALLET, with_pantry
from tests.web.site_kit import flow

CARD = "tuna"


@pytest.fixture(scope="module")
def house(page: Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with with_pantry(tmp_path_factory.mktemp("house")) as stack:
        yield stack


@pytest.fixture(scope="module")
def seen(house: Stack, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the page shows of a copy that was let out; first of this house, then of one that lies about it."""
    folder = tmp_path_factory.mktemp("players")
    anne = Guest.register(house.url, folder / "anne", 0)
    process = house.run("admin", "grant", anne.vault.identity.handle, "--card", f"{CARD}=2")
    assert process.popen.wait(60) == 0, process.text()
    copy = next(copy for copy in anne.api.copies(CARD) if copy["origin"].startswith("grant"))
    statement = anne.api.let_out([copy["id"]], WALLET)
    file: Path = folder / "anne.json"
    anne.vault.export(file)
    name = next(card["name"] for card in anne.api.cards() if card["slug"] == CARD)
    found: dict[str, Any] = flow("tokens", house.url, file=str(file), passphrase=PASSPHRASE, card=name)
    return {**found, "token": f"0x{statement['copies'][0]['token']}"}


def test_the_album_says_where_the_copy_is(seen: dict[str, Any]) -> None:
    assert "outside the house" in seen["line"]
    assert seen["facts"] == [seen["token"], CONTRACT, WALLET]
    assert "No token yet" in seen["said"]
    assert "Checked here" in seen["said"]


@pytest.mark.parametrize(
    ("lie", "code"),
    [("certificate", "bad_token"), ("statement", "bad_statement"), ("copy", "bad_statement")],
)
def test_a_house_that_lies_about_it_is_found(seen: dict[str, Any], lie: str, code: str) -> None:
    assert code in seen["lies"][lie]


def test_nothing_else_goes_wrong(seen: dict[str, Any]) -> None:
    assert (seen["faults"], seen["unsaid"], seen["wide"]) == ([], [], False)
