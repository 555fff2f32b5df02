"""A match against the house's bot while processes die, and logs that know no secret."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from bots import bots_for
from cards.games.contract import DECK_SIZE
from client.http import Api
from client.match import MatchDriver
from crypto.encoding import b64, unb64
from crypto.identity import new_private_key
from crypto.secret import MatchSecret
from player.bot import by_bot
from player.house import Acknowledgement
from referee import Message, verify_record, write_message
from service import keys
from tests.client.guests import PLAYED_OUT, Guest, sit
from tests.stack import Stack
from tests.waiting import PATIENCE, until
from tests.worker import duels

LONG = 40
"""Characters of a text that says more than an id or a time: 30 bytes and more."""


def texts(value: Any) -> Iterator[str]:
    """Every long text in a JSON value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str) and len(value) >= LONG:
        yield value


def written(stack: Stack) -> str:
    """Everything that a house's processes have logged or printed."""
    files = [*stack.data.glob("log/*"), *stack.data.glob("*.out")]
    assert files
    return "\n".join(file.read_text() for file in files)


def forms(secret: bytes) -> set[str]:
    """Return the forms in which a log might show bytes."""
    return {b64(secret), secret.hex(), repr(secret)[2:-1]}


def assert_silent(stack: Stack, secrets: dict[str, set[str]]) -> None:
    """No line of any log holds one of these."""
    log = written(stack)
    assert [line for line in log.splitlines() if '"debug"' in line], "the logs are at debug"
    for name, found in secrets.items():
        for secret in found:
            assert secret not in log, f"{name} in a log"


class Recording(Api):
    """Remembers what it sends."""

    def __init__(self, url: str, token: str | None) -> None:
        super().__init__(url, token)
        self.sent: list[Message] = []

    def send(self, message: Message) -> Acknowledgement:
        """Post, and remember."""
        self.sent.append(message)
        return super().send(message)


def test_a_match_against_the_bot_outlives_what_answers(open_stack, tmp_path: Path) -> None:
    stack: Stack = open_stack(log_level="debug")
    guest = Guest.register(stack.url, tmp_path / "guest", 0)
    game_id, _ = sit([guest], "chef", bots=["greedy"])
    api = Recording(stack.url, guest.vault.identity.token)
    deck = guest.deck.cards
    secrets: set[bytes] = set()
    ended: list[Any] = []

    def play() -> None:
        match = MatchDriver(api, guest.vault, game_id, deck)
        ended.append(match.run(lambda seat: by_bot(bots_for("chef")["greedy"], seat, Random(seat))))

    player = threading.Thread(target=play)
    player.start()
    for past in (20, 45):
        until(lambda past=past: guest.api.entries(game_id, past)[0], what=f"entry {past}")
        note = guest.vault.note(game_id)
        assert note is not None
        secrets.add(note.match_secret)
        stack.kill9("api")
    player.join(PATIENCE)
    assert ended, "the match does not come to its end"

    identity = guest.vault.identity
    record = guest.api.record(game_id)
    report = verify_record(record, identity.house_key)
    assert report.valid, report.fault
    assert report.game.outcome.reason in PLAYED_OUT
    entries = json.loads(record)["entries"]
    assert not [entry for entry in entries if entry["kind"] == "timeout"]
    assert len(secrets) == 1

    house = keys.load(stack.data)
    [match_secret] = secrets
    bot_secret = house.bot_secret(game_id, 1)
    derived = [MatchSecret(secret) for secret in (match_secret, bot_secret)]
    assert_silent(
        stack,
        {
            "a key": forms(identity.private) | forms(house.signing_key) | forms(house.bot_key("greedy/1")),
            "a secret": forms(match_secret) | forms(bot_secret) | forms(house.chain_secret),
            "a certificate seed": {form for s in derived for form in forms(s.certificate_seed)},
            "a token": {identity.token or "", guest.vault.identity.token or ""},
            "a password": {identity.password},
            "a message": {text for message in api.sent for text in texts(dict(message.body))},
            "the bot's messages": {text for e in entries if e["actor"] == "1" for text in texts(e["body"])},
        },
    )


@pytest.mark.parametrize(
    "flavour",
    [
        "embedded",
        pytest.param("postgresql+rabbitmq", marks=pytest.mark.servers),
        pytest.param("postgresql+redis", marks=[pytest.mark.servers, pytest.mark.long]),
    ],
)
def test_nothing_that_is_sent_or_refused_is_logged(open_stack, flavour: str) -> None:
    stack: Stack = open_stack(flavour, log_level="debug")
    duel = duels.Duel.begin(stack, 0)
    sent: list[Message] = []
    refused: list[str] = []

    def refuse(message: Message, token: str | None = None) -> None:
        sent.append(message)
        answered = httpx.post(
            f"{stack.url}/api/v1/games/{duel.game_id}/entries",
            json=message.json(),
            headers={"Authorization": f"Bearer {token or duel.guests[message.seat].token}"},
        )
        assert answered.status_code >= 400
        refused.append(answered.text)

    for kind in ("enter", "ready", "link", "move", "seal", "reveal"):
        assert duel.game.asking is not None
        assert duel.game.asking.kind == kind
        right = duel.messages()
        for message, guest in zip(right, duel.guests, strict=True):
            body = {**message.body, **{name: spoilt(value) for name, value in message.body.items()}}
            refuse(write_message(guest.private, message.game, message.step, message.seat, kind, body))
            refuse(write_message(new_private_key(), *parts(message)))
            refuse(message, token=f"{guest.token}x")
        if kind == "reveal":
            sent += right
            duel.guests[0].api.send(right[0])  # it waits, and the other's never comes
        else:
            duel.strike()
            sent += [message for message, _ in duel.answers]
    duel.guests[1].api.send(duel.seats[1].resign(duel.game))
    duel.catch_up()
    assert duel.game.over

    secrets = {
        "a password": {duels.PASSWORD},
        "a token": {guest.token for guest in duel.guests},
        "a key": {form for guest in duel.guests for form in forms(guest.private)},
        "a match secret": {form for seat in duel.seats for form in forms(seat.match_secret)},
        "a seed": {form for seat in duel.seats for form in forms(seat.secret.certificate_seed)},
        "a link to come": {
            form for seat in duel.seats for k in range(5, 40) for form in forms(seat.secret.chain.link(k))
        },
        "a blinding": {
            form
            for seat in duel.seats
            for i in range(DECK_SIZE)
            for form in forms(seat.secret.position_blinding(i).to_bytes(32))
        },
        "a message": {text for message in sent for text in texts(dict(message.body))},
    }
    assert_silent(stack, secrets)
    for answer in refused:
        for name, found in secrets.items():
            assert not [secret for secret in found if secret in answer], f"{name} in {answer}"
    record = json.dumps(duel.guests[0].api.entries(duel.game_id)[0])
    reveals = [message for message in sent if message.kind == "reveal"]
    assert not [text for message in reveals for text in texts(message.body["blinding"]) if text in record]


def parts(message: Message) -> tuple[str, int, int, str, dict[str, Any]]:
    """Return the parts of a message."""
    return message.game, message.step, message.seat, message.kind, dict(message.body)


def spoilt(value: Any) -> Any:
    """A value of the same form that is wrong: a bit of its bytes is flipped."""
    if isinstance(value, str) and len(value) >= LONG:
        data = bytearray(unb64(value))
        data[-1] ^= 1
        return b64(bytes(data))
    if isinstance(value, dict) and "seq" in value:
        return {**value, "digest": spoilt(value["digest"])}
    return value
