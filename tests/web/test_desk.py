"""The types of the desk (web/page/desk) and its Python (web/python/desk) name the same things."""

from __future__ import annotations

import ast
import re

from tests.paths import ROOT

WEB = ROOT / "web"
DESK = "\n".join(path.read_text() for path in sorted((WEB / "page" / "desk").glob("*.ts")))
OF_THE_WORKER = {
    "kitchen.state",
    "house.request",
    "house.record",
    "account.archive",
    "account.move_here",
}
"""Calls that the worker answers itself (web/kitchen/worker.ts)."""


def python_calls() -> set[str]:
    """The names that `@call` or `call(...)` gives functions of the desk."""
    found = set()
    for path in (WEB / "python" / "desk").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "call":
                [name] = node.args
                assert isinstance(name, ast.Constant)
                found.add(str(name.value))
    return found


def test_every_call_is_typed_and_every_typed_call_is_there() -> None:
    calls = DESK[DESK.index("export interface Calls {") : DESK.index("export type CallName")]
    typed = set(re.findall(r'^  "([a-z_]+\.[a-z_]+)": \{', calls, re.MULTILINE))
    assert typed == python_calls() | OF_THE_WORKER
    worker = (WEB / "kitchen" / "worker.ts").read_text()
    assert all(f'"{name}"' in worker for name in OF_THE_WORKER)


def test_every_event_is_typed() -> None:
    typed = set(re.findall(r'\| \{ event: "([a-z]+)"', DESK))
    told = {"kitchen"}  # the worker tells of itself
    for path in (WEB / "python" / "desk").glob("*.py"):
        told |= set(re.findall(r'\btell\("([a-z]+)"', path.read_text()))
    assert told == typed
