"""Swiss pairings: worked examples, the aims in their order against brute force, and whole tournaments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments import SWISS, brackets
from service.tournaments.standings import BYE, DRAWN, FIRST, REST, SECOND, DecidedMatch, standings
from service.tournaments.swiss import Contender, Pair, paired


def _new(names: str, points: int = 0) -> list[Contender]:
    return [Contender(name, points) for name in names]


def test_in_the_first_round_the_upper_half_meets_the_lower_half() -> None:
    assert paired(_new("abcdefgh")) == [("a", "e"), ("b", "f"), ("c", "g"), ("d", "h")]


def test_an_odd_player_out_is_the_last() -> None:
    assert paired(_new("abcde")) == [("a", "c"), ("b", "d"), ("e", None)]


def test_nobody_gets_a_second_bye() -> None:
    players = [*_new("ab", 2), Contender("c", 2, had_bye=True)]
    assert paired(players) == [("a", "c"), ("b", None)]


def test_players_meet_others_with_as_many_points() -> None:
    players = [*_new("ab", 4), *_new("cd", 2), *_new("ef", 0)]
    assert paired(players) == [("a", "b"), ("c", "d"), ("e", "f")]


def test_nobody_is_met_twice_while_there_is_another_way() -> None:
    met = {"a": "b", "b": "a", "c": "d", "d": "c"}
    players = [Contender(name, 2 if name in "ac" else 0, frozenset(met[name])) for name in "acbd"]
    assert paired(players) == [("a", "c"), ("b", "d")]


def test_a_lower_opponent_is_better_than_a_rematch() -> None:
    met = {"a": "b", "b": "a"}
    players = [Contender(n, 4 if n in "ab" else 0, frozenset(met.get(n, ""))) for n in "abcd"]
    assert paired(players) == [("a", "d"), ("b", "c")] or paired(players) == [("a", "c"), ("b", "d")]


def test_where_all_have_met_a_rematch_is_played() -> None:
    assert paired([Contender("a", 2, frozenset("b")), Contender("b", 0, frozenset("a"))]) == [("a", "b")]


def test_fewer_than_two_are_no_round() -> None:
    for players in ([], _new("a")):
        with pytest.raises(ValueError, match="fewer than two"):
            paired(players[:0])


def _ways(names: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """Every way to pair places."""
    if not names:
        yield []
        return
    one, *rest = names
    for k, other in enumerate(rest):
        for more in _ways(rest[:k] + rest[k + 1 :]):
            yield [(one, other), *more]


def _aims(players: Sequence[Contender], way: Sequence[tuple[int, int]]) -> tuple[int, int, int, int]:
    """How far a way is from the first three aims: repeats, whose bye it is, and the squared differences."""
    count = len(players)
    again = gaps = points = behind = 0
    for a, b in way:
        if b == count:
            again += players[a].had_bye
            points, behind = players[a].points, count - 1 - a
        else:
            again += players[b].id in players[a].met
            gaps += (players[a].points - players[b].points) ** 2
    return again, points, behind, gaps


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 8), st.randoms(use_true_random=False))
def test_no_other_round_is_nearer_to_the_aims(count: int, rng: Random) -> None:
    names = "abcdefgh"[:count]
    met: dict[str, set[str]] = {name: set() for name in names}
    for a in names:
        for b in names:
            if a < b and rng.random() < rng.choice((0.2, 0.6)):
                met[a].add(b)
                met[b].add(a)
    points = sorted((rng.randrange(6) for _ in names), reverse=True)
    players = [
        Contender(name, mine, frozenset(met[name]), rng.random() < 0.3)
        for name, mine in zip(names, points, strict=True)
    ]
    place = {name: k for k, name in enumerate(names)}
    found = [(place[a], count if b is None else place[b]) for a, b in paired(players)]
    best = min(_aims(players, way) for way in _ways(range(count + count % 2)))
    assert _aims(players, found) == best
    assert sorted(k for pair in found for k in pair) == list(range(count + count % 2))


def _played(rng: Random, pairs: Sequence[Pair], number: int) -> list[DecidedMatch]:
    return [
        DecidedMatch(number, a, b, BYE, False)
        if b is None
        else DecidedMatch(number, a, b, rng.choice((FIRST, SECOND, DRAWN)))
        for a, b in pairs
    ]


@pytest.mark.parametrize(("count", "rounds"), [(9, 5), (16, 7), (33, 6), (70, 7)])
def test_a_whole_tournament_has_no_rematch_and_a_bye_at_most(count: int, rounds: int) -> None:
    rng = Random(f"{count} {rounds}")
    seeds = [f"p{number:02}" for number in range(count)]
    boards: list[DecidedMatch] = []
    gone: set[str] = set()
    for number in range(1, rounds + 1):
        if number == 3:
            gone |= set(rng.sample(seeds, 3))  # drop out
        met: dict[str, set[str]] = {seed: set() for seed in seeds}
        for board in boards:
            if board.second is not None:
                met[board.first].add(board.second)
                met[board.second].add(board.first)
        byes = {board.first for board in boards if board.result == BYE}
        players = [
            Contender(each.player, each.points, frozenset(met[each.player]), each.player in byes)
            for each in standings(SWISS, seeds, boards, number - 1)
            if each.player not in gone
        ]
        pairs = paired(players)
        assert sorted(one for pair in pairs for one in pair if one) == sorted(set(seeds) - gone)
        assert all(b is None or b not in met[a] for a, b in pairs)
        assert all(a not in byes for a, b in pairs if b is None)
        boards += _played(rng, pairs, number)


@pytest.mark.parametrize("count", range(2, 12))
def test_in_a_round_robin_all_meet_once_and_sit_first_as_often_as_second(count: int) -> None:
    seeds = [f"p{number:02}" for number in range(count)]
    met: list[tuple[str, ...]] = []
    firsts = dict.fromkeys(seeds, 0)
    for number in range(1, brackets.rounds_of_round_robin(count) + 1):
        slots = brackets.round_robin(seeds, number)
        assert sorted(one for slot in slots for one in slot if one) == seeds
        for one, other in slots:
            if one is not None and other is not None:
                met.append(tuple(sorted((one, other))))
                firsts[one] += 1
                firsts[other] -= 1
    assert sorted(met) == sorted((a, b) for a in seeds for b in seeds if a < b)
    assert max(map(abs, firsts.values())) <= 1


@pytest.mark.parametrize("count", range(2, 18))
def test_in_an_elimination_the_best_meet_last(count: int) -> None:
    seeds = [f"p{number:02}" for number in range(count)]
    slots = brackets.first_of_elimination(seeds)
    left = count
    for _ in range(brackets.rounds_of_elimination(count)):
        winners = [min((one for one in slot if one), default=None) for slot in slots]
        still = sorted(one for one in winners if one)
        assert still == seeds[: len(still)], "each better seed wins"
        left = len(still)
        slots = brackets.next_of_elimination(winners, seeds) if len(winners) > 1 else []
    assert left == 1


def test_a_rest_is_no_bye() -> None:
    assert DecidedMatch(1, "a", None, REST, False).points("a") == 0
    assert DecidedMatch(1, "a", None, BYE, False).points("a") == 2
