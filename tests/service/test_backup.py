"""Backup and restore, rehearsed: a house at play is copied, destroyed, put back, and plays on."""

from __future__ import annotations

import json
import shutil
import stat
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from referee import verify_record
from referee.boosters import verify_boosters
from service import backup, keys, migrations
from service.backup import BackupError
from service.config import Settings
from service.models import Copy, Player
from service.restore import Restored, restore
from service.runtime import Runtime
from tests.service.booster_kit import ask, bought, committed, opened, recorded, shown
from tests.service.match_kit import Match, sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Server, app_of, open_house
from tests.waiting import PATIENCE


def quiet(done: int, total: int) -> None:
    """Ignore the progress."""


def copied(settings: Settings, folder: Path) -> backup.Manifest:
    return backup.write(settings, folder, "1.2.3", quiet)


def put_back(settings: Settings, folder: Path, same_moment: bool = False) -> Restored:
    return restore(settings, folder, same_moment=same_moment, progress=quiet)


@pytest.fixture
def destroy(kind: str, settings: Settings, request: pytest.FixtureRequest) -> Callable[[Runtime], None]:
    """Close a house and leave nothing of it, as if the machine had burnt."""

    def burn(house: Runtime) -> None:
        house.close()
        shutil.rmtree(settings.data)
        if kind == "sqlite":
            for file in Path(settings.database.removeprefix("sqlite:///")).parent.glob("house.sqlite3*"):
                file.unlink()
        else:
            server: Server = request.getfixturevalue("postgresql")
            assert server.empty() == settings.database

    return burn


def reopened(settings: Settings, clock: list[int], match: Match | None = None) -> Runtime:
    """The house again, and the players of a match sent there."""
    house = open_house(settings, clock)
    if match is not None:
        match.house = house
        client = app_of(house).test_client()
        for chair in match.chairs:
            chair.guest.client = client
    return house


def finished(house: Runtime, clock: list[int], guests: list[Any]) -> Match:
    """A match that is over: somebody resigned."""
    match = sit_down(house, clock, guests, "hearts", seed=1)
    match.until("move")
    chair = match.chairs[0]
    chair.send(chair.seat.resign(chair.game))
    match.work()
    assert match.fold.over
    return match


@pytest.mark.slow
def test_a_house_at_play_is_destroyed_put_back_and_plays_on(
    house, settings, clock, seat, destroy, tmp_path
) -> None:
    guests = [seat(name) for name in ("ann", "ben", "cat")]
    over = finished(house, clock, guests)
    running = sit_down(house, clock, guests, "hearts")
    running.until("move")
    public, seq = house.keys.public, running.fold.seq
    manifest = copied(settings, tmp_path / "copy")
    assert manifest.revision == migrations.head()

    destroy(house)
    done = put_back(settings, tmp_path / "copy", same_moment=True)
    assert (done.stopped, done.kept_keys) == (0, False)
    house = reopened(settings, clock, running)
    assert house.keys.public == public
    assert running.fold.seq == seq
    for _ in range(12):
        running.step()
    assert running.fold.seq > seq
    chair = running.chairs[1]
    chair.catch_up()
    chair.send(chair.seat.resign(chair.game))
    running.work()
    for match in (over, running):
        data = chair.guest.get(f"/games/{match.id}/record").data
        assert verify_record(data, public).valid
    house.close()


def test_messages_that_come_in_meanwhile_leave_the_copy_at_one_moment(
    house, settings, clock, seat, destroy, tmp_path
) -> None:
    guests = [seat(name) for name in ("ann", "ben", "cat")]
    running = sit_down(house, clock, guests, "hearts")
    running.until("move")
    enough, faults = threading.Event(), []

    def play() -> None:
        try:
            while not enough.is_set() and not running.fold.over:
                running.step()
        except Exception as fault:
            faults.append(fault)

    player = threading.Thread(target=play)
    player.start()
    try:
        copied(settings, tmp_path / "copy")
    finally:
        enough.set()
        player.join(PATIENCE)
    assert faults == []

    destroy(house)
    assert put_back(settings, tmp_path / "copy").stopped == 1
    house = reopened(settings, clock, running)
    data = guests[0].get(f"/games/{running.id}/record").data
    report = verify_record(data, unfinished=True)
    assert report.valid  # every entry that is there has those before it, and the fold agrees with them
    assert report.game is not None
    assert running.fold.digest == report.game.digest
    house.close()


