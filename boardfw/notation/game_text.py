"""A game as people write it down, with move numbers and results, in one line or several columns.

PGN files have a reader of their own; this is for score sheets and books, in any notation, and for a
single move typed in UCI or SAN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from boardfw.notation.errors import UnreadableMove, quoted
from boardfw.notation.move_text import is_sign
from boardfw.notation.result import parse_result
from boardfw.notation.san import parse_san
from boardfw.notation.uci import parse_uci
from boardfw.rules.move import Move
from boardfw.rules.position import Position

_POINTS = r"(?:1/2|[01½])"
_RESULT = rf"\(?\s{{0,2}}{_POINTS}\s{{0,2}}[-–]\s{{0,2}}{_POINTS}\s{{0,2}}\)?(?!\S)"
"""A result may contain blanks, and is then more than one word."""
_WORD = re.compile(rf"(?P<number>[0-9]{{1,4}})\s?(?P<dots>[.…]+)|{_RESULT}|[^\s.…][^\s]*|[.…]+")


def words(text: str) -> list[str]:
    """The moves of a text in their order in it: ``1.e4 e5 2. Nf3`` has three.

    Numbers and results are left out; ``e.p.``, ``ch``, ``!`` after a blank stay with their move.
    """
    return [word for _, word in _numbered(text)]


def in_order(text: str) -> list[str]:
    """The same in the order of the move numbers, for games printed in several columns.

    Raises UnreadableMove if a number occurs twice or a move is missing before another.
    """
    by_ply: dict[int, str] = {}
    for ply, word in _numbered(text):
        if ply in by_ply:
            raise UnreadableMove(
                f"{quoted(word)}: {_name(ply)} is already {quoted(by_ply[ply])}; correct its number"
            )
        by_ply[ply] = word
    plies = sorted(by_ply)
    for before, ply in pairwise(plies):
        if ply != before + 1:
            raise UnreadableMove(f"{_name(before + 1)} is missing; write it before {_name(ply)}")
    return [by_ply[ply] for ply in plies]


def _numbered(text: str) -> Iterator[tuple[int, str]]:
    """Each move with its ply, 1 for White's first."""
    ply, pending = 0, ""
    for found in _WORD.finditer(text):
        word = found[0]
        if found["number"] or word[0] in ".…" or parse_result(word):
            if pending:
                yield ply, pending
            pending = ""
            if found["number"]:
                is_black = len(found["dots"].replace("…", "...")) > 1
                ply = 2 * int(found["number"]) - 2 + is_black
        elif pending and is_sign(word):
            pending += " " + word
        else:
            if pending:
                yield ply, pending
            ply, pending = ply + 1, word
    if pending:
        yield ply, pending


def _name(ply: int) -> str:
    return f"{(ply + 1) // 2}{'.' if ply % 2 else '...'}"


_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


def parse_either(position: Position, text: str) -> Move:
    """The legal move of a text in UCI or SAN. Raises NotationError."""
    word = text.strip()
    return parse_uci(position, word) if _UCI.fullmatch(word) else parse_san(position, word)
