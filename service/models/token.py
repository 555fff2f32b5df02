"""Access tokens: shown once when issued, stored as a hash."""

from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Token(SQLModel, table=True):
    """An access token. It speaks for a player until it expires or is revoked."""

    __tablename__ = "token"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    player_id: str = Field(foreign_key="player.id", index=True, max_length=36)
    digest: str = Field(max_length=64, unique=True)
    """SHA-256 of the token, in hex. The token has 256 random bits, so a fast hash is enough."""
    prefix: str = Field(max_length=16)
    """The token's first characters, by which its owner recognises it."""
    label: str = Field(max_length=60)
    created_at: int = time_field()
    expires_at: int = time_field(index=True)
    revoked_at: int | None = time_field(default=None, index=True)
    used_at: int | None = time_field(default=None)
    """The last use that was noted: at most an hour before the newest one. None for a token never used."""
