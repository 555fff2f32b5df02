"""Examples of boosters that were opened, and of files that must be refused: published test vectors.

In the manner of `vectors.records`. The rules are a small set's, so that all of it can be followed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from types import MappingProxyType
from typing import Any

from cards.catalog.boosters import Booster, BoosterContents, counted
from cards.catalog.cards import Pity, Slot
from crypto.encoding import b64, canonical, parse_timestamp, timestamp, unb64, uuid_bytes
from crypto.fairness import Chain, booster_stream
from crypto.identity import public_key, sign
from referee.booster_statements import (
    ASKED,
    COMMITTED,
    FIRST,
    NOTICE,
    OPENED,
    PROTOCOL,
    RECEIPT,
    BoosterTerms,
    ask_digest,
    commitment_digest,
    notice_digest,
    opening_digest,
    receipt_digest,
    rules_digest,
    seal_of,
    write_commitment,
    write_notice,
    write_opening,
    write_receipt,
)
from referee.boosters import verify_boosters
from vectors.example import HOUSE_CHAIN_END, HOUSE_PRIVATE_KEY, PRIVATE_KEYS, Vector, case

PLAYER = "0b6a2f6e-5d0c-4b6f-8f0e-0a4c5d3e2f10"
OTHER = "7d1c9f52-2b63-4a8e-9c55-6f3e2d1c0b0a"
BOOSTERS = tuple(f"5a0d7c1e-0000-4000-8000-00000000000{i}" for i in range(1, 8))
START = 1_795_168_800_000
MINUTE = 60_000
RESTORED = START // MINUTE
"""The number of the chain that the house began after it was restored from a backup."""
RULES = Booster(
    "EX",
    (
        Slot(2, (("common", 1),)),
        Slot(1, (("uncommon", 1),)),
        Slot(1, (("rare", 7), ("legendary", 1))),
    ),
    Pity("legendary", 4),
    MappingProxyType(
        {
            "common": (7001, 7002, 7003, 7004, 7005),
            "uncommon": (7011, 7012, 7013),
            "rare": (7021, 7022),
            "legendary": (7031, 7032),
        }
    ),
)
"""Two commons, one uncommon, one rare of which 1 in 8 is legendary, a legendary at the latest in the 4th."""


def _nonce(i: int) -> bytes:
    return bytes([i]) * 32


@cache
def _chain(number: int) -> Chain:
    """Three chains: of an older version, of this one, and of after a restoration."""
    shift = {1: 0, 2: 1, RESTORED: 2}[number]
    return Chain(HOUSE_CHAIN_END[shift:] + HOUSE_CHAIN_END[:shift])


def _commitment(number: int, at: int) -> dict[str, Any]:
    key = public_key(PRIVATE_KEYS[0])
    return write_commitment(HOUSE_PRIVATE_KEY, PLAYER, key, number, _chain(number).anchor, at)


def _older(commitment: dict[str, Any]) -> dict[str, Any]:
    """A commitment as older versions wrote it: without the player's key."""
    said = {name: commitment[name] for name in COMMITTED}
    return {**said, "signature": b64(sign(HOUSE_PRIVATE_KEY, commitment_digest(said)))}


def _receipt(number: int, chain: int, k: int, prev: bytes, since: int, booster: int = 0) -> dict[str, Any]:
    """The receipt for opening `number`, of the booster of that number unless another is given."""
    terms = BoosterTerms(
        number=number,
        prev=prev,
        player=PLAYER,
        booster=BOOSTERS[(booster or number) - 1],
        rules=rules_digest(RULES),
        since=since,
        chain=chain,
        anchor=_chain(chain).anchor,
        k=k,
        seal=seal_of(_nonce(number)),
    )
    at = START + MINUTE * number
    return write_receipt(HOUSE_PRIVATE_KEY, terms, terms.signed(PRIVATE_KEYS[0]), at)


def _opening(receipt: Mapping[str, Any]) -> tuple[dict[str, Any], BoosterContents]:
    link, nonce = _chain(receipt["chain"]).link(receipt["k"]), _nonce(receipt["number"])
    return write_opening(HOUSE_PRIVATE_KEY, receipt, link, nonce, RULES)


