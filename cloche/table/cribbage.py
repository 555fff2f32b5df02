"""The look of Cribbage at a terminal: the pegs, the count, the hand; cards are typed as `5H`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from cards.games import french
from cards.games.contract import Face, Move, Position
from cards.games.cribbage.score import LOW
from cards.games.cribbage.table import Board
from cloche.table.hearts import code_of, of_rank, shown
from cloche.table.look import grid
from cloche.table.matching import either, near
from cloche.table.presenter import LineCompletion, Misread, Presenter, Reply, View
from referee import Game

_NUMBERED = {"cut": "cut", "starter": "cut", "claim": "claim", "answer": "object"}
"""The meaning of a bare number, by the topic of the question."""
_VERBS = ("cut", "lay", "play", "claim", "object")


class CribbagePresenter(Presenter):
    """Cribbage: a track for each side, the starter and the crib, the running count, the hand by ranks."""

    words: Mapping[str, str] = {
        "cut": "cut 17, or just 17: lift so many cards",
        "lay": "lay 5H KD, or just 5H KD: lay these away for the crib",
        "play": "play 5H, play 5 of hearts, or just 5H",
        "claim": "claim 12, or just 12: the points of your cards (muggins)",
        "accept": "let a claim stand",
        "object": "object 14: say what the cards count instead",
        "cards": "your cards",
    }

    # How it looks

    def heading(self, view: View) -> str:
        board: Board = view.board
        games = ":".join(map(str, board.won)) if board.setup.games > 1 else ""
        parts = [f"hand {board.round}" if board.round else "", f"games {games}" if games else ""]
        return ", ".join(filter(None, parts))

    def round(self, game: Game) -> int:
        board: Board = game.state.board
        return board.round

    def beside(self, view: View, seat: int) -> str:
        board: Board = view.board
        if not board.hand.held:
            return ""
        cards = len(board.hand.held[seat])
        parts = ["1 card" if cards == 1 else f"{cards} cards"]
        if seat == board.dealer:
            parts.append("deals")
        if seat in board.hand.said:
            parts.append("go")
        return ", ".join(parts)

    def board(self, view: View) -> list[RenderableType]:
        board: Board = view.board
        found: list[RenderableType] = list(self._tracks(view))
        if not board.hand.held:
            return found
        faces = view.game.state.faces
        if board.hand.starter is not None and board.hand.starter in faces:
            found.append(Text(f"Starter {shown(view.look, faces[board.hand.starter])}"))
        if board.hand.laid[0]:
            found.append(self._crib(view))
        if board.phase == "play":
            found.append(Text(f"The count is {board.hand.reached}", style="bold"))
            if board.hand.pile:
                found.append(self._pile(view))
        elif board.phase in ("claim", "answer", "crib", "deal", "over"):
            for seat, played in enumerate(board.hand.played):
                if played:
                    held = "played" if board.hand.held[seat] else "held"
                    claimed = self._claimed(board, board.showing.index(seat))
                    found.append(Text(f"{view.names[seat]} {held} {self._row(view, played)}{claimed}"))
        return found

    def _pile(self, view: View) -> RenderableType:
        """The cards of the running count with their players: a line for each, or one if there is no room."""
        board, faces = view.board, view.game.state.faces
        table, line = grid("fn"), []
        for position in board.hand.pile:
            name = view.names[next(s for s, played in enumerate(board.hand.played) if position in played)]
            card = shown(view.look, faces[position])
            table.add_row(Text("  " + name), Text(card))
            line.append(f"{name} {card}")
        return table if view.room is None else Text(f"  {', '.join(line)}")

    def _crib(self, view: View) -> Text:
        """The crib, with its owner's name until the deal has passed on."""
        board: Board = view.board
        whose = view.whose if board.dealer == view.seat else f"{view.names[board.dealer]}'s"
        crib = f"{'The' if board.phase == 'deal' else whose} crib"
        if not board.hand.shown:
            return Text(f"{crib}: {len(board.crib)} cards, face down")
        return Text(f"{crib}: {self._row(view, board.crib)}{self._claimed(board, board.setup.seats)}")

    @staticmethod
    def _claimed(board: Board, index: int) -> str:
        """The claim that waits for its answer, beside the hand or crib that is shown as number `index`."""
        waits = board.phase == "answer" and index == len(board.hand.claims) - 1
        return f", claimed as {board.hand.claims[-1]}" if waits else ""

    def _tracks(self, view: View) -> Iterator[Text]:
        """A track for each side, under its name and points: holes for one or a few points, and the peg."""
        board: Board = view.board
        setup = board.setup
        step = next(n for n in (1, 2, 3, 5, 6, 8, 10) if setup.target // n < min(view.width - 4, 64))
        peg, hole = ("o", ".") if view.look.ascii else ("●", "·")
        for side, points in enumerate(board.scores):
            names = " and ".join(view.names[seat] for seat in range(side, setup.seats, setup.sides))
            yield Text(f"{names}: {points} of {setup.target}")
            place = min(points, setup.target) // step
            holes = [peg if i == place else hole for i in range(setup.target // step + 1)]
            yield Text("  " + "".join(holes), no_wrap=True)

    def _row(self, view: View, positions: Iterable[Position]) -> str:
        faces = view.game.state.faces
        return " ".join(shown(view.look, code) for code in _sorted(faces[p] for p in positions if p in faces))

    def hand(self, view: View) -> list[RenderableType]:
        """The hand by ranks. Cards that do not fit the count stand in brackets."""
        board: Board = view.board
        if view.seat is None or not board.hand.held:
            return []
        held = self._codes(view)
        if not held:
            shown_now = board.phase in ("claim", "answer", "over")
            return [] if shown_now else [Text(f"{view.whose} hand is empty.")]
        legal = {move["card"] for _, move in self.offered(view) if "play" in move}
        row = Text("  ")
        for code in _sorted(held):
            barred = bool(legal) and code not in legal
            text = shown(view.look, code)
            row.append(f"({text}) " if barred else f"{text} ", style="dim" if barred else "bold")
        found: list[RenderableType] = [Text(f"{view.whose} hand"), row]
        if board.hand.laid[view.seat] and not board.hand.shown:
            found.append(Text(f"  laid away: {self._row(view, board.hand.laid[view.seat])}"))
        return found

    @staticmethod
    def _codes(view: View) -> dict[str, Position]:
        """The known cards of the hand, with their positions."""
        board, faces = view.board, view.game.state.faces
        if view.seat is None or not board.hand.held:
            return {}
        return {faces[p]: p for p in board.hand.held[view.seat] if p in faces}

    def task(self, view: View) -> str:
        asking, board = view.game.asking, view.board
        if asking is None:
            return ""
        match asking.topic:
            case "cut":
                return "cut for the deal: the lowest card deals"
            case "starter":
                return "cut the starter"
            case "lay":
                whose = "your own" if board.dealer == view.seat else f"{view.names[board.dealer]}'s"
                return f"lay {_away(board.setup.away)}, for {whose} crib"
            case "card":
                return f"play a card, the count is {board.hand.reached}"
            case "claim":
                crib = len(board.hand.claims) == board.setup.seats
                return f"claim what your {'crib' if crib else 'hand'} counts"
            case "answer":
                return f"accept {view.names[board.claimer]}'s claim of {board.hand.claims[-1]}, or object"
        return asking.topic

    def hint(self, view: View) -> str:
        topic = view.game.asking.topic if view.game.asking is not None else ""
        setup = view.board.setup
        said = {
            "cut": "Type how many cards you lift: `17`.",
            "starter": "Type how many cards you lift: `17`.",
            "lay": "Type the card, as in `5H`." if setup.away == 1 else "Type the cards, as in `5H KD`.",
            "claim": "Type the points: `12`.",
            "answer": "`accept`, or `object 14` with your own count.",
        }.get(topic, "Type a card (`5H`, `5 of hearts`); go is said for you.")
        return f"{said} `help` has the rest."

    def offered(self, view: View) -> Iterator[tuple[str, Move]]:
        if view.seat is None or not view.asked:
            return
        for move in self.mode.legal(view.game.state, view.seat):
            yield self.told(view, move), move

    def told(self, view: View, move: Move) -> str:
        faces = view.game.state.faces
        if "play" in move:
            return f"{shown(view.look, move['card'])} ({french.title(move['card'])})"
        if "lay" in move:
            known = [shown(view.look, faces[p]) for p in move["lay"] if p in faces]
            return "lay " + (" ".join(known) or _away(len(move["lay"])))
        if "cut" in move:
            return f"cut: lift {move['cut']}"
        ((verb, value),) = move.items()
        return verb if value is True else f"{verb} {value}"

    def turned(self, before: View, view: View, faces: Mapping[Position, Face]) -> str:
        """The starter. Other cards are told by an account or the table (cribbage 2, 8)."""
        code = faces.get(view.board.hand.starter)
        return f"The starter is {shown(view.look, code)} ({french.title(code)})" if code else ""

    def why(self, reason: str) -> str:
        return _WHY.get(reason) or super().why(reason)

    # How it is spoken to

    def read(self, view: View, line: str) -> Reply | None:
        word, _, rest = line.strip().partition(" ")
        word = word.casefold()
        if word == "cards":
            return Reply(tuple(self.hand(view)))
        if word in ("accept", "go"):
            return Reply(move=self._asked(view, {word: True}))
        typed = rest.strip() if word in _VERBS else line.strip()
        if typed.startswith("{"):
            return super().read(view, line)
        topic = view.game.asking.topic if view.asked and view.game.asking is not None else ""
        if line.strip().isdecimal() and self.listed:
            return super().read(view, line)
        if typed.isdecimal() and (word in ("cut", "claim", "object") or topic in _NUMBERED):
            verb = word if word in _VERBS else _NUMBERED[topic]
            return Reply(move=self._asked(view, {verb: int(typed)}))
        if typed.isdecimal() and (self.listed or not of_rank(typed, self._codes(view))):
            return super().read(view, line)
        if word not in ("lay", "play") and not self._cards(typed, french.PACK):
            return None
        verb = word if word in ("lay", "play") else "lay" if topic == "lay" else "play"
        codes = [self._held(view, part) for part in self._parts(view, typed)]
        held = self._codes(view)
        if verb == "lay":
            return Reply(move=self._asked(view, {"lay": [held[code] for code in codes]}))
        if len(codes) != 1:
            raise Misread("Play one card at a time.", "cribbage 6")
        return Reply(move=self._asked(view, {"play": held[codes[0]], "card": codes[0]}))

    def _asked(self, view: View, move: Move) -> Move:
        if view.seat is None or not view.asked:
            raise Misread("Nothing is asked of you at the moment.", "cribbage 12")
        return self.allowed(view, move)

    @staticmethod
    def _cards(typed: str, codes: Iterable[str]) -> bool:
        """Tell whether a text begins with a card: in its first one, two or three words."""
        known, words = list(codes), typed.replace(",", " ").split()
        return any(code_of(" ".join(words[:n]), known) for n in (1, 2, 3) if words)

    def _parts(self, view: View, typed: str) -> list[str]:
        """The cards of a text, separated by commas, or short codes by blanks."""
        if not typed:
            held = _sorted(self._codes(view)) if view.asked else ()
            raise Misread(
                f"Which card? {either(held)}?" if held else "You have no card to lay.", "cribbage 6"
            )
        if "," in typed:
            return [part.strip() for part in typed.split(",") if part.strip()]
        words = typed.split()
        return words if all(word.upper() in french.PACK for word in words) else [typed]

    def _held(self, view: View, typed: str) -> str:
        """The card of the hand that a text means. Raises `Misread`."""
        if view.seat is None or not view.asked:
            raise Misread("Nothing is asked of you at the moment.", "cribbage 12")
        held = self._codes(view)
        fitting = code_of(typed, held)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise Misread(f"{typed}: {either([french.title(code) for code in fitting])}?")
        known = code_of(typed, french.PACK)
        if len(known) == 1:
            raise Misread(f"The {french.title(known[0])} is not in your hand.", "cribbage 6")
        close = near(typed, [french.title(code) for code in held])
        raise Misread(f"There is no card {typed}." + (f" Did you mean the {either(close)}?" if close else ""))

    def offers(self, view: View, line: str) -> list[LineCompletion]:
        word, space, rest = line.rpartition(" ")
        first = line.split(" ", 1)[0].casefold()
        if space and first in ("cut", "claim", "object", "accept"):
            return []
        codes = _sorted(self._codes(view)) if view.asked else []
        taken = {part.upper() for part in word.split()}
        fitting = [c for c in codes if c.startswith(rest.upper()) and c not in taken]
        cards = [LineCompletion(code, len(rest), french.title(code)) for code in fitting]
        if space:
            return cards
        return [*super().offers(view, line), *(cards if line else [])]


_WHY = {
    "points": "the last hole is reached",
    "lurch": "the last hole is reached, and the loser is lurched",
    "games": "enough games are won",
}


def _sorted(codes: Iterable[str]) -> Sequence[str]:
    return sorted(codes, key=LOW.__getitem__)


def _away(cards: int) -> str:
    """
    >>> _away(1), _away(2)
    ('a card away', 'two cards away')
    """
    return "a card away" if cards == 1 else "two cards away"
