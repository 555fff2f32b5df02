"""The check of a player's boosters: a file of everything that was asked for and opened, from itself alone.

docs/boosters.md defines the bytes; `referee.booster_statements` writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cards.catalog.boosters import Booster, BoosterError, counted, read_booster
from crypto.encoding import EncodingError, b64, unb64, uuid_bytes
from crypto.fairness import CHAIN_LENGTH, LINK_BYTES, Chain, leads
from crypto.identity import verify
from referee.bodies import DIGEST, KEY, SIGNATURE, fields, instant, integer, listing, octets
from referee.booster_statements import (
    ASKED,
    COMMITTED,
    FIRST,
    NONCE,
    NOTICE,
    OPENED,
    PROTOCOL,
    RECEIPT,
    BoosterDraw,
    ask_digest,
    commitment_digest,
    notice_digest,
    opening_digest,
    receipt_digest,
    rules_digest,
    seal_of,
)
from referee.errors import Refused, need
from referee.record import parse_file
from referee.succession import Succession, related
from referee.verify import RecordFault


@dataclass(frozen=True, slots=True)
class Commitment:
    """A commitment that was read and checked."""

    chain: int
    anchor: bytes
    at: int
    house_key: bytes
    player_key: bytes | None
    """The key by which the player asks for openings; None in commitments of older versions."""


def read_commitment(data: object, player: str | None = None, pointer: str = "") -> Commitment:
    """A commitment that its house has signed, for this player if one is given; raises `Refused`."""
    given = fields(data, (*COMMITTED, "signature"), pointer, optional=("player_key",))
    _same_player(given["player"], player, f"{pointer}/player")
    key = given.get("player_key")
    found = Commitment(
        integer(given["chain"], f"{pointer}/chain", 1, 2**31 - 1),
        octets(given["anchor"], f"{pointer}/anchor", LINK_BYTES),
        instant(given["at"], f"{pointer}/at"),
        octets(given["house_key"], f"{pointer}/house_key", KEY),
        octets(key, f"{pointer}/player_key", KEY) if "player_key" in given else None,
    )
    text = "the commitment must be signed by the house key that it names"
    _signed(given, found.house_key, commitment_digest(given), text, pointer, "boosters 2")
    return found


def read_receipt(data: object, chain: Commitment, player: str, pointer: str = "") -> Mapping[str, Any]:
    """A receipt under a chain, signed by player and house; raises `Refused`."""
    given = fields(data, (*RECEIPT, "signature"), pointer)
    _same_player(given["player"], player, f"{pointer}/player")
    _same_player(given["booster"], None, f"{pointer}/booster")
    for name in ("prev", "rules", "seal"):
        octets(given[name], f"{pointer}/{name}", DIGEST)
    integer(given["number"], f"{pointer}/number", 1)
    integer(given["since"], f"{pointer}/since")
    integer(given["k"], f"{pointer}/k", 1, CHAIN_LENGTH)
    same = (given["chain"], given["anchor"]) == (chain.chain, b64(chain.anchor))
    need(same, "unknown_chain", "the receipt is for another chain", f"{pointer}/anchor", "boosters 3")
    need(instant(given["at"], f"{pointer}/at") >= chain.at, "bad_time", _OLDER, f"{pointer}/at")
    _asked(given, given, chain, pointer)
    text = "the receipt is not signed by the house"
    _signed(given, chain.house_key, receipt_digest(given), text, pointer, "boosters 3")
    return given


_OLDER = "this is older than what it follows"


def _signed(
    given: Mapping[str, Any], key: bytes, digest: bytes, text: str, pointer: str, section: str
) -> None:
    signature = octets(given["signature"], f"{pointer}/signature", SIGNATURE)
    need(verify(key, digest, signature), "bad_signature", text, f"{pointer}/signature", section)


def _asked(given: Mapping[str, Any], terms: Mapping[str, Any], chain: Commitment, pointer: str) -> None:
    """Check the player's signature under the terms of an ask."""
    asked = octets(given["asked"], f"{pointer}/asked", SIGNATURE)
    if chain.player_key is None:
        raise Refused("bad_shape", "nothing is asked for under this chain", f"{pointer}/asked", "boosters 2")
    held = verify(chain.player_key, ask_digest(terms), asked)
    need(held, "bad_signature", "the player has not asked for this", f"{pointer}/asked", "boosters 3")


