"""Entries that a verifier must refuse where nobody deals (protocol section 20.15).

Vectors in the manner of `vectors.bad_entries`. False proofs are what the honest prover's code gives for
false statements, under the context that the verifier expects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from crypto import linear, lock, mix
from crypto.encoding import b64, unb64
from referee.dealerless.masked import deck_of
from referee.dealerless.proofs import context, to_share
from referee.game import pack_of
from vectors.bad_dealerless_play import PLAY
from vectors.bad_dealerless_stock import STOCK
from vectors.bad_meals import IDENTITY
from vectors.dealerless import GAMES
from vectors.dealerless_place import CRIBBAGE, HEARTS, ExamplePlace, flipped, seeking
from vectors.example import NO_FRESH, Vector


def bad_dealerless() -> list[Vector]:
    """Entries that must be refused where nobody deals: false, missing, early or not due (section 20.15)."""
    return [vector for make in PARTS.values() for vector in make()]


# --- While a deal is made ---


def _locks() -> Iterator[Vector]:
    own = ExamplePlace(HEARTS, "lock", "0")
    body, pack = own.real.body, pack_of(own.game)
    others, section = [*pack.locks.values()], "protocol 20.4"

    def said(name: str, why: str, **changes: Any) -> Vector:
        return own.vector(f"lock_{name}", why, own.again(**changes), section)

    mine = unb64(body["lock"])
    rogue = lock.less(mine, others)
    yield said(
        "less_the_others",
        "one's own less all others, so that one party alone would open the pack",
        lock=b64(rogue),
        proof=own.prove(0, "lock", linear.Statement(rogue)),
    )
    theirs = ExamplePlace(HEARTS, "lock", "1").real.body
    yield said("anothers", "seat 1's lock with its proof", lock=theirs["lock"], proof=theirs["proof"])
    for name, why, other in (
        ("of_another_step", "the proof is for another step", {"step": own.game.step + 1}),
        ("of_another_kind", "the proof is for a share", {"as_kind": "share"}),
        ("of_another_party", "the proof is for seat 1", {"by": 1}),
    ):
        proof = own.prove(0, "lock", linear.Statement(mine), **other)
        yield said(name, why, proof=proof)
    earlier = ExamplePlace(HEARTS, "lock", "0", 1)
    old = earlier.vector(
        "lock_of_an_earlier_attempt",
        "the lock of the deal before, with its proof",
        earlier.again(lock=body["lock"], proof=body["proof"]),
        section,
    )
    yield old
    yield said("of_another_deal", "deal 3, where 2 is made", deal=3)
    yield said("the_identity", "no message may hold the identity", lock=b64(IDENTITY))
    yield said("short", "a point of 47 bytes", lock=b64(mine[1:]))
    yield said("proof_longer", "a proof with 32 bytes too many", proof=b64(unb64(body["proof"]) + bytes(32)))
    yield said("scalar_unreduced", "s_x and q", proof=b64(unb64(body["proof"])[:48] + b"\xff" * 32))
    yield said("bit", "a flipped bit of the proof", proof=flipped(body["proof"]))
    twice = ExamplePlace(HEARTS, "lock", "2")
    second = twice.then(twice.real)
    again = second.said(2, "lock", {k: v for k, v in twice.real.body.items() if k != "seen"})
    yield second.vector("lock_twice", "a second lock of seat 2", again, section)


def _mixes() -> Iterator[Vector]:
    own = ExamplePlace(CRIBBAGE, "mix", "0")
    body, pack = own.real.body, pack_of(own.game)
    before, after = pack.to_mix(own.game.rules), unb64(body["pack"])
    asked = dict(own.game.recent)[own.game.asking.opened] if own.game.asking else b""
    secret, n = own.secret(0), len(before)
    order, t = secret.mix_permutation(asked, n), [secret.mix_blinding(asked, i) for i in range(n)]
    ctx, section = context(own.game, 0, own.game.step, "mix"), "protocol 20.5"

    def said(name: str, why: str, **changes: Any) -> Vector:
        return own.vector(f"mix_{name}", why, own.again(**changes), section)

    def falsely(name: str, why: str, cards: Sequence[lock.Pair], chosen: Sequence[int]) -> Vector:
        proof = mix.prove_unchecked(ctx, pack.joint, before, cards, chosen, t, secret.masks(NO_FRESH))
        return said(name, why, pack=b64(lock.pack_bytes(cards)), proof=b64(proof))

    twice = [order[1], *order[1:]]
    yield falsely(
        "card_doubled", "one card twice, another not", mix.mixed(pack.joint, before, twice, t), twice
    )
    deck = deck_of(own.game.rules, pack.pack)
    bare = lock.open_pack([deck.points[face] for face in pack.pack], pack.joint)
    yield falsely(
        "of_the_open_pack", "the house's mix is passed over", mix.mixed(pack.joint, bare, order, t), order
    )
    yield said("shorter", "51 cards", pack=b64(after[:-96]))
    yield said("bit", "a flipped bit of the proof", proof=flipped(body["proof"]))


def _shares() -> Iterator[Vector]:
    own = ExamplePlace(CRIBBAGE, "share", "0", 1)
    body, pack, key = own.real.body, pack_of(own.game), own.key(0)
    owned, section = to_share(own.game, 0), "protocol 20.7"
    true = [D for _, D in own.pairs(owned, key)]
    wrong = lock.less(true[0], [true[1]])

    def falsely(name: str, why: str, shares: Sequence[bytes], **other: Any) -> Vector:
        """Shares with the proof that the honest prover's code gives for them."""
        pairs = [(pack.at(p).a, D) for p, D in zip(owned, shares, strict=True)]
        proof = own.prove(0, "share", linear.Statement(pack.locks[0], pairs), **other)
        entry = own.again(shares=b64(lock.joined(shares)), proof=proof)
        return own.vector(f"share_{name}", why, entry, section)

    yield falsely("false", "one is no share", [wrong, *true[1:]])
    # D_0 - D_1 and D_1 + D_1 add up to what the two true ones do.
    yield falsely("two_false", "two by opposite amounts", [wrong, lock.joint([true[1], true[1]]), *true[2:]])
    yield falsely("exchanged", "two exchanged", [true[1], true[0], *true[2:]])
    mine = [D for _, D in own.pairs(range(6), key)]
    yield falsely("of_its_own_cards", "the shares of its own cards", mine)
    theirs = own.key(1)
    yield falsely("by_another_lock", "by seat 1's key", [D for _, D in own.pairs(owned, theirs)], key=theirs)
    for name, why, positions in (
        ("left_out", "five shares, where six are due", owned[1:]),
        ("one_more", "a share of a card of the stock as well", (*owned, 20)),
    ):
        pairs = own.pairs(positions, key)
        proof = own.prove(0, "share", linear.Statement(pack.locks[0], pairs))
        entry = own.again(shares=b64(lock.joined(D for _, D in pairs)), proof=proof)
        yield own.vector(f"share_{name}", why, entry, section)
    later = ExamplePlace(CRIBBAGE, "share", "1", 1).real
    before = own.said(1, "share", {"shares": later.body["shares"], "proof": later.body["proof"]})
    yield own.vector("share_out_of_order", "seat 1 before seat 0", before, section)
    yield own.vector("share_bit", "a flipped bit", own.again(proof=flipped(body["proof"])), section)


