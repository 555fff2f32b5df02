"""The example match behind the published test vectors: its secrets and deck, and the two proofs on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from crypto import envelope, fairness, meal, shuffle
from crypto.certificate import blinding, card_points
from crypto.encoding import canonical, uuid_bytes
from crypto.group import encode_scalar
from crypto.identity import public_key
from crypto.secret import DECK_SIZE, FRESH_BYTES, Masks, MatchSecret
from crypto.transcript import tuple_hash

Vector = dict[str, Any]
"""One vector: {"name", "input", "output"}, of plain JSON values."""

GAME = "6f0c1d52-8a4e-4b7e-9d3b-2f1a5c7e9b01"
"""The game that the examples belong to."""
SECRETS = (bytes(range(32)), bytes(range(32, 64)))
"""The match secrets of its two seats."""
PRIVATE_KEYS = (bytes([0x11]) * 32, bytes([0x22]) * 32)
HOUSE_PRIVATE_KEY = bytes([0x33]) * 32
HOUSE_CHAIN_END = bytes(range(64))
ENVELOPE_PRIVATE_KEY = bytes([0x55]) * 32
SET_DIGEST = bytes(range(64, 128))
SEAT, STEP, COURSES = 0, 11, 3
NO_FRESH = bytes(FRESH_BYTES)
"""The value of `fresh` that makes a prover deterministic."""

ENVELOPE = bytes.fromhex(
    "c046990d98ddd77b7723f52943e03ae4571ab6936728e58a83fbbc044da53a077de1f28273b19f68d0bfd73bd488c88a"
    "92919b545ed70437c0bb99c5b7e60a6b08069849d682fc4e72eff18d6eed7e4364ed59957bdfda7bfc2a5574e85e34d4"
    "8a4fd00acfdcf583c4a0d062f4d93a0564c4c4fdc53719c7c191ee06d87f6d423817522281bc2ce37daf507e6f6a143c"
    "73eb5dbfccb31fcbf3bb1abd93bf31d8be413f4e1a5fc0d8e161a03518769c4378da721907e6af00f16dd59dc490d683"
    "5249eda259d56fd9d6e6249a027a63c15efe02cc8af6a97dc8790be0574789738f18f3070af52ab9e060699abedb3667"
    "7a6035fdac0391ad277dc58c862a7bf3254eb9d7a6cdd7f215a9922c0040380be01b99"
)
"""An envelope with the seal of the first meal, made once: the ephemeral key of each is random."""

_TYPES = 5


def deck() -> tuple[tuple[int, ...], ...]:
    """The vectors of an example deck: 27 ingredients that provide 1 or 2 units, 13 recipes that cost them."""
    ingredients = [
        (1001 + i, 0, *(1 + i % 2 if k == i % _TYPES else 0 for k in range(_TYPES))) for i in range(27)
    ]
    recipes = [(1101 + i, 1, *(-1 if k == i % _TYPES else 0 for k in range(_TYPES))) for i in range(13)]
    return tuple(ingredients + recipes)


def case(name: str, inputs: Vector, output: Any) -> Vector:
    """A vector from its parts."""
    return {"name": name, "input": inputs, "output": output}


def hexes(items: Iterable[bytes]) -> list[str]:
    """Byte strings in hexadecimal."""
    return [item.hex() for item in items]


def scalar(value: int) -> str:
    """A scalar's 32 bytes in hexadecimal."""
    return encode_scalar(value).hex()


class Match:
    """Seat 0 of the example game: its certificate, match deck and contexts."""

    def __init__(self) -> None:
        self.w = SECRETS[SEAT]
        self.secret = MatchSecret(self.w)
        self.key = public_key(PRIVATE_KEYS[SEAT])
        self.certificate_digest = tuple_hash("certificate", b"example")
        self.house_anchor = fairness.Chain(HOUSE_CHAIN_END).anchor
        self.anchor = self.secret.chain.anchor
        self.cards = card_points(self.secret.certificate_seed, deck())
        self.t = [self.secret.position_blinding(i) for i in range(DECK_SIZE)]
        self.positions = shuffle.positions(self.cards, self.secret.permutation, self.t)
        self.digest = shuffle.match_deck_digest(self.certificate_digest, self.positions, self.anchor)

    def opening(self, position: int) -> tuple[tuple[int, ...], int]:
        """The vector of the card at a position, and the blinding s_pi(i) + t_i that opens it."""
        j = self.secret.permutation[position]
        return deck()[j], blinding(self.secret.certificate_seed, j) + self.t[position]


