"""The checks that every message must pass, for every kind and mode.

Their order is: shape, seat, step, deadline, signature, `seen`, rules, proof. Before them, the
caller checks the size, the sender's authentication and repeated messages, since it knows the
connection and the messages that wait. The fold applies the same checks to every player's entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from cards.catalog.cards import Card
from cards.games.contract import Face, Move, Packing, Position, own
from crypto import meal, shuffle
from crypto.fairness import leads
from referee import bodies
from referee.bodies import (
    Body,
    DrawOffer,
    Enter,
    EnterWithDeck,
    Link,
    MoveBody,
    Opening,
    Ready,
    Resign,
    Reveal,
    Seal,
)
from referee.certificate import certificate_digest, check_certificate
from referee.checks import Checks, ClaimedEquations, bad_proof
from referee.dealerless import bodies as table_bodies
from referee.dealerless import proofs
from referee.dealerless.bodies import TableBody
from referee.dealerless.proofs import Table
from referee.errors import Refused, by_the_rules, need, need_legal
from referee.game import Asking, Game, MatchDeck, Sealed, match_deck, seal_of
from referee.message import Message
from referee.record import PARTY_KINDS


@dataclass(frozen=True, slots=True)
class Entered:
    """A seat has entered, with its match deck if players bring their own decks."""

    anchor: bytes
    deck: MatchDeck | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """A seat has chosen in the open."""

    move: Move
    faces: Mapping[Position, Face]
    """The faces of the cards that the move shows."""
    shares: Mapping[Position, bytes] = field(default_factory=dict)
    """The shares of hidden cards that it opens, where nobody deals (protocol section 20.8)."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat has opened its seal."""

    choice: Move
    faces: Mapping[Position, Face]
    """The faces of the cards used."""
    link: bytes | None
    """Its link of the next deal, if the reveal brings one."""


@dataclass(frozen=True, slots=True)
class RevealedLate:
    """A seat has sent the reveal that it owed."""

    choice: Move
    faces: Mapping[Position, Face]
    """The faces of the cards used."""


Passed = Entered | Ready | Link | Moved | Sealed | Revealed | RevealedLate | Resign | DrawOffer | Table
"""The result of validation: what the message says, as far as the game needs it."""


def _shape(game: Game, message: Message) -> Body | TableBody:
    """Check shape: read the body by its kind."""
    body: Body | TableBody
    if game.header.dealerless:
        text = "nobody else can show a card of yours, so a table without a dealer takes no envelopes"
        need("envelope" not in message.body, "no_envelopes", text, "/envelope", "protocol 20.9")
    if game.header.dealerless and message.kind in PARTY_KINDS:
        body = table_bodies.read(message.kind, message.body)
    else:
        body = bodies.read(
            message.kind,
            message.body,
            own_decks=game.rules.facts.own_decks,
            envelopes=game.header.envelope_key is not None,
            early_links=game.header.early_links,
            dealerless=game.header.dealerless,
        )
    bodies.seen(message.body)
    return body


def owed(game: Game, message: Message) -> Sealed | None:
    """The seal whose overdue reveal this message is; None if it is any other message."""
    late = game.seat(message.seat).owed
    return late if message.kind == "reveal" and late is not None and late.step == message.step else None


def _step(game: Game, message: Message) -> Asking | None:
    """Check step: return the ask that this message answers.

    Three kinds answer no ask and give None: an overdue reveal, which has the step of its seal, and resign
    and draw, which have the running step or the one closed last.
    """
    need(game.outcome is None, "game_over", "the game is over", "/step")
    need(message.seat not in game.gone, "seat_out", "this seat is out of the game", "/seat", "protocol 10")
    if owed(game, message):
        return None
    if message.kind in ("resign", "draw"):
        _unasked(game, message)
        return None
    asking = game.asking
    if asking is None or asking.step != message.step:
        raise Refused("wrong_step", f"the running step is {game.step}", "/step", "protocol 10")
    kind = f"this step asks for {asking.kind}"
    need(asking.kind == message.kind, "wrong_kind", kind, "/kind", "protocol 10")
    asked = message.seat in asking.seats
    need(asked, "not_asked", "nothing is asked of this seat now", "/seat", "protocol 10")
    late = message.kind == "seal" and game.seat(message.seat).owed is not None
    need(not late, "reveal_owed", "send the reveal you owe before you seal again", "/kind", "protocol 9")
    return asking