# --- Void deals, and the house


def _annulled() -> Iterator[Vector]:
    own, section = ExamplePlace(HEARTS, "annul", "house"), "protocol 20.9"
    second = ExamplePlace(HEARTS, "timeout", "house", 2)
    first = ExamplePlace(HEARTS, "timeout", "house", 0)
    seats = own.real.body["seats"]
    other = (seats[0] + 1) % 3
    yield first.vector("annul_without_cause", "nobody is late", first.entry("annul", own.real.body), section)
    yield second.vector(
        "annul_after_two", "the seat may still answer", second.entry("annul", own.real.body), section
    )
    yield own.vector("annul_another_seat", "another seat", own.houses(seats=[other]), section)
    yield own.vector("annul_more_seats", "one more seat", own.houses(seats=sorted([*seats, other])), section)
    yield own.vector("annul_nobody", "no seat", own.houses(seats=[]), section)
    yield own.vector(
        "annul_another_deal", "another deal", own.houses(deal=own.real.body["deal"] + 1), section
    )
    before = own.entry("lock", ExamplePlace(HEARTS, "lock", "house", 1).real.body)
    yield own.vector("annul_left_out", "the next lock, where `annul` is due", before, section)
    ends = ExamplePlace(CRIBBAGE, "annul", "house")
    yield ends.vector(
        "annul_left_out_at_the_end",
        "the result, where `annul` is due",
        ends.entry("result", ends.after[1].body),
        section,
    )
    out = ExamplePlace(HEARTS, "lock", str(other), 1)
    yield out.vector(
        "annul_out_locks_again",
        "who is out has no lock in the next deal",
        out.said(seats[0], "lock", out.lock(seats[0])),
        section,
    )


def last_attempt() -> tuple[int, int]:
    """In hearts: the seat with a lock in the last attempt, and the one that did not mix before."""
    entries = GAMES[HEARTS]().table.entries
    silent = next(e.body["seat"] for e in entries if e.kind == "timeout" and e.body["kind"] == "mix")
    return int([e.actor for e in entries if e.kind == "lock"][-1]), silent


