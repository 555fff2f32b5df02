"""Checks of the house's files: the folder, its file system, free room, card sets and formats, the log."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from cards.catalog import card_sets
from cards.catalog import cards as catalog
from cards.catalog.cards import CatalogError
from cards.decks import formats
from cloche.operate import logs
from cloche.operate.checks.finding import Finding, Level, ProcessSetup
from service import disk
from service.disk import nearest

LITTLE, FULL = 1 << 30, 100 << 20
"""Bytes of free room: below the first there is a warning, below the second an error."""
SHARES = (
    "9p",
    "afs",
    "ceph",
    "cifs",
    "fuse.glusterfs",
    "fuse.sshfs",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb3",
    "smbfs",
)
"""File systems of other machines, where SQLite's locks are not reliable."""
MOUNTS = Path("/proc/mounts")


def folder(setup: ProcessSetup) -> Iterator[Finding]:
    """The data folder: whether it exists or can be made, and is writable, private and large enough."""
    path = setup.settings.data
    if path.exists() and not path.is_dir():
        yield Finding("error", "data", f"{path} is not a folder", "Name another one in CLOCHE_DATA.")
        return
    if not writable(path):
        yield Finding(
            "error", "data", f"{path} can't be written by this account", "Change its owner, or CLOCHE_DATA."
        )
        return
    if not path.exists():
        yield Finding("ok", "data", f"{path} does not exist yet; the house makes it")
    elif stat.S_IMODE(path.stat().st_mode) & 0o022:
        yield Finding("error", "data", f"other accounts can write into {path}", f"chmod 700 {path}")
    elif stat.S_IMODE(path.stat().st_mode) & 0o055:
        yield Finding("warning", "data", f"other accounts can read {path}", f"chmod 700 {path}")
    else:
        yield Finding("ok", "data", f"{path} is writable and private")
    yield from room(path, "data", setup.settings.disk_mib << 20)


def cards_and_formats(setup: ProcessSetup) -> Iterator[Finding]:
    """The card sets, and the house's own formats if it has any: each flaw with its file."""
    path = setup.settings.own_formats
    try:
        cards = card_sets.load()
    except CatalogError as fault:
        for flaw in fault.flaws:
            yield Finding("error", "cards", str(flaw), f"Correct it in {catalog.FOLDER}.")
        return
    try:
        known = formats.of_house(cards, path)
    except CatalogError as fault:
        for flaw in fault.flaws:
            yield Finding("error", "formats", str(flaw), f"Correct it in {path}, or remove the file.")
        return
    if path.exists():
        yield Finding("ok", "formats", f"decks can be checked against {', '.join(known)}")


def room(path: Path, about: str, least: int) -> Iterator[Finding]:
    """Check whether there is enough free room where `path` lies. Below `least` bytes no house is ready."""
    there = nearest(path)
    free = disk.free(there)
    if free < max(LITTLE, least):
        level: Level = "error" if free < max(FULL, least) else "warning"
        text = f"only {free >> 20} MiB are free on the disk of {there}"
        yield Finding(level, about, text, "Free some room.")


def log(setup: ProcessSetup) -> Iterator[Finding]:
    """Check whether the file for the logs can be written."""
    path = logs.log_file(setup.log, setup.settings, setup.role)
    if path is None:
        yield Finding("ok", "log", "to standard error")
    elif path.is_dir() or not writable(path):
        yield Finding("error", "log", f"{path} can't be written", "Name another file in CLOCHE_LOG.")
    else:
        yield Finding("ok", "log", f"to {path}")


def writable(path: Path) -> bool:
    """Check whether this account could write there, after making missing folders."""
    found = nearest(path)
    if found == path.absolute() and not path.is_dir():
        return os.access(path, os.W_OK)
    return found.is_dir() and os.access(found, os.W_OK | os.X_OK)


def share_of(path: Path, mounts: Path = MOUNTS) -> str | None:
    """The kind of network share on which a path lies; None for a local disk, or if it is unknown."""
    try:
        lines = mounts.read_text().splitlines()
    except OSError:
        return None
    real = nearest(path).resolve()
    best, kind = -1, ""
    for line in lines:
        parts = line.split()
        if len(parts) < 3:
            continue
        point = Path(parts[1].replace("\\040", " "))
        if real.is_relative_to(point) and len(point.parts) >= best:  # a later line covers an earlier one
            best, kind = len(point.parts), parts[2]
    return kind if kind in SHARES else None
