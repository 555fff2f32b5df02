"""The mode of Pancake (docs/rules/chef.md; bracketed numbers are its sections)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from cards.catalog.cards import Card
from cards.games.accounts import Section
from cards.games.chef.board import Board, Cards
from cards.games.chef.judge import SEATS, RoundResult, judge
from cards.games.chef.meal import COURSES, FINAL, Course, Meal, Plate, plates, wrong_types
from cards.games.chef.told import sections
from cards.games.common import NotAsked, OneOf, ahead, ended, expect, refuse
from cards.games.contract import (
    DECK_SIZE,
    Ask,
    Choice,
    Deal,
    Draw,
    Face,
    Facts,
    How,
    IllegalMove,
    Legal,
    Line,
    Miss,
    Missed,
    Mode,
    Move,
    Outcome,
    Packing,
    Picture,
    Position,
    Refusal,
    Seat,
    State,
    Turn,
    own,
    seconds,
)
from cards.games.schemas import Schemas

HAND = 6
DRAWN = 2
REDRAWS = 6
GOAL = 30
FINALS = 3
ROUNDS = 40
MISSES = 3

KEEP: Move = {"choice": "keep"}
REDRAW: Move = {"choice": "redraw"}


def _courses(packing: Packing) -> tuple[Course, ...]:
    return FINAL if packing.boxes == len(FINAL) else COURSES


def _pair(pair: tuple[Any, Any], seat: Seat, item: Any) -> tuple[Any, Any]:
    return (item, pair[1]) if seat == 0 else (pair[0], item)


def _used(served: Sequence[Plate]) -> frozenset[int]:
    return frozenset(index for plate in served for index in plate.used)


def why_over(points: tuple[int, int], *, final: int, rounds: int, missed: tuple[int, int]) -> str:
    """Say why the match is over after a round, or "" (9): silence first, then points, then length.

    "missed", "points", "final", "drawn" (three final rounds tied), "rounds".
    """
    if MISSES in missed:
        return "missed"
    if max(points) >= GOAL and points[0] != points[1]:
        return "final" if final else "points"
    if final == FINALS:
        return "drawn"
    return "rounds" if rounds == ROUNDS else ""


class Chef(Mode[Board]):
    """Pancake for two chefs with decks of their own."""

    facts = Facts(
        name="chef",
        title="Pancake",
        summary="Two chefs serve up to three dishes a round, in secret and at one moment; 30 points win.",
        rules="1",
        seats=(2, 2),
        options=(
            seconds("seal", 120, "Seconds to seal a meal."),
            seconds("reveal", 30, "Seconds to open a sealed meal."),
            seconds("choice", 30, "Seconds to keep or redraw the opening hand."),
        ),
        own_decks=True,
    )

    def start(self, options: Mapping[str, Any], seats: int) -> State[Board]:
        if seats != len(SEATS):
            raise ValueError("Pancake is for two")
        return State(Board())

    def next(self, state: State[Board]) -> Ask | Deal | Turn | Outcome:
        board = state.board
        match board.phase:
            case "deal":
                return Deal(self._draws(board))
            case "redraw":
                return Ask(board.asked, How.TOGETHER, "choice", "redraw")
            case "meal":
                return Ask(frozenset(SEATS), How.SEALED, "seal", "meal")
            case "over":
                return self._outcome(board)
            case _:
                assert_never(board.phase)

    @staticmethod
    def _draws(board: Board) -> tuple[Draw, ...]:
        """Six at the opening, two from the second round on, or what is left (3)."""
        count = DRAWN if board.round else HAND
        seats = [s for s in SEATS if board.piles[s] and (board.round or s in board.asked)]
        return tuple(Draw(s, board.piles[s], min(count, len(board.piles[s]))) for s in seats)

    @staticmethod
    def _outcome(board: Board) -> Outcome:
        if board.reason == "missed":
            standing = tuple(seat for seat in SEATS if board.missed[seat] < MISSES)
            return Outcome(board.points, standing or SEATS, board.reason)
        return Outcome(board.points, ahead(board.points, SEATS), board.reason)

    def deal(self, state: State[Board], drawn: Sequence[tuple[int, ...] | None]) -> State[Board]:
        board = state.board
        hands, piles = board.hands, board.piles
        for draw, indices in zip(self._draws(board), drawn, strict=True):
            seat = draw.stream
            if seat is None or indices is None:
                raise ValueError("every draw is a seat's own and known")
            hands = _pair(hands, seat, tuple(sorted((*hands[seat], *indices))))
            piles = _pair(piles, seat, tuple(i for i in piles[seat] if i not in indices))
        dealt = replace(board, hands=hands, piles=piles)
        if board.round:
            return State(replace(dealt, phase="meal"), state.faces)
        deciding = frozenset(seat for seat in board.asked if board.redraws[seat] < REDRAWS)
        return State(self._deciding(dealt, deciding), state.faces)

    @staticmethod
    def _deciding(board: Board, seats: frozenset[Seat]) -> Board:
        """The board in which these seats keep or redraw; if there are none, the first round begins."""
        if seats:
            return replace(board, phase="redraw", asked=seats)
        return replace(board, phase="meal", asked=seats, round=1)

    def legal(self, state: State[Board], seat: Seat) -> Legal:
        board = state.board
        match board.phase:
            case "redraw":
                return OneOf((KEEP, REDRAW), "chef 3") if seat in board.asked else NotAsked("chef 10")
            case "meal":
                # A seat that owes a reveal can't seal another meal.
                if seat not in SEATS or board.owed[seat] is not None:
                    return NotAsked("chef 10")
                return Meal(seat, board.hands[seat], board.courses, state.faces)
            case "deal" | "over":
                return NotAsked("chef 10")
            case _:
                assert_never(board.phase)

    def play(self, state: State[Board], choices: Mapping[Seat, Choice]) -> State[Board]:
        asked = self.next(state)
        expect(choices, asked.seats if isinstance(asked, Ask) else frozenset(), "chef 10")
        for seat, choice in choices.items():
            refusal = None if isinstance(choice, Missed) else self.legal(state, seat).refusal(choice)
            if refusal:
                raise IllegalMove(refusal)
        board = state.board
        if board.phase == "redraw":
            return State(self._redraw(board, choices), state.faces)
        return State(self._round(board, self._served(board, choices, state.faces), state.faces), state.faces)

    def _redraw(self, board: Board, choices: Mapping[Seat, Choice]) -> Board:
        """The board after keep or redraw. A seat that redraws puts its hand back and gives a point (3).

        A missed choice is a keep.
        """
        again = frozenset(seat for seat, choice in choices.items() if choice == REDRAW)
        if not again:
            return self._deciding(board, again)
        for seat in again:
            board = replace(
                board,
                points=_pair(board.points, 1 - seat, board.points[1 - seat] + 1),
                redraws=_pair(board.redraws, seat, board.redraws[seat] + 1),
                hands=_pair(board.hands, seat, ()),
                piles=_pair(board.piles, seat, tuple(sorted(board.piles[seat] + board.hands[seat]))),
            )
        return replace(board, phase="deal", asked=again)

    @staticmethod
    def _served(
        board: Board, choices: Mapping[Seat, Choice], faces: Mapping[Position, Face]
    ) -> dict[Seat, tuple[Plate, ...] | Missed]:
        """The plates of a round; raises `IllegalMove` where a card served was not opened."""
        served: dict[Seat, tuple[Plate, ...] | Missed] = {}
        for seat in SEATS:
            choice = choices[seat]
            if isinstance(choice, Missed):
                if choice.what is Miss.CHOICE:
                    raise refuse("not_missed_so", "A meal is missed by its seal or its opening.", "chef 10")
                served[seat] = choice
                continue
            found = plates(choice, board.hands[seat], board.courses)
            if isinstance(found, Refusal):
                raise IllegalMove(found)
            if any(own(seat, index) not in faces for index in _used(found)):
                raise refuse("not_opened", f"A card that seat {seat} served was not opened.", "chef 6")
            served[seat] = found
        return served

    def _round(
        self, board: Board, served: Mapping[Seat, tuple[Plate, ...] | Missed], faces: Mapping[Position, Card]
    ) -> Board:
        """The board after a round: points, discards, what is owed, whether the match goes on (7 to 10)."""
        gained = judge(served, board.courses, faces).gained
        points = (board.points[0] + gained[0], board.points[1] + gained[1])
        after = replace(board, points=points)
        for seat in SEATS:
            what = served[seat]
            if not isinstance(what, Missed):
                after = self._put_away(replace(after, missed=_pair(after.missed, seat, 0)), seat, what, faces)
                continue
            after = replace(after, missed=_pair(after.missed, seat, after.missed[seat] + 1))
            if what.what is Miss.OPENING:
                packed = Packing(board.hands[seat], len(board.courses))
                after = replace(after, owed=_pair(after.owed, seat, packed))
        reason = why_over(points, final=board.final, rounds=board.round, missed=after.missed)
        if reason:
            return replace(after, phase="over", reason=reason)
        return replace(
            after,
            phase="deal" if any(board.piles) else "meal",
            round=board.round + 1,
            final=board.final + 1 if max(points) >= GOAL else 0,
        )

    @staticmethod
    def _put_away(board: Board, seat: Seat, served: Sequence[Plate], faces: Mapping[Position, Card]) -> Board:
        """The board after a meal: its cards are known from now on, and one-time cards leave the hand (8)."""
        used = _used(served)
        gone = frozenset(index for index in used if faces[own(seat, index)].one_time)
        return replace(
            board,
            opened=board.opened | {own(seat, index) for index in used},
            hands=_pair(board.hands, seat, tuple(i for i in board.hands[seat] if i not in gone)),
            discards=_pair(board.discards, seat, tuple(sorted((*board.discards[seat], *gone)))),
        )

    def packing(self, state: State[Board], seat: Seat) -> Packing:
        board = state.board
        if board.phase != "meal" or seat not in SEATS:
            raise refuse("not_asked", "No meal is asked for.", "chef 6")
        return Packing(board.hands[seat], len(board.courses))

    def fill(self, packing: Packing, choice: Move) -> tuple[int, ...]:
        courses = _courses(packing)
        served = plates(choice, packing.hand, courses)
        if isinstance(served, Refusal):
            raise IllegalMove(served)
        boxes = dict.fromkeys(packing.hand, 0)
        for plate in served:
            box = [course.number for course in courses].index(plate.course) + 1
            boxes.update(dict.fromkeys(plate.used, box))
        return tuple(boxes.values())

    def late(self, state: State[Board], seat: Seat, choice: Move) -> State[Board]:
        board = state.board
        packed = board.owed[seat] if seat in SEATS else None
        if packed is None:
            raise refuse("nothing_owed", "No reveal is owed.", "chef 10")
        served = plates(choice, packed.hand, _courses(packed))
        if isinstance(served, Refusal):
            raise IllegalMove(served)
        refusal = wrong_types(served, state.faces, seat)
        if refusal:
            raise IllegalMove(refusal)
        if any(own(seat, index) not in state.faces for index in _used(served)):
            raise refuse("not_opened", "A card that was served was not opened.", "chef 10")
        after = self._put_away(board, seat, served, state.faces)
        return State(replace(after, owed=_pair(board.owed, seat, None)), state.faces)

    def end(self, state: State[Board], reason: str, seats: frozenset[Seat]) -> Outcome:
        return ended(state.board.points, reason, seats)

    def absent(self, state: State[Board], seat: Seat) -> Move | None:
        return KEEP if state.board.phase == "redraw" else None

    def sees(self, state: State[Board], seat: Seat | None) -> frozenset[Position]:
        if seat is None:
            return state.board.opened
        return state.board.opened | {own(seat, index) for index in range(DECK_SIZE)}

    def account(
        self, before: State[Board], choices: Mapping[Seat, Choice], after: State[Board]
    ) -> tuple[Line, ...] | None:
        board = before.board
        if board.phase == "redraw":
            return self._redraw_lines(after.board, choices)
        if board.phase != "meal":
            return None
        served = self._served(board, choices, after.faces)
        found: RoundResult = judge(served, board.courses, after.faces)
        name = f"Round {board.round}" + (f", final round {board.final}" if board.final else "")
        head: Line = {"kind": "round", "round": board.round, "final": board.final, "text": name}
        gone = [
            {
                "kind": "discard",
                "seat": seat,
                "cards": [after.faces[own(seat, index)].slug for index in left],
                "text": f"Seat {seat} discards {', '.join(after.faces[own(seat, i)].name for i in left)}",
            }
            for seat in SEATS
            if (left := [i for i in after.board.discards[seat] if i not in board.discards[seat]])
        ]
        return (head, *found.lines, *gone)

    def sections(self, lines: Sequence[Line], cards: Mapping[int, Face]) -> tuple[Section, ...]:
        """A heading for each course, its dishes under it, and its winner in it."""
        return sections(lines, cards)

    def pictures(
        self, lines: Sequence[Line], cards: Mapping[int, Card], names: Sequence[str]
    ) -> tuple[Picture, ...]:
        # Imported late: the drawings take longer to load than all rules, and most programs draw nothing.
        from cards.games.chef.pictures import dishes

        return tuple(dishes(lines, cards, names))

    @staticmethod
    def _redraw_lines(board: Board, choices: Mapping[Seat, Choice]) -> tuple[Line, ...] | None:
        """The seats that redrew, and the point that each gave; None where both kept."""
        return (
            tuple(
                {
                    "kind": "redraw",
                    "seat": seat,
                    "redraws": board.redraws[seat],
                    "points": 1,
                    "text": f"Seat {seat} redraws: 1 point for seat {1 - seat}",
                }
                for seat in sorted(choices)
                if choices[seat] == REDRAW
            )
            or None
        )

    def schemas(self) -> Schemas:
        from cards.games.chef.schemas import SCHEMAS

        return SCHEMAS

    def points(self, state: State[Board]) -> tuple[int, ...]:
        return state.board.points

    def places(self, state: State[Board]) -> Mapping[str, tuple[Position, ...]]:
        board = state.board
        return {
            f"{name} {seat}": tuple(own(seat, index) for index in cards[seat])
            for name, cards in (("hand", board.hands), ("pile", board.piles), ("discard", board.discards))
            for seat in SEATS
        }

    def dump(self, state: State[Board]) -> dict[str, Any]:
        board = state.board
        return {
            "phase": board.phase,
            "round": board.round,
            "final": board.final,
            "asked": sorted(board.asked),
            "points": [*board.points],
            "redraws": [*board.redraws],
            "missed": [*board.missed],
            "hands": [[*cards] for cards in board.hands],
            "piles": [[*cards] for cards in board.piles],
            "discards": [[*cards] for cards in board.discards],
            "opened": sorted(board.opened),
            "owed": [p and {"hand": [*p.hand], "boxes": p.boxes} for p in board.owed],
            "reason": board.reason,
            "faces": {str(position): state.faces[position].number for position in sorted(state.faces)},
        }

    def load(self, data: Mapping[str, Any], cards: Mapping[int, Face]) -> State[Board]:
        def pair(name: str) -> tuple[Any, Any]:
            first, second = data[name]
            return (first, second)

        def piles(name: str) -> tuple[Cards, Cards]:
            first, second = data[name]
            return (tuple(first), tuple(second))

        first, second = (p and Packing(tuple(p["hand"]), p["boxes"]) for p in data["owed"])
        board = Board(
            phase=data["phase"],
            round=data["round"],
            final=data["final"],
            asked=frozenset(data["asked"]),
            points=pair("points"),
            redraws=pair("redraws"),
            missed=pair("missed"),
            hands=piles("hands"),
            piles=piles("piles"),
            discards=piles("discards"),
            opened=frozenset(data["opened"]),
            owed=(first, second),
            reason=data["reason"],
        )
        return State(board, {int(position): cards[number] for position, number in data["faces"].items()})
