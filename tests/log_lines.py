"""Logs of a house and of commands that run in the process of the tests."""

from __future__ import annotations

from typing import Any

import structlog

_configure = structlog.configure


def keep_no_loggers() -> None:
    """Have `structlog.configure` never keep the loggers that a module has used.

    A house configures the logs of its process once, and for speed keeps each logger as it was first used. A
    command that runs here does so too; afterwards no test could capture what those modules log.
    """
    structlog.configure = _without_keeping


def _without_keeping(**settings: Any) -> None:
    _configure(**settings | {"cache_logger_on_first_use": False})
