"""The origin and the owners of a card's copy: the statements that the house signs, and their check.

docs/collection.md defines the bytes. The house states a copy's *origin* once. Each owner, from the first on,
is a *link* with the digest of the statement before it. The *holder* statement says how many links there are
at a moment, so that nobody can leave out the newest. Players are named only by their ids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crypto.encoding import EncodingError, b64, canonical, parse_timestamp, timestamp, uuid_bytes
from crypto.identity import check_public_key, public_key, sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST, KEY, SIGNATURE, fields, instant, integer, listing, octets, text
from referee.errors import Refused, need
from referee.on_chain import token_id
from referee.record import parse_file
from referee.succession import Succession, related
from referee.verify import RecordFault

PROTOCOL = "cloche-copy/v1"
SECTION = "collection, provenance"

ORIGIN = ("copy", "card", "set", "number", "serial", "origin", "soulbound", "at")
LINK = ("copy", "number", "prev", "player", "kind", "transaction", "at")
HOLDER = ("copy", "player", "links", "last", "at")


@dataclass(frozen=True, slots=True)
class Origin:
    """The identity of a copy, and its origin."""

    copy: str
    """The copy's id."""
    card: int
    """The card's number in the catalogue."""
    set: str
    """The set's code."""
    number: int
    """The card's number in the set."""
    serial: int
    """The serial number: 1 for the first copy of this card ever made."""
    origin: str
    """ "starter:SLUG", "basic" or "booster:ID"."""
    soulbound: bool
    at: int
    """The time when it was made, in milliseconds since 1970."""

    def json(self) -> dict[str, Any]:
        """The origin in the JSON form in which the house states it."""
        return {**{name: getattr(self, name) for name in ORIGIN}, "at": timestamp(self.at)}


@dataclass(frozen=True, slots=True)
class Owner:
    """A player who received a copy, how and when."""

    player: str
    """The player's id."""
    kind: str
    """The kind of the transaction in the house's ledger."""
    transaction: int
    """The number of that transaction."""
    at: int


def _digest(label: str, stated: Mapping[str, Any], names: Sequence[str]) -> bytes:
    return tuple_hash(label, canonical({name: stated[name] for name in names}))


def origin_digest(origin: Mapping[str, Any]) -> bytes:
    """TH("copy-origin"; canonical JSON without signature)."""
    return _digest("copy-origin", origin, ORIGIN)


def link_digest(link: Mapping[str, Any]) -> bytes:
    """TH("copy-owner"; canonical JSON without signature)."""
    return _digest("copy-owner", link, LINK)


def holder_digest(holder: Mapping[str, Any]) -> bytes:
    """TH("copy-holder"; canonical JSON without signature)."""
    return _digest("copy-holder", holder, HOLDER)


def _signed(house_private: bytes, stated: dict[str, Any], digest: bytes) -> dict[str, Any]:
    return {**stated, "signature": b64(sign(house_private, digest))}


def write_origin(house_private: bytes, origin: Origin) -> dict[str, Any]:
    """The origin, signed by the house."""
    stated = origin.json()
    return _signed(house_private, stated, origin_digest(stated))


def write_provenance(
    house_private: bytes, origin: Origin, owners: Sequence[Owner], at: int
) -> dict[str, Any]:
    """The house's statements of a copy at `at`: its origin, its owners in order, and its holder."""
    links: list[dict[str, Any]] = []
    prev = origin_digest(origin.json())
    for number, owner in enumerate(owners, 1):
        stated = {
            "copy": origin.copy,
            "number": number,
            "prev": b64(prev),
            "player": owner.player,
            "kind": owner.kind,
            "transaction": owner.transaction,
            "at": timestamp(owner.at),
        }
        prev = link_digest(stated)
        links.append(_signed(house_private, stated, prev))
    holder = {
        "copy": origin.copy,
        "player": owners[-1].player,
        "links": len(owners),
        "last": b64(prev),
        "at": timestamp(max(at, *(owner.at for owner in owners))),
    }
    return {
        "protocol": PROTOCOL,
        "house_key": b64(public_key(house_private)),
        "origin": write_origin(house_private, origin),
        "owners": links,
        "holder": _signed(house_private, holder, holder_digest(holder)),
    }


# The check


@dataclass(slots=True)
class CopyReport:
    """The result of a check of a copy's file."""

    fault: RecordFault | None = None
    checked: Counter[str] = field(default_factory=Counter)
    """The number of origins, owners and signatures that were checked."""
    house_key: bytes = b""
    origin: Origin | None = None
    owners: list[Owner] = field(default_factory=list)
    at: int = 0
    """The moment that the holder statement is about, in milliseconds since 1970."""

    @property
    def valid(self) -> bool:
        """True if every check passed."""
        return self.fault is None

    def json(self) -> dict[str, Any]:
        """The report as JSON."""
        fault = self.fault
        return {
            "valid": self.valid,
            "fault": fault and {"pointer": fault.pointer, "code": fault.code, "text": fault.text},
            "checked": dict(self.checked),
            "house_key": b64(self.house_key) or None,
            "origin": self.origin and self.origin.json(),
            "owners": [owner.player for owner in self.owners],
            "at": timestamp(self.at) if self.valid else None,
        }


