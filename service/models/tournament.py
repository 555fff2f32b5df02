"""Tournaments: their terms and state, who has entered, and the matches of their rounds."""

from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, UniqueConstraint, false
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Tournament(SQLModel, table=True):
    """A tournament. Whoever changes it, an entry or the pairing of a round holds the lock of this row."""

    __tablename__ = "tournament"
    __table_args__ = (
        CheckConstraint("system IN ('swiss', 'elimination', 'round_robin')", name="system"),
        CheckConstraint("state IN ('open', 'running', 'over', 'cancelled')", name="state"),
        CheckConstraint("fee >= 0 AND added >= 0", name="coins"),
        CheckConstraint("entered >= 0 AND entered <= places", name="room"),
        Index("ix_tournament_newest", "created_at", "id"),
        Index("ix_tournament_state", "state", "created_at", "id"),
        Index("ix_tournament_director", "director_id", "state"),
        Index("ix_tournament_due", "due_at"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    name: str = Field(max_length=60)
    system: str = Field(max_length=12)
    mode: str = Field(max_length=40)
    options: dict[str, Any] = Field(sa_type=JSON)
    """Every option of the mode, with its value."""
    format: str | None = Field(default=None, max_length=40)
    """The format that every deck must keep, by name; None for any legal deck."""
    rated: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    director_id: str = Field(foreign_key="player.id", max_length=36)
    fee: int = Field(default=0, sa_type=BigInteger)
    """Coins that each entry costs. The ledger's account `escrow` holds them until the end."""
    added: int = Field(default=0, sa_type=BigInteger)
    """Coins that the director has added to the fees."""
    prizes: list[int] = Field(sa_type=JSON)
    """Percents of all coins for the first places."""
    places: int
    """The most players."""
    entered: int = 0
    """The players who have entered and were not taken off the list before the start."""
    numbered: int = 0
    """Counts all entries, those that were withdrawn too; a late entry gets the next number as its seed."""
    rounds: int | None = None
    """The number of rounds; None until the start, unless the director has set it."""
    round: int = 0
    """The newest round that was paired; 0 before the start."""
    late_rounds: int = 0
    """The last round during which players may still enter."""
    pause_ms: int
    """The time between two rounds, and before the prizes, in which the director can put results right."""
    state: str = Field(default="open", max_length=12)
    reason: str | None = Field(default=None, max_length=300)
    """Why it was cancelled."""
    version: int = 0
    """Counts what changes a pairing, so that one that was computed before is not used."""
    stale: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if the stored standings are to be computed anew."""
    created_at: int = time_field()
    starts_at: int = time_field()
    next_at: int | None = time_field(default=None)
    """The end of the pause; None while a round runs."""
    ended_at: int | None = time_field(default=None)
    due_at: int | None = time_field(default=None)
    """The time at which a worker looks next; None when the tournament is over."""


class TournamentEntry(SQLModel, table=True):
    """A player in a tournament, with the standing after the newest complete round."""

    __tablename__ = "tournament_entry"
    __table_args__ = (
        UniqueConstraint("tournament_id", "player_id"),
        Index("ix_tournament_entry_rank", "tournament_id", "rank"),
        Index("ix_tournament_entry_player", "player_id", "entered_at", "id"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    tournament_id: str = Field(foreign_key="tournament.id", max_length=36)
    player_id: str = Field(foreign_key="player.id", max_length=36)
    entered_at: int = time_field()
    paid: int = Field(default=0, sa_type=BigInteger)
    """The coins that the player has paid."""
    cards: dict[str, int] | None = Field(default=None, sa_type=JSON)
    """The deck, copies by card number in decimal; None in a mode without own decks."""
    deck_id: str | None = Field(default=None, max_length=36)
    """The deck list from which the deck was taken, for the player's results by deck."""
    seed: int
    """The place in the order of ratings at the start, from 1; before it, the order of the entries."""
    from_round: int = 1
    """The first round for which the player is paired."""
    out_round: int | None = None
    """The round after which the player is paired no more; None for one who is still in."""
    out_reason: str | None = Field(default=None, max_length=300)
    rank: int
    """The place in the list of the standings, from 1; nobody else has it."""
    place: int | None = None
    """The place, which several may share; None before the first round is complete."""
    points: int = 0
    """Half points."""
    buchholz: int = 0
    """Half points."""
    sonneborn: int = 0
    """Quarter points."""
    wins: int = 0
    prize: int = Field(default=0, sa_type=BigInteger)


class TournamentMatch(SQLModel, table=True):
    """A match of a round."""

    __tablename__ = "tournament_match"
    __table_args__ = (
        CheckConstraint("state IN ('pending', 'playing', 'over')", name="state"),
        CheckConstraint("(state = 'over') = (result IS NOT NULL)", name="decided"),
        Index("ix_tournament_match_state", "tournament_id", "state", "round", "board"),
        Index("ix_tournament_match_first", "first_id", "tournament_id", "round"),
        Index("ix_tournament_match_second", "second_id", "tournament_id", "round"),
    )

    tournament_id: str = Field(foreign_key="tournament.id", primary_key=True, max_length=36)
    round: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    board: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts the matches of a round from 1."""
    first_id: str = Field(foreign_key="player.id", max_length=36)
    second_id: str | None = Field(default=None, foreign_key="player.id", max_length=36)
    """None for a bye, and for a rest in a round robin."""
    state: str = Field(default="pending", max_length=8)
    """ "pending" until its game begins, "playing", or "over"."""
    result: str | None = Field(default=None, max_length=8)
    """ "first", "second", "draw", "neither", "bye" or "rest"."""
    played: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """True if a game has decided it, or the director has decided about a game."""
    games: int = 0
    """The games that have begun. The players change seats with each."""
    game_id: str | None = Field(default=None, foreign_key="game.id", unique=True, max_length=36)
    """The newest game."""
    ruled_by: str | None = Field(default=None, max_length=36)
    """The id of the director or moderator who has set the result by hand."""
    ruling: str | None = Field(default=None, max_length=300)
    """The reason for it."""
