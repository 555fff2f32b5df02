"""Deterministic examples of every primitive, as plain JSON values: the published test vectors.

Each function gives one group of vectors: a list of {"name", "input", "output"} whose leaves are texts
(bytes in hexadecimal), integers or lists. Secret inputs are fixed and `fresh` is zero (protocol section
12), so the result is the same on every machine and on both engines. `GROUPS` names them all.
"""

from __future__ import annotations

from collections.abc import Callable

from crypto import fairness
from crypto.certificate import blinding, card_points
from crypto.encoding import b64, canonical, i2osp, timestamp, uuid_bytes
from crypto.group import A, G, H, card_point, commit, encode_point, gen
from crypto.identity import public_key, sign
from crypto.secret import DECK_SIZE, Masks, MatchSecret
from crypto.transcript import Transcript, to_scalar, tuple_hash
from vectors.bad_bytes import bad_encodings, bad_envelopes, bad_links, bad_signatures
from vectors.bad_meals import bad_meals
from vectors.bad_shuffles import bad_shuffles
from vectors.bad_tables import bad_linears, bad_mixes
from vectors.example import (
    GAME,
    HOUSE_CHAIN_END,
    HOUSE_PRIVATE_KEY,
    NO_FRESH,
    PRIVATE_KEYS,
    SEAT,
    SECRETS,
    Vector,
    case,
    deck,
    envelopes,
    hexes,
    meals,
    scalar,
    shuffles,
)
from vectors.tables import linears, locks, mixes


def encodings() -> list[Vector]:
    """Integers, base64url, canonical JSON, ids and times (section 1)."""
    value = {"b": [1, True, None], "a": "Crème brûlée\n", "\u20ac": -(2**53 - 1), "\U0001f373": {}}
    return [
        case("i2osp", {"n": 258, "k": 4}, i2osp(258, 4).hex()),
        case("base64url", {"bytes": "00fbff"}, b64(bytes.fromhex("00fbff"))),
        case("canonical", {"value": value}, canonical(value).hex()),
        case("uuid", {"text": GAME}, uuid_bytes(GAME).hex()),
        case("timestamp", {"ms": 1795168800007}, timestamp(1795168800007)),
    ]


def tuple_hashes() -> list[Vector]:
    """TH with no, empty and several parts, and other lengths (section 2)."""
    cases: list[tuple[str, tuple[bytes, ...], int]] = [
        ("chain", (), 64),
        ("chain", (b"",), 64),
        ("chain", (b"", b""), 64),
        ("seal", (b"ab", b"c"), 16),
        ("seal", (b"a", b"bc"), 16),
        ("certificate-seed", (SECRETS[0],), 32),
        ("cards", (bytes(200),), 64),
    ]
    return [
        case(
            "tuple_hash",
            {"label": label, "parts": hexes(parts), "length": length},
            tuple_hash(label, *parts, length=length).hex(),
        )
        for label, parts, length in cases
    ]


def transcripts() -> list[Vector]:
    """Challenges of a transcript, in order (section 2)."""
    calls: list[tuple[str, str, list[str]]] = [
        ("absorb", "hand", []),
        ("absorb", "meal", ["00", "", "0102"]),
        ("challenge", "x", []),
        ("challenge", "x", []),
        ("absorb", "more", ["ff"]),
        ("challenge", "y", []),
    ]
    talk, challenges = Transcript("meal", b"ctx"), []
    for verb, name, parts in calls:
        if verb == "absorb":
            talk.absorb(name, *map(bytes.fromhex, parts))
        else:
            challenges.append(scalar(talk.challenge(name)))
    return [
        case(
            "transcript",
            {"label": "meal", "ctx": b"ctx".hex(), "calls": [list(call) for call in calls]},
            challenges,
        ),
        case("to_scalar", {"digest": "ff" * 64}, scalar(to_scalar(b"\xff" * 64))),
    ]


def generators() -> list[Vector]:
    """H, A_0..A_6, some of the G_i, and a name that is used nowhere else (section 3)."""
    named = [("H", H()), *((f"A_{k}", A(k)) for k in range(7))]
    named += [(f"G_{i}", G(i)) for i in (*range(8), 39, 98, 162)]
    return [
        case("gen", {"name": "example"}, encode_point(gen("example")).hex()),
        *(case("generator", {"symbol": symbol}, encode_point(point).hex()) for symbol, point in named),
    ]


def commitments() -> list[Vector]:
    """Com and Card, with negative entries and scalars next to q (sections 3 and 4)."""
    lists: list[tuple[list[int], int]] = [([], 1), ([1, 0, 2], 7), ([-1, 5], 2**255), ([0] * 4, 3), ([3], -1)]
    cards = [(1001, 0, 1, 0, 0, 0, 0), (1101, 1, -1, 0, -2, 0, 0), (2**32 - 1, 1, 0, 0, 0, 0, -40)]
    return [
        *(
            case("commit", {"values": values, "blinding": scalar(r)}, commit(values, r).hex())
            for values, r in lists
        ),
        *(
            case("card", {"vector": list(a), "blinding": scalar(r)}, card_point(a, r).hex())
            for r, a in enumerate(cards)
        ),
    ]


