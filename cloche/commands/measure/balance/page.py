"""Write docs/balance.md from the figures; the same figures always give the same page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cloche.commands.measure.balance.report import (
    EMPTY,
    BoundedFigure,
    LeagueReport,
    Probe,
    Round,
    SearchReport,
    Won,
)

_HEAD = """# Balance

<!-- Written by `cloche simulate --write`: change the cards, not this page. -->

This page measures the balance of the base set {version} by {total:,} matches between bots: {starters:,}
between its starter decks, {field:,} between the decks of the field, and {probes:,} of decks that try to
break the set. The same seed plays the same matches. A match is a game of [Pancake](rules/chef.md), whose
rules explain recipe, course and yum. The [glossary](glossary.md) explains deck list, meal, draw and the
other words of this house.

![What starters win against each other, how long their matches are, and their rounds](pictures/balance.svg)

## Goals

| figure | measured | goal | |
|---|--:|--:|---|
"""

_WHY = {
    "probe": "Each deck of this kind has few sorts of card, so it can nearly always serve.",
    "climb": "A climb may begin with a deck of the field, and tune it on.",
    "theme": "Each deck of the field was tuned against the others, in turn and not without end.",
    "opening": "A starter has 16 to 18 recipes in 40 cards, and some of its hands of six have none at all.",
    "pairing": "Every exchange of a card that mends one pairing moves four others.",
    "repeated": "Most cards go back to the hand, and a bot serves the best dish it has, again and again.",
    "leads": "The chef with the better hand keeps it, since most cards stay.",
    "redraws": "The bot puts back each hand that can serve nothing.",
    "empty": "A starter has 16 to 18 recipes in 40 cards, so a hand of six has 2.4 to 2.7 on average, for "
    "three courses. If each could be served, 20 % to 26 % of the courses of round 1 would still be empty.",
    "late": "One-time cards leave the hand, and with them the dishes that needed them.",
    "tied": "Early dishes are small, and there are few numbers between 2 and 5.",
    "rounds": "Six points a round and 30 to win.",
}
"""The reasons for figures that miss their goals, by key."""

_ROUNDS = """
## By round

The matches between starters. An opening hand can serve a dish in {opening} of cases. A match has
{redraws:.2f} redraws on average, all before round 1.

| round | empty courses | goal | yum of a dish | exact repeats | changes of the lead in a match |
|--:|--:|--:|--:|--:|--:|
"""

_FIELD = """
## The field

The decks of different themes that the probes meet (`data/decks/field/`). Each was tuned by climbs within the
cards of its theme, against the others.

"""

_PROBES = """
## Decks that try to break the set

The probes (`data/decks/`) against the field:

- `cheap` has recipes of costs 1 and 2 alone, and no bonus. `cheap-bonus` has such recipes and any bonus.
- `bonus` has a few of the cheapest recipes, and bonus cards that stay. It broke version 1.2.0.
- `one-cost` has recipes of cost 1 alone, and `one-category` ingredients of one category alone.
- `dear` has recipes of costs 4 and 5 alone.
- `found` is a deck that long climbs through all legal decks found while the set was tuned.

"""

_SEARCH = """
## The best decks of a search

`cloche simulate --search` (seed {seed}) tried {candidates:,} decks in {starts} climbs through all legal
decks and screened them by {screened:,} matches against the field. The best deck of each climb then played
on fresh seeds.{short}

"""

ENOUGH = 2000
"""Decks that a search must try before the page calls it no short one."""

_NO_SEARCH = """
## The best decks of a search

No search was run for this version of the set. The probe `found` is the best deck of earlier ones.
"""

_HOW = """
## How it is measured

- The bot `{bot}` (seed {seed}) plays both seats. Every pair of starters plays equally often. A deck of the
  field or a probe plays about as many matches as such a pair, spread over the field. Matches come in twos
  with the same random draws; the second has the seats exchanged. Every deck and every bot has a random
  stream of its own, so a deal does not depend on how often a bot draws.
- A match with several winners counts as an equal part of a win for each. Shares have Wilson's 95 %
  interval.
- A course is tied if both seats served equal yum; this is a share of all courses. A course is empty if a
  seat served nothing; this is counted for each seat.
- A dish is an exact repeat if the seat served the same recipe with the same ingredients in an earlier
  round. The lead changes when a seat is ahead after a round, and the last seat that was ahead after one is
  the other.
- A climb begins with a deck of the field or with random cards of a few categories. From its deck it makes
  others by exchanging one to three cards. They meet the field on the same seeds; the better half plays on,
  until one is left. It replaces the climb's deck only if it wins clearly more of a duel: of the same fresh
  matches for both.

