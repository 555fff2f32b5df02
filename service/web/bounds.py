"""The bounds of the house: how large, how many and how long things may be.

Each is read from the code or the setting that enforces it, so what /limits says is what happens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cards.catalog.deck_rules import DECK_SIZE, MOST_COPIES
from cards.decks import odds
from cards.decks.statistics import MOST_ROUNDS
from referee.bodies import BODY_LIMIT
from service import handles, outgoing
from service.notices import LONGEST_WAIT
from service.operations import (
    blocks,
    boxes,
    collection,
    decks,
    game_challenges,
    market,
    players,
    reports,
    seating,
    tournaments,
    trades,
    webhooks,
)
from service.operations.feed import MOST_POLLED
from service.operations.watching import MOST_ENTRIES
from service.runtime import Runtime
from service.web import fields, idempotency, paging


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound: `text` says of what, for people, and `unit` in what it is counted.

    `most` reads the number. `refused` is the code of the refusal of anything beyond it, if it is refused.
    """

    name: str
    unit: str
    text: str
    most: Callable[[Runtime], int]
    refused: str | None = None


def _fixed(value: int) -> Callable[[Runtime], int]:
    return lambda _: value


BOUNDS = (
    Bound(
        "body", "bytes", "The size of a request's body.", lambda h: h.settings.body_limit, "body_too_large"
    ),
    Bound(
        "message_body",
        "bytes",
        "The size of a message to a game, in canonical form.",
        _fixed(BODY_LIMIT),
        "too_large",
    ),
    Bound("handle", "characters", "The length of a handle.", _fixed(handles.LONGEST_HANDLE), "bad_handle"),
    Bound(
        "password",
        "characters",
        "The length of a password.",
        _fixed(players.PASSWORD_LENGTH[1]),
        "bad_password",
    ),
    Bound(
        "box",
        "characters",
        "The length of the file in a player's box.",
        _fixed(boxes.LONGEST),
        "box_too_large",
    ),
    Bound("blocks", "players", "The players whom one player blocks.", _fixed(blocks.MOST), "too_many_blocks"),
    Bound(
        "reports",
        "reports",
        "The reports of a player that wait for a verdict.",
        _fixed(reports.MOST_OPEN),
        "too_many_reports",
    ),
    Bound("page", "items", "The items on one page of a list.", _fixed(paging.MOST), "invalid"),
    Bound(
        "idempotency_key",
        "characters",
        "The length of an Idempotency-Key.",
        _fixed(idempotency.LONGEST),
        "bad_idempotency_key",
    ),
    Bound(
        "idempotency",
        "hours",
        "The time for which the house keeps the answer to a request with an Idempotency-Key.",
        lambda h: h.settings.idempotency_hours,
    ),
    Bound("token", "days", "The time for which an access token is valid.", lambda h: h.settings.token_days),
    Bound("wait", "seconds", "The time for which a request waits for news.", _fixed(LONGEST_WAIT), "invalid"),
    Bound("polled_events", "events", "The events in one answer of the feed.", _fixed(MOST_POLLED), "invalid"),
    Bound("entries", "entries", "The entries of a record in one answer.", _fixed(MOST_ENTRIES)),
    Bound("feed", "days", "The time for which the feed keeps an event.", lambda h: h.settings.events_days),
    Bound(
        "listening",
        "streams",
        "The streams that one player, or one address, has open at a time in a process of the house.",
        lambda h: h.notices.listening.share,
        "too_many_listeners",
    ),
    Bound(
        "decks",
        "deck lists",
        "The deck lists that a player keeps.",
        lambda h: h.settings.decks_per_player,
        "too_many_decks",
    ),
    Bound(
        "favourites",
        "deck lists",
        "The deck lists among a player's favourites.",
        lambda h: h.settings.favourites_per_player,
        "too_many_favourites",
    ),
    Bound("tags", "tags", "The tags of a deck list.", _fixed(decks.MOST_TAGS), "too_many_tags"),
    Bound("tag", "characters", "The length of a tag.", _fixed(decks.LONGEST_TAG), "bad_tag"),
    Bound("note", "characters", "The length of a revision's note.", _fixed(decks.LONGEST_NOTE), "invalid"),
    Bound(
        "deck",
        "cards",
        "The cards in a deck that is played. It must have exactly so many.",
        _fixed(DECK_SIZE),
        "deck_size",
    ),
    Bound(
        "copies",
        "copies",
        "The copies of one card in a deck that is played.",
        _fixed(MOST_COPIES),
        "too_many_copies",
    ),
    Bound(
        "listed_cards",
        "different cards",
        "The different cards in a deck list, also one that breaks the rules.",
        _fixed(fields.MOST_LISTED),
        "invalid",
    ),
    Bound(
        "listed_copies",
        "copies",
        "The copies of one card in a deck list, also one that breaks the rules.",
        _fixed(fields.MOST_COUNTED),
        "bad_count",
    ),
    Bound(
        "minted",
        "copies",
        "The copies of Basic Ingredients that one request makes.",
        _fixed(collection.MOST_MINTED),
        "bad_count",
    ),
    Bound("offers", "offers", "The open offers of a player.", _fixed(trades.MOST_OPEN), "too_many_offers"),
    Bound(
        "offered",
        "copies",
        "The copies on either side of an offer.",
        _fixed(trades.MOST_COPIES),
        "too_many_copies",
    ),
    Bound("price", "coins", "The coins on either side of an offer.", _fixed(trades.MOST_COINS), "invalid"),
    Bound("offer", "hours", "The time for which an offer stands.", _fixed(trades.HOURS[1]), "invalid"),
    Bound(
        "wishes",
        "cards",
        "The cards that a player wishes for.",
        _fixed(market.MOST_WISHES),
        "too_many_wishes",
    ),
    Bound(
        "open_tables",
        "tables",
        "The tables that a player opened and that still wait for players.",
        _fixed(seating.MOST_OPEN),
        "too_many_tables",
    ),
    Bound(
        "challenges",
        "challenges",
        "The open challenges of a player.",
        _fixed(game_challenges.MOST_OPEN),
        "too_many_challenges",
    ),
    Bound("challenge", "hours", "The time for which a challenge stands.", _fixed(game_challenges.HOURS)),
    Bound(
        "tournaments",
        "tournaments",
        "The tournaments that a player directs at a time.",
        _fixed(tournaments.MOST_OPEN),
        "too_many_tournaments",
    ),
    Bound("entrants", "players", "The players of a tournament.", _fixed(tournaments.MOST_PLACES), "invalid"),
    Bound(
        "tournament_rounds",
        "rounds",
        "The rounds of a Swiss tournament.",
        _fixed(tournaments.MOST_ROUNDS),
        "invalid",
    ),
    Bound(
        "table", "hours", "The time for which a table waits for players.", lambda h: h.settings.table_hours
    ),
    Bound(
        "webhooks",
        "webhooks",
        "The webhooks of a player.",
        lambda h: h.settings.webhooks_per_player,
        "too_many_webhooks",
    ),
    Bound("url", "characters", "The length of a webhook's URL.", _fixed(outgoing.LONGEST_URL), "bad_url"),
    Bound(
        "attempt",
        "seconds",
        "The time for which the house waits for a webhook's answer.",
        _fixed(int(webhooks.SECONDS)),
    ),
    Bound(
        "query",
        "characters",
        "The length of a query in the search language.",
        lambda h: h.settings.query_length,
        "query_too_long",
    ),
    Bound(
        "query_terms", "terms", "The terms in a query.", lambda h: h.settings.query_terms, "too_many_terms"
    ),
    Bound(
        "query_depth",
        "levels",
        "The depth of parentheses in a query.",
        lambda h: h.settings.query_depth,
        "too_deep",
    ),
    Bound(
        "statistics",
        "cards",
        "The cards in the largest deck list whose statistics are computed.",
        _fixed(odds.MOST_CARDS),
        "too_many_cards",
    ),
    Bound("rounds", "rounds", "The rounds that statistics look ahead.", _fixed(MOST_ROUNDS), "invalid"),
)
"""All bounds, in the order in which /limits lists them."""
