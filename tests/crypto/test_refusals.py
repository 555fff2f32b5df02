"""The vectors of what must be refused: both engines refuse it, and so do the tests' own readings."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from Crypto.Signature import eddsa

from crypto import meal, shuffle
from crypto.encoding import EncodingError, canonical
from crypto.engines import Engine
from crypto.fairness import leads
from crypto.identity import verify
from crypto.transcript import ProofError
from tests.crypto import crypto_kit
from tests.crypto.crypto_kit import fields, page_meal, page_shuffle, th
from tests.crypto.refusals_kit import meal_of, shuffles
from vectors.example import Vector
from vectors.primitives import GROUPS

BAD = [name for name in GROUPS if name.startswith("bad_")]
HEAVY = ("bad_meals", "bad_shuffles", "bad_envelopes", "bad_mixes", "bad_linear")
"""A minute on py_ecc, which proves meals for each."""

PINNED = {
    "bad_encodings": "2323fa6bdb62dc2dea79d58500cbb66418fefc69fbed9c4fc68cc272405af6f6",
    "bad_signatures": "ab6e9b87b5408dd39e3b79e96f352579214c12bb7108bb68e38a0fc20bbfe3ca",
    "bad_envelopes": "55d74c2dd088d418a0ba8830e8f0ca8722730a5a058b3b0523e3213e317d26bf",
    "bad_links": "c02be7cd5d272870ce74ce1253d4ed19c6e01c75aba0bd4915a97a2f98d914ad",
    "bad_meals": "b0cff1b3c4eeb0b219ec7d33ab6ff47a90668f4aad42a415b5babc3fe47bfa1b",
    "bad_mixes": "ae67056acfa292608be582c01e54abcd4bd9c6514c215ed8956a1961f3488b6d",
    "bad_linear": "e4e97ca5be6a99d0dcbb431a22ff9d8a800b160ddf53f1b78b8b5f7c6ee3da8d",
    "bad_shuffles": "4b96f0feb4c99875cb91c49c4fe5cd4e70b5ca3ad4c9ff5f216be4842c7e55f8",
}
"""SHA-256 of the canonical JSON of each group."""


def digest(name: str) -> str:
    return hashlib.sha256(canonical(GROUPS[name]())).hexdigest()


@pytest.mark.parametrize("name", [name for name in BAD if name not in HEAVY])
def test_both_engines_refuse_the_same(curve: Engine, name: str) -> None:
    assert digest(name) == PINNED[name]


@pytest.mark.parametrize("name", HEAVY)
def test_the_fast_engine_refuses_the_same_proofs(fast: Engine, name: str) -> None:
    assert digest(name) == PINNED[name]


@pytest.mark.long
@pytest.mark.parametrize("name", HEAVY)
def test_both_engines_refuse_the_same_proofs(curve: Engine, name: str) -> None:
    assert digest(name) == PINNED[name]


def test_all_are_named_and_refused(fast: Engine) -> None:
    assert set(PINNED) == set(BAD)
    vectors = [vector for name in BAD for vector in GROUPS[name]()]
    assert max(Counter(vector["name"] for vector in vectors).values()) == 1
    for vector in vectors:
        output = vector["output"]
        assert output["refused"], vector["name"]
        assert output["why"]
        assert output["section"].startswith("protocol ")


# Meals, by the page's equations with both sides computed


def of_kind(name: str, kind: str) -> list[Vector]:
    return [vector for vector in GROUPS[name]() if vector["output"]["refused"] == kind]


def test_the_page_s_equations_fail_as_the_meals_say(fast: Engine) -> None:
    for vector in of_kind("bad_meals", "proof"):
        statement = meal_of(vector)
        names = ["M1", "M2", *(f"M3 for course {c + 1}" for c in range(statement[2]))]
        held = page_meal(*statement)
        failed = [name for name, good in zip(names, held, strict=True) if not good]
        assert failed == vector["output"]["fails"] != [], vector["name"]
        with pytest.raises(ProofError) as caught:
            meal.verify(*statement)
        assert str(caught.value).startswith(" and ".join(failed))


def test_malformed_meals_are_no_proofs(fast: Engine) -> None:
    for vector in of_kind("bad_meals", "encoding"):
        with pytest.raises(EncodingError):
            meal.verify(*meal_of(vector))


class Careless(crypto_kit.Talk):
    """A transcript that forgets something."""

    forgets = ""

    def __init__(self, label: str, ctx: bytes) -> None:
        super().__init__(label, b"" if self.forgets == "ctx" else ctx)

    def absorb(self, name: str, *parts: bytes) -> None:
        cut = {("hand", "hand"): (), ("meal", "seal"): parts[1:], ("meal", "w"): parts[:-1]}
        for i, point in enumerate(("c_d", "c_delta", "c_Delta")):
            cut["product", point] = parts[:i] + parts[i + 1 :]
        super().absorb(name, *cut.get((name, self.forgets), parts))


@pytest.mark.parametrize("forgets", ["ctx", "hand", "seal", "w"])
def test_a_verifier_that_forgets_takes_what_was_made_for_it(
    fast: Engine, monkeypatch: pytest.MonkeyPatch, forgets: str
) -> None:
    """A careless verifier accepts the vectors made for it, so they tell it from a careful one."""
    (vector,) = [v for v in GROUPS["bad_meals"]() if v["name"] == f"meal_challenge_without_{forgets}"]
    monkeypatch.setattr(Careless, "forgets", forgets)
    monkeypatch.setattr(crypto_kit, "Talk", Careless)
    assert page_meal(*meal_of(vector)) == [True] * 3


# Match decks


def test_the_page_s_equations_fail_as_the_decks_say(fast: Engine) -> None:
    for vector, statement in shuffles():
        output = vector["output"]
        if output["refused"] == "encoding":
            with pytest.raises(EncodingError):
                shuffle.verify(*statement)
            continue
        with pytest.raises(ProofError):
            shuffle.verify(*statement)
        if len(statement[2]) != 40:
            assert output["fails"] == []
            continue
        held = page_shuffle(*statement)
        names = [name for name, good in zip(shuffle.EQUATIONS, held, strict=True) if not good]
        assert names == output["fails"] != [], vector["name"]


@pytest.mark.parametrize("forgets", ["c_d", "c_delta", "c_Delta"])
def test_a_verifier_that_forgets_takes_the_deck_that_was_made_for_it(
    fast: Engine, monkeypatch: pytest.MonkeyPatch, forgets: str
) -> None:
    name = f"shuffle_challenge_without_{forgets}"
    (statement,) = [given for vector, given in shuffles() if vector["name"] == name]
    assert page_shuffle(*statement) != [True] * 4
    monkeypatch.setattr(Careless, "forgets", forgets)
    monkeypatch.setattr(crypto_kit, "Talk", Careless)
    assert page_shuffle(*statement) == [True] * 4


def test_what_is_in_the_proofs_is_what_they_are_called(fast: Engine) -> None:
    """Every point of the seven and every kind of answer is changed by some vector."""
    points, scalars = set(), set()
    (base,) = GROUPS["shuffle"]()
    own = fields(bytes.fromhex(base["output"]["proof"]), 7)
    for _, (_, _, _, proof) in shuffles():
        if len(proof) == 4240:
            other = fields(proof, 7)
            points |= {i for i, (a, b) in enumerate(zip(own[0], other[0], strict=True)) if a != b}
            differ = [i for i, (a, b) in enumerate(zip(own[1], other[1], strict=True)) if a != b]
            scalars |= set(differ) if len(differ) == 1 else set()
    assert points == set(range(7))
    assert {0, 40, 41, 42, 82, 83, 121} <= scalars


# Signatures and links


def test_bad_signatures_are_right_by_laxer_readings() -> None:
    """The library alone takes those with torsion in R or in the key, or with another form of either."""
    lax = 0
    for vector in GROUPS["bad_signatures"]():
        given = {name: bytes.fromhex(value) for name, value in vector["input"].items()}
        assert not verify(given["public"], given["message"], given["signature"])
        try:
            key = eddsa.import_public_key(given["public"])
            eddsa.new(key, "rfc8032").verify(given["message"], given["signature"])
        except ValueError:
            continue
        lax += 1
    assert lax >= 10


def test_bad_links_do_not_lead_there_by_hand() -> None:
    for vector in GROUPS["bad_links"]():
        given = vector["input"]
        link, known = bytes.fromhex(given["link"]), bytes.fromhex(given["known"])
        deal, newest = given["deal"], given["known_deal"]
        assert not leads(link, deal, known, newest)
        hashed = link
        for _ in range(deal - newest):
            hashed = th("chain", hashed) if deal - newest < 9 else b""
        assert len(link) != 64 or not newest < deal <= 1024 or hashed != known
