"""False locks, shares and claims, also before verifiers that lack a safeguard (protocol 20.6, 20.15)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from crypto import linear, lock
from crypto.encoding import EncodingError
from crypto.group import ORDER, encode_scalar
from crypto.lock import HOUSE
from crypto.secret import Masks
from crypto.transcript import ProofError
from crypto.verifier import check
from tests.attack.algebra import scalars, total
from tests.attack.ledger import Outcome, attack
from tests.attack.spying import Maimed
from tests.attack.table_forger import (
    accepted,
    base,
    challenges,
    first_messages,
    parts,
    with_first_chosen_last,
    written,
)
from tests.attack.weak import (
    answering,
    drawn_before,
    hashing_to_zero,
    leaving_out,
    of_few_bits,
    taking_zero,
    without_context,
)
from tests.crypto.table_kit import page_linear
from vectors.example import NO_FRESH
from vectors.tables import FACES, HANDS, LOCK_STEP, PARTIES, PLAY_STEP, SHARE_STEP, TRAITS, ExampleDeal, table

PLACES = ("game", "step", "party", "key", "kind", "deal")
OTHERS = {"game": bytes(16), "step": 9, "party": 1, "key": bytes(32), "kind": "unlock", "deal": 2}
TRIES = 3


def context() -> bytes:
    """Seat 0's move."""
    return table().context(0, PLAY_STEP, "move")


def honest() -> tuple[linear.Statement, linear.Witness]:
    """Seat 0 plays its first card and claims a trait off the others: all three equations."""
    own = table()
    shown, *rest = HANDS[0]
    statement = linear.Statement(own.locks[0], own.shares(0, [shown]), own.claim(0, rest))
    return statement, linear.witness(own.x[0], statement.claim, [own.cards[p] for p in rest])


def false(part: str) -> tuple[linear.Statement, linear.Witness]:
    """The same with one false part: the lock is not the prover's, the share not its own, a trait is there."""
    own, (statement, secret) = table(), honest()
    if part == "lock":
        return replace(statement, lock=own.locks[1]), secret
    if part == "share":
        ((a, D),) = statement.shares
        return replace(statement, shares=[(a, total((1, D), (1, base())))]), secret
    rest, claim = HANDS[0][1:], statement.claim
    assert claim is not None
    (trait, *_) = own.cards[rest[0]][1]
    lie = replace(claim, lacking=[trait])
    counts = [sum(t in own.cards[p][1] for p in rest) for t in lie.others]
    return replace(statement, claim=lie), replace(secret, counts=counts)


def prove(statement: linear.Statement, secret: linear.Witness, ctx: bytes | None = None) -> bytes:
    """The honest prover's code, on whatever it is fed with."""
    return linear.prove(ctx or context(), statement, secret, table().secrets[0].masks(NO_FRESH))


FALSE = {"lock": 0, "share": 1, "claim": 2}


@attack("a false lock, share or claim by the honest prover's code", "protocol 20.6")
@pytest.mark.parametrize("part", FALSE)
def test_each_equation_is_needed(part: str, outcome: Outcome) -> None:
    statement, secret = false(part)
    proof, at = prove(statement, secret), FALSE[part]
    with pytest.raises(ProofError, match=f"^L{at + 1} of the proof fails"):
        linear.verify(context(), statement, proof)
    assert page_linear(context(), statement, proof).count(False) == 1
    equations = linear.equations(context(), statement, proof)
    del equations[at]
    assert check(equations) == [True]
    outcome.rejected(1, "taken where L1, L2 or L3 is missing")


@attack("a false lock, share or claim, a first message chosen after e", "protocol 20.6")
@pytest.mark.parametrize("part", FALSE)
def test_every_first_message_is_bound(part: str, outcome: Outcome) -> None:
    statement, secret = false(part)
    for weakened in (True, False):
        if weakened:
            with leaving_out("first", FALSE[part]):
                proof = with_first_chosen_last(context(), statement, prove(statement, secret), FALSE[part])
                assert accepted(context(), statement, proof)
        else:
            proof = with_first_chosen_last(context(), statement, prove(statement, secret), FALSE[part])
        assert not accepted(context(), statement, proof)
    outcome.rejected(2, "T_1, T_2 and T_3 are each taken where the challenge leaves it out")


