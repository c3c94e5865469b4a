"""A move as somebody types it: in UCI or in SAN."""

from __future__ import annotations

import re

from boardfw.notation.san import parse_san
from boardfw.notation.uci import parse_uci
from boardfw.rules.move import Move
from boardfw.rules.position import Position

_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")


def parse_either(position: Position, text: str) -> Move:
    """The legal move of a text. Raises NotationError."""
    word = text.strip()
    return parse_uci(position, word) if _UCI.fullmatch(word) else parse_san(position, word)
