"""A seat that has no choice is answered for at once, and only such a seat (protocol 10.6)."""

from __future__ import annotations

from typing import Any

import pytest

from cards.games.contract import Miss, Missed, Move
from cards.games.cribbage import rules, table
from crypto.encoding import timestamp
from referee import Game, Trusting, apply, dump_game, duty_of, load_game, view
from referee.game import Played, TimeoutDue
from referee.record import HOUSE, write_entry
from tests.referee.forger import Crook, refused, report
from tests.referee.table import Table
from tests.referee.traces_kit import KEEP, after
from vectors.example import HOUSE_PRIVATE_KEY

GO: Move = {"go": True}


def game(seats: int = 2, seed: int = 0, **options: Any) -> Table:
    return Table.open("cribbage", seats, seed=seed, options={"target": "61", **options})


@pytest.mark.parametrize(("seats", "options"), [(2, {}), (3, {}), (4, {}), (2, {"count": "muggins"})])
def test_a_whole_game_verifies(seats: int, options: dict[str, Any]) -> None:
    table = game(seats, seats, **options)
    table.play()
    found = report(table.record)
    assert found.valid, found.fault
    boards = {repr(fold.state.board) for fold in (table.game, table.spectator, *table.views)}
    assert len(boards) == 1
    goes = [entry for entry in table.record if entry.kind == "timeout"]
    assert goes, "somebody had to say go"
    for entry in goes:
        assert entry.body["move"] == GO
        assert entry.at == table.record[entry.seq - 1].at, "nobody waits for it"
    assert not any(entry.body["move"] == GO for entry in table.record if entry.kind == "move")
    kinds = {
        line["kind"] for entry in table.record if entry.kind == "account" for line in entry.body["lines"]
    }
    assert kinds >= {"cut", "dealer", "play", "go", "hand", "crib", "game"}


def test_what_is_laid_away_is_shown_to_nobody_before_the_crib_is() -> None:
    table = game()
    table.until("move", topic="card")
    state = table.game.state
    for seat, fold in ((0, table.views[0]), (1, table.views[1]), (None, table.spectator)):
        shown = {p for p in state.board.crib if p in fold.state.faces}
        assert shown == ({*state.board.hand.laid[seat]} if seat is not None else set())
        assert {*view(table.game, seat)["state"]["faces"]} & {str(p) for p in state.board.crib} == {
            str(p) for p in shown
        }


def test_a_snapshot_keeps_a_go() -> None:
    table = game(seed=2)
    while not any(entry.kind == "timeout" for entry in table.record):
        table.step()
    assert load_game(dump_game(table.game), table.game.header).state == table.game.state


@pytest.mark.parametrize("blind", [True, False])
def test_nobody_is_answered_for_who_has_a_choice(blind: bool) -> None:
    """Everybody knows that any card fits a low count.

    The house never plays a card for a seat that has time.
    """
    table = game()
    table.until("move", topic="card")
    asking = table.game.asking
    assert asking is not None
    (seat,) = asking.seats
    lowest = table.game.rules.absent(table.game.state, seat)
    for move in (GO, lowest, None):
        entry = Crook.of(table).write("timeout", {"seat": seat, "kind": "move", "move": move}, asking.step)
        with refused("too_early", "/at"):
            apply(table.spectator if blind else table.views[seat], entry)


def test_a_house_that_says_go_for_who_could_play_is_found_out_when_the_deal_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its player sees it at once; everybody else, who can't see the hand, at the end of the deal."""
    honest = table.fitting
    with monkeypatch.context() as patch:
        for module in (rules, table):
            patch.setattr(
                module, "fitting", lambda held, faces, count: [] if count > 25 else honest(held, faces, count)
            )
        crooked = game(seed=1)
        crooked.play()
    fault = report(crooked.record).fault
    assert fault is not None
    assert fault.code == "house_fault"
    assert fault.entry is not None
    assert crooked.record[fault.entry].kind == "shown"


# Rules that leave one move, behind entries of the published records


CARD: Move = {"play": 18, "card": "9C"}
NOWHERE = frozenset({99})
"""A position that no fold knows a face of."""


def compelling(
    patch: pytest.MonkeyPatch, game: Game, move: Move, *seats: int, sees: frozenset[int] = frozenset()
) -> None:
    """Rules that leave these seats one move."""
    mode = type(game.rules)
    patch.setattr(mode, "compelled", lambda self, state, seat: move if seat in seats else None)
    patch.setattr(mode, "sees", lambda self, state, seat: sees)


def answered(game: Game, seat: int, move: Any, late: int = 0) -> Game:
    """The game after the house's time-out of a seat: at once, or so much later than its last instant."""
    assert game.asking is not None
    at = game.asking.deadline_of(seat) + late if late else game.at
    body = {"seat": seat, "kind": game.asking.kind, "move": move}
    head = (game.seq, game.digest)
    return apply(
        game, write_entry(HOUSE_PRIVATE_KEY, head, at, game.step, HOUSE, "timeout", body), Trusting()
    )


def test_the_house_must_answer_for_the_first_who_has_no_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(11, "record_hearts")
    for seats, due in (((0, 1, 2), 0), ((1, 2), 1), ((2,), 2)):
        with monkeypatch.context() as patch:
            compelling(patch, game, {"done": True}, *seats)
            assert duty_of(game) == TimeoutDue(due, "move")
            for other in {0, 1, 2} - {due}:
                with refused("not_due", "/body/seat"):
                    answered(game, other, {"done": True})
    compelling(monkeypatch, game, {"done": True})
    assert duty_of(game) is None


def test_a_house_that_must_answer_for_a_seat_is_not_away(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(11, "record_hearts")
    compelling(monkeypatch, game, {"done": True}, 0)
    body = {"from": timestamp(game.at), "until": timestamp(game.at + 1)}
    entry = write_entry(
        HOUSE_PRIVATE_KEY, (game.seq, game.digest), game.at + 1, game.step, HOUSE, "away", body
    )
    with refused("not_due", "/kind"):
        apply(game, entry, Trusting())


def test_it_is_due_only_where_the_hand_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(17, "record_hearts")
    for sees, due in ((frozenset(game.state.faces), TimeoutDue(1, "move")), (NOWHERE, None)):
        with monkeypatch.context() as patch:
            compelling(patch, game, CARD, 1, sees=sees)
            assert duty_of(game) == due


def test_of_choices_made_together_none_is_made_by_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(8)
    compelling(monkeypatch, game, KEEP, 0, 1)
    assert duty_of(game) is None
    with refused("too_early", "/at"):
        answered(game, 0, KEEP)


def test_an_answer_at_once_is_the_one_that_the_rules_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(17, "record_hearts")
    for early in (None, CARD):
        with refused("too_early", "/at"):
            answered(game, 1, early)
    compelling(monkeypatch, game, CARD, 1, sees=NOWHERE)
    for other in (None, {"play": 19, "card": "10C"}):
        with refused("too_early", "/at"):
            answered(game, 1, other)
    for late, why in ((0, Miss.COMPELLED), (1, Miss.CHOICE)):
        then = answered(game, 1, CARD, late)
        assert then.trail is not None
        assert then.trail.items[-1] == Played({1: Missed(why, CARD)}, None)
