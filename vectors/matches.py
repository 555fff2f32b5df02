"""The five example games behind the published test vectors: their cards, players, and all that was sent.

Everything is fixed: keys, match secrets, chains, times, choices; the masks of every
proof are made with `fresh` all zero (protocol section 12). So the records are the
same bytes on every machine and on both engines. The messages are built here step by
step from the protocol, apart from the code that builds a real player's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from cards import games
from cards.catalog.cards import CATEGORIES, NONE, Card, Units
from cards.games.contract import DECK_SIZE, Move
from crypto import envelope, meal, shuffle
from crypto.certificate import blinding
from crypto.encoding import b64, canonical
from crypto.fairness import Chain
from crypto.group import encode_scalar
from crypto.identity import public_key
from crypto.secret import Masks, MatchSecret
from referee.certificate import certificate_digest, certify, check_certificate
from referee.checks import Trusting
from referee.fold import begin as opened
from referee.game import Game, Sealed, asking_of, seal_of
from referee.header import CLAUSES, SeatedPlayer, open_body
from referee.house import Keeper, accept, close, waits, was_away
from referee.message import Message, write_message
from referee.record import GENESIS, HOUSE, Entry, write_entry
from referee.validation import hand_points, meal_context
from vectors.example import (
    ENVELOPE,
    ENVELOPE_PRIVATE_KEY,
    GAME,
    HOUSE_CHAIN_END,
    HOUSE_PRIVATE_KEY,
    NO_FRESH,
    PRIVATE_KEYS,
    SECRETS,
)

CHEF_GAME = GAME
HEARTS_GAME = "9c3f7f60-51d2-4a0e-8b6a-1d2e3f405162"
SLOW_GAME = "2b9d4c11-7e35-4f6a-b8c0-3a5d7f912e64"
AWAY_GAME = "51c7e0d3-9a4b-4e18-8f26-0b7d3c915a48"
LINKS_GAME = "d80f2a6e-1c59-4b73-a0e4-76f3b21c8d90"
START = 1_795_168_800_000
"""2026-11-20T10:00:00.000Z, in milliseconds since 1970."""
TICK = 1000
"""Milliseconds between two messages."""
_CLOCKS = {"enter": 60, "ready": 60, "link": 30}
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "chef": {**_CLOCKS, "seal": 120, "reveal": 30, "choice": 30},
    "hearts": {**_CLOCKS, "expose": 60, "card": 30, "first": "first"},
}
"""The options that the records name. Options that came later have their defaults there."""
NAMES = ("Ada", "Brillat", "Clotilde", "Dumas")
PRIVATES = (*PRIVATE_KEYS, bytes([0x44]) * 32, bytes([0x66]) * 32)
MATCH_SECRETS = (*SECRETS, bytes(range(64, 96)), bytes(range(128, 160)))


# Cards and decks


def _units(given: Mapping[str, int]) -> Units:
    starch, vegetable, oil, protein, seasoning = (given.get(name, 0) for name in CATEGORIES)
    return (starch, vegetable, oil, protein, seasoning)


def _ingredient(number: int, slug: str, name: str, *kinds: str, **provides: int) -> Card:
    return Card(number, slug, name, "ingredient", _units(provides), NONE, kinds, (), 0, False)


def _recipe(number: int, name: str, *listed: str, one_time: bool = False, **cost: int) -> Card:
    slug = name.lower().replace(" ", "-")
    return Card(number, slug, name, "recipe", NONE, _units(cost), (), listed, 0, one_time)


CARDS: tuple[Card, ...] = (
    _ingredient(1001, "bread", "Bread", starch=1),
    _ingredient(1002, "rice", "Rice", "Grain", starch=1),
    _ingredient(1003, "tomato", "Tomato", vegetable=1),
    _ingredient(1004, "butter", "Butter", oil=1),
    _ingredient(1005, "tuna", "Tuna", "Fish", protein=1),
    _ingredient(1006, "salt", "Salt", seasoning=1),
    Card(1007, "pepper", "Pepper", "ingredient", NONE, _units({"seasoning": 1}), (), (), 2, False),
    Card(1008, "golden-egg", "Golden Egg", "ingredient", _units({"protein": 2}), NONE, (), (), 1, True),
    # Another card of the same name and worth: only its number tells it from the first.
    _ingredient(1009, "bread-of-yesterday", "Bread", starch=1),
    _recipe(1101, "Toast", "Bread", starch=1),
    _recipe(1102, "Tuna Sandwich", "Bread", "Fish", starch=1, protein=1),
    _recipe(1103, "Tomato Soup", "Salt", "Tomato", seasoning=1, vegetable=1),
    _recipe(1104, "Buttered Rice", "Butter", "Rice", one_time=True, oil=1, starch=1),
    _recipe(1105, "Omelette", "Golden Egg", protein=2),
)
"""The cards in play, by number."""


def _deck(fewer: Sequence[int]) -> tuple[Card, ...]:
    """Three of each card, two of those numbered in `fewer`."""
    return tuple(card for card in CARDS for _ in range(2 if card.number in fewer else 3))


DECKS = (_deck((1009, 1105)), _deck((1002, 1104)))
"""The decks of the two chefs, 40 cards each by number."""


# Players


@dataclass(frozen=True)
class ExamplePlayer:
    """A player of an example, with all its secrets."""

    number: int
    deck: tuple[Card, ...] = ()

    @property
    def private(self) -> bytes:
        """Its Ed25519 private key."""
        return PRIVATES[self.number]

    @property
    def w(self) -> bytes:
        """Its match secret."""
        return MATCH_SECRETS[self.number]

    @property
    def secret(self) -> MatchSecret:
        """Return what follows from the match secret."""
        return _secret(self.w)

    def say(self, game: Game, kind: str, body: Mapping[str, Any], step: int | None = None) -> Message:
        """A message on the newest entry, for the step that runs unless told."""
        seen = {"seq": game.seq, "digest": b64(game.digest)}
        at = game.step if step is None else step
        return write_message(self.private, game.header.game, at, self.number, kind, {**body, "seen": seen})

    def enter(self, game: Game, at: int) -> Message:
        """The anchor; with an own deck the certificate, the match deck and its proof (sections 5 and 6)."""
        own, header = self.secret, game.header
        body: dict[str, Any] = {"anchor": b64(own.chain.anchor)}
        if self.deck:
            certificate = certify(HOUSE_PRIVATE_KEY, header, self.number, self.deck, own.certificate_seed, at)
            cards = check_certificate(header, self.number, certificate)
            t = [own.position_blinding(i) for i in range(DECK_SIZE)]
            positions = shuffle.positions(cards, own.permutation, t)
            ctx = shuffle.context(
                header.game_bytes,
                self.number,
                header.players[self.number].key,
                certificate_digest(certificate),
                header.anchor,
                own.chain.anchor,
            )
            masks = Masks(self.w, ctx, canonical(list(own.permutation)), NO_FRESH)
            body["certificate"] = certificate
            body["positions"] = [b64(point) for point in positions]
            body["proof"] = b64(shuffle.prove(ctx, cards, positions, own.permutation, t, masks))
        return self.say(game, "enter", body)

    def link(self, game: Game) -> Message:
        """The link of the next deal (section 7)."""
        deal = game.deals + 1
        return self.say(game, "link", {"deal": deal, "link": b64(self.secret.chain.link(deal))})

    def card(self, index: int) -> Card:
        """The card at an index of its match deck."""
        return self.deck[self.secret.permutation[index]]

    def _opening(self, index: int) -> int:
        """s_pi(i) + t_i, not reduced."""
        own = self.secret
        return blinding(own.certificate_seed, own.permutation[index]) + own.position_blinding(index)

    def seal(self, game: Game, choice: Move, envelope: bytes | None = None) -> tuple[Message, int]:
        """The sealed meal and r_B, which opens it (section 8); with any bytes for an envelope."""
        packing = game.rules.packing(game.state, self.number)
        ctx = meal_context(game, self.number, game.step, packing)
        sealed = meal.prove(
            ctx,
            hand_points(game, self.number, packing.hand),
            [self.card(index).vector for index in packing.hand],
            [self._opening(index) for index in packing.hand],
            game.rules.fill(packing, choice),
            packing.boxes,
            Masks(self.w, ctx, canonical(choice), NO_FRESH),
        )
        body = {"seal": b64(sealed.seal), "proof": b64(sealed.proof)}
        more = {} if envelope is None else {"envelope": b64(envelope)}
        return self.say(game, "seal", {**body, **more}), sealed.blinding

    def reveal(self, game: Game, sealed: Sealed, choice: Move, r_B: int, early: bool = True) -> Message:
        """The choice, r_B, and the cards used with their blindings (section 9); the `early` link if asked."""
        dishes = choice["dishes"]
        used = sorted(
            index for dish in dishes for index in (dish["recipe"], *dish["ingredients"]) if index is not None
        )
        openings = [
            {
                "position": index,
                "number": self.card(index).number,
                "blinding": b64(encode_scalar(self._opening(index))),
            }
            for index in used
        ]
        body: dict[str, Any] = {"choice": choice, "blinding": b64(encode_scalar(r_B)), "openings": openings}
        if game.header.early_links:
            body["link"] = b64(self.secret.chain.link(game.deals + 1)) if early else None
        return self.say(game, "reveal", body, sealed.step)


@cache
def _secret(w: bytes) -> MatchSecret:
    return MatchSecret(w)


# The house's side


@dataclass
class Sitting:
    """An example game as the house keeps it."""

    sitters: tuple[ExamplePlayer, ...]
    keeper: Keeper
    game: Game
    entries: list[Entry]
    now: int = START
    waiting: dict[int, Message] = field(default_factory=dict)
    received: list[tuple[Message, int]] = field(default_factory=list)
    """Every message with the time of its arrival."""

    def send(self, message: Message) -> None:
        """A message arrives a tick later; a step whose answers are all in is closed."""
        self.now += TICK
        self.received.append((message, self.now))
        held = waits(self.game, message)
        self._take(*accept(self.keeper, self.game, message, self.now, Trusting()))
        if held:
            self.waiting[message.seat] = message
            self._close()

    def lapse(self) -> None:
        """The time of the running step passes."""
        self.now = asking_of(self.game).deadline + 1
        self._close()

    def leave(self, rest: int, long: int) -> None:
        """The house goes away, `rest` milliseconds before the step's deadline, for `long` milliseconds."""
        began = asking_of(self.game).deadline - rest
        self.now = began + long
        self._take(*was_away(self.keeper, self.game, began, self.now, self.now))

    def _close(self) -> None:
        self._take(*close(self.keeper, self.game, self.waiting, self.now))
        asking = self.game.asking
        step = asking.step if asking is not None and asking.held else None
        self.waiting = {seat: message for seat, message in self.waiting.items() if message.step == step}

    def _take(self, game: Game, entries: Sequence[Entry]) -> None:
        self.game = game
        self.entries += entries


