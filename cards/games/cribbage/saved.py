"""A state of cribbage as JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cards.games.contract import State
from cards.games.cribbage.score import Item
from cards.games.cribbage.table import Board, Hand, Pegged, Setup


def dump(state: State[Board]) -> dict[str, Any]:
    """The state as JSON."""
    board = state.board
    hand = {**board.hand._asdict(), "said": sorted(board.hand.said)}
    known = {
        **board._asdict(),
        "setup": asdict(board.setup),
        "hand": hand,
        "news": [{**news._asdict(), "items": [*map(asdict, news.items)]} for news in board.news],
        "gone": sorted(board.gone),
    }
    return {**known, "faces": {str(position): state.faces[position] for position in sorted(state.faces)}}


def load(data: Mapping[str, Any]) -> State[Board]:
    """The state of its JSON."""
    known = {name: value for name, value in data.items() if name != "faces"}
    hand = dict(data["hand"])
    for name in ("held", "laid", "played"):
        hand[name] = tuple(map(tuple, hand[name]))
    for name in ("pile", "claims"):
        hand[name] = tuple(hand[name])
    for name in ("scores", "won", "missed", "cuts"):
        known[name] = tuple(known[name])
    board = Board(
        **{
            **known,
            "setup": Setup(**data["setup"]),
            "hand": Hand(**{**hand, "said": frozenset(hand["said"])}),
            "news": tuple(_pegged(news) for news in data["news"]),
            "gone": frozenset(data["gone"]),
        }
    )
    return State(board, {int(position): face for position, face in data["faces"].items()})


def _pegged(data: Mapping[str, Any]) -> Pegged:
    return Pegged(**{**data, "items": tuple(Item(**item) for item in data["items"])})
