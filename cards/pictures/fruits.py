"""Shapes of fruits, and of a leaf."""

from __future__ import annotations

from cards.pictures.paint import (
    Dice,
    Ink,
    at,
    circle,
    ellipse,
    gleam,
    line,
    path,
    scattered,
    shade,
)

LEAF = Ink("#5f9e46", "#3d6f35")


def leaf(ink: Ink, x: float, y: float, size: float, turn: float) -> str:
    """One leaf, its stem at (x, y), `size` long, pointing up before it is turned."""
    form = path("M0 0C-34-18-36-66 0-100C36-66 34-18 0 0Z", ink.base, 5)
    return at(form + line("M0-4L0-82", ink.dark, 5), x, y, size / 100, turn)


def tomato(ink: Ink, dice: Dice) -> str:
    """A round fruit with a calyx."""
    star = "".join(leaf(Ink(ink.second, ink.second), 0, -50, 46, turn) for turn in (-100, -55, 0, 55, 100))
    return (
        path("M0-56C52-76 92-38 88 10C84 62 46 84 0 84C-46 84-84 62-88 10C-92-38-52-76 0-56Z", ink.base)
        + shade("M88 10C84 62 46 84 0 84C-30 84-56 76-72 56C-20 78 62 56 76-30C86-18 89-4 88 10Z")
        + gleam(-48, -14, 13, 24, 24)
        + star
    )


def apple(ink: Ink, dice: Dice) -> str:
    """An apple with a stalk and a leaf."""
    return (
        line("M2-52C0-72 6-86 16-96", "#6b4326", 9)
        + leaf(Ink(ink.second, ink.second), 8, -66, 54, 68)
        + path(
            "M0-50C26-72 84-62 84 0C84 52 50 92 24 88C10 86-10 86-24 88C-50 92-84 52-84 0C-84-62-26-72 0-50Z",
            ink.base,
        )
        + shade(
            "M84 0C84 52 50 92 24 88C10 86-10 86-24 88C-36 90-50 82-62 66C10 80 64 40 66-46C78-34 84-18 84 0Z"
        )
        + gleam(-46, -12, 13, 27, 18)
        + line("M-18-46C-8-38 8-38 18-46", ink.deep, 5)
    )


def citrus(ink: Ink, dice: Dice) -> str:
    """A citrus fruit behind one cut open; `second` decides how long it is."""
    whole = path(
        "M-84-8C-78-62-34-78 4-70C30-74 44-82 56-70C62-62 54-50 62-34C76 10 40 58-14 56C-58 54-88 30-84-8Z",
        ink.base,
    )
    cut = circle(0, 0, 56, ink.base) + circle(0, 0, 47, "#fff6d8", 0)
    wedge = "M0-5C-17-14-20-40-8-42C-3-43 3-43 8-42C20-40 17-14 0-5Z"
    cut += "".join(at(path(wedge, ink.light, 0), turn=turn) for turn in range(0, 360, 45))
    return (
        whole
        + gleam(-42, -32, 18, 10, -30)
        + "".join(circle(x - 22, y - 14, 2.5, ink.dark, 0) for x, y in scattered(dice, 9, 50, 40))
        + at(cut, 36, 36)
    )


def lemon(ink: Ink, dice: Dice) -> str:
    """A pointed citrus fruit and a cut one."""
    whole = path(
        "M-94-2C-88-14-78-22-70-34C-44-72 22-74 48-38C56-26 70-24 74-12C76-2 62 8 54 20C26 62-40 60-66 22C-74 12-90 8-94-2Z",
        ink.base,
    )
    cut = circle(0, 0, 50, ink.base) + circle(0, 0, 42, "#fffbe6", 0)
    wedge = "M0-5C-15-13-18-36-7-38C-3-39 3-39 7-38C18-36 15-13 0-5Z"
    cut += "".join(at(path(wedge, ink.light, 0), turn=turn) for turn in range(0, 360, 45))
    return at(whole + gleam(-34, -28, 20, 9, -18), -4, -14, 1, -14) + at(cut, 38, 40)


def banana(ink: Ink, dice: Dice) -> str:
    """Two bananas."""
    one = path(
        "M-86-40C-64 44 20 74 86 8C92 0 88-8 80-6C30 18-36 2-62-52C-66-60-62-72-66-82C-72-90-84-86-84-76C-80-64-90-52-86-40Z",
        ink.base,
    )
    ridge = line("M-74-50C-46 18 20 40 80 4", ink.dark, 4)
    tip = path("M76-6C80-8 90 0 86 8C82 13 74 16 70 12Z", "#5a3d1e", 0)
    return at(one + ridge, -2, -2, 0.96, 16) + at(one + ridge + tip + gleam(-58, -4, 7, 20, -28), 0, 10)