def sit(
    game: str,
    mode: str,
    sitters: tuple[ExamplePlayer, ...],
    texts: Sequence[Mapping[str, Any]],
    early_links: bool = False,
    envelope_key: bytes | None = None,
    clauses: Sequence[str] | None = None,
    options: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    **more: int,
) -> Sitting:
    """An example game that has just been opened; `options` replace those of `OPTIONS`.

    The house needs a `secret` of 32 bytes where nobody deals.
    """
    keeper = Keeper(HOUSE_PRIVATE_KEY, _chain(), secret, lambda: NO_FRESH)
    players = [
        SeatedPlayer(name, public_key(sitter.private)) for name, sitter in zip(NAMES, sitters, strict=False)
    ]
    house = public_key(HOUSE_PRIVATE_KEY)
    named = {**(OPTIONS[mode] if options is None else options), **more, "early_links": early_links}
    anchor = keeper.chain.anchor
    body = open_body(game, games.find(mode), named, players, house, anchor, texts, envelope_key, clauses)
    entry = write_entry(HOUSE_PRIVATE_KEY, (-1, GENESIS), START, 0, HOUSE, "open", body)
    return Sitting(sitters, keeper, opened(entry, Trusting()), [entry])


@cache
def _chain() -> Chain:
    return Chain(HOUSE_CHAIN_END)


