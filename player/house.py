"""A house as a player's side meets it: what it is asked, what it answers, and what it must never do.

`House` is the seam to the network. `client.http.Api` fulfils it over HTTP; a browser brings its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from referee import Entry
from referee.message import Message, Receipt
from referee.record import PROTOCOL
from referee.succession import Succession, leads


@dataclass(frozen=True, slots=True)
class HouseInfo:
    """The facts that a house states about itself."""

    protocol: str
    key: bytes
    """The house's Ed25519 public key. It signs every entry of games that begin now."""
    engine: str
    """The curve engine that the house runs on."""
    time: int
    """The house's clock in milliseconds since 1970."""
    successions: Sequence[Succession] = ()
    """The steps by which that key came from earlier keys.

    Each step is checked, and both of its keys have signed it.
    """

    def succeeds(self, key: bytes) -> bool:
        """Tell whether the house's key is this one or follows from it."""
        return leads(self.successions, key, self.key)


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table as the house shows it."""

    id: str
    mode: str
    options: Mapping[str, Any]
    """Every option, also those that have their defaults."""
    seats: Sequence[Mapping[str, Any] | None]
    """The players by seat; None where a seat is free."""
    state: str
    """ "open", "playing", "cancelled" or "expired"."""
    game: str | None
    """The id of the game, once it has begun."""
    opened_by: str
    """A handle."""
    private: bool
    spectators: bool
    """True if everybody may watch the game while it runs."""
    invitation: str | None
    """The code that others need to join; only of a private table at which I sit."""
    rematch_of: str | None
    """The game whose players have their seats kept here."""
    format: str | None = None
    """The format that every deck at this table must keep. Houses of older versions name none."""
    rated: bool = False
    """True if the game changes its players' ratings. Houses of older versions rate nothing."""


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """The house's answer to a message: its receipt, and where the message stands in the record."""

    receipt: Receipt
    seq: int | None
    """The number of the entry; None while the message waits beside the record."""


class ApiProblem(Exception):
    """The house refused a request (RFC 9457).

    `status` is HTTP's, `code` is stable, `detail` is for people, and `errors` lists every fault found.
    """

    def __init__(self, status: int, code: str, detail: str, errors: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(f"{detail} ({code})")
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = tuple(errors)

    @property
    def pointer(self) -> str | None:
        """The field of the first fault, as a JSON pointer into the body of the request."""
        return next((error["pointer"] for error in self.errors if "pointer" in error), None)


class Unreachable(Exception):
    """Nobody answers at the house's address, or what answers is not a house of this version."""


class HouseFault(Exception):
    """The house has broken the protocol. `code` is stable; `evidence` is JSON that others can check.

    `record` holds the entries so far, as they were verified. They belong to the evidence (protocol 10.7).
    """

    def __init__(
        self,
        code: str,
        text: str,
        evidence: Mapping[str, Any] | None = None,
        record: Sequence[Entry] = (),
    ) -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.evidence = dict(evidence or {})
        self.record = tuple(record)

    def json(self) -> dict[str, Any]:
        """Code, text, evidence and record as one JSON object."""
        told = {"code": self.code, "text": self.text, "evidence": self.evidence}
        entries = [entry.json() for entry in self.record]
        return {**told, "record": {"protocol": PROTOCOL, "entries": entries}} if entries else told


class House(Protocol):
    """The requests of a seat to the house where it plays.

    Every call may raise `ApiProblem` or `Unreachable`.
    """

    def house(self) -> HouseInfo:
        """The house's key, clock and successions."""
        ...

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        """The entries after number `after`, and whether more follow.

        Waits up to `wait` seconds for the first one.
        """
        ...

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        """The house's signed statements of the asking player's cards (protocol section 7)."""
        ...

    def certificate(self, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
        """The house's certificate of the seat's deck under a 32-byte seed."""
        ...

    def send(self, message: Message) -> Acknowledgement:
        """Post a message to its game."""
        ...

    def pause(self, seconds: float) -> None:
        """Do nothing for so long."""
        ...


class BoosterHouse(Protocol):
    """The requests of a player who opens boosters. They raise like `House`."""

    def house(self) -> HouseInfo:
        """The house's key, clock and successions."""
        ...

    def boosters(self, state: str = "closed") -> Iterable[dict[str, Any]]:
        """The player's boosters that are "closed", or those that are "opened"."""
        ...

    def booster_commitment(self, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The house's commitment for the player's next openings; `known` is one that the player has."""
        ...

    def ask_for_booster(
        self, booster_id: str, anchor: bytes, prev: bytes, seal: bytes, asked: bytes
    ) -> dict[str, Any]:
        """The house's receipt for an opening.

        The player asks by the chain's anchor, the digest of the opening before, the sealed nonce, and a
        signature.
        """
        ...

    def open_booster(self, booster_id: str, receipt: Mapping[str, Any], nonce: bytes) -> dict[str, Any]:
        """Open a booster with the house's receipt and the player's 32-byte nonce."""
        ...

    def booster_record(self) -> bytes:
        """The file of everything that the player has asked for and opened."""
        ...
