"""Shapes of fish and shellfish, meat, eggs, cheese and butter."""

from __future__ import annotations

from cards.pictures.fruits import leaf
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

GREEN = Ink("#5f9e46", "#3d6f35")
BONE = "#fbf3e2"


def fish(ink: Ink, dice: Dice) -> str:
    """A fish; `second` is its belly."""
    scales = "".join(
        line(f"M{x} {y}q9 9 0 18", ink.dark, 3.5)
        for x, y in ((-14, -26), (8, -32), (30, -24), (-2, -8), (20, -12), (42, -6))
    )
    return at(
        path("M52 2C70-20 84-42 98-46C92-14 92 18 98 50C82 44 68 24 52 2Z", ink.dark)
        + path("M-10-44C4-74 40-70 50-60C40-48 36-40 36-32Z", ink.dark)
        + path("M-4 40C8 64 30 66 40 58C32 48 30 42 30 34Z", ink.dark)
        + path("M-96 4C-72-38-28-54 10-48C40-42 58-20 66 2C56 26 34 44 4 48C-32 52-72 38-96 4Z", ink.base)
        + path("M-92 8C-50 24 10 28 62 8C52 30 32 44 4 46C-32 50-70 38-92 8Z", ink.second, 0)
        + line("M-44-34C-32-12-32 14-44 36", ink.deep, 5)
        + scales
        + path("M-26 6C-8 0 8 8 14 20C-2 24-18 20-26 6Z", ink.dark, 3)
        + circle(-64, -8, 10, "#fff", 3)
        + circle(-65, -8, 4.5, "#2a1020", 0)
        + line("M-94 8q10 2 18 8", ink.deep, 4),
        turn=-8,
    )


def tuna(ink: Ink, dice: Dice) -> str:
    """A tuna: a crescent tail and small fins."""
    finlets = "".join(
        path(f"M{x} {y}l8 {s * 12}l5-{'' if s > 0 else '-'}10Z", "#f2c94c", 2.5)
        for x, y, s in ((34, -26, -1), (46, -20, -1), (58, -12, -1), (34, 30, 1), (46, 22, 1), (58, 14, 1))
    )
    return at(
        path("M70 0C76-26 84-44 98-56C92-20 92 20 98 56C84 44 76 26 70 0Z", ink.dark)
        + path("M-18-42C-14-62 0-76 12-78C6-64 8-50 12-40Z", ink.dark)
        + finlets
        + path("M-10 40C-8 58 4 70 14 72C10 58 12 48 14 38Z", "#f2c94c")
        + path("M-96 6C-76-34-30-50 6-44C40-38 66-14 80 2C66 16 40 38 4 44C-34 48-76 36-96 6Z", ink.base)
        + path("M-92 10C-50 20 30 20 74 4C60 20 36 36 4 42C-32 46-72 36-92 10Z", ink.second, 0)
        + line("M-48-30C-38-10-38 12-48 32", ink.deep, 5)
        + path("M-36 4C-14 0 10 6 24 18C2 20-22 18-36 4Z", ink.dark, 3)
        + circle(-68, -6, 9, "#fff", 3)
        + circle(-69, -6, 4.5, "#2a1020", 0),
        turn=-6,
    )


def shrimp(ink: Ink, dice: Dice) -> str:
    """A curled shrimp."""
    bands = "".join(
        line(d, ink.dark, 5)
        for d in (
            "M-8-70C-10-50-8-36 2-26",
            "M34-64C24-46 20-34 22-20",
            "M68-34C48-26 38-18 34-6",
            "M78 6C56 6 42 8 34 12",
            "M68 44C50 34 40 28 32 26",
        )
    )
    legs = "".join(line(f"M{x} {y}q-12 12-18 26", ink.dark, 5) for x, y in ((-12, -14), (6, -6), (20, 8)))
    return (
        line("M-64-56C-84-40-96-10-90 26M-64-56C-90-50-98-30-98-10", ink.dark, 4)
        + legs
        + path(
            "M-84-60C-40-92 40-86 70-44C98-2 84 56 30 70C16 74 2 72-6 66C30 54 46 26 34 0C22-26-20-28-58-40C-70-44-82-50-84-60Z",
            ink.base,
        )
        + bands
        + path("M-2 64C-24 50-50 54-58 64C-46 70-46 74-52 86C-34 92-10 86 4 72Z", ink.second)
        + circle(-50, -56, 6, "#2a1020", 0)
        + gleam(10, -70, 26, 5, 8)
    )


