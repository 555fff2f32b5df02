"""The picture of a table, at any width and without colours; what a typed line comes to."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest
from rich.console import Console, RenderableType

from bots import bots_for
from cards.catalog import card_sets
from cards.catalog.cards import Card
from cards.decks.deck_lists import DeckList
from cards.games.chef.menus import hand_of
from cards.games.contract import Mode, State, own
from cloche.table import layout
from cloche.table.folding import height
from cloche.table.hearts import code_of
from cloche.table.look import Look, console_of, look_of
from cloche.table.matching import meant, near
from cloche.table.presenter import LineCompletion, Misread, Presenter, Reply, View
from cloche.table.presenters import presenter_of
from cloche.table.replaying import Moment, Replay, moments
from cloche.table.screen import Screen
from referee import Game
from tests.referee.table import Table

CATALOG = card_sets.load()
BY_NAME = {card.name: card for card in CATALOG.cards.values()}
WIDTHS = (24, 40, 60, 80, 120)
ESCAPE = "\x1b"


def by_bots(table: Table, seat: int) -> dict[str, object]:
    game = table.views[seat]
    bot = next(iter(bots_for(game.rules.facts.name).values()))
    return bot.choose(game.rules, game.state, seat, table.rng)


@cache
def played(mode: str) -> Table:
    """A game between bots: three rounds of chef, one of hearts."""
    if mode == "chef":
        decks = [DeckList(starter.counts).cards(CATALOG) for starter in CATALOG.starters.values()][:2]
        texts = [card.text() for card in sorted(CATALOG.cards.values(), key=lambda card: card.number)]
        table = Table.open("chef", 2, decks, texts, seed=4)
    else:
        table = Table.hearts(4, seed=2)
    table.choose = by_bots
    last = 4 if mode == "chef" else 2
    while table.game.state.board.round < last:
        table.step()
    return table


@cache
def steps(mode: str) -> list[Moment]:
    return moments(played(mode).record)


def drawn(items: Iterable[RenderableType], width: int) -> str:
    """Return what is printed on a page of this width."""
    console = Console(file=io.StringIO(), width=width, color_system=None, markup=False, highlight=False)
    for item in items:
        console.print(item)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


class Tty(io.StringIO):
    """A terminal, by its own word."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def views(mode: str, width: int, look: Look) -> list[View]:
    """Every moment of a game with everybody's eyes, a spectator's too."""
    found = []
    for step in steps(mode):
        game = step.game
        for seat in (None, *game.header.seats):
            state = game.state.seen(game.rules.sees(game.state, seat))
            names = layout.seat_names(game)
            found.append(View(replace(game, state=state), seat, names, look, width))
    return found


@pytest.mark.parametrize("presenter", [presenter_of, Presenter], ids=["its own", "any mode's"])
@pytest.mark.parametrize("mode", ["chef", "hearts"])
@pytest.mark.parametrize("width", WIDTHS)
def test_no_drawing_exceeds_the_width(mode: str, width: int, presenter: Callable[[Mode], Presenter]) -> None:
    for look in (Look(), Look(ascii=True)):
        for view in views(mode, width, look)[look.ascii :: 20 if mode == "hearts" else 5]:
            shown = presenter(view.game.rules)
            items = [*layout.picture(view, shown)]
            if view.asked and view.game.asking.how != "sealed":
                items.append(shown.list_moves(view))
            text = drawn(items, width)
            assert max(len(line) for line in text.splitlines()) <= width
            assert not look.ascii or text.isascii()
            for line in layout.toolbar(view, shown, 103_000, "NO CONNECTION for 3 s, trying again"):
                assert len(line) < width


@pytest.mark.parametrize("mode", ["chef", "hearts"])
@pytest.mark.parametrize("width", WIDTHS)
def test_accounts_fit_and_name_the_players(mode: str, width: int) -> None:
    table = played(mode)
    game = table.game
    view = View(game, 0, layout.seat_names(game), Look(ascii=True), width)
    for entry in table.record:
        if entry.kind == "account":
            text = drawn(presenter_of(game.rules).account(view, entry.body["lines"]), width)
            assert max(len(line) for line in text.splitlines()) <= width
            assert "eat 0" not in text


