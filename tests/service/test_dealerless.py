"""Tables without a dealer through the API: a house that knows no hand, and what it does about silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import select

from crypto.encoding import b64
from referee import Game
from referee.dealerless.masked import InPlay
from service.models import Submission
from service.operations import games
from service.runtime import Runtime
from tests.service.match_kit import Chair, Match, frozen, sit_down
from tests.service.rematch_kit import over
from tests.service.service_kit import Guest, codes
from tests.service.shadow_kit import ON_SQLITE, Shadow, record

NAMES = ("ann", "bob", "cleo", "dan", "eve", "finn")
PARTIES = {"lock", "mix", "share"}
Seat = Callable[..., Guest]


def sit(
    house: Runtime, clock: list[int], seat: Seat, mode: str, seats: int, bots: int = 0, **options: object
) -> Match:
    """Guests at a table without a dealer."""
    guests = [seat(name) for name in NAMES[: seats - bots]]
    options = {"dealer": "nobody", **options}
    return sit_down(house, clock, guests, mode, seats, bots=["random"] * bots, options=options)


def until(match: Match, done: Callable[[Game], bool]) -> Game:
    """Play until the house's game is so."""
    for _ in range(2_000):
        game = match.fold
        if game.over or done(game):
            for chair in match.chairs:
                chair.catch_up()
            return game
        match.step()
    raise AssertionError("that never happens")


def dealt(match: Match, deals: int = 1) -> Game:
    """Play until so many deals were dealt and somebody is to choose."""
    return until(match, lambda game: game.deals >= deals and _kind(game) == "move")


def _kind(game: Game) -> str | None:
    return None if game.asking is None else game.asking.kind


def agree(match: Match) -> None:
    """All guests agree on a draw, so that the record has its end."""
    for chair in match.chairs:
        if match.fold.over or chair.number in match.fold.gone:
            continue
        chair.send(chair.seat.offer_draw(chair.catch_up()))
        match.work()
    assert match.fold.over


def entries_of(match: Match) -> list[dict[str, Any]]:
    _, entries = record(match.chairs[0].guest, match, unfinished=not match.fold.over)
    return entries


def verified(match: Match) -> list[dict[str, Any]]:
    """The record, as a stranger verifies it."""
    report, entries = record(match.chairs[0].guest, match, unfinished=not match.fold.over)
    assert report.valid, report.fault
    return entries


def kinds(match: Match) -> list[str]:
    return [entry["kind"] for entry in entries_of(match)]


# Games


@ON_SQLITE
@pytest.mark.parametrize(
    ("mode", "seats"),
    [
        ("cribbage", 2),
        ("flip", 2),
        *[
            pytest.param(mode, seats, marks=pytest.mark.slow)
            for mode, most in (("hearts", 6), ("cribbage", 4), ("flip", 5), ("big-c", 6))
            for seats in range(3, most + 1)
        ],
    ],
)
def test_guests_are_dealt_cards_by_nobody(
    house: Runtime, clock: list[int], seat: Seat, mode: str, seats: int
) -> None:
    match = sit(house, clock, seat, mode, seats)
    shadow = Shadow(house, match.id)
    # In flip a game of the set takes long, and Big C draws lots before its one deal.
    deals = 1 if mode == "flip" else 2
    while match.fold.deals < deals:
        match.step()
        shadow.look()
    dealt(match, deals)
    agree(match)
    entries = verified(match)
    said = [entry["kind"] for entry in entries]
    assert "faces" not in said
    assert "shown" not in said
    first = next(e["seq"] for e in entries if e["kind"] == "deal" and e["body"]["link"] is None)
    mixed = [entry["actor"] for entry in entries if entry["kind"] == "mix" and entry["seq"] < first]
    assert mixed == ["house", *map(str, range(seats))]
    assert match.fold.outcome is not None
    assert match.fold.outcome.reason == "agreed"