def asked_terms(opening: Mapping[str, Any], anchor: str) -> dict[str, Any]:
    """The terms on which an opening was asked for, as the fields of an ask. `anchor` is the chain's."""
    seal = b64(seal_of(unb64(opening["nonce"], NONCE)))
    terms = {**opening, "anchor": anchor, "seal": seal}
    return {name: terms[name] for name in ASKED}


def _same_player(value: object, player: str | None, pointer: str) -> None:
    try:
        uuid_bytes(value if isinstance(value, str) else "")
    except EncodingError:
        raise Refused("bad_id", "the value must be an id", pointer) from None
    need(player is None or value == player, "wrong_player", "the file is about another player", pointer)


@dataclass(frozen=True, slots=True)
class AskedBooster:
    """An opening that was asked for and has a receipt, and what became of it."""

    booster: str
    number: int
    chain: int
    k: int
    would: tuple[int, ...] | None
    """The cards that it would have given. None unless a notice shows the link and the file the nonce."""
    opened: int | None
    """The number of the opening in which the booster was opened, by this ask or another; None for none."""
    as_asked: bool
    """True if it was opened by this ask."""

    def json(self) -> dict[str, Any]:
        """This as JSON."""
        return {
            "booster": self.booster,
            "number": self.number,
            "chain": self.chain,
            "k": self.k,
            "would": None if self.would is None else [*self.would],
            "opened": self.opened,
            "as_asked": self.as_asked,
        }


@dataclass(slots=True)
class BoosterReport:
    """The result of a check of a booster file."""

    fault: RecordFault | None = None
    checked: Counter[str] = field(default_factory=Counter)
    """The number of openings, signatures, links, draws and notices that were checked."""
    player: str = ""
    player_key: bytes | None = None
    """The key that has asked for the openings, as the house states it; None if nothing was asked for."""
    house_keys: tuple[bytes, ...] = ()
    """The house keys that signed the commitments, in order."""
    packs: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    """Each opening's set and cards."""
    given_up: tuple[int, ...] = ()
    """The numbers of the chains that the house gave up, with a notice."""
    asked: tuple[AskedBooster, ...] = ()
    """The receipts in the file."""
    since: Mapping[str, int] = field(default_factory=dict)
    """The pity counter of each set, after the last opening."""
    rules: Mapping[bytes, Booster] = field(default_factory=dict)
    """The rules that the file states, by their digest."""

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
            "player": self.player,
            "player_key": None if self.player_key is None else b64(self.player_key),
            "house_keys": [b64(key) for key in self.house_keys],
            "boosters": [{"set": name, "cards": [*cards]} for name, cards in self.packs],
            "given_up": [*self.given_up],
            "asked": [item.json() for item in self.asked],
        }


@dataclass(slots=True)
class _Reading:
    """The state of reading a file: what the openings so far have fixed."""

    player: str
    rules: dict[bytes, Booster]
    chains: dict[int, Commitment]
    ends: dict[int, Chain] = field(default_factory=dict)
    """The chains that were given up, with all of their links."""
    prev: bytes = FIRST
    at: int = 0
    chain: int = 0
    link: bytes = b""
    shown: Counter[int] = field(default_factory=Counter)
    """The number of links shown, by chain."""
    since: dict[str, int] = field(default_factory=dict)
    boosters: dict[str, int] = field(default_factory=dict)
    """The number of each opened booster's opening."""
    terms: dict[tuple[int, int], bytes] = field(default_factory=dict)
    """The digest of the ask that took a link, by chain and link."""


