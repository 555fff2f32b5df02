"""A real house with something on every screen: players, decks, games over and running, offers, prices."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bots import Bot, bots_for
from cards.games.contract import Mode, Move, Seat, State
from client.match import play_by_bot
from tests.client.guests import PASSPHRASE, Guest
from tests.stack import Stack
from tests.web.furnished_people import furnish_people
from tests.web.pantry_kit import WALLET

DAY = 86_400
RARE = 6
"""Rare cards that the house grants, and that lie on the market."""
SECOND_DECK = "Monday leftovers"
"""A deck that the player owns, beside the starter deck."""
GRANTED = 500
"""Coins that every player is granted."""


class LeftError(Exception):
    """A player has left the table in the middle of a game."""


@dataclass
class Leaver:
    """A bot that plays some moves and then leaves, so that its game goes on and waits for it."""

    bot: Bot
    moves: int

    def choose(self, mode: Mode[Any], state: State[Any], seat: Seat, rng: Random) -> Move:
        if self.moves == 0:
            raise LeftError
        self.moves -= 1
        return self.bot.choose(mode, state, seat, rng)


@dataclass(frozen=True)
class Furnished:
    """What the way through the screens must know of a house."""

    handle: str
    file: Path
    """The player's file, as `cloche vault export` writes it, locked with `passphrase`."""
    passphrase: str
    deck: str
    over: str
    """A game of the player's that is over."""
    live: Mapping[str, str]
    """Running games of others by mode."""
    outside: str
    """The name of a card of which a copy of the player's has left as a token."""
    rival: Path
    """The file of the player who sits down opposite."""

    def json(self) -> str:
        """The text for `tour.mjs`."""
        known = {**vars(self), "file": str(self.file), "rival": str(self.rival)}
        return json.dumps(known)


def furnish(house: Stack, folder: Path) -> Furnished:
    """Fill a house. The player is "marie", and "remy" is there to sit down opposite her."""
    names = ("marie", "remy", "linh", "pepe")
    marie, remy, linh, pepe = (
        Guest.register(house.url, folder / name, index, handle=name) for index, name in enumerate(names)
    )
    rares = [card["slug"] for card in marie.api.cards() if card["rarity"] == "rare"][:RARE]
    _grant(house, "marie", "--boosters", "3", *_cards(rares[:2]))
    _grant(house, "remy", *_cards(rares))
    _grant(house, "linh", *_cards(rares[2:]))
    _grant(house, "pepe")
    _trade(marie, remy, linh, pepe, rares)
    outside = _let_out(marie, rares[0])
    starters = marie.api.starters()
    marie.api.create_deck("Sunday lunch", starters[1]["cards"])  # she does not own all of it
    marie.api.create_deck(SECOND_DECK, marie.deck.cards)
    live = {"chef": _begin(remy, "chef", 3), "cribbage": _begin(pepe, "cribbage", 8)}
    linh.api.open_table("hearts", seats=4, bots=["careful"])
    pepe.api.open_table("chef", deck=pepe.deck.id, options={"seal": DAY, "choice": DAY})
    over = _to_the_end(marie)
    deck = marie.deck.id
    furnish_people(house, dict(zip(names, (marie, remy, linh, pepe), strict=True)))
    files = _files(marie, remy)
    for guest in (marie, remy, linh, pepe):
        guest.api.close()
    return Furnished("marie", files[0], PASSPHRASE, deck, over, live, outside, files[1])


def _files(*guests: Guest) -> list[Path]:
    """The players' files, exported into their folders."""
    files = [guest.folder / "exported.json" for guest in guests]
    for guest, file in zip(guests, files, strict=True):
        guest.vault.export(file)
    return files


def _grant(house: Stack, handle: str, *more: str) -> None:
    process = house.run("admin", "grant", handle, "--coins", str(GRANTED), *more)
    assert process.popen.wait(60) == 0, process.text()


def _cards(slugs: Sequence[str]) -> list[str]:
    return [word for slug in slugs for word in ("--card", f"{slug}=3")]


def _trade(marie: Guest, remy: Guest, linh: Guest, pepe: Guest, rares: Sequence[str]) -> None:
    """Offers that are open, one of them for marie alone, and sales that made prices."""
    for card, coins in ((rares[4], 12), (rares[4], 18), (rares[4], 15), (rares[5], 21)):
        sold = remy.api.make_offer({"cards": {card: 1}}, {"coins": coins})
        pepe.api.accept_offer(sold["id"])
    remy.api.make_offer({"cards": {rares[2]: 1}}, {"coins": 25})
    remy.api.make_offer({"cards": {rares[0]: 1, rares[1]: 1}}, {"cards": {rares[4]: 1}})
    linh.api.make_offer({"coins": 40}, {"cards": {rares[1]: 1}}, to="marie")
    linh.api.make_offer({"cards": {rares[3]: 2}}, {"coins": 30})
    marie.api.make_offer({"cards": {rares[1]: 1}}, {"cards": {rares[3]: 1}})


def _let_out(guest: Guest, slug: str) -> str:
    """Let a copy out as a token; returns the card's name."""
    copy = next(copy for copy in guest.api.copies(slug) if not copy["soulbound"])
    guest.api.let_out([copy["id"]], WALLET)
    return str(next(card["name"] for card in guest.api.cards() if card["slug"] == slug))


def _begin(guest: Guest, mode: str, moves: int) -> str:
    """A game against the house's bot that waits for `guest` after some moves; everybody may watch it."""
    own = mode == "chef"
    bot = "greedy" if own else next(iter(bots_for(mode)))
    deck = guest.deck.id if own else None
    table = guest.api.open_table(mode, deck=deck, bots=[bot], options=_slow(guest, mode))
    assert table.game is not None
    try:
        _play(guest, table.game, Leaver(bots_for(mode)[bot], moves), own)
    except LeftError:
        return table.game
    raise AssertionError(f"{mode} was over after {moves} moves")


def _to_the_end(guest: Guest) -> str:
    """A game of Pancake of `guest` against the house's bot, played to its end."""
    table = guest.api.open_table("chef", deck=guest.deck.id, bots=["greedy"])
    assert table.game is not None
    _play(guest, table.game, bots_for("chef")["gourmet"], True)
    return table.game


def _play(guest: Guest, game: str, bot: Bot, own: bool) -> None:
    play_by_bot(guest.api, guest.vault, game, bot, Random(7), deck=guest.deck.cards if own else None)


def _slow(guest: Guest, mode: str) -> dict[str, int]:
    """Options of a table whose clocks run for a day, or as long as they may."""
    facts = next(each for each in guest.api.modes() if each["name"] == mode)
    clocks = [option for option in facts["options"] if option["kind"] == "seconds"]
    return {clock["name"]: min(DAY, clock.get("high", DAY)) for clock in clocks}
