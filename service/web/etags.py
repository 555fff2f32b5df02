"""Conditional requests (RFC 9110, sections 8.8.3 and 13): what one has need not be sent again, and nobody's
edit is lost under another's.

Every ETag of the house is strong and is the SHA-256 of the body that goes with it, in hexadecimal digits. So
whoever has the bytes has the tag, also of an answer that bears none.

An endpoint that looks says so once, and has its answers tagged:

    @decks.route("/decks/<deck_id>")
    @decks.tagged(OWN)
    @decks.signed_in
    @decks.gives(DeckView)

One that changes what others may have changed meanwhile takes If-Match, and hands its operation a check to
make under the lock, on what is there before the change. `DeckView` is the schema that the GET above gives,
so the tags are the same:

    @decks.route("/decks/<deck_id>", "PUT")
    @decks.signed_in
    @decks.guarded
    @decks.takes(DeckBody)
    @decks.gives(DeckView)
    @decks.refuses(404)
    def put_deck(body, deck_id):
        return operations.revise(house(), me().id, deck_id, unchanged(DeckView), **body)

In the operation it is one line, after what is not there was refused and before anything is changed (section
13.2.1): `check(newest)`. The operation only knows a `Callable[[Listed], None]`.

Without If-Match such a request is refused with 428 `precondition_required`, with a tag that is not the
current one with 412 `precondition_failed`; a header that can't be read is a 400 `bad_precondition`. None of
these is kept under an Idempotency-Key, which guarded endpoints of all methods honour: what has succeeded is
answered again before anybody looks at If-Match, and what was refused may be sent again under the same key
with another tag.

A PUT answers without an ETag, since the house does not keep a body as it was sent (section 9.3.4); who wants
to go on editing takes the SHA-256 of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from flask import Response, jsonify, request
from marshmallow import Schema

from service.problems import Fault, Problem, bad_request

PUBLIC = "public, max-age=60"
"""Cache-Control of what everybody sees alike, and what changes when the house is started with other cards,
modes or settings."""
FINAL = "public, max-age=31536000, immutable"
"""Of what never changes at its address."""
OWN = "private, no-cache"
"""Of what is somebody's own: kept by themselves alone, and asked for anew each time."""

IF_MATCH, IF_NONE_MATCH = "If-Match", "If-None-Match"
_ELEMENT = re.compile(r'[ \t]*(?:(W/)?("[!#-~\x80-\xff]*"))?[ \t]*(?:,|$)')
"""One element of a list of tags, and what ends it; empty ones are passed over (RFC 9110, section 5.6.1.2)."""

ETAG = {"ETag": {"schema": {"type": "string"}, "description": "The SHA-256 of the body, strong."}}
"""The header of a tagged answer, as OpenAPI has it."""


def parameter(name: str, required: bool) -> dict[str, Any]:
    """The header as OpenAPI has it."""
    wanted = {
        IF_MATCH: "The ETag of what is changed, as it was read: if it is another by now, nothing is done."
        " `*` for whatever is there.",
        IF_NONE_MATCH: "ETags of what one has: if the answer is one of them, it is a 304 without a body.",
    }
    text = {"type": "string"}
    return {"in": "header", "name": name, "required": required, "schema": text, "description": wanted[name]}


@dataclass(frozen=True, slots=True)
class Tags:
    """What If-Match or If-None-Match names: tags with their quotes, or anything at all (`*`)."""

    strong: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()
    """Those with W/, which is left off."""
    any: bool = False

    def match(self, current: str) -> bool:
        """Whether a strong tag is among them by the strong comparison: a weak one is equal to none."""
        return self.any or current in self.strong

    def match_weakly(self, current: str) -> bool:
        """Whether it is by the weak comparison, which does not look at W/."""
        return self.any or current in self.strong or current in self.weak


def tag(document: object) -> str:
    """The ETag, quotes included, of a dumped document as the API sends it."""
    return tag_of(jsonify(document).get_data())


def tag_of(body: bytes) -> str:
    """The ETag of a body."""
    return f'"{sha256(body).hexdigest()}"'


def read(header: str) -> Tags | None:
    """The tags that a header of this request names; None without it. Raises `Problem` 400."""
    text = request.headers.get(header)
    if text is None:
        return None
    if text.strip(" \t") == "*":
        return Tags(any=True)
    strong: set[str] = set()
    weak: set[str] = set()
    at = 0
    while at < len(text):
        element = _ELEMENT.match(text, at)
        if element is None or element.end() == at:
            raise _malformed(header)
        mark, quoted = element.groups()
        if quoted is not None:
            (weak if mark else strong).add(quoted)
        at = element.end()
    if not strong and not weak:
        raise _malformed(header)
    return Tags(frozenset(strong), frozenset(weak))


def _malformed(header: str) -> Problem:
    detail = f'{header} is a list of entity tags such as "0123", or *.'
    return bad_request("bad_precondition", detail, [Fault("bad_precondition", detail, parameter=header)])


def tagged(response: Response, cache: str, vary: tuple[str, ...] = ()) -> Response:
    """An answer to GET or HEAD with its ETag; 304 without a body if the client has it.

    `cache` is its Cache-Control; `vary` names the headers of the request that it depends on. One that is
    compressed brings its own tag. Raises `Problem` 400, and 412 for an If-Match that is not met.
    """
    if response.status_code != 200:
        return response
    wanted, had = read(IF_MATCH), read(IF_NONE_MATCH)
    current = response.headers.get("ETag") or tag_of(response.get_data())
    if wanted is not None and not wanted.match(current):
        raise _failed(current)
    response.headers["ETag"] = current
    response.headers["Cache-Control"] = cache
    response.vary.update(vary)
    if had is not None and had.match_weakly(current):
        response.status_code = 304
        response.set_data(b"")
    return response


def demand() -> Tags:
    """The tags of this request's If-Match. Raises `Problem` 400, and 428 where there is none."""
    wanted = read(IF_MATCH)
    if wanted is None:
        detail = f"Say by {IF_MATCH} what is to be changed: the ETag that came with it, or * for any."
        raise Problem(428, "precondition_required", detail, [Fault("required", detail, parameter=IF_MATCH)])
    return wanted


def unchanged(view: type[Schema]) -> Callable[[object], None]:
    """A check for an operation to make under its lock: that what is there now is what the client has seen.

    It takes the value that GET dumps by `view`. It raises `Problem` 412, 428 or 400; the operation changes
    nothing then.
    """
    wanted, schema = demand(), view()

    def check(current: object) -> None:
        now = tag(schema.dump(current))
        if not wanted.match(now):
            raise _failed(now)

    return check


def _failed(current: str) -> Problem:
    detail = "It is not what it was when it was read: look at it again, and try with its new ETag."
    data: Mapping[str, Any] = {"etag": current}
    return Problem(412, "precondition_failed", detail, data=data)
