"""Matches that our player plays, and games that are watched: what the page and the worker ask of them.

The worker reads the streams and pushes entries here (`fed`). If the house does not answer, it calls `turn`
again after a moment.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import kitchen

from bots import default_bot
from cards.games import find as find_mode
from cards.games.contract import Move
from client.http import Api
from desk import account, views
from desk.calls import DeskFault, call, passing, refusal_told, tell
from desk.followed import AGAIN_MS, GAMES, Followed, broken, finished, followed, go_on, line, listen
from desk.tables import tried
from player.bot import by_bot
from player.follow import Follower
from player.house import ApiProblem, HouseFault, TableInfo, Unreachable
from player.session import SendResult, Session
from player.table_terms import require_request
from player.vault_format import VaultError
from player.watchfulness import Concern
from referee import Refused, all_options

SEATINGS: dict[str, TableInfo] = {}
"""The tables at which we have sat down here, by id."""

LEFT: set[str] = set()
"""Games of ours that can't go on by themselves."""


NEWS_OF_GAMES = frozenset({"game.asked", "game.timed_out", "game.over", "reset"})
"""The news for which a game that is not on the screen is looked at. A reset names none: news are missing."""


def _session(game: str) -> tuple[Followed, Session]:
    found = followed(game)
    if found.session is None:
        raise DeskFault("not_sitting", "You watch this game, and have no seat at it.")
    return found, found.session


# Sitting down


@call("match.open")
def open_table(
    mode: str,
    deck: str | None = None,
    seats: int | None = None,
    bots: list[str] | None = None,
    options: Mapping[str, Any] | None = None,
    private: bool = False,
    spectators: bool | None = None,
    format: str | None = None,
    rated: bool = False,
) -> dict[str, Any]:
    """Open a table and sit down, and check that it is the one that was asked for."""
    _, api = account.opened()
    given = dict(options or {})
    table = api.open_table(
        mode,
        deck=deck,
        seats=seats,
        bots=bots or (),
        options=given,
        private=private,
        spectators=spectators,
        format=format,
        rated=rated,
    )
    require_request(table, mode, given, private)
    return _seated(table)


@call("match.join")
def join(table: str, deck: str | None = None, invitation: str | None = None) -> dict[str, Any]:
    """Sit down at somebody's table."""
    _, api = account.opened()
    return _seated(api.join(table, deck, invitation))


@call("match.rematch")
def rematch(game: str, deck: str | None = None) -> dict[str, Any]:
    """Open the rematch of a game, or join it."""
    _, api = account.opened()
    return _seated(api.rematch(game, deck))


@call("match.meet")
def meet(game: str, mode: str, options: Mapping[str, Any] | None = None) -> None:
    """Enter a game that the queue, a challenge or a tournament has begun, on the terms that our player knows.

    Without options it must have the defaults of the mode in all that is no clock. It is not shown yet.
    """
    if game in GAMES:
        return
    try:
        rules = find_mode(mode)
    except KeyError:
        raise DeskFault("bad_argument", f"There is no mode {mode}.", pointer="/mode") from None
    if options is None:
        options = {option.name: option.default for option in all_options(rules) if option.kind != "seconds"}
    free: list[Mapping[str, Any] | None] = [None] * max(2, rules.facts.seats[0])
    SEATINGS[game] = TableInfo(game, mode, options, free, "playing", game, "", False, True, None, None)
    go_on(_sat_down(game))


def _seated(table: TableInfo) -> dict[str, Any]:
    SEATINGS[table.id] = table
    return {name: getattr(table, name) for name in TableInfo.__dataclass_fields__}


def _seating(api: Api, game: str) -> TableInfo | None:
    """The table of ours that has become this game, as we knew it when we sat down."""
    for table in SEATINGS.values():
        begun = table.game or api.table(table.id).game
        if begun != table.game:
            SEATINGS[table.id] = replace(table, game=begun)
        if begun == game:
            return table
    return None


@call("match.sit")
def sit(game: str) -> dict[str, Any]:
    """Sit at a game of ours: fold its record, send what is due, and go on until `match.leave`."""
    found = GAMES.get(game)
    if found is None or found.session is None:
        found = GAMES[game] = _sat_down(game)
    found.asked, found.shown = -1, True
    kitchen.follow(game)  # the stream brings what came since it was looked at last
    go_on(found)
    return found.view()


