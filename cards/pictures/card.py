"""A card's picture: frame, name, pips, illustration, rules, flavour, number; 480 by 672 units.

It is drawn from the printing alone, so equal data gives equal bytes. It has no scripts, links or fonts of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cards.catalog.cards import CATEGORIES, Card, Printing, Units
from cards.pictures.lettering import PLAIN, SANS, SERIF, block, fit, text, width
from cards.pictures.marks import COLOURS, RARITIES, ground, pips, rarity_mark, rarity_of, shadow, sparkle
from cards.pictures.menu import dish
from cards.pictures.paint import Dice, at, inked, mix, n, safe
from cards.pictures.vocabulary import motif

WIDTH, HEIGHT = 480, 672
_WINDOW = (26, 82, 428, 322)
"""The place of the illustration: left, top, width, height."""
BOLD = ' font-weight="bold"'
_PAPER, _TEXT, _QUIET = "#fbf3e0", "#2f1d14", "#6b5344"


def units_said(units: Units) -> str:
    """Units in words: "2 protein, 1 seasoning"."""
    return ", ".join(f"{count} {name}" for count, name in zip(units, CATEGORIES, strict=True) if count)


def rules(card: Card) -> tuple[str, ...]:
    """The rules text of a card, sentence by sentence."""
    said = []
    if card.is_recipe:
        said.append(f"Costs {units_said(card.costs)}.")
    elif card.is_special:
        said.append(f"Costs {units_said(card.costs)}; adds {card.bonus} yum.")
    else:
        said.append(f"Provides {units_said(card.provides)}.")
        if card.bonus:
            said.append(f"Adds {card.bonus} yum.")
    if card.one_time:
        said.append("One time: discarded when served.")
    return tuple(said)


def kind_line(printing: Printing) -> str:
    """The line under the illustration: "Basic ingredient: Meat, Poultry"."""
    card = printing.card
    what = f"Basic {card.type}" if printing.basic else card.type.capitalize()
    return what + (f": {', '.join(card.kinds)}" if card.kinds else "")


def described(printing: Printing) -> str:
    """The whole card in words, for people who can't see the picture."""
    card = printing.card
    lists = f" It lists {', '.join(card.list)}." if card.list else ""
    retired = " Retired." if printing.retired else ""
    return f"{kind_line(printing)}; {printing.rarity}. {' '.join(rules(card))}{lists}{retired} {printing.flavour}"


def illustration(card: Card) -> str:
    """The illustration of a card, in the square from -100 to 100."""
    dice = Dice(card.slug)
    if card.is_recipe:
        return inked(dish(card.name, card.list, dice))
    main = max(zip(card.provides, card.costs, CATEGORIES, strict=True), key=lambda u: u[0] + u[1])[2]
    return inked(motif(card.name, card.kinds, main).drawn(dice))


@dataclass(frozen=True, slots=True)
class _Look:
    """The colours of a card."""

    ident: str
    hues: tuple[str, ...]
    metal: str
    light: str
    dark: str


def _look(printing: Printing) -> _Look:
    card = printing.card
    units = card.costs if card.is_recipe or card.is_special else card.provides
    hues = tuple(COLOURS[name] for count, name in zip(units, CATEGORIES, strict=True) if count)
    return _Look(f"c{card.number}", hues, *RARITIES[rarity_of(printing.rarity)])


def picture(printing: Printing, set_name: str = "") -> str:
    """Draw a printing as SVG; `set_name` is in its last line."""
    card, look = printing.card, _look(printing)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
        f' role="img" aria-labelledby="{look.ident}-t {look.ident}-d" font-family="{SERIF}">'
        f'<title id="{look.ident}-t">{safe(card.name)}</title>'
        f'<desc id="{look.ident}-d">{safe(described(printing))}</desc>'
        f"{_frame(printing, look)}{_window(printing, look)}{_head(card, look)}{_kinds(printing, look)}"
        f"{_rules(printing)}{_foot(printing, set_name)}</svg>\n"
    )


