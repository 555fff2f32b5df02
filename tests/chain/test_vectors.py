"""The published vectors through the contracts: every good one holds, every falsified one is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chain.verifiers import Verifiers
from tests.paths import VECTORS


def _listed(name: str) -> list[Any]:
    return [
        pytest.param(item["input"], item["output"], id=item["name"])
        for item in json.loads((VECTORS / f"{name}.json").read_text())
    ]


def _points(given: list[str]) -> list[bytes]:
    return [bytes.fromhex(point) for point in given]


@pytest.mark.parametrize(("given", "expected"), _listed("meal"))
def test_a_good_seal_holds(verifiers: Verifiers, given: dict[str, Any], expected: dict[str, Any]) -> None:
    ctx, seal, proof = (bytes.fromhex(expected[name]) for name in ("ctx", "seal", "proof"))
    assert verifiers.seal(ctx, _points(given["points"]), given["courses"], seal, proof).holds


@pytest.mark.parametrize(("given", "expected"), _listed("bad_meals"))
def test_a_false_seal_is_refused(
    verifiers: Verifiers, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    ctx, seal, proof = (bytes.fromhex(given[name]) for name in ("ctx", "seal", "proof"))
    verdict = verifiers.seal(ctx, _points(given["points"]), given["courses"], seal, proof)
    assert not verdict.holds
    # Malformed input reverts; a false equation is a plain no.
    assert bool(verdict.why) == (not expected.get("fails"))


def _deck() -> dict[str, Any]:
    good = json.loads((VECTORS / "shuffle.json").read_text())[0]
    return {**good["input"], **good["output"]}


def _changed(good: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    made = dict(good)
    for name, value in change.items():
        if not isinstance(value, dict):
            made[name] = value
        elif isinstance(good[name], list):
            made[name] = [value.get(str(i), item) for i, item in enumerate(good[name])]
        else:
            data = bytearray.fromhex(good[name])
            for at, new in value.items():
                piece = bytes.fromhex(new)
                data[int(at) : int(at) + len(piece)] = piece
            made[name] = data.hex()
    return made


def _verified(verifiers: Verifiers, given: dict[str, Any]) -> Any:
    ctx, proof = bytes.fromhex(given["ctx"]), bytes.fromhex(given["proof"])
    return verifiers.deck(ctx, _points(given["cards"]), _points(given["positions"]), proof)


def test_a_good_deck_holds(verifiers: Verifiers) -> None:
    assert _verified(verifiers, _deck()).holds


@pytest.mark.parametrize(("given", "expected"), _listed("bad_shuffles"))
def test_a_false_deck_is_refused(
    verifiers: Verifiers, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    verdict = _verified(verifiers, _changed(_deck(), given))
    assert not verdict.holds
    assert bool(verdict.why) == (not expected.get("fails"))
