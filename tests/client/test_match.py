"""Whole matches over HTTP: to the end, through crashes of either side, and against a house that lies."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from bots import bots_for
from cards.games.contract import IllegalMove
from client.http import Api
from client.match import MatchDriver, await_game, play_by_bot
from client.vault import FILE, Vault
from crypto.encoding import b64, unb64
from player.bot import by_bot
from player.follow import Follower
from player.house import Acknowledgement, ApiProblem, HouseFault
from player.session import NotNow, SendResult, Session
from player.vault_format import VaultError
from referee import Game, Message, verify_record
from referee.faces import write_faces
from referee.message import write_receipt
from service import keys
from tests.client.guests import PASSPHRASE, PLAYED_OUT, Guest, sit
from tests.stack import Stack
from tests.waiting import PATIENCE, until


def play(guests: Sequence[Guest], game_id: str, bot: str = "greedy", **how: Any) -> list[Game]:
    """Have every guest play in a thread of its own; returns the guests' games when they are over."""
    found: dict[int, Game] = {}

    def run(i: int) -> None:
        guest = guests[i]
        mode = guest.api.game(game_id)["mode"]
        deck = guest.deck.cards
        chosen = bots_for(mode)[bot]
        found[i] = play_by_bot(guest.api, guest.vault, game_id, chosen, Random(i), deck=deck, **how)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(guests))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(found) == len(guests), "somebody did not come to the end"
    return [found[i] for i in range(len(guests))]


def test_players_hear_of_the_game_by_one_stream_each(open_stack, invite) -> None:
    house: Stack = open_stack()
    guests = [invite(house), invite(house)]
    game_id, _ = sit(guests, "chef")
    play(guests, game_id)
    asked = [line["route"] for line in house.log() if line["event"] == "request" and line["method"] == "GET"]
    assert asked.count("/api/v1/games/<game_id>/events") == 2


def test_two_chefs(invite) -> None:
    guests = [invite(), invite()]
    game_id, _ = sit(guests, "chef")
    first, second = play(guests, game_id)
    assert first.outcome == second.outcome
    assert first.digest == second.digest
    report = verify_record(guests[0].api.record(game_id), guests[0].vault.identity.house_key)
    assert report.valid
    assert report.game is not None
    assert report.game.digest == first.digest
    assert not any(entry == "timeout" for entry in report.checked)
    for guest in guests:
        assert Vault.open(guest.vault.path, PASSPHRASE).contents.games == {}


def test_against_the_house(invite) -> None:
    guest = invite()
    game_id, table = sit([guest], "chef", bots=["greedy"])
    assert await_game(guest.api, table.id, 1) == game_id
    [game] = play([guest], game_id)
    assert game.outcome is not None
    assert game.outcome.reason in PLAYED_OUT


def test_a_pack_of_the_house_and_an_agreed_draw(invite) -> None:
    """The players agree after the first round. A sun may end the game in it; then they play another."""
    guests = [invite(), invite(), invite()]
    for _ in range(6):
        game_id, _ = sit(guests, "hearts")
        games = play(guests, game_id, "random", draw_after=1)
        assert verify_record(guests[0].api.record(game_id)).valid
        reasons = {game.outcome.reason for game in games if game.outcome}
        if reasons == {"agreed"}:
            return
        assert reasons == {"points"}
    pytest.fail("six games that ended in their first round")


def test_a_game_of_cribbage(invite) -> None:
    """A game to the last hole, over HTTP: cards laid away at the same time, hands claimed, and go said by the
    house.

    A short game can lack a go. Then another game is played: hardly one in a hundred lacks it.
    """
    guests = [invite(), invite()]
    for _ in range(6):
        game_id, _ = sit(guests, "cribbage", options={"target": "61", "count": "muggins"})
        first, second = play(guests, game_id, "counter")
        assert first.outcome == second.outcome
        assert first.outcome is not None
        assert first.outcome.reason == "points"
        record = guests[0].api.record(game_id)
        report = verify_record(record, guests[0].vault.identity.house_key)
        assert report.valid, report.fault
        assert b"claimed" in record
        if b'"go":true' in record:
            return
    pytest.fail("six games without a go")


class Crash(Exception):
    """The player's program crashes."""


class Fragile(Api):
    """Crashes before or after posting, whenever `dice` say so."""

    dice: Callable[[], float] = staticmethod(lambda: 1.0)

    def send(self, message: Message) -> Acknowledgement:
        """Post, or crash."""
        if self.dice() < 0.25:
            raise Crash
        accepted = super().send(message)
        if self.dice() < 0.25:
            raise Crash
        return accepted


