"""Twin games: alike in all that the observer at seat 0 may know, different in what only the others may.

Randomness is the same in both, so whatever the observer is told differently tells of the secret. Two
things have to be held still by hand. In Pancake the seed of the draws takes in everybody's match
deck: with another deck the draws would be others, as if one had shuffled anew; here both twins get the
same seed. In Hearts nobody can search for two deals that give one hand alike and the others
different ones, so the twin's pack is the first one's with cards exchanged among the others.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest

from cards.games import find
from cards.games.contract import Move
from crypto.fairness import draw
from player.due import seen
from referee import Game, dealing
from service.operations.games import rows
from service.operations.streams import follow
from service.tails import Event
from tests.leaks.compare import CHAIN, DECK, ENVELOPE, OPENED, SEAL, Differs
from tests.leaks.world import Shot, World, fixed
from worker.envelopes import Opener

FAR = 500
"""Messages after which a twin that does not end is at fault."""
NOTHING: Move = {"dishes": []}
Script = dict[tuple[int, int], Move]
"""The choices of the first twin, by step and seat."""


class Twin(ABC):
    """Two games of a mode that differ in one secret."""

    mode: ClassVar[str]
    players: ClassVar[int] = 2
    options: ClassVar[Mapping[str, Any]] = {}
    """The options of the table that are not the defaults."""
    starters: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The starter deck of each player in the first game, and in the second."""
    differs: ClassVar[Differs] = {}
    """The places where the observer must be sent something else: exactly there, and of the same length."""
    seed: str = "twins"
    """The seed of both games: of ids, keys and secrets, and so of what is dealt."""
    every: ClassVar[int] = 1
    """The number of messages after which those who remember nothing look."""

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:  # noqa: B027
        """Prepare what comes before they sit down: nothing."""

    def seated(self, world: World) -> None:  # noqa: B027
        """Do what comes after they have sat down: nothing."""

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """A choice of the first game: any legal one."""
        return game.rules.legal(seen(game, seat).state, seat).sample(rng)

    def instead(self, game: Game, seat: int, move: Move) -> Move:
        """The choice of the second game in place of the first one's: the same."""
        return move

    def done(self, world: World, game: Game) -> bool:
        """Tell whether the games part here, or end."""
        raise NotImplementedError

    def finish(self, world: World) -> None:  # noqa: B027
        """Do what players do when it is done: nothing more."""


def play(
    twin: Twin,
    second: bool,
    script: Script,
    folder: Path,
    template: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    look: bool = True,
    every: int | None = None,
) -> list[Shot]:
    """Play one of two twins; everything that the observer and the onlookers heard."""
    rng = Random(twin.mode)
    with fixed(monkeypatch, twin.seed), monkeypatch.context() as patch:
        patch.setattr(rows, "_headers", {})  # both games have the same id
        # The attribute `events` of `service.api` is the blueprint, not its module.
        patch.setattr(import_module("service.api.events"), "follow", told_so_far)
        starters = {name: slugs[second] for name, slugs in twin.starters.items()}
        world = World.open(folder, template, twin.players, starters)
        twin.prepare(world, second, patch)
        match = world.sit_down(twin.mode, find(twin.mode).facts.own_decks, twin.options)
        twin.seated(world)

        def choose(seat: int) -> Callable[[Game], Move]:
            def choice(game: Game) -> Move:
                key = (game.step, seat)
                if second:
                    return twin.instead(game, seat, script[key])
                script[key] = twin.choose(world, game, seat, rng)
                return script[key]

            return choice

        for chair in match.chairs:
            chair.choose = choose(chair.number)
        for number in range(FAR):
            game = match.fold
            if game.over or twin.done(world, game):
                break
            step(world)
            if look and number % (every or twin.every) == 0:
                world.look()
        else:
            raise AssertionError("the twins do not end")
        twin.finish(world)
        if look:
            world.look()
            world.look_everywhere()
        world.house.close()
    return world.tape


def told_so_far(*of: Any, **how: Any) -> Iterator[Sequence[Event]]:
    """The events of a stream up to the moment at which it would wait for more."""
    with closing(follow(*of, **how)) as found:
        yield from takewhile(bool, found)


