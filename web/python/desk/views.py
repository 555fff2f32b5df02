"""Games as the page draws them: the same members for every mode, and what a mode adds to its own drawing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from cards.catalog.cards import Card
from cards.games.contract import Face
from crypto.encoding import b64
from desk.tables import table_of
from player.due import Wanted
from referee import Entry, Game
from referee.game import Asking, Sealed, outcome_json
from referee.header import BANK

MOST_MOVES = 60
"""The most moves that are listed. Where there are more, a mode's own drawing says how to choose."""


def face_text(face: Face) -> str:
    """A face as a text: a card's slug, or a code."""
    return face.slug if isinstance(face, Card) else str(face)


def only(game: Game, positions: frozenset[int]) -> Game:
    """The game with the faces at these positions, and no others."""
    return replace(game, state=game.state.seen(positions))


def seal_told(sealed: Sealed | None) -> dict[str, Any] | None:
    """A seal as `SealView`."""
    if sealed is None:
        return None
    return {"at": sealed.at, "fingerprint": sealed.fingerprint.hex(), "envelope": sealed.envelope}


def _seats(game: Game) -> list[dict[str, Any]]:
    bank = game.header.options.get(BANK.name, 0)
    asked = game.asking.seats if game.asking is not None and not game.over else frozenset()
    points, gone = game.rules.points(game.state), game.gone
    found = []
    named = zip(game.header.names, game.header.players, game.seats, strict=True)
    for number, (name, player, state) in enumerate(named):
        found.append(
            {
                "name": name,
                "key": b64(player.key),
                "points": points[number] if number < len(points) else 0,
                "asked": number in asked,
                "seal": seal_told(state.sealed),
                "owes": state.owed is not None,
                "offers_draw": state.offers_draw,
                "gone": number in gone,
                "bank_ms": max(0, 1000 * bank - state.thought) if bank else None,
            }
        )
    return found


def asking_told(asking: Asking | None, seat: int | None) -> dict[str, Any] | None:
    """What is asked, and until when."""
    if asking is None:
        return None
    deadline = asking.deadline_of(seat) if seat is not None and seat in asking.seats else asking.deadline
    return {
        "kind": asking.kind,
        "topic": asking.topic,
        "seats": sorted(asking.seats),
        "deadline": deadline,
        "given_ms": deadline - asking.since,
    }


def choice_told(game: Game, seat: int, wanted: Wanted) -> dict[str, Any]:
    """What the rules want from a seat, whose faces `game` knows."""
    step, kind = wanted
    moves: list[Any] = []
    if kind == "move":
        moves = list(islice(game.rules.legal(game.state, seat), MOST_MOVES + 1))
    asking = game.asking
    return {
        "kind": kind,
        "topic": asking.topic if asking is not None else "",
        "step": step,
        "moves": [{"move": move, "key": json.dumps(move, sort_keys=True)} for move in moves[:MOST_MOVES]],
        "more": len(moves) > MOST_MOVES,
    }


def proven(entries: Sequence[Entry]) -> dict[str, Any]:
    """Counts of what was checked: the house's signature of each entry, and a player's of each of theirs."""
    kinds: dict[str, int] = {}
    for entry in entries:
        kinds[entry.kind] = kinds.get(entry.kind, 0) + 1
    signatures = len(entries) + sum(entry.actor != "house" for entry in entries)
    return {"entries": len(entries), "signatures": signatures, "kinds": kinds}


def view(
    game: Game,
    seat: int | None,
    entries: Sequence[Entry],
    wanted: Wanted | None = None,
    *,
    locked_out: bool = False,
    sealed: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """A game as `MatchView`. `game` knows no faces but those that the seat, or a spectator, may see."""
    state, rules = game.state, game.rules
    board = state.board
    return {
        "game": game.header.game,
        "mode": rules.facts.name,
        "options": dict(game.header.options),
        "seq": game.seq,
        "step": game.step,
        "at": game.at,
        "seat": seat,
        "seats": _seats(game),
        "asking": None if game.over else asking_told(game.asking, seat),
        "choice": None if wanted is None or seat is None else choice_told(game, seat, wanted),
        "deals": game.deals,
        "round": getattr(board, "round", game.deals),
        "state": rules.dump(state),
        "places": {name: list(positions) for name, positions in rules.places(state).items()},
        "faces": {str(position): face_text(face) for position, face in state.faces.items()},
        "table": table_of(game, seat, wanted, sealed),
        "outcome": outcome_json(game.outcome),
        "over": game.over,
        "envelopes": game.header.envelope_key is not None,
        "locked_out": locked_out,
        "proven": proven(entries),
    }


def account_told(entry: Entry, game: Game) -> dict[str, Any]:
    """An account as `AccountEvent`."""
    return {
        "seq": entry.seq,
        "round": getattr(game.state.board, "round", game.deals),
        "sections": sections_told(entry, game),
    }


def sections_told(entry: Entry, game: Game) -> list[dict[str, Any]]:
    """The sections of an account of this game: codes and values, which the page puts into words."""
    found = game.rules.sections(entry.body["lines"], game.header.cards)
    return [section.json() for section in found]
