"""A record step by step, forwards and backwards, as one seat saw it or with all cards open."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import RenderableType
from rich.text import Text

from cards.games.contract import Face, Position
from cloche.commands.errors import plain
from cloche.commands.words import silences
from cloche.table import layout
from cloche.table.folding import height
from cloche.table.matching import meant
from cloche.table.presenter import LineCompletion, View
from cloche.table.presenters import presenter_of
from cloche.table.screen import Reader, Screen
from crypto.encoding import unb64
from referee import Entry, Game, apply
from referee.dealerless.masked import InPlay
from referee.house import TRUSTING

WORDS = {
    "forward": "to the next round (the right arrow key)",
    "rewind": "to the beginning of this round, or to the one before (left)",
    "next": "one step on (down, or an empty line)",
    "back": "one step back (up)",
    "to": "to round N: to the beginning of a round; to start; to end",
    "seat": "seat NAME: see what that player saw; seat all: every card that was ever opened",
    "auto": "auto SECONDS: go on by itself, Ctrl-C stops",
    "table": "the whole table once more",
    "help": "all commands",
    "quit": "leave",
}
KEYS = {"right": "forward", "left": "rewind", "down": "next", "up": "back"}
"""The words that keys stand for while nothing is typed."""
QUIET = ("ready", "link", "shown")
"""Entries that are no step of a replay, since they show nothing."""
DRAWN = ("open", "deal", "turn", "move", "result")
"""Entries after which the whole table is drawn. Others print a line."""
PACE = 2.0
FRAME = 5
"""Lines of the screen that are not the table: what the step is and tells, the prompt, the bar."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry and the game after it, with every face that the record ever opens."""

    entry: Entry
    game: Game
    before: Game | None
    """The game before the entry; None before the first."""


def moments(entries: Sequence[Entry], own: Mapping[Position, Face] | None = None) -> list[Moment]:
    """The steps of a verified record. `own` has faces that the reader knows besides.

    The house publishes its links of secret deals later in the record. They are read first, so that every
    hand is known from its deal on. With own decks, a face that is opened later is known from the beginning.
    """
    links = {e.body["deal"]: unb64(e.body["link"]) for e in entries if e.kind == "shown"}
    game: Game | None = None
    found: list[Moment] = []
    for entry in entries:
        secret = links.get(entry.body["deal"]) if entry.kind == "deal" else None
        before, game = game, apply(game, entry, TRUSTING, secret)
        if entry.kind not in QUIET:
            found.append(Moment(entry, game, before))
    if game is not None and game.header.dealerless:
        return _with_shown(found)
    if game is None or not game.rules.facts.own_decks:
        return found
    faces = {**game.state.faces, **(own or {})}
    return [replace(moment, game=moment.game.knowing(faces)) for moment in found]


def _with_shown(steps: Sequence[Moment]) -> list[Moment]:
    """The steps of a game that nobody deals; each card that a deal ever shows is known from the deal on."""
    shown: dict[int, Mapping[Position, Face]] = {}
    for step in steps:
        if isinstance(step.game.masked, InPlay):
            known = shown.get(step.game.deals, {})
            shown[step.game.deals] = {**known, **step.game.state.faces}
    return [
        replace(step, game=step.game.knowing(shown[step.game.deals]))
        if isinstance(step.game.masked, InPlay)
        else step
        for step in steps
    ]


