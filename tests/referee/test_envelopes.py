"""Reveals in envelopes (protocol section 11)."""

from __future__ import annotations

import json
from random import Random

import pytest

from cards.games.contract import Packing
from crypto import envelope
from crypto.encoding import b64, canonical, unb64
from crypto.envelope import OVERHEAD
from referee import Message, Refused, dump_game, load_game, read_message, view
from referee.bodies import ENVELOPE_LIMIT
from referee.envelopes import enclosed, open_envelope, reveal_bytes
from referee.validation import meal_context
from tests.referee.forger import Crook, again, found, refused, report, signed
from tests.referee.table import Table, bytes_of


def at_seals(seed: int = 0, early: bool = False) -> Table:
    """A table that takes envelopes, with cards worth serving in hand, before the seals."""
    table = Table.chef(seed, {"early_links": early}, envelopes=True)
    table.until("seal")
    return table


@pytest.fixture(scope="module")
def prepared() -> Table:
    return at_seals()


@pytest.fixture
def table(prepared: Table) -> Table:
    """Seat 0 encloses its reveals, seat 1 does not."""
    copy = prepared.copy()
    copy.encloses = lambda table, seat: seat == 0
    return copy


def sealed(table: Table) -> bytes:
    """The envelope of seat 0's newest seal."""
    entry = next(e for e in reversed(table.record) if e.kind == "seal" and e.actor == "0")
    return unb64(entry.body["envelope"])


def statement(table: Table) -> tuple[bytes, bytes]:
    """info and aad of the envelope of seat 0's seal: the meal's context, and B."""
    state = table.game.seat(0).sealed
    assert state is not None
    return meal_context(table.game, 0, state.step, Packing(state.hand, state.boxes)), state.seal


def put(table: Table, content: bytes, **changes: bytes) -> bytes:
    """An envelope around any content, in place of seat 0's."""
    info, aad = statement(table)
    key = table.game.header.envelope_key
    assert key is not None
    use = {"public": key, "info": info, "aad": aad, **changes}
    return envelope.seal(use["public"], use["info"], use["aad"], content)


def test_an_enclosed_reveal_is_complete_and_of_the_sealing(table: Table) -> None:
    before = table.game
    table.answer(0)
    with_seal = table.record[-1]
    assert table.game.seat(0).sealed is not None
    assert table.game.seat(0).sealed.envelope
    assert enclosed(table.game) == frozenset(), "nobody is asked for a reveal yet"
    table.answer(1)
    assert enclosed(table.game) == {0}
    reveal = table.opened(0)
    assert (reveal.kind, reveal.step, reveal.seat) == ("reveal", with_seal.step, 0)
    assert reveal.body["seen"] == {"seq": before.seq, "digest": b64(before.digest)}
    by_hand = table.seats[0].reveal(table.views[0], table.kept[0])
    assert {**by_hand.body, "seen": None} == {**reveal.body, "seen": None}, "what is kept gives the same"
    table.send(reveal)
    assert list(table.waiting) == [0]
    entries = table.answer(1)
    assert [(e.kind, e.actor) for e in entries][:2] == [("reveal", "0"), ("reveal", "1")]
    assert entries[0].body["seen"]["seq"] < table.game.closed[1] + 3
    assert report(table.record, unfinished=True).valid


def test_when_the_game_is_over_there_is_nothing_to_open(table: Table) -> None:
    table.answer(0, 1)
    table.send(table.seats[1].resign(table.views[1]))
    assert table.game.over
    assert enclosed(table.game) == frozenset()


def test_only_a_seal_with_an_envelope_excuses_an_old_seen(table: Table) -> None:
    table.answer(0, 1)
    asked = table.game.asking
    assert asked is not None
    assert asked.opened < asked.seq
    old = next(e for e in table.record if e.seq == asked.opened)
    seen = {"seq": old.seq, "digest": b64(old.digest)}
    right = table.message(1)
    with refused("seen_too_old", "/seen/seq"):
        table.send(again(table, right, seen=seen))
    before = next(e for e in table.record if e.seq == asked.opened - 1)
    with refused("seen_too_old", "/seen/seq"):
        table.send(again(table, table.opened(0), seen={"seq": before.seq, "digest": b64(before.digest)}))
    table.send(again(table, table.opened(0), seen=seen))
    table.answer(1)
    assert report(table.record, unfinished=True).valid


def test_a_reveal_that_is_owed_has_seen_its_time_out_all_the_same(table: Table) -> None:
    table.answer(0, 1)
    reveal = table.opened(0)
    table.answer(1)
    table.lapse()
    assert table.owed() == [0]
    with refused("seen_too_old", "/seen/seq"):
        table.send(reveal)
    table.pay(0)
    assert table.owed() == []
    assert report(table.record, unfinished=True).valid


