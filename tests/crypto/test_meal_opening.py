"""A seal and a position open to what was sealed, and to nothing else (protocol, section 9)."""

import pytest

from crypto import group, meal
from crypto.engines import Engine
from crypto.group import card_point
from tests.crypto.crypto_kit import (
    BOXES,
    HAND,
    RICE,
    TUNA,
    cook,
    replace_number,
    small_meal,
)


def test_a_seal_opens_to_its_choice_alone(curve: Engine) -> None:
    sealed = cook(HAND, BOXES, 2)
    assert meal.opens_seal(sealed.seal, BOXES, [1, 0], 2, sealed.blinding)
    for boxes, recipes, courses, r in (
        ((1, 1, 1, 0, 0, 1), [1, 0], 2, sealed.blinding),
        ((1, 1, 0, 0, 0, 2), [1, 0], 2, sealed.blinding),
        (BOXES, [0, 1], 2, sealed.blinding),
        (BOXES, [0, 0], 2, sealed.blinding),
        (BOXES, [1], 1, sealed.blinding),
        (BOXES, [1, 0, 0], 2, sealed.blinding),
        (BOXES, [1, 0], 2, sealed.blinding + 1),
        (BOXES[:-1], [1, 0], 2, sealed.blinding),
        ((*BOXES, 0), [1, 0], 2, sealed.blinding),
        ((1, 1, 0, 0, 0, 3), [1, 0], 2, sealed.blinding),
        ((1, 1, 0, 0, 0, -1), [1, 0], 2, sealed.blinding),
    ):
        assert not meal.opens_seal(sealed.seal, boxes, recipes, courses, r)
    assert not meal.opens_seal(small_meal().seal, BOXES, [1, 0], 2, sealed.blinding)


def test_a_box_that_does_not_exist_is_not_the_slot_of_another_card(curve: Engine) -> None:
    # A card has three slots here: box 3 is the next card's hand, box -1 the card before's course 2.
    for boxes, slots in (((3, 1), [0, 0, 0, 1, 1, 0]), ((0, -1), [1, 0, 1, 0, 0, 0])):
        seal = group.commit([*slots, 0, 0], 99)
        with pytest.raises(ValueError, match="boxes go from 0"):
            meal.opening_of_seal(seal, boxes, [0, 0], 2, 99)
        assert not meal.opens_seal(seal, boxes, [0, 0], 2, 99)


def test_a_position_opens_to_its_card_alone(curve: Engine) -> None:
    point = card_point(TUNA, 99)
    assert meal.opens_card(point, TUNA, 99)
    assert not meal.opens_card(point, TUNA, 98)
    # Another card of the same name: all units alike, another number.
    assert not meal.opens_card(point, replace_number(TUNA, 2001), 99)
    assert not meal.opens_card(point, RICE, 99)
    assert not meal.opens_card(card_point(TUNA, 98), TUNA, 99)
