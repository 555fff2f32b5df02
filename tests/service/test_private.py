"""Private tables: by invitation only, and for strangers as if they were not there."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask import Flask
from structlog.testing import capture_logs

from service.operations import invitations
from service.runtime import Runtime
from tests.service.match_kit import deck_id, sit_down
from tests.service.races_kit import at_once
from tests.service.service_kit import ON_SQLITE_FIRST, Guest, codes

ON_SQLITE = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def private(guest: Guest, **more: Any) -> dict[str, Any]:
    """A private table of hearts."""
    made = guest.post("/tables", {"mode": "hearts", "private": True, **more})
    assert made.status_code == 201, made.text
    return dict(made.json)


def join(guest: Guest, table: Mapping[str, Any], code: object) -> int:
    """The status of sitting down with a code."""
    return guest.post(f"/tables/{table['id']}/join", {"invitation": code}).status_code


def test_an_invitation_leads_to_a_seat(seat: Callable[..., Guest]) -> None:
    ann, bob, eve = seat("ann"), seat("bob"), seat("eve")
    table = private(ann)
    code = table["invitation"]
    assert (table["private"], table["spectators"], table["opened_by"]) == (True, False, "ann")
    assert re.fullmatch(r"([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}", code)
    assert ann.get(f"/tables/{table['id']}").json == table

    found = bob.get(f"/invitations/{code}")
    assert found.status_code == 200
    assert found.json == {**table, "invitation": None}
    joined = bob.post(f"/tables/{table['id']}/join", {"invitation": code})
    assert (joined.status_code, joined.json["invitation"]) == (200, code)
    assert bob.get(f"/tables/{table['id']}").json["seats"][1] == {"name": "bob", "bot": None}

    # A player who has left is a stranger again, and may come back with the code.
    assert bob.post(f"/tables/{table['id']}/leave", {}).json["invitation"] is None
    assert bob.get(f"/tables/{table['id']}").status_code == 404
    assert join(bob, table, code) == 200
    assert join(eve, table, code) == 200
    assert eve.get(f"/tables/{table['id']}").json["state"] == "playing"
    assert eve.get(f"/invitations/{code}").json["state"] == "playing"


@ON_SQLITE
def test_a_code_is_read_as_people_type_it(seat: Callable[..., Guest]) -> None:
    ann, bob = seat("ann"), seat("bob")
    table = private(ann)
    code = table["invitation"]
    plain = code.replace("-", "")
    alike = plain.replace("0", "o").replace("1", "l")
    for typed in (code, code.lower(), plain, plain.lower(), f" {code} ", code.replace("-", " "), alike):
        assert bob.get(f"/invitations/{typed}").status_code == 200, typed
        assert join(bob, table, typed) == 200, typed
        assert bob.post(f"/tables/{table['id']}/leave", {}).status_code == 200


def test_codes_are_random_and_alike_in_nothing() -> None:
    made = {invitations.new_code() for _ in range(500)}
    assert len(made) == 500
    assert {len(code) for code in made} == {16}
    assert set("".join(made)) == set(invitations.SYMBOLS)
    assert len(invitations.SYMBOLS) == 32
    for code in made:
        assert invitations.opens(invitations.written(code), invitations.digest(code))
        other = code[:-1] + ("0" if code[-1] != "0" else "1")
        assert not invitations.opens(other, invitations.digest(code))
        assert not invitations.opens(code, None)


@ON_SQLITE
def test_for_strangers_a_private_table_is_not_there(ann: Guest, bob: Guest) -> None:
    table, other = private(ann), private(ann)
    path, nowhere = f"/tables/{table['id']}", "/tables/0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c00"
    assert bob.get("/tables").json["items"] == []
    assert ann.get("/tables").json["items"] == []
    mine = ann.get("/tables?mine=true").json["items"]
    assert sorted(t["id"] for t in mine) == sorted((table["id"], other["id"]))
    assert bob.get("/tables?mine=true").json["items"] == []

    def answers(where: str) -> list[tuple[int, Any]]:
        """Return what a stranger is told, whatever they try, without the request's id."""
        tried = [
            bob.get(where),
            bob.delete(where),
            bob.post(f"{where}/leave", {}),
            bob.post(f"{where}/join", {}),
            *(
                bob.post(f"{where}/join", {"invitation": wrong})
                for wrong in (None, "", "x" * 5000, "0" * 16, other["invitation"], "ÄÖÜ", table["id"])
            ),
        ]
        return [(a.status_code, {**a.json, "request_id": ""}) for a in tried]

    assert answers(path) == answers(nowhere)
    assert {status for status, _ in answers(path)} == {404}
    for wrong in ("0" * 16, "x", table["id"], "%00x", other["invitation"][:-1]):
        assert bob.get(f"/invitations/{wrong}").status_code in (400, 404)
    assert ann.get(path).json["seats"][1] is None

    # Cancelled it is the same; who has the code is told the state.
    assert ann.delete(path).status_code == 204
    assert answers(path) == answers(nowhere)
    assert join(bob, table, table["invitation"]) == 409
    assert bob.get(f"/invitations/{table['invitation']}").json["state"] == "cancelled"


