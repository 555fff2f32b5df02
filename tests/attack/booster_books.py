"""A house's books of boosters, with which a player's client deals as with a real one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from cards.catalog.boosters import Booster
from crypto.encoding import b64, unb64
from crypto.fairness import Chain
from crypto.identity import public_key
from crypto.transcript import tuple_hash
from player.boosters import booster_file, open_booster
from player.house import ApiProblem, HouseInfo
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, Identity
from referee.booster_statements import (
    FIRST,
    BoosterTerms,
    file_bytes,
    opening_digest,
    rules_digest,
    seal_of,
    write_commitment,
    write_notice,
    write_opening,
    write_receipt,
)
from referee.boosters import BoosterReport, verify_boosters
from tests.player.memory_disk import MemoryDisk
from vectors.boosters import PLAYER, RULES, START
from vectors.example import HOUSE_PRIVATE_KEY, PRIVATE_KEYS

OURS = PRIVATE_KEYS[0]
HOUSE = public_key(HOUSE_PRIVATE_KEY)
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
    notices: list[dict[str, Any]] = field(default_factory=list)
    pending: dict[str, Any] | None = None

    def commit(self, secret: str) -> None:
        """Begin a chain."""
        chain = Chain(tuple_hash("test", secret.encode()))
        number = len(self.chains) + 1
        about = self.player, public_key(OURS), number, chain.anchor, START + number
        self.chains.append(write_commitment(HOUSE_PRIVATE_KEY, *about))
        self.secrets.append(chain)

    def give_up(self, secret: str) -> None:
        """Begin a chain, with a notice of the one before."""
        at = START + len(self.chains) + 1
        self.notices.append(write_notice(HOUSE_PRIVATE_KEY, self.chains[-1], self.secrets[-1], at))
        self.commit(secret)

    @property
    def prev(self) -> bytes:
        return opening_digest(self.openings[-1]) if self.openings else FIRST

    @property
    def since(self) -> int:
        found = 0
        for opening in self.openings:
            found = 0 if {7031, 7032} & {*opening["cards"]} else found + 1
        return found

    def terms(self, booster: str, seal: bytes, rules: Booster = RULES) -> BoosterTerms:
        """The terms on which a booster is opened next."""
        chain = self.chains[-1]
        return BoosterTerms(
            number=len(self.openings) + 1,
            prev=self.prev,
            player=self.player,
            booster=booster,
            rules=rules_digest(rules),
            since=self.since,
            chain=chain["chain"],
            anchor=unb64(chain["anchor"]),
            k=1 + sum(opening["chain"] == chain["chain"] for opening in self.openings),
            seal=seal,
        )

    def receive(self, terms: BoosterTerms, asked: bytes) -> dict[str, Any]:
        """A receipt of the house's for whatever it says was asked for."""
        return write_receipt(HOUSE_PRIVATE_KEY, terms, asked, START + 100 + len(self.openings))

    def open(self, receipt: Mapping[str, Any], nonce: bytes, rules: Booster = RULES) -> None:
        """Open a booster by a receipt."""
        link = self.secrets[receipt["chain"] - 1].link(receipt["k"])
        said, _ = write_opening(HOUSE_PRIVATE_KEY, receipt, link, nonce, rules)
        self.openings.append(said)
        self.pending = None
        if rules not in self.rules:
            self.rules.append(rules)

    def open_anyhow(self, booster: str, nonce: bytes, asked: bytes, rules: Booster = RULES) -> None:
        """Open a booster on the next terms, under a signature that the player gave for others."""
        self.open(self.receive(self.terms(booster, seal_of(nonce), rules), asked), nonce, rules)

    def copy(self) -> Books:
        lists = {
            name: [*getattr(self, name)] for name in ("rules", "chains", "secrets", "openings", "notices")
        }
        return replace(self, **lists)

    def file(self) -> bytes:
        asked = [] if self.pending is None else [{"receipt": self.pending, "nonce": None}]
        return file_bytes(self.player, self.rules, self.chains, self.notices, asked, self.openings)


class Here:
    """A house in this process, which does as it must."""

    def __init__(self, books: Books, shelf: Sequence[str]) -> None:
        self.books = books
        self.shelf = [*shelf]

    def house(self) -> HouseInfo:
        return HouseInfo("cloche/v1", HOUSE, "none", START)

    def boosters(self, state: str = "closed") -> Iterator[dict[str, Any]]:
        opened = {opening["booster"] for opening in self.books.openings}
        for booster in self.shelf:
            if (booster in opened) == (state == "opened"):
                yield {"id": booster, "rules": b64(rules_digest(RULES)), "set": "EX"}

    def booster_commitment(self, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self.books.chains[-1]

    def booster_record(self) -> bytes:
        return self.books.file()

    def ask_for_booster(
        self, booster_id: str, anchor: bytes, prev: bytes, seal: bytes, asked: bytes
    ) -> dict[str, Any]:
        if self.books.pending is not None:
            raise ApiProblem(409, "opening_pending", "Another opening waits.")
        if anchor != unb64(self.books.chains[-1]["anchor"]):
            raise ApiProblem(409, "stale_commitment", "Ask for the newest.")
        self.books.pending = self.books.receive(self.books.terms(booster_id, seal), asked)
        return self.books.pending

    def open_booster(self, booster_id: str, receipt: Mapping[str, Any], nonce: bytes) -> dict[str, Any]:
        self.books.open(receipt, nonce)
        return {"opening": self.books.openings[-1]}


def vault() -> PlayerVault:
    identity = Identity("ada", "http://127.0.0.1:9", HOUSE, OURS, "unused")
    return PlayerVault.create_on(MemoryDisk(), "a passphrase", identity, LOWEST_COST)


def before(ours: PlayerVault, opened: int = 3, more: int = 7) -> Here:
    """A house at which boosters were opened honestly, and more are closed."""
    books = Books()
    books.commit("first")
    here = Here(books, [booster_id(i) for i in range(1, opened + more)])
    for i in range(1, opened + 1):
        assert open_booster(here, ours, booster_id(i)) is not None
    return here


def checked(here: Here, ours: PlayerVault) -> BoosterReport:
    """The check of the file that the player can show to others, with the player's own receipts."""
    return verify_boosters(booster_file(here, ours), HOUSE)
