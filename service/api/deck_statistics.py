"""Statistics of deck lists: exact odds, simulated yum, charts, sample hands, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from flask import Response
from marshmallow import Schema, fields, validate

from cards.decks.odds import MOST_CARDS, CardCounts
from cards.decks.statistics import MOST_ROUNDS, hands, statistics_of, suggestions
from cards.decks.statistics_chart import chart
from cards.decks.suggestions import beyond as cards_beyond
from service.api.decks import CardsBody
from service.operations import collection, reach
from service.operations import decks as operations
from service.problems import Fault, Problem, invalid
from service.web.blueprint import Blueprint
from service.web.context import house, me
from service.web.fields import Id

deck_statistics = Blueprint(
    "deck_statistics", "Statistics of deck lists: odds, expected yum, sample hands, suggestions."
)

SVG = "image/svg+xml"
PATIENCE = 5.0
"""Seconds that a request waits for the computation of another one."""
_computing = Lock()


def _many(field: Any, text: str = "") -> Any:
    return fields.List(field, required=True, metadata={"description": text} if text else {})


def _whole(text: str = "") -> Any:
    return fields.Integer(required=True, metadata={"description": text} if text else {})


def _number(text: str = "") -> Any:
    return fields.Float(required=True, metadata={"description": text} if text else {})


def _slug(text: str = "") -> Any:
    return fields.String(required=True, metadata={"description": text} if text else {})


def _seed() -> Any:
    return fields.String(
        load_default="1",
        validate=validate.Length(1, 60),
        metadata={"description": "The seed of the random deals. Equal seeds give equal answers."},
    )


class SeedQuery(Schema):
    """The random deals to look at."""

    seed = _seed()


class SuggestionQuery(SeedQuery):
    """The random deals to look at, and how far to look."""

    beyond = fields.Boolean(
        load_default=False,
        metadata={"description": "Look at cards too of which I own no more copies. It takes twice as long."},
    )


class StatisticsQuery(SeedQuery):
    """The number of rounds to look at, and the random deals."""

    rounds = fields.Integer(load_default=10, validate=validate.Range(1, MOST_ROUNDS))


class HandsQuery(SeedQuery):
    """The number of sample hands to draw, and of rounds."""

    count = fields.Integer(load_default=3, validate=validate.Range(1, 20))
    rounds = fields.Integer(load_default=4, validate=validate.Range(1, MOST_ROUNDS))


class CostView(Schema):
    """A column of the cost curve."""

    cost = _whole("The cost in units.")
    recipes = _whole("The number of recipes with this cost.")


class UnitsView(Schema):
    """The units of one category."""

    category = _slug()
    provided = _whole()
    needed = _whole("To serve every recipe once, with every special ingredient.")
    recipes = _whole("The units that recipes need.")
    specials = _whole("The units that special ingredients need.")


class CardOddsView(Schema):
    """The odds of holding a card."""

    card = _slug()
    copies = _whole()
    at_least = _many(
        fields.List(fields.Float()), "The odds by round of one copy or more; then of two or more, and so on."
    )


class RecipeOddsView(Schema):
    """The odds of being able to serve a recipe."""

    card = _slug()
    odds = _many(fields.Float(), "The odds by round.")


class ServableView(Schema):
    """The odds of being able to serve a dish."""

    exact = fields.Boolean(
        required=True, metadata={"description": "True if the odds are exact; if not, they are simulated."}
    )
    any = _many(fields.Float(), "The odds of some dish, by round.")
    errors = _many(fields.Float(), "The standard errors of `any`; 0 where it is exact.")
    each = _many(fields.Nested(RecipeOddsView), "The odds by recipe; empty where they are not exact.")


class YumView(Schema):
    """The yum of the best dish that can be served by a round; 0 where there is no dish."""

    drawn = _whole("The number of cards drawn by then.")
    mean = _number()
    error = _number("The standard error of the mean.")
    quartiles = _many(fields.Integer())
    served = _number("The share of deals with a dish.")


class SimulationView(Schema):
    """The basis of a simulation."""

    deals = _whole("The number of deals; fewer where a deck takes long to search.")
    seed = _slug()


class LinkView(Schema):
    """An edge of the graph: an ingredient that matches an entry of a recipe's list."""

    recipe = _slug()
    entry = fields.String(required=True)
    ingredient = _slug()