@attack("a lock chosen after the challenge, so that it cancels another's", "protocol 20.4, 20.6")
def test_the_lock_is_bound(outcome: Outcome) -> None:
    """h = (s_x U - T_1) / e for T_1 = e' h_other: a lock whose key nobody knows, with the other's inside."""
    own, rng = table(), random.Random(31)
    ctx = own.context(0, LOCK_STEP, "lock")

    def forged() -> tuple[linear.Statement, bytes]:
        s, r = scalars(rng, 2)
        first = [total((r, own.locks[HOUSE]))]
        _, e = challenges(ctx, linear.Statement(own.locks[0]), first)
        inverse = pow(e, -1, ORDER)
        chosen = total((s * inverse, base()), (-inverse, first[0]))
        return linear.Statement(chosen), written(first, [s])

    with leaving_out("statement", 0):
        statement, proof = forged()
        assert accepted(ctx, statement, proof)
    assert not accepted(ctx, statement, proof)
    assert not accepted(ctx, *forged())
    outcome.rejected(2, "taken where the challenge leaves the lock out")


@attack("a share chosen after the challenge", "protocol 20.6, 20.7")
def test_the_shares_are_bound(outcome: Outcome) -> None:
    """D = (s_x w a - T_2) / (e w), for a T_2 that is no multiple of a by the mask."""
    own, rng = table(), random.Random(32)
    ctx, a = own.context(0, SHARE_STEP, "share"), own.pack[3].a

    def forged() -> tuple[linear.Statement, bytes]:
        (k,) = scalars(rng, 1)
        first = [total((k, base())), total((7, base()))]
        w, e = challenges(ctx, linear.Statement(own.locks[0], [(a, a)]), first)
        s = k + e * own.x[0]
        inverse = pow(e * w, -1, ORDER)
        D = total((s * w * inverse, a), (-inverse, first[1]))
        return linear.Statement(own.locks[0], [(a, D)]), written(first, [s])

    with leaving_out("statement", 2):
        statement, proof = forged()
        assert statement.shares[0][1] != lock.share(own.x[0], a)
        assert accepted(ctx, statement, proof)
    assert not accepted(ctx, statement, proof)
    assert not accepted(ctx, *forged())
    outcome.rejected(2, "taken where the challenge leaves the share out")


def opposite(own: ExampleDeal, factor: int) -> linear.Statement:
    """Shares of seat 1's hand, the first with U too much and the second with `factor` U too little."""
    (a, one), (b, two), last = own.shares(0, HANDS[1])
    shares = [(a, total((1, one), (1, base()))), (b, total((1, two), (-factor, base()))), last]
    return linear.Statement(own.locks[0], shares)


@attack("two false shares whose errors cancel", "protocol 20.6, 20.7")
@pytest.mark.parametrize("weights", ["all alike", "known before"])
def test_the_weights_come_after_the_shares(weights: str, outcome: Outcome) -> None:
    own = table()
    ctx = own.context(0, SHARE_STEP, "share")
    secret = linear.Witness(own.x[0])
    if weights == "all alike":
        # Without weights the sum of all shares is all that L2 looks at.
        with answering({"w": 1}):
            statement = opposite(own, 1)
            assert accepted(ctx, statement, prove(statement, secret, ctx))
            (a, one), (b, two), last = own.shares(0, HANDS[1])
            swapped = linear.Statement(own.locks[0], [(a, two), (b, one), last])
            assert accepted(ctx, swapped, prove(swapped, secret, ctx))
        assert not accepted(ctx, swapped, prove(swapped, secret, ctx))
    else:
        with drawn_before("w", "statement"):
            # A w that hangs on ctx alone is known to all: errors of 1 and 1/w cancel.
            w = linear._Conversation(ctx, linear.Statement(own.locks[0])).weight()
            statement = opposite(own, pow(w, -1, ORDER))
            assert accepted(ctx, statement, prove(statement, secret, ctx))
    assert not accepted(ctx, statement, prove(statement, secret, ctx))
    outcome.rejected(2, "taken where the weights are all 1, or drawn before the shares")


