"""Turns: accepting a message of any kind and mode. Every message of every game passes through `submit`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import bindparam, insert
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from crypto.encoding import b64
from referee import Entry, Game, Message, Receipt, Refused, accept, read_message, waits, write_receipt
from referee.checks import Remembering
from referee.validation import Passed, examine
from service.live import LiveGame
from service.models import BotNote, Submission
from service.operations import game_log, presence
from service.operations.games import rows
from service.operations.games.rows import Before, brought_up, keeper_of, returned, standing
from service.operations.games.saving import save
from service.operations.presence import Unattended
from service.operations.refusals import as_problems
from service.problems import conflict, forbidden, not_found
from service.runtime import Runtime
from service.statements import Prepared
from service.tails import one_line

_SUBMISSION = Prepared(
    insert(Submission).values(
        {
            name: bindparam(name)
            for name in ("game_id", "step", "seat", "kind", "digest", "signature", "at", "seq", "waiting")
        }
    )
)
_EARLY = ("bad_proof", "bad_signature", "wrong_opening", "wrong_reveal")
"""Refusals that take long to find. They are raised before the row is locked, so nobody waits for them."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to a message: the house's receipt, and the seq of its entry, None while it waits."""

    receipt: Receipt
    seq: int | None
    again: bool = False
    """True if the message had been accepted before. The answer is the same."""

    def json(self) -> dict[str, Any]:
        """The JSON form of the answer."""
        return {"receipt": self.receipt.json(), "seq": self.seq}


@dataclass(frozen=True, slots=True)
class _Arrival:
    """A message on its way in, with what was checked of it."""

    message: Message
    time: int
    """The time when it was sent to the house, in milliseconds since 1970."""
    enclosed: bool
    """True if it arrived earlier, with the seal of its seat."""
    checks: Remembering
    note: Mapping[str, Any] | None
    """The note that a bot must keep if the message is accepted."""

    def at(self, fold: Game) -> int:
        """The time of its arrival, as far as the deadline of the running step is concerned."""
        if self.enclosed and fold.asking is not None:
            return min(self.time, fold.asking.deadline)
        return self.time


def submit(
    house: Runtime,
    game_id: str,
    data: object,
    *,
    player_id: str | None = None,
    bot: str | None = None,
    note: Mapping[str, Any] | None = None,
    enclosed: bool = False,
) -> Accepted:
    """Validate and accept a message of any kind and mode, from a player or one of the house's bots.

    `note` is what a bot must remember if, and only if, the message is accepted. `enclosed` says that a
    worker submits a reveal from its seat's envelope: it arrived with the seal (protocol section 11).

    The HTTP layer has checked size and authentication. The checks here come in this order: shape, seat,
    repeat, step, deadline, signature, seen, rules, proof. The first that fails raises `Problem`, and nothing
    has changed. A worker's message raises `Unattended` while the house is away.
    """
    arrival = house.now()
    with as_problems():
        message = read_message(game_id, data)
        live = rows.live_game(house, game_id)
        if not enclosed:
            _seated(house, live, message.seat, player_id, bot)
        arrived = _Arrival(message, arrival, enclosed, Remembering(), note)
        checked = _check_early(house, live, arrived)
        if isinstance(checked, Accepted):
            return checked
        for _ in range(2):
            try:
                return _take(house, live, arrived, checked)
            except IntegrityError:
                pass  # The same message, sent twice at once, was entered while this one waited for the lock.
            except Unattended:
                if player_id is None:
                    raise  # only a process that takes requests in may say that the house is here
                presence.beat_alone(house)
                arrived = replace(
                    arrived, time=min(arrival, house.now())
                )  # a clock may be put back meanwhile
        return _take(house, live, arrived, checked)


def _seated(house: Runtime, live: LiveGame, seat: int, player_id: str | None, bot: str | None) -> None:
    """Check that the sender sits at this seat. Raises `Problem` 403, or 404 where the game is hidden."""
    if any((s.seat, s.player_id, s.bot) == (seat, player_id, bot) for s in live.seats):
        return
    if live.private and not live.spectators and player_id is not None and live.seat_of(player_id) is None:
        with house.read() as session:
            ended = standing(session, live.id).ended
        if not ended:
            raise not_found("game")  # a stranger must not learn that the game exists
    raise forbidden("not_your_seat", "This seat is not yours.")


