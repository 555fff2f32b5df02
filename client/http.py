"""A house over HTTP: one method an endpoint, values typed, refusals raised with their stable codes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from client import streams
from client.calls import path_of
from client.cards import CardCalls
from client.collection import CollectionCalls
from client.decks import DeckCalls
from client.decks import DeckRevision as DeckRevision
from client.decks import SearchResult as SearchResult
from client.decks import Validation as Validation
from client.market import MarketCalls
from client.streams import Event
from crypto.encoding import EncodingError, b64, parse_timestamp, unb64
from player.house import Accepted, ApiProblem, HouseInfo, TableInfo, Unreachable
from referee.bodies import integer
from referee.errors import Refused
from referee.message import Message, read_receipt
from referee.succession import read_successions

LONGEST_WAIT = 25.0
"""Seconds that a house lets a long poll last."""
PICTURES = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}
"""What pictures are sent as, and how their files end."""


class Api(DeckCalls, CardCalls, CollectionCalls, MarketCalls):
    """A house, as a player reaches it. Close it, or use it in a `with` statement."""

    # The house, players, tokens

    def house(self) -> HouseInfo:
        """The house's key and time, and the keys that it had before."""
        data = self._get("/house")
        try:
            return HouseInfo(
                data["protocol"],
                unb64(data["house_key"], 32),
                data["engine"],
                parse_timestamp(data["time"]),
                read_successions(data.get("successions", []), "/successions"),
            )
        except (EncodingError, KeyError, Refused) as error:
            raise Unreachable(f"{self.url} does not say properly who it is: {error}") from None

    def modes(self) -> list[dict[str, Any]]:
        """The games that are played here."""
        found: list[dict[str, Any]] = self._get("/modes")["items"]
        return found

    def starters(self) -> list[dict[str, Any]]:
        """The starter decks that one can choose at registration."""
        found: list[dict[str, Any]] = self._get("/starters")["items"]
        return found

    def register(self, handle: str, password: str, key: bytes, starter: str | None) -> dict[str, Any]:
        """Register a player with an Ed25519 public key; grants the starter deck, None where there is none."""
        body = {"handle": handle, "password": password, "key": b64(key), "starter": starter}
        return self._object("POST", "/players", json=body)

    def me(self) -> dict[str, Any]:
        """Who I am."""
        return self._get("/me")

    def issue_token(self, handle: str, password: str, label: str) -> str:
        """A new token, which this client uses from now on."""
        body = {"handle": handle, "password": password, "label": label}
        token: str = self._object("POST", "/tokens", json=body)["token"]
        self._token = token
        return token

    # Cards

    def cards(self) -> Iterator[dict[str, Any]]:
        """Every card of the house's sets, by number."""
        return self._items("/cards", {"limit": 200})

    def card_picture(self, code: str, number: int) -> tuple[bytes, str]:
        """The picture of a card by its set's code and its number there, and how such files end."""
        response = self._call("GET", path_of("cards", code, str(number), "picture.svg"))
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if kind not in PICTURES:
            raise Unreachable(f"{self.url} gave something that is no picture.")
        return response.content, PICTURES[kind]

    def search_cards(self, query: str) -> SearchResult:
        """The cards that a query finds (docs/search.md)."""
        return self._search("/cards", query)

    # Tables

    def open_table(
        self,
        mode: str,
        *,
        deck: str | None = None,
        seats: int | None = None,
        bots: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        private: bool = False,
        spectators: bool | None = None,
        format: str | None = None,
    ) -> TableInfo:
        """Open a table and sit down; with bots in all other seats the game begins at once.

        A private table is listed nowhere and has an invitation; everybody may watch the others, and of
        both what `spectators` says. With `format` every deck brought to it must keep that one.
        """
        body = {
            "mode": mode,
            "options": dict(options or {}),
            "seats": seats,
            "deck": deck,
            "bots": list(bots),
            "private": private,
            "spectators": spectators,
        }
        # A house of before has no formats at its tables, and refuses what it does not know.
        asked = body if format is None else {**body, "format": format}
        return _table(self._object("POST", "/tables", json=asked))

    def table(self, table_id: str) -> TableInfo:
        """A table."""
        return _table(self._get(path_of("tables", table_id)))

    def tables(self, mode: str | None = None, mine: bool = False) -> Iterator[TableInfo]:
        """Tables that can be joined; or mine, where I sit or have a seat kept, private ones too."""
        query = {"mode": mode} if mode else {}
        return (_table(item) for item in self._items("/tables", query | ({"mine": "true"} if mine else {})))

    def invitation(self, code: str) -> TableInfo:
        """The table that an invitation is for."""
        return _table(self._get(path_of("invitations", code)))

    def join(self, table_id: str, deck: str | None = None, invitation: str | None = None) -> TableInfo:
        """Sit down at a table, a private one by invitation; the last one to sit down begins the game."""
        body = {"deck": deck, "invitation": invitation}
        return _table(self._object("POST", path_of("tables", table_id, "join"), json=body))

    def rematch(self, game_id: str, deck: str | None = None) -> TableInfo:
        """Open the rematch of a game of mine that is over, or sit down at the one that another has opened.

        Asked again it answers with the same table.
        """
        return _table(self._object("POST", path_of("games", game_id, "rematch"), json={"deck": deck}))

    def rematch_of(self, game_id: str) -> TableInfo | None:
        """The rematch that somebody has asked for after a game of mine; None while nobody has."""
        try:
            return _table(self._get(path_of("games", game_id, "rematch")))
        except ApiProblem as problem:
            if problem.status != 404:
                raise
            return None

    def leave(self, table_id: str) -> TableInfo:
        """Leave a table that has not begun."""
        return _table(self._object("POST", path_of("tables", table_id, "leave")))

    def cancel(self, table_id: str) -> None:
        """Cancel a table of mine that has not begun."""
        self._call("DELETE", path_of("tables", table_id))

    # Games

    def games(self, state: str | None = None) -> Iterator[dict[str, Any]]:
        """My games, newest first: "running", "over" or all."""
        return self._items("/games", {"state": state} if state else {})

    def live(self, mode: str | None = None) -> Iterator[dict[str, Any]]:
        """Running games that everybody may watch, newest first."""
        return self._items("/live", {"mode": mode} if mode else {})

    def game(self, game_id: str, after: int = -1, wait: float = 0.0) -> dict[str, Any]:
        """A game as my seat sees it; waits up to `wait` seconds for an entry after `after`."""
        return self._get(path_of("games", game_id), {"after": after, "wait": wait}, wait)

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        """Entries after `after`, and whether there are more; waits up to `wait` seconds for the first."""
        data = self._get(path_of("games", game_id, "entries"), {"after": after, "wait": wait}, wait)
        return data["entries"], data["more"]

    def events(self, game_id: str, after: int = -1) -> Iterator[Event]:
        """The entries of a game after `after`, as they come; ends after its result (docs/events.md).

        Comes back where the line broke, and asks by long polling where the house has no place for a
        listener. Raises `ApiProblem`; `Unreachable` where nobody answers for as long as `patience`.
        """

        def poll(last: int | None) -> list[Event]:
            entries, _ = self.entries(game_id, -1 if last is None else last, LONGEST_WAIT)
            return [Event(entry["seq"], entry["kind"], entry) for entry in entries]

        return self._listen(path_of("games", game_id, "events"), after, poll, "result")

    def feed(self, after: int | None = None) -> Iterator[Event]:
        """What concerns me, as it comes, after an id or from the oldest that is kept; it does not end.

        An event "reset" says that some are missing: look at everything anew. Else as `events`.
        """

        def poll(last: int | None) -> list[Event]:
            query = {"wait": LONGEST_WAIT, **({} if last is None else {"after": last})}
            found = self._get("/feed", query, LONGEST_WAIT)["events"]
            return [Event(event["id"], event["event"], event["data"]) for event in found]

        return self._listen("/events", after, poll)

    def _listen(
        self, path: str, after: int | None, poll: streams.Poll, last: str | None = None
    ) -> Iterator[Event]:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return streams.listen(self._client, path, headers, after, poll, self._patience, last)

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        """The house's signed statements of my own cards, in modes with a pack of the house's."""
        found: list[dict[str, Any]] = self._get(path_of("games", game_id, "faces"))["faces"]
        return found

    def certificate(self, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
        """The certificate of my deck under a 32-byte seed; the same seed gets the same again."""
        return self._object(
            "POST", path_of("games", game_id, "certificate"), json={"seat": seat, "seed": b64(seed)}
        )

    def send(self, message: Message) -> Accepted:
        """Post a message to its game."""
        data = self._object("POST", path_of("games", message.game, "entries"), json=message.json())
        try:
            seq = data.get("seq")
            return Accepted(read_receipt(data.get("receipt")), None if seq is None else integer(seq, "/seq"))
        except Refused as error:
            raise Unreachable(f"{self.url} gave a receipt that can't be read: {error}") from None

    def pause(self, seconds: float) -> None:
        """Do nothing for so long."""
        time.sleep(seconds)

    def rounds(self, game_id: str) -> list[dict[str, Any]]:
        """The accounts of a game."""
        found: list[dict[str, Any]] = self._get(path_of("games", game_id, "rounds"))["rounds"]
        return found

    def record(self, game_id: str) -> bytes:
        """The record file."""
        return self._call("GET", path_of("games", game_id, "record")).content


def _table(data: Mapping[str, Any]) -> TableInfo:
    return TableInfo(**{field.name: data[field.name] for field in fields(TableInfo) if field.name in data})
