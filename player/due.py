"""The message that a seat sends next: one function for every mode, for players at home and the house's bots.

It is pure: no network, no clock. The caller folds the record, so every message follows from entries that
the house has signed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from cards.games.contract import Move
from player.seat import OwnSeat, SealedChoice
from referee.game import Game
from referee.message import Message

Choose = Callable[[Game], Move]
"""Chooses a legal move of the mode for the seat that is asked, from what that seat sees."""
Certify = Callable[[bytes], Mapping[str, Any]]
"""A function that has the house certify the seat's deck under a 32-byte certificate seed."""
Outgoing = tuple[Message, SealedChoice | None]
"""A message, and the sealed choice that its sender must write down before sending it."""
Wanted = tuple[int, str]
"""The message that a seat is asked for: a step and a kind."""


def due(game: Game, seat: int, kept: SealedChoice | None) -> Wanted | None:
    """Return what `seat` must send now; None when nothing is asked of it.

    A reveal that the seat owes comes before everything else, if `kept` is the choice that opens it.
    A message that waits beside the record leaves no trace in the fold. A caller that has sent one
    need not ask again before the step is over.
    """
    if game.over or game.outcome is not None or seat in game.gone:
        return None
    owed = game.seat(seat).owed
    if owed is not None and kept is not None and kept.step == owed.step:
        return owed.step, "reveal"
    asking = game.asking
    if asking is None or seat not in asking.seats:
        return None
    unable = {
        "seal": owed is not None,  # an owed reveal comes before the next seal
        "reveal": kept is None or kept.step != asking.step,
    }
    return None if unable.get(asking.kind, False) else (asking.step, asking.kind)


def answer(
    game: Game,
    seat: OwnSeat,
    choose: Choose,
    certificate: Certify,
    kept: SealedChoice | None,
    envelope: bool = False,
) -> Outgoing | None:
    """Build what `seat` must send now; None when nothing is asked of it (`due`).

    `kept` is the choice of the seat's newest seal. A seal of the same step is built from it again, so that
    `kept` always opens the seal that the house has. With `envelope` a seal encloses its reveal, if the game
    takes envelopes: the house can then read the meal before it is revealed (protocol section 11).
    Raises `Refused` if the certificate is not of the seat's own deck.
    """
    game = game.knowing(seat.faces)
    wanted = due(game, seat.number, kept)
    if wanted is None:
        return None
    step, kind = wanted
    match kind:
        case "enter":
            own = game.rules.facts.own_decks
            return seat.enter(game, certificate(seat.secret.certificate_seed) if own else None), kept
        case "ready":
            return seat.ready(game), kept
        case "link":
            return seat.link(game), kept
        case "move":
            ours = seen(game.knowing(seat.hand(game)), seat.number)
            return seat.move(game, forced(ours, seat.number) or choose(ours)), kept
        case "lock" | "mix" | "share" | "unlock":
            return seat.party(game, kind), kept
        case "seal":
            encloses = envelope and game.header.envelope_key is not None
            if kept is not None and kept.step == step:
                return seat.seal(game, kept.choice, kept.fresh, encloses)
            return seat.seal(game, choose(seen(game, seat.number)), envelope=encloses)
        case "reveal" if kept is not None:
            return seat.reveal(game, kept), kept
    raise AssertionError(f"the referee never asks for {kind}")


def forced(game: Game, seat: int) -> Move | None:
    """The only move of a seat whose hand nobody else can read: its program sends it (protocol section 20.10).

    `game` has the faces of its hand. None where the seat has a choice, or the house makes the move.
    """
    if not game.header.dealerless:
        return None
    asking = game.asking
    asked = asking is not None and asking.kind == "move" and asking.how == "any" and seat in asking.seats
    return game.rules.compelled(game.state, seat) if asked else None


def seen(game: Game, seat: int | None) -> Game:
    """The game with the faces that `seat` may see (`Mode.sees`), and no others that the fold knows.

    Where nobody deals, the fold knows nothing but what lies open to all, and the seat's own cards.
    """
    if game.header.dealerless:
        return game
    return replace(game, state=game.state.seen(game.rules.sees(game.state, seat)))
