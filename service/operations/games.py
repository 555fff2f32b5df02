"""Games: begin one, take what players send, resolve what is due.

Each verb locks the game's row, judges by the referee, appends, commits, and
only then tells others. Run twice, the second run finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

from sqlmodel import Session, col, select

from cards import mode as modes
from cards.catalog import texts as card_texts
from crypto.encoding import b64, unb64
from crypto.identity import public_key
from referee import (
    Entry,
    Keeper,
    Message,
    Player,
    Receipt,
    Refused,
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
from referee import Game as Fold
from referee.certificate import certify
from referee.door import Remembering, examine
from referee.header import Header
from service import wake
from service.house import House
from service.keys import Keys
from service.models import BotNote, Game, GameEntry, GameSeat, Submission
from service.operations.collection import hold_decks, release_game
from service.operations.refusals import as_problems
from service.problems import Problem, conflict, forbidden, not_found

GRACE_MS = 500
"""After a deadline the house waits so long for what arrived in time and is still being checked."""
BOT_PATIENCE_MS = 1_000
"""After this long without a bot's answer the sweep asks for it again: the message may be lost."""


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who will sit at a seat: a player, or one of the house's bots; with an own deck, its cards."""

    name: str
    key: bytes
    player_id: str | None = None
    bot: str | None = None
    cards: Mapping[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer to a message: the house's receipt, and the entry it became unless it waits."""

    receipt: Receipt
    seq: int | None

    def json(self) -> dict[str, Any]:
        """As it is answered."""
        return {"receipt": self.receipt.json(), "seq": self.seq}


# Rows and folds


@lru_cache(maxsize=128)
def _keeper(keys: Keys, game_id: str) -> Keeper:
    # A chain is a thousand hashes: made once a game and process.
    return Keeper(keys.signing_key, keys.chain(game_id))


_headers: dict[str, Header] = {}
"""Headers of games met lately: they never change, and card texts take long to read."""
_MOST_HEADERS = 256


def _header(session: Session, game_id: str) -> Header:
    found = _headers.get(game_id)
    if found is None:
        found = read_header(read_entry(session.get_one(GameEntry, (game_id, 0)).entry))
        if len(_headers) >= _MOST_HEADERS:
            _headers.clear()
        _headers[game_id] = found
    return found


def row_of(session: Session, game_id: str, *, lock: bool = False) -> Game:
    """The row of a game, locked against others if asked for. Raises `Problem` 404."""
    statement = select(Game).where(Game.id == game_id)
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
    """Where a player sits; None for who does not."""
    statement = select(GameSeat).where(GameSeat.game_id == game_id, GameSeat.player_id == player_id)
    found = session.exec(statement).first()
    return None if found is None else found.seat


def fold_of(session: Session, row: Game) -> Fold:
    """The game as the house knows it."""
    return load_game(row.snapshot, _header(session, row.id))


def waiting_of(session: Session, fold: Fold) -> dict[int, Message]:
    """The messages that wait beside the record for the running step, by seat."""
    if fold.asking is None or not fold.asking.held:
        return {}
    statement = select(Submission).where(
        Submission.game_id == fold.header.game,
        Submission.step == fold.asking.step,
        Submission.kind == fold.asking.kind,
    )
    rows = [row for row in session.exec(statement) if row.waiting is not None]
    return {row.seat: read_message(fold.header.game, row.waiting) for row in rows}


def bots_asked(session: Session, fold: Fold, waiting: Mapping[int, Message]) -> list[GameSeat]:
    """The house's bots that are asked and have not answered, or owe a reveal."""
    asking = fold.asking
    if asking is None or fold.over:
        return []
    called = {seat for seat in asking.seats if seat not in waiting}
    called |= {seat for seat in fold.header.seats if fold.seat(seat).owed is not None}
    return [seat for seat in seats_of(session, fold.header.game) if seat.bot and seat.seat in called]


def _save(house: House, session: Session, row: Game, fold: Fold, entries: Sequence[Entry]) -> None:
    """Keep the fold and its new entries; see to what comes next."""
    for entry in entries:
        session.add(GameEntry(game_id=row.id, seq=entry.seq, kind=entry.kind, entry=entry.json()))
    row.seq, row.snapshot = fold.seq, dump_game(fold)
    row.claimed_until = 0  # it has moved on: whoever had claimed it had done so for what was due before
    if fold.over and row.ended_at is None:
        _finish(session, row, fold)
    house.tell(session, row.id)
    _schedule(house, session, row, fold)


def _due(fold: Fold, waiting: Mapping[int, Message]) -> int | None:
    """When the running step is to be closed: at once if all is in, else a moment after its deadline."""
    at = due(fold, set(waiting))
    if at is None or fold.asking is None or at <= fold.asking.deadline:
        return at
    return at + GRACE_MS


def _schedule(house: House, session: Session, row: Game, fold: Fold) -> None:
    """Set when the house must act next, and wake who must: a message only hastens what the sweep finds."""
    now = house.now()
    waiting = waiting_of(session, fold)
    row.due_at = _due(fold, waiting)
    if row.due_at is not None and row.due_at <= now:
        house.wake(session, wake.RESOLVE, row.id)
    if row.due_at is not None and bots_asked(session, fold, waiting):
        row.due_at = min(row.due_at, now + BOT_PATIENCE_MS)
        house.wake(session, wake.BOTS, row.id)
    session.add(row)


def _finish(session: Session, row: Game, fold: Fold) -> None:
    """The game is over: its copies are free again, nothing is due any more, nobody's secrets are kept."""
    assert fold.outcome is not None, "a game that is over has an outcome"
    row.ended_at, row.due_at = fold.at, None
    row.outcome = outcome_json(fold.outcome)
    release_game(session, row.id)
    _drop_waiting(session, row.id, fold.step)
    for note in session.exec(select(BotNote).where(BotNote.game_id == row.id)):
        session.delete(note)


def _drop_waiting(session: Session, game_id: str, step: int) -> None:
    """Forget what waited beside the record for a step: it has entered, or never will."""
    statement = select(Submission).where(Submission.game_id == game_id, Submission.step == step)
    for row in session.exec(statement):
        row.waiting = None
        session.add(row)
    session.flush()


# Verbs


def begin(
    house: House, session: Session, mode: str, options: Mapping[str, Any], plans: Sequence[SeatPlan]
) -> str:
    """Open a game in the caller's transaction and return its id; the decks' copies are held until its end.

    Raises `Problem` where an option is not as it must be, `DeckGone` where copies are missing.
    """
    rules = modes.find(mode)
    texts = card_texts(house.catalog) if rules.facts.own_decks else []
    players = [Player(plan.name, plan.key) for plan in plans]
    row = Game(mode=mode, created_at=house.now(), seq=0, snapshot={})
    with as_problems():
        fold, entries = opening(
            _keeper(house.keys, row.id), row.id, rules, options, players, texts, house.now()
        )
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
    _save(house, session, row, fold, entries)
    return row.id


def bot_plan(house: House, bot: str, seat: int, cards: Mapping[int, int] | None = None) -> SeatPlan:
    """One of the house's bots at a seat, with a key of the house's for that bot and seat."""
    return SeatPlan(f"{bot} (house)", public_key(bot_key(house, bot, seat)), bot=bot, cards=cards)


def bot_key(house: House, bot: str, seat: int) -> bytes:
    """The Ed25519 private key of a bot at a seat: two of a kind at one table have two keys."""
    return house.keys.bot_key(f"{bot}/{seat}")


def certificate(house: House, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
    """The certificate of a seat's deck under its owner's 32-byte seed, made once (protocol section 5).

    The same seed gets the same bytes; another is refused with `Problem` 409.
    """
    digest = sha256(seed).hexdigest()
    with house.read() as session:
        row = row_of(session, game_id)
        held = _certifiable(session, row, seat, digest)
        if held.certificate is not None:
            return held.certificate
        header, cards = fold_of(session, row).header, held.cards or {}
    # Forty commitments take a while: they are made before the row is locked.
    deck = [header.cards[int(card)] for card, count in cards.items() for _ in range(count)]
    made = certify(house.keys.signing_key, header, seat, deck, seed, house.now())
    with house.write() as session:
        held = _certifiable(session, row_of(session, game_id, lock=True), seat, digest)
        if held.certificate is None:
            held.certificate, held.seed_digest = made, digest
            session.add(held)
        return held.certificate or made


def _certifiable(session: Session, row: Game, seat: int, digest: str) -> GameSeat:
    """A seat that has its certificate under the seed of this digest, or may have one now."""
    held = session.get_one(GameSeat, (row.id, seat))
    if held.cards is None:
        raise conflict("no_own_deck", "In this mode nobody has a deck of their own.")
    if held.certificate is not None and held.seed_digest != digest:
        raise conflict("certificate_given", "This seat has its certificate, under another seed.")
    asking = fold_of(session, row).asking
    if held.certificate is None and (asking is None or asking.kind != "enter"):
        raise conflict("too_late", "The time to enter is over.")
    return held


def _repeated(session: Session, fold: Fold, message: Message) -> Submission | None:
    """The same message, accepted before; raises `Problem` 409 for another one of its kind and step."""
    if message.step > fold.step:
        return None  # nothing can have been accepted; and a step may be larger than the column takes
    key = (message.game, message.step, message.seat, message.kind)
    before = session.get(Submission, key)
    if before is None:
        return None
    if before.digest != b64(message.digest) or before.signature != b64(message.signature):
        raise conflict("already_sent", "This seat has sent another message of this kind for this step.")
    return before


def _answer(house: House, submission: Submission) -> Accepted:
    receipt = write_receipt(house.keys.signing_key, unb64(submission.digest), submission.at)
    return Accepted(receipt, submission.seq)


def _seated(session: Session, game_id: str, seat: int, player_id: str | None, bot: str | None) -> None:
    """authentication, seat: who speaks is who sits there."""
    found = session.get(GameSeat, (game_id, seat))
    if found is None or (found.player_id, found.bot) != (player_id, bot):
        raise forbidden("not_your_seat", "This seat is not yours.")


def submit(
    house: House,
    game_id: str,
    data: object,
    *,
    player_id: str | None = None,
    bot: str | None = None,
    note: Mapping[str, Any] | None = None,
) -> Accepted:
    """Take a message of any kind and mode, of a player or one of the house's bots: the one door.

    `note` is what a bot must remember if, and only if, the message is accepted.

    Size and authentication are judged where the connection is held; then in this order: shape, seat,
    repeat, step, deadline, signature, seen, rules, proof. Raises `Problem` at the first that fails, and
    has changed nothing.
    """
    arrival = house.now()
    checks = Remembering()
    with as_problems():
        message = read_message(game_id, data)
        with house.read() as session:
            fold = fold_of(session, row_of(session, game_id))
            _seated(session, game_id, message.seat, player_id, bot)
            before = _repeated(session, fold, message)
            if before is not None:
                return _answer(house, before)
        _check_early(fold, message, checks, arrival)
        with house.write() as session:
            row = row_of(session, game_id, lock=True)
            fold = fold_of(session, row)
            before = _repeated(session, fold, message)
            if before is not None:
                return _answer(house, before)
            accepted = _enter(house, session, row, fold, message, checks, arrival)
            if note is not None and row.ended_at is None:
                session.merge(BotNote(game_id=game_id, seat=message.seat, note=dict(note)))
            return accepted


def _check_early(fold: Fold, message: Message, checks: Remembering, arrival: int) -> None:
    """Check signature and proof before the row is locked; what else is wrong is said under the lock."""
    try:
        examine(fold, message, checks, arrival)
    except Refused as refused:
        if refused.code in ("bad_proof", "bad_signature"):
            raise


def _enter(
    house: House,
    session: Session,
    row: Game,
    fold: Fold,
    message: Message,
    checks: Remembering,
    arrival: int,
) -> Accepted:
    held = waits(fold, message)
    after, entries = accept(_keeper(house.keys, row.id), fold, message, arrival, checks)
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
    _save(house, session, row, after, entries)
    return _answer(house, submission)


def resolve(house: House, game_id: str) -> int:
    """Do what is due in a game: close a step that is complete or whose time is up. Idempotent.

    Returns how many entries it appended.
    """
    with house.write() as session:
        try:
            row = row_of(session, game_id, lock=True)
        except Problem:
            return 0
        fold, now = fold_of(session, row), house.now()
        waiting = waiting_of(session, fold)
        at = _due(fold, waiting)
        if at is None or now < at:
            _schedule(house, session, row, fold)
            return 0
        after, entries = close(_keeper(house.keys, row.id), fold, waiting, now)
        _drop_waiting(session, row.id, fold.step)
        _save(house, session, row, after, entries)
        return len(entries)


def note_of(session: Session, game_id: str, seat: int) -> Mapping[str, Any] | None:
    """What a bot has kept."""
    found = session.get(BotNote, (game_id, seat))
    return None if found is None else found.note