@attack("a message of another game, step, party, key, kind or deal", "protocol 20.3, 20.6")
@pytest.mark.parametrize("place", range(len(PLACES)), ids=PLACES)
def test_a_proof_in_another_place(place: int, outcome: Outcome) -> None:
    own, (statement, secret) = table(), honest()
    other = {PLACES[place]: OTHERS[PLACES[place]]}
    with without_context(lock, place):
        proof = prove(statement, secret, own.context(0, PLAY_STEP, "move"))
        assert accepted(own.context(0, PLAY_STEP, "move", **other), statement, proof)
    proof = prove(statement, secret, own.context(0, PLAY_STEP, "move"))
    assert not accepted(own.context(0, PLAY_STEP, "move", **other), statement, proof)
    outcome.rejected(1, "all 6 are taken where ctx leaves the field out")


@attack("another's lock with its proof, sent as one's own", "protocol 20.3, 20.4")
def test_another_s_lock_repeated(outcome: Outcome) -> None:
    """Party and key in ctx together keep a lock from being repeated, which would double it in the sum."""
    own = table()
    statement, secret = linear.Statement(own.locks[1]), linear.Witness(own.x[1])
    theirs, mine = own.context(1, LOCK_STEP, "lock"), own.context(0, LOCK_STEP, "lock")
    proof = prove(statement, secret, theirs)
    assert accepted(theirs, statement, proof)
    assert not accepted(mine, statement, proof)
    with answering({"w": 3, "e": 5}):
        # Whoever draws the same challenges everywhere takes it.
        assert accepted(mine, statement, prove(statement, secret, theirs))
    outcome.rejected(1, "taken where the challenge does not hang on ctx")


@attack("a lock less all others, which leaves every card to one party", "protocol 20.4")
def test_a_lock_that_cancels_the_others(outcome: Outcome) -> None:
    own = table()
    x, others = own.x[0], [own.locks[party] for party in PARTIES if party != 0]
    rogue = lock.less(lock.lock(x), others)
    # Without a proof of knowledge this party alone opens the pack.
    joint = lock.joint([rogue, *others])
    faces = {lock.card(k, traits) for k, traits in enumerate(FACES, 1)}
    for a, c in lock.open_pack(sorted(faces), joint):
        assert lock.less(c, [lock.share(x, a)]) in faces
    ctx = own.context(0, LOCK_STEP, "lock")
    for key in (x, x - own.x[1], 1):
        proof = prove(linear.Statement(rogue), linear.Witness(key), ctx)
        assert not accepted(ctx, linear.Statement(rogue), proof)
    outcome.rejected(3, "one party opens the whole pack where locks need no proof")


@attack("a share fitted to a wished card", "protocol 20.6, 20.8")
def test_a_share_fitted_to_a_card(outcome: Outcome) -> None:
    own = table()
    p, tries = HANDS[0][0], 0
    (alone,) = own.alone(0, [p])
    for k, traits in enumerate(FACES, 1):
        wished = lock.card(k, traits)
        D = lock.less(alone.c, [wished])
        # A reader without L2 would see the wished card.
        assert lock.less(alone.c, [D]) == wished
        statement = linear.Statement(own.locks[0], [(alone.a, D)])
        true = (k, traits) == own.cards[p]
        assert accepted(context(), statement, prove(statement, linear.Witness(own.x[0]))) == true
        tries += not true
    assert tries == len(FACES) - 1
    outcome.rejected(tries, "a reader without L2 sees the wished card")


