"""`cloche admin`: the operator keeps order, and the log says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cloche.commands.house.admin import admin
from service.operations import tokens
from service.runtime import Runtime
from tests.cloche.here_kit import invoke, quietly, run_admin
from tests.service.conftest import ann, app, bob, seat
from tests.service.service_kit import Guest

__all__ = ["ann", "app", "bob", "seat"]
pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
WHY = ("--reason", "It insults others.")


def test_the_operator_makes_roles_and_takes_them(house: Runtime, ann: Guest) -> None:
    assert run_admin(house, "role", "ann", "admin") == "Ann is an admin.\n"
    assert ann.get("/me/standing").json["role"] == "admin"
    assert run_admin(house, "role", "ann", "none") == "ann has no role.\n"
    assert ann.get("/me/standing").json["role"] is None


def test_sanctions_by_the_command_line_are_the_operators(house: Runtime, ann: Guest, bob: Guest) -> None:
    assert "ann is suspended until it is lifted" in run_admin(house, "suspend", "ann", *WHY)
    assert "bob does not trade until 20" in run_admin(house, "freeze", "bob", "--hours", "5", *WHY)
    (standing,) = ann.get("/me/standing").json["sanctions"]
    assert (standing["kind"], standing["reason"], standing["until"]) == ("suspended", WHY[1], None)
    run_admin(house, "lift", "ann")
    assert ann.get("/me/standing").json["sanctions"] == []
    listed = json.loads(run_admin(house, "acts", "--json"))
    assert [act["kind"] for act in listed] == ["suspension_lifted", "trades_frozen", "suspended"]
    assert {act["by"] for act in listed} == {"operator"}
    assert "trades frozen" in run_admin(house, "acts")


def test_names_are_hidden_and_tokens_revoked(
    house: Runtime, ann: Guest, bob: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "RELOOK", 0.0)  # as if the house had waited
    deck = ann.post("/decks", {"name": "Rude", "cards": {}, "visibility": "public"}).json["id"]
    run_admin(house, "hide", "deck", deck, *WHY)
    assert bob.get(f"/decks/{deck}").json["name"] == "(hidden name)"
    run_admin(house, "show", "deck", deck, *WHY)
    assert bob.get(f"/decks/{deck}").json["name"] == "Rude"
    table = ann.post("/tables", {"mode": "hearts", "seats": 3}).json["id"]
    run_admin(house, "hide", "table", table, *WHY)
    assert bob.get("/tables").json["items"] == []
    assert run_admin(house, "revoke", "ann", *WHY) == "1 token revoked.\n"
    assert ann.get("/me").status_code == 401


def test_a_grant_stands_in_the_log(house: Runtime, ann: Guest) -> None:
    run_admin(house, "grant", "ann", "--coins", "5", "--once", "cup")
    run_admin(house, "grant", "ann", "--coins", "5", "--once", "cup")  # changes nothing
    (act,) = json.loads(run_admin(house, "acts", "--json"))
    assert (act["kind"], act["handle"], act["details"]["coins"]) == ("granted", "Ann", 5)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("suspend", "nobody-here", *WHY), "[not_found]"),
        (("freeze", "ann", "--reason", ""), "[bad_reason]"),
        (("hide", "deck", "none", *WHY), "[not_found]"),
        (("hide", "table", "none", *WHY), "[not_found]"),
    ],
)
def test_a_slip_is_named_and_changes_nothing(
    house: Runtime, ann: Guest, arguments: tuple[str, ...], said: str
) -> None:
    assert said in run_admin(house, *arguments, code=1)
    assert run_admin(house, "acts") == "Nobody has acted yet.\n"


def test_a_house_that_is_not_there_is_not_made(tmp_path: Path, house: Runtime) -> None:
    missing = tmp_path / "none"
    with quietly():
        done = invoke(("admin", "acts", "--data", str(missing)), {})
    assert done.exit_code == 1
    assert not missing.exists()
    assert admin.commands["acts"] is not None
