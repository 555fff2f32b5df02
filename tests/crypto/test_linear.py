"""The linear argument (protocol section 20.6), and every forgery of it that section 20.15 names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from crypto import linear, lock
from crypto.encoding import EncodingError, i2osp
from crypto.engines import ORDER, Engine
from crypto.group import decode_point, encode_scalar
from crypto.lock import Pair
from crypto.secret import MatchSecret
from crypto.transcript import ProofError
from crypto.verifier import check
from tests.crypto.crypto_kit import INFINITY, _sum, bad_points
from tests.crypto.table_kit import Shown, field_starts, forged, put
from vectors.example import NO_FRESH
from vectors.tables import HANDS, PLAY_STEP, TRAITS, ExampleDeal, statements, table

REFUSED = (ProofError, EncodingError)
SIZES = {
    "lock_house": 80,
    "lock_0": 80,
    "lock_1": 80,
    "share_house": 128,
    "share_seat": 128,
    "share_without_positions": 80,
    "unlock_stock": 128,
    "unlock_denied": 96 + 32 * 6,
    "move_card": 128,
    "move_card_with_claim": 336,
    "move_claim_alone": 96 + 32 * 6,
}


@pytest.fixture
def own(fast: Engine) -> ExampleDeal:
    return table()


def shown(own: ExampleDeal, name: str) -> Shown:
    """A statement of the example with its honest proof."""
    party, step, kind, statement, claimed = statements()[name]
    ctx = own.context(party, step, kind)
    return Shown(ctx, statement, own.proof(party, ctx, statement, claimed))


@pytest.fixture
def whole(own: ExampleDeal) -> Shown:
    """A card with a claim: all three equations."""
    return shown(own, "move_card_with_claim")


def refused(made: Shown) -> None:
    with pytest.raises(REFUSED):
        made.verify()


@pytest.mark.parametrize("name", SIZES)
def test_every_kind_of_statement_is_proven(own: ExampleDeal, name: str) -> None:
    made = shown(own, name)
    made.verify()
    assert all(made.held())
    assert len(made.held()) == len(made.statement.names)
    assert len(made.proof) == made.statement.proof_bytes == SIZES[name]


def test_a_statement_is_proven_on_both_engines(curve: Engine) -> None:
    """One of its own, since the example table takes seconds on the slow one."""
    key, other = 12345, 678
    own = lock.lock(key)
    a, shown = lock.lock(7), lock.lock(other)
    locked = lock.joint([lock.card(3, ("C",)), lock.share(key, a)])
    claim = linear.Claim([Pair(a, locked)], ("C", "D"), ["D"])
    statement = linear.Statement(own, [(shown, lock.share(key, shown))], claim)
    secret = linear.witness(key, claim, [(3, ("C",))])
    masks = MatchSecret(bytes(32)).masks(NO_FRESH)
    made = Shown(bytes(64), statement, linear.prove(bytes(64), statement, secret, masks))
    made.verify()
    assert made.held() == [True] * 3
    for start, length in field_starts(made.proof, 3)[::2]:
        last = start + length - 1
        refused(made.but(proof=put(made.proof, last, bytes([made.proof[last] ^ 1]))))


def test_the_equations_have_their_names(whole: Shown) -> None:
    assert whole.statement.names == ("L1", "L2", "L3")
    assert replace(whole.statement, shares=()).names == ("L1", "L3")
    assert replace(whole.statement, claim=None).names == ("L1", "L2")
    # T_1, T_2, T_3, then s_x, s_n and the s_t.
    end = 48 * 3
    broken = {"L1 and L2 and L3": 0, "L3": 1}
    for name, index in broken.items():
        proof = put(whole.proof, end + 32 * index, encode_scalar(5))
        with pytest.raises(ProofError, match=rf"^{name} of the proof fails \(protocol 20\.6\)$"):
            whole.but(proof=proof).verify()


def test_equations_hold_one_by_one(whole: Shown, fast: Engine) -> None:
    for equation in linear.equations(whole.ctx, whole.statement, whole.proof):
        assert fast.equal(_sum(*equation), fast.identity)


def test_a_claim_names_traits_of_its_mode(own: ExampleDeal) -> None:
    pairs = own.alone(0, [1])
    claim = linear.Claim(pairs, TRAITS, ["X", "D"])
    assert (claim.said, claim.others) == (("D", "X"), ("C", "H", "S"))
    for traits, lacking in ((TRAITS, ["Y"]), (("C", "C"), ["C"])):
        with pytest.raises(ValueError, match="each named once"):
            linear.Claim(pairs, traits, lacking)


def test_a_witness_counts_what_is_not_denied(own: ExampleDeal) -> None:
    claim = linear.Claim(own.alone(0, [0, 1, 2]), TRAITS, ["D"])
    cards = [(8, ("S", "X")), (1, ("C",)), (7, ("S",))]
    secret = linear.witness(5, claim, cards)
    assert (secret.key, secret.number, list(secret.counts)) == (5, 16, [1, 0, 2, 1])
    assert secret.data(claim) == b"".join(map(encode_scalar, (5, 16, 1, 0, 2, 1)))
    assert linear.witness(5, None).data(None) == encode_scalar(5)
    assert repr(secret) == "Witness()"
    assert linear.Witness(5) == linear.Witness(5, 0, ())
    with pytest.raises(ProofError, match=r"the claim denies \(protocol 20\.6\)"):
        linear.witness(5, claim, [*cards[:2], (3, ("D",))])
    for few in ([], cards[:2], [*cards, cards[0]]):
        with pytest.raises(ValueError, match="for each of its pairs"):
            linear.witness(5, claim, few)


def test_a_claim_about_no_trait_and_about_all(own: ExampleDeal) -> None:
    """S may be empty; and with every trait in it, only bare cards pass."""
    ctx = own.context(0, PLAY_STEP, "move")
    empty = linear.Statement(own.locks[0], claim=linear.Claim(own.alone(0, [0]), TRAITS, []))
    Shown(ctx, empty, own.proof(0, ctx, empty, [0])).verify()
    bare = Pair(own.pack[0].a, lock.less(lock.card(3, ()), [lock.share(-own.x[0], own.pack[0].a)]))
    everything = linear.Statement(own.locks[0], claim=linear.Claim([bare], TRAITS, TRAITS))
    forged(own, 0, ctx, everything, linear.Witness(own.x[0], 3)).verify()


def test_a_card_that_is_the_identity_may_be_claimed_about(own: ExampleDeal) -> None:
    """c is derived: it may be the identity with a chance that nobody can use (20.3)."""
    a = own.pack[0].a
    # c = M + x a = 0 for M = -x a, which is no card; the equation does not care.
    claim = linear.Claim([Pair(a, INFINITY)], TRAITS, ["C"])
    statement = linear.Statement(own.locks[0], claim=claim)
    with pytest.raises(ProofError, match=r"^L3 "):
        forged(own, 0, bytes(64), statement, linear.Witness(own.x[0], 1, [0] * 4)).verify()


# --- Altered ---


def test_a_flipped_bit_in_any_field_is_refused(whole: Shown) -> None:
    for start, length in field_starts(whole.proof, 3):
        last = start + length - 1
        refused(whole.but(proof=put(whole.proof, last, bytes([whole.proof[last] ^ 1]))))


def test_a_negated_point_in_the_statement_is_refused(whole: Shown) -> None:
    def negated(point: bytes) -> bytes:
        return bytes([point[0] ^ 0x20]) + point[1:]

    said, claim = whole.statement, whole.statement.claim
    assert claim is not None
    ((a, D),) = said.shares
    one, two = claim.pairs
    for statement in (
        replace(said, lock=negated(said.lock)),
        replace(said, shares=[(negated(a), D)]),
        replace(said, shares=[(a, negated(D))]),
        replace(said, claim=replace(claim, pairs=[Pair(negated(one.a), one.c), two])),
        replace(said, claim=replace(claim, pairs=[one, Pair(two.a, negated(two.c))])),
    ):
        refused(whole.but(statement=statement))
    refused(whole.but(ctx=bytes(64)))


def test_bad_points_and_scalars_are_no_encodings(whole: Shown) -> None:
    said, claim = whole.statement, whole.statement.claim
    assert claim is not None
    ((a, D),) = said.shares
    one, two = claim.pairs
    for point in bad_points(a).values():
        for statement in (
            replace(said, lock=point),
            replace(said, shares=[(point, D)]),
            replace(said, shares=[(a, point)]),
            replace(said, claim=replace(claim, pairs=[Pair(point, one.c), two])),
        ):
            with pytest.raises(EncodingError):
                whole.but(statement=statement).verify()
        if point != INFINITY:
            pairs = [Pair(one.a, point), two]
            with pytest.raises(EncodingError):
                whole.but(statement=replace(said, claim=replace(claim, pairs=pairs))).verify()
        for start in (0, 48, 96):
            with pytest.raises(EncodingError):
                whole.but(proof=put(whole.proof, start, point)).verify()
    for start, length in field_starts(whole.proof, 3):
        if length == 32:
            value = int.from_bytes(whole.proof[start : start + 32], "big")
            with pytest.raises(EncodingError):
                whole.but(proof=put(whole.proof, start, i2osp(value + ORDER, 32))).verify()


def test_other_lengths_are_refused(whole: Shown) -> None:
    proof = whole.proof
    for data in (b"", proof[:-1], proof + b"\0", proof[:-32], proof + bytes(32), proof[48:], proof[:80]):
        with pytest.raises(EncodingError):
            whole.but(proof=data).verify()


def test_a_claim_is_over_one_to_255_cards(own: ExampleDeal, whole: Shown) -> None:
    claim = whole.statement.claim
    assert claim is not None
    for pairs in ([], [claim.pairs[0]] * 256):
        statement = replace(whole.statement, claim=replace(claim, pairs=pairs))
        with pytest.raises(ProofError, match=r"1 to 255 cards \(protocol 20\.6\)"):
            whole.but(statement=statement).verify()
    many = linear.Claim(own.alone(0, [0]) * 255, TRAITS, whole.statement.claim.lacking)  # type: ignore[union-attr]
    statement = linear.Statement(own.locks[0], claim=replace(many, lacking=[]))
    counts = [255 * (trait in own.cards[0][1]) for trait in TRAITS]
    secret = linear.Witness(own.x[0], 255 * own.cards[0][0], counts)
    forged(own, 0, whole.ctx, statement, secret).verify()


# --- False ---


def test_a_false_lock_is_refused(own: ExampleDeal) -> None:
    """A lock less the others' would leave the joint lock to one party: it knows no key of its own."""
    ctx = own.context(0, 2, "lock")
    less = lock.less(own.locks[0], [own.locks[1]])
    made = forged(own, 0, ctx, linear.Statement(less), linear.Witness(own.x[0]))
    with pytest.raises(ProofError, match=r"^L1 of"):
        made.verify()
    assert made.held() == [False]
    refused(shown(own, "lock_1").but(ctx=ctx))


