"""News: the feed events that a change of a game or a table means for its players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlmodel import Session

from crypto.encoding import timestamp
from referee import Entry, Game, outcome_json
from referee.clocks import late
from service.live import Sitter
from service.models import GameSeat, Table, TableSeat
from service.operations import feed
from service.runtime import Runtime


def of_game(
    house: Runtime,
    session: Session,
    before: Game | None,
    fold: Game,
    entries: Iterable[Entry],
    seats: Sequence[Sitter],
) -> None:
    """Tell the players of a game what these entries mean to them, and what is asked of them now.

    Events hold only what stands in the record, so messages that wait beside it stay secret.
    """
    players = {seat.seat: seat.player_id for seat in seats if seat.player_id is not None}
    for entry in entries:
        _of_entry(house, session, before, fold, entry, players)
    asking, asked_before = fold.asking, None if before is None else before.asking
    if asking is None or fold.over:
        return
    for seat, player_id in players.items():
        known = asked_before is not None and (
            (asked_before.step, asked_before.kind) == (asking.step, asking.kind)
            and seat in asked_before.seats
        )
        if seat in asking.seats and not known:
            feed.add(
                house,
                session,
                [player_id],
                "game.asked",
                game=fold.header.game,
                seat=seat,
                step=asking.step,
                kind=asking.kind,
                topic=asking.topic,
                until=timestamp(asking.deadline_of(seat)),
            )


def _of_entry(
    house: Runtime, session: Session, before: Game | None, fold: Game, entry: Entry, players: dict[int, str]
) -> None:
    """Tell of one of the entries that turned the game from `before` into `fold`."""
    where = {"game": fold.header.game, "seq": entry.seq}
    match entry.kind:
        case "open":
            names = [player.name for player in fold.header.players]
            for seat, player_id in players.items():
                data = {**where, "mode": fold.rules.facts.name, "seat": seat, "names": names}
                feed.add(house, session, [player_id], "game.begun", **data)
        case "account":
            data = {**where, "step": entry.step, "points": entry.body["points"]}
            feed.add(house, session, players.values(), "game.account", **data)
        case "timeout" if entry.body["seat"] in players and before is not None and late(before, entry):
            data = {**where, "step": entry.step, "kind": entry.body["kind"]}
            feed.add(house, session, [players[entry.body["seat"]]], "game.timed_out", **data)
        case "draw":
            others = [player for seat, player in players.items() if str(seat) != entry.actor]
            data = {**where, "step": entry.step, "by": int(entry.actor)}
            feed.add(house, session, others, "game.draw_offered", **data)
        case "annul":
            data = {**where, "deal": entry.body["deal"], "seats": entry.body["seats"]}
            feed.add(house, session, players.values(), "game.annulled", **data)
        case "result":
            outcome = outcome_json(fold.outcome)
            feed.add(house, session, players.values(), "game.over", **where, outcome=outcome)


def of_table(
    house: Runtime,
    session: Session,
    table: Table,
    name: str,
    seats: Iterable[TableSeat | None],
    who: TableSeat | None = None,
) -> None:
    """Tell the players at a table what happens there; `who` has come or gone, and is not told."""
    others = [
        seat.player_id
        for seat in seats
        if seat is not None and seat.player_id is not None and seat is not who
    ]
    data = {} if who is None else {"seat": who.seat, "name": who.name}
    feed.add(house, session, others, name, table=table.id, **data)


def of_rematch(
    house: Runtime, session: Session, table: Table, seats: Iterable[GameSeat], player_id: str, name: str
) -> None:
    """Tell the other players of a game that one of them has asked for a rematch."""
    others = [s.player_id for s in seats if s.player_id is not None and s.player_id != player_id]
    feed.add(house, session, others, "game.rematch", game=table.rematch_of, table=table.id, name=name)
