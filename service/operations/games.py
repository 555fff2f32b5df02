"""Games: begin one, accept what players send, resolve what is due.

Each verb locks the game's row, lets the referee judge, appends entries, commits, and only then tells others.
If a verb runs twice, the second run finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, assert_never

from sqlmodel import Session, col, select

from cards.catalog.cards import texts as card_texts
from cards.games import find as find_mode
from cards.games.contract import Outcome
from crypto.encoding import b64, unb64
from crypto.identity import public_key
from referee import (
    Entry,
    Game,
    Keeper,
    Message,
    Receipt,
    Refused,
    SeatedPlayer,
    accept,
    close,
    due,
    dump_game,
    load_game,
    opening,
    outcome_json,
    read_entry,
    read_header,
    read_message,
    waits,
    write_receipt,
)
from referee.checks import Remembering
from referee.game import Over
from referee.header import Header, seals
from referee.validation import examine
from service import publisher
from service.keys import Keys
from service.models import BotNote, GameEntry, GameRow, GameSeat, Submission
from service.operations import envelopes, game_log, news, rewards
from service.operations.collection import hold_decks, release_game
from service.operations.refusals import as_problems
from service.problems import Problem, conflict, forbidden, not_found
from service.runtime import Runtime

GRACE_MS = 500
"""The milliseconds after a deadline in which the house still checks messages that arrived in time."""
BOT_PATIENCE_MS = 1_000
"""The milliseconds without a bot's answer after which the sweep asks again: the wake-up may be lost."""


@dataclass(frozen=True, slots=True)
class PlayerPlan:
    """A player who will sit in a game."""

    name: str
    key: bytes
    """The player's Ed25519 public key."""
    player_id: str | None = None
    cards: Mapping[int, int] | None = None
    """The player's own deck, copies by card number; None in a mode without own decks."""

    @property
    def bot(self) -> None:
        """No bot sits here."""


@dataclass(frozen=True, slots=True)
class BotPlan:
    """One of the house's bots that will sit in a game. Its key follows from the house's keys and its seat."""

    bot: str
    cards: Mapping[int, int] | None = None
    """The bot's own deck, copies by card number; None in a mode without own decks."""

    @property
    def name(self) -> str:
        """The name at the seat."""
        return f"{self.bot} (house)"

    @property
    def player_id(self) -> None:
        """No player sits here."""


SeatPlan = PlayerPlan | BotPlan


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to a message: the house's receipt, and the seq of its entry, None while it waits."""

    receipt: Receipt
    seq: int | None

    def json(self) -> dict[str, Any]:
        """The JSON form of the answer."""
        return {"receipt": self.receipt.json(), "seq": self.seq}


# Rows and folds


@lru_cache(maxsize=128)
def _keeper(keys: Keys, game_id: str) -> Keeper:
    # A chain costs a thousand hashes, so each process computes it once a game.
    return Keeper(keys.signing_key, keys.chain(game_id))


def _keeper_of(house: Runtime, fold: Game) -> Keeper:
    """The house's secrets for a game, from the generation of keys that its first entry names."""
    return _keeper(house.keys_of(fold.header.house_key), fold.header.game)


_headers: dict[str, Header] = {}
"""The headers of recent games. They never change, and their card texts take long to read."""
_MOST_HEADERS = 256


def _header(session: Session, game_id: str) -> Header:
    found = _headers.get(game_id)
    if found is None:
        found = read_header(read_entry(session.get_one(GameEntry, (game_id, 0)).entry))
        if len(_headers) >= _MOST_HEADERS:
            _headers.clear()
        _headers[game_id] = found
    return found


def row_of(session: Session, game_id: str, *, lock: bool = False) -> GameRow:
    """The row of a game, locked if `lock` is set. Raises `Problem` 404."""
    statement = select(GameRow).where(GameRow.id == game_id)
    if lock:
        statement = statement.with_for_update()
    row = session.exec(statement).first()
    if row is None:
        raise not_found("game")
    return row


def seats_of(session: Session, game_id: str) -> list[GameSeat]:
    """The seats of a game, in order."""
    statement = select(GameSeat).where(GameSeat.game_id == game_id).order_by(col(GameSeat.seat))
    return list(session.exec(statement))


