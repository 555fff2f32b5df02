"""Games: watching them, sending the messages that they ask for, downloading their records."""

from __future__ import annotations

from typing import Any, ClassVar

from flask import Response
from marshmallow import Schema, fields, validate

from crypto.encoding import EncodingError, b64, canonical, unb64
from crypto.group import engine
from referee.record import MESSAGE_KINDS, PARTY_KINDS, PROTOCOL
from service.notices import LONGEST_WAIT, of_game
from service.operations import certificates, envelopes, watching
from service.operations import games as operations
from service.problems import Fault, forbidden, invalid
from service.tails import one_line
from service.web.blueprint import Blueprint
from service.web.context import house, me, viewer
from service.web.etags import FINAL, OWN
from service.web.fields import Id, Stored, Time
from service.web.idempotency import REPLAYED
from service.web.paging import PageQuery, page, page_of, read_cursor
from service.web.waiting import wait_for_news

games = Blueprint("games", "Games: their state, the messages that they ask for, and their records.")


class SuccessionView(Schema):
    """A new key of the house after an old one, signed by both: TH("succession"; the first four fields)."""

    kind = fields.String(required=True, metadata={"description": "Always `succession`."})
    old = fields.String(required=True, metadata={"description": "An Ed25519 key, in base64url."})
    new = fields.String(required=True, metadata={"description": "An Ed25519 key, in base64url."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    old_signature = fields.String(
        required=True, metadata={"description": "The signature by the old key, in base64url."}
    )
    new_signature = fields.String(
        required=True, metadata={"description": "The signature by the new key, in base64url."}
    )


class HouseView(Schema):
    """The house's keys, by which a player checks its signatures."""

    protocol = fields.String(required=True, metadata={"description": "The protocol and its version."})
    house_key = fields.String(
        required=True,
        metadata={"description": "The Ed25519 key that signs every game that begins now, in base64url."},
    )
    envelope_key = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The X25519 key to which players of new games may encrypt their reveals in"
            " advance, in base64url. Null where the house takes none."
        },
    )
    since = Time(
        required=True,
        allow_none=True,
        metadata={"description": "The time when `house_key` was made, where that is known."},
    )
    successions = fields.List(
        fields.Nested(SuccessionView),
        required=True,
        metadata={
            "description": "The changes of the house's key, oldest first. A game keeps the key that its first"
            " entry names. A player who knows one key of the chain can check the others."
        },
    )
    engine = fields.String(required=True, metadata={"description": "The library that computes on the curve."})
    time = Time(required=True, metadata={"description": "The house's clock."})


class WaitQuery(Schema):
    """Long polling: the answer comes as soon as there is an entry after `after`, or after `wait` seconds."""

    after = fields.Integer(
        load_default=-1,
        validate=validate.Range(-1, 2**31 - 1),
        metadata={"description": "The seq of the newest entry that the client has; -1 for none."},
    )
    wait = fields.Float(
        load_default=0.0,
        validate=validate.Range(0, LONGEST_WAIT),
        metadata={"description": "Seconds to wait. Where all places to wait are taken, the answer is 503."},
    )


class AskedView(Schema):
    """The message that the game asks for, from which seats, and until when."""

    kind = fields.String(required=True, metadata={"description": "The kind of message that is asked for."})
    topic = fields.String(
        required=True, metadata={"description": "The topic of the question, in the mode's own word."}
    )
    seats = fields.List(fields.Integer(), required=True)
    step = fields.Integer(required=True)
    seen_from = fields.Integer(
        required=True, metadata={"description": "The lowest seq that `seen` in the message may name."}
    )
    until = fields.String(
        required=True,
        metadata={"format": "date-time", "description": "The latest deadline of these seats."},
    )
    deal = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "The number of the deal, where a link is asked for."},
    )


class SealView(Schema):
    """A seal, that is, a commitment to a choice. It shows nothing of the choice."""

    step = fields.Integer(required=True)
    seal = fields.String(required=True)
    fingerprint = fields.String(
        required=True, metadata={"description": "16 bytes, short enough for people to compare."}
    )
    at = fields.String(required=True, metadata={"format": "date-time"})
    envelope = fields.Boolean(
        required=True, metadata={"description": "True if the reveal came with it, encrypted."}
    )


class GameSeatView(Schema):
    """The part of a seat that everybody sees."""

    name = fields.String(required=True)
    key = fields.String(required=True)
    entered = fields.Boolean(required=True)
    sealed = fields.Nested(SealView, required=True, allow_none=True)
    owes = fields.Nested(
        SealView,
        required=True,
        allow_none=True,
        metadata={"description": "A seal that the seat has not opened in time."},
    )
    offers_draw = fields.Boolean(required=True)
    out = fields.Boolean(
        required=True,
        metadata={"description": "True if the seat is out: the house plays for it at once, to the end."},
    )
    until = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "format": "date-time",
            "description": "The seat's own deadline, while it is asked for a message.",
        },
    )
    bank_ms = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "Milliseconds that are left of the seat's time for the whole game, without the"
            " running step. Null where there is no such limit."
        },
    )
    timeouts = fields.Dict(
        required=True,
        keys=fields.String(),
        values=fields.Integer(),
        metadata={"description": "How often the seat let its time pass, by the kind of message."},
    )