def begin(table: Sitting, links: bool = True) -> None:
    """All enter, the last seat first; all say ready and, if asked for, send their first links."""
    for sitter in reversed(table.sitters):
        table.send(sitter.enter(table.game, table.now))
    for sitter in table.sitters:
        table.send(sitter.say(table.game, "ready", {}))
    if links:
        _links(table)


def _links(table: Sitting) -> None:
    for sitter in table.sitters:
        table.send(sitter.link(table.game))


# The games


def _dish(course: int, recipe: int, *ingredients: int) -> dict[str, Any]:
    return {"course": course, "recipe": recipe, "ingredients": [*ingredients]}


NOTHING: Move = {"dishes": []}
CHEF_MEALS: tuple[tuple[Move, Move], ...] = (
    ({"dishes": []}, {"dishes": [_dish(2, 26, 38)]}),
    ({"dishes": [_dish(1, 0, 6, 33)]}, {"dishes": [_dish(2, 26, 31)]}),
    ({"dishes": [_dish(1, 15, 6, 7)]}, {"dishes": []}),
)
"""The meals that the chefs seal, round by round; in the third round only seat 0 does."""


def _meals(table: Sitting, round_: int, seals: int = 2) -> list[int]:
    """The seals of a round; r_B of each."""
    blindings = []
    for sitter, choice in list(zip(table.sitters, CHEF_MEALS[round_], strict=True))[:seals]:
        message, r_B = sitter.seal(table.game, choice)
        table.send(message)
        blindings.append(r_B)
    return blindings


