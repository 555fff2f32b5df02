"""A house that goes on from its own entries: it resumes a game, and hands on what it has just examined."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cards import games
from referee import Game, Refused, accept, apply, dump_game, load_game, resume, waits
from referee.checks import AtOnce
from referee.validation import examine
from tests.referee.table import Table


def table_of(mode: str) -> Table:
    """A table of a mode before its first message."""
    if mode == "chef":
        return Table.chef(5)
    return Table.open(mode, min(games.find(mode).facts.seats), seed=5)


def followed(table: Table, steps: int) -> list[Game]:
    """The house's folds after each step of a game, from now on."""
    found = [table.game]
    for _ in range(steps):
        if table.game.over:
            break
        table.step()
        found.append(table.game)
    return found


@pytest.mark.parametrize("mode", games.names())
def test_a_fold_resumes_with_the_entries_that_followed(mode: str) -> None:
    # Secret deals are among them: the fold knows their faces by the house's own chain.
    table = table_of(mode)
    folds = followed(table, 40)
    for early in folds[:: max(1, len(folds) // 6)]:
        for late in (folds[-1], folds[len(folds) // 2]):
            if late.seq < early.seq:
                continue
            resumed = resume(table.keeper, early, table.record[early.seq + 1 : late.seq + 1])
            assert resumed == late
            assert dump_game(resumed) == dump_game(late)
    loaded = load_game(dump_game(folds[0]), folds[0].header)
    assert dump_game(resume(table.keeper, loaded, table.record[folds[0].seq + 1 :])) == dump_game(folds[-1])


def test_a_fold_resumes_with_nothing_that_does_not_follow() -> None:
    table = table_of("hearts")
    folds = followed(table, 12)
    first, rest = folds[0], table.record[folds[0].seq + 1 :]
    assert resume(table.keeper, first, []) is first
    for wrong in (rest[1:], [replace(rest[0], prev=bytes(64)), *rest[1:]], [*rest[:1], *rest[:1]]):
        with pytest.raises(Refused) as refused:
            resume(table.keeper, first, wrong)
        assert refused.value.code == "broken_chain"


class Counting(AtOnce):
    """Checks at once, and counts."""

    def __init__(self) -> None:
        self.signatures = 0

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        self.signatures += 1
        return super().signature(key, digest, signature)


@pytest.mark.parametrize("mode", games.names())
def test_a_message_that_was_examined_is_accepted_alike_and_not_examined_again(mode: str) -> None:
    table, kinds = table_of(mode), set[str]()
    for _ in range(25):
        asked = table.asked()
        if not asked:
            break
        message, game, counting = table.message(asked[0]), table.game, Counting()
        passed = examine(game, message, counting, table.now)
        assert counting.signatures == 1
        handed = accept(table.keeper, game, message, table.now, counting, passed)
        assert counting.signatures == 1
        assert handed == accept(table.keeper, game, message, table.now)
        if not waits(game, message):
            entry = handed[1][0]
            assert apply(game, entry, secret_link=None, passed=passed) == apply(game, entry)
        kinds.add(message.kind)
        table.send(message)
    assert {"enter", "ready", "link", "move"} <= kinds
