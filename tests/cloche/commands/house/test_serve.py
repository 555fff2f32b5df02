"""`cloche serve`: one command opens the house, every way of ending it is clean, and mistakes are named."""

import json
import os
import re
import signal
import socket
import stat
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from cards.catalog import card_sets
from cloche.main import main
from crypto.encoding import b64, unb64
from referee.sign_in import write_registration
from service import keys
from tests.stack import Stack
from tests.waiting import PATIENCE, until


def test_opens_says_where_to_go_and_closes_on_ctrl_c(open_stack) -> None:
    house: Stack = open_stack(first=True)
    text = house.serve.text()
    assert house.url in text
    docs = re.search(r"http\S+/api/docs", text)
    assert docs is not None
    assert httpx.get(docs[0], follow_redirects=True).status_code == 200
    assert house.get("/healthz").json() == {"status": "ok"}
    for file in (keys.FILE, "cloche.sqlite3", "log/serve.log"):
        assert stat.S_IMODE((house.data / file).stat().st_mode) == 0o600, file

    began = time.monotonic()
    os.killpg(house.serve.pid, signal.SIGINT)  # a terminal sends it to all processes
    assert house.serve.popen.wait(PATIENCE) == 0
    assert time.monotonic() - began < 20
    assert house.serve.text().rstrip().endswith("The house is closed.")
    assert "Traceback" not in house.serve.text()
    with pytest.raises(httpx.ConnectError):
        house.get("/healthz")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_open_connections_do_not_hold_it_up(open_stack, number: signal.Signals) -> None:
    house: Stack = open_stack()
    host, port = house.url.removeprefix("http://").split(":")
    with httpx.Client(base_url=house.url) as kept, socket.create_connection((host, int(port))) as silent:
        kept.get("/healthz")
        silent.send(b"GET /healthz HTTP/1.1\r\n")  # and never the rest
        began = time.monotonic()
        assert house.serve.stop(number) == 0
        assert time.monotonic() - began < 28  # none was waited for: an idle connection is kept for 30 seconds


def _ask(house: Stack, request: bytes) -> tuple[int, dict[str, str], dict[str, Any]]:
    """The answer to raw bytes: its status, headers in lower case, JSON."""
    host, port = house.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        head, _, body = b"".join(iter(lambda: line.recv(65_536), b"")).partition(b"\r\n\r\n")
    status, *lines = head.decode().splitlines()
    headers = {name.lower(): value for name, value in (each.split(": ", 1) for each in lines)}
    return int(status.split()[1]), headers, json.loads(body)


def test_what_can_not_be_read_as_http_is_a_problem_document_too(open_stack) -> None:
    house: Stack = open_stack()
    asked = {
        b"GET /" + b"x" * 5000 + b" HTTP/1.1\r\n\r\n": (414, "path_too_long"),
        b"GET / HTTP/1.1\r\nX-Long: " + b"x" * 9000 + b"\r\n\r\n": (431, "headers_too_large"),
        b"GET / HTTP/1.1\r\nbad header\r\n\r\n": (400, "bad_request"),
        b"<secret> / HTTP/1.1\r\n\r\n": (400, "bad_request"),
    }
    for request, (status, code) in asked.items():
        found, headers, problem = _ask(house, request)
        assert (found, problem["status"], problem["code"]) == (status, status, code)
        assert (headers["content-type"], headers["connection"]) == ("application/problem+json", "close")
        assert "secret" not in str(problem)


def test_a_connection_that_will_be_closed_is_said_to_be(open_stack) -> None:
    """A connection is closed after a body that nobody reads to its end.

    Else the next request on it would get no answer.
    """
    house: Stack = open_stack()
    with httpx.Client(base_url=f"{house.url}/api/v1") as client:
        for size in (100, 65_535, 65_536, 65_537, 200_000):
            answer = client.post("/decks", content=b"x" * size)  # by nobody who is signed in
            assert answer.status_code == (401 if size <= 65_536 else 413)
            assert answer.headers.get("Connection") == (None if size <= 65_536 else "close"), size
            assert client.get("/modes").status_code == 200, size