def _seal_of(table: Sitting, seat: int) -> Sealed:
    """The seal that the seat must open: the one that is owed, or that of the running step."""
    return table.game.seat(seat).owed or seal_of(table.game, seat)


def _open(table: Sitting, seat: int, round_: int, r_B: int) -> Message:
    return table.sitters[seat].reveal(table.game, _seal_of(table, seat), CHEF_MEALS[round_][seat], r_B)


@cache
def chef() -> Sitting:
    """A match of Pancake: a redraw, a round, a reveal that is late, a draw offer, a resignation."""
    sitters = tuple(ExamplePlayer(seat, deck) for seat, deck in enumerate(DECKS))
    table = sit(CHEF_GAME, "chef", sitters, [card.text() for card in CARDS])
    begin(table)
    first, second = sitters
    table.send(first.say(table.game, "move", {"move": {"choice": "keep"}}))
    table.send(second.say(table.game, "move", {"move": {"choice": "redraw"}}))
    _links(table)
    table.send(second.say(table.game, "move", {"move": {"choice": "keep"}}))
    blindings = _meals(table, 0)
    for seat in (1, 0):
        table.send(_open(table, seat, 0, blindings[seat]))
    _links(table)
    blindings = _meals(table, 1)
    table.send(_open(table, 0, 1, blindings[0]))
    table.lapse()
    _links(table)
    _meals(table, 2, seals=1)
    table.send(_open(table, 1, 1, blindings[1]))
    table.send(second.say(table.game, "draw", {}))
    table.send(second.say(table.game, "resign", {}))
    return table


