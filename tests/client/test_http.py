"""The HTTP client at a real house: values, refusals, long polling, patience."""

import json
import re
import socket
import threading
import time
from typing import Any

import pytest

from client.http import Api
from crypto.identity import new_private_key
from player.follow import Follower
from player.house import ApiProblem, Unreachable
from player.seat import OwnSeat
from referee import apply, read_entry, verify_record
from referee.message import receipt_holds
from tests.client.guests import sit
from tests.stack import Stack
from tests.waiting import PATIENCE


def test_the_house_and_its_lists(house: Stack) -> None:
    with Api(house.url + "/") as api:
        found = api.house()
        assert found.protocol == "cloche/v1"
        assert len(found.key) == 32
        assert abs(found.time - time.time() * 1000) < 60_000
        assert {"chef", "hearts"} <= {mode["name"] for mode in api.modes()}
        cards = list(api.cards())
        assert len(cards) >= 60
        assert {slug for starter in api.starters() for slug in starter["cards"]} <= {c["slug"] for c in cards}


def test_a_player_from_registration_to_a_running_game(invite) -> None:
    guest = invite()
    assert guest.api.me()["handle"] == guest.vault.identity.handle
    deck = guest.deck
    assert deck.size == 40
    assert guest.api.deck(deck.id) == deck
    assert guest.api.validate_deck(deck.id).legal
    copy = guest.api.create_deck("A copy", deck.cards)
    fewer = dict(list(copy.cards.items())[1:])
    revised = guest.api.edit_deck(copy, name="Fewer", cards=fewer)
    assert (revised.revision, revised.name, revised.cards) == (2, "Fewer", fewer)
    assert not guest.api.validate_cards(fewer).legal
    with pytest.raises(ApiProblem) as stale:
        guest.api.delete_deck(copy)
    assert (stale.value.status, stale.value.code) == (412, "precondition_failed")
    guest.api.delete_deck(revised)
    assert [found.id for found in guest.api.decks()] == [deck.id]

    _, table = sit([guest], "chef")
    assert (table.state, table.game) == ("open", None)
    assert table.id in {found.id for found in guest.api.tables("chef")}
    other = invite()
    assert other.api.join(table.id, other.deck.id).game is not None
    game_id = guest.api.table(table.id).game
    assert game_id is not None
    assert [game["id"] for game in guest.api.games("running")] == [game_id]
    assert list(guest.api.games("over")) == []
    assert guest.api.game(game_id)["asked"]["kind"] == "enter"
    assert guest.api.rounds(game_id) == []
    assert guest.api.faces(game_id) == []


def test_tables_are_left_and_cancelled(invite) -> None:
    first, second = invite(), invite()
    _, table = sit([first], "hearts", seats=4)
    second.api.join(table.id)
    second.api.leave(table.id)
    assert sum(seat is not None for seat in first.api.table(table.id).seats) == 1
    first.api.cancel(table.id)
    assert first.api.table(table.id).state == "cancelled"


def test_people_meet_by_invitation_and_play_again(house: Stack, invite) -> None:
    first, second, stranger = invite(), invite(), invite()
    _, table = sit([first], "hearts", bots=["random"], private=True)
    assert (table.private, table.spectators, table.opened_by) == (True, False, first.vault.identity.handle)
    assert table.options["enter"] == 60
    assert table.id not in {found.id for found in stranger.api.tables()}
    assert [found.id for found in first.api.tables(mine=True)] == [table.id]
    with pytest.raises(ApiProblem) as caught:
        stranger.api.table(table.id)
    assert caught.value.status == 404
    found = second.api.invitation((table.invitation or "").lower())
    assert (found.id, found.invitation) == (table.id, None)
    begun = second.api.join(found.id, invitation=table.invitation)
    assert begun.game is not None
    with pytest.raises(ApiProblem) as caught:
        stranger.api.entries(begun.game)
    assert caught.value.status == 404
    with pytest.raises(ApiProblem) as caught:
        first.api.rematch(begun.game)
    assert caught.value.code == "game_running"
    assert first.api.rematch_of(begun.game) is None


def test_a_stranger_follows_a_game_that_may_be_watched(house: Stack, invite) -> None:
    guest = invite()
    game_id, _ = sit([guest], "hearts", bots=["random", "random"])
    with Api(house.url) as nobody:
        assert game_id in {game["id"] for game in nobody.live("hearts")}
        assert game_id not in {game["id"] for game in nobody.live("chef")}
        follower = Follower(nobody, game_id, guest.vault.identity.house_key)
        assert follower.catch_up() >= 1
        assert follower.game.header.game == game_id
        assert nobody.game(game_id)["seat"] is None


def test_a_refusal_has_its_code_and_field(house: Stack, invite) -> None:
    guest = invite()
    with pytest.raises(ApiProblem) as caught:
        guest.api.open_table("chess")
    assert (caught.value.status, caught.value.code) == (422, "unknown_mode")
    assert caught.value.pointer == "/mode"
    with pytest.raises(ApiProblem) as caught, Api(house.url) as nobody:
        nobody.me()
    assert caught.value.status == 401
    for odd in ("../house", "a/b", "?", "x" * 500, "é"):
        with pytest.raises(ApiProblem) as caught:
            guest.api.deck(odd)
        assert caught.value.status == 404
    assert "token" not in repr(guest.api).lower()


