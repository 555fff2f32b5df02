"""Reveals at the table (protocol sections 9 and 14)."""

from __future__ import annotations

from typing import Any

import pytest

from crypto.encoding import b64, unb64
from crypto.group import ORDER, encode_scalar, engine
from player.seat import SealedChoice
from referee import Message, Refused
from referee.checks import AtOnce, Remembering, Trusting
from referee.validation import Revealed, examine
from tests.crypto.crypto_kit import products
from tests.referee.forger import again, at_path, refused, signed, without
from tests.referee.meals_kit import hearty, round_two
from tests.referee.table import Table


@pytest.fixture(scope="module")
def table() -> Table:
    """A table at the seals of round 2."""
    return round_two()


@pytest.fixture(scope="module")
def sealed(table: Table) -> Table:
    """A table at the reveals of round 2."""
    copy = table.copy()
    copy.answer(0, 1)
    return copy


@pytest.fixture(scope="module")
def reveal(sealed: Table) -> Message:
    """Seat 0's good reveal."""
    return sealed.message(0)


def served(message: Message) -> tuple[int, dict[str, Any]]:
    """A dish with a recipe, and its place in the choice."""
    return next((i, dish) for i, dish in enumerate(message.body["choice"]["dishes"]) if dish["recipe"])


def test_a_good_reveal_waits_for_the_other(sealed: Table, reveal: Message) -> None:
    copy = sealed.copy()
    assert copy.send(reveal) == []
    entries = copy.answer(1)
    assert [(entry.actor, entry.kind) for entry in entries] == [
        ("0", "reveal"),
        ("1", "reveal"),
        ("house", "account"),
    ]


def test_a_reveal_with_another_blinding(sealed: Table, reveal: Message) -> None:
    for blinding in (bytes(32), encode_scalar(int.from_bytes(unb64(reveal.body["blinding"]), "big") + 1)):
        with refused("wrong_reveal", "/choice"):
            sealed.send(again(sealed, reveal, blinding=b64(blinding)))
    changed = at_path(reveal.body["openings"], [0, "blinding"], b64(bytes(32)))
    with refused("wrong_opening", "/openings/0"):
        sealed.send(again(sealed, reveal, openings=changed))


def test_a_reveal_with_a_scalar_not_below_the_order(sealed: Table, reveal: Message) -> None:
    high = int.from_bytes(unb64(reveal.body["blinding"]), "big") + ORDER
    for value in (ORDER.to_bytes(32, "big"), high.to_bytes(33, "big")[-32:], b"\xff" * 32):
        if int.from_bytes(value, "big") < ORDER:
            continue
        with refused("bad_scalar", "/blinding"):
            sealed.send(again(sealed, reveal, blinding=b64(value)))
        with refused("bad_scalar", "/openings/0/blinding"):
            openings = at_path(reveal.body["openings"], [0, "blinding"], b64(value))
            sealed.send(again(sealed, reveal, openings=openings))


def test_a_reveal_with_another_card_of_the_same_name() -> None:
    """Bread is 1001 and 1009: of the same worth, and yet another card."""
    table = match_with_bread()
    message = table.message(0)
    i = next(i for i, o in enumerate(message.body["openings"]) if o["number"] in (1001, 1009))
    twin = 1001 + 1009 - message.body["openings"][i]["number"]
    with refused("wrong_opening", f"/openings/{i}"):
        table.send(again(table, message, openings=at_path(message.body["openings"], [i, "number"], twin)))
    table.send(message)


def match_with_bread() -> Table:
    """A table at the reveals of a round in which seat 0 serves bread."""
    for seed in range(100):
        table = Table.chef(seed)
        table.choose = hearty
        table.until("reveal")
        if 0 in table.asked():
            openings = table.message(0).body["openings"]
            if any(opening["number"] in (1001, 1009) for opening in openings):
                return table
    raise AssertionError("no bread")