@ON_SQLITE
@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "seats", "options"),
    [
        # A minute; the shorter ones play as many deals, and the fold of hearts has rounds of its own.
        pytest.param("hearts", 3, {}, marks=pytest.mark.long),
        ("cribbage", 2, {"target": "61"}),
        ("flip", 1, {}),
        ("flip", 2, {"target": 0}),
        ("big-c", 4, {"hand": 27}),
    ],
    ids=["hearts", "cribbage", "flip alone", "flip", "big-c"],
)
def test_a_whole_game_to_its_end_by_the_rules(
    house: Runtime, clock: list[int], seat: Seat, mode: str, seats: int, options: dict[str, Any]
) -> None:
    match = sit(house, clock, seat, mode, seats, **options)
    game = match.play()
    assert game.outcome is not None
    assert game.outcome.reason not in ("withheld", "resigned", "agreed")
    assert not game.unshown
    verified(match)


def test_a_bot_of_the_house_locks_mixes_and_shares_like_anybody(
    house: Runtime, clock: list[int], seat: Seat
) -> None:
    match = sit(house, clock, seat, "cribbage", 2, bots=1)
    dealt(match, 2)
    said = {entry["kind"] for entry in entries_of(match) if entry["actor"] == "1"}
    assert said >= PARTIES | {"move"}
    verified(match)


@ON_SQLITE
def test_a_rematch_has_no_dealer_either(house: Runtime, clock: list[int], seat: Seat) -> None:
    match = over(sit(house, clock, seat, "cribbage", 2))
    ann, bob = _guests(match)
    table = ann.post(f"/games/{match.id}/rematch", {}).json
    table = bob.post(f"/games/{match.id}/rematch", {}).json
    [opening] = ann.get(f"/games/{table['game']}/entries").json["entries"]
    assert opening["body"]["options"]["dealer"] == "nobody"


# What the house knows


@ON_SQLITE
def test_the_house_shows_a_seat_no_face_that_not_everybody_sees(
    house: Runtime, clock: list[int], seat: Seat
) -> None:
    match = sit(house, clock, seat, "hearts", 3)
    game = dealt(match)
    hands = [chair.seat.hand(game) for chair in match.chairs]
    assert all(len(hand) == 17 for hand in hands), "everybody reads a hand"
    stranger = seat("zoe")
    views = [guest.get(f"/games/{match.id}").json["state"] for guest in (*_guests(match), stranger)]
    assert views[0] == views[1] == views[2]
    assert not {int(p) for p in views[0]["faces"]} & {p for hand in hands for p in hand}
    for guest in _guests(match):
        assert guest.get(f"/games/{match.id}/faces").json == {"faces": []}
    stored = frozen(house, match.id)
    for hand in hands:
        assert not any(json.dumps(face) in stored for face in hand.values())


def _guests(match: Match) -> list[Guest]:
    return [chair.guest for chair in match.chairs]


# Silence


def test_answers_stay_held_while_another_seat_is_asked_again(
    house: Runtime, clock: list[int], seat: Seat
) -> None:
    match = sit(house, clock, seat, "cribbage", 3)
    until(match, lambda game: game.asking is not None and game.asking.topic == "lay")
    late, *others = match.chairs
    for chair in others:
        chair.send()
    match.lapse()
    match.lapse()
    assert timeouts(match) == [(late.number, "move", None)] * 2
    with house.read() as session:
        rows = session.exec(select(Submission).where(Submission.game_id == match.id)).all()
    step = match.fold.step
    assert sum(row.step == step and bool(row.waiting) for row in rows) == 2, "both still wait"
    late.catch_up()
    late.send()
    match.work()
    laid = [e["actor"] for e in entries_of(match) if e["step"] == step and e["kind"] == "move"]
    assert laid == ["0", "1", "2"]
    with house.read() as session:
        rows = session.exec(select(Submission).where(Submission.game_id == match.id)).all()
    assert not any(row.step == step and row.waiting for row in rows), "nothing waits any more"
    verified(match)


def timeouts(match: Match) -> list[tuple[int, str, Any]]:
    bodies = [entry["body"] for entry in entries_of(match) if entry["kind"] == "timeout"]
    return [(body["seat"], body["kind"], body["move"]) for body in bodies]


