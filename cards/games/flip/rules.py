"""The mode of Pancakes (flip) (docs/rules/flip.md; bracketed numbers are its sections)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from cards.games import french
from cards.games.accounts import Section
from cards.games.common import NotAsked, ahead, ended, expect, refuse
from cards.games.contract import (
    Ask,
    CardByCard,
    CardsAndTraits,
    Choice,
    Deal,
    Face,
    Facts,
    How,
    Legal,
    Line,
    Missed,
    Move,
    Option,
    Outcome,
    Position,
    Seat,
    State,
    Turn,
    seconds,
)
from cards.games.flip import score
from cards.games.flip.griddle import (
    RANK,
    SERVING,
    STACKS,
    WILD,
    fits,
    flipped,
    placed,
    ranks_on,
    servings,
    showing,
    tops,
    transferred,
)
from cards.games.flip.lessons import FORFEIT, PANCAKES, lesson, numbers
from cards.games.flip.table import (
    HAND,
    PLACE,
    Board,
    Cooking,
    Serving,
    pack,
    playable,
)
from cards.games.flip.told import account, sections
from cards.games.house_pack import (
    NOBODY,
    NOTHING,
    HouseMode,
    Positions,
    absent_option,
    misstated,
    secret_deal,
)
from cards.games.schemas import Schemas

TURNS = 1000
"""Turns after which a game ends as if all had passed (11)."""

GAMES = 100
"""Games after which a set ends (12)."""

TRAITS = (*french.RANKS, french.JOKER)
"""The trait of a card is its rank; the last is that of a Joker, whose rank is -1."""

ASKS = {
    (phase, seat): Ask(frozenset((seat,)), How.ANY, "turn", phase)
    for phase in ("cook", "drawn", "serve")
    for seat in range(5)
}
"""The asks, by phase and seat."""


class Flip(HouseMode[Board]):
    """Pancakes (flip)."""

    facts = Facts(
        name="flip",
        title="Pancakes (flip)",
        summary="Lay your cards on eight Stacks, which flip; for one to five.",
        rules="1",
        seats=(1, 5),
        options=(
            seconds("turn", 30, "Seconds for a move."),
            Option("jokers", "flag", True, "Add two Jokers to the pack."),
            Option("target", "integer", 10, "Points that end a set; 0 plays a single game.", 1, 100, off=0),
            absent_option("set"),
        ),
        own_decks=False,
        traits=TRAITS,
    )
    boards = Board
    absence = "flip 14"
    plays_lowest = True

    def start(self, options: Mapping[str, Any], seats: int) -> State[Board]:
        if not 1 <= seats <= 5:
            raise ValueError("Pancakes (flip) is for one to five players")
        zeros = (0,) * seats
        plays_on = options["absent"] == "play"
        return State(
            Board(seats, options["jokers"], options["target"], plays_on, "deal", 0, zeros, missed=zeros)
        )

    # The next question

    def next(self, state: State[Board]) -> Ask | Deal | Turn | Outcome:
        board = state.board
        match board.phase:
            case "cook" | "drawn" | "serve":
                return ASKS[board.phase, board.mover]
            case "draw":
                return self._draws(state)
            case "lay" | "show" | "flip":
                return Turn(showing(board.unseen, board.griddle))
            case "deal":
                return secret_deal(pack(board.jokers))
            case "over":
                points = self.points(state)
                return Outcome(points, ahead(points, board.left or range(board.seats)), board.reason)
            case _:
                assert_never(board.phase)

    @staticmethod
    def _draws(state: State[Board]) -> Turn:
        """Turn up the first card of the Draw Pile that fits somewhere, nothing if none does (6).

        Where that is unknown: the cards that the mover takes one by one, until one fits.
        """
        board, faces = state.board, state.faces
        pile, ranks = range(board.pile, board.size), ranks_on(board.griddle, faces)
        for position in pile:
            if position not in faces:
                return Turn(None, taking=CardByCard(board.mover, tuple(pile), _fitting(ranks)))
            if playable(faces[position], ranks):
                return Turn(frozenset((position,)))
        return Turn(NOTHING)

    # Chance

    def deal(self, state: State[Board], drawn: Sequence[tuple[int, ...] | None]) -> State[Board]:
        """Eight cards face-down, eight face-up on these, five a player; the rest is the Draw Pile (2)."""
        board = state.board
        first = 2 * STACKS
        hands = tuple(frozenset(range(first + HAND * s, first + HAND * (s + 1))) for s in range(board.seats))
        dealt = board.but(
            phase="lay",
            game=board.game + 1,
            mover=board.game % board.seats,
            turns=0,
            passes=0,
            called=False,
            idle=False,
            drawn=None,
            hands=hands,
            griddle=tuple((~i, i + STACKS) for i in range(STACKS)),
            trays=((),) * board.seats,
            pile=first + HAND * board.seats,
            unseen=frozenset(range(first)),
            completed=0,
            last=(),
        )
        return State(dealt)

    def turn(self, state: State[Board], faces: Mapping[Position, Face]) -> State[Board]:
        match state.board.phase:
            case "draw":
                return self._draw(state, faces)
            case "show":
                opened = self._opened(state, faces)
                return self._acted(opened.board, opened.faces)
            case "lay" | "flip":
                opened = self._opened(state, faces)
                return State(opened.board.but(phase="cook"), opened.faces)
            case "deal" | "cook" | "drawn" | "serve" | "over":
                raise refuse("no_turn", "No card is turned up now.", "flip 3")
            case _:
                assert_never(state.board.phase)

    @staticmethod
    def _opened(state: State[Board], faces: Mapping[Position, Face]) -> State[Board]:
        """The state after these cards of the griddle are turned up, which must be all that lie open (5)."""
        board = state.board
        if faces.keys() != showing(board.unseen, board.griddle):
            raise refuse("wrong_turn", "Other cards are turned up.", "flip 5")
        for position, code in faces.items():
            if not french.is_code(code) or misstated(
                state.faces, position, code, pack(board.jokers), "flip 5"
            ):
                raise refuse("wrong_turn", "Another card lies there.", "flip 5")
            state = state.knowing({position: code})
        return State(board.but(unseen=board.unseen - faces.keys()), state.faces)

    def _draw(self, state: State[Board], faces: Mapping[Position, Face]) -> State[Board]:
        """Cards go to the hand up to the first that fits, which everybody sees, or to the last (6)."""
        board = state.board
        pile, position = range(board.pile, board.size), next(iter(faces), None)
        if len(faces) > 1 or (position is not None and position not in pile):
            raise refuse("wrong_turn", "The first card that fits is turned up, and no other.", "flip 6")
        ranks = ranks_on(board.griddle, state.faces)
        end = board.size if position is None else position
        if any(p in state.faces and playable(state.faces[p], ranks) for p in range(board.pile, end)):
            raise refuse("wrong_turn", "An earlier card fits.", "flip 6")
        hands = list(board.hands)
        if position is None:
            hands[board.mover] |= frozenset(pile)
            taught = board.lessons | FORFEIT
            board = board.but(hands=tuple(hands), pile=board.size, idle=True, lessons=taught)
            return self._acted(board, state.faces)
        code = faces[position]
        if (
            not french.is_code(code)
            or misstated(state.faces, position, code, pack(board.jokers), "flip 5")
            or not playable(code, ranks)
        ):
            raise refuse("wrong_turn", "That card does not fit.", "flip 6")
        hands[board.mover] |= frozenset(range(board.pile, position + 1))
        board = board.but(phase="drawn", hands=tuple(hands), pile=position + 1, drawn=position)
        return State(board, state.faces).knowing(faces)

    # Choices

    def legal(self, state: State[Board], seat: Seat) -> Legal:
        board = state.board
        if seat != board.mover:
            return NotAsked("flip 15")
        match board.phase:
            case "cook" | "drawn":
                return Cooking(state)
            case "serve":
                return Serving(state)
            case "deal" | "lay" | "draw" | "show" | "flip" | "over":
                return NotAsked("flip 15")
            case _:
                assert_never(board.phase)

    def play(self, state: State[Board], choices: Mapping[Seat, Choice]) -> State[Board]:
        board = state.board
        ask = ASKS.get((board.phase, board.mover))
        if ask is None:
            raise refuse("not_asked", "Nothing is asked now.", "flip 15")
        expect(choices, ask.seats, "flip 15")
        seat, choice = board.mover, choices[board.mover]
        missed = isinstance(choice, Missed)
        move = self.chosen(state, seat, choice)
        if missed or board.missed[seat]:
            board, out = board.counting({seat: missed})
            state = State(board.but(gone=board.gone | out), state.faces)
        if "play" in move and move["play"] not in state.faces:
            state = state.knowing(self.opens(move))  # what is transferred lies open
        after = self._moved(state, seat, move)
        board = after.board
        if missed and not board.goes_on and board.phase not in ("deal", "over"):
            return State(board.but(phase="over", reason="missed"), after.faces)
        return after

    def _moved(self, state: State[Board], seat: Seat, move: Move) -> State[Board]:
        board, faces = state.board, state.faces
        taught = board.lessons | lesson(board.griddle, faces, move)
        if taught != board.lessons:
            board = board.but(lessons=taught)
        if "play" in move:
            return self._laid(board, faces, seat, move["play"], move["stack"] - 1)
        if "transfer" in move:
            source, target = tops(board.griddle).index(move["transfer"]), move["stack"] - 1
            griddle = transferred(board.griddle, source, target, faces)
            return self._acted(board.but(griddle=griddle), faces, source, target)
        if "draw" in move:
            return State(board.but(phase="draw"), faces)
        if "forfeit" in move:
            return self._acted(board.but(idle=True), faces)
        if "done" in move:
            return self._ended(board, faces)
        stacks, trays = list(board.griddle), list(board.trays)
        stack = stacks[move["serve"] - 1]
        stacks[move["serve"] - 1] = stack[:-SERVING]
        trays[seat] += stack[-SERVING:]
        board = board.but(griddle=tuple(stacks), trays=tuple(trays), idle=False)
        return self._acted(board, faces)

    def _laid(
        self, board: Board, faces: Mapping[Position, Face], seat: Seat, position: Position, target: int
    ) -> State[Board]:
        """The state after a card from the hand is laid on a Stack (4, 5, 6)."""
        stacks, hands = list(board.griddle), list(board.hands)
        stacks[target] = placed(stacks[target], position, faces)
        hands[seat] -= {position}
        board = board.but(griddle=tuple(stacks), hands=tuple(hands), drawn=None)
        return self._acted(board, faces, target)

    def _acted(self, board: Board, faces: Mapping[Position, Face], *changed: int) -> State[Board]:
        """The state after an action that changed these Stacks.

        Cards that show their face for the first time are turned up first (5, 7). Then comes the serving
        phase, if there is something to serve (9).
        """
        if board.unseen and changed and showing(board.unseen, [board.griddle[i] for i in changed]):
            return State(board.but(phase="show"), faces)
        if servings(board.griddle, faces):
            return State(board.but(phase="serve"), faces)
        return self._ended(board, faces)

    def _ended(self, board: Board, faces: Mapping[Position, Face]) -> State[Board]:
        """The state after a turn, which may end the game; else the next player's turn begins (10, 11, 13)."""
        turns = board.turns + 1
        if not board.hands[board.mover]:
            if board.seats > 1:
                return State(self._scored(board.but(turns=turns), "empty"), faces)
            end = min(board.pile + HAND, board.size)
            hand = frozenset(range(board.pile, end))
            board = board.but(completed=board.completed + 1, hands=(hand,), pile=end)
            if not hand:
                return State(self._scored(board.but(turns=turns), "empty"), faces)
        passes, called = board.passes + 1 if board.idle else 0, board.called and board.idle
        everybody = passes == board.seats
        if (everybody and called) or turns >= TURNS:
            reason = "passed" if everybody and called else "turns"
            return State(self._scored(board.but(turns=turns), reason), faces)
        mover = (board.mover + 1) % board.seats
        board = board.but(phase="cook", mover=mover, turns=turns, passes=passes, called=called, idle=False)
        return State(self._pancakes(board) if everybody else board, faces)

    def _pancakes(self, board: Board) -> Board:
        """The board after all have passed: every Stack is flipped (10)."""
        griddle = tuple(flipped(stack) for stack in board.griddle)
        phase = "flip" if showing(board.unseen, griddle) else "cook"
        lessons = board.lessons | PANCAKES
        return board.but(phase=phase, passes=0, called=True, griddle=griddle, lessons=lessons)

    def _scored(self, board: Board, reason: str) -> Board:
        """The board after a game: its points, and whether the set is over (11, 12, 13)."""
        hands, trays = [*map(len, board.hands)], [len(tray) // SERVING for tray in board.trays]
        if board.seats == 1:
            last: tuple[int, ...] = (score.solitaire(board.completed, hands[0], trays[0]),)
        else:
            last = score.points(hands, trays, score.winners(hands, trays, board.left))
        totals = tuple(a + b for a, b in zip(board.totals, last, strict=True))
        if board.seats > 1 and board.target:
            if max(totals) >= board.target:
                reason = "points"
            elif board.game >= GAMES:
                reason = "games"
            elif board.goes_on:
                return board.but(phase="deal", totals=totals, last=last)
        if not board.goes_on:
            reason = "missed"
        return board.but(phase="over", totals=totals, last=last, reason=reason)

    # Absent players, and the end

    def absent(self, state: State[Board], seat: Seat) -> Move | None:
        """No Serving; else the lowest card that fits, on its first Stack; else draw or forfeit (14)."""
        board, faces = state.board, state.faces
        if board.phase == "serve":
            return {"done": True}
        held = board.hands[seat] if board.drawn is None else frozenset((board.drawn,))
        if any(position not in faces for position in held):
            return None
        ranks = ranks_on(board.griddle, faces)
        playing = [p for p in held if playable(faces[p], ranks)]
        if not playing:
            return {"draw": True} if board.pile < board.size else {"forfeit": True}
        lowest = min(playing, key=lambda p: (PLACE[faces[p]], p))
        stack = next(i for i, on in enumerate(board.griddle) if fits(faces[lowest], on, faces))
        return {"play": lowest, "card": faces[lowest], "stack": stack + 1}

    def end(self, state: State[Board], reason: str, seats: frozenset[Seat]) -> Outcome:
        return ended(self.points(state), reason, self.lost(state, reason, seats))

    def gone(self, state: State[Board]) -> frozenset[Seat]:
        return state.board.gone if state.board.left else NOBODY  # a lone player who leaves ends the game

    # Views, claims and accounts

    def has(self, face: Face) -> frozenset[str]:
        return frozenset((TRAITS[RANK[face]],))

    def claim(self, state: State[Board], seat: Seat, move: Move) -> CardsAndTraits | None:
        """No card in the hand of a seat that draws or forfeits fits anywhere (6, 8)."""
        if "draw" not in move and "forfeit" not in move:
            return None
        board = state.board
        return CardsAndTraits(board.hands[seat], _fitting(ranks_on(board.griddle, state.faces)))

    def opens(self, move: Move) -> Mapping[Position, Face]:
        for verb in ("play", "transfer"):
            if verb in move:
                return {move[verb]: move["card"]}
        return {}

    def sees(self, state: State[Board], seat: Seat | None) -> Positions:
        """The hand, and every card that was face-up once, since the record keeps its face (2)."""
        board = state.board
        griddle = {card if card >= 0 else ~card for stack in board.griddle for card in stack}
        drawn = () if board.drawn is None else (board.drawn,)
        hand = board.hands[seat] if seat is not None and board.hands else NOTHING
        return hand.union(griddle - board.unseen, drawn, *board.trays)

    def account(
        self, before: State[Board], choices: Mapping[Seat, Choice], after: State[Board]
    ) -> tuple[Line, ...] | None:
        """Cards drawn, the flip of all Stacks, and the points of a game (6, 10, 11)."""
        return account(before.board, after.board)

    def sections(self, lines: Sequence[Line], cards: Mapping[int, Face]) -> tuple[Section, ...]:
        """What was drawn and flipped; the game that is over, with a line for each seat."""
        return sections(lines)

    def schemas(self) -> Schemas:
        from cards.games.flip.schemas import SCHEMAS

        return SCHEMAS

    def points(self, state: State[Board]) -> tuple[int, ...]:
        return state.board.totals

    def places(self, state: State[Board]) -> Mapping[str, tuple[Position, ...]]:
        board = state.board
        found: dict[str, tuple[Position, ...]] = {}
        for i, stack in enumerate(board.griddle):
            found[f"stack {i + 1}"] = tuple(card if card >= 0 else ~card for card in stack)
        for seat, hand in enumerate(board.hands):
            found[f"hand {seat}"] = tuple(sorted(hand))
            found[f"tray {seat}"] = board.trays[seat]
        if board.hands:
            found["pile"] = tuple(range(board.pile, board.size))
        return found

    # JSON

    def dump(self, state: State[Board]) -> dict[str, Any]:
        """Write lessons as their numbers, and each card of a Stack with the side that is up."""
        found: dict[str, Any] = {}
        for name, value in super().dump(state).items():
            match name:
                case "griddle":
                    found["stacks"] = [
                        [{"position": card if card >= 0 else ~card, "up": card >= 0} for card in stack]
                        for stack in value
                    ]
                case "lessons":
                    found[name] = numbers(value)
                case _:
                    found[name] = value
        return found

    def load(self, data: Mapping[str, Any], cards: Mapping[int, Face]) -> State[Board]:
        griddle = [
            [card["position"] if card["up"] else ~card["position"] for card in stack]
            for stack in data["stacks"]
        ]
        lessons = sum(1 << number for number in data["lessons"])
        return super().load({**data, "griddle": griddle, "lessons": lessons}, cards)


def _fitting(ranks: list[int]) -> frozenset[str]:
    """The traits of the cards that fit on any of the Stacks that `ranks` fit on (4)."""
    return frozenset(TRAITS if WILD in ranks else (french.JOKER, *(TRAITS[rank] for rank in ranks)))
