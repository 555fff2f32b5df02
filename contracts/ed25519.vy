# pragma version 0.4.3
"""
@title Ed25519 over digests of 64 bytes, as strict as docs/protocol.md, section 10.1
@notice The caller brings three hints, which are public: the key's x, and two inverses. Each is checked.
"""

import keccak

TOP: constant(uint256) = 2**255
# constants: curve
P: constant(uint256) = 57896044618658097711785492504343953926634992332820282019728792003956564819949
L: constant(uint256) = 7237005577332262213973186563042994240857116359379907606001950938285454250989
D: constant(uint256) = 37095705934669439343138083508754565189542113879843219016388785533085940283555
TWICE_D: constant(uint256) = 16295367250680780974490674513165176452449235426866156013048779062215315747161
BASE_X: constant(uint256) = 15112221349535400772501151409588531511454012693041857206046113283949847762202
BASE_Y: constant(uint256) = 46316835694926478169428394003475163141307993866256225615783033603165251855960
BASE_E: constant(uint256) = 25118807164114332256265917848056083839023238678420704602006751320993253119284
BASE_SUM: constant(uint256) = 3533012425803781230144052908719740726127014226477800802100354883158534798213
BASE_DIFFERENCE: constant(uint256) = 31204614345391077396927242593886631629853981173214368409736920319215404093758
BASE_PRODUCT: constant(uint256) = 50237614328228664512531835696112167678046477356841409204013502641986506238568
POWER: constant(uint256) = 7237005577332262213973186563042994240413239274941949949428319933631315875101
# end
# constants: hash
START: constant(uint256[8]) = [
    7640891576956012808,
    13503953896175478587,
    4354685564936845355,
    11912009170470909681,
    5840696475078001361,
    11170449401992604703,
    2270897969802886507,
    6620516959819538809,
]
K: constant(uint256[80]) = [
    4794697086780616226,
    8158064640168781261,
    13096744586834688815,
    16840607885511220156,
    4131703408338449720,
    6480981068601479193,
    10538285296894168987,
    12329834152419229976,
    15566598209576043074,
    1334009975649890238,
    2608012711638119052,
    6128411473006802146,
    8268148722764581231,
    9286055187155687089,
    11230858885718282805,
    13951009754708518548,
    16472876342353939154,
    17275323862435702243,
    1135362057144423861,
    2597628984639134821,
    3308224258029322869,
    5365058923640841347,
    6679025012923562964,
    8573033837759648693,
    10970295158949994411,
    12119686244451234320,
    12683024718118986047,
    13788192230050041572,
    14330467153632333762,
    15395433587784984357,
    489312712824947311,
    1452737877330783856,
    2861767655752347644,
    3322285676063803686,
    5560940570517711597,
    5996557281743188959,
    7280758554555802590,
    8532644243296465576,
    9350256976987008742,
    10552545826968843579,
    11727347734174303076,
    12113106623233404929,
    14000437183269869457,
    14369950271660146224,
    15101387698204529176,
    15463397548674623760,
    17586052441742319658,
    1182934255886127544,
    1847814050463011016,
    2177327727835720531,
    2830643537854262169,
    3796741975233480872,
    4115178125766777443,
    5681478168544905931,
    6601373596472566643,
    7507060721942968483,
    8399075790359081724,
    8693463985226723168,
    9568029438360202098,
    10144078919501101548,
    10430055236837252648,
    11840083180663258601,
    13761210420658862357,
    14299343276471374635,
    14566680578165727644,
    15097957966210449927,
    16922976911328602910,
    17689382322260857208,
    500013540394364858,
    748580250866718886,
    1242879168328830382,
    1977374033974150939,
    2944078676154940804,
    3659926193048069267,
    4368137639120453308,
    4836135668995329356,
    5532061633213252278,
    6448918945643986474,
    6902733635092675308,
    7801388544844847127,
]
# end


@internal
@pure
def reversed(word: uint256) -> uint256:
    """
    @notice 32 bytes, turned around.
    """
    v: uint256 = keccak.swap(word)
    return (v >> 192) | (((v >> 128) & keccak.LANE) << 64) | (((v >> 64) & keccak.LANE) << 128) | (v << 192)