def test_a_reveal_with_another_card(sealed: Table, reveal: Message) -> None:
    openings = reveal.body["openings"]
    for number in (1006, 1105):
        if number != openings[0]["number"]:
            with refused("wrong_opening", "/openings/0"):
                sealed.send(again(sealed, reveal, openings=at_path(openings, [0, "number"], number)))
    with refused("unknown_card", "/openings/0/number"):
        sealed.send(again(sealed, reveal, openings=at_path(openings, [0, "number"], 1010)))
    with refused("bad_integer", "/openings/0/number"):
        sealed.send(again(sealed, reveal, openings=at_path(openings, [0, "number"], 0)))


def test_a_reveal_that_opens_other_than_what_it_uses(sealed: Table, reveal: Message) -> None:
    openings = reveal.body["openings"]
    hand = sealed.game.state.board.hands[0]
    other = next(i for i in hand if i not in [o["position"] for o in openings])
    extra = {**openings[0], "position": other}
    lists: list[list[Any]] = [
        [],
        openings[1:],
        [*openings, openings[-1]],
        [openings[0], *openings],
        openings[::-1],
        sorted([*openings, extra], key=lambda opening: opening["position"]),
    ]
    for wrong in lists:
        with refused("wrong_openings", "/openings"):
            sealed.send(again(sealed, reveal, openings=wrong))
    with refused("bad_integer", "/openings/0/position"):
        sealed.send(again(sealed, reveal, openings=at_path(openings, [0, "position"], 40)))


def test_a_choice_of_another_form(sealed: Table, reveal: Message) -> None:
    """Each course and each position once, ascending, and nothing but what the page names."""
    choice = reveal.body["choice"]
    i, dish = served(reveal)
    hand = sealed.game.state.board.hands[0]
    absent = next(index for index in range(40) if index not in hand)
    first = dish["ingredients"][0]
    at = f"/choice/dishes/{i}"
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"ingredients": [first, first]}, "ingredient_order", f"{at}/ingredients/1"),
        ({"ingredients": [dish["recipe"]]}, "card_twice", f"{at}/ingredients/0"),
        ({"ingredients": [absent]}, "not_in_hand", f"{at}/ingredients/0"),
        ({"recipe": absent}, "not_in_hand", f"{at}/recipe"),
        ({"recipe": True}, "malformed", f"{at}/recipe"),
        ({"course": 4}, "unknown_course", f"{at}/course"),
        ({"course": "1"}, "unknown_course", f"{at}/course"),
        ({"note": 1}, "malformed", at),
    ]
    for changes, code, pointer in cases:
        dishes = at_path(choice["dishes"], [i], {**dish, **changes})
        with refused(code, pointer):
            sealed.send(again(sealed, reveal, choice={"dishes": dishes}))
    twice = {"dishes": [dish, {"course": dish["course"], "recipe": None, "ingredients": []}]}
    with refused("course_order", "/choice/dishes/1/course"):
        sealed.send(again(sealed, reveal, choice=twice))
    with refused("malformed", "/choice"):
        sealed.send(again(sealed, reveal, choice={**choice, "note": ""}))
    with refused("bad_shape", "/choice"):
        sealed.send(again(sealed, reveal, choice=[]))


def test_recipe_and_ingredient_exchanged(sealed: Table, reveal: Message) -> None:
    i, dish = served(reveal)
    others = sorted([dish["recipe"], *dish["ingredients"][1:]])
    changed = {**dish, "recipe": dish["ingredients"][0], "ingredients": others}
    choice = {"dishes": at_path(reveal.body["choice"]["dishes"], [i], changed)}
    with pytest.raises(Refused) as caught:
        sealed.send(again(sealed, reveal, choice=choice))
    assert caught.value.code in ("not_a_recipe", "not_an_ingredient")
    no_recipe = {**dish, "recipe": None, "ingredients": sorted([dish["recipe"], *dish["ingredients"]])}
    choice = {"dishes": at_path(reveal.body["choice"]["dishes"], [i], no_recipe)}
    with pytest.raises(Refused) as caught:
        sealed.send(again(sealed, reveal, choice=choice))
    assert caught.value.code == "not_an_ingredient"


