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


class FaultBook:
    """The faults of one game, and the line of the text that is being read."""

    def __init__(self, name: str, on_fault: OnFault | None) -> None:
        self.line = 0
        self.faults: list[Fault] = []
        self._name = name
        self._on_fault = on_fault

    def __call__(self, text: str, line: int = 0, *, breaks: bool = False) -> None:
        """Tell of a fault in this line, or in another."""
        fault = Fault(self._name, line or self.line, text, breaks)
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(fault)
            if self._on_fault is not None:
                self._on_fault(fault)

    def has(self, line: int) -> bool:
        """Whether there is a fault in this line."""
        return any(fault.line == line for fault in self.faults)
