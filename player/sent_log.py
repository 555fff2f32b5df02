"""What a player has said in a game, and the house's receipts: kept while they can prove something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.bodies import Seen, seen
from referee.message import Message, Receipt, read_message, read_receipt


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message of ours; its receipt is None as long as it is not known whether the house has it."""

    message: Message
    receipt: Receipt | None = None

    @property
    def answers(self) -> tuple[int, str]:
        """Its step and kind: a step takes one message of a kind."""
        return self.message.step, self.message.kind

    @property
    def seen(self) -> Seen:
        """The entry that it names as read: whoever has taken the message has said so too."""
        return seen(self.message.body)

    def json(self) -> dict[str, Any]:
        """As JSON, for a player's own file, and as evidence."""
        return {"message": self.message.json(), "receipt": self.receipt and self.receipt.json()}

    @classmethod
    def load(cls, game: str, data: Mapping[str, Any]) -> SentMessage:
        """From its JSON; raises `Refused`."""
        receipt = data["receipt"]
        return cls(read_message(game, data["message"]), None if receipt is None else read_receipt(receipt))


def with_newest(said: Iterable[SentMessage], newest: SentMessage) -> tuple[SentMessage, ...]:
    """What is kept once `newest` was said.

    All of its step and of later ones: a message that waits beside the record can be timed out until its step
    is over, and whoever speaks in a later step has read how it ended.
    """
    held = [
        item for item in said if item.message.step >= newest.message.step and item.answers != newest.answers
    ]
    return (*held, newest)