@dataclass(frozen=True, slots=True)
class _Checked:
    """The result of the checks before the lock: `passed`, judged by `fold`. It is None after a refusal."""

    fold: Game
    passed: Passed | None


def _check_early(house: Runtime, live: LiveGame, arrived: _Arrival) -> _Checked | Accepted:
    """Check signature, proof and openings before the row is locked. Other faults are found under the lock.

    Only a message that fails here may be a repeat, or may have met an outdated fold. Then the database is
    looked at; the answer to a repeat is returned.
    """
    message, fold = arrived.message, live.fold
    try:
        return _Checked(fold, examine(fold, message, arrived.checks, arrived.at(fold)))
    except Refused:
        with house.read() as session:
            at = standing(session, live.id, message)
            if at.before is not None:
                return _again(house, fold, message, at.before)
            _, fold = brought_up(house, session, live, at)
        try:
            return _Checked(fold, examine(fold, message, arrived.checks, arrived.at(fold)))
        except Refused as refused:
            if refused.code in _EARLY:
                raise
    return _Checked(fold, None)


def _take(house: Runtime, live: LiveGame, arrived: _Arrival, checked: _Checked) -> Accepted:
    """Judge the message under the lock of the game's row, and enter it."""
    message = arrived.message
    with house.write() as session:
        at = standing(session, live.id, message, lock=True)
        if at.before is None and at.seq != live.fold.seq:
            # PostgreSQL shows what was submitted when this began to wait for the lock, not what is there now.
            at = standing(session, live.id, message)
        live, fold = brought_up(house, session, live, at)
        if at.before is not None:
            return _again(house, fold, message, at.before)
        rows.require_not_stopped(at)
        if not at.attendance.covers(arrived.time):
            raise Unattended
        arrived = replace(arrived, time=at.attendance.present(arrived.time))
        told = returned(house, session, fold, at)
        passed = checked.passed if told[0] is checked.fold else None
        return _enter(house, session, live, fold, told, arrived, passed)


def _again(house: Runtime, fold: Game, message: Message, before: Before) -> Accepted:
    """The answer to a repeat. Raises `Problem` 409 if another message was sent before."""
    if (before.digest, before.signature) != (b64(message.digest), b64(message.signature)):
        raise conflict("already_sent", "This seat has sent another message of this kind for this step.")
    return _answer(house, fold, message, before.at, before.seq, again=True)


def _answer(
    house: Runtime, fold: Game, message: Message, at: int, seq: int | None, *, again: bool = False
) -> Accepted:
    private = house.keys_of(fold.header.house_key).signing_key
    return Accepted(write_receipt(private, message.digest, at), seq, again)


def _enter(
    house: Runtime,
    session: Session,
    live: LiveGame,
    before: Game,
    told: tuple[Game, list[Entry]],
    arrived: _Arrival,
    passed: Passed | None,
) -> Accepted:
    """Enter a message after what the house has to say first, which is `told`; the game was `before` that."""
    fold, absences = told
    message, arrival = arrived.message, arrived.at(fold)
    held = waits(fold, message)
    after, entries = accept(keeper_of(house, fold), fold, message, arrival, arrived.checks, passed)
    at, seq = (arrival, None) if held else (entries[0].at, entries[0].seq)
    submission = {
        "game_id": live.id,
        "step": message.step,
        "seat": message.seat,
        "kind": message.kind,
        "digest": b64(message.digest),
        "signature": b64(message.signature),
        "at": at,
        "seq": seq,
        "waiting": one_line(message.json()) if held else None,
    }
    _SUBMISSION.run(session, submission)
    game_log.taken(session, message, seq)
    save(house, session, live, before, after, [*absences, *entries])
    if arrived.note is not None and not after.over:
        session.merge(BotNote(game_id=live.id, seat=message.seat, note=dict(arrived.note)))
    return _answer(house, fold, message, at, seq)
