"""The house's presence: when it last took requests in, and when it did not."""

from sqlmodel import Field, SQLModel

from service.models.base import time_field


class Presence(SQLModel, table=True):
    """The one row of the newest beat. A house that has never beaten has no row."""

    __tablename__ = "presence"

    id: int = Field(default=1, primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: int = time_field()


class Absence(SQLModel, table=True):
    """A time in which the house took nothing in and signed nothing."""

    __tablename__ = "absence"

    ended: int = time_field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    began: int = time_field()
