"""A house over HTTP: a method for every endpoint, typed values, refusals raised with their stable codes."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from client import streams
from client.account import AccountCalls
from client.calls import PATIENCE, path_of
from client.cards import CardCalls
from client.collection import CollectionCalls
from client.decks import DeckCalls, SearchResult
from client.following import Following
from client.ladder import LadderCalls
from client.market import MarketCalls
from client.streams import ReceivedEvent
from client.transport import Transport
from crypto.encoding import EncodingError, b64, parse_timestamp, unb64
from player.house import Acknowledgement, ApiProblem, HouseInfo, TableInfo, Unreachable
from referee.bodies import integer
from referee.errors import Refused
from referee.message import Message, read_receipt
from referee.succession import read_successions

LONGEST_WAIT = 25.0
"""The most seconds that a house lets a long poll last."""
PICTURES = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}
"""The media types of pictures, and the endings of their files."""


class Api(AccountCalls, DeckCalls, CardCalls, CollectionCalls, MarketCalls, LadderCalls):
    """A house as a player reaches it (`player.house.House`). Close it, or use it in a `with` statement."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        patience: float = PATIENCE,
        transport: Transport | None = None,
    ) -> None:
        """The parameters are those of `Calls`."""
        super().__init__(url, token, patience, transport)
        self._lock = threading.Lock()
        self._followed: dict[str, Following] = {}

    # The house

    def house(self) -> HouseInfo:
        """The house's key and clock, and the keys that it had before."""
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
            raise Unreachable(f"{self.url} does not answer like a house: {error}") from None

    def modes(self) -> list[dict[str, Any]]:
        """The modes that can be played here."""
        found: list[dict[str, Any]] = self._get("/modes")["items"]
        return found

    def starters(self) -> list[dict[str, Any]]:
        """The starter decks that a new player can choose from."""
        found: list[dict[str, Any]] = self._get("/starters")["items"]
        return found

    # Cards

    def cards(self) -> Iterator[dict[str, Any]]:
        """The cards of all the house's sets, by number."""
        return self._items("/cards", {"limit": 200})

    def card_picture(self, code: str, number: int) -> tuple[bytes, str]:
        """The picture of a card, by its set's code and its number there, and the ending of such files."""
        return self._picture(path_of("cards", code, str(number), "picture.svg"))

    def _picture(self, path: str) -> tuple[bytes, str]:
        response = self._call("GET", path)
        kind = response.headers.get("content-type", "").partition(";")[0]
        if kind not in PICTURES:
            raise Unreachable(f"{self.url} sent something that is not a picture.")
        return response.content, PICTURES[kind]

    def painted_dishes(self, game: str) -> dict[str, str]:
        """The keys of a game's dishes that the house has an image of, by the name of their picture."""
        found = self._get(path_of("games", game, "pictures"))["items"]
        # Older houses have no images of dishes.
        return {item["name"]: item["dish"] for item in found if item.get("painted")}

    def dish_picture(self, key: str) -> tuple[bytes, str]:
        """The picture of a dish by its key, and the ending of such files."""
        return self._picture(path_of("dishes", key, "picture"))

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
        rated: bool = False,
        pace: str | None = None,
    ) -> TableInfo:
        """Open a table and sit down. With bots in all other seats the game begins at once.

        A private table is in no list and has an invitation. `spectators` says whether everybody may watch; by
        default they may, but not at a private table. With `format` every deck at the table must keep it.
        A `rated` game changes its players' ratings. A `pace` names the clocks (docs/ratings.md).
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
        # Older houses know none of these, and refuse members that they don't know.
        newer = {"format": format, "rated": rated or None, "pace": pace}
        asked = body | {name: value for name, value in newer.items() if value is not None}
        return _table(self._object("POST", "/tables", json=asked))

    def table(self, table_id: str) -> TableInfo:
        """A table."""
        return _table(self._get(path_of("tables", table_id)))

    def tables(self, mode: str | None = None, mine: bool = False) -> Iterator[TableInfo]:
        """The tables that can be joined; or mine, where I sit or have a seat kept, private ones too."""
        query = {"mode": mode} if mode else {}
        return (_table(item) for item in self._items("/tables", query | ({"mine": "true"} if mine else {})))

    def invitation(self, code: str) -> TableInfo:
        """The table that an invitation is for."""
        return _table(self._get(path_of("invitations", code)))

    def join(self, table_id: str, deck: str | None = None, invitation: str | None = None) -> TableInfo:
        """Sit down at a table; at a private one by invitation. The game begins when all seats are taken."""
        body = {"deck": deck, "invitation": invitation}
        return _table(self._object("POST", path_of("tables", table_id, "join"), json=body))

    def rematch(self, game_id: str, deck: str | None = None) -> TableInfo:
        """Open the rematch of a game of mine that is over, or join the one that another player has opened.

        A second call answers with the same table.
        """
        return _table(self._object("POST", path_of("games", game_id, "rematch"), json={"deck": deck}))

    def rematch_of(self, game_id: str) -> TableInfo | None:
        """The table of the rematch of a game of mine; None while nobody has asked for one."""
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
        """The running games that everybody may watch, newest first."""
        return self._items("/live", {"mode": mode} if mode else {})

    def game(self, game_id: str, after: int = -1, wait: float = 0.0) -> dict[str, Any]:
        """A game as my seat sees it. Waits up to `wait` seconds for an entry after number `after`."""
        return self._get(path_of("games", game_id), {"after": after, "wait": wait}, wait)

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        """The entries after number `after`, and whether more follow.

        Waits up to `wait` seconds for the first one. The first wait opens the game's stream of events, and
        the next ones hear from it. Over a transport that streams nothing, and where the stream can't tell,
        each wait is a long poll.
        """
        if wait and self._transport.streams:
            found = self._following(game_id, after).entries(after, wait)
            if found is not None:
                return found, False
        return self._poll(game_id, after, wait)

    def _poll(self, game_id: str, after: int, wait: float) -> tuple[list[dict[str, Any]], bool]:
        data = self._get(path_of("games", game_id, "entries"), {"after": after, "wait": wait}, wait)
        return data["entries"], data["more"]

    def _following(self, game_id: str, after: int) -> Following:
        """The thread that listens to a game; a new one where there is none that still does."""
        with self._lock:
            found = self._followed.get(game_id)
            if found is None or found.ended:
                found = self._followed[game_id] = Following(partial(self.events, game_id), after)
            return found

    def events(self, game_id: str, after: int = -1) -> Iterator[ReceivedEvent]:
        """The entries of a game after number `after`, as they come; ends after the result (docs/events.md).

        A stream that breaks is taken up again where it broke. If the house has no free stream, the entries
        come by long polling. Raises `ApiProblem`; `Unreachable` if nobody answers for `patience` seconds.
        """

        def poll(last: int | None) -> list[ReceivedEvent]:
            entries, _ = self._poll(game_id, -1 if last is None else last, LONGEST_WAIT)
            return [ReceivedEvent(entry["seq"], entry["kind"], entry) for entry in entries]

        return self._listen(path_of("games", game_id, "events"), after, poll, "result")

    def feed(self, after: int | None = None) -> Iterator[ReceivedEvent]:
        """The events that concern me, as they come, after an id or from the oldest that the house keeps.

        They don't end. An event "reset" says that some are missing, so that everything must be read again.
        Otherwise this works like `events`.
        """

        def poll(last: int | None) -> list[ReceivedEvent]:
            query = {"wait": LONGEST_WAIT, **({} if last is None else {"after": last})}
            found = self._get("/feed", query, LONGEST_WAIT)["events"]
            return [ReceivedEvent(event["id"], event["event"], event["data"]) for event in found]

        return self._listen("/events", after, poll)

    def _listen(
        self, path: str, after: int | None, poll: streams.Poll, last: str | None = None
    ) -> Iterator[ReceivedEvent]:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return streams.listen(
            self._transport, self._address(path), headers, after, poll, self._patience, last
        )

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        """The house's signed statements of my own cards, in modes with a house pack."""
        found: list[dict[str, Any]] = self._get(path_of("games", game_id, "faces"))["faces"]
        return found

    def certificate(self, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
        """The certificate of my deck under a 32-byte seed. The same seed gets the same certificate."""
        return self._object(
            "POST", path_of("games", game_id, "certificate"), json={"seat": seat, "seed": b64(seed)}
        )

    def send(self, message: Message) -> Acknowledgement:
        """Post a message to its game."""
        data = self._object("POST", path_of("games", message.game, "entries"), json=message.json())
        try:
            seq = data.get("seq")
            return Acknowledgement(
                read_receipt(data.get("receipt")), None if seq is None else integer(seq, "/seq")
            )
        except Refused as error:
            raise Unreachable(f"{self.url} sent a receipt that can't be read: {error}") from None

    def pause(self, seconds: float) -> None:
        """Do nothing for so long."""
        self._transport.pause(seconds)

    def rounds(self, game_id: str) -> list[dict[str, Any]]:
        """The accounts of a game: what each round brought."""
        found: list[dict[str, Any]] = self._get(path_of("games", game_id, "rounds"))["rounds"]
        return found

    def chain(self) -> Mapping[str, Any]:
        """The contract of the house's prizes: `chain_id` and `prizes`, both None if it has none."""
        return self._get("/chain")

    def word(self, game_id: str) -> Mapping[str, Any]:
        """The house's signed word on a game that is over. It is not checked here."""
        return self._get(path_of("games", game_id, "word"))

    def record(self, game_id: str) -> bytes:
        """The record file of a game."""
        return self._call("GET", path_of("games", game_id, "record")).content


def _table(data: Mapping[str, Any]) -> TableInfo:
    return TableInfo(**{field.name: data[field.name] for field in fields(TableInfo) if field.name in data})
