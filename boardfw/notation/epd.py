"""EPD: a position in four fields, and operations that say something about it.

``8/8/8/8/8/5k2/4p3/4K3 b - - bm Ke3; id "endings.7";``: test suites of chess programs have one
position on each line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from boardfw.errors import NotationError
from boardfw.notation.errors import quoted
from boardfw.notation.fen import format_fen, parse_setup, position_of
from boardfw.notation.game_text import parse_either
from boardfw.notation.san import format_san
from boardfw.rules.move import Move
from boardfw.rules.position import Position

Operand: TypeAlias = int | float | str | Move | tuple[Move, ...] | None
"""What an operation says: a number, a text, a move, several moves, or nothing."""

MOVES = ("am", "bm")
"""Operations of several legal moves: those to be avoided, and the best ones."""
LINE = "pv"
"""The operation of moves that follow one another."""
MOVE = ("pm", "sm")
"""Operations of one move: the predicted one, and the one supplied."""
CLOCK, NUMBER = "hmvc", "fmvn"
"""Operations that hold the counters of FEN."""

_FIELDS = 4
_OPERATION = re.compile(r'[\s;]*([^\s;"]+)((?:"(?:\\.|[^"\\])*"|[^;"])*)(;|$)')
_TEXT = re.compile(r'"((?:\\.|[^"\\])*)"')
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_FRACTION = re.compile(r"[+-]?(?:\d{1,18}\.\d*|\.\d+|\d{1,18}(?=[eE]))(?:[eE][+-]?\d{1,3})?")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_ESCAPED = {"t": "\t", "r": "\r", "n": "\n"}


class Epd(NamedTuple):
    """A position, and what is said about it, by opcode and in the order of the text."""

    position: Position
    operations: dict[str, Operand]


def parse_epd(
    text: str,
    *,
    ignore: Collection[str] = (),
    tell: Callable[[str], None] | None = None,
) -> Epd:
    """What a line of EPD says. Raises NotationError: one line that names the operation.

    The counters of the position are those of ``hmvc`` and ``fmvn``, else 0 and 1; a line that has
    them as a FEN has, behind its four fields, is read as well. ``ignore`` and ``tell``: as in
    ``parse_fen``.
    """
    fields, rest = _split(text)
    written = _operations(rest)
    for opcode, at in ((CLOCK, 4), (NUMBER, 5)):
        if opcode in written:
            fields[at] = written[opcode]
    what = f"EPD {quoted(text)}"
    position = position_of(parse_setup(" ".join(fields)), what, ignore=ignore, tell=tell)
    return Epd(position, {o: _read(position, o, operand) for o, operand in written.items()})


def read_epds(
    lines: Iterable[str],
    name: str = "EPD",
    *,
    ignore: Collection[str] = (),
    on_fault: Callable[[str], None] | None = None,
) -> Iterator[Epd]:
    """The positions of a suite; blank lines and those that begin with ``#`` are left out.

    A line that cannot be read is left out, and ``on_fault`` is called with ``NAME:LINE: what is
    wrong``. Without ``on_fault`` the first raises NotationError.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            yield parse_epd(line, ignore=ignore)
        except NotationError as error:
            if on_fault is None:
                raise NotationError(f"{name}:{number}: {error}") from error
            on_fault(f"{name}:{number}: {error}")


def format_epd(
    position: Position, operations: Mapping[str, Operand] | None = None, *, shredder: bool = False
) -> str:
    """A line of EPD. Raises ValueError for what EPD cannot say.

    The counters are written where ``operations`` has them; moves of ``am`` and ``bm``, whose order
    has no meaning, are sorted by their letters.
    """
    fields = format_fen(position, shredder=shredder).split()[:_FIELDS]
    written = [f"{_written(position, *item)};" for item in (operations or {}).items()]
    return " ".join([*fields, *written])


# --------------------------------------------------------------------------------------- reading


def _split(text: str) -> tuple[list[str], str]:
    """The six fields of a FEN, and what follows them in an EPD."""
    fields = text.split(None, _FIELDS)
    if len(fields) < _FIELDS:
        raise NotationError(
            f"EPD {quoted(text)}: {len(fields)} fields; write four, as in a FEN, then operations"
        )
    *fields, rest = fields if len(fields) > _FIELDS else [*fields, ""]
    if counters := re.match(r"(\d+)\s+(\d+)(?=[\s;]|$)", rest):
        return [*fields, *counters.groups()], rest[counters.end() :]
    return [*fields, "0", "1"], rest


def _operations(text: str) -> dict[str, str]:
    """What is written behind each opcode. Raises NotationError."""
    found: dict[str, str] = {}
    at, text = 0, text.rstrip("; \t\r\n")
    while at < len(text):
        operation = _OPERATION.match(text, at)
        if operation is None:
            raise NotationError(
                f"EPD, operation {quoted(text[at:].lstrip())}: write an opcode, its value and "
                "a semicolon, with texts in quotation marks"
            )
        if operation[1] != "-":
            found[operation[1]] = operation[2].strip()
        at = operation.end()
    return found


def _read(position: Position, opcode: str, operand: str) -> Operand:
    """The value of an operation. Raises NotationError."""
    if text := _TEXT.fullmatch(operand):
        return re.sub(r"\\(.)", lambda escape: _ESCAPED.get(escape[1], escape[1]), text[1])
    try:
        if opcode == LINE:
            return tuple(_line(position, operand))
        if opcode in MOVES:
            return tuple(parse_either(position, word) for word in operand.split())
        if opcode in MOVE and operand:
            return parse_either(position, operand)
    except NotationError as error:
        raise NotationError(f"EPD, {quoted(opcode)}: {error}") from error
    if _INTEGER.fullmatch(operand):
        return int(operand)
    if _FRACTION.fullmatch(operand):
        return float(operand)
    return operand or None


def _line(position: Position, moves: str) -> Iterator[Move]:
    for word in moves.split():
        move = parse_either(position, word)
        yield move
        position = position.play_unchecked(move)


# --------------------------------------------------------------------------------------- writing


def _written(position: Position, opcode: str, operand: Operand) -> str:
    """An operation without its semicolon. Raises ValueError."""
    if not re.fullmatch(r'[^\s;"]+', opcode) or opcode == "-":
        raise ValueError(f"{opcode!a} is not an EPD opcode; write one word such as bm")
    if operand is None:
        return opcode
    return " ".join([opcode, *_words(position, opcode, operand)])


def _words(position: Position, opcode: str, operand: Operand) -> Iterator[str]:
    match operand:
        case Move():
            yield format_san(position, operand)
        case tuple() if opcode == LINE:
            for move in operand:
                yield format_san(position, move)
                position = position.play(move)
        case tuple():
            yield from sorted(format_san(position, move) for move in operand)
        case str():
            escaped = "".join(_ESCAPES.get(letter, letter) for letter in operand)
            yield f'"{escaped}"'
        case float() if not math.isfinite(operand):
            raise ValueError(f"{opcode} {operand}: EPD has no such number")
        case _:
            yield str(operand)