def _sat_down(game: str) -> Followed:
    """Fold the record of a game of ours from its start. If another device has begun the game, the box may
    have its secrets.

    A new game is entered with the deck that the house has kept since we sat down: the page may have been
    opened anew, and its player may have edited the deck.
    """
    vault, api = account.opened()
    seating = _seating(api, game)
    cards: Mapping[str, int] = {}
    begins = vault.note(game) is None
    if begins:
        cards = api.game(game).get("deck") or {}
    session = Session(api, vault, game, cards, terms=seating, warn=lambda concern: _concern(game, concern))
    try:
        session.start()
    except VaultError as error:
        if error.code != "elsewhere" or not account.look_into_box():
            raise
        session.start()
    found = Followed(game, session, shown=False)
    listen(found)
    GAMES[game] = found
    if session.game.over:
        finished(found)  # it has ended while nobody was here
    elif begins:
        account.box_secret()  # another device could not go on with this game without its secrets
    return found


def resume() -> None:
    """Sit at the next running game whose secrets lie here, and ask to be called again for the rest.

    So a turn is sent whatever the page shows, and after the page was closed.
    """
    try:
        vault, _ = account.opened()
    except DeskFault:
        return
    game = next((each for each in vault.contents.games if each not in GAMES and each not in LEFT), None)
    if game is None:
        return
    wait = 0
    try:
        go_on(_sat_down(game))
    except Unreachable:
        wait = 2 * AGAIN_MS
    except ApiProblem as problem:
        if passing(problem):
            wait = 8 * AGAIN_MS
        else:
            LEFT.add(game)
    except (DeskFault, HouseFault, Refused, VaultError):
        LEFT.add(game)  # whoever opens its table is told why
    kitchen.later("", wait)


@call("watch.start")
def watch(game: str) -> dict[str, Any]:
    """Watch a game."""
    if game not in GAMES:
        api = account.house()
        key = account.PLAYER.vault.identity.house_key if account.PLAYER.vault else api.house().key
        found = Followed(game, follower=Follower(api, game, key))
        found.fold.catch_up()
        listen(found)
        GAMES[game] = found
        kitchen.follow(game)
    return GAMES[game].view()


def _concern(game: str, concern: Concern) -> None:
    """Tell the page what its player should know of the house's doings."""
    tell("concern", game=game, code=concern.code, text=concern.text)


@call("match.leave")
def leave(game: str) -> None:
    """Leave the table. A game of ours goes on until it is over: what is due must be sent.

    It has no stream of its own then (see `following`).
    """
    found = GAMES.get(game)
    if found is None:
        return
    found.shown = False
    if found.session is None or found.fold.game.over:
        GAMES.pop(game)


CALL_STOP = call("watch.stop")(leave)


def forget() -> None:
    """Leave all games: the player has locked the file, or another tab has it now."""
    GAMES.clear()
    SEATINGS.clear()
    LEFT.clear()
    FEED["seen"] = -1


# What the page asks


@call("match.view")
def view(game: str) -> dict[str, Any]:
    """The game as it is known now."""
    return followed(game).view()


@call("match.try")
def try_move(game: str, move: Move) -> dict[str, Any]:
    """Judge a move without sending it."""
    session = _session(game)[1]
    shown = session.seen()
    refusal = shown.rules.legal(shown.state, session.seat.number).refusal(move)
    told = None if refusal is None else refusal_told(refusal)
    return {"refusal": told, "detail": tried(shown, session.seat.number, move)}


@call("match.hint")
def hint(game: str) -> dict[str, Any]:
    """The move that the mode's usual bot would make with what we see."""
    session = _session(game)[1]
    if session.asks() is None:
        raise DeskFault("not_asked", "Nothing is asked of you at the moment.")
    shown, seat = session.seen(), session.seat.number
    move = by_bot(default_bot(shown.rules.facts.name), seat, Random(shown.seq))(shown)
    return {"move": move, "detail": tried(shown, seat, move)}


@call("match.choose")
def choose(game: str, move: Move, envelope: bool = False) -> dict[str, Any]:
    """Make our player's choice. Where the house is away it is kept, and sent later."""
    found, session = _session(game)
    session.envelope = envelope
    try:
        sent = session.choose(move)
    except Unreachable:
        sent = SendResult.NOTHING
        line(game, True)
        kitchen.later(game, AGAIN_MS)
    except HouseFault as fault:
        broken(found, fault)
        raise
    go_on(found)
    if session.kept is not None and session.kept.step == found.fold.game.step:
        account.box_secret()  # only this opens the seal: another device may have to
    return {"sent": sent.value, "view": found.view()}


