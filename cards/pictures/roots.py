"""Shapes of vegetables that grow in the ground, and of mushrooms."""

from __future__ import annotations

from cards.pictures.fruits import LEAF, leaf
from cards.pictures.paint import (
    Dice,
    Ink,
    at,
    circle,
    ellipse,
    gleam,
    line,
    loop,
    path,
    ring,
    scattered,
    shade,
)


def root(ink: Ink, dice: Dice) -> str:
    """A long root with leaves: a carrot."""
    top = "".join(
        leaf(LEAF, 44, -44, size, turn) for size, turn in ((62, -14), (62, 92), (74, 12), (74, 66), (78, 40))
    )
    rings = "".join(
        line(d, ink.dark, 5) for d in ("M12-22l22 18", "M-6 16l-20-14", "M-14 22l14 12", "M-40 46l-12-10")
    )
    return (
        top
        + path(
            "M54-56C74-40 62-6 40 20C8 58-50 88-84 92C-92 92-94 86-90 78C-78 42-34-16 8-44C26-56 44-64 54-56Z",
            ink.base,
        )
        + shade("M54-56C74-40 62-6 40 20C8 58-50 88-84 92C-30 60 40 4 54-56Z")
        + rings
        + gleam(2, -26, 6, 20, 46)
    )


def bulb(ink: Ink, dice: Dice) -> str:
    """A round root with leaves: a beet."""
    top = "".join(
        leaf(Ink("#5f9e46", ink.base), 0, -40, size, turn)
        + at(line("M0-4L0-60", ink.base, 7), 0, -40, size / 90, turn)
        for size, turn in ((58, -38), (58, 38), (66, 0))
    )
    return (
        top
        + path(
            "M0-44C52-54 82-18 74 22C66 56 32 66 14 78C6 84 4 92-4 98C-6 90-6 84-14 78C-36 66-66 56-74 22C-82-18-52-54 0-44Z",
            ink.base,
        )
        + "".join(line(d, ink.light, 3.5) for d in ("M-50 4C-30 14 30 14 50 4", "M-44 26C-20 36 20 36 44 26"))
        + gleam(-40, -12, 11, 19, 30)
    )


def tuber(ink: Ink, dice: Dice) -> str:
    """A potato, and another one behind it."""
    eyes = "".join(line(f"M{x - 6:.0f} {y:.0f}q6 5 12 0", ink.deep, 4) for x, y in scattered(dice, 6, 50, 34))
    one = path("M-80 6C-84-40-44-64-4-56C40-64 86-34 82 12C80 52 44 64 4 58C-38 70-78 50-80 6Z", ink.base)
    back = Ink(ink.dark, ink.second)
    return at(
        path("M-80 6C-84-40-44-64-4-56C40-64 86-34 82 12C80 52 44 64 4 58C-38 70-78 50-80 6Z", back.base),
        26,
        -34,
        0.68,
        -24,
    ) + at(
        one
        + shade("M82 12C80 52 44 64 4 58C-22 66-52 60-68 40C-10 52 60 34 72-26C80-14 83-2 82 12Z")
        + eyes
        + gleam(-44, -20, 18, 10, -24),
        -6,
        20,
        1,
        6,
    )


def yam(ink: Ink, dice: Dice) -> str:
    """A pointed tuber, one end cut off."""
    return at(
        path(
            "M-96 6C-70-34-20-50 24-46C52-44 70-34 78-22C90-2 88 22 74 36C50 56 0 56-40 38C-66 28-80 14-96 6Z",
            ink.base,
        )
        + shade("M-96 6C-66 20 20 40 84 8C84 22 82 28 74 36C50 56 0 56-40 38C-66 28-80 14-96 6Z")
        + ellipse(72, 4, 20, 34, ink.second)
        + ellipse(72, 4, 11, 22, "#ffd08a", 0)
        + "".join(
            line(d, ink.deep, 3.5) for d in ("M-50-6l16 4", "M-10-24l18 2", "M-6 14l20 3", "M-62 12l10 4")
        )
        + gleam(0, -30, 24, 6, -6),
        turn=-22,
    )


