"""The search for the name that a player means by a few typed letters."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches


def fold(text: str) -> str:
    """A name in lower case, without hyphens and doubled spaces.

    >>> fold(" Tuna-Sandwich ")
    'tuna sandwich'
    """
    return " ".join(text.casefold().replace("-", " ").split())


def meant(typed: str, names: Sequence[str]) -> list[str]:
    """The names that fit best: the same name, else names that begin so, else names whose words begin so.

    >>> meant("tuna", ["Tuna", "Tuna Sandwich"]), meant("tu sa", ["Tuna", "Tuna Sandwich"])
    (['Tuna'], ['Tuna Sandwich'])
    """
    wanted = fold(typed)
    if not wanted:
        return []
    unique = list(dict.fromkeys(names))
    return (
        [name for name in unique if fold(name) == wanted]
        or [name for name in unique if fold(name).startswith(wanted)]
        or [name for name in unique if _by_words(wanted.split(), fold(name).split())]
    )


def _by_words(typed: Sequence[str], words: Sequence[str]) -> bool:
    """Tell whether the typed words begin words of the name, in order."""
    left = iter(words)
    return all(any(word.startswith(part) for word in left) for part in typed)


def near(typed: str, names: Sequence[str]) -> list[str]:
    """Names that a player who mistyped may have meant.

    >>> near("tunna", ["Tuna", "Bread"])
    ['Tuna']
    """
    by_fold = {fold(name): name for name in names}
    return [by_fold[found] for found in get_close_matches(fold(typed), by_fold, n=3, cutoff=0.6)]


def either(names: Sequence[str]) -> str:
    """Names to choose from, in a sentence: "Tuna, Toast or Tofu"."""
    *most, last = names
    return f"{', '.join(most)} or {last}" if most else last
