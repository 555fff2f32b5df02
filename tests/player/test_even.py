"""A seal takes the same hashes whatever the meal is (docs/security.md, side channels)."""

from __future__ import annotations

from typing import Any

import pytest

from cards.games.contract import Move
from crypto import secret
from player.seat import OwnSeat
from referee import Game, apply
from referee.checks import Trusting
from vectors.matches import NOTHING, slow

DISHES: Move = {
    "dishes": [
        {"course": 2, "recipe": 16, "ingredients": [24]},
        {"course": 3, "recipe": 10, "ingredients": [31, 33]},
    ]
}


def hashed(monkeypatch: pytest.MonkeyPatch, seat: OwnSeat, game: Game, choice: Move) -> list[str]:
    """The labels of all hashes, and the idle blocks, while a seal that encloses its reveal is built."""
    noted: list[str] = []
    real_hash, real_idle = secret.tuple_hash, secret.idle

    def noting(label: str, *parts: bytes, **more: Any) -> bytes:
        noted.append(label)
        return real_hash(label, *parts, **more)

    def idling(count: int) -> None:
        noted.append("idle")
        real_idle(count)

    with monkeypatch.context() as patch:
        patch.setattr(secret, "tuple_hash", noting)
        patch.setattr(secret, "idle", idling)
        seat.seal(game, choice, envelope=True)
    return noted


def test_an_enclosed_seal_derives_the_same_secrets_whatever_it_serves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = slow()
    sitter = table.sitters[1]
    seat = OwnSeat(sitter.number, sitter.private, sitter.w, sitter.deck)
    game: Game | None = None
    for entry in table.entries[:11]:
        game = apply(game, entry, Trusting())
    assert game is not None
    view = game.knowing(seat.faces)
    # Seal once before: what is derived once in a match is remembered.
    seat.seal(view, NOTHING, envelope=True)
    nothing, dishes = (hashed(monkeypatch, seat, view, choice) for choice in (NOTHING, DISHES))
    assert nothing == dishes
    assert nothing.count("mask") == 6 * 3 + 3 + 4 + 2 * 3
    assert nothing.count("position-blinding") == 2 * 6
    assert nothing.count("idle") == 1
