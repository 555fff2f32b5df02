"""Shapes of vegetables that grow above the ground, herbs and spices."""

from __future__ import annotations

from cards.pictures.fruits import LEAF, leaf
from cards.pictures.paint import (
    Dice,
    Ink,
    at,
    box,
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


def leafy(ink: Ink, dice: Dice) -> str:
    """A head of cabbage or lettuce."""
    outer = [(x * dice.between(0.94, 1.14), y * dice.between(0.92, 1.1)) for x, y in ring(15, 92)]
    inner = [(x * dice.between(0.9, 1.12), y * dice.between(0.9, 1.1) - 4) for x, y in ring(13, 66)]
    core = [(x * dice.between(0.9, 1.1), y - 8) for x, y in ring(9, 42)]
    ribs = "".join(
        line(f"M0 88C{x} 50 {x * 1.8:.0f} 0 {x * 1.7:.0f} {y}", ink.pale, 5)
        for x, y in ((-36, -38), (-14, -64), (14, -64), (36, -38))
    )
    return (
        path(loop(outer), ink.dark)
        + path(loop(inner), ink.base, 3)
        + ribs
        + path(loop(core), ink.light, 3)
        + line("M0 34C-6 10-4-14 6-34", ink.pale, 4)
        + line("M0 34C16 18 26 0 26-18", ink.pale, 4)
        + line("M0 34C-18 22-28 4-28-14", ink.pale, 4)
    )


def bunch(ink: Ink, dice: Dice) -> str:
    """A bunch of leaves, tied."""
    leaves = "".join(
        leaf(Ink(ink.base if i % 2 else ink.dark, ink.second), x, 40, size, turn)
        for i, (x, size, turn) in enumerate(
            ((-10, 112, -62), (10, 112, 62), (-8, 128, -38), (8, 128, 38), (0, 136, -14), (0, 138, 14))
        )
    )
    stems = "".join(line(f"M{x * 0.4:.0f} 40L{x} 94", ink.light, 8) for x in (-24, -10, 4, 18))
    return stems + leaves + box(-24, 42, 48, 16, 7, ink.second)


def sprig(ink: Ink, dice: Dice) -> str:
    """A sprig of a herb with pairs of leaves."""
    pairs = ((52, 50, 70), (14, 60, 62), (-26, 58, 52))
    leaves = "".join(
        leaf(ink, 0, y, size, -turn) + leaf(Ink(ink.dark, ink.second), 0, y, size, turn)
        for y, size, turn in pairs
    )
    return at(
        line("M0 96C4 50-4 0 0-50", ink.second, 7) + leaves + leaf(ink, 0, -40, 58, 0),
        turn=dice.between(-10, 14),
    )


def curly(ink: Ink, dice: Dice) -> str:
    """A sprig of curly leaves: parsley."""

    def tuft(x: float, y: float, r: float) -> str:
        edge = [
            (u * (1.18 if i % 2 else 0.82), v * (1.18 if i % 2 else 0.82))
            for i, (u, v) in enumerate(ring(14, r))
        ]
        return at(
            path(loop(edge), ink.base)
            + line(
                f"M0 {r * 0.7:.0f}L0-{r * 0.4:.0f}M0 4L-{r * 0.4:.0f}-{r * 0.25:.0f}M0 4L{r * 0.4:.0f}-{r * 0.25:.0f}",
                ink.dark,
                4,
            ),
            x,
            y,
        )

    return (
        line("M0 96C2 60 0 20 0-20M0 60C-30 40-48 20-54 0M0 52C28 36 50 18 56-2", ink.second, 7)
        + tuft(-56, -14, 36)
        + tuft(56, -18, 36)
        + tuft(-2, -54, 42)
        + tuft(2, 6, 30)
    )


def stalks(ink: Ink, dice: Dice) -> str:
    """Long stalks, white below and green above: leek, scallion, celery."""

    def one(x: float, turn: float, colour: str) -> str:
        stalk = (
            path(
                "M-15 92C-17 40-13-10-11-34C-22-56-30-74-32-96C-14-88-4-72 0-58C4-72 14-88 32-98C30-74 22-56 11-34C13-10 17 40 15 92C8 98-8 98-15 92Z",
                colour,
            )
            + path(
                "M-15 92C-17 62-15 40-14 20C-6 30 6 30 14 20C15 40 17 62 15 92C8 98-8 98-15 92Z",
                ink.second,
                0,
            )
            + line("M-3 86C-5 40-3 0-2-30", ink.dark, 3.5)
            + "".join(line(f"M{i * 5} 93l{i * 2} 10", ink.second, 3) for i in (-2, 0, 2))
        )
        return at(stalk, x, -4, 0.98, turn)

    return (
        one(-44, -16, ink.dark)
        + one(44, 16, ink.dark)
        + one(0, 0, ink.base)
        + box(-36, 22, 72, 15, 7, "#d9b56a")
    )


def celery(ink: Ink, dice: Dice) -> str:
    """Ribbed stalks with leaves."""

    def one(x: float, turn: float, colour: str) -> str:
        top = "".join(leaf(LEAF, 0, -40, size, lean) for size, lean in ((44, -52), (44, 52), (54, 0)))
        stalk = path("M-20 92C-22 40-16-10-13-44L13-44C16-10 22 40 20 92C10 98-10 98-20 92Z", colour)
        return at(
            top
            + stalk
            + line("M-8 84C-9 40-6 0-5-36", ink.dark, 3.5)
            + line("M8 84C9 40 6 0 5-36", ink.dark, 3.5),
            x,
            0,
            1,
            turn,
        )

    return one(-42, -14, ink.dark) + one(42, 14, ink.dark) + one(0, 0, ink.base)


def gourd(ink: Ink, dice: Dice) -> str:
    """A long vegetable, cut, with slices: cucumber, zucchini."""
    body = path(
        "M-88-22C-60-30 40-34 74-26C98-18 98 22 74 30C40 38-60 34-88 26C-100 18-100-14-88-22Z", ink.base
    )
    stripes = "".join(line(f"M-84 {y}C-30 {y - 5} 30 {y - 5} 80 {y}", ink.dark, 4) for y in (-10, 4, 18))
    cut = (
        circle(0, 0, 31, ink.base)
        + circle(0, 0, 25, ink.second, 0)
        + "".join(ellipse(x, y, 2.6, 4.6, ink.pale, 0) for x, y in ring(7, 12))
    )
    return (
        at(
            body + stripes + gleam(-20, -20, 44, 5, -1) + ellipse(84, 2, 13, 25, ink.second, 3),
            0,
            -26,
            0.98,
            -20,
        )
        + at(cut, -36, 46)
        + at(cut, 26, 58)
    )


def eggplant(ink: Ink, dice: Dice) -> str:
    """An eggplant."""
    cap = path(
        "M-26-44C-38-26-34-12-28-6C-18-22-8-18-2-6C6-20 18-22 30-8C34-22 34-38 22-46C24-62 28-74 40-84C34-94 22-94 14-88C4-78-2-64-4-52Z",
        ink.second,
    )
    return at(
        path(
            "M-24-40C-40 0-70 8-70 46C-70 82-36 96 0 96C36 96 70 82 70 46C70 8 40 0 26-40C10-52-10-52-24-40Z",
            ink.base,
        )
        + shade("M70 46C70 82 36 96 0 96C-20 96-40 91-54 80C20 84 50 50 30-30C44 2 70 10 70 46Z", 0.25)
        + gleam(-44, 36, 9, 25, 16, 0.5)
        + cap,
        turn=14,
    )


def pepper(ink: Ink, dice: Dice) -> str:
    """A bell pepper."""
    return (
        line("M4-52C2-68 6-82 18-92", ink.second, 15)
        + path(
            "M0-46C30-70 84-58 84-8C84 26 66 48 60 72C54 96 26 96 10 84C4 80-4 80-10 84C-26 96-54 96-60 72C-66 48-84 26-84-8C-84-58-30-70 0-46Z",
            ink.base,
        )
        + line("M-16-40C-38-10-34 46-14 80", ink.dark, 5)
        + line("M18-40C42-8 36 46 16 80", ink.dark, 5)
        + path("M-30-52C-16-38 20-38 34-52C24-64-20-66-30-52Z", ink.second, 3)
        + gleam(-60, -10, 8, 22, 10)
        + gleam(2, -4, 6, 24, 0, 0.25)
    )


def chili(ink: Ink, dice: Dice) -> str:
    """Two hot chilies."""
    one = (
        path(
            "M-16-52C10-64 30-50 32-24C36 20 10 62-50 90C-60 94-64 86-56 80C-22 50-14 14-22-20C-26-36-24-46-16-52Z",
            ink.base,
        )
        + path("M-24-42C-18-64 6-72 24-62C34-56 36-44 32-36C20-48-8-48-24-42Z", ink.second)
        + line("M6-66C8-78 14-88 24-94", ink.second, 9)
        + gleam(14, -6, 5, 24, 6)
    )
    return at(one, 30, 2, 0.92, 4) + at(one, -22, 6, 0.92, -32)


def pumpkin(ink: Ink, dice: Dice) -> str:
    """A pumpkin with its ribs."""
    return (
        path("M-10-48C-12-66-6-84 14-94L28-82C14-74 14-62 16-48Z", ink.second)
        + ellipse(-54, 18, 42, 60, ink.dark)
        + ellipse(54, 18, 42, 60, ink.dark)
        + ellipse(-30, 18, 40, 68, ink.base)
        + ellipse(30, 18, 40, 68, ink.base)
        + ellipse(0, 20, 31, 70, ink.light)
        + gleam(-40, -10, 8, 23, 10)
    )


def florets(ink: Ink, dice: Dice) -> str:
    """A head of broccoli or cauliflower; `second` is its stem."""

    def tuft(x: float, y: float, r: float, colour: str) -> str:
        edge = [
            (x + u * (1.16 if i % 2 else 0.9), y + v * (1.16 if i % 2 else 0.9))
            for i, (u, v) in enumerate(ring(12, r))
        ]
        dots = "".join(
            circle(x + u, y + v, 3.2, ink.pale, 0) for u, v in scattered(dice, 6, r * 0.6, r * 0.6)
        )
        return path(loop(edge), colour) + dots

    return (
        path("M-24 92C-20 60-50 46-60 10L60 10C50 46 20 60 24 92C10 100-10 100-24 92Z", ink.second)
        + line("M-8 84C-8 56-24 40-30 22M8 84C8 56 24 40 30 22", Ink(ink.second, "").dark, 4)
        + tuft(-58, -2, 33, ink.dark)
        + tuft(58, -2, 33, ink.dark)
        + tuft(-34, -40, 36, ink.base)
        + tuft(34, -40, 36, ink.base)
        + tuft(0, -58, 34, ink.light)
        + tuft(0, -6, 38, ink.base)
    )


def pod(ink: Ink, dice: Dice) -> str:
    """An open pod of peas, and one closed."""
    form = "M-96 0C-60-40 50-42 94-6C100 0 98 6 92 8C50 44-60 42-96 0Z"
    beans = "".join(
        circle(x, 0, r, ink.light) + gleam(x - 5, -6, 4, 5)
        for x, r in ((-56, 15), (-24, 19), (12, 21), (46, 18), (72, 12))
    )
    whole = path(form, ink.dark) + "".join(
        line(f"M{x}-12q7 12 0 24", ink.base, 4) for x in (-50, -18, 14, 46)
    )
    return (
        at(whole, 4, -40, 0.84, -22)
        + at(
            path(form, ink.base) + path("M-84 0C-54-26 46-28 84-2C46 28-54 26-84 0Z", ink.second, 3) + beans,
            -2,
            28,
            1,
            -12,
        )
        + line("M-94 46C-98 36-98 26-92 18", ink.dark, 6)
    )


def seaweed(ink: Ink, dice: Dice) -> str:
    """Fronds that sway."""
    frond = "M-8 94C-30 60 18 40-4 6C-26-28 20-52 2-94C26-70 32-40 12-18C-6 4 44 34 14 66C6 78 8 88 10 94Z"
    return (
        at(path(frond, ink.dark), -46, 6, 0.88, -12)
        + at(path(frond, ink.dark), 48, 8, 0.86, 14)
        + path(frond, ink.base)
        + line("M2 88C-12 60 28 40 4 6C-16-24 22-48 6-78", ink.light, 4)
        + "".join(
            circle(x, y, r, "#d8f3f0", 2.5)
            for x, y, r in ((-70, -62, 8), (-54, -82, 5), (64, -70, 7), (78, -46, 4.5))
        )
    )


def corn(ink: Ink, dice: Dice) -> str:
    """A cob in its husk."""
    rows = "".join(
        ellipse(x, y, 9.5, 8, ink.light if (i + j) % 3 else ink.base, 2.5)
        for j, y in enumerate(range(-66, 60, 16))
        for i, x in enumerate((-27, -9, 9, 27))
        if abs(x) < 20 or -60 < y < 52
    )
    return at(
        path("M0-94C32-90 46-40 44 10C42 50 26 78 0 82C-26 78-42 50-44 10C-46-40-32-90 0-94Z", ink.dark)
        + rows
        + path("M-4 96C-60 78-76 20-66-32C-44 6-30 40-4 66Z", ink.second)
        + path("M4 96C60 78 76 20 66-32C44 6 30 40 4 66Z", ink.second)
        + path("M0 98C-30 80-34 40-18 4C-6 30 6 30 18 4C34 40 30 80 0 98Z", Ink(ink.second, "").light),
        turn=12,
    )


def saffron(ink: Ink, dice: Dice) -> str:
    """A crocus with its red threads."""
    petals = "".join(
        at(path("M0 20C-34-6-34-58 0-92C34-58 34-6 0 20Z", colour), 0, 22, 0.94, turn)
        for turn, colour in ((-62, ink.dark), (62, ink.dark), (-32, ink.base), (32, ink.base))
    )
    threads = "".join(line(f"M0 20C{x} -20 {x * 2} -40 {x * 3} -62", "#d8361f", 8) for x in (-9, 0, 9))
    front = at(path("M0 20C-30 2-34-36 0-66C34-36 30 2 0 20Z", ink.light), 0, 30, 0.8)
    loose = "".join(
        line(f"M{x} {y}q10-8 24-2", "#d8361f", 5) for x, y in ((-92, 88), (-62, 78), (44, 86), (66, 72))
    )
    return line("M0 34C2 60-2 76 0 96", "#5f9e46", 10) + petals + threads + front + loose


def vanilla(ink: Ink, dice: Dice) -> str:
    """A pale flower over dark pods."""
    flower = "".join(
        at(path("M0 0C-26-16-24-52 0-66C24-52 26-16 0 0Z", ink.second), turn=turn)
        for turn in range(0, 360, 72)
    )
    pods = "".join(
        line(
            f"M{-80 + i * 14} {84 - i * 6}C-30 {70 - i * 16} 20 {40 - i * 12} {76 + i * 6} {-30 - i * 22}",
            ink.base,
            11,
        )
        for i in range(3)
    )
    return pods + at(flower + circle(0, 0, 15, "#f2c94c"), -26, -22, 0.98)
