"""`cloche tables`, and a match of two people by invitation, as players meet them."""

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import Result

from cloche.commands.qr import qr_code
from tests.cloche.here_kit import House, invoke, player_environment
from tests.stack import Stack
from tests.waiting import PATIENCE, until

Run = Callable[..., Result]
CODE = r"(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack("embedded", tmp_path_factory.mktemp("house")) as stack:
        yield stack


def player(house: Stack | House, home: Path, handle: str) -> Run:
    """Registers somebody; `run("tables", "list")` runs a command as them."""

    def run(*arguments: str, columns: int = 200) -> Result:
        given = {**player_environment(home), "CLOCHE_HOUSE": house.url, "COLUMNS": str(columns)}
        return invoke(arguments, given, obj=house.transport)

    registered = run("register", handle)
    assert registered.exit_code == 0, registered.output
    return run


def test_tables_are_opened_shown_left_and_cancelled(here: House, tmp_path: Path) -> None:
    ann = player(here, tmp_path / "ann", "ann-1")
    bob = player(here, tmp_path / "bob", "bob-1")
    made = ann("tables", "open", "hearts", "--private", "--against", "careful")
    assert made.exit_code == 0, made.output
    table, code = re.findall(r"Table (\S+):", made.stdout)[0], re.findall(CODE, made.stdout)[0]
    assert "Only its players see the game." in made.stdout
    assert table not in bob("tables", "list").stdout
    assert table in ann("tables", "list", "--mine").stdout
    assert "private" in ann("tables", "list", "--mine").stdout

    hidden = bob("tables", "show", table)
    assert (hidden.exit_code, "[not_found]" in hidden.stderr) == (1, True)
    shown = bob("tables", "show", "--invitation", code.lower())
    assert shown.exit_code == 0
    assert "Seats: ann-1, careful (house), free." in shown.stdout
    assert "enter = 1 minute  Time to enter" in shown.stdout
    assert "bank = none  Time that each seat may think" in shown.stdout
    assert code not in shown.stdout
    drawn = bob("tables", "show", "--invitation", code, "--qr").stdout
    assert f"{here.url}/#/invite/{code}\n\n{qr_code(f'{here.url}/#/invite/{code}')}" in drawn
    assert bob("tables", "show").exit_code == 2

    for_two = ann("tables", "open", "flip", "--private").stdout  # which is for one, too
    assert "Seats: ann-1, free." in for_two
    assert ann("tables", "cancel", re.findall(r"Table (\S+):", for_two)[0]).exit_code == 0

    open_to_all = ann("tables", "open", "hearts", "--option", "card=300", "--option", "absent=play").stdout
    public = re.findall(r"Table (\S+):", open_to_all)[0]
    assert "Everybody may watch." in open_to_all
    assert f"{here.url}/#/table/{public}\n" in ann("tables", "show", public, "--qr").stdout
    options = ann("tables", "show", public).stdout
    assert "card = 5 minutes  " in options
    assert "absent = play  " in options
    assert "[unknown_option]" in ann("tables", "open", "hearts", "--option", "speed=9").stderr
    assert "[bad_option]" in ann("tables", "open", "hearts", "--option", "card").stderr
    assert public in bob("tables", "list", "--mode", "hearts").stdout
    refused = bob("tables", "cancel", public)
    assert (refused.exit_code, "[not_your_table]" in refused.stderr) == (1, True)
    assert "[not_seated]" in bob("tables", "leave", public).stderr
    for mine in (table, public):
        assert ann("tables", "cancel", mine).exit_code == 0
    assert public not in bob("tables", "list").stdout
    begun = ann("tables", "open", "hearts", "--against", "random", "--against", "random").stdout
    game = re.findall(r"Game (\S+)\.", begun)[0]
    assert game in bob("tables", "live").stdout
    assert game in bob("tables", "live", columns=60).stdout, "an id is never cut"


def test_a_table_may_be_for_decks_of_a_format(here: House, tmp_path: Path) -> None:
    ann = player(here, tmp_path / "ann", "ann-3")
    refused = ann("tables", "open", "chef", "--format", "one-of-each")
    assert (refused.exit_code, "[deck_illegal]" in refused.stderr) == (1, True)
    assert "[restricted_card] /cards/" in refused.stderr
    assert "asks for the format One of Each" in refused.stderr
    assert "[unknown_format]" in ann("tables", "open", "chef", "--format", "nonsuch").stderr
    assert "[unknown_format]" in ann("play", "chef", "--format", "nonsuch").stderr
    made = ann("tables", "open", "chef", "--format", "open")
    assert "For decks of the format open." in made.stdout
    table = re.findall(r"Table (\S+):", made.stdout)[0]
    [line] = [line for line in ann("tables", "list").stdout.splitlines() if table in line]
    assert line.split()[:4] == [table, "chef", "open", "1"]
    assert ann("tables", "cancel", table).exit_code == 0


def test_what_can_not_be_read_as_a_request_is_not_quoted_in_the_log(house: Stack) -> None:
    address = urlsplit(house.url)
    host, port = str(address.hostname), int(address.port or 0)
    code, token = "7K3M-9QXT-2B4C-HJ8W", "cloche_not-a-real-token"
    for sent in (
        f"GET /api/v1/invitations/{code} and more HTTP/1.1\r\n\r\n",
        f"GET /api/v1/me HTTP/1.1\r\nAuthorization Bearer {token}\r\n\r\n",
        f"GET /api/v1/invitations/{code} HTTP/9.9\r\n\r\n",
    ):
        with socket.create_connection((host, port), timeout=PATIENCE) as connection:
            connection.sendall(sent.encode())
            assert b" 400 " in connection.recv(65536)

    def refused() -> list[str]:
        return [line["event"] for line in house.log() if line["event"] == "Invalid HTTP request received."]

    until(lambda: len(refused()) == 3, what="three lines in the log")
    written = json.dumps(house.log())
    assert code not in written
    assert token not in written


def test_two_people_play_by_invitation(house: Stack, tmp_path: Path) -> None:
    player(house, tmp_path / "ann", "ann-2")
    bob = player(house, tmp_path / "bob", "bob-2")
    command = [sys.executable, "-m", "cloche", "bot", "--private", "--bot", "random", "--draw-after", "1"]
    here = {**os.environ, **player_environment(tmp_path / "ann"), "CLOCHE_HOUSE": house.url}
    with subprocess.Popen(
        command, env=here, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as waiting:
        assert waiting.stderr is not None
        code = next(found[0] for line in waiting.stderr if (found := re.findall(CODE, line)))
        assert code not in bob("tables", "list").output
        wrong = bob("bot", "--invitation", "0000-0000-0000-0000")
        assert (wrong.exit_code, "[not_found]" in wrong.stderr) == (1, True)
        played = bob("bot", "--invitation", code.lower(), "--bot", "random", "--draw-after", "1")
        out, _ = waiting.communicate(timeout=PATIENCE)
    assert played.exit_code == waiting.returncode == 0, played.output
    assert "A draw" in played.stdout
    assert "(agreed)" in out
