"""What a player should hear of the house's doings that no record convicts it of: times, and links that count.

It is pure: the caller has the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from crypto.encoding import parse_timestamp
from referee import Entry, Game
from referee.clocks import late
from referee.fold import MOST_WITHHELD
from referee.header import LINKS
from referee.message import Receipt

CODES = frozenset({"early_timeout", "link_withheld", "lock_forgotten", "stood_in"})
"""The stable codes of all concerns."""
TOLERANCE = 1_000
"""Milliseconds by which clocks may differ before a time-out counts as early."""


@dataclass(frozen=True, slots=True)
class Concern:
    """Something that a player should know at once. `code` is one of `CODES`, `text` is a sentence or more."""

    code: str
    text: str


OnConcern = Callable[[Concern], None]


@dataclass
class HouseClock:
    """The house's clock as our own shows it, by the receipts for what we sent.

    The house reads its clock after we have sent a message. So its clock is ahead of ours by at most the
    receipt's time less the time of sending.
    """

    ahead: int | None = None
    """The most milliseconds by which the house's clock is ahead of ours; None before the first receipt."""

    def heard(self, sent: int, receipt: Receipt) -> None:
        """Learn from a receipt for a message that left at `sent`, in milliseconds by our clock."""
        least = receipt.at - sent
        self.ahead = least if self.ahead is None else min(self.ahead, least)

    def early(self, deadline: int, now: int) -> int:
        """The milliseconds by which a deadline of the house's lies after `now`, a time of ours; 0 if it
        does not, or if nobody can tell."""
        if self.ahead is None:
            return 0
        left = deadline - self.ahead - now
        return left if left > TOLERANCE else 0


def concerns(
    before: Game, entry: Entry, after: Game, seat: int, clock: HouseClock, now: int
) -> list[Concern]:
    """What the player at `seat` should hear of a time-out that has just come, at `now` by our clock."""
    if entry.kind != "timeout" or entry.body["seat"] != seat or not late(before, entry):
        return []
    found = []
    if entry.body["kind"] == "link":
        found.append(Concern("link_withheld", _withheld(before, after, seat)))
    asking = before.asking
    early = 0 if asking is None else clock.early(asking.deadline_of(seat), now)
    if early:
        text = (
            f"By our own clock your time for this {entry.body['kind']} had {early / 1000:.0f} s to go."
            " The house's clock has moved ahead, or ours back. Keep the record: the house has signed it."
        )
        found.append(Concern("early_timeout", text))
    return found


def _withheld(before: Game, after: Game, seat: int) -> str:
    deal, count = before.deals + 1, after.seat(seat).withheld
    said = f"THE HOUSE SAYS THAT YOUR LINK FOR DEAL {deal} DID NOT COME IN TIME."
    if before.deals == 0:
        return f"{said} Without its first link a seat loses the game."
    if LINKS not in after.header.clauses:
        return f"{said} The cards are dealt without it."
    if count >= MOST_WITHHELD:
        return f"{said} It is the third one in this game, and you are out."
    more = "with the third one you are out"
    return (
        f"{said} That counts as withheld: {count} of {MOST_WITHHELD}, and {more}. Look after your connection."
    )


def absence(entry: Entry) -> tuple[int, int]:
    """The times from which and until which an `away` says that the house was away."""
    return parse_timestamp(entry.body["from"]), parse_timestamp(entry.body["until"])