@attack("a proof for other cards, traits or positions than the rules say", "protocol 20.6, 20.8")
def test_a_proof_of_another_claim(outcome: Outcome) -> None:
    """Each proof is good for its own statement, so a verifier that let the sender choose would take it."""
    own, (due, _) = table(), honest()
    claim = due.claim
    assert claim is not None
    shown, *rest = HANDS[0]
    others: dict[str, tuple[linear.Statement, Sequence[int]]] = {
        "no claim": (replace(due, claim=None), ()),
        "fewer cards": (replace(due, claim=own.claim(0, rest[:1])), rest[:1]),
        "another position's share": (replace(due, shares=own.shares(0, rest[:1])), rest),
        "fewer traits": (replace(due, claim=replace(claim, lacking=[])), rest),
    }
    free = [t for t in TRAITS if t not in claim.lacking and not any(t in own.cards[p][1] for p in rest)]
    if free:
        others["other traits"] = (replace(due, claim=replace(claim, lacking=free[:1])), rest)
    for statement, claimed in others.values():
        secret = linear.witness(own.x[0], statement.claim, [own.cards[p] for p in claimed])
        proof = prove(statement, secret)
        assert accepted(context(), statement, proof)
        with pytest.raises(ValueError, match=r"of the proof fails|bytes where"):
            linear.verify(context(), due, proof)
    assert shown not in rest
    outcome.rejected(len(others), "each is taken by a verifier that lets the sender say what is due")


# --- Challenges ---


@attack("a false claim under a challenge that is zero", "protocol 2, 20.6")
def test_a_zero_challenge(outcome: Outcome) -> None:
    statement, secret = false("claim")
    with hashing_to_zero("e"):
        with taking_zero():
            proof = prove(statement, secret)
            assert accepted(context(), statement, proof)
        assert not accepted(context(), statement, proof)
    # With w = 0, L2 says that T_2 is the identity, and no proof may hold that.
    statement, secret = false("share")
    with hashing_to_zero("w"), taking_zero():
        proof = prove(statement, secret)
        with pytest.raises(EncodingError, match="identity"):
            linear.verify(context(), statement, proof)
    outcome.rejected(2, "taken by a verifier that takes e = 0")


@attack("a false claim, the challenge guessed", "protocol 2, 20.6")
def test_a_guessed_challenge(outcome: Outcome) -> None:
    bits, tries, taken, rng = 2, 40, 0, random.Random(33)
    statement, _ = false("claim")
    claim = statement.claim
    assert claim is not None
    for _ in range(tries):
        answers = scalars(rng, 2 + len(claim.others))
        guess = rng.randrange(1, 2**bits + 1)
        with of_few_bits(bits):
            w, _ = challenges(context(), statement, [])
            # T_1, T_2, T_3 for the guess; the real e follows them.
            proof = written(first_messages(statement, w, guess, answers), answers)
            taken += accepted(context(), statement, proof)
        assert not accepted(context(), statement, proof)
    # 10 expected; none, or more than 30, less than once in 10^4 runs, and these seeds stand.
    assert 0 < taken <= 30
    outcome.rejected(tries, f"a challenge of {bits} bits is guessed about once in {2**bits}")


@attack("a claim from nothing, proven by answers chosen before the messages", "protocol 20.6, 20.12")
@pytest.mark.parametrize("part", FALSE)
def test_a_simulated_proof(part: str, outcome: Outcome) -> None:
    (statement, _), rng = false(part), random.Random(34)
    claim = statement.claim
    assert claim is not None
    for _ in range(TRIES):
        w, e, *answers = scalars(rng, 4 + len(claim.others))
        proof = written(first_messages(statement, w, e, answers), answers)
        with answering({"w": w, "e": e}):
            assert accepted(context(), statement, proof), "the equations tell a simulation from a proof"
        for other in ({"w": w, "e": e + 1}, {"w": w + 1, "e": e}):
            with answering(other):
                assert not accepted(context(), statement, proof)
        assert not accepted(context(), statement, proof)
    outcome.rejected(TRIES, "taken by one who tells the challenges first: so a proof leaks nothing")


# --- Masks ---


def key_told(proofs: Sequence[bytes], statements: Sequence[linear.Statement]) -> int | None:
    """x, if the k_x of two proofs is the same: s_x - s_x' = (e - e') x."""
    seen = []
    for proof, statement in zip(proofs, statements, strict=True):
        points, (s_x, *_) = parts(statement, proof)
        seen.append((s_x, challenges(context(), statement, points)[1]))
    (s, e), (t, f) = seen
    x = (s - t) * pow(e - f, -1, ORDER) % ORDER
    return x if lock.lock(x) == statements[0].lock else None


