"""Matches whose players are all driven from here, at any house that can be called."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.turns.wsgi import JsonResponse, Request, expect
from cards.catalog import card_sets
from cards.games import find
from cards.games.contract import Move
from crypto.encoding import b64, unb64
from crypto.identity import new_private_key, public_key
from player.due import answer, due, seen
from player.seat import OwnSeat, SealedChoice
from referee import Game, Message, Trusting, all_options, apply, read_entry
from referee.faces import read_faces
from referee.sign_in import write_registration

Call = Callable[[Request], JsonResponse]
PASSWORD = "a long password for a load"  # noqa: S105 - of players who exist for a measurement
HOUR = 3_600
SETTING_UP = 2_000
"""Messages after which a match that asks for no choice is at fault."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A registered player."""

    private: bytes
    token: str
    deck: str | None
    """The id of the starter deck."""
    starter: str
    """The slug of the starter deck."""


def register(call: Call, starter: str = "trattoria") -> Visitor:
    """Register a player under a new name. Raises `RequestRefused`."""
    private, handle = new_private_key(), f"load-{secrets.token_hex(8)}"
    shown = expect(call(Request("GET", "/house")), 200, "the house").json["house_key"]
    proof = write_registration(private, unb64(shown, 32), handle)
    key = b64(public_key(private))
    body = {"handle": handle, "password": PASSWORD, "key": key, "proof": proof, "starter": starter}
    expect(call(Request("POST", "/players", body=body)), 201, "a registration")
    asked = {"handle": handle, "password": PASSWORD, "label": "load"}
    token = expect(call(Request("POST", "/tokens", body=asked)), 201, "a token").json["token"]
    decks = expect(call(Request("GET", "/decks", token)), 200, "the decks").json["items"]
    return Visitor(private, token, decks[0]["id"] if decks else None, starter)


@dataclass
class DrivenMatch:
    """A game, the seats that play it, and one fold of its record for all of them."""

    call: Call
    id: str
    seats: Sequence[OwnSeat]
    visitors: Sequence[Visitor]
    """The players by seat."""
    rng: Random
    game: Game
    """The fold, with the cards that its seats know."""
    tend: Callable[[str], object] = lambda game: None
    """The function that does what a worker does by itself: it closes steps that are complete."""
    kept: dict[int, SealedChoice | None] = field(default_factory=dict)
    sent: set[tuple[int, str, int]] = field(default_factory=set)
    """The messages that were sent: step, kind, seat."""

    @property
    def path(self) -> str:
        """The path that messages go to and entries come from."""
        return f"/games/{self.id}/entries"

    def post(self, message: Message) -> Request:
        """Make the request that sends a message."""
        return Request("POST", self.path, self.visitors[message.seat].token, message.json())

    def read(self, seat: int, after: int) -> Request:
        """Make the request by which a seat reads the entries after one."""
        return Request("GET", f"{self.path}?after={after}&wait=0", self.visitors[seat].token)

    def take(self, entries: Sequence[Any]) -> None:
        """Fold new entries, and skip those that were folded before."""
        for data in entries:
            if data["seq"] > self.game.seq:
                self.game = apply(self.game, read_entry(data), Trusting())

    def catch_up(self) -> Game:
        """Read and fold what is new, and learn each seat's own cards."""
        more = True
        while more:
            told = expect(self.call(self.read(0, self.game.seq)), 200, "new entries").json
            self.take(told["entries"])
            more = told["more"]
        for seat in self.lacking():
            self.know(seat, expect(self.call(self.faces(seat)), 200, "faces").json["faces"])
        return self.game

    def lacking(self) -> list[int]:
        """Return the seats that may see cards of the house's pack that this fold does not know yet."""
        game = self.game
        if game.rules.facts.own_decks or game.over:
            return []
        known = game.state.faces.keys()
        return [seat.number for seat in self.seats if not game.rules.sees(game.state, seat.number) <= known]

    def faces(self, seat: int) -> Request:
        """Make the request for the house's statements of a seat's own cards."""
        return Request("GET", f"/games/{self.id}/faces", self.visitors[seat].token)

    def know(self, seat: int, statements: Sequence[Any]) -> None:
        """Add a seat's own cards to the fold."""
        for statement in statements:
            _, faces = read_faces(self.game.header, seat, statement)
            self.game = self.game.knowing(faces)

    def due(self) -> list[int]:
        """Return the seats that are asked and have not answered."""
        found = []
        for seat in self.seats:
            wanted = due(self.game, seat.number, self.kept.get(seat.number))
            if wanted is not None and (*wanted, seat.number) not in self.sent:
                found.append(seat.number)
        return found

    def message(self, number: int, move: Move | None = None) -> Message:
        """Build what a seat that is due sends, as any player's client builds it: `move`, or one at random.

        Raises ValueError for a seat that is asked for nothing.
        """
        seat, given = self.seats[number], move

        def choose(game: Game) -> Move:
            if given is not None:
                return given
            move: Move = game.rules.legal(seen(game, number).state, number).sample(self.rng)
            return move

        def certify(seed: bytes) -> Mapping[str, Any]:
            body = {"seat": number, "seed": b64(seed)}
            path, token = f"/games/{self.id}/certificate", self.visitors[number].token
            certified = expect(self.call(Request("POST", path, token, body)), 200, "a certificate")
            found: dict[str, Any] = certified.json
            return found

        built = answer(self.game, seat, choose, certify, self.kept.get(number))
        if built is None:
            raise ValueError(f"Seat {number} is asked for nothing.")
        message, self.kept[number] = built
        self.sent.add((message.step, message.kind, number))
        return message

    def until(self, kind: str) -> bool:
        """Play on until every seat that is due is asked for `kind`; False if the match ends before."""
        for _ in range(SETTING_UP):
            game = self.catch_up()
            if game.over:
                return False
            if game.asking is not None and game.asking.kind == kind and self.due():
                return True
            for number in self.due():
                message = self.message(number)
                expect(self.call(self.post(message)), 201, f"a {message.kind}")
                if game.asking is not None and not game.asking.held:
                    break  # others may be asked for something else by now
            self.tend(self.id)
        raise AssertionError(f"{kind} is never asked for")