def secrets() -> list[Vector]:
    """The values that follow from each match secret, and masks (section 12)."""
    found = []
    for w in SECRETS:
        own = MatchSecret(w)
        output = {
            "position_blindings": [scalar(own.position_blinding(i)) for i in range(DECK_SIZE)],
            "certificate_seed": own.certificate_seed.hex(),
            "anchor": own.chain.anchor.hex(),
            "permutation": list(own.permutation),
        }
        found.append(case("match_secret", {"secret": w.hex()}, output))
    masks = Masks(SECRETS[0], b"ctx", b'{"dishes":[]}', NO_FRESH)
    inputs = {"secret": SECRETS[0].hex(), "ctx": b"ctx".hex(), "witness": b'{"dishes":[]}'.hex()}
    inputs["fresh"] = NO_FRESH.hex()
    return [*found, case("masks", inputs, [scalar(masks.mask(j)) for j in (0, 1, 2, 255, 65536)])]


def certificates() -> list[Vector]:
    """s_j and D_j of the example deck under seat 0's seed (section 5)."""
    c = MatchSecret(SECRETS[SEAT]).certificate_seed
    inputs = {"seed": c.hex(), "vectors": [list(vector) for vector in deck()]}
    output = {
        "blindings": [scalar(blinding(c, j)) for j in range(DECK_SIZE)],
        "cards": hexes(card_points(c, deck())),
    }
    return [case("certificate", inputs, output)]


def chains() -> list[Vector]:
    """The house's chain and the links that it opens (section 7)."""
    chain = fairness.Chain(HOUSE_CHAIN_END)
    output = {
        "anchor": chain.anchor.hex(),
        "links": hexes(map(chain.link, (1, 2, 3, fairness.CHAIN_LENGTH))),
    }
    return [case("chain", {"end": HOUSE_CHAIN_END.hex(), "links": [1, 2, 3, fairness.CHAIN_LENGTH]}, output)]


def draws() -> list[Vector]:
    """Seed, streams, uniform indices and draws (section 7)."""
    house = fairness.Chain(HOUSE_CHAIN_END)
    seats = [MatchSecret(w).chain for w in SECRETS]
    anchors, links = [chain.anchor for chain in seats], [chain.link(1) for chain in seats]
    game = uuid_bytes(GAME)
    z = fairness.seed(game, house.anchor, anchors, links)
    seed_inputs = {"game": game.hex(), "house_anchor": house.anchor.hex()}
    seed_lists = {"commitments": hexes(anchors), "first_links": hexes(links)}
    common = {"seed": z.hex(), "deal": 1, "house_link": house.link(1).hex()}
    pool = list(range(3, DECK_SIZE))

    def own(other: bytes) -> fairness.Stream:
        return fairness.own_stream(z, 1, house.link(1), other, SEAT)

    pack = fairness.common_stream(z, 1, house.link(1), [links[0], b""])
    bounds = [1, 2, 40, 2**32 + 1, 2**63 + 1, 2**63 + 1, 2**63 + 1, 6, 6]
    stream = own(links[1])
    return [
        case("seed", {**seed_inputs, **seed_lists}, z.hex()),
        case(
            "below",
            {**common, "other_link": links[1].hex(), "seat": SEAT, "bounds": [str(n) for n in bounds]},
            [str(stream.below(n)) for n in bounds],
        ),
        *(
            case(
                "own_draw",
                {**common, "other_link": other.hex(), "seat": SEAT, "pool": pool, "count": count},
                list(fairness.draw(own(other), pool, count)),
            )
            for other, count in ((links[1], 6), (b"", 6), (links[1], 50))
        ),
        case(
            "common_draw",
            {**common, "links": [links[0].hex(), ""], "pool": list(range(52)), "count": 52},
            list(fairness.draw(pack, range(52), 52)),
        ),
    ]


def signatures() -> list[Vector]:
    """Keys, and a signature over a message's and over a receipt's digest (section 10)."""
    body = {"seen": {"seq": 3, "digest": b64(bytes(64))}}
    message = tuple_hash("message", uuid_bytes(GAME), i2osp(1, 4), i2osp(SEAT, 1), b"ready", canonical(body))
    inputs = {"game": GAME, "step": 1, "seat": SEAT, "kind": "ready", "body": body}
    signature = sign(PRIVATE_KEYS[SEAT], message).hex()
    at = timestamp(1795168800007)
    receipt = tuple_hash("receipt", message, at.encode())
    return [
        *(
            case("public_key", {"private": private.hex()}, public_key(private).hex())
            for private in (*PRIVATE_KEYS, HOUSE_PRIVATE_KEY)
        ),
        case(
            "message",
            {**inputs, "private": PRIVATE_KEYS[SEAT].hex()},
            {"digest": message.hex(), "signature": signature},
        ),
        case(
            "receipt",
            {"message_digest": message.hex(), "at": at, "private": HOUSE_PRIVATE_KEY.hex()},
            {"digest": receipt.hex(), "signature": sign(HOUSE_PRIVATE_KEY, receipt).hex()},
        ),
    ]


GROUPS: dict[str, Callable[[], list[Vector]]] = {
    "encodings": encodings,
    "tuple_hash": tuple_hashes,
    "transcript": transcripts,
    "generators": generators,
    "commitments": commitments,
    "secrets": secrets,
    "certificate": certificates,
    "chain": chains,
    "draws": draws,
    "shuffle": shuffles,
    "meal": meals,
    "signatures": signatures,
    "envelope": envelopes,
    "locks": locks,
    "mix": mixes,
    "linear": linears,
    "bad_encodings": bad_encodings,
    "bad_signatures": bad_signatures,
    "bad_envelopes": bad_envelopes,
    "bad_links": bad_links,
    "bad_meals": bad_meals,
    "bad_shuffles": bad_shuffles,
    "bad_mixes": bad_mixes,
    "bad_linear": bad_linears,
}
"""Every group of vectors by name: one file each where they are published."""


def everything() -> dict[str, list[Vector]]:
    """All groups, computed."""
    return {name: make() for name, make in GROUPS.items()}
