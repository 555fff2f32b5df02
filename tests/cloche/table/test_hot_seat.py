"""Two players at one terminal: each sees their own cards, and neither finds the other's on the screen."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from client.vault import Vault
from cloche.table.screen import CLEAR
from referee import verify_record
from tests.client.guests import PASSPHRASE, Guest, Invite
from tests.cloche.here_kit import House, Newcomer
from tests.cloche.terminal import ROOT, TERM, Terminal
from tests.stack import Stack
from tests.waiting import PATIENCE, until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


@contextmanager
def shared(ada: Guest, ben: Guest, mode: str, *how: str) -> Iterator[Terminal]:
    """A terminal at which both sit down."""
    with Terminal(["play", mode, "--hot-seat", str(ben.folder), *how], ada.environment) as table:
        table.sees(r"Passphrase:")
        table.types(PASSPHRASE)
        yield table


def takes_over(table: Terminal) -> str:
    """Let the player who is asked sit down; returns their name."""
    name = table.sees(r"(guest\w+), press Enter")[1]
    assert "Your hand" not in table.screen(), "nothing of the other's is left"
    table.types("")
    table.sees(rf"{name}, \w+>")
    return str(name)


def test_the_terminal_is_handed_over_with_the_screen_cleared(invite: Invite) -> None:
    ada, ben = invite(), invite()
    names = {guest.vault.identity.handle for guest in (ada, ben)}
    presented: list[str] = []
    with shared(ada, ben, "big-c", "--option", "turn=200") as table:
        while names:  # both present a card, whoever comes first
            names.remove(takes_over(table))
            hand = table.sees(r"Your hand\n +(.*)")
            assert table.raw.count(CLEAR) >= 2
            presented.append(next(card for card in hand[1].split() if card not in presented))
            table.types(presented[-1].rstrip("♣♦♥♠"))
        chooser, asks = table.sees(r"(guest\w+), (lead>|press Enter)").groups()
        if asks != "lead>":  # who has presented last may be the one to lead, and stays where they are
            assert takes_over(table) == chooser
        table.sees(rf"{chooser}, lead>")
        table.types("no such card")
        table.sees(r"I don't understand|no card")
        table.types("quit")
        table.sees(r"cloche play --game ([0-9a-f-]{36}) --hot-seat")
        assert "Your hand" not in table.text()
    [game] = [game["id"] for game in ada.api.games("running")]
    entries = json.loads(ada.api.record(game))["entries"]
    assert {("move", "0"), ("move", "1")} <= {(entry["kind"], entry["actor"]) for entry in entries}
    options = entries[0]["body"]["options"]
    assert (options["present"], options["turn"]) == (300, 200), "time to hand it over, or as they say"
    report = verify_record(ada.api.record(game), unfinished=True)
    assert report.valid, report.fault


def gives_up(table: Terminal) -> None:
    """Let the player who is asked resign, and be asked back."""
    takes_over(table)
    table.types("resign")
    table.sees(r"Give up this game\? \[y/N\]")
    table.types("y")


def test_another_game_is_played_until_they_have_enough(invite: Invite) -> None:
    ada, ben = invite(), invite()
    handles = [guest.vault.identity.handle for guest in (ada, ben)]
    with shared(ada, ben, "big-c") as table:
        gives_up(table)
        winner, game = table.sees(
            r"^(guest\w+) wins \(guest\w+ -13, guest\w+ -13\): by resignation\.\n"
            r" *cloche replay ([0-9a-f]{8}) "
        ).groups()
        assert winner in handles
        assert re.search(rf"^({'|'.join(handles)}) resigns\.$", table.text(), re.MULTILINE)
        assert "You" not in table.text(), "both read it"
        table.sees(r"Another game\? \(y/n\)")
        table.types("perhaps")
        table.sees(r"perhaps\s+Another game\? \(y/n\)")
        table.types("y")
        gives_up(table)
        again = table.sees(r"by resignation\.\n *cloche replay ([0-9a-f]{8}) ")[1]
        assert again != game
        table.types("n")
        assert table.ends() == 0
    ids = {entry["id"][:8]: entry["id"] for entry in ben.api.games()}
    found = {entry["id"][:8]: entry["names"] for entry in ben.api.games()}
    assert found.keys() == {game, again}
    assert found[again] == [*reversed(found[game])], "everybody moves up one seat"
    for played in ids.values():
        assert verify_record(ada.api.record(played)).valid
    for guest in (ada, ben):
        assert Vault.open(guest.vault.path, PASSPHRASE).contents.games == {}, "no secret outlives its game"


def test_who_is_asked_twice_in_a_row_sees_what_has_come_between(invite: Invite) -> None:
    ada, ben = invite(), invite()
    with shared(ada, ben, "cribbage") as table:
        lifted, topic = count(17), "nothing"
        while topic != "starter":
            # The next player who is asked may be the one who sits there, or the other.
            if "Enter" in table.sees(rf"guest\w+, (press Enter|(?!{topic})\w+>)")[1]:
                takes_over(table)
            topic = table.sees(r"guest\w+, (\w+)> *$")[1]
            if topic == "cut":
                table.types(str(next(lifted)))
            elif topic != "starter":
                table.plays_the_first()
        name = table.sees(r"(guest\w+), starter>")[1]
        table.types("17")
        table.sees(rf"{name}, card> *$")
        table.sees(r"the count is 0")
        table.sees(r"Your hand")
        table.keys("\x03")  # who breaks off leaves no hand on the screen
        table.sees(r"cloche play --game [0-9a-f-]{36} --hot-seat")
        assert "Your hand" not in table.text()
        assert table.ends() == 0


def test_the_house_restarts_and_the_two_go_on(open_stack, invite: Invite) -> None:
    house: Stack = open_stack()
    ada, ben = invite(house), invite(house)
    with shared(ada, ben, "big-c") as table:
        first = takes_over(table)
        house.kill9("house")
        table.plays_the_first()
        table.sees(r"Your choice is kept")
        until(lambda: "Your hand" not in table.screen() and "does not answer" in table.screen())
        house.start()
        assert takes_over(table) != first
        assert "Traceback" not in table.text()


def test_the_two_are_told_on_whom_they_wait(invite: Invite) -> None:
    ada, ben, cleo = invite(), invite(), invite()
    with shared(ada, ben, "big-c", "--seats", "3", "--option", "enter=300") as table:
        code = table.sees(r"cloche play --invitation (\S+)")[1]
        cleo.api.join(cleo.api.invitation(code).id, None, code)
        table.sees(rf"Waiting for {cleo.vault.identity.handle} \(enter\)\.")


def test_each_plays_their_own_deck(invite: Invite) -> None:
    """A second deck of the first player's, named by --deck; lines come from a pipe."""
    ada, ben = invite(), invite()
    basics = [card["slug"] for card in ada.api.cards() if card["basic"]]
    more = next(slug for slug in basics if ada.deck.cards.get(slug, 0) < 3)
    less = next(slug for slug in ada.deck.cards if slug not in basics)
    ada.api.mint_basics({more: 1})
    counts = Counter(ada.deck.cards) + Counter([more]) - Counter([less])
    ada.api.create_deck("Second", counts)
    command = ["play", "chef", "--hot-seat", str(ben.folder), "--deck", "Second"]
    played = subprocess.run(
        [sys.executable, "-m", "cloche", *command],
        input="\nkeep\n\nkeep\n\nresign\ny\nn\n",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT,
        env={**TERM, **ada.environment},
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "by resignation" in played.stdout


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["chess"], "unknown_mode"),
        ([], "no_mode"),
        (["big-c", "--seats", "1"], "no_seat"),
        (["big-c", "--seats", "2", "--against", "thrifty"], "no_seat"),
    ],
)
def test_mistakes_are_named(here: House, newcomer: Newcomer, arguments: list[str], code: str) -> None:
    ada, ben = newcomer(), newcomer()
    shares = ["play", *arguments, "--hot-seat", str(ben.folder)]
    result = here.run(*shares, home=ada.folder)
    assert result.exit_code == 1, result.output
    assert f"[{code}]" in result.stderr


