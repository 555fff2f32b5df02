"""A house that looks for cards which it likes once it knows the player's nonce (docs/boosters.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from cards.catalog.boosters import Booster
from cards.catalog.cards import Slot
from crypto.encoding import b64, canonical, parse, unb64
from crypto.transcript import tuple_hash
from player.booster_notes import GONE, NotedReceipt
from player.boosters import BoosterWatch, open_booster, own_file
from player.house import ApiProblem, HouseFault
from referee.booster_statements import (
    ask_digest,
    seal_of,
)
from referee.boosters import AskedBooster, verify_boosters
from tests.attack.booster_books import (
    HOUSE,
    MOST,
    OURS,
    UNWANTED,
    Books,
    Here,
    before,
    booster_id,
    checked,
    vault,
)
from tests.attack.ledger import Outcome, attack
from vectors.boosters import OTHER, RULES


def test_an_honest_house_opens_what_was_asked_for() -> None:
    """A receipt whose nonce was not shown, or whose answer was lost, is followed up from any device."""
    ours = vault()
    here = before(ours)
    lost = here.open_booster

    def cut(*_: Any) -> dict[str, Any]:
        raise ConnectionError

    here.open_booster = cut  # type: ignore[method-assign]
    with pytest.raises(ConnectionError):
        open_booster(here, ours, booster_id(4))
    here.open_booster = lost  # type: ignore[method-assign]
    [noted] = [n for n in ours.boosters.receipts if n.receipt["number"] == 4]
    another = vault()
    opening = open_booster(here, another, booster_id(5))
    assert opening is not None
    assert (opening["number"], here.books.openings[3]["nonce"]) == (5, b64(noted.nonce))
    assert open_booster(here, ours, booster_id(4)) == here.books.openings[3]
    assert open_booster(here, ours, booster_id(99)) is None
    assert checked(here, ours).valid


Trick = Callable[[Books, str, bytes, bytes], Iterator[Books]]
"""Other books in which this booster is opened by this nonce, each with other cards. The last parameter is the
player's signature under the ask."""


