"""Players."""

from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Player(SQLModel, table=True):
    """A registered player: the handle, the password's hash, and the public key for signatures in records."""

    __tablename__ = "player"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    handle: str = Field(max_length=24)
    """The handle as its owner writes it."""
    folded: str = Field(max_length=24, unique=True)
    """The handle in lower case, which must be unique."""
    password: str = Field(max_length=255)
    """An argon2id hash with its salt and costs."""
    key: str = Field(max_length=43, unique=True)
    """The Ed25519 public key, 32 bytes in base64url."""
    created_at: int = time_field()
    deleted_at: int | None = time_field(default=None, index=True)
    """The time when the account was deleted. The row stays for the records and books that refer to it."""
