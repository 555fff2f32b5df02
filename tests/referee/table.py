"""A table without a network: the house's side and every seat's, each with its own fold of the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, Self
from uuid import UUID

from cards import games
from cards.catalog.cards import Card
from cards.games.contract import Move
from crypto import envelope
from crypto.encoding import unb64
from crypto.fairness import Chain
from crypto.identity import public_key
from crypto.secret import MatchSecret
from player.seat import OwnSeat, SealedChoice
from referee import (
    Entry,
    Game,
    Keeper,
    Message,
    SeatedPlayer,
    accept,
    apply,
    close,
    due,
    opening,
    waits,
    was_away,
)
from referee.certificate import certify
from referee.checks import Remembering
from referee.envelopes import enclosed, open_envelope
from referee.header import CLAUSES
from vectors.matches import CARDS, DECKS

START = 1_790_000_000_000
KNOWN = 128
"""Chains of a thousand hashes that are kept for the next tables of the same seeds."""
Chooser = Callable[["Table", int], Move]


def bytes_of(*parts: object) -> bytes:
    """32 bytes that differ with every part."""
    return Random(repr(parts)).randbytes(32)


chain_of = lru_cache(KNOWN)(Chain)
secret_of = lru_cache(KNOWN)(MatchSecret)


class Sitter(OwnSeat):
    """A seat whose secrets are those of every seat with the same match secret: they are derived once."""

    @property
    def secret(self) -> MatchSecret:  # type: ignore[override]
        return secret_of(self.match_secret)


def at_random(table: Table, seat: int) -> Move:
    """A legal choice of a seat, by its own view."""
    game = table.views[seat]
    move: Move = game.rules.legal(game.state, seat).sample(table.rng)
    return move


def quietly(table: Table, seat: int) -> Move:
    """Keep, and serve nothing; elsewhere what the house would play for a seat that is away."""
    game = table.views[seat]
    if not game.rules.facts.own_decks:
        move: Move = game.rules.absent(game.state, seat)
        return move
    assert game.asking is not None
    return {"choice": "keep"} if game.asking.kind == "move" else {"dishes": []}


@dataclass
class Table:
    """One game as the house and every seat have it."""

    keeper: Keeper
    seats: list[OwnSeat]
    game: Game
    record: list[Entry]
    views: list[Game]
    spectator: Game
    """The fold of somebody who sits nowhere."""
    rng: Random
    now: int = START
    waiting: dict[int, Message] = field(default_factory=dict)
    kept: dict[int, SealedChoice] = field(default_factory=dict)
    choose: Chooser = at_random
    silent: Callable[[Table, int], bool] = lambda table, seat: False
    """True if a seat that is asked, or owes a reveal, lets the time pass."""
    envelope_private: bytes | None = None
    """The private key behind the game's envelope key."""
    encloses: Callable[[Table, int], bool] = lambda table, seat: False
    """True if a seat encloses its reveal when it seals."""
    away: Callable[[Table], bool] = lambda table: False
    """True if nobody opens envelopes just now."""
    checks: Remembering = field(default_factory=Remembering)
    """The checks of all folds together: each signature and proof is checked, and checked once."""

    @classmethod
    def chef(
        cls,
        seed: int = 0,
        options: Any = None,
        envelopes: bool = False,
        clauses: Sequence[str] = CLAUSES,
    ) -> Table:
        """A fresh match of Pancake between the two example decks."""
        private = bytes_of("envelope", seed) if envelopes else None
        texts = [card.text() for card in CARDS]
        return cls.open("chef", 2, DECKS, texts, options, seed, private, clauses=clauses)

    @classmethod
    def hearts(cls, seats: int = 4, seed: int = 0, options: Any = None) -> Table:
        """A fresh game of Chinese Hearts."""
        return cls.open("hearts", seats, options=options, seed=seed)

    @classmethod
    def open(
        cls,
        mode: str,
        seats: int,
        decks: Sequence[Sequence[Card]] = (),
        texts: Sequence[Any] = (),
        options: Any = None,
        seed: int = 0,
        envelope_private: bytes | None = None,
        sister: int = 0,
        clauses: Sequence[str] = CLAUSES,
    ) -> Table:
        """A fresh game of a mode, all its secrets derived from `seed`.

        Sisters of one seed have everything in common but the game's id.
        """
        keeper = Keeper(
            bytes_of("house", seed),
            chain_of(bytes_of("chain", seed) + bytes_of("chain2", seed)),
            bytes_of("w", "house", seed),
        )
        sat: list[OwnSeat] = []
        for i in range(seats):
            deck = tuple(sorted(decks[i], key=lambda card: card.number)) if decks else ()
            sat.append(Sitter(i, bytes_of("key", i, seed), bytes_of("w", i, seed), deck))
        players = [SeatedPlayer(f"player {i}", public_key(seat.private)) for i, seat in enumerate(sat)]
        own = ("game", seed) if sister == 0 else ("game", seed, sister)
        identity = str(UUID(bytes=bytes_of(*own)[:16], version=4))
        to = None if envelope_private is None else envelope.public_key(envelope_private)
        rules = games.find(mode)
        game, entries = opening(keeper, identity, rules, options or {}, players, texts, START, to, clauses)
        first = [apply(None, entries[0]) for _ in sat]
        views = [view.knowing(seat.faces) for view, seat in zip(first, sat, strict=True)]
        table = cls(keeper, sat, game, list(entries), views, apply(None, entries[0]), Random(seed))
        table.envelope_private = envelope_private
        return table

    def add(self, game: Game, entries: Sequence[Entry]) -> None:
        """Take the house's new entries into the record and every seat's fold of it."""
        self.game = game
        for entry in entries:
            self.record.append(entry)
            self.spectator = apply(self.spectator, entry, self.checks)
            for i, view in enumerate(self.views):
                self.views[i] = apply(view, entry, self.checks)
            if entry.kind == "deal":
                self._tell_faces()
        self._tell_drawn()
        step = game.asking.step if game.asking is not None and game.asking.held else None
        self.waiting = {seat: message for seat, message in self.waiting.items() if message.step == step}

    def _tell_faces(self) -> None:
        mode, state = self.game.rules, self.game.state
        for i, view in enumerate(self.views):
            sees = mode.sees(state, i)
            self.views[i] = view.knowing({p: f for p, f in state.faces.items() if p in sees})

    def _tell_drawn(self) -> None:
        """Tell each seat the cards that became its own since the deal."""
        mode, state = self.game.rules, self.game.state
        for i, view in enumerate(self.views):
            own = mode.sees(view.state, i) - mode.sees(view.state, None) - view.state.faces.keys()
            if own:
                self.views[i] = view.knowing({p: state.faces[p] for p in own})

    def message(self, seat: int) -> Message:
        """Return what this seat answers to what is asked of it, by its own fold."""
        game, who = self.views[seat], self.seats[seat]
        assert game.asking is not None
        match game.asking.kind:
            case "enter":
                if not game.rules.facts.own_decks:
                    return who.enter(game)
                seed = who.secret.certificate_seed
                return who.enter(
                    game, certify(self.keeper.private, game.header, seat, who.deck, seed, self.now)
                )
            case "ready":
                return who.ready(game)
            case "link":
                return who.link(game)
            case "move":
                return who.move(game, self.choose(self, seat))
            case "seal":
                encloses = self.encloses(self, seat)
                message, self.kept[seat] = who.seal(game, self.choose(self, seat), envelope=encloses)
                return message
        return who.reveal(game, self.kept[seat])

    def pay(self, seat: int) -> list[Entry]:
        """Send the reveal that a seat owes."""
        return self.send(self.seats[seat].reveal(self.views[seat], self.kept[seat]))

    def to_open(self) -> list[int]:
        """Seats whose envelopes can be opened now."""
        return [] if self.away(self) else sorted(enclosed(self.game) - self.waiting.keys())

    def opened(self, seat: int) -> Message:
        """Return what this seat has enclosed with its seal of the running step."""
        step = self.game.step
        sent = next(e for e in self.record if (e.kind, e.step, e.actor) == ("seal", step, str(seat)))
        assert self.envelope_private is not None
        return open_envelope(self.game, seat, self.envelope_private, unb64(sent.body["envelope"]))

    def answer(self, *seats: int) -> list[Entry]:
        """Have these seats answer what is asked of them, one after another; returns all new entries."""
        entries: list[Entry] = []
        for seat in seats:
            entries += self.send(self.message(seat))
        return entries

    def at_once(self, *seats: int) -> list[Entry]:
        """Have these seats answer at the same moment, unaware of each other; they arrive in this order."""
        return [entry for message in [self.message(seat) for seat in seats] for entry in self.send(message)]

    def send(self, message: Message) -> list[Entry]:
        """A message arrives: entered, or held; raises `Refused`.

        An act that closes a step closes it here too.
        """
        game, entries = accept(self.keeper, self.game, message, self.now, self.checks)
        if waits(self.game, message):
            self.waiting[message.seat] = message
        self.add(game, entries)
        if self.waiting:
            game, more = close(self.keeper, self.game, self.waiting, self.now)
            self.add(game, more)
            entries = entries + more
        return entries

    def lapse(self) -> list[Entry]:
        """The time of the running step passes for a seat, and the house closes it."""
        assert self.game.asking is not None
        when = due(self.game, self.waiting.keys())
        assert when is not None
        self.now = max(self.now, when)
        game, entries = close(self.keeper, self.game, self.waiting, self.now)
        self.waiting = {}
        self.add(game, entries)
        return entries

    def leave(self, rest: int, long: int) -> list[Entry]:
        """The house goes away, `rest` ms before the latest deadline, and comes back `long` ms later."""
        assert self.game.asking is not None
        began = max(self.game.at, self.game.asking.deadline - rest)
        self.now = max(self.now, began + long)
        game, entries = was_away(self.keeper, self.game, began, began + long, self.now)
        self.add(game, entries)
        return entries

    def owed(self) -> list[int]:
        """Seats that owe a reveal."""
        return [i for i, seat in enumerate(self.game.seats) if seat.owed is not None]

    def asked(self) -> list[int]:
        """Seats that can answer now."""
        asking = self.game.asking
        if asking is None:
            return []
        able = asking.seats - self.waiting.keys()
        return sorted(s for s in able if not (asking.kind == "seal" and self.game.seat(s).owed is not None))

    def step(self) -> None:
        """One seat that is asked answers or pays what it owes, or, with all silent, the time passes."""
        self.now += 250
        when = due(self.game, self.waiting.keys())
        if when is not None and when <= self.now:
            self.lapse()
            return
        owing = [(seat, True) for seat in self.owed() if not self.silent(self, seat)]
        if to_open := self.to_open():
            self.send(self.opened(self.rng.choice(to_open)))
            return
        able = [(seat, False) for seat in self.asked() if not self.silent(self, seat)]
        if not owing and not able:
            self.lapse()
            return
        seat, pays = self.rng.choice(owing + able)
        if pays:
            self.pay(seat)
        else:
            self.answer(seat)

    def play(self, steps: int = 20_000) -> Game:
        """Play to the end of the game."""
        for _ in range(steps):
            if self.game.over:
                return self.game
            self.step()
        raise AssertionError("the game does not end")

    def until(self, kind: str, steps: int = 2_000, topic: str | None = None) -> Game:
        """Play to the next step that asks for `kind`, and of that topic if one is given."""
        for _ in range(steps):
            asking = self.game.asking
            if asking is not None and asking.kind == kind and topic in (None, asking.topic):
                return self.game
            self.step()
        raise AssertionError(f"{kind} is never asked for")

    def copy(self) -> Self:
        """A fork of this table."""
        return replace(
            self,
            record=list(self.record),
            views=list(self.views),
            waiting=dict(self.waiting),
            kept=dict(self.kept),
            rng=deepcopy(self.rng),
        )


__all__ = ["START", "Table", "at_random", "bytes_of", "quietly"]
