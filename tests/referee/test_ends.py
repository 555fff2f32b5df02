"""Resigning and draws (protocol section 10)."""

from __future__ import annotations

import pytest

from crypto.encoding import b64
from referee import Entry, Message, Refused, waits
from tests.referee.forger import Crook, again, refused, report, signed
from tests.referee.table import Table, quietly


def match() -> Table:
    table = Table.chef()
    table.choose = quietly
    return table


def offer(table: Table, seat: int) -> Message:
    return table.seats[seat].offer_draw(table.views[seat])


def draw(table: Table, seat: int) -> list[Entry]:
    return table.send(offer(table, seat))


def resign(table: Table, seat: int) -> list[Entry]:
    return table.send(table.seats[seat].resign(table.views[seat]))


def offers(table: Table) -> list[bool]:
    return [seat.offers_draw for seat in table.game.seats]


def ended(table: Table) -> tuple[tuple[int, ...], str]:
    found = report(table.record)
    assert found.valid, found.fault
    assert found.game is not None
    assert found.game.outcome is not None
    return found.game.outcome.winners, found.game.outcome.reason


@pytest.mark.parametrize("kind", ["enter", "ready", "link"])
def test_nobody_resigns_or_draws_before_deal_1(kind: str) -> None:
    table = match()
    table.until(kind)
    for act in (resign, draw):
        with refused("too_early", "/kind"):
            act(table, 0)


@pytest.mark.parametrize("kind", ["move", "seal", "reveal", "link"])
def test_a_chef_may_resign_at_any_step(kind: str) -> None:
    table = match()
    table.until("move")
    if kind == "link":
        table.until("reveal")
    table.until(kind)
    entries = resign(table, 0)
    assert [entry.kind for entry in entries] == ["resign", "result"]
    assert ended(table) == ((1,), "resigned")
    for act in (resign, draw):
        with refused("game_over", "/step"):
            act(table, 1)


def test_held_messages_never_enter_after_the_result() -> None:
    table = match()
    table.until("reveal")
    message = table.message(0)
    assert waits(table.game, message)
    table.send(message)
    resign(table, 1)
    assert [entry.kind for entry in table.record].count("reveal") == 0
    crook = Crook.of(table)
    crook.enter(message)
    with refused("after_result", "/seq"):
        crook.fold()


def test_one_who_has_answered_may_resign_while_others_think() -> None:
    table = match()
    table.until("move")
    assert table.answer(0) == []
    resign(table, 0)
    assert ended(table) == ((1,), "resigned")


def test_a_message_just_too_late_for_its_step_still_resigns() -> None:
    """A resignation bears the step running or just closed; older ones are refused."""
    table = match()
    table.until("seal")
    early = table.seats[1].resign(table.views[1])
    table.answer(0, 1)
    table.answer(0, 1)
    copy = table.copy()
    copy.send(early)
    assert ended(copy) == ((0,), "resigned")
    table.answer(0, 1)
    with refused("wrong_step", "/step"):
        table.send(early)


def test_a_resignation_has_seen_what_asked_its_step() -> None:
    table = match()
    table.until("seal")
    message = table.seats[1].resign(table.views[1])
    old = table.record[table.game.seq - 1]
    with refused("seen_too_old", "/seen/seq"):
        table.send(again(table, message, seen={"seq": old.seq, "digest": b64(old.digest)}))


def test_resigning_from_a_game_of_many() -> None:
    table = Table.hearts(4)
    table.until("move", topic="card")
    for _ in range(9):
        table.step()
    entries = resign(table, 2)
    assert [entry.kind for entry in entries] == ["resign", "shown", "result"]
    winners, reason = ended(table)
    assert reason == "resigned"
    assert 2 not in winners


# Draws


def test_all_offers_agree_on_a_draw() -> None:
    table = match()
    table.until("seal")
    assert [entry.kind for entry in draw(table, 1)] == ["draw"]
    assert offers(table) == [False, True]
    assert [entry.kind for entry in draw(table, 0)] == ["draw", "result"]
    assert ended(table) == ((0, 1), "agreed")


def test_all_of_four_must_offer() -> None:
    table = Table.hearts(4)
    table.until("move")
    for seat in (3, 0, 2):
        draw(table, seat)
        assert not table.game.over
    draw(table, 1)
    assert ended(table) == ((0, 1, 2, 3), "agreed")


def test_an_offer_lapses_with_its_senders_next_seal() -> None:
    table = match()
    table.until("seal")
    draw(table, 1)
    table.answer(0)
    assert offers(table) == [False, True], "the other's seal leaves it standing"
    table.answer(1)
    assert offers(table) == [False, False]


def test_an_offer_outlives_its_senders_reveal_and_links() -> None:
    """It stands until the next seal or move, and a reveal is neither."""
    table = match()
    table.until("reveal")
    draw(table, 1)
    table.answer(0, 1)
    assert offers(table) == [False, True]
    table.answer(0, 1)
    assert table.game.asking is not None
    assert table.game.asking.kind == "seal"
    assert offers(table) == [False, True]
    table.answer(1)
    assert offers(table) == [False, False]


def test_an_offer_outlives_an_owed_reveal() -> None:
    table = match()
    table.until("reveal")
    table.answer(0)
    table.lapse()
    draw(table, 1)
    table.pay(1)
    assert offers(table) == [False, True]


def test_an_offer_lapses_with_its_senders_next_move() -> None:
    table = Table.hearts(3)
    table.until("move", topic="card")
    seat = table.asked()[0]
    draw(table, seat)
    table.answer(seat)
    assert offers(table) == [False, False, False]


def test_a_held_move_counts_when_it_enters() -> None:
    """The order of the record decides, not that of the sending."""
    table = match()
    table.choose = lambda table, seat: {"choice": "redraw"}
    table.until("move")
    table.answer(0)
    draw(table, 0)
    assert offers(table) == [True, False]
    table.answer(1)
    assert offers(table) == [False, False]


def test_an_offer_that_stands_is_not_made_again() -> None:
    table = match()
    table.until("seal")
    first = offer(table, 1)
    table.send(first)
    for message in (first, offer(table, 1)):
        with refused("already_offered", "/kind"):
            table.send(message)


def test_a_lapsed_offer_is_not_brought_back_by_its_old_bytes() -> None:
    """Nobody, the house included, can make an offer anew for its sender (section 0, row 6)."""
    table = match()
    table.until("seal")
    old = offer(table, 1)
    table.send(old)
    table.answer(1)
    assert offers(table) == [False, False]
    crook = Crook.of(table)
    crook.enter(old)
    with refused("already_offered", "/kind"):
        crook.fold()
    with refused("already_offered", "/kind"):
        draw(table, 1)
    table.until("link")
    with refused("already_offered", "/kind"):
        table.send(old)
    draw(table, 1)
    assert offers(table) == [False, True], "a new step, a new offer"


def test_a_draw_that_says_more_than_it_may() -> None:
    table = match()
    table.until("seal")
    body = {**offer(table, 0).body, "points": [15, 15]}
    with pytest.raises(Refused) as caught:
        table.send(signed(table, 0, "draw", body, table.game.step))
    assert (caught.value.code, caught.value.pointer) == ("unknown_field", "/points")
