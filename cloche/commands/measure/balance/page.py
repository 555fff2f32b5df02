"""Write docs/balance.md from the figures; the same figures always give the same page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cloche.commands.measure.balance.report import BoundedFigure, LeagueReport, Probe, Won

_HEAD = """# Balance

<!-- Written by `cloche simulate --write`: change the cards, not this page. -->

This page measures the balance of the base set {version} by matches between bots. They played
{matches:,} matches between its starter decks, and {more:,} between these and decks that were made to test the
costs of recipes. The same seed plays the same matches. A match is a game of
[Pancake](rules/chef.md), whose rules explain recipe, course and yum. The [glossary](glossary.md)
explains deck list, meal, draw and the other words of this house.

![What starters win against each other, and how long their matches are](pictures/balance.svg)

| figure | measured | allowed | |
|---|--:|--:|---|
"""

_HOW = """
## How it is measured

- The bot `{bot}` (seed {seed}) plays both seats. Every pair of decks plays equally often. Matches come in
  twos with the same random draws; the second has the seats exchanged.
- A match with several winners counts as an equal part of a win for each. Shares have Wilson's 95 % interval.
- A course is tied if both seats served equal yum; this is a share of all courses. A course is empty if a seat
  served nothing; this is counted for each seat after round 3.
- The starters are mixed decks, with recipes of costs 1 to 4 or 5. `cheap` and `dear` (`data/decks/`) have 14
  recipes each: `cheap` of costs 1 and 2, `dear` of costs 4 and 5. The same search improved both against the
  starters. It exchanged a card 80 times, and kept the exchange if the deck then won more of 40 matches with
  the same random draws. A longer search may find better decks.

`cloche simulate` plays any decks; `--json` and `--chart FILE` keep the results. The figures of this page are
in [balance.json](balance.json).
"""


def percent(value: float) -> str:
    """A share in per cent."""
    return f"{value:.1%}".replace("%", " %")


def said(one: BoundedFigure) -> tuple[str, str]:
    """A figure and its bounds, as text."""
    found, least, most = (percent(v) if one.share else f"{v:.1f}" for v in (one.value, one.least, one.most))
    return found, f"{least} to {most}" if one.least else f"at most {most}"


def page(
    version: str, starters: LeagueReport, probes: Mapping[str, Probe], held: Sequence[BoundedFigure]
) -> str:
    """The page, as Markdown."""
    rows = []
    for one in held:
        figure, bound = said(one)
        kept = "kept" if one.kept else "**missed**"
        rows.append(f"| {one.words} | **{figure}** | {bound} | {kept} |\n")
    return "".join(
        (
            _HEAD.format(
                version=version,
                matches=starters.matches,
                more=sum(probe.won.matches for probe in probes.values()),
            ),
            *rows,
            "\n## Starters\n\n",
            _table(starters.decks, starters.against),
            "\n## Decks of only cheap or only dear recipes\n\n",
            _table(
                {name: probe.won for name, probe in probes.items()},
                {name: probe.against for name, probe in probes.items()},
            ),
            "\n## Yum\n\nThe dishes that starters served, by their yum:\n\n",
            _counts(starters.yum),
            _HOW.format(bot=starters.bot, seed=starters.seed),
        )
    )


def _table(decks: Mapping[str, Won], against: Mapping[str, Mapping[str, float]]) -> str:
    met = {other for row in against.values() for other in row}
    names = [name for name in decks if name in met] or [*next(iter(against.values()))]
    lines = [
        f"| deck | won | 95 % | {' | '.join(f'v {name}' for name in names)} |\n",
        f"|---|--:|--:|{'--:|' * len(names)}\n",
    ]
    for name, won in decks.items():
        cells = ["" if other == name else percent(against[name][other]) for other in names]
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
