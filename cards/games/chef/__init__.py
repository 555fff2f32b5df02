"""Pancake, by docs/rules/chef.md: `dish` has the yum of a dish, `meal` the legal meals, `rules` the mode,
`tally` the statistics of matches.

A bot or a deck builder needs `yum`, `taste` and `servings`.
"""

from cards.games.chef.board import Board
from cards.games.chef.dish import Dish, YumItem, servings, taste, yum
from cards.games.chef.meal import COURSES, Course, Meal, Plate
from cards.games.chef.rules import Chef
from cards.games.chef.tally import Tally

__all__ = [
    "COURSES",
    "Board",
    "Chef",
    "Course",
    "Dish",
    "Meal",
    "Plate",
    "Tally",
    "YumItem",
    "servings",
    "taste",
    "yum",
]
