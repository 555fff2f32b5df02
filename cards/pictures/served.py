"""The picture of a served dish: plated by its course, with its ingredients, a garnish for each bonus, and its yum.

It is drawn from a record's account of the dish and from nothing else; 640 by 720 units. A dish apart from any record
has neither a course nor yum.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256

from cards.catalog.cards import Card
from cards.pictures import fruits
from cards.pictures.lettering import SANS, SERIF, block, fit, text
from cards.pictures.marks import ground, shadow, sparkle
from cards.pictures.menu import dish
from cards.pictures.paint import (
    OUTLINE,
    Dice,
    at,
    box,
    circle,
    ellipse,
    inked,
    line,
    mix,
    n,
    path,
    ring,
    safe,
)
from cards.pictures.vocabulary import motif

WIDTH, HEIGHT = 640, 720
_RIM = tuple(
    (side * x, y)
    for x, y in ((204, 2), (170, 18), (132, 28), (92, 34), (52, 38), (16, 40))
    for side in (-1, 1)
)
"""The places of garnish, from the middle of the plate; there is no more garnish than places."""
_TABLE = 330
"""The y coordinate at which the wall ends and the table begins."""


@dataclass(frozen=True, slots=True)
class CourseLook:
    """The look of a course: its name, and the colours of wall, table and crockery."""

    name: str
    wall: str
    table: str
    crockery: str


COURSES = (
    CourseLook("Appetizer", "#7fa37a", "#8a6a48", "#3f4a52"),
    CourseLook("Entree", "#b5623c", "#6b3f2a", "#fbf8f1"),
    CourseLook("Dessert", "#c97f9c", "#f0d9c4", "#fdf6fa"),
)
"""The courses by number, from 1. Any other course looks like the second."""
NO_COURSE = replace(COURSES[1], name="")
"""The look of a dish that is served as no course."""


@dataclass(frozen=True, slots=True)
class ServedDish:
    """A dish as a record describes it, or apart from any record."""

    recipe: Card
    ingredients: tuple[Card, ...]
    course: int | None
    """The number of the course, from 1; None apart from a record."""
    yum: int | None
    """What it was worth; None apart from a record."""
    reasons: tuple[str, ...]
    """The reasons for its yum, line by line."""
    liked: frozenset[str]
    """The slugs of the ingredients that a reason names."""
    bonus: int
    """The yum that comes from bonuses."""
    by: str = ""
    """The name of the player who served it."""
    said: str = ""
    """The round in which it was served: "round 3"."""


def course_of(number: int | None) -> CourseLook:
    """The look of a course, or of none."""
    if number is None:
        return NO_COURSE
    return COURSES[number - 1] if 1 <= number <= len(COURSES) else COURSES[1]


def picture(served: ServedDish) -> str:
    """Draw a dish as SVG."""
    course = course_of(served.course)
    facts = [
        served.recipe.slug,
        *(card.slug for card in served.ingredients),
        str(served.course or ""),
        served.said,
        served.by,
    ]
    ident = "d" + sha256("/".join(facts).encode()).hexdigest()[:10]
    dice = Dice(ident)
    names = ", ".join(card.name for card in served.ingredients)
    worth = "" if served.yum is None else f", {served.yum} yum"
    why = "" if served.yum is None else f" {served.yum} yum. {'. '.join(served.reasons)}."
    told = f"{course.name and course.name + ': '}{served.recipe.name} with {names}.{why}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-labelledby="{ident}-t {ident}-d" font-family="{SERIF}">'
        f'<title id="{ident}-t">{safe(served.recipe.name + worth)}</title><desc id="{ident}-d">{safe(told)}</desc>'
        f'<defs><clipPath id="{ident}-clip"><rect x="8" y="8" width="624" height="704" rx="24"/></clipPath></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="30" fill="#3a2317"/><g clip-path="url(#{ident}-clip)">'
        f"{_room(ident, course, dice)}{_plated(served, course, dice)}</g>"
        f"{_heading(served, course)}{'' if served.yum is None else _badge(served.yum)}{_list(served)}</svg>\n"
    )


def _room(ident: str, course: CourseLook, dice: Dice) -> str:
    return (
        at(ground(ident, course.wall, dice, 640, _TABLE), 0, 0)
        + box(0, _TABLE, 640, 400, 0, course.table, 0)
        + box(0, _TABLE, 640, 9, 0, mix(course.table, "#fff6df", 0.35), 0)
        + "".join(line(f"M0 {y}H640", mix(course.table, "#2a1020", 0.15), 2) for y in (372, 420, 480))
    )


def _under(course: CourseLook) -> str:
    """The support of the dish: a slate, a charger with cutlery, or a stand with a doily."""
    if course is COURSES[0]:
        return inked(
            path("M92 392L548 392L586 446L54 446Z", course.crockery)
            + path("M54 446L586 446L582 462L58 462Z", "#2b343b")
            + line("M120 404L300 404M330 410L500 410", "#5a6770", 3)
        )
    if course is COURSES[2]:
        lace = "".join(circle(320 + x, 402 + y, 17, "#fff", 2.5) for x, y in ring(30, 208, 0, 0.2))
        return inked(
            path("M284 420L356 420L370 484L270 484Z", course.crockery)
            + ellipse(320, 486, 92, 17, course.crockery)
            + ellipse(320, 412, 246, 46, course.crockery)
            + lace
            + ellipse(320, 402, 206, 38, "#fff", 2.5)
        )
    fork = "".join(line(f"M{x} 340v44", "#dfe7ea", 5) for x in (58, 70, 82)) + line(
        "M58 384q12 16 24 0M70 390v84", "#dfe7ea", 7
    )
    knife = path("M566 476L566 344C586 356 590 396 584 424L578 424L578 476Z", "#dfe7ea")
    return inked(
        ellipse(320, 412, 246, 56, course.crockery)
        + ellipse(320, 408, 226, 47, "#d9a441", 0)
        + ellipse(320, 407, 220, 44, course.crockery, 0)
    ) + inked(fork + knife, 3)


def _plated(served: ServedDish, course: CourseLook, dice: Dice) -> str:
    listed = [card.name for card in served.ingredients]
    form = inked(dish(served.recipe.name, listed or served.recipe.list, Dice(served.recipe.slug)))
    garnish = []
    for i, (x, y) in enumerate(_RIM[: served.bonus]):
        if i % 2:
            garnish.append(inked(sparkle(320 + x, 404 + y, dice.between(11, 17), "#ffe08a"), 2.5))
        else:
            leaves = "".join(
                fruits.leaf(fruits.LEAF, 0, 0, size, turn) for size, turn in ((40, -42), (40, 42), (48, 0))
            )
            garnish.append(at(inked(leaves, 3), 320 + x, 418 + y))
    return (
        shadow(320, 462, 250, 22)
        + _under(course)
        + shadow(320, 408, 170, 24)
        + at(form, 320, 272, 1.62)
        + "".join(garnish)
    )


def _heading(served: ServedDish, course: CourseLook) -> str:
    where = " · ".join(part for part in (course.name, served.said, served.by) if part)
    name = fit(served.recipe.name, 430, 56, (38, 34, 30, 27, 24, 21, 18, 15), 2, bold=True)
    small = fit(where, 430 / 1.1, 20, (15, 14, 13, 12, 11, 10, 9, 8, 7), 1)
    first = 46 + name.size * 0.36 - (len(name.lines) - 1) * name.leading / 2
    return (
        f'<rect x="22" y="22" width="470" height="86" rx="16" fill="#fbf3e0" stroke="{OUTLINE}" stroke-width="3"/>'
        + block(42, first + 6, name, "#2f1d14", more=' font-weight="bold"')
        + block(42, 96, small, "#6b5344", more=f' font-family="{SANS}" letter-spacing="0.4"')
    )


def _badge(yum: int) -> str:
    """A sun with the yum written on it."""
    spikes = "".join(
        f"{'M' if i == 0 else 'L'}{n(x)} {n(y)}"
        for i, (x, y) in enumerate(
            point for pair in zip(ring(18, 66), ring(18, 54, 10), strict=True) for point in pair
        )
    )
    sun = path(f"{spikes}Z", "#f2b632") + circle(0, 0, 45, "#fff6d8", 3)
    size = 48 if yum < 100 else 34
    return at(
        inked(sun)
        + text(0, size * 0.3 - 3, size, str(yum), "#8a2f1f", anchor="middle", more=' font-weight="bold"')
        + text(0, 32, 15, "yum", "#6b5344", anchor="middle"),
        562,
        84,
    )


def _list(served: ServedDish) -> str:
    """The ingredients as small pictures, and the reasons for the yum."""
    parts = [
        f'<rect x="22" y="506" width="596" height="192" rx="16" fill="#fbf3e0" stroke="{OUTLINE}" stroke-width="3"/>'
    ]
    count = max(1, len(served.ingredients))
    step = min(96.0, 572 / count)
    left = 320 - step * count / 2
    for i, card in enumerate(served.ingredients):
        x = left + step * (i + 0.5)
        scale = min(0.3, step / 230)
        parts.append(at(inked(motif(card.name, card.kinds).drawn(Dice(card.slug)), 5), x, 546, scale))
        name = fit(card.name, step - 4, 26, (13, 12, 11, 10, 9, 8, 7, 6), 2)
        parts.append(block(x, 594, name, "#2f1d14", anchor="middle"))
        if card.slug in served.liked:
            parts.append(sparkle(x + 26 * scale / 0.3, 522, 9, "#e0902a"))
    if not served.reasons:
        return "".join(parts)
    reasons = fit("  ·  ".join(served.reasons), 560, 62, (16, 15, 14, 13, 12, 11, 10, 9, 8), 4)
    parts.append('<path d="M60 622h520" stroke="#e3d2ad" stroke-width="1.5"/>')
    parts.append(block(320, 624 + reasons.leading, reasons, "#6b5344", anchor="middle"))
    return "".join(parts)
