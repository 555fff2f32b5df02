# pragma version 0.4.3
"""
@title Seals: verifies sealed meals (docs/protocol.md, section 8)
@notice `context` and `verify` are `meal.context` and `meal.verify` of the program.
"""

import keccak
import transcript
import group

MOST_CARDS: constant(uint256) = 40
SLOTS: constant(uint256) = 163
POINTS: constant(uint256) = 47
TERMS: constant(uint256) = 213
SCALARS: constant(uint256) = 131
GENERATORS: immutable(address)
# constants: context
MEAL_CONTEXT: constant(uint256[25]) = [
    10772480204530396772,
    15715410822963318621,
    5939273697766699953,
    13269578829579216763,
    16038028571010763279,
    16385714777415229495,
    9178652201634791917,
    13119663037349754768,
    2444354607585344192,
    17707747735922708136,
    4785834771420130814,
    7320776666734633782,
    2518019865740450781,
    2282979107985526460,
    12076029343897740679,
    7299256513528446310,
    5058106684028739804,
    104034454484620504,
    16919760999032400948,
    11819748973664634053,
    15693588525992048318,
    17506904118418084922,
    83387145702098427,
    1773340294275032364,
    62127884042089391,
]
# end


@deploy
def __init__(generators: address):
    GENERATORS = generators


@external
@pure
def context(
    game: bytes16, step: uint32, seat: uint8, key: bytes32, set_digest: bytes32[2], match_deck: bytes32[2], courses: uint8, hand: Bytes[MOST_CARDS]
) -> bytes32[2]:
    """
    @notice The context ctx of a meal: `hand` has the positions, a byte each. Reverts unless they ascend.
    """
    data: Bytes[400] = concat(
        x"0180", game, x"0120", convert(step, bytes4), x"0108", convert(seat, bytes1), x"020100", key,
        x"020200", set_digest[0], set_digest[1], x"020200", match_deck[0], match_deck[1],
        x"0108", convert(courses, bytes1),
    )
    last: uint256 = 0
    for i: uint256 in range(len(hand), bound=MOST_CARDS):
        position: bytes1 = convert(slice(hand, i, 1), bytes1)
        assert i == 0 or convert(position, uint256) > last, "order"
        last = convert(position, uint256)
        data = convert(concat(data, x"0108", position), Bytes[400])
    return keccak.finish(MEAL_CONTEXT, concat(data, keccak.TAIL))


@internal
@pure
def _framed(points: Bytes[48 * POINTS], first: uint256, size: uint256) -> Bytes[51 * POINTS]:
    """
    @notice Points as parts of a tuple: `size` of them from the one with the number `first`.
    """
    data: Bytes[51 * POINTS] = b""
    for i: uint256 in range(first, first + size, bound=POINTS):
        data = convert(concat(data, x"020180", slice(points, 48 * i, 48)), Bytes[51 * POINTS])
    return data


@external
@view
def verify(
    ctx: bytes32[2], hand: Bytes[48 * MOST_CARDS], courses: uint256, seal: Bytes[48], proof: Bytes[48 * 6 + 32 * SCALARS], y: Bytes[48 * POINTS]
) -> bool:
    """
    @notice Tell whether the proof shows that the seal holds a legal meal. Malformed input reverts.
    @param hand The points K_j of the cards in hand.
    @param courses The number of courses, 1 to 3.
    @param y The y's of the points in hand, of the seal and of the proof, in this order.
    """
    m: uint256 = len(hand) // 48
    assert courses >= 1 and courses <= 3, "courses"
    assert len(hand) == 48 * m and len(seal) == 48, "length"
    scalars: uint256 = 48 * (3 + courses)
    assert len(proof) == scalars + 32 * (m * courses + 3 * courses + 2), "length"
    points: Bytes[48 * POINTS] = concat(hand, seal, convert(slice(proof, 0, scalars), Bytes[48 * 6]))
    assert len(y) == len(points), "length"

    t: bytes32[2] = transcript.begin(x"01206d65616c", ctx)
    t = transcript.absorb(t, concat(x"012068616e64", self._framed(points, 0, m)))
    t = transcript.absorb(t, concat(x"01206d65616c", self._framed(points, m, 4 + courses)))
    t = transcript.challenge(t, x"010878")
    x: uint256 = group.scalar(t)
    return self._sum(m, courses, x, points, y, proof, scalars)


@internal
@pure
def _scalar(data: Bytes[48 * 6 + 32 * SCALARS], at: uint256) -> uint256:
    found: uint256 = extract32(data, at, output_type=uint256)
    assert found < group.Q, "scalar"
    return found


