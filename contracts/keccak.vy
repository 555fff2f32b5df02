# pragma version 0.4.3
"""
@title TupleHash256 (NIST SP 800-185) under the labels of the protocol
@notice A state is the 25 lanes of Keccak, lane x, y at index x + 5 y. What is hashed behind the label's block is
        the tuple's parts, each behind its `head`, then TAIL (docs/protocol.md, section 2).
"""

LANE: constant(uint256) = 2**64 - 1
TWICE: constant(uint256) = 2**64 + 1
BYTES: constant(uint256) = 450552876409790643671482431940419874915447411150352389258589821042463539455
PAIRS: constant(uint256) = 1766820105243087041267848467410591083712559083657179364930612997358944255
FOURS: constant(uint256) = 26959946660873538060741835960174461801791452538186943042387869433855
BLOCK: constant(uint256) = 136
MOST: constant(uint256) = 8704
TAIL: constant(Bytes[3]) = x"020002"
ZEROS: constant(Bytes[136]) = x"00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
PADDING: constant(Bytes[136]) = x"04000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
# constants: constants
ROUNDS: constant(uint256[24]) = [
    1,
    32898,
    9223372036854808714,
    9223372039002292224,
    32907,
    2147483649,
    9223372039002292353,
    9223372036854808585,
    138,
    136,
    2147516425,
    2147483658,
    2147516555,
    9223372036854775947,
    9223372036854808713,
    9223372036854808579,
    9223372036854808578,
    9223372036854775936,
    32778,
    9223372039002259466,
    9223372039002292353,
    9223372036854808704,
    2147483649,
    9223372039002292232,
]
# end


@internal
@pure
def permute(start: uint256[25]) -> uint256[25]:
    """
    @notice Keccak-f[1600].
    """
    a: uint256[25] = start
    # constants: rounds
    for constant_: uint256 in ROUNDS:
        c0: uint256 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20]
        c1: uint256 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21]
        c2: uint256 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22]
        c3: uint256 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23]
        c4: uint256 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24]
        d0: uint256 = c4 ^ ((unsafe_mul(c1, TWICE) >> 63) & LANE)
        d1: uint256 = c0 ^ ((unsafe_mul(c2, TWICE) >> 63) & LANE)
        d2: uint256 = c1 ^ ((unsafe_mul(c3, TWICE) >> 63) & LANE)
        d3: uint256 = c2 ^ ((unsafe_mul(c4, TWICE) >> 63) & LANE)
        d4: uint256 = c3 ^ ((unsafe_mul(c0, TWICE) >> 63) & LANE)
        b0: uint256 = a[0] ^ d0
        b10: uint256 = (unsafe_mul(a[1] ^ d1, TWICE) >> 63) & LANE
        b20: uint256 = (unsafe_mul(a[2] ^ d2, TWICE) >> 2) & LANE
        b5: uint256 = (unsafe_mul(a[3] ^ d3, TWICE) >> 36) & LANE
        b15: uint256 = (unsafe_mul(a[4] ^ d4, TWICE) >> 37) & LANE
        b16: uint256 = (unsafe_mul(a[5] ^ d0, TWICE) >> 28) & LANE
        b1: uint256 = (unsafe_mul(a[6] ^ d1, TWICE) >> 20) & LANE
        b11: uint256 = (unsafe_mul(a[7] ^ d2, TWICE) >> 58) & LANE
        b21: uint256 = (unsafe_mul(a[8] ^ d3, TWICE) >> 9) & LANE
        b6: uint256 = (unsafe_mul(a[9] ^ d4, TWICE) >> 44) & LANE
        b7: uint256 = (unsafe_mul(a[10] ^ d0, TWICE) >> 61) & LANE
        b17: uint256 = (unsafe_mul(a[11] ^ d1, TWICE) >> 54) & LANE
        b2: uint256 = (unsafe_mul(a[12] ^ d2, TWICE) >> 21) & LANE
        b12: uint256 = (unsafe_mul(a[13] ^ d3, TWICE) >> 39) & LANE
        b22: uint256 = (unsafe_mul(a[14] ^ d4, TWICE) >> 25) & LANE
        b23: uint256 = (unsafe_mul(a[15] ^ d0, TWICE) >> 23) & LANE
        b8: uint256 = (unsafe_mul(a[16] ^ d1, TWICE) >> 19) & LANE
        b18: uint256 = (unsafe_mul(a[17] ^ d2, TWICE) >> 49) & LANE
        b3: uint256 = (unsafe_mul(a[18] ^ d3, TWICE) >> 43) & LANE
        b13: uint256 = (unsafe_mul(a[19] ^ d4, TWICE) >> 56) & LANE
        b14: uint256 = (unsafe_mul(a[20] ^ d0, TWICE) >> 46) & LANE
        b24: uint256 = (unsafe_mul(a[21] ^ d1, TWICE) >> 62) & LANE
        b9: uint256 = (unsafe_mul(a[22] ^ d2, TWICE) >> 3) & LANE
        b19: uint256 = (unsafe_mul(a[23] ^ d3, TWICE) >> 8) & LANE
        b4: uint256 = (unsafe_mul(a[24] ^ d4, TWICE) >> 50) & LANE
        a[0] = b0 ^ (~b1 & b2) ^ constant_
        a[1] = b1 ^ (~b2 & b3)
        a[2] = b2 ^ (~b3 & b4)
        a[3] = b3 ^ (~b4 & b0)
        a[4] = b4 ^ (~b0 & b1)
        a[5] = b5 ^ (~b6 & b7)
        a[6] = b6 ^ (~b7 & b8)
        a[7] = b7 ^ (~b8 & b9)
        a[8] = b8 ^ (~b9 & b5)
        a[9] = b9 ^ (~b5 & b6)
        a[10] = b10 ^ (~b11 & b12)
        a[11] = b11 ^ (~b12 & b13)
        a[12] = b12 ^ (~b13 & b14)
        a[13] = b13 ^ (~b14 & b10)
        a[14] = b14 ^ (~b10 & b11)
        a[15] = b15 ^ (~b16 & b17)
        a[16] = b16 ^ (~b17 & b18)
        a[17] = b17 ^ (~b18 & b19)
        a[18] = b18 ^ (~b19 & b15)
        a[19] = b19 ^ (~b15 & b16)
        a[20] = b20 ^ (~b21 & b22)
        a[21] = b21 ^ (~b22 & b23)
        a[22] = b22 ^ (~b23 & b24)
        a[23] = b23 ^ (~b24 & b20)
        a[24] = b24 ^ (~b20 & b21)
    # end
    return a


