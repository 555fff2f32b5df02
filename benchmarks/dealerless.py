"""Figures of tables without a dealer: the mix of a pack, a card that is shown, and the record of a round."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from uuid import UUID

from benchmarks.chefs import elsewhere
from benchmarks.matches import START, PlayedMatch
from benchmarks.measure import Work, WorkPair
from benchmarks.products import MIX_POINTS, mix_terms, raw
from benchmarks.proofs import known
from bots import bots_for
from cards import games
from crypto import lock, mix
from crypto.encoding import unb64
from crypto.fairness import Chain
from crypto.group import ORDER, use
from crypto.identity import public_key
from crypto.lock import Pair
from crypto.secret import MatchSecret
from crypto.verifier import Sum, check
from player.bot import by_bot
from player.seat import OwnSeat
from referee import Entry, Game, Keeper, SeatedPlayer, apply, opening, verify_record
from referee.checks import AtOnce, ClaimedEquations, Trusting
from referee.dealerless.proofs import of_move
from referee.game import pack_of
from referee.record import parse_record, read_entry, record_bytes

CARDS = 52
MODE, BOT, SEATS = "hearts", "careful", 4
CARD_TERMS = 128
"""The terms of the product beside which a shown card is measured."""


@dataclass(frozen=True, slots=True)
class MixShown:
    """A mix and its proof, as validation gets them."""

    context: bytes
    joint_lock: bytes
    before: tuple[Pair, ...]
    after: tuple[Pair, ...]
    proof: bytes

    def holds(self) -> bool:
        """Verify the proof."""
        return all(check(mix.equations(self.context, self.joint_lock, self.before, self.after, self.proof)))


class Mixer:
    """A party that mixes a pack of 52 cards, which another party has mixed before."""

    def __init__(self) -> None:
        keys = [_scalar() for _ in range(SEATS)]
        self._joint_lock = lock.joint(map(lock.lock, keys))
        cards = [lock.card(number, ()) for number in range(1, CARDS + 1)]
        self._before = mix.mixed(self._joint_lock, lock.open_pack(cards, self._joint_lock), *_choices())
        self._secret = MatchSecret(secrets.token_bytes(32))

    def mix(self) -> MixShown:
        """Remask the pack in a new order, and prove it."""
        order, blindings = _choices()
        context, masks = secrets.token_bytes(64), self._secret.masks(secrets.token_bytes(32))
        after = mix.mixed(self._joint_lock, self._before, order, blindings)
        proof = mix.prove(context, self._joint_lock, self._before, after, order, blindings, masks)
        return MixShown(context, self._joint_lock, self._before, after, proof)


def _scalar() -> int:
    return secrets.randbelow(ORDER)


def _choices() -> tuple[list[int], list[int]]:
    """A new order of the pack, and a new blinding for each card."""
    order = list(range(CARDS))
    secrets.SystemRandom().shuffle(order)
    return order, [_scalar() for _ in range(CARDS)]


@cache
def mixer() -> Mixer:
    """The mixer of this process."""
    return Mixer()


def new_mix() -> MixShown:
    """A fresh mix by the mixer of this process."""
    return mixer().mix()


def _mix_verified(after_known: bool) -> WorkPair:
    """Verify a mix. The pack before it is known; the mixed one only if `after_known`."""
    terms, size = mix_terms(CARDS), len(elsewhere(new_mix).proof)

    def fresh() -> tuple[Work, Work]:
        shown = elsewhere(new_mix)
        known([shown.joint_lock, *(point for pair in shown.before for point in pair)])
        if after_known:
            known(point for pair in shown.after for point in pair)
        return shown.holds, raw([terms])

    decoded = MIX_POINTS if after_known else 2 * CARDS + MIX_POINTS
    return WorkPair(fresh, terms=terms, proof_bytes=size, decoded=decoded, sizes={"mix_proof": size})


def mix_verify() -> WorkPair:
    """Verify a mix whose points are decoded already, against a raw product."""
    return _mix_verified(after_known=True)


def mix_receive() -> WorkPair:
    """Decode the points of a mixed pack and verify the mix, against a raw product."""
    return _mix_verified(after_known=False)


def mix_prove() -> WorkPair:
    """Remask a pack and prove it, against a raw product."""
    terms, size = mix_terms(CARDS), len(mixer().mix().proof)

    def fresh() -> tuple[Work, Work]:
        return lambda: len(mixer().mix().proof) == size, raw([terms])

    return WorkPair(fresh, terms=terms, proof_bytes=size)


@dataclass
class _Counting(Trusting):
    """Checks nothing, and counts the terms of each message's proof."""

    terms: list[int] = field(default_factory=list)

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        """Count the different points in all equations of a message."""
        whole = Sum()
        for claim in claims:
            whole.add(claim.read())
        self.terms.append(whole.terms)


