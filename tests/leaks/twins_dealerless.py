"""Twin games that nobody deals: two cards of a suit have changed places in the hands of others.

Here the house itself is a stranger. So everything that it *stores* is compared too, table by table: what
differs is listed below, and each of these values is masked, a proof, or a digest or signature over one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from cards.games import french
from cards.games.contract import Move
from cards.games.hearts.table import EXPOSABLE
from crypto.secret import MatchSecret
from referee import Game
from tests.leaks.compare import CHAIN, Differs
from tests.leaks.twins import Twin
from tests.leaks.world import Shot, World

MASKED: Differs = {
    "/entries/mix of 2/body/pack": "the pack under the locks of all, masked anew",
    "/entries/mix of 2/body/proof": "a zero-knowledge proof of the mix",
    "/entries/share of */body/shares": "a lock off cards that other locks still cover",
    "/entries/share of */body/proof": "a zero-knowledge proof about them",
}
STORED: Differs = {
    "/*/entry/prev": "the digest of the entry before",
    "/*/entry/house_signature": "a signature over a digest",
    "/*/entry/player_signature": "a signature over a message that names an entry by its digest",
    "/*/entry/body/seen/digest": "the digest of an entry",
    "/*/entry/body/pack": "the pack under the locks of all",
    "/*/entry/body/proof": "a zero-knowledge proof",
    "/*/entry/body/shares": "a lock off cards that other locks still cover",
    "/*/head": "the digest of the newest entry",
    "/*/snapshot/digest": "the same digest",
    "/*/snapshot/recent/*": "digests of entries",
    "/*/snapshot/masked/cards": "the pack under the locks of all",
    "/*/snapshot/masked/shares/*": "locks off cards",
    "/submission/*/digest": "the digest of a message that names an entry by its digest",
    "/submission/*/signature": "a signature over that",
}
SEATS = 3
ENOUGH = 3
"""Cards of a suit in a hand that always leave another one to play."""


@dataclass
class HiddenHands(Twin):
    """The last to mix, seat 2, has put a card of its own where seat 1's was, and the other way round."""

    mode = "hearts"
    players = SEATS
    options: ClassVar[Mapping[str, Any]] = {"dealer": "nobody"}
    differs: ClassVar[Differs] = {**CHAIN, **MASKED, **STORED}
    every = 12
    world: World | None = None
    swapped: tuple[int, int] | None = None
    """The positions of the two cards, chosen in the first game."""
    hands: list[Mapping[int, Any]] = field(default_factory=list)
    mixed: dict[bytes, None] = field(default_factory=dict)
    """The entries that have asked seat 2 to mix in the second game, in order."""
    deal: ClassVar[int] = 0
    """The mix that is another one, from 0. All behind it hang on it, since they follow from the record."""

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """In the second game seat 2 mixes otherwise."""
        self.world = world
        if not second:
            return
        assert self.swapped is not None, "the first game has chosen"
        (p, q), honest = self.swapped, MatchSecret.mix_permutation

        def other(secret: MatchSecret, asked: bytes, n: int) -> tuple[int, ...]:
            order = list(honest(secret, asked, n))
            if self._of_the_last(secret):
                self.mixed[asked] = None
                if [*self.mixed].index(asked) == self.deal:
                    order[p], order[q] = order[q], order[p]
            return tuple(order)

        patch.setattr(MatchSecret, "mix_permutation", other)

    def _of_the_last(self, secret: MatchSecret) -> bool:
        assert self.world is not None
        assert self.world.match is not None
        return secret is self.world.match.chairs[SEATS - 1].seat.secret

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """Nothing is exposed, and the two cards stay in the hands."""
        assert game.asking is not None, "somebody is asked"
        if game.asking.topic == "expose":
            return {"done": True}
        if self.swapped is None:
            self._swap(world, game)
        moves = game.rules.legal(game.state, seat)
        kept = self.swapped or ()
        return rng.choice([move for move in moves if move["play"] not in kept])

    def _swap(self, world: World, game: Game) -> None:
        """Choose two cards of one suit, which both hands have enough of."""
        assert world.match is not None, "they have sat down"
        own = [world.match.chairs[seat].seat.hand(game) for seat in (1, 2)]
        for suit in "CDHS":
            held = [[p for p, face in hand.items() if french.suit(face) == suit] for hand in own]
            free = [[p for p in held[i] if own[i][p] not in EXPOSABLE] for i in (0, 1)]
            if all(free) and min(map(len, held)) >= ENOUGH:
                self.swapped = free[0][0], free[1][0]
                return
        raise AssertionError("the hands have no suit in common")

    def done(self, world: World, game: Game) -> bool:
        """A whole trick was played."""
        board = game.state.board
        return bool(board.hands) and any(board.collected)

    def finish(self, world: World) -> None:
        """The house's database is laid open. What the hands are is asked of the players alone."""
        assert world.match is not None, "they have sat down"
        game = world.match.chairs[0].catch_up()
        self.hands.append(world.match.chairs[1].seat.hand(game))
        world.tape += stored(world)


