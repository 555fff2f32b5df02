"""Every answer, and every time-out in its place, leaves its trace in the game (protocol section 10.6).

From the published records, with entries of our own put behind some of theirs; nothing is signed here.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cards.games import find as find_mode
from cards.games.contract import Deal, Draw, IllegalMove, Miss, Missed, Outcome, Refusal, Turn
from crypto.encoding import b64, unb64
from referee import Game, Refused, Trusting, apply, dealing, duty_of
from referee.dealing import draws_of, seeded
from referee.game import AccountDue, DealDue, TurnDue, Turned
from referee.record import HOUSE, write_entry
from tests.referee.forger import refused, rewritten
from tests.referee.published_kit import entries
from tests.referee.table import Table
from tests.referee.traces_kit import CHEF, HEARTS, KEEP, after, then
from vectors.example import HOUSE_PRIVATE_KEY


def said(game: Game, seat: int, kind: str, at: int | None = None, **body: Any) -> Game:
    """The game after a message of a seat, sent as soon as the newest entry was seen."""
    whole = {**body, "seen": {"seq": game.seq, "digest": b64(game.digest)}}
    when, head = game.at if at is None else at, (game.seq, game.digest)
    entry = write_entry(HOUSE_PRIVATE_KEY, head, when, game.step, str(seat), kind, whole, bytes(64))
    return apply(game, entry, Trusting())


def lapsed(game: Game, *seats: int, move: Any = None) -> Game:
    """The game after the time-outs of these seats."""
    for seat in seats:
        assert game.asking is not None
        body = {"seat": seat, "kind": game.asking.kind, "move": move}
        head, at = (game.seq, game.digest), max(game.at, game.asking.deadline_of(seat) + 1)
        entry = write_entry(HOUSE_PRIVATE_KEY, head, at, game.step, HOUSE, "timeout", body)
        game = apply(game, entry, Trusting())
    return game


def asked(game: Game) -> set[int]:
    return set() if game.asking is None else set(game.asking.seats)


def due(game: Game) -> str | None:
    duty = duty_of(game)
    return duty and duty.kind


# Answers


def test_an_open_is_taken_as_it_is_by_who_trusts() -> None:
    forged = write_entry(bytes(32), (-1, bytes(64)), CHEF[0].at, 0, HOUSE, "open", CHEF[0].body)
    assert apply(None, forged, Trusting()).asking == after(1).asking


def test_an_enter_leaves_anchor_and_deck() -> None:
    game, body = then(after(1), CHEF[1]), CHEF[1].body
    seat = game.seats[1]
    assert seat.anchor == unb64(body["anchor"])
    assert seat.newest == (0, unb64(body["anchor"]))
    assert seat.deck is not None
    assert game.seats[0] == after(1).seats[0]


@pytest.mark.parametrize("record", ["record_chef", "record_hearts", "record_slow"])
def test_a_link_is_the_newest_of_its_seat(record: str) -> None:
    for count, entry in enumerate(entries(record)):
        if entry.kind == "link":
            link, game = unb64(entry.body["link"]), then(after(count, record), entry)
            assert entry.seat is not None
            assert game.seats[entry.seat].newest == (entry.body["deal"], link)
            assert game.links is not None
            assert game.links[entry.seat] == link


def test_a_seal_is_noted_with_its_time() -> None:
    sealed = then(after(15), CHEF[15]).seats[0].sealed
    assert sealed is not None
    assert (sealed.step, sealed.seal, sealed.at) == (8, unb64(CHEF[15].body["seal"]), CHEF[15].at)


def test_once_all_is_played_nothing_of_the_step_is_left() -> None:
    for count in (9, 18, 26):
        game = then(after(count), CHEF[count])
        assert (due(game), dict(game.choices)) == ("account", {})
        assert [seat.sealed for seat in game.seats] == [None, None]


def test_a_reveal_that_was_owed_is_owed_no_more() -> None:
    before, game = after(32), then(after(32), CHEF[32])
    assert before.seats[1].owed is not None
    assert game.seats[1] == replace(before.seats[1], owed=None, owed_since=0)
    assert before.state.board.owed[1] is not None
    assert game.state.board.owed[1] is None


def test_a_late_reveal_that_the_rules_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(self: Any, state: Any, seat: int, choice: Any) -> Any:
        raise IllegalMove(Refusal("not_so", "Not so.", "chef 4", "/dishes/0"))

    game = after(32)
    monkeypatch.setattr(type(game.rules), "late", refusing)
    with pytest.raises(Refused) as caught:
        then(game, CHEF[32])
    found = (caught.value.code, caught.value.text, caught.value.pointer, caught.value.section)
    assert found == ("not_so", "Not so.", "/choice/dishes/0", "chef 4")


def test_an_offer_stands_until_its_sender_seals_or_moves() -> None:
    for game, seat, entry in (
        (after(15), 0, CHEF[15]),
        (after(16, "record_hearts"), 0, HEARTS[16]),
    ):
        step = game.step
        offering = said(game, seat, "draw")
        offered = offering.seats[seat]
        assert (offered.offers_draw, offered.offered) == (True, step)
        assert offering.outcome is None
        answered = then(offering, entry).seats[seat]
        assert (answered.offers_draw, answered.offered) == (False, step)


def test_offers_of_all_agree() -> None:
    game = said(said(after(15), 0, "draw"), 1, "draw")
    assert game.outcome == Outcome(tuple(game.rules.points(game.state)), (0, 1), "agreed")
    assert due(game) == "result"


def test_what_waited_for_its_turn_is_not_late() -> None:
    """A seal at the time of the entry before it may have come long ago; a later one is late."""
    asking = after(15).asking
    assert asking is not None
    game = said(after(15), 1, "draw", asking.deadline + 1)
    assert asked(then(game, CHEF[15])) == {1}
    with refused("too_late", "/step"):
        then(game, CHEF[15], at=game.at + 1)


def test_an_account_ends_a_step_that_others_are_still_asked_in(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(11, "record_hearts")
    assert (asked(game), asked(then(game, HEARTS[11]))) == ({0, 1, 2}, {0, 2})
    monkeypatch.setattr(type(find_mode("hearts")), "account", lambda self, before, choices, after: ())
    ended = then(game, HEARTS[11])
    assert (ended.asking, ended.closed, due(ended)) == (None, (4, 10), "account")


# Time-outs


@pytest.mark.parametrize(
    ("count", "seat", "move", "missed"),
    [
        (1, 0, None, Missed(Miss.CHOICE)),
        (3, 1, None, Missed(Miss.CHOICE)),
        (5, 0, None, Missed(Miss.CHOICE)),
        (8, 0, KEEP, Missed(Miss.CHOICE, KEEP)),
        (15, 1, None, Missed(Miss.SEAL)),
        (17, 0, None, Missed(Miss.OPENING)),
    ],
)
def test_a_time_out_stands_for_the_answer(count: int, seat: int, move: Any, missed: Missed) -> None:
    before = after(count)
    game = lapsed(before, seat, move=move)
    assert asked(game) == asked(before) - {seat}
    assert game.choices == {seat: missed}
    if missed.what is Miss.OPENING:
        owing = game.seats[seat]
        assert (owing.owed, owing.owed_since) == (before.seats[seat].sealed, game.seq)
    if count == 5:
        assert game.links == {0: b""}


def test_a_time_out_is_of_the_running_step() -> None:
    game = after(8)
    assert game.asking is not None
    body = {"seat": 0, "kind": "move", "move": KEEP}
    head, at = (game.seq, game.digest), game.asking.deadline_of(0) + 1
    for wrong in (game.step - 1, game.step + 1):
        entry = write_entry(HOUSE_PRIVATE_KEY, head, at, wrong, HOUSE, "timeout", body)
        with refused("wrong_step", "/step"):
            apply(game, entry, Trusting())


@pytest.mark.parametrize(("count", "seats"), [(1, (0, 1)), (2, (0,)), (3, (0, 1)), (4, (1,))])
def test_a_game_that_does_not_begin_is_void(count: int, seats: tuple[int, ...]) -> None:
    game = lapsed(after(count), *seats)
    assert game.outcome == Outcome((0, 0), (), "void")
    assert (game.asking, due(game), dict(game.choices)) == (None, "result", {})


def test_a_first_link_withheld_ends_the_game() -> None:
    game = said(lapsed(after(5), 0), 1, "link", deal=1, link=CHEF[6].body["link"])
    assert game.outcome is not None
    assert (game.outcome.winners, game.outcome.reason) == ((1,), "link_withheld")
    assert (game.links, due(game), dict(game.choices)) == (None, "result", {})


def test_a_later_link_withheld_counts_as_empty() -> None:
    game = said(lapsed(after(11), 0), 1, "link", deal=2, link=CHEF[12].body["link"])
    assert game.outcome is None
    assert game.links == {0: b"", 1: unb64(CHEF[12].body["link"])}
    assert (game.asking, due(game), dict(game.choices)) == (None, "deal", {})


def test_only_who_sealed_is_asked_to_reveal() -> None:
    game = lapsed(after(16), 1)
    assert game.asking is not None
    assert (game.asking.kind, asked(game), game.asking.seq) == ("reveal", {0}, game.seq)
    assert game.choices == {1: Missed(Miss.SEAL)}


def test_with_no_seal_nothing_is_revealed() -> None:
    game = lapsed(after(15), 0, 1)
    assert (game.asking, game.closed, due(game)) == (None, (8, 14), "account")
    assert dict(game.choices) == {}


# Moves that the house plays for absent seats


@pytest.mark.parametrize(
    ("move", "code", "pointer"),
    [
        ("keep", "bad_shape", "/body/move"),
        ([], "bad_shape", "/body/move"),
        ({"play": 5, "card": "5C"}, "not_held", "/body/move/play"),
    ],
)
def test_a_move_of_a_hand_that_is_not_known(move: Any, code: str, pointer: str) -> None:
    """A spectator can't tell what is to be played, but what can't be."""
    game = after(19, "record_hearts")
    with refused(code, pointer):
        lapsed(game, 2, move=move)


def test_the_rules_are_handed_the_faces_that_a_move_lays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules are handed the faces of a player's move, and of the house's move for an absent player."""
    game, move = after(17, "record_hearts"), {"play": 18, "card": "9C"}
    mode, handed = type(game.rules), list[Any]()
    honest = mode.play

    def play(self: Any, state: Any, choices: Any) -> Any:
        handed.append(state.faces.get(18))
        return honest(self, state, choices)

    monkeypatch.setattr(mode, "play", play)
    then(game, HEARTS[17])
    lapsed(game, 1, move=move)
    assert (game.state.faces.get(18), handed) == (None, ["9C", "9C"])


