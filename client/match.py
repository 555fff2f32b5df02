"""Playing a whole match by a bot, and waiting for a match to begin."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from client.http import LONGEST_WAIT, Api
from player.bot import Bot, by_bot
from player.due import Choose
from player.follow import OnEntry
from player.house import ApiProblem, TableInfo, Unreachable
from player.session import SendResult, Session
from player.vault import PlayerVault
from player.watchfulness import OnConcern
from referee import Entry, Game
from referee.clocks import MOST_AWAY
from referee.record import ANNUL

_PAUSE, _LONGEST_PAUSE = 0.25, 5.0
TOO_MANY = 429


@dataclass
class MatchDriver:
    """Plays one seat of one game to the end, in a `Session`."""

    api: Api
    vault: PlayerVault
    game_id: str
    deck: Mapping[str, int] = field(default_factory=dict)
    """Copies by slug of the deck that we sat down with, if the mode has own decks."""
    watch: OnEntry = lambda before, entry, after: None
    draw_after: int | None = None
    """The number of accounts after which it offers a draw and waits until the others agree; None: never."""
    once_void: bool = False
    """True if accounts count from the newest void deal on, and none before there is one."""
    envelope: bool = False
    """True if seals enclose their reveal (protocol section 11)."""
    terms: TableInfo | None = None
    """The table at which we have just sat down; None for a game that has begun before."""
    warn: OnConcern = lambda concern: None
    """A callback for what the player should know at once."""
    patience: float = MOST_AWAY / 1000
    """Seconds for which it asks again while the house does not answer. Longer absences cost turns."""

    def run(self, choose: Callable[[int], Choose]) -> Game:
        """Play until the game is over and return it. `choose` gets our seat's number and returns a `Choose`.

        What is due is sent until the house has given a receipt, also if it is away for hours. Raises
        `HouseFault`, `ApiProblem`, `Unreachable`. A second run, also by another process, goes on where the
        first one stopped.
        """
        session = Session(
            self.api, self.vault, self.game_id, self.deck, self.watch, self.envelope, self.terms, self.warn
        )
        session.start()
        chooser, lost = choose(session.seat.number), None
        while not session.game.over:
            try:
                self._round(session, chooser)
                lost = None
            except (Unreachable, ApiProblem) as fault:
                now = time.monotonic()
                lost = now if lost is None else lost
                refused = isinstance(fault, ApiProblem) and fault.status < 500 and fault.status != TOO_MANY
                if refused or now - lost >= self.patience:
                    raise
                self.api.pause(min(_PAUSE + (now - lost) / 4, _LONGEST_PAUSE))
        session.finish()
        return session.game

    def _round(self, session: Session, chooser: Choose) -> None:
        """Send what is due, and wait for news."""
        session.catch_up(0.0 if self._turn(session, chooser) is SendResult.GONE_ON else LONGEST_WAIT)

    def _turn(self, session: Session, chooser: Choose) -> SendResult:
        """Send what is due, if anything is. The next question then comes with an entry."""
        if not self._tired(session):
            return session.answer(chooser)
        if session.game.seat(session.seat.number).offers_draw:
            return SendResult.NOTHING
        return session.offer_draw()

    def _tired(self, session: Session) -> bool:
        """Tell whether it is time to offer a draw instead of playing on."""
        if self.draw_after is None or session.game.outcome is not None:
            return False
        return accounts(session.follower.entries, self.once_void) >= self.draw_after


def accounts(entries: Sequence[Entry], once_void: bool) -> int:
    """Count the accounts of a record; with `once_void` those behind its newest void deal, if it has one."""
    kinds = [entry.kind for entry in entries]
    if once_void:
        kinds = kinds[len(kinds) - kinds[::-1].index(ANNUL) :] if ANNUL in kinds else []
    return kinds.count("account")


def play_by_bot(
    api: Api,
    vault: PlayerVault,
    game_id: str,
    bot: Bot,
    rng: Random,
    *,
    deck: Mapping[str, int] | None = None,
    watch: OnEntry | None = None,
    draw_after: int | None = None,
    once_void: bool = False,
    envelope: bool = False,
    terms: TableInfo | None = None,
    warn: OnConcern | None = None,
) -> Game:
    """Have a bot play our seat until the game is over, and return the game (see `MatchDriver`)."""
    how: dict[str, Any] = {"draw_after": draw_after, "once_void": once_void, "envelope": envelope}
    driver = MatchDriver(api, vault, game_id, deck or {}, terms=terms, **how)
    if watch is not None:
        driver.watch = watch
    if warn is not None:
        driver.warn = warn
    return driver.run(lambda seat: by_bot(bot, seat, rng))


def await_game(api: Api, table_id: str, seconds: float) -> str | None:
    """Wait until all seats of a table are taken; returns the id of its game.

    Returns None after `seconds`, or if the table is cancelled or expires.
    """
    deadline = time.monotonic() + seconds
    while True:
        table = api.table(table_id)
        if table.game is not None:
            return table.game
        if table.state != "open" or time.monotonic() > deadline:
            return None
        api.pause(_PAUSE)
