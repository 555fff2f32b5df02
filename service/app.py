"""The WSGI application: the API, made for a house or for its settings."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from typing import Any

import structlog
from flask import Flask
from flask.json.provider import DefaultJSONProvider
from werkzeug.middleware.proxy_fix import ProxyFix

from service import api
from service.config import Settings
from service.page import Page
from service.runtime import Runtime
from service.web.blueprint import Blueprint


def create_app(
    config: Settings | None = None,
    *,
    house: Runtime | None = None,
    resources: Sequence[Blueprint] = api.RESOURCES,
    page: Page | None = None,
    authority: bytes | None = None,
) -> Flask:
    """Make the house's API as a WSGI application that serves `resources`.

    Without `config`, the settings are read from the environment. A process that has a `Runtime` already, such
    as one with an embedded worker, passes it as `house` instead. With `page` the page is served under `/`;
    without, a browser is sent to the API's documentation there. `authority` is the certificate of the house's
    own authority, which players take from it. The database must have its tables (`service.migrations`).
    """
    house = house or Runtime.open(config or Settings.from_environment())
    if not structlog.is_configured():
        _log_lines(house.settings.log_level)
    app = Flask("cloche", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = house.settings.body_limit
    if isinstance(app.json, DefaultJSONProvider):
        app.json.sort_keys = False
    app.extensions["cloche"] = house
    if house.settings.proxies:
        hops = house.settings.proxies
        wrapped: Any = app
        wrapped.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)
    api.register(app, resources, page, authority)
    return app


def _log_lines(level: str) -> None:
    """Log JSON lines on standard error, for a WSGI server that has not configured structlog.

    structlog's own default is for developers: its tracebacks show local variables, which may be secrets.
    """
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(default=str),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