def crab(ink: Ink, dice: Dice) -> str:
    """A crab from above."""
    legs = "".join(
        line(f"M{s * 50} {y}Q{s * 84} {y - 8} {s * 92} {y + 28}", "#3a2317", 15)
        + line(f"M{s * 50} {y}Q{s * 84} {y - 8} {s * 92} {y + 28}", ink.dark, 8)
        for s in (-1, 1)
        for y in (18, 36, 52)
    )
    claw = path("M0 10C-30 2-40-34-20-62C-22-42-12-34-4-32C0-46 8-56 20-60C40-34 30 2 0 10Z", ink.base)
    arms = "".join(
        line(f"M{s * 54}-2Q{s * 78}-8 {s * 68}-32", "#3a2317", 19)
        + line(f"M{s * 54}-2Q{s * 78}-8 {s * 68}-32", ink.dark, 12)
        + at(claw, s * 64, -28, 0.9, s * -14)
        for s in (-1, 1)
    )
    eyes = "".join(
        line(f"M{s * 15}-16L{s * 18}-36", ink.dark, 7)
        + circle(s * 18, -40, 8, "#fff", 3)
        + circle(s * 18, -41, 3.5, "#2a1020", 0)
        for s in (-1, 1)
    )
    return at(
        legs
        + arms
        + eyes
        + path("M-70 18C-70-18-34-30 0-30C34-30 70-18 70 18C66 52 34 68 0 68C-34 68-66 52-70 18Z", ink.base)
        + "".join(circle(x, y + 16, 4, ink.light, 0) for x, y in scattered(dice, 9, 48, 30))
        + line("M-22 46C-8 54 8 54 22 46", ink.deep, 5)
        + gleam(-34, -6, 18, 7, -20),
        0,
        4,
    )


def lobster(ink: Ink, dice: Dice) -> str:
    """A lobster from above."""
    claw = path("M0 14C-24 6-34-30-16-60C-16-42-8-34 0-32C2-46 10-58 20-62C36-34 26 4 0 14Z", ink.base)
    arms = "".join(
        line(f"M{s * 18}-6Q{s * 48}-8 {s * 50}-38", "#3a2317", 16)
        + line(f"M{s * 18}-6Q{s * 48}-8 {s * 50}-38", ink.dark, 9)
        + at(claw, s * 52, -34, 1, s * 4)
        for s in (-1, 1)
    )
    legs = "".join(
        line(f"M{s * 18} {y}Q{s * 44} {y - 2} {s * 54} {y + 20}", ink.dark, 6)
        for s in (-1, 1)
        for y in (4, 16, 28)
    )
    feelers = "".join(line(f"M{s * 8}-30C{s * 14}-60 {s * 6}-80 {s * 22}-98", ink.dark, 4) for s in (-1, 1))
    tail = "".join(
        path(
            f"M-{w} {y}C-{w - 4} {y + 18} {w - 4} {y + 18} {w} {y}L{w - 2} {y - 10}L-{w - 2} {y - 10}Z",
            ink.base if i % 2 else ink.dark,
        )
        for i, (w, y) in enumerate(((27, 40), (25, 52), (23, 64)))
    )
    fan = "".join(
        at(path("M0 0C-14 10-14 26 0 34C14 26 14 10 0 0Z", ink.base), 0, 66, 0.98, turn)
        for turn in (-56, 56, -28, 28, 0)
    )
    return (
        feelers
        + legs
        + arms
        + fan
        + tail
        + path("M-26 34C-34 6-24-30 0-38C24-30 34 6 26 34C12 42-12 42-26 34Z", ink.base)
        + circle(-11, -22, 4.5, "#2a1020", 0)
        + circle(11, -22, 4.5, "#2a1020", 0)
        + line("M-16 16C-4 24 4 24 16 16", ink.deep, 4)
        + gleam(-12, 0, 5, 13, 10)
    )


