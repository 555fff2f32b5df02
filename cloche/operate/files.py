"""The number of files that a serving process needs to open: one for each connection."""

from __future__ import annotations

import resource

import structlog

MOST_WAITING = 1000
"""Requests of a process that wait for news at once. They take no thread."""
_OTHER = 200
"""Files that are no connection: the database, the broker, logs."""

log = structlog.get_logger(__name__)


def needed_files(connections: int, listeners: int) -> int:
    """The files of a process with so many connections and streams, and its long polls."""
    return connections + listeners + MOST_WAITING + _OTHER


def allow_files(wanted: int) -> None:
    """Raise this process's limit of open files as far as allowed, and log if that is not enough."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        log.warning("few_files", allowed=most, wanted=wanted)
