# pragma version 0.4.3
"""
@title Prizes: pots on games of a house
@notice A sponsor's prize for the winners of a game between two wallets. It is paid when both wallets agree, or on the
        house's word after a window. Two different words of the house on one game give everything back. There are no
        stakes, and nobody owns this contract.
"""

import house

initializes: house
exports: (house.succeed, house.key)

struct Pot:
    game: bytes16
    first: address
    second: address
    sponsor: address
    end: uint256
    prize: uint256


struct Word:
    winners: uint8
    at: uint256
    said: bytes32
    doubtful: bool


event Opened:
    pot: indexed(bytes32)
    game: indexed(bytes16)
    first: address
    second: address
    sponsor: address
    end: uint256
    prize: uint256


event Told:
    game: indexed(bytes16)
    winners: uint8
    doubtful: bool


event Closed:
    pot: indexed(bytes32)
    winners: uint8


event Paid:
    receiver: indexed(address)
    amount: uint256


LONGEST: constant(uint256) = 60 * 86400
WINDOW: constant(uint256) = 2 * 86400
BACK: constant(uint8) = 0
BOTH: constant(uint8) = 3
HALF_ORDER: constant(uint256) = 57896044618658097711785492504343953926418782139537452191302581570759080747168
DOMAIN: constant(bytes32) = keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)")
AGREED: constant(bytes32) = keccak256("Agreed(bytes32 pot,uint8 winners)")

pots: public(HashMap[bytes32, Pot])
words: public(HashMap[bytes16, Word])
credits: public(HashMap[address, uint256])


@deploy
def __init__(papers: address, key: bytes32):
    house.__init__(papers, key)


@internal
@pure
def _named(pot: Pot) -> bytes32:
    return keccak256(abi_encode(pot))


@external
@payable
def open(game: bytes16, first: address, second: address, end: uint256) -> bytes32:
    """
    @notice Open a pot with the prize that is sent along. Whoever sends it is its sponsor.
    @param first The wallet of the game's seat 0, `second` that of seat 1.
    @param end The time by which the house must have given its word, within 60 days.
    """
    house.need(msg.value > 0, "prize")
    house.need(first != empty(address) and second != empty(address) and first != second, "wallets")
    house.need(block.timestamp < end and end <= block.timestamp + LONGEST, "end")
    pot: Pot = Pot(game=game, first=first, second=second, sponsor=msg.sender, end=end, prize=msg.value)
    name: bytes32 = self._named(pot)
    house.need(self.pots[name].prize == 0, "pot")
    self.pots[name] = pot
    log Opened(
        pot=name, game=game, first=first, second=second, sponsor=msg.sender, end=end, prize=msg.value
    )
    return name


@internal
def _close(name: bytes32, pot: Pot, winners: uint8):
    """
    @notice Credit a pot to its winners, a bit a seat, or to its sponsor if there is none.
    """
    self.pots[name] = empty(Pot)
    if winners == BACK:
        self.credits[pot.sponsor] += pot.prize
    elif winners == BOTH:
        half: uint256 = pot.prize // 2
        self.credits[pot.first] += pot.prize - half
        self.credits[pot.second] += half
    else:
        winner: address = pot.first if winners == 1 else pot.second
        self.credits[winner] += pot.prize
    log Closed(pot=name, winners=winners)


@internal
@view
def _pot(name: bytes32) -> Pot:
    pot: Pot = self.pots[name]
    house.need(pot.prize > 0, "pot")
    return pot


@internal
@view
def _signed(digest: bytes32, wallet: address, v: uint8, r: bytes32, s: bytes32) -> bool:
    return convert(s, uint256) <= HALF_ORDER and ecrecover(digest, v, r, s) == wallet


@internal
@view
def _digest(name: bytes32, winners: uint8) -> bytes32:
    domain: bytes32 = keccak256(
        abi_encode(DOMAIN, keccak256("Cloche prizes"), keccak256("1"), chain.id, self)
    )
    return keccak256(concat(x"1901", domain, keccak256(abi_encode(AGREED, name, winners))))


@external
@view
def agreement(name: bytes32, winners: uint8) -> bytes32:
    """
    @notice What both wallets sign to agree (EIP-712).
    """
    return self._digest(name, winners)


@external
def agree(name: bytes32, winners: uint8, v: uint8[2], r: bytes32[2], s: bytes32[2]):
    """
    @notice Pay a pot as both wallets have signed. `winners` has a bit a seat; 0 gives the prize back.
    """
    house.need(winners <= BOTH, "winners")
    pot: Pot = self._pot(name)
    digest: bytes32 = self._digest(name, winners)
    house.need(self._signed(digest, pot.first, v[0], r[0], s[0]), "first")
    house.need(self._signed(digest, pot.second, v[1], r[1], s[1]), "second")
    self._close(name, pot, winners)


@external
def tell(game: bytes16, winners: uint8, result: bytes32[2], signature: bytes32[2], hints: uint256[3]):
    """
    @notice Put down the house's word on a game: TH("settlement"; chain, contract, game, winners, digest of the result
            entry). Another word on the same game makes it doubtful, for ever.
    """
    house.need(winners <= BOTH, "winners")
    data: Bytes[house.MOST] = concat(
        house.here(), x"0180", game, x"0108", convert(winners, bytes1), x"020200", result[0], result[1]
    )
    house.need(house.said(b"settlement", data, signature, hints), "signature")
    said: bytes32 = keccak256(data)
    word: Word = self.words[game]
    house.need(said != word.said, "word")
    if word.said == empty(bytes32):
        word = Word(winners=winners, at=block.timestamp, said=said, doubtful=False)
    else:
        house.need(not word.doubtful, "word")
        word.doubtful = True
    self.words[game] = word
    log Told(game=game, winners=winners, doubtful=word.doubtful)


@external
def settle(name: bytes32):
    """
    @notice Close a pot: by the house's word once its window is over, or back to the sponsor if there are two words,
            or none by the pot's end. Anybody may send this.
    """
    pot: Pot = self._pot(name)
    word: Word = self.words[pot.game]
    if word.doubtful:
        self._close(name, pot, BACK)
    elif word.said != empty(bytes32) and word.at <= pot.end:
        house.need(block.timestamp >= word.at + WINDOW, "window")
        self._close(name, pot, word.winners)
    else:
        house.need(block.timestamp > pot.end, "end")
        self._close(name, pot, BACK)


@external
def withdraw():
    """
    @notice Pay out what is credited to the sender.
    """
    amount: uint256 = self.credits[msg.sender]
    house.need(amount > 0, "credit")
    self.credits[msg.sender] = 0
    log Paid(receiver=msg.sender, amount=amount)
    raw_call(msg.sender, b"", value=amount)
