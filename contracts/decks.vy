# pragma version 0.4.3
"""
@title Decks: verifies match decks (docs/protocol.md, section 6)
@notice `verify` is the program's `shuffle.verify`.
"""

import transcript
import group

MOST: constant(uint256) = 40
POINTS: constant(uint256) = 87
TERMS: constant(uint256) = 128
PROOF: constant(uint256) = 48 * 7 + 32 * 122
GENERATORS: immutable(address)


@deploy
def __init__(generators: address):
    GENERATORS = generators


@internal
@pure
def _framed(points: Bytes[48 * POINTS], first: uint256, size: uint256) -> Bytes[51 * 80]:
    """
    @notice Points as parts of a tuple: `size` of them from the one with the number `first`.
    """
    data: Bytes[51 * 80] = b""
    for i: uint256 in range(first, first + size, bound=80):
        data = convert(concat(data, x"020180", slice(points, 48 * i, 48)), Bytes[51 * 80])
    return data


@external
@view
def verify(
    ctx: bytes32[2], before: Bytes[48 * MOST], after: Bytes[48 * MOST], proof: Bytes[PROOF], y: Bytes[48 * POINTS]
) -> bool:
    """
    @notice Tell whether the proof shows that the points `after` (K) are those `before` (D), shuffled. Malformed input
            reverts.
    @param y The y's of D, K and of the points of the proof, in this order.
    """
    n: uint256 = len(before) // 48
    assert n >= 2 and len(before) == 48 * n and len(after) == 48 * n, "length"
    assert len(proof) == 48 * 7 + 32 * (3 * n + 2), "length"
    points: Bytes[48 * POINTS] = concat(before, after, slice(proof, 0, 48 * 7))
    assert len(y) == len(points), "length"

    t: bytes32[2] = transcript.begin(x"013873687566666c65", ctx)
    t = transcript.absorb(t, concat(x"014873746174656d656e74", self._framed(points, 0, 2 * n)))
    t = transcript.absorb(t, concat(x"01587065726d75746174696f6e", self._framed(points, 2 * n, 1)))
    t = transcript.challenge(t, x"010879")
    challenges: uint256[4] = [group.scalar(t), 0, 0, 0]
    t = transcript.absorb(t, concat(x"0130706f77657273", self._framed(points, 2 * n + 1, 3)))
    t = transcript.challenge(t, x"01306c616d626461")
    challenges[1] = group.scalar(t)
    t = transcript.challenge(t, x"01087a")
    challenges[2] = group.scalar(t)
    t = transcript.absorb(t, concat(x"013870726f64756374", self._framed(points, 2 * n + 4, 3)))
    t = transcript.challenge(t, x"010878")
    challenges[3] = group.scalar(t)
    return self._sum(n, challenges, points, y, proof)


@internal
@pure
def _scalar(data: Bytes[PROOF], at: uint256) -> uint256:
    found: uint256 = extract32(data, at, output_type=uint256)
    assert found < group.Q, "scalar"
    return found


