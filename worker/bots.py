"""The house's own bots: they move by the code that builds any player's messages, through the same door.

A bot sees what its seat sees and no more. Its secrets come from the house's bot
seed and the game, so any worker can move it; what it must remember from a seal
to its reveal is kept in the transaction that accepts the seal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import structlog
from sqlmodel import Session

from bots import bots_for
from cards.games import names as mode_names
from cards.games.contract import Move
from crypto.encoding import i2osp
from crypto.transcript import tuple_hash
from player.due import answer
from player.seat import OwnSeat, SealedChoice
from referee import Game
from service.models import GameSeat
from service.operations import certificates, games
from service.problems import Problem
from service.runtime import Runtime

log = structlog.get_logger(__name__)


def by_mode() -> dict[str, list[str]]:
    """The names of the bots that a worker can move, by mode, the best first."""
    return {mode: list(bots_for(mode)) for mode in mode_names()}


def move(house: Runtime, game_id: str) -> int:
    """Let every bot that is asked in a game answer; returns how many answers were accepted.

    Run twice, or by two workers at once, the second is refused at the door and changes nothing.
    """
    with house.read() as session:
        try:
            fold = games.fold_of(session, games.row_of(session, game_id))
        except Problem:
            return 0
        seats = games.bots_asked(session, fold, games.waiting_of(session, fold))
        notes = {seat.seat: _kept(session, game_id, seat.seat) for seat in seats}
    return sum(_answer(house, fold, seat, notes[seat.seat]) for seat in seats)


def _kept(session: Session, game_id: str, seat: int) -> SealedChoice | None:
    note = games.note_of(session, game_id, seat)
    return None if note is None else SealedChoice.load(note)


def _answer(house: Runtime, fold: Game, row: GameSeat, kept: SealedChoice | None) -> bool:
    assert row.bot is not None, "the seat is a bot's"
    game_id, number = row.game_id, row.seat
    deck = [fold.header.cards[int(card)] for card, count in (row.cards or {}).items() for _ in range(count)]
    deck.sort(key=lambda card: card.number)
    keys = house.keys_of(fold.header.house_key)
    secret = keys.bot_secret(game_id, number)
    seat = OwnSeat(number, games.bot_key(keys, row.bot, number), secret, tuple(deck))
    sees = fold.rules.sees(fold.state, number)
    view = replace(fold, state=fold.state.seen(sees)).knowing(seat.faces)

    def choose(game: Game) -> Move:
        # The same step gets the same choice again, whoever computes it.
        rng = Random(tuple_hash("house-bot-choice", secret, i2osp(game.step, 4)))
        return bots_for(game.rules.facts.name)[row.bot or ""].choose(game.rules, game.state, number, rng)

    def certificate(seed: bytes) -> Mapping[str, Any]:
        return certificates.certificate(house, game_id, number, seed)

    try:
        answered = answer(view, seat, choose, certificate, kept)
        if answered is None:
            return False
        message, keep = answered
        note = None if keep is None else keep.json()
        games.submit(house, game_id, message.json(), bot=row.bot, note=note)
    except Problem as problem:
        # Another worker was quicker, or the game has gone on: the next wake-up sees what is asked then.
        log.info("bot_refused", game=game_id, seat=number, code=problem.code)
        return False
    return True
