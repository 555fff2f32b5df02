"""Ratings: how strong the players are in each mode, and the leaderboards of seasons."""

from __future__ import annotations

from typing import Any

from flask import Response
from marshmallow import Schema, fields

from cards.pictures.rating_chart import Step, rating_chart
from service.operations import favourites, players
from service.operations import leaderboards as operations
from service.operations.decks import VISIBILITIES
from service.operations.ratings import REASONS
from service.ratings import RESULTS, Rating
from service.web.blueprint import Blueprint
from service.web.context import house, me, viewer
from service.web.fields import Time
from service.web.paging import PageQuery, page, page_of, read_cursor

SVG = "image/svg+xml"
MOST_STEPS = 500
"""The most games in a chart; older ones are left out."""

ratings = Blueprint("ratings", "Ratings of players, and leaderboards of seasons.")


class RatingView(Schema):
    """A player's rating in a mode."""

    mode = fields.String(required=True)
    points = fields.Integer(
        required=True, attribute="rating.points", metadata={"description": "The rating; newcomers have 1500."}
    )
    deviation = fields.Integer(
        required=True,
        attribute="rating.deviation",
        metadata={"description": "How uncertain it is now, in points. It grows while a player is away."},
    )
    provisional = fields.Boolean(
        required=True,
        attribute="rating.provisional",
        metadata={"description": "True while too little is known of the player's strength."},
    )
    games = fields.Integer(required=True, attribute="rating.games")
    wins = fields.Integer(required=True)
    draws = fields.Integer(required=True)
    losses = fields.Integer(required=True)
    last_game = Time(required=True, attribute="rating.at")


class RatingsView(Schema):
    """A player's ratings."""

    items = fields.List(fields.Nested(RatingView), required=True)


class RatingStepView(Schema):
    """A player's rating after one rated game."""

    at = Time(required=True)
    result = fields.String(required=True, metadata={"enum": [*RESULTS]})
    points = fields.Integer(required=True)
    deviation = fields.Integer(required=True)


class RatingChangeView(Schema):
    """What a rated game did to the rating at one seat."""

    seat = fields.Integer(required=True)
    name = fields.String(required=True)
    result = fields.String(required=True, metadata={"enum": [*RESULTS]})
    before = fields.Integer(required=True, metadata={"description": "Points before the game."})
    after = fields.Integer(required=True, metadata={"description": "Points after it."})


class GameRatingView(Schema):
    """What a game did to its players' ratings."""

    rated = fields.Boolean(required=True)
    reason = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": [*REASONS, None],
            "description": "Why a rated game changed nothing; null for one that counts. nobody_won: it ended"
            " without a winner. too_short: a seat made no move or seal. same_opponents: enough games between"
            " two of its players counted on that day (UTC).",
        },
    )
    changes = fields.List(fields.Nested(RatingChangeView), required=True)


class MetView(Schema):
    """My results against one opponent."""

    handle = fields.String(required=True)
    games = fields.Integer(required=True)
    wins = fields.Integer(required=True)
    draws = fields.Integer(required=True)
    losses = fields.Integer(required=True)


class OpponentsView(Schema):
    """My results by opponent."""

    items = fields.List(fields.Nested(MetView), required=True)


class CountsView(Schema):
    """Rated games that count."""

    games = fields.Integer(required=True)
    wins = fields.Integer(required=True)
    draws = fields.Integer(required=True)
    losses = fields.Integer(required=True)


class DeckResultsView(Schema):
    """A player's results with a deck."""

    deck = fields.UUID(required=True, attribute="deck.deck.id", metadata={"description": "The deck's id."})
    name = fields.String(required=True, attribute="deck.revision.name")
    visibility = fields.String(
        required=True, attribute="deck.deck.visibility", metadata={"enum": [*VISIBILITIES]}
    )
    deleted = fields.Boolean(
        required=True, metadata={"description": "The deck is deleted; only its owner still sees it here."}
    )
    games = fields.Integer(required=True, attribute="results.games")
    wins = fields.Integer(required=True, attribute="results.wins")
    draws = fields.Integer(required=True, attribute="results.draws")
    losses = fields.Integer(required=True, attribute="results.losses")


class ResultsByDeckView(Schema):
    """A player's results by deck."""

    items = fields.List(fields.Nested(DeckResultsView), required=True)
    others = fields.Nested(
        CountsView,
        required=True,
        metadata={"description": "All other games of the mode: with decks not shown here, or without one."},
    )


class CardNamed(Schema):
    """A card by number, slug and name."""

    number = fields.Integer(required=True)
    slug = fields.String(required=True)
    name = fields.String(required=True)


class FavouriteView(Schema):
    """A dish that a player has served."""

    dish = fields.String(
        required=True,
        attribute="dish.key",
        metadata={"description": "The key of the dish, whose picture is at /dishes/KEY/picture."},
    )
    recipe = fields.Nested(CardNamed, required=True, attribute="dish.recipe")
    ingredients = fields.List(fields.Nested(CardNamed), required=True, attribute="dish.ingredients")
    times = fields.Integer(required=True)
    last_served = Time(
        required=True, metadata={"description": "The end of the newest game in which it was served."}
    )


class FavouritesView(Schema):
    """A player's favourite dishes."""

    items = fields.List(fields.Nested(FavouriteView), required=True)


class LeaderboardQuery(PageQuery):
    """The leaderboard to show."""

    season = fields.String(
        load_default=None,
        metadata={"description": "A season, such as 2026-Q4. Default: the one that runs now."},
    )


