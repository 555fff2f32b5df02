"""Chinese Hearts, rule by rule (the document's paragraphs; rulings, hearts 1 to 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards.games import french
from cards.games.contract import (
    Ask,
    CardsAndTraits,
    Deal,
    How,
    IllegalMove,
    Miss,
    Missed,
    Outcome,
    State,
    Turn,
)
from cards.games.hearts.score import BASE, HEARTS, round_score
from cards.games.hearts.table import EXPOSABLE, Board, pack
from tests.cards.games.hearts_kit import (
    DONE,
    HEARTS_MODE,
    OPTIONS,
    at,
    codes_of,
    dealt,
    do,
    no_more,
    play,
    why_not,
)

# 1: the pack and the deal


@pytest.mark.parametrize(
    ("seats", "removed"), [(3, ["2C"]), (4, []), (5, ["2C", "3C"]), (6, ["2C", "3C", "4C", "5C"])]
)
def test_ruling_1_low_clubs_are_removed(seats: int, removed: list[str]) -> None:
    cards = pack(seats)
    assert [code for code in french.PACK if code not in cards] == removed
    assert len(cards) % seats == 0
    due = HEARTS_MODE.next(HEARTS_MODE.start(OPTIONS, seats))
    assert isinstance(due, Deal)
    assert (due.secret, due.fresh, due.pack) == (True, True, cards)
    assert due.draws[0].pool == tuple(range(len(cards)))
    assert due.draws[0].count == len(cards)


def test_ruling_8_seat_i_is_dealt_the_i_th_block() -> None:
    state = HEARTS_MODE.deal(HEARTS_MODE.start(OPTIONS, 4), [None])
    assert [min(hand) for hand in state.board.hands] == [0, 13, 26, 39]
    assert all(len(hand) == 13 for hand in state.board.hands)


@pytest.mark.parametrize("seats", [2, 7])
def test_ruling_1_three_to_six_players(seats: int) -> None:
    with pytest.raises(ValueError, match="three to six"):
        HEARTS_MODE.start(OPTIONS, seats)


def test_ruling_7_the_first_leader_may_be_drawn_in_public() -> None:
    state = HEARTS_MODE.start({**OPTIONS, "first": "random"}, 5)
    due = HEARTS_MODE.next(state)
    assert isinstance(due, Deal)
    assert not due.secret
    # The stream of the table, the five seats as the pool, one draw.
    assert (due.draws[0].stream, due.draws[0].pool, due.draws[0].count) == (None, (0, 1, 2, 3, 4), 1)
    state = HEARTS_MODE.deal(state, [(3,)])
    assert state.board.leader == 3
    state = no_more(HEARTS_MODE.deal(state, [None]))
    assert HEARTS_MODE.next(state) == Ask(frozenset({3}), How.ANY, "card", "card")


# 2: exposing


def test_ruling_2_all_may_expose_in_any_order_until_all_are_done() -> None:
    state = dealt(["QS", "JD"], [], ["AH"], [])
    assert HEARTS_MODE.next(state) == Ask(frozenset(range(4)), How.ANY, "expose", "expose")
    state = do(state, 3, "done")
    assert HEARTS_MODE.next(state) == Ask(frozenset({0, 1, 2}), How.ANY, "expose", "expose")
    state = do(state, 2, "expose", "AH")
    assert HEARTS_MODE.next(state) == Ask(frozenset(range(4)), How.ANY, "expose", "expose"), (
        "done is withdrawn"
    )
    for seat in (1, 0, 3, 2):
        state = do(state, seat, "done")
    assert state.board.phase == "play"
    assert state.board.fronts[2] == {at(state, "AH")}


def test_ruling_2_only_the_four_cards_can_be_exposed() -> None:
    state = dealt(["QS", "KS"], ["10C"], [], [])
    assert {move.get("card") for move in HEARTS_MODE.legal(state, 0)} == {"QS", None}
    assert why_not(state, 0, {"expose": at(state, "KS"), "card": "KS"}) == "not_exposable"
    assert why_not(state, 0, {"expose": at(state, "KS"), "card": "QS"}) == "not_that_card"
    assert why_not(state, 1, {"expose": at(state, "QS"), "card": "QS"}) == "not_in_hand"
    assert why_not(state, 0, {"done": 1}) == "malformed"
    assert why_not(state, 0, {"play": 0, "card": "QS"}) == "malformed"
    out = do(state, 0, "expose", "QS")
    assert why_not(out, 0, {"expose": at(state, "QS"), "card": "QS"}) == "not_in_hand", "exposed already"


def test_ruling_2_the_fourth_card_is_exposed_automatically() -> None:
    state = dealt(["QS", "JD"], ["10C"], ["AH"], [])
    for seat, code in ((0, "QS"), (2, "AH"), (0, "JD")):
        state = do(state, seat, "expose", code)
    assert HEARTS_MODE.next(state) == Turn(frozenset({at(state, "10C")}))
    state = HEARTS_MODE.turn(state, {at(state, "10C"): "10C"})
    assert state.board.fronts[1] == {at(state, "10C")}
    assert state.board.phase == "play", "nobody has anything left to expose"


def test_ruling_2_also_when_one_player_holds_them_all() -> None:
    state = dealt(list(EXPOSABLE), [], [], [])
    for code in EXPOSABLE[:3]:
        state = do(state, 0, "expose", code)
    assert HEARTS_MODE.next(state) == Turn(frozenset({at(state, EXPOSABLE[3])}))


def test_a_fold_without_the_face_cannot_say_where_the_fourth_lies_but_takes_it() -> None:
    full = dealt(["QS", "JD"], ["10C"], ["AH"], [])
    view = full.seen(HEARTS_MODE.sees(full, 3))
    for seat, code in ((0, "QS"), (2, "AH"), (0, "JD")):
        move = {"expose": at(full, code), "card": code}
        full, view = (HEARTS_MODE.play(state, {seat: move}) for state in (full, view))
    hands = frozenset().union(*full.board.hands)
    assert HEARTS_MODE.next(view) == Turn(None, CardsAndTraits(hands, frozenset({"X"})))
    ten = at(full, "10C")
    assert HEARTS_MODE.turn(view, {ten: "10C"}).board == HEARTS_MODE.turn(full, {ten: "10C"}).board
    wrong: tuple[dict[int, str], ...] = (
        {},
        {ten: "9C"},
        {ten: "10C", 0: "QS"},
        {at(full, "QS"): "10C"},
        {60: "10C"},
        {at(full, "3C"): "10C"},
    )
    for faces in wrong:
        with pytest.raises(IllegalMove):
            HEARTS_MODE.turn(full, faces)
    with pytest.raises(IllegalMove, match="No card"):
        HEARTS_MODE.turn(dealt([], [], [], []), {0: "10C"})


# 4 to 6: tricks


def test_ruling_4_follow_from_the_hand_then_from_exposed_cards_then_with_anything() -> None:
    state = dealt(["2S", "3S", "3H"], ["QS", "4S", "5D"], ["AH"], [])
    state = no_more(do(state, 1, "expose", "QS"))
    state = play(state, "2S")
    spades = {state.faces[p] for p in state.board.hands[1] if state.faces[p].endswith("S")}
    assert codes_of(state, 1) == spades
    assert why_not(state, 1, {"play": at(state, "QS"), "card": "QS"}) == "must_follow"
    assert why_not(state, 1, {"play": at(state, "5D"), "card": "5D"}) == "must_follow"


def bare(hands: Sequence[Sequence[str]], fronts: Sequence[Sequence[str]], **board: Any) -> State[Board]:
    """A state near the end of a round."""
    codes = [code for cards in (*hands, *fronts) for code in cards]
    faces = dict(enumerate(codes))
    places = [frozenset(codes.index(code) for code in cards) for cards in (*hands, *fronts)]
    seats = len(hands)
    return State(
        Board(
            **{
                "seats": seats,
                "random_first": False,
                "phase": "play",
                "round": 1,
                "totals": (0,) * seats,
                "leader": 0,
                "missed": (0,) * seats,
                "hands": tuple(places[:seats]),
                "fronts": tuple(places[seats:]),
                "exposed": frozenset().union(*places[seats:]),
                "collected": ((),) * seats,
                **board,
            }
        ),
        faces,
    )


def test_ruling_4_an_exposed_card_follows_suit_when_the_hand_cannot() -> None:
    state = play(bare([["2S", "3H"], ["5D"], ["9S"]], [[], ["QS"], []]), "2S")
    assert codes_of(state, 1) == {"QS"}
    state = play(bare([["2H", "3H"], ["5D"], ["9S"]], [[], ["QS"], []]), "2H")
    assert codes_of(state, 1) == {"5D", "QS"}


def test_ruling_4_lead_from_the_hand_while_there_is_one() -> None:
    state = bare([["2S"], ["5D"], ["9S"]], [["JD"], ["QS"], []])
    assert codes_of(state, 0) == {"2S"}
    assert why_not(state, 0, {"play": at(state, "JD"), "card": "JD"}) == "hand_leads"
    state = bare([[], ["5D"], ["9S"]], [["JD", "AH"], ["QS"], []])
    assert codes_of(state, 0) == {"JD", "AH"}, "footnote 3"


def test_paragraph_9_the_highest_of_the_leading_suit_takes_the_trick_and_leads() -> None:
    state = bare([["10S", "2C"], ["AD", "3C"], ["JS", "4C"]], [[], [], []], leader=0)
    state = play(state, "10S", "AD", "JS")
    assert {state.faces[p] for p in state.board.collected[2]} == {"10S", "AD", "JS"}
    assert state.board.leader == state.board.mover == 2


def test_ruling_5_every_players_exposed_card_of_the_leading_suit_is_picked_up() -> None:
    state = bare([["2D", "3C"], ["4D", "5C"], ["6C", "7C"]], [[], ["JD", "QS"], ["AH"]], leader=0)
    state = play(state, "2D", "4D", "6C")
    assert {state.faces[p] for p in state.board.hands[1]} == {"5C", "JD"}
    assert {state.faces[p] for p in state.board.fronts[1]} == {"QS"}
    assert {state.faces[p] for p in state.board.exposed} == {"JD", "QS", "AH"}, (
        "ruling 3: for the whole round"
    )
    assert at(state, "JD") in HEARTS_MODE.sees(state, None), "everybody knows where it went"


def test_ruling_5_a_card_played_in_the_trick_is_not_picked_up() -> None:
    state = bare([["2D", "3C"], ["5C", "9C"], ["6C", "7C"]], [[], ["JD"], []], leader=0)
    state = play(state, "2D", "JD", "6C")
    assert at(state, "JD") in state.board.collected[1]


def test_paragraph_6_the_player_who_collected_the_queen_of_spades_leads_next() -> None:
    state = bare([["2C"], ["9C"], ["5D"]], [[], [], []], leader=0)
    faces = {**state.faces, 50: "QS", 51: "3C", 52: "4C"}
    state = State(replace(state.board, collected=((), (), (50, 51, 52))), faces)
    state = play(state, "2C", "9C", "5D")
    assert state.board.phase == "deal"
    assert state.board.leader == 2
    assert state.board.totals == (0, 0, -100)


# 3, 6: scoring


def test_ruling_3_exposing_doubles_the_suit_for_everybody() -> None:
    assert round_score(["5H", "JH"], ["AH"]).points == -60
    assert round_score(["JD", "5H"], ["QS"]).points == 90
    assert round_score(["JD", "5H"], ["JD", "AH"]).points == 180


@pytest.mark.parametrize("partner", ["2H", "3H", "4H"])
def test_ruling_6_the_ten_multiplies_with_any_heart(partner: str) -> None:
    assert round_score(["10C", partner], []).points == 0
    assert round_score(["10C", partner], []).factor == 2


@pytest.mark.parametrize(
    ("collected", "exposed", "points"),
    [
        (["10C"], [], 50),
        (["10C", "AS"], ["10C"], 100),
        (["10C", "JD"], ["10C"], 400),
        (["10C", "QS", "JD"], [], 0),
        (["10C", "5H"], ["AH"], -40),
        ([], EXPOSABLE, 0),
        (["2C", "AS"], [], 0),
    ],
)
def test_paragraph_14_the_ten(collected: list[str], exposed: list[str], points: int) -> None:
    assert round_score(collected, exposed).points == points


def test_paragraph_13_the_moon_turns_hearts_only() -> None:
    assert round_score(HEARTS, ["AH"]).points == 400
    assert round_score([*HEARTS, "QS"], []).points == 100
    assert round_score([*HEARTS, "10C"], []).points == 400
    assert round_score([*HEARTS, "10C", "QS"], ["10C"]).points == 400


def test_ruling_6_the_sun_is_flat() -> None:
    score = round_score([*HEARTS, "10C", "QS", "JD"], EXPOSABLE)
    assert (score.sun, score.points) == (True, 10000)


@given(st.sets(st.sampled_from(french.PACK)), st.sets(st.sampled_from(EXPOSABLE)))
def test_scores_follow_the_document_read_card_by_card(collected: set[str], exposed: set[str]) -> None:
    """Spells out paragraphs 12 to 14 of the document a second time."""
    value = {code: BASE.get(code, 0) for code in french.PACK}
    for code in french.PACK:
        if any(code[-1] == other[-1] for other in exposed):
            value[code] *= 2
    if all(f"{rank}H" in collected for rank in french.RANKS):
        value |= {code: -v for code, v in value.items() if code[-1] == "H"}
    total = sum(value[code] for code in collected)
    company = {"QS", "JD"} & collected or {code for code in collected if code[-1] == "H"}
    if {"10C", "QS", "JD"} <= collected and collected >= HEARTS:
        expected = 10000
    elif "10C" in collected and company:
        expected = total * (4 if "10C" in exposed else 2)
    elif "10C" in collected:
        expected = 100 if "10C" in exposed else 50
    else:
        expected = total
    score = round_score(collected, exposed)
    assert score.points == expected
    if not score.sun:
        assert score.points == sum(v for _, v in score.values) * score.factor + score.ten


def test_an_account_follows_the_round() -> None:
    state = bare([["10C"], ["2C"], ["5H"]], [[], [], []], leader=0, round=3, totals=(7, 0, 0))
    faces = {**state.faces, 50: "QS", 51: "3C", 52: "4C", 53: "JD"}
    state = State(replace(state.board, collected=((53,), (50, 51, 52), ())), faces)
    before = play(state, "10C", "2C")
    move = {"play": at(before, "5H"), "card": "5H"}
    after = HEARTS_MODE.play(before, {2: move})
    assert HEARTS_MODE.account(state, {0: {}}, before) is None
    lines = HEARTS_MODE.account(before, {2: move}, after)
    assert lines is not None
    assert [(line["seat"], line["points"], line["total"]) for line in lines] == [
        (0, 180, 187),
        (1, -100, -100),
        (2, 0, 0),
    ]
    assert [line["text"] for line in lines] == [
        "Seat 0: jack of diamonds +100, 5 of hearts -10, 10 of clubs x2: +180",
        "Seat 1: queen of spades -100: -100",
        "Seat 2: nothing of value: +0",
    ]


# 7: the end


def last_trick(totals: tuple[int, ...], **board: Any) -> State[Board]:
    """The state after the last card of a round in which seat 0 collects the queen of spades."""
    state = bare([["KS"], ["QS"], ["2D"]], [[], [], []], totals=totals, **board)
    return play(state, "KS", "QS", "2D")


def test_ruling_7_the_game_ends_when_a_score_exceeds_4999() -> None:
    assert isinstance(HEARTS_MODE.next(last_trick((-4899, 4999, 0))), Deal), "-4999 does not"
    over = HEARTS_MODE.next(last_trick((-4900, 10, 20)))
    assert over == Outcome((-5000, 10, 20), (2,), "points")
    over = HEARTS_MODE.next(last_trick((-4900, 20, 20)))
    assert over == Outcome((-5000, 20, 20), (1, 2), "points"), "equal leaders share it"


def test_ruling_8_after_100_rounds_the_highest_score_wins() -> None:
    assert isinstance(HEARTS_MODE.next(last_trick((5, 5, 5), round=99)), Deal)
    assert HEARTS_MODE.next(last_trick((5, 5, 5), round=100)) == Outcome((-95, 5, 5), (1, 2), "rounds")


# 8: silence


def missed(state: State[Board], seat: int) -> State[Board]:
    """Let the clock run out for a seat."""
    return HEARTS_MODE.play(state, {seat: Missed(Miss.CHOICE, HEARTS_MODE.absent(state, seat))})


def test_ruling_8_missed_exposing_is_done() -> None:
    state = dealt(["QS"], [], [], [])
    assert HEARTS_MODE.absent(state, 0) == DONE
    state = missed(state, 0)
    assert state.board.done == {0}
    state = HEARTS_MODE.play(state, {1: Missed(Miss.CHOICE)})
    assert state.board.missed == (0, 0, 0, 0)


def test_ruling_8_for_a_missed_card_the_lowest_legal_one_is_played() -> None:
    state = bare([["2H", "AC"], ["3S", "2S", "KD"], ["5H"]], [[], ["AH"], []])
    assert HEARTS_MODE.absent(state, 0) == {"play": at(state, "AC"), "card": "AC"}
    led = play(state, "2H")
    assert HEARTS_MODE.absent(led, 1) == {"play": at(state, "AH"), "card": "AH"}, "legal first, then lowest"
    led = play(state, "AC")
    assert HEARTS_MODE.absent(led, 1) == {"play": at(state, "KD"), "card": "KD"}, "by suit, then rank"


def test_ruling_8_the_house_can_play_no_other_card() -> None:
    state = bare([["2H", "AC"], ["3S"], ["5H"]], [[], [], []])
    other = Missed(Miss.CHOICE, {"play": at(state, "2H"), "card": "2H"})
    with pytest.raises(IllegalMove):
        HEARTS_MODE.play(state, {0: other})
    view = state.seen(HEARTS_MODE.sees(state, None))
    assert HEARTS_MODE.absent(view, 0) is None
    assert HEARTS_MODE.play(view, {0: other}).board.missed == (1, 0, 0), "who cannot tell trusts the house"
    with pytest.raises(IllegalMove):
        HEARTS_MODE.play(view, {0: Missed(Miss.CHOICE)})


def test_ruling_8_three_missed_cards_in_a_row_end_the_game() -> None:
    state = no_more(dealt([], [], [], []))
    rng = Random(8)
    totals = (50, 10, 40, 40)
    state = State(replace(state.board, totals=totals), state.faces)
    while state.board.missed[0] < 3:
        seat = state.board.mover
        state = (
            missed(state, 0)
            if seat == 0
            else HEARTS_MODE.play(state, {seat: HEARTS_MODE.legal(state, seat).sample(rng)})
        )
    assert HEARTS_MODE.next(state) == Outcome(totals, (2, 3), "missed")


def test_ruling_8_a_card_played_begins_the_count_again() -> None:
    state = bare(
        [["2S", "3S", "4S"], ["5S", "6S", "7S"], ["8S", "9S", "10S"]], [[], [], []], missed=(2, 0, 2)
    )
    state = play(state, "2S")
    assert state.board.missed == (0, 0, 2)


def test_ruling_8_a_resignation_leaves_the_win_to_the_best_of_the_others() -> None:
    state = bare([["2S"], ["5S"], ["8S"]], [[], [], []], totals=(90, -10, -20))
    assert HEARTS_MODE.end(state, "resigned", frozenset({0})) == Outcome((90, -10, -20), (1,), "resigned")
    everyone = frozenset({0, 1, 2})
    assert HEARTS_MODE.end(state, "resigned", everyone).winners == (0, 1, 2)


# what a fold without faces can still tell


def test_a_statement_is_held_against_what_is_known() -> None:
    full = no_more(dealt(["2S", "KH"], ["QS"], ["AH"], []))
    view = full.seen(HEARTS_MODE.sees(full, 1))
    hidden = at(full, "2S")
    legal = HEARTS_MODE.legal(view, 0)
    assert {"play": hidden, "card": "2S"} in legal
    assert {"play": hidden, "card": "KH"} in legal, "seat 1 cannot know better"
    refusal = legal.refusal({"play": hidden, "card": "QS"})
    assert refusal is not None
    assert refusal.code == "not_that_card"
    assert why_not(view, 0, {"play": at(full, "AH"), "card": "AH"}) == "not_held"
    assert why_not(full, 0, {"play": hidden, "card": "KH"}) == "not_that_card"
    assert why_not(full, 0, {"play": hidden, "card": "1S"}) == "unknown_card"
    assert why_not(full, 0, {"play": True, "card": "2S"}) == "malformed"
    assert why_not(full, 0, {"play": hidden}) == "malformed"
    three = dealt([], [], [])
    refusal = HEARTS_MODE.legal(no_more(three).seen(frozenset()), 0).refusal({"play": 0, "card": "2C"})
    assert refusal is not None, "a card that is not in the pack of three players"


def test_a_picked_up_card_binds_a_seat_whose_hand_is_unknown() -> None:
    full = bare([["2D", "3D"], ["5C", "6C"], ["7C", "8C"]], [[], ["JD"], []], leader=0)
    view = full.seen(HEARTS_MODE.sees(full, None))
    for seat, code in ((0, "2D"), (1, "JD"), (2, "7C")):
        move = {"play": at(full, code), "card": code}
        full, view = (HEARTS_MODE.play(state, {seat: move}) for state in (full, view))
    assert view.board == full.board
    known = bare([["2D", "3D"], ["5C", "JD"], ["7C", "8C"]], [[], [], []], leader=0)
    known = play(known, "2D")
    known = known.seen(frozenset({at(known, "2D"), at(known, "JD")}))
    assert why_not(known, 1, {"play": at(full, "5C"), "card": "5C"}) == "must_follow"


def test_one_choice_at_a_time_by_a_seat_that_is_asked() -> None:
    state = no_more(dealt([], [], [], []))
    legal = list(HEARTS_MODE.legal(state, 0))
    with pytest.raises(IllegalMove, match="One choice"):
        HEARTS_MODE.play(state, {})
    with pytest.raises(IllegalMove, match="not asked"):
        HEARTS_MODE.play(state, {1: legal[0]})
    assert HEARTS_MODE.legal(state, 1).refusal(legal[0]) is not None
    over = last_trick((-4900, 10, 20))
    with pytest.raises(IllegalMove):
        HEARTS_MODE.play(over, {0: legal[0]})


def test_opens_what_a_move_states() -> None:
    assert HEARTS_MODE.opens({"play": 4, "card": "QS"}) == {4: "QS"}
    assert HEARTS_MODE.opens({"expose": 4, "card": "QS"}) == {4: "QS"}
    assert HEARTS_MODE.opens(DONE) == {}
