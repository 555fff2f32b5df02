"""Reports: what players tell moderators about other players."""

from sqlalchemy import CheckConstraint, Index
from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class PlayerReport(SQLModel, table=True):
    """A report about a player, and what became of it."""

    __tablename__ = "report"
    __table_args__ = (
        CheckConstraint("state IN ('open', 'taken', 'closed')", name="state"),
        CheckConstraint("(state = 'open') = (handler_id IS NULL)", name="in_hand"),
        CheckConstraint("(state = 'closed') = (verdict IS NOT NULL)", name="decided"),
        Index("ix_report_queue", "state", "created_at", "id"),
        Index("ix_report_reporter", "reporter_id", "created_at", "id"),
    )

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    reporter_id: str = Field(foreign_key="player.id", max_length=36)
    about_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    kind: str = Field(max_length=16)
    game_id: str | None = Field(default=None, foreign_key="game.id", max_length=36)
    deck_id: str | None = Field(default=None, foreign_key="deck.id", index=True, max_length=36)
    table_id: str | None = Field(default=None, foreign_key="game_table.id", max_length=36)
    note: str = Field(max_length=500)
    """The reporter's words; may be empty."""
    created_at: int = time_field()
    state: str = Field(default="open", max_length=8)
    handler_id: str | None = Field(default=None, max_length=36)
    """The id of the moderator who has it in hand or has closed it, or "operator"."""
    verdict: str | None = Field(default=None, max_length=12)
    remark: str = Field(default="", max_length=300)
    """The moderator's words about the verdict, for other moderators."""
    closed_at: int | None = time_field(default=None)
