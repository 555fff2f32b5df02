"""Cards of the stock where nobody deals: drawn, taken one by one, and added to a deal (protocol 20.8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from cards.games.big_c.hands import STRENGTH, combination_played, compare
from cards.games.contract import Move
from crypto import linear
from crypto.encoding import b64, unb64
from crypto.lock import HOUSE, joined
from crypto.secret import MatchSecret
from referee import Refused
from referee.dealerless import proofs
from referee.dealerless.masked import Attempt, InPlay
from referee.dealerless.unlocking import Unlocking
from referee.message import write_message
from tests.referee.dealerless.kit import Dealerless, verified
from tests.referee.table import Table, at_random
from vectors.example import NO_FRESH


def drawing(table: Table, seat: int) -> Move:
    """Draw or forfeit where that is legal, play from the hand before the Griddle; else at random."""
    game = table.views[seat]
    moves = [*game.rules.legal(game.state, seat)]
    return next((m for m in moves if "draw" in m or "forfeit" in m or "play" in m), moves[0])


def until(table: Dealerless, wanted: Callable[[Dealerless], bool], steps: int = 400) -> None:
    for _ in range(steps):
        if wanted(table):
            return
        assert not table.game.over
        table.step()
    raise AssertionError("the game does not get there")


def taking(table: Dealerless) -> bool:
    """Tell whether a seat is asked to show or keep the card that it has just taken."""
    asking = table.game.asking
    return asking is not None and asking.kind == "unlock" and bool(proofs.sought(table.game))


def kept_one() -> Dealerless:
    """A copy of the game of flip that `_kept_one` finds."""
    return _kept_one().copy()


@cache
def _kept_one() -> Dealerless:
    """A game of flip in which a seat takes a card that does not fit, and is asked about the next."""
    for seed in range(20):
        table = Dealerless.sit("flip", 3, seed=seed)
        table.choose = drawing
        until(table, taking)
        (mover,) = table.asked()
        table.answer(mover)
        if not taking(table):
            until(table, lambda table: taking(table) or table.record[-1].kind == "turn", 6)
        masked = table.game.masked
        if taking(table) and isinstance(masked, InPlay) and masked.kept:
            return table
    raise AssertionError("cards always fit")


def forged(table: Dealerless, seat: int, kind: str, body: dict[str, Any]) -> str:
    """The code by which a seat's own message with this body is refused."""
    game, who = table.spectator, table.seats[seat]
    seen = {"seq": game.seq, "digest": b64(game.digest)}
    message = write_message(who.private, game.header.game, game.step, seat, kind, {**body, "seen": seen})
    with pytest.raises(Refused) as refused:
        table.send(message)
    return refused.value.code


# Taking cards one by one


def test_a_card_that_does_not_fit_is_seen_by_its_drawer_alone() -> None:
    table = kept_one()
    (mover,) = table.asked()
    masked = table.game.masked
    assert isinstance(masked, InPlay)
    (kept,) = masked.kept
    assert kept not in table.spectator.state.faces
    assert kept in table.seats[mover].hand(table.game)
    others = {*range(3)} - {mover}
    assert not any(kept in table.seats[seat].hand(table.game) for seat in others)
    pile = table.game.state.board.pile
    assert kept == pile, "the rules move the cards once the taking is over"
    until(table, lambda table: table.record[-1].kind != "unlock")
    after = table.game.masked
    assert isinstance(after, InPlay)
    assert not after.kept
    assert kept in table.game.state.board.hands[mover]
    verified(table)


def test_each_card_is_handed_over_before_its_drawer_is_asked() -> None:
    table = kept_one()
    (mover,) = table.asked()
    actors = [entry.actor for entry in reversed(table.record)]
    others = sorted({"0", "1", "2"} - {str(mover)})
    assert actors[0] == "house"
    assert sorted(actors[1:3]) == others
    assert actors[3] == str(mover), "who kept the card before"
    shown = [entry.body for entry in table.record if entry.kind == "unlock"][-3:]
    assert all("positions" not in body and len(unb64(body["shares"])) == 48 for body in shown)


