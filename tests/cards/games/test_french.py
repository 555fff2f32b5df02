"""French-suited packs (rulings, all classic modes)."""

from __future__ import annotations

import pytest

from cards.games import french


def test_the_canonical_order() -> None:
    assert len(french.PACK) == len(set(french.PACK)) == 52
    assert french.PACK[:2] == ("2C", "3C")
    assert french.PACK[12:14] == ("AC", "2D")
    assert french.PACK[-1] == "AS"
    assert french.packs(2, jokers=2) == (*french.PACK, "Joker", "Joker") * 2
    assert french.packs() == french.PACK


def test_suit_rank_and_place() -> None:
    assert [french.suit(code) for code in ("10C", "QS")] == ["C", "S"]
    assert [french.rank(code) for code in ("2C", "10C", "AS")] == [0, 8, 12]
    assert [french.place(code) for code in french.PACK] == list(range(52))
    assert french.in_order(["Joker", "QS", "2S", "10C"]) == ["10C", "2S", "QS", "Joker"]
    for of in (french.suit, french.rank):
        with pytest.raises(KeyError):
            of("Joker")


def test_codes_and_names() -> None:
    assert all(french.is_code(code) for code in (*french.PACK, french.JOKER))
    assert not any(french.is_code(code) for code in ("1C", "qs", "", None, 3, ["QS"]))
    assert [french.title(code) for code in ("QS", "10C", "Joker")] == [
        "queen of spades",
        "10 of clubs",
        "Joker",
    ]
