"""`cloche check` names each fault of a configuration, and changes nothing."""

import json
import os
import re
import resource
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import fields
from functools import partial
from pathlib import Path

import psycopg
import pytest
import redis
from click.testing import CliRunner
from kombu import Connection

from cards.catalog import card_sets
from cloche.main import main
from cloche.operate import checks
from cloche.operate.checks import broker, database, place
from cloche.operate.checks.finding import Finding
from cloche.operate.checks.variables import known
from cloche.operate.files import needed_files
from cloche.operate.lock import FileLock
from crypto.encoding import b64
from service import keys, migrations
from service.config import Settings
from service.db import Database
from service.models import Player
from service.operations import envelopes, games
from tests.paths import DOCS
from tests.stack import POSTGRESQL, RABBITMQ, REDIS, Stack, need
from tests.tables import migrate
from worker import keyring

Look = Callable[..., dict[str, list[Finding]]]


def look(tmp_path: Path, role: str = "serve", **variables: object) -> dict[str, list[Finding]]:
    """The findings about a house in `tmp_path`, by what they are about."""
    given = {"data": tmp_path / "var", "port": 0, **variables}
    environment = {f"CLOCHE_{name.upper()}": str(value) for name, value in given.items()}
    found: dict[str, list[Finding]] = {}
    for finding in checks.everything(role, environment):
        found.setdefault(finding.about, []).append(finding)
    return found


def levels(found: dict[str, list[Finding]], about: str) -> list[str]:
    return [finding.level for finding in found.get(about, [])]


def said(found: dict[str, list[Finding]], about: str) -> str:
    return " ".join(f"{finding.text} {finding.do}" for finding in found[about])


def everywhere(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_house_that_was_never_opened_is_fine_and_stays_unopened(tmp_path: Path) -> None:
    found = look(tmp_path)
    assert {finding.level for several in found.values() for finding in several} == {"ok"}
    assert everywhere(tmp_path) == []


def test_a_house_that_was_closed_is_fine_and_stays_closed(open_stack) -> None:
    house: Stack = open_stack()
    house.stop()
    before = everywhere(house.data)
    found = look(house.data.parent)
    assert not [f for several in found.values() for f in several if f.level == "error"]
    assert levels(found, "keys") == ["ok"]
    assert b64(keys.load(house.data).public) in said(found, "keys")
    assert everywhere(house.data) == before


def test_a_house_that_is_open_is_named(open_stack) -> None:
    house: Stack = open_stack()
    found = look(house.data.parent, port=house.url.rpartition(":")[2])
    assert "open already" in said(found, "database")
    assert str(house.serve.pid) in said(found, "database")
    assert levels(found, "port") == ["error"]


# Variables


def test_a_variable_with_a_slip_is_named_with_the_one_that_was_meant(tmp_path: Path) -> None:
    found = look(tmp_path, borker="redis://localhost")
    assert levels(found, "CLOCHE_BORKER") == ["error"]
    assert "CLOCHE_BROKER?" in said(found, "CLOCHE_BORKER")


def test_every_variable_of_the_handbook_is_known() -> None:
    text = (DOCS / "operating.md").read_text()
    named = set(re.findall(r"^\| `(CLOCHE_[A-Z_]+)", text, re.MULTILINE))
    assert named <= known()
    assert {f"CLOCHE_{field.name.upper()}" for field in fields(Settings)} <= known()
    assert {"CLOCHE_HOME", "CLOCHE_HOUSE", "CLOCHE_ENGINE", "CLOCHE_WORKER_THREADS"} <= known()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("database", "mysql://x/y"),
        ("sweep_ms", "often"),
        ("proxies", "-1"),
        ("registration_limit", "some"),
        ("processes", "0"),
        ("port", "70000"),
        ("worker", "perhaps"),
    ],
)
def test_a_value_that_can_not_be_used_is_named_and_the_rest_is_looked_at(
    tmp_path: Path, name: str, value: str
) -> None:
    found = look(tmp_path, **{name: value})
    assert levels(found, f"CLOCHE_{name.upper()}") == ["error"]
    assert "engine" in found


def test_what_does_not_go_together(tmp_path: Path) -> None:
    assert "must name a broker" in said(look(tmp_path, worker=0), "set-up")
    assert "one process" in said(look(tmp_path, processes=2), "set-up")
    assert "A separate worker needs" in said(look(tmp_path, "worker"), "set-up")
    assert "for events needs" in said(look(tmp_path, "events"), "set-up")
    assert levels(look(tmp_path), "set-up") == ["ok"]


# Places


