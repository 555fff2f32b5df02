"""Boosters whose contents nobody can steer: the statements of house and player, and their check.

docs/boosters.md defines the bytes. The house commits to a hash chain for each player (a commitment) before it
sees any nonce. Each opening shows the chain's next link, and the house signs the cards that follow from link
and nonce. `verify_boosters` verifies a file of all openings of a player from itself alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cards.catalog.boosters import Booster, BoosterContents, BoosterError, counted, draw, read_booster
from crypto.encoding import EncodingError, b64, canonical, timestamp, uuid_bytes
from crypto.fairness import CHAIN_LENGTH, LINK_BYTES, booster_stream, leads
from crypto.identity import public_key, sign, verify
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST, KEY, SIGNATURE, fields, instant, integer, listing, octets
from referee.errors import Refused, need
from referee.record import parse_file
from referee.succession import Succession, related
from referee.verify import RecordFault

PROTOCOL = "cloche-boosters/v1"
NONCE = 32
"""Bytes of a player's nonce."""
FIRST = bytes(DIGEST)
"""The `prev` of a player's first opening, which has no opening before it."""

COMMITTED = ("player", "chain", "anchor", "at", "house_key")
OPENED = (
    "number",
    "prev",
    "player",
    "booster",
    "rules",
    "since",
    "chain",
    "k",
    "link",
    "nonce",
    "cards",
    "at",
)


def rules_digest(booster: Booster) -> bytes:
    """TH("booster-rules"; canonical JSON of the rules by which a booster is drawn)."""
    return tuple_hash("booster-rules", canonical(booster.json()))


def commitment_digest(commitment: Mapping[str, Any]) -> bytes:
    """TH("booster-chain"; canonical JSON without signature)."""
    return tuple_hash("booster-chain", canonical({name: commitment[name] for name in COMMITTED}))


def opening_digest(opening: Mapping[str, Any]) -> bytes:
    """TH("booster-opening"; canonical JSON without signature)."""
    return tuple_hash("booster-opening", canonical({name: opening[name] for name in OPENED}))


def nonce_of(private: bytes, player: str, anchor: bytes, prev: bytes, rules: bytes, booster: str) -> bytes:
    """A player's nonce that the house can neither predict nor influence (docs/boosters.md, section 3).

    TH("booster-nonce"; private key, player, anchor, prev, rules, booster; 32).

    Parameters: the player's Ed25519 private key; the ids as texts; the chain's anchor, the digest of the
    opening before, and that of the rules (64 bytes each).
    """
    ids = uuid_bytes(player), uuid_bytes(booster)
    return tuple_hash("booster-nonce", private, ids[0], anchor, prev, rules, ids[1], length=NONCE)


def write_commitment(house_private: bytes, player: str, chain: int, anchor: bytes, at: int) -> dict[str, Any]:
    """The house's signed commitment to its chain number `chain` for a player, given by id."""
    said = {
        "player": player,
        "chain": chain,
        "anchor": b64(anchor),
        "at": timestamp(at),
        "house_key": b64(public_key(house_private)),
    }
    return {**said, "signature": b64(sign(house_private, commitment_digest(said)))}


@dataclass(frozen=True, slots=True)
class BoosterDraw:
    """Everything that decides a booster's cards, apart from its rules."""

    player: str
    booster: str
    """Both ids, as texts."""
    anchor: bytes
    k: int
    link: bytes
    nonce: bytes
    since: int
    """Boosters of the set that this player has opened since the pity counter began anew."""

    def pack(self, booster: Booster) -> BoosterContents:
        """The cards of the booster."""
        ids = uuid_bytes(self.player), uuid_bytes(self.booster)
        stream = booster_stream(
            ids[0], self.anchor, self.k, self.link, self.nonce, rules_digest(booster), ids[1]
        )
        return draw(booster, self.since, stream.below)


