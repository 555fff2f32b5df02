"""`cloche demo`: open a new house, let bots play a match over HTTP, verify its record, and falsify a copy."""

from __future__ import annotations

import secrets
import string
import tempfile
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.console import Console
from rich.markup import escape

from bots import bots_for
from cards import games
from cards.catalog.deck_rules import MOST_COPIES
from client.decks import DeckInfo
from client.http import Api
from client.vault import FILE, Vault
from cloche.commands.errors import REFUSED, UNREADABLE, CommandError, command_errors
from cloche.commands.play import on_chain, without_dealer
from cloche.commands.play.building import build
from cloche.commands.words import listed, result, told
from cloche.operate.child import Child, ended_well, house, run
from crypto.encoding import b64
from crypto.identity import new_private_key
from player.follow import Follower
from player.vault_format import LOWEST_COST, Identity
from referee import Entry, Game
from referee.dealerless.masked import InPlay
from referee.header import DEALER, NOBODY

NAMES = ("Anna", "Ben", "Clara", "David", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Liam")
USUAL_SEATS = 4
"""The largest number of players, even if a mode allows more."""
POLL = 2.0
LONGEST = 1800
"""Seconds after which the demo gives up."""
MINTED_AT_ONCE = 20
"""Different Basic Ingredients in a request; a house makes at most 60 copies in one."""


@dataclass(frozen=True)
class Guest:
    """A player of the demo: a folder with a vault, and a bot that plays from it in a process of its own."""

    name: str
    folder: Path
    vault: Vault
    passphrase: str
    bot: str
    deck: DeckInfo | None


@click.command()
@click.option("--mode", default="chef", show_default=True, help="The game to play.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep the record in this file.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    help="Have the players agree on a draw after so many accounts. In Pancake there is one each round, and"
    " one when somebody redraws. Where nobody deals, accounts count from the void deal on.",
)
@click.option(
    "--dealer",
    type=click.Choice(DEALER.choices),
    default=DEALER.default,
    show_default=True,
    help="Who deals, where the mode leaves it open. With nobody, a player's process is killed in the middle"
    " of a deal, and the house's files are searched for the hands.",
)
@click.option(
    "--chain",
    "with_chain",
    is_flag=True,
    help="On a chain in memory, have contracts verify the record and pay a prize to the winner, and let a won"
    " copy leave as a token and come back to the other player.",
)
@click.option(
    "--seed", type=int, help="Make the bots' random choices, and the falsified character, the same each time."
)
def demo(
    mode: str, out: Path | None, rounds: int | None, dealer: str, with_chain: bool, seed: int | None
) -> None:
    """Open a new house, let bots play a match in processes of their own, and verify the record.

    Everything is real and goes over HTTP: registration, certificates, match decks, seals,
    reveals. The players build their decks by searching the cards that they own. The house is
    closed before the record is verified. Then one character of a copy is changed, and the
    copy must be refused.
    """
    if mode not in games.names():
        raise CommandError("unknown_mode", f"There is no mode {mode}; there are {', '.join(games.names())}.")
    if out is not None and not out.parent.is_dir():
        raise CommandError("cant_write", f"There is no folder {out.parent} for the record.")
    console = Console(highlight=False, soft_wrap=True)
    dice = Random(seed)
    chain = on_chain.OnChain(console, mode) if with_chain else None
    options = without_dealer.options_of(mode) if dealer == NOBODY else {}
    with ended_well(), tempfile.TemporaryDirectory(prefix="cloche-demo-") as folder, command_errors():
        path = out or Path(folder) / "record.json"
        on: AbstractContextManager[Mapping[str, str]] = (
            nullcontext({}) if chain is None else chain.answering()
        )
        with on as settings, house(Path(folder), settings) as url, Api(url) as api:
            _step(console, f"A house is open at {url}")
            key = api.house().key
            guests = _guests(api, mode, Path(folder), key, dice)
            data = _match(console, api, mode, options, Path(folder), guests, rounds, dice)
            if chain is not None:
                chain.deploy(url, key)
                _step(
                    console,
                    "A won copy leaves as a token of a chain in memory, and comes back to another player",
                )
                chain.travel(url, [guest.vault for guest in guests], data, Path(folder))
                _step(console, "A pot on this game is paid on that chain, by the house's word")
                chain.pay(api, data)
        try:
            path.write_bytes(data)
        except OSError as error:
            raise CommandError("cant_write", f"{path}: {error.strerror}.") from None
        _step(console, "The house is closed; a process that never met it verifies the record")
        _verify(console, path, key)
        if chain is not None:
            _step(console, "Contracts verify the record too")
            chain.verify(data)
        _step(console, "One character of a copy is changed")
        _falsify(console, Path(folder) / "falsified.json", data, key, dice)
        if out is not None:
            console.print(f"\nThe record is in {out}.", markup=False)
        else:
            console.print("\n[dim]With --out FILE the record is kept.[/]")


def _step(console: Console, text: str) -> None:
    console.print(f"\n[bold]{text}[/]")


def _match(
    console: Console,
    api: Api,
    mode: str,
    options: Mapping[str, Any],
    folder: Path,
    guests: list[Guest],
    rounds: int | None,
    dice: Random,
) -> bytes:
    """Play a match. Returns the record."""
    key = guests[0].vault.identity.house_key
    api.as_player(guests[0].vault.identity.token or "")
    first = guests[0].deck
    table = api.open_table(mode, seats=len(guests), deck=None if first is None else first.id, options=options)
    players = [_play(guest, table.id, rounds, dice, bool(options)) for guest in guests]
    _step(console, f"{listed(guest.name for guest in guests)} play, each in a process of their own")
    for guest, process in zip(guests, players, strict=True):
        public = b64(guest.vault.identity.public)
        deck = "" if guest.deck is None else f', deck "{guest.deck.name}"'
        console.print(f"  {guest.name:6} process {process.pid}, key {public}, bot {guest.bot}{deck}")
    present = list(players)
    vanishing = None
    if options:
        vaults = [guest.vault for guest in guests]
        vanishing = without_dealer.Vanishing(console, vaults, present, folder / "house")
    try:
        game = _watch(console, api, table.id, key, present, vanishing)
        if vanishing is not None:
            vanishing.require_done()
        for process in present:
            process.done()
    finally:
        for process in players:
            process.end()
    return api.record(game)


def _guests(api: Api, mode: str, folder: Path, key: bytes, dice: Random) -> list[Guest]:
    """Register the players, and make their keys and vaults, as `cloche register` does."""
    facts = games.find(mode).facts
    low, high = facts.seats
    count = min(max(low, USUAL_SEATS), high)
    starters = dice.sample(api.starters(), len(api.starters()))
    if facts.own_decks and not starters:
        text = f"The card sets here have no starter deck to play {facts.title} with; choose another --mode."
        raise CommandError("no_starters", text)
    bots = [name for name in bots_for(mode) if name != "random"] or ["random"]
    guests = []
    for i, name in enumerate(NAMES[:count]):
        place = folder / name.lower()
        identity = Identity(name, api.url, key, new_private_key(), secrets.token_urlsafe(24))
        starter = starters[i % len(starters)]["slug"] if starters else None
        api.register(name, identity.password, identity.private, key, starter)
        passphrase = secrets.token_urlsafe(24)
        vault = Vault.create(place / FILE, passphrase, identity, LOWEST_COST)
        vault.renew(api.issue_token(name, identity.password, "demo"))
        deck = _deck(api, dice) if facts.own_decks else None
        guests.append(Guest(name, place, vault, passphrase, bots[i % len(bots)], deck))
    return guests


def _deck(api: Api, dice: Random) -> DeckInfo:
    """Build a deck for this player by searching the starter's cards and free ones."""
    basics = [card["slug"] for card in api.search_cards("is:basic -is:retired").items]
    for some in range(0, len(basics), MINTED_AT_ONCE):
        api.mint_basics(dict.fromkeys(basics[some : some + MINTED_AT_ONCE], MOST_COPIES))
    name, cards = build(lambda query: api.search_cards(query).items, dice)
    deck = api.create_deck(name, cards)
    said = api.validate_deck(deck.id)
    if not said.legal:
        faults = tuple(f"[{fault['code']}] {fault['detail']}" for fault in said.faults)
        raise CommandError("illegal_deck", "The deck that was built can't be played:", faults)
    return deck


def _play(guest: Guest, table: str, rounds: int | None, dice: Random, once_void: bool) -> Child:
    """Start `cloche bot` as this player. `once_void`: rounds count from the void deal on."""
    arguments = ["bot", "--table", table, "--bot", guest.bot, "--seed", str(dice.getrandbits(32)), "--json"]
    if guest.deck is not None:
        arguments += ["--deck", guest.deck.id]
    if rounds is not None:
        arguments += ["--draw-after", str(rounds), *(["--once-void"] if once_void else [])]
    environment = {"CLOCHE_HOME": str(guest.folder), "CLOCHE_PASSPHRASE": guest.passphrase}
    return Child(arguments, guest.folder / "output.jsonl", environment)


def _watch(
    console: Console,
    api: Api,
    table: str,
    key: bytes,
    players: list[Child],
    vanishing: without_dealer.Vanishing | None,
) -> str:
    """Show the match while it runs, from our own fold of the record. Returns the game's id."""
    game_id = None
    deadline = time.monotonic() + LONGEST
    while (game_id := api.table(table).game) is None:
        _check(players, deadline)
        time.sleep(POLL / 10)
    console.print(f"  game {game_id}\n")
    follower = Follower(api, game_id, key, watch=MatchPrinter(console))
    with console.status("Playing"):
        while not (follower.catch_up(POLL) and follower.game.over):
            _check(players, deadline)
            if vanishing is not None:
                vanishing.perhaps(follower)
    console.print(f"[bold]{escape(result(follower.game))}[/]")
    return game_id


def _check(players: list[Child], deadline: float) -> None:
    for process in players:
        process.check()
    if time.monotonic() > deadline:
        raise CommandError("too_slow", "The match does not end.")


class MatchPrinter:
    """Prints a match entry by entry."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __call__(self, before: Game | None, entry: Entry, game: Game) -> None:
        if entry.kind == "seal":
            self._seal(int(entry.actor), game)
        if entry.kind == "deal" and isinstance(game.masked, InPlay):
            self._console.print("  " + without_dealer.mixed(game), markup=False, style="dim")
        for i, line in enumerate(lines := told(before, entry, game)):
            ends = i in (0, len(lines) - 1)  # a heading and the points
            self._console.print("  " + line, markup=False, style="bold" if ends else None)
        if entry.kind == "account":
            self._console.print()

    def _seal(self, seat: int, game: Game) -> None:
        """Print a seal's fingerprint, which is known before anybody opens."""
        if (sealed := game.seat(seat).sealed) is not None:
            name = game.header.players[seat].name
            self._console.print(f"  [dim]{name} seals {sealed.fingerprint.hex()}[/]")


def _verify(console: Console, path: Path, key: bytes) -> None:
    """Run `cloche verify` in a process of its own."""
    status, text = run(["verify", str(path), "--house", b64(key)])
    console.print(text.rstrip(), markup=False)
    if status != 0:
        raise CommandError("not_verified", "The record of the match is not valid.")


def _falsify(console: Console, path: Path, data: bytes, key: bytes, dice: Random) -> None:
    """Change one character anywhere into another of its kind. The record must be refused."""
    alphabets = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    places = [(i, kind) for i, byte in enumerate(data) for kind in alphabets if chr(byte) in kind]
    at, kind = dice.choice(places)
    other = dice.choice(kind.replace(chr(data[at]), ""))
    path.write_bytes(data[:at] + other.encode() + data[at + 1 :])
    console.print(f"  character {at + 1:,} of {len(data):,}: {chr(data[at])} becomes {other}")
    status, text = run(["verify", str(path), "--house", b64(key)])
    console.print(text.rstrip(), markup=False)
    if status not in (REFUSED, UNREADABLE):
        raise CommandError("not_refused", "The falsified record was not refused.")
