"""Big C at a terminal: its picture for up to twelve, at any width; what typed lines come to."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest
from rich.console import Console, RenderableType

from cards.games.contract import State
from cloche.table import layout
from cloche.table.big_c import BigCPresenter
from cloche.table.look import Look
from cloche.table.presenter import Misread, View
from cloche.table.presenters import presenter_of
from referee import Game
from tests.cards.games.big_c_kit import begun, do, playing, present
from tests.referee.table import Table

WIDTHS = (24, 40, 60, 80, 120)


def drawn(items: Iterable[RenderableType], width: int) -> str:
    """Return what is printed on a page of this width, without colours."""
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for item in items:
        console.print(item)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


@cache
def moments(seats: int) -> tuple[Game, ...]:
    """The house's game now and then, in its first steps."""
    table = Table.open("big-c", seats, seed=3)
    found = []
    for step in range(seats * 5 + 25):
        if table.game.over:
            break
        table.step()
        if step % 9 == 0:
            found.append(table.game)
    return (*found, table.game)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("seats", [2, 12])
def test_no_picture_exceeds_the_width(seats: int, width: int) -> None:
    for look in (Look(), Look(ascii=True)):
        for game in moments(seats):
            for seat in (None, 0, seats - 1):
                state = game.state.seen(game.rules.sees(game.state, seat))
                view = View(replace(game, state=state), seat, layout.seat_names(game), look, width)
                presenter = presenter_of(game.rules)
                assert isinstance(presenter, BigCPresenter)
                items = [*layout.picture(view, presenter)]
                if view.asked and game.asking is not None and game.asking.kind == "move":
                    items.append(presenter.list_moves(view))
                text = drawn(items, width)
                assert max(len(line) for line in text.splitlines()) <= width
                assert not look.ascii or text.isascii()
                for line in layout.toolbar(view, presenter, 103_000, ""):
                    assert len(line) < width


def sitting(state: State, seat: int = 0) -> tuple[BigCPresenter, View]:
    """A seat's view of a state of the rules, asked for a move."""
    game = next(
        game for game in reversed(moments(2)) if game.asking is not None and game.asking.kind == "move"
    )
    assert game.asking is not None
    due = game.rules.next(state)
    asking = replace(game.asking, topic=due.topic, seats=due.seats, until=dict.fromkeys(due.seats, 0))
    seen = state.seen(game.rules.sees(state, seat))
    shown = replace(game, state=seen, phase=asking)
    presenter = presenter_of(game.rules)
    assert isinstance(presenter, BigCPresenter)
    return presenter, View(shown, seat, ["Ada", "Bob"], Look(ascii=True), 80)


def test_the_hand_is_shown_by_rank_and_the_table_by_its_kind() -> None:
    state = do(playing("4D 4S 2S 3D Joker", "5D 5S KD"), "4D 4S")
    presenter, view = sitting(state, 1)
    text = drawn(layout.picture(view, presenter), 80)
    assert "On the table, by Ada: 4D 4S (pair)" in text
    assert "5D 5S KD" in text
    assert "3 cards" in text
    assert "2S" not in text, "the hand of the other"
    assert presenter.task(view) == "beat the pair, or pass"
    assert "or `pass`" in presenter.hint(view)
    for seat, said in ((0, "you choose what is played"), (1, "Ada chooses what is played")):
        presenter, view = sitting(playing("4D 4S", "5D 5S"), seat)
        assert said in drawn(presenter.board(view), 80)
        assert "pass" not in presenter.hint(view)
    presenter, view = sitting(state, 1)
    assert [told for told, _ in presenter.offered(view)] == ["pass", "5D 5S (pair)"]


def test_who_leads_with_nothing_but_jokers_is_told_to_pass() -> None:
    presenter, view = sitting(playing("Joker Joker", "4D 5D"))
    assert presenter.task(view) == "pass, since Jokers alone make no hand"
    assert [told for told, _ in presenter.offered(view)] == ["pass"]
    presenter, view = sitting(playing("Joker 3D", "4D 5D"))
    assert presenter.task(view) == "play any hand"


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("4d 4s", ["4D", "4S"]),
        ("4d, 4s", ["4D", "4S"]),
        ("play 4d,4s", ["4D", "4S"]),
        ("play 4S 4D", ["4D", "4S"]),
        ("2s", ["2S"]),
        ("4d *", ["4D", "Joker"]),
        ("JOKER 4d", ["4D", "Joker"]),
        ('{"play": [2], "cards": ["2S"]}', ["2S"]),
    ],
)
def test_lines_that_play(line: str, cards: list[str]) -> None:
    presenter, view = sitting(playing("4D 4S 2S 3D Joker", "5D 5S KD"))
    reply = presenter.read(view, line)
    assert reply is not None
    assert reply.move is not None
    assert reply.move["cards"] == cards


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("pass", "must play a hand"),
        ("4d 5d", "5 of diamonds is not in your hand"),
        ("4d 4d", "not in your hand that often"),
        ("play 4x", "There is no card 4x"),
        ("play", "Which cards"),
        ("4d 2s", "make no hand"),
        ("99", "What is 99"),
        ("4", "4 of diamonds or 4 of spades"),
    ],
)
def test_lines_that_cannot_be_followed(line: str, text: str) -> None:
    presenter, view = sitting(playing("4D 4S 2S 3D Joker", "5D 5S KD"))
    with pytest.raises(Misread, match=text):
        presenter.read(view, line)


def test_passing_presenting_and_numbers() -> None:
    state = do(playing("4D 4S", "5D 5S KD"), "4D")
    presenter, view = sitting(state, 1)
    presenter.list_moves(view)
    for line in ("pass", "p", "1"):
        reply = presenter.read(view, line)
        assert reply is not None
        assert reply.move == {"pass": True}
    assert presenter.read(view, "hello") is None
    presenter, view = sitting(begun("5D KD 7H", "5D KC 8H"))
    reply = presenter.read(view, "7h")
    assert reply is not None
    assert reply.move == {"present": 2, "card": "7H"}
    assert [told.split()[1] for told, _ in presenter.offered(view)] == ["5D", "7H", "KD"]
    presenter.list_moves(view)
    for line in ("3", "present 3"):
        reply = presenter.read(view, line)
        assert reply is not None
        assert reply.move == {"present": 1, "card": "KD"}
    presenter.listed = ()
    reply = presenter.read(view, "7")
    assert reply is not None
    assert reply.move == {"present": 2, "card": "7H"}, "without a list a number is a rank"
    with pytest.raises(Misread, match=r"That is not asked now\. Your turn: present a card"):
        presenter.read(view, "pass")
    with pytest.raises(Misread, match="one card"):
        presenter.read(view, "5d kd")
    presenter, view = sitting(present(begun("5D KD 7H", "5D KC 8H"), s0="5D", s1="5D"))
    assert "Tied: Ada and Bob" in drawn(presenter.board(view), 80)
    assert [offer.text for offer in presenter.offers(view, "k")] == ["KD "]
    assert presenter.why("out") == "the last card is played"
    assert presenter.why("resigned") == "by resignation"
