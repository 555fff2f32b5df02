"""What a table without a dealer refuses: false and missing proofs, a house that cheats, and bad options.

False proofs are made by the honest prover's code on false inputs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from cards import games
from cards.games.contract import CardsAndTraits, Face, Move
from crypto.encoding import b64, unb64
from crypto.lock import HOUSE
from crypto.secret import MatchSecret
from referee import Refused, apply, complete_options
from referee.checks import AtOnce
from referee.dealerless import proofs, sending
from referee.game import Game
from referee.message import write_message
from referee.record import HOUSE as HOUSE_ACTOR
from referee.record import write_entry
from tests.referee.dealerless.kit import Dealerless
from tests.referee.table import Table

HEARTS, CRIBBAGE = games.find("hearts"), games.find("cribbage")


def refused(table: Table, seat: int, kind: str, body: Mapping[str, Any], step: int | None = None) -> Refused:
    """The refusal of a message whose signature is right."""
    game, who = table.spectator, table.seats[seat]
    seen = {"seq": game.seq, "digest": b64(game.digest)}
    at = game.step if step is None else step
    message = write_message(who.private, game.header.game, at, seat, kind, {**body, "seen": seen})
    with pytest.raises(Refused) as found:
        table.send(message)
    return found.value


def denied(table: Table, kind: str, body: Mapping[str, Any], later: int = 0, **changes: Any) -> str:
    """The code with which every fold refuses an entry that the house has signed."""
    game = table.spectator
    values = {"step": game.step, **changes}
    entry = write_entry(
        table.keeper.private,
        (game.seq, game.digest),
        game.at + later,
        values["step"],
        HOUSE_ACTOR,
        kind,
        body,
    )
    with pytest.raises(Refused) as found:
        apply(game, entry, AtOnce())
    return found.value.code


def body_of(table: Table, seat: int) -> dict[str, Any]:
    """The body of what a seat would send, without `seen`."""
    body = dict(table.message(seat).body)
    del body["seen"]
    return body


def flipped(text: str, at: int = -5) -> str:
    data = bytearray(unb64(text))
    data[at] ^= 1
    return b64(bytes(data))


# Options


def test_a_mode_without_traits_has_no_such_option() -> None:
    with pytest.raises(Refused):
        complete_options(games.find("chef"), {"dealer": "nobody"})


def test_big_c_without_a_dealer_is_for_six_at_most() -> None:
    """A mix of the packs for more would not fit in a message."""
    assert len(Dealerless.sit("big-c", 6).seats) == 6
    with pytest.raises(Refused) as found:
        Dealerless.sit("big-c", 7)
    assert (found.value.code, found.value.pointer) == ("bad_seats", "/seats")


def test_a_game_with_a_dealer_says_nothing_about_it() -> None:
    assert {"dealer", "mix"}.isdisjoint(complete_options(HEARTS, {}))
    assert complete_options(HEARTS, {"dealer": "house"})["dealer"] == "house"


@pytest.mark.parametrize("name", ["link", "mix"])
def test_links_and_mixes_last_at_least_as_long_as_the_longest_choice(name: str) -> None:
    given = {"dealer": "nobody", "card": 90}
    assert complete_options(HEARTS, given)[name] == 90
    assert complete_options(HEARTS, {**given, name: 91})[name] == 91
    with pytest.raises(Refused) as found:
        complete_options(HEARTS, {**given, name: 89})
    assert (found.value.code, found.value.pointer) == ("bad_option", f"/{name}")


# While a deal is made


def test_a_lock_of_another_deal_or_with_a_changed_proof() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("lock")
    body = body_of(table, 0)
    assert refused(table, 0, "lock", {**body, "deal": 2}).code == "wrong_deal"
    assert refused(table, 0, "lock", {**body, "deal": True}).code == "bad_integer"
    assert refused(table, 0, "lock", {**body, "proof": flipped(body["proof"])}).code == "bad_proof"
    assert refused(table, 0, "lock", body_of(table, 1)).code == "bad_proof", "another's lock"
    assert refused(table, 0, "lock", {**body, "more": 1}).code == "unknown_field"
    assert refused(table, 0, "mix", {"pack": "", "proof": ""}).code == "wrong_kind"
    assert refused(table, 0, "resign", {}).code == "too_early"


def test_a_mix_of_another_pack_and_a_mix_out_of_turn() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("mix")
    body = body_of(table, 0)
    pack = unb64(body["pack"])
    exchanged = b64(pack[96:192] + pack[:96] + pack[192:])
    assert refused(table, 0, "mix", {**body, "pack": exchanged}).code == "bad_proof"
    assert refused(table, 0, "mix", {**body, "pack": b64(pack[:-96])}).code == "bad_length"
    assert refused(table, 1, "mix", body).code == "not_asked"
    refusal = refused(table, 0, "mix", {**body, "proof": flipped(body["proof"])})
    assert (refusal.code, refusal.pointer, refusal.section) == ("bad_proof", "/proof", "protocol 20.5")


def test_shares_that_are_left_out_exchanged_or_false() -> None:
    table = Dealerless.sit("hearts", 3, seed=1)
    table.until("share")
    body = body_of(table, 0)
    shares = unb64(body["shares"])
    assert len(shares) == 34 * 48
    assert refused(table, 0, "share", {**body, "shares": b64(shares[48:])}).code == "bad_length"
    exchanged = b64(shares[48:96] + shares[:48] + shares[96:])
    assert refused(table, 0, "share", {**body, "shares": exchanged}).code == "bad_proof"
    assert refused(table, 0, "share", {**body, "shares": b64(shares[:-48] + shares[:48])}).code == "bad_proof"


def test_the_house_can_leave_nothing_out() -> None:
    table = Dealerless.sit("cribbage", 2, seed=1)
    table.until("mix")
    pack = proofs.pack_of(table.spectator)
    deal = {"deal": 1, "link": None, "drawn": [{"seat": None, "count": 52}]}
    assert denied(table, "deal", deal, step=table.spectator.step + 1) == "not_due"
    assert denied(table, "annul", {"deal": 1, "seats": [0]}) == "not_due"
    assert denied(table, "share", {"shares": "", "proof": ""}) == "not_due"
    assert denied(table, "timeout", {"seat": 0, "kind": "mix", "move": None}) == "too_early"
    assert set(pack.locks) == {0, 1, HOUSE}


# Moves


def leading(seed: int) -> tuple[Dealerless, int]:
    """A round of hearts in which a card is led, and the seat that follows."""
    table = Dealerless.sit("hearts", 3, seed=seed)
    table.until("move", topic="card")
    table.step()
    assert table.game.asking is not None
    (seat,) = table.game.asking.seats
    return table, seat


def honest(table: Table, seat: int, move: Move, hand: Mapping[int, Face]) -> dict[str, Any]:
    """The body that the honest prover's code makes of any move and any hand."""
    sender = sending.Sender(seat, MatchSecret(table.seats[seat].match_secret), bytes(32))
    return sender.move(table.spectator, table.spectator.step, move, hand)


