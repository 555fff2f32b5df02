"""A fold that could not see the cards checks them when their deal is shown (protocol section 7).

From the published record of hearts: what the fold remembers of the game, the house's link is put against.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from cards.games.contract import Deal, Draw, IllegalMove, Miss, Missed, Outcome, Refusal, State, Turn
from crypto.encoding import b64
from crypto.fairness import Chain
from referee import Entry, Game, Refused, dealing, duty_of
from referee.dealing import draws_of, seeded
from referee.game import DealDue, Dealt, Ended, Left, Played, ShownDue, Turned, Withheld
from referee.record import HOUSE, write_entry
from tests.referee.traces_kit import HEARTS, after, then
from vectors.example import HOUSE_PRIVATE_KEY

DEAL, TURN, CARD, MISSED = 0, 5, 6, 9
"""The places in the fold's memory: the deal, the fourth card turned up, the first card, the time-out."""


def before() -> Game:
    """The fold just before the deal is shown."""
    return after(21, "record_hearts")


def remembering(index: int, *items: Any) -> Game:
    """Return that fold, with other items in the place of one of those that it remembers."""
    game = before()
    assert game.trail is not None
    trail = (*game.trail.items[:index], *items, *game.trail.items[index + 1 :])
    return replace(game, trail=replace(game.trail, items=trail))


def item(index: int) -> Any:
    trail = before().trail
    assert trail is not None
    return trail.items[index]


def shown(game: Game) -> Game:
    return then(game, HEARTS[21])


@contextmanager
def fault(text: str) -> Iterator[None]:
    """The house must be found at fault, with that in the reason."""
    with pytest.raises(Refused, match=text) as caught:
        yield
    found = (caught.value.code, caught.value.pointer, caught.value.section)
    assert found == ("house_fault", "/body/link", "protocol 7")


def rules(patch: pytest.MonkeyPatch, **answers: Any) -> None:
    """Rules that answer so, whatever they are asked."""
    for name, value in answers.items():
        patch.setattr(type(before().rules), name, lambda *_, value=value: value)


def test_all_cards_are_known_and_nothing_else_has_changed() -> None:
    game = shown(before())
    assert game.state.board == before().state.board
    assert game.state.faces.keys() == set(range(51))
    assert len(set(game.state.faces.values())) == 51
    assert game.firsts == {}


def test_a_deal_that_the_rules_did_not_ask_for() -> None:
    other = replace(item(DEAL).ask, fresh=False)
    with fault("not the one that the rules ask for"):
        shown(remembering(DEAL, replace(item(DEAL), ask=other)))


def test_a_card_turned_up_when_none_is_due() -> None:
    with fault("other cards should have been turned up"):
        shown(remembering(DEAL, item(DEAL), item(TURN)))