def test_another_meal_than_the_one_sealed(sealed: Table, reveal: Message) -> None:
    _, dish = served(reveal)
    course = next(c for c in (1, 2, 3) if c not in [d["course"] for d in reveal.body["choice"]["dishes"]])
    moved = {"dishes": sorted([{**dish, "course": course}], key=lambda d: d["course"])}
    opened = {dish["recipe"], *dish["ingredients"]}
    openings = [o for o in reveal.body["openings"] if o["position"] in opened]
    with refused("wrong_reveal", "/choice"):
        sealed.send(again(sealed, reveal, choice=moved, openings=openings))
    with refused("wrong_reveal", "/choice"):
        sealed.send(again(sealed, reveal, choice={"dishes": []}, openings=[]))


def test_a_refused_reveal_changes_nothing(sealed: Table, reveal: Message) -> None:
    copy = sealed.copy()
    before = copy.game
    with refused("wrong_reveal"):
        copy.send(again(copy, reveal, blinding=b64(bytes(32))))
    assert copy.game == before
    assert copy.send(reveal) == []


def test_a_reveal_of_another_form(sealed: Table, reveal: Message) -> None:
    for body, code, pointer in (
        (without(reveal.body, "openings"), "missing_field", "/openings"),
        ({**reveal.body, "link": b64(bytes(64))}, "unknown_field", "/link"),
        ({**reveal.body, "openings": {}}, "bad_list", "/openings"),
        (at_path(reveal.body, ["openings", 0], {}), "missing_field", "/openings/0/position"),
        (at_path(reveal.body, ["openings", 0, "position"], "1"), "bad_integer", "/openings/0/position"),
    ):
        with refused(code, pointer):
            sealed.send(signed(sealed, 0, "reveal", body, reveal.step))


# A reveal that is owed is judged as strictly


def test_an_owed_reveal_is_judged_like_any_other() -> None:
    table = round_two()
    table.answer(0, 1)
    table.answer(0)
    table.lapse()
    seat, kept = table.seats[1], table.kept[1]
    owed = seat.reveal(table.views[1], kept)
    with refused("wrong_reveal", "/choice"):
        table.send(again(table, owed, blinding=b64(encode_scalar(7))))
    with refused("wrong_openings", "/openings"):
        table.send(again(table, owed, openings=[]))
    i, dish = served(owed)
    swapped = {**dish, "recipe": None, "ingredients": sorted([dish["recipe"], *dish["ingredients"]])}
    choice = {"dishes": at_path(owed.body["choice"]["dishes"], [i], swapped)}
    with refused("not_an_ingredient"):
        table.send(again(table, owed, choice=choice))
    with refused("wrong_kind", "/kind"):
        table.send(signed(table, 1, "reveal", owed.body, table.game.step))
    with refused("wrong_step", "/step"):
        table.send(signed(table, 1, "reveal", owed.body, owed.step - 1))
    table.send(owed)
    with refused("wrong_step", "/step"):
        table.send(owed)


def test_a_final_round_has_one_course_which_is_the_entree() -> None:
    """Course 2 in name, the first in the proof (section 9)."""
    table = Table.chef(6)
    while not (table.game.state.board.final and table.game.asking and table.game.asking.kind == "seal"):
        table.step()
    packing = table.game.rules.packing(table.game.state, 0)
    assert packing.boxes == 1
    seals = [table.message(seat) for seat in (0, 1)]
    assert len(unb64(seals[0].body["proof"])) == 48 * 4 + 32 * (len(packing.hand) + 5)
    for message in seals:
        table.send(message)
    reveal = table.message(0)
    dishes = reveal.body["choice"]["dishes"]
    assert [dish["course"] for dish in dishes] == [2]
    for course in (1, 3):
        choice = {"dishes": [{**dishes[0], "course": course}]}
        with refused("unknown_course", "/choice/dishes/0/course"):
            table.send(again(table, reveal, choice=choice))
    table.send(reveal)
    table.answer(1)


