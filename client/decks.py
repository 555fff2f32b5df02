"""Deck lists at a house. The house refuses an edit of a deck that has changed since it was read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from client.calls import Calls, path_of
from client.transport import Answer
from player.house import ApiProblem

LISTS = {"mine": "/decks", "public": "/decks/public", "favourites": "/decks/favourites"}
"""Paths of the lists of decks: my own, everybody's public ones, my favourites."""


@dataclass(frozen=True, slots=True)
class DeckInfo:
    """A deck list at one of its revisions."""

    id: str
    revision: int
    name: str
    cards: Mapping[str, int]
    """Copies by the card's slug."""
    size: int
    owner: str
    """The owner's handle."""
    visibility: str
    """ "private", "unlisted" or "public"."""
    tags: Sequence[str]
    note: str
    """The reason why the revision was written."""
    restored_from: int | None
    """The number of the revision that this one restored."""
    origin: Mapping[str, Any] | None
    """The `deck` and `revision` from which a deck of mine was copied."""
    created_at: str
    revised_at: str
    etag: str | None = field(default=None, compare=False)
    """The tag that an edit must name; None if the deck was one of a list."""


@dataclass(frozen=True, slots=True)
class DeckValidation:
    """The verdict of the rules on a deck list. A fault has at least code, detail and rules."""

    legal: bool
    rules: Sequence[Mapping[str, Any]]
    """The verdict of each set of rules: name, legal."""
    faults: Sequence[Mapping[str, Any]]
    warnings: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The finds of a search query."""

    items: Sequence[dict[str, Any]]
    """Cards or decks, as the house describes them, in the order of the query."""
    query: str
    """The query as the house understood it, written out."""
    warnings: Sequence[Mapping[str, Any]]
    """The parts of the query that were ignored: code, detail and column (from 1)."""


class DeckCalls(Calls):
    """Requests about deck lists."""

    def decks(self, which: str = "mine") -> Iterator[DeckInfo]:
        """The decks of a list (`LISTS`)."""
        return (_deck(item) for item in self._items(LISTS[which], {"limit": 200}))

    def search_decks(self, query: str, which: str = "mine") -> SearchResult:
        """The decks of a list (`LISTS`) that a query finds (docs/search.md)."""
        return self._search(LISTS[which], query)

    def _search(self, path: str, query: str) -> SearchResult:
        pages = [*self._pages(path, {"q": query, "limit": 200})]
        items = [item for page in pages for item in page["items"]]
        return SearchResult(items, pages[0]["query"], pages[0]["warnings"])

    def deck(self, deck_id: str, revision: int | None = None) -> DeckInfo:
        """A deck that I may see, at its newest revision or another."""
        parts = ("revisions", str(revision)) if revision is not None else ()
        return self._a_deck(self._call("GET", path_of("decks", deck_id, *parts)))

    def create_deck(self, name: str, cards: Mapping[str, int], **more: Any) -> DeckInfo:
        """Make a deck list, which may be unfinished. `cards` are copies by slug or number.

        `more` may be note, visibility and tags.
        """
        return self._a_deck(self._call("POST", "/decks", json={"name": name, "cards": dict(cards), **more}))

    def copy_deck(self, deck_id: str, name: str | None = None, revision: int | None = None) -> DeckInfo:
        """Copy a deck that I may see to a private deck of mine."""
        body = {name: value for name, value in (("name", name), ("revision", revision)) if value is not None}
        return self._a_deck(self._call("POST", path_of("decks", deck_id, "copy"), json=body))

    def edit_deck(self, deck: DeckInfo, **changes: Any) -> DeckInfo:
        """Change name, cards, note, visibility or tags of a deck of mine as it was read; the rest stays.

        Raises `ApiProblem` 412 `precondition_failed` if the deck was changed since.
        """
        path, tag = path_of("decks", deck.id), self._tag(deck)
        return self._a_deck(self._call("PATCH", path, json=changes, if_match=tag))

    def restore_deck(self, deck: DeckInfo, revision: int, note: str = "") -> DeckInfo:
        """Restore an old revision of a deck of mine as it was read. Raises like `edit_deck`."""
        path = path_of("decks", deck.id, "revisions", str(revision), "restore")
        return self._a_deck(self._call("POST", path, json={"note": note}, if_match=self._tag(deck)))

    def delete_deck(self, deck: DeckInfo) -> None:
        """Delete a deck of mine as it was read. Raises like `edit_deck`."""
        self._call("DELETE", path_of("decks", deck.id), if_match=self._tag(deck))

    def _tag(self, deck: DeckInfo) -> str:
        """The deck's ETag. A deck from a list has none: it is read again, and must not have changed."""
        if deck.etag is not None:
            return deck.etag
        now = self.deck(deck.id)
        if now != deck or now.etag is None:
            detail = "The deck has changed since it was listed: look at it again."
            raise ApiProblem(412, "precondition_failed", detail)
        return now.etag

    def revisions(self, deck_id: str) -> Iterator[DeckInfo]:
        """The revisions of a deck, newest first."""
        return (_deck(item) for item in self._items(path_of("decks", deck_id, "revisions"), {"limit": 200}))

    def differences(
        self, deck_id: str, first: int | None = None, second: int | None = None
    ) -> dict[str, Any]:
        """The differences of two revisions of a deck, by default the newest two (docs/decks.md)."""
        return self._get(path_of("decks", deck_id, "differences"), _sides(first, second))

    def compare_decks(
        self, deck_id: str, other_id: str, first: int | None = None, second: int | None = None
    ) -> dict[str, Any]:
        """The differences of two decks, by default at their newest revisions."""
        return self._get(path_of("decks", deck_id, "compare", other_id), _sides(first, second))

    def like_deck(self, deck_id: str) -> None:
        """Add a deck that I may see to my favourites."""
        self._call("PUT", path_of("decks", deck_id, "favourite"))

    def unlike_deck(self, deck_id: str) -> None:
        """Remove a deck from my favourites."""
        self._call("DELETE", path_of("decks", deck_id, "favourite"))

    def export_deck(self, deck_id: str) -> dict[str, Any]:
        """A deck as cards, text and code. If no code can say it, the code is None and faults say why."""
        return self._get(path_of("decks", deck_id, "export"))

    def convert_deck(self, **form: Any) -> dict[str, Any]:
        """A deck list given as `cards`, `code` or `text`, in all these forms (see `export_deck`)."""
        return self._object("POST", "/decks/convert", json=form)

    def validate_deck(self, deck_id: str, rules: Sequence[str] = ()) -> DeckValidation:
        """Ask what sets of rules say about a deck; by default, whether a match may be played with it now."""
        return _validation(self._get(path_of("decks", deck_id, "validation"), _rules(rules)))

    def validate_cards(self, cards: Mapping[str, int], rules: Sequence[str] = ()) -> DeckValidation:
        """Ask what sets of rules say about these copies by slug."""
        body = {"cards": dict(cards)}
        return _validation(self._object("POST", "/decks/validate", json=body, query=_rules(rules)))

    def formats(self) -> list[dict[str, Any]]:
        """The formats of the house."""
        found: list[dict[str, Any]] = self._get("/formats")["items"]
        return found

    def missing(self, deck_id: str | None, cards: Mapping[str, int]) -> dict[str, Any]:
        """The copies that I lack for a deck; without `deck_id`, for `cards` (docs/decks.md)."""
        if deck_id is not None:
            return self._get(path_of("decks", deck_id, "missing"))
        return self._object("POST", "/decks/missing", json={"cards": dict(cards)})

    def mint_basics(self, cards: Mapping[str, int]) -> None:
        """Take free copies of Basic Ingredients, at most 60 at a time."""
        self._call("POST", "/collection/basics", json={"cards": dict(cards)})

    def deck_figures(
        self, what: str, deck_id: str | None, cards: Mapping[str, int], query: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The "statistics", "hands" or "suggestions" of a deck; without `deck_id`, of `cards`."""
        if deck_id is not None:
            return self._get(path_of("decks", deck_id, what), query)
        return self._object("POST", path_of("decks", what), json={"cards": dict(cards)}, query=query)

    def _a_deck(self, response: Answer) -> DeckInfo:
        """The deck of a response, with its ETag: the digest of the response's bytes."""
        return _deck(self._read(response), etag_of(response))


def etag_of(answer: Answer) -> str:
    """The tag that a change of this resource must name: the digest of the answer's bytes."""
    return f'"{sha256(answer.content).hexdigest()}"'


def _deck(data: Mapping[str, Any], etag: str | None = None) -> DeckInfo:
    return DeckInfo(**{name: data[name] for name in _MEMBERS}, etag=etag)


_MEMBERS = [name for name in DeckInfo.__dataclass_fields__ if name != "etag"]


def _validation(data: Mapping[str, Any]) -> DeckValidation:
    return DeckValidation(data["legal"], data["rules"], data["faults"], data["warnings"])


def _rules(rules: Sequence[str]) -> dict[str, str]:
    return {"rules": ",".join(rules)} if rules else {}


def _sides(first: int | None, second: int | None) -> dict[str, int]:
    return {name: n for name, n in (("from", first), ("to", second)) if n is not None}
