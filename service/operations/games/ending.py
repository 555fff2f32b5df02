"""The end of a game: rewards, ratings, dishes, the return of the held decks, and an end to all secrets."""

from __future__ import annotations

from sqlalchemy import bindparam, null, update
from sqlmodel import Session, col, select

from cards.games.contract import Outcome
from referee import Game, outcome_json
from service.models import BotNote, GameRow, Submission
from service.operations import envelopes, favourites, holds, ratings, rewards
from service.operations.games.rows import row_of, seats_of
from service.runtime import Runtime
from service.statements import Prepared

_ALL_WAITING = (
    update(Submission).where(col(Submission.game_id) == bindparam("game_id_")).values(waiting=null())
)
_DROP = Prepared(_ALL_WAITING)
_DROP_STEP = Prepared(_ALL_WAITING.where(col(Submission.step) == bindparam("step_")))


def finish(house: Runtime, session: Session, fold: Game, outcome: Outcome) -> None:
    """Book the end of a game: rewards, ratings, served dishes, the held copies, and an end to all secrets.

    Decks are held until the match is over and no longer (protocol section 5).
    """
    row = row_of(session, fold.header.game)
    row.outcome = outcome_json(outcome)
    holds.lock_holders(session, row.id)  # all at once, before a reward locks a winner alone
    rewards.grant(house, session, row.id, outcome.winners, seats_of(session, row.id))
    ratings.book(house, session, row, outcome)
    favourites.book(session, fold)
    stop(session, row, fold.at)


def stop(session: Session, row: GameRow, at: int) -> None:
    """End a game in the database, as of `at`. It accepts nothing more, and may have no result."""
    row.ended_at, row.due_at = at, None
    session.add(row)
    holds.release_game(session, row.id)
    drop_waiting(session, row.id)
    envelopes.forget(session, row.id)
    for note in session.exec(select(BotNote).where(BotNote.game_id == row.id)):
        session.delete(note)
    for seat in seats_of(session, row.id):
        seat.cards = None
        session.add(seat)
    session.flush()


def drop_waiting(session: Session, game_id: str, step: int | None = None) -> None:
    """Drop the messages that wait beside the record, of one step or of all: nobody needs them any more."""
    if step is None:
        _DROP.run(session, {"game_id_": game_id})
    else:
        _DROP_STEP.run(session, {"game_id_": game_id, "step_": step})
