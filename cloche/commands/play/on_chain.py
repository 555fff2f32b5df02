"""`cloche demo --chain`: contracts on a chain in memory verify the record, hold copies, and pay a prize."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from cards import games
from chain import prizes, records
from chain.calls import checksummed, keccak256
from chain.contracts import artifacts
from chain.deploying import placed, verifiers
from chain.evm import SENDER, Missing
from chain.local import LocalChain, node
from client.http import Api
from client.vault import Vault
from cloche.commands.chain.machines import no_machine
from cloche.commands.chain.prizes import told
from cloche.commands.chain.verify import gas_table
from cloche.commands.errors import CommandError
from cloche.commands.measure.progress import progress
from cloche.commands.play.token_trip import TokenTrip
from cloche.commands.play.token_trip import wallet as address_of
from crypto.encoding import uuid_bytes
from referee import parse_record, read_entry
from referee.on_chain import Place

PRIZE = 10**16
"""A hundredth of an ether, in wei."""
DAYS = 30
PRICE = 50
"""The coins of a win, and the price of a booster, so that a win brings copies."""
DAY = 86_400


class OnChain:
    """A chain in memory with the verifiers, and with the house's pantry and contract of prizes."""

    def __init__(self, console: Console, mode: str) -> None:
        """Raises `CommandError` for a mode that not two play, and where there is no machine for contracts."""
        low, _ = games.find(mode).facts.seats
        if low != 2:
            raise CommandError("not_for_two", "A prize is for a game of two; choose another --mode.")
        self._console = console
        try:
            self._chain = LocalChain()
        except Missing as error:
            raise no_machine(error) from None
        self._chain.machine.time = int(time.time())  # the house lets copies out by its own clock
        self._chain.deploy_verifiers()
        # The contracts' constructors take the house's key, and the house is told the contracts' addresses.
        number = self._chain.machine.chain_id
        self._place = Place(number, self._chain.next_address())
        self._pantry = Place(number, self._chain.next_address(after=1))

    @contextmanager
    def answering(self) -> Iterator[Mapping[str, str]]:
        """Answer as a node does; yields what the house is told of the chain, and what a win brings."""
        with node(self._chain) as address:
            yield {
                "CLOCHE_CHAIN_ID": str(self._place.chain_id),
                "CLOCHE_CHAIN_PRIZES": checksummed(self._place.contract),
                "CLOCHE_CHAIN_PANTRY": checksummed(self._pantry.contract),
                "CLOCHE_CHAIN_NODES": address,
                "CLOCHE_CHAIN_FIRST": str(self._chain.newest.number),
                "CLOCHE_REWARD_COINS": str(PRICE),
                "CLOCHE_BOOSTER_PRICE": str(PRICE),
            }

    def deploy(self, url: str, key: bytes) -> None:
        """Deploy both contracts with the house's key; raises `CommandError`."""
        papers = placed()["papers"].address
        made = {
            "prizes": (self._place, ()),
            "pantry": (self._pantry, ("Copies of a house", f"{url}/api/v1/pantry/")),
        }
        for name, (place, more) in made.items():
            creation = artifacts()[name].creation(papers, key, *more)
            if self._chain.send(b"", creation, SENDER).created != place.contract:
                raise CommandError("wrong_contract", f"The contract {name} did not get its foreseen address.")

    def travel(self, url: str, vaults: Sequence[Vault], record: bytes, folder: Path) -> None:
        """Take a won copy out and back to the other player, if one has won; raises `CommandError`."""
        winners = read_entry(parse_record(record)[-1]).body["outcome"]["winners"]
        if len(winners) != 1:
            self._say("Nobody has won alone, so nobody has won a copy that could leave.")
            return
        TokenTrip(self._chain, self._say).go(url, vaults, winners[0], folder)

    def _send(self, given: Mapping[str, str], by: bytes) -> None:
        """Send a transaction as it is printed for wallets."""
        data, wei = bytes.fromhex(given["data"][2:]), int(given["value"], 16)
        receipt = self._chain.send(self._place.contract, data, by, wei)
        self._say(f"{receipt.answer.gas:,} gas")

    def _say(self, text: str) -> None:
        self._console.print(f"  {text}", markup=False)

    def pay(self, api: Api, record: bytes) -> None:
        """Open a pot on the game, have the house say its word, and pay the winner; raises `CommandError`."""
        chain, place = self._chain, self._place
        game = str(read_entry(parse_record(record)[0]).body["game"])
        wallets, sponsor = (address_of("seat 0"), address_of("seat 1")), address_of("a sponsor")
        chain.machine.fund(sponsor, PRIZE)
        end = chain.newest.time + DAYS * DAY
        self._say(f"A sponsor opens a pot of {PRIZE:,} wei, for the wallets of both seats:")
        self._send(prizes.opened(place, game, wallets, end, PRIZE), sponsor)
        # The name is the hash of what the pot is: game, wallets, sponsor, end, prize.
        words = (uuid_bytes(game).ljust(32, b"\0"), *(it.rjust(32, b"\0") for it in (*wallets, sponsor)))
        pot = keccak256(b"".join(words) + end.to_bytes(32, "big") + PRIZE.to_bytes(32, "big"))
        self._say("The house says who has won, and anybody puts that down:")
        word = told(api, game)
        self._send(word, SENDER)
        chain.pass_time(prizes.WINDOW)
        self._say("Two days later the pot is closed:")
        self._send(prizes.transaction(place, "settle", pot), SENDER)
        self._paid(record, wallets, sponsor)

    def _paid(self, record: bytes, wallets: tuple[bytes, bytes], sponsor: bytes) -> None:
        """Take out what each is due, and check that the books are right."""
        place, machine = self._place, self._chain.machine
        winners = read_entry(parse_record(record)[-1]).body["outcome"]["winners"]
        due = {seat: PRIZE // len(winners) for seat in winners} if winners else {}
        for seat, wallet in enumerate(wallets):
            if seat in due:
                self._say(f"Seat {seat} takes {due[seat]:,} wei:")
                self._send(prizes.transaction(place, "withdraw"), wallet)
            if machine.balance(wallet) != due.get(seat, 0):
                raise CommandError("wrong_prize", f"Seat {seat} was paid {machine.balance(wallet)} wei.")
        if not winners:
            self._send(prizes.transaction(place, "withdraw"), sponsor)
        if machine.balance(place.contract) != 0:
            raise CommandError("wrong_prize", "The contract still holds something.")
        self._say("The contract holds nothing any more.")

    def verify(self, record: bytes) -> None:
        """Have contracts judge the record; raises `CommandError` if they refuse it."""
        found = records.gather(record)
        with progress() as tick:
            asked = verifiers(self._chain.machine)
            judged = records.judge(found, asked, lambda done, total: tick("Judging", done / max(total, 1)))
        if judged.fault is not None:
            raise CommandError(judged.fault.code, f"Contracts refuse the record: {judged.fault.text}.")
        self._console.print(gas_table(judged, "a chain in memory"))
