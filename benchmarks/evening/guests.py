"""Players of a rehearsed evening: `python -m benchmarks.evening.guests`.

The process reads one order a line, as JSON: first who the players are, then what they do. Each player is a
thread with the client that people have: a key, a vault, a stream of events. Every answer is a line of JSON:
`over` for a game that a player has finished, `fault` for a player who could not go on, and `done`.
"""

from __future__ import annotations

import json
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from bots import bots_for
from cards.games import find
from client.decks import DeckInfo
from client.http import Api
from client.match import play_by_bot
from client.tournaments import Tournaments
from crypto.identity import new_private_key
from player.bot import Bot
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, Identity
from referee import Game

PATIENCE = 7_200.0
"""Seconds for which a player asks again while the house is away or busy.

An evening as a whole gives up earlier, when nobody tells of anything any more (`rehearsal.STALLED`): a player
waits as long as the others get on.
"""
LABEL = "rehearsal"

_printing = threading.Lock()


@dataclass(frozen=True, slots=True)
class Party:
    """The players of one process."""

    url: str
    first: int
    """The number of the first of them among all players of the evening."""
    count: int
    seed: int


class MemoryDisk:
    """A vault's disk in memory (see `player.vault.Disk`): the evening's keys end with it."""

    def __init__(self) -> None:
        self._data = b""
        self._lock = threading.RLock()

    def __str__(self) -> str:
        return "memory"

    def read(self) -> bytes:
        """All of its bytes."""
        return self._data

    def replace(self, data: bytes) -> None:
        """Replace all of its bytes."""
        self._data = data

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep the other threads from writing."""
        with self._lock:
            yield


@dataclass(slots=True)
class Guest:
    """A registered player, who is signed in."""

    number: int
    handle: str
    api: Api
    vault: PlayerVault
    deck: DeckInfo
    """The starter deck."""
    rng: Random
    seen: int = 0
    """The newest event of the player's feed before the one that is waited for."""

    def own_deck(self, mode: str) -> DeckInfo | None:
        """The deck for a mode; None where the house deals from a pack of its own."""
        return self.deck if find(mode).facts.own_decks else None

    def bot(self, mode: str) -> Bot:
        """The bot that plays a mode for this player. Players differ in strength, and none thinks for long."""
        quick = [bot for bot in bots_for(mode).values() if not getattr(bot, "thinks", False)]
        return quick[self.number % len(quick)]

    def play(self, game_id: str, mode: str) -> Game:
        """Play a game to its end."""
        deck: Mapping[str, int] = self.deck.cards if find(mode).facts.own_decks else {}
        return play_by_bot(self.api, self.vault, game_id, self.bot(mode), self.rng, deck=deck)


def handle_of(number: int) -> str:
    """The handle of a player by number."""
    return f"guest-{number:03}"


def register(party: Party, number: int) -> Guest:
    """Register a player, and sign in by the key alone."""
    api = Api(party.url, patience=PATIENCE)
    house_key, private, handle = api.house().key, new_private_key(), handle_of(number)
    password = secrets.token_urlsafe(24)
    starters = api.starters()
    api.register(handle, password, private, house_key, starters[number % len(starters)]["slug"])
    identity = Identity(handle, party.url, house_key, private, password)
    vault = PlayerVault.create_on(MemoryDisk(), secrets.token_urlsafe(16), identity, LOWEST_COST)
    vault.renew(api.issue_token_by_key(handle, private, house_key, LABEL))
    deck = next(iter(api.decks()))
    return Guest(number, handle, api, vault, deck, Random(party.seed * 1_000 + number))


def play_from_queue(guest: Guest, mode: str, pace: str) -> None:
    """Wait in the queue for a rated game, and play it to its end. Wait again when the house gives up."""
    note_feed(guest)
    deck, began = guest.own_deck(mode), time.monotonic()
    guest.api.wait_for_opponent(mode, pace=pace, rated=True, deck=None if deck is None else deck.id)
    for event in guest.api.feed(guest.seen):
        if event.name == "queue.left":
            if event.data["reason"] != "expired":
                raise RuntimeError(f"{guest.handle} was sent out of the queue: {event.data['reason']}")
            guest.api.wait_for_opponent(mode, pace=pace, rated=True, deck=None if deck is None else deck.id)
        if event.name == "queue.paired":
            waited = time.monotonic() - began
            tell_game(guest, guest.play(event.data["game"], mode), waited=waited)
            return