@pytest.mark.parametrize("mode", ["chef", "hearts"])
@pytest.mark.parametrize("width", [60, 80])
def test_hands_and_accounts_are_folded_to_the_room_there_is(mode: str, width: int) -> None:
    presenter = presenter_of(played(mode).game.rules)
    for view in views(mode, width, Look())[:: 15 if mode == "hearts" else 1]:
        assert height(presenter.hand(replace(view, room=8)), width) <= 8
    view = views(mode, width, Look())[-1]
    for entry in played(mode).record:
        if entry.kind == "account":
            lines = entry.body["lines"]
            whole, brief = (presenter.account(replace(view, room=room), lines) for room in (None, 6))
            assert height(brief, width) <= max(6, len(entry.body["lines"]))
            assert height(brief, width) <= height(whole, width)


def test_a_card_that_was_just_dealt_is_marked(chef) -> None:
    view, presenter = chef
    presenter.fresh = frozenset({own(0, 2), own(0, 4)})
    for room in (None, 5):
        text = drawn(presenter.hand(replace(view, room=room)), 80)
        assert re.search(r"Bread x2 \((1 starch; )?1 new\)", text), text
        assert re.search(r"Tuna \((1 protein; )?new\)", text), text
        assert text.count("new") == 2


def test_who_took_the_trick_is_told() -> None:
    for step in steps("hearts"):
        if step.before is not None and step.entry.kind == "move" and "play" in step.entry.body["move"]:
            view = View(step.game, None, layout.seat_names(step.game), Look(ascii=True), 80)
            text = drawn(layout.news(step.before, step.entry, view, presenter_of(step.game.rules)), 80)
            ends = len(step.before.state.board.trick) == step.game.state.board.seats - 1
            assert ("takes the trick: " in text) is ends


def test_an_account_explains_every_yum() -> None:
    table = played("chef")
    view = View(table.game, 0, layout.seat_names(table.game), Look(), 100)
    lines = [line for entry in table.record if entry.kind == "account" for line in entry.body["lines"]]
    dishes = [line for line in lines if line["kind"] == "dish" and line["recipe"]]
    assert dishes
    text = " ".join(drawn(presenter_of(table.game.rules).account(view, lines), 100).split())
    for dish in dishes:
        assert f"{dish['yum']} yum" in text
        for item in dish["items"]:
            assert " ".join(item["text"].split()[-2:]) in text


def test_whose_turn_it_is_is_said_by_a_sign() -> None:
    table = played("hearts")
    step = next(s for s in steps("hearts") if s.game.asking is not None and s.game.asking.topic == "card")
    assert step.game.asking is not None
    view = View(step.game, 0, layout.seat_names(step.game), Look(ascii=True), 80)
    text = drawn([layout.seats(view, presenter_of(table.game.rules))], 80)
    asked = [line for line in text.splitlines() if line.startswith(">")]
    assert len(asked) == len(step.game.asking.seats) == 1


@pytest.mark.parametrize(("no_color", "escapes"), [("1", False), ("", True)])
def test_no_escape_with_no_color(no_color: str, escapes: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", no_color)
    monkeypatch.setenv("TERM", "xterm")
    file = Tty()
    view = views("chef", 80, Look())[-1]
    screen = Screen(console_of(file, 80), Look())
    screen.say(*layout.picture(view, presenter_of(view.game.rules)))
    assert (ESCAPE in file.getvalue()) is escapes


def test_ascii_where_a_terminal_has_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    latin = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    utf8 = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    assert look_of(latin, {"LANG": "de_DE.UTF-8"}).ascii
    assert look_of(utf8, {"LANG": "C"}).ascii
    assert not look_of(utf8, {"LANG": "de_DE.UTF-8"}).ascii
    assert not look_of(utf8, {}).ascii
    console_of(latin).print("Crème brûlée ♠")  # never a crash
    latin.flush()
    assert latin.buffer.getvalue() == b"Cr?me br?l?e ?\n"  # type: ignore[attr-defined]


# Names


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("tuna", ["Tuna"]),
        ("TUNA SANDWICH", ["Tuna Sandwich"]),
        ("tuna-s", ["Tuna Sandwich"]),
        ("tu sa", ["Tuna Sandwich"]),
        ("sandwich", ["Tuna Sandwich"]),
        ("t", ["Tuna", "Tuna Sandwich"]),
        ("bread", []),
        ("", []),
    ],
)
def test_names_are_found_by_their_beginnings(typed: str, found: list[str]) -> None:
    assert meant(typed, ["Tuna", "Tuna Sandwich"]) == found