@internal
@view
def _sum(
    n: uint256, challenges: uint256[4], points: Bytes[48 * POINTS], ys: Bytes[48 * POINTS], proof: Bytes[PROOF]
) -> bool:
    """
    @notice Tell whether S1, S2, S3 and S4 hold, in one sum with a weight for each.
    """
    generators: Bytes[128 * (3 + MOST)] = slice(GENERATORS.code, 1, 128 * (3 + MOST))
    terms: group.Term[TERMS] = empty(group.Term[TERMS])
    # H, and behind A_0 and A_1 the G_i
    at: uint256 = 0
    for i: uint256 in range(n + 1, bound=1 + MOST):
        terms[i].point = group.Point(
            x_high=extract32(generators, at, output_type=uint256),
            x_low=extract32(generators, at + 32, output_type=uint256),
            y_high=extract32(generators, at + 64, output_type=uint256),
            y_low=extract32(generators, at + 96, output_type=uint256),
        )
        at += 128 if i > 0 else 384
    # The points: D, K, then c1 c2 c3 E c_d c_delta c_Delta.
    at = 0
    for i: uint256 in range(2 * n + 7, bound=POINTS):
        terms[1 + n + i].point = group.checked(
            convert(extract32(points, at), uint256) >> 128, extract32(points, at + 16, output_type=uint256),
            convert(extract32(ys, at), uint256) >> 128, extract32(ys, at + 16, output_type=uint256),
        )
        at += 48

    y: uint256 = challenges[0]
    lam: uint256 = challenges[1]
    z: uint256 = challenges[2]
    x: uint256 = challenges[3]
    digest: bytes32 = keccak256(proof)
    second: uint256 = group.weight(x, digest, 2)
    third: uint256 = group.weight(x, digest, 3)
    fourth: uint256 = group.weight(x, digest, 4)

    # The scalars f_0 .. f_{n-1} z_f z_t u_0 .. u_{n-1} z_u b_1 .. b_{n-2} z_s
    f_at: uint256 = 48 * 7
    u_at: uint256 = f_at + 32 * (n + 2)
    b_at: uint256 = u_at + 32 * n
    power: uint256 = 1
    product: uint256 = 1
    line: uint256 = 0
    minus_z: uint256 = group.Q - z
    second_x: uint256 = group.Q - uint256_mulmod(second, x, group.Q)
    xz: uint256 = uint256_mulmod(x, z, group.Q)
    for i: uint256 in range(n, bound=MOST):
        f: uint256 = self._scalar(proof, f_at + 32 * i)
        # (S1) x c2 + c3 = Com(f; z_f), (S3) x c + c_d = Com(u; z_u), c = lam c1 + c2 - z sum_i G_i
        u: uint256 = self._scalar(proof, u_at + 32 * i)
        terms[1 + i].scalar = uint256_addmod(f, uint256_mulmod(third, unsafe_add(u, xz), group.Q), group.Q)
        # (S2) sum_i f_i K_i + z_t H = x sum_j y^(j+1) D_j + E
        power = uint256_mulmod(power, y, group.Q)
        terms[1 + n + i].scalar = uint256_mulmod(second_x, power, group.Q)
        terms[1 + 2 * n + i].scalar = uint256_mulmod(second, f, group.Q)
        # P = prod_{j=1..n} (lam j + y^j - z)
        line = uint256_addmod(line, lam, group.Q)
        product = uint256_mulmod(product, uint256_addmod(line, unsafe_add(power, minus_z), group.Q), group.Q)
    # (S4) x c_Delta + c_delta = Com(x b_i - b_{i-1} u_i, i = 1..n-1; z_s), b_0 = u_0, b_{n-1} = x P
    last: uint256 = self._scalar(proof, u_at)
    for i: uint256 in range(1, n, bound=MOST):
        u: uint256 = self._scalar(proof, u_at + 32 * i)
        b: uint256 = uint256_mulmod(x, product, group.Q)
        if i != n - 1:
            b = self._scalar(proof, b_at + 32 * i)
        entry: uint256 = uint256_addmod(
            uint256_mulmod(x, b, group.Q), group.Q - uint256_mulmod(last, u, group.Q), group.Q
        )
        terms[i].scalar = uint256_addmod(terms[i].scalar, uint256_mulmod(fourth, entry, group.Q), group.Q)
        last = b
    # So far the G_i are those of the right sides.
    for i: uint256 in range(n, bound=MOST):
        terms[1 + i].scalar = group.Q - terms[1 + i].scalar

    blind: uint256 = uint256_addmod(
        self._scalar(proof, u_at - 64),
        group.Q - uint256_mulmod(second, self._scalar(proof, u_at - 32), group.Q),
        group.Q,
    )
    blind = uint256_addmod(blind, uint256_mulmod(third, self._scalar(proof, b_at), group.Q), group.Q)
    blind = uint256_addmod(
        blind, uint256_mulmod(fourth, self._scalar(proof, b_at + 32 * (n - 1)), group.Q), group.Q
    )
    terms[0].scalar = group.Q - blind
    own: uint256 = 1 + 3 * n
    third_x: uint256 = uint256_mulmod(third, x, group.Q)
    terms[own].scalar = uint256_mulmod(third_x, lam, group.Q)
    terms[own + 1].scalar = uint256_addmod(x, third_x, group.Q)
    terms[own + 2].scalar = 1
    terms[own + 3].scalar = group.Q - second
    terms[own + 4].scalar = third
    terms[own + 5].scalar = fourth
    terms[own + 6].scalar = uint256_mulmod(fourth, x, group.Q)
    return group.vanishes(slice(abi_encode(terms), 0, 160 * (own + 7)))
