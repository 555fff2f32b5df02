"""A player's rating as an SVG picture: a line, and around it the band of its uncertainty.

The same games give the same bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cards.pictures.chart_frame import BOTTOM, LEFT, TOP, across, days, framed, grid_line, text

_LINES_EVERY = (50, 100, 200, 500)
"""Points between two lines of the grid; the smallest that needs at most eight lines is taken."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rating after a game: `at` in milliseconds since 1970, the others in points."""

    at: int
    points: int
    deviation: int


def rating_chart(name: str, steps: Sequence[Step]) -> str:
    """Draw the rating after each game; the games come oldest first."""
    if not steps:
        return framed(
            name, "rating", "No rated games.", [text(LEFT, 180, "what", "No rated game counts yet.")]
        )
    last = steps[-1]
    games = f"{len(steps)} game{'s' * (len(steps) > 1)}"
    said = f"{games}; now {last.points} points, give or take {last.deviation}; best {max(s.points for s in steps)}."
    return framed(name, "rating", said, _plot(steps))


def _plot(steps: Sequence[Step]) -> list[str]:
    low = min(step.points - step.deviation for step in steps)
    high = max(step.points + step.deviation for step in steps)
    every = next((each for each in _LINES_EVERY if (high - low) / each <= 7), _LINES_EVERY[-1])
    low, high = low // every * every, -(-high // every) * every
    first, last = steps[0].at, steps[-1].at

    def y(points: float) -> float:
        return BOTTOM - (points - low) / max(high - low, 1) * (BOTTOM - TOP)

    def at(step: Step, points: int) -> str:
        return f"{across(step.at, first, last):.1f},{y(points):.1f}"

    parts: list[str] = []
    for value in range(low, high + 1, every):
        parts += grid_line(y(value), str(value))
    parts += days(first, last)
    band = [at(s, s.points + s.deviation) for s in steps]
    band += [at(s, s.points - s.deviation) for s in reversed(steps)]
    parts.append(f'  <polygon class="band" points="{" ".join(band)}"/>')
    parts.append(f'  <polyline class="line" points="{" ".join(at(s, s.points) for s in steps)}"/>')
    x, top = at(steps[-1], steps[-1].points).split(",")
    parts.append(f'  <circle class="sale" cx="{x}" cy="{top}" r="4.0"/>')
    return parts
