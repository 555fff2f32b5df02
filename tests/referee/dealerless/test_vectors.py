"""The published games without a dealer: entries and snapshots go on, and falsified entries are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import Refused, apply, dump_game, load_game, read_entry
from referee.checks import Remembering
from referee.game import Game
from referee.verify import entry_field
from tests.referee.published_kit import entries, games, published

RECORDS = tuple(f"record_dealerless_{mode}" for mode in ("hearts", "cribbage", "flip", "big_c"))
BAD = published("bad_dealerless")


def again(game: Game) -> Game:
    """The game from its snapshot."""
    return load_game(json.loads(json.dumps(dump_game(game))), game.header)


@pytest.mark.parametrize("record", RECORDS)
def test_a_snapshot_goes_on_as_the_fold_does(record: str) -> None:
    checks, (first, *others) = Remembering(), entries(record)
    game = apply(None, first, checks)
    for entry in others:
        loaded = again(game)
        game = apply(game, entry, checks)
        assert apply(loaded, entry, checks) == game, entry.seq
    assert game.over


@pytest.mark.parametrize("vector", BAD, ids=[vector["name"] for vector in BAD])
def test_an_entry_that_must_be_refused(vector: dict[str, Any]) -> None:
    *before, last = vector["input"]["entries"]
    game = games(vector["input"]["record"])[vector["input"]["keep"]]
    for entry in before:
        game = apply(game, read_entry(entry))
    with pytest.raises(Refused) as caught:
        apply(game, read_entry(last))
    said, found = vector["output"], caught.value
    assert found.code == said["refused"]
    if said["refused"] != "bad_actor":
        assert entry_field(found.pointer) == said["pointer"]
    assert found.section in ("", said["section"])
    assert found.text