def _frame(printing: Printing, look: _Look) -> str:
    hues = look.hues if len(look.hues) > 1 else (look.hues[0], mix(look.hues[0], "#2a1020", 0.25))
    stops = "".join(
        f'<stop offset="{i / (len(hues) - 1):.3g}" stop-color="{mix(hue, "#2a1020", 0.18)}"/>'
        for i, hue in enumerate(hues)
    )
    x, y, w, h = _WINDOW
    return (
        f'<defs><linearGradient id="{look.ident}-metal" x2="1" y2="1"><stop offset="0" stop-color="{look.light}"/>'
        f'<stop offset="0.35" stop-color="{look.metal}"/><stop offset="0.65" stop-color="{look.dark}"/>'
        f'<stop offset="1" stop-color="{look.light}"/></linearGradient>'
        f'<linearGradient id="{look.ident}-hue">{stops}</linearGradient>'
        f'<clipPath id="{look.ident}-clip"><rect x="{x}" y="{y}" width="{w}" height="{h}" rx="12"/></clipPath></defs>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="26" fill="{look.dark}"/>'
        f'<rect x="3" y="3" width="{WIDTH - 6}" height="{HEIGHT - 6}" rx="23" fill="url(#{look.ident}-metal)"/>'
        f'<rect x="13" y="13" width="{WIDTH - 26}" height="{HEIGHT - 26}" rx="16" fill="{_PAPER}"'
        f' stroke="{look.dark}" stroke-width="2"/>'
    )


def _window(printing: Printing, look: _Look) -> str:
    x, y, w, h = _WINDOW
    card, dice = printing.card, Dice(f"{printing.card.slug}/ground")
    colour = look.hues[dice.below(len(look.hues))]
    table = mix(colour, "#5a3220", 0.55)
    cx, cy = x + w / 2, y + 160
    stars = ""
    if rarity_of(printing.rarity) in ("rare", "legendary"):
        stars = "".join(
            sparkle(
                x + u + dice.between(-14, 14), y + v + dice.between(-12, 12), dice.between(7, 16), "#fff6c9"
            )
            for u, v in ((30, 36), (84, 96), (36, 160), (92, 30), (396, 36), (344, 96), (394, 158), (336, 30))
        )
    return (
        f'<g clip-path="url(#{look.ident}-clip)">{at(ground(look.ident, colour, dice, w, h), x, y)}'
        f'<path d="M{x} {y + 236}h{w}v90h-{w}z" fill="{table}"/>'
        f'<path d="M{x} {y + 236}h{w}v8h-{w}z" fill="{mix(table, "#fff6df", 0.3)}"/>'
        f'<path d="M{x} {y + 266}h{w}M{x} {y + 296}h{w}" stroke="{mix(table, "#2a1020", 0.2)}" stroke-width="2"/>'
        f"{shadow(cx, cy + 133, 150, 17)}{stars}{at(illustration(card), cx, cy, 1.42)}</g>"
        f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="12" fill="none" stroke="{look.dark}" stroke-width="3"/>'
    )


def _head(card: Card, look: _Look) -> str:
    shown, left = pips(452, 47, card.costs if card.is_recipe or card.is_special else card.provides, "#fff8e8")
    name = fit(card.name, left - 46, 46, (28, 26, 24, 22, 20, 18, 16, 14), 2, bold=True)
    first = 47 + name.size * 0.36 - (len(name.lines) - 1) * name.leading / 2
    ring = (
        ""
        if not card.is_recipe
        else (
            f'<rect x="{n(left - 4)}" y="31" width="{n(460 - left)}" height="32" rx="16" fill="#2a1020" fill-opacity="0.28"/>'
        )
    )
    return (
        f'<rect x="22" y="22" width="436" height="52" rx="13" fill="url(#{look.ident}-hue)" stroke="{look.dark}"'
        f' stroke-width="2"/>{ring}'
        f"{block(36, first, name, '#fffaf0', more=BOLD)}{shown}"
    )


