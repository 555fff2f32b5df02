"""Three people in the page: they meet, talk, block and report; one takes another name, one keeps order."""

from __future__ import annotations

from client.http import Api
from referee import verify_record
from tests.stack import Stack
from tests.web.furnished_people import keep_order
from tests.web.site_kit import Flow, flow


def test_three_people_find_each_other(house: Stack) -> None:
    """Each pair meets at one table, which the house has begun, and which each page has entered by itself."""
    people = Flow("people", house.url)
    people.hears("role")
    keep_order(house, "Ann", "moderator")
    people.say("go on")
    found = people.found()
    players = []
    for games in (found["paired"], found["challenged"]):
        assert len(set(games)) == 1
        with Api(house.url) as api:
            record = verify_record(api.record(games[0])).json()
        assert (record["valid"], record["outcome"]["reason"]) == (True, "resigned")
        players.append(sorted(seat["name"] for seat in record["seats"]))
    assert players == [["Ann", "Bob"], ["Ann", "Cem"]]
    assert found["wait"] == {"gone": 0, "back": 0}, "the news ends it, and no late answer renews it"
    assert found["refused"] == "This player can’t be reached."
    assert found["stale"] == "Name or words are not right."
    assert found["sessions"] == 2, "a change of words ends all sessions but one; then a new device has come"
    kinds = ["a report decided", "suspended Cora", "a report taken", "role given to Ann"]
    assert [" ".join(act.split()) for act in found["acts"]] == kinds
    assert found["suspended"].startswith("You are suspended")
    assert not found["leaked"], "no words leave a browser"
    assert (found["violations"], found["faults"]) == ([], [])
    assert found["hosts"] == [house.url.removeprefix("http://")]


def test_three_people_play_a_tournament(house: Stack) -> None:
    """One directs it; the other two meet at a table which the house has begun and which their pages enter."""
    found = flow("tournament", house.url)
    assert len(set(found["games"])) == 1
    with Api(house.url) as api:
        record = verify_record(api.record(found["games"][0])).json()
    assert (record["valid"], record["outcome"]["reason"]) == (True, "resigned")
    assert sorted(found["ruling"].split(" – ")) == ["Eva", "Fay"]
    assert [row[:3] for row in found["standings"]] == [["1", "Eva", "1"], ["2", "Fay", "0"]]
    assert (found["violations"], found["faults"]) == ([], [])
