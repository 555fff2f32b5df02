"""The pantry: ERC-721 case by case, and copies that leave and come back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chain.calls import Reverted, keccak256
from chain.evm import MOST_GAS
from chain.hints import hints
from crypto.identity import public_key
from referee.on_chain import Place, copies_out
from tests.chain.house_kit import (
    ANNA,
    BASE,
    BEN,
    CLARA,
    DAY,
    KEY,
    PLAYER,
    Deployed,
    deployed,
    new_chain,
    token,
    unchanged,
)
from tests.chain.receivers import receiver

NOBODY = bytes(20)
OTHER = bytes(31) + b"\x01"
ONE, TWO, THREE = token(1), token(2), token(3)


@pytest.fixture(scope="module")
def built() -> Deployed:
    """Anna has two tokens."""
    pantry = deployed(new_chain(), "pantry", "Copies of a house", BASE)
    pantry.send("bring_out", *pantry.out(ANNA, [(ONE, 1), (TWO, 1)]))
    return pantry


@pytest.fixture
def pantry(built: Deployed) -> Iterator[Deployed]:
    with unchanged(built.machine):
        yield built


# ERC-721


@pytest.mark.parametrize(
    ("interface", "there"),
    [("01ffc9a7", True), ("80ac58cd", True), ("5b5e139f", True), ("780e9d63", False), ("ffffffff", False)],
)
def test_interfaces_are_told(pantry: Deployed, interface: str, there: bool) -> None:
    assert pantry.ask("supportsInterface", bytes.fromhex(interface)) is there


def test_name_symbol_and_uri(pantry: Deployed) -> None:
    assert pantry.ask("name") == "Copies of a house"
    assert pantry.ask("symbol") == "CLOCHE"
    assert pantry.ask("tokenURI", ONE) == f"{BASE}{ONE:064x}"
    assert pantry.ask("key") == KEY


def test_balances_count_tokens(pantry: Deployed) -> None:
    assert pantry.ask("balanceOf", ANNA) == 2
    assert pantry.ask("balanceOf", BEN) == 0
    pantry.refuses("owner", "balanceOf", NOBODY)


@pytest.mark.parametrize("name", ["ownerOf", "getApproved", "tokenURI"])
def test_a_token_that_is_not_there_has_nothing(pantry: Deployed, name: str) -> None:
    pantry.refuses("token", name, THREE)


def test_an_owner_transfers(pantry: Deployed) -> None:
    told = pantry.told(pantry.send("transferFrom", ANNA, BEN, ONE))
    assert told == [("Transfer", {"sender": ANNA, "receiver": BEN, "token": ONE})]
    assert pantry.ask("ownerOf", ONE) == BEN
    assert (pantry.ask("balanceOf", ANNA), pantry.ask("balanceOf", BEN)) == (1, 1)
    assert pantry.ask("trips", ONE) == 1


def test_a_transfer_to_oneself_changes_nothing(pantry: Deployed) -> None:
    pantry.send("transferFrom", ANNA, ANNA, ONE)
    assert pantry.ask("ownerOf", ONE) == ANNA
    assert pantry.ask("balanceOf", ANNA) == 2


def test_nobody_else_transfers(pantry: Deployed) -> None:
    pantry.refuses("sender", "transferFrom", ANNA, BEN, ONE, by=BEN)
    pantry.refuses("owner", "transferFrom", BEN, CLARA, ONE, by=BEN)
    pantry.refuses("owner", "transferFrom", BEN, CLARA, ONE, by=ANNA)
    pantry.refuses("receiver", "transferFrom", ANNA, NOBODY, ONE)
    pantry.refuses("token", "transferFrom", ANNA, BEN, THREE)


def test_one_who_is_approved_transfers_once(pantry: Deployed) -> None:
    told = pantry.told(pantry.send("approve", BEN, ONE))
    assert told == [("Approval", {"owner": ANNA, "approved": BEN, "token": ONE})]
    assert pantry.ask("getApproved", ONE) == BEN
    pantry.refuses("sender", "transferFrom", ANNA, BEN, TWO, by=BEN)
    pantry.send("transferFrom", ANNA, CLARA, ONE, by=BEN)
    assert pantry.ask("getApproved", ONE) == NOBODY
    pantry.refuses("sender", "transferFrom", CLARA, BEN, ONE, by=BEN)


def test_an_approval_is_taken_back(pantry: Deployed) -> None:
    pantry.send("approve", BEN, ONE)
    pantry.send("approve", NOBODY, ONE)
    pantry.refuses("sender", "transferFrom", ANNA, BEN, ONE, by=BEN)


def test_only_owners_and_operators_approve(pantry: Deployed) -> None:
    pantry.refuses("sender", "approve", BEN, ONE, by=BEN)
    pantry.refuses("token", "approve", BEN, THREE)
    pantry.send("approve", BEN, ONE)
    pantry.refuses("sender", "approve", CLARA, ONE, by=BEN)


def test_an_operator_has_all_tokens_of_an_owner(pantry: Deployed) -> None:
    told = pantry.told(pantry.send("setApprovalForAll", BEN, True))
    assert told == [("ApprovalForAll", {"owner": ANNA, "operator": BEN, "approved": True})]
    assert pantry.ask("isApprovedForAll", ANNA, BEN) is True
    pantry.send("approve", CLARA, ONE, by=BEN)
    pantry.send("transferFrom", ANNA, BEN, TWO, by=BEN)
    pantry.send("transferFrom", BEN, CLARA, TWO, by=BEN)
    pantry.refuses("sender", "transferFrom", CLARA, BEN, TWO, by=BEN)
    pantry.send("setApprovalForAll", BEN, False)
    pantry.refuses("sender", "transferFrom", ANNA, BEN, ONE, by=BEN)


@pytest.mark.parametrize("data", [None, b"", b"for you"])
def test_a_safe_transfer_asks_a_contract(pantry: Deployed, data: bytes | None) -> None:
    to = receiver(pantry.machine, "takes")
    given = [ANNA, to, ONE] if data is None else [ANNA, to, ONE, data]
    receipt = pantry.send("safeTransferFrom", *given)
    assert pantry.ask("ownerOf", ONE) == to
    seen = [log for log in receipt.logs if log.address == to]
    expected = keccak256((data or b"") + ANNA + ANNA + ONE.to_bytes(32, "big"))
    assert [log.data for log in seen] == [expected]


@pytest.mark.parametrize("kind", ["refuses", "answers otherwise", "has no such function"])
def test_a_safe_transfer_to_a_contract_that_takes_none_fails(pantry: Deployed, kind: str) -> None:
    to = receiver(pantry.machine, kind)
    why = {"refuses": "no", "answers otherwise": "receiver", "has no such function": ""}[kind]
    pantry.refuses(why, "safeTransferFrom", ANNA, to, ONE)
    assert pantry.ask("ownerOf", ONE) == ANNA
    pantry.send("transferFrom", ANNA, to, ONE)


def test_a_safe_transfer_to_a_wallet_asks_nobody(pantry: Deployed) -> None:
    pantry.send("safeTransferFrom", ANNA, BEN, ONE)
    assert pantry.ask("ownerOf", ONE) == BEN
    pantry.refuses("owner", "safeTransferFrom", ANNA, BEN, ONE)
    pantry.refuses("sender", "safeTransferFrom", ANNA, BEN, TWO, b"", by=BEN)


def test_nothing_takes_ether(pantry: Deployed) -> None:
    pantry.machine.fund(ANNA, 10)
    pantry.refuses("", "approve", BEN, ONE, value=1)


# Out and back


def test_a_copy_comes_out_by_the_houses_word(pantry: Deployed) -> None:
    receipt = pantry.send("bring_out", *pantry.out(BEN, [(THREE, 1)]), by=CLARA)
    assert pantry.told(receipt) == [
        ("Transfer", {"sender": NOBODY, "receiver": BEN, "token": THREE}),
        ("Out", {"trip": 1, "receiver": BEN, "token": THREE}),
    ]
    assert pantry.ask("ownerOf", THREE) == BEN


def test_sixty_come_out_at_once(pantry: Deployed) -> None:
    listed = [(token(100 + i), 1) for i in range(60)]
    receipt = pantry.send("bring_out", *pantry.out(BEN, listed))
    assert receipt.answer.gas < MOST_GAS
    assert pantry.ask("balanceOf", BEN) == 60
    pantry.refuses("", "bring_out", *pantry.out(BEN, [(token(200 + i), 1) for i in range(61)]))


def test_a_statement_is_used_once(pantry: Deployed) -> None:
    said = pantry.out(BEN, [(THREE, 1)])
    pantry.send("bring_out", *said)
    pantry.refuses("token", "bring_out", *said)
    pantry.send("take_back", THREE, PLAYER, by=BEN)
    pantry.refuses("trip", "bring_out", *said)
    pantry.send("bring_out", *pantry.out(BEN, [(THREE, 2)]))
    assert pantry.ask("trips", THREE) == 2


def test_a_token_stands_once_in_a_statement(pantry: Deployed) -> None:
    pantry.refuses("token", "bring_out", *pantry.out(BEN, [(THREE, 1), (THREE, 2)]))


def test_trips_are_counted_from_one(pantry: Deployed) -> None:
    for trip in (0, 2, 3, 2**96, 2**256 - 1):
        pantry.refuses("trip", "bring_out", *pantry.out(BEN, [(THREE, trip)]))


def test_a_statement_holds_for_a_day(pantry: Deployed) -> None:
    now = pantry.machine.time
    pantry.refuses("until", "bring_out", *pantry.out(BEN, [(THREE, 1)], until=now + DAY + 1))
    pantry.refuses("until", "bring_out", *pantry.out(BEN, [(THREE, 1)], until=now - 1))
    pantry.refuses("until", "bring_out", *pantry.out(BEN, [(THREE, 1)], until=2**256 - 1))
    pantry.send("bring_out", *pantry.out(BEN, [(THREE, 1)], until=now))


def test_no_part_of_a_statement_can_be_changed(pantry: Deployed) -> None:
    said = pantry.out(BEN, [(THREE, 1)])
    for at, other in ((0, CLARA), (1, said[1] - 1), (2, [token(4)])):
        changed = [*said[:at], other, *said[at + 1 :]]
        # The hints are those of another digest: the contract says that, or that the signature is false.
        with _any_refusal():
            pantry.send("bring_out", *changed)


def _any_refusal() -> Any:
    return pytest.raises(Reverted, match=r"hint|signature|key")


def test_other_signers_places_and_lengths_are_refused(pantry: Deployed) -> None:
    pantry.refuses("signature", "bring_out", *_hinted(pantry, private=OTHER))
    here = pantry.place
    for place in (Place(here.chain_id + 1, here.contract), Place(here.chain_id, ANNA)):
        pantry.refuses("signature", "bring_out", *_hinted(pantry, place=place))
    receiver_, until, tokens, _, *signature = pantry.out(BEN, [(THREE, 1)])
    pantry.refuses("length", "bring_out", receiver_, until, tokens, [], *signature)
    pantry.refuses("length", "bring_out", receiver_, until, [], [], *signature)
    pantry.refuses("receiver", "bring_out", *pantry.out(NOBODY, [(THREE, 1)]))


def _hinted(pantry: Deployed, **other: Any) -> tuple[Any, ...]:
    """A statement that is signed otherwise, with hints that lead the contract to its plain no."""
    said = pantry.out(BEN, [(THREE, 1)], **other)
    digest = copies_out(pantry.place, BEN, said[1], [(THREE.to_bytes(32, "big"), 1)])
    return (*said[:4], said[4], hints(KEY, digest, b"".join(said[4])))


def test_only_its_owner_takes_a_token_back(pantry: Deployed) -> None:
    pantry.send("approve", BEN, ONE)
    pantry.send("setApprovalForAll", CLARA, True)
    for other in (BEN, CLARA):
        pantry.refuses("sender", "take_back", ONE, PLAYER, by=other)
    told = pantry.told(pantry.send("take_back", ONE, PLAYER))
    assert told == [
        ("Transfer", {"sender": ANNA, "receiver": NOBODY, "token": ONE}),
        ("Back", {"trip": 1, "player": PLAYER, "token": ONE}),
    ]
    pantry.refuses("token", "ownerOf", ONE)
    assert pantry.ask("balanceOf", ANNA) == 1
    pantry.refuses("token", "take_back", ONE, PLAYER)


def test_an_approval_ends_with_the_trip(pantry: Deployed) -> None:
    pantry.send("approve", BEN, ONE)
    pantry.send("take_back", ONE, PLAYER)
    pantry.send("bring_out", *pantry.out(ANNA, [(ONE, 2)]))
    assert pantry.ask("getApproved", ONE) == NOBODY
    pantry.refuses("sender", "transferFrom", ANNA, BEN, ONE, by=BEN)


# The house's key


def test_the_pantry_follows_the_house_to_a_new_key(pantry: Deployed) -> None:
    new = public_key(OTHER)
    told = pantry.told(pantry.send("succeed", *pantry.succession(new)))
    assert told == [("Succeeded", {"old": KEY, "new": new})]
    assert pantry.ask("key") == new
    pantry.send("bring_out", *pantry.out(BEN, [(THREE, 1)], private=OTHER))
    with _any_refusal():
        pantry.send("bring_out", *pantry.out(BEN, [(token(4), 1)]))


def test_nobody_else_names_a_new_key(pantry: Deployed) -> None:
    with _any_refusal():
        pantry.send("succeed", *pantry.succession(public_key(OTHER), OTHER))
    assert pantry.ask("key") == KEY
