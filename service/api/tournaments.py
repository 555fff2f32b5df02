"""Tournaments: create, enter and follow them; what a director does."""

from __future__ import annotations

from typing import Any, ClassVar

from marshmallow import Schema, fields, validate

from service.api.challenges import DECK, PACE
from service.operations import tournaments as operations
from service.operations.moderation import LONGEST_REASON
from service.operations.paces import PACES
from service.operations.tournaments import ListedEntry, ListedMatch, ListedTournament, Terms
from service.operations.tournaments.directing import RULINGS
from service.operations.trades import MOST_COINS
from service.tournaments import SYSTEMS
from service.tournaments.standings import RESULTS
from service.web.blueprint import Blueprint
from service.web.context import house, me, viewer
from service.web.fields import CardCountsField, Flag, Id, OneLine, Time
from service.web.paging import PageQuery, page, page_of, read_cursor

tournaments = Blueprint("tournaments", "Tournaments: Swiss, single elimination, round robin.")

STATES = ["open", "running", "over", "cancelled"]


def _whole(text: str, low: int, high: int, default: int | None, **options: Any) -> fields.Integer:
    return fields.Integer(
        strict=True,
        load_default=default,
        validate=validate.Range(low, high),
        metadata={"description": text},
        **options,
    )


class TournamentBody(Schema):
    """The terms of a tournament, which I direct."""

    example: ClassVar[dict[str, Any]] = {
        "name": "Friday Pancakes",
        "system": "swiss",
        "mode": "chef",
        "fee": 20,
        "prizes": [60, 30, 10],
        "places": 16,
    }

    name = OneLine(operations.LONGEST_NAME, required=True)
    system = fields.String(required=True, validate=validate.OneOf(SYSTEMS))
    mode = fields.String(required=True, metadata={"description": "A mode that two can play."})
    pace = fields.String(
        load_default="usual", validate=validate.OneOf([*PACES]), metadata={"description": PACE}
    )
    options = fields.Dict(
        load_default=dict,
        metadata={
            "description": "The options that differ from the pace and the defaults; /modes lists them."
            " A player who has not entered a game within `enter` seconds, by default 300, loses it, and is"
            " out."
        },
    )
    format = fields.String(
        load_default=None,
        allow_none=True,
        metadata={"description": "The name of a format (/formats) that every deck must keep."},
    )
    rated = Flag(load_default=False, metadata={"description": "True if its games change ratings."})
    fee = _whole("Coins that each entry costs.", 0, MOST_COINS, 0)
    added = _whole("Coins of mine that I add to the fees.", 0, MOST_COINS, 0)
    prizes = fields.List(
        fields.Integer(strict=True, validate=validate.Range(1, 100)),
        load_default=list,
        validate=validate.Length(max=operations.MOST_PRIZES),
        metadata={"description": "Percents of all coins for the first places: together 100."},
    )
    places = _whole("The most players.", 2, operations.MOST_PLACES, 32)
    rounds = _whole(
        "The rounds of a Swiss tournament. Default: as many as single elimination would take.",
        1,
        operations.MOST_ROUNDS,
        None,
        allow_none=True,
    )
    late_rounds = _whole(
        "The last round of a Swiss tournament during which players may still enter.",
        0,
        operations.MOST_ROUNDS,
        0,
    )
    starts_in = _whole("The minutes until it starts by itself.", 1, operations.LATEST_START, 60)
    pause = _whole(
        "The minutes after each round in which results can be put right.", 0, operations.LONGEST_PAUSE, 2
    )


