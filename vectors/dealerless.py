"""The example games at a table without a dealer, with seats that fall silent (protocol section 20).

They are played as those of `vectors.matches`: everything is fixed, and `fresh` is all zero. What a party
sends comes from `referee.dealerless.sending`, and a second reader derives it again from the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cards.games.big_c.hands import STRENGTH, combination_played, compare
from cards.games.contract import Move, Position
from cards.games.hearts.table import EXPOSABLE
from crypto.secret import MatchSecret
from referee.dealerless.masked import InPlay
from referee.dealerless.proofs import of_move
from referee.dealerless.sending import Sender
from referee.game import Game, asking_of
from vectors.example import NO_FRESH
from vectors.matches import ExamplePlayer, Sitting, begin, sit

HEARTS_GAME = "e41a7c05-2d9b-4f83-9a6e-5b0c8d173f69"
CRIBBAGE_GAME = "0f6d3b98-71ce-4a25-b4d7-c28e590a1f55"
FLIP_GAME = "7b52c1d4-90ea-4e6f-8f13-6ad4e2b7c081"
BIG_C_GAME = "d76d4330-f144-4bea-b0c1-1fdecb91ce37"
HOUSE_SECRET = bytes(range(96, 128))
"""The house's secret of each game, from which its locks and mixes come."""
_CLOCKS = {"enter": 60, "ready": 60, "link": 60, "mix": 60}
OPTIONS: dict[str, dict[str, Any]] = {
    "hearts": {
        **_CLOCKS,
        "expose": 60,
        "card": 30,
        "first": "random",
        "absent": "play",
        "dealer": "nobody",
    },
    "cribbage": {**_CLOCKS, "cut": 30, "lay": 30, "card": 30, "absent": "end", "dealer": "nobody"},
    "flip": {**_CLOCKS, "turn": 30, "absent": "play", "dealer": "nobody"},
    "big-c": {**_CLOCKS, "present": 30, "turn": 30, "hand": 27, "absent": "play", "dealer": "nobody"},
}
Script = list[list[Any]]
"""What was done: [seat, kind], [seat, move], or [None, "time"] where the time passed."""


@dataclass
class Nobody:
    """An example game that is played by a script, which it writes down."""

    table: Sitting
    script: Script = field(default_factory=list)

    @property
    def game(self) -> Game:
        """The game after the newest entry."""
        return self.table.game

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats whose answers are lacking, ascending; none once the game is over."""
        asking = self.game.asking
        return () if asking is None else tuple(sorted(asking.seats - self.table.waiting.keys()))

    @property
    def kind(self) -> str:
        """The kind of message that is asked for."""
        return "" if self.game.asking is None else self.game.asking.kind

    def _sender(self, seat: int) -> Sender:
        return Sender(seat, MatchSecret(self.table.sitters[seat].w), NO_FRESH)

    def hand(self, seat: int) -> dict[Position, Any]:
        """The faces of a seat's own hidden cards."""
        return self._sender(seat).hand(self.game)

    def party(self, *seats: int) -> None:
        """These seats send the lock, mix, share or unlock that is asked of them, in this order."""
        for seat in seats:
            asking = asking_of(self.game)
            asked = dict(self.game.recent)[asking.opened]
            body = self._sender(seat).body(self.game, asking.kind, self.game.step, asked)
            self._say(seat, asking.kind, body, asking.kind)

    def move(self, seat: int, move: Move | None = None) -> None:
        """A seat makes this move, or else the simplest one."""
        if move is None:
            seen = self.game.knowing(self.hand(seat))
            move = seen.rules.absent(seen.state, seat)
            assert move is not None, "a seat that sees its hand has a move"
        body = self._sender(seat).move(self.game, self.game.step, move, self.hand(seat))
        self._say(seat, "move", body, move)

    def act(self, seat: int, kind: str) -> None:
        """A seat sends a message without more in its body, or its link."""
        sitter = self.table.sitters[seat]
        message = sitter.link(self.game) if kind == "link" else sitter.say(self.game, kind, {})
        self.script.append([seat, kind])
        self.table.send(message)

    def _say(self, seat: int, kind: str, body: dict[str, Any], what: Any) -> None:
        self.script.append([seat, what])
        self.table.send(self.table.sitters[seat].say(self.game, kind, body))

    def time(self, times: int = 1) -> None:
        """The time of the running step passes, so many times."""
        for _ in range(times):
            self.script.append([None, "time"])
            self.table.lapse()

    def deal(self, *silent: int) -> None:
        """All parties make a deal; the seats in `silent` do not mix, and so lose their locks."""
        number = self.game.deals
        while self.game.deals == number:
            seats = self.asked
            if self.kind == "mix" and silent[:1] == seats:
                self.time()
            else:
                # The last seat comes first where the order is free.
                self.party(*reversed(seats))


def _nobody(game: str, mode: str, seats: int) -> Nobody:
    sitters = tuple(ExamplePlayer(seat) for seat in range(seats))
    table = sit(game, mode, sitters, (), options=OPTIONS[mode], secret=HOUSE_SECRET)
    begin(table, links=False)
    return Nobody(table)