def seat_of(session: Session, game_id: str, player_id: str) -> int | None:
    """The number of a player's seat; None for a player who has none."""
    statement = select(GameSeat).where(GameSeat.game_id == game_id, GameSeat.player_id == player_id)
    found = session.exec(statement).first()
    return None if found is None else found.seat


def fold_of(session: Session, row: GameRow) -> Game:
    """The game as the house knows it, loaded from the row's snapshot."""
    return load_game(row.snapshot, _header(session, row.id))


def waiting_of(session: Session, fold: Game) -> dict[int, Message]:
    """The messages that wait beside the record until the running step closes, by seat."""
    if fold.asking is None or not fold.asking.held:
        return {}
    statement = select(Submission).where(
        Submission.game_id == fold.header.game,
        Submission.step == fold.asking.step,
        Submission.kind == fold.asking.kind,
    )
    rows = [row for row in session.exec(statement) if row.waiting is not None]
    return {row.seat: read_message(fold.header.game, row.waiting) for row in rows}


def bots_asked(session: Session, fold: Game, waiting: Mapping[int, Message]) -> list[tuple[GameSeat, str]]:
    """The house's bots that still have to answer or owe a reveal: each seat, with the bot's name."""
    asking = fold.asking
    if asking is None or fold.over:
        return []
    called = {seat for seat in asking.seats if seat not in waiting}
    called |= {seat for seat in fold.header.seats if fold.seat(seat).owed is not None}
    called -= fold.gone
    seats = seats_of(session, fold.header.game)
    return [(seat, seat.bot) for seat in seats if seat.bot is not None and seat.seat in called]


def _save(
    house: Runtime, session: Session, row: GameRow, before: Game | None, fold: Game, entries: Sequence[Entry]
) -> None:
    """Store the fold and its new entries, and schedule what comes next. `before` is the fold without them."""
    for entry in entries:
        session.add(GameEntry(game_id=row.id, seq=entry.seq, kind=entry.kind, entry=entry.json()))
    row.seq, row.snapshot = fold.seq, dump_game(fold)
    row.claimed_until = 0  # the game has moved on, so an older claim no longer counts
    if isinstance(fold.phase, Over) and row.ended_at is None:
        _finish(house, session, row, fold, fold.phase.outcome)
    game_log.wrote(session, fold, entries)
    if entries:  # a message that waits beside the record is not announced
        house.tell(session, row.id)
        news.of_game(house, session, before, fold, entries, seats_of(session, row.id))
    _schedule(house, session, row, fold)


def _time(house: Runtime, fold: Game) -> int:
    """The time in a game. It never runs back, so no complete step waits for a clock that was put back."""
    return max(house.now(), fold.at)


def _schedule(house: Runtime, session: Session, row: GameRow, fold: Game) -> None:
    """Set when the house must act next, and wake the workers. If a wake-up is lost, the sweep acts later."""
    now = house.now()
    waiting = waiting_of(session, fold)
    row.due_at = due(fold, waiting.keys(), GRACE_MS)
    if row.due_at is not None and row.due_at <= _time(house, fold):
        row.due_at = min(row.due_at, now)
        house.wake(session, publisher.RESOLVE, row.id)
    if row.due_at is not None and bots_asked(session, fold, waiting):
        row.due_at = min(row.due_at, now + BOT_PATIENCE_MS)
        house.wake(session, publisher.BOTS, row.id)
    if row.due_at is not None and envelopes.to_open(session, fold, waiting.keys()):
        row.due_at = min(row.due_at, now + envelopes.patience(now - fold.at))
        house.wake(session, publisher.OPEN, row.id)
    session.add(row)


def _finish(house: Runtime, session: Session, row: GameRow, fold: Game, outcome: Outcome) -> None:
    """Book the end of a game: reward the winners, free the held copies and forget all secrets.

    Decks are held until the match is over and no longer (protocol section 5).
    """
    row.outcome = outcome_json(outcome)
    session.flush()  # rewards count the choices, and the last message may be one
    rewards.grant(house, session, row.id, outcome.winners, seats_of(session, row.id))
    stop(session, row, fold.at)


