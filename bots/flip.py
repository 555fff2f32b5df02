"""Bots for Pancakes (flip): one that looks a move ahead, and one that plays to teach the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from bots.levels import Level
from cards.games import french
from cards.games.contract import Face, Mode, Move, Position, Seat, State
from cards.games.flip import lessons
from cards.games.flip.griddle import RANK, WILD
from cards.games.flip.table import HAND, Board

UNKNOWN = -2
"""The rank of a Stack whose top card is about to be turned up: no card is known to fit."""

CARD = 4.0
"""The worth of one card fewer in the hand; a Stack on which one of them fits is worth at most 1."""
AGAIN = 0.5
"""The part of that worth that is left for every further Stack on which the same card fits."""
OPEN = 1.0
"""The worth of a Stack on which anything fits to each of the others."""
PATIENCE = 20
"""Turns of each seat after which a bot transfers cards only for an immediate gain."""
ALONE = 150
"""Turns in which a lone bot transfers cards at random until a card of its hand fits."""
DRAWN = 2
"""The number of cards that a draw is assumed to add to the hand.

A lone bot counts none, since it must lay the whole pile.
"""


def showing(board: Board, faces: Mapping[Position, Face]) -> list[int]:
    """The rank that fits on each Stack, as far as it is known: see `cards.games.flip.griddle.ranks_on`."""
    return [
        RANK[faces[stack[-1]]] if stack[-1] in faces else UNKNOWN if stack[-1] >= 0 else WILD
        for stack in (stack or (-1,) for stack in board.griddle)
    ]


def prospect(state: State[Board], seat: Seat) -> float:
    """Rate a position for a seat: few cards, each with somewhere to go, and little for the others."""
    board, faces = state.board, state.faces
    ranks = showing(board, faces)
    anything = ranks.count(WILD)
    laid = 2 * HAND * board.completed  # a lone player's new hand is no step back
    worth = CARD * (laid - len(board.hands[seat])) - OPEN * anything * (board.seats - 1)
    for position in board.hands[seat]:
        if position not in faces:
            continue  # about to be drawn
        rank = RANK[faces[position]]
        places = len(ranks) if rank == WILD else anything + ranks.count(rank)
        worth += 1 - AGAIN**places
    return worth


@dataclass(frozen=True, slots=True)
class Nimble:
    """Tries every move and keeps the one with the best position; takes every Serving."""

    level = Level.MEDIUM

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """The best of the legal moves; `rng` decides between equals."""
        moves = list(mode.legal(state, seat))
        if state.board.phase == "serve":
            return moves[0]
        if len(moves) == 1:
            return moves[0]
        rng.shuffle(moves)
        best = max(moves, key=lambda move: self._worth(mode, state, seat, move))
        board: Board = state.board
        forced = [move for move in moves if "draw" in move or "forfeit" in move]
        if board.seats == 1 and forced and board.turns < ALONE and board.pile < board.size:
            moved = [move for move in moves if "transfer" in move]
            return moved[0] if moved else forced[0]
        if "transfer" in best and forced and (board.seats == 1 or board.turns > PATIENCE * board.seats):
            # Cards could be moved about for ever, so a transfer must now bring something.
            brings = self._worth(mode, state, seat, best) > prospect(state, seat)
            return best if brings else forced[0]
        return best

    def ranked(self, mode: Mode[Any], state: State[Any], seat: Seat) -> list[Move]:
        """The actions, that with the best position first; none alone, and where a Serving may be taken."""
        if state.board.phase == "serve" or state.board.seats == 1:
            return []
        moves = [*mode.legal(state, seat)]
        return sorted(moves, key=lambda move: self._worth(mode, state, seat, move), reverse=True)

    @staticmethod
    def _worth(mode: Mode[Any], state: State[Any], seat: Seat, move: Move) -> float:
        if "draw" in move:
            return prospect(state, seat) - (DRAWN * CARD if state.board.seats > 1 else 0.0)
        return prospect(mode.play(state, {seat: move}), seat)


@dataclass(frozen=True, slots=True)
class Tutor:
    """Shows the eleven moves from which the game is learned, the first that was not made yet (16)."""

    teaches = True

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        """A move that teaches something new, the lowest lesson first; else one that leads on."""
        moves = list(mode.legal(state, seat))
        rng.shuffle(moves)
        board: Board = state.board
        lacking = lessons.ALL & ~(board.lessons | lessons.OPEN)
        last = board.seats > 1 and len(board.hands[seat]) == 1
        hold = last and bool(lacking) and board.turns < PATIENCE * board.seats

        def rank(move: Move) -> tuple[bool, int, int, bool]:
            fresh = lessons.lesson(board.griddle, state.faces, move) & lacking
            ends = hold and "play" in move  # the last card would end the game, and there is more to show
            # Draws and forfeits lead to an empty pile and Pancakes!; playing from the hand to a draw.
            forced = "draw" in move or "forfeit" in move
            way = 0 if forced or not lacking else 1 if "play" in move or not lacking & lessons.DRAW else 2
            return (ends, fresh & -fresh or 1 << 20, way, move.get("card") == french.JOKER)

        return min(moves, key=rank)
