"""Ratings at the terminal: one's own, a season's, and the operator's check of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from service.models import Player, RatingChange, RatingRow, TimesServed
from service.operations.ratings import SEASON_GAMES
from tests.client.guests import Guest
from tests.cloche.here_kit import House, Newcomer
from tests.service.rating_kit import finished


@pytest.fixture
def two(here: House, newcomer: Newcomer) -> tuple[Guest, Guest]:
    """Two players; the first has beaten the second as often as a day allows, and a leaderboard asks for."""
    guests = newcomer(), newcomer()
    ids = [guest.api.me()["id"] for guest in guests]
    with here.runtime.read() as session:
        players = [session.get_one(Player, one) for one in ids]
    for _ in range(SEASON_GAMES):
        finished(here.runtime, players, [0])
    return guests


def test_ratings_and_a_season_are_shown(here: House, two: tuple[Guest, Guest], tmp_path: Path) -> None:
    winner, loser = two
    own = here.run("rating", home=winner.folder)
    assert own.exit_code == 0, own.output
    assert own.output.splitlines()[1].split()[-4:] == ["5", "0", "0", "provisional"]
    handle = str(winner.api.me()["handle"])
    assert here.run("rating", handle.upper(), home=loser.folder).output == own.output
    board = here.run("leaderboard", "big-c", home=loser.folder).output
    assert board.index(handle) < board.index(str(loser.api.me()["handle"]))
    met = here.run("rating", "--opponents", "big-c", home=winner.folder).output
    assert str(loser.api.me()["handle"]) in met
    file = tmp_path / "chart.svg"
    drawn = here.run("rating", "--mode", "big-c", "--chart", str(file), home=winner.folder)
    assert drawn.exit_code == 0, drawn.output
    assert "5 games; now" in file.read_text()
    assert here.run("rating", "--mode", "big-c", home=winner.folder).exit_code == 2
    game = winner.api.game_rating(str(next(winner.api.games())["id"]))
    assert (game["rated"], len(game["changes"])) == (True, 2)
    assert len(list(winner.api.rating_history(handle, "big-c"))) == SEASON_GAMES
    assert winner.api.seasons()["now"] in winner.api.seasons()["items"]


def test_who_has_no_rated_game_is_told_so(here: House, newcomer: Newcomer) -> None:
    folder = newcomer().folder
    assert "has played no rated game yet" in here.run("rating", home=folder).stderr
    assert "Nobody has played enough" in here.run("leaderboard", "flip", home=folder).stderr
    unknown = here.run("leaderboard", "big-c", "--season", "soon", home=folder)
    assert (unknown.exit_code, "[not_found]" in unknown.stderr) == (1, True), unknown.output


def test_results_by_deck_and_favourite_dishes_are_listed(here: House, two: tuple[Guest, Guest]) -> None:
    """The owner sees a private deck by name; the other sees that there were games."""
    winner, loser = two
    deck, handle = winner.deck, str(winner.api.me()["handle"])
    with here.runtime.write() as session:
        me = session.exec(select(Player).where(Player.handle == handle)).one()
        dish = TimesServed(player_id=me.id, dish="1156-1027", times=7, at=here.runtime.now())
        session.add(dish)
    assert "no rated game of this mode" in here.run("rating", "--decks", "chef", home=winner.folder).stderr
    with here.runtime.write() as session:
        session.execute(update(RatingChange).values(deck_id=deck.id))
    own = here.run("rating", "--decks", "big-c", home=winner.folder).output
    assert re.search(rf"{deck.name} +private +5 +5 +0 +0", own), own
    shown = here.run("rating", handle, "--decks", "big-c", home=loser.folder).output
    assert deck.name not in shown
    assert re.search(r"others +5 +5 +0 +0", shown), shown
    dishes = here.run("rating", handle, "--dishes", home=loser.folder).output
    assert re.search(r"^7 ", dishes, re.MULTILINE), dishes
    assert "has served no dish yet" in here.run("rating", "--dishes", home=loser.folder).stderr
    both = here.run("rating", "--dishes", "--decks", "chef", home=loser.folder)
    assert both.exit_code == 2
    operator = {
        "CLOCHE_DATABASE": here.runtime.settings.database,
        "CLOCHE_DATA": str(here.runtime.settings.data),
    }
    said = here.run("ratings", "recompute", "--check", home=winner.folder, environment=operator)
    assert (said.exit_code, "1156-1027: is miscounted" in said.output) == (1, True), said.output
    assert here.run("ratings", "recompute", home=winner.folder, environment=operator).exit_code == 0
    again = here.run("ratings", "recompute", "--check", home=winner.folder, environment=operator)
    assert again.exit_code == 0, again.output
    assert "has served no dish yet" in here.run("rating", "--dishes", home=winner.folder).stderr


def test_the_operator_checks_the_ratings_and_puts_them_right(here: House, two: tuple[Guest, Guest]) -> None:
    winner = two[0]
    settings = here.runtime.settings
    operator = {"CLOCHE_DATABASE": settings.database, "CLOCHE_DATA": str(settings.data)}

    def run(*more: str) -> tuple[int, str]:
        done = here.run("ratings", "recompute", *more, home=winner.folder, environment=operator)
        return done.exit_code, done.output

    code, said = run("--check")
    assert (code, said.startswith("The ratings are right: ")) == (0, True), said
    own = winner.api.me()["id"]
    with here.runtime.write() as session:
        mine = update(RatingRow).where(col(RatingRow.player_id) == own)
        session.execute(mine.values(wins=99))
    code, said = run("--check")
    assert code == 1
    assert "wins is 99, not 5" in said
    assert "The ratings are wrong: 1 figure" in said
    code, said = run()
    assert (code, "put right: 1 figure" in said) == (0, True), said
    assert run()[1].startswith("The ratings are right: ")
    signals = here.run("ratings", "signals", home=winner.folder, environment=operator)
    assert (signals.exit_code, "Nothing is unusual." in signals.stderr) == (0, True), signals.output
