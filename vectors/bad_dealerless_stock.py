"""Entries that a verifier must refuse where cards come from the stock and nobody deals (protocol 20.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cards.games.contract import CardsAndTraits
from crypto import linear, lock
from crypto.encoding import b64, unb64
from referee.dealerless.masked import deck_of
from referee.dealerless.proofs import Part, context, of_move, parts_of, sought, to_unlock
from referee.dealerless.sending import Sender
from referee.dealerless.unlocking import due
from referee.game import Game
from vectors.dealerless_place import BIG_C, FLIP, ExamplePlace
from vectors.example import NO_FRESH, Vector

SECTION = "protocol 20.8"
LINEAR = 128
"""Bytes of a proof of shares without a claim."""


def sender(own: ExamplePlace, seat: int) -> Sender:
    """A seat of a record as the sender of its own messages."""
    return Sender(seat, own.secret(seat), NO_FRESH)


def drawn() -> ExamplePlace:
    """In flip: the unlock of a card that another seat is taking."""

    def wanted(own: ExamplePlace) -> bool:
        found = due(own.game)
        return found is not None and bool(found.keepers)

    return ExamplePlace.before(FLIP, wanted, "unlock")


def taken(shown: bool) -> ExamplePlace:
    """In flip: the answer of a seat that takes a card that fits, or that does not."""

    def wanted(own: ExamplePlace) -> bool:
        body = own.real.body
        return "positions" in body and bool(body["positions"]) == shown

    return ExamplePlace.before(FLIP, wanted, "unlock")


def of_two_deals() -> ExamplePlace:
    """In Big C: a hand of cards from two deals."""
    return ExamplePlace.before(BIG_C, lambda own: len(_parts(own.game, own.seat, own.real.body["move"])) > 1)


def _parts(game: Game, seat: int, move: dict[str, Any]) -> tuple[Part, ...]:
    return of_move(game, seat, move).parts


def _drawing() -> Iterator[Vector]:
    own = drawn()
    (position,) = to_unlock(own.game, own.seat)
    key, mine = own.key(own.seat), min(own.hand(own.seat))
    next_one, due_one, own_card = own.pairs([position + 1, position, mine], key)

    def said(name: str, why: str, pair: tuple[bytes, bytes]) -> Vector:
        proof = own.prove(own.seat, "unlock", linear.Statement(lock.lock(key), [pair]))
        return own.vector(f"draw_{name}", why, own.again(shares=b64(pair[1]), proof=proof), SECTION)

    yield said("of_the_next_card", "the share of the next card of the pile with its proof", next_one)
    false = due_one[0], own_card[1]
    yield said("of_a_card_of_its_own", "the share of a card of its own hand", false)
    mover = own.game.state.board.mover
    pairs = own.pairs([position], own.key(mover))
    statement = linear.Statement(lock.lock(own.key(mover)), pairs)
    body = {"shares": b64(pairs[0][1]), "proof": own.prove(mover, "unlock", statement)}
    yield own.vector(
        "draw_own_share",
        "the drawer's own share, which would open the card",
        own.said(mover, "unlock", body),
        SECTION,
    )


def _taking() -> Iterator[Vector]:
    own = taken(shown=True)
    game, seat = own.game, own.seat
    (position,) = own.real.body["positions"]
    hand = sender(own, seat).hand(game)
    (part,) = parts_of(game, (), CardsAndTraits(frozenset({position}), sought(game)))
    assert part.claim is not None
    number = deck_of(game.rules, part.pack.pack).numbers[hand[position]]
    counts = [0 for _ in part.claim.others]
    denied = own.prove(seat, "unlock", part.statement(seat, {}), number=number, counts=counts)
    body = {"positions": [], "proof": denied}
    yield own.vector("take_denied", "the card fits", own.said(seat, "unlock", body), SECTION)
    mode = game.rules
    other = next(p for p in sorted(hand) if p != position)
    shown = sender(own, seat)._shown(game, game.step, "unlock", parts_of(game, (other,)), {})
    yield own.vector(
        "take_another_card",
        "a card of the hand",
        own.said(seat, "unlock", {"positions": [other], **shown}),
        SECTION,
    )
    kept = taken(shown=False)
    (position,) = to_unlock(kept.game, kept.seat)
    assert not mode.has(sender(kept, kept.seat).hand(kept.game)[position]) & sought(kept.game)
    parts = parts_of(kept.game, (position,))
    shown = sender(kept, kept.seat)._shown(kept.game, kept.game.step, "unlock", parts, {})
    yield kept.vector(
        "take_what_does_not_fit",
        "the card fits nowhere",
        kept.said(kept.seat, "unlock", {"positions": [position], **shown}),
        SECTION,
    )


def _adding() -> Iterator[Vector]:
    own = of_two_deals()
    game, seat, body = own.game, own.seat, own.real.body
    proof = unb64(body["proof"])
    first, second = proof[:LINEAR], proof[LINEAR:]
    assert len(second) == LINEAR

    def said(name: str, why: str, forged: bytes) -> Vector:
        return own.vector(f"added_{name}", why, own.again(proof=b64(forged)), SECTION)

    yield said("one_proof", "no proof for the cards that were added", first)
    yield said("exchanged", "the two proofs are exchanged", second + first)
    yield said("twice_the_first", "the first proof stands in the place of the second", first + first)
    old, new = _parts(game, seat, body["move"])

    def prove(part: Part) -> bytes:
        """The proof of a part under the number of the older deal."""
        key = own.secret(seat).lock_key(part.pack.asked)
        shares = {p: lock.share(key, part.pack.at(p).a) for p in part.opened}
        ctx = context(game, seat, game.step, "move", old.pack.deal)
        masks = own.secret(seat).masks(NO_FRESH)
        return linear.prove(ctx, part.statement(seat, shares), linear.Witness(key), masks)

    yield said("other_deal", "the second proof is for the deal of the first", prove(old) + prove(new))


STOCK: dict[str, Callable[[], Iterator[Vector]]] = {"draw": _drawing, "take": _taking, "added": _adding}
