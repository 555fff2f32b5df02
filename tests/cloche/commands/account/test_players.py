"""`cloche players`: blocks and reports, by somebody who plays here."""

from __future__ import annotations

from cloche.commands.account.players import KINDS
from service.operations import reports
from tests.cloche.here_kit import House, Newcomer


def test_a_player_is_blocked_and_no_more(here: House, newcomer: Newcomer) -> None:
    me, other = newcomer(), newcomer()

    def run(*words: str) -> str:
        done = here.run("players", *words, home=me.folder)
        assert done.exit_code == 0, done.output
        return done.output

    assert "You have blocked nobody." in run("blocked")
    assert run("block", other.handle.upper()) == f"You have blocked {other.handle}.\n"
    assert other.handle in run("blocked")
    run("unblock", other.handle)
    assert "You have blocked nobody." in run("blocked")
    refused = here.run("players", "block", "nobody-here", home=me.folder)
    assert refused.exit_code == 1
    assert "[not_found]" in refused.output


def test_a_player_is_reported_and_the_report_is_listed(here: House, newcomer: Newcomer) -> None:
    me, other = newcomer(), newcomer()
    told = here.run("players", "report", other.handle, "stalling", "--note", "Again.", home=me.folder)
    assert told.exit_code == 0, told.output
    listed = here.run("players", "reports", home=me.folder).output
    for word in (other.handle, "stalling", "open"):
        assert word in listed
    again = here.run("players", "report", other.handle, "stalling", home=me.folder)
    assert again.exit_code == 1
    assert "[already_reported]" in again.output


def test_the_command_knows_the_kinds_of_the_house() -> None:
    assert KINDS == reports.KINDS
