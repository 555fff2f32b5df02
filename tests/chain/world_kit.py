"""A house with its pantry on a chain of this machine, and what happens between them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from chain.calls import checksummed
from chain.contracts import Contract, artifacts
from chain.deploying import placed
from chain.hints import hints
from chain.local import LocalChain, node
from chain.verifiers import two
from service import migrations
from service.config import UNLIMITED, Settings
from service.models import ChainHead, Copy, Player
from service.operations import collection, outside, pantry
from service.operations.audit import audit
from service.operations.pantry_audit import against_chain
from service.runtime import Runtime
from tests.chain.house_kit import ANNA, BASE, Deployed, new_chain


@dataclass
class World:
    """A house with two players and a free copy of Anna's, and a chain with the house's pantry."""

    house: Runtime
    chain: LocalChain
    pantry: Deployed
    clock: list[int]
    anna: Player
    ben: Player
    copy: str

    def look(self) -> int:
        """Let the house read; its books must be right then, and agree with the blocks it has read."""
        changed = pantry.read(self.house)
        with self.house.read() as session:
            assert audit(session).findings == []
        if self.head().alarm is None:
            assert against_chain(self.house).findings == []
        return changed

    def state(self) -> tuple[str, str]:
        with self.house.read() as session:
            found = session.get_one(Copy, self.copy)
            return found.state, found.owner_id

    def head(self) -> ChainHead:
        with self.house.read() as session:
            return session.get_one(ChainHead, 1)

    def leave(self) -> outside.LeaveStatement:
        self.clock[0] = self.chain.machine.time * 1000
        return outside.leave(self.house, self.anna, [self.copy], checksummed(ANNA))

    def bring_out(self, statement: outside.LeaveStatement, receiver: bytes = ANNA) -> None:
        trips = statement.trips
        tokens = [(bytes.fromhex(trip.token), trip.trip) for trip in trips]
        digest = outside.copies_out(statement.place, receiver, trips[0].until, tokens)
        numbers = [int.from_bytes(token, "big") for token, _ in tokens]
        signed = two(statement.signature), hints(statement.key, digest, statement.signature)
        counted = [trip for _, trip in tokens]
        arguments = (receiver, trips[0].until, numbers, counted, *signed)
        self.chain.send(self.pantry.contract.address, self.data("bring_out", *arguments), ANNA)

    def data(self, name: str, *arguments: Any) -> bytes:
        return self.pantry.contract.artifact.data(name, *arguments)

    def burn(self, statement: outside.LeaveStatement, player: str, by: bytes) -> None:
        number = int(statement.trips[0].token, 16)
        data = self.data("take_back", number, bytes.fromhex(player.replace("-", "")))
        self.chain.send(self.pantry.contract.address, data, by)

    def transfer(self, statement: outside.LeaveStatement, sender: bytes, receiver: bytes) -> None:
        number = int(statement.trips[0].token, 16)
        data = self.data("transferFrom", sender, receiver, number)
        self.chain.send(self.pantry.contract.address, data, sender)


def _player(house: Runtime, handle: str) -> Player:
    player = Player(handle=handle, folded=handle, password="-", key=f"{handle:-<43}", created_at=house.now())
    with house.write() as session:
        session.add(player)
    return player


@contextmanager
def opened(folder: Path, copies: int = 1) -> Iterator[World]:
    """A house in this folder with so many copies of Anna's that may leave; it has read its chain once."""
    chain = new_chain()
    url = f"sqlite:///{folder}/house.sqlite3"
    settings = Settings(database=url, data=folder / "var", **UNLIMITED)
    clock = [chain.machine.time * 1000]
    house = replace(Runtime.open(settings), clock=lambda: clock[0])
    migrations.upgrade(house.database.engine)
    arguments = placed()["papers"].address, house.keys.public, "Pantry", BASE
    made = chain.send(b"", artifacts()["pantry"].creation(*arguments))
    contract = Deployed(Contract(artifacts()["pantry"], made.created, chain.machine), chain.machine)
    chain.finalize()
    with node(chain) as address:
        more = {
            "chain_id": chain.machine.chain_id,
            "chain_pantry": checksummed(made.created),
            "chain_nodes": address,
            "chain_first": 1,
        }
        house = replace(house, settings=replace(settings, **more))
        anna, ben = _player(house, "anna"), _player(house, "ben")
        card = min(house.catalog.cards)
        with house.write() as session:
            given = collection.give(
                session, anna.id, {card: copies}, "basic", clock[0], kind="basic", soulbound=False
            )
        world = World(house, chain, contract, clock, anna, ben, given[0].id)
        world.look()
        try:
            yield world
        finally:
            world.house.close()


def saved(world: World) -> Path:
    """Save the house's database as it is now, in a file beside it."""
    ours = Path(world.house.settings.database.removeprefix("sqlite:///"))
    target = ours.with_name(f"saved-{len(list(ours.parent.glob('saved-*.sqlite3')))}.sqlite3")
    with closing(sqlite3.connect(target)) as copy, closing(sqlite3.connect(ours)) as house:
        house.backup(copy)
    return target


def put_back(world: World, file: Path) -> None:
    """Go on with a copy of a database that was saved before, as `cloche backup` puts it back."""
    world.house.close()
    target = file.with_name(f"restored-{len(list(file.parent.glob('restored-*.sqlite3')))}.sqlite3")
    target.write_bytes(file.read_bytes())
    settings = replace(world.house.settings, database=f"sqlite:///{target}")
    world.house = replace(Runtime.open(settings), clock=lambda: world.clock[0])
    with world.house.write() as session:
        outside.mark_restored(session, world.clock[0], True)
