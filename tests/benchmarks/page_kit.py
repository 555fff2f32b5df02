"""The machine that the tests of benchmark pages pretend to run on."""

from __future__ import annotations

from benchmarks.machine import Machine

MACHINE = Machine("Some & Processor", 2, "Linux, x86_64", "CPython 3.11.9", {"py-ecc": "8.0.0"}, 0.4)
