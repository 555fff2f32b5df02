"""The group G1: strict encodings, the generators, commitments (protocol sections 1, 3, 4).

Other rooms pass points as bytes; inside this room they are values of one engine. `engine()` checks
proofs; the environment's CLOCHE_ENGINE chooses it (`arkworks` or `py_ecc`). `prover()` computes with
secret scalars. It is arkworks wherever that is installed, since py_ecc's running time depends on the
scalars and could betray them.
"""

from __future__ import annotations

import os
import re
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from itertools import accumulate

from crypto.encoding import EncodingError
from crypto.engines import MODULUS, ORDER, Arkworks, Engine, EngineError, Point, PyEcc

__all__ = [
    "ORDER",
    "POINT_BYTES",
    "SCALAR_BYTES",
    "A",
    "B",
    "Engine",
    "EngineError",
    "G",
    "H",
    "Point",
    "U",
    "card_point",
    "commit",
    "decode_point",
    "decode_scalar",
    "encode_point",
    "encode_scalar",
    "engine",
    "gen",
    "made",
    "offer",
    "prover",
    "split",
    "use",
]

DST = b"CLOCHE-V01-CS01-with-BLS12381G1_XMD:SHA-256_SSWU_RO_"
POINT_BYTES = 48
SCALAR_BYTES = 32
VECTOR = ("number", "recipe", "starch", "vegetable", "oil", "protein", "seasoning")
"""The names of the entries of a card's vector, in the order of the generators A_0..A_6."""

_INFINITY = b"\xc0" + bytes(47)
_ENGINES: dict[str, type[Engine]] = {"arkworks": Arkworks, "py_ecc": PyEcc}
_offered: list[str] = []
"""The name of the engine that was offered, if one was."""
_override: ContextVar[str | None] = ContextVar("cloche_engine", default=None)


def offer(kind: type[Engine]) -> None:
    """Check and prove with this engine unless CLOCHE_ENGINE names another: for where neither of ours can run.

    Call it before any point is made.
    """
    _ENGINES[kind.name] = kind
    _offered[:] = [kind.name]
    _chosen.cache_clear()
    _fastest.cache_clear()


@cache
def _load(name: str) -> Engine:
    if name not in _ENGINES:
        raise EngineError(f"CLOCHE_ENGINE={name}: there are {' and '.join(sorted(_ENGINES))}")
    return _ENGINES[name]()


@cache
def _chosen() -> Engine:
    name = os.environ.get("CLOCHE_ENGINE") or next(iter(_offered), "arkworks")
    try:
        return _load(name)
    except EngineError:
        if name != "arkworks":
            raise
    warnings.warn(
        "the fast curve engine (py_arkworks_bls12381) is not installed, so the slow py_ecc is used",
        RuntimeWarning,
        stacklevel=3,
    )
    return _load("py_ecc")


@cache
def _fastest() -> Engine:
    try:
        return _load(next(iter(_offered), "arkworks"))
    except EngineError:
        return _chosen()


def engine() -> Engine:
    """The engine that checks proofs. Raises EngineError for an unknown name in CLOCHE_ENGINE.

    If arkworks is asked for (the default) but not installed, py_ecc replaces it with a RuntimeWarning.
    """
    name = _override.get()
    return _chosen() if name is None else _load(name)


def prover() -> Engine:
    """The engine for secret scalars (protocol 12).

    It is the one that was offered, else arkworks if it is installed, whichever engine checks.
    """
    name = _override.get()
    return _fastest() if name is None else _load(name)


@contextmanager
def use(name: str) -> Iterator[Engine]:
    """Check and prove with the named engine in this context. For tests and test vectors."""
    loaded = _load(name)
    token = _override.set(name)
    try:
        yield loaded
    finally:
        _override.reset(token)


_MOST_MADE = 1024
_made: OrderedDict[tuple[Engine, bytes], Point] = OrderedDict()
"""Points that `made` encoded and `decode_point` has not read yet, oldest first."""


def made(point: Point, *, on: Engine) -> bytes:
    """Encode a sum of checked points in 48 bytes; `decode_point` need not check these bytes again.

    This saves a player the decoding of its own match deck for the proof, and the house that of its own
    certificate.
    """
    data = on.encode(point)
    _made[on, data] = point
    if len(_made) > _MOST_MADE:
        _made.popitem(last=False)
    return data


@lru_cache(maxsize=16384)
def _decode(curve: Engine, data: bytes) -> Point:
    if data == _INFINITY:
        return curve.identity
    own = _made.pop((curve, data), None)
    if own is not None:
        return own
    flags, x = data[0] >> 5, int.from_bytes(data, "big") & ((1 << 381) - 1)
    if flags not in (0b100, 0b101):
        raise EncodingError("the point has wrong flags")
    if x >= MODULUS:
        raise EncodingError("the point's x is not below p")
    try:
        point = curve.decode(data)
    except ValueError as error:
        raise EncodingError("the point lies off the curve or outside the subgroup") from error
    if curve.encode(point) != data:
        raise EncodingError("the point is not in canonical form")
    return point


def decode_point(data: bytes, *, allow_identity: bool = False, on: Engine | None = None) -> Point:
    """Decode a point of 48 bytes, by protocol section 1, to a value of `on` (by default `engine()`).

    Raises EncodingError for another length, wrong flags, x >= p, a point off the curve or outside
    the subgroup, and for the identity unless it is allowed. Decoded points are cached.
    """
    if len(data) != POINT_BYTES:
        raise EncodingError(f"a point has {POINT_BYTES} bytes, not {len(data)}")
    if data == _INFINITY and not allow_identity:
        raise EncodingError("the point must not be the identity")
    return _decode(on or engine(), bytes(data))


