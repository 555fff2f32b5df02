"""Players."""

from sqlmodel import Field, SQLModel

from service.models.base import new_id, time_field


class Player(SQLModel, table=True):
    """Who plays here: a handle, a password's hash, the public key that signs for them in every record."""

    __tablename__ = "player"

    id: str = Field(default_factory=new_id, primary_key=True, max_length=36)
    handle: str = Field(max_length=24)
    """As its owner writes it."""
    folded: str = Field(max_length=24, unique=True)
    """The handle in lower case, by which it is unique."""
    password: str = Field(max_length=255)
    """An argon2id hash with its salt and costs."""
    key: str = Field(max_length=43, unique=True)
    """The Ed25519 public key, 32 bytes in base64url."""
    created_at: int = time_field()
