"""A game as one player plays it: follows the record, sends what the player chooses."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.console import RenderableType
from rich.text import Text

from cards.games.contract import IllegalMove, Move
from client.http import LONGEST_WAIT, Api
from client.phrases import Phrases, spoken
from cloche.commands.errors import plain
from cloche.commands.words import SHORT, brought, listed, number
from cloche.table import layout
from cloche.table.live import FollowedGame
from cloche.table.look import rule
from cloche.table.presenter import LineCompletion, Misread
from cloche.table.presenters import presenter_of
from cloche.table.screen import Screen
from player.due import Wanted, seen
from player.house import ApiProblem, TableInfo, Unreachable
from player.session import NotNow, SendResult, Session
from referee import Entry, Game

TRIES = 4
"""The number of times that a message is sent again if it was refused because the game had gone on."""
HINTS = 3
"""The hints of a player's first match."""
OF_A_KIND = 2
"""The most hints for one kind of question."""
DEALING = ("deal", "turn")
"""Entries that bring cards."""
REMATCH_POLL = 3.0
"""Seconds between two checks whether another player asks for a rematch."""


OF_THE_HOUSE = " (house)"
"""The end of the name of a bot of the house, which no handle can have."""
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question to the player, and what a yes does."""

    text: str
    yes: Callable[[], None]
    of_choice: bool = False
    """True if it is about the choice that is asked now. It lapses when another is asked."""


class PlayedGame(FollowedGame):
    """A game as one player plays it."""

    def __init__(
        self,
        session: Session,
        api: Api,
        screen: Screen,
        skew: int,
        *,
        teaching: bool = False,
        first: bool = False,
    ) -> None:
        """`first` is true in the player's first match, which shows hints."""
        super().__init__(screen, skew)
        self.teaching = teaching
        """True if the player learns the game: refusals keep their reasons back, and lessons are announced."""
        self.why: Misread | None = None
        """The last move that the rules refused, with their reason."""
        self.session = session
        self.api = api
        self.phrases = Phrases(api)
        self.question: Confirmation | None = None
        """The open question, which the next line answers."""
        self.again = False
        """True if the player leaves for a rematch."""
        self._shown: Wanted | None = None
        self._step = -1
        self._locked_out = False
        self._hints = HINTS if first or teaching else 0
        self._hinted: Counter[str] = Counter()
        self._rest: list[str] = []
        """The lines of the last answer that had no room on the screen."""

    def start(self) -> None:
        """Sit down (see `Session.start`), then follow the game."""
        self.session.watch = lambda before, entry, after: None
        self.session.warn = lambda concern: self.screen.say(Text(concern.text, style="bold red"))
        game = self.session.start()
        self.follower = self.session.follower
        self.presenter = presenter_of(game.rules)
        self.presenter.teaching = self.teaching
        if game.deals:
            self._hints = 0
            self.screen.say(Text("You are back at the table. `history` shows what has happened."))
        else:
            others = [name for i, name in enumerate(layout.seat_names(game)) if i != self.seat]
            who = f"with {listed(others)}" if others else "alone"
            self.screen.say(Text(f"{game.rules.facts.title} {who}, game {self.session.game_id}."))
        self.begin()
        others = [player.name for i, player in enumerate(game.header.players) if i != self.seat]
        if not all(name.endswith(OF_THE_HOUSE) for name in others):
            threading.Thread(target=self._hear, name="phrases", daemon=True).start()

    @property
    def seat(self) -> int | None:
        return self.session.seat.number

    def as_seen(self, game: Game) -> Game:
        own = self.session.seat
        return seen(game.knowing(own.hand(game)), own.number)

    def prompt(self) -> str:
        """The text before a line."""
        if self.question is not None:
            return f"{self.question.text} [y/N] "
        asking = self.game.asking
        return f"{asking.topic}> " if self.is_asked() and asking is not None else "> "

    def offers(self, line: str) -> list[LineCompletion]:
        """List what the mode offers to complete a line."""
        return [] if self.question is not None else self.presenter.offers(self.view(), line.lstrip())

    # Arriving entries

    def turn(self) -> None:
        sent = self.session.answer()
        self.session.catch_up(0.0 if sent is SendResult.GONE_ON else LONGEST_WAIT)

    def look(self) -> None:
        """Draw the table whenever the player is asked for something new."""
        session = self.session
        if session.game.step != self._step:
            self._step = session.game.step
            self.presenter.forget()
        asks = session.asks()
        if asks is not None and asks != self._shown:
            if self.question is not None and self.question.of_choice:
                self.question = None
            hint = self._hint()
            self.screen.say(*self.picture(), *hint)
        self._shown = asks
        locked_out = session.locked_out() and not session.recover()
        if locked_out and not self._locked_out:
            text = "Your choice was sealed on another device. Go on there, or take its file in here: see"
            self.screen.say(Text(f"{text} `cloche vault import --help`."))
        self._locked_out = locked_out

    def _hint(self) -> list[RenderableType]:
        """A hint, if there is one left and this kind of question has not had its share."""
        topic = self.game.asking.topic if self.game.asking else ""
        if self._hinted.total() >= self._hints or self._hinted[topic] >= OF_A_KIND:
            return []
        self._hinted[topic] += 1
        return [Text(self.presenter.hint(self.view()), style="dim")]

    def show(self, *what: RenderableType) -> None:
        """Print an answer to what was typed: as much as fits the screen, the rest at an empty line."""
        lines = self.screen.lines(what)
        if not self.live or len(lines) < self.area():
            self._rest = []
            self.screen.say(*what)
            return
        self._rest = lines
        self.more()

    def more(self) -> bool:
        """Print the next lines of an answer that had no room. Returns False if none are left."""
        if not self._rest:
            return False
        count = max(self.area() - 2, 1)
        if len(self._rest) <= count + 1:
            count = len(self._rest)
        shown, self._rest = self._rest[:count], self._rest[count:]
        left = (
            [Text(f"Enter shows more: {number(len(self._rest), 'line')}.", style="dim")] if self._rest else []
        )
        self.screen.say(Text.from_ansi("\n".join(shown)), *left)
        return True

    def enough(self) -> None:
        """Forget the rest of an answer: the player has typed something else."""
        self._rest = []

    def heard(self, before: Game | None, entry: Entry, after: Game) -> None:
        """Print what an entry tells, and for a learner what is seen for the first time."""
        self._mark(before, entry, after)
        super().heard(before, entry, after)
        if self.teaching and before is not None:
            known = [seen for _, seen in self.presenter.lessons(self.view(before))]
            now = self.presenter.lessons(self.view(after))
            fresh = [text for was, (text, seen) in zip(known, now, strict=True) if seen and not was]
            seen = sum(seen for _, seen in now)
            if fresh:
                self.screen.say(Text(f"Seen for the first time: {listed(fresh)} ({seen} of {len(now)})."))

    def _mark(self, before: Game | None, entry: Entry, after: Game) -> None:
        """Mark the cards that an entry adds to the hand, until it is dealt anew."""
        if before is None or entry.kind not in DEALING:
            return
        had, has = (set(_hand(game, self.seat)) for game in (before, after))
        if has - had:
            self.presenter.fresh = frozenset(has - had) if had & has else frozenset()

    def end(self) -> None:
        self.session.finish()
        self.question = None
        self.screen.say(
            rule(self.screen.look, self.screen.width),
            Text(layout.result(self.view(), self.presenter), style="bold"),
            *map(Text, brought(self.api, self.session.game_id)),
            Text("`rematch` plays again, `quit` leaves. Later you can type"),
            *later(self.session.game_id),
        )

    def after(self) -> None:
        """Say so when another player asks for a rematch."""
        while not self._stop.wait(REMATCH_POLL):
            try:
                table = self.api.rematch_of(self.session.game_id)
            except (Unreachable, ApiProblem):
                continue
            handle = self.session.vault.identity.handle
            if table is not None and table.state == "open" and table.opened_by != handle:
                self.screen.say(Text(f"{plain(table.opened_by)} asks for a rematch: `rematch` joins."))
                return

    # Answers

    def is_asked(self) -> bool:
        """Tell whether the player is asked for a choice and has seen the table for it."""
        asks = self.session.asks()
        return asks is not None and asks == self._shown and not self.over

    def send(self, move: Move) -> None:
        """Send a choice, and say if it had no effect. Raises `Misread`."""
        try:
            sent = self._again(lambda: self.session.choose(move))
        except IllegalMove as illegal:
            raise Misread.of(illegal.refusal) from None
        if sent is SendResult.ALREADY:
            self.screen.say(
                Text("You have answered this already, here or on another device. That answer stands.")
            )
        elif sent is SendResult.GONE_ON:
            raise Misread("That was too late: the game has gone on.")

    def resign(self) -> None:
        """Give up."""
        self._unasked(self.session.resign)
        if not self.live:
            self.wait_until(lambda: self.over)

    def say_phrase(self, text: str) -> None:
        """Say a phrase by its code or its words, or list those that there are. Raises `Misread`."""
        known = self._asking(self.phrases.known)
        chosen = spoken(known, text)
        if chosen is None:
            listing = [
                Text(f"  say {code.replace('_', ' ')}   {plain(words)}") for code, words in known.items()
            ]
            self.show(Text("You can say:"), *listing)
            return
        self._asking(lambda: self.phrases.say(self.session.game_id, chosen))
        self.screen.say(Text(f"You say: {plain(known[chosen])}"))

    def mute(self, wanted: bool | None) -> None:
        """Mute what others say, at all tables, or hear it again; None is the other way. Raises `Misread`."""
        on = not self._asking(self.phrases.muted) if wanted is None else wanted
        self._asking(lambda: self.phrases.mute(on))
        self.screen.say(Text("You hear nothing that others say." if on else "You hear what others say."))

    def _asking(self, ask: Callable[[], Answer]) -> Answer:
        """Ask the house something that the game does not wait for. Raises `Misread` where it fails."""
        try:
            return ask()
        except ApiProblem as problem:
            raise Misread(f"The house refuses: {plain(problem.detail)}") from None
        except Unreachable:
            raise Misread("The house does not answer now.") from None

    def _hear(self) -> None:
        """Print what others say, until the player leaves. It runs in a thread of its own."""
        try:
            for said in self.phrases.heard(self.session.game_id, self.phrases.newest()):
                if self._stop.is_set():
                    return
                self.screen.say(Text(f"{plain(said.name)} says: {plain(said.words)}"))
        except (ApiProblem, Unreachable):
            return  # what is said is not worth a word about the connection; the game tells of it

    def draw(self) -> None:
        """Offer a draw or agree to one."""
        self._unasked(self.session.offer_draw)

    def _unasked(self, how: Callable[[], SendResult]) -> None:
        """Send what no step asks for. Raises `Misread` if it did not arrive."""
        if self._again(how) is SendResult.GONE_ON:
            raise Misread("That did not arrive: the game has gone on meanwhile. Type it again.")

    def _again(self, how: Callable[[], SendResult]) -> SendResult:
        """Send, and send again if the game had gone on."""
        sent = SendResult.NOTHING
        for _ in range(TRIES):
            try:
                sent = how()
            except NotNow as late:
                raise Misread(late.text) from None
            except ApiProblem as problem:
                raise Misread(f"The house refuses: {plain(problem.detail)}") from None
            except Unreachable:
                self.lost()
                kept = (
                    "Your choice is kept, and is sent when it answers again." if self.session.chosen else ""
                )
                raise Misread(f"The house does not answer now. {kept}".strip()) from None
            if sent is not SendResult.GONE_ON:
                break
        return sent


