"""Pots: paid when both chefs agree, or on the house's word; and whatever happens, the balances add up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from chain.calls import Reverted, keccak256
from chain.evm import TransactionReceipt
from chain.local import LocalChain
from tests.chain.house_kit import (
    ANNA,
    CLARA,
    DAY,
    ETHER,
    GAME,
    Deployed,
    account,
    deployed,
    new_chain,
    unchanged,
)
from tests.chain.receivers import receiver
from tests.chain.wallets import Wallet

ADA, BEN = Wallet("Ada"), Wallet("Ben")
GAME_BYTES = bytes.fromhex(GAME.replace("-", ""))
OTHER_GAME = "9c3f7f60-51d2-4a0e-8b6a-1d2e3f405162"
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
WINDOW = 2 * DAY
PRIZE = ETHER + 1


@pytest.fixture(scope="module")
def chain() -> LocalChain:
    return new_chain()


@pytest.fixture(scope="module")
def built(chain: LocalChain) -> Deployed:
    made = deployed(chain, "prizes")
    for rich in (ANNA, CLARA):
        made.machine.fund(rich, 100 * ETHER)
    return made


@pytest.fixture
def prizes(built: Deployed) -> Iterator[Deployed]:
    with unchanged(built.machine):
        yield built


def _opened(
    prizes: Deployed, game: bytes = GAME_BYTES, days: int = 30, prize: int = PRIZE, by: bytes = ANNA
) -> bytes:
    end = prizes.machine.time + days * DAY
    receipt = prizes.send("open", game, ADA.address, BEN.address, end, by=by, value=prize)
    name: bytes = prizes.told(receipt)[0][1]["pot"]
    return name


def _agreed(
    prizes: Deployed, name: bytes, winners: int, signers: Sequence[Wallet] = (ADA, BEN)
) -> tuple[Any, ...]:
    digest = prizes.ask("agreement", name, winners)
    signed = [signer.sign(digest) for signer in signers]
    return name, winners, *([part[i] for part in signed] for i in range(3))


def _credits(prizes: Deployed) -> tuple[int, int, int]:
    """Of the sponsor, and of the two wallets."""
    return tuple(prizes.ask("credits", who) for who in (ANNA, ADA.address, BEN.address))  # type: ignore[return-value]


SHARES = {0: (PRIZE, 0, 0), 1: (0, PRIZE, 0), 2: (0, 0, PRIZE), 3: (0, PRIZE - PRIZE // 2, PRIZE // 2)}


@pytest.mark.parametrize("winners", SHARES)
def test_both_chefs_agree(prizes: Deployed, winners: int) -> None:
    name = _opened(prizes)
    said = _agreed(prizes, name, winners)
    assert prizes.told(prizes.send("agree", *said, by=CLARA)) == [
        ("Closed", {"winners": winners, "pot": name})
    ]
    assert _credits(prizes) == SHARES[winners]
    prizes.refuses("pot", "agree", *said)


def test_one_chef_alone_agrees_to_nothing(prizes: Deployed) -> None:
    name = _opened(prizes)
    for signers, why in (((ADA, ADA), "second"), ((BEN, BEN), "first"), ((BEN, ADA), "first")):
        prizes.refuses(why, "agree", *_agreed(prizes, name, 1, signers))
    _, _, v, r, s = _agreed(prizes, name, 1)
    prizes.refuses("first", "agree", name, 2, v, r, s)
    prizes.refuses("winners", "agree", name, 4, v, r, s)
    prizes.refuses("first", "agree", name, 1, [0, 0], r, s)
    prizes.refuses("first", "agree", name, 1, v, [bytes(32), bytes(32)], s)


def test_a_signature_has_one_form(prizes: Deployed) -> None:
    name, winners, v, r, s = _agreed(prizes, _opened(prizes), 1)
    high = [(ORDER - int.from_bytes(it, "big")).to_bytes(32, "big") for it in s]
    prizes.refuses("first", "agree", name, winners, [55 - it for it in v], r, high)


def test_an_agreement_is_for_one_pot_and_one_contract(prizes: Deployed, chain: LocalChain) -> None:
    first, second = _opened(prizes), _opened(prizes, days=31)
    said = _agreed(prizes, first, 1)
    prizes.refuses("first", "agree", second, *said[1:])
    other = deployed(chain, "prizes")
    assert other.ask("agreement", first, 1) != prizes.ask("agreement", first, 1)


def test_the_agreement_is_typed_data(prizes: Deployed) -> None:
    """EIP-712, computed here by itself."""
    name = bytes(range(32))
    kinds = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
    fields = (
        keccak256(kinds),
        keccak256(b"Cloche prizes"),
        keccak256(b"1"),
        prizes.machine.chain_id.to_bytes(32, "big"),
    )
    domain = keccak256(b"".join(fields) + prizes.contract.address.rjust(32, b"\0"))
    struct = keccak256(keccak256(b"Agreed(bytes32 pot,uint8 winners)") + name + (3).to_bytes(32, "big"))
    assert prizes.ask("agreement", name, 3) == keccak256(b"\x19\x01" + domain + struct)


@pytest.mark.parametrize("winners", SHARES)
def test_the_houses_word_pays_after_a_window(prizes: Deployed, winners: int) -> None:
    name = _opened(prizes)
    seats = [seat for seat in (0, 1) if winners >> seat & 1]
    prizes.send("tell", *prizes.word(seats), by=CLARA)
    prizes.refuses("window", "settle", name)
    prizes.machine.time += WINDOW - 1
    prizes.refuses("window", "settle", name)
    prizes.machine.time += 1
    prizes.send("settle", name, by=CLARA)
    assert _credits(prizes) == SHARES[winners]
    prizes.refuses("pot", "settle", name)


@pytest.mark.parametrize("other", ["winners", "result"])
def test_two_words_give_everything_back(prizes: Deployed, other: str) -> None:
    name, late = _opened(prizes), _opened(prizes, days=31, by=CLARA)
    prizes.send("tell", *prizes.word([0]))
    second = prizes.word([1]) if other == "winners" else prizes.word([0], result=b"\1" + bytes(63))
    assert prizes.told(prizes.send("tell", *second))[0][1]["doubtful"] is True
    for pot in (name, late):
        prizes.send("settle", pot)
    assert _credits(prizes) == (PRIZE, 0, 0)
    assert prizes.ask("credits", CLARA) == PRIZE
    prizes.refuses("word", "tell", *prizes.word([0, 1]))
    prizes.refuses("word", "tell", *prizes.word([0]))


def test_the_same_word_twice_is_one(prizes: Deployed) -> None:
    prizes.send("tell", *prizes.word([0]))
    prizes.refuses("word", "tell", *prizes.word([0]))


def test_without_a_word_the_prize_goes_back(prizes: Deployed) -> None:
    name = _opened(prizes, days=1)
    prizes.machine.time += DAY
    prizes.refuses("end", "settle", name)
    prizes.machine.time += 1
    prizes.send("settle", name)
    assert _credits(prizes) == (PRIZE, 0, 0)


def test_a_word_after_the_end_is_too_late(prizes: Deployed) -> None:
    name = _opened(prizes, days=1)
    prizes.machine.time += DAY + 1
    prizes.send("tell", *prizes.word([0]))
    prizes.machine.time += WINDOW
    prizes.send("settle", name)
    assert _credits(prizes) == (PRIZE, 0, 0)


def test_a_word_in_time_pays_behind_the_end(prizes: Deployed) -> None:
    name = _opened(prizes, days=1)
    prizes.machine.time += DAY
    prizes.send("tell", *prizes.word([0]))
    prizes.machine.time += WINDOW
    prizes.send("settle", name)
    assert _credits(prizes) == (0, PRIZE, 0)


def test_a_word_is_about_one_game(prizes: Deployed) -> None:
    name = _opened(prizes)
    prizes.send("tell", *prizes.word([0], OTHER_GAME))
    prizes.machine.time += WINDOW
    prizes.refuses("end", "settle", name)


def test_a_word_by_anybody_else_is_refused(prizes: Deployed, chain: LocalChain) -> None:
    others: list[dict[str, Any]] = [
        {"private": bytes(31) + b"\1"},
        {"place": deployed(chain, "prizes").place},
    ]
    for other in others:
        with pytest.raises(Reverted, match=r"key|hint|signature"):
            prizes.send("tell", *prizes.word([0], **other))
    game, _, *rest = prizes.word([0])
    with pytest.raises(Reverted, match=r"hint|signature"):
        prizes.send("tell", game, 2, *rest)
    prizes.refuses("winners", "tell", game, 4, *rest)


def test_a_pot_has_bounds(prizes: Deployed) -> None:
    now = prizes.machine.time
    both = (ADA.address, BEN.address)
    prizes.refuses("prize", "open", GAME_BYTES, *both, now + DAY)
    prizes.refuses("end", "open", GAME_BYTES, *both, now, value=1)
    prizes.refuses("end", "open", GAME_BYTES, *both, now + 60 * DAY + 1, value=1)
    for pair in ((bytes(20), BEN.address), (ADA.address, bytes(20)), (ADA.address, ADA.address)):
        prizes.refuses("wallets", "open", GAME_BYTES, *pair, now + DAY, value=1)
    _opened(prizes, days=60)
    prizes.refuses("pot", "open", GAME_BYTES, *both, now + 60 * DAY, value=PRIZE)


def test_nobody_takes_a_games_place(prizes: Deployed) -> None:
    """Another pot on the same game, with other wallets, leaves the first as it is."""
    name = _opened(prizes)
    end = prizes.machine.time + 30 * DAY
    prizes.send("open", GAME_BYTES, account("x"), account("y"), end, by=CLARA, value=1)
    prizes.send("agree", *_agreed(prizes, name, 1))
    assert _credits(prizes) == (0, PRIZE, 0)


def test_credits_are_paid_once(prizes: Deployed) -> None:
    prizes.send("agree", *_agreed(prizes, _opened(prizes), 1))
    before = prizes.machine.balance(ADA.address)
    prizes.send("withdraw", by=ADA.address)
    assert prizes.machine.balance(ADA.address) == before + PRIZE
    prizes.refuses("credit", "withdraw", by=ADA.address)


def test_a_sponsor_that_takes_nothing_blocks_nobody(prizes: Deployed) -> None:
    """A contract without a way to be paid has its credit, and the pot is closed all the same."""
    stubborn = receiver(prizes.machine, "refuses")
    prizes.machine.fund(stubborn, ETHER)
    name = _opened(prizes, prize=ETHER, by=stubborn)
    prizes.send("agree", *_agreed(prizes, name, 0))
    with pytest.raises(Reverted):
        prizes.send("withdraw", by=stubborn)
    assert prizes.ask("credits", stubborn) == ETHER


WHO = (ANNA, CLARA, ADA.address, BEN.address)


class Pots(RuleBasedStateMachine):
    """Any acts in any order: open pots and credits are what the contract holds, and nothing is lost."""

    prizes: Deployed

    @initialize()
    def begin(self) -> None:
        self.kept = (self.prizes.machine.snapshot(), self.prizes.machine.time)
        self.pots: dict[bytes, int] = {}
        self.whole = sum(self.prizes.machine.balance(who) for who in WHO)

    def teardown(self) -> None:
        snapshot, self.prizes.machine.time = self.kept
        self.prizes.machine.back_to(snapshot)

    def _tried(
        self, name: str, *given: Any, receipt: list[TransactionReceipt] | None = None, **other: Any
    ) -> str:
        """Send a transaction; the reason if it is refused."""
        try:
            done = self.prizes.send(name, *given, **other)
        except Reverted as refused:
            return str(refused)
        if receipt is not None:
            receipt.append(done)
        return ""

    @rule(
        game=st.sampled_from((GAME, OTHER_GAME)),
        sponsor=st.sampled_from((ANNA, CLARA)),
        prize=st.integers(1, 7),
        days=st.integers(1, 5),
    )
    def open(self, game: str, sponsor: bytes, prize: int, days: int) -> None:
        end = self.prizes.machine.time + days * DAY
        given = (bytes.fromhex(game.replace("-", "")), ADA.address, BEN.address, end)
        receipt: list[TransactionReceipt] = []
        assert self._tried("open", *given, by=sponsor, value=prize, receipt=receipt) in ("", "pot")
        if receipt:
            self.pots[self.prizes.told(receipt[0])[0][1]["pot"]] = prize

    @precondition(lambda self: self.pots)
    @rule(data=st.data(), winners=st.integers(0, 3))
    def agree(self, data: st.DataObject, winners: int) -> None:
        name = data.draw(st.sampled_from(sorted(self.pots)))
        self.prizes.send("agree", *_agreed(self.prizes, name, winners))
        del self.pots[name]

    @rule(game=st.sampled_from((GAME, OTHER_GAME)), winner=st.integers(0, 1))
    def tell(self, game: str, winner: int) -> None:
        assert self._tried("tell", *self.prizes.word([winner], game)) in ("", "word")

    @precondition(lambda self: self.pots)
    @rule(data=st.data())
    def settle(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.pots)))
        why = self._tried("settle", name)
        assert why in ("", "window", "end")
        if not why:
            del self.pots[name]

    @rule(who=st.sampled_from(WHO))
    def withdraw(self, who: bytes) -> None:
        due, before = self.prizes.ask("credits", who), self.prizes.machine.balance(who)
        assert self._tried("withdraw", by=who) == ("" if due else "credit")
        assert self.prizes.machine.balance(who) == before + due

    @rule(hours=st.integers(1, 72))
    def wait(self, hours: int) -> None:
        self.prizes.machine.time += 3600 * hours

    @invariant()
    def the_books_are_right(self) -> None:
        if not hasattr(self, "pots"):
            return
        credited = sum(self.prizes.ask("credits", who) for who in WHO)
        held = self.prizes.machine.balance(self.prizes.contract.address)
        assert held == credited + sum(self.pots.values())
        assert self.whole == held + sum(self.prizes.machine.balance(who) for who in WHO)
        for name, prize in self.pots.items():
            assert self.prizes.ask("pots", name)[5] == prize


def test_the_balances_add_up_whatever_happens(built: Deployed) -> None:
    with unchanged(built.machine):
        Pots.prizes = built
        case = Pots.TestCase
        case.settings = settings(
            max_examples=10,
            stateful_step_count=12,
            deadline=None,
            phases=(Phase.explicit, Phase.generate),  # to shrink takes minutes here
            suppress_health_check=list(HealthCheck),
        )
        case().runTest()
