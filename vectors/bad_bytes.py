"""Bytes that a program must refuse, each with the reason: encodings, signatures, envelopes, links.

Vectors in the manner of `vectors.primitives`: the output says what the refusal is about (`refused`), `why` in
words, and the `section` of the protocol that demands it. `refused` is what our own code says about the
input when the vector is made, so a reader that grew lax changes the vectors. Proofs that must fail stand
in `vectors.bad_meals` and `vectors.bad_shuffles`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from crypto import envelope
from crypto.edwards import L
from crypto.encoding import (
    EncodingError,
    canonical,
    i2osp,
    parse,
    parse_timestamp,
    unb64,
    uuid_bytes,
)
from crypto.engines import MODULUS
from crypto.envelope import EnvelopeError
from crypto.fairness import CHAIN_LENGTH, Chain, leads
from crypto.group import ORDER, H, decode_point, decode_scalar, encode_point
from crypto.identity import P, check_public_key, verify
from crypto.secret import MatchSecret
from crypto.transcript import ProofError
from vectors.example import ENVELOPE, ENVELOPE_PRIVATE_KEY, HOUSE_CHAIN_END, SECRETS, Vector, case, meals


class _NotCanonical(ValueError):
    """JSON in another layout than its canonical one."""


_KINDS: dict[type[Exception], str] = {
    EncodingError: "encoding",
    ProofError: "proof",
    EnvelopeError: "envelope",
    _NotCanonical: "layout",
}


def refusal(call: Callable[[], object]) -> str | None:
    """Return what the refusal of a call is about: `encoding`, `proof`, ...; None where it is taken."""
    try:
        call()
    except tuple(_KINDS) as error:
        return _KINDS[type(error)]
    return None


def bad(name: str, given: Vector, call: Callable[[], object], why: str, section: str) -> Vector:
    """A vector of an input that `call` refuses."""
    return case(name, given, {"refused": refusal(call), "why": why, "section": f"protocol {section}"})


# Encodings


def _compressed(x: int, flags: int) -> bytes:
    return (flags << 381 | x).to_bytes(48, "big")


_H_SHIFTED = bytes.fromhex(
    "82386cf5db5a0495046d61c60326480908b878ff8179761d9dc1890b234ec090fae1e8cef30e691d183d1e31aedfc568"
)
"""H + (0, 2): on the curve, its order three times that of the group."""


def _points() -> Iterable[tuple[str, bytes, str]]:
    good = encode_point(H())
    x = int.from_bytes(good, "big") & (1 << 381) - 1
    yield "empty", b"", "no bytes at all"
    yield "short", good[:-1], "47 bytes"
    yield "long", good + b"\0", "49 bytes"
    yield (
        "uncompressed_form",
        bytes([good[0] & 0x1F]) + good[1:] + bytes(48),
        "96 bytes, an uncompressed form",
    )
    yield "not_marked_compressed", _compressed(x, 0b000), "the first bit is not set"
    yield "not_marked_with_sign", _compressed(x, 0b001), "the first bit is not set, the sign is"
    yield "marked_identity_with_x", _compressed(x, 0b110), "marked as the identity, and yet it has an x"
    yield "identity", _compressed(0, 0b110), "the identity stands nowhere in this protocol"
    yield "identity_with_sign", _compressed(0, 0b111), "the identity, with a sign"
    yield "identity_with_last_bit", _compressed(1, 0b110), "the identity, with a bit behind it"
    yield "zeros", bytes(48), "48 bytes of zero"
    yield "x_is_p", _compressed(MODULUS, 0b100), "x is p, which is not reduced"
    yield "x_is_p_and_more", _compressed(MODULUS + 4, 0b100), "x is p + 4, another form of x = 4"
    yield "x_of_ones", _compressed((1 << 381) - 1, 0b100), "x has all bits set, and is not reduced"
    yield "off_the_curve", _compressed(1, 0b100), "x^3 + 4 is no square for x = 1"
    yield "order_three", _compressed(0, 0b100), "(0, 2) is on the curve and has order 3"
    yield "outside_the_subgroup", _compressed(4, 0b100), "x = 4 is on the curve, outside the subgroup"
    yield "shifted_by_order_three", _H_SHIFTED, "H + (0, 2) is on the curve, outside the subgroup"


def _scalars() -> Iterable[tuple[str, bytes, str]]:
    yield "empty", b"", "no bytes at all"
    yield "short", bytes(31), "31 bytes"
    yield "long", bytes(33), "33 bytes"
    yield "q", ORDER.to_bytes(32, "big"), "q itself: a residue has one form"
    yield "q_and_one", (ORDER + 1).to_bytes(32, "big"), "q + 1, another form of 1"
    yield "ones", b"\xff" * 32, "all bits set, far above q"
    yield "little_endian", (255).to_bytes(32, "little"), "255 little-endian: read as it should be, above q"


_BASE64URL = (
    ("padded", "AA==", "padding"),
    ("half_padded", "AA=", "padding"),
    ("one_character", "A", "no bytes have this length"),
    ("five_characters", "AAAAA", "no bytes have this length"),
    ("trailing_bits", "AB", "the last character has bits that belong to no byte"),
    ("trailing_bits_of_two", "AAB", "the last character has bits that belong to no byte"),
    ("plus", "AA+A", "a character of base64, not of base64url"),
    ("slash", "AA/A", "a character of base64, not of base64url"),
    ("space", "AA A", "a space"),
    ("newline", "AAAA\n", "a line's end"),
    ("not_ascii", "ÄAAA", "a letter outside ASCII"),
)

_IDS = (
    ("upper_case", "00010203-0405-0607-0809-0A0B0C0D0E0F", "letters in upper case"),
    ("no_hyphens", "000102030405060708090a0b0c0d0e0f", "no hyphens"),
    ("braces", "{00010203-0405-0607-0809-0a0b0c0d0e0f}", "braces"),
    ("urn", "urn:uuid:00010203-0405-0607-0809-0a0b0c0d0e0f", "a prefix"),
    ("newline", "00010203-0405-0607-0809-0a0b0c0d0e0f\n", "a line's end"),
    ("other_digits", "00010203-0405-0607-0809-0a0b0c0d0e0\u0663", "a digit outside ASCII"),
)

_TIMES = (
    ("no_milliseconds", "2026-11-20T10:00:00Z", "no milliseconds"),
    ("two_digits", "2026-11-20T10:00:00.00Z", "hundredths"),
    ("microseconds", "2026-11-20T10:00:00.000000Z", "microseconds"),
    ("lower_case_z", "2026-11-20T10:00:00.000z", "a z in lower case"),
    ("lower_case_t", "2026-11-20t10:00:00.000Z", "a t in lower case"),
    ("space", "2026-11-20 10:00:00.000Z", "a space in place of T"),
    ("offset", "2026-11-20T10:00:00.000+00:00", "an offset in place of Z"),
    ("no_such_day", "2026-02-30T10:00:00.000Z", "February has no 30th"),
    ("no_leap_year", "2026-02-29T10:00:00.000Z", "2026 is no leap year"),
    ("hour_24", "2026-11-20T24:00:00.000Z", "an hour of 24"),
    ("leap_second", "2026-12-31T23:59:60.000Z", "a leap second"),
    ("before_1970", "1969-12-31T23:59:59.999Z", "before 1970"),
    ("year_0", "0000-01-01T00:00:00.000Z", "the year 0"),
    ("other_digits", "2026-11-20T10:00:00.00\u0660Z", "a digit outside ASCII"),
)

_DOCUMENTS = (
    ("empty", b"", "no JSON"),
    ("name_twice", b'{"a":1,"a":1}', "an object names a member twice"),
    ("name_twice_inside", b'[{"a":{"b":1,"\\u0062":2}}]', "the same name twice, once escaped"),
    ("fraction", b"1.5", "a fraction"),
    ("fraction_that_is_whole", b"1.0", "written as a fraction, if a whole one"),
    ("exponent", b"1e3", "an exponent"),
    ("not_a_number", b"[NaN]", "NaN is not JSON"),
    ("infinity", b"-Infinity", "Infinity is not JSON"),
    ("too_large", b"9007199254740992", "2^53: at most 2^53 - 1"),
    ("too_small", b"[-9007199254740992]", "-2^53: at least -(2^53 - 1)"),
    ("not_utf_8", b'"\xff"', "not UTF-8"),
    ("overlong_utf_8", b'"\xc0\x80"', "not UTF-8: an overlong form"),
    ("surrogate_in_utf_8", b'"\xed\xa0\x80"', "not UTF-8: a surrogate"),
    ("byte_order_mark", b"\xef\xbb\xbf{}", "a byte order mark"),
    ("comma_too_many", b"[1,]", "a comma too many"),
    ("two_values", b"1 2", "two values"),
    ("unclosed", b'{"a":1', "not closed"),
    ("control_character", b'"\n"', "a control character that is not escaped"),
    ("too_deep", b"[" * 65 + b"]" * 65, "nested 65 deep: at most 64"),
)

_LAYOUTS = (
    ("space", b'{"a": 1}', "a space"),
    ("newline", b"{}\n", "a line's end behind it"),
    ("members_out_of_order", b'{"b":1,"a":2}', "members not in order"),
    (
        "members_by_code_point",
        '{"\ufb33":1,"\U0001f600":2}'.encode(),
        "members are ordered by UTF-16 code units: the surrogates of U+1F600 come before U+FB33",
    ),
    ("escaped_letter", b'"\\u0061"', "a letter escaped without need"),
    ("escaped_slash", b'"\\/"', "a slash escaped"),
    ("long_escape", b'"\\u000a"', "\\n has a short escape"),
    ("upper_case_escape", b'"\\u000F"', "an escape in upper case"),
    ("minus_zero", b"-0", "zero has no sign"),
)


def _canonical_bytes(data: bytes) -> None:
    if canonical(parse(data)) != data:
        raise _NotCanonical


def bad_encodings() -> list[Vector]:
    """Points, scalars, base64url, JSON, ids, times and integers in any form but the right one (section 1)."""

    def of(form: str, read: Callable[[Any], object], listed: Iterable[tuple[str, Any, str]]) -> list[Vector]:
        return [
            bad(
                f"{form}_{name}",
                {"form": form, **({"text": value} if isinstance(value, str) else {"bytes": value.hex()})},
                partial(read, value),
                why,
                "1",
            )
            for name, value, why in listed
        ]

    integers = [
        ("too_large", 256, 1, "256 needs two bytes"),
        ("negative", -1, 4, "a negative number has no I2OSP"),
    ]
    return [
        *of("point", decode_point, _points()),
        *of("scalar", decode_scalar, _scalars()),
        *of("base64url", unb64, _BASE64URL),
        *of("json", parse, _DOCUMENTS),
        *of("canonical", _canonical_bytes, _LAYOUTS),
        *of("uuid", uuid_bytes, _IDS),
        *of("timestamp", parse_timestamp, _TIMES),
        *(
            bad(f"i2osp_{name}", {"form": "i2osp", "n": n, "k": k}, partial(i2osp, n, k), why, "1")
            for name, n, k, why in integers
        ),
    ]


# Signatures (10.1). Every signature here is right by some laxer reading.

_MESSAGE = b"a digest"
_KEY = "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737"
"""The key of the private key 11..11."""
_SIGNED = (
    "aa6df914f7a0f04e7f852adf459873f17dba5b1671ea62e82cc10ed6aecc489c",
    "f971b4d4ba134e43e345a11e94e62532f947bb906c525d10d2f5aa508b95ef03",
)
_TORSION = (
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
)
"""The points of order 8."""
_SMALL_SIGNED = (
    "f9e42d2edc81d23367967352b47e4856b82578634e6c1de72280ce8b60ce70c00c" + 31 * "00",
    "edc876d6831fd2105d0b4389ca2e283166469289146e2ce06faefe98b22548df05" + 31 * "00",
    "c9a3f86aae465f0e56513864510f3997561fa2c9e85ea21dc2292309f3cd602202" + 31 * "00",
    "4ab075e0903e4e35b096d4d64e0e81bca5c3968aeae8e87d98d80b7e8426112e12" + 31 * "00",
)
_ANYBODY = "58" + 31 * "66" + "01" + 31 * "00"
"""R = B, S = 1."""


def _little(n: int) -> str:
    return n.to_bytes(32, "little").hex()


def _keys() -> Iterable[tuple[str, str, str, str]]:
    yield "key_identity", _little(1), _ANYBODY, "the key is the identity: everybody signs for it"
    yield "key_identity_with_sign", _little(1 | 1 << 255), _ANYBODY, "the identity in another form"
    yield "key_identity_not_reduced", _little(P + 1), _ANYBODY, "the identity in another form"
    yield (
        "key_of_order_2",
        _little(P - 1),
        "2f1132ca61ab38dff00f2fea3228f24c6c71d58085b80e47e19515cb27e8d04704" + (31 * "00"),
        "the key has order 2",
    )
    yield (
        "key_of_order_4",
        _little(0),
        ("f47e49f9d07ad2c1606b4d94067c41f9777d4ffda709b71da1d88628fce34d8506" + 31 * "00"),
        "the key has order 4",
    )
    yield "key_of_order_4_negated", _little(1 << 255), _ANYBODY, "the key has order 4"
    for number, (key, signature) in enumerate(zip(_TORSION, _SMALL_SIGNED, strict=True), 1):
        yield f"key_of_order_8_{number}", key, signature, "the key has order 8"
    yield (
        "key_with_torsion",
        "05edb8c261651304ea335a4397e0696b9fb37c99aa8023ee1583a2f3e43d9fe4",
        "f47e49f9d07ad2c1606b4d94067c41f9777d4ffda709b71da1d88628fce34d85"
        "d068eb915ca977e5bfffdce3e44a77ad664680f70f02569e4b9d8bd2d20a4707",
        "the key is a good one plus a point of order 8, and this signature holds even without the cofactor",
    )
    yield "key_off_the_curve", _little(2), _ANYBODY, "y = 2 is on no point"
    yield "key_short", _little(2)[:-2], _ANYBODY, "31 bytes"


def _signatures() -> Iterable[tuple[str, str, str]]:
    r, s = _SIGNED
    number = int.from_bytes(bytes.fromhex(s), "little")
    yield "s_plus_l", r + _little(number + L), "S + L: S is not below L"
    yield "s_of_ones", r + 32 * "ff", "S is not below L"
    yield "s_zero", r + 32 * "00", "another S"
    yield "s_negated", r + _little(L - number), "-S"
    yield "r_of_another", _KEY + s, "another R"
    yield (
        "r_plus_order_8",
        "4c09ae0bb152ce1900464b0c9307316e1f761f80aaf20226936f0aa6a0bd49e4"
        "5ab3e4a1e0c42fab3baff61d084266910582436ea1807401b9cbea031f4ab80f",
        "R has a torsion part of order 8: only an equation with the cofactor holds",
    )
    yield (
        "r_plus_order_2",
        "439206eb085f0fb1807ad520ba678c0e8245a4e98e159d17d33ef1295133b763"
        "42bd801840c146f32474ef02ec85d7698c640f53bf740ae2e808573d6e18b200",
        "R has a torsion part of order 2: only an equation with the cofactor holds",
    )
    yield (
        "r_not_reduced",
        _little(P + 1) + "1c7524ed04f631634c8b4361ad26d11da64316eeec8a9a963d4e186cafa6ce09",
        "R is the identity with y = p + 1: right but for its bytes",
    )
    yield (
        "r_with_sign_of_zero",
        _little(1 | 1 << 255) + "0ab0591aa8770a2a684155834a9ce4cc0c0a2b52dcae3f8503a5c90043020d08",
        "R is the identity with the sign of x = 0 set: right but for its bytes",
    )
    yield "short", (r + s)[:-2], "63 bytes"
    yield "long", r + s + "00", "65 bytes"
    yield "empty", "", "no bytes at all"


def bad_signatures() -> list[Vector]:
    """Keys of small or mixed order, and signatures that only a laxer equation accepts (section 10)."""

    def signature(name: str, key: str, message: bytes, signed: str, why: str) -> Vector:
        given = {"public": key, "message": message.hex(), "signature": signed}
        public, held = bytes.fromhex(key), verify(bytes.fromhex(key), message, bytes.fromhex(signed))
        about = refusal(lambda: check_public_key(public)) and "key"
        return case(
            name,
            given,
            {"refused": about or (None if held else "signature"), "why": why, "section": "protocol 10.1"},
        )

    return [
        *(signature(name, key, _MESSAGE, signed, why) for name, key, signed, why in _keys()),
        *(signature(f"signature_{name}", _KEY, _MESSAGE, signed, why) for name, signed, why in _signatures()),
        signature(
            "signature_of_another_message", _KEY, b"another", "".join(_SIGNED), "signs another message"
        ),
    ]


# Envelopes (11)

_SMALL_ORDER = (
    0,
    1,
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
    P - 1,
)
"""The points of small order of Curve25519 and its twist, by their one coordinate (RFC 7748, section 7)."""


def bad_envelopes() -> list[Vector]:
    """Envelopes that do not open, and keys that no envelope may be made for (section 11)."""
    statement = meals()[0]["output"]
    info, aad = bytes.fromhex(statement["ctx"]), bytes.fromhex(statement["seal"])
    enc, rest = ENVELOPE[:32], ENVELOPE[32:]

    def opens(name: str, why: str, sent: bytes = ENVELOPE, **changed: bytes) -> Vector:
        used = {"private": ENVELOPE_PRIVATE_KEY, "info": info, "aad": aad, **changed}
        given = {**{part: value.hex() for part, value in used.items()}, "envelope": sent.hex()}
        return bad(
            name, given, lambda: envelope.unseal(used["private"], used["info"], used["aad"], sent), why, "11"
        )

    def key(name: str, number: int, why: str) -> Vector:
        public = number.to_bytes(32, "little")
        return bad(name, {"public": public.hex()}, lambda: envelope.check_public_key(public), why, "11")

    return [
        opens("envelope_other_key", "sealed to another key", private=bytes([0x56]) * 32),
        opens("envelope_other_context", "info is another meal's context", info=info[:-1] + b"\0"),
        opens("envelope_other_seal", "aad is another seal", aad=bytes.fromhex(meals()[1]["output"]["seal"])),
        opens("envelope_exchanged", "info and aad exchanged", info=aad, aad=info),
        opens("envelope_flipped_text", "a bit of the text", sent=enc + bytes([rest[0] ^ 1]) + rest[1:]),
        opens("envelope_flipped_tag", "a bit of the tag", sent=ENVELOPE[:-1] + bytes([ENVELOPE[-1] ^ 128])),
        opens("envelope_flipped_enc", "a bit of enc", sent=bytes([enc[0] ^ 1]) + ENVELOPE[1:]),
        opens("envelope_enc_not_reduced", "enc with its highest bit set", sent=enc[:-1] + b"\xff" + rest),
        opens("envelope_enc_of_small_order", "enc of small order", sent=bytes(32) + rest),
        opens("envelope_cut", "the last byte is missing", sent=ENVELOPE[:-1]),
        opens("envelope_too_short", "47 bytes: enc and tag alone take 48", sent=ENVELOPE[:47]),
        *(
            key(f"envelope_key_of_small_order_{i}", u, "of small order: the shared secret would be zero")
            for i, u in enumerate(_SMALL_ORDER)
        ),
        key("envelope_key_is_p", P, "p is another form of 0, which has small order"),
        key("envelope_key_not_reduced", P + 9, "p + 9 is another form of 9"),
        key("envelope_key_with_highest_bit", 9 | 1 << 255, "the highest bit is set: another form of 9"),
    ]


# Links (7)


def bad_links() -> list[Vector]:
    """Links that do not lead to the newest known value of their chain (section 7)."""
    chain, other = Chain(HOUSE_CHAIN_END), MatchSecret(SECRETS[0]).chain
    one, two, three, end = (chain.link(k) for k in (1, 2, 3, CHAIN_LENGTH))

    def link(name: str, v: bytes, k: int, known: bytes, j: int, why: str) -> Vector:
        given = {"link": v.hex(), "deal": k, "known": known.hex(), "known_deal": j}
        refused = None if leads(v, k, known, j) else "link"
        return case(name, given, {"refused": refused, "why": why, "section": "protocol 7"})

    return [
        link("link_too_early", three, 2, one, 1, "the link of the next deal but one"),
        link("link_for_a_later_deal", two, 3, one, 1, "an older link, for a later deal"),
        link("link_again", two, 2, two, 2, "the newest link again"),
        link("link_backwards", one, 1, two, 2, "a link older than the newest known"),
        link("link_anchor", chain.anchor, 1, chain.anchor, 0, "the anchor in a link's place"),
        link("link_of_another_chain", other.link(2), 2, one, 1, "a link of another chain"),
        link("link_flipped", bytes([two[0] ^ 1]) + two[1:], 2, one, 1, "a bit flipped"),
        link("link_short", two[:-1], 2, one, 1, "63 bytes"),
        link("link_empty", b"", 2, one, 1, "the empty string stands for a link, it is none"),
        link("link_past_the_end", end, CHAIN_LENGTH + 1, chain.anchor, 0, "a chain has 1024 links"),
    ]
