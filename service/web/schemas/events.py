"""Events by name: of a player's feed, and as webhooks deliver them (docs/events.md, docs/webhooks.md)."""

from __future__ import annotations

from collections.abc import Mapping

from cards.games.schemas import INTEGER, SEAT, JsonSchema, array, maybe, thing
from service.web.schemas.entries import OUTCOME
from service.web.schemas.parts import DEAL, NAME, SEQ, STEP, TIME, ref, uuid

_TABLE, _GAME, _OFFER = uuid("The table."), uuid("The game."), uuid("The offer.")
_WEBHOOK, _CHALLENGE = uuid("The webhook."), uuid("The challenge.")
_TOURNAMENT = uuid("The tournament.")
_ROUND: JsonSchema = {"type": "integer", "minimum": 1, "description": "The round."}
_BOARD: JsonSchema = {"type": "integer", "minimum": 1, "description": "The number of the match in it."}
_WHY: JsonSchema = {
    "type": "string",
    "description": "left, no_show, the code of a refusal, or the director's words.",
}
_KIND: JsonSchema = {"type": "string", "description": "The kind of message that is asked for."}
_ID: JsonSchema = {"type": "integer", "minimum": 0, "description": "The event's number in my feed."}
_ROLE: JsonSchema = {"enum": ["admin", "moderator"]}
_SANCTION: JsonSchema = {"enum": ["suspended", "trades_frozen"]}
RESET = "reset"
PING = "webhook.ping"

DATA: Mapping[str, tuple[str, Mapping[str, JsonSchema]]] = {
    "table.joined": (
        "Somebody sits down at a table where I sit.",
        {"table": _TABLE, "seat": SEAT, "name": NAME},
    ),
    "table.left": ("Somebody leaves it.", {"table": _TABLE, "seat": SEAT, "name": NAME}),
    "table.cancelled": ("A table where I sit is closed.", {"table": _TABLE}),
    "table.expired": ("A table where I sit did not fill in time.", {"table": _TABLE}),
    "game.begun": (
        "A game of mine begins.",
        {"game": _GAME, "seq": SEQ, "mode": {"type": "string"}, "seat": SEAT, "names": array(NAME)},
    ),
    "game.asked": (
        "I am asked for a message.",
        {
            "game": _GAME,
            "seat": SEAT,
            "step": STEP,
            "kind": _KIND,
            "topic": {"type": "string", "description": "The topic of the question, in the mode's own word."},
            "until": TIME,
        },
    ),
    "game.timed_out": ("My time was up.", {"game": _GAME, "seq": SEQ, "step": STEP, "kind": _KIND}),
    "game.account": (
        "A round is accounted for.",
        {"game": _GAME, "seq": SEQ, "step": STEP, "points": array(INTEGER)},
    ),
    "game.draw_offered": (
        "Another player offers a draw.",
        {"game": _GAME, "seq": SEQ, "step": STEP, "by": SEAT},
    ),
    "game.annulled": (
        "The deal in play is void, since somebody's cards could not be shown. It is dealt again.",
        {"game": _GAME, "seq": SEQ, "deal": DEAL, "seats": array(SEAT)},
    ),
    "game.over": ("A game of mine is over.", {"game": _GAME, "seq": SEQ, "outcome": OUTCOME}),
    "game.rematch": (
        "Another player asks for a rematch.",
        {"game": uuid("The game that is over."), "table": _TABLE, "name": NAME},
    ),
    "game.said": (
        "Another player says something at the table.",
        {
            "game": _GAME,
            "seat": SEAT,
            "name": NAME,
            "phrase": {"type": "string", "description": "The code of the phrase (GET /me/phrases)."},
        },
    ),
    "reward.won": (
        "I have won coins, and perhaps a booster.",
        {"game": _GAME, "coins": INTEGER, "booster": maybe(uuid("The booster."))},
    ),
    "rating.changed": (
        "A rated game has changed my rating.",
        {
            "game": _GAME,
            "mode": {"type": "string"},
            "rating": {"type": "integer", "description": "My rating now, in points."},
            "change": {"type": "integer", "description": "The points by which it has changed."},
        },
    ),
    "challenge.made": ("A player challenges me to a game.", {"challenge": _CHALLENGE, "name": NAME}),
    "challenge.accepted": ("Another player accepts my challenge.", {"challenge": _CHALLENGE, "name": NAME}),
    "challenge.declined": ("Another player declines my challenge.", {"challenge": _CHALLENGE, "name": NAME}),
    "challenge.withdrawn": (
        "A challenge that was made to me is taken back.",
        {"challenge": _CHALLENGE, "name": NAME},
    ),
    "challenge.expired": ("The time of a challenge that concerns me is up.", {"challenge": _CHALLENGE}),
    "queue.paired": (
        "I have waited in the queue, and my game begins.",
        {"table": _TABLE, "game": _GAME, "mode": {"type": "string"}},
    ),
    "queue.bot_offered": (
        "I have waited for a while, and bots of the house could play instead.",
        {"mode": {"type": "string"}, "bots": array(NAME)},
    ),
    "queue.left": (
        "I no longer wait in the queue: my time was up, or I can't play.",
        {"reason": {"type": "string", "description": "expired, or the code of a refusal."}},
    ),
    "tournament.paired": (
        "A match of mine in a tournament begins.",
        {"tournament": _TOURNAMENT, "round": _ROUND, "board": _BOARD, "game": _GAME, "name": NAME},
    ),
    "tournament.bye": (
        "I have a bye in a round of a tournament.",
        {"tournament": _TOURNAMENT, "round": _ROUND},
    ),
    "tournament.ruled": (
        "The director or a moderator has set the result of a match of mine.",
        {
            "tournament": _TOURNAMENT,
            "round": _ROUND,
            "board": _BOARD,
            "result": {"enum": ["first", "second", "draw", "neither"]},
            "reason": {"type": "string"},
        },
    ),
    "tournament.out": (
        "I am out of a tournament, and paired no more.",
        {"tournament": _TOURNAMENT, "reason": _WHY},
    ),
    "tournament.restored": ("I am in a tournament again.", {"tournament": _TOURNAMENT}),
    "tournament.over": (
        "A tournament of mine is over, and its prizes are paid.",
        {"tournament": _TOURNAMENT, "place": {"type": "integer", "minimum": 1}, "prize": INTEGER},
    ),
    "tournament.cancelled": (
        "A tournament of mine is cancelled, and everything is given back.",
        {"tournament": _TOURNAMENT, "reason": {"type": "string"}},
    ),
    "grant.received": (
        "The operator of the house has given me something.",
        {"coins": INTEGER, "boosters": INTEGER, "copies": INTEGER},
    ),
    "webhook.disabled": (
        "Nothing is sent to a webhook of mine any more.",
        {"webhook": _WEBHOOK, "reason": {"enum": ["failing", "gone"]}},
    ),
    "offer.made": ("A player offers me something.", {"offer": _OFFER, "name": NAME}),
    "offer.accepted": ("Another player takes an offer of mine.", {"offer": _OFFER, "name": NAME}),
    "offer.declined": ("Another player refuses an offer of mine.", {"offer": _OFFER, "name": NAME}),
    "offer.withdrawn": ("An offer that was made to me is taken back.", {"offer": _OFFER, "name": NAME}),
    "offer.expired": ("The time of an offer that concerns me is up.", {"offer": _OFFER}),
    "player.renamed": (
        "A moderator has given me another handle.",
        {"handle": NAME, "reason": {"type": "string"}},
    ),
    "report.closed": (
        "A moderator has decided about a report of mine.",
        {"report": uuid("The report."), "verdict": {"enum": ["upheld", "dismissed", "duplicate"]}},
    ),
    "role.given": ("I have a role in the house.", {"role": _ROLE}),
    "role.taken": ("I have the role no more.", {"role": _ROLE}),
    "sanction.imposed": (
        "A moderator has suspended me, or frozen my trades.",
        {"kind": _SANCTION, "reason": {"type": "string"}, "until": maybe(TIME)},
    ),
    "sanction.lifted": ("A sanction against me was lifted before its end.", {"kind": _SANCTION}),
}
"""The text about each event of the feed, and its data beside `at`."""


