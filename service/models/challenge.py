"""Challenges that players have answered with their keys."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class SpentChallenge(SQLModel, table=True):
    """A challenge that was answered. It is kept until it would have expired, so that it serves once."""

    __tablename__ = "spent_challenge"

    digest: str = Field(primary_key=True, max_length=64)
    """SHA-256 of the challenge, in hex."""
    expires_at: int = time_field(index=True)
