"""What the referee refuses where nobody deals, also before verifiers that lack a safeguard (protocol 20.15).

The entries are those of `bad_dealerless.json`. Each is refused as it was published. Then it is forged again
before a weakened verifier, which takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import partial

import pytest

from cards.games.contract import CardsAndTraits, Turn
from cards.games.cribbage.score import VALUE
from cards.games.hearts.table import PlayingToTrick
from crypto import lock
from referee.checks import AtOnce
from referee.dealerless import bodies, making
from referee.dealerless.proofs import to_unlock
from referee.dealerless.sending import Sender
from referee.errors import Refused
from referee.fold import apply
from referee.game import AnnulDue, Duty, Game, MaskedDealDue, PartyDue, ResultDue, TurnDue, attempt_of
from tests.attack.lax import (
    Weak,
    checking_no_proof,
    claiming,
    clockless,
    counting_true,
    demanding,
    ignoring,
    knowing_actor,
    looking_at_the_first,
    opening,
    owed,
    passing_over_empty_proofs,
    passing_the_house,
    patient,
    playing_hidden_hands,
    reading_leniently,
    reading_no_share,
    refused,
    sharing,
    supposing,
    takes,
    takes_anew,
    taking_any_length,
    unlocking,
    without,
)
from tests.attack.ledger import Outcome, attack
from tests.attack.weak import answering, without_context
from vectors.bad_dealerless_stock import drawn
from vectors.dealerless_place import CRIBBAGE, HEARTS, ExamplePlace, following, seeking
from vectors.example import NO_FRESH

Tries = Sequence[tuple[str, Weak]]
"""Published entries by name, each with a verifier that takes it."""


def weakly(outcome: Outcome, note: str, *tries: tuple[str, Weak], anew: Tries = ()) -> None:
    """Each of these entries is refused, and taken by the weakened verifier beside it.

    Those in `anew` are forged for that verifier; the others are as they were published.
    """
    for name, weak in (*tries, *anew):
        assert refused(name), name
        take = takes_anew if (name, weak) in anew else takes
        assert take(name, weak), name
    outcome.rejected(len(tries) + len(anew), note)


def both(*weak: Weak) -> Weak:
    """A verifier that lacks several safeguards."""

    @contextmanager
    def all_of() -> Iterator[None]:
        with ExitStack() as stack:
            for each in weak:
                stack.enter_context(each())
            yield

    return all_of


# --- While a deal is made ---


@attack("a lock of another, less the others, or from another place, at the table", "protocol 20.4")
def test_false_locks(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken without L1, without a place in ctx, or without a proof",
        ("lock_less_the_others", without("L1")),
        ("lock_anothers", checking_no_proof),
        ("lock_of_an_earlier_attempt", checking_no_proof),
        ("lock_of_another_deal", ignoring("wrong_deal")),
        ("lock_bit", checking_no_proof),
        ("lock_twice", both(ignoring("not_asked"), clockless)),
        ("lock_of_another_party", without("L1")),
        ("house_another_s_lock", without("L1")),
        anew=(
            ("lock_of_another_step", partial(without_context, lock, 1)),
            ("lock_of_another_kind", partial(without_context, lock, 4)),
        ),
    )


@attack("a bad point, scalar or length, at the table", "protocol 20.3, 20.4")
def test_bad_encodings(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken by who reads leniently",
        ("lock_the_identity", checking_no_proof),
        ("lock_scalar_unreduced", both(reading_leniently, without("L1"))),
        ("lock_proof_longer", reading_leniently),
        ("lock_short", taking_any_length),
        ("mix_shorter", taking_any_length),
        ("move_two_shares", both(taking_any_length, ignoring("not_that_card"))),
        ("form_half_a_point", taking_any_length),
    )


@attack("a false mix, or a mix of another pack than the record holds, at the table", "protocol 20.5")
def test_false_mixes(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken without S2 and S4, without a proof, or by who forgets the house's mix",
        ("mix_card_doubled", without("S2a", "S2c", "S4")),
        ("mix_bit", checking_no_proof),
        anew=[("mix_of_the_open_pack", passing_the_house)],
    )


@attack("false, exchanged, lacking or foreign shares, at the table", "protocol 20.7")
def test_false_shares(outcome: Outcome) -> None:
    alike = partial(answering, {"w": 1})
    weakly(
        outcome,
        "taken without L1 or L2, with equal weights, or for other positions",
        ("share_false", without("L2")),
        ("share_of_its_own_cards", without("L2")),
        ("share_by_another_lock", without("L1")),
        ("share_left_out", sharing(lambda due: due[1:])),
        ("share_one_more", sharing(lambda due: (*due, 20))),
        ("share_out_of_order", ignoring("out_of_order")),
        ("share_bit", checking_no_proof),
        anew=[("share_two_false", alike), ("share_exchanged", alike)],
    )


# --- Moves ---


@attack("a card shown by another name, position, share or step", "protocol 20.8")
def test_false_cards(outcome: Outcome) -> None:
    own = following()
    hand, right = own.hand(own.seat), own.real.body["move"]["play"]
    other = next(p for p in hand if hand[p][-1] == own.led and p != right)
    weakly(
        outcome,
        "taken without L2, without a place in ctx, or where name or position do not count",
        ("move_another_s_proof", both(opening(other), ignoring("not_that_card"))),
        ("move_without_share", both(taking_any_length, ignoring("proof_lacking", "not_that_card"))),
        ("move_another_name", ignoring("not_that_card")),
        ("move_another_s_share", both(without("L2"), ignoring("not_that_card"))),
        ("move_share_fitted", without("L2")),
        ("move_without_proof", ignoring("proof_lacking")),
        ("move_proof_not_due", ignoring("proof_not_due")),
        anew=(
            ("move_of_another_step", partial(without_context, lock, 1)),
            ("move_of_another_kind", partial(without_context, lock, 4)),
        ),
    )


def hearts_claim() -> tuple[frozenset[int], frozenset[int], str]:
    """Of the claims of `claim_...`: all positions, those that do not follow suit, and the led suit."""
    own = following()
    hand, led = own.hand(own.seat), own.led
    off = next(p for p in sorted(hand) if hand[p][-1] != led)
    rest = frozenset(hand) - {off}
    return rest, frozenset(p for p in rest if hand[p][-1] != led), led


@attack("a card off suit with no claim, a false one, or a true one about something else", "protocol 20.8")
def test_false_claims(outcome: Outcome) -> None:
    rest, fewer, _ = hearts_claim()
    own = following()
    hand, mode = own.hand(own.seat), own.game.rules
    free = next(t for t in mode.facts.traits if all(t not in mode.has(hand[p]) for p in rest))
    right = own.real.body["move"]["play"]
    told = CardsAndTraits(frozenset(hand) - {right}, frozenset({"X"}))
    weakly(
        outcome,
        "taken without L3, or where the sender says what is due",
        ("claim_false", without("L3")),
        ("claim_lacking", demanding("hearts", lambda due: None)),
        ("claim_over_fewer_cards", demanding("hearts", lambda due: CardsAndTraits(fewer, due.traits))),
        (
            "claim_about_another_trait",
            demanding("hearts", lambda due: CardsAndTraits(due.positions, frozenset({free}))),
        ),
        ("claim_about_nothing", demanding("hearts", lambda due: CardsAndTraits(due.positions, frozenset()))),
        ("move_exposed_first", without("L3")),
        ("move_claim_not_due", claiming("hearts", told)),
    )


@attack("an open hand that moves against the rules", "protocol 20.8", knows="everything")
def test_an_open_hand_against_the_rules(outcome: Outcome) -> None:
    def lawless() -> AbstractContextManager[None]:
        patch = pytest.MonkeyPatch.context()

        @contextmanager
        def changed() -> Iterator[None]:
            with patch as found:
                found.setattr(PlayingToTrick, "refusal", lambda self, move: None)
                yield

        return changed()

    weakly(outcome, "taken where the rules are not asked", ("move_open_hand", lawless))


@attack("go while a card fits, with no claim, a false one or a true one about less", "protocol 20.8")
def test_false_goes(outcome: Outcome) -> None:
    own = ExamplePlace(CRIBBAGE, "move", "0", 3)
    values = {p: VALUE[face] for p, face in own.hand(0).items() if p in own.game.state.board.hand.held[0]}
    # Seat 0 plays a card that counts ten and a six; of the two that are left, one fits at 26.
    for played in (10, 6):
        del values[next(p for p in sorted(values) if values[p] == played)]
    others = frozenset(p for p, value in values.items() if value > 5)
    held = {str(value) for value in values.values()}

    def fewer_values(due: CardsAndTraits) -> CardsAndTraits:
        return CardsAndTraits(due.positions, due.traits - held)

    def fewer_cards(due: CardsAndTraits) -> CardsAndTraits:
        return CardsAndTraits(others, due.traits)

    weakly(
        outcome,
        "taken without L3, or where the sender says what is due",
        ("go_while_a_card_fits", without("L3")),
        ("go_over_fewer_values", demanding("cribbage", fewer_values)),
        ("go_over_fewer_cards", demanding("cribbage", fewer_cards)),
        ("go_without_claim", ignoring("proof_lacking")),
        ("go_by_the_house", playing_hidden_hands),
        ("go_by_the_house_later", playing_hidden_hands),
    )


# --- Turning up and seeking ---


def starter_shown(game: Game) -> Duty:
    """The turn that the house wants, whoever still locks the card."""
    upcoming = game.rules.next(game.state)
    assert isinstance(upcoming, Turn), "a card is turned up"
    return TurnDue(upcoming)


@attack("another card turned up, or one that somebody still locks", "protocol 20.8")
def test_false_turns(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken without L1 or L2, for other positions, or on the house's word",
        ("turn_of_the_next_position", without("L2")),
        ("turn_of_another_position", unlocking(lambda due: tuple(p + 1 for p in due))),
        ("turn_by_an_old_lock", without("L1")),
        ("turn_bit", checking_no_proof),
        ("turn_by_the_house_alone", owed(starter_shown)),
        ("turn_without_the_house_s", owed(starter_shown)),
        ("turn_another_card", ignoring("wrong_turn")),
    )


@attack("the holder of a card that is sought denies, or opens another", "protocol 20.8")
def test_false_answers_to_a_search(outcome: Outcome) -> None:
    sought = seeking(found=True).real.body["positions"][0]

    def fewer(due: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(p for p in due if p != sought)

    weakly(
        outcome,
        "taken without L3, over fewer cards, where any card will do, or where positions are guessed",
        ("seek_denied", both(without("L3"), ignoring("not_sought"))),
        ("seek_denied_of_fewer", both(unlocking(fewer), ignoring("not_sought"))),
        ("seek_another_card", ignoring("not_sought")),
        ("seek_in_another_hand", ignoring("not_sought")),
        ("seek_two", looking_at_the_first),
        ("seek_without_positions", supposing(sought)),
        ("form_claim_of_nothing", checking_no_proof),
    )


@attack("something chosen while a card is turned up", "protocol 20.8", knows="everything")
def test_a_choice_between_an_unlock_and_its_turn(outcome: Outcome) -> None:
    """A seat that has cut would cut anew, once it has seen the other shares of the card that it has cut."""
    own = ExamplePlace(CRIBBAGE, "unlock", "1", 1)
    asking, state = own.game.asking, own.game.state
    assert asking is not None
    cutter = state.board.hand.mover
    entry = own.said(cutter, "move", {"move": {"cut": 5}})
    with pytest.raises(Refused) as found:
        apply(own.game, entry, AtOnce())
    assert found.value.code == "wrong_kind"
    board = state.board.but(phase="starter")
    asked = replace(asking, kind="move", how="any", topic="starter", seats=frozenset({cutter}))
    passed = replace(own.game, state=replace(state, board=board), phase=asked)
    after = apply(passed, entry, AtOnce())
    assert after.state.board.hand.starter == board.setup.stock.start + 5
    outcome.rejected(1, "taken by a verifier that lets the starter be cut until it lies open")


# --- The stock ---


@attack("a false share of a card that another takes, or a false answer of its taker", "protocol 20.8")
def test_false_cards_of_the_stock(outcome: Outcome) -> None:
    own = drawn()
    (position,) = to_unlock(own.game, own.seat)
    weakly(
        outcome,
        "taken without L2 or L3, for other positions, or where any card will do",
        ("draw_of_the_next_card", unlocking(lambda due: tuple(p + 1 for p in due))),
        ("draw_of_a_card_of_its_own", without("L2")),
        ("draw_own_share", both(unlocking(lambda due: (position,)), ignoring("not_asked"), clockless)),
        ("take_denied", without("L3")),
        ("take_another_card", ignoring("not_sought")),
        ("take_what_does_not_fit", ignoring("not_sought")),
    )


@attack("cards of two deals with too few proofs, or proofs in other places", "protocol 20.8")
def test_false_proofs_about_two_deals(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken without a proof, or without the deal in ctx",
        ("added_one_proof", passing_over_empty_proofs),
        ("added_exchanged", checking_no_proof),
        ("added_twice_the_first", checking_no_proof),
        anew=[("added_other_deal", partial(without_context, lock, 5))],
    )


# --- Silence, and void deals ---


@attack("a time-out too early or behind an answer, an answer too late", "protocol 20.9", knows="everything")
def test_false_time(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken by a verifier without a clock, or that waits a fourth time",
        ("late_too_early", clockless),
        ("late_before_the_new_deadline", clockless),
        ("late_mix_too_early", clockless),
        ("late_behind_an_answer", ignoring("out_of_order")),
        ("late_answer", ignoring("too_late")),
        anew=(
            ("late_answer_after_the_third", patient),
            ("late_held_after_the_third", both(patient, ignoring("out_of_order"))),
        ),
    )


@attack("the house plays a hidden hand", "protocol 20.9", knows="everything")
def test_the_house_plays_a_hidden_hand(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken by a verifier that lets the house move for hidden hands",
        ("late_played_by_the_house", playing_hidden_hands),
    )


@attack(
    "a deal annulled without cause, too soon, for others, or not at all", "protocol 20.9", knows="everything"
)
def test_false_annulments(outcome: Outcome) -> None:
    body = ExamplePlace(HEARTS, "annul", "house").real.body

    def annulled(game: Game) -> Duty:
        return AnnulDue(body["deal"], tuple(body["seats"]))

    def ended(game: Game) -> Duty:
        return ResultDue(game.rules.end(game.state, "withheld", frozenset({1})))

    weakly(
        outcome,
        "taken on the house's word for what is due, or for who is out",
        ("annul_without_cause", owed(annulled)),
        ("annul_after_two", owed(annulled)),
        ("annul_another_seat", ignoring("wrong_annul")),
        ("annul_more_seats", ignoring("wrong_annul")),
        ("annul_nobody", ignoring("wrong_annul")),
        ("annul_another_deal", ignoring("wrong_annul")),
        ("annul_left_out_at_the_end", owed(ended)),
        ("annul_out_locks_again", both(ignoring("seat_out", "not_asked"), clockless)),
    )


@attack("a house that goes on without annulling", "protocol 20.9", knows="everything")
def test_an_annulment_left_out(outcome: Outcome) -> None:
    """The next deal is made as if the void one had been annulled, and nobody reads who is out."""
    own = ExamplePlace(HEARTS, "annul", "house")
    entry = own.entry("lock", ExamplePlace(HEARTS, "lock", "house", 1).real.body)
    with pytest.raises(Refused) as found:
        apply(own.game, entry, AtOnce())
    assert found.value.code == "not_due"
    after = apply(own.game, own.real, AtOnce())
    assert isinstance(after.phase, PartyDue)
    passed = replace(after, seq=own.game.seq, digest=own.game.digest, at=own.game.at)
    entry = own.entry("lock", ExamplePlace(HEARTS, "lock", "house", 1).real.body, step=passed.step)
    assert apply(passed, entry, AtOnce()).gone == after.gone
    outcome.rejected(1, "taken by a verifier that annuls in silence")


# --- The house while a deal is made ---


@attack("a deal without all shares, with a link, or of fewer cards", "protocol 20.7", knows="everything")
def test_false_deals(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken on the house's word",
        ("house_deals_early", owed(lambda game: MaskedDealDue(attempt_of(game).pack.ask))),
        ("house_deal_link", ignoring("wrong_link")),
        ("house_deal_number", ignoring("wrong_deal")),
        ("house_deal_fewer", ignoring("wrong_draw")),
        ("house_excluded_locks", both(ignoring("not_asked"), clockless)),
        ("house_lock_bit", checking_no_proof),
        ("house_mix_bit", checking_no_proof),
        ("house_share_bit", checking_no_proof),
    )


@attack("a deal without the house's lock, mix or share", "protocol 20.2", knows="the secrets of all seats")
@pytest.mark.parametrize("kind", ["lock", "mix", "share"])
def test_the_house_leaves_its_part_out(kind: str, outcome: Outcome) -> None:
    """All seats together make a deal without it; then they alone would know every card."""
    own = ExamplePlace(HEARTS, kind, "house")
    passed = passed_over(own.game, kind)
    assert passed.asking is not None
    seat = min(passed.asking.seats)
    sender = Sender(seat, own.secret(seat), NO_FRESH)
    body = sender.body(passed, kind, passed.step, passed.digest)
    entry = own.said(seat, kind, body, step=passed.step)
    with pytest.raises(Refused) as found:
        apply(own.game, entry, AtOnce())
    assert found.value.code == "not_due"
    after = apply(passed, entry, AtOnce())
    assert after.seq == own.game.seq + 1
    outcome.rejected(1, "taken by a verifier that asks nothing of the house")


def passed_over(game: Game, kind: str) -> Game:
    """The game of a verifier for which the house need not lock, mix or share."""
    due = game.phase
    assert isinstance(due, PartyDue)
    if kind == "mix":
        return making._next_mix(game)
    assert due.asking is not None
    return replace(game, phase=due.asking)


# --- Forms ---


@attack("true for 1, and the actor 00", "protocol 20.15", knows="everything")
def test_false_forms(outcome: Outcome) -> None:
    weakly(
        outcome,
        "taken where true is 1, or where 00 is a seat",
        ("form_deal_true", counting_true),
        ("form_position_true", both(counting_true, ignoring("not_sought"), reading_no_share)),
        ("form_actor", partial(knowing_actor, "00")),
        ("form_more_fields", open_handed),
        ("form_house_seen", open_handed),
        ("form_annul_true", ignoring("wrong_annul")),
    )


def open_handed() -> AbstractContextManager[None]:
    """A verifier that reads past fields that it does not know."""
    patch = pytest.MonkeyPatch.context()

    @contextmanager
    def changed() -> Iterator[None]:
        with patch as found:
            found.setattr(bodies, "fields", lambda body, names, *rest, **more: body)
            yield

    return changed()
