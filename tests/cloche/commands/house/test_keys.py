"""`cloche keys` and `cloche trust`: an open house changes its keys, and its players follow or refuse."""

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from client.http import Api
from client.vault import Vault
from cloche.commands.access import recognize
from cloche.main import main
from crypto.encoding import b64, unb64
from crypto.identity import new_private_key, public_key
from player.follow import Follower
from player.house import HouseFault, HouseInfo, Unreachable
from player.session import Session
from referee import Game, verify_record
from referee.succession import write_succession
from service import keys
from tests.client.guests import PASSPHRASE, Guest, sit
from tests.stack import Stack
from tests.waiting import until
from worker import keyring


def run(*arguments: str, guest: Guest | None = None) -> Result:
    result = CliRunner().invoke(main, arguments, env=None if guest is None else guest.environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


@pytest.fixture
def guest(house: Stack, tmp_path: Path) -> Iterator[Guest]:
    made = Guest.register(house.url, tmp_path / "guest", 0)
    yield made
    made.api.close()


def rotate(house: Stack, *arguments: str) -> str:
    """`cloche keys rotate` while the house is open; returns the new key."""
    result = run("keys", "rotate", "--data", str(house.data), *arguments)
    assert result.exit_code == 0, result.output
    found = re.search(r"signed by (\S+)\.", result.output)
    assert found is not None
    assert house.get("/api/v1/house").json()["house_key"] == found[1]
    return found[1]


def pinned(guest: Guest) -> str:
    return b64(Vault.open(guest.vault.path, PASSPHRASE).identity.house_key)


def resigned(guest: Guest, game_id: str) -> Game:
    """Go on with a game until cards are dealt, and resign; a process of its own would do the same."""
    session = Session(guest.api, Vault.open(guest.vault.path, PASSPHRASE), game_id)
    session.start()
    while session.game.deals == 0:
        session.answer()
        session.catch_up(5.0)
    while not session.game.over:
        session.resign()  # again, where the game has gone on meanwhile
        session.catch_up(5.0)
    return session.game


def test_a_player_follows_and_is_told_once(house: Stack, guest: Guest) -> None:
    before = pinned(guest)
    rotate(house)
    new = rotate(house)  # two at once: the line is followed to its end
    first = run("decks", "list", guest=guest)
    assert first.exit_code == 0
    assert f"The house has a new key, and its old one vouches for it: {new}." in first.stderr
    assert pinned(guest) == new != before
    second = run("decks", "list", guest=guest)
    assert (second.exit_code, second.stderr) == (0, "1 deck.\n")


def test_a_match_that_runs_goes_on_and_the_next_one_has_the_new_key(house: Stack, guest: Guest) -> None:
    game_id, _ = sit([guest], "hearts", seats=3, bots=["random", "random"])
    old = pinned(guest)
    follower = Follower(guest.api, game_id, guest.vault.identity.house_key)
    follower.catch_up()
    new = rotate(house)
    recognize(guest.vault, guest.api)
    assert pinned(guest) == new
    game = resigned(guest, game_id)
    assert b64(game.header.house_key) == old
    follower.catch_up()
    assert not any(line.kind == "timeout" for line in follower.entries)
    assert follower.game.over
    record = guest.api.record(game_id)
    assert verify_record(record).valid
    assert verify_record(record, guest.vault.identity.house_key).fault is not None
    following, _ = sit([guest], "hearts", seats=3, bots=["random", "random"])
    watching = Follower(guest.api, following, keys.load_generations(house.data).generations[0].public)
    watching.catch_up()  # who knows the first key of all comes by it to the newest
    assert b64(watching.game.header.house_key) == new


class Elsewhere(Api):
    """Says to be another house than it is."""

    shown: HouseInfo

    def house(self) -> HouseInfo:
        return self.shown


@pytest.mark.parametrize("claims", ["nothing", "the old key", "a stranger's word"])
def test_any_other_key_is_refused(house: Stack, guest: Guest, claims: str) -> None:
    private, other = new_private_key(), new_private_key()
    present = keys.load(house.data)
    successions = {
        "nothing": (),
        "the old key": keys.load_generations(house.data).successions,
        "a stranger's word": (write_succession(other, private, 0),),
    }[claims]
    before = pinned(guest)
    assert before == b64(present.public)
    with Elsewhere(house.url, guest.vault.identity.token) as api:
        api.shown = HouseInfo("cloche/v1", public_key(private), "arkworks", 0, successions)
        with pytest.raises(HouseFault) as caught:
            recognize(guest.vault, api)
    assert caught.value.code == "wrong_house"
    assert pinned(guest) == before


def test_a_forged_line_of_keys_is_no_house(house: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    thief = new_private_key()
    forged = write_succession(thief, new_private_key(), 0).json()
    forged["old"] = b64(keys.load(house.data).public)
    with Api(house.url) as api:
        shown = house.get("/api/v1/house").json()
        monkeypatch.setattr(api, "_get", lambda path: {**shown, "successions": [forged]})
        with pytest.raises(Unreachable, match="is not by that key"):
            api.house()


def test_after_a_theft_players_take_the_new_key_by_hand(house: Stack, guest: Guest) -> None:
    game_id, _ = sit([guest], "hearts", seats=3, bots=["random", "random"])
    Session(guest.api, guest.vault, game_id).start()
    old = pinned(guest)
    new = rotate(house, "--no-succession")
    refused = run("decks", "list", guest=guest)
    assert refused.exit_code == 4
    assert "[wrong_house]" in refused.stderr
    assert new in refused.stderr
    assert "cloche trust" in refused.stderr
    assert pinned(guest) == old
    trusted = run("trust", new, guest=guest)
    assert trusted.exit_code == 0, trusted.output
    assert pinned(guest) == new
    assert run("decks", "list", guest=guest).exit_code == 0
    assert "already" in run("trust", new, guest=guest).output
    assert run("trust", "nonsense", guest=guest).exit_code == 2
    # The game that had begun is known by its own key; one by that key which had not is another's.
    assert b64(resigned(guest, game_id).header.house_key) == old
    with pytest.raises(HouseFault) as caught:
        Follower(guest.api, game_id, unb64(new)).catch_up()
    assert caught.value.code == "wrong_house"


def test_a_key_may_begin_with_a_hyphen(guest: Guest) -> None:
    keys_at_random = (b64(public_key(new_private_key())) for _ in count())
    key = next(found for found in keys_at_random if found.startswith("-"))
    assert run("trust", key, guest=guest).exit_code == 0
    assert pinned(guest) == key


def test_show_names_keys_and_file_and_no_secret(house: Stack) -> None:
    rotate(house)
    shown = run("keys", "show", "--data", str(house.data))
    assert shown.exit_code == 0
    house_keys = keys.load_generations(house.data)
    for generation in house_keys.generations:
        assert b64(generation.public) in shown.output
        for name in keys.SECRETS:
            assert b64(getattr(generation, name)) not in shown.output
    assert shown.output.count("signs new games") == 1
    assert str(house.data / keys.FILE) in shown.output


def test_without_a_file_nothing_is_made(tmp_path: Path) -> None:
    for command in ("show", "rotate"):
        result = run("keys", command, "--data", str(tmp_path / "none"))
        assert result.exit_code == 1
        assert "There is no" in result.output
    assert not (tmp_path / "none").exists()
    (tmp_path / keys.FILE).write_text(json.dumps({"kind": keys.KIND}))
    assert "damaged" in run("keys", "rotate", "--data", str(tmp_path)).output


def test_a_new_envelope_key_is_named_by_new_games_and_the_old_one_is_kept(house: Stack, guest: Guest) -> None:
    before = house.get("/api/v1/house").json()["envelope_key"]
    assert before is not None
    told = run("keys", "envelope", "--data", str(house.data))
    assert told.exit_code == 0, told.output
    found = re.search(r"for the key (\S+)\.", told.output)
    assert found is not None
    assert house.get("/api/v1/house").json()["envelope_key"] == found[1] != before
    private_keys = keyring.load(house.data)
    assert private_keys.private(unb64(before)) is not None
    assert private_keys.newest == unb64(found[1])
    game_id, _ = sit([guest], "chef", bots=["greedy"])
    assert guest.api.entries(game_id, -1)[0][0]["body"]["envelope_key"] == found[1]


def test_the_key_for_envelopes_is_made_new_with_the_others(house: Stack) -> None:
    path = house.data / keyring.FILE
    until(path.exists)  # the worker of the house makes it at the start
    before = keyring.read(path)
    rotate(house)
    after = keyring.read(path)
    assert list(after.keys)[: len(before.keys)] == list(before.keys)
    assert after.newest != before.newest
    assert house.get("/api/v1/house").json()["envelope_key"] == b64(after.newest or b"")
    assert b64(after.newest or b"") in run("keys", "show", "--data", str(house.data)).output
