"""A command that ran in this process keeps no later test from reading the log."""

from __future__ import annotations

import logging
from pathlib import Path

import structlog
from structlog.testing import capture_logs

from cloche.operate import logs
from tests.cloche.here_kit import quietly

log = structlog.get_logger(__name__)


def test_a_logger_used_under_a_commands_settings_is_still_captured(tmp_path: Path) -> None:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    with quietly():
        logs.configure("warning", tmp_path / "command.log")
        log.info("before")
    for handler in root.handlers[:]:
        root.removeHandler(handler)
        handler.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level)
    with capture_logs() as lines:
        log.info("after")
    assert [line["event"] for line in lines] == ["after"]
