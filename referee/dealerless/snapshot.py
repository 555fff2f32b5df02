"""A secret deal of a table without a dealer in its game's snapshot, as JSON and back (protocol 20.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cards.games.contract import Deal, Mode, State
from crypto import lock
from crypto.encoding import b64, unb64
from referee.dealerless.masked import Attempt, InPlay, Masked, MaskedPack


def _dump_pack(pack: MaskedPack) -> dict[str, Any]:
    return {
        "deal": pack.deal,
        "step": pack.step,
        "asked": b64(pack.asked),
        "locks": {str(party): b64(point) for party, point in pack.locks.items()},
        "cards": b64(lock.pack_bytes(pack.cards)),
        "shares": {
            str(position): {str(party): b64(share) for party, share in known.items()}
            for position, known in pack.shares.items()
        },
    }


def _load_pack(data: Mapping[str, Any], deal: Deal) -> MaskedPack:
    cards = unb64(data["cards"])
    count = len(deal.pack or ()) if cards else 0
    return MaskedPack(
        data["deal"],
        deal,
        data["step"],
        unb64(data["asked"]),
        {int(party): unb64(point) for party, point in data["locks"].items()},
        lock.pack_of(cards, count),
        {
            int(position): {int(party): unb64(share) for party, share in known.items()}
            for position, known in data["shares"].items()
        },
    )


def dump_masked(mode: Mode[Any], masked: Masked) -> dict[str, Any]:
    """The attempt, or the deal in play, as JSON."""
    pack = _dump_pack(masked.pack)
    match masked:
        case Attempt(_, stage, excluded, mixed):
            return {**pack, "stage": stage, "excluded": sorted(excluded), "mixed": list(mixed)}
        case InPlay(_, before, silent, out):
            counts = {str(seat): count for seat, count in silent.items()}
            return {**pack, "before": mode.dump(before), "silent": counts, "out": sorted(out)}


def load_masked(mode: Mode[Any], state: State[Any], data: Mapping[str, Any]) -> Masked:
    """Read it back; `state` is the game's. The rules say again which deal it is."""
    before = mode.load(data["before"], {}) if "before" in data else state
    deal = mode.next(before)
    assert isinstance(deal, Deal), "the state before a deal asks for it"
    pack = _load_pack(data, deal)
    if "before" in data:
        silent = {int(seat): count for seat, count in data["silent"].items()}
        return InPlay(pack, before, silent, frozenset(data["out"]))
    return Attempt(pack, data["stage"], frozenset(data["excluded"]), tuple(data["mixed"]))