def encode_point(point: Point, *, on: Engine | None = None) -> bytes:
    """The 48 bytes of a point of `on` (by default `engine()`)."""
    return (on or engine()).encode(point)


def decode_scalar(data: bytes) -> int:
    """The scalar of 32 big-endian bytes; EncodingError for another length or a value of q or more."""
    if len(data) != SCALAR_BYTES:
        raise EncodingError(f"a scalar has {SCALAR_BYTES} bytes, not {len(data)}")
    value = int.from_bytes(data, "big")
    if value >= ORDER:
        raise EncodingError("a scalar must be below q")
    return value


def encode_scalar(value: int) -> bytes:
    """32 big-endian bytes of `value` mod q."""
    return (value % ORDER).to_bytes(SCALAR_BYTES, "big")


@cache
def _gen(curve: Engine, name: str) -> Point:
    return curve.hash_to_curve(name.encode(), DST)


def gen(name: str, *, on: Engine | None = None) -> Point:
    """gen(name) = hash_to_curve(name) under the protocol's tag (section 3)."""
    return _gen(on or engine(), name)


def H(*, on: Engine | None = None) -> Point:
    """H = gen("blind"), the generator that blindings multiply."""
    return gen("blind", on=on)


def A(k: int, *, on: Engine | None = None) -> Point:
    """A_k, k = 0..6, the generator that entry k of a card's vector multiplies."""
    return gen("card/" + VECTOR[k], on=on)


def G(i: int, *, on: Engine | None = None) -> Point:
    """G_i = gen("slot/i"), the generator that entry i of a committed list multiplies."""
    return gen(f"slot/{i}", on=on)


_TRAIT = re.compile(r"[A-Za-z0-9]{1,20}")


def U(*, on: Engine | None = None) -> Point:
    """U = gen("lock"), the generator that the key of a lock multiplies (protocol section 20.3)."""
    return gen("lock", on=on)


def B(trait: str, *, on: Engine | None = None) -> Point:
    """B_t = gen("trait/t"), the generator of a trait of cards (protocol section 20.3).

    Raises ValueError unless the name is 1 to 20 of A-Z, a-z, 0-9.
    """
    if not _TRAIT.fullmatch(trait):
        raise ValueError("the name of a trait is 1 to 20 letters and digits")
    return gen("trait/" + trait, on=on)


def commit(values: Sequence[int], blinding: int, *, on: Engine | None = None) -> bytes:
    """The commitment Com(v; r) = sum_i v_i G_i + r H, for i from 0 (protocol section 3), in 48 bytes.

    It is computed on `on`, by default `prover()`, since most committed values are secret.
    """
    curve = on or prover()
    points = [*(G(i, on=curve) for i in range(len(values))), H(on=curve)]
    return made(curve.msm(points, [*values, blinding]), on=curve)


_MOST_NET = 99
"""The most of one category that a card provides or costs."""


@cache
def _shifted(curve: Engine, k: int) -> tuple[Point, ...]:
    """A_k, 2 A_k, ..., 199 A_k: (n + 100) A_k for every entry n from -99 to 99."""
    base = A(k, on=curve)
    return tuple(accumulate([base] * (2 * _MOST_NET + 1), curve.add))


@cache
def _shift(curve: Engine) -> Point:
    """-100 (A_1 + ... + A_6)."""
    total = curve.identity
    for k in range(1, len(VECTOR)):
        total = curve.add(total, _shifted(curve, k)[_MOST_NET])
    return curve.neg(total)


def _entry(curve: Engine, k: int, value: int) -> Point:
    if abs(value) <= _MOST_NET:
        return _shifted(curve, k)[value + _MOST_NET]
    return curve.mul(A(k, on=curve), value + _MOST_NET + 1)


def card_point(vector: Sequence[int], blinding: int, *, on: Engine | None = None) -> bytes:
    """The commitment Card(a; r) = sum_k a_k A_k + r H to a card's 7 entries (protocol section 4).

    It is computed on `on`, by default `prover()`. Every entry, zero or not, takes one look-up and one
    addition of a point that is not the identity. A multi-scalar product would skip the zeros, and its
    time would betray the kind of card. Raises ValueError unless there are 7 entries.
    """
    if len(vector) != len(VECTOR):
        raise ValueError(f"a card's vector has {len(VECTOR)} entries, not {len(vector)}")
    curve = on or prover()
    number, *entries = vector
    total = curve.add(curve.mul(H(on=curve), blinding), curve.mul(A(0, on=curve), number))
    for k, value in enumerate(entries, 1):
        total = curve.add(total, _entry(curve, k, value))
    return made(curve.add(total, _shift(curve)), on=curve)


def split(proof: bytes, points: int, scalars: int) -> tuple[list[bytes], list[int]]:
    """Split a proof into `points` points (still encoded) and the `scalars` scalars that follow them.

    Raises EncodingError for another length and for a scalar of q or more.
    """
    end = POINT_BYTES * points
    if len(proof) != end + SCALAR_BYTES * scalars:
        raise EncodingError(f"the proof has {len(proof)} bytes where {end + SCALAR_BYTES * scalars} belong")
    return (
        [proof[at : at + POINT_BYTES] for at in range(0, end, POINT_BYTES)],
        [decode_scalar(proof[at : at + SCALAR_BYTES]) for at in range(end, len(proof), SCALAR_BYTES)],
    )
