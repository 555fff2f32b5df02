"""Pancakes through the API: cards drawn in secret, whole games, records that a stranger verifies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bots import bots_for
from player.bot import by_bot
from service.runtime import Runtime
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import Guest
from tests.service.shadow_kit import Shadow, record

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
NIMBLE, TUTOR = bots_for("flip")["nimble"], bots_for("flip")["tutor"]
ONE_GAME = {"target": 0}
MOST_GAMES = 30
"""The most games to play until somebody draws. Somebody does in nearly every game."""


def shown(guest: Guest, match: Match) -> dict[str, Any]:
    """The state that a guest is shown."""
    state: dict[str, Any] = guest.get(f"/games/{match.id}").json["state"]
    return state


@ON_SQLITE
def test_guests_and_a_bot_play_pancakes_and_a_stranger_verifies_it(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    """Keys are new in every run, and so is the order of the pack: games are played until somebody draws."""
    guests = [seat(name) for name in ("ann", "bob")]
    assert any(_somebody_drew(house, clock, guests, seed) for seed in range(MOST_GAMES))


def _somebody_drew(house: Runtime, clock: list[int], guests: list[Guest], seed: int) -> bool:
    match = sit_down(
        house,
        clock,
        guests,
        mode="flip",
        seed=seed,
        bots=["nimble"],
        options=ONE_GAME,
        choose=lambda rng, number: by_bot(TUTOR, number, rng),
    )
    shadow = Shadow(house, match.id)

    def look() -> None:
        """Check that a seat sees only its hand, the card that was drawn last, and what was face-up once."""
        if match.fold.over or not match.fold.deals:
            return
        for chair in match.chairs:
            number, state = chair.number, shown(chair.guest, match)
            hidden = set(state["unseen"]) | set(range(state["pile"], 54))
            for other, hand in enumerate(state["hands"]):
                hidden |= set(hand) - {state["drawn"]} if other != number else set()
            assert not hidden & {int(position) for position in state["faces"]}
            assert set(state["hands"][number]) <= {int(position) for position in state["faces"]}
        shadow.look()

    ended = match.play(look)
    report, entries = record(guests[1], match)
    assert report.valid, report.fault
    assert report.game.outcome == ended.outcome
    kinds = [entry["kind"] for entry in entries]
    lines = [line for entry in entries if entry["kind"] == "account" for line in entry["body"]["lines"]]
    drawn = [i for i, entry in enumerate(entries) if entry["body"].get("move") == {"draw": True}]
    assert {line["kind"] for line in lines} >= ({"draw", "score"} if drawn else {"score"})
    assert all(kinds[i + 1 : i + 3] == ["turn", "account"] for i in drawn)
    assert kinds[-2:] == ["shown", "result"]
    return bool(drawn)


@pytest.mark.slow
@ON_SQLITE
def test_alone_at_a_table_the_game_begins_at_once(house: Runtime, clock: list[int], ann: Guest) -> None:
    match = sit_down(
        house, clock, [ann], mode="flip", seed=1, choose=lambda rng, number: by_bot(NIMBLE, number, rng)
    )
    shadow = Shadow(house, match.id)
    ended = match.play()
    shadow.look()
    report, entries = record(ann, match)
    assert report.valid, report.fault
    assert ended.outcome is not None
    assert ended.outcome.winners == (0,)
    board = report.game.state.board
    assert ended.outcome.points == (5 * board.completed - len(board.hands[0]) + len(board.trays[0]) // 4,)
    assert "shown" in [entry["kind"] for entry in entries]