def verify_copy(
    data: bytes,
    house_key: bytes | None = None,
    successions: Sequence[Succession] = (),
    progress: Callable[[int, int], None] | None = None,
) -> CopyReport:
    """Verify a copy's file from itself alone; raises `Unreadable` if it is not JSON.

    `house_key` is one key of the expected house, if one is expected; `successions` join it to the house's
    other keys. `progress` is called with the owners checked and their total.
    """
    report = CopyReport()
    try:
        given = parse_file(data, PROTOCOL, ("house_key", "origin", "owners", "holder"))
        report.house_key = _house(given["house_key"], house_key, successions)
        origin, _ = _origin(report, given["origin"])
        prev = origin_digest(origin)
        before = report.at
        links = listing(given["owners"], "/owners")
        need(links, "bad_length", "a copy has had at least one owner", "/owners", SECTION)
        for i, item in enumerate(links):
            link = _link(report, item, i, origin["copy"], prev, before)
            prev, before = link_digest(link), parse_timestamp(link["at"])
            if progress is not None:
                progress(i + 1, len(links))
        _holder(report, given["holder"], origin["copy"], prev, before)
    except Refused as refused:
        report.fault = RecordFault.of_file(refused)
    return report


def verify_token(certificate: object, token: bytes, house_key: bytes) -> Origin:
    """Verify the certificate in a token's metadata: that the house has signed the origin of this very token.

    `token` is its id of 32 bytes. Raises `Refused`, for a token of another copy with `wrong_token`.
    """
    report = CopyReport(house_key=house_key)
    given, origin = _origin(report, fields(certificate, ("origin",), "")["origin"])
    same = token_id(origin_digest(given)) == token
    need(same, "wrong_token", "this certificate is that of another token", "/origin", SECTION)
    return origin


def _house(value: object, expected: bytes | None, successions: Sequence[Succession]) -> bytes:
    key = octets(value, "/house_key", KEY)
    try:
        check_public_key(key)
    except EncodingError as error:
        raise Refused("bad_key", str(error), "/house_key") from None
    known = expected is None or related(successions, key, expected)
    need(known, "wrong_house", "the key belongs to another house", "/house_key")
    return key


def _id(value: object, pointer: str) -> str:
    try:
        uuid_bytes(value if isinstance(value, str) else "")
    except EncodingError:
        raise Refused("bad_id", "the value must be an id", pointer) from None
    return str(value)


def _by_house(report: CopyReport, given: Mapping[str, Any], digest: bytes, pointer: str) -> None:
    signature = octets(given["signature"], f"{pointer}/signature", SIGNATURE)
    held = verify(report.house_key, digest, signature)
    need(held, "bad_signature", "this is not signed by the house", f"{pointer}/signature", SECTION)
    report.checked["signatures"] += 1


def _same_copy(value: object, copy: str, pointer: str) -> None:
    need(value == copy, "wrong_copy", "this is about another copy", pointer, SECTION)


def _origin(report: CopyReport, data: object) -> tuple[Mapping[str, Any], Origin]:
    given = fields(data, (*ORIGIN, "signature"), "/origin")
    bound = given["soulbound"]
    need(isinstance(bound, bool), "bad_shape", "the value must be true or false", "/origin/soulbound")
    origin = Origin(
        _id(given["copy"], "/origin/copy"),
        integer(given["card"], "/origin/card", 1, 2**32 - 1),
        text(given["set"], "/origin/set", 60),
        integer(given["number"], "/origin/number", 1, 999),
        integer(given["serial"], "/origin/serial", 1, 2**31 - 1),
        text(given["origin"], "/origin/origin", 60),
        bound,
        instant(given["at"], "/origin/at"),
    )
    report.origin, report.at = origin, origin.at
    _by_house(report, given, origin_digest(given), "/origin")
    report.checked["origins"] += 1
    return given, origin


def _link(report: CopyReport, data: object, i: int, copy: str, prev: bytes, before: int) -> Mapping[str, Any]:
    at = f"/owners/{i}"
    given = fields(data, (*LINK, "signature"), at)
    _same_copy(given["copy"], copy, f"{at}/copy")
    number = integer(given["number"], f"{at}/number", 1)
    need(number == i + 1, "bad_order", f"this must be owner {i + 1}", f"{at}/number", SECTION)
    same = octets(given["prev"], f"{at}/prev", DIGEST) == prev
    need(same, "bad_prev", "this must be the digest of what came before", f"{at}/prev", SECTION)
    owner = Owner(
        _id(given["player"], f"{at}/player"),
        text(given["kind"], f"{at}/kind", 16),
        integer(given["transaction"], f"{at}/transaction", 1),
        instant(given["at"], f"{at}/at"),
    )
    need(owner.at >= before, "bad_time", "the time is earlier than the one before", f"{at}/at", SECTION)
    moved = not report.owners or report.owners[-1].transaction < owner.transaction
    need(
        moved, "bad_order", "the transaction must be later than the one before", f"{at}/transaction", SECTION
    )
    _by_house(report, given, link_digest(given), at)
    report.owners.append(owner)
    report.checked["owners"] += 1
    return given


def _holder(report: CopyReport, data: object, copy: str, prev: bytes, before: int) -> None:
    given = fields(data, (*HOLDER, "signature"), "/holder")
    _same_copy(given["copy"], copy, "/holder/copy")
    links = integer(given["links"], "/holder/links", 1)
    need(
        links == len(report.owners),
        "bad_length",
        f"the statement counts {links} owners, and the list has another number",
        "/owners",
        SECTION,
    )
    last = octets(given["last"], "/holder/last", DIGEST)
    need(last == prev, "bad_prev", "this must be the digest of the last owner", "/holder/last", SECTION)
    same = given["player"] == report.owners[-1].player
    need(same, "wrong_player", "the player is not the last owner", "/holder/player", SECTION)
    report.at = instant(given["at"], "/holder/at")
    need(report.at >= before, "bad_time", "the statement is older than the last owner", "/holder/at", SECTION)
    _by_house(report, given, holder_digest(given), "/holder")
