"""The contract of a presenter: how a mode looks at a terminal and reads typed lines; and one for any mode."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from cards.games.accounts import Section, Told
from cards.games.contract import Face, Line, Mode, Move, Position, Refusal
from cloche.commands.errors import plain
from cloche.commands.words import named
from cloche.table.look import Look, grid
from crypto.encoding import loads
from referee import Game
from referee.record import PARTY_KINDS

NEW = "+"
"""The mark of a card that was just dealt."""
MOST_MOVES = 30
"""The most legal moves that are listed."""


@dataclass(frozen=True)
class View:
    """A game as one player may see it: its state has only the faces that may be shown."""

    game: Game
    seat: int | None
    """The seat that sees it; None for a spectator."""
    names: Sequence[str]
    look: Look
    width: int
    mine: bool = True
    """True if the reader sits at that seat. In a replay the reader only looks over the player's shoulder."""
    room: int | None = None
    """The lines that a drawing should not exceed, if it can be folded; None for as many as it needs."""

    @property
    def whose(self) -> str:
        """ "Your", or the name with 's."""
        return "Your" if self.mine or self.seat is None else f"{self.names[self.seat]}'s"

    @property
    def board(self) -> Any:
        """The mode's own board."""
        return self.game.state.board

    @property
    def asked(self) -> bool:
        """True if the seat is asked for something that its program does not do alone, such as mixing."""
        asking = self.game.asking
        if asking is None or asking.kind in PARTY_KINDS:
            return False
        return self.seat in asking.seats and not self.game.over


@dataclass(frozen=True, slots=True)
class Reply:
    """The consequence of a typed line."""

    shown: tuple[RenderableType, ...] = ()
    move: Move | None = None
    """The move to send."""
    confirm: str | None = None
    """A question to answer with yes before the move is sent."""


@dataclass(frozen=True, slots=True)
class LineCompletion:
    """A completion: `text` replaces the last `over` characters; `about` describes it."""

    text: str
    over: int
    about: str = ""


