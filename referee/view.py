"""The view of a game for a seat or a spectator: everything public, and the seat's own faces.

This is the only place that hides anything. It drops the faces that a seat may not
see by the mode's `sees`. Nothing else of a game is secret to its players.
"""

from __future__ import annotations

from typing import Any

from crypto.encoding import LAST_MS, b64, timestamp
from referee.clocks import rest
from referee.game import Game, Sealed, outcome_json


def _deadline(ms: int) -> str:
    """A deadline as text, at most the last time that can be written: a house may have named times near it."""
    return timestamp(min(ms, LAST_MS))


def asked(game: Game) -> dict[str, Any] | None:
    """The running ask as JSON: what is asked, of which seats, until when; None if nothing is asked."""
    asking = game.asking
    if asking is None or game.over:
        return None
    return {
        "kind": asking.kind,
        "topic": asking.topic,
        "seats": sorted(asking.seats),
        "step": asking.step,
        "seen_from": asking.seq,
        "until": _deadline(asking.deadline),
        "deal": game.deals + 1 if asking.kind in ("link", "lock") else None,
    }


def _seal(sealed: Sealed | None) -> dict[str, Any] | None:
    if sealed is None:
        return None
    return {
        "step": sealed.step,
        "seal": b64(sealed.seal),
        "fingerprint": b64(sealed.fingerprint),
        "at": timestamp(sealed.at),
        "envelope": sealed.envelope,
    }


def _until(game: Game, seat: int) -> str | None:
    """The deadline of a seat as text; None if nothing is asked of it."""
    asking = game.asking
    if asking is None or game.over or seat not in asking.seats:
        return None
    return _deadline(asking.deadline_of(seat))


def view(game: Game, seat: int | None) -> dict[str, Any]:
    """The game as `seat` sees it, in JSON; None stands for a spectator."""
    mode = game.rules
    # Without a dealer everybody's fold holds what everybody knows, and a seat's own cards are at home.
    open_to_all = game.state.faces.keys() if game.header.dealerless else frozenset[int]()
    sees = mode.sees(game.state, seat) | open_to_all
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
                "out": number in game.gone,
                "until": _until(game, number),
                "bank_ms": rest(game, number),
                "timeouts": dict(state.timeouts),
            }
            for number, (player, state) in enumerate(zip(game.header.players, game.seats, strict=True))
        ],
        "points": list(mode.points(game.state)),
        "state": mode.dump(game.state.seen(sees)),
        "outcome": outcome_json(game.outcome) if game.over else None,
        "over": game.over,
        "away_ms": game.away,
    }
