"""Real messages and entries, mutated by their structure: all is refused that is not equally legal.

Two readers judge that share nothing: our fold, and the one that was written from the page alone
(`tests/docs/page_*.py`). Where both take a mutated entry, it is another legal one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

pytest.importorskip("py_arkworks_bls12381")  # the page's reader computes with it

from crypto.encoding import LAST_MS, EncodingError, canonical, parse, timestamp
from referee import Game, Refused, Unreadable, accept, dump_game, load_game, read_message, view, waits
from referee.checks import Remembering
from referee.record import parse_record
from referee.verify import entry_field
from tests.attack.ledger import Outcome, attack
from tests.attack.matches import NAMES, Place, judged, match, page_takes
from tests.attack.mutations import Pick, mutated, rewritten_text
from tests.docs.page_record import Reader
from tests.referee.table import Table

pytestmark = pytest.mark.slow

EVERY_KEY = "every key of every player and of the house"
THEIR_KEY = "the player's key"
CODE = re.compile(r"[a-z][a-z0-9_]*")
QUICK = settings(
    max_examples=450,
    deadline=None,
    database=None,
    derandomize=True,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=6000, derandomize=False)
Judge = Callable[[Pick, Place], str]


@cache
def _below(n: int) -> st.SearchStrategy[int]:
    return st.integers(0, n - 1)


@cache
def by_kind(name: str, players: bool = False) -> tuple[tuple[Place, ...], ...]:
    """The entries of a match, kind by kind; of the players alone if told."""
    found: dict[str, list[Place]] = {}
    for place in match(name):
        if not players or place.entry.seat is not None:
            found.setdefault(place.entry.kind, []).append(place)
    return tuple(tuple(found[kind]) for kind in sorted(found))


def repeatedly(how: settings, judge: Judge, players: bool = False) -> Counter[str]:
    """Have hypothesis pick entries and what becomes of them, and count how often each answer came."""
    found: Counter[str] = Counter()

    @how
    @given(st.data())
    def run(data: Any) -> None:
        def pick(options: Sequence[Any]) -> Any:
            return options[data.draw(_below(len(options)))]

        # Each kind of a match as often as any other, however rare it is.
        found[judge(pick, pick(pick(by_kind(pick(NAMES), players))))] += 1

    run()
    return found


def told(found: Counter[str]) -> tuple[int, str]:
    """Tries, and what is to be said of those that were not refused."""
    tries = sum(found.values()) - found["the same"]
    said = [f"{found[word]} {word}" for word in ("equally legal", "taken on trust") if found[word]]
    return tries, f"but {', '.join(said)}" if said else ""


def sound(code: str, pointer: str, sent: Any) -> None:
    """A refusal has a stable code, and points at something that was sent, or that is missing in it."""
    assert CODE.fullmatch(code), code
    value = sent
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for i, part in enumerate(parts):
        if isinstance(value, list):
            assert part.isdigit(), (code, pointer)
            assert int(part) < len(value), (code, pointer)
            value = value[int(part)]
            continue
        assert isinstance(value, dict), (code, pointer)
        spelled = {name.encode(errors="replace").decode(): name for name in value}
        if part not in spelled:
            assert i == len(parts) - 1, (code, pointer)
            return
        value = value[spelled[part]]


def consistent(game: Game) -> None:
    """Check that the house's snapshot after an accepted entry is that game, and that everybody has a view."""
    if game.trail is None:  # only the house keeps snapshots, and it knows all faces
        assert load_game(json.loads(json.dumps(dump_game(game))), game.header) == game
    for seat in (None, *game.header.seats):
        canonical(view(game, seat))


# Entries


def unsigned(pick: Pick, place: Place) -> str:
    """Somebody on the way changes an entry, and has no key."""
    genuine = place.entry.json()
    entry = mutated(pick, genuine, place.alike)
    try:
        same = canonical(entry) == canonical(genuine)
    except EncodingError:
        same = False
    verdict = judged(place.house, entry, Remembering(), place.link)
    assert (verdict.game is not None) == same, entry
    if verdict.game is None:
        sound(verdict.code, entry_field(verdict.pointer), entry)
    return "the same" if same else "refused"