def _kinds(printing: Printing, look: _Look) -> str:
    said = fit(kind_line(printing), 362, 30, (18, 17, 16, 15, 14, 13, 12, 11), 2)
    y = 429 + said.size * 0.36 - (len(said.lines) - 1) * said.leading / 2
    return (
        f'<rect x="26" y="411" width="428" height="36" rx="9" fill="#efe0bf" stroke="{look.dark}" stroke-width="1.5"/>'
        f"{block(38, y, said, _TEXT)}{rarity_mark(432, 429, printing.rarity)}"
    )


def _rules(printing: Printing) -> str:
    """The rules text, the list as chips, a line, and the flavour text at the bottom."""
    card = printing.card
    said = fit(" ".join(rules(card)), 412, 56, (21, 20, 19, 18, 17, 16, 15, 14, 13), 3)
    parts = [block(34, 470, said, _TEXT)]
    y = 470 + said.height
    if card.list:
        drawn, tall = _chips(card.list, y - 8, 622 - y - 44)
        parts.append(drawn)
        y += tall
    flavour = fit(printing.flavour, 400, min(76, 622 - y - 4), (19, 18, 17, 16, 15, 14, 13, 12), 4)
    top = 624 - flavour.height
    parts.append(
        f'<path d="M150 {n(top - 7)}h70l20-7l20 7h70" fill="none" stroke="#c8ad7f" stroke-width="1.5"/>'
    )
    parts.append(
        block(240, top + flavour.size, flavour, _QUIET, anchor="middle", more=' font-style="italic"')
    )
    return "".join(parts)


def _chips(names: Sequence[str], top: float, tall: float) -> tuple[str, float]:
    """Names in chips with small pictures, in rows, as large as the room allows, and the height of all rows."""
    for size in (18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3):
        rows: list[list[tuple[str, float]]] = [[]]
        for name in names:
            wide = min(412.0, width(name, size) * PLAIN + size * 2.7)
            if rows[-1] and sum(w + 8 for _, w in rows[-1]) + wide > 412:
                rows.append([])
            rows[-1].append((name, wide))
        step = size * 2.1
        if len(rows) * step <= tall and all(width(name, size) * PLAIN + size * 2.7 <= 412 for name in names):
            break
    parts = []
    for i, row in enumerate(rows):
        x, y = 34.0, top + i * step
        for name, wide in row:
            parts.append(
                f'<rect x="{n(x)}" y="{n(y)}" width="{n(wide)}" height="{n(size * 1.8)}" rx="{n(size * 0.9)}"'
                f' fill="#fffdf6" stroke="#c8ad7f" stroke-width="1.5"/>'
            )
            icon = inked(motif(name).drawn(Dice(name)), 7)
            parts.append(at(icon, x + size * 1.15, y + size * 0.9, size * 0.0078))
            parts.append(text(x + size * 2.1, y + size * 1.26, size, name, _TEXT))
            x += wide + 8
    return "".join(parts), len(rows) * step + 2


def _foot(printing: Printing, set_name: str) -> str:
    left = f"{printing.set_code} {printing.number_in_set:03d}" + (" · retired" if printing.retired else "")
    sans = f' font-family="{SANS}" letter-spacing="0.6"'
    name = fit(set_name, 230, 16, (11, 10, 9, 8, 7), 1)
    return (
        f'<path d="M30 632h420" stroke="#e3d2ad" stroke-width="1.5"/>'
        f"{text(32, 647, 12, left, _QUIET, more=sans)}"
        f"{text(240, 647, 11, printing.rarity.upper(), _QUIET, anchor='middle', more=sans)}"
        f"{block(448, 647, name, _QUIET, anchor='end', more=sans)}"
    )