def test_a_message_sent_again_gets_the_same_answer(invite) -> None:
    guests = [invite(), invite(), invite()]
    game_id, _ = sit(guests, "hearts")
    entries, more = guests[0].api.entries(game_id)
    assert not more
    game = apply(None, read_entry(entries[0]))
    seat = OwnSeat(1, guests[1].vault.identity.private, bytes(32))
    message = seat.enter(game)
    first = guests[1].api.send(message)
    assert first == guests[1].api.send(message)
    assert first.seq == 1
    assert first.receipt.message == message.digest
    assert receipt_holds(first.receipt, game.header.house_key)
    assert [entry["seq"] for entry in guests[0].api.entries(game_id, 0)[0]] == [1]
    record = guests[2].api.record(game_id)
    assert verify_record(record, game.header.house_key, unfinished=True).valid


def test_a_long_poll_answers_when_there_is_news(invite) -> None:
    guests = [invite(), invite(), invite()]
    game_id, _ = sit(guests, "hearts")
    game = apply(None, read_entry(guests[0].api.entries(game_id)[0][0]))
    began = time.monotonic()
    assert guests[0].api.entries(game_id, 0, wait=0.5) == ([], False)
    assert time.monotonic() - began >= 0.4

    message = OwnSeat(0, guests[0].vault.identity.private, bytes(32)).enter(game)
    sending = threading.Timer(0.3, guests[0].api.send, [message])
    sending.start()
    began = time.monotonic()
    found, _ = guests[1].api.entries(game_id, 0, wait=20)
    sending.join()
    assert [entry["kind"] for entry in found] == ["enter"]
    assert time.monotonic() - began < 15


class Answers:
    """A server that sends the next of its answers to each connection, then closes it."""

    def __init__(self, *answers: bytes) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self._answers = answers
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        for answer in self._answers:
            connection, _ = self._listener.accept()
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += connection.recv(65536)
                self.heads.append(head)
                length = re.search(rb"(?i)content-length: (\d+)", head)
                body = head.partition(b"\r\n\r\n")[2]
                while len(body) < int(length[1] if length else 0):
                    body += connection.recv(65536)
                self.bodies.append(body)
                connection.sendall(answer)
        self._listener.close()


def _response(status: str, body: bytes, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def test_a_house_that_knows_no_formats_is_asked_for_none_and_told_of_none() -> None:
    """An older house refuses members that it does not know, and names no format of its tables."""
    table = {
        "id": "1",
        "mode": "chef",
        "options": {},
        "seats": [],
        "state": "open",
        "game": None,
        "opened_by": "ada",
        "private": False,
        "spectators": True,
        "invitation": None,
        "rematch_of": None,
    }
    server = Answers(_response("201 Created", json.dumps(table).encode(), "Content-Type: application/json"))
    with Api(server.url) as api:
        opened = api.open_table("chef", deck="7")
    assert (opened.mode, opened.format) == ("chef", None)
    assert "format" not in json.loads(server.bodies[0])


GOOD = _response("200 OK", b'{"items": []}', "Content-Type: application/json")


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        GOOD[:30],
        _response("503 Service Unavailable", b""),
        _response("429 Too Many Requests", b"", "Retry-After: 0"),
    ],
)
def test_what_can_be_repeated_is_asked_again(bad: bytes) -> None:
    server = Answers(bad, bad, GOOD)
    with Api(server.url) as api:
        assert api.modes() == []
    assert len(server.heads) == 3


@pytest.mark.parametrize("lost", [b"", GOOD[:30], _response("503 Service Unavailable", b"")])
def test_a_change_is_asked_for_again_under_the_same_key(lost: bytes) -> None:
    server = Answers(lost, lost, GOOD, GOOD)
    with Api(server.url) as api:
        api.register("Anna", "a long password", new_private_key(), bytes(32), "italian")
        api.register("Anna", "a long password", new_private_key(), bytes(32), "italian")
    keys = [re.search(rb"(?i)idempotency-key: (\S+)", head) for head in server.heads]
    assert all(keys)
    first, second, third, other = [found[1] for found in keys if found]
    assert first == second == third != other


DEEP = pytest.param(b"[" * 100_000, id="deep")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b"\xff", b"7", DEEP])
def test_what_is_no_house_is_said_to_be_none(body: bytes) -> None:
    server = Answers(_response("200 OK", body))
    with pytest.raises(Unreachable), Api(server.url) as api:
        api.house()


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"code": "x"}', b"", DEEP])
def test_a_refusal_that_is_no_problem_document(body: bytes) -> None:
    server = Answers(_response("404 Not Found", body))
    with pytest.raises(ApiProblem) as caught, Api(server.url) as api:
        api.house()
    assert (caught.value.status, caught.value.code) == (404, "http_error")


def test_nobody_at_home() -> None:
    began = time.monotonic()
    with pytest.raises(Unreachable), Api("http://127.0.0.1:9", patience=0.5) as api:
        api.house()
    assert time.monotonic() - began < 15


def test_a_house_that_opens_a_little_later() -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    listener.close()
    found: list[Any] = []
    with Api(f"http://127.0.0.1:{port}") as api:
        thread = threading.Thread(target=lambda: found.append(api.modes()))
        thread.start()
        time.sleep(0.5)
        late = socket.create_server(("127.0.0.1", port))
        connection, _ = late.accept()
        connection.recv(65536)
        connection.sendall(GOOD)
        thread.join(PATIENCE)
        connection.close()
        late.close()
    assert found == [[]]
