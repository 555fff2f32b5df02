"""A second reading of docs/protocol.md, section 18d, and of docs/rules/big-c.md: Big C with all cards open.

What five cards make is asked of the slow program of tests/cards, which shares no line with ours either.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tests.cards.games.big_c_slowly import JOKER, PLACE, RANK, Made, beats, best
from tests.docs.page_games import CLOCKS, PACK, exactly
from tests.docs.page_proofs import need, same

Json = Any
ALIKE = (4, 5)
"""The classes four and five of a kind."""


def value(code: str) -> int:
    return PLACE.get(code, -1)


def falling(codes: Iterable[str]) -> tuple[int, ...]:
    return tuple(sorted(map(value, codes), reverse=True))


def made(codes: Sequence[str]) -> Made:
    """Rules 4 and 5; one class for hands of fewer than five, which meet only hands of as many cards."""
    naturals = [code for code in codes if code != JOKER]
    jokers, one_rank = len(codes) - len(naturals), len({code[:-1] for code in naturals}) == 1
    need(len(codes) in (1, 2, 3, 5) and naturals, "no hand")
    if len(codes) < 5:
        need(one_rank, "no hand")
        return 0, (falling(codes),)
    if jokers >= 3:
        return 6 if jokers == 4 else 5 if one_rank else 4, (falling(naturals)[:1],)
    found = best(codes)
    need(found is not None, "no hand")
    assert found is not None
    return found


def judged(codes: Sequence[str], below: Sequence[str]) -> str:
    """Rules 6 and 7: "lower", "aside", "higher", "half" or "full"."""
    new, old = made(codes), made(below)
    verdict = beats(new, old)
    groups = new[1]
    if len(codes) == 5 and new[0] in ALIKE:
        groups = (tuple(value(code) for code in codes if RANK.get(code) == groups[0][0] // 4),)
    if verdict == "higher" and new[0] == old[0]:
        steps = [under[0] + 1 in over for over, under in zip(groups, old[1], strict=True)]
        return "half" if all(steps) else verdict
    return verdict


class BigC:
    """Section 18d. The answer of a seat that missed a choice is ("missed", what was played)."""

    options: Json = CLOCKS | {"present": 30, "turn": 30, "hand": 13, "absent": "end"}
    ranges: ClassVar[Json] = {"hand": (5, 27)}
    own_decks = False

    def __init__(self, seats: int, options: Json) -> None:
        need(2 <= seats <= 12, "two to twelve")
        self.seats = range(seats)
        self.pack = [*PACK, JOKER, JOKER] * max(2, (seats + 1) // 2)
        self.size, self.least = options["hand"], 2 if options["absent"] == "play" else seats
        self.phase = "lots"
        self.face: dict[int, str] = {}
        self.hand: list[set[int]] = [set() for _ in self.seats]
        self.shown: list[list[int]] = [[] for _ in self.seats]
        self.stock, self.played, self.table = list[int](), list[int](), list[int]()
        self.groups = [list(self.seats)]
        self.misses, self.gone = [0] * seats, set[int]()
        self.mover = self.last = self.passes = self.turns = 0
        self.owed = (0, 0)
        self.outcome: Json = None

    @property
    def points(self) -> list[int]:
        return [-len(hand) for hand in self.hand]

    @property
    def order(self) -> list[int]:
        return [seat for group in self.groups for seat in group]

    def next(self) -> tuple[Any, ...]:
        match self.phase:
            case "lots" | "deal":
                return ("deal",)
            case "shuffle":
                return ("deal", "of some cards alone")
            case "present":
                tied = {seat for group in self.groups if len(group) > 1 for seat in group}
                return ("ask", "together", tied, "present")
            case "play":
                return ("ask", "any", {self.mover}, "turn")
        return ("over", self.outcome)

    # Deals

    def draws(self) -> tuple[list[tuple[int | None, Iterable[int], int]], bool]:
        count = {"lots": len(self.seats), "shuffle": len(self.played)}.get(self.phase, len(self.pack))
        return [(None, range(count), count)], self.phase != "lots"

    def dealt(self, drawn: list[tuple[int | None, list[int]]]) -> None:
        order = drawn[0][1]
        if self.phase == "lots":
            self.lots, self.phase = order, "deal"
        elif self.phase == "deal":
            self.face = {i: self.pack[card] for i, card in enumerate(order)}
            self.hand = [set(range(seat * self.size, (seat + 1) * self.size)) for seat in self.seats]
            self.stock = list(range(len(self.seats) * self.size, len(order)))
            self.first, self.phase = len(order), "present"
        else:
            codes = sorted((self.face.pop(i) for i in self.played), key=[*PACK, JOKER].index)
            self.face |= {self.first + i: codes[card] for i, card in enumerate(order)}
            self.stock, self.played = list(range(self.first, self.first + len(order))), []
            self.first, self.phase = self.first + len(order), "play"
            self.draw(*self.owed)

    def draw(self, seat: int, count: int) -> None:
        taken, self.stock = self.stock[:count], self.stock[count:]
        self.hand[seat] |= {*taken}
        if len(taken) < count and self.played:
            self.owed, self.phase = (seat, count - len(taken)), "shuffle"

    # Choices

    def presentable(self, seat: int) -> set[int]:
        left = self.hand[seat] - {*self.shown[seat]}
        faces = {self.face[i] for i in self.shown[seat]}
        return {i for i in left if self.face[i] not in faces} or left

    def absent(self, seat: int) -> Json:
        if self.phase == "play" and self.table:
            return {"pass": True}
        among = self.presentable(seat) if self.phase == "present" else self.naturals(seat)
        if not among:
            return {"pass": True}
        low = min(among, key=lambda i: (value(self.face[i]), i))
        if self.phase == "present":
            return {"present": low, "card": self.face[low]}
        return {"play": [low], "cards": [self.face[low]]}

    def naturals(self, seat: int) -> set[int]:
        return {i for i in self.hand[seat] if self.face[i] != JOKER}

    def check(self, seat: int, move: Json) -> None:
        if self.phase == "present":
            exactly(move, ("present", "card"))
            need(type(move["present"]) is int and move["present"] in self.presentable(seat), "a position")
            need(same(move["card"], self.face[move["present"]]), "another card")
            return
        if same(move, {"pass": True}):
            need(self.table or not self.naturals(seat), "who leads plays")
            return
        exactly(move, ("play", "cards"))
        places = move["play"]
        need(isinstance(places, list) and all(type(i) is int for i in places), "positions")
        need(places == sorted({*places}) and self.hand[seat] >= {*places}, "positions")
        need(same(move["cards"], [self.face[i] for i in places]), "other cards")
        made(move["cards"])
        if self.table:
            need(len(places) == len(self.table), "another size")
            verdict = judged(move["cards"], [self.face[i] for i in self.table])
            need(verdict not in ("lower", "aside"), "not higher")

    def play(self, answers: dict[int, Any]) -> Json:
        moves = {s: answer[1] if isinstance(answer, tuple) else answer for s, answer in answers.items()}
        if self.phase == "present":
            line = self.presented(moves)
        else:
            ((seat, move),) = moves.items()
            line = self.passed(seat) if "pass" in move else self.laid(seat, move["play"])
        self.missing({seat for seat, answer in answers.items() if isinstance(answer, tuple)}, {*answers})
        return {"points": self.points, "lines": [line]} if line else None

    def presented(self, moves: dict[int, Json]) -> Json:
        groups: list[list[int]] = []
        for seat, move in moves.items():
            self.shown[seat].append(move["present"])
        for group in self.groups:
            if len(group) == 1:
                groups.append(group)
                continue
            for low in sorted({value(moves[seat]["card"]) for seat in group}):
                alike = [seat for seat in group if value(moves[seat]["card"]) == low]
                spent = len(self.shown[alike[0]]) == self.size
                groups += [[seat] for seat in self.lots if seat in alike] if spent else [alike]
        self.groups = groups
        if any(len(group) > 1 for group in groups):
            return None
        self.phase, self.mover = "play", self.order[0]
        text = f"Order of play: {', '.join(f'seat {seat}' for seat in self.order)}"
        return {"kind": "order", "order": self.order, "text": text}

    def after(self, seat: int) -> int:
        at = self.order.index(seat) + 1
        return next(s for s in (*self.order[at:], *self.order[:at]) if self.hand[s])

    def passed(self, seat: int) -> None:
        self.passes, self.mover = self.passes + 1, self.after(seat)
        holding = [s for s in self.seats if self.hand[s]]
        if not self.table and self.passes == len(holding):
            self.end("stuck")
            return
        if self.table and self.passes == len([s for s in holding if s != self.last]):
            self.played, self.table, self.passes = [*self.played, *self.table], [], 0
            self.mover = self.last if self.hand[self.last] else self.after(self.last)
        self.counted()

    def laid(self, seat: int, places: list[int]) -> Json:
        codes = [self.face[i] for i in places]
        verdict = judged(codes, [self.face[i] for i in self.table]) if self.table else "higher"
        fooled, self.last, self.passes = self.last, seat, 0
        self.played, self.table = [*self.played, *self.table], places
        self.hand[seat] -= {*places}
        if not self.hand[seat] and seat not in self.gone:
            self.end("out", [seat])
            return None
        line, count = None, {"half": 1, "full": 2}.get(verdict, 0)
        if count:
            cards = min(count, len(self.stock) + len(self.played))
            many = "1 card" if cards == 1 else f"{cards} cards"
            text = f"A {verdict} footstool by seat {seat}: seat {fooled} draws {many}"
            line = {"kind": "footstool", "footstool": verdict, "seat": seat, "under": fooled}
            line |= {"cards": cards, "text": text}
            self.draw(fooled, count)
        self.mover = self.after(seat)
        self.counted()
        return line

    # The end

    def counted(self) -> None:
        self.turns += 1
        if self.turns == 1000:
            self.end("turns")

    @property
    def left(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone]

    def end(self, reason: str, winners: list[int] | None = None) -> None:
        most = max(self.points[seat] for seat in self.left)
        best_of = [seat for seat in self.left if self.points[seat] == most]
        self.phase = "over"
        self.outcome = {"points": self.points, "winners": winners or best_of, "reason": reason}

    def missing(self, missed: set[int], asked: set[int]) -> None:
        for seat in asked - self.gone:
            self.misses[seat] = self.misses[seat] + 1 if seat in missed else 0
        out = {seat for seat in self.left if self.misses[seat] >= 3}
        if not out or self.phase == "over":
            return
        everybody = out == {*self.left}
        self.gone |= set() if everybody else out
        if everybody or len(self.left) < self.least:
            self.end("missed")

    def withheld(self, seats: set[int]) -> Json:
        """The outcome, or None where the game goes on."""
        everybody = seats >= {*self.left}
        self.gone |= set() if everybody else seats
        if everybody or len(self.left) < self.least:
            self.end("missed")
        return self.outcome

    def resigned(self, seat: int) -> Json:
        """The outcome, or None where the game goes on."""
        self.gone.add(seat)
        if len(self.left) < self.least:
            self.end("resigned")
        return self.outcome