PLACES = ((1, 1), (2, 1), (2, 2), (2, 3), (RESTORED, 1), (RESTORED, 2))
"""The chain and the link of each opening."""


@cache
def _told() -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """Six openings, one after another, and the two receipts of the file that no opening follows."""
    found: list[dict[str, Any]] = []
    forgotten: list[dict[str, Any]] = []
    prev, since = FIRST, 0
    for number, (chain, k) in enumerate(PLACES, 1):
        if number == 5:  # asked for by the fourth link of chain 2, and then the house was restored
            forgotten.append(_receipt(number, 2, 4, prev, since))
        opening, pack = _opening(_receipt(number, chain, k, prev, since))
        if chain == 1:
            del opening["asked"]
            _signed(opening, {})
        prev, since = opening_digest(opening), counted(RULES, since, pack)
        found.append(opening)
    waiting = _receipt(7, RESTORED, 3, prev, since)
    return tuple(found), (*forgotten, waiting)


def _file() -> dict[str, Any]:
    openings, (forgotten, waiting) = deepcopy(_told())
    chains = [
        _older(_commitment(1, START)),
        _commitment(2, START + MINUTE),
        _commitment(RESTORED, START + 5 * MINUTE),
    ]
    return {
        "protocol": PROTOCOL,
        "player": PLAYER,
        "rules": [RULES.json()],
        "chains": chains,
        "notices": [_notice(chains[0], chains[1]["at"]), _notice(chains[1], chains[2]["at"])],
        "asked": [
            {"receipt": forgotten, "nonce": b64(_nonce(5))},
            {"receipt": waiting, "nonce": None},
        ],
        "openings": list(openings),
    }


def _notice(commitment: Mapping[str, Any], at: str) -> dict[str, Any]:
    chain = _chain(commitment["chain"])
    return write_notice(HOUSE_PRIVATE_KEY, commitment, chain, parse_timestamp(at))


def _statement(kind: str, said: Mapping[str, Any], names: tuple[str, ...], digest: bytes) -> Vector:
    """A statement of the house's without its signature, and what the house signs."""
    unsigned = {name: said[name] for name in names}
    return case(
        f"booster_{kind}",
        {kind: unsigned, "private": HOUSE_PRIVATE_KEY.hex()},
        {"digest": digest.hex(), "signature": unb64(said["signature"]).hex()},
    )


def boosters() -> list[Vector]:
    """Boosters: rules, stream, draws, what player and house sign, and a whole file (docs/boosters.md)."""
    file, digest = _file(), rules_digest(RULES)
    first = _chain(1)
    about = uuid_bytes(PLAYER), first.anchor, 1, first.link(1), _nonce(1), digest, uuid_bytes(BOOSTERS[0])
    stream = booster_stream(*about)
    given = {
        "player": PLAYER,
        "anchor": first.anchor.hex(),
        "k": 1,
        "link": first.link(1).hex(),
        "nonce": _nonce(1).hex(),
        "rules": digest.hex(),
        "booster": BOOSTERS[0],
    }
    bounds = [5, 4, 3, 8, 2, 2**32 + 1]
    chain, notice, opening = file["chains"][1], file["notices"][1], file["openings"][1]
    receipt = file["asked"][0]["receipt"]
    draws = {"bounds": [str(n) for n in bounds]}
    asked = {"ask": {name: receipt[name] for name in ASKED}, "private": PRIVATE_KEYS[0].hex()}
    signed = {"digest": ask_digest(receipt).hex(), "signature": unb64(receipt["asked"]).hex()}
    given_up = verify_boosters(canonical(file)).asked[0]
    return [
        case("booster_rules", {"rules": RULES.json()}, digest.hex()),
        case("booster_stream", {**given, **draws}, [str(stream.below(n)) for n in bounds]),
        case("booster_seal", {"nonce": _nonce(5).hex()}, seal_of(_nonce(5)).hex()),
        _statement("commitment", chain, (*COMMITTED, "player_key"), commitment_digest(chain)),
        case("booster_ask", asked, signed),
        _statement("receipt", receipt, RECEIPT, receipt_digest(receipt)),
        _statement("opening", opening, (*OPENED, "asked"), opening_digest(opening)),
        _statement("notice", notice, NOTICE, notice_digest(notice)),
        case(
            "booster_file",
            {"file": file},
            {"cards": [opening["cards"] for opening in file["openings"]], "asked": [given_up.json()]},
        ),
    ]


