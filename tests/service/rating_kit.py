"""Rated games that are over, with the entries of their records that ratings are computed from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import uuid4

from cards.games.contract import Outcome
from crypto.encoding import timestamp
from service.models import GameEntry, GameRow, GameSeat
from service.operations import ratings
from service.runtime import Runtime


class Known(Protocol):
    """A player of the house."""

    @property
    def id(self) -> str:
        """The player's id."""
        ...

    @property
    def handle(self) -> str:
        """The player's handle."""
        ...


def finished(
    house: Runtime,
    guests: Sequence[Known],
    winners: Sequence[int],
    *,
    mode: str = "big-c",
    choices: int = 1,
    decks: Sequence[str | None] | None = None,
) -> str:
    """A rated game among these guests, each of whom has made so many choices, with these decks; its id."""
    game_id, now = str(uuid4()), house.now()
    body = {"points": [0] * len(guests), "winners": list(winners), "reason": "points"}
    entries = [("move", str(seat), {}) for seat in range(len(guests)) for _ in range(choices)]
    with house.write() as session:
        row = GameRow(
            id=game_id, mode=mode, created_at=now, seq=0, snapshot={}, rated=True, ended_at=now, outcome=body
        )
        session.add(row)
        session.flush()
        session.add_all(
            GameSeat(
                game_id=game_id,
                seat=seat,
                player_id=guest.id,
                name=guest.handle,
                deck_id=None if decks is None else decks[seat],
            )
            for seat, guest in enumerate(guests)
        )
        for seq, (kind, actor, said) in enumerate([*entries, ("result", "house", {"outcome": body})]):
            entry = {"seq": seq, "at": timestamp(now), "actor": actor, "kind": kind, "body": said}
            session.add(GameEntry(game_id=game_id, seq=seq, kind=kind, entry=entry))
        session.flush()
        ratings.book(house, session, row, Outcome(tuple(body["points"]), tuple(winners), "points"))
    return game_id
