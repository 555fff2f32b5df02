"""Workers of a tournament, and players whose games end at once, until their process is killed."""

from __future__ import annotations

import time
from pathlib import Path

from sqlmodel import Session, col, select, update

from service.config import Settings
from service.models import GameRow, GameSeat, Tournament
from service.runtime import Runtime


def direct(url: str, data: str) -> None:
    """Look at the tournaments again and again, and end the games that run, until this process is ended."""
    house = Runtime.open(Settings(database=url, data=Path(data), broker="memory://none"))
    while True:
        work(house)
        time.sleep(0.02)


def work(house: Runtime) -> None:
    """One look at each tournament whose time has come, and the end of one game."""
    from service.operations import tournaments

    with house.write() as session:
        running = update(Tournament).where(col(Tournament.state) == "running")
        session.execute(running.values(due_at=0))
    for tournament in tournaments.due(house, 10):
        tournaments.advance(house, tournament)
    with house.write() as session:
        open_game = select(GameRow).where(col(GameRow.ended_at).is_(None)).order_by(col(GameRow.id)).limit(1)
        for row in session.exec(open_game.with_for_update(skip_locked=True)):
            end(session, row, house.now())


def end(session: Session, row: GameRow, at: int) -> None:
    """End a game as its last entry would: the player whose name comes first has won."""
    from service.operations import games

    seats = session.exec(
        select(GameSeat).where(GameSeat.game_id == row.id).order_by(col(GameSeat.seat))
    ).all()
    winner = min(seats, key=lambda seat: seat.name).seat
    row.outcome = {"points": [0] * len(seats), "winners": [winner], "reason": "resigned"}
    games.stop(session, row, at)