@dataclass
class HiddenCrib(HiddenHands):
    """Cribbage: the two cards are laid away. The rest is played, and the crib is still face down."""

    mode = "cribbage"
    swapped: tuple[int, int] | None = (5, 10)
    deal: ClassVar[int] = 1

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """The cuts are of positions that nobody exchanges."""
        assert game.asking is not None, "somebody is asked"
        match game.asking.topic:
            case "cut":
                return {"cut": 40 + seat}
            case "starter":
                return {"cut": 4}
            case "lay":
                return {"lay": [5 * seat]}
        return rng.choice([*game.rules.legal(game.state, seat)])

    def done(self, world: World, game: Game) -> bool:
        """One card is left to play."""
        hand = game.state.board.hand
        return hand.starter is not None and sum(map(len, hand.held)) == 1


@dataclass
class HiddenGriddle(HiddenHands):
    """Flip: the two cards stay in the hands, and what the Stacks show is turned up."""

    mode = "flip"
    swapped: tuple[int, int] | None = (21, 26)

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """A card of the hand or of the Griddle, but neither of the two."""
        moves = [move for move in game.rules.legal(game.state, seat) if {"play", "transfer"} & move.keys()]
        kept = [move for move in moves if move.get("play") not in (self.swapped or ())]
        return rng.choice(kept) if kept else {"done": True}

    def done(self, world: World, game: Game) -> bool:
        """Everybody has had a turn."""
        return bool(game.state.board.turns >= SEATS)


@dataclass
class HiddenPacks(HiddenHands):
    """Big C: the two cards are not presented, and not played."""

    mode = "big-c"
    swapped: tuple[int, int] | None = (13, 26)

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """Another card, or a pass."""
        board, faces = game.state.board, game.state.faces
        if board.phase == "play" and board.table:
            return {"pass": True}
        own = [
            p for p in sorted(board.hands[seat]) if p not in (self.swapped or ()) and faces[p] != french.JOKER
        ]
        if board.phase == "present":
            position = own[len(board.presented[seat])]
            return {"present": position, "card": faces[position]}
        return {"play": own[:1], "cards": [faces[own[0]]]}

    def done(self, world: World, game: Game) -> bool:
        """Everybody has had some turns."""
        return bool(game.state.board.turns >= 2 * SEATS)


def stored(world: World) -> list[Shot]:
    """Every row of every table, as one answer for each table."""
    found = []
    with world.house.read() as session:
        for name, table in sorted(SQLModel.metadata.tables.items()):
            rows = [dict(row) for row in session.execute(sa.select(table)).mappings()]
            body = json.dumps({name: sorted(map(_plain, rows), key=repr)})
            found.append(Shot("the house", f"table {name}", 200, (), body.encode()))
    return found


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}


DEALERLESS: Mapping[str, Callable[[Path, Path, pytest.MonkeyPatch], Twin]] = {
    "hearts: hands that nobody has dealt": lambda *_: HiddenHands(),
    "cribbage: a crib that nobody has dealt": lambda *_: HiddenCrib(),
    "flip: hands that nobody has dealt": lambda *_: HiddenGriddle(),
    "big-c: hands that nobody has dealt": lambda *_: HiddenPacks(),
}
