"""Tournaments where hands cross: many enter, workers look and players leave at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from sqlmodel import col, func, select, update

from service.models import Account, GameRow, Player, Tournament, TournamentEntry
from service.operations import ledger, tournaments
from service.problems import Problem
from service.runtime import Runtime
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, give_coins
from tests.service.tournament_kit import created, crowd, entered, look, matches, rows, state
from tests.service.trade_kit import findings


def _rich(house: Runtime, ids: list[str], coins: int) -> None:
    with house.write() as session:
        for player in ids:
            given = ledger.Transfer(ledger.MINT, player, coins=coins)
            ledger.post(session, "reward", [given], house.now())


def test_two_hundred_enter_at_once_and_as_many_pay_as_have_a_place(
    house: Runtime, seat: Callable[..., Guest]
) -> None:
    director = seat("director")
    people = crowd(house, 200)
    _rich(house, [player.id for player in people], 10)
    cup = created(director, places=7, fee=10, prizes=[100])
    done = at_once([lambda one=one: tournaments.enter(house, one, cup, None) for one in people])
    refused = Counter(each.code if isinstance(each, Problem) else type(each).__name__ for each in done)
    assert refused == {"tournament_full": 193, "ListedEntry": 7}
    with house.read() as session:
        inside = set(session.exec(select(TournamentEntry.player_id)).all())
        poor = set(
            session.exec(
                select(Account.id).where(
                    Account.coins == 0, col(Account.player_id).is_not(None), Account.id != director.id
                )
            )
        )
        assert session.get_one(Account, "escrow").coins == 70
    assert inside == poor
    assert findings(house) == []


def test_players_who_enter_and_leave_at_once_pay_what_they_owe(
    house: Runtime, seat: Callable[..., Guest]
) -> None:
    director = seat("director")
    people = crowd(house, 12)
    _rich(house, [player.id for player in people], 10)
    cup = created(director, fee=10, prizes=[100])
    jobs = [lambda one=one: tournaments.enter(house, one, cup, None) for one in people]
    jobs += [lambda one=one: tournaments.withdraw(house, one, cup) for one in people]
    done = at_once([*jobs, *jobs])
    assert not [each for each in done if isinstance(each, Exception)], done
    with house.read() as session:
        inside = session.exec(select(func.count()).select_from(TournamentEntry)).one()
        assert session.get_one(Account, "escrow").coins == 10 * inside
        assert session.get_one(Tournament, cup).entered == inside
    assert findings(house) == []


def test_workers_that_look_at_once_pair_a_round_once(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    guests = [seat(f"guest{number}") for number in range(6)]
    director = guests[0]
    give_coins(house, director.id, 60)
    cup = created(director, added=60, prizes=[100])
    entered(cup, guests)
    assert director.post(f"/tournaments/{cup}/start", {}).status_code == 200
    done = at_once([lambda: tournaments.advance(house, cup) for _ in range(6)])
    assert not [each for each in done if isinstance(each, Exception)], done
    look(house)
    found = rows(house, cup)
    assert [(each.round, each.board, each.state, each.games) for each in found] == [
        (1, board, "playing", 1) for board in (1, 2, 3)
    ]
    with house.read() as session:
        assert session.exec(select(func.count()).select_from(GameRow)).one() == 3


def test_who_leaves_while_a_round_is_paired_is_in_it_or_not(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    guests = [seat(f"guest{number}") for number in range(5)]
    director = seat("director")
    cup = created(director, rounds=4, late_rounds=3)
    entered(cup, guests)
    with house.read() as session:
        people = list(session.exec(select(Player).order_by(col(Player.handle))))
    first, last = (next(p for p in people if p.handle == guests[k].handle) for k in (0, 4))
    assert director.post(f"/tournaments/{cup}/start", {}).status_code == 200
    done = at_once(
        [
            lambda: tournaments.advance(house, cup),
            lambda: tournaments.withdraw(house, first, cup),
            lambda: tournaments.advance(house, cup),
            lambda: tournaments.withdraw(house, last, cup),
        ]
    )
    assert not [each for each in done if isinstance(each, Exception)], done
    look(house)
    shown = state(director, cup)
    assert shown["state"] == "running"
    paired = [name for each in matches(director, cup, 1) for name in (each["first"], each["second"]) if name]
    assert max(Counter(paired).values()) == 1
    with house.read() as session:
        inside = select(func.count()).select_from(TournamentEntry)
        still = session.exec(inside.where(col(TournamentEntry.out_round).is_(None))).one()
    assert still == 3


def test_prizes_are_paid_once_however_many_workers_look(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    guests = [seat(f"guest{number}") for number in range(2)]
    director = seat("director")
    give_coins(house, director.id, 10)
    cup = created(director, added=10, prizes=[100])
    entered(cup, guests)
    assert director.post(f"/tournaments/{cup}/start", {}).status_code == 200
    look(house)
    path = f"/tournaments/{cup}/rounds/1/matches/1"
    assert director.put(path, {"result": "first", "reason": "x"}).status_code == 200
    with house.write() as session:
        session.execute(update(Tournament).values(due_at=0))
    done = at_once([lambda: tournaments.advance(house, cup) for _ in range(6)])
    assert not [each for each in done if isinstance(each, Exception)], done
    look(house)
    assert state(director, cup)["state"] == "over"
    with house.read() as session:
        assert session.get_one(Account, "escrow").coins == 0
    assert findings(house) == []
