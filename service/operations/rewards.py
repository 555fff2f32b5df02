"""Rewards for wins: coins, and a booster for every few wins. docs/collection.md publishes these rules.

A win is judged once, in the transaction that writes the game's result, whatever ended the game. The rules are
the same in every mode: they look at the winners, the others, and the number of choices of each.

A person could play for rewards with two accounts, and the house can't tell these from two friends. So the
earnings of a pair are bounded: one win a day over the same opponent, and a few wins a week, for fewer and
fewer coins. The settings say how many.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import Session, col, select

from service.models import GameRow, GameSeat, Player, Submission, Win, WinOver
from service.operations import boosters, feed, ledger
from service.operations.ledger import MINT, Transfer
from service.problems import conflict, not_found
from service.runtime import Runtime

BOTS = "house"
"""The opponent's name for all bots of the house."""
REASONS = ("not_won", "too_short", "same_opponent", "daily_limit", "no_rewards")
"""Why a game brought nothing. A name never gets a second meaning."""

DAY_MS = 86_400_000
WEEK_MS = 7 * DAY_MS


@dataclass(frozen=True, slots=True)
class RewardStanding:
    """A player's coins and rewarded wins."""

    coins: int
    wins: int
    """Rewarded wins."""
    wins_today: int
    booster_in: int | None
    """Rewarded wins until the next booster; None if wins bring none."""


@dataclass(frozen=True, slots=True)
class GameReward:
    """What a game that is over brought a player."""

    coins: int
    booster: str | None
    """The id of the booster that the win brought."""
    booster_in: int | None
    """Rewarded wins from then until the next booster; None if wins bring none."""
    reason: str | None
    """Why the game brought nothing: one of `REASONS`. None for a rewarded win."""


def grant(
    house: Runtime, session: Session, game_id: str, winners: Collection[int], seats: Sequence[GameSeat]
) -> None:
    """Reward the winning seats of a game, in the transaction that writes its result."""
    busy = _busy(house, session, game_id)
    beaten = _beaten(seats, winners, busy)
    players = {
        seat.player_id
        for seat in seats
        if seat.player_id is not None and seat.seat in winners and seat.seat in busy
    }
    for player_id in sorted(players) if beaten else ():
        _reward(house, session, game_id, player_id, beaten)


def _beaten(seats: Sequence[GameSeat], winners: Collection[int], busy: Collection[int]) -> set[str]:
    """The beaten opponents that made enough choices; all bots of the house are one."""
    return {seat.player_id or BOTS for seat in seats if seat.seat not in winners and seat.seat in busy}


def _busy(house: Runtime, session: Session, game_id: str) -> set[int]:
    """The seats that made enough choices for a reward. Moves that the house played for a seat don't count."""
    made = (
        select(Submission.seat, func.count())
        .where(Submission.game_id == game_id, col(Submission.kind).in_(("move", "seal")))
        .group_by(col(Submission.seat))
    )
    return {seat for seat, count in session.exec(made) if count >= house.settings.reward_choices}


def _reward(house: Runtime, session: Session, game_id: str, player_id: str, beaten: set[str]) -> None:
    now = house.now()
    # The lock counts two games of the player that end at the same moment one after the other.
    session.exec(select(Player.id).where(Player.id == player_id).with_for_update(key_share=True)).one()
    coins, _ = _due(house, session, player_id, beaten, now, None)
    if coins == 0:
        return
    number = _wins(session, player_id) + 1
    win = Win(game_id=game_id, player_id=player_id, at=now, coins=coins, number=number)
    every = house.settings.reward_booster_every
    if every and number % every == 0:
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


def _due(
    house: Runtime, session: Session, player_id: str, beaten: set[str], now: int, until: int | None
) -> tuple[int, str | None]:
    """The coins for a win over these opponents at `now`, or 0 and the reason.

    All wins that are known count, also if the clock was put back. With `until`, later ones don't.
    """
    if not house.settings.reward_coins:
        return 0, "no_rewards"
    if _today(session, player_id, now, until) >= house.settings.reward_wins_a_day:
        return 0, "daily_limit"
    coins = max(_worth(house, session, player_id, opponent, now, until) for opponent in beaten)
    return coins, None if coins else "same_opponent"


def _worth(
    house: Runtime, session: Session, player_id: str, opponent: str, now: int, until: int | None
) -> int:
    """The coins for a win over an opponent at `now`; 0 for a second win on the same day."""
    coins = house.settings.reward_coins
    over = select(WinOver.at).where(WinOver.player_id == player_id, WinOver.opponent == opponent)
    if until is not None:
        over = over.where(WinOver.at <= until)
    times = session.exec(over.where(WinOver.at > now - WEEK_MS)).all()
    if any(at >= _day(now) for at in times) or len(times) >= len(coins):
        return 0
    return coins[len(times)]


def _day(now: int) -> int:
    return now - now % DAY_MS


def _wins(session: Session, player_id: str) -> int:
    return session.exec(select(func.count()).select_from(Win).where(Win.player_id == player_id)).one()


def _today(session: Session, player_id: str, now: int, until: int | None = None) -> int:
    mine = select(func.count()).select_from(Win).where(Win.player_id == player_id, Win.at >= _day(now))
    if until is not None:
        mine = mine.where(Win.at <= until)
    return session.exec(mine).one()


def standing(house: Runtime, session: Session, player_id: str) -> RewardStanding:
    """A player's coins, rewarded wins, and wins until the next booster."""
    wins = _wins(session, player_id)
    return RewardStanding(
        coins=ledger.coins_of(session, player_id),
        wins=wins,
        wins_today=_today(session, player_id, house.now()),
        booster_in=_booster_in(house, wins),
    )


def _booster_in(house: Runtime, wins: int) -> int | None:
    """Rewarded wins until the next booster after so many; None if wins bring none."""
    every = house.settings.reward_booster_every
    return every - wins % every if every and boosters.newest(house) is not None else None


def of_game(house: Runtime, session: Session, game_id: str, player_id: str) -> GameReward:
    """What a game brought a player, or why it brought nothing.

    Raises `Problem` 404 for a game in which the player had no seat, and 409 for one that still runs.
    """
    seats = session.exec(select(GameSeat).where(GameSeat.game_id == game_id)).all()
    mine = next((seat for seat in seats if seat.player_id == player_id), None)
    if mine is None:
        raise not_found("game")
    row = session.get_one(GameRow, game_id)
    if row.ended_at is None:
        raise conflict("game_running", "This game is not over yet.")
    win = session.get(Win, (game_id, player_id))
    if win is not None:
        return GameReward(win.coins, win.booster_id, _booster_in(house, win.number), None)
    reason = _refusal(house, session, row, seats, mine)
    return GameReward(0, None, _booster_in(house, _wins(session, player_id)), reason)


def _refusal(
    house: Runtime, session: Session, row: GameRow, seats: Sequence[GameSeat], mine: GameSeat
) -> str:
    """Why a game that is over brought the player at `mine` nothing."""
    winners = [] if row.outcome is None else row.outcome["winners"]
    if mine.seat not in winners or len(winners) == len(seats):
        return "not_won"
    busy = _busy(house, session, row.id)
    beaten = _beaten(seats, winners, busy)
    if mine.seat not in busy or not beaten:
        return "too_short"
    ended = row.ended_at or house.now()
    _, reason = _due(house, session, mine.player_id or BOTS, beaten, ended, ended)
    return reason or "no_rewards"
