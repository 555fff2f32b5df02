"""The README's ten lines of Python run as they are printed."""

import re
from ast import literal_eval
from pathlib import Path

import pytest
from click.testing import CliRunner

from cloche.main import main
from player.vault_format import LOWEST_COST
from tests.client.guests import PLAYED_OUT
from tests.paths import ROOT
from tests.stack import Stack

README = ROOT / "README.md"


def test_ten_lines_of_python(
    open_stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house: Stack = open_stack()
    monkeypatch.setenv("CLOCHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CLOCHE_PASSPHRASE", "your passphrase")
    monkeypatch.setenv("CLOCHE_VAULT_COST", str(LOWEST_COST))
    result = CliRunner().invoke(main, ["register", "ada", "--house", house.url])
    assert result.exit_code == 0, result.output
    found = re.search(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    assert found is not None
    exec(compile(found[1], str(README), "exec"), {})
    outcome = literal_eval(capsys.readouterr().out)
    assert outcome["reason"] in PLAYED_OUT
    assert max(outcome["points"]) >= 30