def test_a_house_without_a_key_refuses_envelopes() -> None:
    table = Table.chef(0)
    table.until("seal")
    seal, _ = table.seats[0].seal(table.views[0], {"dishes": []})
    with refused("no_envelopes", "/envelope"):
        table.send(again(table, seal, envelope=b64(bytes(100))))
    with refused("no_envelopes", "/envelope"):
        table.seats[0].seal(table.views[0], {"dishes": []}, envelope=True)
    table.send(seal)


def test_the_size_of_an_envelope_is_bounded(table: Table) -> None:
    seal = table.message(0)
    for size in (0, 1, OVERHEAD, ENVELOPE_LIMIT + 1):
        with refused("bad_length", "/envelope"):
            table.send(again(table, seal, envelope=b64(bytes(size))))
    for odd in (None, 7, "=", {"a": 1}):
        with refused("bad_bytes", "/envelope"):
            table.send(again(table, seal, envelope=odd))
    with refused("bad_signature", "/signature"):
        put_in = {**seal.json(), "body": {**seal.body, "envelope": b64(bytes(100))}}
        table.send(read_message(seal.game, put_in))
    table.send(again(table, seal, envelope=b64(bytes(ENVELOPE_LIMIT))))


def test_every_envelope_has_the_same_size_whatever_is_in_it(table: Table) -> None:
    """A reveal of nothing, and one that opens 40 cards with the longest numbers there are."""
    reveal = table.seats[0].reveal
    table.answer(0, 1)
    body = dict(reveal(table.views[0], table.kept[0]).body)
    opening = {"position": 39, "number": 2**32 - 1, "blinding": b64(bytes(32))}
    body["openings"] = [opening] * 40
    body["choice"] = {"dishes": [{"course": 1, "recipe": 39, "ingredients": list(range(39))}] * 3}
    body["link"] = b64(bytes(64))
    longest = reveal_bytes(signed(table, 0, "reveal", body, table.game.step))
    assert 1.05 * len(longest.rstrip()) < len(longest) == 6144 < ENVELOPE_LIMIT - OVERHEAD
    body["openings"], body["choice"] = [], {"dishes": []}
    assert len(reveal_bytes(signed(table, 0, "reveal", body, table.game.step))) == 6144


def test_a_content_without_padding_opens_as_well(table: Table) -> None:
    table.answer(0, 1)
    private = table.envelope_private
    assert private is not None
    content = reveal_bytes(table.opened(0))
    for padded in (content.rstrip(), content.rstrip() + b" ", content):
        assert open_envelope(table.game, 0, private, put(table, padded)) == table.opened(0)
    for spoilt in (b" " + content, content + b"\0", content + b"\n"):
        with refused("bad_envelope", "/envelope"):
            open_envelope(table.game, 0, private, put(table, spoilt))


def test_flipped_bits_do_not_open(table: Table) -> None:
    table.answer(0, 1)
    private, right = table.envelope_private, sealed(table)
    assert private is not None
    rng = Random(5)
    for at in [0, 31, 32, len(right) - 1, *rng.sample(range(len(right)), 40)]:
        flipped = bytearray(right)
        flipped[at] ^= 1 << rng.randrange(8)
        with refused("bad_envelope", "/envelope"):
            open_envelope(table.game, 0, private, bytes(flipped))
    for cut in (right[:-1], right + b"\0", right[:OVERHEAD], b""):
        with refused("bad_envelope", "/envelope"):
            open_envelope(table.game, 0, private, cut)
    assert open_envelope(table.game, 0, private, right).kind == "reveal"


def test_an_envelope_to_another_key_or_of_another_statement_does_not_open(table: Table) -> None:
    table.answer(0, 1)
    private = table.envelope_private
    assert private is not None
    content = reveal_bytes(table.opened(0))
    info, aad = statement(table)
    other = envelope.public_key(bytes_of("another"))
    for changes in (
        {"public": other},
        {"info": info[:-1]},
        {"info": b""},
        {"aad": aad[:-1]},
        {"aad": b""},
        {"info": aad, "aad": info},
    ):
        with refused("bad_envelope", "/envelope"):
            open_envelope(table.game, 0, private, put(table, content, **changes))
    with refused("bad_envelope", "/envelope"):
        open_envelope(table.game, 0, bytes_of("another"), sealed(table))
    assert open_envelope(table.game, 0, private, put(table, content)).signature


