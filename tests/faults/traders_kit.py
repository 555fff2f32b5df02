"""Players who trade with one another, and play, until their process is killed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from sqlmodel import col, select

from service.config import Settings
from service.runtime import Runtime

TRADERS = 4
COINS, COPIES = 200, 12


def trade(url: str, data: str, seed: int) -> None:
    """Make, take, decline, withdraw and expire offers, begin and end games, until this process is ended.

    All of it is done for anybody.
    """
    from service.models import GameRow, GameSeat, Player
    from service.operations import games, holds, market, trades
    from service.operations.trades import OfferSide
    from service.problems import Problem

    house = Runtime.open(Settings(database=url, data=Path(data), broker="memory://none"))
    rng = Random(seed)
    with house.read() as session:
        people = list(session.exec(select(Player).order_by(col(Player.id))))
    cards = [house.catalog.by_slug(slug).number for slug in ("tuna", "saffron")]
    while True:
        me = rng.choice(people)
        with house.read() as session:
            seen = market.offers(house, session, me.id, market.OfferQuery(), None, 20)
        try:
            match rng.choice([*["make", "accept", "begin"] * 2, "withdraw", "decline", "expire", "end"]):
                case "make":
                    goods = OfferSide(cards={rng.choice(cards): rng.randint(1, 3)})
                    money = OfferSide(coins=rng.randint(1, 60))
                    gives, wants = rng.choice([(goods, money), (money, goods), (goods, goods)])
                    to = rng.choice([None, None, rng.choice(people).handle])
                    trades.make(house, me, gives=gives, wants=wants, to=to, hours=rng.randint(1, 2))
                case "expire":
                    trades.expire(house, house.now() + (3_600_000 if rng.random() < 0.2 else 0))
                case "begin":
                    counts = {rng.choice(cards): rng.randint(1, 3)}
                    with house.write() as session:
                        game = GameRow(mode="chef", created_at=house.now(), seq=0, snapshot={})
                        session.add(game)
                        session.flush()
                        for seat, player in enumerate((me, rng.choice(people))):
                            row = GameSeat(
                                game_id=game.id, seat=seat, player_id=player.id, name=player.handle
                            )
                            session.add(row)
                        session.flush()
                        holds.hold_deck(session, house.catalog, me.id, counts, game.id)
                case "end":
                    with house.write() as session:
                        running = select(GameRow).where(col(GameRow.ended_at).is_(None)).with_for_update()
                        for game in session.exec(running.order_by(col(GameRow.id)).limit(1)).all():
                            games.stop(session, game, house.now())
                case verb if seen:
                    getattr(trades, verb)(house, me, rng.choice(seen).offer.id)
        except Problem:
            continue  # not theirs, not enough, closed meanwhile
