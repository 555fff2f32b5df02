"""A player's seat: it builds every message from the verified game and the player's secrets.

It is pure: what must be kept from a seal to its reveal (`SealedChoice`) goes back to the caller.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from cards.catalog.cards import Card
from cards.games.contract import Face, Move, Packing, own
from crypto import certificate, envelope, lock, meal, shuffle
from crypto.encoding import b64, canonical, unb64
from crypto.group import ORDER, encode_scalar
from crypto.secret import Masks, MatchSecret
from referee.certificate import certificate_digest, owner_checks
from referee.dealerless.masked import cards_in_play
from referee.dealerless.sending import Sender
from referee.envelopes import reveal_bytes
from referee.errors import Refused
from referee.game import Game, Sealed
from referee.message import Message, write_message
from referee.validation import hand_points, meal_context


@dataclass(frozen=True, slots=True)
class SealedChoice:
    """The secrets that a chef keeps from a seal to its reveal: the choice, and the source of its masks."""

    step: int
    """The step of the seal."""
    choice: Move
    fresh: bytes
    """32 random bytes that went into the seal's masks."""

    def json(self) -> dict[str, Any]:
        """Return it as JSON, for the player's vault."""
        return {"step": self.step, "choice": self.choice, "fresh": b64(self.fresh)}

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> SealedChoice:
        """Read it from its JSON."""
        return cls(data["step"], dict(data["choice"]), unb64(data["fresh"], 32))


def _enclose(game: Game, context: bytes, seal: bytes, reveal: Message) -> bytes:
    """Encrypt a complete reveal to the house (protocol section 11). Raises `Refused` no_envelopes."""
    key = game.header.envelope_key
    if key is None:
        raise Refused("no_envelopes", "this game has no envelope key", "/envelope", "protocol 11")
    return envelope.seal(key, context, seal, reveal_bytes(reveal))


