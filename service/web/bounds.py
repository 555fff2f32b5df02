"""How much there may be of what: read from the objects that hold it, so what is told is what happens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks import odds
from cards.decks.statistics import MOST_ROUNDS
from referee.bodies import BODY_LIMIT
from service import outgoing
from service.notices import LONGEST_WAIT
from service.operations import collection, decks, market, players, seating, trades, webhooks
from service.operations.feed import MOST_POLLED
from service.operations.watching import MOST_ENTRIES
from service.runtime import Runtime
from service.web import fields, idempotency, paging


@dataclass(frozen=True, slots=True)
class Bound:
    """One bound; `unit` is what is counted, `refused` the code of the refusal beyond it."""

    name: str
    unit: str
    text: str
    most: Callable[[Runtime], int]
    refused: str | None = None


def _fixed(value: int) -> Callable[[Runtime], int]:
    return lambda _: value


BOUNDS = (
    Bound("body", "bytes", "Of a request's body.", lambda h: h.settings.body_limit, "body_too_large"),
    Bound(
        "message_body", "bytes", "Of a message to a game, in canonical form.", _fixed(BODY_LIMIT), "too_large"
    ),
    Bound("handle", "characters", "Of a handle.", _fixed(players.LONGEST_HANDLE), "bad_handle"),
    Bound("password", "characters", "Of a password.", _fixed(players.PASSWORD_LENGTH[1]), "bad_password"),
    Bound("page", "items", "On a page of a list.", _fixed(paging.MOST), "invalid"),
    Bound(
        "idempotency_key",
        "characters",
        "Of an Idempotency-Key.",
        _fixed(idempotency.LONGEST),
        "bad_idempotency_key",
    ),
    Bound(
        "idempotency",
        "hours",
        "For which an answer under a key is kept.",
        lambda h: h.settings.idempotency_hours,
    ),
    Bound("token", "days", "In the life of a token.", lambda h: h.settings.token_days),
    Bound("wait", "seconds", "That a request waits for news.", _fixed(LONGEST_WAIT), "invalid"),
    Bound("polled_events", "events", "In one answer of the feed.", _fixed(MOST_POLLED), "invalid"),
    Bound("entries", "entries", "Of a record in one answer.", _fixed(MOST_ENTRIES)),
    Bound("feed", "days", "For which the events of a feed are kept.", lambda h: h.settings.events_days),
    Bound(
        "listening",
        "streams",
        "Of a listener at a time, in a process.",
        lambda h: h.notices.listening.share,
        "too_many_listeners",
    ),
    Bound(
        "decks", "deck lists", "That a player keeps.", lambda h: h.settings.decks_per_player, "too_many_decks"
    ),
    Bound(
        "favourites",
        "deck lists",
        "That a player likes.",
        lambda h: h.settings.favourites_per_player,
        "too_many_favourites",
    ),
    Bound("tags", "tags", "Of a deck list.", _fixed(decks.MOST_TAGS), "too_many_tags"),
    Bound("tag", "characters", "Of a tag.", _fixed(decks.LONGEST_TAG), "bad_tag"),
    Bound("note", "characters", "Of a revision's note.", _fixed(decks.LONGEST_NOTE), "invalid"),
    Bound("deck", "cards", "In a deck that is played; no fewer either.", _fixed(DECK_SIZE), "deck_size"),
    Bound(
        "copies",
        "copies",
        "Of a card in a deck that is played.",
        _fixed(MOST_COPIES),
        "too_many_copies",
    ),
    Bound(
        "listed_cards",
        "different cards",
        "In a deck list that is kept.",
        _fixed(fields.MOST_LISTED),
        "invalid",
    ),
    Bound(
        "listed_copies",
        "copies",
        "Of a card in a deck list that is kept.",
        _fixed(fields.MOST_COUNTED),
        "bad_count",
    ),
    Bound(
        "minted",
        "copies",
        "Of Basic Ingredients in one request.",
        _fixed(collection.MOST_MINTED),
        "bad_count",
    ),
    Bound("offers", "offers", "Of a player that are open.", _fixed(trades.MOST_OPEN), "too_many_offers"),
    Bound("offered", "copies", "On either side of an offer.", _fixed(trades.MOST_COPIES), "too_many_copies"),
    Bound("price", "coins", "On either side of an offer.", _fixed(trades.MOST_COINS), "invalid"),
    Bound("offer", "hours", "For which an offer stands.", _fixed(trades.HOURS[1]), "invalid"),
    Bound("wishes", "cards", "That a player wishes for.", _fixed(market.MOST_WISHES), "too_many_wishes"),
    Bound("open_tables", "tables", "That a player waits at.", _fixed(seating.MOST_OPEN), "too_many_tables"),
    Bound("table", "hours", "For which a table waits for players.", lambda h: h.settings.table_hours),
    Bound(
        "webhooks",
        "webhooks",
        "Of a player.",
        lambda h: h.settings.webhooks_per_player,
        "too_many_webhooks",
    ),
    Bound("url", "characters", "Of a webhook's URL.", _fixed(outgoing.LONGEST_URL), "bad_url"),
    Bound("attempt", "seconds", "For a webhook's answer.", _fixed(int(webhooks.SECONDS))),
    Bound(
        "query",
        "characters",
        "Of a query in the search language.",
        lambda h: h.settings.query_length,
        "query_too_long",
    ),
    Bound("query_terms", "terms", "In a query.", lambda h: h.settings.query_terms, "too_many_terms"),
    Bound(
        "query_depth", "levels", "Of parentheses in a query.", lambda h: h.settings.query_depth, "too_deep"
    ),
    Bound("statistics", "cards", "Of which statistics are told.", _fixed(odds.MOST_CARDS), "too_many_cards"),
    Bound("rounds", "rounds", "Ahead that statistics look.", _fixed(MOST_ROUNDS), "invalid"),
)
"""In the order in which they are told."""
