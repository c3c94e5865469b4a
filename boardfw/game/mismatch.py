"""What stands on the board and should not: told once the hands have been off it for a moment."""

from __future__ import annotations

from boardfw.game.events import Action, Mismatched, MismatchCleared
from boardfw.inference.line import Line
from boardfw.squares import Occupancy, turned_occupancy

AT_REST_US = 500_000
"""A position counts as shown when it has stood for half a second."""
UNFINISHED_US = 3_000_000
"""A ply of two men may stop half-way for so long before the board says what is wanting."""


class Mismatch:
    """Watches whether the board at rest is what the game says."""

    def __init__(self) -> None:
        self.missing: Occupancy = 0
        """Squares (of the game) that want a man; 0 while nothing is wrong."""
        self.extra: Occupancy = 0
        """Squares (of the game) whose man should not stand there; 0 while nothing is wrong."""

    def watch(self, t_us: int, rest_us: int, line: Line, standing: Occupancy, owed: bool) -> list[Action]:
        """Compare the board, at rest for ``rest_us``, with the line; what is to be said."""
        missing, extra = difference(line, standing)
        if not extra:
            return self._clear(t_us)
        if rest_us < (UNFINISHED_US if owed else AT_REST_US):
            return []
        if (missing, extra) == (self.missing, self.extra):
            return []
        self.missing, self.extra = missing, extra
        return [Mismatched(t_us, missing, extra)]

    def clear(self) -> None:
        """Forget what was wrong: another game begins."""
        self.missing = self.extra = 0

    def _clear(self, t_us: int) -> list[Action]:
        if not self.extra:
            return []
        self.clear()
        return [MismatchCleared(t_us)]


def difference(line: Line, standing: Occupancy) -> tuple[Occupancy, Occupancy]:
    """(missing, extra) squares of the game; men merely lifted leave ``extra`` empty."""
    expected = line.position.occupied
    stands = turned_occupancy(standing) if line.turn else standing
    return expected & ~stands, stands & ~expected
