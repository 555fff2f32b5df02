"""A secret deal of a table without a dealer in its game's snapshot, as JSON and back (protocol 20.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cards.games.contract import Deal, Mode, State
from cards.games.house_pack import secret_deal
from crypto import lock
from crypto.encoding import b64, unb64
from referee.dealerless.masked import Attempt, InPlay, Masked, MaskedPack
from referee.game import wanted_deal


def _dump_pack(pack: MaskedPack) -> dict[str, Any]:
    """A pack of a game, without the deal that made it: the rules name that again."""
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


def _dump_added(pack: MaskedPack) -> dict[str, Any]:
    """A pack that was added to a deal in play, with the deal: the state before it is gone."""
    return {**_dump_pack(pack), "first": pack.ask.first, "faces": list(pack.pack)}


def _load_added(data: Mapping[str, Any]) -> MaskedPack:
    return _load_pack(data, secret_deal(tuple(data["faces"]), data["first"], fresh=False))


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
    match masked:
        case Attempt(pack, excluded, mixed, played):
            made = {"excluded": sorted(excluded), "mixed": list(mixed)}
            added = {} if played is None else {"played": dump_masked(mode, played)}
            return {**_dump_pack(pack), **made, **added}
        case InPlay(_, before, silent, out, _, kept):
            first, *others = masked.packs
            counts = {str(seat): count for seat, count in silent.items()}
            return {
                **_dump_pack(first),
                "before": mode.dump(before),
                "silent": counts,
                "out": sorted(out),
                **({"added": [_dump_added(pack) for pack in others]} if others else {}),
                **({"kept": sorted(kept)} if kept else {}),
            }


def load_masked(mode: Mode[Any], state: State[Any], data: Mapping[str, Any]) -> Masked:
    """Read it back; `state` is the game's. The rules say again which deal it is."""
    if "before" in data:
        return _load_in_play(mode, data)
    played = _load_in_play(mode, data["played"]) if "played" in data else None
    return Attempt(
        _load_pack(data, wanted_deal(mode, state)), frozenset(data["excluded"]), tuple(data["mixed"]), played
    )


def _load_in_play(mode: Mode[Any], data: Mapping[str, Any]) -> InPlay:
    before = mode.load(data["before"], {})
    packs = [_load_pack(data, wanted_deal(mode, before)), *map(_load_added, data.get("added", ()))]
    return InPlay(
        packs[-1],
        before,
        {int(seat): count for seat, count in data["silent"].items()},
        frozenset(data["out"]),
        tuple(packs[:-1]),
        frozenset(data.get("kept", ())),
    )
