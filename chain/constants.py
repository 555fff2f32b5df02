"""The constants in the contracts' sources, and the contract of the generators.

Sections between `# constants: NAME` and `# end` in `contracts/*.vy` are written here, by
`python contracts/build.py`. Vyper takes no integers in hexadecimal, so they are decimal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count, islice

from chain.points import coordinates
from crypto.edwards import L
from crypto.engines import MODULUS, ORDER
from crypto.group import A, G, H, encode_point
from crypto.identity import P

SLOTS = 163
"""The generators G_i in the data: those of 40 cards in hand and three courses."""
_LANE = (1 << 64) - 1
_SECTION = re.compile(r"(?<=# constants: )(?P<name>[a-z]+)\n.*?(?P<indent> *)(?=# end)", re.DOTALL)

State = tuple[int, ...]
"""The 25 lanes of Keccak, lane x, y at index x + 5 y."""


def _rotations() -> dict[int, int]:
    """By how much the step rho of Keccak rotates each lane (FIPS 202, section 3.2.2)."""
    found, (x, y) = {0: 0}, (1, 0)
    for t in range(24):
        found[x + 5 * y] = (t + 1) * (t + 2) // 2 % 64
        x, y = y, (2 * x + 3 * y) % 5
    return found


def _round_constants() -> list[int]:
    """The constants of the step iota (FIPS 202, section 3.2.5)."""
    found, register = [], 1
    for _ in range(24):
        constant = 0
        for j in range(7):
            constant |= (register & 1) << ((1 << j) - 1)
            register <<= 1
            register ^= 0x171 * (register >> 8)
        found.append(constant)
    return found


def _moved(index: int) -> int:
    """Where the step pi of Keccak puts a lane."""
    x, y = index % 5, index // 5
    return y + 5 * ((2 * x + 3 * y) % 5)


def permute(state: Sequence[int]) -> State:
    """Keccak-f[1600]."""
    a, rotations = list(state), _rotations()
    for constant in _round_constants():
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        d = [c[x - 1] ^ _rotated(c[(x + 1) % 5], 1) for x in range(5)]
        b = [0] * 25
        for i in range(25):
            b[_moved(i)] = _rotated(a[i] ^ d[i % 5], rotations[i])
        a = [b[i] ^ (~b[_beside(i, 1)] & b[_beside(i, 2)]) & _LANE for i in range(25)]
        a[0] ^= constant
    return tuple(a)


def _rotated(lane: int, by: int) -> int:
    return (lane << by | lane >> (64 - by)) & _LANE


def _beside(index: int, by: int) -> int:
    """The lane `by` to the right, in the same row."""
    return (index + by) % 5 + index // 5 * 5


def after_label(label: str) -> State:
    """The state of TH behind its first block, of TupleHash and the label (SP 800-185, section 3.3)."""
    custom = b"cloche/v1/" + label.encode()
    block = b"\x01\x88" + b"\x01\x48TupleHash" + bytes([1, 8 * len(custom)]) + custom
    lanes = [int.from_bytes(block.ljust(200, b"\0")[i : i + 8], "little") for i in range(0, 200, 8)]
    return permute(lanes)


def _named(name: str, value: int) -> str:
    return f"{name}: constant(uint256) = {value}"


def _listed(name: str, values: Sequence[int]) -> Iterator[str]:
    yield f"{name}: constant(uint256[{len(values)}]) = ["
    yield from (f"    {value}," for value in values)
    yield "]"


def _rounds() -> Iterator[str]:
    """The loop of Keccak-f, unrolled over the lanes.

    A lane times 2^64 + 1 stands twice, so a shift rotates it.
    """
    rotations, lanes = _rotations(), [f"a[{i}]" for i in range(25)]
    yield "    for constant_: uint256 in ROUNDS:"
    for x in range(5):
        yield f"        c{x}: uint256 = " + " ^ ".join(lanes[x::5])
    for x in range(5):
        turned = f"(unsafe_mul(c{(x + 1) % 5}, TWICE) >> 63) & LANE"
        yield f"        d{x}: uint256 = c{(x - 1) % 5} ^ ({turned})"
    for i in range(25):
        source = f"{lanes[i]} ^ d{i % 5}"
        if rotations[i]:
            source = f"(unsafe_mul({source}, TWICE) >> {64 - rotations[i]}) & LANE"
        yield f"        b{_moved(i)}: uint256 = {source}"
    for i in range(25):
        last = " ^ constant_" if i == 0 else ""
        yield f"        {lanes[i]} = b{i} ^ (~b{_beside(i, 1)} & b{_beside(i, 2)}){last}"


def _labels(*labels: str) -> Iterator[str]:
    for label in labels:
        yield from _listed(label.upper().replace("-", "_"), after_label(label))


def _primes() -> Iterator[int]:
    return (n for n in count(2) if all(n % d for d in range(2, n)))


def _root(n: int, k: int) -> int:
    """The integer part of the k-th root."""
    low, high = 0, 1 << (n.bit_length() // k + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**k <= n else (low, middle)
    return low


def sha512_constants() -> tuple[list[int], list[int]]:
    """H(0) and K of SHA-512 (FIPS 180-4, sections 5.3.5 and 4.2.3): roots of primes, behind the point."""
    primes = list(islice(_primes(), 80))
    return [_root(p << 128, 2) & _LANE for p in primes[:8]], [_root(p << 192, 3) & _LANE for p in primes]


def _hash() -> Iterator[str]:
    start, k = sha512_constants()
    yield from _listed("START", start)
    yield from _listed("K", k)


D = -121665 * pow(121666, -1, P) % P
"""The constant of the curve edwards25519 (RFC 8032, section 5.1)."""


def base_point() -> tuple[int, int]:
    """The base point of edwards25519: y is 4/5, and x is even."""
    y = 4 * pow(5, -1, P) % P
    return recover_x(y, 0), y


def recover_x(y: int, odd: int) -> int:
    """The x of a point of edwards25519 (RFC 8032, section 5.1.3); ValueError if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and odd):
        raise ValueError("the bytes are no point of the curve")
    return P - x if x & 1 != odd else x


