"""A player who comes and goes, on a line that loses messages, never accuses an honest house."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import player.follow
from crypto.identity import public_key
from player.house import ApiProblem, Unreachable
from player.session import Session
from player.vault import PlayerVault
from player.vault_format import LOWEST_COST, GameNote, Identity
from referee import Game, due, verify_entries
from tests.player.here import Here
from tests.player.memory_disk import MemoryDisk
from tests.referee.table import Table

LOST, LEAVES, OFFERS, LAPSES = 0.08, 0.15, 0.02, 0.02
"""The frequencies of a lost request or answer, an end of the program, a draw offer, a time-out."""
STEPS = 600


def seated(table: Table) -> PlayerVault:
    """The vault of seat 0."""
    seat = table.seats[0]
    who = Identity("ada", "http://127.0.0.1:9", public_key(table.keeper.private), seat.private, "unused")
    vault = PlayerVault.create_on(MemoryDisk(), "passphrase", who, LOWEST_COST)
    deck = {card.number: seat.deck.count(card) for card in seat.deck}
    vault.keep(table.game.header.game, GameNote(0, seat.match_secret, deck))
    return vault


def others(table: Table, rng: Random) -> None:
    """Have another seat answer, or send a reveal that it owes, or let the time run out."""
    ready, owing = ([seat for seat in seats if seat] for seats in (table.asked(), table.owed()))
    if ready and rng.random() < 0.7:
        table.answer(rng.choice(ready))
    elif owing and rng.random() < 0.5:
        table.pay(owing[0])
    when = due(table.game, table.waiting.keys())
    if when is not None and (when <= table.now or (table.game.deals and rng.random() < LAPSES)):
        table.lapse()


def turn(session: Session, rng: Random) -> None:
    """Have our player do something, or nothing."""

    def choose(game: Game) -> Any:
        return game.rules.legal(game.state, 0).sample(rng)

    if rng.random() < 0.7:
        session.catch_up()
    if session.game.deals and session.game.outcome is None and rng.random() < OFFERS:
        session.offer_draw()
    elif rng.random() < 0.7:
        session.answer(choose)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "seats", "options"),
    [
        pytest.param("chef", 2, {}, marks=pytest.mark.long),
        ("chef", 2, {"early_links": True, "bank": 60}),
        ("cribbage", 3, {"absent": "play", "target": "61"}),
        ("big-c", 3, {}),
    ],
)
def test_no_honest_house_is_accused(
    mode: str, seats: int, options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player.follow, "CROWDED", 0.0)
    rng = Random(f"{mode} {options} again")
    table = Table.chef(3, options) if mode == "chef" else Table.open(mode, seats, options=options, seed=3)
    vault, api, session = seated(table), Here(table), None
    api.lost = lambda: rng.random() < LOST
    sittings = 0
    for _ in range(STEPS):
        if table.game.over:
            break
        table.now += rng.choice([50, 250, 900])
        try:
            if session is None or rng.random() < LEAVES:
                session = None
                begun = Session(api, PlayerVault.open_on(vault.disk, "passphrase"), table.game.header.game)
                begun.start()
                session, sittings = begun, sittings + 1
            turn(session, rng)
        except Unreachable:
            pass
        except ApiProblem as problem:
            if problem.code not in ("already_offered", "seat_out"):
                raise
        others(table, rng)
    assert sittings > 3
    assert table.game.deals > 1
    report = verify_entries([entry.json() for entry in table.record], unfinished=not table.game.over)
    assert report.valid
