"""The referee's one form of refusal, for an entry, a message or a file with something wrong in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cards.games.contract import IllegalMove, Refusal


class Refused(ValueError):
    """An entry or a message is not accepted, and changes nothing.

    `code` is stable. `text` is a clause for people and contains no secret. `pointer` is a
    JSON pointer to the field that is wrong. `section` names the rule, or the
    section of docs/protocol.md, that decides.
    """

    def __init__(self, code: str, text: str, pointer: str = "", section: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.pointer = pointer
        self.section = section

    @classmethod
    def of(cls, refusal: Refusal, pointer: str) -> Refused:
        """A refusal by the rules, of the value at `pointer`."""
        return cls(refusal.code, refusal.text, pointer + refusal.pointer, refusal.section)

    def within(self, pointer: str) -> Refused:
        """The same refusal, where the value that was checked lies at `pointer` in a larger one."""
        return Refused(self.code, self.text, pointer + self.pointer, self.section)


def need(condition: object, code: str, text: str, pointer: str = "", section: str = "") -> None:
    """Refuse unless `condition` holds."""
    if not condition:
        raise Refused(code, text, pointer, section)


def need_legal(refusal: Refusal | None, pointer: str) -> None:
    """Refuse the value at `pointer` if the rules do."""
    if refusal is not None:
        raise Refused.of(refusal, pointer)


@contextmanager
def by_the_rules(pointer: str) -> Iterator[None]:
    """Turn an `IllegalMove` into the refusal of the value at `pointer`."""
    try:
        yield
    except IllegalMove as illegal:
        raise Refused.of(illegal.refusal, pointer) from None
