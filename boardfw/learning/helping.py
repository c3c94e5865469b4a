"""When a learner wants help, or has fallen silent."""

from __future__ import annotations

from boardfw.learning.judge.times import HELP_US, first_after
from boardfw.squares import Square

SILENT_US = 20_000_000
"""After so long without a touch the task is told once more."""
LOST_US = 60_000_000
"""After so long the place to look is lit."""


class Asking:
    """Watches one exercise. ``king``: the man who asks for help when he is held; None: nobody."""

    def __init__(self, t_us: int, king: Square | None) -> None:
        self._king = king
        self._held_since_us: int | None = None
        self._touched_us = t_us
        self._is_told = False
        """Whether the task has been told once more since the last touch."""

    def touched(self, t_us: int, square: Square, *, lifted: bool) -> None:
        """A man was lifted or put down."""
        self._touched_us, self._is_told = t_us, False
        if square == self._king:
            self._held_since_us = t_us if lifted else None

    def wants_help(self, t_us: int) -> bool:
        """Whether the king has been held for long enough; told once for each time he is."""
        since_us = self._held_since_us
        if since_us is None or t_us - since_us < HELP_US:
            return False
        self._held_since_us = None
        return True

    def is_silent(self, t_us: int) -> bool:
        """Whether the task is to be told once more; true once."""
        if self._is_told or t_us - self._touched_us < SILENT_US:
            return False
        self._is_told = True
        return True

    def is_lost(self, t_us: int) -> bool:
        """Whether nobody has touched anything for long."""
        return t_us - self._touched_us >= LOST_US

    def due_us(self, t_us: int) -> int | None:
        """When something of this becomes true."""
        held_us = None if self._held_since_us is None else self._held_since_us + HELP_US
        return first_after(t_us, held_us, self._touched_us + SILENT_US, self._touched_us + LOST_US)
