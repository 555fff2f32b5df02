"""People at home while the house has a bad day: they play by the client's own code, whatever happens."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from bots import bots_for
from client.http import Api
from client.match import MatchDriver
from client.vault import FILE, Vault
from player.bot import by_bot
from player.due import Choose
from player.house import Acknowledgement, ApiProblem, Unreachable
from referee import Entry, Game, Message
from tests.client.guests import PASSPHRASE, Guest, sit
from tests.waiting import PATIENCE, until

PATIENT = dict.fromkeys(("enter", "ready", "link", "seal", "reveal", "choice"), 600)
"""Clocks of a table at which nobody runs out of time, however busy the machine is."""
KEEP = {"choice": "keep"}
AGAIN = 60.0
"""Seconds that a person's program asks a house again that does not answer, before it is started anew."""


class Crash(Exception):
    """The person's own machine has died: nothing is left but the vault."""


class Notebook(Api):
    """A house as a person reaches it, who writes down every receipt and may sleep over one message.

    `sleeps` names a kind of message; the first of it is sent only when its time is up. A draw is sent
    only when `closing`, if there is one, is set.
    """

    def __init__(
        self,
        url: str,
        token: str | None,
        sleeps: str | None = None,
        closing: threading.Event | None = None,
    ) -> None:
        super().__init__(url, token, patience=AGAIN)
        self.receipts: list[tuple[Message, Acknowledgement]] = []
        self._sleeps = sleeps
        self._closing = closing

    def send(self, message: Message) -> Acknowledgement:
        """Post, and keep the answer."""
        if message.kind == self._sleeps:
            until(lambda: self._timed_out(message), what=f"a time-out for the {message.kind}")
            self._sleeps = None
        if message.kind == "draw" and self._closing:
            assert self._closing.wait(300), "nobody may go home"
        accepted = super().send(message)
        self.receipts.append((message, accepted))
        return accepted

    def _timed_out(self, message: Message) -> bool:
        said = (message.seat, message.kind)
        entries, _ = self.entries(message.game, message.body["seen"]["seq"], 2.0)
        return any(e["kind"] == "timeout" and (e["body"]["seat"], e["body"]["kind"]) == said for e in entries)


@dataclass
class Person:
    """Somebody at a seat of a match of chef."""

    guest: Guest
    rng: Random
    sleeps: str | None = None
    frail: float = 0.0
    """The chance of a crash at each entry that comes in."""
    closing: threading.Event | None = None
    notebook: Notebook = field(init=False)
    crashes: int = 0

    def __post_init__(self) -> None:
        token = self.guest.vault.identity.token
        self.notebook = Notebook(self.guest.api.url, token, self.sleeps, self.closing)

    def play(self, game_id: str, rounds: int) -> None:
        """Play so many rounds and agree on a draw, starting again from the vault after every fault."""
        deck = self.guest.deck.cards
        while True:
            vault = Vault.open(self.guest.folder / FILE, PASSPHRASE)
            match = MatchDriver(self.notebook, vault, game_id, deck, watch=self._watch, draw_after=rounds)
            try:
                match.run(self._chooser)
                return
            except (Crash, Unreachable):
                continue
            except ApiProblem as problem:
                if problem.status != 503:
                    raise

    def _chooser(self, seat: int) -> Choose:
        """The opening hand is kept, so that the first account is a round's; meals are any."""
        any_move = by_bot(bots_for("chef")["random"], seat, self.rng)
        return lambda game: KEEP if game.asking and game.asking.kind == "move" else any_move(game)

    def _watch(self, _before: Game | None, _entry: Entry, _after: Game) -> None:
        if self.rng.random() < self.frail:
            self.crashes += 1
            raise Crash


@dataclass
class Pair:
    """Two people at a table."""

    people: Sequence[Person]
    game_id: str
    rounds: int
    faults: list[BaseException] = field(default_factory=list)

    @classmethod
    def sit(
        cls,
        url: str,
        folder: Path,
        rng: Random,
        *,
        rounds: int = 1,
        sleeps: str | None = None,
        frail: float = 0.0,
        options: Mapping[str, Any] = PATIENT,
        closing: threading.Event | None = None,
    ) -> Pair:
        """Two new people sit down; `sleeps` is the second one's, and no draw is agreed before `closing`."""
        guests = [Guest.register(url, folder / str(seat), seat) for seat in (0, 1)]
        game_id, _ = sit(guests, "chef", options=dict(options))
        people = [
            Person(guest, Random(rng.random()), sleeps if seat else None, frail, closing)
            for seat, guest in enumerate(guests)
        ]
        return cls(people, game_id, rounds)

    @contextmanager
    def playing(self) -> Iterator[list[threading.Thread]]:
        """They play, each in a thread; at the end of the block they must come to theirs."""

        def play(person: Person) -> None:
            try:
                person.play(self.game_id, self.rounds)
            except BaseException as fault:
                self.faults.append(fault)
                raise

        threads = [threading.Thread(target=play, args=(person,), daemon=True) for person in self.people]
        for thread in threads:
            thread.start()
        yield threads
        for thread in threads:
            thread.join(PATIENCE)
        assert not self.faults, self.faults
        waiting = [thread for thread in threads if thread.is_alive()]
        assert not waiting, f"the match comes to no end: {self._state(waiting)}"

    def _state(self, waiting: Sequence[threading.Thread]) -> str:
        """Return what the house says about the game, and where in the program the people wait."""
        frames = sys._current_frames()
        stacks = ["".join(traceback.format_stack(frames[thread.ident or 0])[-4:]) for thread in waiting]
        seen = self.people[0].guest.api.game(self.game_id)
        return "\n".join([str({key: seen[key] for key in seen if key != "board"})[:2000], *stacks])

    @property
    def receipts(self) -> list[tuple[Message, Acknowledgement]]:
        """The receipts that the house has signed."""
        return [pair for person in self.people for pair in person.notebook.receipts]