@internal
@pure
def swap(word: uint256) -> uint256:
    """
    @notice Four lanes of eight bytes, each turned around.
    """
    v: uint256 = ((word & BYTES) << 8) | ((word >> 8) & BYTES)
    v = ((v & PAIRS) << 16) | ((v >> 16) & PAIRS)
    return ((v & FOURS) << 32) | ((v >> 32) & FOURS)


@internal
@pure
def absorb(start: uint256[25], data: Bytes[MOST + BLOCK + 1]) -> uint256[25]:
    """
    @notice The state after the whole blocks in `data`.
    """
    a: uint256[25] = start
    at: uint256 = 0
    for _: uint256 in range(unsafe_div(len(data), BLOCK), bound=65):
        for i: uint256 in range(4):
            w: uint256 = self.swap(extract32(data, unsafe_add(at, i << 5), output_type=uint256))
            j: uint256 = i << 2
            a[j] ^= w >> 192
            a[unsafe_add(j, 1)] ^= (w >> 128) & LANE
            a[unsafe_add(j, 2)] ^= (w >> 64) & LANE
            a[unsafe_add(j, 3)] ^= w & LANE
        a[16] ^= self.swap(extract32(data, at + 104, output_type=uint256)) & LANE
        a = self.permute(a)
        at += BLOCK
    return a


@internal
@pure
def finish(start: uint256[25], data: Bytes[MOST]) -> bytes32[2]:
    """
    @notice The hash of 64 bytes, behind the last of the data, which ends in TAIL.
    """
    left: uint256 = BLOCK - len(data) % BLOCK
    a: uint256[25] = empty(uint256[25])
    if left == 1:
        a = self.absorb(start, concat(data, x"84"))
    else:
        a = self.absorb(start, concat(data, slice(PADDING, 0, left - 1), x"80"))
    return [
        convert(self.swap((a[0] << 192) | (a[1] << 128) | (a[2] << 64) | a[3]), bytes32),
        convert(self.swap((a[4] << 192) | (a[5] << 128) | (a[6] << 64) | a[7]), bytes32),
    ]


@internal
@pure
def head(size: uint256) -> Bytes[4]:
    """
    @notice What stands before a part of so many bytes: left_encode of its bits (SP 800-185, section 2.3.1).
    """
    assert size < 2097152, "too long"
    count: uint256 = 1
    if size >= 8192:
        count = 3
    elif size >= 32:
        count = 2
    # How many bytes the number has stands before it.
    word: bytes32 = convert((count << 248) | (size << (251 - 8 * count)), bytes32)
    return convert(slice(word, 0, count + 1), Bytes[4])


@internal
@pure
def begin(label: Bytes[64]) -> uint256[25]:
    """
    @notice The state behind the block that says TupleHash and the label: bytepad of both, 136 bytes.
    """
    first: Bytes[BLOCK] = concat(x"018801485475706c6548617368", self.head(10 + len(label)), x"636c6f6368652f76312f", label)
    a: uint256[25] = empty(uint256[25])
    return self.absorb(a, concat(first, slice(ZEROS, 0, BLOCK - len(first))))
