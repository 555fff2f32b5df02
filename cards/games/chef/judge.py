"""The judging of a round: who wins which course, and the account of it (docs/rules/chef.md, 7 and 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cards.catalog.cards import Card
from cards.games.chef.dish import Dish, taste
from cards.games.chef.meal import Course, Plate
from cards.games.contract import Line, Miss, Missed, Position, Seat, own

SEATS = (0, 1)

Served = Mapping[Seat, "tuple[Plate, ...] | Missed"]
"""The choice that each seat opened, or what it missed."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The points that each seat gained in a round, and the account of why."""

    gained: tuple[int, int]
    lines: tuple[Line, ...]


def course_winner(yums: Sequence[int | None]) -> Seat | None:
    """The seat that wins a course: the one with the higher yum, or the only one that served; None in a tie.

    `yums` is by seat, with None for a seat that served no dish.

    >>> course_winner((5, 4)), course_winner((None, 0)), course_winner((5, 5))
    (0, 1, None)
    """
    best = max((yum for yum in yums if yum is not None), default=None)
    winners = [seat for seat, yum in enumerate(yums) if yum is not None and yum == best]
    return winners[0] if len(winners) == 1 else None


def forfeit(served: Served, *, final: bool) -> tuple[Seat, ...]:
    """The seat that gets all courses, since the other sealed a meal and did not open it; else ().

    In a final round the seat must have opened its own meal for that. If both are silent, nobody scores.
    """
    silent_seats = silent(served)
    if len(silent_seats) != 1:
        return ()
    other = 1 - silent_seats[0]
    return (other,) if not final or not isinstance(served[other], Missed) else ()


def silent(served: Served) -> tuple[Seat, ...]:
    """The seats that sealed and did not open."""
    missed = [(seat, served[seat]) for seat in SEATS]
    return tuple(seat for seat, what in missed if isinstance(what, Missed) and what.what is Miss.OPENING)


def _dish_line(seat: Seat, course: Course, plate: Plate, cards: Sequence[Card], dish: Dish | None) -> Line:
    used = [card.name for card in cards]
    if dish is None:
        return {
            "kind": "dish",
            "seat": seat,
            "course": course.number,
            "recipe": None,
            "ingredients": [card.slug for card in cards],
            "yum": None,
            "items": [],
            "text": f"Seat {seat} serves no dish as {course.name}"
            + (f", but uses {', '.join(used)}" if used else ""),
        }
    return {
        "kind": "dish",
        "seat": seat,
        "course": course.number,
        "recipe": dish.recipe.slug,
        "ingredients": [card.slug for card in dish.ingredients],
        "yum": dish.yum,
        "items": [item.line() for item in dish.items],
        "text": f"Seat {seat} serves {dish.recipe.name} with {', '.join(c.name for c in dish.ingredients)}"
        f" as {course.name}: {dish.yum} yum",
    }


def _missed_lines(served: Served) -> list[Line]:
    lines: list[Line] = []
    for seat in SEATS:
        what = served[seat]
        if isinstance(what, Missed):
            did = "sealed no meal" if what.what is Miss.SEAL else "did not open its meal"
            lines.append(
                {
                    "kind": "missed",
                    "seat": seat,
                    "missed": what.what.value,
                    "text": f"Seat {seat} {did} in time",
                }
            )
    return lines


def _course_lines(
    served: Served, course: Course, faces: Mapping[Position, Card]
) -> tuple[list[Line], list[int | None]]:
    """The dishes of a course and their yum by seat."""
    lines: list[Line] = []
    yums: list[int | None] = [None, None]
    for seat in SEATS:
        what = served[seat]
        for plate in () if isinstance(what, Missed) else what:
            if plate.course != course.number:
                continue
            cards = [faces[own(seat, index)] for index in plate.ingredients]
            dish = None if plate.recipe is None else taste(faces[own(seat, plate.recipe)], cards)
            yums[seat] = None if dish is None else dish.yum
            lines.append(_dish_line(seat, course, plate, cards, dish))
    return lines, yums


def judge(served: Served, courses: Sequence[Course], faces: Mapping[Position, Card]) -> RoundResult:
    """Judge a round of these courses; the faces of all cards served are known."""
    gained = [0, 0]
    lines = _missed_lines(served)
    unopened = silent(served)
    for course in courses:
        told, yums = _course_lines(served, course, faces)
        lines += told
        if unopened:
            continue
        winner = course_winner(yums)
        points = 0 if winner is None else course.points
        if winner is not None:
            gained[winner] += points
            worth = "1 point" if points == 1 else f"{points} points"
            text = f"Seat {winner} wins the {course.name}: {worth}"
        else:
            text = f"Nobody wins the {course.name}"
        lines.append(
            {"kind": "course", "course": course.number, "winner": winner, "points": points, "text": text}
        )
    for seat in forfeit(served, final=len(courses) == 1):
        points = sum(course.points for course in courses) + 1
        gained[seat] += points
        text = f"Seat {seat} takes every course and one point more: {points} points"
        lines.append({"kind": "forfeit", "seat": seat, "points": points, "text": text})
    return RoundResult((gained[0], gained[1]), tuple(lines))
