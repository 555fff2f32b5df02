"""A place in a published record without a dealer, and what its parties could forge there.

False proofs are what the honest prover's code gives for false statements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from cards.games.contract import Face, Move, Position
from crypto import linear, lock
from crypto.encoding import b64, unb64
from crypto.lock import HOUSE
from crypto.secret import MatchSecret
from referee.dealerless.masked import deck_of
from referee.dealerless.proofs import context, pairs_at
from referee.dealerless.sending import Sender
from referee.game import pack_of
from referee.record import HOUSE as HOUSE_ACTOR
from vectors.bad_entries import Cut
from vectors.dealerless import GAMES, HOUSE_SECRET
from vectors.example import NO_FRESH
from vectors.matches import MATCH_SECRETS

Body = dict[str, Any]
HEARTS, CRIBBAGE, FLIP, BIG_C = GAMES
"""The names of the records."""


def flipped(text: str, at: int = -5) -> str:
    """The same bytes but for one bit."""
    data = bytearray(unb64(text))
    data[at] ^= 1
    return b64(bytes(data))


class ExamplePlace(Cut):
    """A place in one of the records, with every secret of every party."""

    def __init__(self, record: str, kind: str, actor: str, nth: int = 0) -> None:
        """The place before the entry of this kind and actor; `nth` counts such entries from 0."""
        entries = GAMES[record]().table.entries
        found = [entry.seq for entry in entries if (entry.kind, entry.actor) == (kind, actor)]
        super().__init__(record, found[nth])

    @classmethod
    def before(cls, record: str, wanted: Callable[[ExamplePlace], bool], kind: str = "move") -> ExamplePlace:
        """The place before the first entry of a kind, by a seat, that is wanted."""
        entries = GAMES[record]().table.entries
        for actor, nth in _numbered(e.actor for e in entries if e.kind == kind and e.actor != HOUSE_ACTOR):
            place = cls(record, kind, actor, nth)
            if wanted(place):
                return place
        raise LookupError("the game has no such entry")

    @property
    def seat(self) -> int:
        """The seat whose entry came next."""
        return int(self.real.actor)

    @property
    def led(self) -> str:
        """The suit that is led in hearts; empty where none is."""
        trick = self.game.state.board.trick
        return self.game.state.faces[trick[0]][-1] if trick else ""

    def secret(self, party: int) -> MatchSecret:
        """The secrets of a seat or of the house."""
        return MatchSecret(HOUSE_SECRET if party == HOUSE else MATCH_SECRETS[party])

    def key(self, party: int) -> int:
        """x, the key of this party's lock in the deal that is made or played."""
        return self.secret(party).lock_key(pack_of(self.game).asked)

    def hand(self, seat: int) -> dict[Position, Face]:
        """The faces of a seat's hidden cards."""
        pack, key = pack_of(self.game), self.key(seat)
        faces = deck_of(self.game.rules, pack.pack).faces
        mine = [p for p in pack.positions if pack.lockers(p) == {seat}]
        return {p: faces[lock.less(pack.under(p), [lock.share(key, pack.at(p).a)])] for p in mine}

    def pairs(self, positions: Sequence[Position], key: int) -> list[tuple[bytes, bytes]]:
        """a_p and its share under a key, for each position."""
        points = [pack_of(self.game).at(p).a for p in positions]
        return [(a, lock.share(key, a)) for a in points]

    def claim(
        self, positions: Sequence[Position], lacking: Collection[str], faces: dict[Position, Face]
    ) -> tuple[linear.Claim, int, list[int]]:
        """A claim over some positions, and n and the f_t of these faces, whether it is true or not."""
        mode, pack = self.game.rules, pack_of(self.game)
        claim = linear.Claim(pairs_at(pack, positions), mode.facts.traits, lacking)
        numbers = deck_of(mode, pack.pack).numbers
        total = sum(numbers[faces[p]] for p in positions)
        return claim, total, [sum(t in mode.has(faces[p]) for p in positions) for t in claim.others]

    def honest(self, seat: int, move: Move) -> Body:
        """The body of a move as its player sends it."""
        sender = Sender(seat, self.secret(seat), NO_FRESH)
        return sender.move(self.game, self.game.step, move, self.hand(seat))

    def lock(self, party: int) -> Body:
        """The body of a party's own lock in the attempt that runs, with its proof."""
        statement = linear.Statement(lock.lock(self.key(party)))
        proof = self.prove(party, "lock", statement)
        return {"deal": pack_of(self.game).deal, "lock": b64(statement.lock), "proof": proof}

    def lacks(self, trait: str) -> bool:
        """True if the seat could play a card such that no other of its hand has this trait."""
        seat, mode = self.seat, self.game.rules
        hand = self.hand(seat)
        off = next((p for p in sorted(hand) if hand[p][-1] != self.led), None)
        return all(trait not in mode.has(face) for p, face in hand.items() if p != off)

    def prove(self, party: int, kind: str, statement: linear.Statement, **other: Any) -> str:
        """The linear proof of a statement; `other`: key, number, counts, step, by (another party)."""
        key = other.get("key", self.key(party))
        secret = linear.Witness(key, other.get("number", 0), other.get("counts", ()))
        step = other.get("step", self.game.step)
        ctx = context(self.game, other.get("by", party), step, other.get("as_kind", kind))
        return b64(linear.prove(ctx, statement, secret, self.secret(party).masks(NO_FRESH)))

    def shown(
        self, seat: int, move: Move, opened: Sequence[Position], claimed: Any = None, **other: Any
    ) -> Body:
        """The body of a move that opens positions; `claimed`: positions, traits that they lack, faces."""
        pairs = self.pairs(opened, other.get("key", self.key(seat)))
        claim, number, counts = (None, 0, []) if claimed is None else self.claim(*claimed)
        statement = linear.Statement(pack_of(self.game).locks[seat], pairs, claim)
        proof = self.prove(seat, "move", statement, **{"number": number, "counts": counts, **other})
        return {"move": move, "shares": b64(lock.joined(D for _, D in pairs)), "proof": proof}


