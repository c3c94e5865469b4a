"""What is wrong with a PGN text, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

MOST_FAULTS = 100
"""Faults that one game records; a text that is no PGN at all has one in every word."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken spot; ``str()`` is ``NAME:LINE: what is wrong, and how to mend it``.

    ``breaks``: the moves of that line (of the game, or of one of its variations) end there; any
    other fault costs no move.
    """

    name: str
    line: int
    text: str
    breaks: bool = False

    def __str__(self) -> str:
        return f"{self.name}:{self.line}: {self.text}"


OnFault: TypeAlias = Callable[[Fault], None]
