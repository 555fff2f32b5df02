"""Small terminals: hand, points, prompt and the newest account are on the screen whenever a line is typed."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from bots import bots_for
from cards import games
from cloche.commands.words import named
from tests.client.guests import Guest, Invite
from tests.cloche.terminal import Terminal
from tests.stack import Stack
from tests.waiting import PATIENCE

SIZES = ((80, 24), (60, 24))
OPPONENTS = {"big-c": 1, "cribbage": 1, "flip": 1, "hearts": 2}
"""Bots of the house that sit down, by mode."""
WITHOUT_A_HAND = ("cut",)
"""Questions that are asked before any card is dealt."""
HINTS = ("`keep`, or `redraw` for six new cards", "`menu` shows what can be cooked")
"""The beginnings of the hints of Pancake."""
STEPS = 12
PROMPT = re.compile(r"^(\S+)> *$", re.MULTILINE)
HAND = re.compile(r"^(Your (hand|recipes|ingredients)|(Recipes|Ingredients):)", re.MULTILINE)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


def words(text: str) -> str:
    """A text without line ends and doubled spaces: what is folded reads the same."""
    return " ".join(text.split())


def told(guest: Guest, mode: str) -> list[str]:
    """What a screen has that shows the newest account: of Pancake every course, of others every line."""
    entries, _ = guest.api.entries(str(next(guest.api.games())["id"]))
    accounts = [entry["body"]["lines"] for entry in entries if entry["kind"] == "account"]
    if not accounts:
        return []
    players = [player["name"] for player in entries[0]["body"]["seats"]]
    names = [name if players.count(name) == 1 else f"{name} {i}" for i, name in enumerate(players)]
    sections = games.find(mode).sections(accounts[-1], {})
    headings = [named(section.heading.text, names) for section in sections if section.heading is not None]
    lines = [named(line.text, names) for section in sections for line in section.lines]
    return headings if mode in ("chef", "hearts") else [*headings, *lines]


def check(table: Terminal, guest: Guest, mode: str) -> None:
    """Wait until something is asked; hand and points are below the prompt, the newest account is there."""

    def lacking() -> str:
        screen = table.screen()
        if "the game is over" in screen:
            return ""
        prompts = [*PROMPT.finditer(screen)]
        below = screen[prompts[-1].end() :] if prompts else ""
        absent = [text for text in told(guest, mode) if words(text) not in words(screen)]
        return (
            "a prompt" * (not prompts)
            or "the hand" * (prompts[-1][1] not in WITHOUT_A_HAND and HAND.search(below) is None)
            or "the points" * (re.search(r"\S+ -?\d+, ", below) is None)
            or (absent[0] if absent else "")
        )

    deadline = time.monotonic() + PATIENCE
    while missing := lacking():
        table.read(0.1)
        assert time.monotonic() < deadline, f"{mode}: {missing} is not on the screen:\n{table.screen()}"


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_match_of_pancake_from_the_keep_to_the_account(invite: Invite, columns: int, rows: int) -> None:
    guest = invite()
    command = ["play", "chef", "--against", "gourmet"]
    with Terminal(command, guest.environment, columns=columns, rows=rows) as table:
        table.sees(r"redraw>")
        check(table, guest, "chef")
        table.types("keep")
        for number in range(1, 5):
            table.sees(rf"round {number}\b")
            assert (f"Round {number - 1}" in told(guest, "chef")) is (number > 1)
            check(table, guest, "chef")
            for line in ("menu", "help game", "rules 5", "suggest"):
                before = table.types(line)
                table.sees(r"meal> *$", since=before)
                check(table, guest, "chef")
            table.types("serve")
            table.sees(r"\[y/N\]")
            table.types("y")
        table.sees(r"Round 4\b")
        hints = [words(table.text()).count(hint) for hint in HINTS]
        assert hints == [1, 2], "a first match shows three hints and no more"
        check(table, guest, "chef")
        table.types("resign")
        table.sees(r"Give up")
        table.types("y")
        table.sees(r"by resignation")
        before = table.types("rematch")
        table.sees(r"redraw>", since=before)
        assert [words(table.text()).count(hint) for hint in HINTS] == hints, "a second match shows none"


def test_a_replay_goes_by_rounds_with_the_arrow_keys(invite: Invite) -> None:
    guest = invite()
    with Terminal(["play", "chef", "--against", "greedy"], guest.environment) as table:
        table.sees(r"redraw>")
        table.types("keep")
        for number in (1, 2):
            table.sees(rf"round {number}\b")
            table.types("suggest")
            table.types("serve")
            table.sees(r"\[y/N\]")
            table.types("y")
        table.sees(r"round 3\b")
        table.types("resign")
        table.types("y")
        table.sees(r"by resignation")
        table.types("quit")
        assert table.ends() == 0
    with Terminal(["replay", "last"], guest.environment, columns=80, rows=24) as replay:
        replay.sees(r"opening hands")
        for number in (1, 2):
            replay.keys("\x1b[C")
            replay.sees(rf"^step .* round {number} ")
        replay.keys("\x1b[D")
        replay.sees(r"^step .* round 1 ")
        replay.keys("\x1b[B")
        replay.sees(r"has sealed")


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("mode", OPPONENTS)
def test_other_games_too(invite: Invite, mode: str, columns: int, rows: int) -> None:
    guest = invite()
    bot = next(name for name in bots_for(mode) if name != "random")
    command = ["play", mode, *["--against", bot] * OPPONENTS[mode]]
    with Terminal(command, guest.environment, columns=columns, rows=rows) as table:
        table.sees(PROMPT.pattern)
        for _ in range(STEPS):
            check(table, guest, mode)
            if "the game is over" in table.screen():
                break
            before = table.types("moves")
            table.sees(r"> *$", since=before)
            check(table, guest, mode)
            table.types("1")
