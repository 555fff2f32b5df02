"""A description of the machine that measured, without names of hosts, people or folders."""

from __future__ import annotations

import os
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

LIBRARIES = ("py_arkworks_bls12381", "py-ecc", "pycryptodome", "rfc8785", "open_spiel", "rlcard")
_CPU = Path("/proc/cpuinfo")


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine's processor, system, Python and libraries, and how busy it was."""

    processor: str
    cores: int
    system: str
    python: str
    libraries: dict[str, str]
    load: float
    """The load average of the minute before the first measurement."""

    def json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def describe() -> Machine:
    """Describe this machine as it is now."""
    return Machine(
        processor=_processor(),
        cores=os.cpu_count() or 1,
        system=f"{platform.system()}, {platform.machine()}",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        libraries={name: found for name in LIBRARIES if (found := _version(name))},
        load=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0,
    )


def _processor() -> str:
    try:
        lines = _CPU.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
