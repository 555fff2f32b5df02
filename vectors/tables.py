"""The example table without a dealer behind the published test vectors (protocol section 20)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from crypto import linear, lock, mix
from crypto.encoding import canonical, uuid_bytes
from crypto.group import B, U, encode_point, engine
from crypto.identity import public_key
from crypto.lock import HOUSE, Pair
from crypto.secret import MatchSecret
from vectors.example import (
    GAME,
    HOUSE_PRIVATE_KEY,
    NO_FRESH,
    PRIVATE_KEYS,
    SECRETS,
    Vector,
    case,
    hexes,
    scalar,
)

TRAITS = ("C", "D", "H", "S", "X")
FACES = (("C",), ("C",), ("D",), ("D", "X"), ("H",), ("H",), ("S",), ("S", "X"))
"""The traits of each card of the pack; their numbers are 1 to 8."""
PARTIES = (HOUSE, 0, 1)
"""The parties in the order in which they mix."""
HANDS = {0: (0, 1, 2), 1: (3, 4, 5)}
"""The positions that each seat owns; 6 and 7 are stock."""
DEAL = 1
LOCK_STEP, MIX_STEPS, SHARE_STEP, PLAY_STEP = 2, {HOUSE: 2, 0: 3, 1: 4}, 5, 6
_SECRETS = {HOUSE: bytes(range(96, 128)), 0: SECRETS[0], 1: SECRETS[1]}
_PRIVATE = {HOUSE: HOUSE_PRIVATE_KEY, 0: PRIVATE_KEYS[0], 1: PRIVATE_KEYS[1]}


def asked(step: int) -> bytes:
    """The digest of the entry that asks this step of the example."""
    return bytes([step]) * 64


class ExampleDeal:
    """A deal of the example: its locks, mixes and shares, with all secrets."""

    def __init__(self) -> None:
        self.secrets = {party: MatchSecret(w) for party, w in _SECRETS.items()}
        self.x = {party: own.lock_key(asked(LOCK_STEP)) for party, own in self.secrets.items()}
        self.locks = {party: lock.lock(x) for party, x in self.x.items()}
        self.joint = lock.joint(self.locks.values())
        cards = [lock.card(k, traits) for k, traits in enumerate(FACES, 1)]
        self.packs = [lock.open_pack(cards, self.joint)]
        """The open pack, and what each party has made of it."""
        self.orders, self.t, self.proofs = dict[int, Sequence[int]](), dict[int, list[int]](), list[bytes]()
        order = list(range(len(FACES)))
        for party in PARTIES:
            self._mix(party)
            order = [order[j] for j in self.orders[party]]
        self.cards = [(j + 1, FACES[j]) for j in order]
        """The number and the traits of the card at each position."""
        self.pack = self.packs[-1]

    def _mix(self, party: int) -> None:
        own, d, n = self.secrets[party], asked(MIX_STEPS[party]), len(FACES)
        self.orders[party] = order = own.mix_permutation(d, n)
        self.t[party] = t = [own.mix_blinding(d, i) for i in range(n)]
        before = self.packs[-1]
        after = mix.mixed(self.joint, before, order, t)
        ctx = self.context(party, MIX_STEPS[party], "mix")
        self.proofs.append(mix.prove(ctx, self.joint, before, after, order, t, own.masks(NO_FRESH)))
        self.packs.append(after)

    def place(self, party: int, step: int, kind: str) -> Vector:
        """The parts of a context, as JSON."""
        return {
            "game": uuid_bytes(GAME).hex(),
            "step": step,
            "party": party,
            "key": public_key(_PRIVATE[party]).hex(),
            "kind": kind,
            "deal": DEAL,
        }

    def context(self, party: int, step: int, kind: str, /, **other: Any) -> bytes:
        """The context of a message, with other values where they are given."""
        parts: dict[str, Any] = {
            "game": uuid_bytes(GAME),
            "step": step,
            "party": party,
            "key": public_key(_PRIVATE[party]),
            "kind": kind,
            "deal": DEAL,
        }
        return lock.context(**{**parts, **other})

    def shares(self, party: int, positions: Sequence[int]) -> list[tuple[bytes, bytes]]:
        """The pairs (a, D) of these positions."""
        return [(self.pack[p].a, lock.share(self.x[party], self.pack[p].a)) for p in positions]

    def alone(self, seat: int, positions: Sequence[int]) -> list[Pair]:
        """The pairs of positions that the others have shared: only the seat's own lock lies on them."""
        others = [party for party in PARTIES if party != seat]
        return [
            Pair(
                self.pack[p].a,
                lock.less(self.pack[p].c, [self.shares(party, [p])[0][1] for party in others]),
            )
            for p in positions
        ]

    def claim(self, seat: int, positions: Sequence[int]) -> linear.Claim:
        """A true claim about cards of a seat: none of them has the first trait that none has."""
        held = {trait for p in positions for trait in self.cards[p][1]}
        lacking = [next(trait for trait in TRAITS if trait not in held)]
        return linear.Claim(self.alone(seat, positions), TRAITS, lacking)

    def proof(
        self, party: int, ctx: bytes, statement: linear.Statement, positions: Sequence[int] = ()
    ) -> bytes:
        """The proof of a statement, whose claim is about these positions."""
        secret = linear.witness(self.x[party], statement.claim, [self.cards[p] for p in positions])
        return linear.prove(ctx, statement, secret, self.secrets[party].masks(NO_FRESH))


