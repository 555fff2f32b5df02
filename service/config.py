"""The house's settings: one frozen value, read from the environment once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from limits import parse_many
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

PREFIX = "CLOCHE_"


class ConfigError(ValueError):
    """Settings that can't be used; the text names every variable that is wrong."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How this house is set up. The defaults are a whole house on one machine, with its state under ./var."""

    database: str = "sqlite:///var/cloche.sqlite3"
    """Where the tables are: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."""
    broker: str = "memory://"
    """Celery's broker; memory:// is for one process with an embedded worker."""
    queue: str = "cloche"
    """The broker's queue; two houses share a broker by having two."""
    sweep_ms: int = 250
    """Milliseconds between two looks for games that are due."""
    data: Path = Path("var")
    """Where the house keeps its own files, keys among them."""
    log_level: str = "info"
    proxies: int = 0
    """How many trusted proxies stand before the house; tells whose address a request has."""
    body_limit: int = 64 * 1024
    """Bytes of a request's body; a longer one is refused."""
    token_days: int = 90
    """The longest life of an access token, and the usual one."""
    rate_storage: str = "memory://"
    """Where the rate limiter counts; more than one API process wants redis://."""
    registration_limit: str = "30/hour;10/minute"
    """Registrations for each address; empty for no limit."""
    sign_in_limit: str = "300/hour;20/minute"
    """Tokens asked for with a password, for each address; empty for no limit."""
    mint_limit: str = "600/hour;60/minute"
    """Requests for Basic Ingredients, for each address; empty for no limit."""
    decks_per_player: int = 500
    password_passes: int = 3
    """argon2id's time cost."""
    password_kib: int = 64 * 1024
    """argon2id's memory cost."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings that CLOCHE_DATABASE, CLOCHE_DATA and so on say, with the defaults for the rest.

        Raises `ConfigError`, naming every variable at fault.
        """
        given = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        faults: list[str] = []
        for name, read in _READERS.items():
            variable = PREFIX + name.upper()
            if variable not in given:
                continue
            try:
                values[name] = read(given[variable])
            except ValueError as error:
                faults.append(f"{variable}: {error}")
        if faults:
            raise ConfigError("\n".join(faults))
        settings = cls(**values)
        if "data" in values and "database" not in values:
            settings = replace(settings, database=f"sqlite:///{settings.data / 'cloche.sqlite3'}")
        return settings


def _database(text: str) -> str:
    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError("is not a database URL (sqlite:///FILE or postgresql://USER@HOST/NAME)") from None
    if url.drivername == "sqlite":
        if not url.database or url.database == ":memory:" or url.query:
            raise ValueError("must name a file: sqlite:///FILE")
    elif url.drivername not in ("postgresql", "postgresql+psycopg"):
        raise ValueError(f"is for sqlite or postgresql, not {url.drivername}")
    return text


def _url(text: str) -> str:
    if "://" not in text:
        raise ValueError("must be a URL such as memory:// or redis://HOST/0")
    return text


def _level(text: str) -> str:
    if text.lower() not in ("debug", "info", "warning", "error"):
        raise ValueError("must be debug, info, warning or error")
    return text.lower()


def _limit(text: str) -> str:
    try:
        if text.strip():
            parse_many(text)
    except ValueError:
        raise ValueError('must be limits such as "30/hour;10/minute", or empty') from None
    return text.strip()


def _queue(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_.-]{1,60}", text):
        raise ValueError("must be 1 to 60 letters, digits, _, . and -")
    return text


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.strip().isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _folder(text: str) -> Path:
    if not text:
        raise ValueError("must name a folder")
    return Path(text)


_READERS: dict[str, Callable[[str], Any]] = {
    "database": _database,
    "broker": _url,
    "queue": _queue,
    "sweep_ms": _whole(20, 60_000),
    "data": _folder,
    "log_level": _level,
    "proxies": _whole(0, 10),
    "body_limit": _whole(1024, 16 * 1024 * 1024),
    "token_days": _whole(1, 3650),
    "rate_storage": _url,
    "registration_limit": _limit,
    "sign_in_limit": _limit,
    "mint_limit": _limit,
    "decks_per_player": _whole(1, 100_000),
    "password_passes": _whole(1, 20),
    "password_kib": _whole(64, 4 * 1024 * 1024),
}
