"""Two people play in the page: from their registration to the record that both verify, and a rematch."""

from __future__ import annotations

from client.http import Api
from referee import verify_record
from tests.client.guests import PLAYED_OUT
from tests.stack import Stack
from tests.web.site_kit import flow

GOAL = 30
"""Points that somebody has at every end of `PLAYED_OUT` (docs/rules/chef.md, section 9)."""


def test_two_browsers_play_a_match_and_both_verify_it(house: Stack) -> None:
    found = flow("two_browsers", house.url)
    assert len(set(found["games"])) == 1
    with Api(house.url) as api:
        record = api.record(found["games"][0])
    here = verify_record(record).json()
    assert (here["valid"], here["outcome"]["reason"] in PLAYED_OUT) == (True, True)
    assert max(here["outcome"]["points"]) >= GOAL
    assert sorted(seat["name"] for seat in here["seats"]) == ["Ann", "Bob"]
    assert len(set(found["decks"])) == 2
    for receipt in found["receipts"]:
        assert (receipt["good"], receipt["verdict"]) == (True, "The record is valid")
        assert receipt["lines"]["Entries"] == str(here["checked"]["entries"])
        assert receipt["lines"]["Result"] == " : ".join(map(str, here["outcome"]["points"]))
    assert found["bill"] >= here["checked"]["accounts"]
    winners = [here["seats"][seat]["name"] for seat in here["outcome"]["winners"]]
    if len(winners) == 1:
        assert dict(zip(("Ann", "Bob"), found["shown"], strict=True))[winners[0]] == "You have won"
    assert len(set(found["again"])) == 1
    assert set(found["again"]) != set(found["games"])
    assert (found["ended"], found["replayed"]) == ("You have won", found["games"][0])
    with Api(house.url) as api:
        again = verify_record(api.record(found["again"][0])).json()
    assert (again["valid"], again["outcome"]["reason"]) == (True, "resigned")
    names = [[seat["name"] for seat in record["seats"]] for record in (here, again)]
    assert names[0] == names[1][::-1], "everybody moves by one seat"
    assert (found["violations"], found["faults"]) == ([], [])
    assert found["hosts"] == [house.url.removeprefix("http://")]
