"""A second reading of docs/protocol.md, section 20: a record of a table where nobody deals.

It continues `page_record`, and imports nothing of ours.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from tests.docs import page_tables as tables
from tests.docs.page_cribbage import Cribbage
from tests.docs.page_games import exactly
from tests.docs.page_hearts_hidden import HiddenHearts
from tests.docs.page_proofs import need, octets, read_json, same, whole
from tests.docs.page_record import Reader, Step

Json = Any
GAMES: dict[str, Any] = {"hearts": HiddenHearts, "cribbage": Cribbage}
PARTIES = {"lock": "deal lock proof", "mix": "pack proof", "share": "shares proof", "unlock": "shares proof"}
OURS = 255


@dataclass
class Pack:
    """The pack of an attempt, or of the deal in play."""

    deal: int
    excluded: set[int]
    locks: dict[int, bytes] = field(default_factory=dict)
    cards: list[tuple[bytes, bytes]] = field(default_factory=list)
    shares: dict[int, dict[int, bytes]] = field(default_factory=dict)
    mixed: list[int] = field(default_factory=list)
    before: Any = None
    """The rules before the deal, once it is in play."""
    late: dict[int, int] = field(default_factory=dict)
    out: set[int] = field(default_factory=set)
    found: bool = False
    """True if a search has shown its card."""

    @property
    def seats(self) -> list[int]:
        return sorted(self.locks.keys() - {OURS})

    def lockers(self, position: int) -> set[int]:
        return self.locks.keys() - self.shares.get(position, {}).keys()

    def under(self, position: int) -> bytes:
        return tables.less(self.cards[position][1], [*self.shares.get(position, {}).values()])


def verified(data: bytes) -> Json:
    """The outcome of a record file of a table where nobody deals; raises `Invalid`."""
    record = read_json(data)
    exactly(record, ("protocol", "entries"))
    need(record["protocol"] == "cloche/v1" and record["entries"], "no record")
    reader = DealerlessReader(record["entries"])
    for entry in record["entries"]:
        reader.take(entry)
    need(reader.over, "no result")
    return reader.outcome


class DealerlessReader(Reader):
    """Section 16, with what section 20 says."""

    games = GAMES
    shared = ("lock", "mix", "share", "unlock")

    def __init__(self, entries: list[Json]) -> None:
        super().__init__(entries)
        self.pack: Pack | None = None
        self.owes = ""
        """The kind of the house's entry of section 20 that is due."""

    # 20.2, 20.3

    def defaults(self, rules: Any, given: Json) -> tuple[Json, Json]:
        known = {**rules.options, **given}
        longest = max(whole(known[clock]) for clock in rules.clocks)
        named = {"link": max(30, longest), "mix": max(60, longest), "dealer": "nobody"}
        ranges = {"link": (longest, 604800), "mix": (longest, 604800)}
        return {**rules.options, **named}, {**rules.ranges, **ranges}

    def header(self, entry: Json) -> None:
        super().header(entry)
        need(self.options["dealer"] == "nobody", "the house deals")
        faces = list(dict.fromkeys(self.rules.pack))
        self.number = {code: k for k, code in enumerate(faces, 1)}
        self.point = {code: tables.face(k, self.rules.has(code)) for code, k in self.number.items()}
        self.code = {point: code for code, point in self.point.items()}

    @property
    def own(self) -> Pack:
        assert self.pack is not None
        return self.pack

    def context(self, party: int, kind: str) -> bytes:
        key = self.house if party == OURS else self.seats[party].key
        return tables.context(self.game, self.now, party, key, kind, self.own.deal)

    def linear(self, party: int, kind: str, body: Json, positions: list[int], claim: Any = None) -> None:
        """A linear proof of shares of these positions, and of a claim; the shares are kept."""
        own, data = self.own, octets(body.get("shares", ""))
        need(len(data) == 48 * len(positions), "another number of shares")
        shares = [data[i : i + 48] for i in range(0, len(data), 48)]
        pairs = [(own.cards[p][0], D) for p, D in zip(positions, shares, strict=True)]
        if claim is not None:
            hidden = sorted(claim[0])
            claim = ([(own.cards[p][0], own.under(p)) for p in hidden], self.rules.traits, claim[1])
        tables.linear(self.context(party, kind), own.locks[party], pairs, claim, octets(body["proof"]))
        for p, D in zip(positions, shares, strict=True):
            own.shares.setdefault(p, {})[party] = D

    # 20.2: an attempt

    def attempt(self, excluded: set[int]) -> None:
        seats = {*range(len(self.seats))} - self.rules.gone - excluded
        self.pack = Pack(self.deals + 1, excluded)
        self.ask("lock", "all", seats, "link")
        self.owes = "lock"

    def next_mix(self) -> None:
        own = self.own
        left = [seat for seat in own.seats if seat not in own.mixed]
        if left:
            self.ask("mix", "all", {left[0]}, "mix")
        elif own.seats:
            self.ask("share", "together", {*own.seats}, "link")
            self.owes = "share" if self.owned() else ""
        else:
            self.owes = "share" if self.owned() else "deal"

    def owned(self) -> dict[int, int]:
        """20.7: the owner of each position."""
        after = deepcopy(self.rules)
        after.hide()
        return dict(sorted(after.owned().items()))

    def party(self, party: int, kind: str, body: Json) -> None:
        """What a party sends, by its kind."""
        own = self.own
        match kind:
            case "lock":
                need(same(body["deal"], own.deal), "another deal")
                lock, proof = octets(body["lock"], 48), octets(body["proof"])
                tables.linear(self.context(party, kind), lock, [], None, proof)
                own.locks[party] = lock
            case "mix":
                self.mix(party, body)
            case "share":
                self.linear(party, kind, body, [p for p, whose in self.owned().items() if whose != party])
            case "unlock":
                self.unlock(party, body)

    def mix(self, party: int, body: Json) -> None:
        own, n = self.own, len(self.rules.pack)
        h = tables.joint([own.locks[j] for j in sorted(own.locks)])
        before = own.cards or tables.open_pack([self.point[code] for code in self.rules.pack], h)
        data = octets(body["pack"])
        need(len(data) == 96 * n, "another number of cards")
        after = [(data[i : i + 48], data[i + 48 : i + 96]) for i in range(0, len(data), 96)]
        tables.mix(self.context(party, "mix"), h, before, after, octets(body["proof"]))
        own.cards = after
        own.mixed.append(party)

    def unlock(self, party: int, body: Json) -> None:
        _, positions, seek = self.rules.next()
        own = self.own
        mine = sorted(p for p in (positions or seek[0]) if party in own.lockers(p))
        if not seek or party == OURS:
            exactly(body, ("seen shares proof" if party != OURS else "shares proof").split())
            self.linear(party, "unlock", body, mine)
            return
        exactly(body, ("seen", "positions", "proof", *(["shares"] if body["positions"] else [])))
        if not body["positions"]:
            self.linear(party, "unlock", body, [], (mine, seek[1]))
            return
        (position,) = map(whole, body["positions"])
        need(position in mine, "not a card of its hand")
        self.linear(party, "unlock", body, [position])
        code = self.code.get(own.under(position))
        need(code is not None and seek[1] & {*self.rules.has(code)}, "not the card that is sought")
        assert self.asked is not None
        assert code is not None
        self.rules.face[position] = code
        self.asked.seats, own.found = set(), True

    def lay_open(self, positions: Any) -> None:
        """Those of some positions that nobody locks lie open."""
        for position in positions:
            if not self.own.lockers(position):
                code = self.code.get(self.own.under(position))
                need(code is not None, "no card of the pack")
                self.rules.face[position] = code

    # 10.6, as section 20 changes it

    def due(self) -> str | None:
        if self.account is not None:
            return "account"
        if self.owes == "annul":
            return "annul"
        if self.outcome is not None:
            return "result"
        if self.owes:
            return self.owes
        if self.asked is not None:
            return "timeout" if self.first_late(self.asked) is not None else None
        return "deal" if self.links is not None else "turn" if self.rules.next()[0] == "turn" else None

    def first_late(self, step: Step) -> int | None:
        """The seat whose time-out is due at once: it is out, or has no choice."""
        seats = self.rules.gone & step.seats
        if not seats and step.how == "any":
            seats = {seat for seat in step.seats if self.rules.compelled(seat) is not None}
        return min(seats, default=None)

    def settle(self) -> None:
        if not self.owes and self.asked is not None and not self.asked.seats:
            self.close(self.asked)
        if self.owes:
            return
        if self.asked is None and self.outcome is None and self.account is None and not self.over:
            self.agree()
            upcoming = self.rules.next()
            if self.outcome is None and upcoming[0] == "turn":
                self.turning(upcoming[1] or upcoming[2][0], upcoming[1])
            elif self.outcome is None and upcoming[0] == "deal" and self.rules.draws()[1]:
                self.attempt(set())
                return
        super().settle()

    def turning(self, positions: Any, named: Any) -> None:
        """20.8: the cards are unlocked by the seats, then by the house."""
        lockers = set().union(*(self.own.lockers(p) for p in positions))
        if lockers - {OURS}:
            self.own.found = False
            self.ask("unlock", "all", lockers - {OURS}, "link")
        elif lockers:
            self.owes = "unlock"
        else:
            self.lay_open(named or ())

    def close(self, step: Step) -> None:
        own = self.pack
        if own is not None and own.before is not None and own.out:
            self.asked, self.closed, self.owes = None, (step.number, step.opened), "annul"
            return
        if step.kind not in PARTIES:
            super().close(step)
            return
        assert own is not None
        self.asked, self.closed = None, (step.number, step.opened)
        silent = {seat for seat, answer in self.answers.items() if answer == "nothing"}
        if step.kind == "unlock":
            _, _, seek = self.rules.next()
            need(not seek or own.found, "somebody has the card that is sought")
        elif step.kind == "lock" and silent and self.deals == 0 and not own.excluded:
            winners = [i for i in range(len(self.seats)) if i not in silent]
            self.outcome = {"points": self.rules.points, "winners": winners, "reason": "link_withheld"}
        elif step.kind == "lock":
            own.excluded |= silent
            self.owes = "mix"
        elif silent:
            self.attempt(own.excluded | silent)
        elif step.kind == "mix":
            self.next_mix()
        else:
            self.owes = "deal"

    def at_once(self, seat: int, answer: Any) -> None:
        if self.pack is not None and self.pack.before is not None and self.pack.out:
            assert self.asked is not None
            self.answers[seat] = answer
            self.asked.seats.discard(seat)
            return
        super().at_once(seat, answer)

    # The house's entries

    def said(self, entry: Json, body: Json) -> None:
        kind, due = entry["kind"], self.due()
        self.now = entry["step"]
        if kind in PARTIES:
            need(kind == due and entry["step"] == self.step, "not due")
            exactly(body, PARTIES[kind].split())
            self.owes = ""
            self.party(OURS, kind, body)
            if kind == "mix":
                self.next_mix()
            elif kind == "share" and self.asked is None:
                self.owes = "deal"
        elif kind == "deal" and due == "deal" and self.owes == "deal":
            exactly(body, ("deal", "link", "drawn"))
            need(entry["step"] == self.step + 1, "the step")
            self.deal_hidden(entry, body)
        elif kind == "annul":
            need(due == "annul" and entry["step"] == self.step, "not due")
            self.annul(body)
        elif kind == "turn":
            need(due == "turn" and entry["step"] == self.step, "not due")
            exactly(body, ("faces",))
            self.account = self.rules.turn(body["faces"])
        else:
            super().said(entry, body)

    def deal_hidden(self, entry: Json, body: Json) -> None:
        own, n = self.own, len(self.rules.pack)
        right = {"deal": own.deal, "link": None, "drawn": [{"seat": None, "count": n}]}
        need(same(body, right), "another deal")
        own.before, self.owes = deepcopy(self.rules), ""
        self.deals, self.step = own.deal, entry["step"]
        self.rules.hide()
        self.lay_open(range(n))

    def annul(self, body: Json) -> None:
        own = self.own
        seats = sorted((self.rules.gone | own.out) - own.before.gone)
        need(same(body, {"deal": own.deal, "seats": seats}), "another annulment")
        before, self.rules, self.owes, self.pack = own.before, deepcopy(own.before), "", None
        for seat in seats:
            if self.rules.resigned(seat) is not None:
                self.rules = before
                self.outcome = before.ended("withheld", {*seats})
                return

    def late(self, entry: Json, body: Json) -> None:
        step, seat = self.asked, whole(body["seat"])
        need(step is not None and seat in step.seats, "not asked")
        assert step is not None
        need(body["kind"] == step.kind and entry["step"] == step.number, "another step")
        first = self.first_late(step)
        need(first in (None, seat), "another seat comes first")
        gone = seat in self.rules.gone
        if not gone and first is None:
            need(self.at > step.deadlines[seat], "the time is not up")
        if not gone and first == seat and self.at <= step.deadlines[seat]:
            need(same(body["move"], self.rules.compelled(seat)), "another move")
            self.at_once(seat, ("missed", body["move"]))
            return
        in_play = self.pack is not None and self.pack.before is not None
        if in_play and step.kind in ("move", "unlock"):
            move = self.rules.absent(seat) if step.kind == "move" else None
            if move is None:
                need(body["move"] is None, "nobody can move for this seat")
                self.again(step, seat, gone)
                return
        if step.kind in PARTIES:
            need(body["move"] is None, "another move")
            need(gone or not step.held or seat == min(step.seats), "not in seat order")
            self.answers[seat] = "nothing"
            step.seats.discard(seat)
            return
        super().late(entry, body)

    def again(self, step: Step, seat: int, gone: bool) -> None:
        """20.9: the seat is asked again, or is out."""
        own = self.own
        spoken = step.held and any(not isinstance(a, tuple) for a in self.answers.values())
        need(gone or not spoken, "an answer has entered")
        own.late[seat] = own.late.get(seat, 0) + 1
        if gone or own.late[seat] == 3:
            own.out.add(seat)
            step.seats.discard(seat)
            return
        until = self.at + 1000 * self.options["link"]
        step.free[seat] = step.free.get(seat, 0) + until - step.deadlines[seat]
        step.deadlines[seat] = until

    # Players' entries

    def fields(self, kind: str, body: Json) -> str:
        if kind in PARTIES:
            optional = [name for name in ("positions", "shares") if kind == "unlock" and name in body]
            return " ".join((*(PARTIES[kind].split() if kind != "unlock" else ["proof"]), *optional, "seen"))
        more = [name for name in ("shares", "proof") if kind == "move" and name in body]
        return " ".join((super().fields(kind, body), *more))

    def sent(self, entry: Json, body: Json, number: int) -> None:
        self.now = entry["step"]
        super().sent(entry, body, number)

    def answered(self, step: Step, kind: str, body: Json, number: int) -> None:
        if kind == "move":
            self.shown(body, number)
        if kind in PARTIES:
            self.party(number, kind, body)
            step.seats.discard(number)
            return
        super().answered(step, kind, body, number)

    def shown(self, body: Json, number: int) -> None:
        """20.8: what a move must show."""
        move = body["move"]
        self.rules.check(number, move)
        own = self.own
        opens = self.rules.opens(move)
        opened = sorted(p for p in opens if own.lockers(p))
        claim = self.rules.claim(number, move)
        if claim is not None:
            hidden = {p for p in claim[0] if own.lockers(p)} - {*opened}
            claim = (hidden, claim[1]) if hidden else None
        need(("shares" in body) == bool(opened), "shares")
        need(("proof" in body) == (bool(opened) or claim is not None), "a proof")
        if "proof" not in body:
            return
        self.linear(number, "move", body, opened, claim)
        for position in opened:
            need(own.under(position) == self.point[opens[position]], "another card")
