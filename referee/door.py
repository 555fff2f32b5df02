"""The one door: every message of every kind and mode passes this list of checks, in this order.

shape, seat, step, deadline, signature, seen, rules, proof. (Size, authentication
and repeats are judged before, by who holds the connection and the held messages.)
The fold sends every player's entry through the same list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from cards.mode import Face, IllegalMove, Packing, Position, Refusal, own
from crypto import meal, shuffle
from crypto.encoding import EncodingError
from crypto.fairness import leads
from crypto.identity import verify
from crypto.verifier import Equation, ProofError, check
from referee import bodies
from referee.bodies import Enter, Link, Reveal, Seal
from referee.certificate import certificate_digest, check_certificate
from referee.errors import Refused, need
from referee.game import Game, MatchDeck, Sealed
from referee.message import Message


class Checks(Protocol):
    """How signatures and proofs are checked: at once, gathered for one sum, or trusted."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Whether `signature` over `digest` by `key` holds."""

    def proof(self, name: str, statement: bytes, equations: Callable[[], list[Equation]]) -> None:
        """Raise `Refused` unless every equation's terms add up to the identity."""


def bad_proof(name: str, why: str = "an equation does not hold") -> Refused:
    """The refusal of a proof."""
    return Refused(
        "bad_proof",
        f"the {name} proof fails: {why}",
        "/proof",
        f"protocol {'6' if name == 'shuffle' else '8'}",
    )


class AtOnce:
    """Every signature and proof is checked when it is met."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Strict Ed25519 (protocol section 10)."""
        return verify(key, digest, signature)

    def proof(self, name: str, statement: bytes, equations: Callable[[], list[Equation]]) -> None:
        """One multi-scalar product for this proof."""
        try:
            held = all(check(equations()))
        except (ProofError, EncodingError) as error:
            raise bad_proof(name, str(error)) from None
        if not held:
            raise bad_proof(name)


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

    def proof(self, name: str, statement: bytes, equations: Callable[[], list[Equation]]) -> None:
        """One multi-scalar product, once."""
        if (name.encode(), statement) not in self._held:
            AtOnce().proof(name, statement, equations)
            self._held.add((name.encode(), statement))


class Trusting:
    """Nothing is checked again: for a record that the house itself has written and checked."""

    def signature(self, key: bytes, digest: bytes, signature: bytes) -> bool:
        """Taken as held."""
        return True

    def proof(self, name: str, statement: bytes, equations: Callable[[], list[Equation]]) -> None:
        """Taken as held."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A message that passed the door: its body as read, and what else the checks found."""

    body: Any
    faces: Mapping[Position, Face] | None = None
    """Faces that it lays open."""
    deck: MatchDeck | None = None
    sealed: Sealed | None = None


