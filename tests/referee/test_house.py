"""A house that cheats is found out, by everybody who has the record (protocol sections 7 and 10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from cards.games import french
from cards.games.contract import Move, State
from crypto.encoding import b64
from referee import Game, Refused, apply, close, duty_of
from referee.checks import Trusting
from referee.game import ShownDue
from tests.referee.forger import Crook, at_path, found, refused, report
from tests.referee.table import Table

KEEP: Move = {"choice": "keep"}
EXPOSABLE = ("10C", "JD", "AH", "QS")


def cook(table: Table, seat: int) -> Move:
    game = table.views[seat]
    assert game.asking is not None
    if game.asking.kind == "move":
        return KEEP
    move: Move = game.rules.legal(game.state, seat).sample(table.rng)
    return move


def before(table: Table, kind: str) -> tuple[Crook, dict[str, Any], int]:
    """A house about to write its newest entry, of that kind: with the body and step that belong there."""
    good = table.record[-1]
    assert good.kind == kind
    crook = Crook(table.copy(), list(table.record[:-1]))
    return crook, dict(good.body), good.step


def account() -> tuple[Crook, dict[str, Any], int]:
    """A match whose first round was just served."""
    table = Table.chef(3)
    table.choose = cook
    table.until("reveal")
    table.answer(0, 1)
    return before(table, "account")


# Accounts and results


def test_a_wrong_account() -> None:
    crook, good, step = account()
    entries = list(crook.entries)
    points, lines = good["points"], good["lines"]
    wrong = [
        {**good, "points": [points[0] + 1, points[1]]},
        {**good, "points": points[::-1] if points[0] != points[1] else [*points, 0]},
        {**good, "points": [bool(points[0]), bool(points[1])]},
        {**good, "lines": lines[1:]},
        {**good, "lines": at_path(lines, [0, "text"], "Round 2")},
        {**good, "lines": []},
        {**good, "note": ""},
        {"points": points},
    ]
    for body in wrong:
        crook.entries = list(entries)
        crook.write("account", body, step)
        assert found(crook.entries, unfinished=True) == (
            len(entries),
            "wrong_account",
            f"/entries/{len(entries)}/body",
        )


def test_a_true_that_python_takes_for_one() -> None:
    """JSON's true is not 1: a verifier in another language would tell them apart."""
    table = Table.chef()
    table.choose = lambda table, seat: {"choice": "redraw"} if seat == 1 else KEEP
    table.until("move")
    table.answer(0, 1)
    crook, good, step = before(table, "account")
    assert good["points"] == [1, 0]
    crook.write("account", {**good, "points": [True, False]}, step)
    with refused("wrong_account", "/body"):
        crook.fold()


def test_an_account_left_out() -> None:
    crook, _, _ = account()
    table = crook.table
    link = table.message(0)
    crook.enter(link)
    with refused("not_due", "/kind"):
        crook.fold()


def test_an_account_that_nobody_asked_for() -> None:
    crook, good, step = account()
    crook.write("account", good, step)
    crook.write("account", good, step)
    with refused("not_due", "/kind"):
        crook.fold()


def ended() -> tuple[Crook, dict[str, Any], int]:
    table = Table.chef(3)
    table.choose = cook
    table.until("seal")
    table.send(table.seats[0].resign(table.views[0]))
    return before(table, "result")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["outcome", "winners"], [0]),
        (["outcome", "winners"], [0, 1]),
        (["outcome", "winners"], [True]),
        (["outcome", "points"], [0, 30]),
        (["outcome", "points"], [False, False]),
        (["outcome", "reason"], "points"),
        (["outcome"], None),
    ],
)
def test_a_wrong_result(path: list[Any], value: Any) -> None:
    crook, good, step = ended()
    crook.write("result", at_path(good, path, value), step)
    place = len(crook.entries) - 1
    assert found(crook.entries) == (place, "wrong_result", f"/entries/{place}/body")


def test_a_result_that_is_not_due() -> None:
    table = Table.chef(3)
    table.until("seal")
    crook = Crook.of(table)
    body = {"outcome": {"points": [0, 0], "winners": [0], "reason": "resigned"}}
    crook.write("result", body, table.game.step)
    with refused("not_due", "/kind"):
        crook.fold()


@pytest.mark.parametrize("kind", ["deal", "turn", "shown", "account", "result"])
def test_a_house_speaks_only_when_something_is_due(kind: str) -> None:
    for table in (Table.chef(), Table.hearts()):
        table.until("move")
        crook = Crook.of(table)
        crook.write(kind, {}, table.game.step)
        with refused("not_due", "/kind"):
            crook.fold()