class SharedView(Schema):
    """The number of the deck's recipes that an ingredient matches."""

    card = _slug()
    copies = _whole()
    recipes = _whole()


class StatisticsView(Schema):
    """Statistics of a deck list. Values by round are arrays that begin with round 1."""

    size = _whole("The number of cards.")
    recipes = _whole()
    ingredients = _whole()
    drawn = _many(fields.Integer(), "The number of cards drawn, by round.")
    costs = _many(fields.Nested(CostView))
    units = _many(fields.Nested(UnitsView))
    recipe = _many(fields.Float(), "The exact odds of holding a recipe, by round.")
    cards = _many(fields.Nested(CardOddsView))
    servable = fields.Nested(ServableView, required=True)
    yum = _many(fields.Nested(YumView), "The best dish, simulated, by round.")
    simulation = fields.Nested(SimulationView, required=True)
    links = _many(fields.Nested(LinkView))
    shared = _many(fields.Nested(SharedView), "Ingredients; those that match the most recipes come first.")


class BestView(Schema):
    """A dish."""

    recipe = _slug()
    ingredients = _many(fields.String())
    yum = _whole()


class DrawView(Schema):
    """A round of a sample hand."""

    drawn = _many(fields.String(), "The cards drawn in this round.")
    best = fields.Nested(
        BestView,
        required=True,
        allow_none=True,
        metadata={"description": "The best dish from all cards drawn by then; null where there is none."},
    )


class HandsView(Schema):
    """Sample hands."""

    seed = _slug()
    hands = _many(
        fields.List(fields.Nested(DrawView)), "The rounds of each hand; the first draws the opening hand."
    )


class GainView(Schema):
    """A mean and its standard error."""

    mean = _number()
    error = _number()


class SuggestionView(Schema):
    """An exchange of one card."""

    add = _slug("The card to add. I own more copies of it than the deck has.")
    alike = _many(fields.String(), "Other cards that are worth the same to this deck's recipes.")
    remove = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The card to remove; null where the deck has room."},
    )
    gain = fields.Nested(
        GainView,
        required=True,
        metadata={"description": "The yum that the best dish gains, averaged over the rounds."},
    )
    clear = fields.Boolean(
        required=True, metadata={"description": "True if the gain is more than twice its standard error."}
    )


class WayView(Schema):
    """The shortest way to one more copy of a card."""

    how = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "enum": ["free", "offer", "boosters", None],
            "description": "free: it is a Basic Ingredient. offer: from the cheapest open offer. boosters:"
            " out of boosters, on average. Null: nobody offers it, and no booster holds it.",
        },
    )
    coins = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The price of the cheapest offer; null if nobody offers it for coins alone."
        },
    )
    offers = fields.List(Id(), required=True, metadata={"description": "The id of that offer."})
    chance = fields.Float(
        required=True, metadata={"description": "The probability that a booster holds the card."}
    )
    wins = fields.Integer(
        required=True,
        allow_none=True,
        metadata={
            "description": "The number of rewarded wins to it, with the coins that I have, if each brings as"
            " much as the first over an opponent. Null if there is no way."
        },
    )


class DistantSuggestionView(SuggestionView):
    """An exchange for a card that I do not own."""

    way = fields.Nested(WayView, required=True)


class AdviceSimulationView(Schema):
    """The basis of suggestions."""

    seed = _slug()
    sifted = _whole("The number of deals on which every exchange was tried.")
    judged = _whole("The number of other deals, by which the gains were measured.")


