"""A house that looks for cards which it likes once it knows the player's nonce (docs/boosters.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any
from uuid import UUID

import pytest

from cards.catalog.boosters import Booster, counted
from cards.catalog.cards import Slot
from client.http import Api
from crypto.encoding import b64
from crypto.fairness import Chain
from crypto.identity import public_key
from crypto.transcript import tuple_hash
from player.boosters import open_on_terms, opening_terms
from player.house import HouseFault, HouseInfo
from player.vault_format import Identity
from referee.boosters import (
    FIRST,
    BoosterDraw,
    file_bytes,
    nonce_of,
    opening_digest,
    rules_digest,
    verify_boosters,
    write_commitment,
    write_opening,
)
from tests.attack.ledger import Outcome, attack
from vectors.boosters import OTHER, PLAYER, RULES, START
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS

OURS = PRIVATE_KEYS[0]
UNWANTED = frozenset({7001, 7011, 7021, 7031})
"""Cards that the house would keep for itself: few boosters have none of them."""
MOST = 64
"""Ways that it tries before it gives up."""


def booster_id(i: int) -> str:
    return str(UUID(int=i << 64 | 0x4000_8000_0000_0000_0000))


@dataclass
class Books:
    """The statements of a house about one player's boosters, all signed as they must be."""

    player: str = PLAYER
    rules: list[Booster] = field(default_factory=lambda: [RULES])
    chains: list[dict[str, Any]] = field(default_factory=list)
    secrets: list[Chain] = field(default_factory=list)
    openings: list[dict[str, Any]] = field(default_factory=list)
    since: int = 0

    def commit(self, secret: str) -> None:
        """Begin a chain."""
        chain = Chain(tuple_hash("test", secret.encode()))
        number = len(self.chains) + 1
        said = write_commitment(HOUSE_PRIVATE_KEY, self.player, number, chain.anchor, START)
        self.chains.append(said)
        self.secrets.append(chain)

    def open(self, booster: str, nonce: bytes, rules: Booster = RULES) -> None:
        """Open a booster by the next link of the newest chain."""
        number, chain = len(self.chains), self.secrets[-1]
        k = 1 + sum(opening["chain"] == number for opening in self.openings)
        prev = opening_digest(self.openings[-1]) if self.openings else FIRST
        drawn = BoosterDraw(self.player, booster, chain.anchor, k, chain.link(k), nonce, self.since)
        count = len(self.openings) + 1
        said, pack = write_opening(HOUSE_PRIVATE_KEY, count, prev, number, drawn, rules, START + count)
        self.since = counted(rules, self.since, pack)
        self.openings.append(said)
        if rules not in self.rules:
            self.rules.append(rules)

    def copy(self) -> Books:
        return replace(
            self,
            rules=[*self.rules],
            chains=[*self.chains],
            secrets=[*self.secrets],
            openings=[*self.openings],
        )

    def file(self) -> bytes:
        return file_bytes(self.player, self.rules, self.chains, self.openings)


def before() -> Books:
    """Three boosters were opened, honestly."""
    books = Books()
    books.commit("first")
    for i in (1, 2, 3):
        prev = opening_digest(books.openings[-1]) if books.openings else FIRST
        books.open(
            booster_id(i), nonce_of(OURS, PLAYER, books.secrets[0].anchor, prev, digest(), booster_id(i))
        )
    return books


def digest() -> bytes:
    return rules_digest(RULES)


Trick = Callable[[Books, str, bytes], Iterator[Books]]
"""Other books in which this booster is opened by this nonce, each with other cards."""