def write_opening(
    house_private: bytes, number: int, prev: bytes, chain: int, drawn: BoosterDraw, booster: Booster, at: int
) -> tuple[dict[str, Any], BoosterContents]:
    """The house's signed statement of a player's opening `number`, and the booster's contents."""
    pack = drawn.pack(booster)
    said = {
        "number": number,
        "prev": b64(prev),
        "player": drawn.player,
        "booster": drawn.booster,
        "rules": b64(rules_digest(booster)),
        "since": drawn.since,
        "chain": chain,
        "k": drawn.k,
        "link": b64(drawn.link),
        "nonce": b64(drawn.nonce),
        "cards": [*pack.cards],
        "at": timestamp(at),
    }
    return {**said, "signature": b64(sign(house_private, opening_digest(said)))}, pack


def file_bytes(
    player: str,
    rules: Sequence[Booster],
    chains: Sequence[Mapping[str, Any]],
    openings: Sequence[Mapping[str, Any]],
) -> bytes:
    """The file of all openings of a player, with the rules and commitments that they name."""
    listed = [booster.json() for booster in rules]
    file = {"protocol": PROTOCOL, "player": player, "rules": listed, "chains": chains, "openings": openings}
    return canonical(file)


# The check


@dataclass(frozen=True, slots=True)
class Commitment:
    """A commitment that was read and checked."""

    chain: int
    anchor: bytes
    at: int
    house_key: bytes


def read_commitment(data: object, player: str | None = None, pointer: str = "") -> Commitment:
    """A commitment that its house has signed, for this player if one is given; raises `Refused`."""
    given = fields(data, (*COMMITTED, "signature"), pointer)
    _same_player(given["player"], player, f"{pointer}/player")
    found = Commitment(
        integer(given["chain"], f"{pointer}/chain", 1, 2**31 - 1),
        octets(given["anchor"], f"{pointer}/anchor", LINK_BYTES),
        instant(given["at"], f"{pointer}/at"),
        octets(given["house_key"], f"{pointer}/house_key", KEY),
    )
    signature = octets(given["signature"], f"{pointer}/signature", SIGNATURE)
    held = verify(found.house_key, commitment_digest(given), signature)
    need(
        held,
        "bad_signature",
        "the commitment must be signed by the house key that it names",
        f"{pointer}/signature",
        "boosters 2",
    )
    return found


def _same_player(value: object, player: str | None, pointer: str) -> None:
    try:
        uuid_bytes(value if isinstance(value, str) else "")
    except EncodingError:
        raise Refused("bad_id", "the value must be an id", pointer) from None
    need(player is None or value == player, "wrong_player", "the file is about another player", pointer)


@dataclass(slots=True)
class BoosterReport:
    """The result of a check of a booster file."""

    fault: RecordFault | None = None
    checked: Counter[str] = field(default_factory=Counter)
    """The number of openings, signatures, links and draws that were checked."""
    player: str = ""
    house_keys: tuple[bytes, ...] = ()
    """The house keys that signed the commitments, in order."""
    packs: list[tuple[str, tuple[int, ...]]] = field(default_factory=list)
    """Each opening's set and cards."""

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
            "house_keys": [b64(key) for key in self.house_keys],
            "boosters": [{"set": name, "cards": [*cards]} for name, cards in self.packs],
        }