class AdviceView(Schema):
    """Suggestions, the best first."""

    rounds = _whole("The number of rounds that they look at.")
    candidates = _whole("The number of cards that could be added; cards worth the same count once.")
    simulation = fields.Nested(AdviceSimulationView, required=True)
    items = _many(fields.Nested(SuggestionView))
    beyond = fields.List(
        fields.Nested(DistantSuggestionView),
        required=True,
        allow_none=True,
        metadata={
            "description": "Suggestions of cards that I would have to get first: those that cost no win, then"
            " the others by what they gain for a win. Of cards that are worth the same, `add` has the"
            " shortest way. Null unless it was asked for."
        },
    )


@deck_statistics.route("/decks/<deck_id>/statistics", limited=True)
@deck_statistics.signed_in
@deck_statistics.takes(StatisticsQuery, "query")
@deck_statistics.gives(StatisticsView)
@deck_statistics.refuses(404, 422, 503)
def deck_report(query: dict[str, Any], deck_id: str) -> dict[str, Any]:
    """Show the statistics of a deck: exact odds, and the yum that a simulation expects.

    The deck is mine or another that I may see.
    """
    return _report(_deck(_counts(deck_id)), **query)


@deck_statistics.route("/decks/<deck_id>/statistics.svg", limited=True)
@deck_statistics.signed_in
@deck_statistics.takes(StatisticsQuery, "query")
@deck_statistics.pictures(SVG)
@deck_statistics.refuses(404, 422, 503)
def deck_picture(query: dict[str, Any], deck_id: str) -> Response:
    """Draw the statistics of a deck as charts. The deck is mine or another that I may see."""
    with house().read() as session:
        revision = operations.visible(session, me().id, deck_id).revision
    deck = _deck(revision.counts)
    return Response(chart(_report(deck, **query), _names(deck), revision.name), content_type=SVG)


@deck_statistics.route("/decks/<deck_id>/hands", limited=True)
@deck_statistics.signed_in
@deck_statistics.takes(HandsQuery, "query")
@deck_statistics.gives(HandsView)
@deck_statistics.refuses(404, 422, 503)
def deck_hands(query: dict[str, Any], deck_id: str) -> dict[str, Any]:
    """Draw sample hands from a deck, round by round. The deck is mine or another that I may see."""
    return _hands(_deck(_counts(deck_id)), **query)


@deck_statistics.route("/decks/<deck_id>/suggestions", limited=True)
@deck_statistics.signed_in
@deck_statistics.takes(SuggestionQuery, "query")
@deck_statistics.gives(AdviceView)
@deck_statistics.refuses(404, 422, 503)
def deck_suggestions(query: dict[str, Any], deck_id: str) -> dict[str, Any]:
    """Suggest exchanges: which cards would raise the expected yum of a deck most.

    They are cards of mine, and with `beyond` also others, with their costs and how many wins away they are.
    """
    return _suggestions(_counts(deck_id), **query)