def _read(game: Game, message: Message) -> Any:
    """shape"""
    readers: dict[str, Callable[[], Any]] = {
        "enter": lambda: bodies.enter(message.body, game.rules.facts.own_decks),
        "link": lambda: bodies.link(message.body),
        "move": lambda: bodies.move(message.body),
        "seal": lambda: bodies.seal(message.body),
        "reveal": lambda: bodies.reveal(message.body),
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
    need(game.outcome is None and not game.over, "game_over", "the game is over", "/step")
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


def _seen(game: Game, message: Message) -> None:
    """seen: an entry of this record, at or after the one that asked."""
    seen = bodies.seen(message.body)
    known = dict(game.recent).get(seen.seq)
    asking = game.asking
    if owes(game, message):
        oldest = game.seat(message.seat).owed_since
    elif message.kind in ("resign", "draw"):
        running = asking is not None and asking.step == message.step
        oldest = asking.opened if asking is not None and running else game.closed[1]
    else:
        assert asking is not None, "the step was checked"
        oldest = asking.seq
    need(
        seen.seq >= oldest,
        "seen_too_old",
        f"must be entry {oldest} or a later one",
        "/seen/seq",
        "protocol 10",
    )
    if known is None or known != seen.digest:
        raise Refused("seen_unknown", "no such entry in this record", "/seen", "protocol 10")


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
    checks.proof(
        "shuffle", statement, lambda: shuffle.equations(context, points, enter.positions, enter.proof)
    )
    deck = shuffle.match_deck_digest(digest, enter.positions, enter.anchor)
    return Passed(enter, deck=MatchDeck(digest, enter.positions, deck))


def _link(game: Game, message: Message, link: Link) -> Passed:
    """The next of the seat's chain: hashed k - j times it gives the newest known."""
    need(
        link.deal == game.deals + 1, "wrong_deal", f"the next deal is {game.deals + 1}", "/deal", "protocol 7"
    )
    number, known = game.seat(message.seat).newest
    held = leads(link.link, link.deal, known, number)
    need(held, "wrong_link", "does not lead to this seat's newest known link", "/link", "protocol 7")
    return Passed(link)


def _refuse(refusal: Refusal, pointer: str) -> Refused:
    return Refused(refusal.code, refusal.text, pointer + refusal.pointer, refusal.section)


def _move(game: Game, message: Message, move: dict[str, Any]) -> Passed:
    """The rules allow it, as far as the faces known here can tell."""
    refusal = game.rules.legal(game.state, message.seat).refusal(move)
    if refusal is not None:
        raise _refuse(refusal, "/move")
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


def hand_points(game: Game, seat: int, hand: tuple[int, ...]) -> tuple[bytes, ...]:
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
    checks.proof(
        "meal", statement, lambda: meal.equations(context, points, packing.boxes, seal.seal, seal.proof)
    )
    fingerprint = meal.fingerprint(context, seal.seal, seal.proof)
    return Passed(seal, sealed=Sealed(message.step, packing.hand, packing.boxes, seal.seal, fingerprint))


def _reveal(game: Game, message: Message, reveal: Reveal, sealed: Sealed) -> Passed:
    """B = Com(b; r_B) for the bits of the choice, each K_i = Card(vector; blinding) (protocol section 9)."""
    seat, mode = message.seat, game.rules
    packing = Packing(sealed.hand, sealed.boxes)
    try:
        boxes = mode.fill(packing, reveal.choice)
    except IllegalMove as error:
        raise _refuse(error.refusal, "/choice") from None
    used = [index for index, box in zip(sealed.hand, boxes, strict=True) if box]
    given = [opening.position for opening in reveal.openings]
    need(
        given == used,
        "wrong_openings",
        "must open exactly the cards used, ascending",
        "/openings",
        "protocol 9",
    )
    faces: dict[Position, Face] = {}
    recipes = [0] * sealed.boxes
    points = hand_points(game, seat, tuple(given))
    for i, (opening, point) in enumerate(zip(reveal.openings, points, strict=True)):
        card = game.header.cards.get(opening.number)
        if card is None:
            raise Refused(
                "unknown_card", "no card of the sets in play", f"/openings/{i}/number", "protocol 9"
            )
        held = meal.opens_card(point, card.vector, opening.blinding)
        need(held, "wrong_opening", "does not open this position", f"/openings/{i}", "protocol 9")
        faces[own(seat, opening.position)] = card
        recipes[boxes[sealed.hand.index(opening.position)] - 1] += card.is_recipe
    held = meal.opens_seal(sealed.seal, boxes, recipes, sealed.boxes, reveal.blinding)
    need(held, "wrong_reveal", "is not what was sealed", "/choice", "protocol 9")
    if not owes(game, message):
        refusal = mode.legal(game.state.knowing(faces), seat).refusal(reveal.choice)
        if refusal is not None:
            raise _refuse(refusal, "/choice")
    return Passed(reveal, faces=faces)


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
            return _reveal(game, message, body, sealed)
    return Passed(body)


def examine(game: Game, message: Message, checks: Checks, arrival: int | None = None) -> Passed:
    """Pass a message through the list; raises `Refused` at the first check that fails.

    `arrival` is its time in milliseconds since 1970; None for a message that
    waited beside the record, whose own arrival its receipt tells.
    """
    body = _read(game, message)
    need(message.seat in game.header.seats, "no_such_seat", "there is no such seat", "/seat")
    _step(game, message)
    timely = (
        arrival is None
        or game.asking is None
        or owes(game, message)
        or message.kind in ("resign", "draw")
        or arrival <= game.asking.deadline
    )
    need(timely, "too_late", "the time for this step is up", "/step", "protocol 10")
    key = game.header.players[message.seat].key
    signed = checks.signature(key, message.digest, message.signature)
    need(signed, "bad_signature", "is not signed by this seat's key", "/signature", "protocol 10")
    _seen(game, message)
    return _judge(game, message, body, checks)
