"""A second reading of docs/protocol.md, sections 18 and 20.10: Chinese Hearts where nobody deals.

Only cards that lie open to all are known.
"""

from __future__ import annotations

from typing import Any

from tests.docs.page_games import EXPOSABLE, Hearts, exactly
from tests.docs.page_proofs import need, same

Json = Any


class HiddenHearts(Hearts):
    """Section 18, with hands that the reader does not see."""

    clocks = ("expose", "card")
    traits = ("C", "D", "H", "S", "X")

    def hide(self) -> None:
        """A deal of which nobody knows a card."""
        self.dealt([(None, [*range(len(self.pack))])])
        self.face = {}

    def owned(self) -> dict[int, int]:
        return {p: seat for seat in self.seats for p in sorted(self.hand[seat])}

    def has(self, code: str) -> tuple[str, ...]:
        return (code[-1], "X") if code in EXPOSABLE else (code[-1],)

    def next(self) -> tuple[Any, ...]:
        if super().next() != ("turn",):
            return super().next()
        left = next(code for code in EXPOSABLE if code not in self.exposed)
        hands = {p for hand in self.hand for p in hand}
        found = {p for p in hands if self.face.get(p) == left}
        return ("turn", found, None) if found else ("turn", None, (hands, {"X"}))

    def opens(self, move: Json) -> dict[int, str]:
        return {move[verb]: move["card"] for verb in ("expose", "play") if verb in move}

    def claim(self, seat: int, move: Json) -> tuple[set[int], set[str]] | None:
        if "play" not in move or not self.trick:
            return None
        led, position = self.face[self.trick[0]][-1], move["play"]
        rest = self.hand[seat] - {position}
        follows = position in self.hand[seat] and move["card"][-1] == led
        return None if follows or not rest else (rest, {led})

    def compelled(self, seat: int) -> Json:
        return None

    def playable(self, seat: int) -> set[int]:
        """As far as the faces are known."""
        if not self.trick:
            return self.hand[seat] or self.front[seat]
        led = self.face[self.trick[0]][-1]
        for place in (self.hand[seat], self.front[seat]):
            if following := {p for p in place if self.face.get(p, " ")[-1] == led}:
                return following
        return self.hand[seat] | self.front[seat]

    def absent(self, seat: int) -> Json:
        hidden = self.phase == "play" and any(p not in self.face for p in self.hand[seat])
        return None if hidden else super().absent(seat)

    def check(self, seat: int, move: Json) -> None:
        if self.phase == "expose" and same(move, {"done": True}):
            return
        verb = "expose" if self.phase == "expose" else "play"
        exactly(move, (verb, "card"))
        position, code = move[verb], move["card"]
        need(type(position) is int and code in self.pack, "no card")
        known = self.face.get(position)
        need(known == code or (known is None and code not in self.face.values()), "another card")
        if verb == "expose":
            need(position in self.hand[seat] and code in EXPOSABLE, "may not be exposed")
            return
        before = self.face
        self.face = {**before, position: code}
        allowed = self.playable(seat)
        self.face = before
        need(position in allowed, "may not be played")

    def turn(self, faces: Json) -> Json:
        left = next(code for code in EXPOSABLE if code not in self.exposed)
        position = next(p for hand in self.hand for p in hand if self.face.get(p) == left)
        need(same(faces, [{"position": position, "card": left}]), "another card is turned up")
        self.lay_open(next(seat for seat in self.seats if position in self.hand[seat]), position)

    def play(self, answers: dict[int, Any]) -> Json:
        ((_, answer),) = answers.items()
        self.face |= self.opens(answer[1] if isinstance(answer, tuple) else answer)
        return super().play(answers)

    def ended(self, reason: str, seats: set[int]) -> Json:
        """An end from outside, by these seats; a draw where nobody is left."""
        others = [seat for seat in self.seats if seat not in self.gone | seats]
        if not others:
            return {"points": list(self.points), "winners": [*self.seats], "reason": reason}
        return self.ending(reason, others)
