"""False mixes of a pack, before the real verifier and one that lacks a safeguard (protocol 20.5, 20.15)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from crypto import lock, mix
from crypto.transcript import ProofError
from crypto.verifier import check
from tests.attack.algebra import scalars
from tests.attack.ledger import Outcome, attack
from tests.attack.table_forger import (
    CARDS,
    MIX_MESSAGES,
    MIX_PLACES,
    Pack,
    doubled_pack,
    forge_mix,
    pack,
    simulated_mix,
)
from tests.attack.weak import answering, leaving_out, without_context
from tests.crypto.table_kit import page_mix, seat_0_mixes
from vectors.tables import MIX_STEPS, table

BROKEN = {"c3": "S1", "E_a": "S2a", "E_c": "S2c", "c_d": "S3", "c_delta": "S4", "c_Delta": "S4"}
PLACES = ("game", "step", "party", "key", "kind", "deal")
OTHERS = {"game": bytes(16), "step": 9, "party": 1, "key": bytes(32), "kind": "lock", "deal": 2}
TRIES = 3


def false_pack(free: str) -> Pack:
    """A false mix that breaks the equation of `free` alone: one half with another t, or a card twice."""
    shifts = {"E_a": (5, 0), "E_c": (0, 5)}
    found = pack(CARDS, *shifts[free]) if free in shifts else doubled_pack()
    assert not found.holds()
    return found


@attack("a false mix, one of its first messages chosen after the challenges", "protocol 20.5")
@pytest.mark.parametrize("free", MIX_MESSAGES)
def test_every_message_of_a_mix_is_bound(free: str, outcome: Outcome) -> None:
    own, rng = false_pack(free), random.Random(free)
    for _ in range(TRIES):
        with leaving_out(*MIX_PLACES[free]):
            proof = forge_mix(own, free, rng)
            assert own.accepted(proof), f"{free} left out of the hash is no hole"
        assert not own.accepted(proof)
        assert not own.accepted(forge_mix(own, free, rng))
    outcome.rejected(2 * TRIES, "all 8 are taken where the challenge leaves the message out")


@attack("a false mix, one equation left broken", "protocol 20.5")
@pytest.mark.parametrize("free", BROKEN)
def test_each_equation_of_a_mix_is_needed(free: str, outcome: Outcome) -> None:
    own, name = false_pack(free), BROKEN[free]
    proof = forge_mix(own, free, random.Random(free), solve=False)
    with pytest.raises(ProofError, match=f"^{name} of the proof fails"):
        mix.verify(own.ctx, own.joint, own.cards, own.positions, proof)
    equations = mix.equations(own.ctx, own.joint, own.cards, own.positions, proof)
    del equations[mix.EQUATIONS.index(name)]
    assert check(equations) == [True]
    outcome.rejected(1, "S1, S2a, S2c, S3 and S4 are each the only one that stops somebody")


@attack("a mix of another game, step, party, key, kind or deal", "protocol 20.3, 20.5")
@pytest.mark.parametrize("place", range(len(PLACES)), ids=PLACES)
def test_a_mix_in_another_place(place: int, outcome: Outcome) -> None:
    own, step = table(), MIX_STEPS[0]
    other = {PLACES[place]: OTHERS[PLACES[place]]}
    args = (own.joint, own.packs[1], own.packs[2])

    def proof() -> bytes:
        ctx = own.context(0, step, "mix")
        return mix.prove(ctx, *args, own.orders[0], own.t[0], own.secrets[0].masks(bytes(32)))

    with without_context(lock, place):
        mix.verify(own.context(0, step, "mix", **other), *args, proof())
    with pytest.raises(ProofError):
        mix.verify(own.context(0, step, "mix", **other), *args, proof())
    outcome.rejected(1, "all 6 are taken where ctx leaves the field out")


@attack("a mix of another pack than the record holds", "protocol 20.5")
@pytest.mark.parametrize("kind", ["the open pack", "a pack of another party", "another joint lock"])
def test_a_mix_of_another_pack(kind: str, outcome: Outcome) -> None:
    """The verifier takes D and h from the record; one that took the sender's word would be fooled."""
    own, honest = table(), seat_0_mixes()
    masks = own.secrets[0].masks(bytes(32))
    before, joint = honest.before, honest.joint
    if kind == "another joint lock":
        joint = own.locks[0]
    else:
        before = own.packs[0] if kind == "the open pack" else own.packs[2]
    after = mix.mixed(joint, before, own.orders[0], own.t[0])
    proof = mix.prove(honest.ctx, joint, before, after, own.orders[0], own.t[0], masks)
    claimed = replace(honest, joint=joint, before=before, after=after, proof=proof)
    claimed.verify()
    with pytest.raises(ProofError):
        replace(claimed, joint=honest.joint, before=honest.before).verify()
    outcome.rejected(1, "taken by a verifier that takes the pack from the message")


@attack("a mix from nothing, proven by answers chosen before the messages", "protocol 20.5, 20.12")
def test_a_simulated_mix(outcome: Outcome) -> None:
    own, rng = doubled_pack(), random.Random(25)
    names = ("y", "lambda", "z", "x")
    for _ in range(TRIES):
        challenges = dict(zip(names, scalars(rng, 4), strict=True))
        proof = simulated_mix(own, challenges, rng)
        with answering(challenges):
            assert own.accepted(proof), "the equations tell a simulation from a proof"
        for name in challenges:
            with answering({**challenges, name: challenges[name] + 1}):
                assert not own.accepted(proof)
        assert not own.accepted(proof)
    assert not all(page_mix(own.ctx, own.joint, own.cards, own.positions, proof))
    outcome.rejected(TRIES, "taken by one who tells the challenges first: so a mix leaks nothing")


@attack("reading a permutation from two mixes of one party in two histories", "protocol 20.11")
def test_two_histories_have_different_permutations_and_blindings(outcome: Outcome) -> None:
    """The coalition mixes before the victim twice, differently, and compares what the victim makes of it."""
    own = table()
    victim, n = own.secrets[0], len(own.packs[0])
    before = [own.packs[1], mix.mixed(own.joint, own.packs[0], range(n), range(7, 7 + n))]

    def told(asked: list[bytes]) -> list[int | None]:
        """For each position the card of `before` that came there, where the packs' difference shows it."""
        made = [
            mix.mixed(
                own.joint,
                pack,
                victim.mix_permutation(d, n),
                [victim.mix_blinding(d, i) for i in range(n)],
            )
            for pack, d in zip(before, asked, strict=True)
        ]
        here = [lock.less(one.a, [other.a]) for one, other in zip(*made, strict=True)]
        there = [lock.less(one.a, [other.a]) for one, other in zip(*before, strict=True)]
        return [there.index(difference) if difference in there else None for difference in here]

    same, one, other = bytes([3]) * 64, bytes([4]) * 64, bytes([5]) * 64
    # By the step's number alone, both histories would ask with the same digest.
    assert told([same, same]) == list(victim.mix_permutation(same, n))
    assert told([one, other]) == [None] * n
    outcome.rejected(n, "the whole order is read where secrets depend on the step alone")
