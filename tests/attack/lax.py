"""Verifiers of a table without a dealer that lack one safeguard each (protocol section 20.15).

Each is the real verifier with one thing changed while a block runs. `takes` shows it a published entry.
`takes_anew` forges the entry before such a verifier, so that its proof fits what the verifier looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from cards import games
from cards.games.contract import CardsAndTraits, Face, State
from crypto import linear, lock, mix
from crypto.encoding import unb64
from crypto.group import ORDER, POINT_BYTES, SCALAR_BYTES, U, engine, made
from crypto.lock import open_pack
from crypto.verifier import Equation
from referee import checks, dealing, fold, record, validation
from referee.dealerless import bodies, making, masked, proofs
from referee.errors import Refused
from referee.fold import apply
from referee.game import Asking, Duty, Game
from referee.record import read_entry
from tests.referee.published_kit import games as games_of
from tests.referee.published_kit import published
from vectors import bad_entries
from vectors.bad_dealerless import PARTS
from vectors.dealerless import GAMES
from vectors.example import Vector

Weak = Callable[[], AbstractContextManager[None]]
NEEDING: tuple[ModuleType, ...] = (fold, validation, dealing, proofs, making, bodies)
"""The rooms whose conditions `ignoring` can pass over."""


def takes(name: str, weak: Weak) -> bool:
    """Tell whether the weakened verifier takes a published entry, after those before it."""
    vector = _published()[name]
    game = _before(name)
    with weak():
        try:
            apply(game, read_entry(vector["input"]["entries"][-1]))
        except Refused:
            return False
    return True


def takes_anew(name: str, weak: Weak) -> bool:
    """Tell the same of an entry that is forged for the weakened verifier, which has folded all before."""
    for play in GAMES.values():
        play()  # the honest games are played, once, by the real rules
    with weak(), _folded_anew():
        forged = PARTS[name.partition("_")[0]]()
        found = next(vector for vector in forged if vector["name"] == name)
    return found["output"]["refused"] is None


@cache
def _published() -> dict[str, Vector]:
    return {vector["name"]: vector for vector in published("bad_dealerless")}


@cache
def _before(name: str) -> Game | None:
    """The game before the last entry of a vector."""
    given = _published()[name]["input"]
    game = games_of(given["record"])[given["keep"]]
    for entry in given["entries"][:-1]:
        game = apply(game, read_entry(entry))
    return game


def refused(name: str) -> bool:
    """Tell whether the real verifier refuses a published entry, for the published reason."""
    vector = _published()[name]
    try:
        apply(_before(name), read_entry(vector["input"]["entries"][-1]))
    except Refused as found:
        return found.code == vector["output"]["refused"]
    return False


@contextmanager
def _patched(*changes: tuple[object, str, object]) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for where, name, value in changes:
            patch.setattr(where, name, value)
        yield


@contextmanager
def _folded_anew() -> Iterator[None]:
    """Nothing that was folded before or while the block runs is used in it or behind it."""
    bad_entries.forget()
    try:
        yield
    finally:
        bad_entries.forget()


def ignoring(*codes: str) -> Weak:
    """A verifier that passes over the conditions with these codes."""

    def lax(real: Callable[..., None]) -> Callable[..., None]:
        def need(condition: object, code: str, *rest: str) -> None:
            real(condition or code in codes, code, *rest)

        return need

    return lambda: _patched(*((room, "need", lax(vars(room)["need"])) for room in NEEDING))


def without(*equations: str) -> Weak:
    """A verifier of linear proofs and mixes that does not look at these equations."""

    def lacking(real: Callable[..., list[Equation]], names: Callable[..., Sequence[str]]) -> Any:
        def kept(*given: Any) -> list[Equation]:
            listed = zip(names(*given), real(*given), strict=True)
            # No proof without any equation shows anything, so one that always holds is left.
            return [e for name, e in listed if name not in equations] or [[(1, U()), (-1, U())]]

        return kept

    of_linear = lacking(linear.equations, lambda ctx, statement, proof: statement.names)
    of_mix = lacking(mix.equations, lambda *given: mix.EQUATIONS)
    return lambda: _patched((linear, "equations", of_linear), (mix, "equations", of_mix))


def reading_leniently() -> AbstractContextManager[None]:
    """A verifier of linear proofs that takes scalars of q and more, and bytes behind a proof."""

    def split(proof: bytes, points: int, scalars: int) -> tuple[list[bytes], list[int]]:
        end = POINT_BYTES * points
        found = [proof[at : at + POINT_BYTES] for at in range(0, end, POINT_BYTES)]
        places = range(end, end + SCALAR_BYTES * scalars, SCALAR_BYTES)
        return found, [int.from_bytes(proof[at : at + SCALAR_BYTES], "big") % ORDER for at in places]

    return _patched((linear, "split", split))


def taking_any_length() -> AbstractContextManager[None]:
    """A verifier that reads the points it looks for, or some of its own, and checks no proof."""

    def parted(data: bytes, count: int) -> tuple[bytes, ...]:
        whole = data + made(U(), on=engine()) * count
        return tuple(whole[at : at + POINT_BYTES] for at in range(0, POINT_BYTES * count, POINT_BYTES))

    def octets(value: object, pointer: str, size: int | None = None) -> bytes:
        return unb64(value)

    patches = ((lock, "parted", parted), (bodies, "octets", octets))

    @contextmanager
    def all_of() -> Iterator[None]:
        with checking_no_proof(), ignoring("bad_length")(), _patched(*patches):
            yield

    return all_of()


def opening(position: int) -> Weak:
    """A verifier that lets the sender of a move say of which card its share is."""

    def statement(self: proofs.Part, party: int, shares: Any) -> linear.Statement:
        pairs = [(self.pack.at(position).a, share) for share in shares.values()]
        return linear.Statement(self.pack.locks[party], pairs, self.claim)

    return lambda: _patched((proofs.Part, "statement", statement))


def passing_over_empty_proofs() -> AbstractContextManager[None]:
    """A verifier that takes a proof of no bytes."""
    real = proofs._linear

    def lenient(ctx: bytes, kind: str, statement: linear.Statement, proof: bytes, by: Any) -> None:
        if proof:
            real(ctx, kind, statement, proof, by)

    return _patched((proofs, "_linear", lenient))


def checking_no_proof() -> AbstractContextManager[None]:
    """A verifier that takes every proof that it can read."""
    return _patched((checks.AtOnce, "claims", lambda self, kind, statement, claims: None))


def owed(duty: Callable[[Game], Duty]) -> Weak:
    """A verifier that takes the house's word for what is due."""
    return lambda: _patched((fold, "duty_of", duty))


