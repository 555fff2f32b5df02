"""Fetching a record from a house, and checking that it is the record that was asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from client.http import Api
from client.vault import Vault
from cloche.commands import access
from cloche.commands.errors import CommandError
from crypto.encoding import b64
from player.house import HouseFault
from referee import Header, Refused, Unreadable, parse_record, read_entry, read_header
from referee.succession import related

LAST = "last"
"""The word for the player's newest game that is over."""
_SHORTEST = 4
"""The fewest characters of an id."""
_ID = re.compile(r"[0-9a-f]{4,8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?", re.IGNORECASE)
_WHOLE = 36


def names_a_game(text: str) -> bool:
    """Tell whether a text can name a game: an id, the beginning of one, or "last".

    >>> names_a_game("last"), names_a_game("1f0c1d52"), names_a_game("record.json")
    (True, True, False)
    """
    return text == LAST or _ID.fullmatch(text) is not None


def game_id(api: Api, text: str) -> str:
    """The whole id of a game of the player, whom `api` has signed in: `text` may be short, or "last".

    A whole id is taken as it is, so it may be a game of others. Raises `CommandError`.
    """
    if len(text) == _WHOLE or not names_a_game(text):
        return text
    if text == LAST:
        newest = next(iter(api.games("over")), None)
        if newest is None:
            raise CommandError("no_game", "No game of yours is over yet.")
        return str(newest["id"])
    found = [str(game["id"]) for game in api.games() if str(game["id"]).startswith(text.casefold())]
    if not found:
        raise CommandError("unknown_game", f"No game of yours begins with {text}; `cloche games` lists them.")
    if len(found) > 1:
        begun = ", ".join(game[: len(text) + _SHORTEST] for game in found[:5])
        raise CommandError("ambiguous_game", f"Several games begin with {text}: {begun}.")
    return found[0]


@contextmanager
def meant_game(text: str, house: str | None, file: Path | None) -> Iterator[tuple[Vault | None, Api, str]]:
    """The player, signed in, their house, and the whole id of the game that they name.

    A player who names a house is not signed in there, and needs whole ids. A short id or "last" signs in all
    the same, if it is the player's own house. Raises `CommandError`.
    """
    short = names_a_game(text) and len(text) < _WHOLE
    alone = house is None or (short and access.vault_path().exists())
    with access.at_house(None if alone else house, file) as (vault, api):
        if short and (vault is None or (house or vault.identity.house).rstrip("/") != vault.identity.house):
            why = f"{text} names a game of yours, but you are no player of {house or access.HOUSE}."
            raise CommandError("not_signed_in", why)
        yield vault, api, text if vault is None else game_id(api, text)


def fetched(api: Api, game: str) -> bytes:
    """Fetch the record of `game`, by its id. The record is not verified here.

    A record is valid by the key and game id that its own first entry names. Only the one who asked can know
    whether these are the right ones. Raises `HouseFault` for a record of another game or another house, and
    for what is no record.
    """
    data = api.record(game)
    try:
        header = read_header(read_entry(parse_record(data)[0]))
    except (Refused, Unreadable) as fault:
        raise HouseFault("bad_record", f"it gave no record of game {game}: {fault}") from None
    _is_meant(api, header, game)
    return data


def _is_meant(api: Api, header: Header, game: str) -> None:
    if header.game != game:
        text = f"asked for game {game} it gave the record of {header.game}"
        raise HouseFault("wrong_game", text, {"asked": game, "record": header.game})
    shown = api.house()  # a player who is signed in has checked that this is the right one
    if header.house_key != shown.key and not related(shown.successions, header.house_key, shown.key):
        text = "the record names another house key than the house"
        evidence = {"house_key": b64(shown.key), "record": b64(header.house_key)}
        raise HouseFault("wrong_house", text, evidence)
