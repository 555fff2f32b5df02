"""The games whose records the tests change, and marks for both of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from vectors.matches import Sitting, chef, hearts

GAMES: dict[str, Callable[[], Sitting]] = {"chef": chef, "hearts": hearts}
LONG = pytest.mark.long
both = pytest.mark.parametrize("name", sorted(GAMES))
