"""Webhooks: what is committed arrives at least once, signed, however the other side behaves; nowhere else."""

from __future__ import annotations

import time
from dataclasses import replace
from ipaddress import ip_address, ip_network

import pytest
import structlog
from flask.testing import FlaskClient
from sqlalchemy import update
from sqlmodel import select

from service import keys, outgoing
from service.models import Delivery, Webhook
from service.operations import feed, housekeeping, webhooks
from service.outgoing import BadUrl, Failed, is_public, read_url
from service.runtime import Runtime
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, codes
from tests.service.webhook_kit import Receiver, carry, happen, hook, log, receiving, verified
from tests.waiting import PATIENCE, until
from worker.courier import Courier

DAY = 86_400_000


@ON_SQLITE_FIRST
def test_an_event_of_the_feed_arrives_signed(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver, "game.asked")
    happen(near, ann, game="g", seat=0)
    happen(near, ann, "table.joined", table="t")  # not wanted
    while carry(near):
        pass
    (got,) = receiver.got
    (event,) = [e for e in ann.get("/feed").json["events"] if e["event"] == "game.asked"]
    assert got.json["type"] == "game.asked"
    assert got.json["data"] == {"seq": event["id"], "game": "g", "seat": 0}
    assert got.json["timestamp"] == event["data"]["at"]
    assert got.headers["content-type"] == "application/json"
    now = clock[0] / 1000
    assert verified(got, made["secret"], now)
    assert not verified(got, made["secret"], now + 400)
    assert not verified(replace(got, body=got.body + b" "), made["secret"], now)
    (sent,) = log(ann, made)
    assert (sent["state"], sent["seq"], sent["due_at"]) == ("delivered", event["id"], None)
    assert got.headers["webhook-id"] == f"msg_{sent['id']}"
    assert [each["status"] for each in sent["attempts"]] == [204]


def test_an_event_that_is_rolled_back_is_never_sent(near: Runtime, ann: Guest, receiver: Receiver) -> None:
    hook(ann, receiver)

    def broken() -> None:
        with near.write() as session:
            feed.add(near, session, [ann.id], "game.asked")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    assert carry(near) == 0


@ON_SQLITE_FIRST
def test_others_hear_nothing(near: Runtime, ann: Guest, bob: Guest, receiver: Receiver) -> None:
    hook(ann, receiver)
    happen(near, bob)
    assert carry(near) == 0


