"""Phrases at a table: from seats alone, few, muted by whoever wants, and never in the record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.operations import phrases
from service.runtime import Runtime
from tests.service.match_kit import Match, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest


def refusal(answer: TestResponse) -> tuple[int, str]:
    """The status and the code of a refusal."""
    document: Any = answer.json
    return answer.status_code, document["code"]


def heard(guest: Guest) -> list[tuple[str, str]]:
    """The phrases that a guest has heard, and their speakers."""
    events = guest.get("/feed").json["events"]
    return [(e["data"]["name"], e["data"]["phrase"]) for e in events if e["event"] == "game.said"]


@pytest.fixture
def carol(seat: Callable[..., Guest]) -> Guest:
    """A third player."""
    return seat("carol")


@pytest.fixture
def match(ann: Guest, bob: Guest, carol: Guest, house: Runtime, clock: list[int]) -> Match:
    """A game of the three."""
    return sit_down(house, clock, [ann, bob, carol], "hearts", seed=1)


def say(guest: Guest, match: Match, phrase: str = "well_played") -> TestResponse:
    return guest.post(f"/games/{match.id}/phrases", {"phrase": phrase})


def test_the_others_hear_it_and_the_record_does_not(
    match: Match, ann: Guest, bob: Guest, carol: Guest
) -> None:
    record = ann.get(f"/games/{match.id}/record").data
    assert say(ann, match, "good_luck").status_code == 204
    assert heard(bob) == heard(carol) == [("Ann", "good_luck")]
    assert heard(ann) == []
    assert ann.get(f"/games/{match.id}/record").data == record


def test_who_mutes_phrases_or_blocks_the_speaker_hears_nothing(
    match: Match, ann: Guest, bob: Guest, carol: Guest
) -> None:
    assert bob.put("/me/phrases", {"muted": True}).json["muted"] is True
    assert bob.put("/me/phrases", {"muted": True}).json["muted"] is True
    carol.put("/me/blocks/ann", None)
    assert say(ann, match).status_code == 204
    assert heard(bob) == heard(carol) == []
    assert bob.put("/me/phrases", {"muted": False}).json["muted"] is False
    assert say(carol, match, "thanks").status_code == 204
    assert heard(bob) == [("carol", "thanks")]
    assert heard(ann) == []
    shown = bob.get("/me/phrases").json
    assert shown == {
        "items": [{"phrase": code, "text": text} for code, text in phrases.PHRASES.items()],
        "muted": False,
    }


def test_phrases_are_few_between_two_entries(match: Match, ann: Guest, bob: Guest) -> None:
    for _ in range(phrases.MOST):
        assert say(ann, match).status_code == 204
    full = say(ann, match)
    assert refusal(full) == (409, "too_many_phrases")
    assert full.json["at_most"] == phrases.MOST
    assert say(bob, match).status_code == 204
    match.step()
    assert say(ann, match).status_code == 204
    assert len(heard(bob)) == phrases.MOST + 1


def test_a_stranger_says_nothing_and_there_is_no_free_chat(
    match: Match, ann: Guest, seat: Callable[..., Guest]
) -> None:
    assert refusal(say(seat("dave"), match)) == (403, "not_your_game")
    free = say(ann, match, "You are a fool.")
    assert free.status_code == 422
    assert free.json["errors"][0]["pointer"] == "/phrase"


def test_after_the_end_there_is_a_while_to_say_thanks(
    match: Match, ann: Guest, bob: Guest, clock: list[int]
) -> None:
    while not match.fold.over:
        match.lapse()
    assert say(ann, match).status_code == 204
    clock[0] += phrases.LINGER_MS + 1
    assert refusal(say(bob, match)) == (409, "table_left")


def test_two_phrases_at_once_are_both_counted(match: Match, ann: Guest, bob: Guest) -> None:
    answers = at_once([lambda: say(ann, match)] * 4)
    statuses = Counter(a.status_code for a in answers if isinstance(a, TestResponse))
    assert statuses == {204: phrases.MOST, 409: 4 - phrases.MOST}
    assert len(heard(bob)) == phrases.MOST
