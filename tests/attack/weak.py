"""Verifiers weakened in one place each: the real ones, with only that place changed while a block runs.

A forger that profits from the hole works against the weakened verifier and fails against the real one;
both are needed to know that a test of the real one can fail.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from crypto import lock, meal, shuffle, transcript
from crypto.group import ORDER
from crypto.transcript import Transcript, to_scalar

Absorb = Callable[..., None]
Challenge = Callable[[Transcript, str], int]
CONTEXTS: dict[ModuleType, str] = {meal: "meal-context", shuffle: "shuffle-context", lock: "table-context"}


@contextmanager
def leaving_out(name: str, *places: int) -> Iterator[None]:
    """Every challenge leaves out these parts of what is absorbed as `name`."""
    real: Absorb = Transcript.absorb

    def absorb(self: Transcript, said: str, *parts: bytes) -> None:
        kept = [b"" if said == name and i in places else part for i, part in enumerate(parts)]
        real(self, said, *kept)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "absorb", absorb)
        yield


@contextmanager
def without_context(module: ModuleType, place: int) -> Iterator[None]:
    """The context of a meal, a shuffle or a message of a table leaves out its part at `place`."""
    real: Callable[..., bytes] = vars(module)["tuple_hash"]

    def tuple_hash(label: str, *parts: bytes, length: int = 64) -> bytes:
        if label == CONTEXTS[module]:
            parts = parts[:place] + parts[place + 1 :]
        return real(label, *parts, length=length)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "tuple_hash", tuple_hash)
        yield


@contextmanager
def answering(challenges: Mapping[str, int]) -> Iterator[None]:
    """Challenges of these names are what we like: a verifier who tells its questions beforehand."""
    real: Challenge = Transcript.challenge

    def challenge(self: Transcript, name: str) -> int:
        return challenges[name] if name in challenges else real(self, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "challenge", challenge)
        yield


@contextmanager
def drawn_before(challenge: str, message: str) -> Iterator[None]:
    """`challenge` is drawn before `message` is absorbed, the others where they belong."""
    real_absorb: Absorb = Transcript.absorb
    real_challenge: Challenge = Transcript.challenge

    def absorb(self: Any, name: str, *parts: bytes) -> None:
        if name == message:
            self.early = real_challenge(copy.copy(self), challenge)
        real_absorb(self, name, *parts)

    def draw(self: Any, name: str) -> int:
        own = real_challenge(self, name)
        return vars(self).get("early", own) if name == challenge else own

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "absorb", absorb)
        patch.setattr(Transcript, "challenge", draw)
        yield


@contextmanager
def of_few_bits(bits: int) -> Iterator[None]:
    """Every challenge is one of 2^bits, none of them zero."""
    real: Challenge = Transcript.challenge
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "challenge", lambda self, name: real(self, name) % 2**bits + 1)
        yield


@contextmanager
def hashing_to_zero(*names: str) -> Iterator[None]:
    """The hash behind the challenges of these names is a multiple of q: what nobody can find, granted."""
    real: Callable[..., bytes] = transcript.tuple_hash

    def tuple_hash(label: str, *parts: bytes, length: int = 64) -> bytes:
        zero = label == "challenge" and parts[-1].decode() in names
        return (5 * ORDER).to_bytes(64, "big") if zero else real(label, *parts, length=length)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(transcript, "tuple_hash", tuple_hash)
        yield


@contextmanager
def taking_zero() -> Iterator[None]:
    """A challenge may be zero."""

    def challenge(self: Any, name: str) -> int:
        self._state = transcript.tuple_hash("challenge", self._state, name.encode())
        return to_scalar(self._state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "challenge", challenge)
        yield
