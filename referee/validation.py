"""The one door: every message of every kind and mode passes this list of checks, in this order.

shape, seat, step, deadline, signature, seen, rules, proof. (Size, authentication
and repeats are judged before, by who holds the connection and the held messages.)
The fold sends every player's entry through the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from cards.catalog.cards import Card
from cards.games.contract import Face, Packing, Position, own
from crypto import meal, shuffle
from crypto.encoding import EncodingError
from crypto.fairness import leads
from crypto.identity import verify
from crypto.verifier import Equation, ProofError, check
from referee import bodies
from referee.bodies import Enter, Link, Opening, Reveal, Seal
from referee.certificate import certificate_digest, check_certificate
from referee.errors import Refused, by_the_rules, need, need_legal
from referee.game import Game, MatchDeck, Sealed
from referee.message import Message


@dataclass(frozen=True, slots=True)
class Claim:
    """Equations that a message says hold, and how it is refused if they do not, or can't be read."""

    equations: Callable[[], list[Equation]]
    refused: Callable[[str], Refused]
    """The refusal, for a reason why."""

    def read(self) -> list[Equation]:
        """The equations; raises the refusal where the bytes they come from are none."""
        try:
            return self.equations()
        except (ProofError, EncodingError) as error:
            raise self.refused(str(error)) from None

    def broken(self) -> Refused:
        """The refusal where an equation does not hold."""
        return self.refused("an equation does not hold")


class Checks(Protocol):
    """How signatures and claims are checked: at once, gathered for one sum, or trusted."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Whether `signature` over `digest` by `key` holds."""

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """Raise the refusal of the first claim that does not hold.

        `kind` is "shuffle", "meal" or "reveal"; `statement` all bytes that the claims are about.
        """


def bad_proof(name: str, why: str) -> Refused:
    """The refusal of a proof."""
    return Refused(
        "bad_proof",
        f"the {name} proof fails: {why}",
        "/proof",
        f"protocol {'6' if name == 'shuffle' else '8'}",
    )


class AtOnce:
    """Every signature is checked when it is met, and so is every message's claims, in one product."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519 (protocol section 10)."""
        return verify(key, digest, signature)

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """One multi-scalar product for all of them."""
        read: list[list[Equation]] = []
        unreadable: Refused | None = None
        for claim in claims:
            try:
                read.append(claim.read())
            except Refused as refused:
                unreadable = refused
                break
        for claim, held in zip(claims, check(*read), strict=False):
            if not held:
                raise claim.broken()
        if unreadable is not None:
            raise unreadable


class Remembering:
    """Checks at once, and never the same thing twice.

    So a proof is checked before the game's row is locked, and judged again under the lock for nothing.
    """

    def __init__(self) -> None:
        self._held: set[tuple[bytes, ...]] = set()

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519, once."""
        if (key, digest, signature) not in self._held:
            if not AtOnce().signature(key, digest, signature):
                return False
            self._held.add((key, digest, signature))
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """One multi-scalar product, once."""
        if (kind.encode(), statement) not in self._held:
            AtOnce().claims(kind, statement, claims)
            self._held.add((kind.encode(), statement))


class Trusting:
    """Nothing is checked again: for a record that the house itself has written and checked."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Taken as held."""
        return True

    def claims(self, kind: str, statement: bytes, claims: Sequence[Claim]) -> None:
        """Taken as held."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A message that passed the door: its body as read, and what else the checks found."""

    body: Any
    faces: Mapping[Position, Face] = field(default_factory=dict)
    """Faces that it lays open."""
    deck: MatchDeck | None = None
    sealed: Sealed | None = None


def _read(game: Game, message: Message) -> Any:
    """shape"""
    readers: dict[str, Callable[[], Any]] = {
        "enter": lambda: bodies.enter(message.body, game.rules.facts.own_decks),
        "link": lambda: bodies.link(message.body),
        "move": lambda: bodies.move(message.body),
        "seal": lambda: bodies.seal(message.body, game.header.envelope_key is not None),
        "reveal": lambda: bodies.reveal(message.body, game.header.early_links),
    }
    body = readers.get(message.kind, lambda: bodies.bare(message.body))()
    bodies.seen(message.body)
    return body


