"""What a party sends at a table without a dealer, from its secrets: the house as much as a seat.

Secrets follow from the match secret and the entry that asked (protocol section 20.11), so a program that
comes back makes the same lock and the same mix again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cards.games.contract import CardsAndTraits, Face, Move, Position
from crypto import linear, lock, mix
from crypto.encoding import b64
from crypto.lock import HOUSE
from crypto.secret import MatchSecret
from referee.dealerless.masked import InPlay, deck_of
from referee.dealerless.proofs import (
    attempt_of,
    claim_about,
    context,
    face_under,
    of_move,
    pack_of,
    sought,
    to_share,
    to_unlock,
)
from referee.game import Game

Body = dict[str, Any]
"""A message's body without `seen`."""


@dataclass(frozen=True)
class Sender:
    """A party and its secrets."""

    party: int
    """The seat, or 255 for the house."""
    secret: MatchSecret = field(repr=False)
    fresh: bytes = field(repr=False)
    """32 random bytes for the masks of the next proof."""

    def body(self, game: Game, kind: str, step: int, asked: bytes) -> Body:
        """The body of a lock, mix, share or unlock that is due in `step`.

        `asked` is the digest of the entry that asked the step; for the house, of the entry before its own.
        """
        match kind:
            case "lock":
                return self._lock(game, step)
            case "mix":
                return self._mix(game, step, asked)
            case "share":
                return self._shares(game, step, "share", to_share(game, self.party))
        return self._unlock(game, step)

    def key(self, game: Game) -> int:
        """x, the key of this party's lock on the pack."""
        return self.secret.lock_key(pack_of(game).asked)

    def hand(self, game: Game) -> dict[Position, Face]:
        """The faces of the cards that this party alone locks; none without its own lock on the pack."""
        if not isinstance(game.masked, InPlay):
            return {}
        pack, key = game.masked.pack, self.key(game)
        if pack.locks.get(self.party) != lock.lock(key):
            return {}
        mine = [p for p in pack.positions if pack.lockers(p) == {self.party}]
        faces = {p: face_under(game, p, lock.share(key, pack.at(p).a)) for p in mine}
        return {p: face for p, face in faces.items() if face is not None}

    def move(self, game: Game, step: int, move: Move, hand: Mapping[Position, Face]) -> Body:
        """The body of a move, with what it must show (protocol section 20.8).

        `hand` has the faces of the party's own cards. Raises `ProofError` for a move that the rules forbid.
        """
        due, body = of_move(game, self.party, move), Body(move=move)
        if not due.opened and due.claim is None:
            return body
        pairs = self._pairs(game, due.opened)
        if pairs:
            body["shares"] = _points(pairs)
        proof = self._linear(game, step, "move", pairs, due.claim, [hand[p] for p in due.claimed])
        return {**body, "proof": proof}

    def _lock(self, game: Game, step: int) -> Body:
        key = self.key(game)
        statement = linear.Statement(lock.lock(key))
        proof = linear.prove(
            context(game, self.party, step, "lock"),
            statement,
            linear.Witness(key),
            self.secret.masks(self.fresh),
        )
        return {"deal": pack_of(game).deal, "lock": b64(statement.lock), "proof": b64(proof)}

    def _mix(self, game: Game, step: int, asked: bytes) -> Body:
        pack = attempt_of(game).pack
        before = pack.to_mix(game.rules)
        order = self.secret.mix_permutation(asked, len(before))
        blindings = [self.secret.mix_blinding(asked, i) for i in range(len(before))]
        after = mix.mixed(pack.joint, before, order, blindings)
        ctx, masks = context(game, self.party, step, "mix"), self.secret.masks(self.fresh)
        proof = mix.prove(ctx, pack.joint, before, after, order, blindings, masks)
        return {"pack": b64(lock.pack_bytes(after)), "proof": b64(proof)}

    def _shares(self, game: Game, step: int, kind: str, positions: Sequence[Position]) -> Body:
        pairs = self._pairs(game, positions)
        return {"shares": _points(pairs), "proof": self._linear(game, step, kind, pairs, None, ())}

    def _unlock(self, game: Game, step: int) -> Body:
        seek, mine = sought(game), to_unlock(game, self.party)
        if seek is None or self.party == HOUSE:
            return self._shares(game, step, "unlock", mine)
        hand, mode = self.hand(game), game.rules
        found = [p for p in mine if seek.traits & mode.has(hand[p])]
        if found:
            return {"positions": found, **self._shares(game, step, "unlock", found)}
        _, claim = claim_about(game, CardsAndTraits(frozenset(mine), seek.traits))
        proof = self._linear(game, step, "unlock", [], claim, [hand[p] for p in mine])
        return {"positions": [], "proof": proof}

    def _pairs(self, game: Game, positions: Iterable[Position]) -> list[tuple[bytes, bytes]]:
        """a_p and this party's share of it, for each position."""
        pack, key = pack_of(game), self.key(game)
        return [(pack.at(p).a, lock.share(key, pack.at(p).a)) for p in positions]

    def _linear(
        self,
        game: Game,
        step: int,
        kind: str,
        pairs: Sequence[tuple[bytes, bytes]],
        claim: linear.Claim | None,
        faces: Sequence[Face],
    ) -> str:
        """The linear proof of shares and, if there is one, of a claim about cards with these faces."""
        pack, mode = pack_of(game), game.rules
        numbers = deck_of(mode, pack.pack).numbers
        cards = [(numbers[face], mode.has(face)) for face in faces]
        secret = linear.witness(self.key(game), claim, cards)
        statement = linear.Statement(pack.locks[self.party], pairs, claim)
        ctx = context(game, self.party, step, kind)
        return b64(linear.prove(ctx, statement, secret, self.secret.masks(self.fresh)))


def _points(pairs: Sequence[tuple[bytes, bytes]]) -> str:
    return b64(lock.joined(share for _, share in pairs))
