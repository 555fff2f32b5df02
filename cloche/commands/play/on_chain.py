"""`cloche demo --chain`: contracts on a chain in memory verify the record of the match, and pay a prize."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from cards import games
from chain import prizes, records
from chain.calls import checksummed, keccak256
from chain.contracts import artifacts
from chain.deploying import placed, verifiers
from chain.evm import SENDER, Missing
from chain.local import LocalChain
from client.http import Api
from cloche.commands.chain.machines import no_machine
from cloche.commands.chain.prizes import told
from cloche.commands.chain.verify import gas_table
from cloche.commands.errors import CommandError
from cloche.commands.measure.progress import progress
from crypto.encoding import uuid_bytes
from referee import parse_record, read_entry
from referee.on_chain import Place

PRIZE = 10**16
"""A hundredth of an ether, in wei."""
DAYS = 30
DAY = 86_400


def _wallet(name: str) -> bytes:
    """An address. Nobody needs its key: any account may send on a chain in memory."""
    return keccak256(name.encode())[:20]


class OnChain:
    """A chain in memory with the verifiers, and with a contract of prizes for the house."""

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
        self._chain.deploy_verifiers()
        # The contract's constructor takes the house's key, and the house is told the contract's address.
        self._place = Place(self._chain.machine.chain_id, self._chain.next_address())

    @property
    def settings(self) -> Mapping[str, str]:
        """What the house is told of the chain."""
        where = checksummed(self._place.contract)
        return {"CLOCHE_CHAIN_ID": str(self._place.chain_id), "CLOCHE_CHAIN_PRIZES": where}

    def _send(self, given: Mapping[str, str], by: bytes) -> None:
        """Send a transaction as it is printed for wallets."""
        data, wei = bytes.fromhex(given["data"][2:]), int(given["value"], 16)
        receipt = self._chain.send(self._place.contract, data, by, wei)
        self._say(f"{receipt.answer.gas:,} gas")

    def _say(self, text: str) -> None:
        self._console.print(f"  {text}", markup=False)

    def pay(self, api: Api, record: bytes, key: bytes) -> None:
        """Open a pot on the game, have the house say its word, and pay the winner; raises `CommandError`."""
        chain, place = self._chain, self._place
        game = str(read_entry(parse_record(record)[0]).body["game"])
        wallets, sponsor = (_wallet("seat 0"), _wallet("seat 1")), _wallet("a sponsor")
        creation = artifacts()["prizes"].creation(placed()["papers"].address, key)
        if chain.send(b"", creation, SENDER).created != place.contract:
            raise CommandError("wrong_contract", "The contract of prizes has another address than foreseen.")
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
