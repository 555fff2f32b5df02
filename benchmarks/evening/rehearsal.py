"""The course of a rehearsed evening: who comes, what is played, when a worker is killed, what is found."""

from __future__ import annotations

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.evening import afterwards
from benchmarks.evening import cup as cups
from benchmarks.evening.afterwards import Check, Finished
from benchmarks.evening.cup import Cup
from benchmarks.evening.guests import Party, handle_of
from benchmarks.evening.venue import EveningFailed, Servers, Venue, venue
from benchmarks.load.json_process import JsonProcess, ProcessEnded, json_process
from benchmarks.load.served import ROOT
from benchmarks.load.sizes import LoadProgress
from client.http import Api
from client.tournaments import Tournaments

STALLED = 1_800.0
"""Seconds without a word from any player after which an evening is given up."""
PARTS = 2
"""Parts of an evening in which a worker is killed: the queue and the tournament."""


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """An evening as it is asked for."""

    players: int
    folder: Path
    """The folder of the house and of the records. Its maker empties it."""
    tick: LoadProgress
    modes: Sequence[str]
    """The modes that are waited for in the queue, all of them for two players."""
    pace: str = "usual"
    """The clocks of all games, by name (docs/ratings.md)."""
    processes: int = 4
    """Processes of players."""
    seed: int = 1
    tournament: str = "big-c"
    """The mode of the tournament."""
    rounds: int = 5
    """Rounds of the tournament; fewer than there are players."""
    servers: Servers | None = None
    """The servers of a house with two workers; None for a house on SQLite with its worker inside."""


@dataclass(frozen=True, slots=True)
class Kill:
    """A worker that was killed."""

    after: int
    """The games that had ended by then."""
    seconds: float
    """The time until the house had another one."""


@dataclass
class Evening:
    """What happened."""

    players: int
    games: dict[str, Finished] = field(default_factory=dict)
    waits: dict[str, list[float]] = field(default_factory=dict)
    """Seconds in the queue, by mode."""
    seconds: dict[str, float] = field(default_factory=dict)
    """How long each part took, by name."""
    kills: list[Kill] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """Players who could not go on."""
    checks: list[Check] = field(default_factory=list)
    cup: Cup | None = None

    @property
    def right(self) -> bool:
        """True if nothing is wrong."""
        return not self.faults and all(check.right for check in self.checks)

    def take(self, told: Mapping[str, Any]) -> None:
        """Take in what a player has said."""
        if "fault" in told:
            self.faults.append(told["fault"])
        if "over" not in told:
            return
        self.games[told["over"]] = Finished(
            told["over"],
            told["mode"],
            tuple(told["players"]),
            tuple(told["winners"]),
            str(told["reason"]),
            told["entries"],
            told.get("round"),
        )
        if "waited" in told:
            self.waits.setdefault(told["mode"], []).append(told["waited"])


@dataclass
class Guests:
    """The processes of players, and what they say."""

    processes: Sequence[JsonProcess]
    heard: queue.Queue[dict[str, Any] | ProcessEnded] = field(default_factory=queue.Queue)

    def listen(self) -> None:
        """Begin to listen to every process."""
        for process in self.processes:
            threading.Thread(target=self._listen, args=(process,), daemon=True).start()

    def _listen(self, process: JsonProcess) -> None:
        while True:
            try:
                self.heard.put(process.hear())
            except ProcessEnded as ended:
                self.heard.put(ended)
                return

    def order(self, what: str, **details: Any) -> None:
        """Have all players do something."""
        for process in self.processes:
            process.tell({"do": what, **details})

    def until_done(self, what: str) -> Iterator[dict[str, Any]]:
        """What the players say until all have done it. Raises `ProcessEnded`.

        Raises `EveningFailed` if nobody says anything for `STALLED` seconds.
        """
        left = len(self.processes)
        while left:
            try:
                told = self.heard.get(timeout=STALLED)
            except queue.Empty:
                raise EveningFailed(f"No player has told of anything for {STALLED:g} seconds.") from None
            if isinstance(told, ProcessEnded):
                raise told
            if told.get("done") == what:
                left -= 1
            else:
                yield told