class Replay:
    """Goes through the moments of one record."""

    def __init__(self, steps: Sequence[Moment], screen: Screen, seat: int | None = None) -> None:
        self.steps = steps
        self.screen = screen
        self.at = 0
        self.seat = seat
        """The seat that sees the game; None shows all that the record opens."""
        self.presenter = presenter_of(steps[0].game.rules)
        self.live = False
        """True on a terminal, where a table is folded to the lines there are."""

    # Views

    @property
    def moment(self) -> Moment:
        """The moment that is shown now."""
        return self.steps[self.at]

    def view(self, seat: int | None = None) -> View:
        """Show this moment as the chosen seat saw it, drawn for `seat` if one is given."""
        game = self.moment.game
        shown = self.seat if seat is None else seat
        state = game.state
        if self.seat is not None:
            state = state.seen(game.rules.sees(state, self.seat))
        names = layout.seat_names(game)
        width = self.screen.width
        return View(replace(game, state=state), shown, names, self.screen.look, width, mine=False)

    def _picture(self) -> list[RenderableType]:
        view = self.view()
        seats = view.game.header.seats if self.seat is None else (self.seat,)
        top: list[RenderableType] = [layout.title(view, self.presenter), layout.seats(view, self.presenter)]
        room = self.screen.rows - height(top, view.width) - FRAME if self.live else None
        board = self.presenter.board(replace(view, room=room and max(room // 2, 0)))
        each = room and max((room - height(board, view.width)) // len(seats), 1)
        hands = [item for seat in seats for item in self.presenter.hand(replace(self.view(seat), room=each))]
        return [*top, *board, *hands]

    def show(self, whole: bool = False) -> None:
        """Print this moment: what its entry tells, and the table if it has changed."""
        entry, view = self.moment.entry, self.view()
        head = f"{self.at + 1} of {len(self.steps)} {view.look.dot} {layout.time_of_day(entry.at)}"
        said: list[RenderableType] = [Text(f"{head} {view.look.dot} {_kind(entry, view)}", style="dim")]
        said += self._told(entry)
        if whole or entry.kind in DRAWN:
            said += self._picture()
        if entry.kind == "result":
            said.append(Text(layout.result(view, self.presenter), style="bold"))
            said += map(Text, silences(view.game))
        self.screen.say(*said)

    def _told(self, entry: Entry) -> list[RenderableType]:
        if entry.kind == "reveal" and entry.seat is not None:
            view = replace(
                self.view(entry.seat), game=self.moment.game
            )  # the record has what the reveal opens
            told = self.presenter.told(view, entry.body["choice"])
            return [Text(f"{view.names[entry.seat]} opens: {told}.")]
        return layout.news(self.moment.before, entry, self.view(), self.presenter)

    def toolbar(self) -> list[str]:
        """Say how far the replay is, and who sees it."""
        view = self.view()
        eyes = "all cards open" if self.seat is None else f"as {view.names[self.seat]}"
        dot = f" {view.look.dot} "
        where = f"step {self.at + 1} of {len(self.steps)}"
        line = dot.join((where, self.presenter.heading(view) or "start", eyes, layout.score(view)))
        return [line if len(line) < view.width else line[: view.width - 3] + ".."]

    def pinned(self) -> list[str]:
        """Nothing: each step draws the hands."""
        return []

    def prompt(self) -> str:
        """The text before a line."""
        return "replay> "

    def offers(self, line: str) -> list[LineCompletion]:
        """List what completes a line."""
        word, space, rest = line.partition(" ")
        if not space:
            return [
                LineCompletion(name, len(line)) for name in WORDS if line and name.startswith(word.casefold())
            ]
        names = [*layout.seat_names(self.moment.game), "all"] if word == "seat" else []
        return [
            LineCompletion(name, len(rest)) for name in names if name.casefold().startswith(rest.casefold())
        ]

    # Typed lines

    def run(self, reader: Reader, pace: float | None = None) -> None:
        """Show the first step, then do what is typed. With a pace, go on by itself first."""
        self.show(whole=True)
        if pace is not None:
            self._auto(pace)
        while True:
            try:
                line = reader.line()
            except KeyboardInterrupt:
                return
            if line is None or not self.follow(line):
                return

    def follow(self, line: str) -> bool:
        """Do what a line says. Returns False to leave."""
        word, _, rest = " ".join(line.casefold().split()).partition(" ")
        if word.isdecimal() or (word == "round" and rest):
            word, rest = "to", rest or word
        begun = [name for name in WORDS if name.startswith(word)] if word else ["next"]
        chosen = "help" if word == "?" else begun[0] if len(begun) == 1 else ""
        match chosen:
            case "forward":
                self._round(1)
            case "rewind":
                self._round(-1)
            case "next":
                self._go(self.at + 1)
            case "back":
                self._go(self.at - 1)
            case "to":
                self._to(rest)
            case "seat":
                self._look_as(rest)
            case "auto":
                self._auto(_seconds(rest))
            case "table":
                self.show(whole=True)
            case "quit":
                return False
            case _:
                if not chosen:
                    self.screen.say(Text(f"I don't understand {plain(word)!r}. The commands:"))
                self.screen.say(*(Text(f"{name}: {text}") for name, text in WORDS.items()))
        return True

    def _go(self, to: int) -> None:
        if not 0 <= to < len(self.steps):
            self.screen.say(Text("That was the last step." if to > 0 else "This is the first step."))
            return
        self.at = to
        self.show()

    def _round(self, way: int) -> None:
        """Go to the next round, with the accounts in between, or back to the beginning of one."""
        rounds = [self.presenter.round(step.game) for step in self.steps]
        begins = [i for i, number in enumerate(rounds) if i == 0 or number > rounds[i - 1]]
        if way > 0:
            target = next((i for i in begins if i > self.at), len(self.steps) - 1)
            for passed in range(self.at + 1, target):
                self.at = passed
                if self.moment.entry.kind == "account":
                    self.screen.say(*self._told(self.moment.entry))
        else:
            target = max((i for i in begins if i < self.at), default=0)
        if target == self.at:
            self.screen.say(Text("That was the last step." if way > 0 else "This is the first step."))
            return
        self.at = target
        self.show(whole=True)

    def _to(self, where: str) -> None:
        """Go to a round, the start or the end."""
        number = where.removeprefix("round").strip()
        if where in ("start", "end"):
            self.at = 0 if where == "start" else len(self.steps) - 1
            self.show(whole=True)
            return
        rounds = [self.presenter.round(step.game) for step in self.steps]
        if not number.isdecimal() or int(number) not in rounds:
            self.screen.say(Text(f"Go to round 1 to {max(1, max(rounds))}, to start or to end."))
            return
        self.at = rounds.index(int(number))
        self.show(whole=True)

    def _look_as(self, name: str) -> None:
        names = [*layout.seat_names(self.moment.game), "all"]
        fitting = meant(name, names)
        if len(fitting) != 1:
            self.screen.say(Text(f"Whose view? {', '.join(names)}"))
            return
        seat = names.index(fitting[0])
        self.seat = None if seat == len(names) - 1 else seat
        self.show(whole=True)

    def _auto(self, pace: float) -> None:
        """Step by step to the end."""
        try:
            while self.at < len(self.steps) - 1:
                time.sleep(pace)
                self._go(self.at + 1)
        except KeyboardInterrupt:
            self.screen.say(Text("Stopped."))


def _seconds(text: str) -> float:
    try:
        return min(max(float(text), 0.0), 60.0)
    except ValueError:
        return PACE


def _kind(entry: Entry, view: View) -> str:
    who = "the house" if entry.seat is None else view.names[entry.seat]
    return f"{entry.kind} by {who}"
