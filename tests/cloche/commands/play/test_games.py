"""`cloche games`, and the short ids by which other commands take a game of the player's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cloche.commands.play.games import ended
from tests.client.guests import Guest
from tests.cloche.here_kit import House, Newcomer


@pytest.fixture
def player(here: House, newcomer: Newcomer) -> Guest:
    """A player who has given up two games alone."""
    guest = newcomer()
    with here.working():
        for _ in range(2):
            played = here.run("play", "flip", home=guest.folder, input="moves\nresign\ny\n")
            assert "by resignation" in played.output
    return guest


def test_games_are_listed_and_named_by_short_ids(here: House, player: Guest, tmp_path: Path) -> None:
    ids = [str(game["id"]) for game in player.api.games("over")]
    assert len(ids) == 2
    listed = here.run("games", home=player.folder).output
    assert [line.split()[0] for line in listed.splitlines()[1:3]] == [game[:8] for game in ids]
    assert "played alone" in listed
    assert [game["id"] for game in json.loads(here.run("games", "--json", home=player.folder).output)] == ids
    assert "No game of yours is running" in here.run("games", "--running", home=player.folder).stderr
    file = tmp_path / "record.json"
    for name, game in (("last", ids[0]), (ids[1][:6], ids[1]), (ids[1].upper()[:12], ids[1])):
        fetched = here.run("record", name, "--out", str(file), home=player.folder)
        assert fetched.exit_code == 0, fetched.output
        assert json.loads(file.read_text())["entries"][0]["body"]["game"] == game
        verified = here.run("verify", name, home=player.folder)
        assert (verified.exit_code, "is valid" in verified.output) == (0, True), verified.output
        shown = here.run("replay", name, home=player.folder, input="forward\nto end\n")
        assert (shown.exit_code, "by resignation" in shown.output) == (0, True), shown.output
    both = here.run("verify", "last", ids[1][:8], str(file), home=player.folder)
    assert (both.exit_code, both.output.count("is valid")) == (0, 3)


def test_a_name_that_fits_no_game_is_refused(
    here: House, player: Guest, newcomer: Newcomer, tmp_path: Path
) -> None:
    unknown = here.run("record", "ffff0000", home=player.folder)
    assert (unknown.exit_code, "[unknown_game]" in unknown.stderr) == (1, True), unknown.output
    for home, house in ((tmp_path, here.url), (player.folder, "http://127.0.0.1:2")):
        nobody = here.run("record", "last", "--house", house, home=home)
        assert (nobody.exit_code, "[not_signed_in]" in nobody.stderr) == (1, True), nobody.output
    own = here.run(
        "record", "last", "--house", here.url, "--out", str(tmp_path / "own.json"), home=player.folder
    )
    assert own.exit_code == 0, own.output
    none = here.run("verify", "last", home=newcomer().folder)
    assert (none.exit_code, "[no_game]" in none.stderr) == (1, True), none.output
    assert here.run("verify", "no-such-file.json", home=player.folder).exit_code == 2


def test_a_list_with_nothing_in_it_is_a_sentence(here: House, newcomer: Newcomer) -> None:
    for command in (
        ["games"],
        ["tables", "list"],
        ["tables", "list", "--mine"],
        ["tables", "live"],
        ["market", "prices"],
        ["market", "wishes"],
        ["webhooks", "list"],
    ):
        told = here.run(*command, home=newcomer().folder)
        assert told.exit_code == 0, told.output
        assert told.stdout == "", command
        assert told.stderr.strip().split("`")[0].strip()[-1] in ".;", told.stderr


def test_the_player_s_points_stand_first() -> None:
    outcome = {"winners": [1], "points": [7, 30, 12], "reason": "points"}
    assert ended({"seat": 1, "outcome": outcome}) == "won, 30 : 7 : 12"
    assert ended({"seat": 2, "outcome": outcome | {"reason": "resigned"}}) == "lost, 12 : 7 : 30 (resigned)"
