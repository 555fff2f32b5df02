"""What an evening has left: whether every game ended, every record holds, and ratings and books follow."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from benchmarks.evening.venue import Venue
from benchmarks.load.served import ROOT
from client.http import Api
from crypto.encoding import b64

VERIFIED_AT_ONCE = 50
"""Records in one run of `cloche verify`."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A game of the evening, as its players have seen it end."""

    id: str
    mode: str
    players: tuple[str, ...]
    """The handles by seat."""
    winners: tuple[int, ...]
    """The seats that have won."""
    reason: str
    entries: int
    round: int | None = None
    """The round of the tournament; None for a game from the queue."""


@dataclass(frozen=True, slots=True)
class Check:
    """Something that must hold after the evening."""

    what: str
    right: bool
    said: str
    """What was found, in a line."""


def run(venue: Venue, *arguments: str) -> tuple[int, str]:
    """Run a command of the operator; returns its exit status and what it printed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("CLOCHE_")}
    if engine := os.environ.get("CLOCHE_ENGINE"):
        kept["CLOCHE_ENGINE"] = engine
    done = subprocess.run(
        [sys.executable, "-m", "cloche", *arguments],
        env=kept | venue.environment,
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace").strip()


def last_line(text: str) -> str:
    """The last line of an output; "" where there is none."""
    return text.rpartition("\n")[2]


def all_ended(venue: Venue, games: Sequence[Finished], expected: int) -> Check:
    """Check that as many games were played as were to be, and that none runs and nobody waits."""
    with urlopen(f"{venue.url}/metrics", timeout=30) as response:  # noqa: S310 - a house that we have opened
        figures = response.read().decode()
    still = {name: counted(figures, name) for name in ("cloche_games_running", "cloche_players_waiting")}
    said = f"{len(games)} of {expected} games have ended; {still['cloche_games_running']:g} run"
    said += f", {still['cloche_players_waiting']:g} players wait"
    return Check("Games", len(games) == expected and not any(still.values()), said)


def counted(figures: str, name: str) -> float:
    """Add up all samples of a figure, whatever their labels."""
    return sum(float(value) for value in re.findall(rf"^{name}(?:{{.*}})? (\S+)$", figures, re.MULTILINE))


def paired_once(games: Sequence[Finished], players: int) -> Check:
    """Check that the queue gave every player exactly one game."""
    seats = Counter(handle for game in games if game.round is None for handle in game.players)
    often = sorted(handle for handle, count in seats.items() if count > 1)
    said = f"{len(seats)} of {players} players got a game from the queue, {len(often)} more than one"
    return Check("Queue", len(seats) == players and not often, said)


def records_hold(venue: Venue, api: Api, games: Sequence[Finished], folder: Path) -> Check:
    """Have `cloche verify` judge the record of every game, by the key of the house."""
    folder.mkdir()
    files = []
    for game in games:
        files.append(folder / f"{game.id}.json")
        files[-1].write_bytes(api.record(game.id))
    key, bad = b64(api.house().key), list[str]()
    for first in range(0, len(files), VERIFIED_AT_ONCE):
        some = [str(file) for file in files[first : first + VERIFIED_AT_ONCE]]
        status, text = run(venue, "verify", *some, "--house", key)
        if status != 0:
            bad.append(last_line(text))
    said = f"{len(files)} records were judged offline" + (f": {bad[0]}" if bad else "; all hold")
    return Check("Records", not bad, said)


def ratings_follow(venue: Venue, games: int) -> Check:
    """Compute all ratings again from the records, and compare."""
    status, text = run(venue, "ratings", "recompute", "--check")
    found = re.search(r"(\d+) rated games?", text)
    right = status == 0 and found is not None and int(found[1]) == games
    return Check("Ratings", right, last_line(text))


def books_are_right(venue: Venue) -> Check:
    """Audit the books of coins and copies."""
    status, text = run(venue, "admin", "audit")
    return Check("Books", status == 0, text.partition("\n")[0])
