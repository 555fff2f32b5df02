"""The sent log: a seat's messages with the house's receipts, kept while they can prove something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from referee.bodies import Seen, seen
from referee.message import Message, Receipt, read_message, read_receipt


@dataclass(frozen=True, slots=True)
class SentMessage:
    """A message of ours. Its receipt is None as long as nobody knows whether the house has the message."""

    message: Message
    receipt: Receipt | None = None

    @property
    def answers(self) -> tuple[int, str]:
        """The message's step and kind. A step takes one message of a kind."""
        return self.message.step, self.message.kind

    @property
    def seen(self) -> Seen:
        """The newest entry that the sender had read. By taking the message the house confirms that entry."""
        return seen(self.message.body)

    def json(self) -> dict[str, Any]:
        """Return it as JSON, for the player's vault and as evidence."""
        return {"message": self.message.json(), "receipt": self.receipt and self.receipt.json()}

    @classmethod
    def load(cls, game: str, data: Mapping[str, Any]) -> SentMessage:
        """Read it from its JSON. Raises `Refused`."""
        receipt = data["receipt"]
        return cls(read_message(game, data["message"]), None if receipt is None else read_receipt(receipt))


def with_newest(log: Iterable[SentMessage], newest: SentMessage) -> tuple[SentMessage, ...]:
    """The sent log with `newest`, without the messages of earlier steps.

    Messages of the newest step stay: one that waits beside the record can be timed out until its step
    is over. Earlier ones can go: a player who speaks in a later step has read how the earlier ones ended.
    """
    held = [
        item for item in log if item.message.step >= newest.message.step and item.answers != newest.answers
    ]
    return (*held, newest)