@deck_statistics.route("/decks/statistics", "POST", changes=False)
@deck_statistics.signed_in
@deck_statistics.takes(StatisticsQuery, "query")
@deck_statistics.takes(CardsBody)
@deck_statistics.gives(StatisticsView)
@deck_statistics.refuses(503)
def cards_report(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Show the statistics of a deck list in the request, without keeping it."""
    return _report(_deck(body["cards"]), **query)


@deck_statistics.route("/decks/statistics.svg", "POST", changes=False)
@deck_statistics.signed_in
@deck_statistics.takes(StatisticsQuery, "query")
@deck_statistics.takes(CardsBody)
@deck_statistics.pictures(SVG)
@deck_statistics.refuses(503)
def cards_picture(query: dict[str, Any], body: dict[str, Any]) -> Response:
    """Draw the statistics of a deck list in the request as charts, without keeping it."""
    deck = _deck(body["cards"])
    return Response(chart(_report(deck, **query), _names(deck)), content_type=SVG)


@deck_statistics.route("/decks/hands", "POST", changes=False)
@deck_statistics.signed_in
@deck_statistics.takes(HandsQuery, "query")
@deck_statistics.takes(CardsBody)
@deck_statistics.gives(HandsView)
@deck_statistics.refuses(503)
def cards_hands(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Draw sample hands from a deck list in the request, without keeping it."""
    return _hands(_deck(body["cards"]), **query)


@deck_statistics.route("/decks/suggestions", "POST", changes=False)
@deck_statistics.signed_in
@deck_statistics.takes(SuggestionQuery, "query")
@deck_statistics.takes(CardsBody)
@deck_statistics.gives(AdviceView)
@deck_statistics.refuses(503)
def cards_suggestions(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
    """Suggest exchanges for a deck list in the request, without keeping it."""
    return _suggestions(body["cards"], **query)


@contextmanager
def _alone() -> Iterator[None]:
    """Let one computation run at a time in a process, so that running games are answered meanwhile.

    Raises `Problem` 503 after `PATIENCE` seconds.
    """
    if not _computing.acquire(timeout=PATIENCE):
        detail = "The house is busy with other computations; try again in a moment."
        raise Problem(503, "busy", detail, headers={"Retry-After": "2"})
    try:
        yield
    finally:
        _computing.release()


def _counts(deck_id: str) -> Mapping[int, int]:
    with house().read() as session:
        return operations.visible(session, me().id, deck_id).revision.counts


def _deck(counts: Mapping[int, int]) -> CardCounts:
    """The cards of a deck list. Raises `Problem` 422 for too many cards, or one that no set has any more."""
    known = house().catalog.cards
    lost = [
        Fault("unknown_card", f"There is no card {number}.", f"/cards/{number}", data={"number": number})
        for number in counts
        if number not in known
    ]
    if lost:
        raise invalid("unknown_card", "The house does not know all these cards.", lost)
    size = sum(counts.values())
    if size > MOST_CARDS:
        detail = f"Statistics are for at most {MOST_CARDS} cards; this list has {size}."
        raise invalid("too_many_cards", detail, [Fault("too_many_cards", detail, "/cards")])
    return {known[number]: n for number, n in counts.items() if n > 0}


def _report(deck: CardCounts, **query: Any) -> dict[str, Any]:
    with _alone():
        return statistics_of(deck, **query)


def _hands(deck: CardCounts, **query: Any) -> dict[str, Any]:
    with _alone():
        return hands(deck, **query)


def _names(deck: CardCounts) -> dict[str, str]:
    return {card.slug: card.name for card in deck}


def _suggestions(counts: Mapping[int, int], seed: str, beyond: bool) -> dict[str, Any]:
    deck, catalog = _deck(counts), house().catalog
    with house().read() as session:
        owned = collection.owned(session, me().id)
    cards = {catalog.cards[number]: n for number, n in owned.items() if number in catalog.cards}
    with _alone():
        found = suggestions(deck, cards, seed)
        made = [each.card for each in catalog.printings.values() if not each.retired]
        far = cards_beyond(deck, cards, made) if beyond else {}
        others = suggestions(deck, far, seed, distinct=True) if beyond else None
    return {**found, "beyond": None if others is None else _with_ways(others["items"])}


def _with_ways(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Suggestions with the way to each card, in the order of what they gain for a win that it takes.

    Of cards that are alike, the nearest is the one to add.
    """
    catalog = house().catalog
    choices = [[catalog.by_slug(slug).number for slug in (item["add"], *item["alike"])] for item in items]
    with house().read() as session:
        ways = reach.ways(house(), session, me().id, {number for each in choices for number in each})
    found = []
    for item, numbers in zip(items, choices, strict=True):
        nearest, *others = sorted(numbers, key=lambda number: ways[number].order)
        slugs = [catalog.cards[number].slug for number in others]
        found.append({**item, "add": catalog.cards[nearest].slug, "alike": slugs, "way": ways[nearest]})
    return sorted(found, key=lambda item: reach.order_of(item["gain"]["mean"], item["way"]))