def test_what_ran_is_stopped_for_those_who_had_gone_further(
    house, settings, clock, seat, destroy, tmp_path
) -> None:
    """Links already seen are not dealt again, and nobody plays against what has been opened."""
    guest = seat("ann")
    running = sit_down(house, clock, [guest], "chef", bots=["greedy"])
    running.until("seal")
    copied(settings, tmp_path / "copy")
    chair = running.chairs[0]
    late = chair.message()

    destroy(house)
    assert put_back(settings, tmp_path / "copy").stopped == 1
    house = reopened(settings, clock, running)
    refused = chair.post(late)
    assert (refused.status_code, refused.json["code"]) == (409, "game_stopped")
    waiting = guest.get(f"/games/{running.id}/entries?after=9999&wait=20")
    assert (waiting.status_code, waiting.json["code"]) == (409, "game_stopped")
    seq = running.fold.seq
    clock[0] += 10**9
    running.work()
    assert running.fold.seq == seq
    assert guest.get("/games?state=running").json["items"] == []
    [listed] = guest.get("/games?state=over").json["items"]
    assert listed["id"] == running.id
    with house.read() as session:
        assert session.exec(select(Copy.id).where(Copy.held_by == running.id)).first() is None
    data = guest.get(f"/games/{running.id}/record").data
    assert verify_record(data, unfinished=True).valid
    assert verify_record(data).fault.code == "unfinished"
    again = sit_down(house, clock, [guest], "chef", bots=["greedy"], seed=2)
    assert again.fold.seq > 0
    house.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "stage"), [("cribbage", "mix"), ("hearts", "share"), ("cribbage", "unlock"), ("flip", "unlock")]
)
def test_a_deal_that_nobody_deals_is_put_back_in_the_middle(
    house, settings, clock, seat, destroy, tmp_path, mode: str, stage: str
) -> None:
    guests = [seat(name) for name in ("ann", "ben", "cat")]
    match = sit_down(house, clock, guests, mode, options={"dealer": "nobody"})
    match.until(stage)
    match.chairs[min(match.fold.asking.seats)].send()
    for chair in match.chairs:
        chair.catch_up()
    seq, stood = match.fold.seq, match.fold.masked
    copied(settings, tmp_path / "copy")

    destroy(house)
    assert put_back(settings, tmp_path / "copy", same_moment=True).stopped == 0
    house = reopened(settings, clock, match)
    assert (match.fold.seq, match.fold.masked) == (seq, stood), "locks, mixes and shares came back"
    deals = match.fold.deals
    for _ in range(400):
        if match.fold.deals > deals or len(match.fold.recent) > 400 or match.fold.seq > seq + 40:
            break
        match.step()
    assert match.fold.seq > seq
    data = guests[0].get(f"/games/{match.id}/record").data
    assert verify_record(data, house.keys.public, unfinished=True).valid
    house.close()


@pytest.mark.slow
def test_a_lock_is_not_asked_for_shares_again_by_a_house_that_was_put_back(
    house, settings, clock, seat, destroy, tmp_path
) -> None:
    """Some had gone further: with the shares of both records the house could read a hand."""
    guests = [seat(name) for name in ("ann", "ben")]
    match = sit_down(house, clock, guests, "cribbage", options={"dealer": "nobody"})
    match.until("share")
    copied(settings, tmp_path / "copy")
    late = match.chairs[0].message()

    destroy(house)
    assert put_back(settings, tmp_path / "copy").stopped == 1
    house = reopened(settings, clock, match)
    refused = match.chairs[0].post(late)
    assert (refused.status_code, refused.json["code"]) == (409, "game_stopped")
    house.close()


SPRING = "format: spring\nname: Frühling\nversion: 1.0.0\ntext: Light.\ncopies: 2\n"
"""A format of a house's own."""


def with_a_format(settings: Settings, text: str = SPRING) -> Path:
    """The file of a format, written for this house."""
    settings.own_formats.mkdir(parents=True)
    path = settings.own_formats / "spring.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@ON_SQLITE_FIRST
def test_a_houses_own_formats_come_back(house, settings, seat, destroy, tmp_path) -> None:
    seat("ann")
    _ = house.keys
    path = with_a_format(settings)
    (settings.own_formats / "notes.txt").write_text("No format.")
    folder = tmp_path / "copy"
    manifest = copied(settings, folder)
    assert "formats/spring.yaml" in [item.name for item in manifest.files]
    kept = folder / "formats" / "spring.yaml"
    assert kept.read_text(encoding="utf-8") == SPRING
    assert [stat.S_IMODE(file.stat().st_mode) for file in (kept.parent, kept)] == [0o700, 0o600]

    destroy(house)
    put_back(settings, folder)
    assert path.read_text(encoding="utf-8") == SPRING
    assert [*settings.own_formats.iterdir()] == [path]
    house = reopened(settings, [1_790_000_000_000])
    assert house.formats["spring"].copies == 2
    house.close()