def test_a_folder_that_others_may_use(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir()
    for mode, level in ((0o700, "ok"), (0o755, "warning"), (0o777, "error")):
        (tmp_path / "var").chmod(mode)
        assert levels(look(tmp_path), "data") == [level], oct(mode)


def test_formats_of_ones_own(tmp_path: Path) -> None:
    folder = tmp_path / "var" / "formats"
    folder.mkdir(parents=True)
    file = folder / "spring.yaml"
    file.write_text("format: spring\nname: Spring\nversion: 1.0.0\ntext: Light.\nsets: [XX]\n")
    (folder / "folder.yaml").mkdir()
    found = look(tmp_path)
    assert levels(found, "formats") == ["error", "error"]
    for words in ("spring.yaml", "sets/XX", "folder.yaml", "can't be read", str(folder)):
        assert words in said(found, "formats"), words
    (folder / "folder.yaml").rmdir()
    file.write_text(file.read_text().replace("sets: [XX]\n", ""))
    found = look(tmp_path)
    assert levels(found, "formats") == ["ok"]
    assert "home-cooking, one-of-each, open, spring" in said(found, "formats")


def test_card_sets_with_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sets = tmp_path / "sets"
    sets.mkdir()
    (sets / "mine.yaml").write_text("set: {code: XX}\n")
    monkeypatch.setattr(place.card_sets, "load", partial(card_sets.load, sets))
    found = look(tmp_path)
    assert set(levels(found, "cards")) == {"error"}
    assert "mine.yaml" in said(found, "cards")
    assert "card_sets" in said(found, "cards")
    assert "formats" not in found


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("")
    found = look(tmp_path)
    assert levels(found, "data") == ["error"]
    assert levels(found, "database") == ["error"]
    assert levels(found, "log") == ["error"]


def test_little_room_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "LITTLE", 1 << 60)
    assert levels(look(tmp_path), "data") == ["ok", "warning"]
    monkeypatch.setattr(place, "FULL", 1 << 60)
    assert "error" in levels(look(tmp_path), "database")


def test_sqlite_on_a_network_share_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "disk").mkdir()
    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda1 / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n/dev/sdb {tmp_path}/disk xfs rw 0 0\n"
    )
    assert place.share_of(tmp_path / "var" / "x", mounts) == "nfs4"
    assert place.share_of(tmp_path / "disk" / "x", mounts) is None
    assert place.share_of(tmp_path.parent / "x", mounts) is None
    assert place.share_of(tmp_path, tmp_path / "none") is None
    monkeypatch.setattr(database.place, "share_of", lambda path: "nfs4")
    assert "network share (nfs4)" in said(look(tmp_path), "database")


# Keys


def test_keys_that_others_can_read(tmp_path: Path) -> None:
    keys.load(tmp_path / "var")
    (tmp_path / "var" / keys.FILE).chmod(0o644)
    assert levels(look(tmp_path), "keys") == ["warning", "ok"]
    assert (tmp_path / "var" / keys.FILE).stat().st_mode & 0o077  # it is said, not mended


def test_keys_that_are_damaged_or_gone(tmp_path: Path) -> None:
    keys.load(tmp_path / "var")
    (tmp_path / "var" / keys.FILE).write_text("{}")
    assert "damaged" in said(look(tmp_path), "keys")
    (tmp_path / "var" / keys.FILE).unlink()
    assert levels(look(tmp_path), "keys") == ["ok"]
    url = f"sqlite:///{tmp_path}/var/cloche.sqlite3"
    migrate(url)
    held = Database(url)
    with held.write() as session:
        player = {"handle": "ann", "folded": "ann", "password": "x", "key": b64(bytes(32)), "created_at": 1}
        session.add(Player(**player))
    held.dispose()
    assert "has been in use" in said(look(tmp_path), "keys")


def test_keys_of_another_house(house, settings: Settings, tmp_path: Path) -> None:
    """A running game names a key that the file does not hold, on both databases."""
    with house.write() as session:
        plans = [games.BotPlan("random") for _ in range(3)]
        games.begin(house, session, "hearts", {}, plans)
    how = {"data": settings.data, "database": settings.database}
    assert levels(look(tmp_path, **how), "keys") == ["ok"]
    (settings.data / keys.FILE).unlink()
    keys.load(settings.data)
    found = look(tmp_path, **how)
    assert levels(found, "keys") == ["error"]
    assert "1 running games" in said(found, "keys")


def test_a_worker_needs_the_keys_of_the_house(tmp_path: Path) -> None:
    assert levels(look(tmp_path, "worker"), "keys") == ["error"]


def test_the_key_for_envelopes(house, settings: Settings, tmp_path: Path) -> None:
    """The published key is in the file, on both databases."""
    _ = house.keys
    how = {"data": settings.data, "database": settings.database, "worker": 1, "broker": "memory://"}
    path = settings.data / keyring.FILE
    assert levels(look(tmp_path, **how), "envelopes") == ["ok"]
    assert not path.exists()
    envelopes.publish(house, keyring.add(settings.data))
    assert levels(look(tmp_path, **how), "envelopes") == ["ok"]
    path.chmod(0o640)
    assert levels(look(tmp_path, **how), "envelopes") == ["warning", "ok"]
    path.rename(tmp_path / "aside")
    assert "envelopes stay shut" in said(look(tmp_path, **how), "envelopes")
    path.write_text("{}")
    assert "damaged" in said(look(tmp_path, **how), "envelopes")
    assert "envelopes" not in look(tmp_path, "events", **how)


