"""Flask-smorest's blueprint in our words, with types: an endpoint is its decorators and about five lines.

    @players.route("/players", "POST")
    @players.takes(Registration)
    @players.gives(PlayerView, 201)
    @players.refuses(409)
    def register(body): ...

Decorators run from the top: `signed_in` comes before `takes`, so that nobody is told of faults in a body
before it is known who sends it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast

import flask_smorest
from flask import Flask, g, request
from marshmallow import Schema

from service.api.context import house
from service.api.errors import ProblemView
from service.api.parser import Parser
from service.operations import tokens
from service.problems import CONTENT_TYPE, unauthorized

View = TypeVar("View", bound=Callable[..., Any])

PREFIX = "/api/v1"


class Blueprint:
    """A resource's endpoints, under /api/v1."""

    def __init__(self, name: str, description: str) -> None:
        self.name = name
        self._inner: Any = flask_smorest.Blueprint(name, name, url_prefix=PREFIX, description=description)
        self._inner.ARGUMENTS_PARSER = Parser()

    def route(self, rule: str, method: str = "GET") -> Callable[[View], View]:
        """Serve `rule` by the function; its docstring is its documentation."""
        return cast(Callable[[View], View], self._inner.route(rule, methods=[method]))

    def takes(self, schema: type[Schema], location: str = "json") -> Callable[[View], View]:
        """Check the body (or location="query") against a schema, and pass it on as the next argument."""
        return cast(Callable[[View], View], self._inner.arguments(schema, location=location))

    def gives(self, schema: type[Schema] | None, status: int = 200) -> Callable[[View], View]:
        """Answer with `status` and what the function returns, dumped by the schema."""
        return cast(Callable[[View], View], self._inner.response(status, schema))

    def refuses(self, *statuses: int) -> Callable[[View], View]:
        """Document the problems that this endpoint may answer with, beside the ones that all may."""

        def decorate(view: View) -> View:
            for status in statuses:
                view = self._inner.alt_response(status, HTTPStatus(status).name)(view)
            return view

        return decorate

    def signed_in(self, view: View) -> View:
        """Only for who bears a token; `context.me()` says who it is."""

        @wraps(view)
        def wrapper(*arguments: Any, **named: Any) -> Any:
            g.player = _bearer()
            return view(*arguments, **named)

        documented = self._inner.doc(security=[{"bearer": []}])(wrapper)
        return cast(View, self._inner.alt_response(401, HTTPStatus.UNAUTHORIZED.name)(documented))

    def may_be_signed_in(self, view: View) -> View:
        """For everybody; who bears a token may see more. `context.perhaps_me()` says who it is."""

        @wraps(view)
        def wrapper(*arguments: Any, **named: Any) -> Any:
            if request.headers.get("Authorization"):
                g.player = _bearer()
            return view(*arguments, **named)

        documented = self._inner.doc(security=[{"bearer": []}, {}])(wrapper)
        return cast(View, self._inner.alt_response(401, HTTPStatus.UNAUTHORIZED.name)(documented))

    def register(self, api: Any) -> None:
        """Serve and document it."""
        api.register_blueprint(self._inner)


def _bearer() -> Any:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise unauthorized("not_signed_in", "This needs a token: Authorization: Bearer TOKEN.")
    here = house()
    with here.read() as session:
        return tokens.bearer(session, token.strip(), here.now())


def open_api(app: Flask) -> Any:
    """The OpenAPI document of an application, at /api/openapi.json; blueprints register with it."""
    app.config.update(
        API_TITLE="Cloche",
        API_VERSION="v1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {"description": "A house for card games that nobody can cheat at."},
            "servers": [{"url": "/"}],
        },
    )
    api = flask_smorest.Api()
    api.ERROR_SCHEMA = ProblemView
    api.init_app(app)
    api.spec.components.security_scheme("bearer", {"type": "http", "scheme": "bearer"})
    answer = {CONTENT_TYPE: {"schema": ProblemView}}
    for status in HTTPStatus:
        if status >= 400:
            api.spec.components.response(
                status.name, {"description": status.phrase, "content": answer}, lazy=True
            )
    fallback = {"description": "A problem document", "content": answer}
    api.spec.components.response("DEFAULT_ERROR", fallback, lazy=True)
    return api