@ON_SQLITE_FIRST
def test_a_format_that_is_there_is_not_written_over(house, settings, seat, destroy, tmp_path) -> None:
    seat("ann")
    _ = house.keys
    with_a_format(settings)
    copied(settings, tmp_path / "copy")
    destroy(house)
    path = with_a_format(settings, SPRING.replace("copies: 2", "copies: 1"))
    with pytest.raises(BackupError, match="another format"):
        put_back(settings, tmp_path / "copy")
    assert "copies: 1" in path.read_text(encoding="utf-8")
    assert [*settings.data.iterdir()] == [settings.own_formats]
    path.write_text(SPRING, encoding="utf-8")
    put_back(settings, tmp_path / "copy")
    assert path.read_text(encoding="utf-8") == SPRING


@pytest.mark.parametrize("how", ["changed", "missing", "elsewhere"])
@ON_SQLITE_FIRST
def test_a_backup_whose_format_is_not_whole_is_refused(house, settings, destroy, tmp_path, how: str) -> None:
    _ = house.keys
    with_a_format(settings)
    folder = tmp_path / "copy"
    copied(settings, folder)
    kept = folder / "formats" / "spring.yaml"
    if how == "changed":
        kept.write_text(SPRING.replace("copies: 2", "copies: 3"), encoding="utf-8")
    elif how == "missing":
        kept.unlink()
    else:
        path = folder / backup.MANIFEST
        path.write_text(path.read_text().replace("formats/spring.yaml", "formats/../formats/spring.yaml"))
    destroy(house)
    with pytest.raises(BackupError):
        put_back(settings, folder)
    assert not settings.data.exists()


@pytest.mark.parametrize("before", ["nothing", "commitment", "receipt"])
def test_links_of_boosters_that_were_seen_do_not_come_again(
    house, settings, clock, seat, destroy, tmp_path, before: str
) -> None:
    """A player who opened a booster after the backup knows its link, and could choose another nonce by it.

    By the receipt from before, the house gives the same opening again, to the byte.
    """
    ann = seat("ann")
    _ = house.keys
    (booster,) = bought(house, ann)
    if before != "nothing":
        known = committed(ann)
    if before == "receipt":
        assert ask(ann, booster).status_code == 200
    copied(settings, tmp_path / "copy")
    clock[0] += 1000
    known = committed(ann)
    receipt = ask(ann, booster).json
    first = shown(ann, receipt).json["opening"]

    destroy(house)
    put_back(settings, tmp_path / "copy")
    clock[0] += 1000
    house = reopened(settings, clock)
    ann = replace(ann, client=app_of(house).test_client())
    now = committed(ann, known)
    assert now["anchor"] != known["anchor"]
    refused = ask(ann, booster, nonce=2, chain=known)
    stale = "opening_pending" if before == "receipt" else "stale_commitment"
    assert (refused.status_code, refused.json["code"]) == (409, stale)
    assert shown(ann, receipt).json["opening"] == first
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert report.given_up == (known["chain"],)
    house.close()


@ON_SQLITE_FIRST
def test_a_booster_that_is_asked_for_anew_after_a_restoration_has_another_link(
    house, settings, clock, seat, destroy, tmp_path
) -> None:
    """A player who has lost the receipt asks anew. No chain has a number or an anchor of before."""
    ann = seat("ann")
    _ = house.keys
    (booster,) = bought(house, ann)
    copied(settings, tmp_path / "copy")
    clock[0] += 1000
    known = committed(ann)
    link = opened(ann, booster).json["opening"]["link"]
    destroy(house)
    chains = [known]
    for _ in range(2):
        put_back(settings, tmp_path / "copy")
        clock[0] += 60_000
        house = reopened(settings, clock)
        ann = replace(ann, client=app_of(house).test_client())
        for forgotten in chains:
            committed(ann, forgotten)
        chains.append(committed(ann))
        assert opened(ann, booster).json["opening"]["link"] != link
        report = verify_boosters(recorded(ann), house.keys.public)
        assert report.valid, report.fault
        destroy(house)
    assert len({chain["chain"] for chain in chains}) == len({chain["anchor"] for chain in chains}) == 3


