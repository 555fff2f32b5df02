"""Chains, the seed, streams and draws (protocol section 7), and what follows from a match secret (12)."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crypto.certificate import blinding, card_points
from crypto.encoding import i2osp
from crypto.engines import ORDER, Engine
from crypto.fairness import (
    CHAIN_LENGTH,
    Chain,
    Stream,
    booster_stream,
    common_stream,
    draw,
    leads,
    own_stream,
    seed,
)
from crypto.group import card_point
from crypto.secret import Masks, MatchSecret
from tests.crypto.crypto_kit import th

END = bytes(range(64))
CHAIN = Chain(END)


def words(*values: int) -> Stream:
    """A stream of these 8-byte words, one a block."""
    return Stream(lambda i: i2osp(values[i], 8))


def test_a_chain_is_hashed_from_its_end() -> None:
    assert CHAIN.link(CHAIN_LENGTH) == END
    for k in (CHAIN_LENGTH, CHAIN_LENGTH - 1, 500, 3, 2):
        assert CHAIN.link(k - 1) == th("chain", CHAIN.link(k))
    assert CHAIN.anchor == th("chain", CHAIN.link(1))
    for k in (0, -1, CHAIN_LENGTH + 1):
        with pytest.raises(ValueError, match="links 1 to"):
            CHAIN.link(k)
    with pytest.raises(ValueError, match="64 bytes"):
        Chain(bytes(32))


def test_links_lead_back_to_the_newest_known() -> None:
    assert leads(CHAIN.link(1), 1, CHAIN.anchor, 0)
    assert leads(CHAIN.link(7), 7, CHAIN.link(3), 3)
    assert leads(END, CHAIN_LENGTH, CHAIN.anchor, 0)


def test_a_link_out_of_order_is_refused() -> None:
    two, three, other = CHAIN.link(2), CHAIN.link(3), Chain(bytes(64))
    assert not leads(three, 2, CHAIN.link(1), 1)  # the next one too early
    assert not leads(two, 3, CHAIN.link(1), 1)  # an old one for a later deal
    assert not leads(two, 2, two, 2)  # the same again
    assert not leads(two, 2, three, 3)  # backwards
    assert not leads(other.link(2), 2, CHAIN.link(1), 1)
    assert not leads(b"", 2, CHAIN.link(1), 1)
    assert not leads(two[:-1], 2, CHAIN.link(1), 1)
    assert not leads(END, CHAIN_LENGTH + 1, CHAIN.anchor, 0)
    assert not leads(two, 2, CHAIN.anchor, -1)
    flipped = bytes([two[0] ^ 1]) + two[1:]
    assert not leads(flipped, 2, CHAIN.link(1), 1)


def test_a_link_of_another_length_is_refused_even_where_its_hash_is_right() -> None:
    for link in (b"", bytes(63), bytes(65)):
        assert not leads(link, 1, th("chain", link), 0)


def test_there_is_nothing_before_an_anchor() -> None:
    link = bytes(64)
    assert leads(link, 2, th("chain", th("chain", link)), 0)
    assert not leads(link, 1, th("chain", th("chain", link)), -1)


def test_the_seed_takes_all_commitments_and_then_all_first_links() -> None:
    game, e, v = bytes(16), [b"e0", b"e1"], [b"v0", b"v1"]
    assert seed(game, b"house", e, v) == th("seed", game, b"house", b"e0", b"e1", b"v0", b"v1")
    with pytest.raises(ValueError, match="every seat"):
        seed(game, b"house", e, v[:1])


def test_streams_are_the_page_s() -> None:
    z, house, other = bytes(64), b"h" * 64, b"o" * 64

    def own(i: int) -> bytes:
        return th("draw", z, i2osp(3, 2), house, other, b"\x01", i2osp(i, 4))

    def common(i: int) -> bytes:
        return th("draw", z, i2osp(3, 2), house, other, b"", b"\xff", i2osp(i, 4))

    assert read(own_stream(z, 3, house, other, 1), own)
    assert read(common_stream(z, 3, house, [other, b""]), common)
    assert not read(own_stream(z, 3, house, b"", 1), own)
    assert not read(own_stream(z, 3, house, other, 0), own)


def test_the_stream_of_a_booster_is_the_page_s() -> None:
    player, anchor, link, nonce, rules, booster = (bytes([n]) * 16 for n in range(6))

    def page(i: int) -> bytes:
        return th("booster-draw", player, anchor, i2osp(3, 2), link, nonce, rules, booster, i2osp(i, 4))

    assert read(booster_stream(player, anchor, 3, link, nonce, rules, booster), page)


def read(stream: Stream, block: Callable[[int], bytes]) -> bool:
    """Tell whether the stream's first 20 words are those of the blocks, put end to end."""
    data = b"".join(map(block, range(3)))
    return [stream.below(2**64) for _ in range(20)] == [
        int.from_bytes(data[i : i + 8], "big") for i in range(0, 160, 8)
    ]


