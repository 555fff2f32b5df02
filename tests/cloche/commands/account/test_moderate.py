"""`cloche moderate`: a moderator keeps order from the own terminal."""

from __future__ import annotations

from cloche.commands.account.moderate import STATES, VERDICTS
from service.operations import reports, roles
from tests.cloche.here_kit import House, Newcomer


def test_a_moderator_keeps_order_from_afar(here: House, newcomer: Newcomer) -> None:
    keeper, author, other = newcomer(), newcomer(), newcomer()
    roles.give(here.runtime, None, keeper.handle, roles.MODERATOR)
    name = other.handle

    def run(*words: str) -> str:
        done = here.run("moderate", *words, home=keeper.folder)
        assert done.exit_code == 0, done.output
        return done.output

    assert "There is no such report." in run("reports")
    here.run("players", "report", name, "stalling", "--note", "Again.", home=author.folder)
    [made] = author.api.ask("GET", "reports")["items"]
    assert "stalling" in run("reports")
    run("take", made["id"])
    run("release", made["id"])
    run("take", made["id"])
    assert run("close", made["id"], "upheld", "--remark", "Clear.") == "Closed as upheld.\n"
    assert author.api.ask("GET", "reports")["items"][0]["verdict"] == "upheld"
    assert "is suspended until 2" in run("suspend", name, "--reason", "stalls", "--hours", "3")
    assert "does not trade until it is lifted" in run("freeze", name, "--reason", "stalls")
    shown = run("player", name)
    assert "suspended until" in shown
    assert "stalls" in shown
    assert "0 running games" in shown
    run("lift", name)
    assert "suspended" not in run("player", name)
    deck = other.deck.id
    assert run("hide", "deck", deck, "--reason", "rude") == "The name of the deck is hidden.\n"
    assert run("show", "deck", deck, "--reason", "sorry") == "The name of the deck is shown.\n"
    assert run("revoke", name, "--reason", "stolen") == "1 token revoked.\n"
    assert "is robert now." in run("rename", name, "robert", "--reason", "rude")
    acts = run("acts")
    for kind in ("renamed", "tokens revoked", "deck hidden", "report closed", "suspended"):
        assert kind in acts


def test_others_keep_no_order(here: House, newcomer: Newcomer) -> None:
    me, other = newcomer(), newcomer()
    for words in (("reports",), ("suspend", other.handle, "--reason", "x"), ("player", other.handle)):
        refused = here.run("moderate", *words, home=me.folder)
        assert refused.exit_code == 1
        assert "[not_a_moderator]" in refused.output


def test_the_command_knows_the_words_of_the_house() -> None:
    assert STATES == reports.STATES
    assert VERDICTS == reports.VERDICTS
