"""Boosters: bought, opened so that nobody steers, proven by a file; nothing is lost by what goes wrong."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from sqlmodel import select

from cards.catalog.boosters import Booster
from crypto.encoding import b64, canonical, parse, unb64
from crypto.identity import public_key
from referee.booster_statements import commitment_digest, write_commitment
from referee.boosters import read_commitment, read_receipt, verify_boosters
from service import keys
from service.models import BoosterChain, BoosterRow, Copy
from service.operations import boosters as operations
from service.operations.audit import audit
from service.runtime import Runtime
from tests.service.booster_kit import (
    PRICE,
    ask,
    asked,
    bought,
    committed,
    nonce_by,
    opened,
    recorded,
    shown,
)
from tests.service.service_kit import Guest, codes, give_coins

ONE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
"""A mark for tests that depend on no database: once is enough."""


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
    assert committed(ann) == committed(ann, commitment) == commitment
    receipt = ask(ann, booster["id"], chain=commitment).json
    read_receipt(receipt, read_commitment(commitment), ann.id)
    assert parse(recorded(ann))["asked"] == [{"receipt": receipt, "nonce": None}]
    answer = shown(ann, receipt)
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
    receipt = ask(ann, booster).json
    first = shown(ann, receipt)
    assert shown(ann, receipt).json == first.json
    other = shown(ann, receipt, nonce=2)
    assert (other.status_code, other.json["code"]) == (409, "already_opened")
    assert ask(ann, booster).json["code"] == "already_opened"
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
        ({"seal": "x"}, "bad_seal", 422),
        ({"seal": b64(bytes(63))}, "bad_seal", 422),
        ({"anchor": b64(bytes(64)) + "="}, "bad_anchor", 422),
        ({"anchor": b64(bytes(64))}, "stale_commitment", 409),
        ({"prev": b64(bytes(range(64)))}, "stale_opening", 409),
        ({"asked": b64(bytes(64))}, "bad_signature", 422),
        ({"seal": b64(bytes(64))}, "bad_signature", 422),
        ({"asked": 7}, "invalid", 422),
        ({"asked": None}, "invalid", 422),
    ],
)
def test_a_wrong_ask_gets_no_receipt(
    ann: Guest, house: Runtime, change: dict[str, Any], code: str, status: int
) -> None:
    (booster,) = bought(house, ann)
    refused = ann.post(f"/boosters/{booster}/ask", asked(ann, booster) | change)
    assert refused.status_code == status, refused.text
    assert code == "invalid" or refused.json["code"] == code
    assert parse(recorded(ann))["asked"] == []
    assert opened(ann, booster).json["opening"]["k"] == 1


@ONE
def test_terms_other_than_the_books_are_refused(ann: Guest, house: Runtime) -> None:
    """The house can't give a receipt for them, and the player has not signed the right ones."""
    (booster,) = bought(house, ann)
    others = {"number": 2, "since": 1, "k": 2, "rules": bytes(64), "player": str(uuid4())}
    for name, value in others.items():
        body = asked(ann, booster, **{name: value})
        assert ann.post(f"/boosters/{booster}/ask", body).json["code"] == "bad_signature", name


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("change", "code", "pointer"),
    [
        ({"signature": b64(bytes(64))}, "bad_signature", "/receipt/signature"),
        ({"since": 1}, "bad_signature", "/receipt/asked"),
        ({"seal": "x"}, "bad_bytes", "/receipt/seal"),
        ({"chain": 7}, "unknown_chain", "/receipt/anchor"),
        ({"k": 0}, "bad_integer", "/receipt/k"),
        ({"anchor": b64(bytes(64))}, "unknown_chain", None),
    ],
)
def test_what_is_no_receipt_opens_nothing(
    ann: Guest, house: Runtime, change: dict[str, Any], code: str, pointer: str | None
) -> None:
    (booster,) = bought(house, ann)
    receipt = ask(ann, booster).json
    refused = shown(ann, receipt | change)
    assert (refused.status_code, refused.json["code"]) == (422 if pointer else 409, code), refused.text
    assert pointer is None or codes(refused) == [(code, pointer)]
    other = shown(ann, receipt, nonce=2)
    assert codes(other) == [("wrong_nonce", "/nonce")]
    assert shown(ann, receipt).status_code == 200


