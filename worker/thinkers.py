"""Where bots that think choose: in a process of their own, and no thread of a worker waits for them.

The threads that close rounds hand the turn of such a bot over and go on. A few threads wait for the choices,
and a child process makes them, one after another. So a bot that takes its time delays nobody's clock, and
takes no time from the requests that the same process answers.

A bot bounds the work of a choice itself. `PATIENCE` bounds the time besides, the wait in the queue included:
when it is over, the bot's quick one chooses instead. That also happens while the process starts, if it dies,
and when too many games wait.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from random import Random
from typing import Any

import structlog

from bots import bots_for
from cards import games
from cards.games.contract import Move, Seat, State

PATIENCE = 2.0
"""Seconds from a bot's turn until its quick one chooses. The shortest clock of any game has five."""
PLACES = 4
"""Threads that wait for choices and hand them in."""
MOST_WAITING = 64
"""Turns that may wait for a thread. A bot whose turn finds no room chooses quickly, at once."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """All that a bot needs for a choice; it can be sent to another process."""

    bot: str
    mode: str
    rules: str
    """The version of the mode's rules."""
    state: State[Any]
    """What the seat sees, and nothing else."""
    seat: Seat
    seed: bytes
    """The seed of the bot's random choices: the same question has the same answer in every worker."""

    def answer(self, *, quickly: bool = False) -> Move:
        """The bot's choice, made in this thread; with `quickly` that of its quick bot, if it has one."""
        bot = bots_for(self.mode)[self.bot]
        if quickly:
            bot = getattr(bot, "quick", bot)
        return bot.choose(games.find(self.mode, self.rules), self.state, self.seat, Random(self.seed))


def thinks(mode: str, bot: str) -> bool:
    """Tell whether a bot of a mode takes long enough to choose that it needs a process of its own."""
    return bool(getattr(bots_for(mode).get(bot), "thinks", False))


Turn = Callable[[Callable[[Question], Move]], object]
"""The turn of a bot: it calls what it is given for a choice, if it needs one, and hands the choice in."""


class Thinkers:
    """The threads and the process of one worker's bots that think. Both start with the first turn."""

    def __init__(self, answer: Callable[[Question], Move] = Question.answer) -> None:
        """`answer` is called in the child process, so it must be a function of a module."""
        self._answer = answer
        self._threads = ThreadPoolExecutor(PLACES, "thinkers")
        self._process: ProcessPoolExecutor | None = None
        self._known: set[object] = set()
        """The turns that wait or are in hand."""
        self._stopped = False
        self._changed = threading.Condition()

    @property
    def busy(self) -> bool:
        """True if a turn waits or is in hand."""
        return bool(self._known)

    def take(self, key: object, turn: Turn) -> None:
        """Take the turn that `key` names when a thread is free; returns at once. A known turn is not taken.

        If too many wait, the turn is taken in the calling thread, by quick choices.
        """
        with self._changed:
            if self._stopped or key in self._known:
                return
            full = len(self._known) >= MOST_WAITING
            if not full:
                self._known.add(key)
                self._threads.submit(self._run, key, turn, time.monotonic() + PATIENCE)
        if full:
            turn(_quickly)

    def stop(self, timeout: float) -> bool:
        """Take no more turns, and wait for those in hand; False if they last over `timeout` seconds."""
        with self._changed:
            self._stopped = True
            ended = self._changed.wait_for(lambda: not self._known, timeout)
            process, self._process = self._process, None
        self._threads.shutdown(wait=False, cancel_futures=True)
        if process is not None:
            _end(process)
        return ended

    def _run(self, key: object, turn: Turn, until: float) -> None:
        try:
            if not self._stopped:
                turn(lambda question: self._chosen(question, until))
        except Exception:
            _log.exception("bot_failed", turn=str(key))
        finally:
            with self._changed:
                self._known.discard(key)
                self._changed.notify_all()

    def _chosen(self, question: Question, until: float) -> Move:
        """The choice of the process; that of the quick bot if it does not come in time."""
        process: ProcessPoolExecutor | None = None
        future: Future[Move] | None = None
        why = "late"
        try:
            left = until - time.monotonic()
            if left > 0:
                process = self._pool()
                future = process.submit(self._answer, question)
                return future.result(left)
        except TimeoutError:
            pass
        except (BrokenExecutor, CancelledError):
            why = "process_died"
            self._drop(process)
        except Exception:
            _log.exception("thinking_failed", bot=question.bot, mode=question.mode)
            why = "failed"
        if future is not None:
            future.cancel()
        _log.info("bot_hurried", bot=question.bot, mode=question.mode, why=why)
        return _quickly(question)

    def _pool(self) -> ProcessPoolExecutor:
        with self._changed:
            if self._stopped:
                raise BrokenExecutor("the worker stops")
            if self._process is None:
                # A child that is forked would inherit the locks of this process's threads.
                self._process = ProcessPoolExecutor(1, get_context("spawn"), _begin)
            return self._process

    def _drop(self, process: ProcessPoolExecutor | None) -> None:
        """Let the next question start another process, unless one has done so since this one died."""
        with self._changed:
            if self._process is process:
                self._process = None
        if process is not None:
            _end(process)


def _quickly(question: Question) -> Move:
    return question.answer(quickly=True)


def _end(process: ProcessPoolExecutor) -> None:
    """End a child, even in the middle of a choice: nobody waits for it any more."""
    children = process._processes  # None if somebody else has ended it
    # `shutdown` waits for the lock under which a child is started. Only then are all children listed.
    process.shutdown(wait=False, cancel_futures=True)
    for child in [*(children or {}).values()]:
        child.kill()


def _begin() -> None:
    """Prepare the child: signals are its parent's business, and it ends when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.join,), daemon=True).start()


def _end_with(join: Callable[[], None]) -> None:
    join()
    signal.raise_signal(signal.SIGKILL)