def patient(mode: str) -> dict[str, int]:
    """List a table's clocks, each an hour long: many matches sit down before the first is played."""
    clocks = (option for option in all_options(find(mode)) if option.kind == "seconds" and option.default)
    return {option.name: HOUR for option in clocks}


def sit_down(
    call: Call,
    visitors: Sequence[Visitor],
    mode: str,
    rng: Random,
    tend: Callable[[str], object] = lambda game: None,
    options: Mapping[str, Any] | None = None,
    *,
    public: bool = False,
    rated: bool = False,
) -> DrivenMatch:
    """Begin a match between these players, which everybody may watch if `public`. Raises `RequestRefused`."""
    first, *others = visitors
    own = find(mode).facts.own_decks
    chosen = {**patient(mode), **(options or {})}
    body = {"mode": mode, "seats": len(visitors), "options": chosen, "bots": [], "rated": rated}
    asked = {**body, "deck": first.deck if own else None, "private": True, "spectators": public}
    table = expect(call(Request("POST", "/tables", first.token, asked)), 201, "a table").json
    for visitor in others:
        join = {"invitation": table["invitation"], "deck": visitor.deck if own else None}
        path = f"/tables/{table['id']}/join"
        table |= expect(call(Request("POST", path, visitor.token, join)), 200, "a seat").json
    if table["game"] is None:
        raise AssertionError("the last seat begins the game")
    seated = list(visitors)
    for visitor in visitors:
        shown = expect(call(Request("GET", f"/games/{table['game']}", visitor.token)), 200, "the game")
        seated[shown.json["seat"]] = visitor
    seats = [
        OwnSeat(number, visitor.private, rng.randbytes(32), tuple(_deck(visitor)) if own else ())
        for number, visitor in enumerate(seated)
    ]
    first_read = Request("GET", f"/games/{table['game']}/entries?after=-1&wait=0", first.token)
    opening, *entries = expect(call(first_read), 200, "the first entries").json["entries"]
    game = apply(None, read_entry(opening), Trusting())
    match = DrivenMatch(call, table["game"], seats, seated, rng, game, tend)
    match.take(entries)
    return match


def _deck(visitor: Visitor) -> Iterator[Any]:
    known = card_sets.load()
    for number, count in sorted(known.starters[visitor.starter].counts.items()):
        yield from (known.cards[number] for _ in range(count))
