"""The processor time and the memory of this machine's processes, from /proc."""

from __future__ import annotations

import os
from pathlib import Path

PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """List a process and all its descendants, in the order of their ids; nothing where there is no /proc."""
    if not PROC.is_dir():
        return []
    parents: dict[int, list[int]] = {}
    for folder in PROC.iterdir():
        if folder.name.isdecimal() and (fields := _stat(int(folder.name))):
            parents.setdefault(int(fields[1]), []).append(int(folder.name))
    found, new = [pid], [pid]
    while new:
        new = [child for parent in new for child in parents.get(parent, [])]
        found += new
    return sorted(found)


def cpu(pids: list[int]) -> dict[int, float]:
    """Read the processor seconds that each process has used since its start; 0 for one that has ended."""
    found = {}
    for pid in pids:
        fields = _stat(pid)
        found[pid] = sum(map(int, fields[11:13])) / _TICKS if fields else 0.0
    return found


def private_kib(pid: int) -> int:
    """Read the memory that a process shares with no other, in KiB."""
    lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def _stat(pid: int) -> list[str]:
    """Read the fields of a process from its state on; [] if it has ended."""
    try:
        text = (PROC / str(pid) / "stat").read_text()
    except OSError:
        return []
    return text.rpartition(")")[2].split()
