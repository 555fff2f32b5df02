"""Commands of each group as a player starts them: processes of their own, a house on the network."""

from __future__ import annotations

import re
from pathlib import Path

from client.vault import FILE, Vault
from crypto.encoding import b64
from tests.client.guests import PASSPHRASE
from tests.cloche.here_kit import player_environment
from tests.stack import Process, Stack
from tests.waiting import PATIENCE


def test_a_player_of_a_house_on_the_network(open_stack, tmp_path: Path) -> None:
    house: Stack = open_stack()
    home = tmp_path / "home"
    environment = {**house.environment, **player_environment(home)}

    def run(*arguments: str) -> str:
        process = Process(list(arguments), environment, tmp_path / "output")
        status = process.popen.wait(PATIENCE)
        assert status == 0, process.text()
        return process.text()

    assert "Welcome, ada." in run("register", "ada", "--house", house.url, "--starter", "trattoria")
    assert "Corner Trattoria" in run("decks", "list")
    assert "(bound)" in run("collection", "copies")
    assert "welcome (bound)" in run("boosters", "list")
    assert "No offers." in run("market", "list")
    assert "PB" in run("sets", "list")
    opened = run("tables", "open", "hearts", "--against", "random", "--against", "random")
    game = re.findall(r"Game (\S+)\.", opened)[0]
    record = tmp_path / "record.json"
    run("record", game, "--out", str(record))
    key = Vault.open(home / FILE, PASSPHRASE).identity.house_key
    assert "is valid" in run("verify", str(record), "--unfinished", "--house", b64(key))
