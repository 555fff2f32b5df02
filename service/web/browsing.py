"""The OpenAPI document as a page, at /api/docs/: Swagger UI, all of it served by this house."""

from __future__ import annotations

import secrets
from pathlib import Path

from flask import Blueprint, Flask, Response, g, redirect
from flask_swagger_ui import get_swaggerui_blueprint

_POLICY = (
    "default-src 'self'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""People type their token into this page, so it may load and run only what the house serves."""
_CONFIG = {
    "app_name": "Cloche: the API",
    "docExpansion": "none",  # nobody finds an operation among a hundred open ones
    "filter": True,
}


def install(app: Flask) -> None:
    """Serve the page of the API's document."""
    pages: Blueprint = get_swaggerui_blueprint("/api/docs", "/api/openapi.json", config=_CONFIG)
    pages.template_folder = str(Path(__file__).parent / "templates")

    @pages.before_request
    def begin() -> None:
        g.nonce = secrets.token_urlsafe(16)

    @pages.after_request
    def guard(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = _POLICY.format(nonce=g.nonce)
        response.headers["Referrer-Policy"] = "no-referrer"
        return response

    app.register_blueprint(pages)


def lead_to_docs(app: Flask) -> None:
    """Redirect a browser that opens the house's address to the document, where the house has no page."""
    app.add_url_rule("/", "front_door", lambda: redirect("/api/docs/"))
