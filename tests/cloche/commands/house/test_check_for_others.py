"""`cloche check --for-others`: what is missing before a house is opened to others."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from cloche.main import main
from cloche.operate import checks
from cloche.operate.checks.finding import Finding
from service.config import UNLIMITED

ABOUT = ("proxies", "limits", "guessing", "sign-ins", "browsers", "webhooks", "figures")
TOKEN = "a-token-of-32-characters-at-least"


def look(folder: Path, role: str = "serve", *, for_others: bool = False, **given: object) -> list[Finding]:
    """Return what is found about a house that others reach."""
    environment = {f"CLOCHE_{name.upper()}": str(value) for name, value in {"port": 0, **given}.items()}
    found = checks.everything(role, environment, folder / "var", for_others=for_others)
    return [finding for finding in found if finding.about in ABOUT]


def warned(found: list[Finding]) -> dict[str, str]:
    return {finding.about: f"{finding.text} {finding.do}" for finding in found if finding.level == "warning"}


def test_a_house_of_one_machine_needs_none_of_it(tmp_path: Path) -> None:
    assert look(tmp_path) == []
    off = dict.fromkeys(UNLIMITED, "")
    assert look(tmp_path, sign_in_pause=0, disk_mib=0, webhook_networks="127.0.0.0/8", **off) == []


def test_what_is_missing_is_said_before_it_is_opened(tmp_path: Path) -> None:
    assert warned(look(tmp_path, for_others=True)).keys() == {"proxies"}
    assert warned(look(tmp_path, proxies=1)).keys() == {"figures"}
    assert warned(look(tmp_path, proxies=1, metrics_token=TOKEN)) == {}
    assert warned(look(tmp_path, host="0.0.0.0")).keys() == {"proxies"}


def test_a_house_that_speaks_tls_itself_needs_no_proxy(tmp_path: Path) -> None:
    """It listens on every address unless told otherwise, and players read nothing on the way."""
    found = look(tmp_path, tls=1)
    assert warned(found) == {}
    assert [finding.level for finding in found if finding.about == "proxies"] == ["ok"]
    assert look(tmp_path, tls=1, host="127.0.0.1") == []
    assert warned(look(tmp_path, "events", tls=1, host="0.0.0.0", events_port=0)).keys() == {"proxies"}


@pytest.mark.parametrize(
    ("given", "about", "variable"),
    [
        ({"sign_in_limit": ""}, "limits", "CLOCHE_SIGN_IN_LIMIT"),
        ({"sign_in_pause": 0}, "guessing", "CLOCHE_SIGN_IN_PAUSE"),
        ({"sign_in_pause": 59}, "guessing", "CLOCHE_SIGN_IN_PAUSE"),
        ({"password_queue": 4}, "sign-ins", "CLOCHE_PASSWORD_QUEUE"),
        ({"threads": 8}, "sign-ins", "CLOCHE_THREADS"),
        ({"cors_origins": "http://play.example"}, "browsers", "CLOCHE_CORS_ORIGINS"),
        ({"webhook_networks": "10.0.0.0/8"}, "webhooks", "CLOCHE_WEBHOOK_NETWORKS"),
        ({"metrics_token": ""}, "figures", "CLOCHE_METRICS_TOKEN"),
        ({"disk_mib": 0}, "figures", "CLOCHE_DISK_MIB"),
    ],
)
def test_each_thing_is_said_with_its_variable(
    tmp_path: Path, given: dict[str, object], about: str, variable: str
) -> None:
    found = warned(look(tmp_path, **{"proxies": 1, "metrics_token": TOKEN, **given}))
    assert found.keys() == {about}
    assert variable in found[about]


def test_pages_of_ones_own_machine_need_no_tls(tmp_path: Path) -> None:
    origins = "http://localhost:5173,http://127.0.0.1:8040,http://[::1]:1,https://play.example"
    assert look(tmp_path, cors_origins=origins) == []


def test_what_an_unusable_value_hides_is_not_guessed_at(tmp_path: Path) -> None:
    found = warned(look(tmp_path, proxies="many", host="0.0.0.0", sign_in_pause=0))
    assert found == {}


def test_a_process_of_streams_is_looked_at_too(tmp_path: Path) -> None:
    assert warned(look(tmp_path, "events", for_others=True, events_port=0)).keys() == {"proxies"}
    assert warned(look(tmp_path, "worker", webhook_networks="10.0.0.0/8")).keys() == {"webhooks"}


def test_the_command_says_it(tmp_path: Path) -> None:
    environment: dict[str, str | None] = {name: None for name in os.environ if name.startswith("CLOCHE_")}
    asked = ["check", "--for-others", "--json", "--data", str(tmp_path / "var")]
    result = CliRunner().invoke(main, asked, env={**environment, "CLOCHE_PORT": "0"})
    assert result.exit_code == 0, result.output
    found = {finding["about"]: finding["level"] for finding in json.loads(result.stdout)["findings"]}
    assert (found["proxies"], found["limits"], found["guessing"]) == ("warning", "ok", "ok")