def signed(pick: Pick, place: Place) -> str:
    """All players and the house agree to write something else."""
    genuine = place.entry.json()
    below = pick((("body",), ("body",), ("body",), ()))
    entry = place.resigned(mutated(pick, genuine, place.alike, below))
    checks = Remembering()
    verdict = judged(place.house, entry, checks, place.link)
    taken = verdict.game is not None
    assert page_takes(place.reader(), entry) == taken, (verdict.code, verdict.pointer, entry)
    public = judged(place.public, entry, checks)
    assert public.game is not None or not taken, (public.code, entry)
    if public.game is None:
        sound(public.code, entry_field(public.pointer), entry)
        return "refused"
    consistent(public.game)
    if verdict.game is None:
        return "taken on trust"  # until its deal is shown
    consistent(verdict.game)
    assert public.game.state.board == verdict.game.state.board
    return "the same" if canonical(entry) == canonical(genuine) else "equally legal"


@attack("an entry mutated by its structure on the way", "protocol 10", knows="the record")
def test_mutated_entries(outcome: Outcome) -> None:
    outcome.rejected(*told(repeatedly(settings(QUICK, max_examples=400), unsigned)))


@attack("an entry mutated by its structure and signed anew by all", "protocol 10", knows=EVERY_KEY)
def test_mutated_entries_signed_anew(outcome: Outcome) -> None:
    outcome.rejected(*told(repeatedly(QUICK, signed)))


@attack("an entry mutated by its structure and signed anew by all", "protocol 10", knows=EVERY_KEY)
@pytest.mark.long
def test_mutated_entries_signed_anew_at_length(outcome: Outcome) -> None:
    outcome.rejected(*told(repeatedly(LONG, signed)))


def opened(pick: Pick, table: Table) -> str:
    """The house begins a record with something else; it names the key by which that is signed."""
    genuine = table.record[0].json()
    below = pick((("body",), ("body",), ("body", "options"), ("body", "seats"), ()))
    entry = mutated(pick, genuine, (match(pick(NAMES))[0].table.record[0].json(),), below)
    entry = match_of(table).resigned(entry)
    verdict = judged(None, entry, Remembering())
    if verdict.game is None:
        sound(verdict.code, entry_field(verdict.pointer), entry)
        return "refused"
    assert page_takes(Reader([entry]), entry), entry
    consistent(verdict.game)
    return "the same" if canonical(entry) == canonical(genuine) else "equally legal"


def match_of(table: Table) -> Place:
    """A place whose keys are those of this table."""
    return next(place for name in NAMES for place in match(name)[:1] if place.table is table)


def first_entries(how: settings) -> Counter[str]:
    found: Counter[str] = Counter()

    @how
    @given(st.data())
    def run(data: Any) -> None:
        def pick(options: Sequence[Any]) -> Any:
            return options[data.draw(_below(len(options)))]

        found[opened(pick, match(pick(NAMES))[0].table)] += 1

    run()
    return found


@attack("the first entry mutated by its structure and signed anew", "protocol 10", knows="the house's key")
def test_mutated_first_entries(outcome: Outcome) -> None:
    outcome.rejected(*told(first_entries(settings(QUICK, max_examples=250))))


@attack("the first entry mutated by its structure and signed anew", "protocol 10", knows="the house's key")
@pytest.mark.long
def test_mutated_first_entries_at_length(outcome: Outcome) -> None:
    outcome.rejected(*told(first_entries(settings(LONG, max_examples=4000))))


@attack(
    "a time at the end of all times", "protocol 10", knows="the house's key", withstands="taken, and harmless"
)
@pytest.mark.parametrize("name", NAMES)
def test_the_last_time_that_can_be_written(name: str) -> None:
    """The deadline after it could not be written: whoever looks at such a record must not fall over."""
    place = match(name)[0]
    entry = place.resigned({**place.entry.json(), "at": timestamp(LAST_MS)})
    verdict = judged(place.house, entry, Remembering())
    assert verdict.code == "too_late"
    first = place.table.record[0].json()
    verdict = judged(None, place.resigned({**first, "at": timestamp(LAST_MS)}), Remembering())
    assert verdict.game is not None
    consistent(verdict.game)


# Messages that are validated

FIELDS = ("step", "kind", "body")


def _message(entry: Any) -> dict[str, Any]:
    return {**{key: entry[key] for key in FIELDS}, "seat": int(entry["actor"])}