def false_shares(own: ExampleDeal) -> dict[str, Sequence[tuple[bytes, bytes]]]:
    """Shares of seat 1's hand that seat 0 could send."""
    (a, one), (b, two), last = own.shares(0, HANDS[1])
    add = own.locks[1]
    return {
        "one": [(a, lock.joint([one, add])), (b, two), last],
        "opposite": [(a, lock.joint([one, add])), (b, lock.less(two, [add])), last],
        "exchanged": [(a, two), (b, one), last],
        "another lock": own.shares(1, HANDS[1]),
        "fitted": [(a, lock.less(own.pack[3].c, [lock.card(1, ("C",))])), (b, two), last],
    }


@pytest.mark.parametrize("kind", ["one", "opposite", "exchanged", "another lock", "fitted"])
def test_a_false_share_is_refused(own: ExampleDeal, kind: str) -> None:
    ctx = own.context(0, 5, "share")
    statement = linear.Statement(own.locks[0], false_shares(own)[kind])
    made = forged(own, 0, ctx, statement, linear.Witness(own.x[0]))
    with pytest.raises(ProofError, match=r"^L2 of"):
        made.verify()
    assert made.held() == [True, False]


def test_a_false_claim_is_refused(own: ExampleDeal) -> None:
    ctx = own.context(0, PLAY_STEP, "move")
    for p in HANDS[0]:
        number, traits = own.cards[p]
        for trait in traits:
            claim = linear.Claim(own.alone(0, [p]), TRAITS, [trait])
            statement = linear.Statement(own.locks[0], claim=claim)
            with pytest.raises(ProofError, match="denies"):
                own.proof(0, ctx, statement, [p])
            for other in (None, *claim.others):
                counts = [int(t in traits) + (t == other) for t in claim.others]
                made = forged(own, 0, ctx, statement, linear.Witness(own.x[0], number, counts))
                with pytest.raises(ProofError, match=r"^L3 of"):
                    made.verify()
                assert made.held() == [True, False]


