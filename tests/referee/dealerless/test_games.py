"""Whole games without a dealer: each record is verified offline, and each snapshot loses nothing."""

from __future__ import annotations

import pytest

from cards.games.contract import Move
from cards.games.hearts.table import EXPOSABLE
from crypto.encoding import b64
from referee import Refused, write_message
from tests.referee.dealerless.kit import Dealerless, verified
from tests.referee.table import Table, at_random


def exposing(table: Table, seat: int) -> Move:
    """Expose whatever can be, and else play at random."""
    game = table.views[seat]
    moves = [move for move in game.rules.legal(game.state, seat) if "expose" in move]
    return moves[0] if moves else at_random(table, seat)


def test_the_fourth_card_is_sought_and_nothing_else_is_shown() -> None:
    table = Dealerless.sit("hearts", 3, seed=2)
    table.choose = exposing
    table.until("unlock")
    game = table.game
    held = {seat: hand for seat in range(3) if (hand := table.seats[seat].hand(game))}
    holder = next(s for s, hand in held.items() for p in game.state.board.hands[s] if hand[p] in EXPOSABLE)
    others = sorted(game.asking.seats - {holder}) if game.asking else []
    known = game.state.faces.keys()
    denied = table.answer(*others)
    assert [entry.body["positions"] for entry in denied] == [[]] * len(others)
    assert table.game.state.faces.keys() == known, "who has none shows none"
    shown, turned = table.answer(holder)[:2]
    assert (shown.kind, turned.kind) == ("unlock", "turn")
    assert len(table.game.state.faces.keys() - known) == 1
    table.choose = at_random
    table.until("move", topic="card")
    verified(table)


def test_the_house_s_mix_asks_the_first_seat_whose_mix_follows_from_it() -> None:
    """Else a house with two mixes would get two of that seat's with the same t, and read its permutation."""
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("mix")
    asking, last = table.game.asking, table.record[-1]
    assert asking is not None
    assert (last.kind, last.actor, asking.opened) == ("mix", "house", last.seq)
    message = table.message(0)
    older = table.record[-2]
    seen = {"seq": older.seq, "digest": b64(older.digest)}
    body = {**message.body, "seen": seen}
    who = table.seats[0]
    with pytest.raises(Refused) as refused:
        table.send(write_message(who.private, message.game, message.step, 0, "mix", body))
    assert refused.value.code == "seen_too_old"
    table.send(message)