def mango(ink: Ink, dice: Dice) -> str:
    """A mango, red on one cheek."""
    return (
        line("M30-62C34-76 40-84 48-90", "#6b4326", 8)
        + leaf(LEAF, 38, -72, 60, 62)
        + path("M30-64C84-52 98 0 70 46C40 90-28 96-66 62C-96 30-78-26-38-50C-12-66 8-70 30-64Z", ink.base)
        + path("M30-62C80-50 94-2 68 42C52 64 30 76 8 80C50 36 56-16 30-62Z", ink.second, 0)
        + gleam(-36, 2, 14, 30, 30)
    )


def pineapple(ink: Ink, dice: Dice) -> str:
    """A pineapple with its crown."""
    crown = "".join(
        leaf(LEAF, x, -26, size, turn)
        for x, size, turn in ((-12, 56, -58), (12, 56, 58), (-8, 66, -30), (8, 66, 30), (0, 74, 0))
    )
    body = path("M0-34C44-36 62 0 58 40C54 78 32 96 0 96C-32 96-54 78-58 40C-62 0-44-36 0-34Z", ink.base)
    net = "".join(
        line(f"M{-58 + 24 * i}-30L{-20 + 24 * i} 92", ink.dark, 4)
        + line(f"M{58 - 24 * i}-30L{20 - 24 * i} 92", ink.dark, 4)
        for i in range(4)
    )
    clip = at(net, 0, 0, 0.92)
    return crown + body + clip + gleam(-36, 10, 8, 28, 6, 0.3)


def berries(ink: Ink, dice: Dice) -> str:
    """A heap of round berries with crowns."""

    def one(x: float, y: float) -> str:
        star = at(path("M0-14L4-4L14-4L6 3L9 13L0 7L-9 13L-6 3L-14-4L-4-4Z", ink.deep, 0), x + 4, y - 8, 0.9)
        return circle(x, y, 36, ink.base) + gleam(x - 14, y - 12, 7, 10, 30, 0.35) + star

    spots = ((-44, -8), (36, -20), (-4, -46), (-62, 44), (4, 30), (64, 42))
    return leaf(LEAF, -30, -62, 52, -50) + "".join(one(x, y) for x, y in spots)


def strawberry(ink: Ink, dice: Dice) -> str:
    """A strawberry with its seeds."""
    seeds = "".join(ellipse(x, y + 8, 3.2, 5, "#ffe08a", 0) for x, y in scattered(dice, 17, 52, 52))
    hat = "".join(
        leaf(Ink(ink.second, ink.second), 0, -52, 44, turn) for turn in (-112, -68, 68, 112, -24, 24)
    )
    return (
        path("M0-54C46-72 90-44 80 6C70 54 28 92 0 94C-28 92-70 54-80 6C-90-44-46-72 0-54Z", ink.base)
        + shade("M80 6C70 54 28 92 0 94C-14 93-30 84-46 68C12 72 58 20 60-56C80-46 86-22 80 6Z")
        + seeds
        + gleam(-46, -18, 9, 17, 28)
        + hat
    )


def olives(ink: Ink, dice: Dice) -> str:
    """Olives on a twig."""

    def one(x: float, y: float, turn: float) -> str:
        fruit = ellipse(0, 0, 31, 38, ink.base) + gleam(-11, -12, 6, 11, 20) + circle(0, 30, 4, ink.deep, 0)
        return at(fruit, x, y, 1, turn)

    return (
        line("M-80-70C-30-60 30-66 84-84", "#6b4326", 7)
        + leaf(LEAF, -52, -62, 52, -70)
        + leaf(LEAF, 54, -74, 54, 60)
        + leaf(LEAF, 4, -66, 50, 12)
        + one(-46, -6, 16)
        + one(46, -14, -14)
        + one(-4, 46, 4)
        + one(68, 56, -20)
        + one(-66, 66, 22)
    )


def avocado(ink: Ink, dice: Dice) -> str:
    """Half an avocado with its stone."""
    form = "M0-90C26-90 36-56 50-26C68 8 78 30 70 54C60 84 30 94 0 94C-30 94-60 84-70 54C-78 30-68 8-50-26C-36-56-26-90 0-90Z"
    return (
        path(form, ink.second)
        + at(path(form, ink.light, 0), 0, 2, 0.86)
        + at(path(form, "#f3efb0", 0), 0, 6, 0.7)
        + circle(0, 38, 34, "#8a5a32")
        + gleam(-12, 26, 8, 11, 30)
    )


def coconut(ink: Ink, dice: Dice) -> str:
    """Half a coconut, milk in it, behind it the other."""
    hair = "".join(line(f"M{-66 + 22 * i} {28 + (i % 2) * 8}l8 20", ink.light, 3) for i in range(7))
    return (
        circle(-26, -34, 56, ink.base)
        + "".join(circle(x - 34, y - 50, 6, ink.deep, 0) for x, y in ((-9, 0), (9, 0), (0, 15)))
        + path("M-88 14C-88 66-50 94 0 94C50 94 88 66 88 14Z", ink.base)
        + hair
        + ellipse(0, 14, 88, 30, "#fffdf4")
        + ellipse(0, 17, 70, 20, ink.second, 0)
        + gleam(-24, 13, 24, 6)
    )