def test_an_entry_of_the_house_bears_the_newest_step() -> None:
    for make, wrong in ((account, 1), (ended, 1), (ended, -1)):
        crook, good, step = make()
        crook.write("account" if make is account else "result", good, step + wrong)
        with refused("wrong_step", "/step"):
            crook.fold()


# Hearts: cards that are told, played and shown


class Liar(Table):
    """A house that shuffles by hand: after the deal it exchanges two cards, tells and plays them so."""

    swap: Callable[[Game], tuple[int, int]] = staticmethod(lambda game: (0, 1))

    def _tell_faces(self) -> None:
        one, other = self.swap(self.game)
        faces = dict(self.game.state.faces)
        faces[one], faces[other] = faces[other], faces[one]
        self.game = replace(self.game, state=State(self.game.state.board, faces))
        super()._tell_faces()


def liar(swap: Callable[[Game], tuple[int, int]]) -> Liar:
    """A round of hearts under such a house, up to the moment when the deal is shown."""
    table = Liar.hearts(3)
    assert isinstance(table, Liar)
    table.swap = swap
    with refused("house_fault", "/body/link"):
        table.play()
    assert table.record[-1].kind == "shown"
    return table


@pytest.mark.parametrize("swap", [(0, 1), (0, 20), (3, 50), (16, 17)])
def test_cards_exchanged_after_the_deal(swap: tuple[int, int]) -> None:
    """The link says what was dealt, the moves say something else: the house's fault, for everybody."""
    table = liar(lambda game: swap)
    place = len(table.record) - 1
    assert found(table.record, unfinished=True) == (place, "house_fault", f"/entries/{place}/body/link")