def step(world: World) -> None:
    """The one who is asked, the last seat first, sends what is due; the house does what follows."""
    match = world.match
    assert match is not None, "they have sat down"
    world.clock[0] += 250
    for chair in match.chairs:
        chair.catch_up()
    chair = next(chair for chair in reversed(match.chairs) if chair.due() is not None)
    chair.send()
    match.work()


# Pancake


def _same_seed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(dealing, "make_seed", lambda *parts: bytes(range(64)))


def _rounds(game: Game) -> int:
    return game.state.board.round


class ChefTwin(Twin):
    """Seat 1 has the secret."""

    mode = "chef"

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """The same seed for both."""
        _same_seed(patch)

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """The opening hand is kept."""
        assert game.asking is not None, "somebody is asked"
        if game.asking.kind == "move":
            return {"choice": "keep"}
        return super().choose(world, game, seat, rng)


class OneCard(ChefTwin):
    """The opponent's deck holds one other card, which stays in the hand or in the deck to the end."""

    differs: ClassVar[Differs] = {**CHAIN, **DECK, **SEAL, **OPENED}
    index = 4
    """The index of the card in the sorted deck, of which the fifth is a tomato or an onion."""

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """The opponent puts the card in before they sit down."""
        super().prepare(world, second, patch)
        bob = world.guests[1]
        assert bob.post("/collection/basics", {"cards": {"tomato": 1, "onion": 1}}).status_code == 201
        deck = bob.get("/decks").json["items"][0]
        assert (deck["cards"]["bread"], deck["cards"]["potato"]) == (2, 3)
        assert not {"rice", "tomato", "onion"} & deck["cards"].keys()
        cards = {**deck["cards"], "potato": 2, "tomato" if second else "onion": 1}
        assert (
            bob.edit("PUT", f"/decks/{deck['id']}", {"name": deck["name"], "cards": cards}).status_code == 200
        )

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """The opponent serves anything but that card."""
        assert world.match is not None, "they have sat down"
        while True:
            move = super().choose(world, game, seat, rng)
            hidden = world.match.chairs[1].seat.secret.permutation.index(self.index)
            used = [i for dish in move.get("dishes", ()) for i in (dish["recipe"], *dish["ingredients"])]
            if seat != 1 or hidden not in used:
                return move

    def done(self, world: World, game: Game) -> bool:
        """Two rounds were played."""
        return _rounds(game) > 2

    def finish(self, world: World) -> None:
        """The opponent gives up; a finished game is shown to everybody."""
        assert world.match is not None, "they have sat down"
        chair = world.match.chairs[1]
        chair.catch_up()
        chair.send(chair.seat.resign(chair.game))
        world.match.work()


class WholeDeck(OneCard):
    """The opponent's deck is quite another, and nothing of it is served."""

    starters: ClassVar[Mapping[str, tuple[str, str]]] = {"bob": ("trattoria", "night-market")}

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """Nothing is exchanged."""
        _same_seed(patch)

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """The opponent serves nothing."""
        move = ChefTwin.choose(self, world, game, seat, rng)
        return NOTHING if seat == 1 and "dishes" in move else move


class Meal(ChefTwin):
    """The opponent has sealed and opened another meal, and only our reveal is awaited."""

    differs: ClassVar[Differs] = {**CHAIN, **SEAL}

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """The opponent serves something."""
        for _ in range(FAR):
            move = super().choose(world, game, seat, rng)
            if seat == 0 or move != NOTHING:
                return move
        raise AssertionError("nothing can be served of this hand")

    def instead(self, game: Game, seat: int, move: Move) -> Move:
        """Seat 1 serves nothing instead of a meal."""
        return NOTHING if seat == 1 and "dishes" in move else move

    def done(self, world: World, game: Game) -> bool:
        """The opponent's reveal waits."""
        return waits(world, "reveal")


class Enclosed(Meal):
    """The opponent has sealed another meal, with its reveal in an envelope; we seal after that."""

    differs: ClassVar[Differs] = {**CHAIN, **SEAL, **ENVELOPE}

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """A worker with a key for envelopes is there."""
        super().prepare(world, second, patch)
        Opener.begin(world.house)

    def seated(self, world: World) -> None:
        """The opponent encloses."""
        assert world.match is not None, "they have sat down"
        world.match.chairs[1].envelope = True

    def done(self, world: World, game: Game) -> bool:
        """Both have sealed, and the envelope is still shut."""
        return game.asking is not None and game.asking.kind == "reveal"


