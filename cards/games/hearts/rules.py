"""The mode of Chinese Hearts (docs/rules/hearts.md; bracketed numbers are its sections)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, assert_never

from cards.games import french
from cards.games.accounts import Section
from cards.games.common import NotAsked, ahead, ended, expect, refuse
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
from cards.games.hearts.score import over, round_score
from cards.games.hearts.table import (
    EXPOSABLE,
    PLACE,
    SUIT,
    Board,
    Exposing,
    Phase,
    PlayingToTrick,
    forced,
    led_suit,
    pack,
    pick_up,
    playable,
)
from cards.games.hearts.told import sections
from cards.games.house_pack import (
    MISSES,
    NOTHING,
    HouseMode,
    Positions,
    absent_option,
    misstated,
    secret_deal,
)
from cards.games.schemas import Schemas

T = TypeVar("T")

ROUNDS = 100
"""Rounds after which the highest score wins."""

CAN_BE_EXPOSED = "X"
"""The trait of the four cards that can be exposed; the other traits are the suits."""

_CARD = tuple(Ask(frozenset((seat,)), How.ANY, "card", "card") for seat in range(6))
"""The asks for a card, by seat. They are made once, since a game needs them so often."""


def _with(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """`items` with another item at `index`."""
    return (*items[:index], item, *items[index + 1 :])


class Hearts(HouseMode[Board]):
    """Chinese Hearts."""

    facts = Facts(
        name="hearts",
        title="Chinese Hearts",
        summary="Tricks for three to six: avoid hearts and the queen of spades, or take them all.",
        rules="1",
        seats=(3, 6),
        options=(
            seconds("expose", 60, "Seconds to expose cards or to say done."),
            seconds("card", 30, "Seconds for a card."),
            Option(
                "first",
                "choice",
                "first",
                "The seat that leads the first trick: the first to sit down, or one drawn at random.",
                choices=("first", "random"),
            ),
            absent_option(),
        ),
        own_decks=False,
        traits=(*french.SUITS, CAN_BE_EXPOSED),
    )
    boards = Board
    absence = "hearts 10"
    plays_lowest = True

    def start(self, options: Mapping[str, Any], seats: int) -> State[Board]:
        if not 3 <= seats <= 6:
            raise ValueError("Chinese Hearts is for three to six players")
        random = options["first"] == "random"
        zeros = (0,) * seats
        plays_on = options["absent"] == "play"
        return State(Board(seats, random, "first" if random else "deal", 0, zeros, 0, zeros, plays_on))

    def next(self, state: State[Board]) -> Ask | Deal | Turn | Outcome:
        board = state.board
        match board.phase:
            case "play":
                return _CARD[board.mover]
            case "expose":
                if len(board.exposed) == len(EXPOSABLE) - 1:
                    return self._fourth(state)
                return Ask(frozenset(range(board.seats)) - board.done, How.ANY, "expose", "expose")
            case "first":
                return Deal((Draw(None, tuple(range(board.seats)), 1),))
            case "deal":
                return secret_deal(pack(board.seats))
            case "over":
                return self._outcome(board)
            case _:
                assert_never(board.phase)

    @staticmethod
    def _fourth(state: State[Board]) -> Turn:
        """The turn of the fourth exposable card: where it lies, if that is known, else where to seek it."""
        faces = state.faces
        code = forced([faces[p] for p in state.board.exposed])
        hands = NOTHING.union(*state.board.hands)
        found = frozenset(p for p in hands if faces.get(p) == code)
        return Turn(found) if found else Turn(None, CardsAndTraits(hands, frozenset((CAN_BE_EXPOSED,))))

    @staticmethod
    def _outcome(board: Board) -> Outcome:
        reason = "points" if over(board.totals) else "rounds"
        return Outcome(board.totals, ahead(board.totals, board.left), reason if board.goes_on else "missed")

    def deal(self, state: State[Board], drawn: Sequence[tuple[int, ...] | None]) -> State[Board]:
        board = state.board
        if board.phase == "first":
            first = drawn[0]
            if not first:
                raise ValueError("the first leader is drawn in public")
            return State(board.but(phase="deal", leader=first[0]), state.faces)
        size = len(pack(board.seats)) // board.seats
        hands = tuple(frozenset(range(s * size, (s + 1) * size)) for s in range(board.seats))
        return State(
            Board(
                seats=board.seats,
                random_first=board.random_first,
                phase="expose",
                round=board.round + 1,
                totals=board.totals,
                leader=board.leader,
                missed=board.missed,
                plays_on=board.plays_on,
                gone=board.gone,
                hands=hands,
                fronts=(NOTHING,) * board.seats,
                collected=((),) * board.seats,
            )
        )

    def turn(self, state: State[Board], faces: Mapping[Position, Face]) -> State[Board]:
        board = state.board
        if board.phase != "expose" or len(board.exposed) != len(EXPOSABLE) - 1:
            raise refuse("no_turn", "No card is turned up now.", "hearts 3")
        code = forced([state.faces[p] for p in board.exposed])
        if len(faces) != 1 or code not in faces.values():
            raise refuse("not_the_fourth", f"The {french.title(str(code))} alone is turned up.", "hearts 3")
        position = next(iter(faces))
        holders = [seat for seat in range(board.seats) if position in board.hands[seat]]
        known = any(face == code and where != position for where, face in state.faces.items())
        if known or misstated(state.faces, position, str(code), pack(board.seats), "hearts 3") or not holders:
            raise refuse("not_the_fourth", "The fourth card does not lie there.", "hearts 3")
        return self._expose(state.knowing(faces), holders[0], position)

    def legal(self, state: State[Board], seat: Seat) -> Legal:
        asked = self.next(state)
        if not isinstance(asked, Ask) or seat not in asked.seats:
            return NotAsked("hearts 10")
        return Exposing(state, seat) if state.board.phase == "expose" else PlayingToTrick(state, seat)

    def play(self, state: State[Board], choices: Mapping[Seat, Choice]) -> State[Board]:
        asked = self.next(state)
        seats = asked.seats if isinstance(asked, Ask) else frozenset[Seat]()
        if len(choices) != 1:
            raise refuse("one_at_a_time", "One choice at a time.", "hearts 10")
        ((seat, choice),) = choices.items()
        expect(choices, seats & {seat}, "hearts 10")
        move = self.chosen(state, seat, choice)
        opened = state.knowing(self.opens(move))
        if "play" in move:
            return self._card(opened, seat, move["play"], missed=isinstance(choice, Missed))
        if "expose" in move:
            return self._expose(opened, seat, move["expose"])
        board = state.board
        done = board.done | {seat}
        phase: Phase = "play" if len(done) == board.seats else "expose"
        return State(board.but(done=done, phase=phase), state.faces)

    @staticmethod
    def _expose(state: State[Board], seat: Seat, position: Position) -> State[Board]:
        """Put a card face-up before its player. All are asked again, until all four cards are exposed (3)."""
        board = state.board
        exposed = board.exposed | {position}
        changed = board.but(
            hands=_with(board.hands, seat, board.hands[seat] - {position}),
            fronts=_with(board.fronts, seat, board.fronts[seat] | {position}),
            exposed=exposed,
            done=frozenset(),
            phase="play" if len(exposed) == len(EXPOSABLE) else "expose",
        )
        return State(changed, state.faces)

    def _card(self, state: State[Board], seat: Seat, position: Position, *, missed: bool) -> State[Board]:
        """A card is played; the last of a trick ends it (6), the last of a round scores it (8)."""
        board, faces = state.board, state.faces
        hands, fronts = board.hands, board.fronts
        if position in hands[seat]:
            hands = _with(hands, seat, hands[seat] - {position})
        else:
            fronts = _with(fronts, seat, fronts[seat] - {position})
        if seat not in board.gone and (missed or board.missed[seat]):
            board, out = board.counting({seat: missed})
            board = board.but(gone=board.gone | out)
        trick, leader, collected = (*board.trick, position), board.leader, board.collected
        phase: Phase = "play" if board.goes_on else "over"
        if len(trick) == board.seats:
            led = SUIT[faces[trick[0]]]
            following = [i for i, p in enumerate(trick) if SUIT[faces[p]] == led]
            leader = (leader + max(following, key=lambda i: PLACE[faces[trick[i]]])) % board.seats
            collected = _with(collected, leader, collected[leader] + trick)
            trick = ()
            for holder, front in enumerate(fronts):
                up = pick_up(front, faces, led) if front else NOTHING
                if up:
                    hands = _with(hands, holder, hands[holder] | up)
                    fronts = _with(fronts, holder, front - up)
        changed = board.but(
            phase=phase,
            leader=leader,
            hands=hands,
            fronts=fronts,
            trick=trick,
            collected=collected,
        )
        if not trick and not any(hands) and not any(fronts):
            changed = self._scored(changed, faces)
        return State(changed, faces)

    @staticmethod
    def _scored(board: Board, faces: Mapping[Position, Face]) -> Board:
        """The board after a round: its points, and the seat that leads the next (2, 8, 9)."""
        exposed = [faces[p] for p in board.exposed]
        piles = [[faces[p] for p in pile] for pile in board.collected]
        totals = tuple(
            total + round_score(pile, exposed).points for total, pile in zip(board.totals, piles, strict=True)
        )
        leader = next(seat for seat, pile in enumerate(piles) if "QS" in pile)
        ends = board.phase == "over" or over(totals) or board.round == ROUNDS
        return board.but(totals=totals, leader=leader, phase="over" if ends else "deal")

    def end(self, state: State[Board], reason: str, seats: frozenset[Seat]) -> Outcome:
        return ended(state.board.totals, reason, self.lost(state, reason, seats))

    def absent(self, state: State[Board], seat: Seat) -> Move | None:
        """Play done; or the lowest legal card, by suit and then rank (10)."""
        board, faces = state.board, state.faces
        if board.phase != "play":
            return {"done": True}
        hand, front = board.hands[seat], board.fronts[seat]
        if any(position not in faces for position in hand):
            return None
        lowest = min(playable(hand, front, faces, led_suit(state)), key=lambda p: PLACE[faces[p]])
        return {"play": lowest, "card": faces[lowest]}

    def opens(self, move: Move) -> Mapping[Position, Face]:
        for verb in ("play", "expose"):
            if verb in move:
                return {move[verb]: move["card"]}
        return {}

    def has(self, face: Face) -> frozenset[str]:
        return frozenset((SUIT[face], CAN_BE_EXPOSED) if face in EXPOSABLE else (SUIT[face],))

    def claim(self, state: State[Board], seat: Seat, move: Move) -> CardsAndTraits | None:
        """No card of the led suit is left in the hand of a seat that does not follow suit from it (5)."""
        board, led = state.board, led_suit(state)
        if "play" not in move or led is None:
            return None
        hand, position = board.hands[seat], move["play"]
        rest = hand - {position}
        if not rest or (position in hand and SUIT[move["card"]] == led):
            return None
        return CardsAndTraits(rest, frozenset((led,)))

    def sees(self, state: State[Board], seat: Seat | None) -> Positions:
        board = state.board
        hand = board.hands[seat] if seat is not None and board.hands else NOTHING
        return hand.union(board.exposed, board.trick, *board.collected)

    def account(
        self, before: State[Board], choices: Mapping[Seat, Choice], after: State[Board]
    ) -> tuple[Line, ...] | None:
        """The points of a round, seat by seat, when it is over (8)."""
        board = after.board
        if before.board.phase != "play" or board.trick or any(board.hands) or any(board.fronts):
            return None
        exposed = [after.faces[p] for p in board.exposed]
        return tuple(
            {"seat": seat, **round_score([after.faces[p] for p in pile], exposed).line(seat), "total": total}
            for seat, (pile, total) in enumerate(zip(board.collected, board.totals, strict=True))
        )

    def sections(self, lines: Sequence[Line], cards: Mapping[int, Face]) -> tuple[Section, ...]:
        """The round that is over, with a line for each seat."""
        return sections(lines)

    def schemas(self) -> Schemas:
        from cards.games.hearts.schemas import SCHEMAS

        return SCHEMAS

    def points(self, state: State[Board]) -> tuple[int, ...]:
        return state.board.totals

    def places(self, state: State[Board]) -> Mapping[str, tuple[Position, ...]]:
        board = state.board
        found: dict[str, tuple[Position, ...]] = {"trick": board.trick}
        for seat in range(board.seats if board.hands else 0):
            found[f"hand {seat}"] = tuple(sorted(board.hands[seat]))
            found[f"front {seat}"] = tuple(sorted(board.fronts[seat]))
            found[f"collected {seat}"] = board.collected[seat]
        return found

    def load(self, data: Mapping[str, Any], cards: Mapping[int, Face]) -> State[Board]:
        # A state saved before there was the option `absent`: three misses had ended the game.
        out = [seat for seat, missed in enumerate(data["missed"]) if missed >= MISSES]
        return super().load({"plays_on": False, "gone": out, **data}, cards)
