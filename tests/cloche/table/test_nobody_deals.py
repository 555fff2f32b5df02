"""What a player sees at a terminal where nobody deals: the mixing, a late seat, a void deal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cloche.table import layout
from cloche.table.look import Look
from cloche.table.presenter import Misread, View
from cloche.table.presenters import presenter_of
from cloche.table.replaying import moments
from player.due import seen
from referee import apply, verify_record
from referee.dealerless.masked import InPlay
from referee.house import TRUSTING
from tests.client.guests import Invite
from tests.cloche.terminal import Terminal
from tests.referee.dealerless.kit import Dealerless
from tests.referee.table import Table
from tests.stack import Stack


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


def view(table: Table, seat: int = 0) -> View:
    game = seen(table.views[seat], seat)
    return View(game, seat, layout.seat_names(game), Look(), 80)


def asked(table: Table) -> str:
    return layout.asked(view(table), presenter_of(table.game.rules))


def news(table: Table) -> list[str]:
    """What the newest entry tells seat 0."""
    presenter = presenter_of(table.game.rules)
    told: list[str] = []
    before = None

    for entry in table.record:
        after = apply(before, entry, TRUSTING)
        shown = replace(view(table), game=after)
        told = [str(line) for line in layout.news(before, entry, shown, presenter)]
        before = after
    return told


def test_a_player_sees_who_locks_and_mixes() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("lock")
    assert asked(table) == "the cards are being locked, by you and player 1"
    table.until("mix")
    assert asked(table) == "the cards are being mixed, by you (1 of 3 have)"
    table.answer(0)
    assert asked(table) == "the cards are being mixed, by player 1 (2 of 3 have)"


def test_a_player_sees_the_own_hand_and_no_other() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("move", topic="lay")
    own, presenter = view(table), presenter_of(table.game.rules)
    held = own.game.state.board.hand.held
    assert {*held[0]} <= own.game.state.faces.keys()
    assert not {*held[1]} & own.game.state.faces.keys()
    assert len(presenter.hand(own)) > 0


def test_a_number_is_no_move_while_the_programs_mix() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("mix")
    with pytest.raises(Misread, match="Nothing is asked of you at the moment"):
        presenter_of(table.game.rules).read(view(table), "17")


def test_silence_and_a_void_deal_are_explained() -> None:
    table = Dealerless.sit("cribbage", 3, seed=1, absent="play")
    table.until("move", topic="lay")
    table.silent = lambda _, seat: seat == 1
    while not [entry for entry in table.record if entry.kind == "timeout"]:
        table.step()
    assert news(table) == [
        "player 1 has let the time pass (move). Nobody else can show a card of player 1:"
        " asked again, 1 of 3 times late."
    ]
    while not [entry for entry in table.record if entry.kind == "annul"]:
        assert isinstance(table.game.masked, InPlay)
        table.step()
    [annul] = [entry for entry in table.record if entry.kind == "annul"]
    [told] = layout.news(None, annul, view(table), presenter_of(table.game.rules))
    assert str(told) == (
        "DEAL 2 IS VOID: player 1 can't show a card any more, and the others go on without."
        " Points of this deal are gone, and the cards are dealt again."
    )


def test_a_replay_shows_every_card_that_was_ever_shown_from_its_deal_on() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until_deal(3)
    steps = moments(table.record)
    [first] = [step for step in steps if step.entry.kind == "deal" and step.game.deals == 2]
    [played] = [step for step in steps if step.entry.kind == "deal" and step.game.deals == 3]
    assert played.before is not None
    shown = played.before.state.faces.keys()
    assert shown
    assert shown <= first.game.state.faces.keys()
    hidden = set(range(52)) - shown
    assert not hidden & first.game.state.faces.keys(), "a card that nobody showed stays face down"


CUT = r"(?s)^You: cut.*?(?:all cut again|deals).*?^(cut|lay)>"
"""What is printed from a cut to the next question. Below that, the account of the cut may stand once more."""


@pytest.mark.processes
def test_a_player_sits_down_where_nobody_deals(invite: Invite) -> None:
    guest = invite()
    command = ["play", "cribbage", "--against", "counter", "--option", "dealer=nobody"]
    with Terminal(command, guest.environment) as table:
        table.sees(r"cut>")
        table.types("standin off")
        table.sees(r"lets your time run to your deadline")
        cut = table.plays_the_first()
        # Equal cuts are no cut: the cards are mixed again, and the player is asked again.
        while table.sees(CUT, since=cut)[1] == "cut":
            cut = table.plays_the_first()
        table.sees("Your hand")
        # The hand is of the second deal, which nobody knows but this program.
        table.types("resign")
        table.types("y")
        table.sees(r"by resignation")
        table.types("quit")
        assert table.ends() == 0
    record = guest.api.record(str(next(guest.api.games())["id"]))
    assert verify_record(record).valid
    kinds = [entry["kind"] for entry in json.loads(record)["entries"]]
    assert kinds.count("mix") >= 2 * 3
    assert "shown" not in kinds