@call("match.offer_draw")
def offer_draw(game: str) -> dict[str, Any]:
    """Offer a draw, or agree to one."""
    found, session = _session(game)
    session.offer_draw()
    go_on(found)
    return found.view()


@call("match.resign")
def resign(game: str) -> dict[str, Any]:
    """Resign."""
    found, session = _session(game)
    session.resign()
    go_on(found)
    return found.view()


@call("match.accounts")
def accounts(game: str) -> dict[str, Any]:
    """The accounts so far, oldest first. Their rounds are counted as the accounts come."""
    fold = followed(game).fold
    entries = [entry for entry in fold.entries if entry.kind == "account"]
    return {
        "accounts": [
            {"seq": entry.seq, "round": i, "sections": views.sections_told(entry, fold.game)}
            for i, entry in enumerate(entries, 1)
        ]
    }


# What the worker tells


def fed(game: str, sent: str) -> None:
    """Take in an event of a stream: an entry of a game, or news about the player."""
    event = json.loads(sent)
    data = json.loads(event["data"])
    if not game:
        feed_seen(event)
        # Another device of the player hears the same news. Only the one that sat down goes to the table: two
        # devices would enter with two different secrets.
        here = event["name"] == "game.begun" and _take_seat(str(data.get("game", "")))
        tell("feed", name=event["name"], data=data, here=here)
        if event["name"] in NEWS_OF_GAMES:
            look_around(str(data.get("game", "")))
        return
    found = GAMES.get(game)
    if found is None:
        return
    try:
        found.checked_at = time.perf_counter()
        found.fold.feed([data])
    except HouseFault as fault:
        broken(found, fault)
        return
    except (ApiProblem, Unreachable):
        kitchen.later(game, AGAIN_MS)
        return
    go_on(found)


def _take_seat(game: str) -> bool:
    """Enter a game for which we sat down here, whatever the page shows: the seat would be lost else.

    Returns False if we did not sit down here.
    """
    if game in GAMES:
        return True
    if not SEATINGS:
        return False
    try:
        _, api = account.opened()
        if _seating(api, game) is None:
            return False
        go_on(_sat_down(game))
    except (ApiProblem, DeskFault, HouseFault, Refused, Unreachable, VaultError):
        pass  # whoever opens the table is told why
    return True


def look_around(game: str = "") -> None:
    """Have the games looked at that are not on the screen: this one, or all of them."""
    for name, found in GAMES.items():
        if not found.shown and game in ("", name):
            kitchen.later(name, 0)


def turn(game: str) -> None:
    """Look for news, and send what is due: after a lost line, and where there is no stream.

    Without a game it goes on with those that are not followed yet.
    """
    if not game:
        resume()
        return
    found = GAMES.get(game)
    if found is None or found.fold.game.over:
        return
    try:
        found.fold.catch_up()
    except HouseFault as fault:
        broken(found, fault)
        return
    except (ApiProblem, Unreachable):
        line(game, True)
        kitchen.later(game, 2 * AGAIN_MS)
        return
    line(game, False)
    go_on(found)


def refused(game: str, status: int) -> None:
    """The house has refused a stream for good."""
    if game:
        fault = {
            "code": "http_error",
            "text": f"The house shows this game no more ({status}).",
            "status": status,
        }
        tell("fault", game=game, fault=fault, evidence=None)


FEED = {"seen": -1}
"""The number of the newest news about the player that was heard."""


def feed_seen(event: Mapping[str, Any]) -> None:
    """Remember how far the news was heard."""
    if str(event["id"]).lstrip("-").isdecimal():
        FEED["seen"] = int(event["id"])


def _heard() -> int | None:
    """The number of the newest news that was heard. What came before the page was opened is none to tell."""
    if FEED["seen"] < 0:
        try:
            FEED["seen"] = int(account.house().ask("GET", "feed")["newest"])
        except (ApiProblem, Unreachable):
            return None  # the house is away: the stream is not there either, and comes back by this way
    return FEED["seen"]


def following(game: str) -> str:
    """Where the worker should listen, as JSON: path, number after which it goes on, whether it ends.

    Only a game on the screen has a stream of its own. Of the others the feed tells when something is asked
    of us: a browser opens no more than six connections to a house, and each stream takes one for good.
    """
    if not game:
        return json.dumps({"path": "/api/v1/events", "after": _heard(), "over": False})
    found = GAMES.get(game)
    seq = -1 if found is None else found.fold.game.seq
    over = found is None or found.fold.game.over or not found.shown
    return json.dumps({"path": f"/api/v1/games/{game}/events", "after": seq, "over": over})
