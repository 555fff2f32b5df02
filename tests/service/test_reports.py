"""Reports: players tell of others, one moderator decides, and the reporter hears the verdict alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import TestResponse

from service.operations import reports, roles
from service.runtime import Runtime
from tests.service.match_kit import sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import Guest, app_of, codes

BODY = {"about": "bob", "kind": "stalling", "note": "In every lost game."}
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def refusal(answer: TestResponse) -> tuple[int, str]:
    """The status and the code of a refusal."""
    document: Any = answer.json
    return answer.status_code, document["code"]


@pytest.fixture
def mods(seat: Callable[..., Guest], house: Runtime) -> list[Guest]:
    """Two moderators, and an admin."""
    found = [seat("marple"), seat("second"), seat("chief")]
    for guest, role in zip(found, (roles.MODERATOR, roles.MODERATOR, roles.ADMIN), strict=True):
        roles.give(house, None, guest.handle, role)
    return found


def report(guest: Guest, **more: Any) -> str:
    """The id of a new report."""
    made = guest.post("/reports", {**BODY, **more})
    assert made.status_code == 201, made.text
    return str(made.json["id"])


def act(guest: Guest, report_id: str, verb: str, **body: Any) -> TestResponse:
    return guest.post(f"/moderation/reports/{report_id}/{verb}", body if body else None)


def test_a_report_goes_from_the_queue_to_a_verdict(ann: Guest, bob: Guest, mods: list[Guest]) -> None:
    mod, second, _ = mods
    made = report(ann)
    (case,) = mod.get("/moderation/reports").json["items"]
    assert (case["id"], case["reporter"], case["about"], case["note"]) == (made, "Ann", "bob", BODY["note"])
    assert refusal(act(mod, made, "close", verdict="upheld")) == (409, "not_taken")
    assert act(mod, made, "take").json["handler"] == "marple"
    assert act(mod, made, "take").status_code == 200
    for verb, body in (("take", {}), ("release", {}), ("close", {"verdict": "dismissed"})):
        assert refusal(act(second, made, verb, **body)) == (409, "report_taken"), verb
    closed = act(mod, made, "close", verdict="upheld", remark="Third time.")
    assert (closed.json["state"], closed.json["verdict"], closed.json["remark"]) == (
        "closed",
        "upheld",
        "Third time.",
    )
    assert refusal(act(second, made, "take")) == (409, "report_closed")
    mine = ann.get(f"/reports/{made}").json
    assert (mine["state"], mine["verdict"]) == ("closed", "upheld")
    assert "remark" not in mine
    assert "handler" not in mine
    told = ann.get("/feed").json["events"][-1]
    assert (told["event"], told["data"]["verdict"]) == ("report.closed", "upheld")
    assert bob.get("/feed").json["events"] == []
    assert refusal(bob.get(f"/reports/{made}")) == (404, "not_found")
    done = [entry["kind"] for entry in mod.get(f"/moderation/acts?subject={made}").json["items"]]
    assert done == ["report_closed", "report_taken"]


def test_an_admin_puts_back_what_another_has_taken(ann: Guest, bob: Guest, mods: list[Guest]) -> None:
    mod, second, chief = mods
    made = report(ann)
    act(mod, made, "take")
    assert act(chief, made, "release").json["state"] == "open"
    assert act(second, made, "take").json["handler"] == "second"
    assert act(second, made, "release").status_code == 200
    assert act(second, made, "release").status_code == 200


def test_nobody_decides_their_own_case_or_that_of_a_higher_role(
    ann: Guest, bob: Guest, mods: list[Guest]
) -> None:
    mod, second, chief = mods
    own, about = report(mod), report(ann, about="marple")
    assert refusal(act(mod, own, "take")) == (409, "own_case")
    assert refusal(act(mod, about, "take")) == (409, "own_case")
    assert refusal(act(second, about, "take")) == (403, "not_below_you")
    assert act(chief, about, "take").status_code == 200
    assert refusal(act(chief, UNKNOWN, "take")) == (404, "not_found")


def test_what_a_report_can_not_be_about_is_refused(
    ann: Guest, bob: Guest, seat: Callable[..., Guest], house: Runtime, clock: list[int]
) -> None:
    carol = seat("carol")
    match = sit_down(house, clock, [ann, bob, carol], "hearts", seed=1)
    private = bob.post("/decks", {"name": "His", "cards": {}}).json["id"]
    shared = bob.post("/decks", {"name": "His", "cards": {}, "visibility": "public"}).json["id"]
    table = bob.post("/tables", {"mode": "hearts", "seats": 3, "private": True}).json["id"]
    refused = ann.post("/reports", {**BODY, "game": UNKNOWN, "deck": private, "table": table})
    assert refusal(refused) == (422, "not_involved")
    assert codes(refused) == [("not_involved", f"/{name}") for name in ("game", "deck", "table")]
    dave = seat("dave")
    report(ann, game=match.id, deck=shared)
    assert codes(ann.post("/reports", {**BODY, "about": "dave", "game": match.id})) == [
        ("not_involved", "/game")
    ]
    assert refusal(ann.post("/reports", {**BODY, "about": "ann"})) == (422, "own_report")
    assert refusal(ann.post("/reports", {**BODY, "about": "nobody-here"})) == (404, "not_found")
    assert ann.post("/reports", {**BODY, "kind": "ugly"}).status_code == 422
    assert ann.post("/reports", {**BODY, "note": "n" * 501}).status_code == 422
    assert len(ann.get("/reports").json["items"]) == 1
    assert dave.get("/reports").json["items"] == []


def test_reports_are_bounded(
    ann: Guest, bob: Guest, mods: list[Guest], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = report(ann)
    assert refusal(ann.post("/reports", BODY)) == (409, "already_reported")
    monkeypatch.setattr(reports, "MOST_OPEN", 2)
    report(ann, kind="other")
    full = ann.post("/reports", {**BODY, "kind": "cheating"})
    assert refusal(full) == (409, "too_many_reports")
    assert full.json["at_most"] == 2
    act(mods[0], made, "take")
    act(mods[0], made, "close", verdict="dismissed")
    report(ann)


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_reports_have_a_limit_of_their_own(ann: Guest, bob: Guest, house: Runtime) -> None:
    limited = replace(house, settings=replace(house.settings, report_limit="2/hour"))
    guest = replace(ann, client=app_of(limited).test_client())
    answers = [guest.post("/reports", {**BODY, "kind": name}).status_code for name in reports.KINDS[:3]]
    assert answers == [201, 201, 429]
    assert guest.get("/reports").status_code == 200


def test_pages_of_reports_go_on_where_they_ended(ann: Guest, bob: Guest, mods: list[Guest]) -> None:
    made = [report(ann, kind=kind) for kind in reports.KINDS]
    for guest, path in ((ann, "/reports"), (mods[0], "/moderation/reports")):
        seen, cursor = [], ""
        while cursor is not None:
            shown = guest.get(f"{path}?limit=2{cursor and '&cursor='}{cursor}").json
            seen += [item["id"] for item in shown["items"]]
            cursor = shown["next"]
        assert sorted(seen) == sorted(made)
        assert len(seen) == len(set(seen))


def test_one_of_two_who_take_it_at_once_has_it(ann: Guest, bob: Guest, mods: list[Guest]) -> None:
    mod, second, _ = mods
    made = report(ann)
    answers = at_once([lambda: act(mod, made, "take"), lambda: act(second, made, "take")])
    statuses = Counter(a.status_code for a in answers if isinstance(a, TestResponse))
    assert statuses == {200: 1, 409: 1}
    done = mod.get(f"/moderation/acts?subject={made}").json["items"]
    assert [entry["kind"] for entry in done] == ["report_taken"]


def test_two_reports_at_once_are_one(ann: Guest, bob: Guest, house: Runtime) -> None:
    answers = at_once([lambda: ann.post("/reports", BODY)] * 3)
    statuses = Counter(a.status_code for a in answers if isinstance(a, TestResponse))
    assert statuses == {201: 1, 409: 2}
    with house.read() as session:
        assert reports.waiting(session, house.now()) == reports.WaitingReports(1, 0, 0)
