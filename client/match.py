"""A whole match over HTTP: follow the record, answer what is asked, write down what must not be lost."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from client.bots.bot import Bot
from client.follow import Follower, HouseFault, Watch
from client.http import LONGEST_WAIT, Api, ApiProblem
from client.play import Choose, answer, by_bot, due
from client.seat import Kept, Seat
from client.vault import GameNote, Vault
from referee import Game

GONE_ON = frozenset(
    {
        "game_over",
        "not_asked",
        "seen_too_old",
        "seen_unknown",
        "too_late",
        "wrong_kind",
        "wrong_step",
    }
)
"""Refusals that only say that the game has gone on meanwhile."""
TRIES = 5
"""How often in a row that is believed."""
_PAUSE = 0.25


@dataclass
class Match:
    """One seat of one game, played to the end. What must survive a crash lies in the player's vault."""

    api: Api
    vault: Vault
    game_id: str
    deck: Mapping[str, int] = field(default_factory=dict)
    """Copies by slug of the deck that one sat down with, where the mode has own decks."""
    watch: Watch = lambda before, entry, after: None
    draw_after: int | None = None
    """After so many accounts: offer a draw, and play no more unless the others agree."""
    _done: set[tuple[int, str]] = field(default_factory=set)
    _tries: int = 0

    def run(self, choose: Callable[[int], Choose]) -> Game:
        """Play to the result and return the game; `choose` is told the seat.

        Raises `HouseFault`, `ApiProblem` and `Unreachable`; run again, by another process too, it goes
        on where it was.
        """
        self._follower = follower = Follower(
            self.api, self.game_id, self.vault.identity.house_key, watch=self.watch
        )
        note = self.vault.note(self.game_id)
        follower.head = None if note is None else note.head
        follower.catch_up()
        self._note = note or self._begin()
        follower.sit(self._seat())
        chooser = choose(self._note.seat)
        while not follower.game.over:
            wanted = self._wanted()
            sent = wanted is not None and wanted not in self._done and self._answer(wanted, chooser)
            follower.catch_up(0.0 if sent else LONGEST_WAIT)
        self.vault.forget(self.game_id)
        return follower.game

    def _begin(self) -> GameNote:
        """A new match: a secret of its own, written down before anything is made from it."""
        header = self._follower.game.header
        ours = [i for i, player in enumerate(header.players) if player.key == self.vault.identity.public]
        if not ours:
            raise HouseFault("wrong_seat", "no seat of this game has our key")
        numbers = {card.slug: number for number, card in header.cards.items()}
        cards = self.deck if header.cards else {}
        unknown = sorted(cards.keys() - numbers.keys())
        if unknown:
            raise HouseFault("wrong_cards", f"the game does not know our {', '.join(unknown)}")
        deck = {numbers[slug]: count for slug, count in cards.items()}
        note = GameNote(ours[0], secrets.token_bytes(32), deck)
        self.vault.keep(self.game_id, note)
        return note

    def _seat(self) -> Seat:
        cards = self._follower.game.header.cards
        deck = [cards[number] for number, count in sorted(self._note.deck.items()) for _ in range(count)]
        return Seat(self._note.seat, self.vault.identity.private, self._note.match_secret, tuple(deck))

    def _wanted(self) -> tuple[int, str] | None:
        """What is to be sent now, as a step and a kind."""
        game = self._follower.game
        if self.draw_after is None or game.outcome is not None or self._accounts() < self.draw_after:
            return due(game, self._note.seat, self._note.kept)
        return None if game.seat(self._note.seat).offers_draw else (game.step, "draw")

    def _accounts(self) -> int:
        return sum(entry.kind == "account" for entry in self._follower.entries)

    def _answer(self, wanted: tuple[int, str], choose: Choose) -> bool:
        """Send what is wanted; False when nothing could be sent now."""
        follower, seat = self._follower, self._follower.seat
        assert seat is not None, "we have sat down"
        if wanted[1] == "move" and follower.lacks():
            return False  # the house's word for our cards has not come yet

        def certificate(seed: bytes) -> Mapping[str, Any]:
            return self.api.certificate(self.game_id, seat.number, seed)

        kept: Kept | None = self._note.kept
        if wanted[1] == "draw":
            message = seat.offer_draw(follower.game)
        else:
            found = answer(follower.game, seat, choose, certificate, kept)
            assert found is not None, "an answer is due"
            message, kept = found
        if kept is not self._note.kept:
            self._keep(kept)
        try:
            follower.send(message)
        except ApiProblem as problem:
            return self._refused(wanted, problem)
        self._done.add(wanted)
        self._tries = 0
        return True

    def _refused(self, wanted: tuple[int, str], problem: ApiProblem) -> bool:
        """What a refusal means: sent already (before a crash), the game has gone on, or really refused."""
        if problem.code == "already_sent":
            self._done.add(wanted)
            return False
        self._tries += 1
        if problem.code not in GONE_ON or self._tries > TRIES:
            raise problem
        time.sleep(_PAUSE)
        return True

    def _keep(self, kept: Kept | None) -> None:
        """Write down a seal's choice, and how far the record had come, before the seal is sent."""
        game = self._follower.game
        self._note = replace(self._note, kept=kept, head=(game.seq, game.digest))
        self.vault.keep(self.game_id, self._note)


def play_by_bot(
    api: Api,
    vault: Vault,
    game_id: str,
    bot: Bot,
    rng: Random,
    *,
    deck: Mapping[str, int] | None = None,
    watch: Watch | None = None,
    draw_after: int | None = None,
) -> Game:
    """Have a bot play our seat of a game to its end (see `Match`)."""
    match = Match(api, vault, game_id, deck or {}, draw_after=draw_after)
    if watch is not None:
        match.watch = watch
    return match.run(lambda seat: by_bot(bot, seat, rng))


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
