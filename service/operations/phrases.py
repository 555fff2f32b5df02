"""Phrases: the few things that players can say to each other at a table. There is no free chat.

A phrase is an event of the other players' feeds. It never stands in the record, and changes nothing in the
game. A player who has muted phrases hears none, nor does one whom a block parts from the speaker.
"""

from __future__ import annotations

from sqlmodel import Session, select

from service.db import upsert
from service.models import GameSeat, Mute, Player, Said
from service.operations import blocks, feed
from service.operations.games import row_of
from service.operations.watching import visible
from service.problems import conflict, forbidden
from service.runtime import Runtime

PHRASES = {
    "good_luck": "Good luck!",
    "well_played": "Well played!",
    "thanks": "Thanks!",
    "oops": "Oops.",
    "hurry_please": "Hurry, please.",
}
"""The words of each phrase by its code. A code never changes and never gets a second meaning."""
MOST = 2
"""The most phrases that a seat says between two entries of the record."""
LINGER_MS = 600_000
"""Milliseconds after the end of a game in which its players may still say something."""


def say(house: Runtime, player: Player, game_id: str, phrase: str) -> None:
    """Say a phrase of `PHRASES` to the other players of a game.

    Raises `Problem` 403, 404 for a player without a seat, and 409 for too many phrases, and long after the
    end of the game.
    """
    with house.write() as session:
        _, seat = visible(session, game_id, player.id)
        if seat is None:
            raise forbidden("not_your_game", "Only the players of a game can say something at its table.")
        row = row_of(session, game_id)
        now = house.now()
        if row.ended_at is not None and now > row.ended_at + LINGER_MS:
            raise conflict("table_left", "This game is long over, and its players have left the table.")
        new = {"game_id": game_id, "seat": seat, "seq": row.seq, "phrases": 0}
        session.execute(upsert(session, Said).values(new).on_conflict_do_nothing())
        mine = select(Said).where(Said.game_id == game_id, Said.seat == seat)
        said = session.exec(mine.with_for_update().execution_options(populate_existing=True)).one()
        before = said.phrases if said.seq >= row.seq else 0
        if before >= MOST:
            text = f"You have said {MOST} things since the last entry: wait until the game goes on."
            raise conflict("too_many_phrases", text, at_most=MOST)
        said.seq, said.phrases = max(said.seq, row.seq), before + 1
        data = {"game": game_id, "seat": seat, "name": player.handle, "phrase": phrase}
        feed.add(house, session, _listeners(session, game_id, player.id), "game.said", **data)


def _listeners(session: Session, game_id: str, speaker_id: str) -> list[str]:
    """The other players of a game who hear the speaker."""
    seats = session.exec(select(GameSeat.player_id).where(GameSeat.game_id == game_id))
    others = [one for one in seats if one is not None and one != speaker_id]
    return [one for one in others if not muted(session, one) and not blocks.blocked(session, one, speaker_id)]


def muted(session: Session, player_id: str) -> bool:
    """Tell whether a player hears no phrases."""
    return session.get(Mute, player_id) is not None


def mute(house: Runtime, player_id: str, on: bool) -> bool:
    """Mute phrases for a player at all tables, or hear them again. Idempotent; returns `on`."""
    with house.write() as session:
        if on:
            row = {"player_id": player_id, "since": house.now()}
            session.execute(upsert(session, Mute).values(row).on_conflict_do_nothing())
        elif (there := session.get(Mute, player_id)) is not None:
            session.delete(there)
        return on
