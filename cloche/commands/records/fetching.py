"""Records as a house gives them: of the game that was asked for, and signed by the house that one knows."""

from __future__ import annotations

from client.http import Api
from crypto.encoding import b64
from player.house import HouseFault
from referee import Header, Refused, Unreadable, parse_record, read_entry, read_header
from referee.succession import related


def fetched(api: Api, game: str) -> bytes:
    """The record of `game`, by its id. Whether it is valid is not judged here.

    Its signatures are good by whichever key and id its first entry names: that these are the ones meant, only
    who asks can know. Raises `HouseFault` for another game or another house's, and for what is no record.
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
    shown = api.house()  # which is the one we know, where we are signed in
    if header.house_key != shown.key and not related(shown.successions, header.house_key, shown.key):
        text = "the record names another house key than the house"
        evidence = {"house_key": b64(shown.key), "record": b64(header.house_key)}
        raise HouseFault("wrong_house", text, evidence)
