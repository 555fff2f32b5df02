# pragma version 0.4.3
"""
@title The group G1 of BLS12-381: points, scalars, and one sum of multiples (docs/protocol.md, section 1)
@notice A point comes in 48 bytes, as the record has it, with its y in 48 bytes beside it.
"""

struct Point:
    x_high: uint256
    x_low: uint256
    y_high: uint256
    y_low: uint256

struct Term:
    point: Point
    scalar: uint256

MSM: constant(address) = 0x000000000000000000000000000000000000000C
TERM: constant(uint256) = 160
IDENTITY: constant(bytes32) = keccak256(x"0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000")
# constants: group
Q: constant(uint256) = 52435875175126190479447740508185965837690552500527637822603658699938581184513
POWER: constant(uint256) = 10920338887063814464675503992315976177888879664585288394250266608035967270910
HALF_HIGH: constant(uint256) = 17282741772707453034394598013407712875
HALF_LOW: constant(uint256) = 80617075055843030690312053732876818007934237714091801549733396136033114903893
# end


@internal
@pure
def checked(x: uint256, x_low: uint256, y: uint256, y_low: uint256) -> Point:
    """
    @notice The point of 48 bytes: the upper 16 of x and of y, and the lower 32. The flags and the sign of y are
            checked, and that it is not (0, 0), which is the identity here. All else is for the precompile: that
            both are below p, that the point lies on the curve, and in the subgroup.
    """
    flags: uint256 = x >> 125
    assert flags == 4 or flags == 5, "flags"
    assert (y | y_low) != 0, "identity"
    larger: bool = y > HALF_HIGH or (y == HALF_HIGH and y_low > HALF_LOW)
    assert larger == (flags == 5), "sign"
    return Point(x_high=x & (2**125 - 1), x_low=x_low, y_high=y, y_low=y_low)


@internal
@pure
def scalar(digest: bytes32[2]) -> uint256:
    """
    @notice The challenge in a digest: its integer mod q, which must not be 0.
    """
    found: uint256 = uint256_addmod(
        uint256_mulmod(convert(digest[0], uint256), POWER, Q), convert(digest[1], uint256), Q
    )
    assert found != 0, "challenge"
    return found


@internal
@pure
def weight(x: uint256, proof: bytes32, number: uint256) -> uint256:
    """
    @notice The weight of an equation, by its number, the last challenge and the hash of the whole proof
            (docs/proofs.md, section 6).
    """
    return convert(keccak256(concat(convert(x, bytes32), proof, convert(number, bytes32))), uint256) % Q


@internal
@view
def vanishes(terms: Bytes[TERM * 213]) -> bool:
    """
    @notice Tell whether the sum of the terms is the identity; a point that is none reverts.
    """
    total: Bytes[128] = raw_call(MSM, terms, max_outsize=128, is_static_call=True)
    assert len(total) == 128, "no precompile"
    return keccak256(total) == IDENTITY
