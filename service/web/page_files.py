"""The page's files under `/`, for a house that has them."""

from __future__ import annotations

from functools import partial

from flask import Flask, Response, request

from service.page import CODINGS, Page


def install(app: Flask, page: Page) -> None:
    """Serve each file of a page under its own path, and nothing else: other paths stay unknown."""
    for path in sorted(page.paths):
        app.add_url_rule(path, f"page{path}", partial(_send, page, path))


def _send(page: Page, path: str) -> Response:
    wanted = request.accept_encodings
    accepted = frozenset(coding for coding, _ in CODINGS if wanted.quality(coding) > 0)
    answer = page.answer(path, accepted, request.headers.get("If-None-Match", ""))
    return Response(answer.body, answer.status, dict(answer.headers))