def _unasked(game: Game, message: Message) -> None:
    """Refuse unless the seat may resign, or offer a draw, in the step of the message."""
    need(game.deals > 0, "too_early", "nothing has been dealt yet", "/kind", "protocol 10")
    near = message.step in (game.step, game.closed[0])
    need(near, "wrong_step", f"the running step is {game.step}", "/step", "protocol 10")
    if message.kind == "draw":
        # Sending the same message again must not renew an offer that has lapsed.
        seat = game.seat(message.seat)
        fresh = not seat.offers_draw and message.step > seat.offered
        need(
            fresh,
            "already_offered",
            "you have an open offer, or have made one in this step",
            "/kind",
            "protocol 10",
        )


def _enclosed(game: Game, seat: int) -> bool:
    """Tell whether this seat may have enclosed its reveal with its seal, and so signed it at that time.

    A seat that is asked and has sealed is asked for the reveal.
    """
    sealed = game.seat(seat).sealed
    return sealed is not None and sealed.envelope


def _seen(game: Game, message: Message) -> None:
    """Check `seen`: it names an entry of this record, at or after the one that asked."""
    seen = bodies.seen(message.body)
    asking = game.asking
    if owed(game, message):
        oldest = game.seat(message.seat).owed_since
    elif asking is None or asking.step != message.step:
        oldest = game.closed[1]  # to resign or to offer a draw, in the step that closed last
    elif message.kind in ("resign", "draw") or _enclosed(game, message.seat):
        oldest = asking.opened
    else:
        oldest = asking.seq
    text = f"the newest entry seen must be entry {oldest} or a later one"
    need(seen.seq >= oldest, "seen_too_old", text, "/seen/seq", "protocol 10")
    known = dict(game.recent).get(seen.seq) == seen.digest
    need(known, "seen_unknown", "the record has no such entry", "/seen", "protocol 10")


def _enter_with_deck(game: Game, message: Message, enter: EnterWithDeck, checks: Checks) -> Entered:
    """Check that the certificate is this seat's and the positions are its cards, shuffled (S1..S4)."""
    header, seat = game.header, message.seat
    points = check_certificate(header, seat, enter.certificate, "/certificate")
    digest = certificate_digest(enter.certificate)
    context = shuffle.context(
        header.game_bytes, seat, header.players[seat].key, digest, header.anchor, enter.anchor
    )
    statement = b"".join((context, *points, *enter.positions, enter.proof))
    proof = ClaimedEquations(
        lambda: shuffle.equations(context, points, enter.positions, enter.proof),
        partial(bad_proof, "shuffle"),
    )
    checks.claims("shuffle", statement, [proof])
    deck = shuffle.match_deck_digest(digest, enter.positions, enter.anchor)
    return Entered(enter.anchor, MatchDeck(digest, enter.positions, deck))


def _link(game: Game, message: Message, link: Link) -> Link:
    """Check that the link is the next of the seat's chain: hashed k - j times, it gives the newest known."""
    text = f"the next deal is {game.deals + 1}"
    need(link.deal == game.deals + 1, "wrong_deal", text, "/deal", "protocol 7")
    _leads(game, message.seat, link.link)
    return link


def _leads(game: Game, seat: int, link: bytes) -> None:
    """Check that `link` is the seat's link for the next deal."""
    number, known = game.seat(seat).newest
    # A link that came early is known before its deal, so the seat may send the same link again.
    again = number == game.deals + 1
    held = link == known if again else leads(link, game.deals + 1, known, number)
    need(held, "wrong_link", "the link does not lead to this seat's newest known link", "/link", "protocol 7")


