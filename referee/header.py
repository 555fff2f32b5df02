"""The first entry of a record, `open`: it fixes rules, options, players and cards (protocol section 10)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from cards import games
from cards.catalog.cards import Card, CatalogError
from cards.games.contract import Mode, Option, seconds
from crypto.encoding import EncodingError, b64, canonical, uuid_bytes
from crypto.envelope import check_public_key as check_envelope_key
from crypto.identity import check_public_key
from crypto.transcript import tuple_hash
from referee.bodies import DIGEST, KEY, escaped, fields, listing, octets, text
from referee.errors import Refused, need
from referee.record import Entry

CLOCKS: tuple[Option, ...] = (
    seconds("enter", 60, "Seconds to enter with a match deck and an anchor."),
    seconds("ready", 60, "Seconds to say ready."),
    seconds("link", 30, "Seconds to send the chain link of a deal."),
)
"""The referee's own clocks, which are options of every table. A record that names none has these."""

LINK = "link"
"""The name of the clock for links."""

MIX = "mix"
"""The name of the clock for mixes."""

NOBODY = "nobody"
"""The value of the option `dealer` where the parties mix the pack together."""

DEALER = Option(
    "dealer",
    "choice",
    "house",
    "Who deals: the house, which then knows every card; or nobody. With nobody, the players' programs and the"
    " house mix the cards together, and only you see your hand. Whoever falls silent then costs a deal.",
    choices=("house", NOBODY),
)
"""An option of modes with traits. A record names it, and the clock for mixes, only where nobody deals."""

MIX_CLOCK = seconds(MIX, 60, "Seconds to mix the pack, where nobody deals.")

BANK = Option(
    "bank",
    "seconds",
    0,
    "Seconds that each seat may think in the whole game; 0 for no limit.",
    # A bank of less than two of the shortest clocks would be just another clock. With more
    # than 30 days each, six seats could keep a game going for half a year.
    10,
    30 * 86400,
    off=0,
)
"""The time bank for the whole game, an option of every table."""

EARLY_LINKS = Option(
    "early_links",
    "flag",
    False,
    "Let a reveal also bring the seat's link for the next deal. Each round then takes one message fewer."
    " A chef and the house together could then know two cards early.",
)
"""An option of tables whose mode seals. In a record it is a field of its own (protocol section 7)."""

AWAY = "away"
"""The clause by which clocks stand still while the house is away (protocol section 10.6)."""
LINKS = "links"
"""The clause by which the third withheld link takes a seat out (protocol section 7)."""
CLAUSES = (AWAY, LINKS)
"""Rules that came after the first records, by name. They hold only in games whose `open` names them."""


def _in_options(mode: Mode[Any], given: Mapping[str, Any]) -> tuple[Option, ...]:
    """The options that the record lists in `options`, of a game with the options that are `given`."""
    known = (*CLOCKS, BANK, *mode.facts.options)
    if not mode.facts.traits or DEALER.name not in given:
        return known
    if given[DEALER.name] != NOBODY:
        return (*known, MIX_CLOCK, DEALER)
    # A mix or a link of its own may cost a seat its hand, so nobody has less time for it than for a choice.
    clocks = [option for option in mode.facts.options if option.kind == "seconds"]
    longest = max(_seconds(given.get(option.name, option.default)) for option in clocks)
    patient = {
        option.name: replace(option, default=max(int(option.default), longest), low=longest)
        for option in (CLOCKS[-1], MIX_CLOCK)
    }
    return (*(patient.get(option.name, option) for option in known), patient[MIX], DEALER)