@dataclass(frozen=True, slots=True)
class Round:
    """The record file of a round of hearts that nobody dealt, and what was counted of it."""

    data: bytes
    terms: tuple[int, ...]
    """The number of different points in each proof."""
    proof_bytes: int
    """The bytes of all proofs together."""


def played(seed: int) -> Round:
    """Let bots play one round of hearts for four, then agree to a draw. Masks do not follow from `seed`."""
    match = seated(seed)
    play_round(match)
    return counted(match.entries)


def seated(seed: int) -> PlayedMatch:
    """A match of hearts for four bots that nobody deals, with nothing but its opening entry."""
    dice = Random(seed)
    keeper = Keeper(dice.randbytes(32), Chain(dice.randbytes(64)), dice.randbytes(32))
    seats = [OwnSeat(number, dice.randbytes(32), dice.randbytes(32)) for number in range(SEATS)]
    players = [SeatedPlayer(f"Seat {seat.number}", public_key(seat.private)) for seat in seats]
    identity = str(UUID(bytes=dice.randbytes(16), version=4))
    options = {"dealer": "nobody"}
    game, entries = opening(keeper, identity, games.find(MODE), options, players, (), START)
    choosers = [by_bot(bots_for(MODE)[BOT], seat.number, Random(seed)) for seat in seats]
    return PlayedMatch(keeper, seats, choosers, game, list(entries))


def play_round(match: PlayedMatch) -> None:
    """Play the first round, then agree to a draw. A round in which a player gets the sun ends the match."""
    with use("arkworks"):
        match.play_until(lambda: _round_over(match.game))


def _round_over(game: Game) -> bool:
    return game.deals == 1 and game.asking is not None and game.asking.kind == "lock"


def counted(entries: Sequence[Entry]) -> Round:
    """Count the terms and the bytes of all proofs of a match."""
    counting, game = _Counting(), None
    for entry in entries:
        game = apply(game, entry, counting)
    proofs = [len(unb64(entry.body["proof"])) for entry in entries if "proof" in entry.body]
    return Round(record_bytes(entries), tuple(counting.terms), sum(proofs))


def record_dealerless() -> WorkPair:
    """Verify the record of a round of hearts for four, against the raw products of its proofs."""
    seed, first = 0, elsewhere(played, 0)

    def fresh() -> tuple[Work, Work]:
        nonlocal seed
        own = elsewhere(played, seed)
        seed += 1
        return lambda: verify_record(own.data).valid, raw(own.terms)

    return WorkPair(
        fresh,
        terms=sum(first.terms),
        proof_bytes=first.proof_bytes,
        sizes={"record_dealerless": len(first.data)},
    )


def _shown_cards(data: bytes) -> Iterator[tuple[Game, Entry]]:
    """Each entry that shows a card and makes a claim about the rest of the hand, and the game before it."""
    game: Game | None = None
    for item in parse_record(data):
        entry = read_entry(item)
        if game is not None and entry.kind == "move" and "proof" in entry.body:
            due = of_move(game, int(entry.actor), entry.body["move"])
            if due.opened and due.claimed:
                yield game, entry
        game = apply(game, entry, Trusting())


def play_verify() -> WorkPair:
    """Verify the entry of a card with a claim, its signatures included, against a raw product."""
    seed, shown = 0, [*_shown_cards(elsewhere(played, 0).data)]
    size = len(unb64(shown[0][1].body["proof"]))

    def fresh() -> tuple[Work, Work]:
        nonlocal seed, shown
        while not shown:
            seed += 1
            shown = [*_shown_cards(elsewhere(played, seed).data)]
        game, entry = shown.pop()
        pack = pack_of(game)
        known(pack.locks.values())
        known(point for p in pack.positions for point in (pack.at(p).a, pack.under(p)))
        return lambda: apply(game, entry, AtOnce()).seq == entry.seq, raw([CARD_TERMS])

    return WorkPair(fresh, terms=CARD_TERMS, proof_bytes=size)
