"""Logs: JSON lines in a file or on standard error, and warnings as plain text on the screen."""

from __future__ import annotations

import logging
import sys
from logging.handlers import WatchedFileHandler
from pathlib import Path

import structlog

from service.config import Settings

ROTATE_AT = 10 * 1024 * 1024
"""Bytes. A log that is longer when the house starts is renamed to FILE.1."""

_SHARED: list[structlog.types.Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def log_file(given: str | None, settings: Settings, name: str) -> Path | None:
    """The file for the logs of a process called `name`, or None for standard error."""
    if given == "-":
        return None
    return Path(given) if given else settings.data / "log" / f"{name}.log"


def configure(level: str, file: Path | None) -> None:
    """Set up all logs of this process, our own and the libraries'.

    With a `file`, JSON lines go there, and each warning and error is also printed
    on the screen, as a short line. Without a file, JSON lines go to standard error.
    """
    handlers: list[logging.Handler] = []
    if file is None:
        handlers.append(_handler(logging.StreamHandler(sys.stderr), _json()))
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.exists() and file.stat().st_size > ROTATE_AT:
            file.replace(file.with_name(file.name + ".1"))
        handlers.append(_handler(WatchedFileHandler(file, encoding="utf-8"), _json()))
        screen = _handler(logging.StreamHandler(sys.stderr), _plain())
        screen.setLevel(logging.WARNING)
        screen.addFilter(
            lambda record: record.name != "py.warnings"
        )  # these are for programmers, not for operators
        handlers.append(screen)
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(level.upper())
    logging.captureWarnings(True)
    # These libraries log every message and every migration step, which helps only when looking for a fault.
    for noisy in ("alembic", "amqp", "celery", "httpcore", "httpx", "kombu"):
        logging.getLogger(noisy).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def _handler(handler: logging.Handler, renderers: list[structlog.types.Processor]) -> logging.Handler:
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_SHARED,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    return handler


def _json() -> list[structlog.types.Processor]:
    # Tracebacks as text: the structured form would write down local variables, and those hold secrets.
    return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]


def _plain() -> list[structlog.types.Processor]:
    return [_line]


def _line(_logger: object, _method: str, event: structlog.types.EventDict) -> str:
    fields = {
        k: v for k, v in event.items() if k not in ("event", "level", "logger", "timestamp", "exc_info")
    }
    cause = event.get("exc_info")
    if cause is True:
        cause = sys.exc_info()
    fault = cause[1] if isinstance(cause, tuple) else cause
    if isinstance(fault, BaseException):
        fields["fault"] = f"{type(fault).__name__}: {fault}"
    details = ", ".join(f"{name} {value}" for name, value in fields.items())
    return f"  {event['level']}: {event['event']}" + (f" ({details})" if details else "")
