"""The house's settings: one frozen value, read from the environment once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any

from limits import parse_many
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from referee.on_chain import address, checksummed
from service.outgoing import BadUrl, read_url

PREFIX = "CLOCHE_"
_ORIGIN = re.compile(r"https?://([a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
"""An origin as browsers write it: no path, small letters."""


class ConfigError(ValueError):
    """Settings that can't be used. `faults` says by variable what is wrong; the text has all of it."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("\n".join(f"{variable}: {text}" for variable, text in faults.items()))
        self.faults = dict(faults)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of this house.

    With the defaults it runs on one machine and keeps its state under ./var.
    """

    database: str = "sqlite:///var/cloche.sqlite3"
    """The address of the database: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME."""
    broker: str = "memory://"
    """Celery's broker; memory:// is for one process with an embedded worker."""
    queue: str = "cloche"
    """The name of the broker's queue. Two houses on one broker need different names."""
    sweep_ms: int = 250
    """Milliseconds between two sweeps for games that are due."""
    data: Path = Path("var")
    """The folder of the house's own files, such as its keys."""
    disk_mib: int = 100
    """MiB that must be free on each disk of the house, or it is not ready; 0 for no such check."""
    log_level: str = "info"
    proxies: int = 0
    """The number of trusted proxies before the house. It decides which address a request is counted for."""
    connections: int = 4000
    """Connections that each process has open at once, beside those that wait for news or carry a stream."""
    connections_per_address: int = 2000
    """The number of them that one address may have. Behind proxies it is not used: they limit connections."""
    body_limit: int = 64 * 1024
    """The longest body of a request, in bytes."""
    token_days: int = 90
    """The longest life of an access token, in days; also the default."""
    rate_storage: str = "memory://"
    """The storage where the rate limiter counts. Several API processes need redis:// to count together."""
    registration_limit: str = "30/hour;10/minute"
    """Registrations for each address; empty for no limit."""
    sign_in_limit: str = "300/hour;20/minute"
    """Sign-ins with a password, for each address; empty for no limit."""
    mint_limit: str = "600/hour;60/minute"
    """Requests for Basic Ingredients, for each player; empty for no limit."""
    message_limit: str = "3000/minute"
    """Messages to games and related requests, for each player; empty for no limit."""
    table_limit: str = "600/hour;60/minute"
    """Tables opened, joined, left, cancelled, for each player; empty for no limit."""
    statistics_limit: str = "600/hour;30/minute"
    """Statistics and sample hands of decks, for each player; empty for no limit."""
    suggestion_limit: str = "120/hour;10/minute"
    """Suggestions for decks, for each player; empty for no limit."""
    report_limit: str = "20/hour;5/minute"
    """Reports about other players, for each player; empty for no limit."""
    change_limit: str = "1200/hour;120/minute"
    """All other changes by a player, of deck lists or tokens for instance; empty for no limit."""
    idempotency_hours: int = 24
    """Hours for which the answer to a request with an Idempotency-Key is kept."""
    events_days: int = 14
    """Days for which the events of a player's feed are kept."""
    decks_per_player: int = 500
    favourites_per_player: int = 500
    query_length: int = 500
    """The longest query in the search language, in characters."""
    query_terms: int = 50
    """The most conditions that a query may have."""
    query_depth: int = 10
    """The depth to which the parentheses of a query may be nested."""
    table_hours: int = 24
    """Hours after which a table that did not fill expires."""
    webhooks_per_player: int = 5
    """The most endpoints that a player may have; 0 for none at all."""
    webhook_networks: str = ""
    """Private networks to which events may be sent all the same, even without TLS; separated by commas."""
    webhook_days: int = 3
    """Days without a successful delivery after which an endpoint is disabled."""
    picture_url: str = ""
    """The base URL of an API that makes images as OpenAI's does. Without one there are drawings alone."""
    picture_key: str = field(default="", repr=False)
    """The bearer token for that API."""
    picture_model: str = "gpt-image-1"
    picture_seconds: int = 120
    """The longest time that an image may take, in seconds."""
    dishes_a_day: int = 50
    """The most requests for images of served dishes in a day (of UTC); 0 for none."""
    dishes_kept: int = 500
    """The most images of served dishes on the disk. Those that were not looked at for longest go."""
    reward_coins: tuple[int, ...] = (10, 5, 2, 1)
    """Coins for the first, second, ... win over one opponent within a week; empty for no rewards."""
    reward_wins_a_day: int = 10
    """The most rewarded wins of a player in a day (of UTC)."""
    reward_booster_every: int = 3
    """The number of rewarded wins from one booster to the next; 0 for none."""
    reward_choices: int = 5
    """Moves and seals that the winner and the beaten opponent must each have made for a reward."""
    rated_games_a_day: int = 5
    """The rated games between the same two players that count in a day (of UTC)."""
    booster_price: int = 50
    """The price of a booster in coins."""
    welcome_boosters: int = 1
    """Boosters that a new player gets, whose copies are bound."""
    metrics_token: str = field(default="", repr=False)
    """The bearer token for /metrics. Without one, only this machine may read them."""
    cors_origins: str = ""
    """Origins whose pages may use the API from a browser, separated by commas; empty for none."""
    sign_in_pause: int = 900
    """The longest pause of a handle after wrong passwords, in seconds; 0 for no pauses."""
    password_queue: int = 2
    """Requests that may wait in a process until their password is hashed; further ones are refused."""
    password_passes: int = 3
    """argon2id's time cost, in passes."""
    password_kib: int = 64 * 1024
    """argon2id's memory cost, in KiB."""
    chain_id: int = 0
    """The number of the chain on which this house has contracts; 0 for none."""
    chain_prizes: str = ""
    """The address of its contract of prizes on that chain; empty for none."""

    chain_pantry: str = ""
    """The address of its pantry on that chain, through which copies leave; empty for none."""
    chain_nodes: str = field(default="", repr=False)
    """The addresses of the nodes that the pantry is read from, separated by commas; all must agree."""
    chain_first: int = 0
    """The number of the block in which the pantry was deployed."""

    @property
    def own_formats(self) -> Path:
        """The folder of the operator's own formats. It need not exist."""
        return self.data / "formats"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """The settings in the variables CLOCHE_DATABASE, CLOCHE_DATA and so on; for the rest, the defaults.

        Raises `ConfigError`, which names every variable at fault.
        """
        given = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        faults: dict[str, str] = {}
        for name, read in _READERS.items():
            variable = PREFIX + name.upper()
            if variable not in given:
                continue
            try:
                values[name] = read(given[variable])
            except ValueError as error:
                faults[variable] = str(error)
        if faults:
            raise ConfigError(faults)
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