def test_a_drawer_can_neither_deny_a_card_that_fits_nor_show_one_that_does_not() -> None:
    tried = set()
    for seed in range(30):
        table = Dealerless.sit("flip", 2, seed=seed)
        table.choose = drawing
        until(table, taking)
        (mover,) = table.asked()
        game, hand = table.spectator, table.seats[mover].hand(table.spectator)
        (position,) = proofs.to_unlock(game, mover)
        traits = proofs.sought(game)
        fits = bool(traits & game.rules.has(hand[position]))
        sender = table.seats[mover]._sender()
        pack = proofs.pack_of(game)
        masks = MatchSecret(table.seats[mover].match_secret).masks(NO_FRESH)
        if fits:
            (part,) = proofs.parts_of(game, (), proofs.CardsAndTraits(frozenset({position}), traits))
            assert part.claim is not None
            counts = [0 for _ in part.claim.others]
            secret = linear.Witness(sender.key(pack), 1, counts)
            ctx = proofs.context(game, mover, game.step, "unlock")
            proof = linear.prove(ctx, part.statement(mover, {}), secret, masks)
            assert forged(table, mover, "unlock", {"positions": [], "proof": b64(proof)}) == "bad_proof"
        else:
            shown = sender._shown(game, game.step, "unlock", proofs.parts_of(game, (position,)), hand)
            assert forged(table, mover, "unlock", {"positions": [position], **shown}) == "not_sought"
            other = next(p for p in hand if p != position)
            shown = sender._shown(game, game.step, "unlock", proofs.parts_of(game, (other,)), hand)
            assert forged(table, mover, "unlock", {"positions": [other], **shown}) == "not_sought"
        tried.add(fits)
        if tried == {True, False}:
            return
    raise AssertionError(f"only {tried} came up")


def test_who_is_asked_for_a_card_names_it_and_hands_it_over_or_does_neither() -> None:
    """A position without shares and shares without a position have no meaning."""
    table = kept_one()
    (mover,) = table.asked()
    (position,) = proofs.to_unlock(table.spectator, mover)
    proof = table.message(mover).body["proof"]
    shares = b64(bytes.fromhex("c0") + bytes(47))
    assert forged(table, mover, "unlock", {"positions": [position], "proof": proof}) == "bad_shape"
    assert forged(table, mover, "unlock", {"positions": [], "shares": shares, "proof": proof}) == "bad_shape"
    assert forged(table, mover, "unlock", {"proof": proof}) == "missing_field"
    both = {"positions": [position, position + 1], "shares": shares, "proof": proof}
    assert forged(table, mover, "unlock", both) == "bad_length"


def test_the_rules_turn_up_the_card_that_was_shown_and_no_other() -> None:
    """And nothing where every card of the pile was kept."""
    seen = set[bool]()
    for seed in range(40):
        table = Dealerless.sit("flip", 2, seed=seed)
        table.choose = drawing
        for _ in range(300):
            if table.game.over:
                break
            table.step()
        for before, entry in pairwise(table.record):
            if (before.kind, entry.kind) == ("unlock", "turn") and "positions" in before.body:
                assert [face["position"] for face in entry.body["faces"]] == before.body["positions"]
                seen.add(bool(before.body["positions"]))
        if seen == {True, False}:
            return
    raise AssertionError(f"only {seen} came up")


def test_a_draw_needs_a_claim_and_a_play_needs_none() -> None:
    table = Dealerless.sit("flip", 2, seed=1)
    table.choose = drawing
    until(table, taking)
    moves = [entry.body for entry in table.record if entry.kind == "move"]
    drawn = next(body for body in moves if "draw" in body["move"])
    assert drawn.keys() == {"move", "proof", "seen"}
    assert all(len(unb64(body["proof"])) == 128 for body in moves if "play" in body["move"])