FIELDS = ("player", "rules", "chains", "notices", "asked", "openings")


def verify_boosters(
    data: bytes,
    house_key: bytes | None = None,
    successions: Sequence[Succession] = (),
    progress: Callable[[int, int], None] | None = None,
) -> BoosterReport:
    """Verify a file of all openings of a player; raises `Unreadable` if it is not JSON.

    `house_key` is one key of the expected house, if one is expected; `successions` join it to the house's
    other keys. `progress` is called with the openings done and their total.
    """
    report = BoosterReport()
    try:
        given = parse_file(data, PROTOCOL, FIELDS)
        _same_player(given["player"], None, "/player")
        reading = _Reading(given["player"], _rules(given["rules"]), {})
        _chains(reading, given["chains"], house_key, successions)
        _notices(reading, given["notices"])
        report.checked["signatures"] += len(reading.chains) + len(reading.ends)
        if reading.ends:
            report.checked["notices"] = len(reading.ends)
        openings = listing(given["openings"], "/openings")
        for i, opening in enumerate(openings):
            report.packs.append(_opening(reading, opening, i))
            for name in ("openings", "signatures", "links", "draws"):
                report.checked[name] += 1
            if progress is not None:
                progress(i + 1, len(openings))
        _given_up(reading)
        report.asked = tuple(_receipts(reading, given["asked"]))
        if report.asked:
            report.checked["receipts"] = len(report.asked)
    except Refused as refused:
        report.fault = RecordFault.of_file(refused)
        return report
    report.player = reading.player
    report.player_key = next((c.player_key for c in reversed(reading.chains.values())), None)
    report.house_keys = tuple(chain.house_key for chain in reading.chains.values())
    report.given_up, report.since = tuple(reading.ends), reading.since
    report.rules = reading.rules
    return report


def _rules(data: object) -> dict[bytes, Booster]:
    found: dict[bytes, Booster] = {}
    for i, item in enumerate(listing(data, "/rules")):
        try:
            booster = read_booster(item)
        except BoosterError as error:
            raise Refused("bad_rules", str(error), f"/rules/{i}{error.field}", "boosters 1") from None
        digest = rules_digest(booster)
        need(digest not in found, "bad_list", "the file states these rules twice", f"/rules/{i}")
        found[digest] = booster
    return found


def _chains(
    reading: _Reading, data: object, house_key: bytes | None, successions: Sequence[Succession]
) -> None:
    before: Commitment | None = None
    for i, item in enumerate(listing(data, "/chains")):
        at = f"/chains/{i}"
        chain = read_commitment(item, reading.player, at)
        if house_key is not None:
            known = related(successions, chain.house_key, house_key)
            need(known, "wrong_house", "the key belongs to another house", f"{at}/house_key")
        if before is not None:
            text = f"chain {before.chain} comes before this one"
            need(chain.chain > before.chain, "bad_order", text, f"{at}/chain", "boosters 2")
            need(chain.at >= before.at, "bad_time", "this chain is older than the one before", f"{at}/at")
            asked = chain.player_key is not None or before.player_key is None
            text = "a chain without the player's key comes before all others"
            need(asked, "missing_field", text, f"{at}/player_key", "boosters 2")
            same = before.player_key in (None, chain.player_key)
            text = "the chain before this one names another key of the player"
            need(same, "wrong_key", text, f"{at}/player_key", "boosters 2")
        reading.chains[chain.chain] = before = chain


