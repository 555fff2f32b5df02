"""A newcomer registers, and plays a round of Pancake, with the keyboard alone."""

from __future__ import annotations

from tests.stack import Stack
from tests.web.site_kit import flow


def test_a_round_without_a_mouse(house: Stack) -> None:
    found = flow("keyboard", house.url)
    assert found["handle"] == "Kim"
    assert found["held"] >= 0
    assert found["next"]["place"] == found["held"] + 1
    name = found["next"]["name"].split(". ")[0]
    assert found["laid"] == f"Take {name} back"
    assert found["left"] == found["hand"] - 1
    assert found["keys"][-2:] == ["M", "?"]
    assert len(found["keys"]) == 7
    assert found["bills"] >= 1
    assert found["faults"] == []
