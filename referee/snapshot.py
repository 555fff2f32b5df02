"""Snapshots: a game as JSON and back, which the game's database row caches beside the record.

A snapshot lacks the header, since the record's first entry has it. Only the house
keeps snapshots. The house knows all faces, so a snapshot never needs a trail.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cards.games.contract import Choice, Miss, Missed, Mode, Outcome, State
from crypto.encoding import b64, unb64
from referee.dealerless.snapshot import dump_masked, load_masked
from referee.dealing import deal_due
from referee.game import (
    AccountDue,
    AnnulDue,
    Asking,
    Between,
    Ended,
    Game,
    GamePhase,
    MaskedDealDue,
    MatchDeck,
    Over,
    PartyDue,
    Sealed,
    SeatState,
    outcome_json,
    wanted_deal,
)
from referee.header import Header


def _bytes(value: bytes | None) -> str | None:
    return None if value is None else b64(value)


def _unbytes(value: str | None) -> bytes | None:
    return None if value is None else unb64(value)


def _dump_sealed(sealed: Sealed | None) -> dict[str, Any] | None:
    if sealed is None:
        return None
    return {
        "step": sealed.step,
        "hand": list(sealed.hand),
        "boxes": sealed.boxes,
        "seal": b64(sealed.seal),
        "fingerprint": b64(sealed.fingerprint),
        "at": sealed.at,
        "envelope": sealed.envelope,
    }


def _load_sealed(data: Mapping[str, Any] | None) -> Sealed | None:
    if data is None:
        return None
    return Sealed(
        data["step"],
        tuple(data["hand"]),
        data["boxes"],
        unb64(data["seal"]),
        unb64(data["fingerprint"]),
        data["at"],
        data.get("envelope", False),  # snapshots older than envelopes lack this field
    )


def _dump_seat(seat: SeatState) -> dict[str, Any]:
    deck = seat.deck
    return {
        "anchor": _bytes(seat.anchor),
        "deck": deck
        and {
            "certificate": b64(deck.certificate),
            "positions": [b64(point) for point in deck.positions],
            "digest": b64(deck.digest),
        },
        "newest": [seat.newest[0], b64(seat.newest[1])],
        "sealed": _dump_sealed(seat.sealed),
        "owed": _dump_sealed(seat.owed),
        "owed_since": seat.owed_since,
        "offers_draw": seat.offers_draw,
        "offered": seat.offered,
        "thought": seat.thought,
        "timeouts": dict(seat.timeouts),
    }


def _load_seat(data: Mapping[str, Any]) -> SeatState:
    deck = data["deck"]
    return SeatState(
        anchor=_unbytes(data["anchor"]),
        deck=deck
        and MatchDeck(
            unb64(deck["certificate"]),
            tuple(unb64(point) for point in deck["positions"]),
            unb64(deck["digest"]),
        ),
        newest=(data["newest"][0], unb64(data["newest"][1])),
        sealed=_load_sealed(data["sealed"]),
        owed=_load_sealed(data["owed"]),
        owed_since=data["owed_since"],
        offers_draw=data["offers_draw"],
        offered=data["offered"],
        thought=data.get("thought", 0),
        timeouts=data.get("timeouts", {}),  # older snapshots count none of the time-outs before them
    )


def _dump_choice(choice: Choice) -> dict[str, Any]:
    if isinstance(choice, Missed):
        return {"missed": choice.what.value, "move": choice.move}
    return {"choice": choice}


def _load_choice(data: Mapping[str, Any]) -> Choice:
    if "missed" in data:
        return Missed(Miss(data["missed"]), data["move"])
    return dict(data["choice"])


def _dump_asking(asking: Asking | None) -> dict[str, Any] | None:
    if asking is None:
        return None
    return {
        "kind": asking.kind,
        "how": asking.how,
        "topic": asking.topic,
        "seats": sorted(asking.seats),
        "step": asking.step,
        "opened": asking.opened,
        "seq": asking.seq,
        "since": asking.since,
        "until": {str(seat): until for seat, until in asking.until.items()},
        **({"given": {str(seat): ms for seat, ms in asking.given.items()}} if asking.given else {}),
    }


def _load_asking(data: Mapping[str, Any]) -> Asking:
    known = dict(data)
    if "deadline" in known:  # snapshots older than time banks have one deadline for all seats
        known["until"] = dict.fromkeys(known["seats"], known.pop("deadline"))
        known["since"] = 0
    until = {int(seat): at for seat, at in known["until"].items()}
    given = {int(seat): ms for seat, ms in known.get("given", {}).items()}
    return Asking(**{**known, "seats": frozenset(known["seats"]), "until": until, "given": given})


def _load_outcome(data: Mapping[str, Any] | None) -> Outcome | None:
    return None if data is None else Outcome(tuple(data["points"]), tuple(data["winners"]), data["reason"])


def _dump_links(links: Mapping[int, bytes] | None) -> dict[str, str] | None:
    return None if links is None else {str(seat): b64(link) for seat, link in links.items()}


def _load_links(data: Mapping[str, str] | None) -> dict[int, bytes] | None:
    return None if data is None else {int(seat): unb64(link) for seat, link in data.items()}


def _load_phase(data: Mapping[str, Any], mode: Mode[Any], state: State[Any]) -> GamePhase:
    links = _load_links(data["links"])
    asking = None if data["asking"] is None else _load_asking(data["asking"])
    outcome = _load_outcome(data["outcome"])
    if outcome is not None:
        return Over(outcome, links) if data["over"] else Ended(outcome, asking)
    if data["account"] is not None:
        return AccountDue(data["account"])
    if "due" in data:
        return _load_due(data["due"], mode, state)
    if asking is not None:
        return asking
    return Between() if links is None else deal_due(mode, state, links)


def _dump_due(phase: GamePhase) -> dict[str, Any]:
    """What the house must append at a table without a dealer, if it must; such a snapshot alone has it."""
    match phase:
        case PartyDue(kind, asking):
            return {"due": {"kind": kind, "asking": _dump_asking(asking)}}
        case MaskedDealDue():
            return {"due": {"kind": phase.kind}}
        case AnnulDue(deal, seats):
            return {"due": {"kind": phase.kind, "deal": deal, "seats": list(seats)}}
    return {}


def _load_due(data: Mapping[str, Any], mode: Mode[Any], state: State[Any]) -> GamePhase:
    if data["kind"] == AnnulDue.kind:
        return AnnulDue(data["deal"], tuple(data["seats"]))
    if data["kind"] == MaskedDealDue.kind:
        return MaskedDealDue(wanted_deal(mode, state))
    return PartyDue(data["kind"], None if data["asking"] is None else _load_asking(data["asking"]))


def dump_game(game: Game) -> dict[str, Any]:
    """The snapshot of a game all of whose faces are known."""
    assert game.trail is None, "only the house keeps snapshots, and it knows all faces"
    return {
        "seq": game.seq,
        "digest": b64(game.digest),
        "at": game.at,
        "step": game.step,
        "seats": [_dump_seat(seat) for seat in game.seats],
        "state": game.rules.dump(game.state),
        "asking": _dump_asking(game.asking),
        "choices": {str(seat): _dump_choice(choice) for seat, choice in game.choices.items()},
        "links": _dump_links(game.links),
        "deals": game.deals,
        "house_newest": [game.house_newest[0], b64(game.house_newest[1])],
        "seed": _bytes(game.seed),
        "account": dict(game.phase.account) if isinstance(game.phase, AccountDue) else None,
        "outcome": outcome_json(game.outcome),
        "over": game.over,
        "unshown": list(game.unshown),
        "firsts": {str(deal): first for deal, first in game.firsts.items()},
        "past_links": {str(deal): _dump_links(links) for deal, links in game.past_links.items()},
        "away": game.away,
        "closed": list(game.closed),
        "recent": [[seq, b64(digest)] for seq, digest in game.recent],
        **({} if game.masked is None else {"masked": dump_masked(game.rules, game.masked)}),
        **_dump_due(game.phase),
    }


def load_game(data: Mapping[str, Any], header: Header) -> Game:
    """A game from its snapshot and the header of its record."""
    state = header.mode.load(data["state"], header.cards)
    return Game(
        header=header,
        seq=data["seq"],
        digest=unb64(data["digest"]),
        at=data["at"],
        step=data["step"],
        seats=tuple(_load_seat(seat) for seat in data["seats"]),
        state=state,
        phase=_load_phase(data, header.mode, state),
        choices={int(seat): _load_choice(choice) for seat, choice in data["choices"].items()},
        deals=data["deals"],
        house_newest=(data["house_newest"][0], unb64(data["house_newest"][1])),
        seed=_unbytes(data["seed"]),
        unshown=tuple(data["unshown"]),
        # Older snapshots lack this field: all their deals began at position 0.
        firsts={int(deal): first for deal, first in data.get("firsts", {}).items()},
        past_links={int(deal): _load_links(links) or {} for deal, links in data["past_links"].items()},
        away=data.get("away", 0),
        closed=(data["closed"][0], data["closed"][1]),
        recent=tuple((seq, unb64(digest)) for seq, digest in data["recent"]),
        masked=load_masked(header.mode, state, data["masked"]) if "masked" in data else None,
    )