def _notices(reading: _Reading, data: object) -> None:
    """Read the notices of chains that were given up, one a chain."""
    for i, item in enumerate(listing(data, "/notices")):
        at = f"/notices/{i}"
        given = fields(item, (*NOTICE, "signature"), at)
        _same_player(given["player"], reading.player, f"{at}/player")
        chain = reading.chains.get(integer(given["chain"], f"{at}/chain", 1))
        if chain is None or given["anchor"] != b64(chain.anchor):
            raise Refused("unknown_chain", "the file has no such chain", f"{at}/chain", "boosters 5")
        twice = chain.chain in reading.ends
        need(not twice, "bad_list", "the file has two notices for this chain", f"{at}/chain", "boosters 5")
        end = octets(given["end"], f"{at}/end", LINK_BYTES)
        held = leads(end, CHAIN_LENGTH, chain.anchor, 0)
        need(held, "bad_link", "this is not the end of the chain", f"{at}/end", "boosters 5")
        need(instant(given["at"], f"{at}/at") >= chain.at, "bad_time", _OLDER, f"{at}/at")
        text = "the notice is not signed by the key of its chain"
        _signed(given, chain.house_key, notice_digest(given), text, at, "boosters 5")
        reading.ends[chain.chain] = Chain(end)


def _opening(reading: _Reading, data: object, i: int) -> tuple[str, tuple[int, ...]]:
    """Check one opening against all before it; its set and its cards."""
    at = f"/openings/{i}"
    given = fields(data, (*OPENED, "signature"), at, optional=("asked",))
    number = integer(given["number"], f"{at}/number", 1)
    need(number == i + 1, "bad_order", f"this must be opening {i + 1}", f"{at}/number", "boosters 3")
    prev = octets(given["prev"], f"{at}/prev", DIGEST)
    text = "this must be the digest of the opening before"
    need(prev == reading.prev, "bad_prev", text, f"{at}/prev", "boosters 3")
    _same_player(given["player"], reading.player, f"{at}/player")
    chain = _chain(reading, given, at)
    digest = opening_digest(given)
    text = "the opening is not signed by the house"
    _signed(given, chain.house_key, digest, text, at, "boosters 3")
    when = instant(given["at"], f"{at}/at")
    text = "the opening is older than what it follows"
    need(when >= max(reading.at, chain.at), "bad_time", text, f"{at}/at")
    reading.prev, reading.at = digest, when
    drawn = _drawn(reading, chain, given, at)
    if chain.player_key is None:
        need("asked" not in given, "unknown_field", "there is no such field", f"{at}/asked", "boosters 2")
    else:
        need("asked" in given, "missing_field", "the field asked is missing", f"{at}/asked", "boosters 3")
        terms = asked_terms(given, b64(chain.anchor))
        _asked(given, terms, chain, at)
        reading.terms[chain.chain, given["k"]] = ask_digest(terms)
    return drawn


def _chain(reading: _Reading, given: Mapping[str, Any], at: str) -> Commitment:
    """The chain of an opening, whose link must be the next one."""
    number = integer(given["chain"], f"{at}/chain", 1)
    need(number in reading.chains, "unknown_chain", "the file has no such chain", f"{at}/chain")
    need(number >= reading.chain, "bad_order", "a later chain has begun", f"{at}/chain", "boosters 2")
    chain = reading.chains[number]
    if number > reading.chain:
        reading.chain, reading.link = number, chain.anchor
    before = reading.shown[number]
    k = integer(given["k"], f"{at}/k", 1, CHAIN_LENGTH)
    need(k == before + 1, "bad_order", f"this must be link {before + 1}", f"{at}/k", "boosters 2")
    link = octets(given["link"], f"{at}/link", LINK_BYTES)
    held = leads(link, k, reading.link, before)
    need(held, "bad_link", "this is not the next link of the chain", f"{at}/link", "boosters 2")
    reading.shown[number], reading.link = k, link
    return chain


