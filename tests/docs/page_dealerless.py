"""A second reading of docs/protocol.md, section 20: a record of a table where nobody deals.

It continues `page_record`, and imports nothing of ours.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.docs import page_tables as tables
from tests.docs.page_big_c_hidden import HiddenBigC
from tests.docs.page_cribbage import Cribbage
from tests.docs.page_flip import HiddenFlip
from tests.docs.page_games import exactly
from tests.docs.page_hearts_hidden import HiddenHearts
from tests.docs.page_packs import OURS, Pack
from tests.docs.page_proofs import need, octets, read_json, same, whole
from tests.docs.page_record import Reader, Step

Json = Any
GAMES: dict[str, Any] = {
    "hearts": HiddenHearts,
    "cribbage": Cribbage,
    "flip": HiddenFlip,
    "big-c": HiddenBigC,
}
PARTIES = {"lock": "deal lock proof", "mix": "pack proof", "share": "shares proof", "unlock": "shares proof"}


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

    def points(self, codes: list[str]) -> dict[str, bytes]:
        """20.3: the points of the different faces of a pack, which are numbered in canonical order."""
        numbered = enumerate(dict.fromkeys(codes), 1)
        return {code: tables.face(k, self.rules.has(code)) for k, code in numbered}

    @property
    def own(self) -> Pack:
        assert self.pack is not None
        return self.pack

    def context(self, party: int, kind: str, deal: int | None = None) -> bytes:
        key = self.house if party == OURS else self.seats[party].key
        return tables.context(self.game, self.now, party, key, kind, deal or self.own.deal)

    def linear(self, party: int, kind: str, body: Json, positions: list[int], claim: Any = None) -> None:
        """Linear proofs of shares of these positions, and of a claim, a deal each; the shares are kept."""
        own, data = self.own, octets(body.get("shares", ""))
        need(len(data) == 48 * len(positions), "another number of shares")
        share = {p: data[48 * i : 48 * i + 48] for i, p in enumerate(positions)}
        claimed = sorted(claim[0]) if claim is not None else []
        packs = [pack for pack in own.all if any(own.of(p) is pack for p in (*share, *claimed))] or [own]
        proof = octets(body["proof"])
        for pack in packs:
            pairs = [(pack.pair(p)[0], D) for p, D in share.items() if own.of(p) is pack]
            about = [(pack.pair(p)[0], own.under(p)) for p in claimed if own.of(p) is pack]
            said = (about, self.rules.traits, claim[1]) if about else None
            scalars = 1 + (1 + len({*self.rules.traits} - claim[1]) if about else 0)
            size = 48 * (1 + bool(pairs) + bool(about)) + 32 * scalars
            part, proof = (proof, b"") if pack is packs[-1] else (proof[:size], proof[size:])
            tables.linear(self.context(party, kind, pack.deal), pack.locks[party], pairs, said, part)
        for p, D in share.items():
            own.of(p).shares.setdefault(p, {})[party] = D

    # 20.2: an attempt

    def attempt(self, excluded: set[int]) -> None:
        seats = {*range(len(self.seats))} - self.rules.gone - excluded
        codes, first = self.rules.cards() if hasattr(self.rules, "cards") else (self.rules.pack, 0)
        older = []
        if first and self.pack is not None:
            older = self.pack.all if self.pack.before is not None else self.pack.older
        self.pack = Pack(self.deals + 1, excluded, codes, first, self.points(codes), older)
        if len(codes) == 1:
            self.pack.cards, self.owes = tables.open_pack([*self.pack.point.values()], tables.NOTHING), "deal"
            return
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
        """20.7: the owner of each position of this attempt."""
        after = deepcopy(self.rules)
        after.hide()
        dealt = range(self.own.first, self.own.first + len(self.own.codes))
        return {p: seat for p, seat in sorted(after.owned().items()) if p in dealt}

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
        own, n = self.own, len(self.own.codes)
        h = tables.joint([own.locks[j] for j in sorted(own.locks)])
        before = own.cards or tables.open_pack([own.point[code] for code in own.codes], h)
        data = octets(body["pack"])
        need(len(data) == 96 * n, "another number of cards")
        after = [(data[i : i + 48], data[i + 48 : i + 96]) for i in range(0, len(data), 96)]
        tables.mix(self.context(party, "mix"), h, before, after, octets(body["proof"]))
        own.cards = after
        own.mixed.append(party)

    def unlock(self, party: int, body: Json) -> None:
        positions, keepers, traits = self.wanted() or ([], {}, set())
        own = self.own
        mine = [p for p in positions if party in own.lockers(p) and keepers.get(p) != party]
        if not traits or party == OURS:
            exactly(body, ("seen shares proof" if party != OURS else "shares proof").split())
            self.linear(party, "unlock", body, mine)
            return
        exactly(body, ("seen", "positions", "proof", *(["shares"] if body["positions"] else [])))
        if not body["positions"]:
            self.linear(party, "unlock", body, [], (mine, traits))
            own.kept |= {*mine}
            return
        (position,) = map(whole, body["positions"])
        need(position in mine, "not a card of its hand")
        self.linear(party, "unlock", body, [position])
        code = own.face(position)
        need(code is not None and traits & {*self.rules.has(code)}, "not the card that is sought")
        assert self.asked is not None
        assert code is not None
        self.rules.face[position] = code
        self.asked.seats, own.found = set(), True

    def wanted(self) -> tuple[list[int], dict[int, int], set[str]] | None:
        """20.8: the positions to be unlocked, whose own lock stays on, and the traits that are sought."""
        own, rules = self.own, self.rules
        keepers = rules.owned()
        drawn = sorted(p for p, seat in keepers.items() if own.lockers(p) - {seat})
        if drawn:
            return drawn, keepers, set()
        upcoming = rules.next()
        if upcoming[0] != "turn":
            return None
        _, positions, more = upcoming
        if positions is not None:
            return sorted(positions), {}, set()
        if more[0] != "take":
            return sorted(p for p in more[0] if own.lockers(p)), {}, more[1]
        _, seat, pile, traits = more
        for p in pile:
            if p in own.kept or (p in rules.face and not {*rules.has(rules.face[p])} & traits):
                continue
            if p in rules.face:
                return [p], {}, set()
            return ([p], {}, traits) if own.lockers(p) == {seat} else ([p], {p: seat}, set())
        return [], {}, set()

    def lay_open(self, positions: Any) -> None:
        """Those of some positions that nobody locks lie open."""
        for position in positions:
            if not self.own.lockers(position):
                code = self.own.face(position)
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
            if self.outcome is None and upcoming[0] in ("turn", "ask") and self.in_play:
                self.unlocking()
                if self.owes:
                    return
            elif self.outcome is None and upcoming[0] == "deal" and self.rules.draws()[1]:
                self.attempt(set())
                return
        super().settle()

    @property
    def in_play(self) -> bool:
        return self.pack is not None and self.pack.before is not None

    def unlocking(self) -> None:
        """20.8: cards are unlocked by the seats, then by the house."""
        own = self.own
        while True:
            self.lay_open(p for p in self.rules.owned() if p not in self.rules.face)
            positions, keepers, _ = self.wanted() or ([], {}, set())
            lockers = {party for p in positions for party in own.lockers(p) - {keepers.get(p)}}
            if lockers - {OURS}:
                own.found = False
                self.ask("unlock", "all", lockers - {OURS}, "link")
                return
            if lockers:
                self.owes = "unlock"
                return
            hidden = [p for p in positions if p not in self.rules.face]
            self.lay_open(hidden)
            if not hidden:
                return

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
            upcoming = self.rules.next()
            seeks = upcoming[0] == "turn" and upcoming[1] is None and upcoming[2][0] != "take"
            need(not seeks or own.found, "somebody has the card that is sought")
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
        if self.in_play and self.own.out:
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
            _, positions, more = self.rules.next()
            if positions is None and more[0] == "take":
                face, has = self.rules.face, self.rules.has
                fit = [p for p in more[2] if p in face and {*has(face[p])} & more[3]][:1]
                right = [{"position": p, "card": face[p]} for p in fit]
                need(same(body["faces"], right), "another card is turned up")
            self.account = self.rules.turn(body["faces"])
            self.own.kept = set()
        else:
            super().said(entry, body)

    def deal_hidden(self, entry: Json, body: Json) -> None:
        own, n = self.own, len(self.own.codes)
        right = {"deal": own.deal, "link": None, "drawn": [{"seat": None, "count": n}]}
        need(same(body, right), "another deal")
        own.before, self.owes = deepcopy(self.rules), ""
        if own.older:
            last = own.older[-1]
            own.before, own.late, own.out = last.before, last.late, last.out
        self.deals, self.step = own.deal, entry["step"]
        self.rules.hide()
        self.lay_open(range(own.first, own.first + n))

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
        if self.in_play and step.kind in ("move", "unlock"):
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
            need(own.face(position) == opens[position], "another card")