@internal
@view
def _sum(
    m: uint256, courses: uint256, x: uint256, points: Bytes[48 * POINTS], y: Bytes[48 * POINTS],
    proof: Bytes[48 * 6 + 32 * SCALARS], scalars: uint256,
) -> bool:
    """
    @notice Tell whether M1, M2 and M3 of each course hold, in one sum with a weight for each.
    """
    generators: Bytes[128 * (3 + SLOTS)] = slice(GENERATORS.code, 1, 128 * (3 + SLOTS))
    terms: group.Term[TERMS] = empty(group.Term[TERMS])
    slots: uint256 = m * (courses + 1) + courses
    known: uint256 = 3 + slots
    at: uint256 = 0
    for i: uint256 in range(known, bound=3 + SLOTS):
        terms[i].point = group.Point(
            x_high=extract32(generators, at, output_type=uint256),
            x_low=extract32(generators, at + 32, output_type=uint256),
            y_high=extract32(generators, at + 64, output_type=uint256),
            y_low=extract32(generators, at + 96, output_type=uint256),
        )
        at += 128
    # The points: K_j, then B, A, Q, S, W_c.
    at = 0
    for i: uint256 in range(m + 4 + courses, bound=POINTS):
        terms[known + i].point = group.checked(
            convert(extract32(points, at), uint256) >> 128, extract32(points, at + 16, output_type=uint256),
            convert(extract32(y, at), uint256) >> 128, extract32(y, at + 16, output_type=uint256),
        )
        at += 48

    digest: bytes32 = keccak256(proof)
    second: uint256 = group.weight(x, digest, 2)
    weights: uint256[3] = [group.weight(x, digest, 3), group.weight(x, digest, 4), group.weight(x, digest, 5)]
    minus_x: uint256 = group.Q - x
    # Each f_{j,c}, c >= 1, stands in the proof; f_{j,0} is x less the others. In M1 and M2 a slot has
    # -f + w f (f - x), and in M3 the card K_j has the sum of the w_c f_{j,c}.
    at = scalars
    slot: uint256 = 3
    for j: uint256 in range(m, bound=MOST_CARDS):
        rest: uint256 = x
        carried: uint256 = 0
        for c: uint256 in range(courses, bound=3):
            f: uint256 = self._scalar(proof, at)
            at += 32
            rest = uint256_addmod(rest, group.Q - f, group.Q)
            carried = uint256_addmod(carried, uint256_mulmod(weights[c], f, group.Q), group.Q)
            terms[slot + 1 + c].scalar = self._slot(f, minus_x, second)
        terms[slot].scalar = self._slot(rest, minus_x, second)
        terms[known + j].scalar = carried
        slot += courses + 1
    recipes: uint256 = at
    for c: uint256 in range(courses, bound=3):
        terms[slot + c].scalar = self._slot(self._scalar(proof, at), minus_x, second)
        at += 32
    # (M1) x B + A = Com(f; z_A), (M2) x Q + S = Com(f (x - f); z_Q)
    blind: uint256 = uint256_addmod(
        self._scalar(proof, at), uint256_mulmod(second, self._scalar(proof, at + 32), group.Q), group.Q
    )
    at += 64
    own: uint256 = known + m
    terms[own].scalar = x
    terms[own + 1].scalar = 1
    terms[own + 2].scalar = uint256_mulmod(second, x, group.Q)
    terms[own + 3].scalar = second
    # (M3) for each c: sum_j f_{j,c} K_j - n_c A_0 - f_{g_c} A_1 - k_c H = W_c
    number: uint256 = 0
    recipe: uint256 = 0
    for c: uint256 in range(courses, bound=3):
        w: uint256 = weights[c]
        number = uint256_addmod(number, uint256_mulmod(w, self._scalar(proof, at), group.Q), group.Q)
        recipe = uint256_addmod(recipe, uint256_mulmod(w, self._scalar(proof, recipes + 32 * c), group.Q), group.Q)
        blind = uint256_addmod(blind, uint256_mulmod(w, self._scalar(proof, at + 32), group.Q), group.Q)
        terms[own + 4 + c].scalar = group.Q - w
        at += 64
    terms[0].scalar = group.Q - blind
    terms[1].scalar = group.Q - number
    terms[2].scalar = group.Q - recipe
    return group.vanishes(slice(abi_encode(terms), 0, 160 * (own + 4 + courses)))


@internal
@pure
def _slot(f: uint256, minus_x: uint256, w: uint256) -> uint256:
    """
    @notice -f + w f (f - x).
    """
    return uint256_mulmod(
        f, uint256_addmod(uint256_mulmod(w, unsafe_add(f, minus_x), group.Q), group.Q - 1, group.Q), group.Q
    )