def _token(text: str) -> str:
    if text and not re.fullmatch(r"[!-~]{16,200}", text):
        raise ValueError("must be 16 to 200 visible ASCII characters, or empty")
    return text


def _base(text: str) -> str:
    if not text:
        return ""
    try:
        read_url(text)
    except BadUrl as fault:
        raise ValueError(str(fault).replace("https://", "https:// or http://")) from None
    return text.rstrip("/")


def _contract(text: str) -> str:
    try:
        return checksummed(address(text)) if text else ""
    except ValueError as error:
        raise ValueError(f"must be the address of a contract, or empty: {error}") from None


def _secret(text: str) -> str:
    if not re.fullmatch(r"[!-~]{0,500}", text):
        raise ValueError("must be visible ASCII characters, at most 500")
    return text


def _networks(text: str) -> str:
    try:
        return ",".join(str(ip_network(part.strip())) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("must be networks such as 127.0.0.0/8,10.1.0.0/16, or empty") from None


def _nodes(text: str) -> str:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > 10 or not all(re.fullmatch(r"https?://[!-~]{1,300}", part) for part in parts):
        raise ValueError("must be at most 10 addresses such as https://node.example, or empty")
    return ",".join(parts)


def _origins(text: str) -> str:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(_ORIGIN.fullmatch(part) for part in parts):
        raise ValueError("must be origins such as https://play.example,http://localhost:5173, or empty")
    return ",".join(parts)


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.strip().isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _coins(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    if len(parts) > 100 or not all(part.isdecimal() and 1 <= int(part) <= 1_000_000 for part in parts):
        raise ValueError("must be at most 100 numbers from 1 to 1000000, such as 10,5,2,1, or empty")
    return tuple(map(int, parts))


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
    "disk_mib": _whole(0, 1024 * 1024),
    "log_level": _level,
    "proxies": _whole(0, 10),
    "connections": _whole(10, 100_000),
    "connections_per_address": _whole(4, 100_000),
    "body_limit": _whole(1024, 16 * 1024 * 1024),
    "token_days": _whole(1, 3650),
    "rate_storage": _url,
    "registration_limit": _limit,
    "sign_in_limit": _limit,
    "mint_limit": _limit,
    "message_limit": _limit,
    "table_limit": _limit,
    "statistics_limit": _limit,
    "suggestion_limit": _limit,
    "report_limit": _limit,
    "change_limit": _limit,
    "idempotency_hours": _whole(1, 24 * 30),
    "events_days": _whole(1, 3650),
    "decks_per_player": _whole(1, 100_000),
    "favourites_per_player": _whole(1, 100_000),
    "query_length": _whole(20, 1000),
    "query_terms": _whole(1, 1000),
    "query_depth": _whole(1, 50),
    "table_hours": _whole(1, 24 * 365),
    "webhooks_per_player": _whole(0, 100),
    "webhook_networks": _networks,
    "webhook_days": _whole(1, 365),
    "picture_url": _base,
    "picture_key": _secret,
    "picture_model": _queue,
    "picture_seconds": _whole(1, 600),
    "dishes_a_day": _whole(0, 10_000),
    "dishes_kept": _whole(1, 10_000),
    "reward_coins": _coins,
    "reward_wins_a_day": _whole(0, 1000),
    "reward_booster_every": _whole(0, 1000),
    "reward_choices": _whole(0, 100),
    "rated_games_a_day": _whole(1, 1000),
    "booster_price": _whole(1, 1_000_000),
    "welcome_boosters": _whole(0, 50),
    "metrics_token": _token,
    "cors_origins": _origins,
    "sign_in_pause": _whole(0, 86_400),
    "password_queue": _whole(0, 1000),
    "password_passes": _whole(1, 20),
    "password_kib": _whole(64, 4 * 1024 * 1024),
    "chain_id": _whole(0, 2**53 - 1),
    "chain_prizes": _contract,
    "chain_pantry": _contract,
    "chain_nodes": _nodes,
    "chain_first": _whole(0, 2**53 - 1),
}

UNLIMITED = {name: "" for name, read in _READERS.items() if read is _limit}
"""Settings of a house without rate limits."""
