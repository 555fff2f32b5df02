"""Boosters: bought, opened so that nobody steers, proven by a file; nothing is lost by what goes wrong."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any
from uuid import uuid4

import pytest
from sqlmodel import select

from cards.catalog.boosters import Booster
from crypto.encoding import b64, canonical, parse, unb64
from crypto.fairness import CHAIN_LENGTH
from referee.boosters import read_commitment, verify_boosters, write_commitment
from service import keys
from service.models import BoosterChain, BoosterRow, Copy
from service.operations import boosters as operations
from service.operations.audit import audit
from service.runtime import Runtime
from tests.service.service_kit import Guest, give_coins

PRICE = operations.PRICE

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


def bought(house: Runtime, guest: Guest, count: int = 1) -> list[str]:
    give_coins(house, guest.id, PRICE * count)
    answers = [guest.post("/boosters", {"set": "PB"}) for _ in range(count)]
    assert {answer.status_code for answer in answers} == {201}
    return [answer.json["id"] for answer in answers]


def committed(guest: Guest) -> Any:
    answer = guest.post("/boosters/commitment", {})
    assert answer.status_code == 200, answer.text
    return answer.json


def opened(guest: Guest, booster_id: str, nonce: int = 1, anchor: str | None = None) -> Any:
    body = {"anchor": anchor or committed(guest)["anchor"], "nonce": b64(bytes([nonce]) * 32)}
    return guest.post(f"/boosters/{booster_id}/open", body)


def recorded(guest: Guest) -> bytes:
    answer = guest.get("/boosters/record")
    assert answer.status_code == 200
    return bytes(answer.data)


def findings(house: Runtime) -> list[str]:
    with house.read() as session:
        return [str(finding) for finding in audit(session).findings]


def coins(guest: Guest) -> int:
    return int(guest.get("/wallet").json["coins"])


def test_a_booster_is_bought_opened_and_proven(ann: Guest, house: Runtime) -> None:
    give_coins(house, ann.id, PRICE + 7)
    booster = ann.post("/boosters", {"set": "PB"}).json
    assert coins(ann) == 7
    assert (booster["set"], booster["origin"], booster["opened_at"]) == ("PB", "bought", None)
    (rules,) = ann.get("/boosters/odds").json["items"]
    assert booster["rules"] == rules["digest"]
    commitment = committed(ann)
    assert read_commitment(commitment, ann.id).house_key == house.keys.public
    assert committed(ann) == commitment
    answer = opened(ann, booster["id"], anchor=commitment["anchor"])
    assert answer.status_code == 200, answer.text
    opening, copies = answer.json["opening"], answer.json["copies"]
    assert Counter(copy["number"] for copy in copies) == Counter(opening["cards"])
    assert len(opening["cards"]) == 8
    for copy in copies:
        assert (copy["origin"], copy["soulbound"], copy["state"], copy["owner"]) == (
            f"booster:{booster['id']}",
            False,
            "free",
            ann.id,
        )
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert report.packs == [("PB", tuple(opening["cards"]))]
    assert ann.get("/boosters").json["items"] == []
    assert [item["id"] for item in ann.get("/boosters?state=opened").json["items"]] == [booster["id"]]
    assert findings(house) == []


@ONE
def test_the_same_nonce_gets_the_same_answer_and_another_none(ann: Guest, house: Runtime) -> None:
    (booster,) = bought(house, ann)
    first = opened(ann, booster)
    assert opened(ann, booster).json == first.json
    other = opened(ann, booster, nonce=2)
    assert (other.status_code, other.json["code"]) == (409, "already_opened")
    assert findings(house) == []


@ONE
def test_without_coins_nothing_is_bought(ann: Guest, house: Runtime) -> None:
    give_coins(house, ann.id, PRICE - 1)
    refused = ann.post("/boosters", {"set": "PB"})
    assert (refused.status_code, refused.json["code"]) == (409, "too_few_coins")
    assert (refused.json["needed"], refused.json["coins"]) == (PRICE, PRICE - 1)
    assert coins(ann) == PRICE - 1
    assert ann.get("/boosters").json["items"] == []
    unknown = ann.post("/boosters", {"set": "XX"})
    assert (unknown.status_code, unknown.json["code"]) == (422, "no_boosters")
    assert unknown.json["errors"][0]["pointer"] == "/set"


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("change", "code", "status"),
    [
        ({"nonce": "x"}, "bad_nonce", 422),
        ({"nonce": b64(bytes(31))}, "bad_nonce", 422),
        ({"nonce": b64(bytes(32)) + "="}, "bad_nonce", 422),
        ({"anchor": b64(bytes(63))}, "bad_anchor", 422),
        ({"anchor": b64(bytes(64))}, "stale_commitment", 409),
        ({"nonce": 7}, "invalid", 422),
        ({"nonce": None}, "invalid", 422),
    ],
)
def test_what_is_wrong_opens_nothing(
    ann: Guest, house: Runtime, change: dict[str, Any], code: str, status: int
) -> None:
    (booster,) = bought(house, ann)
    body = {"anchor": committed(ann)["anchor"], "nonce": b64(bytes(32))}
    refused = ann.post(f"/boosters/{booster}/open", body | change)
    assert refused.status_code == status, refused.text
    assert code == "invalid" or refused.json["code"] == code
    assert [item["id"] for item in ann.get("/boosters").json["items"]] == [booster]
    assert opened(ann, booster).json["opening"]["k"] == 1


@ONE
def test_a_booster_is_opened_by_its_owner_alone(ann: Guest, bob: Guest, house: Runtime) -> None:
    (booster,) = bought(house, ann)
    assert opened(bob, booster).status_code == 404
    assert opened(bob, str(uuid4())).status_code == 404
    assert opened(bob, "x").status_code == 404
    assert opened(ann, booster, anchor=committed(bob)["anchor"]).json["code"] == "stale_commitment"
    assert findings(house) == []


def test_openings_follow_one_another_whoever_is_first(ann: Guest, house: Runtime) -> None:
    """Four boosters opened at once, one of them three times: each once, all of them in one chain."""
    ids, anchor = bought(house, ann, 4), committed(ann)["anchor"]
    answers: list[Any] = []

    def run(booster: str, nonce: int) -> None:
        body = {"anchor": anchor, "nonce": b64(bytes([nonce]) * 32)}
        choice = operations.open_booster(house, ann.id, booster, unb64(body["anchor"]), unb64(body["nonce"]))
        answers.append(choice.opening)

    jobs = [*((booster, i) for i, booster in enumerate(ids)), (ids[0], 0), (ids[0], 0)]
    threads = [threading.Thread(target=run, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == len(jobs)
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert report.checked["openings"] == 4
    assert findings(house) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_many_boosters_keep_the_counter(ann: Guest, house: Runtime) -> None:
    ids, anchor = bought(house, ann, 45), unb64(committed(ann)["anchor"])
    legendary = set(house.catalog.sets[0].printings) and {
        p.card.number for p in house.catalog.printings.values() if p.rarity == "legendary"
    }
    gap, longest = 0, 0
    for i, booster in enumerate(ids):
        cards = operations.open_booster(house, ann.id, booster, anchor, bytes([i]) * 32).opening["cards"]
        gap = 0 if legendary & {*cards} else gap + 1
        longest = max(longest, gap)
    assert longest < 20
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert findings(house) == []


def test_a_new_key_or_the_end_of_a_chain_begins_another(ann: Guest, house: Runtime) -> None:
    ids = bought(house, ann, 3)
    first = committed(ann)
    assert opened(ann, ids[0]).status_code == 200
    keys.rotate(house.settings.data)
    stale = opened(ann, ids[1], anchor=first["anchor"])
    assert (stale.status_code, stale.json["code"]) == (409, "stale_commitment")
    second = committed(ann)
    assert (second["chain"], second["house_key"]) == (2, b64(house.keys.public))
    assert opened(ann, ids[1]).json["opening"]["chain"] == 2
    with house.write() as session:
        session.get_one(BoosterChain, (ann.id, 2)).used = CHAIN_LENGTH
    assert opened(ann, ids[2], anchor=second["anchor"]).json["code"] == "stale_commitment"
    assert opened(ann, ids[2]).json["opening"]["chain"] == 3
    report = verify_boosters(recorded(ann), house.keys.public, house.key_generations.successions)
    assert report.valid, report.fault
    assert len(set(report.house_keys)) == 2


@ONE
def test_a_chain_of_before_goes_on(ann: Guest, house: Runtime) -> None:
    """It was committed to when chains had no time in them."""
    (booster,) = bought(house, ann)
    here, at = house.keys, house.now()
    anchor = here.booster_chain(ann.id, 1, None).anchor
    said = write_commitment(here.signing_key, ann.id, 1, anchor, at)
    with house.write() as session:
        session.add(BoosterChain(player_id=ann.id, number=1, house_key=said["house_key"], commitment=said))
    assert committed(ann) == said
    assert opened(ann, booster).status_code == 200
    assert verify_boosters(recorded(ann), here.public).valid


@ONE
def test_a_booster_is_opened_by_the_rules_it_was_got_by(
    ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (booster,) = bought(house, ann)
    rules = operations.on_sale(house)["PB"]
    poor = Booster("PB", rules.slots[:1], None, {"common": rules.cards["common"]})
    monkeypatch.setattr(operations, "on_sale", lambda _: {"PB": poor})
    assert len(opened(ann, booster).json["copies"]) == 8
    (later,) = bought(house, ann)
    assert len(opened(ann, later).json["copies"]) == 5
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert len(parse(recorded(ann))["rules"]) == 2


@ONE
def test_who_has_opened_nothing_has_a_valid_record(ann: Guest, house: Runtime) -> None:
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid
    assert canonical(parse(recorded(ann))) == recorded(ann)


def test_an_opening_that_fails_in_the_middle_has_not_begun(
    ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (booster,) = bought(house, ann)
    anchor = committed(ann)["anchor"]
    with monkeypatch.context() as broken:
        broken.setattr(operations.collection, "give", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            operations.open_booster(house, ann.id, booster, unb64(anchor), bytes(32))
    with house.read() as session:
        assert session.exec(select(Copy.id).where(Copy.origin == f"booster:{booster}")).first() is None
        assert session.get_one(BoosterRow, booster).opened_at is None
    assert opened(ann, booster, anchor=anchor).json["opening"]["k"] == 1
    assert findings(house) == []


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("not_paid", "UPDATE booster SET origin = 'bought'"),
        ("bad_opening", "UPDATE booster SET opened_at = 1 WHERE opened_at IS NULL"),
        ("bad_opening", "DELETE FROM booster_opening"),
        (
            "bad_opening",
            "UPDATE copy SET card = card + 1, serial = serial + 1000 WHERE origin LIKE 'booster:%'",
        ),
        ("not_entered", "UPDATE booster_opening SET booster_id = '{won}'"),
    ],
)
def test_the_audit_reads_boosters_too(ann: Guest, house: Runtime, code: str, change: str) -> None:
    (booster,) = bought(house, ann)
    assert opened(ann, booster).status_code == 200
    with house.write() as session:
        won = operations.award(house, session, ann.id, str(uuid4()), 1)
    assert findings(house) == []
    with house.write() as session:
        session.connection().exec_driver_sql(change.format(won=won))
    assert any(finding.startswith(f"[{code}] booster ") for finding in findings(house)), findings(house)
