"""`cloche vectors`: what is published is what is computed, on both engines, and a change is named."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cloche.main import main
from tests.paths import VECTORS
from vectors.files import GROUPS

PUBLISHED = VECTORS


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["vectors", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def test_the_published_vectors_are_what_is_computed_here() -> None:
    result = run("--check", str(PUBLISHED))
    assert result.exit_code == 0, result.output
    assert result.stdout.count("same") == len(GROUPS)
    assert {file.name for file in PUBLISHED.iterdir()} == {f"{name}.json" for name in GROUPS} | {"README.md"}


def test_written_ones_are_the_published_ones(tmp_path: Path) -> None:
    assert run("--out", str(tmp_path)).exit_code == 0
    for file in PUBLISHED.iterdir():
        assert (tmp_path / file.name).read_bytes() == file.read_bytes(), file.name
    readme = (tmp_path / "README.md").read_text()
    assert all(f"| {name}.json |" in readme for name in GROUPS)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for file in PUBLISHED.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def test_a_difference_is_named(copy: Path) -> None:
    path = copy / "chain.json"
    vectors = json.loads(path.read_text())
    vectors[0]["output"]["links"][2] = "00" * 64
    path.write_text(json.dumps(vectors))
    result = run("--check", str(copy))
    assert result.exit_code == 1
    assert "vectors_differ" in result.stderr
    assert "chain.json/0/output/links/2" in result.stderr


@pytest.mark.parametrize("text", ["", "[1.5]", "nonsense"])
def test_a_file_that_can_not_be_read(copy: Path, text: str) -> None:
    (copy / "meal.json").write_text(text)
    assert run("--check", str(copy)).exit_code == 2
    (copy / "meal.json").unlink()
    assert run("--check", str(copy)).exit_code == 2


def test_one_of_both_is_asked_for(tmp_path: Path) -> None:
    assert run().exit_code == 2
    assert run("--out", str(tmp_path), "--check", str(tmp_path)).exit_code == 2
