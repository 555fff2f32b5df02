"""Pancakes at a terminal: the Griddle at any width, what a typed line comes to, how the game is taught."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console, RenderableType

from bots import bots_for, teacher_of
from bots.flip import Tutor
from cards.games.contract import State
from cloche.table import commands, layout
from cloche.table.flip import FlipPresenter
from cloche.table.look import Look
from cloche.table.presenter import Misread, Presenter, View
from cloche.table.presenters import presenter_of
from cloche.table.replaying import moments
from tests.cards.games.flip_table import FLIP, OPTIONS, at, table
from tests.referee.table import Table

WIDTHS = (24, 40, 60, 120)


@cache
def played() -> Table:
    """A game of a teacher and two who play at random."""
    found = Table.open("flip", 3, options={"target": 0}, seed=5)
    bots = bots_for("flip")
    names = ("tutor", "random", "random")
    found.choose = lambda t, seat: bots[names[seat]].choose(FLIP, t.views[seat].state, seat, t.rng)
    while not found.game.over:
        found.step()
    return found


def drawn(items: Iterable[RenderableType], width: int) -> str:
    """Return what is printed on a page of this width."""
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for item in items:
        console.print(item)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("own", [True, False], ids=["its own", "any mode's"])
def test_no_drawing_exceeds_the_width(width: int, own: bool) -> None:
    for step in moments(played().record)[:: 9 if own else 23]:
        for look in (Look(), Look(ascii=True)):
            for seat in (None, 0, 1):
                game = step.game
                view = view_of(game.state, seat, width=width, look=look, game=game)
                shown = presenter_of(FLIP) if own else Presenter(FLIP)
                items = [*layout.picture(view, shown)]
                if view.asked:
                    items.append(shown.list_moves(view))
                text = drawn(items, width)
                assert max(len(line) for line in text.splitlines()) <= width
                assert not look.ascii or text.isascii()


def view_of(
    state: State[Any], seat: int | None = 0, *, width: int = 80, look: Any = None, game: Any = None
) -> View:
    """A view of a state, or of a whole game."""
    if game is None:
        due = FLIP.next(state)
        asking = SimpleNamespace(seats=due.seats, topic=due.topic, kind="move", how="any")  # type: ignore[union-attr]
        seen = state.seen(FLIP.sees(state, seat))
        game = SimpleNamespace(state=seen, asking=asking, over=False, deals=1, rules=FLIP)
        return View(game, seat, ["ada", "ben", "cy"], look or Look(ascii=True), width)
    seen = game.state.seen(game.rules.sees(game.state, seat))
    return View(replace(game, state=seen), seat, layout.seat_names(game), look or Look(), width)


GRIDDLE = [["#5C", "9H"], ["9D"], [], ["#6C"], ["#7C", "Joker"]]


@pytest.fixture
def table_of_ada() -> State[Any]:
    """Ada holds a nine, a king and a Joker."""
    return table(GRIDDLE, ["9S", "KC", "Joker"], ["QC", "QD"], pile=["JC", "JD"], unseen=["5C", "6C"])


def test_the_griddle_lies_in_rows_of_1_3_3_1(table_of_ada: State[Any]) -> None:
    text = drawn(FlipPresenter(FLIP).board(view_of(table_of_ada)), 80).splitlines()
    assert text[1].strip() == "1 9H /2"
    assert text[2].split() == ["2", "9D", "/1", "3", "empty", "4", "##", "/1"]
    assert text[3].split()[:3] == ["5", "Joker", "/2"]
    assert len(text[4].split()) == 3
    assert text[1].index("1") == text[2].index("3 empty") == text[4].index("8")
    assert text[5] == "Draw Pile: 2"
    narrow = drawn(FlipPresenter(FLIP).board(view_of(table_of_ada, width=30)), 30)
    assert "1 9H" in narrow
    assert "of 2" in narrow


def test_a_stack_is_looked_through(table_of_ada: State[Any]) -> None:
    presenter = FlipPresenter(FLIP)
    reply = presenter.read(view_of(table_of_ada), "stack 1")
    assert reply is not None
    assert drawn(reply.shown, 80).strip().endswith("9H ##"), "a card back that nobody has seen"
    reply = presenter.read(view_of(table_of_ada), "stack 5")
    assert reply is not None
    assert drawn(reply.shown, 80).strip().endswith("Joker [7C]"), "one that lay face-up before"
    everything = presenter.read(view_of(table_of_ada), "stack")
    assert everything is not None
    assert len(everything.shown) == 8


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("9S 2", {"play": "9S", "card": "9S", "stack": 2}),
        ("9s on 2", {"play": "9S", "card": "9S", "stack": 2}),
        ("play nine of spades on stack 2", None),
        ("play 9 of spades on stack 2", {"play": "9S", "card": "9S", "stack": 2}),
        ("joker 3", {"play": "Joker", "card": "Joker", "stack": 3}),
        ("move 2 1", {"transfer": "9D", "card": "9D", "stack": 1}),
        ("move 9d to 1", {"transfer": "9D", "card": "9D", "stack": 1}),
    ],
)
def test_moves_are_typed_in_short_words(
    table_of_ada: State[Any], line: str, move: dict[str, Any] | None
) -> None:
    presenter, view = FlipPresenter(FLIP), view_of(table_of_ada)
    if move is None:
        with pytest.raises(Misread, match="There is no card"):
            presenter.read(view, line)
        return
    verb = next(iter(move))
    hand = [p for p in sorted(table_of_ada.board.hands[0]) if table_of_ada.faces[p] == move["card"]]
    expected = {**move, verb: hand[0] if verb == "play" else at(table_of_ada, move["card"])}
    reply = presenter.read(view, line)
    assert reply is not None
    assert reply.move == expected


@pytest.mark.parametrize(
    ("line", "text", "section"),
    [
        ("9S", "On which Stack: 1, 2, 3, 4 or 5? As in `9S 1`.", "flip 4"),
        ("9S 9", "Which Stack? They are numbered from 1 to 8.", "flip 2"),
        ("KC 1", "The king of clubs lies on its own rank", "flip 4"),
        ("QC 1", "The queen of clubs is not in your hand.", "flip 6"),
        ("pile", "A card of your hand fits, so you can't draw.", "flip 6"),
        ("forfeit", "A card of your hand fits, so you can't forfeit.", "flip 8"),
        ("move 4 1", "Card backs are never transferred.", "flip 7"),
        ("move 3 1", "Stack 3 is empty.", "flip 7"),
        ("move 2", "From which Stack onto which?", "flip 7"),
        ("serve 1", "That is not asked now. Your turn: play a card.", "flip 15"),
        ("serve", "That is not asked now. Your turn: play a card.", "flip 15"),
        ("done", "That is not asked now. Your turn: play a card.", "flip 15"),
        ("move ac 2", "No card ac lies on top of a Stack.", ""),
        ("stack x", "Which Stack?", "flip 2"),
    ],
)
def test_what_can_not_be_is_refused_in_the_rules_words(
    table_of_ada: State[Any], line: str, text: str, section: str
) -> None:
    with pytest.raises(Misread) as caught:
        FlipPresenter(FLIP).read(view_of(table_of_ada), line)
    assert text in caught.value.text
    assert caught.value.section == section


def test_other_words_are_not_for_this_game(table_of_ada: State[Any]) -> None:
    assert FlipPresenter(FLIP).read(view_of(table_of_ada), "dance") is None


@pytest.mark.parametrize("line", ["pile", "QC", "qc 1", "play QC", "move 2 1", "serve"])
def test_out_of_turn_nothing_is_asked(table_of_ada: State[Any], line: str) -> None:
    with pytest.raises(Misread, match="Nothing is asked"):
        FlipPresenter(FLIP).read(view_of(table_of_ada, 1), line)


def test_while_the_first_cards_are_being_turned_up_nothing_is_asked() -> None:
    state = FLIP.deal(FLIP.start(OPTIONS, 2), [None])
    game = SimpleNamespace(state=state, asking=None, over=False, deals=1, rules=FLIP)
    with pytest.raises(Misread, match="Nothing is asked"):
        FlipPresenter(FLIP).read(View(game, 0, ["ada", "ben"], Look(ascii=True), 80), "move 2 3")


def test_a_card_that_fits_nowhere_is_refused_without_a_stack_too() -> None:
    state = table([["9H"]], ["9S", "KC"], ["QC"])
    with pytest.raises(Misread, match="lies on its own rank") as caught:
        FlipPresenter(FLIP).read(view_of(state), "kc")
    assert caught.value.section == "flip 4"


def test_alone_the_hands_completed_are_told() -> None:
    for completed, told in ((1, "2 cards, 1 hand completed"), (2, "2 cards, 2 hands completed")):
        state = table([["9H"]], ["9S", "KC"], completed=completed)
        assert FlipPresenter(FLIP).beside(view_of(state), 0) == told


def test_one_stack_alone_need_not_be_named() -> None:
    state = table([["#5C", "9H"]], ["9S", "KC"], ["QC"])
    reply = FlipPresenter(FLIP).read(view_of(state), "9s")
    assert reply is not None
    assert reply.move == {"play": at(state, "9S"), "card": "9S", "stack": 1}


def test_a_serving_is_taken_by_a_word() -> None:
    state = table([["KC", "KD", "KH", "KS"]], ["2C"], ["2D"], phase="serve")
    presenter, view = FlipPresenter(FLIP), view_of(state)
    for line in ("serve", "serve 1"):
        reply = presenter.read(view, line)
        assert reply is not None
        assert reply.move == {"serve": 1}
    assert presenter.task(view) == "serve 1, or done"


def test_the_tab_key_offers_what_fits(table_of_ada: State[Any]) -> None:
    presenter, view = FlipPresenter(FLIP), view_of(table_of_ada)
    assert {o.text for o in presenter.offers(view, "9s ")} == {f"9S {n}" for n in range(1, 6)}
    assert {o.text.strip() for o in presenter.offers(view, "mo")} == {"move"}
    assert {o.text for o in presenter.offers(view, "move 9d")} == {"9D 1", "9D 3", "9D 4", "9D 5"}


def test_every_legal_move_is_told_and_read_again(table_of_ada: State[Any]) -> None:
    presenter, view = FlipPresenter(FLIP), view_of(table_of_ada)
    for text, move in presenter.offered(view):
        reply = presenter.read(view, text.partition(" (")[0])
        assert reply is not None
        assert reply.move is not None
        assert {**reply.move, "play": 0} == {**move, "play": 0} if "play" in move else reply.move == move


# Teaching


class Heard:
    """A played game, as far as the commands need one."""

    def __init__(self, state: State[Any], *, teaching: bool = True) -> None:
        self.teaching, self.why, self.question, self.live, self.over = teaching, None, None, True, False
        self.presenter, self.state, self.said, self.drew = FlipPresenter(FLIP), state, list[str](), False
        self.presenter.teaching = teaching
        self.screen = SimpleNamespace(say=self.say, typed=lambda: None)
        self.game = self.view().game
        self.show, self.more, self.enough = self.say, lambda: False, lambda: None
        self.moves: list[Any] = []
        self.send = self.moves.append

    def say(self, *items: RenderableType) -> None:
        self.said.append(" ".join(drawn(items, 200).split()))

    def view(self) -> View:
        return view_of(self.state)

    def is_asked(self) -> bool:
        return True

    def draw(self) -> None:
        self.drew = True

    def types(self, *lines: str) -> list[str]:
        """Return what is answered to typed lines."""
        left = [*lines]
        reader = SimpleNamespace(line=lambda: left.pop(0) if left else None)
        commands.sit(self, reader)  # type: ignore[arg-type]
        return self.said


def test_who_learns_is_answered_by_yes_and_no(table_of_ada: State[Any]) -> None:
    played = Heard(table_of_ada)
    assert played.types("may 9s 1", "may kc 1", "why", "kc 1", "why") == [
        "Yes.",
        "No. `why` tells the reason.",
        "The king of clubs lies on its own rank, a Joker, a card back or an empty Stack alone."
        " (flip 4, `rules 4`)",
        "No. `why` tells the reason.",
        "The king of clubs lies on its own rank, a Joker, a card back or an empty Stack alone."
        " (flip 4, `rules 4`)",
    ]
    assert not played.moves
    refusal = "The queen of clubs is not in your hand. (flip 6, `rules 6`)"
    assert Heard(table_of_ada, teaching=False).types("qc 1", "why") == [refusal, refusal]


def test_who_learns_is_not_shown_what_is_legal() -> None:
    """Brackets, hints, completions and questions back would all give the rules away."""
    state = table(GRIDDLE, ["9S", "KC", "10D"], ["QC", "QD"], pile=["JC", "JD"])
    told, taught = FlipPresenter(FLIP), FlipPresenter(FLIP)
    taught.teaching = True
    view = view_of(state)
    assert "(KC)" not in drawn(taught.hand(view), 80)
    assert told.hint(view) != taught.hint(view)
    for word in ("`QS 3`", "`pile`", "`forfeit`", "`move 2 3`"):
        assert word in taught.hint(view)
    assert {o.text.strip() for o in taught.offers(view, "m")} == {"move"}
    assert not taught.offers(view, "9s ")
    serving = view_of(table([["KC", "KD", "KH", "KS"]], ["2C"], ["2D"], phase="serve"))
    assert taught.task(serving) == "take a Serving, or done"
    assert "`done`" in taught.hint(serving)


def test_a_line_that_says_too_little_is_no_refusal(table_of_ada: State[Any]) -> None:
    """A learner would take a no for the rules' answer."""
    lines = ("9s", "may 9s", "may 1x 2", "may play 1x 2", "move 2", "9s 12", "why")
    assert Heard(table_of_ada).types(*lines) == [
        "On which Stack? As in `9S 3`. (flip 4, `rules 4`)",
        "On which Stack? As in `9S 3`. (flip 4, `rules 4`)",
        "Type the move as you would make it.",
        "There is no card 1x in your hand.",
        "From which Stack onto which? For example: move 2 3 (flip 7, `rules 7`)",
        "Which Stack? They are numbered from 1 to 8. (flip 2, `rules 2`)",
        "The rules have refused no move of yours yet. `may MOVE` asks whether one is legal.",
    ]


