"""Leaving a house for ever: resigning from running games, and deleting the account."""

from __future__ import annotations

from client.http import Api
from player.house import ApiProblem
from player.session import NotNow, Session
from player.vault import PlayerVault
from player.vault_format import VaultError


def leave(api: Api, vault: PlayerVault) -> int:
    """Resign from all running games and delete the account, both by the key in the vault.

    Returns the number of games from which the player could not resign now; the clock ends the player's part
    there. Raises `ApiProblem`, `HouseFault`, `Unreachable`; then the account is still there.
    """
    who = vault.identity
    left = [game["id"] for game in api.games("running") if not _resign(api, vault, game["id"])]
    answer = api.answer(who.private, who.house_key, who.handle, "deletion")
    api.delete_account(answer, abandon=bool(left))
    return len(left)


def _resign(api: Api, vault: PlayerVault, game: str) -> bool:
    """Resign from a game; False if that is not possible now."""
    try:
        session = Session(api, vault, game)
        session.start()
        session.resign()
    except (NotNow, VaultError, ApiProblem):
        return False
    return True