@pytest.mark.parametrize(
    ("does", "status", "error"),
    [
        (500, 500, None),
        (302, 302, None),
        ("hang", None, "timeout"),
        ("drip", None, "timeout"),
        ("close", None, None),
    ],
)
@ON_SQLITE_FIRST
def test_one_that_fails_hangs_and_comes_back_gets_the_same_bytes(
    near: Runtime,
    clock: list[int],
    ann: Guest,
    receiver: Receiver,
    does: int | str,
    status: int | None,
    error: str | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = hook(ann, receiver)
    receiver.does, receiver.headers = does, {"Location": receiver.url + "&again=1"}
    happen(near, ann, game="g")
    begun = time.monotonic()
    with monkeypatch.context() as in_haste:
        if error == "timeout":
            in_haste.setattr(webhooks, "SECONDS", 0.6)
        assert carry(near) == 1
    assert time.monotonic() - begun < 15  # an endpoint that hangs does so for longer
    (sent,) = log(ann, made)
    (attempt,) = sent["attempts"]
    assert attempt["status"] == status
    assert error is None or attempt["error"] == error
    assert ann.get(f"/webhooks/{made['id']}").json["failing_since"] is not None
    assert carry(near) == 0  # not yet
    receiver.does = 200
    clock[0] += 6_001
    assert carry(near) == 1
    first, second = receiver.got
    assert (first.body, first.headers["webhook-id"]) == (second.body, second.headers["webhook-id"])
    assert first.headers["webhook-timestamp"] != second.headers["webhook-timestamp"]
    assert verified(second, made["secret"], clock[0] / 1000)
    assert log(ann, made)[0]["state"] == "delivered"
    assert ann.get(f"/webhooks/{made['id']}").json["failing_since"] is None


@ON_SQLITE_FIRST
def test_attempts_are_ever_rarer_and_come_to_an_end(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    receiver.does = 503
    happen(near, ann)
    for pause in webhooks.PAUSES:
        assert carry(near) == 1
        with near.read() as session:
            due_at = session.exec(select(Delivery.due_at)).one()
        assert due_at is not None
        assert 0.8 * pause * 1000 - 1 <= due_at - clock[0] <= 1.2 * pause * 1000
        clock[0] = due_at
    assert carry(near) == 1
    (sent,) = log(ann, made)
    assert (sent["state"], sent["due_at"], len(sent["attempts"])) == (
        "failed",
        None,
        len(webhooks.PAUSES) + 1,
    )
    clock[0] += DAY
    assert carry(near) == 0


@ON_SQLITE_FIRST
def test_a_pause_that_is_asked_for_is_made(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    hook(ann, receiver)
    receiver.does, receiver.headers = 429, {"Retry-After": "3600"}
    happen(near, ann)
    assert carry(near) == 1
    clock[0] += 3_599_000
    assert carry(near) == 0
    clock[0] += 1_001
    assert carry(near) == 1


@ON_SQLITE_FIRST
def test_after_long_failure_it_is_disabled_and_its_player_is_told(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    receiver.does = 500
    happen(near, ann)
    carry(near)
    clock[0] += near.settings.webhook_days * DAY
    happen(near, ann)
    assert carry(near) == 1
    shown = ann.get(f"/webhooks/{made['id']}").json
    assert shown["disabled_reason"] == "failing"
    assert {sent["state"] for sent in log(ann, made)} == {"dropped"}
    last = ann.get("/feed").json["events"][-1]
    assert (last["event"], last["data"]["webhook"]) == ("webhook.disabled", made["id"])
    happen(near, ann)
    assert carry(near) == 0
    assert ann.post(f"/webhooks/{made['id']}/ping", None).json["code"] == "webhook_disabled"
    receiver.does = 200
    assert ann.post(f"/webhooks/{made['id']}/enable", None).json["disabled_at"] is None
    assert ann.post(f"/webhooks/{made['id']}/ping", None).status_code == 202
    assert carry(near) == 1
    assert receiver.got[-1].json == {
        "type": "webhook.ping",
        "timestamp": receiver.got[-1].json["timestamp"],
        "data": {"webhook": made["id"]},
    }


@ON_SQLITE_FIRST
def test_one_that_is_gone_is_disabled_at_once(near: Runtime, ann: Guest, receiver: Receiver) -> None:
    made = hook(ann, receiver)
    receiver.does = 410
    happen(near, ann)
    carry(near)
    assert ann.get(f"/webhooks/{made['id']}").json["disabled_reason"] == "gone"


@ON_SQLITE_FIRST
def test_a_rotated_secret_and_the_one_before_sign_both_for_a_day(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    new = ann.post(f"/webhooks/{made['id']}/rotate", None).json["secret"]
    assert new != made["secret"]
    happen(near, ann)
    carry(near)
    now = clock[0] / 1000
    assert verified(receiver.got[-1], made["secret"], now)
    assert verified(receiver.got[-1], new, now)
    clock[0] += webhooks.OVERLAP_MS
    happen(near, ann)
    carry(near)
    assert not verified(receiver.got[-1], made["secret"], clock[0] / 1000)
    assert verified(receiver.got[-1], new, clock[0] / 1000)


@ON_SQLITE_FIRST
def test_no_secret_is_shown_twice_or_kept_or_logged(near: Runtime, ann: Guest, receiver: Receiver) -> None:
    made = hook(ann, receiver)
    bare = made["secret"].removeprefix("whsec_")
    with structlog.testing.capture_logs() as logs:
        for does in (500, "close", 410):  # nor where it is sent, which may say who sends
            receiver.does = does
            happen(near, ann)
            carry(near)
    assert "webhook_failed" in str(logs)
    assert bare not in str(logs)
    assert receiver.url not in str(logs)
    for path in ("/webhooks", f"/webhooks/{made['id']}", f"/webhooks/{made['id']}/deliveries"):
        assert bare not in ann.get(path).text
    with near.read() as session:
        rows = [
            str(row.model_dump()) for row in (*session.exec(select(Webhook)), *session.exec(select(Delivery)))
        ]
    assert not any(bare in row for row in rows)


def test_a_delivery_in_hand_is_left_alone_and_due_again_if_its_worker_dies(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    hook(ann, receiver)
    happen(near, ann)
    (taken,) = webhooks.due(near, 50)
    happen(near, ann)
    assert webhooks.due(near, 50) == []  # neither this one, nor another to the same endpoint
    clock[0] += webhooks.CLAIM_MS + 1
    assert webhooks.due(near, 50) == [taken]
    webhooks.deliver(near, taken)
    webhooks.deliver(near, taken)
    assert len(receiver.got) == 1
    assert carry(near) == 1


def test_a_hanging_endpoint_keeps_no_other_waiting(
    near: Runtime, ann: Guest, bob: Guest, receiver: Receiver
) -> None:
    with receiving() as slow:
        slow.does = "hang"
        hook(ann, slow)
        hook(bob, receiver)
        for _ in range(5):
            happen(near, ann)
        happen(near, bob)
        courier = Courier(
            lambda limit: webhooks.due(near, limit), lambda each: webhooks.deliver(near, each), places=2
        )
        courier.sweep()
        until(lambda: receiver.got)
        assert len(slow.got) <= 1


@ON_SQLITE_FIRST
def test_a_removed_webhook_is_forgotten(near: Runtime, ann: Guest, receiver: Receiver) -> None:
    made = hook(ann, receiver)
    happen(near, ann)
    (taken,) = webhooks.due(near, 50)
    assert ann.delete(f"/webhooks/{made['id']}").status_code == 204
    webhooks.deliver(near, taken)
    assert receiver.got == []
    assert ann.get(f"/webhooks/{made['id']}/deliveries").status_code == 404


def test_old_deliveries_are_tidied_away_and_waiting_ones_are_not(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    happen(near, ann)
    carry(near)
    receiver.does = 500
    happen(near, ann)
    carry(near)
    clock[0] += (near.settings.events_days + 1) * DAY
    assert housekeeping.tidy_now(near)["deliveries"] == 1
    assert [sent["state"] for sent in log(ann, made)] == ["waiting"]


def test_deliveries_are_paged_newest_first(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    for _ in range(5):
        clock[0] += 1
        happen(near, ann)
    path = f"/webhooks/{made['id']}/deliveries?limit=2"
    seen: list[int] = []
    cursor = ""
    while True:
        shown = ann.get(path + cursor).json
        seen += [each["seq"] for each in shown["items"]]
        if shown["next"] is None:
            break
        cursor = f"&cursor={shown['next']}"
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 5


BAD = [
    ("ftp://example.org/", "bad_url"),
    ("https://", "bad_url"),
    ("https://me:pw@example.org/", "bad_url"),
    ("https://example.org/#x", "bad_url"),
    ("https://example.org:0/", "bad_url"),
    ("https://example.org:99999/", "bad_url"),
    ("https://exa mple.org/", "bad_url"),
    ("https://ex\r\nHost: x/", "bad_url"),
    ("https://127.1/", "bad_url"),
    ("https://2130706433/", "bad_url"),
    ("https://0x7f000001/", "bad_url"),
    ("https://" + "a" * 500 + ".org/", "bad_url"),
    ("http://example.org/", "https_needed"),
    ("http://127.0.0.1/", "https_needed"),
    ("https://127.0.0.1/", "address_not_allowed"),
    ("https://10.0.0.1/", "address_not_allowed"),
    ("https://169.254.169.254/latest", "address_not_allowed"),
    ("https://[::1]/", "address_not_allowed"),
    ("https://[::ffff:127.0.0.1]/", "address_not_allowed"),
    ("https://[64:ff9b::7f00:1]/", "address_not_allowed"),
    ("https://[2002:7f00:1::]/", "address_not_allowed"),
    ("https://[fe80::1]/", "address_not_allowed"),
    ("https://0.0.0.0/", "address_not_allowed"),
    ("https://224.0.0.1/", "address_not_allowed"),
]


@ON_SQLITE_FIRST
def test_nothing_is_registered_that_leads_into_the_house(ann: Guest) -> None:
    for url, code in BAD:
        answer = ann.post("/webhooks", {"url": url, "events": ["*"]})
        assert (answer.status_code, answer.json["code"]) == (422, code), url
        assert codes(answer) == [(code, "/url")]
    assert ann.get("/webhooks").json["items"] == []


@ON_SQLITE_FIRST
def test_bad_events_are_refused(ann: Guest) -> None:
    for events in ([], ["game.nothing"], "game.over", [1]):
        answer = ann.post("/webhooks", {"url": "https://example.org/", "events": events})
        assert answer.status_code == 422
    assert ann.get("/webhooks").json["items"] == []


@ON_SQLITE_FIRST
def test_a_player_has_so_many_and_no_more(house: Runtime, ann: Guest) -> None:
    body = {"url": "https://example.org/", "events": ["*"]}
    for _ in range(house.settings.webhooks_per_player):
        assert ann.post("/webhooks", body).status_code == 201
    assert ann.post("/webhooks", body).json["code"] == "too_many_webhooks"


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.216.34", "10.0.0.7"], ["::ffff:192.168.0.1"]])
@ON_SQLITE_FIRST
def test_a_name_that_points_into_the_house_is_not_connected_to(
    house: Runtime, ann: Guest, monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    made = ann.post("/webhooks", {"url": "https://rebound.example.org/", "events": ["*"]}).json
    found = [(0, 0, 0, "", (each, 443)) for each in addresses]
    monkeypatch.setattr(outgoing.socket, "getaddrinfo", lambda *_a, **_k: found)

    def connected(*_: object, **__: object) -> None:
        raise AssertionError("it was connected to")

    monkeypatch.setattr(outgoing.socket, "create_connection", connected)
    happen(house, ann)
    assert carry(house) == 1
    (attempt,) = log(ann, made)[0]["attempts"]
    assert attempt["error"] == "address_not_allowed"


def test_what_is_public() -> None:
    for text in ("8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"):
        assert is_public(ip_address(text)), text
    for text in ("192.168.1.1", "100.64.0.1", "198.18.0.1", "fc00::1", "::", "255.255.255.255", "240.0.0.1"):
        assert not is_public(ip_address(text)), text


@pytest.mark.parametrize(
    "network",
    [
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"),
        *("192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"),
        *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"),
        *("::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23"),
        *("2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10"),
        "ff00::/8",
    ],
)
def test_no_network_of_a_special_purpose_is_public(network: str) -> None:
    """IANA's registries of special-purpose addresses, and what was given up of them."""
    found = ip_network(network)
    middle = found[found.num_addresses // 2]
    for address in (found[0], found[1], middle, found[-1]):
        assert not is_public(address), address
        if address.version == 4:
            assert not is_public(ip_address(f"::ffff:{address}")), address


def test_a_url_is_read_as_it_is_meant() -> None:
    target = read_url("https://Example.ORG:8443/a/b?c=d")
    assert (target.secure, target.host, target.port, target.path) == (True, "example.org", 8443, "/a/b?c=d")
    assert target.authority == "example.org:8443"
    assert read_url("https://[2606:4700::1111]/").authority == "[2606:4700::1111]"
    with pytest.raises(BadUrl):
        read_url("https://a..b/")


@ON_SQLITE_FIRST
def test_nobody_listens_there(near: Runtime, ann: Guest, receiver: Receiver) -> None:
    target = read_url("http://127.0.0.1:1/")
    with pytest.raises(Failed) as fault:
        outgoing.post(target, b"", {}, may=lambda _: True, seconds=PATIENCE)
    assert fault.value.code == "refused"


def test_who_speaks_no_tls_is_not_believed(receiver: Receiver) -> None:
    with pytest.raises(Failed) as fault:
        outgoing.post(
            read_url("https://" + receiver.url.removeprefix("http://")),
            b"",
            {},
            may=lambda _: True,
            seconds=PATIENCE,
        )
    assert fault.value.code == "tls_failed"


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_secret_whose_keys_are_lost_is_a_failure_like_others(
    near: Runtime, clock: list[int], ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    (near.settings.data / keys.FILE).unlink()
    keys.load(near.settings.data)  # as `cloche serve --new-keys` does
    happen(near, ann)
    assert carry(near) == 1
    assert [each["error"] for each in log(ann, made)[0]["attempts"]] == ["no_secret"]
    assert ann.get(f"/webhooks/{made['id']}").json["failing_since"] is not None
    new = ann.post(f"/webhooks/{made['id']}/rotate", None).json["secret"]
    clock[0] += 6_001
    assert carry(near) == 1
    assert verified(receiver.got[-1], new, clock[0] / 1000)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_url_that_is_taken_no_more_is_a_failure_like_others(
    near: Runtime, ann: Guest, receiver: Receiver
) -> None:
    made = hook(ann, receiver)
    with near.write() as session:
        session.execute(update(Webhook).values(url="https://127.1/"))
    happen(near, ann)
    assert carry(near) == 1
    assert [each["error"] for each in log(ann, made)[0]["attempts"]] == ["bad_url"]


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_repeated_registration_is_one(
    near: Runtime, client: FlaskClient, ann: Guest, receiver: Receiver
) -> None:
    under = replace(ann, headers={**ann.headers, "Idempotency-Key": "once"})
    first = hook(under, receiver)
    assert hook(under, receiver) == first
    assert len(ann.get("/webhooks").json["items"]) == 1
