"""The cards of a house: as they are, as they were, and whole sets to take away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from client.calls import Calls, path_of
from player.house import ApiProblem, Unreachable


@dataclass(frozen=True, slots=True)
class Download:
    """A whole version of a card set, as the house's index has it."""

    name: str
    set: str
    version: str
    newest: bool
    format: str
    """"jsonl", "json" or "yaml"."""
    size: int
    """Bytes."""
    sha256: str
    """In hexadecimal digits."""


class CardCalls(Calls):
    """What a house is asked of cards."""

    def card(self, name: str, at: tuple[str, str] | None = None) -> dict[str, Any]:
        """A card by slug (an old one too) or number, as it is, or `at` a set's code and version as it was."""
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
        """The card sets, by index."""
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
        """What tells a version of a set from an earlier one, by default the one before."""
        query = {} if since is None else {"since": since}
        return self._get(path_of("sets", code, "versions", version, "changes"), query)

    def migrations(self) -> Iterator[dict[str, Any]]:
        """All ids of cards that changed, in their order."""
        return self._items("/migrations", {"limit": 200})

    def downloads(self) -> list[Download]:
        """What can be taken away, the newest version of each set first."""
        return [_download(item) for item in self._get("/bulk")["items"]]

    def download(self, wanted: Download) -> bytes:
        """The bytes of one; raises `Unreachable` if they are not what the index promised."""
        data = self._call("GET", path_of("bulk", wanted.name)).content
        if len(data) != wanted.size or sha256(data).hexdigest() != wanted.sha256:
            text = f"{wanted.name} came with {len(data)} bytes of other content than its sha256 says"
            raise Unreachable(f"{self.url}: {text}.")
        return data


def _download(item: Mapping[str, Any]) -> Download:
    return Download(**{name: item[name] for name in Download.__dataclass_fields__})