def test_near_names_are_suggested() -> None:
    assert near("tunna", ["Tuna", "Bread"]) == ["Tuna"]
    assert near("xyzzy", ["Tuna", "Bread"]) == []


@pytest.mark.parametrize("typed", ["QS", "qs", "queen of spades", "q spades", "queen sp", "queen of s"])
def test_a_card_is_found_by_letters_and_by_name(typed: str) -> None:
    assert code_of(typed, ["QS", "QH", "10S", "2S"]) == ["QS"]


# Chef, typed

HAND = ("Tuna Sandwich", "Toast", "Bread", "Bread", "Tuna", "Mayo", "Butter", "Salt")
DECK = (*HAND, "Salmon", *["Rice"] * 31)


@pytest.fixture
def chef() -> tuple[View, Presenter]:
    """A chef who is asked for a meal and holds `HAND`."""
    table = played("chef")
    step = next(s for s in steps("chef") if s.game.asking is not None and s.game.asking.kind == "seal")
    faces = {own(0, i): BY_NAME[name] for i, name in enumerate(DECK)}
    board = replace(step.game.state.board, hands=(tuple(range(len(HAND))), step.game.state.board.hands[1]))
    game: Game = replace(step.game, state=State(board, faces))
    return View(game, 0, ["ada", "ben"], Look(), 80), presenter_of(table.game.rules)


def read(chef: tuple[View, Presenter], line: str) -> Reply:
    found = chef[1].read(chef[0], line)
    assert found is not None, line
    return found


def served(chef: tuple[View, Presenter]) -> list[dict[str, object]]:
    move = read(chef, "serve").move
    assert move is not None
    dishes: list[dict[str, object]] = move["dishes"]
    return dishes


@pytest.mark.parametrize(
    "line",
    [
        "entree Tuna Sandwich: Tuna, Bread, Mayo",
        "entree tuna sandwich: mayo, bread, tuna",
        "entree bread, mayo, tuna, tuna s",
        "entree tuna s: tuna + br; ma",
        "entree tuna s tuna bread mayo",
        "entree 2: 7 3 5",
    ],
)
def test_a_dish_is_typed_in_any_order(chef, line: str) -> None:
    read(chef, line)
    assert served(chef) == [{"course": 2, "recipe": 0, "ingredients": [2, 4, 5]}]


def test_equal_cards_are_told_apart_silently(chef) -> None:
    read(chef, "entree Tuna Sandwich: Tuna, Bread, Mayo")
    read(chef, "appetizer Toast: Bread")
    assert served(chef) == [
        {"course": 1, "recipe": 1, "ingredients": [3]},
        {"course": 2, "recipe": 0, "ingredients": [2, 4, 5]},
    ]
    read(chef, "drop entree")
    read(chef, "appetizer toast: bread")
    assert served(chef) == [{"course": 1, "recipe": 1, "ingredients": [2]}]


@pytest.mark.parametrize(
    ("line", "text", "section"),
    [
        ("entree Tuna Sandwich: Tuna", "Tuna Sandwich: 1 starch and 1 oil are lacking.", "chef 4"),
        ("entree Toast: Bread, Bread", "Toast: 1 starch too much.", "chef 4"),
        ("entree Toast: Salmon", "Salmon is not in your hand.", "chef 6"),
        ("entree Toast: Bred", "You have no card called Bred. Did you mean Bread?", "chef 6"),
        ("entree Toast, Tuna Sandwich, Bread", "are two", "chef 4"),
        ("entree t: bread", "Tuna Sandwich, Toast or Tuna?|Toast, Tuna Sandwich or Tuna?", ""),
        ("entree Toast: Salt, Salt", "You hold one copy of Salt.", "chef 6"),
        ("entree", "For example: entree", ""),
        ("entree m9", "There is no dish m9", ""),
        ("entree 99", "There is no card 99", ""),
        ("drop dessert", "Drop which course?", ""),
        ("keep", "That is not asked now. Your turn: serve entree", "chef 6"),
    ],
)
def test_refusals_are_the_rules_words(chef, line: str, text: str, section: str) -> None:
    with pytest.raises(Misread) as caught:
        read(chef, line)
    assert re.search(text, caught.value.text), caught.value.text
    assert caught.value.section == section
    assert served(chef) == []


