"""Real matches, entry by entry, as two readers that share nothing know them: our fold, and the page's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from crypto.encoding import EncodingError, b64, parse_timestamp, unb64
from crypto.identity import sign
from referee import Entry, Game, Refused, apply, read_entry
from referee.checks import Remembering, Trusting
from referee.message import message_digest
from referee.record import entry_digest
from tests.docs.page_proofs import Invalid, read_json
from tests.docs.page_record import Reader
from tests.referee.table import Table

NAMES = ("chef", "hearts", "slow")
LENGTHS = {"chef": 70, "hearts": 140, "slow": 90}
UNSOUND = (Invalid, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""The errors by which the page's reader refuses: all that it stumbles over."""


@dataclass(frozen=True, repr=False)
class Place:
    """An entry of a match, and how matters stood before it."""

    name: str
    table: Table
    """The match as it ended."""
    entry: Entry
    house: Game
    """The game as the house folds it: with all faces."""
    public: Game
    """The game as anybody folds it."""

    @property
    def link(self) -> bytes | None:
        """The house's link of the next deal."""
        return self.table.keeper.chain.link(self.house.deals + 1)

    @property
    def alike(self) -> tuple[Any, ...]:
        """Real entries of this kind, as JSON."""
        return _alike(self.name)[self.entry.kind]

    def reader(self) -> Reader:
        """The page's reader, to be led on from here."""
        return _copied(_readers(self.name)[self.entry.seq])

    def resigned(self, data: Any) -> Any:
        """An entry's JSON, signed anew by a holder of every key; as it was where nobody can sign."""
        try:
            data, seat = dict(data), data["actor"]
            if seat != "house":
                player = self.table.seats[int(seat)].private
                place = (self.house.header.game, data["step"], int(seat), data["kind"], data["body"])
                data["player_signature"] = b64(sign(player, message_digest(*place)))
            given = data["player_signature"]
            digest = entry_digest(
                unb64(data["prev"], 64),
                data["seq"],
                parse_timestamp(data["at"]),
                data["step"],
                data["actor"],
                data["kind"],
                data["body"],
                given and unb64(given, 64),
            )
            return {**data, "house_signature": b64(sign(self.table.keeper.private, digest))}
        except (EncodingError, *UNSOUND):
            return data


def _copied(reader: Reader) -> Reader:
    shared = [reader.entries, *(getattr(reader, name, None) for name in ("open", "cards"))]
    return deepcopy(reader, {id(item): item for item in shared})


@cache
def match(name: str) -> tuple[Place, ...]:
    """Every entry of a random match; the last of them has a result."""
    table = _table(name)
    while not table.game.over:
        _next(table, len(table.record) > LENGTHS[name])
    places = list[Place]()
    house: Game | None = None
    public: Game | None = None
    for entry in table.record:
        if house is not None and public is not None:
            places.append(Place(name, table, entry, house, public))
        secret = entry.kind == "deal" and entry.body["link"] is None
        link = table.keeper.chain.link(entry.body["deal"]) if secret else None
        house = apply(house, entry, Trusting(), link)
        public = apply(public, entry, Trusting())
    return tuple(places)


@cache
def _readers(name: str) -> tuple[Reader, ...]:
    """The page's reader before each entry."""
    entries = [entry.json() for entry in match(name)[0].table.record]
    reader, found = Reader(entries), list[Reader]()
    for data in entries:
        found.append(_copied(reader))
        reader.take(data)
    return tuple(found)


def _next(table: Table, long: bool) -> None:
    """A step, with a draw offered now and then; where it gets long, somebody resigns."""
    table.step()
    if table.game.over or table.game.deals == 0:
        return
    seat = min(set(range(len(table.seats))) - table.game.gone)
    if long:
        table.send(table.seats[seat].resign(table.views[seat]))
    elif table.rng.random() < 0.06 and not table.game.seat(seat).offers_draw:
        with suppress(Refused):  # offered in this step before
            table.send(table.seats[seat].offer_draw(table.views[seat]))


def _table(name: str) -> Table:
    silence = 0.12 if name != "hearts" else 0.05
    if name == "chef":
        table = Table.chef(41, {"bank": 600})
    elif name == "slow":
        table = Table.chef(42, {"early_links": True}, envelopes=True)
        table.encloses = lambda table, seat: table.rng.random() < 0.7
        table.away = lambda table: table.rng.random() < 0.4
    else:
        table = Table.hearts(3, 47, {"absent": "play", "bank": 900})
    table.silent = lambda table, seat: table.game.deals > 0 and table.rng.random() < silence
    return table


@dataclass(frozen=True)
class Verdict:
    """The result of our fold for an entry: a refusal's code and pointer, or the game after it."""

    code: str = ""
    pointer: str = ""
    game: Game | None = None


def judged(game: Game | None, data: Any, checks: Remembering, link: bytes | None = None) -> Verdict:
    """One more entry, as JSON. Any other exception than `Refused` is a hole."""
    try:
        return Verdict(game=apply(game, read_entry(data), checks, link))
    except Refused as refused:
        return Verdict(refused.code, refused.pointer)


def page_takes(reader: Reader, data: Any) -> bool:
    """Tell whether the page's reader takes one more entry, read from a file that holds it."""
    try:
        reader.take(
            read_json(json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode())
        )
    except UNSOUND:
        return False
    return True


@cache
def _alike(name: str) -> Mapping[str, tuple[Any, ...]]:
    found: dict[str, list[Any]] = {}
    for place in match(name):
        found.setdefault(place.entry.kind, []).append(place.entry.json())
    return {kind: tuple(listed) for kind, listed in found.items()}
