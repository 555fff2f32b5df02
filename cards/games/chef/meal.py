"""A meal: up to a dish a course, its form and its legality (docs/rules/chef.md, sections 4 and 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from cards.catalog.cards import NONE, Card
from cards.games.chef.dish import balance, servings, told
from cards.games.contract import Legal, Move, Position, Refusal, Seat, own


@dataclass(frozen=True, slots=True)
class Course:
    """A course: the number that a choice gives, its name, its points."""

    number: int
    name: str
    points: int


APPETIZER = Course(1, "appetizer", 2)
ENTREE = Course(2, "entree", 3)
DESSERT = Course(3, "dessert", 1)
COURSES = (APPETIZER, ENTREE, DESSERT)
FINAL = (ENTREE,)
"""The courses of a final round."""

SEARCH = 4000
"""Steps that a random meal may search for the ingredients of a recipe."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The content of one course of a choice, as indices in the seat's own deck."""

    course: int
    recipe: int | None
    ingredients: tuple[int, ...]

    @property
    def used(self) -> tuple[int, ...]:
        """All its cards, the recipe first."""
        return self.ingredients if self.recipe is None else (self.recipe, *self.ingredients)


def _bad(code: str, text: str, pointer: str) -> Refusal:
    return Refusal(code, text, "chef 6", pointer)


def _index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _plate(dish: object, courses: Sequence[int], after: int, at: str) -> Plate | Refusal:
    """One dish by its form alone; `after` is the course before it."""
    if not isinstance(dish, dict) or dish.keys() != {"course", "recipe", "ingredients"}:
        return _bad("malformed", "A dish is {course, recipe, ingredients}.", at)
    course, recipe, ingredients = dish["course"], dish["recipe"], dish["ingredients"]
    if not _index(course) or course not in courses:
        named = ", ".join(map(str, courses))
        return _bad("unknown_course", f"The courses of this round are: {named}.", f"{at}/course")
    if course <= after:
        return _bad("course_order", "Each course is named once at most, ascending.", f"{at}/course")
    if recipe is not None and not _index(recipe):
        return _bad("malformed", "A recipe is a position or null.", f"{at}/recipe")
    if not isinstance(ingredients, list | tuple):
        return _bad("malformed", "Ingredients are an array of positions.", f"{at}/ingredients")
    before = -1
    for i, index in enumerate(ingredients):
        if not _index(index):
            return _bad("malformed", "An ingredient is a position.", f"{at}/ingredients/{i}")
        if index <= before:
            return _bad("ingredient_order", "Ingredients are ascending, each once.", f"{at}/ingredients/{i}")
        before = index
    return Plate(course, recipe, tuple(ingredients))


def plates(choice: object, hand: Sequence[int], courses: Sequence[Course]) -> tuple[Plate, ...] | Refusal:
    """The plates of a choice, or why its form is refused: protocol section 9, strictly."""
    if not isinstance(choice, dict) or choice.keys() != {"dishes"}:
        return _bad("malformed", "A meal is {dishes}.", "")
    dishes = choice["dishes"]
    if not isinstance(dishes, list | tuple):
        return _bad("malformed", "Dishes are an array.", "/dishes")
    numbers = [course.number for course in courses]
    held, used = set(hand), set[int]()
    found: list[Plate] = []
    for i, dish in enumerate(dishes):
        plate = _plate(dish, numbers, found[-1].course if found else 0, f"/dishes/{i}")
        if isinstance(plate, Refusal):
            return plate
        places = [(j, f"/dishes/{i}/ingredients/{k}") for k, j in enumerate(plate.ingredients)]
        if plate.recipe is not None:
            places.insert(0, (plate.recipe, f"/dishes/{i}/recipe"))
        for index, pointer in places:
            if index not in held:
                return _bad("not_in_hand", f"Card {index} is not in the hand.", pointer)
            if index in used:
                return _bad("card_twice", f"Card {index} is used twice.", pointer)
            used.add(index)
        found.append(plate)
    return tuple(found)


def wrong_types(served: Sequence[Plate], faces: Mapping[Position, Card], seat: Seat) -> Refusal | None:
    """The refusal of a known card that is served as a recipe or an ingredient and is not one."""
    for i, plate in enumerate(served):
        if plate.recipe is not None:
            card = faces.get(own(seat, plate.recipe))
            if card is not None and not card.is_recipe:
                return _bad("not_a_recipe", f"{card.name} is no recipe.", f"/dishes/{i}/recipe")
        for k, index in enumerate(plate.ingredients):
            card = faces.get(own(seat, index))
            if card is not None and card.is_recipe:
                return _bad("not_an_ingredient", f"{card.name} is a recipe.", f"/dishes/{i}/ingredients/{k}")
    return None


