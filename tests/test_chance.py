"""The chance that tests draw from: the same in every run, and another in every test."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests import chance


def drawn() -> list[object]:
    return [os.urandom(16), secrets.token_bytes(16), secrets.randbelow(2**64), uuid4()]


@pytest.fixture
def again(request: pytest.FixtureRequest) -> Iterator[None]:
    """The test begins to draw once more."""
    chance.watch(request.node)
    yield
    chance.watch(request.node)


def test_a_test_draws_the_same_in_every_run(again: None, request: pytest.FixtureRequest) -> None:
    first = drawn()
    chance.watch(request.node)
    assert drawn() == first
    assert drawn() != first
    assert first[0].hex() == "6fd7f586fbb8e3788bee3faa2eb3b4de"  # type: ignore[attr-defined]  # the first bytes that this test's name gives


def test_names_that_must_differ_between_runs_do(again: None, request: pytest.FixtureRequest) -> None:
    first = chance.unique()
    chance.watch(request.node)
    assert chance.unique() != first


@pytest.mark.processes
def test_a_test_that_starts_processes_draws_from_the_system(request: pytest.FixtureRequest) -> None:
    first = drawn()
    chance.watch(request.node)
    assert drawn() != first


def test_a_block_of_its_own_draws_by_its_name_alone(again: None, request: pytest.FixtureRequest) -> None:
    with chance.apart("a registration"):
        first = drawn()
    rest = drawn()
    chance.watch(request.node)
    assert drawn() == rest
    with chance.apart("a registration"):
        assert drawn() == first