def test_who_has_no_lock_takes_cards_in_the_open() -> None:
    for seed in range(10):
        table = Dealerless.sit("flip", 3, seed=seed, absent="play", target=0)
        table.choose = drawing
        table.silent = lambda table, seat: seat == 1 and table.game.asking.kind == "mix"
        until(table, lambda table: table.game.deals == 1)
        table.silent = lambda table, seat: False
        hand = table.game.state.board.hands[1]
        assert hand <= table.spectator.state.faces.keys()
        drawn = set[int]()
        while not table.game.over:
            table.step()
            drawn |= table.game.state.board.hands[1] - hand
            assert drawn <= table.spectator.state.faces.keys()
        verified(table)
        asked = [e for e in table.record if (e.kind, e.actor) == ("unlock", "1") and "positions" in e.body]
        assert not asked
        if drawn:
            return
    raise AssertionError("the seat never draws")


def test_alone_with_the_house() -> None:
    table = Dealerless.sit("flip", 1, seed=3)
    table.choose = drawing
    table.play(600)
    outcome = table.game.outcome
    assert outcome is not None
    assert outcome.reason in ("empty", "passed", "turns")
    unlocks = [entry for entry in table.record if entry.kind == "unlock"]
    assert any(entry.actor == "house" for entry in unlocks)
    verified(table)


# Drawing and adding


def footstools(table: Table, seat: int) -> Move:
    """Lead a card on which the next player steps at once, and step on it."""
    game = table.views[seat]
    board, mine = game.state.board, game.state.faces
    if board.phase != "play":
        return at_random(table, seat)
    if board.table:
        under = combination_played(mine[p] for p in board.table)
        moves = (m for m in game.rules.legal(game.state, seat) if "play" in m)
        best = max(moves, key=lambda m: compare(combination_played(m["cards"]), under).penalty, default=None)
        return best or {"pass": True}
    after = table.views[board.after(seat)].state.faces
    theirs = {STRENGTH[after[p]] for p in board.hands[board.after(seat)] if p in after}
    own = [p for p in sorted(board.hands[seat]) if STRENGTH[mine[p]] >= 0]
    stepped = [p for p in own if {STRENGTH[mine[p]], STRENGTH[mine[p]] + 1} & theirs]
    return {"play": [(stepped or own)[0]], "cards": [mine[(stepped or own)[0]]]}


def added() -> Dealerless:
    """A copy of the game of Big C that `_added` plays."""
    return _added().copy()


@cache
def _added() -> Dealerless:
    """A game of Big C whose stock is empty, up to the third deal, which adds cards."""
    table = Dealerless.sit("big-c", 4, seed=1, hand=27, absent="play")
    until(table, lambda table: table.game.deals == 3)
    return table


def test_a_pack_of_one_card_lies_open() -> None:
    table = Dealerless.sit("big-c", 4, seed=2, hand=27)
    table.choose = footstools
    until(table, lambda table: table.game.deals == 3)
    deal = next(entry for entry in table.record if entry.kind == "deal" and entry.body["deal"] == 3)
    assert deal.body == {"deal": 3, "link": None, "drawn": [{"seat": None, "count": 1}]}
    before = table.record[deal.seq - 1]
    assert before.kind in ("account", "unlock"), "nobody locks or mixes it"
    masked = table.game.masked
    assert isinstance(masked, InPlay)
    (position,) = masked.pack.positions
    assert masked.pack.locks == {}
    board, faces = table.spectator.state.board, table.spectator.state.faces
    assert position in board.hands[board.groups[0][0]]
    assert position in faces
    assert [len(pack.locks) for pack in masked.packs] == [5, 0]
    until(table, lambda table: table.game.over or table.game.deals > 3)
    verified(table)


def test_older_cards_stay_under_their_locks() -> None:
    table = added()
    masked = table.game.masked
    assert isinstance(masked, InPlay)
    old, new = masked.packs
    assert new.positions.start == old.positions.stop
    assert {*old.locks} == {*new.locks} == {0, 1, 2, 3, HOUSE}
    assert not {*old.locks.values()} & {*new.locks.values()}
    for seat in range(4):
        hand = table.game.state.board.hands[seat]
        known = table.seats[seat].hand(table.game).keys() | table.game.state.faces.keys()
        assert hand <= known
    until(table, lambda table: table.game.over)
    verified(table)


