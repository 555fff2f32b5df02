"""`cloche sign-in`, `password`, `sessions` and `account`: a player and the account at a house."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest

from client.http import Api
from client.vault import FILE, Vault
from player.house import ApiProblem
from player.session import Session
from tests.client.guests import PASSPHRASE, Guest
from tests.cloche.here_kit import House, Newcomer
from tests.waiting import until


def kept(guest: Guest) -> Vault:
    """The guest's file as it is now."""
    return Vault.open(guest.folder / FILE, PASSPHRASE)


def other(here: House, guest: Guest) -> Api:
    """Another device of the guest, signed in by password."""
    api, who = Api(here.url, transport=here.transport), guest.vault.identity
    api.issue_token(who.handle, who.password, "laptop")
    return api


def signed_in(api: Api) -> bool:
    """Tell whether a device's token still works."""
    try:
        api.me()
    except ApiProblem as problem:
        return problem.status != 401
    return True


def test_the_key_signs_in_when_the_password_was_changed_elsewhere(here: House, newcomer: Newcomer) -> None:
    guest = newcomer()
    guest.api.change_password("another long password", current=guest.vault.identity.password)
    guest.api.end_sessions(others=False)
    refused = here.run("sign-in", home=guest.folder)
    assert (refused.exit_code, "wrong_password" in refused.output) == (1, True), refused.output
    assert here.run("sign-in", "--key", home=guest.folder).exit_code == 0
    assert kept(guest).identity.token != guest.vault.identity.token
    here.run("sessions", "end", "--others", home=guest.folder)
    guest.api.as_player(kept(guest).identity.token or "")
    guest.api.end_sessions(others=False)
    listed = here.run("decks", "list", home=guest.folder)  # a command signs in by itself
    assert listed.exit_code == 0, listed.output


def test_a_new_password_is_kept_and_ends_other_sessions(
    here: House, newcomer: Newcomer, tmp_path: Path
) -> None:
    guest = newcomer()
    with other(here, guest) as laptop:
        assert here.run("password", home=guest.folder).exit_code == 0
        assert not signed_in(laptop)
    first, fresh = guest.vault.identity.password, kept(guest).identity.password
    assert fresh != first
    assert here.run("sign-in", home=guest.folder).exit_code == 0
    (tmp_path / "word").write_text("a password of my own\n")
    changed = here.run("password", "--password-file", str(tmp_path / "word"), home=guest.folder)
    assert changed.exit_code == 0, changed.output
    assert kept(guest).identity.password == "a password of my own"
    (tmp_path / "word").write_text("password\n")
    refused = here.run("password", "--password-file", str(tmp_path / "word"), home=guest.folder)
    assert refused.exit_code == 1
    assert kept(guest).identity.password == "a password of my own"


def test_sessions_are_listed_and_ended(here: House, newcomer: Newcomer) -> None:
    guest = newcomer()
    with other(here, guest) as laptop:
        shown = here.run("sessions", "list", home=guest.folder)
        assert [line.split()[2 if line.startswith("*") else 1] for line in shown.output.splitlines()[1:]] == [
            "laptop",
            "tests",
        ]
        [theirs] = [each["id"] for each in laptop.sessions() if each["current"]]
        assert here.run("sessions", "end", theirs[:13], home=guest.folder).exit_code == 0
        assert not signed_in(laptop)
    assert signed_in(guest.api)
    assert here.run("sessions", "end", home=guest.folder).exit_code == 2
    assert here.run("sessions", "end", "x", home=guest.folder).exit_code == 2


def test_a_player_takes_another_handle(here: House, newcomer: Newcomer) -> None:
    guest = newcomer()
    before = guest.vault.identity.handle
    renamed = here.run("account", "rename", f"{before}-x", home=guest.folder)
    assert renamed.exit_code == 0, renamed.output
    assert kept(guest).identity.handle == f"{before}-x"
    assert here.run("sign-in", home=guest.folder).exit_code == 0
    refused = here.run("account", "rename", "third-name", home=guest.folder)
    assert "renamed_lately" in refused.output
    assert kept(guest).identity.handle == f"{before}-x"


def test_an_export_is_written_once(here: House, newcomer: Newcomer, tmp_path: Path) -> None:
    guest, file = newcomer(), tmp_path / "mine.zip"
    assert here.run("account", "export", str(file), home=guest.folder).exit_code == 0
    with ZipFile(file) as found:
        [player] = json.loads(found.read("player.json"))
    assert player["handle"] == guest.vault.identity.handle
    assert here.run("account", "export", str(file), home=guest.folder).exit_code == 1


def test_an_account_is_deleted_after_its_name_is_typed(here: House, newcomer: Newcomer) -> None:
    guest = newcomer()
    handle = guest.vault.identity.handle
    sure = here.run("account", "delete", home=guest.folder, input="somebody\n")
    assert "not_sure" in sure.output
    assert signed_in(guest.api)
    gone = here.run("account", "delete", home=guest.folder, input=f"{handle}\n")
    assert gone.exit_code == 0, gone.output
    assert not signed_in(guest.api)
    with pytest.raises(ApiProblem, match="wrong_key"):
        guest.api.issue_token_by_key(
            handle, guest.vault.identity.private, guest.vault.identity.house_key, "again"
        )


@pytest.mark.parametrize("dealt", [False, True])
def test_a_player_who_leaves_resigns_where_that_is_possible(
    here: House, newcomer: Newcomer, dealt: bool
) -> None:
    guest = newcomer()
    with here.working():
        game = guest.api.open_table("hearts", bots=["random", "random"]).game or ""
        if dealt:
            session = Session(guest.api, guest.vault, game)
            session.start()

            def begun() -> bool:
                session.answer()
                session.catch_up(0.5)
                return session.game.deals > 0

            until(begun)
        gone = here.run("account", "delete", "--yes", home=guest.folder)
        assert gone.exit_code == 0, gone.output
    assert ("1 game:" in gone.output) is not dealt
    entries, _ = Api(here.url, transport=here.transport).entries(game)
    assert ("resign" in {entry["kind"] for entry in entries}) is dealt