def _numbered(actors: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each actor with the number of entries of its before this one."""
    seen = Counter[str]()
    for actor in actors:
        yield actor, seen[actor]
        seen[actor] += 1


@cache
def following() -> ExamplePlace:
    """In hearts: a card that follows suit, by a seat that has another of the suit, and one of another."""

    def wanted(place: ExamplePlace) -> bool:
        hand = place.hand(place.seat)
        suits = [face[-1] for face in hand.values()]
        plays = place.real.body["move"].get("play")
        follows = plays in hand and hand[plays][-1] == place.led
        lacks = any(place.lacks(trait) for trait in place.game.rules.facts.traits)
        return follows and suits.count(place.led) > 1 and len({*suits}) > 1 and lacks

    return ExamplePlace.before(HEARTS, wanted)


@cache
def exposed() -> ExamplePlace:
    """In hearts: a card, by a seat with an exposed and a hidden card of the suit that is led."""

    def wanted(place: ExamplePlace) -> bool:
        board, faces = place.game.state.board, place.game.state.faces
        front = any(faces[p][-1] == place.led for p in board.fronts[place.seat]) if board.trick else False
        return front and any(face[-1] == place.led for face in place.hand(place.seat).values())

    return ExamplePlace.before(HEARTS, wanted)


@cache
def lying_open() -> ExamplePlace:
    """In hearts: a card that follows suit out of an open hand, which has another suit as well."""

    def wanted(place: ExamplePlace) -> bool:
        board, faces = place.game.state.board, place.game.state.faces
        suits = {faces[p][-1] for p in board.hands[place.seat] if p in faces}
        held = all(p in faces for p in board.hands[place.seat])
        return bool(board.trick) and held and place.led in suits and len(suits) > 1

    return ExamplePlace.before(HEARTS, wanted)


@cache
def seeking(found: bool) -> ExamplePlace:
    """In hearts: the answer to a search of the seat that has the card, or of the first that has not."""
    return ExamplePlace.before(HEARTS, lambda place: bool(place.real.body["positions"]) == found, "unlock")


def forget() -> None:
    """Look for the places anew when they are asked for again."""
    for place in (following, exposed, lying_open, seeking):
        place.cache_clear()
