"""When a learner wants help, or has fallen silent."""

from __future__ import annotations

from boardfw.learning.judge.times import HELD_US, HELP_US, first_after
from boardfw.squares import Square

SILENT_US = 20_000_000
"""After so long without a touch the task is told once more."""
LOST_US = 60_000_000
"""After so long the place to look is lit."""


MISSED_US = 5_000_000
"""A man who has been away for so long, while nobody did anything, may have been forgotten."""
SHORT_US = 3_000_000
"""So long after a touch that was too short for an answer the learner seems to wait for one."""
LEAST_TOUCH_US = 200_000
"""A shorter touch was not meant."""


class Asking:
    """Watches one exercise. ``king``: the man who asks for help when he is held; None: nobody."""

    def __init__(self, t_us: int, king: Square | None) -> None:
        self._lifted_us: dict[Square, int] = {}
        self._short_us: int | None = None
        """When a man was put back who had been lifted for too short a time."""
        self._is_warned = False
        self._king = king
        self._held_since_us: int | None = None
        self._touched_us = t_us
        self._is_told = False
        """Whether the task has been told once more since the last touch."""

    def touched(self, t_us: int, square: Square, *, lifted: bool) -> None:
        """A man was lifted or put down."""
        self._touched_us, self._is_told = t_us, False
        self._note_touch(t_us, square, lifted=lifted)
        if square == self._king:
            self._held_since_us = t_us if lifted else None

    def _note_touch(self, t_us: int, square: Square, *, lifted: bool) -> None:
        self._short_us = None
        if lifted:
            self._lifted_us[square] = t_us
            return
        held_us = t_us - self._lifted_us.pop(square, t_us)
        if LEAST_TOUCH_US <= held_us < HELD_US:
            self._short_us = t_us

    def touches_too_shortly(self, t_us: int) -> bool:
        """Whether somebody waits for an answer to a touch that was none; true once."""
        if self._is_warned or self._short_us is None or t_us - self._short_us < SHORT_US:
            return False
        self._is_warned = True
        return True

    def has_forgotten(self, t_us: int) -> bool:
        """Whether nothing has been touched for so long that a man who is missing is forgotten."""
        return t_us - self._touched_us >= MISSED_US

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
        short_us = None if self._short_us is None or self._is_warned else self._short_us + SHORT_US
        rests = (self._touched_us + rest_us for rest_us in (MISSED_US, SILENT_US, LOST_US))
        return first_after(t_us, held_us, short_us, *rests)
