"""What can be wrong with an entry, a message or a record, in one form."""

from __future__ import annotations


class Refused(ValueError):
    """An entry or a message that is not accepted; it changes nothing.

    `code` is stable, `text` is for people and holds no secret, `pointer` is a
    JSON pointer into what was sent, `section` the rule or the part of
    docs/protocol.md that decides.
    """

    def __init__(self, code: str, text: str, pointer: str = "", section: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.pointer = pointer
        self.section = section


def need(condition: object, code: str, text: str, pointer: str = "", section: str = "") -> None:
    """Refuse unless `condition` holds."""
    if not condition:
        raise Refused(code, text, pointer, section)
