"""Pictures: of cards, of dishes, and of what happened in games; and cards as metadata of tokens."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from marshmallow import Schema, fields, validate

from cards.catalog.cards import Printing
from cards.pictures import picture
from cards.pictures.dishes import PlainDish, dish_of, drawing
from cards.pictures.token_metadata import CopyDetails, inline, metadata
from service.api.cards import find_set
from service.operations import dishes, painting, watching
from service.problems import not_found
from service.web.blueprint import PREFIX, Blueprint
from service.web.context import house, viewer
from service.web.etags import PUBLIC
from service.web.fields import Time

pictures = Blueprint("pictures", "Pictures of cards, dishes and games, and metadata of cards.")

SVG = "image/svg+xml"
DAY = "public, max-age=86400"
"""Cache-Control of pictures: what they show is fixed, but a newer house may draw it better."""


class PictureView(Schema):
    """A picture of a game."""

    name = fields.String(
        required=True, metadata={"description": "Its name: the picture is at pictures/NAME.svg."}
    )
    title = fields.String(required=True)
    seq = fields.Integer(required=True, metadata={"description": "The seq of the account that it shows."})
    at = Time(required=True)
    dish = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The key of the dish that it shows; null where it shows none."},
    )
    painted = fields.Boolean(
        required=True,
        metadata={"description": "The house has an image of this dish, at /dishes/KEY/picture."},
    )


class PicturesView(Schema):
    """All pictures of a game."""

    items = fields.List(fields.Nested(PictureView), required=True)


@pictures.route("/cards/<code>/<int:number>/picture.svg")
@pictures.cached(DAY)
@pictures.pictures(SVG)
@pictures.refuses(404)
def card_picture(code: str, number: int) -> Response:
    """Draw a card, named by its set's code and its number in the set."""
    found = _printing(code, number)
    return Response(picture(found, find_set(house().catalog, code).name), content_type=SVG)


@pictures.route("/cards/<code>/<int:number>/picture")
@pictures.cached(PUBLIC)
@pictures.pictures("image/*")
@pictures.refuses(404)
def shown_picture(code: str, number: int) -> Response:
    """Show the picture of a card: painted by the house's provider of pictures, or else drawn."""
    found = _printing(code, number)
    image = painting.painted(house(), found)
    if image is not None:
        return Response(image.data, content_type=image.content_type)
    return Response(picture(found, find_set(house().catalog, code).name), content_type=SVG)


def _printing(code: str, number: int) -> Printing:
    for printing in find_set(house().catalog, code).printings:
        if printing.number_in_set == number:
            return printing
    raise not_found("card")


@pictures.route("/dishes/<key>/picture.svg")
@pictures.cached(DAY)
@pictures.pictures(SVG)
@pictures.refuses(404)
def dish_picture(key: str) -> Response:
    """Draw a dish, named by its key: the recipe's number, then the ingredients' in ascending order."""
    return Response(drawing(_dish(key)), content_type=SVG)


@pictures.route("/dishes/<key>/picture")
@pictures.cached(PUBLIC)
@pictures.pictures("image/*")
@pictures.refuses(404)
def shown_dish(key: str) -> Response:
    """Show a dish: painted by the house's provider of pictures if a game has served it, or else drawn.

    Nothing is painted because somebody asks here.
    """
    found = _dish(key)
    image = dishes.painted(house(), found)
    if image is not None:
        return Response(image.data, content_type=image.content_type)
    return Response(drawing(found), content_type=SVG)


def _dish(key: str) -> PlainDish:
    found = dish_of(key, house().catalog.cards)
    if found is None:
        raise not_found("dish")
    return found


class ImageQuery(Schema):
    """The form in which the metadata gives the picture."""

    image = fields.String(
        load_default="inline",
        validate=validate.OneOf(("inline", "url")),
        metadata={"description": "inline: inside the document. url: as an address at this house."},
    )


class MetadataView(Schema):
    """A card as the metadata of a token (data/token_metadata/schema.json)."""

    name = fields.String(required=True)
    description = fields.String(required=True)
    image = fields.String(required=True, metadata={"format": "uri"})
    external_url = fields.String(metadata={"format": "uri"})
    attributes = fields.List(fields.Dict(), required=True)
    certificate = fields.Dict(
        metadata={"description": "The house's signed statements, where the card is a copy."}
    )


def token_document(printing: Printing, how: str, token: CopyDetails | None = None) -> dict[str, Any]:
    """The metadata of a printing, or of a copy of it."""
    card_set = find_set(house().catalog, printing.set_code)
    address = f"{request.url_root.rstrip('/')}{PREFIX}/cards/{printing.set_code}/{printing.number_in_set}"
    image = f"{address}/picture.svg" if how == "url" else inline(picture(printing, card_set.name))
    url = f"{request.url_root.rstrip('/')}{PREFIX}/cards/{printing.card.number}"
    return metadata(printing, card_set.name, image=image, url=url, token=token)


@pictures.route("/cards/<code>/<int:number>/metadata.json")
@pictures.cached(PUBLIC)
@pictures.takes(ImageQuery, "query")
@pictures.gives(MetadataView)
@pictures.refuses(404)
def card_metadata(query: dict[str, Any], code: str, number: int) -> dict[str, Any]:
    """Show a card as ERC-721 metadata: its name, text, picture and traits."""
    return token_document(_printing(code, number), query["image"])


@pictures.route("/games/<game_id>/pictures")
@pictures.cached(PUBLIC)
@pictures.may_be_signed_in
@pictures.gives(PicturesView)
@pictures.refuses(403, 404)
def list_pictures(game_id: str) -> dict[str, Any]:
    """List the pictures of a game: in Pancake, every dish that was served.

    A player who may see the game's record may see its pictures. Where a provider paints dishes, this
    wakes a worker for those that nobody has noted yet.
    """
    with house().read() as session:
        watching.visible(session, game_id, viewer())
        found = watching.pictures(session, game_id)
    painted = dishes.look(house(), game_id, {each.picture.dish for each in found if each.picture.dish})
    return {
        "items": [
            {
                "name": each.name,
                "title": each.picture.title,
                "seq": each.seq,
                "at": each.at,
                "dish": each.picture.dish,
                "painted": each.picture.dish in painted,
            }
            for each in found
        ]
    }


@pictures.route("/games/<game_id>/pictures/<name>.svg")
@pictures.cached(DAY)
@pictures.may_be_signed_in
@pictures.pictures(SVG)
@pictures.refuses(403, 404)
def game_picture(game_id: str, name: str) -> Response:
    """Draw a picture of a game, named as in the list, from the record alone."""
    with house().read() as session:
        watching.visible(session, game_id, viewer())
        found = watching.pictures(session, game_id)
    shown = next((each for each in found if each.name == name), None)
    if shown is None:
        raise not_found("picture")
    return Response(shown.picture.draw(), content_type=SVG)