def _move(game: Game, message: Message, body: MoveBody, checks: Checks) -> Moved:
    """Check that the rules allow the move, as far as the faces known here can tell, and else by its proof."""
    move, seat, step = body.move, message.seat, message.step
    need_legal(game.rules.legal(game.state, seat).refusal(move), "/move")
    shares = proofs.check_move(game, seat, step, move, body.shares, body.proof, checks)
    return Moved(move, game.rules.opens(move), shares)


def meal_context(game: Game, seat: int, step: int, packing: Packing) -> bytes:
    """The context ctx to which a meal proof is bound (protocol section 8)."""
    header = game.header
    return meal.context(
        header.game_bytes,
        step,
        seat,
        header.players[seat].key,
        header.set_digest,
        match_deck(game, seat).digest,
        packing.boxes,
        packing.hand,
    )


def hand_points(game: Game, seat: int, hand: Sequence[int]) -> tuple[bytes, ...]:
    """The points K_j of the cards in hand, which are given as positions in the match deck."""
    positions = match_deck(game, seat).positions
    return tuple(positions[index] for index in hand)


def _seal(game: Game, message: Message, seal: Seal, checks: Checks) -> Sealed:
    """Check that the sealed meal is legal, without learning it (M1..M3)."""
    packing = game.rules.packing(game.state, message.seat)
    size = bodies.proof_size(len(packing.hand), packing.boxes)
    text = f"a proof for this hand has {size} bytes"
    need(len(seal.proof) == size, "bad_length", text, "/proof", "protocol 8")
    context = meal_context(game, message.seat, message.step, packing)
    points = hand_points(game, message.seat, packing.hand)
    statement = b"".join((context, *points, seal.seal, seal.proof))
    proof = ClaimedEquations(
        lambda: meal.equations(context, points, packing.boxes, seal.seal, seal.proof),
        partial(bad_proof, "meal"),
    )
    checks.claims("meal", statement, [proof])
    return Sealed(
        step=message.step,
        hand=packing.hand,
        boxes=packing.boxes,
        seal=seal.seal,
        fingerprint=meal.fingerprint(context, seal.seal, seal.proof),
        envelope=seal.envelope is not None,
    )


def _known(game: Game, reveal: Reveal) -> list[Card]:
    """The cards that a reveal opens, up to the first that is not in play."""
    cards: list[Card] = []
    for opening in reveal.openings:
        card = game.header.cards.get(opening.number)
        if card is None:
            break
        cards.append(card)
    return cards


def _opens_card(i: int, point: bytes, card: Card, opening: Opening) -> ClaimedEquations:
    """The claim that opening `i` of a reveal opens its point to this card."""
    return ClaimedEquations(
        lambda: meal.opening_of_card(point, card.vector, opening.blinding),
        lambda why: Refused(
            "wrong_opening", "the opening does not open this position", f"/openings/{i}", "protocol 9"
        ),
    )


def _opens_seal(
    sealed: Sealed, boxes: Sequence[int], cards: Sequence[Card], blinding: int
) -> ClaimedEquations:
    """The claim that the seal holds this choice; `cards` are the cards used, in the order of the hand."""
    recipes = [0] * sealed.boxes
    for box, card in zip((box for box in boxes if box), cards, strict=True):
        recipes[box - 1] += card.is_recipe
    return ClaimedEquations(
        lambda: meal.opening_of_seal(sealed.seal, boxes, recipes, sealed.boxes, blinding),
        lambda why: Refused("wrong_reveal", "the choice is not what was sealed", "/choice", "protocol 9"),
    )