@dataclass(frozen=True)
class OwnSeat:
    """Our own seat at a game: its number, our secrets, and our deck if the mode has own decks."""

    number: int
    private: bytes
    """Our Ed25519 private key, 32 bytes."""
    match_secret: bytes
    """32 random bytes, fresh for every game (protocol section 12)."""
    deck: tuple[Card, ...] = ()
    """The 40 cards by number; empty with a house pack."""

    def __repr__(self) -> str:
        return f"OwnSeat({self.number})"

    fresh: Callable[[], bytes] = field(default=lambda: secrets.token_bytes(32), repr=False)
    """Draws the 32 random bytes of the masks of a lock's, mix's, share's, unlock's or move's proof."""
    lock_fresh: bytes | None = field(default=None, repr=False)
    """The random bytes of our newest lock; None for a seat that draws none (protocol section 20.11)."""
    older_locks: Mapping[bytes, bytes] = field(default_factory=dict, repr=False)
    """The random bytes of our locks on older cards in play, by the entry that asked for the lock."""
    _own_locks: dict[bytes, bytes] = field(default_factory=dict, repr=False, compare=False)
    """Our locks, by the entry that asked for each."""
    _hand: dict[bytes, dict[int, Face]] = field(default_factory=dict, repr=False, compare=False)
    """The cards that we have read, by the entry that asked for the locks of the oldest deal in play."""

    @cached_property
    def secret(self) -> MatchSecret:
        """The secrets that are derived from the match secret: chain, permutation, blindings."""
        return MatchSecret(self.match_secret)

    @cached_property
    def faces(self) -> Mapping[int, Face]:
        """The faces of our own deck, by position in a state: position i holds card pi(i)."""
        if not self.deck:
            return {}
        return {own(self.number, i): self.deck[j] for i, j in enumerate(self.secret.permutation)}

    def _message(self, game: Game, step: int, kind: str, body: Mapping[str, Any]) -> Message:
        seen = {"seq": game.seq, "digest": b64(game.digest)}
        return write_message(self.private, game.header.game, step, self.number, kind, {**body, "seen": seen})

    def enter(self, game: Game, house_certificate: Mapping[str, Any] | None = None) -> Message:
        """Enter the game with the chain's anchor and, with an own deck, the match deck and its shuffle proof.

        The certificate is checked card by card first. Raises `Refused` if it is not of our deck.
        """
        anchor = self.secret.chain.anchor
        body: dict[str, Any] = {"anchor": b64(anchor)}
        if house_certificate is not None:
            seed = self.secret.certificate_seed
            points = owner_checks(game.header, self.number, house_certificate, self.deck, seed)
            digest = certificate_digest(house_certificate)
            permutation = self.secret.permutation
            blindings = [self.secret.position_blinding(i) for i in range(len(permutation))]
            positions = shuffle.positions(points, permutation, blindings)
            header = game.header
            key = header.players[self.number].key
            context = shuffle.context(header.game_bytes, self.number, key, digest, header.anchor, anchor)
            witness = canonical(list(permutation))
            masks = Masks(self.match_secret, context, witness, secrets.token_bytes(32))
            proof = shuffle.prove(context, points, positions, permutation, blindings, masks)
            body |= {
                "certificate": dict(house_certificate),
                "positions": [b64(point) for point in positions],
                "proof": b64(proof),
            }
        return self._message(game, game.step, "enter", body)

    def ready(self, game: Game) -> Message:
        """Say that we are ready to play."""
        return self._message(game, game.step, "ready", {})

    def link(self, game: Game) -> Message:
        """Show the chain link of the next deal. It is asked for once no choice before that deal is left."""
        deal = game.deals + 1
        return self._message(
            game, game.step, "link", {"deal": deal, "link": b64(self.secret.chain.link(deal))}
        )

    def move(self, game: Game, move: Move) -> Message:
        """Make an open move. Where nobody deals, it shows the cards that it opens, and proves its claim.

        Raises `ProofError` for a claim that is false.
        """
        if game.header.dealerless:
            body = self._sender().move(game, game.step, move, self.hand(game))
            return self._message(game, game.step, "move", body)
        return self._message(game, game.step, "move", {"move": move})

    def with_lock(self, fresh: bytes, older: Mapping[bytes, bytes] | None = None) -> OwnSeat:
        """This seat, whose newest lock has these random bytes; `older` are those of locks before it."""
        if fresh == self.lock_fresh and (older or {}) == self.older_locks:
            return self
        return replace(self, lock_fresh=fresh, older_locks=dict(older or {}), _own_locks={}, _hand={})

    def own_lock(self, asked: bytes) -> bytes:
        """The lock that we put on the pack for which the entry with this digest asked."""
        if asked not in self._own_locks:
            fresh = self.older_locks.get(asked, self.lock_fresh)
            self._own_locks[asked] = lock.lock(self._lock_secret(fresh).lock_key(asked))
        return self._own_locks[asked]

    def _lock_secret(self, fresh: bytes | None) -> MatchSecret:
        return self.secret if fresh is None else self.secret.of_lock(fresh)

    def _sender(self) -> Sender:
        older = {asked: self._lock_secret(fresh) for asked, fresh in self.older_locks.items()}
        return Sender(self.number, self._lock_secret(self.lock_fresh), self.fresh(), older)

    def hand(self, game: Game) -> Mapping[int, Face]:
        """The faces of our own cards at a table without a dealer, which nobody else can read."""
        playing = cards_in_play(game.masked)
        if playing is None:
            return {}
        first = playing.packs[0].asked
        if first not in self._hand:
            self._hand.clear()
            self._own_locks.clear()
        ours = [pack for pack in playing.packs if pack.locks.get(self.number) == self.own_lock(pack.asked)]
        known = self._hand.setdefault(first, {})
        alone = {self.number}
        if any(p not in known and pack.lockers(p) == alone for pack in ours for p in pack.positions):
            self._hand[first] = known = self._sender().hand(game, known)
        return known

    def party(self, game: Game, kind: str) -> Message:
        """Send the lock, mix, share or unlock that is asked of us where nobody deals."""
        asking = game.asking
        if asking is None:
            raise ValueError("no step runs")
        asked = dict(game.recent)[asking.opened]
        return self._message(game, game.step, kind, self._sender().body(game, kind, game.step, asked))

    def _blinding(self, position: int) -> int:
        """The scalar s_pi(i) + t_i, which opens position i of the match deck."""
        s = certificate.blinding(self.secret.certificate_seed, self.secret.permutation[position])
        return (s + self.secret.position_blinding(position)) % ORDER

    def _masks(self, context: bytes, choice: Move, fresh: bytes) -> Masks:
        return Masks(self.match_secret, context, canonical(choice), fresh)

    def seal(
        self, game: Game, choice: Move, fresh: bytes | None = None, envelope: bool = False
    ) -> tuple[Message, SealedChoice]:
        """Seal a choice; returns the message, and what the reveal will need.

        `fresh` are 32 random bytes for the masks; the same bytes make the same seal again. With `envelope`
        the reveal is enclosed, so that the house can reveal in time for us (protocol section 11). The house
        can then read the meal early.
        Raises `IllegalMove` for an illegal choice, `Refused` if the game has no envelope key.
        """
        fresh = secrets.token_bytes(32) if fresh is None else fresh
        packing = game.rules.packing(game.state, self.number)
        boxes = game.rules.fill(packing, choice)
        context = meal_context(game, self.number, game.step, packing)
        masks = self._masks(context, choice, fresh)
        sealed = meal.prove(
            context,
            hand_points(game, self.number, packing.hand),
            [self.faces[own(self.number, index)].vector for index in packing.hand],
            [self._blinding(index) for index in packing.hand],
            boxes,
            packing.boxes,
            masks,
        )
        masks.even_out()
        body = {"seal": b64(sealed.seal), "proof": b64(sealed.proof)}
        if envelope:
            reveal = self._reveal(game, game.step, packing, choice, sealed.blinding)
            body["envelope"] = b64(_enclose(game, context, sealed.seal, reveal))
        return self._message(game, game.step, "seal", body), SealedChoice(game.step, choice, fresh)

    def _seal_blinding(self, game: Game, sealed: Sealed, kept: SealedChoice) -> int:
        """The seal's blinding r_B (protocol section 12).

        It is the mask after the m * C masks a_{j,c} and the C masks e_c.
        """
        packing = Packing(sealed.hand, sealed.boxes)
        context = meal_context(game, self.number, sealed.step, packing)
        index = len(sealed.hand) * sealed.boxes + sealed.boxes
        return self._masks(context, kept.choice, kept.fresh).mask(index)

    def reveal(self, game: Game, kept: SealedChoice) -> Message:
        """Open our seal, in the step that runs or, if the reveal is owed, after it.

        Raises ValueError if `kept` is not the choice of the seal that is to be opened.
        """
        state = game.seat(self.number)
        sealed = state.owed or state.sealed
        if sealed is None or sealed.step != kept.step:
            raise ValueError(f"no seal of step {kept.step} waits to be opened")
        packing = Packing(sealed.hand, sealed.boxes)
        blinding = self._seal_blinding(game, sealed, kept)
        return self._reveal(game, sealed.step, packing, kept.choice, blinding, owed=state.owed is not None)

    def _reveal(
        self, game: Game, step: int, packing: Packing, choice: Move, blinding: int, owed: bool = False
    ) -> Message:
        boxes = game.rules.fill(packing, choice)
        used = [index for index, box in zip(packing.hand, boxes, strict=True) if box]
        # For the whole hand, so that the time of an enclosed reveal tells less about the number of openings.
        blindings = {index: self._blinding(index) for index in packing.hand}
        body: dict[str, Any] = {
            "choice": choice,
            "blinding": b64(encode_scalar(blinding)),
            "openings": [
                {
                    "position": index,
                    "number": self.faces[own(self.number, index)].number,
                    "blinding": b64(encode_scalar(blindings[index])),
                }
                for index in used
            ],
        }
        if game.header.early_links:
            body["link"] = None if owed else b64(self.secret.chain.link(game.deals + 1))
        return self._message(game, step, "reveal", body)

    def resign(self, game: Game) -> Message:
        """Resign the game."""
        return self._message(game, game.step, "resign", {})

    def offer_draw(self, game: Game) -> Message:
        """Offer a draw, or agree to one."""
        return self._message(game, game.step, "draw", {})
