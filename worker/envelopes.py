"""Reveals out of envelopes: the worker opens them when every seat has sealed, and brings them in.

It holds the only private key. What it opens goes through the one door like any message, and nothing of
it is logged: neither the content nor why it was refused, but for the refusal's code.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import structlog

from crypto.encoding import b64
from referee import Game, Refused
from referee.envelopes import open_envelope
from service.operations import envelopes, games
from service.problems import Problem
from service.runtime import Runtime
from worker import keyring
from worker.keyring import Keyring

log = structlog.get_logger(__name__)

MOOT = frozenset({"already_sent", "game_over", "not_asked", "wrong_kind", "wrong_step"})
"""Refusals that say nothing of the envelope: somebody was quicker, or the step is over."""


@dataclass
class Opener:
    """What opens the envelopes of one house in one process. Safe to share between threads."""

    house: Runtime
    _ring: Keyring = field(default_factory=Keyring)
    _missing: set[bytes] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def begin(cls, house: Runtime) -> Opener:
        """Read the keys and see that one is published: the first worker of a house makes it.

        A house whose published key is not in our file keeps it: another worker may have it, and a key of
        ours would not open what was sent to that one. Raises `KeysError` where the file can't be used.
        """
        folder = house.settings.data
        ring = keyring.load(folder)
        with house.read() as session:
            known = envelopes.newest(session)
        if known is None:
            mine = ring.newest or keyring.add(folder)
            envelopes.publish(house, mine, first=True)
            ring = keyring.load(folder)
        opener = cls(house, ring)
        if known is not None:
            opener.private(known)
        return opener

    def private(self, public: bytes) -> bytes | None:
        """The private key of a public one. The file is read again for one that was not in it: made since."""
        with self._lock:
            found = self._ring.private(public)
            if found is None:
                self._ring = keyring.load(self.house.settings.data)
                found = self._ring.private(public)
            if found is None and public not in self._missing:
                self._missing.add(public)
                path = str(self.house.settings.data / keyring.FILE)
                log.error("envelope_key_missing", public_key=b64(public), path=path)
            return found

    def open(self, game_id: str) -> int:
        """Open the envelopes of a game's running step; returns how many reveals were accepted.

        Run twice, or by two workers at once, the second brings the same message and changes nothing. An
        envelope that gives no reveal is not tried again; without the key nothing is tried.
        """
        with self.house.read() as session:
            try:
                game = games.fold_of(session, games.row_of(session, game_id))
            except Problem:
                return 0
            waiting = games.waiting_of(session, game)
            sent = envelopes.to_open(session, game, waiting.keys())
        key = game.header.envelope_key
        private = self.private(key) if sent and key is not None else None
        if private is None:
            return 0
        return sum(self._bring(game, seat, private, content) for seat, content in sorted(sent.items()))

    def _bring(self, game: Game, seat: int, private: bytes, sent: bytes) -> bool:
        try:
            reveal = open_envelope(game, seat, private, sent)
            games.submit(self.house, game.header.game, reveal.json(), enclosed=True)
        except (Refused, Problem) as refused:
            if refused.code not in MOOT:
                envelopes.give_up(self.house, game.header.game, game.step, seat, refused.code)
                log.info("envelope_void", game=game.header.game, seat=seat, code=refused.code)
            return False
        log.info("envelope_opened", game=game.header.game, seat=seat)
        return True