class PlacedView(Schema):
    """A line of a leaderboard."""

    rank = fields.Integer(required=True)
    handle = fields.String(required=True)
    points = fields.Integer(required=True, attribute="rating.points")
    deviation = fields.Integer(required=True, attribute="rating.deviation")
    sure = fields.Integer(
        required=True,
        metadata={"description": "Two deviations below the points. The board is sorted by it."},
    )
    games = fields.Integer(
        required=True, attribute="row.games", metadata={"description": "Games of this season that count."}
    )
    wins = fields.Integer(required=True, attribute="row.wins")


class SeasonsView(Schema):
    """The seasons."""

    now = fields.String(required=True, metadata={"description": "The season that runs now."})
    items = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The seasons with games that count, newest first."},
    )


@ratings.route("/players/<handle>/ratings")
@ratings.gives(RatingsView)
@ratings.refuses(404)
def get_ratings(handle: str) -> dict[str, Any]:
    """Show the ratings of a player, one for each mode with a rated game that counts."""
    here = house()
    with here.read() as session:
        return {"items": operations.of_player(here, session, players.find(session, handle, here.now()).id)}


@ratings.route("/players/<handle>/ratings/<mode>")
@ratings.takes(PageQuery, "query")
@ratings.gives(page_of(RatingStepView))
@ratings.refuses(404)
def get_rating_history(query: dict[str, Any], handle: str, mode: str) -> dict[str, Any]:
    """List a player's rating in a mode after each game, newest first."""
    (before,) = read_cursor(query["cursor"], int) or (None,)
    here = house()
    with here.read() as session:
        player = players.find(session, handle, here.now())
        found = operations.history(session, player.id, mode, before, query["limit"] + 1)
    listed = [(step, _step(step)) for step in found]
    shown = page(listed, query["limit"], lambda each: (each[0].ordinal,))
    return {**shown, "items": [view for _, view in shown["items"]]}


@ratings.route("/players/<handle>/ratings/<mode>/chart.svg")
@ratings.pictures(SVG)
@ratings.refuses(404)
def get_rating_chart(handle: str, mode: str) -> Response:
    """Draw a player's rating in a mode as a chart."""
    here = house()
    with here.read() as session:
        player = players.find(session, handle, here.now())
        found = operations.history(session, player.id, mode, None, MOST_STEPS)
    steps = [Step(view["at"], view["points"], view["deviation"]) for view in map(_step, reversed(found))]
    return Response(rating_chart(f"{player.handle}: {mode}", steps), content_type=SVG)


@ratings.route("/players/<handle>/ratings/<mode>/decks")
@ratings.may_be_signed_in
@ratings.gives(ResultsByDeckView)
@ratings.refuses(404)
def get_results_by_deck(handle: str, mode: str) -> dict[str, Any]:
    """List a player's results in rated games of a mode by deck, most games first: 100 decks at most.

    Players see all their own decks here. Others see public ones alone, and none that is played in a
    tournament that runs.
    """
    here = house()
    with here.read() as session:
        player = players.find(session, handle, here.now())
        found, others = operations.by_deck(session, player, mode, viewer())
    items = [
        {"deck": each.deck, "results": each.results, "deleted": each.deck.deck.deleted_at is not None}
        for each in found
    ]
    return {"items": items, "others": others}


@ratings.route("/players/<handle>/dishes")
@ratings.gives(FavouritesView)
@ratings.refuses(404)
def get_favourite_dishes(handle: str) -> dict[str, Any]:
    """List the dishes that a player has served most often, in games that are over: 20 at most."""
    here = house()
    with here.read() as session:
        return {"items": favourites.listed(here, session, players.find(session, handle, here.now()).id)}


@ratings.route("/games/<game_id>/rating")
@ratings.may_be_signed_in
@ratings.gives(GameRatingView)
@ratings.refuses(401, 403, 404, 409)
def get_game_rating(game_id: str) -> operations.GameRating:
    """Show what a game that is over did to its players' ratings, or why it changed nothing."""
    with house().read() as session:
        return operations.of_game(session, game_id, viewer())


@ratings.route("/me/opponents/<mode>")
@ratings.signed_in
@ratings.gives(OpponentsView)
def get_opponents(mode: str) -> dict[str, Any]:
    """List my results in rated games of a mode by opponent, most games first: 200 opponents at most."""
    with house().read() as session:
        return {"items": operations.met(session, me().id, mode)}


@ratings.route("/seasons")
@ratings.gives(SeasonsView)
def get_seasons() -> dict[str, Any]:
    """List the seasons: quarters of a year in UTC."""
    here = house()
    with here.read() as session:
        return {"now": operations.season_now(here), "items": operations.seasons(session)}


@ratings.route("/leaderboards/<mode>")
@ratings.takes(LeaderboardQuery, "query")
@ratings.gives(page_of(PlacedView))
@ratings.refuses(404)
def get_leaderboard(query: dict[str, Any], mode: str) -> dict[str, Any]:
    """List the players of a mode in a season, the best first. It takes five games that count to be listed."""
    after = read_cursor(query["cursor"], int, str, int, int)
    here = house()
    season = query["season"] or operations.season_now(here)
    with here.read() as session:
        found = operations.leaderboard(session, mode, season, after, query["limit"] + 1)
    return page(found, query["limit"], lambda placed: placed.key)


def _step(change: Any) -> dict[str, Any]:
    rating = Rating(change.mu, change.sigma)
    return {
        "at": change.at,
        "result": change.result,
        "points": rating.points,
        "deviation": rating.deviation,
    }
