"""Parts that several schemas are made of."""

from __future__ import annotations

from collections.abc import Mapping

from cards.games.schemas import JsonSchema

STEP: JsonSchema = {"type": "integer", "minimum": 0, "description": "A step of the game."}
SEQ: JsonSchema = {"type": "integer", "minimum": 0, "description": "An entry's number in the record, from 0."}
DEAL: JsonSchema = {"type": "integer", "minimum": 1, "description": "A deal's number in the game."}
SIGNATURE: JsonSchema
TIME: JsonSchema = {"type": "string", "format": "date-time"}
NAME: JsonSchema = {"type": "string", "description": "A handle, or the name of a bot."}


def ref(name: str) -> JsonSchema:
    """The component of this name."""
    return {"$ref": f"#/components/schemas/{name}"}


def octets(length: int | None = None, what: str = "") -> JsonSchema:
    """A byte string in base64url without padding, of `length` bytes where that is given."""
    size = "" if length is None else f" {length} bytes,"
    text = f"{what}{size} in base64url.".strip()
    schema: JsonSchema = {"type": "string", "pattern": "^[A-Za-z0-9_-]*$", "description": text}
    if length is None:
        return schema
    characters = -(-length * 8 // 6)
    return {**schema, "minLength": characters, "maxLength": characters}


def uuid(what: str) -> JsonSchema:
    """The id of something."""
    return {"type": "string", "format": "uuid", "description": what}


def one_of(member: str, description: str, variants: Mapping[str, JsonSchema]) -> JsonSchema:
    """An object whose form depends on one member: for each of its values the variant."""
    kinds = {value: schema["$ref"] for value, schema in variants.items() if "$ref" in schema}
    mapping = {"mapping": kinds} if kinds else {}
    return {
        "type": "object",
        "description": description,
        "oneOf": [*variants.values()],
        "discriminator": {"propertyName": member, **mapping},
    }


SIGNATURE = octets(64, "An Ed25519 signature,")
