"""Coq as a printer: the definitions of proofs/Equations.v, and copies with one change, evaluated by coqc."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.proofs.instances_kit import GENERATORS, Instance

SOURCE = (Path(__file__).parents[2] / "proofs" / "Equations.v").read_text()
_LIBRARY = "user-contrib/mathcomp/zify/ssrZ.vo"
"""Of Debian's libcoq-mathcomp-zify: it makes a ring of the integers."""
_HEAD = f"""
From Coq Require Import ZArith.
From mathcomp Require Import ssrZ.
Import ssrZ.ZInstances.
Set Printing Depth 1000000.
Set Printing Width 1000000.
Open Scope nat_scope.
{GENERATORS}
Open Scope Z_scope.
"""

Printed = list[list[tuple[int, list[int]]]]
"""Equations as Coq prints them: terms of a scalar, not reduced, and the names whose sum is the point."""


@dataclass(frozen=True)
class Mutant:
    """A module of Equations.v with one change."""

    module: str
    changed: frozenset[str]
    """The equations that it must change, and no others."""
    what: str
    text: str
    """The module's text."""


def need_coq() -> None:
    """Skip the test where Coq or its library is missing; in CI, fail it."""
    lacks = "coqc is missing"
    if shutil.which("coqc"):
        where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True).stdout.strip()
        if (Path(where) / _LIBRARY).exists():
            return
        lacks = f"Coq has no {_LIBRARY}"
    if os.environ.get("CI"):
        pytest.fail(lacks)
    pytest.skip(lacks)


def module(name: str) -> str:
    """The text of a module of Equations.v."""
    return SOURCE[SOURCE.index(f"Module {name}.\n") : SOURCE.index(f"End {name}.\nEnd {name}.\n")] + (
        f"End {name}.\nEnd {name}.\n"
    )


def definitions(text: str) -> dict[str, str]:
    """The definitions of equations in a module's text, by their names."""
    found = re.finditer(r"^Definition (\w+)[^.]*?: equation R P :=\n.*?\.\n", text, re.MULTILINE | re.DOTALL)
    return {match[1]: match[0] for match in found}


def _terms(definition: str) -> Iterator[tuple[int, int]]:
    """Where the coefficients of a definition's terms (coefficient, point) begin and end."""
    for start in (match.end() for match in re.finditer(r"\(", definition)):
        depth = 0
        for at, sign in enumerate(definition[start:], start):
            if depth == 0 and sign in ",)":
                if sign == ",":
                    yield start, at
                break
            depth += (sign in "([") - (sign in ")]")


def _changes(definition: str) -> Iterator[tuple[str, str]]:
    """The definition with the sign of each coefficient changed, and with each range begun 1 later."""
    for start, end in _terms(definition):
        other = f"- ({definition[start:end]})"
        yield f"{other} at {definition[end:].splitlines()[0]}", definition[:start] + other + definition[end:]
    for match in re.finditer(r"iota (\d)", definition):
        other = f"iota {int(match[1]) + 1}"
        yield f"{other} for {match[0]}", definition[: match.start()] + other + definition[match.end() :]


def mutants(name: str) -> Iterator[Mutant]:
    """Each change of each equation of a module."""
    text = module(name)
    for equation, definition in definitions(text).items():
        for what, changed in _changes(definition):
            yield Mutant(name, frozenset({equation}), what, text.replace(definition, changed))


def mutant(name: str, changed: Sequence[str], old: str, new: str) -> Mutant:
    """A module with `new` for `old`, which is there once."""
    text = module(name)
    if text.count(old) != 1:
        raise ValueError(f"Module {name} has {old!r} {text.count(old)} times")
    return Mutant(name, frozenset(changed), f"{new} for {old}", text.replace(old, new))


def ask(folder: Path, whole: Sequence[Instance], changed: Sequence[tuple[Mutant, Instance]]) -> list[Printed]:
    """What one run of coqc prints: for each instance, then for each mutant with an instance."""
    copies, questions = [], [instance.coq.replace("{M}", instance.module) for instance in whole]
    for number, (mutant, instance) in enumerate(changed):
        name = f"Mutant{number}"
        copies.append(re.sub(rf"^(Module|End) {mutant.module}\.$", rf"\1 {name}.", mutant.text, flags=re.M))
        questions.append(instance.coq.replace("{M}", name))
    # A section has its module's name.
    copies = [re.sub(r"^Section \w+\.$", _section_of(copy), copy, flags=re.M) for copy in copies]
    asked = [f"Eval vm_compute in ({question}).\n" for question in questions]
    (folder / "Printer.v").write_text("\n".join([SOURCE, *copies, _HEAD, *asked]))
    run = subprocess.run(
        ["coqc", "-q", "-w", "-notation-overridden,-ambiguous-paths", "Printer.v"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if run.returncode:
        pytest.fail(f"coqc: {run.stdout[-2000:]}{run.stderr[-2000:]}")
    found = re.findall(r"^ +=(.*?)^ +: ", run.stdout, re.MULTILINE | re.DOTALL)
    if len(found) != len(questions):
        pytest.fail(f"coqc was asked {len(questions)} times and has answered {len(found)} times")
    return [ast.literal_eval(answer.strip().replace("[::", "[").replace(";", ",")) for answer in found]


def _section_of(copy: str) -> str:
    return "Section " + copy.split(".", 1)[0].removeprefix("Module ") + "."