class TournamentView(Schema):
    """A tournament."""

    id = Id(required=True, attribute="tournament.id")
    name = fields.String(required=True, attribute="tournament.name")
    system = fields.String(required=True, attribute="tournament.system", metadata={"enum": [*SYSTEMS]})
    mode = fields.String(required=True, attribute="tournament.mode")
    options = fields.Dict(
        required=True,
        attribute="tournament.options",
        metadata={"description": "All options of its games, those with their default values too."},
    )
    format = fields.String(required=True, allow_none=True, attribute="tournament.format")
    rated = fields.Boolean(required=True, attribute="tournament.rated")
    director = fields.String(required=True, metadata={"description": "The handle of its director."})
    fee = fields.Integer(required=True, attribute="tournament.fee")
    added = fields.Integer(required=True, attribute="tournament.added")
    prizes = fields.List(
        fields.Integer(),
        required=True,
        attribute="tournament.prizes",
        metadata={"description": "Percents of all coins for the first places."},
    )
    places = fields.Integer(required=True, attribute="tournament.places")
    entered = fields.Integer(
        required=True, attribute="tournament.entered", metadata={"description": "Players who take part."}
    )
    rounds = fields.Integer(
        required=True,
        allow_none=True,
        attribute="tournament.rounds",
        metadata={"description": "The number of rounds; null while it depends on the number of players."},
    )
    round = fields.Integer(
        required=True,
        attribute="tournament.round",
        metadata={"description": "The newest round that was paired; 0 before the start."},
    )
    late_rounds = fields.Integer(required=True, attribute="tournament.late_rounds")
    pause = fields.Function(
        lambda listed: listed.tournament.pause_ms // 60_000,
        required=True,
        metadata={"type": "integer", "description": "Minutes between two rounds, and before the prizes."},
    )
    state = fields.String(required=True, attribute="tournament.state", metadata={"enum": STATES})
    reason = fields.String(
        required=True,
        allow_none=True,
        attribute="tournament.reason",
        metadata={"description": "The reason why it was cancelled."},
    )
    created_at = Time(required=True, attribute="tournament.created_at")
    starts_at = Time(required=True, attribute="tournament.starts_at")
    next_at = Time(
        required=True,
        allow_none=True,
        attribute="tournament.next_at",
        metadata={"description": "When the next round begins, or the prizes are paid; null in a round."},
    )
    ended_at = Time(required=True, allow_none=True, attribute="tournament.ended_at")


class TournamentMatchView(Schema):
    """A match of a round."""

    round = fields.Integer(required=True, attribute="match.round")
    board = fields.Integer(
        required=True, attribute="match.board", metadata={"description": "Counts matches from 1."}
    )
    first = fields.String(required=True, metadata={"description": "A handle."})
    second = fields.String(
        required=True, allow_none=True, metadata={"description": "A handle; null for a bye or a rest."}
    )
    state = fields.String(
        required=True, attribute="match.state", metadata={"enum": ["pending", "playing", "over"]}
    )
    result = fields.String(
        required=True,
        allow_none=True,
        attribute="match.result",
        metadata={
            "enum": [*RESULTS, None],
            "description": "first or second: that player has won. neither: both lose. A bye counts as a"
            " win, a rest as nothing.",
        },
    )
    played = fields.Boolean(
        required=True,
        attribute="match.played",
        metadata={"description": "False for a result without a game."},
    )
    games = fields.Integer(
        required=True, attribute="match.games", metadata={"description": "Games that have begun."}
    )
    game = Id("The newest game.", required=True, allow_none=True, attribute="match.game_id")
    ruling = fields.String(
        required=True,
        allow_none=True,
        attribute="match.ruling",
        metadata={"description": "The reason, where the director or a moderator has set the result."},
    )


class TournamentStandingView(Schema):
    """A player in a tournament, after the newest complete round."""

    handle = fields.String(required=True)
    rank = fields.Integer(
        required=True,
        attribute="entry.rank",
        metadata={"description": "The place in this list; before the start, the order of the entries."},
    )
    place = fields.Integer(
        required=True,
        allow_none=True,
        attribute="entry.place",
        metadata={"description": "The place, which players share whom no tie-break parts."},
    )
    points = fields.Function(
        lambda listed: listed.entry.points / 2, required=True, metadata={"type": "number"}
    )
    buchholz = fields.Function(
        lambda listed: listed.entry.buchholz / 2, required=True, metadata={"type": "number"}
    )
    sonneborn_berger = fields.Function(
        lambda listed: listed.entry.sonneborn / 4, required=True, metadata={"type": "number"}
    )
    wins = fields.Integer(
        required=True, attribute="entry.wins", metadata={"description": "Games won at a table."}
    )
    seed = fields.Integer(required=True, attribute="entry.seed")
    entered_at = Time(required=True, attribute="entry.entered_at")
    from_round = fields.Integer(
        required=True,
        attribute="entry.from_round",
        metadata={"description": "The first round for which the player is paired."},
    )
    out_round = fields.Integer(
        required=True,
        allow_none=True,
        attribute="entry.out_round",
        metadata={"description": "The round after which the player is paired no more."},
    )
    out_reason = fields.String(
        required=True,
        allow_none=True,
        attribute="entry.out_reason",
        metadata={"description": "left, no_show, the code of a refusal, or the director's words."},
    )
    prize = fields.Integer(required=True, attribute="entry.prize", metadata={"description": "Coins."})