def test_words_above_the_last_whole_multiple_are_thrown_away() -> None:
    top = 2**64 - 1
    assert words(top, 2**64 - 4, 2**64 - 5).below(6) == (2**64 - 5) % 6
    assert words(top, 5).below(2**63 + 1) == 5
    assert words(2**63 + 1, 2**63).below(2**63 + 1) == 2**63
    assert words(top).below(2**64) == top
    assert words(top).below(2) == 1
    stream = words(9, 10)
    assert (stream.below(1), stream.below(100)) == (0, 10)  # a choice of one takes its word, too
    for n in (0, -1, 2**64 + 1):
        with pytest.raises(ValueError, match="a uniform index needs a bound"):
            words(1).below(n)


def test_a_draw_takes_indices_of_what_is_left() -> None:
    assert draw(words(0, 0, 0), [3, 5, 9], 3) == (3, 5, 9)
    assert draw(words(2, 1, 0), [3, 5, 9], 3) == (9, 5, 3)
    assert draw(words(4, 4), [3, 5, 9], 2) == (5, 3)
    assert draw(words(0, 0), [3, 5], 7) == (3, 5)
    assert draw(words(), [], 4) == ()
    stream = words(1, 0, 1)
    assert draw(stream, [1, 2, 3], 2) + draw(stream, [4, 5], 1) == (2, 1, 5)
    for pool in ([2, 1], [1, 1]):
        with pytest.raises(ValueError, match="must ascend"):
            draw(words(0), pool, 1)
    with pytest.raises(ValueError, match="must be at least 0"):
        draw(words(0), [1, 2, 3], -1)


@given(st.integers(0, 60), st.lists(st.integers(0, 200), unique=True, max_size=40), st.binary(max_size=4))
def test_a_draw_gives_distinct_positions_of_the_pool(count: int, pool: list[int], salt: bytes) -> None:
    stream = own_stream(salt, 1, b"", b"", 0)
    drawn = draw(stream, sorted(pool), count)
    assert len(drawn) == len(set(drawn)) == min(count, len(pool))
    assert set(drawn) <= set(pool)


def test_draws_are_uniform() -> None:
    # 24 outcomes of drawing 3 of 4, 4800 times: chi-square with 23 degrees, 49.7 at 0.1 %. No chance is left.
    seen = Counter(draw(own_stream(i2osp(n, 4), 1, b"h", b"o", 0), range(4), 3) for n in range(4800))
    assert len(seen) == 24
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < 49.7


def test_everything_of_a_match_follows_from_its_secret() -> None:
    w = bytes(range(32))
    own = MatchSecret(w)
    assert own.position_blinding(7) == int.from_bytes(th("position-blinding", w, b"\x07"), "big") % ORDER
    assert own.certificate_seed == th("certificate-seed", w, length=32)
    assert own.chain.link(CHAIN_LENGTH) == th("chain-end", w)
    stream = Stream(lambda i: th("permutation", w, i2osp(i, 4)))
    assert own.permutation == draw(stream, range(40), 40)
    assert sorted(own.permutation) == list(range(40))
    assert MatchSecret(bytes(32)).permutation != own.permutation
    assert w.hex() not in repr(own)
    with pytest.raises(ValueError, match="32 bytes"):
        MatchSecret(bytes(31))


@settings(max_examples=20)
@given(
    st.binary(max_size=9),
    st.binary(max_size=9),
    st.binary(min_size=32, max_size=32),
    st.integers(0, 2**32 - 1),
)
def test_masks_are_the_page_s(ctx: bytes, witness: bytes, fresh: bytes, j: int) -> None:
    w = bytes(32)
    expected = int.from_bytes(th("mask", w, ctx, witness, fresh, i2osp(j, 4)), "big") % ORDER
    assert Masks(w, ctx, witness, fresh).mask(j) == expected


def test_masks_come_in_order_and_never_for_two_statements() -> None:
    one = Masks(bytes(32), b"ctx", b"witness", bytes(32))
    assert one.take(3) == [one.mask(0), one.mask(1), one.mask(2)]
    assert next(one) == one.mask(3)
    others = [
        Masks(b"\x01" * 32, b"ctx", b"witness", bytes(32)),
        Masks(bytes(32), b"ctx2", b"witness", bytes(32)),
        Masks(bytes(32), b"ctx", b"witness2", bytes(32)),
        Masks(bytes(32), b"ctx", b"witness", b"\x01" * 32),
    ]
    assert len({masks.mask(0) for masks in (one, *others)}) == 5
    with pytest.raises(ValueError, match="32 bytes each"):
        Masks(bytes(32), b"", b"", b"")


def test_certified_points_hide_cards_under_the_seed(curve: Engine) -> None:
    c, vectors = bytes(range(32)), [(1001, 0, 1, 0, 0, 0, 0), (1002, 1, -1, 0, 0, 0, 0)]
    points = card_points(c, vectors)
    for j, (point, vector) in enumerate(zip(points, vectors, strict=True)):
        assert blinding(c, j) == int.from_bytes(th("certificate-blinding", c, bytes([j])), "big") % ORDER
        assert point == card_point(vector, blinding(c, j))
    assert set(points).isdisjoint(card_points(bytes(32), vectors))
    with pytest.raises(ValueError, match="32 bytes"):
        card_points(bytes(31), vectors)