@ON_SQLITE
def test_a_public_table_has_no_code_and_needs_none(ann: Guest, bob: Guest) -> None:
    table = ann.post("/tables", {"mode": "hearts"}).json
    assert (table["private"], table["spectators"], table["invitation"]) == (False, True, None)
    assert join(bob, table, "anything") == 200


@ON_SQLITE
@pytest.mark.parametrize(
    "body", [{"private": "yes"}, {"private": 1}, {"spectators": "no"}, {"private": None}]
)
def test_a_wish_that_is_none_is_refused_with_its_field(ann: Guest, body: dict[str, Any]) -> None:
    refused = ann.post("/tables", {"mode": "hearts", **body})
    assert refused.status_code == 422
    assert [pointer for _, pointer in codes(refused)] == [f"/{next(iter(body))}"]


def test_the_last_seat_is_taken_once_by_invitation_too(seat: Callable[..., Guest]) -> None:
    guests = [seat(f"guest-{i}") for i in range(5)]
    made = guests[0].post("/tables", {"mode": "chef", "private": True, "deck": deck_id(guests[0])}).json
    bodies = [{"invitation": made["invitation"], "deck": deck_id(guest)} for guest in guests]
    path = f"/tables/{made['id']}/join"
    results = at_once(
        [
            lambda guest=guest, body=body: guest.post(path, body).status_code
            for guest, body in zip(guests[1:], bodies[1:], strict=True)
        ]
    )
    assert sorted(results) == [200] + [409] * 3
    table = guests[0].get(f"/tables/{made['id']}").json
    seen = [guest.get(f"/games/{table['game']}").status_code for guest in guests]
    # Two guests sit there, and the other three may not know of the game.
    assert sorted(seen) == [200, 200, 404, 404, 404]


def test_a_table_is_either_cancelled_or_played(seat: Callable[..., Guest]) -> None:
    guests = [seat(f"guest-{i}") for i in range(2)]
    decks = [deck_id(guest) for guest in guests]
    for _ in range(5):
        table = guests[0].post("/tables", {"mode": "chef", "private": True, "deck": decks[0]}).json
        path = f"/tables/{table['id']}"
        body = {"deck": decks[1], "invitation": table["invitation"]}
        cancelled, joined = at_once(
            [
                lambda path=path: guests[0].delete(path).status_code,
                lambda path=path, body=body: guests[1].post(f"{path}/join", body).status_code,
            ]
        )
        state = guests[0].get(path).json["state"]
        assert (cancelled, joined, state) in ((204, 409, "cancelled"), (409, 200, "playing"))
        if state == "playing":
            break


@pytest.mark.slow
@ON_SQLITE_FIRST
def test_two_people_play_by_invitation_and_a_stranger_sees_nothing(
    house: Runtime, clock: list[int], app: Flask, seat: Callable[..., Guest]
) -> None:
    ann, bob, eve = seat("ann"), seat("bob", "night-market"), seat("eve")
    match = sit_down(house, clock, [ann, bob], seed=21, private=True)
    nowhere = "0b6cbb1e-9a3c-4f51-8d6e-7f1f0d3f4c00"

    def shut() -> None:
        for path in ("", "?wait=5", "/entries", "/entries?wait=5", "/rounds", "/record"):
            for looker in (eve, Guest(app.test_client(), "nobody", b"")):
                shown = looker.get(f"/games/{match.id}{path}")
                assert (shown.status_code, shown.json["code"]) == (404, "not_found"), path
        for path in ("/faces", "/rematch"):
            assert eve.get(f"/games/{match.id}{path}").status_code == 404

    shut()
    message = match.chairs[0].message().json()
    certificate = {"seat": 0, "seed": "A" * 43}
    for path, body in (("entries", message), ("certificate", certificate), ("rematch", {})):
        here, none = (eve.post(f"/games/{game}/{path}", body) for game in (match.id, nowhere))
        assert here.status_code == none.status_code == 404
        assert here.json["detail"] == none.json["detail"]
    assert eve.get("/live").json["items"] == []
    assert bob.post(f"/games/{match.id}/entries", message).status_code == 403  # not their seat, and they know
    match.until("reveal")
    shut()
    ended = match.play()
    # A game that is over is open to everybody who has its id, as any record.
    assert eve.get(f"/games/{match.id}").json["over"]
    assert eve.get("/live").json["items"] == []
    assert ended.outcome is not None


@ON_SQLITE
def test_no_code_is_logged(seat: Callable[..., Guest]) -> None:
    ann, bob = seat("ann"), seat("bob")
    with capture_logs() as lines:
        table = private(ann)
        code = table["invitation"]
        wrong = "0000-0000-0000-0000"
        for typed in (code, code.lower(), wrong, f"{wrong}/more", f"{wrong}?limit=x"):
            bob.get(f"/invitations/{typed}")
        bob.post(f"/tables/{table['id']}/join", {"invitation": code})
        bob.post(f"/tables/{table['id']}/join", {"invitation": wrong, "deck": 5})
    assert "/api/v1/invitations/<code>" in {line.get("route") for line in lines}
    said = repr(lines).upper().replace("-", "")
    assert code.replace("-", "") not in said
    assert "0" * 16 not in said
