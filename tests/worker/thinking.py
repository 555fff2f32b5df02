"""Answers of a bot that thinks, as functions of a module: the child process finds them by name."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

from bots.simulate import options_of
from cards.games import find
from cards.games.contract import Move, State
from worker.thinkers import Question, Thinkers

ENDLESS = 3600.0


def opening(mode: str = "hearts", seats: int = 4, seed: int = 1) -> State[Any]:
    """The state of a game of hearts after the first deal, with all faces."""
    rules = find(mode)
    start = rules.start(options_of(rules), seats)
    deal: Any = rules.next(start)
    [draw] = deal.draws
    drawn = tuple(Random(seed).sample(draw.pool, draw.count))
    return rules.deal(start, [drawn]).knowing({p: deal.pack[i] for p, i in enumerate(drawn)})


def question(seat: int = 0, seed: bytes = b"seed") -> Question:
    """A question that hearts' best bot thinks about: which card to expose, if any."""
    rules, state = find("hearts"), opening()
    view = state.seen(rules.sees(state, seat))
    return Question("shrewd", "hearts", rules.facts.rules, view, seat, seed)


def hangs(asked: Question) -> Move:
    """Answer long after everybody has gone."""
    time.sleep(ENDLESS)
    return asked.answer()


def dies(asked: Question) -> Move:
    """Take the process down in the middle of a choice of seat 0."""
    if asked.seat == 0:
        os._exit(1)
    return asked.answer()


def tells(asked: Question) -> Move:
    """Write down which process is asked, and never answer."""
    Path(asked.seed.decode()).write_text(str(os.getpid()))
    return hangs(asked)


if __name__ == "__main__":  # a worker that is killed while its bot thinks
    Thinkers(tells).take("turn", lambda choose: choose(question(seed=sys.argv[1].encode())))
    time.sleep(ENDLESS)