def test_the_checklist_marks_what_was_seen(table_of_ada: State[Any]) -> None:
    [told] = Heard(table_of_ada).types("lessons")
    assert told.count("[x]") == 2, "what lies open to all is seen from the start"
    assert told.count("[ ]") == 9
    state = FLIP.play(table_of_ada, {0: {"play": at(table_of_ada, "9S"), "card": "9S", "stack": 3}})
    [told] = Heard(state).types("lessons")
    assert "[x] 4 a card from the hand on an empty Stack" in told


def test_to_draw_is_not_to_offer_a_draw(table_of_ada: State[Any]) -> None:
    played = Heard(table_of_ada)
    played.types("draw", "n")
    assert not played.drew
    played.types("draw", "y")
    assert played.drew
    assert played.question is None


def test_the_tutor_shows_the_first_lesson_that_was_not_seen(table_of_ada: State[Any]) -> None:
    assert teacher_of("flip") == "tutor"
    assert teacher_of("hearts") is None
    state, given = table_of_ada, []
    for _ in range(4):
        move = Tutor().choose(FLIP, state.seen(FLIP.sees(state, 0)), 0, Random(1))
        after = FLIP.play(state, {0: move}).board.lessons
        given.append([n for n in range(12) if after >> n & 1][-1])
        state = State(replace(state.board, lessons=after), state.faces)
    assert given == [1, 3, 4, 5]
    assert played().game.state.board.lessons.bit_count() >= 5


def test_cards_may_be_typed_as_they_are_shown(table_of_ada: State[Any]) -> None:
    for line in ("9S♠ 2", "9♠ 2", "play 9♠ on 2"):
        played = Heard(table_of_ada, teaching=False)
        played.types(line)
        assert [move["card"] for move in played.moves] == ["9S"], played.said
