"""The graph of shared ingredients in a deck's chart: recipes left, ingredients right, lines between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

STYLE = """
    .link { stroke: #64748b; stroke-opacity: 0.55; fill: none; }
    .node { fill: #0d9488; }
    .dish { fill: #d97706; }
"""
_STEP = 21
"""Height of a row."""
_NAMES = 250
"""Width of a column of names."""


def graph(
    statistics: Mapping[str, Any], names: Mapping[str, str], x: float, y: float, width: float
) -> tuple[list[str], int]:
    """The SVG elements of the graph, and its height."""
    shared = {each["card"]: each["recipes"] for each in statistics["shared"] if each["recipes"]}
    pairs = sorted({(link["recipe"], link["ingredient"]) for link in statistics["links"]})
    plain = [each["card"] for each in statistics["shared"] if not each["recipes"]]
    parts = [
        f'  <text class="name" x="{x}" y="{y}">Shared ingredients</text>',
        f'  <text class="what" x="{x}" y="{y + 18}">{escape(_told(pairs, plain, names))}</text>',
    ]
    recipes, ingredients = _ordered(pairs, shared)
    tall = _STEP * max(len(recipes), len(ingredients))
    top = y + 44
    at_recipe = _places(recipes, top, tall)
    at_ingredient = _places(ingredients, top, tall)
    left, right = x + _NAMES, x + width - _NAMES
    bend = (right - left) * 0.45
    for recipe, ingredient in pairs:
        a, b = at_recipe[recipe], at_ingredient[ingredient]
        thick = 1 + 0.5 * min(shared[ingredient], 5)
        parts.append(
            f'  <path class="link" stroke-width="{thick:g}" d="M{left + 8:g} {a:g} '
            f'C{left + bend:g} {a:g} {right - bend:g} {b:g} {right - 8:g} {b:g}"/>'
        )
    for recipe, place in at_recipe.items():
        parts.append(f'  <circle class="dish" cx="{left:g}" cy="{place:g}" r="5"/>')
        parts.append(_name(left - 12, place, names.get(recipe, recipe), "end"))
    for ingredient, place in at_ingredient.items():
        n = shared[ingredient]
        parts.append(f'  <circle class="node" cx="{right:g}" cy="{place:g}" r="{min(9, 3 + 1.5 * n):g}"/>')
        parts.append(_name(right + 14, place, f"{names.get(ingredient, ingredient)} · {n}", "start"))
    return parts, 44 + tall


def _told(pairs: Sequence[tuple[str, str]], plain: Sequence[str], names: Mapping[str, str]) -> str:
    if not pairs:
        return "no ingredient matches what a recipe lists"
    said = "a line is a match of a recipe's list; behind a name, how many recipes it matches"
    if not plain:
        return said
    some = ", ".join(names.get(card, card) for card in plain[:4])
    return f"{said}. None: {some}{' ...' if len(plain) > 4 else ''}"


def _name(x: float, y: float, text: str, anchor: str) -> str:
    return f'  <text class="tick" x="{x:g}" y="{y + 4:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _places(cards: Sequence[str], top: float, tall: float) -> dict[str, float]:
    step = tall / max(1, len(cards))
    return {card: round(top + step * (i + 0.5), 1) for i, card in enumerate(cards)}


def _ordered(pairs: Sequence[tuple[str, str]], shared: Mapping[str, int]) -> tuple[list[str], list[str]]:
    """Order both columns so that few lines cross, by the barycentre heuristic.

    It moves each card to the mean place of its neighbours, several times (Sugiyama, Tagawa and Toda, 1981).
    """
    recipes = list(dict.fromkeys(recipe for recipe, _ in pairs))
    ingredients = [card for card in shared if any(card == other for _, other in pairs)]
    for _ in range(8):
        recipes = _settled(recipes, ingredients, pairs)
        ingredients = _settled(ingredients, recipes, [(b, a) for a, b in pairs])
    return recipes, ingredients


def _settled(cards: Sequence[str], others: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    place = {card: i / max(1, len(others) - 1) for i, card in enumerate(others)}
    found = {card: [place[b] for a, b in pairs if a == card] for card in cards}
    return sorted(cards, key=lambda card: sum(found[card]) / len(found[card]))
