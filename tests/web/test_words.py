"""The page has words, in each of its languages, for every code that the Python behind it can tell.

`web/tests/words.test.ts` compares the languages with each other; so the English keys stand for all here.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

import pytest

from bots import bots_for
from bots.levels import BEST, Level
from cards import games
from cards.games.accounts import Section, Told
from player import watchfulness
from referee import all_options, record, verify
from service.operations import acts, rating_signals, reports, roles, sanctions
from service.operations.phrases import PHRASES
from service.web.schemas import codes, events
from tests.paths import ROOT
from tests.referee.table import Table

WEB = ROOT / "web"
WORDS = json.loads((WEB / "words" / "en.json").read_text())
GROUPED: dict[str, str] = json.loads((WEB / "words" / "codes.json").read_text())
"""The group of each code that only a faulty program can meet, or that stands beside its words."""
SILENT = {"game.asked", "game.account"}
"""News that the page shows at the table, and says nothing about elsewhere."""
FAULTS = {"DeskFault", "HouseFault", "NotNow", "VaultError"}
SEATS = {"chef": 2, "flip": 2, "hearts": 4, "cribbage": 2, "big-c": 3}


def mode_names() -> list[str]:
    return [name for name in games.names() if name in SEATS]


def raised() -> Iterator[str]:
    """The codes of the faults that a player's own side raises."""
    for folder in (ROOT / "player", ROOT / "client", WEB / "python"):
        for path in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if (
                    isinstance(node, ast.Call)
                    and getattr(node.func, "id", getattr(node.func, "attr", "")) in FAULTS
                    and node.args
                    and isinstance(node.args[0], ast.Constant)
                ):
                    yield str(node.args[0].value)


def refusals() -> set[str]:
    """Every code of a refusal: of the house, of the rules of each mode, and of a player's own side."""
    told = re.findall(r'"([a-z_]+)"', (WEB / "page" / "desk" / "values.ts").read_text())
    schemas = [games.find(name).schemas() for name in mode_names()]
    rules = [found.codes for found in schemas if found is not None]
    assert len(rules) == len(SEATS)
    return codes.HOUSE.union(codes.DECKS, codes.GAMES, *rules, raised(), told)


def test_every_refusal_has_words_of_its_own_or_of_its_group() -> None:
    own = {key.removeprefix("error.") for key in WORDS if key.startswith("error.")}
    assert sorted(refusals() - own - GROUPED.keys()) == []
    assert sorted(own & GROUPED.keys()) == []
    assert {f"refused.{group}" for group in GROUPED.values()} == {
        key for key in WORDS if key.startswith("refused.")
    }


def test_every_kind_of_entry_has_words_in_the_replay_and_among_the_proofs() -> None:
    for kind in (*record.MESSAGE_KINDS, *record.HOUSE_KINDS, *record.PARTY_KINDS, record.ANNUL):
        assert {f"entry.{kind}", f"proof.{kind}"} <= WORDS.keys()


def test_everything_that_a_verification_counts_has_words() -> None:
    for what in ("entries", "signatures", "proofs", *verify.COUNTED.values()):
        assert f"checked.{what}" in WORDS


def test_every_concern_has_words() -> None:
    assert {key for key in WORDS if key.startswith("concern.")} == {
        f"concern.{code}" for code in watchfulness.CODES
    }


def test_every_event_of_the_feed_has_words_or_is_shown_at_the_table() -> None:
    assert sorted(name for name in events.DATA.keys() - SILENT if f"news.{name}" not in WORDS) == []


def test_every_phrase_that_players_say_has_words() -> None:
    assert {f"phrase.{code}" for code in PHRASES} == {key for key in WORDS if key.startswith("phrase.")}


def test_all_that_the_desk_of_moderators_lists_has_words() -> None:
    assert {f"act.{kind}" for kind in acts.KINDS} == {key for key in WORDS if key.startswith("act.")}
    listed = {f"report.kind.{kind}" for kind in reports.KINDS}
    listed |= {f"report.state.{each}" for each in (*reports.STATES, *reports.VERDICTS)}
    listed |= {f"sanction.{kind}" for kind in sanctions.KINDS} | {f"role.{role}" for role in roles.ROLES}
    listed |= {f"order.signal.{code}" for code in rating_signals.CODES}
    assert sorted(listed - WORDS.keys()) == []


@pytest.mark.parametrize("mode", sorted(SEATS))
def test_every_bot_and_option_of_a_mode_has_words(mode: str) -> None:
    names = {*bots_for(mode), *(level.name.lower() for level in Level), BEST}
    assert {f"bot.{name}" for name in names} <= WORDS.keys()
    assert {f"mode.{mode}", f"mode.about.{mode}", f"rules.{mode}.1"} <= WORDS.keys()
    for option in all_options(games.find(mode)):
        if option.kind == "seconds":
            continue
        assert f"option.{option.name}" in WORDS
        numbers = [choice.isdecimal() for choice in option.choices or ()]
        assert all(numbers) or {f"choice.{choice}" for choice in option.choices} <= WORDS.keys()


@pytest.mark.parametrize("mode", sorted(SEATS))
def test_every_code_of_an_account_has_words(mode: str) -> None:
    schemas = games.find(mode).schemas()
    assert schemas is not None
    known = {key.split(".")[2] for key in WORDS if key.startswith((f"told.{mode}.", f"why.{mode}."))}
    assert known == schemas.told


def _told(section: Section) -> Iterator[tuple[str, Told]]:
    """What a section tells, and as what: "told", or "why" for the reasons of points."""
    for told in (*([section.heading] if section.heading else ()), *section.lines):
        yield "told", told
        yield from (("why", reason) for reason in told.reasons)


@pytest.mark.parametrize("mode", sorted(SEATS))
def test_a_code_has_words_where_an_account_uses_it(mode: str) -> None:
    """A code may be a line or a reason; a game's accounts use it as the one that has words."""
    table = Table.chef(5) if mode == "chef" else Table.open(mode, SEATS[mode], seed=5)
    table.play()
    used = {
        f"{part}.{mode}.{told.code}"
        for entry in table.record
        if entry.kind == "account"
        for section in table.game.rules.sections(entry.body["lines"], table.game.header.cards)
        for part, told in _told(section)
    }
    assert used
    assert used <= WORDS.keys()
