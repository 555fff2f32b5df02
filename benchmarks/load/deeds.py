"""What players and moderators look at and do in a full house, one after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random
from typing import Any

from benchmarks.load import crowded, crowded_cups
from benchmarks.load.scene import Person, Scene
from benchmarks.turns.table import PASSWORD, sit_down
from crypto.encoding import unb64
from referee.sign_in import write_answer
from service.operations import game_challenges, housekeeping, queue, tournaments
from service.runtime import Runtime

MODE = crowded_cups.MODE
SOMEBODY = f"/players/{crowded.handle(7)}"

LISTS: Mapping[str, str] = {
    "GET /me": "/me",
    "GET /me/standing": "/me/standing",
    "GET /me/blocks": "/me/blocks",
    "GET /me/phrases": "/me/phrases",
    "GET /me/tournaments": "/me/tournaments",
    "GET /me/opponents/{mode}": f"/me/opponents/{MODE}",
    "GET /tokens": "/tokens",
    "GET /feed": "/feed",
    "GET /games": "/games",
    "GET /live": "/live?limit={limit}",
    "GET /reports": "/reports",
    "GET /challenges": "/challenges",
    "GET /tables": "/tables?limit={limit}",
    "GET /tables?mine=true": "/tables?mine=true",
    "GET /seasons": "/seasons",
    "GET /leaderboards/{mode}": f"/leaderboards/{MODE}?limit={{limit}}",
    "GET /players/{handle}": SOMEBODY,
    "GET /players/{handle}/ratings": f"{SOMEBODY}/ratings",
    "GET /players/{handle}/ratings/{mode}": f"{SOMEBODY}/ratings/{MODE}",
    "GET /players/{handle}/ratings/{mode}/chart.svg": f"{SOMEBODY}/ratings/{MODE}/chart.svg",
    "GET /players/{handle}/ratings/{mode}/decks": f"{SOMEBODY}/ratings/{MODE}/decks",
    "GET /players/{handle}/dishes": f"{SOMEBODY}/dishes",
    "GET /games/{game_id}/rating": f"/games/{crowded.game_id(7)}/rating",
    "GET /tournaments": "/tournaments?limit={limit}",
    "GET /tournaments?state=open": "/tournaments?state=open&limit={limit}",
    "GET /tournaments/{id}": f"/tournaments/{crowded_cups.cup_id(0)}",
    "GET /tournaments/{id}/standings": f"/tournaments/{crowded_cups.cup_id(0)}/standings",
    "GET /tournaments/{id}/rounds/{number}": f"/tournaments/{crowded_cups.cup_id(0)}/rounds/1",
    "GET /moderation/reports": "/moderation/reports?limit={limit}",
    "GET /moderation/reports?state=closed": "/moderation/reports?state=closed&limit={limit}",
    "GET /moderation/acts": "/moderation/acts?limit={limit}",
    "GET /moderation/acts?subject={id}": f"/moderation/acts?subject={crowded_cups.player_id(10)}",
    "GET /moderation/roles": "/moderation/roles",
    "GET /moderation/players/{handle}": f"/moderation{SOMEBODY}",
    "GET /moderation/players/{handle}/signals": f"/moderation{SOMEBODY}/signals",
}
"""Every list, by the name of its operation, with its path. The moderator asks for those of moderators.