def owes(game: Game, message: Message) -> bool:
    """Whether this message is the reveal that its seat owes."""
    owed = game.seat(message.seat).owed
    return message.kind == "reveal" and owed is not None and owed.step == message.step


def _step(game: Game, message: Message) -> None:
    """step: it answers what is asked; an owed reveal its own step; resign, draw: running or just closed."""
    need(game.outcome is None, "game_over", "the game is over", "/step")
    need(message.seat not in game.gone, "seat_out", "this seat is out of the game", "/seat", "protocol 10")
    if owes(game, message):
        return
    if message.kind in ("resign", "draw"):
        need(game.deals > 0, "too_early", "nothing has been dealt yet", "/kind", "protocol 10")
        near = message.step in (game.step, game.closed[0])
        need(near, "wrong_step", f"the running step is {game.step}", "/step", "protocol 10")
        if message.kind == "draw":
            # An offer that has lapsed can't be brought back by sending the same message again.
            own = game.seat(message.seat)
            fresh = not own.offers_draw and message.step > own.offered
            need(fresh, "already_offered", "your offer stands, or was of this step", "/kind", "protocol 10")
        return
    asking = game.asking
    if asking is None or asking.step != message.step:
        raise Refused("wrong_step", f"the running step is {game.step}", "/step", "protocol 10")
    need(
        asking.kind == message.kind, "wrong_kind", f"this step asks for {asking.kind}", "/kind", "protocol 10"
    )
    need(
        message.seat in asking.seats, "not_asked", "nothing is asked of this seat now", "/seat", "protocol 10"
    )
    owed = message.kind == "seal" and game.seat(message.seat).owed is not None
    need(not owed, "reveal_owed", "send the reveal you owe before you seal again", "/kind", "protocol 9")


def _enclosed(game: Game, seat: int) -> bool:
    """Whether an answer of this seat may have been enclosed with its seal: signed when that was sent.

    Whoever is asked and has sealed is asked for the reveal.
    """
    sealed = game.seat(seat).sealed
    return sealed is not None and sealed.envelope


def _seen(game: Game, message: Message) -> None:
    """seen: an entry of this record, at or after the one that asked."""
    seen = bodies.seen(message.body)
    asking = game.asking
    if owes(game, message):
        oldest = game.seat(message.seat).owed_since
    elif asking is None or asking.step != message.step:
        oldest = game.closed[1]  # to resign or to offer a draw, in the step that closed last
    elif message.kind in ("resign", "draw") or _enclosed(game, message.seat):
        oldest = asking.opened
    else:
        oldest = asking.seq
    need(
        seen.seq >= oldest,
        "seen_too_old",
        f"must be entry {oldest} or a later one",
        "/seen/seq",
        "protocol 10",
    )
    known = dict(game.recent).get(seen.seq) == seen.digest
    need(known, "seen_unknown", "no such entry in this record", "/seen", "protocol 10")


def _enter(game: Game, message: Message, enter: Enter, checks: Checks) -> Passed:
    """The certificate is this seat's, the positions are its cards in another order (S1..S4)."""
    if enter.certificate is None:
        return Passed(enter)
    header, seat = game.header, message.seat
    points = check_certificate(header, seat, enter.certificate, "/certificate")
    digest = certificate_digest(enter.certificate)
    context = shuffle.context(
        header.game_bytes, seat, header.players[seat].key, digest, header.anchor, enter.anchor
    )
    statement = b"".join((context, *points, *enter.positions, enter.proof))
    proof = Claim(
        lambda: shuffle.equations(context, points, enter.positions, enter.proof),
        partial(bad_proof, "shuffle"),
    )
    checks.claims("shuffle", statement, [proof])
    deck = shuffle.match_deck_digest(digest, enter.positions, enter.anchor)
    return Passed(enter, deck=MatchDeck(digest, enter.positions, deck))