def test_a_card_off_suit_needs_a_claim_and_a_false_claim_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    table, seat = leading(2)
    game, hand = table.spectator, dict(table.seats[seat].hand(table.spectator))
    led = game.state.faces[game.state.board.trick[0]][-1]
    follows = [p for p in hand if hand[p][-1] == led]
    off = next(p for p in hand if hand[p][-1] != led)
    assert follows, "the seed gives the seat cards to follow with"
    move = {"play": off, "card": hand[off]}
    with pytest.raises(ValueError, match="claim denies"):
        honest(table, seat, move, hand)
    # Its player names other cards than it has.
    lie = dict.fromkeys(hand, "3C" if led != "C" else "3D") | {off: hand[off]}
    false = honest(table, seat, move, lie)
    assert refused(table, seat, "move", false).code == "bad_proof"
    fewer = _claiming_less(monkeypatch, table, seat, move, hand, {*follows})
    assert refused(table, seat, "move", fewer).code == "bad_proof"
    without = {name: value for name, value in false.items() if name != "proof"}
    refusal = refused(table, seat, "move", without)
    assert (refusal.code, refusal.pointer) == ("proof_lacking", "/proof")
    assert refused(table, seat, "move", {"move": move}).pointer == "/shares"


def _claiming_less(
    monkeypatch: pytest.MonkeyPatch,
    table: Table,
    seat: int,
    move: Move,
    hand: Mapping[int, Face],
    hidden: set[int],
) -> dict[str, Any]:
    """The body of a move with a true claim over fewer cards than the rules demand."""
    demanded = HEARTS.claim(table.spectator.state, seat, move)
    assert demanded is not None
    less = CardsAndTraits(demanded.positions - hidden, demanded.traits)
    with monkeypatch.context() as patched:
        patched.setattr(type(HEARTS), "claim", lambda self, state, who, made: less)
        return honest(table, seat, move, hand)


