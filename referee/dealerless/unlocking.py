"""The cards that come out from under locks while a deal is in play (protocol section 20.8).

There are three reasons: a seat has drawn a card of the stock, the rules turn a card up, or they look for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cards.games.contract import CardByCard, Position, Turn
from referee.dealerless.masked import InPlay, Party, owned
from referee.game import Game, in_play


@dataclass(frozen=True, slots=True)
class Unlocking:
    """What an unlock is about."""

    positions: tuple[Position, ...]
    """Ascending."""
    keepers: Mapping[Position, int] = field(default_factory=dict)
    """The seats whose locks stay on, by position."""
    traits: frozenset[str] = frozenset()
    """Where a card is looked for: its traits. Empty where all of the positions are unlocked."""

    def of(self, playing: InPlay, party: Party) -> tuple[Position, ...]:
        """Those of the positions off which a party takes its lock."""
        keepers = self.keepers
        return tuple(p for p in self.positions if keepers.get(p) != party and party in playing.lockers(p))

    def parties(self, playing: InPlay) -> frozenset[Party]:
        """The parties that must take a lock off."""
        asked = {party for p in self.positions for party in playing.lockers(p) - {self.keepers.get(p)}}
        return frozenset(asked)


def due(game: Game) -> Unlocking | None:
    """What is to be unlocked before a deal in play goes on; None if nothing is."""
    playing = in_play(game)
    drawn = _drawn(game, playing)
    if drawn is not None:
        return drawn
    turn, faces = game.rules.next(game.state), game.state.faces
    if not isinstance(turn, Turn):
        return None
    if turn.seek is not None:
        return Unlocking(playing.locked(turn.seek.positions), traits=turn.seek.traits)
    if turn.taking is not None:
        return _taken(game, playing, turn.taking)
    hidden = tuple(sorted(p for p in turn.positions or () if p not in faces))
    return Unlocking(hidden) if hidden else None


def _drawn(game: Game, playing: InPlay) -> Unlocking | None:
    """Cards that a seat has drawn from the stock: all locks come off but its own."""
    owners = owned(game.rules, game.state, game.header.seats)
    locked = [p for p, seat in owners.items() if playing.lockers(p) - {seat}]
    return Unlocking(tuple(sorted(locked)), {p: owners[p] for p in locked}) if locked else None


def _taken(game: Game, playing: InPlay, taking: CardByCard) -> Unlocking | None:
    """The next card that a seat takes: first all other locks come off, then it shows it or keeps it."""
    for position in taking.positions:
        if position in playing.kept:
            continue
        face = game.state.faces.get(position)
        if face is None:
            own = playing.lockers(position) == {taking.seat}
            if own:
                return Unlocking((position,), traits=taking.traits)
            return Unlocking((position,), {position: taking.seat})
        if taking.traits & game.rules.has(face):
            return None
    return None


def turned_up(game: Game, turn: Turn) -> Turn:
    """The positions that the rules turn up, where a seat has taken cards until one was the right one."""
    taking, faces = turn.taking, game.state.faces
    if taking is None or not isinstance(game.masked, InPlay):
        return turn
    found = (p for p in taking.positions if p in faces and taking.traits & game.rules.has(faces[p]))
    return Turn(frozenset([*found][:1]))
