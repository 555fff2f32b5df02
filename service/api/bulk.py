"""Whole card sets as files, in all their versions."""

from __future__ import annotations

from typing import Any

from flask import Response, url_for
from marshmallow import Schema, fields

from cards.catalog.downloads import FORMATS, files
from service.problems import not_found
from service.web.blueprint import Blueprint
from service.web.context import house
from service.web.etags import PUBLIC

bulk = Blueprint("bulk", "Whole card sets as files, in every version that was published.")


class FileView(Schema):
    """A version of a set as a file. The bytes under a name never change."""

    name = fields.String(required=True)
    set = fields.String(required=True, attribute="card_set.code")
    version = fields.String(required=True, attribute="card_set.version")
    newest = fields.Function(
        lambda file: file.card_set in house().catalog.sets,
        required=True,
        metadata={"type": "boolean", "description": "True if the house plays by this version."},
    )
    format = fields.String(
        required=True,
        metadata={
            "enum": [*FORMATS],
            "description": "jsonl: one card a line. json: the whole set. yaml: the set as the house"
            " reads it.",
        },
    )
    content_type = fields.String(required=True)
    cards = fields.Function(
        lambda file: len(file.card_set.printings), required=True, metadata={"type": "integer"}
    )
    size = fields.Function(
        lambda file: len(file.data),
        required=True,
        metadata={"type": "integer", "description": "Bytes, uncompressed."},
    )
    sha256 = fields.String(required=True, metadata={"description": "The SHA-256 of the uncompressed bytes."})
    uri = fields.Function(
        lambda file: url_for("bulk.get_bulk_file", name=file.name), required=True, metadata={"type": "string"}
    )


class FilePage(Schema):
    """All files: sets by index, the newest version of each first."""

    items = fields.List(fields.Nested(FileView), required=True)


@bulk.route("/bulk")
@bulk.cached(PUBLIC)
@bulk.gives(FilePage)
def list_bulk_files() -> dict[str, Any]:
    """List the files of card sets, with their sizes and digests."""
    return {"items": list(files(house().catalog).values())}


@bulk.route("/bulk/<name>")
@bulk.cached(PUBLIC)
@bulk.files(*(content_type for content_type, _ in FORMATS.values()))
@bulk.refuses(404)
def get_bulk_file(name: str) -> Response:
    """Download a version of a card set as a file.

    It is compressed where the client accepts that. The ETag is the file's sha256, with -gzip if compressed.
    """
    file = files(house().catalog).get(name)
    if file is None:
        raise not_found("file")
    response = Response(file.data, content_type=file.content_type)
    response.headers["ETag"] = f'"{file.sha256}"'
    response.headers["Content-Disposition"] = f'attachment; filename="{file.name}"'
    return response