@cache
def of_both() -> tuple[Dealerless, int, dict[str, Any]]:
    """A game of Big C in which a seat may play cards of two deals together, the seat, and that body."""
    for seed in range(40):
        table = Dealerless.sit("big-c", 4, seed=seed, hand=27)
        for _ in range(400):
            asking = table.game.asking
            if table.game.over or asking is None:
                break
            masked = table.game.masked
            if asking.kind == "move" and isinstance(masked, InPlay) and masked.older:
                (seat,) = table.asked()
                game, new = table.views[seat], masked.pack
                moves = (m for m in game.rules.legal(game.state, seat) if len(m.get("play", ())) > 1)
                locked = [m for m in moves if [*m["play"]] == [*masked.locked(m["play"])]]
                both = [m for m in locked if 0 < sum(p in new.positions for p in m["play"]) < len(m["play"])]
                if both:
                    who = table.seats[seat]
                    return table, seat, {**who.move(table.spectator, both[0]).body}
            table.step()
    raise AssertionError("no such hand comes up")


def test_a_hand_of_cards_from_two_deals_has_a_proof_for_each() -> None:
    table, seat, body = of_both()
    table = table.copy()
    assert len(unb64(body["proof"])) == 2 * 128
    due = proofs.of_move(table.spectator, seat, body["move"])
    assert [part.pack.deal for part in due.parts] == [2, table.game.deals]
    proof, shares = unb64(body["proof"]), unb64(body["shares"])
    given = {name: body[name] for name in ("move", "shares", "proof")}
    for wrong in (
        {"proof": b64(proof[128:] + proof[:128])},
        {"proof": b64(proof[:128])},
        {"proof": b64(proof[:128] * 2)},
        {"proof": b64(proof + proof[128:])},
        {"shares": b64(shares[48:] + shares[:48])},
    ):
        assert forged(table, seat, "move", {**given, **wrong}) == "bad_proof"
    sender = table.seats[seat]._sender()
    wrong_deal = [replace(part, pack=replace(part.pack, deal=1)) for part in due.parts]
    shown = sender._shown(table.spectator, table.spectator.step, "move", wrong_deal, {})
    assert forged(table, seat, "move", {**given, **shown}) == "bad_proof"
    table.send(table.seats[seat].move(table.spectator, body["move"]))
    verified(table)


def test_a_drawn_card_is_unlocked_by_all_but_its_owner() -> None:
    table = Dealerless.sit("big-c", 3, seed=4, hand=13)
    table.choose = footstools
    until(table, lambda table: table.game.asking is not None and table.game.asking.kind == "unlock")
    board, asked = table.game.state.board, table.asked()
    (owner,) = {0, 1, 2} - {*asked}
    last = table.record[-1]
    assert last.kind == "account"
    assert last.body["lines"][0]["under"] == owner
    drawn = [p for p in board.hands[owner] if p >= 39]
    (first,) = asked[:1]
    body = table.message(first).body
    assert len(unb64(body["shares"])) == 48 * len(drawn)
    pairs = [unb64(body["shares"])[:48], *[unb64(body["shares"])[48:]] * (len(drawn) > 1)]
    wrong = {"shares": joined([*pairs, pairs[0]]), "proof": unb64(body["proof"])}
    assert forged(table, first, "unlock", {name: b64(data) for name, data in wrong.items()}) == "bad_length"
    assert forged(table, first, "unlock", {"proof": body["proof"], "positions": []}) == "unknown_field"
    table.answer(*asked)
    assert {*drawn} <= table.seats[owner].hand(table.game).keys()
    assert not {*drawn} & table.spectator.state.faces.keys()
    verified(table)


