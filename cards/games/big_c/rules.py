"""The mode of Big C (docs/rules/big-c.md; bracketed numbers are its sections)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, assert_never

from cards.games import french
from cards.games.accounts import Section
from cards.games.big_c.hands import STRENGTH, Comparison, combination_played, compare
from cards.games.big_c.table import (
    PASS,
    Board,
    PlayingCombination,
    Presenting,
    held_by,
    on_table,
    pack,
    presentable,
)
from cards.games.big_c.told import sections
from cards.games.common import NotAsked, ahead, ended, expect
from cards.games.contract import (
    Ask,
    CardsAndTraits,
    Choice,
    Deal,
    Draw,
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
from cards.games.house_pack import NOTHING, HouseMode, Positions, absent_option, secret_deal
from cards.games.schemas import Schemas

TURNS = 1000
"""Turns after which the fewest cards win."""

TRAITS = (*french.PACK, french.JOKER)
"""The trait of a card is its face."""


class BigC(HouseMode[Board]):
    """Big C."""

    facts = Facts(
        name="big-c",
        title="Big C",
        summary="Beat the hand on the table and be rid of your cards first; a step too small is a footstool.",
        rules="1",
        seats=(2, 12),
        options=(
            seconds("present", 30, "Seconds to present a card for the order of play."),
            seconds("turn", 30, "Seconds to play a hand or to pass."),
            Option("hand", "integer", 13, "The number of cards that are dealt to each player.", 5, 27),
            absent_option(),
        ),
        own_decks=False,
        traits=TRAITS,
        most_without_dealer=6,
    )
    boards = Board
    absence = "big-c 11"
    plays_lowest = False

    def start(self, options: Mapping[str, Any], seats: int) -> State[Board]:
        if not 2 <= seats <= 12:
            raise ValueError("Big C is for two to twelve players")
        return State(Board(seats, options["hand"], options["absent"] == "play", "lots", (0,) * seats))

    def next(self, state: State[Board]) -> Ask | Deal | Turn | Outcome:
        board = state.board
        match board.phase:
            case "play":
                topic = "follow" if board.table else "lead"
                return Ask(frozenset((board.mover,)), How.ANY, "turn", topic)
            case "present":
                return Ask(board.tied, How.TOGETHER, "present", "present")
            case "lots":
                return Deal((Draw(None, tuple(range(board.seats)), board.seats),))
            case "deal":
                return secret_deal(pack(board.seats))
            case "shuffle":
                cards = french.in_order(state.faces[p] for p in board.played)
                return secret_deal(tuple(cards), board.first, fresh=False)
            case "over":
                return Outcome(board.points, board.winners, board.reason)
            case _:
                assert_never(board.phase)

    # Chance

    def deal(self, state: State[Board], drawn: Sequence[tuple[int, ...] | None]) -> State[Board]:
        board = state.board
        match board.phase:
            case "lots":
                if not drawn[0]:
                    raise ValueError("lots are drawn in public")
                return State(board.but(phase="deal", lots=drawn[0]), state.faces)
            case "deal":
                return State(_hands(board))
            case "shuffle":
                return self._shuffled(state)
            case "present" | "play" | "over":
                raise ValueError("nothing is dealt now")
            case _:
                assert_never(board.phase)

    @staticmethod
    def _shuffled(state: State[Board]) -> State[Board]:
        """The played cards are the new stock, at new positions; a seat that is owed cards draws them (8)."""
        board, old = state.board, frozenset(state.board.played)
        size = len(board.played)
        stock = tuple(range(board.first, board.first + size))
        after = board.but(phase="play", stock=stock, played=(), first=board.first + size, owed=None)
        if board.owed is not None:
            after = _drawing(after, *board.owed)
        return State(after, {p: face for p, face in state.faces.items() if p not in old})

    # Choices

    def legal(self, state: State[Board], seat: Seat) -> Legal:
        asked = self.next(state)
        if not isinstance(asked, Ask) or seat not in asked.seats:
            return NotAsked("big-c 11")
        return Presenting(state, seat) if state.board.phase == "present" else PlayingCombination(state, seat)

    def play(self, state: State[Board], choices: Mapping[Seat, Choice]) -> State[Board]:
        asked = self.next(state)
        expect(choices, asked.seats if isinstance(asked, Ask) else frozenset(), "big-c 11")
        moves = {seat: self.chosen(state, seat, choices[seat]) for seat in sorted(choices)}
        missed = frozenset(seat for seat, choice in choices.items() if isinstance(choice, Missed))
        opened = state
        for move in moves.values():
            opened = opened.knowing(self.opens(move))
        if state.board.phase == "present":
            return State(_missing(_presented(opened, moves), moves.keys(), missed), opened.faces)
        ((seat, move),) = moves.items()
        board = _passed(opened.board, seat) if "pass" in move else _played(opened, seat, move["play"])
        return State(_missing(board, moves.keys(), missed), opened.faces)

    def absent(self, state: State[Board], seat: Seat) -> Move | None:
        """A pass; the lowest card allowed where a type must be chosen or a card presented (11)."""
        board = state.board
        if board.phase == "play" and board.table:
            return dict(PASS)
        held = held_by(state, seat)
        if len(held) < len(board.hands[seat]):
            return None
        if board.phase == "present":
            lowest = min(presentable(state, seat), key=lambda p: (STRENGTH[held[p]], p))
            return {"present": lowest, "card": held[lowest]}
        naturals = [p for p, code in held.items() if code != french.JOKER]
        if not naturals:
            return dict(PASS)
        lowest = min(naturals, key=lambda p: (STRENGTH[held[p]], p))
        return {"play": [lowest], "cards": [held[lowest]]}

    def has(self, face: Face) -> frozenset[str]:
        return frozenset((face,))

    def claim(self, state: State[Board], seat: Seat, move: Move) -> CardsAndTraits | None:
        """The rest has no face that a seat has not shown, which presents one again; or is all Jokers,
        of a seat that can't lead (3, 9).
        """
        board, faces = state.board, state.faces
        if "present" in move:
            shown = frozenset(faces[p] for p in board.presented[seat])
            rest = board.hands[seat].difference(board.presented[seat], (move["present"],))
            again = move["card"] in shown and rest
            return CardsAndTraits(rest, frozenset(TRAITS) - shown) if again else None
        if "pass" not in move or board.table:
            return None
        return CardsAndTraits(board.hands[seat], frozenset(french.PACK))

    def opens(self, move: Move) -> Mapping[Position, Face]:
        if "present" in move:
            return {move["present"]: move["card"]}
        return dict(zip(move["play"], move["cards"], strict=True)) if "play" in move else {}

    def sees(self, state: State[Board], seat: Seat | None) -> Positions:
        board = state.board
        hand = board.hands[seat] if seat is not None and board.hands else NOTHING
        return hand.union(board.known, board.table, board.played, *board.presented)

    # The end

    def end(self, state: State[Board], reason: str, seats: frozenset[Seat]) -> Outcome:
        return ended(state.board.points, reason, self.lost(state, reason, seats))

    # Accounts

    def account(
        self, before: State[Board], choices: Mapping[Seat, Choice], after: State[Board]
    ) -> tuple[Line, ...] | None:
        """The order of play, once it is decided; a footstool, and what it costs (3, 7, 8)."""
        if before.board.phase == "present":
            return None if after.board.tied else (_order_line(after.board),)
        move = next(iter(choices.values()))
        stated = move.move if isinstance(move, Missed) else move
        under = on_table(before)
        if under is None or stated is None or "play" not in stated or after.board.reason == "out":
            return None
        compared = compare(combination_played(stated["cards"]), under)
        line = _footstool_line(before.board, after.board, compared)
        return (line,) if compared.penalty else None

    def sections(self, lines: Sequence[Line], cards: Mapping[int, Face]) -> tuple[Section, ...]:
        """The order of play, and footstools."""
        return sections(lines)

    def schemas(self) -> Schemas:
        from cards.games.big_c.schemas import SCHEMAS

        return SCHEMAS

    def points(self, state: State[Board]) -> tuple[int, ...]:
        return state.board.points

    def places(self, state: State[Board]) -> Mapping[str, tuple[Position, ...]]:
        board = state.board
        found = {f"hand {seat}": tuple(sorted(hand)) for seat, hand in enumerate(board.hands)}
        return {**found, "stock": board.stock, "played": board.played, "table": board.table}


def _hands(board: Board) -> Board:
    """The board after the deal: a block of the packs for each seat, the rest the stock, all tied (1, 3)."""
    size, total = board.hand_size, len(pack(board.seats))
    return board.but(
        phase="present",
        hands=tuple(frozenset(range(s * size, (s + 1) * size)) for s in range(board.seats)),
        stock=tuple(range(board.seats * size, total)),
        groups=(tuple(range(board.seats)),),
        presented=((),) * board.seats,
        first=total,
    )


def _presented(state: State[Board], moves: Mapping[Seat, Move]) -> Board:
    """The board after cards were presented, which rank the tied seats (3)."""
    board = state.board
    presented = tuple(
        (*shown, moves[seat]["present"]) if seat in moves else shown
        for seat, shown in enumerate(board.presented)
    )
    groups: list[tuple[Seat, ...]] = []
    for group in board.groups:
        if len(group) == 1:
            groups.append(group)
            continue
        strength = {seat: STRENGTH[moves[seat]["card"]] for seat in group}
        for value in sorted({*strength.values()}):
            alike = [seat for seat in group if strength[seat] == value]
            if len(presented[alike[0]]) == board.hand_size:  # nothing is left to tell them apart by
                groups += [(seat,) for seat in board.lots if seat in alike]
            else:
                groups.append(tuple(alike))
    board = board.but(groups=tuple(groups), presented=presented)
    if board.tied:
        return board
    known = frozenset(p for shown in presented for p in shown)
    return board.but(phase="play", known=known, presented=(), mover=groups[0][0])


def _passed(board: Board, seat: Seat) -> Board:
    """The board after a pass. Once all others have passed, the seat that played last chooses a type (9)."""
    board = board.but(passes=board.passes + 1, mover=board.after(seat))
    holding = [other for other in range(board.seats) if board.hands[other]]
    if not board.table:
        return _decided(board, "stuck") if board.passes == len(holding) else _counted(board)
    if board.passes == sum(1 for other in holding if other != board.last):
        mover = board.last if board.hands[board.last] else board.after(board.last)
        played = (*board.played, *board.table)
        board = board.but(table=(), played=played, mover=mover, passes=0)
    return _counted(board)


def _played(state: State[Board], seat: Seat, chosen: Sequence[Position]) -> Board:
    """The board after a hand is played: no cards left wins, else a footstool makes another draw (7)."""
    board, faces = state.board, state.faces
    under, over = on_table(state), combination_played(faces[p] for p in chosen)
    penalty = 0 if under is None else compare(over, under).penalty
    hands = tuple(hand - {*chosen} if s == seat else hand for s, hand in enumerate(board.hands))
    fooled = board.last
    board = board.but(
        hands=hands,
        known=board.known - {*chosen},
        played=(*board.played, *board.table),
        table=tuple(chosen),
        last=seat,
        passes=0,
    )
    if not hands[seat] and seat not in board.gone:
        return board.but(phase="over", winners=(seat,), reason="out")
    if penalty:
        board = _drawing(board, fooled, penalty)
    return _counted(board.but(mover=board.after(seat)))


def _drawing(board: Board, seat: Seat, count: int) -> Board:
    """The board after a seat draws from the stock; if it runs out, the played cards are shuffled (8)."""
    taken, stock = board.stock[:count], board.stock[count:]
    hands = tuple(hand.union(taken) if s == seat else hand for s, hand in enumerate(board.hands))
    board = board.but(hands=hands, stock=stock)
    lacking = count - len(taken)
    return board.but(phase="shuffle", owed=(seat, lacking)) if lacking and board.played else board


def _counted(board: Board) -> Board:
    """The board after one turn more; after the last turn the fewest cards win (10)."""
    board = board.but(turns=board.turns + 1)
    return _decided(board, "turns") if board.turns == TURNS else board


def _decided(board: Board, reason: str) -> Board:
    """The board at the end: of the seats that are not out, those with the fewest cards win (10)."""
    return board.but(phase="over", winners=ahead(board.points, board.left), reason=reason, owed=None)


def _missing(board: Board, asked: Iterable[Seat], missed: frozenset[Seat]) -> Board:
    """The board after misses are counted: the third in a row takes a seat out (10)."""
    board, out = board.counting({seat: seat in missed for seat in asked})
    if not out or board.phase == "over":
        return board
    if out == frozenset(board.left):  # nobody would be left to win, so nobody is taken out
        return _decided(board, "missed")
    board = board.but(gone=board.gone | out)
    return board if board.goes_on else _decided(board, "missed")


def _order_line(board: Board) -> Line:
    order = [seat for group in board.groups for seat in group]
    named = ", ".join(f"seat {seat}" for seat in order)
    return {"kind": "order", "order": order, "text": f"Order of play: {named}"}


def _footstool_line(before: Board, after: Board, compared: Comparison) -> Line:
    seat, under = after.last, before.last
    # The cards that can be drawn: the stock and those shuffled into it.
    cards = min(compared.penalty, len(before.stock) + len(before.played) + len(before.table))
    what = "A full footstool" if compared is Comparison.FULL else "A half footstool"
    drawn = "1 card" if cards == 1 else f"{cards} cards"
    text = f"{what} by seat {seat}: seat {under} draws {drawn}"
    return {
        "kind": "footstool",
        "footstool": compared.value,
        "seat": seat,
        "under": under,
        "cards": cards,
        "text": text,
    }