def caviar(ink: Ink, dice: Dice) -> str:
    """An open tin of caviar on its stand, with a spoon of pearl."""
    pearls = "".join(
        circle(x, y - 8, 8.5, ink.base if i % 2 else ink.dark, 2) + gleam(x - 3, y - 11, 2.4, 2, 0, 0.8)
        for i, (x, y) in enumerate(scattered(dice, 44, 68, 24))
    )
    return (
        line("M36-26L84-92", "#3a2317", 15)
        + line("M36-26L84-92", "#f7efe2", 8)
        + path("M-84-4L84-4L80 54C60 74-60 74-80 54Z", ink.second)
        + ellipse(0, -4, 84, 34, Ink(ink.second, "").light)
        + ellipse(0, -4, 74, 27, ink.deep, 3)
        + pearls
        + path("M-78 26C-40 48 40 48 78 26L79 44C40 64-40 64-79 44Z", "#c8453b", 3)
        + gleam(-56, 34, 8, 5, 20)
        + box(-60, 66, 120, 18, 8, Ink(ink.second, "").dark)
    )


def steak(ink: Ink, dice: Dice) -> str:
    """A steak with its bone and rim of fat."""
    form = "M-88-14C-88-56-40-78 0-70C30-66 56-76 76-54C100-24 84 24 54 44C24 62-6 50-30 66C-60 82-92 60-84 28C-80 12-88 2-88-14Z"
    return at(
        path(form, ink.second)
        + at(path(form, ink.base, 3), scale=0.86)
        + circle(42, -22, 17, BONE)
        + circle(42, -22, 8, ink.light, 0)
        + "".join(
            line(d, ink.light, 5)
            for d in (
                "M-54-34C-40-44-24-46-10-42",
                "M-60-2C-40-14-10-10 6 2",
                "M-50 32C-36 22-14 20 0 26",
                "M20 18C30 12 44 12 52 6",
            )
        ),
        0,
        4,
    )


def marbled(ink: Ink, dice: Dice) -> str:
    """Finely marbled beef."""
    form = "M-92-16C-84-58-34-70 6-64C50-68 92-44 92-2C92 40 50 66 6 62C-40 70-90 52-92 10C-92 0-94-8-92-16Z"
    veins = "".join(
        line(
            f"M{x:.0f} {y:.0f}q{dice.between(6, 12):.0f}-{dice.between(4, 12):.0f} {dice.between(16, 28):.0f} {dice.between(-4, 6):.0f}t{dice.between(8, 16):.0f} {dice.between(-8, 8):.0f}",
            ink.pale,
            4,
        )
        for x, y in scattered(dice, 17, 58, 40)
    )
    return at(
        path(form, ink.second)
        + at(path(form, ink.base, 3), scale=0.9)
        + at(veins, -14, 2, 0.98)
        + leaf(GREEN, 54, 70, 44, 40)
        + leaf(GREEN, 50, 74, 40, 84),
        turn=-8,
    )


def chop(ink: Ink, dice: Dice) -> str:
    """A chop with a long bone: pork, lamb."""
    return (
        path("M8-6L74-66C66-82 80-94 90-86C98-92 104-80 96-74C104-64 90-54 82-62L20 8Z", BONE)
        + path("M-78 34C-88-6-54-42-14-40C22-38 44-12 36 22C30 58-6 82-38 78C-62 74-74 58-78 34Z", ink.second)
        + path("M-66 32C-74 2-46-30-14-28C14-26 32-6 26 20C20 48-8 70-36 66C-54 62-64 50-66 32Z", ink.base, 3)
        + "".join(line(d, ink.light, 4.5) for d in ("M-46 8C-36-6-22-12-8-10", "M-44 34C-26 26-10 30 4 22"))
    )


