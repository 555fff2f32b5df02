"""The application factory."""

from __future__ import annotations

from typing import Any

from flask import Flask
from flask.json.provider import DefaultJSONProvider
from werkzeug.middleware.proxy_fix import ProxyFix

from service import api
from service.config import Settings
from service.house import House


def create_app(config: Settings | None = None, *, house: House | None = None) -> Flask:
    """The house's API as a WSGI application.

    `config` is read from the environment where it is left out; a process that has a `House` already (the
    embedded worker's) passes it instead. The tables are expected to be there: see `service.migrations`.
    """
    house = house or House.open(config or Settings.from_environment())
    app = Flask("cloche", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = house.settings.body_limit
    if isinstance(app.json, DefaultJSONProvider):
        app.json.sort_keys = False
    app.extensions["cloche"] = house
    if house.settings.proxies:
        hops = house.settings.proxies
        wrapped: Any = app
        wrapped.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)
    api.register(app)
    return app
