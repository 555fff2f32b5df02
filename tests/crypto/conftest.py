"""Every test that takes `curve` runs once on each engine; one that takes `fast` on arkworks alone."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from crypto.engines import Engine
from crypto.group import use

NEEDS_ARKWORKS = pytest.mark.skipif(
    find_spec("py_arkworks_bls12381") is None, reason="py_arkworks_bls12381 is not installed"
)


@pytest.fixture(params=[pytest.param("arkworks", marks=NEEDS_ARKWORKS), "py_ecc"])
def curve(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with use(request.param) as engine:
        yield engine


@pytest.fixture(params=[pytest.param("arkworks", marks=NEEDS_ARKWORKS)])
def fast(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with use(request.param) as engine:
        yield engine
