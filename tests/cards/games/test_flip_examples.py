"""The worked examples of Pancakes (flip), each run through the rules' own code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cards.games.contract import Outcome
from cards.games.flip import score
from cards.games.flip.griddle import flipped, placed, serving
from tests.cards.games.flip_table import FLIP, Layout, codes, table, transfer

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "cases_pancakes.json").read_text())["cases"]


def text(layout: Layout, stack: Any) -> list[str]:
    return [layout.faces[c] if c >= 0 else f"#{layout.faces[~c]}" for c in stack]


def place(given: dict[str, Any]) -> dict[str, Any]:
    """Play a card from the hand on a Stack; nothing fits on any other Stack."""
    state = table([given["stack"]], [given["card"], "KC"], ["QC"])
    position = min(state.board.hands[0])
    move = {"play": position, "card": given["card"], "stack": 1}
    if FLIP.legal(state, 0).refusal(move):
        return {"stack": None}
    after = FLIP.play(state, {0: move})
    layout = Layout()
    layout.faces = dict(state.faces)
    assert codes(after)[0] == text(layout, placed(state.board.griddle[0], position, state.faces))
    return {"stack": codes(after)[0]}


def moved(given: dict[str, Any]) -> dict[str, Any]:
    stacks = given["griddle"]
    state = table(stacks, ["KC"], ["QC"])
    source, target = stacks[given["src"]][-1], given["dst"] + 1
    if source.startswith("#"):
        position = ~state.board.griddle[given["src"]][-1]
    else:
        position = state.board.griddle[given["src"]][-1]
    move = {"transfer": position, "card": source.removeprefix("#"), "stack": target}
    if FLIP.legal(state, 0).refusal(move):
        return {"griddle": None}
    return {"griddle": codes(transfer(state, source, target))[: len(stacks)]}


def draw(given: dict[str, Any]) -> dict[str, Any]:
    state = table(given["griddle"], given["hand"], ["QC"], pile=given["pile"])
    return {"allowed": {"draw": True} in FLIP.legal(state, 0)}


def may_forfeit(given: dict[str, Any]) -> dict[str, Any]:
    pile = ["KC", "KD", "KH"][: given["pile"]]
    state = table(given["griddle"], given["hand"], ["QC"], pile=pile)
    return {"ok": {"forfeit": True} in FLIP.legal(state, 0)}


def served(given: dict[str, Any]) -> dict[str, Any]:
    layout = Layout()
    stack = layout.stack(given["stack"])
    ok = serving(stack, layout.faces)
    return {"ok": ok, "after": text(layout, stack[:-4]) if ok else None}


def passes(given: dict[str, Any]) -> dict[str, Any]:
    """Play turns of players whose cards fit nowhere. A player who acts moves a card between Stacks."""
    hands = [["KC", "QC"], ["KD", "QD"], ["KH", "QH"]][: given["players"]]
    state = table([["#2C", "#3C", "2S"], ["#2D", "2H"]], *hands)
    events: list[list[Any]] = []
    for number, turn in enumerate(given["turns"]):
        before = state.board
        if turn == "pass":
            state = FLIP.play(state, {before.mover: {"forfeit": True}})
        else:
            move = next(m for m in FLIP.legal(state, before.mover) if "transfer" in m)
            state = FLIP.play(state, {before.mover: move})
        after = state.board
        if before.griddle != after.griddle and turn == "pass":
            events.append(["pancakes", number])
        if isinstance(FLIP.next(state), Outcome):
            events.append(["end", number])
    return {"events": events}


def flip_all(given: dict[str, Any]) -> dict[str, Any]:
    layout = Layout()
    stacks = [layout.stack(codes) for codes in given["griddle"]]
    return {"griddle": [text(layout, flipped(stack)) for stack in stacks]}


def points(given: dict[str, Any]) -> dict[str, Any]:
    hands, servings = given["hands"], given["servings"]
    won = score.winners(hands, servings, range(len(hands)))
    return {"points": [*score.points(hands, servings, won)]}


def solitaire(given: dict[str, Any]) -> dict[str, Any]:
    return {"points": score.solitaire(given["completed"], given["left"], given["servings"])}


OPS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "place": place,
    "transfer": moved,
    "draw": draw,
    "may_forfeit": may_forfeit,
    "serving": served,
    "passes": passes,
    "flip_all": flip_all,
    "score": points,
    "solitaire": solitaire,
}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_example(case: dict[str, Any]) -> None:
    got = OPS[case["op"]](case["input"])
    assert {name: got[name] for name in case["expect"]} == case["expect"], case["why"]
