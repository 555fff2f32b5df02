"""Fetching a record from a house, and checking that it is the record that was asked for."""

from __future__ import annotations

from client.http import Api
from crypto.encoding import b64
from player.house import HouseFault
from referee import Header, Refused, Unreadable, parse_record, read_entry, read_header
from referee.succession import related


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
