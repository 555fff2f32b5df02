"""The demo of a table without a dealer: a player vanishes, and the house's files are searched for hands."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from cards import games
from cards.games.contract import Face
from cloche.commands.errors import CommandError
from cloche.commands.words import listed, names_of, number
from cloche.operate.child import Child
from crypto.encoding import b64
from player.follow import Follower
from player.one_history import fresh_of
from player.seat import OwnSeat
from player.vault import PlayerVault
from referee import Game, all_options
from referee.dealerless.masked import InPlay, cards_in_play
from referee.game import pack_of
from referee.header import DEALER, LINK, MIX, NOBODY

CLOCK = 8
"""Seconds of every clock for a choice, and for the programs: somebody is waited for three times."""
SHOWN = 5
"""Cards of hidden hands that are played before somebody vanishes."""
QUIET = 1.0
"""Seconds without an entry after which the others wait for the one who has vanished."""
_SQLITE = b"SQLite format 3\x00"


def options_of(mode: str) -> dict[str, Any]:
    """The options of the demo's table. Raises `CommandError` for a mode that needs its dealer."""
    facts = games.find(mode).facts
    if not facts.traits:
        raise CommandError("dealer_needed", f"{facts.title} can't be played without a dealer.")
    known = {option.name: option for option in all_options(games.find(mode))}
    own = {option.name for option in facts.options if option.kind == "seconds"}
    found: dict[str, Any] = dict.fromkeys((*own, LINK, MIX), CLOCK)
    if "play" in (known["absent"].choices if "absent" in known else ()):
        found["absent"] = "play"
    return {**found, DEALER.name: NOBODY}


@dataclass
class Vanishing:
    """The one player who leaves in the middle of a deal, for good, and what is looked for then."""

    console: Console
    vaults: Sequence[PlayerVault]
    """The vault of each player, in the order of `players`."""
    players: list[Child]
    folder: Path
    """The house's own folder."""
    done: bool = False

    def perhaps(self, follower: Follower) -> None:
        """Kill a player's process once enough cards were played, then search the house's files."""
        game = follower.game
        if self.done or not isinstance(game.masked, InPlay) or _played(follower) < SHOWN:
            return
        self.done = True
        gone, vault = self.players[-1], self.vaults[-1]
        gone.kill()
        name = vault.identity.handle
        self.console.print(f"\n[bold]{name}'s process {gone.pid} is killed, and does not come back[/]")
        del self.players[-1]
        _settle(follower)
        self._search(follower)
        often = f"  The house waits {CLOCK} s for {name}, three times"
        self.console.print(f"{often}: nobody else can play a card of that hand\n")

    def require_done(self) -> None:
        """Raise `CommandError` if the game has ended before anybody vanished: then nothing was searched."""
        if not self.done:
            text = "The game was over before a player vanished, so the house's files were not searched."
            raise CommandError("nobody_vanished", text)

    def _search(self, follower: Follower) -> None:
        game = follower.game
        self.console.print("\n[bold]The house's files are searched for what it must not know[/]")
        hidden, secrets = set[Face](), dict[str, bytes]()
        for vault in self.vaults:
            seat = _seat(vault, game)
            hidden |= {face for p, face in seat.hand(game).items() if game.masked and _hidden(game, p)}
            secrets |= _secrets_of(vault, seat, game)
        record = json.dumps([entry.json() for entry in follower.entries]).encode()
        open_names = {face for face in game.state.faces.values() if _named(face).search(record)}
        found = search(self.folder, hidden, open_names, secrets, record)
        for line in found.lines():
            self.console.print(f"  {line}", markup=False)
        found.require_clean()


def _played(follower: Follower) -> int:
    """The cards of hidden hands that were played in the newest deal."""
    game = follower.game
    if not isinstance(game.masked, InPlay):
        return 0
    since = game.masked.pack.step
    return sum(e.kind == "move" and "shares" in e.body and e.step > since for e in follower.entries)


def _settle(follower: Follower) -> None:
    """Follow until nothing comes any more: the others wait."""
    last = time.monotonic()
    while time.monotonic() - last < QUIET:
        if follower.catch_up(QUIET / 4):
            last = time.monotonic()


def _seat(vault: PlayerVault, game: Game) -> OwnSeat:
    """A player's seat, as the player's own vault gives it."""
    note = vault.reread(game.header.game)
    if note is None or note.lock is None:
        raise CommandError("no_note", f"The vault of {vault.identity.handle} knows nothing of the game.")
    seat = OwnSeat(note.seat, vault.identity.private, note.match_secret)
    return seat.with_lock(note.lock.fresh, fresh_of(note.older_locks))


def _hidden(game: Game, position: int) -> bool:
    playing = cards_in_play(game.masked)
    return playing is not None and bool(playing.lockers(position))