def _link(game: Game, message: Message, link: Link) -> Passed:
    """The next of the seat's chain: hashed k - j times it gives the newest known."""
    need(
        link.deal == game.deals + 1, "wrong_deal", f"the next deal is {game.deals + 1}", "/deal", "protocol 7"
    )
    _leads(game, message.seat, link.link)
    return Passed(link)


def _leads(game: Game, seat: int, link: bytes) -> None:
    """`link` is the seat's of the next deal."""
    number, known = game.seat(seat).newest
    # One that came early stands until there is a deal: it may be said again.
    again = number == game.deals + 1
    held = link == known if again else leads(link, game.deals + 1, known, number)
    need(held, "wrong_link", "does not lead to this seat's newest known link", "/link", "protocol 7")


def _move(game: Game, message: Message, move: dict[str, Any]) -> Passed:
    """The rules allow it, as far as the faces known here can tell."""
    need_legal(game.rules.legal(game.state, message.seat).refusal(move), "/move")
    return Passed(move, faces=game.rules.opens(move))


def meal_context(game: Game, seat: int, step: int, packing: Packing) -> bytes:
    """ctx of a meal (protocol section 8)."""
    header, deck = game.header, game.seat(seat).deck
    assert deck is not None, "own decks have entered"
    return meal.context(
        header.game_bytes,
        step,
        seat,
        header.players[seat].key,
        header.set_digest,
        deck.digest,
        packing.boxes,
        packing.hand,
    )


def hand_points(game: Game, seat: int, hand: Sequence[int]) -> tuple[bytes, ...]:
    """K_j of the hand's cards."""
    deck = game.seat(seat).deck
    assert deck is not None, "own decks have entered"
    return tuple(deck.positions[index] for index in hand)


def _seal(game: Game, message: Message, seal: Seal, checks: Checks) -> Passed:
    """The meal is legal, whatever it is (M1..M3)."""
    packing = game.rules.packing(game.state, message.seat)
    size = bodies.proof_size(len(packing.hand), packing.boxes)
    need(
        len(seal.proof) == size,
        "bad_length",
        f"a proof for this hand has {size} bytes",
        "/proof",
        "protocol 8",
    )
    context = meal_context(game, message.seat, message.step, packing)
    points = hand_points(game, message.seat, packing.hand)
    statement = b"".join((context, *points, seal.seal, seal.proof))
    proof = Claim(
        lambda: meal.equations(context, points, packing.boxes, seal.seal, seal.proof),
        partial(bad_proof, "meal"),
    )
    checks.claims("meal", statement, [proof])
    sealed = Sealed(
        step=message.step,
        hand=packing.hand,
        boxes=packing.boxes,
        seal=seal.seal,
        fingerprint=meal.fingerprint(context, seal.seal, seal.proof),
        envelope=seal.envelope is not None,
    )
    return Passed(seal, sealed=sealed)


def _known(game: Game, reveal: Reveal) -> list[Card]:
    """The cards that a reveal opens, as far as they are in play: up to the first that is not."""
    cards: list[Card] = []
    for opening in reveal.openings:
        card = game.header.cards.get(opening.number)
        if card is None:
            break
        cards.append(card)
    return cards


def _opens_card(i: int, point: bytes, card: Card, opening: Opening) -> Claim:
    """The i-th opening of a reveal."""
    return Claim(
        lambda: meal.opening_of_card(point, card.vector, opening.blinding),
        lambda why: Refused("wrong_opening", "does not open this position", f"/openings/{i}", "protocol 9"),
    )


