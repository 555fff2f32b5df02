"""Cards at a house: as they are, as they were, and whole card sets to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from client.calls import Calls, path_of
from player.house import ApiProblem, Unreachable


@dataclass(frozen=True, slots=True)
class Download:
    """A whole version of a card set, as the house lists it."""

    name: str
    set: str
    version: str
    newest: bool
    format: str
    """"jsonl", "json" or "yaml"."""
    size: int
    """The size in bytes."""
    sha256: str
    """The digest in hexadecimal digits."""


class CardCalls(Calls):
    """Requests about cards and card sets."""

    def card(self, name: str, at: tuple[str, str] | None = None) -> dict[str, Any]:
        """A card by slug, also an old slug, or by number.

        `at` is a set's code and a version: then the card is as it was in that version.
        """
        if at is not None:
            return self._get(path_of("sets", at[0], "versions", at[1], "cards", name))
        try:
            return self._get(path_of("cards", name))
        except ApiProblem as problem:
            today = next((move["moved_to"] for move in self.migrations() if move["old"] == name), None)
            if problem.code != "card_moved" or today is None:
                raise
            return self._get(path_of("cards", today))

    def sets(self) -> list[dict[str, Any]]:
        """The card sets in the order of their index."""
        found: list[dict[str, Any]] = self._get("/sets")["items"]
        return found

    def versions(self, code: str) -> list[dict[str, Any]]:
        """All versions of a set, the newest first."""
        found: list[dict[str, Any]] = self._get(path_of("sets", code, "versions"))["items"]
        return found

    def version_cards(self, code: str, version: str) -> Iterator[dict[str, Any]]:
        """The cards of a set as they were in a version, by number."""
        return self._items(path_of("sets", code, "versions", version, "cards"), {"limit": 200})

    def changes(self, code: str, version: str, since: str | None = None) -> dict[str, Any]:
        """Fetch what a version of a set changed since an earlier one, by default the one before."""
        query = {} if since is None else {"since": since}
        return self._get(path_of("sets", code, "versions", version, "changes"), query)

    def migrations(self) -> Iterator[dict[str, Any]]:
        """Every card id that changed, in the order of the changes."""
        return self._items("/migrations", {"limit": 200})

    def downloads(self) -> list[Download]:
        """The files that can be downloaded, the newest version of each set first."""
        return [_download(item) for item in self._get("/bulk")["items"]]

    def download(self, wanted: Download) -> bytes:
        """The bytes of a file. Raises `Unreachable` if they don't have the listed size and digest."""
        data = self._call("GET", path_of("bulk", wanted.name)).content
        if len(data) != wanted.size or sha256(data).hexdigest() != wanted.sha256:
            text = f"{wanted.name} came with {len(data)} bytes that do not match its sha256"
            raise Unreachable(f"{self.url}: {text}.")
        return data


def _download(item: Mapping[str, Any]) -> Download:
    return Download(**{name: item[name] for name in Download.__dataclass_fields__})
