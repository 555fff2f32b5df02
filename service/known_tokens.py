"""The access tokens that this process knows to be valid, so that no request looks for the same one again.

The process that revokes a token drops it, here or in another process of which this one hears.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass

from service.models import Player, Token

MOST_TOKENS = 4_096
"""The tokens that are kept. The one that nobody has used for longest goes first."""
RELOOK = 20.0
"""Seconds after which a token is looked for again. `cloche admin` may revoke one, and SQLite tells nobody."""


@dataclass(frozen=True, slots=True)
class KnownToken:
    """A token that was valid when it was last looked for."""

    id: str
    player: Player
    """Its player, without the password's hash. It belongs to no session, and nobody changes it."""
    expires_at: int
    """Milliseconds since 1970."""
    until: float
    """The time, by the monotonic clock, at which it is looked for again."""


class KnownTokens:
    """The tokens that a process knows, by their digests. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tokens: OrderedDict[str, KnownToken] = OrderedDict()
        self._dropped = 0
        self._used: dict[str, int] = {}

    def use(self, token_id: str, now: int) -> None:
        """Remember that a token is used at `now`, until somebody takes it out (`take_uses`)."""
        with self._lock:
            if len(self._used) < MOST_TOKENS:
                self._used.setdefault(token_id, now)

    def take_uses(self) -> dict[str, int]:
        """Take out the tokens that were used, each with the time of its first use since the last call."""
        if not self._used:
            return {}
        with self._lock:
            found, self._used = self._used, {}
        return found

    def player(self, digest: str, now: int) -> Player | None:
        """The player of a token that is known to be valid at `now`."""
        with self._lock:
            found = self._tokens.get(digest)
            if found is None or found.expires_at <= now or found.until <= time.monotonic():
                return None
            self._tokens.move_to_end(digest)
            return found.player

    def ticket(self) -> int:
        """Return what a caller takes before it looks for a token, for `keep`."""
        return self._dropped

    def keep(self, digest: str, token: Token, player: Player, ticket: int, seconds: float) -> None:
        """Keep a valid token for so many seconds at most, unless one was revoked since `ticket` was taken."""
        known = Player(
            id=player.id,
            handle=player.handle,
            folded=player.folded,
            password="",
            key=player.key,
            created_at=player.created_at,
        )
        with self._lock:
            if ticket == self._dropped:
                until = time.monotonic() + seconds
                self._tokens[digest] = KnownToken(token.id, known, token.expires_at, until)
                self._tokens.move_to_end(digest)
                if len(self._tokens) > MOST_TOKENS:
                    self._tokens.popitem(last=False)

    def drop(self, token_id: str) -> None:
        """Forget a token that was revoked."""
        with self._lock:
            self._dropped += 1
            for digest in [digest for digest, token in self._tokens.items() if token.id == token_id]:
                del self._tokens[digest]

    def clear(self) -> None:
        """Forget all tokens."""
        with self._lock:
            self._dropped += 1
            self._tokens.clear()
