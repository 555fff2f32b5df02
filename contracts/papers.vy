# pragma version 0.4.3
"""
@title Papers: what the house and the players sign (docs/protocol.md, sections 2 and 10.1)
@notice `digest` is TH, and `verify` the program's `identity.verify`, but for one thing: whether a key has order L is
        not looked at. A key must have been checked; the identity as a key would accept any signature.
"""

import keccak
import ed25519

PARTS: constant(uint256) = 16
PART: constant(uint256) = 8192


@external
@pure
def digest(label: Bytes[64], parts: DynArray[Bytes[PART], PARTS]) -> bytes32[2]:
    """
    @notice TH(label; parts) of 64 bytes. All parts together have some 8,600 bytes at most.
    """
    data: Bytes[keccak.MOST] = b""
    for i: uint256 in range(len(parts), bound=PARTS):
        data = convert(concat(data, keccak.head(len(parts[i])), parts[i]), Bytes[keccak.MOST])
    return self._hashed(label, data)


@external
@pure
def signed(
    key: bytes32, label: Bytes[64], parts: DynArray[Bytes[PART], PARTS], signature: bytes32[2], hints: uint256[3]
) -> bool:
    """
    @notice Tell whether the signature is the key's over TH(label; parts).
    """
    data: Bytes[keccak.MOST] = b""
    for i: uint256 in range(len(parts), bound=PARTS):
        data = convert(concat(data, keccak.head(len(parts[i])), parts[i]), Bytes[keccak.MOST])
    return ed25519.verify(key, self._hashed(label, data), signature, hints)


@internal
@pure
def _hashed(label: Bytes[64], data: Bytes[keccak.MOST]) -> bytes32[2]:
    return keccak.finish(keccak.begin(label), convert(concat(data, keccak.TAIL), Bytes[keccak.MOST]))


@external
@pure
def verify(key: bytes32, digest: bytes32[2], signature: bytes32[2], hints: uint256[3]) -> bool:
    """
    @notice Tell whether the signature is the key's over the digest.
    """
    return ed25519.verify(key, digest, signature, hints)


@external
@pure
def begin(label: Bytes[64]) -> uint256[25]:
    """
    @notice The state of TH behind the block of the label, from which `absorb` and `finish` go on. So data that is too
            long for one call goes in by several.
    """
    return keccak.begin(label)


@external
@pure
def absorb(state: uint256[25], data: Bytes[keccak.MOST]) -> uint256[25]:
    """
    @notice The state after more data, whole blocks of 136 bytes: parts, each behind its head.
    """
    assert len(data) % 136 == 0, "blocks"
    return keccak.absorb(state, data)


@external
@pure
def finish(state: uint256[25], data: Bytes[keccak.MOST - 3]) -> bytes32[2]:
    """
    @notice TH, behind the last of the data.
    """
    return keccak.finish(state, concat(data, keccak.TAIL))