@ONE
def test_a_booster_is_opened_by_its_owner_alone(ann: Guest, bob: Guest, house: Runtime) -> None:
    (booster,) = bought(house, ann)
    for name in (booster, str(uuid4()), "x"):
        assert bob.post(f"/boosters/{name}/ask", asked(bob, str(uuid4()))).status_code == 404
    assert ask(ann, booster, chain=committed(bob)).json["code"] == "stale_commitment"
    receipt = ask(ann, booster).json
    assert shown(bob, receipt).status_code == 404
    (theirs,) = bought(house, bob)
    refused = bob.post(f"/boosters/{theirs}/open", {"receipt": receipt, "nonce": b64(nonce_by(1))})
    assert (refused.status_code, refused.json["code"]) == (409, "unknown_chain")
    assert findings(house) == []


@ONE
def test_while_a_nonce_is_owed_nothing_else_can_be_asked_for(ann: Guest, house: Runtime) -> None:
    """One receipt a link: after a restoration nobody could choose among several."""
    first, second = bought(house, ann, 2)
    body = asked(ann, first)
    receipt = ann.post(f"/boosters/{first}/ask", body).json
    assert ann.post(f"/boosters/{first}/ask", body).json == receipt
    for refused in (ask(ann, first, nonce=2), ask(ann, second)):
        assert (refused.status_code, refused.json["code"]) == (409, "opening_pending")
    wrong = ann.post(f"/boosters/{second}/open", {"receipt": receipt, "nonce": b64(nonce_by(1))})
    assert codes(wrong) == [("wrong_booster", "/receipt/booster")]
    assert shown(ann, receipt).status_code == 200
    assert opened(ann, second).json["opening"]["k"] == 2


def at_once(job: Callable[[], Any]) -> list[Any]:
    """What three threads get that do the same at once."""
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(job())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 3
    return answers


def test_an_opening_happens_once_whoever_is_first(ann: Guest, house: Runtime) -> None:
    """Four boosters, each asked for and shown by three at once: each is opened once, all in one chain."""
    for i, booster in enumerate(bought(house, ann, 4)):
        body = asked(ann, booster, i)
        terms = operations.BoosterAsk(*(unb64(body[name]) for name in ("anchor", "prev", "seal", "asked")))
        receipts = at_once(partial(operations.ask, house, ann.id, booster, terms))
        assert receipts[1:] == receipts[:-1]
        made = at_once(partial(operations.open_booster, house, ann.id, booster, receipts[0], nonce_by(i)))
        assert [each.opening for each in made[1:]] == [each.opening for each in made[:-1]]
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert report.checked["openings"] == 4
    assert findings(house) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_many_boosters_keep_the_counter(ann: Guest, house: Runtime) -> None:
    legendary = {p.card.number for p in house.catalog.printings.values() if p.rarity == "legendary"}
    gap, longest = 0, 0
    for i, booster in enumerate(bought(house, ann, 45)):
        cards = opened(ann, booster, i).json["opening"]["cards"]
        gap = 0 if legendary & {*cards} else gap + 1
        longest = max(longest, gap)
    assert longest < 20
    report = verify_boosters(recorded(ann), house.keys.public)
    assert report.valid, report.fault
    assert findings(house) == []


def test_a_new_key_or_the_end_of_a_chain_begins_another(ann: Guest, house: Runtime) -> None:
    """The chain of the former key is given up with a notice."""
    ids = bought(house, ann, 3)
    first = committed(ann)
    assert opened(ann, ids[0]).status_code == 200
    keys.rotate(house.settings.data)
    stale = ask(ann, ids[1], chain=first)
    assert (stale.status_code, stale.json["code"]) == (409, "stale_commitment")
    second = committed(ann)
    assert (second["chain"], second["house_key"]) == (2, b64(house.keys.public))
    assert opened(ann, ids[1]).json["opening"]["chain"] == 2
    report = verify_boosters(recorded(ann), house.keys.public, house.key_generations.successions)
    assert report.valid, report.fault
    assert len(set(report.house_keys)) == 2
    assert report.given_up == (1,)


