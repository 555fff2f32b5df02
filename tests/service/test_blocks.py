"""Blocks: they part two players at tables, rematches and offers, and the blocked one is not told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.models import Block
from service.operations import blocks
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, codes, give_coins
from tests.service.trade_kit import enrich, findings

HEARTS = {"mode": "hearts", "seats": 3}
NOTHING = {"gives": {"coins": 1}, "wants": {"cards": {"tuna": 1}}}


def block(who: Guest, whom: str) -> TestResponse:
    return who.put(f"/me/blocks/{whom}", None)


def refusal(answer: TestResponse) -> tuple[int, str]:
    """The status and the code of a refusal."""
    document: Any = answer.json
    return answer.status_code, document["code"]


def words(answer: TestResponse) -> dict[str, Any]:
    """A problem document without the request's id."""
    document: Any = answer.json
    return {name: value for name, value in document.items() if name != "request_id"}


def open_table(guest: Guest, **more: Any) -> Any:
    opened = guest.post("/tables", {**HEARTS, **more})
    assert opened.status_code == 201, opened.text
    return opened.json


def test_a_player_sees_their_own_blocks_alone(ann: Guest, bob: Guest) -> None:
    made = block(ann, "BOB")
    assert (made.status_code, made.json["handle"]) == (200, "bob")
    again = block(ann, "bob")
    assert again.json == made.json
    assert ann.get("/me/blocks").json["items"] == [made.json]
    assert bob.get("/me/blocks").json["items"] == []
    assert ann.delete("/me/blocks/bob").status_code == 204
    assert ann.delete("/me/blocks/bob").status_code == 204
    assert ann.get("/me/blocks").json["items"] == []