def _sign_in(house: Stack, handle: str) -> httpx.Client:
    """A new player of a house, signed in."""
    api = httpx.Client(base_url=f"{house.url}/api/v1", timeout=PATIENCE)
    body = {"handle": handle, "password": "a long password", "starter": min(card_sets.load().starters)}
    ours, house_key = keys.fresh(), unb64(api.get("/house").json()["house_key"], 32)
    proof = write_registration(ours.signing_key, house_key, handle)
    registered = api.post("/players", json={**body, "key": b64(ours.public), "proof": proof})
    assert registered.status_code == 201, registered.text
    issued = api.post("/tokens", json={"handle": handle, "password": body["password"]})
    api.headers["Authorization"] = f"Bearer {issued.json()['token']}"
    return api


def test_waiting_requests_are_answered_when_it_closes(open_stack) -> None:
    house: Stack = open_stack()
    with closing(_sign_in(house, "Anna")) as api, ThreadPoolExecutor(4) as waiting:
        table = api.post("/tables", json={"mode": "hearts", "seats": 3, "bots": ["random", "random"]})
        assert table.status_code == 201, table.text
        path = f"/games/{table.json()['game']}"
        polls = [
            waiting.submit(api.get, path, params={"after": 100_000, "wait": 25}, timeout=PATIENCE)
            for _ in range(4)
        ]
        assert not wait(polls, timeout=0.5).done
        began = time.monotonic()
        assert house.serve.stop() == 0
        assert time.monotonic() - began < 20  # none of them waited its 25 seconds out
        assert [poll.result().status_code for poll in polls] == [200] * 4


@pytest.mark.servers
def test_several_processes_serve_on_postgresql_with_a_worker_in_each(open_stack) -> None:
    house: Stack = open_stack("postgresql+redis", processes=2, worker=1)
    assert len(until(lambda: len(house.serve.children()) == 2 and house.serve.children())) == 2
    with closing(_sign_in(house, "Anna")) as api:
        assert {api.get("/me").status_code for _ in range(20)} == {200}
    house.stop()


def test_serves_again_after_kill_9(open_stack) -> None:
    house: Stack = open_stack()
    [before] = house.serve.children()
    house.kill9("api")
    until(lambda: house.serve.children() not in ([], [before]), what="a new process")
    until(lambda: house.get("/readyz").status_code == 200, 8, "an answer")
    assert house.serve.text().count("open at") == 1
    house.stop()


def test_opens_again_after_kill_9_of_all_of_it(open_stack) -> None:
    house: Stack = open_stack()
    public = keys.load(house.data).public
    house.kill9("house")
    house.start()
    assert keys.load(house.data).public == public
    house.stop()


def test_the_answering_process_ends_with_its_parent(open_stack) -> None:
    house: Stack = open_stack()
    [child] = house.serve.children()
    os.kill(house.serve.pid, signal.SIGKILL)
    house.serve.popen.wait(PATIENCE)

    def gone() -> bool:
        try:
            return Path(f"/proc/{child}/stat").read_text().split()[2] == "Z"
        except OSError:
            return True

    until(gone, what="the end of the process that answers")
    house.serve = None
    house.start()


def test_opens_again_at_once_where_its_parent_alone_was_killed(open_stack) -> None:
    """The process that answers notices within seconds, and holds the lock until then: it is waited for."""
    house: Stack = open_stack()
    os.kill(house.serve.pid, signal.SIGKILL)
    house.serve.popen.wait(PATIENCE)
    house.serve = None
    house.start()
    house.stop()


