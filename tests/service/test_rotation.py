"""A house whose keys are rotated: what runs goes on with its own, what begins has the new ones."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from sqlmodel import select

from crypto.encoding import b64
from crypto.identity import public_key
from referee import verify_record
from referee.succession import leads, read_successions
from service import keys
from service.models import GameEntry
from service.operations import games
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.service_kit import ON_SQLITE_FIRST

LONG = pytest.mark.long


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("sqlite", "chef"),
        pytest.param("sqlite", "hearts", marks=LONG),
        pytest.param("postgresql", "chef", marks=[pytest.mark.servers, LONG]),
        pytest.param("postgresql", "hearts", marks=pytest.mark.servers),
    ],
    indirect=["kind"],
)
def test_a_running_game_keeps_its_keys_and_the_next_has_the_new(house, clock, seat, mode: str) -> None:
    """Bots sit at the table, whose keys and secrets come from the house's. Nobody restarts anything."""
    guest = seat("ann")
    bots = {"chef": ["greedy"], "hearts": ["random", "random"]}[mode]
    how = {"mode": mode, "bots": bots}
    running = sit_down(house, clock, [guest], **how, options={"rounds": 1} if mode == "flip" else None)
    before = house.keys
    running.until("seal" if mode == "chef" else "move")
    keys.rotate(house.settings.data)
    assert house.keys != before
    following = None
    if mode == "hearts":
        following = sit_down(house, clock, [guest], **how, seed=1)
        following.until("move")
    running.chairs[0].catch_up()
    while not running.fold.over and running.fold.seq < 80:
        running.step()
    with house.read() as session:
        rows = session.exec(
            select(GameEntry).where(GameEntry.game_id == running.id).order_by(GameEntry.seq)
        ).all()
        assert rows[0].entry["body"]["house_key"] == b64(before.public)
    assert not any(row.kind == "timeout" for row in rows)
    assert running.chairs[0].game.header.house_key == before.public
    if following is not None:
        header = following.fold.header
        assert header.house_key == house.keys.public
        assert header.players[1].key == public_key(games.bot_key(house.keys, bots[0], 1))
        assert header.anchor == house.keys.chain(following.id).anchor


@ON_SQLITE_FIRST
def test_a_record_of_a_former_key_is_whole(house: Runtime, clock: list[int], seat) -> None:
    match = sit_down(house, clock, [seat("ann"), seat("ben"), seat("cat")], "hearts")
    former = house.keys.public
    keys.rotate(house.settings.data)
    match.until("move")
    resigned = match.chairs[0]
    resigned.send(resigned.seat.resign(resigned.game))
    match.work()
    data = resigned.guest.get(f"/games/{match.id}/record").data
    assert verify_record(data, former).valid
    assert verify_record(data, house.keys.public).fault.code == "wrong_house"
    assert verify_record(data, house.keys.public, successions=house.key_generations.successions).valid


@ON_SQLITE_FIRST
def test_the_house_shows_how_its_keys_follow(client: FlaskClient, house: Runtime) -> None:
    first = client.get("/api/v1/house").json
    assert first["successions"] == []
    assert first["house_key"] == b64(house.keys.public)
    known = house.keys.public
    keys.rotate(house.settings.data)
    keys.rotate(house.settings.data)
    shown = client.get("/api/v1/house").json
    assert shown["house_key"] == b64(house.keys.public)
    assert shown["since"] > first["since"]
    found = read_successions(shown["successions"])
    assert len(found) == 2
    assert leads(found, known, house.keys.public)


@ON_SQLITE_FIRST
def test_a_game_whose_key_is_not_there_waits_and_nothing_changes(house, clock, seat) -> None:
    """A machine to which the new file was not copied yet says so, and goes on once it is there."""
    match = sit_down(house, clock, [seat("ann"), seat("ben"), seat("cat")], "hearts")
    path = house.settings.data / keys.FILE
    text = path.read_text()
    path.unlink()
    keys.load(house.settings.data)
    seq = match.fold.seq
    chair = next(chair for chair in match.chairs if chair.due() is not None)
    assert chair.post(chair.message()).status_code == 500
    with pytest.raises(keys.UnknownKey):
        match.lapse()
    assert match.fold.seq == seq
    path.write_text(text)
    match.lapse()
    assert match.fold.seq > seq
