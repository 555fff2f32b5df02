"""Whole matches through the API: played by what players run, folded again, verified by a stranger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from sqlmodel import select

from crypto.encoding import b64
from service.models import BotNote, Submission
from service.operations import games
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.service_kit import ON_SQLITE_FIRST, Guest
from tests.service.shadow_kit import ON_SQLITE, Shadow, record
from worker import bots


def held(guest: Guest) -> set[str | None]:
    """Return the games that hold a guest's copies."""
    copies = guest.get("/collection/copies?limit=200").json["items"]
    return {holder for copy in copies for holder in copy["held_by"] or [None]}


@pytest.mark.slow
def test_two_guests_play_a_match_and_a_stranger_verifies_it(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    match = sit_down(house, clock, [ann, bob], seed=1)
    shadow = Shadow(house, match.id)
    shadow.look()
    assert held(ann) == held(bob) == {match.id}
    ended = match.play(shadow.look)

    report, entries = record(bob, match)
    assert report.valid, report.fault
    assert report.game.outcome == ended.outcome
    assert report.checked["results"] == 1
    kinds = Counter(entry["kind"] for entry in entries)
    rounds = kinds["seal"] // 2
    assert rounds >= 5
    assert kinds["reveal"] == kinds["seal"]
    assert report.checked["proofs"] == 2 + kinds["seal"]
    assert "timeout" not in kinds
    once = Counter((entry["step"], entry["actor"], entry["kind"]) for entry in entries)
    assert set(once.values()) == {1}
    assert shadow.looks > len(entries) / 2

    # The messages of the house's receipts stand in the record, no earlier than the receipt says.
    for chair in match.chairs:
        chair.catch_up()
        assert chair.game.over
        entered = {
            (entry["step"], entry["kind"]): entry for entry in entries if entry["actor"] == str(chair.number)
        }
        assert len(chair.receipts) == len(entered)
        for message, receipt in chair.receipts:
            entry = entered[message.step, message.kind]
            assert entry["player_signature"] == b64(message.signature)
            assert entry["at"] >= receipt.json()["at"]

    # The house lets go of everything.
    assert held(ann) == held(bob) == {None}
    with house.read() as session:
        row = games.row_of(session, match.id)
        assert (row.due_at, row.ended_at) == (None, ended.at)
        sent = session.exec(select(Submission).where(Submission.game_id == match.id)).all()
    assert [submission for submission in sent if submission.waiting is not None] == []

    listed = ann.get("/games?state=over").json["items"]
    assert [game["id"] for game in listed] == [match.id]
    assert listed[0]["outcome"]["points"] == list(ended.outcome.points)
    assert ann.get("/games?state=running").json["items"] == []


@pytest.mark.slow
@ON_SQLITE
def test_a_row_is_the_fold_of_its_record_through_silence_and_offers(
    house: Runtime, clock: list[int], ann: Guest, bob: Guest
) -> None:
    # Time-outs of every kind, late reveals and draw offers: each leaves the row at the fold.
    match = sit_down(house, clock, [ann, bob], seed=2)
    shadow = Shadow(house, match.id)
    for _ in range(120):
        if match.fold.over:
            break
        game = match.fold
        chair = match.chairs[match.rng.randrange(2)].number
        if game.deals and match.rng.random() < 0.15:
            match.lapse()
        elif game.deals and match.rng.random() < 0.1 and not game.seat(chair).offers_draw:
            offering = match.chairs[chair]
            offer = offering.seat.offer_draw(offering.catch_up())
            assert offering.post(offer).status_code in (201, 409)
        else:
            match.step()
        shadow.look()
    Shadow(house, match.id).look()  # all of it at once
    report, entries = record(ann, match, unfinished=not match.fold.over)
    assert report.valid, report.fault
    kinds = Counter(entry["body"]["kind"] for entry in entries if entry["kind"] == "timeout")
    assert sum(kinds.values()) >= 3


@pytest.mark.slow
@ON_SQLITE_FIRST
def test_a_guest_plays_the_houses_bot(house: Runtime, clock: list[int], ann: Guest) -> None:
    match = sit_down(house, clock, [ann], bots=["greedy"], seed=3)
    shadow, noted = Shadow(house, match.id), 0

    def look() -> None:
        nonlocal noted
        shadow.look()
        with house.read() as session:
            noted += len(session.exec(select(BotNote)).all())

    match.play(look)
    report, _ = record(ann, match)
    assert report.valid, report.fault
    assert noted > 0
    with house.read() as session:
        assert session.exec(select(BotNote)).all() == []


@ON_SQLITE
@pytest.mark.parametrize(
    "deals", [pytest.param(2, id="a round"), pytest.param(1000, id="to the end", marks=pytest.mark.long)]
)
def test_bots_play_hearts(house: Runtime, clock: list[int], deals: int) -> None:
    with house.write() as session:
        plans = [games.BotPlan(bot) for bot in ("careful", "random", "random")]
        game_id = games.begin(house, session, "hearts", {}, plans)
    shadow, moves = Shadow(house, game_id), 0
    while bots.move(house, game_id) + games.resolve(house, game_id):
        clock[0] += 100
        moves += 1
        if moves % 20 == 0 and shadow.look().deals >= deals:
            break
    game = shadow.look()
    if not game.over:
        assert game.deals == deals
        return
    with house.read() as session:
        row = games.row_of(session, game_id)
        assert row.outcome is not None
        assert row.outcome["reason"] in ("points", "rounds")
        assert row.due_at is None


@pytest.mark.slow
@ON_SQLITE
def test_guests_at_hearts_see_their_own_cards_and_no_others(
    house: Runtime, clock: list[int], seat: Callable[..., Guest]
) -> None:
    guests = [seat(name) for name in ("ann", "bob", "cleo", "dan")]
    match = sit_down(house, clock, guests, mode="hearts", seed=4)
    match.until("move")
    views = [guest.get(f"/games/{match.id}").json["state"] for guest in guests]
    hands = [view["faces"] for view in views]
    assert [len(hand) for hand in hands] == [13] * 4
    assert len({position for hand in hands for position in hand}) == 52
    assert len({card for hand in hands for card in hand.values()}) == 52
    for view in views:
        assert view["hands"] == views[0]["hands"]  # where the cards lie is public, what they show is not

    # The house's signed word for a hand says the same, and only to its owner.
    for chair, hand in zip(match.chairs, hands, strict=True):
        [statement] = chair.guest.get(f"/games/{match.id}/faces").json["faces"]
        assert {str(face["position"]): face["card"] for face in statement["faces"]} == hand

    # Through a round: a view has the own hand and what lies open; an opponent's hand never.
    shadow = Shadow(house, match.id)
    while match.fold.deals == 1 and not match.fold.over:
        match.step()
        shadow.look()
        for number, guest in enumerate(guests):
            state = guest.get(f"/games/{match.id}").json["state"]
            others = {p for i, hand in enumerate(state["hands"]) if i != number for p in hand}
            hidden = others - set(state["exposed"])
            assert not hidden & {int(position) for position in state["faces"]}

    # A player who gives up ends it; then everybody sees everything, and the record is whole.
    leaver = match.chairs[0]
    assert leaver.post(leaver.seat.resign(leaver.catch_up())).status_code == 201
    report, entries = record(guests[3], match)
    assert report.valid, report.fault
    assert [entry["kind"] for entry in entries[-2:]] == ["shown", "result"]
    assert report.game.outcome.reason == "resigned"
    stranger = seat("eve")
    assert stranger.get(f"/games/{match.id}").json["seat"] is None
    assert stranger.get(f"/games/{match.id}/record").status_code == 200
