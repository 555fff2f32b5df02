"""The hand and the account of Pancake at a terminal, in as much detail as there is room for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from cards.catalog.cards import Card, Units
from cards.games.accounts import Section, Told
from cards.games.chef.told import counted
from cards.games.contract import Position, Seat, own
from cloche.commands.errors import plain
from cloche.commands.words import named
from cloche.table.chef_meal import about, in_order
from cloche.table.folding import flow, richest
from cloche.table.look import grid
from cloche.table.presenter import View

_SHORT = ("starch", "veg", "oil", "protein", "season")
"""The categories in a few letters."""


# The hand


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card of a hand, with all its copies."""

    number: int
    """The number by which the player can name it."""
    card: Card
    copies: int
    fresh: int
    """The number of copies that the last deal brought."""

    @property
    def name(self) -> str:
        """Name and copies: "Bread x2"."""
        return self.card.name if self.copies == 1 else f"{self.card.name} x{self.copies}"

    @property
    def mark(self) -> str:
        """The word for what is new: "new", or "1 new" of several copies; "" for nothing."""
        some = "" if self.fresh in (0, self.copies) else f"{self.fresh} "
        return f"{some}new" if self.fresh else ""


def held_cards(hand: Mapping[int, Card], seat: Seat, fresh: frozenset[Position]) -> list[HeldCard]:
    """The cards of a hand as it is numbered; `fresh` are the positions that were just dealt."""
    copies = Counter(hand.values())
    dealt = Counter(card for index, card in hand.items() if own(seat, index) in fresh)
    return [
        HeldCard(number, card, copies[card], dealt[card])
        for number, card in enumerate(in_order(hand.values()), start=1)
    ]


def drawn_hand(held: Sequence[HeldCard], view: View, hidden: int) -> list[RenderableType]:
    """A hand: a line for each card, or if there is less room several in a line, at last by name alone.

    `hidden` counts the cards that nobody knows here.
    """
    if hidden and view.room is not None:
        view = replace(view, room=view.room - 1)
    draws = [partial(_tables, held, view), *(partial(_flows, held, view, costs) for costs in (True, False))]
    found = richest(view, draws)
    if hidden:
        found.append(Text(f"{'and' if found else view.whose + ' hand:'} {hidden} not seen"))
    return found


def _tables(held: Sequence[HeldCard], view: View) -> list[RenderableType]:
    """Recipes and ingredients, a line or more for each card."""
    found: list[RenderableType] = []
    for title, recipes in (("recipes", True), ("ingredients", False)):
        table = grid("rfw")
        for item in held:
            if item.card.is_recipe is recipes:
                name = Text(item.name, style="bold").append(f" ({item.mark})" if item.mark else "")
                table.add_row(str(item.number), name, Text(about(item.card)))
        if table.row_count:
            found += [Text(f"{view.whose if not found else 'and'} {title}"), Padding(table, (0, 0, 0, 2))]
    return found


def _flows(held: Sequence[HeldCard], view: View, costs: bool) -> list[RenderableType]:
    """Recipes and ingredients, several cards in a line, with their units or without."""
    found: list[RenderableType] = []
    whose = "" if view.mine else f"{view.whose} "
    for title, recipes in ((f"{whose}recipes:", True), ("ingredients:", False)):
        cells = [_cell(item, costs) for item in held if item.card.is_recipe is recipes]
        if cells:
            found += flow(title[:1].upper() + title[1:], cells, view.width)
    return found


def _cell(item: HeldCard, costs: bool) -> Text:
    """A card in few letters: "3 Bread x2 (1 starch; 1 new)"."""
    card = item.card
    units = _units(card.costs if card.is_recipe or card.is_special else card.provides)
    given = f"costs {units}" if card.is_special else units
    said = "; ".join(part for part in (given if costs else "", item.mark) if part)
    cell = Text(f"{item.number} ").append(item.name, style="bold")
    return cell.append(f" ({said})", style="dim") if said else cell


def _units(given: Units) -> str:
    """Units in few letters.

    >>> _units((1, 2, 0, 0, 0))
    '1 starch 2 veg'
    """
    return " ".join(f"{n} {name}" for n, name in zip(given, _SHORT, strict=True) if n)


# The account


class Detail(Enum):
    """How much of an account is told."""

    REASONS = "every dish, and why it is worth what it is worth"
    DISHES = "every dish with its ingredients"
    COURSES = "the recipes of each course, beside its winner"
    WINNERS = "the winner of each course"


def told_account(view: View, sections: Sequence[Section], level: Detail) -> list[RenderableType]:
    """The sections of an account: a heading with the winner for each course, its dishes under it."""
    found: list[RenderableType] = []
    for section in sections:
        dishes = [line for line in section.lines if line.code == "dish"]
        others = [line for line in section.lines if line.code != "dish"]
        heading = "" if section.heading is None else _said(view, section.heading)
        if level is Detail.COURSES and dishes:
            heading += f" ({', '.join(_short(view, dish) for dish in dishes)})"
        whole = level in (Detail.REASONS, Detail.DISHES)
        if heading:
            found.append(Text(heading, style="bold" if whole else ""))
        indent = 2 if heading else 0
        if dishes and whole:
            found.append(Padding(_table(view, dishes, level), (0, 0, 0, indent)))
        found += [Padding(Text(_said(view, line)), (0, 0, 0, indent)) for line in others]
    return found


def _table(view: View, dishes: Sequence[Told], level: Detail) -> RenderableType:
    """Lines that say who served what, its yum, and the reasons for it."""
    table = grid("fwr")
    for dish in dishes:
        recipe, *used = _names(view, [dish.values["recipe"], *dish.values["ingredients"]])
        what = Text(f"{recipe} with {counted(used)}")
        table.add_row(Text(view.names[dish.values["seat"]]), what, Text(f"{dish.values['yum']} yum"))
        if level is Detail.REASONS:
            reasons = "; ".join(plain(reason.text) for reason in dish.reasons)
            table.add_row("", Text(reasons, style="dim"), "")
    return table


def _short(view: View, dish: Told) -> str:
    """A line that says who served which recipe, and its yum: "ada Toast 3"."""
    (recipe,) = _names(view, [dish.values["recipe"]])
    return f"{view.names[dish.values['seat']]} {recipe} {dish.values['yum']}"


def _names(view: View, slugs: Sequence[str]) -> list[str]:
    """The names of cards in play."""
    cards = {card.slug: plain(card.name) for card in view.game.header.cards.values()}
    return [cards.get(slug, plain(slug)) for slug in slugs]


def _said(view: View, told: Told) -> str:
    return named(plain(told.text), view.names)
