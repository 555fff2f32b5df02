"""A game as a spectator follows it."""

from __future__ import annotations

from rich.text import Text

from client.http import LONGEST_WAIT, Api
from cloche.commands.errors import plain
from cloche.table import layout
from cloche.table.live import FollowedGame
from cloche.table.look import rule
from cloche.table.presenter import LineCompletion
from cloche.table.presenters import presenter_of
from cloche.table.screen import Reader, Screen
from player.follow import Follower

WORDS = {
    "table": "the whole table once more",
    "history": "what happened in every round so far",
    "help": "all commands",
    "quit": "leave",
}
QUIET = ("enter", "ready", "link", "reveal")
"""Steps after which the table is not drawn again."""


class WatchedGame(FollowedGame):
    """A running game, watched."""

    def __init__(self, api: Api, game_id: str, house_key: bytes, screen: Screen, skew: int) -> None:
        super().__init__(screen, skew)
        self.follower = Follower(api, game_id, house_key)
        self._step = -1

    def start(self) -> None:
        """Fetch the record so far, show the table, then follow."""
        self.follower.catch_up()
        self.presenter = presenter_of(self.game.rules)
        self.screen.say(*self.picture())
        self._step = self.game.step
        self.begin()

    def turn(self) -> None:
        self.follower.catch_up(LONGEST_WAIT)

    def look(self) -> None:
        """Draw the table whenever a player is asked for something new."""
        asking = self.game.asking
        if self.game.step != self._step and asking is not None and asking.kind not in QUIET:
            self._step = self.game.step
            self.screen.say(*self.picture())

    def end(self) -> None:
        self.screen.say(
            rule(self.screen.look, self.screen.width),
            Text(layout.result(self.view(), self.presenter), style="bold"),
        )

    def prompt(self) -> str:
        """The text before a line."""
        return "watch> "

    def offers(self, line: str) -> list[LineCompletion]:
        """List what completes a line."""
        return [
            LineCompletion(word, len(line)) for word in WORDS if line and word.startswith(line.casefold())
        ]

    def listen(self, reader: Reader) -> None:
        """Do what is typed until the spectator leaves; without a terminal, until the game ends."""
        while True:
            try:
                line = reader.line()
                self.screen.typed()
            except KeyboardInterrupt:
                return
            if line is None:
                if not reader.live:
                    self.wait_until(lambda: self.over)
                return
            word = line.strip().casefold()
            begun = [name for name in WORDS if word and name.startswith(word)]
            if begun == ["quit"]:
                return
            self._do(begun[0] if len(begun) == 1 else word)

    def _do(self, word: str) -> None:
        match word:
            case "table":
                self.screen.say(*self.picture(whole=True))
            case "history":
                for entry in list(self.follower.entries):
                    if entry.kind == "account":
                        self.screen.say(*self.presenter.account(self.view(), entry.body["lines"]))
                self.screen.say(Text(layout.score(self.view())))
            case _ if word:
                if word not in ("help", "?"):
                    self.screen.say(Text(f"I don't understand {plain(word)!r}. The commands:"))
                self.screen.say(*(Text(f"{name}: {text}") for name, text in WORDS.items()))