def stop(session: Session, row: GameRow, at: int) -> None:
    """End a game in the database, as of `at`. It accepts nothing more, and may have no result."""
    row.ended_at, row.due_at = at, None
    session.add(row)
    release_game(session, row.id)
    _drop_waiting(session, row.id)
    envelopes.forget(session, row.id)
    for note in session.exec(select(BotNote).where(BotNote.game_id == row.id)):
        session.delete(note)
    for seat in seats_of(session, row.id):
        seat.cards = None
        session.add(seat)
    session.flush()


def stopped(row: GameRow) -> bool:
    """Tell whether a game has ended without a result."""
    return row.ended_at is not None and row.outcome is None


def require_not_stopped(row: GameRow) -> None:
    """Raise `Problem` 409 for a game that has ended without a result."""
    if stopped(row):
        text = "This game was stopped without a result, because the house was restored to an earlier moment."
        raise conflict("game_stopped", text)


def _drop_waiting(session: Session, game_id: str, step: int | None = None) -> None:
    """Drop the messages that wait beside the record, of one step or of all: nobody needs them any more."""
    statement = select(Submission).where(Submission.game_id == game_id)
    if step is not None:
        statement = statement.where(Submission.step == step)
    for row in session.exec(statement):
        row.waiting = None
        session.add(row)
    session.flush()


# Verbs


def begin(
    house: Runtime,
    session: Session,
    mode: str,
    options: Mapping[str, Any],
    plans: Sequence[SeatPlan],
    *,
    private: bool = False,
    spectators: bool = False,
) -> str:
    """Open a game in the caller's transaction and return its id. The decks' copies are held until its end.

    With `spectators` everybody may watch the running game; with `private` strangers are not told of it.
    Raises `Problem` for a bad option and `DeckGone` where copies are missing.
    """
    rules = find_mode(mode)
    texts = card_texts(house.catalog) if rules.facts.own_decks else []
    keys = house.keys  # read once: the keys may be rotated between two reads
    players = [SeatedPlayer(plan.name, _key_of(keys, seat, plan)) for seat, plan in enumerate(plans)]
    row = GameRow(
        mode=mode, created_at=house.now(), seq=0, snapshot={}, private=private, spectators=spectators
    )
    with as_problems():
        keeper, to = _keeper(keys, row.id), envelopes.newest(session) if seals(rules) else None
        fold, entries = opening(keeper, row.id, rules, options, players, texts, house.now(), to)
    session.add(row)
    session.flush()
    for number, plan in enumerate(plans):
        cards = None if plan.cards is None else {str(card): n for card, n in sorted(plan.cards.items())}
        session.add(
            GameSeat(
                game_id=row.id,
                seat=number,
                player_id=plan.player_id,
                bot=plan.bot,
                name=plan.name,
                cards=cards,
            )
        )
    session.flush()
    decks = [(plan.player_id, plan.cards) for plan in plans if plan.player_id is not None and plan.cards]
    hold_decks(session, house.catalog, decks, row.id)
    _save(house, session, row, None, fold, entries)
    return row.id


def bot_key(keys: Keys, bot: str, seat: int) -> bytes:
    """The Ed25519 private key of a bot at a seat. The same bot at two seats has two keys."""
    return keys.bot_key(f"{bot}/{seat}")


def _key_of(keys: Keys, seat: int, plan: SeatPlan) -> bytes:
    """The Ed25519 public key that signs for a seat."""
    match plan:
        case PlayerPlan():
            return plan.key
        case BotPlan():
            return public_key(bot_key(keys, plan.bot, seat))
        case _:
            assert_never(plan)


def _repeated(session: Session, fold: Game, message: Message) -> Submission | None:
    """The earlier submission of the same message, or None. Raises `Problem` 409 if it was another message."""
    if message.step > fold.step:
        return None  # nothing can have been accepted, and the step may be too large for the column
    key = (message.game, message.step, message.seat, message.kind)
    before = session.get(Submission, key)
    if before is None:
        return None
    if before.digest != b64(message.digest) or before.signature != b64(message.signature):
        raise conflict("already_sent", "This seat has sent another message of this kind for this step.")
    return before


def _answer(house: Runtime, fold: Game, submission: Submission) -> Accepted:
    private = house.keys_of(fold.header.house_key).signing_key
    receipt = write_receipt(private, unb64(submission.digest), submission.at)
    return Accepted(receipt, submission.seq)


