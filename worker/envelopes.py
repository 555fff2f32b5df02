"""Reveals in envelopes (protocol section 11): a worker opens and submits them once every seat has sealed.

Only the workers hold the private key. An opened reveal is validated like any message. Of its content nothing
is logged; if it is refused, the log has the refusal's code alone.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import structlog

from crypto.encoding import b64
from referee import Game, Refused
from referee.envelopes import open_envelope
from service.operations import envelopes, games
from service.operations.presence import Unattended
from service.problems import Problem
from service.runtime import Runtime
from worker import keyring
from worker.keyring import Keyring

log = structlog.get_logger(__name__)

MOOT = frozenset({"already_sent", "game_over", "not_asked", "wrong_kind", "wrong_step"})
"""Refusals that say nothing about the envelope: its reveal was there already, the step is over, or the
house is away."""


@dataclass
class Opener:
    """Opens the envelopes of one house in one process. Threads may share it."""

    house: Runtime
    _keyring: Keyring = field(default_factory=Keyring)
    _missing: set[bytes] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def begin(cls, house: Runtime) -> Opener:
        """Read the keys, and publish one if the house has published none: its first worker makes it.

        A published key that is not in our file stays published. Another worker may have it, and a new key
        could not open the envelopes for the old one. Raises `KeysError` if the file can't be used.
        """
        folder = house.settings.data
        private_keys = keyring.load(folder)
        with house.read() as session:
            known = envelopes.newest(session)
        if known is None:
            mine = private_keys.newest or keyring.add(folder)
            envelopes.publish(house, mine, first=True)
            private_keys = keyring.load(folder)
        opener = cls(house, private_keys)
        if known is not None:
            opener.private(known)
        return opener

    def private(self, public: bytes) -> bytes | None:
        """The private key of a public one; None if the file lacks it.

        A key that is not known is looked for in the file again, since it may have been added meanwhile.
        """
        with self._lock:
            found = self._keyring.private(public)
            if found is None:
                self._keyring = keyring.load(self.house.settings.data)
                found = self._keyring.private(public)
            if found is None and public not in self._missing:
                self._missing.add(public)
                path = str(self.house.settings.data / keyring.FILE)
                log.error("envelope_key_missing", public_key=b64(public), path=path)
            return found

    def open(self, game_id: str) -> int:
        """Open the envelopes of a game's running step; returns how many reveals were accepted.

        It may run twice, or in two workers at once: the second submits the same message, which changes
        nothing. An envelope that yields no acceptable reveal is not tried again. Without the private key no
        envelope is tried.
        """
        with self.house.read() as session:
            try:
                game = games.current(self.house, session, game_id)
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
        except Unattended:
            return False  # the house is away, and dates nothing
        except (Refused, Problem) as refused:
            if refused.code not in MOOT:
                envelopes.give_up(self.house, game.header.game, game.step, seat, refused.code)
                log.info("envelope_void", game=game.header.game, seat=seat, code=refused.code)
            return False
        log.info("envelope_opened", game=game.header.game, seat=seat)
        return True
