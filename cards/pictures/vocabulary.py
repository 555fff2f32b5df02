"""The shapes and colours for names: of ingredients, of kinds, of entries in a recipe's list.

A name is looked up as a whole, and then by its words from the last to the first. Then its kinds are looked up
in the same way, and at last its category. So a new card has a picture without a new line here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cards.pictures import bakery, fruits, garden, larder, pantry, roots
from cards.pictures.paint import Dice, Ink, mix

Shape = Callable[[Ink, Dice], str]


@dataclass(frozen=True, slots=True)
class Motif:
    """A shape with its colours."""

    shape: Shape
    ink: Ink

    def drawn(self, dice: Dice) -> str:
        """The shape as SVG, in the square from -100 to 100."""
        return self.shape(self.ink, dice)


def _motif(shape: Shape, base: str, second: str) -> Motif:
    return Motif(shape, Ink(base, second))


_GREEN, _CREAM, _CLAY, _BLUE, _PAPER = "#4f8a3c", "#f4e3bd", "#b5623c", "#4f7fa6", "#e9dcc3"

MOTIFS: dict[str, Motif] = {
    # Fruits and vegetables.
    "tomato": _motif(fruits.tomato, "#d8402f", _GREEN),
    "apple": _motif(fruits.apple, "#cf3a35", _GREEN),
    "orange": _motif(fruits.citrus, "#f08a24", _GREEN),
    "lime": _motif(fruits.citrus, "#86b83a", _GREEN),
    "citrus": _motif(fruits.lemon, "#f5cf3d", _GREEN),
    "lemon": _motif(fruits.lemon, "#f5cf3d", _GREEN),
    "banana": _motif(fruits.banana, "#f6d04a", _GREEN),
    "mango": _motif(fruits.mango, "#f3aa36", "#e0603a"),
    "pineapple": _motif(fruits.pineapple, "#e5a736", _GREEN),
    "blueberry": _motif(fruits.berries, "#4a5fa8", _GREEN),
    "berry": _motif(fruits.berries, "#b63a6b", _GREEN),
    "strawberry": _motif(fruits.strawberry, "#dc3545", _GREEN),
    "fruit": _motif(fruits.apple, "#e0573f", _GREEN),
    "olives": _motif(fruits.olives, "#76823c", _GREEN),
    "avocado": _motif(fruits.avocado, "#a9c25a", "#3f5b34"),
    "coconut milk": _motif(fruits.coconut, "#8a5a3a", "#ffffff"),
    "coconut": _motif(fruits.coconut, "#8a5a3a", "#ffffff"),
    "carrot": _motif(roots.root, "#ee8434", _GREEN),
    "beet": _motif(roots.bulb, "#9c2f5e", "#7a1f4a"),
    "root": _motif(roots.bulb, "#d9b78c", _GREEN),
    "potato": _motif(roots.tuber, "#cfa163", "#8a6236"),
    "sweet potato": _motif(roots.yam, "#b4573f", "#f19a4a"),
    "onion": _motif(roots.onion, "#d79a4a", _CREAM),
    "garlic": _motif(roots.garlic, "#f1e6dc", "#efdcd2"),
    "mushroom": _motif(roots.mushroom, "#b07b52", "#f1e1c8"),
    "truffle": _motif(roots.truffle, "#4d3a32", "#c9ab86"),
    "cabbage": _motif(garden.leafy, "#9fc66b", _GREEN),
    "lettuce": _motif(garden.leafy, "#6fb24a", _GREEN),
    "leafy green": _motif(garden.bunch, "#5f9e46", "#c98a4a"),
    "spinach": _motif(garden.bunch, "#3f8443", "#c98a4a"),
    "bell pepper": _motif(garden.pepper, "#d9432f", _GREEN),
    "cucumber": _motif(garden.gourd, "#4f9148", "#d5e8b0"),
    "zucchini": _motif(garden.gourd, "#3e7a3c", "#eef0c4"),
    "squash": _motif(garden.pumpkin, "#e68a2e", "#5a7a38"),
    "pumpkin": _motif(garden.pumpkin, "#e68a2e", "#5a7a38"),
    "eggplant": _motif(garden.eggplant, "#5d3a74", "#5f9e46"),
    "broccoli": _motif(garden.florets, "#4d8f43", "#a9c97a"),
    "cauliflower": _motif(garden.florets, "#f2e8d2", "#9cc06a"),
    "leek": _motif(garden.stalks, "#5f9c4c", "#f3f1da"),
    "scallion": _motif(garden.stalks, "#3f9a4a", "#fbfaf0"),
    "celery": _motif(garden.celery, "#a5c860", _GREEN),
    "seaweed": _motif(garden.seaweed, "#2f6b57", "#1f4a40"),
    "peas": _motif(garden.pod, "#6bab43", "#e3efb2"),
    "edamame": _motif(garden.pod, "#8cbc4c", "#dcebb0"),
    "vegetable": _motif(roots.root, "#ee8434", _GREEN),
    # Herbs and spices.
    "basil": _motif(garden.sprig, "#4d9a45", "#6b8f3a"),
    "mint": _motif(garden.sprig, "#3fa37a", "#4f8a5a"),
    "herb": _motif(garden.sprig, "#5f9e46", "#4f7f3a"),
    "parsley": _motif(garden.curly, "#4c9641", "#6aa84f"),
    "chili": _motif(garden.chili, "#cf2f26", _GREEN),
    "ginger": _motif(roots.ginger, "#d3a566", "#f3d77c"),
    "saffron": _motif(garden.saffron, "#9a6cc0", "#d8361f"),
    "vanilla": _motif(garden.vanilla, "#4a3226", "#fbf2d6"),
    "cinnamon": _motif(pantry.sticks, "#a5623a", "#d9b56a"),
    "cumin": _motif(pantry.seeds, "#b98a4a", _CLAY),
    "curry powder": _motif(pantry.powder, "#e2a020", _BLUE),
    "spice": _motif(pantry.powder, "#c9562c", "#3d7a78"),
    "black pepper": _motif(pantry.mill, "#8a5a34", "#d8b26a"),
    "salt": _motif(pantry.shaker, "#d7e6ea", "#9fb3bd"),
    "seasoning": _motif(pantry.shaker, "#d7e6ea", "#9fb3bd"),
    # Grain, bread, noodles.
    "wheat": _motif(bakery.ears, "#e0a93c", _CLAY),
    "oats": _motif(bakery.oats, "#d9b56a", _CLAY),
    "flour": _motif(pantry.sack, "#fbf6ea", "#d8c39a"),
    "grain": _motif(bakery.ears, "#d9a441", _CLAY),
    "rice": _motif(bakery.heap, "#f7f1e2", "#c8453b"),
    "couscous": _motif(bakery.heap, "#e8c264", "#2f7f86"),
    "starch": _motif(pantry.sack, "#fbf6ea", "#d8c39a"),
    "corn": _motif(garden.corn, "#f2c237", "#8fb552"),
    "bread": _motif(bakery.loaf, "#bd7a3a", "#f6deae"),
    "sourdough": _motif(bakery.boule, "#b3702f", "#f6deae"),
    "brioche": _motif(bakery.brioche, "#d48f37", "#b86f2c"),
    "tortilla": _motif(bakery.discs, "#ecd09a", "#c08b4a"),
    "pita": _motif(bakery.pocket, "#e6c48a", "#b98546"),
    "noodles": _motif(bakery.nest, "#f0cf7a", _CLAY),
    "udon": _motif(bakery.nest, "#f2ead8", _CLAY),
    "vermicelli": _motif(bakery.nest, "#e6e6dc", _CLAY),
    "spaghetti": _motif(bakery.sheaf, "#efc65c", "#b5623c"),
    "pasta": _motif(bakery.nest, "#eec050", _CLAY),
    "macaroni": _motif(bakery.elbows, "#f0c14b", _CLAY),
    # Oils, sauces, sweets.
    "olive oil": _motif(pantry.bottle, "#a9a63a", "#6f7f2c"),
    "sesame oil": _motif(pantry.bottle, "#b8742e", "#c98a3a"),
    "cooking oil": _motif(pantry.bottle, "#e2b33c", "#7c8a34"),
    "oil": _motif(pantry.bottle, "#e2b33c", "#7c8a34"),
    "soy sauce": _motif(pantry.bottle, "#43281f", "#b8342c"),
    "sauce": _motif(pantry.bottle, "#a8322a", "#5d7a35"),
    "mayo": _motif(pantry.jar, "#f7efc9", _BLUE),
    "pesto": _motif(pantry.jar, "#5f8f36", "#c8a24a"),
    "ghee": _motif(pantry.jar, "#f0b429", "#b5623c"),
    "ground peanuts": _motif(larder.spread, "#c58a45", "#d8402f"),
    "handmade noodles": _motif(bakery.nest, "#f4dfa0", "#b5623c"),
    "fresh pasta": _motif(bakery.sheaf, "#f6d878", "#7a4a6a"),
    "cream": _motif(pantry.jug, "#fffaf0", "#8fb4c8"),
    "dairy": _motif(pantry.jug, "#fffaf0", "#8fb4c8"),
    "miso": _motif(pantry.paste, "#b5713a", "#c9a06a"),
    "honey": _motif(pantry.honey, "#f2a51f", "#d98a4a"),
    "maple syrup": _motif(pantry.syrup, "#9a4f1f", "#d8402f"),
    "sugar": _motif(pantry.cubes, "#f4ece2", "#ffffff"),
    "sweetener": _motif(pantry.honey, "#f2a51f", "#d98a4a"),
    "chocolate": _motif(pantry.tablet, "#5f3a26", "#a83a4a"),
    "yogurt": _motif(pantry.jar, "#fdfbf4", "#7aa6c8"),
    "tahini": _motif(pantry.paste, "#d9b98a", "#a88a5a"),
    "almonds": _motif(bakery.pulses, "#b9783f", "#f1dcc0"),
    "walnuts": _motif(bakery.beans, "#a87a4a", "#e3c9a0"),
    "pine nuts": _motif(bakery.pulses, "#f0dcae", _CLAY),
    "nut": _motif(bakery.pulses, "#c08a52", "#f1dcc0"),
    "sesame seeds": _motif(pantry.seeds, "#efe0b8", _CLAY),
    "sprinkles": _motif(pantry.seeds, "#e0559a", "#5aa9c8"),
    "whipped cream": _motif(larder.mound, "#ffffff", "#d8402f"),
    "ice cream": _motif(larder.mound, "#f6cfd6", "#8a4a2e"),
    "mascarpone": _motif(larder.mound, "#fbf3dc", "#c9a46a"),
    "lard": _motif(larder.block, "#fbf7f0", "#e6ddd0"),
    "argan oil": _motif(pantry.bottle, "#d18a2a", "#7a5a24"),
    "wine": _motif(pantry.bottle, "#6b1f33", "#c9a24a"),
    "brandy": _motif(pantry.bottle, "#9a5a24", "#e9dcc3"),
    "champagne": _motif(pantry.bottle, "#4f7a45", "#e9c65a"),
    "rose water": _motif(pantry.bottle, "#f0b8c4", "#c8557a"),
    "smoked paprika": _motif(pantry.powder, "#b5321f", "#3d5a78"),
    "fleur de sel": _motif(pantry.cubes, "#eef3f5", "#ffffff"),
    "smoked salt": _motif(pantry.shaker, "#8a8f94", "#4d4a48"),
    "gold leaf": _motif(pantry.gold, "#e9b836", "#c58f1f"),
    "black garlic": _motif(roots.garlic, "#3a2f2c", "#5a4a44"),
    "white truffle": _motif(roots.truffle, "#d9c49a", "#f3e8cf"),
    "capers": _motif(fruits.olives, "#5f7a3a", _GREEN),
    "cherry": _motif(fruits.berries, "#c8203a", _GREEN),
    "dragon fruit": _motif(fruits.mango, "#e0407f", "#6fae4a"),
    "blood orange": _motif(fruits.citrus, "#c8402a", _GREEN),
    "flowers": _motif(garden.saffron, "#d86aa8", "#f2c237"),
    "heirloom tomato": _motif(fruits.tomato, "#a8434a", "#6b7f35"),
    "lemon zest": _motif(fruits.lemon, "#f7e07a", "#7aa23c"),
    "wild mushroom": _motif(roots.mushroom, "#d9a02f", "#f6e2b4"),
    "forest honey": _motif(pantry.honey, "#a5581a", "#7a5a3a"),
    "sour cream": _motif(pantry.jug, "#f3f6ee", "#5f9a6a"),
    # Proteins.
    "egg": _motif(larder.eggs, "#f0d6b4", "#f4a62a"),
    "chicken": _motif(larder.drumstick, "#d58a3c", _CREAM),
    "duck": _motif(larder.roast, "#a9602c", "#e9f0f2"),
    "poultry": _motif(larder.drumstick, "#d58a3c", _CREAM),
    "meat": _motif(larder.steak, "#b8433a", "#f3dcc6"),
    "beef": _motif(larder.steak, "#b8433a", "#f3dcc6"),
    "wagyu beef": _motif(larder.marbled, "#c94a4f", "#f6e2d6"),
    "pork": _motif(larder.chop, "#e08d84", "#f6dccb"),
    "lamb": _motif(larder.rack, "#b9574a", "#f3d9c4"),
    "bacon": _motif(larder.bacon, "#c2483c", "#f6d9bd"),
    "sausage": _motif(larder.sausage, "#b4553a", "#e8c79a"),
    "fish": _motif(larder.fish, "#6f9bb5", "#dfe9ea"),
    "tuna": _motif(larder.tuna, "#34658f", "#d3e0e6"),
    "salmon": _motif(larder.fish, "#e8785a", "#f9cdb6"),
    "cod": _motif(larder.fish, "#8f9a6a", "#eae6cf"),
    "seafood": _motif(larder.shrimp, "#ef8a5f", "#f4a988"),
    "shellfish": _motif(larder.crab, "#d9532f", "#f2a27c"),
    "shrimp": _motif(larder.shrimp, "#ef8a5f", "#f4a988"),
    "crab": _motif(larder.crab, "#d9532f", "#f2a27c"),
    "lobster": _motif(larder.lobster, "#c8362b", "#f08a6a"),
    "anchovies": _motif(larder.fish, "#7d94a3", "#e3e9ea"),
    "bonito flakes": _motif(larder.bacon, "#c98f7a", "#f3dccb"),
    "oysters": _motif(bakery.pocket, "#8f9aa0", "#e6e9e4"),
    "sea urchin": _motif(larder.caviar, "#e08a2a", "#3d3440"),
    "foie gras": _motif(larder.block, "#e3b79a", "#c98f6f"),
    "bone marrow": _motif(larder.rack, "#d9a08a", "#f6ecdc"),
    "ham": _motif(larder.bacon, "#b5423c", "#f3d3c0"),
    "burrata": _motif(larder.ball, "#fffdf4", "#f0ead6"),
    "blue cheese": _motif(larder.wedge, "#f1ead2", "#5f7fa6"),
    "black lentils": _motif(bakery.flat_pulses, "#37383f", _BLUE),
    "caviar": _motif(larder.caviar, "#3d4450", "#c9a24a"),
    "beans": _motif(bakery.beans, "#9a3f34", "#e9d2ae"),
    "legume": _motif(bakery.beans, "#b5794a", "#e9d2ae"),
    "chickpeas": _motif(bakery.pulses, "#e3bd78", "#b9783f"),
    "lentils": _motif(bakery.flat_pulses, "#d0703a", _BLUE),
    "tofu": _motif(pantry.cubes, "#f3ead2", "#ffffff"),
    "soy": _motif(pantry.cubes, "#f3ead2", "#ffffff"),
    "protein": _motif(larder.steak, "#b8433a", "#f3dcc6"),
    "cheese": _motif(larder.wedge, "#f3bd3e", "#e0902a"),
    "cheddar": _motif(larder.wedge, "#ef9f2f", "#c9702a"),
    "parmesan": _motif(larder.parmesan, "#f0d58a", "#c9974a"),
    "mozzarella": _motif(larder.ball, "#fbf7ea", "#fffdf6"),
    "feta": _motif(larder.block, "#f8f3e4", "#e9e0c8"),
    "ricotta": _motif(larder.mound, "#fdf9ef", "#cf9f5c"),
    "quail eggs": _motif(larder.eggs, "#d8cfb6", "#e59a2a"),
    "smoked salmon": _motif(larder.fish, "#d2603a", "#f3b28a"),
    "cultured butter": _motif(larder.butter, "#f2c12f", "#e8d6a8"),
    "butter": _motif(larder.butter, "#f5d35c", _CREAM),
}

KINDS = frozenset(
    (
        "bread",
        "berry",
        "cheese",
        "citrus",
        "cooking oil",
        "dairy",
        "fish",
        "fruit",
        "grain",
        "herb",
        "leafy green",
        "legume",
        "meat",
        "noodles",
        "nut",
        "pasta",
        "pork",
        "poultry",
        "root",
        "sauce",
        "seafood",
        "shellfish",
        "soy",
        "spice",
        "squash",
        "sweetener",
        "wheat",
        "wine",
    )
)
"""Names that stand for many ingredients."""


def lookups(name: str) -> Iterable[str]:
    """The keys under which a name is looked up, best first: all its words, fewer of its last ones, single words.

    >>> [*lookups("Wagyu Beef Rolls")]
    ['wagyu beef rolls', 'beef rolls', 'rolls', 'roll', 'beef', 'wagyu']
    """
    words = name.casefold().split()
    found = [" ".join(words[i:]) for i in range(len(words))]
    for word in reversed(words):
        for ending in ("", "s", "es"):
            if word.endswith(ending) and len(word) > len(ending) + 2:
                found.append(word.removesuffix(ending))
    return dict.fromkeys(found)


def motif(name: str, kinds: Iterable[str] = (), category: str = "seasoning") -> Motif:
    """The shape for a name. If only a kind or the category has one, the name shifts its colours."""
    for i, each in enumerate((name, *kinds, category)):
        for key in lookups(each):
            found = MOTIFS.get(key)
            if found is not None:
                return found if i == 0 or not name else _shifted(found, name)
    return _shifted(MOTIFS["seasoning"], name)


def known(name: str) -> Motif | None:
    """The shape for a name; None if it has none of its own."""
    return next((MOTIFS[key] for key in lookups(name) if key in MOTIFS), None)


def _shifted(found: Motif, name: str) -> Motif:
    dice = Dice(name)
    other = ("#d8402f", "#3e7a3c", "#f2c237", "#7a4a8a", "#2f7f86", "#5a3d1e")[dice.below(6)]
    return Motif(found.shape, Ink(mix(found.ink.base, other, dice.between(0.15, 0.4)), found.ink.second))
