"""The two search languages, of cards and of decks: the fields that can be asked for."""

from __future__ import annotations

from collections.abc import Callable

from cards.catalog.cards import CATEGORIES, RARITIES, TYPES
from cards.decks.search.facts import CARD_FLAGS, DECK_FLAGS, CardFacts, Owned
from cards.decks.search.query import CHOICE, DATE, NUMBER, TEXT, Language, SearchField


def _units(category: str) -> Callable[[CardFacts, Owned], int]:
    return lambda card, _: card.units[category]


CARDS = Language(
    "cards",
    [
        SearchField("name", TEXT, "its name", lambda c, _: c.name, sorts=True),
        SearchField(
            "number", NUMBER, "its number, which never changes", lambda c, _: c.number, ("n",), sorts=True
        ),
        SearchField("type", CHOICE, "its type", lambda c, _: (c.type,), ("t",), TYPES, sorts=True),
        SearchField("set", TEXT, "the code of its set", lambda c, _: c.code, sorts=True),
        SearchField(
            "rarity", CHOICE, "its rarity", lambda c, _: (c.rarity,), ("r",), RARITIES, True, sorts=True
        ),
        SearchField("kind", TEXT, "what an ingredient also counts as", lambda c, _: c.kinds, ("k",)),
        SearchField("lists", TEXT, "an ingredient that a recipe names", lambda c, _: c.lists),
        SearchField("ing", TEXT, "what a recipe can use", lambda c, _: c.uses, ("ingredient",)),
        SearchField(
            "category", CHOICE, "provided or needed", lambda c, _: c.gives + c.needs, ("cat", "c"), CATEGORIES
        ),
        SearchField("gives", CHOICE, "a category that it provides", lambda c, _: c.gives, (), CATEGORIES),
        SearchField("needs", CHOICE, "a category of its cost", lambda c, _: c.needs, (), CATEGORIES),
        SearchField("cost", NUMBER, "units that it costs", lambda c, _: c.cost, sorts=True),
        SearchField(
            "provides", NUMBER, "units that it provides", lambda c, _: c.provides, ("p",), sorts=True
        ),
        *(
            SearchField(
                name,
                NUMBER,
                f"units of {name}, provided or needed",
                _units(name),
                sorts=True,
            )
            for name in CATEGORIES
        ),
        SearchField("bonus", NUMBER, "yum that it adds", lambda c, _: c.bonus, ("yum",), sorts=True),
        SearchField("is", CHOICE, "what is true of it", lambda c, _: c.flags, (), CARD_FLAGS),
        SearchField("flavour", TEXT, "its flavour text", lambda c, _: c.flavour, ("flavor", "ft")),
        SearchField("text", TEXT, "any text on it", lambda c, _: c.words),
        SearchField(
            "own", NUMBER, "copies that you own", lambda c, o: o.get(c.number, 0), sorts=True, owner=True
        ),
    ],
    free="name",
    tie=lambda card: (card.number,),
)
"""The fields that can be asked of `CardFacts`."""

DECKS = Language(
    "decks",
    [
        SearchField("name", TEXT, "its name", lambda d, _: d.name, sorts=True),
        SearchField("tag", TEXT, "one of its tags", lambda d, _: d.labels),
        SearchField("by", TEXT, "the handle of its owner", lambda d, _: d.by, ("owner",), sorts=True),
        SearchField("uses", TEXT, "a card in it, by name or number", lambda d, _: d.uses, ("card",)),
        SearchField("size", NUMBER, "how many cards it holds", lambda d, _: d.size, sorts=True),
        SearchField("recipes", NUMBER, "recipes, copies counted", lambda d, _: d.of("recipe"), sorts=True),
        SearchField(
            "ingredients", NUMBER, "ingredients, copies counted", lambda d, _: d.of("ingredient"), sorts=True
        ),
        SearchField(
            "basics", NUMBER, "Basic Ingredients, copies counted", lambda d, _: d.of("basic"), sorts=True
        ),
        SearchField(
            "cost-average",
            NUMBER,
            "the mean cost of its recipes",
            lambda d, _: d.cost_average,
            ("cost",),
            places=2,
            sorts=True,
        ),
        SearchField(
            "missing", NUMBER, "copies that you lack", lambda d, o: d.missing(o), sorts=True, owner=True
        ),
        SearchField("is", CHOICE, "what is true of it", lambda d, o: d.flags(o), (), DECK_FLAGS, owner=True),
        SearchField(
            "revision", NUMBER, "the number of its newest revision", lambda d, _: d.revision, sorts=True
        ),
        SearchField("created", DATE, "when it was made", lambda d, _: d.created_at, sorts=True),
        SearchField("updated", DATE, "when it was last revised", lambda d, _: d.updated_at, sorts=True),
    ],
    free="name",
    tie=lambda deck: (deck.created_at, deck.id),
    counted=True,
)
"""The fields that can be asked of `DeckFacts`."""