`cloche simulate` plays any decks; `--json` and `--chart FILE` keep the results. The figures of this page are
in [balance.json](balance.json).
"""


def percent(value: float) -> str:
    """A share in per cent."""
    return f"{value:.1%}".replace("%", " %")


def said(one: BoundedFigure) -> tuple[str, str]:
    """A figure and its goal, as text."""
    found, least, most = (
        "" if value is None else percent(value) if one.share else f"{value:.2f}".removesuffix("0")
        for value in (one.value, one.least, one.most)
    )
    if one.least is None:
        return found, f"at most {most}"
    return found, f"{least} to {most}" if one.most is not None else f"at least {least}"


def why(one: BoundedFigure) -> str:
    """The reason why a figure misses its goal."""
    return _WHY[one.key.split()[0]]


def page(
    version: str,
    starters: LeagueReport,
    field: LeagueReport,
    probes: Mapping[str, Probe],
    search: SearchReport | None,
    held: Sequence[BoundedFigure],
) -> str:
    """The page, as Markdown."""
    rows = []
    for one in held:
        figure, goal = said(one)
        rows.append(f"| {one.words} | **{figure}** | {goal} | {'met' if one.kept else '**missed**'} |\n")
    missed = [one for one in held if not one.kept]
    tried = sum(probe.won.matches for probe in probes.values())
    if search is not None:
        tried += search.screened + sum(probe.won.matches for probe in search.found.values())
    return "".join(
        (
            _HEAD.format(
                version=version,
                total=starters.matches + field.matches + tried,
                starters=starters.matches,
                field=field.matches,
                probes=tried,
            ),
            *rows,
            *_reasons(missed),
            "\n## Starters\n\n",
            _table(starters.decks, starters.against),
            _ROUNDS.format(opening=percent(starters.opening), redraws=starters.redraws),
            *(_round(number, one) for number, one in starters.by_round.items()),
            _FIELD,
            _table(field.decks, field.against),
            _PROBES,
            _probes(probes),
            _searched(search),
            "\n## Yum\n\nThe dishes that starters served, by their yum:\n\n",
            _counts(starters.yum),
            _HOW.format(bot=starters.bot, seed=starters.seed),
        )
    )


def _reasons(missed: Sequence[BoundedFigure]) -> list[str]:
    if not missed:
        return []
    reasons: dict[str, list[str]] = {}
    for one in missed:
        reasons.setdefault(why(one), []).append(f"{said(one)[0]} {one.words}")
    return ["\nThe goals that are missed, and why:\n\n"] + [
        f"- {'; '.join(figures)}: {reason}\n" for reason, figures in reasons.items()
    ]


def _round(number: int, one: Round) -> str:
    goal = f"at most {EMPTY[number - 1]:.0%}".replace("%", " %") if number <= len(EMPTY) else ""
    return (
        f"| {number} | {percent(one.empty)} | {goal} | {one.yum:.1f} | {percent(one.repeated)} "
        f"| {one.leads:.2f} |\n"
    )


def _probes(probes: Mapping[str, Probe]) -> str:
    return _table(
        {name: probe.won for name, probe in probes.items()},
        {name: probe.against for name, probe in probes.items()},
    )


def _searched(search: SearchReport | None) -> str:
    if search is None:
        return _NO_SEARCH
    head = _SEARCH.format(
        seed=search.seed,
        candidates=search.candidates,
        starts=len(search.found),
        screened=search.screened,
        short="" if search.candidates >= ENOUGH else f" A search of {ENOUGH:,} decks would say more.",
    )
    best = max(search.found, key=lambda name: search.found[name].won.share)
    lines = "".join(f"    {line}\n" for line in search.decks[best].splitlines())
    return f"{head}{_probes(search.found)}\nThe best of them, {best}:\n\n{lines}"


def _table(decks: Mapping[str, Won], against: Mapping[str, Mapping[str, float]]) -> str:
    met = {other: None for row in against.values() for other in row}
    names = [name for name in decks if name in met] or [*met]
    lines = [
        f"| deck | won | 95 % | {' | '.join(f'v {name}' for name in names)} |\n",
        f"|---|--:|--:|{'--:|' * len(names)}\n",
    ]
    for name, won in decks.items():
        cells = ["" if other not in against[name] else percent(against[name][other]) for other in names]
        interval = f"{percent(won.low)} to {percent(won.high)}"
        lines.append(f"| {name} | **{percent(won.share)}** | {interval} | {' | '.join(cells)} |\n")
    return "".join(lines)


def _counts(counts: Mapping[int, int]) -> str:
    total = sum(counts.values())
    shares = [(value, n / total) for value, n in counts.items()]
    return (
        f"| yum | {' | '.join(str(value) for value, _ in shares)} |\n"
        f"|---|{'--:|' * len(shares)}\n"
        f"| | {' | '.join(percent(share) for _, share in shares)} |\n"
    )
