"""Values that pass between Python and JavaScript, as far as the kitchen uses them."""

from typing import Any

class JsException(Exception): ...

class JsProxy:
    """A value of JavaScript's."""

class Bytes(JsProxy):
    """A Uint8Array."""

    def to_bytes(self) -> bytes: ...

class Json(JsProxy):
    """A list or an object."""

    def to_py(self) -> Any: ...

def to_js(value: object) -> JsProxy: ...
