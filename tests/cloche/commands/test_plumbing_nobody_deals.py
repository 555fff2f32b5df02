"""Plumbing at a table that nobody deals: lock, mix, share, unlock and moves from standard input."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner

from cloche.main import main
from crypto.encoding import b64, unb64
from referee import read_message
from referee.dealerless.masked import Attempt, InPlay
from referee.record import PARTY_KINDS
from tests.referee.dealerless.kit import Dealerless, verified


def plumb(command: str, given: Any) -> dict[str, Any]:
    """Return what a command makes of a JSON object; its exit status is under "status"."""
    result = CliRunner().invoke(main, [command, "--json"], input=json.dumps(given))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return {**json.loads(result.stdout), "status": result.exit_code}


class Stranger:
    """Seat 0, which knows nothing but these commands."""

    def __init__(self, table: Dealerless) -> None:
        self.table = table
        self.kept: dict[str, Any] = {}
        self.older: list[dict[str, Any]] = []
        """What the locks before the newest gave to keep, of cards that are in play too."""

    def given(self, **more: Any) -> dict[str, Any]:
        seat = self.table.seats[0]
        secrets = {"private_key": b64(seat.private), "match_secret": b64(seat.match_secret)}
        older = {"older_locks": self.older} if self.older else {}
        return {"entries": [e.json() for e in self.table.record], **secrets, **self.kept, **older, **more}

    def answer(self) -> str:
        """Answer what is asked, by the command of that name; returns the kind."""
        asking = self.table.game.asking
        assert asking is not None
        kind, more = asking.kind, {}
        if kind == "move":
            seat = self.table.seats[0]
            if self.kept:
                older = {unb64(o["asked"], 64): _bytes(o["lock_fresh"]) for o in self.older}
                seat = seat.with_lock(_bytes(self.kept["lock_fresh"]), older)
            game = self.table.spectator.knowing(seat.hand(self.table.spectator))
            forced = game.rules.compelled(game.state, 0)
            more = {"move": forced or game.rules.legal(game.state, 0).sample(self.table.rng)}
        if kind == "lock":
            adds = isinstance(self.table.game.masked, Attempt) and self.table.game.masked.played is not None
            self.older = [*self.older, self.kept] if adds and self.kept else []
            self.kept = {}
        found = plumb(kind, self.given(**more))
        assert found["status"] == 0, found
        if kind == "lock":
            self.kept = found["keep"]
        self.table.send(read_message(self.table.game.header.game, found["message"]))
        return str(kind)


def _bytes(text: str) -> bytes:
    return unb64(text, 32)


def play(stranger: Stranger, deals: int) -> set[str]:
    """Play until so many deals were dealt, and a card was turned up; what the stranger has sent."""
    table, said = stranger.table, set[str]()
    for _ in range(200):
        if table.game.deals >= deals and "unlock" in said:
            return said
        asked = table.asked()
        if 0 in asked:
            said.add(stranger.answer())
        else:
            table.answer(asked[0])
    raise AssertionError("no card is turned up")


def test_a_stranger_plays_by_commands_alone() -> None:
    table = Dealerless.sit("cribbage", 2, seed=5)
    said = play(Stranger(table), 2)
    assert said >= {*PARTY_KINDS, "move"}
    verified(table)


def test_a_stranger_plays_cards_of_two_deals_with_both_locks() -> None:
    for seed in range(20):
        stranger = Stranger(Dealerless.sit("big-c", 4, seed=seed, hand=27))
        table = stranger.table
        for _ in range(300):
            asking = table.game.asking
            chooses = asking is not None and asking.kind == "move" and [*table.asked()] == [0]
            if table.game.over or (stranger.older and chooses):
                break
            if 0 in table.asked() and asking is not None and asking.kind == "lock":
                stranger.answer()  # what else is due is made under this lock, without the command
                older = {unb64(o["asked"], 64): _bytes(o["lock_fresh"]) for o in stranger.older}
                table.seats[0] = table.seats[0].with_lock(_bytes(stranger.kept["lock_fresh"]), older)
            else:
                table.answer(table.asked()[0])
        if table.game.over or not isinstance(table.game.masked, InPlay):
            continue
        kept, stranger.older = stranger.older, [{"asked": b64(bytes(64)), "lock_fresh": b64(bytes(32))}]
        found = plumb("move", stranger.given(move={"pass": True}))
        assert (found["status"], found["error"]["code"]) == (1, "wrong_lock"), found
        assert found["error"]["pointer"] == "/older_locks"
        stranger.older = [{"asked": 1}]
        found = plumb("move", stranger.given(move={"pass": True}))
        assert found["error"]["pointer"] == "/older_locks/0"
        stranger.older = kept
        assert stranger.answer() == "move"
        verified(table)
        return
    raise AssertionError("no game gets there")


def test_other_bytes_than_those_of_the_lock_are_refused() -> None:
    table = Dealerless.sit("cribbage", 2, seed=5)
    stranger = Stranger(table)
    while table.game.asking is None or table.game.asking.kind != "mix" or 0 not in table.asked():
        if 0 in table.asked():
            stranger.answer()
        else:
            table.answer(table.asked()[0])
    stranger.kept = {"lock_fresh": b64(bytes(32))}
    found = plumb("mix", stranger.given())
    assert (found["status"], found["error"]["code"]) == (1, "wrong_lock")
    assert found["error"]["pointer"] == "/lock_fresh"
    found = plumb("share", stranger.given())
    assert (found["status"], found["error"]["code"]) == (1, "not_asked")
