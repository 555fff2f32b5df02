"""The messages of players: signatures, steps, `seen`, receipts, forms (protocol sections 10 and 14)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from crypto.encoding import b64, timestamp
from crypto.identity import sign
from referee import Message, Refused, accept, read_message, view, waits, write_message, write_receipt
from referee.bodies import BODY_LIMIT
from referee.faces import read_faces, write_faces
from referee.message import message_digest, receipt_holds
from tests.referee.forger import Crook, again, at_path, refused, signed
from tests.referee.table import Table, bytes_of, quietly

KEEP = {"choice": "keep"}
REDRAW = {"choice": "redraw"}


def at_move(seed: int = 0) -> Table:
    """A match at keep or redraw."""
    table = Table.chef(seed)
    table.until("move")
    return table


# Signatures


def test_a_message_is_signed_by_its_own_seat() -> None:
    table = at_move()
    message = table.message(0)
    body, step, game = message.body, message.step, table.game.header.game
    for private in (table.seats[1].private, table.keeper.private, bytes_of("stranger")):
        with refused("bad_signature", "/signature"):
            table.send(write_message(private, game, step, 0, "move", body))


def test_a_signature_over_anything_else() -> None:
    table = at_move()
    table.choose = lambda table, seat: KEEP
    message = table.message(0)
    private, game, body = table.seats[0].private, table.game.header.game, message.body
    other = Table.chef(1).game.header.game
    for digest in (
        message_digest(other, message.step, 0, "move", body),
        message_digest(game, message.step + 1, 0, "move", body),
        message_digest(game, message.step, 1, "move", body),
        message_digest(game, message.step, 0, "draw", body),
        message_digest(game, message.step, 0, "move", {**body, "move": REDRAW}),
    ):
        with refused("bad_signature", "/signature"):
            table.send(replace(message, signature=sign(private, digest)))
    with refused("bad_signature"):
        table.send(replace(message, signature=bytes(64)))


def test_a_signature_with_its_scalar_not_below_the_order() -> None:
    table = at_move()
    message = table.message(0)
    order = 2**252 + 27742317777372353535851937790883648493
    high = int.from_bytes(message.signature[32:], "little") + order
    again_signed = message.signature[:32] + high.to_bytes(32, "little")
    with refused("bad_signature", "/signature"):
        table.send(replace(message, signature=again_signed))


def replayed(table: Table, message: Message, **place: Any) -> Message:
    """Old bytes offered for another place, as the house would read them."""
    data = {**message.json(), **place}
    return read_message(table.game.header.game, data)


def test_a_message_replayed_in_another_game() -> None:
    one, other = Table.hearts(seed=0), Table.hearts(seed=1)
    other.seats = one.seats
    message = one.message(0)
    with refused("bad_signature", "/signature"):
        other.send(replayed(other, message))
    one.send(replayed(one, message))


def test_a_message_replayed_at_another_seat() -> None:
    table = Table.chef()
    table.until("ready")
    with refused("bad_signature", "/signature"):
        table.send(replayed(table, table.message(0), seat=1))
    with refused("no_such_seat", "/seat"):
        table.send(replayed(table, table.message(0), seat=2))


def test_a_message_replayed_at_another_step() -> None:
    table = at_move()
    table.choose = lambda table, seat: REDRAW
    first = table.message(0)
    table.send(first)
    table.answer(1)
    table.until("move")
    with refused("wrong_step", "/step"):
        table.send(replayed(table, first))
    with refused("bad_signature", "/signature"):
        table.send(replayed(table, first, step=table.game.step))


# Steps


def test_a_message_answers_what_is_asked() -> None:
    table = at_move()
    message = table.message(0)
    for step in (0, message.step - 1, message.step + 1, 2**32 - 1):
        with refused("wrong_step", "/step"):
            table.send(signed(table, 0, "move", message.body, step))
    with refused("wrong_kind", "/kind"):
        table.send(signed(table, 0, "ready", {"seen": message.body["seen"]}, message.step))


def test_who_is_not_asked() -> None:
    table = at_move()
    table.choose = lambda table, seat: REDRAW if seat == 1 else KEEP
    kept = table.message(0)
    table.answer(0, 1)
    table.until("move")
    assert table.asked() == [1]
    seen = {"seq": table.game.seq, "digest": b64(table.game.digest)}
    with refused("not_asked", "/seat"):
        table.send(signed(table, 0, "move", {**kept.body, "seen": seen}, table.game.step))


@pytest.mark.parametrize("kind", ["enter", "ready", "link", "seal"])
def test_a_step_is_answered_once(kind: str) -> None:
    """The same step answered twice, with other bytes or the same: the record takes the first alone."""
    table = Table.chef()
    table.choose = quietly
    table.until(kind)
    first = table.message(0)
    table.send(first)
    for other in (first, again(table, first, seen={"seq": table.game.seq, "digest": b64(table.game.digest)})):
        with refused("not_asked", "/seat"):
            table.send(other)


@pytest.mark.parametrize("kind", ["move", "reveal"])
def test_a_held_message_enters_once(kind: str) -> None:
    table = Table.chef()
    table.choose = quietly
    table.until(kind)
    first = table.message(0)
    assert waits(table.game, first)
    table.send(first)
    crook = Crook.of(table)
    crook.enter(first)
    crook.enter(first)
    with refused("not_asked", "/seat"):
        crook.fold()
    last = Crook.of(table)
    last.enter(table.message(1))
    with refused("out_of_order", "/actor"):
        last.fold()
    table.answer(1)
    with pytest.raises(Refused) as caught:
        table.send(first)
    assert caught.value.code in ("wrong_step", "wrong_kind")


# seen


def seen_of(table: Table, seq: int) -> dict[str, Any]:
    return {"seq": seq, "digest": b64(table.record[seq].digest)}


def test_seen_is_an_entry_of_this_record() -> None:
    table, other = at_move(0), at_move(1)
    message = table.message(0)
    newest = table.game.seq
    for seen in (
        {"seq": newest, "digest": b64(bytes(64))},
        {"seq": newest + 1, "digest": b64(table.game.digest)},
        {"seq": 2**32 - 1, "digest": b64(table.game.digest)},
        seen_of(other, newest),
    ):
        with refused("seen_unknown", "/seen"):
            table.send(again(table, message, seen=seen))


def test_seen_is_not_older_than_what_asked() -> None:
    table = at_move()
    message = table.message(0)
    for seq in range(table.game.seq):
        with refused("seen_too_old", "/seen/seq"):
            table.send(again(table, message, seen=seen_of(table, seq)))
    table.send(message)


def test_any_entry_since_the_asking_one_may_have_been_seen() -> None:
    table = Table.chef()
    table.until("ready")
    asked = table.game.seq
    table.answer(0)
    copy = table.copy()
    copy.send(again(copy, copy.message(1), seen=seen_of(copy, asked)))
    table.send(again(table, table.message(1), seen=seen_of(table, asked + 1)))


def test_a_reveal_has_seen_every_seal() -> None:
    table = Table.chef()
    table.choose = quietly
    table.until("seal")
    asked = table.game.seq
    table.answer(0, 1)
    reveal = table.message(0)
    assert reveal.body["seen"] == seen_of(table, asked + 2)
    for seq in (asked, asked + 1):
        with refused("seen_too_old", "/seen/seq"):
            table.send(again(table, reveal, seen=seen_of(table, seq)))


def test_a_reveal_has_seen_the_time_out_in_a_seals_place() -> None:
    table = Table.chef()
    table.choose = quietly
    table.until("seal")
    table.answer(0)
    table.lapse()
    reveal = table.message(0)
    with refused("seen_too_old", "/seen/seq"):
        table.send(again(table, reveal, seen=seen_of(table, table.game.seq - 1)))
    table.send(reveal)


@pytest.mark.parametrize(
    ("seen", "code", "pointer"),
    [
        (None, "bad_shape", "/seen"),
        ({}, "missing_field", "/seen/seq"),
        ({"seq": -1, "digest": b64(bytes(64))}, "bad_integer", "/seen/seq"),
        ({"seq": False, "digest": b64(bytes(64))}, "bad_integer", "/seen/seq"),
        ({"seq": 2**32, "digest": b64(bytes(64))}, "bad_integer", "/seen/seq"),
        ({"seq": 0, "digest": b64(bytes(32))}, "bad_bytes", "/seen/digest"),
        ({"seq": 0, "digest": b64(bytes(64)), "at": 1}, "unknown_field", "/seen/at"),
    ],
)
def test_a_seen_of_another_form(seen: Any, code: str, pointer: str) -> None:
    table = at_move()
    with refused(code, pointer):
        table.send(again(table, table.message(0), seen=seen))


# Forms


def test_a_message_is_read_as_it_was_written() -> None:
    table = at_move()
    message = table.message(0)
    assert read_message(table.game.header.game, message.json()) == message


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ([], None, "bad_shape"),
        ([], [], "bad_shape"),
        (["step"], -1, "bad_integer"),
        (["step"], 2**32, "bad_integer"),
        (["step"], "4", "bad_integer"),
        (["seat"], 12, "bad_integer"),
        (["seat"], True, "bad_integer"),
        (["kind"], "timeout", "bad_kind"),
        (["kind"], "", "bad_text"),
        (["kind"], 3, "bad_text"),
        (["body"], None, "bad_shape"),
        (["body"], [], "bad_shape"),
        (["body"], {"x": 1.5}, "bad_body"),
        (["body"], {"x": 2**53}, "bad_body"),
        (["body"], {"x": "\ud800"}, "bad_body"),
        (["body"], {"\ud800": 1}, "bad_body"),
        (["body"], {"x": "y" * BODY_LIMIT}, "too_large"),
        (["signature"], b64(bytes(63)), "bad_bytes"),
        (["signature"], b64(bytes(64)) + "==", "bad_bytes"),
        (["signature"], b64(bytes(64))[:-1] + "B", "bad_bytes"),
    ],
)
def test_a_message_of_another_form(path: list[Any], value: Any, code: str) -> None:
    table = at_move()
    data = at_path(table.message(0).json(), path, value)
    with refused(code, "/" + path[0] if path else ""):
        read_message(table.game.header.game, data)


def test_a_message_with_fields_too_few_or_too_many() -> None:
    table = at_move()
    data = table.message(0).json()
    with refused("missing_field", "/signature"):
        read_message(table.game.header.game, {k: v for k, v in data.items() if k != "signature"})
    with refused("unknown_field", "/game"):
        read_message(table.game.header.game, {**data, "game": table.game.header.game})
    with refused("unknown_field", "/a~1~0?"):
        read_message(table.game.header.game, {**data, "a/~\udfff": 1})


def test_a_deeply_nested_body() -> None:
    table = at_move()
    deep: Any = {}
    for _ in range(5000):
        deep = {"x": deep}
    with refused("bad_body", "/body"):
        read_message(table.game.header.game, {**table.message(0).json(), "body": deep})


@pytest.mark.parametrize("kind", ["ready", "resign", "draw"])
def test_bodies_that_say_nothing(kind: str) -> None:
    table = at_move()
    body = {"seen": table.message(0).body["seen"], "why": "tired"}
    with refused("unknown_field", "/why"):
        table.send(signed(table, 0, kind, body, table.game.step))


@pytest.mark.parametrize(
    ("move", "code", "pointer"),
    [
        (None, "bad_shape", "/move"),
        ("keep", "bad_shape", "/move"),
        ({}, "no_such_choice", "/move"),
        ({"choice": "keep", "x": 1}, "no_such_choice", "/move"),
        ({"choice": "steal"}, "no_such_choice", "/move"),
    ],
)
def test_a_move_that_is_none(move: Any, code: str, pointer: str) -> None:
    table = at_move()
    with refused(code, pointer):
        table.send(again(table, table.message(0), move=move))


def test_a_refusal_names_the_rule() -> None:
    table = Table.hearts()
    table.until("move", topic="expose")
    seat = table.asked()[0]
    position = min(table.views[seat].state.board.hands[seat])
    move = {"expose": position, "card": "2H"}
    with pytest.raises(Refused) as caught:
        table.send(table.seats[seat].move(table.views[seat], move))
    assert (caught.value.code, caught.value.pointer) == ("not_exposable", "/move/card")
    assert caught.value.section.startswith("hearts")


def test_a_refused_message_changes_nothing() -> None:
    table = at_move()
    before, record = table.game, list(table.record)
    with refused("no_such_choice"):
        table.send(again(table, table.message(0), move={}))
    assert (table.game, table.record) == (before, record)


# Held messages


def test_a_held_message_is_nowhere_before_its_step_closes() -> None:
    table = at_move()
    table.choose = lambda table, seat: REDRAW
    before = table.game
    message = table.message(0)
    game, entries = accept(table.keeper, table.game, message, table.now)
    assert (game, entries) == (before, [])
    for seat in (None, 0, 1):
        assert view(game, seat) == view(before, seat)


# Receipts and faces


def test_a_receipt_is_the_houses_word() -> None:
    table = at_move()
    message = table.message(0)
    receipt = write_receipt(table.keeper.private, message.digest, table.now)
    key = table.game.header.house_key
    assert receipt_holds(receipt, key)
    assert receipt.json() == {
        "message": b64(message.digest),
        "at": timestamp(table.now),
        "signature": b64(receipt.signature),
    }
    for changed in (
        replace(receipt, at=receipt.at + 1),
        replace(receipt, message=bytes(64)),
        replace(receipt, signature=bytes(64)),
    ):
        assert not receipt_holds(changed, key)
    assert not receipt_holds(receipt, table.game.header.players[0].key)


def test_faces_are_told_to_one_seat_of_one_deal_of_one_game() -> None:
    table = Table.hearts()
    table.until("move")
    header, private = table.game.header, table.keeper.private
    faces = {p: table.game.state.faces[p] for p in range(13, 26)}
    told = write_faces(private, header.game, 1, 1, faces)
    assert read_faces(header, 1, told) == (1, faces)
    with refused("wrong_seat", "/seat"):
        read_faces(header, 0, told)
    for changed in (
        {**told, "deal": 2},
        at_path(told, ["faces", 0, "card"], told["faces"][1]["card"]),
        at_path(told, ["faces", 0, "position"], 1),
        {**told, "signature": b64(bytes(64))},
        write_faces(bytes_of("stranger"), header.game, 1, 1, faces),
        write_faces(private, Table.hearts(seed=1).game.header.game, 1, 1, faces),
        {**write_faces(private, header.game, 1, 0, faces), "seat": 1},
    ):
        with refused("bad_signature", "/signature"):
            read_faces(header, 1, changed)
    cases: list[tuple[list[str | int], Any, str]] = [
        (["deal"], 0, "bad_integer"),
        (["seat"], True, "bad_integer"),
        (["faces"], {}, "bad_list"),
        (["faces", 0], {}, "missing_field"),
        (["signature"], "", "bad_bytes"),
    ]
    for path, value, code in cases:
        with refused(code):
            read_faces(header, 1, at_path(told, path, value))