def note_feed(guest: Guest) -> None:
    """Note where a player's feed ends, so that no event that comes from now on is missed."""
    guest.seen = int(guest.api.ask("GET", "feed")["newest"])


def create_tournament(guest: Guest, terms: Mapping[str, Any]) -> None:
    """Have the first player create a tournament, and tell its id."""
    if guest.number == 0:
        made = Tournaments(guest.api).create(**terms)
        tell({"tournament": made["id"]})


def enter_tournament(guest: Guest, tournament: str, mode: str) -> None:
    """Enter a tournament, which has not begun."""
    note_feed(guest)
    deck = guest.own_deck(mode)
    Tournaments(guest.api).enter(tournament, None if deck is None else deck.id)


def play_tournament(guest: Guest, tournament: str, mode: str) -> None:
    """Play every match of a tournament until its prizes are paid. The first player starts it."""
    if guest.number == 0:
        Tournaments(guest.api).start(tournament)
    for event in guest.api.feed(guest.seen):
        if event.data.get("tournament") != tournament:
            continue
        if event.name == "tournament.paired":
            tell_game(guest, guest.play(event.data["game"], mode), round=event.data["round"])
        elif event.name in ("tournament.out", "tournament.cancelled"):
            raise RuntimeError(f"{guest.handle} plays no more: {event.data['reason']}")
        elif event.name == "tournament.over":
            return


def tell_game(guest: Guest, game: Game, **more: Any) -> None:
    """Say that a player has finished a game."""
    outcome = game.outcome
    tell(
        {
            "over": game.header.game,
            "mode": game.rules.facts.name,
            "handle": guest.handle,
            "players": [player.name for player in game.header.players],
            "winners": [] if outcome is None else sorted(outcome.winners),
            "reason": None if outcome is None else outcome.reason,
            "entries": game.seq + 1,
            **more,
        }
    )


def tell(data: object) -> None:
    """Write one line of JSON to the process that has started this one."""
    with _printing:
        sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.flush()


def together(guests: Sequence[Guest], act: Callable[[Guest], object]) -> None:
    """Have all players do something at the same time. Says of whom it failed."""

    def one(guest: Guest) -> None:
        try:
            act(guest)
        except Exception as fault:  # the others' evening goes on
            tell({"fault": f"{guest.handle}: {type(fault).__name__}: {fault}"})

    with ThreadPoolExecutor(max(1, len(guests))) as threads:
        list(threads.map(one, guests))


def main() -> None:
    """Register the party, and do what it is told until the input ends."""
    party = Party(**json.loads(sys.stdin.readline()))
    numbers = range(party.first, party.first + party.count)
    with ThreadPoolExecutor(party.count) as threads:
        guests = list(threads.map(lambda number: register(party, number), numbers))
    tell({"done": "register"})
    while line := sys.stdin.readline():
        order = json.loads(line)
        what = order.pop("do")
        together(guests, ACTS[what](**order))
        tell({"done": what})


def _queue(modes: Sequence[str], pace: str) -> Callable[[Guest], object]:
    """Wait for a game of the mode that has the player's number."""
    return lambda guest: play_from_queue(guest, modes[guest.number // 2 % len(modes)], pace)


ACTS: Mapping[str, Callable[..., Callable[[Guest], object]]] = {
    "queue": _queue,
    "create": lambda **terms: lambda guest: create_tournament(guest, terms),
    "enter": lambda **where: lambda guest: enter_tournament(guest, **where),
    "tournament": lambda **where: lambda guest: play_tournament(guest, **where),
}
"""What players do, by the name in an order."""


if __name__ == "__main__":
    main()
