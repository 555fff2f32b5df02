"""Words about a deal that nobody deals: who locks and mixes, who was silent, why a deal is void."""

from __future__ import annotations

from collections.abc import Sequence

from cloche.commands.words import annulled, listed
from referee import Entry, Game
from referee.dealerless.masked import MOST_SILENT, Attempt, InPlay
from referee.record import PARTY_KINDS

DOING = {
    "lock": "to lock the cards",
    "mix": "to mix the cards",
    "share": "to unlock the others' cards",
    "unlock": "to unlock a card",
}
"""What a seat has to do, by the kind of message."""
DONE = {"lock": "has locked the cards", "share": "has unlocked the others' cards", "unlock": "has unlocked"}


def waiting(game: Game, names: Sequence[str], you: int | None) -> str:
    """Say what the programs do for their players now, and how far they are; "" while players choose."""
    asking = game.asking
    if asking is None or asking.kind not in PARTY_KINDS:
        return ""
    late = listed("you" if seat == you else names[seat] for seat in sorted(asking.seats))
    match asking.kind:
        case "lock":
            return f"the cards are being locked, by {late}"
        case "mix" if isinstance(game.masked, Attempt):
            done, all_of_them = len(game.masked.mixed), len(game.masked.pack.locks)
            return f"the cards are being mixed, by {late} ({done} of {all_of_them} have)"
        case "share":
            return "the hands are being dealt"
    return f"a card is being turned up, by {late}"


def silent(before: Game | None, entry: Entry, after: Game, name: str) -> str:
    """Say what follows for a seat that was late, beside that its time has passed; "" for nothing."""
    seat, kind = int(entry.body["seat"]), str(entry.body["kind"])
    if kind in ("lock", "mix", "share"):
        return f"The cards of {name} lie open in this deal."
    if entry.body["move"] is not None or before is None or not isinstance(after.masked, InPlay):
        return ""
    if kind not in ("move", "unlock"):
        return ""
    if seat in after.masked.out:
        return f"Nobody else can show a card of {name}, so the deal is void."
    times = after.masked.silent.get(seat, 0)
    return f"Nobody else can show a card of {name}: asked again, {times} of {MOST_SILENT} times late."


def void(entry: Entry, names: Sequence[str]) -> str:
    """Say that a deal is void."""
    return f"{annulled(entry, names)} Points of this deal are gone, and the cards are dealt again."