@pytest.mark.parametrize("draw_after", [3, pytest.param(None, marks=pytest.mark.long)])
def test_a_player_who_crashes_goes_on_from_the_vault(house: Stack, invite, draw_after: int | None) -> None:
    guests = [invite(), invite()]
    game_id, _ = sit(guests, "chef")
    dice, crashes = Random(28), 0  # eleven crashes in the first six messages
    other = threading.Thread(target=play, args=([guests[1]], game_id), kwargs={"draw_after": draw_after})
    other.start()
    deck = guests[0].deck.cards
    while True:
        vault = Vault.open(guests[0].vault.path, PASSPHRASE)
        with Fragile(house.url, guests[0].vault.identity.token) as api:
            api.dice = dice.random
            match = MatchDriver(api, vault, game_id, deck, draw_after=draw_after)
            try:
                # The bot chooses otherwise each time: what was sealed must be opened all the same.
                game = match.run(lambda seat: by_bot(bots_for("chef")["greedy"], seat, Random()))
                break
            except Crash:
                crashes += 1
    other.join(PATIENCE)
    assert crashes > 5
    assert game.outcome is not None
    record = guests[0].api.record(game_id)
    assert verify_record(record).valid
    assert not [entry for entry in json.loads(record)["entries"] if entry["kind"] == "timeout"]


def test_a_second_device_without_the_secrets_is_told_so(invite, tmp_path) -> None:
    guest = invite()
    game_id, _ = sit([guest], "chef", bots=["greedy"])
    Session(guest.api, guest.vault, game_id, guest.deck.cards).start()  # only writes down its secret
    other = tmp_path / "other" / FILE
    guest.vault.back_up(other)
    elsewhere = Vault.open(other, PASSPHRASE)
    first = Session(guest.api, guest.vault, game_id)
    first.start()
    assert first.answer() is SendResult.SENT  # enter
    with pytest.raises(VaultError) as caught:
        Session(guest.api, elsewhere, game_id, guest.deck.cards).start()
    assert caught.value.code == "elsewhere"
    assert elsewhere.note(game_id) is None


def test_a_choice_is_taken_only_when_it_is_asked_and_legal(invite) -> None:
    guest = invite()
    game_id, _ = sit([guest], "chef", bots=["greedy"])
    session = Session(guest.api, guest.vault, game_id, guest.deck.cards)
    session.start()
    with pytest.raises(NotNow) as early:
        session.choose({"choice": "keep"})
    assert early.value.code == "not_asked"
    while session.asks() is None:
        session.catch_up(0.0 if session.answer() is SendResult.SENT else 1.0)
    with pytest.raises(IllegalMove) as illegal:
        session.choose({"choice": "fold"})
    assert illegal.value.refusal.section == "chef 3"
    assert session.choose({"choice": "keep"}) is SendResult.SENT
    assert session.asks() is None
    again = Session(guest.api, guest.vault, game_id)
    again.start()
    asked = again.asks()
    if asked is not None and asked[1] == "move":  # the bot has not kept or redrawn yet
        assert again.choose({"choice": "redraw"}) in (SendResult.ALREADY, SendResult.GONE_ON)


def test_players_outlast_a_house_that_is_killed(open_stack, invite) -> None:
    house: Stack = open_stack()
    guests = [invite(house), invite(house)]
    game_id, _ = sit(guests, "chef")
    done: list[list[Game]] = []
    playing = threading.Thread(target=lambda: done.append(play(guests, game_id)))
    playing.start()
    for after in (12, 40):
        until(lambda after=after: guests[0].api.entries(game_id, after)[0] or not playing.is_alive())
        house.kill9("house")
        time.sleep(0.5)
        house.start()
    playing.join(PATIENCE)
    assert done
    assert verify_record(guests[0].api.record(game_id), guests[0].vault.identity.house_key).valid


# A house that lies


class Lying(Api):
    """Shows entries that `lie` has changed."""

    lie: Callable[[list[dict[str, Any]]], None] = staticmethod(lambda listed: None)

    def entries(self, game_id: str, after: int = -1, wait: float = 0.0) -> tuple[list[dict[str, Any]], bool]:
        """The house's entries after `lie` has changed them."""
        listed, more = super().entries(game_id, after, wait)
        listed = json.loads(json.dumps(listed))
        self.lie(listed)
        return listed, more


@pytest.fixture(scope="module")
def finished(house: Stack, tmp_path_factory: pytest.TempPathFactory) -> tuple[Guest, str]:
    """A guest and a game of theirs that is over."""
    folder = tmp_path_factory.mktemp("finished")
    guests = [Guest.register(house.url, folder / str(i), i) for i in range(3)]
    game_id, _ = sit(guests, "hearts")
    play(guests, game_id, "random", draw_after=1)
    return guests[0], game_id


def follow(finished: tuple[Guest, str], lie: Callable[[list[dict[str, Any]]], None], **how: Any) -> Follower:
    guest, game_id = finished
    api = Lying(guest.api.url, guest.vault.identity.token)
    api.lie = lie
    return Follower(api, game_id, guest.vault.identity.house_key, **how)


def test_an_honest_record_is_followed(finished) -> None:
    follower = follow(finished, lambda listed: None)
    assert follower.catch_up() == len(follower.entries) > 50
    assert follower.game.over
    assert follower.catch_up() == 0