class Redraw(ChefTwin):
    """The opponent has decided to keep or to redraw, and we have not."""

    def instead(self, game: Game, seat: int, move: Move) -> Move:
        """Redraw."""
        return {"choice": "redraw"} if seat == 1 else move

    def done(self, world: World, game: Game) -> bool:
        """The opponent's decision waits."""
        return waits(world, "move")


def waits(world: World, kind: str) -> bool:
    """Tell whether what the opponent has sent waits beside the record."""
    assert world.match is not None, "they have sat down"
    game = world.match.fold
    return (game.step, kind) in world.match.chairs[1].sent


# Hearts


@dataclass
class PackTwin(Twin):
    """A twin in which other cards of the house's secret pack lie where we may not look."""

    swaps: Mapping[int, int] = field(default_factory=dict)
    """Positions of the second pack that hold what another position of the first one holds."""

    def prepare(self, world: World, second: bool, patch: pytest.MonkeyPatch) -> None:
        """The pack is dealt otherwise, where we may not look."""

        def dealt(*asked: Any) -> tuple[int, ...]:
            order = draw(*asked)
            return tuple(order[self.swaps.get(i, i)] for i in range(len(order)))

        if second:
            patch.setattr(dealing, "draw", dealt)


@dataclass
class HeartsTwin(PackTwin):
    """The others hold other cards."""

    mode = "hearts"

    def choose(self, world: World, game: Game, seat: int, rng: Random) -> Move:
        """Nothing is exposed."""
        assert game.asking is not None, "somebody is asked"
        return {"done": True} if game.asking.topic == "expose" else super().choose(world, game, seat, rng)


@dataclass
class OtherHands(HeartsTwin):
    """All cards of the others lie elsewhere; we have led, and nobody else has played."""

    players = 4
    swaps: Mapping[int, int] = field(default_factory=lambda: {i: 64 - i for i in range(13, 52)})

    def done(self, world: World, game: Game) -> bool:
        """The first card lies there."""
        return bool(game.state.board.trick)


@dataclass
class TwoCards(HeartsTwin):
    """Two of the others hold each other's card, of a suit that both have, until one of the two is played."""

    players = 3
    every = 6
    shown: int = 0
    """The number of cards that are played before the first of the two."""

    def done(self, world: World, game: Game) -> bool:
        """One of the two cards comes next; without any (to find out which), the round is over."""
        board = game.state.board
        if not self.swaps:
            return board.round > 1
        played = {*board.trick, *(p for pile in board.collected for p in pile)}
        return len(played) == self.shown

    @classmethod
    def found(cls, folder: Path, template: Path, monkeypatch: pytest.MonkeyPatch) -> TwoCards:
        """Play a round to see which two cards of one suit are played last."""
        scout, script = cls(), Script()
        faces: dict[int, str] = {}
        played: list[int] = []

        class Scout(TwoCards):
            def done(self, world: World, game: Game) -> bool:
                faces.update(game.state.faces if game.state.board.round == 1 else {})
                return scout.done(world, game)

        play(Scout(), False, script, folder, template, monkeypatch, look=False)
        played = [move["play"] for _, move in sorted(script.items()) if "play" in move][:51]
        size = len(played) // cls.players
        when = {position: i for i, position in enumerate(played)}
        pairs = [
            (min(when[one], when[other]), one, other)
            for one in range(size, 2 * size)
            for other in range(2 * size, 3 * size)
            if faces[one][-1] == faces[other][-1] and not {faces[one], faces[other]} & EXPOSABLE
        ]
        shown, one, other = max(pairs)
        return cls({one: other, other: one}, shown)


EXPOSABLE = {"10C", "JD", "AH", "QS"}


TWINS: Mapping[str, Callable[[Path, Path, pytest.MonkeyPatch], Twin]] = {
    "chef: one card": lambda *_: OneCard(),
    "chef: a whole deck": lambda *_: WholeDeck(),
    "chef: a sealed meal": lambda *_: Meal(),
    "chef: a meal in an envelope": lambda *_: Enclosed(),
    "chef: keep or redraw": lambda *_: Redraw(),
    "hearts: other hands": lambda *_: OtherHands(),
    "hearts: two cards": TwoCards.found,
}
"""The pairs of twins of Pancake and hearts: the mode, the secret."""