class OutcomeView(Schema):
    """The end of a game. A draw lists all as winners, a void game nobody."""

    points = fields.List(fields.Integer(), required=True)
    winners = fields.List(fields.Integer(), required=True)
    reason = fields.String(required=True)


class GameView(Schema):
    """A game as one seat, or a spectator, sees it. Cards that they may not see are left out."""

    game = Id("The game.", required=True)
    mode = fields.String(required=True)
    rules = fields.String(required=True, metadata={"description": "The version of the rules."})
    options = fields.Dict(required=True, metadata={"description": "The options of the table."})
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "My seat; null for a spectator."}
    )
    seq = fields.Integer(required=True, metadata={"description": "The seq of the newest entry."})
    digest = fields.String(required=True, metadata={"description": "The digest of the newest entry."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    step = fields.Integer(required=True)
    deals = fields.Integer(required=True, metadata={"description": "The number of deals so far."})
    asked = fields.Nested(AskedView, required=True, allow_none=True)
    seats = fields.List(fields.Nested(GameSeatView), required=True)
    points = fields.List(fields.Integer(), required=True)
    state = fields.Dict(
        required=True, metadata={"description": "The state of the rules, in the mode's own form."}
    )
    outcome = fields.Nested(OutcomeView, required=True, allow_none=True)
    over = fields.Boolean(required=True)
    away_ms = fields.Integer(
        required=True,
        metadata={"description": "Milliseconds that the house was away in this game, 24 hours at most."},
    )
    spectators = fields.Boolean(
        required=True, metadata={"description": "True if everybody may watch the game while it runs."}
    )
    deck = fields.Dict(
        required=True,
        allow_none=True,
        keys=fields.String(),
        values=fields.Integer(),
        metadata={
            "description": "The deck with which I sit down in this game: the number of copies by the card's"
            " slug. Only I see it. Null for spectators, in modes with the house's pack, and once it is over."
        },
    )
    deck_id = Id(
        "The deck list that I brought into this game, by its id; it may be deleted since. Only I see it. Null"
        " for spectators, and in modes with the house's pack.",
        required=True,
        allow_none=True,
    )


class ListedGameView(Schema):
    """One of my games."""

    id = Id(required=True, attribute="game.id")
    mode = fields.String(required=True, attribute="game.mode")
    seat = fields.Integer(required=True)
    names = fields.List(fields.String(), required=True)
    created_at = Time(required=True, attribute="game.created_at")
    ended_at = Time(required=True, allow_none=True, attribute="game.ended_at")
    seq = fields.Integer(required=True, attribute="game.seq")
    outcome = fields.Nested(OutcomeView, required=True, allow_none=True, attribute="game.outcome")


class GamesQuery(PageQuery):
    """The games of mine to list."""

    state = fields.String(load_default=None, validate=validate.OneOf(("running", "over")))


class CertificateBody(Schema):
    """The seat, and the secret by which its certificate is blinded."""

    example: ClassVar[dict[str, Any]] = {"seat": 0, "seed": "A" * 43}

    seat = fields.Integer(required=True, strict=True)
    seed = fields.String(
        required=True,
        metadata={
            "description": "32 secret random bytes in base64url. Send the same ones each time you ask."
        },
    )


class CertificateView(Schema):
    """The house's signed statement that a hidden deck is legal and owned (protocol, section 5)."""

    game = Id(required=True)
    seat = fields.Integer(required=True)
    key = fields.String(required=True)
    set_digest = fields.String(required=True)
    cards = fields.List(fields.String(), required=True)
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class MessageBody(Schema):
    """A signed message (protocol, section 10). The referee checks each field, not this schema."""

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
            "enum": [*MESSAGE_KINDS, *PARTY_KINDS],
        },
    )
    body = fields.Raw(required=True, metadata={"type": "object"})
    signature = fields.Raw(required=True, metadata={"type": "string"})


class ReceiptView(Schema):
    """The house's signed statement that a message arrived in time."""

    message = fields.String(required=True, metadata={"description": "The digest of the message."})
    at = fields.String(required=True, metadata={"format": "date-time"})
    signature = fields.String(required=True)


class AcceptedView(Schema):
    """An accepted message."""

    receipt = fields.Nested(ReceiptView, required=True)
    seq = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The seq of its entry. Null while the message waits for those of other seats."
        },
    )


class EntriesView(Schema):
    """Entries of a record, in order."""

    entries = fields.List(Stored("Entry"), required=True)
    more = fields.Boolean(required=True, metadata={"description": "True if there are later ones already."})


class RecordView(Schema):
    """A record as a file (protocol, section 10), in its canonical bytes."""

    protocol = fields.String(required=True)
    entries = fields.List(Stored("Entry"), required=True)


class FacesView(Schema):
    """Signed statements of my own cards (protocol, section 7)."""

    faces = fields.List(Stored("FacesStatement"), required=True)


