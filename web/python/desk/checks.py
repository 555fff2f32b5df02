"""Records to verify and to step through, dishes of accounts, boosters, and copies that are outside."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from client.outside import certified, checked_statement, contract
from crypto.encoding import b64, timestamp
from desk import account, views
from desk.calls import DeskFault, call, fault_of, tell
from desk.followed import busy, followed
from player import boosters as player_boosters
from player.due import seen
from player.house import ApiProblem, HouseFault
from referee import Entry, Game, Refused, apply, read_entry, verify_record
from referee.boosters import verify_boosters
from referee.game import outcome_json
from referee.on_chain import checksummed
from referee.record import Unreadable, parse_record

TICK = 0.1
"""Seconds between two events of progress."""


@dataclass
class FoldedRecord:
    """A record, folded entry by entry."""

    entries: list[Entry] = field(default_factory=list)
    games: list[Game] = field(default_factory=list)


REPLAYS: dict[str, FoldedRecord] = {}


def _progress(name: str) -> Callable[[int, int], None]:
    told = [0.0]

    def hear(done: int, total: int) -> None:
        now = time.monotonic()
        if now - told[0] >= TICK or done == total:
            told[0] = now
            tell("progress", call=name, done=done, total=total)

    return hear


def _bytes(game: str | None, file: bytes | None) -> bytes:
    if file is not None:
        return bytes(file)
    if game is None:
        raise DeskFault("bad_argument", "Name a game or give a file.")
    return account.house().record(game)


@call("verify.record")
def verify(game: str | None = None, file: bytes | None = None) -> dict[str, Any]:
    """Verify a record as `cloche verify` does."""
    data = _bytes(game, file)
    began = time.perf_counter()
    try:
        report = verify_record(data, progress=_progress("verify.record")).json()
    except Unreadable as error:
        fault = {"entry": None, "pointer": "", "code": "unreadable", "text": str(error), "section": ""}
        report = {
            "valid": False,
            "fault": fault,
            "checked": {},
            "game": None,
            "mode": None,
            "house_key": None,
            "seats": None,
            "outcome": None,
        }
    took = round((time.perf_counter() - began) * 1000)
    return {**report, "known_house": _known(report), "bytes": len(data), "took_ms": took}


def _known(report: Mapping[str, Any]) -> bool | None:
    """Tell whether a record is of the player's own house, or of the one that serves this page."""
    if report["house_key"] is None:
        return None
    vault = account.PLAYER.vault
    if vault is not None and b64(vault.identity.house_key) == report["house_key"]:
        return True
    try:
        shown = account.anybody().house()
    except Exception:
        return None  # offline: nobody can say
    named = report["house_key"]
    keys = {b64(shown.key), *(b64(key) for step in shown.successions for key in (step.old, step.new))}
    return named in keys


@call("replay.open")
def open_replay(game: str | None = None, file: bytes | None = None) -> dict[str, Any]:
    """Fold a record entry by entry, checking each, so that it can be stepped through."""
    data = _bytes(game, file)
    try:
        raw = parse_record(data)
    except Unreadable as error:
        raise DeskFault("unreadable", f"This is no record: {error}.") from None
    found, progress = FoldedRecord(), _progress("replay.open")
    for number, each in enumerate(raw):
        try:
            entry = read_entry(each)
            after = apply(found.games[-1] if found.games else None, entry)
        except Refused as refused:
            told = fault_of(refused)
            raise DeskFault(**{**told, "pointer": f"/entries/{number}{refused.pointer}"}) from None
        found.entries.append(entry)
        found.games.append(after)
        progress(number + 1, len(raw))
    if not found.games:
        raise DeskFault("bad_length", "A record has at least one entry.")
    name = secrets.token_hex(8)
    REPLAYS[name] = found
    last = found.games[-1]
    return {
        "replay": name,
        "game": last.header.game,
        "mode": last.rules.facts.name,
        "seats": [
            {"name": name, "key": b64(each.key)}
            for name, each in zip(last.header.names, last.header.players, strict=True)
        ],
        "outcome": outcome_json(last.outcome),
        "ticks": [
            {
                "seq": entry.seq,
                "kind": entry.kind,
                "seat": entry.seat,
                "at": entry.at,
                "round": getattr(after.state.board, "round", after.deals),
            }
            for entry, after in zip(found.entries, found.games, strict=True)
        ],
    }