class TournamentEntryView(TournamentStandingView):
    """A player in a tournament, with the newest match, and the deck where it may be seen."""

    deck = CardCountsField(
        required=True,
        allow_none=True,
        metadata={
            "description": "Copies by card. Others see it when the tournament is over; null until then, and"
            " where decks are not the players' own.",
        },
    )
    match = fields.Nested(
        TournamentMatchView,
        required=True,
        allow_none=True,
        metadata={"description": "The newest match of the player."},
    )


class TournamentEntryBody(Schema):
    """The deck to play with."""

    example: ClassVar[dict[str, Any]] = {}

    deck = fields.String(load_default=None, allow_none=True, metadata=DECK)


class TournamentReason(Schema):
    """The reason for a decision."""

    example: ClassVar[dict[str, Any]] = {"reason": "The player asked for it."}

    reason = OneLine(LONGEST_REASON, required=True)


class RulingBody(TournamentReason):
    """The result, and why."""

    example: ClassVar[dict[str, Any]] = {"result": "draw", "reason": "Both players say so."}

    result = fields.String(required=True, validate=validate.OneOf(RULINGS))


class TournamentsQuery(PageQuery):
    """The tournaments to list."""

    state = fields.String(load_default=None, validate=validate.OneOf(STATES))


def _list(query: dict[str, Any], player_id: str | None) -> dict[str, Any]:
    before, limit = read_cursor(query["cursor"], int, str), query["limit"]
    with house().read() as session:
        found = operations.newest(
            session, state=query.get("state"), player_id=player_id, before=before, limit=limit + 1
        )
    keys = {each.tournament.id: key for each, key in found}
    return page([each for each, _ in found], limit, lambda each: keys[each.tournament.id])


@tournaments.route("/tournaments")
@tournaments.takes(TournamentsQuery, "query")
@tournaments.gives(page_of(TournamentView))
def list_tournaments(query: dict[str, Any]) -> dict[str, Any]:
    """List the tournaments of this house, newest first."""
    return _list(query, None)


@tournaments.route("/me/tournaments")
@tournaments.signed_in
@tournaments.takes(PageQuery, "query")
@tournaments.gives(page_of(TournamentView))
def list_own_tournaments(query: dict[str, Any]) -> dict[str, Any]:
    """List the tournaments that I have entered, the newest entry first."""
    return _list(query, me().id)


@tournaments.route("/tournaments", "POST")
@tournaments.signed_in
@tournaments.takes(TournamentBody)
@tournaments.creates(TournamentView, "/tournaments/{id}")
@tournaments.refuses(403, 409, 422)
def create_tournament(body: dict[str, Any]) -> ListedTournament:
    """Create a tournament, which I direct. I may enter it too; then moderators decide about my matches.

    The coins that I add are set aside at once. The workers start it in time, with two players at least, and
    pair its rounds. In the end all coins are paid as prizes; if it is cancelled, everybody gets theirs back.
    """
    return operations.create(house(), me(), Terms(**body))


@tournaments.route("/tournaments/<tournament_id>")
@tournaments.gives(TournamentView)
@tournaments.refuses(404)
def get_tournament(tournament_id: str) -> ListedTournament:
    """Show a tournament."""
    with house().read() as session:
        return operations.find(session, tournament_id)


@tournaments.route("/tournaments/<tournament_id>/standings")
@tournaments.takes(PageQuery, "query")
@tournaments.gives(page_of(TournamentStandingView))
@tournaments.refuses(404)
def list_tournament_standings(query: dict[str, Any], tournament_id: str) -> dict[str, Any]:
    """List the players in the order of the standings; before the first round is complete, by seed."""
    after, limit = read_cursor(query["cursor"], int), query["limit"]
    with house().read() as session:
        found = operations.standings(session, tournament_id, after[0] if after else 0, limit + 1)
    return page(found, limit, lambda listed: (listed.entry.rank,))


@tournaments.route("/tournaments/<tournament_id>/rounds/<int:number>")
@tournaments.takes(PageQuery, "query")
@tournaments.gives(page_of(TournamentMatchView))
@tournaments.refuses(404)
def list_tournament_matches(query: dict[str, Any], tournament_id: str, number: int) -> dict[str, Any]:
    """List the matches of a round, by board. A board that nobody has reached is left out."""
    after, limit = read_cursor(query["cursor"], int), query["limit"]
    with house().read() as session:
        found = operations.matches(session, tournament_id, number, after[0] if after else 0, limit + 1)
    return page(found, limit, lambda listed: (listed.match.board,))