def test_a_card_still_locked_by_another_proves_nothing(own: ExampleDeal) -> None:
    """The claim is about pairs under the prover's lock alone: with another lock on them it fails."""
    ctx = own.context(0, PLAY_STEP, "move")
    claim = linear.Claim([own.pack[0]], TRAITS, own.claim(0, [0]).lacking)
    statement = linear.Statement(own.locks[0], claim=claim)
    with pytest.raises(ProofError, match=r"^L3 of"):
        Shown(ctx, statement, own.proof(0, ctx, statement, [0])).verify()


def test_every_part_of_the_statement_is_bound(whole: Shown) -> None:
    """A challenge that left a part out would be the same for another statement."""
    first = linear._Conversation(whole.ctx, whole.statement).weight()
    said, claim = whole.statement, whole.statement.claim
    assert claim is not None
    others = [
        replace(said, lock=said.shares[0][0]),
        replace(said, shares=()),
        replace(said, claim=None),
        replace(said, claim=replace(claim, pairs=claim.pairs[:1])),
        replace(said, claim=replace(claim, lacking=[])),
        replace(said, claim=replace(claim, lacking=TRAITS)),
    ]
    found = {linear._Conversation(whole.ctx, other).weight() for other in others}
    assert len(found | {first}) == len(others) + 1


def test_equations_go_into_a_shared_sum(own: ExampleDeal, whole: Shown) -> None:
    bad = whole.but(proof=put(whole.proof, 48 * 3, encode_scalar(5)))
    lone = shown(own, "lock_0")
    proofs = [linear.equations(one.ctx, one.statement, one.proof) for one in (whole, bad, lone)]
    assert check(*proofs) == [True, False, True]


def test_masks_depend_on_statement_and_witness(own: ExampleDeal, whole: Shown) -> None:
    """Two cards tried in one step have different masks: T_1 differs (20.11)."""
    ctx = own.context(0, PLAY_STEP, "move")
    tried = [linear.Statement(own.locks[0], own.shares(0, [p])) for p in HANDS[0]]
    firsts = {own.proof(0, ctx, statement)[:48] for statement in tried}
    assert len(firsts) == len(tried)
    assert own.proof(0, ctx, tried[0]) == own.proof(0, ctx, tried[0])
    other = linear.prove(ctx, tried[0], linear.Witness(own.x[0]), own.secrets[0].masks(b"\1" * 32))
    assert other[:48] not in firsts
    assert decode_point(other[:48]) is not None
    assert bytes(32) == NO_FRESH
