"""The steps of a secret deal one by one: what is asked for, who is left out, and what a void deal leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from cards.games.contract import Miss, Missed
from cards.games.house_pack import secret_deal
from crypto.lock import HOUSE
from referee.checks import Trusting
from referee.dealerless import making, proofs
from referee.dealerless.masked import Attempt, InPlay
from referee.game import AnnulDue, Asking, Between, Ended, Game, MaskedDealDue, PartyDue
from referee.header import LINK, MIX
from referee.record import Entry
from tests.referee.forger import refused
from vectors.dealerless_place import BIG_C, CRIBBAGE, HEARTS, ExamplePlace, seeking

SILENT = Missed(Miss.CHOICE)


def asking_of(game: Game) -> Asking:
    """The step that runs."""
    assert game.asking is not None
    return game.asking


def attempt(kind: str) -> Game:
    """A game of cribbage that waits for this message of seat 0, before its first deal."""
    return ExamplePlace(CRIBBAGE, kind, "0").game


def with_attempt(game: Game, **changes: Any) -> Game:
    assert isinstance(game.masked, Attempt)
    return replace(game, masked=replace(game.masked, **changes))


def with_locks(game: Game, *parties: int) -> Game:
    """The game in which these parties alone have a lock, and all of them have mixed."""
    attempt = proofs.attempt_of(game)
    locks = {party: attempt.pack.locks[party] for party in parties}
    return with_attempt(game, pack=replace(attempt.pack, locks=locks), mixed=parties)


# The making


@pytest.mark.parametrize(
    ("kind", "how", "clock"),
    [("lock", "all", LINK), ("mix", "all", MIX), ("share", "share", LINK), ("unlock", "all", LINK)],
)
def test_what_is_asked_for(kind: str, how: str, clock: str) -> None:
    game = attempt(kind)
    asking = asking_of(game)
    assert (asking.kind, asking.how, asking.topic) == (kind, how, kind)
    assert asking.until[0] == asking.since + game.header.clock(clock)


def test_a_pack_of_one_card_is_dealt_at_once() -> None:
    game = ExamplePlace(BIG_C, "move", "0").game
    playing = proofs.in_play(game)
    ask = secret_deal((playing.pack.pack[0],), 1000, fresh=False)
    after = making.begin(game, ask)
    assert (after.phase, after.step) == (MaskedDealDue(ask), game.step)
    assert isinstance(after.masked, Attempt)
    pack = after.masked.pack
    assert (pack.step, pack.deal, pack.locks, len(pack.cards)) == (game.step, game.deals + 1, {}, 1)
    assert after.masked.played == playing


@pytest.mark.parametrize(("deals", "excluded"), [(0, frozenset({0})), (1, frozenset()), (1, frozenset({0}))])
def test_who_does_not_lock_a_later_pack_is_left_out(deals: int, excluded: frozenset[int]) -> None:
    game = with_attempt(attempt("lock"), excluded=excluded)
    late = replace(game, deals=deals, choices={1: SILENT})
    after = making.closed(late, asking_of(game))
    assert after.phase == PartyDue("mix")
    assert proofs.attempt_of(after).excluded == excluded | {1}
    assert after.choices == {}


def test_who_does_not_lock_the_first_pack_ends_the_game() -> None:
    game = attempt("lock")
    after = making.closed(replace(game, choices={1: SILENT}), asking_of(game))
    assert isinstance(after.phase, Ended)
    assert (after.phase.outcome.reason, after.phase.outcome.winners) == ("link_withheld", (0,))


def test_who_does_not_mix_is_left_out_of_a_new_attempt() -> None:
    game = with_attempt(attempt("mix"), excluded=frozenset({1}))
    after = making.closed(replace(game, choices={0: SILENT}), asking_of(game))
    assert isinstance(after.phase, PartyDue)
    assert after.phase.kind == "lock"
    again = proofs.attempt_of(after)
    assert (again.excluded, again.mixed, again.pack.locks) == ({0, 1}, (), {})


def test_where_no_seat_has_a_lock_the_house_shares_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game = with_locks(ExamplePlace(HEARTS, "share", "0").game, HOUSE)
    entry = replace(ExamplePlace(HEARTS, "share", "house").real, body={"shares": "", "proof": ""})
    ask = proofs.attempt_of(game).pack.ask
    after = making.go_on(game, ask)
    assert after.phase == PartyDue("share")
    # Places keep their games, so none is looked for while anything is patched.
    shown = dict.fromkeys(proofs.to_share(game, HOUSE), b"share")
    monkeypatch.setattr(making, "check", lambda *given: proofs.Shared(shown))
    dealing = making.by_house(after, entry, PartyDue("share"), Trusting())
    assert dealing.phase == MaskedDealDue(ask)
    # A deal that gives nobody a card has nothing to share.
    monkeypatch.setattr(making, "owners", lambda *given: {})
    assert making.go_on(game, ask).phase == dealing.phase


def test_the_house_shares_before_the_seats_where_there_is_something_to_share() -> None:
    game = with_locks(ExamplePlace(HEARTS, "share", "0").game, 0, 1, 2, HOUSE)
    after = making.go_on(game, proofs.attempt_of(game).pack.ask)
    assert isinstance(after.phase, PartyDue)
    assert after.phase.kind == "share"
    assert after.phase.asking is not None
    assert after.phase.asking.seats == {0, 1, 2}
    # Nobody is dealt a card to cut for the first deal of cribbage.
    game = with_locks(attempt("share"), 0, 1, HOUSE)
    after = making.go_on(game, proofs.attempt_of(game).pack.ask)
    assert after.phase == asking_of(after)
    assert (asking_of(after).kind, asking_of(after).seats) == ("share", {0, 1})


# The deal


@pytest.mark.parametrize(
    ("changes", "code", "pointer"),
    [
        ({"deal": None}, "bad_integer", "/body/deal"),
        ({"deal": 2}, "wrong_deal", "/body/deal"),
        ({"link": ""}, "wrong_link", "/body/link"),
        ({"drawn": []}, "wrong_draw", "/body/drawn"),
        ({"drawn": [{"seat": None, "count": 51}]}, "wrong_draw", "/body/drawn"),
        ({"more": 1}, "unknown_field", "/body/more"),
    ],
)
def test_a_deal_is_just_what_the_rules_want(changes: Mapping[str, Any], code: str, pointer: str) -> None:
    place = ExamplePlace(CRIBBAGE, "deal", "house")
    assert isinstance(place.game.phase, MaskedDealDue)
    entry: Entry = replace(place.real, body={**place.real.body, **changes})
    with refused(code, pointer):
        making.deal(place.game, entry, place.game.phase)


def test_what_lies_open_is_a_card_of_the_pack() -> None:
    playing = proofs.in_play(game := ExamplePlace(CRIBBAGE, "unlock", "house").game)
    pack, first = playing.pack, playing.pack.positions[0]
    assert making._open(game, [10_000]) == {}, "no pack has this position"
    assert making._open(game, [first]) == {}, "it is still locked"
    no_card = pack.cards[0]._replace(c=pack.cards[0].a)
    bare = replace(pack, locks={}, cards=(no_card, *pack.cards[1:]))
    with refused("no_such_card", ""):
        making._open(replace(game, masked=replace(playing, pack=bare)), [first])


# Seeking and turning up


def test_a_search_must_find_its_card() -> None:
    game = seeking(found=True).game
    asking = asking_of(game)
    with refused("not_sought", ""):
        making.closed(game, asking)
    # The same step closes where it asked for something else, and where no card is looked for.
    moves = replace(asking, kind="move")
    assert making.closed(game, moves) == game
    turning = attempt("unlock")
    assert making.closed(turning, asking_of(turning)) == turning
    playing = ExamplePlace(HEARTS, "move", "0").game
    assert making.closed(playing, replace(asking_of(playing), kind="unlock")) == playing


def test_what_was_kept_is_forgotten_behind_a_turn() -> None:
    game = attempt("unlock")
    kept = replace(game, masked=replace(proofs.in_play(game), kept=frozenset({7})))
    assert making.turned(kept) == game
    for dealt in (replace(game, masked=None), attempt("mix")):
        assert making.turned(dealt) == dealt


# Silence


def playing_hearts() -> Game:
    """A game of hearts in which a seat is asked for a card."""
    return ExamplePlace.before(HEARTS, lambda place: "play" in place.real.body["move"]).game


def left(game: Game, seat: int) -> Game:
    """The game after a seat has resigned."""
    state = game.rules.leave(game.state, seat)
    assert state is not None
    return replace(game, state=state)


def test_a_seat_is_asked_again_where_nobody_can_act_for_it() -> None:
    game = playing_hearts()
    asking = asking_of(game)
    (seat,) = asking.seats
    assert making.asks_again(game, asking, seat)
    assert making.asks_again(game, replace(asking, kind="unlock"), seat)
    assert not making.asks_again(game, replace(asking, kind="ready"), seat)
    assert not making.asks_again(replace(game, masked=None), asking, seat)
    given = ExamplePlace(CRIBBAGE, "move", "0").game
    assert given.rules.absent(given.state, 0) is not None
    assert not making.asks_again(given, asking_of(given), 0)


def test_a_silent_seat_has_the_clock_of_a_link_again() -> None:
    game = playing_hearts()
    (seat,) = asking_of(game).seats
    other = (seat + 1) % 3
    asking = replace(asking_of(game), given={seat: 7, other: 5})
    late = asking.deadline_of(seat) + 3
    after = making.silent(game, asking, seat, late)
    again = asking_of(after)
    assert again.until == {**asking.until, seat: late + game.header.clock(LINK)}
    assert again.given == {seat: 7 + 3 + game.header.clock(LINK), other: 5}
    assert proofs.in_play(after).silent == {seat: 1}
    assert again.seats == asking.seats
    # Nothing was added to the time of a seat before.
    fresh = making.silent(game, replace(asking, given={}), seat, late)
    assert asking_of(fresh).given == {seat: 3 + game.header.clock(LINK)}


@pytest.mark.parametrize(("before", "gone"), [(2, False), (0, True)])
def test_the_third_time_and_the_first_of_who_was_out(before: int, gone: bool) -> None:
    game = playing_hearts()
    asking = asking_of(game)
    (seat,) = asking.seats
    counted = replace(proofs.in_play(game), silent={seat: before})
    game = replace(left(game, seat) if gone else game, masked=counted)
    after = making.silent(game, asking, seat, asking.deadline_of(seat) + 1)
    playing = proofs.in_play(after)
    assert (playing.out, playing.silent) == ({seat}, {seat: before + 1})
    assert asking_of(after).seats == frozenset()


def test_nobody_is_asked_again_once_an_answer_has_entered() -> None:
    game = playing_hearts()
    asking = replace(asking_of(game), how="together")
    (seat,) = asking.seats
    answered = replace(game, choices={(seat + 1) % 3: {"done": True}})
    late = asking.deadline_of(seat) + 1
    with refused("out_of_order", "/body/seat"):
        making.silent(answered, asking, seat, late)
    assert proofs.in_play(making.silent(answered, replace(asking, how="any"), seat, late)).silent == {seat: 1}
    missed = replace(game, choices={(seat + 1) % 3: SILENT})
    assert proofs.in_play(making.silent(missed, asking, seat, late)).silent == {seat: 1}
    out = left(answered, seat)
    assert proofs.in_play(making.silent(out, asking, seat, late)).out == {seat}


# A void deal


def annulled(game: Game, *seats: int) -> Game:
    """The game after these seats' deal is void."""
    due = AnnulDue(proofs.in_play(game).pack.deal, seats)
    entry = replace(ExamplePlace(HEARTS, "annul", "house").real, body=making.annul_body(due))
    return making.annul(game, entry, due)


