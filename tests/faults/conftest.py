"""The servers that faults are tried on."""

from tests.service.conftest import postgresql

__all__ = ["postgresql"]
