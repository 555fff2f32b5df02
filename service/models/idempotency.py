"""Stored answers: a request that is sent again gets its first answer and is not executed again."""

from sqlalchemy import LargeBinary
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class AnswerRow(SQLModel, table=True):
    """The answer to a request with an Idempotency-Key. Nobody can read it without the request."""

    __tablename__ = "idempotency"

    id: str = Field(primary_key=True, max_length=43)
    """A hash of the player, the method, the path and the Idempotency-Key, in base64url."""
    created_at: int = time_field(index=True)
    sealed: bytes = Field(sa_type=LargeBinary)
    """Nonce, AES-256-GCM ciphertext and tag. The key is derived from the request itself."""
