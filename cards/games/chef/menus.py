"""The dishes that a seat can serve together: its cards, plans of several dishes, and a plan as a choice.

Bots and the terminal choose among these plans.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cards.catalog.cards import Card
from cards.games.chef.board import Board
from cards.games.chef.meal import APPETIZER, DESSERT, ENTREE
from cards.games.chef.pantry import Candidate, Pantry
from cards.games.contract import Move, Seat, State, own

BY_WORTH = (ENTREE.number, APPETIZER.number, DESSERT.number)
"""Courses as a choice names them, the most points first."""

PER_RECIPE = 16
"""Dishes of one recipe that plans are made of; more would bring no more, and leave little else."""

SHORTLIST = 90
PLANS = 32

Menu = tuple[Candidate, ...]
"""Dishes that can be served together, the best first."""


def hand_of(state: State[Board], seat: Seat) -> dict[int, Card]:
    """The cards of a seat's hand that the state knows, by index."""
    known = ((index, state.faces.get(own(seat, index))) for index in state.board.hands[seat])
    return {index: face for index, face in known if face is not None}


def courses_of(state: State[Board]) -> tuple[int, ...]:
    """The numbers of this round's courses, the most points first."""
    open_courses = {course.number for course in state.board.courses}
    return tuple(course for course in BY_WORTH if course in open_courses)


def meal_of(hand: Mapping[int, Card], served: Mapping[int, Candidate]) -> Move:
    """The choice that serves these dishes (protocol section 9).

    `hand` holds the cards by index, `served` the dishes by course. Of equal cards the lowest index goes
    first.
    """
    free: dict[Card, list[int]] = {}
    for index in sorted(hand, reverse=True):
        free.setdefault(hand[index], []).append(index)
    return {
        "dishes": [
            {
                "course": course,
                "recipe": free[served[course].recipe].pop(),
                "ingredients": sorted(free[card].pop() for card in served[course].ingredients),
            }
            for course in sorted(served)
        ]
    }


def menus(pantry: Pantry, dishes: Sequence[Candidate], count: int) -> list[Menu]:
    """The plans of at most `count` dishes that no other plan beats in every dish at no more one-time cards.

    Never empty: to serve nothing is a plan. `dishes` are best first.
    """
    short = _shortlist(dishes)
    best: dict[tuple[int, ...], Menu] = {}
    floor = 0  # the least yum of a full plan that spends nothing: plans of lesser dishes can't beat it
    none = [(0,) * (count - served) for served in range(count + 1)]

    def extend(plan: Menu, yums: tuple[int, ...], load: int, spent: int, start: int) -> None:
        nonlocal floor
        best.setdefault((*yums, *none[len(plan)], -spent), plan)
        if len(plan) == count:
            return
        last = len(plan) == count - 1
        least = 1 << 30
        for i in range(start, len(short)):
            dish = short[i]
            if dish.yum <= floor and not last:
                return
            if (last and dish.fleeting >= least) or not pantry.has(load + dish.load):
                continue
            more, all_spent = (*yums, dish.yum), spent + dish.fleeting
            if not last:
                extend((*plan, dish), more, load + dish.load, all_spent, i + 1)
                continue
            # The first that fits is the best; later ones only if they spend less.
            best.setdefault((*more, -all_spent), (*plan, dish))
            least = dish.fleeting
            if not least:
                floor = floor if spent else max(floor, dish.yum)
                return

    extend((), (), 0, 0, 0)
    keys = sorted(best, key=lambda key: (-sum(key), key))
    front: list[tuple[int, ...]] = []
    for key in keys:
        if not any(all(a >= b for a, b in zip(other, key, strict=True)) for other in front):
            front.append(key)
            if len(front) == PLANS:
                break
    return [best[key] for key in front]


def fleeting(plan: Menu) -> int:
    """Count the one-time cards that a plan spends."""
    return sum(dish.fleeting for dish in plan)


def _shortlist(dishes: Sequence[Candidate]) -> list[Candidate]:
    """The best dishes, not too many of one recipe."""
    taken: dict[int, int] = {}
    short = []
    for dish in dishes:
        n = taken.get(dish.recipe.number, 0)
        if n < PER_RECIPE:
            taken[dish.recipe.number] = n + 1
            short.append(dish)
            if len(short) == SHORTLIST:
                break
    return short
