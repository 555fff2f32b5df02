"""What a seat sends next: one function for every mode, for players at home and for the house's own bots.

Pure: no network, no clock. The game is the caller's own fold of the record, so
nothing is sent but what follows from entries that the house has signed.
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
"""Has the house certify the seat's deck under a 32-byte certificate seed."""
Outgoing = tuple[Message, SealedChoice | None]
"""A message, and what its sender keeps from now on: to be written down before the message is sent."""


def due(game: Game, seat: int, kept: SealedChoice | None) -> tuple[int, str] | None:
    """What `seat` is to send now: a step and a kind; None when nothing is asked of it.

    A reveal that it owes comes before everything else, if it has kept what that takes.
    A message that waits beside the record leaves no trace in the fold: whoever has
    sent one need not ask again before the step is over.
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
        "seal": owed is not None,  # nothing more may be sealed before the reveal that is owed
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
    """What `seat` sends now, None when nothing is asked of it (`due`).

    `kept` is what it keeps from its newest seal; a seal of the same step is made again as
    it was, so that what is kept always opens what the house has. With `envelope` a seal encloses
    its reveal, where the game takes envelopes: the house can then read the meal before it is revealed
    (protocol section 11). Raises `Refused` where the certificate is not of the seat's own deck.
    """
    game = game.knowing(seat.faces)
    wanted = due(game, seat.number, kept)
    if wanted is None:
        return None
    match wanted[1]:
        case "enter":
            own = game.rules.facts.own_decks
            return seat.enter(game, certificate(seat.secret.certificate_seed) if own else None), kept
        case "ready":
            return seat.ready(game), kept
        case "link":
            return seat.link(game), kept
        case "move":
            return seat.move(game, choose(seen(game, seat.number))), kept
        case "seal":
            encloses = envelope and game.header.envelope_key is not None
            if kept is not None and kept.step == wanted[0]:
                return seat.seal(game, kept.choice, kept.fresh, encloses)
            return seat.seal(game, choose(seen(game, seat.number)), envelope=encloses)
        case "reveal":
            assert kept is not None, "else it is not due"
            return seat.reveal(game, kept), kept
    raise AssertionError(f"the referee asks for no {wanted[1]}")


def seen(game: Game, seat: int) -> Game:
    """The game with the faces that `seat` may see, by the mode's own word, whatever else its fold knows."""
    return replace(game, state=game.state.seen(game.rules.sees(game.state, seat)))