`limit` is as many lines as the small house has, so that both houses write as much.
"""


def look(scene: Scene, path: str, limit: int) -> tuple[float, int]:
    """Ask for a list; returns the processor seconds, and how many lines it has."""
    who = scene.mia if path.startswith("/moderation") else scene.ann
    answer = scene.ask(who, "GET", path.format(limit=limit))
    items = answer.json.get("items", ()) if isinstance(answer.json, dict) else ()
    return answer.cpu, len(items)


def _asked(scene: Scene, who: Person | None, method: str, path: str, body: Any = None) -> float:
    return scene.ask(who, method, path, body).cpu


def _queue(scene: Scene) -> float:
    cost = _asked(scene, scene.ann, "POST", "/queue", {"mode": MODE})
    scene.ask(scene.ann, "DELETE", "/queue")
    return cost


def _unqueue(scene: Scene) -> float:
    scene.ask(scene.ann, "POST", "/queue", {"mode": MODE})
    return _asked(scene, scene.ann, "DELETE", "/queue")


def _place(scene: Scene) -> float:
    scene.ask(scene.ann, "POST", "/queue", {"mode": MODE})
    cost = _asked(scene, scene.ann, "GET", "/queue")
    scene.ask(scene.ann, "DELETE", "/queue")
    return cost


def _pair(scene: Scene) -> float:
    """Pair one of two newcomers, with the other or with one of those who wait, which begins a game."""
    for guest in (scene.newcomer(), scene.newcomer()):
        scene.ask(guest, "POST", "/queue", {"mode": MODE, "rated": True})
    return scene.worked(lambda house: _must(queue.pair(house, guest.id)))


def _must(found: object) -> None:
    if found is None:
        raise ValueError("Nobody was paired.")


def _challenge(scene: Scene, verb: str | None) -> float:
    """Challenge a newcomer, or what is then done about it."""
    guest = scene.newcomer()
    body = {"to": guest.handle, "mode": MODE, "rated": True}
    made = scene.ask(scene.ann, "POST", "/challenges", body)
    who, verb_done = (scene.ann, "withdraw") if verb in (None, "withdraw") else (guest, verb)
    sent: Any = None if verb_done in ("withdraw", "decline") else {}
    cost = _asked(scene, who, "POST", f"/challenges/{made.json['id']}/{verb_done}", sent)
    return made.cpu if verb is None else cost


def _table(scene: Scene, what: str) -> float:
    """Open a table, join it, leave it again, or cancel it."""
    seats = 2 if what == "join" else 3
    asked = {"mode": "big-c" if seats == 2 else "flip", "seats": seats}
    made = scene.ask(scene.bob, "POST", "/tables", asked)
    path, cost = f"/tables/{made.json['id']}", made.cpu
    if what in ("join", "leave"):
        guest = scene.newcomer()
        joined = scene.ask(guest, "POST", f"{path}/join", {})
        if what == "join":
            return joined.cpu
        cost = _asked(scene, guest, "POST", f"{path}/leave", None)
    cancelled = _asked(scene, scene.bob, "DELETE", path)
    return cancelled if what == "cancel" else cost


def _report(scene: Scene, what: str) -> float:
    """Report somebody, or what a moderator then does."""
    guest = scene.newcomer()
    made = scene.ask(
        guest, "POST", "/reports", {"about": scene.newcomer().handle, "kind": "other", "note": ""}
    )
    path = f"/moderation/reports/{made.json['id']}"
    taken = _asked(scene, scene.mia, "POST", f"{path}/take", None)
    verdict = {"verdict": "dismissed", "remark": ""}
    closed = _asked(scene, scene.mia, "POST", f"{path}/close", verdict)
    return {"make": made.cpu, "take": taken, "close": closed}[what]


def _block(scene: Scene, what: str) -> float:
    path = f"/me/blocks/{scene.newcomer().handle}"
    blocked = scene.ask(scene.bob, "PUT", path).cpu
    lifted = _asked(scene, scene.bob, "DELETE", path)
    return blocked if what == "block" else lifted


def _sanction(scene: Scene, what: str, lift: bool) -> float:
    path = f"/moderation/players/{scene.newcomer().handle}/{what}"
    body = {"reason": "x", "hours": 1}
    imposed = _asked(scene, scene.mia, "PUT", path, body)
    lifted = _asked(scene, scene.mia, "DELETE", path)
    return lifted if lift else imposed


def _rename(scene: Scene) -> float:
    handle = scene.newcomer().handle
    body = {"reason": "x", "handle": f"n{handle[-20:]}"}
    return _asked(scene, scene.mia, "POST", f"/moderation/players/{handle}/rename", body)


def _revoke(scene: Scene) -> float:
    path = f"/moderation/players/{scene.newcomer().handle}/revoke-tokens"
    return _asked(scene, scene.mia, "POST", path, {"reason": "x"})


def _hide(scene: Scene, what: str) -> float:
    if what == "deck":
        return _asked(
            scene,
            scene.mia,
            "PUT",
            f"/moderation/decks/{scene.newcomer().visitor.deck}/hidden",
            {"reason": "x"},
        )
    made = scene.ask(scene.bob, "POST", "/tables", {"mode": "flip", "seats": 3}).json["id"]
    cost = _asked(scene, scene.mia, "PUT", f"/moderation/tables/{made}/hidden", {"reason": "x"})
    scene.ask(scene.bob, "DELETE", f"/tables/{made}")
    return cost


def _role(scene: Scene) -> float:
    path = f"/moderation/players/{scene.newcomer().handle}/role"
    cost = _asked(scene, scene.mia, "PUT", path, {"role": "moderator"})
    scene.ask(scene.mia, "DELETE", path)
    return cost


def _sign_in(scene: Scene, how: str) -> float:
    """Sign in by the password or by the key, end the session, or take another handle."""
    guest = scene.newcomer()
    if how == "password":
        return _asked(
            scene, None, "POST", "/tokens", {"handle": guest.handle, "password": PASSWORD, "label": "x"}
        )
    if how == "end":
        found = scene.ask(guest, "GET", "/tokens").json["items"][0]["id"]
        return _asked(scene, guest, "DELETE", f"/tokens/{found}")
    if how == "rename":
        return _asked(scene, guest, "PATCH", "/me", {"handle": f"x{guest.handle[-20:]}"})
    key = unb64(scene.ask(None, "GET", "/house").json["house_key"], 32)
    asked = {"handle": guest.handle, "purpose": "sign-in"}
    challenge = unb64(scene.ask(None, "POST", "/tokens/challenge", asked).json["challenge"])
    answer = write_answer(guest.visitor.private, key, guest.handle, "sign-in", challenge)
    body = {"handle": guest.handle, "answer": answer, "label": "x"}
    return _asked(scene, None, "POST", "/tokens/by-key", body)


def _leave(scene: Scene, what: str) -> float:
    """Export an account, or delete it."""
    guest = scene.newcomer()
    if what == "export":
        return _asked(scene, guest, "POST", "/me/export")
    return _asked(scene, guest, "POST", "/me/deletion", {"current": PASSWORD})


CUP = {"name": "Cup", "system": "swiss", "mode": MODE, "fee": 1, "prizes": [100], "pause": 0, "rounds": 1}


def _cup(scene: Scene, what: str) -> float:
    """Create a tournament, enter it, leave it, start it, pair a round of four, or cancel it."""
    director = scene.newcomer()
    made = scene.ask(director, "POST", "/tournaments", CUP)
    path = f"/tournaments/{made.json['id']}"
    entered = [scene.ask(who, "PUT", f"{path}/entry", {}).cpu for who in (scene.ann, scene.bob)]
    costs = {"create": made.cpu, "enter": entered[1]}
    if what in ("leave", "start", "pair"):
        costs["leave"] = _asked(scene, scene.bob, "DELETE", f"{path}/entry")
        scene.ask(scene.bob, "PUT", f"{path}/entry", {})
    if what in ("start", "pair"):
        costs["start"] = _asked(scene, director, "POST", f"{path}/start", {})
        costs["pair"] = scene.worked(_advance)
    costs["cancel"] = _asked(scene, director, "POST", f"{path}/cancel", {"reason": "x"})
    return costs[what]


def _advance(house: Runtime) -> None:
    for tournament in tournaments.due(house, 10):
        tournaments.advance(house, tournament)


def _end(scene: Scene) -> float:
    """End a rated game of two newcomers, both of whom have made a move."""
    people = [scene.newcomer().visitor for _ in range(2)]
    match = sit_down(scene.house.call, people, "flip", Random(1), scene.house.tend, rated=True)
    moved: set[int] = set()
    while len(moved) < len(people):
        if not match.until("move"):
            raise ValueError("The game is over before both have moved.")
        seat = match.due()[0]
        moved.add(seat)
        answer = scene.house.call(match.post(match.message(seat)))
        if answer.status != 201:
            raise ValueError(f"A move was refused: {answer.json}")
    game = match.catch_up()
    resigned = scene.house.call(match.post(match.seats[0].resign(game)))
    if resigned.status != 201:
        raise ValueError(f"A resignation was refused: {resigned.json}")
    return resigned.cpu


def _chore(name: str) -> Callable[[Scene], float]:
    return lambda scene: scene.worked(lambda house: housekeeping.CHORES[name](house, house.now()))


DEEDS: Mapping[str, Callable[[Scene], float]] = {
    "register": lambda scene: scene.worked(lambda _: scene.newcomer()),
    "sign in by password": partial(_sign_in, how="password"),
    "sign in by key": partial(_sign_in, how="key"),
    "end a session": partial(_sign_in, how="end"),
    "take another handle": partial(_sign_in, how="rename"),
    "export an account": partial(_leave, what="export"),
    "delete an account": partial(_leave, what="delete"),
    "wait in the queue": _queue,
    "see the own place in the queue": _place,
    "leave the queue": _unqueue,
    "pair from the queue, begin the game": _pair,
    "find who is due in the queue": lambda scene: scene.worked(lambda house: queue.due(house, 50)),
    "challenge a player": partial(_challenge, verb=None),
    "accept a challenge, begin the game": partial(_challenge, verb="accept"),
    "decline a challenge": partial(_challenge, verb="decline"),
    "withdraw a challenge": partial(_challenge, verb="withdraw"),
    "expire challenges": lambda scene: scene.worked(lambda house: game_challenges.expire(house, house.now())),
    "open a table": partial(_table, what="open"),
    "join a table, begin the game": partial(_table, what="join"),
    "leave a table": partial(_table, what="leave"),
    "cancel a table": partial(_table, what="cancel"),
    "end a rated game, book the ratings": _end,
    "report a player": partial(_report, what="make"),
    "take a report": partial(_report, what="take"),
    "close a report": partial(_report, what="close"),
    "block a player": partial(_block, what="block"),
    "lift a block": partial(_block, what="lift"),
    "suspend a player": partial(_sanction, what="suspension", lift=False),
    "lift a suspension": partial(_sanction, what="suspension", lift=True),
    "freeze a player's trades": partial(_sanction, what="freeze", lift=False),
    "rename a player": _rename,
    "revoke a player's tokens": _revoke,
    "hide a deck's name": partial(_hide, what="deck"),
    "hide a table": partial(_hide, what="table"),
    "give a role": _role,
    "create a tournament": partial(_cup, what="create"),
    "enter a tournament, pay the fee": partial(_cup, what="enter"),
    "leave a tournament": partial(_cup, what="leave"),
    "start a tournament": partial(_cup, what="start"),
    "pair a round, begin its game": partial(_cup, what="pair"),
    "cancel a tournament": partial(_cup, what="cancel"),
    "find tournaments that are due": lambda scene: scene.worked(lambda house: tournaments.due(house, 50)),
    "close tables that did not fill": _chore("tables"),
    "forget who waited too long": _chore("queue"),
    "forget old tokens": _chore("tokens"),
}
"""Every operation by its name: it does it once, and returns the processor seconds of it alone."""
