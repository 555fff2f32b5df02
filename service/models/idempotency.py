"""Answers that are kept, so that a request sent again is answered again and not done again."""

from sqlalchemy import LargeBinary
from sqlmodel import Field, SQLModel

from service.models.base import time_field


class KeptAnswer(SQLModel, table=True):
    """The answer to a request with an Idempotency-Key; nobody can read it who lacks the request."""

    __tablename__ = "idempotency"

    id: str = Field(primary_key=True, max_length=43)
    """A hash of who asked, the method, the path and the key, in base64url."""
    created_at: int = time_field(index=True)
    sealed: bytes = Field(sa_type=LargeBinary)
    """Nonce, AES-256-GCM box, tag; the key of the box is made of the request itself."""
