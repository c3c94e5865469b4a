"""Small mistakes that somebody could make in a source file, one at a time."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType

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
OTHER_RIGHTS = {
    "OWN": "RULE",
    "RULE": "PLAY",
    "PLAY": "WATCH",
    "WATCH": "NOTHING",
    "NOTHING": "WATCH",
}
"""By the right that the web app asks for: one that the next lower role has, or a higher one."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One source file with one mistake in it."""

    path: Path
    lines: range
    """From the first line of its statement to its own, since not every line of a statement counts
    as run."""
    column: int
    was: str
    """The piece of the source that is replaced."""
    now: str
    source: bytes
    """The whole file with the mistake."""

    def name(self, root: Path) -> str:
        """Return where it is and what it changes, which no other mutant shares."""
        where = f"{self.path.relative_to(root)}:{self.lines[-1]}:{self.column}"
        return f"{where}: {self.was!r} -> {self.now!r}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file, in the order of its lines."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    tree = ast.parse(source)
    first_lines = _first_lines(tree)
    for node, changed in _changes(tree):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        was = source[begin:end].decode()
        mutated = source[:begin] + changed.encode() + source[end:]
        lines = range(first_lines[node], node.lineno + 1)
        yield Mutant(path, lines, node.col_offset, was, changed, mutated)


def _first_lines(tree: ast.Module) -> dict[ast.AST, int]:
    """Return the first line of the innermost statement of each node."""
    lines: dict[ast.AST, int] = {}

    def enter(node: ast.AST, line: int) -> None:
        for child in ast.iter_child_nodes(node):
            lines[child] = child.lineno if isinstance(child, ast.stmt) else line
            enter(child, lines[child])

    enter(tree, 1)
    return lines


def changes_functions_only(before: bytes, after: bytes) -> bool:
    """True if two versions of a file do the same while they are imported."""
    return _run_at_import(before) == _run_at_import(after)


def _run_at_import(source: bytes) -> list[tuple[bytes, str, tuple[str, ...]]]:
    """Return the code of a module and of its classes, without its functions."""
    found, waiting = [], [compile(source, "", "exec")]
    while waiting:
        code = waiting.pop()
        nested = [const for const in code.co_consts if isinstance(const, CodeType)]
        consts = [const for const in code.co_consts if not isinstance(const, CodeType)]
        found.append((code.co_code, repr(consts), code.co_names))
        waiting += [inner for inner in nested if not inner.co_flags & CO_OPTIMIZED]
    return found


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
    elif isinstance(changed, ast.Attribute) and ast.unparse(changed.value) == "Right":
        changed.attr = OTHER_RIGHTS[changed.attr]
        yield changed
    elif isinstance(changed, ast.Constant) and isinstance(changed.value, int | float):
        value = changed.value
        yield ast.Constant(not value if isinstance(value, bool) else value + 1)


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