@cache
def slow() -> Sitting:
    """A match of Pancake with early links, an envelope, a reveal signed before the other's seal, a late link.

    The envelope is the one of `vectors.primitives`, which belongs to another seal: a record shows nothing of
    it but its bytes.
    """
    sitters = tuple(ExamplePlayer(seat, deck) for seat, deck in enumerate(DECKS))
    to = envelope.public_key(ENVELOPE_PRIVATE_KEY)
    table = sit(SLOW_GAME, "chef", sitters, [card.text() for card in CARDS], True, to)
    begin(table)
    for sitter in sitters:
        table.send(sitter.say(table.game, "move", {"move": {"choice": "keep"}}))
    first, asked, blindings = sitters[0], table.game, []
    for sitter in sitters:
        message, r_B = sitter.seal(table.game, NOTHING, ENVELOPE if sitter is first else None)
        table.send(message)
        blindings.append(r_B)
    for sitter, before in zip(sitters, (asked, table.game), strict=True):
        sealed = _seal_of(table, sitter.number)
        table.send(sitter.reveal(before, sealed, NOTHING, blindings[sitter.number], early=sitter is first))
    table.send(sitters[1].link(table.game))
    sent = [sitter.seal(table.game, NOTHING) for sitter in sitters]
    for message, _ in sent:
        table.send(message)
    for sitter, (_, r_B) in zip(sitters, sent, strict=True):
        sealed = _seal_of(table, sitter.number)
        table.send(sitter.reveal(table.game, sealed, NOTHING, r_B))
    table.send(sitters[1].say(table.game, "resign", {}))
    return table


HEARTS_MOVES: tuple[tuple[int, Move], ...] = (
    (1, {"done": True}),
    (0, {"expose": 16, "card": "AH"}),
    (1, {"expose": 28, "card": "QS"}),
    (2, {"expose": 39, "card": "10C"}),
    (0, {"play": 5, "card": "5C"}),
    (1, {"play": 18, "card": "9C"}),
    (2, {"play": 34, "card": "AC"}),
)
"""The moves with their seats. The rules turn up the fourth card, and then the time passes for seat 2."""


@cache
def hearts() -> Sitting:
    """A game of Chinese Hearts for three: exposing, a trick, a card missed, a resignation."""
    sitters = tuple(ExamplePlayer(seat) for seat in range(3))
    table = sit(HEARTS_GAME, "hearts", sitters, ())
    begin(table)
    for seat, move in HEARTS_MOVES:
        table.send(sitters[seat].say(table.game, "move", {"move": move}))
    table.lapse()
    table.send(sitters[1].say(table.game, "resign", {}))
    return table


AWAY_MOVES: tuple[tuple[int, Move], ...] = ((0, {"done": True}), (1, {"done": True}), (2, {"done": True}))
"""The moves before the first card; then seat 0 plays a card, and the time passes for seat 1."""
AWAY_CARD: Move = {"play": 9, "card": "5C"}
AWAY_TIMES: tuple[tuple[int, int], ...] = ((35_000, 600_000), (4_000, 90_000), (1_000, 30_000))
"""The house's absences: how many milliseconds before a deadline each begins, and how long it is."""


@cache
def away() -> Sitting:
    """A game of Chinese Hearts with time banks, during which the house is away for longer than a turn.

    The first absence falls into the exposing, the other two into one card: its seat has a second left.
    """
    sitters = tuple(ExamplePlayer(seat) for seat in range(3))
    table = sit(AWAY_GAME, "hearts", sitters, (), clauses=CLAUSES, bank=60)
    begin(table)
    first, *others = AWAY_MOVES
    table.send(sitters[first[0]].say(table.game, "move", {"move": first[1]}))
    table.leave(*AWAY_TIMES[0])
    for seat, move in others:
        table.send(sitters[seat].say(table.game, "move", {"move": move}))
    table.leave(*AWAY_TIMES[1])
    table.leave(*AWAY_TIMES[2])
    table.now += 20_000
    table.send(sitters[0].say(table.game, "move", {"move": AWAY_CARD}))
    table.lapse()
    table.send(sitters[2].say(table.game, "resign", {}))
    return table


@cache
def links() -> Sitting:
    """A match of Pancake in which seat 1 redraws three times and withholds its link each time."""
    sitters = tuple(ExamplePlayer(seat, deck) for seat, deck in enumerate(DECKS))
    texts = [card.text() for card in CARDS]
    table = sit(LINKS_GAME, "chef", sitters, texts, clauses=CLAUSES)
    begin(table)
    first, second = sitters
    table.send(first.say(table.game, "move", {"move": {"choice": "keep"}}))
    for _ in range(3):
        table.send(second.say(table.game, "move", {"move": {"choice": "redraw"}}))
        table.send(first.link(table.game))
        table.lapse()
    return table
