"""Big C through the API: cards drawn, played ones shuffled again; the record verified offline."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest

from cards.games.big_c.hands import STRENGTH
from cards.games.contract import Move
from player.due import Choose, seen
from referee import Game, verify_record
from service.runtime import Runtime
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import Guest
from tests.service.shadow_kit import ON_SQLITE

DEALT = 27
"""Cards in a hand: with four players everything is dealt, and a footstool needs the played cards."""


def lowest(rng: Random, seat: int) -> Choose:
    """The lowest single card that may be played: that makes many footstools."""

    def choose(game: Game) -> Move:
        state = seen(game, seat).state
        moves = list(islice(game.rules.legal(state, seat), 30))
        singles = [move for move in moves if len(move.get("cards", ())) == 1]
        return min(singles, key=lambda move: STRENGTH[move["cards"][0]], default=moves[0])

    return choose


@pytest.mark.slow
@ON_SQLITE
def test_guests_draw_cards_that_were_shuffled_again_and_a_stranger_verifies_the_record(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    guests = [seat(name) for name in ("ann", "bob", "cleo", "dan")]
    match = sit_down(house, clock, guests, "big-c", seed=5, options={"hand": DEALT}, choose=lowest)
    for _ in range(200):
        if match.fold.deals >= 4:
            break
        match.step()
    assert match.fold.deals >= 4, "played cards were shuffled twice"

    # Each sees its own hand, drawn cards too, and nobody else's; the house's signed word says the same.
    fold = match.fold
    for chair in match.chairs:
        chair.catch_up()
        state = chair.guest.get(f"/games/{match.id}").json["state"]
        known = {int(position) for position in state["faces"]}
        everybody = fold.rules.sees(fold.state, None)
        others = {p for i, hand in enumerate(state["hands"]) if i != chair.number for p in hand}
        assert known >= {*state["hands"][chair.number]}
        assert not (known - everybody) & others
        assert not known & {*state["stock"]}
        told = chair.guest.get(f"/games/{match.id}/faces").json["faces"]
        listed = {item["position"]: item["card"] for statement in told for item in statement["faces"]}
        assert listed == {p: state["faces"][str(p)] for p in known - everybody}
        assert [statement["deal"] for statement in told] == sorted({statement["deal"] for statement in told})
        assert {statement["deal"] for statement in told} <= {*fold.unshown}
        assert chair.game.rules.sees(chair.game.state, chair.number) == chair.game.state.faces.keys()

    leaver = match.chairs[0]
    assert leaver.post(leaver.seat.resign(leaver.catch_up())).status_code == 201
    verified(guests[1], match)


@ON_SQLITE
def test_a_guest_plays_the_bot_until_somebody_is_out(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    match = sit_down(house, clock, [seat("ann")], "big-c", seed=2, bots=["thrifty"], options={"hand": 7})
    match.play()
    outcome = verified(match.chairs[0].guest, match).outcome
    assert outcome is not None
    assert outcome.reason == "out"


def verified(guest: Guest, match: Match) -> Game:
    """The game as a stranger folds it from the record alone."""
    report = verify_record(guest.get(f"/games/{match.id}/record").data)
    assert report.valid, report.fault
    assert report.game is not None
    assert report.game.outcome == match.fold.outcome
    assert report.game.state == match.fold.state
    return report.game
