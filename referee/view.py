"""What a seat or a spectator sees of a game: everything that is public, and its own faces.

Hiding is written once: the faces that a seat may not see are dropped, by the
mode's `sees`. Nothing else of a game is secret to its players.
"""

from __future__ import annotations

from typing import Any

from crypto.encoding import b64, timestamp
from referee.game import Game, Sealed, outcome_json


def asked(game: Game) -> dict[str, Any] | None:
    """What is asked of whom until when."""
    asking = game.asking
    if asking is None or game.over:
        return None
    return {
        "kind": asking.kind,
        "topic": asking.topic,
        "seats": sorted(asking.seats),
        "step": asking.step,
        "seen_from": asking.seq,
        "until": timestamp(asking.deadline),
        "deal": game.deals + 1 if asking.kind == "link" else None,
    }


def _seal(sealed: Sealed | None) -> dict[str, Any] | None:
    if sealed is None:
        return None
    return {
        "step": sealed.step,
        "seal": b64(sealed.seal),
        "fingerprint": b64(sealed.fingerprint),
        "at": timestamp(sealed.at),
    }


def view(game: Game, seat: int | None) -> dict[str, Any]:
    """The game as `seat` (None: a spectator) sees it, as JSON."""
    mode = game.rules
    sees = mode.sees(game.state, seat)
    return {
        "game": game.header.game,
        "mode": mode.facts.name,
        "rules": mode.facts.rules,
        "options": dict(game.header.options),
        "seat": seat,
        "seq": game.seq,
        "digest": b64(game.digest),
        "at": timestamp(game.at),
        "step": game.step,
        "deals": game.deals,
        "asked": asked(game),
        "seats": [
            {
                "name": player.name,
                "key": b64(player.key),
                "entered": state.anchor is not None,
                "sealed": _seal(state.sealed),
                "owes": _seal(state.owed),
                "offers_draw": state.offers_draw,
            }
            for player, state in zip(game.header.players, game.seats, strict=True)
        ],
        "points": list(mode.points(game.state)),
        "state": mode.dump(game.state.seen(sees)),
        "outcome": outcome_json(game.outcome) if game.over else None,
        "over": game.over,
    }
