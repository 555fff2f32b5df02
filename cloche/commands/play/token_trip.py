"""`cloche demo --chain`: a won copy leaves as a token, and comes back to another player."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chain import pantry
from chain.calls import checksummed, keccak256
from chain.local import LocalChain
from client.http import Api
from client.vault import Vault
from cloche.commands.chain.pantry import brought_out
from cloche.commands.chain.prizes import house_contract
from cloche.commands.errors import CommandError
from cloche.operate.child import run
from player.boosters import BoosterWatch, open_booster
from player.house import ApiProblem

PATIENCE = 90.0
"""Seconds for the house to book a win, or to read a final block; it looks every 15 seconds."""
LOOK = 0.5


def wallet(name: str) -> bytes:
    """An address. Nobody needs its key: any account may send on a chain in memory."""
    return keccak256(name.encode())[:20]


@dataclass(frozen=True)
class TokenTrip:
    """The way of one copy, out of the house and back; `say` prints a line."""

    chain: LocalChain
    say: Callable[[str], None]

    def go(self, url: str, vaults: Sequence[Vault], winner: int, folder: Path) -> None:
        """Take a copy of the winner's out and back to the other seat; raises `CommandError`."""
        with Api(url) as mine, Api(url) as theirs:
            for api, vault in ((mine, vaults[winner]), (theirs, vaults[1 - winner])):
                api.as_player(vault.identity.token or "")
            names = [vaults[seat].identity.handle for seat in (winner, 1 - winner)]
            copy = _won(mine, vaults[winner])
            first, second = wallet("the winner's"), wallet("a collector's")
            found = _until("The house did not read the chain", lambda: _let_out(mine, copy, first))
            token = bytes.fromhex(found["copies"][0]["token"])
            place = house_contract(mine, "pantry")
            self.say(f"The house lets {copy['card']} #{copy['serial']} of {names[0]} out as a token:")
            self._send(brought_out(mine, place, found), first)
            self.chain.finalize()
            _until("The copy did not leave", lambda: _state(mine, found) == "outside")
            self.say("The wallet gives the token to another:")
            self._send(pantry.passed_on(place, token, first, second), first)
            self.say(f"That one burns it for {names[1]}:")
            self._send(pantry.taken_back(place, token, str(theirs.me()["id"])), second)
            self.chain.finalize()
            _until("The copy did not come back", lambda: _has(theirs, copy))
            if _has(mine, copy):
                raise CommandError("two_copies", "Both players have the copy.")
            self.say(f"{names[1]} has the copy now, and {names[0]} has it no more.")
        status, text = run(["admin", "audit", "--data", str(folder / "house")])
        self.say(text.strip())
        if status != 0:
            raise CommandError("wrong_books", "The books of the house are wrong.")

    def _send(self, given: Mapping[str, str], by: bytes) -> None:
        """Send a transaction as it is printed for wallets."""
        to, data = (bytes.fromhex(given[name][2:]) for name in ("to", "data"))
        receipt = self.chain.send(to, data, by)
        self.say(f"{receipt.answer.gas:,} gas, from {checksummed(by)}")


def _until(fault: str, look: Callable[[], Any]) -> Any:
    """The first true value of `look`; raises `CommandError` if there is none in time."""
    deadline = time.monotonic() + PATIENCE
    while not (found := look()):
        if time.monotonic() > deadline:
            raise CommandError("too_slow", f"{fault} within {PATIENCE:g} seconds.")
        time.sleep(LOOK)
    return found


def _won(api: Api, vault: Vault) -> Mapping[str, Any]:
    """Buy a booster with the coins of the win, open it, and choose a copy out of it."""
    rules = api.booster_odds()[0]
    _until("The win brought no coins", lambda: api.wallet()["coins"] >= rules["price"])
    before = {copy["id"] for copy in api.copies()}
    if open_booster(api, vault, api.buy_booster(rules["set"])["id"], BoosterWatch()) is None:
        raise CommandError("no_booster", "The booster that was bought is not there.")
    return next(copy for copy in api.copies() if copy["id"] not in before and not copy["soulbound"])


def _let_out(api: Api, copy: Mapping[str, Any], to: bytes) -> Mapping[str, Any] | None:
    """The house's statement; None while the house has not read the chain yet."""
    try:
        return api.let_out([copy["id"]], checksummed(to))
    except ApiProblem as problem:
        if problem.code != "chain_unread":
            raise
        return None


def _state(api: Api, found: Mapping[str, Any]) -> str:
    return str(api.statement(found["id"])["copies"][0]["state"])


def _has(api: Api, copy: Mapping[str, Any]) -> bool:
    return any(it["id"] == copy["id"] and it["state"] == "free" for it in api.copies())
