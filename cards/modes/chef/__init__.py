"""Pancake, by docs/rules/chef.md: `dish` what a dish is worth, `meal` what may be served, `rules` the mode,
`tally` what matches came to.

A bot or a deck builder needs `yum`, `taste` and `servings`.
"""

from cards.modes.chef.dish import Dish, Item, servings, taste, yum
from cards.modes.chef.meal import COURSES, Course, Meal, Plate
from cards.modes.chef.rules import Board, Chef
from cards.modes.chef.tally import Tally

__all__ = [
    "COURSES",
    "Board",
    "Chef",
    "Course",
    "Dish",
    "Item",
    "Meal",
    "Plate",
    "Tally",
    "servings",
    "taste",
    "yum",
]