@contextmanager
def guests(plan: EveningPlan, url: str) -> Iterator[Guests]:
    """Start the processes of players, who register at once."""
    count = min(plan.processes, plan.players)
    shares = [plan.players // count + (number < plan.players % count) for number in range(count)]
    command = [sys.executable, "-m", "benchmarks.evening.guests"]
    with ExitStack() as stack:
        running = [stack.enter_context(json_process("A process of players", command, ROOT)) for _ in shares]
        for number, (process, share) in enumerate(zip(running, shares, strict=True)):
            process.tell(asdict(Party(url, sum(shares[:number]), share, plan.seed)))
        found = Guests(running)
        found.listen()
        yield found
        for process in running:
            process.finish()


def rehearse(plan: EveningPlan) -> Evening:
    """Let an evening run, and check what it has left.

    Raises `NotOpen`, `NoServer`, `ProcessEnded` and `EveningFailed`.
    """
    found = Evening(plan.players)
    plan.tick("opening a house", 0.0)
    with venue(plan.folder, plan.servers) as place, Api(place.url) as api:
        with guests(plan, place.url) as party:
            with _timed(found, "registering", plan):
                _all_do(party, found, "register")
            with _timed(found, "queue", plan):
                _queue(plan, place, party, found)
            with _timed(found, "tournament", plan):
                _tournament(plan, place, party, found, api)
        with _timed(found, "checking", plan):
            _check(plan, place, api, found)
    return found


@contextmanager
def _timed(found: Evening, name: str, plan: EveningPlan) -> Iterator[None]:
    plan.tick(name, 0.0)
    began = time.monotonic()
    yield
    found.seconds[name] = time.monotonic() - began


def _all_do(party: Guests, found: Evening, what: str) -> dict[str, Any]:
    """Wait until all players have done something; returns what they have said besides."""
    said: dict[str, Any] = {}
    for told in party.until_done(what):
        found.take(told)
        said |= told
    return said


def _queue(plan: EveningPlan, place: Venue, party: Guests, found: Evening) -> None:
    """Have the players play a game from the queue: two each wait for the same."""
    games = plan.players // 2
    party.order("queue", modes=list(plan.modes), pace=plan.pace)
    _play(place, party, found, "queue", games, lambda over: plan.tick("queue", over / games))


def _tournament(plan: EveningPlan, place: Venue, party: Guests, found: Evening, api: Api) -> None:
    """Have all players enter a Swiss tournament for a fee, and play it to its end."""
    place.grant(map(handle_of, range(plan.players)), cups.FEE)
    terms: dict[str, Any] = {
        "name": "The evening's cup",
        "system": "swiss",
        "mode": plan.tournament,
        "pace": plan.pace,
    }
    terms |= {"rated": True, "fee": cups.FEE, "prizes": list(cups.PRIZES), "places": plan.players}
    party.order("create", **terms, rounds=plan.rounds, pause=0)
    cup = _all_do(party, found, "create").get("tournament")
    if cup is None:
        raise EveningFailed(f"The tournament was not created: {'; '.join(found.faults)}")
    where = {"tournament": cup, "mode": plan.tournament}
    party.order("enter", **where)
    _all_do(party, found, "enter")
    each, games = plan.players // 2, plan.rounds * plan.players // 2

    def tick(over: int) -> None:
        number = min(plan.rounds, 1 + over // each)
        plan.tick(f"tournament, round {number} of {plan.rounds}", over / games)

    party.order("tournament", **where)
    _play(place, party, found, "tournament", games, tick)
    house = Tournaments(api)
    told = house.find(cup)
    rounds = [list(house.matches(cup, number)) for number in range(1, told["round"] + 1)]
    found.cup = Cup(cup, told["mode"], told["state"], rounds, list(house.standings(cup)))


def _play(
    place: Venue, party: Guests, found: Evening, what: str, games: int, tick: Callable[[int], object]
) -> None:
    """Let the players play, and kill a worker once a quarter of the games have ended."""
    before = len(found.games)
    killed = False
    for told in party.until_done(what):
        found.take(told)
        over = len(found.games) - before
        tick(over)
        if not killed and games > over >= games / 4:
            killed = True
            found.kills.append(Kill(len(found.games), place.kill_worker()))


def _check(plan: EveningPlan, place: Venue, api: Api, found: Evening) -> None:
    games = list(found.games.values())
    expected = plan.players // 2 * (1 + plan.rounds)
    found.checks += [
        Check("Workers", len(found.kills) == PARTS, f"{len(found.kills)} killed on the way"),
        afterwards.all_ended(place, games, expected),
        afterwards.paired_once(games, plan.players),
    ]
    if found.cup is not None:
        found.checks += [
            cups.pairs_are_fair(found.cup, plan.players, plan.rounds),
            cups.standings_follow(found.cup, games),
            cups.prizes_are_paid(found.cup),
        ]
    found.checks += [
        afterwards.records_hold(place, api, games, plan.folder / "records"),
        afterwards.ratings_follow(place, len(games)),
        afterwards.books_are_right(place),
    ]