def rack(ink: Ink, dice: Dice) -> str:
    """A rack of ribs, frenched: lamb."""
    bones = "".join(
        at(path("M-8 20L-7-70C-18-82-4-94 0-84C4-94 18-82 7-70L8 20Z", BONE), x, y, 1, turn)
        for x, y, turn in ((-54, 2, -14), (-18, -4, -5), (18, -4, 5), (54, 2, 14))
    )
    return (
        bones
        + path("M-90 26C-92-6-60-22 0-22C60-22 92-6 90 26C88 64 56 84 0 84C-56 84-88 64-90 26Z", ink.dark)
        + path("M-76 30C-76 8-50-4 0-4C50-4 76 8 76 30C74 56 48 70 0 70C-48 70-74 56-76 30Z", ink.base, 3)
        + "".join(line(f"M{x} 6C{x - 6} 26 {x + 6} 44 {x} 62", ink.second, 5) for x in (-36, 0, 36))
        + leaf(GREEN, -30, 84, 36, -64)
        + leaf(GREEN, 10, 90, 38, 58)
    )


def bacon(ink: Ink, dice: Dice) -> str:
    """Three waving rashers."""
    wave = (
        "M-92 -16C-70-34-50-34-30-16S12 2 32-16S70-34 92-16L92 14C70-4 50-4 32 14S-10 32-30 14S-70-4-92 14Z"
    )
    stripe = line("M-90-4C-70-22-50-22-30-4S12 14 32-4S70-22 90-4", ink.second, 8) + line(
        "M-88 6C-70-10-50-10-30 6S12 24 32 6S70-10 88 6", ink.dark, 4
    )
    one = path(wave, ink.base) + stripe
    return at(one, 2, -46, 0.95, -10) + at(one, 0, 4, 0.98, -10) + at(one, -2, 54, 0.95, -10)


def sausage(ink: Ink, dice: Dice) -> str:
    """A string of sausages."""

    def one(x: float, y: float, turn: float) -> str:
        return at(
            path(
                "M-64-4C-62-26-40-30-20-24C0-20 20-20 40-28C60-32 72-16 66 4C58 24 20 30-8 28C-36 28-64 18-64-4Z",
                ink.base,
            )
            + line("M-40-2l14 16M-10 0l14 16M20-4l14 16", ink.deep, 5)
            + gleam(-12, -12, 30, 5, 0)
            + circle(-66, -4, 6, ink.second, 3)
            + circle(68, -8, 6, ink.second, 3),
            x,
            y,
            1,
            turn,
        )

    return one(4, -52, 8) + one(-8, 8, -10) + one(8, 62, 6)


def drumstick(ink: Ink, dice: Dice) -> str:
    """A roast leg and one behind it."""
    one = (
        path("M-24 40L-66 80C-82 76-92 88-84 96C-82 106-66 104-64 92C-60 94-58 92-56 88L-10 52Z", BONE)
        + path("M-36 50C-50 10-34-50 8-74C48-94 92-64 84-20C76 24 20 58-16 64C-28 66-34 60-36 50Z", ink.base)
        + shade("M84-20C76 24 20 58-16 64C-26 66-32 61-35 54C10 40 60 10 66-64C80-52 87-38 84-20Z")
        + line("M-2-30C6-44 18-52 30-54", ink.pale, 7)
        + "".join(circle(x + 20, y - 6, 3, ink.deep, 0) for x, y in scattered(dice, 8, 30, 34))
    )
    return at(one, 16, -10, 0.86, 38) + at(one, -8, 2, 0.98)


