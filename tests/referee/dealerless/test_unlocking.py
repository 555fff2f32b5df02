"""What is to be unlocked while a deal is in play, and what the rules turn up then (protocol 20.8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards.games.contract import CardByCard, Face, Position, Turn
from crypto.lock import HOUSE
from referee.dealerless import proofs, unlocking
from referee.dealerless.unlocking import Unlocking
from referee.game import Game
from vectors.dealerless_place import CRIBBAGE, FLIP, ExamplePlace


def taking() -> tuple[Game, CardByCard]:
    """A game of flip in which a seat is asked to show or keep a card, and what it takes."""

    def asked(place: ExamplePlace) -> bool:
        return bool(proofs.sought(place.game))

    game = ExamplePlace.before(FLIP, asked, "unlock").game
    turn = game.rules.next(game.state)
    assert isinstance(turn, Turn)
    assert turn.taking is not None
    return game, turn.taking


def faces_of(game: Game, taken: CardByCard) -> tuple[Face, Face]:
    """A face that is looked for, and one that is not."""
    pack, mode = proofs.pack_of(game).pack, game.rules
    fits = next(face for face in pack if taken.traits & mode.has(face))
    return fits, next(face for face in pack if not taken.traits & mode.has(face))


def without_cards(game: Game, taken: CardByCard, faces: dict[Position, Face]) -> Game:
    """The game in which of the cards that a seat takes these alone lie open."""
    known = {p: face for p, face in game.state.faces.items() if p not in taken.positions}
    return replace(game, state=replace(game.state, faces={**known, **faces}))


def test_the_first_card_that_fits_is_turned_up() -> None:
    game, taken = taking()
    fits, off = faces_of(game, taken)
    first, second, third = 100, 101, 102
    turn = Turn(None, taking=replace(taken, positions=(first, second, third)))
    for faces, wanted in (
        ({}, set()),
        ({first: off, second: off, third: off}, set()),
        ({first: off, second: fits, third: fits}, {second}),
        ({third: fits}, {third}),
    ):
        here = without_cards(game, taken, faces)
        assert unlocking.turned_up(here, turn) == Turn(frozenset(wanted))


def test_a_table_with_a_dealer_turns_up_what_its_rules_say() -> None:
    game, taken = taking()
    fits, _ = faces_of(game, taken)
    dealt = replace(without_cards(game, taken, {taken.positions[0]: fits}), masked=None)
    for turn in (Turn(None, taking=taken), Turn(frozenset({3}))):
        assert unlocking.turned_up(dealt, turn) is turn
    assert unlocking.turned_up(game, Turn(frozenset({3}))) == Turn(frozenset({3}))


def test_a_card_is_handed_to_its_taker_before_it_is_asked() -> None:
    game, taken = taking()
    playing, seat = proofs.in_play(game), taken.seat
    fits, off = faces_of(game, taken)
    place = next(p for p in taken.positions if playing.lockers(p) == {seat})
    asked = Unlocking((place,), traits=taken.traits)
    assert unlocking._taken(game, playing, replace(taken, positions=(place,))) == asked
    later = next(p for p in playing.pack.positions if len(playing.lockers(p)) > 1)
    two = replace(taken, positions=(place, later))
    kept = replace(playing, kept=frozenset({place}))
    assert unlocking._taken(game, kept, two) == Unlocking((later,), {later: seat})
    shown = without_cards(game, taken, {place: fits})
    assert unlocking._taken(shown, playing, two) is None
    open_but_off = without_cards(game, taken, {place: off})
    assert unlocking._taken(open_but_off, playing, two) == Unlocking((later,), {later: seat})


def test_a_card_that_the_rules_turn_up_is_unlocked_by_all() -> None:
    game = ExamplePlace(CRIBBAGE, "unlock", "0").game
    turn, wanted = game.rules.next(game.state), unlocking.due(game)
    assert isinstance(turn, Turn)
    assert turn.positions is not None
    assert wanted == Unlocking(tuple(sorted(turn.positions)))
    assert wanted.parties(proofs.in_play(game)) == {*game.header.seats, HOUSE}


def test_a_table_in_the_making_unlocks_nothing() -> None:
    game = ExamplePlace(CRIBBAGE, "mix", "0").game
    with pytest.raises(AssertionError, match="only a deal in play"):
        unlocking.due(game)
