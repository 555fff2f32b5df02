"""The look of Big C at a terminal; `4h 4s joker` plays these cards, `pass` passes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rich.console import RenderableType
from rich.text import Text

from cards.games import french
from cards.games.big_c.hands import STRENGTH, combination_of
from cards.games.big_c.table import Board, held_by, on_table
from cards.games.contract import Move, Position
from cloche.commands.words import listed
from cloche.table.hearts import of_rank
from cloche.table.look import Look
from cloche.table.matching import either
from cloche.table.presenter import LineCompletion, Misread, Presenter, Reply, Unclear, View
from referee import Game

VERBS = ("play", "present")
CODES = {code.casefold(): code for code in STRENGTH} | {"*": french.JOKER, "jk": french.JOKER}
"""Ways to type a card, in lower case."""


def shown(look: Look, code: str) -> str:
    """A card by its letters and its sign, "QS♠"; a Joker by its name."""
    return code if code == french.JOKER else code + look.suit(french.suit(code))


def row(look: Look, codes: Iterable[str]) -> str:
    """Cards from the lowest to the highest."""
    return " ".join(shown(look, code) for code in sorted(codes, key=STRENGTH.__getitem__))


class BigCPresenter(Presenter):
    """Big C: the cards on the table, the order of play, the hand by rank."""

    words: Mapping[str, str] = {
        "play": "play 4H 4S, or just 4h 4s; a Joker is `joker` or `*`",
        "pass": "play nothing this turn (p)",
        "present": "present 5D, or just 5d: show a card for the order of play",
        "cards": "your cards",
    }

    # How it looks

    def heading(self, view: View) -> str:
        board: Board = view.board
        return f"turn {board.turns + 1}" if board.phase in ("play", "shuffle") else ""

    def round(self, game: Game) -> int:
        board: Board = game.state.board
        return board.turns

    def beside(self, view: View, seat: int) -> str:
        board: Board = view.board
        if not board.hands:
            return ""
        faces = view.game.state.faces
        count = len(board.hands[seat])
        cards = "1 card" if count == 1 else f"{count} cards"
        known = [faces[p] for p in board.hands[seat] & board.known if p in faces]
        with_known = f", with {row(view.look, known)}" if known and seat != view.seat else ""
        return cards + with_known

    def board(self, view: View) -> list[RenderableType]:
        board: Board = view.board
        if not board.hands:
            return []
        if board.phase == "present":
            return self._presented(view)
        found: list[RenderableType] = []
        order = [view.names[seat] for group in board.groups for seat in group]
        found.append(Text(f"Order of play: {', '.join(order)}"))
        under = on_table(view.game.state)
        if under is not None:
            cards = row(view.look, (view.game.state.faces[p] for p in board.table))
            line = Text(f"On the table, by {self._name(view, board.last)}: ")
            found.append(line.append(cards, style="bold").append(f" ({under.kind.title})"))
        elif board.phase == "play":
            mine = board.mover == view.seat and view.mine
            who = "you choose" if mine else f"{view.names[board.mover]} chooses"
            found.append(Text(f"The table is empty: {who} what is played."))
        found.append(Text(f"Stock {len(board.stock)}, played {len(board.played)}"))
        return found

    def _presented(self, view: View) -> list[RenderableType]:
        faces = view.game.state.faces
        found: list[RenderableType] = []
        for seat, positions in enumerate(view.board.presented):
            cards = " ".join(shown(view.look, faces[p]) for p in positions if p in faces)
            if cards:
                found.append(Text(f"{self._name(view, seat)} presented {cards}"))
        for group in view.board.groups:
            if found and len(group) > 1:
                found.append(Text(f"Tied: {listed(view.names[seat] for seat in group)}"))
        return found

    @staticmethod
    def _name(view: View, seat: int) -> str:
        return "you" if seat == view.seat and view.mine else view.names[seat]

    def hand(self, view: View) -> list[RenderableType]:
        """The hand by rank, the lowest card first."""
        board: Board = view.board
        if view.seat is None or not board.hands:
            return []
        held = held_by(view.game.state, view.seat)
        hidden = len(board.hands[view.seat]) - len(held)
        more = f" and {hidden} not seen" if hidden else ""
        if not held and not hidden:
            return [Text(f"{view.whose} hand is empty.")]
        sorted_held = sorted(held.items(), key=lambda item: STRENGTH[item[1]])
        cards = " ".join(self.marked(view, shown(view.look, code), p) for p, code in sorted_held)
        return [Text(f"{view.whose} hand{self.legend(held)}"), Text(f"  {cards}{more}", style="bold")]

    def task(self, view: View) -> str:
        asking = view.game.asking
        if asking is None:
            return ""
        under = on_table(view.game.state)
        if asking.topic == "present":
            return "present a card, the lowest goes first"
        if asking.topic == "lead":
            held = held_by(view.game.state, view.seat) if view.seat is not None else {}
            stuck = held and all(code == french.JOKER for code in held.values())
            return "pass, since Jokers alone make no hand" if stuck else "play any hand"
        return "beat it or pass" if under is None else f"beat the {under.kind.title}, or pass"

    def hint(self, view: View) -> str:
        if view.board.phase == "present":
            return "Type a card, such as `5d`; all players turn theirs over together. `help` has the rest."
        said = "" if on_table(view.game.state) is None else " or `pass`"
        return f"Type cards (`4h 4s`, `9d joker`){said}. `moves` lists what is legal, `help` has the rest."

    def told(self, view: View, move: Move) -> str:
        if "pass" in move:
            return "pass"
        if "present" in move:
            return f"present {shown(view.look, str(move['card']))} ({french.title(str(move['card']))})"
        hand = combination_of(move["cards"])
        kind = f" ({hand.kind.title})" if hand is not None and len(move["cards"]) > 1 else ""
        return row(view.look, move["cards"]) + kind

    def why(self, reason: str) -> str:
        return _WHY.get(reason) or super().why(reason)

    # How it is spoken to

    def read(self, view: View, line: str) -> Reply | None:
        if "{" not in line:
            line = line.replace(",", " ")
        word, _, rest = line.strip().partition(" ")
        verb = word.casefold()
        if verb == "cards":
            return Reply(tuple(self.hand(view)))
        if verb in ("pass", "p"):
            return Reply(move=self._checked(view, {"pass": True}))
        typed = rest.split() if verb in VERBS else line.split()
        if not typed and verb in VERBS:
            raise Misread("Which cards? For example: `play 4h 4s`.")
        if typed[:1] and typed[0].startswith("{"):
            return super().read(view, " ".join(typed))
        if len(typed) == 1 and typed[0].isdecimal():
            ranked = [] if self.listed else self._of_rank(view, typed[0])
            if not ranked:
                return super().read(view, typed[0])
            if len(ranked) > 1:
                raise Unclear(f"{typed[0]}: {either([french.title(code) for code in ranked])}?")
            typed = ranked
        if verb not in VERBS and not all(token.casefold() in CODES for token in typed):
            return None
        codes = [self._code(token) for token in typed]
        return Reply(move=self._checked(view, self._move(view, codes)))

    @staticmethod
    def _of_rank(view: View, typed: str) -> list[str]:
        """The cards of the hand with a rank, if a choice is asked; equal ones once."""
        held = held_by(view.game.state, view.seat) if view.seat is not None and view.asked else {}
        return of_rank(typed, dict.fromkeys(code for code in held.values() if code != french.JOKER))

    @staticmethod
    def _code(token: str) -> str:
        if token.casefold() not in CODES:
            raise Misread(f"There is no card {token}: a card is a rank and a suit, such as 10H, or `joker`.")
        return CODES[token.casefold()]

    def _move(self, view: View, codes: list[str]) -> Move:
        """The move with cards of the hand. Raises `Misread`."""
        if view.seat is None or not view.asked:
            raise Misread("Nothing is asked of you at the moment.", "big-c 11")
        held = held_by(view.game.state, view.seat)
        presenting = view.board.phase == "present"
        places: list[Position] = []
        for code in codes:
            before = view.board.presented[view.seat] if presenting else ()
            fitting = [p for p, face in held.items() if face == code and p not in (*places, *before)]
            if not fitting:
                again = " that often" if code in codes[: len(places)] else ""
                raise Misread(f"{_the(code)} is not in your hand{again}.", "big-c 11")
            places.append(fitting[0])
        if presenting:
            if len(places) != 1:
                raise Misread("Present one card.", "big-c 3")
            return {"present": places[0], "card": codes[0]}
        places.sort()
        return {"play": places, "cards": [held[p] for p in places]}

    def _checked(self, view: View, move: Move) -> Move:
        if view.seat is None or not view.asked:
            raise Misread("Nothing is asked of you at the moment.", "big-c 11")
        return self.allowed(view, move)

    def offered(self, view: View) -> Iterator[tuple[str, Move]]:
        """Legal moves as the rules list them, cards to present from the lowest. Equal cards come once."""
        if view.seat is None or not view.asked:
            return
        told: set[str] = set()
        moves: Iterable[Move] = self.mode.legal(view.game.state, view.seat)
        if view.board.phase == "present":
            moves = sorted(moves, key=lambda move: STRENGTH[move["card"]])
        for move in moves:
            text = self.told(view, move)
            if text not in told:
                told.add(text)
                yield text, move

    def offers(self, view: View, line: str) -> list[LineCompletion]:
        """Completes commands at the beginning of a line, and cards of the hand anywhere."""
        *before, last = line.split(" ")
        found = super().offers(view, line) if not before else []
        if view.seat is None or not view.board.hands:
            return found
        held = sorted({*held_by(view.game.state, view.seat).values()}, key=STRENGTH.__getitem__)
        fitting = [code for code in held if last and code.casefold().startswith(last.casefold())]
        return [*found, *(LineCompletion(f"{code} ", len(last), french.title(code)) for code in fitting)]


_WHY = {
    "out": "the last card is played",
    "stuck": "nobody could lead",
    "turns": "after 1000 turns",
}


def _the(code: str) -> str:
    return "A Joker" if code == french.JOKER else f"The {french.title(code)}"
