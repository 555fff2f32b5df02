"""The dishes of an account, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cards.catalog.cards import Card
from cards.games.contract import Line, Picture
from cards.pictures import served
from cards.pictures.dishes import key_of


def dishes(lines: Sequence[Line], cards: Mapping[int, Card], names: Sequence[str]) -> Iterator[Picture]:
    """A picture of each dish that these lines tell of, in their order."""
    by_slug = {card.slug: card for card in cards.values()}
    where = next((line["text"] for line in lines if line["kind"] == "round"), "")
    for line in lines:
        if line["kind"] != "dish" or line["recipe"] is None:
            continue
        dish = served.ServedDish(
            recipe=by_slug[line["recipe"]],
            ingredients=tuple(by_slug[slug] for slug in line["ingredients"]),
            course=line["course"],
            yum=line["yum"],
            reasons=tuple(item["text"] for item in line["items"]),
            liked=frozenset(item["card"] for item in line["items"] if "card" in item),
            bonus=sum(item["points"] for item in line["items"] if item["kind"] == "bonus"),
            by=names[line["seat"]],
            said=where,
        )
        title = (
            f"{where}: {served.course_of(dish.course).name} of {dish.by}: {dish.recipe.name}, {dish.yum} yum"
        )
        key = key_of(dish.recipe, dish.ingredients)
        yield Picture(title, partial(served.picture, dish), key, line["seat"])