def test_an_envelope_moved_to_another_seal_does_not_open(table: Table) -> None:
    """The opponent sends back what it saw; a chef uses the last round's again."""
    table.answer(0)
    stolen = sealed(table)
    table.encloses = lambda table, seat: False
    table.send(again(table, table.message(1), envelope=b64(stolen)))
    with refused("bad_envelope", "/envelope"):
        table.opened(1)
    table.send(table.opened(0))
    table.answer(1)
    table.until("seal")
    table.send(again(table, table.message(0), envelope=b64(stolen)))
    table.answer(1)
    with refused("bad_envelope", "/envelope"):
        table.opened(0)
    table.answer(0, 1)
    assert report(table.record, unfinished=True).valid, "who encloses nonsense may reveal by hand"


@pytest.mark.parametrize(
    ("content", "code", "pointer"),
    [
        (b"", "bad_envelope", "/envelope"),
        (b"no JSON", "bad_envelope", "/envelope"),
        (b"\xff", "bad_envelope", "/envelope"),
        (b"[]", "bad_shape", "/envelope"),
        (b"null", "bad_shape", "/envelope"),
        (b'{"signature":"AA"}', "missing_field", "/envelope/body"),
        (b'{"body":{}}', "missing_field", "/envelope/signature"),
        (b'{"signature":"AA","body":{}}', "bad_envelope", "/envelope"),
        (b'{"body":{}, "signature":"AA"}', "bad_envelope", "/envelope"),
        (b'{"body":{},"signature":"AA","step":1}', "unknown_field", "/envelope/step"),
        (b'{"body":{},"body":{},"signature":"AA"}', "bad_envelope", "/envelope"),
        (b'{"body":[],"signature":"AA"}', "bad_shape", "/body"),
        (b'{"body":{},"signature":1}', "bad_bytes", "/signature"),
        (b'{"body":' + b"[" * 100, "bad_envelope", "/envelope"),
    ],
)
def test_content_that_is_no_message_counts_as_none(
    table: Table, content: bytes, code: str, pointer: str
) -> None:
    table.answer(0, 1)
    private = table.envelope_private
    assert private is not None
    with pytest.raises(Refused) as caught:
        open_envelope(table.game, 0, private, put(table, content))
    assert (caught.value.code, caught.value.pointer) == (code, pointer)
    assert "no JSON" not in str(caught.value)


def test_a_reveal_inside_for_another_step_or_seat_fails(table: Table) -> None:
    table.answer(0, 1)
    private = table.envelope_private
    assert private is not None
    right = table.opened(0)
    inside: list[tuple[Message, str]] = [
        (signed(table, 0, "reveal", right.body, right.step + 1), "bad_signature"),
        (signed(table, 0, "reveal", right.body, right.step - 1), "bad_signature"),
        (signed(table, 1, "reveal", right.body, right.step), "bad_signature"),
        (signed(table, 0, "seal", right.body, right.step), "bad_signature"),
        (table.seats[1].reveal(table.views[1], table.kept[1]), "bad_signature"),
        (again(table, right, blinding=b64(bytes(31) + b"\1")), "wrong_reveal"),
        (again(table, right, extra=1), "unknown_field"),
    ]
    for message, code in inside:
        opened = open_envelope(table.game, 0, private, put(table, reveal_bytes(message)))
        assert (opened.step, opened.seat, opened.kind) == (right.step, 0, "reveal")
        with refused(code):
            table.send(opened)
    assert canonical(right.body) == canonical(table.opened(0).body)


def test_a_verifier_refuses_an_old_seen_without_an_envelope(table: Table) -> None:
    """The record itself tells: the same reveal is right behind one seal, and wrong behind the other."""
    table.answer(0, 1)
    table.send(table.opened(0))
    table.answer(1)
    assert report(table.record, unfinished=True).valid
    other = at_seals()
    other.encloses = lambda table, seat: False
    seen = {"seq": other.game.seq, "digest": b64(other.game.digest)}
    other.answer(0, 1)
    old = again(other, other.message(0), seen=seen)
    crook = Crook.of(other)
    crook.enter(old)
    seq = crook.entries[-1].seq
    assert found(crook.entries, unfinished=True) == (seq, "seen_too_old", f"/entries/{seq}/body/seen/seq")


def test_the_view_shows_that_there_is_an_envelope_and_nothing_of_it(table: Table) -> None:
    table.answer(0, 1)
    text = json.dumps([view(table.game, seat) for seat in (None, 0, 1)] + [dump_game(table.game)])
    assert [seat["sealed"]["envelope"] for seat in view(table.game, None)["seats"]] == [True, False]
    assert b64(sealed(table)) not in text
    assert table.opened(0).body["blinding"] not in text
    assert table.opened(0).body["blinding"] not in json.dumps([e.json() for e in table.record])


def test_a_snapshot_from_before_there_were_envelopes_loads(table: Table) -> None:
    table.encloses = lambda table, seat: False
    table.answer(0)
    data = json.loads(json.dumps(dump_game(table.game)))
    del data["seats"][0]["sealed"]["envelope"]
    assert load_game(data, table.game.header) == table.game
