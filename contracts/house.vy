# pragma version 0.4.3
"""
@title House: a house's key on this chain, and statements signed with it
@notice The key is the Ed25519 key of the house, which signs every record. `Papers` hashes and verifies.
"""

interface Papers:
    def begin(label: Bytes[64]) -> uint256[25]: pure
    def finish(state: uint256[25], data: Bytes[MOST]) -> bytes32[2]: pure
    def verify(key: bytes32, digest: bytes32[2], signature: bytes32[2], hints: uint256[3]) -> bool: pure


event Succeeded:
    old: bytes32
    new: bytes32


MOST: constant(uint256) = 4400
PAPERS: immutable(Papers)
key: public(bytes32)


@deploy
def __init__(papers: address, key: bytes32):
    """
    @param papers The contract `Papers`, at the address that it has on every chain.
    @param key The house's key. Whoever uses this contract compares it with the house's: no contract checks a key.
    """
    assert papers.is_contract
    PAPERS = Papers(papers)
    self.key = key


@internal
@pure
def need(ok: bool, why: String[9]):
    """
    @notice Revert with a reason unless it is so. A call is shorter than a reason in place.
    """
    assert ok, why


@internal
@view
def here() -> Bytes[57]:
    """
    @notice What every statement begins with, as parts of a tuple: the chain, and the contract.
    """
    return concat(x"020100", convert(chain.id, bytes32), x"01a0", convert(self, bytes20))


@internal
@view
def said(label: Bytes[64], data: Bytes[MOST], signature: bytes32[2], hints: uint256[3]) -> bool:
    """
    @notice Tell whether the house has signed TH(label; data): `data` has parts, each behind its head.
    """
    digest: bytes32[2] = staticcall PAPERS.finish(staticcall PAPERS.begin(label), data)
    return staticcall PAPERS.verify(self.key, digest, signature, hints)


@external
def succeed(key: bytes32, signature: bytes32[2], hints: uint256[3]):
    """
    @notice Follow the house to a new key: the old one has signed TH("house-on-chain"; chain, contract, new key).
    """
    data: Bytes[MOST] = concat(self.here(), x"020100", key)
    self.need(self.said(b"house-on-chain", data, signature, hints), "signature")
    log Succeeded(old=self.key, new=key)
    self.key = key