def test_a_void_deal_leaves_the_state_before_it() -> None:
    game = playing_hearts()
    before = proofs.in_play(game).before
    after = annulled(game, 1)
    assert after.masked is None
    assert after.phase == Between()
    assert after.state == game.rules.leave(before, 1)


def test_where_too_few_are_left_the_state_is_the_one_before_anybody_left() -> None:
    game = playing_hearts()
    before = proofs.in_play(game).before
    after = annulled(game, 0, 1)
    assert isinstance(after.phase, Ended)
    assert (after.phase.outcome.reason, after.phase.outcome.winners) == ("withheld", (2,))
    assert after.state == before


def test_an_annulment_names_its_deal_and_its_seats() -> None:
    game = playing_hearts()
    due = AnnulDue(proofs.in_play(game).pack.deal, (1,))
    entry = replace(ExamplePlace(HEARTS, "annul", "house").real, body={"deal": due.deal, "seats": [2]})
    with refused("wrong_annul", "/body"):
        making.annul(game, entry, due)


def test_a_deal_is_void_for_all_who_went_out_in_it() -> None:
    game = playing_hearts()
    playing: InPlay = replace(proofs.in_play(game), out=frozenset({2}))
    late = replace(left(game, 1), masked=playing)
    after = making.closed(late, asking_of(game))
    assert after.phase == AnnulDue(playing.pack.deal, (1, 2))
