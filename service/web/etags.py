"""Conditional requests (RFC 9110, sections 8.8.3 and 13): an unchanged answer is not sent twice, and no edit
overwrites another by accident.

Every ETag of the house is strong: it is the SHA-256 of the body, in hexadecimal digits, with `-gzip` after it
if the body was sent compressed. A client that has the bytes can therefore compute the tag, also of an answer
that was sent without one.

An endpoint that only reads declares once that its answers carry a tag:

    @decks.route("/decks/<deck_id>")
    @decks.cached(OWN)
    @decks.signed_in
    @decks.gives(DeckView)

An endpoint that changes something shared requires If-Match. It gives its operation a check, which the
operation makes under its lock and before the change. `DeckView` is the schema of the GET above, so both
compute the same tag:

    @decks.route("/decks/<deck_id>", "PUT")
    @decks.signed_in
    @decks.needs_if_match
    @decks.takes(DeckBody)
    @decks.gives(DeckView)
    @decks.refuses(404)
    def put_deck(body, deck_id):
        return operations.revise(house(), me().id, deck_id, unchanged(DeckView), **body)

The operation calls `check(newest)` once: after it has refused what does not exist, and before it changes
anything (section 13.2.1). It knows the check as a function of the stored value and nothing more of HTTP.

A tag that is marked as weak (W/"...") counts like the strong one, although If-Match asks for a strong
comparison (RFC 9110, section 13.1.1). The house makes no weak tags: a proxy that compresses an answer marks
its tag so. The digits still name the one document that the client has read.

The answers: 428 `precondition_required` without If-Match, 412 `precondition_failed` for another tag than
the current one, 400 `bad_precondition` for a header that can't be read. No such refusal is kept under an
Idempotency-Key, which these endpoints honour, whatever their method. A request that has succeeded is answered
from what was kept before If-Match is looked at; a refused one may be sent again under its key with a new tag.

A PUT answers without an ETag, because the house does not store a body as it was sent (section 9.3.4). A
client that goes on editing computes the SHA-256 of the answer. A 201 has the ETag of what was created, which
is its body (section 15.3.2 and `Blueprint.creates`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from flask import Response, jsonify, request
from marshmallow import Schema
from werkzeug.datastructures import ETags
from werkzeug.http import parse_etags, quote_etag

from service.problems import Fault, Problem, bad_request
from service.web import compression

PUBLIC = "public, max-age=60"
"""Cache-Control of answers that are the same for everybody, and that change only when the house is started
with other cards, modes or settings."""
FINAL = "public, max-age=31536000, immutable"
"""Cache-Control of answers that never change at their address."""
OWN = "private, no-cache"
"""Cache-Control of answers for one player: only their own cache may keep them, and must ask each time."""

IF_MATCH, IF_NONE_MATCH = "If-Match", "If-None-Match"
_TAG = r'(?:W/)?"[!#-~\x80-\xff]*"'
_LIST = re.compile(rf"[ \t,]*{_TAG}[ \t]*(?:,[ \t]*(?:{_TAG}[ \t]*)?)*")
"""A list of tags, in which empty elements are allowed (RFC 9110, section 5.6.1.2)."""

ETAG = {"ETag": {"schema": {"type": "string"}, "description": "The SHA-256 of the body; a strong tag."}}
"""The header of a tagged answer, as OpenAPI documents it."""


def parameter(name: str, required: bool) -> dict[str, Any]:
    """Return the header If-Match or If-None-Match, as OpenAPI documents it."""
    wanted = {
        IF_MATCH: "The ETag that was read before this change. If the current one is another, nothing is"
        " changed. `*` matches any.",
        IF_NONE_MATCH: "ETags of copies that the client has. If the answer has one of them, it is a 304"
        " without a body.",
    }
    text = {"type": "string"}
    return {"in": "header", "name": name, "required": required, "schema": text, "description": wanted[name]}


def tag(document: object) -> str:
    """The ETag, without quotes, of a dumped document as the API sends it."""
    return tag_of(jsonify(document).get_data())


def tag_of(body: bytes) -> str:
    """The ETag, without quotes, of a body."""
    return sha256(body).hexdigest()


def read(header: str) -> ETags | None:
    """The tags that If-Match or If-None-Match of this request names; None without the header.

    Werkzeug reads the tags, but passes over what it can't read; here that is a `Problem` 400.
    """
    text = request.headers.get(header)
    if text is None:
        return None
    text = text.strip(" \t")
    if text != "*" and not _LIST.fullmatch(text):
        detail = f'{header} is a list of entity tags such as "0123", or *.'
        raise bad_request("bad_precondition", detail, [Fault("bad_precondition", detail, parameter=header)])
    return parse_etags(text)


def cached(response: Response, cache: str, vary: tuple[str, ...] = ()) -> Response:
    """An answer to GET or HEAD with its ETag, or 304 without a body if the client has it already.

    `cache` is its Cache-Control. `vary` names the headers of the request that the answer depends on. An
    answer that has a tag already keeps it. A public one is compressed for a client that wants it, and then
    its tag ends with `-gzip`. One that has a Cache-Control already, such as a record that has become final,
    keeps that and depends on nothing else. Raises `Problem` 400, and 412
    for an If-Match that is not met.
    """
    if response.status_code != 200:
        return response
    wanted, had = read(IF_MATCH), read(IF_NONE_MATCH)
    current = response.get_etag()[0] or tag_of(response.get_data())
    public = response.headers.get("Cache-Control", cache).startswith("public")
    smaller = False
    if public and compression.worth(response):
        response.vary.add("Accept-Encoding")
        smaller = compression.wanted()
        current += "-gzip" if smaller else ""
    if wanted is not None and not wanted.contains_weak(current):
        raise _failed(current)
    response.set_etag(current)
    if "Cache-Control" not in response.headers:
        response.headers["Cache-Control"] = cache
        response.vary.update(vary)
    if had is not None and had.contains_weak(current):
        response.status_code = 304
        response.set_data(b"")
    elif smaller:
        compression.compress(response)
    return response


def created(response: Response) -> None:
    """Give a 201 the ETag of the document in its body, which a GET of the new resource answers with too."""
    response.set_etag(tag_of(response.get_data()))


def demand() -> ETags:
    """The tags of this request's If-Match. Raises `Problem` 428 without the header, 400 if unreadable."""
    wanted = read(IF_MATCH)
    if wanted is None:
        detail = f"Name the version that you change by {IF_MATCH}: the ETag that came with it, or * for any."
        raise Problem(428, "precondition_required", detail, [Fault("required", detail, parameter=IF_MATCH)])
    return wanted


def unchanged(view: type[Schema]) -> Callable[[object], None]:
    """A check that an operation makes under its lock: the stored value is still what the client has read.

    The check takes the value that GET dumps by `view`. It raises `Problem` 412, 428 or 400; then the
    operation changes nothing.
    """
    wanted, schema = demand(), view()

    def check(current: object) -> None:
        now = tag(schema.dump(current))
        if not wanted.contains_weak(now):
            raise _failed(now)

    return check


def _failed(current: str) -> Problem:
    detail = "It has changed since you read it: read it again, and try again with its new ETag."
    return Problem(412, "precondition_failed", detail, data={"etag": quote_etag(current)})
