"""Games: see them, answer what they ask, take their records home."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from crypto.encoding import EncodingError, b64, canonical, unb64
from crypto.group import engine
from referee.record import PROTOCOL
from service.notices import LONGEST_WAIT
from service.operations import certificates, envelopes, watching
from service.operations import games as operations
from service.problems import Fault, forbidden, invalid
from service.web.blueprint import Blueprint
from service.web.context import house, me, perhaps_me
from service.web.fields import Time
from service.web.paging import PageQuery, page, page_of, read_cursor

games = Blueprint("games", "Games: what is asked, what was played, the record.")


class SuccessionView(Schema):
    """One key of the house that follows another, signed by both (TH("succession"; the first four fields))."""

    kind = fields.String(required=True, metadata={"description": "succession"})
    old = fields.String(required=True, metadata={"description": "Ed25519, base64url."})
    new = fields.String(required=True, metadata={"description": "Ed25519, base64url."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    old_signature = fields.String(required=True, metadata={"description": "By the old key, base64url."})
    new_signature = fields.String(required=True, metadata={"description": "By the new key, base64url."})


class HouseView(Schema):
    """The house: what a player needs in order to trust it no further than its signatures."""

    protocol = fields.String(required=True)
    house_key = fields.String(
        required=True,
        metadata={"description": "Ed25519, base64url: signs every game that begins now."},
    )
    envelope_key = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "X25519, base64url: to it new games let reveals be enclosed; or null."},
    )
    since = Time(
        required=True, allow_none=True, metadata={"description": "When that key was made, where it is known."}
    )
    successions = fields.List(
        fields.Nested(SuccessionView),
        required=True,
        metadata={
            "description": "How it came from former keys, oldest first. A game goes on with the key that its"
            " first entry names; whoever knows one key of a chain can check the others."
        },
    )
    engine = fields.String(required=True, metadata={"description": "The curve engine that checks proofs."})
    time = Time(required=True)


class WaitQuery(Schema):
    """Long polling: answer when there is an entry after `after`, at the latest after `wait` seconds."""

    after = fields.Integer(
        load_default=-1,
        validate=validate.Range(-1, 2**31 - 1),
        metadata={"description": "The seq of the newest entry one has; -1 for none."},
    )
    wait = fields.Float(
        load_default=0.0,
        validate=validate.Range(0, LONGEST_WAIT),
        metadata={"description": "Seconds. A crowded house answers at once: pause before you ask again."},
    )


class AskedView(Schema):
    """What is asked of whom until when."""

    kind = fields.String(required=True, metadata={"description": "The kind of entry that answers."})
    topic = fields.String(required=True, metadata={"description": "What is asked, in the mode's word."})
    seats = fields.List(fields.Integer(), required=True)
    step = fields.Integer(required=True)
    seen_from = fields.Integer(
        required=True, metadata={"description": "The least seq that the answer's `seen` may name."}
    )
    until = fields.String(
        required=True,
        metadata={"format": "date-time", "description": "The latest deadline of these seats."},
    )
    deal = fields.Integer(required=True, allow_none=True, metadata={"description": "Of a link, the deal."})


class SealView(Schema):
    """A seal: its bytes, its fingerprint, its time, and nothing of what is in it or enclosed."""

    step = fields.Integer(required=True)
    seal = fields.String(required=True)
    fingerprint = fields.String(required=True, metadata={"description": "16 bytes, to be compared."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    envelope = fields.Boolean(required=True, metadata={"description": "Whether its reveal is enclosed."})


class GameSeatView(Schema):
    """A seat as everybody sees it."""

    name = fields.String(required=True)
    key = fields.String(required=True)
    entered = fields.Boolean(required=True)
    sealed = fields.Nested(SealView, required=True, allow_none=True)
    owes = fields.Nested(
        SealView, required=True, allow_none=True, metadata={"description": "A seal whose reveal is owed."}
    )
    offers_draw = fields.Boolean(required=True)
    out = fields.Boolean(
        required=True, metadata={"description": "Whether the house plays for it at once, to the end."}
    )
    until = fields.String(
        required=True,
        allow_none=True,
        metadata={"format": "date-time", "description": "The seat's own deadline while it is asked."},
    )
    bank_ms = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "What is left of its time for the whole game, the running step not counted; "
            "null without limit."
        },
    )


class OutcomeView(Schema):
    """How it ended; a draw lists all as winners, a void game nobody."""

    points = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True)
    reason = fields.String(required=True)


class GameView(Schema):
    """A game as one's seat sees it: cards that it may not see are left out."""

    game = fields.String(required=True)
    mode = fields.String(required=True)
    rules = fields.String(required=True)
    options = fields.Dict(required=True)
    seat = fields.Integer(required=True, allow_none=True, metadata={"description": "One's own."})
    seq = fields.Integer(required=True, metadata={"description": "Of the newest entry."})
    digest = fields.String(required=True, metadata={"description": "Of the newest entry."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    step = fields.Integer(required=True)
    deals = fields.Integer(required=True)
    asked = fields.Nested(AskedView, required=True, allow_none=True)
    seats = fields.List(fields.Nested(GameSeatView), required=True)
    points = fields.List(fields.Integer(), required=True)
    state = fields.Dict(required=True, metadata={"description": "The rules' state in the mode's own form."})
    outcome = fields.Nested(OutcomeView, required=True, allow_none=True)
    over = fields.Boolean(required=True)
    spectators = fields.Boolean(
        required=True, metadata={"description": "Whether everybody may watch it while it runs."}
    )


class ListedGameView(Schema):
    """One of my games."""

    id = fields.String(required=True, attribute="game.id")
    mode = fields.String(required=True, attribute="game.mode")
    seat = fields.Integer(required=True)
    names = fields.List(fields.String(), required=True)
    created_at = Time(required=True, attribute="game.created_at")
    ended_at = Time(required=True, allow_none=True, attribute="game.ended_at")
    seq = fields.Integer(required=True, attribute="game.seq")
    outcome = fields.Nested(OutcomeView, required=True, allow_none=True, attribute="game.outcome")


class GamesQuery(PageQuery):
    """Which of my games."""

    state = fields.String(load_default=None, validate=validate.OneOf(("running", "over")))


class CertificateBody(Schema):
    """Whose certificate."""

    example: ClassVar[dict[str, Any]] = {"seat": 0, "seed": "A" * 43}

    seat = fields.Integer(required=True, strict=True)
    seed = fields.String(
        required=True, metadata={"description": "32 secret bytes, base64url; the same for every asking."}
    )


class CertificateView(Schema):
    """The house's word that a hidden deck is legal and owned (protocol, section 5)."""

    game = fields.String(required=True)
    seat = fields.Integer(required=True)
    key = fields.String(required=True)
    set_digest = fields.String(required=True)
    cards = fields.List(fields.String(), required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class MessageBody(Schema):
    """A signed message (protocol, section 10); the referee reads it, field by field."""

    example: ClassVar[dict[str, Any]] = {
        "step": 8,
        "seat": 0,
        "kind": "resign",
        "body": {"seen": {"seq": 17, "digest": "A" * 86}},
        "signature": "A" * 86,
    }

    step = fields.Raw(required=True, metadata={"type": "integer"})
    seat = fields.Raw(required=True, metadata={"type": "integer"})
    kind = fields.Raw(
        required=True,
        metadata={
            "type": "string",
            "enum": ["enter", "ready", "link", "move", "seal", "reveal", "resign", "draw"],
        },
    )
    body = fields.Raw(required=True, metadata={"type": "object"})
    signature = fields.Raw(required=True, metadata={"type": "string"})


class ReceiptView(Schema):
    """The house's signed word that a message arrived in time."""

    message = fields.String(required=True, metadata={"description": "The message's digest."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class AcceptedView(Schema):
    """A message was accepted."""

    receipt = fields.Nested(ReceiptView, required=True)
    seq = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "Its entry; null while it waits beside the record for the others."},
    )


class EntriesView(Schema):
    """Entries of a record, in order."""

    entries = fields.List(fields.Dict(), required=True)
    more = fields.Boolean(required=True, metadata={"description": "There are later ones already."})


class RoundView(Schema):
    """An account: everybody's points so far, and what happened, line by line."""

    seq = fields.Integer(required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    step = fields.Integer(required=True)
    points = fields.List(fields.Integer(), required=True)
    lines = fields.List(fields.Dict(), required=True)


class RoundsView(Schema):
    """All accounts of a game."""

    rounds = fields.List(fields.Nested(RoundView), required=True)


class RecordView(Schema):
    """A record file (protocol, section 10), in its canonical bytes."""

    protocol = fields.String(required=True)
    entries = fields.List(fields.Dict(), required=True)


class FacesView(Schema):
    """Signed statements of one's own cards (protocol, section 7)."""

    faces = fields.List(fields.Dict(), required=True)


def _looker() -> str | None:
    player = perhaps_me()
    return None if player is None else player.id


@games.route("/house")
@games.gives(HouseView)
def get_house() -> dict[str, Any]:
    """The house's key, which signs every record that begins now, and the keys before it."""
    here = house()
    ring = here.ring
    with here.read() as session:
        envelope = envelopes.newest(session)
    return {
        "protocol": PROTOCOL,
        "house_key": b64(ring.newest.public),
        "envelope_key": None if envelope is None else b64(envelope),
        "since": ring.newest.since,
        "successions": [item.json() for item in ring.successions],
        "engine": engine().name,
        "time": here.now(),
    }


@games.route("/games")
@games.signed_in
@games.takes(GamesQuery, "query")
@games.gives(page_of(ListedGameView))
def list_games(query: dict[str, Any]) -> dict[str, Any]:
    """My games, newest first."""
    before = read_cursor(query["cursor"], int, str)
    over = None if query["state"] is None else query["state"] == "over"
    with house().read() as session:
        found = watching.games_of(session, me().id, over=over, before=before, limit=query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.game.created_at, listed.game.id))


@games.route("/games/<game_id>")
@games.may_be_signed_in
@games.takes(WaitQuery, "query")
@games.gives(GameView)
@games.refuses(403, 404, 409)
def get_game(query: dict[str, Any], game_id: str) -> dict[str, Any]:
    """A game as my seat sees it, what is asked of whom, and until when.

    A running game is shown to its players and, where its table lets spectators watch, to everybody; one that
    is over to everybody. A spectator sees what lies open for all, as everybody sees it in the record. The
    running game of a private table that may not be watched is 404 for strangers.
    """
    _wait(game_id, query)
    with house().read() as session:
        return watching.seen(session, game_id, _looker())


def _wait(game_id: str, query: dict[str, Any]) -> None:
    with house().read() as session:
        row, _ = watching.visible(session, game_id, _looker())
    if query["wait"] and row.seq <= query["after"]:
        operations.require_not_stopped(row)  # nothing will come, and who waits wants to know
    if query["wait"] and row.ended_at is None and row.seq <= query["after"]:
        watching.wait_for_entry(house(), game_id, query["after"], query["wait"])


@games.route("/games/<game_id>/entries")
@games.may_be_signed_in
@games.takes(WaitQuery, "query")
@games.gives(EntriesView)
@games.refuses(403, 404, 409)
def list_entries(query: dict[str, Any], game_id: str) -> dict[str, Any]:
    """The record's entries after `after`: fold them to know the game without trusting the house."""
    _wait(game_id, query)
    with house().read() as session:
        watching.visible(session, game_id, _looker())
        found = watching.entries_after(session, game_id, query["after"], watching.MOST_ENTRIES + 1)
    return {"entries": found[: watching.MOST_ENTRIES], "more": len(found) > watching.MOST_ENTRIES}


@games.route("/games/<game_id>/entries", "POST")
@games.signed_in
@games.takes(MessageBody)
@games.gives(AcceptedView, 201)
@games.refuses(403, 404, 409, 422)
def add_entry(body: dict[str, Any], game_id: str) -> dict[str, Any]:
    """Answer what is asked of my seat: the one door for messages of every kind and mode.

    The checks, in this order: size, authentication, shape, seat, repeat, step, deadline, signature, seen,
    rules, proof. The same bytes again get the same answer.
    """
    return operations.submit(house(), game_id, body, player_id=me().id).json()


@games.route("/games/<game_id>/certificate", "POST")
@games.signed_in
@games.takes(CertificateBody)
@games.gives(CertificateView)
@games.refuses(403, 404, 409)
def certify_deck(body: dict[str, Any], game_id: str) -> dict[str, Any]:
    """The certificate of my deck for this match, under a seed of mine; once, and again for the same seed."""
    try:
        seed = unb64(body["seed"], 32)
    except EncodingError as error:
        raise invalid(
            "bad_seed", "The seed can't be read.", [Fault("bad_bytes", str(error), "/seed")]
        ) from None
    with house().read() as session:
        _, seat = watching.visible(session, game_id, me().id)
    if seat is None or seat != body["seat"]:
        raise forbidden("not_your_seat", "This seat is not yours.")
    return certificates.certificate(house(), game_id, seat, seed)


@games.route("/games/<game_id>/faces")
@games.signed_in
@games.gives(FacesView)
@games.refuses(403, 404)
def list_faces(game_id: str) -> dict[str, Any]:
    """My own cards of a secret deal, signed by the house, in modes with a pack of the house's."""
    with house().read() as session:
        return {"faces": watching.faces(house(), session, game_id, me().id)}


@games.route("/games/<game_id>/rounds")
@games.may_be_signed_in
@games.gives(RoundsView)
@games.refuses(403, 404)
def list_rounds(game_id: str) -> dict[str, Any]:
    """The accounts of a game: what every round brought, and why."""
    with house().read() as session:
        watching.visible(session, game_id, _looker())
        return {"rounds": watching.rounds(session, game_id)}


@games.route("/games/<game_id>/record")
@games.may_be_signed_in
@games.gives(RecordView)
@games.refuses(403, 404)
def get_record(game_id: str) -> Response:
    """The record as a file, to be verified offline: `cloche verify FILE`."""
    with house().read() as session:
        watching.visible(session, game_id, _looker())
        entries = watching.whole_record(session, game_id)
    data = canonical({"protocol": PROTOCOL, "entries": entries})
    named = f'attachment; filename="cloche-{game_id}.json"'
    return Response(data, mimetype="application/json", headers={"Content-Disposition": named})
