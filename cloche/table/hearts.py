"""The look of Chinese Hearts at a terminal; cards are typed as `QS`, `queen of spades` or a beginning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from rich.console import RenderableType
from rich.text import Text

from cards.games import french
from cards.games.contract import Face, Line, Move, Position, State
from cards.games.hearts.score import BASE, TEN
from cards.games.hearts.table import Board
from cloche.table.folding import richest
from cloche.table.look import Look, grid
from cloche.table.matching import either, meant, near
from cloche.table.presenter import LineCompletion, Misread, Presenter, Reply, View
from referee import Game

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
COUNTING = {*BASE, TEN}
"""The cards that change a round's points."""
HIGHEST_FIRST = tuple(reversed(french.PACK))


def shown(look: Look, code: str) -> str:
    """A card by its letters and its sign: "QS♠"."""
    return code + look.suit(french.suit(code))


def code_of(typed: str, codes: Iterable[str]) -> list[str]:
    """The codes among `codes` that a text may mean: "qs", "queen of spades", "q spades".

    >>> code_of("queen sp", ["QS", "QH"]), code_of("10c", ["10C"])
    (['QS'], ['10C'])
    """
    held = list(codes)
    if typed.upper() in held:
        return [typed.upper()]
    if typed.isdecimal():
        return of_rank(typed, held)
    titles = {french.title(code): code for code in held}
    words = [word for word in typed.casefold().split() if word != "of"]
    if len(words) == 2:
        rank, suit = words
        exact = [c for c in held if c[:-1].casefold() == rank and SUIT_NAMES[c[-1]].startswith(suit)]
        if exact:
            return exact
    return [titles[title] for title in meant(" ".join(words), list(titles))]


def of_rank(typed: str, codes: Iterable[str]) -> list[str]:
    """The codes of a rank.

    >>> of_rank("10", ["10C", "KC", "10H"]), of_rank("1", ["10C"])
    (['10C', '10H'], [])
    """
    return [code for code in codes if code[:-1].casefold() == typed.casefold()]