def roast(ink: Ink, dice: Dice) -> str:
    """A whole roast bird on a platter."""
    return (
        ellipse(0, 64, 98, 26, ink.second)
        + ellipse(0, 60, 82, 18, "#fffaf0", 3)
        + "".join(leaf(GREEN, x, 66, 36, turn) for x, turn in ((-80, -64), (-58, -40), (80, 64), (58, 40)))
        + path(
            "M-78 44C-86-4-46-50 4-50C48-50 74-24 78 14C80 40 66 58 40 60L-44 60C-66 60-76 54-78 44Z",
            ink.base,
        )
        + path(
            "M18 18C36-8 72-2 78 22C82 44 62 60 40 58L78 66C86 62 94 70 88 78C82 84 76 78 74 74L30 60C14 50 10 32 18 18Z",
            ink.light,
        )
        + path("M-34 14C-10 2 8 14 4 34C-10 46-32 42-38 28Z", ink.dark, 3.5)
        + line("M-54-4C-40-28-18-38 4-38", ink.pale, 7)
        + shade("M-78 44C-76 54-66 60-44 60L40 60C20 66-70 66-78 44Z", 0.2)
    )


def eggs(ink: Ink, dice: Dice) -> str:
    """Two eggs and one broken open."""
    form = "M0-58C26-58 46-14 46 14C46 42 26 58 0 58C-26 58-46 42-46 14C-46-14-26-58 0-58Z"
    return (
        at(path(form, ink.dark) + gleam(-16, -12, 8, 16, 20), 34, -32, 0.98, 12)
        + at(path(form, ink.base) + gleam(-18, -12, 9, 18, 20, 0.7), -38, -18, 1.06, -10)
        + at(
            path("M-50 0L-34-14L-18 2L0-14L18 2L34-14L50 0C50 36 28 54 0 54C-28 54-50 36-50 0Z", ink.light)
            + path("M-42 4C-20 16 20 16 42 4C40 20-40 20-42 4Z", "#fff", 0)
            + circle(0, 0, 23, ink.second)
            + gleam(-8, -7, 7, 5, -20, 0.7),
            34,
            44,
        )
    )


def fried(ink: Ink, dice: Dice) -> str:
    """A fried egg."""
    edge = [(x * dice.between(0.88, 1.12), y * dice.between(0.88, 1.12)) for x, y in ring(11, 84, 0, 0.8)]
    return path(loop(edge), "#fffdf5") + circle(4, -4, 34, ink.second) + gleam(-8, -18, 10, 7, -24, 0.75)


def wedge(ink: Ink, dice: Dice) -> str:
    """A wedge of cheese with holes; `second` is its rind."""
    holes = "".join(
        ellipse(x, y, rx, ry, ink.dark, 3)
        for x, y, rx, ry in (
            (-40, 40, 14, 11),
            (6, 30, 9, 8),
            (44, 48, 15, 12),
            (-6, 62, 8, 6),
            (66, 22, 7, 6),
        )
    )
    return (
        path("M-90 6L36-64C64-60 86-36 88-10Z", ink.light)
        + path("M-90 6L88-10L88 66L-90 80Z", ink.base)
        + path("M36-64C64-60 86-36 88-10L88 66C94 20 84-40 36-64Z", ink.second, 3)
        + holes
        + line("M-84 12L40-52", ink.pale, 4)
    )


def parmesan(ink: Ink, dice: Dice) -> str:
    """A hard wedge with its stamped rind, and shavings."""
    dots = "".join(circle(x, y, 3, ink.second, 0) for x, y in scattered(dice, 18, 56, 24))
    return (
        path("M-84-8L20-72L88-24L-20 36Z", ink.light)
        + path("M-84-8L-20 36L-20 84L-84 44Z", ink.second)
        + line("M-72 14l40 28M-72 28l40 28", Ink(ink.second, "").dark, 4)
        + path("M-20 36L88-24L88 22L-20 84Z", ink.base)
        + at(dots, 34, 26, 0.62, -28)
        + "".join(
            at(path("M-22 4C-10-12 12-12 22 2C10-2-10-2-22 4Z", ink.pale, 3), x, y, 1, t)
            for x, y, t in ((46, 74, -12), (78, 60, 20), (14, 92, 6))
        )
    )