@pytest.mark.parametrize("absent", ["end", "play"])
def test_a_deal_is_void_when_a_card_can_not_be_shown(
    house: Runtime, clock: list[int], seat: Seat, absent: str
) -> None:
    match = sit(house, clock, seat, "cribbage", 3, absent=absent)
    dealt(match, 2)
    gone = match.chairs[1]
    gone.leaves = frozenset(PARTIES | {"move", "unlock"})
    game = until(match, lambda game: game.outcome is not None or (game.deals >= 3 and _kind(game) == "move"))
    entries = verified(match)
    [annul] = [entry for entry in entries if entry["kind"] == "annul"]
    assert annul["body"] == {"deal": 2, "seats": [1]}
    assert timeouts(match)[:3] == [(1, "move", None)] * 3
    told = match.chairs[0].guest.get("/feed?after=0").json["events"]
    [said] = [event["data"] for event in told if event["event"] == "game.annulled"]
    assert (said["game"], said["seq"], said["deal"], said["seats"]) == (match.id, annul["seq"], 2, [1])
    if absent == "end":
        assert game.outcome is not None
        assert (game.outcome.reason, game.outcome.winners) == ("withheld", (0, 2))
        return
    assert isinstance(game.masked, InPlay)
    assert game.masked.pack.seats == (0, 2)
    open_hand = game.rules.sees(game.state, 1) - game.rules.sees(game.state, None)
    assert not open_hand or open_hand <= game.state.faces.keys(), "the cards of a player who is out lie open"


@ON_SQLITE
@pytest.mark.parametrize("stage", ["mix", "share"])
def test_who_is_silent_while_the_deal_is_made_is_left_out_of_it(
    house: Runtime, clock: list[int], seat: Seat, stage: str
) -> None:
    match = sit(house, clock, seat, "hearts", 3)
    match.chairs[2].leaves = frozenset({stage})
    game = dealt(match)
    assert isinstance(game.masked, InPlay)
    assert game.masked.pack.seats == (0, 1)
    assert kinds(match).count("lock") == (1 + 3) + (1 + 2), "two attempts, with the house's own locks"
    assert timeouts(match) == [(2, stage, None)]
    hand = game.state.board.hands[2]
    assert hand <= game.state.faces.keys(), "its cards lie open"
    match.chairs[2].leaves = frozenset()
    assert until(match, lambda game: "play" in str(match.fold.asking) or len(game.state.board.trick) > 0)
    verified(match)


@ON_SQLITE
def test_who_does_not_lock_the_first_pack_loses(house: Runtime, clock: list[int], seat: Seat) -> None:
    match = sit(house, clock, seat, "cribbage", 2)
    match.chairs[0].leaves = frozenset({"lock"})
    outcome = match.play().outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("link_withheld", (1,))
    verified(match)


def test_a_seat_resigns_while_the_pack_is_mixed_and_the_others_play_on(
    house: Runtime, clock: list[int], seat: Seat
) -> None:
    match = sit(house, clock, seat, "cribbage", 3, absent="play")
    dealt(match)
    until(match, lambda game: _kind(game) == "mix")
    leaver = match.chairs[2]
    assert leaver.post(leaver.seat.resign(leaver.catch_up())).status_code == 201
    match.work()
    game = dealt(match, 2)
    assert game.gone == {2}
    assert isinstance(game.masked, InPlay)
    assert game.masked.pack.seats == (0, 1)
    verified(match)


def test_cards_are_added_to_a_deal_in_play(house: Runtime, clock: list[int], seat: Seat) -> None:
    match = sit(house, clock, seat, "big-c", 4, hand=27)
    shadow = Shadow(house, match.id)
    while match.fold.deals < 3 and not match.fold.over:
        match.step()
        shadow.look()
    playing = match.fold.masked
    assert isinstance(playing, InPlay)
    assert [pack.deal for pack in playing.packs] == [2, 3]
    dealt(match, 3)
    agree(match)
    verified(match)


@ON_SQLITE
def test_big_c_for_more_than_six_needs_its_dealer(ann: Guest) -> None:
    seven = {"mode": "big-c", "seats": 7}
    refused = ann.post("/tables", {**seven, "options": {"dealer": "nobody"}})
    assert (refused.status_code, codes(refused)) == (422, [("bad_seats", "/seats")])
    assert ann.post("/tables", seven).status_code == 201
    [mode] = [found for found in ann.get("/modes").json["items"] if found["name"] == "big-c"]
    [text] = [option["text"] for option in mode["options"] if option["name"] == "dealer"]
    assert text.endswith("It is for at most 6 players.")


