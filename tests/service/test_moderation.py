"""Order in the house: who may act upon whom, what a sanction refuses, and the log that nobody changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import select
from werkzeug.test import TestResponse

from service.models import Act
from service.operations import acts, roles
from service.operations.audit import audit
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import PASSWORD, Guest, give_coins
from tests.service.trade_kit import enrich

HEARTS = {"mode": "hearts", "seats": 3}
WHY = {"reason": "It insults others."}
LONG = {"reason": "It insults others.", "hours": 72}
DAY_MS = 86_400_000
UNKNOWN = "00000000-0000-4000-8000-000000000000"
OFFER = {"gives": {"coins": 1}, "wants": {"cards": {"tuna": 1}}}


def refusal(answer: TestResponse) -> tuple[int, str]:
    """The status and the code of a refusal."""
    document: Any = answer.json
    return answer.status_code, document["code"]


def kinds(house: Runtime) -> list[str]:
    """The kinds of the acts in the log, in order."""
    with house.read() as session:
        return [act.kind for act in session.exec(select(Act).order_by("seq"))]


@pytest.fixture
def mod(seat: Callable[..., Guest], house: Runtime) -> Guest:
    """A moderator."""
    guest = seat("marple")
    roles.give(house, None, "marple", roles.MODERATOR)
    return guest


@pytest.fixture
def admin(seat: Callable[..., Guest], house: Runtime) -> Guest:
    """An admin."""
    guest = seat("chief")
    roles.give(house, None, "chief", roles.ADMIN)
    return guest


ACTS: list[tuple[str, str, Any]] = [
    ("GET", "/moderation/players/{handle}", None),
    ("PUT", "/moderation/players/{handle}/suspension", LONG),
    ("DELETE", "/moderation/players/{handle}/suspension", None),
    ("PUT", "/moderation/players/{handle}/freeze", LONG),
    ("DELETE", "/moderation/players/{handle}/freeze", None),
    ("POST", "/moderation/players/{handle}/revoke-tokens", WHY),
    ("POST", "/moderation/players/{handle}/rename", {"handle": "new-name", **WHY}),
    ("PUT", "/moderation/players/{handle}/role", {"role": "moderator"}),
    ("DELETE", "/moderation/players/{handle}/role", None),
]


@pytest.mark.parametrize(("method", "path", "body"), ACTS)
def test_nobody_acts_upon_the_same_or_a_higher_role(
    ann: Guest,
    mod: Guest,
    admin: Guest,
    seat: Callable[..., Guest],
    house: Runtime,
    method: str,
    path: str,
    body: Any,
) -> None:
    second = seat("second")
    roles.give(house, None, "second", roles.ADMIN)
    gives = path.endswith("/role")

    def ask(who: Guest, whom: str) -> int:
        return who.request(method, path.format(handle=whom), body).status_code

    allowed = (200, 204)
    looks = method == "GET"
    assert ask(ann, "marple") == ask(ann, "chief") == 403
    assert (ask(mod, "ann") in allowed) is not gives
    assert (ask(mod, "chief") in allowed) is looks
    assert ask(second, "chief") in (allowed if looks else (403,))
    assert ask(mod, "nobody-here") in ((403,) if gives else (404,))
    if not path.endswith("rename"):  # whose players have other names now
        assert ask(admin, "ann") in allowed
        assert ask(admin, "marple") in allowed
    if path.endswith("tokens"):
        assert ask(admin, "chief") == 403  # not upon oneself either


def test_roles_are_given_from_above_and_told(ann: Guest, bob: Guest, admin: Guest, house: Runtime) -> None:
    given = admin.put("/moderation/players/ann/role", {"role": "moderator"})
    assert (given.status_code, given.json["role"]) == (200, "moderator")
    assert admin.put("/moderation/players/ann/role", {"role": "moderator"}).json == given.json
    assert refusal(admin.put("/moderation/players/bob/role", {"role": "admin"})) == (403, "not_below_you")
    assert refusal(ann.put("/moderation/players/bob/role", {"role": "moderator"})) == (403, "not_below_you")
    assert [keeper["handle"] for keeper in ann.get("/moderation/roles").json["items"]] == ["chief", "Ann"]
    assert ann.get("/me/standing").json == {"role": "moderator", "sanctions": []}
    assert admin.delete("/moderation/players/chief/role").status_code == 204  # one's own
    assert refusal(admin.get("/moderation/roles")) == (403, "not_a_moderator")
    roles.take(house, None, "ann")
    told = [(event["event"], event["data"]["role"]) for event in ann.get("/feed").json["events"]]
    assert told[-2:] == [("role.given", "moderator"), ("role.taken", "moderator")]
    assert kinds(house) == ["role_given", "role_given", "role_taken", "role_taken"]


def test_a_suspended_player_finishes_games_and_begins_nothing(
    ann: Guest, bob: Guest, mod: Guest, house: Runtime, clock: list[int]
) -> None:
    give_coins(house, ann.id, 5)
    enrich(house, bob, tuna=1)
    mine = ann.post("/tables", HEARTS).json["id"]
    his = bob.post("/tables", HEARTS).json["id"]
    assert ann.post(f"/tables/{his}/join", {}).status_code == 200
    offer = ann.post("/offers", OFFER).json["id"]
    match = sit_down(house, clock, [ann, bob, mod], "hearts", seed=1)
    made = mod.put("/moderation/players/ann/suspension", LONG)
    assert made.status_code == 200
    (standing,) = ann.get("/me/standing").json["sanctions"]
    assert standing == made.json
    for method, path, body in (
        ("POST", "/tables", HEARTS),
        ("POST", f"/tables/{his}/join", {}),
        ("POST", "/offers", OFFER),
    ):
        refused = ann.request(method, path, body)
        assert refusal(refused) == (403, "suspended"), path
        assert (refused.json["reason"], refused.json["until"]) == (LONG["reason"], made.json["until"])
    # What waited for others is over; what is set aside can't be taken, and comes back.
    assert ann.get(f"/tables/{mine}").json["state"] == "cancelled"
    assert [s and s["name"] for s in bob.get(f"/tables/{his}").json["seats"]] == ["bob", None, None]
    assert bob.get("/offers").json["items"] == []
    assert refusal(bob.post(f"/offers/{offer}/accept", {})) == (409, "unreachable_player")
    assert ann.post(f"/offers/{offer}/withdraw", {}).status_code == 200
    # Nobody loses a turn.
    for _ in range(9):
        match.step()
    entries = ann.get(f"/games/{match.id}/entries").json["entries"]
    assert "timeout" not in {entry["kind"] for entry in entries}
    assert {"0", "1", "2"} <= {entry["actor"] for entry in entries}
    while not match.fold.over:
        match.lapse()
    assert refusal(ann.post(f"/games/{match.id}/rematch", {})) == (403, "suspended")
    clock[0] += 3 * DAY_MS
    assert ann.get("/me/standing").json["sanctions"] == []
    assert ann.post("/tables", HEARTS).status_code == 201


def test_frozen_trades_stop_trades_alone(ann: Guest, bob: Guest, mod: Guest, house: Runtime) -> None:
    give_coins(house, ann.id, 5)
    give_coins(house, bob.id, 5)
    enrich(house, ann, tuna=1)
    his = bob.post("/offers", OFFER).json["id"]
    assert mod.put("/moderation/players/ann/freeze", WHY).json["until"] is None
    assert refusal(ann.post("/offers", OFFER)) == (403, "trades_frozen")
    assert refusal(ann.post(f"/offers/{his}/accept", {})) == (403, "trades_frozen")
    assert refusal(bob.post("/offers", {**OFFER, "to": "ann"})) == (409, "unreachable_player")
    assert ann.post("/tables", HEARTS).status_code == 201
    assert mod.delete("/moderation/players/ann/freeze").status_code == 204
    assert mod.delete("/moderation/players/ann/freeze").status_code == 204
    assert ann.post(f"/offers/{his}/accept", {}).status_code == 200
    assert kinds(house)[1:] == ["trades_frozen", "trades_thawed"]


def test_a_suspension_at_the_moment_of_joining_leaves_no_seat(
    ann: Guest, bob: Guest, mod: Guest, house: Runtime
) -> None:
    for _ in range(4):
        table = bob.post("/tables", HEARTS).json["id"]
        jobs = [
            lambda t=table: ann.post(f"/tables/{t}/join", {}),
            lambda: mod.put("/moderation/players/ann/suspension", LONG),
            lambda: ann.post("/tables", HEARTS),
        ]
        joined, suspended, opened = at_once(jobs)
        assert isinstance(joined, TestResponse)
        assert isinstance(suspended, TestResponse)
        assert isinstance(opened, TestResponse)
        assert suspended.status_code == 200
        assert joined.status_code in (200, 403)
        assert opened.status_code in (201, 403)
        assert [s and s["name"] for s in bob.get(f"/tables/{table}").json["seats"]] == ["bob", None, None]
        assert ann.get("/tables?mine=true").json["items"] == []
        mod.delete("/moderation/players/ann/suspension")
        bob.delete(f"/tables/{table}")


def test_revoked_tokens_stop_at_once(ann: Guest, mod: Guest) -> None:
    assert ann.get("/me").status_code == 200
    assert mod.post("/moderation/players/ann/revoke-tokens", WHY).json == {"revoked": 1}
    assert refusal(ann.get("/me")) == (401, "revoked_token")
    assert ann.client.post("/api/v1/tokens", json={"handle": "ann", "password": PASSWORD}).status_code == 201
    assert mod.get("/me").status_code == 200


def test_a_new_name_is_told_and_the_old_one_leads_nowhere(ann: Guest, bob: Guest, mod: Guest) -> None:
    table = ann.post("/tables", HEARTS).json["id"]
    assert ann.get("/me").status_code == 200  # the house knows the token, and with it the handle
    renamed = mod.post("/moderation/players/ann/rename", {"handle": "player-17", **WHY})
    assert (renamed.status_code, renamed.json["handle"]) == (200, "player-17")
    assert ann.get("/me").json["handle"] == "player-17"
    assert bob.get("/players/ann").status_code == 404
    assert bob.get(f"/tables/{table}").json["opened_by"] == "player-17"
    assert ann.get("/feed").json["events"][-1]["data"]["handle"] == "player-17"
    path = "/moderation/players/player-17/rename"
    assert refusal(mod.post(path, {"handle": "bob", **WHY})) == (409, "handle_taken")
    assert refusal(mod.post(path, {"handle": "b", **WHY})) == (422, "invalid_handle")
    again = mod.post(path, {"handle": "player-18", **WHY})  # moderators need not pause
    assert again.status_code == 200
    (newest, first) = mod.get(f"/moderation/acts?subject={ann.id}").json["items"]
    assert first["details"] == {"reason": WHY["reason"], "former": "Ann", "handle": "player-17"}
    assert newest["kind"] == "renamed"


def test_a_hidden_name_is_seen_by_its_owner_alone(ann: Guest, bob: Guest, mod: Guest) -> None:
    body = {"name": "Rude", "cards": {"tuna": 1}, "note": "Ruder", "tags": ["rudest"], "visibility": "public"}
    deck = ann.post("/decks", body).json["id"]
    assert mod.put(f"/moderation/decks/{deck}/hidden", WHY).status_code == 204
    for path in (f"/decks/{deck}", f"/decks/{deck}/revisions/1"):
        shown = bob.get(path).json
        assert (shown["name"], shown["note"], shown["tags"]) == ("(hidden name)", "", [])
        assert shown["cards"] == {"tuna": 1}
        assert ann.get(path).json["name"] == "Rude"
    assert "ude" not in bob.get("/decks/public").text
    assert bob.get("/decks/public?q=name:rude").json["items"] == []
    assert len(ann.get("/decks?q=name:rude").json["items"]) == 1
    assert bob.post(f"/decks/{deck}/copy", {}).json["name"] == "(hidden name)"
    assert mod.put(f"/moderation/decks/{deck}/shown", WHY).status_code == 204
    assert bob.get(f"/decks/{deck}").json["name"] == "Rude"
    assert refusal(mod.put(f"/moderation/decks/{UNKNOWN}/hidden", WHY)) == (404, "not_found")


def test_a_hidden_table_is_in_no_list(ann: Guest, bob: Guest, mod: Guest, admin: Guest) -> None:
    table = ann.post("/tables", HEARTS).json["id"]
    assert mod.put(f"/moderation/tables/{table}/hidden", WHY).status_code == 204
    assert bob.get("/tables").json["items"] == []
    assert [each["id"] for each in ann.get("/tables?mine=true").json["items"]] == [table]
    for guest in (bob, admin):
        assert guest.post(f"/tables/{table}/join", {}).status_code == 200
    assert bob.get("/live").json["items"] == []
    assert mod.put(f"/moderation/tables/{table}/shown", WHY).status_code == 204
    assert len(bob.get("/live").json["items"]) == 1
    theirs = admin.post("/tables", HEARTS).json["id"]
    assert refusal(mod.put(f"/moderation/tables/{theirs}/hidden", WHY)) == (403, "not_below_you")


def test_the_log_says_who_did_what_and_why(ann: Guest, mod: Guest, admin: Guest, house: Runtime) -> None:
    mod.put("/moderation/players/ann/suspension", LONG)
    shown = admin.get("/moderation/acts?limit=1").json
    (newest,) = shown["items"]
    assert (newest["by"], newest["kind"], newest["handle"]) == ("marple", "suspended", "Ann")
    assert newest["details"]["reason"] == LONG["reason"]
    rest = admin.get(f"/moderation/acts?cursor={shown['next']}").json["items"]
    assert [(act["by"], act["kind"]) for act in rest] == [("operator", "role_given")] * 2
    upon = mod.get(f"/moderation/acts?subject={ann.id}").json["items"]
    assert [act["seq"] for act in upon] == [newest["seq"]]


@pytest.mark.parametrize("statement", ["UPDATE act SET at = 1", "DELETE FROM act"])
def test_the_database_refuses_to_change_the_log(mod: Guest, house: Runtime, statement: str) -> None:
    with pytest.raises(DBAPIError, match="append-only"), house.write() as session:
        session.connection().execute(text(statement))
    assert kinds(house) == ["role_given"]


TAMPERING = [
    ("bad_act", "act 1", "UPDATE act SET actor = 'x' WHERE seq = 1"),
    ("bad_act", "act 2", "UPDATE act SET details = '{}' WHERE seq = 2"),
    ("act_gap", "act 2", "DELETE FROM act WHERE seq = 1"),
    ("bad_act_end", "the end of the log of acts", "DELETE FROM act WHERE seq = 2"),
    ("bad_act_end", "the end of the log of acts", "DELETE FROM act_head"),
]


@pytest.mark.parametrize(("code", "about", "statement"), TAMPERING)
@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_the_audit_finds_what_somebody_changed_by_hand(
    mod: Guest, ann: Guest, house: Runtime, code: str, about: str, statement: str
) -> None:
    mod.put("/moderation/players/ann/suspension", LONG)
    with house.read() as session:
        assert audit(session).findings == []
    with house.write() as session:
        for verb in ("update", "delete"):
            session.connection().execute(text(f"DROP TRIGGER act_no_{verb}"))
        session.connection().execute(text(statement))
    with house.read() as session:
        assert (code, about) in [(fault.code, fault.about) for fault in audit(session).findings]


def test_acts_at_the_same_moment_are_numbered_without_gaps(
    ann: Guest, bob: Guest, mod: Guest, house: Runtime
) -> None:
    jobs: list[Callable[[], object]] = [
        lambda: mod.put("/moderation/players/ann/suspension", LONG),
        lambda: mod.put("/moderation/players/bob/suspension", LONG),
        lambda: mod.put("/moderation/players/ann/freeze", WHY),
        lambda: mod.put("/moderation/players/bob/freeze", WHY),
    ]
    for answer in at_once(jobs):
        assert isinstance(answer, TestResponse)
        assert answer.status_code == 200
    with house.read() as session:
        assert list(acts.faults(session)) == []
        assert [act.seq for act in session.exec(select(Act).order_by("seq"))] == [1, 2, 3, 4, 5]
