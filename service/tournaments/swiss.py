"""A round of a Swiss tournament, paired by a matching of least cost (Edmonds' blossom algorithm, networkx).

The costs rank the aims, so that no number of lesser faults outweighs one greater fault:

1. No two players meet twice, and nobody gets a second bye.
2. The bye goes to the player with the fewest points, and among those to the last in the standings.
3. Players meet others with as many points; the sum of the squared differences is the least.
4. In a score group the upper half meets the lower half in order: of eight, the first meets the fifth.

Colours, that is seats, play no part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

WHOLE = 48
"""The most players among whom every pair is weighed. Of more, each has only the best opponents weighed."""
BEST = 16
"""The opponents of each player who are weighed among more; twice as many wherever no round comes of it."""

Pair = tuple[str, str | None]
"""Two players, the better placed first; None instead of the second is a bye."""
_Cost = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Contender:
    """A player to be paired."""

    id: str
    points: int
    """Half points."""
    met: frozenset[str] = frozenset()
    """The players with whom a game was played."""
    had_bye: bool = False
    """True after a bye, or a win without a game."""


def paired(contenders: Sequence[Contender]) -> list[Pair]:
    """Pair players, who come in the order of the standings; two at least. The best placed pair comes first.

    It costs a rematch or a second bye only where there is no round without one, and then as few as can be.
    """
    costs = _Costs(contenders)
    found = _matched(costs, fresh=True) or _matched(costs, fresh=False)
    if found is None:
        raise ValueError("fewer than two players can't be paired")
    pairs = sorted((min(pair), max(pair)) for pair in found)
    return [
        (contenders[a].id, None if b == len(contenders) else contenders[b].id)
        for a, b in sorted(pairs, key=lambda pair: pair[1] == len(contenders))
    ]


class _Costs:
    """The cost of each pair, by places in the standings from 0. With an odd number the bye is the last."""

    def __init__(self, contenders: Sequence[Contender]) -> None:
        self.players = contenders
        n = self.count = len(contenders)
        self.nodes = n + n % 2
        sizes = Counter(player.points for player in contenders)
        self._half = [sizes[player.points] // 2 for player in contenders]
        starts: dict[int, int] = {}
        for place, player in enumerate(contenders):
            starts.setdefault(player.points, place)
        self._from_top = [place - starts[player.points] for place, player in enumerate(contenders)]
        self._to_end = [
            sizes[player.points] - 1 - above for player, above in zip(contenders, self._from_top, strict=True)
        ]
        points = [player.points for player in contenders] or [0]
        widest = max(points) - min(points)
        self._gap = 4 * n**3 + 1
        self._bye = n * (widest**2 * self._gap + 4 * n**2) + 1
        self._least = min(points)
        self._again = ((widest + 1) * n + 1) * self._bye
        self.above = 2 * self._again + 1
        """More than any pair costs."""

    def fresh(self, a: int, b: int) -> bool:
        """Tell whether a pair is no rematch and no second bye."""
        one = self.players[a]
        return not one.had_bye if b == self.count else self.players[b].id not in one.met

    def of(self, a: int, b: int) -> int:
        """The cost of a pair of places, the better one first."""
        again = 0 if self.fresh(a, b) else self._again
        one = self.players[a]
        if b == self.count:
            return again + ((one.points - self._least) * self.count + self.count - 1 - a) * self._bye
        gap = one.points - self.players[b].points
        off = b - a - self._half[a] if gap == 0 else self._to_end[a] + self._from_top[b]
        return again + gap**2 * self._gap + off**2


def _matched(costs: _Costs, *, fresh: bool) -> set[tuple[int, int]] | None:
    """The matching of all places of least cost; None if there is none (with `fresh`, without rematches)."""
    if costs.nodes < 2:
        return None
    edges = {
        a: [(costs.of(a, b), b) for b in range(costs.nodes) if b > a and (not fresh or costs.fresh(a, b))]
        for a in range(costs.nodes)
    }
    best = BEST if costs.nodes > WHOLE else costs.nodes
    while True:
        found = _perfect(_thinned(edges, costs.nodes, best), costs.nodes, costs.above)
        if found is not None or best >= costs.nodes:
            return found
        best *= 2


def _thinned(edges: dict[int, list[tuple[int, int]]], nodes: int, best: int) -> list[tuple[int, int, int]]:
    """The edges (a, b, cost) that are among the `best` cheapest of one of their ends."""
    if best >= nodes:
        return [(a, b, cost) for a, ends in edges.items() for cost, b in ends]
    both: dict[int, list[tuple[int, int, int]]] = {place: [] for place in range(nodes)}
    for a, ends in edges.items():
        for cost, b in ends:
            both[a].append((cost, a, b))
            both[b].append((cost, a, b))
    kept = {edge for each in both.values() for edge in sorted(each)[:best]}
    return [(a, b, cost) for cost, a, b in sorted(kept)]


def _perfect(edges: list[tuple[int, int, int]], nodes: int, above: int) -> set[tuple[int, int]] | None:
    # Imported where it is needed: it takes a third of a second, and most processes never pair a round.
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from((a, b, above - cost) for a, b, cost in edges)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return set(found) if 2 * len(found) == nodes else None