# Refusals


def test_a_mode_that_needs_its_dealer_and_clocks_that_are_too_short_are_refused(ann: Guest) -> None:
    pancake = {"mode": "chef", "options": {"dealer": "nobody"}}
    refused = ann.post("/tables", pancake)
    assert (refused.status_code, codes(refused)) == (422, [("dealer_needed", "/options/dealer")])
    for clock in ("link", "mix"):
        short = {"mode": "hearts", "seats": 3, "options": {"dealer": "nobody", "card": 300, clock: 60}}
        refused = ann.post("/tables", short)
        assert (refused.status_code, codes(refused)) == (422, [("bad_option", f"/options/{clock}")])
    opened = ann.post("/tables", {"mode": "hearts", "seats": 3, "options": {"dealer": "nobody", "card": 300}})
    assert opened.status_code == 201
    options = opened.json["options"]
    assert (options["dealer"], options["mix"], options["link"]) == ("nobody", 300, 300)


@ON_SQLITE
def test_a_table_with_a_dealer_says_so_and_its_record_is_as_ever(seat: Seat) -> None:
    ann, *others = (seat(name) for name in NAMES[:3])
    table = ann.post("/tables", {"mode": "hearts", "seats": 3}).json
    assert table["options"]["dealer"] == "house"
    assert "mix" not in table["options"]
    for guest in others:
        table = guest.post(f"/tables/{table['id']}/join", {}).json
    [opening] = ann.get(f"/games/{table['game']}/entries").json["entries"]
    assert not {"dealer", "mix"} & opening["body"]["options"].keys()


@ON_SQLITE
def test_messages_are_refused_with_a_code_and_change_nothing(
    house: Runtime, clock: list[int], seat: Seat
) -> None:
    match = sit(house, clock, seat, "cribbage", 2)
    game = until(match, lambda game: _kind(game) == "lock")
    ann, bob = match.chairs
    good = ann.message()
    before = frozen(house, match.id)

    def refused(chair: Chair, kind: str, **body: object) -> tuple[int, list[Any]]:
        given = {name: value for name, value in body.items() if value is not None}
        message = chair.seat._message(chair.game, chair.game.step, kind, given)
        answered = chair.post(message)
        return answered.status_code, codes(answered)

    lock = {name: good.body[name] for name in ("deal", "lock", "proof")}
    zero = b64(bytes(80))
    assert refused(ann, "lock", **{**lock, "deal": 2}) == (422, [("wrong_deal", "/body/deal")])
    assert refused(bob, "lock", **lock) == (422, [("bad_proof", "/body/proof")]), "another's lock"
    assert refused(ann, "lock", **{**lock, "proof": zero})[1][0][0] in ("bad_proof", "bad_point")
    assert refused(ann, "lock", **lock, envelope=zero) == (422, [("no_envelopes", "/body/envelope")])
    assert refused(ann, "lock", **{**lock, "deal": True}) == (422, [("bad_integer", "/body/deal")])
    assert refused(ann, "mix", pack="", proof=zero) == (409, [("wrong_kind", "/kind")])
    assert frozen(house, match.id) == before
    assert match.fold.digest == game.digest
    ann.send(good)

    dealt(match, 2)
    until(match, lambda game: game.asking is not None and game.asking.topic == "lay")
    chair = match.chairs[0]
    due = chair.message()
    moved = {"move": due.body["move"]}
    before = frozen(house, match.id)
    if "proof" in due.body:
        assert refused(chair, "move", **moved) == (422, [("proof_lacking", "/body/shares")])
    else:
        assert refused(chair, "move", **moved, proof=zero) == (422, [("proof_not_due", "/body/proof")])
    assert frozen(house, match.id) == before
    chair.send(due)


@ON_SQLITE
def test_what_waits_and_the_snapshot_outlive_the_process(
    house: Runtime, clock: list[int], seat: Seat
) -> None:
    match = sit(house, clock, seat, "cribbage", 2)
    for kind in ("mix", "share", "unlock"):
        until(match, lambda game, kind=kind: _kind(game) == kind)
        house.live.clear()
        with house.read() as session:
            again = games.current(house, session, match.id)
        assert again == match.fold
        match.step()
    verified(match)
