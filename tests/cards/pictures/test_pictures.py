"""Pictures of cards and dishes: their bytes never change, and they are valid, framed and all different."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cards.catalog.card_sets import load
from cards.catalog.cards import Printing
from cards.games.chef.dish import taste
from cards.games.chef.rules import Chef
from cards.pictures import card, picture, served
from cards.pictures.lettering import fit, width, wrapped
from cards.pictures.menu import form_of
from cards.pictures.sheet import sheet
from cards.pictures.vocabulary import known, motif
from tests.paths import DOCS

CATALOG = load()
SVG = "{http://www.w3.org/2000/svg}"
EVERY = [pytest.param(p, id=p.card.slug) for p in CATALOG.printings.values()]
DRAWN = {
    "svg",
    "title",
    "desc",
    "defs",
    "g",
    "path",
    "rect",
    "circle",
    "ellipse",
    "text",
    "clipPath",
    "stop",
} | {
    "linearGradient",
    "radialGradient",
}
"""All elements that a picture may have: no script, no style, no link, no picture from elsewhere."""
# SHA-256 of the picture of each card.
DIGESTS = {
    "tuna": "cacab7a45710a0bb28546211fea6a3a527205281c78317f07d47c3ac010d04cb",
    "tuna-sandwich": "753d15901b4c26513d5b657957996785cbf01ffe052be9707dd4303f4173097c",
    "truffle": "f5f3ab0de9effe14bcb1b2f4a7a5e119d34e24e20c7d17c5e41b11d5dfc320ac",
    "spaghetti-with-garlic-and-oil": "d5a333d0fefbda83541e77b977a762e3fc937e2fed3fc7231e933b7058f3dc5c",
    "paella": "b76a656564a6f16645d5696c66687ec16415c65978db6e2554cb595e9ea88d82",
}


def drawn(slug: str) -> str:
    return picture(CATALOG.printings[CATALOG.by_slug(slug).number], "Pancake Base")


def digest(svg: str) -> str:
    return sha256(svg.encode()).hexdigest()


def dish(recipe: str, *ingredients: str, course: int = 1) -> served.ServedDish:
    found = taste(CATALOG.by_slug(recipe), [CATALOG.by_slug(slug) for slug in ingredients])
    assert found is not None
    return served.ServedDish(
        recipe=found.recipe,
        ingredients=found.ingredients,
        course=course,
        yum=found.yum,
        reasons=tuple(item.text for item in found.items),
        liked=frozenset(item.card for item in found.items if item.card),
        bonus=sum(item.points for item in found.items if item.kind == "bonus"),
        by="Ada & <Bob>",
        said="Round 3",
    )


def checked(svg: str) -> ElementTree.Element:
    """The tree of a picture, checked to be valid, made of known elements, and without outside references."""
    tree = ElementTree.fromstring(svg)
    ids = [node.get("id") for node in tree.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    for node in tree.iter():
        assert node.tag.removeprefix(SVG) in DRAWN
        for name, value in node.attrib.items():
            assert not name.lower().startswith("on")
            assert "href" not in name
            for ident in re.findall(r"url\((.*?)\)", value):
                assert ident.removeprefix("#") in ids
    assert tree.get("role") == "img"
    told = (tree.get("aria-labelledby") or "").split()
    texts = {node.get("id"): node.text for node in tree if node.tag in (f"{SVG}title", f"{SVG}desc")}
    assert [*texts] == told
    assert all(texts.values())
    return tree


def inside(tree: ElementTree.Element) -> None:
    """No text is outside the picture's frame, even in a wide font."""
    _, _, wide, tall = (float(number) for number in (tree.get("viewBox") or "").split())
    for node in tree.iter(f"{SVG}text"):
        if node.get("text-anchor") is None and float(node.get("x") or 0) == 0:
            continue
        size, x, y = (float(node.get(name) or "nan") for name in ("font-size", "x", "y"))
        if abs(x) < 1:  # in a group of its own
            continue
        room = width(node.text or "", size) * (1 if node.get("font-weight") else 0.88)
        left = {"start": x, "middle": x - room / 2, "end": x - room}[node.get("text-anchor") or "start"]
        assert left >= 8
        assert left + room <= wide - 8
        assert size * 0.8 <= y <= tall - 8