def test_the_late_reveals_one_time_cards_are_discarded() -> None:
    """Silence keeps nothing: what was served and is one-time is gone all the same (chef 11)."""
    for seed in range(200):
        table = Table.chef(seed)
        table.choose = hearty
        table.until("seal")
        table.answer(0, 1)
        openings = table.message(1).body["openings"]
        if not any(table.game.header.cards[o["number"]].one_time for o in openings):
            continue
        table.answer(0)
        table.lapse()
        assert table.game.state.board.discards[1] == ()
        table.pay(1)
        gone = table.game.state.board.discards[1]
        assert gone == tuple(o["position"] for o in openings if table.game.header.cards[o["number"]].one_time)
        assert not set(gone) & set(table.game.state.board.hands[1])
        assert table.views[1].state.board == table.game.state.board
        return
    raise AssertionError("no one-time card was served")


def test_what_is_kept_is_written_as_plain_json(sealed: Table) -> None:
    kept = sealed.kept[0]
    assert set(kept.json()) == {"step", "choice", "fresh"}
    assert isinstance(kept, SealedChoice)


# One product for all that a reveal opens


def test_a_reveal_takes_one_product(sealed: Table, reveal: Message) -> None:
    assert len(reveal.body["openings"]) > 1
    with products(engine()) as made:
        examine(sealed.game, reveal, AtOnce())
    assert len(made) == 1
    once = Remembering()
    with products(engine()) as made:
        for _ in range(3):
            examine(sealed.game, reveal, once)
    assert len(made) == 1


def test_what_is_remembered_is_what_held(sealed: Table, reveal: Message) -> None:
    once = Remembering()
    wrong = again(sealed, reveal, blinding=b64(encode_scalar(5)))
    for _ in range(2):
        with refused("wrong_reveal", "/choice"):
            examine(sealed.game, wrong, once)
    examine(sealed.game, reveal, once)
    with refused("wrong_reveal", "/choice"):
        examine(sealed.game, wrong, once)
    with products(engine()) as made:
        examine(sealed.game, reveal, once)
    assert made == []


def test_who_trusts_a_record_multiplies_nothing(sealed: Table, reveal: Message) -> None:
    with products(engine()) as made:
        passed = examine(sealed.game, reveal, Trusting())
    assert made == []
    opened = {opening["position"]: opening["number"] for opening in reveal.body["openings"]}
    assert isinstance(passed, Revealed)
    assert {card.number for card in passed.faces.values()} == set(opened.values())
    assert len(passed.faces) == len(opened)


def test_the_first_thing_wrong_with_a_reveal_is_named(sealed: Table, reveal: Message) -> None:
    openings, blinding = reveal.body["openings"], b64(encode_scalar(5))
    last = len(openings) - 1
    wrong = at_path(openings, [last, "blinding"], blinding)
    with refused("wrong_opening", f"/openings/{last}"):
        sealed.send(again(sealed, reveal, openings=wrong, blinding=blinding))
    with refused("wrong_opening", "/openings/0"):
        sealed.send(again(sealed, reveal, openings=at_path(wrong, [0, "blinding"], blinding)))
    unknown = at_path(openings, [last, "number"], 1010)
    with refused("unknown_card", f"/openings/{last}/number"):
        sealed.send(again(sealed, reveal, openings=unknown, blinding=blinding))
    with refused("wrong_opening", "/openings/0"):
        sealed.send(again(sealed, reveal, openings=at_path(unknown, [0, "blinding"], blinding)))
    with refused("unknown_card", "/openings/0/number"):
        sealed.send(again(sealed, reveal, openings=at_path(wrong, [0, "number"], 1010)))