def _swap(listed: list[dict[str, Any]]) -> None:
    listed[5], listed[6] = listed[6], listed[5]


def _drop(listed: list[dict[str, Any]]) -> None:
    del listed[4]


def _forge_points(listed: list[dict[str, Any]]) -> None:
    account = next(entry for entry in listed if entry["kind"] == "account")
    account["body"]["points"][0] += 1


def _forge_signature(listed: list[dict[str, Any]]) -> None:
    signature = bytearray(unb64(listed[3]["player_signature"]))
    signature[0] ^= 1
    listed[3]["player_signature"] = b64(bytes(signature))


def _no_entry(listed: list[dict[str, Any]]) -> None:
    listed[2] = {"nothing": True}


@pytest.mark.parametrize("lie", [_swap, _drop, _forge_points, _forge_signature, _no_entry])
def test_a_forged_record_is_not_followed(finished, lie) -> None:
    with pytest.raises(HouseFault) as caught:
        follow(finished, lie).catch_up()
    assert "entry" in caught.value.evidence
    json.dumps(caught.value.evidence)


def test_another_house_key_is_not_accepted(finished) -> None:
    follower = follow(finished, lambda listed: None)
    follower.house_key = bytes(32)
    with pytest.raises(HouseFault) as caught:
        follower.catch_up()
    assert caught.value.code == "wrong_house"


def test_a_record_rewritten_since_the_last_time_is_found(finished) -> None:
    with pytest.raises(HouseFault) as caught:
        follow(finished, lambda listed: None, head=(9, bytes(64))).catch_up()
    assert caught.value.code == "rewritten"


def test_a_seat_that_is_not_ours_is_not_taken(house: Stack, finished, invite) -> None:
    guest, game_id = invite(), finished[1]
    with pytest.raises(HouseFault) as caught:
        play_by_bot(guest.api, guest.vault, game_id, bots_for("hearts")["random"], Random(0))
    assert caught.value.code == "wrong_seat"


class Corrupt(Api):
    """Signs false statements with the house's own key."""

    def __init__(self, house: Stack, guest: Guest, trick: str) -> None:
        super().__init__(house.url, guest.vault.identity.token)
        self.private = keys.load(house.data).signing_key
        self.trick = trick

    def send(self, message: Message) -> Acknowledgement:
        """A receipt for another message, by another key, too late, or for a message that is thrown away."""
        if self.trick == "thrown away":
            return Acknowledgement(write_receipt(self.private, message.digest, self.house().time), None)
        accepted = super().send(message)
        digest = bytes(64) if self.trick == "another message" else message.digest
        at = accepted.receipt.at + (10**9 if self.trick == "too late" else 0)
        private = bytes(32) if self.trick == "another key" else self.private
        return Acknowledgement(write_receipt(private, digest, at), accepted.seq)

    def faces(self, game_id: str) -> list[dict[str, Any]]:
        """Our cards, each at the position of another one."""
        found = super().faces(game_id)
        if self.trick != "other faces":
            return found
        [statement] = found
        places = [item["position"] for item in statement["faces"]]
        cards = [item["card"] for item in statement["faces"]]
        rotated = dict(zip(places, cards[1:] + cards[:1], strict=True))
        return [write_faces(self.private, game_id, statement["deal"], statement["seat"], rotated)]


def play_at(api: Api, guest: Guest, game_id: str) -> Game:
    return play_by_bot(api, guest.vault, game_id, bots_for("hearts")["random"], Random(0), draw_after=1)


@pytest.mark.parametrize(
    ("trick", "code"),
    [
        ("another message", "bad_receipt"),
        ("another key", "bad_receipt"),
        ("too late", "bad_receipt"),
        ("thrown away", "false_timeout"),
    ],
)
def test_a_receipt_that_is_not_good_convicts_the_house(house: Stack, invite, trick: str, code: str) -> None:
    guests = [invite() for _ in range(3)]
    game_id, _ = sit(guests, "hearts", options={"enter": 5})
    with pytest.raises(HouseFault) as caught:
        play_at(Corrupt(house, guests[0], trick), guests[0], game_id)
    assert caught.value.code == code
    assert "receipt" in caught.value.evidence
    json.dumps(caught.value.evidence)


def test_cards_that_were_not_dealt_are_found(house: Stack, invite) -> None:
    guests = [invite() for _ in range(3)]
    game_id, _ = sit(guests, "hearts")
    others = threading.Thread(target=play, args=(guests[1:], game_id, "random"), kwargs={"draw_after": 1})
    others.start()
    with pytest.raises((HouseFault, ApiProblem)) as caught:
        play_at(Corrupt(house, guests[0], "other faces"), guests[0], game_id)
    # The house refuses a card that is not there, or a card is turned up that we believe to be ours. At the
    # latest, `shown` tells.
    assert isinstance(caught.value, HouseFault) or caught.value.status == 422
    play_at(guests[0].api, guests[0], game_id)
    others.join(PATIENCE)
    assert not others.is_alive()