def test_another_name_another_position_and_what_need_not_be_shown() -> None:
    table, seat = leading(2)
    game, hand = table.spectator, dict(table.seats[seat].hand(table.spectator))
    led = game.state.faces[game.state.board.trick[0]][-1]
    held = sorted(game.state.board.hands[seat])
    one, *others = [p for p in held if hand[p][-1] == led]
    move = {"play": one, "card": hand[one]}
    body = honest(table, seat, move, hand)
    taken = {game.state.faces[p] for p in game.state.faces}
    name = next(
        c for c in (f"{rank}{led}" for rank in ("3", "7", "9", "J", "K")) if c not in {hand[one], *taken}
    )
    assert refused(table, seat, "move", {**body, "move": {**move, "card": name}}).code == "not_that_card"
    if others:
        other = honest(table, seat, {"play": others[0], "card": hand[others[0]]}, hand)
        assert refused(table, seat, "move", {**body, "shares": other["shares"]}).code == "bad_proof"
        assert refused(table, seat, "move", {**other, "move": move}).code == "bad_proof"
    assert (
        refused(table, seat, "move", {**body, "shares": b64(unb64(body["shares"]) * 2)}).code == "bad_length"
    )
    table.send(table.seats[seat].move(game, move))
    assert table.record[-1].actor in (str(seat), HOUSE_ACTOR)


def test_a_move_without_cards_shows_nothing() -> None:
    table = Dealerless.sit("hearts", 3, seed=1)
    table.until("move")
    refusal = refused(table, 0, "move", {"move": {"done": True}, "proof": b64(bytes(80))})
    assert (refusal.code, refusal.pointer) == ("proof_not_due", "/proof")
    refusal = refused(table, 0, "move", {"move": {"done": True}, "shares": ""})
    assert (refusal.code, refusal.pointer) == ("proof_not_due", "/shares")


def test_a_table_with_a_dealer_knows_none_of_it() -> None:
    table = Table.hearts(3)
    table.until("move")
    move = {"move": {"done": True}, "proof": b64(bytes(80))}
    assert refused(table, 0, "move", move).code == "unknown_field"
    assert refused(table, 0, "lock", {"deal": 1, "lock": "", "proof": ""}).code == "bad_kind"
    assert denied(table, "annul", {"deal": 1, "seats": [0]}) == "not_due"


# The house and silence


def late_once(table: Dealerless) -> tuple[int, Game]:
    """Let the seat that is asked for a card be late once; returns it and the game."""
    table.until("move", topic="card")
    assert table.game.asking is not None
    (seat,) = table.game.asking.seats
    table.lapse()
    return seat, table.spectator


def test_a_house_that_plays_a_hidden_hand_or_is_early() -> None:
    table = Dealerless.sit("hearts", 3, seed=1)
    table.until("move", topic="card")
    game = table.spectator
    assert game.asking is not None
    (seat,) = game.asking.seats
    hand = table.seats[seat].hand(game)
    position, code = next(iter(hand.items()))
    clock = game.asking.deadline + 1 - game.at
    played = {"seat": seat, "kind": "move", "move": {"play": position, "card": code}}
    assert denied(table, "timeout", played, later=clock) == "wrong_move"
    assert denied(table, "timeout", {**played, "move": None}, later=clock - 1) == "too_early"
    seat, game = late_once(table)
    assert denied(table, "timeout", {**played, "move": None}) == "too_early", "it has time again"
    assert denied(table, "annul", {"deal": 1, "seats": [seat]}) == "not_due"
