"""Finding somebody to play with at the terminal: challenges, the queue, a bot where nobody comes."""

from __future__ import annotations

import re

import pytest

from cloche.commands.play import opponents
from service.operations import queue
from tests.cloche.here_kit import House, Newcomer


def test_a_challenge_is_made_listed_and_accepted(here: House, newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    name = str(bob.api.me()["handle"])
    made = here.run("challenge", name, "chef", "--rated", "--pace", "3-days", home=ann.folder)
    assert made.exit_code == 0, made.output
    assert f"challenges {name} to a rated game" in made.output
    (challenge,) = bob.api.challenges()
    listed = here.run("challenge", home=bob.folder).output
    assert str(challenge["id"]) in listed
    taken = here.run("challenge", "--accept", str(challenge["id"]), home=bob.folder)
    assert (taken.exit_code, "accepted" in taken.output) == (0, True), taken.output
    assert next(ann.api.games("running"))["id"] in taken.output
    assert "No challenge is open" in here.run("challenge", home=bob.folder).stderr


def test_challenges_are_declined_and_withdrawn(here: House, newcomer: Newcomer) -> None:
    ann, bob = newcomer(), newcomer()
    name = str(bob.api.me()["handle"])
    for verb, player in (("--decline", bob), ("--withdraw", ann)):
        made = here.run("challenge", name, "big-c", home=ann.folder)
        (found,) = re.findall(r"Challenge (\S+)\.", made.output)
        closed = here.run("challenge", verb, found, home=player.folder)
        assert (closed.exit_code, closed.output.count(verb[2:6])) == (0, 1), closed.output
    for arguments in ([name], [name, "big-c", "--accept", "x"], ["--accept", "x", "--decline", "y"]):
        assert here.run("challenge", *arguments, home=ann.folder).exit_code == 2


def test_two_who_wait_meet(here: House, newcomer: Newcomer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "LOOK_EVERY", 0.1)
    ann, bob = newcomer(), newcomer()
    assert bob.api.waiting() is None
    bob.api.wait_for_opponent("big-c", rated=True)
    with here.working():
        done = here.run("queue", "big-c", home=ann.folder)
    assert done.exit_code == 0, done.output
    game = next(bob.api.games("running"))
    assert f"`cloche play --game {game['id']}`" in done.output
    assert bob.api.waiting() is None


def test_where_nobody_comes_a_bot_plays(
    here: House, newcomer: Newcomer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "BOT_AFTER_MS", 0)
    ann = newcomer()
    done = here.run("queue", "big-c", "--bot", home=ann.folder)
    assert (done.exit_code, "plays with you" in done.output) == (0, True), done.output
    assert ann.api.waiting() is None
    assert next(ann.api.games("running"))["id"] in done.output
