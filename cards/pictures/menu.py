"""The form of a dish, chosen by the recipe's name, and the ingredients that are shown on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cards.pictures import bakery, bowls, larder, pantry, plates
from cards.pictures.paint import (
    Dice,
    Ink,
)
from cards.pictures.vocabulary import KINDS, Motif, Shape, known, lookups, motif

Form = Callable[[Ink, bowls.Tops, Dice], str]


"""Draws a dish from its main colour, the colour of its crockery, and the ingredients on it."""


_NAMED: dict[Form, tuple[str, ...]] = {
    bowls.soup: ("soup", "bisque", "borscht", "minestrone", "dal", "ramen", "pho", "porridge", "broth"),
    bowls.stew: (
        "curry",
        "masala",
        "feijoada",
        "tagine",
        "bouillabaisse",
        "sukiyaki",
        "stew",
        "jambalaya",
        "gobi",
        "ratatouille",
        "chili beans",
        "butter chicken",
        "coq au vin",
        "bourguignon",
    ),
    bowls.noodles: (
        "noodles",
        "pasta",
        "spaghetti",
        "carbonara",
        "udon",
        "nest",
        "thai",
        "spaghetti with garlic and oil",
    ),
    bowls.rice: ("rice", "risotto", "biryani", "paella", "bibimbap", "chirashi", "rice and beans"),
    bowls.salad: ("salad", "coleslaw", "ceviche", "greens", "tartare"),
    bowls.dip: ("hummus", "guacamole", "ghanoush", "dip", "dressing", "aioli", "raita", "ganache", "mayo"),
    bowls.glass: ("juice", "lemonade", "lassi"),
    bowls.mug: ("tea", "coffee", "hot chocolate"),
    plates.pancakes: ("pancakes", "blini", "okonomiyaki", "crepe", "suzette"),
    plates.waffles: ("waffles",),
    plates.toast: ("toast", "bruschetta", "bread and butter", "garlic bread", "walnut bread"),
    plates.sandwich: ("sandwich", "pulled pork"),
    plates.burger: ("cheeseburger", "burger"),
    plates.tacos: ("tacos", "huevos rancheros", "carnitas"),
    plates.folded: ("omelette", "quesadilla"),
    plates.pie: ("pie", "tart"),
    plates.cake: ("cake", "alaska"),
    plates.muffins: ("muffins",),
    plates.pizza: ("pizza",),
    plates.flatbread: ("focaccia", "spanakopita"),
    plates.bake: (
        "lasagna",
        "moussaka",
        "thermidor",
        "gratin",
        "macaroni and cheese",
        "shepherd's pie",
        "baked feta",
        "creamed spinach",
    ),
    plates.pastry: ("wellington", "strudel"),
    plates.skewers: ("skewers", "satay"),
    plates.sushi: ("sushi", "roll"),
    plates.nigiri: ("nigiri",),
    plates.dumplings: ("gyoza", "dumplings"),
    plates.fritters: ("falafel", "fritters", "crab cakes", "takoyaki"),
    plates.rings: ("rings",),
    bowls.coupe: ("fool", "custard", "split", "pudding", "sundae", "trifle", "yogurt cup", "honey yogurt"),
    plates.candied: ("candied apple",),
    plates.chips: ("chips", "sticks"),
    bowls.grilled: (
        "grilled",
        "teriyaki",
        "scampi",
        "roast",
        "roasted",
        "sesame tofu",
        "honey chicken",
        "fried eggplant",
        "buttered cod",
        "stuffed peppers",
        "surf and turf",
        "grilled salmon",
        "grilled shrimp",
        "roast cauliflower",
        "roast potatoes",
        "roasted pumpkin",
    ),
}


FORMS: dict[str, Form] = {phrase: form for form, phrases in _NAMED.items() for phrase in phrases}


_BASES: dict[Form, tuple[Shape, ...]] = {
    plates.toast: (bakery.loaf,),
    plates.sandwich: (bakery.loaf,),
    plates.burger: (bakery.loaf, larder.wedge, larder.steak),
    bowls.soup: (bakery.nest,),
    bowls.noodles: (bakery.nest,),
    bowls.rice: (bakery.heap,),
    plates.sushi: (bakery.heap,),
    plates.nigiri: (bakery.heap,),
    plates.tacos: (bakery.discs,),
    plates.pie: (pantry.sack,),
    plates.cake: (pantry.sack,),
    plates.muffins: (pantry.sack,),
    plates.pastry: (pantry.sack,),
    plates.pizza: (pantry.sack,),
}


"""Shapes that a form already shows, so they are not shown on it again."""


def form_of(name: str) -> Form:
    """The form in which a dish of this name is served."""
    return next((FORMS[key] for key in lookups(name) if key in FORMS), bowls.platter)


_CROCKERY = ("#3f7f86", "#c8553d", "#4a5f8f", "#d9a441", "#7a4a6a", "#5d7a45", "#b5623c", "#2f5d62")


_TINTS = {
    "noodles": "#f0cf7a",
    "rice": "#f7f1e2",
    "risotto": "#f3e2b0",
    "paella": "#f0c95c",
    "chocolate": "#6b4030",
    "opera cake": "#5f3a26",
    "juice": "#f59a2c",
    "tea": "#b7a23c",
    "lemonade": "#f5e06a",
    "custard": "#f3dc8a",
    "ghanoush": "#cdbb94",
    "hummus": "#e8cf98",
    "pizza": "#d8402f",
    "pasta": "#f0c95c",
    "thai": "#eec27a",
    "borscht": "#a8325e",
    "gyoza": "#f3dfb6",
}


"""Colours of dishes that differ from the colour of the ingredient in their name."""


def upon(name: str, listed: Sequence[str]) -> list[Motif]:
    """The ingredients shown on a dish: those in its name, then those that it lists; at most five.

    If the name has an ingredient (Salmon), listed kinds (Fish) are left out, since they may mean the same.
    """
    told: dict[Shape, Motif] = {}
    for word in reversed(name.casefold().split()):
        found = known(word)
        if found is not None and word not in KINDS:
            told.setdefault(found.shape, found)
    others = [entry for entry in listed if not told or entry.casefold() not in KINDS]
    for entry in others:
        found = motif(entry)
        told.setdefault(found.shape, found)
    found_all = list(told.values()) or [motif(entry) for entry in listed]
    beside = [each for each in found_all if each.shape not in _BASES.get(form_of(name), ())]
    return (beside or found_all)[:5]


def dish(name: str, listed: Sequence[str], dice: Dice) -> str:
    """Draw a dish. Its name decides the form and the colour; its name and list decide what is shown on it."""
    tint = next((_TINTS[key] for key in lookups(name) if key in _TINTS), None)
    tops = upon(name, listed)
    colour = tint or (tops[0].ink.base if tops else "#d9a441")
    return form_of(name)(Ink(colour, _CROCKERY[dice.below(len(_CROCKERY))]), tops, dice)
