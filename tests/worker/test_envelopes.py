"""A chef who sends one message a round to a house of real processes, and is away in between."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bots import bots_for
from crypto.encoding import b64
from player.bot import by_bot
from player.session import SendResult, Session
from referee import verify_record
from tests.client.guests import Guest, sit
from tests.stack import Stack
from tests.waiting import until
from worker import keyring


def key_of(stack: Stack) -> str | None:
    found: str | None = stack.get("/api/v1/house").json()["envelope_key"]
    return found


@pytest.mark.parametrize(
    ("flavour", "rounds"),
    [
        ("embedded", 2),
        pytest.param("postgresql+rabbitmq", 2, marks=pytest.mark.servers),
        pytest.param("embedded", 5, marks=pytest.mark.long),
        pytest.param("postgresql+rabbitmq", 5, marks=[pytest.mark.servers, pytest.mark.long]),
        pytest.param("postgresql+redis", 5, marks=[pytest.mark.servers, pytest.mark.long]),
    ],
)
def test_one_message_a_round_is_enough(open_stack, flavour: str, rounds: int, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    stack: Stack = open_stack(flavour, log_level="debug")
    until(lambda: key_of(stack) is not None, what="a worker publishes its key")
    guest = Guest.register(stack.url, tmp_path / "guest", 0)
    game_id, _ = sit([guest], "chef", bots=["greedy"], options={"early_links": True})
    session = Session(guest.api, guest.vault, game_id, guest.deck.cards, envelope=True)
    session.start()
    choose = by_bot(bots_for("chef")["greedy"], session.seat.number, Random(1))
    seals, others = [], []
    while len(seals) < rounds:
        wanted = session.wanted()
        if wanted is None or wanted[1] == "reveal":  # it is away, and would rather not come back for that
            session.catch_up(5.0)
        elif session.answer(choose) is SendResult.SENT:
            (seals if wanted[1] == "seal" else others).append(wanted)
    until(
        lambda: session.catch_up(1.0) >= 0 and revealed(session) == rounds,
        what="the last reveal is brought in",
    )
    assert [step for step, _ in others] < [seals[0][0]], "after the first seal nothing but seals"
    session.resign()
    until(lambda: session.catch_up(1.0) >= 0 and session.game.over, what="the game is over")

    record = guest.api.record(game_id)
    report = verify_record(record, guest.vault.identity.house_key)
    assert report.valid, report.fault
    entries = json.loads(record)["entries"]
    assert not [entry for entry in entries if entry["kind"] == "timeout"]
    first = next(i for i, entry in enumerate(entries) if entry["kind"] == "seal")
    mine = [entry["kind"] for entry in entries[first:] if entry["actor"] == "0"]
    assert mine.count("seal") == mine.count("reveal") == rounds
    assert "link" not in mine
    _silent(stack, entries)


def revealed(session: Session) -> int:
    return sum(e.kind == "reveal" and e.actor == "0" for e in session.follower.entries)


def _silent(stack: Stack, entries: list[dict[str, object]]) -> None:
    """No process has logged the key, an envelope, or anything of what was in one."""
    files = [*stack.data.glob("log/*"), *stack.data.glob("*.out")]
    log = "\n".join(file.read_text() for file in files)
    assert "envelope_opened" in log
    ring = keyring.load(stack.data)
    assert [private for private in ring.keys.values() if b64(private) in log or private.hex() in log] == []
    for entry in entries:
        body = entry["body"]
        assert isinstance(body, dict)
        for name in ("envelope", "blinding"):
            assert name not in body or body[name] not in log
    house = (stack.data / "house.json").read_text()
    assert not [private for private in ring.keys.values() if b64(private) in house]
