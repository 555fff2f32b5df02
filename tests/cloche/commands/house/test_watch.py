"""`cloche admin`: the lists of the daily work, and the live view on a small terminal."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from service.operations import reports, roles
from service.operations.reports import Subject
from service.runtime import Runtime, now_ms
from tests.cloche.here_kit import invoke, quietly
from tests.cloche.terminal import Terminal
from tests.service.conftest import ann, app, bob, seat
from tests.service.match_kit import sit_down
from tests.service.service_kit import Guest

__all__ = ["ann", "app", "bob", "seat"]
pytestmark = pytest.mark.parametrize("kind", ["sqlite"], indirect=True)


def environment(house: Runtime) -> dict[str, str]:
    """The variables of the operator of this house."""
    return {"CLOCHE_DATABASE": house.settings.database, "CLOCHE_DATA": str(house.settings.data)}


def run(house: Runtime, *arguments: str, **more: str) -> str:
    """Return what `cloche admin ARGUMENTS` prints."""
    with quietly():
        done = invoke(("admin", *arguments), {**environment(house), "COLUMNS": "160", **more})
    assert done.exit_code == 0, done.output
    return str(done.output)


def test_the_lists_say_what_there_is(
    house: Runtime, ann: Guest, bob: Guest, seat: Callable[..., Guest], clock: list[int]
) -> None:
    clock[0] = now_ms()  # as the command has it
    match = sit_down(house, clock, [ann, bob, seat("carol")], "hearts", seed=1)
    roles.give(house, None, "bob", roles.MODERATOR)
    run(house, "suspend", "ann", "--reason", "x")
    found = run(house, "players", "AN")
    assert "Ann" in found
    assert "suspended" in found
    assert "bob" not in found
    assert re.search(r"bob .* moderator +1 *$", run(house, "players"), re.MULTILINE)
    assert "There is no such player." in run(house, "players", "%")
    assert re.search(rf"{match.id} +hearts .* Ann, bob, carol *$", run(house, "games"), re.MULTILINE)
    table = bob.post("/tables", {"mode": "hearts", "seats": 3, "private": True}).json
    listed = run(house, "tables")
    assert table["id"] in listed
    assert "private" in listed
    assert table["invitation"] not in listed
    assert "Nobody was given anything." in run(house, "grants")
    run(house, "grant", "bob", "--boosters", "2", "--once", "spring")
    assert re.search(r"bob +0 +2 +0 +spring *$", run(house, "grants"), re.MULTILINE)
    assert "spring" in run(house, "grants", "bo")
    assert "spring" not in run(house, "grants", "ann")
    assert re.search(r"^PB +2 +0 *$", run(house, "stock"), re.MULTILINE)


def test_the_settings_are_listed_without_a_secret(house: Runtime) -> None:
    listed = run(
        house,
        "settings",
        CLOCHE_METRICS_TOKEN="t" * 20,
        CLOCHE_BROKER="amqp://guest:hush-hush@127.0.0.1//",
        CLOCHE_TABLE_HOURS="7",
    )
    assert re.search(r"^CLOCHE_TABLE_HOURS +7 *$", listed, re.MULTILINE)
    assert re.search(r"^CLOCHE_METRICS_TOKEN +\(set\) *$", listed, re.MULTILINE)
    assert "amqp://guest:...@127.0.0.1//" in listed
    assert "hush" not in listed
    assert "tttt" not in listed


def test_reports_are_listed_and_closed(house: Runtime, ann: Guest, bob: Guest) -> None:
    made = ann.post("/reports", {"about": "bob", "kind": "stalling", "note": "Again."}).json["id"]
    listed = run(house, "reports")
    for word in (made, "stalling", "bob", "Ann", "Again."):
        assert word in listed
    assert run(house, "close", made, "dismissed", "--remark", "No.") == "Closed as dismissed.\n"
    assert ann.get(f"/reports/{made}").json["verdict"] == "dismissed"
    assert "There is no such report." in run(house, "reports")
    assert made in run(house, "reports", "--state", "closed")


def test_the_figures_are_printed_once(house: Runtime, ann: Guest, clock: list[int]) -> None:
    clock[0] = now_ms()  # as the command has it
    shown = run(house, "watch", "--once")
    assert re.search(r"^Players +1, of whom 0 came within a day *$", shown, re.MULTILINE)
    assert re.search(r"^Workers +keep up; ", shown, re.MULTILINE)
    assert re.search(r"^Queue +nobody waits *$", shown, re.MULTILINE)
    assert ann.post("/queue", {"mode": "big-c"}).status_code == 200
    shown = run(house, "watch", "--once")
    assert re.search(r"^Queue +big-c 1(, the longest for \d+ \w+)? *$", shown, re.MULTILINE)


def test_the_live_view_fits_a_small_terminal_and_follows_the_house(
    house: Runtime, ann: Guest, bob: Guest, seat: Callable[..., Guest], clock: list[int]
) -> None:
    carol = seat("carol")
    for seed in range(2):
        sit_down(house, clock, [ann, bob, carol], "hearts", seed=seed)
    run(house, "suspend", "carol", "--reason", "x")
    with Terminal(["admin", "watch", "--every", "0.2"], environment(house), columns=80, rows=24) as terminal:
        terminal.sees(r"^Players +3")
        terminal.sees(r"^Games +hearts 2 *$")
        terminal.sees("Ann, bob, carol")
        terminal.sees("operator suspended: carol")
        terminal.sees(r"^Reports +0 open, 0 taken *$")
        seat("dave")
        with house.read() as session:
            player = roles.players.find(session, "ann", house.now())
        reports.make(house, player, about="dave", kind="other", subject=Subject(), note="")
        terminal.sees(r"^Players +4")
        terminal.sees(r"^Reports +1 open, 0 taken, the oldest")
        lines = terminal.screen().splitlines()
        assert len(lines) <= 24
        assert lines[0].startswith(("--", "──", "=="))
        assert "Newest acts" in terminal.screen()
        terminal.keys("q")
        assert terminal.ends() == 0
