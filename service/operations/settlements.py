"""The house's word on a game, for a contract of prizes on a chain (docs/chain.md).

It follows from the record alone: the winners and the digest of the result entry. So the house says the same
word however often it is asked, and keeps nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session

from referee.on_chain import Place, address, settlement, signed
from referee.record import read_entry
from service.config import Settings
from service.models import GameEntry
from service.operations.games.rows import header_of
from service.operations.watching import visible
from service.problems import conflict
from service.runtime import Runtime

PLAYERS = 2
"""The seats of a game that a pot can be on."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the house, which the contract takes with its signature."""

    place: Place
    game: str
    winners: tuple[int, ...]
    """The seats that have won; none gives a prize back."""
    result: bytes
    """The digest of the result entry."""
    key: bytes
    """The house's key, which must stand in the contract."""
    signature: bytes


def prizes(settings: Settings) -> Place | None:
    """The contract of this house's prizes; None if it has none."""
    if not settings.chain_id or not settings.chain_prizes:
        return None
    return Place(settings.chain_id, address(settings.chain_prizes))


def word(house: Runtime, session: Session, game_id: str, player_id: str | None) -> Word:
    """The house's word on a game that is over, for anybody who may see its record.

    Raises `Problem` 401, 403, 404 or 409, also for a game that more than two have played.
    """
    row, _ = visible(session, game_id, player_id)
    if row.ended_at is None:
        raise conflict("game_running", "This game is not over yet.")
    place = prizes(house.settings)
    if place is None:
        raise conflict("no_prizes", "This house has no contract of prizes on a chain.")
    if len(header_of(session, game_id).players) != PLAYERS:
        raise conflict("not_for_two", "A prize is for a game of two.")
    found = session.get(GameEntry, (game_id, row.seq))
    if found is None or found.kind != "result":
        raise conflict("game_stopped", "This game has ended without a result.")
    entry = read_entry(found.entry)
    winners = tuple(entry.body["outcome"]["winners"])
    private, key = house.keys.signing_key, house.keys.public
    signature = signed(private, settlement(place, game_id, winners, entry.digest))
    return Word(place, game_id, winners, entry.digest, key, signature)
