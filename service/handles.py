"""Handles: which a player may choose, and which look alike.

What looks alike is Unicode's list of confusables (UTS 39), as the library has it: in a handle these are the
letters l and I and the digit 1, the letter O and the digit 0, and m beside r and n.
"""

from __future__ import annotations

import re
from functools import cache

from service.problems import Fault

LONGEST_HANDLE = 24
HANDLE = f"^[A-Za-z][A-Za-z0-9_-]{{2,{LONGEST_HANDLE - 1}}}$"
HANDLE_RULE = (
    f"3 to {LONGEST_HANDLE} letters of a-z, digits, - and _, beginning with a letter;"
    " unique whatever its case, and among all that look like it."
)
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
RESERVED = frozenset(
    """
    admin administrator anonymous bot cloche deleted everybody everyone help host house mod moderator nobody
    official operator owner root security somebody spectator staff support sysop system the-house
    """.split()  # noqa: SIM905 - one a line would be a file of its own
)
"""Handles that players could mistake for the house, for those who run it, or for nobody."""


def faults(handle: str) -> list[Fault]:
    """The faults of a handle that a player would like to have."""
    if not re.fullmatch(HANDLE, handle):
        return [Fault("bad_handle", f"A handle has {HANDLE_RULE}", "/handle")]
    if _coarse(handle) in _reserved():
        text = "That handle is reserved for the house, or looks like one that is."
        return [Fault("reserved_handle", text, "/handle")]
    return []


def skeleton(handle: str) -> str:
    """What a handle has in common with all that look like it, whatever their case; at most 48 characters."""
    return "".join(_alike().get(letter, letter) for letter in handle).lower()


def _coarse(handle: str) -> str:
    """A skeleton that is the same for more handles: each letter is looked at in either case."""
    alike = _alike()
    looks = (alike.get(letter.upper(), alike.get(letter, letter)) for letter in handle.lower())
    return "".join(looks).lower()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(_coarse(word) for word in RESERVED)


@cache
def _alike() -> dict[str, str]:
    """The characters of handles that look like others, each with what stands for all of them.

    The library's list goes both ways. Of two characters the letter in lower case stands for both, and a pair
    of letters for the one that looks like it.
    """
    # Imported late: its list has thousands of characters, and few processes ever register anybody.
    from confusable_homoglyphs.confusables import is_confusable

    found: dict[str, str] = {}
    for letter in ALPHABET:
        for entry in is_confusable(letter, greedy=True) or ():
            looks = [each["c"] for each in entry["homoglyphs"] if set(each["c"]) <= set(ALPHABET)]
            pairs = [other for other in looks if len(other) > 1]
            lower = min((other for other in [letter, *looks] if len(other) == 1), key=_rank)
            if pairs or lower != letter:
                found[letter] = pairs[0] if pairs else lower
    return found


def _rank(letter: str) -> tuple[bool, bool, str]:
    return not letter.islower(), letter.isdigit(), letter
