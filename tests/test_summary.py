"""The last line of `.ci/run`: everything that passed and failed, in all runs together."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.summary import main

PASSED = '<testcase classname="tests.room.test_a" name="b" time="1.5" />'
FAILED = '<testcase classname="a" name="c"><failure message="no">trace</failure></testcase>'
ERROR = '<testcase classname="a" name="d"><error message="no">trace</error></testcase>'
SKIPPED = '<testcase classname="a" name="e"><skipped message="no server" /></testcase>'


def report(folder: Path, name: str, *cases: str) -> None:
    text = f'<testsuites><testsuite tests="{len(cases)}">{"".join(cases)}</testsuite></testsuites>'
    (folder / f"{name}.xml").write_text(text)


def test_all_runs_are_added_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(tmp_path, "test", PASSED, PASSED)
    report(tmp_path, "test-all", PASSED)
    assert main([str(tmp_path), "check=0", "test=0", "test-all=0"]) == 0
    assert capsys.readouterr().out == "seconds of tests: room 4\n3 passed, 0 failed\n"


def test_what_failed_is_named_before_the_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(tmp_path, "test", PASSED, FAILED, ERROR, SKIPPED)
    assert main([str(tmp_path), "check=0", "test=1"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "failed: a::c",
        "failed: a::d",
        "failed: a::e",
        "seconds of tests: room 2",
        "1 passed, 3 failed",
    ]


def test_a_skipped_test_is_no_success(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report(tmp_path, "test", PASSED, SKIPPED)
    assert main([str(tmp_path), "test=0"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 passed, 1 failed"


@pytest.mark.parametrize("written", ["", "<testsuites><testsuite>"])
def test_a_run_without_a_report_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], written: str
) -> None:
    report(tmp_path, "test", PASSED)
    if written:
        (tmp_path / "test-all.xml").write_text(written)
    assert main([str(tmp_path), "check=2", "test=0", "test-all=3"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "failed: check (exit status 2)",
        "failed: test-all (exit status 3)",
        "seconds of tests: room 2",
        "1 passed, 2 failed",
    ]


def test_no_test_at_all_is_no_success(tmp_path: Path) -> None:
    assert main([str(tmp_path), "check=0"]) == 1