def _seconds(value: object) -> int:
    """The value of a clock, as far as it can be one."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _of_records(mode: Mode[Any], given: Mapping[str, Any]) -> tuple[Option, ...]:
    """Every option of a game, with the defaults of records."""
    return (*_in_options(mode, given), *((EARLY_LINKS,) if seals(mode) else ()))


def all_options(mode: Mode[Any]) -> tuple[Option, ...]:
    """Every option that a table of this mode can set, with the defaults of tables.

    They differ from those of records in a few: no honest player shall withhold a link, or be too late to mix.
    So both have as long as the longest choice, and links come early where a reveal can bring them.
    """
    known = {option.name: option for option in _of_records(mode, {DEALER.name: DEALER.default})}
    changed = {}
    for name in known.keys() & {LINK, MIX}:
        text = f"{known[name].text} By default as long as the longest clock of the table's choices."
        changed[name] = replace(known[name], default=_longest(mode, {}, name), text=text)
    most = mode.facts.most_without_dealer
    if DEALER.name in known and most is not None:
        changed[DEALER.name] = replace(DEALER, text=f"{DEALER.text} It is for at most {most} players.")
    if EARLY_LINKS.name in known:
        changed[EARLY_LINKS.name] = replace(EARLY_LINKS, default=True)
    return tuple({**known, **changed}.values())


def _longest(mode: Mode[Any], given: Mapping[str, Any], name: str) -> int:
    """The seconds of the longest clock of a table's choices; at least the default of the clock `name`."""
    clocks = [option for option in mode.facts.options if option.kind == "seconds"]
    own = {LINK: CLOCKS[-1], MIX: MIX_CLOCK}[name]
    return max(int(own.default), *(int(given.get(option.name, option.default)) for option in clocks))


def most_seats(mode: Mode[Any], options: Mapping[str, Any]) -> int:
    """The most players of a table with these options (protocol section 20.2)."""
    most = mode.facts.most_without_dealer
    return mode.facts.seats[1] if most is None or options.get(DEALER.name) != NOBODY else most


def seals(mode: Mode[Any]) -> bool:
    """True if players seal cards in this mode: only cards of a match deck can be (protocol section 8)."""
    return mode.facts.own_decks


