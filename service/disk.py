"""The room on the disks that a house writes to, and how a database says that there is none."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from sqlalchemy import make_url

from service.config import Settings

PG_DISK_FULL = "53100"
"""PostgreSQL's SQLSTATE for a disk without room."""


def folders(settings: Settings) -> Mapping[str, Path]:
    """The folders of this machine that a house writes to: `data`, and with SQLite `database`."""
    url = make_url(settings.database)
    on_sqlite = url.get_backend_name() == "sqlite" and url.database
    return {"data": settings.data, **({"database": Path(url.database or "").parent} if on_sqlite else {})}


def nearest(path: Path) -> Path:
    """The path, or its nearest parent that exists."""
    found = path.absolute()
    while not found.exists():
        found = found.parent
    return found


def free(path: Path) -> int:
    """The bytes that are free on the disk of a path for this account. The path need not exist."""
    return shutil.disk_usage(nearest(path)).free


def is_full(fault: BaseException | None) -> bool:
    """Tell whether an error of a database's driver means that its disk is full."""
    if isinstance(fault, sqlite3.Error):
        return getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
    return getattr(fault, "sqlstate", None) == PG_DISK_FULL