def ball(ink: Ink, dice: Dice) -> str:
    """A ball of fresh cheese, slices before it, and basil."""
    return (
        circle(-10, -14, 66, ink.base)
        + shade("M54-26C62 24 30 54-10 52C-34 52-52 42-64 26C-10 40 36 14 40-56C48-48 53-38 54-26Z", 0.1)
        + gleam(-36, -40, 18, 11, -30, 0.8)
        + "".join(
            ellipse(x, 54, 36, 31, ink.light) + ellipse(x + 4, 54, 27, 23, ink.second, 0)
            for x in (58, 20, -18)
        )
        + leaf(GREEN, -40, 84, 54, -66)
        + leaf(GREEN, -36, 86, 48, -22)
    )


def block(ink: Ink, dice: Dice) -> str:
    """A block that crumbles: feta."""
    crumbs = "".join(box(x, y + 76, 10, 9, 2, ink.light, 2.6) for x, y in scattered(dice, 9, 88, 12))
    pits = "".join(ellipse(x - 20, y + 26, 4, 3, ink.dark, 0) for x, y in scattered(dice, 9, 50, 22))
    return (
        path("M-84-14L-10-50L84-30L16 12Z", ink.pale)
        + path("M-84-14L16 12L14 74L-82 44Z", ink.base)
        + path("M16 12L84-30L82 26L14 74Z", ink.dark)
        + pits
        + crumbs
        + leaf(GREEN, -14, -28, 40, 70)
        + leaf(GREEN, -16, -26, 34, 112)
    )


def mound(ink: Ink, dice: Dice) -> str:
    """A soft white heap in a basket: ricotta."""
    weave = "".join(
        line(f"M{x} {20 + (i % 2) * 4}L{x * 0.82:.0f} 84", Ink(ink.second, "").dark, 4)
        for i, x in enumerate((-66, -44, -22, 0, 22, 44, 66))
    )
    return (
        path("M-76 14C-78-34-40-50-18-44C-4-62 34-56 40-36C66-36 80-10 76 14Z", ink.base)
        + line("M-46-12C-36-26-20-30-8-26M6-38C18-44 28-40 34-32", ink.dark, 4)
        + path("M-86 8L86 8L70 84C40 94-40 94-70 84Z", ink.second)
        + weave
        + line("M-80 34L80 34M-76 58L76 58", Ink(ink.second, "").dark, 4)
        + gleam(-40, -28, 10, 6, -30, 0.8)
    )


def butter(ink: Ink, dice: Dice) -> str:
    """A block of butter on a dish, a curl cut off."""
    return (
        ellipse(0, 54, 98, 30, "#e9f2f6")
        + ellipse(0, 50, 82, 21, "#cfe2ea", 3)
        + path("M-66-10L10-40L72-22L-2 12Z", ink.pale)
        + path("M-66-10L-2 12L-2 58L-66 34Z", ink.base)
        + path("M-2 12L72-22L72 22L-2 58Z", ink.dark)
        + line("M-44-2L-44 41M-22 5L-22 50", ink.dark, 3.5)
        + at(path("M-34 6C-36-20 10-30 24-8C30 6 14 18 4 10C-4 2 4-8 12-4", ink.light), -50, 62, 0.9, 10)
    )


def spread(ink: Ink, dice: Dice) -> str:
    """A jar, open, with a knife that has been in it."""
    return (
        at(
            path("M-9 90L-9 0C-22-30-18-76 0-96C18-76 22-30 9 0L9 90Z", "#dfe7ea")
            + path("M-15-16C-20-46-14-78 0-96C16-76 18-40 13-20C4-28-6-24-15-16Z", ink.base, 3),
            62,
            -18,
            0.86,
            24,
        )
        + path("M-70-34C-84-20-84 0-84 14L-84 66C-84 92 56 92 56 66L56 14C56 0 56-20 42-34Z", ink.base)
        + shade("M56 14L56 66C56 84-8 92-50 84C20 76 28 20 24-34L42-34C56-20 56 0 56 14Z")
        + ellipse(-14, -34, 58, 18, ink.light)
        + path("M-62-34C-40-54-20-20 0-38C14-50 30-44 36-36C20-22-50-22-62-34Z", ink.pale, 3)
        + box(-64, 8, 100, 46, 8, ink.second, 3)
        + circle(-14, 31, 14, ink.base, 3)
        + gleam(-70, 30, 5, 28, 0)
    )