def onion(ink: Ink, dice: Dice) -> str:
    """An onion."""
    return (
        path(
            "M-8-92C-4-70-8-58-30-44C-66-26-86 0-82 30C-78 66-40 82-4 82C-10 88-8 96-4 98M4 98C8 92 8 86 4 82C44 82 78 64 82 30C86 0 66-26 30-44C8-58 6-72 14-92C8-96-2-96-8-92Z",
            ink.base,
        )
        + path(
            "M-8-92C-4-70-8-58-30-44C-66-26-86 0-82 30C-78 66-40 82 0 82C44 82 78 64 82 30C86 0 66-26 30-44C8-58 6-72 14-92C8-96-2-96-8-92Z",
            ink.base,
        )
        + line("M-2-56C-44-24-52 40-14 78", ink.dark, 4)
        + line("M2-56C44-24 52 40 14 78", ink.dark, 4)
        + line("M0-52L0 78", ink.dark, 4)
        + gleam(-58, 12, 8, 24, 10)
    )


def garlic(ink: Ink, dice: Dice) -> str:
    """A bulb of garlic and a clove."""
    clove = path("M0-40C22-20 30 6 22 28C16 42-14 42-22 26C-30 4-12-24 0-40Z", ink.second)
    return (
        path(
            "M-16-92C-14-66-20-50-42-34C-80-8-84 48-46 70C-30 80-10 78-10 78C0 84 10 78 10 78C36 82 62 64 64 28C64-4 40-24 22-38C4-52 2-70 4-94C-2-98-12-98-16-92Z",
            ink.base,
        )
        + line("M-14-50C-34-14-36 40-20 74", ink.dark, 4)
        + line("M-4-50C14-10 22 34 10 76", ink.dark, 4)
        + gleam(-54, 16, 7, 22, 14, 0.7)
        + at(clove + line("M6-20C14 0 14 18 8 30", ink.dark, 3.5), 60, 56, 1, 26)
    )


def mushroom(ink: Ink, dice: Dice) -> str:
    """A mushroom and a small one."""

    def one(x: float, y: float, scale: float, turn: float) -> str:
        form = (
            path("M-28 0C-22 34-30 60-34 78C-34 92 34 92 34 78C30 60 22 34 28 0Z", ink.second)
            + path("M-84 6C-90-52-44-84 0-84C44-84 90-52 84 6C60 26-60 26-84 6Z", ink.base)
            + shade("M-84 6C-60 26 60 26 84 6C85-4 84-14 82-22C60 2-60 2-82-22C-84-14-85-4-84 6Z")
            + circle(-38, -38, 11, ink.pale, 0)
            + circle(12, -56, 9, ink.pale, 0)
            + circle(46, -26, 8, ink.pale, 0)
        )
        return at(form, x, y, scale, turn)

    return one(42, 18, 0.56, 14) + one(-20, -2, 0.92, -6)


def truffle(ink: Ink, dice: Dice) -> str:
    """A truffle, cut, with slices."""
    lumps = [(x * dice.between(0.92, 1.12), y * dice.between(0.9, 1.08)) for x, y in ring(13, 84)]
    veins = "".join(
        line(d, ink.light, 3.5)
        for d in (
            "M-38-4C-20-16-14 8 2-4S30-18 38-4",
            "M-34 16C-16 8-6 26 12 16S30 10 36 18",
            "M-20-26C-6-34 2-20 18-28",
            "M-18 34C-4 28 6 38 18 32",
        )
    )
    return (
        path(loop(lumps), ink.base)
        + "".join(circle(x - 20, y - 34, 4.5, ink.dark, 0) for x, y in scattered(dice, 16, 54, 36))
        + at(ellipse(0, 0, 56, 46, ink.dark) + ellipse(0, 0, 49, 39, ink.second, 0) + veins, 26, 34)
    )


def ginger(ink: Ink, dice: Dice) -> str:
    """A knobbly root, cut."""
    return (
        path(
            "M-90 22C-92-6-64-22-44-14C-40-44-50-60-34-74C-16-88 6-74 4-52C4-38-4-26 2-18C20-22 24-30 36-52C48-72 82-64 80-40C78-22 58-12 54 2C74 0 94 14 90 38C86 62 58 60 44 50C30 44 18 46 6 54C2 74-22 88-40 74C-54 64-48 48-52 42C-70 52-88 42-90 22Z",
            ink.base,
        )
        + ellipse(-32, -58, 15, 18, ink.second, 3.5)
        + ellipse(-24, 66, 18, 13, ink.second, 3.5)
        + "".join(
            line(d, ink.dark, 4)
            for d in (
                "M-62-2q6 16 0 30",
                "M-24-20q16 6 26 0",
                "M30-30q12 8 24 6",
                "M40 8q8 16 2 32",
                "M-34 30q16 8 34 4",
            )
        )
        + gleam(62, -44, 7, 12, 20)
    )