def test_the_cards_that_the_rules_would_have_turned_up(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = type(before().rules).next

    def turning(positions: frozenset[int] | None) -> None:
        def following(self: Any, state: State[Any]) -> Any:
            found = honest(self, state)
            return Turn(positions) if isinstance(found, Turn) else found

        monkeypatch.setattr(type(before().rules), "next", following)

    for right in (frozenset({48}), None):
        turning(right)
        assert shown(before()).state.faces[48] == "JD"
    for wrong in (frozenset({47}), frozenset({47, 48}), frozenset[int]()):
        turning(wrong)
        with fault("other cards should have been turned up"):
            shown(before())


def test_another_card_turned_up_than_the_one_dealt() -> None:
    with fault("another card was turned up"):
        shown(remembering(TURN, Turned({48: "QD"})))


@pytest.mark.parametrize("index", [TURN, CARD])
def test_an_account_that_the_cards_do_not_give(index: int) -> None:
    with fault("an account was wrong"):
        shown(remembering(index, replace(item(index), lines=({"kind": "cut"},))))


def test_a_seat_that_left_a_game_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    left = remembering(MISSED, item(MISSED), Left(1))
    with fault("ended by a resignation"):
        shown(left)
    monkeypatch.setattr(type(before().rules), "leave", lambda self, state, seat: state)
    assert shown(left).state == shown(before()).state


def test_a_seat_that_withheld_its_links_in_a_game_that_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    without = remembering(MISSED, item(MISSED), Withheld(frozenset({1})))
    with fault("ended by withheld links"):
        shown(without)
    monkeypatch.setattr(type(before().rules), "withheld", lambda self, state, seats: state)
    assert shown(without).state == shown(before()).state


def test_cards_that_lead_elsewhere() -> None:
    game = before()
    board = replace(game.state.board, round=2)
    with fault("do not lead to this game"):
        shown(replace(game, state=replace(game.state, board=board)))


def test_a_seat_that_was_told_another_card() -> None:
    """One wrong face among right ones is enough."""
    faces = shown(before()).state.faces
    told = {position: faces[position] for position in range(17)}
    assert shown(before().knowing(told)).state.faces == faces
    with fault("another card was shown"):
        shown(before().knowing({**told, 3: faces[4]}))


def test_a_card_played_that_was_not_dealt() -> None:
    with fault("not the one dealt"):
        shown(remembering(CARD, Played({0: {"play": 5, "card": "6C"}}, None)))


def test_a_move_that_the_hand_forbade() -> None:
    faces = shown(before()).state.faces
    other = next(p for p in range(17, 34) if faces[p][-1] == "H")
    with fault("illegal move"):
        shown(remembering(CARD + 1, Played({1: {"play": other, "card": faces[other]}}, None)))


# Moves that the house played for absent seats


NOWHERE = frozenset({99})
"""A position that no fold knows a face of."""


def test_another_move_for_an_absent_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move that the rules play counts, even where the seat's hand is not all known."""
    other = {"play": 38, "card": "9C"}
    for sees in (frozenset(), NOWHERE):
        with monkeypatch.context() as patch:
            rules(patch, absent=other, sees=sees)
            with fault("another move for an absent seat"):
                shown(before())


def test_a_move_for_an_absent_seat_for_which_nothing_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a fold that knows all that the seat sees can tell."""
    with monkeypatch.context() as patch:
        rules(patch, absent=None, sees=frozenset(range(51)))
        with fault("another move for an absent seat"):
            shown(before())
    with monkeypatch.context() as patch:
        rules(patch, absent=None, sees=NOWHERE)
        assert shown(before()).state.board == before().state.board


def test_nothing_played_for_an_absent_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = remembering(MISSED, Played({2: Missed(Miss.CHOICE)}, None))
    with fault("another move for an absent seat"):
        shown(nothing)
    rules(monkeypatch, absent=None, sees=NOWHERE)
    with fault("is lacking"):
        shown(nothing)


def test_a_seat_answered_for_that_had_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    move = item(MISSED).choices[2].move
    at_once = remembering(MISSED, Played({2: Missed(Miss.COMPELLED, move)}, None))
    with fault("had a choice"):
        shown(at_once)
    with monkeypatch.context() as patch:
        rules(patch, compelled={**move, "card": "9C"})
        with fault("had a choice"):
            shown(at_once)
    rules(monkeypatch, compelled=move)
    assert shown(at_once).state.board == before().state.board


# Several deals that are not shown yet


CHAIN = Chain(bytes(64))
PACKS = ("2C", "3C", "4C"), ("2D", "3D", "4D", "5D")
"""The cards of two secret deals. Their positions are 0 to 2, and 3 to 6."""
ASKS = tuple(
    Deal((Draw(None, tuple(range(len(pack))), len(pack)),), secret=True, pack=pack, first=first)
    for pack, first in zip(PACKS, (0, 3), strict=True)
)
LINKS: tuple[Mapping[int, bytes], ...] = tuple(
    {seat: bytes([n, seat]) * 32 for seat in range(3)} for n in (1, 2)
)


def twice(monkeypatch: pytest.MonkeyPatch) -> Game:
    """A spectator's fold of two secret deals, one behind the other; the board counts them."""
    mode = type(before().rules)
    monkeypatch.setattr(mode, "next", lambda self, state: ASKS[state.board])
    monkeypatch.setattr(mode, "deal", lambda self, state, order: State(state.board + 1, state.faces))
    game = replace(after(10, "record_hearts"), house_newest=(0, CHAIN.anchor), state=State(0))
    for number, links in enumerate(LINKS, 1):
        drawn = [{"seat": None, "count": len(PACKS[number - 1])}]
        body = {"deal": number, "link": None, "drawn": drawn}
        game = dealing.deal(game, spoken("deal", body), DealDue(ASKS[number - 1], links), None)
    return game


def spoken(kind: str, body: Mapping[str, Any]) -> Entry:
    return write_entry(HOUSE_PRIVATE_KEY, (0, bytes(64)), 0, 3, HOUSE, kind, body)


def show(game: Game, number: int) -> Game:
    entry = spoken("shown", {"deal": number, "link": b64(CHAIN.link(number))})
    return dealing.shown(game, entry, ShownDue(number))


def brought(number: int) -> tuple[tuple[int, ...], ...]:
    """Return what a deal draws, computed by itself."""
    game = seeded(after(10, "record_hearts"), LINKS[0])
    return draws_of(game, ASKS[number - 1], number, CHAIN.link(number), LINKS[number - 1])


def faces(number: int) -> dict[int, str]:
    first, pack = ASKS[number - 1].first, PACKS[number - 1]
    return {first + i: pack[card] for i, card in enumerate(brought(number)[0])}


def test_each_secret_deal_waits_with_its_links(monkeypatch: pytest.MonkeyPatch) -> None:
    game = twice(monkeypatch)
    assert (game.deals, game.unshown, dict(game.firsts)) == (2, (1, 2), {1: 0, 2: 3})
    assert game.past_links == {1: LINKS[0], 2: LINKS[1]}
    assert game.trail is not None
    assert game.trail.base == State(0)
    assert game.trail.items == (Dealt(1, ASKS[0], (None,)), Dealt(2, ASKS[1], (None,)))


def test_deals_are_shown_one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    one = show(twice(monkeypatch), 1)
    assert (one.unshown, dict(one.firsts), one.past_links) == ((2,), {2: 3}, {2: LINKS[1]})
    assert one.house_newest == (1, CHAIN.link(1))
    assert one.state == State(2, faces(1))
    assert one.trail is not None
    assert one.trail.items == (Dealt(1, ASKS[0], brought(1)), Dealt(2, ASKS[1], (None,)))
    two = show(one, 2)
    assert (two.unshown, dict(two.firsts), two.past_links, two.trail) == ((), {}, {}, None)
    assert two.state == State(2, faces(1) | faces(2))


def test_what_a_seat_was_told_of_a_later_deal_is_judged_with_that_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = faces(2)
    game = show(twice(monkeypatch).knowing({3: right[3]}), 1)
    assert game.state.faces == {**faces(1), 3: right[3]}
    assert show(game, 2).state.faces == faces(1) | right
    wrong = show(twice(monkeypatch).knowing({3: right[4]}), 1)
    with fault("another card was shown"):
        show(wrong, 2)


def test_they_are_shown_before_a_fresh_pack_is_dealt_and_before_the_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = twice(monkeypatch)
    for fresh, due in ((False, None), (True, ShownDue(1))):
        ask = replace(ASKS[1], fresh=fresh)
        monkeypatch.setattr(type(game.rules), "next", lambda self, state, ask=ask: ask)
        assert duty_of(game) == due
    assert duty_of(replace(game, phase=Ended(Outcome((0, 0, 0), (), "void")))) == ShownDue(1)


def test_rules_that_refuse_the_cards_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    game = twice(monkeypatch)

    def refusing(self: Any, state: State[Any], order: tuple[Any, ...]) -> Any:
        raise IllegalMove(Refusal("no_deal", "No such deal.", "hearts 2"))

    monkeypatch.setattr(type(before().rules), "deal", refusing)
    with fault("No such deal"):
        show(game, 1)
