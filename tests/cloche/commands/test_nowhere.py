"""Commands that look after a house make none where a folder's name was written wrongly."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cloche.main import main


@pytest.mark.parametrize(
    "command", ["tidy", "admin audit", "keys show", "keys rotate", "keys envelope", "backup COPY"]
)
def test_a_folder_without_a_house_is_said_to_be_one(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLOCHE_DATABASE", raising=False)
    slip = tmp_path / "vra"
    words = command.replace("COPY", str(tmp_path / "copy")).split()
    done = CliRunner().invoke(main, [*words, "--data", str(slip)])
    assert done.exit_code == 1, done.output
    assert f"There is no {slip}/" in done.output
    assert not slip.exists()
