"""The search of `cloche simulate --search`: its progress bar, its state file, its finalists."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bots.deck_search import NEIGHBOURS, Climb, DeckSearch, counts
from bots.league import DeckCards, WinShare
from cards.catalog.card_sets import load
from cards.catalog.cards import Catalog, texts
from cards.decks.deck_lists import DeckList
from cloche.commands.errors import CommandError, UnreadableInput
from cloche.commands.measure.balance.report import Probe, SearchReport, Won
from cloche.commands.measure.playing import progress, save
from crypto.encoding import canonical


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """What a search does. The same plan finds the same decks.

    Plans that differ in `candidates` alone are one search: it goes on where it is asked to try more.
    """

    field: Mapping[str, DeckCards]
    bot: str
    seed: int
    candidates: int
    """Decks that all climbs try together, rounded up to whole steps."""
    starts: int
    """The number of climbs."""
    matches: int
    """Matches of each finalist against each deck of the field; an even number."""

    @property
    def steps(self) -> int:
        """The steps of each climb."""
        return -(-self.candidates // (self.starts * NEIGHBOURS))

    def json(self) -> dict[str, Any]:
        """The plan as JSON, by which a state file is told apart from another search's."""
        return {
            "cards": hashlib.sha256(canonical(texts(load()))).hexdigest(),
            "bot": self.bot,
            "seed": self.seed,
            "candidates": self.candidates,
            "starts": self.starts,
            "matches": self.matches,
            "field": {name: _texts(deck) for name, deck in self.field.items()},
        }


def search(plan: SearchPlan, cores: int, state: Path | None) -> SearchReport:
    """Run a search, or the rest of one whose state is in the file `state`. Raises `CommandError`."""
    catalog = load()
    pool = [printing.card for printing in catalog.printings.values() if not printing.retired]
    climbs, judged = _read(plan, state, catalog)
    with DeckSearch(pool, [*plan.field.values()], plan.bot, plan.seed, cores) as run:
        climbs = climbs or [run.begin(number) for number in range(plan.starts)]
        done = sum(climb.steps for climb in climbs)
        if done < plan.steps * plan.starts:
            judged = []
        with progress(plan.steps * plan.starts, "Steps of climbs") as told:
            told(done)
            for _ in range(done, plan.steps * plan.starts):
                number = min(range(plan.starts), key=lambda number: climbs[number].steps)
                climbs[number] = run.step(climbs[number], number)
                told(1)
                _save(plan, state, climbs, judged)
        each = len(plan.field) * plan.matches
        with progress(plan.starts * each, "Matches of finalists") as told:
            told(len(judged) * each)
            for climb in climbs[len(judged) :]:
                judged.append(run.judged(climb.deck, plan.matches, told))
                _save(plan, state, climbs, judged)
    return _report(plan, climbs, judged)


def finished(file: Path) -> SearchReport:
    """The search whose state is in a file, at its end. Raises `CommandError`."""
    catalog, data = load(), _data(file)
    try:
        plan = SearchPlan(
            field={name: _deck(text, catalog) for name, text in data["plan"]["field"].items()},
            **{name: data["plan"][name] for name in ("bot", "seed", "candidates", "starts", "matches")},
        )
    except (KeyError, TypeError, ValueError):
        raise UnreadableInput("unreadable", f"{file} is not the state of a search.") from None
    climbs, judged = _read(plan, file, catalog)
    if len(judged) < plan.starts:
        raise CommandError("unfinished_search", f"The search of {file} is not finished: run it again.")
    return _report(plan, climbs, judged)


def _report(plan: SearchPlan, climbs: list[Climb], judged: list[tuple[WinShare, ...]]) -> SearchReport:
    names = [f"climb {number}" for number in range(1, plan.starts + 1)]
    return SearchReport(
        seed=plan.seed,
        candidates=sum(climb.steps for climb in climbs) * NEIGHBOURS,
        screened=sum(climb.matches for climb in climbs),
        found={
            name: Probe(
                Won.of(sum(shares, start=WinShare(0, 0))),
                {other: share.value for other, share in zip(plan.field, shares, strict=True)},
            )
            for name, shares in zip(names, judged, strict=True)
        },
        decks={name: _texts(climb.deck) for name, climb in zip(names, climbs, strict=True)},
    )


def _texts(deck: DeckCards) -> str:
    """A deck as text, its recipes first."""
    cards = {card.number: card for card in deck}
    lines = [(not cards[number].is_recipe, number, n) for number, n in counts(deck).items()]
    return "\n".join(f"{n} {cards[number].name}" for _, number, n in sorted(lines))


def _deck(text: str, catalog: Catalog) -> DeckCards:
    """The deck of a text that `_texts` wrote. ValueError where a line or a card is not one of the set's."""
    names = {card.name: number for number, card in catalog.cards.items()}
    found = {}
    for line in text.splitlines():
        n, _, name = line.partition(" ")
        if name not in names:
            raise ValueError(f"{name} is no card")
        found[names[name]] = int(n)
    return DeckList(found).cards(catalog)


def _data(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UnreadableInput("unreadable", f"{file}: {error.strerror}.") from None
    except ValueError:
        raise UnreadableInput("unreadable", f"{file} is not the state of a search.") from None
    if not isinstance(data, dict) or data.keys() != {"plan", "climbs", "judged"}:
        raise UnreadableInput("unreadable", f"{file} is not the state of a search.")
    return data


def _read(
    plan: SearchPlan, file: Path | None, catalog: Catalog
) -> tuple[list[Climb], list[tuple[WinShare, ...]]]:
    """The climbs and the judged finalists of a state file; none where there is no file yet."""
    if file is None or not file.exists():
        return [], []
    data = _data(file)
    if {**data["plan"], "candidates": plan.candidates} != plan.json():
        text = f"{file} belongs to another search: other cards, decks or options."
        raise CommandError("other_search", f"{text} Name another --state, or remove the file.")
    climbs = [Climb(_deck(one["deck"], catalog), one["steps"], one["matches"]) for one in data["climbs"]]
    return climbs, [tuple(WinShare(*share) for share in shares) for shares in data["judged"]]


def _save(
    plan: SearchPlan, file: Path | None, climbs: list[Climb], judged: list[tuple[WinShare, ...]]
) -> None:
    """Write the state beside the file and put it in its place, so that a crash leaves a whole one."""
    if file is None:
        return
    data = {
        "plan": plan.json(),
        "climbs": [{"deck": _texts(c.deck), "steps": c.steps, "matches": c.matches} for c in climbs],
        "judged": [[[share.won, share.of] for share in shares] for shares in judged],
    }
    beside = file.with_name(file.name + ".new")
    save(beside, json.dumps(data, indent=1) + "\n")
    os.replace(beside, file)
