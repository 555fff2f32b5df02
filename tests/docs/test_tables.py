"""docs/protocol.md, section 20, is enough to check what the program computes: a second reader agrees."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("py_arkworks_bls12381")

from tests.docs import page_tables as page
from tests.docs.page_proofs import Invalid, gen, osp
from tests.paths import ROOT

FOLDER = ROOT / "tests" / "vectors"


def vectors(group: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{group}.json").read_text())
    return found


def octets(items: list[Any]) -> list[Any]:
    """Hexadecimal texts as bytes, in lists of any depth."""
    return [bytes.fromhex(item) if isinstance(item, str) else tuple(octets(item)) for item in items]


def place(given: dict[str, Any]) -> bytes:
    game, key = bytes.fromhex(given["game"]), bytes.fromhex(given["key"])
    return page.context(game, given["step"], given["party"], key, given["kind"], given["deal"])


def locks(name: str) -> list[tuple[dict[str, Any], Any]]:
    return [(item["input"], item["output"]) for item in vectors("locks") if item["name"] == name]


def test_generators_cards_and_packs_are_the_page_s() -> None:
    for given, made in locks("generator"):
        name = "lock" if given["symbol"] == "U" else "trait/" + given["symbol"][2:]
        assert page.encoded(gen(name)).hex() == made
    for given, made in locks("card"):
        assert page.face(given["number"], given["traits"]).hex() == made
    ((given, made),) = locks("joint")
    assert page.joint(octets(given["locks"])).hex() == made
    ((given, made),) = locks("open_pack")
    found = page.open_pack(octets(given["cards"]), bytes.fromhex(given["joint"]))
    assert [[a.hex(), c.hex()] for a, c in found] == made
    ((given, made),) = locks("less")
    assert page.less(bytes.fromhex(given["c"]), octets(given["shares"])).hex() == made
    ((given, made),) = locks("context")
    assert place(given).hex() == made


def test_secrets_and_masks_are_the_page_s() -> None:
    for given, made in locks("secrets"):
        w, lock_asked, mix_asked = (
            bytes.fromhex(given[name]) for name in ("secret", "lock_asked", "mix_asked")
        )
        x, order, t = page.secrets(w, lock_asked, mix_asked, len(made["permutation"]))
        assert osp(x, 32).hex() == made["key"]
        assert page.encoded(page.product([(x, page.U)])).hex() == made["lock"]
        assert order == made["permutation"]
        assert [osp(value, 32).hex() for value in t] == made["blindings"]
    ((given, made),) = locks("masks")
    parts = [bytes.fromhex(given[name]) for name in ("secret", "state", "witness", "fresh")]
    assert [osp(value, 32).hex() for value in page.masks(*parts, count=3)] == made  # type: ignore[misc]


def test_mixes_and_their_proofs_are_the_page_s() -> None:
    """Every byte of a mix follows from its secret, and its proof holds."""
    for item in vectors("mix"):
        given, made = item["input"], item["output"]
        h, before = bytes.fromhex(given["joint"]), octets(given["before"])
        w, asked = bytes.fromhex(given["secret"]), bytes.fromhex(given["asked"])
        _, order, t = page.secrets(w, b"", asked, len(before))
        assert json.loads(bytes.fromhex(given["witness"])) == order
        after = [
            (
                page.encoded(page.product([(1, page.derived(before[j][0])), (by, page.U)])),
                page.encoded(page.product([(1, page.derived(before[j][1])), (by, page.derived(h))])),
            )
            for j, by in zip(order, t, strict=True)
        ]
        assert b"".join(p for pair in after for p in pair).hex() == made["pack"]
        ctx, proof = place(given), bytes.fromhex(made["proof"])
        assert ctx.hex() == made["ctx"]
        page.mix(ctx, h, before, after, proof)
        assert len(proof) == 48 * 8 + 32 * (3 * len(before) + 2)


def statement(given: dict[str, Any]) -> tuple[bytes, Any, Any]:
    said = given["claim"]
    claim = (octets(said["pairs"]), said["traits"], said["lacking"]) if said else None
    return bytes.fromhex(given["lock"]), octets(given["shares"]), claim


def test_linear_proofs_are_the_page_s() -> None:
    """T_1 follows from the first mask, and all equations hold."""
    for item in vectors("linear"):
        given, made = item["input"], item["output"]
        ctx, proof = place(given), bytes.fromhex(made["proof"])
        assert ctx.hex() == made["ctx"]
        page.linear(ctx, *statement(given), proof)
        w, witness, fresh = (bytes.fromhex(given[name]) for name in ("secret", "witness", "fresh"))
        state = page.opening(ctx, *statement(given)).state
        (k_x,) = page.masks(w, state, witness, fresh, 1)
        assert proof[:48] == page.encoded(page.product([(k_x, page.U)]))


def test_the_page_refuses_what_is_falsified() -> None:
    base = vectors("mix")[1]
    own = {**base["input"], **base["output"]}
    n = len(own["before"])
    after = octets(
        [[own["pack"][192 * i : 192 * i + 96], own["pack"][192 * i + 96 :][:96]] for i in range(n)]
    )
    for item in vectors("bad_mixes"):
        given = item["input"]

        def changed(side: list[Any], other: Any) -> list[Any]:
            if isinstance(other, list):
                return octets(other)
            return [tuple(octets(other[str(i)])) if str(i) in other else pair for i, pair in enumerate(side)]

        parts = [bytes.fromhex(given.get(name, own[name])) for name in ("ctx", "joint", "proof")]
        sides = (
            changed(octets(own["before"]), given.get("before", {})),
            changed(after, given.get("after", {})),
        )
        with pytest.raises(Invalid) as caught:
            page.mix(parts[0], parts[1], *sides, parts[2])
        fails = item["output"]["fails"]
        assert not fails or str(caught.value) == fails[0], item["name"]
    for item in vectors("bad_linear"):
        given = item["input"]
        with pytest.raises(Invalid) as caught:
            page.linear(bytes.fromhex(given["ctx"]), *statement(given), bytes.fromhex(given["proof"]))
        fails = item["output"]["fails"]
        assert not fails or str(caught.value) == fails[0], item["name"]
