"""Cards and matches of Pancake, set up by hand for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cards.catalog.cards import CATEGORIES, NONE, Card, Units
from cards.games import find
from cards.games.chef import Board
from cards.games.contract import Ask, Choice, Deal, Mode, Move, State, own

CHEF: Mode[Board] = find("chef")


def units(**given: int) -> Units:
    """Units by category."""
    starch, vegetable, oil, protein, seasoning = (given.get(name, 0) for name in CATEGORIES)
    return (starch, vegetable, oil, protein, seasoning)


def ingredient(name: str, *kinds: str, bonus: int = 0, one_time: bool = False, **provides: int) -> Card:
    """An ingredient that provides units."""
    slug = name.lower().replace(" ", "-")
    return Card(
        _number(slug),
        slug,
        name,
        "ingredient",
        units(**provides),
        NONE,
        tuple(sorted(kinds)),
        (),
        bonus,
        one_time,
    )


def special(name: str, bonus: int, *, one_time: bool = False, **costs: int) -> Card:
    """An ingredient that costs units and adds a bonus."""
    slug = name.lower().replace(" ", "-")
    return Card(_number(slug), slug, name, "ingredient", NONE, units(**costs), (), (), bonus, one_time)


def recipe(name: str, *listed: str, one_time: bool = False, **cost: int) -> Card:
    """A recipe."""
    slug = name.lower().replace(" ", "-")
    return Card(
        _number(slug), slug, name, "recipe", NONE, units(**cost), (), tuple(sorted(listed)), 0, one_time
    )


def _number(slug: str) -> int:
    return 1 + int.from_bytes(slug.encode()[:4], "big") % 100_000


BREAD = ingredient("Bread", starch=1)
RICE = ingredient("Rice", "Grain", starch=1)
TUNA = ingredient("Tuna", "Fish", protein=1)
MAYO = ingredient("Mayo", oil=1)
SALT = ingredient("Salt", seasoning=1)
HOLY_BREAD = ingredient("Holy Bread", "Bread", starch=1, bonus=2, one_time=True)
TRUFFLE = special("Truffle", 2, seasoning=1)
TOAST = recipe("Toast", "Bread", starch=1)
PORRIDGE = recipe("Porridge", "Grain", starch=1)
SANDWICH = recipe("Tuna Sandwich", "Fish", "Bread", "Mayo", starch=1, oil=1, protein=1)
FEAST = recipe("Feast", "Bread", one_time=True, starch=1)


def dish(course: int, recipe: int | None, *ingredients: int) -> Move:
    """A dish of a choice."""
    return {"course": course, "recipe": recipe, "ingredients": [*ingredients]}


def meal(*dishes: Move) -> Move:
    """A choice."""
    return {"dishes": [*dishes]}


EMPTY = meal()


class Match:
    """A match in which both chefs hold the first six cards of their decks, all faces known."""

    def __init__(self, *firsts: Sequence[Card], **board: Any) -> None:
        decks = [[*first, *[RICE] * (40 - len(first))] for first in firsts]
        faces = {own(seat, i): card for seat, cards in enumerate(decks) for i, card in enumerate(cards)}
        self.state = CHEF.start({}, 2).knowing(faces)
        self.lines: tuple[dict[str, Any], ...] | None = None
        self.step()
        self.play({"choice": "keep"}, {"choice": "keep"})
        if board:
            self.state = State(replace(self.state.board, **board), self.state.faces)

    @property
    def board(self) -> Board:
        return self.state.board

    @property
    def texts(self) -> list[str]:
        """The texts of the last account."""
        return [line["text"] for line in self.lines or ()]

    def step(self) -> Deal:
        """Deal, always the lowest cards of the pools."""
        due = CHEF.next(self.state)
        assert isinstance(due, Deal)
        self.state = CHEF.deal(self.state, [draw.pool[: draw.count] for draw in due.draws])
        return due

    def play(self, first: Choice, second: Choice) -> tuple[int, int]:
        """Play the choices of a round or a redraw. Returns the points that each chef gained."""
        before = self.state
        asked = CHEF.next(before)
        assert isinstance(asked, Ask)
        choices = {seat: (first, second)[seat] for seat in asked.seats}
        self.state = CHEF.play(before, choices)
        self.lines = CHEF.account(before, choices, self.state)
        was, now = before.board.points, self.board.points
        return (now[0] - was[0], now[1] - was[1])

    def serve(self, first: Choice, second: Choice) -> tuple[int, int]:
        """Play a round, with the draws before it where they are due. Returns the points gained."""
        if self.board.phase == "deal":
            self.step()
        return self.play(first, second)
