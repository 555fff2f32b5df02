"""A whole match over HTTP by a bot, and waiting for one to begin."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from client.http import LONGEST_WAIT, Api
from client.vault import Vault
from player.bot import Bot, by_bot
from player.due import Choose
from player.follow import OnEntry
from player.house import TableInfo
from player.session import SendResult, Session
from referee import Game

_PAUSE = 0.25


@dataclass
class MatchDriver:
    """One seat of one game, played to the end (see `Session`)."""

    api: Api
    vault: Vault
    game_id: str
    deck: Mapping[str, int] = field(default_factory=dict)
    """Copies by slug of the deck that one sat down with, where the mode has own decks."""
    watch: OnEntry = lambda before, entry, after: None
    draw_after: int | None = None
    """After so many accounts: offer a draw, and play no more unless the others agree."""
    envelope: bool = False
    """Whether seals enclose their reveal (protocol section 11)."""
    terms: TableInfo | None = None
    """The table at which we sat down."""

    def run(self, choose: Callable[[int], Choose]) -> Game:
        """Play to the result and return the game; `choose` is told the seat.

        Raises `HouseFault`, `ApiProblem` and `Unreachable`; run again, by another process too, it goes
        on where it was.
        """
        session = Session(
            self.api, self.vault, self.game_id, self.deck, self.watch, self.envelope, self.terms
        )
        session.start()
        chooser = choose(session.seat.number)
        while not session.game.over:
            session.catch_up(0.0 if self._turn(session, chooser) else LONGEST_WAIT)
        session.finish()
        return session.game

    def _turn(self, session: Session, chooser: Choose) -> bool:
        """Send what is wanted; False when nothing could be sent now."""
        if not self._tired(session):
            sent = session.answer(chooser)
        elif session.game.seat(session.seat.number).offers_draw:
            return False
        else:
            sent = session.offer_draw()
        return sent in (SendResult.SENT, SendResult.GONE_ON)

    def _tired(self, session: Session) -> bool:
        """Whether it plays no more and offers a draw."""
        if self.draw_after is None or session.game.outcome is not None:
            return False
        return sum(entry.kind == "account" for entry in session.follower.entries) >= self.draw_after


def play_by_bot(
    api: Api,
    vault: Vault,
    game_id: str,
    bot: Bot,
    rng: Random,
    *,
    deck: Mapping[str, int] | None = None,
    watch: OnEntry | None = None,
    draw_after: int | None = None,
    envelope: bool = False,
    terms: TableInfo | None = None,
) -> Game:
    """Have a bot play our seat of a game to its end (see `MatchDriver`)."""
    driver = MatchDriver(
        api, vault, game_id, deck or {}, draw_after=draw_after, envelope=envelope, terms=terms
    )
    if watch is not None:
        driver.watch = watch
    return driver.run(lambda seat: by_bot(bot, seat, rng))


def await_game(api: Api, table_id: str, seconds: float) -> str | None:
    """The id of the game at a table, once all seats are taken; None after `seconds` or if it is cancelled."""
    deadline = time.monotonic() + seconds
    while True:
        table = api.table(table_id)
        if table.game is not None:
            return table.game
        if table.state != "open" or time.monotonic() > deadline:
            return None
        time.sleep(_PAUSE)