@games.route("/house")
@games.gives(HouseView)
def get_house() -> dict[str, Any]:
    """Show the house's keys: those of new games, and the chain of former ones."""
    here = house()
    house_keys = here.key_generations
    with here.read() as session:
        envelope = envelopes.newest(session)
    return {
        "protocol": PROTOCOL,
        "house_key": b64(house_keys.newest.public),
        "envelope_key": None if envelope is None else b64(envelope),
        "since": house_keys.newest.since,
        "successions": [item.json() for item in house_keys.successions],
        "engine": engine().name,
        "time": here.now(),
    }


@games.route("/games")
@games.signed_in
@games.takes(GamesQuery, "query")
@games.gives(page_of(ListedGameView))
def list_games(query: dict[str, Any]) -> dict[str, Any]:
    """List my games, newest first."""
    before = read_cursor(query["cursor"], int, str)
    over = None if query["state"] is None else query["state"] == "over"
    with house().read() as session:
        found = watching.games_of(session, me().id, over=over, before=before, limit=query["limit"] + 1)
    return page(found, query["limit"], lambda listed: (listed.game.created_at, listed.game.id))


@games.route("/games/<game_id>")
@games.may_be_signed_in
@games.takes(WaitQuery, "query")
@games.gives(GameView)
@games.refuses(403, 404, 409, 503)
def get_game(query: dict[str, Any], game_id: str) -> dict[str, Any]:
    """Show a game as my seat sees it, with the message that it asks for and the deadline.

    The players may see a running game; so may everybody where its table allows spectators. Everybody may see
    a game that is over. A spectator sees the cards that lie open for all. A running game of a private table
    without spectators is 404 for strangers.
    """
    _wait(game_id, query)
    with house().read() as session:
        return watching.seen(session, game_id, viewer())


def _wait(game_id: str, query: dict[str, Any]) -> None:
    game = watching.known(house(), game_id, viewer())
    if query["wait"] and game.seq <= query["after"]:
        operations.require_not_stopped(game)  # nothing will come: say so now, not after the wait
    if query["wait"] and not game.ended and game.seq <= query["after"]:
        here = house()
        wait_for_news(
            of_game(game_id),
            query["wait"],
            lambda session: watching.grown(here, session, game_id, query["after"]),
        )


@games.route("/games/<game_id>/entries")
@games.may_be_signed_in
@games.takes(WaitQuery, "query")
@games.gives(EntriesView)
@games.refuses(403, 404, 409, 503)
def list_entries(query: dict[str, Any], game_id: str) -> Response:
    """List the entries of a game's record after `after`.

    A client that replays them by the rules knows the game without trusting the house.
    """
    _wait(game_id, query)
    most = watching.MOST_ENTRIES
    found = watching.entries_after(house(), game_id, query["after"], most + 1)
    entries, more = ",".join(entry.data for entry in found[:most]), len(found) > most
    # The entries are JSON already, as the record has them.
    return Response(f'{{"entries":[{entries}],"more":{str(more).lower()}}}\n', mimetype="application/json")


@games.route("/games/<game_id>/entries", "POST", knows_repeats=True)
@games.signed_in
@games.takes(MessageBody)
@games.gives(AcceptedView, 201)
@games.refuses(403, 404, 409, 422)
def add_entry(body: dict[str, Any], game_id: str) -> Response:
    """Send a signed message of my seat to a game: the answer to what the game asks.

    The house checks it in this order: size, authentication, shape, seat, repeat, step, deadline, signature,
    seen, rules, proof. The same message, sent again, gets the same answer again, for as long as the game
    is kept, with `Idempotency-Replayed: true`. A refused message is judged anew.
    """
    accepted = operations.submit(house(), game_id, body, player_id=me().id)
    headers = {REPLAYED: "true"} if accepted.again else {}
    return Response(one_line(accepted.json()) + "\n", 201, headers, mimetype="application/json")


@games.route("/games/<game_id>/certificate", "POST")
@games.signed_in
@games.takes(CertificateBody)
@games.gives(CertificateView)
@games.refuses(403, 404, 409)
def certify_deck(body: dict[str, Any], game_id: str) -> dict[str, Any]:
    """Get the house's certificate that my deck for this match is legal and mine.

    The house gives one for each match, and the same one again for the same seed.
    """
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
    """List my own cards of a secret deal, signed by the house, in modes with a pack of the house."""
    with house().read() as session:
        return {"faces": watching.faces(house(), session, game_id, me().id)}


@games.route("/games/<game_id>/record")
@games.cached(OWN)
@games.may_be_signed_in
@games.gives(RecordView)
@games.refuses(403, 404)
def get_record(game_id: str) -> Response:
    """Download the record of a game as a file, which `cloche verify FILE` verifies without the house.

    The record of a game that is over never changes, and any cache may keep it.
    """
    with house().read() as session:
        row, _ = watching.visible(session, game_id, viewer())
        entries = watching.whole_record(session, game_id)
    data = canonical({"protocol": PROTOCOL, "entries": entries})
    named = f'attachment; filename="cloche-{game_id}.json"'
    response = Response(data, mimetype="application/json", headers={"Content-Disposition": named})
    if row.ended_at is not None:
        response.headers["Cache-Control"] = FINAL
    return response