@call("replay.at")
def replay_at(replay: str, seq: int, seat: int | None = None) -> dict[str, Any]:
    """The game after an entry, as a seat or a spectator saw it then."""
    found = REPLAYS.get(replay)
    if found is None or not 0 <= seq < len(found.games):
        raise DeskFault("bad_argument", "There is no such entry.", pointer="/seq")
    game, entry = found.games[seq], found.entries[seq]
    shown = seen(game, seat)
    told = views.view(shown, seat, found.entries[: seq + 1])
    account_here = views.account_told(entry, game) if entry.kind == "account" else None
    return {"view": told, "account": account_here}


@call("replay.close")
def close_replay(replay: str) -> None:
    """Forget a record."""
    REPLAYS.pop(replay, None)


@call("pictures.dishes")
def dishes(game: str, seq: int) -> dict[str, Any]:
    """Draw the dishes of an account. `game` is a game that is followed or replayed."""
    replay = next((each for each in REPLAYS.values() if each.games[-1].header.game == game), None)
    if replay is not None:
        entries, last = replay.entries, replay.games[-1]
    else:
        fold = followed(game).fold
        entries, last = fold.entries, fold.game
    entry = next((each for each in entries if each.seq == seq and each.kind == "account"), None)
    if entry is None:
        raise DeskFault("bad_argument", "There is no account with this number.", pointer="/seq")
    lines = entry.body["lines"]
    drawn = last.rules.pictures(lines, last.header.cards, last.header.names)
    served = [line for line in lines if line.get("kind") == "dish" and line.get("recipe") is not None]
    pairs = zip(served, drawn, strict=False)
    return {
        "dishes": [
            {"seat": line["seat"], "course": line["course"], "title": each.title, "svg": each.draw()}
            for line, each in pairs
        ]
    }


@call("boosters.open")
def open_booster(booster: str) -> dict[str, Any]:
    """Open a booster on terms that bind the house, and check the draw before it is shown."""
    vault, api = account.opened()
    opening = player_boosters.open_booster(api, vault, booster)
    if opening is None:
        raise ApiProblem(404, "not_found", "You have no such booster.")
    report = _own_boosters()
    return {"opening": dict(opening), "cards": _cards(opening), "checked": report["checked"]}


def _own_boosters() -> dict[str, Any]:
    vault, api = account.opened()
    file = player_boosters.booster_file(api, vault)
    return verify_boosters(file, vault.identity.house_key, api.house().successions).json()


def _cards(opening: Mapping[str, Any]) -> list[str]:
    from desk.decks import catalog

    known = catalog().cards
    return [known[n].slug if n in known else str(n) for n in opening.get("cards", ())]


@call("boosters.verify")
def verify_own_boosters() -> dict[str, Any]:
    """Check the file of everything that the player has opened."""
    return _own_boosters()


@call("copies.outside")
def outside(copy: str, statement: str) -> dict[str, Any]:
    """Check the statement that let a copy out and its token's certificate, and say where the copy is."""
    vault, api = account.opened()
    if busy():
        raise DeskFault("match_running", "During a match no single card is asked for.")
    account.recognize()
    key = vault.identity.house_key
    found, place = api.statement(statement), contract(api, "pantry")
    if place is None:
        raise HouseFault("bad_contract", "it has let copies out, and has no pantry", found)
    stated = checked_statement(found, place, key)
    trip = next((trip for trip in found["copies"] if trip["copy"] == copy), None)
    if trip is None:
        raise HouseFault("bad_statement", "its statement is about other copies", found)
    certified(api, trip, key)
    return {
        "chain": place.chain_id,
        "pantry": checksummed(place.contract),
        "receiver": checksummed(stated.receiver),
        "until": timestamp(stated.until * 1000),
        "token": f"0x{trip['token']}",
        "state": trip["state"],
    }
