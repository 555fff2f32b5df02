"""A house over HTTP: one method an endpoint, values typed, refusals raised with their stable codes."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import quote

import httpx

from crypto.encoding import EncodingError, b64, parse_timestamp, unb64
from referee.message import Message, Receipt

BASE = "/api/v1"
LONGEST_WAIT = 25.0
"""Seconds that a house lets a long poll last."""
PATIENCE = 30.0
"""Seconds after which a house that does not answer is given up."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 3.0
_AWAY = (502, 503, 504)
"""What a proxy says when the house behind it is not there."""


class ApiProblem(Exception):
    """The house refused (RFC 9457): `code` is stable, `detail` is for people, `errors` are all faults."""

    def __init__(self, status: int, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(f"{detail} ({code})")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)

    @property
    def pointer(self) -> str | None:
        """The field of the first fault, as a JSON pointer into what was sent."""
        return next((error["pointer"] for error in self.errors if "pointer" in error), None)


class Unreachable(Exception):
    """Nobody answers at the house's address, or not as a house of this version."""


@dataclass(frozen=True, slots=True)
class HouseInfo:
    """What a house says of itself."""

    protocol: str
    key: bytes
    """Ed25519; signs every entry."""
    engine: str
    time: int
    """Milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck list of one's own."""

    id: str
    revision: int
    name: str
    cards: Mapping[str, int]
    """Copies by the card's slug."""
    size: int


@dataclass(frozen=True, slots=True)
class Validation:
    """What the rules say of a deck list; a fault has at least code and detail."""

    legal: bool
    faults: Sequence[Mapping[str, Any]]
    warnings: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table; `game` once it has begun."""

    id: str
    mode: str
    seats: Sequence[Mapping[str, Any] | None]
    state: str
    game: str | None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to a message: a receipt, and the entry that it became unless it waits."""

    receipt: Receipt
    seq: int | None