def _house() -> Iterator[Vector]:
    for kind, due, section in (
        ("lock", "its lock", "protocol 20.2"),
        ("mix", "its mix", "protocol 20.2"),
        ("share", "its share", "protocol 20.2"),
    ):
        own = ExamplePlace(HEARTS, kind, "house")
        reply = own.after[1]
        said = own.said(int(reply.actor), kind, {k: v for k, v in reply.body.items() if k != "seen"})
        yield own.vector(f"house_without_{kind}", f"a seat's, where the house owes {due}", said, section)
        field = {"lock": "proof", "mix": "proof", "share": "proof"}[kind]
        entry = own.houses(**{field: flipped(own.real.body[field])})
        yield own.vector(f"house_{kind}_bit", "a flipped bit of the house's proof", entry, section)
    locked = ExamplePlace(HEARTS, "lock", "house")
    theirs = ExamplePlace(HEARTS, "lock", "1").real.body
    entry = locked.houses(lock=theirs["lock"], proof=theirs["proof"])
    yield locked.vector("house_another_s_lock", "seat 1's lock", entry, "protocol 20.4")
    share = ExamplePlace(HEARTS, "share", "0")
    dealt = ExamplePlace(HEARTS, "deal", "house", 1)
    early = share.entry("deal", dealt.real.body, step=share.game.step + 1)
    yield share.vector("house_deals_early", "a deal, before all have shared", early, "protocol 20.7")
    chain = dealt.table.keeper.chain
    section = "protocol 20.7"
    yield dealt.vector(
        "house_deal_link", "a link, where there is none", dealt.houses(link=b64(chain.link(2))), section
    )
    yield dealt.vector("house_deal_number", "deal 3, where 2 is due", dealt.houses(deal=3), section)
    fewer = [{"seat": None, "count": 50}]
    yield dealt.vector("house_deal_fewer", "a card less", dealt.houses(drawn=fewer), section)
    left, silent = last_attempt()
    excluded = ExamplePlace(HEARTS, "lock", str(left), 2)
    yield excluded.vector(
        "house_excluded_locks",
        "who was silent has no lock in the new attempt",
        excluded.said(silent, "lock", excluded.lock(silent)),
        "protocol 20.2",
    )


def _forms() -> Iterator[Vector]:
    own, section = ExamplePlace(CRIBBAGE, "lock", "0"), "protocol 20.4"
    yield own.vector("form_deal_true", "true is not 1", own.again(deal=True), section)
    yield own.vector("form_more_fields", "a field too many", own.again(more=1), section)
    real = own.real
    signed = {"actor": "00", "signature": real.player_signature, "step": real.step, "at": real.at}
    yield own.vector(
        "form_actor", "no seat is called 00", own.entry("lock", real.body, **signed), "protocol 10.4"
    )
    yield _house_seen()
    share = ExamplePlace(CRIBBAGE, "share", "0", 1)
    body = share.real.body
    cut = b64(unb64(body["shares"])[:-1])
    yield share.vector(
        "form_half_a_point", "no whole number of points", share.again(shares=cut), "protocol 20.3"
    )
    annul = ExamplePlace(HEARTS, "annul", "house")
    yield annul.vector("form_annul_true", "true is not 1", annul.houses(deal=True), "protocol 20.9")
    seek = seeking(found=False)
    seat = seek.seat
    yield seek.vector(
        "form_position_true",
        "true is not 1",
        seek.again(positions=[True], shares=b64(bytes(48))),
        "protocol 20.8",
    )
    empty = linear.Claim((), seek.game.rules.facts.traits, ["X"])
    h = pack_of(seek.game).locks[seat]
    counts = [0 for _ in empty.others]
    proof = seek.prove(seat, "unlock", linear.Statement(h, (), empty), counts=counts)
    yield seek.vector(
        "form_claim_of_nothing",
        "a claim over no positions",
        seek.said(seat, "unlock", {"positions": [], "proof": proof}),
        "protocol 20.6",
    )


def _house_seen() -> Vector:
    own = ExamplePlace(HEARTS, "lock", "house")
    seen = {"seq": own.game.seq, "digest": b64(own.game.digest)}
    entry = own.houses(seen=seen)
    return own.vector("form_house_seen", "the house's messages have no `seen`", entry, "protocol 20.4")


PARTS: dict[str, Callable[[], Iterator[Vector]]] = {
    "lock": _locks,
    "mix": _mixes,
    "share": _shares,
    **PLAY,
    "annul": _annulled,
    "house": _house,
    "form": _forms,
    **STOCK,
}
"""What makes the vectors, by the first word of their names."""