def _opened(
    game: Game, message: Message, reveal: Reveal, sealed: Sealed, checks: Checks
) -> dict[Position, Face]:
    """Check the openings of a reveal, and return the faces of its cards.

    Section 9 of the protocol requires B = Com(b; r_B) for the bits of the choice, and
    K_i = Card(vector; blinding) for each card used.
    """
    seat, packing = message.seat, Packing(sealed.hand, sealed.boxes)
    with by_the_rules("/choice"):
        boxes = game.rules.fill(packing, reveal.choice)
    used = [index for index, box in zip(sealed.hand, boxes, strict=True) if box]
    given = [opening.position for opening in reveal.openings]
    text = "the openings must open exactly the cards used, ascending"
    need(given == used, "wrong_openings", text, "/openings", "protocol 9")
    points = hand_points(game, seat, used)
    cards = _known(game, reveal)
    claims = [
        _opens_card(i, *claim) for i, claim in enumerate(zip(points, cards, reveal.openings, strict=False))
    ]
    if len(cards) == len(used):
        claims.append(_opens_seal(sealed, boxes, cards, reveal.blinding))
    checks.claims("reveal", b"".join((message.digest, sealed.fingerprint, *points)), claims)
    at = f"/openings/{len(cards)}/number"
    need(
        len(cards) == len(used), "unknown_card", "there is no such card in the sets in play", at, "protocol 9"
    )
    return {own(seat, index): card for index, card in zip(used, cards, strict=True)}


def _reveal(game: Game, message: Message, reveal: Reveal, checks: Checks) -> Revealed:
    """Check that a reveal opens the seal of the running step, and that the rules allow the choice."""
    faces = _opened(game, message, reveal, seal_of(game, message.seat), checks)
    if reveal.link is not None:
        _leads(game, message.seat, reveal.link)
    state = game.state.knowing(faces)
    need_legal(game.rules.legal(state, message.seat).refusal(reveal.choice), "/choice")
    return Revealed(reveal.choice, faces, reveal.link)


def _reveal_late(
    game: Game, message: Message, reveal: Reveal, sealed: Sealed, checks: Checks
) -> RevealedLate:
    """Check that an overdue reveal opens the seal it belongs to, and brings no link."""
    faces = _opened(game, message, reveal, sealed, checks)
    text = "an overdue reveal brings no link"
    need(reveal.link is None, "link_not_due", text, "/link", "protocol 7")
    return RevealedLate(reveal.choice, faces)


def _judge(game: Game, message: Message, body: Body | TableBody, checks: Checks) -> Passed:
    """Check rules and proof, by the kind of message."""
    match body:
        case Enter(anchor):
            return Entered(anchor)
        case EnterWithDeck():
            return _enter_with_deck(game, message, body, checks)
        case Link():
            return _link(game, message, body)
        case MoveBody():
            return _move(game, message, body, checks)
        case Seal():
            return _seal(game, message, body, checks)
        case Reveal():
            late = owed(game, message)
            if late is not None:
                return _reveal_late(game, message, body, late, checks)
            return _reveal(game, message, body, checks)
        case Ready() | Resign() | DrawOffer():
            return body
        case _:
            return proofs.check(game, message.seat, message.step, body, checks)


def examine(game: Game, message: Message, checks: Checks, arrival: int | None = None) -> Passed:
    """Apply all checks to a message; raises `Refused` at the first check that fails.

    `arrival` is when the message came, in milliseconds since 1970. It is None for a message
    that waited, beside the record or for its turn: its receipt states when it came.
    """
    body = _shape(game, message)
    need(message.seat in game.header.seats, "no_such_seat", "there is no such seat", "/seat")
    asking = _step(game, message)
    if arrival is not None and asking is not None:
        timely = arrival <= asking.deadline_of(message.seat)
        need(timely, "too_late", "your time for this step is up", "/step", "protocol 10")
    key = game.header.players[message.seat].key
    signed = checks.signature(key, message.digest, message.signature)
    need(signed, "bad_signature", "the message is not signed by this seat's key", "/signature", "protocol 10")
    _seen(game, message)
    return _judge(game, message, body, checks)