class Api:
    """A house, as a player reaches it. Close it, or use it in a `with` statement."""

    def __init__(self, url: str, token: str | None = None, patience: float = PATIENCE) -> None:
        """`url` is http://HOST:PORT; `patience` in seconds."""
        self.url = url.rstrip("/")
        self._token = token
        self._patience = patience
        self._client = httpx.Client(base_url=self.url + BASE, timeout=httpx.Timeout(15.0, connect=5.0))

    def __repr__(self) -> str:
        return f"Api({self.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def as_player(self, token: str) -> None:
        """Speak as the owner of this token from now on."""
        self._token = token

    # The house, players, tokens

    def house(self) -> HouseInfo:
        """The house's key and time."""
        data = self._get("/house")
        return HouseInfo(
            data["protocol"], unb64(data["house_key"], 32), data["engine"], parse_timestamp(data["time"])
        )

    def modes(self) -> list[dict[str, Any]]:
        """The games that are played here."""
        found: list[dict[str, Any]] = self._get("/modes")["items"]
        return found

    def starters(self) -> list[dict[str, Any]]:
        """The starter decks that one can choose at registration."""
        found: list[dict[str, Any]] = self._get("/starters")["items"]
        return found

    def register(self, handle: str, password: str, key: bytes, starter: str) -> dict[str, Any]:
        """Register a player with an Ed25519 public key; grants the starter deck."""
        body = {"handle": handle, "password": password, "key": b64(key), "starter": starter}
        return self._object("POST", "/players", json=body, again=False)

    def me(self) -> dict[str, Any]:
        """Who I am."""
        return self._get("/me")

    def issue_token(self, handle: str, password: str, label: str) -> str:
        """A new token, which this client uses from now on."""
        body = {"handle": handle, "password": password, "label": label}
        token: str = self._object("POST", "/tokens", json=body)["token"]
        self._token = token
        return token

    # Decks

    def decks(self) -> Iterator[Deck]:
        """All my decks."""
        return (_deck(item) for item in self._items("/decks"))

    def deck(self, deck_id: str) -> Deck:
        """One of my decks."""
        return _deck(self._get(_path("decks", deck_id)))

    def create_deck(self, name: str, cards: Mapping[str, int]) -> Deck:
        """A new deck list, which may be unfinished; `cards` are copies by slug or number."""
        return _deck(self._object("POST", "/decks", json={"name": name, "cards": dict(cards)}, again=False))

    def revise_deck(self, deck_id: str, name: str, cards: Mapping[str, int]) -> Deck:
        """Revise a deck."""
        return _deck(self._object("PUT", _path("decks", deck_id), json={"name": name, "cards": dict(cards)}))

    def delete_deck(self, deck_id: str) -> None:
        """Delete a deck."""
        self._call("DELETE", _path("decks", deck_id))

    def validate_deck(self, deck_id: str) -> Validation:
        """Whether a match may be played with a deck now."""
        return _validation(self._get(_path("decks", deck_id, "validation")))

    def validate_cards(self, cards: Mapping[str, int]) -> Validation:
        """Whether a match could be played with these cards."""
        return _validation(self._object("POST", "/decks/validate", json={"cards": dict(cards)}))

    def cards(self) -> Iterator[dict[str, Any]]:
        """Every card of the house's sets, by number."""
        return self._items("/cards", {"limit": 200})

    # Tables

    def open_table(
        self,
        mode: str,
        *,
        deck: str | None = None,
        seats: int | None = None,
        bots: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> TableInfo:
        """Open a table and sit down; with bots in all other seats the game begins at once."""
        body = {
            "mode": mode,
            "options": dict(options or {}),
            "seats": seats,
            "deck": deck,
            "bots": list(bots),
        }
        return _table(self._object("POST", "/tables", json=body, again=False))

    def table(self, table_id: str) -> TableInfo:
        """A table."""
        return _table(self._get(_path("tables", table_id)))

    def tables(self, mode: str | None = None) -> Iterator[TableInfo]:
        """Tables that can be joined."""
        return (_table(item) for item in self._items("/tables", {"mode": mode} if mode else {}))

    def join(self, table_id: str, deck: str | None = None) -> TableInfo:
        """Sit down at a table; the last one to sit down begins the game."""
        return _table(
            self._object("POST", _path("tables", table_id, "join"), json={"deck": deck}, again=False)
        )

    def leave(self, table_id: str) -> TableInfo:
        """Leave a table that has not begun."""
        return _table(self._object("POST", _path("tables", table_id, "leave"), again=False))

    def cancel(self, table_id: str) -> None:
        """Cancel a table of mine that has not begun."""
        self._call("DELETE", _path("tables", table_id))

    # Games

    def games(self, state: str | None = None) -> Iterator[dict[str, Any]]:
        """My games, newest first: "running", "over" or all."""
        return self._items("/games", {"state": state} if state else {})

    def game(self, game_id: str, after: int = -1, wait: float = 0.0) -> dict[str, Any]:
        """A game as my seat sees it; waits up to `wait` seconds for an entry after `after`."""
        return self._get(_path("games", game_id), {"after": after, "wait": wait}, wait)

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        """Entries after `after`, and whether there are more; waits up to `wait` seconds for the first."""
        data = self._get(_path("games", game_id, "entries"), {"after": after, "wait": wait}, wait)
        return data["entries"], data["more"]

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        """The house's signed statements of my own cards, in modes with a pack of the house's."""
        found: list[dict[str, Any]] = self._get(_path("games", game_id, "faces"))["faces"]
        return found

    def certificate(self, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
        """The certificate of my deck under a 32-byte seed; the same seed gets the same again."""
        return self._object(
            "POST", _path("games", game_id, "certificate"), json={"seat": seat, "seed": b64(seed)}
        )

    def send(self, message: Message) -> Accepted:
        """Post a message to its game. The same bytes get the same answer, so it is tried again by itself."""
        data = self._object("POST", _path("games", message.game, "entries"), json=message.json())
        try:
            given = data["receipt"]
            receipt = Receipt(
                unb64(given["message"], 64), parse_timestamp(given["at"]), unb64(given["signature"], 64)
            )
        except (EncodingError, KeyError, TypeError) as error:
            raise Unreachable(f"{self.url} gave a receipt that can't be read: {error}") from None
        return Accepted(receipt, data["seq"])

    def rounds(self, game_id: str) -> list[dict[str, Any]]:
        """The accounts of a game."""
        found: list[dict[str, Any]] = self._get(_path("games", game_id, "rounds"))["rounds"]
        return found

    def record(self, game_id: str) -> bytes:
        """The record file."""
        return self._call("GET", _path("games", game_id, "record")).content

    # How a request is made

    def _items(self, path: str, query: Mapping[str, Any] | None = None) -> Iterator[dict[str, Any]]:
        """Every item of a list, page by page."""
        cursor: dict[str, Any] = {}
        while True:
            data = self._get(path, {**(query or {}), **cursor})
            yield from data["items"]
            if data["next"] is None:
                return
            cursor = {"cursor": data["next"]}

    def _get(self, path: str, query: Mapping[str, Any] | None = None, wait: float = 0.0) -> dict[str, Any]:
        return self._object("GET", path, query=query, wait=wait)

    def _object(self, method: str, path: str, **how: Any) -> dict[str, Any]:
        response = self._call(method, path, **how)
        try:
            data = response.json()
        except ValueError:
            data = None
        if not isinstance(data, dict):
            raise Unreachable(f"{self.url} does not answer like a house.")
        return data

    def _call(
        self,
        method: str,
        path: str,
        *,
        json: Any = None,
        query: Mapping[str, Any] | None = None,
        wait: float = 0.0,
        again: bool = True,
    ) -> httpx.Response:
        """A response that is no refusal; `again` says that it does no harm to ask twice."""
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        timeout = httpx.Timeout(15.0 + wait, connect=5.0)
        deadline = time.monotonic() + self._patience
        pause = _FIRST_PAUSE
        while True:
            rest = deadline - time.monotonic()
            try:
                response = self._client.request(
                    method, path, json=json, params=query, headers=headers, timeout=timeout
                )
            except httpx.TransportError as error:
                never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if rest <= 0 or not (again or never_sent):
                    raise Unreachable(f"{self.url} does not answer: {error}") from None
            else:
                asked = _asked_to_wait(response, again)
                if asked is None or rest <= asked:
                    return _accepted(response)
                pause = max(pause, asked)
            time.sleep(min(pause, max(rest, 0.0)) * random.uniform(0.7, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)


def _path(*parts: str) -> str:
    """A path of these parts, whatever characters an id that somebody typed has."""
    return "/" + "/".join(quote(part, safe="") for part in parts)


def _asked_to_wait(response: httpx.Response, again: bool) -> float | None:
    """Seconds after which it is worth asking again; None where the answer stands."""
    if response.status_code == 429 or (again and response.status_code in _AWAY):
        given = response.headers.get("Retry-After", "")
        return float(given) if given.isdecimal() else 0.0
    return None


def _accepted(response: httpx.Response) -> httpx.Response:
    """The response, if it is no refusal; else raises `ApiProblem`."""
    if response.is_success:
        return response
    try:
        document = response.json()
        code, detail = str(document["code"]), str(document["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"{response.url} answered {response.status_code} {response.reason_phrase}."
        raise ApiProblem(response.status_code, "http_error", detail) from None
    raise ApiProblem(response.status_code, code, detail, document.get("errors", ()))


def _deck(data: Mapping[str, Any]) -> Deck:
    return Deck(data["id"], data["revision"], data["name"], data["cards"], data["size"])


def _validation(data: Mapping[str, Any]) -> Validation:
    return Validation(data["legal"], data["faults"], data["warnings"])


def _table(data: Mapping[str, Any]) -> TableInfo:
    return TableInfo(data["id"], data["mode"], data["seats"], data["state"], data["game"])
