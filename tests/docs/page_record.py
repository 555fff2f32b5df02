"""A second reading of docs/protocol.md, sections 9, 10 and 16: a record, verified from the page alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from tests.docs.page_big_c import BigC
from tests.docs.page_cards import card_texts
from tests.docs.page_games import Chef, Hearts, exactly
from tests.docs.page_proofs import (
    Invalid,
    Stream,
    box_key,
    canonical,
    good_key,
    milliseconds,
    need,
    octets,
    osp,
    reaches,
    read_json,
    same,
    signed,
    th,
    whole,
)
from tests.docs.page_sealing import Place, Seat, deck, opened, seal

Json = Any
GAMES: dict[str, Any] = {"chef": Chef, "hearts": Hearts, "big-c": BigC}
OPEN = "game mode rules options early_links seats house_key envelope_key anchor cards set_digest"
ENTRY = "seq prev at step actor kind body player_signature house_signature"
BODIES = {
    "open": OPEN,
    "ready": "seen",
    "link": "deal link seen",
    "deal": "deal link drawn",
    "move": "move seen",
    "seal": "seal proof seen",
    "reveal": "choice blinding openings seen",
    "turn": "faces",
    "shown": "deal link",
    "timeout": "seat kind move",
    "account": "points lines",
    "away": "from until",
    "annul": "deal seats",
    "resign": "seen",
    "draw": "seen",
    "result": "outcome",
}
HOUSE = {"open", "deal", "turn", "shown", "timeout", "account", "away", "result", "annul"}
CLAUSES = ("away", "links")
WORDS = ("first", "absent", "dealer", "target", "count", "jokers")  # options that are no numbers


@dataclass
class Step:
    """The question that is asked."""

    kind: str
    how: str
    seats: set[int]
    number: int
    opened: int
    seen: int
    at: int
    deadlines: dict[int, int]
    free: dict[int, int] = field(default_factory=dict)
    """Milliseconds before a deadline for which the bank is not charged."""

    @property
    def held(self) -> bool:
        return self.how in ("together", "reveal")


def verified(data: bytes) -> Json:
    """The outcome of a record file; raises `Invalid`."""
    record = read_json(data)
    exactly(record, ("protocol", "entries"))
    need(record["protocol"] == "cloche/v1" and record["entries"], "no record")
    reader = Reader(record["entries"])
    for entry in record["entries"]:
        reader.take(entry)
    need(reader.over, "no result")
    return reader.outcome


class Reader:
    """Section 16, step by step."""

    games, shared = GAMES, tuple[str, ...]()
    """The modes by name; the kinds that seats and the house write."""

    def __init__(self, entries: list[Json]) -> None:
        self.entries = entries
        self.digests: list[bytes] = []
        self.at = self.seq = self.step = self.deals = 0
        self.asked: Step | None = None
        self.closed = (0, 0)
        self.answers: dict[int, Any] = {}
        self.links: dict[int, bytes] | None = None
        self.account: Json = None
        self.outcome: Json = None
        self.over = False
        self.unshown: dict[int, bytes] = {}
        self.away = 0

    def take(self, entry: Json) -> None:
        exactly(entry, ENTRY.split())
        need(not self.over, "something after the result")
        before = self.digests[-1] if self.digests else bytes(64)
        need(same(entry["seq"], len(self.digests)) and octets(entry["prev"]) == before, "the chain")
        need(milliseconds(entry["at"]) >= self.at, "time runs back")
        by_house = entry["actor"] == "house"
        need(by_house == (entry["player_signature"] is None), "who signs")
        need(entry["kind"] in self.shared or by_house == (entry["kind"] in HOUSE), "who says what")
        self.waited = bool(self.digests) and milliseconds(entry["at"]) == self.at
        self.last, self.seq, self.at = self.at, entry["seq"], milliseconds(entry["at"])
        step = self.asked
        self.were_asked = set(step.seats) if step is not None else set()
        digest = th(
            "entry",
            before,
            osp(self.seq, 4),
            entry["at"].encode(),
            osp(whole(entry["step"], high=2**32 - 1), 4),
            entry["actor"].encode(),
            entry["kind"].encode(),
            canonical(entry["body"]),
            b"" if by_house else octets(entry["player_signature"], 64),
        )
        if self.seq == 0:
            self.header(entry)
        elif by_house:
            self.said(entry, entry["body"])
        else:
            need(entry["actor"] in map(str, range(len(self.seats))), "no such seat")
            self.sent(entry, entry["body"], int(entry["actor"]))
        signed(self.house, digest, octets(entry["house_signature"], 64))
        self.digests.append(digest)
        self.charge(step)
        self.settle()

    # 16.2

    def header(self, entry: Json) -> None:
        body = self.open = entry["body"]
        need(entry["kind"] == "open" and entry["step"] == 0, "a record begins with open")
        exactly(body, (OPEN + " clauses" if "clauses" in body else OPEN).split())
        self.clauses = body.get("clauses", [])
        need(isinstance(self.clauses, list) and all(name in CLAUSES for name in self.clauses), "a clause")
        need(self.clauses == sorted({*self.clauses}), "clauses out of order")
        need(isinstance(body["early_links"], bool), "early_links")
        if body["envelope_key"] is not None:
            box_key(octets(body["envelope_key"], 32))
        need(body["mode"] in self.games and body["rules"] == "1", "unknown rules")
        rules = self.games[body["mode"]]
        need(rules.own_decks or not body["early_links"], "early links without seals")
        known, ranges = self.defaults(rules, body["options"])
        self.options = {**known, **body["options"]}
        need(self.options.keys() == known.keys(), "an unknown option")
        for name, value in self.options.items():
            if name == "bank":
                need(whole(value) == 0 or 10 <= value <= 2592000, "a bank")
            elif name not in WORDS:
                low, high = ranges.get(name, (5, 604800))
                need(low <= whole(value) <= high, "a clock, or a number")
        need(self.options.get("first", "first") in ("first", "random"), "an option")
        need(self.options.get("absent", "end") in ("end", "play"), "an option")
        self.game = UUID(body["game"]).bytes
        need(str(UUID(body["game"])) == body["game"], "the game's id")
        for seat in body["seats"]:
            exactly(seat, ("name", "key"))
            need(isinstance(seat["name"], str) and 1 <= len(seat["name"]) <= 200, "a name")
        self.seats = [Seat(octets(seat["key"], 32)) for seat in body["seats"]]
        self.house = octets(body["house_key"], 32)
        for key in (self.house, *(seat.key for seat in self.seats)):
            good_key(key)
        need(len({seat.key for seat in self.seats}) == len(self.seats), "one key twice")
        need(bool(body["cards"]) == rules.own_decks, "cards")
        self.cards = card_texts(body["cards"])
        self.set_digest = th("cards", *map(canonical, body["cards"]))
        need(self.set_digest == octets(body["set_digest"]), "set_digest")
        self.anchor = octets(body["anchor"], 64)
        self.newest = (0, self.anchor)
        self.place = Place(body["game"], self.game, self.house, self.anchor, self.set_digest, self.cards)
        self.rules = rules(len(self.seats), self.options)
        self.ask("enter", "all", set(range(len(self.seats))), "enter", step=0)

    def defaults(self, rules: Any, given: Json) -> tuple[Json, Json]:
        """The options with their defaults, and the ranges of numbers."""
        return rules.options, rules.ranges

    # 10.6

    def ask(self, kind: str, how: str, seats: set[int], clock: str, step: int | None = None) -> None:
        self.step = self.step + 1 if step is None else step
        until = {seat: self.at + self.allowed(seat, how, clock) for seat in seats}
        self.asked = Step(kind, how, set(seats), self.step, self.seq, self.seq, self.at, until)
        self.answers = {}

    def allowed(self, seat: int, how: str, clock: str) -> int:
        """Milliseconds that a seat has for a step."""
        full, bank = 1000 * self.options[clock], 1000 * self.options["bank"]
        if not bank or how not in ("any", "sealed"):
            return int(full)
        return int(min(full, max(bank - self.seats[seat].thought, 5000)))

    def charge(self, step: Step | None) -> None:
        """Thinking time of those whom this entry has let off: `step` is what was asked before it."""
        if step is None or step.how not in ("any", "sealed"):
            return
        for seat in self.were_asked - (step.seats if self.asked is step else set()):
            self.seats[seat].thought += min(self.at, step.deadlines[seat] - step.free.get(seat, 0)) - step.at

    def due(self) -> str | None:
        """The entry of the house that must come now."""
        if self.account is not None:
            return "account"
        if self.outcome is not None:
            return "shown" if self.unshown else "result"
        if self.asked is not None:
            return "timeout" if self.rules.gone & self.asked.seats else None
        if self.links is not None:
            return "deal"
        upcoming = self.rules.next()
        return (
            "turn" if upcoming == ("turn",) else "shown" if upcoming == ("deal",) and self.unshown else None
        )

    def settle(self) -> None:
        """Close what is answered, ask what comes next."""
        if self.asked is not None and not self.asked.seats:
            self.close(self.asked)
        if self.over or self.outcome is not None or self.account is not None:
            return
        self.agree()
        if self.asked is not None or self.due() is not None:
            return
        match self.rules.next():
            case ("over", outcome):
                self.outcome = outcome
            case ("deal", *_):
                known = enumerate(seat.newest for seat in self.seats)
                self.links = {i: link for i, (k, link) in known if k == self.deals + 1}
                self.ask("link", "all", set(range(len(self.seats))) - self.links.keys(), "link")
                if not self.asked.seats:
                    self.close(self.asked)
            case ("ask", how, seats, clock):
                self.ask("seal" if how == "sealed" else "move", how, seats, clock)

    def agree(self) -> None:
        """A draw is agreed on where the offers of all who are not out stand."""
        left = [i for i in range(len(self.seats)) if i not in self.rules.gone]
        if self.rules.next()[0] != "over" and all(self.seats[i].offers for i in left):
            self.outcome = {"points": self.rules.points, "winners": left, "reason": "agreed"}

    def close(self, step: Step) -> None:
        missing = [seat for seat, answer in self.answers.items() if answer == "nothing"]
        sealed = {i for i, seat in enumerate(self.seats) if seat.sealed}
        if step.kind == "seal" and sealed:
            step.kind = step.how = "reveal"
            step.seats, step.seen = sealed, self.seq
            step.at = self.at
            step.deadlines = dict.fromkeys(sealed, self.at + 1000 * self.options["reveal"])
            return
        self.asked, self.closed = None, (step.number, step.opened)
        if step.kind in ("enter", "ready") and missing:
            self.outcome = {"points": [0] * len(self.seats), "winners": [], "reason": "void"}
        elif step.kind == "enter":
            self.ask("ready", "all", set(range(len(self.seats))), "ready")
        elif step.kind == "link" and self.deals == 0 and missing:
            self.links = None
            winners = [i for i in range(len(self.seats)) if i not in missing]
            self.outcome = {"points": self.rules.points, "winners": winners, "reason": "link_withheld"}
        elif step.kind == "link":
            third = {i for i in missing if i not in self.rules.gone and self.seats[i].withheld >= 3}
            if third and "links" in self.clauses:
                self.outcome = self.rules.withheld(third)
                self.links = self.links if self.outcome is None else None
        elif step.kind in ("move", "seal", "reveal"):
            self.account = self.rules.play(dict(sorted(self.answers.items())))
            for seat in self.seats:
                seat.sealed = None

    def at_once(self, seat: int, answer: Any) -> None:
        """An answer to an ask of any: the step goes on if it only took its seat from those asked."""
        step = self.asked
        assert step is not None
        phase = self.rules.phase
        self.account = self.rules.play({seat: answer})
        upcoming = self.rules.next()
        goes_on = self.account is None and self.rules.phase == phase and upcoming[0] == "ask"
        if goes_on and upcoming[2] == step.seats - {seat}:
            step.seats = set(upcoming[2])
        else:
            self.asked, self.closed = None, (step.number, step.opened)

    def said(self, entry: Json, body: Json) -> None:
        kind, due = entry["kind"], self.due()
        exactly(body, BODIES[kind].split())
        if kind == "timeout":
            need(due in (None, "timeout"), "something else is due")
            self.late(entry, body)
            return
        if kind == "away":
            need(due is None and self.asked is not None, "nobody's clock runs")
            self.was_away(entry, body)
            return
        need(kind == due, "not due")
        need(entry["step"] == self.step + (kind == "deal"), "the step")
        match kind:
            case "account":
                need(same(body, self.account), "the account")
                self.account = None
            case "result":
                need(same(body["outcome"], self.outcome), "the outcome")
                self.over = True
            case "turn":
                self.rules.turn(body["faces"])
            case "shown":
                k = min(self.unshown)
                link = self.unshown.pop(k)
                need(same(body["deal"], k) and octets(body["link"]) == link, "shown out of order")
                self.newest = (k, link)
            case "deal":
                self.deal(entry, body)

    def deal(self, entry: Json, body: Json) -> None:
        k, links = self.deals + 1, self.links
        assert links is not None
        draws, secret = self.rules.draws()
        need(same(body["deal"], k) and (body["link"] is None) == secret, "the deal")
        link = self.later(k) if secret else octets(body["link"], 64)
        reaches(link, k, self.newest)
        if secret:
            self.unshown[k] = link
        else:
            self.newest = (k, link)
        every = [links[i] for i in range(len(self.seats))]
        if k == 1:
            commitments = [seat.digest or seat.anchor for seat in self.seats]
            self.seed = th("seed", self.game, self.anchor, *commitments, *every)
        drawn, told = [], []
        for seat, pool, count in draws:
            whose = (*every, osp(255, 1)) if seat is None else (links[1 - seat], osp(seat, 1))
            found = Stream(self.seed, osp(k, 2), link, *whose).draw(pool, count)
            drawn.append((seat, found))
            told.append({"seat": seat, "count": len(found)} | ({} if seat is None else {"positions": found}))
        need(same(body["drawn"], told), "another draw")
        self.deals, self.links, self.step = k, None, entry["step"]
        self.rules.dealt(drawn)

    def was_away(self, entry: Json, body: Json) -> None:
        """Section 10.6, absences."""
        step = self.asked
        assert step is not None
        need("away" in self.clauses and entry["step"] == step.number, "no absence here")
        began, ended = milliseconds(body["from"]), milliseconds(body["until"])
        need(self.last <= began < ended <= self.at, "the times of an absence")
        self.away += max(ended - began, 30_000)
        need(self.away <= 86_400_000, "more than a day")
        for seat in step.seats:
            left = step.deadlines[seat] - began
            if left >= 0:
                step.deadlines[seat] = ended + max(left, 30_000)
                step.free[seat] = step.free.get(seat, 0) + max(30_000 - left, 0)
        step.at += ended - began

    def later(self, k: int) -> bytes:
        """The house's link of a secret deal, from the `shown` to come."""
        for entry in self.entries:
            if entry["kind"] == "shown" and entry["body"].get("deal") == k:
                return octets(entry["body"]["link"], 64)
        raise Invalid("a deal that is never shown")

    def late(self, entry: Json, body: Json) -> None:
        step, seat = self.asked, whole(body["seat"])
        need(step is not None and seat in step.seats, "not asked")
        assert step is not None
        need(body["kind"] == step.kind and entry["step"] == step.number, "another step")
        out = self.rules.gone & step.seats
        need(not out or seat == min(out), "a seat that is out comes first")
        need(out or self.at > step.deadlines[seat], "the time is not up")
        need(out or not step.held or seat == min(step.seats), "not in seat order")
        expected = self.rules.absent(seat) if step.kind == "move" else None
        need(same(body["move"], expected), "another move")
        if step.how == "any":
            self.at_once(seat, ("missed", body["move"]))
            return
        if step.kind == "reveal":
            self.seats[seat].owed = self.seats[seat].sealed
            assert self.seats[seat].owed is not None
            self.seats[seat].owed.since = self.seq
        if step.kind == "link":
            assert self.links is not None
            self.links[seat] = b""
            self.seats[seat].withheld += seat not in self.rules.gone
        names = {"seal": "seal", "reveal": "opening", "move": ("missed", body["move"])}
        self.answers[seat] = names.get(step.kind, "nothing")
        step.seats.discard(seat)

    def sent(self, entry: Json, body: Json, number: int) -> None:
        kind, seat, step = entry["kind"], self.seats[number], self.asked
        exactly(body, self.fields(kind, body).split())
        need(self.outcome is None and self.due() is None, "nobody may speak now")
        need(number not in self.rules.gone, "this seat is out")
        owed = kind == "reveal" and seat.owed is not None and seat.owed.step == entry["step"]
        digest = th(
            "message", self.game, osp(entry["step"], 4), osp(number, 1), kind.encode(), canonical(body)
        )
        signed(seat.key, digest, octets(entry["player_signature"]))
        if owed:
            assert seat.owed is not None
            self.seen(body, seat.owed.since)
            need(body.get("link") is None, "an owed reveal with a link")
            self.rules.late(number, opened(self.place, seat, body, seat.owed))
            seat.owed = None
        elif kind in ("resign", "draw"):
            self.from_outside(entry, body, number)
        else:
            need(step is not None and step.number == entry["step"], "another step")
            assert step is not None
            need(step.kind == kind and number in step.seats, "not asked")
            need(not step.held or number == min(step.seats), "not in seat order")
            need(step.held or self.waited or self.at <= step.deadlines[number], "too late")
            need(kind != "seal" or seat.owed is None, "a reveal is owed")
            enclosed = kind == "reveal" and seat.sealed is not None and seat.sealed.enclosed
            self.seen(body, step.opened if enclosed else step.seen)
            self.answered(step, kind, body, number)

    def fields(self, kind: str, body: Json) -> str:
        """The fields of a player's body."""
        own = " certificate positions proof" if self.rules.own_decks else ""
        more = " link" if kind == "reveal" and self.open["early_links"] else ""
        if kind == "seal" and self.open["envelope_key"] and "envelope" in body:
            more = " envelope"
        return f"anchor seen{own}" if kind == "enter" else BODIES[kind] + more

    def seen(self, body: Json, oldest: int) -> None:
        exactly(body["seen"], ("seq", "digest"))
        seq = whole(body["seen"]["seq"])
        need(oldest <= seq < len(self.digests), "seen too old, or not yet written")
        need(octets(body["seen"]["digest"]) == self.digests[seq], "seen elsewhere")

    def from_outside(self, entry: Json, body: Json, number: int) -> None:
        """Resign and draw."""
        seat, step = self.seats[number], self.asked
        need(self.deals > 0 and entry["step"] in (self.step, self.closed[0]), "not now")
        running = step is not None and step.number == entry["step"]
        self.seen(body, step.opened if step is not None and running else self.closed[1])
        if entry["kind"] == "resign":
            self.outcome = self.rules.resigned(number)
            return
        need(not seat.offers and entry["step"] > seat.offered, "offered already")
        seat.offers, seat.offered = True, entry["step"]

    def answered(self, step: Step, kind: str, body: Json, number: int) -> None:
        seat = self.seats[number]
        match kind:
            case "enter":
                seat.anchor = octets(body["anchor"], 64)
                seat.newest = (0, seat.anchor)
                if self.rules.own_decks:
                    deck(self.place, seat, number, body)
            case "link":
                need(same(body["deal"], self.deals + 1), "another deal")
                link = octets(body["link"], 64)
                reaches(link, body["deal"], seat.newest)
                seat.newest = (body["deal"], link)
                assert self.links is not None
                self.links[number] = link
            case "seal":
                seat.offers = False
                seal(self.place, seat, number, body, step.number, self.rules.packing(number))
            case "reveal":
                assert seat.sealed is not None
                self.answers[number] = opened(self.place, seat, body, seat.sealed)
                if body.get("link") is not None:
                    self.early(seat, octets(body["link"], 64))
            case "move":
                seat.offers = False
                self.rules.check(number, body["move"])
                if step.how == "any":
                    self.at_once(number, body["move"])
                    return
                self.answers[number] = body["move"]
        step.seats.discard(number)

    def early(self, seat: Seat, link: bytes) -> None:
        """Section 7: the link of the next deal, with a reveal."""
        if seat.newest[0] == self.deals + 1:
            need(link == seat.newest[1], "another link than before")
        else:
            reaches(link, self.deals + 1, seat.newest)
            seat.newest = (self.deals + 1, link)
