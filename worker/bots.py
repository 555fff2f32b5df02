"""Moves of the house's own bots.

The same code builds and validates the messages of bots and of players. A bot sees what its seat sees and no
more. Its secrets are derived from the house's bot seed and the game, so any worker can move it. A bot must
remember its choice from a seal to the reveal: the transaction that accepts the seal keeps it. A bot that
thinks does so elsewhere (`worker.thinkers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import structlog
from sqlmodel import Session

from bots import bots_for, levels_of
from cards.games import names as mode_names
from cards.games.contract import Move
from crypto.encoding import i2osp
from crypto.transcript import tuple_hash
from player.due import answer, seen
from player.seat import OwnSeat, SealedChoice
from referee import Game
from service.models import GameSeat
from service.operations import certificates, games
from service.operations.presence import Unattended
from service.problems import Problem
from service.runtime import Bots, Runtime
from worker.thinkers import Question, Thinkers, thinks

log = structlog.get_logger(__name__)


def by_mode() -> dict[str, Bots]:
    """The bots that a worker can move, by mode."""
    return {mode: Bots([*bots_for(mode)], levels_of(mode)) for mode in mode_names()}


def move(house: Runtime, game_id: str, thinkers: Thinkers | None = None) -> int:
    """Let every bot that is asked in a game answer. Returns how many answers were accepted by now.

    Bots that think are left to `thinkers`, and this returns without their answers. Without `thinkers` they
    choose in this thread too. It may run twice, or in two workers at once: the house refuses a second answer,
    which changes nothing.
    """
    with house.read() as session:
        try:
            fold = games.current(house, session, game_id)
        except Problem:
            return 0
        asked = games.bots_asked(session, fold, games.waiting_of(session, fold))
        notes = {row.seat: _kept(session, game_id, row.seat) for row, _ in asked}
    accepted = 0
    for row, bot in asked:
        turn = partial(_answer, house, fold, row, bot, notes[row.seat])
        if thinkers is not None and thinks(fold.rules.facts.name, bot):
            thinkers.take((game_id, fold.seq, row.seat), turn)
        else:
            accepted += turn(Question.answer)
    return accepted


def _kept(session: Session, game_id: str, seat: int) -> SealedChoice | None:
    note = games.note_of(session, game_id, seat)
    return None if note is None else SealedChoice.load(note)


def _answer(
    house: Runtime,
    fold: Game,
    row: GameSeat,
    bot: str,
    kept: SealedChoice | None,
    chosen: Callable[[Question], Move],
) -> bool:
    game_id, number = row.game_id, row.seat
    deck = [fold.header.cards[int(card)] for card, count in (row.cards or {}).items() for _ in range(count)]
    deck.sort(key=lambda card: card.number)
    keys = house.keys_of(fold.header.house_key)
    secret = keys.bot_secret(game_id, number)
    seat = OwnSeat(number, games.bot_key(keys, bot, number), secret, tuple(deck))
    view = seen(fold, number).knowing(seat.faces)

    def choose(game: Game) -> Move:
        # Every worker that computes the choice of a step gets the same one.
        seed = tuple_hash("house-bot-choice", secret, i2osp(game.step, 4))
        facts = game.rules.facts
        return chosen(Question(bot, facts.name, facts.rules, game.state, number, seed))

    def certificate(seed: bytes) -> Mapping[str, Any]:
        return certificates.certificate(house, game_id, number, seed)

    try:
        answered = answer(view, seat, choose, certificate, kept)
        if answered is None:
            return False
        message, keep = answered
        note = None if keep is None else keep.json()
        games.submit(house, game_id, message.json(), bot=bot, note=note)
    except Unattended:
        return False  # the house is away, and dates nothing
    except Problem as problem:
        # Another worker was quicker, or the game has gone on. The next wake-up finds what is asked by then.
        log.info("bot_refused", game=game_id, seat=number, code=problem.code)
        return False
    return True