class HeartsPresenter(Presenter):
    """Chinese Hearts: the trick, what lies exposed, the hand by suits."""

    words: Mapping[str, str] = {
        "play": "play QS, play queen of spades, or just QS",
        "expose": "expose QS: lay one of the four cards open, so that it counts double",
        "done": "expose no more",
        "cards": "your cards",
    }

    # How it looks

    def heading(self, view: View) -> str:
        board: Board = view.board
        return f"round {board.round}" if board.round else ""

    def round(self, game: Game) -> int:
        board: Board = game.state.board
        return board.round

    def beside(self, view: View, seat: int) -> str:
        board: Board = view.board
        if not board.hands:
            return ""
        taken = len(board.collected[seat]) // board.seats
        tricks = "1 trick" if taken == 1 else f"{taken} tricks"
        leads = ", leads" if board.phase == "play" and board.leader == seat else ""
        counting = [p for p in board.collected[seat] if view.game.state.faces.get(p) in COUNTING]
        took = f" with {self._row(view, counting)}" if counting else ""
        return f"{len(board.hands[seat])} cards, {tricks}{took}{leads}"

    def board(self, view: View) -> list[RenderableType]:
        board: Board = view.board
        found: list[RenderableType] = []
        table = grid("fnn")
        for i, position in enumerate(board.trick):
            seat = (board.leader + i) % board.seats
            led = "leads" if i == 0 else "plays"
            card = shown(view.look, view.game.state.faces[position])
            table.add_row(Text("  " + view.names[seat]), Text(led), Text(card, style="bold"))
        if table.row_count:
            found += [Text("The trick"), table]
        for seat, front in enumerate(board.fronts):
            if front:
                whose = "you" if seat == view.seat else view.names[seat]
                found.append(Text(f"Exposed before {whose}: {self._row(view, front)}"))
        return found

    def _row(self, view: View, positions: Iterable[Position]) -> str:
        faces = view.game.state.faces
        return " ".join(shown(view.look, c) for c in _sorted(faces[p] for p in positions if p in faces))

    def hand(self, view: View) -> list[RenderableType]:
        """The hand suit by suit. Cards that may not be played now stand in brackets."""
        board: Board = view.board
        if view.seat is None or not board.hands:
            return []
        held = self._codes(view.game.state, board.hands[view.seat])
        legal = {move["card"] for _, move in self.offered(view) if "play" in move}
        table = grid("nw")
        for letter, suit in SUIT_NAMES.items():
            cards = [code for code in _sorted(held) if french.suit(code) == letter]
            if not cards:
                continue
            row = Text()
            for code in cards:
                barred = bool(legal) and code not in legal
                text = shown(view.look, code)
                row.append(f"({text}) " if barred else f"{text} ", style="dim" if barred else "bold")
            table.add_row(Text(f"  {suit}"), row)
        hidden = len(board.hands[view.seat]) - len(held)
        if hidden:
            table.add_row(Text("  not seen"), Text(str(hidden)))
        return (
            [Text(f"{view.whose} hand"), table] if table.row_count else [Text(f"{view.whose} hand is empty.")]
        )

    @staticmethod
    def _codes(state: State[Board], positions: Iterable[Position]) -> dict[str, Position]:
        return {state.faces[p]: p for p in positions if p in state.faces}

    def task(self, view: View) -> str:
        asking = view.game.asking
        if asking is None:
            return ""
        if asking.topic == "expose":
            return "expose a card, or done"
        if asking.topic != "card":
            return asking.topic
        board: Board = view.board
        if not board.trick:
            return "lead a card"
        suit = french.suit(view.game.state.faces[board.trick[0]])
        return f"play a card, {SUIT_NAMES[suit]} if you can"

    def hint(self, view: View) -> str:
        if view.board.phase == "expose":
            return (
                "`expose QS` lays one of 10C, JD, AH, QS open; `done` exposes no more. `help` has the rest."
            )
        return (
            "Type a card (`QS`, `queen of spades`); cards in brackets may not be played. `help` has the rest."
        )

    def offered(self, view: View) -> Iterator[tuple[str, Move]]:
        if view.seat is None or not view.asked:
            return
        moves = list(self.mode.legal(view.game.state, view.seat))
        moves.sort(key=lambda move: HIGHEST_FIRST.index(move["card"]) if "card" in move else -1)
        for move in moves:
            yield self.told(view, move), move

    def told(self, view: View, move: Move) -> str:
        if "done" in move:
            return "done"
        code = str(move["card"])
        verb = "expose " if "expose" in move else ""
        return f"{verb}{shown(view.look, code)} ({french.title(code)})"

    def turned(self, before: View, view: View, faces: Mapping[Position, Face]) -> str:
        """The fourth card, which the rules expose (hearts 3)."""
        fronts = enumerate(view.board.fronts)
        whose = {
            position: "Your" if seat == view.seat and view.mine else f"{view.names[seat]}'s"
            for seat, front in fronts
            for position in front
        }
        said = [f"{whose[p]} {french.title(code)}" for p, code in faces.items() if p in whose]
        return f"{' '.join(said)} is exposed by the rules, as the fourth." if said else ""

    def followed(self, before: View, view: View) -> str:
        """A line that says who took the trick, with which cards (hearts 6)."""
        for seat, (had, has) in enumerate(zip(before.board.collected, view.board.collected, strict=True)):
            if len(has) > len(had):
                who = "You take" if seat == view.seat and view.mine else f"{view.names[seat]} takes"
                faces = view.game.state.faces
                cards = " ".join(shown(view.look, faces[p]) for p in has[len(had) :] if p in faces)
                return f"{who} the trick: {cards}"
        return ""

    def account(self, view: View, lines: Sequence[Line]) -> list[RenderableType]:
        """Seat by seat: points, total, and the cards that count if there is room."""
        return richest(view, [partial(self._account, view, lines, why) for why in (True, False)])

    def _account(self, view: View, lines: Sequence[Line], why: bool) -> list[RenderableType]:
        (section,) = self.sections(view, lines)
        table = grid("frrw")
        table.add_row("", "round", "total", "")
        for line in section.lines:
            told = ", ".join(reason.text for reason in line.reasons) or "nothing of value"
            points, total = line.values["points"], line.values["total"]
            name = Text(view.names[line.values["seat"]])
            table.add_row(name, f"{points:+d}", str(total), Text(told if why else ""))
        heading = "" if section.heading is None else section.heading.text
        return [Text(heading, style="bold"), table]

    def why(self, reason: str) -> str:
        return _WHY.get(reason) or super().why(reason)

    # How it is spoken to

    def read(self, view: View, line: str) -> Reply | None:
        word, _, rest = line.partition(" ")
        if word == "cards":
            return Reply(tuple(self.hand(view)))
        if word == "done":
            return Reply(move=self.allowed(view, {"done": True}))
        verb = word if word in ("play", "expose") else "play"
        typed = rest.strip() if word in ("play", "expose") else line.strip()
        if typed.isdecimal() and (self.listed or not self._ranked(view, typed)):
            return super().read(view, line)
        fitting = code_of(typed, french.PACK)
        if not fitting and word not in ("play", "expose"):
            return None
        return Reply(move=self.allowed(view, self._move(view, verb, typed)))

    def _ranked(self, view: View, typed: str) -> bool:
        """Tell whether a number is the rank of a card in the hand."""
        if view.seat is None or not view.asked:
            return False
        held = self._codes(view.game.state, view.board.hands[view.seat] | view.board.fronts[view.seat])
        return bool(of_rank(typed, held))

    def _move(self, view: View, verb: str, typed: str) -> Move:
        """The move with a card of the hand. Raises `Misread`."""
        board: Board = view.board
        if view.seat is None or not view.asked:
            raise Misread("Nothing is asked of you at the moment.", "hearts 10")
        held = self._codes(view.game.state, board.hands[view.seat] | board.fronts[view.seat])
        if not typed:
            codes = [move["card"] for _, move in self.offered(view) if verb in move]
            if verb == "expose" and not codes and board.phase == "expose":
                raise Misread("You hold none of the four cards that can be exposed: `done`.", "hearts 3")
            raise Misread(f"Which card?{f' {either(codes)}?' if codes else ''}")
        fitting = code_of(typed, held)
        if len(fitting) > 1:
            raise Misread(f"{typed}: {either([french.title(code) for code in fitting])}?")
        if fitting:
            return {verb: held[fitting[0]], "card": fitting[0]}
        known = code_of(typed, french.PACK)
        if len(known) == 1:
            where = "in your hand" if verb == "expose" else "in your hand or before you"
            section = "hearts 3" if verb == "expose" else "hearts 5"
            raise Misread(f"The {french.title(known[0])} is not {where}.", section)
        close = near(typed, [french.title(code) for code in held])
        raise Misread(f"There is no card {typed}." + (f" Did you mean the {either(close)}?" if close else ""))

    def offers(self, view: View, line: str) -> list[LineCompletion]:
        word, space, rest = line.partition(" ")
        if not space:
            cards = self._fitting(view, "play", line) if line else []
            return [*super().offers(view, line), *cards]
        return self._fitting(view, word, rest) if word in ("play", "expose") else []

    def _fitting(self, view: View, verb: str, typed: str) -> list[LineCompletion]:
        codes = [move["card"] for _, move in self.offered(view) if verb in move]
        fitting = code_of(typed, codes) if typed.strip() else codes
        begun = [code for code in codes if code.startswith(typed.upper())]
        return [
            LineCompletion(code, len(typed), french.title(code)) for code in dict.fromkeys([*begun, *fitting])
        ]


_WHY = {"points": "somebody is more than 4999 points above or below zero", "rounds": "after 100 rounds"}


def _sorted(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=HIGHEST_FIRST.index)