def _seated(session: Session, row: GameRow, seat: int, player_id: str | None, bot: str | None) -> None:
    """Check that the sender sits at this seat. Raises `Problem` 403, or 404 where the game is hidden."""
    found = session.get(GameSeat, (row.id, seat))
    if found is not None and (found.player_id, found.bot) == (player_id, bot):
        return
    hidden = row.private and not row.spectators and row.ended_at is None
    if hidden and player_id is not None and seat_of(session, row.id, player_id) is None:
        raise not_found("game")  # a stranger must not learn that the game exists
    raise forbidden("not_your_seat", "This seat is not yours.")


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

    Every message of every game passes through this function.

    `note` is what a bot must remember if, and only if, the message is accepted. `enclosed` says that a
    worker submits a reveal from its seat's envelope: it arrived with the seal (protocol section 11).

    The HTTP layer has checked size and authentication. The checks here come in this order: shape, seat,
    repeat, step, deadline, signature, seen, rules, proof. The first that fails raises `Problem`, and nothing
    has changed.
    """
    arrival = house.now()
    checks = Remembering()
    with as_problems():
        message = read_message(game_id, data)
        with house.read() as session:
            row = row_of(session, game_id)
            fold = fold_of(session, row)
            if not enclosed:
                _seated(session, row, message.seat, player_id, bot)
            before = _repeated(session, fold, message)
            if before is not None:
                return _answer(house, fold, before)
        if enclosed and fold.asking is not None:
            arrival = min(arrival, fold.asking.deadline)
        _check_early(fold, message, checks, arrival)
        with house.write() as session:
            row = row_of(session, game_id, lock=True)
            fold = fold_of(session, row)
            before = _repeated(session, fold, message)
            if before is not None:
                return _answer(house, fold, before)
            require_not_stopped(row)
            accepted = _enter(house, session, row, fold, message, checks, arrival)
            if note is not None and row.ended_at is None:
                session.merge(BotNote(game_id=game_id, seat=message.seat, note=dict(note)))
            return accepted


_EARLY = ("bad_proof", "bad_signature", "wrong_opening", "wrong_reveal")
"""Refusals that take long to find. They are raised before the row is locked, so nobody waits for them."""


def _check_early(fold: Game, message: Message, checks: Remembering, arrival: int) -> None:
    """Check signature, proof and openings before the row is locked. Other faults are found under the lock."""
    try:
        examine(fold, message, checks, arrival)
    except Refused as refused:
        if refused.code in _EARLY:
            raise


def _enter(
    house: Runtime,
    session: Session,
    row: GameRow,
    fold: Game,
    message: Message,
    checks: Remembering,
    arrival: int,
) -> Accepted:
    held = waits(fold, message)
    after, entries = accept(_keeper_of(house, fold), fold, message, arrival, checks)
    submission = Submission(
        game_id=row.id,
        step=message.step,
        seat=message.seat,
        kind=message.kind,
        digest=b64(message.digest),
        signature=b64(message.signature),
        at=arrival if held else entries[0].at,
        seq=None if held else entries[0].seq,
        waiting=message.json() if held else None,
    )
    session.add(submission)
    session.flush()
    game_log.taken(session, message, submission.seq)
    _save(house, session, row, fold, after, entries)
    return _answer(house, fold, submission)


def resolve(house: Runtime, game_id: str) -> int:
    """Do what is due in a game: close a step that is complete or whose time is up. Idempotent.

    Returns the number of appended entries.
    """
    with house.write() as session:
        try:
            row = row_of(session, game_id, lock=True)
        except Problem:
            return 0
        fold = fold_of(session, row)
        now = _time(house, fold)
        if stopped(row):
            return 0
        waiting = waiting_of(session, fold)
        at = due(fold, waiting.keys(), GRACE_MS)
        if at is None or now < at:
            _schedule(house, session, row, fold)
            return 0
        after, entries = close(_keeper_of(house, fold), fold, waiting, now, GRACE_MS)
        _drop_waiting(session, row.id, fold.step)
        game_log.closed(session, fold, now - at, len(entries))
        _save(house, session, row, fold, after, entries)
        return len(entries)


def note_of(session: Session, game_id: str, seat: int) -> Mapping[str, Any] | None:
    """Read what a bot has to remember at a seat; None if there is nothing."""
    found = session.get(BotNote, (game_id, seat))
    return None if found is None else found.note
