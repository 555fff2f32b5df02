"""A second reading of docs/protocol.md, sections 17 and 18: the games as far as a record shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

from tests.docs.page_proofs import CATEGORIES, need, same, vector

Json = Any
CLOCKS = {"enter": 60, "ready": 60, "link": 30, "bank": 0}
"""The options of every mode, with their defaults."""
SMALL = {"and", "with", "of", "the", "a", "an", "in", "on", "or"}
COURSES = {1: ("appetizer", 2), 2: ("entree", 3), 3: ("dessert", 1)}


def exactly(value: object, names: Iterable[str]) -> None:
    """An object with these fields and no others."""
    wanted = set(names)
    need(isinstance(value, dict) and set(value) == wanted, f"fields other than {sorted(wanted)}")


def words(name: str) -> list[str]:
    found = (word.casefold() for word in re.findall(r"[^\W_]+(?:['’][^\W_]+)*", name))
    return list(dict.fromkeys(word for word in found if word not in SMALL))


def points_of(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"


def balanced(cards: list[Json]) -> None:
    for nets in zip(*(vector(card)[2:] for card in cards), strict=True):
        need(sum(nets) == 0, "a cost is not met")


def matched(entries: list[str], cards: list[Json]) -> list[tuple[int, int]]:
    """Pairs (entry, card) of a largest matching."""
    kinds = [{name.casefold() for name in (card["name"], *card["kinds"])} for card in cards]
    holder: dict[int, int] = {}

    def find(entry: int, tried: set[int]) -> bool:
        for i, names in enumerate(kinds):
            if entries[entry].casefold() in names and i not in tried:
                tried.add(i)
                if i not in holder or find(holder[i], tried):
                    holder[i] = entry
                    return True
        return False

    for entry in range(len(entries)):
        find(entry, set())
    return sorted((entry, i) for i, entry in holder.items())


def dish(seat: int, course: int, recipe: Json | None, cards: list[Json]) -> Json:
    """The line of a dish."""
    name = COURSES[course][0]
    line = {
        "kind": "dish",
        "seat": seat,
        "course": course,
        "recipe": None,
        "ingredients": [card["slug"] for card in cards],
        "yum": None,
        "items": [],
    }
    named = ", ".join(card["name"] for card in cards)
    balanced(cards if recipe is None else [recipe, *cards])
    if recipe is None:
        text = f"Seat {seat} serves no dish as {name}" + (f", but uses {named}" if cards else "")
        return {**line, "text": text}
    units = sum(recipe["costs"].values())
    cost = ", ".join(f"{recipe['costs'][k]} {k}" for k in CATEGORIES if k in recipe["costs"])
    items: list[Json] = [{"kind": "units", "points": units, "text": f"{cost}: +{units}"}]
    for entry, i in matched(recipe["list"], cards):
        what = recipe["list"][entry]
        text = f"{cards[i]['name']} matches {what} +1"
        items.append({"kind": "match", "points": 1, "card": cards[i]["slug"], "what": what, "text": text})
    listed = {word for entry in recipe["list"] for word in words(entry)}
    for word in words(recipe["name"]):
        holder = next((card for card in cards if word in words(card["name"])), None)
        if holder is not None and word not in listed:
            text = f'{holder["name"]} has the word "{word}" of the name +1'
            items.append({"kind": "word", "points": 1, "card": holder["slug"], "what": word, "text": text})
    for card in cards:
        if card["bonus"]:
            text = f"{card['name']} adds a bonus of +{card['bonus']}"
            items.append({"kind": "bonus", "points": card["bonus"], "card": card["slug"], "text": text})
    yum = sum(item["points"] for item in items)
    text = f"Seat {seat} serves {recipe['name']} with {named} as {name}: {yum} yum"
    return {**line, "recipe": recipe["slug"], "yum": yum, "items": items, "text": text}


class Chef:
    """Section 17. Answers of a sealed ask are (choice, opened cards), or "seal" or "opening" if missed."""

    options: Json = CLOCKS | {"seal": 120, "reveal": 30, "choice": 30}
    ranges: ClassVar[Json] = {}
    own_decks = True

    def __init__(self, seats: int, options: Json) -> None:
        need(seats == 2, "two chefs")
        self.phase, self.round, self.final = "deal", 0, 0
        self.asked = {0, 1}
        self.pool, self.hand = [set(range(40)), set(range(40))], [set[int](), set[int]()]
        self.points, self.redraws, self.misses = [0, 0], [0, 0], [0, 0]
        self.gone = set[int]()
        self.outcome: Json = None

    def next(self) -> tuple[Any, ...]:
        match self.phase:
            case "deal":
                return ("deal",)
            case "redraw":
                return ("ask", "together", self.asked, "choice")
            case "meal":
                return ("ask", "sealed", {0, 1}, "seal")
        return ("over", self.outcome)

    def draws(self) -> tuple[list[tuple[int | None, Iterable[int], int]], bool]:
        """Seat, pool and count of each draw, and whether the house's link stays secret."""
        if self.round == 0:
            return [(seat, self.pool[seat], 6) for seat in sorted(self.asked)], False
        return [(seat, self.pool[seat], 2) for seat in (0, 1) if self.pool[seat]], False

    def dealt(self, drawn: list[tuple[int | None, list[int]]]) -> None:
        for seat, positions in drawn:
            assert seat is not None
            self.hand[seat] |= set(positions)
            self.pool[seat] -= set(positions)
        self.phase = "meal"
        if self.round == 0:
            self.deciding({seat for seat in self.asked if self.redraws[seat] < 6})

    def deciding(self, seats: set[int]) -> None:
        self.asked, self.phase = seats, "redraw" if seats else "meal"
        self.round = 0 if seats else 1

    def absent(self, seat: int) -> Json:
        return {"choice": "keep"}

    def check(self, seat: int, move: Json) -> None:
        need(move in ({"choice": "keep"}, {"choice": "redraw"}), "no such choice")

    def packing(self, seat: int) -> tuple[list[int], int]:
        return sorted(self.hand[seat]), 1 if self.final else 3

    def resigned(self, seat: int) -> Json:
        return {"points": self.points, "winners": [1 - seat], "reason": "resigned"}

    def withheld(self, seats: set[int]) -> Json:
        winners = [seat for seat in (0, 1) if seat not in seats] or [0, 1]
        return {"points": list(self.points), "winners": winners, "reason": "missed"}

    def late(self, seat: int, answer: Any) -> list[int]:
        """One-time cards leave the hand."""
        gone = sorted(position for position, card in answer[1].items() if card["one_time"])
        self.hand[seat] -= set(gone)
        return gone

    def play(self, answers: dict[int, Any]) -> Json:
        lines = self.redrawn(answers) if self.phase == "redraw" else self.served(answers)
        return {"points": list(self.points), "lines": lines} if lines else None

    def redrawn(self, answers: dict[int, Any]) -> list[Json]:
        again = [seat for seat in sorted(answers) if answers[seat] == {"choice": "redraw"}]
        lines = []
        for seat in again:
            self.points[1 - seat] += 1
            self.redraws[seat] += 1
            self.pool[seat] |= self.hand[seat]
            self.hand[seat] = set()
            text = f"Seat {seat} redraws: 1 point for seat {1 - seat}"
            line = {"kind": "redraw", "seat": seat, "redraws": self.redraws[seat], "points": 1, "text": text}
            lines.append(line)
        if again:
            self.asked, self.phase = set(again), "deal"
        else:
            self.deciding(set())
        return lines

    def served(self, answers: dict[int, Any]) -> list[Json]:
        text = f"Round {self.round}" + (f", final round {self.final}" if self.final else "")
        lines: list[Json] = [{"kind": "round", "round": self.round, "final": self.final, "text": text}]
        told = {"seal": "sealed no meal in time", "opening": "did not open its meal in time"}
        for seat, answer in answers.items():
            if isinstance(answer, str):
                text = f"Seat {seat} {told[answer]}"
                lines.append({"kind": "missed", "seat": seat, "missed": answer, "text": text})
        silent = [seat for seat in (0, 1) if answers[seat] == "opening"]
        courses = [2] if self.final else [1, 2, 3]
        for course in courses:
            lines += self.course(course, answers, bool(silent))
        if len(silent) == 1 and not (self.final and isinstance(answers[1 - silent[0]], str)):
            seat, total = 1 - silent[0], sum(COURSES[course][1] for course in courses) + 1
            self.points[seat] += total
            text = f"Seat {seat} takes every course and one point more: {total} points"
            lines.append({"kind": "forfeit", "seat": seat, "points": total, "text": text})
        for seat, answer in answers.items():
            self.misses[seat] = self.misses[seat] + 1 if isinstance(answer, str) else 0
            gone = [] if isinstance(answer, str) else [answer[1][i] for i in self.late(seat, answer)]
            if gone:
                text = f"Seat {seat} discards {', '.join(card['name'] for card in gone)}"
                cards = [card["slug"] for card in gone]
                lines.append({"kind": "discard", "seat": seat, "cards": cards, "text": text})
        self.ended()
        return lines

    def course(self, course: int, answers: dict[int, Any], silent: bool) -> list[Json]:
        name, worth = COURSES[course]
        lines, yums = [], {}
        for seat, answer in answers.items():
            if isinstance(answer, str):
                continue
            for plate in answer[0]["dishes"]:
                if plate["course"] == course:
                    recipe = None if plate["recipe"] is None else answer[1][plate["recipe"]]
                    line = dish(seat, course, recipe, [answer[1][i] for i in plate["ingredients"]])
                    lines.append(line)
                    if recipe is not None:
                        yums[seat] = line["yum"]
        if silent:
            return lines
        best = [seat for seat, yum in yums.items() if yum == max(yums.values())]
        winner = best[0] if len(best) == 1 else None
        text = f"Nobody wins the {name}"
        if winner is not None:
            self.points[winner] += worth
            text = f"Seat {winner} wins the {name}: {points_of(worth)}"
        gained = 0 if winner is None else worth
        verdict = {"kind": "course", "course": course, "winner": winner, "points": gained, "text": text}
        return [*lines, verdict]

    def ended(self) -> None:
        high = [seat for seat in (0, 1) if self.points[seat] == max(self.points)]
        reason = ""
        if 3 in self.misses:
            reason, high = "missed", [seat for seat in (0, 1) if self.misses[seat] < 3] or [0, 1]
        elif max(self.points) >= 30 and len(high) == 1:
            reason = "final" if self.final else "points"
        elif self.final == 3:
            reason = "drawn"
        elif self.round == 40:
            reason = "rounds"
        if reason:
            self.phase = "over"
            self.outcome = {"points": list(self.points), "winners": high, "reason": reason}
            return
        self.final = self.final + 1 if max(self.points) >= 30 else 0
        self.round += 1
        self.phase = "deal" if any(self.pool) else "meal"


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK = [rank + suit for suit in "CDHS" for rank in RANKS]
HEARTS = {code for code in PACK if code[-1] == "H"}
EXPOSABLE = ("10C", "JD", "AH", "QS")
VALUES = {"QS": -100, "JD": 100, "AH": -50, "KH": -40, "QH": -30, "JH": -20}
VALUES |= {f"{rank}H": -10 for rank in ("5", "6", "7", "8", "9", "10")}
COURT = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


