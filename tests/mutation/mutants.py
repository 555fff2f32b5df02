"""The mutants of a source file: each is the file with one thing changed, and a name that lasts.

A mutant is named by its function and by the changed lines as they were and as they are, so an edit
elsewhere in the file, or a function moved, leaves the name alone.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import libcst as cst
import libcst.matchers as m
from libcst.metadata import MetadataWrapper, PositionProvider

from tests.mutation.operators import changed, skipped, spared


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a mutant; `nth` (from 0) tells like changes of like lines of one function apart."""

    file: str
    function: str
    """Its qualified name, empty at the top of the file."""
    before: str
    after: str
    nth: int = 0

    def __str__(self) -> str:
        again = f", number {self.nth}" if self.nth else ""
        return f"{self.file}, {self.function or 'top'}{again}\n    - {self.before}\n    + {self.after}"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file with one change."""

    name: Name
    source: str = field(repr=False)
    lines: range
    """The lines of the statement that is changed, in the file as it is."""
    on_import: bool
    """True if the change takes effect when the file is imported, not when a function is called."""


@dataclass(frozen=True, slots=True)
class _Place:
    """The place where a node stands."""

    path: tuple[str, ...] = ()
    inside: bool = False
    """True if it stands in the body of a function."""
    lines: range = range(0)
    optional: bool = False
    """True if it stands in a function that may return None."""


def _names(node: cst.CSTNode) -> set[str]:
    return {found.value for found in m.findall(node, m.Name())}  # type: ignore[attr-defined]


class _Finder:
    def __init__(self, positions: Any) -> None:
        self._positions = positions

    def _lines(self, node: cst.CSTNode) -> range:
        span = self._positions[node]
        last = span.end.line
        body = getattr(node, "body", None)
        if isinstance(node, cst.BaseCompoundStatement) and isinstance(body, cst.IndentedBlock):
            last = self._positions[body.body[0]].start.line - 1  # the head of it alone
        return range(span.start.line, max(last, span.start.line) + 1)

    def changes(self, node: cst.CSTNode, at: _Place) -> Iterator[tuple[cst.CSTNode, cst.CSTNode, _Place]]:
        """Every node that may be exchanged, for what, and where."""
        if skipped(node):
            return
        if isinstance(node, cst.SimpleStatementLine | cst.BaseCompoundStatement):
            at = replace(at, lines=self._lines(node))
        if isinstance(node, cst.FunctionDef | cst.ClassDef) and not at.inside:
            at = replace(at, path=(*at.path, node.name.value))
        if isinstance(node, cst.FunctionDef):
            at = replace(at, optional=node.returns is not None and "None" in _names(node.returns))
        kept = spared(node) if isinstance(node, cst.Call) else []
        for new in changed(node):
            if isinstance(new, cst.Return) and not at.optional:
                continue
            if all(any(arg is other for other in new.args) for arg in kept):
                yield node, new, at
        for child in node.children:
            if not any(child is arg for arg in kept):
                body = isinstance(node, cst.FunctionDef) and child is node.body
                yield from self.changes(child, replace(at, inside=True) if body else at)


def _lines_changed(before: str, after: str) -> tuple[str, str]:
    old, new = before.splitlines(), after.splitlines()
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return " ".join(" ".join(old).split()), " ".join(" ".join(new).split())


def _dump(code: str) -> str | None:
    try:
        return ast.dump(ast.parse(code))
    except SyntaxError:
        return None


def mutants(
    root: Path, file: str, functions: Collection[str] | None = None, without: Collection[str] = ()
) -> list[Mutant]:
    """The mutants of `root/file`, in the order of its lines: of the named functions only, if given."""
    wrapper = MetadataWrapper(cst.parse_module((root / file).read_text("utf-8")))
    module = wrapper.module
    finder = _Finder(wrapper.resolve(PositionProvider))
    pieces = [module.code_for_node(part) for part in module.body]
    head = "".join(module.code_for_node(line) for line in module.header)
    tail = "".join(module.code_for_node(line) for line in module.footer)
    found: list[Mutant] = []
    counted: Counter[tuple[str, str, str]] = Counter()
    for i, part in enumerate(module.body):
        seen = {None, _dump(pieces[i])}
        for old, new, at in finder.changes(part, _Place()):
            function = ".".join(at.path)
            if function in without or (functions is not None and function not in functions):
                continue
            piece = module.code_for_node(part.deep_replace(old, new))
            dumped = _dump(piece)
            if dumped in seen:
                continue
            seen.add(dumped)
            before, after = _lines_changed(pieces[i], piece)
            nth = counted[function, before, after]
            counted[function, before, after] += 1
            source = "".join((head, *pieces[:i], piece, *pieces[i + 1 :], tail))
            found.append(Mutant(Name(file, function, before, after, nth), source, at.lines, not at.inside))
    return found