def demanding(mode: str, change: Callable[[CardsAndTraits], CardsAndTraits | None]) -> Weak:
    """A verifier that lets the sender of a move say which claim the rules demand."""
    kind = type(games.find(mode))
    real = kind.claim

    def claim(self: Any, state: State[Any], seat: int, move: Any) -> CardsAndTraits | None:
        found = real(self, state, seat, move)
        return None if found is None else change(found)

    return lambda: _patched((kind, "claim", claim))


def claiming(mode: str, said: CardsAndTraits) -> Weak:
    """A verifier that takes this claim beside every move."""
    return lambda: _patched((type(games.find(mode)), "claim", lambda *given: said))


def sharing(change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Weak:
    """A verifier that lets the sender of a share say which positions it is about."""
    real = proofs.to_share
    return lambda: _patched((proofs, "to_share", lambda game, party: change(real(game, party))))


def unlocking(change: Callable[[tuple[int, ...]], tuple[int, ...]]) -> Weak:
    """A verifier that lets the sender of an unlock say which positions it is about."""
    real = proofs.to_unlock
    return lambda: _patched((proofs, "to_unlock", lambda game, party: change(real(game, party))))


def playing_hidden_hands() -> AbstractContextManager[None]:
    """A verifier that lets the house move for a hand that nobody but its player sees, at any time."""
    patch = ((making, "asks_again", lambda game, asking, seat: False),)
    with_time = ignoring("too_early")

    @contextmanager
    def both() -> Iterator[None]:
        with with_time(), _patched(*patch):
            yield

    return both()


def patient() -> AbstractContextManager[None]:
    """A verifier that waits a fourth time for a seat."""
    return _patched((making, "MOST_SILENT", 4))


def passing_the_house() -> AbstractContextManager[None]:
    """A verifier for which the first seat mixes the open pack, and not the house's mix."""

    def to_mix(self: masked.MaskedPack, mode: Any) -> Any:
        deck = masked.deck_of(mode, self.pack)
        return open_pack([deck.points[face] for face in self.pack], self.joint)

    return _patched((masked.MaskedPack, "to_mix", to_mix))


def knowing_actor(name: str) -> AbstractContextManager[None]:
    """A verifier that reads one more name of an actor."""
    return _patched((record, "ACTORS", (*record.ACTORS, name)))


def counting_true() -> AbstractContextManager[None]:
    """A verifier for which true is 1."""
    return _patched((bodies, "integer", lambda value, *rest: value))


def looking_at_the_first() -> AbstractContextManager[None]:
    """A verifier that reads the first position of a list, and no other."""
    real = vars(bodies)["listing"]
    return _patched((bodies, "listing", lambda *given: real(*given)[:1]))


def reading_no_share() -> AbstractContextManager[None]:
    """A verifier that sees under every share the first card of the pack, and checks no proof."""

    def face(game: Game, position: int, share: bytes) -> Face:
        pack = proofs.in_play(game).of(position)
        assert pack is not None, "the card lies in a pack"
        return pack.pack[0]

    @contextmanager
    def both() -> Iterator[None]:
        with checking_no_proof(), _patched((proofs, "face_under", face)):
            yield

    return both()


def supposing(position: int) -> Weak:
    """A verifier that fills in the position, where an answer to a search names none."""
    real = bodies.read

    def read(kind: str, body: Any, **more: Any) -> bodies.TableBody:
        found = real(kind, body, **more)
        if isinstance(found, bodies.Unlock) and found.positions is None:
            return replace(found, positions=(position,))
        return found

    return lambda: _patched((bodies, "read", read))


def clockless() -> AbstractContextManager[None]:
    """A verifier for which everybody is always late, and nobody too late."""
    with_time = ignoring("too_late")

    @contextmanager
    def both() -> Iterator[None]:
        with with_time(), _patched((Asking, "deadline_of", lambda self, seat: 0)):
            yield

    return both()