def shuffles() -> list[Vector]:
    """The match deck of seat 0, its context, digest and proof (section 6)."""
    match = Match()
    ctx = shuffle.context(
        uuid_bytes(GAME), SEAT, match.key, match.certificate_digest, match.house_anchor, match.anchor
    )
    witness = canonical(list(match.secret.permutation))
    masks = Masks(match.w, ctx, witness, NO_FRESH)
    proof = shuffle.prove(ctx, match.cards, match.positions, match.secret.permutation, match.t, masks)
    inputs = {
        "game": uuid_bytes(GAME).hex(),
        "seat": SEAT,
        "key": match.key.hex(),
        "certificate_digest": match.certificate_digest.hex(),
        "house_anchor": match.house_anchor.hex(),
        "anchor": match.anchor.hex(),
        "secret": match.w.hex(),
        "cards": hexes(match.cards),
        "witness": witness.hex(),
        "fresh": NO_FRESH.hex(),
    }
    output = {
        "ctx": ctx.hex(),
        "positions": hexes(match.positions),
        "match_deck_digest": match.digest.hex(),
        "proof": proof.hex(),
    }
    return [case("shuffle", inputs, output)]


def meals() -> list[Vector]:
    """Sealed meals of seat 0: three courses, a final round that serves nothing, an empty hand (section 8)."""
    match = Match()
    hand = sorted(match.secret.permutation.index(j) for j in (0, 1, 2, 5, 27, 28, 29, 33))
    at = {match.secret.permutation[position]: position for position in hand}
    # Appetizer: recipe 1101 with 1001; entree: an empty course; dessert: 1103 with 1003.
    choice = {"dishes": [{"course": 1, "recipe": at[27], "ingredients": [at[0]]}]}
    choice["dishes"].append({"course": 3, "recipe": at[29], "ingredients": [at[2]]})
    boxes = [1 if p in (at[27], at[0]) else 3 if p in (at[29], at[2]) else 0 for p in hand]
    nothing: Vector = {"dishes": []}
    return [
        _meal(match, "meal", hand, boxes, COURSES, choice),
        _meal(match, "meal_final", hand, [0] * len(hand), 1, nothing),
        _meal(match, "meal_empty_hand", [], [], COURSES, nothing),
    ]


def _meal(match: Match, name: str, hand: list[int], boxes: list[int], courses: int, choice: Vector) -> Vector:
    ctx = meal.context(uuid_bytes(GAME), STEP, SEAT, match.key, SET_DIGEST, match.digest, courses, hand)
    points = [match.positions[position] for position in hand]
    openings = [match.opening(position) for position in hand]
    vectors, blindings = [vector for vector, _ in openings], [r for _, r in openings]
    masks = Masks(match.w, ctx, canonical(choice), NO_FRESH)
    sealed = meal.prove(ctx, points, vectors, blindings, boxes, courses, masks)
    inputs = {
        "game": uuid_bytes(GAME).hex(),
        "step": STEP,
        "seat": SEAT,
        "key": match.key.hex(),
        "set_digest": SET_DIGEST.hex(),
        "match_deck_digest": match.digest.hex(),
        "courses": courses,
        "hand": hand,
        "points": hexes(points),
        "vectors": [list(vector) for vector in vectors],
        "blindings": [scalar(r) for r in blindings],
        "boxes": boxes,
        "secret": match.w.hex(),
        "witness": canonical(choice).hex(),
        "fresh": NO_FRESH.hex(),
    }
    output = {
        "ctx": ctx.hex(),
        "seal": sealed.seal.hex(),
        "proof": sealed.proof.hex(),
        "blinding": scalar(sealed.blinding),
        "fingerprint": meal.fingerprint(ctx, sealed.seal, sealed.proof).hex(),
    }
    return case(name, inputs, output)


def envelopes() -> list[Vector]:
    """A key, and an envelope to it opened, with a meal's context as info and its seal as aad (section 11)."""
    statement = meals()[0]["output"]
    info, aad = statement["ctx"], statement["seal"]
    private = ENVELOPE_PRIVATE_KEY
    content = envelope.unseal(private, bytes.fromhex(info), bytes.fromhex(aad), ENVELOPE)
    given = {"private": private.hex(), "info": info, "aad": aad, "envelope": ENVELOPE.hex()}
    return [
        case("envelope_key", {"private": private.hex()}, envelope.public_key(private).hex()),
        case("envelope", given, {"content": content.hex()}),
    ]
