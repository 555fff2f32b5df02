"""Matches over HTTP in one process: guests at a house's seats; tasks and clock are moved by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sqlmodel import select
from werkzeug.test import TestResponse

from crypto.encoding import b64, parse_timestamp, unb64
from player.due import Choose, answer, due, seen
from player.seat import OwnSeat, SealedChoice
from referee import Game, Message, Receipt, apply, read_entry
from referee.checks import Checks, Remembering
from referee.faces import read_faces
from referee.message import receipt_holds
from service.models import BotNote, Copy, GameEntry, GameRow, GameSeat, Submission
from service.operations import games
from service.runtime import Runtime
from tests.service.service_kit import Guest
from worker import bots
from worker.envelopes import Opener

FAR = 400
"""Steps after which a match that has not ended is at fault."""


def at_random(rng: Random, seat: int) -> Choose:
    """Any legal choice."""
    return lambda game: game.rules.legal(seen(game, seat).state, seat).sample(rng)


def deck_id(guest: Guest) -> str:
    """The id of a guest's starter deck."""
    return str(guest.get("/decks").json["items"][0]["id"])


def deck_of(guest: Guest, house: Runtime) -> tuple[Any, ...]:
    """The cards of a guest's starter deck, by number."""
    listed = guest.get("/decks").json["items"][0]["cards"]
    counts = {house.catalog.by_slug(slug): count for slug, count in listed.items()}
    return tuple(card for card in sorted(counts, key=lambda card: card.number) for _ in range(counts[card]))


@dataclass
class Chair:
    """A guest at a seat, who follows the record over HTTP and believes nothing else."""

    guest: Guest
    game_id: str
    seat: OwnSeat
    choose: Choose
    kept: SealedChoice | None = None
    sent: set[tuple[int, str]] = field(default_factory=set)
    receipts: list[tuple[Message, Receipt]] = field(default_factory=list)
    _game: Game | None = None
    envelope: bool = False
    """True if its seals enclose their reveal."""
    checks: Checks = field(default_factory=Remembering)
    """How its fold checks. The chairs of a match share it: what one has checked, no other checks again."""
    leaves: frozenset[str] = frozenset()
    """Kinds of messages that it never sends: it is away then."""

    @property
    def game(self) -> Game:
        """The guest's own fold."""
        assert self._game is not None, "nothing was fetched yet"
        return self._game

    @property
    def number(self) -> int:
        """The seat's number."""
        return self.seat.number

    @property
    def path(self) -> str:
        """The path that messages go to and entries come from."""
        return f"/games/{self.game_id}/entries"

    def catch_up(self) -> Game:
        """Fetch and judge what is new."""
        more = True
        while more:
            after = -1 if self._game is None else self._game.seq
            shown = self.guest.get(f"{self.path}?after={after}")
            assert shown.status_code == 200, shown.text
            for data in shown.json["entries"]:
                self._game = apply(self._game, read_entry(data), self.checks)
            more = shown.json["more"]
        self._game = self.game.knowing(self.seat.faces)
        if not self.game.rules.facts.own_decks and not self.game.over:
            self._learn()
        return self.game

    def _learn(self) -> None:
        """One's own cards of a house pack, by the house's signed word."""
        for statement in self.guest.get(f"/games/{self.game_id}/faces").json["faces"]:
            deal, faces = read_faces(self.game.header, self.number, statement)
            assert deal in self.game.unshown
            known = self.game.state.faces
            assert all(known.get(position, face) == face for position, face in faces.items())
            self._game = self.game.knowing(faces)

    def due(self, game: Game | None = None) -> tuple[int, str] | None:
        """Return what is asked of this seat and was not sent yet, by a fold or (None) by its own."""
        wanted = due(game or self.game, self.number, self.kept)
        if wanted is None or wanted in self.sent or wanted[1] in self.leaves:
            return None
        return wanted

    def certify(self, seed: bytes) -> Mapping[str, Any]:
        """The house's certificate of this seat's deck."""
        body = {"seat": self.number, "seed": b64(seed)}
        given = self.guest.post(f"/games/{self.game_id}/certificate", body)
        assert given.status_code == 200, given.text
        return given.json

    def message(self) -> Message:
        """Build the due message as any player does; a seal's secrets are kept."""
        built = answer(self.game, self.seat, self.choose, self.certify, self.kept, self.envelope)
        assert built is not None, "nothing is due"
        message, self.kept = built
        return message

    def post(self, message: Message | Mapping[str, Any]) -> TestResponse:
        """Send anything."""
        return self.guest.post(self.path, message.json() if isinstance(message, Message) else dict(message))

    def send(self, message: Message | None = None) -> dict[str, Any]:
        """Send a message (by default what is due), which must be accepted; the answer."""
        message = message or self.message()
        answered = self.post(message)
        assert answered.status_code == 201, answered.text
        self.sent.add((message.step, message.kind))
        given = answered.json["receipt"]
        receipt = Receipt(unb64(given["message"]), parse_timestamp(given["at"]), unb64(given["signature"]))
        assert receipt.message == message.digest
        assert receipt_holds(receipt, self.game.header.house_key)
        self.receipts.append((message, receipt))
        return answered.json


