"""The first entry of a record: what the game is played by, pinned (protocol section 10, `open`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cards import mode as modes
from cards.catalog import Card, CatalogError
from cards.mode import Mode, Option, seconds
from crypto.encoding import EncodingError, b64, canonical, uuid_bytes
from crypto.identity import check_public_key
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST, KEY, fields, listing, octets, text
from referee.errors import Refused, need
from referee.record import Entry

CLOCKS: tuple[Option, ...] = (
    seconds("enter", 60, "Seconds to enter with one's match deck and anchor"),
    seconds("ready", 60, "Seconds to say ready"),
    seconds("link", 30, "Seconds to send the chain link of a deal"),
)
"""The referee's own clocks, options of every table (rulings, chef 11)."""


def all_options(mode: Mode[Any]) -> tuple[Option, ...]:
    """Every option a table of this mode can set."""
    return (*CLOCKS, *mode.facts.options)


def complete_options(mode: Mode[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a table, those not given by their defaults; raises `Refused` at the first bad one."""
    known = {option.name: option for option in all_options(mode)}
    for name, value in given.items():
        need(name in known, "unknown_option", f"{mode.facts.name} has no such option", f"/{name}")
        fault = known[name].fault(value)
        need(fault is None, "bad_option", fault or "", f"/{name}")
    return {name: given.get(name, option.default) for name, option in known.items()}


def set_digest(texts: Sequence[Mapping[str, Any]]) -> bytes:
    """TH("cards"; canonical JSON of each card in play, by number) (protocol section 4)."""
    return tuple_hash("cards", *(canonical(card) for card in texts))


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat."""

    name: str
    key: bytes


@dataclass(frozen=True)
class Header:
    """What `open` says, checked."""

    game: str
    mode: Mode[Any]
    options: Mapping[str, Any]
    players: tuple[Player, ...]
    house_key: bytes
    anchor: bytes
    cards: Mapping[int, Card]
    set_digest: bytes
    digest: bytes
    """Of the entry itself."""

    @property
    def game_bytes(self) -> bytes:
        """The 16 bytes of the game's id."""
        return uuid_bytes(self.game)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.players))

    def clock(self, name: str) -> int:
        """A clock of the table, in milliseconds."""
        return int(self.options[name]) * 1000


def open_body(
    game: str,
    mode: Mode[Any],
    options: Mapping[str, Any],
    players: Sequence[Player],
    house_key: bytes,
    anchor: bytes,
    texts: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """The body of `open`; `texts` are the cards of all sets in play, empty without own decks."""
    return {
        "game": game,
        "mode": mode.facts.name,
        "rules": mode.facts.rules,
        "options": complete_options(mode, options),
        "early_links": False,
        "seats": [{"name": player.name, "key": b64(player.key)} for player in players],
        "house_key": b64(house_key),
        "envelope_key": None,
        "anchor": b64(anchor),
        "cards": list(texts),
        "set_digest": b64(set_digest(texts)),
    }


def _mode(body: Mapping[str, Any]) -> Mode[Any]:
    name, rules = text(body["mode"], "/mode"), text(body["rules"], "/rules")
    need(name in modes.names(), "unknown_mode", "no such mode is known here", "/mode")
    try:
        return modes.find(name, rules)
    except KeyError:
        raise Refused("unknown_rules", "this rules version is not known here", "/rules") from None


def _key(value: object, pointer: str) -> bytes:
    key = octets(value, pointer, KEY)
    try:
        check_public_key(key)
    except EncodingError as error:
        raise Refused("bad_key", str(error), pointer) from None
    return key


def _players(body: Mapping[str, Any], mode: Mode[Any]) -> tuple[Player, ...]:
    low, high = mode.facts.seats
    seats = listing(body["seats"], "/seats")
    need(low <= len(seats) <= high, "bad_seats", f"{mode.facts.name} is for {low} to {high}", "/seats")
    players = []
    for i, seat in enumerate(seats):
        fields(seat, ("name", "key"), f"/seats/{i}")
        players.append(Player(text(seat["name"], f"/seats/{i}/name"), _key(seat["key"], f"/seats/{i}/key")))
    need(len({p.key for p in players}) == len(players), "same_key", "two seats have one key", "/seats")
    return tuple(players)


def _cards(body: Mapping[str, Any], own_decks: bool) -> dict[int, Card]:
    texts = listing(body["cards"], "/cards")
    need(bool(texts) == own_decks, "bad_cards", "cards are stated where decks are own ones", "/cards")
    found: dict[int, Card] = {}
    for i, card_text in enumerate(texts):
        try:
            card = Card.from_text(card_text)
        except CatalogError as error:
            raise Refused("bad_card", str(error), f"/cards/{i}") from None
        need(not found or card.number > max(found), "bad_card", "cards stand by number", f"/cards/{i}")
        found[card.number] = card
    digest = octets(body["set_digest"], "/set_digest", DIGEST)
    need(digest == set_digest(texts), "wrong_set_digest", "is not the digest of the cards", "/set_digest")
    return found


def read_header(entry: Entry) -> Header:
    """What an `open` entry says; raises `Refused`. Memoized by the entry's digest, which pins it."""
    need(entry.kind == "open", "not_open", "a record begins with open", "/kind")
    return _header(_Keyed(entry))


class _Keyed:
    """An entry that hashes by its digest."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def __hash__(self) -> int:
        return hash(self.entry.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Keyed) and self.entry.digest == other.entry.digest


@lru_cache(maxsize=256)
def _header(keyed: _Keyed) -> Header:
    entry = keyed.entry
    names = (
        "game",
        "mode",
        "rules",
        "options",
        "early_links",
        "seats",
        "house_key",
        "envelope_key",
        "anchor",
        "cards",
        "set_digest",
    )
    body = fields(entry.body, names)
    try:
        game = text(body["game"], "/game")
        uuid_bytes(game)
    except EncodingError as error:
        raise Refused("bad_game", str(error), "/game") from None
    mode = _mode(body)
    options = fields(body["options"], [option.name for option in all_options(mode)], "/options")
    for option in all_options(mode):
        fault = option.fault(options[option.name])
        need(fault is None, "bad_option", fault or "", f"/options/{option.name}")
    need(body["early_links"] is False, "early_links", "early links are not known here", "/early_links")
    need(body["envelope_key"] is None, "envelopes", "envelopes are not known here", "/envelope_key")
    cards = _cards(body, mode.facts.own_decks)
    return Header(
        game=game,
        mode=mode,
        options=dict(options),
        players=_players(body, mode),
        house_key=_key(body["house_key"], "/house_key"),
        anchor=octets(body["anchor"], "/anchor", DIGEST),
        cards=cards,
        set_digest=octets(body["set_digest"], "/set_digest", DIGEST),
        digest=entry.digest,
    )
