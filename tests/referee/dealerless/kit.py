"""A table without a dealer and without a network: one public fold, and what each seat can read beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from cards.games.contract import Move
from player.due import seen
from referee import (
    Entry,
    Game,
    Message,
    Report,
    apply,
    close,
    due,
    dump_game,
    load_game,
    record_bytes,
    verify_record,
)
from referee.record import PARTY_KINDS
from tests.referee.table import Table
from vectors.example import NO_FRESH


def verified(table: Table) -> Report:
    """Verify the record so far, offline and from itself alone."""
    report = verify_record(record_bytes(table.record), unfinished=True)
    assert report.valid, report.fault
    return report


class Dealerless(Table):
    """A game in which the parties mix the pack. `spectator` is the fold of everybody, `views` add a hand."""

    @classmethod
    def sit(cls, mode: str, seats: int, seed: int = 0, **options: Any) -> Dealerless:
        """A fresh game of a mode. The same seed gives the same deals: masks are not fresh here."""
        table = cls.open(mode, seats, options={"dealer": "nobody", **options}, seed=seed)
        assert isinstance(table, Dealerless)
        table.keeper = replace(table.keeper, fresh=lambda: NO_FRESH)
        table.seats = [replace(seat, fresh=lambda: NO_FRESH) for seat in table.seats]
        return table

    def add(self, game: Game, entries: Sequence[Entry]) -> None:
        """Take the house's new entries into the record and into the fold of everybody."""
        self.game = game
        for entry in entries:
            self.record.append(entry)
            self.spectator = apply(self.spectator, entry, self.checks)
            if entry.kind not in ("move", "account"):
                again = load_game(json.loads(json.dumps(dump_game(self.spectator))), self.game.header)
                assert again == self.spectator, "a snapshot loses nothing"
        assert self.spectator == game, "the house knows no more than everybody"
        self.views = [game.knowing(seat.hand(game)) for seat in self.seats]
        step = game.asking.step if game.asking is not None and game.asking.held else None
        self.waiting = {seat: message for seat, message in self.waiting.items() if message.step == step}

    def message(self, seat: int) -> Message:
        """Return what this seat answers to what is asked of it."""
        game, who = self.spectator, self.seats[seat]
        assert game.asking is not None
        if game.asking.kind in PARTY_KINDS:
            return who.party(game, game.asking.kind)
        if game.asking.kind == "move":
            return who.move(game, self.chosen(seat))
        return super().message(seat)

    def chosen(self, seat: int) -> Move:
        """The forced move of a seat, or else its choice."""
        game = seen(self.views[seat], seat)
        forced = game.rules.compelled(game.state, seat)
        return self.choose(self, seat) if forced is None else forced

    def lapse(self) -> list[Entry]:
        """The time of the running step passes for a seat, and the house closes it, or asks again."""
        when = due(self.game, self.waiting.keys())
        assert when is not None
        self.now = max(self.now, when)
        game, entries = close(self.keeper, self.game, self.waiting, self.now)
        assert entries, "something is due"
        self.add(game, entries)
        return entries

    def until_deal(self, number: int) -> Game:
        """Play until so many deals were dealt, or the game is over."""
        while self.game.deals < number and not self.game.over:
            self.step()
        return self.game