def table_options(mode: Mode[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a table, with its defaults for those not given (`all_options`).

    The clock for mixes is an option only where nobody deals. Raises `Refused` at the first bad one.
    """
    supported = bool(mode.facts.traits) or given.get(DEALER.name) != NOBODY
    text = f"{mode.facts.title} can't be played without a dealer"
    need(supported, "dealer_needed", text, f"/{DEALER.name}", "protocol 20.10")
    defaults = {option.name: option.default for option in all_options(mode)}
    if DEALER.name in defaults:
        given = {DEALER.name: DEALER.default, **given}
    checked = complete_options(mode, given)
    patient = {name: _longest(mode, given, name) for name in defaults.keys() & {LINK, MIX}}
    options = {**checked, **defaults, **patient, **given}
    return options if options.get(DEALER.name) == NOBODY else _without_mixes(options)


def recorded_options(mode: Mode[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game that begins, as its record has them; raises `Refused` at the first bad one.

    Where the house deals, the record says nothing of mixes, as records did before there were any.
    """
    options = complete_options(mode, given)
    if options.get(DEALER.name) == NOBODY:
        return options
    return {name: value for name, value in _without_mixes(options).items() if name != DEALER.name}


def _without_mixes(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name != MIX}


def complete_options(mode: Mode[Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game, with the defaults of records for those not given.

    Raises `Refused` at the first bad one.
    """
    known = {option.name: option for option in _of_records(mode, given)}
    for name, value in given.items():
        at = f"/{escaped(name)}"
        need(name in known, "unknown_option", f"{mode.facts.title} has no such option", at)
        fault = known[name].fault(value)
        need(fault is None, "bad_option", fault or "", at)
    return {name: given.get(name, option.default) for name, option in known.items()}


def set_digest(texts: Sequence[Mapping[str, Any]]) -> bytes:
    """TH("cards"; canonical JSON of each card in play, by number) (protocol section 4)."""
    return tuple_hash("cards", *(canonical(card) for card in texts))


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """The player at a seat: the name and the Ed25519 public key."""

    name: str
    key: bytes


@dataclass(frozen=True)
class Header:
    """The checked content of `open`."""

    game: str
    mode: Mode[Any]
    options: Mapping[str, Any]
    """Every option in `options`, with defaults for those that `open` leaves out."""
    players: tuple[SeatedPlayer, ...]
    house_key: bytes
    anchor: bytes
    cards: Mapping[int, Card]
    set_digest: bytes
    digest: bytes
    """The digest of the `open` entry."""
    early_links: bool = False
    """True if a reveal may bring the link of the next deal."""
    envelope_key: bytes | None = None
    """The X25519 key to which players may encrypt reveals; None if the house accepts no envelopes."""
    clauses: frozenset[str] = frozenset()
    """Those of `CLAUSES` that hold in this game."""

    @property
    def game_bytes(self) -> bytes:
        """The 16 bytes of the game's id."""
        return uuid_bytes(self.game)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.players))

    @property
    def names(self) -> list[str]:
        """The players' names by seat, with the seat's number after a name that occurs twice, as bots' do."""
        names = [player.name for player in self.players]
        return [name if names.count(name) == 1 else f"{name} {i}" for i, name in enumerate(names)]

    def clock(self, name: str) -> int:
        """A clock of the table, in milliseconds."""
        return int(self.options[name]) * 1000

    @property
    def dealerless(self) -> bool:
        """True if the parties mix the pack together, and nobody but its player sees a hand."""
        return self.options.get(DEALER.name) == NOBODY

    @property
    def bank(self) -> int | None:
        """The time that each seat may think in the whole game, in milliseconds; None without limit."""
        return self.clock(BANK.name) or None


def open_body(
    game: str,
    mode: Mode[Any],
    options: Mapping[str, Any],
    players: Sequence[SeatedPlayer],
    house_key: bytes,
    anchor: bytes,
    texts: Sequence[Mapping[str, Any]],
    envelope_key: bytes | None = None,
    clauses: Sequence[str] | None = None,
) -> dict[str, Any]:
    """The body of `open`; it lists the options that are given.

    `texts` are the cards of all sets in play; empty if players don't bring their own decks. `clauses` are
    names of `CLAUSES`, ascending; None leaves the field out, as records did before there were any.
    """
    return {
        "game": game,
        "mode": mode.facts.name,
        "rules": mode.facts.rules,
        "options": {
            option.name: options[option.name]
            for option in _in_options(mode, options)
            if option.name in options
        },
        "early_links": options.get(EARLY_LINKS.name, False),
        "seats": [{"name": player.name, "key": b64(player.key)} for player in players],
        "house_key": b64(house_key),
        "envelope_key": None if envelope_key is None else b64(envelope_key),
        "anchor": b64(anchor),
        "cards": list(texts),
        "set_digest": b64(set_digest(texts)),
        **({} if clauses is None else {"clauses": list(clauses)}),
    }


def _mode(body: Mapping[str, Any]) -> Mode[Any]:
    name, rules = text(body["mode"], "/mode"), text(body["rules"], "/rules")
    need(name in games.names(), "unknown_mode", "this program knows no such mode", "/mode")
    try:
        return games.find(name, rules)
    except KeyError:
        raise Refused("unknown_rules", "this program does not know this rules version", "/rules") from None


def _key(value: object, pointer: str) -> bytes:
    key = octets(value, pointer, KEY)
    try:
        check_public_key(key)
    except EncodingError as error:
        raise Refused("bad_key", str(error), pointer) from None
    return key


def _envelope_key(value: object) -> bytes | None:
    if value is None:
        return None
    key = octets(value, "/envelope_key", KEY)
    try:
        check_envelope_key(key)
    except EncodingError as error:
        raise Refused("bad_key", str(error), "/envelope_key") from None
    return key


def _clauses(body: Mapping[str, Any]) -> frozenset[str]:
    named = listing(body.get("clauses", []), "/clauses")
    for i, name in enumerate(named):
        need(name in CLAUSES, "unknown_clause", "this program knows no such clause", f"/clauses/{i}")
    need(named == sorted({*named}), "bad_list", "the clauses must ascend, without repeats", "/clauses")
    return frozenset(named)


def _players(body: Mapping[str, Any], mode: Mode[Any], most: int) -> tuple[SeatedPlayer, ...]:
    low, high = mode.facts.seats[0], most
    seats = listing(body["seats"], "/seats")
    need(
        low <= len(seats) <= high, "bad_seats", f"{mode.facts.title} is for {low} to {high} players", "/seats"
    )
    players = []
    for i, seat in enumerate(seats):
        fields(seat, ("name", "key"), f"/seats/{i}")
        players.append(
            SeatedPlayer(text(seat["name"], f"/seats/{i}/name"), _key(seat["key"], f"/seats/{i}/key"))
        )
    need(len({p.key for p in players}) == len(players), "same_key", "two seats have the same key", "/seats")
    return tuple(players)


def _cards(body: Mapping[str, Any], own_decks: bool) -> Mapping[int, Card]:
    texts = listing(body["cards"], "/cards")
    need(
        bool(texts) == own_decks,
        "bad_cards",
        "the entry states cards if and only if players bring decks",
        "/cards",
    )
    found, right = _in_play(_Texts(texts))
    digest = octets(body["set_digest"], "/set_digest", DIGEST)
    need(digest == right, "wrong_set_digest", "this is not the digest of the cards", "/set_digest")
    return found


class _Texts:
    """The texts of cards, compared and hashed by their canonical JSON."""

    def __init__(self, texts: Sequence[Any]) -> None:
        self.texts = texts
        self.written = canonical(texts)

    def __hash__(self) -> int:
        return hash(self.written)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Texts) and self.written == other.written


@lru_cache(maxsize=16)
def _in_play(given: _Texts) -> tuple[Mapping[int, Card], bytes]:
    """Cards by number, and their digest.

    The result is cached, since most games of a house name the same cards.
    """
    found: dict[int, Card] = {}
    newest = 0
    for i, card_text in enumerate(given.texts):
        try:
            card = Card.from_text(card_text)
        except CatalogError as error:
            raise Refused("bad_card", str(error), f"/cards/{i}") from None
        need(card.number > newest, "bad_card", "the cards must ascend by number", f"/cards/{i}")
        found[card.number], newest = card, card.number
    return found, set_digest(given.texts)


def read_header(entry: Entry) -> Header:
    """Read an `open` entry; raises `Refused`.

    The result is cached by the entry's digest, which fixes its content.
    """
    need(entry.kind == "open", "not_open", "a record begins with an `open` entry", "/kind")
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
    body = fields(entry.body, names, optional=("clauses",))
    try:
        game = text(body["game"], "/game")
        uuid_bytes(game)
    except EncodingError as error:
        raise Refused("bad_game", str(error), "/game") from None
    mode = _mode(body)
    stated = body["options"] if isinstance(body["options"], Mapping) else {}
    known = {option.name: option for option in _in_options(mode, stated)}
    given = fields(body["options"], (), "/options", optional=[*known])
    for name, value in given.items():
        fault = known[name].fault(value)
        need(fault is None, "bad_option", fault or "", f"/options/{name}")
    early = body["early_links"]
    need(isinstance(early, bool), "bad_flag", "the value must be true or false", "/early_links")
    need(
        not early or seals(mode),
        "early_links",
        "this mode seals nothing, so it has no early links",
        "/early_links",
        "protocol 7",
    )
    cards = _cards(body, mode.facts.own_decks)
    return Header(
        game=game,
        mode=mode,
        # An option that a record does not name has its default, so a new option never breaks an old record.
        options={name: given.get(name, option.default) for name, option in known.items()},
        players=_players(body, mode, most_seats(mode, given)),
        house_key=_key(body["house_key"], "/house_key"),
        anchor=octets(body["anchor"], "/anchor", DIGEST),
        cards=cards,
        set_digest=octets(body["set_digest"], "/set_digest", DIGEST),
        digest=entry.digest,
        early_links=early,
        envelope_key=_envelope_key(body["envelope_key"]),
        clauses=_clauses(body),
    )
