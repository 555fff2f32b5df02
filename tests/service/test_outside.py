"""Copies that are let out: over HTTP, and what the rest of the house makes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crypto.encoding import unb64
from crypto.identity import verify
from referee.on_chain import Place, address, copies_out
from service.config import ConfigError, Settings
from service.models import ChainHead
from service.operations import outside
from service.operations.audit import audit
from service.runtime import Runtime
from tests.service.service_kit import ON_SQLITE_FIRST, Guest
from tests.service.trade_kit import enrich

CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
WALLET = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"


def _with_pantry(house: Runtime, clock: list[int]) -> None:
    """A pantry that was read a moment ago. Its nodes are asked in tests/chain alone."""
    more = {"chain_id": 1, "chain_pantry": CONTRACT, "chain_nodes": "http://127.0.0.1:1"}
    object.__setattr__(house, "settings", replace(house.settings, **more))
    head = {"place": f"1:{CONTRACT}", "number": 5, "hash": "00" * 32, "time": clock[0] // 1000}
    with house.write() as session:
        session.add(ChainHead(id=1, restored_until=0, **head))


@ON_SQLITE_FIRST
def test_a_copy_that_is_let_out_is_outside(house: Runtime, clock: list[int], ann: Guest, bob: Guest) -> None:
    ids = enrich(house, ann, tuna=2)
    asked = {"copies": ids, "to": WALLET}
    assert ann.post("/collection/outside", asked).json["code"] == "no_pantry"
    _with_pantry(house, clock)
    before = {item["card"]: item["owned"] for item in ann.get("/collection?limit=200").json["items"]}
    made = ann.post("/collection/outside", asked)
    assert made.status_code == 201, made.text
    said = made.json
    tokens = [(bytes.fromhex(it["token"]), it["trip"]) for it in said["copies"]]
    digest = copies_out(Place(1, address(CONTRACT)), address(WALLET), said["until"], tokens)
    assert verify(house.keys.public, digest, unb64(said["signature"]))
    assert [it["copy"] for it in said["copies"]] == ids
    assert said["until"] == clock[0] // 1000 + outside.LIFE
    assert ann.get(f"/collection/outside/{said['id']}").json == said
    assert bob.get(f"/collection/outside/{said['id']}").status_code == 404
    copy = ann.get(f"/collection/copies/{ids[0]}").json
    assert (copy["state"], copy["held_by"]) == ("outside", [said["id"]])
    after = {item["card"]: item["owned"] for item in ann.get("/collection?limit=200").json["items"]}
    assert before["tuna"] - after.get("tuna", 0) == 2
    assert ann.post("/collection/outside", asked).json["errors"][0]["code"] == "not_free"
    assert ann.post("/offers", {"gives": {"copies": ids}, "wants": {"coins": 1}}).status_code == 409
    assert ann.get(f"/collection/copies/{ids[0]}/provenance").json["code"] == "outside"
    token = bob.get(f"/pantry/{said['copies'][0]['token']}").json
    assert list(token["certificate"]) == ["origin"]
    assert ann.id not in str(token)
    with house.read() as session:
        assert audit(session).findings == []


@ON_SQLITE_FIRST
def test_nothing_leaves_while_the_chain_is_not_read(house: Runtime, clock: list[int], ann: Guest) -> None:
    ids = enrich(house, ann, tuna=1)
    _with_pantry(house, clock)
    bound = ann.post("/collection/basics", {"cards": {"salt": 1}}).json["items"][0]["id"]
    for copies, to, code in (
        ([bound], WALLET, "copies_missing"),
        (ids, WALLET.lower(), "bad_address"),
        (ids, "0x" + 40 * "0", "bad_address"),
        (ids * 2, WALLET, "copies_missing"),
    ):
        assert ann.post("/collection/outside", {"copies": copies, "to": to}).json["code"] == code
    clock[0] += (outside.FRESH + 1) * 1000
    assert ann.post("/collection/outside", {"copies": ids, "to": WALLET}).json["code"] == "chain_unread"
    clock[0] -= (outside.FRESH + 1) * 1000
    with house.write() as session:
        outside.mark_restored(session, clock[0], True)
    assert ann.post("/collection/outside", {"copies": ids, "to": WALLET}).json["code"] == "chain_unread"
    offered = ann.post("/offers", {"gives": {"copies": ids}, "wants": {"coins": 1}})
    assert offered.json["code"] == "chain_unread"
    assert ann.get(f"/collection/copies/{ids[0]}").json["state"] == "free"


@pytest.mark.parametrize("text", ["node.example", "ftp://node.example", "https://a b"])
def test_settings_that_name_no_node_are_refused(text: str) -> None:
    with pytest.raises(ConfigError) as fault:
        Settings.from_environment({"CLOCHE_CHAIN_NODES": text})
    assert "CLOCHE_CHAIN_NODES" in fault.value.faults
