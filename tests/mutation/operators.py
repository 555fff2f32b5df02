"""The changes to a source file that make a mutant, as functions over libcst nodes.

Most of it is mutmut's own list: an argument dropped, one operator for another, a number one larger, a
text changed, a case of a match gone. Here stands what it lacks and verifying code needs: a check that is
not made, one of several conditions forgotten, one thing left out of a tuple that is hashed, a number one
too low.

Not tried: annotations, docstrings and decorators; None for a value or an argument, which mypy refuses
already; asserts, `assert_never` and `strict=`, which only state what the lines before ensure; texts for
people, and the sections of the rules that stand beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import libcst as cst
import libcst.matchers as m
from mutmut.mutation.mutators import (
    mutation_operators,
    operator_arg_removal,
    operator_assignment,
    operator_match,
    operator_string,
)

Operator = Callable[[Any], Iterable[cst.CSTNode]]

TEXTS = {
    "need": (2, 4),
    "Refused": (1, 3),
    "RecordFault": (3, 4),
    "EncodingError": (0,),
    "EngineError": (0,),
    "ProofError": (0,),
    "Unreadable": (0,),
    "ValueError": (0,),
    "bad_proof": (1,),
    "_same": (1,),
    "_house_fault": (0,),
}
"""The arguments of a call that are for people: a text, the section that decides."""

_FALSE, _TRUE, _NONE = cst.Name("False"), cst.Name("True"), cst.Name("None")
_DEFAULT = m.SimpleString('"big"')
"""The order of bytes that Python's integers have by themselves."""
_NEVER = m.Call(func=m.Name("assert_never"))
_TWINS = {"any": "all", "all": "any", "min": "max", "max": "min"}


def _condition(node: cst.If | cst.CompIf) -> Iterator[cst.CSTNode]:
    for value in (_FALSE, _TRUE):
        yield node.with_changes(test=value)


def _one_of_two(node: cst.BooleanOperation) -> Iterator[cst.CSTNode]:
    yield node.left
    yield node.right


def _one_less(node: cst.Integer) -> Iterator[cst.CSTNode]:
    value = node.evaluated_value - 1
    yield cst.parse_expression(str(value) if value >= 0 else f"({value})")


def _left_out(node: cst.Tuple | cst.List | cst.Set | cst.Dict) -> Iterator[cst.CSTNode]:
    elements = node.elements
    if len(elements) > 1:
        for i in range(len(elements)):
            yield node.with_changes(elements=[*elements[:i], *elements[i + 1 :]])


def _not_done(node: cst.SimpleStatementLine) -> Iterator[cst.CSTNode]:
    done = node.body[0]
    docstring = isinstance(done, cst.Expr) and isinstance(done.value, cst.BaseString)
    if isinstance(done, cst.Expr | cst.Raise) and not docstring:
        yield node.with_changes(body=[cst.Pass()])


def _nothing_returned(node: cst.Return) -> Iterator[cst.CSTNode]:
    if node.value is not None and not m.matches(node.value, m.Name("None")):
        yield node.with_changes(value=_NONE)


def _twin(node: cst.Call) -> Iterator[cst.CSTNode]:
    if isinstance(node.func, cst.Name) and node.func.value in _TWINS:
        yield node.with_changes(func=cst.Name(_TWINS[node.func.value]))


def _text(node: cst.BaseString) -> Iterator[cst.CSTNode]:
    # Of mutmut's three changes of a text the first: other letters than these are other letters.
    yield from list(operator_string(node))[:1]


def _argument_dropped(node: cst.Call) -> Iterator[cst.CSTNode]:
    for i, new in enumerate(new for new in operator_arg_removal(node) if len(new.args) < len(node.args)):
        if not m.matches(node.args[i].value, _DEFAULT):
            yield new


def _case_gone(node: cst.Match) -> Iterator[cst.CSTNode]:
    for case, new in zip(node.cases, operator_match(node), strict=False):  # mutmut keeps a lone case
        if not m.findall(case.body, _NEVER):
            yield new


_OTHERWISE = (operator_string, operator_assignment, operator_arg_removal, operator_match)
OPERATORS: list[tuple[Any, Operator]] = [
    *((kind, made) for kind, made in mutation_operators if made not in _OTHERWISE),
    (cst.Call, _argument_dropped),
    (cst.Match, _case_gone),
    (cst.BaseString, _text),
    ((cst.If, cst.CompIf), _condition),
    (cst.BooleanOperation, _one_of_two),
    (cst.Integer, _one_less),
    ((cst.Tuple, cst.List, cst.Set, cst.Dict), _left_out),
    (cst.SimpleStatementLine, _not_done),
    (cst.Return, _nothing_returned),
    (cst.Call, _twin),
]


def changed(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield what `node` may be exchanged for, one change each."""
    for kind, operator in OPERATORS:
        if isinstance(node, kind):
            yield from operator(node)


def _name(call: cst.Call) -> str:
    func = call.func
    return func.value if isinstance(func, cst.Name) else ""


def spared(call: cst.Call) -> list[cst.Arg]:
    """The arguments of a call that are not tried."""
    places = TEXTS.get(_name(call), ())
    return [
        arg
        for i, arg in enumerate(call.args)
        if (i in places and arg.keyword is None)
        or (arg.keyword is not None and arg.keyword.value == "strict")
    ]


def skipped(node: cst.CSTNode) -> bool:
    """Tell whether neither this node nor anything in it is tried."""
    if isinstance(node, cst.SimpleStatementLine):
        first = node.body[0]
        return (
            isinstance(first, cst.Assert | cst.Import | cst.ImportFrom)
            or (isinstance(first, cst.Expr) and isinstance(first.value, cst.BaseString))
            or m.matches(first, m.Expr(_NEVER))
            or m.matches(first, m.Assign(targets=[m.AssignTarget(m.Name("__all__"))]))
        )
    return isinstance(node, cst.Annotation | cst.Decorator)
