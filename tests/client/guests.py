"""Players of a real house, each with a vault."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.decks import DeckInfo
from client.http import Api
from client.transport import Transport
from client.vault import FILE, Vault
from crypto.identity import new_private_key
from player.house import TableInfo
from player.vault_format import LOWEST_COST, Identity

PLAYED_OUT = ("points", "final", "drawn")
"""The reasons for the end of a match of Pancake that is played out. Chance decides which one it is."""
PASSPHRASE = "correct horse battery staple"


@dataclass
class Guest:
    """A player with a token, a vault and a starter deck."""

    api: Api
    vault: Vault
    folder: Path

    @classmethod
    def register(
        cls, url: str, folder: Path, index: int, transport: Transport | None = None, handle: str = ""
    ) -> Guest:
        """A new player of the house at `url`. Requests go over the network, or over a transport."""
        api = Api(url, transport=transport)
        handle = handle or f"guest{secrets.token_hex(4)}"
        identity = Identity(handle, url, api.house().key, new_private_key(), secrets.token_urlsafe(16))
        starters = api.starters()
        starter = starters[index % len(starters)]["slug"]
        api.register(handle, identity.password, identity.private, identity.house_key, starter)
        vault = Vault.create(folder / FILE, PASSPHRASE, identity, LOWEST_COST)
        vault.renew(api.issue_token(handle, identity.password, "tests"))
        return cls(api, vault, folder)

    @property
    def handle(self) -> str:
        """Its handle."""
        return self.vault.identity.handle

    @property
    def deck(self) -> DeckInfo:
        """Its starter deck."""
        return next(self.api.decks())

    @property
    def environment(self) -> dict[str, str]:
        """The environment for `cloche` commands of this player."""
        return {
            "CLOCHE_HOME": str(self.folder),
            "CLOCHE_PASSPHRASE": PASSPHRASE,
            "CLOCHE_VAULT_COST": str(LOWEST_COST),
        }


Invite = Callable[..., Guest]
"""The fixture `invite`: registers a player, at the house of the tests or another one."""


def sit(guests: Sequence[Guest], mode: str, **how: Any) -> tuple[str, TableInfo]:
    """Seat the guests at a new table; returns the game's id, empty while seats are free, and the table."""
    own = next(item for item in guests[0].api.modes() if item["name"] == mode)["own_decks"]
    table = guests[0].api.open_table(mode, deck=guests[0].deck.id if own else None, **how)
    for guest in guests[1:]:
        table = guest.api.join(table.id, guest.deck.id if own else None)
    return table.game or "", table
