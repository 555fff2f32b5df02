"""A second reading of docs/protocol.md (18c, 20.10) and docs/rules/flip.md: flip where nobody deals.

Only cards that lie open to all are known.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tests.docs.page_games import CLOCKS, PACK, exactly
from tests.docs.page_proofs import need, same, whole

Json = Any
JOKER = "Joker"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
ORDER = [*PACK, JOKER]
Card = tuple[int, bool]
"""A position, and whether the card lies face-up."""


def rank(code: str) -> str:
    return code if code == JOKER else code[:-1]


def red(code: str) -> bool:
    return code[-1] in "DH"


def turned(stack: list[Card]) -> list[Card]:
    return [(position, not up) for position, up in reversed(stack)]


class HiddenFlip:
    """Section 18c, with hands and a pile that the reader does not see."""

    options: Json = CLOCKS | {"turn": 30, "jokers": True, "target": 10, "absent": "end"}
    ranges: ClassVar[Json] = {}
    clocks = ("turn",)
    traits = (*RANKS, JOKER)
    own_decks = False

    def __init__(self, seats: int, options: Json) -> None:
        need(1 <= seats <= 5 and isinstance(options["jokers"], bool), "one to five")
        need(0 <= whole(options["target"]) <= 100, "a target")
        self.seats = range(seats)
        self.pack = [*PACK, *[JOKER] * (2 * options["jokers"])]
        self.target, self.plays_on = options["target"], options["absent"] == "play"
        self.phase, self.number = "deal", 0
        self.points, self.misses = [0] * seats, [0] * seats
        self.out = set[int]()
        self.face: dict[int, str] = {}
        self.hand: list[set[int]] = [set() for _ in self.seats]
        self.stacks: list[list[Card]] = [[] for _ in range(8)]
        self.trays = [0] * seats
        self.seen, self.served = set[int](), set[int]()
        self.mover = self.turns = self.passes = self.completed = self.pile = 0
        self.called = self.idle = False
        self.drawn: int | None = None
        self.lines: list[Json] = []
        self.outcome: Json = None

    @property
    def left(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.out]

    @property
    def gone(self) -> set[int]:
        return self.out if self.left else set()

    @property
    def goes_on(self) -> bool:
        return not self.out or (self.plays_on and len(self.left) > 1)

    # What comes next

    def next(self) -> tuple[Any, ...]:
        match self.phase:
            case "cook" | "drawn" | "serve":
                return ("ask", "any", {self.mover}, "turn")
            case "lay" | "show" | "flip":
                return ("turn", self.showing(self.stacks), None)
            case "draw":
                return (
                    "turn",
                    None,
                    ("take", self.mover, [*range(self.pile, len(self.pack))], self.fitting()),
                )
            case "deal":
                return ("deal",)
        return ("over", self.outcome)

    def draws(self) -> tuple[list[tuple[None, range, int]], bool]:
        return [(None, range(len(self.pack)), len(self.pack))], True

    def hide(self) -> None:
        """2. A deal of which nobody knows a card."""
        seats = len(self.seats)
        self.mover, self.number, self.phase = self.number % seats, self.number + 1, "lay"
        self.face, self.seen, self.served = {}, set(), set()
        self.stacks = [[(i, False), (8 + i, True)] for i in range(8)]
        self.hand = [{*range(16 + 5 * seat, 21 + 5 * seat)} for seat in self.seats]
        self.pile, self.trays = 16 + 5 * seats, [0] * seats
        self.turns = self.passes = self.completed = 0
        self.called = self.idle = False
        self.drawn = None

    def owned(self) -> dict[int, int]:
        return {p: seat for seat in self.seats for p in sorted(self.hand[seat]) if p != self.drawn}

    def has(self, code: str) -> tuple[str, ...]:
        return (rank(code),)

    # 4, 5, 7, 9

    def showing(self, stacks: list[list[Card]]) -> set[int]:
        """The cards that show their face for the first time."""
        return {p for stack in stacks for p, up in stack if up} - self.seen

    def shows(self, stack: list[Card]) -> str | None:
        """The rank that fits on a Stack; None where every card does."""
        if not stack or not stack[-1][1]:
            return None
        found = rank(self.face[stack[-1][0]])
        return None if found == JOKER else found

    def fits(self, code: str, stack: list[Card]) -> bool:
        return code == JOKER or self.shows(stack) in (None, rank(code))

    def fitting(self) -> set[str]:
        shown = {self.shows(stack) for stack in self.stacks}
        return {*self.traits} if None in shown else {JOKER, *(r for r in shown if r)}

    def lay(self, stack: list[Card], position: int) -> list[Card]:
        after, code = [*stack, (position, True)], self.face[position]
        if code == JOKER:
            return turned(after)
        if not stack or not stack[-1][1]:
            return after
        under = self.face[stack[-1][0]]
        return turned(after) if under == JOKER or red(under) != red(code) else after

    def servings(self) -> list[int]:
        found = []
        for i, stack in enumerate(self.stacks):
            top = stack[-4:]
            ranks = {rank(self.face[p]) if up else JOKER for p, up in top}
            if len(top) == 4 and len(ranks) == 1 and ranks != {JOKER}:
                found.append(i)
        return found

    # Moves

    def opens(self, move: Json) -> dict[int, str]:
        return {move[verb]: move["card"] for verb in ("play", "transfer") if verb in move}

    def claim(self, seat: int, move: Json) -> tuple[set[int], set[str]] | None:
        return (self.hand[seat], self.fitting()) if {"draw", "forfeit"} & move.keys() else None

    def compelled(self, seat: int) -> Json:
        return None

    def absent(self, seat: int) -> Json:
        """14."""
        if self.phase == "serve":
            return {"done": True}
        held = self.hand[seat] if self.phase == "cook" else {self.drawn}
        if any(p not in self.face for p in held):
            return None
        playing = [p for p in held if any(self.fits(self.face[p], stack) for stack in self.stacks)]
        if not playing:
            return {"draw": True} if self.pile < len(self.pack) else {"forfeit": True}
        low = min(playing, key=lambda p: (ORDER.index(self.face[p]), p))
        at = next(i for i, stack in enumerate(self.stacks) if self.fits(self.face[low], stack))
        return {"play": low, "card": self.face[low], "stack": at + 1}

    def check(self, seat: int, move: Json) -> None:
        if self.phase == "serve":
            if not same(move, {"done": True}):
                exactly(move, ("serve",))
                need(whole(move["serve"]) - 1 in self.servings(), "no Serving")
            return
        for verb in ("draw", "forfeit"):
            if same(move, {verb: True}):
                known = [self.face[p] for p in self.hand[seat] if p in self.face]
                need(self.phase == "cook" and not {*map(rank, known)} & self.fitting(), "a card fits")
                need((self.pile < len(self.pack)) == (verb == "draw"), "draw or forfeit")
                return
        verb = "transfer" if "transfer" in move else "play"
        exactly(move, (verb, "card", "stack"))
        position, code = move[verb], move["card"]
        need(type(position) is int and code in self.pack and 1 <= whole(move["stack"]) <= 8, "no card")
        known = self.face.get(position)
        left = self.pack.count(code) - [*self.face.values()].count(code)
        need(known == code or (known is None and left > 0), "another card")
        target = self.stacks[move["stack"] - 1]
        if verb == "play":
            need(position in self.hand[seat] and self.drawn in (None, position), "not to be played")
        else:
            tops = [stack[-1] for stack in self.stacks if stack]
            need(self.phase == "cook" and (position, True) in tops, "not on top")
            need(not target or target[-1] != (position, True), "the same Stack")
        need(self.fits(code, target), "does not fit")

    def play(self, answers: dict[int, Any]) -> Json:
        ((seat, answer),) = answers.items()
        missed = isinstance(answer, tuple)
        move = answer[1] if missed else answer
        if seat not in self.out:
            self.misses[seat] = self.misses[seat] + 1 if missed else 0
            if self.misses[seat] == 3:
                self.out.add(seat)
        self.face |= self.opens(move)
        self.moved(seat, move)
        if missed and not self.goes_on and self.phase not in ("deal", "over"):
            self.over("missed")
        return self.account()

    def account(self) -> Json:
        lines, self.lines = self.lines, []
        return {"points": list(self.points), "lines": lines} if lines else None

    def moved(self, seat: int, move: Json) -> None:
        if "draw" in move:
            self.phase = "draw"
        elif "done" in move:
            self.end_turn()
        elif "serve" in move:
            stack = self.stacks[move["serve"] - 1]
            self.served |= {p for p, _ in stack[-4:]}
            self.stacks[move["serve"] - 1] = stack[:-4]
            self.trays[seat] += 1
            self.idle = False
            self.acted([])
        elif "forfeit" in move:
            self.idle = True
            self.acted([])
        else:
            at = move["stack"] - 1
            changed = [at]
            if "play" in move:
                position = move["play"]
                self.hand[seat].discard(position)
                self.drawn = None
            else:
                position = move["transfer"]
                source = next(i for i, s in enumerate(self.stacks) if s and s[-1] == (position, True))
                rest = self.stacks[source][:-1]
                self.stacks[source] = rest if not rest or rest[-1][1] else [*rest[:-1], (rest[-1][0], True)]
                changed.append(source)
            self.seen.add(position)
            self.stacks[at] = self.lay(self.stacks[at], position)
            self.acted(changed)

    def acted(self, changed: list[int]) -> None:
        if self.showing([self.stacks[i] for i in changed]):
            self.phase = "show"
        elif self.servings():
            self.phase = "serve"
        else:
            self.end_turn()

    def turn(self, faces: Json) -> Json:
        """The `turn`; that it names the right cards of the pile is checked before."""
        if self.phase == "draw":
            pile = range(self.pile, len(self.pack))
            self.drawn = faces[0]["position"] if faces else None
            end = len(self.pack) if self.drawn is None else self.drawn + 1
            count, seat = end - self.pile, self.mover
            self.hand[seat] |= {*pile[:count]}
            self.pile = end
            cards = "a card" if count == 1 else f"{count} cards"
            none = "" if faces else ", and none fits"
            text = f"Seat {seat} draws {cards}{none}"
            self.lines.append({"kind": "draw", "seat": seat, "count": count, "text": text})
            if faces:
                self.phase = "drawn"
            else:
                self.idle = True
                self.acted([])
            return self.account()
        shown = self.showing(self.stacks)
        right = [{"position": p, "card": self.face[p]} for p in sorted(shown)]
        need(same(faces, right), "other cards are turned up")
        self.seen |= shown
        if self.phase == "show":
            self.acted([])
        else:
            self.phase = "cook"
        return self.account()

    # 10 to 13

    def end_turn(self) -> None:
        self.turns += 1
        seat = self.mover
        if not self.hand[seat]:
            if len(self.seats) > 1:
                self.scored("empty")
                return
            end = min(self.pile + 5, len(self.pack))
            self.hand[seat] = {*range(self.pile, end)}
            self.completed, count, self.pile = self.completed + 1, end - self.pile, end
            if count:
                cards = "a card" if count == 1 else f"{count} cards"
                text = f"Seat {seat} has completed hand {self.completed} and draws {cards}"
                self.lines.append({"kind": "hand", "seat": seat, "count": count, "text": text})
            else:
                self.scored("empty")
                return
        self.passes = self.passes + 1 if self.idle else 0
        self.called = self.called and self.idle
        everybody = self.passes == len(self.seats)
        if (everybody and self.called) or self.turns == 1000:
            self.scored("passed" if everybody and self.called else "turns")
            return
        self.mover, self.phase, self.idle = (seat + 1) % len(self.seats), "cook", False
        if everybody:
            self.stacks = [turned(stack) for stack in self.stacks]
            self.passes, self.called = 0, True
            self.phase = "flip" if self.showing(self.stacks) else "cook"
            text = "Pancakes! All have passed, and all Stacks are flipped"
            self.lines.append({"kind": "pancakes", "text": text})

    def scored(self, reason: str) -> None:
        hands, alone = [len(hand) for hand in self.hand], len(self.seats) == 1
        if alone:
            gained = [5 * self.completed - hands[0] + self.trays[0]]
        else:
            best = min((hands[s], -self.trays[s]) for s in self.left)
            gained = [
                -((2 * hands[s] - sum(hands)) // (len(hands) - 1)) + self.trays[s]
                if s in self.left and (hands[s], -self.trays[s]) == best
                else 0
                for s in self.seats
            ]
        self.points = [a + b for a, b in zip(self.points, gained, strict=True)]
        for seat in self.seats:
            cards = "1 card" if hands[seat] == 1 else f"{hands[seat]} cards"
            served = "1 Serving" if self.trays[seat] == 1 else f"{self.trays[seat]} Servings"
            done = f"{self.completed} hands completed, " if alone else ""
            self.lines.append(
                {
                    "kind": "score",
                    "seat": seat,
                    "cards": hands[seat],
                    "servings": self.trays[seat],
                    "points": gained[seat],
                    "total": self.points[seat],
                    "text": f"Seat {seat}: {done}{cards} left, {served}: {gained[seat]:+d}",
                }
            )
        if not alone and self.target:
            if max(self.points) >= self.target:
                reason = "points"
            elif self.number == 100:
                reason = "games"
            elif self.goes_on:
                self.phase = "deal"
                return
        self.over(reason if self.goes_on else "missed")

    def over(self, reason: str) -> None:
        self.phase, among = "over", self.left or [*self.seats]
        best = max(self.points[seat] for seat in among)
        winners = [seat for seat in among if self.points[seat] == best]
        self.outcome = {"points": list(self.points), "winners": winners, "reason": reason}

    def ended(self, reason: str, seats: set[int]) -> Json:
        """An end from outside, by these seats; a draw where nobody is left."""
        others = [seat for seat in self.seats if seat not in self.out | seats] or [*self.seats]
        best = max(self.points[seat] for seat in others)
        winners = [seat for seat in others if self.points[seat] == best]
        if not [seat for seat in self.seats if seat not in self.out | seats]:
            winners = [*self.seats]
        return {"points": list(self.points), "winners": winners, "reason": reason}

    def resigned(self, seat: int) -> Json:
        """The outcome, or None where the game goes on."""
        found = self.ended("resigned", {seat})
        self.out.add(seat)
        return None if self.goes_on else found
