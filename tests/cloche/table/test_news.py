"""The news of entries at a terminal: who was late, who had no choice, what came up, what stays hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.text import Text

from bots import default_bot
from cards.games.contract import Outcome
from cloche.commands.words import listed, names_of, result
from cloche.commands.words import told as told_by_a_bot
from cloche.table import layout
from cloche.table.look import Look
from cloche.table.presenter import Misread, View
from cloche.table.presenters import presenter_of
from cloche.table.replaying import Moment, moments
from referee import Entry
from referee.game import Over
from tests.referee.table import Table, at_random, quietly


def news(moment: Moment, seat: int | None = None) -> str:
    """Return what a step tells, as text, to a viewer with the eyes of a seat."""
    game = moment.game
    seen = game.state.seen(game.rules.sees(game.state, seat))
    view = View(replace(game, state=seen), seat, layout.seat_names(game), Look(ascii=True), 80)
    found = layout.news(moment.before, moment.entry, view, presenter_of(game.rules))
    return "\n".join(item.plain for item in found if isinstance(item, Text))


def of_kind(table: Table, kind: str, fits: Callable[[Entry], bool] = lambda entry: True) -> list[Moment]:
    return [step for step in moments(table.record) if step.entry.kind == kind and fits(step.entry)]


@pytest.fixture(scope="module")
def cribbage() -> Table:
    """A game of two bots."""
    table = Table.open("cribbage", 2, seed=2, options={"target": "61"})
    bot = default_bot("cribbage")
    table.choose = lambda t, seat: bot.choose(t.game.rules, t.views[seat].state, seat, t.rng)
    table.play()
    return table


def test_go_is_said_for_a_player_and_lets_no_time_pass(cribbage: Table) -> None:
    gone = of_kind(cribbage, "timeout")
    assert gone, "somebody had to say go"
    for step in gone:
        name = step.game.header.players[step.entry.body["seat"]].name
        assert news(step) == f"{name}: go"
        assert news(step, step.entry.body["seat"]) == "You: go"
        assert told_by_a_bot(step.before, step.entry, step.game) == []


def test_what_others_lay_away_stays_with_them(cribbage: Table) -> None:
    step = of_kind(cribbage, "move", lambda entry: "lay" in entry.body["move"])[0]
    seat = step.entry.seat
    assert seat is not None
    assert news(step, 1 - seat).endswith(": lay two cards away")
    assert news(step, seat).startswith("You: lay ")
    assert "away" not in news(step, seat), "one's own are named"


def test_the_starter_is_named(cribbage: Table) -> None:
    told = [news(step) for step in of_kind(cribbage, "turn")]
    assert any(text.startswith("The starter is ") for text in told)
    assert "" in told, "of the cut for the deal an account tells"


def test_who_was_late_is_named_and_what_the_house_plays() -> None:
    table = Table.hearts(4, 0)
    table.choose = quietly
    table.until("move", topic="card")
    table.lapse()
    [step] = of_kind(table, "timeout")
    seat, card = step.entry.body["seat"], step.entry.body["move"]["card"]
    name = step.game.header.players[seat].name
    told = f"{name} has let the time pass. The house plays for {name}: {card} "
    assert news(step).startswith(told)
    assert news(step, seat).startswith(f"You have let the time pass. The house plays for you: {card} ")
    assert told_by_a_bot(step.before, step.entry, step.game) == [f"{name} let the time pass (move)."]


def test_who_has_not_entered_in_time_is_named() -> None:
    table = Table.hearts(3, 0)
    table.lapse()
    step = of_kind(table, "timeout")[0]
    assert news(step).endswith(" has let the time pass (enter).")


def test_for_who_is_out_the_house_plays_and_nobody_was_late() -> None:
    table = Table.hearts(4, 0, {"absent": "play"})
    table.choose = quietly
    table.until("move", topic="card")
    assert table.game.asking is not None
    [seat] = table.game.asking.seats
    table.send(table.seats[seat].resign(table.views[seat]))
    step = of_kind(table, "timeout")[0]
    name = step.game.header.players[seat].name
    assert news(step).startswith(f"The house plays for {name}: ")
    assert told_by_a_bot(step.before, step.entry, step.game) == []


def test_a_flipped_stack_is_told_and_the_card_that_comes_up() -> None:
    table = Table.open("flip", 2, seed=5, options={"target": 0})
    table.choose = at_random
    table.play()
    laid = of_kind(table, "move", lambda entry: "stack" in entry.body["move"])
    told = {True: 0, False: 0}
    for step in laid:
        move = step.entry.body["move"]
        card = move.get("play", move.get("transfer"))
        flips = step.game.state.board.griddle[move["stack"] - 1][-1] != card
        assert news(step).endswith(", which flips") is flips
        told[flips] += 1
    assert all(told.values())
    turned = of_kind(table, "turn")
    assert news(turned[0]) == "", "the sixteen cards at the start are seen on the table"
    assert any(news(step).startswith("Turned up: ") and " on Stack " in news(step) for step in turned[1:])


def test_the_fourth_card_is_exposed_by_itself_and_that_is_told() -> None:
    for seed in range(20):
        table = Table.hearts(3, seed)
        table.choose = lambda t, seat: next(iter(t.game.rules.legal(t.views[seat].state, seat)))
        table.until("move", topic="card")
        if turned := of_kind(table, "turn"):
            seat = table.game.state.board.fronts.index(
                next(
                    front
                    for front in table.game.state.board.fronts
                    if turned[0].entry.body["faces"][0]["position"] in front
                )
            )
            assert news(turned[0]).endswith(" is exposed by the rules, as the fourth.")
            assert news(turned[0], seat).startswith("Your ")
            return
    pytest.fail("no hand in which three are laid open one by one")


def test_no_names_are_nothing_in_a_sentence() -> None:
    assert listed([]) == ""
    assert listed(["Anna"]) == "Anna"
    assert listed(["Anna", "Ben", "Clara"]) == "Anna, Ben and Clara"


def test_who_can_expose_nothing_is_told_so() -> None:
    table = Table.hearts(6, 0)
    table.choose = quietly
    table.until("move", topic="expose")
    game = table.game
    presenter = presenter_of(game.rules)
    said = set()
    for seat in game.header.seats:
        state = game.state.seen(game.rules.sees(game.state, seat))
        view = View(replace(game, state=state), seat, layout.seat_names(game), Look(ascii=True), 80)
        with pytest.raises(Misread) as caught:
            presenter.read(view, "expose")
        said.add(caught.value.text.split(":")[0].split("?")[0])
    assert said == {"You hold none of the four cards that can be exposed", "Which card"}


def test_who_looks_on_is_not_told_how_to_agree_to_a_draw() -> None:
    table = Table.hearts(3, 0)
    table.choose = quietly
    table.until("move", topic="card")
    table.send(table.seats[0].offer_draw(table.views[0]))
    [step] = of_kind(table, "draw")
    name = step.game.header.players[0].name
    assert news(step, 0) == "You offer a draw."
    assert news(step, 1) == f"{name} offers a draw; `draw` agrees."
    assert news(step) == f"{name} offers a draw."


def test_who_has_played_alone_has_drawn_with_nobody() -> None:
    table = Table.open("flip", 1, seed=3)
    bot = default_bot("flip")
    table.choose = lambda t, seat: bot.choose(t.game.rules, t.views[seat].state, seat, t.rng)
    game = table.play()
    assert game.outcome is not None
    [points] = game.outcome.points
    presenter, view = presenter_of(game.rules), View(game, 0, layout.seat_names(game), Look(ascii=True), 80)
    assert (
        layout.result(view, presenter) == f"You have {points} points: {presenter.why(game.outcome.reason)}."
    )
    assert layout.result(replace(view, mine=False), presenter).startswith(
        f"{view.names[0]} has {points} points"
    )
    assert result(game) == f"{view.names[0]} has played alone, {points} ({game.outcome.reason})"


def test_two_of_one_name_are_told_apart_in_results_too() -> None:
    table = Table.hearts(3, 0)
    table.lapse()
    game = table.game
    players = tuple(
        replace(player, name=name) for player, name in zip(game.header.players, "aba", strict=True)
    )
    game = replace(game, header=replace(game.header, players=players))
    assert names_of(game) == ["a 0", "b", "a 2"]
    won = replace(game, phase=Over(Outcome((1, 2, 3), (2,), "points")))
    assert result(won) == "a 2 wins, 1 : 2 : 3 (points)"