def _drawn(
    reading: _Reading, chain: Commitment, given: Mapping[str, Any], at: str
) -> tuple[str, tuple[int, ...]]:
    rules = reading.rules.get(octets(given["rules"], f"{at}/rules", DIGEST))
    if rules is None:
        raise Refused("unknown_rules", "the file does not state these rules", f"{at}/rules", "boosters 1")
    since = integer(given["since"], f"{at}/since")
    expected = reading.since.get(rules.set, 0)
    text = f"the pity counter stands at {expected}"
    need(since == expected, "bad_counter", text, f"{at}/since", "boosters 4")
    _same_player(given["booster"], None, f"{at}/booster")
    fresh = given["booster"] not in reading.boosters
    need(fresh, "opened_twice", "this booster was opened before", f"{at}/booster", "boosters 3")
    reading.boosters[given["booster"]] = given["number"]
    nonce = octets(given["nonce"], f"{at}/nonce", NONCE)
    drawn = BoosterDraw(
        reading.player, given["booster"], chain.anchor, given["k"], reading.link, nonce, since
    )
    pack = drawn.pack(rules)
    said = tuple(
        integer(card, f"{at}/cards/{i}") for i, card in enumerate(listing(given["cards"], f"{at}/cards"))
    )
    text = "these are not the cards that the draw gives"
    need(said == pack.cards, "wrong_cards", text, f"{at}/cards", "boosters 4")
    reading.since[rules.set] = counted(rules, since, pack)
    return rules.set, pack.cards


def _given_up(reading: _Reading) -> None:
    """Every chain that another one follows was used to its end, or has a notice."""
    for i, number in enumerate([*reading.chains][:-1]):
        done = number in reading.ends or reading.shown[number] == CHAIN_LENGTH
        text = (
            f"the house has begun another chain after {reading.shown[number]} of {CHAIN_LENGTH} links, and no"
            " notice gives this chain's end"
        )
        need(done, "chain_given_up", text, f"/chains/{i}", "boosters 5")


def _receipts(reading: _Reading, data: object) -> list[AskedBooster]:
    """Check the receipts of a file against each other and against the openings."""
    taken: dict[tuple[int, int], bytes] = {}
    found: list[AskedBooster] = []
    for i, item in enumerate(listing(data, "/asked")):
        at = f"/asked/{i}"
        given = fields(item, ("receipt", "nonce"), at)
        stated = given["receipt"].get("chain") if isinstance(given["receipt"], Mapping) else None
        chain = reading.chains.get(integer(stated, f"{at}/receipt/chain", 1))
        if chain is None:
            raise Refused("unknown_chain", "the file has no such chain", f"{at}/receipt/chain")
        receipt = read_receipt(given["receipt"], chain, reading.player, f"{at}/receipt")
        place, digest = (chain.chain, receipt["k"]), ask_digest(receipt)
        text = "the house has given two receipts for this link"
        same = taken.setdefault(place, digest) == digest
        need(same, "two_receipts", text, f"{at}/receipt/k", "boosters 3")
        text = "the house has opened something else by this link than it gave a receipt for"
        same = reading.terms.get(place, digest) == digest
        need(same, "other_opening", text, f"{at}/receipt/k", "boosters 3")
        nonce = None if given["nonce"] is None else octets(given["nonce"], f"{at}/nonce", NONCE)
        held = nonce is None or seal_of(nonce) == unb64(receipt["seal"])
        need(held, "wrong_nonce", "the nonce is not the sealed one", f"{at}/nonce", "boosters 3")
        found.append(_became(reading, receipt, nonce, as_asked=place in reading.terms))
    return found


def _became(
    reading: _Reading, receipt: Mapping[str, Any], nonce: bytes | None, *, as_asked: bool
) -> AskedBooster:
    end, rules = reading.ends.get(receipt["chain"]), reading.rules.get(unb64(receipt["rules"]))
    would = None
    if end is not None and rules is not None and nonce is not None:
        link = end.link(receipt["k"])
        would = BoosterDraw.of_receipt(receipt, link, nonce).pack(rules).cards
    return AskedBooster(
        receipt["booster"],
        receipt["number"],
        receipt["chain"],
        receipt["k"],
        would,
        reading.boosters.get(receipt["booster"]),
        as_asked,
    )
