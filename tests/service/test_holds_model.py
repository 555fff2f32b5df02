"""A few lines of set arithmetic predict which games hold which copies, whatever else happens to these."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import ClassVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlmodel import col, select

from crypto.identity import new_private_key
from service.models import Copy, GameRow, GameSeat, Player
from service.operations import collection, games, holds, trades
from service.operations.trades import OfferSide
from service.problems import Problem
from service.runtime import Runtime
from tests.service.service_kit import Guest, app_of, house_in, registration
from tests.service.trade_kit import enrich, findings

PEOPLE, COPIES, COINS = 2, 3, 50
GOODS = "egg"
WHO = st.integers(0, PEOPLE - 1)
SOME = st.integers(1, 4)


@dataclass
class Thing:
    """A copy of the card, as arithmetic knows it."""

    id: str
    serial: int
    bound: bool
    owner: int
    games: set[str] = field(default_factory=set)
    offer: str | None = None


class Playing(RuleBasedStateMachine):
    """The house's operations on one side, things on the other."""

    template: ClassVar[Path]

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(mkdtemp())
        self.house: Runtime = house_in(self.folder, self.template, [1_790_000_000_000])
        app = app_of(self.house)
        self.card = self.house.catalog.by_slug(GOODS).number
        self.people: list[Player] = []
        for number in range(PEOPLE):
            guest = Guest(app.test_client(), f"player{number}", new_private_key())
            guest.id = guest.post("/players", registration(guest, guest.handle, guest.private)).json["id"]
            enrich(self.house, guest, coins=COINS, egg=COPIES)
            collection.mint_basics(self.house, guest.id, {self.card: 1})
            with self.house.read() as session:
                self.people.append(session.get_one(Player, guest.id))
        self.things = [
            Thing(copy.id, copy.serial, copy.soulbound, self._number(copy.owner_id))
            for copy in self._copies()
        ]
        self.games: list[str] = []
        self.offers: list[str] = []

    def teardown(self) -> None:
        self.house.close()
        shutil.rmtree(self.folder)

    def _number(self, player_id: str) -> int:
        return next(i for i, player in enumerate(self.people) if player.id == player_id)

    def _copies(self) -> list[Copy]:
        with self.house.read() as session:
            return list(session.exec(select(Copy).where(Copy.card == self.card).order_by(col(Copy.serial))))

    def _try(self, fair: bool, act: Callable[[], object]) -> None:
        """It is done if it is fair, and else refused."""
        if fair:
            act()
        else:
            with pytest.raises(Problem):
                act()

    @rule(who=WHO, count=SOME)
    def begin(self, who: int, count: int) -> None:
        there = [thing for thing in self.things if thing.owner == who and thing.offer is None]
        there.sort(key=lambda thing: (not thing.games, not thing.bound, thing.serial))
        game = str(uuid4())

        def act() -> None:
            player = self.people[who]
            with self.house.write() as session:
                session.add(GameRow(id=game, mode="chef", created_at=1, seq=0, snapshot={}))
                session.flush()
                session.add(GameSeat(game_id=game, seat=0, player_id=player.id, name=player.handle))
                session.flush()
                holds.hold_deck(session, self.house.catalog, player.id, {self.card: count}, game)

        fair = len(there) >= count
        self._try(fair, act)
        if fair:
            self.games.append(game)
            for thing in there[:count]:
                thing.games.add(game)

    @rule(number=st.integers(0, 99))
    def end(self, number: int) -> None:
        if not self.games:
            return
        game = self.games.pop(number % len(self.games))
        with self.house.write() as session:
            games.stop(session, games.row_of(session, game, lock=True), 2)
        for thing in self.things:
            thing.games.discard(game)

    @rule(who=WHO, count=SOME)
    def offer(self, who: int, count: int) -> None:
        free = [t for t in self.things if t.owner == who and not (t.bound or t.games or t.offer)]
        fair = len(free) >= count
        made: list[str] = []

        def act() -> None:
            gives, wants = OfferSide(cards={self.card: count}), OfferSide(coins=1)
            made.append(trades.make(self.house, self.people[who], gives=gives, wants=wants).id)

        self._try(fair, act)
        if fair:
            self.offers += made
            for thing in free[-count:]:
                thing.offer = made[0]

    @rule(number=st.integers(0, 99), accepts=st.booleans())
    def close(self, number: int, accepts: bool) -> None:
        if not self.offers:
            return
        offer = self.offers.pop(number % len(self.offers))
        given = [thing for thing in self.things if thing.offer == offer]
        maker = given[0].owner
        if accepts:
            trades.accept(self.house, self.people[1 - maker], offer)
        else:
            trades.withdraw(self.house, self.people[maker], offer)
        for thing in given:
            thing.offer = None
            thing.owner = 1 - maker if accepts else maker

    @invariant()
    def every_copy_is_where_it_should_be(self) -> None:
        shown = {c.id: (self._number(c.owner_id), c.state, c.holders) for c in self._copies()}
        assert shown == {
            thing.id: (
                thing.owner,
                "held" if thing.games else "listed" if thing.offer else "free",
                sorted(thing.games) or ([thing.offer] if thing.offer else []),
            )
            for thing in self.things
        }
        assert findings(self.house) == []


@pytest.mark.slow
@pytest.mark.parametrize("count", [4, pytest.param(12, marks=pytest.mark.long)])
def test_games_hold_what_arithmetic_says(migrated_file: Path, count: int) -> None:
    Playing.template = migrated_file
    run_state_machine_as_test(
        Playing,
        settings=settings(
            max_examples=count,
            stateful_step_count=40,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
