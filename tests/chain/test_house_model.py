"""Whatever happens to a house, its chain and its backups: a copy is inside or outside, never both."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from sqlmodel import select

from chain.calls import Reverted, checksummed
from chain.local import DEPTH
from referee.on_chain import address
from service.models import Copy, Trip
from service.operations import holds, outside
from service.problems import Problem
from tests.chain.house_kit import ANNA, BEN
from tests.chain.world_kit import World, opened, put_back, saved

COPIES = 3
NOBODY = "00000000-0000-4000-8000-000000000000"
WALLETS = (ANNA, BEN)
ANY = st.integers(0, 99)
RESTORING = 50
"""Percent of the calls that put a backup back."""
RECENT = 8
"""Statements that are looked at after each step; older ones have lapsed, or nearly."""
MAY_BE = {"copies_missing", "chain_unread"}
"""The codes by which a house refuses to let a copy out here."""


class Travelling(RuleBasedStateMachine):
    """Copies leave, pass on, lapse, come back; blocks are taken back, and backups put back."""

    def __init__(self) -> None:
        super().__init__()
        self.folder, self.stack = Path(mkdtemp()), ExitStack()
        self.world: World = self.stack.enter_context(opened(self.folder, COPIES))
        with self.world.house.read() as session:
            self.copies = sorted(copy.id for copy in session.exec(select(Copy)))
        self.statements: list[outside.LeaveStatement] = []
        self.backups: list[Path] = []
        self.tokens: dict[str, int] = {}
        """The tokens of the copies that have ever had a statement, by the copy's id."""

    def teardown(self) -> None:
        self.settle()
        self.stack.close()
        shutil.rmtree(self.folder)

    def _tick(self) -> None:
        """The house's clock goes as the chain's does."""
        self.world.clock[0] = self.world.chain.machine.time * 1000

    def _owner(self, token: int) -> bytes | None:
        try:
            found: bytes = self.world.pantry.ask("ownerOf", token)
        except Reverted:
            return None
        return found

    def _sent(self, act: Callable[[], Any]) -> bool:
        try:
            act()
        except Reverted:
            return False
        return True

    @rule(which=ANY, wallet=st.sampled_from(WALLETS))
    def leave(self, which: int, wallet: bytes) -> None:
        self.look()
        copy = self.copies[which % COPIES]
        with self.world.house.read() as session:
            owner = session.get_one(Copy, copy).owner_id
        player = self.world.anna if owner == self.world.anna.id else self.world.ben
        try:
            made = outside.leave(self.world.house, player, [copy], checksummed(wallet))
        except Problem as problem:
            if problem.code in MAY_BE:
                return
            raise
        assert copy not in self.tokens or self._owner(self.tokens[copy]) is None
        self.tokens[copy] = int(made.trips[0].token, 16)
        self.statements.append(made)

    @rule(which=ANY)
    def bring_out(self, which: int) -> None:
        """Old statements are tried too: one that was used, has lapsed, or that a backup has forgotten."""
        if self.statements:
            made = self.statements[-1 - which % min(len(self.statements), COPIES)]
            self._sent(lambda: self.world.bring_out(made, address(made.trips[0].receiver)))

    @rule(which=ANY, back=st.booleans(), whose=st.integers(0, 2))
    def move(self, which: int, back: bool, whose: int) -> None:
        """A token is passed on, or burned for Anna, Ben or nobody."""
        out = [made for made in self.statements if self._owner(int(made.trips[0].token, 16))]
        if not out:
            return
        made = out[which % len(out)]
        owner = self._owner(int(made.trips[0].token, 16))
        assert owner is not None
        if back:
            player = (self.world.anna.id, self.world.ben.id, NOBODY)[whose]
            assert self._sent(lambda: self.world.burn(made, player, owner))
        else:
            assert self._sent(lambda: self.world.transfer(made, owner, WALLETS[whose % 2]))

    @rule(count=st.integers(1, 4))
    def mine(self, count: int) -> None:
        self.world.chain.mine(count)

    @rule(hours=st.sampled_from([1, 1, 12, 24]))
    def pass_time(self, hours: int) -> None:
        self.world.chain.pass_time(hours * 3600)

    @rule(count=st.integers(1, DEPTH))
    def reorganize(self, count: int) -> None:
        """Blocks that are not final yet are taken back, with all that happened in them."""
        self.world.chain.take_back(count)
        self.world.chain.mine(count)

    @rule()
    def look(self) -> None:
        self._tick()
        self.world.look()

    @rule()
    def save(self) -> None:
        self.backups.append(saved(self.world))

    @rule(which=ANY)
    def restore(self, which: int) -> None:
        """Not often: a restored house lets no copy leave for a day."""
        if self.backups and which < RESTORING:
            self._tick()
            put_back(self.world, self.backups[which % len(self.backups)])

    @invariant()
    def never_both(self) -> None:
        """A copy that is on the chain, or that anybody can still bring there, is not free in the house.

        A house that was restored plays and trades no copy until it knows what has left.
        """
        assert self.world.head().alarm is None
        with self.world.house.read() as session:
            if holds.restored(session):
                return
            away = {copy for copy, token in self.tokens.items() if self._owner(token) is not None}
            away |= {made.trips[0].copy_id for made in self.statements[-RECENT:] if self._usable(made)}
            for copy in away:
                assert session.get_one(Copy, copy).state == "outside"

    def _usable(self, made: outside.LeaveStatement) -> bool:
        """Tell whether the contract still takes a statement."""
        [trip] = made.trips
        counted = self.world.pantry.ask("trips", int(trip.token, 16))
        return self.world.chain.machine.time <= trip.until and counted + 1 == trip.trip

    def settle(self) -> None:
        """All becomes final and is read: then the house says the same as the chain's log."""
        self.world.chain.finalize()
        self._tick()
        self.world.look()
        last = self._last()
        with self.world.house.read() as session:
            for copy in (session.get_one(Copy, it) for it in self.copies):
                name, values = last.get(self.tokens.get(copy.id, -1), ("", {}))
                states = {trip.state for trip in session.exec(select(Trip).where(Trip.copy_id == copy.id))}
                if name == "Out":
                    assert copy.state == "outside"
                elif copy.state == "outside":
                    assert states & {"leaving", "lost"}
                elif name == "Back":
                    assert bytes.fromhex(copy.owner_id.replace("-", "")) == values["player"]
                else:
                    assert copy.owner_id == self.world.anna.id

    def _last(self) -> dict[int, tuple[str, dict[str, Any]]]:
        """What the final blocks say last of each token."""
        chain, artifact = self.world.chain, self.world.pantry.contract.artifact
        found: dict[int, tuple[str, dict[str, Any]]] = {}
        for block in chain.blocks[: chain.final.number + 1]:
            for log in block.logs:
                event = artifact.read(log.topics, log.data)
                if event is not None and event[0] in ("Out", "Back"):
                    found[event[1]["token"]] = event
        return found


def _tried(examples: int, *, fresh: bool = False) -> None:
    given = settings(
        max_examples=examples,
        stateful_step_count=50,
        deadline=None,
        derandomize=not fresh,
        database=None,
        phases=(Phase.explicit, Phase.generate),  # to shrink takes minutes here
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    run_state_machine_as_test(Travelling, settings=given)


def test_a_copy_is_inside_or_outside_and_never_both() -> None:
    _tried(6)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_a_copy_is_inside_or_outside_and_never_both_at_length() -> None:
    _tried(150, fresh=True)
