"""What a league of decks came to, as plain figures, and what the base set is held against."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bots.league import League, Share

CHEAP, DEAR = "cheap", "dear"
"""Names of the decks that try a set's costs, with recipes of 1 and 2, and of 4 and 5; starters are mixed."""


@dataclass(frozen=True, slots=True)
class Won:
    """A share of matches, with its interval of 95 %."""

    share: float
    low: float
    high: float
    matches: int

    @classmethod
    def of(cls, share: Share) -> Won:
        """What a share says."""
        return cls(share.value, *share.interval(), share.of)


@dataclass(frozen=True, slots=True)
class Held:
    """A figure and what it may be."""

    words: str
    value: float
    least: float
    most: float
    share: bool
    """Whether it is a fraction of 1, to be read as per cent."""

    @property
    def kept(self) -> bool:
        """Whether it lies within, both ends allowed."""
        return self.least <= self.value <= self.most


@dataclass(frozen=True, slots=True)
class Report:
    """The figures of a league; shares are fractions of 1."""

    bot: str
    seed: int
    matches: int
    """In all."""
    rounds: float
    """On average."""
    tied: float
    """Of the courses: both served equal yum."""
    empty: float
    """Of the courses after round 3: a seat served nothing."""
    lengths: Mapping[int, int]
    """Matches by their rounds."""
    yum: Mapping[int, int]
    """Dishes by what they were worth."""
    decks: Mapping[str, Won]
    """What each won against all others."""
    against: Mapping[str, Mapping[str, float]]
    """What each won against each other."""

    def json(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def report(league: League, bot: str, seed: int, decks: Sequence[str] | None = None) -> Report:
    """The figures of a league, or of some of its decks among themselves."""
    chosen = tuple(decks or league.decks)
    tally = league.tally(chosen)
    return Report(
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
    """What a deck of one sort of recipe won against the starters: against all, and against each."""

    won: Won
    against: Mapping[str, float]

    @classmethod
    def of(cls, league: League, deck: str, starters: Sequence[str]) -> Probe:
        """What a league says of it."""
        each = {other: league.against(deck, other).value for other in starters}
        return cls(Won.of(league.field(deck, starters)), each)


def balance(starters: Report, probes: Mapping[str, Probe]) -> Iterator[Held]:
    """What a set is held against: its starters among themselves, and decks of one sort of recipe."""
    yield Held("rounds in a match, on average", starters.rounds, 9, 12, share=False)
    yield Held("of the courses are tied", starters.tied, 0, 0.15, share=True)
    yield Held("of the courses after round 3 are empty", starters.empty, 0, 0.15, share=True)
    for deck, won in starters.decks.items():
        yield Held(f"won by {deck} against the other starters", won.share, 0, 0.58, share=True)
    for deck, probe in probes.items():
        yield Held(f"won by {deck} recipes alone against the starters", probe.won.share, 0, 0.55, share=True)
