"""Cards that were played are shuffled in secret while others are still in hands (protocol section 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards.games.contract import State
from referee import Refused
from referee.faces import by_deal
from tests.referee.forger import report
from tests.referee.shuffled_kit import lowest
from tests.referee.table import Table


def begun(kind: type[Table] = Table) -> Table:
    """A game of four with no stock."""
    table = kind.open("big-c", 4, options={"hand": 27})
    table.choose = lowest
    return table


def until(table: Table, deals: int) -> Table:
    """Play to the step after so many deals."""
    for _ in range(2_000):
        if table.game.deals == deals or table.game.over:
            return table
        table.step()
    raise AssertionError("so many deals there never are")


def test_every_deal_is_shown_at_the_end_in_order_and_the_record_is_valid() -> None:
    table = until(begun(), 4)
    assert table.game.unshown == (2, 3, 4)
    assert list(table.game.firsts.values())[:2] == [0, 108]
    table.send(table.seats[1].resign(table.views[1]))
    kinds = [(entry.kind, entry.body.get("deal")) for entry in table.record]
    assert [deal for kind, deal in kinds if kind == "shown"] == [2, 3, 4]
    assert [entry.body["link"] is None for entry in table.record if entry.kind == "deal"] == [
        False,
        True,
        True,
        True,
    ]
    told = report(table.record)
    assert told.valid, told.fault
    assert told.game is not None
    assert told.game.state == table.game.state
    assert told.game.unshown == ()
    assert told.game.firsts == {}


def test_each_card_is_told_in_the_name_of_the_deal_that_brought_it() -> None:
    table = until(begun(), 4)
    game, mode = table.game, table.game.rules
    for seat in range(4):
        own = mode.sees(game.state, seat) - mode.sees(game.state, None)
        told = by_deal(game, {p: game.state.faces[p] for p in own})
        bounds = [*game.firsts.values(), 10_000]
        for deal, faces in told.items():
            number = game.unshown.index(deal)
            assert all(bounds[number] <= p < bounds[number + 1] for p in faces)
        assert {p for faces in told.values() for p in faces} == own
    assert by_deal(game, {}) == {}


class Liar(Table):
    """A house that exchanges two of the cards that were shuffled again, and tells and plays them so."""

    lied: int = 0
    """About which deal."""

    def _tell_faces(self) -> None:
        state, newest = self.game.state, self.game.unshown[-1:] or (0,)
        first = self.game.firsts.get(newest[0], 0)
        drawn = [p for hand in state.board.hands for p in hand if p >= first > 0]
        others = [p for p in state.board.stock if drawn and state.faces[p] != state.faces[drawn[0]]]
        if others and not self.lied:
            faces = {**state.faces, drawn[0]: state.faces[others[0]], others[0]: state.faces[drawn[0]]}
            self.game = replace(self.game, state=State(state.board, faces))
            self.lied = newest[0]
        super()._tell_faces()


def test_a_card_that_was_told_and_not_dealt_is_found_when_its_deal_is_shown() -> None:
    table = begun(Liar)
    assert isinstance(table, Liar)
    while not table.lied:
        table.step()
    assert table.lied > 3, "deals of which nothing is wrong are shown before"
    with pytest.raises(Refused) as caught:
        table.send(table.seats[1].resign(table.views[1]))
    assert (caught.value.code, caught.value.pointer) == ("house_fault", "/body/link")
    shown = [entry.body["deal"] for entry in table.record if entry.kind == "shown"]
    assert shown == list(range(2, table.lied + 1))
