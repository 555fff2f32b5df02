"""The look of Pancakes (flip) at a terminal: Stacks in rows; `QS 3` lays the queen of spades on Stack 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from cards.games import french
from cards.games.contract import Face, Move, Position
from cards.games.flip.griddle import SERVING, STACKS, Stack, servings
from cards.games.flip.lessons import LESSONS, OPEN
from cards.games.flip.table import Board
from cloche.table.hearts import SUIT_NAMES, code_of, of_rank
from cloche.table.look import Look, grid
from cloche.table.matching import either, near
from cloche.table.presenter import LineCompletion, Misread, Presenter, Reply, Unclear, View
from referee import Game

ROWS = ((1,), (2, 3, 4), (5, 6, 7), (8,))
"""The numbers of the Stacks, in the rows in which they lie (flip 2)."""
CELL = 13
"""Columns for each Stack: its number, top card, count of cards."""
BACK, EMPTY = "##", "empty"
CODES = (*french.PACK, french.JOKER)
_BARE = {"pile": "draw", "forfeit": "forfeit", "done": "done"}
"""Moves that are one word."""


def shown(look: Look, code: str) -> str:
    """A card by its letters and, where there is one, its sign: "QS♠"."""
    return code if code == french.JOKER else code + look.suit(french.suit(code))


class FlipPresenter(Presenter):
    """Pancakes (flip): the Griddle, the hand, what fits."""

    words: Mapping[str, str] = {
        "play": "play QS 3, or just QS 3: the queen of spades from your hand on Stack 3",
        "move": "move 2 3: the top card of Stack 2 onto Stack 3",
        "pile": "draw from the Draw Pile until a card fits",
        "forfeit": "say that you have no play, when the pile is empty",
        "serve": "serve 3: take the Serving on Stack 3",
        "done": "take no (more) Serving",
        "stack": "stack 3: all cards of Stack 3, the top first",
    }
    mistakable: Mapping[str, str] = {"draw": "To draw cards from the Draw Pile type `pile`."}

    # How it looks

    def heading(self, view: View) -> str:
        board: Board = view.board
        game = f"game {board.game}, " if board.target and board.seats > 1 else ""
        return f"{game}turn {board.turns + 1}" if board.game else ""

    def round(self, game: Game) -> int:
        board: Board = game.state.board
        return board.game

    def beside(self, view: View, seat: int) -> str:
        board: Board = view.board
        if not board.hands:
            return ""
        held, served = len(board.hands[seat]), len(board.trays[seat]) // SERVING
        cards = "1 card" if held == 1 else f"{held} cards"
        tray = {0: "", 1: ", 1 Serving"}.get(served, f", {served} Servings")
        hands = "1 hand" if board.completed == 1 else f"{board.completed} hands"
        alone = f", {hands} completed" if board.seats == 1 else ""
        return cards + tray + alone

    def board(self, view: View) -> list[RenderableType]:
        """The rows of the Griddle; on a narrow terminal one line for each Stack."""
        board: Board = view.board
        if not board.griddle:
            return []
        left = board.size - board.pile
        found: list[RenderableType] = []
        if view.width < 3 * CELL:
            table = grid("rnw")
            for n, stack in enumerate(board.griddle, 1):
                table.add_row(str(n), Text(self._top(view, stack), style="bold"), Text(f"of {len(stack)}"))
            found.append(table)
        else:
            for row in ROWS:
                cells = [self._cell(view, n).ljust(CELL) for n in row]
                found.append(Text((" " * CELL if len(row) == 1 else "") + "".join(cells).rstrip()))
        pile = "The Draw Pile is empty." if not left else f"Draw Pile: {left}"
        return [
            Text(f"The Griddle: Stack, top card, how many cards ({BACK}: a card back)"),
            *found,
            Text(pile),
        ]

    def _top(self, view: View, stack: Stack) -> str:
        if not stack:
            return EMPTY
        return BACK if stack[-1] < 0 else self._face(view, stack[-1])

    def _cell(self, view: View, number: int) -> str:
        stack = view.board.griddle[number - 1]
        return f"{number} {self._top(view, stack)}" + (f" /{len(stack)}" if stack else "")

    @staticmethod
    def _face(view: View, position: Position) -> str:
        code = view.game.state.faces.get(position)
        return "?" if code is None else shown(view.look, code)

    def _through(self, view: View, number: int) -> RenderableType:
        """All cards of a Stack, the top first; face-down cards in brackets, `##` if never seen (flip 2)."""
        cards = []
        for card in reversed(view.board.griddle[number - 1]):
            if card >= 0:
                cards.append(self._face(view, card))
            else:
                known = ~card in view.game.state.faces
                cards.append(f"[{self._face(view, ~card)}]" if known else BACK)
        told = " ".join(cards) or EMPTY
        return Text(f"Stack {number}, the top first; what lies face-down in brackets: {told}")

    def hand(self, view: View) -> list[RenderableType]:
        """The hand by ranks. Cards that may not be played now stand in brackets, except for a learner."""
        board: Board = view.board
        if view.seat is None or not board.hands:
            return []
        faces, held = view.game.state.faces, board.hands[view.seat]
        known = sorted((p for p in held if p in faces), key=lambda p: _by_rank(faces[p]))
        moves = [] if self.teaching else [move for _, move in self.offered(view)]
        fits = {move["play"] for move in moves if "play" in move}
        row = Text("  ")
        for p in known:
            text, barred = self.marked(view, shown(view.look, faces[p]), p), bool(moves) and p not in fits
            row.append(f"({text}) " if barred else f"{text} ", style="dim" if barred else "bold")
        if len(known) < len(held):
            row.append(f"and {len(held) - len(known)} not seen")
        title = f"{view.whose} hand{self.legend(held)}"
        return [Text(title), row] if held else [Text(f"{view.whose} hand is empty.")]

    def task(self, view: View) -> str:
        asking, board = view.game.asking, view.board
        if asking is None:
            return ""
        if asking.topic == "drawn":
            card = view.game.state.faces.get(board.drawn)
            return f"play the {french.title(card)} that you drew" if card else "play the card that you drew"
        if asking.topic == "serve":
            if self.teaching:
                return "take a Serving, or done"
            stacks = [str(i + 1) for i in servings(board.griddle, view.game.state.faces)]
            return f"serve {either(stacks)}, or done"
        return "play a card" if asking.topic == "cook" else asking.topic

    def hint(self, view: View) -> str:
        verbs = {next(iter(move)) for _, move in self.offered(view)}
        if self.teaching and "done" not in verbs:
            verbs = {"play", "draw", "forfeit", "transfer"}
        said = ["`QS 3` lays the queen of spades on Stack 3"] if "play" in verbs else []
        said += ["`pile` draws"] if "draw" in verbs else []
        said += ["`forfeit` says that you have no play"] if "forfeit" in verbs else []
        said += ["`move 2 3` moves a top card"] if "transfer" in verbs else []
        said += ["`serve 3` takes four of a rank, `done` leaves them"] if "serve" in verbs else []
        return f"{'; '.join(said)}. `stack 3` looks through one, `help` has the rest."

    def offered(self, view: View) -> Iterator[tuple[str, Move]]:
        if view.seat is None or not view.asked:
            return
        legal = self.mode.legal(view.game.state, view.seat)
        for move in sorted(
            legal, key=lambda move: ("transfer" in move, _by_rank(move.get("card", french.JOKER)))
        ):
            yield self.told(view, move), move

    def told(self, view: View, move: Move) -> str:
        verb = next(iter(move))
        if verb == "serve":
            return f"serve {move['serve']} (take the Serving on Stack {move['serve']})"
        if "card" not in move:
            return {"draw": "pile (draw)", "forfeit": "forfeit (no play)", "done": "done"}.get(verb, verb)
        code, how = str(move["card"]), "" if verb == "play" else "move "
        return (
            f"{how}{shown(view.look, code)} {move['stack']} ({french.title(code)} on Stack {move['stack']})"
        )

    def made(self, view: View, move: Move) -> str:
        """A move, with a word if the Stack was flipped (flip 5): then the laid card is not on top."""
        laid = move.get("play", move.get("transfer"))
        if laid is None or view.board.griddle[move["stack"] - 1][-1:] == (laid,):
            return self.told(view, move)
        return f"{self.told(view, move)}, which flips"

    def turned(self, before: View, view: View, faces: Mapping[Position, Face]) -> str:
        """The cards that come up on the Stacks, and the drawn card that fits (flip 5, 6, 7)."""
        if before.board.phase == "lay":
            return ""
        tops = {stack[-1]: n for n, stack in enumerate(view.board.griddle, 1) if stack}
        said = [
            shown(view.look, code) + (f" on Stack {tops[position]}" if position in tops else "")
            for position, code in sorted(faces.items())
        ]
        return f"Turned up: {', '.join(said)}" if said else ""

    def lessons(self, view: View) -> Sequence[tuple[str, bool]]:
        seen = view.board.lessons | (OPEN if view.board.game else 0)
        return [(text, bool(seen >> n & 1)) for n, text in LESSONS.items()]

    def why(self, reason: str) -> str:
        return _WHY.get(reason) or super().why(reason)

    # How it is spoken to

    def read(self, view: View, line: str) -> Reply | None:
        word, _, rest = line.casefold().partition(" ")
        rest = rest.strip()
        if word == "stack":
            chosen = [_stack(rest)] if rest else range(1, STACKS + 1)
            there = [n for n in chosen if view.board.griddle]
            return Reply(tuple(self._through(view, n) for n in there) or (Text("There are no Stacks yet."),))
        typed = rest if word == "play" else line.strip()
        if typed.startswith("{") or (typed.isdecimal() and (self.listed or not self._ranked(view, typed))):
            return super().read(view, line)
        bare = None if rest else _BARE.get(word)
        if not (bare or word in ("play", "move", "serve") or code_of(_card_and_stack(typed)[0], CODES)):
            return None
        if view.seat is None or not view.asked:
            raise Misread("Nothing is asked of you at the moment.", "flip 15")
        if bare:
            move: Move = {bare: True}
        elif word == "serve":
            named = rest or self._only_serving(view)
            move = {"serve": _stack(named) if named or view.board.phase == "serve" else 1}
        elif word == "move":
            move = self._transfer(view, rest)
        else:
            move = self._play(view, *_card_and_stack(typed))
        return Reply(move=self.allowed(view, move))

    def _ranked(self, view: View, typed: str) -> bool:
        """Tell whether a number is the rank of a card in the hand, and a choice is asked."""
        if view.seat is None or not view.asked or not view.board.hands:
            return False
        faces = view.game.state.faces
        return bool(of_rank(typed, [faces[p] for p in view.board.hands[view.seat] if p in faces]))

    def _only_serving(self, view: View) -> str:
        found = servings(view.board.griddle, view.game.state.faces) if view.board.phase == "serve" else []
        return str(found[0] + 1) if len(found) == 1 else ""

    def _play(self, view: View, typed: str, stack: int | None) -> Move:
        """The move with a card of the hand. The Stack need not be named if only one fits."""
        board, faces = view.board, view.game.state.faces
        hand = board.hands[view.seat] if view.seat is not None and board.hands else frozenset()
        held = {faces[p]: p for p in sorted(hand, reverse=True) if p in faces}
        fitting = code_of(typed, held)
        if len(fitting) > 1:
            raise Misread(f"{typed}: {either([french.title(code) for code in fitting])}?")
        if not fitting:
            known = code_of(typed, CODES)
            if len(known) == 1:
                raise Misread(f"The {french.title(known[0])} is not in your hand.", "flip 6")
            close = near(typed, [french.title(code) for code in held])
            maybe = f" Did you mean the {either(close)}?" if close else ""
            raise Misread(f"There is no card {typed} in your hand.{maybe}")
        code = fitting[0]
        if stack is None:
            stack = self._where(view, code)
        return {
            "play": board.drawn if faces.get(board.drawn) == code else held[code],
            "card": code,
            "stack": stack,
        }

    def _where(self, view: View, code: str) -> int:
        if self.teaching:
            raise Unclear(f"On which Stack? As in `{code} 3`.", "flip 4")
        moves = [move for _, move in self.offered(view) if "play" in move and move["card"] == code]
        stacks = sorted({move["stack"] for move in moves})
        if len(stacks) < 2:
            return int(stacks[0]) if stacks else 1  # if none fits, the rules say why
        where = either([str(n) for n in stacks])
        raise Unclear(f"On which Stack: {where}? As in `{code} {stacks[0]}`.", "flip 4")

    def _transfer(self, view: View, rest: str) -> Move:
        """Read `2 3`, `2 to 3`, or the top card instead of the first number."""
        card, target = _card_and_stack(rest)
        if target is None or not card:
            raise Unclear("From which Stack onto which? For example: move 2 3", "flip 7")
        griddle, faces = view.board.griddle, view.game.state.faces
        if card.isdecimal():
            stack = griddle[_stack(card) - 1] if griddle else ()
            if not stack:
                raise Misread(f"Stack {card} is empty.", "flip 7")
            position = stack[-1]
        else:
            tops = {faces[s[-1]]: s[-1] for s in griddle if s and s[-1] in faces}
            found = code_of(card, tops)
            if len(found) != 1:
                lying = f"No card {card} lies on top of a Stack."
                raise Misread(f"{card}: {either([french.title(c) for c in found])}?" if found else lying)
            position = tops[found[0]]
        if position < 0:
            raise Misread("Card backs are never transferred.", "flip 7")
        return {"transfer": position, "card": faces[position], "stack": target}

    def offers(self, view: View, line: str) -> list[LineCompletion]:
        moves = [] if self.teaching else [move for _, move in self.offered(view)]
        word, space, rest = line.partition(" ")
        verb = {"play": "play", "move": "transfer"}.get(word.casefold(), "play")
        typed = rest if word.casefold() in ("play", "move") else line
        if verb == "transfer" or typed.strip() or space:
            lines = {f"{m['card']} {m['stack']}": m["card"] for m in moves if verb in m}
            cards = [
                LineCompletion(text, len(typed), french.title(code))
                for text, code in lines.items()
                if text.casefold().startswith(typed.casefold())
            ]
        else:
            cards = []
        return cards if space else [*super().offers(view, line), *cards]


def _by_rank(code: str) -> tuple[int, int]:
    return (99, 0) if code == french.JOKER else (french.rank(code), [*SUIT_NAMES].index(french.suit(code)))


def _stack(typed: str) -> int:
    """The number of a Stack. Raises `Misread`."""
    if typed.isdecimal() and 1 <= int(typed) <= STACKS:
        return int(typed)
    raise Unclear(f"Which Stack? They are numbered from 1 to {STACKS}.", "flip 2")


def _card_and_stack(typed: str) -> tuple[str, int | None]:
    """Split "queen of spades on 3" into a card and a number, which is None if no Stack is named.

    >>> _card_and_stack("qs to 3"), _card_and_stack("10c"), _card_and_stack("2 3")
    (('qs', 3), ('10c', None), ('2', 3))
    """
    words = [word for word in typed.split() if word.casefold() not in ("on", "onto", "to", "stack")]
    if len(words) > 1 and words[-1].isdecimal():
        return " ".join(words[:-1]), _stack(words[-1])
    return " ".join(words), None


_WHY = {
    "points": "the set is over",
    "games": "after 100 games",
    "empty": "a hand is empty",
    "passed": "all have passed, and once more",
    "turns": "after 1,000 turns",
}