def at_the_door(pick: Pick, place: Place) -> str:
    """The house answers a message with a possible signer; the fold must say the same of it as an entry."""
    game, genuine = place.house, _message(place.entry.json())
    sent = mutated(pick, genuine, [_message(other) for other in place.alike])
    if not isinstance(sent, dict):
        sent = {"body": sent}
    actor = str(sent["seat"]) if type(sent.get("seat")) is int else "house"
    parts = {name: sent[name] for name in FIELDS if name in sent}
    entry = place.resigned({**place.entry.json(), **parts, "actor": actor})
    sent["signature"] = entry["player_signature"]
    # A message that waited has come in time, whenever its step was closed.
    held = game.asking is not None and game.asking.held
    arrival = min(place.entry.at, game.asking.deadline) if game.asking and held else place.entry.at
    verdict = judged(game, entry, Remembering())
    try:
        message = read_message(game.header.game, sent)
        after, entries = accept(place.table.keeper, game, message, arrival, Remembering())
    except Refused as refused:
        code, pointer = refused.code, refused.pointer
    else:
        return _taken(place, message, after, len(entries), verdict.game)
    body_field = entry_field(pointer).startswith("/body/") and not pointer.startswith("/body/")
    sound(code, f"/body{pointer}" if body_field else pointer, sent)
    assert verdict.game is None or code in ("too_late", "too_large", *_NOT_IN_AN_ENTRY), (code, sent)
    return "refused"


_NOT_IN_AN_ENTRY = ("unknown_field", "missing_field", "bad_shape", "bad_integer")
"""Faults of a message's own frame, which an entry does not keep."""


def _taken(place: Place, message: Any, after: Game, count: int, folded: Game | None) -> str:
    if waits(place.house, message):
        assert (after, count) == (place.house, 0)
    else:
        assert folded is not None
        assert count > 0
        consistent(after)
    genuine = place.entry
    same = (message.body, message.step, message.kind) == (genuine.body, genuine.step, genuine.kind)
    return "the same" if same else "equally legal"


@attack("a message mutated by its structure, signed by its player", "protocol 10", knows=THEIR_KEY)
def test_mutated_messages(outcome: Outcome) -> None:
    outcome.rejected(*told(repeatedly(QUICK, at_the_door, players=True)))


@attack("a message mutated by its structure, signed by its player", "protocol 10", knows=THEIR_KEY)
@pytest.mark.long
def test_mutated_messages_at_length(outcome: Outcome) -> None:
    outcome.rejected(*told(repeatedly(LONG, at_the_door, players=True)))


# Texts


def otherwise(pick: Pick, place: Place) -> str:
    """Check that a text means the same or is refused as a message, and is refused in a record."""
    genuine = place.entry.json()
    changed = rewritten_text(pick, canonical(genuine).decode())
    record = f'{{"entries":[{changed}],"protocol":"cloche/v1"}}'
    try:
        found = parse_record(record.encode())
    except (Refused, Unreadable):
        found = []
    assert [canonical(item).decode() for item in found] in ([], [changed])
    try:
        value = parse(changed.encode())
    except EncodingError:
        return "refused"
    assert twice(changed) == 0, changed
    if canonical(value) != canonical(genuine):
        assert judged(place.house, value, Remembering(), place.link).game is None
        return "refused"
    return "the same"


def twice(text: str) -> int:
    """Count the members of objects that stand there twice, by a reader that keeps them all."""
    doubled = 0

    def pairs(listed: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal doubled
        doubled += len(listed) - len({name for name, _ in listed})
        return dict(listed)

    json.loads(text, object_pairs_hook=pairs)
    return doubled


@attack("JSON written otherwise: members twice, escapes, numbers, marks", "protocol 1", knows="the record")
def test_rewritten_texts(outcome: Outcome) -> None:
    found = repeatedly(settings(QUICK, max_examples=300), otherwise)
    assert found["the same"], "some texts are other texts of the same value"
    outcome.rejected(sum(found.values()), f"but {found['the same']} that say the same")


def test_every_kind_is_mutated() -> None:
    kinds = {place.entry.kind for name in NAMES for place in match(name)}
    players = {"enter", "ready", "link", "move", "seal", "reveal", "resign", "draw"}
    assert kinds == players | {"deal", "turn", "shown", "timeout", "account", "result"}
    slow = [place.entry.body for place in match("slow")]
    assert sum("envelope" in body for body in slow) > 3
    assert sum(body.get("link") is not None for body in slow if "openings" in body) > 3
