"""Rewards for wins: coins, and a booster for every third win. docs/collection.md publishes these rules.

A win is judged once, in the transaction that writes the game's result, whatever ended the game. The rules are
the same in every mode: they look at the winners, the others, and the number of choices of each.

A person could play for rewards with two accounts, and the house can't tell these from two friends. So the
earnings of a pair are bounded: one win a day over the same opponent, and `COINS` a week, which about halve.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from service.models import GameSeat, Player, Submission, Win, WinOver
from service.operations import boosters, feed, ledger
from service.operations.ledger import MINT, Transfer
from service.runtime import Runtime

COINS = (10, 5, 2, 1)
"""The coins for the first, second, ... win over the same opponent within a week; later ones bring none."""
WINS_A_DAY = 10
"""The most rewarded wins of a player in a day (of UTC)."""
BOOSTER_EVERY = 3
"""The number of rewarded wins from one booster to the next."""
CHOICES = 5
"""The number of moves and seals that the winner and the beaten opponent must each have made."""
BOTS = "house"
"""The opponent's name for all bots of the house."""

DAY_MS = 86_400_000
WEEK_MS = 7 * DAY_MS


@dataclass(frozen=True, slots=True)
class RewardStanding:
    """A player's coins and rewarded wins."""

    coins: int
    wins: int
    """Rewarded wins."""
    wins_today: int
    booster_in: int
    """Rewarded wins until the next booster."""


def grant(
    house: Runtime, session: Session, game_id: str, winners: Collection[int], seats: Sequence[GameSeat]
) -> None:
    """Reward the winning seats of a game, in the transaction that writes its result."""
    busy = _busy(session, game_id)
    beaten = {_opponent(seat) for seat in seats if seat.seat not in winners and seat.seat in busy}
    players = {
        seat.player_id
        for seat in seats
        if seat.player_id is not None and seat.seat in winners and seat.seat in busy
    }
    for player_id in sorted(players) if beaten else ():
        _reward(house, session, game_id, player_id, beaten)


def _opponent(seat: GameSeat) -> str:
    return seat.player_id or BOTS


def _busy(session: Session, game_id: str) -> set[int]:
    """The seats that made enough choices for a reward. Moves that the house played for a seat don't count."""
    made = (
        select(Submission.seat, func.count())
        .where(Submission.game_id == game_id, col(Submission.kind).in_(("move", "seal")))
        .group_by(col(Submission.seat))
    )
    return {seat for seat, count in session.exec(made) if count >= CHOICES}


def _reward(house: Runtime, session: Session, game_id: str, player_id: str, beaten: set[str]) -> None:
    now = house.now()
    # The lock counts two games of the player that end at the same moment one after the other.
    session.exec(select(Player.id).where(Player.id == player_id).with_for_update(key_share=True)).one()
    if _today(session, player_id, now) >= WINS_A_DAY:
        return
    coins = max(_worth(session, player_id, opponent, now) for opponent in beaten)
    if coins == 0:
        return
    number = _wins(session, player_id) + 1
    win = Win(game_id=game_id, player_id=player_id, at=now, coins=coins, number=number)
    if number % BOOSTER_EVERY == 0:
        win.booster_id = boosters.award(house, session, player_id, game_id, now)
    session.add(win)
    session.add_all(
        WinOver(game_id=game_id, player_id=player_id, opponent=opponent, at=now)
        for opponent in sorted(beaten)
    )
    session.flush()
    ledger.post(
        session, "reward", [Transfer(MINT, player_id, coins=coins)], now, f"win:{game_id}:{player_id}"
    )
    feed.add(house, session, [player_id], "reward.won", game=game_id, coins=coins, booster=win.booster_id)


def _worth(session: Session, player_id: str, opponent: str, now: int) -> int:
    """The coins for a win over an opponent now; 0 for a second win on the same day."""
    over = select(WinOver.at).where(WinOver.player_id == player_id, WinOver.opponent == opponent)
    times = session.exec(over.where(WinOver.at > now - WEEK_MS)).all()
    if any(at >= _day(now) for at in times) or len(times) >= len(COINS):
        return 0
    return COINS[len(times)]


def _day(now: int) -> int:
    return now - now % DAY_MS


def _wins(session: Session, player_id: str) -> int:
    return session.exec(select(func.count()).select_from(Win).where(Win.player_id == player_id)).one()


def _today(session: Session, player_id: str, now: int) -> int:
    mine = (Win.player_id == player_id, Win.at >= _day(now))
    return session.exec(select(func.count()).select_from(Win).where(*mine)).one()


def standing(house: Runtime, session: Session, player_id: str) -> RewardStanding:
    """A player's coins, rewarded wins, and wins until the next booster."""
    wins = _wins(session, player_id)
    return RewardStanding(
        coins=ledger.coins_of(session, player_id),
        wins=wins,
        wins_today=_today(session, player_id, house.now()),
        booster_in=BOOSTER_EVERY - wins % BOOSTER_EVERY,
    )