def other_rules(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """The same odds under other weights: another digest, so another stream."""
    for weight in range(2, MOST):
        slots = (Slot(2, (("common", weight),)), *RULES.slots[1:])
        found = books.copy()
        found.open(booster, nonce, Booster("EX", slots, RULES.pity, MappingProxyType(dict(RULES.cards))))
        yield found


def more_openings(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """Boosters that were never there, opened before it: another link."""
    found = books.copy()
    for i in range(MOST):
        found = found.copy()
        found.open(booster_id(100 + i), tuple_hash("test", b"any", length=32))
        then = found.copy()
        then.open(booster, nonce)
        yield then


def fewer_openings(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """Leave out the newest openings: the chain stands at an earlier link."""
    for keep in range(len(books.openings)):
        found = books.copy()
        found.openings, found.since = [], 0
        for opening in books.openings[:keep]:
            found.openings.append(opening)
            found.since = 0 if {7031, 7032} & {*opening["cards"]} else found.since + 1
        found.open(booster, nonce)
        yield found


def other_chain(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """A chain that was begun when the nonce was known."""
    for i in range(MOST):
        found = books.copy()
        found.commit(f"another {i}")
        found.open(booster, nonce)
        yield found


def other_player(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """The same chain, committed to for somebody else."""
    for i in range(MOST):
        found = Books(player=OTHER[:-2] + f"{i:02x}")
        found.commit("first")
        for opening in books.openings:
            found.open(opening["booster"], nonce)
        found.open(booster, nonce)
        yield found


def other_nonce(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """Sign as if the player had said something else."""
    for i in range(MOST):
        found = books.copy()
        found.open(booster, tuple_hash("test", bytes([i]), length=32))
        yield found


def other_booster(books: Books, booster: str, nonce: bytes) -> Iterator[Books]:
    """Another booster, opened by that nonce."""
    for i in range(MOST):
        found = books.copy()
        found.open(booster_id(200 + i), nonce)
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


class Steering(Api):
    """A house in this process; with a trick it takes the first books whose cards it likes."""

    def __init__(self, books: Books, trick: Trick | None = None, unwanted: frozenset[int] = UNWANTED) -> None:
        super().__init__("http://127.0.0.1:9")
        self.books = books
        self.trick = trick
        self.unwanted = unwanted
        self.shelf = [{"id": booster_id(9), "rules": b64(digest())}]

    def boosters(self, state: str = "closed") -> Iterator[dict[str, Any]]:
        yield from self.shelf if state == "closed" else ()

    def me(self) -> dict[str, Any]:
        return {"id": self.books.player}

    def house(self) -> HouseInfo:
        return HouseInfo("cloche/v1", public_key(HOUSE_PRIVATE_KEY), "none", START)

    def booster_commitment(self) -> dict[str, Any]:
        return self.books.chains[-1]

    def booster_record(self) -> bytes:
        return self.books.file()

    def open_booster(self, booster_id: str, anchor: bytes, nonce: bytes) -> dict[str, Any]:
        if self.trick is None:
            self.books.open(booster_id, nonce)
        else:
            likes = (b for b in self.trick(self.books, booster_id, nonce) if self.liked(b))
            self.books = next(likes)
        return {"opening": self.books.openings[-1]}

    def liked(self, books: Books) -> bool:
        return not self.unwanted & {*books.openings[-1]["cards"]}


def identity() -> Identity:
    return Identity("ada", "http://127.0.0.1:9", public_key(HOUSE_PRIVATE_KEY), OURS, "unused")


def test_an_honest_house_opens_what_was_agreed() -> None:
    """The player asks again for a lost answer, with the same nonce."""
    api = Steering(before())
    agreed = opening_terms(api, identity(), booster_id(9))
    assert agreed is not None
    opening = open_on_terms(api, identity(), agreed)
    assert opening["number"] == 4
    assert opening_terms(api, identity(), booster_id(9)) == agreed
    assert opening_terms(api, identity(), booster_id(8)) is None, "not on the shelf"


@attack(
    "a booster steered by all but its link, once the nonce is known",
    "boosters 3",
    knows="the house's key and chain, and the nonce",
)
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__)
def test_a_house_that_steers(trick: Trick, outcome: Outcome) -> None:
    """Every file that it shows holds by itself; the player alone can know that it is not what was agreed."""
    books = before()
    api = Steering(books, trick, frozenset() if trick is fewer_openings else UNWANTED)
    agreed = opening_terms(api, identity(), booster_id(9))
    assert agreed is not None
    with pytest.raises(HouseFault) as caught:
        open_on_terms(api, identity(), agreed)
    assert caught.value.code == "other_opening"
    assert verify_boosters(api.books.file(), public_key(HOUSE_PRIVATE_KEY)).valid
    outcome.rejected(sum(1 for _ in trick(books, agreed.booster, agreed.nonce)))
