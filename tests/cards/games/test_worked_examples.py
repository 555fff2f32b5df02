"""The worked examples of the rules, each run through the rules' own code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cards.catalog import card_sets
from cards.catalog.cards import CATEGORIES, Card, Units
from cards.decks import deck_lists
from cards.games import find, french
from cards.games.big_c.hands import combination_of, compare
from cards.games.chef import taste
from cards.games.chef.judge import course_winner
from cards.games.chef.meal import COURSES
from cards.games.chef.rules import why_over
from cards.games.common import ahead
from cards.games.contract import Deal, State
from cards.games.hearts.score import over, round_score
from cards.games.hearts.table import Board, PlayingToTrick, forced, pack, pick_up
from tests.cards.games import cribbage_examples

DATA = Path(__file__).parent / "data"

Op = Callable[[dict[str, Any]], dict[str, Any]]


def units(given: dict[str, int]) -> Units:
    starch, vegetable, oil, protein, seasoning = (given.get(name, 0) for name in CATEGORIES)
    return (starch, vegetable, oil, protein, seasoning)


def card(number: int, kind: str, given: dict[str, Any]) -> Card:
    slug = "-".join(given["name"].lower().split())
    return Card(
        number=number,
        slug=slug,
        name=given["name"],
        type=kind,
        provides=units(given.get("provides", {})),
        costs=units(given.get("cost", {})),
        kinds=tuple(sorted(given.get("kinds", ()))),
        list=tuple(sorted(given.get("recipe", ()))),
        bonus=given.get("bonus", 0),
        one_time=given.get("one_time", False),
    )


def yum(given: dict[str, Any]) -> dict[str, Any]:
    recipe = card(1, "recipe", given["recipe"])
    used = [card(n, "ingredient", one) for n, one in enumerate(given["ingredients"] + given["boosters"], 2)]
    dish = taste(recipe, used)
    return {"yum": None if dish is None else dish.yum}


def courses(given: dict[str, Any]) -> dict[str, Any]:
    points = [0, 0]
    for course in COURSES:
        winner = course_winner((given["a"].get(course.name), given["b"].get(course.name)))
        if winner is not None:
            points[winner] += course.points
    return {"points": points}


def game_result(given: dict[str, Any]) -> dict[str, Any]:
    points = (given["a"], given["b"])
    if why_over(points, final=0, rounds=9, missed=(0, 0)):
        winners = ahead(points, (0, 1))
        return {"result": "AB"[winners[0]] if len(winners) == 1 else "draw"}
    return {"result": "extra" if max(points) >= 30 else None}


def extra_round(given: dict[str, Any]) -> dict[str, Any]:
    points = [30, 30]
    winner = course_winner((given["a"], given["b"]))
    if winner is not None:
        points[winner] += 3
    if not why_over((points[0], points[1]), final=1, rounds=9, missed=(0, 0)):
        return {"result": "again"}
    return {"result": "AB"[ahead(points, (0, 1))[0]]}


def drawn(given: dict[str, Any]) -> dict[str, Any]:
    """The cards that each chef draws for a round, when both keep and serve nothing."""
    mode = find("chef")
    state = mode.start({}, 2)
    counts: list[int] = []
    while len(counts) < given["round"]:
        due = mode.next(state)
        if isinstance(due, Deal):
            counts.append(due.draws[0].count)
            state = mode.deal(state, [draw.pool[: draw.count] for draw in due.draws])
        else:
            move = next(iter(mode.legal(state, 0)))
            state = mode.play(state, {0: move, 1: move})
    return {"cards": counts[-1]}


def deck_ok(given: dict[str, Any]) -> dict[str, Any]:
    """Tell whether a deck with these counts, put on cards of the catalogue, is legal."""
    cards = card_sets.load()
    numbers = list(cards.cards)
    counts = {numbers[i]: count for i, count in enumerate(given["counts"].values())}
    return {"ok": not deck_lists.faults(deck_lists.DeckList(counts), cards)}


def hearts_deck(given: dict[str, Any]) -> dict[str, Any]:
    cards = pack(given["players"])
    removed = [code for code in french.PACK if code not in cards]
    return {"removed": removed, "cards_each": len(cards) // given["players"]}


def hearts_score(given: dict[str, Any]) -> dict[str, Any]:
    return {"points": round_score(given["collected"], given["exposed"]).points}


def hearts_legal(given: dict[str, Any]) -> dict[str, Any]:
    """The legal cards of seat 1 for a trick that seat 0 led."""
    hand, front, led = given["hand"], given["front"], given["led"]
    held = [*hand, *front]
    first = next(code for code in french.PACK if code not in held and code.endswith(led or ""))
    faces = {**dict(enumerate(held, 10)), 0: first}
    board = Board(
        seats=4,
        random_first=False,
        phase="play",
        round=1,
        totals=(0, 0, 0, 0),
        leader=0 if led else 1,
        missed=(0, 0, 0, 0),
        hands=(frozenset(), frozenset(range(10, 10 + len(hand))), frozenset(), frozenset()),
        fronts=(frozenset(), frozenset(range(10 + len(hand), 10 + len(held))), frozenset(), frozenset()),
        trick=(0,) if led else (),
        collected=((), (), (), ()),
    )
    return {"cards": sorted(move["card"] for move in PlayingToTrick(State(board, faces), 1))}


def hearts_pick_up(given: dict[str, Any]) -> dict[str, Any]:
    faces = dict(enumerate(given["front"]))
    up = pick_up(faces, faces, given["led"])
    return {
        "to_hand": [faces[p] for p in faces if p in up],
        "still": [faces[p] for p in faces if p not in up],
    }


def big_c_classify(given: dict[str, Any]) -> dict[str, Any]:
    hand = combination_of(given["cards"])
    return {"type": hand and hand.kind.name.lower()}


def big_c_play_on(given: dict[str, Any]) -> dict[str, Any]:
    old, new = combination_of(given["old"]), combination_of(given["new"])
    assert old is not None
    assert new is not None
    found = compare(new, old)
    if not found.legal:
        return {"result": "illegal", "penalty": None}
    return {"result": found.value, "penalty": found.penalty}


def big_c_order(given: dict[str, Any]) -> dict[str, Any]:
    """The order of play, as seats by name. Each seat is dealt what it presents, one round after another."""
    rounds, mode = given["rounds"], find("big-c")
    names = sorted(rounds[0])
    state = mode.start({"hand": len(rounds), "absent": "end"}, len(names))
    state = mode.deal(mode.deal(state, [range(len(names))]), [None])
    for number, presented in enumerate(rounds):
        places = {names.index(name): names.index(name) * len(rounds) + number for name in presented}
        moves = {seat: {"present": place, "card": presented[names[seat]]} for seat, place in places.items()}
        state = mode.play(state, moves)
    return {"order": [names[seat] for group in state.board.groups for seat in group]}


OPS: dict[str, dict[str, Op]] = {
    "cribbage": cribbage_examples.OPS,
    "pancake_chef": {
        "yum": yum,
        "round": courses,
        "game_result": game_result,
        "extra_round": extra_round,
        "drawn": drawn,
        "deck_ok": deck_ok,
    },
    "bigc": {"classify": big_c_classify, "play_on": big_c_play_on, "play_order": big_c_order},
    "chinese_hearts": {
        "round_score": hearts_score,
        "deck": hearts_deck,
        "legal": hearts_legal,
        "pick_up": hearts_pick_up,
        "forced": lambda given: {"card": forced(given["exposed"])},
        "game_over": lambda given: {"over": over(given["scores"])},
        "winners": lambda given: {"winners": [*ahead(given["scores"], range(len(given["scores"])))]},
    },
}


def examples() -> list[Any]:
    found = []
    for game in OPS:
        cases = json.loads((DATA / f"cases_{game}.json").read_text())["cases"]
        found += [pytest.param(game, case, id=case["id"]) for case in cases]
    return found


@pytest.mark.parametrize(("game", "case"), examples())
def test_worked_example(game: str, case: dict[str, Any]) -> None:
    got = OPS[game][case["op"]](case["input"])
    expected = {
        name: sorted(value) if name == "cards" and isinstance(value, list) else value
        for name, value in case["expect"].items()
    }
    assert {name: got[name] for name in expected} == expected, case["why"]