@ONE
def test_a_receipt_holds_when_the_key_has_changed(ann: Guest, house: Runtime) -> None:
    booster, other = bought(house, ann, 2)
    receipt = ask(ann, booster).json
    keys.rotate(house.settings.data)
    second = committed(ann)
    assert ask(ann, other, chain=second).json["code"] == "opening_pending"
    assert shown(ann, receipt).json["opening"]["chain"] == 1
    assert opened(ann, other).json["opening"]["chain"] == second["chain"]
    report = verify_boosters(recorded(ann), house.keys.public, house.key_generations.successions)
    assert report.valid, report.fault
    assert report.given_up == (1,)
    assert findings(house) == []


@ONE
def test_a_chain_of_an_older_version_is_given_up(ann: Guest, house: Runtime) -> None:
    """Its commitment names no key of the player, so nothing can be asked for under it."""
    (booster,) = bought(house, ann)
    here, at = house.keys, house.now()
    anchor = here.booster_chain(ann.id, 1, None).anchor
    said = write_commitment(here.signing_key, ann.id, here.public, 1, anchor, at)
    del said["player_key"]
    said["signature"] = b64(here.sign(commitment_digest(said)))
    with house.write() as session:
        session.add(BoosterChain(player_id=ann.id, number=1, house_key=said["house_key"], commitment=said))
    assert committed(ann, said)["chain"] == 2
    assert opened(ann, booster).status_code == 200
    report = verify_boosters(recorded(ann), here.public)
    assert report.valid, report.fault
    assert report.given_up == (1,)


@ONE
def test_a_commitment_that_the_house_has_forgotten_is_taken_back(
    ann: Guest, bob: Guest, house: Runtime
) -> None:
    keys_here, at = house.keys, house.now()
    key = unb64(b64(public_key(ann.private)))

    def forgotten(number: int, at: int, player: str = ann.id, private: bytes | None = None) -> dict[str, Any]:
        anchor = keys_here.booster_chain(player, number, at).anchor
        return write_commitment(private or keys_here.signing_key, player, key, number, anchor, at)

    first = committed(ann)
    assert committed(ann, forgotten(2, at + 1))["chain"] > 3
    file = parse(recorded(ann))
    assert [chain["chain"] for chain in file["chains"]][:2] == [1, 2]
    assert [notice["chain"] for notice in file["notices"]] == [1, 2]
    assert verify_boosters(recorded(ann), keys_here.public).valid
    refusals = {
        "two_commitments": forgotten(2, at + 2),
        "wrong_player": forgotten(3, at, bob.id),
        "wrong_house": forgotten(3, at, private=bytes(32)),
        "bad_signature": {**first, "chain": 3},
    }
    before = recorded(ann)
    for code, known in refusals.items():
        refused = ann.post("/boosters/commitment", {"known": known})
        assert refused.json["code"] == code, refused.text
    assert recorded(ann) == before


@ONE
def test_a_booster_is_opened_by_the_rules_it_was_got_by(
    ann: Guest, house: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    (booster,) = bought(house, ann)
    receipt = ask(ann, booster).json
    rules = operations.on_sale(house)["PB"]
    poor = Booster("PB", rules.slots[:1], None, {"common": rules.cards["common"]})
    monkeypatch.setattr(operations, "on_sale", lambda _: {"PB": poor})
    assert len(shown(ann, receipt).json["copies"]) == 8
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
    receipt = ask(ann, booster).json
    with monkeypatch.context() as broken:
        broken.setattr(operations.collection, "give", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            operations.open_booster(house, ann.id, booster, receipt, nonce_by(1))
    with house.read() as session:
        assert session.exec(select(Copy.id).where(Copy.origin == f"booster:{booster}")).first() is None
        assert session.get_one(BoosterRow, booster).opened_at is None
    assert shown(ann, receipt).json["opening"]["k"] == 1
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