def unmet(served: Sequence[Plate], faces: Mapping[Position, Card], seat: Seat) -> Refusal | None:
    """The refusal of a course whose costs are not met exactly; courses with unknown faces are passed over."""
    for i, plate in enumerate(served):
        if any(own(seat, index) not in faces for index in plate.used):
            continue
        recipe = None if plate.recipe is None else faces[own(seat, plate.recipe)]
        units = balance(recipe, [faces[own(seat, index)] for index in plate.ingredients])
        if units != NONE:
            name = "Without a recipe" if recipe is None else recipe.name
            return Refusal("costs_not_met", f"{name}: {told(units)}.", "chef 4", f"/dishes/{i}")
    return None


def choice_of(served: Sequence[Plate]) -> Move:
    """The choice that serves these plates."""
    return {
        "dishes": [
            {"course": plate.course, "recipe": plate.recipe, "ingredients": [*plate.ingredients]}
            for plate in sorted(served, key=lambda plate: plate.course)
        ]
    }


class Meal(Legal):
    """The legal meals of a hand. Iterates those without empty dishes; there may be very many."""

    __slots__ = ("_courses", "_faces", "_hand", "_seat")

    def __init__(
        self, seat: Seat, hand: Sequence[int], courses: Sequence[Course], faces: Mapping[Position, Card]
    ) -> None:
        self._seat = seat
        self._hand = hand
        self._courses = courses
        self._faces = faces

    def _stock(self) -> tuple[list[tuple[int, Card]], list[tuple[int, Card]]]:
        """Recipes and ingredients of the hand whose faces are known."""
        known = [(index, self._faces[own(self._seat, index)]) for index in self._hand if self._knows(index)]
        return [pair for pair in known if pair[1].is_recipe], [
            pair for pair in known if not pair[1].is_recipe
        ]

    def _knows(self, index: int) -> bool:
        return own(self._seat, index) in self._faces

    def __iter__(self) -> Iterator[Move]:
        recipes, stock = self._stock()
        return (choice_of(menu) for menu in _menus(self._courses, recipes, stock))

    def refusal(self, move: object) -> Refusal | None:
        served = plates(move, self._hand, self._courses)
        if isinstance(served, Refusal):
            return served
        return wrong_types(served, self._faces, self._seat) or unmet(served, self._faces, self._seat)

    def sample(self, rng: Random) -> Move:
        """A random meal: at most courses a random recipe that the hand can serve, now and then nothing."""
        recipes, stock = self._stock()
        served = []
        for course in rng.sample(self._courses, len(self._courses)):
            if rng.random() < 0.15:
                continue
            rng.shuffle(recipes)
            rng.shuffle(stock)
            plate = _any_plate(course.number, recipes, stock, bare=rng.random() < 0.05)
            if plate is not None:
                served.append(plate)
                recipes = [pair for pair in recipes if pair[0] != plate.recipe]
                stock = [pair for pair in stock if pair[0] not in plate.ingredients]
        return choice_of(served)


def _any_plate(
    course: int, recipes: list[tuple[int, Card]], stock: list[tuple[int, Card]], *, bare: bool
) -> Plate | None:
    """The first of `recipes` that `stock` can serve; if `bare`, no recipe and what cancels out."""
    if bare:
        chosen = next(servings(NONE, stock, SEARCH), ())
        return Plate(course, None, chosen) if chosen else None
    for index, recipe in recipes:
        found = next(servings(recipe.costs, stock, SEARCH), None)
        if found is not None:
            return Plate(course, index, found)
    return None


def _menus(
    courses: Sequence[Course], recipes: list[tuple[int, Card]], stock: list[tuple[int, Card]]
) -> Iterator[tuple[Plate, ...]]:
    """All meals of the courses: the first course empty, then every dish for it."""
    if not courses:
        yield ()
        return
    number, rest = courses[0].number, courses[1:]
    yield from _menus(rest, recipes, stock)
    options: list[tuple[int | None, Card | None]] = [*recipes, (None, None)]
    for index, recipe in options:
        others = [pair for pair in recipes if pair[0] != index]
        for chosen in servings(NONE if recipe is None else recipe.costs, stock):
            if recipe is None and not chosen:
                continue
            left = [pair for pair in stock if pair[0] not in chosen]
            for menu in _menus(rest, others, left):
                yield (Plate(number, index, chosen), *menu)