@dataclass(slots=True)
class _Reading:
    """The state of reading a file: what the openings so far have fixed."""

    player: str
    rules: dict[bytes, Booster]
    chains: dict[int, Commitment]
    prev: bytes = FIRST
    at: int = 0
    chain: int = 0
    k: int = 0
    link: bytes = b""
    since: dict[str, int] = field(default_factory=dict)
    boosters: set[str] = field(default_factory=set)


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
        given = parse_file(data, PROTOCOL, ("player", "rules", "chains", "openings"))
        _same_player(given["player"], None, "/player")
        reading = _Reading(given["player"], _rules(given["rules"]), {})
        _chains(reading, given["chains"], house_key, successions)
        report.checked["signatures"] += len(reading.chains)
        openings = listing(given["openings"], "/openings")
        for i, opening in enumerate(openings):
            report.packs.append(_opening(reading, opening, i))
            for name in ("openings", "signatures", "links", "draws"):
                report.checked[name] += 1
            if progress is not None:
                progress(i + 1, len(openings))
    except Refused as refused:
        report.fault = RecordFault.of_file(refused)
        return report
    report.player = reading.player
    report.house_keys = tuple(chain.house_key for chain in reading.chains.values())
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
        need(chain.chain == i + 1, "bad_order", f"this must be chain {i + 1}", f"{at}/chain", "boosters 2")
        if house_key is not None:
            known = related(successions, chain.house_key, house_key)
            need(known, "wrong_house", "the key belongs to another house", f"{at}/house_key")
        if before is not None:
            need(chain.at >= before.at, "bad_time", "this chain is older than the one before", f"{at}/at")
        reading.chains[chain.chain] = before = chain


def _opening(reading: _Reading, data: object, i: int) -> tuple[str, tuple[int, ...]]:
    """Check one opening against all before it; its set and its cards."""
    at = f"/openings/{i}"
    given = fields(data, (*OPENED, "signature"), at)
    number = integer(given["number"], f"{at}/number", 1)
    need(number == i + 1, "bad_order", f"this must be opening {i + 1}", f"{at}/number", "boosters 3")
    prev = octets(given["prev"], f"{at}/prev", DIGEST)
    need(
        prev == reading.prev,
        "bad_prev",
        "this must be the digest of the opening before",
        f"{at}/prev",
        "boosters 3",
    )
    _same_player(given["player"], reading.player, f"{at}/player")
    chain = _chain(reading, given, at)
    signature = octets(given["signature"], f"{at}/signature", SIGNATURE)
    digest = opening_digest(given)
    need(
        verify(chain.house_key, digest, signature),
        "bad_signature",
        "the opening is not signed by the house",
        f"{at}/signature",
        "boosters 3",
    )
    when = instant(given["at"], f"{at}/at")
    need(
        when >= max(reading.at, chain.at), "bad_time", "the opening is older than what it follows", f"{at}/at"
    )
    reading.prev, reading.at = digest, when
    return _drawn(reading, chain, given, at)


def _chain(reading: _Reading, given: Mapping[str, Any], at: str) -> Commitment:
    """The chain of an opening, whose link must be the next one."""
    number = integer(given["chain"], f"{at}/chain", 1)
    need(number in reading.chains, "unknown_chain", "the file has no such chain", f"{at}/chain")
    need(number >= reading.chain, "bad_order", "a later chain has begun", f"{at}/chain", "boosters 2")
    chain = reading.chains[number]
    if number > reading.chain:
        reading.chain, reading.k, reading.link = number, 0, chain.anchor
    k = integer(given["k"], f"{at}/k", 1, CHAIN_LENGTH)
    need(k == reading.k + 1, "bad_order", f"this must be link {reading.k + 1}", f"{at}/k", "boosters 2")
    link = octets(given["link"], f"{at}/link", LINK_BYTES)
    held = leads(link, k, reading.link, reading.k)
    need(held, "bad_link", "this is not the next link of the chain", f"{at}/link", "boosters 2")
    reading.k, reading.link = k, link
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
    reading.boosters.add(given["booster"])
    nonce = octets(given["nonce"], f"{at}/nonce", NONCE)
    drawn = BoosterDraw(reading.player, given["booster"], chain.anchor, reading.k, reading.link, nonce, since)
    pack = drawn.pack(rules)
    said = tuple(
        integer(card, f"{at}/cards/{i}") for i, card in enumerate(listing(given["cards"], f"{at}/cards"))
    )
    need(
        said == pack.cards,
        "wrong_cards",
        "these are not the cards that the draw gives",
        f"{at}/cards",
        "boosters 4",
    )
    reading.since[rules.set] = counted(rules, since, pack)
    return rules.set, pack.cards