@internal
@pure
def compress(start: uint256[8], words: uint256[16]) -> uint256[8]:
    """
    @notice One block of SHA-512, given as 16 words of 8 bytes.
    """
    w: uint256[80] = empty(uint256[80])
    for t: uint256 in range(16):
        w[t] = words[t]
    for t: uint256 in range(16, 80):
        near: uint256 = w[unsafe_sub(t, 2)]
        far: uint256 = w[unsafe_sub(t, 15)]
        near2: uint256 = unsafe_mul(near, keccak.TWICE)
        far2: uint256 = unsafe_mul(far, keccak.TWICE)
        w[t] = unsafe_add(
            unsafe_add(w[unsafe_sub(t, 16)], w[unsafe_sub(t, 7)]),
            unsafe_add(
                ((near2 >> 19) ^ (near2 >> 61) ^ (near >> 6)) & keccak.LANE,
                ((far2 >> 1) ^ (far2 >> 8) ^ (far >> 7)) & keccak.LANE,
            ),
        ) & keccak.LANE
    a: uint256 = start[0]
    b: uint256 = start[1]
    c: uint256 = start[2]
    d: uint256 = start[3]
    e: uint256 = start[4]
    f: uint256 = start[5]
    g: uint256 = start[6]
    h: uint256 = start[7]
    i: uint256 = 0
    for k: uint256 in K:
        twice: uint256 = unsafe_mul(e, keccak.TWICE)
        t: uint256 = unsafe_add(
            unsafe_add(unsafe_add(h, k), w[i]),
            unsafe_add(((twice >> 14) ^ (twice >> 18) ^ (twice >> 41)) & keccak.LANE, g ^ (e & (f ^ g))),
        )
        h = g
        g = f
        f = e
        e = unsafe_add(d, t) & keccak.LANE
        twice = unsafe_mul(a, keccak.TWICE)
        t = unsafe_add(
            t, unsafe_add(((twice >> 28) ^ (twice >> 34) ^ (twice >> 39)) & keccak.LANE, (a & b) | (c & (a | b)))
        )
        d = c
        c = b
        b = a
        a = t & keccak.LANE
        i = unsafe_add(i, 1)
    done: uint256[8] = [a, b, c, d, e, f, g, h]
    for j: uint256 in range(8):
        done[j] = unsafe_add(done[j], start[j]) & keccak.LANE
    return done


@internal
@pure
def sha512(words: uint256[4]) -> uint256[2]:
    """
    @notice SHA-512 of 128 bytes.
    """
    block_: uint256[16] = empty(uint256[16])
    for i: uint256 in range(4):
        block_[4 * i] = words[i] >> 192
        block_[4 * i + 1] = (words[i] >> 128) & keccak.LANE
        block_[4 * i + 2] = (words[i] >> 64) & keccak.LANE
        block_[4 * i + 3] = words[i] & keccak.LANE
    h: uint256[8] = self.compress(START, block_)
    # The padding: a bit that is 1, and the length of the message in bits.
    block_ = empty(uint256[16])
    block_[0] = 2**63
    block_[15] = 1024
    h = self.compress(h, block_)
    return [
        (h[0] << 192) | (h[1] << 128) | (h[2] << 64) | h[3],
        (h[4] << 192) | (h[5] << 128) | (h[6] << 64) | h[7],
    ]


@internal
@pure
def times(x: uint256, y: uint256) -> uint256:
    """
    @notice x y mod p. A call is shorter than p itself, and slower: loops say p.
    """
    return uint256_mulmod(x, y, P)


@internal
@pure
def plus(x: uint256, y: uint256) -> uint256:
    return uint256_addmod(x, y, P)


@internal
@pure
def verify(key: bytes32, digest: bytes32[2], signature: bytes32[2], hints: uint256[3]) -> bool:
    """
    @notice Tell whether the signature is the key's over the digest.
    @param hints The x of the key; the inverse of (1 + e) (1 - e), where e is d times all coordinates of the base point
           B and of the key; the inverse of the Z with which this computes S B - k key. A wrong one reverts.
    """
    s: uint256 = self.reversed(convert(signature[1], uint256))
    if s >= L:
        return False
    # k = SHA-512(R, key, digest), little-endian, mod L
    hashed: uint256[2] = self.sha512(
        [convert(signature[0], uint256), convert(key, uint256), convert(digest[0], uint256), convert(digest[1], uint256)]
    )
    k: uint256 = uint256_addmod(
        uint256_mulmod(self.reversed(hashed[1]), POWER, L), self.reversed(hashed[0]), L
    )
    # The key's point: its y and the sign of its x are in its bytes, and x is the first hint.
    x: uint256 = hints[0]
    y: uint256 = self.reversed(convert(key, uint256))
    assert x < P and (x & 1) == (y >> 255), "key"
    y &= TOP - 1
    xx: uint256 = self.times(x, x)
    yy: uint256 = self.times(y, y)
    assert y < P and self.plus(yy, P - xx) == self.plus(1, self.times(D, self.times(xx, yy))), "key"
    return self.difference(s, k, P - x, y, hints) == convert(signature[0], uint256)


