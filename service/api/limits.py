"""The rate limits of the house and its other bounds, as data."""

from __future__ import annotations

import re
from typing import Any

from flask import current_app
from marshmallow import Schema, fields

from service.web.blueprint import PREFIX, Blueprint
from service.web.bounds import BOUNDS
from service.web.context import house
from service.web.etags import PUBLIC
from service.web.limits import Limiter, Rule

_VARIABLE, _BRACES = re.compile(r"<(?:[^:>]+:)?([^>]+)>"), r"{\1}"
"""A variable of a path as Flask writes it, and as OpenAPI does."""

limits = Blueprint("limits", "Rate limits of this house, and bounds on sizes, numbers and times.")


class WindowView(Schema):
    """A number of requests that is admitted in any period of so many seconds."""

    requests = fields.Integer(required=True)
    seconds = fields.Integer(required=True)


class LimitView(Schema):
    """A rate limit on operations whose requests are counted together."""

    name = fields.String(required=True)
    by = fields.String(
        required=True,
        metadata={
            "enum": ["player", "address"],
            "description": "The one by which requests are counted: the player or the address.",
        },
    )
    windows = fields.List(
        fields.Nested(WindowView),
        required=True,
        metadata={"description": "A request must fit into every window."},
    )
    operations = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The operations that are counted, each as METHOD PATH."},
    )


class BoundView(Schema):
    """A bound on a size, a number or a time."""

    name = fields.String(required=True)
    most = fields.Integer(required=True, metadata={"description": "The greatest value that is allowed."})
    unit = fields.String(required=True, metadata={"description": "The unit of `most`, such as bytes."})
    text = fields.String(required=True, metadata={"description": "The bounded thing, in words for people."})
    code = fields.String(
        required=True,
        allow_none=True,
        attribute="refused",
        metadata={
            "description": "The code of the refusal of anything beyond it; null where nothing is refused."
        },
    )


class LimitPage(Schema):
    """All rate limits and bounds. An operation that no rate limit lists is not limited."""

    items = fields.List(fields.Nested(LimitView), required=True)
    bounds = fields.List(fields.Nested(BoundView), required=True)


@limits.route("/limits")
@limits.cached(PUBLIC)
@limits.gives(LimitPage)
def list_limits() -> dict[str, Any]:
    """List the rate limits of this house, and its bounds on sizes, numbers and times.

    Every answer to a limited request says how the limit stands: X-RateLimit-Limit, X-RateLimit-Remaining and
    X-RateLimit-Reset (seconds since 1970) are about the window that will be full first. A request over a
    limit is answered with 429. Its Retry-After is the number of seconds after which the same request is
    admitted.
    """
    limiter: Limiter = current_app.extensions["cloche_limiter"]
    return {
        "items": [
            {
                "name": rule.name,
                "by": rule.by,
                "windows": [{"requests": item.amount, "seconds": item.get_expiry()} for item in items],
                "operations": _operations(limiter, rule),
            }
            for rule, items in limiter.limits.items()
        ],
        "bounds": [
            {
                "name": bound.name,
                "most": bound.most(house()),
                "unit": bound.unit,
                "text": bound.text,
                "refused": bound.refused,
            }
            for bound in BOUNDS
        ],
    }


def _operations(limiter: Limiter, rule: Rule) -> list[str]:
    """The operations that a rule counts, each as METHOD PATH."""
    return sorted(
        f"{method} {_VARIABLE.sub(_BRACES, served.rule)}"
        for served in current_app.url_map.iter_rules()
        for method in (served.methods or set()) - {"HEAD"}
        if served.rule.startswith(PREFIX) and limiter.rule(served.endpoint, method) is rule
    )
