"""The properties of every game: snapshots, folds, views, verification. The record is the truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from cards.games.contract import State
from referee import Entry, Game, Message, Refused, apply, close, dump_game, load_game, view, waits
from referee.checks import Trusting
from tests.referee.forger import Crook, report
from tests.referee.table import Table, quietly

TRUSTING = Trusting()
CHEF, HEARTS, BIG_C = range(7), range(5), range(1, 2)
MOST = {"chef": 150, "hearts": 150, "big-c": 60}
"""Steps of a game; then seat 0 resigns, so that long games don't make long tests."""


def made(mode: str, seed: int) -> Table:
    """A table whose seats are now and then silent; each seed its own temper."""
    if mode == "big-c":  # everything is dealt, so that cards are shuffled again beside those in hands
        table = Table.open("big-c", 4, options={"hand": 27}, seed=seed)
    else:
        table = Table.chef(seed) if mode == "chef" else Table.hearts(3 + seed % 4, seed, first(seed))
    silence = ((0, 0.2, 0.4) if mode == "chef" else (0, 0.02, 0.08))[seed % 3]

    def silent(table: Table, seat: int) -> bool:
        return table.game.deals > 0 and table.rng.random() < silence

    table.silent = silent
    return table


def first(seed: int) -> dict[str, str]:
    return {"first": "random" if seed % 2 else "first"}


def interrupt(table: Table) -> None:
    """Now and then somebody offers a draw, or resigns."""
    if table.game.over or table.rng.random() > 0.03:
        return
    seat = table.rng.randrange(len(table.seats))
    act = table.seats[seat].resign if table.rng.random() < 0.1 else table.seats[seat].offer_draw
    try:
        table.send(act(table.views[seat]))
    except Refused as refused:
        if refused.code not in ("too_early", "already_offered"):
            raise


@cache
def frames(mode: str, seed: int) -> tuple[Table, ...]:
    """The table after every step of a random game, resigned in the end if it takes too long."""
    table = made(mode, seed)
    taken = [table.copy()]
    while not table.game.over:
        if len(taken) > MOST[mode] and table.game.deals > 0:
            table.send(table.seats[0].resign(table.views[0]))
        else:
            table.step()
            interrupt(table)
        taken.append(table.copy())
    return tuple(taken)


def game(mode: str, seed: int) -> Table:
    """A whole random game."""
    return frames(mode, seed)[-1]


def stored(game: Game) -> Game:
    """The game as its row gives it back."""
    return load_game(json.loads(json.dumps(dump_game(game))), game.header)


def refolded(table: Table) -> Iterator[Game]:
    """The record folded from scratch as the house folds it, with its links: the game after each entry."""
    fold: Game | None = None
    for entry in table.record:
        secret = None
        if entry.kind == "deal" and entry.body["link"] is None:
            secret = table.keeper.chain.link(entry.body["deal"])
        fold = apply(fold, entry, TRUSTING, secret)
        yield fold


SEEDS = {"chef": CHEF, "hearts": HEARTS, "big-c": BIG_C}
games = pytest.mark.parametrize(
    ("mode", "seed"),
    [
        pytest.param(mode, seed, marks=[pytest.mark.long] if seed > 2 else [])
        for mode, seeds in SEEDS.items()
        for seed in seeds
    ],
)
"""The games of the test: of each mode every temper; the other seeds at length."""


@games
def test_the_snapshot_is_the_fold_at_every_step(mode: str, seed: int) -> None:
    table = game(mode, seed)
    for fold in refolded(table):
        assert stored(fold) == fold
        assert dump_game(stored(fold)) == dump_game(fold)
    assert fold == table.game
    assert dump_game(fold) == dump_game(table.game)


def public(game: Game) -> tuple[Any, ...]:
    """Return what every fold of a record agrees on."""
    return (
        game.seq,
        game.digest,
        game.at,
        game.step,
        game.seats,
        game.asking,
        game.choices,
        game.links,
        game.deals,
        game.house_newest,
        game.seed,
        game.phase,
        game.outcome,
        game.over,
        game.unshown,
        game.firsts,
        game.past_links,
        game.closed,
        game.recent,
        game.state.board,
    )


@games
def test_every_fold_agrees(mode: str, seed: int) -> None:
    for table in frames(mode, seed):
        expected = public(table.game)
        for fold in (table.spectator, *table.views):
            assert public(fold) == expected
            known = fold.state.faces
            assert all(table.game.state.faces.get(p, face) == face for p, face in known.items())


@games
def test_every_record_is_valid(mode: str, seed: int) -> None:
    table = game(mode, seed)
    found = report(table.record)
    assert found.valid, found.fault
    assert found.game == table.spectator
    assert found.game is not None
    assert found.game.trail is None, "once the links are out, the record alone tells all"
    if mode == "hearts" and found.game.deals > 0 and found.game.unshown == ():
        assert found.game.state.faces == table.game.state.faces


@games
def test_a_game_goes_on_from_its_snapshot_alone(mode: str, seed: int) -> None:
    """Recovery: the house forgets everything but the row, at every step."""
    straight = game(mode, seed)
    table = made(mode, seed)
    steps = 0
    while not table.game.over:
        table.game = stored(table.game)
        if steps >= MOST[mode] and table.game.deals > 0:
            table.send(table.seats[0].resign(table.views[0]))
        else:
            table.step()
            table.game = stored(table.game)
            interrupt(table)
        steps += 1
    kinds = [(entry.step, entry.actor, entry.kind) for entry in table.record]
    assert kinds == [(entry.step, entry.actor, entry.kind) for entry in straight.record]
    assert report(table.record).valid