def components() -> dict[str, JsonSchema]:
    """An event of the feed for each name."""
    found = {_title(name): _event(name, text, {"at": TIME, **data}) for name, (text, data) in DATA.items()}
    after = {"after": {"type": "integer", "description": "The id that I came with."}}
    return {**found, _title(RESET): _event(RESET, "The feed does not go on where I was.", after)}


def events() -> Mapping[str, JsonSchema]:
    """An event of the feed, by name."""
    return {name: ref(_title(name)) for name in (*DATA, RESET)}


def deliveries() -> dict[str, JsonSchema]:
    """The requests that the house sends to webhooks, as OpenAPI documents them."""
    sent = {**DATA, PING: ("I have asked for a ping.", {"webhook": _WEBHOOK})}
    return {name: {"post": _delivery(name, text, data)} for name, (text, data) in sent.items()}


def _event(name: str, text: str, data: Mapping[str, JsonSchema]) -> JsonSchema:
    return thing(text, id=_ID, event={"const": name}, data=thing("", **data))


def _delivery(name: str, text: str, data: Mapping[str, JsonSchema]) -> JsonSchema:
    numbered = data if name == PING else {**data, "seq": _ID}
    body = thing(text, type={"const": name}, timestamp=TIME, data=thing("", **numbered))
    return {
        "summary": text,
        "requestBody": {"content": {"application/json": {"schema": body}}},
        "responses": {"2XX": {"description": "The event has arrived."}},
    }


def _title(name: str) -> str:
    """An event's name as a component's: "game.timed_out" is "GameTimedOutEvent"."""
    return "".join(part.capitalize() for part in name.replace(".", "_").split("_")) + "Event"