# Database


@pytest.mark.parametrize(
    ("role", "tables", "level"),
    [
        ("serve", "none", "ok"),
        ("serve", "0002", "warning"),
        ("serve", "head", "ok"),
        ("serve", "9999", "error"),
        ("worker", "none", "error"),
        ("worker", "0002", "error"),
        ("worker", "head", "ok"),
    ],
)
def test_the_age_of_the_tables(empty_url: str, tmp_path: Path, role: str, tables: str, level: str) -> None:
    opened = Database(empty_url)
    if tables != "none":
        migrations.upgrade(opened.engine, tables if tables == "0002" else "head")
    if tables == "9999":
        with opened.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    if tables == "none" and "sqlite" in empty_url:
        sqlite3.connect(empty_url.removeprefix("sqlite:///")).close()
        Path(empty_url.removeprefix("sqlite:///")).touch()
    opened.dispose()
    found = look(tmp_path, role, database=empty_url)
    assert levels(found, "database") == [level]
    again = Database(empty_url)
    before = {"none": None, "head": migrations.head()}.get(tables, tables)
    assert migrations.current(again.engine) == before
    again.dispose()


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "var").mkdir(mode=0o700)
    (tmp_path / "var" / "cloche.sqlite3").write_text("a letter to my aunt, " * 100)
    assert "can't be read" in said(look(tmp_path), "database")


def test_a_clock_behind_the_newest_game(house, clock, settings: Settings, tmp_path: Path) -> None:
    clock[0] = (int(time.time()) + 3600) * 1000
    with house.write() as session:
        games.begin(house, session, "hearts", {}, [games.BotPlan("random") for _ in range(3)])
    found = look(tmp_path, data=settings.data, database=settings.database)
    assert levels(found, "clock") == ["error"]


@pytest.mark.parametrize(("seconds", "expected"), [(0.2, []), (-3, ["warning"]), (90, ["error"])])
def test_two_clocks(seconds: float, expected: list[str]) -> None:
    assert [finding.level for finding in database.apart(seconds)] == expected


def test_a_house_that_is_open_twice(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "var" / "cloche.sqlite3")
    assert "open already" in said(look(tmp_path), "database")
    lock.close()
    assert levels(look(tmp_path), "database") == ["ok"]


@pytest.mark.servers
def test_a_postgresql_that_is_away_or_refuses(tmp_path: Path) -> None:
    need("postgresql+redis")
    for url in (
        "postgresql://nobody:hush-hush@127.0.0.1:1/none",
        f"{POSTGRESQL.replace('postgres@', 'nobody:hush-hush@')}/postgres",
        f"{POSTGRESQL}/there_is_none",
    ):
        found = look(tmp_path, database=url, broker=REDIS)
        assert levels(found, "database") == ["error"], url
        assert "hush-hush" not in str(found)


@pytest.mark.servers
def test_a_postgresql_where_no_tables_can_be_made(tmp_path: Path) -> None:
    need("postgresql+redis")
    with psycopg.connect(f"{POSTGRESQL}/postgres", autocommit=True) as server:
        name = f"cloche_check_{os.getpid()}"
        server.execute(f"CREATE ROLE {name} LOGIN")
        server.execute(f"CREATE DATABASE {name}")
        try:
            url = f"{POSTGRESQL.replace('postgres@', name + '@')}/{name}"
            with psycopg.connect(f"{POSTGRESQL}/{name}", autocommit=True) as own:
                own.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
            found = look(tmp_path, database=url, broker=REDIS)
            assert "lets this account make no tables" in said(found, "database")
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
            server.execute(f"DROP ROLE {name}")


# Broker and limits


@pytest.mark.servers
@pytest.mark.parametrize("url", [RABBITMQ, REDIS])
def test_a_broker_carries_a_message_and_keeps_nothing(tmp_path: Path, url: str) -> None:
    need("postgresql+rabbitmq" if url == RABBITMQ else "postgresql+redis")
    queue = f"cloche-check-{os.getpid()}"
    found = look(tmp_path, broker=url, queue=queue)
    assert levels(found, "broker") == ["ok"]
    if url == REDIS:
        with redis.Redis.from_url(url) as client:
            assert list(client.scan_iter(f"{queue}*")) == []
    else:
        with Connection(url) as connection, pytest.raises(connection.channel_errors):
            connection.default_channel.queue_declare(queue, passive=True)


