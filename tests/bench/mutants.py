"""Small mistakes that somebody could make in a source file, one at a time."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One source file with one mistake in it."""

    path: Path
    line: int
    was: str
    """The piece of the source that is replaced."""
    now: str
    source: bytes
    """The whole file with the mistake."""


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file, in the order of its lines."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, changed in _changes(ast.parse(source)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        was = source[begin:end].decode()
        mutated = source[:begin] + changed.encode() + source[end:]
        yield Mutant(path, node.lineno, was, changed, mutated)


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """Yield the nodes that can be replaced, each with its replacement."""
    for node in _code(tree):
        if isinstance(node, ast.expr):
            for changed in _expressions(node):
                yield node, f"({ast.unparse(changed)})"
        elif isinstance(node, ast.stmt):
            for statement in _statements(node):
                yield node, statement


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that are run, without docstrings, type hints, decorators and f-strings."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            is_text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            is_hint = isinstance(child, ast.AnnAssign) and ast.unparse(child).endswith("TypeAlias")
            is_typing = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            skipped = (
                is_text or is_hint or is_typing or isinstance(child, ast.JoinedStr | ast.Raise)
            )
            if isinstance(child, ast.AST) and not skipped:
                yield from _code(child)


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what could stand in the place of an expression by mistake."""
    changed = copy.deepcopy(node)
    if isinstance(changed, ast.Compare):
        for n, operator in enumerate(changed.ops):
            changed.ops[n] = COMPARISONS[type(operator)]()
            yield changed
            changed.ops[n] = operator
    elif isinstance(changed, ast.BinOp) and type(changed.op) in OPERATORS:
        if not isinstance(changed.left, ast.Constant | ast.JoinedStr) or isinstance(
            changed.left.value if isinstance(changed.left, ast.Constant) else "", int | float
        ):
            changed.op = OPERATORS[type(changed.op)]()
            yield changed
    elif isinstance(changed, ast.BoolOp):
        changed.op = ast.Or() if isinstance(changed.op, ast.And) else ast.And()
        yield changed
        yield from changed.values[:1]
    elif isinstance(changed, ast.UnaryOp) and isinstance(changed.op, ast.Not | ast.Invert):
        yield changed.operand
    elif isinstance(changed, ast.IfExp):
        yield changed.body
        yield changed.orelse
    elif isinstance(changed, ast.Constant) and isinstance(changed.value, bool):
        yield ast.Constant(not changed.value)
    elif isinstance(changed, ast.Constant) and isinstance(changed.value, int | float):
        yield ast.Constant(changed.value + 1)


def _statements(node: ast.stmt) -> Iterator[str]:
    """Yield what could stand in the place of a statement by mistake."""
    if isinstance(node, ast.Expr | ast.AugAssign | ast.Delete):
        yield "pass"
    elif isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield "return None"
    elif isinstance(node, ast.Break):
        yield "continue"
    elif isinstance(node, ast.Continue):
        yield "break"
