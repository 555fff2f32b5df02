"""A service manager hands over sockets and is told of readiness, by the protocols of systemd."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cloche.commands.house.serve import _count_together
from cloche.operate import manager
from tests.waiting import PATIENCE


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as made:
        yield made


def hand_over(monkeypatch: pytest.MonkeyPatch, file: int, **given: str) -> dict[str, str]:
    """The environment of a process to which a manager has handed over this file."""
    monkeypatch.setattr(manager, "FIRST", file)
    return {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "x", "OTHER": "1", **given}


def test_a_socket_is_taken_over_and_none_of_the_children_hears_of_it(
    monkeypatch: pytest.MonkeyPatch, listener: socket.socket
) -> None:
    given = os.dup(listener.fileno())
    os.set_inheritable(given, True)
    environment = hand_over(monkeypatch, given)
    taken = manager.handed_over(environment)
    assert taken is not None
    assert environment == {"OTHER": "1"}
    assert not os.get_inheritable(given)
    listener.close()  # the queue lives as long as one of its holders does
    with taken, socket.create_connection(taken.getsockname()):
        taken.accept()[0].close()


def test_a_socket_for_another_process_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, listener: socket.socket
) -> None:
    environment = hand_over(monkeypatch, listener.fileno(), LISTEN_PID=str(os.getppid()))
    assert manager.handed_over(environment) is None
    assert manager.handed_over({}) is None


def test_anything_but_one_socket_that_listens_is_refused(
    monkeypatch: pytest.MonkeyPatch, listener: socket.socket, tmp_path: Path
) -> None:
    with pytest.raises(click.ClickException, match="2 sockets"):
        manager.handed_over(hand_over(monkeypatch, listener.fileno(), LISTEN_FDS="2"))
    with (tmp_path / "file").open("w") as file, pytest.raises(click.ClickException, match="no socket"):
        manager.handed_over(hand_over(monkeypatch, file.fileno()))
    with socket.socket() as deaf, pytest.raises(click.ClickException, match="does not listen"):
        manager.handed_over(hand_over(monkeypatch, deaf.fileno()))


@pytest.mark.parametrize("abstract", [False, True])
def test_a_manager_is_told_once_the_process_is_ready(tmp_path: Path, abstract: bool) -> None:
    name = f"@cloche-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(name.replace("@", "\0"))
        line.settimeout(PATIENCE)
        environment = {"NOTIFY_SOCKET": name}
        tell = manager.readiness(environment)
        assert environment == {}
        tell()
        assert line.recv(100) == b"READY=1"


def test_without_a_manager_nobody_is_told(tmp_path: Path) -> None:
    manager.readiness({})()
    manager.readiness({"NOTIFY_SOCKET": str(tmp_path / "gone")})()


def test_what_processes_share_lies_in_the_managers_folder(tmp_path: Path) -> None:
    assert manager.runtime_folder(tmp_path, {}) == tmp_path
    assert manager.runtime_folder(tmp_path, {"RUNTIME_DIRECTORY": "/run/a:/run/b"}) == Path("/run/a")


def test_the_figures_of_processes_that_run_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    ended = subprocess.Popen(["true"])
    ended.wait()
    files = {pid: tmp_path / f"counter_{pid}.db" for pid in (os.getpid(), ended.pid)}
    for file in files.values():
        file.touch()
    _count_together(tmp_path, beside_others=True)
    assert [*tmp_path.iterdir()] == [files[os.getpid()]]
    _count_together(tmp_path, beside_others=False)
    assert [*tmp_path.iterdir()] == []
    assert os.environ["PROMETHEUS_MULTIPROC_DIR"] == str(tmp_path)