def _hand(game: Game, seat: int | None) -> Sequence[int]:
    """The positions of a seat's hand."""
    return game.rules.places(game.state).get(f"hand {seat}", ())


def later(game_id: str) -> list[RenderableType]:
    """The commands by which a player looks at a game that is over."""
    short = game_id[:SHORT]
    return [
        Text(f"  cloche replay {short}   to see it round by round"),
        Text(f"  cloche verify {short}   to check its record"),
        Text(f"  cloche record {short}   to keep the record as a file"),
    ]


def waiting_at(table: TableInfo) -> list[RenderableType]:
    """Say how others can sit down at an open table."""
    if table.rematch_of is not None:
        return [Text("Waiting for the others. They join by `rematch` too.")]
    free = table.seats.count(None)
    wanted = "One seat is free." if free == 1 else f"{free} of {len(table.seats)} seats are free."
    if table.invitation is not None:
        how = f"  cloche play --invitation {table.invitation}"
        return [Text(f"The table is private. {wanted} Anybody with this invitation sits down by:"), Text(how)]
    return [
        Text(f"The table is open. {wanted} Others sit down by:"),
        Text(f"  cloche play --table {table.id}"),
    ]


def sitting_at(table: TableInfo) -> list[str]:
    """The names of the players at a table."""
    return [plain(str(seat["name"])) for seat in table.seats if seat is not None]