@games
def test_closing_again_appends_nothing(mode: str, seed: int) -> None:
    for table in frames(mode, seed)[::3]:
        now = table.now
        assert close(table.keeper, table.game, table.waiting, now) == (table.game, [])
        if table.game.asking is None:
            continue
        late = table.game.asking.deadline + 1
        after, entries = close(table.keeper, table.game, table.waiting, late)
        assert entries
        assert close(table.keeper, after, {}, late) == (after, [])
        assert close(table.keeper, table.game, table.waiting, late) == (after, entries)


def held(table: Table) -> list[Message]:
    return list(table.waiting.values())


@games
def test_held_messages_are_nowhere_before_their_step_closes(mode: str, seed: int) -> None:
    """TOGETHER moves and reveals: not in the record, not in the game, not in anybody's view."""
    met = 0
    for table in frames(mode, seed):
        for message in held(table):
            met += 1
            assert waits(table.game, message)
            assert all(entry.player_signature != message.signature for entry in table.record)
            text = json.dumps([view(table.game, seat) for seat in (None, 0, 1)])
            text += json.dumps(dump_game(table.game))
            for opening in message.body.get("openings", []):
                assert opening["blinding"] not in text
            if message.kind == "reveal":
                assert message.body["blinding"] not in text
            assert message.seat not in table.game.choices
    assert met == 0 if mode == "hearts" else met > 0 or table.game.deals == 0


def other_seats(table: Table, seat: int | None) -> list[int]:
    return [other for other in range(len(table.seats)) if other != seat]


@games
def test_a_view_shows_no_hidden_face(mode: str, seed: int) -> None:
    for table in frames(mode, seed):
        for seat in (None, *range(len(table.seats))):
            shown = view(table.game, seat)
            assert json.loads(json.dumps(shown)) == shown
            faces = {int(position) for position in shown["state"]["faces"]}
            board = table.game.state.board
            if mode == "chef":
                assert faces <= board.opened, "the house knows no other card"
                assert table.game.state.faces.keys() == board.opened
                continue
            for other in other_seats(table, seat):
                if board.hands:
                    shown_to_all = table.game.rules.sees(table.game.state, None)
                    assert not faces & (board.hands[other] - shown_to_all)


@pytest.mark.parametrize(
    "seed", [*HEARTS[:3], *(pytest.param(n, marks=pytest.mark.long) for n in HEARTS[3:])]
)
def test_hidden_cards_change_nothing_that_others_see(seed: int) -> None:
    """Twin games that differ in two cards of others' hands look alike."""
    rng, met = Random(seed), 0
    for table in frames("hearts", seed):
        game = table.game
        for seat in (None, *range(len(table.seats))):
            hidden = sorted(game.state.faces.keys() - game.rules.sees(game.state, seat))
            if len(hidden) < 2:
                continue
            one, other = rng.sample(hidden, 2)
            faces = dict(game.state.faces)
            faces[one], faces[other] = faces[other], faces[one]
            twin = replace(game, state=State(game.state.board, faces))
            met += 1
            assert view(twin, seat) == view(game, seat)
    assert met or table.game.deals == 0


def test_a_match_looks_alike_whatever_is_in_the_decks() -> None:
    """Two matches whose hidden cards differ: all that others see differs by points and digests alone."""
    shapes = []
    for seed in (1, 2):
        table = Table.chef(seed)
        table.choose = quietly
        for _ in range(6):
            table.answer(0, 1)
        shapes.append([(e.seq, e.step, e.actor, e.kind, sizes(e)) for e in table.record])
    assert shapes[0] == shapes[1]


def sizes(entry: Entry) -> dict[str, int]:
    """Return the length of each field of a body."""
    return {name: len(str(value)) for name, value in entry.body.items() if name in ("seal", "proof", "link")}


@games
def test_times_never_run_back_and_deadlines_are_kept(mode: str, seed: int) -> None:
    table = game(mode, seed)
    asking = None
    for before, entry in zip(refolded(table), table.record[1:], strict=False):
        asking = before.asking
        assert entry.at >= before.at
        if entry.kind == "timeout":
            assert asking is not None
            assert entry.at > asking.deadline
        elif entry.kind in ("enter", "ready", "link", "seal"):
            assert asking is not None
            assert entry.at <= asking.deadline


@games
def test_steps_are_numbered_one_by_one(mode: str, seed: int) -> None:
    """Each ask, each step of links and each deal has the next number; the rest bears the newest."""
    steps = [fold.step for fold in refolded(game(mode, seed))]
    assert steps[0] == 0
    assert all(after - before in (0, 1, 2) for before, after in pairwise(steps))


@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_a_late_snapshot_judges_like_the_fold(mode: str) -> None:
    """Messages are refused alike by the game and by what its row gives back."""
    for table in frames(mode, 1)[:60]:
        for seat in table.asked():
            message = table.message(seat)
            fold = stored(table.game)
            crook = Crook.of(table)
            if waits(table.game, message):
                assert waits(fold, message)
                continue
            entry = crook.enter(message, table.now)
            assert apply(fold, entry, TRUSTING) == apply(table.game, entry, TRUSTING)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["chef", "hearts"])
def test_games_of_fresh_seeds(mode: str) -> None:
    for _ in range(40):
        seed = Random().randrange(10**9)
        table = game(mode, seed)
        assert report(table.record).valid, seed
        for fold in refolded(table):
            assert stored(fold) == fold, seed