def test_what_can_not_be_blocked_is_refused(
    ann: Guest, bob: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = block(ann, "ann")
    assert refusal(own) == (422, "own_block")
    assert codes(own) == [("own_block", "handle")]
    assert refusal(block(ann, "nobody-here")) == (404, "not_found")
    monkeypatch.setattr(blocks, "MOST", 0)
    full = block(ann, "bob")
    assert refusal(full) == (409, "too_many_blocks")
    assert full.json["at_most"] == 0
    assert ann.get("/me/blocks").json["items"] == []


def test_the_blocker_is_told_at_a_table_and_the_blocked_player_sees_none(ann: Guest, bob: Guest) -> None:
    hers, his = open_table(ann), open_table(bob)
    block(ann, "bob")
    unknown = bob.get("/tables/00000000-0000-4000-8000-000000000000")
    assert words(bob.get(f"/tables/{hers['id']}")) == words(unknown)
    assert words(bob.post(f"/tables/{hers['id']}/join", {})) == words(unknown)
    assert ann.get(f"/tables/{his['id']}").status_code == 200
    assert refusal(ann.post(f"/tables/{his['id']}/join", {})) == (409, "blocked")
    assert [table["id"] for table in ann.get("/tables").json["items"]] == [hers["id"]]
    assert [table["id"] for table in bob.get("/tables").json["items"]] == [his["id"]]
    ann.delete("/me/blocks/bob")
    assert bob.post(f"/tables/{hers['id']}/join", {}).status_code == 200
    block(ann, "bob")  # who sits already stays
    assert bob.get(f"/tables/{hers['id']}").status_code == 200
    assert bob.post(f"/tables/{hers['id']}/leave", {}).status_code == 200


def test_an_invitation_does_not_help(ann: Guest, bob: Guest) -> None:
    table = open_table(ann, private=True)
    block(ann, "bob")
    wrong = bob.get(f"/invitations/{table['invitation'][::-1]}")
    assert words(bob.get(f"/invitations/{table['invitation']}")) == words(wrong)
    joined = bob.post(f"/tables/{table['id']}/join", {"invitation": table["invitation"]})
    assert refusal(joined) == (404, "not_found")


def test_players_who_are_parted_meet_at_no_third_table(
    ann: Guest, bob: Guest, seat: Callable[..., Guest]
) -> None:
    carol = seat("carol")
    table = open_table(carol)
    assert bob.post(f"/tables/{table['id']}/join", {}).status_code == 200
    block(bob, "ann")
    assert refusal(ann.post(f"/tables/{table['id']}/join", {})) == (404, "not_found")
    ann.put("/me/blocks/bob", None)
    assert refusal(ann.post(f"/tables/{table['id']}/join", {})) == (404, "not_found")


def test_no_rematch_brings_them_together(
    ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime, clock: list[int]
) -> None:
    carol = seat("carol")
    match = sit_down(house, clock, [ann, bob, carol], "hearts", seed=1)
    while not match.fold.over:
        match.lapse()
    block(ann, "bob")
    assert refusal(ann.post(f"/games/{match.id}/rematch", {})) == (409, "blocked")
    assert refusal(bob.post(f"/games/{match.id}/rematch", {})) == (409, "no_rematch")
    assert refusal(carol.post(f"/games/{match.id}/rematch", {})) == (409, "no_rematch")
    ann.delete("/me/blocks/bob")
    assert carol.post(f"/games/{match.id}/rematch", {}).status_code == 201
    assert ann.post(f"/games/{match.id}/rematch", {}).status_code == 201
    block(ann, "bob")
    assert refusal(bob.post(f"/games/{match.id}/rematch", {})) == (404, "not_found")


def test_no_offer_passes_between_them(ann: Guest, bob: Guest, house: Runtime) -> None:
    for guest in (ann, bob):
        give_coins(house, guest.id, 10)
        enrich(house, guest, tuna=2)
    hers = ann.post("/offers", NOTHING).json["id"]
    to_bob = ann.post("/offers", {**NOTHING, "to": "bob"}).json["id"]
    his = bob.post("/offers", NOTHING).json["id"]
    block(ann, "bob")
    assert refusal(ann.post("/offers", {**NOTHING, "to": "bob"})) == (409, "blocked")
    assert refusal(bob.post("/offers", {**NOTHING, "to": "ann"})) == (409, "unreachable_player")
    assert refusal(ann.post(f"/offers/{his}/accept", {})) == (409, "blocked")
    assert refusal(bob.post(f"/offers/{hers}/accept", {})) == (404, "not_found")
    assert refusal(bob.post(f"/offers/{to_bob}/accept", {})) == (409, "unreachable_player")
    assert refusal(bob.get(f"/offers/{hers}")) == (404, "not_found")
    assert ann.get("/offers").json["items"][0]["id"] == hers
    assert [offer["id"] for offer in bob.get("/offers").json["items"]] == [his]
    assert bob.post(f"/offers/{to_bob}/decline", {}).status_code == 200
    assert findings(house) == []


def test_the_cost_of_cards_counts_no_offer_of_a_parted_player(ann: Guest, bob: Guest, house: Runtime) -> None:
    enrich(house, ann, caviar=1)
    ann.post("/offers", {"gives": {"cards": {"caviar": 1}}, "wants": {"coins": 3}})
    wanted = {"cards": {"caviar": 5}}
    assert bob.post("/market/cost", wanted).json["coins"] == 3
    block(ann, "bob")
    assert bob.post("/market/cost", wanted).json["coins"] == 0


def test_a_block_at_the_moment_of_joining_comes_before_or_after(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    for _ in range(5):
        table = open_table(ann)
        both = [lambda: block(ann, "bob"), lambda t=table: bob.post(f"/tables/{t['id']}/join", {})]
        blocked, joined = at_once(both)
        assert isinstance(blocked, TestResponse)
        assert isinstance(joined, TestResponse)
        assert blocked.status_code == 200
        seated = [s["name"] for s in ann.get(f"/tables/{table['id']}").json["seats"] if s is not None]
        assert (joined.status_code, "bob" in seated) in ((200, True), (404, False))
        ann.delete("/me/blocks/bob")
        ann.delete(f"/tables/{table['id']}")


def test_two_requests_to_block_make_one_block(ann: Guest, bob: Guest, house: Runtime) -> None:
    answers = at_once([lambda: block(ann, "bob"), lambda: block(bob, "ann"), lambda: block(ann, "bob")])
    assert all(isinstance(answer, TestResponse) and answer.status_code == 200 for answer in answers)
    with house.read() as session:
        assert blocks.blocked(session, bob.id, ann.id)
        assert session.get(Block, (ann.id, bob.id)) is not None
        assert len(blocks.of_player(session, ann.id)) == 1
