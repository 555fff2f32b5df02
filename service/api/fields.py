"""Fields of our own, and the schemas that several resources share."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError, fields

from crypto.encoding import timestamp


class Time(fields.String):
    """A time: milliseconds inside, RFC 3339 in UTC on the wire; only given, never taken."""

    def __init__(self, **options: Any) -> None:
        super().__init__(metadata={"format": "date-time", **options.pop("metadata", {})}, **options)

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else timestamp(value)


class Line(fields.String):
    """A line of text as people write it: no control characters, no blanks around it."""

    def __init__(self, longest: int, shortest: int = 1, **options: Any) -> None:
        limits = {"minLength": shortest, "maxLength": longest}
        super().__init__(metadata={**limits, **options.pop("metadata", {})}, **options)
        self.shortest = shortest
        self.longest = longest

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:
        text = (super()._deserialize(value, attr, data, **kwargs) or "").strip()
        if not self.shortest <= len(text) <= self.longest:
            raise ValidationError(f"Must have {self.shortest} to {self.longest} characters.")
        if not text.isprintable():
            raise ValidationError("Must have no control characters.")
        return text
