"""A second reading of docs/protocol.md, sections 18b and 20.10, and of docs/rules/cribbage.md.

Only cards that lie open to all are known: nobody deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, ClassVar

from tests.docs.page_games import CLOCKS, COURT, PACK, SUITS, exactly, points_of
from tests.docs.page_proofs import need, same, whole

Json = Any
Item = tuple[str, int]
RANK = {
    code: ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].index(code[:-1]) + 1
    for code in PACK
}
VALUE = {code: min(rank, 10) for code, rank in RANK.items()}
PAIRS = {2: ("pair", 2), 3: ("pair royal", 6), 4: ("double pair royal", 12)}
LENGTHS = ("", "", "", "three", "four", "five", "six", "seven")
TIMES = ("", "run", "double run", "triple run", "quadruple run")


def pegs(ranks: Sequence[int]) -> list[Item]:
    """Rule 7: what the last of these cards pegs."""
    count = sum(min(rank, 10) for rank in ranks)
    items: list[Item] = {15: [("fifteen", 2)], 31: [("thirty-one", 2)]}.get(count, [])
    alike = 1
    while alike < len(ranks) and ranks[-1 - alike] == ranks[-1]:
        alike += 1
    if alike > 1:
        return [*items, PAIRS[alike]]
    for n in range(len(ranks), 2, -1):
        tail = sorted(ranks[-n:])
        if tail == [*range(tail[0], tail[0] + n)]:
            return [*items, (f"run of {LENGTHS[n]}", n)]
    return items


def shown(hand: Sequence[str], starter: str, crib: bool) -> list[Item]:
    """Rule 8: what four cards and the starter count."""
    five = [*hand, starter]
    values = [VALUE[code] for code in five]
    items = [("fifteen", 2) for n in range(2, 6) for some in combinations(values, n) if sum(some) == 15]
    counts = Counter(RANK[code] for code in five)
    run: list[int] = []
    for low in counts:
        straight = [low]
        while straight[-1] + 1 in counts:
            straight.append(straight[-1] + 1)
        run = straight if len(straight) > max(2, len(run)) else run
    if run:
        times = 1
        for rank in run:
            times *= counts[rank]
        name = f"run of {LENGTHS[len(run)]}" if times == 1 else TIMES[times]
        name += " of four" if times > 1 and len(run) == 4 else ""
        pairs = sum(PAIRS[counts[rank]][1] for rank in run if counts[rank] > 1)
        items.append((name, len(run) * times + pairs))
    items += [PAIRS[n] for rank, n in sorted(counts.items()) if n > 1 and rank not in run]
    if len({code[-1] for code in hand}) == 1 and (hand[0][-1] == starter[-1] or not crib):
        items.append(("flush", 5 if hand[0][-1] == starter[-1] else 4))
    return [*items, ("his nobs", 1)] if f"J{starter[-1]}" in hand else items


def counted(items: Sequence[Item]) -> str:
    """18b: COUNTED."""
    if not items:
        return "nothing"
    if len(items) == 1 and items[0][0] != "fifteen":
        return f"{items[0][0]} for {items[0][1]}"
    told, makes = [], 0
    for name, points in items:
        makes += points
        told.append(f"{name} {makes}" if name == "fifteen" else f"{name} makes {makes}")
    return ", ".join(told)


class Cribbage:
    """Section 18b, where nobody deals. The answer of a seat that missed a choice is ("missed", the move)."""

    options: Json = CLOCKS | {
        **dict.fromkeys(("cut", "lay", "card", "claim"), 30),
        "target": "121",
        "games": 1,
        "count": "house",
        "absent": "end",
    }
    ranges: ClassVar[Json] = {"games": (1, 9)}
    clocks = ("cut", "lay", "card", "claim")
    traits = tuple(map(str, range(1, 11)))
    own_decks = False
    pack = PACK

    def __init__(self, seats: int, options: Json) -> None:
        need(2 <= seats <= 4, "two to four")
        need(options["target"] in ("121", "61") and options["count"] in ("house", "muggins"), "an option")
        self.seats, self.sides = range(seats), 2 if seats == 4 else seats
        self.target, self.games = int(options["target"]), options["games"]
        self.muggins, self.plays_on = options["count"] == "muggins", options["absent"] == "play"
        self.phase, self.dealer = "shuffle", 0
        self.scores, self.won = [0] * self.sides, [0] * self.sides
        self.misses, self.gone = [0] * seats, set[int]()
        self.face: dict[int, str] = {}
        self.cuts: list[int] = []
        self.held: list[list[int]] = [[] for _ in self.seats]
        self.laid: list[list[int]] = [[] for _ in self.seats]
        self.news: list[Json] = []
        self.mover = self.turned = 0
        self.outcome: Json = None

    @property
    def points(self) -> list[int]:
        points = self.scores if self.games == 1 else self.won
        return [points[self.side(seat)] for seat in self.seats]

    def side(self, seat: int) -> int:
        return seat % self.sides

    @property
    def showing(self) -> list[int]:
        return [(self.dealer + i) % len(self.seats) for i in range(1, len(self.seats) + 1)]

    @property
    def stock(self) -> range:
        return range({2: 12, 3: 16, 4: 20}[len(self.seats)], 52)

    @property
    def crib(self) -> list[int]:
        return [p for laid in self.laid for p in laid] + ([15] if len(self.seats) == 3 else [])

    def owned(self) -> dict[int, int]:
        return {p: seat for seat in self.seats for p in self.held[seat]} if self.phase == "lay" else {}

    def has(self, code: str) -> tuple[str, ...]:
        return (str(VALUE[code]),)

    def next(self) -> tuple[Any, ...]:
        match self.phase:
            case "shuffle" | "deal":
                return ("deal",)
            case "lay":
                return ("ask", "together", {*self.seats}, "lay")
            case "cut" | "starter":
                return ("ask", "any", {self.mover}, "cut")
            case "play":
                return ("ask", "any", {self.mover}, "card")
            case "claim" | "answer":
                return ("ask", "any", {self.mover}, "claim")
            case "over":
                return ("over", self.outcome)
        turned = {"cut shown": self.cuts, "starter shown": [self.turned], "crib": self.crib}[self.phase]
        return ("turn", {*turned}, None)

    def draws(self) -> tuple[list[tuple[None, range, int]], bool]:
        return [(None, range(52), 52)], True

    def hide(self) -> None:
        """A deal of which nobody knows a card."""
        self.face, self.cuts, self.mover = {}, [], 0
        if self.phase == "shuffle":
            self.phase = "cut"
            return
        size = 6 if len(self.seats) == 2 else 5
        self.held = [[*range(seat * size, (seat + 1) * size)] for seat in self.seats]
        self.laid, self.played = [[] for _ in self.seats], [[] for _ in self.seats]
        self.phase = "lay"

    # Moves

    def fits(self, seat: int) -> bool:
        """Tell whether a card fits, as far as is known."""
        if self.reached <= 21:
            return bool(self.held[seat])
        return any(p in self.face and self.reached + VALUE[self.face[p]] <= 31 for p in self.held[seat])

    def opens(self, move: Json) -> dict[int, str]:
        return {move["play"]: move["card"]} if "play" in move else {}

    def claim(self, seat: int, move: Json) -> tuple[set[int], set[str]] | None:
        if "go" not in move:
            return None
        return {*self.held[seat]}, {str(value) for value in range(1, min(10, 31 - self.reached) + 1)}

    def absent(self, seat: int) -> Json:
        held = self.held[seat]
        match self.phase:
            case "cut" | "starter":
                return {"cut": next(n for n in range(4, 49) if self.phase == "starter" or n not in self.cuts)}
            case "claim":
                return {"claim": 0}
            case "answer":
                return {"accept": True}
        if any(p not in self.face for p in held):
            return None
        low = sorted(held, key=lambda p: (RANK[self.face[p]], PACK.index(self.face[p])))
        if self.phase == "lay":
            return {"lay": low[: len(held) - 4]}
        fits = [p for p in low if self.reached + VALUE[self.face[p]] <= 31]
        return {"play": fits[0], "card": self.face[fits[0]]} if fits else {"go": True}

    def compelled(self, seat: int) -> Json:
        """Go, where the whole hand lies open and no card fits."""
        hand = [*self.held[seat], *self.laid[seat]]
        if self.phase != "play" or self.mover != seat or any(p not in self.face for p in hand):
            return None
        return None if self.fits(seat) else {"go": True}

    def check(self, seat: int, move: Json) -> None:
        match self.phase:
            case "cut" | "starter":
                exactly(move, ("cut",))
                most = 48 if self.phase == "cut" else len(self.stock) - 4
                need(4 <= whole(move["cut"]) <= most, "a packet is too thin")
                need(self.phase == "starter" or move["cut"] not in self.cuts, "cut already")
            case "lay":
                exactly(move, ("lay",))
                need(len({*map(whole, move["lay"])}) == len(move["lay"]), "a card twice")
                right = len(move["lay"]) == len(self.held[seat]) - 4 and {*move["lay"]} <= {*self.held[seat]}
                need(right, "other cards than those of the hand")
            case "claim":
                exactly(move, ("claim",))
                whole(move["claim"], 0, 29)
            case "answer" if "object" in move:
                exactly(move, ("object",))
                need(whole(move["object"], 0, 29) != self.claims[-1], "no objection")
            case "answer":
                need(same(move, {"accept": True}), "no answer")
            case "play" if "go" in move:
                need(same(move, {"go": True}) and not self.fits(seat), "a card fits")
            case _:
                exactly(move, ("play", "card"))
                position, code = whole(move["play"]), move["card"]
                need(position in self.held[seat] and code in RANK, "no card of the hand")
                known = self.face.get(position)
                need(known == code or (known is None and code not in self.face.values()), "another card")
                need(self.reached + VALUE[code] <= 31, "past 31")

    # Play

    def turn(self, faces: Json) -> Json:
        """What is turned up, which the reader has opened before."""
        asked = self.next()[1]
        need([item["position"] for item in faces] == sorted(asked), "other cards are turned up")
        need(all(self.face[item["position"]] == item["card"] for item in faces), "another card lies there")
        self.news = []
        if self.phase == "cut shown":
            return self.cut_shown()
        if self.phase == "crib":
            return self.crib_shown()
        self.phase = "play"
        if self.face[self.turned][:-1] == "J":
            self.peg("heels", self.dealer, [("his heels", 2)])
        return self.account()

    def cut_shown(self) -> Json:
        codes = [self.face[p] for p in self.cuts]
        lines = []
        for seat, code in enumerate(codes):
            name = f"{COURT.get(code[:-1], code[:-1])} of {SUITS[code[-1]]}"
            lines.append({"kind": "cut", "seat": seat, "card": code, "text": f"Seat {seat} cuts the {name}"})
        ranks = [RANK[code] for code in codes]
        again = ranks.count(min(ranks)) > 1
        self.phase = "shuffle" if again else "deal"
        seat = None if again else ranks.index(min(ranks))
        self.dealer = self.dealer if seat is None else seat
        text = "Equal cuts: all cut again" if again else f"Seat {seat} deals"
        return {"points": self.points, "lines": [*lines, {"kind": "dealer", "seat": seat, "text": text}]}

    def play(self, answers: dict[int, Any]) -> Json:
        missed = {seat: isinstance(answer, tuple) for seat, answer in answers.items()}
        moves = {seat: answer[1] if missed[seat] else answer for seat, answer in answers.items()}
        self.news, self.face = (
            [],
            {**self.face, **{p: c for m in moves.values() for p, c in self.opens(m).items()}},
        )
        self.do(moves)
        out = set()
        for seat, late in missed.items():
            if "go" not in moves[seat] and seat not in self.gone:
                self.misses[seat] = self.misses[seat] + 1 if late else 0
                out |= {seat} if self.misses[seat] >= 3 else set()
        if out:
            self.leave_by_misses(out)
        return self.account()

    def do(self, moves: dict[int, Json]) -> None:
        ((seat, move), *others) = moves.items()
        match self.phase:
            case "cut":
                self.cuts.append(move["cut"])
                self.mover = len(self.cuts) % len(self.seats)
                self.phase = "cut shown" if len(self.cuts) == len(self.seats) else "cut"
            case "lay":
                for who, said in ((seat, move), *others):
                    self.laid[who] = sorted(said["lay"])
                    self.held[who] = [p for p in self.held[who] if p not in said["lay"]]
                self.phase, self.mover = "starter", self.showing[0]
                self.pile, self.reached, self.said, self.last = list[int](), 0, set[int](), 0
            case "starter":
                self.turned, self.phase = self.stock.start + move["cut"], "starter shown"
            case "claim":
                self.claims.append(move["claim"])
                self.phase, self.mover = "answer", self.answering()
            case "answer":
                self.answer(move.get("object"))
            case "play" if "go" in move:
                self.said.add(seat)
                if not self.pass_on(seat):
                    self.peg("go", self.last, [("go", 1)])
                    self.count()
            case "play":
                self.card(seat, move["play"])

    def pass_on(self, seat: int) -> bool:
        """The turn goes round to the next that holds cards and has not said go; false if nobody does."""
        order = [(seat + i) % len(self.seats) for i in range(1, len(self.seats) + 1)]
        for other in order:
            if self.held[other] and other not in self.said:
                self.mover = other
                return True
        return False

    def card(self, seat: int, position: int) -> None:
        self.held[seat].remove(position)
        self.played[seat].append(position)
        self.pile.append(position)
        self.reached += VALUE[self.face[position]]
        self.last = self.mover = seat
        goes_on = self.reached < 31 and self.pass_on(seat)
        items = pegs([RANK[self.face[p]] for p in self.pile])
        if items:
            self.peg("play", seat, items)
        if goes_on or self.phase != "play":
            return
        if self.reached < 31:
            self.peg("go", seat, [("go", 1) if any(self.held) else ("last card", 1)])
        self.count()

    def count(self) -> None:
        """A new count begins, or the hands are shown."""
        if self.phase != "play":
            return
        self.said = set()
        if self.pass_on(self.last):
            self.pile, self.reached = [], 0
            return
        if self.muggins:
            self.phase, self.mover, self.claims = "claim", self.showing[0], list[int]()
            return
        for seat in self.showing:
            self.peg("hand", seat, self.worth(seat))
            if self.phase != "play":
                return
        self.phase = "crib"

    def worth(self, seat: int | None) -> list[Item]:
        """What a hand counts, or the crib."""
        cards = self.crib if seat is None else self.played[seat]
        return shown([self.face[p] for p in cards], self.face[self.turned], seat is None)

    def crib_shown(self) -> Json:
        if self.muggins:
            self.phase, self.mover = "claim", self.dealer
            return None
        self.peg("crib", self.dealer, self.worth(None))
        self.next_deal("crib")
        return self.account()

    def next_deal(self, phase: str) -> None:
        if self.phase == phase:
            self.phase, self.dealer = "deal", (self.dealer + 1) % len(self.seats)

    # Muggins

    def answering(self) -> int:
        claimer = [*self.showing, self.dealer][len(self.claims) - 1]
        order = [(claimer + i) % len(self.seats) for i in range(1, len(self.seats))]
        return next(s for s in order if self.side(s) != self.side(claimer) and s not in self.gone)

    def answer(self, objection: int | None) -> None:
        n, claim = len(self.claims) - 1, self.claims[-1]
        crib = n == len(self.seats)
        seat, mover = [*self.showing, self.dealer][n], self.mover
        items = self.worth(None if crib else seat)
        total = sum(points for _, points in items)
        caught = objection == total
        taken = total if caught and claim > total else claim
        self.peg("crib" if crib else "hand", seat, items if taken == total else [], taken, claim)
        if caught and claim < total and self.phase == "answer":
            self.peg("muggins", mover, items, total - claim)
        if self.phase != "answer":
            return
        if crib:
            self.next_deal("answer")
        elif n + 1 == len(self.seats):
            self.phase = "crib"
        else:
            self.phase, self.mover = "claim", self.showing[n + 1]

    # Points

    def peg(
        self, kind: str, seat: int, items: Sequence[Item], points: int | None = None, claim: int | None = None
    ) -> None:
        points = sum(worth for _, worth in items) if points is None else points
        side = self.side(seat)
        self.scores[side] += points
        line: Json = {"kind": kind, "seat": seat, "points": points, "total": self.scores[side]}
        line["items"] = [{"name": name, "points": worth} for name, worth in items]
        text = f"Seat {seat} pegs {points_of(points)}: {counted(items)}"
        if kind == "muggins":
            text = f"Seat {seat} says muggins and takes {points_of(points)}"
        if kind in ("hand", "crib"):
            cards = self.crib if kind == "crib" else self.played[seat]
            codes = sorted((self.face[p] for p in cards), key=PACK.index)
            starter = self.face[self.turned]
            line |= {"cards": codes, "starter": starter, "claim": claim}
            told = f"{counted(items)}, {points_of(points)}"
            if claim is not None:
                told = f"claimed {claim}" + ("" if claim == points else f", corrected to {points}")
            text = f"Seat {seat}'s {kind} {' '.join(codes)} and {starter}: {told}"
        self.news.append({**line, "text": text})
        if self.scores[side] >= self.target:
            self.win(seat)

    def win(self, seat: int) -> None:
        """Rule 10: a game is won."""
        side = self.side(seat)
        losing = [n for other, n in enumerate(self.scores) if other != side]
        worth = 2 if self.target == 121 and max(losing) <= 60 else 1
        self.won[side] += worth
        text = f"Seat {seat} wins the game" + (", a double game: the loser is lurched" if worth == 2 else "")
        line = {"kind": "game", "seat": seat, "points": worth, "total": self.won[side], "text": text}
        self.news.append(line)
        if self.won[side] >= self.games:
            reason = "games" if self.games > 1 else "lurch" if worth == 2 else "points"
            self.over(reason, self.best(self.left))
            return
        order = [s for s in self.showing if self.side(s) != side]
        self.dealer = next(s for s in order if self.scores[self.side(s)] == min(losing))
        self.phase, self.scores = "deal", [0] * self.sides

    def account(self) -> Json:
        return {"points": self.points, "lines": self.news} if self.news else None

    @property
    def left(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.gone]

    def goes_on(self) -> bool:
        return not self.gone or (self.plays_on and len({self.side(seat) for seat in self.left}) > 1)

    def best(self, among: Iterable[int]) -> list[int]:
        among = [*among]
        return [seat for seat in among if self.points[seat] == max(self.points[s] for s in among)]

    def over(self, reason: str, winners: list[int]) -> None:
        self.phase = "over"
        self.outcome = {"points": list(self.points), "winners": winners, "reason": reason}

    def leave_by_misses(self, out: set[int]) -> None:
        if self.gone | out == {*self.seats}:
            if self.phase != "over":
                self.over("missed", self.left)
            return
        self.gone |= out
        if self.goes_on():
            return
        lost = {self.side(seat) for seat in self.gone}
        if self.phase == "over" and self.side(self.news[-1]["seat"]) not in lost:
            return
        others = [seat for seat in self.left if self.side(seat) not in lost]
        self.over("missed", self.best(others or self.left))

    def ended(self, reason: str, seats: set[int]) -> Json:
        """An end from outside: these seats have resigned, or withheld a card."""
        out = seats | self.gone
        if len(self.seats) == 4:
            out |= {seat for seat in self.seats if self.side(seat) in {self.side(s) for s in seats}}
        others = [seat for seat in self.seats if seat not in out]
        winners = self.best(others) if others else [*self.seats]
        return {"points": list(self.points), "winners": winners, "reason": reason}

    def resigned(self, seat: int) -> Json:
        """The outcome, or None where the game goes on."""
        found = self.ended("resigned", {seat})
        self.gone.add(seat)
        return None if self.goes_on() else found
