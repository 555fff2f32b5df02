"""A few lines of arithmetic predict the result of all that players do with offers, in any order."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlmodel import func, select

from crypto.identity import new_private_key
from service.models import Copy, Player
from service.operations import ledger, trades
from service.operations.trades import HOUR_MS, OfferSide
from service.problems import Problem
from service.runtime import Runtime
from tests.service.service_kit import Guest, app_of, house_in, registration
from tests.service.trade_kit import enrich, findings

PEOPLE, COINS, COPIES = 3, 30, 4
GOODS = ("tuna", "saffron")


@dataclass
class Side:
    """One side of an offer: coins, and copies of each of GOODS."""

    coins: int = 0
    cards: tuple[int, int] = (0, 0)

    def terms(self, numbers: tuple[int, ...]) -> OfferSide:
        cards = {number: n for number, n in zip(numbers, self.cards, strict=True) if n}
        return OfferSide(cards=cards, coins=self.coins)


@dataclass
class Purse:
    """The goods that a player has at hand: nothing of it lies in an offer."""

    coins: int = COINS
    cards: list[int] = field(default_factory=lambda: [COPIES] * len(GOODS))

    def has(self, side: Side) -> bool:
        return self.coins >= side.coins and all(a >= b for a, b in zip(self.cards, side.cards, strict=True))

    def add(self, side: Side, sign: int = 1) -> None:
        self.coins += sign * side.coins
        self.cards = [a + sign * b for a, b in zip(self.cards, side.cards, strict=True)]


@dataclass
class Made:
    """An offer that is open."""

    id: str
    maker: int
    to: int | None
    gives: Side
    wants: Side
    until: int


SIDES = st.builds(Side, st.integers(0, 12), st.tuples(st.integers(0, 2), st.integers(0, 2)))
WHO = st.integers(0, PEOPLE - 1)


class Trading(RuleBasedStateMachine):
    """The house's operations on one side, purses on the other."""

    template: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        self.clock = [1_790_000_000_000]
        self.house: Runtime = house_in(self.folder, self.template, self.clock)
        app = app_of(self.house)
        self.people: list[Player] = []
        for number in range(PEOPLE):
            guest = Guest(app.test_client(), f"trader{number}", new_private_key())
            guest.id = guest.post("/players", registration(guest, guest.handle, guest.private)).json["id"]
            enrich(self.house, guest, coins=COINS, tuna=COPIES, saffron=COPIES)
            with self.house.read() as session:
                self.people.append(session.get_one(Player, guest.id))
        self.numbers = tuple(self.house.catalog.by_slug(slug).number for slug in GOODS)
        self.purses = [Purse() for _ in self.people]
        self.open: list[Made] = []

    def teardown(self) -> None:
        self.house.close()
        shutil.rmtree(self.folder)

    def _try(self, fair: bool, act: Callable[[], object]) -> None:
        """It is done if it is fair, and else refused."""
        if fair:
            act()
        else:
            with pytest.raises(Problem):
                act()

    @rule(who=WHO, to=st.none() | WHO, gives=SIDES, wants=SIDES, hours=st.integers(1, 3))
    def make(self, who: int, to: int | None, gives: Side, wants: Side, hours: int) -> None:
        some = all(side.coins or any(side.cards) for side in (gives, wants))
        fair = some and not (gives.coins and wants.coins) and to != who and self.purses[who].has(gives)
        handle = None if to is None else self.people[to].handle
        made: list[str] = []

        def act() -> None:
            offer = trades.make(
                self.house,
                self.people[who],
                gives=gives.terms(self.numbers),
                wants=wants.terms(self.numbers),
                to=handle,
                hours=hours,
            )
            made.append(offer.id)

        self._try(fair, act)
        if fair:
            self.purses[who].add(gives, -1)
            until = self.clock[0] + hours * HOUR_MS
            self.open.append(Made(made[0], who, to, replace(gives), replace(wants), until))

    def _pick(self, number: int) -> Made | None:
        return self.open[number % len(self.open)] if self.open else None

    @rule(who=WHO, number=st.integers(0, 99))
    def accept(self, who: int, number: int) -> None:
        offer = self._pick(number)
        if offer is None:
            return
        fair = (
            who != offer.maker
            and offer.to in (None, who)
            and self.clock[0] < offer.until
            and self.purses[who].has(offer.wants)
        )
        self._try(fair, lambda: trades.accept(self.house, self.people[who], offer.id))
        if fair:
            self.open.remove(offer)
            self.purses[who].add(offer.gives)
            self.purses[who].add(offer.wants, -1)
            self.purses[offer.maker].add(offer.wants)

    @rule(who=WHO, number=st.integers(0, 99), verb=st.sampled_from(["withdraw", "decline"]))
    def close(self, who: int, number: int, verb: str) -> None:
        offer = self._pick(number)
        if offer is None:
            return
        right = offer.maker if verb == "withdraw" else offer.to
        fair = who == right and self.clock[0] < offer.until
        self._try(fair, lambda: getattr(trades, verb)(self.house, self.people[who], offer.id))
        if fair:
            self.open.remove(offer)
            self.purses[offer.maker].add(offer.gives)

    @rule(hours=st.integers(0, 2), sweeps=st.booleans())
    def wait(self, hours: int, sweeps: bool) -> None:
        self.clock[0] += hours * HOUR_MS
        if not sweeps:
            return
        late = [offer for offer in self.open if offer.until <= self.clock[0]]
        assert trades.expire(self.house, self.clock[0]) == len(late)
        for offer in late:
            self.open.remove(offer)
            self.purses[offer.maker].add(offer.gives)

    @invariant()
    def everybody_has_what_they_should(self) -> None:
        for player, purse in zip(self.people, self.purses, strict=True):
            with self.house.read() as session:
                assert ledger.coins_of(session, player.id) == purse.coins
                for number, count in zip(self.numbers, purse.cards, strict=True):
                    free = select(func.count()).where(
                        Copy.owner_id == player.id,
                        Copy.card == number,
                        Copy.state == "free",
                        Copy.soulbound == False,  # noqa: E712 (a column)
                    )
                    assert session.exec(free).one() == count
        assert findings(self.house) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.long)])
def test_trades_come_to_what_arithmetic_says(migrated_file: Path, count: int) -> None:
    Trading.template = migrated_file
    run_state_machine_as_test(
        Trading,
        settings=settings(
            max_examples=count,
            stateful_step_count=25,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
