"""The mode of cribbage (docs/rules/cribbage.md; bracketed numbers are its sections)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from cards.games import french
from cards.games.accounts import Section
from cards.games.common import NotAsked, ahead, ended, expect, refuse
from cards.games.contract import (
    Ask,
    CardsAndTraits,
    Choice,
    Deal,
    Face,
    Facts,
    How,
    IllegalMove,
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
from cards.games.cribbage.score import GO, HEELS, LAST, MOST, RANK, VALUE, pegged
from cards.games.cribbage.table import (
    PACKET,
    Answering,
    Board,
    Claiming,
    Cutting,
    DealInPlay,
    Laying,
    Phase,
    PlayingToCount,
    Setup,
    after,
    but,
    can_play,
    fitting,
    lowest,
)
from cards.games.cribbage.tally import answered, crib_shown, hands_shown, lines, over, peg
from cards.games.cribbage.told import sections
from cards.games.house_pack import NOBODY, HouseMode, absent_option, secret_deal
from cards.games.schemas import Schemas

PACK = secret_deal(french.PACK)
HIGHEST = max(VALUE.values())
"""The most that one card counts. The traits of cards are what they count, from 1."""
_MOVER = {
    "cut": ("cut", "cut"),
    "starter": ("cut", "starter"),
    "play": ("card", "card"),
    "claim": ("claim", "claim"),
    "answer": ("claim", "answer"),
}
"""The clock and the topic of an ask of one seat, by phase."""
_ASKS = {
    phase: tuple(Ask(frozenset((seat,)), How.ANY, clock, topic) for seat in range(4))
    for phase, (clock, topic) in _MOVER.items()
}
"""The asks of one seat, by phase and seat."""
_DEALT = {
    seats: DealInPlay(
        held=tuple(tuple(range(s * cards, (s + 1) * cards)) for s in range(seats)),
        laid=((),) * seats,
        played=((),) * seats,
    )
    for seats, cards in ((2, 6), (3, 5), (4, 5))
}
"""The hands as they are dealt, by the number of seats (3, 11)."""
_LAY = {seats: Ask(frozenset(range(seats)), How.TOGETHER, "lay", "lay") for seats in (2, 3, 4)}


class Cribbage(HouseMode[Board]):
    """Cribbage, for two; for three; for four in partnerships."""

    facts = Facts(
        name="cribbage",
        title="Cribbage",
        summary="Fifteens, pairs and runs, in play and in the hand, pegged to 121.",
        rules="1",
        seats=(2, 4),
        options=(
            seconds("cut", 30, "Seconds to cut."),
            seconds("lay", 30, "Seconds to lay cards away for the crib."),
            seconds("card", 30, "Seconds for a card."),
            seconds("claim", 30, "Seconds to claim a count, or to answer a claim."),
            Option("target", "choice", "121", "Points that win a game.", choices=("121", "61")),
            Option("games", "integer", 1, "Games that win the match; a lurch counts two.", 1, 9),
            Option(
                "count",
                "choice",
                "house",
                "The counter of hands and crib: the house, or their players at the risk of muggins.",
                choices=("house", "muggins"),
            ),
            absent_option(),
        ),
        own_decks=False,
        traits=tuple(map(str, range(1, HIGHEST + 1))),
    )
    boards = Board
    absence = "cribbage 12"
    plays_lowest = False

    def start(self, options: Mapping[str, Any], seats: int) -> State[Board]:
        if not 2 <= seats <= 4:
            raise ValueError("cribbage is for two, three or four players")
        muggins, plays_on = options["count"] == "muggins", options["absent"] == "play"
        setup = Setup(seats, int(options["target"]), options["games"], muggins, plays_on)
        zeros = (0,) * setup.sides
        return State(Board(setup, "shuffle", 0, 0, zeros, zeros, (0,) * seats, DealInPlay()))

    def next(self, state: State[Board]) -> Ask | Deal | Turn | Outcome:
        board = state.board
        match board.phase:
            case "play" | "cut" | "starter" | "claim" | "answer":
                return _ASKS[board.phase][board.hand.mover]
            case "lay":
                return _LAY[board.setup.seats]
            case "shuffle" | "deal":
                return PACK
            case "cut shown":
                return Turn(frozenset(board.cuts))
            case "starter shown":
                return Turn(frozenset((board.hand.turned_up,)))
            case "crib":
                return Turn(frozenset(board.crib))
            case "over":
                return self._outcome(board)
            case _:
                assert_never(board.phase)

    @staticmethod
    def _points(board: Board) -> tuple[int, ...]:
        points = board.scores if board.setup.games == 1 else board.won
        return tuple(points[board.side(seat)] for seat in range(board.setup.seats))

    def _outcome(self, board: Board) -> Outcome:
        """The outcome by points.

        Where too few players are left, only sides that nobody has left can win (10).
        """
        points, left = self._points(board), board.left
        if board.reason != "missed":
            return Outcome(points, ahead(points, left), board.reason)
        if board.goes_on:  # nobody was left at once: a draw
            return Outcome(points, left, board.reason)
        lost = {board.side(seat) for seat in board.gone}
        others = [seat for seat in left if board.side(seat) not in lost]
        return Outcome(points, ahead(points, others or left), board.reason)

    def deal(self, state: State[Board], drawn: Sequence[tuple[int, ...] | None]) -> State[Board]:
        board = state.board
        if board.phase == "shuffle":
            return State(board.but(hand=DealInPlay(), phase="cut", news=(), cuts=()))
        hand = _DEALT[board.setup.seats]
        return State(board.but(hand=hand, phase="lay", news=(), round=board.round + 1, cuts=()))

    def turn(self, state: State[Board], faces: Mapping[Position, Face]) -> State[Board]:
        due = self.next(state)
        if not isinstance(due, Turn):
            raise refuse("no_turn", "No card is turned up now.", "cribbage 5")
        known = state.knowing(faces)
        if frozenset(faces) != due.positions or not all(map(RANK.__contains__, faces.values())):
            raise refuse("wrong_cards", "These cards are not turned up now.", "cribbage 5")
        if known is not state and len({*known.faces.values()}) != len(known.faces):
            raise refuse("wrong_cards", "A card can't lie in two places.", "cribbage 1")
        board = state.board
        if board.phase == "cut shown":
            return State(self._cut_shown(known), known.faces)
        if board.phase == "crib":
            return State(crib_shown(known, but(board.hand, shown=True)), known.faces)
        started = board.but(phase="play", news=())  # the seat that has cut plays first
        if RANK[next(iter(faces.values()))] == 11:
            started = peg(started, "heels", board.dealer, (HEELS,))
        return State(started, known.faces)

    @staticmethod
    def _cut_shown(state: State[Board]) -> Board:
        """The board after the cut: the lowest card deals; if several are lowest, all cut again (2)."""
        board = state.board
        ranks = [RANK[state.faces[position]] for position in board.cuts]
        if ranks.count(min(ranks)) > 1:
            return board.but(phase="shuffle", news=())
        return board.but(phase="deal", dealer=ranks.index(min(ranks)), news=())

    def legal(self, state: State[Board], seat: Seat) -> Legal:
        board = state.board
        hand, phase = board.hand, board.phase
        if seat != hand.mover and (phase != "lay" or not 0 <= seat < board.setup.seats):
            return NotAsked("cribbage 12")
        match phase:
            case "play":
                return PlayingToCount(hand.held[seat], state.faces, hand.reached)
            case "lay":
                return Laying(hand.held[seat], board.setup.away)
            case "cut":
                return Cutting(PACKET, 52 - PACKET, board.cuts, "cribbage 2")
            case "starter":
                return Cutting(PACKET, len(board.setup.stock) - PACKET, (), "cribbage 5")
            case "claim":
                return Claiming()
            case "answer":
                return Answering(hand.claims[-1])
            case "shuffle" | "cut shown" | "deal" | "starter shown" | "crib" | "over":
                return NotAsked("cribbage 12")
            case _:
                assert_never(phase)

    def play(self, state: State[Board], choices: Mapping[Seat, Choice]) -> State[Board]:
        due = self.next(state)
        if not isinstance(due, Ask):
            raise self._nothing_asked()
        if choices.keys() != due.seats:
            expect(choices, due.seats, "cribbage 12")
        moves: dict[Seat, Move] = {}
        silent = False
        for seat, choice in choices.items():
            silent = silent or isinstance(choice, Missed)
            moves[seat] = move = self.chosen(state, seat, choice)
        board = state.board
        match board.phase:
            case "play":
                done = self._go(state, seat) if "go" in move else self._card(state, seat, move)
            case "lay":
                done = State(self._laid(board, moves), state.faces)
            case "answer":
                done = State(answered(state, move.get("object")), state.faces)
            case "cut" | "starter" | "claim":
                done = State(self._cut_or_claimed(board, move), state.faces)
            case "shuffle" | "cut shown" | "deal" | "starter shown" | "crib" | "over":
                raise self._nothing_asked()
            case _:
                assert_never(board.phase)
        if not silent and not any(done.board.missed):
            return done
        return State(self._reckoned(done.board, choices, moves), done.faces)

    @staticmethod
    def _nothing_asked() -> IllegalMove:
        return refuse("not_asked", "Nothing is asked now.", "cribbage 12")

    @staticmethod
    def _cut_or_claimed(board: Board, move: Move) -> Board:
        """The board after a cut, for the deal or of the starter, or after a claim (2, 5, 9)."""
        hand, seats = board.hand, board.setup.seats
        if "claim" in move:
            board = board.but(hand=but(hand, claims=(*hand.claims, move["claim"])), phase="answer", news=())
            return board.but(hand=but(board.hand, mover=board.answering))
        if board.phase == "starter":
            starter = board.setup.stock.start + move["cut"]
            return board.but(hand=but(hand, starter=starter), phase="starter shown", news=())
        cuts = (*board.cuts, move["cut"])
        phase: Phase = "cut shown" if len(cuts) == seats else "cut"
        return board.but(hand=but(hand, mover=len(cuts) % seats), phase=phase, news=(), cuts=cuts)

    @staticmethod
    def _laid(board: Board, moves: Mapping[Seat, Move]) -> Board:
        """The board after all have laid away: the seat left of the dealer cuts the starter (4, 5)."""
        held, laid = [], []
        for seat, cards in enumerate(board.hand.held):
            away = moves[seat]["lay"]
            held.append(tuple([p for p in cards if p not in away]))
            laid.append(tuple(sorted(away)))
        hand = DealInPlay(tuple(held), tuple(laid), board.hand.played, mover=board.showing[0])
        return board.but(hand=hand, phase="starter", news=())

    def _card(self, state: State[Board], seat: Seat, move: Move) -> State[Board]:
        """The state after a card is played, which may peg points (6, 7)."""
        position, code = move["play"], move["card"]
        if position not in state.faces:
            state = state.knowing({position: code})
        board, faces = state.board, state.faces
        held, laid, played, starter, pile, reached, _, _, said, claims, shown = board.hand
        rest, out = [*held], [*played]
        place = rest[seat].index(position)
        rest[seat] = rest[seat][:place] + rest[seat][place + 1 :]
        out[seat] += (position,)
        pile += (position,)
        reached += VALUE[code]
        mover = None if reached == MOST else after(rest, seat, said)
        turn = seat if mover is None else mover
        values = (tuple(rest), laid, tuple(out), starter, pile, reached, turn, seat, said, claims, shown)
        hand = tuple.__new__(DealInPlay, values)
        items = pegged(tuple([RANK[faces[p]] for p in pile])) if len(pile) > 1 else ()
        board = peg(board, "play", seat, items, hand=hand) if items else board.but(hand=hand, news=())
        if mover is not None or board.phase != "play":
            return State(board, faces)
        if reached != MOST:
            board = peg(board, "go", seat, (GO if any(rest) else LAST,))
        return State(self._counted(board, faces), faces)

    def _go(self, state: State[Board], seat: Seat) -> State[Board]:
        """The state after a go: the others go on; if nobody can, the last to play pegs one (6)."""
        board, hand = state.board, state.board.hand
        said = hand.said | {seat}
        mover = after(hand.held, seat, said)
        if mover is not None:
            return State(board.but(hand=but(hand, said=said, mover=mover), news=()), state.faces)
        board = peg(board, "go", hand.last, (GO,), hand=but(hand, said=said))
        return State(self._counted(board, state.faces), state.faces)

    @staticmethod
    def _counted(board: Board, faces: Mapping[Position, Face]) -> Board:
        """The board after a count: a new one begins, or all cards are played and shown (6, 8)."""
        if board.phase != "play":
            return board
        held, laid, played, starter, _, _, _, last, *_ = board.hand
        leader = after(held, last, NOBODY)
        if leader is None:
            return hands_shown(board, faces)
        values = (held, laid, played, starter, (), 0, leader, last, NOBODY, (), False)
        return board.but(hand=tuple.__new__(DealInPlay, values))

    @staticmethod
    def _reckoned(board: Board, choices: Mapping[Seat, Choice], moves: Mapping[Seat, Move]) -> Board:
        """The board after misses are counted: three in a row take a player out (10). A go is no miss."""
        board, out = board.counting(
            {seat: isinstance(choice, Missed) for seat, choice in choices.items() if "go" not in moves[seat]}
        )
        if not out:
            return board
        everybody = len(board.gone | out) == board.setup.seats
        board = board if everybody else board.but(gone=board.gone | out)
        if board.goes_on and not everybody:
            return board
        lost = {board.side(seat) for seat in board.gone}
        if board.phase == "over" and board.side(board.news[-1].seat) not in lost:
            return board  # a player of another side has just won
        return over(board, "missed")

    def end(self, state: State[Board], reason: str, seats: frozenset[Seat]) -> Outcome:
        """A player who resigns gives up for the partner too (10, 11). The silent lose as in play (10)."""
        board, out = state.board, seats | state.board.gone
        if reason == "missed":
            return self._outcome(board.but(gone=self.lost(state, reason, seats), reason=reason))
        if reason in ("resigned", "withheld") and board.setup.seats == 4:
            sides = {board.side(seat) for seat in seats}
            out |= {seat for seat in range(4) if board.side(seat) in sides}
        return ended(self._points(board), reason, out)

    def absent(self, state: State[Board], seat: Seat) -> Move | None:
        """The thinnest cut, the lowest cards, a claim of nothing, no objection (12)."""
        board, faces = state.board, state.faces
        match board.phase:
            case "cut" | "starter":
                return next(iter(self.legal(state, seat)), None)
            case "claim":
                return {"claim": 0}
            case "answer":
                return {"accept": True}
            case "lay" | "play":
                held = board.hand.held[seat]
                if any(position not in faces for position in held):
                    return None
                if board.phase == "lay":
                    return {"lay": [*lowest(held, faces, board.setup.away)]}
                fits = fitting(held, faces, board.hand.reached)
                if not fits:
                    return {"go": True}
                (position,) = lowest(fits, faces)
                return {"play": position, "card": faces[position]}
            case "shuffle" | "cut shown" | "deal" | "starter shown" | "crib" | "over":
                return None
            case _:
                assert_never(board.phase)

    def compelled(self, state: State[Board], seat: Seat) -> Move | None:
        """The house says go for a seat that has no card that fits (6)."""
        hand = state.board.hand
        if state.board.phase != "play" or hand.mover != seat:
            return None
        return None if can_play(hand.held[seat], state.faces, hand.reached) else {"go": True}

    def has(self, face: Face) -> frozenset[str]:
        return frozenset((str(VALUE[face]),))

    def claim(self, state: State[Board], seat: Seat, move: Move) -> CardsAndTraits | None:
        """No card in the hand of a seat that says go fits the count (6)."""
        if "go" not in move:
            return None
        hand = state.board.hand
        fits = range(1, min(HIGHEST, MOST - hand.reached) + 1)
        return CardsAndTraits(frozenset(hand.held[seat]), frozenset(map(str, fits))) if fits else None

    def opens(self, move: Move) -> Mapping[Position, Face]:
        return {move["play"]: move["card"]} if "play" in move else {}

    def sees(self, state: State[Board], seat: Seat | None) -> frozenset[Position]:
        board, hand = state.board, state.board.hand
        found = {*board.cuts} if board.phase not in ("cut", "cut shown") else set[Position]()
        found.update(*hand.played)
        if hand.starter is not None and board.phase != "starter shown":
            found.add(hand.starter)
        if hand.shown:
            found.update(board.crib)
        if seat is not None and hand.held:
            found.update(hand.held[seat], hand.laid[seat])
        return frozenset(found)

    def account(
        self, before: State[Board], choices: Mapping[Seat, Choice], after: State[Board]
    ) -> tuple[Line, ...] | None:
        """The cuts; what was pegged, shown or claimed; who has won."""
        return lines(before.board, after)

    def sections(self, lines: Sequence[Line], cards: Mapping[int, Face]) -> tuple[Section, ...]:
        """What was pegged, and games that were won."""
        return sections(lines)

    def schemas(self) -> Schemas:
        from cards.games.cribbage.schemas import SCHEMAS

        return SCHEMAS

    def points(self, state: State[Board]) -> tuple[int, ...]:
        return self._points(state.board)

    def places(self, state: State[Board]) -> Mapping[str, tuple[Position, ...]]:
        board, hand = state.board, state.board.hand
        found: dict[str, tuple[Position, ...]] = {"cuts": board.cuts}
        if hand.held:
            found = {
                "crib": board.crib,
                "starter": () if hand.starter is None else (hand.starter,),
            }
        for seat, held in enumerate(hand.held):
            found[f"hand {seat}"] = held
            found[f"played {seat}"] = hand.played[seat]
        placed = {position for positions in found.values() for position in positions}
        return {**found, "stock": tuple(p for p in range(52) if p not in placed)}