class Hearts:
    """Section 18, with all cards open.

    The answer of a seat that missed a card is ("missed", what was played).
    """

    options: Json = CLOCKS | {"expose": 60, "card": 30, "first": "first", "absent": "end"}
    ranges: ClassVar[Json] = {}
    own_decks = False

    def __init__(self, seats: int, options: Json) -> None:
        need(3 <= seats <= 6, "three to six")
        self.seats = range(seats)
        self.pack = PACK[52 % seats :]
        self.phase = "first" if options["first"] == "random" else "deal"
        self.points, self.misses = [0] * seats, [0] * seats
        self.gone, self.least = set[int](), 2 if options["absent"] == "play" else seats
        self.leader, self.round = 0, 0
        self.trick: list[int] = []
        self.exposed: list[str] = []
        self.outcome: Json = None

    def next(self) -> tuple[Any, ...]:
        match self.phase:
            case "first" | "deal":
                return ("deal",)
            case "expose" if len(self.exposed) == 3:
                return ("turn",)
            case "expose":
                return ("ask", "any", set(self.seats) - self.done, "expose")
            case "play":
                return ("ask", "any", {(self.leader + len(self.trick)) % len(self.seats)}, "card")
        return ("over", self.outcome)

    def draws(self) -> tuple[list[tuple[int | None, Iterable[int], int]], bool]:
        if self.phase == "first":
            return [(None, self.seats, 1)], False
        return [(None, range(len(self.pack)), len(self.pack))], True

    def dealt(self, drawn: list[tuple[int | None, list[int]]]) -> None:
        order = drawn[0][1]
        if self.phase == "first":
            self.leader, self.phase = order[0], "deal"
            return
        size = len(self.pack) // len(self.seats)
        self.face = {i: self.pack[card] for i, card in enumerate(order)}
        self.hand = [set(range(seat * size, (seat + 1) * size)) for seat in self.seats]
        self.front: list[set[int]] = [set() for _ in self.seats]
        self.won: list[list[int]] = [[] for _ in self.seats]
        self.exposed, self.done, self.trick = [], set[int](), []
        self.phase, self.round = "expose", self.round + 1

    def playable(self, seat: int) -> set[int]:
        if not self.trick:
            return self.hand[seat] or self.front[seat]
        led = self.face[self.trick[0]][-1]
        for place in (self.hand[seat], self.front[seat]):
            if following := {position for position in place if self.face[position][-1] == led}:
                return following
        return self.hand[seat] | self.front[seat]

    def absent(self, seat: int) -> Json:
        if self.phase == "expose":
            return {"done": True}
        lowest = min(self.playable(seat), key=lambda position: PACK.index(self.face[position]))
        return {"play": lowest, "card": self.face[lowest]}

    def check(self, seat: int, move: Json) -> None:
        if self.phase == "expose" and same(move, {"done": True}):
            return
        verb = "expose" if self.phase == "expose" else "play"
        exactly(move, (verb, "card"))
        need(type(move[verb]) is int, "no position")
        may = self.hand[seat] if verb == "expose" else self.playable(seat)
        need(move[verb] in may and self.face[move[verb]] == move["card"], "may not be played")
        need(verb == "play" or move["card"] in EXPOSABLE, "may not be exposed")

    def turn(self, faces: Json) -> None:
        left = next(code for code in EXPOSABLE if code not in self.exposed)
        position = next(i for i, code in self.face.items() if code == left)
        need(same(faces, [{"position": position, "card": left}]), "another card is turned up")
        self.lay_open(next(seat for seat in self.seats if position in self.hand[seat]), position)

    def lay_open(self, seat: int, position: int) -> None:
        self.hand[seat].discard(position)
        self.front[seat].add(position)
        self.exposed.append(self.face[position])
        self.done = set()
        self.phase = "play" if len(self.exposed) == 4 else "expose"

    def resigned(self, seat: int) -> Json:
        """The outcome, or None where the game goes on."""
        self.gone.add(seat)
        return self.ending("resigned", self.left) if len(self.left) < self.least else None

    def withheld(self, seats: set[int]) -> Json:
        """The outcome, or None where the game goes on."""
        if seats >= {*self.left}:
            return self.ending("missed", self.left)
        self.gone |= seats
        return self.ending("missed", self.left) if len(self.left) < self.least else None

    @property
    def left(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone]

    def ending(self, reason: str, among: Iterable[int]) -> Json:
        seats = list(among)
        best = max(self.points[seat] for seat in seats)
        winners = [seat for seat in seats if self.points[seat] == best]
        return {"points": list(self.points), "winners": winners, "reason": reason}

    def play(self, answers: dict[int, Any]) -> Json:
        ((seat, answer),) = answers.items()
        missed = isinstance(answer, tuple)
        move = answer[1] if missed else answer
        if "done" in move:
            self.done.add(seat)
            self.phase = "play" if len(self.done) == len(self.seats) else "expose"
            return None
        if "expose" in move:
            self.lay_open(seat, move["expose"])
            return None
        if seat not in self.gone:
            self.misses[seat] = self.misses[seat] + 1 if missed else 0
        if self.misses[seat] == 3:
            self.gone.add(seat)
        self.hand[seat].discard(move["play"])
        self.front[seat].discard(move["play"])
        self.trick.append(move["play"])
        if len(self.trick) == len(self.seats):
            self.take()
        account = None
        if not self.trick and not any(self.hand) and not any(self.front):
            account = {"lines": self.scored(), "points": list(self.points)}
        if len(self.left) < self.least:
            self.phase, self.outcome = "over", self.ending("missed", self.left)
        return account

    def take(self) -> None:
        """The end of a trick."""
        codes = [self.face[position] for position in self.trick]
        following = [i for i, code in enumerate(codes) if code[-1] == codes[0][-1]]
        highest = max(following, key=lambda i: PACK.index(codes[i]))
        self.leader = (self.leader + highest) % len(self.seats)
        self.won[self.leader] += self.trick
        self.trick = []
        for seat in self.seats:
            up = {position for position in self.front[seat] if self.face[position][-1] == codes[0][-1]}
            self.front[seat] -= up
            self.hand[seat] |= up

    def scored(self) -> list[Json]:
        """The end of a round."""
        lines = [self.score(seat, {self.face[i] for i in self.won[seat]}) for seat in self.seats]
        self.leader = next(s for s in self.seats if any(self.face[i] == "QS" for i in self.won[s]))
        self.phase = "deal"
        if any(abs(total) > 4999 for total in self.points) or self.round == 100:
            reason = "points" if any(abs(total) > 4999 for total in self.points) else "rounds"
            self.phase, self.outcome = "over", self.ending(reason, self.left)
        return lines

    def score(self, seat: int, cards: set[str]) -> Json:
        doubled = {code[-1] for code in self.exposed}
        moon = cards >= HEARTS
        sun = moon and cards >= {"10C", "QS", "JD"}
        values = []
        for code in PACK:
            if code in cards and code in VALUES:
                value = VALUES[code] * (2 if code[-1] in doubled else 1)
                values.append((code, -value if moon and code in HEARTS else value))
        factor = ten = 0
        if "10C" in cards and cards & (HEARTS | {"QS", "JD"}):
            factor = 4 if "10C" in self.exposed else 2
        elif "10C" in cards:
            ten = 100 if "10C" in self.exposed else 50
        points = 10000 if sun else sum(value for _, value in values) * (factor or 1) + ten
        self.points[seat] += points
        parts = [f"{COURT.get(c[:-1], c[:-1])} of {SUITS[c[-1]]} {value:+d}" for c, value in values]
        parts += ["shot the moon"] * moon
        parts += [f"10 of clubs alone {ten:+d}"] * bool(ten) + [f"10 of clubs x{factor}"] * bool(factor)
        parts += ["shot the sun"] * sun
        return {
            "seat": seat,
            "points": points,
            "values": [{"card": code, "value": value} for code, value in values],
            "factor": factor or 1,
            "ten": ten,
            "moon": moon,
            "sun": sun,
            "text": f"Seat {seat}: {', '.join(parts) or 'nothing of value'}: {points:+d}",
            "total": self.points[seat],
        }
