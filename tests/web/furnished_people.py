"""What a house needs for the screens about people: ratings, challenges, reports, a role, tournaments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from bots import bots_for
from client.tournaments import Tournaments
from player.bot import by_bot
from player.session import SendResult, Session
from tests.client.guests import Guest
from tests.stack import Stack
from tests.waiting import until

RATED = (
    ("chef", "remy", 3, 2),
    ("chef", "linh", 1, 0),
    ("flip", "remy", 2, 1),
    ("flip", "linh", 4, 2),
    ("cribbage", "pepe", 2, 1),
)
"""Rated games of marie: the mode, against whom, how many, and how many of them she wins."""
DAY = 86_400
CHOICES = 2
"""Choices of each seat before somebody resigns: fewer, and a rated game would not count."""


def furnish_people(house: Stack, guests: Mapping[str, Guest]) -> None:
    """Give marie ratings, challenges, reports to read, tournaments, and a role in the house."""
    marie = guests["marie"]
    _show_deck(guests["remy"])
    for mode, other, games, wins in RATED:
        for number in range(games):
            pair = (marie, guests[other])
            play_some(pair, rated(*pair, mode), loser=0 if number >= wins else 1)
    guests["remy"].api.challenge("marie", "cribbage", pace="3-days")
    marie.api.challenge("pepe", "chef", deck=marie.deck.id)
    for other, kind, note in (("remy", "stalling", "In every lost game."), ("linh", "bad_name", "")):
        guests["pepe"].api.ask("POST", "reports", json={"about": other, "kind": kind, "note": note})
    _tournaments(guests)
    keep_order(house, "marie", "admin")


def _tournaments(guests: Mapping[str, Guest]) -> None:
    """A tournament that takes players, and one in its second round, where a game waits for marie."""
    terms = {"fee": 10, "added": 50, "prizes": [60, 30, 10], "starts_in": 600, "rated": True}
    Tournaments(guests["pepe"].api).create("Sunday Pancakes", "swiss", "chef", **terms)
    linh = Tournaments(guests["linh"].api)
    terms = {"fee": 20, "prizes": [70, 30], "pause": 0, "options": {"enter": DAY}}
    made = linh.create("Friday Pegs", "swiss", "cribbage", **terms)["id"]
    for guest in guests.values():
        Tournaments(guest.api).enter(made)
    linh.start(made)
    for match in until(lambda: _playing(linh, made, 1), what="the first round"):
        play_some((guests[match["first"]], guests[match["second"]]), match["game"], loser=1)
    until(lambda: _playing(linh, made, 2), what="the second round")


def _playing(of: Tournaments, tournament: str, number: int) -> list[Any]:
    """The matches of a round, once all of them are playing; [] before."""
    if of.find(tournament)["round"] < number:
        return []
    found = list(of.matches(tournament, number))
    return found if all(match["state"] == "playing" for match in found) else []


def keep_order(house: Stack, handle: str, role: str) -> None:
    """Give a player a role in the house."""
    process = house.run("admin", "role", handle, role)
    assert process.popen.wait(60) == 0, process.text()


def rated(one: Guest, other: Guest, mode: str) -> str:
    """Begin a rated game of two; returns its id."""
    mine, theirs = (guest.deck.id if mode == "chef" else None for guest in (one, other))
    asked = one.api.challenge(other.vault.identity.handle, mode, rated=True, deck=mine)
    return str(other.api.answer_challenge(asked["id"], "accept", theirs)["game"])


def _show_deck(guest: Guest) -> None:
    """Make a player's deck public, so that others see how it does."""
    guest.api.edit_deck(guest.deck, visibility="public")


def play_some(pair: Sequence[Guest], game: str, loser: int) -> None:
    """Play a game until each seat has made some choices. Then one of the two resigns."""
    sessions = [Session(guest.api, guest.vault, game, _deck(guest, game)) for guest in pair]
    made = [0, 0]
    for session in sessions:
        session.start()
    bot = bots_for(sessions[0].game.rules.facts.name)["random"]

    def on() -> bool:
        for number, session in enumerate(sessions):
            session.catch_up()
            choosing = session.asks() is not None
            # Whoever has chosen enough waits for the other, unless the game waits for nobody else.
            if choosing and made[number] >= CHOICES and sessions[1 - number].asks() is not None:
                continue
            if session.answer(by_bot(bot, session.seat.number, Random(7))) is SendResult.SENT and choosing:
                made[number] += 1
        return min(made) >= CHOICES or sessions[0].game.over

    until(on, what=f"choices at {game}")

    def off() -> bool:
        for session in sessions:
            session.catch_up()
        if not sessions[loser].game.over:
            sessions[loser].resign()
        return all(session.game.over for session in sessions)

    until(off, what=f"the end of {game}")
    for session in sessions:
        session.finish()


def _deck(guest: Guest, game: str) -> Mapping[str, int]:
    return guest.api.game(game).get("deck") or {}
