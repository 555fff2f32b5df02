"""The worked examples of cribbage, each run through the rules' own code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add
from typing import Any

from bots.simulate import options_of
from cards.games import find, french
from cards.games.contract import Outcome, State
from cards.games.cribbage.bulk import shows
from cards.games.cribbage.score import RANK, pegged, show
from cards.games.cribbage.table import DealInPlay
from cards.games.cribbage.tally import peg, stakes


def _show(given: dict[str, Any]) -> dict[str, Any]:
    shown = show(given["hand"], given["starter"], crib=given["crib"])
    parts = {name: getattr(shown, name) for name in ("fifteens", "runs", "pairs", "flush", "nobs", "total")}
    numbers = bytes(french.place(code) for code in (*given["hand"], given["starter"]))
    assert [*shows(numbers, crib=given["crib"])] == [shown.total]
    return parts


def _playing(hands: Sequence[Sequence[str]], dealer: int, leader: int, starter: str) -> State[Any]:
    """A state at the beginning of the play, with the starter turned up."""
    mode = find("cribbage")
    state = mode.start(options_of(mode), 2)
    hand = DealInPlay(
        held=tuple(tuple(range(6 * s, 6 * s + len(hand))) for s, hand in enumerate(hands)),
        laid=((), ()),
        played=((), ()),
        starter=20,
        mover=leader,
    )
    faces = {6 * s + i: code for s, hand in enumerate(hands) for i, code in enumerate(hand)}
    board = state.board.but(phase="play", round=1, dealer=dealer, hand=hand)
    return State(board, {**faces, 20: starter})


def _heels(given: dict[str, Any]) -> dict[str, Any]:
    mode = find("cribbage")
    before = _playing([[], []], 1, 0, given["starter"])
    board = before.board.but(phase="starter shown")
    after = mode.turn(State(board, {}), {20: given["starter"]})
    return {"points": after.board.scores[1] + after.board.scores[0], "to": "dealer"}


def _play(given: dict[str, Any]) -> dict[str, Any]:
    """The pegs after the play. The house says go for a seat without a card that fits."""
    mode = find("cribbage")
    state = _playing(given["hands"], given["dealer"], given["leader"], "2S")
    scores = [0, 0]
    for code in given["order"]:
        while (forced := mode.compelled(state, state.board.hand.mover)) is not None:
            state = mode.play(state, {state.board.hand.mover: forced})
            scores = [*map(add, scores, _pegs(state))]
        position = next(p for p, face in state.faces.items() if face == code and p < 20)
        state = mode.play(state, {state.board.hand.mover: {"play": position, "card": code}})
        scores = [*map(add, scores, _pegs(state))]
    return {"scores": scores}


def _pegs(state: State[Any]) -> list[int]:
    """The points that the last move pegged in the play, by side."""
    pegs = [0, 0]
    for news in state.board.news:
        pegs[news.seat] += news.points if news.kind in ("play", "go") else 0
    return pegs


def _count_out(given: dict[str, Any]) -> dict[str, Any]:
    mode = find("cribbage")
    start = mode.start(options_of(mode, {"target": str(given["target"])}), 2).board
    board = start.but(phase="play", dealer=given["dealer"], scores=tuple(given["scores"]))
    for seat, points in given["events"]:
        if board.phase == "play":
            board = peg(board, "hand", seat, (), points)
    outcome = mode.next(State(board))
    assert isinstance(outcome, Outcome)
    return {"winner": outcome.winners[0], "scores": [*outcome.points]}


OPS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "show": _show,
    "heels": _heels,
    "peg": lambda given: {
        "points": sum(
            item.points for item in pegged(tuple(RANK[code] for code in (*given["pile"], given["card"])))
        )
    },
    "play": _play,
    "count_out": _count_out,
    "stake": lambda given: {"games": stakes(given["target"], [given["loser"]])},
}
