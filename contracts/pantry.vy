# pragma version 0.4.3
"""
@title Pantry: copies of a house's cards, outside of the house (ERC-721)
@notice A token's id is the first 32 bytes of the digest of its copy's origin. A copy comes out by a statement of the
        house, and goes back by being burned. Nobody owns this contract, and nothing in it can be changed.
"""

import house

initializes: house
exports: (house.succeed, house.key)

interface Receiver:
    def onERC721Received(operator: address, sender: address, token: uint256, data: Bytes[MOST_DATA]) -> bytes4: nonpayable


event Transfer:
    sender: indexed(address)
    receiver: indexed(address)
    token: indexed(uint256)


event Approval:
    owner: indexed(address)
    approved: indexed(address)
    token: indexed(uint256)


event ApprovalForAll:
    owner: indexed(address)
    operator: indexed(address)
    approved: bool


event Out:
    token: indexed(uint256)
    trip: uint256
    receiver: address


event Back:
    token: indexed(uint256)
    trip: uint256
    player: bytes16


MOST_COPIES: constant(uint256) = 60
MOST_DATA: constant(uint256) = 1024
LONGEST: constant(uint256) = 86400
OWNER: constant(uint256) = 2**160 - 1
INTERFACES: constant(bytes4[3]) = [
    0x01ffc9a7,  # ERC-165
    0x80ac58cd,  # ERC-721
    0x5b5e139f,  # ERC-721, metadata
]
RECEIVED: constant(bytes4) = 0x150b7a02
DIGITS: constant(Bytes[16]) = b"0123456789abcdef"

name: public(immutable(String[64]))
symbol: public(constant(String[8])) = "CLOCHE"
base: public(immutable(String[96]))
balances: HashMap[address, uint256]
places: HashMap[uint256, uint256]  # a token's trips so far, and its owner in the lowest 160 bits
approvals: HashMap[uint256, address]
operators: HashMap[address, HashMap[address, bool]]


@deploy
def __init__(papers: address, key: bytes32, title: String[64], uri: String[96]):
    """
    @param uri What a token's URI begins with; the token's id follows, in 64 hexadecimal digits.
    """
    house.__init__(papers, key)
    name = title
    base = uri


@external
@view
def supportsInterface(interface_id: bytes4) -> bool:
    return interface_id in INTERFACES


@external
@view
def balanceOf(owner: address) -> uint256:
    house.need(owner != empty(address), "owner")
    return self.balances[owner]


@internal
@view
def _owner(token: uint256) -> address:
    owner: address = convert(self.places[token] & OWNER, address)
    house.need(owner != empty(address), "token")
    return owner


@external
@view
def trips(token: uint256) -> uint256:
    """
    @notice How often a token has come out.
    """
    return self.places[token] >> 160


@external
@view
def ownerOf(token: uint256) -> address:
    return self._owner(token)


@external
@view
def getApproved(token: uint256) -> address:
    self._owner(token)
    return self.approvals[token]


@external
@view
def isApprovedForAll(owner: address, operator: address) -> bool:
    return self.operators[owner][operator]


@external
@view
def tokenURI(token: uint256) -> String[160]:
    self._owner(token)
    digits: Bytes[64] = b""
    for i: uint256 in range(64):
        nibble: uint256 = (token >> (4 * (63 - i))) & 15
        digits = convert(concat(digits, slice(DIGITS, nibble, 1)), Bytes[64])
    return concat(base, convert(digits, String[64]))


@external
def approve(approved: address, token: uint256):
    owner: address = self._owner(token)
    house.need(msg.sender == owner or self.operators[owner][msg.sender], "sender")
    self.approvals[token] = approved
    log Approval(owner=owner, approved=approved, token=token)


@external
def setApprovalForAll(operator: address, approved: bool):
    self.operators[msg.sender][operator] = approved
    log ApprovalForAll(owner=msg.sender, operator=operator, approved=approved)


@internal
def _transfer(sender: address, receiver: address, token: uint256, caller: address):
    owner: address = self._owner(token)
    house.need(owner == sender, "owner")
    house.need(receiver != empty(address), "receiver")
    may: bool = caller == owner or self.operators[owner][caller] or self.approvals[token] == caller
    house.need(may, "sender")
    self.approvals[token] = empty(address)
    self.places[token] = (self.places[token] & ~OWNER) | convert(receiver, uint256)
    self.balances[sender] -= 1
    self.balances[receiver] += 1
    log Transfer(sender=sender, receiver=receiver, token=token)


@external
def transferFrom(sender: address, receiver: address, token: uint256):
    self._transfer(sender, receiver, token, msg.sender)


@external
def safeTransferFrom(sender: address, receiver: address, token: uint256, data: Bytes[MOST_DATA] = b""):
    self._transfer(sender, receiver, token, msg.sender)
    if receiver.is_contract:
        found: bytes4 = extcall Receiver(receiver).onERC721Received(msg.sender, sender, token, data)
        house.need(found == RECEIVED, "receiver")


@external
def bring_out(
    receiver: address,
    until: uint256,
    tokens: DynArray[uint256, MOST_COPIES],
    counted: DynArray[uint256, MOST_COPIES],
    signature: bytes32[2],
    hints: uint256[3],
):
    """
    @notice Bring copies out, as the house has signed: TH("copies-out"; chain, contract, receiver, until, then token
            and trip of each). Anybody may send this.
    @param until The time up to which the house lets them go, at most a day ahead.
    @param counted The trip of each token: one more than it has made.
    """
    house.need(len(tokens) > 0 and len(tokens) == len(counted), "length")
    house.need(receiver != empty(address), "receiver")
    house.need(block.timestamp <= until and until <= block.timestamp + LONGEST, "until")
    data: Bytes[house.MOST] = concat(
        house.here(), x"01a0", convert(receiver, bytes20), x"020100", convert(until, bytes32)
    )
    for i: uint256 in range(len(tokens), bound=MOST_COPIES):
        token: uint256 = tokens[i]
        trip: uint256 = counted[i]
        place: uint256 = self.places[token]
        house.need(place & OWNER == 0, "token")
        house.need((place >> 160) + 1 == trip, "trip")
        self.places[token] = (trip << 160) | convert(receiver, uint256)
        log Transfer(sender=empty(address), receiver=receiver, token=token)
        log Out(token=token, trip=trip, receiver=receiver)
        data = convert(
            concat(data, x"020100", convert(token, bytes32), x"020100", convert(trip, bytes32)),
            Bytes[house.MOST],
        )
    self.balances[receiver] += len(tokens)
    house.need(house.said(b"copies-out", data, signature, hints), "signature")


@external
def take_back(token: uint256, player: bytes16):
    """
    @notice Burn a token: once this is final, the house gives the copy to the player of this id. Nothing undoes it.
    """
    house.need(self._owner(token) == msg.sender, "sender")
    self.approvals[token] = empty(address)
    place: uint256 = self.places[token]
    self.places[token] = place & ~OWNER
    self.balances[msg.sender] -= 1
    log Transfer(sender=msg.sender, receiver=empty(address), token=token)
    log Back(token=token, trip=place >> 160, player=player)
