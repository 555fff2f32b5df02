"""What a party sends at a table without a dealer, from its secrets: the house as much as a seat.

Secrets follow from the match secret and the entry that asked (protocol section 20.11), so a program that
comes back makes the same lock and the same mix again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cards.games.contract import CardsAndTraits, Face, Move, Position
from crypto import linear, lock, mix
from crypto.encoding import b64
from crypto.lock import HOUSE
from crypto.secret import MatchSecret
from referee.dealerless.masked import MaskedPack, cards_in_play, deck_of
from referee.dealerless.proofs import (
    Part,
    context,
    of_move,
    parts_of,
    sought,
    to_share,
    to_unlock,
)
from referee.game import Game, attempt_of, pack_of

Body = dict[str, Any]
"""A message's body without `seen`."""


@dataclass(frozen=True)
class Sender:
    """A party and its secrets."""

    party: int
    """The seat, or 255 for the house."""
    secret: MatchSecret = field(repr=False)
    """The secret of its newest lock."""
    fresh: bytes = field(repr=False)
    """32 random bytes for the masks of the next proof."""
    older: Mapping[bytes, MatchSecret] = field(default_factory=dict, repr=False)
    """The secrets of its older locks, where they are others, by the entry that asked for the lock."""

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
                dealt = (Part(attempt_of(game).pack, to_share(game, self.party)),)
                return {"shares": "", **self._shown(game, step, "share", dealt, {})}
        return self._unlock(game, step)

    def secret_of(self, pack: MaskedPack) -> MatchSecret:
        """The secret of this party's lock on a pack."""
        return self.older.get(pack.asked, self.secret)

    def key(self, pack: MaskedPack) -> int:
        """x, the key of this party's lock on a pack."""
        return self.secret_of(pack).lock_key(pack.asked)

    def hand(self, game: Game, known: Mapping[Position, Face] | None = None) -> dict[Position, Face]:
        """The faces of the cards that this party alone locks; none without its own lock on their pack.

        `known` are those that were read before.
        """
        playing, found = cards_in_play(game.masked), dict(known or {})
        for pack in () if playing is None else playing.packs:
            mine = [p for p in pack.positions if p not in found and pack.lockers(p) == {self.party}]
            key = self.key(pack)
            if not mine or pack.locks[self.party] != lock.lock(key):
                continue
            faces = deck_of(game.rules, pack.pack).faces
            points = {p: lock.less(pack.under(p), [lock.share(key, pack.at(p).a)]) for p in mine}
            found |= {p: faces[point] for p, point in points.items() if point in faces}
        return found

    def move(self, game: Game, step: int, move: Move, hand: Mapping[Position, Face]) -> Body:
        """The body of a move, with what it must show (protocol section 20.8).

        `hand` has the faces of the party's own cards. Raises `ProofError` for a move that the rules forbid.
        """
        due, body = of_move(game, self.party, move), Body(move=move)
        return {**body, **self._shown(game, step, "move", due.parts, hand)} if due.parts else body

    def _lock(self, game: Game, step: int) -> Body:
        key = self.key(pack_of(game))
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

    def _unlock(self, game: Game, step: int) -> Body:
        traits, mine = sought(game), to_unlock(game, self.party)
        if not traits or self.party == HOUSE:
            return self._shown(game, step, "unlock", parts_of(game, mine), {})
        hand = self.hand(game)
        found = [p for p in mine if traits & game.rules.has(hand[p])]
        said = None if found else CardsAndTraits(frozenset(mine), traits)
        return {"positions": found, **self._shown(game, step, "unlock", parts_of(game, found, said), hand)}

    def _shown(
        self, game: Game, step: int, kind: str, parts: Sequence[Part], hand: Mapping[Position, Face]
    ) -> Body:
        """The shares of what is opened, if anything is, and the linear proof of each part.

        `hand` has the faces of the cards that are claimed about.
        """
        shares: dict[Position, bytes] = {}
        proof = b""
        for part in parts:
            key, mode = self.key(part.pack), game.rules
            shares |= {p: lock.share(key, part.pack.at(p).a) for p in part.opened}
            numbers = deck_of(mode, part.pack.pack).numbers
            cards = [(numbers[hand[p]], mode.has(hand[p])) for p in part.claimed]
            statement, secret = part.statement(self.party, shares), linear.witness(key, part.claim, cards)
            ctx = context(game, self.party, step, kind, part.pack.deal)
            proof += linear.prove(ctx, statement, secret, self.secret_of(part.pack).masks(self.fresh))
        return {**({"shares": b64(lock.joined(shares.values()))} if shares else {}), "proof": b64(proof)}
