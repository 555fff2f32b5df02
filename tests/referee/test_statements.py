"""Signed statements read one by one, with every field wrong in turn: code and pointer to the letter."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from crypto.encoding import b64, timestamp, unb64
from referee import Refused, apply, read_entry, read_message
from referee.bodies import BODY_LIMIT
from referee.certificate import check_certificate
from referee.faces import read_faces
from referee.header import Header
from referee.succession import MOST, leads, read_succession, read_successions, related
from tests.referee.published_kit import published, whole_entry, whole_message

SHORT = b64(bytes(3))


def header_of(record: str) -> Header:
    vector = next(v for v in published("records") if v["name"] == record)
    return apply(None, read_entry(vector["output"]["record"]["entries"][0])).header


def refusal(read: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        read()
    return refused.value.code, refused.value.pointer


# -- Entries and messages ----------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("kind", 7, "bad_text"),
        ("actor", 7, "bad_text"),
        ("at", 7, "bad_text"),
        ("prev", SHORT, "bad_bytes"),
        ("house_signature", SHORT, "bad_bytes"),
        ("house_signature", None, "bad_bytes"),
    ],
)
def test_a_field_of_an_entry(field: str, value: object, code: str) -> None:
    entry = {**whole_entry(published("entries")[0]), field: value}
    assert refusal(lambda: read_entry(entry)) == (code, f"/{field}")


def test_a_players_signature_has_64_bytes() -> None:
    vector = next(v for v in published("entries") if v["input"]["entry"]["player_signature"] is not None)
    entry = {**whole_entry(vector), "player_signature": SHORT}
    assert refusal(lambda: read_entry(entry)) == ("bad_bytes", "/player_signature")


def test_a_digest_follows_from_the_rest_so_it_is_neither_compared_nor_shown() -> None:
    entry = read_entry(whole_entry(published("entries")[0]))
    vector = published("messages")[0]
    message = read_message(vector["input"]["game"], whole_message(vector))
    for one in (replace(entry, digest=b""), replace(message, digest=b"")):
        assert one in (entry, message)
        assert "digest=" not in repr(one)


def test_a_body_has_so_many_bytes_at_most() -> None:
    vector = published("messages")[0]
    message, game = whole_message(vector), vector["input"]["game"]

    def read(size: int) -> object:
        return read_message(game, {**message, "body": {"x": "a" * (size - len('{"x":""}'))}})

    assert read(BODY_LIMIT)
    assert refusal(lambda: read(BODY_LIMIT + 1)) == ("too_large", "/body")


# -- Certificates ------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("game", "another", "wrong_game"),
        ("seat", 1, "wrong_seat"),
        ("seat", "0", "bad_integer"),
        ("key", SHORT, "bad_bytes"),
        ("key", b64(bytes(32)), "wrong_key"),
        ("set_digest", SHORT, "bad_bytes"),
        ("set_digest", b64(bytes(64)), "wrong_set_digest"),
        ("at", "now", "bad_time"),
        ("cards", [], "bad_length"),
        ("signature", SHORT, "bad_bytes"),
        ("signature", b64(bytes(64)), "bad_signature"),
    ],
)
def test_a_field_of_a_certificate(field: str, value: object, code: str) -> None:
    good = published("house_certificates")[0]["output"]["certificate"]
    header = header_of("record_chef")
    assert len(check_certificate(header, 0, good)) == 40
    wrong = {**good, field: value}
    assert refusal(lambda: check_certificate(header, 0, wrong, "/c")) == (code, f"/c/{field}")
    assert refusal(lambda: check_certificate(header, 0, wrong)) == (code, f"/{field}")


@pytest.mark.parametrize(("value", "code"), [(SHORT, "bad_bytes"), (b64(bytes(48)), "bad_point")])
def test_a_point_of_a_certificate(value: str, code: str) -> None:
    wrong = deepcopy(published("house_certificates")[0]["output"]["certificate"])
    wrong["cards"][39] = value
    assert refusal(lambda: check_certificate(header_of("record_chef"), 0, wrong, "/c")) == (
        code,
        "/c/cards/39",
    )


# -- Faces -------------------------------------------------------------------


def test_faces_are_read_as_they_were_signed() -> None:
    header = header_of("record_hearts")
    for vector in published("faces"):
        given, statement = vector["input"], vector["output"]["statement"]
        if given["game"] != header.game:
            continue
        deal, faces = read_faces(header, given["seat"], statement)
        assert deal == given["deal"]
        assert [{"position": p, "card": c} for p, c in faces.items()] == given["faces"]


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (["deal"], 0, "bad_integer"),
        (["deal"], 1025, "bad_integer"),
        (["seat"], 1, "wrong_seat"),
        (["seat"], "0", "bad_integer"),
        (["faces"], {}, "bad_list"),
        (["faces", 0], 7, "bad_shape"),
        (["faces", 0, "position"], -1, "bad_integer"),
        (["faces", 1, "position"], 0, "bad_list"),
        (["faces", 2, "position"], 1, "bad_list"),
        (["faces", 0, "card"], 1.5, "bad_body"),
        (["faces", 0, "card"], "AS", "bad_signature"),
        (["deal"], 1024, "bad_signature"),
        (["signature"], SHORT, "bad_bytes"),
        (["signature"], b64(bytes(64)), "bad_signature"),
    ],
)
def test_a_field_of_faces(path: list[Any], value: object, code: str) -> None:
    vector = next(v for v in published("faces") if v["input"]["seat"] == 0)
    wrong = deepcopy(vector["output"]["statement"])
    place = wrong
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    pointer = {"bad_body": "/faces", "bad_signature": "/signature"}.get(code, "/" + "/".join(map(str, path)))
    assert refusal(lambda: read_faces(header_of("record_hearts"), 0, wrong)) == (code, pointer)


# -- Successions -------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("kind", "heir", "bad_kind"),
        ("old", SHORT, "bad_bytes"),
        ("new", SHORT, "bad_bytes"),
        ("at", "now", "bad_time"),
        ("at", timestamp(0), "bad_signature"),
        ("old_signature", SHORT, "bad_bytes"),
        ("old_signature", b64(bytes(64)), "bad_signature"),
        ("new_signature", SHORT, "bad_bytes"),
        ("new_signature", b64(bytes(64)), "bad_signature"),
    ],
)
def test_a_field_of_a_succession(field: str, value: object, code: str) -> None:
    wrong = {**published("successions")[0]["output"]["succession"], field: value}
    found, pointer = refusal(lambda: read_succession(wrong, "/s"))
    assert found == code
    assert pointer == ("/s/old_signature" if field == "at" and code == "bad_signature" else f"/s/{field}")


def test_a_list_of_successions() -> None:
    good = published("successions")[0]["output"]["succession"]
    assert refusal(lambda: read_successions([good, good], "/s")) == ("two_successors", "/s")
    assert refusal(lambda: read_successions([7] * MOST, "/s")) == ("bad_shape", "/s/0")
    assert refusal(lambda: read_successions([7] * (MOST + 1), "/s")) == ("bad_length", "/s")
    assert MOST == 1024


def test_both_orders_are_of_one_house() -> None:
    one = read_succession(published("successions")[0]["output"]["succession"])
    assert related([one], one.old, one.new)
    assert related([one], one.new, one.old)
    assert not leads([one], one.new, one.old)
    assert not related([one], one.old, unb64(SHORT))
