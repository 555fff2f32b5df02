"""A seat sends what is due, at tables without a network."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from bots import bots_for
from cards.catalog import card_sets, cards
from player.bot import by_bot
from player.due import answer, due, seen
from player.seat import SealedChoice
from referee import Game
from referee.certificate import certify
from tests.referee.table import Table

CATALOG = card_sets.load()
DECKS = [
    [CATALOG.cards[number] for number, count in starter.counts.items() for _ in range(count)]
    for starter in list(CATALOG.starters.values())[:2]
]
Silent = Callable[[Game, int, tuple[int, str]], bool]


@dataclass
class Round:
    """A table whose seats send what `answer` builds, and nothing else."""

    table: Table
    silent: Silent = lambda game, seat, wanted: False
    kept: dict[int, SealedChoice | None] = field(default_factory=dict)
    sent: set[tuple[int, int, str]] = field(default_factory=set)
    bots: list[str] = field(default_factory=list)

    def answer(self, seat: int) -> Any:
        """Return what this seat would send now."""
        table, game = self.table, self.table.views[seat]
        mode = game.rules.facts.name
        bot = bots_for(mode)[self.bots[seat] if self.bots else "random"]

        def certificate(seed: bytes) -> Any:
            deck = table.seats[seat].deck
            return certify(table.keeper.private, game.header, seat, deck, seed, table.now)

        return answer(game, table.seats[seat], by_bot(bot, seat, table.rng), certificate, self.kept.get(seat))

    def step(self) -> None:
        """Have one seat send what it can; if no seat can, let the time run out."""
        table = self.table
        for seat in range(len(table.seats)):
            wanted = due(table.views[seat], seat, self.kept.get(seat))
            if wanted is None or (seat, *wanted) in self.sent:
                continue
            if self.silent(table.views[seat], seat, wanted):
                continue
            message, self.kept[seat] = self.answer(seat)
            assert (message.step, message.kind) == wanted
            table.now += 100
            table.send(message)
            self.sent.add((seat, *wanted))
            return
        table.lapse()

    def play(self) -> Game:
        """Play until the game is over."""
        for _ in range(20_000):
            if self.table.game.over:
                return self.table.game
            self.step()
        raise AssertionError("the game does not end")

    def until(self, kind: str) -> Game:
        """Play until a kind of message is asked for."""
        while self.table.game.asking is None or self.table.game.asking.kind != kind:
            self.step()
        return self.table.game


def chef(seed: int = 0, **how: Any) -> Round:
    return Round(Table.open("chef", 2, DECKS, cards.texts(CATALOG), seed=seed), **how)


@pytest.mark.parametrize("seed", range(3))
def test_chefs_play_a_match(seed: int) -> None:
    game = chef(seed, bots=["greedy", "greedy"]).play()
    assert game.outcome is not None
    assert game.outcome.reason == "points"


def test_a_house_pack_is_played_by_the_same_lines() -> None:
    table = Round(Table.open("hearts", 4))
    while table.table.game.deals < 2:
        table.step()
    assert any(entry.kind == "account" for entry in table.table.record)


@pytest.mark.parametrize("seed", range(3))
def test_owed_reveals_come_before_the_next_seal(seed: int) -> None:
    rng = Random(seed)

    def silent(game: Game, seat: int, wanted: tuple[int, str]) -> bool:
        owes = game.seat(seat).owed is not None
        return wanted[1] in ("seal", "reveal") and not owes and rng.random() < 0.3

    table = chef(seed, silent=silent, bots=["greedy", "greedy"])
    table.play()
    kinds = [(entry.actor, entry.kind, entry.step) for entry in table.table.record]
    missed = [
        (str(entry.body["seat"]), entry.step)
        for entry in table.table.record
        if entry.kind == "timeout" and entry.body["kind"] == "reveal"
    ]
    assert missed
    for actor, step in missed[:-2]:  # the last may be cut off by the end of the game
        late = kinds.index((actor, "reveal", step))
        following = [k for k in kinds if k[0] == actor and k[1] == "seal" and k[2] > step]
        assert not following or late < kinds.index(following[0])


def test_nothing_is_due_without_what_was_kept() -> None:
    table = chef()
    table.until("reveal")
    game = table.table.views[0]
    assert due(game, 0, table.kept[0]) == (game.step, "reveal")
    assert due(game, 0, None) is None
    table.kept[0] = None
    assert table.answer(0) is None
    table.table.lapse()
    game = table.table.views[0]
    assert game.seat(0).owed is not None
    assert due(game, 0, None) != (game.step, "seal")


def test_a_seal_of_the_same_step_is_made_again_as_it_was() -> None:
    table = chef(bots=["random", "random"])
    table.until("seal")
    message, table.kept[0] = table.answer(0)
    again, kept = table.answer(0)
    assert kept == table.kept[0]
    assert again.body == message.body


def test_a_chooser_is_shown_what_its_seat_may_see() -> None:
    table = Round(Table.open("hearts", 4))
    table.until("move")
    house, seat = table.table.game, table.table.seats[0]
    shown: list[Game] = []

    def choose(game: Game) -> dict[str, Any]:
        shown.append(game)
        return {"done": True}

    assert len(house.state.faces) == 52  # the house's own fold, as its bots have it
    answer(house, seat, choose, lambda seed: {}, None)
    sees = house.rules.sees(house.state, 0)
    assert shown[0].state.faces == {position: house.state.faces[position] for position in sees}
    assert len(sees) < 20
    assert seen(house, 0).state == shown[0].state
