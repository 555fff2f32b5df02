"""The table when something goes wrong: killed, cut off, the house gone, another device, two people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from client.vault import FILE, Vault
from cloche.main import main
from referee import verify_record
from tests.client.guests import PASSPHRASE, Guest, Invite
from tests.cloche.terminal import Terminal
from tests.stack import Stack
from tests.waiting import until


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


@contextmanager
def sat_down(ada: Guest, ben: Guest) -> Iterator[tuple[Terminal, Terminal]]:
    """Two people at a private table, who have kept their opening hands."""
    with Terminal(["play", "chef", "--private"], ada.environment) as first:
        first.sees(r"The table is private\. One seat is free\.")
        code = first.sees(r"cloche play --invitation (\S+)")[1]
        with Terminal(["play", "--invitation", code], ben.environment) as second:
            first.sees(rf"^{ben.vault.identity.handle} sits down\.")
            for table in (first, second):
                table.sees(r"redraw>")
                table.types("keep")
            yield first, second


def to_the_meal(table: Terminal) -> None:
    """Keep the opening hand."""
    table.sees(r"redraw>")
    table.types("keep")
    table.sees(r"meal>")


def serve(table: Terminal) -> None:
    """Seal what a bot would serve."""
    table.sees(r"meal>")
    table.types("suggest")
    table.types("serve")
    table.sees(r"\[y/N\]")
    table.types("y")


def kinds(guest: Guest, game: str) -> list[str]:
    return [entry["kind"] for entry in json.loads(guest.api.record(game))["entries"]]


def test_two_people_by_invitation_an_agreed_draw_and_a_rematch(invite: Invite) -> None:
    ada, ben = invite(), invite()
    with sat_down(ada, ben) as (first, second):
        serve(first)
        second.sees(rf"{ada.vault.identity.handle} has sealed at")
        serve(second)
        for table in (first, second):
            table.sees(r"Round 1\b")
            table.sees(r"Pancake · round 2")
        first.types("draw")
        second.sees(r"offers a draw; `draw` agrees")
        second.types("draw")
        for table in (first, second):
            table.sees(r"A draw \(\w+ \d+, \w+ \d+\): agreed on a draw")
        first.types("rematch")
        first.sees(r"Waiting")
        second.sees(rf"{ada.vault.identity.handle} asks for a rematch")
        second.types("rematch")
        seen = [len(re.findall(r"redraw>", table.text())) for table in (first, second)]
        for table, before in zip((first, second), seen, strict=True):
            until(lambda t=table, b=before: t.read() and len(re.findall("redraw>", t.text())) > b)
            table.types("quit")
            assert table.ends() == 0
    games = [game["id"] for game in ada.api.games()]
    assert len(games) == 2
    assert verify_record(ada.api.record(games[1])).valid


def test_killed_in_the_middle_it_goes_on_and_opens_what_it_had_sealed(invite: Invite) -> None:
    ada, ben = invite(), invite()
    with sat_down(ada, ben) as (first, second):
        serve(first)
        first.sees(r"You have sealed")
        first.kill9()
        serve(second)
        with Terminal(["play"], ada.environment) as again:
            again.sees(r"You are back at the table")
            again.sees(r"Pancake · round 2")
            second.sees(r"Pancake · round 2")
            again.types("history")
            again.sees(r"Round 1\b")
            again.types("resign")
            again.types("y")
            again.sees(r"by resignation")
    game = next(ada.api.games())["id"]
    assert "timeout" not in kinds(ada, game)
    assert verify_record(ada.api.record(game)).valid


def test_who_is_asked_whether_to_give_up_is_asked_still_when_a_round_begins(invite: Invite) -> None:
    with sat_down(invite(), invite()) as (first, second):
        serve(first)
        first.sees(r"You have sealed")
        first.types("resign")
        first.sees(r"Give up this game\? \[y/N\]")
        serve(second)
        first.sees(r"Pancake · round 2")
        first.types("y")
        second.sees(r"by resignation")


def test_the_house_restarts_and_the_table_goes_on(open_stack, invite: Invite) -> None:
    house: Stack = open_stack()
    ada = invite(house)
    with Terminal(["play", "chef", "--against", "greedy"], ada.environment) as table:
        table.sees(r"redraw>")
        table.types("keep")
        table.sees(r"meal>")
        house.kill9("house")
        table.sees(r"The house does not answer")
        table.sees(r"NO CONNECTION")
        table.types("suggest")
        table.types("serve")
        table.types("y")
        table.sees(r"Your choice is kept")
        house.start()
        table.sees(r"The house is back")
        table.sees(r"You have sealed")
        table.sees(r"Pancake · round 2")
        assert "Traceback" not in table.text()


def test_on_another_device_with_the_exported_file(invite: Invite, tmp_path: Path) -> None:
    ada = invite()
    there = {**ada.environment, "CLOCHE_HOME": str(tmp_path / "there")}
    carried = tmp_path / "carried.json"
    with Terminal(["play", "chef", "--against", "greedy"], ada.environment) as here:
        here.sees(r"redraw>")
        here.types("keep")
        here.sees(r"meal>")
        game = next(ada.api.games())["id"]
        with Terminal(["vault", "export", str(carried)], ada.environment) as export:
            export.sees(r"one running game")
            assert export.ends() == 0
        with Terminal(["vault", "import", str(carried)], there) as take:
            take.sees(r"one running game")
            assert take.ends() == 0
        with Terminal(["play", "--game", game], there) as other:
            serve(other)
            other.sees(r"Pancake · round 2")
            here.sees(r"You have sealed")  # by the other device
            here.sees(r"was sealed on another device|Round 1\b")
            here.sees(r"Pancake · round 2")
            other.types("quit")
            assert other.ends() == 0
        here.types("resign")
        here.types("y")
        here.sees(r"by resignation")
    assert "timeout" not in kinds(ada, game)
    assert Vault.open(tmp_path / "there" / FILE, PASSPHRASE).note(game) is not None


def test_a_device_without_the_secrets_is_told_what_to_do(invite: Invite, tmp_path: Path) -> None:
    ada = invite()
    there = {**ada.environment, "CLOCHE_HOME": str(tmp_path / "there")}
    ada.vault.back_up(tmp_path / "there" / FILE)
    with Terminal(["play", "chef", "--against", "greedy"], ada.environment) as here:
        here.sees(r"redraw>")
        with Terminal(["play"], there) as other:
            other.sees(r"\[elsewhere\]")
            other.sees(r"cloche vault export")
            assert other.ends() == 1


def test_who_sat_down_with_another_deck_than_the_first_names_it(invite: Invite) -> None:
    ada = invite()
    ada.api.mint_basics({"salt": 1})
    dropped = next(slug for slug in ada.deck.cards if slug != "salt")
    cards = {**ada.deck.cards, dropped: ada.deck.cards[dropped] - 1}
    cards["salt"] = cards.get("salt", 0) + 1
    second = ada.api.create_deck("Second", {slug: count for slug, count in cards.items() if count})
    game = ada.api.open_table("chef", deck=second.id, bots=["greedy"]).game
    assert game is not None
    with Terminal(["play", "--game", game], ada.environment) as table:
        table.sees(r"the house certified another card")
        table.types("quit")
        table.sees(r"\[wrong_card\]")
        table.sees(r"name that one: --deck DECK")
        assert table.ends() == 1
    with Terminal(["play", "--game", game, "--deck", "Second"], ada.environment) as table:
        to_the_meal(table)
        table.types("quit")
        assert table.ends() == 0
    with Terminal(["play", "--game", game], ada.environment) as table:
        table.sees(r"You are back at the table")
        table.sees(r"meal>")


def test_who_leaves_at_once_is_shown_no_fault(invite: Invite) -> None:
    ada = invite()
    table = ada.api.open_table("flip", bots=["nimble"], options={"turn": 300})
    for _ in range(3):
        left = CliRunner().invoke(main, ["play", "--game", str(table.game)], env=ada.environment, input="")
        assert left.exit_code == 0, left.output
        assert "The game and its clock go on" in left.stdout


def test_hearts_begins_and_a_card_is_played(invite: Invite) -> None:
    ada = invite()
    bots = ["--against", "careful", "--against", "random"]
    with Terminal(["play", "hearts", *bots], ada.environment, columns=60) as table:
        table.sees(r"expose>")
        for _ in range(10):  # an exposure withdraws what was said before
            since = table.types("done")
            if "card>" in table.sees(r"card>|expose a card, or done|random \(house\): done", since=since)[0]:
                break
        table.sees(r"card>")
        table.keys("play \t")
        table.sees(r"card> play \w+")
        table.keys("\r")
        table.sees(r"You: \w+[♣♦♥♠] \(\w+ of \w+\)")
        table.types("q sp")  # a card, and never `quit`
        table.sees(r"queen of spades|Nothing is asked of you")
        table.types("play 99 of clubs")
        table.sees(r"There is no card 99 of clubs|Nothing is asked of you")
        table.types("resign")
        table.types("y")
        table.sees(r"win \([^:]*:\s+by\s+resignation")
    game = next(ada.api.games())["id"]
    with Terminal(["replay", game, "--seat", "careful"], ada.environment) as replay:
        replay.sees(r"1 of \d+")
        replay.types("to end")
        replay.sees(r"by resignation")
        replay.types("quit")
        assert replay.ends() == 0


def test_tab_completes_names(invite: Invite) -> None:
    ada = invite()
    with Terminal(["play", "chef", "--against", "greedy"], ada.environment) as table:
        table.sees(r"redraw>")
        table.keys("ke\t")
        table.sees(r"redraw> keep")
        table.keys("\r")
        table.sees(r"meal>")
        table.keys("app\t")
        table.sees(r"meal> appetizer")


def test_a_spectator_watches(invite: Invite) -> None:
    ada, eve = invite(), invite()
    with Terminal(["play", "chef", "--against", "greedy"], ada.environment) as table:
        table.sees(r"redraw>")
        game = next(ada.api.games())["id"]
        with Terminal(["watch", game], eve.environment) as watch:
            watch.sees(r"Waiting for")
            table.types("keep")
            watch.sees(r"Pancake · round 1")
            table.types("resign")
            table.types("y")
            watch.sees(r"greedy \(house\) wins \(\w+ \d+, greedy \(house\) \d+\): by resignation")
            assert "Your recipes" not in watch.text()
            watch.types("tabel")
            watch.sees(r"I don't understand 'tabel'")
            watch.types("?")
            watch.sees(r"table: the whole table once more\n(?s:.*)watch> \?\ntable: ")
            watch.types("quit")
            assert watch.ends() == 0
