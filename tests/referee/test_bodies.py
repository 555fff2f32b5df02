"""The body of every message field by field: each wrong in turn, with its code and pointer to the letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from crypto.encoding import b64
from referee import Refused, bodies
from tests.referee.forger import at_path, refused, without
from tests.referee.published_kit import published

SEEN = {"seq": 7, "digest": b64(bytes(range(64)))}
LINK = b64(bytes(range(64)))
SCALAR = b64(bytes(31) + b"\x05")
"""The scalar 5."""
ORDER = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
"""q, in hexadecimal (protocol section 1)."""
OPENING = {"position": 39, "number": 2**32 - 1, "blinding": SCALAR}

Reader = Callable[[Mapping[str, Any]], object]
READERS: dict[str, Reader] = {
    "enter": bodies.enter_with_deck,
    "enter with a house's pack": bodies.enter,
    "link": bodies.link,
    "move": lambda body: bodies.move(body, dealerless=False),
    "seal": lambda body: bodies.seal(body, envelopes=True),
    "reveal": lambda body: bodies.reveal(body, early_links=False),
    "reveal with a link": lambda body: bodies.reveal(body, early_links=True),
    "ready": bodies.bare,
}
GOOD: dict[str, dict[str, Any]] = {
    "enter": {
        "anchor": LINK,
        "certificate": {"any": "thing"},
        "positions": [b64(bytes([i]) * 48) for i in range(40)],
        "proof": b64(bytes(4240)),
    },
    "enter with a house's pack": {"anchor": LINK},
    "link": {"deal": 1024, "link": LINK},
    "move": {"move": {"choice": "keep"}},
    "seal": {"seal": b64(bytes(48)), "proof": b64(bytes(1408)), "envelope": b64(bytes(8192))},
    "reveal": {"choice": {"dishes": []}, "blinding": SCALAR, "openings": [OPENING]},
    "reveal with a link": {"choice": {}, "blinding": SCALAR, "openings": [], "link": LINK},
    "ready": {},
}
for _body in GOOD.values():
    _body["seen"] = SEEN

SAID = bytes(range(64))
READ: dict[str, object] = {
    "enter": bodies.EnterWithDeck(
        SAID, {"any": "thing"}, tuple(bytes([i]) * 48 for i in range(40)), bytes(4240)
    ),
    "enter with a house's pack": bodies.Enter(SAID),
    "link": bodies.Link(1024, SAID),
    "move": bodies.MoveBody({"choice": "keep"}),
    "seal": bodies.Seal(bytes(48), bytes(1408), bytes(8192)),
    "reveal": bodies.Reveal({"dishes": []}, 5, (bodies.Opening(39, 2**32 - 1, 5),), None),
    "reveal with a link": bodies.Reveal({}, 5, (), SAID),
    "ready": None,
}
kinds = pytest.mark.parametrize("kind", sorted(READERS))


@kinds
def test_a_body_is_read(kind: str) -> None:
    assert READERS[kind](GOOD[kind]) == READ[kind]


@kinds
def test_a_body_has_all_its_fields_and_no_other(kind: str) -> None:
    for name in GOOD[kind]:
        if (kind, name) == ("seal", "envelope"):
            assert READERS[kind](without(GOOD[kind], name)) == bodies.Seal(bytes(48), bytes(1408), None)
            continue
        with refused("missing_field", f"/{name}"):
            READERS[kind](without(GOOD[kind], name))
    for name in ("more", "link" if kind == "reveal" else "note"):
        with refused("unknown_field", f"/{name}"):
            READERS[kind]({**GOOD[kind], name: LINK})
    for odd in ([], "", None):
        with refused("bad_shape", ""):
            READERS[kind](odd)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("kind", "path", "value", "code"),
    [
        ("enter", ["anchor"], b64(bytes(63)), "bad_bytes"),
        ("enter", ["certificate"], [], "bad_shape"),
        ("enter", ["certificate"], None, "bad_shape"),
        ("enter", ["positions"], {}, "bad_list"),
        ("enter", ["positions"], [b64(bytes(48))] * 39, "bad_length"),
        ("enter", ["positions"], [b64(bytes(48))] * 41, "bad_length"),
        ("enter", ["positions", 0], b64(bytes(47)), "bad_bytes"),
        ("enter", ["positions", 39], b64(bytes(49)), "bad_bytes"),
        ("enter", ["proof"], b64(bytes(4239)), "bad_bytes"),
        ("enter", ["proof"], b64(bytes(4241)), "bad_bytes"),
        ("enter with a house's pack", ["anchor"], b64(bytes(65)), "bad_bytes"),
        ("link", ["deal"], 0, "bad_integer"),
        ("link", ["deal"], 1025, "bad_integer"),
        ("link", ["deal"], "1", "bad_integer"),
        ("link", ["link"], b64(bytes(63)), "bad_bytes"),
        ("move", ["move"], [], "bad_shape"),
        ("seal", ["seal"], b64(bytes(49)), "bad_bytes"),
        ("seal", ["proof"], 7, "bad_bytes"),
        ("seal", ["envelope"], None, "bad_bytes"),
        ("seal", ["envelope"], b64(bytes(48)), "bad_length"),
        ("seal", ["envelope"], b64(bytes(8193)), "bad_length"),
        ("reveal", ["choice"], [], "bad_shape"),
        ("reveal", ["blinding"], b64(bytes(31)), "bad_bytes"),
        ("reveal", ["blinding"], b64(bytes.fromhex(ORDER)), "bad_scalar"),
        ("reveal", ["openings"], {}, "bad_list"),
        ("reveal", ["openings", 0], [], "bad_shape"),
        ("reveal", ["openings", 0], without(OPENING, "position"), "missing_field /position"),
        ("reveal", ["openings", 0], without(OPENING, "number"), "missing_field /number"),
        ("reveal", ["openings", 0], without(OPENING, "blinding"), "missing_field /blinding"),
        ("reveal", ["openings", 0], {**OPENING, "card": 1}, "unknown_field /card"),
        ("reveal", ["openings", 0, "position"], -1, "bad_integer"),
        ("reveal", ["openings", 0, "position"], 40, "bad_integer"),
        ("reveal", ["openings", 0, "number"], 0, "bad_integer"),
        ("reveal", ["openings", 0, "number"], 2**32, "bad_integer"),
        ("reveal", ["openings", 0, "blinding"], b64(bytes(33)), "bad_bytes"),
        ("reveal", ["openings", 0, "blinding"], b64(bytes.fromhex(ORDER)), "bad_scalar"),
        ("reveal with a link", ["link"], b64(bytes(32)), "bad_bytes"),
    ],
)
def test_a_field_of_a_body(kind: str, path: list[str | int], value: object, code: str) -> None:
    code, _, beneath = code.partition(" ")
    with refused(code, "/" + "/".join(map(str, path)) + beneath):
        READERS[kind](at_path(GOOD[kind], path, value))


def test_the_least_that_a_field_may_be() -> None:
    assert bodies.link({**GOOD["link"], "deal": 1}) == bodies.Link(1, SAID)
    small = {"position": 0, "number": 1, "blinding": b64(bytes(32))}
    found = bodies.reveal({**GOOD["reveal"], "openings": [small]}, early_links=False)
    assert found.openings == (bodies.Opening(0, 1, 0),)
    assert bodies.reveal({**GOOD["reveal with a link"], "link": None}, early_links=True).link is None
    assert bodies.seal({**GOOD["seal"], "envelope": b64(bytes(49))}, envelopes=True).envelope == bytes(49)


def test_the_largest_scalar_is_one_below_the_order() -> None:
    largest = int(ORDER, 16) - 1
    body = {**GOOD["reveal"], "blinding": b64(largest.to_bytes(32, "big"))}
    assert bodies.reveal(body, early_links=False).blinding == largest


def test_an_envelope_where_the_house_has_no_key_for_it() -> None:
    with refused("no_envelopes", "/envelope"):
        bodies.seal(GOOD["seal"], envelopes=False)
    # That it can't be taken is said first, whatever it is.
    with refused("no_envelopes", "/envelope"):
        bodies.seal({**GOOD["seal"], "envelope": None}, envelopes=False)
    assert bodies.seal(without(GOOD["seal"], "envelope"), envelopes=False).envelope is None


@pytest.mark.parametrize(
    ("seen", "code", "pointer"),
    [
        ([], "bad_shape", "/seen"),
        (without(SEEN, "seq"), "missing_field", "/seen/seq"),
        (without(SEEN, "digest"), "missing_field", "/seen/digest"),
        ({**SEEN, "more": 1}, "unknown_field", "/seen/more"),
        ({**SEEN, "seq": -1}, "bad_integer", "/seen/seq"),
        ({**SEEN, "seq": 2**32}, "bad_integer", "/seen/seq"),
        ({**SEEN, "digest": b64(bytes(63))}, "bad_bytes", "/seen/digest"),
    ],
)
def test_a_field_of_seen(seen: object, code: str, pointer: str) -> None:
    with refused(code, pointer):
        bodies.seen({"seen": seen})


def test_seen_names_one_of_the_first_2_to_the_32_entries() -> None:
    for seq in (0, 2**32 - 1):
        assert bodies.seen({"seen": {**SEEN, "seq": seq}}) == bodies.Seen(seq, SAID)


def test_a_proof_has_the_size_of_its_hand_and_courses() -> None:
    for vector in published("meal"):
        given, proof = vector["input"], bytes.fromhex(vector["output"]["proof"])
        assert len(proof) == bodies.proof_size(len(given["hand"]), given["courses"])


def test_a_fields_name_in_a_pointer() -> None:
    for name, pointer in (("a/b", "/a~1b"), ("a~b", "/a~0b"), ("~1", "/~01"), ("\ud800", "/?"), ("é", "/é")):
        with refused("unknown_field", pointer):
            bodies.bare({"seen": SEEN, name: 1})


def test_json_values_that_python_takes_for_the_same() -> None:
    assert not bodies.same_json([True, 0], [1, False])
    assert bodies.same_json({"a": 1, "b": [None]}, {"b": [None], "a": 1})


def test_the_ranges_of_plain_values() -> None:
    assert bodies.integer(2**53 - 1, "/n") == 2**53 - 1
    assert bodies.integer(0, "/n") == 0
    for wrong in (2**53, -1, 1.0, None, True):
        with refused("bad_integer", "/n"):
            bodies.integer(wrong, "/n")
    assert bodies.text("x" * 200, "/t") == "x" * 200
    assert bodies.text("x", "/t") == "x"
    for odd in ("", "x" * 201, 7, ["x"]):
        with refused("bad_text", "/t"):
            bodies.text(odd, "/t")
    assert bodies.octets("", "/o") == b""
    with refused("bad_bytes", "/o"):
        bodies.octets("A", "/o")
    assert bodies.instant("1970-01-01T00:00:00.007Z", "/at") == 7
    for odd_time in ("1970-01-01", ""):
        with pytest.raises(Refused) as caught:
            bodies.instant(odd_time, "/at")
        assert (caught.value.code, caught.value.pointer) == ("bad_time" if odd_time else "bad_text", "/at")


def test_the_sizes_of_the_protocol() -> None:
    sizes = (bodies.DIGEST, bodies.POINT, bodies.SCALAR, bodies.KEY, bodies.SIGNATURE)
    assert sizes == (64, 48, 32, 32, 64)
    assert (bodies.SHUFFLE_PROOF, bodies.BODY_LIMIT, bodies.ENVELOPE_LIMIT) == (4240, 65536, 8192)


@pytest.mark.parametrize("name", ["shares", "proof"])
def test_only_where_nobody_deals_a_move_shows_cards_under_locks(name: str) -> None:
    body = {**GOOD["move"], name: b64(bytes(96))}
    assert getattr(bodies.move(body, dealerless=True), name) == bytes(96)
    given = {"own_decks": True, "envelopes": True, "early_links": False}
    assert getattr(bodies.read("move", body, **given, dealerless=True), name) == bytes(96)
    with refused("unknown_field", f"/{name}"):
        bodies.move(body, dealerless=False)
    with refused("unknown_field", f"/{name}"):
        bodies.read("move", body, **given, dealerless=False)


def test_a_body_is_read_by_its_kind() -> None:
    given = {"own_decks": True, "envelopes": True, "early_links": False, "dealerless": False}
    for kind in ("enter", "link", "move", "seal", "reveal"):
        assert bodies.read(kind, GOOD[kind], **given) == READ[kind]
    bare = {"ready": bodies.Ready(), "resign": bodies.Resign(), "draw": bodies.DrawOffer()}
    for kind, found in bare.items():
        assert bodies.read(kind, GOOD["ready"], **given) == found
        with refused("unknown_field", "/more"):
            bodies.read(kind, {**GOOD["ready"], "more": 1}, **given)
    with refused("bad_kind", "/kind"):
        bodies.read("pass", GOOD["ready"], **given)
