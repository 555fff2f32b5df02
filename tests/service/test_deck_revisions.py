"""The history of a deck list: revisions, restoring, differences; and edits of which none is lost."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from typing import Any

import pytest

from cards.decks.deck_lists import DeckList
from service.models import DeckRevision, DeckRow
from service.operations import deck_lists, decks
from service.problems import Problem
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, codes


def _make(guest: Guest, cards: dict[str, int], **more: Any) -> str:
    made = guest.post("/decks", {"name": "Stew", "cards": cards, **more})
    assert made.status_code == 201, made.text
    return f"/decks/{made.json['id']}"


def test_each_change_of_cards_or_name_is_a_revision_with_its_time_and_note(
    ann: Guest, clock: list[int]
) -> None:
    path = _make(ann, {"tomato": 1}, note="a start")
    steps: list[tuple[dict[str, Any], int]] = [
        ({"cards": {"tomato": 2}, "note": "more"}, 2),
        ({"cards": {"tomato": 2}, "note": "nothing new"}, 2),
        ({"name": "Soup"}, 3),
        ({"tags": ["a"], "visibility": "unlisted"}, 3),
        ({"note": "to no revision"}, 3),
        ({"text": "1 Salt", "note": ""}, 4),
        ({}, 4),
    ]
    times = [ann.get(path).json["revised_at"]]
    for body, revision in steps:
        clock[0] += 1000
        answer = ann.edit("PATCH", path, body)
        assert (answer.status_code, answer.json["revision"]) == (200, revision), body
        times.append(answer.json["revised_at"])
    assert len({*times}) == 4
    shown = ann.get(f"{path}/revisions").json["items"]
    assert [(r["revision"], r["name"], r["cards"], r["note"]) for r in shown] == [
        (4, "Soup", {"salt": 1}, ""),
        (3, "Soup", {"tomato": 2}, ""),
        (2, "Stew", {"tomato": 2}, "more"),
        (1, "Stew", {"tomato": 1}, "a start"),
    ]
    for each in shown:
        assert ann.get(f"{path}/revisions/{each['revision']}").json == each
    assert ann.get(path).json == shown[0]
    assert (shown[0]["tags"], shown[0]["visibility"]) == (["a"], "unlisted")


def test_an_old_revision_is_brought_back_as_a_new_one(ann: Guest) -> None:
    path = _make(ann, {"tomato": 1})
    ann.edit("PUT", path, {"name": "Soup", "cards": {"salt": 2}})
    back = ann.edit("POST", f"{path}/revisions/1/restore", {"note": "was better"}).json
    assert (back["revision"], back["name"], back["cards"]) == (3, "Stew", {"tomato": 1})
    assert (back["note"], back["restored_from"]) == ("was better", 1)
    assert ann.edit("POST", f"{path}/revisions/1/restore", {}).json["revision"] == 3  # it is so already
    assert [r["cards"] for r in ann.get(f"{path}/revisions").json["items"]] == [
        {"tomato": 1},
        {"salt": 2},
        {"tomato": 1},
    ]
    for number in (4, 0):
        missing = ann.edit("POST", f"{path}/revisions/{number}/restore", {})
        assert (missing.status_code, missing.json["detail"]) == (404, "There is no such revision.")


def test_what_tells_two_revisions_apart(ann: Guest, house: Runtime) -> None:
    path = _make(ann, {"tomato": 3, "onion": 1, "paella": 2})
    ann.edit("PATCH", path, {"name": "Stock", "cards": {"tomato": 1, "salt": 2, "paella": 2}})
    found = ann.get(f"{path}/differences").json
    assert (found["added"], found["removed"]) == ({"salt": 2}, {"onion": 1})
    assert found["changed"] == [{"card": "tomato", "change": {"from": 3, "to": 1}}]
    assert found["size"] == {"from": 6, "to": 5}
    assert (found["recipes"], found["ingredients"]) == ({"from": 2, "to": 2}, {"from": 4, "to": 3})
    assert [side["name"] for side in (found["first"], found["second"])] == ["Stew", "Stock"]
    assert [side["revision"] for side in (found["first"], found["second"])] == [1, 2]
    units = {each["category"]: each for each in found["units"]}
    assert units["vegetable"]["provided"] == {"from": 4, "to": 1}
    assert units["seasoning"]["provided"] == {"from": 0, "to": 2}
    cost = sum(house.catalog.by_slug("paella").costs)
    assert found["costs"][cost - 1] == {"cost": cost, "recipes": {"from": 2, "to": 2}}
    assert ann.get(f"{path}/differences?from=1&to=2").json == found
    back = ann.get(f"{path}/differences?from=2&to=1").json
    assert (back["added"], back["removed"]) == (found["removed"], found["added"])
    same = ann.get(f"{path}/differences?from=2").json
    assert (same["added"], same["removed"], same["changed"]) == ({}, {}, [])
    assert ann.get(f"{path}/differences?to=1").json["first"]["revision"] == 1
    for query in ("from=3", "to=3", "from=1&to=99999999999999999999"):
        missing = ann.get(f"{path}/differences?{query}")
        assert (missing.status_code, missing.json["detail"]) == (404, "There is no such revision.")
    for query in ("from=0", "to=-1", "from=x"):
        assert ann.get(f"{path}/differences?{query}").status_code in (400, 422)


def test_two_decks_are_compared_at_any_revision(ann: Guest) -> None:
    one, other = _make(ann, {"tomato": 1}), _make(ann, {"salt": 3})
    ann.edit("PATCH", other, {"cards": {"tomato": 1}})
    ident = other.rpartition("/")[2]
    found = ann.get(f"{one}/compare/{ident}").json
    assert (found["added"], found["removed"], found["changed"]) == ({}, {}, [])
    before = ann.get(f"{one}/compare/{ident}?to=1").json
    assert (before["added"], before["removed"]) == ({"salt": 3}, {"tomato": 1})
    assert ann.get(f"{one}/compare/{ident}?from=2").status_code == 404


def test_a_card_that_the_house_lost_is_told_by_its_number(ann: Guest, house: Runtime) -> None:
    path = _make(ann, {"bread": 1})
    with house.write() as session:
        session.get_one(DeckRevision, (path.rpartition("/")[2], 1)).cards = {"1001": 1, "77001": 2}
    ann.edit("PATCH", path, {"cards": {"bread": 1}})
    found = ann.get(f"{path}/differences").json
    assert (found["removed"], found["size"]) == ({"77001": 2}, {"from": 3, "to": 1})


# -- If-Match --------------------------------------------------------------------


def _changes(path: str) -> list[tuple[str, str, Any]]:
    return [
        ("PUT", path, {"name": "New", "cards": {"egg": 1}}),
        ("PATCH", path, {"cards": {"egg": 2}}),
        ("PATCH", path, {"tags": ["new"]}),
        ("POST", f"{path}/revisions/1/restore", {}),
        ("DELETE", path, None),
    ]


@pytest.mark.parametrize("which", range(5))
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_change_is_of_the_deck_that_was_seen(ann: Guest, which: int) -> None:
    path = _make(ann, {"tomato": 1})
    seen = ann.get(path)
    assert seen.headers["ETag"] == f'"{sha256(seen.data).hexdigest()}"'
    assert ann.get(path, If_None_Match=seen.headers["ETag"]).status_code == 304
    method, url, body = _changes(path)[which]
    bare = ann.request(method, url, body)
    assert (bare.status_code, bare.json["code"]) == (428, "precondition_required")
    assert codes(bare) == [("required", "If-Match")]
    assert ann.request(method, url, body, If_Match="nonsense").json["code"] == "bad_precondition"
    # somebody else tags it meanwhile, which is no revision and yet a change
    ann.edit("PATCH", path, {"tags": ["meanwhile"]})
    ann.edit("PATCH", path, {"cards": {"salt": 1}})
    now = ann.get(path)
    for tag in (seen.headers["ETag"], f"W/{seen.headers['ETag']}", '"x"'):
        stale = ann.request(method, url, body, If_Match=tag)
        assert (stale.status_code, stale.json["code"]) == (412, "precondition_failed")
        assert stale.json["etag"] == now.headers["ETag"]
    assert ann.get(path).data == now.data
    done = ann.request(method, url, body, If_Match=f'"x", W/{now.headers["ETag"]}')  # as a proxy marks it
    assert done.status_code in (200, 204)
    assert ann.get(path).data != now.data


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_the_answer_to_a_change_has_the_next_tag_in_its_bytes(ann: Guest) -> None:
    path = _make(ann, {"tomato": 1})
    data = ann.get(path).data
    for n in range(1, 4):
        tag = f'"{sha256(data).hexdigest()}"'
        answer = ann.request("PATCH", path, {"cards": {"tomato": n}, "tags": [str(n)]}, If_Match=tag)
        assert answer.status_code == 200
        data = answer.data
        assert ann.get(path).data == data


@pytest.mark.parametrize("which", range(5))
def test_what_has_been_done_is_answered_again_and_not_refused(ann: Guest, which: int) -> None:
    path = _make(ann, {"tomato": 1})
    ann.edit("PATCH", path, {"cards": {"tomato": 2}})
    method, url, body = _changes(path)[which]
    headers = {"If_Match": ann.get(path).headers["ETag"], "Idempotency_Key": "k"}
    first = ann.request(method, url, body, **headers)
    assert first.status_code in (200, 204), first.text
    again = ann.request(method, url, body, **headers)
    assert (again.status_code, again.data) == (first.status_code, first.data)
    assert again.headers["Idempotency-Replayed"] == "true"
    other = ann.request(method, url, body, If_Match=headers["If_Match"], Idempotency_Key="other")
    assert other.status_code == (404 if method == "DELETE" else 412)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_what_was_refused_may_be_sent_again_under_its_key(ann: Guest) -> None:
    path = _make(ann, {"tomato": 1})
    body = {"cards": {"tomato": 2}}
    for tag, status in (('"old"', 412), (ann.get(path).headers["ETag"], 200)):
        assert ann.request("PATCH", path, body, If_Match=tag, Idempotency_Key="k").status_code == status


def test_of_edits_at_once_one_is_made_and_the_others_are_told(ann: Guest, house: Runtime) -> None:
    path = _make(ann, {"tomato": 1})
    tag = ann.get(path).headers["ETag"]
    app = ann.client.application

    def edit(n: int) -> int:
        guest = Guest(app.test_client(), ann.handle, ann.private, headers=ann.headers)
        return guest.request("PATCH", path, {"cards": {"tomato": n}}, If_Match=tag).status_code

    results = at_once([lambda n=n: edit(n) for n in range(2, 10)])
    assert sorted(results) == [200] + [412] * 7
    won = results.index(200) + 2
    deck = ann.get(path).json
    assert (deck["revision"], deck["cards"]) == (2, {"tomato": won})
    with house.read() as session:
        numbers = [r.revision.number for r in decks.revisions(session, ann.id, deck["id"])]
    assert numbers == [2, 1]


def test_whatever_is_done_at_once_leaves_a_history_without_gaps(ann: Guest, house: Runtime) -> None:
    deck_id = _make(ann, {"tomato": 1}).rpartition("/")[2]
    tomato, salt = (house.catalog.by_slug(slug).number for slug in ("tomato", "salt"))

    def ignore(_: decks.ListedDeck) -> None:
        pass

    jobs: list[Callable[[], object]] = []
    for n in range(2, 6):
        jobs += [
            lambda n=n: decks.revise(house, ann.id, deck_id, ignore, cards={tomato: n}),
            lambda n=n: decks.revise(house, ann.id, deck_id, ignore, name=f"Stew {n}", tags=[f"t{n}"]),
            lambda n=n: decks.revise(house, ann.id, deck_id, ignore, cards={salt: n}, visibility="public"),
            lambda: decks.restore(house, ann.id, deck_id, 1, ignore),
            lambda: decks.copy(house, ann.id, deck_id),
            lambda: deck_lists.like(house, ann.id, deck_id),
        ]
    assert not [r for r in at_once(jobs) if isinstance(r, Exception)]
    with house.read() as session:
        every = decks.revisions(session, ann.id, deck_id, limit=200)
        numbers = [r.revision.number for r in every]
        newest = session.get_one(DeckRow, deck_id)
    assert numbers == list(range(len(every), 0, -1))
    assert newest.revision == len(every) >= 9  # each edit but those that found it so already
    for now, before in pairwise(every):
        assert (now.revision.name, now.revision.cards) != (before.revision.name, before.revision.cards)
    assert {r.revision.name for r in every} >= {f"Stew {n}" for n in range(2, 6)}


def test_the_last_place_is_taken_once(ann: Guest, house: Runtime) -> None:
    deck_id = _make(ann, {"tomato": 1}).rpartition("/")[2]
    object.__setattr__(house.settings, "decks_per_player", 4)
    jobs: list[Callable[[], object]] = [lambda: decks.copy(house, ann.id, deck_id)] * 4
    jobs += [lambda: decks.create(house, ann.id, name="x", cards={})] * 4
    results = at_once(jobs)
    refused = [r for r in results if isinstance(r, Problem)]
    assert [r for r in results if isinstance(r, Exception)] == refused
    assert {r.code for r in refused} == {"too_many_decks"}
    assert len(ann.get("/decks").json["items"]) == 4


# -- Matches ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_match_keeps_the_cards_it_was_sat_down_for(
    ann: Guest, bob: Guest, house: Runtime, clock: list[int]
) -> None:
    path = f"/decks/{ann.get('/decks').json['items'][0]['id']}"
    listed = ann.get(path).json["cards"]
    match = sit_down(house, clock, [ann, bob])
    ann.edit("PUT", path, {"name": "Changed", "cards": {"egg": 1}, "visibility": "public"})
    ann.edit("POST", f"{path}/revisions/1/restore", {})
    ann.edit("PATCH", path, {"cards": {}})
    ann.edit("DELETE", path)
    match.until("seal")  # certificates are given and checked by the players' programs on the way
    by_slug = {card.slug: card.number for card in house.catalog.cards.values()}
    dealt = DeckList({by_slug[slug]: n for slug, n in listed.items()}).numbers()
    assert tuple(card.number for card in match.chairs[0].seat.deck) == dealt