@pytest.mark.parametrize("printing", EVERY)
def test_every_card_is_drawn_within_its_frame(printing: Printing) -> None:
    svg = picture(printing, "Pancake Base")
    tree = checked(svg)
    inside(tree)
    assert svg == picture(printing, "Pancake Base")
    said = " ".join(node.text or "" for node in tree.iter(f"{SVG}text"))
    for word in (*printing.card.name.split(), *" ".join(printing.card.list).split(), printing.set_code):
        assert word in said
    assert len(svg.encode()) < 60_000


def test_no_two_cards_look_alike() -> None:
    shown = {re.sub(r"c\d+-", "", card.illustration(p.card)) for p in CATALOG.printings.values()}
    assert len(shown) == len(CATALOG.printings)


def test_every_ingredient_of_the_set_has_a_shape_of_its_own() -> None:
    unknown = [c.name for c in CATALOG.cards.values() if not c.is_recipe and known(c.name) is None]
    assert unknown == []


def test_most_recipes_have_a_form_by_their_name() -> None:
    recipes = [c for c in CATALOG.cards.values() if c.is_recipe]
    plain = [c.name for c in recipes if form_of(c.name).__name__ == "platter"]
    assert len(plain) < len(recipes) / 8


@pytest.mark.parametrize("slug", DIGESTS)
def test_the_bytes_of_a_picture_stay_as_they_are(slug: str) -> None:
    assert digest(drawn(slug)) == DIGESTS[slug]


SHOWN = "tomato egg lemon salmon garlic bread pumpkin avocado pesto lobster truffle caviar tuna-sandwich "
SHOWN += "tomato-soup pancakes fruit-salad sushi-roll cheeseburger opera-cake paella"
DISHES = (
    dish("tuna-sandwich", "bread", "tuna", "mayo", course=1),
    dish("paella", "rice", "rice", "tomato", "olive-oil", "shrimp", "shrimp", "saffron", "salt", course=2),
    dish("apple-pie", "flour", "apple", "sugar", course=3),
)


@pytest.mark.parametrize("name", ["cards.svg", "dishes.svg"])
def test_the_pictures_of_the_pages_are_those_that_are_drawn_now(name: str) -> None:
    if name == "cards.svg":
        now = sheet([drawn(slug) for slug in SHOWN.split()], 5, "Twenty cards of the base set")
    else:
        now = sheet([served.picture(each) for each in DISHES], 3, "Three dishes as they were served")
    checked_in = DOCS / "pictures" / name
    if os.environ.get("CLOCHE_REDRAW"):
        checked_in.write_text(now, encoding="utf-8")
    assert checked_in.read_text(encoding="utf-8") == now, "draw them again: CLOCHE_REDRAW=1 pytest ..."
    assert len(now.encode()) < 300_000


def test_another_process_draws_the_same() -> None:
    code = (
        "from hashlib import sha256\n"
        "from cards.catalog.card_sets import load\n"
        "from cards.pictures import picture\n"
        "every = [*load().printings.values()][::9]\n"
        "print(sha256(''.join(picture(p, 'x') for p in every).encode()).hexdigest())"
    )
    other = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "77"}
    )
    here = digest("".join(picture(p, "x") for p in [*CATALOG.printings.values()][::9]))
    assert other.stdout.strip() == here


NAMES = (
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Z")), min_size=1, max_size=20),
        min_size=1,
        max_size=6,
    )
    .map(lambda words: " ".join(words)[:60].strip())
    .filter(bool)
)


@settings(max_examples=12, deadline=None)
@given(
    NAMES,
    st.lists(NAMES, min_size=1, max_size=12, unique=True),
    NAMES,
    st.sampled_from(["common", "rare", "legendary", "mythic"]),
)
def test_whatever_a_set_says_it_is_escaped_and_fits(
    name: str, listed: list[str], said: str, rarity: str
) -> None:
    base = CATALOG.printings[CATALOG.by_slug("paella").number]
    changed = replace(base.card, name=name, list=tuple(listed))
    printing = replace(base, card=changed, flavour=said, rarity=rarity)
    inside(checked(picture(printing, "<&>")))
    ingredient = replace(CATALOG.by_slug("tuna"), name=name, kinds=tuple(listed))
    inside(checked(picture(replace(base, card=ingredient, flavour=said * 3), "x")))