def test_the_table_is_one_of_their_own(here: House, newcomer: Newcomer) -> None:
    ada, ben = newcomer(), newcomer()
    for other in (["--table", "x"], ["--invitation", "x"], ["--teach"]):
        shares = ["play", "big-c", "--hot-seat", str(ben.folder), *other]
        result = here.run(*shares, home=ada.folder)
        assert (result.exit_code, "--hot-seat opens a new table" in result.stderr) == (2, True), result.output


def test_a_game_of_one_of_them_is_not_shared(here: House, newcomer: Newcomer) -> None:
    ada, ben = newcomer(), newcomer()
    game = str(ada.api.open_table("big-c", bots=["thrifty"]).game)
    foreign = [
        (ada, ["play", "--hot-seat", str(ben.folder), "--game", game]),
        (ben, ["play", "--game", game]),
        (ben, ["bot", "--game", game]),
    ]
    for guest, arguments in foreign:
        result = here.run(*arguments, home=guest.folder)
        assert (result.exit_code, "[not_your_game]" in result.stderr) == (1, True), result.output


def test_one_player_does_not_sit_down_twice(here: House, newcomer: Newcomer) -> None:
    ada = newcomer()
    result = here.run("play", "big-c", "--hot-seat", str(ada.folder), home=ada.folder)
    assert result.exit_code == 1
    assert "[same_player]" in result.stderr
