"""The HTTP border: a blueprint a resource, marshmallow schemas beside it, and nothing of the house's rules.

An endpoint is its decorators and about five lines: what it takes, one
operation, what it gives back. So the OpenAPI document is the code.
"""

from flask import Flask, redirect
from flask_swagger_ui import get_swaggerui_blueprint

from service.api import errors, health, requests
from service.api.blueprint import open_api
from service.api.cards import cards
from service.api.collection import collection
from service.api.decks import decks
from service.api.games import games
from service.api.limits import limit
from service.api.modes import modes
from service.api.players import players
from service.api.tables import tables
from service.api.tokens import tokens

RESOURCES = (players, tokens, modes, cards, collection, decks, tables, games)


def register(app: Flask) -> None:
    """Serve everything: the resources under /api/v1, their document and its browsable form, health."""
    requests.install(app)
    api = open_api(app)
    for resource in RESOURCES:
        resource.register(api)
    errors.install(app)  # after the document's own, which it replaces
    health.install(app)
    # Who opens the house's address in a browser finds the documentation.
    app.add_url_rule("/", "front_door", lambda: redirect("/api/docs/"))
    app.register_blueprint(
        get_swaggerui_blueprint("/api/docs", "/api/openapi.json", config={"app_name": "Cloche"})
    )
    limit(app)
