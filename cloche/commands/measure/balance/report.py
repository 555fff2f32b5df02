"""The figures of a league of decks, and the bounds that the base set must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bots.league import League, Share

CHEAP, DEAR = "cheap", "dear"
"""Names of the decks that test a set's costs: recipes of costs 1 and 2, and of 4 and 5."""


@dataclass(frozen=True, slots=True)
class Won:
    """A share of matches, with its interval of 95 %."""

    share: float
    low: float
    high: float
    matches: int

    @classmethod
    def of(cls, share: Share) -> Won:
        """Make it from a share of a league."""
        return cls(share.value, *share.interval(), share.of)


@dataclass(frozen=True, slots=True)
class BoundedFigure:
    """A figure and its bounds."""

    words: str
    value: float
    least: float
    most: float
    share: bool
    """True if the figure is a fraction of 1, shown in per cent."""

    @property
    def kept(self) -> bool:
        """True if the figure lies within its bounds, both included."""
        return self.least <= self.value <= self.most


@dataclass(frozen=True, slots=True)
class LeagueReport:
    """The figures of a league. Shares are fractions of 1."""

    bot: str
    seed: int
    matches: int
    """The number of all matches."""
    rounds: float
    """The average number of rounds in a match."""
    tied: float
    """The share of courses in which both seats served equal yum."""
    empty: float
    """The share of courses after round 3 in which a seat served nothing."""
    lengths: Mapping[int, int]
    """Counts of matches, by rounds."""
    yum: Mapping[int, int]
    """Counts of dishes, by yum."""
    decks: Mapping[str, Won]
    """The share that each won against all others."""
    against: Mapping[str, Mapping[str, float]]
    """The share that each won against each other one."""

    def json(self) -> dict[str, Any]:
        """The figures as a JSON object."""
        return asdict(self)


def report(league: League, bot: str, seed: int, decks: Sequence[str] | None = None) -> LeagueReport:
    """The figures of a league, or of some of its decks among themselves."""
    chosen = tuple(decks or league.decks)
    tally = league.tally(chosen)
    return LeagueReport(
        bot=bot,
        seed=seed,
        matches=tally.matches,
        rounds=tally.rounds / tally.matches,
        tied=tally.tied / tally.courses,
        empty=tally.empty / tally.late if tally.late else 0.0,
        lengths=dict(sorted(tally.lengths.items())),
        yum=dict(sorted(tally.yum.items())),
        decks={deck: Won.of(league.field(deck, chosen)) for deck in chosen},
        against={
            deck: {other: league.against(deck, other).value for other in chosen if other != deck}
            for deck in chosen
        },
    )


@dataclass(frozen=True, slots=True)
class Probe:
    """The share that a deck with one sort of recipe won against the starters: against all and each."""

    won: Won
    against: Mapping[str, float]

    @classmethod
    def of(cls, league: League, deck: str, starters: Sequence[str]) -> Probe:
        """Make it from the matches of a league."""
        each = {other: league.against(deck, other).value for other in starters}
        return cls(Won.of(league.field(deck, starters)), each)


def balance(starters: LeagueReport, probes: Mapping[str, Probe]) -> Iterator[BoundedFigure]:
    """The bounds of a card set: for its starters among themselves, and for decks with one sort of recipe."""
    yield BoundedFigure("rounds in a match, on average", starters.rounds, 9, 12, share=False)
    yield BoundedFigure("of the courses are tied", starters.tied, 0, 0.15, share=True)
    yield BoundedFigure("of the courses after round 3 are empty", starters.empty, 0, 0.15, share=True)
    for deck, won in starters.decks.items():
        yield BoundedFigure(f"won by {deck} against the other starters", won.share, 0, 0.58, share=True)
    for deck, probe in probes.items():
        yield BoundedFigure(
            f"won by {deck} recipes alone against the starters", probe.won.share, 0, 0.55, share=True
        )