@pytest.mark.parametrize("scheme", ["amqp://guest:hush-hush@", "redis://:hush-hush@"])
def test_a_broker_that_is_away(tmp_path: Path, scheme: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found = look(tmp_path, broker=f"{scheme}127.0.0.1:{free.getsockname()[1]}")
    assert levels(found, "broker") == ["error"]
    assert "hush-hush" not in str(found)


def test_a_broker_of_no_kind(tmp_path: Path) -> None:
    assert levels(look(tmp_path, broker="pigeon://loft"), "broker") == ["error"]
    assert broker.without_password("at amqp://a:b c@x", "amqp://a:b c@x") == "at amqp://a:***@x"


def test_limits_that_each_process_counts_for_itself(tmp_path: Path) -> None:
    assert levels(look(tmp_path, processes=3), "rates") == ["warning"]
    assert levels(look(tmp_path), "rates") == ["ok"]
    assert levels(look(tmp_path, rate_storage="nothing://x"), "rates") == ["error"]
    assert levels(look(tmp_path, rate_storage="redis://127.0.0.1:1/0"), "rates") == ["error"]


@pytest.mark.servers
def test_limits_counted_in_redis(tmp_path: Path) -> None:
    need("postgresql+redis")
    assert levels(look(tmp_path, processes=3, rate_storage=REDIS), "rates") == ["ok"]


# The machine


def test_a_port_in_use(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        found = look(tmp_path, port=taken.getsockname()[1])
    assert levels(found, "port") == ["error"]
    assert "port" not in look(tmp_path, "worker", port=1)


def test_an_address_for_everybody_without_a_proxy(tmp_path: Path) -> None:
    assert levels(look(tmp_path, host="0.0.0.0"), "proxies") == ["warning"]
    assert "proxies" not in look(tmp_path, host="0.0.0.0", proxies=1)
    assert "proxies" not in look(tmp_path)


@pytest.mark.parametrize(("name", "level"), [("py_ecc", "warning"), ("abacus", "error")])
def test_an_engine_that_is_slow_or_none(tmp_path: Path, name: str, level: str) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CLOCHE_")}
    environment |= {"CLOCHE_ENGINE": name, "CLOCHE_DATA": str(tmp_path / "var"), "CLOCHE_PORT": "0"}
    command = [sys.executable, "-m", "cloche", "check", "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = {item["about"]: item["level"] for item in json.loads(done.stdout)["findings"]}
    assert found["engine"] == level


def test_passwords_that_cost_too_little(tmp_path: Path) -> None:
    assert levels(look(tmp_path, password_passes=1, password_kib=64), "passwords") == ["warning"]
    assert levels(look(tmp_path), "passwords") == ["ok"]


# The command


def run(tmp_path: Path, *arguments: str, **variables: str):
    environment = {"CLOCHE_DATA": str(tmp_path / "var"), "CLOCHE_PORT": "0"}
    environment |= {f"CLOCHE_{name.upper()}": value for name, value in variables.items()}
    return CliRunner().invoke(main, ["check", *arguments], env=environment)


def test_the_command_says_it_line_by_line(tmp_path: Path) -> None:
    good = run(tmp_path)
    assert good.exit_code == 0, good.output
    assert "0 errors" in good.output
    bad = run(tmp_path, borker="x")
    assert bad.exit_code == 1
    assert "CLOCHE_BROKER?" in bad.output
    assert everywhere(tmp_path) == []


def test_the_command_as_json(tmp_path: Path) -> None:
    bad = run(tmp_path, "worker", "--json")
    assert bad.exit_code == 1
    content = json.loads(bad.stdout)
    assert content["ok"] is False
    assert {"level", "about", "text", "do"} == set(content["findings"][0])
    assert json.loads(run(tmp_path, "--json").stdout)["ok"] is True


@pytest.mark.servers
@pytest.mark.parametrize("flavour", ["postgresql+rabbitmq", "postgresql+redis"])
def test_the_larger_set_up_passes_for_each_of_its_processes(open_stack, flavour: str) -> None:
    house: Stack = open_stack(flavour)
    free = {"CLOCHE_PORT": "0", "CLOCHE_EVENTS_PORT": "0"}
    for role in ("serve", "worker", "events"):
        result = CliRunner().invoke(main, ["check", role], env={**house.environment, **free})
        assert result.exit_code == 0, result.output


@pytest.mark.parametrize(("hard", "level"), [(1_000_000, "ok"), (-1, "ok"), (2_000, "warning")])
def test_a_process_may_open_a_file_for_each_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hard: int, level: str
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, hard))
    found = look(tmp_path, connections=1_000, listeners=500)
    assert levels(found, "open files") == [level]
    assert str(needed_files(1_000, 500)) in said(found, "open files")
    assert levels(look(tmp_path, "worker"), "open files") == []