def test_a_refused_dish_says_what_it_could_be(chef) -> None:
    with pytest.raises(Misread) as caught:
        read(chef, "entree Tuna Sandwich: Tuna")
    assert caught.value.hint == "It could be Tuna Sandwich: Bread, Mayo, Tuna."


def test_a_card_on_another_course_is_not_taken_twice(chef) -> None:
    read(chef, "entree Tuna Sandwich: Tuna, Bread, Mayo")
    with pytest.raises(Misread) as caught:
        read(chef, "dessert Tuna Sandwich: Tuna, Bread, Mayo")
    assert "another course" in caught.value.text


def test_the_menu_says_what_can_be_cooked_and_why(chef) -> None:
    text = " ".join(drawn(read(chef, "menu").shown, 80).split())
    assert "m1 Tuna Sandwich with Bread, Mayo, Tuna 7 yum" in text
    assert "Tuna matches Fish +1" in text
    read(chef, "entree m1")
    assert served(chef)[0]["recipe"] == 0


def test_a_draft_whose_cards_have_left_the_hand_is_not_drawn(chef) -> None:
    """The next round may be there before the draft of the last one is forgotten."""
    view, presenter = chef
    read(chef, "entree Tuna Sandwich: Tuna, Bread, Mayo")
    assert "Your meal: entree: Tuna Sandwich" in drawn(presenter.hand(replace(view, room=8)), 80)
    board = replace(view.board, hands=((1, 3, 6), view.board.hands[1]))
    later = replace(view, game=replace(view.game, state=State(board, view.game.state.faces)), room=8)
    assert "Your meal" not in drawn(presenter.hand(later), 80)


def test_an_empty_meal_is_asked_back(chef) -> None:
    reply = read(chef, "serve")
    assert reply.move == {"dishes": []}
    assert reply.confirm is not None
    assert "nothing" in reply.confirm


def names(offers: list[LineCompletion]) -> set[str]:
    return {offer.text.strip() for offer in offers}


def test_completion_offers_what_fits(chef) -> None:
    view, presenter = chef
    assert names(presenter.offers(view, "ent")) == {"entree"}
    assert names(presenter.offers(view, "entree ")) == {"Tuna Sandwich:", "Toast:"}
    assert names(presenter.offers(view, "entree tu")) == {"Tuna Sandwich:"}
    assert names(presenter.offers(view, "entree Toast: ")) == {"Bread"}
    assert names(presenter.offers(view, "entree Tuna Sandwich: Tuna, ")) == {"Bread", "Mayo", "Butter"}
    assert names(presenter.offers(view, "entree Tuna Sandwich: Tuna, B")) == {"Bread", "Butter"}
    assert names(presenter.offers(view, "entree Tuna Sandwich: Tuna, Mayo, ")) == {"Bread"}
    assert names(presenter.offers(view, "entree Toast: Bread, ")) == set()
    for line in ("entree Tuna Sandwich: Tuna, B", "entree tu"):
        for offer in presenter.offers(view, line):
            assert offer.text.startswith(line[len(line) - offer.over :].capitalize())


# Any mode, typed


@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_a_mode_without_a_drawing_is_played_by_number_or_json(mode: str) -> None:
    step = next(s for s in steps(mode) if s.game.asking is not None and s.game.asking.kind == "move")
    assert step.game.asking is not None
    seat = min(step.game.asking.seats)
    presenter = Presenter(step.game.rules)
    view = View(step.game, seat, layout.seat_names(step.game), Look(), 80)
    moves = [move for _, move in presenter.offered(view)]
    assert moves == list(step.game.rules.legal(step.game.state, seat))
    for line in ("1", "play 1"):
        with pytest.raises(Misread, match="`moves` lists your legal moves"):
            presenter.read(view, line)
    presenter.list_moves(view)
    assert presenter.read(view, "play 1") == Reply(move=moves[0])
    assert presenter.read(view, presenter.told(view, moves[-1])) == Reply(move=moves[-1])
    with pytest.raises(Misread, match="The list has no move 99"):
        presenter.read(view, "play 99")
    idle = replace(step.game, phase=replace(step.game.asking, seats=frozenset({1 - seat})))
    for shown in (presenter, presenter_of(step.game.rules)):
        with pytest.raises(Misread, match="Nothing is asked of you"):
            shown.read(replace(view, game=idle), "1")
    with pytest.raises(Misread) as caught:
        presenter.read(view, '{"nonsense": 1}')
    assert caught.value.section.startswith(mode)


