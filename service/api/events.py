"""Streams of Server-Sent Events, and the long poll beside them. A broken stream goes on where it broke."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import structlog
from flask import Response
from marshmallow import Schema, fields, validate
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from service.notices import LONGEST_WAIT, of_player
from service.operations import feed, streams
from service.operations.feed import MOST_POLLED
from service.operations.streams import TopicFollower, follow
from service.problems import Problem
from service.web import waiting
from service.web.blueprint import PREFIX, Blueprint
from service.web.context import house, me, token, viewer
from service.web.waiting import EventStream, handover, owner, wait_for_news

events = Blueprint(
    "events", "Events of my games and tables, as a stream of Server-Sent Events or by long polling."
)

LAST_ID = 2**31 - 1

log = structlog.get_logger(__name__)


class AfterQuery(Schema):
    """The entry after which to begin."""

    after = fields.Integer(
        load_default=-1,
        validate=validate.Range(-1, LAST_ID),
        metadata={"description": "The seq of the newest entry that the client has; -1 for none."},
    )


class ResumeHeader(Schema):
    """The last event before the connection broke. EventSource sends this header by itself."""

    last = fields.Integer(
        data_key="Last-Event-ID",
        load_default=None,
        validate=validate.Range(-1, LAST_ID),
        metadata={
            "description": "The `id` of the newest event that the client has. It takes precedence over"
            " `after`."
        },
    )


@events.route("/games/<game_id>/events")
@events.may_be_signed_in
@events.takes(AfterQuery, "query")
@events.takes(ResumeHeader, "headers")
@events.streams("Entry", ends="The game is over, and the client has all its entries.")
@events.refuses(403, 404, 409, 503)
def stream_game(query: dict[str, Any], headers: dict[str, Any], game_id: str) -> Response:
    """Stream the record of a game: an event for each entry, in order, as soon as it is committed.

    `id` is the entry's seq, `event` its kind, and `data` the entry as in GET /games/{game_id}/entries. The
    stream ends after `result`. A client that has `result` already gets 204.
    """
    after = query["after"] if headers["last"] is None else headers["last"]
    over, nothing_left = streams.ended(house(), game_id, viewer(), after)
    if nothing_left:
        return Response(status=204)
    found = streams.of_game(house(), game_id, viewer(), after, token(), over)
    return stream(found, f"{PREFIX}/games/{game_id}/entries?after={after}&wait=25")


class FeedQuery(Schema):
    """The event after which to begin."""

    after = fields.Integer(
        load_default=None,
        validate=validate.Range(0, LAST_ID),
        metadata={
            "description": "The `id` of the newest event that the client has. Default: begin with the"
            " oldest that is kept."
        },
    )


class FeedPollQuery(FeedQuery):
    """Long polling: the answer comes as soon as there is an event after `after`, or after `wait` seconds."""

    limit = fields.Integer(
        load_default=MOST_POLLED,
        validate=validate.Range(1, MOST_POLLED),
        metadata={"description": "The most events in the answer."},
    )
    wait = fields.Float(
        load_default=0.0,
        validate=validate.Range(0, LONGEST_WAIT),
        metadata={"description": "Seconds to wait. Where all places to wait are taken, the answer is 503."},
    )


class EventView(Schema):
    """An event of my feed, as the stream gives it."""

    id = fields.Integer(required=True, metadata={"description": "The event's number in my feed."})
    event = fields.String(required=True, metadata={"enum": [*feed.NAMES, feed.RESET]})
    data = fields.Dict(required=True)


class FeedView(Schema):
    """Events of my feed, in order."""

    events = fields.List(fields.Nested(EventView), required=True)
    more = fields.Boolean(required=True, metadata={"description": "True if there are later ones already."})
    newest = fields.Integer(
        required=True, metadata={"description": "The id of my newest event; 0 where there is none."}
    )


@events.route("/events")
@events.signed_in
@events.takes(FeedQuery, "query")
@events.takes(ResumeHeader, "headers")
@events.streams("EventView")
@events.refuses(503)
def stream_feed(query: dict[str, Any], headers: dict[str, Any]) -> Response:
    """Stream my feed: the events of all my games, tables and offers. The stream does not end.

    It begins after `Last-Event-ID` or `after`; without them, with the oldest event that is kept.
    """
    after = query["after"] if headers["last"] is None else max(headers["last"], 0)
    found = streams.of_player(house(), me().id, after, token())
    return stream(found, f"{PREFIX}/feed?after={after or 0}&wait=25")


@events.route("/feed")
@events.signed_in
@events.takes(FeedPollQuery, "query")
@events.gives(FeedView)
@events.refuses(503)
def poll_feed(query: dict[str, Any]) -> dict[str, Any]:
    """List the events of my feed after `after`, for clients that can't read a stream."""
    player, after, limit = me().id, query["after"], query["limit"]
    if query["wait"]:
        topic = of_player(player)
        wait_for_news(topic, query["wait"], lambda session: feed.newest(session, player) != (after or 0))
    with house().read() as session:
        newest = feed.newest(session, player)
        found = feed.after(session, player, after, limit)
    listed = [{"id": event.id, "event": event.name, "data": json.loads(event.data)} for event in found]
    return {"events": listed, "more": bool(found) and found[-1].id < newest, "newest": newest}


def stream(found: TopicFollower, instead: str) -> Response:
    """A response that streams events. Raises `Problem` 503 where all places are taken.

    The problem names the path of the long poll, `instead`.
    """
    places, whose = house().notices.listening, owner()
    if not places.take(whose):
        raise Problem(
            503,
            "too_many_listeners",
            "All places for listeners are taken. Use long polling instead, or try again later.",
            data={"instead": instead},
            headers={"Retry-After": "10"},
        )
    given = handover()
    if given is None:
        response = Response(_frames(found), mimetype="text/event-stream")
        response.call_on_close(lambda: places.give_back(whose))
    else:
        given.stream = EventStream(found, lambda: places.give_back(whose))
        response = Response(iter(()), mimetype="text/event-stream")
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Cache-Control"] = "no-store"
    return response


def _frames(found: TopicFollower) -> Iterator[bytes]:
    """The stream's bytes, made in a thread that waits."""
    yield waiting.opening()
    spoke = time.monotonic()
    try:
        with closing(follow(found)) as batches:
            for batch in batches:
                if batch:
                    yield waiting.frames(batch)
                elif time.monotonic() - spoke > waiting.HEARTBEAT:
                    yield b":\n\n"
                else:
                    continue
                spoke = time.monotonic()
    except (DBAPIError, PoolTimeoutError) as error:
        # The client reconnects with the id of its newest event.
        log.error("stream_cut", error=type(error).__name__)
