"""The vocabulary of shapes: vegetables, herbs, mushrooms."""

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