@internal
@pure
def difference(s: uint256, k: uint256, x: uint256, y: uint256, hints: uint256[3]) -> uint256:
    """
    @notice The encoding of s B + k (x, y): Shamir's trick over the bits of both, with B, (x, y) and their sum at hand.
            The formulas are complete, so no point is an exception (RFC 8032, section 5.1.4).
    """
    key_sum: uint256 = self.plus(y, x)
    key_difference: uint256 = self.plus(y, P - x)
    key_product: uint256 = self.times(self.times(TWICE_D, x), y)
    # B + (x, y) = ((x1 y2 + y1 x2) / (1 + e), (y1 y2 + x1 x2) / (1 - e)), e = d x1 x2 y1 y2
    e: uint256 = self.times(BASE_E, self.times(x, y))
    up: uint256 = self.plus(1, e)
    down: uint256 = self.plus(1, P - e)
    assert self.times(hints[1], self.times(up, down)) == 1, "hint"
    both_x: uint256 = self.plus(self.times(BASE_X, y), self.times(BASE_Y, x))
    both_x = self.times(both_x, self.times(hints[1], down))
    both_y: uint256 = self.plus(self.times(BASE_Y, y), self.times(BASE_X, x))
    both_y = self.times(both_y, self.times(hints[1], up))
    both_sum: uint256 = self.plus(both_y, both_x)
    both_difference: uint256 = self.plus(both_y, P - both_x)
    both_product: uint256 = self.times(self.times(TWICE_D, both_x), both_y)

    left: uint256 = s << 3
    right: uint256 = k << 3
    X: uint256 = 0
    Y: uint256 = 1
    Z: uint256 = 1
    for _: uint256 in range(253):
        # dbl-2008-hwcd with a = -1, all signs turned around
        a: uint256 = uint256_mulmod(X, X, P)
        b: uint256 = uint256_mulmod(Y, Y, P)
        H: uint256 = unsafe_add(a, b)
        xy: uint256 = unsafe_add(X, Y)
        E: uint256 = uint256_addmod(H, unsafe_sub(P, uint256_mulmod(xy, xy, P)), P)
        G: uint256 = unsafe_add(a, unsafe_sub(P, b))
        F: uint256 = uint256_addmod(uint256_mulmod(unsafe_add(Z, Z), Z, P), G, P)
        X = uint256_mulmod(E, F, P)
        Y = uint256_mulmod(G, H, P)
        Z = uint256_mulmod(F, G, P)
        chosen: uint256 = (left >> 255) | ((right >> 254) & 2)
        left <<= 1
        right <<= 1
        if chosen != 0:
            sum: uint256 = BASE_SUM
            less: uint256 = BASE_DIFFERENCE
            product: uint256 = BASE_PRODUCT
            if chosen == 2:
                sum = key_sum
                less = key_difference
                product = key_product
            elif chosen == 3:
                sum = both_sum
                less = both_difference
                product = both_product
            # madd-2008-hwcd-3
            a = uint256_mulmod(unsafe_add(Y, unsafe_sub(P, X)), less, P)
            b = uint256_mulmod(unsafe_add(Y, X), sum, P)
            c: uint256 = uint256_mulmod(uint256_mulmod(E, H, P), product, P)
            d: uint256 = unsafe_add(Z, Z)
            E = unsafe_add(b, unsafe_sub(P, a))
            F = uint256_addmod(d, unsafe_sub(P, c), P)
            G = uint256_addmod(d, c, P)
            H = unsafe_add(b, a)
            X = uint256_mulmod(E, F, P)
            Y = uint256_mulmod(G, H, P)
            Z = uint256_mulmod(F, G, P)
    assert self.times(Z, hints[2]) == 1, "hint"
    X = self.times(X, hints[2])
    return self.reversed(self.times(Y, hints[2]) | (X << 255))