# Replay


class Typed:
    """A reader whose lines are known."""

    live = False

    def __init__(self, *lines: str) -> None:
        self._lines = list(lines)

    def line(self) -> str | None:
        return self._lines.pop(0) if self._lines else None

    around = None


def replayed(mode: str, *lines: str, seat: int | None = None) -> str:
    console = Console(file=io.StringIO(), width=80, markup=False, highlight=False)
    Replay(steps(mode), Screen(console, Look()), seat).run(Typed(*lines))  # type: ignore[arg-type]
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return text


def test_a_replay_goes_through_every_step() -> None:
    text = replayed("chef", *[""] * (len(steps("chef")) + 1))
    assert [int(n) for n in re.findall(r"^(\d+) of ", text, re.M)] == list(range(1, len(steps("chef")) + 1))
    assert "That was the last step." in text
    for words in ("has sealed", "opens: ", "Round 3", "Entree: "):
        assert words in text


def test_a_replay_goes_back_and_to_a_round() -> None:
    text = replayed("chef", "to round 3", "back", "next", "to start", "to end")
    shown = [int(n) for n in re.findall(r"^(\d+) of ", text, re.M)]
    third = next(i for i, step in enumerate(steps("chef"), 1) if step.game.state.board.round == 3)
    assert shown == [1, third, third - 1, third, 1, len(steps("chef"))]
    assert "Go to round 1 to 4" in replayed("chef", "to round 99")
    for line in ("3", "round 3"):
        assert f"{third} of " in replayed("chef", line)
    for line in ("help", "hel", "?"):
        assert "auto SECONDS" in replayed("chef", line)
        assert "understand" not in replayed("chef", line)
    assert "I don't understand 'forth'." in replayed("chef", "forth")


def test_a_replay_goes_by_rounds_and_tells_the_accounts_in_between() -> None:
    rounds = [step.game.state.board.round for step in steps("chef")]
    begins = [rounds.index(number) + 1 for number in (0, 1, 2, 3, 4)]
    text = replayed("chef", *["forward"] * 6, *["rewind"] * 6)
    there, back = [*begins, len(rounds)], [*reversed(begins)]
    shown = [int(n) for n in re.findall(r"^(\d+) of ", text, re.M)]
    assert shown == [*dict.fromkeys(there), *(step for step in back if step != there[-1])]
    for number in (1, 2, 3):
        assert f"\nRound {number}\n" in text
    assert "That was the last step." in text
    assert "This is the first step." in text


def test_what_is_known_from_later_was_not_shown_yet() -> None:
    deal = next(i for i, step in enumerate(steps("chef")) if step.entry.kind == "deal")
    everything = replayed("chef", *["next"] * deal)
    assert "'s recipes" in everything or "'s ingredients" in everything
    assert "has shown" not in everything


def test_a_seat_sees_its_own_hand_and_nothing_more() -> None:
    deal = next(i for i, step in enumerate(steps("hearts")) if step.entry.kind == "deal")
    everything = replayed("hearts", *["next"] * deal)
    assert everything.count("'s hand") == 4
    one = replayed("hearts", *["next"] * deal, seat=1)
    assert one.count("'s hand") == 1
    assert "player 1's hand" in one
    state = steps("hearts")[deal].game.state
    assert len(state.faces) == 52  # the house's link was published: the record knows every hand


def test_cards_served_later_are_known_from_the_beginning() -> None:
    last = steps("chef")[-1].game.state
    for before, after in pairwise(steps("chef")):
        assert set(before.game.state.faces) == set(after.game.state.faces) == set(last.faces)
    shown: dict[int, Card] = hand_of(last, 0)
    assert shown
