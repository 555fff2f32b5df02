"""Randomness that nobody can steer: hash chains, the seed, streams and draws (protocol section 7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

from crypto.encoding import i2osp
from crypto.transcript import tuple_hash

CHAIN_LENGTH = 1024
"""N: the number of links in a chain, which is the largest number of deals in a game."""
LINK_BYTES = 64
COMMON = 255
"""The value that replaces a seat's number in the stream of a common pack."""

_WORD_BYTES = 8
_WORDS = 2**64


def _hash_back(link: bytes) -> bytes:
    # v_{k-1} = TH("chain"; v_k)
    return tuple_hash("chain", link)


class Chain:
    """One party's hash chain in one game: the secret links v_N, ..., v_1 and the public anchor v_0."""

    def __init__(self, end: bytes) -> None:
        """`end` is v_N, 64 secret bytes; ValueError for another length."""
        if len(end) != LINK_BYTES:
            raise ValueError(f"a link has {LINK_BYTES} bytes, not {len(end)}")
        self._end = end

    @cached_property
    def _links(self) -> tuple[bytes, ...]:
        """v_0, ..., v_N: a thousand hashes, which many users of a chain never need."""
        links = [self._end]
        for _ in range(CHAIN_LENGTH):
            links.append(_hash_back(links[-1]))
        return tuple(reversed(links))

    @property
    def anchor(self) -> bytes:
        """v_0, which its owner publishes before the game begins."""
        return self._links[0]

    def link(self, k: int) -> bytes:
        """v_k, the link of deal k = 1..N; ValueError for another k."""
        if not 1 <= k <= CHAIN_LENGTH:
            raise ValueError(f"a chain has links 1 to {CHAIN_LENGTH}, not {k}")
        return self._links[k]


def leads(link: bytes, k: int, known: bytes, j: int) -> bool:
    """Tell whether `link` is v_k of the chain whose newest known link is v_j = `known` (j = 0: the anchor).

    A valid link has 64 bytes, j < k <= N, and hashing it k - j times gives `known`.
    """
    if len(link) != LINK_BYTES or not 0 <= j < k <= CHAIN_LENGTH:
        return False
    for _ in range(k - j):
        link = _hash_back(link)
    return link == known


def seed(
    game: bytes, house_anchor: bytes, commitments: Sequence[bytes], first_links: Sequence[bytes]
) -> bytes:
    """z, the seed of all draws in a game.

    Parameters: the game id (16 bytes), the house's anchor, and for every seat in order its commitment
    e_i and its first link. e_i is the match-deck digest, or the seat's anchor in a game with a common
    pack. Raises ValueError for lists of unequal length.
    """
    if len(commitments) != len(first_links):
        raise ValueError("every seat needs a commitment and a first link")
    return tuple_hash("seed", game, house_anchor, *commitments, *first_links)


class Stream:
    """A stream of random bytes, made block by block and read as 8-byte big-endian words."""

    def __init__(self, block: Callable[[int], bytes]) -> None:
        """`block(i)` returns the i-th block, i = 0, 1, ...; its length is a multiple of 8 bytes."""
        self._block = block
        self._next_block = 0
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            data = self._block(self._next_block)
            self._next_block += 1
            words = [
                int.from_bytes(data[at : at + _WORD_BYTES], "big") for at in range(0, len(data), _WORD_BYTES)
            ]
            self._words = words[::-1]
        return self._words.pop()

    def below(self, n: int) -> int:
        """A uniform index 0..n-1: the first word below n * floor(2^64 / n), mod n.

        Raises ValueError unless 1 <= n <= 2^64.
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"a uniform index needs a bound of 1 to 2^64, not {n}")
        limit = n * (_WORDS // n)
        while (word := self._word()) >= limit:
            pass
        return word % n


def own_stream(z: bytes, deal: int, house_link: bytes, other_link: bytes, seat: int) -> Stream:
    """The stream of `seat` in a deal of own decks; `other_link` is empty if the other seat sent none."""
    # TH("draw"; z, I2OSP(k,2), house link k, the other seat's link or empty, I2OSP(s,1), I2OSP(i,4))
    return Stream(
        lambda i: tuple_hash("draw", z, i2osp(deal, 2), house_link, other_link, i2osp(seat, 1), i2osp(i, 4))
    )


def common_stream(z: bytes, deal: int, house_link: bytes, links: Sequence[bytes]) -> Stream:
    """The stream of a deal of a common pack; `links` has every seat's link, empty if the seat sent none."""
    # TH("draw"; z, I2OSP(k,2), house link k, link of seat 0 or empty, ..., I2OSP(255,1), I2OSP(i,4))
    return Stream(
        lambda i: tuple_hash("draw", z, i2osp(deal, 2), house_link, *links, i2osp(COMMON, 1), i2osp(i, 4))
    )


def booster_stream(
    player: bytes, anchor: bytes, k: int, link: bytes, nonce: bytes, rules: bytes, booster: bytes
) -> Stream:
    """The stream of one booster (docs/boosters.md), from the house's link k and the player's nonce.

    Parameters: the player's id (16 bytes), the anchor of the house's chain for this player, the chain's
    link k, the nonce (32 bytes), the digest of the rules (64 bytes) and the booster's id (16 bytes).
    """
    # TH("booster-draw"; player, anchor, I2OSP(k,2), link k, nonce, rules, booster, I2OSP(i,4))
    parts = (player, anchor, i2osp(k, 2), link, nonce, rules, booster)
    return Stream(lambda i: tuple_hash("booster-draw", *parts, i2osp(i, 4)))


def draw(stream: Stream, pool: Sequence[int], count: int) -> tuple[int, ...]:
    """Draw `count` positions from `pool`, or all of it if it has fewer; return them in the order drawn.

    Raises ValueError unless `pool` holds distinct positions in ascending order and `count` is 0 or more.
    """
    left = list(pool)
    if any(low >= high for low, high in pairwise(left)) or count < 0:
        raise ValueError("a pool must ascend, and the number of cards to draw must be at least 0")
    return tuple(left.pop(stream.below(len(left))) for _ in range(min(count, len(left))))
