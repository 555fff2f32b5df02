"""Chores: what is done now and then by whichever worker is first."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Chore(SQLModel, table=True):
    """When a chore is due next."""

    __tablename__ = "chore"

    name: str = Field(primary_key=True, max_length=40)
    due_at: int = time_field()
