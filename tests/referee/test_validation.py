"""The list of checks: which comes first, and what one that held is remembered for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from crypto.encoding import b64, unb64
from crypto.group import encode_scalar, engine
from crypto.identity import public_key, sign
from referee import Game, Message, Refused, checks, write_message
from referee.checks import AtOnce, ClaimedEquations, Remembering, Trusting
from referee.dealerless.proofs import Locked
from referee.game import Sealed
from referee.validation import Entered, Moved, examine
from tests.crypto.crypto_kit import products
from tests.referee.dealerless.kit import Dealerless
from tests.referee.forger import at_path, refused, signed
from tests.referee.published_kit import entries, games
from tests.referee.table import Table
from vectors.matches import PRIVATES

CHEF = entries("record_chef")

OTHER = b64(encode_scalar(5))
"""Some other scalar."""


def before(seq: int) -> Game:
    """The published match of Pancake before this entry."""
    game = games("record_chef")[seq]
    assert game is not None
    return game


def sent(seq: int, **changes: Any) -> Message:
    """The message of an entry, with fields of its body changed, signed anew by its seat."""
    entry = CHEF[seq]
    assert entry.seat is not None
    body = {**entry.body, **changes}
    return write_message(PRIVATES[entry.seat], CHEF[0].body["game"], entry.step, entry.seat, entry.kind, body)


def flipped(text: str) -> str:
    """The same bytes but for the last bit."""
    data = bytearray(unb64(text))
    data[-1] ^= 1
    return b64(bytes(data))


ENTER, SEAL, REVEAL = 1, 15, 25
"""Entries with claims: a match deck, a seal, a reveal that opens cards."""


# Order


def test_the_first_check_that_fails_answers() -> None:
    """A message with which everything is wrong, mended in the order of the list."""
    game, right = before(SEAL), CHEF[SEAL]
    proof = flipped(right.body["proof"])
    body: dict[str, Any] = {"seal": 1, "proof": proof, "seen": 1}
    message = Message(game.header.game, 9, 5, "seal", body, bytes(64), bytes(64))
    seen = {"seq": 13, "digest": b64(bytes(64))}
    steps: list[tuple[str, str, dict[str, Any], Mapping[str, Any]]] = [
        ("bad_bytes", "/seal", {"seal": right.body["seal"]}, {}),
        ("bad_shape", "/seen", {"seen": seen}, {}),
        ("no_such_seat", "/seat", {}, {"seat": 0}),
        ("wrong_step", "/step", {}, {"step": 8}),
        ("too_late", "/step", {}, {}),
        ("bad_signature", "/signature", {}, {}),
        ("seen_too_old", "/seen/seq", {"seen": {**seen, "seq": 14}}, {}),
        ("seen_unknown", "/seen", {"seen": right.body["seen"]}, {}),
        ("bad_proof", "/proof", {"proof": right.body["proof"]}, {}),
    ]
    assert game.asking is not None
    arrival, signed = game.asking.deadline + 1, False
    for code, pointer, change, place in steps:
        with refused(code, pointer):
            examine(game, message, AtOnce(), arrival)
        body = {**body, **change}
        message = replace(message, **place)
        arrival -= code == "too_late"
        signed = signed or code == "bad_signature"
        good = write_message(PRIVATES[0], message.game, message.step, 0, "seal", body)
        message = replace(good if signed else message, body=body, seat=message.seat)
    assert isinstance(examine(game, message, AtOnce(), arrival), Sealed)


@pytest.mark.parametrize("seq", [3, 5, 8, SEAL, 17])
def test_the_deadline_itself_is_in_time(seq: int) -> None:
    game, message = before(seq), sent(seq)
    assert game.asking is not None
    examine(game, message, AtOnce(), game.asking.deadline_of(message.seat))
    with refused("too_late", "/step"):
        examine(game, message, AtOnce(), game.asking.deadline_of(message.seat) + 1)
    # Of what waited for its turn the arrival is not known.
    examine(game, message, AtOnce(), None)


def test_what_is_owed_or_ends_the_game_is_never_late() -> None:
    owed = next(e for e in CHEF if e.kind == "reveal" and e.seq > 26)
    examine(before(owed.seq), sent(owed.seq), AtOnce(), before(owed.seq).at + 10**9)
    for seq in (33, 34):
        assert CHEF[seq].kind in ("draw", "resign")
        examine(before(seq), sent(seq), AtOnce(), before(seq).at + 10**9)


def test_an_owed_reveal_is_of_its_own_step_and_nothing_else_is() -> None:
    """Seat 1 owes the reveal of step 11, while step 14 runs and 12 closed last."""
    game, owed = before(32), CHEF[32]
    assert (owed.step, game.step, game.closed[0]) == (11, 14, 12)
    for step, code, pointer in (
        (10, "wrong_step", "/step"),
        (12, "wrong_step", "/step"),
        (14, "wrong_kind", "/kind"),
    ):
        with refused(code, pointer):
            examine(
                game, write_message(PRIVATES[1], CHEF[0].body["game"], step, 1, "reveal", owed.body), AtOnce()
            )
    body = {"seen": owed.body["seen"]}
    for kind in ("resign", "draw"):
        with refused("wrong_step", "/step"):
            examine(game, write_message(PRIVATES[1], CHEF[0].body["game"], 11, 1, kind, body), AtOnce())


def test_nothing_is_taken_once_the_game_has_ended() -> None:
    for over in (35, 36):
        with refused("game_over", "/step"):
            examine(before(over), sent(34), AtOnce())


def test_nothing_is_taken_of_who_is_out() -> None:
    hearts = entries("record_hearts")
    for seq in (16, 20):
        entry, game = hearts[seq], games("record_hearts")[seq]
        assert entry.seat is not None
        assert game is not None
        assert entry.kind in ("move", "resign")
        message = Message(
            hearts[0].body["game"], entry.step, entry.seat, entry.kind, entry.body, bytes(64), bytes(64)
        )
        out = replace(game.state.board, gone=frozenset((entry.seat,)))
        with refused("seat_out", "/seat"):
            examine(replace(game, state=replace(game.state, board=out)), message, Trusting())
        examine(game, message, Trusting())


def unsigned(game: Game, kind: str, step: int, seen: int, body: Mapping[str, Any]) -> Message:
    """A message of seat 0, which has seen the entry of this number."""
    digest = dict(game.recent).get(seen, bytes(64))
    whole = {**body, "seen": {"seq": seen, "digest": b64(digest)}}
    return Message(game.header.game, step, 0, kind, whole, bytes(64), bytes(64))


@pytest.mark.parametrize(
    ("kind", "step", "oldest"),
    [("reveal", 8, 16), ("resign", 8, 14), ("draw", 8, 14), ("resign", 7, 13), ("draw", 7, 13)],
)
def test_an_answer_has_seen_what_asked_for_it_or_more(kind: str, step: int, oldest: int) -> None:
    """Step 8 was opened by entry 14, and its reveals were asked for by 16; entry 13 had asked step 7."""
    game, body = before(17), CHEF[17].body if kind == "reveal" else {}
    assert (game.asking and (game.asking.opened, game.asking.seq), game.closed) == ((14, 16), (7, 13))
    for seen in range(oldest, 17):
        examine(game, unsigned(game, kind, step, seen, body), Trusting())
    for seen, code in ((oldest - 1, "seen_too_old"), (17, "seen_unknown")):
        with refused(code):
            examine(game, unsigned(game, kind, step, seen, body), Trusting())


def test_an_offer_that_stands_is_not_made_again_in_a_later_step() -> None:
    game = before(17)
    later = unsigned(game, "draw", 8, 16, {})
    examine(game.with_seat(0, offered=7), later, Trusting())
    for offer in ({"offers_draw": True, "offered": 7}, {"offered": 8}):
        with refused("already_offered", "/kind"):
            examine(game.with_seat(0, **offer), later, Trusting())


def test_a_link_that_came_early_is_said_again_and_no_other() -> None:
    entry = CHEF[11]
    early = before(11).with_seat(0, newest=(entry.body["deal"], unb64(entry.body["link"])))
    examine(early, sent(11), AtOnce())
    with refused("wrong_link", "/link"):
        examine(early, sent(11, link=flipped(entry.body["link"])), AtOnce())
    late = before(11).with_seat(0, newest=(entry.body["deal"] + 1, unb64(entry.body["link"])))
    with refused("wrong_link", "/link"):
        examine(late, sent(11), AtOnce())


# Answers of the checks


def test_a_proof_that_fails_says_which_and_why() -> None:
    for seq, name, section in ((ENTER, "shuffle", "protocol 6"), (SEAL, "meal", "protocol 8")):
        with pytest.raises(Refused) as caught:
            examine(before(seq), sent(seq, proof=flipped(CHEF[seq].body["proof"])), AtOnce())
        text = f"the {name} proof fails: an equation does not hold"
        assert (caught.value.text, caught.value.section) == (text, section)


def test_a_match_deck_as_it_was_read() -> None:
    passed = examine(before(ENTER), sent(ENTER), AtOnce())
    positions = tuple(unb64(position) for position in CHEF[ENTER].body["positions"])
    assert isinstance(passed, Entered)
    assert passed.deck is not None
    assert passed.deck.positions == positions
    assert passed.deck == before(ENTER + 1).seats[1].deck


# Remembered checks


def test_a_signature_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bytes, bytes, bytes]] = []
    verify = checks.verify

    def noting(key: bytes, digest: bytes, signature: bytes) -> bool:
        asked.append((key, digest, signature))
        return verify(key, digest, signature)

    monkeypatch.setattr(checks, "verify", noting)
    once, private = Remembering(), PRIVATES[0]
    key, digest = public_key(private), bytes(range(64))
    signature = sign(private, digest)
    for _ in range(3):
        assert once.signature(key, digest, signature)
    assert len(asked) == 1
    for other in (
        (public_key(PRIVATES[1]), digest, signature),
        (key, digest[::-1], signature),
        (key, digest, bytes(64)),
    ):
        assert not once.signature(*other)
        assert not once.signature(*other), "what does not hold is not remembered"
        assert asked[-2:] == [other, other]
    assert once.signature(key, digest, signature)
    assert len(asked) == 7


@pytest.mark.parametrize("seq", [ENTER, SEAL, REVEAL])
def test_a_claim_is_checked_once(seq: int) -> None:
    once = Remembering()
    with products(engine()) as made:
        for _ in range(3):
            examine(before(seq), sent(seq), once)
    assert len(made) == 1


@pytest.mark.parametrize(
    ("seq", "path", "code"),
    [
        (ENTER, ["proof"], "bad_proof"),
        (ENTER, ["anchor"], "bad_proof"),
        (SEAL, ["proof"], "bad_proof"),
        (REVEAL, ["blinding"], "wrong_reveal"),
        (REVEAL, ["openings", 0, "blinding"], "wrong_opening"),
    ],
)
def test_what_held_is_remembered_for_its_own_bytes_only(seq: int, path: list[str | int], code: str) -> None:
    once = Remembering()
    examine(before(seq), sent(seq), once)
    body = dict(CHEF[seq].body)
    part: Any = body
    for step in path:
        part = part[step]
    new = OTHER if path[-1] == "blinding" else flipped(part)
    with refused(code):
        examine(before(seq), sent(seq, **at_path(body, path, new)), once)


def test_a_proof_is_remembered_for_its_own_match_deck() -> None:
    once, body = Remembering(), CHEF[ENTER].body
    examine(before(ENTER), sent(ENTER), once)
    exchanged = [body["positions"][1], body["positions"][0], *body["positions"][2:]]
    with refused("bad_proof", "/proof"):
        examine(before(ENTER), sent(ENTER, positions=exchanged), once)


def test_a_proof_is_remembered_for_its_own_seal() -> None:
    once, other = Remembering(), CHEF[SEAL + 1].body["seal"]
    examine(before(SEAL), sent(SEAL), once)
    with refused("bad_proof", "/proof"):
        examine(before(SEAL), sent(SEAL, seal=other), once)


def test_a_seal_is_remembered_for_its_own_step() -> None:
    once, game, right = Remembering(), before(SEAL), sent(SEAL)
    examine(game, right, once)
    assert game.asking is not None
    later = replace(game, step=9, phase=replace(game.asking, step=9))
    message = write_message(PRIVATES[0], right.game, 9, 0, "seal", right.body)
    with refused("bad_proof", "/proof"):
        examine(later, message, once)


class Noting(Trusting):
    """Notes what kinds of claims it is asked to take."""

    def __init__(self) -> None:
        self.kinds: list[str] = []

    def claims(self, kind: str, statement: bytes, claims: Sequence[ClaimedEquations]) -> None:
        assert claims
        self.kinds.append(kind)


def test_each_kind_of_claim_has_a_name() -> None:
    noting = Noting()
    for seq in (ENTER, SEAL, REVEAL):
        examine(before(seq), sent(seq), noting)
    assert noting.kinds == ["shuffle", "meal", "reveal"]


def test_who_trusts_asks_for_nothing() -> None:
    with products(engine()) as made:
        for seq in (ENTER, SEAL, REVEAL):
            examine(before(seq), replace(sent(seq), signature=bytes(64)), Trusting())
    assert made == []


# With a dealer and without one


def refusal_of(game: Game, message: Message) -> tuple[str, str, str | None]:
    """The refusal of a message: code, text, pointer."""
    with pytest.raises(Refused) as caught:
        examine(game, message, AtOnce())
    return caught.value.code, caught.value.text, caught.value.pointer


def test_a_table_without_a_dealer_takes_no_envelope() -> None:
    table = Dealerless.sit("hearts", 3)
    game = table.until("lock")
    body = {**table.message(0).body, "envelope": b64(bytes(100))}
    text = "nobody else can show a card of yours, so a table without a dealer takes no envelopes"
    assert refusal_of(game, signed(table, 0, "lock", body, game.step)) == ("no_envelopes", text, "/envelope")


def test_only_a_table_without_a_dealer_is_sent_locks() -> None:
    other, table = Dealerless.sit("hearts", 3), Table.hearts(3)
    other.until("lock")
    game = table.until("move")
    lock = signed(table, 0, "lock", other.message(0).body, game.step)
    assert refusal_of(game, lock) == ("bad_kind", "there is no message of this kind", "/kind")


def test_a_false_proof_about_a_lock_is_no_lock() -> None:
    table = Dealerless.sit("hearts", 3)
    game, right = table.until("lock"), table.message(0)
    assert isinstance(examine(game, right, AtOnce()), Locked)
    wrong = signed(table, 0, "lock", {**right.body, "proof": flipped(right.body["proof"])}, game.step)
    assert refusal_of(game, wrong)[0] == "bad_proof"


def test_a_move_without_its_proof_is_no_move() -> None:
    table = Dealerless.sit("hearts", 3)
    game = table.until("move", topic="card")
    [seat] = table.asked()
    right = table.message(seat)
    passed = examine(game, right, AtOnce())
    assert isinstance(passed, Moved)
    assert passed.shares.keys() == {right.body["move"]["play"]}
    bare = {name: value for name, value in right.body.items() if name not in ("shares", "proof")}
    text = "this move needs the field shares"
    assert refusal_of(game, signed(table, seat, "move", bare, game.step)) == (
        "proof_lacking",
        text,
        "/shares",
    )


def test_a_link_of_another_deal_is_told_which_is_next() -> None:
    table = Table.hearts(3)
    game = table.until("link")
    wrong = signed(table, 0, "link", {**table.message(0).body, "deal": 2}, game.step)
    assert refusal_of(game, wrong) == ("wrong_deal", "the next deal is 1", "/deal")