def test_a_move_where_the_rules_play_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fold that knows all that the seat sees knows that nothing is played for it."""
    mode = type(find_mode("chef"))
    monkeypatch.setattr(mode, "absent", lambda self, state, seat: None)
    assert lapsed(after(8), 0, move=KEEP).choices == {0: Missed(Miss.CHOICE, KEEP)}
    monkeypatch.setattr(mode, "sees", lambda self, state, seat: frozenset(state.faces))
    with refused("wrong_move", "/body/move"):
        lapsed(after(8), 0, move=KEEP)
    assert lapsed(after(8), 0).choices == {0: Missed(Miss.CHOICE)}


# Deals


def test_a_deal_leaves_the_link_of_the_house() -> None:
    for count, entry in enumerate(CHEF):
        if entry.kind == "deal":
            game = then(after(count), entry)
            assert game.house_newest == (entry.body["deal"], unb64(entry.body["link"]))
            assert (game.deals, game.links, game.past_links, game.unshown) == (
                entry.body["deal"],
                None,
                {},
                (),
            )
            assert game.trail is None


def test_a_secret_deal_leaves_the_links_until_it_is_shown() -> None:
    before, dealt, shown = (after(count, "record_hearts") for count in (10, 11, 22))
    assert dealt.past_links == {1: before.links}
    assert (dealt.house_newest, dealt.unshown) == (before.house_newest, (1,))
    assert dealt.trail is not None
    assert shown.house_newest == (1, unb64(HEARTS[21].body["link"]))
    assert (shown.past_links, shown.unshown, shown.trail) == ({}, (), None)


def test_who_knows_the_order_need_not_fold_again() -> None:
    table = Table.hearts(3)
    table.until("move")
    assert table.game.trail is None
    assert table.spectator.trail is not None


def test_draws_of_one_stream_go_on_in_it() -> None:
    game = after(10, "record_hearts")
    assert game.links is not None
    game = seeded(game, game.links)
    assert game.links is not None
    pool = tuple(range(52))
    once, twice = (Deal((Draw(None, pool, 5),) * times, secret=True) for times in (1, 2))
    (first,) = draws_of(game, once, 1, bytes(64), game.links)
    again, second = draws_of(game, twice, 1, bytes(64), game.links)
    assert (again, len(second)) == (first, 5)
    assert second != first


@pytest.mark.parametrize(("count", "drawn"), [(5, 5), (51, 51), (60, 51)])
def test_a_secret_draw_says_how_many_there_were(
    monkeypatch: pytest.MonkeyPatch, count: int, drawn: int
) -> None:
    game = after(10, "record_hearts")
    assert game.links is not None
    ask = game.rules.next(game.state)
    wanted = replace(ask, draws=tuple(replace(draw, count=count) for draw in ask.draws))
    due = DealDue(wanted, game.links)
    monkeypatch.setattr(type(game.rules), "deal", lambda self, state, order: state)
    (listed,) = HEARTS[10].body["drawn"]
    right = {**HEARTS[10].body, "drawn": [{**listed, "count": drawn}]}
    entry = rewritten(HEARTS[10], (game.seq, game.digest), HOUSE_PRIVATE_KEY, body=right)
    assert dealing.deal(game, entry, due, None).deals == 1
    for wrong in (drawn - 1, drawn + 1):
        body = {**right, "drawn": [{**listed, "count": wrong}]}
        with refused("wrong_draw", "/body/drawn"):
            dealing.deal(game, replace(entry, body=body), due, None)


@pytest.mark.parametrize(
    ("record", "count", "changes", "code", "pointer"),
    [
        ("record_chef", 7, {"deal": "1"}, "bad_integer", "/body/deal"),
        ("record_chef", 7, {"deal": 2}, "wrong_deal", "/body/deal"),
        ("record_chef", 7, {"link": b64(bytes(32))}, "bad_bytes", "/body/link"),
        ("record_chef", 7, {"link": b64(bytes(64))}, "wrong_link", "/body/link"),
        ("record_chef", 7, {"link": None}, "wrong_link", "/body/link"),
        ("record_chef", 7, {"drawn": {}}, "bad_list", "/body/drawn"),
        ("record_chef", 7, {"drawn": []}, "bad_length", "/body/drawn"),
        ("record_chef", 7, {"drawn": [{}, {}]}, "wrong_draw", "/body/drawn"),
        ("record_chef", 7, {"more": 1}, "unknown_field", "/body/more"),
        ("record_hearts", 10, {"link": b64(bytes(64))}, "wrong_link", "/body/link"),
        ("record_hearts", 10, {"drawn": [1]}, "wrong_draw", "/body/drawn"),
        ("record_hearts", 15, {"faces": {}}, "bad_list", "/body/faces"),
        ("record_hearts", 15, {"faces": [1]}, "bad_shape", "/body/faces/0"),
        ("record_hearts", 15, {"faces": [{"position": 0}]}, "missing_field", "/body/faces/0/card"),
        ("record_hearts", 15, {"faces": [{"card": "QS"}]}, "missing_field", "/body/faces/0/position"),
        (
            "record_hearts",
            15,
            {"faces": [{"position": -1, "card": "QS"}]},
            "bad_integer",
            "/body/faces/0/position",
        ),
        (
            "record_hearts",
            15,
            {"faces": [{"position": 5, "card": "QS"}, {"position": 5, "card": "QS"}]},
            "wrong_turn",
            "/body/faces/1/position",
        ),
        ("record_hearts", 15, {"more": 1}, "unknown_field", "/body/more"),
        ("record_hearts", 21, {"deal": "1"}, "bad_integer", "/body/deal"),
        ("record_hearts", 21, {"deal": 2}, "wrong_deal", "/body/deal"),
        ("record_hearts", 21, {"link": b64(bytes(32))}, "bad_bytes", "/body/link"),
        ("record_hearts", 21, {"link": b64(bytes(64))}, "wrong_link", "/body/link"),
        ("record_hearts", 21, {"more": 1}, "unknown_field", "/body/more"),
    ],
)
def test_a_deal_a_turn_or_a_shown_deal_that_says_something_else(
    record: str, count: int, changes: dict[str, Any], code: str, pointer: str
) -> None:
    game, real = after(count, record), entries(record)[count]
    with refused(code, pointer):
        then(game, real, body={**real.body, **changes})


def turned_up(game: Game, *positions: int) -> Game:
    """The game after a card is turned up, by rules that turn up these positions."""
    return dealing.turn(game, HEARTS[15], TurnDue(Turn(frozenset(positions))))


def test_the_cards_that_the_rules_turn_up() -> None:
    (face,) = HEARTS[15].body["faces"]
    right, game = face["position"], after(15, "record_hearts")
    assert turned_up(game, right).state.faces[right] == face["card"]
    for others in ((right + 1,), (right, right + 1), ()):
        with refused("wrong_turn", "/body/faces"):
            turned_up(game, *others)


def test_a_card_that_is_known_is_not_turned_up_as_another(monkeypatch: pytest.MonkeyPatch) -> None:
    (face,) = HEARTS[15].body["faces"]
    right, game = face["position"], after(15, "record_hearts")
    assert turned_up(game.knowing({right: face["card"]}), right).state.faces[right] == face["card"]
    monkeypatch.setattr(type(game.rules), "turn", lambda self, state, faces: state)
    with refused("wrong_turn", "/body/faces"):
        turned_up(game.knowing({right: "2C"}), right)


def test_what_is_turned_up_may_come_with_an_account(monkeypatch: pytest.MonkeyPatch) -> None:
    game = after(15, "record_hearts")
    assert due(then(game, HEARTS[15])) is None
    lines = ({"kind": "cut"},)
    monkeypatch.setattr(type(game.rules), "account", lambda self, before, choices, after: lines)
    counted = then(game, HEARTS[15])
    assert due(counted) == "account"
    points = list(game.rules.points(game.state))
    assert counted.phase == AccountDue({"points": points, "lines": [{"kind": "cut"}]})
    assert counted.trail is not None
    (face,) = HEARTS[15].body["faces"]
    assert counted.trail.items[-1] == Turned({face["position"]: face["card"]}, lines)


def test_faces_are_told_by_who_knows_the_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faces are told only of a common pack, whose cards the deal names, and only where the order is known."""
    state = after(10, "record_hearts").state
    mode = after(10, "record_hearts").rules
    monkeypatch.setattr(type(mode), "deal", lambda self, state, order: state)
    pack, pool = ("2C", "3C", "4C"), (0, 1, 2)
    common, own = Draw(None, pool, 2), Draw(0, pool, 2)

    def faces(draw: Draw, named: Any, order: Any) -> dict[int, Any]:
        deal = Deal((draw,), secret=True, fresh=True, pack=named)
        return dict(dealing.dealt(mode, state, deal, (order,)).faces)

    assert faces(common, pack, (2, 0)) == {0: "4C", 1: "2C"}
    assert faces(common, pack, None) == faces(common, None, (2, 0)) == faces(own, pack, (2, 0)) == {}
