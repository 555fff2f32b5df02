"""Bots for Pancake: a plain cook and a good one."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from bots.levels import Level
from bots.mixing import mixed, orders, payoffs
from cards.games import chef
from cards.games.chef.menus import courses_of, hand_of, meal_of, menus
from cards.games.chef.pantry import Candidate, Pantry, best_apart
from cards.games.chef.rules import GOAL, KEEP, REDRAW
from cards.games.contract import Mode, Move, Seat, State

POINTS = {course.number: course.points for course in chef.COURSES}

LATE = 10
"""Points to go at which the bot begins to spend one-time cards more freely."""

BETTER = {0: 0.71, 1: 0.15, 2: 0.07, 3: 0.05, 4: 0.02}
"""The yum that hidden cards add to a dish whose cards the opponent has shown (measured)."""

NEW = {3: 0.3, 4: 0.3, 5: 0.2, 6: 0.12, 2: 0.08}
"""The probability of each yum of a dish that the opponent has not shown before (measured)."""

FRESH = (0.5, 0.3, 0.17)
"""The probability of such a dish as the opponent's best, second and third (measured)."""


def rival(state: State[chef.Board], seat: Seat, count: int) -> list[dict[int, float]]:
    """Estimate what a seat's best `count` dishes may be worth, by the cards of its hand that it has shown."""
    shown = hand_of(state, seat)
    pantry = Pantry(shown.values())
    best = best_apart(pantry, pantry.dishes(), count)
    if len(state.board.hands[seat]) == len(shown):  # nothing is hidden
        return [{best[rank].yum if rank < len(best) else 0: 1.0} for rank in range(count)]
    known = [{dish.yum + n: p for n, p in BETTER.items()} for dish in best]
    unknown = [{0: 1 - likely} | {yum: likely * p for yum, p in NEW.items()} for likely in FRESH]
    return known + unknown[len(best) : count]


@dataclass(frozen=True, slots=True)
class Greedy:
    """Serves the best dish it can as entree, then as appetizer, then as dessert.

    It redraws an opening hand that can serve nothing, but only once.
    """

    level = Level.MEDIUM

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The bot's choice; it is deterministic and makes no use of `rng`."""
        hand = hand_of(state, seat)
        pantry = Pantry(hand.values())
        dishes = pantry.dishes()
        if state.board.phase == "redraw":
            return KEEP if dishes or state.board.redraws[seat] else REDRAW
        courses = courses_of(state)
        return meal_of(hand, dict(zip(courses, best_apart(pantry, dishes, len(courses)), strict=False)))


@dataclass(frozen=True, slots=True)
class Gourmet:
    """Weighs whole meals against what the opponent is known to hold, and mixes the courses.

    1. Every set of dishes that can stand on the table together is a plan, unless another
       is as good in every dish (`menus`).
    2. The opponent's three best dishes are those of the cards it has shown, with what
       its hidden cards may add (`rival`).
    3. Which dish goes to which course is a game: the opponent may order its dishes as it
       likes. The bot plays a mixed strategy of that game, found by fictitious play,
       against an opponent who with probability `habit` serves its best dish as entree.

    Of dishes that are equally good it takes any, so that not every round brings the same.
    One-time cards cost `thrift` points each while the match is long. An opening hand that
    can serve nothing is put back as often as the rules allow: measured, that is worth more
    than the points that it gives away.
    """

    level = Level.HARD

    habit: float = 0.75
    thrift: float = 1.5
    turns: int = 60
    """Turns of fictitious play."""
    varies: bool = True
    """Whether equally good dishes take turns by chance. Else the one with the lowest numbers is served."""

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A meal drawn from the mixed strategy; a redraw of a hand that can serve nothing."""
        board: chef.Board = state.board
        hand = hand_of(state, seat)
        pantry = Pantry(hand.values())
        dishes = pantry.dishes()
        if board.phase == "redraw":
            return KEEP if dishes else REDRAW
        if self.varies:
            rng.shuffle(dishes)
            dishes.sort(key=_merit)
        courses = courses_of(state)
        rows = [
            (plan, order)
            for plan in menus(pantry, dishes, len(courses))
            for order in orders(len(plan), len(courses))
        ]
        belief = rival(state, 1 - seat, len(courses))
        thrift = 0.0 if board.final else self.thrift * min(1.0, (GOAL - max(board.points)) / LATE)
        table = payoffs(rows, belief, [POINTS[course] for course in courses], thrift)
        plan, order = rows[mixed(table, self.habit, self.turns, rng)]
        return meal_of(
            hand, {course: plan[i] for course, i in zip(courses, order, strict=True) if i is not None}
        )


def _merit(dish: Candidate) -> tuple[int, int, int]:
    """Better dishes first: more yum, fewer one-time cards, fewer cards."""
    return dish.rank[:3]
