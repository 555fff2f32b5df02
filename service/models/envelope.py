"""Envelopes (protocol section 11): the public keys to which they go, and those that gave no reveal."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class EnvelopeKey(SQLModel, table=True):
    """A public key that the workers have published; new games name the newest. Its private key is theirs."""

    __tablename__ = "envelope_key"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """From 1 on, the newest is the greatest."""
    key: str = Field(max_length=43, unique=True)
    """X25519, base64url."""
    published_at: int = time_field()


class FailedEnvelope(SQLModel, table=True):
    """An envelope that did not open, or whose reveal was refused: it counts as none from then on."""

    __tablename__ = "failed_envelope"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    step: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    code: str = Field(max_length=40)
    """Why: the code of the refusal."""