@dataclass
class Match:
    """A game at a house, and the guests who play it."""

    house: Runtime
    clock: list[int]
    id: str
    chairs: list[Chair]
    rng: Random
    opener: Opener | None = None
    """The worker that opens envelopes, if there is one."""

    @property
    def fold(self) -> Game:
        """The game as the house knows it."""
        with self.house.read() as session:
            return games.fold_of(session, games.row_of(session, self.id))

    def work(self) -> None:
        """Do what the workers would: bots move, complete steps close, until nothing is left to do now."""
        done = 1
        while done:
            done = bots.move(self.house, self.id)
            done += self.opener.open(self.id) if self.opener else 0
            done += games.resolve(self.house, self.id)

    def next(self, rng: Random) -> Chair | None:
        """One of the guests who have something to send, with all entries there are."""
        fold = self.fold
        able = [chair for chair in self.chairs if chair.due(fold) is not None]
        if not able:
            return None
        chair = rng.choice(able)
        chair.catch_up()
        assert chair.due() == chair.due(fold), "house and guest agree on what is due"
        return chair

    def step(self) -> Chair | None:
        """One guest whose turn it is sends what is due; without one, the time of the step passes.

        The others fetch what is new when it is their turn, or when the game is over.
        """
        self.clock[0] += 250
        chair = self.next(self.rng)
        if chair is not None:
            chair.send()
        elif not self.fold.over:
            self.lapse()
        self.work()
        return chair

    def lapse(self) -> None:
        """The running step's time passes."""
        asking = self.fold.asking
        assert asking is not None, "nothing is asked"
        self.clock[0] = asking.deadline + 1 + games.GRACE_MS
        self.work()

    def until(self, kind: str) -> Game:
        """Play to the next step that asks for `kind`; the house's fold."""
        for _ in range(FAR):
            game = self.fold
            if game.asking is not None and game.asking.kind == kind:
                break
            self.step()
        else:
            raise AssertionError(f"{kind} is never asked for")
        for chair in self.chairs:
            chair.catch_up()
        return self.fold

    def play(self, each: Callable[[], object] = lambda: None) -> Game:
        """Play to the end, looking at `each` after every request; the house's fold."""
        for _ in range(FAR * 20):
            if (fold := self.fold).over:
                for chair in self.chairs:
                    assert chair.catch_up().digest == fold.digest
                return fold
            self.step()
            each()
        raise AssertionError("the game does not end")


def sit_down(
    house: Runtime,
    clock: list[int],
    guests: Sequence[Guest],
    mode: str = "chef",
    seed: int = 0,
    bots: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    choose: Callable[[Random, int], Choose] = at_random,
    **more: Any,
) -> Match:
    """The first guest opens a table (`more` goes into its body), the others join; all by HTTP."""
    rng = Random(f"{mode} {seed}")
    own = mode == "chef"
    body = {
        "mode": mode,
        "seats": len(guests) + len(bots),
        "bots": list(bots),
        "options": options or {},
        **more,
    }
    made = guests[0].post("/tables", {**body, **({"deck": deck_id(guests[0])} if own else {})})
    assert made.status_code == 201, made.text
    table = made.json
    invitation = table["invitation"]
    for guest in guests[1:]:
        asked = {"invitation": invitation, **({"deck": deck_id(guest)} if own else {})}
        joined = guest.post(f"/tables/{table['id']}/join", asked)
        assert joined.status_code == 200, joined.text
        table = joined.json
    assert table["state"] == "playing"
    return follow(house, clock, guests, table["game"], rng, mode, choose)


def follow(
    house: Runtime,
    clock: list[int],
    guests: Sequence[Guest],
    game_id: str,
    rng: Random,
    mode: str = "chef",
    choose: Callable[[Random, int], Choose] = at_random,
) -> Match:
    """The guests at their seats of a game that has begun, wherever they sit."""
    own = mode == "chef"
    numbers = [guest.get(f"/games/{game_id}").json["seat"] for guest in guests]
    chairs: list[Chair] = []
    checks = Remembering()
    for number, guest in zip(numbers, guests, strict=True):
        deck = deck_of(guest, house) if own else ()
        seat = OwnSeat(number, guest.private, rng.randbytes(32), deck)
        chairs.append(Chair(guest, game_id, seat, choose(rng, number), checks=checks))
    match = Match(house, clock, game_id, chairs, rng)
    match.work()
    for chair in chairs:
        chair.catch_up()
    return match


def frozen(house: Runtime, game_id: str) -> str:
    """Everything that the database holds of a game, as text."""
    tables = (GameEntry, GameSeat, Submission, BotNote)
    with house.read() as session:
        rows: list[Any] = [games.row_of(session, game_id)]
        for table in tables:
            found = [row.model_dump() for row in session.exec(select(table).where(table.game_id == game_id))]
            rows += sorted(found, key=repr)
        held = session.exec(select(Copy.id).where(Copy.held_by == game_id))
        rows += [sorted(held)]
    assert isinstance(rows[0], GameRow)
    return json.dumps([rows[0].model_dump(), *rows[1:]], sort_keys=True, default=str)