@attack("two cards tried in one step by a still random source", "protocol 20.11", knows="fresh stands still")
def test_two_cards_in_one_step_have_different_masks(outcome: Outcome) -> None:
    own = table()
    tried = [linear.Statement(own.locks[0], own.shares(0, [p])) for p in HANDS[0][:2]]
    secret = linear.Witness(own.x[0])

    def by_context(_: bytes, witness: bytes) -> Iterator[int]:
        return Masks(bytes(32), context(), witness, NO_FRESH)

    weak = [linear.prove(context(), statement, secret, by_context) for statement in tried]
    assert key_told(weak, tried) == own.x[0]
    assert key_told([prove(statement, secret) for statement in tried], tried) is None
    outcome.rejected(1, "the key is told where masks hang on ctx and not on the statement")


@attack("the same share proven with two claims by a still random source", "protocol 20.11")
def test_another_witness_has_other_masks(outcome: Outcome) -> None:
    """A false claim with other counts is another witness: its masks differ though T is the same."""
    statement, secret = honest()
    other = replace(secret, number=secret.number + 1)

    def by_state(state: bytes, _: bytes) -> Iterator[int]:
        return Masks(bytes(32), state, b"", NO_FRESH)

    def masks_alike(proofs: Sequence[bytes]) -> bool:
        one, two = (parts(statement, proof)[0] for proof in proofs)
        return one == two

    assert masks_alike([linear.prove(context(), statement, s, by_state) for s in (secret, other)])
    assert not masks_alike([prove(statement, s) for s in (secret, other)])
    outcome.rejected(1, "the first messages are the same where masks leave the witness out")


@attack("reading key, sum and counts from a proof, one mask left out", "protocol 20.6, 20.11")
@pytest.mark.parametrize("j", range(6))
def test_every_mask_hides_something(j: int, outcome: Outcome) -> None:
    """s = k + e v: without k the value v is s / e."""
    statement, secret = honest()
    values = [secret.key, secret.number, *secret.counts]
    assert len(values) == 6

    def leaky(state: bytes, witness: bytes) -> Iterator[int]:
        return Maimed(bytes(32), state, witness, NO_FRESH, (j, j + 1), 0)

    def read(proof: bytes) -> list[int]:
        points, answers = parts(statement, proof)
        inverse = pow(challenges(context(), statement, points)[1], -1, ORDER)
        return [answer * inverse % ORDER for answer in answers]

    if j == 0:
        # T_1 would be the identity, which no proof may hold: a verifier refuses it before it tells anything.
        with pytest.raises(ValueError, match="identity"):
            linear.verify(context(), statement, linear.prove(context(), statement, secret, leaky))
    proof = linear.prove(context(), statement, secret, leaky)
    assert read(proof)[j] == values[j] % ORDER
    assert [read(proof)[i] == value for i, value in enumerate(values)] == [i == j for i in range(6)]
    assert not any(a == b for a, b in zip(read(prove(statement, secret)), values, strict=True))
    outcome.no_advantage("each value is read where its mask is left out, and no other", 1)


@attack("a key asked for twice, in two histories", "protocol 20.11")
def test_a_lock_belongs_to_one_history(outcome: Outcome) -> None:
    """A share of one deal takes the lock off a card of another where both deals have the same lock."""
    own = table()
    p = HANDS[0][0]
    (alone,) = own.alone(0, [p])
    # The coalition lets seat 1 own the same pair in its second history, so seat 0 shares it.
    again = own.secrets[0].lock_key(bytes([LOCK_STEP]) * 64)
    assert lock.less(alone.c, [lock.share(again, alone.a)]) == lock.card(*own.cards[p])
    other = own.secrets[0].lock_key(bytes([99]) * 64)
    faces = {lock.card(k, traits) for k, traits in enumerate(FACES, 1)}
    assert lock.less(alone.c, [lock.share(other, alone.a)]) not in faces
    assert encode_scalar(again) != encode_scalar(other)
    outcome.rejected(1, "the card is read where both histories have one key")
