"""The files that `cloche verify` checks beside records: other things that the house signs, by kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cloche.commands.words import number
from crypto.encoding import b64, timestamp
from referee import boosters, evidence, ownership
from referee.booster_statements import PROTOCOL as BOOSTERS

_PROTOCOL = re.compile(rb'"protocol":"([a-z-]+/v[0-9]+)"')
"""The field `protocol` of a canonical file. Inside a JSON text its quotes would be escaped."""


@dataclass(frozen=True, slots=True)
class StatementKind:
    """A kind of file: how to verify it, and how to describe it."""

    verify: Callable[..., Any]
    """(data, house key or None, successions, progress) -> a report; raises `Unreadable`."""
    checks: Mapping[str, str]
    """The words for what each count of the report has checked."""
    title: Callable[[Any], str]
    """Describes a valid file in a line."""
    lines: Callable[[Any], Iterable[str]]
    """Describes a valid file further."""


def kind_of(data: bytes) -> StatementKind | None:
    """The kind of a file; None for a record, and for anything unknown."""
    if evidence.looks_like(data):
        return EVIDENCE
    found = _PROTOCOL.search(data)
    return None if found is None else KINDS.get(found[1].decode())


def _boosters(report: boosters.BoosterReport) -> str:
    return f"{number(len(report.packs), 'booster')} of player {report.player}"


def _booster_lines(report: boosters.BoosterReport) -> Iterable[str]:
    for key in dict.fromkeys(report.house_keys):
        yield f"House   {b64(key)} (as the file says)"
    for i, (name, cards) in enumerate(report.packs, 1):
        yield f"{i:>6}  {name} {' '.join(map(str, cards))}"
    for chain in report.given_up:
        yield f"Chain   {chain} was given up before its end, with a notice"
    for asked in report.asked:
        if not asked.as_asked:
            yield from _asked_lines(report, asked)


def _asked_lines(report: boosters.BoosterReport, asked: boosters.AskedBooster) -> Iterable[str]:
    """Describe an opening that was asked for and did not come: what it held, and what the booster gave."""
    where = f"opening {asked.number}, by link {asked.k} of chain {asked.chain}"
    yield f"Asked   booster {asked.booster} as {where}"
    if asked.would is not None:
        yield f"        would have given {' '.join(map(str, asked.would))}"
    if asked.opened is None:
        yield "        is not open in this file"
    else:
        _, cards = report.packs[asked.opened - 1]
        yield f"        gave {' '.join(map(str, cards))} as opening {asked.opened}, which you asked for anew"


def _origin(report: ownership.CopyReport) -> ownership.Origin:
    """The origin that a valid file states."""
    if report.origin is None:
        raise ValueError("a file that is not valid states no origin")
    return report.origin


def _copy(report: ownership.CopyReport) -> str:
    origin = _origin(report)
    bound = ", bound to its owner" if origin.soulbound else ""
    return f"copy {origin.serial} of {origin.set} {origin.number} (card {origin.card}){bound}"


def _copy_lines(report: ownership.CopyReport) -> Iterable[str]:
    origin = _origin(report)
    yield f"House   {b64(report.house_key)} (as the file says)"
    yield f"Copy    {origin.copy}, from {origin.origin}"
    for owner in report.owners:
        yield f"Owner   {owner.player} since {timestamp(owner.at)} ({owner.kind}, {owner.transaction})"
    yield f"As of   {timestamp(report.at)}"


def _evidence_lines(report: evidence.EvidenceReport) -> Iterable[str]:
    if report.game is not None:
        yield f"House   {b64(report.game.header.house_key)} (as the record says)"
        yield f"Game    {report.game.header.game}"
    yield f"Seen    {report.said}"
    yield "To do   Keep the file, and leave the house. Show it to the others at the table, and to whoever"
    yield "        trusts this key: each of them can check it by `cloche verify`. It can hold cards and"
    yield "        meals that nobody has seen, so hand it on when the round is over."


EVIDENCE = StatementKind(
    evidence.judge,
    {"entries": "one chain of digests, each in its step and time"},
    lambda report: f"it convicts the house of {report.breach}",
    _evidence_lines,
)

KINDS: dict[str, StatementKind] = {
    BOOSTERS: StatementKind(
        boosters.verify_boosters,
        {
            "openings": "numbered without gaps, each covers the one before",
            "signatures": "by the house, and by the player for what was asked for",
            "notices": "of chains that were given up, each with the chain's end",
            "receipts": "for openings that were asked for, one a link",
            "links": "lead back to the commitment of the house",
            "draws": "follow from link, nonce and the published odds",
        },
        _boosters,
        _booster_lines,
    ),
    ownership.PROTOCOL: StatementKind(
        ownership.verify_copy,
        {
            "origins": "what the copy is, and where it came from",
            "owners": "each covers the one before, up to today's owner",
            "signatures": "by the house",
        },
        _copy,
        _copy_lines,
    ),
}
"""The kinds, by a file's field `protocol`."""
