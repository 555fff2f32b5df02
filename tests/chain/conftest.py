"""The contracts on a chain of this machine, deployed once for all tests of a process."""

from __future__ import annotations

import pytest

from chain.evm import Chain
from chain.verifiers import Verifiers


@pytest.fixture(scope="session")
def verifiers() -> Verifiers:
    return Verifiers.deployed(Chain())
