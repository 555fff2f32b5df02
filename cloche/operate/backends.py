"""The database and the broker that the settings name: which kind they are, and how they are shown."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from service.config import Settings


def on_sqlite(settings: Settings) -> bool:
    """Tell whether the tables are in an SQLite file, which one process at a time may serve."""
    return make_url(settings.database).get_backend_name() == "sqlite"


def database_file(settings: Settings) -> Path:
    """The SQLite file."""
    return Path(make_url(settings.database).database or "")


def in_memory(settings: Settings) -> bool:
    """Tell whether wake-ups stay inside the process."""
    return settings.broker.startswith("memory://")


def cause(fault: SQLAlchemyError) -> str:
    """Say in one line what the database answered."""
    return str(getattr(fault, "orig", None) or fault).strip().partition("\n")[0]


def shown(url: str) -> str:
    """A URL of a database or broker without its password."""
    return make_url(url).render_as_string(hide_password=True)


def unusable(settings: Settings, fault: SQLAlchemyError) -> str:
    """Say in a sentence why the database can't be used."""
    return f"The database {shown(settings.database)} can't be used: {cause(fault)}"
