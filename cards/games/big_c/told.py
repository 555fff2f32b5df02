"""The account of Big C as data: the order of play, and footstools."""

from __future__ import annotations

from collections.abc import Sequence

from cards.games.accounts import Section, told_of
from cards.games.contract import Line

TOLD = frozenset({"footstool_full", "footstool_half", "order"})
"""The codes of what these sections tell."""


def sections(lines: Sequence[Line]) -> tuple[Section, ...]:
    """One section; each kind of footstool has its own code."""
    kinds = [f"footstool_{line['footstool']}" if "footstool" in line else "" for line in lines]
    return (Section(None, tuple(map(told_of, lines, kinds))),)