def _signed(statement: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Change an opening and have the house sign it all the same."""
    statement.update(changes)
    statement["signature"] = b64(sign(HOUSE_PRIVATE_KEY, opening_digest(statement)))


Case = tuple[str, str, dict[str, Any]]
"""A file that must be refused: a name, why, the file."""


def _signed_openings() -> Iterator[Case]:
    """Openings that the house has signed, and that must be refused."""

    def signed(name: str, why: str, i: int, **changes: Any) -> Case:
        file = _file()
        _signed(file["openings"][i], changes)
        return name, why, file

    cards = _told()[0][1]["cards"]
    link = _chain(1).link
    other = [*cards[:3], 7021 + (cards[3] == 7021)]
    yield signed("other_card", "a card that did not come out", 1, cards=other)
    yield signed("other_order", "the cards in another order", 1, cards=cards[::-1])
    yield signed("other_nonce", "another nonce than the player's", 0, nonce=b64(_nonce(9)))
    yield signed("short_nonce", "a nonce of 31 bytes", 0, nonce=b64(bytes(31)))
    yield signed("later_link", "a link that is not the next one", 0, k=2, link=b64(link(2)))
    yield signed("other_link", "bytes that do not lead to the anchor", 0, link=b64(bytes(64)))
    yield signed("same_link", "a link that was shown before", 2, k=1, link=b64(_chain(2).link(1)))
    yield signed("counter_begun_anew", "a pity counter that is not what came before", 1, since=9)
    yield signed("other_booster", "a booster by another id", 2, booster=BOOSTERS[5])
    yield signed("same_booster", "a booster that was opened before", 2, booster=BOOSTERS[1])
    yield signed("other_player", "an opening of another player", 2, player=OTHER)
    yield signed("other_rules", "rules that are not in the file", 2, rules=b64(bytes(64)))
    yield signed("too_early", "an opening before its chain was committed to", 0, at=timestamp(START - 1))
    yield signed("unknown_chain", "a chain that nobody committed to", 5, chain=3)
    yield signed("former_chain", "an opening by a chain after another has begun", 5, chain=2)
    yield signed("asked_before_it_was", "an ask in an opening of an older version", 0, asked=b64(bytes(64)))
    foreign = sign(PRIVATE_KEYS[1], ask_digest(_receipt_of(1)))
    yield signed("asked_by_another", "an ask that somebody else has signed", 1, asked=b64(foreign))
    file = _file()
    del file["openings"][1]["asked"]
    _signed(file["openings"][1], {})
    yield "not_asked", "an opening that the player has not asked for", file
    file = _file()
    receipt = {**_receipt_of(1), "booster": BOOSTERS[6]}
    file["openings"][1], _ = _opening(receipt)
    yield "asked_for_another", "a booster in the place of the one that was asked for", file


def _receipt_of(i: int) -> dict[str, Any]:
    """The receipt for the i-th opening of the file."""
    opening = _told()[0][i]
    chain, k = PLACES[i]
    return _receipt(i + 1, chain, k, unb64(opening["prev"]), opening["since"])


def _changed(name: str, why: str, change: Callable[[dict[str, Any]], object]) -> Case:
    file = _file()
    change(file)
    return name, why, file


def _changed_files() -> Iterator[Case]:
    """Files of which something is missing or in another place."""
    yield _changed("left_out", "an opening is left out", lambda file: file["openings"].pop(1))

    def exchange(file: dict[str, Any]) -> None:
        file["openings"][1:3] = file["openings"][2:0:-1]

    yield _changed("exchanged", "two openings in the other order", exchange)
    file = _file()
    file["openings"][2]["signature"] = file["openings"][1]["signature"]
    yield "other_signature", "the signature of another opening", file
    file = _file()
    about = PLAYER, public_key(PRIVATE_KEYS[0]), 2, _chain(2).anchor, START + MINUTE
    file["chains"][1] = write_commitment(PRIVATE_KEYS[0], *about)
    yield "other_house", "openings that are not signed by the key of their chain", file
    file = _file()
    file["chains"][1] = write_commitment(HOUSE_PRIVATE_KEY, OTHER, *about[1:])
    yield "other_players_chain", "a chain for another player", file
    file = _file()
    other = public_key(PRIVATE_KEYS[1])
    file["chains"][2] = write_commitment(
        HOUSE_PRIVATE_KEY, PLAYER, other, RESTORED, _chain(RESTORED).anchor, START + 5 * MINUTE
    )
    yield "other_player_key", "a chain with another key of the player", file
    file = _file()
    file["chains"][2] = _older(file["chains"][2])
    yield "older_form", "a chain without the player's key behind one that has it", file
    yield _changed("chains_exchanged", "chains in the other order", lambda file: file["chains"].reverse())
    file = _file()
    file["rules"][0]["slots"][2]["weights"] = {"rare": 1, "legendary": 1}
    yield "better_odds", "other odds than those it was opened by", file
    file = _file()
    file["rules"][0]["cards"]["legendary"] = []
    yield "no_cards", "rules by which no booster can be filled", file
    yield _changed("unknown_field", "a field that there is not", lambda file: file.update(more=1))


def _bad_notices() -> Iterator[Case]:
    """Chains that were given up without a notice that holds."""
    yield _changed("given_up", "a chain that was given up without a notice", lambda f: f["notices"].pop())
    file = _file()
    file["notices"][1]["end"] = b64(_chain(2).link(1023))
    yield "other_end", "a notice with another link than the last", file
    file = _file()
    chain = _chain(2)
    file["notices"][1] = write_notice(PRIVATE_KEYS[0], file["chains"][1], chain, START + 5 * MINUTE)
    yield "other_notice", "a notice that is not signed by the key of its chain", file
    yield _changed("two_notices", "two notices for a chain", lambda f: f["notices"].append(f["notices"][0]))
    yield _changed("notice_alone", "a notice for a chain that is not there", lambda f: f["chains"].pop(1))
    file = _file()
    file["notices"][1] = write_notice(HOUSE_PRIVATE_KEY, file["chains"][1], chain, START)
    yield "notice_too_early", "a notice from before its chain", file


def _bad_receipts() -> Iterator[Case]:
    """Receipts that convict the house, or are none."""
    receipts = _told()[1]

    def asked(name: str, why: str, receipt: Mapping[str, Any], nonce: bytes | None = None) -> Case:
        file = _file()
        file["asked"].append({"receipt": dict(receipt), "nonce": nonce and b64(nonce)})
        return name, why, file

    again = _receipt(5, 2, 4, unb64(receipts[0]["prev"]), receipts[0]["since"], booster=7)
    yield asked("two_receipts", "receipts for two boosters by one link", again)
    other = _receipt(3, 2, 2, unb64(_told()[0][2]["prev"]), _told()[0][2]["since"], booster=7)
    yield asked("opened_otherwise", "a receipt for another booster than the link has opened", other)
    yield asked("not_the_nonce", "a nonce that is not the sealed one", receipts[1], _nonce(9))
    yield asked("not_signed", "a receipt that the house has not signed", {**receipts[1], "since": 3})
    foreign = {**receipts[1], "asked": b64(sign(PRIVATE_KEYS[1], ask_digest(receipts[1])))}
    foreign["signature"] = b64(sign(HOUSE_PRIVATE_KEY, receipt_digest(foreign)))
    yield asked("not_the_player", "a receipt for what the player has not asked for", foreign)
    yield asked("no_such_chain", "a receipt under a chain that is not there", {**receipts[1], "chain": 3})


def bad_boosters() -> list[Vector]:
    """Files of opened boosters that must be refused (docs/boosters.md)."""
    found = []
    for make in (_signed_openings, _changed_files, _bad_notices, _bad_receipts):
        for name, why, file in make():
            fault = verify_boosters(canonical(file)).fault
            assert fault is not None, f"{name} is refused"
            output = {"refused": fault.code, "pointer": fault.pointer, "why": why, "section": fault.section}
            found.append(case(name, {"file": file}, output))
    return found