@cache
def _table(engine_name: str) -> ExampleDeal:
    return ExampleDeal()


def table() -> ExampleDeal:
    """The example, made once on each engine."""
    return _table(engine().name)


def pairs_hex(pairs: Sequence[tuple[bytes, bytes]]) -> list[list[str]]:
    """Pairs of points in hexadecimal."""
    return [hexes(pair) for pair in pairs]


def locks() -> list[Vector]:
    """Points, locks, an open pack and secrets of a table without a dealer (sections 20.3, 20.4, 20.11)."""
    own = table()
    found = [case("generator", {"symbol": "U"}, encode_point(U()).hex())]
    found += [case("generator", {"symbol": f"B_{trait}"}, encode_point(B(trait)).hex()) for trait in TRAITS]
    found += [
        case("card", {"number": k, "traits": list(traits)}, lock.card(k, traits).hex())
        for k, traits in enumerate(FACES, 1)
    ]
    for party in PARTIES:
        d = asked(MIX_STEPS[party])
        inputs = {
            "secret": _SECRETS[party].hex(),
            "lock_asked": asked(LOCK_STEP).hex(),
            "mix_asked": d.hex(),
        }
        output = {
            "key": scalar(own.x[party]),
            "lock": own.locks[party].hex(),
            "permutation": list(own.orders[party]),
            "blindings": [scalar(t) for t in own.t[party]],
        }
        found.append(case("secrets", inputs, output))
    masks = own.secrets[0].masks(NO_FRESH)(bytes(64), canonical([1, 0]))
    inputs = {"secret": SECRETS[0].hex(), "state": bytes(64).hex(), "witness": canonical([1, 0]).hex()}
    found.append(case("masks", {**inputs, "fresh": NO_FRESH.hex()}, [scalar(next(masks)) for _ in range(3)]))
    place = own.place(0, PLAY_STEP, "move")
    found.append(case("context", place, own.context(0, PLAY_STEP, "move").hex()))
    every = hexes(own.locks.values())
    cards = [lock.card(k, traits) for k, traits in enumerate(FACES, 1)]
    found.append(case("joint", {"locks": every}, own.joint.hex()))
    found.append(
        case("open_pack", {"joint": own.joint.hex(), "cards": hexes(cards)}, pairs_hex(own.packs[0]))
    )
    taken = [D for party in PARTIES for _, D in own.shares(party, [6])]
    given: Vector = {"c": own.pack[6].c.hex(), "shares": hexes(taken)}
    found.append(case("less", given, lock.less(own.pack[6].c, taken).hex()))
    return found