def other_rules(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """The same odds under other weights: another digest, so another stream."""
    for weight in range(2, MOST):
        slots = (Slot(2, (("common", weight),)), *RULES.slots[1:])
        found = books.copy()
        rules = Booster("EX", slots, RULES.pity, MappingProxyType(dict(RULES.cards)))
        found.open_anyhow(booster, nonce, asked, rules)
        yield found


def more_openings(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """Boosters that were never there, opened before it: another link."""
    found = books.copy()
    for i in range(MOST):
        found = found.copy()
        found.open_anyhow(booster_id(100 + i), tuple_hash("test", b"any", length=32), asked)
        then = found.copy()
        then.open_anyhow(booster, nonce, asked)
        yield then


def fewer_openings(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """Leave out the newest openings: the chain stands at an earlier link."""
    for keep in range(len(books.openings)):
        found = books.copy()
        found.openings = books.openings[:keep]
        found.open_anyhow(booster, nonce, asked)
        yield found


def other_chain(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """A chain that was begun when the nonce was known, with a notice of the one before."""
    for i in range(MOST):
        found = books.copy()
        found.give_up(f"another {i}")
        found.open_anyhow(booster, nonce, asked)
        yield found


def other_player(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """The same chain, committed to for somebody else."""
    for i in range(MOST):
        found = Books(player=OTHER[:-2] + f"{i:02x}")
        found.commit("first")
        for opening in books.openings:
            found.open_anyhow(opening["booster"], nonce, asked)
        found.open_anyhow(booster, nonce, asked)
        yield found


def other_nonce(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """Sign as if the player had said something else."""
    for i in range(MOST):
        found = books.copy()
        found.open_anyhow(booster, tuple_hash("test", bytes([i]), length=32), asked)
        yield found


def other_booster(books: Books, booster: str, nonce: bytes, asked: bytes) -> Iterator[Books]:
    """Another booster, opened by that nonce."""
    for i in range(MOST):
        found = books.copy()
        found.open_anyhow(booster_id(200 + i), nonce, asked)
        yield found


TRICKS: tuple[Trick, ...] = (
    other_rules,
    more_openings,
    fewer_openings,
    other_chain,
    other_player,
    other_nonce,
    other_booster,
)


class Steering(Here):
    """With a trick, the house takes the first books whose cards it likes."""

    def __init__(self, here: Here, trick: Trick, unwanted: frozenset[int] = UNWANTED) -> None:
        super().__init__(here.books, here.shelf)
        self.trick = trick
        self.unwanted = unwanted

    def open_booster(self, booster_id: str, receipt: Mapping[str, Any], nonce: bytes) -> dict[str, Any]:
        asked = unb64(receipt["asked"])
        books = replace(self.books, pending=None)
        self.books = next(b for b in self.trick(books, booster_id, nonce, asked) if self.liked(b))
        return {"opening": self.books.openings[-1]}

    def liked(self, books: Books) -> bool:
        return not self.unwanted & {*books.openings[-1]["cards"]}


@attack(
    "a booster steered by all but its link, once the nonce is known",
    "boosters 3",
    knows="the house's key and chain, and the nonce",
)
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_a_house_that_steers(trick: Trick, outcome: Outcome) -> None:
    """What it signs is not what the player has asked for, and the file alone convicts it."""
    ours = vault()
    here = before(ours)
    api = Steering(here, trick, frozenset() if trick is fewer_openings else UNWANTED)
    with pytest.raises(HouseFault) as caught:
        open_booster(api, ours, booster_id(9))
    papers = canonical(caught.value.evidence["file"])
    assert not verify_boosters(papers, HOUSE).valid
    noted = ours.boosters.receipts[-1]
    asked = unb64(noted.receipt["asked"])
    outcome.rejected(sum(1 for _ in trick(here.books, booster_id(9), noted.nonce, asked)))


class Fussy(Here):
    """A house that refuses openings whose cards it dislikes as stale, and commits itself to another chain.

    `wanted` tells which packs it lets go. With `notices` it publishes the chains that it gives up.
    """

    def __init__(self, here: Here, wanted: Callable[[Sequence[int]], bool], *, notices: bool) -> None:
        super().__init__(here.books, here.shelf)
        self.wanted, self.notices = wanted, notices
        self.refused = 0

    def booster_commitment(self, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self.books.chains[-1]

    def open_booster(self, booster_id: str, receipt: Mapping[str, Any], nonce: bytes) -> dict[str, Any]:
        tried = self.books.copy()
        tried.open(receipt, nonce)
        if self.wanted(tried.openings[-1]["cards"]):
            self.books = tried
            return {"opening": tried.openings[-1]}
        self.refused += 1
        self.books.pending = None
        begin = self.books.give_up if self.notices else self.books.commit
        begin(f"another {len(self.books.chains)}")
        raise ApiProblem(409, "stale_commitment", "The house has a newer commitment for you.")


def no_legendary(cards: Sequence[int]) -> bool:
    return not {7031, 7032} & {*cards}


@attack(
    "openings refused as stale until the cards are to the house's liking",
    "boosters 3 and 5",
    knows="the house's key and chain, and the nonce",
)
@pytest.mark.parametrize("notices", [True, False], ids=["with a notice", "without"])
def test_a_house_that_refuses_what_it_dislikes(notices: bool, outcome: Outcome) -> None:
    """The player never asks anew for what has a receipt: the disliked booster alone can come next."""
    ours = vault()
    books = Books()
    books.commit("first")
    api = Fussy(Here(books, [booster_id(i) for i in range(1, 60)]), no_legendary, notices=notices)
    tries = 0
    found: HouseFault | None = None
    for i in range(1, 60):
        try:
            open_booster(api, ours, booster_id(i))
        except HouseFault as fault:
            found = fault
            break
    assert found is not None
    assert found.code == ("opening_refused" if notices else "chain_given_up")
    opened = len(api.books.openings)
    for _ in range(10):  # however often the player comes back, for whichever booster
        with pytest.raises(HouseFault):
            open_booster(api, ours, booster_id(40))
        tries += 1
    assert len(api.books.openings) == opened
    assert len(ours.boosters.receipts) == opened + 1
    report = checked(api, ours)
    assert report.valid == notices
    if notices:
        [owed] = [asked for asked in report.asked if not asked.as_asked]
        assert owed.would is not None
        assert not no_legendary(owed.would)
        assert owed.opened is None
    api.wanted = lambda cards: True
    if notices:  # once it gives in, the player has the cards that were fixed at first
        assert open_booster(api, ours, owed.booster) is not None
        assert tuple(api.books.openings[opened]["cards"]) == owed.would
        assert checked(api, ours).valid
    outcome.rejected(tries)


@attack(
    "a receipt refused until the nonce is to the house's liking",
    "boosters 3",
    knows="the house's key and chain, and the sealed nonce",
)
def test_before_its_receipt_the_house_does_not_know_the_nonce(outcome: Outcome) -> None:
    """It may refuse as many asks as it likes: it sees a seal and a signature, and neither gives the nonce."""
    ours = vault()
    here = before(ours)
    seals: set[bytes] = set()

    class Refusing(Here):
        def ask_for_booster(
            self, booster_id: str, anchor: bytes, prev: bytes, seal: bytes, asked: bytes
        ) -> dict[str, Any]:
            seals.add(seal)
            self.books.give_up(f"another {len(self.books.chains)}")
            raise ApiProblem(409, "stale_commitment", "The house has a newer commitment for you.")

        def open_booster(self, *_: Any) -> dict[str, Any]:
            raise AssertionError("no nonce is shown without a receipt")

    api = Refusing(here.books, here.shelf)
    with pytest.raises(ApiProblem):
        open_booster(api, ours, booster_id(9))
    assert len(seals) > 1, "each ask has a nonce of its own"
    assert len(ours.boosters.receipts) == 3
    outcome.rejected(len(seals))


class Told(BoosterWatch):
    """Notes which receipts the house has made void."""

    def __init__(self) -> None:
        self.void_ones: list[tuple[NotedReceipt, AskedBooster]] = []

    def void(self, noted: NotedReceipt, asked: AskedBooster) -> None:
        self.void_ones.append((noted, asked))


@attack(
    "openings that the house forgets once it has seen them", "boosters 5", knows="the house's key and chain"
)
@pytest.mark.parametrize("notice", [True, False], ids=["with a notice", "without"])
def test_a_house_that_forgets_what_it_dislikes(notice: bool, outcome: Outcome) -> None:
    """The player has the receipts: the openings come again to the byte, or the house is convicted."""
    ours = vault()
    here = before(ours)
    openings = [*here.books.openings]
    here.books.openings = openings[:1]
    (here.books.give_up if notice else here.books.commit)("second")
    if not notice:
        with pytest.raises(HouseFault) as caught:
            open_booster(here, ours, booster_id(4))
        assert caught.value.code == "chain_given_up"
        assert not checked(here, ours).valid
        outcome.rejected(1)
        return
    opening = open_booster(here, ours, booster_id(4))
    assert here.books.openings == [*openings, opening]
    assert checked(here, ours).valid
    outcome.rejected(2)


def test_a_house_that_was_restored_from_before_a_purchase() -> None:
    """Its books lack the booster that came first: the others are asked for anew, and both draws are shown."""
    ours, told = vault(), Told()
    here = before(ours)
    lost = here.shelf.pop(1)
    openings = [*here.books.openings]
    here.books.openings = openings[:1]
    here.books.give_up("second")
    opening = open_booster(here, ours, booster_id(3), told)
    assert opening is not None
    assert (opening["number"], opening["chain"]) == (2, 2)
    assert [noted.receipt["booster"] for noted, _ in told.void_ones] == [lost, booster_id(3)]
    report = checked(here, ours)
    assert report.valid, report.fault
    shown = [(asked.number, asked.would, asked.opened) for asked in report.asked if not asked.as_asked]
    cards = [tuple(said["cards"]) for said in openings]
    assert shown == [(2, cards[1], None), (3, cards[2], 2)]
    again = Told()
    assert open_booster(here, ours, booster_id(5), again) is not None
    assert again.void_ones == []


@attack(
    "a booster hidden until the one after it was asked for anew",
    "boosters 5",
    knows="the house's key and chain, and the nonces",
)
def test_a_house_that_hides_a_booster_for_a_while(outcome: Outcome) -> None:
    ours = vault()
    here = before(ours)
    hidden = here.shelf.pop(1)
    here.books.openings = here.books.openings[:1]
    here.books.give_up("second")
    assert open_booster(here, ours, booster_id(4)) is not None
    assert [noted.void for noted in ours.boosters.receipts if noted.receipt["booster"] == hidden] == [GONE]
    here.shelf.append(hidden)
    with pytest.raises(HouseFault) as caught:
        open_booster(here, ours, booster_id(5))
    assert caught.value.code == "booster_hidden"
    outcome.rejected(1)


@attack("a commitment that the house denies", "boosters 5", knows="the house's key and chain")
def test_a_house_that_shows_another_chain(outcome: Outcome) -> None:
    ours = vault()
    here = before(ours, opened=0)
    ours.keep_boosters(ours.boosters.with_commitment(here.books.chains[0]))
    other = Here(Books(), here.shelf)
    other.books.commit("another first")
    with pytest.raises(HouseFault) as caught:
        open_booster(other, ours, booster_id(1))
    assert caught.value.code == "chain_forgotten"
    assert caught.value.evidence["commitment"] == here.books.chains[0]
    outcome.rejected(1)


@attack("a receipt for something else than was asked for", "boosters 3", knows="the house's key and chain")
@pytest.mark.parametrize(
    "change", [{"k": 2}, {"number": 9}, {"since": 7}, {"booster": booster_id(7)}], ids=str
)
def test_a_receipt_on_other_terms(change: dict[str, Any], outcome: Outcome) -> None:
    """The nonce is never shown for it."""
    ours = vault()
    here = before(ours)

    class Other(Here):
        def ask_for_booster(self, booster_id: str, *about: Any) -> dict[str, Any]:
            terms = replace(self.books.terms(booster_id, about[2]), **change)
            return self.books.receive(terms, about[3])

        def open_booster(self, *_: Any) -> dict[str, Any]:
            raise AssertionError("the nonce is not shown")

    with pytest.raises(HouseFault) as caught:
        open_booster(Other(here.books, here.shelf), ours, booster_id(9))
    assert caught.value.code == "bad_signature"
    outcome.rejected(1)


def test_what_the_house_leaves_out_is_in_the_players_file() -> None:
    """The receipt for a link convicts a house that opens another booster by it."""
    ours = vault()
    here = before(ours)
    noted = ours.boosters.receipts[-1]
    books = here.books
    books.openings.pop()
    again = books.terms(booster_id(8), noted_seal := seal_of(noted.nonce))
    receipt = books.receive(again, again.signed(OURS))
    books.open(receipt, noted.nonce)
    assert unb64(receipt["seal"]) == noted_seal
    assert ask_digest(receipt) != ask_digest(noted.receipt)
    assert verify_boosters(books.file(), HOUSE).valid
    fault = verify_boosters(own_file(books.file(), ours.boosters.receipts), HOUSE).fault
    assert fault is not None
    assert fault.code == "other_opening"
    assert parse(books.file())["asked"] == []
