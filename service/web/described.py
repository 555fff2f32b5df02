"""flask-smorest's blueprint and API, whose descriptions of endpoints cost little before somebody reads them.

flask-smorest copies the whole description of an endpoint in each of its decorators, and makes the document
when a blueprint is registered. Both together would take a quarter of the time in which a house starts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import flask_smorest
from flask import Response, json

from service.web import etags

Decorator = Callable[[Callable[..., Any]], Any]


class _Description(dict[str, Any]):
    """A description whose copies share what is never changed: schemas, examples and texts."""

    def __deepcopy__(self, _memo: Any) -> _Description:
        return _Description({name: _copied(value) for name, value in self.items()})


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return type(value)((name, _copied(inner)) for name, inner in value.items())
    return [_copied(inner) for inner in value] if isinstance(value, list) else value


def _lightly(decorate: Decorator) -> Decorator:
    """The decorator, for endpoints whose description is copied cheaply."""

    def decorated(view: Callable[..., Any]) -> Any:
        given = view.__dict__.get("_apidoc", {})
        if not isinstance(given, _Description):
            view.__dict__["_apidoc"] = _Description(given)
        return decorate(view)

    return decorated


class DescribedBlueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """A blueprint that describes its endpoints when the document is read for the first time."""

    def arguments(self, *given: Any, **named: Any) -> Decorator:
        """Read arguments, as flask-smorest does."""
        return _lightly(super().arguments(*given, **named))

    def response(self, *given: Any, **named: Any) -> Decorator:
        """Answer, as flask-smorest does."""
        return _lightly(super().response(*given, **named))

    def alt_response(self, *given: Any, **named: Any) -> Decorator:
        """Describe another answer, as flask-smorest does."""
        return _lightly(super().alt_response(*given, **named))

    def doc(self, **named: Any) -> Decorator:
        """Describe anything, as flask-smorest does."""
        return _lightly(super().doc(**named))

    def register_views_in_doc(self, api: Any, app: Any, spec: Any, *, name: str, parameters: Any) -> None:
        """Put this off until the document is read."""
        write = super().register_views_in_doc
        api.later.append(partial(write, api, app, spec, name=name, parameters=parameters))


class DescribedApi(flask_smorest.Api):  # type: ignore[misc]
    """An API whose document is made when it is read for the first time."""

    def __init__(self) -> None:
        super().__init__()
        self.later: list[Callable[[], object]] = []
        """What is still to be done for the document, in order."""
        self._making = threading.Lock()
        self._text: tuple[bytes, str] | None = None

    def _openapi_json(self) -> Response:
        """Answer with the document, which is half a megabyte and the same for everybody."""
        with self._making:
            if self._text is None:
                self._text = self._made()
        text, tag = self._text
        response = Response(text, mimetype="application/json")
        response.set_etag(tag)
        return etags.cached(response, etags.PUBLIC)

    def _made(self) -> tuple[bytes, str]:
        """The document and its tag."""
        while self.later:
            self.later.pop(0)()
        text = json.dumps(self.spec.to_dict(), sort_keys=False, separators=(",", ":")).encode()
        return text, etags.tag_of(text)