def mixes() -> list[Vector]:
    """The house and two seats mix a pack of eight cards (section 20.5)."""
    own, found = table(), []
    for i, party in enumerate(PARTIES):
        d = asked(MIX_STEPS[party])
        inputs = own.place(party, MIX_STEPS[party], "mix") | {
            "joint": own.joint.hex(),
            "before": pairs_hex(own.packs[i]),
            "secret": _SECRETS[party].hex(),
            "asked": d.hex(),
            "witness": canonical(list(own.orders[party])).hex(),
            "fresh": NO_FRESH.hex(),
        }
        output = {
            "ctx": own.context(party, MIX_STEPS[party], "mix").hex(),
            "pack": lock.pack_bytes(own.packs[i + 1]).hex(),
            "proof": own.proofs[i].hex(),
        }
        found.append(case("mix", inputs, output))
    return found


def statement_json(statement: linear.Statement) -> Vector:
    """A statement of a linear proof, in hexadecimal."""
    claim = statement.claim
    said = claim and {
        "pairs": pairs_hex(claim.pairs),
        "traits": list(claim.traits),
        "lacking": list(claim.said),
    }
    return {"lock": statement.lock.hex(), "shares": pairs_hex(statement.shares), "claim": said}


def statements() -> dict[str, tuple[int, int, str, linear.Statement, Sequence[int]]]:
    """Statements of every kind by name: party, step, kind of the entry, and the positions of the claim."""
    own = table()
    dealt = [p for hand in HANDS.values() for p in hand]

    def of(party: int, shared: Sequence[int], claimed: Sequence[int] = ()) -> linear.Statement:
        claim = own.claim(party, claimed) if claimed else None
        return linear.Statement(own.locks[party], own.shares(party, shared), claim)

    found: dict[str, tuple[int, int, str, linear.Statement, Sequence[int]]] = {
        f"lock_{'house' if party == HOUSE else party}": (party, LOCK_STEP, "lock", of(party, ()), ())
        for party in PARTIES
    }
    return found | {
        "share_house": (HOUSE, SHARE_STEP, "share", of(HOUSE, dealt), ()),
        "share_seat": (0, SHARE_STEP, "share", of(0, HANDS[1]), ()),
        "share_without_positions": (0, SHARE_STEP, "share", of(0, ()), ()),
        "unlock_stock": (1, PLAY_STEP, "unlock", of(1, (6,)), ()),
        "unlock_denied": (1, PLAY_STEP, "unlock", of(1, (), HANDS[1]), HANDS[1]),
        "move_card": (0, PLAY_STEP, "move", of(0, (0,)), ()),
        "move_card_with_claim": (0, PLAY_STEP, "move", of(0, (0,), (1, 2)), (1, 2)),
        "move_claim_alone": (1, PLAY_STEP, "move", of(1, (), (5,)), (5,)),
    }


def linears() -> list[Vector]:
    """Locks, shares, cards and claims of the example table, each with its linear proof (section 20.6)."""
    own, found = table(), []
    for name, (party, step, kind, statement, claimed) in statements().items():
        secret = linear.witness(own.x[party], statement.claim, [own.cards[p] for p in claimed])
        ctx = own.context(party, step, kind)
        inputs = own.place(party, step, kind) | statement_json(statement)
        inputs |= {
            "secret": _SECRETS[party].hex(),
            "witness": secret.data(statement.claim).hex(),
            "fresh": NO_FRESH.hex(),
        }
        proof = own.proof(party, ctx, statement, claimed)
        found.append(case(name, inputs, {"ctx": ctx.hex(), "proof": proof.hex()}))
    return found
