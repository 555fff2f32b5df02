"""The house's blueprint, around flask-smorest's: an endpoint is its decorators and about five lines.

    @players.route("/players", "POST")
    @players.takes(Registration)
    @players.gives(PlayerView, 201)
    @players.refuses(409)
    def register_player(body): ...

Decorators run from the top. `signed_in` comes before `takes`, so that only a player who is signed in hears
what is wrong with a body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import wraps
from http import HTTPStatus
from typing import Any, TypeVar, cast
from urllib.parse import quote

from flask import g, make_response, request
from marshmallow import Schema

from service.operations import tokens
from service.problems import unauthorized
from service.web import etags, idempotency, paths
from service.web.context import house, perhaps_me
from service.web.described import DescribedBlueprint
from service.web.parser import Parser
from service.web.rate_headers import RATE_HEADERS

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])

PREFIX = "/api/v1"
CHANGING = ("POST", "PUT", "PATCH", "DELETE")
"""The methods that change something; the rate limits count all their requests."""
_SIGN_IN = "cloche_sign_in"
"""The attribute of an endpoint that holds how it finds out who is signed in."""
_NEEDS_IF_MATCH = "cloche_needs_if_match"
"""The attribute of an endpoint that requires If-Match."""


class Blueprint:
    """The endpoints of a resource, under /api/v1; `description` is that of its tag in the document."""

    def __init__(self, name: str, description: str) -> None:
        self.name = name
        self._inner: Any = DescribedBlueprint(name, name, url_prefix=PREFIX, description=description)
        self._inner.ARGUMENTS_PARSER = Parser()

    def route(
        self,
        rule: str,
        method: str = "GET",
        *,
        changes: bool = True,
        limited: bool = False,
        knows_repeats: bool = False,
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Serve `rule` by the function. Its docstring is the documentation, its name the operation's id.

        A rate limit counts all requests that change something; `limited` is for one that only reads and is
        counted too.

        A POST honours an Idempotency-Key, and must make its change in one `Runtime.write`. A POST that only
        computes (`changes=False`) needs no key. One that `knows_repeats` by what is sent takes a key and
        needs none. Another method honours one where it `needs_if_match`;
        elsewhere it can be repeated without one.
        """

        def decorate(view: ViewFunction) -> ViewFunction:
            if knows_repeats:
                view = self._once(view, idempotency.unkept, idempotency.UNKEPT)
            elif (method == "POST" and changes) or _NEEDS_IF_MATCH in view.__dict__:
                view = self._once(view, idempotency.once, idempotency.PARAMETER)
            also = (413, 429) if method in CHANGING else (429,) if limited else ()
            view = self.refuses(400, *also)(view)
            if 429 in also:
                view = self._with_standing(view)
            view = _described(self._inner.doc(operationId=view.__name__), view)
            return cast(
                ViewFunction, self._inner.route(rule, methods=[method], parameters=paths.told(rule))(view)
            )

        return decorate

    def _with_standing(self, view: ViewFunction) -> ViewFunction:
        """The endpoint with the headers of rate limits in the documentation of its answers."""
        codes = view.__dict__["_apidoc"].get("success_status_codes", ())
        answers = {status: {"headers": RATE_HEADERS} for status in codes}
        return _described(self._inner.doc(responses=answers), view)

    def _once(
        self, view: ViewFunction, honour: Callable[..., Any], header: Mapping[str, Any]
    ) -> ViewFunction:
        honouring = honour(view, view.__dict__.get(_SIGN_IN, lambda: None))
        documented = self._with_header(cast(ViewFunction, honouring), header)
        return _described(self._inner.alt_response(409, HTTPStatus.CONFLICT.name), documented)

    def takes(self, schema: type[Schema], location: str = "json") -> Callable[[ViewFunction], ViewFunction]:
        """Check the body (or another `location`: "query", "headers") by a schema, and pass it as an argument.

        A body is documented with the `example` of its schema.
        """
        example = vars(schema).get("example")
        read = cast(
            Callable[[ViewFunction], ViewFunction],
            # An instance serves all requests; webargs would make one of a class for each.
            self._inner.arguments(schema(), location=location, example=example),
        )
        return read if location != "json" else lambda view: self.refuses(415)(read(view))

    def gives(self, schema: type[Schema] | None, status: int = 200) -> Callable[[ViewFunction], ViewFunction]:
        """Answer with `status`, and with what the function returns, dumped by the schema."""
        return cast(Callable[[ViewFunction], ViewFunction], self._inner.response(status, schema))

    def creates(
        self, schema: type[Schema], path: str, *, tagged: bool = False
    ) -> Callable[[ViewFunction], ViewFunction]:
        """Answer with 201, with what was created, and with its address in `Location`.

        `path` is that of the new resource, below /api/v1, with members of the answer in braces. Where a GET
        of it answers with the same schema and an ETag, the answer is `tagged` with the same one.
        """
        headers = {"Location": {"schema": {"type": "string"}, "description": "The path of what was created."}}

        def decorate(view: ViewFunction) -> ViewFunction:
            inner = self._inner.response(201, schema, headers={**headers, **(etags.ETAG if tagged else {})})
            dumped = inner(view)

            @wraps(dumped)
            def wrapper(*arguments: Any, **named: Any) -> Any:
                response = make_response(dumped(*arguments, **named))
                members = {name: quote(str(value)) for name, value in response.get_json().items()}
                response.location = PREFIX + path.format_map(members)
                if tagged:
                    etags.created(response)
                return response

            return cast(ViewFunction, wrapper)

        return decorate

    def redirects(self, schema: type[Schema], why: str) -> Callable[[ViewFunction], ViewFunction]:
        """Document that it may redirect for good, with 308 and `Location`; `why` is for people."""
        location = {"Location": {"schema": {"type": "string"}}}

        def decorate(view: ViewFunction) -> ViewFunction:
            answer = self._inner.alt_response(308, schema=schema, description=why, headers=location)
            return cast(ViewFunction, answer(view))

        return decorate

    def cached(self, cache: str, *vary: str) -> Callable[[ViewFunction], ViewFunction]:
        """Answer with an ETag and this Cache-Control, or with 304 (`service.web.etags`).

        `vary` names the headers that the answer depends on. Where players may be signed in, the answer to
        one who is signed in is not public.
        """

        def decorate(view: ViewFunction) -> ViewFunction:
            sees_more = _SIGN_IN in view.__dict__

            @wraps(view)
            def wrapper(*arguments: Any, **named: Any) -> Any:
                response = make_response(view(*arguments, **named))
                public = perhaps_me() is None or not sees_more
                kept = cache if public else etags.OWN
                told = ("Authorization", *vary) if sees_more else vary
                return etags.cached(response, kept, told)

            header = etags.parameter(etags.IF_NONE_MATCH, required=False)
            documented = self._with_header(cast(ViewFunction, wrapper), header)
            documented = self._inner.doc(responses={200: {"headers": etags.ETAG}})(documented)
            documented = self._inner.alt_response(
                304, description="The client has this version already; there is no body."
            )(documented)
            return self.refuses(412)(cast(ViewFunction, documented))

        return decorate

    def needs_if_match(self, view: ViewFunction) -> ViewFunction:
        """Require If-Match; `etags.unchanged` is the check to make under the lock."""

        @wraps(view)
        def wrapper(*arguments: Any, **named: Any) -> Any:
            etags.demand()
            return view(*arguments, **named)

        header = etags.parameter(etags.IF_MATCH, required=True)
        documented = self.refuses(412, 428)(self._with_header(cast(ViewFunction, wrapper), header))
        documented.__dict__[_NEEDS_IF_MATCH] = True
        return documented

    def _with_header(self, view: ViewFunction, header: Mapping[str, Any]) -> ViewFunction:
        """The endpoint with one more header among the parameters in its documentation."""

        @wraps(view)
        def wrapper(*arguments: Any, **named: Any) -> Any:
            return view(*arguments, **named)

        # flask-smorest's own way, `doc(parameters=...)`, would replace all other parameters.
        told = wrapper.__dict__["_apidoc"] = deepcopy(view.__dict__.get("_apidoc", {}))
        told.setdefault("arguments", {}).setdefault("parameters", []).append(dict(header))
        return cast(ViewFunction, wrapper)

    def pictures(self, content_type: str) -> Callable[[ViewFunction], ViewFunction]:
        """Answer with a picture; the function makes the response."""

        def decorate(view: ViewFunction) -> ViewFunction:
            answer = self._inner.response(200, {"type": "string"}, content_type=content_type)
            return cast(ViewFunction, answer(view))

        return decorate

    def files(self, *content_types: str) -> Callable[[ViewFunction], ViewFunction]:
        """Answer with a file of one of these types; the function makes the response."""

        def decorate(view: ViewFunction) -> ViewFunction:
            for content_type in content_types:
                described = {"description": "The whole file."}
                view = self._inner.response(200, described, content_type=content_type)(view)
            return view

        return decorate

    def streams(self, data: str, ends: str | None = None) -> Callable[[ViewFunction], ViewFunction]:
        """Answer with Server-Sent Events, whose schema is the component `data`.

        `ends` says when a stream is at its end, which is answered with 204.
        """

        def decorate(view: ViewFunction) -> ViewFunction:
            if ends is not None:
                view = self._inner.alt_response(204, description=ends)(view)
            described = "Server-Sent Events, for as long as the client listens (docs/events.md)."
            content = {"type": "string", "x-event-schema": {"$ref": f"#/components/schemas/{data}"}}
            answer = self._inner.response(
                200, content, content_type="text/event-stream", description=described
            )
            return cast(ViewFunction, answer(view))

        return decorate

    def refuses(self, *statuses: int) -> Callable[[ViewFunction], ViewFunction]:
        """Document the statuses of problems that this endpoint may answer with, beside those that all may."""

        def decorate(view: ViewFunction) -> ViewFunction:
            for status in statuses:
                view = _described(self._inner.alt_response(status, HTTPStatus(status).name), view)
            return view

        return decorate

    def signed_in(self, view: ViewFunction) -> ViewFunction:
        """Require a token; `context.me()` is the player who is signed in."""

        @wraps(view)
        def wrapper(*arguments: Any, **named: Any) -> Any:
            _must_sign_in()
            return view(*arguments, **named)

        documented = _described(self._inner.doc(security=[{"bearer": []}]), wrapper)
        documented.__dict__[_SIGN_IN] = _must_sign_in
        return cast(
            ViewFunction, _described(self._inner.alt_response(401, HTTPStatus.UNAUTHORIZED.name), documented)
        )

    def may_be_signed_in(self, view: ViewFunction) -> ViewFunction:
        """Serve everybody; a player with a token may see more. `context.perhaps_me()` is the player."""

        @wraps(view)
        def wrapper(*arguments: Any, **named: Any) -> Any:
            sign_in_if_asked()
            return view(*arguments, **named)

        documented = _described(self._inner.doc(security=[{"bearer": []}, {}]), wrapper)
        documented.__dict__[_SIGN_IN] = sign_in_if_asked
        return cast(
            ViewFunction, _described(self._inner.alt_response(401, HTTPStatus.UNAUTHORIZED.name), documented)
        )

    def register(self, api: Any) -> None:
        """Serve and document the endpoints."""
        api.register_blueprint(self._inner)


def _described(describe: Callable[[ViewFunction], ViewFunction], view: ViewFunction) -> ViewFunction:
    """The endpoint with what a decorator says of it in the documentation.

    Ten such decorators, each with a call of its own, would take a tenth of the time of a turn.
    """
    view.__dict__["_apidoc"] = describe(view).__dict__["_apidoc"]
    return view


def _must_sign_in() -> None:
    if "player" not in g:
        _sign_in()


def sign_in_if_asked() -> None:
    """Find out whose token a request has, if it has one. Raises `Problem` 401."""
    if request.headers.get("Authorization"):
        _must_sign_in()


def _sign_in() -> None:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise unauthorized("not_signed_in", "This needs a token, sent as Authorization: Bearer TOKEN.")
    g.player = tokens.holder(house(), token.strip())
    g.token = token.strip()
