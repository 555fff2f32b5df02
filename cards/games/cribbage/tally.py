"""The pegging of points: in play, at the show, by claims, until a side wins the game.

Points are pegged one after another, and a game is over the moment somebody reaches its target
(docs/rules/cribbage.md, sections 8 to 10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cards.games import french
from cards.games.contract import Face, Line, Position, Seat, State
from cards.games.cribbage.score import ScoreItem, Show, show, told
from cards.games.cribbage.table import Board, DealInPlay, Pegged, Row, but

LURCH = 61
"""The score below which a loser of a game of 121 is lurched (10)."""


def over(board: Board, reason: str) -> Board:
    """The board of a match that is over."""
    return board.but(phase="over", reason=reason)


def peg(
    board: Board,
    kind: str,
    seat: Seat,
    items: tuple[ScoreItem, ...],
    points: int | None = None,
    claim: int | None = None,
    hand: DealInPlay | None = None,
) -> Board:
    """The points of `items`, or just `points`, for a seat's side; the game is over if that is enough.

    If `hand` is given, it becomes the board's hand, and the board's older news go.
    """
    if points is None:
        points = items[0].points if len(items) == 1 else sum([item.points for item in items])
    side, totals = board.side(seat), [*board.scores]
    totals[side] = total = totals[side] + points
    news: tuple[Pegged, ...] = (tuple.__new__(Pegged, (kind, seat, points, total, items, claim)),)
    if hand is None:
        pegged = board.but(scores=tuple(totals), news=board.news + news)
    else:
        pegged = board.but(scores=tuple(totals), news=news, hand=hand)
    return _won(pegged, seat) if total >= board.setup.target else pegged


def stakes(target: int, losers: Sequence[int]) -> int:
    """Count the games of a win: two if every loser is lurched (10)."""
    return 2 if target == 121 and max(losers) < LURCH else 1


def _won(board: Board, seat: Seat) -> Board:
    """The board after a side has won a game: the match is over, or a loser deals the next game (10)."""
    setup, side = board.setup, board.side(seat)
    games = stakes(setup.target, [n for other, n in enumerate(board.scores) if other != side])
    total = board.won[side] + games
    won = (*board.won[:side], total, *board.won[side + 1 :])
    board = board.but(won=won, news=(*board.news, Pegged("game", seat, games, total)))
    if total >= setup.games:
        lurched = "lurch" if games == 2 else "points"
        return over(board, lurched if setup.games == 1 else "games")
    lowest = min(n for other, n in enumerate(board.scores) if other != side)
    losers = [s for s in board.showing if board.side(s) != side]
    dealer = next(s for s in losers if board.scores[board.side(s)] == lowest)
    return board.but(phase="deal", dealer=dealer, scores=(0,) * setup.sides)


def counted(state: State[Board], index: int) -> Show:
    """The count of the show with this index: the hands come in their order, then the crib (8)."""
    board = state.board
    crib = index == board.setup.seats
    positions = board.crib if crib else board.hand.played[board.showing[index]]
    return _shown(board, state.faces, positions, crib=crib)


def _shown(board: Board, faces: Mapping[Position, Face], positions: Row, *, crib: bool = False) -> Show:
    """Score the cards at these positions with the starter."""
    return show([faces[p] for p in positions], faces[board.hand.turned_up], crib=crib)


def hands_shown(board: Board, faces: Mapping[Position, Face]) -> Board:
    """The board after the play: the hands are counted, or their players asked to; then comes the crib."""
    if board.setup.muggins:
        hand = but(board.hand, mover=board.showing[0], claims=())
        return board.but(phase="claim", hand=hand)
    for seat in board.showing:
        board = peg(board, "hand", seat, _shown(board, faces, board.hand.played[seat]).items)
        if board.phase != "play":
            return board
    return board.but(phase="crib")


def crib_shown(state: State[Board], hand: DealInPlay) -> Board:
    """The board after the crib is turned up: it counts for the dealer."""
    board = state.board
    if board.setup.muggins:
        return board.but(hand=but(hand, mover=board.dealer), phase="claim", news=())
    items = _shown(board, state.faces, board.crib, crib=True).items
    pegged = peg(board, "crib", board.dealer, items, hand=hand)
    return next_deal(pegged) if pegged.phase == "crib" else pegged


def next_deal(board: Board) -> Board:
    """The board with the deal passed on."""
    return board.but(phase="deal", dealer=(board.dealer + 1) % board.setup.seats)


def answered(state: State[Board], objection: int | None) -> Board:
    """The board after an answer: the claim stands, is corrected, or loses what it overlooked (9)."""
    board = state.board.but(news=())
    hand, setup = board.hand, board.setup
    index, claim = len(hand.claims) - 1, hand.claims[-1]
    seat = board.claimer
    kind = "crib" if index == setup.seats else "hand"
    right = counted(state, index)
    caught = objection == right.total
    taken = right.total if caught and claim > right.total else claim
    board = peg(board, kind, seat, right.items if taken == right.total else (), taken, claim)
    if caught and claim < right.total and board.phase == "answer":
        board = peg(board, "muggins", hand.mover, right.items, right.total - claim)
    if board.phase != "answer":
        return board
    if index == setup.seats:
        return next_deal(board)
    if index + 1 == setup.seats:
        return board.but(phase="crib")
    return board.but(phase="claim", hand=but(hand, mover=board.showing[index + 1]))


# The account


def lines(before: Board, after: State[Board]) -> tuple[Line, ...] | None:
    """The account of a move or of a card turned up; None if there is nothing to tell."""
    board, faces = after.board, after.faces
    if before.phase == "cut shown":
        return _cut(before, after)
    found = [_line(board, news, faces) for news in board.news]
    return tuple(found) or None


def _cut(before: Board, after: State[Board]) -> tuple[Line, ...]:
    codes = [after.faces[position] for position in before.cuts]
    found: list[Line] = [
        {"kind": "cut", "seat": seat, "card": code, "text": f"Seat {seat} cuts the {french.title(code)}"}
        for seat, code in enumerate(codes)
    ]
    dealer = after.board.dealer if after.board.phase == "deal" else None
    text = "Equal cuts: all cut again" if dealer is None else f"Seat {dealer} deals"
    return (*found, {"kind": "dealer", "seat": dealer, "text": text})


def _line(board: Board, news: Pegged, faces: Mapping[Position, Face]) -> Line:
    line: Line = {"kind": news.kind, "seat": news.seat, "points": news.points, "total": news.total}
    who, points = f"Seat {news.seat}", "1 point" if news.points == 1 else f"{news.points} points"
    if news.kind == "game":
        doubled = ", a double game: the loser is lurched" if news.points == 2 else ""
        return {**line, "text": f"{who} wins the game{doubled}"}
    line["items"] = [{"name": item.name, "points": item.points} for item in news.items]
    if news.kind == "muggins":
        return {**line, "text": f"{who} says muggins and takes {points}"}
    if news.kind not in ("hand", "crib"):
        return {**line, "text": f"{who} pegs {points}: {told(news.items)}"}
    positions = board.crib if news.kind == "crib" else board.hand.played[news.seat]
    codes = french.in_order(faces[p] for p in positions)
    starter = faces[board.hand.turned_up]
    line |= {"cards": codes, "starter": starter, "claim": news.claim}
    said = f"{told(news.items)}, {points}"
    if news.claim is not None:
        said = f"claimed {news.claim}" + (
            "" if news.claim == news.points else f", corrected to {news.points}"
        )
    return {**line, "text": f"{who}'s {news.kind} {' '.join(codes)} and {starter}: {said}"}