class Misread(Exception):
    """A typed line that can't be done: why, and the section of the rules that says so, if one does."""

    def __init__(self, text: str, section: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.section = section
        self.hint = ""
        """The line that the player could type instead."""

    @classmethod
    def of(cls, refusal: Refusal) -> Misread:
        """Make it from a refusal of the rules, in their words."""
        return cls(refusal.text, refusal.section)


class Unclear(Misread):
    """A line that leaves something out, and a question about it. No move was refused."""


class Presenter:
    """The part of the table that draws a mode and reads typed lines. This one knows no mode and works for
    all. Others refine it.

    A presenter serves one seat of one game. It may remember typed lines until the move is sent.
    """

    words: Mapping[str, str] = {"play": "play NUMBER, right after `moves`, or the move as JSON"}
    """The mode's own commands, and what each does."""
    mistakable: Mapping[str, str] = {}
    """Commands of every table that mean something else in this game, and a warning that is shown first."""
    teaching = False
    """True if the player learns the game by trying, so that legal moves are not shown unasked."""
    fresh: frozenset[Position] = frozenset()
    """The cards of the hand that the last deal brought, unless it was the first."""
    listed: tuple[Move, ...] = ()
    """The moves of a list that was just shown: only these can be named by number."""

    def __init__(self, mode: Mode[Any]) -> None:
        self.mode = mode

    # How it looks

    def heading(self, view: View) -> str:
        """Say in a few words how far the game is."""
        return f"deal {view.game.deals}" if view.game.deals else ""

    def round(self, game: Game) -> int:
        """The number of the round, which `to round N` of a replay counts."""
        return game.deals

    def board(self, view: View) -> list[RenderableType]:
        """Draw what lies on the table."""
        places = self.mode.places(view.game.state)
        faces = view.game.state.faces
        found = grid("fw")
        for name, positions in places.items():
            known = [str(faces[p]) for p in positions if p in faces]
            hidden = len(positions) - len(known)
            parts = [*known, *([f"{hidden} hidden"] if hidden else [])]
            found.add_row(Text(name, style="bold"), Text(", ".join(parts) or view.look.dash))
        return [found] if places else []

    def hand(self, view: View) -> list[RenderableType]:
        """The cards of the seat."""
        return []

    def beside(self, view: View, seat: int) -> str:
        """Say what to show beside a seat's name."""
        return ""

    def task(self, view: View) -> str:
        """Say what the seat is asked to do."""
        asking = view.game.asking
        return f"choose: {asking.topic}" if asking is not None else ""

    def hint(self, view: View) -> str:
        """Say what a new player can type now."""
        return "`moves` lists your legal moves, `help` all commands."

    def offered(self, view: View) -> Iterable[tuple[str, Move]]:
        """Legal moves in words. Lazy, since there may be very many."""
        if view.seat is not None:
            for move in self.mode.legal(view.game.state, view.seat):
                yield self.told(view, move), move

    def told(self, view: View, move: Move) -> str:
        """A move in words."""
        return json.dumps(move, ensure_ascii=False)

    def made(self, view: View, move: Move) -> str:
        """A move that was made, in words. `view` is the game after it."""
        return self.told(view, move)

    def turned(self, before: View, view: View, faces: Mapping[Position, Face]) -> str:
        """Say which cards the rules turned up. The text is empty if other texts say it."""
        return ""

    def marked(self, view: View, text: str, position: Position) -> str:
        """A card's text, with a mark if the last deal has just brought it."""
        return f"{text}{NEW}" if position in self.fresh and view.mine else text

    def legend(self, held: Iterable[Position]) -> str:
        """What the mark of new cards means, where one of these has it."""
        return f" ({NEW} new)" if self.fresh & frozenset(held) else ""

    def followed(self, before: View, view: View) -> str:
        """Say what the rules did after a move without an entry of its own, such as who took the trick."""
        return ""

    def account(self, view: View, lines: Sequence[Line]) -> list[RenderableType]:
        """An account: headings, and what happened under them."""
        found: list[RenderableType] = []
        for section in self.sections(view, lines):
            if section.heading is not None:
                found.append(Text(self.said(view, section.heading), style="bold"))
            said = [Text(self.said(view, line)) for line in section.lines]
            found += said if section.heading is None else [Padding(line, (0, 0, 0, 2)) for line in said]
        return found

    def sections(self, view: View, lines: Sequence[Line]) -> tuple[Section, ...]:
        """The sections of an account by this game's rules."""
        return self.mode.sections(lines, view.game.header.cards)

    def said(self, view: View, told: Told) -> str:
        """A sentence of an account, with the players' names."""
        return named(plain(told.text), view.names)

    def lessons(self, view: View) -> Sequence[tuple[str, bool]]:
        """List what a learner can see of the game, and whether it was seen.

        The list follows from what the view shows. It is empty for a game without lessons.
        """
        return ()

    def why(self, reason: str) -> str:
        """Say in words why the game ended."""
        return _WHY.get(reason, reason)

    # How it is spoken to

    def read(self, view: View, line: str) -> Reply | None:
        """Read a typed line and return what follows from it; None if it is no line of this mode.

        Raises `Misread`.
        """
        word, _, rest = line.partition(" ")
        given = rest.strip() if word.casefold() == "play" else line.strip()
        if given.startswith("{"):
            try:
                move = loads(given)
            except ValueError as error:
                raise Misread(f"That is not JSON: {error}.") from None
            return Reply(move=self.allowed(view, move))
        if given.isdecimal():
            return Reply(move=self.numbered(view, int(given)))
        return None

    def numbered(self, view: View, number: int) -> Move:
        """The move with this number in the list that was just shown. Raises `Misread` if there is none."""
        if not view.asked:
            raise Misread("Nothing is asked of you at the moment.")
        if not self.listed:
            raise Unclear(f"What is {number}? `moves` lists your legal moves by number; then a number plays.")
        if not 1 <= number <= len(self.listed):
            raise Unclear(f"The list has no move {number}; its numbers end with {len(self.listed)}.")
        return self.listed[number - 1]

    def list_moves(self, view: View) -> RenderableType:
        """The first legal moves by number. The next line may name one of them."""
        found = list(islice(self.offered(view), MOST_MOVES + 1))
        self.listed = tuple(move for _, move in found[:MOST_MOVES])
        return listed_moves(found)

    def allowed(self, view: View, move: Any) -> Move:
        """The move, if it is legal. Raises `Misread` with the rules' words."""
        if view.seat is None:
            raise Misread("You only watch: a spectator has no move.")
        refusal = self.mode.legal(view.game.state, view.seat).refusal(move)
        if refusal is not None:
            if refusal.code == "malformed" and view.asked and self._of_another_kind(view, move):
                raise Misread(f"That is not asked now. Your turn: {self.task(view)}.", refusal.section)
            raise Misread.of(refusal)
        found: Move = move
        return found

    def _of_another_kind(self, view: View, move: Any) -> bool:
        """Tell whether a move has the form of a move for another moment."""
        kinds = {frozenset(legal) for _, legal in islice(self.offered(view), MOST_MOVES)}
        return isinstance(move, dict) and frozenset(move) not in kinds

    def suggested(self, view: View, move: Move) -> Reply:
        """Show a bot's advice. A presenter may lay the move out first."""
        return Reply((Text(f"A bot would choose: {self.told(view, move)}"),))

    def offers(self, view: View, line: str) -> list[LineCompletion]:
        """List what completes an unfinished line."""
        return [
            LineCompletion(f"{word} ", len(line)) for word in self.words if word.startswith(line.casefold())
        ]

    def forget(self) -> None:
        """Forget what was prepared: the game is at another step."""
        self.listed = ()


_WHY = {
    "agreed": "agreed on a draw",
    "resigned": "by resignation",
    "link_withheld": "a player did not send what the first deal needs",
    "void": "a player did not take their seat",
    "missed": "by silence, three times in a row",
}
"""The reasons to end that all modes share, in words."""


def checklist(lessons: Iterable[tuple[str, bool]]) -> RenderableType:
    """A numbered list with a mark at what was seen."""
    table = grid("nrw")
    for n, (text, seen) in enumerate(lessons, start=1):
        table.add_row("[x]" if seen else "[ ]", str(n), Text(text))
    return table


def listed_moves(found: Sequence[tuple[str, Move]]) -> RenderableType:
    """Legal moves by number, at most `MOST_MOVES`."""
    if not found:
        return Text("No move is asked of you now.")
    table = grid("rw")
    for i, (text, _) in enumerate(found[:MOST_MOVES], start=1):
        table.add_row(str(i), Text(text))
    if len(found) > MOST_MOVES:
        table.add_row("", Text("and more"))
    return table
