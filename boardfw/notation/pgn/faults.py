"""Faults: what is wrong in a text, and where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

MOST_FAULTS = 100
"""How many faults a game records at most; a text that is not PGN has one in every word."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken spot; ``str()`` is ``NAME:LINE: what is wrong, and how to fix it``.

    ``breaks``: the moves of that line (of the game, or of one of its variations) end there; other
    faults cost no move. ``is_inner``: that line is a variation.
    """

    name: str
    line: int
    text: str
    breaks: bool = False
    is_inner: bool = False

    @property
    def ends_game(self) -> bool:
        """True if the moves that were played end there."""
        return self.breaks and not self.is_inner

    def __str__(self) -> str:
        return f"{self.name}:{self.line}: {self.text}"


OnFault: TypeAlias = Callable[[Fault], None]


class FaultBook:
    """Records the faults of one game; ``line`` is the line of the text that is being read."""

    def __init__(self, name: str) -> None:
        self.line = 0
        self.faults: list[Fault] = []
        self.remark = ""
        """What a fault that ends a line of moves says in addition."""
        self.is_broken = False
        """True if a fault ends a line of moves."""
        self.ends_game = False
        """True if a fault ends the moves that were played."""
        self._name = name

    def __call__(
        self, text: str, line: int = 0, *, breaks: bool = False, is_inner: bool = False
    ) -> None:
        """Record a fault in this line, or in ``line`` if it is not 0."""
        text = f"{text}; {self.remark}" if self.remark and breaks else text
        fault = Fault(self._name, line or self.line, text, breaks, is_inner)
        if fault.ends_game and not self.ends_game:  # it decides what becomes of the game
            self.faults[MOST_FAULTS - 1 :] = [fault]
        elif not self.is_full:
            self.faults.append(fault)
        self.is_broken = self.is_broken or breaks
        self.ends_game = self.ends_game or fault.ends_game

    @property
    def is_full(self) -> bool:
        """True if no more faults are recorded, but for the first that ends the game."""
        return len(self.faults) >= MOST_FAULTS

    def has(self, line: int) -> bool:
        """True if there is a fault in this line."""
        return any(fault.line == line for fault in self.faults)
