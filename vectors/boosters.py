"""Examples of boosters that were opened, and of files that must be refused: published test vectors.

In the manner of `vectors.records`. The rules are a small set's, so that all of it can be followed by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from types import MappingProxyType
from typing import Any

from cards.catalog.boosters import Booster, counted
from cards.catalog.cards import Pity, Slot
from crypto.encoding import b64, canonical, timestamp, unb64, uuid_bytes
from crypto.fairness import Chain, booster_stream
from crypto.identity import sign
from referee.boosters import (
    FIRST,
    OPENED,
    PROTOCOL,
    BoosterDraw,
    commitment_digest,
    opening_digest,
    rules_digest,
    verify_boosters,
    write_commitment,
    write_opening,
)
from vectors.example import HOUSE_CHAIN_END, HOUSE_PRIVATE_KEY, PRIVATE_KEYS, Vector, case

PLAYER = "0b6a2f6e-5d0c-4b6f-8f0e-0a4c5d3e2f10"
OTHER = "7d1c9f52-2b63-4a8e-9c55-6f3e2d1c0b0a"
BOOSTERS = tuple(f"5a0d7c1e-0000-4000-8000-00000000000{i}" for i in range(1, 7))
START = 1_795_168_800_000
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
def _chain() -> Chain:
    return Chain(HOUSE_CHAIN_END)


@cache
def _opened() -> tuple[dict[str, Any], ...]:
    """Six openings, one after another."""
    found: list[dict[str, Any]] = []
    prev, since = FIRST, 0
    for i, booster in enumerate(BOOSTERS, 1):
        drawn = BoosterDraw(PLAYER, booster, _chain().anchor, i, _chain().link(i), _nonce(i), since)
        at = START + 60_000 * i
        opening, pack = write_opening(HOUSE_PRIVATE_KEY, i, prev, 1, drawn, RULES, at)
        prev, since = opening_digest(opening), counted(RULES, since, pack)
        found.append(opening)
    return tuple(found)


def _file() -> dict[str, Any]:
    commitment = write_commitment(HOUSE_PRIVATE_KEY, PLAYER, 1, _chain().anchor, START)
    return {
        "protocol": PROTOCOL,
        "player": PLAYER,
        "rules": [RULES.json()],
        "chains": [commitment],
        "openings": deepcopy(list(_opened())),
    }


def boosters() -> list[Vector]:
    """Boosters: rules, stream, draws, what the house signs, and a whole file (docs/boosters.md)."""
    file, digest = _file(), rules_digest(RULES)
    first = file["openings"][0]
    stream = booster_stream(
        uuid_bytes(PLAYER),
        _chain().anchor,
        1,
        _chain().link(1),
        _nonce(1),
        digest,
        uuid_bytes(BOOSTERS[0]),
    )
    given = {
        "player": PLAYER,
        "anchor": _chain().anchor.hex(),
        "k": 1,
        "link": _chain().link(1).hex(),
        "nonce": _nonce(1).hex(),
        "rules": digest.hex(),
        "booster": BOOSTERS[0],
    }
    bounds = [5, 4, 3, 8, 2, 2**32 + 1]
    stated = {name: value for name, value in file["chains"][0].items() if name != "signature"}
    return [
        case("booster_rules", {"rules": RULES.json()}, digest.hex()),
        case(
            "booster_stream",
            {**given, "bounds": [str(n) for n in bounds]},
            [str(stream.below(n)) for n in bounds],
        ),
        case(
            "booster_commitment",
            {"commitment": stated, "private": HOUSE_PRIVATE_KEY.hex()},
            {
                "digest": commitment_digest(stated).hex(),
                "signature": unb64(file["chains"][0]["signature"]).hex(),
            },
        ),
        case(
            "booster_opening",
            {
                "opening": {name: first[name] for name in OPENED},
                "private": HOUSE_PRIVATE_KEY.hex(),
            },
            {"digest": opening_digest(first).hex(), "signature": unb64(first["signature"]).hex()},
        ),
        case(
            "booster_file",
            {"file": file},
            {"cards": [opening["cards"] for opening in file["openings"]]},
        ),
    ]


def _signed(opening: dict[str, Any], changes: Mapping[str, Any]) -> None:
    """Change an opening and have the house sign it all the same."""
    opening.update(changes)
    opening["signature"] = b64(sign(HOUSE_PRIVATE_KEY, opening_digest(opening)))


def _changed() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Files that must be refused: a name, why, the file."""

    def signed(name: str, why: str, i: int, **changes: Any) -> tuple[str, str, dict[str, Any]]:
        file = _file()
        _signed(file["openings"][i], changes)
        return name, why, file

    cards = _opened()[1]["cards"]
    link = _chain().link
    yield signed(
        "other_card", "a card that did not come out", 1, cards=[*cards[:3], 7021 + (cards[3] == 7021)]
    )
    yield signed("other_order", "the cards in another order", 1, cards=cards[::-1])
    yield signed("other_nonce", "another nonce than the player's", 0, nonce=b64(_nonce(9)))
    yield signed("short_nonce", "a nonce of 31 bytes", 0, nonce=b64(bytes(31)))
    yield signed("later_link", "a link that is not the next one", 0, k=2, link=b64(link(2)))
    yield signed("other_link", "bytes that do not lead to the anchor", 0, link=b64(bytes(64)))
    yield signed("same_link", "a link that was shown before", 1, k=1, link=b64(link(1)))
    yield signed("counter_begun_anew", "a pity counter that is not what came before", 1, since=9)
    yield signed("other_booster", "a booster by another id", 2, booster=BOOSTERS[5])
    yield signed("same_booster", "a booster that was opened before", 2, booster=BOOSTERS[1])
    yield signed("other_player", "an opening of another player", 2, player=OTHER)
    yield signed("other_rules", "rules that are not in the file", 2, rules=b64(bytes(64)))
    yield signed("too_early", "an opening before its chain was committed to", 0, at=timestamp(START - 1))
    yield signed("unknown_chain", "a chain that nobody committed to", 5, chain=2)
    file = _file()
    del file["openings"][1]
    yield "left_out", "an opening is left out", file
    file = _file()
    file["openings"][1:3] = file["openings"][2:0:-1]
    yield "exchanged", "two openings in the other order", file
    file = _file()
    file["openings"][2]["signature"] = file["openings"][1]["signature"]
    yield "other_signature", "the signature of another opening", file
    file = _file()
    file["chains"] = [write_commitment(PRIVATE_KEYS[0], PLAYER, 1, _chain().anchor, START)]
    yield "other_house", "openings that are not signed by the key of their chain", file
    file = _file()
    file["chains"] = [write_commitment(HOUSE_PRIVATE_KEY, OTHER, 1, _chain().anchor, START)]
    yield "other_players_chain", "a chain for another player", file
    file = _file()
    file["rules"][0]["slots"][2]["weights"] = {"rare": 1, "legendary": 1}
    yield "better_odds", "other odds than those it was opened by", file
    file = _file()
    file["rules"][0]["cards"]["legendary"] = []
    yield "no_cards", "rules by which no booster can be filled", file
    file = _file()
    file["more"] = 1
    yield "unknown_field", "a field that there is not", file


def bad_boosters() -> list[Vector]:
    """Files of opened boosters that must be refused (docs/boosters.md)."""
    found = []
    for name, why, file in _changed():
        fault = verify_boosters(canonical(file)).fault
        assert fault is not None, f"{name} is refused"
        output = {"refused": fault.code, "pointer": fault.pointer, "why": why, "section": fault.section}
        found.append(case(name, {"file": file}, output))
    return found