@tournaments.route("/tournaments/<tournament_id>/entries/<handle>")
@tournaments.may_be_signed_in
@tournaments.gives(TournamentEntryView)
@tournaments.refuses(404)
def get_tournament_entry(tournament_id: str, handle: str) -> ListedEntry:
    """Show a player in a tournament, with the newest match; when it is over, with the deck."""
    here = house()
    with here.read() as session:
        return operations.entry_of(here, session, tournament_id, handle, viewer())


@tournaments.route("/tournaments/<tournament_id>/entry")
@tournaments.signed_in
@tournaments.gives(TournamentEntryView)
@tournaments.refuses(404)
def get_own_tournament_entry(tournament_id: str) -> ListedEntry:
    """Show my own entry, with my deck and my newest match; 404 if I have not entered."""
    with house().read() as session:
        return operations.own_entry(session, tournament_id, me())


@tournaments.route("/tournaments/<tournament_id>/entry", "PUT")
@tournaments.signed_in
@tournaments.takes(TournamentEntryBody)
@tournaments.gives(TournamentEntryView)
@tournaments.refuses(403, 404, 409, 422)
def enter_tournament(body: dict[str, Any], tournament_id: str) -> ListedEntry:
    """Enter a tournament, or change my deck before it starts. The fee is set aside at once.

    The cards are kept as they are in the deck list now. From the start on no deck changes. A Swiss tournament
    may take late entries; the rounds before bring no points.
    """
    return operations.enter(house(), me(), tournament_id, body["deck"])


@tournaments.route("/tournaments/<tournament_id>/entry", "DELETE")
@tournaments.signed_in
@tournaments.gives(None, 204)
@tournaments.refuses(404, 409)
def leave_tournament(tournament_id: str) -> None:
    """Leave a tournament. Before the start my fee comes back; after it I am paired no more."""
    operations.withdraw(house(), me(), tournament_id)


@tournaments.route("/tournaments/<tournament_id>/start", "POST")
@tournaments.signed_in
@tournaments.gives(TournamentView)
@tournaments.refuses(403, 404, 409)
def start_tournament(tournament_id: str) -> ListedTournament:
    """Start a tournament before its time; for its director and moderators. A worker does it at once."""
    return operations.start(house(), me(), tournament_id)


@tournaments.route("/tournaments/<tournament_id>/cancel", "POST")
@tournaments.signed_in
@tournaments.takes(TournamentReason)
@tournaments.gives(TournamentView)
@tournaments.refuses(403, 404, 409, 422)
def cancel_tournament(body: dict[str, Any], tournament_id: str) -> ListedTournament:
    """Cancel a tournament that is not over; for its director and moderators. Everything is given back."""
    return operations.cancel(house(), me(), tournament_id, body["reason"])


@tournaments.route("/tournaments/<tournament_id>/rounds/<int:number>/matches/<int:board>", "PUT")
@tournaments.signed_in
@tournaments.takes(RulingBody)
@tournaments.gives(TournamentMatchView)
@tournaments.refuses(403, 404, 409, 422)
def rule_tournament_match(body: dict[str, Any], tournament_id: str, number: int, board: int) -> ListedMatch:
    """Set the result of a match; for the director and moderators, not for its players. The log keeps it.

    It counts instead of the game, before the prizes are paid. In an elimination only the newest round can be
    put right.
    """
    return operations.rule(house(), me(), tournament_id, number, board, body["result"], body["reason"])


@tournaments.route("/tournaments/<tournament_id>/entries/<handle>/drop", "POST")
@tournaments.signed_in
@tournaments.takes(TournamentReason)
@tournaments.gives(None, 204)
@tournaments.refuses(403, 404, 409, 422)
def drop_tournament_player(body: dict[str, Any], tournament_id: str, handle: str) -> None:
    """Take a player out, as their own leaving does; for the director and moderators."""
    operations.drop(house(), me(), tournament_id, handle, body["reason"])


@tournaments.route("/tournaments/<tournament_id>/entries/<handle>/restore", "POST")
@tournaments.signed_in
@tournaments.takes(TournamentReason)
@tournaments.gives(None, 204)
@tournaments.refuses(403, 404, 409, 422)
def restore_tournament_player(body: dict[str, Any], tournament_id: str, handle: str) -> None:
    """Pair a player again who is out; for the director and moderators. Missed rounds stay missed."""
    operations.restore(house(), me(), tournament_id, handle, body["reason"])
