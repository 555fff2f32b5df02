"""The driver of the mutants: what a good test notices, a weak one leaves alive, and a reason excuses."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import survivors
from tests.mutation.mutants import mutants
from tests.mutation.plan import PLAN
from tests.paths import ROOT

pytestmark = pytest.mark.slow

TILL = """
from functools import cache

OPEN = 9


@cache
def change(price, paid):
    if paid < price:
        raise ValueError("too little")
    return paid - price
"""
WEAK = """
from till import OPEN, change


def test_change():
    assert OPEN == 9
    assert change(3, 5) == 2
"""
GOOD = (
    WEAK
    + """    assert change(3, 3) == 0
    try:
        change(3, 2)
    except ValueError:
        return
    raise AssertionError
"""
)
ALIVE = {
    ("if paid < price:", "if False:"),
    ("if paid < price:", "if paid <= price:"),
    ('raise ValueError("too little")', "pass"),
}


def run(root: Path, tests: str) -> tuple[int, str]:
    """The driver's status and words on `till.py` under these tests."""
    (root / "till.py").write_text(TILL)
    (root / "test_till.py").write_text(tests)
    command = [
        sys.executable,
        "-m",
        "tests.mutation",
        "--root",
        str(root),
        "--tests",
        "test_till.py",
        "till.py",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def reasons(root: Path, *changes: tuple[str, str]) -> None:
    """Explain these changes of `till.py`."""
    (root / survivors.FILE).parent.mkdir(parents=True, exist_ok=True)
    told = "[[survivor]]\nfile='till.py'\nfunction='change'\nbefore='{}'\nafter='{}'\nwhy='so'\n"
    text = "".join(told.format(before, after) for before, after in changes)
    (root / survivors.FILE).write_text(text)


def test_a_good_test_kills_every_mutant(tmp_path: Path) -> None:
    status, told = run(tmp_path, GOOD)
    assert status == 0, told
    assert "till.py: 7 mutants, 7 killed, 0 alive" in told
    assert (tmp_path / "till.py").read_text() == TILL


def test_what_a_weak_test_leaves_alive_must_be_explained(tmp_path: Path) -> None:
    status, told = run(tmp_path, WEAK)
    assert status == 1
    assert told.count("NOT EXPLAINED (") == len(ALIVE)
    for before, after in ALIVE:
        assert f"    - {before}\n    + {after}\n" in told
    # A known result of a source is not tried again; only the reasons are new.
    reasons(tmp_path, *ALIVE)
    assert run(tmp_path, WEAK)[0] == 0
    reasons(tmp_path, *ALIVE, ("if paid < price:", "if True:"), ("return paid", "return None"))
    status, told = run(tmp_path, WEAK)
    assert status == 1
    assert "EXPLAINED, BUT A TEST NOTICES IT: till.py, change\n    - if paid < price:\n    + if True:" in told
    assert "EXPLAINED, BUT THERE IS NO SUCH MUTANT: till.py, change\n    - return paid\n" in told


def test_tests_that_fail_on_the_source_as_it_is_kill_nothing(tmp_path: Path) -> None:
    status, told = run(tmp_path, GOOD.replace("== 2", "== 1"))
    assert status == 1
    assert "fail on the source as it is: test_till.py::test_change" in told


def test_what_types_rule_out_is_not_tried(tmp_path: Path) -> None:
    lines = ("match coin:", "    case int():", "        return 1", "    case str():", "        return 2")
    never = ("    case _:", "        assert_never(coin)")
    text = "\n    ".join(("def worth(coin):", *lines, *never)) + "\n"
    (tmp_path / "coin.py").write_text(text)
    found = [str(mutant.name) for mutant in mutants(tmp_path, "coin.py")]
    assert [name for name in found if "case str(): return 2" in name], "a case may go"
    assert [name for name in found if "assert_never" in name] == []


def test_every_explained_survivor_is_a_mutant_of_the_present_source() -> None:
    by_file: dict[str, set[str]] = {}
    explained = survivors.explained(ROOT)
    for name in explained:
        by_file.setdefault(name.file, set()).add(name.function)
    assert by_file.keys() <= PLAN.keys()
    assert not [name for name in explained if name.function in PLAN[name.file].without]
    found = {m.name for file, functions in by_file.items() for m in mutants(ROOT, file, functions)}
    assert not [str(name) for name in explained if name not in found]
    assert all(len(why) > 20 for why in explained.values())


def test_every_file_of_the_plan_and_its_tests_exist() -> None:
    for file, plan in PLAN.items():
        assert (ROOT / file).is_file()
        assert all((ROOT / test).exists() for test in (*plan.tests, plan.mirror))