def _opens_seal(sealed: Sealed, boxes: Sequence[int], cards: Sequence[Card], blinding: int) -> Claim:
    """The seal holds this choice; `cards` are those used, in the order of the hand."""
    recipes = [0] * sealed.boxes
    for box, card in zip((box for box in boxes if box), cards, strict=True):
        recipes[box - 1] += card.is_recipe
    return Claim(
        lambda: meal.opening_of_seal(sealed.seal, boxes, recipes, sealed.boxes, blinding),
        lambda why: Refused("wrong_reveal", "is not what was sealed", "/choice", "protocol 9"),
    )


def _reveal(game: Game, message: Message, reveal: Reveal, sealed: Sealed, checks: Checks) -> Passed:
    """B = Com(b; r_B) for the bits of the choice, each K_i = Card(vector; blinding) (protocol section 9)."""
    seat, mode = message.seat, game.rules
    packing = Packing(sealed.hand, sealed.boxes)
    with by_the_rules("/choice"):
        boxes = mode.fill(packing, reveal.choice)
    used = [index for index, box in zip(sealed.hand, boxes, strict=True) if box]
    given = [opening.position for opening in reveal.openings]
    need(
        given == used,
        "wrong_openings",
        "must open exactly the cards used, ascending",
        "/openings",
        "protocol 9",
    )
    points = hand_points(game, seat, used)
    cards = _known(game, reveal)
    claims = [
        _opens_card(i, *claim) for i, claim in enumerate(zip(points, cards, reveal.openings, strict=False))
    ]
    if len(cards) == len(used):
        claims.append(_opens_seal(sealed, boxes, cards, reveal.blinding))
    checks.claims("reveal", b"".join((message.digest, sealed.fingerprint, *points)), claims)
    need(
        len(cards) == len(used),
        "unknown_card",
        "no card of the sets in play",
        f"/openings/{len(cards)}/number",
        "protocol 9",
    )
    faces: dict[Position, Face] = {own(seat, index): card for index, card in zip(used, cards, strict=True)}
    _early_link(game, message, reveal)
    if not owes(game, message):
        need_legal(mode.legal(game.state.knowing(faces), seat).refusal(reveal.choice), "/choice")
    return Passed(reveal, faces=faces)


def _early_link(game: Game, message: Message, reveal: Reveal) -> None:
    """A link that a reveal brings is of the next deal; a reveal that is owed brings none."""
    if reveal.link is None:
        return
    owed = owes(game, message)
    need(not owed, "link_not_due", "a reveal that is owed brings no link", "/link", "protocol 7")
    _leads(game, message.seat, reveal.link)


def _judge(game: Game, message: Message, body: Any, checks: Checks) -> Passed:
    """rules, proof"""
    match message.kind:
        case "enter":
            return _enter(game, message, body, checks)
        case "link":
            return _link(game, message, body)
        case "move":
            return _move(game, message, body)
        case "seal":
            return _seal(game, message, body, checks)
        case "reveal":
            seat = game.seat(message.seat)
            sealed = seat.owed if owes(game, message) else seat.sealed
            assert sealed is not None, "only seats that sealed are asked to reveal"
            return _reveal(game, message, body, sealed, checks)
    return Passed(body)


def examine(game: Game, message: Message, checks: Checks, arrival: int | None = None) -> Passed:
    """Pass a message through the list; raises `Refused` at the first check that fails.

    `arrival` is its time in milliseconds since 1970; None for a message that
    waited, beside the record or for its turn: when it came, its receipt tells.
    """
    body = _read(game, message)
    need(message.seat in game.header.seats, "no_such_seat", "there is no such seat", "/seat")
    _step(game, message)
    if arrival is not None and not owes(game, message) and message.kind not in ("resign", "draw"):
        assert game.asking is not None, "the step was checked"
        timely = arrival <= game.asking.deadline_of(message.seat)
        need(timely, "too_late", "your time for this step is up", "/step", "protocol 10")
    key = game.header.players[message.seat].key
    signed = checks.signature(key, message.digest, message.signature)
    need(signed, "bad_signature", "is not signed by this seat's key", "/signature", "protocol 10")
    _seen(game, message)
    return _judge(game, message, body, checks)
