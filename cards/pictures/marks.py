"""Signs of the five categories and of the rarities, and the backgrounds of pictures."""

from __future__ import annotations

from cards.catalog.cards import CATEGORIES, Units
from cards.pictures.lettering import text
from cards.pictures.paint import Dice, box, line, mix, n, path, ring

COLOURS = {
    "starch": "#c98a2b",
    "vegetable": "#4d8a3d",
    "oil": "#c9a11d",
    "protein": "#b8453c",
    "seasoning": "#6a5196",
}
"""The colour of each category."""

_SIGNS = {
    "starch": "M0 8L0-8M0 4C-5 4-6 0-6-2C-2-2 0 1 0 4C0 1 2-2 6-2C6 0 5 4 0 4M0-2C-5-2-6-6-6-8C-2-8 0-5 0-2C0-5 2-8 6-8C6-6 5-2 0-2",
    "vegetable": "M-6 8C-9-2-2-9 9-8C10 3 3 10-6 8ZM-7 9L3-2",
    "oil": "M0-10C6-2 8 1 8 4C8 12-8 12-8 4C-8 1-6-2 0-10Z",
    "protein": "M-8 1C-4-6 4-6 7 0L11-5L11 6L7 1C4 7-4 7-8 1ZM-4-1L-4-1",
    "seasoning": "M-4 9L-5-3L5-3L4 9ZM-5-3C-5-10 5-10 5-3M-1-7L-1-7M2-6L2-6",
}

RARITIES = {
    "common": ("#7a6452", "#a58d76", "#5c483a"),
    "uncommon": ("#8fa3ad", "#dfe9ee", "#5f747f"),
    "rare": ("#c9971f", "#fbe7a1", "#8a5f12"),
    "legendary": ("#7a3fa0", "#f2b5e0", "#3b1f66"),
}
"""The three tones of a rarity's metal: middle, light and dark."""

_RARITY_SIGNS = {
    "common": "M0-8A8 8 0 1 1 0 8A8 8 0 1 1 0-8Z",
    "uncommon": "M0-10L9 0L0 10L-9 0Z",
    "rare": "M0-11L3-4L11-3.5L5 2L7 10L0 5.5L-7 10L-5 2L-11-3.5L-3-4Z",
    "legendary": "M-11 8L-12-6L-5 0L0-10L5 0L12-6L11 8Z",
}


def rarity_of(name: str) -> str:
    """A rarity that has a sign; an unknown one is drawn as rare."""
    return name if name in RARITIES else "rare"


def rarity_mark(x: float, y: float, rarity: str) -> str:
    """The sign of a rarity, in the colours of its metal."""
    metal, light, dark = RARITIES[rarity_of(rarity)]
    return (
        f'<path transform="translate({n(x)} {n(y)})" d="{_RARITY_SIGNS[rarity_of(rarity)]}" fill="{light}"'
        f' stroke="{dark}" stroke-width="2" stroke-linejoin="round"/>'
        if rarity != "common"
        else f'<circle cx="{n(x)}" cy="{n(y)}" r="7" fill="{metal}" stroke="{dark}" stroke-width="2"/>'
    )


def pip(x: float, y: float, category: str, r: float = 13) -> str:
    """A pip, which means one unit of a category: a coloured disc with the category's sign."""
    return (
        f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" fill="{COLOURS[category]}" stroke="#fff8e8" stroke-width="2"/>'
        f'<path transform="translate({n(x)} {n(y)}) scale({r / 17:.3g})" d="{_SIGNS[category]}" fill="#fff"'
        ' fill-opacity="0.25" stroke="#fff" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>'
    )


def pips(right: float, y: float, units: Units, ink: str, most: int = 6) -> tuple[str, float]:
    """Pips that end at `right`, one a unit or one a category with its count, and the x where they begin."""
    named = [(name, count) for name, count in zip(CATEGORIES, units, strict=True) if count]
    step, r = 29.0, 13.5
    if sum(units) <= most:
        each = [name for name, count in named for _ in range(count)]
        left = right - step * len(each)
        return "".join(pip(left + step * (i + 0.5), y, name, r) for i, name in enumerate(each)), left
    left = right - 52 * len(named)
    return (
        "".join(
            pip(left + 52 * i + 13, y, name, r) + text(left + 52 * i + 28, y + 6, 16, str(count), ink)
            for i, (name, count) in enumerate(named)
        ),
        left,
    )


