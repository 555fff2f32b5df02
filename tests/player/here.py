"""A house in the test's own process, as seat 0 meets it. It is honest unless a test makes it lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from player.house import Acknowledgement, ApiProblem, HouseInfo, Unreachable
from referee import Entry, Message, Refused, waits, write_receipt
from referee.certificate import certify
from referee.faces import by_deal, write_faces
from tests.referee.table import Table


class Here:
    """A `House` without a network: messages of seat 0 arrive at the table at once."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.shown: list[Entry] | None = None
        """The record that is shown in place of the true one."""
        self.deaf = False
        """True if messages get a receipt and are then thrown away."""
        self.lost: Callable[[], bool] = lambda: False
        """True if the next request, or its answer, is lost on the way."""
        self.silent = False
        """True if the answers to all messages are lost."""
        self.refusal: ApiProblem | None = None
        """The refusal of long polls."""
        self.broken: ApiProblem | None = None
        """The refusal of messages."""
        self.heard: list[Message] = []
        self._answers: dict[tuple[int, str], tuple[Message, Acknowledgement]] = {}

    def house(self) -> HouseInfo:
        key = self.table.game.header.house_key
        return HouseInfo("cloche/v1", key, "py_ecc", self.table.now)

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        self._perhaps_lost()
        if self.refusal is not None and wait:
            raise self.refusal
        record = self.table.record if self.shown is None else self.shown
        return [entry.json() for entry in record[after + 1 :]], False

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        table = self.table
        mode, state = table.game.rules, table.game.state
        own = {p: state.faces[p] for p in mode.sees(state, 0) - mode.sees(state, None)}
        private = table.keeper.private
        return [
            write_faces(private, game_id, deal, 0, told) for deal, told in by_deal(table.game, own).items()
        ]

    def certificate(self, game_id: str, seat: int, seed: bytes) -> dict[str, Any]:
        table = self.table
        made: Mapping[str, Any] = certify(
            table.keeper.private, table.game.header, seat, table.seats[seat].deck, seed, table.now
        )
        return dict(made)

    def send(self, message: Message) -> Acknowledgement:
        self._perhaps_lost()
        self.heard.append(message)
        if self.broken is not None:
            raise self.broken
        place = message.step, message.kind
        if place not in self._answers:
            self._answers[place] = message, self._taken(message)
        before, accepted = self._answers[place]
        if before != message:
            raise ApiProblem(409, "already_sent", "Another message of this kind was sent for this step.")
        if self.silent:
            raise Unreachable("no answer")
        self._perhaps_lost()
        return accepted

    def pause(self, seconds: float) -> None:
        """Return at once."""

    def _taken(self, message: Message) -> Acknowledgement:
        table = self.table
        held, seq, at = waits(table.game, message), len(table.record), table.now
        if self.deaf:
            held = True
        else:
            try:
                table.send(message)
            except Refused as refused:
                raise ApiProblem(409, refused.code, refused.text) from None
            at = at if held else table.record[seq].at
        return Acknowledgement(write_receipt(table.keeper.private, message.digest, at), None if held else seq)

    def _perhaps_lost(self) -> None:
        if self.lost():
            raise Unreachable("lost on the way")
