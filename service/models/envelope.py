"""Envelopes (protocol section 11): the public keys that they are sealed to, and those that failed."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class EnvelopeKey(SQLModel, table=True):
    """A public key that the workers have published and hold the private key of. New games name the newest."""

    __tablename__ = "envelope_key"

    number: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    """Counts the keys from 1; the newest has the greatest."""
    key: str = Field(max_length=43, unique=True)
    """The X25519 public key, 32 bytes in base64url."""
    published_at: int = time_field()


class FailedEnvelope(SQLModel, table=True):
    """An envelope that did not open, or whose reveal was refused. It counts as none from then on."""

    __tablename__ = "failed_envelope"

    game_id: str = Field(foreign_key="game.id", primary_key=True, max_length=36)
    step: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    seat: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    code: str = Field(max_length=40)
    """The code of the refusal."""