@ON_SQLITE_FIRST
def test_keys_that_are_newer_than_the_backup_stay(house, settings, seat, destroy, tmp_path) -> None:
    seat("ann")
    _ = house.keys
    copied(settings, tmp_path / "copy")
    newer = keys.rotate(settings.data)
    text = (settings.data / keys.FILE).read_text()
    destroy(house)
    settings.data.mkdir()
    (settings.data / keys.FILE).write_text(text)
    assert put_back(settings, tmp_path / "copy").kept_keys
    assert keys.load_generations(settings.data) == newer


def test_nothing_is_written_over(house, settings, seat, destroy, tmp_path) -> None:
    seat("ann")
    _ = house.keys
    copied(settings, tmp_path / "copy")
    with pytest.raises(BackupError, match="not empty"):
        copied(settings, tmp_path / "copy")
    with pytest.raises(BackupError, match=r"nothing is written over|has the database open"):
        put_back(settings, tmp_path / "copy")
    with house.read() as session:
        assert session.exec(select(Player.handle)).all() == ["ann"]
    destroy(house)
    other = replace(settings, data=tmp_path / "other")
    keys.load(other.data)
    with pytest.raises(BackupError, match="belongs to another house"):
        put_back(other, tmp_path / "copy")


def test_only_the_owner_can_read_it(house, settings, tmp_path) -> None:
    _ = house.keys
    manifest = copied(settings, tmp_path / "a" / "copy")
    assert stat.S_IMODE((tmp_path / "a" / "copy").stat().st_mode) == 0o700
    names = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "a" / "copy").iterdir()}
    assert set(names) == {backup.MANIFEST, *(item.name for item in manifest.files)}
    assert set(names.values()) == {0o600}


@pytest.mark.parametrize(
    "how", ["changed", "missing", "no manifest", "later version", "outside", "bad manifest"]
)
def test_a_backup_that_is_not_whole_is_refused_and_nothing_is_made(
    house, settings, destroy, tmp_path, how: str
) -> None:
    _ = house.keys
    folder = tmp_path / "copy"
    manifest = copied(settings, folder)
    first = folder / manifest.files[0].name
    content = json.loads((folder / backup.MANIFEST).read_text())
    if how == "changed":
        first.write_bytes(first.read_bytes()[:-1] + b"!")
    elif how == "missing":
        first.unlink()
    elif how == "no manifest":
        (folder / backup.MANIFEST).unlink()
    else:
        content |= {"later version": {"revision": "9999"}, "bad manifest": {"files": []}}.get(how, {})
        if how == "outside":
            content["files"][0]["name"] = "../copy/" + first.name
        (folder / backup.MANIFEST).write_text(json.dumps(content))
    destroy(house)
    with pytest.raises(BackupError):
        put_back(settings, folder)
    assert not settings.data.exists()
    if settings.database.startswith("sqlite"):
        assert not Path(settings.database.removeprefix("sqlite:///")).exists()


def test_a_backup_of_the_other_database_is_refused(house, settings, tmp_path) -> None:
    _ = house.keys
    copied(settings, tmp_path / "copy")
    other = (
        "postgresql://nobody@127.0.0.1:1/x" if "sqlite" in settings.database else f"sqlite:///{tmp_path}/x"
    )
    with pytest.raises(BackupError, match="CLOCHE_DATABASE"):
        put_back(replace(settings, database=other, data=tmp_path / "new"), tmp_path / "copy")


def test_a_house_that_is_not_there_can_not_be_copied(tmp_path: Path) -> None:
    nowhere = Settings(database=f"sqlite:///{tmp_path}/none.sqlite3", data=tmp_path / "none")
    with pytest.raises(BackupError, match=r"none\.sqlite3"):
        copied(nowhere, tmp_path / "copy")
    assert not (tmp_path / "none.sqlite3").exists()


@pytest.mark.servers
def test_the_programs_of_postgresql_must_be_there(tmp_path: Path, monkeypatch, postgresql: Server) -> None:
    settings = Settings(database=postgresql.migrated(), data=tmp_path / "var")
    keys.load(settings.data)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackupError, match="pg_dump is not installed"):
        copied(settings, tmp_path / "copy")


@pytest.mark.servers
def test_no_password_is_shown(tmp_path: Path, postgresql: Server) -> None:
    url = postgresql.migrated().replace("postgres@", "nobody:hush-hush@")
    settings = Settings(database=url, data=tmp_path / "var")
    keys.load(settings.data)
    with pytest.raises(BackupError) as caught:
        copied(settings, tmp_path / "copy")
    assert "hush-hush" not in str(caught.value)
