"""A secret deal in a snapshot: what stands there, and what does not where there is nothing to say."""

from __future__ import annotations

from dataclasses import replace

from crypto.encoding import b64
from referee.dealerless import proofs
from referee.dealerless.masked import Attempt, InPlay
from referee.dealerless.snapshot import dump_masked, load_masked
from vectors.dealerless_place import BIG_C, CRIBBAGE, HEARTS, ExamplePlace

PACK = {"deal", "step", "asked", "locks", "cards", "shares"}


def added() -> ExamplePlace:
    """A game of Big C to which cards were added."""

    def two_packs(place: ExamplePlace) -> bool:
        masked = place.game.masked
        return isinstance(masked, InPlay) and bool(masked.older)

    return ExamplePlace.before(BIG_C, two_packs)


def test_an_attempt_before_its_mixes() -> None:
    game = ExamplePlace(CRIBBAGE, "lock", "0").game
    assert isinstance(game.masked, Attempt)
    data = dump_masked(game.rules, game.masked)
    assert data.keys() == PACK | {"excluded", "mixed"}
    assert (data["cards"], data["excluded"], data["mixed"]) == ("", [], [])
    assert data["locks"] == {str(party): b64(point) for party, point in game.masked.pack.locks.items()}
    assert data["asked"] == b64(game.masked.pack.asked)
    assert load_masked(game.rules, game.state, data) == game.masked
    # Snapshots of before had the stage of the attempt too.
    assert load_masked(game.rules, game.state, {**data, "stage": "lock"}) == game.masked


def test_who_fell_silent_and_who_has_mixed() -> None:
    game = ExamplePlace(HEARTS, "mix", "1").game
    assert isinstance(game.masked, Attempt)
    masked = replace(game.masked, excluded=frozenset({2, 1}))
    data = dump_masked(game.rules, masked)
    assert (data["excluded"], data["mixed"]) == ([1, 2], list(masked.mixed))
    assert load_masked(game.rules, game.state, data) == masked


def test_a_deal_in_play_says_no_more_than_there_is() -> None:
    game = ExamplePlace(CRIBBAGE, "unlock", "0").game
    playing = proofs.in_play(game)
    data = dump_masked(game.rules, playing)
    assert data.keys() == PACK | {"before", "silent", "out"}
    assert (data["silent"], data["out"]) == ({}, [])
    counted = replace(playing, silent={1: 2}, out=frozenset({1, 0}), kept=frozenset({7, 3}))
    data = dump_masked(game.rules, counted)
    assert (data["silent"], data["out"], data["kept"]) == ({"1": 2}, [0, 1], [3, 7])
    assert load_masked(game.rules, game.state, data) == counted


def test_added_cards_name_their_deal() -> None:
    game = added().game
    playing = proofs.in_play(game)
    data = dump_masked(game.rules, playing)
    assert data.keys() == PACK | {"before", "silent", "out", "added"}
    (more,) = data["added"]
    assert more.keys() == PACK | {"first", "faces"}
    new = playing.packs[-1]
    assert (more["first"], more["faces"]) == (new.ask.first, list(new.pack))
    assert load_masked(game.rules, game.state, data) == playing


def test_the_deal_in_play_stays_while_cards_are_added() -> None:
    def adding(place: ExamplePlace) -> bool:
        return isinstance(place.game.masked, Attempt) and place.game.masked.played is not None

    game = ExamplePlace.before(BIG_C, adding, "lock").game
    assert isinstance(game.masked, Attempt)
    assert game.masked.played is not None
    data = dump_masked(game.rules, game.masked)
    assert data.keys() == PACK | {"excluded", "mixed", "played"}
    assert data["played"] == dump_masked(game.rules, game.masked.played)
    assert load_masked(game.rules, game.state, data) == game.masked