@settings(max_examples=50)
@given(st.text(max_size=200), st.floats(20, 400), st.floats(6, 40))
def test_no_line_is_wider_than_its_room(text: str, room: float, size: float) -> None:
    lines = wrapped(text, room, size)
    assert "".join(lines).replace(" ", "") == "".join(text.split())
    for line in lines:
        assert width(line, size) <= room or len(line) == 1


@settings(max_examples=50, deadline=None)
@given(st.text(min_size=1, max_size=200), st.floats(60, 400), st.floats(20, 90))
def test_a_text_is_made_smaller_until_it_fits(text: str, room: float, tall: float) -> None:
    found = fit(text, room, tall, (20, 16), 3)
    assert len(found.lines) <= 3
    assert found.height <= tall


def test_an_unknown_name_is_drawn_by_its_kind_and_not_like_the_kind_itself() -> None:
    assert motif("Herring", ("Fish",)).shape is motif("Fish").shape
    assert motif("Herring", ("Fish",)).ink != motif("Fish").ink
    assert motif("Qwxz", (), "protein").shape is motif("Protein").shape


@pytest.mark.parametrize("course", [1, 2, 3, 9])
def test_a_dish_is_plated_by_its_course(course: int) -> None:
    svg = served.picture(dish("tuna-sandwich", "bread", "tuna", "mayo", course=course))
    inside(checked(svg))
    assert "Ada &amp; &lt;Bob&gt;" in svg
    assert ">7</text>" in svg
    looks = {
        served.picture(dish("tuna-sandwich", "bread", "tuna", "mayo", course=each)) for each in (1, 2, 3)
    }
    assert len(looks) == 3


def test_bonuses_are_garnish() -> None:
    plain = dish("miso-soup", "tofu", "miso")
    assert len({served.picture(replace(plain, bonus=bonus)) for bonus in range(6)}) == 6


def test_many_ingredients_fit() -> None:
    plain = dish("miso-soup", "tofu", "miso")
    every = tuple(c for c in CATALOG.cards.values() if not c.is_recipe)
    for count in (0, 1, 12, 39):
        many = replace(plain, ingredients=every[:count], reasons=plain.reasons * count, yum=123)
        inside(checked(served.picture(many)))


def test_the_bytes_of_a_dish_stay_as_they_are() -> None:
    # SHA-256 of the picture.
    assert (
        digest(served.picture(dish("tuna-sandwich", "bread", "tuna", "mayo")))
        == "2886f63bc145e57999d851d7a21dcb118c4530a52efd5145c76299d9a1cedb47"
    )


def test_the_dishes_of_an_account_are_drawn() -> None:
    given_ = dish("tuna-sandwich", "bread", "tuna", "mayo")
    lines = [
        {"kind": "round", "round": 3, "text": "Round 3"},
        {"kind": "missed", "seat": 0, "text": "..."},
        {
            "kind": "dish",
            "seat": 1,
            "course": 1,
            "recipe": "tuna-sandwich",
            "ingredients": ["bread", "tuna", "mayo"],
            "yum": given_.yum,
            "items": [item.line() for item in taste(given_.recipe, given_.ingredients).items],  # type: ignore[union-attr]
            "text": "...",
        },
        {
            "kind": "dish",
            "seat": 0,
            "course": 2,
            "recipe": None,
            "ingredients": [],
            "yum": None,
            "items": [],
            "text": "",
        },
    ]
    (found,) = Chef().pictures(lines, CATALOG.cards, ("Bob", "Ada & <Bob>"))
    assert found.draw() == served.picture(given_)
    assert found.title == "Round 3: Appetizer of Ada & <Bob>: Tuna Sandwich, 7 yum"
    assert Chef().pictures([], CATALOG.cards, ("a", "b")) == ()
