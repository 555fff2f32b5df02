"""The files that are tried, and their tests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
SLOW = ("test_uniformity.py",)
"""Statistics of many draws: they take longer than all others together, and tell nothing that those don't."""
BUDGET = 20
"""Seconds of tests that a mutant is tried with, if its plan says nothing else."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan by which a file is tried."""

    tests: tuple[str, ...]
    """The tests that may kill its mutants."""
    mirror: str
    """The tests that are written for it: they are asked first where coverage can't tell which."""
    without: frozenset[str] = frozenset()
    """Functions that verify nothing: those that prove, write, sign, choose an engine."""
    budget: float = BUDGET
    """Seconds of tests that a mutant of it is tried with at most."""


def _crypto(mirror: str, *without: str) -> Plan:
    files = sorted(path.name for path in (TESTS / "crypto").glob("test_*.py") if path.name not in SLOW)
    tests = tuple(f"tests/crypto/{name}" for name in files)
    return Plan(tests, f"tests/crypto/test_{mirror}.py", frozenset(without))


def _referee(mirror: str, *more: str, without: tuple[str, ...] = ()) -> Plan:
    names = (mirror, *more, "published", "statements", "refusals", "samples")
    files = tuple(f"tests/referee/test_{name}.py" for name in names)
    return Plan(files, files[0], frozenset(without))


GAME = (
    "absent away bank compelled validation early_links ends enter envelopes fold house links meals messages "
    "shown shuffled_again time traces withheld"
)
"""Tests of what every entry of a game goes through."""


def _game(mirror: str) -> Plan:
    """All files of this plan share one run of the tests."""
    plan = _referee(*GAME.split())
    return replace(plan, mirror=f"tests/referee/test_{mirror}.py")


def _any_table(mirror: str) -> Plan:
    """The tests of a game, with those of a table without a dealer that the fold treats otherwise.

    Nearly all of them run every line of the fold, and only the slowest kill some of its mutants.
    """
    plan = _game(mirror)
    names = "refusals silence stock unlocking"
    more = tuple(f"tests/referee/dealerless/test_{name}.py" for name in names.split())
    return replace(plan, tests=(*plan.tests, *more), budget=300)


def _dealerless(mirror: str, *without: str) -> Plan:
    """The files of a table without a dealer share one run of the tests."""
    names = "vectors bodies checks making refusals silence games snapshot stock unlocking"
    folder = "tests/referee/dealerless"
    tests = tuple(f"{folder}/test_{name}.py" for name in names.split())
    return Plan(tests, f"{folder}/test_{mirror}.py", frozenset(without))


PLAN: dict[str, Plan] = {
    "crypto/transcript.py": _crypto("transcript", "idle"),
    "crypto/encoding.py": _crypto("encoding"),
    "crypto/certificate.py": _crypto("certificate"),
    "crypto/identity.py": _crypto("identity", "new_private_key", "offer", "_library"),
    "crypto/fairness.py": _crypto("fairness"),
    "crypto/permutation.py": _crypto("shuffle", "prove", "_Product.__init__", "_Product.answers"),
    "crypto/shuffle.py": _crypto("shuffle", "positions", "prove", "prove_unchecked"),
    "crypto/lock.py": _crypto("lock", "lock", "share"),
    "crypto/mix.py": _crypto("mix", "mixed", "prove", "prove_unchecked"),
    "crypto/linear.py": _crypto("linear", "witness", "Witness.data", "prove"),
    "crypto/meal.py": _crypto("meal", "witness", "prove", "prove_unchecked"),
    "crypto/group.py": _crypto(
        "group", "_load", "_chosen", "_fastest", "engine", "prover", "use", "_shifted", "_shift", "_entry"
    ),
    "crypto/verifier.py": _crypto("verifier"),
    "referee/record.py": _referee("record", without=("write_entry",)),
    "referee/message.py": _referee("messages", without=("write_message", "write_receipt")),
    "referee/certificate.py": _referee("enter", without=("certify",)),
    "referee/succession.py": _referee("succession", without=("write_succession",)),
    "referee/faces.py": _referee("links", without=("write_faces", "_listed")),
    "referee/envelopes.py": _referee("envelopes", without=("reveal_bytes",)),
    "referee/clocks.py": _referee("bank", "time", "away"),
    "referee/bodies.py": _referee(
        "bodies", "messages", "enter", "meals", "links", "envelopes", "early_links", "time"
    ),
    "referee/evidence.py": _referee("evidence", without=("json",)),
    "referee/verify.py": _referee("verify", "sums", "record"),
    "referee/dealing.py": _referee("shown", "traces", "house", "shuffled_again", "compelled", "links"),
    "referee/duties.py": _game("fold"),
    "referee/fold.py": _any_table("fold"),
    "referee/validation.py": _game("validation"),
    "referee/checks.py": _game("validation"),
    "referee/dealerless/bodies.py": _dealerless("bodies"),
    "referee/dealerless/masked.py": _dealerless("vectors"),
    "referee/dealerless/proofs.py": _dealerless("checks"),
    "referee/dealerless/making.py": _dealerless("making", "annul_body"),
    "referee/dealerless/snapshot.py": _dealerless("snapshot"),
    "referee/dealerless/unlocking.py": _dealerless("unlocking"),
}
"""The plan of each file that `make full` tries. Every survivor there is explained."""
