"""The client's events at a real house: each once and in order, over broken streams and without a free one."""

from __future__ import annotations

from itertools import islice

import pytest

from client.http import Api
from client.streams import ReceivedEvent
from player.house import ApiProblem, Unreachable
from tests.client.guests import Guest
from tests.stack import Stack


def begin(guest: Guest, seconds: int = 5) -> str:
    """A game against bots that ends after so many seconds, since its player never enters."""
    options = {"enter": seconds}
    game = guest.api.open_table("hearts", seats=3, bots=["random", "random"], options=options).game
    assert game is not None
    return game


def record(guest: Guest, game: str) -> list[ReceivedEvent]:
    """A game's entries, as its events."""
    entries, _ = guest.api.entries(game)
    return [ReceivedEvent(entry["seq"], entry["kind"], entry) for entry in entries]


def test_the_entries_of_a_game_and_what_concerns_me(invite) -> None:
    guest = invite()
    game = begin(guest)
    events = list(guest.api.events(game))
    assert events == record(guest, game)
    assert events[-1].name == "result"
    assert list(guest.api.events(game, events[-3].id)) == events[-2:]
    assert list(guest.api.events(game, events[-1].id)) == []
    feed = list(islice(guest.api.feed(), 4))
    assert [event.name for event in feed] == ["game.begun", "game.asked", "game.timed_out", "game.over"]
    assert next(guest.api.feed(feed[1].id)) == feed[2]


def test_the_house_may_be_killed_meanwhile(open_stack, invite) -> None:
    house: Stack = open_stack()
    guest = invite(house)
    game = begin(guest, 6)
    events = guest.api.events(game)
    found = [next(events)]
    house.kill9("api")
    found += events
    assert found == record(guest, game)


def test_without_a_place_it_polls(open_stack, invite) -> None:
    house: Stack = open_stack(listeners=0)
    guest = invite(house)
    game = begin(guest)
    assert list(guest.api.events(game)) == record(guest, game)
    assert next(guest.api.feed(3)).name == "game.over"


def test_what_may_not_be_heard_and_nobody_at_home(house: Stack, invite) -> None:
    with pytest.raises(ApiProblem) as refused:
        next(invite().api.events("nowhere"))
    assert refused.value.code == "not_found"
    with Api("http://127.0.0.1:1", patience=0.2) as api, pytest.raises(Unreachable):
        next(api.feed())