def _curve() -> Iterator[str]:
    x, y = base_point()
    for name, value in (
        ("P", P),
        ("L", L),
        ("D", D),
        ("TWICE_D", 2 * D % P),
        ("BASE_X", x),
        ("BASE_Y", y),
        ("BASE_E", D * x * y % P),
        ("BASE_SUM", (y + x) % P),
        ("BASE_DIFFERENCE", (y - x) % P),
        ("BASE_PRODUCT", 2 * D * x * y % P),
        ("POWER", (1 << 256) % L),
    ):
        yield _named(name, value)


def _group() -> Iterator[str]:
    half = (MODULUS - 1) // 2
    yield _named("Q", ORDER)
    yield _named("POWER", (1 << 256) % ORDER)
    yield _named("HALF_HIGH", half >> 256)
    yield _named("HALF_LOW", half % (1 << 256))


SECTIONS: dict[str, Callable[[], Iterator[str]]] = {
    "constants": lambda: _listed("ROUNDS", _round_constants()),
    "rounds": _rounds,
    "labels": lambda: _labels("transcript", "absorb", "challenge"),
    "context": lambda: _labels("meal-context"),
    "hash": _hash,
    "curve": _curve,
    "group": _group,
}


def written(source: str) -> str:
    """A contract's source with its sections of constants written anew."""

    def section(found: re.Match[str]) -> str:
        return "\n".join([found["name"], *SECTIONS[found["name"]]()]) + "\n" + found["indent"]

    return _SECTION.sub(section, source)


def generator_data() -> bytes:
    """The code of the contract of the generators: a zero byte, then H, A_0, A_1, G_0 ... G_162.

    A point is x and y, 64 bytes each, big-endian: the form of the precompiles (EIP-2537). The zero byte is
    the instruction STOP, so that a call does nothing.
    """
    points = [H(), A(0), A(1), *(G(i) for i in range(SLOTS))]
    return b"\0" + b"".join(
        b"".join(n.to_bytes(64, "big") for n in coordinates(encode_point(p))) for p in points
    )


def generator_bytecode() -> bytes:
    """The code that deploys the contract of the generators."""
    data = generator_data()
    # PUSH2 size, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN: 10 bytes, behind which the data begins.
    return bytes.fromhex("61") + len(data).to_bytes(2, "big") + bytes.fromhex("80600a5f395ff3") + data