def ground(ident: str, colour: str, dice: Dice, w: float, h: float) -> str:
    """A background w wide and h tall: light in the middle, with a pattern in a lighter tone."""
    pale, dark = mix(colour, "#fff6df", 0.74), mix(colour, "#fff1cf", 0.34)
    tone = mix(colour, "#fff6df", 0.6)
    glow = (
        f'<radialGradient id="{ident}-glow" cx="50%" cy="42%" r="75%"><stop offset="0" stop-color="{pale}"/>'
        f'<stop offset="1" stop-color="{dark}"/></radialGradient>'
    )
    return f"<defs>{glow}</defs>{box(0, 0, w, h, 0, f'url(#{ident}-glow)')}" + _PATTERNS[
        dice.below(len(_PATTERNS))
    ](w, h, tone, dice)


def _rays(w: float, h: float, tone: str, dice: Dice) -> str:
    points = ring(32, max(w, h), dice.between(0, 20))
    x, y = w / 2, h * 0.45
    d = "".join(
        f"M{n(x)} {n(y)}L{n(x + points[i][0])} {n(y + points[i][1])}L{n(x + points[i + 1][0])} {n(y + points[i + 1][1])}Z"
        for i in range(0, 32, 2)
    )
    return f'<path d="{d}" fill="{tone}" fill-opacity="0.55"/>'


def _dots(w: float, h: float, tone: str, dice: Dice) -> str:
    step = 34
    d = "".join(
        f"M{x + (step // 2 if row % 2 else 0)} {row * 24 + 10}h0"
        for row in range(int(h / 24) + 1)
        for x in range(8, int(w) + step, step)
    )
    return line(d, tone, 9).replace("/>", ' stroke-linecap="round"/>')


def _checks(w: float, h: float, tone: str, dice: Dice) -> str:
    across = "".join(f"M0 {y}H{n(w)}" for y in range(20, int(h) + 40, 48))
    down = "".join(f"M{x} 0V{n(h)}" for x in range(12, int(w) + 40, 48))
    return f'<g stroke-opacity="0.6">{line(across, tone, 22)}{line(down, tone, 22)}</g>'


def _waves(w: float, h: float, tone: str, dice: Dice) -> str:
    d = "".join(f"M-20 {y}q20-18 40 0" + "t40 0" * (int(w / 40) + 1) for y in range(16, int(h) + 20, 32))
    return line(d, tone, 6)


def _tiles(w: float, h: float, tone: str, dice: Dice) -> str:
    d = "".join(
        f"M{x} {y - 22}l22 22l-22 22l-22-22z"
        for row, y in enumerate(range(0, int(h) + 44, 33))
        for x in range(33 if row % 2 else 0, int(w) + 66, 66)
    )
    return f'<path d="{d}" fill="{tone}" fill-opacity="0.6"/>'


def _stripes(w: float, h: float, tone: str, dice: Dice) -> str:
    d = "".join(f"M{x} 0v{n(h)}" for x in range(14, int(w) + 20, 40))
    return f'<g stroke-opacity="0.65">{line(d, tone, 18)}</g>'


_PATTERNS = (_rays, _dots, _checks, _waves, _tiles, _stripes)


def sparkle(x: float, y: float, r: float, fill: str) -> str:
    """A star with four points."""
    s = r * 0.22
    return path(
        f"M{n(x)} {n(y - r)}L{n(x + s)} {n(y - s)}L{n(x + r)} {n(y)}L{n(x + s)} {n(y + s)}L{n(x)} {n(y + r)}"
        f"L{n(x - s)} {n(y + s)}L{n(x - r)} {n(y)}L{n(x - s)} {n(y - s)}Z",
        fill,
    )


def shadow(x: float, y: float, rx: float, ry: float) -> str:
    """The shadow of something on the table."""
    return f'<ellipse cx="{n(x)}" cy="{n(y)}" rx="{n(rx)}" ry="{n(ry)}" fill="#2a1020" fill-opacity="0.2"/>'
