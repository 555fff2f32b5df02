"""The parts that all tables share: ids, times, and names of constraints, which migrations refer to."""

from typing import Any
from uuid import uuid4

from sqlalchemy import BigInteger
from sqlmodel import Field, SQLModel

metadata = SQLModel.metadata
metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


def new_id() -> str:
    """A fresh random UUID in its usual text form."""
    return str(uuid4())


def time_field(**options: Any) -> Any:
    """A column for a time: milliseconds since 1970 UTC, 64 bits."""
    return Field(sa_type=BigInteger, **options)
