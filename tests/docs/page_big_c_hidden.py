"""A second reading of docs/protocol.md, sections 18d and 20.10: Big C where nobody deals.

Only cards that lie open to all are known.
"""

from __future__ import annotations

from typing import Any

from tests.cards.games.big_c_slowly import JOKER
from tests.docs.page_big_c import BigC, judged, made
from tests.docs.page_games import PACK, exactly
from tests.docs.page_proofs import need, same

Json = Any


class HiddenBigC(BigC):
    """Section 18d, with hands and a stock that the reader does not see."""

    clocks = ("present", "turn")
    traits = (*PACK, JOKER)

    def __init__(self, seats: int, options: Json) -> None:
        need(seats <= 6, "two to six")
        super().__init__(seats, options)

    def cards(self) -> tuple[list[str], int]:
        """The cards of the next secret deal in canonical order, and the first of their positions."""
        if self.phase == "deal":
            return self.pack, 0
        return sorted((self.face[p] for p in self.played), key=self.traits.index), self.first

    def hide(self) -> None:
        """A deal of which nobody knows a card."""
        codes, first = self.cards()
        self.dealt([(None, [*range(len(codes))])])
        self.face = {p: code for p, code in self.face.items() if p not in range(first, first + len(codes))}

    def owned(self) -> dict[int, int]:
        return {p: seat for seat in self.seats for p in sorted(self.hand[seat])}

    def has(self, code: str) -> tuple[str, ...]:
        return (code,)

    def opens(self, move: Json) -> dict[int, str]:
        if "present" in move:
            return {move["present"]: move["card"]}
        return dict(zip(move["play"], move["cards"], strict=True)) if "play" in move else {}

    def claim(self, seat: int, move: Json) -> tuple[set[int], set[str]] | None:
        if "present" in move:
            shown = {self.face[p] for p in self.shown[seat]}
            rest = self.hand[seat] - {*self.shown[seat], move["present"]}
            return (rest, {*self.traits} - shown) if rest and move["card"] in shown else None
        return (self.hand[seat], {*PACK}) if "pass" in move and not self.table else None

    def compelled(self, seat: int) -> Json:
        return None

    def absent(self, seat: int) -> Json:
        hidden = any(p not in self.face for p in self.hand[seat])
        behind = self.phase == "play" and bool(self.table)
        return None if hidden and not behind else super().absent(seat)

    def presentable(self, seat: int) -> set[int]:
        """As far as the faces are known."""
        left = self.hand[seat] - {*self.shown[seat]}
        faces = {self.face[i] for i in self.shown[seat]}
        others = {i for i in left if i in self.face and self.face[i] not in faces}
        hidden = {i for i in left if i not in self.face}
        return others | hidden if others else left

    def naturals(self, seat: int) -> set[int]:
        return {i for i in self.hand[seat] if self.face.get(i, JOKER) != JOKER}

    def check(self, seat: int, move: Json) -> None:
        if same(move, {"pass": True}) and self.phase == "play":
            need(self.table or not self.naturals(seat), "who leads plays")
            return
        exactly(move, ("present", "card") if self.phase == "present" else ("play", "cards"))
        single = self.phase == "present"
        places = [move["present"]] if single else move["play"]
        codes = [move["card"]] if single else move["cards"]
        need(isinstance(places, list) and all(type(p) is int for p in places), "positions")
        need(places == sorted({*places}) and {*places} <= self.hand[seat], "positions")
        need(isinstance(codes, list) and len(codes) == len(places), "cards")
        need(all(isinstance(code, str) and code in self.traits for code in codes), "no card")
        known = [*self.face.values()]
        for place, code in zip(places, codes, strict=True):
            here = self.face.get(place)
            fresh = [c for p, c in zip(places, codes, strict=True) if c == code and p not in self.face]
            need(
                here == code or (here is None and known.count(code) + len(fresh) <= self.pack.count(code)), ""
            )
        if single:
            before = self.face
            self.face = {**before, places[0]: codes[0]}
            allowed = self.presentable(seat)
            self.face = before
            need(places[0] in allowed, "shown before")
            return
        made(codes)
        if self.table:
            need(len(places) == len(self.table), "another size")
            need(judged(codes, [self.face[p] for p in self.table]) not in ("lower", "aside"), "not higher")

    def play(self, answers: dict[int, Any]) -> Json:
        for answer in answers.values():
            self.face |= self.opens(answer[1] if isinstance(answer, tuple) else answer)
        return super().play(answers)

    def ended(self, reason: str, seats: set[int]) -> Json:
        """An end from outside, by these seats; a draw where nobody is left."""
        others = [seat for seat in self.seats if seat not in self.gone | seats]
        most = max((self.points[seat] for seat in others), default=0)
        winners = [seat for seat in others if self.points[seat] == most]
        return {"points": self.points, "winners": winners if others else [*self.seats], "reason": reason}
