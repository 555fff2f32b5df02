"""Cribbage at a terminal: tracks and hand at any width, and what a typed line comes to."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console, RenderableType

from bots import default_bot
from cards.games import find
from cards.games.contract import Ask, State
from cloche.table import layout
from cloche.table.cribbage import CribbagePresenter
from cloche.table.look import Look
from cloche.table.presenter import Misread, View
from cloche.table.presenters import presenter_of
from cloche.table.replaying import moments
from tests.cards.games.cribbage_kit import do, play, playing, started
from tests.referee.table import Table

MODE = find("cribbage")
WIDTHS = (24, 40, 80, 120)


@cache
def played(seats: int, count: str) -> Table:
    """A game of bots."""
    table = Table.open("cribbage", seats, seed=seats, options={"target": "61", "count": count})
    bot = default_bot("cribbage")
    table.choose = lambda t, seat: bot.choose(MODE, t.views[seat].state, seat, t.rng)
    table.play()
    return table


def drawn(items: Iterable[RenderableType], width: int) -> str:
    """Return what is printed on a page of this width."""
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for item in items:
        console.print(item)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("seats", "count"), [(2, "muggins"), (4, "house")])
def test_no_drawing_exceeds_the_width(width: int, seats: int, count: str) -> None:
    for moment in moments(played(seats, count).record)[::7]:
        game = moment.game
        for look, seat in ((Look(), None), (Look(ascii=True), 0), (Look(), 1)):
            seen = game.state.seen(game.rules.sees(game.state, seat))
            view = View(replace(game, state=seen), seat, layout.seat_names(game), look, width)
            presenter = presenter_of(MODE)
            items = [*layout.picture(view, presenter)]
            if view.asked:
                items.append(presenter.list_moves(view))
            text = drawn(items, width)
            assert max(len(line) for line in text.splitlines()) <= width
            assert not look.ascii or text.isascii()
            for line in layout.toolbar(view, presenter, 103_000, ""):
                assert len(line) < width


@pytest.mark.parametrize("width", WIDTHS)
def test_accounts_name_the_players(width: int) -> None:
    game = played(2, "muggins").game
    view = View(game, 0, layout.seat_names(game), Look(ascii=True), width)
    accounts = [entry.body["lines"] for entry in played(2, "muggins").record if entry.kind == "account"]
    for lines in accounts:
        text = drawn(presenter_of(MODE).account(view, lines), width)
        assert max(len(line) for line in text.splitlines()) <= width
        assert "eat 0" not in text


# -- What is typed -----------------------------------------------------------


def view_of(state: State[Any], seat: int, look: Look | None = None) -> View:
    due = MODE.next(state)
    asking = None
    if isinstance(due, Ask):
        asking = SimpleNamespace(seats=due.seats, topic=due.topic, kind="move", how=due.how.value)
    seen = state.seen(MODE.sees(state, seat))
    game: Any = SimpleNamespace(state=seen, asking=asking, over=False, deals=1, rules=MODE)
    return View(game, seat, ["ada", "ben"], look or Look(ascii=True), 80)


def board_of(state: State[Any], seat: int) -> str:
    """Return what lies on the table, as a seat sees it."""
    return drawn(CribbagePresenter(MODE).board(view_of(state, seat)), 80)


def read(state: State[Any], seat: int, line: str) -> Any:
    reply = CribbagePresenter(MODE).read(view_of(state, seat), line)
    return None if reply is None else reply.move


@pytest.mark.parametrize("line", ["lay 5H KD", "5h kd", "lay 5 of hearts, king of diamonds"])
def test_cards_are_laid_away_by_name(line: str) -> None:
    state = started("5H KD 2C 3C 4C 6C", "")
    assert read(state, 0, line) == {"lay": [0, 1]}


@pytest.mark.parametrize("line", ["cut 17", "17"])
def test_a_cut_is_a_number(line: str) -> None:
    state = started("5H KD 2C 3C 4C 6C", "")
    state = MODE.play(state, {0: {"lay": [0, 1]}, 1: {"lay": [6, 7]}})
    assert read(state, 1, line) == {"cut": 17}


@pytest.mark.parametrize("line", ["qc", "play QC", "queen of clubs", '{"play": 6, "card": "QC"}'])
def test_a_card_is_played_by_name(line: str) -> None:
    assert read(playing("KC KD 5H 6H", "QC QH 9S 8S"), 1, line) == {"play": 6, "card": "QC"}


@pytest.mark.parametrize(
    ("line", "text", "section"),
    [
        ("5H", "carry it past 31", "cribbage 6"),
        ("QC", "not in your hand", "cribbage 6"),
        ("go", "must be played", "cribbage 6"),
        ("play 17Z", "no card 17Z", ""),
        ("play AD 5H", "Play one card at a time", "cribbage 6"),
        ("play", "Which card? AD, 5H or 6H?", "cribbage 6"),
    ],
)
def test_what_can_not_be_played_is_told_why(line: str, text: str, section: str) -> None:
    state = play(playing("AC AD 5H 6H", "QC QH 9S 8S"), "QC AC 9S")
    state = State(state.board.but(hand=state.board.hand._replace(reached=29, mover=0)), state.faces)
    with pytest.raises(Misread) as caught:
        read(state, 0, line)
    assert text in caught.value.text
    assert caught.value.section == section


def test_who_lays_one_card_is_asked_for_one() -> None:
    presenter = CribbagePresenter(MODE)
    assert presenter.hint(view_of(started("5H", ""), 0)).startswith("Type the cards, as in `5H KD`.")
    view = replace(view_of(started("5H", "", ""), 0), names=["ada", "ben", "cy"])
    assert presenter.task(view).startswith("lay a card away, ")
    assert presenter.hint(view).startswith("Type the card, as in `5H`.")


def test_claims_and_answers_are_numbers_and_words() -> None:
    state = play(
        playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H", count="muggins"), "5S 10D 5D 10H 5C JC JD 4C"
    )
    for line in ("28", "claim 28"):
        assert read(state, 1, line) == {"claim": 28}
    state = do(state, {"claim": 20})
    assert read(state, 0, "accept") == {"accept": True}
    for line in ("28", "object 28"):
        assert read(state, 0, line) == {"object": 28}
    assert CribbagePresenter(MODE).task(view_of(state, 0)) == "accept ben's claim of 20, or object"


def test_who_holds_what_and_where_the_pegs_are_is_said_without_colour() -> None:
    state = play(playing("KC KD 5H 6H", "QC QH 9S 8S"), "QC KC")
    state = State(state.board.but(scores=(61, 7)), state.faces)
    view = view_of(state, 1)
    presenter = CribbagePresenter(MODE)
    text = drawn([*presenter.board(view), *presenter.hand(view)], 80)
    assert "ada: 61 of 121" in text
    assert "The count is 20" in text
    assert "ada's crib: 4 cards, face down" in text
    assert presenter.beside(view, 0) == "3 cards, deals"
    assert "laid away" in text
    tracks = [line.strip() for line in text.splitlines() if set(line.strip()) == {"o", "."}]
    assert [track.index("o") for track in tracks] == [30, 3]
    late = State(state.board.but(hand=state.board.hand._replace(reached=22)), state.faces)
    assert "8S 9S (QH)" in drawn(presenter.hand(view_of(late, 1)), 80), "what does not fit is in brackets"


def test_the_crib_has_its_owners_name_until_the_deal_passes_on() -> None:
    """While the next deal is waited for, the dealer is another already."""
    state = playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H")
    presenter = CribbagePresenter(MODE)
    assert "ben's crib: 4 cards" in board_of(State(state.board.but(dealer=1), state.faces), 0)
    assert "Your crib: 4 cards" in board_of(state, 0)
    assert "ada's crib: 4 cards" in drawn(presenter.board(replace(view_of(state, 0), mine=False)), 80)
    after = play(state, "5S 10D 5D 10H 5C JC JD 4C")
    assert after.board.phase == "deal"
    assert after.board.dealer == 1
    assert "The crib: AS JS QS KS" in board_of(after, 0)
    assert "ada held 4C" in board_of(after, 0)


def test_a_game_won_in_mid_play_shows_no_whole_hands() -> None:
    state = play(playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H"), "5S 10D")
    state = State(state.board.but(phase="over"), state.faces)
    assert "ben played 5S" in board_of(state, 0)


def test_an_answer_shows_what_was_claimed_for_which_cards() -> None:
    state = play(
        playing("10D 10H JC 4C", "5S 5D 5C JD", starter="5H", count="muggins"), "5S 10D 5D 10H 5C JC JD 4C"
    )
    assert "claimed" not in board_of(state, 1)
    state = do(state, {"claim": 20})
    assert "ben held 5C 5D 5S JD, claimed as 20" in board_of(state, 0)
    state = do(state, {"accept": True}, {"claim": 6})
    assert "ada held 4C 10D 10H JC, claimed as 6" in board_of(state, 1)
    assert board_of(state, 1).count("claimed") == 1
    state = do(state, {"accept": True}, {"claim": 7})
    (crib,) = [line for line in board_of(state, 1).splitlines() if "crib" in line]
    assert crib.endswith("claimed as 7")
    assert board_of(state, 1).count("claimed") == 1


def test_completion_offers_what_is_held() -> None:
    state = playing("KC KD 5H 6H", "QC QH 9S 8S")
    view, presenter = view_of(state, 1), CribbagePresenter(MODE)
    assert {offer.text for offer in presenter.offers(view, "play Q")} == {"QC", "QH"}
    assert {offer.text for offer in presenter.offers(view, "9")} == {"9S"}
    assert {offer.text for offer in presenter.offers(view, "cl")} == {"claim "}
    assert presenter.offers(view, "cut 1") == []