@pytest.mark.parametrize("kind", ["lock", "mix", "share"])
def test_who_is_silent_while_cards_are_added_keeps_the_older_hand(kind: str) -> None:
    table = Dealerless.sit("big-c", 4, seed=1, hand=27, absent="play")
    until(table, lambda table: isinstance(table.game.masked, Attempt) and table.game.deals == 2)
    table.silent = lambda table, seat: seat == 2 and table.game.asking.kind == kind
    until(table, lambda table: table.game.deals == 3)
    table.silent = lambda table, seat: False
    masked = table.game.masked
    assert isinstance(masked, InPlay)
    assert masked.pack.seats == (0, 1, 3)
    assert masked.older[0].seats == (0, 1, 2, 3)
    hidden = [p for p in table.game.state.board.hands[2] if p < 108 and p not in table.game.state.faces]
    assert hidden
    assert {*hidden} <= table.seats[2].hand(table.game).keys()
    until(table, lambda table: table.game.over)
    verified(table)


def test_a_void_deal_takes_the_added_cards_with_it() -> None:
    table = added()
    fresh = next(e for e in table.record if e.kind == "deal" and e.body["deal"] == 2)
    until(table, lambda table: table.game.asking is not None and table.game.asking.topic == "lead")
    (late,) = table.asked()
    table.silent = lambda table, seat: seat == late
    until(table, lambda table: table.record[-1].kind == "lock" and table.record[-1].actor == "house")
    annul = next(entry for entry in reversed(table.record) if entry.kind == "annul")
    assert annul.body == {"deal": table.game.deals, "seats": [late]}
    assert table.game.gone == {late}
    assert table.game.state.board.phase == "deal"
    assert not table.game.state.board.hands
    assert isinstance(table.game.masked, Attempt)
    assert table.game.masked.played is None
    assert table.game.masked.pack.deal == annul.body["deal"] + 1
    assert fresh.body["deal"] < annul.body["deal"]
    table.silent = lambda table, seat: False
    until(table, lambda table: table.game.asking is not None and table.game.asking.topic == "follow")
    verified(table)


def test_time_outs_count_over_the_added_cards_too() -> None:
    """Two time-outs in the older deal, and one behind the added cards: the third."""
    for seed in range(30):
        table = Dealerless.sit("big-c", 4, seed=seed, hand=27, absent="play")
        until(table, lambda table: table.game.asking is not None and table.game.asking.topic == "present")
        table.silent = lambda table, seat: seat == 1
        until(table, lambda table: table.game.masked.silent == {1: 2}, 12)
        table.silent = lambda table, seat: False
        until(table, lambda table: table.game.over or table.game.deals == 3)
        if table.game.over:
            continue
        masked = table.game.masked
        assert isinstance(masked, InPlay)
        assert masked.silent == {1: 2}
        return
    raise AssertionError("no cards were added")


def test_who_draws_beside_another_keeps_its_own_lock() -> None:
    """No mode lets two seats draw at once so far."""
    table = Dealerless.sit("flip", 3, seed=1)
    until(table, lambda table: table.game.deals == 1)
    playing = table.game.masked
    assert isinstance(playing, InPlay)
    both = Unlocking((50, 51), {50: 0, 51: 1})
    assert [both.of(playing, party) for party in (0, 1, 2, HOUSE)] == [(51,), (50,), (50, 51), (50, 51)]
    assert both.parties(playing) == {0, 1, 2, HOUSE}
    assert Unlocking((50,), {50: 0}).parties(playing) == {1, 2, HOUSE}


def test_shares_are_kept_with_the_pack_of_their_cards() -> None:
    playing = added().game.masked
    assert isinstance(playing, InPlay)
    old, new = (pack.positions.start for pack in playing.packs)
    after = playing.with_shares(HOUSE, {old: b"old", new: b"new"})
    assert [pack.shares.get(old, {}).get(HOUSE) for pack in after.packs] == [b"old", None]
    assert [pack.shares.get(new, {}).get(HOUSE) for pack in after.packs] == [None, b"new"]
    nowhere = playing.packs[-1].positions.stop
    assert playing.of(nowhere) is None
    assert playing.lockers(nowhere) == playing.pack.lockers(nowhere) == frozenset()