def _secrets_of(vault: PlayerVault, seat: OwnSeat, game: Game) -> dict[str, bytes]:
    """What would open a player's hand, 32 bytes each."""
    name, fresh = vault.identity.handle, seat.lock_fresh or b""
    key = seat.secret.of_lock(fresh).lock_key(pack_of(game).asked)
    return {
        f"{name}'s match secret": seat.match_secret,
        f"{name}'s random bytes": fresh,
        f"{name}'s key": key.to_bytes(32, "big"),
        f"{name}'s key, backwards": key.to_bytes(32, "little"),
    }


# The search


def _named(face: Face) -> re.Pattern[bytes]:
    """A card's name as JSON has it, also where that JSON stands in a text of another."""
    return re.compile(rb'"' + re.escape(str(face)).encode() + rb'\\*"')


def _forms(secret: bytes) -> tuple[bytes, ...]:
    return secret, b64(secret).encode(), secret.hex().encode(), secret.hex().upper().encode()


@dataclass(frozen=True)
class Found:
    """The outcome of a search through the files of a house."""

    files: int
    size: int
    rows: int
    hidden: frozenset[Face]
    """The hidden cards that were looked for by name."""
    passed_over: int
    """Hidden cards whose names the public record has from an earlier deal, so that they tell nothing."""
    there: frozenset[Face]
    """Those that were found."""
    opened: frozenset[Face]
    """The cards that lie open; the same search must find them."""
    missed: frozenset[Face]
    secrets: int
    leaked: tuple[str, ...]
    """The names of the secrets that were found."""

    def lines(self) -> Iterator[str]:
        """What was searched, for what, and what came of it."""
        yield f"{number(self.files, 'file')}, {self.size:,} bytes, {self.rows:,} rows of the database"
        cards = f"{number(len(self.hidden), 'hidden card')} by name"
        yield f"{cards}: {self._said(sorted(map(str, self.there)))}"
        if self.passed_over:
            yield f"{self.passed_over} more lay open in an earlier deal, so their names tell nothing"
        yield f"{number(self.secrets, 'secret')} of the players: {self._said(self.leaked)}"
        yield f"{number(len(self.opened), 'card')} that lie open: {self._found()}"

    @staticmethod
    def _said(found: Iterable[str]) -> str:
        named = listed(found)
        return f"FOUND: {named}" if named else "none is there"

    def _found(self) -> str:
        missing = listed(sorted(map(str, self.missed)))
        return f"not found: {missing}" if missing else "all are there, so the search finds what is there"

    def require_clean(self) -> None:
        """Raise `CommandError` if the house holds what it must not know, or the search finds nothing."""
        if self.there or self.leaked:
            raise CommandError("hand_found", "The house's files hold what only a player may know.")
        if self.missed or not self.hidden or not self.opened:
            raise CommandError("search_failed", "The search did not find what lies open for everybody.")


def search(
    folder: Path, hidden: Iterable[Face], opened: Iterable[Face], secrets: Mapping[str, bytes], record: bytes
) -> Found:
    """Search all files below a folder, and all rows of the databases among them.

    `record` is the public record as JSON: a name that it holds tells nothing, wherever else it stands.
    """
    told = {face for face in hidden if _named(face).search(record)}
    names = {face: _named(face) for face in {*hidden} - told}
    open_names = {face: _named(face) for face in opened}
    there, seen, leaked, files, size, rows = set[Face](), set[Face](), set[str](), 0, 0, 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        files, size = files + 1, size + len(data)
        texts = [data, *(_rows(path) if data.startswith(_SQLITE) else ())]
        rows += len(texts) - 1
        for text in texts:
            there |= {face for face, name in names.items() if name.search(text)}
            seen |= {face for face, name in open_names.items() if name.search(text)}
            leaked |= {name for name, secret in secrets.items() if any(f in text for f in _forms(secret))}
    return Found(
        files,
        size,
        rows,
        frozenset(names),
        len(told),
        frozenset(there),
        frozenset(open_names),
        frozenset(open_names.keys() - seen),
        len(secrets),
        tuple(sorted(leaked)),
    )


def _rows(path: Path) -> list[bytes]:
    """Every row of every table of an SQLite file: a long text lies in pieces in the file itself."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return [text.encode() for text in database.iterdump() if text.startswith("INSERT")]


def mixed(game: Game) -> str:
    """Say who has locked and mixed the cards of a deal that has just been made."""
    pack, names = pack_of(game), names_of(game)
    who = listed(["the house", *(names[seat] for seat in pack.seats)])
    said = f"Deal {pack.deal}: {who} have mixed {len(pack.pack)} cards, and nobody knows their order"
    left = [name for seat, name in enumerate(names) if seat not in pack.seats]
    return f"{said}; the cards of {listed(left)} lie open" if left else said