def test_a_hand_given_to_another_seat() -> None:
    """The house deals its friend the queen of spades' place in another hand."""

    def swap(game: Game) -> tuple[int, int]:
        faces = game.state.faces
        queen = next(p for p in range(51) if faces[p] == "QS")
        other = next(p for p in range(51) if p // 17 != queen // 17 and faces[p].endswith("S"))
        return queen, other

    liar(swap)


def at_cards(seed: int = 0) -> Table:
    """A game of three at its first card; everybody was done at once."""
    table = Table.hearts(3, seed)
    table.until("move", topic="expose")
    table.choose = lambda table, seat: {"done": True}
    table.answer(0, 1, 2)
    table.choose = lambda table, seat: table.views[seat].rules.absent(table.views[seat].state, seat)
    return table


def broken_off(crook: Crook, fold: Game) -> Game:
    """Seat 2 resigns, the house shows the deal and ends the game, as it must."""
    table = crook.table
    fold = apply(fold, crook.enter(table.seats[2].resign(fold), fold.at), Trusting())
    duty = duty_of(fold)
    assert isinstance(duty, ShownDue)
    link = b64(table.keeper.chain.link(duty.deal))
    return apply(fold, crook.write("shown", {"deal": duty.deal, "link": link}, fold.step), Trusting())


def test_a_game_broken_off_is_shown_and_right() -> None:
    table = at_cards()
    table.answer(*table.asked())
    fold = broken_off(Crook.of(table), table.spectator)
    assert fold.trail is None
    assert fold.state.faces == table.game.state.faces


def revoke() -> tuple[Table, Move]:
    """A seat that could follow suit, and a card of another suit that it plays."""
    for seed in range(50):
        table = at_cards(seed)
        table.answer(*table.asked())
        (seat,) = table.asked()
        faces = table.game.state.faces
        led = french.suit(faces[table.game.state.board.trick[0]])
        hand = sorted(table.game.state.board.hands[seat])
        other = next(p for p in hand if french.suit(faces[p]) != led)
        if any(french.suit(faces[p]) == led for p in hand):
            return table, {"play": other, "card": faces[other]}
    raise AssertionError("nobody can follow")


def test_a_house_that_lets_an_illegal_move_pass() -> None:
    table, move = revoke()
    (seat,) = table.asked()
    message = table.seats[seat].move(table.views[seat], move)
    with refused("must_follow", "/move/play"):
        table.send(message)
    crook = Crook.of(table)
    fold = apply(table.spectator, crook.enter(message))
    with pytest.raises(Refused, match="illegal move") as caught:
        broken_off(crook, fold)
    assert caught.value.code == "house_fault"
    place = len(crook.entries) - 1
    assert crook.head.kind == "shown"
    assert found(crook.entries, unfinished=True) == (place, "house_fault", f"/entries/{place}/body/link")


def test_a_house_that_plays_another_card_for_an_absent_seat() -> None:
    table = at_cards()
    (seat,) = table.asked()
    lowest = table.game.rules.absent(table.game.state, seat)
    other = next(move for move in table.game.rules.legal(table.game.state, seat) if move != lowest)
    crook, asking = Crook.of(table), table.game.asking
    assert asking is not None
    body = {"seat": seat, "kind": "move", "move": other}
    entry = crook.write("timeout", body, asking.step, asking.deadline + 1)
    with refused("wrong_move", "/body/move"):
        apply(table.views[seat], entry)
    fold = apply(table.spectator, entry)
    with pytest.raises(Refused, match="absent") as caught:
        broken_off(crook, fold)
    assert caught.value.code == "house_fault"


def test_a_house_that_plays_nothing_for_an_absent_seat() -> None:
    table = at_cards()
    (seat,) = table.asked()
    crook, asking = Crook.of(table), table.game.asking
    assert asking is not None
    body = {"seat": seat, "kind": "move", "move": None}
    crook.write("timeout", body, asking.step, asking.deadline + 1)
    with refused("choice_lacking"):
        crook.fold()


def three_exposed() -> tuple[Table, str]:
    """A game in which three of the four cards are exposed; the code of the fourth, which is not."""
    table = Table.hearts(3)
    table.until("move", topic="expose")
    for _ in range(3):
        moves = [
            (seat, move)
            for seat in range(3)
            for move in table.views[seat].rules.legal(table.views[seat].state, seat)
            if "expose" in move
        ]
        seat, move = moves[0]
        table.send(table.seats[seat].move(table.views[seat], move))
    good = table.record[-1]
    assert good.kind == "turn"
    return table, good.body["faces"][0]["card"]


def test_a_house_that_turns_up_another_card() -> None:
    table, fourth = three_exposed()
    crook, good, step = before(table, "turn")
    position = good["faces"][0]["position"]
    owner = position // 17
    prefix = list(crook.entries)
    fold = crook.fold()
    seats = [replay(table, prefix, seat) for seat in range(3)]
    hidden = [p for p in range(51) if p not in fold.state.faces and p != position]
    elsewhere = next(p for p in hidden if p // 17 == (owner + 1) % 3)
    entry = crook.write("turn", {"faces": [{"position": elsewhere, "card": fourth}]}, step)
    for seat in (owner, elsewhere // 17):
        with pytest.raises(Refused) as caught:
            apply(seats[seat], entry)
        assert caught.value.code == "wrong_turn"
    third = apply(fold, entry)
    with pytest.raises(Refused) as caught:
        broken_off(crook, third)
    assert caught.value.code == "house_fault"


def replay(table: Table, entries: list[Any], seat: int) -> Game:
    """A seat's fold of the entries, with the faces that it was told."""
    game = apply(None, entries[0])
    for entry in entries[1:]:
        game = apply(game, entry, Trusting())
        if entry.kind == "deal":
            hand = game.state.board.hands[seat]
            game = game.knowing({p: table.game.state.faces[p] for p in hand})
    return game


@pytest.mark.parametrize(
    ("faces", "code", "pointer"),
    [
        ([], "not_the_fourth", "/body/faces"),
        ([{"position": 0, "card": "2H"}], "not_the_fourth", "/body/faces"),
        ([{"position": 0, "card": None}], "not_the_fourth", "/body/faces"),
        ([{"position": 0, "card": ["QS"]}], "not_the_fourth", "/body/faces"),
        ([{"position": -1, "card": "QS"}], "bad_integer", "/body/faces/0/position"),
        ([{"position": 51, "card": "QS"}], "not_the_fourth", "/body/faces"),
        ([{"position": 0}], "missing_field", "/body/faces/0/card"),
        ({}, "bad_list", "/body/faces"),
    ],
)
def test_a_turn_that_says_something_else(faces: Any, code: str, pointer: str) -> None:
    table, _ = three_exposed()
    crook, _, step = before(table, "turn")
    crook.write("turn", {"faces": faces}, step)
    with refused(code, pointer):
        crook.fold()


def test_a_card_exposed_that_is_not_there() -> None:
    """A player and the house expose another's card: its owner sees it at once, all others in the end."""
    table = Table.hearts(3)
    table.until("move", topic="expose")
    faces = table.game.state.faces
    queen = next(p for p in range(51) if faces[p] == "QS")
    owner = queen // 17
    seat = (owner + 1) % 3
    position = next(p for p in sorted(table.game.state.board.hands[seat]) if faces[p] not in EXPOSABLE)
    message = table.seats[seat].move(table.views[seat], {"expose": position, "card": "QS"})
    crook = Crook.of(table)
    entry = crook.enter(message)
    with refused("not_that_card", "/move/card"):
        apply(table.views[owner], entry)
    with refused("not_that_card", "/move/card"):
        apply(table.views[seat], entry)
    fold = apply(table.spectator, entry)
    with pytest.raises(Refused, match="not the one dealt") as caught:
        broken_off(crook, fold)
    assert caught.value.code == "house_fault"


def test_faces_told_to_a_seat_that_were_not_dealt() -> None:
    """Told one thing and dealt another: that seat's own fold convicts the house."""
    table = at_cards()
    faces = table.game.state.faces
    lied = table.views[1].knowing({17: faces[18], 18: faces[17]})
    crook = Crook.of(table)
    broken_off(crook, table.spectator)
    resign, shown = crook.entries[-2:]
    lied = apply(lied, resign)
    with pytest.raises(Refused, match="another card was shown") as caught:
        apply(lied, shown)
    assert caught.value.code == "house_fault"
    assert report(crook.entries, unfinished=True).valid


# Showing


def shown_due() -> tuple[Crook, dict[str, Any], int]:
    """A game broken off whose deal is to be shown."""
    table = at_cards()
    table.answer(*table.asked())
    table.send(table.seats[2].resign(table.views[2]))
    table.record.pop()
    return before(table, "shown")


@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        (lambda chain: {"link": b64(chain.link(2))}, "wrong_link", "/body/link"),
        (lambda chain: {"link": b64(chain.anchor)}, "wrong_link", "/body/link"),
        (lambda chain: {"link": b64(bytes(64))}, "wrong_link", "/body/link"),
        (lambda chain: {"link": None}, "bad_bytes", "/body/link"),
        (lambda chain: {"deal": 2, "link": b64(chain.link(2))}, "wrong_deal", "/body/deal"),
        (lambda chain: {"deal": True}, "bad_integer", "/body/deal"),
        (lambda chain: {"faces": []}, "unknown_field", "/body/faces"),
    ],
)
def test_a_wrong_link_shown(change: Callable[[Any], Any], code: str, pointer: str) -> None:
    crook, good, step = shown_due()
    crook.write("shown", {**good, **change(crook.table.keeper.chain)}, step)
    with refused(code, pointer):
        crook.fold()


def test_no_result_before_every_deal_is_shown() -> None:
    crook, _, step = shown_due()
    outcome = {"points": [0, 0, 0], "winners": [0, 1], "reason": "resigned"}
    crook.write("result", {"outcome": outcome}, step)
    with refused("not_due", "/kind"):
        crook.fold()


def round_over() -> Table:
    """A game of three after its first round."""
    table = Table.hearts(3)
    table.until("link")
    table.answer(0, 1, 2)
    table.until("link")
    return table


def test_a_deal_is_shown_before_the_next_links() -> None:
    table = round_over()
    kinds = [entry.kind for entry in table.record]
    assert kinds[-2:] == ["account", "shown"]
    crook = Crook(table.copy(), table.record[:-1])
    crook.enter(table.message(0))
    with refused("not_due", "/kind"):
        crook.fold()


def test_a_wrong_account_of_a_round_of_hearts() -> None:
    table = round_over()
    account, crook = table.record[-2], Crook(table.copy(), table.record[:-2])
    points = account.body["points"]
    crook.write("account", {**account.body, "points": [points[0] + 10, *points[1:]]}, account.step)
    with refused("wrong_account", "/body"):
        crook.fold()


def test_a_secret_deal_hides_its_link_and_says_how_much() -> None:
    table = Table.hearts(3)
    table.until("link")
    table.answer(0, 1, 2)
    crook, good, step = before(table, "deal")
    entries = list(crook.entries)
    chain = table.keeper.chain
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"link": b64(chain.link(1))}, "wrong_link", "/body/link"),
        ({"drawn": [{"seat": None, "count": 52}]}, "wrong_draw", "/body/drawn"),
        ({"drawn": [{"seat": 0, "count": 51}]}, "wrong_draw", "/body/drawn"),
        ({"drawn": [{"seat": None, "count": 51, "positions": []}]}, "wrong_draw", "/body/drawn"),
        ({"drawn": []}, "bad_length", "/body/drawn"),
    ]
    for change, code, pointer in cases:
        crook.entries = list(entries)
        crook.write("deal", {**good, **change}, step)
        with refused(code, pointer):
            crook.fold()


def test_a_house_that_closes_a_step_twice_writes_nothing_twice() -> None:
    table = Table.chef()
    table.until("move")
    waiting = {seat: table.message(seat) for seat in (0, 1)}
    after, entries = close(table.keeper, table.game, waiting, table.now)
    crook = Crook.of(table)
    crook.entries += entries
    again, more = close(table.keeper, table.game, waiting, table.now)
    assert (again, more) == (after, entries), "the same bytes, so no fork"
