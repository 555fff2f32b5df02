"""What the tournament of an evening has left: pairs, standings and prizes, from the games alone.

The standings are computed here a second time, by a few lines of our own, from what the players have seen at
their tables. They hold where nobody had a bye and everybody came, as in an evening of bots.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from benchmarks.evening.afterwards import Check, Finished

Figures = tuple[Fraction, Fraction, Fraction, int]
"""Points, Buchholz, Sonneborn-Berger and games won."""
FEE = 20
"""Coins of an entry."""
PRIZES = (50, 30, 20)
"""Percents of all coins."""
TIE_BREAKS = ("points", "buchholz", "sonneborn_berger")
"""The figures of a standing, in their order."""


@dataclass(frozen=True, slots=True)
class Cup:
    """The tournament of the evening, as the house tells of it."""

    id: str
    mode: str
    state: str
    rounds: Sequence[Sequence[Mapping[str, Any]]] = ()
    """The matches of each round, as the API lists them."""
    standings: Sequence[Mapping[str, Any]] = field(default_factory=list)
    """As the API lists them."""


def pairs_are_fair(cup: Cup, players: int, rounds: int) -> Check:
    """Check that each round has every player once, and that no two met twice."""
    wrong = list[str]()
    met: Counter[frozenset[str]] = Counter()
    for number, matches in enumerate(cup.rounds, 1):
        seats = Counter(name for match in matches for name in (match["first"], match["second"]))
        if len(seats) != players or max(seats.values()) > 1:
            wrong.append(f"round {number} does not pair every player once")
        met.update(frozenset((str(match["first"]), str(match["second"]))) for match in matches)
    again = [pair for pair, count in met.items() if count > 1]
    if again:
        wrong.append(f"{len(again)} pairs met twice")
    if len(cup.rounds) != rounds:
        wrong.append(f"{len(cup.rounds)} of {rounds} rounds were played")
    return Check("Rounds", not wrong, "; ".join(wrong) or f"{rounds} rounds, and nobody met twice")


def standings_follow(cup: Cup, games: Sequence[Finished]) -> Check:
    """Compute the standings again from the games, and compare every figure and place."""
    computed = figures([game for game in games if game.round is not None])
    wrong = list[str]()
    before: tuple[Figures, int] | None = None
    if {str(each["handle"]) for each in cup.standings} != computed.keys():
        wrong.append("the standings list other players than those of the games")
    for rank, each in enumerate(cup.standings, 1):
        points, buchholz, sonneborn = (Fraction(each[name]) for name in TIE_BREAKS)
        told = (points, buchholz, sonneborn, int(each["wins"]))
        if told != computed.get(str(each["handle"])):
            wrong.append(f"{each['handle']} has {each['points']:g} points, and other figures by the games")
        if before is not None and told > before[0]:
            wrong.append(f"{each['handle']} stands too low")
        place = before[1] if before is not None and before[0] == told else rank
        if each["place"] != place:
            wrong.append(f"{each['handle']} has place {each['place']} instead of {place}")
        before = (told, place)
    said = f"the places of {len(cup.standings)} players follow from the games"
    return Check("Standings", not wrong and cup.state == "over", "; ".join(wrong[:3]) or said)


def figures(games: Sequence[Finished]) -> dict[str, Figures]:
    """Points and tie-breaks of every player, from the results of the games."""
    points: defaultdict[str, Fraction] = defaultdict(Fraction)
    wins: Counter[str] = Counter()
    scored: list[tuple[str, str, Fraction]] = []
    for game in games:
        for seat, name in enumerate(game.players):
            share = Fraction(int(seat in game.winners), max(1, len(game.winners)))
            points[name] += share
            wins[name] += share == 1
            scored.append((name, game.players[1 - seat], share))
    buchholz: defaultdict[str, Fraction] = defaultdict(Fraction)
    sonneborn: defaultdict[str, Fraction] = defaultdict(Fraction)
    for name, other, share in scored:
        buchholz[name] += points[other]
        sonneborn[name] += points[other] * share
    return {name: (points[name], buchholz[name], sonneborn[name], wins[name]) for name in points}


def prizes_are_paid(cup: Cup) -> Check:
    """Check that all fees were paid out again, in the order of the places."""
    paid = [int(each["prize"]) for each in cup.standings]
    total, pot = sum(paid), FEE * len(paid)
    wrong = [] if total == pot else [f"{total} coins were paid of {pot}"]
    for higher, lower in pairwise(cup.standings):
        # Of players on one place the first gets the odd coin.
        if lower["prize"] > higher["prize"]:
            wrong.append(f"{lower['handle']} got more than {higher['handle']}, who stands higher")
    first = sum(prize for each, prize in zip(cup.standings, paid, strict=True) if each["place"] == 1)
    if first < pot * PRIZES[0] // 100:
        wrong.append(f"the first place got {first} coins of {pot}")
    said = f"{total} coins were paid to {sum(prize > 0 for prize in paid)} players"
    return Check("Prizes", not wrong, "; ".join(wrong) or said)
