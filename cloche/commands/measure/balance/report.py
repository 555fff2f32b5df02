"""The figures of a league of decks, and the goals that the base set is measured by."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bots.league import League, WinShare
from cards.games.chef import Tally

CHEAP = ("bonus", "cheap", "cheap-bonus", "one-category", "one-cost")
"""The probes whose recipes cost 1 or 2, which must lose: they and bonuses are no plan for a match."""

SHOWN = 12
"""Rounds that the page and its picture show; few matches are longer."""

EMPTY = (0.40, 0.30, 0.25, 0.20, 0.15)
"""The greatest share of empty courses in each of the first rounds."""


@dataclass(frozen=True, slots=True)
class Won:
    """A share of matches, with its interval of 95 %."""

    share: float
    low: float
    high: float
    matches: int

    @classmethod
    def of(cls, share: WinShare) -> Won:
        """Make it from a share of a league."""
        return cls(share.value, *share.interval(), share.of)


@dataclass(frozen=True, slots=True)
class BoundedFigure:
    """A figure and its goal."""

    key: str
    """Stable; the page's reasons for missed goals go by it."""
    words: str
    value: float
    least: float | None
    most: float | None
    share: bool = True
    """True if the figure is a fraction of 1, shown in per cent."""

    @property
    def kept(self) -> bool:
        """True if the figure lies within its bounds, both included."""
        return (self.least is None or self.least <= self.value) and (
            self.most is None or self.value <= self.most
        )


@dataclass(frozen=True, slots=True)
class Round:
    """The figures of one round, over all matches that had it. Shares are fractions of 1."""

    empty: float
    """The share of courses in which a seat served nothing."""
    yum: float
    """The yum of a dish, on average."""
    repeated: float
    """The share of dishes that their seats served before, with the same ingredients."""
    leads: float
    """Changes of the lead, for each match."""


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
    opening: float
    """The share of opening hands that can serve a dish."""
    redraws: float
    """Redraws of both seats in a match, on average."""
    repeated: float
    """The share of dishes that their seats served before, with the same ingredients."""
    leads: float
    """Changes of the lead in a match, on average."""
    by_round: Mapping[int, Round]
    """The figures of the first rounds."""
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
    late, empty = tally.late()
    return LeagueReport(
        bot=bot,
        seed=seed,
        matches=tally.matches,
        rounds=tally.rounds / tally.matches,
        tied=tally.tied / tally.courses,
        empty=_per(empty, late),
        opening=1 - tally.barren / tally.openings,
        redraws=tally.redraws / tally.matches,
        repeated=_per(tally.repeated.total(), tally.dishes),
        leads=tally.leads.total() / tally.matches,
        by_round={number: _round(tally, number) for number in range(1, SHOWN + 1) if tally.offered[number]},
        lengths=dict(sorted(tally.lengths.items())),
        yum=dict(sorted(tally.yum.items())),
        decks={deck: Won.of(league.field(deck, chosen)) for deck in chosen},
        against={
            deck: {other: league.against(deck, other).value for other in chosen if other != deck}
            for deck in chosen
        },
    )


def _round(tally: Tally, number: int) -> Round:
    dishes = tally.served(number)
    return Round(
        empty=tally.empty[number] / tally.offered[number],
        yum=_per(tally.worth[number], dishes),
        repeated=_per(tally.repeated[number], dishes),
        leads=tally.leads[number] / sum(n for rounds, n in tally.lengths.items() if rounds >= number),
    )


def _per(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Probe:
    """The share that a deck won against the decks of the field: against all and each."""

    won: Won
    against: Mapping[str, float]

    @classmethod
    def of(cls, league: League, deck: str, field: Sequence[str]) -> Probe:
        """Make it from the matches of a league."""
        each = {other: league.against(deck, other).value for other in field if other != deck}
        return cls(Won.of(league.field(deck, field)), each)


@dataclass(frozen=True, slots=True)
class SearchReport:
    """A search for the deck that wins most against the field."""

    seed: int
    candidates: int
    """Decks that were tried."""
    screened: int
    """Matches that they played."""
    found: Mapping[str, Probe]
    """The best deck of each climb, on fresh seeds."""
    decks: Mapping[str, str]
    """These decks as text."""


def balance(
    starters: LeagueReport, field: LeagueReport, probes: Mapping[str, Probe], found: Mapping[str, Probe]
) -> Iterator[BoundedFigure]:
    """The goals of a card set, and how it meets them, the broken decks first.

    `probes` and `found` (the finalists of a search) met the decks of `field`.
    """
    for kind, decks in (("probe", probes), ("climb", found)):
        for name, probe in decks.items():
            most, words = 0.45 if name in CHEAP else 0.58, f"won by {name} against the field"
            yield BoundedFigure(f"{kind} {name}", words, probe.won.share, None, most)
    for deck, won in field.decks.items():
        words = f"won by {deck} against the rest of the field"
        yield BoundedFigure(f"theme {deck}", words, won.share, 0.42, 0.58)
    yield BoundedFigure("opening", "of opening hands can serve a dish", starters.opening, 0.80, None)
    pairs = [
        (starters.against[deck][other], f"won by {deck} against {other}")
        for i, deck in enumerate(starters.decks)
        for other in [*starters.decks][i + 1 :]
    ]
    for share, words in (min(pairs), max(pairs)):
        yield BoundedFigure("pairing", f"{words}, the most uneven pairing", share, 0.45, 0.55)
    yield BoundedFigure("repeated", "of dishes repeat an earlier one exactly", starters.repeated, None, 0.45)
    yield BoundedFigure("leads", "changes of the lead in a match", starters.leads, 1.2, None, share=False)
    yield BoundedFigure("redraws", "redraws in a match", starters.redraws, None, 1.0, share=False)
    for number, most in enumerate(EMPTY, 1):
        words = f"of the courses of round {number} are empty"
        yield BoundedFigure("empty", words, starters.by_round[number].empty, None, most)
    yield BoundedFigure("late", "of the courses after round 3 are empty", starters.empty, None, 0.15)
    yield BoundedFigure("tied", "of the courses are tied", starters.tied, None, 0.15)
    yield BoundedFigure("rounds", "rounds in a match, on average", starters.rounds, 9, 12, share=False)