@cache
def hearts() -> Nobody:
    """A game of Chinese Hearts for three in which two seats go out, one while a deal is made."""
    own = _nobody(HEARTS_GAME, "hearts", 3)
    for seat in own.asked:
        own.act(seat, "link")
    own.deal()
    while own.kind == "move" and len(own.game.state.board.exposed) < len(EXPOSABLE) - 1:
        for seat in own.asked:
            found = [p for p, face in sorted(own.hand(seat).items()) if face in EXPOSABLE]
            held = [p for p in found if p in own.game.state.board.hands[seat]]
            if held:
                own.move(seat, {"expose": held[0], "card": own.hand(seat)[held[0]]})
                break
    while own.kind == "unlock":
        own.party(own.asked[-1])
    for _ in range(40):
        (seat,) = own.asked
        own.move(seat)
        if "proof" in (body := own.table.received[-1][0].body) and len(body["proof"]) > 200:
            break
    own.time(3)
    own.deal(own.asked[-1])
    while own.game.state.board.phase == "expose":
        own.move(own.asked[0])
    for _ in range(4):
        own.move(own.asked[0])
    last, *_, first = sorted({0, 1, 2} - own.game.gone, reverse=True)
    own.act(last, "draw")
    own.act(first, "resign")
    return own


@cache
def cribbage() -> Nobody:
    """A game of cribbage for two: a hand with its show, then a seat that lays nothing away and so loses."""
    own = _nobody(CRIBBAGE_GAME, "cribbage", 2)
    own.deal()
    while own.game.deals < 3:
        if own.kind == "lock":
            own.deal()
        elif own.kind == "unlock":
            own.party(*own.asked)
        else:
            own.move(own.asked[-1])
    own.move(0)
    own.time(3)
    return own


@cache
def flip() -> Nobody:
    """A set of flip for three: cards taken one by one, a lock that stays on the stock, and so a new deal."""
    own = _nobody(FLIP_GAME, "flip", 3)
    own.deal()
    kept = False
    while not (kept and len(own.asked) == 3):
        masked = own.game.masked
        kept = kept or (isinstance(masked, InPlay) and bool(masked.kept))
        _go_on(own)
    own.party(*own.asked[:2])
    own.time(3)
    own.deal()
    for _ in range(6):
        _go_on(own)
    while own.kind != "move":
        _go_on(own)
    own.act(own.asked[0], "resign")
    return own


def _go_on(own: Nobody) -> None:
    """All send what is asked of them: the simplest move, or what a program sends."""
    for seat in own.asked:
        if own.kind == "move":
            own.move(seat)
        elif seat in own.asked:
            own.party(seat)


@cache
def big_c() -> Nobody:
    """A game of Big C for four without a stock: a card added alone, then several, and all of it is void."""
    own = _nobody(BIG_C_GAME, "big-c", 4)
    for seat in own.asked:
        own.act(seat, "link")
    own.deal()
    while own.game.state.board.phase == "present":
        _go_on(own)
    both = False
    while not (both and own.game.state.board.phase == "play" and not own.game.state.board.table):
        if own.kind in ("lock", "mix", "share"):
            own.deal()
        elif own.kind == "unlock":
            own.party(*own.asked)
        else:
            (seat,) = own.asked
            move = _stepping(own, seat)
            both = both or len(of_move(own.game, seat, move).parts) > 1
            own.move(seat, move)
    own.time(3)
    for seat in own.asked:
        own.act(seat, "draw")
    return own


def _stepping(own: Nobody, seat: int) -> Move:
    """A hand of cards from two deals, if there is one; else a footstool, or the way to one."""
    game = own.game.knowing(own.hand(seat))
    board, faces = game.state.board, game.state.faces
    moves = [move for move in game.rules.legal(game.state, seat) if "play" in move]
    both = [move for move in moves if len(of_move(own.game, seat, move).parts) > 1]
    if both:
        return both[0]
    if board.table:
        under = combination_played([faces[p] for p in board.table])
        steps = [m for m in moves if compare(combination_played(m["cards"]), under).penalty]
        return steps[0] if steps else {"pass": True}
    singles = [move for move in moves if len(move["play"]) == 1]
    after = board.after(seat)
    theirs = {**own.hand(after), **faces}
    known = {STRENGTH[theirs[p]] for p in board.hands[after]}
    steps = [m for m in singles if {STRENGTH[m["cards"][0]], STRENGTH[m["cards"][0]] + 1} & known]
    return (steps or singles)[0]


GAMES: dict[str, Callable[[], Nobody]] = {
    "dealerless_hearts": hearts,
    "dealerless_cribbage": cribbage,
    "dealerless_flip": flip,
    "dealerless_big_c": big_c,
}
"""The games by the names of their records."""


def forget() -> None:
    """Play the games anew when they are asked for again."""
    for game in (hearts, cribbage, flip, big_c):
        game.cache_clear()