def test_a_second_house_on_the_same_database_is_refused(open_stack) -> None:
    house: Stack = open_stack()
    second = house.run("serve", "--port", "0")
    assert second.popen.wait(PATIENCE) == 1
    assert f"already open on {house.data}" in second.text()
    assert str(house.serve.pid) in second.text()
    assert house.url in second.text()
    assert house.get("/healthz").status_code == 200


def test_a_port_in_use_is_named(open_stack, tmp_path: Path) -> None:
    house: Stack = open_stack()
    port = house.url.rpartition(":")[2]
    result = CliRunner().invoke(
        main, ["serve", "--port", port, "--data", str(tmp_path / "other"), "--log", "-"]
    )
    assert result.exit_code == 1
    assert f"Port {port} on 127.0.0.1 is in use; choose another with --port or CLOCHE_PORT." in result.output


def test_house_keys_that_are_gone_are_not_replaced_without_a_word(open_stack) -> None:
    house: Stack = open_stack()
    _sign_in(house, "Anna").close()
    house.stop()

    (house.data / keys.FILE).rename(house.data / "aside.json")
    refused = house.run("serve", "--port", "0")
    assert refused.popen.wait(PATIENCE) == 1
    assert "Put them back from a backup" in refused.text()
    assert not (house.data / keys.FILE).exists()

    (house.data / "aside.json").rename(house.data / keys.FILE)
    house.start()
    house.stop()

    (house.data / keys.FILE).unlink()
    renewed = house.run("serve", "--port", "0", "--new-keys")
    renewed.says("open at")
    assert renewed.stop() == 0


def test_no_secret_of_the_house_is_printed_or_logged(open_stack) -> None:
    house: Stack = open_stack(log_level="debug")
    output = house.serve.output
    house.stop()
    secrets = [getattr(keys.load(house.data), name) for name in keys.SECRETS]
    written = output.read_text() + (house.data / "log" / "serve.log").read_text()
    for secret in secrets:
        assert b64(secret) not in written
        assert secret.hex() not in written


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"CLOCHE_DATABASE": "mysql://x/y"}, "CLOCHE_DATABASE"),
        ({"CLOCHE_BROKER": "nonsense", "CLOCHE_SWEEP_MS": "1"}, "CLOCHE_SWEEP_MS"),
        ({"CLOCHE_PORT": "70000"}, "70000"),
        ({"CLOCHE_WORKER": "0"}, "CLOCHE_BROKER"),
        ({"CLOCHE_WORKER": "0", "CLOCHE_BROKER": "redis://localhost"}, "SQLite is for one process"),
        ({"CLOCHE_PROCESSES": "2"}, "SQLite is for one process"),
        ({"CLOCHE_DATABASE": "postgresql://nobody:hush@127.0.0.1:1/none"}, "can't be used"),
        ({"CLOCHE_HOST": "no.such.host.invalid"}, "no address no.such.host.invalid"),
    ],
)
def test_mistakes_in_the_settings_are_named(tmp_path: Path, environment: dict[str, str], says: str) -> None:
    given = {"CLOCHE_DATA": str(tmp_path), "CLOCHE_PORT": "0", "CLOCHE_LOG": "-", **environment}
    result = CliRunner().invoke(main, ["serve"], env=given)
    assert result.exit_code in (1, 2)
    assert says in result.output
    assert "hush" not in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("name", ["CLOCHE_DATABASE", "CLOCHE_BROKER"])
def test_a_separate_worker_needs_real_servers(tmp_path: Path, name: str) -> None:
    given = {"CLOCHE_DATABASE": "postgresql://localhost/cloche", "CLOCHE_BROKER": "redis://localhost"}
    given.pop(name)
    result = CliRunner().invoke(main, ["worker", "--data", str(tmp_path)], env=given)
    assert result.exit_code == 2
    assert name in result.output


def test_help_lists_every_command_without_importing_one() -> None:
    from cloche.main import COMMANDS

    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    for name, (_, text) in COMMANDS.items():
        assert name in result.output
        assert text in " ".join(result.output.split())
        assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0
