"""Chores: regular tasks, each done by the worker that claims it first."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Chore(SQLModel, table=True):
    """A chore and the time at which it is due next."""

    __tablename__ = "chore"

    name: str = Field(primary_key=True, max_length=40)
    due_at: int = time_field()
