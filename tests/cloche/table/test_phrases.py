"""Phrases at the terminal: what others say is shown in words, and one command mutes it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from client.phrases import Phrases, spoken
from tests.client.guests import Invite
from tests.cloche.terminal import Terminal
from tests.stack import Stack

KNOWN = {"good_luck": "Good luck!", "well_played": "Well played!", "thanks": "Thanks!"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("thanks", "thanks"),
        ("Well played!", "well_played"),
        ("good", "good_luck"),
        ("well_played", "well_played"),
        ("", None),
        ("hello", None),
    ],
)
def test_a_phrase_is_known_by_its_code_or_its_words(text: str, code: str | None) -> None:
    assert spoken(KNOWN, text) == code


def test_two_players_talk_and_one_mutes_the_other(invite: Invite) -> None:
    guest, other = invite(), invite()
    table = guest.api.open_table("flip", seats=2, options={"enter": 600})
    game = str(other.api.join(table.id).game)
    theirs = Phrases(other.api)
    before = theirs.newest()
    with Terminal(["play", "--game", game], guest.environment) as terminal:
        terminal.sees(r"Pancakes \(flip\) with")
        terminal.types("say")
        terminal.sees(r"say well played +Well played!")
        terminal.types("say well played")
        terminal.sees(r"You say: Well played!")
        heard = next(theirs.heard(game, before))
        assert (heard.name, heard.words) == (guest.vault.identity.handle, "Well played!")
        theirs.say(game, "thanks")
        terminal.sees(rf"{other.vault.identity.handle} says: Thanks!")
        terminal.keys("\x1bOQ")  # F2
        terminal.sees(r"You hear nothing that others say\.")
        newest = Phrases(guest.api).newest()
        theirs.say(game, "oops")
        assert Phrases(guest.api).newest() == newest
        since = terminal.types("mute off")
        terminal.sees(r"You hear what others say\.", since=since)
        terminal.types("quit")
        assert terminal.ends() == 0
